//! What happens between the plan of a press and its transaction, made to happen there.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sekali_core::Code;
use sekali_core::decide::Outcome;
use sekali_core::role::Seen;
use sekali_engine::{Caller, Engine};
use sekali_store::model::Model;
use sekali_store::{Job, Read, RoomKey, Store, StoreError, StoreFacts};

use super::desk::{Desk, ROOM, path, proposal, put};

/// A store in which something happens between the plan of a press and its transaction.
struct Meanwhile {
    inner: Arc<Model>,
    then: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Store for Meanwhile {
    fn facts(&self) -> Result<StoreFacts, StoreError> {
        self.inner.facts()
    }
    fn read(&self, job: &mut dyn FnMut(&dyn Read) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.inner.read(job)
    }
    fn write(&self, job: Arc<Job>) -> Result<(), StoreError> {
        let then = self.then.lock().expect("no thread fails").take();
        if let Some(then) = then {
            then();
        }
        self.inner.write(job)
    }
    fn wait_for_change(&self, room: RoomKey, after: u64, timeout: Duration) -> Result<u64, StoreError> {
        self.inner.wait_for_change(room, after, timeout)
    }
}

#[test]
fn what_happens_between_plan_and_transaction_is_never_overlooked() {
    let check = |seen_first: bool, meanwhile: fn(&Engine, &Caller, u64), revision: u32| {
        let desk = Desk::new();
        let warm = desk.submit(proposal(vec![put("w", "1")]));
        assert!(matches!(desk.press(warm.number, warm.digest), Outcome::Applied(_)));
        let one = desk.submit(proposal(vec![put("a", "1")]));
        let (other, ani) = (desk.engine.clone(), desk.ani.clone());
        let then: Box<dyn FnOnce() + Send> = Box::new(move || meanwhile(&other, &ani, one.number));
        let between = Meanwhile { inner: Arc::clone(&desk.store), then: Mutex::new(None) };
        let between = Arc::new(between);
        let engine = Engine::new(Arc::clone(&between) as Arc<dyn Store>);
        // The system user is known before, so that the next write is the press itself.
        let again = engine.apply(&desk.ani, ROOM, warm.number, Seen::Nothing).expect("a good store");
        assert!(matches!(again, Outcome::Replayed(..)));
        *between.then.lock().expect("no thread fails") = Some(then);
        let seen = if seen_first { Seen::Digest(one.digest) } else { Seen::Nothing };
        let outcome = engine.apply(&desk.ani, ROOM, one.number, seen).expect("a good store");
        let Outcome::Applied(receipt) = outcome else { panic!("{outcome:?}") };
        assert_eq!(receipt.facts().revision, revision);
        let content = desk.engine.document(&desk.ani, ROOM, &path("a"), None).expect("its change was made").1;
        assert_eq!(content, revision.to_string().into_bytes());
        desk.sound();
    };
    // Rejected and reopened in between: the same digest waits again.
    let reopen = |engine: &Engine, ani: &Caller, number: u64| {
        engine.reject(ani, ROOM, number, None, "no").expect("it waits");
        engine.reopen(ani, ROOM, number, None).expect("it was rejected");
    };
    check(true, reopen, 1);
    check(false, reopen, 1);
    // `--yes` follows a revision.
    let revise = |engine: &Engine, ani: &Caller, number: u64| {
        let _ = engine.revise(ani, ROOM, number, None, proposal(vec![put("a", "2")])).expect("it waits");
    };
    check(false, revise, 2);
}

#[test]
fn a_rejected_proposal_that_is_reopened_while_pressed_is_applied_with_its_changes() {
    let desk = Desk::new();
    let warm = desk.submit(proposal(vec![put("w", "1")]));
    assert!(matches!(desk.press(warm.number, warm.digest), Outcome::Applied(_)));
    let one = desk.submit(proposal(vec![put("a", "1")]));
    desk.engine.reject(&desk.ani, ROOM, one.number, None, "no").expect("it waits");
    let (other, ani, number) = (desk.engine.clone(), desk.ani.clone(), one.number);
    let between = Arc::new(Meanwhile { inner: Arc::clone(&desk.store), then: Mutex::new(None) });
    let engine = Engine::new(Arc::clone(&between) as Arc<dyn Store>);
    let _ = engine.apply(&desk.ani, ROOM, warm.number, Seen::Nothing).expect("a good store");
    *between.then.lock().expect("no thread fails") = Some(Box::new(move || {
        other.reopen(&ani, ROOM, number, None).expect("it was rejected");
    }));
    // Planned while it was rejected, pressed when it waits: never an entry without its change.
    let outcome = engine.apply(&desk.ani, ROOM, one.number, Seen::Digest(one.digest)).expect("a good store");
    assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
    assert_eq!(desk.engine.document(&desk.ani, ROOM, &path("a"), None).expect("a document").1, b"1");
    desk.sound();
}

#[test]
fn what_is_reopened_is_the_revision_that_was_rejected_when_it_was_asked_for() {
    let desk = Desk::new();
    let warm = desk.submit(proposal(vec![put("warm", "1")]));
    let one = desk.submit(proposal(vec![put("a", "1")]));
    desk.engine.reject(&desk.ani, ROOM, warm.number, None, "no").expect("it waits");
    desk.engine.reject(&desk.ani, ROOM, one.number, None, "no").expect("it waits");
    let (other, ani, number) = (desk.engine.clone(), desk.ani.clone(), one.number);
    let between = Arc::new(Meanwhile { inner: Arc::clone(&desk.store), then: Mutex::new(None) });
    let engine = Engine::new(Arc::clone(&between) as Arc<dyn Store>);
    engine.reopen(&desk.ani, ROOM, warm.number, None).expect("it was rejected");
    *between.then.lock().expect("no thread fails") = Some(Box::new(move || {
        other.reopen(&ani, ROOM, number, None).expect("it was rejected");
        let _ = other.revise(&ani, ROOM, number, None, proposal(vec![put("a", "2")])).expect("it waits");
        other.reject(&ani, ROOM, number, None, "no").expect("it waits");
    }));
    // An entry that names revision 1 after one of revision 2 could never be taken back.
    let refused = engine.reopen(&desk.ani, ROOM, one.number, None).expect_err("another revision");
    assert_eq!(refused.code(), Code::ProposalChanged);
    desk.sound();
}
