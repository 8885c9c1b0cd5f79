//! Tables `applied`, `applied_effect`, `open` and `closed`: the fence, and the row that every
//! transition takes. A duplicate is inferred from a committed row only, on a named target.

use rusqlite::{Connection, OptionalExtension as _, Row};
use sekali_core::decide::{AppliedFacts, ClosedFacts, OpenFacts, Standing};
use sekali_core::hash::{Digest, LeafHash};
use sekali_core::revision::EffectKey;
use sekali_core::time::{Now, Timestamp};
use sekali_core::{ActorId, ProposalId};
use sekali_store::{ClaimRow, CloseRow, EffectWinner, RoomKey, StoreError};

use crate::error::Doing as _;
use crate::reader::{Result, strange, time, word};

/// P1. The receipt is in the INSERT.
pub(crate) fn claim(conn: &Connection, room: RoomKey, seq: u64, claim: &ClaimRow) -> Result<bool> {
    conn.prepare_cached(
        "INSERT INTO applied (room, proposal, seq, revision, digest, at, actor, door, os_user, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (room, proposal) DO NOTHING",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            claim.proposal.as_bytes(),
            seq,
            claim.revision,
            claim.digest.as_bytes(),
            claim.at.ms(),
            claim.actor.as_bytes(),
            claim.door.as_str(),
            claim.os_user.map(|id| *id.as_bytes()),
            claim.seen,
        ))
    })
    .doing("claim the proposal")
    .map(|rows| rows == 1)
}

/// On the way of a replay: columns by position.
fn applied_facts(row: &Row<'_>) -> rusqlite::Result<AppliedFacts> {
    let door = row.get_ref(8)?.as_str()?;
    Ok(AppliedFacts {
        id: ProposalId::from_bytes(row.get(0)?),
        number: row.get(1)?,
        seq: row.get(2)?,
        revision: row.get(3)?,
        digest: Digest::from_bytes(row.get(4)?),
        at: Timestamp::from_ms(row.get(5)?),
        by: ActorId::from_bytes(row.get(6)?),
        by_name: row.get(7)?,
        door: door.parse().map_err(|_| strange("door", door))?,
        os_user: row.get(9)?,
        seen: row.get(10)?,
        leaf: LeafHash::from_bytes(row.get(11)?),
    })
}

/// The row that won.
pub(crate) fn applied(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<Option<AppliedFacts>> {
    conn.prepare_cached(
        "SELECT a.proposal, p.number, a.seq, a.revision, a.digest, a.at, a.actor, who.name AS by_name, a.door,
                os.name AS os_user_name, a.seen, l.leaf
         FROM applied a
         JOIN proposal p ON p.room = a.room AND p.id = a.proposal
         JOIN actor who ON who.room = a.room AND who.id = a.actor
         JOIN ledger l ON l.id = (a.room << 40 | a.seq)
         LEFT JOIN actor os ON os.room = a.room AND os.id = a.os_user
         WHERE a.room = ?1 AND a.proposal = ?2",
    )
    .and_then(|mut s| s.query_row((room.0, id.as_bytes()), applied_facts).optional())
    .doing("read the receipt")
}

/// P1 for effects.
pub(crate) fn claim_effect(
    conn: &Connection,
    room: RoomKey,
    key: &EffectKey,
    proposal: ProposalId,
) -> Result<Option<EffectWinner>> {
    let written = conn
        .prepare_cached(
            "INSERT INTO applied_effect (room, key, generation, proposal) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (room, key, generation) DO NOTHING",
        )
        .and_then(|mut s| s.execute((room.0, &key.key, key.generation, proposal.as_bytes())))
        .doing("claim the effect")?;
    if written == 1 {
        return Ok(None);
    }
    let winner = effect(conn, room, key)?;
    winner
        .map(Some)
        .ok_or_else(|| StoreError::damaged("An effect is claimed by a proposal that is not there."))
}

pub(crate) fn effect(conn: &Connection, room: RoomKey, key: &EffectKey) -> Result<Option<EffectWinner>> {
    conn.prepare_cached(
        "SELECT e.proposal, p.number FROM applied_effect e JOIN proposal p ON p.room = e.room AND p.id = e.proposal
         WHERE e.room = ?1 AND e.key = ?2 AND e.generation = ?3",
    )
    .and_then(|mut s| {
        s.query_row((room.0, &key.key, key.generation), |row| {
            Ok(EffectWinner { proposal: ProposalId::from_bytes(row.get(0)?), number: row.get(1)? })
        })
        .optional()
    })
    .doing("read who had the effect")
}

fn open_facts(row: &Row<'_>) -> rusqlite::Result<OpenFacts> {
    Ok(OpenFacts {
        revision: row.get(0)?,
        digest: Digest::from_bytes(row.get(1)?),
        valid_until: row.get::<_, Option<i64>>(2)?.map(Timestamp::from_ms),
    })
}

pub(crate) fn open(conn: &Connection, room: RoomKey, id: ProposalId, open: &OpenFacts) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO open (room, proposal, revision, digest, valid_until) VALUES (?1, ?2, ?3, ?4, ?5)",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            id.as_bytes(),
            open.revision,
            open.digest.as_bytes(),
            open.valid_until.map(Timestamp::ms),
        ))
    })
    .doing("open the proposal")
    .map(drop)
}

