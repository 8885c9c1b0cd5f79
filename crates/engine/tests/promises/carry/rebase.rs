//! Rebase: both sides whole, or a conflict that writes nothing.

use super::*;

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
        let choice = choose("a.md", sides);
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
    let choice = |sides: &[Side]| [choose("a.md", sides)];
    assert_eq!(
        desk.rebase(mine.number, &choice(&[Side::Now])).expect_err("nothing").code(),
        Code::ProposalNoChange
    );
    // Too few or too many sides decide nothing, which is said.
    for sides in [&[][..], &[Side::After, Side::After]] {
        let found = conflicts(desk.rebase(mine.number, &choice(sides)).expect_err("undecided"));
        assert!(found[0].detail.ends_with(&format!(": 1, not {}.", sides.len())), "{}", found[0].detail);
    }
    // Nor do two choices for one document, or more of them than there may be changes.
    let twice = [choose("a.md", &[Side::After]), choose("A.md", &[Side::Now])];
    let refused = desk.rebase(mine.number, &twice).expect_err("which?");
    let Failure::Refused(refusal) = &refused else { panic!("{refused:?}") };
    assert_eq!((refusal.code, refusal.facts.field.as_deref()), (Code::ProposalInvalid, Some("take[1].path")));
    let many = vec![choose("a.md", &[Side::After]); 10_001];
    assert_eq!(desk.rebase(mine.number, &many).expect_err("too many").code(), Code::LimitExceeded);
    let elsewhere = choose("b.md", &[Side::After]);
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
    check(&ab, vec![put("a", "9\n")], vec![rename("a", "c")], Ok(&[("b", "2\n"), ("c", "9\n")]));
    check(
        &ab,
        vec![rename("a", "c"), put("c", "9\n")],
        vec![rename("a", "c")],
        Ok(&[("b", "2\n"), ("c", "9\n")]),
    );
    check(&ab, vec![put("a", "9\n")], vec![rename("a", "c"), put("c", "8\n")], Err(ConflictKind::Text));
    check(&ab, vec![rename("a", "d")], vec![rename("a", "c")], Err(ConflictKind::Deleted));
    check(&ab, vec![delete("a")], vec![rename("a", "c")], Err(ConflictKind::Deleted));
    // A folder where a document would come, and the other way round.
    check(&[], vec![put("n/one", "1")], vec![put("n", "2")], Err(ConflictKind::Occupied));
    check(&[], vec![put("n", "1")], vec![put("n/one/two", "2")], Err(ConflictKind::Occupied));
    check(&ab, vec![rename("a", "n")], vec![put("n/one", "2")], Err(ConflictKind::Occupied));
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
        base: Some(on(&base)),
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
fn what_cannot_leave_is_in_the_way_of_what_comes_to_its_place() {
    let desk = still();
    desk.did(vec![put("a", "1\n"), put("b", "2\n")]);
    let mine = desk.submit(proposal(vec![delete("b"), rename("a", "b")]));
    desk.did(vec![put("b", "9\n")]);
    let before = desk.stored();
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("b has changed"));
    let kinds: Vec<_> = found.iter().map(|c| (c.kind, c.path.as_str(), c.from.is_some())).collect();
    assert!(kinds.contains(&(ConflictKind::Occupied, "b", true)), "{kinds:?}");
    same(&desk, &before);
    // Two changes come to one path: each is decided by itself.
    let choice = |from: Option<&str>, side| Choice { from: from.map(path), ..choose("b", &[side]) };
    let keep = [choice(None, Side::Now)];
    assert_eq!(desk.rebase(mine.number, &keep).expect_err("all of it stays").code(), Code::ProposalNoChange);
    let go = [choice(None, Side::After), choice(Some("a"), Side::After)];
    desk.apply(&desk.rebase(mine.number, &go).expect("b goes after all"));
    assert_eq!(desk.all(), [("b".to_owned(), "1\n".to_owned(), Mode::Plain)]);
    desk.sound();
}

