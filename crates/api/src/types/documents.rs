//! Documents, their versions, and the difference that a revision makes.

use sekali_core::diff;
use sekali_core::hash::{ContentHash, Digest};
use sekali_core::{Mode, Op, Timestamp};
use sekali_engine::look;
use sekali_store::{RevisionRow, VersionKey};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ActorRef, MovedHunk};
use crate::words;

/// A version's key as it is written: `seq.ordinal`.
pub fn version_text(key: VersionKey) -> String {
    format!("{}.{}", key.seq, key.ordinal)
}

/// A document as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentItem {
    /// Exactly as written.
    pub path: String,
    /// The version that made it so.
    #[schema(value_type = words::VersionKey)]
    pub version: String,
    /// SHA-256 of the content: what a submission carries as `base`.
    #[schema(value_type = words::Sha256)]
    pub digest: ContentHash,
    /// Its mode.
    #[schema(value_type = words::Mode)]
    pub mode: Mode,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was made so.
    #[schema(value_type = words::Time)]
    pub updated_at: Timestamp,
    /// By which proposal.
    pub proposal: u64,
    /// By which ledger entry.
    pub seq: u64,
}

/// One page of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentPage {
    /// In the order of their folded paths.
    pub items: Vec<DocumentItem>,
    /// The cursor of the next page.
    #[schema(required)]
    pub next: Option<String>,
}

impl From<look::DocumentView> for DocumentItem {
    fn from(view: look::DocumentView) -> Self {
        let look::DocumentView { row, at, proposal } = view;
        Self {
            path: row.path.to_string(),
            version: version_text(row.version),
            digest: row.content.hash,
            mode: row.content.mode,
            bytes: row.content.bytes,
            updated_at: at,
            proposal,
            seq: row.version.seq,
        }
    }
}

/// One version of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentVersion {
    /// Its key.
    #[schema(value_type = words::VersionKey)]
    pub version: String,
    /// What happened.
    #[schema(value_type = words::Op)]
    pub op: Op,
    /// The path afterwards; of a deleted one, before.
    pub path: String,
    /// Where a renamed document was.
    #[schema(required)]
    pub from: Option<String>,
    /// The proposal that made it.
    pub proposal: u64,
    /// The ledger entry.
    pub seq: u64,
    /// When.
    #[schema(value_type = words::Time)]
    pub at: Timestamp,
    /// Who applied it.
    pub by: ActorRef,
    /// Its mode; `null` after a delete.
    #[schema(required, value_type = Option<words::Mode>)]
    pub mode: Option<Mode>,
    /// Its size in bytes; `null` after a delete.
    #[schema(required)]
    pub bytes: Option<u64>,
    /// SHA-256 of its content; `null` after a delete.
    #[schema(required, value_type = Option<words::Sha256>)]
    pub digest: Option<ContentHash>,
}

/// The history of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentVersions {
    /// Newest first, through its renames.
    pub items: Vec<DocumentVersion>,
}

impl From<look::VersionView> for DocumentVersion {
    fn from(view: look::VersionView) -> Self {
        let look::VersionView { row, at, by, proposal } = view;
        Self {
            version: version_text(row.version),
            op: row.op,
            path: row.path.to_string(),
            from: row.from.map(|path| path.to_string()),
            proposal,
            seq: row.version.seq,
            at,
            by: ActorRef::from(&by),
            mode: row.content.as_ref().map(|content| content.mode),
            bytes: row.content.as_ref().map(|content| content.bytes),
            digest: row.content.map(|content| content.hash),
        }
    }
}

/// The difference that a revision makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Diff {
    /// The proposal's number.
    pub proposal: u64,
    /// The revision.
    pub revision: u32,
    /// Its digest: what Apply carries.
    #[schema(value_type = words::Sha256)]
    pub digest: Digest,
    /// In order.
    pub changes: Vec<ChangeDiff>,
}

impl Diff {
    /// The difference of one revision.
    pub fn of(proposal: u64, revision: &RevisionRow, changes: Vec<look::ChangeDiff>) -> Self {
        Self {
            proposal,
            revision: revision.revision,
            digest: revision.digest,
            changes: changes.into_iter().map(ChangeDiff::from).collect(),
        }
    }
}

/// How the two sides of a change compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    /// Line by line.
    Text,
    /// One side is not UTF-8 text.
    Binary,
    /// Too large to be compared for display.
    TooLarge,
    /// A side can no longer be read.
    Unavailable,
}

