//! Patches through reading, applying and writing.

use proptest::prelude::*;

use super::*;
use crate::code::Code;

fn path(text: &str) -> DocPath {
    DocPath::parse("path", text).unwrap()
}

/// Applies a patch of one file to a content.
fn apply_one(diff: &[u8], content: &[u8]) -> Result<Applied, Refusal> {
    let files = parse("diff", diff, None)?;
    assert_eq!(files.len(), 1, "one file");
    files[0].apply("diff", &path("t.txt"), content)
}

const HEAD: &str = "--- a/t.txt\n+++ b/t.txt\n";

#[test]
fn hunks_apply_exactly_or_are_refused() {
    let check = |hunks: &str, content: &str, expected: Result<&str, (Code, &str)>| {
        let got = apply_one(format!("{HEAD}{hunks}").as_bytes(), content.as_bytes());
        match (got, expected) {
            (Ok(applied), Ok(text)) => {
                assert_eq!(String::from_utf8(applied.content).unwrap(), text, "{hunks:?}");
            }
            (Err(refusal), Err((code, part))) => {
                assert_eq!(refusal.code, code, "{hunks:?}: {}", refusal.detail);
                assert!(refusal.detail.contains(part), "{hunks:?}: {}", refusal.detail);
                assert!(refusal.said.is_some() && refusal.facts.line.is_some(), "{}", refusal.detail);
            }
            (got, expected) => panic!("{hunks:?} on {content:?}: {got:?} instead of {expected:?}"),
        }
    };
    let (invalid, mismatch) = (Code::PatchInvalid, Code::PatchMismatch);
    let six = "1\n2\n3\n4\n5\n6\n";
    check("@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n", six, Ok("1\ntwo\n3\n4\n5\n6\n"));
    check("@@ -40,2 +40,2 @@\n 4\n-5\n+five\n", six, Ok("1\n2\n3\n4\nfive\n6\n"));
    // Without line ends at the end, and only that.
    check("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a", Ok("a\n"));
    check("@@ -1 +1 @@\n-a\n+a\n\\ Tidak ada baris baru\n", "a\n", Ok("a"));
    check("@@ -1 +1 @@\n-a\n+b\n", "a", Err((mismatch, "expected with a line end")));
    check("@@ -1 +1 @@\n-a\n\\ No newline\n+b\n", "a\n", Err((mismatch, "expected without a line end")));
    check("@@ -1,2 +1,2 @@\n a\n\\ No newline\n-b\n+c\n", "a\nb\n", Err((mismatch, "")));
    check("@@ -1 +1 @@\n-a\n+b\n\\ No newline\n", "a\nx\n", Err((mismatch, "without an end")));
    // Counts.
    check(
        "@@ -1,6 +1,6 @@\n 1\n-2\n+two\n 3\n",
        six,
        Err((invalid, "counts 6 lines before and 6 after; there are 3 and 3")),
    );
    check("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n 3\n", six, Err((invalid, "counts too few")));
    check("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n\n 3\n", six, Err((invalid, "counts too few")));
    check("@@ -1,2 +1,2 @@\n 1\n-2\n+two\nprose\n+3\n", six, Err((invalid, "counts too few")));
    check("@@ -1,2 +1,2 @@\n 1\n-2\n+two\nprose\n", six, Ok("1\ntwo\n3\n4\n5\n6\n"));
    check("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n-- \n2.52.0\n\n", six, Ok("1\ntwo\n3\n4\n5\n6\n"));
    check("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n--\n 3\n", six, Err((invalid, "counts too few")));
    check("@@ -1,4 +1,4 @@\n 1\n-2\n+two\n ... the rest ...\n 6\n", six, Err((mismatch, "")));
    check(
        "@@ -1,4 +1,4 @@\n 1\n-2\n+two\n... the rest ...\n 6\n",
        six,
        Err((invalid, "is no line of a hunk")),
    );
    check("@@ ... @@\n-2\n+two\n", six, Err((invalid, "no line numbers")));
    check("@@ -99999999999 +1 @@\n-2\n+two\n", six, Err((invalid, "no line can have")));
    check("@@ -1,2 +1 @@@\n-2\n+two\n", six, Err((invalid, "")));
    // A blank line whose sign was lost.
    check("@@ -1,3 +1,3 @@\n 1\n\n-3\n+three\n", "1\n\n3\n", Ok("1\n\nthree\n"));
    // Two places, overlap, order.
    check("@@ -7 +7 @@\n-a\n+b\n", "a\nx\na\n", Err((mismatch, "line 1 and at line 3")));
    check("@@ -3 +3 @@\n-a\n+b\n", "a\nx\na\n", Ok("a\nx\nb\n"));
    let overlap = "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n";
    check(overlap, six, Err((mismatch, "overlaps")));
    let order = "@@ -4,2 +4,2 @@\n 4\n-5\n+five\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n";
    check(order, six, Err((mismatch, "overlaps the hunk before it, or stands before")));
    // Once one hunk is elsewhere, no line number is believed.
    let moved = "@@ -1,2 +1,2 @@\n a\n-x\n+y\n@@ -4,2 +4,2 @@\n b\n-x\n+z\n";
    check(moved, "a\nx\nq\nb\nx\n", Ok("a\ny\nq\nb\nz\n"));
    check(moved, "0\na\nx\nq\nb\nx\n", Ok("0\na\ny\nq\nb\nz\n"));
    check(moved, "a\nx\n0\nq\nb\nx\na\nx\n", Err((mismatch, "line 1 and at line 7")));
    // Nothing to hold it against.
    check("@@ -2,0 +3 @@\n+x\n", six, Err((mismatch, "nothing says where they belong")));
    check("@@ -0,0 +1 @@\n+x\n", "", Ok("x\n"));
    check("@@ -0,0 +1 @@\n+x\n", "y\n", Err((mismatch, "nothing says where they belong")));
    // What cannot be seen.
    check("@@ -1 +1 @@\n-a\n+b\n", "a\r\n", Err((mismatch, "LF), not CRLF")));
    check("@@ -1 +1 @@\n-a\r\n+b\r\n", "a\n", Err((mismatch, "CRLF, not LF")));
    check("@@ -1 +1 @@\n-a \n+b\n", "a\n", Err((mismatch, "spaces at the end")));
    check("@@ -1 +1 @@\n-a\n+b\n", "\u{feff}a\n", Err((mismatch, "byte order mark")));
    check("@@ -3 +3 @@\n-c\n\\ No newline\n+C\n\\ No newline\n", "a\r\nb\nc", Ok("a\r\nb\nC"));
    // It is there already.
    let contained = (Code::ProposalNoChange, "already contains");
    check("@@ -1,2 +1,3 @@\n 1\n+new\n 2\n", "1\nnew\n2\n", Err(contained));
    check("@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n", "0\n1\ntwo\n3\n", Err(contained));
    check(
        "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n",
        "1\n2.5\n3\n",
        Err((mismatch, "line 2 of the document is \"2.5\"")),
    );
}

