//! Tables `ledger` and `tile`: append-only (P7). A tile is written when it is whole, so that a
//! proof later never reads the whole ledger.

use rusqlite::Connection;
use sekali_core::hash::LeafHash;
use sekali_core::tree::{TILE, root_of};
use sekali_store::{EntryRow, RoomKey, StoreError};

use crate::error::Doing as _;
use crate::reader::Result;

/// Bits of a key below the room's: the number of an entry.
const SEQ_BITS: u32 = 40;

/// The key of an entry: its room above its number, so that the ledger is one tree.
fn id(room: RoomKey, seq: u64) -> Result<i64> {
    i64::try_from(seq)
        .ok()
        .filter(|seq| seq >> SEQ_BITS == 0 && (0..1 << (62 - SEQ_BITS)).contains(&room.0))
        .map(|seq| room.0 << SEQ_BITS | seq)
        .ok_or_else(|| StoreError::damaged("A number of the ledger is larger than any that is given."))
}

pub(crate) fn insert(
    conn: &Connection,
    room: RoomKey,
    seq: u64,
    leaf: &LeafHash,
    entry: &[u8],
) -> Result<()> {
    let id = id(room, seq)?;
    conn.prepare_cached("INSERT INTO ledger (id, leaf, entry) VALUES (?1, ?2, ?3)")
        .and_then(|mut s| s.execute((id, leaf.as_bytes(), entry)))
        .doing("append the ledger entry")
        .map(drop)
}

/// The key that no entry of the room reaches.
fn beyond(room: RoomKey) -> i64 {
    (room.0 + 1) << SEQ_BITS
}

/// The leaves of a tile's worth of entries after one.
pub(crate) fn leaves(conn: &Connection, room: RoomKey, after: u64) -> rusqlite::Result<Vec<[u8; 32]>> {
    conn.prepare_cached("SELECT leaf FROM ledger WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT 256")?
        .query_map((room.0 << SEQ_BITS | after.cast_signed(), beyond(room)), |row| row.get(0))?
        .collect()
}

/// Completes the tiles that the ledger's size completes: one in 256 appends writes any.
pub(crate) fn complete_tiles(conn: &Connection, room: RoomKey, size: u64) -> Result<()> {
    let mut whole = size;
    let mut level = 0u32;
    while whole.is_multiple_of(TILE) && whole > 0 {
        let first = whole - TILE;
        let hashes: Vec<[u8; 32]> = if level == 0 {
            leaves(conn, room, first)
        } else {
            conn.prepare_cached(
                "SELECT root FROM tile WHERE room = ?1 AND level = ?2 AND number >= ?3 ORDER BY number LIMIT 256",
            )
            .and_then(|mut s| s.query_map((room.0, level - 1, first), |row| row.get(0))?.collect())
        }
        .doing("read the hashes of a tile")?;
        whole /= TILE;
        conn.prepare_cached(
            "INSERT INTO tile (room, level, number, root, hashes) VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .and_then(|mut s| s.execute((room.0, level, whole - 1, root_of(&hashes), hashes.concat())))
        .doing("write a tile")?;
        level += 1;
    }
    Ok(())
}

pub(crate) fn entries(conn: &Connection, room: RoomKey, after: u64, limit: u32) -> Result<Vec<EntryRow>> {
    let Ok(after) = id(room, after) else {
        return Ok(Vec::new());
    };
    conn.prepare_cached("SELECT seq, entry, leaf FROM ledger WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3")
        .and_then(|mut s| {
            s.query_map((after, beyond(room), limit), |row| {
                Ok(EntryRow { seq: row.get(0)?, bytes: row.get(1)?, leaf: LeafHash::from_bytes(row.get(2)?) })
            })?
            .collect()
        })
        .doing("read the ledger")
}
