//! Two contents compared line by line: what [`crate::diff`], [`crate::merge`] and our own patches stand on.

use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Token, TokenSource};

/// Two contents and what differs between them.
pub(crate) struct Compared<'a> {
    pub(crate) input: InternedInput<&'a [u8]>,
    /// In order; between two of them there is a line that stayed.
    pub(crate) edits: Vec<Hunk>,
    /// They were compared from their ends alone: all that lies between is one edit.
    pub(crate) is_rough: bool,
}

impl<'a> Compared<'a> {
    pub(crate) fn new(algorithm: Algorithm, before: &'a [u8], after: &'a [u8]) -> Self {
        let input = InternedInput::new(Lines(before), Lines(after));
        if would_scan_for_ever(&input) {
            let edits = between_ends(&input);
            return Self { input, edits, is_rough: true };
        }
        let mut diff = Diff::compute(algorithm, &input);
        diff.postprocess_no_heuristic(&input);
        let edits = diff.hunks().collect();
        Self { input, edits, is_rough: false }
    }

    /// Lines added and removed.
    pub(crate) fn counts(&self) -> (u32, u32) {
        let sum = |lines: fn(&Hunk) -> u32| self.edits.iter().map(lines).sum();
        (sum(|edit| edit.after.end - edit.after.start), sum(|edit| edit.before.end - edit.before.start))
    }
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

/// Steps that may be spent on lines that are everywhere: about half a second.
const SCANNED: u64 = 1 << 29;

/// Whether imara-diff 0.2.0 would take minutes: before it compares, it goes back from each line that the
/// other side has very often to the last one that it has seldom, however far that is. Half a megabyte of
/// a few different lines is enough; such documents are then compared from their ends alone.
fn would_scan_for_ever(input: &InternedInput<&[u8]>) -> bool {
    let often = |lines: &[Token]| {
        let mut times = vec![0u32; input.interner.num_tokens() as usize];
        for line in lines {
            times[line.0 as usize] += 1;
        }
        times
    };
    let steps = |lines: &[Token], other: &[Token]| {
        let times = often(other);
        let many = lines.len().isqrt().min(1024) / 2;
        let mut since_seldom = 0u64;
        let mut steps = 0u64;
        for line in lines {
            match times[line.0 as usize] as usize {
                0 => since_seldom += 1,
                n if n < many => since_seldom = 0,
                _ => {
                    steps += since_seldom;
                    since_seldom += 1;
                }
            }
        }
        steps
    };
    // What both sides begin and end with is not looked at.
    let (start, end) = same_ends(&input.before, &input.after);
    let [before, after] = [&input.before, &input.after].map(|lines| &lines[start..lines.len() - end]);
    steps(before, after) + steps(after, before) > SCANNED
}

/// How many lines both begin with, and how many of the others both end with.
fn same_ends(before: &[Token], after: &[Token]) -> (usize, usize) {
    let start = before.iter().zip(after).take_while(|(b, a)| b == a).count();
    let rest = before[start..].iter().rev().zip(after[start..].iter().rev());
    (start, rest.take_while(|(b, a)| b == a).count())
}

/// Everything between the lines that both begin and end with, as one edit.
fn between_ends(input: &InternedInput<&[u8]>) -> Vec<Hunk> {
    let (start, end) = same_ends(&input.before, &input.after);
    let line = |at: usize| u32::try_from(at).expect("a line has a number");
    let between = |lines: &[Token]| line(start)..line(lines.len() - end);
    vec![Hunk { before: between(&input.before), after: between(&input.after) }]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a megabyte of a few different lines took most of a minute.
    #[test]
    fn lines_that_are_everywhere_are_compared_from_the_ends() {
        for kinds in [1, 16] {
            let lines = |count: usize| -> String {
                (0..count).map(|n| ["x\n", "ab\n", "}\n", "\n"][n * 7 % kinds % 4]).collect()
            };
            let (before, after) = (lines(400_000), format!("{}new\n{}end\n", lines(200_000), lines(100_000)));
            for algorithm in [Algorithm::Histogram, Algorithm::Myers] {
                let compared = Compared::new(algorithm, before.as_bytes(), after.as_bytes());
                let (added, removed) = compared.counts();
                assert!(compared.is_rough && compared.edits.len() == 1, "{kinds}");
                assert_eq!(400_000 + added - removed, 300_002, "{kinds}");
            }
        }
        let source: String =
            (0..20_000).flat_map(|n| [format!("fn f{n}() {{\n"), "}\n".into(), "\n".into()]).collect();
        assert!(
            !Compared::new(Algorithm::Histogram, source.as_bytes(), source.replace("f9", "g9").as_bytes())
                .is_rough
        );
    }
}
