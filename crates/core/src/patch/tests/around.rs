//! What stands around files: all that tools write there is passed over, and nothing that may be a change.

use super::*;

const HUNK: &str = "@@ -1 +1 @@\n-a\n+b\n";
const MAIL: &str = "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n";

/// A plain file that is changed, with what follows it.
fn then(after: &str) -> String {
    t(&format!("{HUNK}{after}"))
}

#[track_caller]
fn reads(diff: &str) {
    makes("a\n", diff, "b\n");
}

#[track_caller]
fn drops_nothing(diff: &str) {
    refuses("a\n", diff, Code::PatchInvalid, "");
}

#[test]
fn a_mail_ends_with_its_signature() {
    for signature in [
        "-- \n2.40.0\n",
        "-- \n2.40.0",
        "-- \n2.40.0\n\n\n",
        "-- \n2.44.0.rc1.240.g4c46232300-goog\n\n",
        "--\n2.39.2 (Apple Git-143)\n\n",
        "\nbase-commit: 0123456789012345678901234567890123456789\n-- \n2.47.3\n\n",
    ] {
        reads(&then(signature));
        reads(&then(&format!("{signature}\n{MAIL}Subject: x\n\n- text\n+ text\n@@ text\n")));
    }
    reads(&format!("{MAIL}Subject: x\n\n---\n t | 2 +-\n\n{}", then("-- \nGitLab\n\n")));
    for line in [
        "-- \n",
        "--\n",
        "-- ",
        "--",
        "-- \n\n",
        "--\n\n",
        "-- \ntext\n",
        "--\ntext\n",
        "-- \n2\n",
        "-- \n.1\n",
        "--\n2.40.0\n\ntext\n",
        "--\n2 things. Or more\n",
        "-- \n2.40.0\ntext\n",
        "-- \nGitLab\n\n",
    ] {
        drops_nothing(&then(line));
    }
    drops_nothing(&format!("{MAIL}Subject: x\n\n{}", then("-- \nGitLab\ntext\n")));
    drops_nothing(&format!("{MAIL}Subject: x\n\n{}", then("-- \n+x\n")));
}

#[test]
fn a_line_of_a_hunk_is_dropped_nowhere() {
    for line in ["+x\n", "-x\n", " x\n", "@@\n-x\n+y\n", "@@ -1 +1 @@\n-x\n+y\n", "\\ No newline\n", "+\n"] {
        for before in [
            "",
            "\n",
            "-- \n2.40.0\n\n",
            "--\n2.40.0\n\n",
            "Index: u\n",
            "Index: u\n=====\n",
            "diff -u t u\n",
            "=== modified file 'u'\n",
            "=== \n",
            "From here on\n",
            "From x\n",
            "commit 0123456\n",
            "changeset: 1\n",
            "changeset:   1:0123456789ab\n",
            "commit 0123456789012345678901234567890123456789\n",
            "From the very beginning to the end\n",
            "# HG changeset patch\n",
            "```\n```diff\n",
        ] {
            // Another hunk of the file is one, and its last line may have no end.
            if line.starts_with("@@ -") && before.trim().is_empty()
                || line.starts_with('\\') && before.is_empty()
            {
                continue;
            }
            // Behind text, what begins with a space is text.
            let text = ["=== \n", "From ", "commit ", "changeset: ", "# HG "];
            if line == " x\n" && text.iter().any(|start| before.starts_with(start)) {
                continue;
            }
            let fenced = if before.starts_with("```") { "```diff\n" } else { "" };
            drops_nothing(&format!("{fenced}{}", then(&format!("{before}{line}"))));
        }
        for before in ["Index: t\n=====\n", "diff -u t t\n", "=== modified file 't'\n"] {
            drops_nothing(&format!("{before}{line}{}", then("")));
        }
        let renamed = "diff --git a/t b/u\nrename from t\nrename to u\n";
        if !line.starts_with("@@ -") {
            drops_nothing(&format!("{renamed}{line}"));
        }
    }
    // A mail's message is nobody's change, nor is text behind a fence.
    reads(&format!("{MAIL}Subject: x\n\n- item\n+ item\n---\n t | 2 +-\n\n{}", then("")));
    reads(&format!("Subject: x\n\n- item\n+ item\n\n{}", then("")));
    reads(&format!("```diff\n{}```\n\n- item\n+ item\n", then("")));
    reads(&format!(
        "changeset:   1:0123456789ab\nuser:        x\nsummary:     x\n\ndiff -r 1 t\n{}",
        then("\nchangeset:   2:0123456789ab\nuser:        x\ndescription:\n- x\n\n"),
    ));
    reads(&format!(
        "# HG changeset patch\n# User x\n- x\n\ndiff -r 1 t\n{}",
        then("# HG changeset patch\n# User x\n- x\n")
    ));
    // The parts of a mail with attachments.
    let parts = "Content-Type: multipart/mixed; boundary=\"------------2.47.3\"\n\n--------------2.47.3\n\n";
    reads(&format!("{MAIL}{parts}{}", then("\n--------------2.47.3--\n\n\n")));
    drops_nothing(&format!("{MAIL}\n{}", then("\n--------------2.47.3--\n\n\n")));
    drops_nothing(&format!("{MAIL}{parts}{}", then("\n--------------2.47.3--\n\n+x\n")));
}

