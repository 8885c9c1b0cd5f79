//! Real input through the real doors: webhook payloads, naughty strings, JCS documents, names.
//! Corpora are read from `$SEKALI_CORPORA`; without it these are listed as skipped.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sekali_core::change::Submitted;
use sekali_core::decide::Outcome;
use sekali_core::role::Seen;
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{Code, DocPath, Door};
use sekali_engine::{Caller, Engine, Failure};
use sekali_store_sqlite::{Options, SqliteStore};
use sekali_tests::{Room, corpora, number, parse, text};

struct Desk {
    engine: Engine,
    caller: Caller,
    _folder: tempfile::TempDir,
}

const ROOM: &str = "main";

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store =
            SqliteStore::create(&folder.path().join("s.db"), Options::default()).expect("a fresh folder");
        let engine = Engine::new(Arc::new(store));
        let name = ActorName::parse("as", "Ani").expect("a plain name");
        let caller = Caller { name, door: Door::Http, os_user: None };
        engine.create_room(&caller, ROOM, "Main").expect("a fresh store");
        Self { engine, caller, _folder: folder }
    }

    fn submit(&self, title: &str, path: &str, content: &[u8]) -> Result<u64, Failure> {
        let path = DocPath::parse("changes[0].path", path)?;
        let changes = vec![Submitted::put(path, content)];
        let submission = Submission { why: title.to_owned(), ..Submission::new(title, changes) };
        Ok(self.engine.submit(&self.caller, ROOM, submission)?.number)
    }

    fn apply(&self, number: u64) {
        let outcome = self.engine.apply(&self.caller, ROOM, number, Seen::Nothing).expect("a good store");
        assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
        let outcome = self.engine.apply(&self.caller, ROOM, number, Seen::Nothing).expect("a good store");
        assert!(matches!(outcome, Outcome::Replayed(..)), "{outcome:?}");
    }

    fn content(&self, path: &str) -> Vec<u8> {
        let path = DocPath::parse("path", path).expect("a path that was accepted");
        self.engine.document(&self.caller, ROOM, &path, None).expect("a document").1
    }

    fn sound(&self, entries: u64) {
        let report = self.engine.check(&mut |_, _| {}).expect("a good store");
        assert_eq!((report.problems, report.entries), (Vec::new(), entries));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of the corpora") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_webhook_payload_is_applied_once_by_two_doors() {
    let Some(corpora) = corpora() else { return };
    let room = Room::new();
    let payloads = files(&corpora.join("webhook-payloads"));
    assert!(payloads.len() > 5, "there are payloads");
    for (n, payload) in (1u64..).zip(&payloads) {
        let name = payload.strip_prefix(&corpora).expect("of the corpora").display().to_string();
        let put = format!("{name}={}", payload.display());
        let proposed = room.json(&["propose", "--title", &name, "--put", &put]);
        assert_eq!(number(&proposed, "proposal"), n, "{name}");
        // The command line, then another process through the engine.
        assert_eq!(room.json(&["apply", &n.to_string(), "--yes"])["outcome"], "applied", "{name}");
        let out = room.run(&["doc", "cat", &name]);
        assert!(out.status.success());
        assert_eq!(out.stdout, std::fs::read(payload).expect("a payload"), "{name}: byte for byte");
    }
    let store = SqliteStore::open(&room.store(), Options::default()).expect("the room's store");
    let engine = Engine::new(Arc::new(store));
    let name = ActorName::parse("as", "Ani").expect("a plain name");
    let caller = Caller { name, door: Door::Http, os_user: None };
    for n in 1..=payloads.len() as u64 {
        let outcome = engine.apply(&caller, ROOM, n, Seen::Nothing).expect("a good store");
        assert!(matches!(outcome, Outcome::Replayed(..)), "{outcome:?}");
    }
    assert_eq!(room.ledger().len(), payloads.len());
    room.sound();
}

#[test]
fn naughty_strings_are_kept_unchanged_or_refused_with_a_reason() {
    let Some(corpora) = corpora() else { return };
    let list = std::fs::read_to_string(corpora.join("naughty-strings/blns.json")).expect("the corpus");
    let strings: Vec<String> = serde_json::from_str(&list).expect("an array of strings");
    let desk = Desk::new();
    let (mut entries, mut refused) = (0, 0);
    for (n, naughty) in strings.iter().enumerate() {
        // As content, always exact; as a title, where a title can hold it.
        let path = format!("content/{n}.txt");
        let title = match desk.submit(naughty, &path, naughty.as_bytes()) {
            Ok(number) => {
                let shown = desk.engine.view(&desk.caller, ROOM, number).expect("a proposal");
                assert_eq!((&shown.current.title, &shown.current.why), (naughty, naughty), "kept unchanged");
                desk.apply(number);
                true
            }
            Err(Failure::Refused(refusal)) => {
                assert!([Code::ProposalInvalid, Code::LimitExceeded].contains(&refusal.code), "{refusal:?}");
                assert!(refusal.facts.field.is_some(), "{refusal:?}");
                let number = desk.submit("plain", &path, naughty.as_bytes()).expect("a plain title");
                desk.apply(number);
                false
            }
            Err(other) => panic!("{naughty:?}: {other}"),
        };
        entries += 1;
        refused += usize::from(!title);
        assert_eq!(desk.content(&path), naughty.as_bytes());
        // As a path.
        match desk.submit("path", &format!("paths/{n}/{naughty}"), b"x") {
            Ok(number) => {
                desk.apply(number);
                entries += 1;
                assert_eq!(desk.content(&format!("paths/{n}/{naughty}")), b"x");
            }
            Err(Failure::Refused(refusal)) => {
                assert!([Code::PathInvalid, Code::LimitExceeded].contains(&refusal.code), "{refusal:?}");
            }
            Err(other) => panic!("{naughty:?}: {other}"),
        }
    }
    println!("{} strings, {refused} refused as titles, {entries} entries", strings.len());
    assert!(refused < strings.len() / 4, "most strings are titles");
    desk.sound(entries);
}

