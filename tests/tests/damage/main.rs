//! Damage is named, never taken for content: each kind of it is made in a real store with plain SQL,
//! and seen by `doctor`, by Apply and by whoever reads. Bytes are flipped in
//! `flipped`; what is kept of forms of change is in `forms`.

mod flipped;
mod forms;

use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, OnceLock};

use rusqlite::Connection;
use sekali_core::change::Submitted;
use sekali_core::decide::Outcome;
use sekali_core::role::Seen;
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{DocPath, Door, Lang};
use sekali_engine::{Caller, Engine, demo};
use sekali_store_sqlite::{Options, SqliteStore};
use sekali_tests::{Room, parse, text};

fn caller() -> Caller {
    let name = ActorName::parse("as", "Ani").expect("a plain name");
    Caller { name, door: Door::Cli, os_user: Some("ani".to_owned()) }
}

/// The bytes of the demo's store, which has rows of every kind but tiles.
fn demo_store() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("demo.db");
        let engine = Engine::new(Arc::new(SqliteStore::create(&path, Options::default()).expect("a store")));
        demo::build(&engine, &caller(), Lang::En, &mut |_, _| {}).expect("a demo");
        drop(engine);
        std::fs::read(&path).expect("nobody has it open")
    })
}

/// A store of 260 entries: one whole tile.
fn long_store() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("long.db");
        let engine = Engine::new(Arc::new(SqliteStore::create(&path, Options::default()).expect("a store")));
        engine.create_room(&caller(), "main", "Main").expect("a fresh store");
        for n in 0..260 {
            let number =
                engine.submit(&caller(), "main", put("n.txt", &format!("{n}\n"))).expect("a good one");
            let outcome =
                engine.apply(&caller(), "main", number.number, Seen::Nothing).expect("a good store");
            assert!(matches!(outcome, Outcome::Applied(_)));
        }
        drop(engine);
        std::fs::read(&path).expect("nobody has it open")
    })
}

fn put(path: &str, content: &str) -> Submission {
    let path = DocPath::parse("path", path).expect("a path");
    Submission::new("T", vec![Submitted::put(path, content)])
}

