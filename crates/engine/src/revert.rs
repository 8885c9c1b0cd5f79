//! Revert: a new proposal with the inverse of changes that were applied, against the documents as they
//! are now. What was changed since stays, where it does not stand in the same place.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use sekali_core::change::NetChange;
use sekali_core::conflict::{self, Conflict, ConflictKind};
use sekali_core::decide::{AppliedFacts, Standing};
use sekali_core::hash::FieldHasher;
use sekali_core::refusal::MovedBy;
use sekali_core::resolve::{Carried, Held, Overlay, Part, Transplant, Transplanted, no_change};
use sekali_core::revision::EffectKey;
use sekali_core::role::Action;
use sekali_core::submission::derived_effect_key;
use sekali_core::{ActorId, Code, DocPath, ProposalId, Refusal, limit, text};
use sekali_store::{ChangeRow, LinkKind, Read, RoomRow, StoreError, VersionKey, read};
use uuid::Uuid;

use crate::bases::InRoom;
use crate::look::{content_at, taken_back_by};
use crate::rebase::{occupied, stays};
use crate::submit::prepare::{Said, commit_to, prepared};
use crate::submit::{New, Proposed, lost_revision};
use crate::{Caller, Engine, Failure, acting, no_proposal, sound};

/// What is to be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revert {
    /// The applied proposals, by number, in any order.
    pub numbers: Vec<u64>,
    /// One line, where the person wrote one.
    pub title: Option<String>,
    /// The title otherwise, in the words of whoever asks; by default `Revert #n: …`. It is no part of what
    /// an idempotency key stands for.
    pub untitled: Option<String>,
    /// Markdown.
    pub why: Option<String>,
    /// An idempotency key.
    pub key: Option<String>,
}

impl Engine {
    /// Proposes to take back what applied proposals did.
    ///
    /// # Errors
    /// `limit.exceeded` for too many, or too much work; `proposal.not_applied` for one that is not;
    /// `proposal.conflict` where later changes stand in the same place, or what was there before is no
    /// longer kept; `proposal.no_change` where all of it was taken back already; and as
    /// [`Engine::submit`].
    pub fn revert(&self, caller: &Caller, room: &str, asked: &Revert) -> Result<Proposed, Failure> {
        if asked.numbers.len() > limit::CHANGES {
            let given = asked.numbers.len();
            return Err(Refusal::limit("also", "a revert", limit::CHANGES, given, "proposals").into());
        }
        for title in asked.title.iter().chain(&asked.untitled) {
            text::title("title", title)?;
        }
        if let Some(why) = &asked.why {
            text::prose("why", why, limit::WHY_BYTES)?;
        }
        if let Some(key) = &asked.key {
            text::key("key", key)?;
        }
        let room = self.room(room)?;
        let author = read(self.store(), |tx| acting(tx, room.key, caller, Action::Propose))?;
        let fingerprint = fingerprint(asked);
        if let Some(key) = &asked.key
            && let Some(kept) = read(self.store(), |tx| tx.reservation(room.key, author.id, key))?
        {
            return self.repeated(caller, &room, &author, key, fingerprint, kept);
        }
        let id = ProposalId::new(Uuid::now_v7());
        let (prepared, links) = read(self.store(), |tx| {
            let done = Done::all(tx, &room, &asked.numbers)?;
            let mut snapshot = InRoom { tx, room: &room, of: None };
            let overlay: Overlay<'_, '_, Failure> = Overlay::new(&mut snapshot);
            let mut overlay = overlay.naming("number");
            let mut found =
                Found { tx, room: &room, done: &done, conflicts: Vec::new(), later: BTreeMap::new() };
            let mut first = 0;
            for one in &done {
                one.take_back(first, &mut overlay, &mut found)?;
                first += one.changes.len();
            }
            if found.conflicts.is_empty() {
                let changes: Vec<&ChangeRow> = done.iter().flat_map(|done| &done.changes).collect();
                for nested in overlay.nested()? {
                    let (to, at) = taken_to(&changes[nested.by].change);
                    found.add(occupied(to, at, &nested), &[nested.other().clone()], 0)?;
                }
            }
            if !found.conflicts.is_empty() {
                // What stands in the way may be what took it back, which nobody wants to take back.
                let mut back = Vec::new();
                for one in &done {
                    let by = taken_back_by(tx, room.key, one.facts.id)?;
                    let other = by.filter(|(by, _)| !done.iter().any(|done| done.facts.id == *by));
                    back.extend(other.map(|(_, by)| (one.facts.number, by)));
                }
                if let [(number, by), ..] = back[..] {
                    return Err(taken_back_already(number, by, back.len() == done.len()).into());
                }
                return Err(found.refusal().into());
            }
            let net = overlay.finish()?;
            if net.is_empty() {
                return Err(taken_back(&done).into());
            }
            let made = commit_to(&mut snapshot, net)?;
            let said = Said {
                proposal: id,
                revision: 1,
                author: author.id,
                title: asked.title.clone().or(asked.untitled.clone()).unwrap_or_else(|| title(&done)),
                why: asked.why.clone().unwrap_or_default(),
                valid_until: None,
                effect_keys: effect_keys(&room, author.id, asked),
                rebased_from: None,
            };
            let links = done.iter().map(|done| (LinkKind::Reverts, done.facts.id)).collect();
            Ok::<_, Failure>((prepared(&room, said, made, Vec::new()), links))
        })?;
        let new = Arc::new(New {
            id,
            room,
            caller: caller.clone(),
            author: author.id,
            key: asked.key.clone(),
            correlation: None,
            fingerprint,
            prepared,
            links,
        });
        self.propose(&author, &new)
    }
}

