//! Table `actor`: people, agents, sources, and the system users that receipts name.

use rusqlite::{Connection, OptionalExtension as _, Row, RowIndex};
use sekali_core::{ActorId, ActorKind, Role, Timestamp};
use sekali_store::{ActorRow, RoomKey};

use crate::error::Doing as _;
use crate::reader::{Result, strange};

const COLUMNS: &str = "id, kind, name, role, added_at";

pub(crate) fn role_or_null(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Option<Role>> {
    match row.get_ref(column)?.as_str_or_null()? {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| strange("role", text)),
    }
}

/// On Apply's way: columns by position, as `COLUMNS` has them.
fn actor(row: &Row<'_>) -> rusqlite::Result<ActorRow> {
    let kind = row.get_ref(1)?.as_str()?;
    Ok(ActorRow {
        id: ActorId::from_bytes(row.get(0)?),
        kind: kind.parse().map_err(|_| strange("kind", kind))?,
        name: row.get(2)?,
        role: role_or_null(row, 3)?,
        added_at: Timestamp::from_ms(row.get(4)?),
    })
}

pub(crate) fn by_id(conn: &Connection, room: RoomKey, id: ActorId) -> Result<Option<ActorRow>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM actor WHERE room = ?1 AND id = ?2"))
        .and_then(|mut s| s.query_row((room.0, id.as_bytes()), actor).optional())
        .doing("read an actor")
}

pub(crate) fn by_name(
    conn: &Connection,
    room: RoomKey,
    kind: ActorKind,
    name: &str,
) -> Result<Option<ActorRow>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM actor WHERE room = ?1 AND kind = ?2 AND name = ?3"))
        .and_then(|mut s| s.query_row((room.0, kind.as_str(), name), actor).optional())
        .doing("read an actor")
}

pub(crate) fn all(conn: &Connection, room: RoomKey) -> Result<Vec<ActorRow>> {
    conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM actor WHERE room = ?1 AND kind <> 'system' ORDER BY name, kind"
    ))
    .and_then(|mut s| s.query_map([room.0], actor)?.collect())
    .doing("list the members")
}

pub(crate) fn add(conn: &Connection, room: RoomKey, actor: &ActorRow) -> Result<bool> {
    conn.prepare_cached(
        "INSERT INTO actor (room, id, kind, name, role, added_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (room, kind, name) DO NOTHING",
    )
    .and_then(|mut s| {
        s.execute((
            room.0,
            actor.id.as_bytes(),
            actor.kind.as_str(),
            &actor.name,
            actor.role.map(Role::as_str),
            actor.added_at.ms(),
        ))
    })
    .doing("add an actor")
    .map(|rows| rows == 1)
}

pub(crate) fn set_role(conn: &Connection, room: RoomKey, id: ActorId, role: Option<Role>) -> Result<()> {
    conn.prepare_cached("UPDATE actor SET role = ?3 WHERE room = ?1 AND id = ?2")
        .and_then(|mut s| s.execute((room.0, id.as_bytes(), role.map(Role::as_str))))
        .doing("set a role")
        .map(drop)
}

pub(crate) fn os_user(
    conn: &Connection,
    room: RoomKey,
    name: &str,
    fresh: ActorId,
    at: Timestamp,
) -> Result<ActorId> {
    if let Some(known) = by_name(conn, room, ActorKind::System, name)? {
        return Ok(known.id);
    }
    let row =
        ActorRow { id: fresh, kind: ActorKind::System, name: name.to_owned(), role: None, added_at: at };
    add(conn, room, &row)?;
    Ok(fresh)
}
