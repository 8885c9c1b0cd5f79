//! Documents that others move while a proposal waits: a change is of a document, wherever it stands, and
//! not of whatever has come to its path.

use sekali_engine::rebase::RebaseOutcome;

use super::*;

/// What came of a rebase.
#[derive(Debug, PartialEq)]
enum Came {
    /// The documents afterwards.
    To(Vec<(String, String)>),
    /// What is asked: the kind, the path, and where the document is now.
    Ask(Vec<(ConflictKind, String, Option<String>)>),
}

const TEXT: &str = "1\n2\n3\n4\n5\n6\n7\n8\n";

fn edited(line: &str, to: &str) -> String {
    TEXT.replace(&format!("{line}\n"), &format!("{to}\n"))
}

fn documents(desk: &Desk) -> Vec<(String, String)> {
    desk.all().into_iter().map(|(path, text, _)| (path, text)).collect()
}

/// What becomes of `mine` after `theirs`, each of `theirs` an applied proposal.
fn carried(mine: &[Submitted], theirs: &[Vec<Submitted>], choices: &[Choice]) -> Came {
    let desk = still();
    desk.did(vec![put("a", TEXT), put("b", "b\n"), put("z", "z\n")]);
    let mine = desk.submit(proposal(mine.to_vec()));
    for theirs in theirs {
        desk.did(theirs.clone());
    }
    // What it would do can be looked at all the same.
    assert!(!desk.difference(mine.number).is_empty());
    let before = desk.stored();
    match desk.rebase(mine.number, choices) {
        Ok(rebased) => {
            let view = desk.engine.view(&desk.ani, ROOM, mine.number).expect("a proposal");
            assert!(view.moved.is_empty(), "it can be applied");
            desk.apply(&rebased);
            desk.sound();
            Came::To(documents(&desk))
        }
        Err(failure) => {
            same(&desk, &before);
            let of = |c: sekali_core::conflict::Conflict| {
                (c.kind, c.path.to_string(), c.moved_to.map(|moved| moved.to_string()))
            };
            Came::Ask(conflicts(failure).into_iter().map(of).collect())
        }
    }
}

