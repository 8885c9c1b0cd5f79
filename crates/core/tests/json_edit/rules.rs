//! What is refused, with which code, facts and words; and what RFC 6902 and 7396 say.

use sekali_core::{Code, Refusal, limit};

use crate::{FIELD, merged, patched, path};

/// A refusal says its field and ends its sentences, in both languages.
fn well_said(refusal: &Refusal) {
    let said = refusal.said.as_deref().expect("said in Indonesian too");
    for sentence in [refusal.detail.as_str(), said] {
        assert!(sentence.ends_with('.') && !sentence.ends_with(".."), "{sentence}");
        assert!(sentence.starts_with(FIELD), "{sentence}");
    }
    assert_ne!(refusal.detail, said);
    assert!(refusal.facts.field.as_deref().is_some_and(|field| field.starts_with(FIELD)), "{refusal:?}");
}

#[track_caller]
fn refused(document: &str, patch: &str, code: Code, part: &str) -> Refusal {
    let refusal = patched(document, patch).expect_err(part);
    well_said(&refusal);
    assert_eq!(refusal.code, code, "{document} {patch}: {refusal}");
    assert!(refusal.detail.contains(part), "{document} {patch}: {refusal}");
    refusal
}

#[test]
fn a_document_that_is_no_json_is_refused_with_the_way_out() {
    let check = |document: &[u8], part: &str| {
        for refusal in [
            sekali_core::json_edit::json_patch(FIELD, &path(), document, b"[]").expect_err(part),
            sekali_core::json_edit::merge_patch(FIELD, &path(), document, b"{}").expect_err(part),
        ] {
            well_said(&refusal);
            assert_eq!((refusal.code, refusal.facts.path.as_deref()), (Code::PatchMismatch, Some("d.json")));
            for part in [part, "d.json is not JSON", "Submit its whole content"] {
                assert!(refusal.detail.contains(part), "{part}: {refusal}");
            }
        }
        assert!(!sekali_core::json_edit::is_json(document));
    };
    check(b"", "line 1, column 1: a value is expected, and the text ends");
    check(b" \n\n", "line 3, column 1");
    check(b"{\"a\": 1,\n \"b\": x}", "line 2, column 7: a value is expected, and \"x\" stands there");
    check("{\"é\": x}".as_bytes(), "line 1, column 7");
    check(b"\xEF\xBB\xBF{}", "byte order mark");
    check(b"{\"a\": \"\xff\"}", "line 1, column 8: this byte is not UTF-8");
    check(b"{} {}", "the end is expected, and \"{\" stands there");
    check(b"[1,]", "line 1, column 4: a value is expected");
    check(b"{\"a\":1,}", "a member's name in double quotes");
    check(b"{a:1}", "a member's name in double quotes");
    check(b"{\"a\" 1}", "a colon is expected");
    check(b"[1 2]", "a comma or ]");
    check(b"{\"a\":1]", "a comma or }");
    check(b"[1", "a comma or ] is expected, and the text ends");
    check(b"[] // all", "JSON has no comments");
    check(b"{/* none */}", "JSON has no comments");
    check(b"\"\t\"", "control character");
    check(b"\"a", "this string does not end");
    check(b"\"\\x\"", "JSON does not know this escape");
    check(b"\"\\u12g4\"", "four hexadecimal digits");
    check(b"\"\\ud800\"", "a surrogate stands alone");
    check(b"\"\\ud800\\u0041\"", "a surrogate stands alone");
    check(b"\"\\udc00\"", "a surrogate stands alone");
    for number in ["01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "1.5.5", "--1", "NaN", "Infinity", "tru"]
    {
        check(number.as_bytes(), "line 1");
    }
    check("[".repeat(limit::JSON_DEPTH + 1).as_bytes(), "nested deeper than 128 levels");
    let deep = format!("{}{}", "[".repeat(limit::JSON_DEPTH), "]".repeat(limit::JSON_DEPTH));
    assert_eq!(patched(&deep, "[]").as_deref(), Ok(deep.as_str()));
}

#[test]
fn a_patch_that_cannot_be_read_names_its_place() {
    let check = |patch: &str, part: &str, line: Option<u64>, operation: Option<u32>| {
        let refusal = refused("{\"a\":[1]}", patch, Code::PatchInvalid, part);
        assert_eq!((refusal.facts.line, refusal.facts.operation), (line, operation), "{patch}");
        let field = operation.map_or(FIELD.to_owned(), |number| format!("{FIELD}[{}]", number - 1));
        assert_eq!(refusal.facts.field, Some(field), "{patch}");
    };
    check("[\n {},]", "line 2, column 5: a value is expected", Some(2), None);
    check(
        r#"[{"op":"remove","path":"/a","p\u0061th":"/b"}]"#,
        "column 29: the member \"path\" stands twice",
        Some(1),
        None,
    );
    check(
        r#"[{"op":"add","path":"/b","value":{"x":{"y":1,"y":1}}}]"#,
        "the member \"y\" stands twice",
        Some(1),
        None,
    );
    check("{}", "a JSON Patch is an array of operations, and this is an object", None, None);
    check("null", "and this is null", None, None);
    check("\"[]\"", "and this is a string", None, None);
    let good = r#"{"op":"test","path":"/a/0","value":1}"#;
    let second = |patch: &str, part: &str| check(&format!("[{good},{patch}]"), part, None, Some(2));
    second("7", "changes[0].patch[1]: operation 2: an operation is an object, and this is a number");
    second("{}", "operation 2: \"op\" is missing");
    second(r#"{"op":7,"path":""}"#, "\"op\" is a string, and this is a number");
    second(r#"{"op":"Add","path":"","value":1}"#, "\"op\" is \"Add\", and known are add, remove, replace");
    second(r#"{"op":"spam","path":""}"#, "\"op\" is \"spam\"");
    second(r#"{"op":"remove"}"#, "\"path\" is missing");
    second(r#"{"op":"remove","path":null}"#, "\"path\" is a string, and this is null");
    second(r#"{"op":"add","path":"/b"}"#, "\"value\" is missing");
    second(r#"{"op":"replace","path":"/b"}"#, "\"value\" is missing");
    second(r#"{"op":"test","path":"/b"}"#, "\"value\" is missing");
    second(r#"{"op":"move","path":"/b"}"#, "\"from\" is missing");
    second(r#"{"op":"copy","path":"/b","from":[]}"#, "\"from\" is a string, and this is an array");
    for pointer in ["a", "a/b", "#/a", "/~", "/~2", "/a~", " /a"] {
        second(&format!(r#"{{"op":"remove","path":"{pointer}"}}"#), "\"path\" is no JSON Pointer");
        second(&format!(r#"{{"op":"move","path":"/x","from":"{pointer}"}}"#), "\"from\" is no JSON Pointer");
    }
    second(r#"{"op":"move","from":"/a","path":"/a/0"}"#, "/a cannot be moved to /a/0, which is inside it");
    second(r#"{"op":"move","from":"/a/-","path":"/a/-/0"}"#, "which is inside it");
    second(r#"{"op":"move","from":"","path":"/a"}"#, "\"\" cannot be moved to /a");
    second(r#"{"op":"remove","path":""}"#, "the whole document cannot be removed");
    // A fault of the patch comes before one of the document, wherever it stands.
    check(&format!(r#"[{{"op":"remove","path":"/none"}},{}]"#, "{}"), "operation 2", None, Some(2));
    // What the RFC does not know is passed over.
    let more = r#"[{"op":"remove","path":"/a","from":7,"value":null,"why":{}}]"#;
    assert_eq!(patched("{\"a\":1}", more).as_deref(), Ok("{}"));
    // A merge patch: any JSON.
    let refusal = merged("{}", r#"{"a":1,"a":2}"#).expect_err("twice");
    well_said(&refusal);
    assert_eq!((refusal.code, refusal.facts.line), (Code::PatchInvalid, Some(1)));
}

/// B-75, B-77 and B-79 among them.
#[test]
fn an_operation_that_does_not_fit_is_named() {
    let document = r#"{"bar":[1,2],"foo":"s","n":null,"o":{"a":{"b":1}},"d":1,"d":2}"#;
    let check = |operation: &str, part: &str| {
        let patch = format!(r#"[{{"op":"test","path":"/bar/0","value":1}},{operation}]"#);
        let refusal = refused(document, &patch, Code::PatchMismatch, part);
        let operation = refusal.facts.operation;
        assert_eq!((operation, refusal.facts.field.as_deref()), (Some(2), Some("changes[0].patch[1]")));
        assert_eq!(refusal.facts.path.as_deref(), Some("d.json"));
        refusal
    };
    for index in ["-1", "00", "01", "1e0", "1.5", "+1", " 1", "1 ", "", "one", "\u{0661}"] {
        let part = format!("\"{index}\" is no index of the array /bar");
        check(&format!(r#"{{"op":"add","path":"/bar/{index}","value":"x"}}"#), &part);
        check(&format!(r#"{{"op":"replace","path":"/bar/{index}","value":"x"}}"#), &part);
        check(&format!(r#"{{"op":"test","path":"/bar/{index}","value":1}}"#), &part);
        check(&format!(r#"{{"op":"remove","path":"/bar/{index}"}}"#), &part);
        check(&format!(r#"{{"op":"copy","from":"/bar/{index}","path":"/x"}}"#), &part);
        check(&format!(r#"{{"op":"move","from":"/foo","path":"/bar/{index}"}}"#), &part);
    }
    let past = "past the end of the array /bar, which has 2 elements";
    check(r#"{"op":"add","path":"/bar/8","value":1}"#, past);
    check(r#"{"op":"add","path":"/bar/3","value":1}"#, past);
    check(r#"{"op":"remove","path":"/bar/2"}"#, past);
    check(r#"{"op":"replace","path":"/bar/99999999999999999999999999","value":1}"#, past);
    for op in [r#""op":"remove""#, r#""op":"test","value":1"#, r#""op":"replace","value":1"#] {
        check(&format!(r#"{{{op},"path":"/bar/-"}}"#), "\"-\" is past the end of the array /bar");
    }
    check(r#"{"op":"move","from":"/bar/-","path":"/x"}"#, "\"-\" is past the end");
    let scalar =
        check(r#"{"op":"test","path":"/foo/0","value":"s"}"#, "/foo is neither an object nor an array");
    assert!(scalar.detail.starts_with("changes[0].patch[1]: operation 2 (test /foo/0): "), "{scalar}");
    assert_eq!(scalar.facts.value.as_deref(), Some("/foo/0"));
    check(r#"{"op":"add","path":"/n/x","value":1}"#, "/n is neither an object nor an array");
    check(r#"{"op":"add","path":"/foo/x/y","value":1}"#, "/foo is neither an object nor an array");
    check(r#"{"op":"add","path":"/x/y","value":1}"#, "there is no member \"x\" in the document");
    check(r#"{"op":"remove","path":"/o/x"}"#, "there is no member \"x\" in /o");
    check(r#"{"op":"replace","path":"/o/a/x","value":1}"#, "there is no member \"x\" in /o/a");
    check(r#"{"op":"test","path":"/O","value":null}"#, "there is no member \"O\" in the document");
    let from =
        check(r#"{"op":"move","from":"/x","path":"/o"}"#, "operation 2 (move /x to /o): there is no member");
    assert_eq!(from.facts.value.as_deref(), Some("/x"));
    check(r#"{"op":"copy","from":"/x","path":"/x"}"#, "there is no member \"x\"");
    check(r#"{"op":"copy","from":"/o","path":"/x/y"}"#, "there is no member \"x\"");
    // An index below which the next element is; a name that looks like one is none.
    let inside = r#"[{"op":"move","from":"/0","path":"/0/x"}]"#;
    assert_eq!(patched("[1,{}]", inside).as_deref(), Ok(r#"[{"x":1}]"#));
    refused(
        r#"{"0":{"x":1}}"#,
        inside,
        Code::PatchMismatch,
        "/0 cannot be moved to /0/x, which is inside it",
    );
    // Names that stand twice.
    let twice = "the member \"d\" stands twice in the document";
    check(r#"{"op":"remove","path":"/d"}"#, twice);
    check(r#"{"op":"add","path":"/d","value":1}"#, twice);
    check(r#"{"op":"test","path":"/d/x","value":1}"#, twice);
    check(r#"{"op":"copy","from":"/d","path":"/x"}"#, twice);
    check(r#"{"op":"test","path":"","value":{}}"#, "the member \"d\" stands twice in what is to be compared");
    // A test that fails.
    let test = check(
        r#"{"op":"test","path":"/o/a","value":{"b": 2}}"#,
        "the value there is {\"b\":1}, not {\"b\": 2}",
    );
    assert_eq!(
        (&test.facts.expected, &test.facts.found),
        (&vec![r#"{"b": 2}"#.to_owned()], &vec![r#"{"b":1}"#.to_owned()])
    );
    // The sentence is short and on one line, whatever the pointer.
    let long = format!(r#"{{"op":"remove","path":"/\n\u202e{}"}}"#, "x".repeat(100_000));
    let long = check(&long, "\\u{a}\\u{202e}xxx");
    assert!(long.detail.len() < 1_000, "{}", long.detail.len());
    let value = format!(r#"{{"op":"test","path":"/n","value":"{}"}}"#, "x".repeat(100_000));
    let long = check(&value, "the value there is null");
    assert!(long.detail.len() < 1_000 && long.facts.expected[0].len() < 2_000, "{}", long.detail.len());
}

#[test]
fn b75_indexes_that_are_none() {
    for index in ["-1", "00", "1e0", "8"] {
        let patch = format!(r#"[{{"op":"add","path":"/bar/{index}","value":"x"}}]"#);
        refused(r#"{"bar":[1,2]}"#, &patch, Code::PatchMismatch, "/bar");
    }
    refused(
        r#"{"bar":[1,2]}"#,
        r#"[{"op":"add","path":"/bar/0"}]"#,
        Code::PatchInvalid,
        "\"value\" is missing",
    );
}

#[test]
fn b77_the_third_operation_is_named() {
    let patch = r#"[{"op":"add","path":"/a","value":1},{"op":"add","path":"/b","value":1},{"op":"remove","path":"/x/y"}]"#;
    let refusal =
        refused("{}", patch, Code::PatchMismatch, "changes[0].patch[2]: operation 3 (remove /x/y): ");
    assert_eq!(refusal.facts.operation, Some(3));
    assert_eq!(
        (refusal.facts.field.as_deref(), refusal.facts.value.as_deref()),
        (Some("changes[0].patch[2]"), Some("/x/y"))
    );
}

#[test]
fn b79_a_string_has_no_elements() {
    let patch = r#"[{"op":"test","path":"/foo/0","value":"s"}]"#;
    refused(r#"{"foo":"s"}"#, patch, Code::PatchMismatch, "/foo is neither an object nor an array");
}

#[test]
fn test_compares_what_values_mean() {
    let check = |found: &str, asked: &str, equal: bool| {
        for (found, asked) in [(found, asked), (asked, found)] {
            let patch = format!(r#"[{{"op":"test","path":"/0","value":{asked}}}]"#);
            let document = format!("[{found}]");
            assert_eq!(patched(&document, &patch).is_ok(), equal, "{found} {asked}");
        }
    };
    check("1", "1.00", true);
    check("1", "10e-1", true);
    check("100", "1E+2", true);
    check("0", "-0.00e99", true);
    check("0.001", "1e-3", true);
    check("1.5", "0.00015e4", true);
    check("1", "-1", false);
    check("1", "1.0000000000000000000000000001", false);
    check("9007199254740993", "9007199254740992", false);
    check("9007199254740993", "9007199254740993.0", true);
    check("1e400", "10e399", true);
    check("1e400", "1e401", false);
    let big = "9".repeat(40);
    check(&format!("1e{big}"), &format!("1e{big}"), true);
    check(&format!("10e{big}"), &format!("1e1{}", "0".repeat(40)), true);
    check(&format!("1e1{}", "0".repeat(40)), &format!("100e{}8", "9".repeat(39)), true);
    check(&format!("10e-1{}", "0".repeat(40)), &format!("1e-{big}"), true);
    check(&format!("1e-{big}"), &format!("0.1e-{}8", "9".repeat(39)), true);
    check(&format!("1e{big}"), &format!("1e-{big}"), false);
    check(&format!("1e{big}"), &format!("10e{big}"), false);
    check("1e00000000000000000000000000000000001", "10", true);
    check("1e99999999999999999", "10e99999999999999998", true);
    check("1e999999999999999999", "10e999999999999999998", true);
    check("1e100000000000000000", "10e99999999999999999", true);
    check("\"a\"", "\"\\u0061\"", true);
    check("\"\\ud83d\\ude00\\/\"", "\"😀/\"", true);
    check("\"\\b\\f\\n\\r\\t\\\\\\\"\"", r#""\u0008\u000c\u000a\u000d\u0009\u005c\u0022""#, true);
    check("\"é\"", "\"e\u{301}\"", false);
    check("\"1\"", "1", false);
    check("null", "false", false);
    check("[1,[2]]", "[1.0, [ 2 ]]", true);
    check("[1,2]", "[2,1]", false);
    check("[1]", "[1,1]", false);
    check("[]", "{}", false);
    check("{\"a\":1,\"b\":{\"c\":[]}}", "{ \"b\": {\"\\u0063\":[]},\"a\":1.0}", true);
    check("{\"a\":1}", "{\"a\":1,\"b\":2}", false);
    check("{\"a\":1}", "{\"b\":1}", false);
    check("{\"a\":null}", "{}", false);
}

#[test]
fn merge_patch_as_rfc_7396() {
    let check = |document: &str, patch: &str, want: &str| {
        assert_eq!(merged(document, patch).as_deref(), Ok(want), "{document} {patch}");
    };
    check(r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#);
    check(r#"{"a":"b"}"#, r#"{"a":null}"#, "{}");
    check(r#"{"a":"b"}"#, r#"{"x":null}"#, r#"{"a":"b"}"#);
    check(r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#);
    check(r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#);
    check(r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1, null]}"#, r#"{"a":[1,null]}"#);
    check(r#"["a","b"]"#, r#"["c", null]"#, r#"["c",null]"#);
    check(r#"{"a":"foo"}"#, "null", "null");
    check(r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#);
    check("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#);
    check("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a": {"bb": {}}}"#);
    check(r#"{"a":1}"#, r#"{"a":{"b":null,"c":[{"d":null}]}}"#, r#"{"a":{"c":[{"d":null}]}}"#);
    let twice = r#"{"a":{"d":1,"d":2},"e":1}"#;
    check(twice, r#"{"e":2}"#, r#"{"a":{"d":1,"d":2},"e":2}"#);
    for patch in [r#"{"a":{"d":1}}"#, r#"{"a":{"d":null}}"#, r#"{"a":{"d":{"x":1}}}"#] {
        let refusal = merged(twice, patch).expect_err("twice");
        well_said(&refusal);
        assert_eq!((refusal.code, refusal.facts.value.as_deref()), (Code::PatchMismatch, Some("/a/d")));
        assert_eq!(
            refusal.detail,
            "changes[0].patch: /a/d: the member \"d\" stands twice in /a, so it is open which one is meant."
        );
    }
}

#[test]
fn names_that_stand_twice_stay_until_they_are_pointed_at() {
    let document = r#"{"d":1, "x":{"d":1}, "\u0064":2}"#;
    let ok = patched(document, r#"[{"op":"replace","path":"/x/d","value":3}]"#);
    assert_eq!(ok.as_deref(), Ok(r#"{"d":1, "x":{"d":3}, "\u0064":2}"#));
    refused(document, r#"[{"op":"remove","path":"/d"}]"#, Code::PatchMismatch, "stands twice");
    // Also where the two are far from each other, and where one is new text.
    let far: Vec<String> = (0..2000).map(|n| format!("\"m{n}\":{n},")).collect();
    let far = far.concat();
    let document = format!("{{\"d\":1,{far}\"d\":2}}");
    refused(&document, r#"[{"op":"remove","path":"/d"}]"#, Code::PatchMismatch, "stands twice");
    let ok = patched(&document, r#"[{"op":"remove","path":"/m1000"}]"#).expect("another one");
    assert_eq!(ok, document.replace("\"m1000\":1000,", ""));
}

#[test]
fn a_result_that_is_too_much_is_refused() {
    let depth = limit::JSON_DEPTH;
    let nest = |inner: &str, levels: usize| format!("{}{inner}{}", "[".repeat(levels), "]".repeat(levels));
    let pointer = "/0".repeat(depth - 1);
    let document = nest("1", depth);
    let deep = |value: &str| format!(r#"[{{"op":"replace","path":"{pointer}/0","value":{value}}}]"#);
    assert_eq!(patched(&document, &deep("2")).as_deref(), Ok(nest("2", depth).as_str()));
    let refusal = refused(&document, &deep("[]"), Code::LimitExceeded, "nested deeper than 128 levels");
    assert_eq!((refusal.facts.limit, refusal.facts.operation), (Some(128), Some(1)));
    let add = format!(r#"[{{"op":"add","path":"/-","value":{}}}]"#, nest("", depth - 2));
    assert_eq!(patched("[]", &add).map(|text| text.len()), Ok(2 + 2 * (depth - 2)));
    let add = format!(r#"[{{"op":"add","path":"/-","value":{}}}]"#, nest("", depth - 1));
    refused("[]", &add, Code::PatchInvalid, "nested deeper than 128 levels");
    let copy = r#"[{"op":"copy","from":"","path":"/-"}]"#;
    refused(&nest("", depth), copy, Code::LimitExceeded, "nested deeper");
    let objects = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    assert!(merged("{}", &objects(depth)).is_ok());
    assert_eq!(merged("{\"b\":1}", &objects(depth + 1)).expect_err("too deep").code, Code::PatchInvalid);
    // Doubling: each operation is small, what they make is not.
    let double: Vec<_> = std::iter::repeat_n(r#"{"op":"copy","from":"","path":"/-"}"#, 100).collect();
    let refusal = refused("[]", &format!("[{}]", double.join(",")), Code::LimitExceeded, "67108864 bytes");
    assert_eq!(refusal.facts.limit, Some(limit::CONTENT_BYTES as u64));
}

/// Copies of what was not entered cost nothing to make, so they are counted as they are made.
#[test]
fn copies_without_end_are_refused_early() {
    let document = format!("[\"{}\"]", "x".repeat(1024 * 1024));
    let copies: Vec<_> = std::iter::repeat_n(r#"{"op":"copy","from":"/0","path":"/-"}"#, 1000).collect();
    let patch = format!("[{}]", copies.join(","));
    let refusal = refused(&document, &patch, Code::LimitExceeded, "may have at most 67108864 bytes");
    assert!(refusal.facts.operation.is_some_and(|operation| (60..140).contains(&operation)), "{refusal:?}");
}

#[test]
fn content_over_the_limit_is_refused() {
    let room = limit::CONTENT_BYTES - "{\"a\":\"\"}".len();
    let document = format!("{{\"a\":\"{}\"}}", "x".repeat(room));
    assert_eq!(document.len(), limit::CONTENT_BYTES);
    let same = patched(&document, r#"[{"op":"move","from":"/a","path":"/b"}]"#).expect("no longer");
    assert_eq!(same.len(), limit::CONTENT_BYTES);
    let over = r#"[{"op":"move","from":"/a","path":"/ab"}]"#;
    let refusal = refused(&document, over, Code::LimitExceeded, "a document may have at most 67108864 bytes");
    assert_eq!(refusal.facts.value, Some((limit::CONTENT_BYTES + 1).to_string()));
    let refusal = merged(&document, r#"{"b":1}"#).expect_err("longer");
    assert_eq!(refusal.code, Code::LimitExceeded);
    // Longer on the way only.
    let way = r#"[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/b"}]"#;
    assert_eq!(patched(&document, way).map(|text| text.len()), Ok(document.len()));
}
