//! Field reports about applying text and JSON: what really went wrong for others, as tests. The others
//! are in `field.rs`.

use serde_json::{Value, json};

use sekali_tests::{Room, number, string};

/// What a person can see of a room, its documents byte for byte, and what lies in its folder.
#[derive(Debug, PartialEq)]
struct Held {
    documents: Vec<(Value, Vec<u8>)>,
    proposals: Value,
    ledger: Vec<Value>,
    files: Vec<String>,
}

fn held(room: &Room) -> Held {
    let documents = room.json(&["doc", "list", "--all"])["items"].as_array().expect("items").clone();
    let content = |row: Value| {
        let bytes = bytes(room, &string(&row, "path"));
        (row, bytes)
    };
    let entry = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
    let folder = std::fs::read_dir(room.path()).expect("the test's folder");
    // SQLite's own come and go as processes do.
    let mut files: Vec<String> = folder.map(|e| entry(e).to_string_lossy().into_owned()).collect();
    files.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    files.sort();
    Held {
        documents: documents.into_iter().map(content).collect(),
        proposals: room.json(&["list", "--all"]),
        ledger: room.ledger(),
        files,
    }
}

fn bytes(room: &Room, path: &str) -> Vec<u8> {
    let out = room.run(&["doc", "cat", path]);
    assert!(out.status.success(), "{path} is there: {out:?}");
    out.stdout
}

/// Makes `path` be `content`.
fn set(room: &Room, path: &str, content: &str) -> u64 {
    let (number, digest) = room.propose(path, content);
    room.good(&["apply", &number.to_string(), "--digest", &digest]);
    number
}

/// Proposes a patch, which must be good.
fn patch(room: &Room, diff: &str) -> Value {
    let file = room.file("given", diff).display().to_string();
    room.json(&["propose", "--title", "T", "--patch", &file])
}

/// Applies what was proposed, as its digest says.
fn apply(room: &Room, proposed: &Value) -> Value {
    let number = number(proposed, "proposal").to_string();
    room.json(&["apply", &number, "--digest", &string(proposed, "digest")])
}

