//! A store that gets its name only when it is whole. Until then it stands beside its place under a
//! name that nobody opens, so a crash on the way leaves no half of one to be taken for a store.
//! Files are moved and removed here, when no connection is open on them; none is read or written.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sekali_core::Code;
use sekali_store::StoreError;

use crate::create;
use crate::lock::{LOCK, TURN, WriteLock, beside};
use crate::open::{Options, SqliteStore};
use crate::{place, signing_key};

impl SqliteStore {
    /// Creates a store, has it filled, and puts it in its place. `fill` must let go of the store
    /// before it returns.
    ///
    /// # Errors
    /// What [`SqliteStore::create`] and `fill` fail with; nothing is left behind then.
    pub fn create_whole<T, E: From<StoreError>>(
        path: &Path,
        options: Options,
        fill: impl FnOnce(Arc<Self>) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(folder) = place::resolve(path)?.0.parent() {
            create::make_folder(folder)?;
        }
        let (path, _) = place::resolve(path)?;
        create::vacant(&path)?;
        let unfinished = beside_hidden(&path, ".unfinished");
        let patience = options.busy_deadline;
        let making = Making::alone(&path, patience)?;
        let keys = [".key", signing_key::UNSETTLED].map(|suffix| beside(&unfinished, suffix));
        if unfinished.exists() && !keys.iter().any(|key| key.exists()) {
            // A crash between the two renames below: it was whole.
            finish(&unfinished, &path, patience)?;
        }
        // Whatever stands there otherwise is of a making that ended half-way; we are the only one now.
        remove(&unfinished);
        let free = create::vacant(&path).and_then(|()| signing_key::vacant(&path));
        let filled = free.map_err(E::from).and_then(|()| {
            let store = Arc::new(Self::create(&unfinished, options)?);
            let open = Arc::downgrade(&store);
            let filled = fill(store)?;
            if open.strong_count() > 0 {
                let detail = "The new store is still in use, so it cannot be put in its place.";
                return Err(StoreError::new(Code::Internal, detail).into());
            }
            finish(&unfinished, &path, patience)?;
            Ok(filled)
        });
        remove(&unfinished);
        drop(making);
        filled
    }
}

/// Renames a closed store that is whole: the key first, so that no store is ever without it.
fn finish(unfinished: &Path, path: &Path, patience: Duration) -> Result<(), StoreError> {
    if let Some(file) = create::of_open_store(unfinished).iter().find(|file| file.exists()) {
        let detail = format!("{} is there, so the new store is still open somewhere.", file.display());
        return Err(StoreError::new(Code::StoreIo, detail));
    }
    // Whoever creates a store there in the plain way takes this lock too.
    let fresh = !beside(path, ".lock").exists();
    let mut lock = WriteLock::new(path);
    let _held = lock.hold_for(patience)?;
    if fresh {
        create::make_private(path);
    }
    create::vacant(path)?;
    if beside(unfinished, ".key").exists() {
        signing_key::vacant(path)?;
    }
    for suffix in [".key", ""] {
        let (from, to) = (beside(unfinished, suffix), beside(path, suffix));
        match std::fs::rename(&from, &to) {
            Err(error) if suffix.is_empty() || error.kind() != std::io::ErrorKind::NotFound => {
                return Err(cannot(&to, error));
            }
            _ => sync_folder(path)?,
        }
    }
    Ok(())
}

fn remove(unfinished: &Path) {
    let beside_it = [".key", signing_key::UNSETTLED, LOCK, TURN].map(|suffix| beside(unfinished, suffix));
    // The store before its key: a store without a key would be taken for a whole one above.
    for file in
        std::iter::once(unfinished.to_owned()).chain(create::of_open_store(unfinished)).chain(beside_it)
    {
        // What is not there need not go; what cannot be removed refuses the next making, and says so.
        let _ = std::fs::remove_file(file);
    }
}

/// Makes a rename last through a loss of power, before the next one.
fn sync_folder(path: &Path) -> Result<(), StoreError> {
    match path.parent() {
        Some(folder) if cfg!(unix) => {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| cannot(path, error))
        }
        _ => Ok(()),
    }
}

fn cannot(path: &Path, error: std::io::Error) -> StoreError {
    StoreError::caused(Code::StoreIo, format!("Could not put {} in its place.", path.display()), error)
}

/// `.NAME` beside a store called `NAME`.
fn beside_hidden(store: &Path, suffix: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(store.file_name().unwrap_or_default());
    name.push(suffix);
    store.with_file_name(name)
}

/// The right to make a store at a place. The system takes it back when the process ends, however.
struct Making {
    path: PathBuf,
    file: File,
}

impl Making {
    /// Waits until nobody else makes one there, but not for ever.
    fn alone(store: &Path, patience: Duration) -> Result<Self, StoreError> {
        let path = beside_hidden(store, ".making");
        let started = Instant::now();
        loop {
            let opened = File::options().create(true).truncate(false).write(true).open(&path);
            let file = opened.map_err(|e| cannot(store, e))?;
            match file.try_lock() {
                // The one before takes the file away when it is done; a lock on that is a lock on nothing.
                Ok(()) if is_at(&file, &path) => return Ok(Self { path, file }),
                Ok(()) => {}
                Err(TryLockError::Error(e)) => return Err(cannot(store, e)),
                Err(TryLockError::WouldBlock) if started.elapsed() > patience => {
                    let detail = format!("Another process is making a store at {}.", store.display());
                    return Err(StoreError::new(Code::StoreBusy, detail));
                }
                // `File::lock` has no deadline, so the lock is asked for again and again.
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |meta: std::fs::Metadata| (meta.dev(), meta.ino());
    matches!((file.metadata().map(id), std::fs::metadata(path).map(id)), (Ok(a), Ok(b)) if a == b)
}

/// Elsewhere a file that is open cannot be taken away.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
