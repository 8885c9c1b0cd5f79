//! Fuzzing of what reads strangers' bytes: patches, edits of JSON, merges. Seeds are mutated by the same
//! numbers in every run, so that a finding can be repeated; the input of one is printed.
//!
//! `SEKALI_FUZZ_SECONDS` runs each for so long instead, from another start each time. With
//! `SEKALI_CORPORA` its patches and documents are seeds too.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "it says how many inputs there were")]

mod kept;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use kept::keeps_all;
use sekali_core::change::{JsonForm, Mode};
use sekali_core::merge::{Side, merge};
use sekali_core::patch::{self, FileChange};
use sekali_core::{Code, DocPath, json_edit};

/// Inputs of one target in a usual run.
const ROUNDS: u64 = 12_000;
/// Bytes beyond which an input is not grown.
const LARGE: usize = 4_000;

struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below.max(1) as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.next(of.len())]
    }

    /// A seed with a few mutations: of bytes, of lines, of numbers, of words of the format.
    fn input(&mut self, seeds: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
        let mut input = self.pick(seeds).clone();
        for _ in 0..self.next(6) {
            self.mutate(&mut input, seeds, words);
        }
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&str]) {
        let at = self.next(input.len() + 1);
        let word = *self.pick(words);
        match self.next(9) {
            0 if at < input.len() => input[at] = u8::try_from(self.next(256)).unwrap(),
            1 if at < input.len() => input[at] ^= 1 << self.next(8),
            2 if at < input.len() => drop(input.remove(at)),
            3 => input.truncate(at),
            4 => drop(input.splice(at..at, word.bytes())),
            5 => {
                let other = self.pick(seeds).clone();
                let (from, to) = (self.next(other.len() + 1), self.next(other.len() + 1));
                input.splice(at..at, other[from.min(to)..from.max(to)].iter().copied());
            }
            6 => {
                // A number becomes another.
                if let Some(digit) = input[at..].iter().position(u8::is_ascii_digit) {
                    input[at + digit] = b'0' + u8::try_from(self.next(10)).unwrap();
                }
            }
            _ => {
                let mut lines: Vec<Vec<u8>> =
                    input.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
                if lines.len() > 1 {
                    let (one, two) = (self.next(lines.len()), self.next(lines.len()));
                    match self.next(3) {
                        0 => lines.swap(one, two),
                        1 => lines.insert(one, lines[two].clone()),
                        _ => drop(lines.remove(one)),
                    }
                    *input = lines.concat();
                }
            }
        }
        input.truncate(LARGE);
    }
}

/// Runs a target over many inputs, and says which input one failed with.
fn run(name: &str, mut target: impl FnMut(&mut Numbers) -> Vec<Vec<u8>>, hold: impl Fn(&[Vec<u8>])) {
    let seconds: Option<u64> = std::env::var("SEKALI_FUZZ_SECONDS").ok().map(|text| text.parse().unwrap());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let start = match seconds {
        None => 0x5eca_1150,
        Some(_) => {
            std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() << 20
                | u64::from(std::process::id())
        }
    };
    let mut round = 0u64;
    while end.map_or(round < ROUNDS, |end| Instant::now() < end) {
        let seed = start.wrapping_add(round.wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1;
        let inputs = target(&mut Numbers(seed));
        if catch_unwind(AssertUnwindSafe(|| hold(&inputs))).is_err() {
            let shown: Vec<_> = inputs.iter().map(|input| String::from_utf8_lossy(input)).collect();
            panic!("{name}: round {round}, seed {seed}: {shown:#?}");
        }
        round += 1;
    }
    println!("{name}: {round} inputs");
}

/// Files of the corpora that are not too large for seeds.
fn from_corpora(folder: &str, seeds: &mut Vec<Vec<u8>>) {
    let Some(root) = std::env::var_os("SEKALI_CORPORA") else { return };
    let mut folders = vec![std::path::PathBuf::from(root).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let content = std::fs::read(path).unwrap();
                seeds.extend((content.len() <= LARGE).then_some(content));
            }
        }
    }
}

