//! P7: a second implementation, in Python from docs/format.md, agrees with an export of the demo.

use std::process::Command;

use sekali_tests::{Room, repository, text};

#[test]
fn the_second_implementation_agrees_with_the_demo() {
    for lang in ["en", "id"] {
        let room = Room::nothing();
        room.good(&["demo", "--lang", lang, "--store", &room.store().to_string_lossy()]);
        let out = room.path().join("export");
        room.good(&[
            "ledger",
            "export",
            "--out",
            &out.to_string_lossy(),
            "--format",
            "jsonl,csv",
            "--content",
        ]);
        let verify = repository().join("tests/second/verify.py");
        let run = |folder: &std::path::Path| {
            Command::new("python3").arg(&verify).arg(folder).output().expect("python3 is installed")
        };
        let good = run(&out);
        assert!(good.status.success(), "{}{}", text(&good.stdout), text(&good.stderr));
        println!("{}", text(&good.stdout).lines().last().unwrap_or_default());
        // It can fail: one changed byte in each file is found.
        for name in ["ledger.jsonl", "revisions.jsonl", "contents.jsonl", "root.json", "ledger.csv"] {
            let path = out.join(name);
            let whole = std::fs::read(&path).expect("a file of the export");
            let mut broken = whole.clone();
            let at = broken.iter().rposition(u8::is_ascii_digit).expect("a digit");
            broken[at] = if broken[at] == b'7' { b'3' } else { b'7' };
            std::fs::write(&path, &broken).expect("a temporary folder can be written");
            assert!(!run(&out).status.success(), "{name}: a changed byte was not found");
            std::fs::write(&path, &whole).expect("a temporary folder can be written");
        }
        assert!(run(&out).status.success());
    }
}

#[test]
fn the_second_implementation_agrees_with_the_page() {
    let out = Command::new("python3")
        .arg(repository().join("tests/second/verify.py"))
        .arg("--self-test")
        .output()
        .expect("python3 is installed");
    assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
}
