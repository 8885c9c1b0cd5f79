//! A test that does not run here passes, and what it prints is not shown: it is listed and counted.

use std::process::Command;

use sekali_tests::{repository, skipped, text};

/// Set for the run of this test inside itself, in which it is skipped.
const INSIDE: &str = "SEKALI_TEST_INSIDE";

#[test]
fn what_is_skipped_is_listed() {
    if std::env::var_os(INSIDE).is_some() {
        return skipped("it runs inside itself");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let list = folder.path().join("skipped");
    for _ in 0..2 {
        let out = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "what_is_skipped_is_listed"])
            .env(INSIDE, "1")
            .env("SEKALI_SKIPPED", &list)
            .output()
            .expect("it starts");
        assert!(out.status.success() && text(&out.stdout).contains("1 passed"), "{out:?}");
        assert!(!text(&out.stdout).contains("inside itself"), "{out:?}");
    }
    let line = "what_is_skipped_is_listed: it runs inside itself\n";
    assert_eq!(std::fs::read_to_string(list).expect("a list"), line.repeat(2));
}

#[test]
fn dev_counts_what_was_skipped() {
    let dev = std::fs::read_to_string(repository().join("dev")).expect("the script");
    let from = dev.find("\ntotals() {").expect("it adds up results");
    let totals = &dev[from..from + dev[from..].find("\n}\n").expect("its end") + 3];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = |skipped: &str| {
        let results = "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured\n\
            test result: \u{1b}[31mFAILED\u{1b}[0m. 3 passed; 2 failed; 0 ignored; 0 measured\n";
        std::fs::write(folder.path().join("results"), results).expect("the folder is ours");
        std::fs::write(folder.path().join("skipped"), skipped).expect("the folder is ours");
        let out = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &format!("{totals}\ntotals results skipped")])
            .current_dir(folder.path())
            .output()
            .expect("bash is what ./dev is run by");
        assert!(out.status.success(), "{out:?}");
        text(&out.stdout)
    };
    assert_eq!(told(""), "10 passed, 2 failed, 1 skipped\n");
    assert_eq!(
        told("b: no mounts\na: no display\nb: no mounts\n"),
        "skipped: a: no display\nskipped: b: no mounts\n8 passed, 2 failed, 3 skipped\n"
    );
}
