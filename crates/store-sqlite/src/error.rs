//! What SQLite says, in Sekali's codes.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::ffi::{self, ErrorCode};
use sekali_core::Code;
use sekali_store::StoreError;

use crate::place::obstacle;

const DISK_ERROR: &str = "the disk reported an error";

/// Maps a driver's error; `doing` says what was being done.
pub(crate) fn failed(doing: &str, error: rusqlite::Error) -> StoreError {
    let code = code_of(&error);
    let what = match code {
        Code::StoreBusy => "another process is writing",
        Code::StoreFull => "the disk is full",
        Code::StoreReadOnly => "the store cannot be written",
        Code::StoreMoved => "the store's file was moved or replaced",
        Code::StoreIo => DISK_ERROR,
        Code::StoreDamaged => "the store is damaged",
        Code::StoreForeign => "the file is not a Sekali store",
        _ => "SQLite refused it",
    };
    StoreError::caused(code, format!("Could not {doing}: {what}."), error)
}

/// Says of a failure whether the disk is full, where SQLite said only that it reported an error: a quota, a
/// file system that finds room late, and the shared memory beside the log come as that.
pub(crate) fn diagnosed(conn: &Connection, error: StoreError) -> StoreError {
    match (error.code, conn.path()) {
        (Code::StoreIo, Some(path)) => explained(error, obstacle(Path::new(path))),
        _ => error,
    }
}

fn explained(error: StoreError, obstacle: Option<(Code, String)>) -> StoreError {
    match obstacle {
        Some((Code::StoreFull, what)) => {
            let detail = error.detail.replacen(DISK_ERROR, &what, 1);
            StoreError { source: error.source, ..StoreError::new(Code::StoreFull, detail) }
        }
        _ => error,
    }
}

pub(crate) fn code_of(error: &rusqlite::Error) -> Code {
    let (rusqlite::Error::SqliteFailure(failure, _) | rusqlite::Error::SqlInputError { error: failure, .. }) =
        error
    else {
        // A column of another type or a missing row: somebody else wrote into the tables.
        return match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::InvalidColumnIndex(..)
            | rusqlite::Error::InvalidColumnName(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::QueryReturnedNoRows => Code::StoreDamaged,
            _ => Code::Internal,
        };
    };
    match failure.extended_code {
        ffi::SQLITE_READONLY_DBMOVED => return Code::StoreMoved,
        // The shared memory beside the log could not be given its size.
        ffi::SQLITE_IOERR_SHMSIZE => return Code::StoreFull,
        ffi::SQLITE_IOERR_CORRUPTFS => return Code::StoreDamaged,
        _ => {}
    }
    match failure.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Code::StoreBusy,
        ErrorCode::DiskFull => Code::StoreFull,
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Code::StoreReadOnly,
        ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::OutOfMemory
        | ErrorCode::OperationInterrupted
        | ErrorCode::FileLockingProtocolFailed => Code::StoreIo,
        // The statements are few, fixed, and have all run on sound stores. Where one of them finds no
        // such table, or breaks a constraint that the code before it made impossible, the file is not
        // what was written: a damaged schema or B-tree often gets this far before SQLite notices.
        ErrorCode::DatabaseCorrupt
        | ErrorCode::TypeMismatch
        | ErrorCode::ConstraintViolation
        | ErrorCode::TooBig
        | ErrorCode::NotFound
        | ErrorCode::SchemaChanged
        | ErrorCode::InternalMalfunction
        | ErrorCode::Unknown => Code::StoreDamaged,
        ErrorCode::NotADatabase => Code::StoreForeign,
        _ => Code::Internal,
    }
}

/// Adds what was being done to a driver's error.
pub(crate) trait Doing<T> {
    /// Names what was being done, as an infinitive: "read the head".
    fn doing(self, what: &str) -> Result<T, StoreError>;
}

impl<T> Doing<T> for Result<T, rusqlite::Error> {
    fn doing(self, what: &str) -> Result<T, StoreError> {
        self.map_err(|error| failed(what, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_full_disk_is_said_to_be_one() {
        let io = || {
            let error = ffi::Error::new(ffi::SQLITE_IOERR_WRITE);
            failed("write a document", rusqlite::Error::SqliteFailure(error, None))
        };
        assert_eq!((io().code, io().detail.contains(DISK_ERROR)), (Code::StoreIo, true));
        let full = explained(io(), Some((Code::StoreFull, "the disk under /a is full".to_owned())));
        assert_eq!(full.code, Code::StoreFull);
        assert_eq!(full.detail, "Could not write a document: the disk under /a is full.");
        assert!(full.source.is_some(), "what SQLite said is kept");
        for other in [None, Some((Code::StoreReadOnly, "you may not write /a".to_owned()))] {
            assert_eq!(explained(io(), other).code, Code::StoreIo);
        }
    }
}
