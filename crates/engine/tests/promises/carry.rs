//! Changes that are carried onto newer documents, taken back, or divided: nothing is lost between the
//! sides, and what is not certain is a conflict that writes nothing.

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
use sekali_engine::split::{Split, Taken};
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

fn on(text: &str) -> Option<SubmittedBase> {
    Some(SubmittedBase::Content(ContentHash::of(text.as_bytes())))
}

fn lines(numbers: std::ops::Range<u32>) -> String {
    numbers.map(|n| format!("line {n}\n")).collect()
}

fn conflicts(failure: Failure) -> Vec<sekali_core::conflict::Conflict> {
    match failure {
        Failure::Refused(refusal) if refusal.code == Code::ProposalConflict => refusal.facts.conflicts,
        other => panic!("a conflict was expected: {other:?}"),
    }
}

#[test]
fn rebase_brings_both_sides_together() {
    let desk = still();
    let base = lines(0..12);
    desk.did(vec![put("a.md", &base)]);
    let mine = desk.submit(proposal(vec![put("a.md", &base.replace("line 1\n", "mine\n"))]));
    desk.did(vec![put("a.md", &base.replace("line 10\n", "theirs\n"))]);
    assert_eq!(refusal(&desk.press(mine.number, mine.digest)), Code::ProposalStale);
    let shown = desk.engine.preview_rebase(&desk.ani, ROOM, mine.number).expect("it waits");
    assert!(shown.needed && shown.conflicts.is_empty(), "{shown:?}");
    let rebased = desk.rebase(mine.number, &[]).expect("a clean one");
    assert_eq!((rebased.revision, rebased.created), (2, true));
    assert_ne!(rebased.digest, mine.digest, "what was seen is not what would run now");
    assert_eq!(refusal(&desk.press(mine.number, mine.digest)), Code::ProposalChanged);
    let view = desk.engine.view(&desk.ani, ROOM, mine.number).expect("a proposal");
    assert_eq!(view.revisions.last().and_then(|r| r.row.rebased_from), Some(1));
    // Asked again there is nothing to do, and nothing is written.
    let before = desk.stored();
    let again = desk.rebase(mine.number, &[]).expect("as it is");
    assert_eq!((again.revision, again.created), (2, false));
    same(&desk, &before);
    desk.apply(&rebased);
    let both = base.replace("line 1\n", "mine\n").replace("line 10\n", "theirs\n");
    assert_eq!(desk.text("a.md").as_deref(), Some(&*both));
    desk.sound();
}

#[test]
fn rebase_in_conflict_writes_nothing_until_a_person_has_chosen() {
    let check = |sides: &[Side], expected: &str| {
        let desk = still();
        desk.did(vec![put("a.md", "one\ntwo\nthree\n")]);
        let mine = desk.submit(proposal(vec![put("a.md", "one\nMINE\nthree\n")]));
        let theirs = desk.applied(vec![put("a.md", "one\nTHEIRS\nthree\n")]);
        let before = desk.stored();
        let found = conflicts(desk.rebase(mine.number, &[]).expect_err("both changed line 2"));
        same(&desk, &before);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (one.kind, one.by.as_ref().map(|by| by.proposal)),
            (ConflictKind::Text, Some(theirs.number))
        );
        let [region] = one.regions.as_slice() else { panic!("{one:?}") };
        let texts = [&region.base, &region.now, &region.after].map(|part| (part.start, &*part.text));
        assert_eq!(texts, [(2, "two\n"), (2, "THEIRS\n"), (2, "MINE\n")]);
        assert_eq!(
            (&region.above[..], &region.below[..]),
            (&["one".to_owned()][..], &["three".to_owned()][..])
        );
        let choice = Choice { path: path("a.md"), sides: sides.to_vec() };
        let rebased = desk.rebase(mine.number, &[choice]).expect("decided");
        desk.apply(&rebased);
        assert_eq!(desk.text("a.md").as_deref(), Some(expected));
        desk.sound();
    };
    check(&[Side::After], "one\nMINE\nthree\n");
    check(&[Side::NowThenAfter], "one\nTHEIRS\nMINE\nthree\n");
    check(&[Side::AfterThenNow], "one\nMINE\nTHEIRS\nthree\n");
    check(&[Side::Base], "one\ntwo\nthree\n");
    // All of what is there leaves nothing to do.
    let desk = still();
    desk.did(vec![put("a.md", "1\n")]);
    let mine = desk.submit(proposal(vec![put("a.md", "2\n")]));
    desk.did(vec![put("a.md", "3\n")]);
    let choice = |sides: &[Side]| [Choice { path: path("a.md"), sides: sides.to_vec() }];
    assert_eq!(
        desk.rebase(mine.number, &choice(&[Side::Now])).expect_err("nothing").code(),
        Code::ProposalNoChange
    );
    // Too few or too many sides decide nothing.
    for sides in [&[][..], &[Side::After, Side::After]] {
        assert_eq!(
            desk.rebase(mine.number, &choice(sides)).expect_err("undecided").code(),
            Code::ProposalConflict
        );
    }
    let elsewhere = Choice { path: path("b.md"), sides: vec![Side::After] };
    assert_eq!(
        desk.rebase(mine.number, &[elsewhere]).expect_err("not its own").code(),
        Code::ProposalInvalid
    );
}

