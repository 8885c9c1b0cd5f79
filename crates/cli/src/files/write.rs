//! Documents written as files. Nothing outside the folder is touched: links are not followed, and
//! each file replaces its name whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sekali_core::{Code, Lang, Mode, Refusal};
use sekali_store::StoreError;

use super::StoreFiles;
use crate::failure::Failed;
use crate::text::say;

/// A folder that documents are written to.
pub(crate) struct Target<'a> {
    lang: Lang,
    dir: PathBuf,
    store: &'a StoreFiles,
}

impl<'a> Target<'a> {
    /// Makes the folder, or takes an empty one; with `force` any.
    pub(crate) fn prepare(
        lang: Lang,
        dir: &Path,
        force: bool,
        store: &'a StoreFiles,
    ) -> Result<Self, Failed> {
        let target = Self { lang, dir: dir.to_owned(), store };
        let used = match fs::read_dir(dir) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(dir).map_err(|e| target.unwritable(dir, e))?;
                false
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => true,
            Err(error) => return Err(target.unwritable(dir, error)),
        };
        if !used || (force && dir.is_dir()) {
            return Ok(target);
        }
        let what = if dir.is_dir() { "is a folder that is not empty" } else { "is not a folder" };
        let detail = format!("dir: {} {what}; nothing was written.", dir.display());
        Err(Failed::from(Refusal::field(Code::PathInvalid, "dir", detail))
            .hinted(say::HINT_NOT_EMPTY.pick(lang).to_owned()))
    }

    /// Writes one document. Its path has been checked, so it has no `..` and is not absolute.
    pub(crate) fn write(&self, path: &str, content: &[u8], mode: Mode) -> Result<(), Failed> {
        let mut folder = self.dir.clone();
        let (above, name) = path.rsplit_once('/').map_or(("", path), |(above, name)| (above, name));
        for segment in above.split('/').filter(|s| !s.is_empty()) {
            folder.push(segment);
            self.enter(&folder)?;
        }
        let file = folder.join(name);
        if self.store.hold(&file) {
            let detail = format!("path: {} would overwrite a file of the store.", file.display());
            return Err(Failed::from(Refusal::field(Code::PathInvalid, "path", detail))
                .hinted(say::HINT_STORE_FILE.pick(self.lang).to_owned()));
        }
        // A rename puts the file itself in the place of a link, and never half of it.
        let scratch = folder.join(format!(".sekali-{}.part", std::process::id()));
        let written = put(&scratch, content, mode).and_then(|()| fs::rename(&scratch, &file));
        written.map_err(|error| {
            let _ = fs::remove_file(&scratch);
            self.unwritable(&file, error)
        })
    }

    /// Makes a folder, or goes into one that is there; a link in its place is refused.
    fn enter(&self, folder: &Path) -> Result<(), Failed> {
        match fs::symlink_metadata(folder) {
            Ok(meta) if meta.is_dir() => Ok(()),
            Ok(_) => {
                let detail = format!(
                    "path: {} is not a folder, or is a link; links are not followed.",
                    folder.display()
                );
                Err(Refusal::field(Code::PathInvalid, "path", detail).into())
            }
            Err(_) => fs::create_dir(folder).map_err(|e| self.unwritable(folder, e)),
        }
    }

    fn unwritable(&self, path: &Path, error: io::Error) -> Failed {
        let detail = format!("Could not write {}: {error}.", path.display());
        Failed::from(StoreError::caused(Code::StoreIo, detail, error))
            .hinted(say::HINT_WRITE.pick(self.lang).to_owned())
    }
}

fn put(path: &Path, content: &[u8], mode: Mode) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(content)?;
    executable(&file, mode)
}

#[cfg(unix)]
fn executable(file: &File, mode: Mode) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    if mode != Mode::Executable {
        return Ok(());
    }
    // Whoever may read it by the umask may run it.
    let bits = file.metadata()?.permissions().mode();
    file.set_permissions(fs::Permissions::from_mode(bits | ((bits & 0o444) >> 2)))
}

#[cfg(not(unix))]
fn executable(_file: &File, _mode: Mode) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn nothing_outside_the_folder_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let (outside, dir) = (folder.path().join("outside"), folder.path().join("out"));
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "kept").unwrap();
        fs::create_dir(&dir).unwrap();
        symlink(&outside, dir.join("linked")).unwrap();
        symlink(outside.join("kept"), dir.join("file")).unwrap();
        let store = StoreFiles::default();
        assert!(Target::prepare(Lang::En, &dir, false, &store).is_err(), "it is not empty");
        let target = Target::prepare(Lang::En, &dir, true, &store).unwrap();
        assert!(target.write("linked/kept", b"x", Mode::Plain).is_err());
        target.write("file", b"new", Mode::Plain).unwrap();
        assert_eq!(fs::read_to_string(outside.join("kept")).unwrap(), "kept");
        assert_eq!(fs::read_to_string(dir.join("file")).unwrap(), "new");
        assert!(!fs::symlink_metadata(dir.join("file")).unwrap().is_symlink());
        target.write("a/b/run.sh", b"#!/bin/sh\n", Mode::Executable).unwrap();
        assert_eq!(fs::metadata(dir.join("a/b/run.sh")).unwrap().permissions().mode() & 0o100, 0o100);
        assert!(
            fs::read_dir(&dir)
                .unwrap()
                .flatten()
                .all(|e| !e.file_name().to_string_lossy().ends_with(".part"))
        );
    }

    #[test]
    fn the_stores_files_are_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("toko.db");
        fs::write(&path, "store").unwrap();
        let store = StoreFiles::of(&path);
        let target = Target::prepare(Lang::En, folder.path(), true, &store).unwrap();
        assert!(target.write("toko.db", b"x", Mode::Plain).is_err());
        assert!(target.write("toko.db-wal", b"x", Mode::Plain).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "store");
    }
}
