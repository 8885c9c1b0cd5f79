//! Many callers at once, and waiting for news. Nothing here depends on who comes first.

use std::collections::BTreeSet;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use sekali_core::{Code, tree};

use super::fixture::{ANI, Edit, Press, Presser, Sketch, T0, World, at, keep, make_room, pid, press};
use super::{Harness, PATIENCE};
use crate::error::StoreError;
use crate::rows::{Reservation, RoomKey};
use crate::verbs::{Store, Verdict, read, write};

const THREADS: u64 = 8;
const EACH: u64 = 12;

pub(super) fn many_writers_lose_no_update(h: &dyn Harness) {
    let w = World::new(h);
    let (room, store) = (w.room, &*w.store);
    let presser = w.presser(&Sketch::new(1));
    let work = |thread: u64| {
        let one = |n: u64| {
            let sketch =
                Sketch::new(1 + thread * EACH + n).edit(Edit::create(&format!("{thread}/{n}"), b"1", 1));
            let presser = Presser { id: sketch.id, digest: sketch.digest(), ..presser };
            let number = keep(store, move |tx| sketch.submit(tx, room));
            let Press::Applied(seq, _) = press(store, presser) else { panic!("nobody stands in the way") };
            (number, seq)
        };
        (0..EACH).map(one).collect::<Vec<_>>()
    };
    let work = &work;
    let made: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    let all: BTreeSet<u64> = (1..=THREADS * EACH).collect();
    assert_eq!(made.iter().map(|(number, _)| *number).collect::<BTreeSet<_>>(), all, "each number once");
    assert_eq!(made.iter().map(|(_, seq)| *seq).collect::<BTreeSet<_>>(), all, "each entry once");
    w.see(|tx| {
        let head = tx.head(room)?;
        let entries = tx.entries(room, 0, 1_000)?;
        assert_eq!((head.size, head.counts.applied, head.counts.open), (THREADS * EACH, THREADS * EACH, 0));
        let leaves: Vec<[u8; 32]> = entries.iter().map(|e| *e.leaf.as_bytes()).collect();
        assert_eq!(head.root, tree::root_of(&leaves));
        for pair in entries.windows(2) {
            let quoted = format!("\"prev\":\"{}\"", pair[0].leaf.hex());
            assert!(String::from_utf8_lossy(&pair[1].bytes).contains(&quoted), "entry {}", pair[1].seq);
        }
        assert_eq!(tx.documents(room, None, 1_000)?.len() as u64, THREADS * EACH);
        Ok(())
    });
}

/// Submits and does not keep it, in one of five ways; whether the answer is the right one.
fn fail(store: &dyn Store, room: RoomKey, n: u64) -> bool {
    let answer = write(store, move |tx| {
        let sketch = Sketch::new(10_000 + n);
        let number = sketch.submit(tx, room)?;
        match n % 5 {
            0 => return Ok((Verdict::Undo, ())),
            1 => return Err(StoreError::new(Code::StoreFull, "on purpose")),
            2 => panic!("on purpose"),
            // A constraint that is broken at once.
            3 => tx.insert_proposal(room, &sketch.proposal_row(number, at(T0)))?,
            // A constraint that is only found broken when everything is there.
            _ => drop(tx.reserve(
                room,
                ANI,
                "dangling",
                Reservation { fingerprint: [0; 32], proposal: pid(99_999) },
            )?),
        }
        Ok((Verdict::Keep, ()))
    });
    match n % 5 {
        0 => answer.is_ok(),
        1 => answer.is_err_and(|e| e.code == Code::StoreFull),
        _ => answer.is_err(),
    }
}

pub(super) fn writers_that_fail_take_no_other_down(h: &dyn Harness) {
    let w = World::new(h);
    let (room, store) = (w.room, &*w.store);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for n in 0..EACH {
                    let id = thread * EACH + n;
                    if thread % 2 == 0 {
                        assert!(fail(store, room, id), "job {id} fails by itself");
                    } else {
                        keep(store, move |tx| Sketch::new(id + 1).submit(tx, room));
                    }
                }
            });
        }
    });
    let head = w.see(|tx| tx.head(room));
    let kept = THREADS / 2 * EACH;
    assert_eq!(head.counts.open, kept, "every job that was acknowledged is there, and no other");
    let numbers: BTreeSet<u64> = (1..=kept).collect();
    let found = (1..=kept + 1).filter(|n| w.see(|tx| tx.proposal(room, *n)).is_some());
    assert_eq!(found.collect::<BTreeSet<_>>(), numbers);
}

/// Waits for news in a thread of its own: for an hour, of which a store that works needs nothing.
fn wait_aside(store: &Arc<dyn Store>, room: RoomKey, after: u64) -> mpsc::Receiver<u64> {
    let (news, heard) = mpsc::channel();
    let store = Arc::clone(store);
    std::thread::spawn(move || {
        let seen = store.wait_for_change(room, after, Duration::from_hours(1)).unwrap();
        let _ = news.send(seen);
    });
    heard
}

pub(super) fn a_wait_ends_with_another_threads_write(h: &dyn Harness) {
    let w = World::new(h);
    let (room, after) = (w.room, w.change_seq());
    let store: Arc<dyn Store> = Arc::from(w.store);
    let heard = wait_aside(&store, room, after);
    // Another room's write is no news; one write of this room is enough, whenever the wait began.
    keep(&*store, |tx| make_room(tx, 2, "kedua"));
    let early = heard.recv_timeout(Duration::from_millis(50));
    assert_eq!(early, Err(mpsc::RecvTimeoutError::Timeout), "nothing has happened in the room");
    keep(&*store, move |tx| Sketch::new(1).submit(tx, room));
    let seen = heard.recv_timeout(PATIENCE).expect("a write of the room ends the wait");
    let now = read(&*store, |tx| Ok::<_, StoreError>(tx.head(room)?.change_seq)).unwrap();
    assert!(seen > after);
    assert_eq!(seen, now);
}

pub(super) fn a_wait_ends_at_once_or_in_time(h: &dyn Harness) {
    let w = World::new(h);
    let before = w.change_seq();
    w.submit(&Sketch::new(1));
    let (room, now) = (w.room, w.change_seq());
    let store: Arc<dyn Store> = Arc::from(w.store);
    for after in [0, before] {
        let heard = wait_aside(&store, room, after);
        assert_eq!(heard.recv_timeout(PATIENCE), Ok(now), "what is there already is not waited for");
    }
    for timeout in [Duration::ZERO, Duration::from_millis(20)] {
        let wait = |after| store.wait_for_change(room, after, timeout).unwrap();
        assert_eq!(wait(now), now, "nothing is newer");
        assert_eq!(wait(now + 100), now, "what is newer than the future never comes");
    }
}
