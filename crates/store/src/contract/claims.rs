//! The fence, the open row that every transition takes, and effects: P1.

use sekali_core::decide::{AppliedFacts, Standing};
use sekali_core::{Door, State};

use super::Harness;
use super::fixture::{ANI, BUDI, Edit, Press, Presser, Sketch, T0, World, aid, at, effect, keep, path, pid, press};
use crate::rows::EffectWinner;
use crate::verbs::{Store, Verdict, write};

pub(super) fn a_proposal_is_claimed_once_and_the_second_gets_the_first_receipt(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    w.applied(&Sketch::new(1));
    let sketch = Sketch::new(2);
    w.submit(&sketch);
    w.clock.set_ms(T0 + 7);
    let user = w.keep(move |tx| tx.os_user(room, "budi", aid(1), at(T0)));
    let first = Presser { os_user: Some(user), ..w.presser(&sketch) };
    let Press::Applied(seq, leaf) = press(&*w.store, first) else { panic!("the first press applies") };
    assert_eq!(seq, 2, "the claim's entry is the next one");
    w.clock.set_ms(T0 + 99);
    let receipt = AppliedFacts {
        id: pid(2),
        number: 2,
        seq,
        revision: 1,
        digest: sketch.digest(),
        at: at(T0 + 7),
        by: BUDI,
        by_name: "Budi".to_owned(),
        door: Door::Desktop,
        os_user: Some("budi".to_owned()),
        seen: "digest".to_owned(),
        leaf,
    };
    let before = w.dump();
    for second in [Presser { actor: ANI, os_user: None, ..first }, Presser { digest: Sketch::new(9).digest(), ..first }] {
        assert_eq!(press(&*w.store, second), Press::Lost(Box::new(receipt.clone())));
    }
    // A claim that is lost and kept all the same has written nothing.
    let second = w.presser(&sketch).claim_row(7, at(T0 + 99));
    let lost = w.keep(move |tx| tx.claim(room, &second));
    assert_eq!(lost, Err(Box::new(receipt.clone())));
    assert_eq!(w.see(|tx| tx.standing(room, pid(2))), Some(Standing::Applied(receipt)));
    assert_eq!(w.dump(), before);
    let plain = w.see(|tx| tx.standing(room, pid(1)));
    assert!(matches!(plain, Some(Standing::Applied(AppliedFacts { os_user: None, .. }))), "{plain:?}");
}

pub(super) fn an_undone_claim_leaves_the_next_one_to_win(h: &dyn Harness) {
    let w = World::new(h);
    let sketch = Sketch::new(1);
    w.submit(&sketch);
    let presser = Presser { actor: ANI, ..w.presser(&sketch) };
    let before = w.dump();
    let undone = w.undo(move |tx| presser.apply(tx));
    assert!(matches!(undone, Press::Applied(1, _)), "{undone:?}");
    assert_eq!(w.dump(), before);
    let won = w.apply(&sketch);
    assert!(matches!(won, Press::Applied(1, _)), "the sequence has no gap: {won:?}");
    let Press::Lost(receipt) = w.apply(&sketch) else { panic!("the third press is late") };
    assert_eq!(receipt.by, BUDI, "the winner is who committed");
}

pub(super) fn an_open_row_is_taken_once_and_only_by_its_digest(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let sketch = Sketch::new(1).until(T0 + 50);
    w.submit(&sketch);
    let (right, wrong) = (sketch.digest(), sketch.revised().digest());
    let missed = w.keep(move |tx| Ok([tx.take_open(room, pid(1), &wrong)?, tx.take_open(room, pid(2), &right)?]));
    assert_eq!(missed, [None, None]);
    assert_eq!(w.undo(move |tx| tx.take_open(room, pid(1), &right)), Some(sketch.open()));
    assert_eq!(w.see(|tx| tx.standing(room, pid(1))), Some(Standing::Open(sketch.open())));
    let both = w.keep(move |tx| Ok([tx.take_open(room, pid(1), &right)?, tx.take_open(room, pid(1), &right)?]));
    assert_eq!(both, [Some(sketch.open()), None]);
    assert_eq!(w.keep(move |tx| tx.take_open(room, pid(1), &right)), None);
    assert_eq!(w.see(|tx| tx.standing(room, pid(1))), None);
}

