//! What is kept beside the changes of a proposal: what it was submitted as, where its hunks were found,
//! which revision it was carried on from, which proposals have to do with each other, and what is said of it.

use rusqlite::Connection;
use sekali_tests::Room;

use super::{changed, demo_store, doctor};

/// Rows of each kind that a sound store may hold: a patch and an edit of the revision that was revised,
/// which is carried on from the one before; a later proposal that takes back an applied one and was split
/// from a waiting one.
const SOUND: &str = "
    CREATE TEMP TABLE it AS SELECT room, proposal, revision FROM open WHERE revision > 1 LIMIT 1;
    CREATE TEMP TABLE done AS SELECT p.room, p.id, p.number FROM applied a
      JOIN proposal p ON p.room = a.room AND p.id = a.proposal WHERE a.seq = 1 LIMIT 1;
    CREATE TEMP TABLE late AS SELECT room, id, number FROM proposal WHERE room = (SELECT room FROM it)
      ORDER BY number DESC LIMIT 1;
    INSERT INTO submitted SELECT room, proposal, revision, 0, 'patch', NULL, 1, X'FF00' FROM it;
    INSERT INTO submitted SELECT room, proposal, revision, 1, 'json_patch', 'a.json', NULL, X'5B5D' FROM it;
    UPDATE revision SET rebased_from = revision - 1
      WHERE (room, proposal, revision) = (SELECT room, proposal, revision FROM it);
    UPDATE change SET moved = X'000000010000000200000003000000020000000900000001'
      WHERE (room, proposal, revision, ordinal) = (SELECT room, proposal, revision, 0 FROM it);
    INSERT INTO link SELECT l.room, l.id, 'reverts', d.id FROM late l, done d;
    INSERT INTO link SELECT l.room, l.id, 'split_from', w.id FROM late l
      JOIN (SELECT p.room, p.id, min(p.number) FROM open o
            JOIN proposal p ON p.room = o.room AND p.id = o.proposal GROUP BY p.room) w ON w.room = l.room;
    INSERT INTO comment
      SELECT i.room, i.proposal, n.number, randomblob(16), n.kind, n.answers, r.author, 'cli', r.created_at,
             i.revision, n.path, n.side, n.line, 'Why?', NULL, NULL
      FROM it i JOIN revision r ON (r.room, r.proposal, r.revision) = (i.room, i.proposal, i.revision)
      JOIN (SELECT 1 AS number, 'ask' AS kind, NULL AS answers, 'a' AS path, 'after' AS side, 3 AS line
            UNION ALL SELECT 2, 'comment', NULL, NULL, NULL, NULL
            UNION ALL SELECT 3, 'answer', 1, NULL, NULL, NULL) n;";

/// Codes, and what an outsider does to those rows for which `doctor` must name them.
const KINDS: &[(&str, &str)] = &[
    ("link.proposal", "UPDATE link SET other = zeroblob(16) WHERE kind = 'reverts'"),
    ("link.proposal", "UPDATE link SET proposal = zeroblob(16) WHERE kind = 'split_from'"),
    ("link.proposal", "UPDATE link SET room = 99"),
    (
        "link.proposal",
        "INSERT INTO room VALUES (77, X'77777777777777777777777777777777', 'other', 'Other', 1);
         INSERT INTO head SELECT 77, 0, X'', zeroblob(32), 1, 0, 0, 0, 0, 0, 0;
         UPDATE link SET room = 77 WHERE kind = 'split_from'",
    ),
    ("link.order", "UPDATE link SET (proposal, other) = (other, proposal) WHERE kind = 'split_from'"),
    ("link.order", "UPDATE link SET other = proposal"),
    ("link.reverts", "UPDATE link SET kind = 'reverts' WHERE kind = 'split_from'"),
    ("integrity", "UPDATE link SET kind = 'likes' WHERE kind = 'reverts'"),
    ("proposal.rows", "UPDATE link SET kind = 'likes' WHERE kind = 'reverts'"),
    ("submitted.revision", "UPDATE submitted SET revision = revision + 1"),
    ("submitted.revision", "UPDATE submitted SET proposal = zeroblob(16) WHERE ordinal = 1"),
    ("submitted.revision", "UPDATE submitted SET room = 99"),
    ("submitted.order", "DELETE FROM submitted WHERE ordinal = 0"),
    ("submitted.order", "UPDATE submitted SET ordinal = 7 WHERE ordinal = 1"),
    ("proposal.rows", "UPDATE submitted SET form = 'fax'"),
    ("proposal.rows", "UPDATE submitted SET path = '../x' WHERE ordinal = 1"),
    ("integrity", "UPDATE submitted SET path = NULL"),
    ("integrity", "UPDATE submitted SET strip = 2 WHERE ordinal = 1"),
    ("revision.rebased_from", "UPDATE revision SET rebased_from = revision WHERE rebased_from NOT NULL"),
    ("revision.rebased_from", "UPDATE revision SET rebased_from = 9 WHERE rebased_from NOT NULL"),
    ("revision.rebased_from", "UPDATE revision SET rebased_from = 0 WHERE rebased_from NOT NULL"),
    ("comment.revision", "UPDATE comment SET revision = 9"),
    ("comment.revision", "UPDATE comment SET proposal = zeroblob(16) WHERE number = 2"),
    ("comment.revision", "UPDATE comment SET room = 99"),
    ("comment.author", "UPDATE comment SET author = zeroblob(16) WHERE number = 2"),
    ("comment.order", "DELETE FROM comment WHERE number = 2"),
    ("comment.order", "UPDATE comment SET number = 7 WHERE number = 3"),
    ("comment.answers", "UPDATE comment SET answers = 2 WHERE number = 3"),
    ("comment.answers", "UPDATE comment SET kind = 'comment' WHERE number = 1"),
    ("integrity", "UPDATE comment SET answers = NULL WHERE number = 3"),
    ("integrity", "UPDATE comment SET line = NULL"),
    ("proposal.rows", "UPDATE comment SET kind = 'shout' WHERE number = 2"),
    ("proposal.rows", "UPDATE comment SET path = '../x' WHERE number = 1"),
    ("change.moved", "UPDATE change SET moved = zeroblob(12) WHERE moved NOT NULL"),
    ("change.moved", "UPDATE change SET moved = X'000000010000000200000002' WHERE moved NOT NULL"),
    ("integrity", "UPDATE change SET moved = X'0001' WHERE moved NOT NULL"),
];

