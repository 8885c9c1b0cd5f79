//! Tables `proposal`, `revision`, `change`, `content`, `effect_key` and `submit_key`: what is
//! written when something is proposed, and never after.

use rusqlite::blob::ZeroBlob;
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};
use sekali_core::change::{NetChange, Version};
use sekali_core::decide::OpenFacts;
use sekali_core::hash::{Commitment, Digest, Salt};
use sekali_core::revision::EffectKey;
use sekali_core::{ActorId, Op, ProposalId, Timestamp};
use sekali_store::{
    ChangeRow, ContentRow, NewRevision, ProposalRow, Reservation, RevisionRow, RoomKey, Touches, WaitingRow,
};

use crate::error::Doing as _;
use crate::reader::{Result, path, path_or_null, side, strange, time, time_or_null, word};
use crate::submitted;

fn proposal(row: &Row<'_>) -> rusqlite::Result<ProposalRow> {
    Ok(ProposalRow {
        id: ProposalId::from_bytes(row.get("id")?),
        number: row.get("number")?,
        author: ActorId::from_bytes(row.get("author")?),
        door: word(row, "door")?,
        created_at: time(row, "created_at")?,
        correlation: row.get("correlation")?,
    })
}

pub(crate) fn by_number(conn: &Connection, room: RoomKey, number: u64) -> Result<Option<ProposalRow>> {
    // A number that SQLite cannot hold names nothing.
    let Ok(number) = i64::try_from(number) else {
        return Ok(None);
    };
    conn.prepare_cached(
        "SELECT id, number, author, door, created_at, correlation FROM proposal WHERE room = ?1 AND number = ?2",
    )
    .and_then(|mut s| s.query_row((room.0, number), proposal).optional())
    .doing("read a proposal")
}

/// On Apply's way: columns by position, one statement.
pub(crate) fn with_open(
    conn: &Connection,
    room: RoomKey,
    number: u64,
) -> Result<Option<(ProposalRow, Option<WaitingRow>)>> {
    let Ok(number) = i64::try_from(number) else { return Ok(None) };
    conn.prepare_cached(
        "SELECT p.id, p.number, p.author, p.door, p.created_at, p.correlation, o.revision, o.digest, o.valid_until,
                r.title, r.why, r.author, r.documents
         FROM proposal p
         LEFT JOIN open o ON o.room = p.room AND o.proposal = p.id
         LEFT JOIN revision r ON r.room = o.room AND r.proposal = o.proposal AND r.revision = o.revision
         WHERE p.room = ?1 AND p.number = ?2",
    )
    .and_then(|mut s| {
        s.query_row((room.0, number), |row| {
            let door = row.get_ref(3)?.as_str()?;
            let proposal = ProposalRow {
                id: ProposalId::from_bytes(row.get(0)?),
                number: row.get(1)?,
                author: ActorId::from_bytes(row.get(2)?),
                door: door.parse().map_err(|_| strange("door", door))?,
                created_at: Timestamp::from_ms(row.get(4)?),
                correlation: row.get(5)?,
            };
            let open = match row.get::<_, Option<u32>>(6)? {
                None => None,
                Some(revision) => Some(WaitingRow {
                    open: OpenFacts {
                        revision,
                        digest: Digest::from_bytes(row.get(7)?),
                        valid_until: row.get::<_, Option<i64>>(8)?.map(Timestamp::from_ms),
                    },
                    title: row.get(9)?,
                    why: row.get(10)?,
                    author: ActorId::from_bytes(row.get(11)?),
                    documents: row.get(12)?,
                }),
            };
            Ok((proposal, open))
        })
        .optional()
    })
    .doing("read a proposal")
}

pub(crate) fn by_id(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<Option<ProposalRow>> {
    conn.prepare_cached(
        "SELECT id, number, author, door, created_at, correlation FROM proposal WHERE room = ?1 AND id = ?2",
    )
    .and_then(|mut s| s.query_row((room.0, id.as_bytes()), proposal).optional())
    .doing("read a proposal")
}

pub(crate) fn insert(conn: &Connection, room: RoomKey, row: &ProposalRow) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO proposal (room, id, number, author, door, created_at, correlation)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            row.id.as_bytes(),
            row.number,
            row.author.as_bytes(),
            row.door.as_str(),
            row.created_at.ms(),
            &row.correlation,
        ))
    })
    .doing("write the proposal")
    .map(drop)
}

