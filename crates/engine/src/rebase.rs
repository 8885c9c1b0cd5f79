//! Rebase: the changes of a waiting proposal carried onto the documents as they are now, as a new
//! revision with a new digest. Conflicts are given as data and never written.

use std::collections::{BTreeSet, HashMap};

use sekali_core::change::{JsonForm, NetChange};
use sekali_core::conflict::{self, Choice, Conflict, ConflictKind};
use sekali_core::decide::{self, Displaced, Standing};
use sekali_core::hash::Digest;
use sekali_core::merge::Side;
use sekali_core::refusal::MovedBy;
use sekali_core::resolve::{Carried, Held, Nested, Overlay, Resolved, Transplant, no_change};
use sekali_core::role::Action;
use sekali_core::{ActorId, Code, DocPath, Refusal};
use sekali_store::{
    ChangeRow, ProposalRow, Read, RevisionRow, RoomRow, SubmittedForm, SubmittedRow, read, write,
};

use crate::apply::documents::displaced;
use crate::bases::{InRoom, content_of_version};
use crate::submit::prepare::{Made, Prepared, Said, commit_to, prepared};
use crate::submit::{Proposed, lost_revision, may_revise, replay_of, revise_in};
use crate::{Caller, Engine, Failure, acting, no_proposal, sound};

/// What a rebase would come to.
#[derive(Debug, Clone, PartialEq)]
pub struct RebaseView {
    /// The proposal's number.
    pub number: u64,
    /// Its waiting revision.
    pub revision: u32,
    /// The digest of that.
    pub digest: Digest,
    /// Something that it is based on has moved.
    pub needed: bool,
    /// Each change of it, in order, by the path afterwards.
    pub changes: Vec<RebasedChange>,
    /// What a person must decide first.
    pub conflicts: Vec<Conflict>,
}

/// What becomes of one change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RebasedChange {
    /// The document afterwards; of one that goes, before.
    pub path: DocPath,
    /// Where a document that moves is.
    pub from: Option<DocPath>,
    /// What came of it.
    pub outcome: RebaseOutcome,
}

/// What comes of carrying a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RebaseOutcome {
    /// It stands on what is there.
    Current,
    /// Merged with what others have done.
    Merged,
    /// What it wants is there already.
    AlreadyThere,
    /// A person must decide.
    Conflict,
}

impl RebaseOutcome {
    /// Every word.
    pub const ALL: &'static [Self] = &[Self::Current, Self::Merged, Self::AlreadyThere, Self::Conflict];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Merged => "merged",
            Self::AlreadyThere => "already_there",
            Self::Conflict => "conflict",
        }
    }
}

impl Engine {
    /// What a rebase of a waiting proposal would come to. Nothing is written.
    ///
    /// # Errors
    /// `proposal.not_found`; `proposal.already_applied`, `…rejected`, `…withdrawn` where it does not
    /// wait.
    pub fn preview_rebase(&self, caller: &Caller, room: &str, number: u64) -> Result<RebaseView, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let waiting = Waiting::of(tx, &room, number)?;
            let (carried, _) = waiting.carry(tx, &room, &[])?;
            Ok(waiting.view(carried))
        })
    }

    /// Rebases a waiting proposal on the documents as they are now. Where nothing has moved, it is as it
    /// was: the answer is the present revision. `seen` is the digest of the revision that is rebased,
    /// where the caller knows it; `choices` are a person's for the conflicts.
    ///
    /// # Errors
    /// `proposal.conflict` with the conflicts; `proposal.no_change` where everything it wants is there
    /// already; `proposal.changed` where it has another digest; `actor.denied`; and as
    /// [`Engine::preview_rebase`].
    pub fn rebase(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        seen: Option<Digest>,
        choices: &[Choice],
    ) -> Result<Proposed, Failure> {
        let room = self.room(room)?;
        let planned = read(self.store(), |tx| -> Result<_, Failure> {
            let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?;
            let author = may_revise(tx, &room, caller, &proposal)?.id;
            let waiting = Waiting::of(tx, &room, number)?;
            if let Some(seen) = seen
                && seen != waiting.row.digest
            {
                let standing = tx.standing(room.key, waiting.proposal.id)?.ok_or_else(lost_revision)?;
                return Err(decide::not_taken(number, &standing).into());
            }
            if waiting.moved.is_empty() {
                return Ok(Err(replay_of(tx, &room, waiting.proposal.id)?));
            }
            waiting.check_choices(choices)?;
            let (carried, made) = waiting.carry(tx, &room, choices)?;
            let view = waiting.view(carried);
            if !view.conflicts.is_empty() {
                return Err(in_conflict(number, view.conflicts).into());
            }
            if made.changes.is_empty() {
                return Err(already_there(number).into());
            }
            let replaced = waiting.row.digest;
            let proposal = waiting.proposal.clone();
            Ok(Ok((proposal, replaced, waiting.rebased(&room, author, made))))
        })?;
        let (proposal, replaced, prepared) = match planned {
            Ok(planned) => planned,
            Err(as_it_was) => return Ok(Proposed { replayed: false, ..as_it_was }),
        };
        let caller = caller.clone();
        let revised =
            write(self.store(), move |tx| revise_in(tx, &room, &caller, &proposal, replaced, &prepared))?;
        Ok(revised?)
    }
}

