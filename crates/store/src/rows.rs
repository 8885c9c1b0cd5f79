//! What stores keep and give back, as plain data. Ids are never names, times are milliseconds.

use sekali_core::change::{JsonForm, MovedHunk, NetChange, Version};
use sekali_core::decide::{ClosedFacts, OpenFacts};
use sekali_core::diff;
use sekali_core::hash::{Commitment, ContentHash, Digest, LeafHash, Salt};
use sekali_core::revision::EffectKey;
use sekali_core::talk::{Anchor, CommentKind};
use sekali_core::{
    ActorId, ActorKind, CommentId, DocPath, Door, Mode, Op, ProposalId, Role, RoomId, State, StoreId,
    Timestamp,
};

/// A room's key within one store; its identity elsewhere is the [`RoomId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomKey(pub i64);

/// What a store says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreFacts {
    /// The store's id.
    pub id: StoreId,
    /// Where it is, as people name it.
    pub place: String,
    /// The version of its schema.
    pub format: u32,
    /// The driver and its version.
    pub driver: String,
    /// Bytes of the write-ahead log.
    pub wal_bytes: u64,
    /// What a person should know.
    pub warnings: Vec<Warning>,
}

/// Something that is not wrong yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What programs branch on.
    pub code: &'static str,
    /// One English sentence.
    pub detail: String,
}

/// A room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomRow {
    /// Within this store.
    pub key: RoomKey,
    /// Everywhere.
    pub id: RoomId,
    /// Fixed, for people and addresses.
    pub slug: String,
    /// Renamable.
    pub title: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// How many proposals stand where. Expired ones count as open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Waiting or expired.
    pub open: u64,
    /// Applied.
    pub applied: u64,
    /// Rejected.
    pub rejected: u64,
    /// Withdrawn.
    pub withdrawn: u64,
}

/// The head of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadRow {
    /// Entries of the ledger.
    pub size: u64,
    /// Root of the ledger's tree.
    pub root: [u8; 32],
    /// Leaf of the last entry; zeros before the first.
    pub prev: LeafHash,
    /// The last instant written in the room.
    pub last_at: Timestamp,
    /// Grows with each committed write of the room.
    pub change_seq: u64,
    /// How many proposals stand where.
    pub counts: Counts,
}

/// A person, agent, source or system user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorRow {
    /// The id that entries quote.
    pub id: ActorId,
    /// What it is.
    pub kind: ActorKind,
    /// Its name; unique in the room among its kind.
    pub name: String,
    /// A person's role; `None` for everyone else, and for a person who lost theirs.
    pub role: Option<Role>,
    /// When it came.
    pub added_at: Timestamp,
}

/// A proposal that waits, with what its digest covers beside its changes and effect keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingRow {
    /// Its open row.
    pub open: OpenFacts,
    /// The revision's title.
    pub title: String,
    /// Its reason.
    pub why: String,
    /// Who wrote it.
    pub author: ActorId,
    /// How many documents it changes.
    pub documents: u64,
}

/// What never changes about a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRow {
    /// The id that Apply claims.
    pub id: ProposalId,
    /// For people, from 1.
    pub number: u64,
    /// Who submitted it.
    pub author: ActorId,
    /// Through which door.
    pub door: Door,
    /// When.
    pub created_at: Timestamp,
    /// An id of the caller's.
    pub correlation: Option<String>,
}

/// What a revision touches, in figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Touches {
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// Documents changed.
    pub documents: u64,
}

/// One revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionRow {
    /// From 1.
    pub revision: u32,
    /// Of the canonical bytes.
    pub digest: Digest,
    /// One line.
    pub title: String,
    /// Markdown.
    pub why: String,
    /// Who wrote it.
    pub author: ActorId,
    /// Until when it may be applied.
    pub valid_until: Option<Timestamp>,
    /// When it was written.
    pub created_at: Timestamp,
    /// In figures.
    pub touches: Touches,
    /// What it does, permanently.
    pub effect_keys: Vec<EffectKey>,
    /// The bytes under the digest.
    pub canonical: Vec<u8>,
    /// The fingerprint of its changes alone.
    pub content_fingerprint: [u8; 32],
    /// The revision of the same proposal that was carried onto newer documents to make it.
    pub rebased_from: Option<u32>,
}

