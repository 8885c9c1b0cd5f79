//! Tables `submitted` and `link`, and the column `moved` of `change`: what was submitted in another form
//! than whole content, where its hunks were found, and which proposals have to do with each other.

use rusqlite::{Connection, Row, params};
use sekali_core::ProposalId;
use sekali_core::change::MovedHunk;
use sekali_store::{LinkKind, LinkRow, RoomKey, SubmittedForm, SubmittedRow};

use crate::error::Doing as _;
use crate::reader::{Result, path_or_null, strange};

/// Bytes of one moved hunk: three big-endian numbers.
const HUNK_BYTES: usize = 12;

/// Reads the moved hunks of a change; almost every change has none.
pub(crate) fn moved(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<MovedHunk>> {
    let Some(bytes) = row.get_ref(column)?.as_blob_or_null()? else { return Ok(Vec::new()) };
    let hunk = |bytes: &[u8]| {
        let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        MovedHunk { hunk: number(0), line: number(4), found: number(8) }
    };
    Ok(bytes.chunks_exact(HUNK_BYTES).map(hunk).collect())
}

/// The same as they are written; none where nothing moved.
pub(crate) fn moved_bytes(moved: &[MovedHunk]) -> Option<Vec<u8>> {
    let bytes = |hunk: &MovedHunk| [hunk.hunk, hunk.line, hunk.found].map(u32::to_be_bytes).concat();
    (!moved.is_empty()).then(|| moved.iter().flat_map(bytes).collect())
}

pub(crate) fn insert(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
    rows: &[SubmittedRow],
) -> Result<()> {
    for (ordinal, row) in (0u32..).zip(rows) {
        conn.prepare_cached(
            "INSERT INTO submitted (room, proposal, revision, ordinal, form, path, strip, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )
        .and_then(|mut s| {
            s.execute(params![
                room.0,
                id.as_bytes(),
                revision,
                ordinal,
                row.form.as_str(),
                row.path.as_ref().map(sekali_core::DocPath::as_str),
                row.strip,
                row.body,
            ])
        })
        .doing("write what was submitted")?;
    }
    Ok(())
}

pub(crate) fn of(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
) -> Result<Vec<SubmittedRow>> {
    let row = |row: &Row<'_>| {
        let word = row.get_ref(0)?.as_str()?;
        let form = SubmittedForm::ALL.iter().find(|form| form.as_str() == word);
        Ok(SubmittedRow {
            form: *form.ok_or_else(|| strange("form", word))?,
            path: path_or_null(row, 1)?,
            strip: row.get(2)?,
            body: row.get(3)?,
        })
    };
    conn.prepare_cached(
        "SELECT form, path, strip, body FROM submitted
         WHERE room = ?1 AND proposal = ?2 AND revision = ?3 ORDER BY ordinal",
    )
    .and_then(|mut s| s.query_map((room.0, id.as_bytes(), revision), row)?.collect())
    .doing("read what was submitted")
}

pub(crate) fn link(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    kind: LinkKind,
    other: ProposalId,
) -> Result<()> {
    conn.prepare_cached("INSERT INTO link (room, proposal, kind, other) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut s| s.execute((room.0, id.as_bytes(), kind.as_str(), other.as_bytes())))
        .doing("write a link")
        .map(drop)
}

pub(crate) fn links(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<Vec<LinkRow>> {
    let row = |row: &Row<'_>| {
        let word = row.get_ref(0)?.as_str()?;
        let kind = LinkKind::ALL.iter().find(|kind| kind.as_str() == word);
        Ok(LinkRow {
            kind: *kind.ok_or_else(|| strange("kind", word))?,
            outgoing: row.get(1)?,
            other: ProposalId::from_bytes(row.get(2)?),
            number: row.get(3)?,
        })
    };
    conn.prepare_cached(
        "SELECT l.kind, 1, l.other, p.number FROM link l
         JOIN proposal p ON p.room = l.room AND p.id = l.other
         WHERE l.room = ?1 AND l.proposal = ?2
         UNION ALL
         SELECT l.kind, 0, l.proposal, p.number FROM link l
         JOIN proposal p ON p.room = l.room AND p.id = l.proposal
         WHERE l.room = ?1 AND l.other = ?2
         ORDER BY 4, 1, 2",
    )
    .and_then(|mut s| s.query_map((room.0, id.as_bytes()), row)?.collect())
    .doing("read the links")
}
