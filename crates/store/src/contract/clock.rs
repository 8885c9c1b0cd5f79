//! `now` inside and outside transactions.

use sekali_core::ledger::{Common, Decision, Draft};
use sekali_core::time::{CLOCK_TOLERANCE_MS, Now};
use sekali_core::{Door, State};

use super::Harness;
use super::fixture::{ANI, Sketch, T0, World, at, room_id};
use crate::rows::ListQuery;

/// Writes an entry at the transaction's now, and gives that now.
fn write_now(w: &World) -> Now {
    let room = w.room;
    w.keep(move |tx| {
        let now = tx.now(room)?;
        let sketch = Sketch::new(1);
        let common = Common {
            room: room_id(1),
            proposal_id: sketch.id,
            proposal: 1,
            revision: 1,
            digest: sketch.digest(),
            actor: ANI,
            door: Door::Cli,
            os_user: None,
            reason: None,
        };
        tx.append(room, &Draft::decided(&common, Decision::Rejected), now.at, &[])?;
        Ok(now)
    })
}

fn read_now(w: &World) -> Now {
    w.see(|tx| tx.now(w.room))
}

pub(super) fn now_is_the_later_of_the_wall_and_the_last_instant(h: &dyn Harness) {
    let w = World::new(h);
    let now = |ms| Now { at: at(ms), behind: false };
    // Ahead, by any amount, is believed; behind by up to five minutes, the last instant stands.
    let year = 365 * 24 * 3_600_000;
    for (wall, expected) in [
        (T0, T0),
        (T0 + 1_000, T0 + 1_000),
        (T0 + 999, T0 + 1_000),
        (T0 + 1_000 - CLOCK_TOLERANCE_MS, T0 + 1_000),
        (T0 + year, T0 + year),
        (T0 + year - 1, T0 + year),
    ] {
        w.clock.set_ms(wall);
        assert_eq!(read_now(&w), now(expected), "reading at {wall}");
        assert_eq!(write_now(&w), now(expected), "writing at {wall}");
        assert_eq!(w.see(|tx| tx.head(w.room)).last_at, at(expected));
    }
}

pub(super) fn the_wall_is_the_clock_whatever_rooms_have_seen(h: &dyn Harness) {
    let w = World::new(h);
    for wall in [T0 + 9, 1, 0] {
        w.clock.set_ms(wall);
        assert_eq!(w.see(|tx| Ok(tx.wall())), at(wall));
        assert_eq!(w.keep(|tx| Ok(tx.wall())), at(wall));
    }
}

pub(super) fn a_clock_far_behind_is_flagged_and_nothing_expires(h: &dyn Harness) {
    let w = World::new(h);
    let other = w.second_room();
    w.submit(&Sketch::new(1).until(T0 + 5));
    w.clock.set_ms(T0 + 10 + CLOCK_TOLERANCE_MS);
    write_now(&w);
    let expired = |w: &World| w.see(|tx| tx.count_expired(w.room, tx.now(w.room)?));
    assert_eq!(expired(&w), 1);
    w.clock.set_ms(T0 + 9);
    let behind = Now { at: at(T0 + 9), behind: true };
    assert_eq!(read_now(&w), behind);
    assert_eq!(expired(&w), 0, "the wall clock has passed the end, but it is not believed");
    let query = ListQuery { state: Some(State::Waiting), before: None, now: None, limit: 9 };
    assert_eq!(w.see(|tx| tx.list(w.room, query)).len(), 1);
    assert_eq!(
        w.see(|tx| tx.now(other)),
        Now { at: at(T0 + 9), behind: false },
        "each room has its own last instant"
    );
    // What is written meanwhile carries the wall's instant and does not hide that it is behind.
    assert_eq!(write_now(&w), behind);
    assert_eq!(w.see(|tx| tx.head(w.room)).last_at, at(T0 + 10 + CLOCK_TOLERANCE_MS));
    assert_eq!(read_now(&w), behind);
    w.clock.set_ms(T0 + 10);
    assert_eq!(read_now(&w), Now { at: at(T0 + 10 + CLOCK_TOLERANCE_MS), behind: false });
    assert_eq!(expired(&w), 1);
}

pub(super) fn reading_the_time_writes_nothing(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let before = w.see(|tx| tx.head(room));
    w.clock.set_ms(T0 + 1_000);
    read_now(&w);
    w.keep(move |tx| tx.now(room));
    w.clock.set_ms(T0);
    assert_eq!(read_now(&w).at, at(T0));
    assert_eq!(w.see(|tx| tx.head(room)), before);
}