#[test]
fn an_edit_follows_a_document_that_others_have_moved() {
    let desk = still();
    let text = lines(0..9);
    desk.did(vec![put("a", &text)]);
    let mine = desk.submit(proposal(vec![put("a", &text.replace("line 8\n", "mine\n"))]));
    desk.did(vec![rename("a", "b")]);
    desk.did(vec![rename("b", "c"), put("c", &text.replace("line 0\n", "theirs\n"))]);
    desk.apply(&desk.rebase(mine.number, &[]).expect("another line of it"));
    let both = text.replace("line 0\n", "theirs\n").replace("line 8\n", "mine\n");
    assert_eq!(desk.all(), [("c".to_owned(), both, Mode::Plain)]);
    desk.sound();
    // Both changed the line: the conflict is named as the change is, and decided for what is there.
    let mine = desk.submit(proposal(vec![put("c", "mine\n")]));
    desk.did(vec![rename("c", "d"), put("d", "theirs\n")]);
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("both changed it"));
    assert_eq!(
        (found[0].kind, found[0].path.as_str(), found[0].now),
        (ConflictKind::Text, "c", on("theirs\n"))
    );
    assert_eq!(found[0].moved_to.as_ref().map(DocPath::as_str), Some("d"));
    let seen = Choice { now: Some(found[0].now), ..choose("c", &[Side::After]) };
    desk.apply(&desk.rebase(mine.number, &[seen]).expect("chosen"));
    assert_eq!(desk.all(), [("d".to_owned(), "mine\n".to_owned(), Mode::Plain)]);
}

#[test]
fn a_person_says_what_becomes_of_a_document_that_others_have_moved() {
    let check = |mine: Submitted, path_of: &str, from: Option<&str>, sides: &[(Side, &[&str])]| {
        for ((side, left), bound) in sides.iter().flat_map(|side| [(side, false), (side, true)]) {
            let desk = still();
            desk.did(vec![put("a", "1\n"), put("z", "1\n")]);
            let mine = desk.submit(proposal(vec![mine.clone(), put("z", "2\n")]));
            desk.did(vec![rename("a", "c")]);
            let before = desk.stored();
            let found = conflicts(desk.rebase(mine.number, &[]).expect_err("a is c now"));
            let [one] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!((one.kind, one.path.as_str()), (ConflictKind::Deleted, path_of));
            assert_eq!(one.moved_to.as_ref().map(DocPath::as_str), Some("c"));
            same(&desk, &before);
            let now = bound.then_some(one.now);
            let choice = Choice { from: from.map(path), now, ..choose(path_of, &[*side]) };
            desk.apply(&desk.rebase(mine.number, &[choice]).expect("decided"));
            let all = desk.all();
            assert_eq!(all.iter().map(|(at, ..)| at.as_str()).collect::<Vec<_>>(), *left);
            desk.sound();
        }
    };
    check(delete("a"), "a", None, &[(Side::Now, &["c", "z"]), (Side::After, &["z"])]);
    check(rename("a", "b"), "b", Some("a"), &[(Side::Now, &["c", "z"]), (Side::After, &["b", "z"])]);
    // That it has changed there too is asked at once, and what was decided before is asked again.
    let desk = still();
    desk.did(vec![put("a", "1\n"), put("z", "1\n")]);
    let mine = desk.submit(proposal(vec![delete("a"), put("z", "2\n")]));
    desk.did(vec![rename("a", "c")]);
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("a is c now"));
    let there = Choice { now: Some(found[0].now), ..choose("a", &[Side::After]) };
    desk.did(vec![put("c", "9\n")]);
    let found = conflicts(desk.rebase(mine.number, &[there]).expect_err("and has changed there"));
    assert_eq!((found[0].kind, found[0].now), (ConflictKind::Deleted, on("9\n")));
    let there = Choice { now: Some(found[0].now), ..choose("a", &[Side::After]) };
    desk.apply(&desk.rebase(mine.number, &[there]).expect("it goes all the same"));
    assert_eq!(desk.all().iter().map(|(at, ..)| at.as_str()).collect::<Vec<_>>(), ["z"]);
}

#[test]
fn a_document_that_would_be_a_folder_is_left_where_a_person_says_so() {
    let desk = still();
    let mine = desk.submit(proposal(vec![put("n/one", "1"), put("m", "3")]));
    desk.did(vec![put("n", "2")]);
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("n is a document"));
    assert_eq!((found.len(), found[0].path.as_str()), (1, "n/one"));
    assert_eq!(
        desk.rebase(mine.number, &[choose("n/one", &[Side::After])]).expect_err("still").code(),
        Code::ProposalConflict
    );
    desk.apply(&desk.rebase(mine.number, &[choose("n/one", &[Side::Now])]).expect("only m"));
    assert_eq!(desk.all().iter().map(|(at, ..)| at.as_str()).collect::<Vec<_>>(), ["m", "n"]);
    desk.sound();
    // Several at once are all said at once.
    let mine = desk.submit(proposal(vec![put("o/one", "1"), put("p/one", "1"), put("q", "1")]));
    desk.did(vec![put("o", "2"), put("p", "2"), put("q/one", "2")]);
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("none can come"));
    assert_eq!(found.iter().map(|c| c.path.as_str()).collect::<Vec<_>>(), ["o/one", "p/one", "q"]);
    let first = choose("o/one", &[Side::Now]);
    let left = conflicts(desk.rebase(mine.number, std::slice::from_ref(&first)).expect_err("two more"));
    assert_eq!(left.iter().map(|c| c.path.as_str()).collect::<Vec<_>>(), ["p/one", "q"]);
}