#[test]
fn naughty_strings_come_back_through_the_command_line() {
    let Some(corpora) = corpora() else { return };
    let list = std::fs::read_to_string(corpora.join("naughty-strings/blns.json")).expect("the corpus");
    let strings: Vec<String> = serde_json::from_str(&list).expect("an array of strings");
    let room = Room::new();
    let file = room.file("c", "x");
    for (n, naughty) in strings.iter().enumerate().filter(|(n, s)| n % 7 == 0 && !s.contains('\0')) {
        let put = format!("{n}.txt={}", file.display());
        let title = format!("--title={naughty}");
        let out = room.run(&["propose", &title, "--put", &put, "--json"]);
        if out.status.success() {
            let number = number(&parse(&text(&out.stdout)), "proposal").to_string();
            assert_eq!(room.json(&["show", &number])["title"], **naughty);
            // For people, nothing of it reaches the terminal as a control sequence.
            let shown = room.good(&["show", &number]);
            assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown:?}");
        } else {
            let problem = parse(&text(&out.stderr));
            assert_eq!((out.status.code(), problem["field"].as_str()), (Some(1), Some("title")), "{problem}");
        }
    }
}

#[test]
fn jcs_documents_come_back_byte_for_byte_and_canonicalise_exactly() {
    let Some(corpora) = corpora() else { return };
    let desk = Desk::new();
    let mut entries = 0;
    for side in ["input", "output"] {
        for path in files(&corpora.join("jcs").join(side)) {
            let content = std::fs::read(&path).expect("a document");
            let name = format!("{side}/{}", path.file_name().expect("a name").to_string_lossy());
            desk.apply(desk.submit(&name, &name, &content).expect("a good document"));
            entries += 1;
            assert_eq!(desk.content(&name), content, "{name}");
        }
    }
    desk.sound(entries);
    for path in files(&corpora.join("jcs/input")) {
        let input: serde_json::Value = parse(&std::fs::read_to_string(&path).expect("a document"));
        let name = path.file_name().expect("a name");
        let expected = std::fs::read(corpora.join("jcs/output").join(name)).expect("its output");
        let ours = serde_json_canonicalizer::to_vec(&input).expect("JSON");
        assert_eq!(text(&ours), text(&expected).trim_end(), "{}", name.display());
    }
}

#[test]
fn names_go_by_their_rules() {
    let Some(corpora) = corpora() else { return };
    let list = std::fs::read_to_string(corpora.join("path-traversal/names-own.json")).expect("the corpus");
    let names: Vec<String> = serde_json::from_str(&list).expect("an array of strings");
    // What the documented rules refuse; everything else is a name like any other.
    let refused = |name: &str| {
        let long = name.split('/').any(|s| s.len() > 255);
        long || [
            "CON",
            "PRN",
            "NUL",
            "COM1",
            "LPT9",
            "a.",
            "a...",
            "file::$DATA",
            "C:x",
            "\\\\?\\C:\\x",
            "a/b\\..\\..\\c",
            ".GIT/config",
            "git~1/config",
            "a/./b",
            "/etc/passwd",
            "../",
            "./../x",
            "..\\x",
            "a\nb",
            " a",
            "",
            "a\u{202e}txt.exe",
        ]
        .contains(&name)
    };
    let desk = Desk::new();
    let (mut good, mut bad) = (0, 0);
    for name in &names {
        match desk.submit("name", name, name.as_bytes()) {
            Ok(number) => {
                assert!(!refused(name), "{name:?} was accepted");
                desk.apply(number);
                assert_eq!(desk.content(name), name.as_bytes());
                good += 1;
            }
            Err(Failure::Refused(refusal)) => {
                assert!(refused(name), "{name:?} was refused: {refusal}");
                assert!(matches!(refusal.code, Code::PathInvalid | Code::LimitExceeded), "{refusal:?}");
                bad += 1;
            }
            Err(other) => panic!("{name:?}: {other}"),
        }
    }
    println!("{good} names accepted, {bad} refused");
    assert!(good >= 8 && bad >= 18);
    // Case and composition: README and ReadMe are one document.
    assert_eq!(desk.content("README"), desk.content("readme"));
}

#[test]
fn traversals_never_leave_the_room() {
    let Some(corpora) = corpora() else { return };
    let desk = Desk::new();
    let room = Room::new();
    let mut lines = 0;
    for file in
        files(&corpora.join("path-traversal")).iter().filter(|f| f.extension().is_some_and(|e| e == "txt"))
    {
        let content = std::fs::read(file).expect("a list");
        for line in text(&content).lines().filter(|l| !l.is_empty()).take(400) {
            lines += 1;
            match desk.submit("traversal", line, b"x") {
                Ok(_) => assert!(
                    !line.split('/').any(|s| s == ".." || s == "." || s.is_empty()) && !line.contains('\\'),
                    "{line:?} was accepted"
                ),
                Err(Failure::Refused(refusal)) => {
                    assert!(
                        matches!(refusal.code, Code::PathInvalid | Code::LimitExceeded | Code::PathCollision),
                        "{refusal:?}"
                    );
                }
                Err(other) => panic!("{line:?}: {other}"),
            }
        }
    }
    println!("{lines} lines");
    assert!(lines > 100);
    drop(room);
}
