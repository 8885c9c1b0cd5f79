//! What `doctor` counts anew, and what it tells of stores from before a rule: figures of changes that
//! nothing else holds, and documents that are folders too.

use rusqlite::Connection;
use sekali_tests::{Room, parse, text};
use serde_json::{Value, json};

/// An applied creation, an applied replacement, one that was replaced by a revision, and two that wait: on
/// what is there now, and on what was there before; bytes, a rename, and one that goes.
fn room() -> Room {
    let room = Room::new();
    let put = |path: &str, content: &[u8]| format!("{path}={}", room.file("c", content).display());
    let propose = |change: &[&str]| room.json(&[&["propose", "--title", "T"][..], change].concat());
    let apply = |number: &str| room.good(&["apply", number, "--yes"]);
    propose(&["--put", &put("a.txt", b"one\ntwo\n")]);
    propose(&["--put", &put("bytes", b"\0\x01")]);
    apply("1");
    apply("2");
    propose(&["--put", &put("a.txt", b"one\nthree\nfour\n")]);
    propose(&["--put", &put("a.txt", b"zero\none\ntwo\n")]);
    apply("3");
    let revised = propose(&["--put", &put("a.txt", b"one\n")]);
    let digest = revised["digest"].as_str().expect("a digest");
    room.good(&["revise", "5", "--digest", digest, "--title", "T", "--put", &put("a.txt", b"five\n")]);
    propose(&["--rename", "a.txt=b.txt"]);
    propose(&["--delete", "bytes"]);
    room
}

fn doctor(room: &Room) -> (Option<i32>, Value) {
    let out = room.run(&["doctor", "--json"]);
    (out.status.code(), parse(&text(&out.stdout)))
}

fn outsider(room: &Room, sql: &str) {
    let conn = Connection::open(room.store()).expect("the file");
    let before = conn.total_changes();
    conn.execute_batch(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    assert!(conn.total_changes() > before, "{sql} changes something");
}

fn of(number: u64, revision: u64) -> String {
    format!("proposal = (SELECT id FROM proposal WHERE number = {number}) AND revision = {revision}")
}

/// The sums of a revision are changed along, so that rows agree with each other.
#[test]
fn doctor_counts_the_lines_of_each_change_anew() {
    let room = room();
    assert_eq!(doctor(&room).1["problems"], json!([]), "as it was proposed");
    for (number, revision) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (5, 2), (6, 1), (7, 1)] {
        let whose = of(number, revision);
        for (change, back, sums) in [
            ("added = added + 1", "added = added - 1", true),
            ("removed = removed + 1", "removed = removed - 1", true),
            ("binary = 1 - binary", "binary = 1 - binary", false),
        ] {
            let both = |what: &str| {
                outsider(&room, &format!("UPDATE change SET {what} WHERE {whose}"));
                if sums {
                    outsider(&room, &format!("UPDATE revision SET {what} WHERE {whose}"));
                }
            };
            both(change);
            let (exit, found) = doctor(&room);
            let codes: Vec<&Value> =
                found["problems"].as_array().expect("a list").iter().map(|p| &p["code"]).collect();
            assert_eq!(
                (exit, codes),
                (Some(4), vec![&json!("change.lines")]),
                "#{number}: {change}: {found}"
            );
            both(back);
        }
    }
    assert_eq!(doctor(&room).1["problems"], json!([]), "as it was again");
}

/// By it equal proposals are found: a wrong one hides a duplicate, or names one that is none.
#[test]
fn doctor_makes_the_fingerprint_of_each_revision_anew() {
    for (number, revision) in [(1, 1), (3, 1), (5, 1), (5, 2), (6, 1), (7, 1)] {
        for what in [
            "zeroblob(32)",
            "(SELECT content_fingerprint FROM revision o WHERE o.rowid <> revision.rowid LIMIT 1)",
        ] {
            let room = room();
            let sql =
                format!("UPDATE revision SET content_fingerprint = {what} WHERE {}", of(number, revision));
            outsider(&room, &sql);
            let (exit, found) = doctor(&room);
            let problems = found["problems"].as_array().expect("a list");
            let codes: Vec<&Value> = problems.iter().map(|p| &p["code"]).collect();
            assert_eq!((exit, codes), (Some(4), vec![&json!("revision.fingerprint")]), "{sql}: {found}");
        }
    }
}

