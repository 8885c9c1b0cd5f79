//! Three-way merge by lines, with conflicts as data. The rules are those of `git merge-file`: two
//! changes of the same base are in conflict where they overlap or touch, unless they come to the same,
//! which counts once (Khanna, Kunal and Pierce, "A Formal Investigation of Diff3", 2007, for what a merge
//! by lines can promise). Lines that both sides of a conflict begin or end with stay in it: it is shown
//! with its base, and what is chosen is the whole of a side.
//!
//! Any bytes are lines; whether content is text is not asked here.

use std::iter::Peekable;

use imara_diff::{Algorithm, Hunk};

use crate::compare::Compared;

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
    /// fewer sides than conflicts.
    pub fn take(&self, sides: &[Side]) -> Option<Vec<u8>> {
        let mut sides = sides.iter();
        let mut content = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Settled(text) => content.extend_from_slice(text),
                Piece::Conflict(Conflict { base, now, after }) => match sides.next()? {
                    Side::Base => content.extend_from_slice(base.text),
                    Side::Now => content.extend_from_slice(now.text),
                    Side::After => content.extend_from_slice(after.text),
                    Side::NowThenAfter => both(&mut content, now.text, after.text),
                    Side::AfterThenNow => both(&mut content, after.text, now.text),
                },
            }
        }
        sides.next().is_none().then_some(content)
    }
}

/// One text, then the other. Only the end of a document may be without a line end, and two lines must not
/// become one: the first text is given the end that lines have around it.
fn both(content: &mut Vec<u8>, first: &[u8], second: &[u8]) {
    content.extend_from_slice(first);
    if !first.is_empty() && !first.ends_with(b"\n") && !second.is_empty() {
        let ended = [first, second, content].into_iter().find_map(|text| {
            let end = memchr::memchr(b'\n', text)?;
            Some(&text[..end])
        });
        let crlf = ended.is_some_and(|line| line.ends_with(b"\r"));
        content.extend_from_slice(if crlf { b"\r\n" } else { b"\n" });
    }
    content.extend_from_slice(second);
}

/// Merges what became of `base` on two sides. Needs memory for the line numbers of two contents at a
/// time, four bytes a line, and for each different line.
///
/// # Panics
/// Where a content has more than 2^31 lines; documents are at most 64 MiB.
pub fn merge<'a>(base: &'a [u8], now: &'a [u8], after: &'a [u8]) -> Merge<'a> {
    if now == after || after == base {
        return settled(now);
    }
    if now == base {
        return settled(after);
    }
    let mut now_edits = edits(base, now).into_iter().peekable();
    let mut after_edits = edits(base, after).into_iter().peekable();
    let [mut base, mut now, mut after] = [base, now, after].map(Cursor::new);
    let mut pieces = Vec::new();
    loop {
        let next = [&mut now_edits, &mut after_edits].map(|edits| edits.peek().map(|edit| edit.before.start));
        let Some(start) = next.into_iter().flatten().min() else { break };
        let unchanged = start - base.line;
        settle(&mut pieces, base.read(unchanged).text);
        now.read(unchanged);
        after.read(unchanged);
        let region = Region::around(start, &mut now_edits, &mut after_edits);
        let [base, now, after] = [
            base.read(region.end - start),
            now.read(region.now.unwrap_or(region.end - start)),
            after.read(region.after.unwrap_or(region.end - start)),
        ];
        match (region.now, region.after) {
            (Some(_), None) => settle(&mut pieces, now.text),
            (None, Some(_)) => settle(&mut pieces, after.text),
            // The same change counts once.
            _ if now.text == after.text => settle(&mut pieces, now.text),
            _ => pieces.push(Piece::Conflict(Conflict { base, now, after })),
        }
    }
    settle(&mut pieces, base.rest());
    Merge { pieces }
}

fn settled(text: &[u8]) -> Merge<'_> {
    Merge { pieces: vec![Piece::Settled(text)] }
}

fn settle<'a>(pieces: &mut Vec<Piece<'a>>, text: &'a [u8]) {
    if !text.is_empty() {
        pieces.push(Piece::Settled(text));
    }
}

/// What a side changed, in the order of the base; between two edits there is a line that stayed. Compared
/// as `git merge-file` does, so that what is clean there comes to the same here.
fn edits(base: &[u8], side: &[u8]) -> Vec<Hunk> {
    Compared::new(Algorithm::Myers, base, side).edits
}

/// Lines of the base with everything that overlaps or touches there, on either side.
struct Region {
    /// The line of the base after it.
    end: u32,
    /// How many lines it has on a side that changed something in it.
    now: Option<u32>,
    after: Option<u32>,
}

impl Region {
    fn around(
        start: u32,
        now: &mut Peekable<impl Iterator<Item = Hunk>>,
        after: &mut Peekable<impl Iterator<Item = Hunk>>,
    ) -> Self {
        let mut end = start;
        // Lines that a side has more than the base: the added and the removed ones of its edits.
        let mut sides = [None::<(u32, u32)>; 2];
        loop {
            let (edit, side) = if let Some(edit) = now.next_if(|edit| edit.before.start <= end) {
                (edit, &mut sides[0])
            } else if let Some(edit) = after.next_if(|edit| edit.before.start <= end) {
                (edit, &mut sides[1])
            } else {
                break;
            };
            end = end.max(edit.before.end);
            let (added, removed) = side.unwrap_or_default();
            *side = Some((
                added + edit.after.end - edit.after.start,
                removed + edit.before.end - edit.before.start,
            ));
        }
        let [now, after] = sides.map(|side| side.map(|(added, removed)| end - start - removed + added));
        Self { end, now, after }
    }
}

/// A content that is read line by line, once.
struct Cursor<'a> {
    rest: &'a [u8],
    /// The lines before it.
    line: u32,
}

impl<'a> Cursor<'a> {
    fn new(content: &'a [u8]) -> Self {
        Self { rest: content, line: 0 }
    }

    /// The next lines.
    fn read(&mut self, lines: u32) -> Part<'a> {
        let mut ends = memchr::memchr_iter(b'\n', self.rest);
        let end = match lines.checked_sub(1) {
            None => 0,
            // The last line may have no end.
            Some(before) => ends.nth(before as usize).map_or(self.rest.len(), |at| at + 1),
        };
        let (text, rest) = self.rest.split_at(end);
        let start = self.line + u32::from(lines > 0);
        (self.rest, self.line) = (rest, self.line + lines);
        Part { start, lines, text }
    }

    fn rest(self) -> &'a [u8] {
        self.rest
    }
}

#[cfg(test)]
mod tests;
