//! Rebase: the changes of a waiting proposal carried onto the documents as they are now, as a new
//! revision with a new digest. Conflicts are given as data and never written.

use std::collections::{BTreeSet, HashMap, HashSet};

use sekali_core::change::{JsonForm, NetChange};
use sekali_core::conflict::{self, Choice, Conflict, ConflictKind};
use sekali_core::decide::{self, Displaced, Standing};
use sekali_core::hash::Digest;
use sekali_core::merge::Side;
use sekali_core::refusal::MovedBy;
use sekali_core::resolve::{
    Carried, Crowded, Held, Nested, Overlay, Part, Resolved, Transplant, Transplanted, no_change,
};
use sekali_core::role::Action;
use sekali_core::{ActorId, Code, DocPath, Op, Refusal, limit};
use sekali_store::{
    ChangeRow, ProposalRow, Read, RevisionRow, RoomRow, StoreError, SubmittedForm, SubmittedRow, read, write,
};

use crate::apply::documents::displaced;
use crate::bases::{InRoom, awaited, content_of_version};
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
    /// Where others have moved the document, if they did: the change is made there.
    pub moved_to: Option<DocPath>,
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
    /// `proposal.not_found`; `proposal.already_applied`, `…rejected`, `…withdrawn`, `…expired` where it
    /// does not wait; `proposal.stale` where what it is based on is no longer kept; `limit.exceeded` where
    /// it would take too much work; `actor.unknown`, `actor.denied`.
    pub fn preview_rebase(&self, caller: &Caller, room: &str, number: u64) -> Result<RebaseView, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let waiting = Waiting::of(tx, &room, number)?;
            let (carried, _) = waiting.carry(tx, &room, &Choices::new())?;
            Ok(waiting.view(tx, &room, carried)?)
        })
    }

    /// Rebases a waiting proposal on the documents as they are now. Where nothing has moved, it is as it
    /// was: the answer is the present revision. `seen` is the digest of the revision that is rebased,
    /// where the caller knows it; `choices` are a person's for the conflicts.
    ///
    /// # Errors
    /// `proposal.conflict` with the conflicts; `proposal.no_change` where everything it wants is there
    /// already; `proposal.changed` where it has another digest; `proposal.invalid` where a choice is for
    /// what it does not change, or for what is not in conflict; `actor.denied`; and as
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
            let asked = choices;
            let choices = waiting.chosen(asked)?;
            let (carried, made) = waiting.carry(tx, &room, &choices)?;
            if carried.iter().any(Transplanted::is_conflict) {
                let view = waiting.view(tx, &room, carried)?;
                return Err(in_conflict(number, view.conflicts).into());
            }
            if made.changes.is_empty() {
                return Err(nothing_left(number, &choices).into());
            }
            waiting.all_needed(tx, &room, asked, &choices)?;
            let replaced = waiting.row.digest;
            let proposal = waiting.proposal.clone();
            Ok(Ok((proposal, replaced, waiting.rebased(&room, author, made, &carried))))
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

fn changes_of(rows: &[ChangeRow]) -> impl Iterator<Item = &NetChange> {
    rows.iter().map(|row| &row.change)
}

/// What a person has chosen for a change, by its number.
type Choices<'c> = HashMap<usize, &'c Choice>;

