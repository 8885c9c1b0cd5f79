//! The difference of two contents by lines: hunks with word-level spans as people read them, the edits of
//! our own patch, the content with some of the hunks (a split), and the counts that are kept with each change.
//! Applying a patch is not here: that is `patch`.

use std::collections::HashSet;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, TokenSource as _};
use serde::Serialize;

use crate::compare::{Compared, Lines};

/// Lines around a change that are shown with it.
const CONTEXT: u32 = 3;
/// Bytes above which content is not compared for display.
pub const TOO_LARGE: usize = 4 * 1024 * 1024;
/// Characters of a line above which words in it are not compared.
const LONG_LINE: usize = 2_000;

/// What a line of a hunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// On both sides.
    Context,
    /// Only afterwards.
    Add,
    /// Only before.
    Remove,
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Which side it is on.
    pub kind: LineKind,
    /// Its number before, from 1.
    pub old: Option<u32>,
    /// Its number afterwards, from 1.
    pub new: Option<u32>,
    /// Its text without the line end; a carriage return before it stays.
    pub text: String,
    /// The parts that differ from its counterpart, in UTF-16 code units.
    pub spans: Vec<[u32; 2]>,
    /// The file ends here without a line end.
    pub no_newline: bool,
}

/// A run of changed lines with its surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hunk {
    /// First line before, from 1; the line above where there is none, 0 at the top.
    pub old_start: u32,
    /// Number of lines before.
    pub old_lines: u32,
    /// First line afterwards, from 1; the line above where there is none, 0 at the top.
    pub new_start: u32,
    /// Number of lines afterwards.
    pub new_lines: u32,
    /// In order.
    pub lines: Vec<Line>,
}

/// How two contents compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    /// Line by line.
    Text,
    /// One side is not UTF-8 text.
    Binary,
    /// Too large to be compared for display.
    TooLarge,
}

/// The difference of two contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContentDiff {
    /// How they compare.
    pub kind: DiffKind,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// Lines before.
    pub old_total: u32,
    /// Lines afterwards.
    pub new_total: u32,
    /// In order.
    pub hunks: Vec<Hunk>,
}

/// Whether content is text: UTF-8 without NUL.
pub fn is_text(content: &[u8]) -> bool {
    !content.contains(&0) && std::str::from_utf8(content).is_ok()
}

/// The lines of a text, as differences number them: also one without an end of line at the end.
pub fn count_lines(text: &[u8]) -> u64 {
    let ends = memchr::memchr_iter(b'\n', text).count() as u64;
    ends + u64::from(text.last().is_some_and(|last| *last != b'\n'))
}

/// Lines added and removed, without hunks. They are kept with each change, and `doctor` counts them anew:
/// an algorithm that counts otherwise needs a migration.
pub fn stat(before: &[u8], after: &[u8]) -> (DiffKind, u32, u32) {
    match compared(before, after) {
        Err(kind) => (kind, 0, 0),
        Ok(compared) => {
            let (added, removed) = compared.counts();
            (DiffKind::Text, added, removed)
        }
    }
}

/// The same, where it does not depend on how costly a comparison may be: `None` for contents that are
/// compared from their ends alone.
pub fn exact_stat(before: &[u8], after: &[u8]) -> Option<(DiffKind, u32, u32)> {
    match compared(before, after) {
        Err(kind) => Some((kind, 0, 0)),
        Ok(compared) => {
            let (added, removed) = compared.counts();
            (!compared.is_rough).then_some((DiffKind::Text, added, removed))
        }
    }
}

/// What [`stat`] says of content that stays as it is.
pub fn stat_same(content: &[u8]) -> (DiffKind, u32, u32) {
    let kind = match content {
        _ if content.len() > TOO_LARGE => DiffKind::TooLarge,
        _ if !is_text(content) => DiffKind::Binary,
        _ => DiffKind::Text,
    };
    (kind, 0, 0)
}

