//! Files of the user's, read as content and written by exports. The store's own files are never
//! opened here: `SQLite` alone may, or its locks are lost.

mod folder;
mod write;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use sekali_core::{Code, Lang, Refusal, limit};
use sekali_engine::places;

use crate::args::Source;
use crate::failure::Failed;
use crate::text::{Text, said_by_system, say};

pub(crate) use folder::{named_mode, walk};
pub(crate) use write::Target;

/// Bytes of a proposal file: base64 takes four for three, and there is room for the rest.
const PROPOSAL_FILE_BYTES: usize = limit::SUBMISSION_BYTES / 3 * 4 + 64 * 1024 * 1024;

/// Files that belong to a store, by where they really are.
#[derive(Debug, Default)]
pub(crate) struct StoreFiles(Vec<PathBuf>);

impl StoreFiles {
    /// The files of a store at a path, there or not.
    pub(crate) fn of(store: &Path) -> Self {
        Self(places::of_store(store).iter().filter_map(|path| real(path)).collect())
    }

    pub(crate) fn hold(&self, path: &Path) -> bool {
        real(path).is_some_and(|path| self.0.contains(&path))
    }
}

/// Where a file really is; of one that is not there, where it would be.
fn real(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// Reads content for the files of a submission, and counts it, so that what is too much is refused
/// before it is all in memory.
pub(crate) struct Reader<'a> {
    lang: Lang,
    store: &'a StoreFiles,
    left: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(lang: Lang, store: &'a StoreFiles) -> Self {
        Self { lang, store, left: limit::SUBMISSION_BYTES }
    }

    /// One document's content.
    pub(crate) fn content(&mut self, field: &str, source: &Source) -> Result<Vec<u8>, Failed> {
        let bytes = match source {
            Source::StandardInput => {
                let input = io::stdin().lock();
                bounded(input, limit::CONTENT_BYTES, None)
                    .map_err(|e| self.unreadable(field, Path::new("-"), &e))?
            }
            Source::File(path) => self.file(field, path, limit::CONTENT_BYTES)?,
        };
        if bytes.len() > limit::CONTENT_BYTES {
            return Err(
                Refusal::limit(field, "a document", limit::CONTENT_BYTES, bytes.len(), "bytes").into()
            );
        }
        self.left = self.left.checked_sub(bytes.len()).ok_or_else(|| {
            let most = limit::SUBMISSION_BYTES;
            too_large(field, say::TOO_MUCH, most, &[("limit", &most.to_string())])
        })?;
        Ok(bytes)
    }

    /// A proposal file's text.
    pub(crate) fn proposal(&self, source: &Source) -> Result<Vec<u8>, Failed> {
        let bytes = match source {
            Source::StandardInput => bounded(io::stdin().lock(), PROPOSAL_FILE_BYTES, None)
                .map_err(|e| self.unreadable("file", Path::new("-"), &e))?,
            Source::File(path) => self.file("file", path, PROPOSAL_FILE_BYTES)?,
        };
        if bytes.len() <= PROPOSAL_FILE_BYTES {
            return Ok(bytes);
        }
        let values = [("limit", &*PROPOSAL_FILE_BYTES.to_string()), ("value", &bytes.len().to_string())];
        Err(too_large("file", say::FILE_TOO_LARGE, PROPOSAL_FILE_BYTES, &values).into())
    }

    /// A file that a proposal file names: below its folder, whatever links say.
    pub(crate) fn named(&mut self, field: &str, folder: &Path, name: &str) -> Result<Vec<u8>, Failed> {
        let outside = |what: Text| {
            Failed::field(Code::PathInvalid, field, what, &[("name", &format!("{name:?}"))])
                .about(name)
                .hinted(say::HINT_INSIDE.pick(self.lang).to_owned())
        };
        let relative = Path::new(name);
        let plain =
            relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !plain || name.is_empty() {
            return Err(outside(say::NAMED_OUTSIDE));
        }
        let path = folder.join(relative);
        let base = folder.canonicalize().map_err(|e| self.unreadable(field, folder, &e))?;
        let real = path.canonicalize().map_err(|e| self.unreadable(field, &path, &e))?;
        if !real.starts_with(&base) {
            return Err(outside(say::LEADS_OUT));
        }
        if !real.is_file() {
            return Err(outside(say::NAMES_NO_FILE));
        }
        self.content(field, &Source::File(real))
    }

    fn file(&self, field: &str, path: &Path, most: usize) -> Result<Vec<u8>, Failed> {
        if self.store.hold(path) {
            let shown = path.display().to_string();
            return Err(Failed::field(Code::PathInvalid, field, say::NEVER_CONTENT, &[("path", &shown)])
                .hinted(say::HINT_STORE_FILE.pick(self.lang).to_owned()));
        }
        let read = || -> io::Result<Vec<u8>> {
            let file = File::open(path)?;
            let meta = file.metadata()?;
            if meta.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            bounded(file, most, meta.is_file().then_some(meta.len()))
        };
        read().map_err(|e| self.unreadable(field, path, &e))
    }

    fn unreadable(&self, field: &str, path: &Path, error: &io::Error) -> Failed {
        unreadable(field, path, error).hinted(say::HINT_READ_FILE.pick(self.lang).to_owned())
    }
}

/// A file or folder that could not be read.
fn unreadable(field: &str, path: &Path, error: &io::Error) -> Failed {
    let says = |lang| {
        let (path, error) = (path.display().to_string(), said_by_system(error, lang));
        format!("{field}: {}", say::NOT_READ.fill(lang, &[("path", &path), ("error", &error)]))
    };
    Refusal::field(Code::BodyInvalid, field, says(Lang::En)).said(says(Lang::Id)).into()
}

fn too_large(field: &str, text: Text, most: usize, values: &[(&str, &str)]) -> Refusal {
    let says = |lang| format!("{field}: {}", text.fill(lang, values));
    let refusal = Refusal::field(Code::BodyTooLarge, field, says(Lang::En)).said(says(Lang::Id));
    refusal.with(|f| f.limit = Some(most as u64))
}

/// Everything, or one byte more than may be. Of a file that is too large only the size matters, so
/// it is told by a buffer of that length where it is known and small enough to be honest about.
fn bounded(input: impl Read, most: usize, length: Option<u64>) -> io::Result<Vec<u8>> {
    let expected = length.and_then(|length| usize::try_from(length).ok()).unwrap_or(0).min(most);
    let mut bytes = Vec::with_capacity(expected + 1);
    input.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stores_files_are_known_by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("toko.db");
        std::fs::write(&store, "x").unwrap();
        let files = StoreFiles::of(&store);
        let check =
            |name: &str, held: bool| assert_eq!(files.hold(&folder.path().join(name)), held, "{name}");
        check("toko.db", true);
        check("./toko.db", true);
        check("toko.db-wal", true);
        check("toko.db.key", true);
        check("toko.db.json", false);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&store, folder.path().join("link")).unwrap();
            check("link", true);
        }
    }
}