/// What came of each change, in order.
type Outcomes = Vec<Transplanted>;

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
    fn carry(
        &self,
        tx: &dyn Read,
        room: &RoomRow,
        choices: &Choices<'_>,
    ) -> Result<(Outcomes, Made), Failure> {
        /// What a person has left may be in the way of what comes next, and so on; then they are asked.
        const ROUNDS: usize = 100;
        let mut left: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..ROUNDS {
            match self.carry_but(tx, room, choices, &left)? {
                Ok(carried) => return Ok(carried),
                Err(in_the_way) => left.extend(in_the_way),
            }
        }
        let asked = self.carry_but(tx, room, &Choices::new(), &left)?;
        Ok(asked.unwrap_or_else(|_| unreachable!("without choices nothing is left")))
    }

    /// The same without the changes that a person has left, because there is no room for them: gives back
    /// more of that kind.
    fn carry_but(
        &self,
        tx: &dyn Read,
        room: &RoomRow,
        choices: &Choices<'_>,
        left: &BTreeSet<usize>,
    ) -> Result<Result<(Outcomes, Made), BTreeSet<usize>>, Failure> {
        let mut outcomes: Outcomes = Vec::with_capacity(self.changes.len());
        let mut snapshot = InRoom { tx, room, of: Some(self.proposal.id) };
        let overlay: Overlay<'_, '_, Failure> = Overlay::new(&mut snapshot);
        let mut overlay = overlay.naming("number");
        overlay.begin(self.changes.iter().enumerate().map(|(by, row)| {
            let change = &row.change;
            let was = change.base.as_ref();
            let at = change.from.as_ref().unwrap_or(&change.path);
            let leaves = was.is_some() && (change.from.is_some() || change.after.is_none());
            Part { by, at, was, leaves: leaves && !left.contains(&by) }
        }))?;
        for (ordinal, row) in (0u32..).zip(&self.changes) {
            if left.contains(&(ordinal as usize)) {
                outcomes.push(Transplanted { carried: Carried::Done, moved_to: None, stands: None });
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
                    choice: choices.get(&(ordinal as usize)).copied(),
                },
            )?;
            outcomes.push(carried);
        }
        let mut in_the_way: Vec<(usize, Conflict)> = Vec::new();
        for crowded in overlay.crowded() {
            let change = &self.changes[crowded.by].change;
            let by = last_change(tx, room, crowded.stands.as_ref().unwrap_or(&crowded.at))?;
            let found = stays(&change.path, change.from.as_ref(), &crowded);
            in_the_way.push((crowded.by, Conflict { by, ..found }));
        }
        if in_the_way.is_empty() {
            let asked: HashSet<&str> = (self.changes.iter().zip(&outcomes))
                .filter(|(_, outcome)| outcome.is_conflict())
                .flat_map(|(row, _)| row.change.from.iter().chain([&row.change.path]))
                .map(DocPath::key)
                .collect();
            for nested in overlay.nested()? {
                // What is asked of other documents may make room; of its own, there is nothing to ask without.
                let waits = !outcomes[nested.by].is_conflict() || asked.contains(nested.other().key());
                if waits && !asked.is_empty() {
                    continue;
                }
                let change = &self.changes[nested.by].change;
                let by = last_change(tx, room, nested.other())?;
                let found = occupied(&change.path, change.from.as_ref(), &nested);
                in_the_way.push((nested.by, Conflict { by, ..found }));
            }
        }
        let is_left = |by: usize| {
            let choice = choices.get(&by);
            choice.is_some_and(|choice| matches!(choice.sides[..], [Side::Now | Side::Base]))
        };
        let mut now_left = BTreeSet::new();
        let mut next: Vec<usize> = in_the_way.iter().map(|(by, _)| *by).filter(|by| is_left(*by)).collect();
        // Whose document stays for it is in the way of the next that comes.
        while let Some(by) = next.pop() {
            let change = &self.changes[by].change;
            let comes = change.from.as_ref().and_then(|from| self.comes_to(from));
            if now_left.insert(by) {
                next.extend(comes.filter(|by| is_left(*by)));
            }
        }
        if !now_left.is_empty() {
            return Ok(Err(now_left));
        }
        for (by, conflict) in in_the_way {
            outcomes[by].carried = Carried::Conflict(Box::new(conflict));
        }
        if outcomes.iter().any(Transplanted::is_conflict) {
            return Ok(Ok((outcomes, Made::default())));
        }
        let net: Vec<Resolved<'_>> = overlay.finish()?;
        Ok(Ok((outcomes, commit_to(&mut snapshot, net)?)))
    }

    /// The change that brings a document to a path.
    fn comes_to(&self, path: &DocPath) -> Option<usize> {
        let comes = |row: &ChangeRow| {
            row.change.path.key() == path.key() && matches!(row.change.op, Op::Create | Op::Rename)
        };
        self.changes.iter().position(comes)
    }

    fn view(&self, tx: &dyn Read, room: &RoomRow, outcomes: Outcomes) -> Result<RebaseView, StoreError> {
        let mut changes = Vec::with_capacity(outcomes.len());
        let mut conflicts = Vec::new();
        // What waits for the rest of it was changed by nobody.
        let known =
            awaited(tx, room.key, self.proposal.id, changes_of(&self.changes), &self.moved)?.is_none();
        for (row, Transplanted { carried, moved_to, stands }) in self.changes.iter().zip(outcomes) {
            let outcome = match carried {
                Carried::Current => RebaseOutcome::Current,
                Carried::Merged => RebaseOutcome::Merged,
                Carried::Done => RebaseOutcome::AlreadyThere,
                Carried::Conflict(conflict) => {
                    conflicts.push(match conflict.by {
                        None if known => {
                            let at = conflict.from.as_ref().unwrap_or(&conflict.path);
                            let by = last_change(tx, room, stands.as_ref().unwrap_or(at))?;
                            Conflict { by, ..*conflict }
                        }
                        _ => *conflict,
                    });
                    RebaseOutcome::Conflict
                }
            };
            changes.push(RebasedChange {
                path: row.change.path.clone(),
                from: row.change.from.clone(),
                outcome,
                moved_to,
            });
        }
        conflict::bound(&mut conflicts);
        Ok(RebaseView {
            number: self.proposal.number,
            revision: self.row.revision,
            digest: self.row.digest,
            needed: !self.moved.is_empty(),
            changes,
            conflicts,
        })
    }

    /// What was chosen for each change, by its number. A choice that names where a document moves from is
    /// for that change before others.
    ///
    /// # Errors
    /// `limit.exceeded` where there are too many; `proposal.invalid` where one is for none of the changes, or
    /// two are for the same.
    fn chosen<'c>(&self, choices: &'c [Choice]) -> Result<Choices<'c>, Refusal> {
        few_enough(choices.len())?;
        let (mut to, mut from) = (HashMap::<&str, Vec<usize>>::new(), HashMap::new());
        for (by, row) in self.changes.iter().enumerate() {
            to.entry(row.change.path.key()).or_default().push(by);
            from.extend(row.change.from.as_ref().map(|from| (from.key(), by)));
        }
        let mut chosen: HashMap<usize, (&Choice, bool)> = HashMap::new();
        for (index, choice) in choices.iter().enumerate() {
            let meant: Vec<usize> = match (&choice.from, to.get(choice.path.key())) {
                (Some(named), Some(all)) => {
                    from.get(named.key()).copied().filter(|by| all.contains(by)).into_iter().collect()
                }
                (None, Some(all)) => all.clone(),
                (None, None) => from.get(choice.path.key()).copied().into_iter().collect(),
                (Some(_), None) => Vec::new(),
            };
            if meant.is_empty() {
                return Err(self.does_not_change(index, &choice.path));
            }
            let exact = choice.from.is_some() || !to.contains_key(choice.path.key());
            for by in meant {
                match chosen.get(&by) {
                    Some((_, before)) if *before == exact => {
                        return Err(self.chosen_twice(index, &choice.path));
                    }
                    Some((_, true)) => {}
                    _ => {
                        chosen.insert(by, (choice, exact));
                    }
                }
            }
        }
        Ok(chosen.into_iter().map(|(by, (choice, _))| (by, choice)).collect())
    }

    /// Whoever chooses a side expects it to be there: where a change merges by itself it would be passed over
    /// in silence. A choice that says what stood there was for that, and may have been overtaken.
    ///
    /// # Errors
    /// `proposal.invalid` where one that says nothing of it is not asked for.
    fn all_needed(
        &self,
        tx: &dyn Read,
        room: &RoomRow,
        asked: &[Choice],
        choices: &Choices<'_>,
    ) -> Result<(), Failure> {
        let (mut needed, mut unasked): (Choices<'_>, Choices<'_>) =
            choices.iter().partition(|(_, choice)| choice.now.is_some());
        while !unasked.is_empty() {
            let (carried, _) = self.carry(tx, room, &needed)?;
            let conflicts = carried.iter().enumerate().filter(|(_, outcome)| outcome.is_conflict());
            let more: Choices<'_> = conflicts.filter_map(|(by, _)| unasked.remove_entry(&by)).collect();
            // What is asked once others are decided is found in the next round.
            if more.is_empty() {
                break;
            }
            needed.extend(more);
        }
        let idle = |choice: &Choice| {
            let meant = |all: &Choices<'_>| all.values().any(|known| std::ptr::eq(*known, choice));
            meant(&unasked) && !meant(&needed)
        };
        match asked.iter().enumerate().find(|(_, choice)| idle(choice)) {
            Some((index, choice)) => Err(self.nothing_to_decide(index, &choice.path).into()),
            None => Ok(()),
        }
    }

    /// The refusal of a part of `take` for what merges by itself.
    fn nothing_to_decide(&self, index: usize, path: &DocPath) -> Refusal {
        let field = format!("take[{index}].path");
        Refusal::field(
            Code::ProposalInvalid,
            &field,
            format!("{field}: {path} is not in conflict, so no side of it is taken; leave it out."),
        )
        .said(format!("{field}: {path} tidak bentrok, jadi tidak ada sisi yang diambil; hilangkan."))
        .with(|f| {
            f.proposal = Some(self.proposal.number);
            f.value = Some(path.to_string());
        })
    }

    /// The refusal of two parts of `take` for one document.
    fn chosen_twice(&self, index: usize, path: &DocPath) -> Refusal {
        let field = format!("take[{index}].path");
        Refusal::field(
            Code::ProposalInvalid,
            &field,
            format!("{field}: the sides for {path} are given twice; give them once."),
        )
        .said(format!("{field}: sisi untuk {path} disebut dua kali; sebutkan sekali saja."))
        .with(|f| {
            f.proposal = Some(self.proposal.number);
            f.value = Some(path.to_string());
        })
    }

    /// The refusal of a part of `take` that is for another document.
    pub(crate) fn does_not_change(&self, index: usize, path: &DocPath) -> Refusal {
        let field = format!("take[{index}].path");
        let number = self.proposal.number;
        Refusal::field(Code::ProposalInvalid, &field, format!("{field}: #{number} does not change {path}."))
            .said(format!("{field}: #{number} tidak mengubah {path}."))
            .with(|f| f.value = Some(path.to_string()))
    }

    /// The next revision, with these changes. Edits of a document that others have moved are edits of it
    /// where it is now.
    fn rebased(&self, room: &RoomRow, author: ActorId, made: Made, outcomes: &Outcomes) -> Prepared {
        let mut edits = self.edits.clone();
        for (row, outcome) in self.changes.iter().zip(outcomes) {
            let Some(moved_to) = &outcome.moved_to else { continue };
            let change = &row.change;
            let to = if change.from.is_some() { &change.path } else { moved_to };
            for key in change.from.iter().chain([&change.path]).map(DocPath::key) {
                for index in self.edits_of.get(key).into_iter().flatten() {
                    edits[*index].path = Some(to.clone());
                }
            }
        }
        prepared(room, self.next(author, Some(self.row.revision)), made, edits)
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

/// Bounds how many parts of `take` a request has: there are no more changes.
pub(crate) fn few_enough(parts: usize) -> Result<(), Refusal> {
    if parts > limit::CHANGES {
        return Err(Refusal::limit("take", "a request", limit::CHANGES, parts, "changes"));
    }
    Ok(())
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

/// A document stays that was to leave, and another one would come to its place.
pub(crate) fn stays(path: &DocPath, from: Option<&DocPath>, crowded: &Crowded) -> Conflict {
    let at = &crowded.at;
    let found = Conflict::new(
        path,
        from,
        ConflictKind::Occupied,
        format!("{path} would come to the place of {at}, which stays. Leave it out too, or let {at} go."),
        format!("{path} akan menempati tempat {at}, yang tetap ada. Biarkan juga, atau lepaskan {at}."),
    );
    Conflict { now: crowded.now, ..found }
}

/// The proposal that has last changed the document at a path, or taken it away.
pub(crate) fn last_change(
    tx: &dyn Read,
    room: &RoomRow,
    path: &DocPath,
) -> Result<Option<MovedBy>, StoreError> {
    let key = match tx.document(room.key, path)? {
        Some(document) => Some(document.version),
        None => tx.departed(room.key, path, None)?,
    };
    let Some(key) = key else { return Ok(None) };
    let Some(row) = tx.version(room.key, key)? else { return Ok(None) };
    let proposal = tx.proposal_by_id(room.key, row.proposal)?;
    Ok(proposal.map(|proposal| MovedBy { proposal: proposal.number, seq: key.seq }))
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

/// The refusal of a revision without changes.
fn nothing_left(number: u64, choices: &Choices<'_>) -> Refusal {
    let (detail, said) = if choices.is_empty() {
        (
            format!("Everything that #{number} wants is there already; nothing would change."),
            format!("Semua yang diinginkan #{number} sudah ada; tidak ada yang akan berubah."),
        )
    } else {
        (
            format!("With these choices nothing of #{number} is left to change; withdraw it instead."),
            format!("Dengan pilihan ini tidak ada lagi yang diubah oleh #{number}; tarik saja usulannya."),
        )
    };
    Refusal { detail, ..no_change() }.said(said).with(|f| f.proposal = Some(number))
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