pub(super) fn an_open_row_is_swapped_only_by_its_digest(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let first = Sketch::new(1).until(T0 + 50);
    let second = Sketch { valid_until: None, ..first.revised() };
    let third = second.revised();
    w.submit(&first);
    w.submit(&Sketch::new(2));
    let [one, two] = [first.digest(), second.digest()];
    let swap = |id, seen, new: &Sketch| {
        let open = new.open();
        w.keep(move |tx| tx.swap_open(room, id, &seen, &open))
    };
    let stands = |n| w.see(|tx| tx.standing(room, pid(n)));
    assert!(!swap(pid(1), two, &second), "another digest");
    assert!(!swap(pid(3), one, &second), "no such row");
    assert_eq!(stands(1), Some(Standing::Open(first.open())));
    assert!(swap(pid(1), one, &second));
    assert!(!swap(pid(1), one, &third), "the one that was seen is gone");
    assert_eq!(stands(1), Some(Standing::Open(second.open())));
    assert!(swap(pid(1), two, &third));
    assert_eq!(stands(1), Some(Standing::Open(third.open())));
    assert_eq!(stands(2), Some(Standing::Open(Sketch::new(2).open())), "nobody else's row has changed");
}

/// The four transitions of an open proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    Apply,
    Reject,
    Withdraw,
    Revise,
}

const MOVES: [Move; 4] = [Move::Apply, Move::Reject, Move::Withdraw, Move::Revise];

impl Move {
    /// Makes the move; whether it won.
    fn make(self, store: &dyn Store, presser: Presser, sketch: &Sketch) -> bool {
        let next = sketch.revised();
        match self {
            Self::Apply => matches!(press(store, presser), Press::Applied(..)),
            Self::Reject => keep(store, move |tx| presser.close(tx, State::Rejected, Some("no"))),
            Self::Withdraw => keep(store, move |tx| presser.close(tx, State::Withdrawn, None)),
            Self::Revise => keep(store, move |tx| next.revise(tx, presser.room, &presser.digest)),
        }
    }

    /// Whether this is where a proposal stands after the move.
    fn left(self, standing: &Standing) -> bool {
        match (self, standing) {
            (Self::Apply, Standing::Applied(facts)) => facts.revision == 1,
            (Self::Reject, Standing::Closed(facts)) => facts.state == State::Rejected,
            (Self::Withdraw, Standing::Closed(facts)) => facts.state == State::Withdrawn,
            (Self::Revise, Standing::Open(facts)) => facts.revision == 2,
            _ => false,
        }
    }
}

pub(super) fn of_two_transitions_the_first_wins(h: &dyn Harness) {
    let w = World::new(h);
    let pairs = MOVES.into_iter().flat_map(|first| MOVES.map(|second| (first, second)));
    for (n, (first, second)) in (1..).zip(pairs) {
        let sketch = Sketch::new(n);
        w.submit(&sketch);
        let presser = w.presser(&sketch);
        assert!(first.make(&*w.store, presser, &sketch), "{first:?} wins alone");
        let between = w.dump();
        assert!(!second.make(&*w.store, presser, &sketch), "{second:?} after {first:?}");
        assert_eq!(w.dump(), between, "{second:?} after {first:?} has changed nothing");
        let standing = w.see(|tx| tx.standing(w.room, sketch.id)).unwrap();
        assert!(first.left(&standing), "{first:?} before {second:?} left {standing:?}");
    }
}

pub(super) fn of_many_transitions_at_once_exactly_one_wins(h: &dyn Harness) {
    let w = World::new(h);
    for n in 1..=6 {
        let sketch = Sketch::new(n);
        w.submit(&sketch);
        let presser = w.presser(&sketch);
        let (store, sketch) = (&*w.store, &sketch);
        let won: Vec<Move> = std::thread::scope(|scope| {
            let threads: Vec<_> = MOVES
                .into_iter()
                .chain(MOVES)
                .map(|chosen| (chosen, scope.spawn(move || chosen.make(store, presser, sketch))))
                .collect();
            threads.into_iter().filter_map(|(chosen, t)| t.join().unwrap().then_some(chosen)).collect()
        });
        let [winner] = won[..] else { panic!("exactly one wins, not {won:?}") };
        let standing = w.see(|tx| tx.standing(w.room, sketch.id)).unwrap();
        assert!(winner.left(&standing), "{winner:?} left {standing:?}");
    }
    let head = w.see(|tx| tx.head(w.room));
    assert_eq!(head.size, head.counts.applied + head.counts.rejected + head.counts.withdrawn);
    assert_eq!(head.counts.open + head.size, 6);
}

