//! Patches: unified diffs as people and tools write them, applied exactly or refused; and our own.
//! Deliberately not here: which documents there are, and what becomes of them (`resolve`).

mod after;
mod apply;
mod base85;
mod binary;
mod explain;
mod forms;
mod git;
mod hunk;
mod lines;
mod name;
mod notes;
mod parse;
mod place;
mod plain;
mod refuse;
mod search;
mod stamp;
mod target;
mod write;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use crate::change::Mode;
pub use crate::change::MovedHunk;
use crate::path::DocPath;
use crate::refusal::Refusal;

pub use parse::parse;
pub use write::{FileChange, has_controls, write};

/// How many leading components of a name are taken away. `None`: the `a/` and `b/` of a file's names, or
/// the two first folders in which alone the names of a file in git's form differ; else nothing.
pub type Strip = Option<u32>;

/// What a file of a patch is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A document appears.
    Create(DocPath),
    /// A document changes: one name, or two of a plain diff that differ, the old one first.
    Modify(Vec<DocPath>),
    /// A document goes.
    Delete(DocPath),
    /// A document moves.
    Rename {
        /// Where it is.
        from: DocPath,
        /// Where it goes.
        path: DocPath,
    },
    /// A document appears with what another one holds.
    Copy {
        /// The other one.
        from: DocPath,
        /// Where the new one goes.
        path: DocPath,
    },
    /// A document that cannot be there, for no document can have this name.
    Impossible {
        /// The name as it is written.
        name: String,
    },
}

impl Target {
    /// The documents that it reads, or that must not be there yet: those of which a base may be said.
    pub fn sources(&self) -> impl Iterator<Item = &DocPath> {
        let (many, one) = match self {
            Self::Modify(names) => (names.as_slice(), None),
            Self::Delete(path) | Self::Create(path) => (&[][..], Some(path)),
            Self::Rename { from, .. } | Self::Copy { from, .. } => (&[][..], Some(from)),
            Self::Impossible { .. } => (&[][..], None),
        };
        many.iter().chain(one)
    }

    /// Whether a document is one of those.
    pub fn reads(&self, path: &DocPath) -> bool {
        self.sources().any(|source| source.key() == path.key())
    }
}

/// What a patch says of one file.
#[derive(Debug, Clone)]
pub struct FilePatch<'a> {
    target: Target,
    line: u64,
    commit: u32,
    mode: Option<Mode>,
    creates_if_absent: bool,
    /// What is wrong inside is told when it is applied.
    body: Result<Body<'a>, Refusal>,
}

/// How a file changes.
#[derive(Debug, Clone)]
enum Body<'a> {
    Hunks(Vec<hunk::Hunk<'a>>),
    Binary(Box<binary::Binary<'a>>),
}

/// What came of applying one file of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Applied {
    /// The content afterwards.
    pub content: Vec<u8>,
    /// The hunks that were found elsewhere than their headers say.
    pub moved: Vec<MovedHunk>,
}

impl FilePatch<'_> {
    /// What it is about.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The line of the patch at which it begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Which mail, commit or changeset of the patch it is of: those of one read what is there before it,
    /// those of the next what it has made.
    pub fn commit(&self) -> u32 {
        self.commit
    }

    /// The mode afterwards, where the patch says one.
    pub fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// Whether a document that is not there is to be created from nothing: a plain diff says so only by
    /// an old side without lines (`-0,0`).
    pub fn creates_if_absent(&self) -> bool {
        self.creates_if_absent
    }

    /// The content after; `content` is empty for a document that appears. `path` is the document as the
    /// refusal names it.
    ///
    /// # Errors
    /// `patch.invalid` where the file's hunks cannot be read, `patch.mismatch` where they do not fit,
    /// `proposal.no_change` where the document already contains them all, `limit.exceeded`.
    pub fn apply(&self, field: &str, path: &DocPath, content: &[u8]) -> Result<Applied, Refusal> {
        let here = |refusal: Refusal| refusal.with(|f| f.path = Some(path.to_string()));
        let body = self.body.as_ref().map_err(|refusal| here(refusal.clone()))?;
        let place = apply::Site { field, path, line: self.line, deletes: self.deletes() };
        match body {
            Body::Hunks(hunks) => place.hunks(hunks, content),
            Body::Binary(binary) => place.binary(binary, content),
        }
        .map_err(here)
    }

    fn deletes(&self) -> bool {
        matches!(self.target, Target::Delete(_))
    }
}
