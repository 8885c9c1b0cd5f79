//! The promises over the in-memory model, with stores that fail: nothing here depends on a driver.

mod between;
mod carry;
mod desk;
mod talk;

use std::sync::Arc;

use sekali_core::change::{Submitted, SubmittedBase};
use sekali_core::decide::{Evidence, Outcome};
use sekali_core::hash::ContentHash;
use sekali_core::role::{Role, Seen, State};
use sekali_core::submission::Submission;
use sekali_core::{Code, Timestamp};
use sekali_engine::Failure;
use sekali_engine::submit::Proposed;
use sekali_store::VersionKey;
use sekali_store::contract::SetClock;
use sekali_store::model::Fault;

use self::desk::{Desk, ROOM, caller, path, proposal, put, refusal};

#[test]
fn p4_a_store_that_takes_no_writes_still_answers_what_was_applied() {
    for code in [Code::StoreFull, Code::StoreReadOnly, Code::StoreBusy, Code::StoreIo] {
        let desk = Desk::new();
        let one = desk.submit(proposal(vec![put("a", "1")]));
        assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
        desk.store.fail_next(Fault::NotRun(code));
        let again = desk.press(one.number, one.digest);
        assert!(matches!(again, Outcome::Replayed(_, Evidence::NotKept(0))), "{code}: {again:?}");
        let kept = desk.press(one.number, one.digest);
        assert!(matches!(kept, Outcome::Replayed(_, Evidence::Kept(1))), "{kept:?}");
        // What was not applied is not pretended to be.
        let two = desk.submit(proposal(vec![put("b", "1")]));
        desk.store.fail_next(Fault::NotRun(code));
        let error =
            desk.engine.apply(&desk.ani, ROOM, two.number, Seen::Digest(two.digest)).expect_err("failed");
        assert_eq!(error.code, code);
        assert_eq!((desk.state(two.number), desk.entries()), (State::Waiting, 1));
    }
}

#[test]
fn p6_an_unknown_outcome_is_said_and_pressing_again_is_right_either_way() {
    for (fault, landed) in [(Fault::Committed, true), (Fault::RolledBack(Code::StoreOutcomeUnknown), false)] {
        let desk = Desk::new();
        let warm = desk.submit(proposal(vec![put("w", "1")]));
        assert!(matches!(desk.press(warm.number, warm.digest), Outcome::Applied(_)));
        let one = desk.submit(proposal(vec![put("a", "1")]));
        desk.store.fail_next(fault);
        let error =
            desk.engine.apply(&desk.ani, ROOM, one.number, Seen::Digest(one.digest)).expect_err("unknown");
        assert_eq!(error.code, Code::StoreOutcomeUnknown);
        let again = desk.press(one.number, one.digest);
        assert_eq!(matches!(again, Outcome::Replayed(..)), landed, "{again:?}");
        assert_eq!(matches!(again, Outcome::Applied(..)), !landed, "{again:?}");
        assert_eq!(desk.entries(), 2);
        desk.sound();
    }
}

#[test]
fn p6_a_submission_without_a_key_is_there_once_or_its_id_is_told() {
    let unknown = Fault::RolledBack(Code::StoreOutcomeUnknown);
    for fault in [Fault::Committed, unknown] {
        for key in [None, Some("k")] {
            let desk = Desk::new();
            let submission = Submission { key: key.map(str::to_owned), ..proposal(vec![put("a", "1")]) };
            desk.store.fail_next(fault);
            let one = desk.submit(submission);
            assert_eq!((one.number, one.replayed, one.state), (1, false, State::Waiting));
            assert_eq!(one.possible_duplicates, [0; 0], "it is no duplicate of itself");
            let counts = desk.engine.view_room(&desk.ani, ROOM).expect("a room").head.counts;
            assert_eq!(counts.open, 1, "once, whether the first commit landed or not");
            assert!(matches!(desk.press(1, one.digest), Outcome::Applied(_)));
        }
        // Where the second look fails too, whether it is there can be asked by its id.
        for second in [unknown, Fault::NotRun(Code::StoreBusy), Fault::Committed] {
            let desk = Desk::new();
            desk.store.fail_next(fault);
            desk.store.fail_next(second);
            let failed = desk.engine.submit(&desk.ani, ROOM, proposal(vec![put("a", "1")]));
            let Err(Failure::Store(error)) = failed else { panic!("{failed:?}") };
            assert_eq!(error.code, Code::StoreOutcomeUnknown);
            let id = error.proposal.expect("the id of what may be there");
            assert!(error.detail.contains(&id.to_string()), "{}", error.detail);
            let landed = desk.engine.number_of(&desk.ani, ROOM, id);
            let wrote = [fault, second].contains(&Fault::Committed);
            assert_eq!(landed.map_err(|f| f.code()), if wrote { Ok(1) } else { Err(Code::ProposalNotFound) });
        }
    }
}

