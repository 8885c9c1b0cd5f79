//! Documents written as files: everything is checked, then written aside, and only then given its
//! name. Nothing outside the folder is touched: links are not followed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sekali_core::path::{lies_below, tree_order};
use sekali_core::{Code, DocPath, Lang, Mode, Refusal};

use super::StoreFiles;
use crate::failure::Failed;
use crate::text::{Text, say};

/// A folder that documents are to be written to.
pub(crate) struct Target<'a> {
    lang: Lang,
    dir: PathBuf,
    store: &'a StoreFiles,
    /// The folder was made for this.
    made: bool,
    /// It was empty: what goes wrong leaves it so.
    empty: bool,
}

impl<'a> Target<'a> {
    /// Makes the folder, or takes an empty one; with `force` any.
    pub(crate) fn prepare(
        lang: Lang,
        dir: &Path,
        force: bool,
        store: &'a StoreFiles,
    ) -> Result<Self, Failed> {
        let mut target = Self { lang, dir: dir.to_owned(), store, made: false, empty: true };
        match fs::read_dir(dir) {
            Ok(mut entries) => target.empty = entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(dir).map_err(|e| target.unwritable(dir, e))?;
                target.made = true;
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(target.occupied("dir", dir, say::IS_NO_FOLDER, None));
            }
            Err(error) => return Err(target.unwritable(dir, error)),
        }
        if target.empty || force {
            return Ok(target);
        }
        Err(target.occupied("dir", dir, say::IS_NOT_EMPTY, Some(say::HINT_NOT_EMPTY)))
    }

    /// Checks that files of these paths can stand in the folder together, before any is written.
    pub(crate) fn check<'p>(&self, paths: impl Iterator<Item = &'p DocPath>) -> Result<(), Failed> {
        let mut paths: Vec<&DocPath> = paths.collect();
        paths.sort_by(|a, b| tree_order(a.key(), b.key()));
        for [folder, inner] in paths.array_windows() {
            if lies_below(inner.key(), folder.key()) {
                return Err(nested(folder, inner).into());
            }
        }
        for path in paths {
            let file = self.dir.join(path.as_str());
            let mut folders: Vec<DocPath> = path.folders().collect();
            folders.reverse();
            for folder in folders {
                let folder = self.dir.join(folder.as_str());
                match fs::symlink_metadata(&folder) {
                    Ok(meta) if meta.is_dir() => {}
                    Ok(_) => {
                        return Err(self.occupied(
                            "path",
                            &folder,
                            say::IS_NO_FOLDER_OR_LINK,
                            Some(say::HINT_IN_THE_WAY),
                        ));
                    }
                    Err(_) => break,
                }
            }
            if self.store.hold(&file) {
                return Err(self.occupied("path", &file, say::IS_OF_THE_STORE, Some(say::HINT_STORE_FILE)));
            }
            if fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_dir()) {
                return Err(self.occupied("path", &file, say::IS_A_FOLDER, Some(say::HINT_IN_THE_WAY)));
            }
        }
        Ok(())
    }

    /// Begins to write.
    pub(crate) fn begin(self) -> Result<Writing<'a>, Failed> {
        let aside = self.dir.join(format!(".sekali-{}.part", std::process::id()));
        fs::create_dir(&aside).map_err(|e| self.unwritable(&aside, e))?;
        Ok(Writing { target: self, aside, files: Vec::new(), placed: Vec::new(), done: false })
    }

    fn occupied(&self, field: &str, path: &Path, what: Text, hint: Option<Text>) -> Failed {
        let shown = path.display().to_string();
        let failed = Failed::field(Code::FolderOccupied, field, what, &[("path", &shown)]).about(&shown);
        match hint {
            Some(hint) => failed.hinted(hint.pick(self.lang).to_owned()),
            None => failed,
        }
    }

    fn unwritable(&self, path: &Path, error: io::Error) -> Failed {
        Failed::disk(say::NOT_WRITTEN, path, error).hinted(say::HINT_WRITE.pick(self.lang).to_owned())
    }
}

/// A store of before could hold both; no folder can.
fn nested(folder: &DocPath, inner: &DocPath) -> Refusal {
    Refusal::field(
        Code::PathCollision,
        "path",
        format!("path: {folder} is a document and {inner} lies below it; no folder can hold both."),
    )
    .said(format!(
        "path: {folder} adalah dokumen dan {inner} ada di bawahnya; folder tidak dapat memuat keduanya."
    ))
    .with(|f| f.value = Some(inner.to_string()))
}

/// Documents being written: aside under numbers, until all are there.
pub(crate) struct Writing<'a> {
    target: Target<'a>,
    aside: PathBuf,
    files: Vec<PathBuf>,
    /// What has got its name, files and folders in the order in which they came.
    placed: Vec<PathBuf>,
    done: bool,
}

