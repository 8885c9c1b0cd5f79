//! Changes are resolved once, in order, on an overlay of one snapshot, to one net change for each
//! document. Apply then only compares and swaps; nothing is guessed there.
//!
//! The overlay itself is in `overlay`, what a patch does to it in `patch`, how a change that was made
//! elsewhere is carried onto it in `transplant`, and what becomes of content then in `ways`.

mod overlay;
mod patch;
mod refuse;
mod strip;
mod transplant;
mod ways;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::change::{Mode, MovedHunk, Op, Submitted, Version};
use crate::code::Code;
use crate::hash::ContentHash;
use crate::json_edit;
use crate::path::DocPath;
use crate::refusal::Refusal;

pub use self::overlay::Overlay;
pub use self::refuse::{Crowded, Nested};
pub use self::transplant::{Carried, Held, Part, Transplant, Transplanted};

/// A document as a snapshot shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    /// The path exactly as stored.
    pub path: DocPath,
    /// What it holds.
    pub version: Version,
}

/// A resolved change before its commitments exist: those need salts, which need randomness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved<'a> {
    /// What happens.
    pub op: Op,
    /// The path afterwards; of a deleted document, before.
    pub path: DocPath,
    /// Where a renamed document was.
    pub from: Option<DocPath>,
    /// What must be there.
    pub base: Option<Version>,
    /// What is there afterwards: new content, or the content of `base` (a rename).
    pub after: Option<(After<'a>, Mode)>,
    /// Hunks of its patch that were found elsewhere than they say.
    pub moved: Vec<MovedHunk>,
}

/// The content after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After<'a> {
    /// These bytes.
    Content(Cow<'a, [u8]>),
    /// What the base holds.
    Same,
}

/// Where a document is that was a certain version at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Home {
    /// There: it has stayed, or was moved.
    At(DocPath),
    /// It was deleted, and the one that was made anew in its place is there, or one that holds the very same.
    Instead(DocPath),
    /// It was deleted, and not made anew. What stands at its path, if anything does, is another one.
    Gone,
}

/// The documents of a room in one snapshot, as resolving asks for them.
pub trait Snapshot<E> {
    /// The document at this path, compared by its key.
    ///
    /// # Errors
    /// What reading fails with.
    fn at(&mut self, path: &DocPath) -> Result<Option<Current>, E>;

    /// The newest version with this content that the document at this path has had.
    ///
    /// # Errors
    /// What reading fails with.
    fn once(&mut self, path: &DocPath, content: &ContentHash) -> Result<Option<Current>, E>;

    /// Where the document stands that was once this very version at this path.
    ///
    /// # Errors
    /// What reading fails with.
    fn home(&mut self, path: &DocPath, was: &Version) -> Result<Home, E>;

    /// The content of a document that this snapshot gave.
    ///
    /// # Errors
    /// What reading fails with.
    fn content(&mut self, of: &Current) -> Result<Vec<u8>, E>;

    /// Does something with the content of a document that this snapshot gave. What comes of it counts only
    /// where this does not fail: the content may be looked through meanwhile.
    ///
    /// # Errors
    /// What reading fails with.
    fn with_content(&mut self, of: &Current, work: &mut dyn FnMut(&[u8])) -> Result<(), E> {
        let content = self.content(of)?;
        work(&content);
        Ok(())
    }

    /// The nearest document that stands where this path needs a folder.
    ///
    /// # Errors
    /// What reading fails with.
    fn above(&mut self, path: &DocPath) -> Result<Option<Current>, E>;

    /// The next documents for which this path is a folder, in the order of their keys, after one;
    /// none only where there are no more.
    ///
    /// # Errors
    /// What reading fails with.
    fn below(&mut self, path: &DocPath, after: Option<&DocPath>) -> Result<Vec<Current>, E>;
}

/// Resolves submitted changes to net changes against a snapshot. A base that is carried and no longer
/// current, but was once, is what its change is resolved against: the net change then has that base.
///
/// # Errors
/// Refusals that name the change: `document.not_found`, `document.exists`, `path.collision`,
/// `patch.invalid`, `patch.mismatch`, `proposal.stale` where a carried base was never there, or an earlier
/// change was of another one, `proposal.no_change` where nothing is left, `limit.exceeded` where it is too
/// much; and whatever the snapshot fails with.
pub fn resolve<'a, E: From<Refusal>>(
    changes: &'a [Submitted],
    room: &mut dyn Snapshot<E>,
) -> Result<Vec<Resolved<'a>>, E> {
    let mut overlay = Overlay::new(room);
    for (index, change) in changes.iter().enumerate() {
        match change {
            Submitted::Put { path, content, base, mode } => {
                overlay.carry(index, "base", path, *base)?;
                overlay.put(index, path, Cow::Borrowed(content), *mode)?;
            }
            Submitted::Delete { path, base } => {
                overlay.carry(index, "base", path, *base)?;
                overlay.delete(index, path)?;
            }
            Submitted::Rename { from, path, base } => {
                overlay.carry(index, "base", from, *base)?;
                overlay.rename(index, from, path)?;
            }
            Submitted::Patch { diff, strip, bases } => overlay.patch(index, diff, *strip, bases)?,
            Submitted::JsonEdit { form, path, patch, base } => {
                overlay.carry(index, "base", path, *base)?;
                overlay.edit(index, path, |field, document| {
                    json_edit::apply(*form, &format!("{field}.patch"), path, document, patch)
                })?;
            }
        }
    }
    let net = overlay.finish()?;
    if net.is_empty() {
        return Err(no_change().into());
    }
    Ok(net)
}

/// Nothing would be left to do.
pub fn no_change() -> Refusal {
    Refusal::new(Code::ProposalNoChange, "The documents already have this content; nothing would change.")
        .said("Isi dokumen sudah seperti ini; tidak ada yang akan berubah.")
}

fn field_of(index: usize) -> String {
    format!("changes[{index}]")
}