#[test]
fn rebase_of_what_came_and_went() {
    let check = |first: &[Submitted],
                 mine: Vec<Submitted>,
                 theirs: Vec<Submitted>,
                 expected: Result<&[(&str, &str)], ConflictKind>| {
        let desk = still();
        if !first.is_empty() {
            desk.did(first.to_vec());
        }
        let mine = desk.submit(proposal(mine));
        desk.did(theirs);
        let before = desk.stored();
        match (desk.rebase(mine.number, &[]), expected) {
            (Ok(rebased), Ok(documents)) => {
                desk.apply(&rebased);
                let got = desk.all();
                let got: Vec<(&str, &str)> = got.iter().map(|(p, t, _)| (&**p, &**t)).collect();
                assert_eq!(got, documents);
                desk.sound();
            }
            (Err(failure), Err(kind)) => {
                assert_eq!(conflicts(failure).iter().map(|c| c.kind).collect::<Vec<_>>(), [kind]);
                same(&desk, &before);
            }
            (got, expected) => panic!("{got:?} instead of {expected:?}"),
        }
    };
    let ab = [put("a", "1\n"), put("b", "2\n")];
    // Created by both: differently, and alike beside something else.
    check(&[], vec![put("n", "1")], vec![put("n", "2")], Err(ConflictKind::Created));
    check(&[], vec![put("n", "1"), put("m", "3")], vec![put("n", "1")], Ok(&[("m", "3"), ("n", "1")]));
    // Taken away on one side, changed on the other.
    check(&ab, vec![put("a", "9\n")], vec![delete("a")], Err(ConflictKind::Deleted));
    check(&ab, vec![delete("a")], vec![put("a", "9\n")], Err(ConflictKind::Deleted));
    check(&ab, vec![delete("a"), put("b", "3\n")], vec![delete("a")], Ok(&[("b", "3\n")]));
    // Moves.
    check(&ab, vec![rename("a", "c")], vec![put("a", "9\n")], Ok(&[("b", "2\n"), ("c", "9\n")]));
    check(
        &ab,
        vec![rename("a", "c"), put("b", "3\n")],
        vec![rename("a", "c")],
        Ok(&[("b", "3\n"), ("c", "1\n")]),
    );
    check(&ab, vec![rename("a", "c")], vec![put("c", "4")], Err(ConflictKind::Occupied));
    check(
        &ab,
        vec![rename("a", "t"), rename("b", "a"), rename("t", "b")],
        vec![put("a", "8\n")],
        Ok(&[("a", "2\n"), ("b", "8\n")]),
    );
    check(&ab, vec![put("a", "9\n")], vec![rename("a", "c")], Err(ConflictKind::Deleted));
    // Content that has no lines.
    check(&[put("a", "\0one")], vec![put("a", "\0two")], vec![put("a", "\0six")], Err(ConflictKind::Binary));
    // What others have done already.
    check(
        &ab,
        vec![put("a", "9\n"), put("b", "3\n")],
        vec![put("a", "9\n")],
        Ok(&[("a", "9\n"), ("b", "3\n")]),
    );
    // Merged line by line this would have a member twice.
    let json = |first: &str, last: &str| format!("{{\n{first}\"a\": 1,\n\"m\": 2,\n{last}\"z\": 3\n}}\n");
    let (plain, top, end) = (json("", ""), json("\"n\": 1,\n", ""), json("", "\"n\": 2,\n"));
    check(&[put("a", &plain)], vec![put("a", &top)], vec![put("a", &end)], Err(ConflictKind::Json));
    let (other, both) = (json("", "\"o\": 2,\n"), json("\"n\": 1,\n", "\"o\": 2,\n"));
    check(&[put("a", &plain)], vec![put("a", &top)], vec![put("a", &other)], Ok(&[("a", &both)]));
}

