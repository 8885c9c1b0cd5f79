//! Table `comment`: what is said about a proposal. Rows are added and never changed.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sekali_core::talk::Anchor;
use sekali_core::{ActorId, CommentId, ProposalId};
use sekali_store::{CommentRow, FoundComment, NAMED_ASKS, NewComment, RoomKey, TalkRow};

use crate::error::Doing as _;
use crate::reader::{Result, path_or_null, time, word};

const COLUMNS: &str =
    "proposal, number, id, kind, answers, author, door, at, revision, path, side, line, text, fingerprint";

fn comment(row: &Row<'_>) -> rusqlite::Result<CommentRow> {
    let line = match path_or_null(row, "path")? {
        None => None,
        Some(path) => Some(Anchor { path, side: word(row, "side")?, line: row.get("line")? }),
    };
    Ok(CommentRow {
        number: row.get("number")?,
        id: CommentId::from_bytes(row.get("id")?),
        kind: word(row, "kind")?,
        answers: row.get("answers")?,
        author: ActorId::from_bytes(row.get("author")?),
        door: word(row, "door")?,
        at: time(row, "at")?,
        revision: row.get("revision")?,
        line,
        text: row.get("text")?,
    })
}

fn found(row: &Row<'_>) -> rusqlite::Result<FoundComment> {
    Ok(FoundComment {
        proposal: ProposalId::from_bytes(row.get("proposal")?),
        row: comment(row)?,
        fingerprint: row.get("fingerprint")?,
    })
}

pub(crate) fn page(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    after: u32,
    limit: u32,
) -> Result<Vec<CommentRow>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM comment WHERE room = ?1 AND proposal = ?2 AND number > ?3 ORDER BY number LIMIT ?4"
    ))
    .and_then(|mut s| s.query_map((room.0, id.as_bytes(), after, limit), comment)?.collect())
    .doing("read the comments")
}

/// Numbers are dense and no comment goes, so that the last one says how many there are.
pub(crate) fn talk(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<TalkRow> {
    const DOING: &str = "look at the comments";
    let last = conn
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM comment WHERE room = ?1 AND proposal = ?2 ORDER BY number DESC LIMIT 1"
        ))
        .and_then(|mut s| s.query_row((room.0, id.as_bytes()), comment).optional())
        .doing(DOING)?;
    let Some(last) = last else { return Ok(TalkRow::default()) };
    let open_asks = conn
        .prepare_cached(
            "SELECT a.number FROM comment a WHERE a.room = ?1 AND a.proposal = ?2 AND a.kind = 'ask'
             AND NOT EXISTS (SELECT 1 FROM comment b WHERE b.room = a.room AND b.proposal = a.proposal
                             AND b.answers = a.number)
             ORDER BY a.number LIMIT ?3",
        )
        .and_then(|mut s| s.query_map((room.0, id.as_bytes(), NAMED_ASKS), |row| row.get(0))?.collect())
        .doing(DOING)?;
    Ok(TalkRow { count: last.number, open_asks, last: Some(last) })
}

pub(crate) fn keyed(
    conn: &Connection,
    room: RoomKey,
    author: ActorId,
    key: &str,
) -> Result<Option<FoundComment>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM comment WHERE room = ?1 AND author = ?2 AND key = ?3"
    ))
    .and_then(|mut s| s.query_row((room.0, author.as_bytes(), key), found).optional())
    .doing("look for a comment by its key")
}

pub(crate) fn by_id(conn: &Connection, room: RoomKey, id: CommentId) -> Result<Option<FoundComment>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM comment WHERE room = ?1 AND id = ?2"))
        .and_then(|mut s| s.query_row((room.0, id.as_bytes()), found).optional())
        .doing("look for a comment by its id")
}

pub(crate) fn insert(
    conn: &Connection,
    room: RoomKey,
    proposal: ProposalId,
    new: &NewComment,
) -> Result<Option<u32>> {
    const DOING: &str = "write a comment";
    let NewComment { row, key } = new;
    let last: Option<u32> = conn
        .prepare_cached("SELECT max(number) FROM comment WHERE room = ?1 AND proposal = ?2")
        .and_then(|mut s| s.query_row((room.0, proposal.as_bytes()), |row| row.get(0)))
        .doing(DOING)?;
    let number = last.unwrap_or(0) + 1;
    let written = conn
        .prepare_cached(
            "INSERT INTO comment (room, proposal, number, id, kind, answers, author, door, at, revision,
                                  path, side, line, text, key, fingerprint)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
             ON CONFLICT (room, author, key) DO NOTHING",
        )
        .and_then(|mut s| {
            s.execute(params![
                room.0,
                proposal.as_bytes(),
                number,
                row.id.as_bytes(),
                row.kind.as_str(),
                row.answers,
                row.author.as_bytes(),
                row.door.as_str(),
                row.at.ms(),
                row.revision,
                row.line.as_ref().map(|at| at.path.as_str()),
                row.line.as_ref().map(|at| at.side.as_str()),
                row.line.as_ref().map(|at| at.line),
                row.text,
                key.as_ref().map(|(key, _)| key),
                key.as_ref().map(|(_, fingerprint)| fingerprint),
            ])
        })
        .doing(DOING)?;
    Ok((written == 1).then_some(number))
}
