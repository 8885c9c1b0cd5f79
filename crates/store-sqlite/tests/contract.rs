//! The SQLite store passes the suite that every store passes, and answers as the model does.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sekali_store::contract::{self, Harness};
use sekali_store::{Clock, Store};
use sekali_store_sqlite::{Options, SqliteStore};

/// Stores in one folder that vanishes.
struct Files {
    folder: tempfile::TempDir,
    made: AtomicU64,
}

impl Files {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder"), made: AtomicU64::new(0) }
    }
}

impl Harness for Files {
    fn make(&self, clock: Arc<dyn Clock>) -> Box<dyn Store> {
        let path = self.folder.path().join(format!("{}.db", self.made.fetch_add(1, Ordering::SeqCst)));
        let options = Options { clock, ..Options::default() };
        Box::new(SqliteStore::create(&path, options).expect("a fresh folder"))
    }

    fn reopen(&self, store: Box<dyn Store>, clock: Arc<dyn Clock>) -> Box<dyn Store> {
        let place = store.facts().expect("a good store").place;
        drop(store);
        let options = Options { clock, ..Options::default() };
        Box::new(SqliteStore::open(Path::new(&place), options).expect("a good store"))
    }
}

#[test]
fn it_passes_the_contract() {
    contract::run(&Files::new());
}

#[test]
fn it_answers_as_the_model_does() {
    contract::agrees_with_the_model(&Files::new(), 64);
}