impl Writing<'_> {
    /// Writes one document aside.
    pub(crate) fn write(&mut self, path: &DocPath, content: &[u8], mode: Mode) -> Result<(), Failed> {
        put(&self.numbered(self.files.len()), content, mode)
            .map_err(|e| self.target.unwritable(&self.target.dir.join(path.as_str()), e))?;
        self.files.push(PathBuf::from(path.as_str()));
        Ok(())
    }

    /// Everything is written: gives each file its name. A rename puts the file itself in the place
    /// of a link, and never half of it.
    pub(crate) fn finish(mut self) -> Result<(), Failed> {
        for (number, path) in std::mem::take(&mut self.files).iter().enumerate() {
            let mut folder = self.target.dir.clone();
            for segment in path.parent().into_iter().flat_map(Path::components) {
                folder.push(segment);
                self.enter(&folder)?;
            }
            let file = self.target.dir.join(path);
            fs::rename(self.numbered(number), &file).map_err(|e| self.target.unwritable(&file, e))?;
            self.placed.push(file);
        }
        self.done = true;
        Ok(())
    }

    fn numbered(&self, number: usize) -> PathBuf {
        self.aside.join(number.to_string())
    }

    /// Makes a folder, or goes into one that is there; a link that has come in its place is refused.
    fn enter(&mut self, folder: &Path) -> Result<(), Failed> {
        match fs::symlink_metadata(folder) {
            Ok(meta) if meta.is_dir() => Ok(()),
            Ok(_) => Err(self.target.occupied(
                "path",
                folder,
                say::IS_NO_FOLDER_OR_LINK,
                Some(say::HINT_IN_THE_WAY),
            )),
            Err(_) => {
                fs::create_dir(folder).map_err(|e| self.target.unwritable(folder, e))?;
                self.placed.push(folder.to_owned());
                Ok(())
            }
        }
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.aside);
        // Of a folder that held other things a name may have been one of theirs: what has replaced
        // it stays, and is whole.
        if self.done || !self.target.empty {
            return;
        }
        for path in self.placed.iter().rev() {
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
        if self.target.made {
            let _ = fs::remove_dir(&self.target.dir);
        }
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

    fn doc(text: &str) -> DocPath {
        DocPath::parse("path", text).expect("a good path")
    }

    fn write(target: Target<'_>, files: &[(&str, &str, Mode)]) -> Result<(), Failed> {
        let paths: Vec<DocPath> = files.iter().map(|(path, ..)| doc(path)).collect();
        target.check(paths.iter())?;
        let mut writing = target.begin()?;
        for (path, (_, content, mode)) in paths.iter().zip(files) {
            writing.write(path, content.as_bytes(), *mode)?;
        }
        writing.finish()
    }

    /// Every file and folder below, by its path within.
    fn tree(dir: &Path) -> Vec<String> {
        let mut names = Vec::new();
        for entry in fs::read_dir(dir).expect("a folder").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                names.extend(tree(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}")));
            }
            names.push(name);
        }
        names.sort();
        names
    }

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
        let target = || Target::prepare(Lang::En, &dir, true, &store).unwrap();
        let plain = Mode::Plain;
        let refused = write(target(), &[("before", "x", plain), ("linked/kept", "x", plain)]);
        assert!(refused.is_err(), "links are not followed");
        assert_eq!(tree(&dir), ["file", "linked"], "nothing was written, not even what could be");
        write(target(), &[("file", "new", plain), ("a/b/run.sh", "#!/bin/sh\n", Mode::Executable)]).unwrap();
        assert_eq!(fs::read_to_string(outside.join("kept")).unwrap(), "kept");
        assert_eq!(fs::read_to_string(dir.join("file")).unwrap(), "new");
        assert!(!fs::symlink_metadata(dir.join("file")).unwrap().is_symlink());
        assert_eq!(fs::metadata(dir.join("a/b/run.sh")).unwrap().permissions().mode() & 0o100, 0o100);
        assert_eq!(tree(&dir), ["a", "a/b", "a/b/run.sh", "file", "linked"]);
        assert!(write(target(), &[("z", "x", plain), ("a/b", "x", plain)]).is_err(), "a folder stands there");
        assert!(!dir.join("z").exists());
    }

    #[test]
    fn the_stores_files_are_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("toko.db");
        fs::write(&path, "store").unwrap();
        let store = StoreFiles::of(&path);
        for name in ["toko.db", "toko.db-wal"] {
            let target = Target::prepare(Lang::En, folder.path(), true, &store).unwrap();
            assert!(write(target, &[("a", "x", Mode::Plain), (name, "x", Mode::Plain)]).is_err());
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "store");
        assert_eq!(tree(folder.path()), ["toko.db"]);
    }

    #[test]
    fn what_cannot_be_whole_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (dir, store) = (folder.path().join("out"), StoreFiles::default());
        let target = || Target::prepare(Lang::En, &dir, false, &store).unwrap();
        let plain = Mode::Plain;
        // An older store may hold both: found before anything is written.
        let target_checked = target();
        let both = [doc("README"), doc("readme.md"), doc("readme/x")];
        let failed = target_checked.check(both.iter()).unwrap_err();
        assert!(matches!(&failed, Failed::Answered { failure, .. } if failure.code() == Code::PathCollision));
        drop(target_checked.begin().unwrap());
        assert!(!dir.exists(), "the folder was made for this");
        // Unchecked, the same is found where the names are given, and all is taken back.
        fs::create_dir(&dir).unwrap();
        let mut writing = target().begin().unwrap();
        for path in ["a/b", "README", "README/x"] {
            writing.write(&doc(path), b"x", plain).unwrap();
        }
        assert!(writing.finish().is_err());
        assert_eq!(tree(&dir), [""; 0], "the folder was there and stays");
        write(target(), &[("a/b", "x", plain)]).unwrap();
        assert_eq!(tree(&dir), ["a", "a/b"]);
    }
}
