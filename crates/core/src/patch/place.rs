//! Where the hunks of one file stand in a document: at their lines, or else each at its only place.

use super::hunk::{Hunk, Side};
use super::search::{self, Finds};

/// Lines of hunks up to which they are looked for elsewhere than at their lines: a bound for memory.
const SEARCHED: usize = 1_000_000;

/// Where a hunk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Bytes before it.
    pub(super) at: usize,
    /// Its first line, from 1.
    pub(super) line: u64,
}

/// Why hunks cannot be placed. Hunks by their index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unplaced {
    /// It stands nowhere.
    Nowhere(usize),
    /// It does not stand at its line, and was not looked for: together they are larger than the
    /// document, or more than is searched.
    NotAtLine(usize),
    /// It stands at both of these lines at least, and `other` shows that line numbers are not right.
    Twice { hunk: usize, lines: [u64; 2], other: usize },
    /// It has nothing to be held against.
    Unheld(usize),
    /// It is only of an empty document, but there are more hunks: together they are of none.
    NotAlone(usize),
    /// It takes lines that the hunk before it takes too.
    Overlap(usize),
    /// It stands before the hunk before it.
    Order(usize),
}

/// Where every hunk stands, all against the content as given. `side` is what is looked for.
pub(super) fn place(hunks: &[Hunk<'_>], content: &[u8], side: Side) -> Result<Vec<Place>, Unplaced> {
    if let Some(unheld) = hunks.iter().position(|hunk| hunk.extent(side).lines == 0) {
        // Nothing can only be found where there is nothing.
        return match (hunks.len(), content.is_empty()) {
            (1, true) => Ok(vec![Place { at: 0, line: 1 }]),
            (1, false) => Err(Unplaced::Unheld(unheld)),
            _ => Err(Unplaced::NotAlone(unheld)),
        };
    }
    let at_lines = at_their_lines(hunks, content, side);
    let places = match at_lines.iter().position(Option::is_none) {
        None => at_lines.into_iter().flatten().collect(),
        Some(stray) => elsewhere(hunks, content, side, stray)?,
    };
    let end = |index: usize| places[index].at + hunks[index].extent(side).bytes;
    for next in 1..hunks.len() {
        if end(next - 1) <= places[next].at {
            continue;
        }
        return Err(if end(next) <= places[next - 1].at {
            Unplaced::Order(next)
        } else {
            Unplaced::Overlap(next)
        });
    }
    Ok(places)
}

/// Each hunk whose side stands at the line that its header says, in one pass.
pub(super) fn at_their_lines(hunks: &[Hunk<'_>], content: &[u8], side: Side) -> Vec<Option<Place>> {
    let start = |hunk: &Hunk<'_>| hunk.extent(side).start;
    let mut order: Vec<usize> = (0..hunks.len()).collect();
    if !hunks.is_sorted_by_key(start) {
        order.sort_by_key(|index| start(&hunks[*index]));
    }
    let mut places = vec![None; hunks.len()];
    let mut here = Place { at: 0, line: 1 };
    for index in order {
        let (hunk, line) = (&hunks[index], u64::from(start(&hunks[index])));
        if !go_to(&mut here, line, content) {
            break;
        }
        let stands = line > 0 && hunk.extent(side).lines > 0 && hunk.stands_at(side, &content[here.at..]);
        places[index] = stands.then_some(here);
    }
    places
}

/// Goes forward to a line; says whether there is one.
pub(super) fn go_to(here: &mut Place, line: u64, content: &[u8]) -> bool {
    while here.line < line {
        let Some(end) = memchr::memchr(b'\n', &content[here.at..]) else { return false };
        here.at += end + 1;
        here.line += 1;
    }
    true
}

/// Every hunk at its only place; `stray` is one that is not at its line.
fn elsewhere(hunks: &[Hunk<'_>], content: &[u8], side: Side, stray: usize) -> Result<Vec<Place>, Unplaced> {
    let bytes = hunks.iter().map(|hunk| hunk.extent(side).bytes).fold(0, usize::saturating_add);
    let lines = hunks.iter().map(|hunk| hunk.extent(side).lines as usize).fold(0, usize::saturating_add);
    if bytes > content.len() || lines > SEARCHED {
        return Err(Unplaced::NotAtLine(stray));
    }
    let found = search::all(hunks, content, side);
    let place = |(hunk, finds): (usize, Finds)| match finds {
        Finds::None => Err(Unplaced::Nowhere(hunk)),
        Finds::One(place) => Ok(place),
        Finds::Two(a, b) => Err(Unplaced::Twice { hunk, lines: [a.line, b.line], other: stray }),
    };
    // What stands nowhere says more than what stands twice.
    if let Some(nowhere) = found.iter().position(|finds| matches!(finds, Finds::None)) {
        return Err(Unplaced::Nowhere(nowhere));
    }
    found.into_iter().enumerate().map(place).collect()
}
