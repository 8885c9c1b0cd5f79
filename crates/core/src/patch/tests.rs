//! Patches by their kinds: what is applied, and what is refused with which words.

use super::*;
use crate::code::Code;
use crate::limit;

mod around;
mod headers;

/// Applies a patch to documents, as `resolve` does in short; what is not there is `document.not_found`.
fn run(documents: &[(&str, &str)], diff: &str, strip: Strip) -> Result<Vec<(String, String)>, Refusal> {
    let mut all: Vec<(String, Vec<u8>)> =
        documents.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    let missing = |name: &str| Refusal::new(Code::DocumentNotFound, name);
    for file in parse("diff", diff.as_bytes(), strip)? {
        let (from, to) = match file.target() {
            Target::Create(path) => (None, Some(path.clone())),
            Target::Modify(names) => {
                let there = names.iter().find(|name| all.iter().any(|(other, _)| other == name.as_str()));
                match there {
                    Some(name) => (Some(name.clone()), Some(name.clone())),
                    None if file.creates_if_absent() => (None, names.last().cloned()),
                    None => return Err(missing(names[0].as_str())),
                }
            }
            Target::Delete(path) => (Some(path.clone()), None),
            Target::Rename { from, path } | Target::Copy { from, path } => {
                (Some(from.clone()), Some(path.clone()))
            }
            Target::Impossible { name } => return Err(missing(name)),
        };
        let content = match &from {
            Some(path) => {
                let found = all.iter().find(|(name, _)| name == path.as_str());
                found.ok_or_else(|| missing(path.as_str()))?.1.clone()
            }
            None => Vec::new(),
        };
        let named = from.clone().or(to.clone()).unwrap();
        let made = file.apply("diff", &named, &content)?;
        let keeps = matches!(file.target(), Target::Copy { .. });
        all.retain(|(name, _)| from.as_ref().is_none_or(|from| keeps || name != from.as_str()));
        if let Some(to) = to {
            all.push((to.to_string(), made.content));
        }
    }
    all.sort();
    Ok(all
        .into_iter()
        .map(|(name, content)| (name, String::from_utf8_lossy(&content).into_owned()))
        .collect())
}

/// One document's content afterwards.
#[track_caller]
fn makes(before: &str, diff: &str, after: &str) {
    let made = run(&[("t", before)], diff, None).unwrap_or_else(|refusal| panic!("{refusal}\n{diff}"));
    assert_eq!(made, [("t".to_owned(), after.to_owned())], "{diff}");
}

#[track_caller]
fn refused(documents: &[(&str, &str)], diff: &str, code: Code, words: &str) -> Refusal {
    let refusal = run(documents, diff, None).expect_err(diff);
    assert_eq!(refusal.code, code, "{refusal}\n{diff}");
    assert!(refusal.detail.contains(words), "{refusal:?} lacks {words:?}\n{diff}");
    if code != Code::DocumentNotFound {
        assert!(refusal.detail.starts_with("diff: "), "{refusal}");
        let said = refusal.said.clone().unwrap_or_default();
        assert!(said.starts_with("diff: ") && said != refusal.detail, "{refusal:?}");
    }
    refusal
}

#[track_caller]
fn refuses(before: &str, diff: &str, code: Code, words: &str) -> Refusal {
    refused(&[("t", before)], diff, code, words)
}

/// With both headers.
fn t(hunks: &str) -> String {
    format!("--- a/t\n+++ b/t\n{hunks}")
}