#[test]
fn doctor_names_what_is_wrong_with_forms_and_links() {
    let sound = doctor(&changed(demo_store(), SOUND));
    assert_eq!(sound, (Some(0), Vec::new()), "as they may be");
    let mut missed = Vec::new();
    for (code, sql) in KINDS {
        let (exit, codes) = doctor(&changed(demo_store(), &format!("{SOUND}; {sql}")));
        if exit != Some(4) || !codes.iter().any(|c| c == code) {
            missed.push(format!("{code}: {sql}: exit {exit:?}, {codes:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// What really comes of a split, whatever becomes of the part that the rest is made on.
#[test]
fn doctor_finds_nothing_in_what_a_split_leaves() {
    for fate in [&["apply"][..], &["withdraw"], &["reject", "--reason", "no"], &["rebase"]] {
        let room = Room::new();
        let lines = |changed: &[usize]| -> String {
            let line = |n: usize| format!("line {n}{}\n", if changed.contains(&n) { " changed" } else { "" });
            (1..=60).map(line).collect()
        };
        let (one, _) = room.propose("p", &lines(&[]));
        room.good(&["apply", &one.to_string(), "--yes"]);
        room.propose("p", &lines(&[3, 20, 40]));
        room.good(&["split", "2", "--take", "p:1"]);
        // The rest of the rest, as a whole change: what it is made on is the part's of the first split.
        room.good(&["split", "3", "--take", "p:1"]);
        room.sound();
        if fate == ["rebase"] {
            let (other, _) = room.propose("p", &lines(&[58]));
            room.good(&["apply", &other.to_string(), "--yes"]);
        }
        let mut command = vec![fate[0], "2"];
        command.extend(&fate[1..]);
        if fate == ["apply"] {
            command.push("--yes");
        }
        room.good(&command);
        room.sound();
        room.good(&["rebase", "4"]);
        room.good(&["apply", "4", "--yes"]);
        room.sound();
    }
    // A base that no part leaves is damage still.
    let room = Room::new();
    let (one, _) = room.propose("p", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    room.good(&["apply", &one.to_string(), "--yes"]);
    room.propose("p", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n");
    room.good(&["split", "2", "--take", "p:1"]);
    let conn = Connection::open(room.store()).expect("the file");
    conn.execute_batch("DELETE FROM link").expect("a link");
    drop(conn);
    let (exit, codes) = doctor(&room);
    assert_eq!((exit, codes.contains(&"change.base".to_owned())), (Some(4), true), "{codes:?}");
}

/// Large content is looked through while a patch is made on it: what came of damage is not taken for one.
#[test]
fn a_patch_is_not_made_on_damaged_content_however_large() {
    for lines in [10, 200_000] {
        let room = Room::new();
        let line = |n: usize| format!("line {n}\n");
        let content: String = (1..=lines).map(line).collect();
        assert_eq!(content.len() > 1024 * 1024, lines > 10);
        let (one, _) = room.propose("p", &content);
        room.good(&["apply", &one.to_string(), "--yes"]);
        let conn = Connection::open(room.store()).expect("the file");
        let damage = "UPDATE content SET content = CAST(replace(CAST(content AS TEXT), 'line 9\n', 'LINE 9\n') AS BLOB)";
        assert_eq!(conn.execute(damage, []).expect("a content"), 1);
        drop(conn);
        let patch = room.file("p.patch", "--- a/p\n+++ b/p\n@@ -3,1 +3,1 @@\n-line 3\n+three\n");
        let patch = patch.to_str().expect("a plain path");
        let (exit, problem) = room.refused(&["propose", "--title", "T", "--patch", patch]);
        assert_eq!((exit, problem["code"].as_str()), (4, Some("store.damaged")), "{problem}");
    }
}