#[test]
fn what_was_chosen_for_lines_is_not_chosen_for_the_document() {
    let desk = still();
    let json = |a: &str, second: &str, fourth: &str| {
        format!("{{\n\"a\": {a},\n\"m\": 2,\n{second}\"p\": 3,\n\"q\": 4,\n{fourth}\"z\": 5\n}}\n")
    };
    desk.did(vec![put("a.json", &json("1", "", ""))]);
    let mine = desk.submit(proposal(vec![put("a.json", &json("5", "\"n\": 1,\n", ""))]));
    desk.did(vec![put("a.json", &json("6", "", "\"n\": 2,\n"))]);
    // Whatever is chosen for the region, a member is there twice: it is asked about as a whole, and only so.
    let before = desk.stored();
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("both changed a"));
    assert_eq!((found[0].kind, found[0].regions.len()), (ConflictKind::Json, 0));
    same(&desk, &before);
    desk.apply(&desk.rebase(mine.number, &[choose("a.json", &[Side::After])]).expect("as it was wanted"));
    assert_eq!(desk.text("a.json"), Some(json("5", "\"n\": 1,\n", "")));
}

#[test]
fn a_choice_is_for_what_stood_there_when_it_was_made() {
    let desk = still();
    desk.did(vec![put("a", "one\n"), put("g", "1\n")]);
    let mine = desk.submit(proposal(vec![put("a", "mine\n"), delete("g")]));
    desk.did(vec![put("a", "theirs\n"), put("g", "2\n")]);
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("both changed both"));
    assert_eq!(found.iter().map(|c| c.now).collect::<Vec<_>>(), [on("theirs\n"), on("2\n")]);
    let seen: Vec<Choice> = found
        .iter()
        .map(|c| Choice { now: Some(c.now), ..choose(c.path.as_str(), &[Side::After]) })
        .collect();
    desk.did(vec![put("a", "later\n")]);
    let before = desk.stored();
    let again = conflicts(desk.rebase(mine.number, &seen).expect_err("nobody has seen what is there"));
    assert_eq!(again.iter().map(|c| (c.path.as_str(), c.now)).collect::<Vec<_>>(), [("a", on("later\n"))]);
    same(&desk, &before);
    let seen = [Choice { now: Some(on("later\n")), ..seen[0].clone() }, seen[1].clone()];
    desk.apply(&desk.rebase(mine.number, &seen).expect("seen"));
    assert_eq!(desk.all(), [("a".to_owned(), "mine\n".to_owned(), Mode::Plain)]);
    desk.sound();
}

