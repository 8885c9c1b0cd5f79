//! The rows of the corpora about forms of change, as cases for any door: the documents that a room
//! holds, one change, and what must come of it.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Documents by path.
pub type Documents = BTreeMap<String, Vec<u8>>;

/// One row.
#[derive(Debug, Clone)]
pub struct Case {
    /// Corpus and row.
    pub name: String,
    /// What the room holds.
    pub files: Documents,
    /// What is asked for.
    pub change: Change,
    /// What must come of it.
    pub expect: Expect,
}

/// One change in its own form.
#[derive(Debug, Clone)]
pub enum Change {
    /// A unified diff.
    Patch {
        /// Its bytes.
        diff: Vec<u8>,
        /// As `--strip` says.
        strip: Option<u32>,
    },
    /// An edit of a JSON document.
    Json {
        /// `json_patch` or `merge_patch`.
        op: &'static str,
        /// The document.
        path: String,
        /// The patch's text.
        patch: String,
    },
}

/// What must come of a case.
#[derive(Debug, Clone)]
pub enum Expect {
    /// The room holds exactly this.
    Becomes(Documents),
    /// The one document's JSON is equal to this.
    Json(Value),
    /// It is refused under one of these codes, and its sentence holds this word.
    Refused(&'static [&'static str], &'static str),
    /// Either of both is right; nothing else is.
    May(Documents, &'static [&'static str]),
}

/// Codes of what a patch is refused under.
pub const PATCH: &[&str] = &["patch.invalid", "patch.mismatch"];

impl Change {
    /// As an element of `changes`.
    ///
    /// # Panics
    /// Where a JSON patch is not JSON: give it to the command line instead.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Patch { diff, strip } => {
                json!({"op": "patch", "diff_base64": STANDARD.encode(diff), "strip": strip})
            }
            Self::Json { op, path, patch } => {
                let patch: Value = serde_json::from_str(patch).expect("the corpus' patches are JSON");
                json!({"op": op, "path": path, "patch": patch})
            }
        }
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn parsed(path: &Path) -> Value {
    serde_json::from_slice(&read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every file of a folder, by its path within, but those named so.
fn folder(root: &Path, but: &str) -> Documents {
    fn walk(root: &Path, at: &Path, but: &str, found: &mut Documents) {
        let Ok(entries) = std::fs::read_dir(at) else { return };
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, but, found);
            } else if path.file_name().is_none_or(|name| name != but) {
                let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
                found.insert(name, read(&path));
            }
        }
    }
    let mut found = Documents::new();
    walk(root, root, but, &mut found);
    found
}

/// Patches as language models write them.
pub fn llm(corpora: &Path) -> Vec<Case> {
    let rows = parsed(&corpora.join("patches-llm/cases.json"));
    let row = |row: &Value| {
        let id = row["id"].as_str().expect("a row has an id");
        let files = row["files"].as_object().expect("files by path");
        let files: Documents =
            files.iter().map(|(p, c)| (p.clone(), c.as_str().expect("text").as_bytes().to_vec())).collect();
        let with = |path: &str, text: &str| {
            let mut after = files.clone();
            after.insert(path.to_owned(), text.as_bytes().to_vec());
            after
        };
        // What a row says in words, for the rows whose result is said.
        let expect = match id {
            "udiff-spaces" => Expect::Becomes(with("dir name with spaces/file.txt", "Modified\n")),
            "wrong-line-number" => Expect::May(with("t.txt", "satu\ndua\ntiga\nEMPAT\nlima\nenam\n"), PATCH),
            "blank-context-lost-space" => Expect::May(with("t.txt", "satu\n\nTIGA\n"), PATCH),
            "bom" => Expect::May(with("t.txt", "\u{feff}SATU\ndua\n"), PATCH),
            "mixed-eol" => Expect::Becomes(with("t.txt", "a\r\nb\nC")),
            "udiff-ellipsis-header" => Expect::Refused(PATCH, "line number"),
            _ if row["format"] == "apply_patch" => Expect::Refused(&["patch.invalid"], "apply_patch"),
            // The document has the change already.
            "pure-insert-twice" => {
                Expect::Refused(&["patch.invalid", "patch.mismatch", "proposal.no_change"], "")
            }
            _ => Expect::Refused(PATCH, ""),
        };
        let diff = row["patch"].as_str().expect("a patch").as_bytes().to_vec();
        Case { name: format!("llm/{id}"), files, change: Change::Patch { diff, strip: None }, expect }
    };
    rows.as_array().expect("an array of rows").iter().map(row).collect()
}

