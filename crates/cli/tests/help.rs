//! What `--help` says in both languages, and the start page.

mod common;

use common::{Shop, settings};

const COMMANDS: &[&str] = &[
    "init",
    "room",
    "room add",
    "room list",
    "room show",
    "member",
    "member add",
    "member list",
    "member set",
    "doc",
    "doc list",
    "doc cat",
    "doc log",
    "doc export",
    "propose",
    "list",
    "show",
    "apply",
    "wait",
    "reject",
    "reopen",
    "withdraw",
    "revise",
    "ledger",
    "ledger export",
    "duplicates",
    "doctor",
    "demo",
    "schema",
    "schema proposal",
    "completions",
];

#[test]
fn help_teaches_in_both_languages() {
    let shop = Shop::empty();
    settings(&shop).bind(|| {
        for lang in ["en", "id"] {
            let mut pages = vec![shop.run(&["--help", "--lang", lang]).ok().out.clone()];
            for command in COMMANDS {
                let mut args: Vec<&str> = command.split(' ').collect();
                args.extend(["--help", "--lang", lang]);
                pages.push(format!("$ sekali {command} --help\n{}", shop.run(&args).ok().out));
            }
            insta::assert_snapshot!(format!("help_{lang}"), pages.join("\n\n"));
        }
    });
}

#[test]
fn help_is_the_same_by_any_name() {
    let shop = Shop::empty();
    let flag = shop.run(&["doc", "cat", "--help"]).ok().out.clone();
    assert_eq!(shop.run(&["help", "doc", "cat"]).ok().out, flag);
    assert_eq!(shop.run(&["doc", "cat", "-h"]).ok().out, flag);
    shop.run(&["help", "frobnicate"]).exits(2);
}

#[test]
fn no_english_is_left_in_indonesian_help() {
    let shop = Shop::empty();
    for command in std::iter::once(&"").chain(COMMANDS) {
        let mut args: Vec<&str> = command.split(' ').filter(|s| !s.is_empty()).collect();
        args.extend(["--help", "--lang", "id"]);
        let help = shop.run(&args).ok().out.clone();
        for english in
            ["Usage:", "Options:", "Arguments:", "Commands:", "[default", "possible values", "Print "]
        {
            assert!(!help.contains(english), "{command}: {english}\n{help}");
        }
    }
}

#[test]
fn the_language_is_found_where_it_is_said() {
    let shop = Shop::empty();
    let check = |args: &[&str], env: &[(&str, &str)], word: &str| {
        let run = shop.run_with(args, |command| {
            command.envs(env.iter().copied());
        });
        assert!(run.ok().out.contains(word), "{args:?} {env:?}\n{}", run.out);
    };
    check(&[], &[], "First steps");
    check(&[], &[("LANG", "id_ID.UTF-8")], "Langkah pertama");
    check(&[], &[("LANG", "id_ID.UTF-8"), ("LC_ALL", "C")], "First steps");
    check(&[], &[("LANG", "id_ID.UTF-8"), ("SEKALI_LANG", "en")], "First steps");
    check(&["--lang", "id"], &[("SEKALI_LANG", "en")], "Langkah pertama");
    shop.write(".config/sekali/config.toml", "language = \"id\"\n");
    check(&[], &[("LANG", "en_GB.UTF-8")], "Langkah pertama");
}

#[test]
fn the_start_page_says_what_to_do() {
    let shop = Shop::empty();
    settings(&shop).bind(|| {
        insta::assert_snapshot!("start_en", shop.run(&[]).ok().out);
        insta::assert_snapshot!("start_id", shop.run(&["--lang", "id"]).ok().out);
    });
}

#[test]
fn completions_are_printed_for_each_shell() {
    let shop = Shop::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = shop.run(&["completions", shell]).ok().out.clone();
        assert!(script.contains("sekali") && script.contains("duplicates"), "{shell}");
    }
    shop.run(&["completions", "tcsh"]).exits(2);
}

/// Examples can be copied as they stand: clap breaks no line of them, and one of ours goes on with a
/// backslash.
#[test]
fn examples_are_whole_lines() {
    let shop = Shop::empty();
    for lang in ["en", "id"] {
        for command in std::iter::once(&"").chain(COMMANDS) {
            let mut args: Vec<&str> = command.split(' ').filter(|s| !s.is_empty()).collect();
            args.extend(["--help", "--lang", lang]);
            let help = shop.run(&args).ok().out.clone();
            let header = if lang == "en" { "Examples:" } else { "Contoh:" };
            let mut goes_on = false;
            for line in help.lines().skip_while(|line| *line != header).skip(1) {
                assert!(line.chars().count() <= 80, "{command}: {line}");
                let starts = ["  sekali ", "  date | sekali ", "  git diff | sekali "];
                let begins = starts.iter().any(|start| line.starts_with(start));
                assert!(begins != goes_on || line == "  sekali init", "{command}: {line}");
                goes_on = line.ends_with(" \\");
            }
            assert!(!goes_on, "{command}");
        }
    }
}

/// A block of the READMEs is pasted whole: what asks in the middle would eat the lines after it.
#[test]
fn no_block_of_a_readme_asks_before_its_end() {
    let mut applied = 0;
    for file in ["README.md", "README.id.md"] {
        let text = std::fs::read_to_string(sekali_tests::repository().join(file)).expect("the README");
        for block in text.split("```sh\n").skip(1) {
            let block = block.split_once("```").expect("a block has an end").0;
            let commands: Vec<&str> =
                block.lines().map(|line| line.split(" #").next().unwrap_or_default().trim()).collect();
            for (place, command) in commands.iter().enumerate() {
                let last = place + 1 == commands.len();
                let asks = command.starts_with("sekali apply") && !command.contains(" --");
                // It may install packages, for which sudo asks.
                let asks = asks || *command == "./dev run";
                assert!(last || !asks, "{file}: {command}");
                applied += usize::from(command.starts_with("sekali apply"));
            }
        }
    }
    assert!(applied >= 6, "the blocks were read: {applied}");
}
