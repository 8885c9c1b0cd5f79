//! Git's headers name a file up to six times and say what becomes of it: all of them agree, or it is refused.

use super::*;

const HUNK: &str = "@@ -1 +1 @@\n-a\n+b\n";
const NEW: &str = "@@ -0,0 +1 @@\n+a\n";
const GONE: &str = "@@ -1 +0,0 @@\n-a\n";

#[test]
fn headers_that_contradict_each_other_are_refused() {
    let check = |diff: String, words: &str| {
        let documents = [("x", "a\n"), ("q", "a\n")];
        let refusal = refused(&documents, &format!("diff --git {diff}"), Code::PatchInvalid, words);
        assert!(refusal.facts.line.is_some(), "{refusal:?}");
    };
    let odds = "the headers of this file name both";
    check(format!("a/q b/q\nnew file mode 100644\n--- /dev/null\n+++ b/w\n{NEW}"), odds);
    check(format!("a/x b/x\ndeleted file mode 100644\n--- a/q\n+++ /dev/null\n{GONE}"), odds);
    check(format!("a/q b/q\n--- a/x\n+++ b/x\n{HUNK}"), odds);
    check(format!("a/q r b/q r\n--- a/x\n+++ b/x\n{HUNK}"), odds);
    check(format!("a/y b/y b/y b/y\n--- a/x\n+++ b/x\n{HUNK}"), odds);
    check(format!("\"a/q\" \"b/q\"\n--- a/x\n+++ b/x\n{HUNK}"), odds);
    check(format!("nothing\n--- a/x\n+++ b/x\n{HUNK}"), odds);
    // Renames and copies: six names.
    for word in ["rename", "copy"] {
        let moved = format!("{word} from x\n{word} to n\n");
        check(format!("a/x b/n\n{moved}--- a/x\n+++ b/x\n{HUNK}"), odds);
        check(format!("a/x b/n\n{moved}--- a/q\n+++ b/n\n{HUNK}"), odds);
        check(format!("a/x b/n\n{moved}--- a/x\n+++ n\n{HUNK}"), odds);
        check(format!("a/x b/d/n\n{moved}"), odds);
        check(format!("a/d/x b/n\n{moved}"), odds);
        check(format!("a/q b/n\n{moved}"), odds);
        check(format!("a/x b/q\n{moved}--- a/x\n+++ b/n\n{HUNK}"), odds);
        check(format!("a/x b/n\n{word} from x\n"), "names only one of its two files");
        check(format!("a/x b/n\n{word} to n\n"), "names only one of its two files");
        for other in ["new file mode 100644\n", "deleted file mode 100644\n"] {
            check(format!("a/x b/n\n{other}{moved}"), "only one can be meant");
        }
        check(format!("a/x b/n\n{moved}--- /dev/null\n+++ b/n\n{NEW}"), "only one can be meant");
        check(format!("a/x b/n\n{moved}--- a/x\n+++ /dev/null\n{GONE}"), "only one can be meant");
        check(format!("a/x b/n\n{moved}{word} from x\n"), "for a second time");
        // What was cut off a name is seen by the other one.
        check(format!("a/x b/nnn\n{word} from x\n{word} to nn"), odds);
    }
    check("a/x b/n\nrename from x\nrename to n\ncopy from x\ncopy to n\n".into(), "only one can be meant");
    check("a/x b/n\nrename from x\ncopy to n\n".into(), "only one can be meant");
    check("a/x b/x\nold mode 100644\nnew file mode 100644\n".into(), "only one can be meant");
    check("a/x b/x\nnew mode 100755\ndeleted file mode 100644\n".into(), "only one can be meant");
    check("a/x b/x\nnew file mode 100644\ndeleted file mode 100644\n".into(), "both to be new and to go");
    check("a/x b/x\nnew mode 100644\nnew mode 100755\n".into(), "for a second time");
    let null = "does not say /dev/null";
    check(format!("a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ b/x\n{GONE}"), null);
    check(format!("a/n b/n\nnew file mode 100644\n--- a/n\n+++ b/n\n{NEW}"), null);
    // Quoted names end where their quotes do.
    for name in ["\"b/n", "\"b/n\"zz", "\"b/n\" zz", "\"b/\\400\""] {
        check(format!("a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ {name}\n{NEW}"), "cannot be read");
        let refusal = refused(&[], &format!("--- /dev/null\n+++ {name}\n{NEW}"), Code::PatchInvalid, name);
        assert_eq!(refusal.facts.line, Some(2));
    }
    check("a/x \"b/n\"zz\nrename from x\nrename to \"n\"zz\n".into(), "cannot be read");
}

#[test]
fn a_document_is_no_link_folder_or_submodule() {
    for (mode, words) in [("120000", "symbolic links"), ("160000", "submodules"), ("040000", "directories")] {
        for head in [
            format!("index 1234567..1234568 {mode}\n"),
            format!("old mode {mode}\nnew mode 100644\n"),
            format!("old mode 100644\nnew mode {mode}\n"),
            format!("deleted file mode {mode}\n"),
            format!("new file mode {mode}\n"),
        ] {
            let diff = format!("diff --git a/x b/x\n{head}");
            refused(&[("x", "a\n")], &diff, Code::ProposalInvalid, words);
        }
    }
}

#[test]
fn headers_that_agree_are_read_whatever_their_prefix() {
    let check = |diff: &str, from: &str, to: &str| {
        let diff = format!("diff --git {diff}");
        let made = run(&[(from, "a\n")], &diff, None).unwrap_or_else(|refusal| panic!("{refusal}\n{diff}"));
        assert_eq!(made, [(to.to_owned(), "b\n".to_owned())], "{diff}");
    };
    check(&format!("a/x b/x\nindex 1234567..1234568 100664\n--- a/x\n+++ b/x\n{HUNK}"), "x", "x");
    check(&format!("x x\n--- x\n+++ x\n{HUNK}"), "x", "x");
    check(&format!("old/x new/x\n--- old/x\n+++ new/x\n{HUNK}"), "x", "x");
    check(
        &format!("\"a/\\303\\242\" \"b/\\303\\242\"\n--- \"a/\\303\\242\"\n+++ \"b/\\303\\242\"\n{HUNK}"),
        "â",
        "â",
    );
    check(&format!("a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n{HUNK}"), "x y", "x y");
    check(&format!("a/d/x b/d/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n{HUNK}"), "x", "y");
    // Names that can be divided in two ways are told by the other lines.
    check(&format!("a/y b/y c/y\n--- a/y b/y\n+++ c/y\n{HUNK}"), "a/y b/y", "a/y b/y");
    for moved in ["a/x y b/d/z", "x y d/z", "i/x y w/d/z"] {
        let (old, new) = moved.split_at(moved.rfind(' ').unwrap());
        let names = format!("--- {old}\n+++ {}\n", new.trim());
        check(&format!("{moved}\nrename from x y\nrename to d/z\n{names}{HUNK}"), "x y", "d/z");
    }
}
