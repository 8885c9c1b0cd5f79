//! P7: a second implementation, in Python from docs/format.md, agrees with exports: of the demo, and of
//! a room where changes came in every form, were carried on, divided and taken back.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use sekali_tests::{Room, number, parse, repository, string, text};

/// Exports everything into a folder of the room's.
fn export(room: &Room, name: &str) -> PathBuf {
    let out = room.path().join(name);
    let folder = out.to_string_lossy();
    room.good(&["ledger", "export", "--out", &folder, "--format", "jsonl,csv", "--content"]);
    out
}

fn verify(folder: &Path) -> Output {
    let script = repository().join("tests/second/verify.py");
    Command::new("python3").arg(script).arg(folder).output().expect("python3 is installed")
}

/// The export is as the page says. What the verifier printed.
fn agrees(folder: &Path) -> String {
    let good = verify(folder);
    assert!(good.status.success(), "{}{}", text(&good.stdout), text(&good.stderr));
    text(&good.stdout)
}

/// One changed byte in each file is found: agreeing means something.
fn finds_changed_bytes(out: &Path) {
    for name in ["ledger.jsonl", "revisions.jsonl", "contents.jsonl", "root.json", "ledger.csv"] {
        let path = out.join(name);
        let whole = std::fs::read(&path).expect("a file of the export");
        let mut broken = whole.clone();
        let at = broken.iter().rposition(u8::is_ascii_digit).expect("a digit");
        broken[at] = if broken[at] == b'7' { b'3' } else { b'7' };
        std::fs::write(&path, &broken).expect("a temporary folder can be written");
        assert!(!verify(out).status.success(), "{name}: a changed byte was not found");
        std::fs::write(&path, &whole).expect("a temporary folder can be written");
    }
    agrees(out);
}

#[test]
fn the_second_implementation_agrees_with_the_demo() {
    for lang in ["en", "id"] {
        let room = Room::nothing();
        room.good(&["demo", "--lang", lang, "--store", &room.store().to_string_lossy()]);
        let out = export(&room, "export");
        println!("{}", agrees(&out).lines().last().unwrap_or_default());
        finds_changed_bytes(&out);
    }
}

/// Proposes, with the content of each file in place of its name.
fn propose(room: &Room, flags: &[(&str, &str, &str)]) -> u64 {
    let mut args = vec!["propose".to_owned(), "--title".to_owned(), "T".to_owned()];
    for (n, (flag, path, content)) in flags.iter().enumerate() {
        let value = match *flag {
            "--base" => format!("{path}={content}"),
            "--patch" => room.file(&format!("given{n}"), content).display().to_string(),
            _ => format!("{path}={}", room.file(&format!("given{n}"), content).display()),
        };
        args.extend([(*flag).to_owned(), value]);
    }
    number(&room.json(&args.iter().map(String::as_str).collect::<Vec<_>>()), "proposal")
}

fn apply(room: &Room, number: u64) {
    assert_eq!(room.json(&["apply", &number.to_string(), "--yes"])["outcome"], "applied", "#{number}");
}

fn thirty_lines() -> String {
    let line = |n: u32| format!("line {n}\n");
    (1..=30).map(line).collect()
}

/// A hunk that changes one line of thirty.
fn hunk(line: u32, to: &str) -> String {
    let (above, below) = (line - 1, line + 1);
    format!("@@ -{above},3 +{above},3 @@\n line {above}\n-line {line}\n+{to}\n line {below}\n")
}

const HEAD: &str = "--- a/t.txt\n+++ b/t.txt\n";

/// Everything that git's form can say of a file, hunks that are not at their lines among it.
const FORMS: &str = "--- a/t.txt
+++ b/t.txt
@@ -4,3 +4,3 @@
 line 5
-line 6
+LINE 6
 line 7
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/empty.txt b/empty.txt
new file mode 100755
diff --git a/old.txt b/new name.txt
similarity index 100%
rename from old.txt
rename to new name.txt
diff --git a/tool.sh b/tool.sh
old mode 100644
new mode 100755
";

fn put<'a>(path: &'a str, content: &'a str) -> (&'a str, &'a str, &'a str) {
    ("--put", path, content)
}