/// A waiting proposal with all that carrying it needs.
pub(crate) struct Waiting {
    pub(crate) proposal: ProposalRow,
    pub(crate) row: RevisionRow,
    pub(crate) changes: Vec<ChangeRow>,
    /// The edits of JSON values that it was written with.
    pub(crate) edits: Vec<SubmittedRow>,
    /// Which of them are for a path, by its key.
    edits_of: HashMap<String, Vec<usize>>,
    /// Whether a patch is a part of it.
    patched: bool,
    pub(crate) moved: Vec<Displaced>,
}

/// What came of each change, in order.
type Outcomes = Vec<Carried>;

impl Waiting {
    pub(crate) fn of(tx: &dyn Read, room: &RoomRow, number: u64) -> Result<Self, Failure> {
        let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?;
        let standing = tx.standing(room.key, proposal.id)?.ok_or_else(lost_revision)?;
        let Standing::Open(open) = standing else {
            return Err(decide::not_taken(number, &standing).into());
        };
        decide::still_valid(number, &open, tx.now(room.key)?)?;
        let row = tx.revision(room.key, proposal.id, open.revision)?.ok_or_else(lost_revision)?;
        let changes = tx.changes(room.key, proposal.id, open.revision)?;
        let mut edits = tx.submitted(room.key, proposal.id, open.revision)?;
        let patched = edits.iter().any(|row| row.form == SubmittedForm::Patch);
        edits.retain(|row| row.form != SubmittedForm::Patch);
        let mut edits_of: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, row) in edits.iter().enumerate() {
            let key = row.path.as_ref().map_or("", DocPath::key);
            edits_of.entry(key.to_owned()).or_default().push(index);
        }
        let net: Vec<NetChange> = changes.iter().map(|row| row.change.clone()).collect();
        let moved = displaced(tx, room.key, &net, None)?;
        Ok(Self { proposal, row, changes, edits, edits_of, patched, moved })
    }

    /// The content that a change of it leaves.
    pub(crate) fn after(&self, tx: &dyn Read, room: &RoomRow, ordinal: u32) -> Result<Option<Held>, Failure> {
        let row = &self.changes[ordinal as usize];
        let Some(after) = &row.change.after else { return Ok(None) };
        let content = tx.content(room.key, self.proposal.id, self.row.revision, ordinal)?;
        let content = sound(content.ok_or_else(lost_revision)?, after, &row.change.path)?;
        Ok(Some(Held { content, mode: after.mode }))
    }

    /// The content that a change of it is based on.
    pub(crate) fn base(
        &self,
        tx: &dyn Read,
        room: &RoomRow,
        change: &NetChange,
    ) -> Result<Option<Held>, Failure> {
        let Some(base) = &change.base else { return Ok(None) };
        let path = change.from.as_ref().unwrap_or(&change.path);
        let content = content_of_version(tx, room, path, base, Some(self.proposal.id))?;
        let content = content.ok_or_else(|| gone(path))?;
        Ok(Some(Held { content, mode: base.mode }))
    }

    /// The edits of JSON values that a change was written as, if it was written as nothing else.
    fn edits(&self, change: &NetChange) -> Vec<(JsonForm, Vec<u8>)> {
        // A whole patch, or content, may have touched it too: then it merges by lines.
        if self.patched {
            return Vec::new();
        }
        let keys: BTreeSet<&str> = change.from.iter().chain([&change.path]).map(DocPath::key).collect();
        let mut rows: Vec<usize> =
            keys.iter().filter_map(|key| self.edits_of.get(*key)).flatten().copied().collect();
        rows.sort_unstable();
        let rows = rows.into_iter().map(|index| &self.edits[index]);
        rows.filter_map(|row| Some((row.form.json()?, row.body.clone()))).collect()
    }

    /// Carries every change onto the room as it is now. Nothing is made where there is a conflict.
    fn carry(&self, tx: &dyn Read, room: &RoomRow, choices: &[Choice]) -> Result<(Outcomes, Made), Failure> {
        let mut left: BTreeSet<usize> = BTreeSet::new();
        loop {
            match self.carry_but(tx, room, choices, &left)? {
                Ok(carried) => return Ok(carried),
                Err(in_the_way) => left.extend(in_the_way),
            }
        }
    }

    /// The same without the changes that a person has left, because no folder can take them: gives back
    /// more of that kind.
    fn carry_but(
        &self,
        tx: &dyn Read,
        room: &RoomRow,
        choices: &[Choice],
        left: &BTreeSet<usize>,
    ) -> Result<Result<(Outcomes, Made), Vec<usize>>, Failure> {
        let mut outcomes = Vec::with_capacity(self.changes.len());
        let mut snapshot = InRoom { tx, room, of: Some(self.proposal.id) };
        let mut overlay: Overlay<'_, '_, Failure> = Overlay::new(&mut snapshot);
        let changes = (0u32..).zip(&self.changes);
        let stays = |ordinal: u32| left.contains(&(ordinal as usize));
        overlay.begin(changes.clone().filter(|(n, _)| !stays(*n)).filter_map(|(_, row)| leaves(&row.change)));
        for (ordinal, row) in changes {
            if stays(ordinal) {
                outcomes.push(Carried::Done);
                continue;
            }
            let change = &row.change;
            let edits = self.edits(change);
            let carried = overlay.transplant(
                ordinal as usize,
                Transplant {
                    at: change.from.as_ref().unwrap_or(&change.path).clone(),
                    to: change.path.clone(),
                    before: self.base(tx, room, change)?,
                    after: self.after(tx, room, ordinal)?,
                    edits: &edits,
                    choice: Choice::of(choices, &change.path, change.from.as_ref()),
                },
            )?;
            outcomes.push(carried);
        }
        if outcomes.iter().any(|outcome| matches!(outcome, Carried::Conflict(_))) {
            return Ok(Ok((outcomes, Made::default())));
        }
        let nested = overlay.nested()?;
        if !nested.is_empty() {
            let is_left = |nested: &&Nested| {
                let change = &self.changes[nested.by].change;
                let choice = Choice::of(choices, &change.path, change.from.as_ref());
                choice.is_some_and(|choice| matches!(choice.sides[..], [Side::Now | Side::Base]))
            };
            let in_the_way: Vec<usize> = nested.iter().filter(is_left).map(|nested| nested.by).collect();
            if in_the_way.len() == nested.len() {
                return Ok(Err(in_the_way));
            }
            for nested in nested.iter().filter(|nested| !is_left(nested)) {
                let change = &self.changes[nested.by].change;
                let found = occupied(&change.path, change.from.as_ref(), nested);
                outcomes[nested.by] = Carried::Conflict(Box::new(found));
            }
            return Ok(Ok((outcomes, Made::default())));
        }
        let net: Vec<Resolved<'_>> = overlay.finish()?;
        Ok(Ok((outcomes, commit_to(&mut snapshot, net)?)))
    }

    fn view(&self, outcomes: Outcomes) -> RebaseView {
        let mut changes = Vec::with_capacity(outcomes.len());
        let mut conflicts = Vec::new();
        for (row, carried) in self.changes.iter().zip(outcomes) {
            let outcome = match carried {
                Carried::Current => RebaseOutcome::Current,
                Carried::Merged => RebaseOutcome::Merged,
                Carried::Done => RebaseOutcome::AlreadyThere,
                Carried::Conflict(conflict) => {
                    conflicts.push(self.named(&row.change, *conflict));
                    RebaseOutcome::Conflict
                }
            };
            changes.push(RebasedChange {
                path: row.change.path.clone(),
                from: row.change.from.clone(),
                outcome,
            });
        }
        conflict::bound(&mut conflicts);
        RebaseView {
            number: self.proposal.number,
            revision: self.row.revision,
            digest: self.row.digest,
            needed: !self.moved.is_empty(),
            changes,
            conflicts,
        }
    }

    /// A conflict with the proposal that moved its document.
    fn named(&self, change: &NetChange, conflict: Conflict) -> Conflict {
        let of = |moved: &&Displaced| {
            moved.path.key() == change.path.key()
                || change.from.as_ref().is_some_and(|from| from.key() == moved.path.key())
        };
        let by = self.moved.iter().filter(of).find_map(|moved| moved.by);
        Conflict { by: by.map(|(proposal, seq)| MovedBy { proposal, seq }), ..conflict }
    }

    /// A choice for what is not a change of it was meant for something else.
    fn check_choices(&self, choices: &[Choice]) -> Result<(), Refusal> {
        for (index, choice) in choices.iter().enumerate() {
            let meant = |row: &ChangeRow| choice.is_for(&row.change.path, row.change.from.as_ref());
            if !self.changes.iter().any(meant) {
                return Err(self.does_not_change(index, &choice.path));
            }
        }
        Ok(())
    }

    /// The refusal of a part of `take` that is for another document.
    pub(crate) fn does_not_change(&self, index: usize, path: &DocPath) -> Refusal {
        let field = format!("take[{index}].path");
        let number = self.proposal.number;
        Refusal::field(Code::ProposalInvalid, &field, format!("{field}: #{number} does not change {path}."))
            .said(format!("{field}: #{number} tidak mengubah {path}."))
            .with(|f| f.value = Some(path.to_string()))
    }

    /// The next revision, with these changes.
    fn rebased(&self, room: &RoomRow, author: ActorId, made: Made) -> Prepared {
        prepared(room, self.next(author, Some(self.row.revision)), made, self.edits.clone())
    }

    /// What the next revision says beside its changes: the same as this one.
    pub(crate) fn next(&self, author: ActorId, rebased_from: Option<u32>) -> Said {
        Said {
            proposal: self.proposal.id,
            revision: self.row.revision + 1,
            author,
            title: self.row.title.clone(),
            why: self.row.why.clone(),
            valid_until: self.row.valid_until,
            effect_keys: self.row.effect_keys.clone(),
            rebased_from,
        }
    }
}

