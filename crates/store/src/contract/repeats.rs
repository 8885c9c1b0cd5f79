//! Evidence of what was stopped: P4, P5.

use sekali_core::Door;

use super::Harness;
use super::dump::pages;
use super::fixture::{ANI, BUDI, Sketch, T0, World, at, pid};
use crate::rows::{AttemptRow, Layer, RepeatNote, RepeatRow};

fn note(layer: Layer, source: u8, key: &[u8]) -> RepeatNote {
    RepeatNote {
        layer,
        source: [source; 16],
        key: key.to_vec(),
        proposal: pid(1),
        at: at(T0),
        actor: BUDI,
        door: Door::Cli,
        os_user: None,
        fingerprint: None,
        other_content: false,
    }
}

impl World {
    fn note(&self, note: &RepeatNote) -> u64 {
        let (room, note) = (self.room, note.clone());
        self.keep(move |tx| tx.note_repeat(room, &note))
    }

    fn repeats(&self) -> Vec<RepeatRow> {
        self.see(|tx| tx.repeats(self.room, None, 99))
    }
}

fn row(note: &RepeatNote, count: u64) -> RepeatRow {
    RepeatRow {
        layer: note.layer,
        source: note.source,
        key: note.key.clone(),
        proposal: note.proposal,
        number: 1,
        count,
        other_content: 0,
        first_at: note.at,
        last_at: note.at,
    }
}

pub(super) fn repeats_are_counted_with_the_first_and_last_time(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    let base = note(Layer::Key, 1, b"key \xFF\0");
    assert_eq!(w.see(|tx| tx.repeat_of(w.room, base.layer, base.source, &base.key)), None);
    assert_eq!(w.see(|tx| tx.attempts(w.room, base.layer, base.source, &base.key)), []);
    for (n, other_content) in [(1, false), (2, true), (3, true), (4, false)] {
        let at = at(T0 + i64::try_from(n).unwrap());
        assert_eq!(w.note(&RepeatNote { at, other_content, ..base.clone() }), n);
    }
    let room = w.room;
    let undone = base.clone();
    assert_eq!(w.undo(move |tx| tx.note_repeat(room, &undone)), 5);
    let expected = RepeatRow { other_content: 2, first_at: at(T0 + 1), last_at: at(T0 + 4), ..row(&base, 4) };
    assert_eq!(w.see(|tx| tx.repeat_of(room, base.layer, base.source, &base.key)).as_ref(), Some(&expected));
    assert_eq!(w.repeats(), [expected]);
}

pub(super) fn the_first_and_last_twenty_attempts_are_kept(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    let nth = |n: u64| {
        let byte = u8::try_from(n).unwrap();
        RepeatNote {
            at: at(T0 + i64::from(byte)),
            actor: if n.is_multiple_of(2) { ANI } else { BUDI },
            door: if n.is_multiple_of(3) { Door::Mcp } else { Door::Desktop },
            fingerprint: (!n.is_multiple_of(5)).then_some([byte % 9; 32]),
            ..note(Layer::Apply, 0, pid(1).as_bytes())
        }
    };
    let attempt = |n: u64| {
        let RepeatNote { at, door, fingerprint, .. } = nth(n);
        let actor = if n.is_multiple_of(2) { "Ani" } else { "Budi" }.to_owned();
        AttemptRow { n, at, actor, door, fingerprint }
    };
    let mut written = 0;
    for count in [1, 20, 21, 40, 41, 59, 100] {
        while written < count {
            written += 1;
            assert_eq!(w.note(&nth(written)), written);
        }
        let kept = w.see(|tx| tx.attempts(w.room, Layer::Apply, [0; 16], pid(1).as_bytes()));
        let expected: Vec<_> = (1..=count).filter(|n| *n <= 20 || *n > count - 20).map(attempt).collect();
        assert_eq!(kept, expected, "after {count} repeats");
    }
    assert_eq!(w.repeats()[0].count, 100);
}

pub(super) fn evidence_is_kept_apart_by_layer_source_and_key(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    let other = w.second_room();
    let notes = [
        note(Layer::Key, 1, b"k"),
        note(Layer::Effect, 1, b"k"),
        note(Layer::Apply, 1, b"k"),
        note(Layer::Key, 2, b"k"),
        note(Layer::Key, 1, b"K"),
        note(Layer::Key, 1, b""),
    ];
    for (count, note) in (1..).zip(&notes) {
        for n in 1..=count {
            assert_eq!(w.note(note), n);
        }
    }
    for (count, note) in (1..).zip(&notes) {
        let found = w.see(|tx| tx.repeat_of(w.room, note.layer, note.source, &note.key));
        assert_eq!(found, Some(row(note, count)));
        let attempts = w.see(|tx| tx.attempts(w.room, note.layer, note.source, &note.key));
        assert_eq!(attempts.len() as u64, count);
    }
    assert_eq!(w.repeats().len(), notes.len());
    assert_eq!(w.see(|tx| tx.repeats(other, None, 9)), []);
}

pub(super) fn evidence_is_paged_last_first(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    for (key, ms) in [(b"c", 3), (b"a", 1), (b"e", 2), (b"b", 3), (b"d", 2), (b"f", 1)] {
        w.note(&RepeatNote { at: at(T0 + ms), ..note(Layer::Effect, 0, key) });
    }
    // What is repeated again comes first again.
    w.note(&RepeatNote { at: at(T0 + 4), ..note(Layer::Effect, 0, b"a") });
    for limit in [1, 2, 5, 6, 7] {
        let pages = w.see(|tx| {
            pages(limit, |last: Option<&RepeatRow>| tx.repeats(w.room, last.map(RepeatRow::mark), limit))
        });
        let keys: Vec<u8> = pages.iter().map(|row| row.key[0]).collect();
        assert_eq!(String::from_utf8_lossy(&keys), "acbedf", "pages of {limit}");
    }
}

pub(super) fn evidence_of_one_instant_is_paged_without_a_gap(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    let mut expected = Vec::new();
    for layer in ["key", "effect", "apply"].map(|word| Layer::from_word(word).unwrap()) {
        for source in [2, 1] {
            for key in [b"k\xFF", b"k\0"] {
                expected.push(note(layer, source, key));
            }
        }
    }
    // Written in another order than they are read in.
    for note in expected.iter().step_by(2).chain(expected.iter().skip(1).step_by(2)) {
        w.note(note);
    }
    let expected: Vec<RepeatRow> = expected.iter().map(|note| row(note, 1)).collect();
    for limit in 1..=13 {
        let pages = w.see(|tx| {
            pages(limit, |last: Option<&RepeatRow>| tx.repeats(w.room, last.map(RepeatRow::mark), limit))
        });
        assert_eq!(pages, expected, "pages of {limit}");
    }
}