/// A copy of a store, changed by somebody who may write the file.
fn changed(bytes: &[u8], sql: &str) -> Room {
    let room = Room::nothing();
    std::fs::write(room.store(), bytes).expect("a temporary folder can be written");
    let conn = Connection::open(room.store()).expect("the file");
    conn.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;").expect("pragmas");
    for table in ["ledger_is_append_only", "applied_is_for_ever", "applied_effect_is_for_ever"] {
        conn.execute_batch(&format!("DROP TRIGGER {table}_update; DROP TRIGGER {table}_delete;"))
            .expect("triggers");
    }
    let before = conn.total_changes();
    conn.execute_batch(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    assert!(sql.is_empty() || conn.total_changes() > before, "{sql} changes something");
    room
}

/// The codes that `doctor` names, and its exit.
fn doctor(room: &Room) -> (Option<i32>, Vec<String>) {
    let out = room.run(&["doctor", "--json"]);
    let found = parse(&text(&out.stdout));
    let problems = found["problems"].as_array().expect("a list").iter();
    (out.status.code(), problems.map(|p| p["code"].as_str().expect("a code").to_owned()).collect())
}

#[test]
fn doctor_finds_nothing_in_a_sound_store() {
    for bytes in [demo_store(), long_store()] {
        assert_eq!(doctor(&changed(bytes, "")), (Some(0), Vec::new()));
    }
}

/// Codes, and what an outsider does for which `doctor` must name them.
const KINDS: &[(&str, &str)] = &[
    // Where a proposal stands.
    ("proposal.state", "DELETE FROM open WHERE proposal = (SELECT proposal FROM open LIMIT 1)"),
    ("proposal.state", "DELETE FROM closed"),
    ("proposal.state", "DELETE FROM applied WHERE seq = 1"),
    (
        "proposal.state",
        "INSERT INTO open SELECT room, proposal, revision, digest, NULL FROM applied WHERE seq = 1",
    ),
    ("head.counts", "DELETE FROM open WHERE proposal = (SELECT proposal FROM open LIMIT 1)"),
    ("head.counts", "UPDATE head SET open = open + 1 WHERE room = 1"),
    ("head.counts", "UPDATE head SET rejected = 0, withdrawn = withdrawn + rejected WHERE room = 1"),
    ("applied.count", "UPDATE head SET applied = applied - 1 WHERE room = 1"),
    ("head.last_number", "UPDATE head SET last_number = last_number + 1 WHERE room = 1"),
    ("head.last_at", "UPDATE head SET last_at = 0"),
    ("room.head", "DELETE FROM head"),
    (
        "open.digest",
        "UPDATE open SET digest = zeroblob(32) WHERE proposal = (SELECT max(proposal) FROM open)",
    ),
    ("open.valid_until", "UPDATE open SET valid_until = 1 WHERE proposal = (SELECT max(proposal) FROM open)"),
    ("revision.latest", "UPDATE open SET revision = revision - 1 WHERE revision > 1"),
    ("revision.missing", "UPDATE open SET revision = revision + 1"),
    ("revision.latest", "UPDATE closed SET digest = zeroblob(32)"),
    ("foreign_keys", "DELETE FROM proposal WHERE id = (SELECT proposal FROM applied LIMIT 1)"),
    ("proposal.missing", "INSERT INTO open VALUES (1, zeroblob(16), 1, zeroblob(32), NULL)"),
    // Columns of a receipt, one by one.
    ("ledger.rows", "UPDATE applied SET at = at + 1 WHERE seq = 3"),
    ("ledger.rows", "UPDATE applied SET door = 'mcp' WHERE seq = 3"),
    ("ledger.rows", "UPDATE applied SET seen = 'none' WHERE seq = 3"),
    ("ledger.rows", "UPDATE applied SET os_user = NULL WHERE seq = 3"),
    (
        "ledger.rows",
        "UPDATE applied SET actor = (SELECT id FROM actor WHERE kind = 'agent' LIMIT 1) WHERE seq = 3",
    ),
    ("ledger.rows", "UPDATE applied SET digest = zeroblob(32) WHERE seq = 3"),
    ("ledger.rows", "UPDATE applied SET revision = revision + 1 WHERE seq = 3"),
    ("ledger.twice", "UPDATE applied SET seq = 4 WHERE seq = 3"),
    ("ledger.missing", "UPDATE applied SET seq = 4 WHERE seq = 3"),
    ("ledger.missing", "UPDATE closed SET seq = 1"),
    ("ledger.rows", "UPDATE closed SET reason = 'x'"),
    ("ledger.rows", "UPDATE closed SET at = at - 1"),
    ("ledger.rows", "DELETE FROM actor WHERE id IN (SELECT actor FROM applied)"),
    ("ledger.rows", "UPDATE proposal SET correlation = 'x'"),
    ("revision.rows", "UPDATE effect_key SET key = key || 'x'"),
    ("applied.effect", "DELETE FROM applied_effect"),
    ("applied.effect", "UPDATE applied_effect SET generation = 1"),
    ("applied.effect", "INSERT INTO applied_effect SELECT 1, 'more', 0, proposal FROM applied WHERE seq = 1"),
    // The ledger.
    ("ledger.leaf", "UPDATE ledger SET entry = CAST(replace(entry, 'cli', 'mcp') AS BLOB) WHERE seq = 3"),
    ("ledger.chain", "UPDATE ledger SET leaf = zeroblob(32) WHERE seq = 3"),
    ("ledger.root", "UPDATE ledger SET leaf = zeroblob(32) WHERE seq = 12"),
    ("ledger.gap", "DELETE FROM ledger WHERE seq = 3"),
    ("ledger.beyond", "DELETE FROM ledger WHERE seq = 3"),
    ("ledger.cut", "DELETE FROM ledger WHERE seq > 9"),
    (
        "ledger.beyond",
        "INSERT INTO ledger (id, leaf, entry) SELECT id + 1, leaf, entry FROM ledger WHERE seq = 12",
    ),
    ("ledger.root", "UPDATE head SET prev = zeroblob(32) WHERE room = 1"),
    ("ledger.root", "UPDATE head SET frontier = zeroblob(length(frontier)) WHERE room = 1"),
    ("head", "UPDATE head SET frontier = X'' WHERE room = 1"),
    ("ledger.rows", "UPDATE ledger SET entry = X'7B' WHERE seq = 3"),
    // Documents and their history.
    ("document.missing", "DELETE FROM document WHERE path = (SELECT min(path) FROM document)"),
    ("document.version", "UPDATE document SET hash = zeroblob(32)"),
    ("document.version", "UPDATE document SET mode = '100755' WHERE mode = '100644'"),
    (
        "document.version",
        "UPDATE document SET (seq, ordinal) = (v.previous_seq, v.previous_ordinal) FROM history v
         WHERE v.room = document.room AND v.seq = document.seq AND v.ordinal = document.ordinal
           AND v.op = 'replace'",
    ),
    ("document.path_key", "UPDATE document SET path_key = path_key || 'x'"),
    ("document.departed", "DELETE FROM departed"),
    ("document.departed", "UPDATE departed SET path_key = path_key || 'x'"),
    ("version.missing", "DELETE FROM version WHERE seq = 3"),
    ("version.change", "UPDATE version SET revision = 9 WHERE seq = 3"),
    (
        "version.change",
        "INSERT INTO version SELECT room, seq, 99, proposal, revision, previous_seq, previous_ordinal
         FROM version WHERE seq = 3",
    ),
    ("version.chain", "UPDATE version SET previous_seq = NULL, previous_ordinal = NULL"),
    ("version.fork", "UPDATE version SET previous_seq = 1, previous_ordinal = 0 WHERE previous_seq NOT NULL"),
    ("change.base", "UPDATE change SET base_hash = zeroblob(32) WHERE base_hash NOT NULL"),
    // What was stopped.
    ("evidence.attempts", "UPDATE evidence SET count = count + 1"),
    ("evidence.attempts", "DELETE FROM attempt"),
    ("evidence.attempts", "DELETE FROM evidence"),
    ("evidence.attempts", "UPDATE attempt SET slot = slot + 100"),
    ("evidence.hours", "DELETE FROM evidence_hour"),
    ("evidence.row", "UPDATE evidence SET fingerprints = X'00'"),
    ("evidence.row", "UPDATE evidence SET other_content = count + 1"),
    ("submit_key.author", "UPDATE submit_key SET actor = zeroblob(16)"),
];

#[test]
fn doctor_names_each_kind_of_damage() {
    // Of an applied replacement, of a waiting proposal, of an old version.
    let applied = "(SELECT proposal FROM applied ORDER BY seq LIMIT 1)";
    let waiting = "(SELECT proposal FROM open ORDER BY proposal DESC LIMIT 1)";
    let old = "(SELECT proposal FROM history v WHERE hash NOT NULL AND EXISTS (SELECT 1 FROM version n
                 WHERE n.previous_seq = v.seq AND n.previous_ordinal = v.ordinal) LIMIT 1)";
    let (mut missed, mut untranslated) = (Vec::new(), Vec::new());
    let mut check = |code: &str, sql: &str| {
        let room = changed(demo_store(), sql);
        let (exit, codes) = doctor(&room);
        untranslated.extend(left_in_english(&room).map(|line| format!("{sql}: {line}")));
        if exit != Some(4) || !codes.iter().any(|c| c == code) {
            missed.push(format!("{code}: {sql}: exit {exit:?}, {codes:?}"));
        }
    };
    let flip = "content = CAST('x' || substr(content, 2) AS BLOB)";
    for whose in [applied, waiting, old] {
        check("content.commitment", &format!("UPDATE content SET {flip} WHERE proposal = {whose}"));
        check(
            "content.commitment",
            &format!("UPDATE content SET salt = zeroblob(32) WHERE proposal = {whose}"),
        );
        check("content.missing", &format!("DELETE FROM content WHERE proposal = {whose}"));
        check(
            "revision.digest",
            &format!("UPDATE revision SET digest = zeroblob(32) WHERE proposal = {whose}"),
        );
        check(
            "revision.digest",
            &format!(
                "UPDATE revision SET canonical = CAST('x' || canonical AS BLOB) WHERE proposal = {whose}"
            ),
        );
        check("revision.missing", &format!("DELETE FROM revision WHERE proposal = {whose}"));
        check("proposal.missing", &format!("DELETE FROM proposal WHERE id = {whose}"));
        for what in ["title = title || 'x'", "why = why || 'x'", "valid_until = 1"] {
            check("revision.rows", &format!("UPDATE revision SET {what} WHERE proposal = {whose}"));
        }
        for what in [
            "path = path || 'x'",
            "after_mode = '100755'",
            "after_commitment = zeroblob(32)",
            "op = 'delete'",
        ] {
            check("revision.rows", &format!("UPDATE change SET {what} WHERE proposal = {whose}"));
        }
        for what in ["after_hash = zeroblob(32)", "after_bytes = after_bytes + 1"] {
            check(
                "content.commitment",
                &format!("UPDATE change SET {what} WHERE after_hash NOT NULL AND proposal = {whose}"),
            );
        }
        check(
            "change.path_key",
            &format!("UPDATE change SET path_key = path_key || 'x' WHERE proposal = {whose}"),
        );
        check("revision.touches", &format!("UPDATE revision SET added = added + 1 WHERE proposal = {whose}"));
        check(
            "revision.touches",
            &format!("UPDATE change SET removed = removed + 1 WHERE proposal = {whose}"),
        );
    }
    for (code, sql) in KINDS {
        check(code, sql);
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(untranslated.is_empty(), "{}", untranslated.join("\n"));
}

