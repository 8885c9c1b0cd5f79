//! The one writer. It takes what waits and commits once (a *group*). Answers leave after the commit.
//!
//! A group first runs *bare*. Savepoints cost a sixth of the writer's time, because SQLite keeps a copy
//! of each page that is written under one. Where a member that has written must be undone, the whole
//! transaction is rolled back and its members run again *fenced*, a savepoint each: jobs are `Fn` for
//! this, and nobody has been answered yet.
//!
//! After FULL, IOERR, NOMEM or INTERRUPT SQLite may roll the whole transaction back, and a later
//! SAVEPOINT would silently open a new one. So after any statement error the connection is asked
//! whether it is still in the transaction; if not, the group is dead: nothing more runs in it, the
//! connection is dropped, and each member runs again alone.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};
use sekali_core::Code;
use sekali_store::{Clock, Job, StoreError, Verdict, fault};

use crate::error::{Doing as _, failed};
use crate::lock::{Held, WriteLock};
use crate::migrate;
use crate::open::connect;
use crate::place::Place;
use crate::readers::Readers;
use crate::tx::{Carried, Known, Tx};

/// Members of one group.
const GROUP_MEMBERS: usize = 256;
/// Bytes after which a group takes no more.
const GROUP_BYTES: usize = 4 * 1024 * 1024;
/// Time after which a group takes no more.
const GROUP_TIME: Duration = Duration::from_millis(4);
/// Groups that are fenced from the start after one that had to be run again: what is refused once is
/// often pressed again.
const FENCED_GROUPS: u32 = 8;
/// The writer's page cache. Nobody else's commits empty it while this process writes alone.
const WRITER_CACHE_KIB: i32 = 16 * 1024;
/// Answers that the writer gives itself. Waking a caller is a call into the kernel each; of a larger
/// group the herald's thread does it, while the writer goes on.
const ANSWERED_HERE: usize = 4;
/// How long closing a store waits for the writer's thread to end.
const LAST_GROUP: Duration = Duration::from_secs(1);
/// Callers that may wait before further ones are told that the store is busy.
const QUEUE: usize = 4_096;

const WAITING: u8 = 0;
const TAKEN: u8 = 1;
const GIVEN_UP: u8 = 2;

/// One caller and its job.
struct Member {
    job: Arc<Job>,
    state: AtomicU8,
    answer: Mutex<Option<Result<(), StoreError>>>,
    answered: Condvar,
}

impl Member {
    fn of(job: Arc<Job>) -> Arc<Self> {
        Arc::new(Self {
            job,
            state: AtomicU8::new(WAITING),
            answer: Mutex::new(None),
            answered: Condvar::new(),
        })
    }

