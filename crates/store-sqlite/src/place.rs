//! Where the store is: still the file that was opened, and not on a place that breaks SQLite.
//! Only `stat`; the file itself is SQLite's.

use std::path::{Path, PathBuf};

use sekali_core::Code;
use sekali_store::{StoreError, real_path};

/// The identity of an opened file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Where it really is.
    path: PathBuf,
    /// The link by which it was named, if it was.
    link: Option<PathBuf>,
    identity: Identity,
}

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = Option<std::time::SystemTime>;

#[cfg(unix)]
fn identity(meta: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn identity(meta: &std::fs::Metadata) -> Identity {
    meta.created().ok()
}

/// The real path of a store, and the link that named it if there was one.
pub(crate) fn resolve(named: &Path) -> Result<(PathBuf, Option<PathBuf>), StoreError> {
    let unusable =
        |e| StoreError::caused(Code::StoreIo, format!("{} is not a usable path.", named.display()), e);
    let whole = std::path::absolute(named).map_err(unusable)?;
    let real = real_path(&whole).map_err(unusable)?;
    let is_link = whole.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
    Ok((real, is_link.then_some(whole)))
}

/// Refuses what is there and can be no store, before anything is opened: opening a pipe would wait
/// for its other end.
pub(crate) fn must_be_file(path: &Path, meta: &std::fs::Metadata) -> Result<(), StoreError> {
    if meta.is_file() {
        return Ok(());
    }
    let (what, said) = if meta.is_dir() {
        ("a folder", "folder")
    } else {
        ("a pipe, socket or device", "pipa, soket, atau perangkat")
    };
    let path = path.display();
    Err(StoreError::new(Code::StoreForeign, format!("{path} is {what}, not a store."))
        .said(format!("{path} adalah {said}, bukan berkas ruang.")))
}

impl Place {
    /// Remembers which file stands at a path.
    pub(crate) fn of(named: &Path) -> Result<Self, StoreError> {
        let (path, link) = resolve(named)?;
        let meta = std::fs::metadata(&path).map_err(|e| missing(&path, e))?;
        must_be_file(&path, &meta)?;
        Ok(Self { path, link, identity: identity(&meta) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The same file still stands there. Applies were once acknowledged into a file that had been
    /// moved away; so this is asked before a connection is made and before each
    /// COMMIT.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        // A link that now leads elsewhere has moved the store for everyone who opens it by that name.
        for path in std::iter::once(&self.path).chain(&self.link) {
            let moved = match std::fs::metadata(path) {
                Ok(meta) => identity(&meta) != self.identity,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
                Err(error) => return Err(missing(path, error)),
            };
            if moved {
                return Err(StoreError::new(
                    Code::StoreMoved,
                    format!("The store {} was moved or replaced while it was open.", path.display()),
                ));
            }
        }
        Ok(())
    }
}

/// Less room than this, in bytes, is none: the shared memory beside the log needs it.
#[cfg(unix)]
const NO_ROOM: u64 = 64 * 1024;

/// What keeps this process from writing a store, where that can be told. Of a log that it cannot
/// make, SQLite says only that a file could not be opened.
#[cfg(unix)]
pub(crate) fn obstacle(path: &Path) -> Option<(Code, String)> {
    use rustix::fs::{Access, access, statvfs};
    use rustix::io::Errno;
    let folder = path.parent()?;
    for part in [path, folder] {
        match access(part, Access::WRITE_OK) {
            Err(Errno::ROFS) => {
                let what = format!("{} is on a file system that is mounted read-only", part.display());
                return Some((Code::StoreReadOnly, what));
            }
            Err(Errno::ACCESS | Errno::PERM) => {
                return Some((Code::StoreReadOnly, format!("you may not write {}", part.display())));
            }
            _ => {}
        }
    }
    let room = statvfs(folder).ok()?;
    let full =
        room.f_bavail.saturating_mul(room.f_frsize) < NO_ROOM || (room.f_files > 0 && room.f_favail == 0);
    full.then(|| (Code::StoreFull, format!("the disk under {} is full", folder.display())))
}

#[cfg(not(unix))]
pub(crate) fn obstacle(path: &Path) -> Option<(Code, String)> {
    let meta = std::fs::metadata(path).ok()?;
    meta.permissions()
        .readonly()
        .then(|| (Code::StoreReadOnly, format!("{} is marked read-only", path.display())))
}

/// How many names the store's file has: the files beside it go by one of them.
#[cfg(unix)]
pub(crate) fn names(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).map_or(1, |meta| meta.nlink())
}

#[cfg(not(unix))]
pub(crate) fn names(_path: &Path) -> u64 {
    1
}

pub(crate) fn missing(path: &Path, error: std::io::Error) -> StoreError {
    if error.kind() == std::io::ErrorKind::NotFound {
        return StoreError::new(Code::StoreNotFound, format!("There is no store at {}.", path.display()));
    }
    StoreError::caused(Code::StoreIo, format!("Could not look at {}.", path.display()), error)
}

/// A place that SQLite does not like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceWarning {
    /// Locks and the shared memory of the WAL do not work across machines.
    NetworkFileSystem,
    /// Another program copies the file while it is written.
    SyncFolder(&'static str),
}

/// Looks at where a store is, or would be.
pub(crate) fn default_warnings(path: &Path) -> Vec<PlaceWarning> {
    let mut warnings = Vec::new();
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if on_network(folder) {
        warnings.push(PlaceWarning::NetworkFileSystem);
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if let Some(name) = whole.components().find_map(|part| sync_folder(&part.as_os_str().to_string_lossy())) {
        warnings.push(PlaceWarning::SyncFolder(name));
    } else if whole.ancestors().any(|folder| folder.join(".stfolder").exists()) {
        warnings.push(PlaceWarning::SyncFolder("Syncthing"));
    }
    warnings
}

fn sync_folder(name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 8] = [
        ("dropbox", "Dropbox"),
        ("onedrive", "OneDrive"),
        ("google drive", "Google Drive"),
        ("googledrive", "Google Drive"),
        ("nextcloud", "Nextcloud"),
        ("owncloud", "ownCloud"),
        ("mobile documents", "iCloud Drive"),
        ("icloud", "iCloud Drive"),
    ];
    let name = name.to_lowercase();
    // "OneDrive - Company" is how it names a second account.
    NAMES
        .iter()
        .find(|(part, _)| name == *part || name.starts_with(&format!("{part} - ")))
        .map(|(_, shown)| *shown)
}

#[cfg(target_os = "linux")]
fn on_network(folder: &Path) -> bool {
    // Magic numbers of statfs(2): NFS, SMB, SMB2, CIFS, AFS, CODA, 9P, Ceph, Lustre.
    const NETWORK: [i64; 9] = [
        0x6969,
        0x517B,
        0xFE53_4D42,
        0xFF53_4D42,
        0x5346_414F,
        0x7375_7245,
        0x0102_1997,
        0x00C3_6400,
        0x0BD0_0BD0,
    ];
    // The field's type differs between platforms; its low 32 bits are the number.
    #[allow(
        clippy::unnecessary_cast,
        clippy::cast_lossless,
        reason = "needed on some platforms and not on others"
    )]
    rustix::fs::statfs(folder).is_ok_and(|stat| NETWORK.contains(&((stat.f_type as i64) & 0xFFFF_FFFF)))
}

#[cfg(not(target_os = "linux"))]
fn on_network(_folder: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sync_folders_are_known_by_name() {
        let check = |path: &str, known: Option<&'static str>| {
            let expected: Vec<_> = known.map(PlaceWarning::SyncFolder).into_iter().collect();
            assert_eq!(default_warnings(Path::new(path)), expected, "{path}");
        };
        check("/home/ani/Dropbox/toko/sekali.db", Some("Dropbox"));
        check("/home/ani/OneDrive - Toko Mekar/sekali.db", Some("OneDrive"));
        check("/home/ani/dropbox-notes/sekali.db", None);
    }
}