/// What `git` and GNU patch read, and what they refuse.
pub fn compat(corpora: &Path) -> Vec<Case> {
    let root = corpora.join("patches-diffy-compat");
    let rows = parsed(&root.join("expectations.json"));
    let row = |row: &Value| {
        let text = |member: &str| row[member].as_str().expect("a word").to_owned();
        let (tool, name) = (text("tool"), text("case"));
        let at = root.join(&tool).join(&name);
        let files = folder(&at.join("in"), "foo.patch");
        let strip = row["strip"].as_u64().and_then(|n| u32::try_from(n).ok());
        let after = match name.as_str() {
            "create_empty_file_gitdiff" => Documents::from([("empty.txt".to_owned(), Vec::new())]),
            // What the patch deletes is gone, and not empty as the corpus has it (B-69).
            "nested_diff_signature" => {
                let mut after = folder(&at.join("out"), "");
                after.retain(|_, content| !content.is_empty());
                after
            }
            _ => folder(&at.join("out"), ""),
        };
        let may = row["reader_may_accept"] == true;
        let both = row["reference_tool_accepts"] == true;
        // Names that no document can have, for control characters in them.
        let name_is_good = !after.keys().any(|path| path.contains(|c: char| c.is_control()));
        let expect = match (may, both) {
            _ if name == "create_empty_file_gitdiff" => Expect::Becomes(after),
            _ if !name_is_good => Expect::Refused(&["path.invalid"], ""),
            (true, true) => Expect::Becomes(after),
            // Where two tools differ, refusing is safe.
            (true, false) => Expect::May(after, PATCH),
            (false, _) => Expect::Refused(PATCH, ""),
        };
        let diff = read(&at.join("in/foo.patch"));
        Case { name: format!("{tool}/{name}"), files, change: Change::Patch { diff, strip }, expect }
    };
    rows.as_array().expect("an array of rows").iter().map(row).collect()
}

/// Samples of many tools, in a room without their files: what is missing is named, never the syntax.
pub fn samples(corpora: &Path) -> Vec<Case> {
    let root = corpora.join("patches-samples");
    let mut cases = Vec::new();
    for (name, diff) in folder(&root, "") {
        if ["abc", "efg", "lao", "tzu"].iter().any(|plain| name.ends_with(&format!("/{plain}"))) {
            continue;
        }
        let text = String::from_utf8_lossy(&diff).into_owned();
        let has = |line: &str| text.lines().any(|l| l.starts_with(line));
        let unified = has("@@ -") || has("GIT binary patch") || has("rename from");
        let other = |word| Expect::Refused(&["patch.invalid"], word);
        let makes_all = name.ends_with("git_quoted_filename.diff")
            || name.ends_with("git_filenames_with_spaces_prefix.diff")
            || name.ends_with("git-oneline-add.diff");
        let expect = if !unified && has("***************") {
            other("context")
        } else if name.ends_with("diff-ed.diff") {
            other("ed")
        } else if !unified && text.contains("\n> ") {
            other("normal")
        } else if has("Binary files ") {
            other("binary")
        } else if name.ends_with("git_quoted_filename.diff") {
            Expect::Becomes(Documents::from([("A â B.py".to_owned(), b"hello\n".to_vec())]))
        } else if name.ends_with("git-oneline-add.diff") {
            // Its last line has no end, and no mark that says so.
            Expect::May(
                Documents::from([("oneline.txt".to_owned(), b"Adding a one-line file.\n".to_vec())]),
                PATCH,
            )
        } else if makes_all {
            Expect::May(
                Documents::from([("foo bar/baz".to_owned(), b"blah\n".to_vec())]),
                &["path.invalid", "patch.invalid"],
            )
        } else {
            Expect::Refused(&["document.not_found"], "")
        };
        for strip in [None, Some(1)] {
            if strip == Some(1)
                && !matches!(&expect, Expect::Refused(codes, _) if codes[0] == "patch.invalid")
            {
                continue;
            }
            let change = Change::Patch { diff: diff.clone(), strip };
            let name = format!("samples/{name} {strip:?}");
            cases.push(Case { name, files: Documents::new(), change, expect: expect.clone() });
        }
    }
    // And with their files, where those are there.
    let plain = |name: &str| read(&root.join("whatthepatch").join(name));
    for (patch, from, to) in [("diff-unified-blah.diff", "lao", "tzu"), ("diff-unified2.diff", "abc", "efg")]
    {
        let after = if patch == "diff-unified-blah.diff" {
            // The sample adds two lines to what `tzu` holds.
            [plain(to), b"blah\nblah\n".to_vec()].concat()
        } else {
            plain(to)
        };
        let files = Documents::from([(from.to_owned(), plain(from))]);
        let change = Change::Patch { diff: plain(patch), strip: None };
        let expect = Expect::May(Documents::from([(from.to_owned(), after)]), PATCH);
        cases.push(Case { name: format!("samples/{patch} with {from}"), files, change, expect });
    }
    let files = Documents::from([("lao".to_owned(), plain("lao"))]);
    let change = Change::Patch { diff: plain("diff-unified-bad.diff"), strip: None };
    let expect = Expect::Refused(&["patch.mismatch"], "tings");
    cases.push(Case { name: "samples/bad with lao".to_owned(), files, change, expect });
    cases
}

