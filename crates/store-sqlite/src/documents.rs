//! Tables `document`, `departed` and `version`. A document is written only where it is what the
//! change was based on: the check is in the WHERE of the write (P3).

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sekali_core::change::Version;
use sekali_core::hash::Commitment;
use sekali_core::{DocPath, Op, ProposalId};
use sekali_store::{DocumentRow, NewDocument, Replaced, RoomKey, StoreError, VersionKey, VersionRow};

use crate::error::Doing as _;
use crate::reader::{Result, path, path_or_null, side, strange};

const DOCUMENT: &str = "path_key, path, seq, ordinal, hash, mode, commitment, bytes";

fn document(row: &Row<'_>) -> rusqlite::Result<DocumentRow> {
    let path = path(row, "path")?;
    // Under a key that is not its own a document is another one's, and a list leads back to itself.
    let key = row.get_ref("path_key")?.as_str()?;
    if path.key() != key {
        return Err(strange("path_key", key));
    }
    Ok(DocumentRow {
        path,
        version: VersionKey { seq: row.get("seq")?, ordinal: row.get("ordinal")? },
        content: side(row, ["hash", "mode", "commitment", "bytes"])?
            .ok_or_else(|| strange("hash", "NULL"))?,
    })
}

pub(crate) fn at(conn: &Connection, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>> {
    conn.prepare_cached(&format!("SELECT {DOCUMENT} FROM document WHERE room = ?1 AND path_key = ?2"))
        .and_then(|mut s| s.query_row((room.0, path.key()), document).optional())
        .doing("read a document")
}

pub(crate) fn page(
    conn: &Connection,
    room: RoomKey,
    after: Option<&str>,
    limit: u32,
) -> Result<Vec<DocumentRow>> {
    conn.prepare_cached(&format!(
        "SELECT {DOCUMENT} FROM document WHERE room = ?1 AND path_key > ?2 ORDER BY path_key LIMIT ?3"
    ))
    // No path is empty, so every key is after the empty one.
    .and_then(|mut s| s.query_map((room.0, after.unwrap_or(""), limit), document)?.collect())
    .doing("list the documents")
}

/// The greatest key that is not after one.
const NOT_AFTER: &str =
    "SELECT path_key FROM document WHERE room = ?1 AND path_key <= ?2 ORDER BY path_key DESC LIMIT 1";
/// A key between two, which are those of a folder's content.
const BETWEEN: &str = "SELECT path_key FROM document WHERE room = ?1 AND path_key > ?2 AND path_key < ?3 ORDER BY path_key LIMIT 1";

/// All keys below a folder stand between these two: the slash, and the character after it.
fn inside(folder: &str) -> (String, String) {
    (format!("{folder}/"), format!("{folder}0"))
}

pub(crate) fn below(
    conn: &Connection,
    room: RoomKey,
    path: &DocPath,
    after: Option<&DocPath>,
    limit: u32,
) -> Result<Vec<DocumentRow>> {
    let (first, past) = inside(path.key());
    let after = after.map_or(first.as_str(), |after| after.key().max(&first));
    conn.prepare_cached(&format!(
        "SELECT {DOCUMENT} FROM document WHERE room = ?1 AND path_key > ?2 AND path_key < ?3
         ORDER BY path_key LIMIT ?4"
    ))
    .and_then(|mut s| s.query_map((room.0, after, past, limit), document)?.collect())
    .doing("list the documents of a folder")
}

pub(crate) fn above(conn: &Connection, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>> {
    let Some(depth) = depth_of_document_above(conn, room, path.key())? else {
        return Ok(None);
    };
    let folder = path.folders().find(|folder| folder.key().len() == depth);
    at(conn, room, &folder.expect("it was found by its length"))
}

/// How long the key of the nearest document is that stands where `key` needs a folder.
///
/// Most often one seek: what lies between a folder and the key begins with the folder's name, so a
/// key that does not rules all others out. Asking for each folder would take as many as there are.
pub(crate) fn depth_of_document_above(conn: &Connection, room: RoomKey, key: &str) -> Result<Option<usize>> {
    let Some((mut folder, _)) = key.rsplit_once('/') else {
        return Ok(None);
    };
    let mut nearest = conn.prepare_cached(NOT_AFTER).doing("look for a document above")?;
    loop {
        let mut rows = nearest.query((room.0, folder)).doing("look for a document above")?;
        let Some(row) = rows.next().doing("look for a document above")? else {
            return Ok(None);
        };
        let found = row.get_ref(0).and_then(|v| Ok(v.as_str()?)).doing("look for a document above")?;
        if found == folder {
            return Ok(Some(folder.len()));
        }
        folder = match folder.match_indices('/').rev().find(|(at, _)| found.starts_with(&folder[..*at])) {
            Some((at, _)) => &folder[..at],
            None => return Ok(None),
        };
    }
}

/// Whether a path could not be a document because of its folders, or because it is one.
fn folder_in_the_way(conn: &Connection, room: RoomKey, key: &str) -> Result<bool> {
    let (first, past) = inside(key);
    let holds_others = conn
        .prepare_cached(BETWEEN)
        .and_then(|mut s| s.exists((room.0, first, past)))
        .doing("look into a folder")?;
    Ok(holds_others || depth_of_document_above(conn, room, key)?.is_some())
}

pub(crate) fn departed(
    conn: &Connection,
    room: RoomKey,
    path: &DocPath,
    before: Option<VersionKey>,
) -> Result<Option<VersionKey>> {
    let (seq, ordinal) = before.map_or((i64::MAX as u64, 0), |before| (before.seq, before.ordinal));
    conn.prepare_cached(
        "SELECT seq, ordinal FROM departed
         WHERE room = ?1 AND path_key = ?2 AND (seq, ordinal) < (?3, ?4)
         ORDER BY seq DESC, ordinal DESC LIMIT 1",
    )
    .and_then(|mut s| {
        s.query_row((room.0, path.key(), seq, ordinal), |row| {
            Ok(VersionKey { seq: row.get(0)?, ordinal: row.get(1)? })
        })
        .optional()
    })
    .doing("look for a document that went")
}

pub(crate) fn version(conn: &Connection, room: RoomKey, key: VersionKey) -> Result<Option<VersionRow>> {
    conn.prepare_cached(
        "SELECT op, path, from_path, proposal, revision, hash, mode, commitment, bytes, previous_seq, previous_ordinal
         FROM history WHERE room = ?1 AND seq = ?2 AND ordinal = ?3",
    )
    .and_then(|mut s| {
        s.query_row((room.0, key.seq, key.ordinal), |row| {
            let op = row.get_ref("op")?.as_str()?;
            let previous: Option<u64> = row.get("previous_seq")?;
            Ok(VersionRow {
                version: key,
                op: Op::from_word(op).ok_or_else(|| strange("op", op))?,
                path: path(row, "path")?,
                from: path_or_null(row, "from_path")?,
                proposal: ProposalId::from_bytes(row.get("proposal")?),
                revision: row.get("revision")?,
                content: side(row, ["hash", "mode", "commitment", "bytes"])?,
                previous: match previous {
                    Some(seq) => Some(VersionKey { seq, ordinal: row.get("previous_ordinal")? }),
                    None => None,
                },
            })
        })
        .optional()
    })
    .doing("read a version")
}

fn replaced(row: &Row<'_>) -> rusqlite::Result<Replaced> {
    Ok(Replaced {
        commitment: Commitment::from_bytes(row.get(0)?),
        version: VersionKey { seq: row.get(1)?, ordinal: row.get(2)? },
    })
}

/// What a document that is as `base` says would be replaced by. Read beside the write, which checks the
/// same again: RETURNING gives new values only, and builds a table of its own for them.
fn as_based(conn: &Connection, room: RoomKey, path: &DocPath, base: &Version) -> Result<Option<Replaced>> {
    conn.prepare_cached(
        "SELECT commitment, seq, ordinal FROM document
         WHERE room = ?1 AND path_key = ?2 AND path = ?3 AND hash = ?4 AND mode = ?5",
    )
    .and_then(|mut s| {
        s.query_row((room.0, path.key(), path.as_str(), base.hash.as_bytes(), base.mode.as_str()), replaced)
            .optional()
    })
    .doing("read a document")
}

/// P3: the check is in the write.
pub(crate) fn replace(
    conn: &Connection,
    room: RoomKey,
    base: &Version,
    new: &NewDocument<'_>,
) -> Result<Option<Replaced>> {
    let Some(replaced) = as_based(conn, room, new.path, base)? else { return Ok(None) };
    let written = conn
        .prepare_cached(
            "UPDATE document SET seq = ?4, ordinal = ?5, hash = ?6, mode = ?7, commitment = ?8, bytes = ?9
             WHERE room = ?1 AND path_key = ?2 AND path = ?3 AND hash = ?10 AND mode = ?11",
        )
        .and_then(|mut s| {
            s.execute(params![
                room.0,
                new.path.key(),
                new.path.as_str(),
                new.version.seq,
                new.version.ordinal,
                new.content.hash.as_bytes(),
                new.content.mode.as_str(),
                new.content.commitment.as_bytes(),
                new.content.bytes,
                base.hash.as_bytes(),
                base.mode.as_str(),
            ])
        })
        .doing("write a document")?;
    Ok((written == 1).then_some(replaced))
}

/// P3. Where it was is remembered, so that its history can still be found by that path.
pub(crate) fn take(
    conn: &Connection,
    room: RoomKey,
    path: &DocPath,
    base: &Version,
    by: VersionKey,
) -> Result<Option<Replaced>> {
    let Some(replaced) = as_based(conn, room, path, base)? else { return Ok(None) };
    let taken = conn
        .prepare_cached(
            "DELETE FROM document WHERE room = ?1 AND path_key = ?2 AND hash = ?3 AND mode = ?4 AND path = ?5",
        )
        .and_then(|mut s| {
            s.execute((room.0, path.key(), base.hash.as_bytes(), base.mode.as_str(), path.as_str()))
        })
        .doing("take a document away")?;
    if taken != 1 {
        return Ok(None);
    }
    conn.prepare_cached("INSERT INTO departed (room, path_key, seq, ordinal) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut s| s.execute((room.0, path.key(), by.seq, by.ordinal)))
        .doing("remember where a document was")?;
    Ok(Some(replaced))
}

/// P3 for a document that must not be there. The look at its folders and the write are one, because
/// a write transaction is alone in the store.
pub(crate) fn create(conn: &Connection, room: RoomKey, new: &NewDocument<'_>) -> Result<bool> {
    if folder_in_the_way(conn, room, new.path.key())? {
        return Ok(false);
    }
    conn.prepare_cached(
        "INSERT INTO document (room, path_key, path, seq, ordinal, hash, mode, commitment, bytes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (room, path_key) DO NOTHING",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            new.path.key(),
            new.path.as_str(),
            new.version.seq,
            new.version.ordinal,
            new.content.hash.as_bytes(),
            new.content.mode.as_str(),
            new.content.commitment.as_bytes(),
            new.content.bytes,
        ))
    })
    .doing("create a document")
    .map(|rows| rows == 1)
}

