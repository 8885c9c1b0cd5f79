//! What is said about a proposal: once, on what is there, by whoever may read, and of no weight for Apply.

use sekali_core::decide::Outcome;
use sekali_core::role::Role;
use sekali_core::talk::{Anchor, CommentKind, LineSide, Saying};
use sekali_core::{Code, Refusal};
use sekali_engine::talk::Said;
use sekali_engine::{Caller, Failure};

use sekali_store::contract::SetClock;

use super::desk::{Desk, ROOM, caller, path, proposal, put};

fn saying(text: &str) -> Saying {
    Saying { text: text.to_owned(), asks: false, answers: None, line: None, revision: None, key: None }
}

fn on(at: &str, side: LineSide, line: u32) -> Anchor {
    Anchor { path: path(at), side, line }
}

impl Desk {
    fn say_as(&self, who: &Caller, number: u64, saying: Saying) -> Result<Said, Failure> {
        self.engine.comment(who, ROOM, number, saying)
    }

    fn say(&self, number: u64, saying: Saying) -> Result<Said, Failure> {
        self.say_as(&self.ani, number, saying)
    }

    fn not_said(&self, number: u64, saying: Saying) -> Refusal {
        let before = self.stored();
        let Err(Failure::Refused(refusal)) = self.say(number, saying) else { panic!("refused") };
        assert!(self.stored() == before, "a refusal left something");
        refusal
    }

    fn texts(&self, number: u64) -> Vec<String> {
        let all = self.engine.comments(&self.ani, ROOM, number, 0, 100).expect("a proposal");
        all.into_iter().map(|view| view.row.text).collect()
    }
}

#[test]
fn what_asks_for_changes_is_a_mark_until_it_is_answered_and_keeps_nobody_from_applying() {
    let desk = Desk::new();
    let one = desk.submit(proposal(vec![put("a", "1\n2\n")]));
    let ask = Saying { asks: true, line: Some(on("a", LineSide::After, 2)), ..saying("Why 2?") };
    let asked = desk.say(one.number, ask).expect("a line that is there");
    assert_eq!((asked.comment.row.number, asked.comment.row.kind), (1, CommentKind::Ask));
    let talk = |number| desk.engine.view(&desk.ani, ROOM, number).expect("a proposal").talk;
    assert_eq!((talk(one.number).count, talk(one.number).open_asks), (1, vec![1]));
    let listed = desk.engine.list(&desk.ani, ROOM, None, None, 10).expect("a room");
    assert_eq!(listed[0].talk, talk(one.number));
    let answer = Saying { answers: Some(1), ..saying("Because.") };
    desk.say(one.number, answer.clone()).expect("it asks");
    assert!(talk(one.number).open_asks.is_empty());
    desk.say(one.number, answer).expect("more is to be said about it");
    desk.say(one.number, Saying { asks: true, ..saying("And?") }).expect("another one");
    let outcome = desk.press(one.number, one.digest);
    assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
    // Of what was decided it is still said.
    desk.say(one.number, saying("Done.")).expect("after it was applied");
    assert_eq!(talk(one.number).last.expect("the last").row.text, "Done.");
    assert_eq!(desk.texts(one.number), ["Why 2?", "Because.", "Because.", "And?", "Done."]);
    desk.sound();
}

