//! The read connections, and the snapshots that some of them keep for a moment.
//!
//! A snapshot costs more than the few rows that a plan reads: locks, and a page cache that begins
//! empty, because other connections have committed since. Those who plan at the same time therefore
//! share one. It is kept while somebody here writes or waits to: until their commit begins, or the last
//! of them has gone. One that were kept for longer would keep SQLite from bringing its log in, and that
//! would grow.

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
/// How old a snapshot may be to be shared: about the time of a group. What another process commits
/// meanwhile is not in it.
const MOMENT: Duration = Duration::from_millis(4);

/// The read connections.
#[derive(Default)]
pub(crate) struct Readers {
    state: Mutex<Pool>,
    freed: Condvar,
}

#[derive(Default)]
struct Pool {
    idle: Vec<ReadConnection>,
    in_use: usize,
    /// Somebody commits: no snapshot is kept meanwhile, so that SQLite can bring the whole log in.
    committing: bool,
}

/// While it stands, no snapshot is kept.
pub(crate) struct Committing<'a>(&'a Readers);

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        self.0.lock().committing = false;
    }
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
    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self) -> Turn<'_> {
        let mut state = self.lock();
        while state.in_use >= READERS {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.in_use += 1;
        Turn { readers: self, idle: state.idle.pop() }
    }

    /// Ends every snapshot that is kept, and lets none be kept until the commit is over.
    pub(crate) fn commit(&self) -> Committing<'_> {
        let mut state = self.lock();
        state.committing = true;
        state.idle.retain_mut(|reader| reader.end().is_ok());
        Committing(self)
    }

    /// Ends every snapshot that is kept.
    pub(crate) fn end_kept(&self) {
        self.lock().idle.retain_mut(|reader| reader.end().is_ok());
    }

    pub(crate) fn forget(&self) {
        self.lock().idle.clear();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.readers.lock();
        if let Some(mut reader) = self.idle.take()
            && (!state.committing || reader.end().is_ok())
        {
            state.idle.push(reader);
        }
        state.in_use -= 1;
        drop(state);
        self.readers.freed.notify_one();
    }
}
