//! Where hunks go: at their lines, or each at the only place that it matches. Nothing is fuzzed.

use std::collections::HashMap;

use super::hunk::{Hunk, HunkLine, Side};
use super::refuse::{Place, fact, quoted};
use super::{Applied, MovedHunk};
use crate::refusal::Refusal;

/// Lines that are named of what was expected and found.
const NAMED: usize = 5;

/// Where a hunk's old lines stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    start: usize,
    end: usize,
    /// The line, from 1; of an empty document 0.
    line: u32,
}

/// Why hunks have no places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Misplaced {
    /// The hunk's lines are nowhere.
    Nowhere(usize),
    /// They are at two lines at least.
    Twice(usize, u32, u32),
    /// The hunk begins before the one ahead of it ends.
    Overlap(usize),
    /// It has no lines that say where it belongs.
    NoLines(usize),
    /// Its lines stand almost everywhere: to compare them all would take for ever.
    TooMany(usize),
}

/// Bytes that may be compared in looking for hunks: beyond, the document is nothing but what is looked for.
const COMPARED: usize = 4 * 1024 * 1024 * 1024;

/// Applies the hunks of one file.
pub(super) fn apply(place: Place<'_>, content: &[u8], hunks: &[Hunk<'_>]) -> Result<Applied, Refusal> {
    let found = match find(content, hunks, Side::Old) {
        Ok(found) => found,
        Err(misplaced) => {
            // What only takes away leaves nothing by which it could be known.
            let leaves = hunks.iter().any(|hunk| hunk.header.new_count > 0);
            if leaves && find(content, hunks, Side::New).is_ok() {
                return Err(place.contained(
                    "the document already contains this change; nothing would change",
                    "dokumennya sudah memuat perubahan ini; tidak ada yang akan berubah",
                ));
            }
            return Err(refused(place, content, hunks, misplaced));
        }
    };
    let mut made = Vec::with_capacity(content.len());
    let mut at = 0;
    let mut moved = Vec::new();
    for ((number, hunk), found) in (1u32..).zip(hunks).zip(&found) {
        made.extend_from_slice(&content[at..found.start]);
        let mut ended = true;
        for line in hunk.side(Side::New) {
            if !ended {
                return Err(open_ended(place.at(hunk.line, number)));
            }
            line.write(&mut made);
            ended = line.ended;
        }
        if !ended && found.end != content.len() {
            return Err(open_ended(place.at(hunk.line, number)));
        }
        at = found.end;
        if hunk.header.old_count > 0 && found.line != hunk.header.old {
            moved.push(MovedHunk { hunk: number, line: hunk.header.old, found: found.line });
        }
    }
    made.extend_from_slice(&content[at..]);
    Ok(Applied { content: made, moved })
}

fn open_ended(place: Place<'_>) -> Refusal {
    place.mismatch(
        "it leaves a line without an end where the document goes on",
        "ini menyisakan baris tanpa akhiran padahal dokumennya berlanjut",
    )
}