#[test]
fn only_its_own_end_closes_a_code_block() {
    let text = "\n- item\n+ item\n  more\n";
    for (open, close) in [
        ("```diff", "```"),
        ("```", "```  "),
        ("````diff", "`````"),
        ("~~~ diff", "~~~"),
        ("  ```diff", "  ```"),
        ("  ```diff", "```"),
        ("Text ```x```\n```diff", "```"),
        ("````md\n```diff", "```\n````"),
        ("```sh\n+ x\n - y\n```\n```diff", "```"),
        ("```sh\n~~~\n```\n```diff", "```"),
    ] {
        reads(&format!("{open}\n{}{close}\nText.\n{text}", then("")));
        reads(&format!("{open}\n{}{close}\n{text}", then("\n\n")));
        reads(&format!("{open}\n{}{close}\n", then("")));
        // What may be of the hunk is not dropped, whether the block is closed or not.
        for line in ["+x", "-x", " x", "@@ -2 +2 @@", "- item", "+"] {
            drops_nothing(&format!("{open}\n{}{close}\n{line}\n", then("")));
        }
    }
    // None of these closes the block: what follows is still behind the file.
    for (open, line) in [
        ("```diff", " ```"),
        ("```diff", "   ```js"),
        ("```diff", "```js"),
        ("```diff", "``` x"),
        ("```diff", "~~~"),
        ("````diff", "```"),
        ("~~~", "```"),
        ("  ```diff", "   ```"),
    ] {
        for stray in ["+x", "-x", "\n+x", "text\n+x", "text\n\n-x"] {
            drops_nothing(&format!("{open}\n{}{line}\n{stray}\n", then("")));
        }
    }
}

#[test]
fn what_a_tool_only_mentions_is_refused_by_name() {
    for (note, words) in [
        ("Only in new: added.txt\n", "without its content"),
        ("Only in new/sub: added: twice.txt\n", "without its content"),
        ("File a/x is a regular file while file b/x is a directory\n", "what documents do not have"),
        ("Symbolic links a/x and b/x differ\n", "what documents do not have"),
        ("Submodule lib 0123456..789abcd:\n  > text\n", "what documents do not have"),
        ("Submodule lib 0123456...789abcd (new submodule)\n", "what documents do not have"),
        ("=== modified file 't' (properties changed: -x to +x)\n", "what documents do not have"),
        ("=== renamed file 'u' => 'v'\n", "in words alone"),
        ("Binary files a/x and b/x differ\n", "git diff --binary"),
    ] {
        for diff in [format!("{note}{}", then("")), then(note), then(&format!("\n{note}"))] {
            let refusal = refuses("a\n", &diff, Code::PatchInvalid, words);
            let first = note.lines().next().unwrap();
            assert!(note.starts_with("Binary") || refusal.detail.contains(first), "{refusal}");
        }
        // A commit's message may quote it; another tool's mail may hold it.
        let git = format!("{MAIL}Subject: x\n\n{note}---\n\ndiff --git a/t b/t\n{}", then(""));
        reads(&git);
        let plain = format!("{MAIL}Subject: x\n\n{note}\n{}", then(""));
        refuses("a\n", &plain, Code::PatchInvalid, words);
        refuses("a\n", &format!("{}{MAIL}\n{note}", then("")), Code::PatchInvalid, words);
    }
    reads(&format!("Only in that case.\n{}", then("")));
}

