//! What a rebase comes to, and what a person must decide first.

use sekali_core::conflict::{self, ConflictKind};
use sekali_core::hash::Digest;
use sekali_core::json_edit::Clash;
use sekali_engine::rebase::{RebaseOutcome, RebaseView, RebasedChange as View};
use serde::Serialize;
use utoipa::ToSchema;

use super::MovedBy;
use crate::words;

/// What a rebase of a waiting proposal would come to. Nothing is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Rebase {
    /// The proposal's number.
    pub proposal: u64,
    /// Its waiting revision.
    pub revision: u32,
    /// Its digest: what the rebase carries.
    #[schema(value_type = words::Sha256)]
    pub digest: Digest,
    /// Something that it is based on has moved.
    pub needed: bool,
    /// Nobody has to decide anything.
    pub clean: bool,
    /// Each change of it, in order.
    pub changes: Vec<RebasedChange>,
    /// What a person must decide first.
    pub conflicts: Vec<Conflict>,
}

impl From<RebaseView> for Rebase {
    fn from(view: RebaseView) -> Self {
        Self {
            proposal: view.number,
            revision: view.revision,
            digest: view.digest,
            needed: view.needed,
            clean: view.conflicts.is_empty(),
            changes: view.changes.into_iter().map(RebasedChange::from).collect(),
            conflicts: view.conflicts.iter().map(Conflict::from).collect(),
        }
    }
}

/// What becomes of one change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RebasedChange {
    /// The document afterwards; of one that goes, before.
    pub path: String,
    /// Where a document that moves is.
    #[schema(required)]
    pub from: Option<String>,
    /// What came of it.
    #[schema(value_type = words::RebaseOutcome)]
    pub outcome: &'static str,
    /// Where others have moved the document meanwhile, if they did: the change is made there.
    #[schema(required)]
    pub moved_to: Option<String>,
}

impl From<View> for RebasedChange {
    fn from(view: View) -> Self {
        let outcome: RebaseOutcome = view.outcome;
        Self {
            path: view.path.to_string(),
            from: view.from.map(|from| from.to_string()),
            outcome: outcome.as_str(),
            moved_to: view.moved_to.map(|moved| moved.to_string()),
        }
    }
}

/// One document that a person must decide about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Conflict {
    /// The document afterwards; of one that goes, before.
    pub path: String,
    /// Where a document that moves is.
    #[schema(required)]
    pub from: Option<String>,
    /// What kind.
    #[schema(value_type = words::ConflictKind)]
    pub kind: ConflictKind,
    /// What stands there now: `sha256:` of the content, or `absent`. A choice says it again.
    #[schema(value_type = words::Base)]
    pub now: String,
    /// What happened: one English sentence.
    pub detail: String,
    /// Where others have moved the document meanwhile, if they did.
    #[schema(required)]
    pub moved_to: Option<String>,
    /// The proposal that changed what is there, where one is known.
    #[schema(required)]
    pub by: Option<MovedBy>,
    /// The lines in question, in order.
    pub regions: Vec<Region>,
    /// The places of a JSON document in question.
    pub places: Vec<Place>,
}

impl From<&conflict::Conflict> for Conflict {
    fn from(conflict: &conflict::Conflict) -> Self {
        let by = conflict.by.as_ref();
        Self {
            path: conflict.path.to_string(),
            from: conflict.from.as_ref().map(ToString::to_string),
            kind: conflict.kind,
            now: conflict.now.to_string(),
            detail: conflict.detail.clone(),
            moved_to: conflict.moved_to.as_ref().map(ToString::to_string),
            by: by.map(|by| MovedBy { proposal: by.proposal, seq: by.seq }),
            regions: conflict.regions.iter().map(Region::from).collect(),
            places: conflict.places.iter().map(Place::from).collect(),
        }
    }
}

/// Lines that both sides changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Region {
    /// What both began with.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RegionPart {
    /// The first line, from 1; the line above where there is none.
    pub start: u32,
    /// Number of lines.
    pub lines: u32,
    /// Their text, with line ends.
    pub text: String,
    /// The text is only its beginning: there is more than is shown.
    pub cut: bool,
}

impl From<&conflict::Region> for Region {
    fn from(region: &conflict::Region) -> Self {
        let part = |part: &conflict::RegionPart| RegionPart {
            start: part.start,
            lines: part.lines,
            text: part.text.clone(),
            cut: part.cut,
        };
        Self {
            base: part(&region.base),
            now: part(&region.now),
            after: part(&region.after),
            above: region.above.clone(),
            below: region.below.clone(),
        }
    }
}

/// A place of a JSON document whose value has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Place {
    /// JSON Pointer (RFC 6901).
    pub pointer: String,
    /// Its value as both began, as JSON text; `null` where there was none.
    #[schema(required)]
    pub base: Option<String>,
    /// Its value now.
    #[schema(required)]
    pub now: Option<String>,
    /// What the proposal wants.
    #[schema(required)]
    pub after: Option<String>,
}

impl From<&Clash> for Place {
    fn from(clash: &Clash) -> Self {
        Self {
            pointer: clash.pointer.clone(),
            base: clash.base.clone(),
            now: clash.now.clone(),
            after: clash.after.clone(),
        }
    }
}
