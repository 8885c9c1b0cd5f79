//! Every form of change through the command line: the rows of the corpora, each in a store of its own.
//! What is refused leaves the room as it was, byte for byte.

use std::sync::Arc;

use rusqlite::Connection;
use sekali_core::change::Submitted;
use sekali_core::decide::Outcome;
use sekali_core::role::Seen;
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{DocPath, Door};
use sekali_engine::{Caller, Engine};
use sekali_store_sqlite::{Options, SqliteStore};
use sekali_tests::forms::{self, Case, Change, Documents};
use sekali_tests::{Room, corpora, number, parse, text};

const ROOM: &str = "main";

fn ani() -> Caller {
    let name = ActorName::parse("as", "Ani").expect("a plain name");
    Caller { name, door: Door::Cli, os_user: None }
}

/// A store that holds a case's documents, open in this process.
struct Desk {
    room: Room,
    engine: Engine,
}

impl Desk {
    fn with(files: &Documents) -> Self {
        let room = Room::nothing();
        let store = SqliteStore::create(&room.store(), Options::default()).expect("a fresh folder");
        let engine = Engine::new(Arc::new(store));
        engine.create_room(&ani(), ROOM, "Main").expect("a fresh store");
        let desk = Self { room, engine };
        if !files.is_empty() {
            let put = |(path, content): (&String, &Vec<u8>)| {
                Submitted::put(DocPath::parse("path", path).expect("a good path"), content.clone())
            };
            let submission = Submission::new("Before", files.iter().map(put).collect());
            let one = desk.engine.submit(&ani(), ROOM, submission).expect("good documents");
            desk.apply(one.number);
        }
        desk
    }

    fn apply(&self, number: u64) {
        let outcome = self.engine.apply(&ani(), ROOM, number, Seen::Nothing).expect("a good store");
        assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
    }

    fn documents(&self) -> Documents {
        let rows = self.engine.documents(&ani(), ROOM, None, 10_000).expect("a room");
        let content = |path: &DocPath| self.engine.document(&ani(), ROOM, path, None).expect("a document").1;
        rows.into_iter().map(|row| (row.row.path.to_string(), content(&row.row.path))).collect()
    }

    /// Every row of every table.
    fn rows(&self) -> Vec<String> {
        let conn = Connection::open(self.room.store()).expect("the store");
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let mut statement = conn.prepare(names).expect("a schema");
        let tables: Vec<String> = statement
            .query_map([], |row| row.get(0))
            .expect("names")
            .collect::<Result<_, _>>()
            .expect("names");
        let mut all = Vec::new();
        for table in tables {
            let mut statement = conn.prepare(&format!("SELECT * FROM {table:?}")).expect("a table");
            let columns = statement.column_count();
            let mut rows = statement.query([]).expect("rows");
            while let Some(row) = rows.next().expect("a row") {
                let value = |n| row.get::<_, rusqlite::types::Value>(n).expect("a value");
                let values: Vec<_> = (0..columns).map(value).collect();
                all.push(format!("{table} {values:?}"));
            }
        }
        all
    }

    /// The case through the command line.
    fn try_out(&self, case: &Case) -> Result<Documents, (String, String)> {
        let before = self.rows();
        let room = &self.room;
        let out = match &case.change {
            Change::Patch { diff, strip } => {
                let file = room.file("given.diff", diff).display().to_string();
                let strip = strip.map(|n| n.to_string());
                let mut args = vec!["propose", "--json", "--title", "T", "--patch", &file];
                args.extend(strip.iter().flat_map(|n| ["--strip", n.as_str()]));
                room.run(&args)
            }
            Change::Json { op, path, patch } => {
                let file = room.file("given.json", patch);
                let flag = if *op == "json_patch" { "--json-patch" } else { "--merge-patch" };
                let given = format!("{path}={}", file.display());
                room.run(&["propose", "--json", "--title", "T", flag, &given])
            }
        };
        if !out.status.success() {
            let problem = parse(&text(&out.stderr));
            assert_eq!(out.status.code(), Some(1), "{}: {problem}", case.name);
            assert_eq!(self.rows(), before, "{}: a refusal leaves nothing", case.name);
            let word = |member: &str| problem[member].as_str().unwrap_or_default().to_owned();
            return Err((word("code"), word("detail")));
        }
        let proposed = parse(&text(&out.stdout));
        let number = number(&proposed, "proposal");
        // What is shown is what comes of it, and shown as a patch it makes the same again.
        let shown = room.good(&["show", &number.to_string(), "--patch"]);
        self.apply(number);
        let documents = self.documents();
        let again = Desk::with(&case.files);
        let file = again.room.file("again.diff", &shown).display().to_string();
        again.room.good(&["propose", "--title", "T", "--patch", &file]);
        again.apply(if case.files.is_empty() { 1 } else { 2 });
        assert_eq!(again.documents(), documents, "{}: {shown}", case.name);
        Ok(documents)
    }
}

fn check(cases: &[Case], least: usize) {
    for case in cases {
        let desk = Desk::with(&case.files);
        let got = desk.try_out(case);
        forms::hold(case, &got);
    }
    assert!(cases.len() >= least, "the corpus has rows: {}", cases.len());
}

#[test]
fn patches_as_language_models_write_them() {
    let Some(corpora) = corpora() else { return };
    check(&forms::llm(&corpora), 10);
}

#[test]
fn patches_as_other_tools_read_them() {
    let Some(corpora) = corpora() else { return };
    check(&forms::compat(&corpora), 20);
}

#[test]
fn samples_of_patches() {
    let Some(corpora) = corpora() else { return };
    check(&forms::samples(&corpora), 25);
}

#[test]
fn patches_that_would_escape() {
    let Some(corpora) = corpora() else { return };
    check(&forms::escapes(&corpora), 5);
    assert!(!std::path::Path::new("/tmp/sekali-escape").exists());
}

#[test]
fn json_patches() {
    let Some(corpora) = corpora() else { return };
    check(&forms::json_patches(&corpora), 60);
}

#[test]
fn merge_patches() {
    let Some(corpora) = corpora() else { return };
    check(&forms::merge_patches(&corpora), 12);
}

#[test]
fn the_json_test_suite_as_documents() {
    let Some(corpora) = corpora() else { return };
    check(&forms::suite(&corpora), 120);
}
