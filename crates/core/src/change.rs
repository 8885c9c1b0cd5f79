//! What a proposal does to documents: changes as they are submitted, and the net changes that they
//! come to. How one becomes the other is in `resolve`.

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::hash::{Commitment, ContentHash, FieldHasher};
use crate::path::DocPath;
use crate::refusal::Refusal;

/// The word for changes to the room's documents, in digests and entries.
pub const DOCUMENTS: &str = "documents";

/// A file mode, as git writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// An ordinary file.
    #[serde(rename = "100644")]
    Plain,
    /// An executable file.
    #[serde(rename = "100755")]
    Executable,
}

impl Mode {
    /// Every mode.
    pub const ALL: &'static [Self] = &[Self::Plain, Self::Executable];

    /// `100644` or `100755`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "100644",
            Self::Executable => "100755",
        }
    }

    /// Reads a mode.
    ///
    /// # Errors
    /// `proposal.invalid`, naming the mode.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        match text {
            "100644" => Ok(Self::Plain),
            "100755" => Ok(Self::Executable),
            other => {
                let (what, id) = match other {
                    "120000" => ("symbolic links are", "tautan simbolik"),
                    "160000" => ("submodules are", "submodul"),
                    "040000" => ("directories are", "folder"),
                    _ => ("this mode is", "mode ini"),
                };
                Err(Refusal::field(
                    Code::ProposalInvalid,
                    field,
                    format!("{field}: mode {other:?}: {what} not supported; 100644 and 100755 are."),
                )
                .said(format!(
                    "{field}: mode {other:?}: {id} tidak didukung; yang didukung 100644 dan 100755."
                ))
                .with(|f| f.value = Some(other.to_owned())))
            }
        }
    }
}

/// What happens to one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// A document appears.
    Create,
    /// Its content or mode changes.
    Replace,
    /// It moves, perhaps with other content.
    Rename,
    /// It goes.
    Delete,
}

impl Op {
    /// Every word.
    pub const ALL: &'static [Self] = &[Self::Create, Self::Replace, Self::Rename, Self::Delete];

    /// The word in digests, entries and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Rename => "rename",
            Self::Delete => "delete",
        }
    }

    /// Reads the word of a table.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.as_str() == word)
    }
}

/// One side of a change: content with its mode. `hash` exists only in mutable tables; digests and
/// entries quote the commitment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Of the bare content.
    pub hash: ContentHash,
    /// Content and mode together are what a base means.
    pub mode: Mode,
    /// Of the content under its salt.
    pub commitment: Commitment,
    /// Size in bytes.
    pub bytes: u64,
}

/// One net change of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetChange {
    /// What happens.
    pub op: Op,
    /// The document's path afterwards; of a deleted one, before.
    pub path: DocPath,
    /// Where a renamed document was.
    pub from: Option<DocPath>,
    /// What must be there; `None` is *absent*, an explicit value.
    pub base: Option<Version>,
    /// What is there afterwards; `None` is *absent*.
    pub after: Option<Version>,
}

/// What a submission says the author had read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmittedBase {
    /// There was no document.
    Absent,
    /// The content had this hash.
    Content(ContentHash),
}

impl std::fmt::Display for SubmittedBase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Absent => f.write_str(crate::hash::ABSENT),
            Self::Content(hash) => hash.fmt(f),
        }
    }
}

/// One change as it was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// The whole content of a document.
    Put {
        /// The document.
        path: DocPath,
        /// Its whole new content.
        content: Vec<u8>,
        /// What the author had read, if they say so.
        base: Option<SubmittedBase>,
        /// The mode; by default the present one, or 100644.
        mode: Option<Mode>,
    },
    /// A document goes.
    Delete {
        /// The document.
        path: DocPath,
        /// What the author had read, if they say so.
        base: Option<SubmittedBase>,
    },
    /// A document moves.
    Rename {
        /// Where it is.
        from: DocPath,
        /// Where it goes; nothing may be there.
        path: DocPath,
        /// What the author had read of `from`, if they say so.
        base: Option<SubmittedBase>,
    },
    /// A unified diff of one or many documents.
    Patch {
        /// Its bytes.
        diff: Vec<u8>,
        /// Leading components of its names that are taken away; by default `a/` and `b/`, where all names
        /// of a file carry them, and in git's form the two first folders in which alone its names differ.
        strip: Option<u32>,
        /// What the author had read of documents in it, where they say so.
        bases: Vec<(DocPath, SubmittedBase)>,
    },
    /// An edit of a JSON document's values.
    JsonEdit {
        /// How it is written.
        form: JsonForm,
        /// The document.
        path: DocPath,
        /// Its text, as it was written.
        patch: Vec<u8>,
        /// What the author had read, if they say so.
        base: Option<SubmittedBase>,
    },
}

