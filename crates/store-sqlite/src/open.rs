//! Creating and opening a store. Opening never creates; creating never opens what is there.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use sekali_core::code::Kind;
use sekali_core::{Code, StoreId};
use sekali_store::{Clock, Job, Read, RoomKey, Store, StoreError, StoreFacts, SystemClock, Warning, Write};

use crate::create::{clear, finish_creating, make, make_folder, make_private, upgrade, vacant};
use crate::error::Doing as _;
use crate::lock::{LOCK, WriteLock, beside};
use crate::place::{Place, PlaceWarning, default_warnings, names, obstacle};
use crate::reader::Reader;
use crate::readers::{ReadConnection, Readers};
use crate::writer::Writer;
use crate::{check, migrate, place, readers, signing_key, still};

/// SQLite before this version has defects that WAL users met.
const OLDEST_SQLITE: i32 = 3_051_003;
/// Pages that a transaction may change before they are written ahead of its end: 312 MiB, what one submission
/// can hold. Content that is written in place would go to the log twice.
const SPILL_PAGES: u32 = 80_000;
/// Pages of the WAL before a commit also checkpoints: large batches of applies are up to 1.4 times
/// as fast as with the default of 1,000.
const CHECKPOINT_PAGES: u32 = 8_000;
/// A WAL that has grown is cut to this size, in bytes.
const WAL_LIMIT_BYTES: u32 = 64 * 1024 * 1024;
/// How long one statement waits for a foreign process that holds SQLite's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How often a waiting reader looks for writes of other processes.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How a store is opened.
#[derive(Clone)]
pub struct Options {
    /// The clock; the operating system's by default.
    pub clock: Arc<dyn Clock>,
    /// How long a caller waits for its turn before it is told that the store is busy.
    pub busy_deadline: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { clock: Arc::new(SystemClock), busy_deadline: Duration::from_secs(10) }
    }
}

/// A store in one SQLite file.
pub struct SqliteStore {
    place: Place,
    id: StoreId,
    format: u32,
    clock: Arc<dyn Clock>,
    writer: Writer,
    readers: Arc<Readers>,
}

/// What `doctor` asks SQLite and the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// What `PRAGMA integrity_check` found; empty when sound.
    pub integrity: Vec<String>,
    /// Rows that point nowhere, as table and row.
    pub foreign_keys: Vec<String>,
    /// Rows that contradict each other, each with a code that programs branch on.
    pub rows: Vec<(&'static str, String)>,
    /// Documents that are folders too, which only stores of earlier versions hold: no damage.
    pub both: Vec<check::Both>,
    /// What is wrong with the signing key.
    pub key: Option<String>,
    /// What a person should know, not damage.
    pub warnings: Vec<Warning>,
    /// Bytes of the store and of its WAL.
    pub bytes: (u64, u64),
}

impl SqliteStore {
    /// Creates a store where there is none. It has no room yet.
    ///
    /// # Errors
    /// `store.exists`, `store.foreign`, `store.read_only`, `store.full`, `store.io`.
    pub fn create(path: &Path, options: Options) -> Result<Self, StoreError> {
        Self::create_with(path, options, &|_| Ok(()))
    }

