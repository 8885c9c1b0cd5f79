//! Three-way merge by lines, with conflicts as data. The rules are those of `git merge-file`: two
//! changes of the same base are in conflict where they overlap or touch, unless they are the same
//! change of the same lines, which counts once (Khanna, Kunal and Pierce, "A Formal Investigation of
//! Diff3", 2007, for what a merge by lines can promise).

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::diff::Lines;

/// One side of a conflict, or two of them one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What both began with.
    Base,
    /// What is there now.
    Now,
    /// What is wanted.
    After,
    /// What is there, then what is wanted.
    NowThenAfter,
    /// What is wanted, then what is there.
    AfterThenNow,
}

/// Lines of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// The first line, from 1; the line above where there is none.
    pub start: u32,
    /// Number of lines.
    pub lines: u32,
    /// Their bytes.
    pub text: &'a [u8],
}

/// Lines that both sides changed differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conflict<'a> {
    /// What both began with.
    pub base: Part<'a>,
    /// What is there now.
    pub now: Part<'a>,
    /// What is wanted.
    pub after: Part<'a>,
}

/// A run of the merged content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Settled(&'a [u8]),
    Conflict(Conflict<'a>),
}

/// What came of merging, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge<'a> {
    pieces: Vec<Piece<'a>>,
}

impl<'a> Merge<'a> {
    /// The merged content, where nobody has to decide anything.
    pub fn clean(&self) -> Option<Vec<u8>> {
        self.take(&[])
    }

    /// What a person must decide, in order.
    pub fn conflicts(&self) -> impl Iterator<Item = &Conflict<'a>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Settled(_) => None,
            Piece::Conflict(conflict) => Some(conflict),
        })
    }

    /// The merged content with a side taken for each conflict, in order; `None` where there are more or
    /// fewer sides than conflicts. A side without a line end at its end gets one where more follows.
    pub fn take(&self, sides: &[Side]) -> Option<Vec<u8>> {
        let mut sides = sides.iter();
        let mut content = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Settled(text) => append(&mut content, text),
                Piece::Conflict(conflict) => {
                    let [base, now, after] = [conflict.base, conflict.now, conflict.after].map(|p| p.text);
                    let taken: &[&[u8]] = match sides.next()? {
                        Side::Base => &[base],
                        Side::Now => &[now],
                        Side::After => &[after],
                        Side::NowThenAfter => &[now, after],
                        Side::AfterThenNow => &[after, now],
                    };
                    taken.iter().for_each(|text| append(&mut content, text));
                }
            }
        }
        sides.next().is_none().then_some(content)
    }
}

/// Only a chosen side can end without a line end before the end: two lines must not become one.
fn append(content: &mut Vec<u8>, text: &[u8]) {
    if !text.is_empty() && !content.is_empty() && !content.ends_with(b"\n") {
        content.push(b'\n');
    }
    content.extend_from_slice(text);
}

/// Merges what became of `base` on two sides.
pub fn merge<'a>(base: &'a [u8], now: &'a [u8], after: &'a [u8]) -> Merge<'a> {
    let (now_side, after_side) = (Changed::of(base, now), Changed::of(base, after));
    let base = Text::of(base);
    let mut pieces = Vec::new();
    let (mut n, mut a) = (now_side.edits.iter().peekable(), after_side.edits.iter().peekable());
    // The line of each side up to which everything is in a piece.
    let mut at = Place { base: 0, now: 0, after: 0 };
    loop {
        let start = match (n.peek(), a.peek()) {
            (None, None) => break,
            (Some(edit), None) | (None, Some(edit)) => edit.base.start,
            (Some(one), Some(two)) => one.base.start.min(two.base.start),
        };
        settle(&mut pieces, base.lines(at.base..start));
        let same = start - at.base;
        at = Place { base: start, now: at.now + same, after: at.after + same };
        // Everything that overlaps or touches, on either side, is one region.
        let mut end = start;
        let (mut of_now, mut of_after) = (Vec::new(), Vec::new());
        loop {
            let grown = |edit: &&&Edit| edit.base.start <= end;
            if let Some(edit) = n.next_if(|edit| grown(&edit)) {
                end = end.max(edit.base.end);
                of_now.push(edit);
            } else if let Some(edit) = a.next_if(|edit| grown(&edit)) {
                end = end.max(edit.base.end);
                of_after.push(edit);
            } else {
                break;
            }
        }
        let upto = |edits: &[&Edit], from: u32| {
            let grown: i64 =
                edits.iter().map(|e| i64::from(length(&e.side)) - i64::from(length(&e.base))).sum();
            u32::try_from(i64::from(from) + i64::from(end - start) + grown)
                .expect("an edit stays in its side")
        };
        let to = Place { base: end, now: upto(&of_now, at.now), after: upto(&of_after, at.after) };
        let [b, c, d] = [
            (&base, at.base..to.base),
            (&now_side.text, at.now..to.now),
            (&after_side.text, at.after..to.after),
        ]
        .map(|(text, range)| Part {
            start: range.start + u32::from(!range.is_empty()),
            lines: length(&range),
            text: text.lines(range),
        });
        match (of_now.is_empty(), of_after.is_empty()) {
            (false, true) => settle(&mut pieces, c.text),
            (true, false) => settle(&mut pieces, d.text),
            _ if same_edits(&of_now, &of_after) && c.text == d.text => settle(&mut pieces, c.text),
            _ => pieces.push(Piece::Conflict(Conflict { base: b, now: c, after: d })),
        }
        at = to;
    }
    settle(&mut pieces, base.lines(at.base..base.count()));
    Merge { pieces }
}

