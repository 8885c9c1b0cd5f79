//! Creating and opening a store. Opening never creates; creating never opens what is there.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use sekali_core::{Code, StoreId, Timestamp};
use sekali_store::{Clock, Job, Read, RoomKey, Store, StoreError, StoreFacts, SystemClock, Warning};
use uuid::Uuid;

use crate::error::Doing as _;
use crate::lock::{WriteLock, beside};
use crate::place::{Place, PlaceWarning, default_warnings};
use crate::reader::Reader;
use crate::writer::Writer;
use crate::{migrate, place, signing_key};

/// SQLite before this version has defects that WAL users met.
const OLDEST_SQLITE: i32 = 3_051_003;
/// Pages of the WAL before a commit also checkpoints: large batches of applies are up to 1.4 times
/// as fast as with the default of 1,000.
const CHECKPOINT_PAGES: u32 = 8_000;
/// A WAL that has grown is cut to this size, in bytes.
const WAL_LIMIT_BYTES: u32 = 64 * 1024 * 1024;
/// How long one statement waits for a foreign process that holds SQLite's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Read connections. Further readers wait for one: opening another would parse the schema anew, and
/// hundreds of them would only take turns on the processors.
const READERS: usize = 16;
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
    readers: Readers,
}

/// What `doctor` asks SQLite and the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// What `PRAGMA integrity_check` found; empty when sound.
    pub integrity: Vec<String>,
    /// Rows that point nowhere, as table and row.
    pub foreign_keys: Vec<String>,
    /// What a person should know, not damage.
    pub warnings: Vec<Warning>,
    /// Bytes of the store and of its WAL.
    pub bytes: (u64, u64),
}

impl SqliteStore {
    /// Creates a store where there is none. It has no room yet.
    ///
    /// # Errors
    /// `store.exists`, `store.read_only`, `store.full`, `store.io`.
    pub fn create(path: &Path, options: Options) -> Result<Self, StoreError> {
        assert_version();
        let path = absolute(path)?;
        make_folder(&path)?;
        {
            // Two that create at once take turns; the second one finds the store.
            let mut lock = WriteLock::new(&path);
            let _held = lock.hold()?;
            free(&path)?;
            let public_key = signing_key::create(&path)?;
            if let Err(error) = make(&path, &public_key, options.clock.wall()) {
                signing_key::discard(&path);
                return Err(error);
            }
        }
        Self::open(&path, options)
    }

    /// Opens a store that is there.
    ///
    /// # Errors
    /// `store.not_found`, `store.foreign`, `store.newer`, `store.damaged`, `store.io`.
    pub fn open(path: &Path, options: Options) -> Result<Self, StoreError> {
        assert_version();
        let path = absolute(path)?;
        let place = Place::of(&path)?;
        let shown = path.display().to_string();
        let meta = std::fs::metadata(&path).map_err(|e| place::missing(&path, e))?;
        if meta.is_dir() {
            return Err(StoreError::new(Code::StoreForeign, format!("{shown} is a folder.")));
        }
        if meta.len() == 0 {
            return Err(StoreError::new(
                Code::StoreForeign,
                format!("{shown} is an empty file, not a store; sekali init can make one of it."),
            ));
        }
        let conn = connect(&path)?;
        let (application, version) = migrate::identify(&conn).doing(&format!("open {shown}"))?;
        migrate::accept(&shown, application, version)?;
        if version < migrate::latest() {
            upgrade(&conn, &path, version)?;
        }
        let id: [u8; 16] =
            conn.query_row("SELECT id FROM store", [], |row| row.get(0)).doing("read the store's id")?;
        drop(conn);
        let writer = Writer::start(place.clone(), Arc::clone(&options.clock), options.busy_deadline);
        Ok(Self {
            place,
            id: StoreId::from_bytes(id),
            format: migrate::latest(),
            clock: options.clock,
            writer,
            readers: Readers::default(),
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

    /// Asks SQLite and the file system how the store is.
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
                    .collect()
                })
                .doing("check the store's foreign keys")?;
            Ok((integrity, foreign_keys))
        })?;
        let bytes = (size(self.path()), size(&beside(self.path(), "-wal")));
        Ok(Health { integrity, foreign_keys, warnings: self.warnings(bytes.1), bytes })
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
        if std::fs::metadata(self.path()).is_ok_and(|meta| meta.permissions().readonly()) {
            warnings.push(Warning {
                code: "read_only",
                detail: "The store's file is marked read-only.".to_owned(),
            });
        }
        warnings
    }

    fn with_reader<T>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // What an old file says is no longer anyone's business.
        self.place.check().inspect_err(|_| self.readers.forget())?;
        let mut turn = self.readers.take();
        let conn = if let Some(conn) = turn.idle.take() {
            conn
        } else {
            let conn = connect(self.path())?;
            conn.execute_batch("PRAGMA query_only = ON").doing("prepare a reader")?;
            conn
        };
        let answer = job(&conn);
        if conn.is_autocommit() {
            turn.readers.give_back(conn);
        }
        answer
    }
}

