//! The in-memory model passes the contract, and goes wrong where a test asks it to.

use std::sync::Arc;

use sekali_core::{Code, RoomId, Timestamp};
use sekali_store::contract::{self, Harness, SetClock};
use sekali_store::model::{Fault, Model};
use sekali_store::{Clock, Store, StoreError, Verdict, read, write};

struct InMemory;

impl Harness for InMemory {
    fn make(&self, clock: Arc<dyn Clock>) -> Box<dyn Store> {
        Box::new(Model::new(clock))
    }
}

#[test]
fn the_model_passes_the_contract() {
    contract::run(&InMemory);
}

/// Makes a room called `slug`; the answer's code where there was none.
fn make_room(model: &Model, slug: &'static str) -> Result<(), Code> {
    write(model, move |tx| {
        let id = RoomId::from_bytes([slug.len().to_le_bytes()[0]; 16]);
        tx.create_room(id, slug, "Arsip", Timestamp::from_ms(0))?;
        Ok((Verdict::Keep, ()))
    })
    .map_err(|e| e.code)
}

fn slugs(model: &Model) -> Vec<String> {
    read(model, |tx| Ok::<_, StoreError>(tx.rooms()?.into_iter().map(|room| room.slug).collect()))
        .expect("the model reads")
}

#[test]
fn a_planned_fault_meets_one_write() {
    let check = |fault: Option<Fault>, answer: Result<(), Code>, kept: bool| {
        let model = Model::new(SetClock::at_ms(0));
        if let Some(fault) = fault {
            model.fail_next(fault);
        }
        assert_eq!(make_room(&model, "a"), answer, "{fault:?}");
        assert_eq!(slugs(&model), if kept { vec!["a"] } else { vec![] }, "{fault:?}");
        assert_eq!(make_room(&model, "next"), Ok(()), "{fault:?}");
        assert_eq!(slugs(&model).last().map(String::as_str), Some("next"), "{fault:?}");
    };
    check(None, Ok(()), true);
    check(Some(Fault::NotRun(Code::StoreBusy)), Err(Code::StoreBusy), false);
    check(Some(Fault::RolledBack(Code::StoreFull)), Err(Code::StoreFull), false);
    check(Some(Fault::RolledBack(Code::StoreOutcomeUnknown)), Err(Code::StoreOutcomeUnknown), false);
    check(Some(Fault::Committed), Err(Code::StoreOutcomeUnknown), true);
}

#[test]
fn faults_are_met_in_the_order_in_which_they_were_planned() {
    let model = Model::new(SetClock::at_ms(0));
    model.fail_next(Fault::NotRun(Code::StoreBusy));
    model.pass_next();
    model.fail_next(Fault::Committed);
    assert_eq!(make_room(&model, "a"), Err(Code::StoreBusy));
    assert_eq!(make_room(&model, "bb"), Ok(()));
    assert_eq!(make_room(&model, "ccc"), Err(Code::StoreOutcomeUnknown));
    assert_eq!(slugs(&model), ["bb", "ccc"]);
}

#[test]
fn an_undone_write_stays_undone_whatever_is_planned() {
    let model = Model::new(SetClock::at_ms(0));
    model.fail_next(Fault::Committed);
    let answer = write(&model, |tx| {
        tx.create_room(RoomId::from_bytes([1; 16]), "a", "A", Timestamp::from_ms(0))?;
        Ok((Verdict::Undo, ()))
    });
    assert_eq!(answer.map_err(|e| e.code), Err(Code::StoreOutcomeUnknown));
    assert_eq!(slugs(&model), [""; 0]);
}
