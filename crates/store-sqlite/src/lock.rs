//! The advisory lock round a write transaction, on `STORE.lock`. It keeps processes fair: with
//! SQLite's busy handler alone, one of four was starved for 1.5 s. It guards nothing by itself;
//! SQLite's own lock does.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sekali_core::Code;
use sekali_store::StoreError;

/// A file beside the store: its path with a suffix.
pub(crate) fn beside(store: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = store.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// How often a lock that another process has is asked for again, where it is not simply waited for.
const LOOK_EVERY: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct WriteLock {
    path: PathBuf,
    file: Option<Arc<File>>,
}

impl WriteLock {
    pub(crate) fn new(store: &Path) -> Self {
        Self { path: beside(store, ".lock"), file: None }
    }

    /// Waits for the lock, however long: only the writer's thread does, for which no caller has to.
    pub(crate) fn hold(&mut self) -> Result<Held, StoreError> {
        let file = self.open()?;
        file.lock().map_err(|e| cannot(&self.path, e))?;
        Ok(Held(file))
    }

    /// Waits for the lock, but not for ever.
    pub(crate) fn hold_for(&mut self, patience: Duration) -> Result<Held, StoreError> {
        let started = Instant::now();
        loop {
            let file = self.open()?;
            match file.try_lock() {
                Ok(()) => return Ok(Held(file)),
                Err(TryLockError::Error(e)) => return Err(cannot(&self.path, e)),
                Err(TryLockError::WouldBlock) if started.elapsed() >= patience => {
                    return Err(StoreError::new(
                        Code::StoreBusy,
                        format!(
                            "Others have been writing for {} ms; this was not begun.",
                            patience.as_millis()
                        ),
                    ));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK_EVERY),
            }
        }
    }

    /// The lock, if nobody has it.
    pub(crate) fn try_hold(&mut self) -> Option<Held> {
        let file = self.open().ok()?;
        file.try_lock().is_ok().then_some(Held(file))
    }

    fn open(&mut self) -> Result<Arc<File>, StoreError> {
        if let Some(file) = &self.file {
            return Ok(Arc::clone(file));
        }
        // Opening a pipe would wait for its other end.
        if std::fs::metadata(&self.path).is_ok_and(|meta| !meta.is_file()) {
            return Err(StoreError::new(
                Code::StoreIo,
                format!("{} is no file, so nothing can be locked; remove it.", self.path.display()),
            ));
        }
        let opened = File::options().create(true).truncate(false).write(true).open(&self.path);
        let file = Arc::new(opened.map_err(|e| cannot(&self.path, e))?);
        self.file = Some(Arc::clone(&file));
        Ok(file)
    }
}

fn cannot(path: &Path, error: std::io::Error) -> StoreError {
    let code = match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => Code::StoreReadOnly,
        std::io::ErrorKind::StorageFull => Code::StoreFull,
        std::io::ErrorKind::NotFound => Code::StoreMoved,
        _ => Code::StoreIo,
    };
    StoreError::caused(code, format!("Could not lock {}.", path.display()), error)
}

/// The lock, until dropped.
pub(crate) struct Held(Arc<File>);

impl Drop for Held {
    fn drop(&mut self) {
        // Closing the file would release it too; there is nothing to do if this fails.
        let _ = self.0.unlock();
    }
}
