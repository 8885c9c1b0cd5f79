//! A store in a folder of its own, and the binary run on it as a process would be.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What a run said.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) line: String,
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) err: String,
}

pub(crate) struct Shop {
    folder: TempDir,
}

impl Shop {
    /// An empty folder, which is also the home.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// With a store of one room, `main`, whose maintainer is Ani.
    pub(crate) fn new() -> Self {
        let shop = Self::empty();
        shop.run(&["init", "--title", "Toko Mekar"]).ok();
        shop
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sekali"));
        command
            .args(args)
            .current_dir(self.root())
            .env_clear()
            .env("HOME", self.root())
            .env("USERPROFILE", self.root())
            .env("LOCALAPPDATA", self.root())
            .env("SEKALI_STORE", "toko.db")
            .env("SEKALI_AS", "Ani")
            .env("USER", "ani")
            .env("USERNAME", "ani")
            .env("TZ", "Asia/Jakarta")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        finish(args, self.command(args).output().expect("the binary runs"))
    }

    pub(crate) fn run_with(&self, args: &[&str], change: impl FnOnce(&mut Command)) -> Run {
        let mut command = self.command(args);
        change(&mut command);
        finish(args, command.output().expect("the binary runs"))
    }

    pub(crate) fn run_fed(&self, args: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        // It may answer without reading everything.
        let _ = child.stdin.take().expect("it was piped").write_all(input);
        finish(args, child.wait_with_output().expect("the binary runs"))
    }

    /// Runs it on a terminal of 24 lines and 80 columns, which `script` gives. Nothing where that is not
    /// here, and then the test counts as skipped.
    pub(crate) fn on_terminal(&self, args: &str, answer: &str) -> Option<(Option<i32>, String)> {
        if Command::new("script").arg("--version").output().is_err() {
            sekali_tests::skipped("the program `script` (util-linux) is not here, so there is no terminal");
            return None;
        }
        let line = format!("stty rows 24 cols 80 && {} {args}", env!("CARGO_BIN_EXE_sekali"));
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(self.root()).env_clear().env("TERM", "xterm");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("SHELL", "/bin/sh");
        for (name, value) in self.command(&[]).get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("`script` runs");
        child.stdin.take().expect("it was piped").write_all(answer.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        Some((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// Proposes one document and gives the proposal's number.
    pub(crate) fn propose(&self, title: &str, path: &str, content: &str) -> u64 {
        self.write("scratch", content);
        let put = format!("{path}=scratch");
        let run = self.run(&["propose", "--title", title, "--put", &put, "--json"]);
        run.ok().json()["proposal"].as_u64().expect("a number")
    }
}

fn finish(args: &[&str], output: std::process::Output) -> Run {
    Run {
        line: args.join(" "),
        exit: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        bytes: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Run {
    #[track_caller]
    pub(crate) fn exits(&self, exit: i32) -> &Self {
        assert_eq!(self.exit, exit, "sekali {}\n{}{}", self.line, self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn ok(&self) -> &Self {
        self.exits(0)
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|e| panic!("sekali {}: {e}\n{}{}", self.line, self.out, self.err))
    }

    /// The problem object, with nothing on standard output.
    #[track_caller]
    pub(crate) fn problem(&self) -> Value {
        assert_eq!(self.out, "", "sekali {}", self.line);
        serde_json::from_str(&self.err).unwrap_or_else(|e| panic!("sekali {}: {e}\n{}", self.line, self.err))
    }

    /// What a person reads on the error stream has no English in it, and ends as sentences do.
    #[track_caller]
    pub(crate) fn said_in_indonesian(&self) -> &Self {
        // Not among them: words that are names of fields, flags and commands.
        let english = [
            "the",
            "is",
            "are",
            "and",
            "not",
            "has",
            "have",
            "this",
            "that",
            "there",
            "cannot",
            "must",
            "error",
            "hint",
            "usage",
            "tip",
            "possible",
            "values",
            "of",
            "it",
            "may",
            "was",
            "with",
            "without",
            "be",
            "or",
            "for",
            "needs",
            "found",
            "such",
            "could",
            "written",
            "already",
            "by",
            "at",
            "an",
            "you",
            "its",
            "from",
            "which",
            "where",
            "nothing",
            "known",
            "expected",
            "invalid",
            "unexpected",
            "argument",
            "used",
            "more",
            "room",
            "directory",
            "system",
            "user",
            "submit",
            "again",
        ];
        let text = &self.err;
        let (first, hint) = text.split_once("petunjuk: ").unwrap_or_else(|| panic!("no hint\n{text}"));
        assert!(first.starts_with("galat["), "sekali {}\n{text}", self.line);
        for part in [first, hint] {
            // Commands and what stands in quotes or paths is not prose.
            let prose: String = part
                .split('"')
                .step_by(2)
                .flat_map(|piece| piece.split_whitespace())
                .filter(|word| {
                    let digits = word.contains(|c: char| c.is_ascii_digit());
                    !digits && !word.contains(['/', '_', '[', ']', '=']) && !word.starts_with("--")
                })
                .collect::<Vec<_>>()
                .join(" ");
            let prose = prose.split("sekali ").enumerate().map(|(n, piece)| {
                // The words of a command are English in every language.
                if n == 0 {
                    piece
                } else {
                    piece.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == ' ')
                }
            });
            let prose: String = prose.collect::<Vec<_>>().join(" ").to_lowercase();
            let words = prose.split(|c: char| !c.is_alphabetic()).filter(|word| english.contains(word));
            let left: Vec<&str> = words.collect();
            assert!(left.is_empty(), "sekali {}: {left:?} is English\n{text}", self.line);
            let part = part.trim_end();
            assert!(part.ends_with(['.', '?', '!']) && !part.ends_with(".."), "sekali {}\n{text}", self.line);
        }
        self
    }

    #[track_caller]
    pub(crate) fn refused(&self, code: &str) -> &Self {
        assert!(
            ["error", "galat"].iter().any(|label| self.err.contains(&format!("{label}[{code}]"))),
            "sekali {}\n{}{}",
            self.line,
            self.out,
            self.err
        );
        self
    }
}

/// What differs from run to run: ids, hashes, times, the folder.
pub(crate) fn settings(shop: &Shop) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    let root = shop.root().canonicalize().unwrap_or_else(|_| shop.root().to_owned());
    for folder in [root.as_path(), shop.root()] {
        settings.add_filter(&regex_of(&folder.display().to_string()), "[folder]");
    }
    settings.add_filter(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "[id]");
    settings.add_filter(r"sha256:[0-9a-f]{64}", "sha256:[digest]");
    settings.add_filter(r"\b[0-9a-f]{64}\b", "[hash]");
    settings.add_filter(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "[time]");
    settings.add_filter(r"\d{1,2} [A-Z][a-z]{2} \d{4} \d\d[:.]\d\d WIB", "[local time]");
    // The columns of times are as wide as the day of the month is long.
    settings.add_filter(r"\b(When|Changed|First|Last|Pertama|Terakhir) {9,}", "$1  ");
    settings.add_filter(r"SQLite \d+\.\d+\.\d+", "SQLite [version]");
    settings.add_filter(r"\d+[.,]\d [KM]B", "[size]");
    settings.add_filter(r"--cursor MSB[0-9A-Za-z_-]+", "--cursor [cursor]");
    settings
}

fn regex_of(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_alphanumeric() || c == '/' { c.to_string() } else { format!("\\{c}") })
        .collect()
}