#[test]
fn an_apply_patch_block_is_told_from_text_that_mentions_one() {
    let block = "*** Begin Patch\n*** Update File: t\n@@\n-a\n+b\n*** End Patch\n";
    let check = |diff: &str| {
        refuses("a\n", diff, Code::PatchInvalid, "apply_patch");
    };
    check(block);
    check(&format!("  {block}"));
    check(&format!("{block}\n{}", then("")));
    check(&format!("*** Begin Patch\n{}*** End Patch\n", then("")));
    check(&then("*** Delete File: t\n"));
    check(&then(&format!("\n{block}")));
    check(&format!("{MAIL}Subject: x\n\n*** Begin Patch\n*** Delete File: t\n*** End Patch\n"));
    check(&format!("{}{MAIL}\n*** Delete File: t\n", then("")));
    // Lines of hunks, and messages ahead of a real diff.
    let marks = "*** Begin Patch\n*** Update File: t\n";
    makes(
        "*** Begin Patch\n*** Add File: t\n",
        &t("@@ -1,2 +1,2 @@\n *** Begin Patch\n-*** Add File: t\n+*** Update File: t\n"),
        marks,
    );
    for indent in ["", "    ", "\t"] {
        let message = marks.replace("*** ", &format!("{indent}*** "));
        reads(&format!("{MAIL}Subject: x\n\n{message}\n---\n\n{}", then("")));
        reads(&format!("Subject: x\n\n{message}\n---\n\ndiff --git a/t b/t\n{}", then("")));
        let series = format!("commit 0123456789\nAuthor: x\n\n{message}\n{}", then(""));
        reads(&format!("commit 9123456789\nAuthor: x\n\n    y\n\n{series}").replacen("y\n\n", "y\n", 1));
    }
}

#[test]
fn every_mail_commit_and_changeset_is_one_step() {
    let file = |name: &str| format!("--- a/{name}\n+++ b/{name}\n{HUNK}");
    let steps = |diff: String| -> Vec<u32> {
        let files =
            parse("diff", diff.as_bytes(), None).unwrap_or_else(|refusal| panic!("{refusal}\n{diff}"));
        files.iter().map(FilePatch::commit).collect()
    };
    assert_eq!(steps(format!("{}{}", file("t"), file("u"))), [0, 0]);
    let mail = |files: String| format!("{MAIL}Subject: x\n\n---\n\n{files}-- \n2.47.3\n\n");
    let (one, two) = (mail(file("t") + &file("u")), mail(file("t")));
    assert_eq!(steps(format!("{one}\n{}\n{two}", mail(String::new()))), [1, 1, 3]);
    let commit = |files: String| format!("commit 0123456789\nAuthor: x\n\n    y\n\n{files}\n");
    assert_eq!(steps(commit(file("t")) + &commit(file("u"))), [1, 2]);
    let changeset = |files: String| format!("# HG changeset patch\n# User x\ny\n\n{files}\n");
    assert_eq!(steps(changeset(file("t")) + &changeset(file("u"))), [1, 2]);
}

/// Every line is looked at a few times, however many blank ones come together: minutes would pass here if
/// each of them looked ahead over the others.
#[test]
fn long_runs_of_blank_lines_are_read_once() {
    let blanks = "\n".repeat(200_000);
    let counts = |diff: String, expected: &str, found: &str| {
        let refusal = refuses("a\n", &diff, Code::PatchInvalid, "correct the numbers");
        assert_eq!(
            (refusal.facts.expected, refusal.facts.found),
            (vec![expected.into()], vec![found.into()])
        );
    };
    counts(then(&format!("{blanks}+x\n")), "-1 +1", "-200001 +200002");
    counts(then(&format!("+x\n{blanks}text\n")), "-1 +1", "-1 +2");
    counts(t(&format!("@@ -1,300000 +1,300000 @@\n{blanks} a\n")), "-300000 +300000", "-200001 +200001");
    counts(t(&format!("@@ -1,300000 +1,300000 @@\n-a\n+b\n{blanks}")), "-300000 +300000", "-1 +1");
    reads(&format!("{blanks}{}", then(&blanks)));
    reads(&then(&format!("{blanks}text\n{blanks}")));
    for signature in ["-- \n2.40.0\n", "--\n2.40.0\n"] {
        reads(&then(&format!("{signature}{blanks}")));
    }
    drops_nothing(&then(&format!("--\n2.40.0\n{blanks}text\n")));
    drops_nothing(&t(&format!("@@\n{blanks}+x\n")));
}
