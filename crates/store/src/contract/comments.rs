//! What is said about a proposal.

use sekali_core::talk::{Anchor, CommentKind, LineSide};
use sekali_core::{ActorId, CommentId, Door, ProposalId};

use super::Harness;
use super::dump::pages;
use super::fixture::{ANI, BUDI, Sketch, T0, World, at, path, pid, sixteen};
use crate::rows::{CommentRow, FoundComment, NAMED_ASKS, NewComment, TalkRow};

pub(super) fn cid(n: u64) -> CommentId {
    CommentId::from_bytes(sixteen(n))
}

/// Ani says something; the number is what it is expected to be.
pub(super) fn said(number: u32, text: &str) -> CommentRow {
    CommentRow {
        number,
        id: cid(u64::from(number)),
        kind: CommentKind::Comment,
        answers: None,
        author: ANI,
        door: Door::Cli,
        at: at(T0),
        revision: 1,
        line: None,
        text: text.to_owned(),
    }
}

pub(super) fn bare(row: &CommentRow) -> NewComment {
    NewComment { row: CommentRow { number: 0, ..row.clone() }, key: None }
}

fn ask(number: u32) -> CommentRow {
    CommentRow { kind: CommentKind::Ask, ..said(number, "?") }
}

fn answer(number: u32, answers: u32) -> CommentRow {
    CommentRow { kind: CommentKind::Answer, answers: Some(answers), ..said(number, "!") }
}

impl World {
    fn say(&self, proposal: ProposalId, row: &CommentRow) -> Option<u32> {
        let (room, new) = (self.room, bare(row));
        self.keep(move |tx| tx.comment(room, proposal, &new))
    }

    fn say_under(&self, proposal: ProposalId, row: &CommentRow, key: &str, fingerprint: u8) -> Option<u32> {
        let new = NewComment { key: Some((key.to_owned(), [fingerprint; 32])), ..bare(row) };
        let room = self.room;
        self.keep(move |tx| tx.comment(room, proposal, &new))
    }
}

pub(super) fn comments_are_numbered_within_their_proposal_and_come_back_as_they_were_written(
    h: &dyn Harness,
) {
    let w = World::new(h);
    let (first, second) = (Sketch::new(1), Sketch::new(2));
    w.submit(&first);
    w.submit(&second);
    let (room, seen, next) = (w.room, first.digest(), first.revised());
    assert!(w.keep(move |tx| next.revise(tx, room, &seen)));
    let on_line = |number, path_text: &str, side, line| CommentRow {
        line: Some(Anchor { path: path(path_text), side, line }),
        ..said(number, "Kenapa?\n\n`a\u{0301}` \u{202E}x")
    };
    let rows = [
        on_line(1, "dir/É", LineSide::Before, 1),
        CommentRow { author: BUDI, door: Door::Desktop, at: at(T0 + 5), revision: 2, ..ask(2) },
        answer(3, 2),
        answer(4, 2),
        on_line(5, "a b", LineSide::After, u32::MAX),
    ];
    for (number, row) in (1..).zip(&rows) {
        assert_eq!(w.say(pid(1), row), Some(number));
    }
    assert_eq!(w.say(pid(2), &CommentRow { id: cid(60), ..said(1, "Other") }), Some(1), "each has its own");
    w.see(|tx| {
        assert_eq!(tx.comments(room, pid(1), 0, 100)?, rows);
        assert_eq!(tx.comments(room, pid(2), 0, 100)?.len(), 1);
        assert_eq!(tx.comments(room, pid(3), 0, 100)?, []);
        let found = tx.comment_by_id(room, cid(2))?;
        assert_eq!(found, Some(FoundComment { proposal: pid(1), row: rows[1].clone(), fingerprint: None }));
        assert_eq!(tx.comment_by_id(room, cid(61))?, None);
        assert_eq!(tx.now(room)?.at, at(T0 + 5), "the instant is written down");
        Ok(())
    });
}

pub(super) fn comments_are_paged(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    for number in 1..=17 {
        w.say(pid(1), &said(number, "x"));
    }
    let rows = w.see(|tx| {
        pages(5, |last: Option<&CommentRow>| tx.comments(w.room, pid(1), last.map_or(0, |row| row.number), 5))
    });
    assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), (1..=17).collect::<Vec<_>>());
}

pub(super) fn a_talk_in_short_has_its_count_its_open_asks_and_its_last_comment(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    let talk = || w.see(|tx| tx.talk(w.room, pid(1)));
    assert_eq!(talk(), TalkRow::default());
    for row in [ask(1), said(2, "x"), ask(3), answer(4, 1)] {
        w.say(pid(1), &row);
    }
    assert_eq!(talk(), TalkRow { count: 4, open_asks: vec![3], last: Some(answer(4, 1)) });
    w.say(pid(1), &answer(5, 3));
    assert!(talk().open_asks.is_empty());
    for number in 6..20 {
        w.say(pid(1), &ask(number));
    }
    assert_eq!(talk().open_asks, (6..14).collect::<Vec<_>>());
    assert_eq!((talk().open_asks.len(), talk().count), (NAMED_ASKS, 19));
}

pub(super) fn under_one_key_there_is_one_comment_of_each_author(h: &dyn Harness) {
    let w = World::new(h);
    w.submit(&Sketch::new(1));
    w.submit(&Sketch::new(2));
    assert_eq!(w.say_under(pid(1), &said(1, "x"), "k", 1), Some(1));
    let of = |author: ActorId, n| CommentRow { author, id: cid(n), ..said(1, "y") };
    for (proposal, fingerprint) in [(1, 1), (1, 2), (2, 1)] {
        assert_eq!(w.say_under(pid(proposal), &of(ANI, 70), "k", fingerprint), None, "it is taken");
    }
    assert_eq!(w.say_under(pid(2), &of(BUDI, 71), "k", 3), Some(1), "of another author");
    assert_eq!(w.say_under(pid(1), &CommentRow { id: cid(72), ..said(2, "z") }, "l", 4), Some(2));
    w.see(|tx| {
        let found = |author, key: &str| -> super::fixture::Result<_> {
            let found = tx.comment_keyed(w.room, author, key)?;
            Ok(found.map(|found| (found.proposal, found.row.text, found.fingerprint)))
        };
        assert_eq!(found(ANI, "k")?, Some((pid(1), "x".to_owned(), Some([1; 32]))));
        assert_eq!(found(BUDI, "k")?, Some((pid(2), "y".to_owned(), Some([3; 32]))));
        assert_eq!(found(ANI, "K")?, None);
        assert_eq!(found(BUDI, "l")?, None);
        Ok(())
    });
}
