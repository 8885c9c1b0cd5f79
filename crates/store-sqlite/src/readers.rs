//! The read connections, and the snapshots that some of them keep for a moment.
//!
//! A snapshot costs more than the few rows that a plan reads: locks, and a page cache that begins
//! empty, because other connections have committed since. Those who plan at the same time therefore
//! share one, until somebody commits here or it is [`MOMENT`] old. Whoever has glanced writes next, and
//! ends what is kept and outdated then: a snapshot that nobody uses would keep the log from being
//! started anew, and it would grow.

use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use sekali_store::StoreError;

use crate::error::Doing as _;
use crate::migrate;

/// Read connections. Further readers wait for one: opening another would parse the schema anew, and
/// hundreds of them would only take turns on the processors.
const READERS: usize = 16;
/// How old a snapshot may be that is shared: about the time of a group. What another process commits
/// meanwhile is not in it.
const MOMENT: Duration = Duration::from_millis(2);

/// The read connections: idle ones, and how many are in use.
#[derive(Default)]
pub(crate) struct Readers {
    state: Mutex<(Vec<ReadConnection>, usize)>,
    freed: Condvar,
}

/// A connection that only reads.
pub(crate) struct ReadConnection {
    pub(crate) conn: Connection,
    /// When the snapshot that it keeps began, and how often this process had committed by then.
    kept: Option<(Instant, u64)>,
}

impl ReadConnection {
    pub(crate) fn new(conn: Connection) -> Result<Self, StoreError> {
        conn.execute_batch("PRAGMA query_only = ON").doing("prepare a reader")?;
        Ok(Self { conn, kept: None })
    }

    /// Whether it keeps a snapshot that is good enough for a glance.
    pub(crate) fn shows(&self, commits: u64) -> bool {
        self.kept.is_some_and(|(begun, then)| then == commits && begun.elapsed() < MOMENT)
    }

    /// Begins a snapshot to keep.
    pub(crate) fn keep(&mut self, path: &Path, commits: u64) -> Result<(), StoreError> {
        begin(&self.conn, path)?;
        self.kept = Some((Instant::now(), commits));
        Ok(())
    }

    /// Ends the snapshot that it keeps, if it does.
    pub(crate) fn end(&mut self) -> Result<(), StoreError> {
        if self.kept.take().is_some() { end(&self.conn) } else { Ok(()) }
    }
}

/// Begins a snapshot of a store that this program knows.
pub(crate) fn begin(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    conn.prepare_cached("BEGIN").and_then(|mut s| s.execute([])).doing("begin reading")?;
    migrate::still_known(conn, path).inspect_err(|_| drop(end(conn)))
}

pub(crate) fn end(conn: &Connection) -> Result<(), StoreError> {
    conn.prepare_cached("ROLLBACK").and_then(|mut s| s.execute([])).doing("end reading").map(drop)
}

/// The right to use one read connection, until dropped.
pub(crate) struct Turn<'a> {
    readers: &'a Readers,
    idle: Option<ReadConnection>,
}

impl Turn<'_> {
    /// A connection as the last one left it.
    pub(crate) fn connection(&mut self) -> Option<ReadConnection> {
        self.idle.take()
    }

    /// Gives a connection back that is as it was.
    pub(crate) fn give_back(&mut self, conn: ReadConnection) {
        self.idle = Some(conn);
    }
}

impl Readers {
    fn lock(&self) -> MutexGuard<'_, (Vec<ReadConnection>, usize)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self) -> Turn<'_> {
        let mut state = self.lock();
        while state.1 >= READERS {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.1 += 1;
        Turn { readers: self, idle: state.0.pop() }
    }

    /// Ends the snapshots that are kept, but for those that are still good enough for a glance while
    /// somebody is going to write.
    pub(crate) fn settle(&self, commits: u64, somebody_writes: bool) {
        self.lock().0.retain_mut(|reader| (somebody_writes && reader.shows(commits)) || reader.end().is_ok());
    }

    pub(crate) fn forget(&self) {
        self.lock().0.clear();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.readers.lock();
        state.0.extend(self.idle.take());
        state.1 -= 1;
        drop(state);
        self.readers.freed.notify_one();
    }
}