#[test]
fn what_is_over_is_not_rebased() {
    let clock = SetClock::at_ms(1_790_000_000_000);
    let desk = Desk::at(clock.clone());
    desk.did(vec![put("a", "1\n")]);
    let until = sekali_core::Timestamp::from_ms(1_790_000_001_000);
    let mine = desk.submit(sekali_core::submission::Submission {
        valid_until: Some(until),
        ..proposal(vec![put("a", "2\n")])
    });
    desk.did(vec![put("a", "1\n"), put("b", "1")]);
    clock.set_ms(1_790_000_002_000);
    assert_eq!(desk.rebase(mine.number, &[]).expect_err("over").code(), Code::ProposalExpired);
    assert_eq!(
        desk.split(mine.number, vec![take("a", None)]).expect_err("over").code(),
        Code::ProposalExpired
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// A rebase is what the merge of the three sides is (whose own tests show that it loses no line), and
    /// what is applied is that; in conflict nothing is written.
    #[test]
    fn a_rebase_is_the_merge(base in some_lines(), mine in some_lines(), theirs in some_lines()) {
        prop_assume!(base != mine && base != theirs);
        let desk = still();
        desk.did(vec![put("a", &base)]);
        let one = desk.submit(proposal(vec![put("a", &mine)]));
        desk.did(vec![put("a", &theirs)]);
        let before = desk.stored();
        let merged = sekali_core::merge::merge(base.as_bytes(), theirs.as_bytes(), mine.as_bytes()).clean();
        match desk.rebase(one.number, &[]) {
            Err(failure) => {
                let nothing_new = merged.as_deref() == Some(theirs.as_bytes());
                let expected = if nothing_new { Code::ProposalNoChange } else { Code::ProposalConflict };
                prop_assert_eq!(failure.code(), expected);
                prop_assert!(nothing_new || merged.is_none());
                same(&desk, &before);
            }
            Ok(rebased) => {
                desk.apply(&rebased);
                prop_assert_eq!(desk.text("a").map(String::into_bytes), merged);
                desk.sound();
            }
        }
    }
}

#[test]
fn a_side_for_what_merges_by_itself_is_refused_unless_it_was_overtaken() {
    let desk = still();
    let base = lines(0..12);
    desk.did(vec![put("a", &base), put("b", "1\n"), put("c", "1\n")]);
    let one = desk.submit(proposal(vec![
        put("a", &base.replace("line 1\n", "mine\n")),
        put("b", "mine\n"),
        put("c", "mine\n"),
    ]));
    desk.did(vec![put("a", &base.replace("line 10\n", "theirs\n")), put("b", "theirs\n")]);
    let before = desk.stored();
    let all = [choose("a", &[Side::After]), choose("b", &[Side::After])];
    let Err(Failure::Refused(refusal)) = desk.rebase(one.number, &all) else { panic!("a merges by itself") };
    assert_eq!((refusal.code, refusal.facts.field.as_deref()), (Code::ProposalInvalid, Some("take[0].path")));
    // One whose document nobody has touched is no better.
    let other = [choose("b", &[Side::After]), choose("c", &[Side::Now])];
    let Err(Failure::Refused(refusal)) = desk.rebase(one.number, &other) else { panic!("c is as it was") };
    assert_eq!(refusal.facts.field.as_deref(), Some("take[1].path"));
    same(&desk, &before);
    // What says what it was for was overtaken: it counts for nothing.
    let stood = |text: &str| Some(on(text));
    let bound = Choice { now: stood("1\n"), ..choose("a", &[Side::Now]) };
    let rebased = desk.rebase(one.number, &[bound, choose("b", &[Side::After])]).expect("b is decided");
    desk.apply(&rebased);
    let merged = base.replace("line 1\n", "mine\n").replace("line 10\n", "theirs\n");
    assert_eq!(desk.text("a").as_deref(), Some(&*merged));
    desk.sound();
}

#[test]
fn sides_that_make_json_unsound_together_are_chosen_again() {
    let desk = still();
    let three = |a: &str, b: &str| format!("{{\n{a},\n\"x\":0,\n{b}\n}}\n");
    desk.did(vec![put("a.json", &three("\"a\":1", "\"b\":2"))]);
    let one = desk.submit(proposal(vec![put("a.json", &three("\"k\":1", "\"b\":3"))]));
    desk.did(vec![put("a.json", &three("\"a\":10", "\"k\":2"))]);
    assert_eq!(conflicts(desk.rebase(one.number, &[]).expect_err("two places"))[0].regions.len(), 2);
    // A member twice.
    let unsound = choose("a.json", &[Side::After, Side::Now]);
    let again = conflicts(desk.rebase(one.number, &[unsound]).expect_err("k twice"));
    assert_eq!((again[0].kind, again[0].regions.len()), (ConflictKind::Text, 2));
    assert!(
        again[0].detail.ends_with("would no longer be sound JSON; choose others."),
        "{}",
        again[0].detail
    );
    desk.apply(&desk.rebase(one.number, &[choose("a.json", &[Side::Now, Side::After])]).expect("sound"));
    assert_eq!(desk.text("a.json"), Some(three("\"a\":10", "\"b\":3")));
    desk.sound();
}

#[test]
fn the_base_of_what_has_no_places_is_what_both_began_with() {
    let desk = still();
    desk.did(vec![put("logo", "\0one"), put("b", "1\n")]);
    let one = desk.submit(proposal(vec![put("logo", "\0mine"), put("b", "2\n")]));
    desk.did(vec![put("logo", "\0theirs")]);
    desk.apply(&desk.rebase(one.number, &[choose("logo", &[Side::Base])]).expect("decided"));
    assert_eq!(desk.text("logo").as_deref(), Some("\0one"));
    desk.sound();
}