/// A document would come to stand above or below another.
pub(crate) fn occupied(path: &DocPath, from: Option<&DocPath>, nested: &Nested) -> Conflict {
    let (at, other) = (&nested.at, nested.other());
    Conflict::new(
        path,
        from,
        ConflictKind::Occupied,
        format!(
            "{at} cannot stand beside {other}, which is there now: a path is a document or a folder, never both."
        ),
        format!(
            "{at} tidak dapat berdampingan dengan {other}, yang kini ada: sebuah jalur adalah dokumen atau folder, tidak keduanya."
        ),
    )
}

/// The path that a change takes away.
pub(crate) fn leaves(change: &NetChange) -> Option<&DocPath> {
    match (&change.from, &change.after) {
        (Some(from), _) => Some(from),
        (None, None) => Some(&change.path),
        (None, Some(_)) => None,
    }
}

/// The refusal of what a person must decide first.
pub(crate) fn in_conflict(number: u64, conflicts: Vec<Conflict>) -> Refusal {
    let names = conflict::names(&conflicts);
    Refusal::new(
        Code::ProposalConflict,
        format!("#{number} and what was applied since have changed the same places: {names}."),
    )
    .said(format!("#{number} dan yang diterapkan sesudahnya mengubah tempat yang sama: {names}."))
    .with(|f| {
        f.proposal = Some(number);
        f.conflicts = conflicts;
    })
}

fn already_there(number: u64) -> Refusal {
    Refusal {
        detail: format!("Everything that #{number} wants is there already; nothing would change."),
        ..no_change()
    }
    .said(format!("Semua yang diinginkan #{number} sudah ada; tidak ada yang akan berubah."))
    .with(|f| f.proposal = Some(number))
}

/// Content that cannot be found any more.
pub(crate) fn gone(path: &DocPath) -> Failure {
    Refusal::new(
        Code::ProposalStale,
        format!("The content of {path} that this is based on cannot be found any more; revise the proposal."),
    )
    .said(format!("Isi {path} yang menjadi dasarnya tidak dapat ditemukan lagi; revisi usulannya."))
    .with(|f| f.path = Some(path.to_string()))
    .into()
}
