//! Split: nothing is lost between the parts.

use sekali_core::decide::Awaits;

use super::*;

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
    assert_eq!((view.awaits, view.current.title.as_str()), (Some(Awaits::Waiting(one.number)), "T (rest)"));
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
    // Nobody has changed the document: what it continues will not come.
    let Outcome::Refused(vain) = desk.press(parts.rest.number, parts.rest.digest) else {
        panic!("it cannot")
    };
    assert_eq!((vain.code, vain.facts.other), (Code::ProposalStale, None));
    assert!(
        vain.detail.contains(&format!("a form of #{} that was not applied", one.number)),
        "{}",
        vain.detail
    );
    let rebased = desk.rebase(parts.rest.number, &[]).expect("clean");
    desk.apply(&rebased);
    assert_eq!(desk.text("a.md").as_deref(), Some(&*base.replace("line 38\n", "thirty-eight\n")));
    desk.sound();
}

#[test]
fn a_split_of_a_split_comes_to_the_whole() {
    let desk = still();
    let base = lines(0..60);
    desk.did(vec![put("a.md", &base)]);
    let whole = [(1, "one\n"), (20, "twenty\n"), (40, "forty\n"), (58, "last\n")]
        .iter()
        .fold(base.clone(), |text, (n, new)| text.replace(&format!("line {n}\n"), new));
    let one = desk.submit(proposal(vec![put("a.md", &whole)]));
    let mut parts = vec![one.number];
    // Each rest is divided again, its first hunk going first.
    for _ in 0..3 {
        let last = *parts.last().expect("one at least");
        parts.push(desk.split(last, vec![take("a.md", Some(&[1]))]).expect("it has more").rest.number);
    }
    assert_eq!(
        desk.engine.view(&desk.ani, ROOM, parts[3]).expect("it waits").possible_duplicates,
        [] as [u64; 0]
    );
    desk.sound();
    for number in &parts {
        let view = desk.engine.view(&desk.ani, ROOM, *number).expect("a proposal");
        assert!(view.moved.is_empty(), "its turn has come: {view:?}");
        assert!(matches!(desk.press(*number, view.current.digest), Outcome::Applied(_)));
    }
    assert_eq!(desk.text("a.md").as_deref(), Some(&*whole));
    desk.sound();
    // The same chain, of which the first is rebased between: the rest finds what it was made on.
    let other = desk.submit(proposal(vec![put("b.md", &whole)]));
    let parts = desk.split(other.number, vec![take("b.md", Some(&[1]))]);
    assert_eq!(parts.expect_err("created whole").code(), Code::ProposalInvalid);
}

#[test]
fn a_rest_outlives_what_becomes_of_the_part_it_continues() {
    type Fate = fn(&Desk, u64);
    let withdrawn: Fate = |desk, n| desk.engine.withdraw(&desk.ani, ROOM, n, None).expect("it waits");
    let revised: Fate = |desk, n| {
        let digest = desk.engine.view(&desk.ani, ROOM, n).expect("it waits").current.digest;
        let other = proposal(vec![put("c", "3\n")]);
        assert!(desk.engine.revise(&desk.ani, ROOM, n, Some(digest), other).expect("its own").created);
    };
    let rebased: Fate = |desk, n| {
        let now = desk.text("a.md").expect("there").replace("line 55\n", "theirs\n");
        desk.did(vec![put("a.md", &now)]);
        assert!(desk.rebase(n, &[]).expect("clean").created);
    };
    for (what, fate) in [("withdrawn", withdrawn), ("revised", revised), ("rebased", rebased)] {
        let desk = still();
        let base = lines(0..60);
        desk.did(vec![put("a.md", &base)]);
        let whole = base.replace("line 1\n", "one\n").replace("line 30\n", "thirty\n");
        let one = desk.submit(proposal(vec![put("a.md", &whole)]));
        let rest = desk.split(one.number, vec![take("a.md", Some(&[1]))]).expect("two hunks").rest;
        fate(&desk, one.number);
        desk.sound();
        let rebased = desk.rebase(rest.number, &[]).unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
        desk.apply(&rebased);
        let text = desk.text("a.md").expect("there");
        assert!(text.contains("line 1\n") && text.contains("thirty\n"), "{what}");
        desk.sound();
    }
}