fn compared<'a>(before: &'a [u8], after: &'a [u8]) -> Result<Compared<'a>, DiffKind> {
    if before.len() > TOO_LARGE || after.len() > TOO_LARGE {
        return Err(DiffKind::TooLarge);
    }
    if !is_text(before) || !is_text(after) {
        return Err(DiffKind::Binary);
    }
    Ok(by_lines(before, after))
}

/// The difference line by line, whatever the contents are.
pub(crate) fn by_lines<'a>(before: &'a [u8], after: &'a [u8]) -> Compared<'a> {
    Compared::new(Algorithm::Histogram, before, after)
}

/// Compares two contents.
pub fn diff(before: &[u8], after: &[u8]) -> ContentDiff {
    let compared = match compared(before, after) {
        Ok(compared) => compared,
        Err(kind) => {
            return ContentDiff { kind, added: 0, removed: 0, old_total: 0, new_total: 0, hunks: Vec::new() };
        }
    };
    let (added, removed) = compared.counts();
    let Compared { input, edits, .. } = compared;
    let old_total = count(input.before.len());
    ContentDiff {
        kind: DiffKind::Text,
        added,
        removed,
        old_total,
        new_total: count(input.after.len()),
        hunks: groups(&edits, old_total).map(|group| shown(&input, &group)).collect(),
    }
}

/// How many hunks [`diff`] shows.
pub fn count_hunks(before: &[u8], after: &[u8]) -> (DiffKind, u32) {
    let shown = diff(before, after);
    (shown.kind, count(shown.hunks.len()))
}

/// The content before with some of the hunks that [`diff`] shows, by their numbers from 1. Content that
/// is not compared stays as it was before.
pub fn with_hunks(before: &[u8], after: &[u8], wanted: &[u32]) -> Vec<u8> {
    let lines = |content| -> Vec<&[u8]> { Lines(content).tokenize().collect() };
    let (old, new) = (lines(before), lines(after));
    let wanted: HashSet<u32> = wanted.iter().copied().collect();
    let mut content = Vec::with_capacity(before.len().max(after.len()));
    let mut at = 0;
    for (number, hunk) in (1u32..).zip(diff(before, after).hunks) {
        if !wanted.contains(&number) {
            continue;
        }
        // A side without lines starts after the line before it.
        let first = |start: u32, lines: u32| (start - u32::from(lines > 0)) as usize;
        let start = first(hunk.old_start, hunk.old_lines);
        content.extend(old[at..start].iter().copied().flatten());
        at = start + hunk.old_lines as usize;
        let start = first(hunk.new_start, hunk.new_lines);
        content.extend(new[start..start + hunk.new_lines as usize].iter().copied().flatten());
    }
    content.extend(old[at..].iter().copied().flatten());
    content
}

/// Edits whose surroundings touch, and the lines that they are shown with: one hunk. Lines are counted
/// from 0.
pub(crate) struct Group<'e> {
    pub(crate) edits: &'e [imara_diff::Hunk],
    pub(crate) old: Range<u32>,
    pub(crate) new: Range<u32>,
}

/// Puts edits together that share a hunk.
pub(crate) fn groups(edits: &[imara_diff::Hunk], old_total: u32) -> impl Iterator<Item = Group<'_>> {
    let apart = |a: &imara_diff::Hunk, b: &imara_diff::Hunk| b.before.start - a.before.end > 2 * CONTEXT;
    edits.chunk_by(move |a, b| !apart(a, b)).map(move |edits| {
        let (first, last) = (&edits[0], &edits[edits.len() - 1]);
        let lead = first.before.start.min(CONTEXT);
        let tail = (old_total - last.before.end).min(CONTEXT);
        Group {
            edits,
            old: first.before.start - lead..last.before.end + tail,
            new: first.after.start - lead..last.after.end + tail,
        }
    })
}

impl Group<'_> {
    /// Where a side starts as git writes it: from 1; the line above where it has no lines.
    pub(crate) fn starts(&self) -> (u32, u32) {
        let start = |range: &Range<u32>| range.start + u32::from(!range.is_empty());
        (start(&self.old), start(&self.new))
    }

    /// Its lines in order: unchanged ones of the old side, then what an edit removes and adds.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (Range<u32>, Option<&imara_diff::Hunk>)> {
        let mut at = self.old.start;
        let edits = self.edits.iter().map(Some).chain([None]);
        edits.map(move |edit| {
            let context = at..edit.map_or(self.old.end, |edit| edit.before.start);
            at = edit.map_or(self.old.end, |edit| edit.before.end);
            (context, edit)
        })
    }
}