const REVISION: &str =
    "revision, digest, title, why, author, valid_until, created_at, added, removed, documents,
                        content_fingerprint, canonical, rebased_from";

fn revision_row(row: &Row<'_>) -> rusqlite::Result<RevisionRow> {
    Ok(RevisionRow {
        revision: row.get("revision")?,
        digest: Digest::from_bytes(row.get("digest")?),
        title: row.get("title")?,
        why: row.get("why")?,
        author: ActorId::from_bytes(row.get("author")?),
        valid_until: time_or_null(row, "valid_until")?,
        created_at: time(row, "created_at")?,
        touches: Touches {
            added: row.get("added")?,
            removed: row.get("removed")?,
            documents: row.get("documents")?,
        },
        effect_keys: Vec::new(),
        canonical: row.get("canonical")?,
        content_fingerprint: row.get("content_fingerprint")?,
        rebased_from: row.get("rebased_from")?,
    })
}

pub(crate) fn effect_keys(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
) -> Result<Vec<EffectKey>> {
    conn.prepare_cached(
        "SELECT key, generation FROM effect_key WHERE room = ?1 AND proposal = ?2 AND revision = ?3 ORDER BY ordinal",
    )
    .and_then(|mut s| {
        s.query_map((room.0, id.as_bytes(), revision), |row| {
            Ok(EffectKey { key: row.get(0)?, generation: row.get(1)? })
        })?
        .collect()
    })
    .doing("read the effect keys")
}

pub(crate) fn revision(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
) -> Result<Option<RevisionRow>> {
    let found = conn
        .prepare_cached(&format!(
            "SELECT {REVISION} FROM revision WHERE room = ?1 AND proposal = ?2 AND revision = ?3"
        ))
        .and_then(|mut s| s.query_row((room.0, id.as_bytes(), revision), revision_row).optional())
        .doing("read a revision")?;
    let Some(mut row) = found else {
        return Ok(None);
    };
    row.effect_keys = effect_keys(conn, room, id, row.revision)?;
    Ok(Some(row))
}