#[test]
fn p3_only_what_was_seen_runs() {
    let desk = Desk::new();
    let one = desk.submit(proposal(vec![put("a", "1")]));
    let revised = desk
        .engine
        .revise(&desk.ani, ROOM, one.number, Some(one.digest), proposal(vec![put("a", "2")]))
        .expect("a good revision");
    assert_eq!(refusal(&desk.press(one.number, one.digest)), Code::ProposalChanged);
    assert_eq!(desk.entries(), 0);
    assert!(matches!(desk.press(one.number, revised.digest), Outcome::Applied(_)));
    // Pressing with the older digest is not a replay of what was seen.
    assert_eq!(refusal(&desk.press(one.number, one.digest)), Code::ProposalAppliedOther);
    let shown = desk.engine.view(&desk.ani, ROOM, one.number).expect("a proposal");
    let repeats = shown.repeats.expect("it is kept as evidence");
    assert_eq!((repeats.count, repeats.other_content), (1, 1));
    assert_eq!(desk.entries(), 1);
    desk.sound();
}

#[test]
fn p2_a_stale_proposal_writes_nothing_of_its_many_changes() {
    let desk = Desk::new();
    let base = desk.submit(proposal(vec![put("a", "1"), put("b", "1"), put("c", "1")]));
    assert!(matches!(desk.press(base.number, base.digest), Outcome::Applied(_)));
    let rename = Submitted::Rename { from: path("b"), path: path("d"), base: None };
    let many = desk.submit(proposal(vec![put("a", "2"), rename, put("c", "2"), put("e", "1")]));
    let other = desk.submit(proposal(vec![put("c", "9")]));
    assert!(matches!(desk.press(other.number, other.digest), Outcome::Applied(_)));
    let outcome = desk.press(many.number, many.digest);
    let Outcome::Refused(refusal) = outcome else { panic!("{outcome:?}") };
    assert_eq!(refusal.code, Code::ProposalStale);
    let moved: Vec<_> = refusal.facts.moved.iter().map(|m| (m.path.as_str(), m.by.as_ref())).collect();
    let by = sekali_core::refusal::MovedBy { proposal: other.number, seq: 2 };
    assert_eq!(moved, [("c", Some(&by))], "only what moved is named");
    let documents = desk.engine.documents(&desk.ani, ROOM, None, 10).expect("a list");
    let paths: Vec<_> = documents.iter().map(|d| d.row.path.as_str()).collect();
    assert_eq!(paths, ["a", "b", "c"]);
    assert!(desk.engine.list(&desk.ani, ROOM, None, None, 10).expect("a list")[1].row.stale);
    desk.sound();
}