/// Changes that came as patches and edits, several forms in one. What the last of them is.
fn in_every_form(room: &Room) -> u64 {
    let thirty = thirty_lines();
    let start = [
        put("t.txt", &thirty),
        put("gone.txt", "gone\n"),
        put("back.txt", "it goes and comes back\n"),
        put("base.txt", "read\n"),
        put("old.txt", "old\n"),
        put("tool.sh", "#!/bin/sh\n"),
        put("d.json", "{\"a\": 1.50, \"b\": [1]}\n"),
    ];
    apply(room, propose(room, &start));
    let forms = propose(
        room,
        &[
            ("--patch", "", FORMS),
            ("--json-patch", "d.json", r#"[{"op":"add","path":"/b/-","value":9007199254740993}]"#),
            ("--merge-patch", "d.json", r#"{"a":null,"c":{"d":"é"}}"#),
        ],
    );
    apply(room, forms);
    let json: Value = parse(&room.good(&["doc", "cat", "d.json"]));
    assert_eq!(json, parse(r#"{"b":[1,9007199254740993],"c":{"d":"é"}}"#));
    forms
}

/// Proposals that were carried on: one without a conflict, one with a side chosen.
fn carried_on(room: &Room) {
    let change = |line, to| propose(room, &[("--patch", "", &format!("{HEAD}{}", hunk(line, to)))]);
    let (clean, chosen, other) = (change(12, "clean"), change(20, "after"), change(20, "now"));
    apply(room, other);
    for (number, how) in [(clean, &[][..]), (chosen, &["--take", "t.txt=after"])] {
        let rebased = room.json(&[&["rebase", &number.to_string()], how].concat());
        assert_eq!(rebased["revision"], 2, "#{number}");
        apply(room, number);
    }
    // One that was stale when it came.
    let list = room.json(&["doc", "list", "--all"]);
    let read = list["items"].as_array().expect("items").iter().find(|row| row["path"] == "base.txt");
    let base = string(read.expect("it is there"), "digest");
    apply(room, propose(room, &[put("base.txt", "other\n")]));
    let late = propose(room, &[put("base.txt", "mine\n"), ("--base", "base.txt", &base)]);
    let rebased = room.json(&["rebase", &late.to_string(), "--take", "base.txt=after"]);
    assert_eq!(rebased["revision"], 2);
    apply(room, late);
}

/// A proposal divided by hunks: its number, and its rest's.
fn divided(room: &Room, one: u32, two: u32) -> (u64, u64) {
    let diff = format!("{HEAD}{}{}", hunk(one, "part"), hunk(two, "rest"));
    let whole = propose(room, &[("--patch", "", &diff)]);
    let split = room.json(&["split", &whole.to_string(), "--take", "t.txt:1"]);
    assert_eq!(number(&split["taken"], "proposal"), whole);
    (whole, number(&split["rest"], "proposal"))
}

/// A change whose base was another version with the same content: the ledger's `before` is not the
/// revision's `base`.
fn applied_on_another_version(room: &Room, number: u64) {
    let base = room.json(&["show", &number.to_string()])["changes"][0]["base"].clone();
    apply(room, number);
    let ledger = room.ledger();
    let before = &ledger.last().expect("an entry")["changes"][0]["before"];
    assert!(before.is_string() && *before != base, "#{number}: {before}");
}

#[test]
fn the_second_implementation_agrees_with_changes_of_every_form_and_origin() {
    let room = Room::new();
    let forms = in_every_form(&room);
    agrees(&export(&room, "forms"));
    carried_on(&room);
    agrees(&export(&room, "carried"));
    // Of one the part is applied, then the rest; the rest of the other waits for what comes in another
    // revision.
    let (part, rest) = divided(&room, 3, 26);
    agrees(&export(&room, "divided"));
    apply(&room, part);
    agrees(&export(&room, "half"));
    apply(&room, rest);
    let (second, later) = divided(&room, 9, 17);
    let coming = room.json(&["show", &second.to_string(), "--diff"]);
    let again = room.good(&["doc", "cat", "t.txt"]).replace("line 9\n", "part\n");
    let file = format!("t.txt={}", room.file("again", again).display());
    let revised = room.json(&["revise", &second.to_string(), "--title", "Again", "--put", &file]);
    assert_ne!(coming["digest"], revised["digest"]);
    apply(&room, second);
    applied_on_another_version(&room, later);
    // What was there comes back while a change waits.
    let waits = propose(&room, &[put("back.txt", "not now\n")]);
    apply(&room, propose(&room, &[put("back.txt", "else\n")]));
    apply(&room, propose(&room, &[put("back.txt", "it goes and comes back\n")]));
    applied_on_another_version(&room, waits);
    agrees(&export(&room, "returned"));
    // Taken back: one, several, and a taking back.
    let revert = |numbers: &[u64]| {
        let named: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let args: Vec<&str> = ["revert"].into_iter().chain(named.iter().map(String::as_str)).collect();
        number(&room.json(&args), "proposal")
    };
    apply(&room, revert(&[later]));
    let several = revert(&[rest, forms]);
    apply(&room, several);
    apply(&room, revert(&[several]));
    agrees(&export(&room, "undone"));
    // And while some of each kind wait, or will never be.
    let (kept, _) = divided(&room, 14, 24);
    room.good(&["reject", &kept.to_string(), "--reason", "Not now"]);
    let (_, gone) = divided(&room, 14, 24);
    room.good(&["withdraw", &gone.to_string()]);
    revert(&[part]);
    divided(&room, 14, 24);
    room.sound();
    let out = export(&room, "all");
    let told = agrees(&out);
    println!("{}", told.lines().last().unwrap_or_default());
    finds_changed_bytes(&out);
}

#[test]
fn the_second_implementation_agrees_with_the_page() {
    let out = Command::new("python3")
        .arg(repository().join("tests/second/verify.py"))
        .arg("--self-test")
        .output()
        .expect("python3 is installed");
    assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
}
