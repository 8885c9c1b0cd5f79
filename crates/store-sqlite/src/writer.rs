//! The one writer. It takes what waits and commits once (a *group*). Answers leave after the commit.

mod desk;
mod member;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sekali_core::Code;
use sekali_store::{Clock, Job, StoreError};

use self::desk::{Desk, tell};
use self::member::{Member, Ticket};
use crate::place::Place;
use crate::readers::Readers;

/// How long closing a store waits for the writer's thread to end.
const LAST_GROUP: Duration = Duration::from_secs(1);
/// Callers that may wait before further ones are told that the store is busy.
const QUEUE: usize = 4_096;

/// News of commits, for whoever waits for changes in this process.
#[derive(Default)]
struct News {
    commits: AtomicU64,
    /// How many wait: nobody is called who is not there.
    gate: Mutex<usize>,
    changed: Condvar,
}

/// The handle that callers use; the thread ends when it is dropped.
pub(crate) struct Writer {
    /// Where the writing is done: by the thread, or by a caller who is alone.
    desk: Arc<Mutex<Desk>>,
    /// Callers inside `submit`.
    callers: AtomicUsize,
    queue: Option<SyncSender<Ticket>>,
    thread: Option<JoinHandle<()>>,
    herald: Option<JoinHandle<()>>,
    deadline: Duration,
    news: Arc<News>,
}

impl Writer {
    pub(crate) fn start(
        place: Place,
        clock: Arc<dyn Clock>,
        deadline: Duration,
        readers: Arc<Readers>,
    ) -> Self {
        let (queue, waiting) = sync_channel(QUEUE);
        let news = Arc::new(News::default());
        let (answers, committed) = channel();
        let desk = Arc::new(Mutex::new(Desk::new(place, clock, Some(answers), readers, Arc::clone(&news))));
        let at = Arc::clone(&desk);
        let thread = std::thread::Builder::new()
            .name("sekali-writer".to_owned())
            .spawn(move || serve(&at, &waiting))
            .expect("a process that cannot start a thread cannot write");
        let herald = std::thread::Builder::new()
            .name("sekali-herald".to_owned())
            .spawn(move || committed.into_iter().for_each(tell))
            .expect("a process that cannot start a thread cannot write");
        Self {
            desk,
            callers: AtomicUsize::new(0),
            queue: Some(queue),
            thread: Some(thread),
            herald: Some(herald),
            deadline,
            news,
        }
    }

    pub(crate) fn submit(&self, job: Arc<Job>) -> Result<(), StoreError> {
        let member = Member::of(job);
        let inside = Inside::enter(&self.callers);
        if let Some(answer) = self.alone(&member, &inside) {
            return answer;
        }
        let queue = self.queue.as_ref().expect("the queue lives as long as the handle");
        match queue.try_send(Ticket(Arc::clone(&member))) {
            Ok(()) => member.wait(self.deadline),
            Err(TrySendError::Full(_)) => {
                Err(StoreError::new(Code::StoreBusy, format!("{QUEUE} writes are waiting already.")))
            }
            Err(TrySendError::Disconnected(_)) => {
                Err(StoreError::new(Code::Internal, "The writer has stopped; open the store again."))
            }
        }
    }

    /// Writes at once, or not at all: `None` if somebody else writes or waits for it.
    pub(crate) fn submit_alone(&self, job: Arc<Job>) -> Option<Result<(), StoreError>> {
        if self.has_callers() {
            return None;
        }
        self.alone(&Member::of(job), &Inside::enter(&self.callers))
    }

    /// Whoever is alone writes in their own thread: waking the writer, and being woken by it, can take
    /// as long as the disk does. Others who come meanwhile queue and make a group.
    fn alone(&self, member: &Arc<Member>, inside: &Inside<'_>) -> Option<Result<(), StoreError>> {
        if !inside.is_alone() {
            return None;
        }
        let mut desk = self.free_desk()?;
        let held = desk.lock.try_hold()?;
        desk.carry_out(Ticket(Arc::clone(member)), &mut || None, Some(held));
        drop(desk);
        Some(member.wait(self.deadline))
    }

    /// The desk, if nobody is at it. One that a panicking job left is in order: its connection is gone.
    fn free_desk(&self) -> Option<MutexGuard<'_, Desk>> {
        match self.desk.try_lock() {
            Ok(desk) => Some(desk),
            Err(TryLockError::Poisoned(desk)) => Some(desk.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub(crate) fn has_callers(&self) -> bool {
        self.callers.load(Ordering::Acquire) > 0
    }

    pub(crate) fn committed(&self) -> u64 {
        self.news.commits.load(Ordering::Acquire)
    }

    /// Waits until this process commits something after `seen`, or the time is over.
    pub(crate) fn wait_for_commit(&self, seen: u64, timeout: Duration) {
        let mut gate = self.news.gate.lock().unwrap_or_else(PoisonError::into_inner);
        if self.committed() == seen {
            *gate += 1;
            gate = self.news.changed.wait_timeout(gate, timeout).unwrap_or_else(PoisonError::into_inner).0;
            *gate -= 1;
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        let Some(thread) = self.thread.take() else { return };
        // Nobody waits for an answer any more. If the thread itself waits for another process to give
        // the lock back, it is left to that: it will find nothing to do.
        let started = Instant::now();
        while !thread.is_finished() {
            if started.elapsed() > LAST_GROUP {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = thread.join();
        self.desk.lock().unwrap_or_else(PoisonError::into_inner).answers = None;
        if let Some(herald) = self.herald.take() {
            let _ = herald.join();
        }
    }
}

/// The writer's thread.
fn serve(desk: &Mutex<Desk>, waiting: &Receiver<Ticket>) {
    while let Ok(first) = waiting.recv() {
        let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.carry_out(first, &mut || waiting.try_recv().ok(), None);
    }
}

/// Counts a caller in, and out again.
struct Inside<'a>(&'a AtomicUsize);

impl<'a> Inside<'a> {
    fn enter(callers: &'a AtomicUsize) -> Self {
        callers.fetch_add(1, Ordering::AcqRel);
        Self(callers)
    }

    fn is_alone(&self) -> bool {
        self.0.load(Ordering::Acquire) == 1
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
