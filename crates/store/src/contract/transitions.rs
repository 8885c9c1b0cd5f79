//! The open row that every transition takes, so that two of them never both win: P1.

use sekali_core::State;
use sekali_core::decide::Standing;

use super::Harness;
use super::fixture::{BUDI, Press, Presser, Sketch, T0, World, at, keep, pid, press};
use crate::verbs::Store;

pub(super) fn an_open_row_is_taken_once_and_only_by_its_digest(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let sketch = Sketch::new(1).until(T0 + 50);
    w.submit(&sketch);
    let (right, wrong) = (sketch.digest(), sketch.revised().digest());
    let missed =
        w.keep(move |tx| Ok([tx.take_open(room, pid(1), &wrong)?, tx.take_open(room, pid(2), &right)?]));
    assert_eq!(missed, [false, false]);
    assert!(w.undo(move |tx| tx.take_open(room, pid(1), &right)));
    assert_eq!(w.see(|tx| tx.standing(room, pid(1))), Some(Standing::Open(sketch.open())));
    let both =
        w.keep(move |tx| Ok([tx.take_open(room, pid(1), &right)?, tx.take_open(room, pid(1), &right)?]));
    assert_eq!(both, [true, false]);
    assert!(!w.keep(move |tx| tx.take_open(room, pid(1), &right)));
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
    let Some(Standing::Closed(closed)) = w.see(|tx| tx.standing(room, pid(1))) else {
        panic!("it is closed")
    };
    assert_eq!((closed.state, closed.revision, closed.digest), (State::Rejected, 1, one.digest()));
    assert_eq!((closed.by, closed.by_name.as_str(), closed.at, closed.seq), (BUDI, "Budi", at(T0), 1));
    assert_eq!(closed.reason.as_deref(), Some("Not this month."));
    let (mine, other) = (one.digest(), two.digest());
    assert_eq!(w.undo(move |tx| tx.take_rejected(room, pid(1), &other)), None, "another revision");
    assert_eq!(w.undo(move |tx| tx.take_rejected(room, pid(1), &mine)), Some(closed));
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
            assert!(tx.claim(room, &presser.claim_row(1, at(T0)))?.is_some());
            assert!(!tx.take_open(room, presser.id, &presser.digest)?);
            tx.standing(room, presser.id)
        })
    };
    let standing = told(&rejected);
    assert!(matches!(&standing, Some(Standing::Closed(c)) if c.state == State::Rejected), "{standing:?}");
    assert_eq!(told(&changed), Some(Standing::Open(changed.revised().open())));
}
