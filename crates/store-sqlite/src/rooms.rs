//! Tables `room` and `head`.

use rusqlite::{Connection, OptionalExtension as _, Row};
use sekali_core::tree::Frontier;
use sekali_core::{LeafHash, RoomId, Timestamp};
use sekali_store::{Counts, HeadRow, RoomKey, RoomRow, StoreError};

use crate::error::Doing as _;
use crate::reader::{Result, time};

/// The head as the writer carries it through a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) frontier: Frontier,
    pub(crate) prev: LeafHash,
    pub(crate) last_at: Timestamp,
    pub(crate) change_seq: u64,
    pub(crate) last_number: u64,
    pub(crate) counts: Counts,
}

impl Head {
    pub(crate) fn row(&self) -> HeadRow {
        HeadRow {
            size: self.frontier.size(),
            root: self.frontier.root(),
            prev: self.prev,
            last_at: self.last_at,
            change_seq: self.change_seq,
            counts: self.counts,
        }
    }
}

fn room(row: &Row<'_>) -> rusqlite::Result<RoomRow> {
    Ok(RoomRow {
        key: RoomKey(row.get("room")?),
        id: RoomId::from_bytes(row.get("id")?),
        slug: row.get("slug")?,
        title: row.get("title")?,
        created_at: time(row, "created_at")?,
    })
}

pub(crate) fn all(conn: &Connection) -> Result<Vec<RoomRow>> {
    conn.prepare_cached("SELECT room, id, slug, title, created_at FROM room ORDER BY room")
        .and_then(|mut s| s.query_map([], room)?.collect())
        .doing("list the rooms")
}

/// P7: a room begins with an empty ledger, made with it.
pub(crate) fn create(
    conn: &Connection,
    id: RoomId,
    slug: &str,
    title: &str,
    at: Timestamp,
) -> Result<Option<RoomKey>> {
    let key: Option<i64> = conn
        .prepare_cached(
            "INSERT INTO room (id, slug, title, created_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (slug) DO NOTHING RETURNING room",
        )
        .and_then(|mut s| s.query_row((id.as_bytes(), slug, title, at.ms()), |row| row.get(0)).optional())
        .doing("make the room")?;
    let Some(key) = key else { return Ok(None) };
    conn.prepare_cached(
        "INSERT INTO head (room, size, frontier, prev, last_at, change_seq, last_number, open, applied, rejected, withdrawn)
         VALUES (?1, 0, X'', ?2, ?3, 0, 0, 0, 0, 0, 0)",
    )
    .and_then(|mut s| s.execute((key, [0u8; 32], at.ms())))
    .doing("make the room's head")?;
    Ok(Some(RoomKey(key)))
}

/// On every write's way: columns by position.
pub(crate) fn head(conn: &Connection, room: RoomKey) -> Result<Head> {
    let read = |row: &Row<'_>| -> rusqlite::Result<Option<Head>> {
        let Some(frontier) = Frontier::from_parts(row.get(0)?, row.get_ref(1)?.as_blob()?) else {
            return Ok(None);
        };
        Ok(Some(Head {
            frontier,
            prev: LeafHash::from_bytes(row.get(2)?),
            last_at: Timestamp::from_ms(row.get(3)?),
            change_seq: row.get(4)?,
            last_number: row.get(5)?,
            counts: Counts {
                open: row.get(6)?,
                applied: row.get(7)?,
                rejected: row.get(8)?,
                withdrawn: row.get(9)?,
            },
        }))
    };
    conn.prepare_cached(
        "SELECT size, frontier, prev, last_at, change_seq, last_number, open, applied, rejected, withdrawn
         FROM head WHERE room = ?1",
    )
    .and_then(|mut s| s.query_row([room.0], read))
    .doing("read the room's head")?
    .ok_or_else(|| StoreError::damaged("The head of the ledger does not fit its size."))
}

/// Written once per room and group, before COMMIT.
pub(crate) fn write_head(conn: &Connection, room: RoomKey, head: &Head) -> Result<()> {
    conn.prepare_cached(
        "UPDATE head SET size = ?2, frontier = ?3, prev = ?4, last_at = ?5, change_seq = ?6, last_number = ?7,
                         open = ?8, applied = ?9, rejected = ?10, withdrawn = ?11
         WHERE room = ?1",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            head.frontier.size(),
            head.frontier.to_bytes(),
            head.prev.as_bytes(),
            head.last_at.ms(),
            head.change_seq,
            head.last_number,
            head.counts.open,
            head.counts.applied,
            head.counts.rejected,
            head.counts.withdrawn,
        ))
    })
    .doing("advance the room's head")
    .map(drop)
}