#[test]
fn a_path_is_a_document_or_a_folder_at_submit_and_again_at_apply() {
    // Both waited before either was applied: whichever is first wins, and the other says by what.
    for (first, second) in [("README", "readme/x"), ("README/x", "ReadMe"), ("a/b/c", "a")] {
        let desk = Desk::new();
        let one = desk.submit(proposal(vec![put(first, "1")]));
        let two = desk.submit(proposal(vec![put("beside", "1"), put(second, "2")]));
        let renamed = desk.submit(proposal(vec![put("from", "1")]));
        assert!(matches!(desk.press(renamed.number, renamed.digest), Outcome::Applied(_)));
        let from = Submitted::Rename { from: path("from"), path: path(second), base: None };
        let three = desk.submit(proposal(vec![from]));
        assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
        for late in [&two, &three] {
            let Outcome::Refused(refusal) = desk.press(late.number, late.digest) else {
                panic!("{first} and {second} cannot both be documents");
            };
            assert_eq!(refusal.code, Code::ProposalStale, "as for one that came to the very path");
            let [moved] = &refusal.facts.moved[..] else { panic!("{refusal:?}") };
            assert_eq!((moved.path.as_str(), moved.expected.as_str()), (first, "absent"));
            assert_eq!(moved.by.as_ref().map(|by| by.proposal), Some(one.number));
            let shown = desk.engine.view(&desk.ani, ROOM, late.number).expect("a proposal");
            assert_eq!(shown.moved.len(), 1, "the check says it beforehand");
        }
        let listed = desk.engine.list(&desk.ani, ROOM, None, None, 10).expect("a room");
        let stale: Vec<u64> = listed.iter().filter(|one| one.row.stale).map(|one| one.row.number).collect();
        assert_eq!(stale, [three.number, two.number]);
        let documents = desk.engine.documents(&desk.ani, ROOM, None, 10).expect("a room");
        let paths: Vec<String> = documents.iter().map(|d| d.row.path.to_string()).collect();
        assert_eq!(paths.len(), 2, "nothing of the refused ones: {paths:?}");
        let again = desk.engine.submit(&desk.ani, ROOM, proposal(vec![put(second, "2")]));
        assert_eq!(again.expect_err("it collides").code(), Code::PathCollision);
        // What frees the place in the same proposal may have it.
        let freed = vec![Submitted::Delete { path: path(first), base: None }, put(second, "2")];
        let freed = desk.submit(proposal(freed));
        assert!(matches!(desk.press(freed.number, freed.digest), Outcome::Applied(_)));
        desk.sound();
    }
}

#[test]
fn a_document_and_its_folder_pressed_at_once_never_both_stand() {
    let desk = Desk::new();
    for round in 0..20 {
        let (folder, inner) = (format!("n{round}"), format!("n{round}/x/y"));
        let both = [folder, inner].map(|at| desk.submit(proposal(vec![put(&at, "1")])));
        let start = std::sync::Barrier::new(2);
        let outcomes = std::thread::scope(|scope| {
            let press = |one: Proposed| {
                start.wait();
                desk.press(one.number, one.digest)
            };
            both.map(|one| scope.spawn(move || press(one))).map(|thread| thread.join().expect("an answer"))
        });
        let applied = outcomes.iter().filter(|o| matches!(o, Outcome::Applied(_))).count();
        let stale =
            outcomes.iter().filter(|o| matches!(o, Outcome::Refused(r) if r.code == Code::ProposalStale));
        assert_eq!((applied, stale.count()), (1, 1), "{outcomes:?}");
    }
    desk.sound();
}

#[test]
fn content_that_came_back_counts_as_current() {
    let desk = Desk::new();
    for text in ["1", "2"] {
        let one = desk.submit(proposal(vec![put("a", text)]));
        assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
    }
    let waiting = desk.submit(proposal(vec![put("a", "3")]));
    for text in ["1", "2"] {
        let one = desk.submit(proposal(vec![put("a", text)]));
        assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
    }
    assert!(matches!(desk.press(waiting.number, waiting.digest), Outcome::Applied(_)));
    desk.sound();
}

#[test]
fn renames_swap_and_follow_each_other() {
    let desk = Desk::new();
    let base = desk.submit(proposal(vec![put("a", "1"), put("b", "2")]));
    assert!(matches!(desk.press(base.number, base.digest), Outcome::Applied(_)));
    let rename = |from: &str, to: &str| Submitted::Rename { from: path(from), path: path(to), base: None };
    let swap = desk.submit(proposal(vec![rename("a", "t"), rename("b", "a"), rename("t", "b")]));
    assert!(matches!(desk.press(swap.number, swap.digest), Outcome::Applied(_)));
    let content = |at: &str| desk.engine.document(&desk.ani, ROOM, &path(at), None).expect("a document").1;
    assert_eq!((content("a"), content("b")), (b"2".to_vec(), b"1".to_vec()));
    let case = desk.submit(proposal(vec![rename("a", "A")]));
    // A rename that only changes the spelling moves the document for whoever was based on it.
    let edit = desk.submit(proposal(vec![put("a", "9")]));
    assert!(matches!(desk.press(case.number, case.digest), Outcome::Applied(_)));
    assert_eq!(refusal(&desk.press(edit.number, edit.digest)), Code::ProposalStale);
    let versions = desk.engine.versions(&desk.ani, ROOM, &path("a")).expect("a history");
    let ops: Vec<_> = versions.iter().map(|v| (v.row.op.as_str(), v.row.path.as_str())).collect();
    assert_eq!(&ops[..3], [("rename", "A"), ("rename", "a"), ("create", "b")]);
    desk.sound();
}

