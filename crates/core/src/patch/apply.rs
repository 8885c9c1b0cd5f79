//! Applies one file of a patch to a content: exactly what its hunks say, or a refusal.

use super::Applied;
use super::binary::{Binary, Misfit};
use super::explain;
use super::hunk::{Hunk, Side};
use super::place::{self, Place, Unplaced};
use super::refuse;
use crate::change::MovedHunk;
use crate::code::Code;
use crate::limit;
use crate::path::DocPath;
use crate::refusal::Refusal;

/// What is applied where.
pub(super) struct Site<'s> {
    pub(super) field: &'s str,
    pub(super) path: &'s DocPath,
    /// The line of the patch at which the file begins.
    pub(super) line: u64,
    pub(super) deletes: bool,
}

impl Site<'_> {
    pub(super) fn hunks(&self, hunks: &[Hunk<'_>], content: &[u8]) -> Result<Applied, Refusal> {
        let applied = match place::place(hunks, content, Side::Old) {
            Ok(_) if hunks.is_empty() => Applied { content: content.to_vec(), moved: Vec::new() },
            Ok(places) => {
                if let Some((hunk, line)) = doubled(hunks, &places, content) {
                    return Err(explain::doubled(self, hunks, hunk, places[hunk].line, line));
                }
                Applied { content: self.spliced(hunks, &places, content)?, moved: moved(hunks, &places) }
            }
            Err(unplaced) => {
                let missing = matches!(
                    unplaced,
                    Unplaced::Nowhere(_) | Unplaced::NotAtLine(_) | Unplaced::Twice { .. }
                );
                let contained = if missing { self.contained(hunks, content) } else { None };
                return Err(contained.unwrap_or_else(|| explain::unplaced(self, hunks, content, unplaced)));
            }
        };
        self.all_gone(&applied.content, hunks.is_empty())?;
        Ok(applied)
    }

    pub(super) fn binary(&self, binary: &Binary<'_>, content: &[u8]) -> Result<Applied, Refusal> {
        let content = binary.apply(content).map_err(|misfit| match misfit {
            Misfit::Refused(refusal) => *refusal,
            // A document that is to go is still there.
            Misfit::Contained if self.deletes => self.unshown(),
            Misfit::Contained => self.contains_already(),
            Misfit::Other(said) => refuse::at(Code::PatchMismatch, self.field, binary.line, said(self.path)),
        })?;
        self.bounded(content.len())?;
        self.all_gone(&content, false)?;
        Ok(Applied { content, moved: Vec::new() })
    }

    /// The content with each hunk's new side in place of its old one.
    fn spliced(&self, hunks: &[Hunk<'_>], places: &[Place], content: &[u8]) -> Result<Vec<u8>, Refusal> {
        let sum =
            |side: Side| hunks.iter().map(|hunk| hunk.extent(side).bytes).fold(0, usize::saturating_add);
        let size = (content.len() - sum(Side::Old)).saturating_add(sum(Side::New));
        self.bounded(size)?;
        let mut made = Vec::with_capacity(size);
        let mut at = 0;
        for (hunk, place) in hunks.iter().zip(places) {
            made.extend_from_slice(&content[at..place.at]);
            hunk.write_new(&mut made);
            at = place.at + hunk.old.bytes;
        }
        made.extend_from_slice(&content[at..]);
        debug_assert_eq!(made.len(), size, "extents are those of the rows");
        Ok(made)
    }

    fn bounded(&self, size: usize) -> Result<(), Refusal> {
        if size > limit::CONTENT_BYTES {
            let refusal = Refusal::limit(self.field, "a document", limit::CONTENT_BYTES, size, "bytes");
            return Err(refuse::located(refusal, self.field, self.line));
        }
        Ok(())
    }

    /// What goes must have been shown whole.
    fn all_gone(&self, left: &[u8], unshown: bool) -> Result<(), Refusal> {
        if !self.deletes || left.is_empty() {
            return Ok(());
        }
        if unshown {
            return Err(self.unshown());
        }
        let (path, left) = (self.path, left.len());
        let said = (
            format!(
                "this deletes {path}, but {left} bytes of it are not in the patch; it goes only as it was shown."
            ),
            format!(
                "bagian ini menghapus {path}, tetapi {left} byte di dalamnya tidak ada dalam tambalan; yang dihapus harus ditunjukkan seluruhnya."
            ),
        );
        Err(refuse::at(Code::PatchMismatch, self.field, self.line, said))
    }

    fn unshown(&self) -> Refusal {
        let path = self.path;
        let said = (
            format!(
                "this deletes {path} without showing what it holds; make the patch with its lines, or use a delete change."
            ),
            format!(
                "bagian ini menghapus {path} tanpa menunjukkan isinya; buat tambalan beserta barisnya, atau pakai perubahan delete."
            ),
        );
        refuse::at(Code::PatchMismatch, self.field, self.line, said)
    }

    /// The refusal where every hunk is in the document already, the other way round.
    fn contained(&self, hunks: &[Hunk<'_>], content: &[u8]) -> Option<Refusal> {
        // A document that is to go is still there.
        let there = !self.deletes && place::place(hunks, content, Side::New).is_ok();
        there.then(|| self.contains_already())
    }

    fn contains_already(&self) -> Refusal {
        let path = self.path;
        refuse::at(
            Code::ProposalNoChange,
            self.field,
            self.line,
            (format!("{path} already contains this change."), format!("{path} sudah memuat perubahan ini.")),
        )
    }
}

/// A hunk whose old side stands, but whose new side does as well, here or at its own line. Whether a second
/// copy is meant, or the patch is here for a second time, nobody knows, unless every hunk is at its line
/// and one of them is surely not there yet.
fn doubled(hunks: &[Hunk<'_>], places: &[Place], content: &[u8]) -> Option<(usize, u64)> {
    let moves = hunks.iter().zip(places).any(|(hunk, place)| is_moved(hunk, *place));
    if !moves && !hunks.iter().all(grows) {
        return None;
    }
    let made = place::at_their_lines(hunks, content, Side::New);
    let line = |index: usize| {
        let (hunk, place) = (&hunks[index], places[index]);
        let own = made[index].map(|made| made.line).filter(|_| grows(hunk) || is_moved(hunk, place));
        own.or_else(|| copied(hunk, place, content).then_some(place.line))
    };
    let mut lines = (0..hunks.len()).map(|index| Some((index, line(index)?)));
    if moves {
        return lines.flatten().next();
    }
    let first = lines.next()??;
    lines.all(|line| line.is_some()).then_some(first)
}

/// Whether it adds more than it takes.
fn grows(hunk: &Hunk<'_>) -> bool {
    hunk.old.lines > 0 && hunk.new.lines > hunk.old.lines
}

/// Whether what a hunk adds stands beside its old side.
fn copied(hunk: &Hunk<'_>, place: Place, content: &[u8]) -> bool {
    if !grows(hunk) {
        return false;
    }
    let end = place.at + hunk.old.bytes;
    let after = hunk.stands_at(Side::New, &content[place.at..]);
    // At its line and behind its context, what is above it is not what it adds.
    let above = is_moved(hunk, place) || !hunk.leads;
    after || above && ends_with_new(hunk, &content[..end], end == content.len())
}

fn is_moved(hunk: &Hunk<'_>, place: Place) -> bool {
    u64::from(hunk.old.start.max(u32::from(hunk.old.lines == 0))) != place.line
}

/// Whether the lines before a place are a hunk's new side.
fn ends_with_new(hunk: &Hunk<'_>, before: &[u8], last: bool) -> bool {
    let Some(at) = before.len().checked_sub(hunk.new.bytes) else { return false };
    let line_start = at == 0 || before[at - 1] == b'\n';
    line_start && (last || !hunk.at_end()) && hunk.stands_at(Side::New, &before[at..])
}

fn moved(hunks: &[Hunk<'_>], places: &[Place]) -> Vec<MovedHunk> {
    let number = |n: u64| u32::try_from(n).expect("content is at most 64 MiB");
    let numbered = (1..).zip(hunks.iter().zip(places));
    let moved = numbered.filter(|(_, (hunk, place))| is_moved(hunk, **place));
    moved
        .map(|(n, (hunk, place))| MovedHunk { hunk: n, line: hunk.old.start, found: number(place.line) })
        .collect()
}