#[test]
fn changes_that_need_each_other_are_not_parted() {
    for (changes, takes) in [
        (vec![rename("x", "t"), rename("y", "x"), rename("t", "y")], ["x", "y"]),
        (vec![rename("x", "x2"), rename("y", "x")], ["x", "x2"]),
        (vec![delete("x"), rename("y", "x")], ["z", "z"]),
        (vec![rename("x", "w"), put("x/below", "1")], ["x/below", "w"]),
        (vec![delete("d/e"), put("d", "1")], ["d", "d/e"]),
    ] {
        let desk = still();
        desk.did(vec![put("x", "1\n"), put("y", "2\n"), put("d/e", "3\n")]);
        let with = [changes.clone(), vec![put("z", "z")]].concat();
        let one = desk.submit(proposal(with));
        let before = desk.stored();
        for at in takes.iter().filter(|at| **at != "z") {
            let failure = desk.split(one.number, vec![take(at, None)]).expect_err("one of two");
            assert_eq!(failure.code(), Code::ProposalInvalid, "{changes:?} {at}");
            same(&desk, &before);
        }
        // All of them together can go, also where two are of one path.
        let parts = desk.split(one.number, vec![take("z", None)]).expect("apart from them");
        desk.apply(&parts.rest);
        desk.apply(&parts.taken);
        desk.sound();
    }
    let desk = still();
    desk.did(vec![put("x", "1\n"), put("y", "2\n")]);
    let one = desk.submit(proposal(vec![delete("x"), rename("y", "x"), put("z", "z")]));
    let parts = desk.split(one.number, vec![take("x", None)]).expect("both changes of x");
    desk.apply(&parts.taken);
    assert_eq!(desk.all(), [("x".to_owned(), "2\n".to_owned(), Mode::Plain)]);
}

#[test]
fn p2_a_declared_effect_has_no_parts() {
    let desk = still();
    let with = |effect_keys: Vec<String>, key: Option<&str>| sekali_core::submission::Submission {
        effect_keys,
        key: key.map(str::to_owned),
        ..proposal(vec![put("a", "1"), put("b", "2")])
    };
    let declared = desk.submit(with(vec!["order/8812/create".to_owned()], Some("k")));
    let before = desk.stored();
    let failure = desk.split(declared.number, vec![take("a", None)]).expect_err("one effect");
    let Failure::Refused(refusal) = failure else { panic!("a refusal") };
    assert_eq!(refusal.code, Code::ProposalInvalid);
    assert!(refusal.detail.contains("order/8812/create"), "{refusal:?}");
    same(&desk, &before);
    // What a key implies stays with the proposal that the key was sent for.
    let keyed = desk.submit(with(Vec::new(), Some("l")));
    let parts = desk.split(keyed.number, vec![take("a", None)]).expect("nothing was declared");
    let keys =
        |number| desk.engine.view(&desk.ani, ROOM, number).expect("a proposal").current.effect_keys.len();
    assert_eq!((keys(parts.taken.number), keys(parts.rest.number)), (1, 0));
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
}

#[test]
fn the_rest_waits_for_whatever_form_leaves_what_it_is_based_on() {
    let desk = still();
    let base = lines(0..20);
    desk.did(vec![put("a", &base), put("b", "1\n")]);
    let mine = base.replace("line 2\n", "two\n").replace("line 15\n", "fifteen\n");
    let one = desk.submit(proposal(vec![put("a", &mine), put("b", "mine\n")]));
    let parts = desk.split(one.number, vec![take("a", Some(&[1])), take("b", None)]).expect("two hunks");
    // The first is carried on: it leaves the same of `a`, under another commitment.
    desk.did(vec![put("b", "theirs\n")]);
    let rebased = desk.rebase(one.number, &[choose("b", &[Side::After])]).expect("decided");
    let awaits = |number| {
        let view = desk.engine.view(&desk.ani, ROOM, number).expect("a proposal");
        view.awaits.and_then(sekali_core::decide::Awaits::waiting)
    };
    assert_eq!(awaits(parts.rest.number), Some(one.number));
    desk.apply(&rebased);
    desk.apply(&parts.rest);
    assert_eq!(desk.text("a"), Some(mine));
    desk.sound();
}

#[test]
fn the_edits_of_a_document_that_moves_stay_with_it() {
    let desk = still();
    desk.did(vec![put("a.json", "{\"x\":1,\"y\":1}"), put("b", "1\n")]);
    let edit_of_a = edit(JsonForm::Patch, "a.json", "[{\"op\":\"replace\",\"path\":\"/x\",\"value\":2}]");
    let one = desk.submit(proposal(vec![edit_of_a, rename("a.json", "c.json"), put("b", "2\n")]));
    let parts = desk.split(one.number, vec![take("c.json", None)]).expect("two changes");
    // By values it merges what lines would not.
    desk.did(vec![put("a.json", "{\"x\":1,\"y\":9}")]);
    desk.apply(&desk.rebase(one.number, &[]).expect("another value"));
    assert_eq!(desk.text("c.json").as_deref(), Some("{\"x\":2,\"y\":9}"));
    desk.apply(&parts.rest);
    desk.sound();
}