#[test]
fn a_hunk_says_how_far_it_moved_and_what_is_there_instead() {
    let diff = format!("{HEAD}@@ -1,2 +1,2 @@\n b\n-c\n+C\n");
    let applied = apply_one(diff.as_bytes(), b"a\nb\nc\n").unwrap();
    assert_eq!(applied.moved, [MovedHunk { hunk: 1, line: 1, found: 2 }]);
    let refusal = apply_one(diff.as_bytes(), b"b\nd\ne\n").unwrap_err();
    let facts = &refusal.facts;
    assert_eq!((facts.line, facts.hunk, facts.path.as_deref()), (Some(3), Some(1), Some("t.txt")));
    assert_eq!(
        (&facts.expected[..], &facts.found[..]),
        (&["b".to_owned(), "c".to_owned()][..], &["b".to_owned(), "d".to_owned()][..])
    );
}

#[test]
fn names_say_what_a_file_does() {
    let check = |diff: &str, strip: Strip, expected: Result<Target, (Code, &str)>| {
        let got = parse("diff", diff.as_bytes(), strip);
        match (got, expected) {
            (Ok(files), Ok(target)) => assert_eq!(files[0].target(), &target, "{diff:?}"),
            (Err(refusal), Err((code, part))) => {
                assert_eq!(refusal.code, code, "{diff:?}: {}", refusal.detail);
                assert!(refusal.detail.contains(part), "{diff:?}: {}", refusal.detail);
            }
            (got, expected) => panic!("{diff:?}: {got:?} instead of {expected:?}"),
        }
    };
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let plain = |old: &str, new: &str| format!("--- {old}\n+++ {new}\n{hunk}");
    let modify = |names: &[&str]| Ok(Target::Modify(names.iter().map(|name| path(name)).collect()));
    check(&plain("a/x", "b/x"), None, modify(&["x"]));
    check(&plain("b/x", "a/x"), None, modify(&["x"]));
    check(&plain("x", "x"), None, modify(&["x"]));
    check(&plain("a/x", "a/x"), None, modify(&["a/x"]));
    check(&plain("old", "new"), None, modify(&["old", "new"]));
    check(&plain("dir name/x y", "dir name/x y"), None, modify(&["dir name/x y"]));
    check(&plain("a/x\t2013-01-05 16:56:19.000000000 -0600", "b/x\t2013"), None, modify(&["x"]));
    check(&plain("\"a/\\303\\242 \\\"q\"", "\"b/\\303\\242 \\\"q\""), None, modify(&["â \"q"]));
    check(&plain("p//q/x", "p/q/x"), Some(1), modify(&["q/x"]));
    check(&plain("x", "x"), Some(1), Err((Code::PatchInvalid, "too few leading folders")));
    check(&plain("/etc/passwd", "/etc/passwd"), None, Ok(Target::Impossible { name: "/etc/passwd".into() }));
    check(&plain("/path/x", "/path/x"), Some(2), modify(&["x"]));
    check(&plain("/dev/null", "b/x"), None, Ok(Target::Create(path("x"))));
    check(&plain("a/x", "/dev/null"), None, Ok(Target::Delete(path("x"))));
    check(&plain("/dev/null", "/dev/null"), None, Err((Code::PatchInvalid, "both names")));
    check(&plain("/dev/null", "../x"), None, Err((Code::PathInvalid, "")));
    check(
        &plain("x\t1970-01-01 00:00:00 +0000", "x\t2013-10-13 23:44:04 +0000"),
        None,
        Ok(Target::Create(path("x"))),
    );
    check(&plain("x\t2013", "x\tThu Jan 01 00:00:00 1970 +0000"), None, Ok(Target::Delete(path("x"))));
    check(&plain("x\t2013", "x\t1970-01-01 07:00:00.000000000 +0700"), None, Ok(Target::Delete(path("x"))));
    check(&format!("+++ x\n--- x\n{hunk}"), None, modify(&["x"]));
    check(&format!("+++ x\n{hunk}"), None, modify(&["x"]));
    let git = |names: &str, more: &str| format!("diff --git {names}\n{more}");
    check(
        &git("a/x b/x", "new file mode 100644\nindex 0000000..e69de29"),
        None,
        Ok(Target::Create(path("x"))),
    );
    check(&git("a/x y b/x y", "deleted file mode 100644\n"), None, Ok(Target::Delete(path("x y"))));
    check(&git("a/x b/x", "old mode 100644\nnew mode 100755\n"), None, modify(&["x"]));
    check(
        &git("a/x b/x c/x", "new file mode 100644\n"),
        Some(1),
        Err((Code::PatchInvalid, "do not say one file")),
    );
    check(&git("s/f s/f s/f s/f", "new file mode 100644\n"), Some(1), Ok(Target::Create(path("f s/f"))));
    check(
        &git("\"a/\\303\\242\" \"b/\\303\\242\"", "new file mode 100644\n"),
        None,
        Ok(Target::Create(path("â"))),
    );
    let rename = "similarity index 100%\nrename from a/x\nrename to y\n";
    check(&git("a/a/x b/y", rename), None, Ok(Target::Rename { from: path("a/x"), path: path("y") }));
    check(&git("a/in b/../out", "rename from in\nrename to ../out\n"), None, Err((Code::PathInvalid, "")));
    check(
        &git("a/x b/y", "copy from x\ncopy to y\n"),
        None,
        Ok(Target::Copy { from: path("x"), path: path("y") }),
    );
    check(&git("a/x b/x", "new file mode 120000\n"), None, Err((Code::ProposalInvalid, "symbolic links")));
    for (diff, word) in [
        ("", "empty"),
        ("*** Begin Patch\n@@\n-a\n+b\n*** End Patch\n", "apply_patch"),
        ("*** a\n--- b\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n", "context diff"),
        ("1c1\n< a\n---\n> b\n", "normal diff"),
        ("1c\nb\n.\n", "ed script"),
        ("d1 1\na1 1\nb\n", "RCS"),
        ("[{\"op\":\"add\"}]", "JSON"),
        ("diff --cc x\n@@@ -1 -1 +1 @@@\n", "combined"),
        ("just words\n", "no unified diff"),
        ("@@ -1 +1 @@\n-a\n+b\n", "without the name of its file"),
    ] {
        check(diff, None, Err((Code::PatchInvalid, word)));
    }
}