/// A revision with everything that is written with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision {
    /// The revision; when it is written is said beside it.
    pub row: RevisionRow,
    /// Its changes, in order.
    pub changes: Vec<ChangeRow>,
    /// The content that each of them leaves.
    pub contents: Vec<Option<ContentRow>>,
    /// What was submitted in another form than whole content.
    pub submitted: Vec<SubmittedRow>,
}

/// A form of change that is not whole content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubmittedForm {
    /// A unified diff.
    Patch,
    /// JSON Patch.
    JsonPatch,
    /// JSON Merge Patch.
    MergePatch,
}

impl SubmittedForm {
    /// Every form.
    pub const ALL: &'static [Self] = &[Self::Patch, Self::JsonPatch, Self::MergePatch];

    /// The word in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::JsonPatch => JsonForm::Patch.as_str(),
            Self::MergePatch => JsonForm::MergePatch.as_str(),
        }
    }

    /// The edit of JSON values that it is, if it is one.
    pub const fn json(self) -> Option<JsonForm> {
        match self {
            Self::Patch => None,
            Self::JsonPatch => Some(JsonForm::Patch),
            Self::MergePatch => Some(JsonForm::MergePatch),
        }
    }
}

impl From<JsonForm> for SubmittedForm {
    fn from(form: JsonForm) -> Self {
        match form {
            JsonForm::Patch => Self::JsonPatch,
            JsonForm::MergePatch => Self::MergePatch,
        }
    }
}

/// What was submitted in another form than whole content, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedRow {
    /// Which form.
    pub form: SubmittedForm,
    /// The document; a patch names its documents itself.
    pub path: Option<DocPath>,
    /// How many leading components of a patch's names were taken away, if it was said.
    pub strip: Option<u32>,
    /// The bytes.
    pub body: Vec<u8>,
}

/// How one proposal has to do with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// It takes back what the other did.
    Reverts,
    /// It was split from the other.
    SplitFrom,
}

impl LinkKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[Self::Reverts, Self::SplitFrom];

    /// The word in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reverts => "reverts",
            Self::SplitFrom => "split_from",
        }
    }
}

/// A link as one of its two proposals sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkRow {
    /// The other proposal's number.
    pub number: u64,
    /// How.
    pub kind: LinkKind,
    /// The proposal that was asked for is the one that does so; else it is the other.
    pub outgoing: bool,
    /// The other proposal.
    pub other: ProposalId,
}

/// One net change with what lists show of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRow {
    /// The change.
    pub change: NetChange,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// One side is not text.
    pub binary: bool,
    /// The base that the submission carried, verbatim.
    pub submitted_base: Option<String>,
    /// Hunks of its patch that were found elsewhere than they say.
    pub moved: Vec<MovedHunk>,
}

impl ChangeRow {
    /// Its content changes, and is too large for lines to be counted.
    pub fn uncounted(&self) -> bool {
        let (base, after) = (self.change.base.as_ref(), self.change.after.as_ref());
        let large = |side: Option<&Version>| side.is_some_and(|side| side.bytes > diff::TOO_LARGE as u64);
        !self.binary
            && base.map(|side| side.hash) != after.map(|side| side.hash)
            && (large(base) || large(after))
    }
}

/// Content with the salt that it shares its life with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentRow {
    /// Random.
    pub salt: Salt,
    /// Of the content under the salt.
    pub commitment: Commitment,
    /// The bytes.
    pub content: Vec<u8>,
}

/// The key of a version: the entry that made it and the change within.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VersionKey {
    /// The ledger entry.
    pub seq: u64,
    /// The change within it, from 0.
    pub ordinal: u32,
}

/// A document as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    /// Exactly as written.
    pub path: DocPath,
    /// The version that made it so.
    pub version: VersionKey,
    /// What it holds.
    pub content: Version,
}

