//! Where a store's file really is. Only names are made here; nothing is opened.

use std::io;
use std::path::{Path, PathBuf};

/// As many links as Linux follows.
const LINKS: usize = 40;

/// The one path of a store, whichever link names it: the files beside it (lock, key, write-ahead
/// log) are named after this one, so that everyone meets at the same lock. Of a store that is not
/// there, where it would be.
///
/// # Errors
/// What following a link fails with; links that lead back to themselves.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut path = std::path::absolute(path)?;
    for _ in 0..LINKS {
        if !path.symlink_metadata().is_ok_and(|meta| meta.is_symlink()) {
            return Ok(in_real_folder(path));
        }
        let target = path.read_link()?;
        path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    Err(io::Error::other(format!("{} leads through too many links", path.display())))
}

fn in_real_folder(path: PathBuf) -> PathBuf {
    // Windows would answer with a verbatim path (`\\?\C:\…`), which people do not recognise.
    if cfg!(windows) {
        return path;
    }
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path,
    }
}
