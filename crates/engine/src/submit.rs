//! Submitting and revising: the one transaction of each, and the answer to a key that was kept. How
//! a submission is resolved before that is in `prepare`.

pub(crate) mod prepare;

use std::sync::Arc;

use sekali_core::change::{MovedHunk, NetChange};
use sekali_core::decide::{self, Displaced};
use sekali_core::hash::Digest;
use sekali_core::revision::EffectKey;
use sekali_core::role::{self, Action, State};
use sekali_core::submission::{Submission, derived_effect_key};
use sekali_core::{ActorId, Code, DocPath, Lang, ProposalId, Refusal, Timestamp};
use sekali_store::{
    ActorRow, ChangeRow, Layer, LinkKind, ProposalRow, Read, RepeatNote, Reservation, RoomKey, RoomRow,
    StoreError, Verdict, Write, read, write,
};
use std::collections::HashSet;
use uuid::Uuid;

use self::prepare::Prepared;
pub(crate) use self::prepare::{FOLDER_PAGE, content_of};
use crate::apply::documents::displaced;
use crate::rooms::refused;
use crate::{Answer, Caller, Engine, Failure, acting, keep, no_proposal, refuse, unknown};

/// What a submission became.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Proposed {
    /// Its number.
    pub number: u64,
    /// Its id.
    pub id: ProposalId,
    /// The revision that was written, or the present one of a replay.
    pub revision: u32,
    /// Its digest.
    pub digest: Digest,
    /// Where it stands.
    pub state: State,
    /// It came under a key that had made this proposal before; nothing was written.
    pub replayed: bool,
    /// Other proposals with equal changes.
    pub possible_duplicates: Vec<u64>,
    /// Effects that other proposals have had: Apply will refuse.
    pub already_done: Vec<(String, u64)>,
    /// Hunks of its patches that were found elsewhere than they say, by document.
    pub moved_hunks: Vec<(DocPath, MovedHunk)>,
    /// What it is based on and is no longer there: Apply will refuse until it is rebased.
    pub moved: Vec<Displaced>,
    /// This call has written something.
    pub created: bool,
}

impl Engine {
    /// Submits a proposal. Under an idempotency key, the same content again is the first proposal. A
    /// carried base that is no longer current is kept: the proposal waits on it, to be rebased.
    ///
    /// # Errors
    /// Refusals that name the field, `patch.invalid`, `patch.mismatch`, `proposal.no_change`,
    /// `proposal.stale` for a carried base that no version had, `key.reused`, `actor.denied`.
    pub fn submit(&self, caller: &Caller, room: &str, submission: Submission) -> Result<Proposed, Failure> {
        let submission = submission.checked()?;
        let room = self.room(room)?;
        let author = read(self.store(), |tx| acting(tx, room.key, caller, Action::Propose))?;
        let fingerprint = submission.fingerprint();
        // A repeat is answered from the key before anything is resolved: its base may have moved
        // by its own first application.
        if let Some(key) = submission.key.clone()
            && let Some(kept) = read(self.store(), |tx| tx.reservation(room.key, author.id, &key))?
        {
            return self.repeated(caller, &room, &author, &key, fingerprint, kept);
        }
        let id = ProposalId::new(Uuid::now_v7());
        let effect_keys = effect_keys(&room, author.id, &submission);
        let prepared = self.prepare(&room, id, 1, author.id, &submission, &effect_keys)?;
        let new = Arc::new(New {
            id,
            room: room.clone(),
            caller: caller.clone(),
            author: author.id,
            key: submission.key.clone(),
            correlation: submission.correlation.clone(),
            fingerprint,
            prepared,
            links: Vec::new(),
        });
        self.propose(&author, &new)
    }

    /// Writes a new proposal, or answers from the key that it came under.
    pub(crate) fn propose(&self, author: &ActorRow, new: &Arc<New>) -> Result<Proposed, Failure> {
        match (self.write_new(new)??, &new.key) {
            (Written::New(proposed), _) => Ok(proposed),
            (Written::Kept(kept), Some(key)) => {
                self.repeated(&new.caller, &new.room, author, key, new.fingerprint, kept)
            }
            (Written::Kept(_), None) => {
                Err(StoreError::new(Code::Internal, "A key was found for a submission without one.").into())
            }
        }
    }