fn are(all: &[(&str, &str)]) -> Came {
    Came::To(all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
}

fn asks(all: &[(ConflictKind, &str, Option<&str>)]) -> Came {
    Came::Ask(all.iter().map(|(kind, path, to)| (*kind, (*path).to_owned(), to.map(str::to_owned))).collect())
}

#[test]
fn an_edit_goes_with_its_document_whatever_stands_in_its_place() {
    let mine = [put("a", &edited("8", "mine"))];
    let theirs = edited("1", "theirs");
    let both = theirs.replace("8\n", "mine\n");
    let check = |steps: &[Vec<Submitted>], expected: &[(&str, &str)]| {
        assert_eq!(carried(&mine, steps, &[]), are(expected));
    };
    // Another document has come to the place: new, or from elsewhere.
    let moved = vec![rename("a", "c"), put("c", &theirs)];
    check(
        &[moved.clone(), vec![put("a", "new\n")]],
        &[("a", "new\n"), ("b", "b\n"), ("c", &both), ("z", "z\n")],
    );
    check(&[moved.clone(), vec![rename("b", "a")]], &[("a", "b\n"), ("c", &both), ("z", "z\n")]);
    // It has changed places with another one, and gone on from there.
    let swap = vec![rename("a", "t"), rename("b", "a"), rename("t", "b")];
    let mine_only = edited("8", "mine");
    check(std::slice::from_ref(&swap), &[("a", "b\n"), ("b", &mine_only), ("z", "z\n")]);
    check(&[swap.clone(), vec![rename("b", "d")]], &[("a", "b\n"), ("d", &mine_only), ("z", "z\n")]);
    check(&[swap.clone(), swap], &[("a", &mine_only), ("b", "b\n"), ("z", "z\n")]);
    // The place was left again and again since.
    let step = |from: &str, to: &str| vec![rename(from, to)];
    check(
        &[
            step("a", "c"),
            vec![put("a", "new\n")],
            step("a", "d"),
            step("b", "a"),
            step("c", "e"),
            step("a", "c"),
        ],
        &[("c", "b\n"), ("d", "new\n"), ("e", &mine_only), ("z", "z\n")],
    );
    check(
        &[step("a", "c"), step("c", "a"), step("a", "c")],
        &[("b", "b\n"), ("c", &mine_only), ("z", "z\n")],
    );
}

#[test]
fn what_is_gone_is_asked_about_and_what_came_anew_is_by_its_path() {
    let mine = [put("a", &edited("8", "mine")), put("b", "B\n")];
    // Deleted, and written anew: its path is all that says what it is.
    let anew = vec![vec![delete("a")], vec![put("a", &edited("1", "anew"))]];
    let both = edited("1", "anew").replace("8\n", "mine\n");
    assert_eq!(carried(&mine, &anew, &[]), are(&[("a", &both), ("b", "B\n"), ("z", "z\n")]));
    // What has come there from elsewhere is changed itself by the proposal, and not twice.
    let replaced = vec![vec![delete("a")], vec![rename("b", "a")]];
    let lost = (ConflictKind::Occupied, "a", None);
    assert_eq!(carried(&mine, &replaced, &[]), asks(&[lost]));
    let only = [choose("a", &[Side::Now])];
    assert_eq!(carried(&mine, &replaced, &only), are(&[("a", "B\n"), ("z", "z\n")]));
    // Moved, and deleted there.
    let gone = vec![vec![rename("a", "c")], vec![delete("c"), put("a", "other\n")]];
    assert_eq!(carried(&[put("a", "x\n")], &gone, &[]), asks(&[(ConflictKind::Text, "a", None)]));
}

#[test]
fn moves_of_both_sides_meet() {
    let away = |to: &str| vec![vec![rename("a", to)]];
    let swap = [rename("a", "t"), rename("b", "a"), rename("t", "b")];
    let moved = (ConflictKind::Deleted, "b", Some("c"));
    assert_eq!(carried(&swap, &away("c"), &[]), asks(&[moved]));
    let from_a = |side| [Choice { from: Some(path("a")), ..choose("b", &[side]) }];
    // Of two that come to one path the one that moves may be named by where it was, if nothing comes there.
    let there = [rename("a", "d"), rename("b", "a"), rename("d", "b")];
    assert_eq!(
        carried(&there, &away("c"), &from_a(Side::Now)),
        carried(&swap, &away("c"), &from_a(Side::Now))
    );
    let renamed = [rename("a", "d"), put("z", "mine\n")];
    assert_eq!(
        carried(&renamed, &away("c"), &[choose("a", &[Side::Now])]),
        are(&[("b", "b\n"), ("c", TEXT), ("z", "mine\n")])
    );
    assert_eq!(
        carried(&swap, &away("c"), &from_a(Side::Now)),
        are(&[("a", "b\n"), ("c", TEXT), ("z", "z\n")])
    );
    assert_eq!(
        carried(&swap, &away("c"), &from_a(Side::After)),
        are(&[("a", "b\n"), ("b", TEXT), ("z", "z\n")])
    );
    // The same move twice is one, and the place that it leaves is free for another.
    let chain = [rename("a", "c"), rename("b", "a")];
    assert_eq!(carried(&chain, &away("c"), &[]), are(&[("a", "b\n"), ("c", TEXT), ("z", "z\n")]));
    // What comes is not made over what is followed to there.
    let beside = [put("a", &edited("8", "mine")), put("c", "new\n")];
    assert_eq!(carried(&beside, &away("c"), &[]), asks(&[(ConflictKind::Occupied, "c", None)]));
    let replace = [choose("c", &[Side::After])];
    assert_eq!(carried(&beside, &away("c"), &replace), asks(&[(ConflictKind::Occupied, "c", None)]));
    let leave = [choose("c", &[Side::Now])];
    let mine = edited("8", "mine");
    assert_eq!(carried(&beside, &away("c"), &leave), are(&[("b", "b\n"), ("c", &mine), ("z", "z\n")]));
}

#[test]
fn what_comes_to_the_place_of_what_stays_is_decided_beside_it() {
    // a to b, b to c, where c is taken.
    let mine = [rename("a", "t"), rename("b", "c"), rename("t", "b")];
    let theirs = [vec![put("c", "theirs\n")]];
    let stays = [choose("c", &[Side::Now])];
    assert_eq!(
        carried(&mine, &theirs, &[]),
        asks(&[(ConflictKind::Occupied, "b", None), (ConflictKind::Occupied, "c", None),])
    );
    assert_eq!(carried(&mine, &theirs, &stays), asks(&[(ConflictKind::Occupied, "b", None)]));
    // That the one stays and the other comes cannot be; that both stay leaves nothing.
    let comes = [choose("c", &[Side::Now]), choose("b", &[Side::After])];
    assert_eq!(carried(&mine, &theirs, &comes), asks(&[(ConflictKind::Occupied, "b", None)]));
    let with = |more: &[Submitted]| [&mine[..], more].concat();
    let both = [choose("c", &[Side::Now]), choose("b", &[Side::Now])];
    assert_eq!(
        carried(&with(&[put("z", "mine\n")]), &theirs, &both),
        are(&[("a", TEXT), ("b", "b\n"), ("c", "theirs\n"), ("z", "mine\n")])
    );
    let desk = still();
    desk.did(vec![put("a", TEXT), put("b", "b\n")]);
    let mine = desk.submit(proposal(mine.to_vec()));
    desk.did(theirs[0].clone());
    let nothing = desk.rebase(mine.number, &both).expect_err("nothing is left");
    assert_eq!(nothing.code(), Code::ProposalNoChange);
    assert!(nothing.to_string().contains("withdraw"), "{nothing}");
    // The conflicts name who put it there.
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("c is taken"));
    assert_eq!(
        found.iter().map(|c| c.by.as_ref().map(|by| by.proposal)).collect::<Vec<_>>(),
        [Some(1), Some(3)]
    );
}

