//! What stands in the way of carrying a change onto documents that have moved, as data: shown to a
//! person, who decides, and never written.

use serde::{Deserialize, Serialize};

use crate::change::SubmittedBase;
use crate::json_edit::Clash;
use crate::merge::{Merge, Side};
use crate::path::DocPath;
use crate::refusal::MovedBy;

/// What kind of conflict it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// Both sides changed the same lines, or lines that touch.
    Text,
    /// Both sides changed the same place of a JSON document.
    Json,
    /// Both sides changed content that has no lines.
    Binary,
    /// One side took the document away, the other changed it.
    Deleted,
    /// Both sides made the document, differently.
    Created,
    /// Another document stands where this one should go.
    Occupied,
}

impl ConflictKind {
    /// Every kind.
    pub const ALL: &'static [Self] =
        &[Self::Text, Self::Json, Self::Binary, Self::Deleted, Self::Created, Self::Occupied];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Binary => "binary",
            Self::Deleted => "deleted",
            Self::Created => "created",
            Self::Occupied => "occupied",
        }
    }
}

/// One document that a person must decide about.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The document afterwards; of one that goes, before.
    pub path: DocPath,
    /// Where a document that moves is.
    pub from: Option<DocPath>,
    /// What kind.
    pub kind: ConflictKind,
    /// What stands there now: a choice is for this, and for nothing that came later.
    pub now: SubmittedBase,
    /// What happened, in English.
    pub detail: String,
    /// The same in Indonesian.
    pub said: String,
    /// Where others have moved the document meanwhile, if they did.
    pub moved_to: Option<DocPath>,
    /// The proposal that changed what is there, where one is known.
    pub by: Option<MovedBy>,
    /// The lines in question.
    pub regions: Vec<Region>,
    /// The places of a JSON document in question.
    pub places: Vec<Clash>,
}

impl Conflict {
    /// A conflict of a document as a whole, where nothing stands.
    pub fn new(
        path: &DocPath,
        from: Option<&DocPath>,
        kind: ConflictKind,
        detail: String,
        said: String,
    ) -> Self {
        Self {
            path: path.clone(),
            from: from.filter(|from| *from != path).cloned(),
            kind,
            now: SubmittedBase::Absent,
            detail,
            said,
            moved_to: None,
            by: None,
            regions: Vec::new(),
            places: Vec::new(),
        }
    }
}

/// The documents in conflict, for a sentence: the first three, and how many more.
pub fn names(conflicts: &[Conflict]) -> String {
    const NAMED: usize = 3;
    let mut paths: Vec<&DocPath> = Vec::new();
    for conflict in conflicts {
        if !paths.contains(&&conflict.path) {
            paths.push(&conflict.path);
        }
    }
    let mut names: Vec<String> = paths.iter().take(NAMED).map(ToString::to_string).collect();
    if paths.len() > NAMED {
        names.push(format!("+{}", paths.len() - NAMED));
    }
    names.join(", ")
}

/// Lines that both sides changed, with what stands around them now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// What both sides began with.
    pub base: RegionPart,
    /// What is there now.
    pub now: RegionPart,
    /// What the proposal wants.
    pub after: RegionPart,
    /// Up to three lines above it, as they are now.
    pub above: Vec<String>,
    /// Up to three lines below it, as they are now.
    pub below: Vec<String>,
}

/// One side of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionPart {
    /// The first line, from 1; the line above where there is none.
    pub start: u32,
    /// Number of lines.
    pub lines: u32,
    /// The text. Bytes that are not UTF-8 are shown by the replacement character.
    pub text: String,
    /// The text is only its beginning: there is more than is shown.
    pub cut: bool,
}

/// What a person chose for the conflict of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The document, as the conflict names it.
    pub path: DocPath,
    /// Where it moves from, where two changes come to the same path; else all of the path are meant, and
    /// where there is none, what moves from it.
    pub from: Option<DocPath>,
    /// What stood there when it was chosen; where something else does now, nothing was chosen.
    pub now: Option<SubmittedBase>,
    /// A side for each region, in order; for a conflict without regions one side.
    pub sides: Vec<Side>,
}

impl Choice {
    /// The one side, where it was chosen for the whole.
    pub(crate) fn whole(&self) -> Option<Side> {
        match self.sides.as_slice() {
            [side] => Some(*side),
            _ => None,
        }
    }
}