    /// Creates a store that begins with what `first` writes, in the transaction that makes it: there
    /// is no moment at which a crash would leave the one without the other.
    ///
    /// # Errors
    /// As [`SqliteStore::create`], and what `first` fails with.
    pub fn create_with(
        named: &Path,
        options: Options,
        first: &dyn Fn(&mut dyn Write) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        assert_version();
        if let Some(folder) = place::resolve(named)?.0.parent() {
            make_folder(folder)?;
        }
        let (path, _) = place::resolve(named)?;
        // Looked at before anything is made: a refusal leaves nothing beside what is there.
        vacant(&path)?;
        signing_key::vacant(&path)?;
        let began = [!path.exists(), !beside(&path, LOCK).exists()];
        {
            // Two that create at once take turns; the second one finds the store.
            let mut lock = WriteLock::new(&path);
            let _held = lock.hold_for(options.busy_deadline)?;
            if began[1] {
                make_private(&path);
            }
            let made = vacant(&path)
                .and_then(|()| signing_key::create(&path))
                .and_then(|public_key| make(&path, &public_key, &*options.clock, first));
            if let Err(error) = made {
                if !matches!(error.code, Code::StoreExists | Code::StoreForeign) {
                    clear(&path, began);
                }
                return Err(error);
            }
            // Opening tries again.
            let _ = signing_key::settle(&path);
        }
        Self::open(named, options).map_err(|error| {
            let shown = path.display();
            let made = format!("The store {shown} was made, but it could not be opened: {}", error.detail);
            StoreError::caused(error.code, made, error)
        })
    }

    /// Opens a store that is there. Where it cannot be written, it can still be read.
    ///
    /// # Errors
    /// `store.not_found`, `store.foreign`, `store.newer`, `store.damaged`, `store.io`; where its last
    /// writes cannot be read without writing, `store.read_only` and `store.full`.
    pub fn open(named: &Path, options: Options) -> Result<Self, StoreError> {
        assert_version();
        let place = Place::of(named)?;
        let path = place.path();
        let shown = path.display().to_string();
        if size(path) == 0 {
            return Err(StoreError::new(
                Code::StoreForeign,
                format!("{shown} is an empty file, not a store; sekali init can make one of it."),
            ));
        }
        let id = match connect(path) {
            Ok(conn) => {
                let version = version_of(&conn, &shown)?;
                if version < migrate::latest() {
                    upgrade(&conn, path, version, options.busy_deadline)?;
                }
                finish_creating(&conn, path);
                id_of(&conn)?
            }
            Err(error) => still::read(&place, error, &mut |conn| {
                let version = version_of(conn, &shown)?;
                if version < migrate::latest() {
                    let what = format!("{shown} is of an older format, and an upgrade must write.");
                    return Err(StoreError::new(Code::StoreReadOnly, what));
                }
                id_of(conn)
            })?,
        };
        let readers = Arc::new(Readers::default());
        let (clock, deadline) = (Arc::clone(&options.clock), options.busy_deadline);
        let writer = Writer::start(place.clone(), clock, deadline, Arc::clone(&readers));
        Ok(Self {
            place,
            id: StoreId::from_bytes(id),
            format: migrate::latest(),
            clock: options.clock,
            writer,
            readers,
        })
    }

    /// Where the store is.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// The store's id.
    pub fn id(&self) -> StoreId {
        self.id
    }

    /// The public half of the store's signing key.
    ///
    /// # Errors
    /// What reading the store fails with.
    pub fn public_key(&self) -> Result<[u8; 32], StoreError> {
        self.with_reader(|conn| {
            conn.query_row("SELECT public_key FROM store", [], |row| row.get(0)).doing("read the public key")
        })
    }