    /// Writes a new proposal. Where its commit may or may not have landed it is looked for by its id,
    /// in a transaction of its own: only a later commit that succeeded makes an absence final, and
    /// then it is written after all. So a submission without a key, too, is there once or not at all.
    fn write_new(&self, new: &Arc<New>) -> Result<Result<Written, Refusal>, StoreError> {
        let first = Arc::clone(new);
        match write(self.store(), move |tx| first.write(tx)) {
            Err(error) if error.code == Code::StoreOutcomeUnknown => {}
            answer => return answer,
        }
        let (again, id) = (Arc::clone(new), new.id);
        let found = write(self.store(), move |tx| match tx.proposal_by_id(again.room.key, again.id)? {
            Some(_) => keep(again.landed(&*tx)?),
            None => again.write(tx),
        });
        // Neither is known now, whatever it was that failed the second time.
        found.map_err(|error| {
            let [en, said] = [Lang::En, Lang::Id].map(|lang| error.sentence(lang));
            StoreError {
                proposal: Some(id),
                ..StoreError::caused(
                    Code::StoreOutcomeUnknown,
                    format!("Whether the proposal {id} was written is not known yet: {en}"),
                    error,
                )
                .said(format!("Belum pasti apakah usulan {id} tercatat: {said}"))
            }
        })
    }

    /// The number of the proposal with this id.
    ///
    /// # Errors
    /// `proposal.not_found`, and as [`Engine::list`].
    pub fn number_of(&self, caller: &Caller, room: &str, id: ProposalId) -> Result<u64, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let row = tx.proposal_by_id(room.key, id)?;
            let refusal = || {
                Refusal::new(Code::ProposalNotFound, format!("There is no proposal {id} in this room."))
                    .said(format!("Tidak ada usulan {id} di ruang ini."))
                    .with(|f| f.value = Some(id.to_string()))
            };
            Ok(row.ok_or_else(refusal)?.number)
        })
    }

    /// The answer to a key that was kept: the first proposal, or `key.reused`. Both leave evidence.
    pub(crate) fn repeated(
        &self,
        caller: &Caller,
        room: &RoomRow,
        author: &ActorRow,
        key: &str,
        fingerprint: [u8; 32],
        kept: Reservation,
    ) -> Result<Proposed, Failure> {
        let same = kept.fingerprint == fingerprint;
        let room_key = room.key;
        let may =
            move |tx: &dyn Read, caller: &Caller| acting(tx, room_key, caller, Action::Propose).map(drop);
        let note = RepeatNote {
            layer: Layer::Key,
            source: *author.id.as_bytes(),
            key: key.as_bytes().to_vec(),
            proposal: kept.proposal,
            at: Timestamp::from_ms(0),
            actor: author.id,
            door: caller.door,
            os_user: self.os_user(room.key, caller, may).unwrap_or_default(),
            fingerprint: Some(fingerprint),
            other_content: !same,
        };
        // Evidence that cannot be written never turns the answer into an error.
        let _ = self.note(room.key, note);
        let first = read(self.store(), |tx| replay_of(tx, room, kept.proposal))?;
        if same {
            return Ok(first);
        }
        let number = first.number;
        Err(Refusal::field(
            Code::KeyReused,
            "key",
            format!("key: {key:?} was used for #{number} with other content."),
        )
        .said(format!("key: {key:?} sudah dipakai untuk #{number} dengan isi lain."))
        .with(|f| {
            f.proposal = Some(number);
            f.other = Some(number);
            f.value = Some(key.to_owned());
        })
        .into())
    }

    /// Writes evidence in a transaction of its own.
    pub(crate) fn note(&self, room: sekali_store::RoomKey, note: RepeatNote) -> Result<u64, StoreError> {
        write(self.store(), move |tx| {
            let at = tx.now(room)?.at;
            Ok((Verdict::Keep, tx.note_repeat(room, &RepeatNote { at, ..note.clone() })?))
        })
    }

    /// Replaces the content of a waiting proposal by a new revision. `seen` is the digest of the
    /// revision that is replaced, where the caller knows it.
    ///
    /// # Errors
    /// As [`Engine::submit`], and `proposal.changed`, `…already_applied`, `…rejected`, `…withdrawn`.
    pub fn revise(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        seen: Option<Digest>,
        submission: Submission,
    ) -> Result<Proposed, Failure> {
        let submission = submission.checked()?;
        if submission.key.is_some() {
            return Err(Refusal::field(
                Code::ProposalInvalid,
                "key",
                "key: a revision has none; it belongs to the proposal it replaces a revision of.",
            )
            .said("key: revisi tidak punya kunci; kunci milik usulan yang revisinya diganti.")
            .into());
        }
        let room = self.room(room)?;
        let (proposal, author, current) = read(self.store(), |tx| -> Result<_, Failure> {
            let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?;
            let author = may_revise(tx, &room, caller, &proposal)?;
            let standing = tx.standing(room.key, proposal.id)?.ok_or_else(|| no_proposal(number))?;
            let decide::Standing::Open(open) = standing else {
                return Err(decide::not_taken(number, &standing).into());
            };
            let current = tx.revision(room.key, proposal.id, open.revision)?.ok_or_else(lost_revision)?;
            Ok((proposal, author, current))
        })?;
        let replaced = seen.unwrap_or(current.digest);
        // What was derived from the idempotency key stays with the proposal, whatever it becomes.
        let derived = current.effect_keys.iter().filter(|e| e.is_derived()).cloned();
        let named = submission.effect_keys.iter().map(|key| EffectKey { key: key.clone(), generation: 0 });
        let effect_keys: Vec<EffectKey> = derived.chain(named).collect();
        let next = current.revision + 1;
        let prepared = self.prepare(&room, proposal.id, next, author.id, &submission, &effect_keys)?;
        let caller = caller.clone();
        let revised =
            write(self.store(), move |tx| revise_in(tx, &room, &caller, &proposal, replaced, &prepared))?;
        Ok(revised?)
    }
}