#[test]
fn a_derived_effect_key_stops_another_proposal_for_ever() {
    let desk = Desk::new();
    let keyed = |text: &str| Submission { key: Some("evt-1".into()), ..proposal(vec![put("a", text)]) };
    let first = desk.submit(keyed("1"));
    let again = desk.submit(keyed("1"));
    assert_eq!((again.number, again.replayed, first.replayed), (first.number, true, false));
    let reused = desk.engine.submit(&desk.ani, ROOM, keyed("2"));
    assert!(
        matches!(reused, Err(Failure::Refused(r)) if r.code == Code::KeyReused && r.facts.proposal == Some(1))
    );
    let key = desk.engine.view(&desk.ani, ROOM, 1).expect("a proposal").current.effect_keys[0].key.clone();
    assert!(key.starts_with("in/") && key.len() == 67, "{key}");
    // A revision keeps what was derived; nobody can name it for another proposal.
    let revised =
        desk.engine.revise(&desk.ani, ROOM, 1, None, proposal(vec![put("a", "3")])).expect("a revision");
    let shown = desk.engine.view(&desk.ani, ROOM, 1).expect("a proposal");
    assert_eq!(shown.current.effect_keys[0].key, key);
    let stolen = Submission { effect_keys: vec![key], ..proposal(vec![put("b", "1")]) };
    let stolen = desk.engine.submit(&desk.ani, ROOM, stolen);
    assert!(matches!(stolen, Err(Failure::Refused(r)) if r.facts.field.as_deref() == Some("effect_keys[0]")));
    // Once applied, the same submission is still the first proposal, although its base has moved.
    assert!(matches!(desk.press(1, revised.digest), Outcome::Applied(_)));
    let late = desk.submit(keyed("1"));
    assert_eq!((late.number, late.replayed, late.state), (1, true, State::Applied));
}

#[test]
fn evidence_that_cannot_be_written_changes_no_answer() {
    let desk = Desk::new();
    let effect =
        |at: &str| Submission { effect_keys: vec!["order/1/create".into()], ..proposal(vec![put(at, "1")]) };
    let (one, two) = (desk.submit(effect("a")), desk.submit(effect("b")));
    assert_eq!(two.already_done, []);
    assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
    desk.store.pass_next();
    desk.store.fail_next(Fault::NotRun(Code::StoreFull));
    assert_eq!(refusal(&desk.press(two.number, two.digest)), Code::EffectAlreadyDone);
    assert_eq!(desk.state(two.number), State::Waiting);
    let three = desk.submit(effect("c"));
    assert_eq!(three.already_done, [("order/1/create".to_owned(), one.number)], "submit says so already");
}

#[test]
fn nobody_without_the_role_decides_whatever_they_have_seen() {
    let desk = Desk::new();
    let one = desk.submit(proposal(vec![put("a", "1")]));
    for (name, code) in
        [("Citra", Code::ActorDenied), ("agent:drafting", Code::ActorDenied), ("Budi", Code::ActorUnknown)]
    {
        let who = caller(name);
        let outcome =
            desk.engine.apply(&who, ROOM, one.number, Seen::Digest(one.digest)).expect("a good store");
        assert_eq!(refusal(&outcome), code, "{name}");
        let rejected = desk.engine.reject(&who, ROOM, one.number, None, "no");
        assert!(matches!(rejected, Err(Failure::Refused(r)) if r.code == code), "{name}");
    }
    let reviewer = desk.engine.submit(&caller("Citra"), ROOM, proposal(vec![put("b", "1")]));
    assert!(matches!(reviewer, Err(Failure::Refused(r)) if r.code == Code::ActorDenied));
    assert_eq!((desk.state(one.number), desk.entries()), (State::Waiting, 0));
}

