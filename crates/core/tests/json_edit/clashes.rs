//! What a rebase of a JSON edit sees as moved under it.

use sekali_core::Code;
use sekali_core::change::JsonForm;
use sekali_core::json_edit::{Clash, clashes};

use crate::{merged, patched};

fn find(form: JsonForm, patch: &str, base: &str, now: &str) -> Vec<Clash> {
    let after = match form {
        JsonForm::Patch => patched(base, patch),
        JsonForm::MergePatch => merged(base, patch),
    };
    let after = after.expect("an edit that was accepted");
    clashes(&[(form, patch.as_bytes())], base.as_bytes(), now.as_bytes(), after.as_bytes()).expect("a patch")
}

/// Pointers with base, now and after; `-` is absent.
#[track_caller]
fn check(form: JsonForm, patch: &str, base: &str, now: &str, want: &[[&str; 4]]) {
    let found = find(form, patch, base, now);
    let text = |value: &Option<String>| value.clone().unwrap_or("-".to_owned());
    let found: Vec<[String; 4]> =
        found.iter().map(|c| [c.pointer.clone(), text(&c.base), text(&c.now), text(&c.after)]).collect();
    let want: Vec<[String; 4]> = want.iter().map(|c| c.map(str::to_owned)).collect();
    assert_eq!(found, want, "{patch} {base} {now}");
}

