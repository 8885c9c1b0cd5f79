//! Creating and opening: what is there is never overwritten, what is not a store is left alone, and
//! a file that moves while it is open is noticed before anything is acknowledged into nowhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use sekali_core::{Code, DocPath, Mode, Op, RoomId, Timestamp};
use sekali_store::{Store, StoreError, Verdict, VersionKey, read, write};
use sekali_store_sqlite::{Options, SqliteStore};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sekali.db");
    (folder, path)
}

fn code<T>(result: Result<T, StoreError>) -> Option<Code> {
    result.err().map(|e| e.code)
}

fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, Options::default())
}

fn create(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::create(path, Options::default())
}

fn add_room(store: &dyn Store, slug: &'static str) -> Result<(), StoreError> {
    let id = RoomId::from_bytes([slug.len().to_le_bytes()[0]; 16]);
    write(store, move |tx| {
        tx.create_room(id, slug, "T", Timestamp::from_ms(1))?;
        Ok((Verdict::Keep, ()))
    })
}

fn rooms(store: &dyn Store) -> usize {
    read(store, |tx| tx.rooms()).expect("a good store").len()
}

#[test]
fn create_and_open_differ() {
    let (_folder, path) = folder();
    assert_eq!(code(open(&path)), Some(Code::StoreNotFound));
    assert!(!path.exists(), "opening never creates");
    drop(create(&path).unwrap());
    assert_eq!(code(create(&path)), Some(Code::StoreExists));
    let store = open(&path).unwrap();
    assert_eq!(rooms(&store), 0);
}

/// A store as the first release of the schema made it, with one document and its content.
fn make_format_1(path: &Path) {
    let conn = Connection::open(path).expect("a fresh file");
    conn.execute_batch(include_str!("../../../migrations/sqlite/0001_rooms.sql")).expect("the schema");
    conn.execute_batch(
        "PRAGMA journal_mode = WAL;
         INSERT INTO store (one, id, public_key, created_at) VALUES (1, zeroblob(16), zeroblob(32), 1);
         INSERT INTO room (room, id, slug, title, created_at) VALUES (1, zeroblob(16), 'toko', 'Toko', 1);
         INSERT INTO head VALUES (1, 0, X'', zeroblob(32), 1, 0, 0, 0, 0, 0, 0);
         INSERT INTO document VALUES (1, 'readme', 'README', 7, 2, zeroblob(32), '100644', zeroblob(32), 3, 4, 1, zeroblob(32));
         INSERT INTO actor VALUES (1, zeroblob(16), 'person', 'ani', 'maintainer', 1);
         INSERT INTO proposal VALUES (1, zeroblob(16), 1, zeroblob(16), 'cli', 1, NULL);
         INSERT INTO revision VALUES (1, zeroblob(16), 1, zeroblob(32), 'T', 'W', zeroblob(16), NULL, 1, 1, 1, 1,
           zeroblob(32), X'7B7D');
         INSERT INTO change VALUES (1, zeroblob(16), 1, 0, 'replace', 'README', 'readme', NULL, NULL,
           zeroblob(32), '100644', zeroblob(32), 2, zeroblob(32), '100755', zeroblob(32), 3, 1, 1, 0, NULL);
         INSERT INTO version VALUES (1, 2, 0, 'replace', 'README', NULL, zeroblob(16), 1, zeroblob(32), '100755',
           zeroblob(32), 3, 1, 0);
         INSERT INTO change VALUES (1, zeroblob(16), 1, 1, 'delete', 'Gone', 'gone', NULL, NULL,
           zeroblob(32), '100644', zeroblob(32), 2, NULL, NULL, NULL, NULL, 0, 1, 0, NULL);
         INSERT INTO version VALUES (1, 2, 1, 'delete', 'Gone', NULL, zeroblob(16), 1, NULL, NULL, NULL, NULL, 1, 0),
           (1, 4, 1, 'delete', 'Gone', NULL, zeroblob(16), 1, NULL, NULL, NULL, NULL, 1, 0);
         INSERT INTO departed VALUES (1, 'gone', 4, 1);
         INSERT INTO ledger VALUES (1, 1, zeroblob(32), X'31'), (1, 2, zeroblob(32), X'32'), (2, 1, zeroblob(32), X'33');
         PRAGMA application_id = 0x53454B41; PRAGMA user_version = 1;",
    )
    .expect("rows that fit");
}

