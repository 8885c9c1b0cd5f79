//! Revert: what was done is taken back, and nothing else.

use super::*;

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
fn what_stands_in_the_way_of_a_revert_is_named_with_who_put_it_there() {
    let desk = still();
    desk.did(vec![put("a", "1\n"), put("b", "1\n")]);
    // Another document is where the move came from, or it has become a folder.
    let check = |moved: Submitted, taken: Submitted, path_of: &str, at: &str| {
        let desk = still();
        desk.did(vec![put("a", "1\n"), put("n", "1\n")]);
        let done = desk.applied(vec![moved]);
        let theirs = desk.applied(vec![taken]);
        let before = desk.stored();
        let found = conflicts(desk.revert(&[done.number]).expect_err("its place is taken"));
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.kind, one.path.as_str()), (ConflictKind::Occupied, path_of));
        assert_eq!(one.from.as_ref().map_or(path_of, |from| from.as_str()), at);
        assert_eq!(one.by.as_ref().map(|by| by.proposal), Some(theirs.number));
        same(&desk, &before);
        // Both together can go.
        desk.apply(&desk.revert(&[done.number, theirs.number]).expect("both"));
        assert_eq!(desk.all().len(), 2);
        desk.sound();
    };
    check(rename("a", "c"), put("a", "9\n"), "a", "c");
    check(rename("a", "c"), put("a/b", "9\n"), "a", "c");
    check(delete("n"), put("n/one", "9\n"), "n", "n");
    // What others have moved is asked about where it is now; an edit is taken back there.
    let edited = desk.applied(vec![put("b", "2\n")]);
    let moved = desk.applied(vec![rename("b", "c")]);
    let made = desk.applied(vec![put("d", "1\n")]);
    let away = desk.applied(vec![rename("d", "e")]);
    let found = conflicts(desk.revert(&[made.number]).expect_err("it is e now"));
    assert_eq!(found[0].moved_to.as_ref().map(DocPath::as_str), Some("e"));
    assert_eq!(found[0].by.as_ref().map(|by| by.proposal), Some(away.number));
    desk.apply(&desk.revert(&[edited.number]).expect("followed"));
    assert_eq!(desk.text("c").as_deref(), Some("1\n"));
    desk.apply(&desk.revert(&[moved.number]).expect("back"));
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

#[test]
fn reverts_are_taken_back_from_the_last_to_the_first() {
    // Each needs what the next has done: only the last first can be right.
    let steps = [
        vec![put("a", "1\n")],
        vec![rename("a", "b")],
        vec![put("a", "other\n"), put("b", "2\n")],
        vec![rename("a", "t"), rename("b", "a"), rename("t", "b")],
        vec![delete("a")],
        vec![put("a/below", "3\n")],
    ];
    for backwards in [false, true] {
        let desk = still();
        desk.did(vec![put("z", "z")]);
        let mut numbers: Vec<u64> = steps.iter().map(|step| desk.applied(step.clone()).number).collect();
        if backwards {
            numbers.reverse();
        }
        let whole = desk.revert(&numbers).expect("all of it");
        desk.apply(&whole);
        assert_eq!(desk.all(), [("z".to_owned(), "z".to_owned(), Mode::Plain)]);
        // And the taking back itself.
        desk.apply(&desk.revert(&[whole.number]).expect("again"));
        let got: Vec<(String, String)> = desk.all().into_iter().map(|(at, text, _)| (at, text)).collect();
        let expected = [("a/below", "3\n"), ("b", "other\n"), ("z", "z")];
        assert_eq!(got, expected.map(|(at, text)| (at.to_owned(), text.to_owned())));
        desk.sound();
    }
}

#[test]
fn a_revert_is_a_duplicate_only_of_what_waits_beside_it() {
    let desk = still();
    let first = desk.applied(vec![put("a", "1\n")]);
    let second = desk.applied(vec![put("a", "2\n")]);
    let revert = desk.revert(&[second.number]).expect("back to the first");
    assert_eq!(revert.possible_duplicates, [] as [u64; 0], "#{} was made before", first.number);
    let again = desk.revert(&[second.number]).expect("another one");
    assert_eq!(again.possible_duplicates, [revert.number]);
    let view = desk.engine.view(&desk.ani, ROOM, revert.number).expect("a proposal");
    assert_eq!(view.possible_duplicates, [again.number]);
    // What is no revert is compared with all.
    assert_eq!(desk.submit(proposal(vec![put("a", "1\n")])).possible_duplicates[0], first.number);
}