#[test]
fn a_refused_first_press_leaves_nothing_not_even_a_system_user() {
    // A clock that moves would show in the reading, whatever was stored.
    let desk = Desk::at(SetClock::at_ms(1_790_000_000_000));
    let one = desk.submit(proposal(vec![put("a", "1")]));
    let two = desk.submit(proposal(vec![put("b", "1")]));
    let before = desk.stored();
    assert_eq!(before.2, None, "submitting names no system user");
    for name in ["Citra", "agent:drafting", "Budi"] {
        let who = caller(name);
        for seen in [Seen::Digest(one.digest), Seen::Nothing] {
            let pressed = desk.engine.apply(&who, ROOM, one.number, seen).expect("a good store");
            assert!(matches!(refusal(&pressed), Code::ActorDenied | Code::ActorUnknown), "{name}");
        }
        for refused in [
            desk.engine.reject(&who, ROOM, one.number, None, "no"),
            desk.engine.reopen(&who, ROOM, one.number, None),
            desk.engine.withdraw(&who, ROOM, one.number, None),
        ] {
            assert!(matches!(refused, Err(Failure::Refused(_))), "{name}: {refused:?}");
        }
        assert_eq!(desk.stored(), before, "{name}");
    }
    let nowhere = desk.engine.apply(&desk.ani, ROOM, 99, Seen::Nothing).expect("a good store");
    assert_eq!(refusal(&nowhere), Code::ProposalNotFound);
    let nowhere = desk.engine.reject(&desk.ani, ROOM, 99, None, "no");
    assert!(matches!(nowhere, Err(Failure::Refused(r)) if r.code == Code::ProposalNotFound));
    assert_eq!(desk.stored(), before, "no such proposal");
    // A press that may, does: the receipt names the system user.
    let Outcome::Applied(receipt) = desk.press(two.number, two.digest) else { panic!("it waits") };
    assert_eq!(receipt.facts().os_user.as_deref(), Some("tester"));
    assert!(desk.stored().2.is_some());
}

#[test]
fn a_room_is_made_by_the_clock_of_its_store() {
    let desk = Desk::at(SetClock::at_ms(1_234));
    let room = desk.engine.view_room(&desk.ani, ROOM).expect("a room");
    let made = Timestamp::from_ms(1_234);
    assert_eq!((room.room.created_at, room.head.last_at), (made, made));
    assert_eq!(room.you.expect("Ani is one of them").added_at, made);
}

#[test]
fn the_oldest_of_many_versions_is_still_found() {
    const VERSIONS: u64 = 1_200;
    let desk = Desk::new();
    let apply = |n: u64| {
        let one = desk.submit(proposal(vec![put("a", &n.to_string())]));
        assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
        one.number
    };
    apply(1);
    let waiting = desk.submit(proposal(vec![put("a", "x")])).number;
    let second = apply(2);
    for n in 3..=VERSIONS {
        apply(n);
    }
    let at = |seq| {
        let version = Some(VersionKey { seq, ordinal: 0 });
        desk.engine.document(&desk.ani, ROOM, &path("a"), version).map(|(_, content)| content)
    };
    assert_eq!(at(1).expect("the first version"), b"1");
    assert!(matches!(at(VERSIONS + 1), Err(Failure::Refused(r)) if r.code == Code::DocumentNotFound));
    let newest = desk.engine.versions(&desk.ani, ROOM, &path("a")).expect("a history");
    assert_eq!((newest.len(), newest[0].row.version.seq, newest[999].row.version.seq), (1_000, 1_200, 201));
    assert_eq!(
        (desk.difference(second), desk.difference(waiting)),
        (vec!["-1+2".into()], vec!["-1+x".into()])
    );
}

#[test]
fn an_applied_proposal_shows_its_difference_whatever_stood_at_its_path_since() {
    let desk = Desk::new();
    let apply = |changes| {
        let one = desk.submit(proposal(changes));
        assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
        one.number
    };
    let delete = |at: &str| Submitted::Delete { path: path(at), base: None };
    apply(vec![put("a", "1")]);
    let edited = apply(vec![put("a", "2"), put("b", "1")]);
    let gone = apply(vec![delete("a")]);
    // Another document comes to the path, and goes: the first is no longer reached through it.
    apply(vec![put("a", "9")]);
    apply(vec![delete("a")]);
    assert_eq!(desk.difference(edited), ["-1+2", "+1"]);
    assert_eq!(desk.difference(gone), ["-2"]);
}