#[test]
fn a_store_of_an_older_format_is_brought_up_to_date_with_what_it_holds() {
    let (_folder, path) = folder();
    make_format_1(&path);
    // Several at once: one upgrades, the others find it done.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(rooms(&open(&path).unwrap()), 1));
        }
    });
    let store = open(&path).unwrap();
    let key = read(&store, |tx| tx.rooms()).unwrap()[0].key;
    let documents = read(&store, |tx| tx.documents(key, None, 10)).unwrap();
    assert_eq!(documents.len(), 1);
    assert_eq!(
        (documents[0].path.as_str(), documents[0].version.seq, documents[0].content.bytes),
        ("README", 7, 3)
    );
    assert_eq!(store.facts().unwrap().format, 7);
    let entries = read(&store, |tx| tx.entries(key, 0, 10)).unwrap();
    let entries: Vec<_> = entries.into_iter().map(|entry| (entry.seq, entry.bytes)).collect();
    assert_eq!(entries, [(1, b"1".to_vec()), (2, b"2".to_vec())], "of this room, in order, byte for byte");
    let version = read(&store, |tx| tx.version(key, VersionKey { seq: 2, ordinal: 0 })).unwrap().unwrap();
    assert_eq!((version.op, version.path.as_str(), version.revision), (Op::Replace, "README", 1));
    assert_eq!(version.content.map(|c| (c.mode, c.bytes)), Some((Mode::Executable, 3)));
    assert_eq!(version.previous, Some(VersionKey { seq: 1, ordinal: 0 }));
    // Of what left a path the last was remembered, and is each now.
    let gone = DocPath::parse("path", "gone").unwrap();
    let departed = |before| read(&store, |tx| tx.departed(key, &gone, before)).unwrap();
    let (last, first) = (VersionKey { seq: 4, ordinal: 1 }, VersionKey { seq: 2, ordinal: 1 });
    assert_eq!(
        (departed(None), departed(Some(last)), departed(Some(first))),
        (Some(last), Some(first), None)
    );
    add_room(&store, "gudang").unwrap();
    drop(store);
    let columns = |path: &Path| -> Vec<String> {
        let conn = Connection::open(path).unwrap();
        let mut columns = conn
            .prepare("SELECT m.name || '.' || i.name || ' ' || i.type FROM sqlite_schema m, pragma_table_info(m.name) i ORDER BY 1")
            .unwrap();
        columns.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let (_fresh_folder, fresh) = self::folder();
    drop(create(&fresh).unwrap());
    assert_eq!(columns(&path), columns(&fresh), "an upgraded store is as a fresh one");
}

#[test]
fn what_is_not_a_store_is_left_byte_identical() {
    let (_folder, path) = folder();
    let check = |bytes: &[u8], expected: Code| {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(code(open(&path)), Some(expected));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        assert!(!path.with_extension("db-wal").exists());
    };
    check(b"", Code::StoreForeign);
    check(
        b"not a database at all, but long enough to be looked at by SQLite as a header.............",
        Code::StoreForeign,
    );
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs (a)").unwrap();
    let theirs = std::fs::read(&path).unwrap();
    assert_eq!(code(open(&path)), Some(Code::StoreForeign));
    assert_eq!(std::fs::read(&path).unwrap(), theirs);
    assert_eq!(code(create(&path)), Some(Code::StoreExists));
    assert_eq!(std::fs::read(&path).unwrap(), theirs);
    let directory = path.with_extension("d");
    std::fs::create_dir(&directory).unwrap();
    assert_eq!(code(open(&directory)), Some(Code::StoreForeign));
}