/// An applied proposal that is to be taken back.
struct Done {
    facts: AppliedFacts,
    title: String,
    changes: Vec<ChangeRow>,
}

impl Done {
    /// The last that was applied first, each once.
    fn all(tx: &dyn Read, room: &RoomRow, numbers: &[u64]) -> Result<Vec<Self>, Failure> {
        let mut all: Vec<Self> = Vec::with_capacity(numbers.len());
        for number in numbers {
            if all.iter().any(|done| done.facts.number == *number) {
                continue;
            }
            let proposal = tx.proposal(room.key, *number)?.ok_or_else(|| no_proposal(*number))?;
            let standing = tx.standing(room.key, proposal.id)?.ok_or_else(lost_revision)?;
            let state = standing.state(tx.now(room.key)?);
            let Standing::Applied(facts) = standing else {
                return Err(Refusal::new(
                    Code::ProposalNotApplied,
                    format!("#{number} has not been applied: there is nothing to take back."),
                )
                .said(format!("#{number} belum diterapkan: tidak ada yang perlu dikembalikan."))
                .with(|f| {
                    f.proposal = Some(*number);
                    f.state = Some(state);
                })
                .into());
            };
            let row = tx.revision(room.key, facts.id, facts.revision)?.ok_or_else(lost_revision)?;
            let changes = tx.changes(room.key, facts.id, facts.revision)?;
            all.push(Self { title: row.title, changes, facts });
        }
        all.sort_by_key(|done| std::cmp::Reverse(done.facts.seq));
        Ok(all)
    }

    /// What it replaced cannot be found any more.
    fn unknown_before(&self, path: &DocPath) -> Failure {
        let number = self.facts.number;
        Refusal::new(
            Code::ProposalConflict,
            format!("The content that {path} had before #{number} cannot be found any more; propose what it should be."),
        )
        .said(format!(
            "Isi {path} sebelum #{number} tidak dapat ditemukan lagi; usulkan isi yang seharusnya."
        ))
        .with(|f| {
            f.proposal = Some(number);
            f.path = Some(path.to_string());
        })
        .into()
    }

    /// Those that were to take it back already; one that is to be taken back itself does so no more.
    fn reverted_by(
        &self,
        tx: &dyn Read,
        room: &RoomRow,
        done: &[Self],
    ) -> Result<HashSet<ProposalId>, StoreError> {
        let links = tx.links(room.key, self.facts.id)?.into_iter();
        let reverts = links.filter(|link| link.kind == LinkKind::Reverts && !link.outgoing);
        let stays = |other: &ProposalId| !done.iter().any(|done| done.facts.id == *other);
        Ok(reverts.map(|link| link.other).filter(stays).collect())
    }