/// A new proposal with everything that is known before its transaction.
pub(crate) struct New {
    /// Made before the transaction, so that it can be looked for after one whose outcome is unknown.
    pub(crate) id: ProposalId,
    pub(crate) room: RoomRow,
    pub(crate) caller: Caller,
    pub(crate) author: ActorId,
    pub(crate) key: Option<String>,
    pub(crate) correlation: Option<String>,
    pub(crate) fingerprint: [u8; 32],
    pub(crate) prepared: Prepared,
    /// Proposals that it has to do with.
    pub(crate) links: Vec<(LinkKind, ProposalId)>,
}

impl New {
    fn write(&self, tx: &mut dyn Write) -> Answer<Written> {
        let (room, id) = (self.room.key, self.id);
        // The role may have changed since the snapshot.
        if let Err(failure) = acting(&*tx, room, &self.caller, Action::Propose) {
            return refused(failure);
        }
        let now = tx.now(room)?;
        if let Err(refusal) = in_future(self.prepared.new.row.valid_until, now) {
            return refuse(refusal);
        }
        let number = tx.next_number(room)?;
        let row = ProposalRow {
            id,
            number,
            author: self.author,
            door: self.caller.door,
            created_at: now.at,
            correlation: self.correlation.clone(),
        };
        tx.insert_proposal(room, &row)?;
        if let Some(key) = &self.key {
            let wanted = Reservation { fingerprint: self.fingerprint, proposal: id };
            if let Some(kept) = tx.reserve(room, self.author, key, wanted)? {
                return Ok((Verdict::Undo, Ok(Written::Kept(kept))));
            }
        }
        tx.insert_revision(room, id, now.at, &self.prepared.new)?;
        tx.open(room, id, &self.prepared.open())?;
        for (kind, other) in &self.links {
            tx.link(room, id, *kind, *other)?;
        }
        keep(Written::New(written(&*tx, &self.room, number, id, &self.prepared)?))
    }