#[test]
fn a_file_that_is_named_has_a_change() {
    for diff in [
        "diff --git a/t.txt b/t.txt\nindex 1..2 100644\n",
        "diff --git a/t.txt b/t.txt\nnew file mode 100644\n--- /dev/null\n+++ b/t.txt\n",
        "--- a/t.txt\n+++ b/t.txt\nprose\n",
        "--- /dev/null\n+++ t.txt\n",
    ] {
        let refusal = apply_one(diff.as_bytes(), b"").unwrap_err();
        assert_eq!(refusal.code, Code::PatchInvalid, "{diff:?}: {}", refusal.detail);
    }
    // What was taken away leaves nothing by which it could be known again.
    let gone = "--- a/t.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    assert_eq!(apply_one(gone.as_bytes(), b"").unwrap_err().code, Code::PatchMismatch);
}

#[test]
fn a_deletion_takes_the_whole_and_an_empty_file_can_be_made() {
    let gone = "diff --git a/t.txt b/t.txt\ndeleted file mode 100644\n--- a/t.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
    assert_eq!(apply_one(gone.as_bytes(), b"a\nb\n").unwrap().content, b"");
    let refusal = apply_one(gone.as_bytes(), b"a\nb\nc\n").unwrap_err();
    assert!(refusal.detail.contains("would leave 1 lines"), "{}", refusal.detail);
    let bare = b"diff --git a/t.txt b/t.txt\ndeleted file mode 100644\nindex e69de29..0000000\n";
    assert!(apply_one(bare, b"").is_ok() && apply_one(bare, b"x").is_err());
    let empty = b"diff --git a/t.txt b/t.txt\nnew file mode 100755\nindex 0000000..e69de29";
    let files = parse("diff", empty, None).unwrap();
    assert_eq!(
        (files[0].mode(), files[0].apply("d", &path("t.txt"), b"").unwrap().content),
        (Some(Mode::Executable), vec![])
    );
}