pub(crate) fn revisions(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<Vec<RevisionRow>> {
    let mut rows: Vec<RevisionRow> = conn
        .prepare_cached(&format!(
            "SELECT {REVISION} FROM revision WHERE room = ?1 AND proposal = ?2 ORDER BY revision"
        ))
        .and_then(|mut s| s.query_map((room.0, id.as_bytes()), revision_row)?.collect())
        .doing("read the revisions")?;
    for row in &mut rows {
        row.effect_keys = effect_keys(conn, room, id, row.revision)?;
    }
    Ok(rows)
}

/// On Apply's way: columns by position.
fn change(row: &Row<'_>) -> rusqlite::Result<ChangeRow> {
    let op = row.get_ref(0)?.as_str()?;
    Ok(ChangeRow {
        change: NetChange {
            op: Op::from_word(op).ok_or_else(|| strange("op", op))?,
            path: path(row, 1)?,
            from: path_or_null(row, 2)?,
            base: side(row, [3, 4, 5, 6])?,
            after: side(row, [7, 8, 9, 10])?,
        },
        added: row.get(11)?,
        removed: row.get(12)?,
        binary: row.get(13)?,
        submitted_base: row.get(14)?,
        moved: submitted::moved(row, 15)?,
    })
}

pub(crate) fn changes(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
) -> Result<Vec<ChangeRow>> {
    conn.prepare_cached(
        "SELECT op, path, from_path, base_hash, base_mode, base_commitment, base_bytes,
                after_hash, after_mode, after_commitment, after_bytes, added, removed, binary, submitted_base, moved
         FROM change WHERE room = ?1 AND proposal = ?2 AND revision = ?3 ORDER BY ordinal",
    )
    .and_then(|mut s| s.query_map((room.0, id.as_bytes(), revision), change)?.collect())
    .doing("read the changes")
}

pub(crate) fn content(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
    ordinal: u32,
) -> Result<Option<ContentRow>> {
    let found = conn
        .prepare_cached(
            "SELECT salt, commitment, rowid, length(content), iif(length(content) < ?5, content, NULL) FROM content
             WHERE room = ?1 AND proposal = ?2 AND revision = ?3 AND ordinal = ?4",
        )
        .and_then(|mut s| {
            s.query_row((room.0, id.as_bytes(), revision, ordinal, LARGE), |row| {
                let content: Option<Vec<u8>> = row.get(4)?;
                let content = match content {
                    Some(content) => content,
                    None => large(conn, row.get(2)?, row.get(3)?)?,
                };
                Ok(ContentRow {
                    salt: Salt::from_bytes(row.get(0)?),
                    commitment: Commitment::from_bytes(row.get(1)?),
                    content,
                })
            })
            .optional()
        });
    found.doing("read a document's content")
}

/// Bytes of content above which it is read and written in place: SQLite would put it together first, and
/// it would be copied from there.
const LARGE: usize = 256 * 1024;

fn large(conn: &Connection, row: i64, length: usize) -> rusqlite::Result<Vec<u8>> {
    let mut content = vec![0; length];
    conn.blob_open(rusqlite::MAIN_DB, "content", "content", row, true)?.read_at_exact(&mut content, 0)?;
    Ok(content)
}

pub(crate) fn insert_revision(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    at: Timestamp,
    new: &NewRevision,
) -> Result<()> {
    let NewRevision { row, changes, contents, submitted } = new;
    conn.prepare_cached(
        "INSERT INTO revision (room, proposal, revision, digest, title, why, author, valid_until, created_at, added,
                               removed, documents, content_fingerprint, canonical, rebased_from)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )
    .and_then(|mut s| {
        s.execute(params![
            room.0,
            id.as_bytes(),
            row.revision,
            row.digest.as_bytes(),
            row.title,
            row.why,
            row.author.as_bytes(),
            row.valid_until.map(sekali_core::Timestamp::ms),
            at.ms(),
            row.touches.added,
            row.touches.removed,
            row.touches.documents,
            row.content_fingerprint,
            row.canonical,
            row.rebased_from,
        ])
    })
    .doing("write the revision")?;
    submitted::insert(conn, room, id, row.revision, submitted)?;
    for (ordinal, effect) in (0u32..).zip(&row.effect_keys) {
        conn.prepare_cached(
            "INSERT INTO effect_key (room, proposal, revision, ordinal, key, generation) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .and_then(|mut s| {
            s.execute((room.0, id.as_bytes(), row.revision, ordinal, &effect.key, effect.generation))
        })
        .doing("write an effect key")?;
    }
    for ((ordinal, change), content) in (0u32..).zip(changes).zip(contents) {
        insert_change(conn, room, id, row.revision, ordinal, change).doing("write a change")?;
        if let Some(content) = content {
            insert_content(conn, room, id, row.revision, ordinal, content)
                .doing("write a document's content")?;
        }
    }
    Ok(())
}

/// Large content is written into the room that is made for it: bound to the statement it would be copied
/// twice.
fn insert_content(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
    ordinal: u32,
    row: &ContentRow,
) -> rusqlite::Result<()> {
    let content = &row.content[..];
    let large = content.len() > LARGE;
    let empty = ZeroBlob(content.len() as u64);
    let value: &dyn ToSql = if large { &empty } else { &content };
    let (salt, commitment) = (row.salt.as_bytes(), row.commitment.as_bytes());
    conn.prepare_cached(
        "INSERT INTO content (room, proposal, revision, ordinal, salt, commitment, content)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute((room.0, id.as_bytes(), revision, ordinal, salt, commitment, value))?;
    if large {
        let made = conn.last_insert_rowid();
        conn.blob_open(rusqlite::MAIN_DB, "content", "content", made, false)?.write_all_at(content, 0)?;
    }
    Ok(())
}

fn insert_change(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    revision: u32,
    ordinal: u32,
    row: &ChangeRow,
) -> rusqlite::Result<()> {
    let change = &row.change;
    let hash = |v: &Option<Version>| v.as_ref().map(|v| *v.hash.as_bytes());
    let mode = |v: &Option<Version>| v.as_ref().map(|v| v.mode.as_str());
    let commitment = |v: &Option<Version>| v.as_ref().map(|v| *v.commitment.as_bytes());
    let bytes = |v: &Option<Version>| v.as_ref().map(|v| v.bytes);
    conn.prepare_cached(
        "INSERT INTO change (room, proposal, revision, ordinal, op, path, path_key, from_path, from_key,
                             base_hash, base_mode, base_commitment, base_bytes,
                             after_hash, after_mode, after_commitment, after_bytes,
                             added, removed, binary, submitted_base, moved)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)",
    )?
    .execute(params![
        room.0,
        id.as_bytes(),
        revision,
        ordinal,
        change.op.as_str(),
        change.path.as_str(),
        change.path.key(),
        change.from.as_ref().map(sekali_core::DocPath::as_str),
        change.from.as_ref().map(sekali_core::DocPath::key),
        hash(&change.base),
        mode(&change.base),
        commitment(&change.base),
        bytes(&change.base),
        hash(&change.after),
        mode(&change.after),
        commitment(&change.after),
        bytes(&change.after),
        row.added,
        row.removed,
        row.binary,
        row.submitted_base,
        submitted::moved_bytes(&row.moved),
    ])
    .map(drop)
}

