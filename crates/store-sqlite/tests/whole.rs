//! A store comes into its place whole or not at all.

use std::path::Path;
use std::sync::Arc;

use sekali_core::Code;
use sekali_store::{Store as _, StoreError};
use sekali_store_sqlite::{Options, SqliteStore};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry of it").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn make(path: &Path) -> Result<String, StoreError> {
    SqliteStore::create_whole(path, Options::default(), |store| Ok(store.id().to_string()))
}

#[test]
fn a_store_has_its_name_only_when_it_is_filled() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.db");
    let id = SqliteStore::create_whole(&path, Options::default(), |store| {
        assert!(!path.exists(), "it is not there yet");
        store.facts()?;
        Ok::<_, StoreError>(store.id())
    })
    .expect("there was none");
    assert_eq!(names(folder.path()), ["mine.db", "mine.db.key", "mine.db.lock", "mine.db.turn"]);
    let store = SqliteStore::open(&path, Options::default()).expect("it is whole");
    assert_eq!(store.id(), id);
    assert_eq!(store.health().expect("it can be asked").integrity, Vec::<String>::new());
    assert_eq!(store.facts().expect("it can be asked").warnings, vec![], "its key is beside it");

    let error = make(&path).expect_err("there is one");
    assert_eq!(error.code, Code::StoreExists);
    assert_eq!(store.id(), id);
}

#[test]
fn what_could_not_be_filled_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.db");
    let refused = SqliteStore::create_whole(&path, Options::default(), |_| {
        Err::<(), _>(StoreError::new(Code::ActorDenied, "No."))
    });
    assert_eq!(refused.expect_err("it was refused").code, Code::ActorDenied);
    assert_eq!(names(folder.path()), Vec::<String>::new());

    let mut kept = None;
    let refused = SqliteStore::create_whole(&path, Options::default(), |store| {
        kept = Some(Arc::clone(&store));
        Ok::<_, StoreError>(())
    });
    assert_eq!(refused.expect_err("somebody still has it open").code, Code::Internal);
    assert!(!path.exists());
}

#[test]
fn what_a_crash_left_half_made_is_made_anew() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.db");
    let half = folder.path().join(".mine.db.unfinished");
    // Open, as a process leaves it that is killed: with its log beside it.
    let store = SqliteStore::create(&half, Options::default()).expect("there was none");
    let id = store.id().to_string();
    std::mem::forget(store);
    assert!(SqliteStore::open(&path, Options::default()).is_err(), "it is no store yet");
    assert_ne!(make(&path).expect("the half is in nobody's way"), id);
    assert_eq!(names(folder.path()), ["mine.db", "mine.db.key", "mine.db.lock", "mine.db.turn"]);
}

#[test]
fn a_crash_between_the_key_and_the_store_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.db");
    let id = make(&path).expect("there was none");
    let half = folder.path().join(".mine.db.unfinished");
    std::fs::rename(&path, &half).expect("it is closed");
    assert_eq!(make(&path).expect_err("it was whole, and is there now").code, Code::StoreExists);
    assert_eq!(SqliteStore::open(&path, Options::default()).expect("it is whole").id().to_string(), id);
    assert_eq!(names(folder.path()), ["mine.db", "mine.db.key", "mine.db.lock", "mine.db.turn"]);
}

#[test]
fn the_key_of_another_store_is_never_written_over() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.db");
    std::fs::write(folder.path().join("mine.db.key"), "of a store that was moved")
        .expect("it can be written");
    let error = make(&path).expect_err("a key is there");
    assert_eq!(error.code, Code::StoreExists);
    assert!(error.detail.contains("mine.db.key"), "{error}");
    let key = std::fs::read_to_string(folder.path().join("mine.db.key")).expect("it is still there");
    assert_eq!(key, "of a store that was moved");
    assert_eq!(names(folder.path()), ["mine.db.key"]);
}

#[test]
fn of_many_that_make_one_at_once_one_does() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.db");
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| make(&path))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread fails")).collect()
    });
    let made: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
    assert_eq!(made.len(), 1, "{answers:?}");
    assert!(
        answers.iter().all(|a| a.as_ref().err().is_none_or(|e| e.code == Code::StoreExists)),
        "{answers:?}"
    );
    assert_eq!(&SqliteStore::open(&path, Options::default()).expect("it is whole").id().to_string(), made[0]);
    assert_eq!(names(folder.path()), ["mine.db", "mine.db.key", "mine.db.lock", "mine.db.turn"]);
}
