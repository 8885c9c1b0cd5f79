//! Where the store is: still the file that was opened, and not on a place that breaks SQLite.
//! Only `stat`; the file itself is SQLite's.

use std::path::{Path, PathBuf};

use sekali_core::Code;
use sekali_store::StoreError;

/// The identity of an opened file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    path: PathBuf,
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

impl Place {
    /// Remembers which file stands at a path.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let meta = std::fs::metadata(path).map_err(|e| missing(path, e))?;
        Ok(Self { path: path.to_owned(), identity: identity(&meta) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The same file still stands there. Applies were once acknowledged into a file that had been
    /// moved away; so this is asked before BEGIN and before COMMIT.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let moved = match std::fs::metadata(&self.path) {
            Ok(meta) => identity(&meta) != self.identity,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
            Err(error) => return Err(missing(&self.path, error)),
        };
        if !moved {
            return Ok(());
        }
        Err(StoreError::new(
            Code::StoreMoved,
            format!("The store {} was moved or replaced while it was open.", self.path.display()),
        ))
    }
}

pub(crate) fn missing(path: &Path, error: std::io::Error) -> StoreError {
    if error.kind() == std::io::ErrorKind::NotFound {
        return StoreError::new(Code::StoreNotFound, format!("There is no store at {}.", path.display()));
    }
    StoreError::caused(Code::StoreIo, format!("Could not look at {}.", path.display()), error)
}

/// A place that SQLite does not like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceWarning {
    /// Locks and the shared memory of the WAL do not work across machines.
    NetworkFileSystem,
    /// Another program copies the file while it is written.
    SyncFolder(&'static str),
}

/// Looks at where a store is, or would be.
pub fn default_warnings(path: &Path) -> Vec<PlaceWarning> {
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
