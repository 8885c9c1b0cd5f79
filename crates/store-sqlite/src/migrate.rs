//! The schema, by `application_id` and `user_version`. Landed migrations are never edited.
//! Ours rather than a crate: the ready one pins another rusqlite, and this is a list and a loop.

use std::path::Path;

use rusqlite::Connection;
use sekali_core::Code;
use sekali_store::StoreError;

use crate::error::Doing as _;

/// "SEKA": how a Sekali store is recognised.
pub(crate) const APPLICATION_ID: i32 = 0x5345_4B41;

/// Each migration in order; the n-th leads to `user_version` n.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/sqlite/0001_rooms.sql"),
    include_str!("../../../migrations/sqlite/0002_slim_documents.sql"),
    include_str!("../../../migrations/sqlite/0003_one_tree_ledger.sql"),
];

/// The version that this program writes.
pub(crate) fn latest() -> u32 {
    u32::try_from(MIGRATIONS.len()).expect("there are few migrations")
}

/// Reads `application_id` and `user_version` without changing anything.
pub(crate) fn identify(conn: &Connection) -> rusqlite::Result<(i32, u32)> {
    let application: i32 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let version: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok((application, version))
}

/// Brings a store from `from` to the latest version, inside the transaction that is open.
pub(crate) fn migrate(conn: &Connection, from: u32) -> Result<(), StoreError> {
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(from as usize) {
        conn.execute_batch(sql).doing(&format!("run migration {}", index + 1))?;
    }
    conn.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {};",
        latest()
    ))
    .doing("mark the schema's version")
}

/// Refuses a store that a newer Sekali has brought up to date while this process has it open: what is
/// read now may mean something else, and what would be written may lack what that one expects.
pub(crate) fn still_known(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let version: u32 = conn
        .prepare_cached("PRAGMA user_version")
        .and_then(|mut s| s.query_row([], |row| row.get(0)))
        .doing("look at the store's version")?;
    if version > latest() { Err(newer(&path.display().to_string(), version)) } else { Ok(()) }
}

fn newer(place: &str, version: u32) -> StoreError {
    StoreError::new(
        Code::StoreNewer,
        format!("{place} was written by a newer Sekali (format {version}; this one knows {}).", latest()),
    )
}

/// Refuses what is not a store, or one that a newer Sekali made.
pub(crate) fn accept(place: &str, application: i32, version: u32) -> Result<(), StoreError> {
    if application != APPLICATION_ID {
        return Err(StoreError::new(
            Code::StoreForeign,
            format!("{place} is a database of another program; it was left untouched."),
        ));
    }
    if version > latest() {
        return Err(newer(place, version));
    }
    if version == 0 {
        return Err(StoreError::damaged(format!("{place} says that it has no schema.")));
    }
    Ok(())
}
