//! What the model keeps, as maps, and what is derived from them. No rule of a verb is here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sekali_core::decide::{AppliedFacts, ClosedFacts, OpenFacts};
use sekali_core::hash::{ContentHash, LeafHash};
use sekali_core::path::lies_below;
use sekali_core::{ActorId, DocPath, Mode, Op, ProposalId, State as Stands, Timestamp};

use crate::error::StoreError;
use crate::rows::{
    ActorRow, AttemptRow, ChangeRow, ClaimRow, CloseRow, ContentRow, DocumentRow, EntryRow, KEPT_ATTEMPTS,
    Layer, LinkKind, ListedRow, NewComment, ProposalRow, RepeatNote, RepeatRow, Reservation, RevisionRow,
    RoomKey, RoomRow, SubmittedRow, VersionKey, VersionRow,
};

type Result<T> = std::result::Result<T, StoreError>;

/// Layer, source and key.
pub(super) type EvidenceKey = (Layer, [u8; 16], Vec<u8>);

/// Everything.
#[derive(Clone, Default)]
pub(super) struct State {
    pub(super) rooms: BTreeMap<RoomKey, Room>,
}

/// One room.
#[derive(Clone)]
pub(super) struct Room {
    pub(super) row: RoomRow,
    pub(super) last_at: Timestamp,
    pub(super) change_seq: u64,
    pub(super) last_number: u64,
    pub(super) actors: BTreeMap<ActorId, ActorRow>,
    pub(super) proposals: BTreeMap<ProposalId, ProposalRow>,
    pub(super) revisions: BTreeMap<(ProposalId, u32), Arc<RevisionRow>>,
    pub(super) changes: BTreeMap<(ProposalId, u32), Arc<Vec<ChangeRow>>>,
    pub(super) contents: BTreeMap<(ProposalId, u32, u32), Arc<ContentRow>>,
    pub(super) submitted: BTreeMap<(ProposalId, u32), Arc<Vec<SubmittedRow>>>,
    /// A proposal, how it has to do with another, and that one.
    pub(super) links: BTreeSet<(ProposalId, LinkKind, ProposalId)>,
    pub(super) comments: BTreeMap<ProposalId, Vec<Arc<NewComment>>>,
    pub(super) reservations: BTreeMap<(ActorId, String), Reservation>,
    pub(super) open: BTreeMap<ProposalId, OpenFacts>,
    pub(super) applied: BTreeMap<ProposalId, Claimed>,
    pub(super) closed: BTreeMap<ProposalId, CloseRow>,
    pub(super) effects: BTreeMap<(String, u32), ProposalId>,
    /// By the path's key.
    pub(super) documents: BTreeMap<String, DocumentRow>,
    /// By the path's key.
    pub(super) departed: BTreeMap<String, BTreeSet<VersionKey>>,
    pub(super) versions: BTreeMap<VersionKey, VersionRow>,
    pub(super) entries: Vec<Arc<EntryRow>>,
    /// Every repeat, in order; what is kept of them is decided in reading.
    pub(super) evidence: BTreeMap<EvidenceKey, Vec<RepeatNote>>,
}

/// A claim with the entry it was promised.
#[derive(Clone)]
pub(super) struct Claimed {
    pub(super) seq: u64,
    pub(super) claim: ClaimRow,
}

impl State {
    pub(super) fn room(&self, key: RoomKey) -> Result<&Room> {
        self.rooms.get(&key).ok_or_else(|| missing("room"))
    }

    /// What only a whole transaction can be held to: a kept key names a proposal.
    pub(super) fn check_at_commit(&self) -> Result<()> {
        let dangling =
            |room: &Room| room.reservations.values().any(|r| !room.proposals.contains_key(&r.proposal));
        if self.rooms.values().any(dangling) { Err(missing("proposal of a reservation")) } else { Ok(()) }
    }
}

impl Room {
    pub(super) fn new(row: RoomRow) -> Self {
        Self {
            last_at: row.created_at,
            row,
            change_seq: 0,
            last_number: 0,
            actors: BTreeMap::new(),
            proposals: BTreeMap::new(),
            revisions: BTreeMap::new(),
            changes: BTreeMap::new(),
            contents: BTreeMap::new(),
            submitted: BTreeMap::new(),
            links: BTreeSet::new(),
            comments: BTreeMap::new(),
            reservations: BTreeMap::new(),
            open: BTreeMap::new(),
            applied: BTreeMap::new(),
            closed: BTreeMap::new(),
            effects: BTreeMap::new(),
            documents: BTreeMap::new(),
            departed: BTreeMap::new(),
            versions: BTreeMap::new(),
            entries: Vec::new(),
            evidence: BTreeMap::new(),
        }
    }

    pub(super) fn actor(&self, id: ActorId) -> Result<&ActorRow> {
        self.actors.get(&id).ok_or_else(|| missing("actor"))
    }

    pub(super) fn proposal(&self, id: ProposalId) -> Result<&ProposalRow> {
        self.proposals.get(&id).ok_or_else(|| missing("proposal"))
    }

    pub(super) fn number(&self, id: ProposalId) -> Result<u64> {
        Ok(self.proposal(id)?.number)
    }

    /// The revision that is open, was applied, or was decided.
    pub(super) fn current_revision(&self, id: ProposalId) -> Option<u32> {
        let open = self.open.get(&id).map(|o| o.revision);
        let closed = || self.closed.get(&id).map(|c| c.revision);
        let applied = || self.applied.get(&id).map(|a| a.claim.revision);
        open.or_else(closed).or_else(applied)
    }