/// Those of older stores were of what was submitted, which is not kept; opening makes them anew.
#[test]
fn an_older_store_gets_fingerprints_that_can_be_checked() {
    let room = room();
    let fingerprints = || -> Vec<Vec<u8>> {
        let conn = Connection::open(room.store()).expect("the file");
        let mut all =
            conn.prepare("SELECT content_fingerprint FROM revision ORDER BY rowid").expect("a table");
        all.query_map([], |row| row.get(0)).and_then(Iterator::collect).expect("fingerprints")
    };
    let now = fingerprints();
    outsider(
        &room,
        "DROP TABLE comment; DROP TABLE submitted; DROP TABLE link; ALTER TABLE change DROP COLUMN moved;
         ALTER TABLE revision DROP COLUMN rebased_from;
         UPDATE revision SET content_fingerprint = randomblob(32); PRAGMA user_version = 3",
    );
    assert_ne!(fingerprints(), now);
    assert_eq!(doctor(&room), (Some(0), doctor(&room).1), "it is brought up to date first");
    assert_eq!(fingerprints(), now);
}

/// A patch and a whole content that come to the same are equal, and so is what others had read.
#[test]
fn changes_that_leave_the_same_are_possible_duplicates_whatever_their_form() {
    let room = room();
    let whole = room.file("whole", "one\nthree\nfive\n");
    let put = format!("a.txt={}", whole.display());
    let first = room.json(&["propose", "--title", "T", "--put", &put]);
    assert_eq!(first["possible_duplicates"], json!([]));
    let twice = room.file(
        "twice.json",
        json!({"format": "sekali.proposal/1", "title": "T", "changes": [
            {"op": "put", "path": "a.txt", "text": "not this\n"},
            {"op": "put", "path": "a.txt", "text": "one\nthree\nfive\n", "mode": "100644"}]})
        .to_string(),
    );
    let second = room.json(&["propose", "--file", &twice.to_string_lossy()]);
    assert_eq!(second["possible_duplicates"], json!([8]));
    let other =
        room.json(&["propose", "--title", "T", "--put", &put, "--put", &format!("b={}", whole.display())]);
    assert_eq!(other["possible_duplicates"], json!([]));
}

/// Content that is not there, or not what it was, is told once, and not as lines that are counted wrongly.
#[test]
fn lines_are_not_counted_against_what_is_damaged() {
    for sql in ["DELETE FROM content", "UPDATE content SET content = CAST('x' AS BLOB)"] {
        let room = room();
        outsider(&room, &format!("{sql} WHERE {}", of(1, 1)));
        let (exit, found) = doctor(&room);
        let problems = found["problems"].as_array().expect("a list");
        assert!(exit == Some(4) && !problems.is_empty(), "{found}");
        assert!(problems.iter().all(|p| p["code"] != "change.lines"), "{sql}: {found}");
    }
}

/// The rule is younger than stores: one that holds both is sound, and a person is told.
#[test]
fn doctor_warns_of_a_document_that_is_a_folder_too() {
    let room = Room::new();
    for (number, path) in [(1, "README"), (2, "READ/me/x.txt"), (3, "README.md"), (4, "READMF")] {
        room.propose(path, "one\n");
        room.good(&["apply", &number.to_string(), "--yes"]);
    }
    assert_eq!(doctor(&room).1["warnings"], json!([]), "what only begins alike is not in it");
    // As if it had been applied before the rule: the path in every row, by its key.
    outsider(
        &room,
        "UPDATE document SET path = 'readme/x.txt', path_key = 'readme/x.txt' WHERE path LIKE 'READ/%'",
    );
    let (_, found) = doctor(&room);
    let warnings = found["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), 1, "{found}");
    assert_eq!(warnings[0]["code"], "document_and_folder");
    let detail = warnings[0]["detail"].as_str().expect("a sentence");
    assert!(detail.contains("main: README is") && detail.contains("readme/x.txt"), "{detail}");
    let told = text(&room.run(&["doctor", "--lang", "id"]).stdout);
    let told = told.lines().find(|line| line.ends_with("(document_and_folder)")).expect("a line");
    assert!(told.contains("README adalah dokumen") && told.contains("readme/x.txt"), "{told}");
}