/// The lines of damage that `doctor` does not say in Indonesian. What SQLite finds is quoted.
fn left_in_english(room: &Room) -> impl Iterator<Item = String> {
    let told = text(&room.run(&["doctor", "--lang", "id"]).stdout);
    let lines: Vec<String> =
        told.lines().filter(|line| line.starts_with("  rusak")).map(str::to_owned).collect();
    assert!(!lines.is_empty(), "{told}");
    lines.into_iter().filter(|line| {
        let words = ["Room ", " the ", " is ", " not ", "ditemukan kerusakan"];
        let prose: String = line.split('"').step_by(2).collect();
        words.iter().any(|word| prose.contains(word)) && !line.ends_with("(integrity)")
    })
}

#[test]
fn doctor_names_a_tile_that_is_not_what_lies_below_it() {
    for sql in [
        "DELETE FROM tile",
        "UPDATE tile SET root = zeroblob(32)",
        "UPDATE tile SET hashes = zeroblob(8192)",
        "INSERT INTO tile SELECT room, level, 7, root, hashes FROM tile",
    ] {
        let room = changed(long_store(), sql);
        let (exit, codes) = doctor(&room);
        assert_eq!(left_in_english(&room).collect::<Vec<_>>(), Vec::<String>::new());
        assert_eq!(exit, Some(4), "{sql}");
        assert!(!codes.is_empty() && codes.iter().all(|code| code == "ledger.tile"), "{sql}: {codes:?}");
    }
}

