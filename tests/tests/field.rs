//! Field reports: what really went wrong for others, as tests; those about applying text and JSON in
//! `field_changes.rs`. Those that another test already holds are named there (B-01, B-29, B-38, B-90 in
//! crates/api; B-80 in `processes.rs`).

use std::sync::Arc;
use std::time::Duration;

use sekali_core::change::Submitted;
use sekali_core::decide::Outcome;
use sekali_core::role::Seen;
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{Code, DocPath, Door, Timestamp};
use sekali_engine::{Caller, Engine};
use sekali_store::Clock;
use sekali_store_sqlite::{Options, SqliteStore};
use sekali_tests::{Room, number, repository, sekali_with_faults, string};

/// B-32: a refused operation stays what it is: the same state, the same refusal.
#[test]
fn b32_the_same_refusal_again() {
    let room = Room::new();
    room.propose("a.txt", "one\n");
    room.good(&["apply", "1", "--yes"]);
    room.propose("a.txt", "two\n");
    room.propose("a.txt", "three\n");
    room.good(&["apply", "2", "--yes"]);
    let before = room.ledger();
    let (exit, first) = room.refused(&["apply", "3", "--yes"]);
    let (_, second) = room.refused(&["apply", "3", "--yes"]);
    assert_eq!((exit, first["code"].as_str()), (1, Some("proposal.stale")));
    assert_eq!(first, second);
    assert_eq!(first["moved"][0]["by"]["proposal"], 2);
    assert_eq!(room.ledger(), before);
    assert_eq!(room.json(&["show", "3"])["state"], "waiting");
}

/// B-33: a server that died between claim and commit leaves no claim behind.
#[test]
fn b33_killed_between_claim_and_commit_it_works_once_more() {
    let room = Room::new();
    room.propose("a.txt", "one\n");
    for point in ["apply.claimed", "commit.before"] {
        let out = room
            .command_of(&sekali_with_faults(), &["apply", "1", "--yes", "--json"])
            .env("SEKALI_FAULT", format!("{point}:kill"))
            .output()
            .expect("the binary starts");
        assert!(!out.status.success());
        assert_eq!(room.json(&["show", "1"])["state"], "waiting");
    }
    assert_eq!(room.json(&["apply", "1", "--yes"])["outcome"], "applied");
    assert_eq!(room.json(&["apply", "1", "--yes"])["outcome"], "replayed");
}

/// B-38: what was approved is what runs.
#[test]
fn b38_a_proposal_that_changes_while_it_is_read_is_not_applied() {
    let room = Room::new();
    room.good(&["member", "add", "agent:drafting"]);
    let file = room.file("c", "seen\n");
    let put = format!("a.txt={}", file.display());
    let proposed = room.json(&["propose", "--as", "agent:drafting", "--title", "T", "--put", &put]);
    let seen = string(&proposed, "digest");
    room.file("c", "unseen\n");
    let revised = room.json(&["revise", "1", "--as", "agent:drafting", "--title", "T", "--put", &put]);
    let (exit, problem) = room.refused(&["apply", "1", "--digest", &seen]);
    assert_eq!((exit, problem["code"].as_str()), (1, Some("proposal.changed")));
    assert_eq!(problem["digest"], revised["digest"]);
    assert_eq!(room.ledger().len(), 0);
    // And an agent never applies, whatever it has seen.
    let (exit, problem) =
        room.refused(&["apply", "1", "--as", "agent:drafting", "--digest", &string(&revised, "digest")]);
    assert_eq!((exit, problem["code"].as_str()), (1, Some("actor.denied")));
    assert_eq!(room.json(&["apply", "1", "--digest", &string(&revised, "digest")])["revision"], 2);
}

/// B-72: a decomposed name from another system is the same document.
#[test]
fn b72_a_decomposed_name_is_the_same_document() {
    let room = Room::new();
    room.propose("café.md", "one\n");
    room.good(&["apply", "1", "--yes"]);
    room.propose("cafe\u{301}.md", "two\n");
    room.good(&["apply", "2", "--yes"]);
    let list = room.json(&["doc", "list"]);
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(list["items"][0]["path"], "café.md", "stored as it was first written");
    assert_eq!(room.good(&["doc", "cat", "CAFÉ.md"]), "two\n");
}

/// B-82: the window cannot send SQL; every write is one transaction of the one writer.
#[test]
fn b82_nothing_above_the_store_knows_sql() {
    for part in [
        "crates/core/src",
        "crates/store/src",
        "crates/engine/src",
        "crates/api/src",
        "crates/cli/src",
        "src-tauri/src",
        "ui/src",
    ] {
        let mut folders = vec![repository().join(part)];
        let mut read = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(content) = std::fs::read_to_string(&path) {
                    read += 1;
                    for sql in ["INSERT INTO", "DELETE FROM", "BEGIN IMMEDIATE", "SELECT * FROM"] {
                        assert!(!content.contains(sql), "{} has {sql}", path.display());
                    }
                }
            }
        }
        assert!(read > 0, "{part} was read");
    }
}

/// A clock that gives fractions below a millisecond no chance, and can be set.
struct Set(std::sync::atomic::AtomicI64);