#[test]
fn a_long_chain_is_left_at_once() {
    let desk = still();
    let names: Vec<String> = (0..300).map(|n| format!("d{n:03}")).collect();
    desk.did(names.iter().map(|name| put(name, name)).collect());
    // Each is touched first in its own order, so that it comes before the one whose place it takes.
    let away = names.iter().map(|name| rename(name, &format!("{name}.t")));
    let on = names.array_windows().map(|[from, to]| rename(&format!("{from}.t"), to));
    let last = [rename("d299.t", "end"), put("more", "1\n")];
    let mine = desk.submit(proposal(away.chain(on).chain(last).collect()));
    desk.did(vec![put("end", "theirs\n")]);
    let choices: Vec<Choice> = names[1..].iter().map(|name| choose(name, &[Side::Now])).collect();
    let all = [&choices[..], &[choose("end", &[Side::Now])]].concat();
    desk.apply(&desk.rebase(mine.number, &all).expect("all of it stays"));
    assert_eq!(desk.text("d150").as_deref(), Some("d150"));
    assert_eq!(desk.text("more").as_deref(), Some("1\n"));
    desk.sound();
}

#[test]
fn json_edits_go_on_where_their_document_is() {
    let desk = still();
    desk.did(vec![put("a.json", "{\n  \"x\": 1,\n  \"y\": 1,\n  \"z\": 1\n}\n"), put("b", "1\n")]);
    let merge = |patch: &str| edit(JsonForm::MergePatch, "a.json", patch);
    let mine = desk.submit(proposal(vec![merge("{\"x\": 2}"), put("b", "2\n")]));
    desk.did(vec![rename("a.json", "c.json"), put("c.json", "{\n  \"x\": 1,\n  \"y\": 2,\n  \"z\": 1\n}\n")]);
    let preview = desk.engine.preview_rebase(&desk.ani, ROOM, mine.number).expect("a proposal");
    let outcomes: Vec<_> =
        preview.changes.iter().map(|c| (c.outcome, c.moved_to.as_ref().map(DocPath::as_str))).collect();
    assert_eq!(outcomes, [(RebaseOutcome::Merged, Some("c.json")), (RebaseOutcome::Current, None)]);
    let one = desk.rebase(mine.number, &[]).expect("followed");
    assert_eq!(one.revision, 2);
    // Written in other words by others meanwhile: only the values are compared, again and where it is.
    desk.did(vec![put("c.json", "{\"x\":1,\"y\":3,\"z\":1}"), rename("c.json", "d.json")]);
    let again = desk.rebase(mine.number, &[]).expect("other values of it");
    let parts = desk.split(mine.number, vec![take("b", None)]).expect("two documents");
    desk.did(vec![put("d.json", "{\"x\":1,\"y\":3,\"z\":4}")]);
    let rest = desk.rebase(parts.rest.number, &[]).expect("and of the rest");
    assert_eq!(again.revision, 3);
    desk.apply(&rest);
    assert_eq!(desk.text("d.json").as_deref(), Some("{\"x\":2,\"y\":3,\"z\":4}"));
    desk.sound();
}

