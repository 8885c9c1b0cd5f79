//! What is written when something is proposed, and what finds it again.

use sekali_core::State;
use sekali_core::change::MovedHunk;
use sekali_core::hash::sha256;

use super::Harness;
use super::fixture::{ANI, BUDI, Edit, Sketch, T0, World, at, effect, path, pid, version};
use crate::rows::{LinkKind, LinkRow, Reservation, SubmittedForm, SubmittedRow};

pub(super) fn a_proposal_is_read_back_as_it_was_written(h: &dyn Harness) {
    let w = World::new(h);
    let sketch = Sketch {
        why: "# Because\n".to_owned(),
        correlation: Some("order/8812".to_owned()),
        author: BUDI,
        ..Sketch::new(5).edit(Edit::create("a", b"1", 1)).effect("order/8812/create", 3).until(T0 + 9)
    };
    let number = w.submit(&sketch);
    w.see(|tx| {
        let row = sketch.proposal_row(number, at(T0));
        assert_eq!(tx.proposal(w.room, number)?.as_ref(), Some(&row));
        assert_eq!(tx.proposal_by_id(w.room, pid(5))?, Some(row));
        assert_eq!(tx.proposal(w.room, number + 1)?, None);
        assert_eq!(tx.proposal(w.room, u64::MAX)?, None, "a number that cannot be names nothing");
        assert_eq!(tx.proposal_by_id(w.room, pid(6))?, None);
        assert_eq!(tx.revision(w.room, pid(5), 1)?, Some(sketch.revision_row(at(T0))));
        assert_eq!(tx.revision(w.room, pid(5), 2)?, None);
        assert_eq!(tx.revisions(w.room, pid(6))?, []);
        Ok(())
    });
}

pub(super) fn revisions_stand_first_to_last_and_changes_in_order(h: &dyn Harness) {
    let w = World::new(h);
    let base = version(b"old", 9);
    let first = Sketch::new(1)
        .edit(Edit::create("z", b"1", 1))
        .edit(Edit::replace("m", &base, b"2", 2))
        .edit(Edit::rename("x", "b", &base))
        .edit(Edit::delete("a", &base))
        .effect("b", 0)
        .effect("a", 1)
        .effect("b", 1);
    let second = Sketch { edits: vec![Edit::create("only", b"3", 3)], ..first.revised() };
    w.submit(&first);
    let (room, seen, next) = (w.room, first.digest(), second.clone());
    w.clock.set_ms(T0 + 4);
    assert!(w.keep(move |tx| next.revise(tx, room, &seen)));
    w.see(|tx| {
        let rows = [first.revision_row(at(T0)), second.revision_row(at(T0 + 4))];
        assert_eq!(tx.revisions(room, pid(1))?, rows, "effect keys keep their order too");
        assert_eq!(tx.changes(room, pid(1), 1)?, first.changes());
        assert_eq!(tx.changes(room, pid(1), 2)?, second.changes());
        assert_eq!(tx.changes(room, pid(1), 3)?, []);
        for (ordinal, edit) in (0..).zip(&first.edits) {
            assert_eq!(tx.content(room, pid(1), 1, ordinal)?, edit.content, "content of change {ordinal}");
        }
        assert_eq!(tx.content(room, pid(1), 1, 4)?, None);
        assert_eq!(tx.content(room, pid(1), 2, 0)?, second.edits[0].content);
        assert_eq!(tx.content(room, pid(1), 2, 1)?, None, "an earlier revision's content is not the later's");
        Ok(())
    });
}

pub(super) fn content_of_any_size_comes_back_byte_for_byte(h: &dyn Harness) {
    const KIB: usize = 1024;
    let w = World::new(h);
    // Around a page, and around the size from which a store may keep it in another way.
    let sizes = [0, 1, 4_095, 4_096, 4_097, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 3 * KIB * KIB + 7];
    // No period of it is one of a page.
    let content = |size: usize| -> Vec<u8> { (0..=250).cycle().take(size).collect() };
    let sketch = sizes.iter().zip(1..).fold(Sketch::new(1), |sketch, (size, n)| {
        sketch.edit(Edit::create(&format!("{size}"), &content(*size), n))
    });
    w.submit(&sketch);
    w.see(|tx| {
        for (ordinal, edit) in (0..).zip(&sketch.edits) {
            assert_eq!(tx.content(w.room, pid(1), 1, ordinal)?, edit.content, "content of change {ordinal}");
        }
        Ok(())
    });
}

