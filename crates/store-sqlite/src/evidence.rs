//! Tables `evidence`, `attempt` and `evidence_hour`: what deduplication stopped (P4, P5).

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sekali_core::ProposalId;
use sekali_store::{
    AttemptRow, KEPT_FINGERPRINTS, Layer, RepeatMark, RepeatNote, RepeatRow, RoomKey, StoreError,
    attempt_slot,
};

use crate::error::Doing as _;
use crate::reader::{Result, strange, time, word};

const MS_PER_HOUR: i64 = 3_600_000;

/// Keys whose counts a writer remembers.
const KNOWN_COUNTS: usize = 16_384;

/// How many repeats a writer has seen of each key. A guess, for another process may have counted on, or
/// a group may have been undone: the write holds it against the row.
#[derive(Default)]
pub(crate) struct Counts(RefCell<HashMap<Vec<u8>, u64>>);

impl Counts {
    fn key(room: RoomKey, note: &RepeatNote) -> Vec<u8> {
        [&room.0.to_be_bytes()[..], note.layer.as_str().as_bytes(), &[0], &note.source, &note.key].concat()
    }

    fn get(&self, key: &[u8]) -> Option<u64> {
        self.0.borrow().get(key).copied()
    }

    fn set(&self, key: Vec<u8>, count: u64) {
        let mut counts = self.0.borrow_mut();
        if counts.len() >= KNOWN_COUNTS {
            counts.clear();
        }
        counts.insert(key, count);
    }
}

/// Writes down one press that was stopped, but for the count of its hour, which is written once a
/// group. Answers how many there are now.
pub(crate) fn note(conn: &Connection, counts: &Counts, room: RoomKey, note: &RepeatNote) -> Result<u64> {
    let key = Counts::key(room, note);
    let guess = match counts.get(&key) {
        Some(before) if count_on(conn, room, note, before)? => Some(before + 1),
        _ => None,
    };
    let n = match guess {
        Some(n) => n,
        None => count(conn, room, note)?,
    };
    write_attempt(conn, room, note, n)?;
    counts.set(key, n);
    Ok(n)
}

/// Counts one more, having read how many there are.
fn count(conn: &Connection, room: RoomKey, note: &RepeatNote) -> Result<u64> {
    // RETURNING would build a table of its own for one number.
    let before: Option<u64> = conn
        .prepare_cached(
            "SELECT count FROM evidence WHERE room = ?1 AND layer = ?2 AND source = ?3 AND key = ?4",
        )
        .and_then(|mut s| {
            s.query_row((room.0, note.layer.as_str(), note.source, &note.key), |row| row.get(0)).optional()
        })
        .doing("count the evidence")?;
    if let Some(before) = before {
        return if count_on(conn, room, note, before)? {
            Ok(before + 1)
        } else {
            Err(StoreError::damaged("A row of the evidence cannot be found by its own count."))
        };
    }
    conn.prepare_cached(
        "INSERT INTO evidence (room, layer, source, key, proposal, count, other_content, first_at, last_at,
                               fingerprints)
         VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7, ?7, coalesce(?8, X''))",
    )
    .and_then(|mut s| {
        s.execute(params![
            room.0,
            note.layer.as_str(),
            note.source,
            note.key,
            note.proposal.as_bytes(),
            u32::from(note.other_content),
            note.at.ms(),
            note.fingerprint,
        ])
    })
    .doing("write the evidence")?;
    Ok(1)
}

/// Counts one more where there are as many as is thought; otherwise changes nothing.
fn count_on(conn: &Connection, room: RoomKey, note: &RepeatNote, before: u64) -> Result<bool> {
    conn.prepare_cached(
        "UPDATE evidence SET
           count = count + 1, other_content = other_content + ?5, last_at = max(last_at, ?6),
           fingerprints = CASE
             WHEN ?7 IS NULL OR instr(fingerprints, ?7) > 0 OR length(fingerprints) >= ?8 THEN fingerprints
             ELSE CAST(fingerprints || ?7 AS BLOB) END
         WHERE room = ?1 AND layer = ?2 AND source = ?3 AND key = ?4 AND count = ?9",
    )
    .and_then(|mut s| {
        s.execute(params![
            room.0,
            note.layer.as_str(),
            note.source,
            note.key,
            u32::from(note.other_content),
            note.at.ms(),
            note.fingerprint,
            KEPT_FINGERPRINTS * 32,
            before,
        ])
    })
    .doing("count the evidence on")
    .map(|rows| rows == 1)
}