impl Clock for Set {
    fn wall(&self) -> Timestamp {
        Timestamp::from_ms(self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
    }
}

/// B-91: what is hashed is the stored text; a thousand real entries verify after a restart.
#[test]
fn b91_a_thousand_entries_verify_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.db");
    let at: Timestamp = "2026-11-30T14:02:11.123456789Z".parse().expect("a time");
    let options = Options { clock: Arc::new(Set(at.ms().into())), busy_deadline: Duration::from_mins(1) };
    let name = ActorName::parse("as", "Ani").expect("a plain name");
    let caller = Caller { name, door: Door::Cli, os_user: Some("ani".to_owned()) };
    {
        let engine = Engine::new(Arc::new(SqliteStore::create(&path, options).expect("a fresh folder")));
        engine.create_room(&caller, "main", "Main").expect("a fresh store");
        for n in 0..1_000 {
            let path = DocPath::parse("path", "n.txt").expect("a path");
            let submission =
                Submission::new(format!("Set {n}"), vec![Submitted::put(path, format!("{n}\n"))]);
            let number = engine.submit(&caller, "main", submission).expect("a good one").number;
            let outcome = engine.apply(&caller, "main", number, Seen::Nothing).expect("a good store");
            assert!(matches!(outcome, Outcome::Applied(_)));
        }
    }
    let engine = Engine::new(Arc::new(SqliteStore::open(&path, Options::default()).expect("a store")));
    let report = engine.check(&mut |_, _| {}).expect("a good store");
    assert_eq!((report.entries, report.problems), (1_000, Vec::new()));
    // It can fail: one byte of one entry, changed below Sekali, is found.
    let conn = rusqlite::Connection::open(&path).expect("the file");
    conn.execute_batch(
        "DROP TRIGGER ledger_is_append_only_update;
         UPDATE ledger SET entry = CAST(replace(CAST(entry AS TEXT), '\"door\":\"cli\"', '\"door\":\"mcp\"') AS BLOB) WHERE seq = 500;",
    )
    .expect("an outsider can write");
    let report = engine.check(&mut |_, _| {}).expect("it can be read");
    assert!(
        report.problems.iter().any(|p| p.code == "ledger.leaf" && p.detail.contains("500")),
        "{report:?}"
    );
}

/// B-109: numbers beyond 2^53 are never merged: in content they are bytes, in the envelope refused.
#[test]
fn b109_large_integers_stay_two_events_or_are_refused() {
    let room = Room::new();
    for id in ["9007199254740992", "9007199254740993"] {
        room.propose(&format!("{id}.json"), &format!("{{\"id\": {id}}}\n"));
    }
    room.good(&["apply", "1", "--yes"]);
    room.good(&["apply", "2", "--yes"]);
    assert_eq!(room.good(&["doc", "cat", "9007199254740993.json"]), "{\"id\": 9007199254740993}\n");
    let ledger = room.ledger();
    assert_ne!(ledger[0]["changes"][0]["after"], ledger[1]["changes"][0]["after"]);
    let file = room.file(
        "p.json",
        r#"{"format":"sekali.proposal/1","title":"T","correlation":9007199254740993,"changes":[]}"#,
    );
    let (exit, problem) = room.refused(&["propose", "--file", &file.to_string_lossy()]);
    assert_eq!((exit, problem["code"].as_str()), (1, Some("body.invalid")));
    assert_eq!(room.json(&["list"])["items"].as_array().map(Vec::len), Some(2));
}

/// B-86, the engine's half: `doctor` over a 50 MB document does not hold writers up.
#[test]
fn b86_doctor_over_a_large_document_lets_writers_on() {
    let room = Room::new();
    let file = room.file("big.bin", vec![b'x'; 50 * 1024 * 1024]);
    let put = format!("big.bin={}", file.display());
    room.json(&["propose", "--title", "Big", "--put", &put]);
    room.json(&["apply", "1", "--yes"]);
    room.propose("small.txt", "x\n");
    let mut doctor =
        room.command(&["doctor", "--json"]).stdout(std::process::Stdio::piped()).spawn().expect("it starts");
    let applied = room.json(&["apply", "2", "--yes"]);
    assert_eq!(number(&applied, "seq"), 2);
    assert!(doctor.wait().expect("it ends").success());
    room.sound();
}

/// The limits hold at and one past each, through the command line, and nothing is stored.
#[test]
fn a_content_at_the_limit_is_taken_and_one_past_is_not() {
    let room = Room::new();
    let limit = sekali_core::limit::CONTENT_BYTES;
    let file = room.file("big.bin", vec![b'x'; limit + 1]);
    let put = format!("big.bin={}", file.display());
    let (_, problem) = room.refused(&["propose", "--title", "Big", "--put", &put]);
    assert_eq!(
        (problem["code"].as_str(), problem["limit"].as_u64()),
        (Some(Code::LimitExceeded.as_str()), Some(limit as u64))
    );
    assert_eq!(room.json(&["list"])["items"].as_array().map(Vec::len), Some(0));
    room.file("big.bin", vec![b'x'; limit]);
    room.json(&["propose", "--title", "Big", "--put", &put]);
    room.json(&["apply", "1", "--yes"]);
    assert_eq!(room.run(&["doc", "cat", "big.bin"]).stdout.len(), limit);
}
