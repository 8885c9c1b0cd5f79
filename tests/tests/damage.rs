//! Damage is named, never taken for content: each kind of it is made in a real store with plain SQL or
//! with flipped bytes, and seen by `doctor`, by Apply and by whoever reads.

use std::os::unix::fs::PermissionsExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusqlite::Connection;
use sekali_core::change::Submitted;
use sekali_core::code::Kind;
use sekali_core::decide::{Outcome, Standing};
use sekali_core::hash::Digest;
use sekali_core::role::{Seen, State};
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{Code, DocPath, Door, Lang};
use sekali_engine::export::Options as Export;
use sekali_engine::{Caller, Engine, demo};
use sekali_store::{Store, StoreError, read};
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
    Submission {
        title: "T".to_owned(),
        why: String::new(),
        key: None,
        effect_keys: Vec::new(),
        valid_until: None,
        correlation: None,
        changes: vec![Submitted::Put {
            path: DocPath::parse("path", path).expect("a path"),
            content: content.into(),
            base: None,
            mode: None,
        }],
    }
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
    ("ledger.beyond", "INSERT INTO ledger SELECT room, 13, leaf, entry FROM ledger WHERE seq = 12"),
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
        "UPDATE document SET (seq, ordinal) = (v.previous_seq, v.previous_ordinal) FROM version v
         WHERE v.room = document.room AND v.seq = document.seq AND v.ordinal = document.ordinal
           AND v.op = 'replace'",
    ),
    ("document.path_key", "UPDATE document SET path_key = path_key || 'x'"),
    ("document.departed", "DELETE FROM departed"),
    ("document.departed", "UPDATE departed SET path_key = path_key || 'x'"),
    ("version.missing", "DELETE FROM version WHERE seq = 3"),
    ("version.change", "UPDATE version SET hash = zeroblob(32) WHERE seq = 3"),
    (
        "version.change",
        "INSERT INTO version SELECT room, seq, 99, op, path, from_path, proposal, revision, hash,
                          mode, commitment, bytes, previous_seq, previous_ordinal FROM version WHERE seq = 3",
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
    let old = "(SELECT proposal FROM version v WHERE hash NOT NULL AND EXISTS (SELECT 1 FROM version n
                 WHERE n.previous_seq = v.seq AND n.previous_ordinal = v.ordinal) LIMIT 1)";
    let mut missed = Vec::new();
    let mut check = |code: &str, sql: &str| {
        let (exit, codes) = doctor(&changed(demo_store(), sql));
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
}