/// The first attempts and the last ones are kept.
fn write_attempt(conn: &Connection, room: RoomKey, note: &RepeatNote, n: u64) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO attempt (room, layer, source, key, slot, n, at, actor, door, os_user, fingerprint)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (room, layer, source, key, slot) DO UPDATE SET
           n = excluded.n, at = excluded.at, actor = excluded.actor, door = excluded.door,
           os_user = excluded.os_user, fingerprint = excluded.fingerprint",
    )
    .and_then(|mut s| {
        s.execute(params![
            room.0,
            note.layer.as_str(),
            note.source,
            note.key,
            attempt_slot(n),
            n,
            note.at.ms(),
            note.actor.as_bytes(),
            note.door.as_str(),
            note.os_user.map(|id| *id.as_bytes()),
            note.fingerprint,
        ])
    })
    .doing("write the attempt")
    .map(drop)
}

/// What a group adds to the counts by hour.
pub(crate) type Hours = BTreeMap<(RoomKey, &'static str, [u8; 16], i64), u64>;

pub(crate) fn count_hour(hours: &mut Hours, room: RoomKey, note: &RepeatNote) {
    *hours.entry((room, note.layer.as_str(), note.source, note.at.ms() / MS_PER_HOUR)).or_default() += 1;
}

pub(crate) fn write_hours(conn: &Connection, hours: &Hours) -> Result<()> {
    for ((room, layer, source, hour), count) in hours {
        conn.prepare_cached(
            "INSERT INTO evidence_hour (room, layer, source, hour, count) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (room, layer, source, hour) DO UPDATE SET count = count + excluded.count",
        )
        .and_then(|mut s| s.execute((room.0, layer, source, hour, count)))
        .doing("count the attempts of the hour")?;
    }
    Ok(())
}

const REPEAT: &str =
    "e.layer, e.source, e.key, e.proposal, p.number, e.count, e.other_content, e.first_at, e.last_at";

fn repeat(row: &Row<'_>) -> rusqlite::Result<RepeatRow> {
    let layer = row.get_ref("layer")?.as_str()?;
    Ok(RepeatRow {
        layer: Layer::from_word(layer).ok_or_else(|| strange("layer", layer))?,
        source: row.get("source")?,
        key: row.get("key")?,
        proposal: ProposalId::from_bytes(row.get("proposal")?),
        number: row.get("number")?,
        count: row.get("count")?,
        other_content: row.get("other_content")?,
        first_at: time(row, "first_at")?,
        last_at: time(row, "last_at")?,
    })
}

/// The last repeats first. The rows are few beside the proposals, so no index is kept up to date
/// on every repeat for this.
pub(crate) fn page(
    conn: &Connection,
    room: RoomKey,
    before: Option<&RepeatMark>,
    limit: u32,
) -> Result<Vec<RepeatRow>> {
    conn.prepare_cached(&format!(
        "SELECT {REPEAT} FROM evidence e JOIN proposal p ON p.room = e.room AND p.id = e.proposal
         WHERE e.room = ?1 AND (?2 IS NULL OR (e.last_at, e.layer, e.source, e.key) < (?2, ?3, ?4, ?5))
         ORDER BY e.last_at DESC, e.layer DESC, e.source DESC, e.key DESC LIMIT ?6"
    ))
    .and_then(|mut s| {
        let (at, layer) = (before.map(|b| b.at.ms()), before.map(|b| b.layer.as_str()));
        let (source, key) = (before.map(|b| b.source), before.map(|b| &b.key));
        s.query_map((room.0, at, layer, source, key, limit), repeat)?.collect()
    })
    .doing("list the duplicates")
}

pub(crate) fn of(
    conn: &Connection,
    room: RoomKey,
    layer: Layer,
    source: [u8; 16],
    key: &[u8],
) -> Result<Option<RepeatRow>> {
    conn.prepare_cached(&format!(
        "SELECT {REPEAT} FROM evidence e JOIN proposal p ON p.room = e.room AND p.id = e.proposal
         WHERE e.room = ?1 AND e.layer = ?2 AND e.source = ?3 AND e.key = ?4"
    ))
    .and_then(|mut s| s.query_row((room.0, layer.as_str(), source, key), repeat).optional())
    .doing("read the evidence")
}

pub(crate) fn attempts(
    conn: &Connection,
    room: RoomKey,
    layer: Layer,
    source: [u8; 16],
    key: &[u8],
) -> Result<Vec<AttemptRow>> {
    conn.prepare_cached(
        "SELECT a.n, a.at, who.name, a.door, a.fingerprint
         FROM attempt a JOIN actor who ON who.room = a.room AND who.id = a.actor
         WHERE a.room = ?1 AND a.layer = ?2 AND a.source = ?3 AND a.key = ?4 ORDER BY a.n",
    )
    .and_then(|mut s| {
        s.query_map((room.0, layer.as_str(), source, key), |row| {
            Ok(AttemptRow {
                n: row.get("n")?,
                at: time(row, "at")?,
                actor: row.get("name")?,
                door: word(row, "door")?,
                fingerprint: row.get("fingerprint")?,
            })
        })?
        .collect()
    })
    .doing("read the attempts")
}