/// Patches that would leave the room, or its rules.
pub fn escapes(corpora: &Path) -> Vec<Case> {
    let row = |(name, diff): (String, Vec<u8>)| {
        let files =
            Documents::from([("in.txt".to_owned(), b"in\n".to_vec()), ("f".to_owned(), b"a\n".to_vec())]);
        let codes = &["path.invalid", "patch.invalid", "proposal.invalid", "document.not_found"];
        let expect = Expect::Refused(codes, "");
        Case { name: format!("escape/{name}"), files, change: Change::Patch { diff, strip: None }, expect }
    };
    folder(&corpora.join("patches-escape"), "").into_iter().map(row).collect()
}

fn document(value: &Value) -> Documents {
    let text = serde_json::to_string_pretty(value).expect("JSON") + "\n";
    Documents::from([("d.json".to_owned(), text.into_bytes())])
}

fn json_case(name: String, op: &'static str, doc: &Value, patch: &Value, expect: Expect) -> Case {
    let change = Change::Json { op, path: "d.json".to_owned(), patch: patch.to_string() };
    Case { name, files: document(doc), change, expect }
}

/// JSON Patch (RFC 6902).
pub fn json_patches(corpora: &Path) -> Vec<Case> {
    let root = corpora.join("json-patch");
    let refused = Expect::Refused(PATCH, "");
    let mut cases = Vec::new();
    for file in ["tests.json", "spec_tests.json"] {
        let rows = parsed(&root.join(file));
        for (n, row) in rows.as_array().expect("an array of rows").iter().enumerate() {
            if row["disabled"] == true {
                continue;
            }
            let expect = match (row.get("expected"), row.get("error")) {
                (Some(expected), _) => Expect::Json(expected.clone()),
                (None, Some(_)) => refused.clone(),
                (None, None) => Expect::Json(row["doc"].clone()),
            };
            let name = format!("json-patch/{file}/{n} {}", row["comment"].as_str().unwrap_or_default());
            cases.push(json_case(name, "json_patch", &row["doc"], &row["patch"], expect));
        }
    }
    for file in ["java-json-tools-add.json", "java-json-tools-move.json", "java-json-tools-test.json"] {
        let rows = parsed(&root.join(file));
        for kind in ["ops", "errors"] {
            for (n, row) in rows[kind].as_array().expect("an array of rows").iter().enumerate() {
                let expect =
                    if kind == "ops" { Expect::Json(row["expected"].clone()) } else { refused.clone() };
                let name = format!("json-patch/{file}/{kind}/{n}");
                let patch = Value::Array(vec![row["op"].clone()]);
                cases.push(json_case(name, "json_patch", &row["node"], &patch, expect));
            }
        }
    }
    cases
}

