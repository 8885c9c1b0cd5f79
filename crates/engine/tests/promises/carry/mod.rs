//! Changes that are carried onto newer documents, taken back, or divided: nothing is lost between the
//! sides, and what is not certain is a conflict that writes nothing.

mod any;
mod moved;
mod rebase;
mod revert;
mod split;

use proptest::prelude::*;
use sekali_core::change::{JsonForm, Submitted, SubmittedBase};
use sekali_core::conflict::{Choice, ConflictKind};
use sekali_core::decide::Outcome;
use sekali_core::hash::ContentHash;
use sekali_core::merge::Side;
use sekali_core::role::State;
use sekali_core::{Code, DocPath, Mode};
use sekali_engine::Failure;
use sekali_engine::revert::Revert;
use sekali_engine::split::{Parts, Split, Taken};
use sekali_engine::submit::Proposed;
use sekali_store::contract::SetClock;

use super::desk::{Desk, ROOM, caller, path, proposal, put, refusal};

impl Desk {
    fn applied(&self, changes: Vec<Submitted>) -> Proposed {
        let one = self.submit(proposal(changes));
        self.apply(&one);
        one
    }

    fn did(&self, changes: Vec<Submitted>) {
        self.apply(&self.submit(proposal(changes)));
    }

    fn apply(&self, one: &Proposed) {
        let outcome = self.press(one.number, one.digest);
        assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
    }

    fn text(&self, at: &str) -> Option<String> {
        let read = self.engine.document(&self.ani, ROOM, &path(at), None);
        match read {
            Ok((_, content)) => Some(String::from_utf8(content).expect("text")),
            Err(failure) => {
                assert_eq!(failure.code(), Code::DocumentNotFound);
                None
            }
        }
    }

    fn rebase(&self, number: u64, choices: &[Choice]) -> Result<Proposed, Failure> {
        self.engine.rebase(&self.ani, ROOM, number, None, choices)
    }

    fn split(&self, number: u64, take: Vec<Taken>) -> Result<Parts, Failure> {
        self.engine.split(&self.ani, ROOM, number, &Split { seen: None, take, title: None })
    }

    fn revert(&self, numbers: &[u64]) -> Result<Proposed, Failure> {
        let asked = Revert { numbers: numbers.to_vec(), title: None, untitled: None, why: None, key: None };
        self.engine.revert(&self.ani, ROOM, &asked)
    }

    fn all(&self) -> Vec<(String, String, Mode)> {
        let rows = self.engine.documents(&self.ani, ROOM, None, 1_000).expect("a room");
        let text = |path: &DocPath| self.text(path.as_str()).unwrap_or_default();
        let whole = |row: sekali_engine::look::DocumentView| {
            (row.row.path.to_string(), text(&row.row.path), row.row.content.mode)
        };
        rows.into_iter().map(whole).collect()
    }
}

/// A desk whose clock stands still, so that what is stored can be compared.
fn still() -> Desk {
    Desk::at(SetClock::at_ms(1_790_000_000_000))
}

/// Nothing was stored by what was refused. Not the texts: they are long.
fn same(desk: &Desk, before: &(String, u64, Option<sekali_store::ActorRow>)) {
    assert!(desk.stored() == *before, "a refusal left something");
}

fn delete(at: &str) -> Submitted {
    Submitted::Delete { path: path(at), base: None }
}

fn rename(from: &str, to: &str) -> Submitted {
    Submitted::Rename { from: path(from), path: path(to), base: None }
}

fn edit(form: JsonForm, at: &str, patch: &str) -> Submitted {
    Submitted::JsonEdit { form, path: path(at), patch: patch.into(), base: None }
}

fn on(text: &str) -> SubmittedBase {
    SubmittedBase::Content(ContentHash::of(text.as_bytes()))
}

fn lines(numbers: std::ops::Range<u32>) -> String {
    numbers.fold(String::new(), |all, n| all + "line " + &n.to_string() + "\n")
}

fn choose(at: &str, sides: &[Side]) -> Choice {
    Choice { path: path(at), from: None, now: None, sides: sides.to_vec() }
}

fn take(at: &str, hunks: Option<&[u32]>) -> Taken {
    Taken { path: path(at), hunks: hunks.map(<[u32]>::to_vec) }
}

fn conflicts(failure: Failure) -> Vec<sekali_core::conflict::Conflict> {
    match failure {
        Failure::Refused(refusal) if refusal.code == Code::ProposalConflict => refusal.facts.conflicts,
        other => panic!("a conflict was expected: {other:?}"),
    }
}

fn some_lines() -> impl Strategy<Value = String> {
    let line = prop_oneof!["[abc]{0,1}\n", "[ab]\r\n"];
    (proptest::collection::vec(line, 0..14), "[ab]?").prop_map(|(lines, end)| lines.concat() + &end)
}
