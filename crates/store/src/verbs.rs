//! The two halves of a store: what can be read in a snapshot, and what can be written inside one
//! write transaction. A write job may run again, so it touches nothing outside the transaction.
//!
//! Every verb fails with what its driver fails with, as a [`StoreError`]; none of them refuses.

#![expect(clippy::missing_errors_doc, reason = "said once, above: every verb fails alike")]

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sekali_core::change::Version;
use sekali_core::decide::{AppliedFacts, ClosedFacts, OpenFacts, Standing};
use sekali_core::hash::Commitment;
use sekali_core::ledger::Draft;
use sekali_core::revision::EffectKey;
use sekali_core::time::{Now, Timestamp};
use sekali_core::{ActorId, ActorKind, CommentId, Digest, DocPath, ProposalId, Role, RoomId};

use crate::error::StoreError;
use crate::rows::{
    ActorRow, Appended, AttemptRow, ChangeRow, ClaimRow, CloseRow, CommentRow, ContentRow, DocumentRow,
    EffectWinner, EntryRow, FoundComment, HeadRow, Layer, LinkKind, LinkRow, ListQuery, ListedRow,
    NewComment, NewDocument, NewRevision, ProposalRow, RepeatMark, RepeatNote, RepeatRow, Replaced,
    Reservation, RevisionRow, RoomKey, RoomRow, StoreFacts, SubmittedRow, TalkRow, VersionKey, VersionRow,
    WaitingRow,
};

type Result<T> = std::result::Result<T, StoreError>;