#[test]
fn doctor_names_a_tile_that_is_not_what_lies_below_it() {
    for sql in [
        "DELETE FROM tile",
        "UPDATE tile SET root = zeroblob(32)",
        "UPDATE tile SET hashes = zeroblob(8192)",
        "INSERT INTO tile SELECT room, level, 7, root, hashes FROM tile",
    ] {
        let (exit, codes) = doctor(&changed(long_store(), sql));
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

/// What the sound store says, against which the answers of damaged ones are held.
struct Truth {
    /// Number, digest, and where it stands: `Some(seq)` for applied.
    proposals: Vec<(u64, Digest, State, Option<u64>)>,
    /// What each document holds.
    documents: Vec<(DocPath, Vec<u8>)>,
}

fn truth() -> &'static Truth {
    static TRUTH: OnceLock<Truth> = OnceLock::new();
    TRUTH.get_or_init(|| {
        let room = changed(demo_store(), "");
        let store = SqliteStore::open(&room.store(), Options::default()).expect("a store");
        let engine = Engine::new(Arc::new(store));
        let rows = engine.list(&caller(), demo::ROOM, None, None, 200).expect("a list");
        let key = engine.room(demo::ROOM).expect("a room").key;
        let proposals = rows.iter().map(|row| {
            let standing = read(engine.store(), |tx| tx.standing(key, row.id)).expect("a state");
            let seq = match standing {
                Some(Standing::Applied(facts)) => Some(facts.seq),
                _ => None,
            };
            (row.number, row.digest, row.state, seq)
        });
        let documents = engine.documents(&caller(), demo::ROOM, None, 200).expect("documents");
        let documents = documents.into_iter().map(|view| {
            let path = view.row.path;
            let content = engine.document(&caller(), demo::ROOM, &path, None).expect("content").1;
            (path, content)
        });
        Truth { proposals: proposals.collect(), documents: documents.collect() }
    })
}

/// An error of a damaged store: whatever it says, it is not a defect of ours.
fn told(what: &str, code: Code) {
    assert_ne!(code.kind(), Kind::Bug, "{what}: {code}");
}

/// Uses a store in every way, and believes nothing.
fn used(path: &Path, out: &Path) {
    let truth = truth();
    let store = match SqliteStore::open(
        path,
        Options { busy_deadline: Duration::from_secs(5), ..Options::default() },
    ) {
        Ok(store) => Arc::new(store),
        Err(error) => return told("open", error.code),
    };
    let engine = Engine::new(Arc::clone(&store) as Arc<dyn Store>);
    let ani = caller();
    match engine.list(&ani, demo::ROOM, None, None, 200) {
        Ok(_) => {}
        Err(failure) => told("list", failure.code()),
    }
    for (number, digest, state, seq) in &truth.proposals {
        if let Err(failure) = engine.view(&ani, demo::ROOM, *number) {
            told("view", failure.code());
        }
        if let Err(failure) = engine.diff(&ani, demo::ROOM, *number, None) {
            told("diff", failure.code());
        }
        let what = format!("apply #{number}");
        match engine.apply(&ani, demo::ROOM, *number, Seen::Digest(*digest)) {
            Ok(Outcome::Applied(receipt)) => {
                assert_eq!((*state, receipt.facts().digest), (State::Waiting, *digest), "{what}");
                made(&engine, *number, &what);
            }
            Ok(Outcome::Replayed(receipt, _)) => {
                assert_eq!(*state, State::Applied, "{what}");
                assert_eq!(receipt.facts().digest, *digest, "{what}");
                assert_eq!(Some(receipt.facts().seq), *seq, "{what}");
            }
            Ok(Outcome::Refused(refusal)) => told(&what, refusal.code),
            Err(error) => told(&what, error.code),
        }
    }
    match engine.submit(&ani, demo::ROOM, put("new.txt", "new\n")) {
        Ok(_) => {}
        Err(failure) => told("submit", failure.code()),
    }
    for (path, content) in &truth.documents {
        match engine.document(&ani, demo::ROOM, path, None) {
            // The presses above have changed some; what is given is what somebody proposed.
            Ok((row, bytes)) => {
                let sound =
                    row.content.as_ref().is_some_and(|v| sekali_core::ContentHash::of(&bytes) == v.hash);
                assert!(sound || bytes == *content, "{path}");
            }
            Err(failure) => told("document", failure.code()),
        }
    }
    let options = Export { out: out.to_owned(), jsonl: true, csv: true, content: true };
    if let Err(failure) = engine.export(&ani, demo::ROOM, &options, &mut |_, _| {}) {
        told("export", failure.code());
    }
    match store.health() {
        Ok(_) => {}
        Err(error) => told("health", error.code),
    }
    if let Err(failure) = engine.check(&mut |_, _| {}) {
        told("check", failure.code());
    }
}

/// Paths, and what is there afterwards.
type Documents = Vec<(DocPath, Option<Vec<u8>>)>;

/// What was just told to be applied is there: its documents hold what it proposed.
fn made(engine: &Engine, number: u64, what: &str) {
    static WANTED: OnceLock<Vec<(u64, Documents)>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let room = changed(demo_store(), "");
        let store = SqliteStore::open(&room.store(), Options::default()).expect("a store");
        let key = read(&store, |tx| tx.rooms()).expect("rooms")[0].key;
        let waiting = truth().proposals.iter().filter(|(_, _, state, _)| *state == State::Waiting);
        let of = |number: u64| {
            read(&store, |tx| {
                let (proposal, open) = tx.proposal_with_open(key, number)?.expect("it waits");
                let revision = open.expect("it waits").open.revision;
                let changes = tx.changes(key, proposal.id, revision)?;
                let mut documents = Vec::new();
                for (ordinal, row) in (0u32..).zip(changes) {
                    let content = tx.content(key, proposal.id, revision, ordinal)?;
                    documents.push((row.change.path, content.map(|c| c.content)));
                }
                Ok::<_, StoreError>(documents)
            })
            .expect("a sound store")
        };
        waiting.map(|(number, ..)| (*number, of(*number))).collect()
    });
    let (_, documents) = wanted.iter().find(|(n, _)| *n == number).expect("it waited");
    for (path, content) in documents {
        match (engine.document(&caller(), demo::ROOM, path, None), content) {
            (Ok((_, bytes)), Some(content)) => assert!(bytes == *content, "{what}: {path}"),
            (Ok(_), None) => panic!("{what}: {path} was to go and is there"),
            (Err(failure), _) => told(what, failure.code()),
        }
    }
}