    /// Either the writer takes a member or its caller gives up; never both.
    fn settle(&self, state: u8) -> bool {
        self.state.compare_exchange(WAITING, state, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// The writer takes the member, or has taken it before (in a group that died).
    fn take(&self) -> bool {
        self.settle(TAKEN) || self.state.load(Ordering::Acquire) == TAKEN
    }

    fn answer(&self, answer: Result<(), StoreError>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.answered.notify_one();
    }

    fn wait(&self, deadline: Duration) -> Result<(), StoreError> {
        let started = Instant::now();
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(answer) = answer.take() {
                return answer;
            }
            let left = deadline.saturating_sub(started.elapsed());
            if left.is_zero() && self.settle(GIVEN_UP) {
                return Err(StoreError::new(
                    Code::StoreBusy,
                    format!("Others have been writing for {} ms; this was not begun.", deadline.as_millis()),
                ));
            }
            // Once taken, the outcome must be awaited, however long the disk takes.
            answer = if left.is_zero() {
                self.answered.wait(answer).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.answered.wait_timeout(answer, left).unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }
}

/// A member in the writer's hands. Whatever happens to the writer, its caller is answered: if the
/// writer's thread unwinds past it, what was taken may or may not have been committed (P6).
struct Ticket(Arc<Member>);

impl Drop for Ticket {
    fn drop(&mut self) {
        // Answering twice is harmless: the caller has taken the first answer and gone.
        if self.0.settle(GIVEN_UP) {
            self.0.answer(Err(StoreError::new(Code::Internal, "The writer stopped before this was begun.")));
        } else if std::thread::panicking() && self.0.state.load(Ordering::Acquire) == TAKEN {
            self.0.answer(Err(StoreError::new(
                Code::StoreOutcomeUnknown,
                "The writer failed; whether this landed is not known yet, and asking again is safe.",
            )));
        }
    }
}

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
        let desk = Arc::new(Mutex::new(Desk {
            answers: Some(answers),
            lock: WriteLock::new(place.path()),
            place,
            clock,
            conn: None,
            known: Known::default(),
            readers,
            unknown: false,
            fenced: 0,
            group_time: GROUP_TIME,
            news: Arc::clone(&news),
        }));
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

/// Where the writer's thread works.
struct Desk {
    place: Place,
    clock: Arc<dyn Clock>,
    lock: WriteLock,
    conn: Option<Connection>,
    known: Known,
    readers: Arc<Readers>,
    /// To the herald.
    answers: Option<Sender<Vec<Ran>>>,
    /// A COMMIT failed, and none has succeeded since (P6).
    unknown: bool,
    /// How many of the next groups are fenced.
    fenced: u32,
    /// Time after which a group takes no more.
    group_time: Duration,
    news: Arc<News>,
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

/// A member that has run, with what it will be told if the group commits.
type Ran = (Ticket, Result<(), StoreError>);

/// Answers callers: what they asked for is committed, or was not kept.
fn tell(ran: Vec<Ran>) {
    for (ticket, answer) in ran {
        ticket.0.answer(answer);
    }
}

/// How a group ended.
enum Ended {
    /// A member of a bare group must be undone, and others have run beside it. All is rolled back.
    Mixed(Held),
    /// The group's transaction is over without a commit; each member runs again alone.
    Dead(StoreError),
    /// The commit failed, and whether it landed is unknown.
    Unknown(StoreError),
    /// Committed, or nothing was kept.
    Done,
}

impl Desk {
    /// A group, whatever happens in it.
    fn carry_out(&mut self, first: Ticket, next: &mut dyn FnMut() -> Option<Ticket>, held: Option<Held>) {
        let survived = catch_unwind(AssertUnwindSafe(|| self.group(first, next, held)));
        if survived.is_err() {
            // Whether the commit had happened is not known here; the tickets have said so.
            self.conn = None;
            self.unknown = true;
        }
    }

    /// One group, with everything that may go wrong around it.
    fn group(&mut self, first: Ticket, next: &mut dyn FnMut() -> Option<Ticket>, held: Option<Held>) {
        let mut held = held;
        let mut pending = VecDeque::from([first]);
        while let Some(first) = pending.pop_front() {
            let mut ran: Vec<Ran> = Vec::new();
            let mut coming = || pending.pop_front().or_else(&mut *next);
            match self.transaction(first, &mut coming, held.take(), &mut ran) {
                Ended::Mixed(lock) => {
                    self.fenced = FENCED_GROUPS;
                    held = Some(lock);
                    // They stay taken: their callers were told nothing and wait.
                    for (ticket, _) in ran.into_iter().rev() {
                        pending.push_front(ticket);
                    }
                }
                Ended::Done => {
                    fault::point("answer.before");
                    match &self.answers {
                        Some(herald) if ran.len() > ANSWERED_HERE => {
                            // Should the herald be gone, the answers come back.
                            herald.send(ran).unwrap_or_else(|back| tell(back.0));
                        }
                        _ => tell(ran),
                    }
                }
                Ended::Unknown(error) => {
                    self.conn = None;
                    self.unknown = true;
                    for (ticket, _) in ran {
                        ticket.0.answer(Err(error.again()));
                    }
                }
                Ended::Dead(error) => {
                    self.conn = None;
                    if let [(ticket, _)] = &ran[..] {
                        ticket.0.answer(Err(error));
                        continue;
                    }
                    for (ticket, _) in ran {
                        self.alone(ticket);
                    }
                }
            }
        }
    }

    /// Runs a member of a dead group again. It stays taken: its caller was told nothing and waits.
    fn alone(&mut self, ticket: Ticket) {
        self.group(ticket, &mut || None, None);
    }

    /// BEGIN, the members, COMMIT. Every member that was taken is in `ran`, however it ends.
    fn transaction(
        &mut self,
        first: Ticket,
        next: &mut dyn FnMut() -> Option<Ticket>,
        held: Option<Held>,
        ran: &mut Vec<Ran>,
    ) -> Ended {
        let Self { place, clock, lock, conn, known, readers, unknown, fenced, group_time, news, .. } = self;
        let begun =
            held.map_or_else(|| lock.hold(), Ok).and_then(|held| Ok((held, begin(conn, place, *unknown)?)));
        let (held, conn) = match begun {
            Ok(begun) => begun,
            Err(error) => {
                if first.0.take() {
                    ran.push((first, Ok(())));
                }
                return Ended::Dead(error);
            }
        };
        let started = Instant::now();
        let mut carried = Carried::default();
        known.forget();
        let mut bytes = 0;
        let mut wrote = *unknown;
        // What writes the anchor must end in a COMMIT, whatever its members do.
        let fencing = *unknown || *fenced > 0;
        *fenced = fenced.saturating_sub(1);
        let mut coming = Some(first);
        while let Some(ticket) = coming.take() {
            // A caller that gave up was told that nothing was begun.
            if ticket.0.take() {
                match run(conn, &**clock, &mut carried, known, &mut bytes, &ticket.0, fencing) {
                    RunEnd::Kept(changed) => {
                        wrote |= changed;
                        ran.push((ticket, Ok(())));
                    }
                    RunEnd::Undone { written } => {
                        if written {
                            *fenced = FENCED_GROUPS;
                        }
                        ran.push((ticket, Ok(())));
                    }
                    RunEnd::RollBack(answer) => {
                        let alone = ran.is_empty();
                        ran.push((ticket, answer));
                        return match conn.prepare_cached("ROLLBACK").and_then(|mut s| s.execute([])) {
                            Err(error) => Ended::Dead(failed("roll back", error)),
                            // Its refusal may be of what a file says that is no longer the store.
                            Ok(_) if alone => place.check().map_or_else(Ended::Dead, |()| Ended::Done),
                            Ok(_) => Ended::Mixed(held),
                        };
                    }
                    RunEnd::Failed(error) => ran.push((ticket, Err(error))),
                    RunEnd::Dead(error) => {
                        ran.push((ticket, Ok(())));
                        return Ended::Dead(error);
                    }
                }
            }
            let full = ran.len() >= GROUP_MEMBERS || bytes >= GROUP_BYTES || started.elapsed() >= *group_time;
            if !full {
                coming = next();
            }
        }
        // A file that was moved away must not be written: its applies would go nowhere.
        if let Err(error) = carried.write(conn).and_then(|()| place.check()) {
            let _ = conn.execute_batch("ROLLBACK");
            return Ended::Dead(error);
        }
        fault::point("commit.before");
        let committing = readers.commit();
        if let Err(error) = conn.prepare_cached("COMMIT").and_then(|mut s| s.execute([])) {
            // A deferred constraint is checked before anything is written: nothing landed.
            let broken = error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation);
            let _ = conn.execute_batch("ROLLBACK");
            let cause = failed("commit", error);
            // With nothing written there was nothing that could have landed.
            return if wrote && !broken {
                Ended::Unknown(outcome_unknown(cause))
            } else {
                Ended::Dead(cause)
            };
        }
        drop(committing);
        fault::point("commit.after");
        *unknown = false;
        drop(held);
        if wrote {
            let gate = news.gate.lock().unwrap_or_else(PoisonError::into_inner);
            news.commits.fetch_add(1, Ordering::AcqRel);
            if *gate > 0 {
                news.changed.notify_all();
            }
        }
        Ended::Done
    }
}

fn outcome_unknown(cause: StoreError) -> StoreError {
    StoreError::caused(
        Code::StoreOutcomeUnknown,
        "The commit failed; whether it landed is not known yet, and asking again is safe.",
        cause,
    )
}

/// Begins a write transaction on the writer's connection, which is made anew where it was dropped.
fn begin<'c>(
    slot: &'c mut Option<Connection>,
    place: &Place,
    unknown: bool,
) -> Result<&'c Connection, StoreError> {
    let conn = if let Some(conn) = slot.take() {
        conn
    } else {
        // What is opened now must be what this store was; SQLite would keep its log beside another.
        place.check()?;
        let conn = connect(place.path())?;
        conn.pragma_update(None, "cache_size", -WRITER_CACHE_KIB).doing("prepare the writer")?;
        conn
    };
    let conn = slot.insert(conn);
    conn.prepare_cached("BEGIN IMMEDIATE").and_then(|mut s| s.execute([])).doing("begin writing")?;
    migrate::still_known(conn, place.path()).inspect_err(|_| {
        let _ = conn.execute_batch("ROLLBACK");
    })?;
    if unknown {
        // Only a commit that succeeds makes it final that an earlier one did not land; a group of
        // refusals would commit nothing.
        conn.execute("UPDATE store SET anchor = anchor + 1", []).doing("begin writing").inspect_err(
            |_| {
                let _ = conn.execute_batch("ROLLBACK");
            },
        )?;
    }
    Ok(conn)
}

/// How one member's run ended.
enum RunEnd {
    /// Kept; whether it wrote anything.
    Kept(bool),
    /// Nothing of it is left in the transaction; whether there had been.
    Undone {
        written: bool,
    },
    /// Only rolling back the whole transaction undoes it. What it answers if it is alone.
    RollBack(Result<(), StoreError>),
    /// Undone, and its caller is told why.
    Failed(StoreError),
    Dead(StoreError),
}

fn run(
    conn: &Connection,
    clock: &dyn Clock,
    carried: &mut Carried,
    known: &Known,
    bytes: &mut usize,
    member: &Member,
    fenced: bool,
) -> RunEnd {
    let savepoint =
        |sql: &str| conn.prepare_cached(sql).and_then(|mut s| s.execute([])).doing("keep a savepoint");
    let saved = fenced.then(|| carried.clone());
    if fenced && let Err(error) = savepoint("SAVEPOINT member") {
        return RunEnd::Dead(error);
    }
    let mut tx = Tx { conn, clock, carried, known, bytes, wrote: false };
    let outcome = catch_unwind(AssertUnwindSafe(|| (member.job)(&mut tx)));
    let wrote = tx.wrote;
    let undo = |carried: &mut Carried, saved: Carried| {
        *carried = saved;
        known.forget();
        savepoint("ROLLBACK TO member").and_then(|_| savepoint("RELEASE member"))
    };
    match (outcome, saved) {
        (Err(_panic), _) => {
            RunEnd::Dead(StoreError::new(Code::Internal, "A write panicked; nothing of it was kept."))
        }
        (Ok(outcome), _) if conn.is_autocommit() => RunEnd::Dead(match outcome {
            Err(error) => error,
            Ok(_) => StoreError::new(Code::StoreIo, "SQLite gave up the transaction."),
        }),
        (Ok(Ok(Verdict::Keep)), None) => RunEnd::Kept(wrote),
        (Ok(Ok(Verdict::Keep)), Some(_)) => match savepoint("RELEASE member") {
            Ok(_) => RunEnd::Kept(wrote),
            Err(error) => RunEnd::Dead(error),
        },
        // Each verb marks what it writes, unless it wrote nothing; a verb that failed may have stopped
        // half-way.
        (Ok(Ok(Verdict::Undo)), None) if !wrote => RunEnd::Undone { written: false },
        (Ok(answer), None) => RunEnd::RollBack(answer.map(drop)),
        (Ok(Ok(Verdict::Undo)), Some(saved)) => match undo(carried, saved) {
            Ok(_) => RunEnd::Undone { written: wrote },
            Err(error) => RunEnd::Dead(error),
        },
        (Ok(Err(error)), Some(saved)) => match undo(carried, saved) {
            Ok(_) if !conn.is_autocommit() => RunEnd::Failed(error),
            _ => RunEnd::Dead(error),
        },
    }
}

#[cfg(test)]
mod tests {
    use sekali_core::{RoomId, Timestamp};
    use sekali_store::SystemClock;