/// One version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRow {
    /// Its key.
    pub version: VersionKey,
    /// What happened.
    pub op: Op,
    /// The path afterwards; of a deleted one, before.
    pub path: DocPath,
    /// Where a renamed document was.
    pub from: Option<DocPath>,
    /// The proposal that made it.
    pub proposal: ProposalId,
    /// The revision of it.
    pub revision: u32,
    /// What it holds; `None` after a delete.
    pub content: Option<Version>,
    /// The version before it.
    pub previous: Option<VersionKey>,
}

/// What a document held before it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    /// Its commitment: the entry's `before`.
    pub commitment: Commitment,
    /// Its version.
    pub version: VersionKey,
}

/// What claiming writes: the fence and the receipt in one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRow {
    /// The proposal.
    pub proposal: ProposalId,
    /// The revision that is applied.
    pub revision: u32,
    /// Its digest.
    pub digest: Digest,
    /// By whom.
    pub actor: ActorId,
    /// Through which door.
    pub door: Door,
    /// As which user of the operating system.
    pub os_user: Option<ActorId>,
    /// `digest` or `none`.
    pub seen: &'static str,
    /// When: the transaction's now.
    pub at: Timestamp,
}

/// A decision other than Apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseRow {
    /// Rejected or withdrawn.
    pub state: State,
    /// The revision that was decided.
    pub revision: u32,
    /// Its digest.
    pub digest: Digest,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub actor: ActorId,
    /// Why.
    pub reason: Option<String>,
    /// The entry.
    pub seq: u64,
}

/// An appended entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// From 1.
    pub seq: u64,
    /// Of the entry's bytes.
    pub leaf: LeafHash,
}

/// A stored entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRow {
    /// From 1.
    pub seq: u64,
    /// The hashed bytes.
    pub bytes: Vec<u8>,
    /// Their leaf.
    pub leaf: LeafHash,
}

/// Who had an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EffectWinner {
    /// The proposal.
    pub proposal: ProposalId,
    /// Its number.
    pub number: u64,
}

/// A kept idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reservation {
    /// Of the submission that came with it.
    pub fingerprint: [u8; 32],
    /// The proposal that it made.
    pub proposal: ProposalId,
}

/// Where a repeat was stopped. The variants stand in the order of their words, by which lists go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Apply was pressed again.
    Apply,
    /// Another proposal would have had the same effect.
    Effect,
    /// A submission came again under its key.
    Key,
}

impl Layer {
    /// The word in tables and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Apply => "apply",
            Self::Key => "key",
            Self::Effect => "effect",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Apply, Self::Effect, Self::Key].into_iter().find(|l| l.as_str() == word)
    }
}

/// A repeat to be written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatNote {
    /// Where it was stopped.
    pub layer: Layer,
    /// Whose keys these are: the submitter's id for `key`, the room's for the others.
    pub source: [u8; 16],
    /// The proposal's id, the idempotency key or the effect key.
    pub key: Vec<u8>,
    /// The proposal whose receipt or row answered.
    pub proposal: ProposalId,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub actor: ActorId,
    /// Through which door.
    pub door: Door,
    /// As which user of the operating system.
    pub os_user: Option<ActorId>,
    /// What came, where that can differ.
    pub fingerprint: Option<[u8; 32]>,
    /// It came with other content.
    pub other_content: bool,
}

/// The evidence of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatRow {
    /// Where it was stopped.
    pub layer: Layer,
    /// Whose keys these are.
    pub source: [u8; 16],
    /// The key.
    pub key: Vec<u8>,
    /// The proposal whose receipt or row answered.
    pub proposal: ProposalId,
    /// Its number.
    pub number: u64,
    /// How often.
    pub count: u64,
    /// How often with other content.
    pub other_content: u64,
    /// The first time.
    pub first_at: Timestamp,
    /// The last time.
    pub last_at: Timestamp,
}

/// Where a row of evidence stands in its list, whose order this is: what a page ended with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepeatMark {
    /// The last time.
    pub at: Timestamp,
    /// Where it was stopped.
    pub layer: Layer,
    /// Whose keys these are.
    pub source: [u8; 16],
    /// The key.
    pub key: Vec<u8>,
}