#[test]
fn doctor_looks_into_the_signing_key() {
    let room = Room::new();
    let key = room.path().join("sekali.db.key");
    let good = std::fs::read(&key).expect("a key");
    let check = |exit: i32, what: &str| {
        let out = room.run(&["doctor", "--json"]);
        assert_eq!(out.status.code(), Some(exit), "{what}: {}", text(&out.stdout));
        let found = parse(&text(&out.stdout));
        let named =
            |list: &str| found[list].as_array().expect("a list").iter().any(|f| f["code"] == "signing_key");
        assert_eq!(
            (named("problems"), named("warnings")),
            (exit == 4, exit == 0 && what != "sound"),
            "{what}"
        );
    };
    check(0, "sound");
    let other = Room::new();
    std::fs::copy(other.path().join("sekali.db.key"), &key).expect("a copy");
    check(4, "that of another store");
    std::fs::write(&key, "no key").expect("a file");
    check(4, "no key");
    std::fs::write(&key, good).expect("a file");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).expect("the file is ours");
    check(0, "readable by others");
    std::fs::remove_file(&key).expect("the file is ours");
    check(0, "missing");
}

/// What a fixed statement cannot meet in a sound store is damage, not a defect of ours.
#[test]
fn a_statement_that_cannot_run_is_damage() {
    for (sql, args) in [
        ("DROP TABLE attempt; DELETE FROM evidence", ["show", "1", "--diff"]),
        ("DROP TABLE departed; DELETE FROM attempt", ["doc", "log", "nothing.txt"]),
        // The next number is one that a proposal has.
        ("UPDATE head SET last_number = 1", ["propose", "", ""]),
        // Two entries of one number.
        ("UPDATE head SET size = 8, frontier = substr(frontier, 1, 32)", ["apply", "24", "--yes"]),
    ] {
        let room = changed(demo_store(), sql);
        let args: Vec<&str> = if args[0] == "propose" {
            vec!["propose", "--title", "T", "--put", "new.txt=-"]
        } else {
            args.to_vec()
        };
        let (exit, problem) = room.refused(&args);
        assert_eq!((exit, problem["code"].as_str()), (4, Some("store.damaged")), "{sql}: {problem}");
        assert_eq!(doctor(&room).0, Some(4), "{sql}");
    }
}

