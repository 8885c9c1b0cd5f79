//! Random sequences of jobs, run on a store and on the model: every answer of every verb and the
//! full reading at the end are the same. Ids are drawn like everything else; nothing reads a clock.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use sekali_core::Code;

use super::fixture::{T0, make_room, room_id};
use super::{Harness, SetClock, dump};
use crate::error::StoreError;
use crate::model::Model;
use crate::rows::{ListQuery, RoomKey};
use crate::verbs::{Store, Verdict, read, write};

mod act;
mod stage;

use act::{Ending, Job};
pub use act::{Step, steps};
use stage::Stage;

/// Every proposal, as far as one page goes.
pub(super) const WHOLE: ListQuery = ListQuery { state: None, before: None, now: None, limit: 10_000 };

/// Compares a store with the model over random sequences of steps.
///
/// # Panics
/// With the smallest sequence found for which they differ, and where.
pub fn agrees_with_the_model(harness: &dyn Harness, cases: u32) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&steps(), |steps| {
        let clock = SetClock::at_ms(T0);
        let store = harness.make(Arc::clone(&clock) as Arc<_>);
        compare(&*store, &clock, &steps).map_err(TestCaseError::fail)
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, steps)) => panic!("{why}\nafter {steps:#?}"),
        Err(TestError::Abort(why)) => panic!("gave up: {why}"),
    }
}

/// Runs steps on a new store, which has this clock, and on a model.
///
/// # Errors
/// The first answer or the first line of the full reading that differs.
pub fn compare(store: &dyn Store, clock: &Arc<SetClock>, steps: &[Step]) -> std::result::Result<(), String> {
    let model = Model::new(Arc::clone(clock) as Arc<_>);
    let players = [Player::new(&model), Player::new(store)];
    for (n, step) in steps.iter().enumerate() {
        match step {
            Step::Tick(ms) => clock.advance_ms(*ms),
            Step::Job(job) => {
                let [wanted, got] = players.each_ref().map(|player| player.run(job));
                same(&wanted, &got).map_err(|differ| format!("step {n}, {job:?}: {differ}"))?;
            }
        }
    }
    let [wanted, got] = players.map(|player| read(player.store, |tx| dump(tx)).map_err(|e| e.to_string()));
    same(&wanted?, &got?).map_err(|differ| format!("the full reading: {differ}"))
}

fn same(wanted: &str, got: &str) -> std::result::Result<(), String> {
    let mut lines = wanted.lines().zip(got.lines());
    match lines.find(|(wanted, got)| wanted != got) {
        Some((wanted, got)) => Err(format!("the model says\n  {wanted}\nand the store\n  {got}")),
        None if wanted.len() == got.len() => Ok(()),
        None => Err(format!("one says more: the model\n{wanted}\nand the store\n{got}")),
    }
}

/// A store with its two rooms; keys differ from store to store.
struct Player<'a> {
    store: &'a dyn Store,
    rooms: [RoomKey; 2],
}

impl<'a> Player<'a> {
    fn new(store: &'a dyn Store) -> Self {
        let rooms =
            write(store, |tx| Ok((Verdict::Keep, [make_room(tx, 1, "satu")?, make_room(tx, 2, "dua")?])));
        Self { store, rooms: rooms.unwrap() }
    }

    /// Runs a job and tells everything that its verbs answered.
    fn run(&self, job: &Job) -> String {
        let (room, job) = (self.rooms[job.room], job.clone());
        let answer = write(self.store, move |tx| {
            let mut told = String::new();
            let room_id = room_id(job.room as u64 + 1);
            let keep = Stage { tx, room, room_id, told: &mut told }.play(&job.act)?;
            match job.ending {
                Ending::Failed => Err(StoreError::new(Code::StoreFull, format!("on purpose, after {told}"))),
                Ending::Kept if keep => Ok((Verdict::Keep, told)),
                _ => Ok((Verdict::Undo, told)),
            }
        });
        answer.unwrap_or_else(|error| format!("{}: {error}", error.code.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree;

    use super::act::Act;
    use super::*;

    struct InMemory;

    impl Harness for InMemory {
        fn make(&self, clock: Arc<dyn crate::verbs::Clock>) -> Box<dyn Store> {
            Box::new(Model::new(clock))
        }
    }

    #[test]
    fn the_model_agrees_with_itself() {
        agrees_with_the_model(&InMemory, 32);
    }

    /// A sequence that never met a refusal would compare nothing of it.
    #[test]
    fn the_sequences_reach_every_answer() {
        let mut runner = TestRunner::deterministic();
        let mut told = String::new();
        for _ in 0..500 {
            let steps = steps().new_tree(&mut runner).unwrap().current();
            let clock = SetClock::at_ms(T0);
            let model = Model::new(Arc::clone(&clock) as Arc<_>);
            let player = Player::new(&model);
            for step in &steps {
                match step {
                    Step::Tick(ms) => clock.advance_ms(*ms),
                    Step::Job(job) => told.push_str(&player.run(job)),
                }
            }
            told.push_str(&read(&model, |tx| dump(tx)).unwrap());
        }
        for word in [
            "Applied(",
            "Lost(",
            "NotOpen",
            "EffectDone(",
            "Stale(",
            "state: Rejected",
            "state: Withdrawn",
            "state: Expired",
            "stale: true",
            "op: Rename",
            "op: Delete",
            "os_user: Some",
            "Replaced",
            "departed",
            "store.full",
            "revision: 3",
            "AttemptRow { n: 41,",
            "Some(Reservation",
            "rebased_from: Some(2)",
            "form: MergePatch",
            "MovedHunk { hunk: 2,",
            "kind: Answer, answers: Some(2)",
            "fingerprint: Some([1",
            "kind: SplitFrom, outgoing: false",
            "kind: Reverts, outgoing: true",
        ] {
            assert!(told.contains(word), "no sequence has come to {word:?}");
        }
    }

    #[test]
    fn a_store_that_differs_is_found_out() {
        let model = |ms| Model::new(SetClock::at_ms(ms));
        let act = Act::Create { at: 0, bytes: 1, script: false };
        let job = Step::Job(Job { room: 0, act, ending: Ending::Kept });
        let clock = SetClock::at_ms(T0);
        assert_eq!(compare(&model(T0), &clock, std::slice::from_ref(&job)), Ok(()));
        let other = compare(&model(T0 + 1), &clock, &[job]).unwrap_err();
        assert!(other.contains("the model says"), "{other}");
    }
}