    use super::*;
    use crate::{Options, SqliteStore};

    const MEMBERS: u32 = 12;

    fn desk(path: &std::path::Path) -> Desk {
        Desk {
            place: Place::of(path).unwrap(),
            clock: Arc::new(SystemClock),
            lock: WriteLock::new(path),
            conn: None,
            known: Known::default(),
            readers: Arc::default(),
            answers: None,
            unknown: false,
            fenced: 0,
            group_time: Duration::MAX,
            news: Arc::default(),
        }
    }

    /// How often each member of one group ran. Every third is undone after it has written.
    fn one_group(desk: &mut Desk, round: u32) -> Vec<u64> {
        let runs: Arc<Vec<AtomicU64>> = Arc::new((0..MEMBERS).map(|_| AtomicU64::new(0)).collect());
        let member = |n: u32| {
            let runs = Arc::clone(&runs);
            Member::of(Arc::new(move |tx: &mut dyn sekali_store::Write| {
                runs[n as usize].fetch_add(1, Ordering::Relaxed);
                let id = RoomId::from_bytes((u128::from(round) << 32 | u128::from(n)).to_be_bytes());
                tx.create_room(id, &format!("room-{round}-{n}"), "T", Timestamp::from_ms(1))?;
                Ok(if n % 3 == 2 { Verdict::Undo } else { Verdict::Keep })
            }))
        };
        let members: Vec<Arc<Member>> = (0..MEMBERS).map(member).collect();
        let mut queue: VecDeque<Ticket> = members.iter().map(|m| Ticket(Arc::clone(m))).collect();
        let first = queue.pop_front().unwrap();
        desk.carry_out(first, &mut || queue.pop_front(), None);
        for member in members {
            assert!(member.answer.lock().unwrap().take().unwrap().is_ok(), "each is answered, and well");
        }
        runs.iter().map(|n| n.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn a_group_with_members_to_undo_runs_again_fenced_and_keeps_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sekali.db");
        drop(SqliteStore::create(&path, Options::default()).unwrap());
        let mut desk = desk(&path);
        let mut first = vec![1; MEMBERS as usize];
        first[..3].fill(2);
        assert_eq!(one_group(&mut desk, 0), first, "up to the first to undo, all ran twice");
        assert_eq!(one_group(&mut desk, 1), vec![1; MEMBERS as usize], "fenced from the start");
        drop(desk);
        let conn = connect(&path).unwrap();
        let rooms: Vec<String> = conn
            .prepare("SELECT slug FROM room ORDER BY slug")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let mut kept: Vec<String> = (0..2)
            .flat_map(|round| (0..MEMBERS).map(move |n| (round, n)))
            .filter(|(_, n)| n % 3 != 2)
            .map(|(round, n)| format!("room-{round}-{n}"))
            .collect();
        kept.sort();
        assert_eq!(rooms, kept);
    }
}
