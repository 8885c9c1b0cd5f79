//! What an edit leaves as it is, and how what it writes looks.

use crate::{merged, patched};

fn check(document: &str, patch: &str, want: &str) {
    let got = patched(document, patch).unwrap_or_else(|refusal| panic!("{document} {patch}: {refusal}"));
    assert_eq!(got, want, "{document} {patch}");
}

fn merges(document: &str, patch: &str, want: &str) {
    let got = merged(document, patch).unwrap_or_else(|refusal| panic!("{document} {patch}: {refusal}"));
    assert_eq!(got, want, "{document} {patch}");
}

#[test]
fn untouched_bytes_stay() {
    let huge = "1".repeat(100);
    let document = format!(
        "\r\n {{ \"b\" :1.50,\t\"a\": [ 1e400 , -0.0,{huge}],\r\n\"\\u0061\\/b\"\n: \"\\u00e9\\ud83d\\ude00\", \"x\":1}} \r\n"
    );
    let want = document.replace("\"x\":1", "\"x\":2");
    check(&document, r#"[{"op":"replace","path":"/x","value":2}]"#, &want);
    merges(&document, r#"{"x":2}"#, &want);
    // The names of members are what they mean.
    let want = document.replace("\"\\u00e9\\ud83d\\ude00\"", "null");
    check(&document, r#"[{"op":"replace","path":"/a~1b","value":null}]"#, &want);
    // Nothing to do.
    check(&document, "[]", &document);
    merges(&document, "{}", &document);
    for document in ["{\"a\":1}", "{\"a\":1}\n", "\n\n{\"a\":1}", "{\"a\":1}\r\n", "{\"a\":1}\t "] {
        let want = document.replace('1', "2");
        check(document, r#"[{"op":"add","path":"/a","value":2}]"#, &want);
        // White space round the root.
        let whole = document.replace("{\"a\":1}", "[]");
        check(document, r#"[{"op":"replace","path":"","value":[]}]"#, &whole);
        merges(document, "7", &document.replace("{\"a\":1}", "7"));
    }
}

#[test]
fn an_equal_value_keeps_its_bytes() {
    let document = r#"{"n":1.50,"s":"\u0061","o":{"x":1, "y":[ 2 ]},"l":[1e2]}"#;
    for (pointer, value) in [
        ("/n", "1.5"),
        ("/n", "15e-1"),
        ("/s", "\"a\""),
        ("/o", r#"{"y":[2.0],"x":1}"#),
        ("/l", "[100]"),
        ("/l/0", "1000E-1"),
        ("", r#"{"l":[100],"o":{"y":[2],"x":1},"s":"a","n":1.5}"#),
    ] {
        for op in ["add", "replace"] {
            if (op, pointer) == ("add", "/l/0") {
                continue;
            }
            check(document, &format!(r#"[{{"op":"{op}","path":"{pointer}","value":{value}}}]"#), document);
        }
    }
    merges(document, r#"{"n":1.5,"s":"a","o":{"y":[2]},"l":[100],"none":null}"#, document);
    // Another value of the same look is written.
    check(r#"{"n":1.50}"#, r#"[{"op":"add","path":"/n","value":1.51}]"#, r#"{"n":1.51}"#);
    // One that cannot be compared is replaced.
    check(r#"{"n":{"a":1,"a":1}}"#, r#"[{"op":"add","path":"/n","value":{"a":1}}]"#, r#"{"n":{"a":1}}"#);
}

#[test]
fn removing_takes_the_comma_and_the_line() {
    let remove = |document: &str, pointer: &str, want: &str| {
        check(document, &format!(r#"[{{"op":"remove","path":"{pointer}"}}]"#), want);
    };
    let lines = "{\n  \"a\": 1,\n\n  \"b\": 2,\n  \"c\": 3\n}\n";
    remove(lines, "/a", "{\n  \"b\": 2,\n  \"c\": 3\n}\n");
    remove(lines, "/b", "{\n  \"a\": 1,\n  \"c\": 3\n}\n");
    remove(lines, "/c", "{\n  \"a\": 1,\n\n  \"b\": 2\n}\n");
    remove("[1, 2, 3]", "/0", "[2, 3]");
    remove("[1, 2, 3]", "/1", "[1, 3]");
    remove("[1, 2, 3]", "/2", "[1, 2]");
    remove("[ 1,2 ]", "/0", "[ 2 ]");
    remove("[ 1,2 ]", "/1", "[ 1 ]");
    remove("{ \"a\" : 1 }", "/a", "{}");
    remove("[\n  1\n]\n", "/0", "[]\n");
    // Several on a line.
    let rows = "[\n  1, 2,\n  3, 4\n]";
    remove(rows, "/0", "[\n  2,\n  3, 4\n]");
    remove(rows, "/1", "[\n  1,\n  3, 4\n]");
    remove(rows, "/2", "[\n  1, 2,\n  4\n]");
    remove(rows, "/3", "[\n  1, 2,\n  3\n]");
    // Commas first.
    let first = "[ 1\n, 2\n, 3\n]";
    remove(first, "/0", "[ 2\n, 3\n]");
    remove(first, "/1", "[ 1\n, 3\n]");
    remove(first, "/2", "[ 1\n, 2\n]");
    remove("{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}\r\n", "/b", "{\r\n\t\"a\": 1\r\n}\r\n");
    // Within a run: the middle of many.
    let many = |skip: usize| {
        let items: Vec<String> = (0..5000).filter(|n| *n != skip).map(|n| format!("  {n}")).collect();
        format!("[\n{}\n]\n", items.join(",\n"))
    };
    for n in [0, 1, 700, 2500, 4999] {
        remove(&many(usize::MAX), &format!("/{n}"), &many(n));
    }
}

#[test]
fn new_members_are_last_and_look_like_the_others() {
    let add = |document: &str, pointer: &str, value: &str, want: &str| {
        check(document, &format!(r#"[{{"op":"add","path":"{pointer}","value":{value}}}]"#), want);
    };
    add("{\n  \"a\": 1\n}\n", "/b", "1.50", "{\n  \"a\": 1,\n  \"b\": 1.50\n}\n");
    add(
        "{\r\n\t\"a\": 1\r\n}",
        "/b",
        "[1,{}]",
        "{\r\n\t\"a\": 1,\r\n\t\"b\": [\r\n\t\t1,\r\n\t\t{}\r\n\t]\r\n}",
    );
    add("{\"a\":1}", "/b", "{\"x\" : [ 1 , 2 ] }", "{\"a\":1,\"b\":{\"x\":[1,2]}}");
    add("{\"a\": 1}", "/b", "{\"x\" : [ 1 , 2 ] }", "{\"a\": 1, \"b\": {\"x\": [1, 2]}}");
    add("{\"a\" : 1}", "/b", "2", "{\"a\" : 1, \"b\" : 2}");
    add(
        "{ \"a\": 1, \"b\": 2 }",
        "/c",
        "{\"x\":{\"y\":[]}}",
        "{ \"a\": 1, \"b\": 2, \"c\": {\"x\": {\"y\": []}} }",
    );
    add("{\"a\": 1,\"b\": 2}", "/c", "3", "{\"a\": 1,\"b\": 2,\"c\": 3}");
    // Names are escaped as little as may be.
    add("{}", "/a~1~0\\u0001\\\"é", "1", "{\"a/~\\u0001\\\"é\": 1}");
    // A blank line is not repeated.
    add("{\n  \"a\": 1,\n\n  \"b\": 2\n}", "/c", "3", "{\n  \"a\": 1,\n\n  \"b\": 2,\n  \"c\": 3\n}");
    // Commas first.
    add("{ \"a\": 1\n, \"b\": 2\n}", "/c", "3", "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}");
    // What it is lined up by is not copied.
    add("{\"a\":    1}", "/b", "2", "{\"a\":    1, \"b\": 2}");
    // Its own line end and indentation, where the document has several.
    let mixed = "{\r\n  \"a\": {\n      \"b\": 1\n  }\r\n}\n";
    add(
        mixed,
        "/a/c",
        "[2]",
        "{\r\n  \"a\": {\n      \"b\": 1,\n      \"c\": [\n          2\n      ]\n  }\r\n}\n",
    );
    add(mixed, "/c", "[2]", "{\r\n  \"a\": {\n      \"b\": 1\n  },\r\n  \"c\": [\r\n    2\r\n  ]\r\n}\n");
    // A merge patch keeps the text of the name, too.
    merges("{\"a\":1}", r#"{"\u0062":1.50}"#, r#"{"a":1,"\u0062":1.50}"#);
}

#[test]
fn an_empty_container_follows_the_one_round_it() {
    let add = |document: &str, pointer: &str, value: &str, want: &str| {
        check(document, &format!(r#"[{{"op":"add","path":"{pointer}","value":{value}}}]"#), want);
    };
    add("{}", "/a", "1", "{\"a\": 1}");
    add("[]", "/-", "{\"a\":[1,2]}", "[{\"a\": [1, 2]}]");
    add("{ }\n", "/a", "1", "{\"a\": 1}\n");
    add("{\n}\n", "/a", "{\"b\":1}", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
    add("{\"a\":[]}", "/a/0", "1", "{\"a\":[1]}");
    add("{\"a\":{}}", "/a/b", "{\"c\":1}", "{\"a\":{\"b\":{\"c\":1}}}");
    add("{\n\t\"a\": []\n}", "/a/-", "1", "{\n\t\"a\": [\n\t\t1\n\t]\n}");
    add(
        "{\n    \"a\": {\n        \"b\": {}\n    }\n}",
        "/a/b/c",
        "[1]",
        "{\n    \"a\": {\n        \"b\": {\n            \"c\": [\n                1\n            ]\n        }\n    }\n}",
    );
    merges(
        "{\n  \"a\": {}\n}",
        r#"{"a":{"b":{"c":1}}}"#,
        "{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n    }\n  }\n}",
    );
    // Emptied and filled again, it looks as before.
    let lines = "{\n   \"a\": 1\n}\n";
    check(
        lines,
        r#"[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":2}]"#,
        "{\n   \"b\": 2\n}\n",
    );
    check(lines, r#"[{"op":"move","from":"/a","path":"/b"}]"#, "{\n   \"b\": 1\n}\n");
    merges(lines, r#"{"a":null,"b":2}"#, "{\n   \"b\": 2\n}\n");
}

#[test]
fn elements_are_put_before_an_index() {
    let add = |document: &str, index: &str, value: &str, want: &str| {
        check(document, &format!(r#"[{{"op":"add","path":"/{index}","value":{value}}}]"#), want);
    };
    add("[1, 2]", "0", "0", "[0, 1, 2]");
    add("[1, 2]", "1", "0", "[1, 0, 2]");
    add("[1, 2]", "2", "0", "[1, 2, 0]");
    add("[1, 2]", "-", "0", "[1, 2, 0]");
    add("[ 1,2 ]", "0", "[0,{\"a\":1}]", "[ [0,{\"a\":1}],1,2 ]");
    add("[1]", "0", "0", "[0, 1]");
    add("[1]", "1", "0", "[1, 0]");
    add("[\n  1\n]", "0", "0", "[\n  0,\n  1\n]");
    add("[\n  1\n]", "-", "0", "[\n  1,\n  0\n]");
    add("[\n  1,\n\n  2\n]", "1", "0", "[\n  1,\n  0,\n\n  2\n]");
    add("[\n  1,\n\n  2\n]", "0", "[9]", "[\n  [\n    9\n  ],\n  1,\n\n  2\n]");
    add("[ 1\n, 2\n]", "0", "0", "[ 0\n, 1\n, 2\n]");
    add("[ 1\n, 2\n]", "1", "0", "[ 1\n, 0\n, 2\n]");
}

#[test]
fn a_value_looks_like_its_neighbour_or_the_one_it_replaces() {
    let rows = "[\n  {\"id\": 1, \"n\": \"a\"},\n  {\"id\": 2, \"n\": \"b\"}\n]\n";
    check(
        rows,
        r#"[{"op":"add","path":"/-","value":{"id":3,"n":"c"}}]"#,
        "[\n  {\"id\": 1, \"n\": \"a\"},\n  {\"id\": 2, \"n\": \"b\"},\n  {\"id\": 3, \"n\": \"c\"}\n]\n",
    );
    check(
        rows,
        r#"[{"op":"replace","path":"/0","value":{"id":3,"n":"c"}}]"#,
        "[\n  {\"id\": 3, \"n\": \"c\"},\n  {\"id\": 2, \"n\": \"b\"}\n]\n",
    );
    let tags = "{\n  \"tags\": [\"a\", \"b\"],\n  \"x\": 1\n}\n";
    check(
        tags,
        r#"[{"op":"replace","path":"/tags","value":["a","c","d"]}]"#,
        "{\n  \"tags\": [\"a\", \"c\", \"d\"],\n  \"x\": 1\n}\n",
    );
    merges(tags, r#"{"tags":["z"]}"#, "{\n  \"tags\": [\"z\"],\n  \"x\": 1\n}\n");
    check(
        tags,
        r#"[{"op":"replace","path":"/x","value":[1]}]"#,
        "{\n  \"tags\": [\"a\", \"b\"],\n  \"x\": [\n    1\n  ]\n}\n",
    );
    let hugged = "[{\n  \"a\": 1\n}, {\n  \"a\": 2\n}]";
    check(
        hugged,
        r#"[{"op":"add","path":"/-","value":{"a":3}}]"#,
        "[{\n  \"a\": 1\n}, {\n  \"a\": 2\n}, {\n  \"a\": 3\n}]",
    );
}

#[test]
fn moved_and_copied_values_keep_their_text() {
    let document = "{\n  \"a\": { \"x\":1.50,\n\"y\": [ ] },\n  \"b\": {}\n}\n";
    check(
        document,
        r#"[{"op":"move","from":"/a","path":"/b/c"}]"#,
        "{\n  \"b\": {\n    \"c\": { \"x\":1.50,\n\"y\": [ ] }\n  }\n}\n",
    );
    check(
        document,
        r#"[{"op":"copy","from":"/a","path":"/c"}]"#,
        "{\n  \"a\": { \"x\":1.50,\n\"y\": [ ] },\n  \"b\": {},\n  \"c\": { \"x\":1.50,\n\"y\": [ ] }\n}\n",
    );
    check("[1,2,3]", r#"[{"op":"move","from":"/0","path":"/2"}]"#, "[2,3,1]");
    check("[1,2,3]", r#"[{"op":"move","from":"/2","path":"/0"}]"#, "[3,1,2]");
    check("[1,2,3]", r#"[{"op":"move","from":"/0","path":"/-"}]"#, "[2,3,1]");
    check("{\"a\": [1 , 2]}", r#"[{"op":"move","from":"/a","path":""}]"#, "[1 , 2]");
    check("{\"a\" :1}", r#"[{"op":"move","from":"","path":""}]"#, "{\"a\" :1}");
    check(
        "{\"a\" :1}",
        r#"[{"op":"move","from":"/a","path":"/a"},{"op":"copy","from":"/a","path":"/a"}]"#,
        "{\"a\" :1}",
    );
    // A copy is a copy: what is done to one is not done to the other.
    check(
        r#"{"a":{"x":1}}"#,
        r#"[{"op":"add","path":"/a/y","value":2},{"op":"copy","from":"/a","path":"/b"},{"op":"replace","path":"/a/x","value":3},{"op":"remove","path":"/b/y"}]"#,
        r#"{"a":{"x":3,"y":2},"b":{"x":1}}"#,
    );
}