fn settle<'a>(pieces: &mut Vec<Piece<'a>>, text: &'a [u8]) {
    if !text.is_empty() {
        pieces.push(Piece::Settled(text));
    }
}

fn length(range: &Range<u32>) -> u32 {
    range.end - range.start
}

/// Both sides did the same to the same lines.
fn same_edits(now: &[&Edit], after: &[&Edit]) -> bool {
    now.iter().map(|edit| &edit.base).eq(after.iter().map(|edit| &edit.base))
}

#[derive(Clone, Copy)]
struct Place {
    base: u32,
    now: u32,
    after: u32,
}

/// A run of lines that became another.
struct Edit {
    base: Range<u32>,
    side: Range<u32>,
}

/// One side with what it changed.
struct Changed<'a> {
    text: Text<'a>,
    edits: Vec<Edit>,
}

impl<'a> Changed<'a> {
    fn of(base: &'a [u8], side: &'a [u8]) -> Self {
        let input = InternedInput::new(Lines(base), Lines(side));
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_no_heuristic(&input);
        let edits = diff.hunks().map(|hunk| Edit { base: hunk.before, side: hunk.after }).collect();
        Self { text: Text::of(side), edits }
    }
}

/// A content and where its lines begin.
struct Text<'a> {
    content: &'a [u8],
    /// The end of each line.
    ends: Vec<u32>,
}

impl<'a> Text<'a> {
    fn of(content: &'a [u8]) -> Self {
        let mut ends: Vec<u32> = memchr::memchr_iter(b'\n', content).map(|at| offset(at + 1)).collect();
        if content.last().is_some_and(|last| *last != b'\n') {
            ends.push(offset(content.len()));
        }
        Self { content, ends }
    }

    fn count(&self) -> u32 {
        offset(self.ends.len())
    }

    fn lines(&self, range: Range<u32>) -> &'a [u8] {
        let start = |line: u32| line.checked_sub(1).map_or(0, |line| self.ends[line as usize] as usize);
        &self.content[start(range.start)..start(range.end)]
    }
}

