//! Patches of several files and commits over a room. What is expected is what `git am` makes of the same.

use super::*;

fn patch(diff: &str, strip: Option<u32>) -> [Submitted; 1] {
    [Submitted::Patch { diff: diff.into(), strip, bases: Vec::new() }]
}

/// A mailbox with one mail for each commit.
fn series(commits: &[&str]) -> String {
    let mail = |files: &&str| {
        format!(
            "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nDate: Tue, 1 Dec 2026 03:24:51 +0000\nSubject: [PATCH] x\n\n---\n\n{files}-- \n2.47.3\n\n"
        )
    };
    commits.iter().map(mail).collect()
}

const EDIT: &str =
    "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+one\n";

fn copy(from: &str, to: &str) -> String {
    format!("diff --git a/{from} b/{to}\nsimilarity index 100%\ncopy from {from}\ncopy to {to}\n")
}

fn copy_edited(from: &str, to: &str, old: &str) -> String {
    format!(
        "diff --git a/{from} b/{to}\nsimilarity index 50%\ncopy from {from}\ncopy to {to}\n--- a/{from}\n+++ b/{to}\n@@ -1 +1 @@\n{old}+copied\n"
    )
}

const OLD: &str = "-1\n\\ No newline at end of file\n";
const GONE: &str =
    "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
const NEW: &str = "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n";

#[test]
fn a_commit_reads_what_the_commits_before_it_made() {
    let check = |commits: &[&str], expected: &[&str]| {
        let diff = series(commits);
        let mut got = net(&patch(&diff, None)).unwrap_or_else(|code| panic!("{code:?}\n{diff}"));
        let mut expected = expected.to_vec();
        got.sort();
        expected.sort_unstable();
        assert_eq!(got, expected, "{diff}");
    };
    let one = "replace a one\n";
    // A copy before and after an edit.
    check(&[&copy("a", "c"), EDIT, &copy("a", "d")], &["create c 1", one, "create d one\n"]);
    check(&[EDIT, &copy_edited("a", "c", "-one\n")], &[one, "create c copied\n"]);
    check(&[EDIT, &copy("a", "c"), GONE], &["delete a absent", "create c one\n"]);
    // In one commit a copy is of what was there before it, wherever it stands.
    check(&[&format!("{EDIT}{}", copy_edited("a", "c", OLD))], &[one, "create c copied\n"]);
    check(&[EDIT, &format!("{}{}", copy("a", "c"), GONE)], &["delete a absent", "create c one\n"]);
    check(&[EDIT, &format!("{GONE}{}", copy("a", "c"))], &["delete a absent", "create c one\n"]);
    // Of what the series makes or moves.
    check(&[NEW, &copy("n", "c")], &["create n new\n", "create c new\n"]);
    check(
        &[NEW, &copy("n", "c"), &copy_edited("c", "d", "-new\n")],
        &["create n new\n", "create c new\n", "create d copied\n"],
    );
    let rename = |from: &str, to: &str| {
        format!("diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n")
    };
    check(&[&rename("a", "m"), &copy("m", "c")], &["rename a>m same 100644", "create c 1"]);
    // Renames are as at once within a commit, and one after the other across them.
    let swap = rename("a", "b") + &rename("b", "a");
    check(&[&swap], &["rename a>b same 100644", "rename b>a same 100644"]);
    check(&[&swap, &copy("a", "c")], &["rename a>b same 100644", "rename b>a same 100644", "create c 2"]);
    check(
        &[&rename("a", "t"), &rename("b", "a"), &rename("t", "b")],
        &["rename a>b same 100644", "rename b>a same 100644"],
    );
    // What a later commit takes away is not free yet.
    let refused = net(&patch(&series(&[&rename("a", "b"), &rename("b", "a")]), None));
    assert_eq!(refused, Err(Code::DocumentExists));
    // What it made is not there before it: as `git am` refuses them.
    for commits in [[&*copy("n", "c"), NEW], [&*copy_edited("a", "c", "-one\n"), EDIT]] {
        assert!(net(&patch(&series(&commits), None)).is_err(), "{commits:?}");
    }
    assert!(net(&patch(&series(&[&format!("{NEW}{}", copy("n", "c"))]), None)).is_err());
}