/// P1, P3: the check is the write.
pub(crate) fn take_open(conn: &Connection, room: RoomKey, id: ProposalId, digest: &Digest) -> Result<bool> {
    conn.prepare_cached("DELETE FROM open WHERE room = ?1 AND proposal = ?2 AND digest = ?3")
        .and_then(|mut s| s.execute((room.0, id.as_bytes(), digest.as_bytes())))
        .doing("take the open proposal")
        .map(|rows| rows == 1)
}

fn open_row(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<Option<OpenFacts>> {
    conn.prepare_cached("SELECT revision, digest, valid_until FROM open WHERE room = ?1 AND proposal = ?2")
        .and_then(|mut s| s.query_row((room.0, id.as_bytes()), open_facts).optional())
        .doing("read the open proposal")
}

pub(crate) fn swap_open(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    digest: &Digest,
    new: &OpenFacts,
) -> Result<bool> {
    conn.prepare_cached(
        "UPDATE open SET revision = ?4, digest = ?5, valid_until = ?6
         WHERE room = ?1 AND proposal = ?2 AND digest = ?3",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            id.as_bytes(),
            digest.as_bytes(),
            new.revision,
            new.digest.as_bytes(),
            new.valid_until.map(Timestamp::ms),
        ))
    })
    .doing("replace the open revision")
    .map(|rows| rows == 1)
}

pub(crate) fn close(conn: &Connection, room: RoomKey, id: ProposalId, row: &CloseRow) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO closed (room, proposal, state, revision, digest, at, actor, reason, seq)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            id.as_bytes(),
            row.state.as_str(),
            row.revision,
            row.digest.as_bytes(),
            row.at.ms(),
            row.actor.as_bytes(),
            &row.reason,
            row.seq,
        ))
    })
    .doing("write the decision")
    .map(drop)
}

/// Takes a rejected row by the write itself; what it said is read first, in the same transaction.
pub(crate) fn take_rejected(
    conn: &Connection,
    room: RoomKey,
    id: ProposalId,
    digest: &Digest,
) -> Result<Option<ClosedFacts>> {
    let facts = closed(conn, room, id)?;
    let taken = conn
        .prepare_cached(
            "DELETE FROM closed WHERE room = ?1 AND proposal = ?2 AND state = 'rejected' AND digest = ?3",
        )
        .and_then(|mut s| s.execute((room.0, id.as_bytes(), digest.as_bytes())))
        .doing("take the rejected proposal")?;
    Ok(if taken == 1 { facts } else { None })
}

fn closed(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<Option<ClosedFacts>> {
    conn.prepare_cached(
        "SELECT c.state, c.revision, c.digest, c.at, c.actor, who.name AS by_name, c.reason, c.seq
         FROM closed c JOIN actor who ON who.room = c.room AND who.id = c.actor
         WHERE c.room = ?1 AND c.proposal = ?2",
    )
    .and_then(|mut s| {
        s.query_row((room.0, id.as_bytes()), |row| {
            Ok(ClosedFacts {
                state: word(row, "state")?,
                revision: row.get("revision")?,
                digest: Digest::from_bytes(row.get("digest")?),
                at: time(row, "at")?,
                by: ActorId::from_bytes(row.get("actor")?),
                by_name: row.get("by_name")?,
                reason: row.get("reason")?,
                seq: row.get("seq")?,
            })
        })
        .optional()
    })
    .doing("read the decision")
}

pub(crate) fn standing(conn: &Connection, room: RoomKey, id: ProposalId) -> Result<Option<Standing>> {
    if let Some(open) = open_row(conn, room, id)? {
        return Ok(Some(Standing::Open(open)));
    }
    // Closed before applied: Apply asks while its own claim stands, and must not read that as the
    // answer. Committed, only one of the three exists.
    if let Some(closed) = closed(conn, room, id)? {
        return Ok(Some(Standing::Closed(closed)));
    }
    Ok(applied(conn, room, id)?.map(Standing::Applied))
}

pub(crate) fn count_expired(conn: &Connection, room: RoomKey, now: Now) -> Result<u64> {
    if now.behind {
        return Ok(0);
    }
    conn.prepare_cached("SELECT count(*) FROM open WHERE room = ?1 AND valid_until <= ?2")
        .and_then(|mut s| s.query_row((room.0, now.at.ms()), |row| row.get(0)))
        .doing("count the expired proposals")
}