#[test]
fn all_who_stand_in_the_way_of_a_revert_are_named_at_once() {
    let desk = still();
    desk.did(vec![put("a", "0\n"), put("b", "0\n")]);
    let edits: Vec<u64> = (1..=4).map(|n| desk.applied(vec![put("a", &format!("{n}\n"))]).number).collect();
    let later = |numbers: &[u64]| {
        let Failure::Refused(refusal) = desk.revert(numbers).expect_err("changed since") else {
            panic!("refused")
        };
        let by = refusal.facts.conflicts.first().and_then(|conflict| conflict.by.as_ref());
        assert!(refusal.detail.ends_with(": a has changed since."), "{refusal}");
        (by.map(|by| by.proposal), refusal.facts.later)
    };
    assert_eq!(later(&edits[..1]), (Some(edits[3]), vec![edits[3], edits[2], edits[1]]));
    // Of those that are taken back themselves none is in the way.
    assert_eq!(later(&[edits[0], edits[3]]), (Some(edits[2]), vec![edits[2], edits[1]]));
    desk.apply(&desk.revert(&edits).expect("all of them"));
    assert_eq!(desk.text("a").as_deref(), Some("0\n"));
    // Where others have moved it, they are named by what they did there.
    let edit = desk.applied(vec![put("b", "1\n")]).number;
    let theirs = [vec![rename("b", "c")], vec![put("c", "2\n")], vec![put("b", "other\n")]];
    let theirs: Vec<u64> = theirs.into_iter().map(|step| desk.applied(step).number).collect();
    let Err(Failure::Refused(refusal)) = desk.revert(&[edit]) else { panic!("c has changed") };
    let conflict = &refusal.facts.conflicts[0];
    assert_eq!(conflict.moved_to.as_ref().map(DocPath::as_str), Some("c"));
    assert_eq!(conflict.by.as_ref().map(|by| by.proposal), Some(theirs[1]));
    // Also who has put another one where it would come back to.
    assert_eq!(refusal.facts.later, [theirs[2], theirs[1], theirs[0]]);
    desk.apply(&desk.revert(&[edit, theirs[0], theirs[1], theirs[2]]).expect("all of them"));
    assert_eq!(desk.text("b").as_deref(), Some("0\n"));
    desk.sound();
}

#[test]
fn a_deletion_that_was_taken_back_is_not_taken_back_again() {
    let desk = still();
    desk.did(vec![put("a", "1\n"), put("b", "b\n")]);
    let deletion = desk.applied(vec![delete("a"), put("b", "B\n")]);
    let back = desk.revert(&[deletion.number]).expect("nothing came after");
    desk.apply(&back);
    desk.did(vec![rename("a", "moved")]);
    let before = desk.stored();
    assert_eq!(desk.revert(&[deletion.number]).expect_err("it is back").code(), Code::ProposalNoChange);
    same(&desk, &before);
    // Deleted once more, and that taken back: it is there all the same.
    let again = desk.applied(vec![delete("moved")]);
    desk.apply(&desk.revert(&[again.number]).expect("it comes back where it was last"));
    desk.did(vec![put("moved", "2\n")]);
    assert_eq!(desk.revert(&[deletion.number]).expect_err("it is back").code(), Code::ProposalNoChange);
    // Without the one that brought it back, it is to be brought back.
    desk.did(vec![put("moved", "1\n"), rename("moved", "a")]);
    let gone = desk.revert(&[back.number]).expect("as it was left");
    desk.apply(&gone);
    assert_eq!((desk.text("a"), desk.text("moved")), (None, None));
    desk.apply(&desk.revert(&[deletion.number]).expect("it is gone"));
    assert_eq!(desk.text("a").as_deref(), Some("1\n"));
    // What somebody else has made there is another one.
    desk.did(vec![put("c", "c\n")]);
    let deletion = desk.applied(vec![delete("c")]);
    desk.did(vec![put("c", "other\n")]);
    desk.did(vec![rename("c", "d")]);
    desk.apply(&desk.revert(&[deletion.number]).expect("its place is free"));
    assert_eq!(desk.text("c").as_deref(), Some("c\n"));
    desk.sound();
}

#[test]
fn what_is_taken_back_says_by_whom_and_is_not_taken_back_over_that() {
    let desk = still();
    desk.did(vec![put("a", "18\n")]);
    let second = desk.applied(vec![put("a", "20\n")]);
    let third = desk.applied(vec![put("a", "21\n")]);
    let links = |number| {
        let view = desk.engine.view(&desk.ani, ROOM, number).expect("a proposal");
        (view.reverted_by, view.revert_waiting)
    };
    let reject = |number| desk.engine.reject(&desk.ani, ROOM, number, None, "no").expect("it waits");
    let never = desk.revert(&[third.number]).expect("back to 20");
    assert_eq!(links(third.number), (None, Some(never.number)));
    reject(never.number);
    assert_eq!(links(third.number), (None, None));
    let both = desk.revert(&[third.number, second.number]).expect("back to 18");
    desk.apply(&both);
    assert_eq!(links(second.number), (Some(both.number), None));
    // In its way is what took it back: nobody is told to take that back with it.
    for numbers in [&[third.number][..], &[third.number, second.number]] {
        let Err(Failure::Refused(refusal)) = desk.revert(numbers) else { panic!("it is back") };
        assert_eq!((refusal.code, refusal.facts.other), (Code::ProposalNoChange, Some(both.number)));
        assert_eq!(refusal.facts.later, [] as [u64; 0]);
    }
    // Of several the one is named that is to be left out.
    let fourth = desk.applied(vec![put("b", "1\n")]);
    let Err(Failure::Refused(refusal)) = desk.revert(&[fourth.number, third.number]) else {
        panic!("one is back")
    };
    assert!(refusal.detail.ends_with("already; leave it out."), "{refusal}");
    // Where that was taken back itself, it is in force again.
    let again = desk.revert(&[both.number]).expect("to 21");
    desk.apply(&again);
    assert_eq!((links(second.number), links(both.number)), ((None, None), (Some(again.number), None)));
    desk.apply(&desk.revert(&[third.number]).expect("it is in force"));
    assert_eq!(desk.text("a").as_deref(), Some("20\n"));
    desk.sound();
}