    pub(super) fn applied_facts(&self, id: ProposalId, applied: &Claimed) -> Result<AppliedFacts> {
        let Claimed { seq, claim } = applied;
        let os_user = match claim.os_user {
            Some(user) => Some(self.actor(user)?.name.clone()),
            None => None,
        };
        Ok(AppliedFacts {
            id,
            number: self.number(id)?,
            seq: *seq,
            revision: claim.revision,
            digest: claim.digest,
            at: claim.at,
            by: claim.actor,
            by_name: self.actor(claim.actor)?.name.clone(),
            door: claim.door,
            os_user,
            seen: claim.seen.to_owned(),
            leaf: self.leaf(*seq).ok_or_else(|| missing("entry of a claim"))?,
        })
    }

    pub(super) fn closed_facts(&self, closed: &CloseRow) -> Result<ClosedFacts> {
        Ok(ClosedFacts {
            state: closed.state,
            revision: closed.revision,
            digest: closed.digest,
            at: closed.at,
            by: closed.actor,
            by_name: self.actor(closed.actor)?.name.clone(),
            reason: closed.reason.clone(),
            seq: closed.seq,
        })
    }

    fn leaf(&self, seq: u64) -> Option<LeafHash> {
        self.entries.iter().find(|e| e.seq == seq).map(|e| e.leaf)
    }

    /// Where a proposal stands, with expiry derived.
    fn stands(&self, id: ProposalId, now: Option<Timestamp>) -> Option<Stands> {
        if let Some(open) = self.open.get(&id) {
            let over = matches!((open.valid_until, now), (Some(end), Some(now)) if end <= now);
            return Some(if over { Stands::Expired } else { Stands::Waiting });
        }
        if let Some(closed) = self.closed.get(&id) {
            return Some(closed.state);
        }
        self.applied.contains_key(&id).then_some(Stands::Applied)
    }

    /// A row of a list; `None` for a proposal that stands nowhere.
    pub(super) fn listed(&self, proposal: &ProposalRow, now: Option<Timestamp>) -> Result<Option<ListedRow>> {
        let id = proposal.id;
        let (Some(state), Some(number)) = (self.stands(id, now), self.current_revision(id)) else {
            return Ok(None);
        };
        let revision = self.revisions.get(&(id, number)).ok_or_else(|| missing("revision"))?;
        Ok(Some(ListedRow {
            id,
            number: proposal.number,
            title: revision.title.clone(),
            author: self.actor(proposal.author)?.clone(),
            created_at: proposal.created_at,
            revision: number,
            digest: revision.digest,
            touches: revision.touches,
            state,
            stale: state == Stands::Waiting && self.stale(id, number),
        }))
    }

    fn stale(&self, id: ProposalId, revision: u32) -> bool {
        let Some(changes) = self.changes.get(&(id, revision)) else {
            return false;
        };
        // The places that the revision itself empties: what it deletes, and where it renames from.
        let empties = |key: &str| {
            changes.iter().any(|row| {
                let left = match row.change.op {
                    Op::Delete => Some(&row.change.path),
                    _ => row.change.from.as_ref(),
                };
                left.is_some_and(|path| path.key() == key)
            })
        };
        changes.iter().any(|row| {
            let change = &row.change;
            let read = change.from.as_ref().unwrap_or(&change.path);
            let moved = change.base.as_ref().is_some_and(|base| !self.holds(read, (&base.hash, base.mode)));
            let enters = matches!(change.op, Op::Create | Op::Rename);
            let key = change.path.key();
            let in_the_way = |other: &str| other == key || lies_below(other, key) || lies_below(key, other);
            let occupied = enters && self.documents.keys().any(|other| in_the_way(other) && !empties(other));
            moved || occupied
        })
    }

    /// Whether the document at exactly this path has this content and mode. One that has been
    /// renamed to another spelling of the path stands at the same key, and has moved.
    pub(super) fn holds(&self, path: &DocPath, base: (&ContentHash, Mode)) -> bool {
        let document = self.documents.get(path.key());
        document.is_some_and(|d| d.path == *path && (&d.content.hash, d.content.mode) == base)
    }

    /// The evidence of one key; `None` where there is none.
    pub(super) fn repeat(&self, key: &EvidenceKey, notes: &[RepeatNote]) -> Result<Option<RepeatRow>> {
        let Some(first) = notes.first() else {
            return Ok(None);
        };
        Ok(Some(RepeatRow {
            layer: key.0,
            source: key.1,
            key: key.2.clone(),
            proposal: first.proposal,
            number: self.number(first.proposal)?,
            count: notes.len() as u64,
            other_content: notes.iter().filter(|n| n.other_content).count() as u64,
            first_at: first.at,
            // A clock far behind notes an earlier instant; the last time stays the latest.
            last_at: notes.iter().map(|n| n.at).fold(first.at, Timestamp::max),
        }))
    }

    /// The first twenty and the last twenty attempts.
    pub(super) fn kept_attempts(&self, notes: &[RepeatNote]) -> Result<Vec<AttemptRow>> {
        let count = notes.len() as u64;
        (1..)
            .zip(notes)
            .filter(|(n, _)| *n <= KEPT_ATTEMPTS || *n > count.saturating_sub(KEPT_ATTEMPTS))
            .map(|(n, note)| {
                let actor = self.actor(note.actor)?.name.clone();
                Ok(AttemptRow { n, at: note.at, actor, door: note.door, fingerprint: note.fingerprint })
            })
            .collect()
    }
}

/// What a foreign key would say.
pub(super) fn missing(what: &str) -> StoreError {
    StoreError::damaged(format!("The store has no such {what}."))
}

/// What a unique constraint would say.
pub(super) fn taken(what: &str) -> StoreError {
    StoreError::damaged(format!("The store has this {what} already."))
}