pub(crate) fn insert_version(
    conn: &Connection,
    room: RoomKey,
    row: &VersionRow,
) -> std::result::Result<(), StoreError> {
    conn.prepare_cached(
        "INSERT INTO version (room, seq, ordinal, proposal, revision, previous_seq, previous_ordinal)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            row.version.seq,
            row.version.ordinal,
            row.proposal.as_bytes(),
            row.revision,
            row.previous.map(|p| p.seq),
            row.previous.map(|p| p.ordinal),
        ))
    })
    .doing("write a version")
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No look at folders reads more of the table than its answer.
    #[test]
    fn folders_are_looked_up_in_the_key() {
        let conn = Connection::open_in_memory().unwrap();
        crate::migrate::migrate(&conn, 0).unwrap();
        let check = |sql: &str, seek: &str| {
            let mut plan = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let steps: Vec<String> = plan
                .query_map(rusqlite::params_from_iter(vec![""; plan.parameter_count()]), |row| row.get(3))
                .unwrap()
                .collect::<rusqlite::Result<_>>()
                .unwrap();
            assert_eq!(steps, [format!("SEARCH document USING PRIMARY KEY ({seek})")], "{sql}");
        };
        check(NOT_AFTER, "room=? AND path_key<?");
        check(BETWEEN, "room=? AND path_key>? AND path_key<?");
    }
}
