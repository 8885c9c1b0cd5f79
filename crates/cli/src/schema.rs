//! The forms of files as JSON Schema 2020-12, written by hand and held against the parser by tests.

/// The proposal file.
pub(crate) const PROPOSAL: &str = include_str!("schema/proposal.json");

#[cfg(test)]
mod tests {
    use boon::{Compiler, Schemas};
    use sekali_core::submission::Submission;
    use serde_json::{Value, json};

    /// The schema and the parser, asked the same.
    struct Both {
        schemas: Schemas,
        index: boon::SchemaIndex,
    }

    impl Both {
        fn new() -> Self {
            let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
            compiler.enable_format_assertions();
            let schema: Value = serde_json::from_str(super::PROPOSAL).unwrap();
            compiler.add_resource("proposal.json", schema).unwrap();
            let index = compiler.compile("proposal.json", &mut schemas).unwrap();
            Self { schemas, index }
        }

        fn check(&self, body: &Value, good: bool) {
            let mut load = |_: &str, _: &str| Ok(Vec::new());
            let parsed = Submission::read(body.to_string().as_bytes(), Some(&mut load)).is_ok();
            let valid = self.schemas.validate(body, self.index).is_ok();
            assert_eq!((parsed, valid), (good, good), "(parser, schema) of {body}");
        }
    }

    fn with(member: &str, value: Value) -> Value {
        let mut body = json!({
            "format": "sekali.proposal/1", "title": "T", "changes": [{ "op": "delete", "path": "a" }],
        });
        body[member] = value;
        body
    }

    fn change(value: Value) -> Value {
        with("changes", Value::Array(vec![value]))
    }

    #[test]
    fn the_schema_takes_what_the_parser_takes() {
        let both = Both::new();
        for good in [
            with("why", json!("a\nb")),
            with("why", Value::Null),
            with("key", json!("k")),
            with("key", json!("a b/ß:1")),
            with("correlation", json!(" a\t")),
            with("effect_keys", json!(["order/8812/create", "b"])),
            with("effect_keys", Value::Null),
            with("valid_until", json!("2026-11-30T17:00:00+07:00")),
            with("valid_until", json!("2026-11-30T17:00:00.5Z")),
            with("correlation", json!("x")),
            with("title", json!("x".repeat(1_000))),
            with("title", json!("שלום é")),
            change(json!({ "op": "put", "path": "a/b.md", "text": "" })),
            change(json!({ "op": "put", "path": "a", "base64": "aGk=" })),
            change(json!({ "op": "put", "path": "a", "base64": "" })),
            change(json!({ "op": "put", "path": "a", "file": "b/c", "mode": "100755", "base": "absent" })),
            change(
                json!({ "op": "put", "path": "a", "text": "x", "base64": null, "base": null, "mode": null }),
            ),
            change(
                json!({ "op": "put", "path": ".env", "text": "x", "base": format!("sha256:{}", "0".repeat(64)) }),
            ),
            change(json!({ "op": "rename", "from": "a", "path": "b" })),
            change(json!({ "op": "patch", "diff": "" })),
            change(json!({ "op": "patch", "diff_base64": "aGk=", "strip": 0, "bases": {} })),
            change(json!({ "op": "patch", "file": "a.diff", "strip": 100, "bases": null })),
            change(json!({ "op": "patch", "diff": "x", "strip": null, "bases": { "a/b": "absent" } })),
            change(json!({ "op": "json_patch", "path": "d.json", "patch": [] })),
            change(json!({ "op": "merge_patch", "path": "d.json", "patch": null, "base": "absent" })),
            change(json!({ "op": "merge_patch", "path": "d.json", "patch": "text", "file": null })),
            change(json!({ "op": "json_patch", "path": "d.json", "file": "p.json" })),
        ] {
            both.check(&good, true);
        }
    }

    #[test]
    fn the_schema_refuses_what_the_parser_refuses() {
        let both = Both::new();
        for bad in [
            json!([]),
            json!({}),
            with("format", json!("sekali.proposal/2")),
            with("title", Value::Null),
            with("title", json!("")),
            with("title", json!("  ")),
            with("title", json!("a\nb")),
            with("title", json!("a\u{1b}b")),
            with("title", json!("a\u{202e}b")),
            with("title", json!("x".repeat(1_001))),
            with("title", json!(1)),
            with("why", json!(["a"])),
            with("key", json!("")),
            with("key", json!("k".repeat(256))),
            with("key", json!("a\0b")),
            with("key", json!(" ")),
            with("key", json!(" a")),
            with("key", json!("a\u{a0}")),
            with("key", json!("a\tb")),
            with("key", json!("a\u{2028}b")),
            with("effect_keys", json!(["a "])),
            with("correlation", json!("")),
            with("effect_keys", json!(["a", "a"])),
            with("effect_keys", json!(["in/a"])),
            with("effect_keys", json!("a")),
            with("valid_until", json!("besok")),
            with("valid_until", json!("2026-11-30")),
            with("valid_until", json!("2026-13-30T00:00:00Z")),
            with("changes", json!([])),
            with("changes", json!({})),
            with("extra", json!(1)),
            change(json!({ "path": "a" })),
            change(json!({ "op": "copy", "path": "a" })),
            change(json!({ "op": "delete" })),
            change(json!({ "op": "delete", "path": "a", "text": "" })),
            change(json!({ "op": "delete", "path": "a", "base": "x" })),
            change(json!({ "op": "rename", "path": "a" })),
            change(json!({ "op": "put", "path": "a" })),
            change(json!({ "op": "put", "path": "a", "text": "x", "base64": "" })),
            change(json!({ "op": "put", "path": "a", "base64": "a" })),
            change(json!({ "op": "put", "path": "a", "text": "x", "mode": "120000" })),
            change(json!({ "op": "put", "path": "a", "text": "x", "colour": "red" })),
            change(json!({ "op": "patch" })),
            change(json!({ "op": "patch", "diff": "x", "diff_base64": "" })),
            change(json!({ "op": "patch", "diff": "x", "path": "a" })),
            change(json!({ "op": "patch", "diff": "x", "strip": -1 })),
            change(json!({ "op": "patch", "diff": "x", "strip": 101 })),
            change(json!({ "op": "patch", "diff": "x", "strip": "1" })),
            change(json!({ "op": "patch", "diff": "x", "bases": { "a": "x" } })),
            change(json!({ "op": "patch", "diff": "x", "bases": ["a"] })),
            change(json!({ "op": "json_patch", "path": "a" })),
            change(json!({ "op": "json_patch", "patch": [] })),
            change(json!({ "op": "merge_patch", "path": "a", "patch": {}, "file": "p" })),
        ] {
            both.check(&bad, false);
        }
        for path in [
            "", "/a", "a/", "a//b", ".", "..", "a/../b", "a.", "a ", " a", "a/ b", "a\\b", "a:b", "a\nb",
            ".git", "a/.GIT/b",
        ] {
            both.check(&change(json!({ "op": "put", "path": path, "text": "" })), false);
        }
    }
}