/// The read connections: idle ones, and how many are in use.
#[derive(Default)]
struct Readers {
    state: Mutex<(Vec<Connection>, usize)>,
    freed: Condvar,
}

/// The right to use one read connection, until dropped.
struct Turn<'a> {
    readers: &'a Readers,
    idle: Option<Connection>,
}

impl Readers {
    fn lock(&self) -> std::sync::MutexGuard<'_, (Vec<Connection>, usize)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Turn<'_> {
        let mut state = self.lock();
        while state.1 >= READERS {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.1 += 1;
        Turn { readers: self, idle: state.0.pop() }
    }

    fn give_back(&self, conn: Connection) {
        self.lock().0.push(conn);
    }

    fn forget(&self) {
        self.lock().0.clear();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.readers.lock().1 -= 1;
        self.readers.freed.notify_one();
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
        self.with_reader(|conn| {
            conn.prepare_cached("BEGIN").and_then(|mut s| s.execute([])).doing("begin reading")?;
            let answer = job(&Reader { conn, clock: &*self.clock });
            let ended = conn.prepare_cached("ROLLBACK").and_then(|mut s| s.execute([])).doing("end reading");
            answer.and(ended.map(drop))
        })
    }

    fn write(&self, job: Arc<Job>) -> Result<(), StoreError> {
        self.writer.submit(job)
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

/// Makes the folder that a store will be in.
pub(crate) fn make_folder(store: &Path) -> Result<(), StoreError> {
    let Some(folder) = store.parent() else { return Ok(()) };
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

/// Refuses a place where something is. An empty file holds nothing: what a crash of an earlier
/// creation leaves.
pub(crate) fn free(path: &Path) -> Result<(), StoreError> {
    if std::fs::metadata(path).is_ok_and(|meta| meta.len() > 0) {
        let detail = format!("There is a file at {} already.", path.display());
        return Err(StoreError::new(Code::StoreExists, detail));
    }
    Ok(())
}

/// What SQLite keeps beside a store while that is open. The last connection that closes in order
/// takes them away.
pub(crate) fn of_open_store(store: &Path) -> [PathBuf; 3] {
    ["-wal", "-shm", "-journal"].map(|suffix| beside(store, suffix))
}

pub(crate) fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path).map_err(|e| {
        StoreError::caused(Code::StoreIo, format!("{} is not a usable path.", path.display()), e)
    })
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |meta| meta.len())
}

/// Opens a connection on a file that is there, with everything that a connection needs.
pub(crate) fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).doing(&format!("open {}", path.display()))?;
    configure(&conn).doing(&format!("open {}", path.display()))?;
    Ok(conn)
}

fn configure(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.set_prepared_statement_cache_capacity(256);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // Without it, a statement whose parameters an index could weigh is compiled anew at every use.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    conn.execute_batch(&format!(
        "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL;
         PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}; PRAGMA journal_size_limit = {WAL_LIMIT_BYTES};"
    ))
}

/// Writes the schema and the store's row in one transaction, so that a crash leaves an empty file.
fn make(path: &Path, public_key: &[u8; 32], at: Timestamp) -> Result<(), StoreError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let shown = path.display();
    let conn = Connection::open_with_flags(path, flags).doing(&format!("create {shown}"))?;
    configure(&conn).doing(&format!("create {shown}"))?;
    let written = conn.execute_batch("BEGIN IMMEDIATE").doing(&format!("create {shown}")).and_then(|()| {
        migrate::migrate(&conn, 0)?;
        let id = Uuid::now_v7();
        conn.execute(
            "INSERT INTO store (one, id, public_key, created_at) VALUES (1, ?1, ?2, ?3)",
            (id.as_bytes(), public_key, at.ms()),
        )
        .doing("write the store's row")?;
        conn.execute_batch("COMMIT").doing("commit the new store")
    });
    written.and_then(|()| {
        let mode: String = conn
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .doing("turn on the write-ahead log")?;
        if mode == "wal" {
            return Ok(());
        }
        Err(StoreError::new(
            Code::StoreIo,
            format!("{shown} is on a file system that cannot hold a write-ahead log."),
        ))
    })
}

/// Runs the migrations that an older store lacks.
fn upgrade(conn: &Connection, path: &Path, from: u32) -> Result<(), StoreError> {
    let mut lock = WriteLock::new(path);
    let _held = lock.hold()?;
    conn.execute_batch("BEGIN IMMEDIATE").doing("upgrade the store")?;
    // Another process may have done it while this one waited.
    let (_, now) = migrate::identify(conn).doing("upgrade the store")?;
    let done = migrate::migrate(conn, from.max(now));
    match done {
        Ok(()) => conn.execute_batch("COMMIT").doing("upgrade the store"),
        Err(error) => {
            let _ = conn.execute_batch("ROLLBACK");
            Err(error)
        }
    }
}