/// A group as it is shown.
fn shown(input: &InternedInput<&[u8]>, group: &Group<'_>) -> Hunk {
    let (old_start, new_start) = group.starts();
    let mut hunk = Hunk { old_start, old_lines: 0, new_start, new_lines: 0, lines: Vec::new() };
    let side = |tokens: &[imara_diff::Token], range: &Range<u32>| -> Vec<&[u8]> {
        range.clone().map(|i| input.interner[tokens[i as usize]]).collect()
    };
    let mut new = group.new.start;
    for (context, edit) in group.parts() {
        for old in context {
            let bytes = input.interner[input.before[old as usize]];
            push(&mut hunk, LineKind::Context, Some(old), Some(new), bytes, Vec::new());
            new += 1;
        }
        let Some(edit) = edit else { break };
        let (removed, added) = (side(&input.before, &edit.before), side(&input.after, &edit.after));
        let (removed_spans, added_spans) = word_spans(&removed, &added);
        for ((old, bytes), spans) in edit.before.clone().zip(removed).zip(removed_spans) {
            push(&mut hunk, LineKind::Remove, Some(old), None, bytes, spans);
        }
        for ((new, bytes), spans) in edit.after.clone().zip(added).zip(added_spans) {
            push(&mut hunk, LineKind::Add, None, Some(new), bytes, spans);
        }
        new = edit.after.end;
    }
    hunk
}

fn count(len: usize) -> u32 {
    u32::try_from(len).expect("a document has at most 64 MiB, and fewer lines than bytes")
}

fn push(
    hunk: &mut Hunk,
    kind: LineKind,
    old: Option<u32>,
    new: Option<u32>,
    bytes: &[u8],
    spans: Vec<[u32; 2]>,
) {
    let ended = bytes.ends_with(b"\n");
    let text = &bytes[..bytes.len() - usize::from(ended)];
    if kind != LineKind::Add {
        hunk.old_lines += 1;
    }
    if kind != LineKind::Remove {
        hunk.new_lines += 1;
    }
    hunk.lines.push(Line {
        kind,
        old: old.map(|n| n + 1),
        new: new.map(|n| n + 1),
        text: String::from_utf8_lossy(text).into_owned(),
        spans,
        no_newline: !ended,
    });
}

type Spans = Vec<Vec<[u32; 2]>>;

/// Pairs removed and added lines in order and marks what differs within each pair. Where the
/// numbers of lines differ much, there are no pairs to speak of.
fn word_spans(removed: &[&[u8]], added: &[&[u8]]) -> (Spans, Spans) {
    let mut spans = (vec![Vec::new(); removed.len()], vec![Vec::new(); added.len()]);
    if removed.len() != added.len() {
        return spans;
    }
    for (index, (old, new)) in removed.iter().zip(added).enumerate() {
        let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else {
            continue;
        };
        let (old, new) = (old.trim_end_matches('\n'), new.trim_end_matches('\n'));
        if old.len() > LONG_LINE || new.len() > LONG_LINE {
            continue;
        }
        let (left, right) = line_spans(old, new);
        spans.0[index] = left;
        spans.1[index] = right;
    }
    spans
}

