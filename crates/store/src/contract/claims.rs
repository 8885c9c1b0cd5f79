//! The fence, and effects: P1.

use sekali_core::Door;
use sekali_core::decide::{AppliedFacts, Standing};

use super::Harness;
use super::fixture::{
    ANI, BUDI, Edit, Press, Presser, Sketch, T0, World, aid, at, effect, path, pid, press, room_id,
};
use crate::rows::EffectWinner;
use crate::verbs::{Verdict, write};

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
    for second in
        [Presser { actor: ANI, os_user: None, ..first }, Presser { digest: Sketch::new(9).digest(), ..first }]
    {
        assert_eq!(press(&*w.store, second), Press::Lost(Box::new(receipt.clone())));
    }
    // A claim that is lost and kept all the same has written nothing.
    let second = w.presser(&sketch).claim_row(7, at(T0 + 99));
    let lost = w.keep(move |tx| tx.claim(room, &second));
    assert_eq!(lost, None);
    assert_eq!(w.see(|tx| tx.receipt(room, pid(2))), Some(receipt.clone()));
    assert_eq!(w.see(|tx| tx.receipt(room, pid(99))), None);
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

pub(super) fn many_claims_at_once_give_one_winner_and_one_receipt(h: &dyn Harness) {
    let w = World::new(h);
    let sketch = Sketch::new(1).edit(Edit::create("a", b"1", 1));
    w.submit(&sketch);
    let (store, presser) = (&*w.store, w.presser(&sketch));
    let answers: Vec<Press> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..12).map(|_| scope.spawn(|| press(store, presser))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let won: Vec<_> = answers.iter().filter(|p| matches!(p, Press::Applied(..))).collect();
    let [Press::Applied(1, leaf)] = won[..] else { panic!("exactly one wins, not {won:?}") };
    for lost in answers.iter().filter(|p| !matches!(p, Press::Applied(..))) {
        let Press::Lost(receipt) = lost else { panic!("a loser is given the receipt, not {lost:?}") };
        assert_eq!((receipt.seq, &receipt.leaf), (1, leaf));
    }
    assert_eq!(w.see(|tx| tx.head(w.room)).size, 1);
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
    let there = Sketch { room_id: room_id(2), ..here };
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