    fn take_back(
        &self,
        first: usize,
        overlay: &mut Overlay<'_, '_, Failure>,
        found: &mut Found<'_>,
    ) -> Result<(), Failure> {
        let (tx, room) = (found.tx, found.room);
        let others = self.reverted_by(tx, room, found.done)?;
        // What it made goes, and what it moved moves again.
        overlay.begin(self.changes.iter().enumerate().map(|(ordinal, row)| {
            let change = &row.change;
            let leaves = change.from.is_some() || change.base.is_none();
            let was = change.after.as_ref();
            Part { by: first + ordinal, at: &change.path, was, leaves: leaves && was.is_some() }
        }))?;
        for (ordinal, row) in (0u32..).zip(&self.changes) {
            let change = &row.change;
            let made = VersionKey { seq: self.facts.seq, ordinal };
            if change.after.is_none() && !others.is_empty() {
                let room = InRoom { tx, room, of: None };
                if room.remade(&change.path, made, &others)?.is_some() {
                    continue;
                }
            }
            let before = match &change.base {
                None => None,
                Some(base) => {
                    let at = change.from.as_ref().unwrap_or(&change.path);
                    let content = replaced(tx, room, made)?.ok_or_else(|| self.unknown_before(at))?;
                    Some(Held { content, mode: base.mode })
                }
            };
            let after = match &change.after {
                None => None,
                Some(after) => {
                    let content = tx.content(room.key, self.facts.id, self.facts.revision, ordinal)?;
                    let content = sound(content.ok_or_else(lost_revision)?, after, &change.path)?;
                    Some(Held { content, mode: after.mode })
                }
            };
            let Transplanted { carried, stands, .. } = overlay.transplant(
                first + ordinal as usize,
                Transplant {
                    at: change.path.clone(),
                    to: taken_to(change).0.clone(),
                    before: after,
                    after: before,
                    edits: &[],
                    choice: None,
                },
            )?;
            if let Carried::Conflict(conflict) = carried {
                let mut places: Vec<DocPath> = stands.into_iter().collect();
                if conflict.kind == ConflictKind::Occupied {
                    places.push(conflict.path.clone());
                } else if let Some(was) = &change.after {
                    let room = InRoom { tx, room, of: None };
                    places.extend(room.places(&change.path, &was.commitment)?);
                } else {
                    places.push(change.path.clone());
                }
                found.add(*conflict, &places, self.facts.seq)?;
            }
        }
        for crowded in overlay.crowded() {
            let (to, at) = taken_to(&self.changes[crowded.by - first].change);
            let places = [crowded.stands.as_ref().unwrap_or(&crowded.at).clone()];
            found.add(stays(to, at, &crowded), &places, self.facts.seq)?;
        }
        Ok(())
    }
}

/// What stands in the way of a revert, and who put it there.
struct Found<'a> {
    tx: &'a dyn Read,
    room: &'a RoomRow,
    done: &'a [Done],
    conflicts: Vec<Conflict>,
    /// Their numbers, by the entries that applied them.
    later: BTreeMap<u64, u64>,
}

impl Found<'_> {
    /// A conflict with what stands at these paths or has left them, and with those who did that after an entry.
    fn add(&mut self, conflict: Conflict, paths: &[DocPath], after: u64) -> Result<(), StoreError> {
        /// Versions that are looked through for who made them.
        const LATER: usize = 1_000;
        let mut by: Option<MovedBy> = None;
        let mut looked = HashSet::new();
        for path in paths {
            let mut start = self.tx.document(self.room.key, path)?.map(|document| document.version);
            let mut departed = None;
            loop {
                let mut next = start;
                while let Some(key) = next.filter(|key| key.seq > after && looked.len() < LATER) {
                    let Some(row) = self.tx.version(self.room.key, key)? else { break };
                    next = row.previous;
                    if !looked.insert(key) {
                        break;
                    }
                    if self.done.iter().any(|done| done.facts.id == row.proposal) {
                        continue;
                    }
                    let Some(proposal) = self.tx.proposal_by_id(self.room.key, row.proposal)? else {
                        continue;
                    };
                    self.later.insert(key.seq, proposal.number);
                    by.get_or_insert(MovedBy { proposal: proposal.number, seq: key.seq });
                }
                departed = self.tx.departed(self.room.key, path, departed)?.filter(|key| key.seq > after);
                if departed.is_none() {
                    break;
                }
                start = departed;
            }
        }
        self.conflicts.push(Conflict { by, ..conflict });
        Ok(())
    }

    fn refusal(self) -> Refusal {
        let Self { done, mut conflicts, later, .. } = self;
        let names = named(done);
        let paths = conflict::names(&conflicts);
        let verb = if paths.contains(", ") { "have" } else { "has" };
        conflict::bound(&mut conflicts);
        Refusal::new(
            Code::ProposalConflict,
            format!("What {names} did cannot be taken back as it was: {paths} {verb} changed since."),
        )
        .said(format!(
            "Yang dilakukan {names} tidak dapat dikembalikan begitu saja: {paths} sudah berubah sesudahnya."
        ))
        .with(|f| {
            f.proposal = done.first().map(|done| done.facts.number);
            f.conflicts = conflicts;
            f.later = later.into_values().rev().collect();
        })
    }
}

