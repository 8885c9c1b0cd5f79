//! Tables `ledger` and `tile`: append-only (P7). A tile is written when it is whole, so that a
//! proof later never reads the whole ledger.

use rusqlite::Connection;
use sekali_core::hash::LeafHash;
use sekali_core::tree::{TILE, root_of};
use sekali_store::{EntryRow, RoomKey};

use crate::error::Doing as _;
use crate::reader::Result;

pub(crate) fn insert(
    conn: &Connection,
    room: RoomKey,
    seq: u64,
    leaf: &LeafHash,
    entry: &[u8],
) -> Result<()> {
    conn.prepare_cached("INSERT INTO ledger (room, seq, leaf, entry) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut s| s.execute((room.0, seq, leaf.as_bytes(), entry)))
        .doing("append the ledger entry")
        .map(drop)
}

/// Completes the tiles that the ledger's size completes: one in 256 appends writes any.
pub(crate) fn complete_tiles(conn: &Connection, room: RoomKey, size: u64) -> Result<()> {
    let mut whole = size;
    let mut level = 0u32;
    while whole.is_multiple_of(TILE) && whole > 0 {
        let first = whole - TILE;
        let hashes: Vec<[u8; 32]> = if level == 0 {
            conn.prepare_cached("SELECT leaf FROM ledger WHERE room = ?1 AND seq > ?2 ORDER BY seq LIMIT 256")
                .and_then(|mut s| s.query_map((room.0, first), |row| row.get(0))?.collect())
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
    let Ok(after) = i64::try_from(after) else {
        return Ok(Vec::new());
    };
    conn.prepare_cached(
        "SELECT seq, entry, leaf FROM ledger WHERE room = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
    )
    .and_then(|mut s| {
        s.query_map((room.0, after, limit), |row| {
            Ok(EntryRow { seq: row.get(0)?, bytes: row.get(1)?, leaf: LeafHash::from_bytes(row.get(2)?) })
        })?
        .collect()
    })
    .doing("read the ledger")
}