    /// It had landed: as things stand, for somebody may have seen it by now.
    fn landed(&self, tx: &dyn Read) -> Result<Written, StoreError> {
        let as_it_stands = replay_of(tx, &self.room, self.id)?;
        let already_done = done_effects(tx, &self.room, self.id, &self.prepared.new.row.effect_keys)?;
        Ok(Written::New(Proposed { replayed: false, created: true, already_done, ..as_it_stands }))
    }
}

pub(crate) enum Written {
    New(Proposed),
    Kept(Reservation),
}

pub(crate) fn revise_in(
    tx: &mut dyn Write,
    room: &RoomRow,
    caller: &Caller,
    proposal: &ProposalRow,
    replaced: Digest,
    prepared: &Prepared,
) -> Answer<Proposed> {
    if let Err(failure) = may_revise(&*tx, room, caller, proposal) {
        return refused(failure);
    }
    let now = tx.now(room.key)?;
    if let Err(refusal) = in_future(prepared.new.row.valid_until, now) {
        return refuse(refusal);
    }
    if !tx.swap_open(room.key, proposal.id, &replaced, &prepared.open())? {
        let standing = tx.standing(room.key, proposal.id)?.ok_or_else(lost_revision)?;
        return refuse(decide::not_taken(proposal.number, &standing));
    }
    tx.insert_revision(room.key, proposal.id, now.at, &prepared.new)?;
    keep(written(&*tx, room, proposal.number, proposal.id, prepared)?)
}

/// Other proposals with a revision of equal changes. Those that it was divided from or into are none: the
/// parts come from one whole. A revert brings back what others had made: it is a duplicate only of what
/// waits beside it.
pub(crate) fn possible_duplicates(
    tx: &dyn Read,
    room: RoomKey,
    id: ProposalId,
    fingerprint: &[u8; 32],
) -> Result<Vec<u64>, StoreError> {
    let mut equal = tx.similar(room, fingerprint, Some(id))?;
    if equal.is_empty() {
        return Ok(equal);
    }
    let links = tx.links(room, id)?;
    if links.iter().any(|link| link.kind == LinkKind::SplitFrom) {
        let parts = parts_of_one(tx, room, id)?;
        equal.retain(|number| !parts.contains(number));
    }
    if links.iter().any(|link| link.kind == LinkKind::Reverts && link.outgoing) {
        let mut waiting = Vec::new();
        for number in equal {
            let Some(proposal) = tx.proposal(room, number)? else { continue };
            if let Some(decide::Standing::Open(_)) = tx.standing(room, proposal.id)? {
                waiting.push(number);
            }
        }
        equal = waiting;
    }
    Ok(equal)
}

/// The numbers of all proposals that were divided from one whole, this one's aside.
fn parts_of_one(tx: &dyn Read, room: RoomKey, id: ProposalId) -> Result<Vec<u64>, StoreError> {
    let (mut numbers, mut seen, mut next) = (Vec::new(), HashSet::from([id]), vec![id]);
    while let Some(part) = next.pop() {
        for link in tx.links(room, part)? {
            if link.kind == LinkKind::SplitFrom && seen.insert(link.other) {
                numbers.push(link.number);
                next.push(link.other);
            }
        }
    }
    Ok(numbers)
}

/// The answer to a revision that this transaction has written.
pub(crate) fn written(
    tx: &dyn Read,
    room: &RoomRow,
    number: u64,
    id: ProposalId,
    prepared: &Prepared,
) -> Result<Proposed, StoreError> {
    let row = &prepared.new.row;
    Ok(Proposed {
        number,
        id,
        revision: row.revision,
        digest: row.digest,
        state: State::Waiting,
        replayed: false,
        possible_duplicates: possible_duplicates(tx, room.key, id, &row.content_fingerprint)?,
        already_done: done_effects(tx, room, id, &row.effect_keys)?,
        moved_hunks: moved_hunks(&prepared.new.changes),
        moved: prepared.moved.clone(),
        created: true,
    })
}

