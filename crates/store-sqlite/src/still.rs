//! Reading a store whose write-ahead log cannot be used: on a read-only mount, in a folder that may
//! not be written, on a full disk. What was applied must still be answered there (P4).
//!
//! SQLite can read such a file as `immutable`: without locks, without a log, believing that nobody
//! writes. That nobody can is not to be known from here. A mount that is read-only for us may be
//! written through another one, a file that we may not write by its owner, a disk that is full for us
//! by root. So the belief is checked instead, each time: every change to the file of a store in WAL
//! mode is a checkpoint, which needs a log with something in it before, and leaves another time on
//! the file. A snapshot counts only if there was nothing in a log before and after it, and the file's
//! times and size are the same before and after; else it is read again. Until then its answer, right
//! or torn, is given to nobody.

use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OpenFlags};
use sekali_core::Code;
use sekali_store::StoreError;

use crate::error::Doing as _;
use crate::lock::beside;
use crate::open::configure;
use crate::place::{Place, obstacle};

/// The coarsest clock by which file systems stamp their files (FAT counts in two seconds): of two
/// changes within one of its ticks, the second leaves no trace.
const TICK: Duration = Duration::from_secs(2);
/// How often a snapshot is tried while the file changes.
const TRIES: usize = 5;

/// What changes on a file whenever it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: SystemTime,
    /// Of its inode; unlike the other time, nobody can set it.
    changed: SystemTime,
}

impl Stamp {
    /// How long it takes until a change would leave another stamp; `None`: any would now. A stamp of
    /// the future was set by hand or by a clock that was put back: no change that comes now would
    /// leave the same.
    fn ripens_in(&self) -> Option<Duration> {
        let age = SystemTime::now().duration_since(self.changed).ok()?;
        TICK.checked_sub(age).filter(|rest| !rest.is_zero())
    }
}