/// P6: what was done is not called a failure because the look at it failed, and is not done twice.
#[test]
fn what_is_done_but_cannot_be_shown_is_said_to_be_done() {
    let check = |sql: &str, args: &[&str], look: &str, undo: &str, is_done: &dyn Fn(&Room) -> bool| {
        let room = changed(demo_store(), sql);
        let (exit, problem) = room.refused(args);
        assert_eq!(
            (exit, problem["code"].as_str()),
            (3, Some("store.outcome_unknown")),
            "{args:?}: {problem}"
        );
        assert!(problem["detail"].as_str().is_some_and(|d| d.starts_with("It was done")), "{problem}");
        assert!(problem["hint"].as_str().is_some_and(|h| h.contains(look)), "{problem}");
        Connection::open(room.store()).and_then(|conn| conn.execute_batch(undo)).expect("the file");
        assert!(is_done(&room), "{args:?}");
    };
    check(
        "ALTER TABLE attempt RENAME TO gone; DELETE FROM evidence_hour",
        &["reject", "24", "--reason", "r"],
        "sekali show 24",
        "ALTER TABLE gone RENAME TO attempt",
        &|room| room.json(&["show", "24"])["state"] == "rejected",
    );
    check(
        "ALTER TABLE open RENAME TO gone; DELETE FROM evidence_hour",
        &["room", "add", "gudang"],
        "sekali room show gudang",
        "ALTER TABLE gone RENAME TO open",
        &|room| room.json(&["room", "show", "gudang"])["slug"] == "gudang",
    );
}

