//! Three-way merges beside `git merge-file`: the corpus, and documents of few different lines, which can be
//! compared in many ways. That a clean merge loses nothing is proved of any documents where merges are.

use std::path::Path;
use std::process::Command;

use sekali_core::merge::merge;
use sekali_tests::corpora;
use serde_json::Value;

/// Documents that are merged by both.
const TRIPLES: u32 = 600;

/// What git makes of three documents; `None` where it sees a conflict.
fn git(folder: &Path, [base, now, after]: [&[u8]; 3]) -> Option<Vec<u8>> {
    for (name, content) in [("base", base), ("now", now), ("after", after)] {
        std::fs::write(folder.join(name), content).expect("the folder is ours");
    }
    let out = Command::new("git")
        .args(["merge-file", "-p", "-q", "now", "base", "after"])
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", folder)
        .output()
        .expect("git is installed");
    // The number of conflicts; beyond 127 it is an error.
    match out.status.code() {
        Some(0) => Some(out.stdout),
        Some(1..=127) => None,
        other => panic!("git merge-file: {other:?}: {}", String::from_utf8_lossy(&out.stderr)),
    }
}

#[test]
fn each_row_of_the_corpus_merges_as_it_says() {
    let Some(corpora) = corpora() else { return };
    let rows = std::fs::read(corpora.join("merge3/cases.json")).expect("the corpus");
    let rows: Vec<Value> = serde_json::from_slice(&rows).expect("an array of rows");
    assert!(!rows.is_empty());
    for row in rows {
        let content = |name: &str| row[name].as_str().expect("a document").as_bytes();
        let (base, ours, theirs) = (content("base"), content("ours"), content("theirs"));
        let expected = match row["git_merge_file"].as_str() {
            Some("clean") => Some(content("result")),
            Some("conflict") => None,
            other => panic!("{other:?} in {row}"),
        };
        for (now, after) in [(ours, theirs), (theirs, ours)] {
            let merged = merge(base, now, after);
            assert_eq!(merged.clean().as_deref(), expected, "{}", row["id"]);
            assert_eq!(merged.conflicts().next().is_some(), expected.is_none(), "{}", row["id"]);
        }
    }
}

/// Numbers that look random and are the same each time (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    fn line(&mut self, letters: u64) -> Vec<u8> {
        let letter = b'a' + u8::try_from(self.below(letters)).expect("few letters");
        vec![letter, b'\n']
    }

    fn document(&mut self, letters: u64) -> Vec<Vec<u8>> {
        (0..self.below(14)).map(|_| self.line(letters)).collect()
    }

    /// A side: some lines of the base are gone, some have others after them.
    fn side(&mut self, base: &[Vec<u8>], letters: u64) -> Vec<u8> {
        let mut side = Vec::new();
        for line in std::iter::once(&Vec::new()).chain(base) {
            match self.below(8) {
                0 => {}
                1 => side.extend(self.line(letters)),
                2 => side.extend([line.clone(), self.line(letters)].concat()),
                _ => side.extend(line),
            }
        }
        if self.below(6) == 0 {
            side.pop();
        }
        side
    }
}

/// The rules are git's, and so is how documents are compared, but for the effort that goes into documents
/// with hardly a line that is there once: of those, few may come out otherwise.
#[test]
fn what_git_merges_comes_to_the_same_and_what_it_does_not_is_a_conflict() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut drawn = Drawn(3);
    let (mut clean, mut otherwise) = (0, Vec::new());
    for _ in 0..TRIPLES {
        let letters = 2 + drawn.below(8);
        let base = drawn.document(letters);
        let (now, after) = (drawn.side(&base, letters), drawn.side(&base, letters));
        let base = base.concat();
        let (wanted, got) = (git(folder.path(), [&base, &now, &after]), merge(&base, &now, &after).clean());
        clean += u32::from(got.is_some());
        if got != wanted {
            otherwise.push([&base, &now, &after].map(|text| String::from_utf8_lossy(text).into_owned()));
        }
    }
    assert!(otherwise.len() * 100 <= TRIPLES as usize, "{otherwise:?}");
    assert!(clean > TRIPLES / 10 && clean < TRIPLES / 10 * 9, "{clean} of {TRIPLES} are clean");
}
