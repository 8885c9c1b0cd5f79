//! The difference of two contents by lines: hunks with word-level spans as people read them, the hunks of
//! our own patch, the content with some of the hunks (a split), and the counts that are kept with each change.
//! Applying a patch is not here: that is `patch`.

use imara_diff::{Algorithm, Diff, InternedInput, TokenSource};
use serde::Serialize;

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

/// Lines added and removed, without hunks. They are kept with each change, and `doctor` counts them anew:
/// an algorithm that counts otherwise needs a migration.
pub fn stat(before: &[u8], after: &[u8]) -> (DiffKind, u32, u32) {
    match compared(before, after) {
        Err(kind) => (kind, 0, 0),
        Ok((input, diff)) => {
            drop(input);
            (DiffKind::Text, diff.count_additions(), diff.count_removals())
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

fn compared<'a>(before: &'a [u8], after: &'a [u8]) -> Result<(InternedInput<&'a [u8]>, Diff), DiffKind> {
    if before.len() > TOO_LARGE || after.len() > TOO_LARGE {
        return Err(DiffKind::TooLarge);
    }
    if !is_text(before) || !is_text(after) {
        return Err(DiffKind::Binary);
    }
    let input = InternedInput::new(Lines(before), Lines(after));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    Ok((input, diff))
}

/// Compares two contents.
pub fn diff(before: &[u8], after: &[u8]) -> ContentDiff {
    let (input, diff) = match compared(before, after) {
        Ok(compared) => compared,
        Err(kind) => {
            return ContentDiff { kind, added: 0, removed: 0, old_total: 0, new_total: 0, hunks: Vec::new() };
        }
    };
    let edits: Vec<imara_diff::Hunk> = diff.hunks().collect();
    let mut hunks = Hunks { input: &input, made: Vec::new(), shown: 0 };
    for (index, edit) in edits.iter().enumerate() {
        hunks.add(edit, edits.get(index + 1));
    }
    ContentDiff {
        kind: DiffKind::Text,
        added: diff.count_additions(),
        removed: diff.count_removals(),
        old_total: count(input.before.len()),
        new_total: count(input.after.len()),
        hunks: hunks.finish(),
    }
}

/// Writes the hunks of a unified diff, as exact bytes and whatever their size.
pub(crate) fn write_hunks(out: &mut Vec<u8>, before: &[u8], after: &[u8]) {
    let input = InternedInput::new(Lines(before), Lines(after));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let edits: Vec<imara_diff::Hunk> = diff.hunks().collect();
    let total = count(input.before.len());
    // Edits whose surroundings touch share a hunk.
    let mut groups: Vec<&[imara_diff::Hunk]> = Vec::new();
    let mut from = 0;
    for (index, [edit, next]) in (1..).zip(edits.array_windows()) {
        if next.before.start - edit.before.end > 2 * CONTEXT {
            groups.push(&edits[from..index]);
            from = index;
        }
    }
    groups.push(&edits[from..]);
    for group in groups {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let lead = first.before.start.min(CONTEXT);
        let tail = (total - last.before.end).min(CONTEXT);
        let old = first.before.start - lead..last.before.end + tail;
        let new = first.after.start - lead..last.after.end + tail;
        // git's form: a side without lines starts after the line before it.
        let start = |range: &std::ops::Range<u32>| range.start + u32::from(!range.is_empty());
        let header = format!("@@ -{},{} +{},{} @@\n", start(&old), old.len(), start(&new), new.len());
        out.extend_from_slice(header.as_bytes());
        let mut at = old.start;
        for edit in group {
            write_lines(out, b' ', &input, &input.before[at as usize..edit.before.start as usize]);
            write_lines(
                out,
                b'-',
                &input,
                &input.before[edit.before.start as usize..edit.before.end as usize],
            );
            write_lines(out, b'+', &input, &input.after[edit.after.start as usize..edit.after.end as usize]);
            at = edit.before.end;
        }
        write_lines(out, b' ', &input, &input.before[at as usize..old.end as usize]);
    }
}

fn write_lines(out: &mut Vec<u8>, sign: u8, input: &InternedInput<&[u8]>, tokens: &[imara_diff::Token]) {
    for token in tokens {
        let line = input.interner[*token];
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
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

/// Hunks while they grow: edits whose surroundings touch share one.
struct Hunks<'a> {
    input: &'a InternedInput<&'a [u8]>,
    made: Vec<Hunk>,
    /// Lines of the old side that are already in a hunk, or before it.
    shown: u32,
}

impl Hunks<'_> {
    fn add(&mut self, edit: &imara_diff::Hunk, next: Option<&imara_diff::Hunk>) {
        let lead = edit.before.start.saturating_sub(CONTEXT).max(self.shown);
        let joined = !self.made.is_empty() && lead == self.shown;
        if !joined {
            let skipped = edit.before.start - lead;
            self.made.push(Hunk {
                old_start: lead + 1,
                old_lines: 0,
                new_start: edit.after.start - skipped + 1,
                new_lines: 0,
                lines: Vec::new(),
            });
        }
        self.context(lead..edit.before.start, edit.after.start);
        let side = |tokens: &[imara_diff::Token], range: &std::ops::Range<u32>| -> Vec<&[u8]> {
            range.clone().map(|i| self.input.interner[tokens[i as usize]]).collect()
        };
        let removed = side(&self.input.before, &edit.before);
        let added = side(&self.input.after, &edit.after);
        let (removed_spans, added_spans) = word_spans(&removed, &added);
        let hunk = self.made.last_mut().expect("one was pushed or stands");
        for ((old, bytes), spans) in edit.before.clone().zip(removed).zip(removed_spans) {
            push(hunk, LineKind::Remove, Some(old), None, bytes, spans);
        }
        for ((new, bytes), spans) in edit.after.clone().zip(added).zip(added_spans) {
            push(hunk, LineKind::Add, None, Some(new), bytes, spans);
        }
        let end = next.map_or(count(self.input.before.len()), |e| e.before.start);
        let tail = (edit.before.end + CONTEXT).min(end);
        self.context(edit.before.end..tail, edit.after.end + (tail - edit.before.end));
        self.shown = tail;
    }

    /// Unchanged lines of the old side; `new_end` is the new side's line after them.
    fn context(&mut self, old: std::ops::Range<u32>, new_end: u32) {
        let hunk = self.made.last_mut().expect("one was pushed or stands");
        for index in old.clone() {
            let bytes = self.input.interner[self.input.before[index as usize]];
            push(hunk, LineKind::Context, Some(index), Some(new_end - (old.end - index)), bytes, Vec::new());
        }
    }

    /// git's form: a side without lines starts after the line before it, at 0 where there is none.
    fn finish(mut self) -> Vec<Hunk> {
        for hunk in &mut self.made {
            hunk.old_start -= u32::from(hunk.old_lines == 0);
            hunk.new_start -= u32::from(hunk.new_lines == 0);
        }
        self.made
    }
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

/// Lines with their ends; the last one may have none.
pub(crate) struct Lines<'a>(pub(crate) &'a [u8]);

impl<'a> TokenSource for Lines<'a> {
    type Token = &'a [u8];
    type Tokenizer = std::slice::SplitInclusive<'a, u8, fn(&u8) -> bool>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.split_inclusive(|b| *b == b'\n')
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len() / 40 + 1).unwrap_or(u32::MAX)
    }
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
