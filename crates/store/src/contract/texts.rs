//! Texts, bytes and numbers at their edges.

use sekali_core::decide::Standing;
use sekali_core::hash::sha256;
use sekali_core::{ActorKind, State, limit};

use super::Harness;
use super::fixture::{ANI, Edit, Sketch, World, aid, at, effect, path, person, pid, room_id};
use crate::rows::{NewRevision, Reservation, RevisionRow, Touches};

/// Texts without NUL that some layer between here and the disk might bend.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        " leading and trailing ",
        "tab\tline\nreturn\rend",
        "quote ' \" ; -- ? ?1 :a @b $c % _ \\",
        "{\"json\":null}",
        "NULL",
        "Ringkasan rapat, açık, ελληνικά, हिन्दी, 日本語, עברית",
        "cafe\u{301} \u{e9} \u{fb00} \u{130} \u{131} \u{df}",
        "\u{1F469}\u{200D}\u{1F4BB}\u{FE0F} \u{10FFFF} \u{FEFF} \u{2028} \u{202E} \u{1} \u{7f}",
        "123",
        "1e5",
        "x'00'",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push("\u{1F511}".repeat(limit::TITLE_CHARS));
    texts
}

pub(super) fn texts_come_back_as_they_were_written(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    for (n, text) in (1..).zip(texts()) {
        let key: String = text.chars().take(60).collect();
        let sketch = Sketch {
            title: text.clone(),
            why: if n % 2 == 0 { String::new() } else { text.repeat(3) },
            correlation: Some(key.clone()),
            effects: vec![effect(&key, 0)],
            author: aid(n),
            ..Sketch::new(n)
        };
        let (who, named, slug) = (aid(n), text.clone(), key.clone());
        assert!(w.keep(move |tx| tx.add_actor(room, &person(who, &named, None))));
        let title = text.clone();
        let made = w.keep(move |tx| tx.create_room(room_id(100 + n), &slug, &title, at(0)));
        let (made, number) = (made.unwrap(), w.submit(&sketch));
        let kept = Reservation { fingerprint: sha256(&[b"x"]), proposal: sketch.id };
        let name = key.clone();
        assert_eq!(w.keep(move |tx| tx.reserve(room, ANI, &name, kept)), None, "{key:?} is like no other");
        let (presser, reason) = (w.presser(&sketch), text.clone());
        assert!(w.keep(move |tx| presser.close(tx, State::Rejected, Some(&reason))));
        w.see(|tx| {
            let row = tx.proposal(room, number)?.unwrap();
            let revision = tx.revision(room, sketch.id, 1)?;
            assert_eq!(revision, Some(sketch.revision_row(row.created_at)));
            assert_eq!(row.correlation.as_ref(), Some(&key));
            assert_eq!(tx.reservation(room, ANI, &key)?, Some(kept));
            assert_eq!(
                tx.actor_named(room, ActorKind::Person, &text)?.map(|a| (a.id, a.name)),
                Some((who, text.clone()))
            );
            let rooms = tx.rooms()?;
            let found = rooms.iter().find(|r| r.key == made).unwrap();
            assert_eq!((&found.slug, &found.title), (&key, &text));
            let Some(Standing::Closed(closed)) = tx.standing(room, sketch.id)? else {
                panic!("it is closed")
            };
            assert_eq!((closed.reason, closed.by_name), (Some(text.clone()), "Budi".to_owned()));
            assert_eq!(tx.list(room, super::property::WHOLE)?[0].title, text);
            Ok(())
        });
    }
    let long = Sketch { why: "é".repeat(limit::WHY_BYTES / 2), ..Sketch::new(99) };
    w.submit(&long);
    assert_eq!(w.see(|tx| tx.revision(room, pid(99), 1)).map(|r| r.why), Some(long.why));
}

pub(super) fn content_comes_back_byte_for_byte(h: &dyn Harness) {
    let w = World::new(h);
    let every_byte: Vec<u8> = (0..=255).collect();
    let long: Vec<u8> =
        (0..5_000_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24).to_le_bytes()[0]).collect();
    let contents = [Vec::new(), vec![0], b"no newline".to_vec(), b"a\r\nb\n".to_vec(), every_byte, long];
    let deep = vec!["d".repeat(limit::SEGMENT_BYTES); 4].join("/");
    let mut sketch = Sketch::new(1);
    for (n, bytes) in (1..).zip(&contents) {
        sketch = sketch.edit(Edit::create(&format!("{n}"), bytes, n));
    }
    sketch = sketch.edit(Edit::create(&deep, b"deep", 99));
    w.applied(&sketch);
    for (ordinal, edit) in (0..).zip(&sketch.edits) {
        let kept = w.see(|tx| tx.content(w.room, pid(1), 1, ordinal));
        // Compared before it is shown: megabytes of bytes tell nobody anything.
        assert!(kept == edit.content, "content of {}", edit.row.change.path);
        let document = w.see(|tx| tx.document(w.room, &edit.row.change.path)).unwrap();
        assert_eq!(Some(document.content), edit.row.change.after);
        assert_eq!(document.path, edit.row.change.path);
    }
    assert!(w.see(|tx| tx.document(w.room, &path(&deep.to_uppercase()))).is_some());
}

pub(super) fn numbers_and_instants_come_back_at_their_edges(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let edges = [at(0), at(1), at(i64::MAX)];
    for (n, instant) in (1..).zip(edges) {
        let sketch = Sketch { valid_until: Some(instant), ..Sketch::new(n) }.effect("k", u32::MAX);
        w.submit(&sketch);
        assert_eq!(w.see(|tx| tx.standing(room, pid(n))), Some(Standing::Open(sketch.open())));
        let row = w.see(|tx| tx.revision(room, pid(n), 1)).unwrap();
        assert_eq!((row.valid_until, &row.effect_keys), (Some(instant), &sketch.effects));
    }
    let edited = |added, removed| {
        let mut edit = Edit::create("a", b"1", 1);
        edit.row.added = added;
        edit.row.removed = removed;
        edit.row.binary = true;
        edit.row.submitted_base = Some("absent".to_owned());
        edit
    };
    let wide = Sketch::new(9).edit(edited(u32::MAX, 0)).edit(edited(0, u32::MAX)).revised();
    let touches = Touches { added: u64::from(u32::MAX) * 9, removed: 0, documents: u64::from(u32::MAX) };
    let row = RevisionRow { touches, revision: u32::MAX, ..wide.revision_row(at(0)) };
    let (sketch, written) = (wide.clone(), row.clone());
    w.keep(move |tx| {
        let number = tx.next_number(room)?;
        tx.insert_proposal(room, &sketch.proposal_row(number, at(0)))?;
        let new = NewRevision { row: written.clone(), ..sketch.new_revision(at(0)) };
        tx.insert_revision(room, sketch.id, at(0), &new)
    });
    assert_eq!(w.see(|tx| tx.revision(room, pid(9), u32::MAX)), Some(row));
    assert_eq!(w.see(|tx| tx.changes(room, pid(9), u32::MAX)), wide.changes());
}