fn line_spans(old: &str, new: &str) -> (Vec<[u32; 2]>, Vec<[u32; 2]>) {
    let (old_words, new_words) = (words(old), words(new));
    let mut input: InternedInput<&str> = InternedInput::default();
    input.reserve(count(old_words.len()), count(new_words.len()));
    input.update_before(old_words.iter().copied());
    input.update_after(new_words.iter().copied());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let same = old_words.len().saturating_sub(diff.count_removals() as usize);
    // Lines with nothing in common but spaces are better shown whole.
    if same * 4 < old_words.len().max(new_words.len()) {
        return (Vec::new(), Vec::new());
    }
    let units = |words: &[&str]| -> Vec<u32> {
        let mut at = 0;
        let mut starts = vec![0];
        for word in words {
            at += count(word.encode_utf16().count());
            starts.push(at);
        }
        starts
    };
    let (old_at, new_at) = (units(&old_words), units(&new_words));
    let mut spans = (Vec::new(), Vec::new());
    for hunk in diff.hunks() {
        if !hunk.before.is_empty() {
            spans.0.push([old_at[hunk.before.start as usize], old_at[hunk.before.end as usize]]);
        }
        if !hunk.after.is_empty() {
            spans.1.push([new_at[hunk.after.start as usize], new_at[hunk.after.end as usize]]);
        }
    }
    spans
}

/// Splits a line into runs of letters and digits, and single other characters.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (at, c) in line.char_indices() {
        let wordy = c.is_alphanumeric() || c == '_';
        if at > start && !(wordy && in_word) {
            words.push(&line[start..at]);
            start = at;
        }
        in_word = wordy;
    }
    if start < line.len() {
        words.push(&line[start..]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn show(before: &str, after: &str) -> String {
        use std::fmt::Write as _;
        let mut out = String::new();
        for hunk in diff(before.as_bytes(), after.as_bytes()).hunks {
            let _ = writeln!(
                out,
                "@@ -{},{} +{},{} @@",
                hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
            );
            for line in hunk.lines {
                let mark = match line.kind {
                    LineKind::Context => ' ',
                    LineKind::Add => '+',
                    LineKind::Remove => '-',
                };
                let end = if line.no_newline { " \\" } else { "" };
                let _ = writeln!(out, "{mark}{}{end} {:?}", line.text, line.spans);
            }
        }
        out
    }

    #[test]
    fn hunks_and_words() {
        let check = |before: &str, after: &str, expected: &str| assert_eq!(show(before, after), expected);
        check("", "a\n", "@@ -0,0 +1,1 @@\n+a []\n");
        check("a\n", "", "@@ -1,1 +0,0 @@\n-a []\n");
        check("a", "a\n", "@@ -1,1 +1,1 @@\n-a \\ []\n+a []\n");
        check(
            "harga: 200000,\n",
            "harga: 250000,\n",
            "@@ -1,1 +1,1 @@\n-harga: 200000, [[7, 13]]\n+harga: 250000, [[7, 13]]\n",
        );
        check("é 1 x\n", "é 2 x\n", "@@ -1,1 +1,1 @@\n-é 1 x [[2, 3]]\n+é 2 x [[2, 3]]\n");
        assert_eq!(diff(b"a\0", b"b").kind, DiffKind::Binary);
        assert_eq!(diff(&vec![b'a'; TOO_LARGE + 1], b"b").kind, DiffKind::TooLarge);
    }

    proptest! {
        /// The hunks, put in place of the lines they replace, give the other side exactly.
        #[test]
        fn hunks_say_the_whole_difference(a in lines(), b in lines()) {
            let shown = diff(a.as_bytes(), b.as_bytes());
            let old: Vec<&str> = a.split_inclusive('\n').collect();
            let mut rebuilt = String::new();
            let mut at = 0;
            for hunk in &shown.hunks {
                let start = if hunk.old_lines == 0 { hunk.old_start } else { hunk.old_start - 1 } as usize;
                prop_assert!(start >= at, "hunks overlap");
                old[at..start].iter().for_each(|l| rebuilt.push_str(l));
                at = start + hunk.old_lines as usize;
                for line in hunk.lines.iter().filter(|l| l.kind != LineKind::Remove) {
                    rebuilt.push_str(&line.text);
                    if !line.no_newline { rebuilt.push('\n'); }
                }
            }
            old[at..].iter().for_each(|l| rebuilt.push_str(l));
            prop_assert_eq!(rebuilt, b);
        }
    }

    fn lines() -> impl Strategy<Value = String> {
        proptest::collection::vec("[abc]{0,2}\r?\n|[ab]", 0..40).prop_map(|v| v.concat())
    }
}