/// The places of one side's lines. Each hunk is at its line; or, as soon as one is not, no line number
/// is trusted any more, and each must match at one place only.
fn find(content: &[u8], hunks: &[Hunk<'_>], side: Side) -> Result<Vec<Found>, Misplaced> {
    if let Some(found) = at_their_lines(content, hunks, side) {
        return Ok(found);
    }
    anywhere(content, hunks, side)
}

/// One pass over the content; `None` as soon as a hunk is not at its line.
fn at_their_lines(content: &[u8], hunks: &[Hunk<'_>], side: Side) -> Option<Vec<Found>> {
    let mut found = Vec::with_capacity(hunks.len());
    // The byte at which line `line` begins, and the end of the hunk before.
    let (mut at, mut line, mut last) = (0, 1u32, 0);
    for hunk in hunks {
        let (wanted, count) = hunk.range(side);
        if count == 0 {
            // Nothing to hold it against: only in an empty document is the place certain.
            if !content.is_empty() || hunks.len() > 1 {
                return None;
            }
            found.push(Found { start: 0, end: 0, line: 0 });
            continue;
        }
        if wanted < line {
            return None;
        }
        while line < wanted {
            at += memchr::memchr(b'\n', &content[at..])? + 1;
            line += 1;
        }
        let start = at;
        for expected in hunk.side(side) {
            at += matched(&content[at..], &expected)?;
            line += 1;
        }
        if start < last {
            return None;
        }
        last = at;
        found.push(Found { start, end: at, line: wanted });
    }
    Some(found)
}

/// How many bytes a line takes at the beginning of what is left.
fn matched(rest: &[u8], line: &HunkLine<'_>) -> Option<usize> {
    let after = rest.strip_prefix(line.text)?;
    let length = line.text.len();
    if line.ended {
        return after.starts_with(b"\n").then_some(length + 1);
    }
    after.is_empty().then_some(length)
}

/// The old lines of a hunk as they must stand, with the line by which they are looked for.
struct Block<'a> {
    bytes: Vec<u8>,
    /// The longest line, and where it begins in the bytes and in which line.
    anchor: &'a [u8],
    anchor_at: usize,
    anchor_line: u32,
    found: Vec<Found>,
}

/// One pass over the lines of the content, for all hunks together.
fn anywhere(content: &[u8], hunks: &[Hunk<'_>], side: Side) -> Result<Vec<Found>, Misplaced> {
    let mut blocks = Vec::with_capacity(hunks.len());
    for (index, hunk) in hunks.iter().enumerate() {
        blocks.push(block(hunk, side).ok_or(Misplaced::NoLines(index))?);
    }
    let mut by_anchor: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (index, block) in blocks.iter().enumerate() {
        by_anchor.entry(block.anchor).or_default().push(index);
    }
    let (mut at, mut line) = (0, 1u32);
    let mut compared = 0usize;
    while at < content.len() {
        let end = memchr::memchr(b'\n', &content[at..]).map_or(content.len(), |end| at + end);
        if let Some(indices) = by_anchor.get(&content[at..end]) {
            for index in indices {
                let block = &mut blocks[*index];
                compared = compared.saturating_add(block.bytes.len());
                if compared > COMPARED {
                    return Err(Misplaced::TooMany(*index));
                }
                let start = at.checked_sub(block.anchor_at).filter(|_| block.found.len() < 2);
                if let (Some(start), Some(first)) = (start, line.checked_sub(block.anchor_line))
                    && stands(content, start, &block.bytes)
                {
                    block.found.push(Found { start, end: start + block.bytes.len(), line: first });
                }
            }
        }
        at = end + 1;
        line += 1;
    }
    let mut found: Vec<Found> = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let one = match block.found.as_slice() {
            [] => return Err(Misplaced::Nowhere(index)),
            [one] => *one,
            [one, two, ..] => return Err(Misplaced::Twice(index, one.line, two.line)),
        };
        if found.last().is_some_and(|last| one.start < last.end) {
            return Err(Misplaced::Overlap(index));
        }
        found.push(one);
    }
    Ok(found)
}

fn stands(content: &[u8], start: usize, block: &[u8]) -> bool {
    let at_line = start == 0 || content[start - 1] == b'\n';
    let ends = block.ends_with(b"\n") || start + block.len() == content.len();
    at_line && ends && content[start..].starts_with(block)
}

/// `None` where a side has no lines: nothing says where it belongs.
fn block<'a>(hunk: &Hunk<'a>, side: Side) -> Option<Block<'a>> {
    let mut block: Option<Block<'a>> = None;
    for (number, line) in (0u32..).zip(hunk.side(side)) {
        let block = block.get_or_insert_with(|| Block {
            bytes: Vec::new(),
            anchor: line.text,
            anchor_at: 0,
            anchor_line: 0,
            found: Vec::new(),
        });
        if line.text.len() > block.anchor.len() {
            (block.anchor, block.anchor_at, block.anchor_line) = (line.text, block.bytes.len(), number);
        }
        line.write(&mut block.bytes);
    }
    block
}

