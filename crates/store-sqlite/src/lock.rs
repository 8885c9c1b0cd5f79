//! The advisory lock round a write transaction, on `STORE.lock`. It keeps processes fair: with
//! SQLite's busy handler alone, one of four was starved for 1.5 s. It guards nothing by itself;
//! SQLite's own lock does.
//!
//! The kernel gives a lock to whoever asks first once it is free, and that is the process which gave
//! it back: it asks again while the one that waits is still being woken. So nobody asks for it without
//! holding a second lock, on `STORE.turn`, for as long as it takes to get the first. Whoever waits has
//! the turn, and is next. But a process whose turn it was may come back for a few milliseconds: with
//! a switch after each group, four processes together wrote a seventh less.

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

/// The file of the lock.
pub(crate) const LOCK: &str = ".lock";
/// The file of the turn.
pub(crate) const TURN: &str = ".turn";
/// How often a lock that another process has is asked for again, where it is not simply waited for.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// How often the turn is asked for again.
const TURN_EVERY: Duration = Duration::from_micros(500);
/// How long the turn is waited for. A process that was stopped while it waited keeps the turn; after
/// this the others go on without one.
const COURTESY: Duration = Duration::from_millis(250);

/// How long the others go on without a turn then, before they ask again.
const WITHOUT: Duration = Duration::from_secs(5);
/// How long after its turn a process may take the lock again without another one.
const TENURE: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub(crate) struct WriteLock {
    lock: LockFile,
    turn: LockFile,
    /// How long the turn is waited for.
    courtesy: Duration,
    /// How long one's own lasts.
    tenure: Duration,
    /// When the lock was last had by turn.
    since: Option<Instant>,
    /// Until when the turn is not asked for: whoever had it was waited for in vain.
    without_until: Option<Instant>,
}

/// A file that is locked; opened when it is first needed.
#[derive(Debug)]
struct LockFile {
    path: PathBuf,
    file: Option<Arc<File>>,
}

/// What came of waiting for one's turn.
enum Turn {
    /// It is ours, until dropped.
    Ours(#[expect(dead_code, reason = "given back when dropped")] Held),
    /// Another process has it.
    Taken,
    /// There is none here: it cannot be made or locked. It is a courtesy; the lock says what is wrong.
    None,
}

impl WriteLock {
    pub(crate) fn new(store: &Path) -> Self {
        Self {
            lock: LockFile::beside(store, LOCK),
            turn: LockFile::beside(store, TURN),
            courtesy: COURTESY,
            tenure: TENURE,
            since: None,
            without_until: None,
        }
    }

    /// Waits for the lock, however long: only the writer's thread does, for which no caller has to.
    pub(crate) fn hold(&mut self) -> Result<Held, StoreError> {
        let file = self.lock.open()?;
        if self.in_tenure() && file.try_lock().is_ok() {
            return Ok(Held(file));
        }
        let _turn = self.wait_for_turn(self.courtesy);
        file.lock().map_err(|e| cannot(&self.lock.path, e))?;
        self.since = Some(Instant::now());
        Ok(Held(file))
    }

    /// Waits for the lock, but not for ever.
    pub(crate) fn hold_for(&mut self, patience: Duration) -> Result<Held, StoreError> {
        let started = Instant::now();
        let file = self.lock.open()?;
        let _turn = self.wait_for_turn(patience.min(self.courtesy));
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Held(file)),
                Err(TryLockError::Error(e)) => return Err(cannot(&self.lock.path, e)),
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

    /// The lock, if nobody has it and nobody waits for it.
    pub(crate) fn try_hold(&mut self) -> Option<Held> {
        let file = self.lock.open().ok()?;
        if self.in_tenure() {
            return file.try_lock().is_ok().then(|| Held(file));
        }
        let turn = self.try_turn();
        if matches!(turn, Turn::Taken) || file.try_lock().is_err() {
            return None;
        }
        self.since = Some(Instant::now());
        Some(Held(file))
    }

    fn in_tenure(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() < self.tenure)
    }

    fn wait_for_turn(&mut self, patience: Duration) -> Turn {
        let started = Instant::now();
        loop {
            match self.try_turn() {
                Turn::Taken if started.elapsed() < patience => std::thread::sleep(TURN_EVERY),
                Turn::Taken => {
                    if patience >= self.courtesy {
                        self.without_until = Some(Instant::now() + WITHOUT);
                    }
                    return Turn::Taken;
                }
                turn => return turn,
            }
        }
    }

    fn try_turn(&mut self) -> Turn {
        if self.without_until.is_some_and(|until| Instant::now() < until) {
            return Turn::None;
        }
        let Ok(file) = self.turn.open() else { return Turn::None };
        match file.try_lock() {
            Ok(()) => Turn::Ours(Held(file)),
            Err(TryLockError::WouldBlock) => Turn::Taken,
            Err(TryLockError::Error(_)) => Turn::None,
        }
    }
}

