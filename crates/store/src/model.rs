//! The store as an in-memory model: the oracle that other stores are held against, and a store for
//! tests of the engine. As plain as it can be; nothing here is fast, durable or shared between
//! processes.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sekali_core::{Code, StoreId};

use crate::error::StoreError;
use crate::rows::{RoomKey, StoreFacts};
use crate::verbs::{Clock, Job, Read, Store, Verdict};

mod read;
mod state;
mod write;

use state::State;

type Result<T> = std::result::Result<T, StoreError>;

/// A store in memory.
pub struct Model {
    clock: Arc<dyn Clock>,
    /// Held for the whole of a write: one writer.
    writer: Mutex<()>,
    /// What is committed. Readers take the `Arc`, which is their snapshot.
    committed: Mutex<Arc<State>>,
    changed: Condvar,
    /// What shall become of each of the next writes; `None` lets one pass.
    faults: Mutex<VecDeque<Option<Fault>>>,
    /// Nobody is ever alone here.
    crowded: bool,
}

/// What a test wants to go wrong with a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The job is not run; the answer is this code.
    NotRun(Code),
    /// The job is run and rolled back, whatever it wanted; the answer is this code. With
    /// `store.outcome_unknown`: nobody knows, and it did not happen.
    RolledBack(Code),
    /// The job is run and committed, and the answer is `store.outcome_unknown`: nobody knows, and
    /// it did happen.
    Committed,
}

impl Model {
    /// An empty store with this clock.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            writer: Mutex::new(()),
            committed: Mutex::default(),
            changed: Condvar::new(),
            faults: Mutex::default(),
            crowded: false,
        }
    }

    /// The same where others always write, so that nobody does so alone.
    pub fn crowded(clock: Arc<dyn Clock>) -> Self {
        Self { crowded: true, ..Self::new(clock) }
    }

    /// One write, by whoever has the writer.
    fn carry_out(&self, job: &Job, _writer: &MutexGuard<'_, ()>) -> Result<()> {
        let fault = lock(&self.faults).pop_front().flatten();
        if let Some(Fault::NotRun(code)) = fault {
            return Err(StoreError::new(code, "The write was not run, as planned by a test."));
        }
        let mut tx = self.snapshot();
        // What a panicking job leaves behind is its own copy, which is dropped.
        let verdict = catch_unwind(AssertUnwindSafe(|| job(&mut tx)))
            .map_err(|_| StoreError::new(Code::Internal, "A write panicked; nothing of it was kept."))??;
        match fault {
            Some(Fault::RolledBack(code)) => {
                return Err(StoreError::new(code, "The write was rolled back, as planned by a test."));
            }
            _ if verdict == Verdict::Undo => {}
            _ => self.commit(tx)?,
        }
        match fault {
            Some(Fault::Committed) => Err(StoreError::new(
                Code::StoreOutcomeUnknown,
                "The write may or may not have happened, as planned by a test.",
            )),
            _ => Ok(()),
        }
    }

    /// Lets the next write go wrong for which nothing is planned yet. Called twice, the next two.
    pub fn fail_next(&self, fault: Fault) {
        lock(&self.faults).push_back(Some(fault));
    }

    /// Lets the next write pass for which nothing is planned yet, so that a later one can fail.
    pub fn pass_next(&self) {
        lock(&self.faults).push_back(None);
    }

    fn snapshot(&self) -> Tx {
        Tx { state: Arc::clone(&lock(&self.committed)), clock: Arc::clone(&self.clock) }
    }

    fn commit(&self, tx: Tx) -> Result<()> {
        tx.state.check_at_commit()?;
        *lock(&self.committed) = tx.state;
        self.changed.notify_all();
        Ok(())
    }
}

/// One transaction: a snapshot, which the first verb that writes makes its own copy of.
struct Tx {
    state: Arc<State>,
    clock: Arc<dyn Clock>,
}

impl Store for Model {
    fn facts(&self) -> Result<StoreFacts> {
        Ok(StoreFacts {
            id: StoreId::from_bytes(*b"the memory model"),
            place: "memory".to_owned(),
            format: 1,
            driver: "model".to_owned(),
            wal_bytes: 0,
            warnings: Vec::new(),
        })
    }

    fn read(&self, job: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()> {
        job(&self.snapshot())
    }

    fn write(&self, job: Arc<Job>) -> Result<()> {
        self.carry_out(&*job, &lock(&self.writer))
    }

    fn write_alone(&self, job: Arc<Job>) -> Option<Result<()>> {
        let writer = self.writer.try_lock().ok().filter(|_| !self.crowded)?;
        Some(self.carry_out(&*job, &writer))
    }

    fn wait_for_change(&self, room: RoomKey, after: u64, timeout: Duration) -> Result<u64> {
        let end = Instant::now() + timeout;
        let mut committed = lock(&self.committed);
        loop {
            let change_seq = committed.room(room)?.change_seq;
            let left = end.saturating_duration_since(Instant::now());
            if change_seq > after || left.is_zero() {
                return Ok(change_seq);
            }
            let woken = self.changed.wait_timeout(committed, left);
            committed = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// No lock is held while a job can panic but the writer's, which guards no data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