#[test]
fn hunks_apply_at_their_lines_byte_for_byte() {
    makes("a\nb\nc\n", &t("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"), "a\nB\nc\n");
    makes(
        "a\r\nb\nc",
        &t("@@ -3 +3 @@\n-c\n\\ No newline at end of file\n+C\n\\ Tidak ada baris baru\n"),
        "a\r\nb\nC",
    );
    makes("b", &t("@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n"), "b\n");
    makes("b\n", &t("@@ -1 +1 @@\n-b\n+b\n\\ No newline at end of file\n"), "b");
    makes("a\r\nb\r\n", &t("@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+B\r\n"), "a\r\nB\r\n");
    makes("\u{feff}a\nb\n", &t("@@ -1,2 +1,2 @@\n \u{feff}a\n-b\n+B\n"), "\u{feff}a\nB\n");
    makes("a\n\nc\n", &t("@@ -1,3 +1,3 @@\n a\n\n-c\n+C\n"), "a\n\nC\n");
    makes("a\r\n\r\nc\r\n", &t("@@ -1,3 +1,3 @@\n a\r\n\r\n-c\r\n+C\r\n"), "a\r\n\r\nC\r\n");
    // The last line of the patch lost its end, but is held against the document.
    makes("a\nb\n", &t("@@ -1,2 +1,2 @@\n-a\n+A\n b"), "A\nb\n");
    makes("a\nb\n", &t("@@ -1,2 +1 @@\n a\n-b"), "a\n");
    makes("a", &t("@@ -1 +1 @@\n-a\n\\ No newline\n+b\n\\ No newl"), "b");
    // Only counts say where a hunk ends.
    makes("-- x\n++ y\n", &t("@@ -1,2 +1 @@\n--- x\n-++ y\n+--- x\n"), "--- x\n");
    makes("", &t("@@ -0,0 +1,2 @@\n+a\n+b\n"), "a\nb\n");
    makes("a\nb\n", &t("@@ -1,2 +0,0 @@\n-a\n-b\n"), "");
    // Text, fences, a second hunk, and the function behind the header do not matter.
    let prose = format!(
        "Berikut:\n\n```diff\n{}```\n\n- butir\n+ lagi\n",
        t("@@ -1 +1 @@ fn x() { @@\n-a\n+A\n@@ -3 +3 @@\n-c\n+C\n")
    );
    makes("a\nb\nc\n", &prose, "A\nb\nC\n");
    // A byte order mark before the patch itself is the shell's.
    let marked = "\u{feff}diff --git a/t b/t\nnew file mode 100755\n";
    assert_eq!(parse("diff", marked.as_bytes(), None).unwrap()[0].mode(), Some(Mode::Executable));
}

#[test]
fn the_number_of_files_is_bounded_while_they_are_read() {
    let plain = |n: usize| format!("--- a/{n}\n+++ b/{n}\n@@ -1 +1 @@\n-a\n+b\n");
    let git = |n: usize| format!("diff --git a/{n} b/{n}\nnew file mode 100644\n");
    let files = |one: &dyn Fn(usize) -> String, many: usize| (0..many).map(one).collect::<String>();
    let kinds: [&dyn Fn(usize) -> String; 2] = [&plain, &git];
    for one in kinds {
        let most = files(one, limit::CHANGES);
        assert_eq!(parse("diff", most.as_bytes(), None).unwrap().len(), limit::CHANGES);
        // What is wrong behind the last that may be read is not come to.
        let more = format!("{most}{}diff --git wrong\n", one(limit::CHANGES));
        let refusal = parse("diff", more.as_bytes(), None).unwrap_err();
        let facts = &refusal.facts;
        assert_eq!((refusal.code, facts.limit), (Code::LimitExceeded, Some(limit::CHANGES as u64)));
        let line = most.lines().count() as u64 + 1;
        assert_eq!((facts.field.as_deref(), facts.line), (Some("diff"), Some(line)));
        assert!(refusal.detail.contains("at most 10000 files") && refusal.said.is_some(), "{refusal:?}");
    }
}

#[test]
fn a_hunk_elsewhere_is_found_at_its_only_place_and_said() {
    let diff = t("@@ -40,3 +40,3 @@\n c\n-d\n+D\n e\n");
    let path = DocPath::parse("path", "t").unwrap();
    let files = parse("diff", diff.as_bytes(), None).unwrap();
    let made = files[0].apply("diff", &path, b"a\nb\nc\nd\ne\nf\n").unwrap();
    assert_eq!(made.content, b"a\nb\nc\nD\ne\nf\n");
    assert_eq!(made.moved, [MovedHunk { hunk: 1, line: 40, found: 3 }]);
    let twice = refuses(
        "c\nd\ne\nc\nd\ne\n",
        &diff,
        Code::PatchMismatch,
        "more than once in t, first at lines 1 and 4",
    );
    assert_eq!((twice.facts.line, twice.facts.hunk), (Some(3), Some(1)));
    // One hunk that is not at its line makes every line number worthless: the other stands twice.
    let two = t("@@ -1 +1 @@\n-x\n+X\n@@ -5 +5 @@\n-y\n+Y\n");
    makes("x\nb\ny\n", &two, "X\nb\nY\n");
    refuses(
        "x\nx\ny\n",
        &two,
        Code::PatchMismatch,
        "hunk 1: it stands more than once in t, first at lines 1 and 2",
    );
    // Both at their lines need not be the only ones.
    makes("x\nx\nc\nd\ny\ny\n", &two, "X\nx\nc\nd\nY\ny\n");
}