impl LockFile {
    fn beside(store: &Path, suffix: &str) -> Self {
        Self { path: beside(store, suffix), file: None }
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
    let lock = path.display();
    let detail = match (code, store_of(path)) {
        (Code::StoreReadOnly, Some(store)) => {
            format!(
                "The store {store} can be read but not written: its lock {lock} cannot be opened: {error}."
            )
        }
        _ => format!("Could not lock {lock}: {error}."),
    };
    StoreError::caused(code, detail, error)
}

/// The store that a lock stands beside.
fn store_of(lock: &Path) -> Option<&str> {
    lock.to_str()?.strip_suffix(LOCK)
}

/// A lock, until dropped.
#[derive(Debug)]
pub(crate) struct Held(Arc<File>);

impl Drop for Held {
    fn drop(&mut self) {
        // Closing the file would release it too; there is nothing to do if this fails.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn a_lock_that_cannot_be_written_is_said_of_its_store() {
        let said = |kind: std::io::ErrorKind| cannot(Path::new("/a/toko.db.lock"), kind.into());
        let refused = said(std::io::ErrorKind::ReadOnlyFilesystem);
        assert_eq!(refused.code, Code::StoreReadOnly);
        assert!(
            refused.detail.starts_with(
                "The store /a/toko.db can be read but not written: its lock /a/toko.db.lock cannot be opened: "
            ),
            "{}",
            refused.detail
        );
        assert!(said(std::io::ErrorKind::StorageFull).detail.starts_with("Could not lock /a/toko.db.lock: "));
    }

    /// One that waits for its turn however long, and has none to come back in.
    fn patient(store: &Path) -> WriteLock {
        WriteLock { courtesy: Duration::MAX, tenure: Duration::ZERO, ..WriteLock::new(store) }
    }

    /// Counted, so that it ends where nobody ever takes it.
    fn until_the_turn_is_taken(store: &Path) {
        let turn = File::open(beside(store, TURN)).expect("it was made with the lock");
        for _ in 0..20_000_000 {
            match turn.try_lock() {
                Ok(()) => turn.unlock().expect("it is ours"),
                Err(_) => return,
            }
            thread::yield_now();
        }
        panic!("whoever waits takes no turn");
    }

    /// Each has files of its own, as processes have: the kernel locks those against each other.
    #[test]
    fn who_waits_is_next_however_soon_the_other_asks_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = folder.path().join("sekali.db");
        let mut first = patient(&store);
        let overtaken = |_: &u32| {
            let held = first.hold().expect("it is free");
            let (done, is_done) = channel::<()>();
            let store = &store;
            thread::scope(|scope| {
                let waiting = scope.spawn(move || {
                    let held = patient(store).hold().expect("it is given back");
                    // Kept until the first has asked, however late the kernel lets it.
                    let _ = is_done.recv();
                    drop(held);
                });
                until_the_turn_is_taken(store);
                drop(held);
                let again = first.try_hold();
                let overtaken = again.is_some();
                drop((again, done));
                waiting.join().expect("it gets the lock");
                overtaken
            })
        };
        assert_eq!((0..50).filter(overtaken).count(), 0, "of 50 rounds");
    }

    /// Nor does one that would wait itself.
    #[test]
    fn turns_are_taken_one_after_another() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = folder.path().join("sekali.db");
        let held = patient(&store).hold().expect("it is free");
        let (got, order) = channel();
        thread::scope(|scope| {
            let wait = |name: &'static str| {
                let (got, store) = (got.clone(), &store);
                move || {
                    let held = patient(store).hold().expect("it is given back");
                    got.send(name).expect("the test listens");
                    drop(held);
                }
            };
            scope.spawn(wait("second"));
            until_the_turn_is_taken(&store);
            // It has given the lock back and comes again.
            drop(held);
            wait("first")();
        });
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["second", "first"]);
    }

    #[test]
    fn a_turn_that_is_never_given_back_or_cannot_be_had_stops_nobody() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = folder.path().join("sekali.db");
        drop(WriteLock::new(&store).hold().expect("it is free"));
        let stopped = File::open(beside(&store, TURN)).expect("it was made with the lock");
        stopped.lock().expect("it is free");
        let mut lock = WriteLock::new(&store);
        assert!(lock.try_hold().is_none(), "whoever has the turn is let go first");
        drop(lock.hold().expect("after a while"));
        drop(lock.hold_for(Duration::from_mins(1)).expect("after a while"));
        lock.tenure = Duration::MAX;
        assert!(lock.try_hold().is_some(), "it has had the lock, and may come back for a while");
        drop(stopped);
        assert!(WriteLock::new(&store).try_hold().is_some());

        std::fs::remove_file(beside(&store, TURN)).expect("the file is ours");
        std::fs::create_dir(beside(&store, TURN)).expect("the folder is ours");
        let mut lock = WriteLock::new(&store);
        assert!(lock.try_hold().is_some());
        drop(lock.hold().expect("it is free"));
    }
}