pub(super) fn what_was_submitted_comes_back_verbatim(h: &dyn Harness) {
    let w = World::new(h);
    let row = |form, at: Option<&str>, strip, body: &[u8]| SubmittedRow {
        form,
        path: at.map(path),
        strip,
        body: body.to_vec(),
    };
    let moved = vec![
        MovedHunk { hunk: 1, line: 0, found: u32::MAX },
        MovedHunk { hunk: 70_000, line: 256, found: 1 },
    ];
    let mut edit = Edit::create("a", b"1", 1);
    edit.row.moved.clone_from(&moved);
    let sketch = Sketch {
        submitted: vec![
            row(SubmittedForm::Patch, None, None, b"--- a\xff\0\r\n"),
            row(SubmittedForm::MergePatch, Some("Z"), None, b"{\"n\":1.50}"),
            row(SubmittedForm::Patch, None, Some(3), b""),
            row(SubmittedForm::JsonPatch, Some("d/e"), None, b"[]"),
        ],
        ..Sketch::new(1).edit(edit).edit(Edit::create("b", b"2", 2))
    };
    w.submit(&sketch);
    let later = Sketch { submitted: Vec::new(), rebased_from: Some(1), ..sketch.revised() };
    let (room, seen, next) = (w.room, sketch.digest(), later.clone());
    assert!(w.keep(move |tx| next.revise(tx, room, &seen)));
    w.see(|tx| {
        assert_eq!(tx.submitted(room, pid(1), 1)?, sketch.submitted);
        assert_eq!(tx.submitted(room, pid(1), 2)?, []);
        assert_eq!(tx.submitted(room, pid(2), 1)?, []);
        let hunks: Vec<_> = tx.changes(room, pid(1), 1)?.into_iter().map(|row| row.moved).collect();
        assert_eq!(hunks, [moved.clone(), Vec::new()]);
        let from: Vec<_> = tx.revisions(room, pid(1))?.iter().map(|row| row.rebased_from).collect();
        assert_eq!(from, [None, Some(1)]);
        Ok(())
    });
}

pub(super) fn links_are_seen_from_both_sides(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let [one, two, three] = [3, 1, 2].map(|n| w.submit(&Sketch::new(n)));
    let (revert, split) = (LinkKind::Reverts, LinkKind::SplitFrom);
    assert_eq!(w.undo(move |tx| tx.link(room, pid(1), revert, pid(3))), ());
    w.keep(move |tx| {
        tx.link(room, pid(2), revert, pid(1))?;
        tx.link(room, pid(2), split, pid(3))?;
        tx.link(room, pid(2), revert, pid(3))?;
        tx.link(room, pid(1), split, pid(2))
    });
    let row = |number, kind, outgoing, other| LinkRow { number, kind, outgoing, other: pid(other) };
    w.see(|tx| {
        assert_eq!(
            tx.links(room, pid(2))?,
            [
                row(one, revert, true, 3),
                row(one, split, true, 3),
                row(two, revert, true, 1),
                row(two, split, false, 1),
            ]
        );
        assert_eq!(tx.links(room, pid(1))?, [row(three, revert, false, 2), row(three, split, true, 2)]);
        assert_eq!(tx.links(room, pid(3))?, [row(three, revert, false, 2), row(three, split, false, 2)]);
        assert_eq!(tx.links(room, pid(4))?, []);
        Ok(())
    });
}