#[test]
fn a_mode_and_a_content_that_two_have_changed_are_both_kept() {
    let desk = still();
    desk.did(vec![put("run", "1\n")]);
    let exec = |content: &str| Submitted::Put {
        path: path("run"),
        content: content.into(),
        base: None,
        mode: Some(Mode::Executable),
    };
    let mine = desk.submit(proposal(vec![exec("1\n")]));
    desk.did(vec![put("run", "2\n")]);
    desk.apply(&desk.rebase(mine.number, &[]).expect("clean"));
    assert_eq!(desk.all(), [("run".to_owned(), "2\n".to_owned(), Mode::Executable)]);
}

#[test]
fn json_edits_are_made_again_where_their_values_stand() {
    let check = |edit: Submitted, theirs: &str, expected: Result<&str, &[&str]>| {
        let desk = still();
        desk.did(vec![put("d.json", "{\"a\": 1, \"b\": {\"c\": 1.50}, \"l\": [1, 2]}\n")]);
        let mine = desk.submit(proposal(vec![edit]));
        desk.did(vec![put("d.json", theirs)]);
        match (desk.rebase(mine.number, &[]), expected) {
            (Ok(rebased), Ok(text)) => {
                desk.apply(&rebased);
                assert_eq!(desk.text("d.json").as_deref(), Some(text));
                desk.sound();
            }
            (Err(failure), Err(places)) => {
                let found = conflicts(failure);
                let got: Vec<&str> = found[0].places.iter().map(|p| &*p.pointer).collect();
                assert_eq!((found[0].kind, &*got), (ConflictKind::Json, places));
            }
            (got, expected) => panic!("{got:?} instead of {expected:?}"),
        }
    };
    let patch = |text: &str| edit(JsonForm::Patch, "d.json", text);
    let merge = |text: &str| edit(JsonForm::MergePatch, "d.json", text);
    let set_a = r#"[{"op":"replace","path":"/a","value":2}]"#;
    // Everything is on one line: no merge by lines could do this.
    let other = "{\"a\": 1, \"b\": {\"c\": 9}, \"l\": [1, 2]}\n";
    check(patch(set_a), other, Ok("{\"a\": 2, \"b\": {\"c\": 9}, \"l\": [1, 2]}\n"));
    check(merge(r#"{"a":2}"#), other, Ok("{\"a\": 2, \"b\": {\"c\": 9}, \"l\": [1, 2]}\n"));
    check(patch(set_a), "{\"a\": 5, \"b\": {\"c\": 1.50}, \"l\": [1, 2]}\n", Err(&["/a"]));
    check(merge(r#"{"b":{"c":2}}"#), other, Err(&["/b/c"]));
    // What it only reads counts too, and an array counts as a whole.
    let tested = r#"[{"op":"test","path":"/b/c","value":1.5},{"op":"replace","path":"/a","value":2}]"#;
    check(patch(tested), other, Err(&["/b/c"]));
    let last = r#"[{"op":"add","path":"/l/-","value":3}]"#;
    check(patch(last), "{\"a\": 1, \"b\": {\"c\": 1.50}, \"l\": [0, 1, 2]}\n", Err(&["/l"]));
    check(patch(last), other, Ok("{\"a\": 1, \"b\": {\"c\": 9}, \"l\": [1, 2, 3]}\n"));
    // Content that was put beside the edit is not lost: then it merges by lines.
    let desk = still();
    desk.did(vec![put("d.json", "{\n\"a\": 1,\n\"m\": 0,\n\"z\": 1\n}\n")]);
    let whole = put("d.json", "{\n\"a\": 2,\n\"m\": 0,\n\"z\": 1\n}\n");
    let mine = desk.submit(proposal(vec![whole, merge(r#"{"a":3}"#)]));
    desk.did(vec![put("d.json", "{\n\"a\": 1,\n\"m\": 0,\n\"z\": 9\n}\n")]);
    desk.apply(&desk.rebase(mine.number, &[]).expect("another line"));
    assert_eq!(desk.text("d.json").as_deref(), Some("{\n\"a\": 3,\n\"m\": 0,\n\"z\": 9\n}\n"));
    let whole = put("d.json", "{\n\"a\": 3,\n\"m\": 5,\n\"z\": 9\n}\n");
    let mine = desk.submit(proposal(vec![whole, merge(r#"{"a":4}"#)]));
    desk.did(vec![put("d.json", "{\n\"b\": 1,\n\"n\": 1,\n\"a\": 3,\n\"m\": 0,\n\"z\": 9\n}\n")]);
    assert_eq!(desk.rebase(mine.number, &[]).expect_err("lines that touch").code(), Code::ProposalConflict);
}

#[test]
fn a_base_that_was_current_once_waits_to_be_rebased() {
    let desk = still();
    let base = lines(0..9);
    desk.did(vec![put("a.md", &base)]);
    let now = base.replace("line 8\n", "theirs\n");
    desk.did(vec![put("a.md", &now)]);
    let mine = Submitted::Put {
        path: path("a.md"),
        content: base.replace("line 0\n", "mine\n").into(),
        base: on(&base),
        mode: None,
    };
    let mine = desk.submit(proposal(vec![mine]));
    assert_eq!(mine.moved.len(), 1, "it is said at once");
    assert_eq!(refusal(&desk.press(mine.number, mine.digest)), Code::ProposalStale);
    assert_eq!(desk.text("a.md").as_deref(), Some(&*now));
    // Its difference is of what its author read.
    assert_eq!(desk.difference(mine.number), ["-line 0+mine-line 1-line 2-line 3"]);
    desk.apply(&desk.rebase(mine.number, &[]).expect("clean"));
    assert_eq!(desk.text("a.md").as_deref(), Some(&*now.replace("line 0\n", "mine\n")));
    desk.sound();
}

#[test]
fn who_may_rebase_and_when() {
    let desk = still();
    desk.did(vec![put("a", "1\n")]);
    let agent = caller("agent:drafting");
    let one = desk.engine.submit(&agent, ROOM, proposal(vec![put("a", "2\n")])).expect("agents propose");
    let other = desk.submit(proposal(vec![put("a", "2\n"), put("c", "1")]));
    desk.did(vec![put("a", "1\n"), put("b", "0")]);
    let rebase = |who: &str, number| desk.engine.rebase(&caller(who), ROOM, number, None, &[]);
    assert_eq!(rebase("Citra", one.number).expect_err("reads only").code(), Code::ActorDenied);
    assert_eq!(rebase("agent:drafting", other.number).expect_err("not its own").code(), Code::ActorDenied);
    assert!(!rebase("agent:drafting", one.number).expect("its own").created);
    let wrong = desk.engine.rebase(&desk.ani, ROOM, one.number, Some(other.digest), &[]);
    assert_eq!(wrong.expect_err("another digest").code(), Code::ProposalChanged);
    desk.apply(&one);
    assert_eq!(rebase("Ani", one.number).expect_err("decided").code(), Code::ProposalAlreadyApplied);
    assert_eq!(rebase("Ani", 99).expect_err("nothing").code(), Code::ProposalNotFound);
}

#[test]
fn revert_takes_back_what_was_done_and_leaves_what_came_after() {
    let desk = still();
    let base = lines(0..12);
    desk.did(vec![put("a.md", &base), put("b", "2\n"), put("old", "x\n")]);
    let before = desk.all();
    let done = desk.applied(vec![
        put("a.md", &base.replace("line 1\n", "done\n")),
        delete("b"),
        rename("old", "new"),
        put("made", "m\n"),
    ]);
    let reverted = desk.revert(&[done.number]).expect("nothing came after");
    assert_eq!(desk.state(reverted.number), State::Waiting);
    let view = desk.engine.view(&desk.ani, ROOM, reverted.number).expect("a proposal");
    assert_eq!(view.current.title, "Revert #2: T");
    assert_eq!(view.links.iter().map(|l| (l.number, l.outgoing)).collect::<Vec<_>>(), [(done.number, true)]);
    desk.apply(&reverted);
    assert_eq!(desk.all(), before);
    // Taking back the revert is doing it again.
    let again = desk.revert(&[reverted.number]).expect("nothing came after");
    desk.apply(&again);
    assert_eq!(desk.text("made").as_deref(), Some("m\n"));
    // What others have changed elsewhere stays.
    let now = desk.text("a.md").expect("there");
    desk.did(vec![put("a.md", &now.replace("line 10\n", "later\n"))]);
    let merged = desk.revert(&[again.number]).expect("another place");
    desk.apply(&merged);
    assert_eq!(desk.text("a.md").as_deref(), Some(&*base.replace("line 10\n", "later\n")));
    desk.sound();
}

#[test]
fn revert_of_several_and_what_stands_in_its_way() {
    let desk = still();
    desk.did(vec![put("a", "1\n")]);
    let two = desk.applied(vec![put("a", "2\n")]);
    let three = desk.applied(vec![put("a", "3\n"), put("b", "1\n")]);
    let before = desk.stored();
    let found = conflicts(desk.revert(&[two.number]).expect_err("#3 changed the line again"));
    assert_eq!(found[0].by.as_ref().map(|by| by.proposal), Some(three.number));
    same(&desk, &before);
    // Both together, in any order, and each once.
    let both = desk.revert(&[two.number, three.number, two.number]).expect("the later first");
    desk.apply(&both);
    assert_eq!(desk.all(), [("a".to_owned(), "1\n".to_owned(), Mode::Plain)]);
    assert_eq!(desk.revert(&[two.number]).expect_err("gone").code(), Code::ProposalNoChange);
    let waiting = desk.submit(proposal(vec![put("c", "1")]));
    assert_eq!(desk.revert(&[waiting.number]).expect_err("not applied").code(), Code::ProposalNotApplied);
    let made = desk.applied(vec![put("d", "1\n")]);
    desk.did(vec![put("d", "2\n")]);
    let found = conflicts(desk.revert(&[made.number]).expect_err("changed since"));
    assert_eq!(found[0].kind, ConflictKind::Deleted);
    let denied = desk.engine.revert(
        &caller("Citra"),
        ROOM,
        &Revert { numbers: vec![both.number], title: None, untitled: None, why: None, key: None },
    );
    assert_eq!(denied.expect_err("reads only").code(), Code::ActorDenied);
    desk.sound();
}

#[test]
fn p5_a_revert_under_a_key_is_one_revert() {
    let desk = still();
    let done = desk.applied(vec![put("a", "1")]);
    let asked = |title: Option<&str>| Revert {
        numbers: vec![done.number],
        title: title.map(str::to_owned),
        untitled: None,
        why: None,
        key: Some("k".to_owned()),
    };
    let one = desk.engine.revert(&desk.ani, ROOM, &asked(None)).expect("fresh");
    let two = desk.engine.revert(&desk.ani, ROOM, &asked(None)).expect("the same");
    assert_eq!((two.number, two.replayed), (one.number, true));
    let other = desk.engine.revert(&desk.ani, ROOM, &asked(Some("Other")));
    assert_eq!(other.expect_err("other content").code(), Code::KeyReused);
    desk.apply(&one);
    assert!(desk.engine.revert(&desk.ani, ROOM, &asked(None)).expect("still the same").replayed);
}

fn take(at: &str, hunks: Option<&[u32]>) -> Taken {
    Taken { path: path(at), hunks: hunks.map(<[u32]>::to_vec) }
}

#[test]
fn split_loses_nothing_between_its_parts() {
    let desk = still();
    let base = lines(0..40);
    desk.did(vec![put("a.md", &base), put("b", "2\n")]);
    let whole = base.replace("line 1\n", "one\n").replace("line 20\n", "").replace("line 38\n", "38\nand\n");
    let changes = vec![put("a.md", &whole), delete("b"), put("c", "3\n")];
    let one = desk.submit(proposal(changes));
    let split = |take: Vec<Taken>, seen| {
        desk.engine.split(&desk.ani, ROOM, one.number, &Split { seen, take, title: None })
    };
    let before = desk.stored();
    for (take, what) in [
        (vec![], "nothing"),
        (vec![take("a.md", None), take("b", None), take("c", None)], "everything"),
        (vec![take("a.md", Some(&[1, 2, 3])), take("b", None), take("c", None)], "everything by hunks"),
        (vec![take("d", None)], "another document"),
        (vec![take("a.md", Some(&[4]))], "no such hunk"),
        (vec![take("a.md", Some(&[0]))], "no such hunk"),
        (vec![take("b", Some(&[1]))], "a deletion has no parts"),
        (vec![take("c", Some(&[1]))], "a creation has no parts"),
    ] {
        assert_eq!(split(take, None).expect_err(what).code(), Code::ProposalInvalid, "{what}");
    }
    same(&desk, &before);
    let parts =
        split(vec![take("a.md", Some(&[1, 3])), take("c", None)], Some(one.digest)).expect("a good one");
    assert_eq!((parts.taken.number, parts.taken.revision), (one.number, 2));
    assert!(parts.taken.moved.is_empty() && !parts.rest.moved.is_empty());
    assert_eq!(
        desk.difference(parts.rest.number),
        ["-line 17-line 18-line 19-line 20-line 21-line 22-line 23", "-2"]
    );
    // The rest waits for what it continues, and says so.
    let Outcome::Refused(waits) = desk.press(parts.rest.number, parts.rest.digest) else {
        panic!("it waits")
    };
    assert_eq!((waits.code, waits.facts.other), (Code::ProposalStale, Some(one.number)));
    let view = desk.engine.view(&desk.ani, ROOM, parts.rest.number).expect("a proposal");
    assert_eq!((view.awaits, view.current.title.as_str()), (Some(one.number), "T (rest)"));
    assert_eq!(refusal(&desk.press(one.number, one.digest)), Code::ProposalChanged);
    desk.apply(&parts.taken);
    desk.apply(&parts.rest);
    let expected = [("a.md", &*whole), ("c", "3\n")];
    let got = desk.all();
    assert_eq!(got.iter().map(|(p, t, _)| (&**p, &**t)).collect::<Vec<_>>(), expected);
    desk.sound();
}

#[test]
fn the_rest_can_go_without_the_part_that_it_was_split_from() {
    let desk = still();
    let base = lines(0..40);
    desk.did(vec![put("a.md", &base)]);
    let whole = base.replace("line 1\n", "one\n").replace("line 38\n", "thirty-eight\n");
    let one = desk.submit(proposal(vec![put("a.md", &whole)]));
    let asked = Split { seen: None, take: vec![take("a.md", Some(&[1]))], title: Some("Rest".to_owned()) };
    let parts = desk.engine.split(&desk.ani, ROOM, one.number, &asked).expect("a good one");
    desk.engine.reject(&desk.ani, ROOM, one.number, None, "no").expect("it waits");
    let rebased = desk.rebase(parts.rest.number, &[]).expect("clean");
    desk.apply(&rebased);
    assert_eq!(desk.text("a.md").as_deref(), Some(&*base.replace("line 38\n", "thirty-eight\n")));
    desk.sound();
}

fn some_lines() -> impl Strategy<Value = String> {
    let line = prop_oneof!["[abc]{0,1}\n", "[ab]\r\n"];
    (proptest::collection::vec(line, 0..14), "[ab]?").prop_map(|(lines, end)| lines.concat() + &end)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Split, then both applied, is the whole applied.
    #[test]
    fn split_then_both_is_the_whole(
        base in some_lines(), after in some_lines(), moves in any::<bool>(), picks in any::<u8>(),
    ) {
        prop_assume!(base != after && !base.is_empty() && !after.is_empty());
        let desk = still();
        desk.did(vec![put("a", &base)]);
        let mut changes = vec![put("a", &after), put("z", "z")];
        if moves {
            changes.push(rename("a", "b"));
        }
        let one = desk.submit(proposal(changes));
        let at = if moves { "b" } else { "a" };
        let (_, shown) = desk.engine.diff(&desk.ani, ROOM, one.number, None).expect("a proposal");
        let hunks = shown.iter().find(|c| c.row.change.path.as_str() == at).and_then(|c| c.diff.as_ref()).map_or(0, |d| d.hunks.len());
        let picked: Vec<u32> = (1..=u32::try_from(hunks).unwrap()).filter(|n| picks >> (n % 8) & 1 == 1).collect();
        let taken = if picked.is_empty() { take("z", None) } else { take(at, Some(&picked)) };
        let split = Split { seen: None, take: vec![taken], title: None };
        let parts = desk.engine.split(&desk.ani, ROOM, one.number, &split).expect("a good one");
        desk.apply(&parts.taken);
        desk.apply(&parts.rest);
        prop_assert_eq!(desk.text(at), Some(after));
        prop_assert_eq!(desk.text("z"), Some("z".to_owned()));
        desk.sound();
    }

    /// What a rebase that says clean leaves holds every line that either side added, and none that
    /// either took away; and it is what was shown before it was applied.
    #[test]
    fn a_clean_rebase_loses_no_line(base in some_lines(), mine in some_lines(), theirs in some_lines()) {
        prop_assume!(base != mine && base != theirs);
        let desk = still();
        desk.did(vec![put("a", &base)]);
        let one = desk.submit(proposal(vec![put("a", &mine)]));
        desk.did(vec![put("a", &theirs)]);
        let before = desk.stored();
        match desk.rebase(one.number, &[]) {
            Err(failure) => {
                prop_assert!(matches!(failure.code(), Code::ProposalConflict | Code::ProposalNoChange));
                same(&desk, &before);
            }
            Ok(rebased) => {
                desk.apply(&rebased);
                let merged = desk.text("a").expect("there");
                let count = |text: &str, line: &str| i64::try_from(text.split_inclusive('\n').filter(|l| *l == line).count()).unwrap();
                for line in [&base, &mine, &theirs].iter().flat_map(|text| text.split_inclusive('\n')) {
                    let (b, m, t) = (count(&base, line), count(&mine, line), count(&theirs, line));
                    let got = count(&merged, line);
                    // What a side added or took away is there or gone; the same of both counts once.
                    let least = (m - b).min(t - b).min(m + t - 2 * b);
                    let most = (m - b).max(t - b).max(m + t - 2 * b);
                    prop_assert!((least..=most).contains(&(got - b)), "{:?}: {} {} {} {}", line, b, m, t, got);
                }
            }
        }
    }
}
