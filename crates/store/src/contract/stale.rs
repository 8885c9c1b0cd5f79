//! Which waiting proposals have lost their base.

use sekali_core::State;
use sekali_core::change::Version;

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
    script.after = script.after.as_ref().map(executable);
    w.applied(&sketch);
    w
}

/// Submits each row's edits to the room above, and asks the list whether they are stale.
fn check(h: &dyn Harness, table: Vec<(&str, Vec<Edit>, bool)>) {
    check_in(&room(h), table);
}

fn check_in(w: &World, table: Vec<(&str, Vec<Edit>, bool)>) {
    for (n, (what, edits, stale)) in (10..).zip(table) {
        w.submit(&Sketch { edits, ..Sketch::new(n) });
        let query = ListQuery { state: None, before: None, now: None, limit: 1 };
        let rows = w.see(|tx| tx.list(w.room, query));
        assert_eq!(rows[0].stale, stale, "{what}");
    }
}

/// The contents of `a` and `b`, and one that is nowhere; a base's salt means nothing.
fn bases() -> [Version; 3] {
    [version(b"1", 9), version(b"2", 9), version(b"?", 9)]
}

fn put(at: &str, base: &Version) -> Edit {
    Edit::replace(at, base, b"3", 4)
}

fn new(at: &str) -> Edit {
    Edit::create(at, b"3", 4)
}

pub(super) fn a_waiting_proposal_is_stale_when_what_it_replaces_has_moved(h: &dyn Harness) {
    let [one, two, other] = bases();
    let script = executable(&one);
    let (a, b) = (put("a", &one), Edit::delete("b", &two));
    check(
        h,
        vec![
            ("touches nothing", vec![], false),
            ("replaces what is there", vec![a.clone()], false),
            ("replaces another spelling", vec![put("A", &one)], true),
            ("replaces other content", vec![put("a", &two)], true),
            ("replaces another mode", vec![put("a", &script)], true),
            ("replaces a script as a script", vec![put("x", &script)], false),
            ("replaces a script as plain text", vec![put("x", &one)], true),
            ("replaces what is not there", vec![put("c", &one)], true),
            ("deletes what is there", vec![b.clone()], false),
            ("deletes other content", vec![Edit::delete("b", &other)], true),
            ("deletes what is not there", vec![Edit::delete("c", &one)], true),
            ("two that are current", vec![a.clone(), b], false),
            ("two of which one is not", vec![a, Edit::delete("c", &one)], true),
        ],
    );
}

pub(super) fn a_waiting_proposal_is_stale_when_its_place_is_occupied(h: &dyn Harness) {
    let [one, two, other] = bases();
    let to = |from: &str, to: &str, base: &Version| Edit::rename(from, to, base);
    let (swap, back, wrong) = (to("a", "b", &one), to("b", "a", &two), to("b", "a", &other));
    let same = Edit::create("a", b"1", 1);
    check(
        h,
        vec![
            ("creates in an empty place", vec![new("c")], false),
            ("creates in an occupied place", vec![new("a")], true),
            ("creates under another spelling", vec![new("A")], true),
            ("creates the very same", vec![same], true),
            ("moves to an empty place", vec![to("a", "c", &one)], false),
            ("moves to an occupied place", vec![to("a", "b", &one)], true),
            ("moves what is other", vec![to("a", "c", &two)], true),
            ("moves from another spelling", vec![to("A", "c", &one)], true),
            ("moves what is not there", vec![to("c", "d", &one)], true),
            ("moves by case alone", vec![to("a", "A", &one)], false),
            ("swaps two", vec![swap.clone(), back], false),
            ("swaps two, one is other", vec![swap, wrong], true),
            ("fills what it empties", vec![to("a", "c", &one), new("A")], false),
            ("fills what it deletes", vec![Edit::delete("b", &two), to("a", "B", &one)], false),
            ("fills what it replaces", vec![put("b", &two), to("a", "b", &one)], true),
        ],
    );
}

pub(super) fn a_waiting_proposal_is_stale_when_a_folder_is_in_the_way(h: &dyn Harness) {
    let [one, ..] = bases();
    let w = room(h);
    let deep = Sketch::new(2).edit(Edit::create("d/e/f", b"1", 1)).edit(Edit::create("d!", b"1", 2));
    w.applied(&deep);
    let to = |from: &str, to: &str| Edit::rename(from, to, &one);
    check_in(
        &w,
        vec![
            ("creates in a document", vec![new("a/x")], true),
            ("creates deep in a document", vec![new("A/x/y/z")], true),
            ("creates where a folder is", vec![new("D/e")], true),
            ("creates where a deep folder is", vec![new("d")], true),
            ("moves into a document", vec![to("a", "b/x")], true),
            ("moves into itself", vec![to("a", "a/x")], false),
            ("moves to a folder", vec![to("a", "d/e")], true),
            ("creates beside", vec![new("d/e/g"), new("d/g"), new("a!/x"), new("d!!")], false),
            ("creates where it deletes", vec![Edit::delete("a", &one), new("a/x")], false),
            ("creates where it empties the folder", vec![to("d/e/f", "d")], false),
            ("creates where it empties another", vec![to("d/e/f", "g"), new("a/x")], true),
        ],
    );
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