#[test]
fn a_side_is_taken_for_the_values_in_conflict_alone() {
    let check = |form: JsonForm, patch: &str, side: Side, expected: &str| {
        let desk = still();
        desk.did(vec![
            put("a.json", "{\n  \"x\": 1,\n  \"y\": 1,\n  \"z\": [1, 2],\n  \"w\": 1\n}\n"),
            put("b", "1\n"),
        ]);
        let mine = desk.submit(proposal(vec![edit(form, "a.json", patch), put("b", "2\n")]));
        desk.did(vec![put("a.json", "{\n  \"x\": 9, \"v\": 5,\n  \"z\": [9],\n  \"w\": 3\n}\n")]);
        let found = conflicts(desk.rebase(mine.number, &[]).expect_err("both changed it"));
        assert_eq!(found[0].kind, ConflictKind::Json);
        desk.apply(&desk.rebase(mine.number, &[choose("a.json", &[side])]).expect("chosen"));
        assert_eq!(desk.text("a.json").as_deref(), Some(expected));
        desk.sound();
    };
    let merge = "{\"x\": 2, \"y\": 2, \"n\": 1}";
    check(
        JsonForm::MergePatch,
        merge,
        Side::After,
        "{\n  \"x\": 2, \"v\": 5,\n  \"z\": [9],\n  \"w\": 3,\n  \"y\": 2,\n  \"n\": 1\n}\n",
    );
    check(
        JsonForm::MergePatch,
        merge,
        Side::Now,
        "{\n  \"x\": 9, \"v\": 5,\n  \"z\": [9],\n  \"w\": 3,\n  \"n\": 1\n}\n",
    );
    let patch = r#"[{"op":"remove","path":"/x"},{"op":"add","path":"/z/-","value":3},{"op":"add","path":"/n","value":1}]"#;
    check(
        JsonForm::Patch,
        patch,
        Side::After,
        "{\n  \"v\": 5,\n  \"z\": [1, 2, 3],\n  \"w\": 3,\n  \"n\": 1\n}\n",
    );
    check(
        JsonForm::Patch,
        patch,
        Side::Now,
        "{\n  \"v\": 5,\n  \"z\": [9],\n  \"w\": 3,\n  \"n\": 1,\n  \"x\": 9\n}\n",
    );
}