/// How an edit of a JSON document's values is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonForm {
    /// JSON Patch (RFC 6902).
    Patch,
    /// JSON Merge Patch (RFC 7396).
    MergePatch,
}

impl JsonForm {
    /// The `op` of a proposal file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Patch => "json_patch",
            Self::MergePatch => "merge_patch",
        }
    }
}

/// A hunk that was found elsewhere than its header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedHunk {
    /// Which of its document's hunks, from 1.
    pub hunk: u32,
    /// The line that its header names, from 1.
    pub line: u32,
    /// The line at which it was found.
    pub found: u32,
}

impl Submitted {
    /// Puts the whole content of a document, whatever is there, and leaves its mode as it is.
    pub fn put(path: DocPath, content: impl Into<Vec<u8>>) -> Self {
        Self::Put { path, content: content.into(), base: None, mode: None }
    }

    /// Feeds the change into a fingerprint: what was asked for, without salts.
    fn fingerprint(&self, hasher: FieldHasher) -> FieldHasher {
        let base_text = |base: &Option<SubmittedBase>| base.map(|b| b.to_string()).unwrap_or_default();
        let (hasher, base) = match self {
            Self::Put { path, content, base, mode } => (
                hasher
                    .field(b"put")
                    .field(path.as_str().as_bytes())
                    .field(ContentHash::of(content).as_bytes())
                    .field(mode.map_or("", Mode::as_str).as_bytes()),
                base,
            ),
            Self::Delete { path, base } => (hasher.field(b"delete").field(path.as_str().as_bytes()), base),
            Self::Rename { from, path, base } => (
                hasher.field(b"rename").field(from.as_str().as_bytes()).field(path.as_str().as_bytes()),
                base,
            ),
            Self::Patch { diff, strip, bases } => {
                let strip = strip.map(|n| n.to_string()).unwrap_or_default();
                let hasher = hasher
                    .field(b"patch")
                    .field(ContentHash::of(diff).as_bytes())
                    .field(strip.as_bytes())
                    .field(bases.len().to_string().as_bytes());
                return bases.iter().fold(hasher, |hasher, (path, base)| {
                    hasher.field(path.as_str().as_bytes()).field(base.to_string().as_bytes())
                });
            }
            Self::JsonEdit { form, path, patch, base } => (
                hasher
                    .field(form.as_str().as_bytes())
                    .field(path.as_str().as_bytes())
                    .field(ContentHash::of(patch).as_bytes()),
                base,
            ),
        };
        hasher.field(base_text(base).as_bytes())
    }
}

/// What a net change leaves, in the words of a table: all that its fingerprint takes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left<'a> {
    /// The path; of a deleted document, before.
    pub path: &'a str,
    /// Where a renamed document was.
    pub from: Option<&'a str>,
    /// SHA-256 of the content and the mode afterwards; `None` is *absent*.
    pub after: Option<(&'a [u8], &'a str)>,
}

impl NetChange {
    /// What it leaves.
    pub fn left(&self) -> Left<'_> {
        Left {
            path: self.path.as_str(),
            from: self.from.as_ref().map(DocPath::as_str),
            after: self.after.as_ref().map(|after| (&after.hash.as_bytes()[..], after.mode.as_str())),
        }
    }
}

/// The fingerprint of what net changes leave, in their order: equal ones are flagged as possible
/// duplicates, whatever form they were submitted in and whatever they were based on.
pub fn content_fingerprint<'a>(changes: impl IntoIterator<Item = Left<'a>>) -> [u8; 32] {
    let field_of = |hasher: FieldHasher, left: Left<'_>| {
        let (hash, mode) = left.after.unwrap_or_default();
        hasher
            .field(left.path.as_bytes())
            .field(left.from.unwrap_or_default().as_bytes())
            .field(hash)
            .field(mode.as_bytes())
    };
    changes.into_iter().fold(FieldHasher::new().field(b"sekali/content/2"), field_of).finish()
}

/// Adds every change, bases included, to the fingerprint of a whole submission.
pub(crate) fn submission_fingerprint(hasher: FieldHasher, changes: &[Submitted]) -> FieldHasher {
    changes.iter().fold(hasher, |h, change| change.fingerprint(h))
}