fn moved_hunks(changes: &[ChangeRow]) -> Vec<(DocPath, MovedHunk)> {
    let of = |row: &ChangeRow| {
        let path = row.change.path.clone();
        row.moved.iter().map(move |hunk| (path.clone(), *hunk)).collect::<Vec<_>>()
    };
    changes.iter().flat_map(of).collect()
}

pub(crate) fn may_revise(
    tx: &dyn Read,
    room: &RoomRow,
    caller: &Caller,
    proposal: &ProposalRow,
) -> Result<ActorRow, Failure> {
    let actor =
        tx.actor_named(room.key, caller.name.kind, &caller.name.name)?.ok_or_else(|| unknown(caller))?;
    role::may(actor.kind, actor.role, Action::Revise, actor.id == proposal.author)?;
    Ok(actor)
}

pub(crate) fn lost_revision() -> StoreError {
    StoreError::damaged("A proposal has no state or no revision.")
}

pub(crate) fn in_future(valid_until: Option<Timestamp>, now: sekali_core::time::Now) -> Result<(), Refusal> {
    if !now.past(valid_until) {
        return Ok(());
    }
    Err(Refusal::field(
        Code::ProposalInvalid,
        "valid_until",
        format!("valid_until: it is already over; it is {} now.", now.at),
    )
    .said(format!("valid_until: batas waktunya sudah lewat; kini {}.", now.at))
    .with(|f| f.at = Some(now.at)))
}

/// The effect keys of a submission: those it names, or else what its idempotency key implies.
fn effect_keys(room: &RoomRow, author: ActorId, submission: &Submission) -> Vec<EffectKey> {
    let keys = match (&submission.key, submission.effect_keys.is_empty()) {
        (Some(key), true) => vec![derived_effect_key(room.id, author, key)],
        _ => submission.effect_keys.clone(),
    };
    keys.into_iter().map(|key| EffectKey { key, generation: 0 }).collect()
}

fn done_effects(
    tx: &dyn Read,
    room: &RoomRow,
    id: ProposalId,
    keys: &[EffectKey],
) -> Result<Vec<(String, u64)>, StoreError> {
    let mut done = Vec::new();
    for effect in keys {
        if let Some(winner) = tx.effect(room.key, effect)?
            && winner.proposal != id
        {
            done.push((effect.key.clone(), winner.number));
        }
    }
    Ok(done)
}

/// The first answer of a kept key, as things stand.
pub(crate) fn replay_of(tx: &dyn Read, room: &RoomRow, id: ProposalId) -> Result<Proposed, StoreError> {
    let row = tx.proposal_by_id(room.key, id)?.ok_or_else(lost_revision)?;
    let standing = tx.standing(room.key, id)?.ok_or_else(lost_revision)?;
    let (revision, digest) = match &standing {
        decide::Standing::Open(open) => (open.revision, open.digest),
        decide::Standing::Applied(applied) => (applied.revision, applied.digest),
        decide::Standing::Closed(closed) => (closed.revision, closed.digest),
    };
    let fingerprint = tx.revision(room.key, id, revision)?.ok_or_else(lost_revision)?.content_fingerprint;
    let changes = tx.changes(room.key, id, revision)?;
    let net: Vec<NetChange> = changes.iter().map(|row| row.change.clone()).collect();
    let moved = match &standing {
        decide::Standing::Open(_) => displaced(tx, room.key, &net, None)?,
        _ => Vec::new(),
    };
    Ok(Proposed {
        number: row.number,
        id,
        revision,
        digest,
        state: standing.state(tx.now(room.key)?),
        replayed: true,
        possible_duplicates: possible_duplicates(tx, room.key, id, &fingerprint)?,
        already_done: Vec::new(),
        moved_hunks: moved_hunks(&changes),
        moved,
        created: false,
    })
}