/// Reads one snapshot of a file in which nobody writes. `refused` is what the usual way failed with:
/// it is the answer where this way is not open either.
pub(crate) fn read<T>(
    place: &Place,
    refused: StoreError,
    job: &mut dyn FnMut(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    read_pausing(place, refused, job, &mut std::thread::sleep)
}

/// [`read`], with a way to pass the time until a stamp is old enough.
fn read_pausing<T>(
    place: &Place,
    refused: StoreError,
    job: &mut dyn FnMut(&Connection) -> Result<T, StoreError>,
    pause: &mut dyn FnMut(Duration),
) -> Result<T, StoreError> {
    if !matches!(refused.code, Code::StoreReadOnly | Code::StoreFull | Code::StoreIo) {
        return Err(refused);
    }
    for _ in 0..TRIES {
        if has_log(place) {
            return Err(behind(place, refused));
        }
        let Some(before) = settled(place, pause)? else { continue };
        let conn = connect(place)?;
        let answer = job(&conn);
        drop(conn);
        place.check()?;
        if !has_log(place) && stamp(place)? == before {
            return answer;
        }
    }
    Err(StoreError::new(
        Code::StoreBusy,
        format!("{} was written again and again while it was read.", place.path().display()),
    ))
}

/// A log or journal with something in it: the file alone is not the store.
fn has_log(place: &Place) -> bool {
    ["-wal", "-journal"]
        .iter()
        .any(|suffix| std::fs::metadata(beside(place.path(), suffix)).is_ok_and(|meta| meta.len() > 0))
}

fn behind(place: &Place, refused: StoreError) -> StoreError {
    let path = place.path();
    match obstacle(path) {
        Some((code, what)) => StoreError::caused(
            code,
            format!(
                "Could not open {}: its last writes are still in the log beside it, which must be written to be read, and {what}.",
                path.display()
            ),
            refused,
        ),
        None => refused,
    }
}

/// The file's stamp, if it is old enough that a later change would leave another one, or is so after
/// one pause.
fn settled(place: &Place, pause: &mut dyn FnMut(Duration)) -> Result<Option<Stamp>, StoreError> {
    let first = stamp(place)?;
    let Some(rest) = first.ripens_in() else { return Ok(Some(first)) };
    pause(rest);
    Ok(Some(stamp(place)?).filter(|stamp| stamp.ripens_in().is_none()))
}

fn stamp(place: &Place) -> Result<Stamp, StoreError> {
    let path = place.path();
    let meta = std::fs::metadata(path).map_err(|e| crate::place::missing(path, e))?;
    let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    Ok(Stamp { bytes: meta.len(), modified, changed: changed(&meta).unwrap_or(modified) })
}

#[cfg(unix)]
fn changed(meta: &std::fs::Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt as _;
    let seconds = Duration::from_secs(u64::try_from(meta.ctime()).ok()?);
    let rest = Duration::from_nanos(u64::try_from(meta.ctime_nsec()).ok()?);
    Some(SystemTime::UNIX_EPOCH + seconds + rest)
}

#[cfg(not(unix))]
fn changed(_meta: &std::fs::Metadata) -> Option<SystemTime> {
    None
}

fn connect(place: &Place) -> Result<Connection, StoreError> {
    let doing = format!("read {}", place.path().display());
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let uri = format!("file://{}?immutable=1", in_uri(place.path()));
    let conn = Connection::open_with_flags(uri, flags).doing(&doing)?;
    configure(&conn).and_then(|()| conn.execute_batch("PRAGMA query_only = ON")).doing(&doing)?;
    Ok(conn)
}

/// The path as a part of a URI (RFC 8089): every byte that could mean something in one is escaped.
pub(crate) fn in_uri(path: &Path) -> String {
    use std::fmt::Write as _;
    #[cfg(unix)]
    let path = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
    #[cfg(not(unix))]
    let path = format!("/{}", path.to_string_lossy().replace('\\', "/")).into_bytes();
    let mut uri = String::with_capacity(path.len());
    for byte in path {
        if byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, SqliteStore};

    fn refused() -> StoreError {
        StoreError::new(Code::StoreReadOnly, "as if it could not be written")
    }

    fn anchor(conn: &Connection) -> Result<i64, StoreError> {
        conn.query_row("SELECT anchor FROM store", [], |row| row.get(0)).doing("read the anchor")
    }

    fn written(place: &Place) {
        let conn = crate::open::connect(place.path()).expect("a store");
        conn.execute("UPDATE store SET anchor = anchor + 1", []).expect("it can be written");
    }

    /// That nobody writes is only believed until it is seen to be wrong.
    #[test]
    fn what_was_written_while_it_was_read_is_read_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Every character that means something in a URI.
        let path = folder.path().join("a b?c#d%41é&e.db");
        drop(SqliteStore::create(&path, Options::default()).expect("a fresh folder"));
        let place = Place::of(&path).expect("it is there");
        let mut runs = 0;
        let answer = read(&place, refused(), &mut |conn| {
            runs += 1;
            let before = anchor(conn)?;
            if runs == 1 {
                // Its log is taken in and removed at its end, so that only the file's times tell.
                written(&place);
                assert!(!has_log(&place));
            }
            Ok(before)
        });
        assert_eq!((answer.expect("it is still at last"), runs), (1, 2));
    }

    /// Who reads is told so instead of waiting for as long as others write.
    #[test]
    fn a_file_that_never_rests_is_given_up() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("sekali.db");
        drop(SqliteStore::create(&path, Options::default()).expect("a fresh folder"));
        let place = Place::of(&path).expect("it is there");
        let mut pauses = 0;
        let mut job = |_: &Connection| -> Result<(), StoreError> { panic!("it never rested") };
        let answer = read_pausing(&place, refused(), &mut job, &mut |_| {
            pauses += 1;
            written(&place);
        });
        assert_eq!((answer.map_err(|e| e.code), pauses), (Err(Code::StoreBusy), TRIES));
    }

    /// A log may come while the file is waited for.
    #[test]
    fn a_log_that_comes_during_the_wait_is_seen_before_the_next() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("sekali.db");
        drop(SqliteStore::create(&path, Options::default()).expect("a fresh folder"));
        let place = Place::of(&path).expect("it is there");
        let (mut other, mut pauses) = (None, 0);
        let mut job = |_: &Connection| -> Result<(), StoreError> { panic!("it never rested") };
        let answer = read_pausing(&place, refused(), &mut job, &mut |_| {
            pauses += 1;
            written(&place);
            let conn = crate::open::connect(place.path()).expect("a store");
            conn.execute("UPDATE store SET anchor = anchor + 1", []).expect("it can be written");
            other = Some(conn);
        });
        assert_eq!((answer.map_err(|e| e.code), pauses), (Err(Code::StoreReadOnly), 1));
        assert!(other.is_some());
    }

    /// A log that comes meanwhile is a part of the store that this way does not read.
    #[test]
    fn a_log_that_comes_while_it_is_read_takes_the_answer_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("sekali.db");
        drop(SqliteStore::create(&path, Options::default()).expect("a fresh folder"));
        let place = Place::of(&path).expect("it is there");
        let mut other = None;
        let answer = read(&place, refused(), &mut |conn| {
            let before = anchor(conn)?;
            let conn = crate::open::connect(place.path())?;
            conn.execute("UPDATE store SET anchor = anchor + 1", []).doing("write")?;
            other = Some(conn);
            Ok(before)
        });
        assert_eq!(answer.map_err(|e| e.code), Err(Code::StoreReadOnly));
        assert!(other.is_some());
    }

    #[test]
    fn only_what_cannot_be_written_is_read_so() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("sekali.db");
        drop(SqliteStore::create(&path, Options::default()).expect("a fresh folder"));
        let place = Place::of(&path).expect("it is there");
        for code in [Code::StoreBusy, Code::StoreDamaged, Code::StoreForeign, Code::StoreMoved] {
            let mut job =
                |_: &Connection| -> Result<(), StoreError> { panic!("{code} is an answer already") };
            assert_eq!(read(&place, StoreError::new(code, ""), &mut job).map_err(|e| e.code), Err(code));
        }
    }
}