#[test]
fn of_a_json_patch() {
    let check = |patch: &str, base: &str, now: &str, want: &[[&str; 4]]| {
        check(JsonForm::Patch, patch, base, now, want);
    };
    let replace = r#"[{"op":"replace","path":"/a","value":2}]"#;
    check(replace, r#"{"a":1}"#, r#"{"b":3,"a":1.0}"#, &[]);
    check(replace, r#"{"a":1}"#, r#"{"a":3}"#, &[["/a", "1", "3", "2"]]);
    check(replace, r#"{"a":1}"#, r#"{"a":2}"#, &[["/a", "1", "2", "2"]]);
    check(replace, r#"{"a":1}"#, "{}", &[["/a", "1", "-", "2"]]);
    check(replace, r#"{"a":1}"#, "[]", &[["", r#"{"a":1}"#, "[]", r#"{"a":2}"#]]);
    check(replace, r#"{"a":1}"#, r#"{"a":1,"a":1}"#, &[["/a", "1", "-", "2"]]);
    let add = r#"[{"op":"add","path":"/o/x","value":1}]"#;
    check(add, r#"{"o":{}}"#, r#"{"o":{"y":1}}"#, &[]);
    check(add, r#"{"o":{}}"#, r#"{"o":{"x":7}}"#, &[["/o/x", "-", "7", "1"]]);
    check(add, r#"{"o":{}}"#, r#"{"o":7}"#, &[["/o", "{}", "7", r#"{"x":1}"#]]);
    check(add, r#"{"o":{}}"#, "{}", &[["/o", "{}", "-", r#"{"x":1}"#]]);
    // An array counts as a whole, the outermost one.
    let element = r#"[{"op":"replace","path":"/l/0/m/0","value":1},{"op":"add","path":"/l/-","value":2}]"#;
    check(element, r#"{"l":[{"m":[0]}]}"#, r#"{"l": [ {"m":[0.0]} ] }"#, &[]);
    check(
        element,
        r#"{"l":[{"m":[0]}]}"#,
        r#"{"l":[{"m":[0]},9]}"#,
        &[["/l", r#"[{"m":[0]}]"#, r#"[{"m":[0]},9]"#, r#"[{"m":[1]},2]"#]],
    );
    check(r#"[{"op":"remove","path":"/0"}]"#, "[1,2]", "[2]", &[["", "[1,2]", "[2]", "[2]"]]);
    // What is only read counts too; unread moves freely.
    let test = r#"[{"op":"test","path":"/a","value":1},{"op":"add","path":"/b","value":2}]"#;
    check(test, r#"{"a":1,"c":1}"#, r#"{"a":1,"c":2}"#, &[]);
    check(test, r#"{"a":1}"#, r#"{"a":5}"#, &[["/a", "1", "5", "1"]]);
    let moved = r#"[{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/c","path":"/d"}]"#;
    check(moved, r#"{"a":1,"c":2}"#, r#"{"a":1,"c":2,"e":3}"#, &[]);
    check(
        moved,
        r#"{"a":1,"c":2}"#,
        r#"{"a":0,"b":9,"c":3,"d":4}"#,
        &[["/a", "1", "0", "-"], ["/b", "-", "9", "1"], ["/c", "2", "3", "2"], ["/d", "-", "4", "2"]],
    );
    // What the edit itself makes is no place of theirs.
    let made = r#"[{"op":"add","path":"/n","value":{"l":[]}},{"op":"add","path":"/n/x","value":1},{"op":"add","path":"/n/l/-","value":1}]"#;
    check(made, "{}", r#"{"z":1}"#, &[]);
    check(
        made,
        "{}",
        r#"{"n":{}}"#,
        &[["/n", "-", "{}", r#"{"l": [1], "x": 1}"#], ["/n/x", "-", "-", "1"]][..1],
    );
    // A place is told once.
    check(
        r#"[{"op":"add","path":"/a","value":2},{"op":"add","path":"/a","value":3}]"#,
        "{}",
        r#"{"a":1}"#,
        &[["/a", "-", "1", "3"]],
    );
}

#[test]
fn of_a_merge_patch() {
    let check = |patch: &str, base: &str, now: &str, want: &[[&str; 4]]| {
        check(JsonForm::MergePatch, patch, base, now, want);
    };
    let patch = r#"{"a":1,"o":{"x":null,"y":{"z":2}}}"#;
    let base = r#"{"a":0,"o":{"x":0}}"#;
    check(patch, base, r#"{"a":0.0,"o":{"x":0,"w":1},"q":1}"#, &[]);
    check(
        patch,
        base,
        r#"{"a":5,"o":{"y":7}}"#,
        &[["/a", "0", "5", "1"], ["/o/x", "0", "-", "-"], ["/o/y", "-", "7", r#"{"z":2}"#]],
    );
    check(patch, base, r#"{"a":0,"o":[]}"#, &[["/o", r#"{"x":0}"#, "[]", r#"{"y":{"z":2}}"#]]);
    check(patch, base, r#"{"a":0}"#, &[["/o", r#"{"x":0}"#, "-", r#"{"y":{"z":2}}"#]]);
    check(patch, base, "7", &[["", base, "7", r#"{"a":1,"o":{"y":{"z":2}}}"#]]);
    // An object that it must find, and no more.
    check(r#"{"o":{}}"#, r#"{"o":{"x":1}}"#, r#"{"o":{"x":2}}"#, &[]);
    check(r#"{"o":{}}"#, r#"{"o":{"x":1}}"#, r#"{"o":1}"#, &[["/o", r#"{"x":1}"#, "1", r#"{"x":1}"#]]);
    // It replaces what is no object.
    check(r#"{"o":{"x":1}}"#, r#"{"o":[1]}"#, r#"{"o":[1.0]}"#, &[]);
    check(r#"{"o":{"x":1}}"#, r#"{"o":[1]}"#, r#"{"o":[2]}"#, &[["/o", "[1]", "[2]", r#"{"x":1}"#]]);
    check("[1]", r#"{"a":1}"#, r#"{"a":1}"#, &[]);
    check("[1]", r#"{"a":1}"#, r#"{"a":2}"#, &[["", r#"{"a":1}"#, r#"{"a":2}"#, "[1]"]]);
}

#[test]
fn of_what_is_not_json() {
    let found = find(JsonForm::MergePatch, r#"{"a":1}"#, "{}", "# now text\n");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].pointer.as_str(), found[0].now.as_deref()), ("", Some("# now text\n")));
    assert_eq!((found[0].base.as_deref(), found[0].after.as_deref()), (Some("{}"), Some("{\"a\": 1}")));
    let refusal = clashes(&[(JsonForm::Patch, b"{}")], b"{}", b"{}", b"{}").expect_err("no patch");
    assert_eq!(refusal.code, Code::PatchInvalid);
}

#[test]
fn of_places_in_one_another_the_outermost_counts_alone() {
    // As many places as it is deep, each with the whole of what is in it.
    let deep = |depth: usize, value: &str| "{\"a\":".repeat(depth) + value + &"}".repeat(depth);
    let moves: Vec<String> = (1..=100)
        .map(|depth| {
            let at = "/a".repeat(depth);
            format!("{{\"op\":\"move\",\"from\":\"{at}\",\"path\":\"{at}\"}}")
        })
        .collect();
    let patch = format!("[{},{{\"op\":\"add\",\"path\":\"/b\",\"value\":1}}]", moves.join(","));
    let found = find(JsonForm::Patch, &patch, &deep(100, "1"), &deep(100, "2"));
    assert_eq!(found.iter().map(|clash| clash.pointer.as_str()).collect::<Vec<_>>(), ["/a"]);
    // A name that sorts before the slash is no place in it.
    let patch = br#"[{"op":"remove","path":"/a/x"},{"op":"add","path":"/a-b","value":1}]"#;
    let outer = br#"{"a":{"y":1}}"#;
    let edits = [
        (JsonForm::Patch, &patch[..]),
        (JsonForm::MergePatch, &outer[..]),
        (JsonForm::Patch, br#"[{"op":"test","path":"/a","value":{"y":1}}]"#),
    ];
    let (base, now) = (br#"{"a":{"x":1},"a-b":0}"#, br#"{"a":{"x":2},"a-b":9}"#);
    let found = clashes(&edits, base, now, br#"{"a":{"y":1},"a-b":1}"#).expect("patches");
    assert_eq!(found.iter().map(|clash| clash.pointer.as_str()).collect::<Vec<_>>(), ["/a-b", "/a"]);
}
