//! The baseline: one INSERT per transaction, as plainly as SQLite can do it.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// How long one slice of a measurement is; bare and the measured thing take turns.
pub(crate) const SLICE: Duration = Duration::from_millis(500);

/// A table in a file of its own, on the disk where the stores are.
pub(crate) struct Bare {
    conn: Connection,
    _folder: tempfile::TempDir,
}

impl Bare {
    pub(crate) fn new() -> Self {
        let folder = crate::load::folder();
        let conn = open(&folder.path().join("bare.db"));
        Self { conn, _folder: folder }
    }

    /// Transactions per second over one slice.
    pub(crate) fn slice(&self) -> f64 {
        let started = Instant::now();
        let mut done = 0u32;
        let mut insert =
            self.conn.prepare_cached("INSERT INTO t (a, b) VALUES (?1, ?2)").expect("the table is there");
        while started.elapsed() < SLICE {
            insert.execute((i64::from(done), [7u8; 100])).expect("the disk takes it");
            done += 1;
        }
        f64::from(done) / started.elapsed().as_secs_f64()
    }
}

fn open(path: &Path) -> Connection {
    let conn = Connection::open(path).expect("a folder that can be written");
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);",
    )
    .expect("a fresh file");
    conn
}

/// The rate over three slices: whether this machine can say anything now.
pub(crate) fn rate() -> f64 {
    let bare = Bare::new();
    let _warm = bare.slice();
    (bare.slice() + bare.slice() + bare.slice()) / 3.0
}