pub(super) fn many_claims_at_once_give_one_winner_and_one_receipt(h: &dyn Harness) {
    let w = World::new(h);
    let sketch = Sketch::new(1).edit(Edit::create("a", b"1", 1));
    w.submit(&sketch);
    let (store, presser) = (&*w.store, w.presser(&sketch));
    let presses: Vec<Press> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..12).map(|_| scope.spawn(|| press(store, presser))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let won: Vec<_> = presses.iter().filter(|p| matches!(p, Press::Applied(..))).collect();
    let [Press::Applied(1, leaf)] = won[..] else { panic!("exactly one wins, not {won:?}") };
    for lost in presses.iter().filter(|p| !matches!(p, Press::Applied(..))) {
        let Press::Lost(receipt) = lost else { panic!("a loser is given the receipt, not {lost:?}") };
        assert_eq!((receipt.seq, &receipt.leaf), (1, leaf));
    }
    assert_eq!(w.see(|tx| tx.head(w.room)).size, 1);
}

pub(super) fn what_was_rejected_can_be_taken_back_once_what_was_withdrawn_never(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let [one, two, three] = [1, 2, 3].map(Sketch::new);
    for sketch in [&one, &two, &three] {
        w.submit(sketch);
    }
    let presser = w.presser(&one);
    assert!(w.keep(move |tx| presser.close(tx, State::Rejected, Some("Not this month."))));
    assert!(w.close(&two, State::Withdrawn));
    let Some(Standing::Closed(closed)) = w.see(|tx| tx.standing(room, pid(1))) else { panic!("it is closed") };
    assert_eq!((closed.state, closed.revision, closed.digest), (State::Rejected, 1, one.digest()));
    assert_eq!((closed.by, closed.by_name.as_str(), closed.at, closed.seq), (BUDI, "Budi", at(T0), 1));
    assert_eq!(closed.reason.as_deref(), Some("Not this month."));
    assert_eq!(w.undo(move |tx| tx.take_rejected(room, pid(1))), Some(closed));
    let reopen = |sketch: &Sketch| {
        let presser = w.presser(sketch);
        w.keep(move |tx| presser.reopen(tx))
    };
    let before = w.dump();
    assert!(!reopen(&two), "withdrawn");
    assert!(!reopen(&three), "waiting");
    assert_eq!(w.dump(), before);
    assert!(reopen(&one));
    assert!(!reopen(&one), "only once");
    assert_eq!(w.see(|tx| tx.standing(room, pid(1))), Some(Standing::Open(one.open())));
    assert!(matches!(w.apply(&one), Press::Applied(..)), "what waits again can be applied");
}

pub(super) fn where_a_proposal_stands_is_one_row(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two, three] = [1, 2, 3].map(Sketch::new);
    for sketch in [&one, &two, &three] {
        w.submit(sketch);
    }
    w.apply(&one);
    w.close(&two, State::Rejected);
    let state = |n| {
        w.see(|tx| {
            let now = tx.now(w.room)?;
            Ok(tx.standing(w.room, pid(n))?.map(|standing| standing.state(now)))
        })
    };
    let states = [1, 2, 3, 4].map(state);
    assert_eq!(states, [Some(State::Applied), Some(State::Rejected), Some(State::Waiting), None]);
}