/// Reading, in one snapshot.
pub trait Read {
    /// The instant as the store's clock sees it, without writing it down.
    fn now(&self, room: RoomKey) -> Result<Now>;
    /// The instant of the store's clock alone, for what belongs to no room yet.
    fn wall(&self) -> Timestamp;
    /// All rooms, in the order in which they were made.
    fn rooms(&self) -> Result<Vec<RoomRow>>;
    /// The head of a room.
    fn head(&self, room: RoomKey) -> Result<HeadRow>;
    /// Open proposals whose validity has ended.
    fn count_expired(&self, room: RoomKey, now: Now) -> Result<u64>;
    /// An actor by id.
    fn actor(&self, room: RoomKey, id: ActorId) -> Result<Option<ActorRow>>;
    /// An actor by kind and name.
    fn actor_named(&self, room: RoomKey, kind: ActorKind, name: &str) -> Result<Option<ActorRow>>;
    /// All actors but system users, by name.
    fn actors(&self, room: RoomKey) -> Result<Vec<ActorRow>>;
    /// A proposal by its number.
    fn proposal(&self, room: RoomKey, number: u64) -> Result<Option<ProposalRow>>;
    /// A proposal by its id.
    fn proposal_by_id(&self, room: RoomKey, id: ProposalId) -> Result<Option<ProposalRow>>;
    /// A proposal by its number, with its open revision if it waits: what Apply plans from.
    fn proposal_with_open(
        &self,
        room: RoomKey,
        number: u64,
    ) -> Result<Option<(ProposalRow, Option<WaitingRow>)>>;
    /// The effect keys of a revision, in order.
    fn effect_keys(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<EffectKey>>;
    /// Where a proposal stands: open, else closed, else applied (Apply asks while its own claim
    /// stands, and must not read that as the answer).
    fn standing(&self, room: RoomKey, id: ProposalId) -> Result<Option<Standing>>;
    /// The receipt of an applied proposal.
    fn receipt(&self, room: RoomKey, id: ProposalId) -> Result<Option<AppliedFacts>>;
    /// One revision.
    fn revision(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Option<RevisionRow>>;
    /// All revisions of a proposal, first to last.
    fn revisions(&self, room: RoomKey, id: ProposalId) -> Result<Vec<RevisionRow>>;
    /// The changes of a revision, in order.
    fn changes(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<ChangeRow>>;
    /// What a revision was submitted as, in other forms than whole content, in order.
    fn submitted(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<SubmittedRow>>;
    /// The links of a proposal, both ways, by the numbers of the others.
    fn links(&self, room: RoomKey, id: ProposalId) -> Result<Vec<LinkRow>>;
    /// The content after one change of a revision; `None` once erased or where there is none.
    fn content(
        &self,
        room: RoomKey,
        id: ProposalId,
        revision: u32,
        ordinal: u32,
    ) -> Result<Option<ContentRow>>;
    /// The document at a path, compared by its key.
    fn document(&self, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>>;
    /// The nearest document that stands where this path needs a folder.
    fn above(&self, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>>;
    /// Documents for which this path is a folder, in the order of their keys, after one.
    fn below(
        &self,
        room: RoomKey,
        path: &DocPath,
        after: Option<&DocPath>,
        limit: u32,
    ) -> Result<Vec<DocumentRow>>;
    /// Documents in the order of their keys, after one.
    fn documents(&self, room: RoomKey, after: Option<&str>, limit: u32) -> Result<Vec<DocumentRow>>;
    /// The version that last took a document away from this path, or the last one before `before`.
    fn departed(
        &self,
        room: RoomKey,
        path: &DocPath,
        before: Option<VersionKey>,
    ) -> Result<Option<VersionKey>>;
    /// One version.
    fn version(&self, room: RoomKey, version: VersionKey) -> Result<Option<VersionRow>>;
    /// Entries after one, in order.
    fn entries(&self, room: RoomKey, after: u64, limit: u32) -> Result<Vec<EntryRow>>;
    /// Who had an effect.
    fn effect(&self, room: RoomKey, key: &EffectKey) -> Result<Option<EffectWinner>>;
    /// Other proposals that name an effect key in their current revision, open or applied: the
    /// first eight by number.
    fn naming_effect(&self, room: RoomKey, key: &EffectKey, but: ProposalId) -> Result<Vec<u64>>;
    /// A kept idempotency key.
    fn reservation(&self, room: RoomKey, actor: ActorId, key: &str) -> Result<Option<Reservation>>;
    /// Other proposals with a revision of equal changes, oldest first, at most eight.
    fn similar(&self, room: RoomKey, fingerprint: &[u8; 32], but: Option<ProposalId>) -> Result<Vec<u64>>;
    /// One page of proposals, newest first.
    fn list(&self, room: RoomKey, query: ListQuery) -> Result<Vec<ListedRow>>;
    /// Evidence by its marks, last first; `before` is the mark of the last row of the page before.
    fn repeats(&self, room: RoomKey, before: Option<RepeatMark>, limit: u32) -> Result<Vec<RepeatRow>>;
    /// The evidence of one key.
    fn repeat_of(
        &self,
        room: RoomKey,
        layer: Layer,
        source: [u8; 16],
        key: &[u8],
    ) -> Result<Option<RepeatRow>>;
    /// Comments on a proposal after one, in order.
    fn comments(&self, room: RoomKey, id: ProposalId, after: u32, limit: u32) -> Result<Vec<CommentRow>>;
    /// What is said about a proposal, in short.
    fn talk(&self, room: RoomKey, id: ProposalId) -> Result<TalkRow>;
    /// The comment that came under an idempotency key (scope: room and author).
    fn comment_keyed(&self, room: RoomKey, author: ActorId, key: &str) -> Result<Option<FoundComment>>;
    /// A comment by its id.
    fn comment_by_id(&self, room: RoomKey, id: CommentId) -> Result<Option<FoundComment>>;
    /// The kept attempts of one key, in order.
    fn attempts(&self, room: RoomKey, layer: Layer, source: [u8; 16], key: &[u8]) -> Result<Vec<AttemptRow>>;
}

/// Writing, inside one transaction. Each verb is safe by a constraint, not by a check before it.
pub trait Write: Read {
    /// Makes a room with an empty ledger. `None` if the slug is taken.
    fn create_room(&mut self, id: RoomId, slug: &str, title: &str, at: Timestamp) -> Result<Option<RoomKey>>;
    /// Adds an actor. `false` if the name is taken among its kind.
    fn add_actor(&mut self, room: RoomKey, actor: &ActorRow) -> Result<bool>;
    /// Sets a person's role.
    fn set_role(&mut self, room: RoomKey, actor: ActorId, role: Option<Role>) -> Result<()>;
    /// The system user's id in the room, added when first seen.
    fn os_user(&mut self, room: RoomKey, name: &str, fresh: ActorId, at: Timestamp) -> Result<ActorId>;
    /// The next number for a proposal.
    fn next_number(&mut self, room: RoomKey) -> Result<u64>;
    /// Keeps an idempotency key, or gives the one that is kept (scope: room and actor).
    fn reserve(
        &mut self,
        room: RoomKey,
        actor: ActorId,
        key: &str,
        reservation: Reservation,
    ) -> Result<Option<Reservation>>;
    /// Writes what never changes about a proposal.
    fn insert_proposal(&mut self, room: RoomKey, proposal: &ProposalRow) -> Result<()>;
    /// Writes a revision with its changes, their contents and what was submitted. It is made at `at`.
    fn insert_revision(
        &mut self,
        room: RoomKey,
        id: ProposalId,
        at: Timestamp,
        new: &NewRevision,
    ) -> Result<()>;
    /// Says for ever how a proposal has to do with another one.
    fn link(&mut self, room: RoomKey, id: ProposalId, kind: LinkKind, other: ProposalId) -> Result<()>;
    /// Opens a proposal: it waits.
    fn open(&mut self, room: RoomKey, id: ProposalId, open: &OpenFacts) -> Result<()>;
    /// Takes the open row if it has this digest: every transition does (P1). What the row said is under
    /// the digest.
    fn take_open(&mut self, room: RoomKey, id: ProposalId, digest: &Digest) -> Result<bool>;
    /// Replaces the open row if it has this digest.
    fn swap_open(&mut self, room: RoomKey, id: ProposalId, digest: &Digest, new: &OpenFacts) -> Result<bool>;
    /// Writes a decision other than Apply.
    fn close(&mut self, room: RoomKey, id: ProposalId, row: &CloseRow) -> Result<()>;
    /// Takes the row of a rejected proposal if it has this digest, so that it can be opened again.
    fn take_rejected(
        &mut self,
        room: RoomKey,
        id: ProposalId,
        digest: &Digest,
    ) -> Result<Option<ClosedFacts>>;
    /// The fence (P1): claims the proposal with its receipt, and gives the number of its entry. `None`
    /// where a claim is there already: [`Read::receipt`] says which.
    fn claim(&mut self, room: RoomKey, claim: &ClaimRow) -> Result<Option<u64>>;
    /// Claims an effect for ever, or names who had it.
    fn claim_effect(
        &mut self,
        room: RoomKey,
        key: &EffectKey,
        proposal: ProposalId,
    ) -> Result<Option<EffectWinner>>;
    /// Writes a document that must be what `base` says, by content and mode, at exactly this path
    /// (a rename that only changed its spelling has moved it).
    fn replace_document(
        &mut self,
        room: RoomKey,
        base: &Version,
        new: &NewDocument<'_>,
    ) -> Result<Option<Replaced>>;
    /// Takes away a document that must be what `base` says, at exactly this path; `by` is the
    /// version that does it.
    fn take_document(
        &mut self,
        room: RoomKey,
        path: &DocPath,
        base: &Version,
        by: VersionKey,
    ) -> Result<Option<Replaced>>;
    /// Writes a document where nothing may be: not at the path, nor where it needs a folder, nor
    /// below it, for a path is a document or a folder and never both.
    fn create_document(&mut self, room: RoomKey, new: &NewDocument<'_>) -> Result<bool>;
    /// Writes a version into history.
    fn insert_version(&mut self, room: RoomKey, version: &VersionRow) -> Result<()>;
    /// Appends a ledger entry and advances the head.
    fn append(
        &mut self,
        room: RoomKey,
        draft: &Draft,
        at: Timestamp,
        before: &[Option<Commitment>],
    ) -> Result<Appended>;
    /// Writes a comment and gives it the next number of its proposal. `None` where there is one under the
    /// same key: [`Read::comment_keyed`] says which.
    fn comment(&mut self, room: RoomKey, proposal: ProposalId, new: &NewComment) -> Result<Option<u32>>;
    /// Writes a repeat down and says the how-manieth it is.
    fn note_repeat(&mut self, room: RoomKey, note: &RepeatNote) -> Result<u64>;
}

/// What a write job wants done with what it wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Commit it.
    Keep,
    /// Roll it back: a refusal leaves nothing.
    Undo,
}

/// A write job. It may run again after a failure of its group.
pub type Job = dyn Fn(&mut dyn Write) -> Result<Verdict> + Send + Sync;

/// A store of rooms.
pub trait Store: Send + Sync {
    /// What the store says of itself.
    fn facts(&self) -> Result<StoreFacts>;
    /// Runs a read job in one snapshot. It may run again, where a snapshot did not hold to its end.
    fn read(&self, job: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()>;
    /// The same for whoever is going to write, and will check it then: the snapshot may be a moment
    /// old, so that those who plan at the same time can share one.
    fn glance(&self, job: &mut dyn FnMut(&dyn Read) -> Result<()>) -> Result<()> {
        self.read(job)
    }
    /// Runs a write job in one write transaction; answers after its commit.
    fn write(&self, job: Arc<Job>) -> Result<()>;
    /// The same, at once, if nobody else writes or waits for it; `None`, and nothing has run, if
    /// somebody does. Such a job may read a few rows first, since it keeps nobody waiting. A store may
    /// always answer `None`.
    fn write_alone(&self, job: Arc<Job>) -> Option<Result<()>> {
        drop(job);
        None
    }
    /// The room's `change_seq` once it is beyond `after`, or what it is when the time is over.
    fn wait_for_change(&self, room: RoomKey, after: u64, timeout: Duration) -> Result<u64>;
}

/// Reads a value in one snapshot.
///
/// # Errors
/// What the job or the store fails with.
pub fn read<T, E: From<StoreError>>(
    store: &dyn Store,
    job: impl Fn(&dyn Read) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let mut answer = None;
    store.read(&mut |tx| {
        answer = Some(job(tx));
        Ok(())
    })?;
    answer.expect("a store that read without failing has run the job")
}

/// Reads a value that is checked again by the write that follows: [`Store::glance`].
///
/// # Errors
/// What the job or the store fails with.
pub fn glance<T, E: From<StoreError>>(
    store: &dyn Store,
    job: impl Fn(&dyn Read) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let mut answer = None;
    store.glance(&mut |tx| {
        answer = Some(job(tx));
        Ok(())
    })?;
    answer.expect("a store that read without failing has run the job")
}

/// Writes in one transaction and gives the job's answer after its commit.
///
/// # Errors
/// What the job or the store fails with.
pub fn write<T: Send + 'static>(
    store: &dyn Store,
    job: impl Fn(&mut dyn Write) -> Result<(Verdict, T)> + Send + Sync + 'static,
) -> Result<T> {
    let (job, slot) = with_answer(job);
    store.write(job)?;
    answer_in(&slot)
}

/// The same if nobody else writes: [`Store::write_alone`].
///
/// # Errors
/// What the job or the store fails with.
pub fn write_alone<T: Send + 'static>(
    store: &dyn Store,
    job: impl Fn(&mut dyn Write) -> Result<(Verdict, T)> + Send + Sync + 'static,
) -> Option<Result<T>> {
    let (job, slot) = with_answer(job);
    store.write_alone(job).map(|done| done.and_then(|()| answer_in(&slot)))
}

/// Where a job leaves its answer.
type Slot<T> = Arc<Mutex<Option<T>>>;

fn with_answer<T: Send + 'static>(
    job: impl Fn(&mut dyn Write) -> Result<(Verdict, T)> + Send + Sync + 'static,
) -> (Arc<Job>, Slot<T>) {
    let slot = Slot::default();
    let inner = Arc::clone(&slot);
    let job = Arc::new(move |tx: &mut dyn Write| {
        let (verdict, answer) = job(tx)?;
        *inner.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        Ok(verdict)
    });
    (job, slot)
}

fn answer_in<T>(slot: &Slot<T>) -> Result<T> {
    let answer = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    answer.ok_or_else(|| {
        StoreError::new(sekali_core::Code::Internal, "A write was acknowledged without its answer.")
    })
}

/// The wall clock, as a store is given one.
pub trait Clock: Send + Sync {
    /// The wall clock's instant.
    fn wall(&self) -> Timestamp;
}

/// The operating system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn wall(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
