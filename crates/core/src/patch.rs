//! Unified diffs, plain and git's: read exactly, applied exactly or refused, and written so that they
//! apply again. The forms are those of POSIX `diff -u` and of git's extended headers (`git-diff(1)`,
//! "Generating patch text with -p").
//!
//! Reading is in `read` with `names` and `binary`; where hunks go, in `place`; our own diff, in `write`.

mod binary;
mod hunk;
mod names;
mod place;
mod read;
mod refuse;
mod write;

#[cfg(test)]
mod tests;

use crate::change::Mode;
pub use crate::change::MovedHunk;
use crate::path::DocPath;
use crate::refusal::Refusal;

use self::binary::Binary;
use self::hunk::Hunk;
use self::refuse::Place;
pub use self::write::{FileChange, write};

/// How many leading components of a name are taken away. `None`: `a/` and `b/` where all names of a file
/// carry them (`/dev/null` aside), else nothing.
pub type Strip = Option<u32>;

/// What one file of a patch does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A document comes to be.
    Create(DocPath),
    /// A document changes. Two names where the headers of a plain diff differ, the old one first.
    Modify(Vec<DocPath>),
    /// A document goes.
    Delete(DocPath),
    /// A document moves, perhaps with other content.
    Rename {
        /// Where it is.
        from: DocPath,
        /// Where it goes.
        path: DocPath,
    },
    /// A document comes to be as a copy, perhaps with other content.
    Copy {
        /// The document that is copied.
        from: DocPath,
        /// Where the copy goes.
        path: DocPath,
    },
    /// It reads what no document can be called.
    Impossible {
        /// The name as it is written.
        name: String,
    },
}

/// One file of a patch.
#[derive(Debug, Clone)]
pub struct FilePatch<'a> {
    target: Target,
    line: u64,
    mode: Option<Mode>,
    plain: bool,
    /// What is wrong inside is told when it is applied, after what is missing was named.
    body: Result<Body<'a>, Refusal>,
}

#[derive(Debug, Clone)]
enum Body<'a> {
    Hunks(Vec<Hunk<'a>>),
    Binary(Box<Binary>),
}

/// What came of applying one file of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The content afterwards.
    pub content: Vec<u8>,
    /// Hunks that were found elsewhere than they say, in order.
    pub moved: Vec<MovedHunk>,
}

/// Reads a patch of one or many files. What is wrong inside a file's hunks is told by
/// [`FilePatch::apply`], so that a document that is missing is named before a hunk that is miscounted.
///
/// # Errors
/// `patch.invalid` where it is no unified diff, naming the form that it has; `path.invalid` for a name
/// that a new document cannot have; `proposal.invalid` for a mode that is not kept.
pub fn parse<'a>(field: &str, diff: &'a [u8], strip: Strip) -> Result<Vec<FilePatch<'a>>, Refusal> {
    read::files(field, diff, strip)
}

impl FilePatch<'_> {
    /// What it does.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The line of the patch at which it begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The mode afterwards, where it says one.
    pub fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// It is written without git's headers and begins with nothing: the document may be missing, and is
    /// then created.
    pub fn creates_if_absent(&self) -> bool {
        self.plain
            && matches!(&self.body, Ok(Body::Hunks(hunks)) if hunks.first().is_some_and(Hunk::starts_with_nothing))
    }

    /// The content that it makes of a document's; of nothing, where the document is new.
    ///
    /// # Errors
    /// `patch.invalid` where its hunks cannot be read; `patch.mismatch` where they do not fit the
    /// content, or fit it in two places; `proposal.no_change` where the content has them already.
    pub fn apply(&self, field: &str, path: &DocPath, content: &[u8]) -> Result<Applied, Refusal> {
        let place = Place { field, path: Some(path), line: self.line, hunk: None };
        let applied = match self.body.as_ref().map_err(|refusal| place.named(refusal.clone()))? {
            Body::Binary(binary) => Applied { content: binary.apply(place, content)?, moved: Vec::new() },
            Body::Hunks(hunks) => place::apply(place, content, hunks)?,
        };
        if matches!(self.target, Target::Delete(_)) && !applied.content.is_empty() {
            let lines = applied.content.split_inclusive(|b| *b == b'\n').count();
            return Err(place.mismatch(
                &format!("it deletes {path}, but would leave {lines} lines of it"),
                &format!("tambalan ini menghapus {path}, tetapi menyisakan {lines} baris"),
            ));
        }
        Ok(applied)
    }
}