/// One change with its difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChangeDiff {
    /// The document.
    pub path: String,
    /// Where a renamed document was.
    #[schema(required)]
    pub from: Option<String>,
    /// What happens.
    #[schema(value_type = words::Op)]
    pub op: Op,
    /// The mode afterwards.
    #[schema(required, value_type = Option<words::Mode>)]
    pub mode: Option<Mode>,
    /// The mode before.
    #[schema(required, value_type = Option<words::Mode>)]
    pub mode_before: Option<Mode>,
    /// How the sides compare.
    pub kind: DiffKind,
    /// Size before, in bytes.
    #[schema(required)]
    pub bytes_before: Option<u64>,
    /// Size afterwards, in bytes.
    #[schema(required)]
    pub bytes: Option<u64>,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// In order.
    pub hunks: Vec<DiffHunk>,
    /// Lines before.
    pub old_total: u32,
    /// Lines afterwards.
    pub new_total: u32,
    /// Hunks of its patch that were found elsewhere than they say.
    pub moved_hunks: Vec<MovedHunk>,
}

impl From<look::ChangeDiff> for ChangeDiff {
    fn from(view: look::ChangeDiff) -> Self {
        let look::ChangeDiff { row, diff } = view;
        let (kind, hunks, old_total, new_total) = match diff {
            None => (DiffKind::Unavailable, Vec::new(), 0, 0),
            Some(diff) => {
                let kind = match diff.kind {
                    diff::DiffKind::Text => DiffKind::Text,
                    diff::DiffKind::Binary => DiffKind::Binary,
                    diff::DiffKind::TooLarge => DiffKind::TooLarge,
                };
                (kind, diff.hunks.into_iter().map(DiffHunk::from).collect(), diff.old_total, diff.new_total)
            }
        };
        let (before, after) = (row.change.base.as_ref(), row.change.after.as_ref());
        Self {
            path: row.change.path.to_string(),
            from: row.change.from.as_ref().map(ToString::to_string),
            op: row.change.op,
            mode: after.map(|side| side.mode),
            mode_before: before.map(|side| side.mode),
            kind,
            bytes_before: before.map(|side| side.bytes),
            bytes: after.map(|side| side.bytes),
            added: row.added,
            removed: row.removed,
            hunks,
            old_total,
            new_total,
            moved_hunks: row.moved.iter().map(MovedHunk::from).collect(),
        }
    }
}

/// A run of changed lines with its surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DiffHunk {
    /// First line before, from 1; the line above where there is none, 0 at the top.
    pub old_start: u32,
    /// Number of lines before.
    pub old_lines: u32,
    /// First line afterwards, from 1; the line above where there is none, 0 at the top.
    pub new_start: u32,
    /// Number of lines afterwards.
    pub new_lines: u32,
    /// In order.
    pub lines: Vec<DiffLine>,
}

impl From<diff::Hunk> for DiffHunk {
    fn from(hunk: diff::Hunk) -> Self {
        Self {
            old_start: hunk.old_start,
            old_lines: hunk.old_lines,
            new_start: hunk.new_start,
            new_lines: hunk.new_lines,
            lines: hunk.lines.into_iter().map(DiffLine::from).collect(),
        }
    }
}

/// Which side a line is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// On both.
    Context,
    /// Only afterwards.
    Add,
    /// Only before.
    Remove,
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DiffLine {
    /// Which side it is on.
    pub kind: LineKind,
    /// Its number before, from 1.
    #[schema(required)]
    pub old: Option<u32>,
    /// Its number afterwards, from 1.
    #[schema(required)]
    pub new: Option<u32>,
    /// Its text without the line end; a carriage return before it stays.
    pub text: String,
    /// The parts that differ from its counterpart.
    #[schema(value_type = Vec<words::Span>)]
    pub spans: Vec<[u32; 2]>,
    /// The file ends here without a line end.
    pub no_newline: bool,
}

impl From<diff::Line> for DiffLine {
    fn from(line: diff::Line) -> Self {
        let kind = match line.kind {
            diff::LineKind::Context => LineKind::Context,
            diff::LineKind::Add => LineKind::Add,
            diff::LineKind::Remove => LineKind::Remove,
        };
        Self {
            kind,
            old: line.old,
            new: line.new,
            text: line.text,
            spans: line.spans,
            no_newline: line.no_newline,
        }
    }
}
