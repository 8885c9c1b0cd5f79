//! The store's signing key, `STORE.key`: Ed25519, PKCS #8 in PEM (RFC 8410), mode 0600, made once
//! and never in a backup. What it signs belongs to checkpoints.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _};
use sekali_core::Code;
use sekali_store::StoreError;
use zeroize::Zeroizing;

use crate::lock::beside;

/// Until the store is committed the key has this name: a crash before that leaves nothing that could
/// be taken for the key of a store that is missing.
pub(crate) const UNSETTLED: &str = ".key.part";

/// Refuses to create a store beside a key that is there: it would be the key of another one.
pub(crate) fn vacant(store: &Path) -> Result<(), StoreError> {
    let path = beside(store, ".key");
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(StoreError::new(
        Code::StoreExists,
        format!(
            "There is a signing key {} without its store; move it back beside its store, or delete it if there is none.",
            path.display()
        ),
    ))
}

/// Makes a key for a store that is being created, under its lock; gives the public half.
pub(crate) fn create(store: &Path) -> Result<[u8; 32], StoreError> {
    vacant(store)?;
    let path = beside(store, UNSETTLED);
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(seed.as_mut_slice())
        .map_err(|e| StoreError::caused(Code::StoreIo, "The operating system gave no randomness.", e))?;
    let key = SigningKey::from_bytes(&seed);
    let pem = key
        .to_pkcs8_pem(LineEnding::LF)
        .map_err(|e| StoreError::new(Code::Internal, format!("Could not encode the signing key: {e}.")))?;
    // What a creation that was killed has left.
    let _ = std::fs::remove_file(&path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let failed = |e| cannot_write(&path, e);
    let mut file = options.open(&path).map_err(failed)?;
    file.write_all(pem.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
    Ok(key.verifying_key().to_bytes())
}

fn cannot_write(path: &Path, error: std::io::Error) -> StoreError {
    let code = match error.kind() {
        std::io::ErrorKind::StorageFull => Code::StoreFull,
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => Code::StoreReadOnly,
        _ => Code::StoreIo,
    };
    StoreError::caused(code, format!("Could not write the signing key {}.", path.display()), error)
}

/// Takes back a key whose store could not be created.
pub(crate) fn discard(store: &Path) {
    let _ = std::fs::remove_file(beside(store, UNSETTLED));
}

/// The store was committed, but its key has not got its name yet.
pub(crate) fn is_unsettled(store: &Path) -> bool {
    beside(store, UNSETTLED).exists() && !beside(store, ".key").exists()
}

/// Gives the key of a committed store its name; under the store's lock.
pub(crate) fn settle(store: &Path) -> Result<(), StoreError> {
    if !is_unsettled(store) {
        return Ok(());
    }
    let path = beside(store, ".key");
    std::fs::rename(beside(store, UNSETTLED), &path).map_err(|e| cannot_write(&path, e))
}

/// What looking into the key file found.
pub(crate) enum Found {
    /// It is the private half of the store's public key.
    Sound,
    /// It could not be looked into; that is no damage.
    Unknown(String),
    /// It is no key, or the key of another store.
    Wrong(String),
}

/// Compares the key file with the store's public key.
pub(crate) fn check(store: &Path, public_key: &[u8; 32]) -> Found {
    let path = beside(store, ".key");
    let shown = path.display();
    // Reading a pipe would wait for its other end.
    if std::fs::metadata(&path).is_ok_and(|meta| !meta.is_file()) {
        return Found::Wrong(format!("the signing key {shown} is no file"));
    }
    let pem = match std::fs::read(&path) {
        Ok(pem) => Zeroizing::new(pem),
        Err(error) => return Found::Unknown(format!("The signing key {shown} cannot be read: {error}.")),
    };
    let key = std::str::from_utf8(&pem).ok().and_then(|pem| SigningKey::from_pkcs8_pem(pem).ok());
    match key {
        None => Found::Wrong(format!("the signing key {shown} is not an Ed25519 key in PEM")),
        Some(key) if key.verifying_key().as_bytes() != public_key => {
            Found::Wrong(format!("the signing key {shown} is that of another store"))
        }
        Some(_) => Found::Sound,
    }
}

/// What is wrong with the key file, if anything.
pub(crate) fn problem(store: &Path) -> Option<String> {
    let path = beside(store, ".key");
    let meta = match std::fs::metadata(&path) {
        Ok(meta) => meta,
        Err(error) => {
            return Some(format!("The signing key {} cannot be read: {error}.", path.display()));
        }
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = meta.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Some(format!(
                "Others can read the signing key {} (mode {mode:o}); chmod 600 it.",
                path.display()
            ));
        }
    }
    #[cfg(not(unix))]
    let _ = meta;
    None
}