#[test]
fn what_a_patch_is_refused_for_stands_in_its_diff() {
    let room = &[("x", "a\n"), ("d/y", "a\n"), ("z", "q\n")];
    let new = |path: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+n\n"
        )
    };
    let rename = |from: &str, to: &str| {
        format!("diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n")
    };
    let put = || Submitted::put(path("p"), "p");
    for (diff, code) in [
        (new("x"), Code::DocumentExists),
        (new("X"), Code::PathCollision),
        (new("x/y"), Code::PathCollision),
        (new("d"), Code::PathCollision),
        (new("e") + &new("e/f"), Code::PathCollision),
        (rename("z", "x"), Code::DocumentExists),
        (rename("z", "X"), Code::PathCollision),
        (rename("z", "x/y"), Code::PathCollision),
        (copy("z", "x"), Code::DocumentExists),
        (copy("z", "X"), Code::PathCollision),
        (copy("z", "d"), Code::PathCollision),
        (rename("absent", "e"), Code::DocumentNotFound),
        (new("../e"), Code::PathInvalid),
    ] {
        let [patch] = patch(&diff, None);
        let refusal = net_in(room, &[put(), patch]).expect_err(&diff);
        let field = "changes[1].diff";
        assert_eq!((refusal.code, refusal.facts.field.as_deref()), (code, Some(field)), "{refusal}\n{diff}");
        let said = refusal.said.clone().unwrap_or_default();
        assert!(refusal.detail.starts_with(field) && said.starts_with(field), "{refusal:?}\n{diff}");
        assert!(!format!("{refusal:?}").contains("].path"), "{refusal:?}\n{diff}");
    }
    // The other changes say their path in a member of its own.
    for (change, code) in [
        (Submitted::put(path("x/y"), "p"), Code::PathCollision),
        (Submitted::Rename { from: path("z"), path: path("x"), base: None }, Code::DocumentExists),
    ] {
        let [patch] = patch(&new("n"), None);
        let refusal = net_in(room, &[patch, change]).expect_err("the place is taken");
        assert_eq!((refusal.code, refusal.facts.field.as_deref()), (code, Some("changes[1].path")));
        assert!(refusal.detail.starts_with("changes[1].path: "), "{refusal}");
    }
}

#[test]
fn what_is_there_in_part_says_that_the_rest_is_not() {
    let room = &[("x", "b\n"), ("y", "a\n")];
    let edit = |path: &str| format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n");
    let rename =
        format!("diff --git a/x b/m\nrename from x\nrename to m\n{}", edit("x").replace("b/x", "b/m"));
    let check = |diff: &str, code: Code, rest: bool| {
        let refusal = net_in(room, &patch(diff, None)).expect_err(diff);
        assert_eq!(refusal.code, code, "{refusal}\n{diff}");
        let said = refusal.said.as_deref().unwrap_or_default();
        assert!(
            refusal.detail.contains("x already contains") && said.contains("x sudah memuat"),
            "{refusal:?}"
        );
        let told = (refusal.detail.contains("The rest"), said.contains("Bagian lain"));
        assert_eq!(told, (rest, rest), "{refusal:?}");
    };
    check(&edit("x"), Code::ProposalNoChange, false);
    check(&(edit("x") + &edit("y")), Code::PatchMismatch, true);
    check(&rename, Code::PatchMismatch, true);
}

