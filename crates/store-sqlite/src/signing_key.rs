//! The store's signing key, `STORE.key`: Ed25519, PKCS #8 in PEM (RFC 8410), mode 0600, made once
//! and never in a backup. What it signs belongs to checkpoints.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use sekali_core::Code;
use sekali_store::StoreError;
use zeroize::Zeroizing;

use crate::lock::beside;

/// Makes a key beside a store that is being created; gives the public half.
pub(crate) fn create(store: &Path) -> Result<[u8; 32], StoreError> {
    let path = beside(store, ".key");
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(seed.as_mut_slice())
        .map_err(|e| StoreError::caused(Code::StoreIo, "The operating system gave no randomness.", e))?;
    let key = SigningKey::from_bytes(&seed);
    let pem = key
        .to_pkcs8_pem(LineEnding::LF)
        .map_err(|e| StoreError::new(Code::Internal, format!("Could not encode the signing key: {e}.")))?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let failed = |e: std::io::Error| {
        let code = match e.kind() {
            std::io::ErrorKind::AlreadyExists => return without_store(&path),
            std::io::ErrorKind::StorageFull => Code::StoreFull,
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                Code::StoreReadOnly
            }
            _ => Code::StoreIo,
        };
        StoreError::caused(code, format!("Could not write the signing key {}.", path.display()), e)
    };
    let mut file = options.open(&path).map_err(failed)?;
    file.write_all(pem.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
    Ok(key.verifying_key().to_bytes())
}

/// Refuses a place where the key of another store is.
pub(crate) fn free(store: &Path) -> Result<(), StoreError> {
    let path = beside(store, ".key");
    if path.exists() { Err(without_store(&path)) } else { Ok(()) }
}

fn without_store(key: &Path) -> StoreError {
    StoreError::new(
        Code::StoreExists,
        format!(
            "There is a signing key {} without its store; move it back beside its store, or delete it if there is none.",
            key.display()
        ),
    )
}

/// Takes back a key whose store could not be created.
pub(crate) fn discard(store: &Path) {
    let _ = std::fs::remove_file(beside(store, ".key"));
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
