//! A folder as a list of documents, for `--put-dir`. Links and odd files are refused by name; what
//! is left out is told.

use std::fs;
use std::path::{Path, PathBuf};

use sekali_core::{Code, DocPath, Lang, Mode};

use super::StoreFiles;
use crate::failure::Failed;
use crate::text::{Text, say};

/// A file with the path that it has within the folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FolderFile {
    pub(crate) path: DocPath,
    pub(crate) file: PathBuf,
    /// From the executable bit; `None` where the system has none.
    pub(crate) mode: Option<Mode>,
}

/// What was left out, and why.
pub(crate) struct Skipped {
    pub(crate) path: String,
    pub(crate) why: Text,
}

/// Every file below a folder, in the order of its paths' bytes.
pub(crate) fn walk(
    lang: Lang,
    folder: &Path,
    store: &StoreFiles,
) -> Result<(Vec<FolderFile>, Vec<Skipped>), Failed> {
    let mut walk = Walk { lang, store, files: Vec::new(), skipped: Vec::new() };
    walk.below(folder, "")?;
    walk.files.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
    Ok((walk.files, walk.skipped))
}

struct Walk<'a> {
    lang: Lang,
    store: &'a StoreFiles,
    files: Vec<FolderFile>,
    skipped: Vec<Skipped>,
}

impl Walk<'_> {
    fn below(&mut self, folder: &Path, prefix: &str) -> Result<(), Failed> {
        let lang = self.lang;
        let unreadable = |error: std::io::Error| {
            super::unreadable("put-dir", folder, &error).hinted(say::HINT_READ_FILE.pick(lang).to_owned())
        };
        let mut entries =
            fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(unreadable)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let file = entry.path();
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                return Err(refused(Code::PathInvalid, say::NAME_NOT_UTF8, &file));
            };
            let path = format!("{prefix}{name}");
            let kind = entry.file_type().map_err(unreadable)?;
            if name.eq_ignore_ascii_case(".git") {
                self.skipped.push(Skipped { path, why: say::SKIPPED_GIT });
            } else if kind.is_symlink() {
                return Err(refused(Code::ProposalInvalid, say::IS_A_LINK, &file)
                    .hinted(say::HINT_LINK.pick(self.lang).to_owned()));
            } else if self.store.hold(&file) {
                self.skipped.push(Skipped { path, why: say::SKIPPED_STORE });
            } else if kind.is_dir() {
                self.below(&file, &format!("{path}/"))?;
            } else if kind.is_file() {
                let mode = mode(&entry.metadata().map_err(unreadable)?);
                self.files.push(FolderFile { path: DocPath::parse("put-dir", &path)?, file, mode });
            } else {
                return Err(refused(Code::ProposalInvalid, say::IS_ODD, &file)
                    .hinted(say::HINT_LINK.pick(self.lang).to_owned()));
            }
        }
        Ok(())
    }
}

fn refused(code: Code, text: Text, file: &Path) -> Failed {
    Failed::field(code, "put-dir", text, &[("path", &file.display().to_string())])
}

/// The mode that a file's executable bit says.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is no executable bit")]
pub(super) fn mode(meta: &fs::Metadata) -> Option<Mode> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(if meta.permissions().mode() & 0o100 == 0 { Mode::Plain } else { Mode::Executable })
}

#[cfg(not(unix))]
pub(super) fn mode(_meta: &fs::Metadata) -> Option<Mode> {
    None
}

/// The mode of a file that is named alone: an executable one is; any other leaves the document's
/// mode as it is, for it is often a scratch copy.
pub(crate) fn named_mode(path: &Path) -> Option<Mode> {
    let meta = fs::metadata(path).ok()?;
    mode(&meta).filter(|mode| meta.is_file() && *mode == Mode::Executable)
}
