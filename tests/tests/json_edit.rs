//! JSON edits held against other people's cases: the suites of JSON Patch and of Merge Patch, and
//! the parsing suite as documents. Corpora are read from `$SEKALI_CORPORA`; without it these are
//! listed as skipped.

use std::path::Path;

use sekali_core::json_edit::{is_json, json_patch, merge_patch};
use sekali_core::{Code, DocPath, Refusal};
use sekali_tests::corpora;
use serde_json::Value;

const FIELD: &str = "changes[0].patch";

fn path() -> DocPath {
    DocPath::parse("path", "d.json").expect("a plain path")
}

fn cases(file: &Path) -> Vec<Value> {
    let text = std::fs::read(file).expect("a file of the corpus");
    let value: Value =
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    match value {
        Value::Array(cases) => cases,
        other => panic!("{}: an array of cases, not {other}", file.display()),
    }
}

fn parsed(result: Result<Vec<u8>, Refusal>) -> Result<Value, Refusal> {
    result.map(|bytes| serde_json::from_slice(&bytes).expect("an edited document is JSON"))
}

/// Both ways to write a document: the edit must not depend on it.
fn written(document: &Value) -> [String; 2] {
    [document.to_string(), serde_json::to_string_pretty(document).expect("a value") + "\n"]
}

#[test]
fn the_json_patch_suites() {
    let Some(corpora) = corpora() else { return };
    let (mut applied, mut refused) = (0, 0);
    for file in ["tests.json", "spec_tests.json"] {
        for case in cases(&corpora.join("json-patch").join(file)) {
            if case["disabled"] == true || case.get("patch").is_none() {
                continue;
            }
            for document in written(&case["doc"]) {
                let patch = case["patch"].to_string();
                let got = parsed(json_patch(FIELD, &path(), document.as_bytes(), patch.as_bytes()));
                if let Some(want) = case.get("expected") {
                    assert_eq!(got.as_ref(), Ok(want), "{case}");
                    applied += 1;
                } else {
                    assert!(case.get("error").is_some(), "{case}");
                    let code = got.expect_err("refused").code;
                    assert!(matches!(code, Code::PatchInvalid | Code::PatchMismatch), "{case}: {code}");
                    refused += 1;
                }
            }
        }
    }
    // A Java library's: lists of errors and of operations.
    for file in ["add", "move", "test"] {
        let suite =
            std::fs::read(corpora.join(format!("json-patch/java-json-tools-{file}.json"))).expect("a file");
        let suite: Value = serde_json::from_slice(&suite).expect("JSON");
        let list = |name: &str| suite[name].as_array().cloned().unwrap_or_default();
        for case in list("ops") {
            for document in written(&case["node"]) {
                let patch = Value::Array(vec![case["op"].clone()]).to_string();
                let got = parsed(json_patch(FIELD, &path(), document.as_bytes(), patch.as_bytes()));
                let want = case.get("expected").filter(|want| !want.is_null() || file != "test");
                assert_eq!(got.as_ref(), Ok(want.unwrap_or(&case["node"])), "{file}: {case}");
                applied += 1;
            }
        }
        for case in list("errors") {
            for document in written(&case["node"]) {
                let patch = Value::Array(vec![case["op"].clone()]).to_string();
                let got = parsed(json_patch(FIELD, &path(), document.as_bytes(), patch.as_bytes()));
                assert!(got.is_err(), "{file}: {case}");
                refused += 1;
            }
        }
    }
    println!("JSON Patch: {applied} applied, {refused} refused, each as the case says");
    assert!(applied > 60 && refused > 40, "{applied} {refused}");
}

