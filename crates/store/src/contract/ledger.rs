//! The ledger: dense, chained, hashed as stored: P7.

use sekali_core::hash::LeafHash;
use sekali_core::ledger::{Common, Decision, Draft, NO_PREV};
use sekali_core::role::Seen;
use sekali_core::{Door, State, tree};

use super::Harness;
use super::fixture::{BUDI, Edit, Sketch, T0, World, at, pid, room_id, version};
use crate::rows::{Appended, Counts, EntryRow};
use crate::verbs::Write;

fn common(reason: &str) -> Common {
    Common {
        room: room_id(1),
        proposal_id: pid(1),
        proposal: 1,
        revision: 1,
        digest: Sketch::new(1).digest(),
        actor: BUDI,
        door: Door::Cli,
        os_user: None,
        reason: Some(reason.to_owned()),
    }
}

fn draft(n: u64) -> Draft {
    Draft::decided(&common(&format!("Entry {n}")), Decision::Rejected)
}

/// Appends entries until the ledger has `size`, in one transaction.
fn grow(w: &World, size: u64) {
    let room = w.room;
    w.keep(move |tx: &mut dyn Write| {
        for n in tx.head(room)?.size + 1..=size {
            let appended = tx.append(room, &draft(n), at(T0), &[])?;
            assert_eq!(appended.seq, n);
            assert_eq!(
                (tx.head(room)?.size, tx.head(room)?.prev),
                (n, appended.leaf),
                "a head is current at once"
            );
        }
        Ok(())
    });
}

fn all_entries(w: &World) -> Vec<EntryRow> {
    w.see(|tx| tx.entries(w.room, 0, 10_000))
}

pub(super) fn the_tree_agrees_with_its_definition_at_every_size(h: &dyn Harness) {
    let w = World::new(h);
    // Tiles of 256 leaves end at 256 and 512; before and after each, and at the first two.
    for size in [0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 600] {
        grow(&w, size);
        let leaves: Vec<[u8; 32]> =
            all_entries(&w).iter().map(|e| *LeafHash::of(&e.bytes).as_bytes()).collect();
        let head = w.see(|tx| tx.head(w.room));
        assert_eq!((head.size, leaves.len() as u64), (size, size));
        assert_eq!(head.root, tree::root_of(&leaves), "{size} leaves");
        assert_eq!(
            head.prev,
            leaves.last().map_or(NO_PREV, |leaf| LeafHash::from_bytes(*leaf)),
            "{size} leaves"
        );
    }
}

pub(super) fn entries_are_dense_and_each_quotes_the_one_before(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let mut prev = NO_PREV;
    for n in 1..=5 {
        let now = at(T0 + i64::try_from(n).unwrap());
        let Appended { seq, leaf } = w.keep(move |tx| tx.append(room, &draft(n), now, &[]));
        let bytes = draft(n).splice(n, &prev, now, &[]);
        assert_eq!((seq, leaf), (n, LeafHash::of(&bytes)));
        assert_eq!(all_entries(&w).last(), Some(&EntryRow { seq, bytes, leaf }));
        assert_eq!(w.see(|tx| tx.head(room)).last_at, now);
        prev = leaf;
    }
}

pub(super) fn stored_bytes_are_the_spliced_bytes(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let [base, back] = [version(b"same", 1), version(b"same", 2)];
    let sketch = Sketch::new(1)
        .edit(Edit::create("baru \"x\" \u{1F511}", b"1", 3))
        .edit(Edit::replace("a", &base, b"2", 4))
        .edit(Edit::delete("b", &base))
        .effect("in/\u{e9}\n", 2);
    let changes: Vec<_> = sketch.changes().into_iter().map(|row| row.change).collect();
    let before = [None, Some(back.commitment), Some(base.commitment)];
    let make = move || {
        let common = common("Karena \u{2028} \u{0} \\ \"");
        Draft::applied(&common, &changes, &sketch.effects, Some("c\u{7f}"), Some(BUDI), Seen::Nothing)
    };
    let expected = make().splice(1, &NO_PREV, at(T0 + 1), &before);
    let appended = w.keep(move |tx| tx.append(room, &make(), at(T0 + 1), &before));
    let [entry] = &all_entries(&w)[..] else { panic!("one entry") };
    assert_eq!(String::from_utf8_lossy(&entry.bytes), String::from_utf8_lossy(&expected));
    assert_eq!((appended.leaf, entry.leaf), (LeafHash::of(&expected), LeafHash::of(&expected)));
}

pub(super) fn an_undone_entry_leaves_the_head_where_it_was(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    grow(&w, 254);
    let before = w.see(|tx| tx.head(room));
    // Past the end of a tile, so that what completes a tile is undone too.
    w.undo(move |tx| {
        for n in 0..5 {
            tx.append(room, &draft(1000 + n), at(T0 + 50), &[])?;
        }
        Ok(())
    });
    assert_eq!(w.see(|tx| tx.head(room)), before);
    assert_eq!(w.see(|tx| tx.entries(room, 254, 9)), []);
    grow(&w, 260);
    let leaves: Vec<[u8; 32]> = all_entries(&w).iter().map(|e| *e.leaf.as_bytes()).collect();
    assert_eq!(w.see(|tx| tx.head(room)).root, tree::root_of(&leaves));
}

pub(super) fn entries_are_paged(h: &dyn Harness) {
    let w = World::new(h);
    grow(&w, 10);
    let page = |after, limit| -> Vec<u64> {
        w.see(|tx| tx.entries(w.room, after, limit)).into_iter().map(|e| e.seq).collect()
    };
    assert_eq!(page(0, 4), [1, 2, 3, 4]);
    assert_eq!(page(4, 4), [5, 6, 7, 8]);
    assert_eq!(page(8, 4), [9, 10]);
    assert_eq!(page(10, 4), [0; 0]);
    assert_eq!(page(u64::MAX, 4), [0; 0]);
    assert_eq!(page(0, 0), [0; 0]);
    assert_eq!(page(0, 1_000).len(), 10);
}

pub(super) fn counts_follow_every_transition(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two, three, four] = [1, 2, 3, 4].map(Sketch::new);
    let check = |open, applied, rejected, withdrawn| {
        let counts = w.see(|tx| tx.head(w.room)).counts;
        assert_eq!(counts, Counts { open, applied, rejected, withdrawn });
    };
    check(0, 0, 0, 0);
    for sketch in [&one, &two, &three, &four] {
        w.submit(sketch);
    }
    check(4, 0, 0, 0);
    w.apply(&one);
    check(3, 1, 0, 0);
    w.apply(&one);
    check(3, 1, 0, 0);
    w.close(&two, State::Rejected);
    check(2, 1, 1, 0);
    w.close(&three, State::Withdrawn);
    check(1, 1, 1, 1);
    let presser = w.presser(&two);
    w.undo(move |tx| presser.reopen(tx));
    check(1, 1, 1, 1);
    w.keep(move |tx| presser.reopen(tx));
    check(2, 1, 0, 1);
    let (room, seen, next) = (w.room, four.digest(), four.revised());
    w.keep(move |tx| next.revise(tx, room, &seen));
    check(2, 1, 0, 1);
    w.close(&four, State::Rejected);
    check(2, 1, 0, 1);
    w.close(&four.revised(), State::Rejected);
    check(1, 1, 1, 1);
}