/// A generator that gives the same positions every time (splitmix64).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Runs a use of a store in a thread of its own, so that a panic is caught and a hang is noticed.
fn watched(what: &str, path: PathBuf, out: PathBuf) {
    let (done, ended) = channel();
    std::thread::spawn(move || {
        let used = catch_unwind(AssertUnwindSafe(|| used(&path, &out)));
        let _ = done.send(used.map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
        }));
    });
    match ended.recv_timeout(Duration::from_mins(2)) {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => panic!("{what}: {panic}"),
        Err(late) => panic!("{what}: it hangs ({late})"),
    }
}

/// Bytes are flipped, or whole stretches zeroed or filled, at seeded places of a real store: what is
/// used afterwards fails as damage or answers rightly; it never panics, hangs or calls it a defect.
#[test]
fn flipped_bytes_are_damage_and_never_a_defect() {
    const PLACES: u64 = 240;
    let sound = demo_store();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut state = 20_261_130;
    let mut unchanged = 0;
    for place in 0..PLACES {
        let mut bytes = sound.to_vec();
        let at = usize::try_from(next(&mut state) % bytes.len() as u64).expect("a position");
        let page = at / 4096 * 4096;
        // A bit, a byte, the header and pointers of a page, a sector, a page.
        let what = match place % 7 {
            0 => {
                bytes[at] ^= 1 << (next(&mut state) % 8);
                "a bit"
            }
            1 => {
                bytes[at] ^= 0xFF;
                "a byte"
            }
            2 => {
                let at = page + usize::try_from(next(&mut state) % 64).expect("small");
                bytes[at] ^= 0xFF;
                "a byte of a page's header"
            }
            3 => {
                let end = (at + 64).min(bytes.len());
                bytes[at..end].fill(0);
                "64 zeros"
            }
            4 => {
                // Names and types of the schema, which is read before anything else.
                let made: Vec<usize> =
                    sound.windows(7).enumerate().filter(|(_, w)| w == b"CREATE ").map(|(i, _)| i).collect();
                let near = usize::try_from(next(&mut state) % 60).expect("small");
                bytes[made[at % made.len()] + near] ^= 0x02;
                "a letter of the schema"
            }
            5 => {
                bytes[at / 512 * 512..][..512].fill(0);
                "a sector of zeros"
            }
            _ => {
                bytes[page..page + 4096].fill(if next(&mut state).is_multiple_of(2) { 0 } else { 0x5A });
                "a page"
            }
        };
        if bytes == sound {
            unchanged += 1;
        }
        let path = folder.path().join(format!("{place}.db"));
        std::fs::write(&path, &bytes).expect("a temporary folder can be written");
        watched(
            &format!("{what} at {at} (place {place})"),
            path.clone(),
            folder.path().join(format!("{place}.out")),
        );
        let _ = std::fs::remove_file(path);
    }
    assert!(unchanged < PLACES / 4, "the places are damaged: {unchanged} are not");
}

/// The same by the binary, as people meet it: an exit that says something, and no panic.
#[test]
fn the_binary_survives_a_damaged_store() {
    let sound = demo_store();
    let mut state = 7;
    for place in 0..24 {
        let mut bytes = sound.to_vec();
        let at = usize::try_from(next(&mut state) % (bytes.len() as u64 / 4096)).expect("a page") * 4096;
        // Past the file's own header, without which it is no database at all.
        let from = at + if at == 0 { 100 } else { 0 };
        bytes[from..from + 200].fill(if place % 2 == 0 { 0 } else { 0xA5 });
        let room = Room::nothing();
        std::fs::write(room.store(), &bytes).expect("a temporary folder can be written");
        let out = room.path().join("out");
        let out = out.to_string_lossy();
        for args in [
            vec!["list"],
            vec!["show", "1", "--diff"],
            vec!["apply", "1", "--yes"],
            vec!["apply", "25", "--yes"],
            vec!["ledger", "export", "--out", &out],
            vec!["doctor"],
        ] {
            let done = room.run(&args);
            let exit = done.status.code();
            assert!(matches!(exit, Some(0 | 1 | 3 | 4)), "page at {at}, {args:?}: {done:?}");
            assert!(!text(&done.stderr).contains("panicked"), "page at {at}, {args:?}: {done:?}");
        }
    }
}
