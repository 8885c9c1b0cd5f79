//! The schema, by `application_id` and `user_version`. Landed migrations are never edited.
//! Ours rather than a crate: the ready one pins another rusqlite, and this is a list and a loop.

use std::path::Path;

use rusqlite::Connection;
use sekali_core::Code;
use sekali_core::change::{Left, content_fingerprint};
use sekali_store::StoreError;

use crate::error::Doing as _;

/// "SEKA": how a Sekali store is recognised.
pub(crate) const APPLICATION_ID: i32 = 0x5345_4B41;

/// One step from a version of the schema to the next.
enum Migration {
    /// Statements.
    Sql(&'static str),
    /// What statements cannot say, because it hashes.
    Code(fn(&Connection) -> Result<(), StoreError>),
}

/// Each migration in order; the n-th leads to `user_version` n.
const MIGRATIONS: &[Migration] = &[
    Migration::Sql(include_str!("../../../migrations/sqlite/0001_rooms.sql")),
    Migration::Sql(include_str!("../../../migrations/sqlite/0002_slim_documents.sql")),
    Migration::Sql(include_str!("../../../migrations/sqlite/0003_one_tree_ledger.sql")),
    Migration::Code(fingerprint_what_is_left),
    Migration::Sql(include_str!("../../../migrations/sqlite/0005_forms_of_change.sql")),
    Migration::Sql(include_str!("../../../migrations/sqlite/0006_every_departure.sql")),
    Migration::Sql(include_str!("../../../migrations/sqlite/0007_talk.sql")),
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
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(from as usize) {
        match migration {
            Migration::Sql(sql) => conn.execute_batch(sql).doing(&format!("run migration {}", index + 1))?,
            Migration::Code(run) => run(conn)?,
        }
    }
    conn.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {};",
        latest()
    ))
    .doing("mark the schema's version")
}

/// Fingerprints were of changes as they were submitted, which is not kept, so that nothing could tell
/// whether one is right, nor that a patch and a whole content come to the same. Now they are of what
/// is left. Reads no row of `change` as more than text and bytes: what is damaged stays so, and is
/// `doctor`'s to tell.
fn fingerprint_what_is_left(conn: &Connection) -> Result<(), StoreError> {
    const PAGE: u32 = 1_000;
    let mut after = i64::MIN;
    loop {
        let page: Vec<i64> = conn
            .prepare_cached("SELECT rowid FROM revision WHERE rowid > ?1 ORDER BY rowid LIMIT ?2")
            .and_then(|mut s| s.query_map((after, PAGE), |row| row.get(0))?.collect())
            .doing("list the revisions")?;
        let Some(last) = page.last() else { return Ok(()) };
        after = *last;
        for revision in page {
            let fingerprint = left_by(conn, revision).doing("read what a revision leaves")?;
            conn.prepare_cached("UPDATE revision SET content_fingerprint = ?2 WHERE rowid = ?1")
                .and_then(|mut s| s.execute((revision, fingerprint)))
                .doing("write the fingerprint of a revision")?;
        }
    }
}

fn left_by(conn: &Connection, revision: i64) -> rusqlite::Result<[u8; 32]> {
    struct Row {
        path: String,
        from: Option<String>,
        hash: Option<Vec<u8>>,
        mode: Option<String>,
    }
    let text = |row: &rusqlite::Row<'_>, column| -> rusqlite::Result<Option<String>> {
        let bytes = row.get_ref(column)?.as_bytes_or_null().unwrap_or_default();
        Ok(bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
    };
    let mut changes = conn.prepare_cached(
        "SELECT c.path, c.from_path, c.after_hash, c.after_mode FROM revision r
         JOIN change c ON c.room = r.room AND c.proposal = r.proposal AND c.revision = r.revision
         WHERE r.rowid = ?1 ORDER BY c.ordinal",
    )?;
    let rows: Vec<Row> = changes
        .query_map([revision], |row| {
            Ok(Row {
                path: text(row, 0)?.unwrap_or_default(),
                from: text(row, 1)?,
                hash: row.get_ref(2)?.as_bytes_or_null().unwrap_or_default().map(<[u8]>::to_vec),
                mode: text(row, 3)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(content_fingerprint(rows.iter().map(|row| Left {
        path: &row.path,
        from: row.from.as_deref(),
        after: row.hash.as_deref().map(|hash| (hash, row.mode.as_deref().unwrap_or_default())),
    })))
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