#[test]
fn a_newer_store_is_refused_and_unchanged() {
    let (_folder, path) = folder();
    drop(create(&path).unwrap());
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(conn);
    let before = std::fs::read(&path).unwrap();
    assert_eq!(code(open(&path)), Some(Code::StoreNewer));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_damaged_store_says_so() {
    let (_folder, path) = folder();
    let store = create(&path).unwrap();
    add_room(&store, "main").unwrap();
    drop(store);
    Connection::open(&path).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    // Everything but the header: the schema and the rows.
    bytes[100..].fill(0x5A);
    std::fs::write(&path, &bytes).unwrap();
    let found = open(&path).map(|store| read(&store, |tx| tx.rooms()));
    let code = match found {
        Err(error) | Ok(Err(error)) => error.code,
        Ok(Ok(rooms)) => panic!("a damaged store gave {rooms:?}"),
    };
    assert_eq!(code, Code::StoreDamaged);
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "never renamed, never mended behind one's back");
}

#[test]
fn an_empty_file_can_become_a_store() {
    let (_folder, path) = folder();
    std::fs::write(&path, b"").unwrap();
    assert_eq!(rooms(&create(&path).unwrap()), 0);
}

#[cfg(unix)]
#[test]
fn the_signing_key_is_private_and_never_overwritten() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_folder, path) = folder();
    let store = create(&path).unwrap();
    let key = path.with_extension("db.key");
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let pem = std::fs::read_to_string(&key).unwrap();
    assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    assert_ne!(store.public_key().unwrap(), [0; 32]);
    drop(store);
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    assert_eq!(code(create(&path)), Some(Code::StoreExists), "a key without its store is not replaced");
    assert_eq!(std::fs::read_to_string(&key).unwrap(), pem);
}