fn some_content() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        8 => "[abc]{0,2}\n".prop_map(String::into_bytes),
        2 => "[ab+ @-]{0,3}\r\n".prop_map(String::into_bytes),
        1 => Just(b"-- \n".to_vec()),
        1 => Just(b"diff --git a/x b/x\n".to_vec()),
    ];
    let lines = (proptest::collection::vec(line, 0..60), "[ab]{0,2}")
        .prop_map(|(lines, end)| [lines.concat(), end.into_bytes()].concat());
    prop_oneof![6 => lines, 1 => proptest::collection::vec(any::<u8>(), 0..200)]
}

fn some_path() -> impl Strategy<Value = DocPath> {
    "[a-c \"é]{1,4}(/[a-cé+-]{1,3}){0,2}".prop_filter_map("a path", |text| DocPath::parse("path", &text).ok())
}

proptest! {
    /// What is written makes the same again, whatever the content and the name.
    #[test]
    fn our_own_diff_applies_exactly(
        before in some_content(), after in some_content(), at in some_path(), to in some_path(), exec in any::<bool>(),
    ) {
        let mode = if exec { Mode::Executable } else { Mode::Plain };
        let from = (at != to).then_some(&at);
        let change = FileChange { from, path: &to, before: Some((&before, Mode::Plain)), after: Some((&after, mode)) };
        let created = FileChange { from: None, path: &at, before: None, after: Some((&after, mode)) };
        let deleted = FileChange { from: None, path: &to, before: Some((&before, mode)), after: None };
        let diff = write([change, created, deleted]);
        let same = before == after && mode == Mode::Plain && from.is_none();
        let files = parse("diff", &diff, None);
        if same {
            // A change of nothing is nothing, and is refused when it is applied.
            let files = files.unwrap();
            prop_assert!(files[0].apply("diff", &to, &before).is_err());
            return Ok(());
        }
        let files = files.unwrap();
        prop_assert_eq!(files.len(), 3);
        let applied = files[0].apply("diff", &to, &before).unwrap();
        prop_assert_eq!(applied.content, &*after);
        prop_assert!(applied.moved.is_empty());
        let target = match from {
            Some(from) => Target::Rename { from: from.clone(), path: to.clone() },
            None => Target::Modify(vec![to.clone()]),
        };
        prop_assert_eq!(files[0].target(), &target);
        prop_assert_eq!(files[1].target(), &Target::Create(at.clone()));
        prop_assert_eq!(files[1].apply("diff", &at, b"").unwrap().content, after);
        prop_assert_eq!(files[2].target(), &Target::Delete(to.clone()));
        prop_assert_eq!(files[2].apply("diff", &to, &before).unwrap().content, b"");
    }

    /// Whatever the bytes: an answer, never a panic; and what is applied twice says so or is refused.
    #[test]
    fn anything_is_answered(
        before in some_content(), after in some_content(), cut in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let at = path("t.txt");
        let change = FileChange { from: None, path: &at, before: Some((&before, Mode::Plain)), after: Some((&after, Mode::Plain)) };
        let mut diff = write([change]);
        let place = cut.index(diff.len());
        diff[place] = byte;
        if let Ok(files) = parse("diff", &diff, None) {
            for file in files {
                let _ = file.apply("diff", &at, &before);
                let _ = file.apply("diff", &at, &after);
            }
        }
        let _ = parse("diff", &diff[..place], Some(1));
        let _ = parse("diff", &after, None);
    }
}
