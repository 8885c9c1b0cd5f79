//! The demo on a real file: every step of it, then the checks and an export.
use std::sync::Arc;

use sekali_core::text::ActorName;
use sekali_core::{Door, Lang};
use sekali_engine::{Caller, Engine, demo, export};
use sekali_store::contract::SetClock;
use sekali_store_sqlite::{Options, SqliteStore};

#[test]
fn the_demo_is_built_by_real_steps_and_is_sound() {
    for lang in [Lang::En, Lang::Id] {
        let dir = tempfile::tempdir().unwrap();
        let store = SqliteStore::create(&dir.path().join("demo.db"), Options::default()).unwrap();
        let engine = Engine::new(Arc::new(store));
        let caller = Caller {
            name: ActorName::parse("as", "tester").unwrap(),
            door: Door::Cli,
            os_user: Some("tester".to_owned()),
        };
        let report = demo::build(&engine, &caller, lang, &mut |_, _| {}).unwrap();
        assert_eq!((report.proposals, report.entries), (25, 12), "{report:?}");
        let check = engine.check(&mut |_, _| {}).unwrap();
        assert_eq!(check.problems, []);
        assert_eq!((check.rooms, check.entries, check.documents), (1, 12, 14));
        let options = export::Options { out: dir.path().join("out"), jsonl: true, csv: true, content: true };
        let exported = engine.export(&caller, demo::ROOM, &options, &mut |_, _| {}).unwrap();
        assert_eq!(exported.entries, 12);
        assert_eq!(exported.files.len(), 5);
    }
}

#[test]
fn the_demo_knows_no_time_but_its_stores() {
    let dir = tempfile::tempdir().unwrap();
    // A store whose clock is far ahead: a validity reckoned from another clock would be over.
    let options = Options { clock: SetClock::at_ms(4_102_444_800_000), ..Options::default() };
    let store = SqliteStore::create(&dir.path().join("demo.db"), options).unwrap();
    let engine = Engine::new(Arc::new(store));
    let name = ActorName::parse("as", "tester").unwrap();
    let caller = Caller { name, door: Door::Cli, os_user: None };
    let report = demo::build(&engine, &caller, Lang::En, &mut |_, _| {}).unwrap();
    assert_eq!((report.proposals, report.entries), (25, 12), "{report:?}");
}
