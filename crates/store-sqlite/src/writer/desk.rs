//! A group: BEGIN, the members, COMMIT, and everything that may go wrong around it.
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
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};
use sekali_core::Code;
use sekali_store::{Clock, StoreError, Verdict, fault};

use super::News;
use super::member::{Member, Ticket};
use crate::error::{Doing as _, diagnosed, failed};
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
/// Where the writer's thread works.
pub(super) struct Desk {
    place: Place,
    clock: Arc<dyn Clock>,
    pub(super) lock: WriteLock,
    conn: Option<Connection>,
    known: Known,
    readers: Arc<Readers>,
    /// To the herald.
    pub(super) answers: Option<Sender<Vec<Ran>>>,
    /// A COMMIT failed, and none has succeeded since (P6).
    unknown: bool,
    /// How many of the next groups are fenced.
    fenced: u32,
    /// Time after which a group takes no more.
    group_time: Duration,
    news: Arc<News>,
}

/// A member that has run, with what it will be told if the group commits.
pub(super) type Ran = (Ticket, Result<(), StoreError>);

/// Answers callers: what they asked for is committed, or was not kept.
pub(super) fn tell(ran: Vec<Ran>) {
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
    pub(super) fn new(
        place: Place,
        clock: Arc<dyn Clock>,
        answers: Option<Sender<Vec<Ran>>>,
        readers: Arc<Readers>,
        news: Arc<News>,
    ) -> Self {
        Self {
            lock: WriteLock::new(place.path()),
            place,
            clock,
            conn: None,
            known: Known::default(),
            readers,
            answers,
            unknown: false,
            fenced: 0,
            group_time: GROUP_TIME,
            news,
        }
    }

    /// A group, whatever happens in it.
    pub(super) fn carry_out(
        &mut self,
        first: Ticket,
        next: &mut dyn FnMut() -> Option<Ticket>,
        held: Option<Held>,
    ) {
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
            let error = diagnosed(conn, error);
            let _ = conn.execute_batch("ROLLBACK");
            return Ended::Dead(error);
        }
        fault::point("commit.before");
        let committing = readers.commit();
        if let Err(error) = conn.prepare_cached("COMMIT").and_then(|mut s| s.execute([])) {
            // A deferred constraint is checked before anything is written: nothing landed.
            // Neither did anything where a write to the log found no room: the frame that makes a
            // transaction count is the last one, and one that is not whole counts for nothing. What
            // fails later, a sync or the shared memory, leaves it open.
            let broken = matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::ConstraintViolation | ErrorCode::DiskFull)
            );
            let cause = diagnosed(conn, failed("commit", error));
            let _ = conn.execute_batch("ROLLBACK");
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
    let (why, sebab) = match cause.code {
        Code::StoreFull => (" because the disk is full", " karena disk penuh"),
        Code::StoreIo => (" because the disk reported an error", " karena disk melaporkan kesalahan"),
        _ => ("", ""),
    };
    StoreError::caused(
        Code::StoreOutcomeUnknown,
        format!("The commit failed{why}; whether it landed is not known yet, and asking again is safe."),
        cause,
    )
    .said(format!("Pencatatan gagal{sebab}; belum pasti apakah ini tercatat, dan aman untuk diulang."))
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
    conn.prepare_cached("BEGIN IMMEDIATE")
        .and_then(|mut s| s.execute([]))
        .doing("begin writing")
        .map_err(|error| diagnosed(conn, error))?;
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
    let outcome = outcome.map(|answer| answer.map_err(|error| diagnosed(conn, error)));
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
    use std::sync::atomic::AtomicU64;

    use sekali_core::{RoomId, Timestamp};
    use sekali_store::SystemClock;

    use super::*;
    use crate::{Options, SqliteStore};

    const MEMBERS: u32 = 12;

    fn desk(path: &std::path::Path) -> Desk {
        let place = Place::of(path).unwrap();
        let desk = Desk::new(place, Arc::new(SystemClock), None, Arc::default(), Arc::default());
        Desk { group_time: Duration::MAX, ..desk }
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