/// A proposal of these flags, each file's content in place of its name, is refused with exit 1.
fn tried(room: &Room, flags: &[(&str, &str, &str)]) -> Value {
    let mut args = vec!["propose".to_owned(), "--title".to_owned(), "T".to_owned()];
    for (n, (flag, path, content)) in flags.iter().enumerate() {
        let file = room.file(&format!("given{n}"), content).display().to_string();
        let value = if path.is_empty() { file } else { format!("{path}={file}") };
        args.extend([(*flag).to_owned(), value]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (exit, problem) = room.refused(&args);
    assert_eq!(exit, 1, "{flags:?}: {problem}");
    problem
}

/// The same, and the room is left as it was.
fn refused(room: &Room, flags: &[(&str, &str, &str)]) -> Value {
    for n in 0..flags.len() {
        room.file(&format!("given{n}"), "");
    }
    let before = held(room);
    let problem = tried(room, flags);
    assert_eq!(held(room), before, "{flags:?}: a refusal leaves nothing");
    problem
}

fn code(problem: &Value) -> &str {
    problem["code"].as_str().expect("a code")
}

/// The digest under which a document is read.
fn read(room: &Room, path: &str) -> String {
    let list = room.json(&["doc", "list", "--all"]);
    let row = list["items"].as_array().expect("items").iter().find(|row| row["path"] == path);
    string(row.expect("it is there"), "digest")
}

/// Twenty lines.
fn twenty() -> String {
    let line = |n: u32| format!("line {n}\n");
    (1..=20).map(line).collect()
}

const LINE_10: &str = "--- a/t.txt\n+++ b/t.txt\n@@ -9,3 +9,3 @@\n line 9\n-line 10\n+LINE 10\n line 11\n";

/// B-48: a suggestion for line 10 went to line 10 after lines had been added above it. It goes to the
/// text that it is about, and says so, or nowhere.
#[test]
fn b48_a_change_goes_to_its_text_and_never_to_its_line_number() {
    let wanted = twenty().replace("line 10\n", "LINE 10\n");
    // It waits while two lines come in above.
    let room = Room::new();
    set(&room, "t.txt", &twenty());
    let waits = patch(&room, LINE_10);
    let above = set(&room, "t.txt", &format!("new\nnewer\n{}", twenty()));
    let before = held(&room);
    let (exit, problem) = room.refused(&["apply", "2", "--digest", &string(&waits, "digest")]);
    assert_eq!((exit, code(&problem)), (1, "proposal.stale"));
    assert_eq!(problem["moved"][0]["by"]["proposal"], above);
    assert!(string(&problem, "hint").contains("sekali rebase"), "{problem}");
    assert_eq!(held(&room), before);
    let rebased = room.json(&["rebase", "2"]);
    assert_eq!(held(&room).documents, before.documents, "a rebase proposes");
    apply(&room, &rebased);
    assert_eq!(room.good(&["doc", "cat", "t.txt"]), format!("new\nnewer\n{wanted}"));
    // It comes when they are in: found two lines further down, and both answers say so.
    let room = Room::new();
    set(&room, "t.txt", &format!("new\nnewer\n{}", twenty()));
    let late = patch(&room, LINE_10);
    assert_eq!(late["moved_hunks"], json!([{"path": "t.txt", "hunk": 1, "line": 9, "found": 11}]));
    assert!(room.good(&["show", "2"]).contains("Hunk 1 of t.txt was found at line 11; the patch says 9."));
    apply(&room, &late);
    assert_eq!(room.good(&["doc", "cat", "t.txt"]), format!("new\nnewer\n{wanted}"));
    // Its text stands twice, neither at its line: nobody guesses.
    let room = Room::new();
    set(&room, "t.txt", &format!("new\nnewer\n{0}{0}", twenty()));
    let problem = refused(&room, &[("--patch", "", LINE_10)]);
    assert_eq!(code(&problem), "patch.mismatch");
    let detail = string(&problem, "detail");
    assert!(detail.contains("more than once") && detail.contains("11") && detail.contains("31"), "{detail}");
    // Something else that reads alike has come to stand at its line. Who says what was read is understood.
    let room = Room::new();
    let block = "{\n  key\n}\n\n";
    set(&room, "t.txt", &block.repeat(5));
    let base = format!("t.txt={}", read(&room, "t.txt"));
    set(&room, "t.txt", &format!("{}{}", block.replace("key", "new"), block.repeat(5)));
    let file = room.file("given", "--- a/t.txt\n+++ b/t.txt\n@@ -9,3 +9,3 @@\n {\n-  key\n+  third\n }\n");
    let given = file.display().to_string();
    let carried = room.json(&["propose", "--title", "T", "--patch", &given, "--base", &base]);
    assert_eq!((&carried["stale"], &carried["moved"][0]["path"]), (&json!(true), &json!("t.txt")));
    let (_, problem) = room.refused(&["apply", "3", "--yes"]);
    assert_eq!(code(&problem), "proposal.stale");
    apply(&room, &room.json(&["rebase", "3"]));
    let third = block.replace("key", "third");
    let blocks = [&block.replace("key", "new"), block, block, &third, block, block].concat();
    assert_eq!(room.good(&["doc", "cat", "t.txt"]), blocks);
}

/// B-49: an edit overwrote a file that had changed since it was read. What was read is said, or what
/// was seen is pressed; if the document is another by then, the edit is refused and the other stays.
#[test]
fn b49_an_edit_never_overwrites_what_came_after_it_was_read() {
    let room = Room::new();
    set(&room, "t.txt", "one\ntwo\nthree\nfour\n");
    let base = format!("t.txt={}", read(&room, "t.txt"));
    // Between reading and proposing, and between preview and Apply.
    let seen = patch(&room, "--- a/t.txt\n+++ b/t.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
    set(&room, "t.txt", "one\ntwo\nthree\nfour, by a person\n");
    let whole = format!("t.txt={}", room.file("whole", "one\nTWO\nthree\nfour\n").display());
    let late = room.json(&["propose", "--title", "T", "--put", &whole, "--base", &base]);
    assert_eq!((&seen["stale"], &late["stale"]), (&json!(false), &json!(true)));
    let before = held(&room);
    for proposed in [&seen, &late] {
        let number = number(proposed, "proposal").to_string();
        for how in [&["--yes"][..], &["--digest", &string(proposed, "digest")]] {
            let (exit, problem) = room.refused(&[&["apply", &*number], how].concat());
            assert_eq!((exit, code(&problem)), (1, "proposal.stale"));
            assert_eq!(held(&room), before);
        }
    }
    // A base that nobody can have read is no base.
    let other = format!("t.txt=sha256:{}", "0".repeat(64));
    let (exit, problem) = room.refused(&["propose", "--title", "T", "--put", &whole, "--base", &other]);
    assert_eq!((exit, code(&problem)), (1, "proposal.stale"));
    assert_eq!(held(&room), before);
    // Both are kept where they do not touch.
    apply(&room, &room.json(&["rebase", &number(&late, "proposal").to_string()]));
    assert_eq!(room.good(&["doc", "cat", "t.txt"]), "one\nTWO\nthree\nfour, by a person\n");
}

/// A base belongs to its document, whichever of the changes and patches of a command has it.
#[test]
fn a_base_goes_to_every_patch_that_has_its_document() {
    let room = Room::new();
    for path in ["a.txt", "b.txt"] {
        set(&room, path, "one\ntwo\nthree\n");
    }
    let digests = ["a.txt", "b.txt"].map(|path| format!("{path}={}", read(&room, path)));
    let diff = |path: &str, line: u32, word: &str| {
        format!("--- a/{path}\n+++ b/{path}\n@@ -{line} +{line} @@\n-{word}\n+{}\n", word.to_uppercase())
    };
    let file = |name: &str, text: String| room.file(name, text).display().to_string();
    let [first, second, third] = [
        file("first", diff("a.txt", 1, "one")),
        file("second", diff("b.txt", 2, "two")),
        file("third", diff("b.txt", 3, "three")),
    ];
    let all = ["propose", "--title", "T", "--patch", &first, "--patch", &second, "--patch", &third];
    let with = |bases: &[&str]| {
        let bases = bases.iter().flat_map(|base| ["--base", base]);
        all.into_iter().chain(bases).map(str::to_owned).collect::<Vec<_>>()
    };
    let proposed = |bases: &[&str]| {
        let args = with(bases);
        room.json(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // It is in the second and third alone.
    assert_eq!(proposed(&[&digests[1]])["stale"], json!(false));
    assert_eq!(proposed(&[&digests[1], &digests[0]])["stale"], json!(false));
    // What has come since is not what was read, in neither of them.
    set(&room, "b.txt", "zero\none\ntwo\nthree\n");
    let late = proposed(&[&digests[1]]);
    assert_eq!((&late["stale"], &late["moved"][0]["path"]), (&json!(true), &json!("b.txt")));
    apply(&room, &room.json(&["rebase", &number(&late, "proposal").to_string()]));
    assert_eq!(room.good(&["doc", "cat", "b.txt"]), "zero\none\nTWO\nTHREE\n");
    // A whole content is based as the patches before it are.
    let whole = format!("b.txt={}", file("whole", "x\n".to_owned()));
    let base = format!("b.txt={}", read(&room, "b.txt"));
    let fourth = file("fourth", diff("b.txt", 2, "one"));
    let both = ["propose", "--title", "T", "--patch", &fourth, "--put", &whole, "--base", &base];
    assert_eq!(room.json(&both)["stale"], json!(false));
    let (_, problem) = room.refused(&[&both[..8], &["b.txt=absent"]].concat());
    assert_eq!((code(&problem), &problem["field"]), ("document.not_found", &json!("changes[0].diff")));
    // One that is in none of them is refused by its flag, with the way out; a patch that cannot be read,
    // for that.
    let bad = file("bad", "no patch\n".to_owned());
    let before = held(&room);
    let args = with(&["c.txt=absent"]);
    let (exit, problem) = room.refused(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let said = problem.to_string();
    assert!(exit == 2 && said.contains("--base c.txt") && said.contains("Write --base"), "{said}");
    let (exit, problem) = room.refused(&["propose", "--title", "T", "--patch", &bad, "--base", &base]);
    assert_eq!((exit, code(&problem)), (1, "patch.invalid"));
    assert_eq!(held(&room), before);
}

/// B-52: a patch that was there already was taken for a reversed one and applied backwards, which took
/// the mend away again. It is said to be there, and nothing is written.
#[test]
fn b52_a_change_that_is_there_already_is_said_to_be_there() {
    let room = Room::new();
    set(&room, "t.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    let head = "--- a/t.txt\n+++ b/t.txt\n";
    for hunks in [
        "@@ -2,3 +2,3 @@\n two\n-3\n+three\n four\n",
        "@@ -5,3 +5,3 @@\n two\n-3\n+three\n four\n",
        "@@ -2,2 +2,3 @@\n two\n+three\n four\n",
        "@@ -2,3 +2,2 @@\n two\n-2.5\n three\n",
        "@@ -1,2 +1,2 @@\n-1\n+one\n two\n@@ -5,2 +5,3 @@\n five\n+six\n seven\n",
    ] {
        let problem = refused(&room, &[("--patch", "", &format!("{head}{hunks}"))]);
        assert_eq!(code(&problem), "proposal.no_change", "{hunks}: {problem}");
        let detail = string(&problem, "detail");
        assert!(detail.contains("already contains this change"), "{hunks}: {detail}");
    }
    let made = "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+new\n";
    apply(&room, &patch(&room, made));
    assert_eq!(code(&refused(&room, &[("--patch", "", made)])), "proposal.no_change");
    // Lines at the beginning or the end, which have nothing beyond them to be held against, and which
    // others have added to since.
    for (hunk, once) in [
        ("@@ -5,3 +5,4 @@\n five\n six\n seven\n+eight\n", "seven\neight\n"),
        ("@@ -1,2 +1,3 @@\n+zero\n one\n two\n", "zero\none\n"),
    ] {
        let diff = format!("{head}{hunk}");
        apply(&room, &patch(&room, &diff));
        let problem = refused(&room, &[("--patch", "", &diff)]);
        assert_eq!(code(&problem), "patch.mismatch", "{hunk}");
        assert!(string(&problem, "detail").contains("there already"), "{hunk}: {problem}");
        let now = room.good(&["doc", "cat", "t.txt"]);
        assert!(now.contains(once) && now.matches(once).count() == 1, "{now}");
        set(&room, "t.txt", &format!("more\n{now}more\n"));
        assert_eq!(code(&refused(&room, &[("--patch", "", &diff)])), "patch.mismatch", "{hunk}");
        set(&room, "t.txt", &now);
    }
    set(&room, "t.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    // Half of it is there: neither half is done, or undone.
    let half = "@@ -1,2 +1,2 @@\n-1\n+one\n two\n@@ -5,3 +5,3 @@\n five\n-six\n+SIX\n seven\n";
    assert_eq!(code(&refused(&room, &[("--patch", "", &format!("{head}{half}"))])), "patch.mismatch");
    // Two propose the same. The second one's turn finds it done.
    let same = format!("{head}@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n");
    let (first, second) = (patch(&room, &same), patch(&room, &same));
    assert_eq!(second["possible_duplicates"], json!([first["proposal"]]));
    apply(&room, &first);
    let (number, before) = (number(&second, "proposal").to_string(), held(&room));
    let (_, problem) = room.refused(&["apply", &number, "--yes"]);
    assert_eq!(code(&problem), "proposal.stale");
    let (_, problem) = room.refused(&["rebase", &number]);
    assert_eq!(code(&problem), "proposal.no_change");
    assert_eq!(held(&room), before);
    assert!(room.good(&["doc", "cat", "t.txt"]).starts_with("ONE\ntwo\n"));
}

/// B-53: a patch of several files failed at one of them, and those before it stayed changed. All of it
/// is done or none, when it is proposed and when it is applied, and nothing is left lying about.
#[test]
fn b53_several_documents_change_together_or_not_at_all() {
    let room = Room::new();
    let scratch = tempfile::tempdir().expect("a temporary folder");
    for path in ["1.txt", "2.txt", "3.txt"] {
        set(&room, path, "a\nb\nc\n");
    }
    let one = |path: &str| format!("--- a/{path}\n+++ b/{path}\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    let all = ["1.txt", "2.txt", "3.txt"].map(one).concat();
    let two = ["1.txt", "2.txt"].map(one).concat();
    for third in [
        one("3.txt").replace(" c\n", " x\n"),
        one("none.txt"),
        one("../3.txt"),
        one("3.txt").replace("-1,3", "-1,9"),
        "diff --git a/3.txt b/2.txt\nrename from 3.txt\nrename to 2.txt\n".to_owned(),
    ] {
        refused(&room, &[("--patch", "", &format!("{two}{third}"))]);
        refused(&room, &[("--put", "n.txt", "new\n"), ("--patch", "", &two), ("--patch", "", &third)]);
    }
    let problem = refused(&room, &[("--patch", "", &all.replacen("+B\n c\n", "+B\n x\n", 3))]);
    assert_eq!((code(&problem), &problem["path"]), ("patch.mismatch", &json!("1.txt")));
    // What cannot be read is no reason to keep the rest.
    refused(&room, &[("--patch", "", &two), ("--merge-patch", "3.txt", "{}")]);
    // The third moves while all three wait.
    let waits = patch(&room, &all);
    set(&room, "3.txt", "a\nelse\nc\n");
    let before = held(&room);
    let number = number(&waits, "proposal").to_string();
    for order in [&["apply", &number, "--yes"][..], &["rebase", &number]] {
        let args = [order, &["--json"]].concat();
        let out = room.command(&args).env("TMPDIR", scratch.path()).output().expect("the binary starts");
        let problem = sekali_tests::parse(&sekali_tests::text(&out.stderr));
        let wanted = if order[0] == "apply" { "proposal.stale" } else { "proposal.conflict" };
        assert_eq!((out.status.code(), code(&problem)), (Some(1), wanted));
        assert_eq!(held(&room), before, "{order:?}");
    }
    assert_eq!(std::fs::read_dir(scratch.path()).expect("a folder").count(), 0, "nothing lies about");
    assert_eq!(bytes(&room, "1.txt"), b"a\nb\nc\n");
    room.sound();
}

/// B-57: language models write wrong counts into hunk headers nearly every time; some tools then drop
/// lines, others say "corrupt patch". Both numbers are said, and nothing is counted again unseen.
#[test]
fn b57_wrong_counts_are_refused_with_both_numbers() {
    let room = Room::new();
    set(&room, "t.txt", "satu\ndua\ntiga\nempat\nlima\nenam\n");
    let with = |header: &str| format!("--- a/t.txt\n+++ b/t.txt\n{header}\n satu\n-dua\n+DUA\n tiga\n");
    for (header, expected) in [
        ("@@ -1,6 +1,6 @@", "-6 +6"),
        ("@@ -1,3 +1,4 @@", "-3 +4"),
        ("@@ -1,4 +1,3 @@", "-4 +3"),
        ("@@ -1,2 +1,2 @@", "-2 +2"),
        ("@@ -1,2 +1,3 @@", "-2 +3"),
        ("@@ -1,3 +1,2 @@", "-3 +2"),
        ("@@ -1 +1 @@", "-1 +1"),
        ("@@ -1,3 +0,0 @@", "-3 +0"),
    ] {
        let problem = refused(&room, &[("--patch", "", &with(header))]);
        assert_eq!((code(&problem), &problem["line"]), ("patch.invalid", &json!(3)), "{header}: {problem}");
        let counted = (&problem["expected"], &problem["found"], &problem["hunk"]);
        assert_eq!(counted, (&json!([expected]), &json!(["-3 +3"]), &json!(1)), "{header}");
    }
    // Of several it is named which, by the line of its header and its number in its file.
    let other = "--- a/t.txt\n+++ b/t.txt\n@@ -1 +1 @@\n-satu\n+SATU\n";
    for (second, line) in [("@@ -5,2 +5 @@\n-lima\n+LIMA\n", 6), ("@@ -5 +5 @@\n-lima\n+LIMA\n+x\n", 6)] {
        let problem = refused(&room, &[("--patch", "", &format!("{other}{second}"))]);
        let place = (code(&problem), &problem["line"], &problem["hunk"]);
        assert_eq!(place, ("patch.invalid", &json!(line), &json!(2)), "{problem}");
        assert!(string(&problem, "detail").contains(&format!("line {line}: hunk 2: ")), "{problem}");
    }
    // To a person in a sentence, with the way out.
    let file = room.file("given", with("@@ -1,6 +1,6 @@")).display().to_string();
    let said = |lang| {
        let args = ["propose", "--title", "T", "--patch", &file];
        let out = room.command(&args).env("SEKALI_LANG", lang).output().expect("the binary starts");
        sekali_tests::text(&out.stderr)
    };
    let (en, id) = (said("en"), said("id"));
    assert!(en.contains('6') && en.contains("3 and 3") && en.contains("hint:"), "{en}");
    assert!(id.contains('6') && id.contains('3') && id.contains("petunjuk:") && id != en, "{id}");
    // The right counts are taken, and what is shown has them.
    let proposed = patch(&room, &with("@@ -1,3 +1,3 @@"));
    assert!(room.good(&["show", "2", "--diff"]).contains("@@ -1,5 +1,5 @@\n satu\n-dua\n+DUA\n"));
    apply(&room, &proposed);
    assert_eq!(room.good(&["doc", "cat", "t.txt"]), "satu\nDUA\ntiga\nempat\nlima\nenam\n");
}

/// B-59: an edit gave every line the line end of the first one. Only what is changed changes, in every
/// form, and when it is carried on to a document that has moved.
#[test]
fn b59_line_ends_of_untouched_lines_stay() {
    let room = Room::new();
    set(&room, "t.txt", "a\r\nb\nc");
    apply(
        &room,
        &patch(
            &room,
            "--- a/t.txt\n+++ b/t.txt\n@@ -1,3 +1,3 @@\n a\r\n b\n-c\n\\ No newline at end of file\n+C\n\\ No newline at end of file\n",
        ),
    );
    assert_eq!(bytes(&room, "t.txt"), b"a\r\nb\nC");
    // A new line brings its own end.
    apply(&room, &patch(&room, "--- a/t.txt\n+++ b/t.txt\n@@ -1,2 +1,4 @@\n a\r\n+lf\n+crlf\r\n b\n"));
    assert_eq!(bytes(&room, "t.txt"), b"a\r\nlf\ncrlf\r\nb\nC");
    // The line end is part of the line: another one is another line.
    let problem = refused(&room, &[("--patch", "", "--- a/t.txt\n+++ b/t.txt\n@@ -1 +1 @@\n-a\n+A\n")]);
    assert_eq!(code(&problem), "patch.mismatch");
    assert!(string(&problem, "detail").contains("line ends"), "{problem}");
    // Carried on over another's change.
    let base = format!("t.txt={}", read(&room, "t.txt"));
    set(&room, "t.txt", "a\r\nlf\ncrlf\r\nb\nD");
    let mine = format!("t.txt={}", room.file("mine", "A\r\nlf\ncrlf\r\nb\nC").display());
    let late = room.json(&["propose", "--title", "T", "--put", &mine, "--base", &base]);
    apply(&room, &room.json(&["rebase", &number(&late, "proposal").to_string()]));
    assert_eq!(bytes(&room, "t.txt"), b"A\r\nlf\ncrlf\r\nb\nD");
    // And in a JSON document.
    let document = "{\r\n\t\"a\": 1.50,\n  \"b\" : 2\r\n}";
    for (flag, edit) in
        [("--json-patch", r#"[{"op":"replace","path":"/b","value":3}]"#), ("--merge-patch", r#"{"b":3}"#)]
    {
        let room = Room::new();
        set(&room, "d.json", document);
        let given = format!("d.json={}", room.file("given", edit).display());
        apply(&room, &room.json(&["propose", "--title", "T", flag, &given]));
        assert_eq!(room.good(&["doc", "cat", "d.json"]), document.replace('2', "3"), "{flag}");
    }
}

/// B-65: a change that only adds the final line end was taken for none. It is a change, shown and made
/// exactly, and so is the way back.
#[test]
fn b65_a_final_line_end_alone_is_a_change() {
    let room = Room::new();
    set(&room, "t.txt", "a\nb");
    let mark = "\\ No newline at end of file\n";
    let added = format!("@@ -1,2 +1,2 @@\n a\n-b\n{mark}+b\n");
    let taken = format!("@@ -1,2 +1,2 @@\n a\n-b\n+b\n{mark}");
    for (hunk, after) in [(&added, "a\nb\n"), (&taken, "a\nb")] {
        let proposed = patch(&room, &format!("--- a/t.txt\n+++ b/t.txt\n{hunk}"));
        let which = number(&proposed, "proposal").to_string();
        let shown = room.good(&["show", &which, "--diff"]);
        assert!(shown.contains("+1 −1") && shown.contains(hunk.as_str()), "{shown}");
        let lines = &room.json(&["show", &which, "--diff"])["diff"]["changes"][0]["hunks"][0]["lines"];
        let told = |n: usize| (&lines[n]["kind"], &lines[n]["no_newline"]);
        let before = after == "a\nb\n";
        assert_eq!(told(1), (&json!("remove"), &json!(before)));
        assert_eq!(told(2), (&json!("add"), &json!(!before)));
        apply(&room, &proposed);
        assert_eq!(bytes(&room, "t.txt"), after.as_bytes());
        // It is not made twice: neither onto itself, nor onto a document that has it.
        refused(&room, &[("--patch", "", &format!("--- a/t.txt\n+++ b/t.txt\n{hunk}"))]);
    }
    // As whole content too.
    set(&room, "t.txt", "a\nb\n");
    assert_eq!(bytes(&room, "t.txt"), b"a\nb\n");
}

/// B-67: a diff that adds an empty file, which has no hunk, was refused. It makes the empty document.
#[test]
fn b67_an_empty_file_is_made() {
    let room = Room::new();
    let diff = |name: &str, mode: &str| {
        format!("diff --git a/{name} b/{name}\nnew file mode {mode}\nindex 0000000..e69de29\n")
    };
    // Alone, and between others.
    let one = patch(&room, &diff("empty.txt", "100644"));
    assert!(room.good(&["show", "1", "--diff"]).contains("+ empty.txt  new"));
    apply(&room, &one);
    let other =
        "diff --git a/t.txt b/t.txt\nnew file mode 100644\n--- /dev/null\n+++ b/t.txt\n@@ -0,0 +1 @@\n+t\n";
    let more = [&diff("a/first", "100755"), other, &diff("a/last", "100644")].concat();
    apply(&room, &patch(&room, &more));
    for path in ["empty.txt", "a/first", "a/last"] {
        assert_eq!(bytes(&room, path), b"", "{path}");
    }
    let out = room.path().join("out");
    room.good(&["doc", "export", &out.to_string_lossy()]);
    assert_eq!(std::fs::metadata(out.join("empty.txt")).expect("it was exported").len(), 0);
    let list = room.json(&["doc", "list", "--all"]);
    let rows: Vec<_> =
        list["items"].as_array().expect("items").iter().map(|r| (&r["path"], &r["mode"])).collect();
    let row = |path, mode| (json!(path), json!(mode));
    let wanted = [
        row("a/first", "100755"),
        row("a/last", "100644"),
        row("empty.txt", "100644"),
        row("t.txt", "100644"),
    ];
    assert_eq!(rows, wanted.iter().map(|(p, m)| (p, m)).collect::<Vec<_>>());
    // Where it is there already, that is said, whatever it holds.
    assert_eq!(code(&refused(&room, &[("--patch", "", &diff("empty.txt", "100644"))])), "proposal.no_change");
    refused(&room, &[("--patch", "", &diff("t.txt", "100644"))]);
    assert_eq!(bytes(&room, "t.txt"), b"t\n");
}

/// B-69: a deletion left a file of no bytes, for its `/dev/null` was lost on the way. The document is
/// gone, and the ledger says deleted; an empty document is something else.
#[test]
fn b69_a_deletion_takes_the_document_away() {
    let git = "diff --git a/t.txt b/t.txt\ndeleted file mode 100644\nindex 1b2c3d4..0000000\n--- a/t.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    let plain = "--- t.txt\t2026-01-02 03:04:05.000000000 +0700\n+++ /dev/null\t1970-01-01 00:00:00.000000000 +0000\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    let emptied = "--- a/t.txt\n+++ b/t.txt\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    for (diff, gone) in [(git, true), (plain, true), (emptied, false)] {
        let room = Room::new();
        set(&room, "t.txt", "a\nb\n");
        let proposed = patch(&room, diff);
        let shown = room.good(&["show", "2", "--diff"]);
        assert_eq!(shown.contains("− t.txt  deleted"), gone, "{shown}");
        apply(&room, &proposed);
        let out = room.path().join("out");
        room.good(&["doc", "export", &out.to_string_lossy()]);
        let change = &room.ledger()[1]["changes"][0];
        if gone {
            let (exit, problem) = room.refused(&["doc", "cat", "t.txt"]);
            assert_eq!((exit, code(&problem)), (1, "document.not_found"));
            assert_eq!((&change["op"], &change["after"]), (&json!("delete"), &json!("absent")));
        } else {
            assert_eq!(bytes(&room, "t.txt"), b"");
            assert_eq!((&change["op"], &change["bytes"]), (&json!("replace"), &json!(0)));
        }
        assert_eq!(out.join("t.txt").exists(), !gone);
        // A deletion of something else than what is there is none.
        set(&room, "u.txt", "a\nb\nmore\n");
        if gone {
            let problem = refused(&room, &[("--patch", "", &diff.replace("t.txt", "u.txt"))]);
            assert_eq!(code(&problem), "patch.mismatch", "{problem}");
        }
    }
}

/// A JSON Patch of these operations on `d.json` is refused.
fn refused_edit(room: &Room, operations: &[Value]) -> Value {
    tried(room, &[("--json-patch", "d.json", &Value::from(operations).to_string())])
}

const DOCUMENT: &str = "{\"bar\": [1, 2],\n \"foo\": \"s\", \"n\": 7, \"no\": null}\n";

/// B-75: indices that are none, and one past the end, were applied in silence. Each is refused, by name.
#[test]
fn b75_an_index_that_is_none_is_refused() {
    let room = Room::new();
    set(&room, "d.json", DOCUMENT);
    room.file("given0", "");
    let before = held(&room);
    for index in ["-1", "00", "01", "1.5", "1e0", "+1", "1 ", "8", "3", "18446744073709551616", "\u{661}"] {
        let path = format!("/bar/{index}");
        for operation in [
            json!({"op": "add", "path": path, "value": 5}),
            json!({"op": "replace", "path": path, "value": 5}),
            json!({"op": "remove", "path": path}),
            json!({"op": "test", "path": path, "value": 2}),
            json!({"op": "copy", "from": path, "path": "/x"}),
            json!({"op": "move", "from": "/foo", "path": path}),
        ] {
            let problem = refused_edit(&room, std::slice::from_ref(&operation));
            assert_eq!(code(&problem), "patch.mismatch", "{operation}");
            assert_eq!((&problem["value"], &problem["path"]), (&json!(path), &json!("d.json")));
            assert!(string(&problem, "detail").contains(&path), "{problem}");
        }
    }
    let problem = refused_edit(&room, &[json!({"op": "add", "path": "/bar/0"})]);
    assert_eq!(code(&problem), "patch.invalid");
    assert!(string(&problem, "detail").contains("\"value\" is missing"), "{problem}");
    assert!(string(&problem, "hint").contains("RFC 6902"), "the way out is not diff -u alone: {problem}");
    assert_eq!(held(&room), before, "refusals leave nothing");
    // What is an index is one.
    for (index, after) in [("0", "[5, 1, 2]"), ("2", "[1, 2, 5]"), ("-", "[1, 2, 5]")] {
        let room = Room::new();
        set(&room, "d.json", DOCUMENT);
        let edit = json!([{"op": "add", "path": format!("/bar/{index}"), "value": 5}]).to_string();
        let given = format!("d.json={}", room.file("given", edit).display());
        apply(&room, &room.json(&["propose", "--title", "T", "--json-patch", &given]));
        assert_eq!(room.good(&["doc", "cat", "d.json"]), DOCUMENT.replace("[1, 2]", after));
    }
}

/// B-77: the number of the operation that failed was always 0. It is the one that failed, counted from 1
/// for people and by its index for programs, with its path.
#[test]
fn b77_the_operation_that_fails_is_named() {
    let room = Room::new();
    set(&room, "d.json", DOCUMENT);
    room.file("given0", "");
    let before = held(&room);
    let good = |n: usize| json!({"op": "add", "path": format!("/g{n}"), "value": n});
    for wrong in 0..4 {
        let mut operations: Vec<Value> = (0..4).map(good).collect();
        operations[wrong] = json!({"op": "remove", "path": "/none"});
        let problem = refused_edit(&room, &operations);
        assert_eq!(code(&problem), "patch.mismatch");
        assert_eq!(problem["operation"], wrong + 1);
        assert_eq!(problem["field"], format!("changes[0].patch[{wrong}]"));
        assert_eq!(problem["value"], "/none");
        let detail = string(&problem, "detail");
        assert!(detail.contains(&format!("operation {} (remove /none)", wrong + 1)), "{detail}");
        operations[wrong] = json!({"op": "sing", "path": "/none"});
        let problem = refused_edit(&room, &operations);
        assert_eq!((code(&problem), &problem["operation"]), ("patch.invalid", &json!(wrong + 1)));
    }
    assert_eq!(held(&room), before, "refusals leave nothing");
    // And the change that it belongs to, among several.
    let good = json!([good(0)]).to_string();
    let flags = [
        ("--put", "n.txt", "new\n"),
        ("--json-patch", "d.json", &*good),
        (
            "--json-patch",
            "d.json",
            r#"[{"op":"test","path":"/g0","value":0},{"op":"remove","path":"/none"}]"#,
        ),
    ];
    let problem = refused(&room, &flags);
    assert_eq!((&problem["field"], &problem["operation"]), (&json!("changes[2].patch[1]"), &json!(2)));
}

/// B-79: a pointer walked into a string as if it were an array. What is neither an object nor an array
/// has nothing in it.
#[test]
fn b79_a_pointer_does_not_lead_into_a_scalar() {
    let room = Room::new();
    set(&room, "d.json", DOCUMENT);
    room.file("given0", "");
    let before = held(&room);
    for (pointer, scalar) in [
        ("/foo/0", "/foo"),
        ("/foo/-", "/foo"),
        ("/foo/length", "/foo"),
        ("/n/0", "/n"),
        ("/no/x", "/no"),
        ("/bar/0/0", "/bar/0"),
    ] {
        for operation in [
            json!({"op": "test", "path": pointer, "value": "s"}),
            json!({"op": "add", "path": pointer, "value": "s"}),
            json!({"op": "remove", "path": pointer}),
            json!({"op": "replace", "path": pointer, "value": "s"}),
            json!({"op": "copy", "from": pointer, "path": "/x"}),
        ] {
            let problem = refused_edit(&room, std::slice::from_ref(&operation));
            assert_eq!((code(&problem), &problem["value"]), ("patch.mismatch", &json!(pointer)));
            let wanted = format!("{scalar} is neither an object nor an array");
            assert!(string(&problem, "detail").contains(&wanted), "{operation}: {problem}");
        }
    }
    assert_eq!(held(&room), before, "refusals leave nothing");
}