#[test]
fn what_does_not_fit_is_named_with_what_stands_there() {
    let diff = t("@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
    let lacking =
        refuses("a\nx\n", &diff, Code::PatchMismatch, "at line 2 it expects \"b\", but \"x\" stands there");
    assert_eq!(lacking.facts.expected, ["a", "b"]);
    assert_eq!(lacking.facts.found, ["a", "x"]);
    assert_eq!(lacking.facts.path.as_deref(), Some("t"));
    refuses("a\n", &diff, Code::PatchMismatch, "at line 2, but the document ends after line 1");
    refuses("a\r\nb\r\n", &diff, Code::PatchMismatch, "the document has CR LF where the patch has LF");
    let crlf = t("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n");
    refuses("a\nb\nccc\n", &crlf, Code::PatchMismatch, "the patch has CR LF where the document has LF");
    refuses("a\nb", &diff, Code::PatchMismatch, "only the last line end differs: the document has none");
    let open = t("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline\n+B\n");
    refuses("a\nb\n", &open, Code::PatchMismatch, "only the last line end differs: the document has one");
    refuses("a \nb\t\n", &diff, Code::PatchMismatch, "only white space at the ends");
    refuses("\ta\nb\n", &diff, Code::PatchMismatch, "only white space differs");
    refuses("\u{feff}a\nb\n", &diff, Code::PatchMismatch, "only the byte order mark");
    refuses("x\u{2019}\n", &t("@@ -1 +1 @@\n-x'\n+y\n"), Code::PatchMismatch, "expects \"x'\"");
    // A new side without a line end can only be at the end.
    let joins = t("@@ -1 +1 @@\n-a\n+b\n\\ No newline\n");
    refuses("a\nc\n", &joins, Code::PatchMismatch, "more lines follow");
    // Long lines are cut between characters.
    let long = "é".repeat(5_000);
    let refusal =
        refuses(&format!("{long}x\n"), &t(&format!("@@ -1 +1 @@\n-{long}\n+y\n")), Code::PatchMismatch, "é…");
    assert!(refusal.detail.chars().count() < 500 && refusal.facts.expected[0].chars().count() <= 400);
}

#[test]
fn hunks_that_cannot_all_stand_are_refused() {
    let document = "a\nb\nc\nd\ne\nf\n";
    let overlap = t("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n");
    let refusal = refuses(document, &overlap, Code::PatchMismatch, "overlaps hunk 1");
    assert_eq!((refusal.facts.hunk, refusal.facts.line), (Some(2), Some(8)));
    let order = t("@@ -5 +5 @@\n-e\n+E\n@@ -1 +1 @@\n-a\n+A\n");
    refuses(document, &order, Code::PatchMismatch, "stands before hunk 1");
    refuses(document, &t("@@ -3,0 +4 @@\n+x\n"), Code::PatchMismatch, "no line that t would have to hold");
    // One that is only of an empty document is not together with others: of whichever document.
    for (hunks, hunk) in [
        ("@@ -0,0 +1 @@\n+x\n@@ -0,0 +2 @@\n+y\n", 1),
        ("@@ -0,0 +1 @@\n+x\n@@ -1 +2 @@\n-a\n+A\n", 1),
        ("@@ -1 +1 @@\n-a\n+A\n@@ -3,0 +4 @@\n+x\n", 2),
    ] {
        for document in ["", document] {
            let refusal =
                refuses(document, &t(hunks), Code::PatchInvalid, "the one hunk of an empty document");
            assert_eq!(refusal.facts.hunk, Some(hunk), "{hunks}");
        }
    }
}

#[test]
fn what_is_there_already_is_not_made_again() {
    let inside = t("@@ -1,2 +1,3 @@\n a\n+x\n b\n");
    refuses("a\nx\nb\n", &inside, Code::ProposalNoChange, "already contains this change");
    // Moved, replaced, removed: in whole there.
    refuses("q\na\nx\nb\n", &inside, Code::ProposalNoChange, "already contains");
    refuses("a\nB\n", &t("@@ -1,2 +1,2 @@\n a\n-b\n+B\n"), Code::ProposalNoChange, "already contains");
    refuses("a\nc\n", &t("@@ -1,3 +1,2 @@\n a\n-b\n c\n"), Code::ProposalNoChange, "already contains");
    refuses("", &t("@@ -1 +0,0 @@\n-a\n"), Code::ProposalNoChange, "already contains");
    // Half of it is nothing that can be said to be there.
    let half = t("@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@\n-c\n+C\n");
    refuses("A\nb\nc\n", &half, Code::PatchMismatch, "hunk 1");
    // Never a second copy, be it behind, in front, or elsewhere.
    let words = "what it makes of them stands there already";
    refuses("a\nx\n", &t("@@ -1 +1,2 @@\n a\n+x\n"), Code::PatchMismatch, words);
    refuses("x\na\n", &t("@@ -1 +1,2 @@\n+x\n a\n"), Code::PatchMismatch, words);
    refuses("a\nx\nb\nq\na\nb\n", &inside, Code::PatchMismatch, words);
    let alike = t("@@ -1,2 +1,4 @@\n a\n+b\n+c\n b\n");
    refuses("a\nb\nc\nb\n", &alike, Code::PatchMismatch, words);
    // Deliberately again is one more line at the end, or among others that are not there yet.
    makes("b\nb\n", &t("@@ -1,2 +1,3 @@\n b\n b\n+b\n"), "b\nb\nb\n");
    makes("b\nb\nb\nc\n", &t("@@ -1,2 +1,3 @@\n b\n+b\n b\n@@ -4 +5 @@\n-c\n+C\n"), "b\nb\nb\nb\nC\n");
}

#[test]
fn counts_are_exact() {
    let document = "a\nb\nc\nd\n";
    let check = |hunks: &str, words: &str| refuses(document, &t(hunks), Code::PatchInvalid, words);
    let few =
        check("@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n", "counts 4 old and 4 new lines, but the hunk has 3 and 3");
    assert_eq!((few.facts.expected, few.facts.found), (vec!["-4 +4".to_owned()], vec!["-3 +3".to_owned()]));
    check("@@ -1,2 +1,2 @@\n a\n-b\n+B\n c\n", "counts 2 old and 2 new lines, but the hunk has 3 and 3");
    check("@@ -1,2 +1,2 @@\n a\n-b\n+B\n+x\n", "but the hunk has 2 and 3");
    check("@@ -1,2 +1,2 @@\n a\n-b\n+B\n\n c\n", "but the hunk has 4 and 4");
    check("@@ -1 +1 @@\n-a\n+A\ntext\n-b\n", "but the hunk has 2 and 1");
    check("@@ -1 +1 @@\n-a\n+A\n@@ kacau\n", "has no line numbers");
    check("@@ -1 +1 @@\n-a\n+A\ntext\n@@ -2 +2 @@\n-b\n+B\n", "looks like part of a hunk");
    check("@@ -1,6 +1,6 @@\n a\n-b\n+B\n... rest ...\n d\n", "\"... rest ...\" is no line of a hunk");
    check("@@ -1 +1 @@\n-a\n\\ No newline\n+A\n\\ No newline\n\\ No newline\n", "ends no line");
    check("@@ -1 +1 @@\n-a\n\\ No newline\n\\ No newline\n+A\n", "ends no line");
    check("@@ -1 +1 @@\n\\ No newline\n-a\n+A\n", "ends no line");
    check("@@ -1 +1 @@\n-a\n+A\n\\No newline\n", "ends no line");
    check("@@ -1 +1 @@\n-a\n\\\n+A\n", "ends no line");
    check("@@ -1 +1 @@\n-a\n+A", "ends in the middle of a line");
    check("@@ -1 +1,2 @@\n-a\n+A\n+", "ends in the middle of a line");
    check("@@ -1 +1 @@\n-a\n+A\r", "ends in the middle of a line");
    check("@@ -1,2 +1 @@\n-a\n\\ No newline\n-b\n+A\n", "lines of the same side follow");
    check("@@ -3 +3 @@\n-\n\\ No newline\n+A\n", "an empty line without a line end is no line");
    check("@@ ... @@\n-a\n+A\n", "has no line numbers");
    check("@@\n-a\n+A\n", "has no line numbers");
    check("@@ -1,x +1 @@\n-a\n+A\n", "cannot be read");
    check("@@ -1 +1\n-a\n+A\n", "cannot be read");
    check("@@ -98765432109876543210 +98765432109876543210 @@\n-a\n+A\n", "up to 4294967295");
    check("@@ -1,4294967295 +1 @@\n-a\n+A\n", "counts 4294967295 old");
    check("", "no hunk of it follows");
    // The document is named first.
    refused(&[], &t("@@ ... @@\n"), Code::DocumentNotFound, "t");
    refused(&[], &t("@@ -1,9 +1 @@\n-a\n"), Code::DocumentNotFound, "t");
    // A mail's signature is no hunk's, and what only looks like one is.
    let hunk = "@@ -1 +1 @@\n-a\n+A\n";
    makes(document, &t(&format!("{hunk}-- \n2.40.0\n\n")), "A\nb\nc\nd\n");
    makes(
        document,
        &t(&format!(
            "{hunk}--\n2.39.2 (Apple Git-143)\nFrom 0123456789 Mon Sep 17 00:00:00 2001\n\n- text\n"
        )),
        "A\nb\nc\nd\n",
    );
    check(&format!("{hunk}-- \nnot a version\n"), "the hunk has 2 and 1");
    check(&format!("{hunk}---\n\ntext\n"), "the hunk has 2 and 1");
}

#[test]
fn names_and_what_becomes_of_them() {
    let check = |diff: &str, strip: Strip, target: Target| {
        let files =
            parse("diff", diff.as_bytes(), strip).unwrap_or_else(|refusal| panic!("{refusal}\n{diff}"));
        assert_eq!(files[0].target(), &target, "{diff}");
    };
    let path = |text: &str| DocPath::parse("path", text).unwrap();
    let modify = |names: &[&str]| Target::Modify(names.iter().map(|name| path(name)).collect());
    let plain = |old: &str, new: &str, hunk: &str| format!("--- {old}\n+++ {new}\n{hunk}");
    let one = "@@ -1 +1 @@\n-a\n+b\n";
    let (none, gone) = ("@@ -0,0 +1 @@\n+a\n", "@@ -1 +0,0 @@\n-a\n");
    check(&plain("a/x", "b/x", one), None, modify(&["x"]));
    check(&plain("b/x", "a/x", one), None, modify(&["x"]));
    check(&plain("a/x", "a/x", one), None, modify(&["a/x"]));
    check(&plain("a/x", "b/x", one), Some(0), modify(&["a/x", "b/x"]));
    check(&plain("p//q/x y", "p/q/x y", one), Some(2), modify(&["x y"]));
    check(&plain("x.orig\t2020", "x\t2020", one), None, modify(&["x.orig", "x"]));
    check(&plain("/tmp/x", "x", one), None, modify(&["x"]));
    check(&plain("/tmp/x", "../x", one), None, Target::Impossible { name: "/tmp/x".into() });
    check(&format!("+++ x\n{one}"), None, modify(&["x"]));
    check(&format!("+++ x\n--- x\n{one}"), None, modify(&["x"]));
    check(&plain("/dev/null", "b/x", none), None, Target::Create(path("x")));
    check(&plain("a/x", "/dev/null\tThu Jan 01 00:00:00 1970 +0000", gone), None, Target::Delete(path("x")));
    check(&plain("x\t1970-01-01 00:00:00 +0000", "x\t2020", none), None, Target::Create(path("x")));
    check(&plain("x\t2020", "x\t1970-01-01 07:00:00 +0700", gone), None, Target::Delete(path("x")));
    // Where every file has that stamp, it says nothing.
    let epoch = "x\t1970-01-01 00:00:00 +0000";
    check(&plain(epoch, epoch, one), None, modify(&["x"]));
    let git = |rest: &str| format!("diff --git {rest}");
    check(&git("a/x b/x\nold mode 100644\nnew mode 100755\n"), None, modify(&["x"]));
    check(
        &git("i/d/x w/d/x\nindex 1..2\n--- i/d/x\n+++ w/d/x\n@@ -1 +1 @@\n-a\n+b\n"),
        None,
        modify(&["d/x"]),
    );
    check(&git("a/x b/y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"), None, modify(&["x", "y"]));
    let renamed = Target::Rename { from: path("a b"), path: path("b/c") };
    check(
        &git("a/a b b/b/c\nsimilarity index 100%\nrename from a b\nrename to b/c\n"),
        None,
        renamed.clone(),
    );
    check(
        &git("a/a b b/b/c\nrename from a b\nrename to b/c\n--- a/a b\n+++ b/b/c\n@@ -1 +1 @@\n-a\n+b\n"),
        Some(1),
        renamed,
    );
    check(&git("a/x b/y\ncopy from x\ncopy to y\n"), None, Target::Copy { from: path("x"), path: path("y") });
    check(
        &git("a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n"),
        None,
        Target::Delete(path("x")),
    );
    check(&git("\"a/\\303\\251\" \"b/\\303\\251\"\nnew file mode 100644"), None, Target::Create(path("é")));
    assert!(parse("diff", plain("x", "x", none).as_bytes(), None).unwrap()[0].creates_if_absent());
    assert!(!parse("diff", plain("x", "x", one).as_bytes(), None).unwrap()[0].creates_if_absent());
}

#[test]
fn headers_that_say_no_one_thing_are_refused() {
    let check = |diff: &str, code: Code, words: &str| refused(&[("x", "a\n")], diff, code, words);
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    check(&format!("--- /dev/null\n+++ /dev/null\n{hunk}"), Code::PatchInvalid, "both sides are /dev/null");
    check(&format!("--- /dev/null\n+++ b/y\n{hunk}"), Code::PatchInvalid, "said to be new");
    check(&format!("--- a/x\n+++ /dev/null\n{hunk}"), Code::PatchInvalid, "said to go");
    check("--- a/x\n+++ /dev/null\n@@ -2 +0,0 @@\n-b\n", Code::PatchMismatch, "hunk 1");
    refused(
        &[("x", "a\nb\n")],
        "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        Code::PatchMismatch,
        "2 bytes of it are not in the patch",
    );
    check(
        "diff --git a/x b/x\ndeleted file mode 100644\n",
        Code::PatchMismatch,
        "without showing what it holds",
    );
    check(
        "diff --git a/y b/y\nnew file mode 100644\nindex 0000000..53c74cd\n",
        Code::PatchInvalid,
        "no hunk shows how",
    );
    check("diff --git a/x b/x\nindex 0000000..53c74cd 100644\n", Code::PatchInvalid, "no hunk shows how");
    check("diff --git a/x b/x\nsomething\n", Code::PatchInvalid, "\"something\" at line 2 is neither");
    check("diff --git a/x b/x\nrename from x\n", Code::PatchInvalid, "only one of its two files");
    check(
        "diff --git a/x b/y\nrename from x\nrename to z\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
        Code::PatchInvalid,
        "name both b/y and z",
    );
    check("diff --git a/x b/x c/x\nnew file mode 100644\n", Code::PatchInvalid, "cannot be told apart");
    check(
        "diff --git a/x b/x\nnew file mode 100644\ndeleted file mode 100644\n",
        Code::PatchInvalid,
        "both to be new and to go",
    );
    check(
        "diff --git a/x b/x\nnew file mode 120000\n",
        Code::ProposalInvalid,
        "line 2: mode \"120000\": symbolic links",
    );
    check("diff --git a/x b/x\nindex 1234567..89abcde 160000\n", Code::ProposalInvalid, "submodules");
    check(
        "diff --git a/x b/x\nindex 1234567..89abcde 100644\nBinary files a/x and b/x differ\n",
        Code::PatchInvalid,
        "git diff --binary",
    );
    check("--- \"a/x\n+++ \"b/x\n", Code::PatchInvalid, "quoted name");
    check("--- /dev/null\n+++ ../y\n@@ -0,0 +1 @@\n+a\n", Code::PathInvalid, "line 1: \"../y\"");
    check("--- /dev/null\n+++ \"y\\377\"\n@@ -0,0 +1 @@\n+a\n", Code::PathInvalid, "not UTF-8");
    let deep = run(&[("x", "a\n")], &format!("--- x\n+++ x\n{hunk}"), Some(1)).unwrap_err();
    assert!(deep.detail.contains("strip 1 takes more away than x has"), "{deep}");
}

#[test]
fn whatever_wraps_a_patch() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let check = |diff: String| makes("a\n", &diff, "b\n");
    check(format!(
        "Index: t\n===================================================================\n--- t\t(revision 1)\n+++ t\t(working copy)\n{hunk}"
    ));
    check(format!(
        "Index: t\n=====\nRCS file: /x/t,v\nretrieving revision 1.1\ndiff -u -r1.1 t\n--- t\t5 Nov 2008 21:37:25 -0000\t1.1\n+++ t\t15 Sep 2011 02:26:05 -0000\n{hunk}"
    ));
    check(format!(
        "=== modified file 't'\n--- t\t2013-10-13 23:53:13 +0000\n+++ t\t2013-10-13 23:53:26 +0000\n{hunk}\n"
    ));
    check(format!(
        "# HG changeset patch\n# User x\n- list\n\ndiff -r 1234 t\n--- a/t\tx\n+++ b/t\tx\n{hunk}"
    ));
    check(format!(
        "commit 0123456789\nAuthor: x\n\n    - text\n\ndiff --git a/t b/t\n--- a/t\n+++ b/t\n{hunk}\ncommit abcdef012\nAuthor: y\n\n    + text\n"
    ));
    let both = |between: &str| {
        let diff = format!("--- t\n+++ t\n{hunk}{between}--- u\n+++ u\n{hunk}");
        let made = run(&[("t", "a\n"), ("u", "a\n")], &diff, None)
            .unwrap_or_else(|refusal| panic!("{refusal}\n{diff}"));
        assert!(made.iter().all(|(_, text)| text == "b\n"), "{made:?}");
    };
    both("");
    both("\n\n");
    both("JUNK\ntext\n");
    both("diff -ru t u\n");
    both("-- \n2.1\n\nFrom 0123456 Mon Sep 17 00:00:00 2001\n\n- item\n---\n x | 2 +-\n\n");
}