/// What has changed below Sekali since it was proposed is not applied, whoever has seen its digest.
#[test]
fn what_rots_while_it_waits_is_not_applied() {
    for (sql, named) in [
        (
            "UPDATE content SET content = CAST('TWO' AS BLOB) WHERE proposal = (SELECT proposal FROM open)",
            "a.txt",
        ),
        ("UPDATE content SET salt = zeroblob(32) WHERE proposal = (SELECT proposal FROM open)", "a.txt"),
        ("DELETE FROM content WHERE proposal = (SELECT proposal FROM open)", "a.txt"),
        ("UPDATE change SET after_hash = zeroblob(32) WHERE proposal = (SELECT proposal FROM open)", "a.txt"),
        (
            "UPDATE change SET path = 'b.txt', path_key = 'b.txt' WHERE proposal = (SELECT proposal FROM open)",
            "",
        ),
        ("UPDATE effect_key SET key = 'x' WHERE proposal = (SELECT proposal FROM open)", ""),
    ] {
        let room = Room::new();
        room.propose("a.txt", "one\n");
        room.good(&["apply", "1", "--yes"]);
        let file = room.file("c", "two\n");
        let put = format!("a.txt={}", file.display());
        let proposed = room.json(&["propose", "--title", "T", "--effect-key", "e", "--put", &put]);
        let digest = proposed["digest"].as_str().expect("a digest").to_owned();
        Connection::open(room.store())
            .and_then(|conn| conn.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")))
            .expect("an outsider can write");
        let dump = |room: &Room| (room.ledger(), room.json(&["room", "show"])["counts"].clone());
        let before = dump(&room);
        for press in [vec!["apply", "2", "--yes"], vec!["apply", "2", "--digest", &digest]] {
            let (exit, problem) = room.refused(&press);
            assert_eq!((exit, problem["code"].as_str()), (4, Some("store.damaged")), "{sql}");
            assert!(problem["detail"].as_str().is_some_and(|d| d.contains(named)), "{sql}: {problem}");
        }
        assert_eq!(dump(&room), before, "nothing was written");
        assert_eq!(room.good(&["doc", "cat", "a.txt"]), "one\n");
    }
}

/// Bytes that are not what was committed to are given to nobody.
#[test]
fn what_rots_later_is_not_given_out() {
    let room = Room::new();
    room.propose("a.txt", "one\n");
    room.good(&["apply", "1", "--yes"]);
    room.propose("a.txt", "two\n");
    room.good(&["apply", "2", "--yes"]);
    Connection::open(room.store())
        .and_then(|conn| {
            conn.execute_batch("UPDATE content SET content = CAST('ONE' || char(10) AS BLOB) WHERE rowid = 1")
        })
        .expect("an outsider can write");
    let refused = |args: &[&str]| {
        let (exit, problem) = room.refused(args);
        assert_eq!((exit, problem["code"].as_str()), (4, Some("store.damaged")), "{args:?}");
    };
    assert_eq!(room.good(&["doc", "cat", "a.txt"]), "two\n", "what is sound is given");
    refused(&["doc", "cat", "a.txt", "--version", "1.0"]);
    refused(&["show", "1", "--diff"]);
    refused(&["show", "2", "--diff"]);
    let out = room.path().join("out");
    refused(&["ledger", "export", "--out", &out.to_string_lossy(), "--content"]);
    assert_eq!(std::fs::read_dir(&out).map_or(0, Iterator::count), 0, "nothing that looks like an export");
    Connection::open(room.store())
        .and_then(|conn| {
            conn.execute_batch("UPDATE content SET content = CAST('TWO' AS BLOB) WHERE rowid = 2")
        })
        .expect("an outsider can write");
    refused(&["doc", "cat", "a.txt"]);
    refused(&["doc", "export", &room.path().join("docs").to_string_lossy()]);
    let file = room.file("c", "three\n");
    refused(&["propose", "--title", "T", "--put", &format!("a.txt={}", file.display())]);
}
