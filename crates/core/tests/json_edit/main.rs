//! JSON edits, from outside: rules, layout, clashes, limits, and a plain interpreter to hold them
//! against.

mod clashes;
mod layout;
mod model;
mod rules;

use sekali_core::json_edit::{json_patch, merge_patch};
use sekali_core::{DocPath, Refusal};

const FIELD: &str = "changes[0].patch";

fn path() -> DocPath {
    DocPath::parse("path", "d.json").expect("a plain path")
}

fn text(result: Result<Vec<u8>, Refusal>) -> Result<String, Refusal> {
    result.map(|bytes| String::from_utf8(bytes).expect("an edited document is UTF-8"))
}

/// A JSON Patch on a document.
fn patched(document: &str, patch: &str) -> Result<String, Refusal> {
    text(json_patch(FIELD, &path(), document.as_bytes(), patch.as_bytes()))
}

/// A merge patch on a document.
fn merged(document: &str, patch: &str) -> Result<String, Refusal> {
    text(merge_patch(FIELD, &path(), document.as_bytes(), patch.as_bytes()))
}
