//! Making the file of a store, bringing an older one up to date, and what a creation that was cut off
//! leaves to do.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use sekali_core::Code;
use sekali_store::{Clock, StoreError, Write, fault};
use uuid::Uuid;

use crate::error::Doing as _;
use crate::lock::{LOCK, TURN, WriteLock, beside};
use crate::open::{configure, connect, size};
use crate::tx::{Carried, Known, Tx};
use crate::{migrate, place, signing_key, still};

pub(crate) fn make_folder(folder: &Path) -> Result<(), StoreError> {
    std::fs::create_dir_all(folder).map_err(|e| {
        let code = match e.kind() {
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                Code::StoreReadOnly
            }
            std::io::ErrorKind::StorageFull => Code::StoreFull,
            _ => Code::StoreIo,
        };
        StoreError::caused(code, format!("Could not make the folder {}.", folder.display()), e)
    })
}

/// What SQLite keeps beside a store while that is open. The last connection that closes in order
/// takes them away.
pub(crate) fn of_open_store(store: &Path) -> [PathBuf; 3] {
    ["-wal", "-shm", "-journal"].map(|suffix| beside(store, suffix))
}

/// Refuses to create where something is. An empty file holds nothing, and neither does what a crash
/// in the middle of an earlier creation left: a file that SQLite, once it has rolled that creation
/// back, finds empty.
pub(crate) fn vacant(path: &Path) -> Result<(), StoreError> {
    let meta = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(place::missing(path, error)),
        Ok(meta) => meta,
    };
    place::must_be_file(path, &meta)?;
    if meta.len() == 0 || (size(&beside(path, "-journal")) > 0 && rolled_back_to_nothing(path)) {
        return Ok(());
    }
    let detail = format!("There is a file at {} already.", path.display());
    Err(StoreError::new(Code::StoreExists, detail).said(format!("Sudah ada berkas di {}.", path.display())))
}

fn rolled_back_to_nothing(path: &Path) -> bool {
    connect(path)
        .and_then(|conn| {
            conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, u64>(0))
                .doing("look for what an earlier creation left")
        })
        .is_ok_and(|tables| tables == 0)
}

/// Leaves the locks that were made with a store to its owner, as the store is. They hold nothing: where
/// that fails, nothing is given away.
#[cfg(unix)]
pub(crate) fn make_private(store: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    for suffix in [LOCK, TURN] {
        let _ = std::fs::set_permissions(beside(store, suffix), std::fs::Permissions::from_mode(0o600));
    }
}

#[cfg(not(unix))]
pub(crate) fn make_private(_: &Path) {}

/// Takes away what a creation that failed has made. `began`: there was no store, there was no lock.
pub(crate) fn clear(path: &Path, began: [bool; 2]) {
    signing_key::discard(path);
    let [store, lock] = began;
    let suffixes =
        [("", store), ("-journal", store), ("-wal", store), ("-shm", store), (LOCK, lock), (TURN, lock)];
    for (suffix, ours) in suffixes {
        if ours {
            let _ = std::fs::remove_file(beside(path, suffix));
        }
    }
}

/// Writes the schema, the store's row and what it begins with in one transaction, so that a crash
/// leaves an empty file.
pub(crate) fn make(
    path: &Path,
    public_key: &[u8; 32],
    clock: &dyn Clock,
    first: &dyn Fn(&mut dyn Write) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let shown = path.display();
    // The file comes into being with the mode of its key, 0600, and its log gets that of the file.
    let like = still::in_uri(&beside(path, signing_key::UNSETTLED));
    let uri = format!("file://{}?modeof={like}", still::in_uri(path));
    let conn = Connection::open_with_flags(uri, flags).doing(&format!("create {shown}"))?;
    configure(&conn).doing(&format!("create {shown}"))?;
    conn.execute_batch("BEGIN IMMEDIATE").doing(&format!("create {shown}"))?;
    migrate::migrate(&conn, 0)?;
    let id = Uuid::now_v7();
    conn.execute(
        "INSERT INTO store (one, id, public_key, created_at) VALUES (1, ?1, ?2, ?3)",
        (id.as_bytes(), public_key, clock.wall().ms()),
    )
    .doing("write the store's row")?;
    let (mut carried, mut bytes) = (Carried::default(), 0);
    first(&mut Tx {
        conn: &conn,
        clock,
        carried: &mut carried,
        known: &Known::default(),
        bytes: &mut bytes,
        wrote: false,
    })?;
    carried.write(&conn)?;
    fault::point("create.before");
    conn.execute_batch("COMMIT").doing("commit the new store")?;
    fault::point("create.after");
    turn_on_log(&conn, path)
}

fn turn_on_log(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let mode: String = conn
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .doing("turn on the write-ahead log")?;
    if mode == "wal" {
        return Ok(());
    }
    Err(StoreError::new(
        Code::StoreIo,
        format!("{} is on a file system that cannot hold a write-ahead log.", path.display()),
    ))
}

/// Does what a creation that was killed right after its commit had left to do. A store that may only
/// be read goes without.
pub(crate) fn finish_creating(conn: &Connection, path: &Path) {
    let mode = conn.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
    let logs = mode.is_ok_and(|mode| mode == "wal");
    if logs && !signing_key::is_unsettled(path) {
        return;
    }
    let mut lock = WriteLock::new(path);
    // Whoever has it may be doing the same; a later opening will see.
    let Some(_held) = lock.try_hold() else { return };
    if !logs {
        let _ = turn_on_log(conn, path);
    }
    let _ = signing_key::settle(path);
}

/// Runs the migrations that an older store lacks.
pub(crate) fn upgrade(
    conn: &Connection,
    path: &Path,
    from: u32,
    patience: Duration,
) -> Result<(), StoreError> {
    let mut lock = WriteLock::new(path);
    let _held = lock.hold_for(patience)?;
    conn.execute_batch("BEGIN IMMEDIATE").doing("upgrade the store")?;
    // Another process may have done it while this one waited.
    let (application, now) = migrate::identify(conn).doing("upgrade the store")?;
    let done = migrate::accept(&path.display().to_string(), application, now)
        .and_then(|()| migrate::migrate(conn, from.max(now)));
    match done {
        Ok(()) => conn.execute_batch("COMMIT").doing("upgrade the store"),
        Err(error) => {
            let _ = conn.execute_batch("ROLLBACK");
            Err(error)
        }
    }
}
