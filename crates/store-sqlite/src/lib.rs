//! The SQLite store: one file, WAL, one writer that commits what waits as a group.
//! Rules are not here. Every constraint that a promise rests on is in `migrations/sqlite`.
//!
//! The store's files are opened by SQLite alone: reading them through `std::fs` in the same
//! process would drop its POSIX locks.

mod actors;
mod check;
mod comments;
mod create;
mod documents;
mod error;
mod evidence;
mod fence;
mod ledger;
mod list;
mod lock;
mod migrate;
mod open;
mod place;
mod proposals;
mod reader;
mod readers;
mod rooms;
mod signing_key;
mod still;
mod submitted;
mod tx;
mod whole;
mod writer;

pub use check::Both;
pub use open::{Health, Options, SqliteStore};