/// P5: the conflict target is named, so nothing else can be mistaken for a repeat.
pub(crate) fn reserve(
    conn: &Connection,
    room: RoomKey,
    actor: ActorId,
    key: &str,
    reservation: Reservation,
) -> Result<Option<Reservation>> {
    let written = conn
        .prepare_cached(
            "INSERT INTO submit_key (room, actor, key, fingerprint, proposal) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (room, actor, key) DO NOTHING",
        )
        .and_then(|mut s| {
            s.execute((
                room.0,
                actor.as_bytes(),
                key,
                reservation.fingerprint,
                reservation.proposal.as_bytes(),
            ))
        })
        .doing("keep the idempotency key")?;
    if written == 1 { Ok(None) } else { self::reservation(conn, room, actor, key) }
}

pub(crate) fn reservation(
    conn: &Connection,
    room: RoomKey,
    actor: ActorId,
    key: &str,
) -> Result<Option<Reservation>> {
    conn.prepare_cached(
        "SELECT fingerprint, proposal FROM submit_key WHERE room = ?1 AND actor = ?2 AND key = ?3",
    )
    .and_then(|mut s| {
        s.query_row((room.0, actor.as_bytes(), key), |row| {
            Ok(Reservation { fingerprint: row.get(0)?, proposal: ProposalId::from_bytes(row.get(1)?) })
        })
        .optional()
    })
    .doing("read the idempotency key")
}

pub(crate) fn similar(
    conn: &Connection,
    room: RoomKey,
    fingerprint: &[u8; 32],
    but: Option<ProposalId>,
) -> Result<Vec<u64>> {
    conn.prepare_cached(
        "SELECT DISTINCT p.number FROM revision r JOIN proposal p ON p.room = r.room AND p.id = r.proposal
         WHERE r.room = ?1 AND r.content_fingerprint = ?2 AND r.proposal IS NOT ?3
         ORDER BY p.number LIMIT 8",
    )
    .and_then(|mut s| {
        s.query_map((room.0, fingerprint, but.map(|id| *id.as_bytes())), |row| row.get(0))?.collect()
    })
    .doing("look for equal proposals")
}

pub(crate) fn naming_effect(
    conn: &Connection,
    room: RoomKey,
    key: &EffectKey,
    but: ProposalId,
) -> Result<Vec<u64>> {
    conn.prepare_cached(
        "SELECT p.number FROM effect_key e JOIN proposal p ON p.room = e.room AND p.id = e.proposal
         WHERE e.room = ?1 AND e.key = ?2 AND e.generation = ?3 AND e.proposal <> ?4
           AND (EXISTS (SELECT 1 FROM open o
                        WHERE o.room = e.room AND o.proposal = e.proposal AND o.revision = e.revision)
             OR EXISTS (SELECT 1 FROM applied a
                        WHERE a.room = e.room AND a.proposal = e.proposal AND a.revision = e.revision))
         ORDER BY p.number LIMIT 8",
    )
    .and_then(|mut s| {
        s.query_map((room.0, &key.key, key.generation, but.as_bytes()), |row| row.get(0))?.collect()
    })
    .doing("look for proposals with the same effect")
}