impl RepeatRow {
    /// Where it stands in its list.
    pub fn mark(&self) -> RepeatMark {
        RepeatMark { at: self.last_at, layer: self.layer, source: self.source, key: self.key.clone() }
    }
}

/// One kept attempt: the first twenty and the last twenty of each key are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRow {
    /// The n-th repeat, from 1.
    pub n: u64,
    /// When.
    pub at: Timestamp,
    /// By whom, by name.
    pub actor: String,
    /// Through which door.
    pub door: Door,
    /// What came, where that can differ.
    pub fingerprint: Option<[u8; 32]>,
}

/// First and last attempts kept of each key, each.
pub const KEPT_ATTEMPTS: u64 = 20;
/// Different fingerprints kept of each key.
pub const KEPT_FINGERPRINTS: u64 = 8;

/// Where the n-th attempt is kept: the first twenty stay, the last twenty take turns.
pub const fn attempt_slot(n: u64) -> u64 {
    if n <= KEPT_ATTEMPTS { n } else { KEPT_ATTEMPTS + 1 + (n - KEPT_ATTEMPTS - 1) % KEPT_ATTEMPTS }
}

/// One row of a list of proposals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRow {
    /// Its id, which also orders the list.
    pub id: ProposalId,
    /// Its number.
    pub number: u64,
    /// Of the current revision.
    pub title: String,
    /// The author of the proposal.
    pub author: ActorRow,
    /// When it was submitted.
    pub created_at: Timestamp,
    /// The current revision.
    pub revision: u32,
    /// Its digest.
    pub digest: Digest,
    /// In figures.
    pub touches: Touches,
    /// Where it stands.
    pub state: State,
    /// A waiting one whose base has moved.
    pub stale: bool,
}

/// A comment on a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentRow {
    /// Within the proposal's talk, from 1 and dense.
    pub number: u32,
    /// By which it is looked for.
    pub id: CommentId,
    /// What it does.
    pub kind: CommentKind,
    /// The comment that it answers.
    pub answers: Option<u32>,
    /// Who said it.
    pub author: ActorId,
    /// Through which door.
    pub door: Door,
    /// When.
    pub at: Timestamp,
    /// The revision that was read.
    pub revision: u32,
    /// The line that it is on.
    pub line: Option<Anchor>,
    /// Markdown.
    pub text: String,
}

/// A comment with the idempotency key that it came under, and what that stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewComment {
    /// The comment; its number is given by the store.
    pub row: CommentRow,
    /// The key and its fingerprint.
    pub key: Option<(String, [u8; 32])>,
}

/// A comment as its idempotency key or its id finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundComment {
    /// The proposal that it is on.
    pub proposal: ProposalId,
    /// The comment.
    pub row: CommentRow,
    /// What its key stands for, if it came under one.
    pub fingerprint: Option<[u8; 32]>,
}

/// What is said about a proposal, in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TalkRow {
    /// How many comments there are.
    pub count: u32,
    /// Those that ask for changes and have no answer yet: the first eight.
    pub open_asks: Vec<u32>,
    /// The last one.
    pub last: Option<CommentRow>,
}

/// Comments that ask for changes, as they are named.
pub const NAMED_ASKS: usize = 8;

/// Which proposals to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListQuery {
    /// In this state; all without.
    pub state: Option<State>,
    /// Older than this one.
    pub before: Option<ProposalId>,
    /// The instant by which expiry is derived; `None` while the clock is behind: nothing expires.
    pub now: Option<Timestamp>,
    /// At most so many.
    pub limit: u32,
}

/// A new document or a new state of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument<'a> {
    /// Exactly as written.
    pub path: &'a DocPath,
    /// The version that makes it so.
    pub version: VersionKey,
    /// What it holds.
    pub content: &'a Version,
}

/// What a closed row becomes for decisions.
pub type TakenClosed = ClosedFacts;

/// The parts of a base that are compared: content and mode, by value.
pub fn base_parts(version: &Version) -> (&ContentHash, Mode) {
    (&version.hash, version.mode)
}