#[test]
fn a_document_that_a_patch_makes_has_the_mode_that_the_patch_says() {
    let room = &[("x.sh", "old\n")];
    let gone = "--- a/x.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n";
    let new = "--- /dev/null\n+++ b/x.sh\n@@ -0,0 +1 @@\n+new\n";
    let either = "--- a/x.sh\n+++ b/x.sh\n@@ -0,0 +1 @@\n+new\n";
    let git = |mode: &str, new: &str| format!("diff --git a/x.sh b/x.sh\n{mode}{new}");
    let check = |diffs: &[&str], mode: Mode| {
        let changes: Vec<_> = diffs.iter().flat_map(|diff| patch(diff, None)).collect();
        let net = resolve(&changes, &mut Few(room)).unwrap_or_else(|refusal| panic!("{refusal}\n{diffs:?}"));
        let [one] = net.as_slice() else { panic!("{diffs:?}: {net:?}") };
        let after = one.after.as_ref().map(|(_, mode)| *mode);
        assert_eq!((one.op, after), (Op::Replace, Some(mode)), "{diffs:?}");
    };
    for (new, mode) in [
        (new.to_owned(), Mode::Plain),
        (git("", new), Mode::Plain),
        (git("new file mode 100644\n", new), Mode::Plain),
        (git("new file mode 100755\n", new), Mode::Executable),
    ] {
        // Whichever of the two the patch has first, or where they are two.
        check(&[&format!("{gone}{new}")], mode);
        check(&[&format!("{new}{gone}")], mode);
        check(&[&series(&[gone, &new])], mode);
        check(&[gone, &new], mode);
    }
    check(&[gone, either], Mode::Plain);
    // What only changes keeps its own.
    check(&["--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-old\n+new\n"], Mode::Executable);
}

#[test]
fn a_missing_document_is_told_with_the_strip_that_finds_one() {
    let room = &[("x.txt", "a\n"), ("d/y.txt", "a\n")];
    let check = |diff: &str, strip: Option<u32>, told: Option<(u32, &str)>| {
        let refusal = net_in(room, &patch(diff, strip)).expect_err(diff);
        assert_eq!(refusal.code, Code::DocumentNotFound, "{refusal}");
        let said = refusal.said.as_deref().unwrap();
        let words = (refusal.detail.contains("With strip"), said.contains("Dengan strip"));
        assert_eq!(words, (told.is_some(), told.is_some()), "{refusal}\n{diff}");
        let Some((strip, path)) = told else { return };
        let name = format!("strip {strip} the patch would mean {path}, which is there");
        assert!(refusal.detail.contains(&name), "{refusal}\n{diff}");
        assert!(said.contains(&format!("strip {strip} yang dimaksud tambalan adalah {path}")), "{said}");
        // And so it does.
        let got =
            net_in(room, &patch(diff, Some(strip))).unwrap_or_else(|refusal| panic!("{refusal}\n{diff}"));
        assert_eq!(got.len(), 1, "{got:?}");
    };
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let plain = |old: &str, new: &str| format!("--- {old}\n+++ {new}\n{hunk}");
    for (old, new) in [("i", "w"), ("c", "i"), ("c", "w"), ("o", "w"), ("1", "2"), ("p", "p")] {
        check(&plain(&format!("{old}/x.txt"), &format!("{new}/x.txt")), None, Some((1, "x.txt")));
    }
    check(&plain("/home/u/d/y.txt", "/home/u/d/y.txt"), None, Some((3, "d/y.txt")));
    check(&plain("a/p/q/d/y.txt", "b/p/q/d/y.txt"), None, Some((3, "d/y.txt")));
    // Too many were taken away.
    check(&plain("a/d/y.txt", "b/d/y.txt"), Some(2), Some((1, "d/y.txt")));
    check(&plain("p/none.txt", "p/none.txt"), None, None);
    check(&plain("d/x.txt.bak", "d/x.txt.bak"), None, None);
    let gone = "--- old/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    check(gone, None, Some((1, "x.txt")));
    let moved =
        |word: &str| format!("diff --git a/p/x.txt b/p/z.txt\n{word} from p/x.txt\n{word} to p/z.txt\n");
    check(&moved("rename"), None, Some((2, "x.txt")));
    check(&moved("copy"), None, Some((2, "x.txt")));
}