fn bytes(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const DOCUMENTS: [&str; 8] = [
    "",
    "a\nb\nc\n",
    "satu\ndua\ntiga\nempat\nlima\nenam\n",
    "a\r\nb\nc",
    "x\nx\nx\nx\nx\nx\nx\n",
    "-- \n--- a\n+++ b\n@@ -1 +1 @@\n",
    "\u{feff}satu\n\n\n dua\n",
    "fn main() {\n    one();\n    two();\n}\n",
];

fn lines(text: &[u8]) -> i64 {
    i64::try_from(text.split_inclusive(|b| *b == b'\n').count()).unwrap()
}

/// What the headers of all hunks say that a patch adds.
fn added(diff: &[u8]) -> i64 {
    let text = String::from_utf8_lossy(diff);
    let range = |range: &str| range.split_once(',').map_or(1, |(_, count)| count.parse::<i64>().unwrap());
    let of = |line: &str| {
        let (old, rest) = line.strip_prefix("@@ -").unwrap().split_once(" +").unwrap();
        range(rest.split_once(" @@").unwrap().0) - range(old)
    };
    text.split('\n').filter(|line| line.starts_with("@@ -")).map(of).sum()
}

#[test]
fn patches() {
    let documents = bytes(&DOCUMENTS);
    let path = DocPath::parse("path", "t.txt").unwrap();
    let mut seeds = bytes(&[
        "--- a/t.txt\n+++ b/t.txt\n@@ -1,3 +1,3 @@\n satu\n-dua\n+DUA\n tiga\n@@ -5,2 +5,3 @@\n lima\n enam\n+tujuh\n",
        "diff --git a/t.txt b/t.txt\nold mode 100644\nnew mode 100755\n",
        "diff --git a/a b/t.txt\nsimilarity index 50%\nrename from a\nrename to t.txt\n--- a/a\n+++ b/t.txt\n@@ -1 +1 @@\n-a\n+b\n",
        "From 1\nSubject: x\n---\n t.txt | 2 +-\n\n--- t.txt\n+++ t.txt\n@@ -3 +3 @@\n-c\n\\ No newline at end of file\n+C\n-- \n2.40.0\n\n",
        "*** a\n--- b\n***************\n*** 1 ****\n! a\n",
    ]);
    for before in &documents {
        for after in [&documents[1], &documents[2], &b"\0binary\xff".to_vec()] {
            let side = |content| Some((content, Mode::Plain));
            let change =
                FileChange { from: None, path: &path, before: side(&before[..]), after: side(&after[..]) };
            seeds.push(patch::write([change]));
        }
    }
    from_corpora("patches-samples", &mut seeds);
    from_corpora("patches-diffy-compat", &mut seeds);
    from_corpora("patches-escape", &mut seeds);
    let words = [
        "@@ -1,3 +1,3 @@\n",
        "--- ",
        "+++ ",
        "\\ No newline at end of file\n",
        "diff --git a/t.txt b/t.txt\n",
        "rename from ",
        "new file mode 100644\n",
        "GIT binary patch\n",
        "literal 5\n",
        "/dev/null",
        "\n",
        "\r\n",
        "\t",
        "\"",
        "99999999999",
        "0,0",
        "-- \n",
    ];
    run(
        "patches",
        |numbers| {
            let diff = numbers.input(&seeds, &words);
            let content = numbers.input(&documents, &["a\n", "\n", "satu\n"]);
            vec![diff, content]
        },
        |inputs| {
            let (diff, content) = (&inputs[0], &inputs[1]);
            for strip in [None, Some(0), Some(1)] {
                let files = match patch::parse("diff", diff, strip) {
                    Ok(files) => files,
                    Err(refusal) => {
                        assert!(refusal.said.is_some() && refusal.facts.field.is_some(), "{refusal:?}");
                        continue;
                    }
                };
                for file in &files {
                    let applied = match file.apply("diff", &path, content) {
                        Ok(applied) => applied,
                        Err(refusal) => {
                            let codes = [
                                Code::PatchInvalid,
                                Code::PatchMismatch,
                                Code::ProposalNoChange,
                                Code::LimitExceeded,
                            ];
                            assert!(codes.contains(&refusal.code) && refusal.said.is_some(), "{refusal:?}");
                            continue;
                        }
                    };
                    if files.len() == 1 && !diff.windows(10).any(|w| w == b"GIT binary") {
                        // No line of a hunk is dropped, and none is counted twice.
                        assert_eq!(lines(&applied.content) - lines(content), added(diff));
                    }
                    // What it made is shown by our own diff, which makes the same.
                    let side = |content| Some((content, Mode::Plain));
                    let change = FileChange {
                        from: None,
                        path: &path,
                        before: side(&content[..]),
                        after: side(&applied.content[..]),
                    };
                    let own = patch::write([change]);
                    if applied.content != *content {
                        let again = patch::parse("diff", &own, None).unwrap();
                        assert_eq!(again[0].apply("diff", &path, content).unwrap().content, applied.content);
                    }
                }
            }
        },
    );
}

#[test]
fn json_edits() {
    let path = DocPath::parse("path", "d.json").unwrap();
    let mut documents = bytes(&[
        "{}",
        "[]",
        "{\"a\": 1.50, \"b\": [1, 2, {\"c\": null}], \"\": \"x\"}\n",
        "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      1,\n      2\n    ]\n  }\n}\n",
        "{\"a\":1,\"a\":2,\"\\u0061b\":3,\"c~/\":{}}",
        "[[[[1e400, -0.0, 9007199254740993]]]]\r\n",
        "\"text \\ud83d\\ude00\"",
    ]);
    from_corpora("json-test-suite", &mut documents);
    let mut patches = bytes(&[
        r#"[{"op":"add","path":"/a","value":{"x":[1.50]}}]"#,
        r#"[{"op":"remove","path":"/b/0"},{"op":"test","path":"/a","value":1.5}]"#,
        r#"[{"op":"move","from":"/b","path":"/c"},{"op":"copy","from":"/c/0","path":"/b"}]"#,
        r#"[{"op":"replace","path":"","value":[]},{"op":"add","path":"/-","value":1}]"#,
        r#"{"a":null,"b":{"c":1,"d":{"e":null}}}"#,
        "null",
        "[]",
    ]);
    from_corpora("json-patch", &mut patches);
    from_corpora("json-merge-patch", &mut patches);
    let words = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\u",
        "\\ud800",
        "1e9",
        "-",
        "0",
        "null",
        "true",
        " ",
        "\n",
        "\t",
        "\"op\":\"add\"",
        "\"path\":\"/a/0\"",
        "\"from\":\"/b\"",
        "~1",
        "~0",
        "/-",
        "/00",
        "\u{feff}",
    ];
    run(
        "json edits",
        |numbers| {
            vec![
                numbers.input(&documents, &words),
                numbers.input(&patches, &words),
                numbers.input(&documents, &words),
            ]
        },
        |inputs| {
            let [document, patch, other] = inputs else { unreachable!() };
            for form in [JsonForm::Patch, JsonForm::MergePatch] {
                let edit = match form {
                    JsonForm::Patch => json_edit::json_patch,
                    JsonForm::MergePatch => json_edit::merge_patch,
                };
                match edit("patch", &path, document, patch) {
                    Ok(edited) => {
                        assert!(json_edit::is_json(document) && json_edit::is_json(&edited));
                        // What is not stale does not clash.
                        let clashes =
                            json_edit::clashes(&[(form, patch)], document, document, &edited).unwrap();
                        assert!(clashes.is_empty(), "{clashes:?}");
                        if form == JsonForm::MergePatch {
                            let again = edit("patch", &path, &edited, patch).unwrap();
                            assert_eq!(again, edited, "a merge patch made twice is made once");
                        }
                        let _ = json_edit::clashes(&[(form, patch)], document, other, &edited);
                    }
                    Err(refusal) => {
                        let codes = [Code::PatchInvalid, Code::PatchMismatch, Code::LimitExceeded];
                        assert!(codes.contains(&refusal.code) && refusal.said.is_some(), "{refusal:?}");
                    }
                }
            }
        },
    );
}