pub(super) fn a_lost_transition_is_told_which_row_stands_in_its_way(h: &dyn Harness) {
    let w = World::new(h);
    let [rejected, changed] = [1, 2].map(Sketch::new);
    for sketch in [&rejected, &changed] {
        w.submit(sketch);
    }
    w.close(&rejected, State::Rejected);
    let (room, seen, next) = (w.room, changed.digest(), changed.revised());
    assert!(w.keep(move |tx| next.revise(tx, room, &seen)));
    let told = |sketch: &Sketch| {
        let presser = w.presser(sketch);
        // Asked where the engine asks: after its own claim has won and the open row was not there.
        w.undo(move |tx| {
            assert!(tx.claim(room, &presser.claim_row(1, at(T0)))?.is_ok());
            assert_eq!(tx.take_open(room, presser.id, &presser.digest)?, None);
            tx.standing(room, presser.id)
        })
    };
    let standing = told(&rejected);
    assert!(matches!(&standing, Some(Standing::Closed(c)) if c.state == State::Rejected), "{standing:?}");
    assert_eq!(told(&changed), Some(Standing::Open(changed.revised().open())));
}

pub(super) fn an_effect_is_had_once_for_each_generation(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let first = Sketch::new(1).effect("pay/1", 0).effect("pay/2", 0);
    let same = Sketch::new(2).effect("other", 0).effect("pay/2", 0).edit(Edit::create("a", b"1", 1));
    let raised = Sketch::new(3).effect("pay/2", 1);
    w.applied(&first);
    for sketch in [&same, &raised] {
        w.submit(sketch);
    }
    let before = w.dump();
    assert_eq!(w.apply(&same), Press::EffectDone(EffectWinner { proposal: pid(1), number: 1 }));
    assert_eq!(w.dump(), before, "a refusal leaves nothing: no claim, no other effect, no document");
    assert!(matches!(w.apply(&raised), Press::Applied(..)), "another generation is another effect");
    w.see(|tx| {
        let winner = |key: &str, generation| Ok(tx.effect(room, &effect(key, generation))?.map(|w| w.number));
        assert_eq!(winner("pay/1", 0)?, Some(1));
        assert_eq!(winner("pay/2", 0)?, Some(1));
        assert_eq!(winner("pay/2", 1)?, Some(3));
        assert_eq!(winner("other", 0)?, None);
        assert_eq!(winner("PAY/1", 0)?, None, "keys are compared exactly");
        assert_eq!(tx.document(room, &path("a"))?, None);
        Ok(())
    });
}

pub(super) fn an_undone_effect_is_free(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two] = [1, 2].map(|n| Sketch::new(n).effect("pay", 0));
    w.submit(&one);
    w.submit(&two);
    let presser = w.presser(&one);
    let undone = w.undo(move |tx| presser.apply(tx));
    assert!(matches!(undone, Press::Applied(..)), "{undone:?}");
    assert_eq!(w.see(|tx| tx.effect(w.room, &effect("pay", 0))), None);
    assert!(matches!(w.apply(&two), Press::Applied(..)));
    assert_eq!(w.apply(&one), Press::EffectDone(EffectWinner { proposal: pid(2), number: 2 }));
}

pub(super) fn rooms_do_not_see_each_other(h: &dyn Harness) {
    let w = World::new(h);
    let other = w.second_room();
    let here = Sketch::new(1).edit(Edit::create("a", b"1", 1)).effect("pay", 0);
    w.applied(&here);
    w.see(|tx| {
        assert_eq!(tx.proposal(other, 1)?, None);
        assert_eq!(tx.standing(other, pid(1))?, None);
        assert_eq!(tx.document(other, &path("a"))?, None);
        assert_eq!(tx.effect(other, &effect("pay", 0))?, None);
        assert_eq!(tx.head(other)?.size, 0);
        Ok(())
    });
    // The same ids, effect and path in the other room are others.
    let there = Sketch { room_id: super::fixture::room_id(2), ..here };
    let presser = Presser { room: other, ..w.presser(&there) };
    let press = write(&*w.store, move |tx| {
        there.submit(tx, other)?;
        Ok((Verdict::Keep, presser.apply(tx)?))
    });
    let press = press.unwrap();
    assert!(matches!(press, Press::Applied(1, _)), "{press:?}");
    w.see(|tx| {
        let [one, two] = [tx.entries(w.room, 0, 9)?, tx.entries(other, 0, 9)?];
        assert_eq!((one.len(), two.len()), (1, 1));
        assert_ne!(one[0].leaf, two[0].leaf, "each ledger names its room");
        Ok(())
    });
}