#[test]
fn other_forms_are_named() {
    let check = |diff: &str, words: &str| refused(&[("t", "a\n")], diff, Code::PatchInvalid, words);
    check("", "is empty");
    check(" \n\n", "is empty");
    check("*** t\n--- t\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n", "context diff");
    check(
        "Index: t\n=====\n*** t\n--- t\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n",
        "context diff",
    );
    check("  *** Begin Patch\n*** Update File: t\n@@\n-a\n+b\n*** End Patch  \n", "apply_patch");
    check("Ini:\n\n*** Update File: t\n@@\n-a\n", "apply_patch");
    check("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "search/replace");
    check("1,2d0\n< a\n< b\n4c2\n< x\n---\n> y\n", "normal diff");
    check("Index: t\n======\n1a2\n> y\n", "normal diff");
    check("11a\nx\n.\n4c\ny\n.\n1,2d\n", "ed script");
    check("d1 2\na4 3\nx\ny\nz\n", "RCS diff");
    check("diff --cc t\nindex 1,2..3\n--- a/t\n+++ b/t\n@@@ -1,1 -1,1 +1,1 @@@\n", "combined diff");
    check("{\"op\":\"add\"}", "JSON");
    check("[{\"op\":\"add\"}]", "JSON");
    check("\u{0}", "no unified diff");
    check("Tolong ubah a menjadi b.\n- a\n+ b\n", "no unified diff");
    check("@@ -1 +1 @@\n-a\n+b\n", "belongs to no file");
    check("Binary files a/t and b/t differ\n", "git diff --binary");
    check("Index: t.png\n=====\nCannot display: file marked as a binary type.\n", "git diff --binary");
    check("Index: t\n=====\nIndex: u\n=====\n", "announces a file");
    check("diff -r 1234 t\ndiff -r 1234 u\n", "announces a file");
    check("--- t\n+++ t\n@@ -1 +1 @@\n-a\n+b\n\nProperty changes on: t\n", "what documents do not have");
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain("--- a\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let refusal = parse("diff", &wide, None).unwrap_err();
    assert!(refusal.detail.contains("UTF-16"), "{refusal}");
}

#[test]
fn binary_patches_are_held_against_what_they_name() {
    let path = DocPath::parse("path", "t").unwrap();
    let (old, new) = (b"\0old".as_slice(), b"\0\xFFnew".as_slice());
    let side = |content| Some((content, Mode::Plain));
    let own = write([FileChange { from: None, path: &path, before: side(old), after: side(new) }]);
    let own = String::from_utf8(own).unwrap();
    let apply = |diff: &str, content: &[u8]| {
        let files = parse("diff", diff.as_bytes(), None).unwrap();
        files[0].apply("diff", &path, content).map(|made| made.content)
    };
    let code = |made: Result<Vec<u8>, Refusal>| made.map_err(|refusal| refusal.code);
    assert_eq!(apply(&own, old), Ok(new.to_vec()));
    assert_eq!(code(apply(&own, b"other")), Err(Code::PatchMismatch));
    assert_eq!(code(apply(&own, new)), Err(Code::ProposalNoChange));
    // Without full ids the way back decides, without either nothing does.
    let (head, index, data) = {
        let mut lines = own.splitn(3, '\n');
        (lines.next().unwrap(), lines.next().unwrap(), lines.next().unwrap())
    };
    assert!(index.starts_with("index ") && index.len() > 80);
    let bare = format!("{head}\n{data}");
    assert_eq!(apply(&bare, old), Ok(new.to_vec()));
    assert_eq!(code(apply(&bare, b"other")), Err(Code::PatchMismatch));
    assert_eq!(code(apply(&bare, new)), Err(Code::ProposalNoChange));
    let one_way = format!("{head}\n{}\n\n", data.split("\n\n").next().unwrap());
    assert_eq!(code(apply(&one_way, old)), Err(Code::PatchMismatch));
    // Ids that are not those of the contents.
    let lying = own.replace(&binary::blob_id(new), &"1".repeat(40));
    assert_eq!(code(apply(&lying, old)), Err(Code::PatchMismatch));
    // Sizes and letters that are not true.
    for broken in [
        data.replace("literal 5", "literal 6"),
        data.replace("literal 5", "literal 4"),
        data.replacen('c', "?", 1),
        data.replace("literal 5", "delta 5"),
    ] {
        let made = code(apply(&format!("{head}\n{index}\n{broken}"), old));
        assert!(matches!(made, Err(Code::PatchInvalid | Code::PatchMismatch)), "{made:?} {broken}");
    }
    let huge = format!("{head}\n{index}\nGIT binary patch\nliteral 99999999999\nzc\n\n");
    assert_eq!(code(apply(&huge, old)), Err(Code::LimitExceeded));
    // Neither a content nor a delta is larger than a content may be.
    for (kind, what) in [("literal", "a document"), ("delta", "a delta")] {
        let most = limit::CONTENT_BYTES;
        let binary =
            |size: usize| format!("diff --git a/t b/t\nindex 0..1\nGIT binary patch\n{kind} {size}\nzc\n\n");
        let refusal = refuses("", &binary(most + 1), Code::LimitExceeded, what);
        assert_eq!((refusal.facts.limit, refusal.facts.line), (Some(most as u64), Some(4)));
        refuses("", &binary(most), Code::PatchInvalid, "not as long as it says");
    }
    // A delta of git's own making: of 1 to 400 with a line in the middle changed.
    let numbers: String = (1..=400).flat_map(|n: u32| [n.to_string(), "\u{0}\n".to_owned()]).collect();
    let delta = include_str!("delta.patch");
    assert_eq!(
        apply(delta, numbers.as_bytes()),
        Ok(numbers.replace("200\u{0}", "dua ratus\u{0}").into_bytes())
    );
    assert!(delta.contains("\ndelta "));
    assert_eq!(code(apply(delta, old)), Err(Code::PatchMismatch));
    let unnamed: Vec<&str> = delta.lines().filter(|line| !line.starts_with("index ")).collect();
    let unnamed = unnamed.join("\n");
    assert!(apply(&unnamed, numbers.as_bytes()).is_ok());
    assert_eq!(code(apply(&unnamed, old)), Err(Code::PatchMismatch));
}

#[test]
fn control_characters_are_written_as_data() {
    let path = DocPath::parse("path", "t").unwrap();
    let written = |before: &[u8], after: &[u8]| {
        let side = |content| Some((content, Mode::Plain));
        let own = write([FileChange { from: None, path: &path, before: side(before), after: side(after) }]);
        let files = parse("diff", &own, None).unwrap();
        assert_eq!(files[0].apply("diff", &path, before).unwrap().content, after);
        String::from_utf8(own).unwrap()
    };
    for control in ["\u{0}", "\u{1}", "\u{7}", "\u{8}", "\u{b}", "\u{1b}[2J", "\u{7f}", "\u{85}", "\u{9b}2J"]
    {
        let content = format!("a{control}\n");
        for own in [written(b"a\n", content.as_bytes()), written(content.as_bytes(), b"a\n")] {
            assert!(own.contains("\nGIT binary patch\n") && !own.contains(control), "{own:?}");
        }
    }
    for text in ["\t", "\r", "\u{c}", "\u{a0}", "\u{202e}", "\u{2066}", "\u{feff}", "\u{e9}"] {
        let own = written(b"a\n", format!("a{text}\n").as_bytes());
        assert!(own.contains(&format!("\n+a{text}\n")), "{own:?}");
    }
    assert!(written(b"a\n", b"\xFF\n").contains("\nGIT binary patch\n"));
}