/// JSON Merge Patch (RFC 7396).
pub fn merge_patches(corpora: &Path) -> Vec<Case> {
    let root = corpora.join("json-merge-patch");
    let mut cases = Vec::new();
    let mut add = |name: String, doc: &Value, patch: &Value, expected: &Value| {
        cases.push(json_case(name, "merge_patch", doc, patch, Expect::Json(expected.clone())));
    };
    for (n, row) in parsed(&root.join("merge_tests.json")).as_array().expect("rows").iter().enumerate() {
        add(format!("merge/{n}"), &row["doc"], &row["patch"], &row["expected"]);
    }
    for row in parsed(&root.join("rfc7396-appendix-a.json")).as_array().expect("rows") {
        add(format!("merge/{}", row["id"]), &row["original"], &row["patch"], &row["result"]);
    }
    for row in parsed(&root.join("java-json-tools-patch-nonobject.json")).as_array().expect("rows") {
        add(format!("merge/non-object {row}"), &row["victim"], &row["patch"], &row["patch"]);
    }
    for value in parsed(&root.join("java-json-tools-serdeser-nonobject.json")).as_array().expect("rows") {
        add(format!("merge/any {value}"), &json!({"a": 1}), value, value);
    }
    cases
}

/// The JSON parsing test suite as documents under an edit that replaces the whole: `y_` takes it, `n_`
/// is refused, `i_` either.
pub fn suite(corpora: &Path) -> Vec<Case> {
    let row = |(name, content): (String, Vec<u8>)| {
        let expect = match &name[..2] {
            "y_" => Expect::Json(json!({"whole": 1.5})),
            "n_" => Expect::Refused(&["patch.mismatch"], ""),
            _ => Expect::May(
                Documents::from([("d.json".to_owned(), b"{\"whole\":1.5}".to_vec())]),
                &["patch.mismatch", "limit.exceeded"],
            ),
        };
        let change = Change::Json {
            op: "json_patch",
            path: "d.json".to_owned(),
            patch: r#"[{"op":"replace","path":"","value":{"whole":1.5}}]"#.to_owned(),
        };
        let files = Documents::from([("d.json".to_owned(), content)]);
        Case { name: format!("suite/{name}"), files, change, expect }
    };
    folder(&corpora.join("json-test-suite/test_parsing"), "").into_iter().map(row).collect()
}

/// Holds what came of a case against what must: the documents afterwards, or the refusal's code and
/// sentence.
///
/// # Panics
/// When it is something else.
pub fn hold(case: &Case, got: &Result<Documents, (String, String)>) {
    let name = &case.name;
    let refused = |codes: &[&str], code: &str| {
        assert!(codes.contains(&code), "{name}: refused under {code}, not one of {codes:?}: {got:?}");
    };
    match (&case.expect, got) {
        (Expect::Becomes(after) | Expect::May(after, _), Ok(documents)) => {
            if name.starts_with("suite/") {
                // White space round the whole stays, and which there is depends on the row.
                let value: Value = serde_json::from_slice(&documents["d.json"]).expect("JSON");
                assert_eq!(value, json!({"whole": 1.5}), "{name}");
            } else {
                assert_eq!(documents, after, "{name}");
            }
        }
        (Expect::May(_, codes), Err((code, _))) => refused(codes, code),
        (Expect::Json(expected), Ok(documents)) => {
            let value: Value = serde_json::from_slice(&documents["d.json"])
                .unwrap_or_else(|e| panic!("{name}: {e}: {documents:?}"));
            assert_eq!(&value, expected, "{name}");
        }
        // Equal to what was there: nothing would change.
        (Expect::Json(expected), Err((code, detail))) => {
            assert_eq!(code, "proposal.no_change", "{name}: {detail}");
            let value: Value =
                serde_json::from_slice(&case.files["d.json"]).expect("a document of the corpus");
            assert!(same_json(&value, expected), "{name}: {value} is not {expected}");
        }
        (Expect::Refused(codes, word), Err((code, detail))) => {
            refused(codes, code);
            assert!(detail.contains(word), "{name}: {detail:?} does not say {word:?}");
        }
        (expected, got) => panic!("{name}: {got:?} instead of {expected:?}"),
    }
}

/// Equal as JSON Patch's `test` compares: numbers by their value.
fn same_json(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same_json(v, w)))
        }
        _ => a == b,
    }
}