    /// Asks SQLite, the tables and the file system how the store is.
    ///
    /// # Errors
    /// What reading the store fails with.
    pub fn health(&self) -> Result<Health, StoreError> {
        let (integrity, foreign_keys) = self.with_reader(|conn| {
            let mut integrity: Vec<String> = conn
                .prepare("PRAGMA integrity_check(100)")
                .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
                .doing("check the store's integrity")?;
            integrity.retain(|line| line != "ok");
            let foreign_keys = conn
                .prepare("PRAGMA foreign_key_check")
                .and_then(|mut s| {
                    s.query_map([], |row| {
                        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
                        Ok(format!("{table} points to a missing {parent}"))
                    })?
                    .take(check::SHOWN)
                    .collect()
                })
                .doing("check the store's foreign keys")?;
            Ok((integrity, foreign_keys))
        })?;
        // What SQLite itself finds broken may not be readable to its end.
        let rows = match self.with_reader(check::rows) {
            Err(error) if !integrity.is_empty() => vec![(error.code.as_str(), error.to_string())],
            rows => rows?,
        };
        let both = match self.with_reader(check::both) {
            // It has been said already.
            Err(error) if error.code.kind() == Kind::Corrupt => Vec::new(),
            both => both?,
        };
        let mut warnings = self.warnings(size(&beside(self.path(), "-wal")));
        let key = match signing_key::check(self.path(), &self.public_key()?) {
            signing_key::Found::Sound => None,
            signing_key::Found::Unknown(detail) => {
                if !warnings.iter().any(|w| w.code == "signing_key") {
                    warnings.push(Warning { code: "signing_key", detail });
                }
                None
            }
            signing_key::Found::Wrong(detail) => Some(detail),
        };
        let bytes = (size(self.path()), size(&beside(self.path(), "-wal")));
        Ok(Health { integrity, foreign_keys, rows, both, key, warnings, bytes })
    }

    fn warnings(&self, wal_bytes: u64) -> Vec<Warning> {
        let mut warnings: Vec<Warning> = default_warnings(self.path())
            .into_iter()
            .map(|warning| match warning {
                PlaceWarning::NetworkFileSystem => Warning {
                    code: "network_file_system",
                    detail: "The store is on a network file system, where SQLite's locks are not safe; move it to a local disk.".to_owned(),
                },
                PlaceWarning::SyncFolder(name) => Warning {
                    code: "sync_folder",
                    detail: format!("The store is in a folder that {name} copies while it is written; move it out."),
                },
            })
            .collect();
        if let Some(detail) = signing_key::problem(self.path()) {
            warnings.push(Warning { code: "signing_key", detail });
        }
        if wal_bytes > 4 * u64::from(WAL_LIMIT_BYTES) {
            warnings.push(Warning {
                code: "wal_large",
                detail: format!(
                    "The write-ahead log has {wal_bytes} bytes; a reader may have been open for long."
                ),
            });
        }
        match obstacle(self.path()) {
            Some((Code::StoreFull, what)) => warnings.push(Warning {
                code: "disk_full",
                detail: format!("The store can be read but not written: {what}."),
            }),
            Some((_, what)) => warnings.push(Warning {
                code: "read_only",
                detail: format!("The store can be read but not written: {what}."),
            }),
            None => {}
        }
        let names = names(self.path());
        if names > 1 {
            warnings.push(Warning {
                code: "hard_linked",
                detail: format!(
                    "The store's file has {names} names (hard links); opened by two of them at once it would be damaged, because its lock and log go by the name. Keep one."
                ),
            });
        }
        warnings
    }

    fn snapshot(
        &self,
        conn: &Connection,
        job: &mut dyn FnMut(&dyn Read) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        readers::begin(conn, self.path())?;
        let answer = job(&Reader { conn, clock: &*self.clock });
        answer.and(readers::end(conn))
    }

    /// No commit is coming that would end the snapshots that are kept, so they are ended here. Asked after
    /// one was given back, and after a caller has left: whichever is later sees the other.
    fn nobody_writes(&self) {
        if !self.writer.has_callers() {
            self.readers.end_kept();
        }
    }

    fn with_reader<T>(
        &self,
        mut job: impl FnMut(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // What an old file says is no longer anyone's business.
        self.place.check().inspect_err(|_| self.readers.forget())?;
        let mut turn = self.readers.take();
        let mut reader = match turn.connection() {
            Some(reader) => reader,
            None => match connect(self.path()) {
                Ok(conn) => ReadConnection::new(conn)?,
                // Asked anew each time, so that a store which can be written again is, at once.
                Err(error) => return still::read(&self.place, error, &mut job),
            },
        };
        reader.end()?;
        let answer = job(&reader.conn);
        if reader.conn.is_autocommit() {
            turn.give_back(reader);
        }
        answer
    }
}

impl Store for SqliteStore {
    fn facts(&self) -> Result<StoreFacts, StoreError> {
        self.place.check()?;
        let wal_bytes = size(&beside(self.path(), "-wal"));
        Ok(StoreFacts {
            id: self.id,
            place: self.path().display().to_string(),
            format: self.format,
            driver: format!("SQLite {}", rusqlite::version()),
            wal_bytes,
            warnings: self.warnings(wal_bytes),
        })
    }