#[test]
fn a_comment_is_on_what_is_there() {
    let desk = Desk::at(SetClock::at_ms(1_790_000_000_000));
    let first = desk.submit(proposal(vec![put("a", "1\n2"), put("b", "\0")]));
    let outcome = desk.press(first.number, first.digest);
    assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
    let one = desk.submit(proposal(vec![put("a", "1\n2\n3\n")]));
    let at = |side, line| Saying { line: Some(on("a", side, line)), ..saying("x") };
    desk.say(one.number, at(LineSide::After, 3)).expect("the last");
    desk.say(one.number, at(LineSide::Before, 2)).expect("the last, without its end");
    desk.say(first.number, Saying { revision: Some(1), ..at(LineSide::After, 1) })
        .expect("of what was applied");
    let refused = |number, saying, field: &str| {
        let refusal = desk.not_said(number, saying);
        assert_eq!(refusal.facts.field.as_deref(), Some(field), "{refusal}");
        refusal.code
    };
    let invalid = Code::ProposalInvalid;
    assert_eq!(refused(one.number, at(LineSide::After, 4), "line"), invalid);
    assert_eq!(refused(one.number, at(LineSide::Before, 3), "line"), invalid);
    let of_b = Saying { line: Some(on("b", LineSide::After, 1)), ..saying("x") };
    assert_eq!(refused(first.number, of_b.clone(), "line"), invalid, "it has no lines");
    assert_eq!(refused(one.number, of_b, "line.path"), invalid, "it is another proposal's");
    let later = Saying { revision: Some(2), ..saying("x") };
    assert_eq!(refused(one.number, later, "revision"), Code::ProposalNotFound);
    for answers in [0, 1, 9] {
        let answer = Saying { answers: Some(answers), ..saying("x") };
        assert_eq!(refused(one.number, answer, "answers"), invalid);
    }
    assert_eq!(refused(one.number, saying(" \n"), "text"), invalid);
    assert_eq!(desk.not_said(99, saying("x")).code, Code::ProposalNotFound);
    desk.sound();
}

#[test]
fn p5_a_comment_under_a_key_is_one_comment() {
    let desk = Desk::new();
    let one = desk.submit(proposal(vec![put("a", "1\n")]));
    let two = desk.submit(proposal(vec![put("b", "1\n")]));
    let keyed = |text: &str| Saying { key: Some("k".to_owned()), ..saying(text) };
    let first = desk.say(one.number, keyed("x")).expect("a comment");
    let again = desk.say(one.number, keyed("x")).expect("the same");
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(first.comment, again.comment);
    for (number, text) in [(one.number, "y"), (two.number, "x")] {
        let Err(Failure::Refused(refusal)) = desk.say(number, keyed(text)) else { panic!("another one") };
        assert_eq!((refusal.code, refusal.facts.proposal), (Code::KeyReused, Some(one.number)));
    }
    assert_eq!((desk.texts(one.number).len(), desk.texts(two.number).len()), (1, 0));
    // What was stopped is to be seen.
    let repeats = desk.engine.duplicates(&desk.ani, ROOM, None, 10).expect("a room");
    assert_eq!((repeats[0].count, repeats[0].other_content, &*repeats[0].key), (3, 2, &b"comment/k"[..]));
    desk.sound();
}

#[test]
fn many_at_once_are_each_said_once() {
    let desk = Desk::new();
    let one = desk.submit(proposal(vec![put("a", "1\n")]));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let desk = &desk;
            scope.spawn(move || {
                for n in 0..10 {
                    let key = Some(format!("k{n}"));
                    desk.say(one.number, Saying { key, ..saying(&format!("{n}")) }).expect("a comment");
                    desk.say(one.number, saying(&format!("{thread}/{n}"))).expect("a comment");
                }
            });
        }
    });
    assert_eq!(desk.texts(one.number).len(), 10 + 40);
    desk.sound();
}

#[test]
fn whoever_may_read_may_comment_and_nobody_else() {
    let desk = Desk::at(SetClock::at_ms(1_790_000_000_000));
    let one = desk.submit(proposal(vec![put("a", "1\n")]));
    desk.engine.add_member(&desk.ani, ROOM, "Budi", Some(Role::Member)).expect("a new name");
    for name in ["Citra", "Budi", "agent:drafting"] {
        let said = desk.say_as(&caller(name), one.number, saying("x")).expect(name);
        assert_eq!(said.comment.author.name, caller(name).name.name);
    }
    let before = desk.stored();
    let stranger = desk.say_as(&caller("Zaki"), one.number, saying("x")).expect_err("nobody knows them");
    assert_eq!(stranger.code(), Code::ActorUnknown);
    assert!(desk.stored() == before);
}