fn refused(place: Place<'_>, content: &[u8], hunks: &[Hunk<'_>], misplaced: Misplaced) -> Refusal {
    let (Misplaced::Nowhere(index)
    | Misplaced::Twice(index, ..)
    | Misplaced::Overlap(index)
    | Misplaced::NoLines(index)
    | Misplaced::TooMany(index)) = misplaced;
    let hunk = &hunks[index];
    let place = place.at(hunk.line, u32::try_from(index + 1).unwrap_or(u32::MAX));
    match misplaced {
        Misplaced::Nowhere(_) => nowhere(place, content, hunk),
        Misplaced::Twice(_, one, two) => place.mismatch(
            &format!("its lines stand at line {one} and at line {two} of the document; with more lines around the change one of them would be meant"),
            &format!("barisnya ada pada baris {one} dan baris {two} dokumen; dengan lebih banyak baris di sekitar perubahan akan jelas mana yang dimaksud"),
        ),
        Misplaced::Overlap(_) => place.mismatch(
            "it overlaps the hunk before it, or stands before it in the document",
            "potongan ini bertumpuk dengan potongan sebelumnya, atau letaknya mendahuluinya di dokumen",
        ),
        Misplaced::TooMany(_) => place.mismatch(
            "its lines stand in too many places of the document to tell which is meant",
            "barisnya ada di terlalu banyak tempat dalam dokumen sehingga tidak jelas mana yang dimaksud",
        ),
        Misplaced::NoLines(_) => place.mismatch(
            "it adds lines without any around them, so nothing says where they belong; make the patch with context",
            "potongan ini menambah baris tanpa baris lain di sekitarnya, sehingga letaknya tidak jelas; buat tambalannya dengan konteks",
        ),
    }
}

/// Names the first line that is not as the hunk expects it at its own place.
fn nowhere(place: Place<'_>, content: &[u8], hunk: &Hunk<'_>) -> Refusal {
    let first = hunk.header.old.max(1);
    let mut lines = content.split_inclusive(|b| *b == b'\n').skip(first as usize - 1);
    let expected: Vec<HunkLine<'_>> = hunk.side(Side::Old).collect();
    let mut here: Vec<&[u8]> = Vec::new();
    let mut wrong = None;
    for (number, want) in (first..).zip(&expected) {
        let line = lines.next();
        here.extend(line);
        if wrong.is_none() && line.is_none_or(|line| matched(line, want) != Some(line.len())) {
            wrong = Some((number, *want, line));
        }
        if wrong.is_some() && here.len() >= NAMED {
            break;
        }
    }
    let refusal = match wrong {
        Some((number, want, None)) => place.mismatch(
            &format!("the document has no line {number}; {} was expected there", quoted(want.text)),
            &format!("dokumen tidak punya baris {number}; seharusnya {}", quoted(want.text)),
        ),
        Some((number, want, Some(line))) => {
            let (why, id) = difference(&want, line);
            place.mismatch(
                &format!(
                    "line {number} of the document is {}, and {} was expected{why}",
                    quoted(line),
                    quoted(want.text)
                ),
                &format!(
                    "baris {number} dokumen berisi {}, seharusnya {}{id}",
                    quoted(line),
                    quoted(want.text)
                ),
            )
        }
        None => place.mismatch(
            "its lines are not in the document where it has room for them",
            "barisnya tidak ada di tempat yang semestinya dalam dokumen",
        ),
    };
    refusal.with(|f| {
        f.expected = expected.iter().take(NAMED).map(|line| fact(line.text)).collect();
        f.found = here.iter().take(NAMED).map(|line| fact(line)).collect();
    })
}

/// What cannot be seen in two lines that look alike.
fn difference(want: &HunkLine<'_>, line: &[u8]) -> (&'static str, &'static str) {
    let ended = line.ends_with(b"\n");
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let bare = |text: &[u8]| text.strip_suffix(b"\r").unwrap_or(text).to_vec();
    if text == want.text && ended != want.ended {
        return if ended {
            (" without a line end", " tanpa akhir baris")
        } else {
            (" with a line end", " dengan akhir baris")
        };
    }
    if bare(text) == bare(want.text) {
        return if text.ends_with(b"\r") {
            (" with a plain line end (LF), not CRLF", " dengan akhir baris LF, bukan CRLF")
        } else {
            (" with the line end CRLF, not LF", " dengan akhir baris CRLF, bukan LF")
        };
    }
    if text.trim_ascii_end() == want.text.trim_ascii_end() {
        return (": they differ in the spaces at the end", ": bedanya spasi di ujung baris");
    }
    if text.strip_prefix(b"\xEF\xBB\xBF") == Some(want.text) {
        return (
            ": the document's begins with a byte order mark",
            ": baris dokumen diawali tanda urutan byte (BOM)",
        );
    }
    ("", "")
}