/// Lines shown around a region.
const AROUND: usize = 3;
/// Bytes of a side, a line or a value that are shown.
const SHOWN: usize = 64 * 1024;
/// Bytes of all that is shown of the conflicts of one proposal.
const SHOWN_OF_ALL: usize = 4 * 1024 * 1024;
/// Places of one JSON document that are shown.
const PLACES: usize = 1_000;

/// The beginning of a text, and whether there is more.
fn beginning(text: &[u8], most: usize) -> (String, bool) {
    if text.len() <= most {
        return (String::from_utf8_lossy(text).into_owned(), false);
    }
    // Not in the middle of a character.
    let end = (0..=most).rev().find(|end| text[*end] & 0xC0 != 0x80).unwrap_or(0);
    (String::from_utf8_lossy(&text[..end]).into_owned(), true)
}

/// Bounds what is shown of conflicts, however large their documents are: texts are cut, and of the
/// regions and their sides none is left out.
pub fn bound(conflicts: &mut [Conflict]) {
    let mut left = SHOWN_OF_ALL;
    let mut keep = |text: &mut String| {
        let (kept, cut) = beginning(text.as_bytes(), SHOWN.min(left));
        left -= kept.len();
        *text = kept;
        cut
    };
    for conflict in conflicts {
        conflict.places.truncate(PLACES);
        for place in &mut conflict.places {
            for value in [&mut place.base, &mut place.now, &mut place.after].into_iter().flatten() {
                if keep(value) {
                    value.push('…');
                }
            }
        }
        for region in &mut conflict.regions {
            for part in [&mut region.base, &mut region.now, &mut region.after] {
                part.cut |= keep(&mut part.text);
            }
            for line in region.above.iter_mut().chain(&mut region.below) {
                if keep(line) {
                    line.push('…');
                }
            }
        }
    }
}

/// The regions of a merge that is not clean.
pub fn regions(merge: &Merge<'_>, now: &[u8]) -> Vec<Region> {
    let lines: Vec<&[u8]> = now.split_inclusive(|b| *b == b'\n').collect();
    let text = |line: &&[u8]| {
        let (text, cut) = beginning(line.strip_suffix(b"\n").unwrap_or(line), SHOWN);
        if cut { text + "…" } else { text }
    };
    let mut regions = Vec::new();
    for conflict in merge.conflicts() {
        let part = |part: &crate::merge::Part<'_>| {
            let (text, cut) = beginning(part.text, SHOWN);
            RegionPart { start: part.start, lines: part.lines, text, cut }
        };
        let now = part(&conflict.now);
        // Where the side has no lines, `start` is the line above.
        let first = if now.lines == 0 { now.start as usize } else { now.start as usize - 1 };
        let end = (first + now.lines as usize).min(lines.len());
        regions.push(Region {
            above: lines[first.saturating_sub(AROUND)..first.min(lines.len())].iter().map(text).collect(),
            below: lines[end..(end + AROUND).min(lines.len())].iter().map(text).collect(),
            base: part(&conflict.base),
            after: part(&conflict.after),
            now,
        });
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_bounded_and_no_side_is_left_out() {
        let part = |text: &str| RegionPart { start: 1, lines: 1, text: text.to_owned(), cut: false };
        let long = "é".repeat(SHOWN);
        let region = Region {
            base: part("short\n"),
            now: part(&long),
            after: part(&long),
            above: vec![long.clone()],
            below: Vec::new(),
        };
        let clash = Clash {
            pointer: "/a".to_owned(),
            base: None,
            now: Some(long.clone()),
            after: Some("1".to_owned()),
        };
        let path = DocPath::parse("path", "a").unwrap();
        let one = Conflict {
            regions: vec![region; 50],
            places: vec![clash; PLACES + 1],
            ..Conflict::new(&path, None, ConflictKind::Text, String::new(), String::new())
        };
        let mut all = vec![one; 3];
        bound(&mut all);
        let shown = format!("{all:?}");
        assert!(shown.len() < SHOWN_OF_ALL + 2_000_000, "{}", shown.len());
        assert!(all.iter().all(|one| one.regions.len() == 50 && one.places.len() == PLACES));
        let mut few =
            [Conflict { places: Vec::new(), regions: all[0].regions[..1].to_vec(), ..all[0].clone() }];
        few[0].regions[0] = Region { base: part("short\n"), now: part(&long), ..few[0].regions[0].clone() };
        bound(&mut few);
        let region = &few[0].regions[0];
        assert_eq!((region.base.text.as_str(), region.base.cut), ("short\n", false));
        assert!(
            region.now.cut && region.now.text.len() == SHOWN && region.now.text.chars().all(|c| c == 'é')
        );
    }
}
