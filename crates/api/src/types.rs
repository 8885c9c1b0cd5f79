//! The shapes of the API, member for member as docs/format.md and openapi.json name them. The
//! command line prints these same types for `--json`. Conversions from the engine's views are
//! here; no rule is.

mod decisions;
mod documents;
mod ledger;
mod proposals;
mod rebase;
mod requests;
mod rooms;
mod talk;

pub use decisions::{
    AlreadyDone, ApplyAnswer, ApplyOutcome, EvidenceKept, MovedHunkOf, Proposed, Receipt, Split,
};
pub use documents::{
    ChangeDiff, Diff, DiffHunk, DiffKind, DiffLine, DocumentItem, DocumentPage, DocumentVersion,
    DocumentVersions, LineKind, version_text,
};
pub use ledger::{ChangeSeq, DuplicateItem, DuplicatePage, LedgerChange, LedgerEntry, LedgerPage};
pub use proposals::{
    Attempt, Change, Check, CheckName, Decision, Duplicates, EffectKey, Links, Moved, MovedBy, MovedHunk,
    ProposalDetail, ProposalItem, ProposalPage, RevisionItem, Touches,
};
pub use rebase::{Conflict, Place, Rebase, RebasedChange, Region, RegionPart};
pub use requests::{
    AddMember, Apply, CreateRoom, ProposalFile, Reason, RebaseBody, Reject, RevertBody, SplitBody,
    SubmittedChange, TakeChange, TakeSide, TakeSides,
};
pub use rooms::{Counts, LedgerHead, Member, MemberList, Room, RoomList, StoreInfo, StoreYou, Warning, You};
pub use talk::{Comment, CommentBody, CommentLine, CommentPage, LastComment, Talk};

use sekali_core::{ActorId, ActorKind};
use sekali_store::ActorRow;
use serde::Serialize;
use utoipa::ToSchema;

use crate::words;

/// A person, agent or source, by id and present name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActorRef {
    /// The id that ledger entries quote.
    #[schema(value_type = words::Id)]
    pub id: ActorId,
    /// What it is.
    #[schema(value_type = words::ActorKind)]
    pub kind: ActorKind,
    /// Its name now.
    pub name: String,
}

impl From<&ActorRow> for ActorRef {
    fn from(row: &ActorRow) -> Self {
        Self { id: row.id, kind: row.kind, name: row.name.clone() }
    }
}