#[test]
fn what_no_difference_shows_is_not_merged_line_by_line() {
    let desk = still();
    let bytes = |first: &[u8], last: &str| [first, b"\n2\n3\n4\n5\n6\n7\n", last.as_bytes(), b"\n"].concat();
    let whole = |content: Vec<u8>| Submitted::Put { path: path("a"), content, base: None, mode: None };
    desk.did(vec![whole(bytes(b"caf\xe9", "8"))]);
    let mine = desk.submit(proposal(vec![whole(bytes(b"caf\xe9", "mine"))]));
    desk.did(vec![whole(bytes(b"th\xe9", "8"))]);
    let found = conflicts(desk.rebase(mine.number, &[]).expect_err("not UTF-8"));
    assert_eq!((found[0].kind, found[0].regions.len()), (ConflictKind::Binary, 0));
}

#[test]
fn the_rest_of_a_split_follows_the_document_of_the_whole() {
    for first_part in [true, false] {
        let desk = still();
        let text = lines(0..40);
        desk.did(vec![put("a", &text), put("b", &text.replace("line 0\n", "b\n"))]);
        let whole = text.replace("line 5\n", "five\n").replace("line 35\n", "thirty-five\n");
        let mine = desk.submit(proposal(vec![put("a", &whole)]));
        let parts = desk.split(mine.number, vec![take("a", Some(&[1]))]).expect("two hunks");
        desk.did(vec![rename("a", "c"), rename("b", "a")]);
        if first_part {
            desk.apply(&desk.rebase(mine.number, &[]).expect("it has moved"));
        }
        desk.apply(&desk.rebase(parts.rest.number, &[]).expect("and so has the rest"));
        let expected = if first_part { whole } else { text.replace("line 35\n", "thirty-five\n") };
        assert_eq!(desk.text("c"), Some(expected));
        assert_eq!(desk.text("a"), Some(text.replace("line 0\n", "b\n")));
        desk.sound();
    }
    // Of a document that the first part creates there is nothing yet.
    let desk = still();
    desk.did(vec![put("a", "1\n"), put("b", "2\n")]);
    let mine = desk.submit(proposal(vec![rename("a", "t"), put("t", "2\n"), put("b", "3\n")]));
    let parts = desk.split(mine.number, vec![take("b", None)]).expect("two documents");
    desk.did(vec![put("t", "theirs\n")]);
    let found = conflicts(desk.rebase(parts.rest.number, &[]).expect_err("its place is taken"));
    assert_eq!(
        found.iter().map(|c| (c.kind, c.path.as_str())).collect::<Vec<_>>(),
        [(ConflictKind::Occupied, "t")]
    );
}

#[test]
fn only_a_side_for_the_whole_says_that_a_moved_document_goes() {
    let check = |mine: &[Submitted], at: &str| {
        for sides in [&[Side::Now, Side::Now][..], &[Side::NowThenAfter], &[Side::After, Side::After], &[]] {
            let choice = [choose(at, sides)];
            let moved = (ConflictKind::Deleted, at, Some("c"));
            assert_eq!(carried(mine, &[vec![rename("a", "c")]], &choice), asks(&[moved]), "{sides:?}");
        }
    };
    check(&[delete("a")], "a");
    check(&[rename("a", "d")], "d");
    // With a side for each place that is asked about next, it was said before.
    let mine = [rename("a", "d"), put("d", &edited("2", "mine"))];
    let theirs = [vec![rename("a", "c"), put("c", &edited("2", "theirs"))]];
    let both = edited("2", "theirs\nmine");
    let choice = [choose("d", &[Side::NowThenAfter])];
    assert_eq!(carried(&mine, &theirs, &choice), are(&[("b", "b\n"), ("d", &both), ("z", "z\n")]));
}

