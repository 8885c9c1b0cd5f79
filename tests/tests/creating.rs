//! `init`: whatever line it is killed at, it can be repeated; what it refuses it leaves as it was,
//! with nothing beside it; and a store has one lock, whichever name it is called by.

use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use sekali_tests::{Room, sekali_with_faults, text};

/// What is in the folder, by name.
fn files(room: &Room) -> Vec<String> {
    let entries = std::fs::read_dir(room.path()).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_killed_init_can_be_repeated() {
    for (point, whole) in [("create.before", false), ("create.after", true)] {
        let room = Room::nothing();
        let out = room
            .command_of(&sekali_with_faults(), &["init"])
            .env("SEKALI_FAULT", format!("{point}:kill"))
            .output()
            .expect("the binary starts");
        assert_eq!(out.status.signal(), Some(9), "{point}: {out:?}");
        if whole {
            // The store and its room were made at once, so it says that they are there.
            let (exit, problem) = room.refused(&["init"]);
            assert_eq!((exit, problem["code"].as_str()), (1, Some("store.exists")), "{point}");
        } else {
            room.good(&["init"]);
        }
        room.propose("a.txt", "one\n");
        assert_eq!(room.json(&["apply", "1", "--yes"])["outcome"], "applied", "{point}");
        let whole = ["content", "sekali.db", "sekali.db.key", "sekali.db.lock", "sekali.db.turn"];
        assert_eq!(files(&room), whole, "{point}");
        let found = room.json(&["doctor"]);
        assert_eq!(
            (&found["problems"], &found["warnings"]),
            (&serde_json::json!([]), &serde_json::json!([])),
            "{point}"
        );
        let mode = rusqlite::Connection::open(room.store())
            .and_then(|conn| conn.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0)));
        assert_eq!(mode.expect("a store"), "wal", "{point}");
    }
}

/// A creation that was killed in the middle of its commit leaves a file that SQLite rolls back.
#[test]
fn a_half_committed_creation_is_rolled_back_and_repeated() {
    let room = Room::nothing();
    let conn = rusqlite::Connection::open(room.store()).expect("a file");
    conn.execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(200000));")
        .expect("what was spilled before the commit");
    conn.cache_flush().expect("pages are in the file, their journal beside it");
    // As after a crash: the files stay, the locks go.
    let (db, journal) = (room.store(), room.path().join("sekali.db-journal"));
    for (from, to) in [(&db, "db"), (&journal, "journal")] {
        let to = room.path().join(to);
        assert!(Command::new("cp").arg(from).arg(to).status().expect("cp is there").success());
    }
    drop(conn);
    std::fs::rename(room.path().join("db"), &db).expect("the file is ours");
    std::fs::rename(room.path().join("journal"), &journal).expect("the file is ours");
    assert!(std::fs::metadata(&db).is_ok_and(|meta| meta.len() > 0));
    room.good(&["init"]);
    room.sound();
}

#[test]
fn what_is_refused_has_nothing_beside_it_and_is_not_waited_for() {
    let check = |make: &dyn Fn(&Room), code: &str| {
        let room = Room::nothing();
        make(&room);
        let before = files(&room);
        for order in ["init", "list"] {
            let mut child = room
                .command(&[order, "--json"])
                .stderr(std::process::Stdio::piped())
                .spawn()
                .expect("the binary starts");
            let begun = Instant::now();
            while child.try_wait().expect("it is ours").is_none() {
                if begun.elapsed() > Duration::from_mins(1) {
                    child.kill().expect("it runs");
                    panic!("{order} waits for {before:?}");
                }
                // `Child` waits for ever or not at all.
                std::thread::sleep(Duration::from_millis(5));
            }
            let out = child.wait_with_output().expect("it has ended");
            if order == "init" || code == "store.foreign" {
                assert!(text(&out.stderr).contains(code), "{order}: {out:?}");
            }
            assert_eq!(files(&room), before, "{order} leaves nothing");
        }
    };
    check(&|room| std::fs::create_dir(room.store()).expect("a folder"), "store.foreign");
    check(
        &|room| {
            assert!(Command::new("mkfifo").arg(room.store()).status().expect("mkfifo is there").success());
            assert!(std::fs::metadata(room.store()).expect("a pipe").file_type().is_fifo());
        },
        "store.foreign",
    );
    check(
        &|room| drop(std::os::unix::net::UnixListener::bind(room.store()).expect("a socket")),
        "store.foreign",
    );
    check(&|room| symlink("/dev/null", room.store()).expect("a link"), "store.foreign");
    check(&|room| std::fs::write(room.store(), "something else").expect("a file"), "store.exists");
    check(
        &|room| std::fs::write(room.path().join("sekali.db.key"), "a key").expect("a file"),
        "store.exists",
    );
}

#[test]
fn a_link_and_its_store_share_one_lock_and_one_key() {
    let room = Room::new();
    let other = tempfile::tempdir().expect("a temporary folder");
    let link = other.path().join("link.db");
    symlink(room.store(), &link).expect("a link");
    room.propose("a.txt", "one\n");
    // Whoever holds the store's own lock is seen through the link.
    let lock = std::fs::File::options().write(true).open(room.path().join("sekali.db.lock")).expect("a lock");
    lock.lock().expect("it is free");
    let shown = link.to_string_lossy();
    assert_eq!(room.json(&["doctor", "--store", &shown])["locked"], true);
    lock.unlock().expect("it was held");
    assert_eq!(room.json(&["apply", "1", "--yes", "--store", &shown])["outcome"], "applied");
    let found = room.json(&["doctor", "--store", &shown]);
    assert_eq!((&found["problems"], &found["warnings"]), (&serde_json::json!([]), &serde_json::json!([])));
    let left: Vec<_> = std::fs::read_dir(other.path()).expect("the folder").collect();
    assert_eq!(left.len(), 1, "nothing stands beside the link: {left:?}");
    // The files beside the store are never content, by whichever name the store is called.
    let put = format!("k={}", room.path().join("sekali.db.key").display());
    let (exit, _) = room.refused(&["propose", "--title", "T", "--put", &put, "--store", &shown]);
    assert_ne!(exit, 0);
    // A store may be made where a link leads.
    let fresh = other.path().join("fresh.db");
    symlink(room.path().join("fresh.db"), &fresh).expect("a link");
    room.good(&["init", "--store", &fresh.to_string_lossy()]);
    assert!(room.path().join("fresh.db.key").exists() && !other.path().join("fresh.db.key").exists());
}

#[test]
fn a_store_with_two_names_is_warned_about() {
    let room = Room::new();
    std::fs::hard_link(room.store(), room.path().join("second.db")).expect("one file system");
    let out = room.run(&["doctor", "--json"]);
    assert!(out.status.success(), "{out:?}");
    assert!(text(&out.stdout).contains("hard_linked"), "{out:?}");
    for (lang, word) in [("en", "2 names (hard links)"), ("id", "tautan keras")] {
        assert!(room.good(&["doctor", "--lang", lang]).contains(word), "{lang}");
    }
}