    fn read(&self, job: &mut dyn FnMut(&dyn Read) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.with_reader(|conn| self.snapshot(conn, job))
    }

    fn glance(&self, job: &mut dyn FnMut(&dyn Read) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let mut turn = self.readers.take();
        let Some(mut reader) = turn.connection() else {
            drop(turn);
            return self.read(job);
        };
        let commits = self.writer.committed();
        if !reader.shows(commits) {
            reader.end()?;
            self.place.check()?;
            reader.keep(self.path(), commits)?;
        }
        job(&Reader { conn: &reader.conn, clock: &*self.clock })?;
        turn.give_back(reader);
        drop(turn);
        self.nobody_writes();
        Ok(())
    }

    fn write(&self, job: Arc<Job>) -> Result<(), StoreError> {
        let answer = self.writer.submit(job);
        self.nobody_writes();
        answer
    }

    fn write_alone(&self, job: Arc<Job>) -> Option<Result<(), StoreError>> {
        let answer = self.writer.submit_alone(job);
        self.nobody_writes();
        answer
    }

    fn wait_for_change(&self, room: RoomKey, after: u64, timeout: Duration) -> Result<u64, StoreError> {
        let deadline = std::time::Instant::now() + timeout;
        loop {
            let seen = self.writer.committed();
            let mut change_seq = 0;
            self.read(&mut |tx| {
                change_seq = tx.head(room)?.change_seq;
                Ok(())
            })?;
            let now = std::time::Instant::now();
            if change_seq > after || now >= deadline {
                return Ok(change_seq);
            }
            self.writer.wait_for_commit(seen, LOOK_EVERY.min(deadline - now));
        }
    }
}

fn assert_version() {
    assert!(
        rusqlite::version_number() >= OLDEST_SQLITE,
        "SQLite {} is linked; 3.51.3 or newer is compiled in by the feature `bundled`",
        rusqlite::version()
    );
}

pub(crate) fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |meta| meta.len())
}

/// Opens a connection on a file that is there, with everything that a connection needs.
pub(crate) fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags)
        .and_then(|conn| {
            configure(&conn)?;
            // SQLite opens lazily: the log and its shared memory are met by the first read.
            conn.query_row("PRAGMA user_version", [], |_| Ok(()))?;
            Ok(conn)
        })
        .doing(&format!("open {}", path.display()))
        .map_err(|error| match error.code {
            Code::StoreIo | Code::StoreReadOnly | Code::StoreFull => match obstacle(path) {
                Some((code, what)) => {
                    StoreError::caused(code, format!("Could not open {}: {what}.", path.display()), error)
                }
                None => error,
            },
            _ => error,
        })
}

fn version_of(conn: &Connection, shown: &str) -> Result<u32, StoreError> {
    let (application, version) = migrate::identify(conn).doing(&format!("open {shown}"))?;
    migrate::accept(shown, application, version)?;
    Ok(version)
}

fn id_of(conn: &Connection) -> Result<[u8; 16], StoreError> {
    conn.query_row("SELECT id FROM store", [], |row| row.get(0)).doing("read the store's id")
}

pub(crate) fn configure(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.set_prepared_statement_cache_capacity(256);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // Without it, a statement whose parameters an index could weigh is compiled anew at every use.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    conn.execute_batch(&format!(
        "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL; PRAGMA cache_spill = {SPILL_PAGES};
         PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}; PRAGMA journal_size_limit = {WAL_LIMIT_BYTES};"
    ))
}