/// Where a change that is taken back puts its document, and where it is taken from if that is elsewhere.
fn taken_to(change: &NetChange) -> (&DocPath, Option<&DocPath>) {
    match &change.from {
        Some(from) => (from, Some(&change.path)),
        None => (&change.path, None),
    }
}

/// What a version had replaced.
fn replaced(tx: &dyn Read, room: &RoomRow, made: VersionKey) -> Result<Option<Vec<u8>>, Failure> {
    let previous = tx.version(room.key, made)?.and_then(|row| row.previous);
    let Some(row) = previous.map(|key| tx.version(room.key, key)).transpose()?.flatten() else {
        return Ok(None);
    };
    content_at(tx, room, &row)
}

fn named(done: &[Done]) -> String {
    let numbers: Vec<String> = done.iter().map(|done| format!("#{}", done.facts.number)).collect();
    if numbers.len() > 5 { format!("{}, …", numbers[..5].join(", ")) } else { numbers.join(", ") }
}

/// `Revert #12: …`, cut where it would be longer than a title may be.
fn title(done: &[Done]) -> String {
    let whole = match done {
        [one] => format!("Revert {}: {}", named(done), one.title),
        _ => format!("Revert {}", named(done)),
    };
    text::cut(&whole, limit::TITLE_CHARS)
}

fn taken_back(done: &[Done]) -> Refusal {
    let names = named(done);
    Refusal { detail: format!("What {names} did is no longer there; nothing would change."), ..no_change() }
        .said(format!("Yang dilakukan {names} sudah tidak ada; tidak ada yang akan berubah."))
        .with(|f| f.proposal = done.first().map(|done| done.facts.number))
}

/// `all`: so was everything else that was asked for.
fn taken_back_already(number: u64, by: u64, all: bool) -> Refusal {
    let (next, said) = if all {
        ("nothing would change", "tidak ada yang akan berubah")
    } else {
        ("leave it out", "keluarkan dari daftarnya")
    };
    let detail = format!("#{number} was taken back by #{by} already; {next}.");
    Refusal { detail, ..no_change() }.said(format!("#{number} sudah dikembalikan oleh #{by}; {said}.")).with(
        |f| {
            f.proposal = Some(number);
            f.other = Some(by);
        },
    )
}

/// What its idempotency key implies, as for any other submission.
fn effect_keys(room: &RoomRow, author: ActorId, asked: &Revert) -> Vec<EffectKey> {
    let derived = asked.key.as_ref().map(|key| derived_effect_key(room.id, author, key));
    derived.map(|key| EffectKey { key, generation: 0 }).into_iter().collect()
}

fn fingerprint(asked: &Revert) -> [u8; 32] {
    let mut numbers = asked.numbers.clone();
    numbers.sort_unstable();
    numbers.dedup();
    let hasher = FieldHasher::new()
        .field(b"sekali/revert/1")
        .field(asked.title.as_deref().unwrap_or_default().as_bytes())
        .field(asked.why.as_deref().unwrap_or_default().as_bytes());
    numbers.iter().fold(hasher, |hasher, number| hasher.field(number.to_string().as_bytes())).finish()
}