#[test]
fn a_moved_or_replaced_store_takes_nothing_and_recovers() {
    let (folder, path) = folder();
    let store = create(&path).unwrap();
    add_room(&store, "a").unwrap();
    let away = folder.path().join("away.db");
    std::fs::rename(&path, &away).unwrap();
    assert_eq!(code(add_room(&store, "bb")), Some(Code::StoreMoved));
    assert_eq!(code(read(&store, |tx| tx.rooms())), Some(Code::StoreMoved));
    // Nor is a refusal given out of what a file says that is no longer the store.
    let refused = write(&store, |tx| {
        tx.create_room(RoomId::from_bytes([9; 16]), "bb", "T", Timestamp::from_ms(1))?;
        Ok((Verdict::Undo, ()))
    });
    assert_eq!(code(refused), Some(Code::StoreMoved));
    // Another file in its place is not it.
    let other = folder.path().join("other.db");
    drop(create(&other).unwrap());
    std::fs::rename(&other, &path).unwrap();
    assert_eq!(code(add_room(&store, "bb")), Some(Code::StoreMoved));
    std::fs::remove_file(&path).unwrap();
    // Back at its place it goes on, and holds only what was acknowledged.
    std::fs::rename(&away, &path).unwrap();
    assert_eq!(rooms(&store), 1);
    add_room(&store, "ccc").unwrap();
    assert_eq!(rooms(&store), 2);
    assert!(store.health().unwrap().integrity.is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_has_moved_the_store() {
    use std::os::unix::fs::symlink;
    let (folder, path) = folder();
    drop(create(&path).unwrap());
    let link = folder.path().join("link.db");
    symlink(&path, &link).unwrap();
    let store = open(&link).unwrap();
    assert_eq!(store.path(), path.canonicalize().unwrap(), "its files are beside where it is");
    add_room(&store, "a").unwrap();
    let other = folder.path().join("other.db");
    drop(create(&other).unwrap());
    std::fs::remove_file(&link).unwrap();
    symlink(&other, &link).unwrap();
    assert_eq!(code(add_room(&store, "bb")), Some(Code::StoreMoved));
    std::fs::remove_file(&link).unwrap();
    symlink(&path, &link).unwrap();
    add_room(&store, "bb").unwrap();
    assert_eq!(rooms(&open(&path).unwrap()), 2);
    // Links that lead in a circle are an error, not a loop.
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    symlink(&two, &one).unwrap();
    symlink(&one, &two).unwrap();
    assert!(open(&one).is_err());
}

/// What a store begins with is made with it, or neither is.
#[test]
fn what_a_store_begins_with_is_made_with_it() {
    let (_folder, path) = folder();
    let made = SqliteStore::create_with(&path, Options::default(), &|_| {
        Err(StoreError::new(Code::StoreFull, "no more"))
    });
    assert_eq!(code(made), Some(Code::StoreFull));
    let left = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(left, 0, "nothing is left of it");
    let store = SqliteStore::create_with(&path, Options::default(), &|tx| {
        tx.create_room(RoomId::from_bytes([1; 16]), "main", "T", Timestamp::from_ms(1)).map(drop)
    })
    .unwrap();
    assert_eq!(rooms(&store), 1);
}

#[test]
fn a_foreign_lock_is_busy_and_not_forever() {
    let (_folder, path) = folder();
    drop(create(&path).unwrap());
    let options = Options { busy_deadline: Duration::from_millis(200), ..Options::default() };
    let store = Arc::new(SqliteStore::open(&path, options).unwrap());
    add_room(&*store, "a").unwrap();
    // A process that waits its turn behind another one, which never ends.
    let lock = std::fs::File::options().write(true).open(path.with_extension("db.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(code(add_room(&*store, "bb")), Some(Code::StoreBusy));
    assert_eq!(rooms(&*store), 1, "readers go on");
    lock.unlock().unwrap();
    add_room(&*store, "ccc").unwrap();
    assert_eq!(rooms(&*store), 2, "what was told to be busy was not begun");
}

#[test]
fn a_store_is_closed_while_another_process_keeps_the_lock() {
    let (_folder, path) = folder();
    drop(create(&path).unwrap());
    let options = Options { busy_deadline: Duration::from_millis(50), ..Options::default() };
    let store = SqliteStore::open(&path, options.clone()).unwrap();
    let lock = std::fs::File::options().write(true).open(path.with_extension("db.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(code(add_room(&store, "a")), Some(Code::StoreBusy));
    // Its writer still waits for the lock, which never comes.
    drop(store);
    let store = SqliteStore::open(&path, options).unwrap();
    assert_eq!(rooms(&store), 0);
}

#[test]
fn an_upgrade_and_a_creation_wait_for_the_lock_not_for_ever() {
    let (_folder, path) = folder();
    make_format_1(&path);
    let lock_path = path.with_extension("db.lock");
    let lock = std::fs::File::options().create(true).truncate(false).write(true).open(&lock_path).unwrap();
    lock.lock().unwrap();
    let options = Options { busy_deadline: Duration::from_millis(50), ..Options::default() };
    assert_eq!(code(SqliteStore::open(&path, options.clone())), Some(Code::StoreBusy));
    lock.unlock().unwrap();
    assert_eq!(rooms(&SqliteStore::open(&path, options.clone()).unwrap()), 1);

    let (_other_folder, fresh) = self::folder();
    let lock_path = fresh.with_extension("db.lock");
    let lock = std::fs::File::options().create(true).truncate(false).write(true).open(&lock_path).unwrap();
    lock.lock().unwrap();
    assert_eq!(code(SqliteStore::create(&fresh, options)), Some(Code::StoreBusy));
    assert!(!fresh.exists());
}

#[test]
fn a_store_that_a_newer_sekali_upgrades_while_it_is_open_is_used_no_more() {
    let (_folder, path) = folder();
    let store = create(&path).unwrap();
    add_room(&store, "a").unwrap();
    let room = read(&store, |tx| tx.rooms()).unwrap()[0].key;
    let newer = Connection::open(&path).unwrap();
    newer.execute_batch("PRAGMA user_version = 9999").unwrap();
    assert_eq!(code(add_room(&store, "bb")), Some(Code::StoreNewer));
    assert_eq!(code(read(&store, |tx| tx.head(room))), Some(Code::StoreNewer));
    newer.execute_batch("ALTER TABLE head RENAME COLUMN size TO entries").unwrap();
    assert_eq!(code(read(&store, |tx| tx.head(room))), Some(Code::StoreNewer), "no damage");
}

#[test]
fn news_of_another_process_arrive() {
    let (_folder, path) = folder();
    let (one, two) = (create(&path).unwrap(), open(&path).unwrap());
    add_room(&one, "a").unwrap();
    let room = read(&one, |tx| tx.rooms()).unwrap()[0].key;
    let seen = read(&one, |tx| tx.head(room)).unwrap().change_seq;
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| one.wait_for_change(room, seen, Duration::from_secs(20)));
        write(&two, move |tx| {
            tx.next_number(room)?;
            Ok((Verdict::Keep, ()))
        })
        .unwrap();
        assert!(waiting.join().unwrap().unwrap() > seen);
    });
    let now = read(&one, |tx| tx.head(room)).unwrap().change_seq;
    assert_eq!(one.wait_for_change(room, now, Duration::from_millis(10)).unwrap(), now);
}

#[test]
fn the_ledger_and_the_claims_cannot_be_rewritten() {
    let (_folder, path) = folder();
    drop(create(&path).unwrap());
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(
        "PRAGMA foreign_keys = OFF;
         INSERT INTO ledger (id, leaf, entry) VALUES (1 << 40 | 1, X'00', X'00');
         INSERT INTO applied (room, proposal, seq, revision, digest, at, actor, door, seen)
           VALUES (1, X'00', 1, 1, X'00', 0, X'00', 'cli', 'none');
         INSERT INTO applied_effect (room, key, generation, proposal) VALUES (1, 'k', 0, X'00');",
    )
    .unwrap();
    for (table, column) in [("ledger", "leaf"), ("applied", "door"), ("applied_effect", "key")] {
        assert!(conn.execute(&format!("UPDATE {table} SET {column} = {column}"), []).is_err(), "{table}");
        assert!(conn.execute(&format!("DELETE FROM {table}"), []).is_err(), "{table}");
    }
}

/// What is in a store is its owner's alone from the first byte on; what others have been given stays theirs.
#[test]
#[cfg(unix)]
fn a_new_store_is_its_owners_alone_and_an_older_one_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let modes = |path: &Path| -> Vec<(String, u32)> {
        let suffixes = ["", "-wal", "-shm", ".lock", ".key"];
        let named = suffixes.map(|suffix| PathBuf::from(format!("{}{suffix}", path.display())));
        let meta = named.iter().zip(suffixes).map(|(file, suffix)| (suffix, std::fs::metadata(file)));
        meta.map(|(suffix, meta)| (suffix.to_owned(), meta.expect(suffix).permissions().mode() & 0o777))
            .collect()
    };
    let check = |path: &Path, made: &dyn Fn(&Path)| {
        made(path);
        let store = open(path).expect("it was made");
        add_room(&store, "toko").expect("it can be written");
        for (suffix, mode) in modes(path) {
            assert_eq!(mode, 0o600, "STORE{suffix}");
        }
    };
    let (folder, path) = folder();
    check(&path, &|path| drop(create(path).expect("a fresh folder")));
    // Every character that means something where the mode is asked for.
    check(&folder.path().join("a b?c#d%41é&e=f.db"), &|path| drop(create(path).expect("a fresh folder")));
    check(&folder.path().join("whole.db"), &|path| {
        SqliteStore::create_whole(path, Options::default(), |_| Ok::<_, StoreError>(()))
            .expect("a fresh folder");
    });

    // Shared by whoever owns it; opening and writing leave that alone.
    for suffix in ["", ".lock"] {
        let file = format!("{}{suffix}", path.display());
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o664)).expect("it is ours");
    }
    let store = open(&path).expect("it is there");
    add_room(&store, "gudang").expect("it can be written");
    let shared = modes(&path);
    assert!(shared[..4].iter().all(|(_, mode)| *mode == 0o664), "{shared:?}");
}
