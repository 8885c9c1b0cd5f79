//! What comes of submitting and of pressing Apply.

use sekali_core::decide::{AppliedFacts, Evidence, Receipt as CoreReceipt};
use sekali_core::hash::Digest;
use sekali_core::{Door, Outcome, ProposalId, Refusal, State, Timestamp};
use sekali_engine::{split, submit};
use serde::Serialize;
use utoipa::ToSchema;

use super::Moved;
use crate::words;

/// Proof for a person that a change was made, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Receipt {
    /// The proposal's number.
    pub proposal: u64,
    /// Its id.
    #[schema(value_type = words::Id)]
    pub id: ProposalId,
    /// The ledger entry.
    pub seq: u64,
    /// The revision that was applied.
    pub revision: u32,
    /// Its digest.
    #[schema(value_type = words::Sha256)]
    pub digest: Digest,
    /// When.
    #[schema(value_type = words::Time)]
    pub applied_at: Timestamp,
    /// By whom, by their name now.
    pub applied_by: String,
    /// Through which door.
    #[schema(value_type = words::Door)]
    pub door: Door,
    /// As which user of the operating system.
    #[schema(required)]
    pub os_user: Option<String>,
    /// `digest` or `none`: whether the presser said what was on screen.
    #[schema(pattern = "^(digest|none)$")]
    pub seen: String,
    /// Leaf of the entry in the ledger's tree.
    #[schema(value_type = words::Hex)]
    pub leaf: String,
}

impl From<&AppliedFacts> for Receipt {
    fn from(facts: &AppliedFacts) -> Self {
        Self {
            proposal: facts.number,
            id: facts.id,
            seq: facts.seq,
            revision: facts.revision,
            digest: facts.digest,
            applied_at: facts.at,
            applied_by: facts.by_name.clone(),
            door: facts.door,
            os_user: facts.os_user.clone(),
            seen: facts.seen.clone(),
            leaf: facts.leaf.hex(),
        }
    }
}

impl From<&CoreReceipt> for Receipt {
    fn from(receipt: &CoreReceipt) -> Self {
        Self::from(receipt.facts())
    }
}

/// Whether the change was made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApplyOutcome {
    /// It was made now.
    Applied,
    /// It had been made; nothing changed.
    Replayed,
}

/// Whether this press was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKept {
    /// It was.
    Kept,
    /// The store could not take it; the answer is right all the same.
    NotKept,
}

/// The answer to Apply: the first receipt, whichever press this was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ApplyAnswer {
    /// Whether the change was made now.
    pub outcome: ApplyOutcome,
    /// The proposal's number.
    pub proposal: u64,
    /// The ledger entry.
    pub seq: u64,
    /// The revision that was applied.
    pub revision: u32,
    /// Its digest.
    #[schema(value_type = words::Sha256)]
    pub digest: Digest,
    /// When it was applied first.
    #[schema(value_type = words::Time)]
    pub applied_at: Timestamp,
    /// By whom.
    pub applied_by: String,
    /// Through which door.
    #[schema(value_type = words::Door)]
    pub door: Door,
    /// Presses so far: one and the repeats.
    pub attempts: u64,
    /// Whether this press was written down.
    pub evidence: EvidenceKept,
    /// What left the store; nothing does yet.
    #[schema(value_type = Vec<Object>)]
    pub effects: Vec<serde_json::Value>,
}

impl ApplyAnswer {
    /// The answer, or the refusal.
    ///
    /// # Errors
    /// The refusal of an outcome that is one.
    pub fn of(outcome: Outcome) -> Result<Self, Refusal> {
        let (receipt, outcome, evidence, repeats) = match outcome {
            Outcome::Refused(refusal) => return Err(refusal),
            Outcome::Applied(receipt) => (receipt, ApplyOutcome::Applied, EvidenceKept::Kept, 0),
            Outcome::Replayed(receipt, Evidence::Kept(repeats)) => {
                (receipt, ApplyOutcome::Replayed, EvidenceKept::Kept, repeats)
            }
            Outcome::Replayed(receipt, Evidence::NotKept(repeats)) => {
                (receipt, ApplyOutcome::Replayed, EvidenceKept::NotKept, repeats)
            }
        };
        let facts = receipt.facts();
        Ok(Self {
            outcome,
            proposal: facts.number,
            seq: facts.seq,
            revision: facts.revision,
            digest: facts.digest,
            applied_at: facts.at,
            applied_by: facts.by_name.clone(),
            door: facts.door,
            attempts: 1 + repeats,
            evidence,
            effects: Vec::new(),
        })
    }
}

/// What a submission became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Proposed {
    /// Its number.
    pub proposal: u64,
    /// Its id.
    #[schema(value_type = words::Id)]
    pub id: ProposalId,
    /// The revision that was written, or the present one of a replay.
    pub revision: u32,
    /// Its digest.
    #[schema(value_type = words::Sha256)]
    pub digest: Digest,
    /// Where it stands.
    #[schema(value_type = words::State)]
    pub state: State,
    /// A revision was written now.
    pub created: bool,
    /// It came under a key that had made this proposal before; nothing was written.
    pub replayed: bool,
    /// Other proposals with equal changes.
    pub possible_duplicates: Vec<u64>,
    /// Effects that other proposals have had: Apply will refuse.
    pub already_done: Vec<AlreadyDone>,
    /// Hunks of its patches that were found elsewhere than they say.
    pub moved_hunks: Vec<MovedHunkOf>,
    /// What it is based on is no longer there: Apply would refuse it until it is rebased.
    pub stale: bool,
    /// What that is.
    pub moved: Vec<Moved>,
}

/// A hunk of a patch that was found elsewhere than it says, with its document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MovedHunkOf {
    /// The document.
    pub path: String,
    /// Which of the document's hunks, from 1.
    pub hunk: u32,
    /// The line that its header names, from 1.
    pub line: u32,
    /// The line at which it was found.
    pub found: u32,
}

/// Both parts of a proposal that was split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Split {
    /// The proposal that was split, as it is now.
    pub taken: Proposed,
    /// The new one, with the rest.
    pub rest: Proposed,
}

impl From<split::Parts> for Split {
    fn from(parts: split::Parts) -> Self {
        Self { taken: parts.taken.into(), rest: parts.rest.into() }
    }
}

/// An effect that another proposal has had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AlreadyDone {
    /// The effect key.
    pub key: String,
    /// The proposal that had it.
    pub proposal: u64,
}

impl From<submit::Proposed> for Proposed {
    fn from(proposed: submit::Proposed) -> Self {
        let already_done =
            proposed.already_done.into_iter().map(|(key, proposal)| AlreadyDone { key, proposal });
        let moved_hunks = proposed.moved_hunks.iter().map(|(path, moved)| MovedHunkOf {
            path: path.to_string(),
            hunk: moved.hunk,
            line: moved.line,
            found: moved.found,
        });
        Self {
            proposal: proposed.number,
            id: proposed.id,
            revision: proposed.revision,
            digest: proposed.digest,
            state: proposed.state,
            created: proposed.created,
            replayed: proposed.replayed,
            possible_duplicates: proposed.possible_duplicates,
            already_done: already_done.collect(),
            moved_hunks: moved_hunks.collect(),
            stale: !proposed.moved.is_empty(),
            moved: proposed.moved.iter().map(Moved::from).collect(),
        }
    }
}