#[test]
fn merges() {
    let documents = bytes(&DOCUMENTS);
    let words = ["a\n", "b\n", "\n", "x", "\r\n", "satu\n"];
    run(
        "merges",
        |numbers| {
            let base = numbers.input(&documents, &words);
            let one = vec![base.clone()];
            vec![numbers.input(&one, &words), numbers.input(&one, &words), base]
        },
        |inputs| {
            let [now, after, base] = inputs else { unreachable!() };
            let (merged, turned) = (merge(base, now, after), merge(base, after, now));
            assert_eq!(merged.clean(), turned.clean());
            let conflicts = merged.conflicts().count();
            assert_eq!(merged.clean().is_none(), conflicts > 0);
            if now == base {
                assert_eq!(merged.clean().as_ref(), Some(after));
            }
            // Each side, taken everywhere, has every line that it alone changed.
            for side in [Side::Base, Side::Now, Side::After, Side::NowThenAfter, Side::AfterThenNow] {
                let taken = merged.take(&vec![side; conflicts]).unwrap();
                if conflicts == 0 {
                    assert_eq!(merged.clean(), Some(taken));
                }
            }
            let Some(clean) = merged.clean() else { return };
            let all = [base, now, after, &clean];
            let lines = all.map(|text| text.split_inclusive(|b| *b == b'\n').count());
            // What there is to look through grows with all four.
            if lines.iter().product::<usize>() < 200_000 {
                assert!(keeps_all(base, now, after, &clean), "{:?}", String::from_utf8_lossy(&clean));
            }
        },
    );
}