#[test]
fn the_merge_patch_suites() {
    let Some(corpora) = corpora() else { return };
    let folder = corpora.join("json-merge-patch");
    let mut applied = 0;
    for file in ["merge_tests.json", "rfc7396-appendix-a.json"] {
        for case in cases(&folder.join(file)) {
            let either = |a: &str, b: &str| case.get(a).or(case.get(b)).expect("a case").clone();
            let (document, want) = (either("doc", "original"), either("expected", "result"));
            for document in written(&document) {
                let patch = case["patch"].to_string();
                let got = parsed(merge_patch(FIELD, &path(), document.as_bytes(), patch.as_bytes()));
                assert_eq!(got.as_ref(), Ok(&want), "{case}");
                applied += 1;
            }
        }
    }
    // What is no object replaces the whole; the values of the other file likewise.
    let whole = |document: &Value, patch: &Value| {
        let got = merge_patch(FIELD, &path(), document.to_string().as_bytes(), patch.to_string().as_bytes());
        assert_eq!(parsed(got).as_ref(), Ok(patch), "{document} {patch}");
    };
    for case in cases(&folder.join("java-json-tools-patch-nonobject.json")) {
        whole(&case["victim"], &case["patch"]);
        applied += 1;
    }
    for patch in cases(&folder.join("java-json-tools-serdeser-nonobject.json")) {
        whole(&serde_json::json!({"a": 1}), &patch);
        applied += 1;
    }
    println!("Merge Patch: {applied} applied, each as the case says");
    assert!(applied > 30, "{applied}");
}

/// An edit that any JSON document takes, and what it must leave of it.
fn harmless(document: &[u8]) -> Result<Vec<u8>, Refusal> {
    let first = document.trim_ascii_start().first();
    let patch = match first {
        Some(b'{') => r#"[{"op":"add","path":"/sekali","value":1.50}]"#,
        Some(b'[') => r#"[{"op":"add","path":"/-","value":1.50}]"#,
        _ => r#"[{"op":"replace","path":"","value":1.50}]"#,
    };
    json_patch(FIELD, &path(), document, patch.as_bytes())
}

#[test]
fn the_parsing_suite_as_documents() {
    let Some(corpora) = corpora() else { return };
    let (mut yes, mut no, mut either, mut other) = (0, 0, [0, 0], [0, 0]);
    for part in ["test_parsing", "test_transform"] {
        let folder = corpora.join("json-test-suite").join(part);
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).expect("the suite").map(|f| f.expect("an entry")).collect();
        files.sort_by_key(std::fs::DirEntry::file_name);
        for file in files {
            let name = file.file_name().to_string_lossy().into_owned();
            let document = std::fs::read(file.path()).expect("a file of the suite");
            let edited = harmless(&document);
            assert_eq!(edited.is_ok(), is_json(&document), "{name}");
            let merged = merge_patch(FIELD, &path(), &document, br#"{"sekali":1.50}"#);
            assert_eq!(merged.is_ok(), edited.is_ok(), "{name}");
            match &edited {
                Ok(edited) => {
                    assert!(is_json(edited), "{name}: {}", String::from_utf8_lossy(edited));
                    let text = std::str::from_utf8(&document).expect("JSON is UTF-8").trim_end();
                    // Everything up to the closing bracket, and what is after it.
                    if text.ends_with(['}', ']']) {
                        let inside = text[..text.len() - 1].trim_end().len();
                        assert_eq!(edited[..inside], document[..inside], "{name}");
                        assert!(edited.ends_with(&document[text.len() - 1..]), "{name}");
                    }
                }
                Err(refusal) => {
                    assert_eq!(refusal.code, Code::PatchMismatch, "{name}: {refusal}");
                    assert!(refusal.detail.contains("d.json is not JSON: line "), "{name}: {refusal}");
                }
            }
            match &name[..2] {
                "y_" => {
                    assert!(edited.is_ok(), "{name}: {edited:?}");
                    yes += 1;
                }
                "n_" => {
                    assert!(edited.is_err(), "{name}");
                    no += 1;
                }
                "i_" => either[usize::from(edited.is_err())] += 1,
                _ => other[usize::from(edited.is_err())] += 1,
            }
        }
    }
    println!(
        "as documents: {yes} y_ edited, {no} n_ refused, i_ {} edited and {} refused, transform {} edited and {} refused",
        either[0], either[1], other[0], other[1]
    );
    assert!(yes >= 40 && no >= 90, "{yes} {no}");
}
