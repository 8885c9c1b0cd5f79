//! What comes out, for people and for programs: on a terminal, into a pipe, and where nothing can be
//! written.

mod common;

use std::process::Stdio;

use common::Shop;

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let shop = Shop::new();
    for n in 1..=3 {
        shop.propose("Satu", &format!("d{n}"), &"x\n".repeat(40_000));
        shop.run(&["apply", &n.to_string(), "--yes"]).ok();
    }
    for args in
        [&["ledger", "--json"][..], &["ledger"], &["doc", "cat", "d1"], &["completions", "bash"], &["--help"]]
    {
        let mut child = shop.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Nobody reads: the pipe is gone before anything is written to it.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_cannot_be_written_is_said() {
    let shop = Shop::new();
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").unwrap());
    shop.propose("Satu", "a", "x");
    for args in
        [&["list"][..], &["list", "--json"], &["ledger"], &["apply", "1", "--yes"], &["schema", "proposal"]]
    {
        let output = shop.command(args).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("output"), "{args:?}");
    }
    assert_eq!(shop.run(&["apply", "1", "--yes", "--json"]).ok().json()["outcome"], "replayed");
}

#[test]
fn nothing_from_the_store_moves_the_cursor() {
    let shop = Shop::new();
    shop.write("a", "baris \u{1b}[2J\u{202e}x\r\n");
    shop.run(&[
        "propose",
        "--title",
        "T",
        "--why",
        "\u{1b}]0;judul\u{7}",
        "--put",
        "a=a",
        "--correlation",
        "c\u{9b}1m",
    ])
    .ok();
    shop.run(&["reject", "1", "--reason", "\u{1b}[31mmerah"]).ok();
    for args in
        [&["show", "1", "--diff"][..], &["list"], &["ledger"], &["apply", "1", "--yes"], &["wait", "1"]]
    {
        let run = shop.run(args);
        for text in [&run.out, &run.err] {
            let obeyed = text
                .chars()
                .find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
            assert_eq!(obeyed, None, "{args:?}\n{text}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_is_shown_the_change_and_asked() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "isi baru\n");
    let on_terminal = |answer: &str, lang: &str| shop.on_terminal(&format!("apply 1 --lang {lang}"), answer);
    if on_terminal("", "en").is_none() {
        return;
    }
    let on_terminal = |answer: &str, lang: &str| on_terminal(answer, lang).expect("it is there");
    let (exit, shown) = on_terminal("n\n", "en");
    assert_eq!(exit, Some(1), "{shown}");
    assert!(
        shown.contains("isi baru") && shown.contains("\u{1b}[") && shown.contains("nothing changed"),
        "{shown}"
    );
    assert_eq!(shop.run(&["list", "--json"]).json()["items"][0]["state"], "waiting");
    let (exit, shown) = on_terminal("y\n", "id");
    assert_eq!(exit, Some(0), "{shown}");
    assert!(shown.contains("diterapkan sebagai catatan 1"), "{shown}");
    let (exit, shown) = on_terminal("", "id");
    assert_eq!(exit, Some(0), "{shown}");
    assert!(shown.contains("Sudah diterapkan oleh Ani"), "{shown}");
    let entry: serde_json::Value = serde_json::from_str(shop.run(&["ledger", "--json"]).out.trim()).unwrap();
    assert_eq!(entry["seen"], "digest");
}

#[test]
#[cfg(target_os = "linux")]
fn who_may_not_apply_is_not_asked() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "isi baru\n");
    shop.run(&["member", "add", "Citra", "--role", "reviewer"]).ok();
    shop.run(&["member", "add", "agent:x"]).ok();
    for name in ["Citra", "agent:x"] {
        let Some((exit, shown)) = shop.on_terminal(&format!("apply 1 --as {name}"), "y\n") else { return };
        assert_eq!(exit, Some(1), "{shown}");
        assert!(shown.contains("actor.denied") && !shown.contains("[y/N]"), "{shown}");
        assert!(!shown.contains("isi baru"), "{shown}");
    }
}

/// A terminal of 80 columns has whole lines; elsewhere nothing is cut.
#[test]
#[cfg(target_os = "linux")]
fn tables_fit_the_terminal_and_are_whole_elsewhere() {
    use unicode_width::UnicodeWidthStr as _;
    let shop = Shop::new();
    let title = "Naikkan harga kopi, teh, gula aren, dan semua yang dijual di toko mulai Januari";
    for n in 1..=2 {
        shop.write("isi", n.to_string());
        let key = ["--effect-key", "order/8812/create"];
        shop.run(&[&["propose", "--title", title, "--put", "harga.json=isi"][..], &key].concat()).ok();
    }
    shop.run(&["apply", "1", "--yes"]).ok();
    shop.run(&["apply", "1", "--yes"]).ok();
    shop.run(&["apply", "2", "--yes"]).exits(1);
    for command in ["list", "ledger", "duplicates", "doc list", "doc log harga.json", "member list"] {
        for lang in ["en", "id"] {
            let line = format!("{command} --lang {lang}");
            let Some((exit, shown)) = shop.on_terminal(&line, "") else { return };
            assert_eq!(exit, Some(0), "{shown}");
            let shown = anstream::adapter::strip_str(&shown).to_string();
            // The root of a ledger is whole wherever it stands.
            let table: Vec<&str> = shown.lines().take_while(|line| !line.trim().is_empty()).collect();
            assert!(table.len() > 1, "{line}\n{shown}");
            for row in table {
                assert!(row.width() <= 80 && row.chars().any(|c| !c.is_whitespace()), "{line}\n{shown}");
            }
            // What stands between a person and a wrong Apply is whole.
            if command == "list" {
                let state = if lang == "en" {
                    "waiting, effect done by #1 "
                } else {
                    "menunggu, tindakan sudah dilakukan #1 "
                };
                assert!(shown.contains(state), "{line}\n{shown}");
            }
        }
    }
    let whole = shop.run(&["list"]).ok().out.clone();
    assert!(whole.lines().skip(1).all(|line| line.ends_with(title)), "{whole}");
}

#[test]
fn a_waiting_proposal_whose_effect_is_done_says_so() {
    let shop = Shop::new();
    shop.write("isi", "x");
    for path in ["a", "b"] {
        let put = format!("{path}=isi");
        shop.run(&["propose", "--title", path, "--put", &put, "--effect-key", "order/1"]).ok();
    }
    assert!(!shop.run(&["list"]).ok().out.contains("effect done"));
    shop.run(&["apply", "1", "--yes"]).ok();
    for args in [&["list"][..], &["show", "2"]] {
        let shown = shop.run(args);
        assert!(shown.ok().out.contains("waiting, effect done by #1"), "{}", shown.out);
    }
    let shown = shop.run(&["list", "--lang", "id"]).ok().out.clone();
    assert!(shown.contains("menunggu, tindakan sudah dilakukan #1"), "{shown}");
    assert!(
        !shop.run(&["show", "1"]).ok().out.contains("effect done"),
        "the one that did it is not said to be late"
    );
}

#[test]
fn the_ledger_ends_with_its_size_and_root() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    shop.run(&["apply", "1", "--yes"]).ok();
    let root =
        shop.run(&["room", "show", "--json"]).ok().json()["ledger"]["root"].as_str().unwrap().to_owned();
    let last = format!("1 entry in all, root {root}");
    for args in [&["ledger"][..], &["ledger", "--after", "1"]] {
        assert_eq!(shop.run(args).ok().out.lines().last(), Some(last.as_str()), "{args:?}");
    }
    let shown = shop.run(&["show", "1"]).ok().out.clone();
    assert!(shown.contains("sekali ledger --after 0 --limit 1"), "{shown}");
}