#[test]
fn a_move_is_not_of_what_was_made_anew_with_other_content() {
    let mine = [rename("a", "d"), put("z", "mine\n")];
    let again = |text: &str| [vec![delete("a")], vec![put("a", text)]];
    assert_eq!(carried(&mine, &again(TEXT), &[]), are(&[("b", "b\n"), ("d", TEXT), ("z", "mine\n")]));
    assert_eq!(carried(&mine, &again("new\n"), &[]), asks(&[(ConflictKind::Created, "d", None)]));
    let decided = |side| carried(&mine, &again("new\n"), &[choose("d", &[side])]);
    assert_eq!(decided(Side::Now), are(&[("a", "new\n"), ("b", "b\n"), ("z", "mine\n")]));
    assert_eq!(decided(Side::After), are(&[("b", "b\n"), ("d", "new\n"), ("z", "mine\n")]));
}

#[test]
fn a_patch_makes_room_before_it_fills_it() {
    let desk = still();
    desk.did(vec![put("a", "1\n")]);
    let done = desk.applied(vec![rename("a", "c"), put("a", "3\n")]);
    let back = desk.revert(&[done.number]).expect("nothing has changed since");
    let (_, patch) = desk.engine.patch(&desk.ani, ROOM, back.number, None).expect("a proposal");
    let text = String::from_utf8(patch.bytes).expect("text");
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{text}"));
    assert!(at("deleted file mode") < at("rename from c"), "{text}");
}

#[test]
fn what_another_change_is_made_on_is_not_what_this_one_made() {
    // It creates just what others have moved there, and edits that.
    let desk = still();
    desk.did(vec![put("b", "1\n2\n")]);
    let one = desk.submit(proposal(vec![put("p", "1\n2\n"), put("b", "1\nX\n")]));
    desk.did(vec![rename("b", "p")]);
    let found = conflicts(desk.rebase(one.number, &[]).expect_err("two documents, one place"));
    assert_eq!(
        found.iter().map(|one| (one.path.as_str(), one.kind)).collect::<Vec<_>>(),
        [("p", ConflictKind::Occupied)]
    );
    desk.apply(&desk.rebase(one.number, &[choose("p", &[Side::Now])]).expect("it is left"));
    assert_eq!(desk.text("p").as_deref(), Some("1\nX\n"));
    // It moves one to where an equal one is, which goes.
    let desk = still();
    desk.did(vec![put("a", "X\n"), put("t", "X\n")]);
    let one = desk.submit(proposal(vec![rename("a", "tmp"), delete("t"), rename("tmp", "t")]));
    desk.did(vec![delete("a")]);
    let found = conflicts(desk.rebase(one.number, &[]).expect_err("it is no longer there"));
    assert_eq!(found[0].kind, ConflictKind::Deleted);
    let after = [choose(found[0].path.as_str(), &[Side::After])];
    // What comes and what goes are the same: it stays.
    assert_eq!(desk.rebase(one.number, &after).expect_err("made anew").code(), Code::ProposalNoChange);
    assert_eq!(desk.all(), [("t".to_owned(), "X\n".to_owned(), Mode::Plain)]);
    desk.sound();
}

#[test]
fn a_side_for_what_is_not_merged_by_places_is_taken_after_its_move_was_decided() {
    let desk = still();
    desk.did(vec![put("a", "\0one")]);
    let one = desk.submit(proposal(vec![rename("a", "d"), put("d", "\0mine")]));
    desk.did(vec![rename("a", "c"), put("c", "\0theirs")]);
    let found = conflicts(desk.rebase(one.number, &[]).expect_err("moved elsewhere"));
    let bound = |found: &sekali_core::conflict::Conflict, side| Choice {
        now: Some(found.now),
        from: found.from.clone(),
        ..choose(found.path.as_str(), &[side])
    };
    let found =
        conflicts(desk.rebase(one.number, &[bound(&found[0], Side::After)]).expect_err("its content"));
    assert_eq!(found[0].kind, ConflictKind::Binary);
    // It keeps what others have made of it, and moves all the same.
    desk.apply(&desk.rebase(one.number, &[bound(&found[0], Side::Now)]).expect("both are decided"));
    assert_eq!(desk.all(), [("d".to_owned(), "\0theirs".to_owned(), Mode::Plain)]);
    desk.sound();
}