/// Content is at most 64 MiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("content is at most 64 MiB")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_git_merge_file() {
        let check = |base: &str, now: &str, after: &str, expected: Option<&str>| {
            for (now, after) in [(now, after), (after, now)] {
                let merged = merge(base.as_bytes(), now.as_bytes(), after.as_bytes());
                let clean = merged.clean().map(|content| String::from_utf8(content).unwrap());
                assert_eq!(clean.as_deref(), expected, "{base:?} {now:?} {after:?}");
                assert_eq!(merged.conflicts().count() > 0, expected.is_none());
            }
        };
        check("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", Some("A\nb\nC\n"));
        // Lines that touch.
        check("a\nb\n", "A\nb\n", "a\nB\n", None);
        check("a\n", "x\na\n", "a\ny\n", Some("x\na\ny\n"));
        check("a\n", "a\nx\n", "a\ny\n", None);
        // The same on both sides counts once.
        check("a\nz\n", "a\nx\nz\n", "a\nx\nz\n", Some("a\nx\nz\n"));
        check("a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n", Some("a\nB\nc\n"));
        check("a\nb\n", "b\n", "b\n", Some("b\n"));
        // More than the same is more.
        check("a\nb\nc\n", "a\nB\nc\n", "a\nB\nC\n", None);
        check("", "x\n", "y\n", None);
        check("", "x\n", "x\n", Some("x\n"));
        check("a\nb", "a\nb\n", "a\nB", None);
        check("a\nm\nb", "a\nm\nb\n", "A\nm\nb", Some("A\nm\nb\n"));
        check("a\r\nm\nb\r\n", "A\r\nm\nb\r\n", "a\r\nm\nB\r\n", Some("A\r\nm\nB\r\n"));
    }

    #[test]
    fn a_conflict_says_where_and_takes_what_is_chosen() {
        let merged = merge(b"1\n2\n3\n4", b"1\nN\n3\n4", b"1\nA\nB\n3\n4");
        let found: Vec<_> = merged.conflicts().collect();
        let part = |start, lines, text: &'static [u8]| Part { start, lines, text };
        let expected =
            Conflict { base: part(2, 1, b"2\n"), now: part(2, 1, b"N\n"), after: part(2, 2, b"A\nB\n") };
        assert_eq!(found, [&expected]);
        let check = |side, expected: &[u8]| assert_eq!(merged.take(&[side]).as_deref(), Some(expected));
        check(Side::Base, b"1\n2\n3\n4");
        check(Side::Now, b"1\nN\n3\n4");
        check(Side::After, b"1\nA\nB\n3\n4");
        check(Side::NowThenAfter, b"1\nN\nA\nB\n3\n4");
        check(Side::AfterThenNow, b"1\nA\nB\nN\n3\n4");
        assert_eq!((merged.take(&[]), merged.take(&[Side::Now, Side::Now])), (None, None));
        // Two last lines stay two.
        let ends = merge(b"", b"n", b"a");
        assert_eq!(ends.take(&[Side::NowThenAfter]).as_deref(), Some(&b"n\na"[..]));
        assert_eq!(ends.conflicts().next().map(|c| (c.base.start, c.base.lines)), Some((0, 0)));
    }

    fn some_lines() -> impl Strategy<Value = Vec<u8>> {
        let line = prop_oneof![
            5 => "[abc]\n".prop_map(String::into_bytes),
            1 => "[ab]\r\n".prop_map(String::into_bytes),
            1 => Just(b"\xff\0\n".to_vec()),
        ];
        (proptest::collection::vec(line, 0..12), "[ab]?")
            .prop_map(|(lines, end)| [lines.concat(), end.into_bytes()].concat())
    }

    fn count(text: &[u8], line: &[u8]) -> i64 {
        let equal = text.split_inclusive(|b| *b == b'\n').filter(|l| *l == line).count();
        i64::try_from(equal).unwrap()
    }

    proptest! {
        #[test]
        fn one_side_alone_is_that_side(base in some_lines(), side in some_lines()) {
            prop_assert_eq!(merge(&base, &base, &side).clean(), Some(side.clone()));
            prop_assert_eq!(merge(&base, &side, &base).clean(), Some(side.clone()));
            prop_assert_eq!(merge(&base, &side, &side).clean(), Some(side));
        }

        /// Which side is which makes no difference, and nothing is lost: each side, taken everywhere,
        /// keeps its lines, and a clean merge holds the additions and removals of both.
        #[test]
        fn nothing_is_lost(base in some_lines(), now in some_lines(), after in some_lines()) {
            let (one, two) = (merge(&base, &now, &after), merge(&base, &after, &now));
            prop_assert_eq!(one.clean(), two.clean());
            let conflicts = one.conflicts().count();
            prop_assert_eq!(conflicts, two.conflicts().count());
            if let Some(clean) = one.clean() {
                let ended = |text: &[u8]| text.is_empty() || text.ends_with(b"\n");
                for line in [&base, &now, &after].iter().flat_map(|t| t.split_inclusive(|b| *b == b'\n')) {
                    let [b, n, a, got] = [&base, &now, &after, &clean].map(|text| count(text, line));
                    let (dn, da) = (n - b, a - b);
                    // An equal change of both sides counts once, so that the sum may be less, in the
                    // direction of both.
                    let sum = b + dn + da;
                    let (low, high) = if dn.signum() == da.signum() {
                        let once = b + if dn.abs() > da.abs() { dn } else { da };
                        (sum.min(once), sum.max(once))
                    } else {
                        (sum.min(b + dn.min(da)), sum.max(b + dn.max(da)))
                    };
                    prop_assert!(got >= low && got <= high, "{:?}: {} {} {} {}", line, b, n, a, got);
                }
                let _ = ended;
            } else {
                // Whoever takes one side everywhere loses nothing of what that side changed alone.
                let taken = one.take(&vec![Side::Base; conflicts]).expect("a side for each");
                prop_assert!(merge(&base, &taken, &after).conflicts().count() <= conflicts);
            }
        }
    }
}