#[test]
fn a_rejected_proposal_can_be_reopened_and_applied_once() {
    let desk = Desk::new();
    let one = desk.submit(proposal(vec![put("a", "1")]));
    desk.engine.reject(&desk.ani, ROOM, one.number, Some(one.digest), "Belum perlu").expect("it waits");
    assert_eq!(refusal(&desk.press(one.number, one.digest)), Code::ProposalRejected);
    let withdrawn = desk.engine.withdraw(&desk.ani, ROOM, one.number, None);
    assert!(matches!(withdrawn, Err(Failure::Refused(r)) if r.code == Code::ProposalRejected));
    desk.engine.reopen(&desk.ani, ROOM, one.number, None).expect("it was rejected");
    let again = desk.engine.reopen(&desk.ani, ROOM, one.number, None);
    assert!(matches!(again, Err(Failure::Refused(r)) if r.code == Code::ProposalNotRejected));
    assert!(matches!(desk.press(one.number, one.digest), Outcome::Applied(_)));
    assert_eq!(desk.entries(), 3);
    desk.sound();
}

#[test]
fn a_validity_that_is_over_is_refused_at_submit_and_at_apply() {
    let clock = SetClock::at_ms(1_000);
    let desk = Desk::at(Arc::<SetClock>::clone(&clock));
    let over = Submission { valid_until: Some(Timestamp::from_ms(1)), ..proposal(vec![put("a", "1")]) };
    let refused = desk.engine.submit(&desk.ani, ROOM, over);
    assert!(matches!(refused, Err(Failure::Refused(r)) if r.facts.field.as_deref() == Some("valid_until")));
    let soon = Submission { valid_until: Some(Timestamp::from_ms(1_060)), ..proposal(vec![put("a", "1")]) };
    let one = desk.submit(soon);
    assert_eq!(desk.state(one.number), State::Waiting);
    clock.advance_ms(60);
    assert_eq!(desk.state(one.number), State::Expired);
    assert_eq!(refusal(&desk.press(one.number, one.digest)), Code::ProposalExpired);
    let revised = desk
        .engine
        .revise(&desk.ani, ROOM, one.number, None, proposal(vec![put("a", "1")]))
        .expect("a revision");
    assert!(matches!(desk.press(one.number, revised.digest), Outcome::Applied(_)));
}

#[test]
fn a_carried_base_is_checked_and_kept() {
    let desk = Desk::new();
    let with = |base| {
        proposal(vec![Submitted::Put {
            path: path("a"),
            content: b"2".to_vec(),
            base: Some(base),
            mode: None,
        }])
    };
    let absent = desk.submit(with(SubmittedBase::Absent));
    assert!(matches!(desk.press(absent.number, absent.digest), Outcome::Applied(_)));
    let refused = desk.engine.submit(&desk.ani, ROOM, with(SubmittedBase::Content(ContentHash::of(b"1"))));
    assert!(
        matches!(refused, Err(Failure::Refused(r)) if r.code == Code::ProposalStale && r.facts.moved.len() == 1)
    );
    let shown = desk.engine.view(&desk.ani, ROOM, absent.number).expect("a proposal");
    assert_eq!(shown.changes[0].submitted_base.as_deref(), Some("absent"));
}

#[test]
fn a_presser_who_lost_their_role_is_denied_although_remembered() {
    let desk = Desk::new();
    desk.engine.add_member(&desk.ani, ROOM, "Budi", Some(Role::Member)).expect("a new name");
    let one = desk.submit(proposal(vec![put("a", "1")]));
    let budi = caller("Budi");
    for _ in 0..2 {
        let _ = desk.engine.apply(&budi, ROOM, one.number, Seen::Nothing).expect("a good store");
    }
    desk.engine.set_role(&desk.ani, ROOM, "Budi", Some(Role::Reviewer)).expect("a member");
    let denied = desk.engine.apply(&budi, ROOM, one.number, Seen::Nothing).expect("a good store");
    assert_eq!(refusal(&denied), Code::ActorDenied);
    desk.store.fail_next(Fault::NotRun(Code::StoreFull));
    let denied = desk.engine.apply(&budi, ROOM, one.number, Seen::Nothing).expect("a good store");
    assert_eq!(refusal(&denied), Code::ActorDenied, "also where the store takes no writes");
}
