//! Which waiting proposals have lost their base.

use sekali_core::State;

use super::Harness;
use super::fixture::{Edit, Sketch, T0, World, at, executable, version};
use crate::rows::ListQuery;

/// A room with `a` = "1", `b` = "2" and an executable `x` = "1".
fn room(h: &dyn Harness) -> World {
    let w = World::new(h);
    let mut sketch = Sketch::new(1)
        .edit(Edit::create("a", b"1", 1))
        .edit(Edit::create("b", b"2", 2))
        .edit(Edit::create("x", b"1", 3));
    let script = &mut sketch.edits[2].row.change;
    script.after = script.after.clone().map(executable);
    w.applied(&sketch);
    w
}

pub(super) fn a_waiting_proposal_is_stale_when_what_it_read_has_moved(h: &dyn Harness) {
    let w = room(h);
    let [one, two, other] = [version(b"1", 9), version(b"2", 9), version(b"?", 9)];
    let mut n = 10;
    let mut check = |what: &str, edits: Vec<Edit>, stale: bool| {
        n += 1;
        w.submit(&Sketch { edits, ..Sketch::new(n) });
        let rows = w.see(|tx| tx.list(w.room, ListQuery { state: None, before: None, now: None, limit: 1 }));
        assert_eq!(rows[0].stale, stale, "{what}");
    };
    check("touches nothing", vec![], false);
    check("replaces what is there", vec![Edit::replace("a", &one, b"3", 4)], false);
    check("replaces it under another spelling", vec![Edit::replace("A", &one, b"3", 4)], false);
    check("replaces other content", vec![Edit::replace("a", &two, b"3", 4)], true);
    check("replaces another mode", vec![Edit::replace("a", &executable(one.clone()), b"3", 4)], true);
    check("replaces a script as a script", vec![Edit::replace("x", &executable(one.clone()), b"3", 4)], false);
    check("replaces a script as plain text", vec![Edit::replace("x", &one, b"3", 4)], true);
    check("replaces what is not there", vec![Edit::replace("c", &one, b"3", 4)], true);
    check("deletes what is there", vec![Edit::delete("b", &two)], false);
    check("deletes other content", vec![Edit::delete("b", &other)], true);
    check("deletes what is not there", vec![Edit::delete("c", &one)], true);
    check("creates in an empty place", vec![Edit::create("c", b"3", 4)], false);
    check("creates in an occupied place", vec![Edit::create("a", b"3", 4)], true);
    check("creates in a place occupied under another spelling", vec![Edit::create("A", b"3", 4)], true);
    check("creates the very same", vec![Edit::create("a", b"1", 1)], true);
    check("moves to an empty place", vec![Edit::rename("a", "c", &one)], false);
    check("moves to an occupied place", vec![Edit::rename("a", "b", &one)], true);
    check("moves what is other", vec![Edit::rename("a", "c", &two)], true);
    check("moves what is not there", vec![Edit::rename("c", "d", &one)], true);
    check("moves by case alone", vec![Edit::rename("a", "A", &one)], false);
    check("swaps two", vec![Edit::rename("a", "b", &one), Edit::rename("b", "a", &two)], false);
    check("swaps two of which one is other", vec![Edit::rename("a", "b", &one), Edit::rename("b", "a", &other)], true);
    check("fills a place that it empties", vec![Edit::rename("a", "c", &one), Edit::create("A", b"3", 4)], false);
    check("fills a place that it deletes", vec![Edit::delete("b", &two), Edit::rename("a", "B", &one)], false);
    check("fills a place that it replaces", vec![Edit::replace("b", &two, b"3", 4), Edit::rename("a", "b", &one)], true);
    check("one of two is stale", vec![Edit::replace("a", &one, b"3", 4), Edit::delete("c", &one)], true);
}

pub(super) fn only_waiting_proposals_are_stale(h: &dyn Harness) {
    let w = room(h);
    let one = version(b"1", 9);
    let edit = |n| Sketch::new(n).edit(Edit::replace("a", &one, b"9", 9));
    let [applied, rejected, waiting, expired] = [edit(2), edit(3), edit(4), edit(5).until(T0 + 1)];
    for sketch in [&applied, &rejected, &waiting, &expired] {
        w.submit(sketch);
    }
    let revised = Sketch { edits: vec![Edit::create("new", b"9", 9)], ..edit(6).revised() };
    w.submit(&edit(6));
    let stale = || {
        let query = ListQuery { state: None, before: None, now: Some(at(T0 + 1)), limit: 9 };
        let rows = w.see(|tx| tx.list(w.room, query));
        let stale = rows.into_iter().filter(|row| row.stale);
        stale.map(|row| (row.number, row.state)).collect::<Vec<_>>()
    };
    assert_eq!(stale(), []);
    w.apply(&applied);
    assert!(w.close(&rejected, State::Rejected));
    assert_eq!(stale(), [(6, State::Waiting), (4, State::Waiting)]);
    let (room, seen) = (w.room, edit(6).digest());
    assert!(w.keep(move |tx| revised.revise(tx, room, &seen)));
    assert_eq!(stale(), [(4, State::Waiting)], "the current revision counts");
}