pub(super) fn a_submission_key_is_kept_once_for_each_actor(h: &dyn Harness) {
    let w = World::new(h);
    let (room, other) = (w.room, w.second_room());
    let kept = Reservation { fingerprint: [1; 32], proposal: pid(1) };
    let late = Reservation { fingerprint: [2; 32], proposal: pid(2) };
    assert_eq!(w.undo(move |tx| tx.reserve(room, ANI, "key", late)), None);
    // The key is kept before its proposal is written: only their transaction has both.
    let first = w.keep(move |tx| {
        let first = tx.reserve(room, ANI, "key", kept)?;
        Sketch::new(1).submit(tx, room)?;
        Ok(first)
    });
    assert_eq!(first, None, "what was undone has kept nothing");
    assert_eq!(w.keep(move |tx| tx.reserve(room, ANI, "key", late)), Some(kept));
    w.submit(&Sketch::new(2));
    for (actor, key) in [(BUDI, "key"), (ANI, "Key"), (ANI, "key "), (ANI, "")] {
        assert_eq!(
            w.keep(move |tx| tx.reserve(room, actor, key, late)),
            None,
            "{actor} {key:?} is another key"
        );
    }
    w.see(|tx| {
        assert_eq!(tx.reservation(room, ANI, "key")?, Some(kept), "the second has changed nothing");
        assert_eq!(tx.reservation(room, BUDI, "key")?, Some(late));
        assert_eq!(tx.reservation(room, BUDI, "none")?, None);
        assert_eq!(tx.reservation(other, ANI, "key")?, None, "each room has its own");
        Ok(())
    });
}

pub(super) fn equal_changes_are_named_oldest_first_at_most_eight(h: &dyn Harness) {
    let w = World::new(h);
    let same = sha256(&[b"same"]);
    // Ids fall while proposals come: the oldest are those with the smallest numbers.
    for n in (1..=10).rev() {
        w.submit(&Sketch { fingerprint: same, ..Sketch::new(n) });
    }
    let unlike = Sketch::new(11);
    w.submit(&unlike);
    let similar = |but| w.see(|tx| tx.similar(w.room, &same, but));
    assert_eq!(similar(None), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(similar(Some(pid(10))), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(w.see(|tx| tx.similar(w.room, &unlike.fingerprint, Some(pid(11)))), [0; 0]);
    // A later revision counts, as do decided proposals; nobody is named twice.
    let (room, seen) = (w.room, unlike.digest());
    let revised = Sketch { fingerprint: same, ..unlike.revised() };
    let again = Sketch { fingerprint: same, ..revised.revised() };
    w.keep(move |tx| Ok(revised.revise(tx, room, &seen)? && again.revise(tx, room, &revised.digest())?));
    for n in [10, 9, 8] {
        assert!(w.close(&Sketch { fingerprint: same, ..Sketch::new(n) }, State::Rejected));
    }
    assert_eq!(similar(None), [1, 2, 3, 4, 5, 6, 7, 8]);
    let other = w.see(|tx| tx.similar(w.room, &unlike.fingerprint, None));
    assert_eq!(other, [11], "an earlier revision is found still");
}

pub(super) fn who_names_an_effect_is_found_by_the_current_revision(h: &dyn Harness) {
    let w = World::new(h);
    let naming = |generation, but| w.see(|tx| tx.naming_effect(w.room, &effect("pay", generation), pid(but)));
    let [one, two, three, four] = [1, 2, 3, 4].map(|n| Sketch::new(n).effect("pay", 0).effect("other", 0));
    w.submit(&one);
    w.submit(&two);
    w.submit(&three);
    w.submit(&Sketch { effects: vec![effect("pay", 1)], ..four.clone() });
    assert_eq!(naming(0, 0), [1, 2, 3]);
    assert_eq!(naming(0, 2), [1, 3]);
    assert_eq!(naming(1, 0), [4], "each generation is another effect");
    // Applied ones count; rejected ones do not; a revision that drops the key does not.
    w.apply(&one);
    assert!(w.close(&two, State::Rejected));
    let (room, seen) = (w.room, three.digest());
    let dropped = Sketch { effects: vec![effect("pay", 2)], ..three.revised() };
    assert!(w.keep(move |tx| dropped.revise(tx, room, &seen)));
    assert_eq!(naming(0, 0), [1]);
    assert_eq!(naming(2, 0), [3]);
}