#[test]
fn colours_are_for_terminals() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    for args in [&["show", "1", "--diff"][..], &["list"], &["--help"], &["show", "9"]] {
        let run = shop.run(args);
        assert!(!run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'), "{args:?}");
    }
}

#[test]
fn what_a_terminal_would_obey_is_given_as_data_and_said() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "satu\nlama\n");
    shop.propose("Dua", "b", "polos\n");
    for number in ["1", "2"] {
        shop.run(&["apply", number, "--yes"]).ok();
    }
    // Lines that would be overwritten, erased or taken out on the way.
    let content = "satu\n\u{1b}[2Khapus semua\u{1b}[1A\n\u{9b}2J\u{7}\nlama\n";
    shop.write("new", content);
    shop.write("plain", "polos\nbaru\n");
    let put = ["propose", "--title", "Tiga", "--put", "a=new", "--put", "b=plain"];
    shop.run(&put).ok();
    let patch = shop.run(&["show", "3", "--patch"]).ok().bytes.clone();
    for (args, note) in [
        (&["show", "3", "--diff"][..], "control characters in a: its lines are given as binary data"),
        (
            &["show", "3", "--diff", "--lang", "id"],
            "karakter kendali dalam a: barisnya ditulis sebagai data biner",
        ),
        (&["show", "3", "--patch"], "control characters in a"),
        (&["show", "3", "--patch", "--lang", "id"], "karakter kendali dalam a"),
    ] {
        let run = shop.run(args);
        run.ok();
        let said = if args.contains(&"--patch") { &run.err } else { &run.out };
        assert_eq!(said.matches(note).count(), 1, "{args:?}: {said}");
        assert!(!run.out.contains(['\u{1b}', '\u{9b}', '\u{7}']), "{args:?}: {}", run.out);
        assert!(run.out.contains("GIT binary patch") && run.out.contains("\n+baru\n"), "{}", run.out);
        // Whatever was shown makes every line.
        let again = Shop::new();
        again.propose("Satu", "a", "satu\nlama\n");
        again.propose("Dua", "b", "polos\n");
        again.write("shown.diff", &run.bytes);
        for number in ["1", "2"] {
            again.run(&["apply", number, "--yes"]).ok();
        }
        again.run(&["propose", "--title", "Tiga", "--patch", "shown.diff"]).ok();
        again.run(&["apply", "3", "--yes"]).ok();
        assert_eq!(again.run(&["doc", "cat", "a"]).ok().bytes, content.as_bytes(), "{args:?}");
        assert_eq!(again.run(&["doc", "cat", "b"]).ok().out, "polos\nbaru\n", "{args:?}");
    }
    assert!(!String::from_utf8_lossy(&patch).contains("control characters"), "it holds the patch alone");
    // Without such characters nothing is said.
    let plain = shop.run(&["show", "2", "--patch"]);
    assert!(plain.ok().err.is_empty(), "{}", plain.err);
}
