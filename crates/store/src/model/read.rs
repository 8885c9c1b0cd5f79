//! The model's reading verbs.

use std::cmp::Reverse;

use sekali_core::decide::{AppliedFacts, Standing};
use sekali_core::ledger::NO_PREV;
use sekali_core::path::lies_below;
use sekali_core::revision::EffectKey;
use sekali_core::talk::CommentKind;
use sekali_core::time::{Now, Timestamp};
use sekali_core::{ActorId, ActorKind, CommentId, DocPath, ProposalId, State as Stands, tree};

use super::state::{Room, missing};
use super::{Result, Tx};
use crate::rows::{
    ActorRow, AttemptRow, ChangeRow, CommentRow, ContentRow, Counts, DocumentRow, EffectWinner, EntryRow,
    FoundComment, HeadRow, Layer, LinkRow, ListQuery, ListedRow, NAMED_ASKS, NewComment, ProposalRow,
    RepeatMark, RepeatRow, Reservation, RevisionRow, RoomKey, RoomRow, SubmittedRow, TalkRow, VersionKey,
    VersionRow, WaitingRow,
};
use crate::verbs::Read;

/// How many similar proposals are named.
const SIMILAR: usize = 8;

impl Read for Tx {
    fn now(&self, room: RoomKey) -> Result<Now> {
        Ok(Now::decide(self.clock.wall(), self.state.room(room)?.last_at))
    }

    fn wall(&self) -> Timestamp {
        self.clock.wall()
    }

    fn rooms(&self) -> Result<Vec<RoomRow>> {
        Ok(self.state.rooms.values().map(|room| room.row.clone()).collect())
    }

    fn head(&self, room: RoomKey) -> Result<HeadRow> {
        let room = self.state.room(room)?;
        let leaves: Vec<[u8; 32]> = room.entries.iter().map(|e| *e.leaf.as_bytes()).collect();
        let closed = |state| room.closed.values().filter(|c| c.state == state).count() as u64;
        Ok(HeadRow {
            size: room.entries.len() as u64,
            root: tree::root_of(&leaves),
            prev: room.entries.last().map_or(NO_PREV, |e| e.leaf),
            last_at: room.last_at,
            change_seq: room.change_seq,
            counts: Counts {
                open: room.open.len() as u64,
                applied: room.applied.len() as u64,
                rejected: closed(Stands::Rejected),
                withdrawn: closed(Stands::Withdrawn),
            },
        })
    }

    fn count_expired(&self, room: RoomKey, now: Now) -> Result<u64> {
        let room = self.state.room(room)?;
        Ok(room.open.values().filter(|open| now.past(open.valid_until)).count() as u64)
    }

    fn actor(&self, room: RoomKey, id: ActorId) -> Result<Option<ActorRow>> {
        Ok(self.state.room(room)?.actors.get(&id).cloned())
    }

    fn actor_named(&self, room: RoomKey, kind: ActorKind, name: &str) -> Result<Option<ActorRow>> {
        let mut actors = self.state.room(room)?.actors.values();
        Ok(actors.find(|a| a.kind == kind && a.name == name).cloned())
    }

    fn actors(&self, room: RoomKey) -> Result<Vec<ActorRow>> {
        let actors = self.state.room(room)?.actors.values();
        let mut actors: Vec<_> = actors.filter(|a| a.kind != ActorKind::System).cloned().collect();
        actors.sort_by(|a, b| (&a.name, a.kind.as_str()).cmp(&(&b.name, b.kind.as_str())));
        Ok(actors)
    }

    fn proposal(&self, room: RoomKey, number: u64) -> Result<Option<ProposalRow>> {
        Ok(self.state.room(room)?.proposals.values().find(|p| p.number == number).cloned())
    }

    fn proposal_with_open(
        &self,
        room: RoomKey,
        number: u64,
    ) -> Result<Option<(ProposalRow, Option<WaitingRow>)>> {
        let Some(proposal) = self.proposal(room, number)? else { return Ok(None) };
        let Some(open) = self.state.room(room)?.open.get(&proposal.id).copied() else {
            return Ok(Some((proposal, None)));
        };
        let row = self.revision(room, proposal.id, open.revision)?.ok_or_else(|| missing("open revision"))?;
        let RevisionRow { title, why, author, touches, .. } = row;
        let waiting = WaitingRow { open, title, why, author, documents: touches.documents };
        Ok(Some((proposal, Some(waiting))))
    }

    fn effect_keys(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<EffectKey>> {
        Ok(self.revision(room, id, revision)?.map(|r| r.effect_keys).unwrap_or_default())
    }

    fn proposal_by_id(&self, room: RoomKey, id: ProposalId) -> Result<Option<ProposalRow>> {
        Ok(self.state.room(room)?.proposals.get(&id).cloned())
    }

    /// Inside a transaction that has claimed but not yet taken the open row, the row that stands in
    /// the way is the answer.
    fn standing(&self, room: RoomKey, id: ProposalId) -> Result<Option<Standing>> {
        let room = self.state.room(room)?;
        if let Some(open) = room.open.get(&id) {
            return Ok(Some(Standing::Open(*open)));
        }
        if let Some(closed) = room.closed.get(&id) {
            return Ok(Some(Standing::Closed(room.closed_facts(closed)?)));
        }
        match room.applied.get(&id) {
            Some(applied) => Ok(Some(Standing::Applied(room.applied_facts(id, applied)?))),
            None => Ok(None),
        }
    }

    fn receipt(&self, room: RoomKey, id: ProposalId) -> Result<Option<AppliedFacts>> {
        let room = self.state.room(room)?;
        room.applied.get(&id).map(|applied| room.applied_facts(id, applied)).transpose()
    }

    fn revision(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Option<RevisionRow>> {
        Ok(self.state.room(room)?.revisions.get(&(id, revision)).map(|r| RevisionRow::clone(r)))
    }

    fn revisions(&self, room: RoomKey, id: ProposalId) -> Result<Vec<RevisionRow>> {
        let all = self.state.room(room)?.revisions.range((id, 0)..=(id, u32::MAX));
        Ok(all.map(|(_, r)| RevisionRow::clone(r)).collect())
    }

    fn changes(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<ChangeRow>> {
        Ok(self.state.room(room)?.changes.get(&(id, revision)).map(|c| c.to_vec()).unwrap_or_default())
    }

    fn submitted(&self, room: RoomKey, id: ProposalId, revision: u32) -> Result<Vec<SubmittedRow>> {
        Ok(self.state.room(room)?.submitted.get(&(id, revision)).map(|s| s.to_vec()).unwrap_or_default())
    }

    fn links(&self, room: RoomKey, id: ProposalId) -> Result<Vec<LinkRow>> {
        let room = self.state.room(room)?;
        let mut rows = Vec::new();
        for (from, kind, to) in &room.links {
            for (this, other, outgoing) in [(from, to, true), (to, from, false)] {
                if *this == id {
                    let number = room.number(*other)?;
                    rows.push(LinkRow { number, kind: *kind, outgoing, other: *other });
                }
            }
        }
        rows.sort_unstable();
        Ok(rows)
    }

    fn content(
        &self,
        room: RoomKey,
        id: ProposalId,
        revision: u32,
        ordinal: u32,
    ) -> Result<Option<ContentRow>> {
        let content = self.state.room(room)?.contents.get(&(id, revision, ordinal));
        Ok(content.map(|c| ContentRow::clone(c)))
    }

    fn document(&self, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>> {
        Ok(self.state.room(room)?.documents.get(path.key()).cloned())
    }

    fn above(&self, room: RoomKey, path: &DocPath) -> Result<Option<DocumentRow>> {
        let documents = &self.state.room(room)?.documents;
        Ok(path.folders().find_map(|folder| documents.get(folder.key()).cloned()))
    }

    fn below(
        &self,
        room: RoomKey,
        path: &DocPath,
        after: Option<&DocPath>,
        limit: u32,
    ) -> Result<Vec<DocumentRow>> {
        let documents = self.state.room(room)?.documents.iter();
        let inner = documents.filter(|(key, _)| lies_below(key, path.key()));
        let later = inner.filter(|(key, _)| after.is_none_or(|after| key.as_str() > after.key()));
        Ok(later.take(limit as usize).map(|(_, d)| d.clone()).collect())
    }

    fn documents(&self, room: RoomKey, after: Option<&str>, limit: u32) -> Result<Vec<DocumentRow>> {
        let documents = self.state.room(room)?.documents.iter();
        let later = documents.filter(|(key, _)| after.is_none_or(|after| key.as_str() > after));
        Ok(later.take(limit as usize).map(|(_, d)| d.clone()).collect())
    }

    fn departed(
        &self,
        room: RoomKey,
        path: &DocPath,
        before: Option<VersionKey>,
    ) -> Result<Option<VersionKey>> {
        let all = self.state.room(room)?.departed.get(path.key());
        let earlier = |key: &&VersionKey| before.is_none_or(|before| **key < before);
        Ok(all.and_then(|all| all.iter().rev().find(earlier)).copied())
    }

    fn version(&self, room: RoomKey, version: VersionKey) -> Result<Option<VersionRow>> {
        Ok(self.state.room(room)?.versions.get(&version).cloned())
    }

    fn entries(&self, room: RoomKey, after: u64, limit: u32) -> Result<Vec<EntryRow>> {
        let later = self.state.room(room)?.entries.iter().filter(|e| e.seq > after);
        Ok(later.take(limit as usize).map(|e| EntryRow::clone(e)).collect())
    }

    fn effect(&self, room: RoomKey, key: &EffectKey) -> Result<Option<EffectWinner>> {
        let room = self.state.room(room)?;
        match room.effects.get(&(key.key.clone(), key.generation)) {
            Some(&proposal) => Ok(Some(EffectWinner { proposal, number: room.number(proposal)? })),
            None => Ok(None),
        }
    }

    fn naming_effect(&self, room: RoomKey, key: &EffectKey, but: ProposalId) -> Result<Vec<u64>> {
        let room = self.state.room(room)?;
        let names = |id: ProposalId| {
            let live = room.open.contains_key(&id) || room.applied.contains_key(&id);
            let revision = room.current_revision(id).and_then(|number| room.revisions.get(&(id, number)));
            live && revision.is_some_and(|r| r.effect_keys.contains(key))
        };
        Ok(numbers(room, |p| p.id != but && names(p.id)))
    }

    fn reservation(&self, room: RoomKey, actor: ActorId, key: &str) -> Result<Option<Reservation>> {
        Ok(self.state.room(room)?.reservations.get(&(actor, key.to_owned())).copied())
    }

    fn similar(&self, room: RoomKey, fingerprint: &[u8; 32], but: Option<ProposalId>) -> Result<Vec<u64>> {
        let room = self.state.room(room)?;
        let equal = |id: ProposalId| {
            let mut revisions = room.revisions.range((id, 0)..=(id, u32::MAX));
            revisions.any(|(_, r)| r.content_fingerprint == *fingerprint)
        };
        let mut oldest = numbers(room, |p| Some(p.id) != but && equal(p.id));
        oldest.truncate(SIMILAR);
        Ok(oldest)
    }

    fn list(&self, room: RoomKey, query: ListQuery) -> Result<Vec<ListedRow>> {
        let room = self.state.room(room)?;
        let mut page = Vec::new();
        for proposal in
            room.proposals.values().rev().filter(|p| query.before.is_none_or(|before| p.id < before))
        {
            let Some(row) = room.listed(proposal, query.now)? else {
                continue;
            };
            if page.len() < query.limit as usize && query.state.is_none_or(|state| state == row.state) {
                page.push(row);
            }
        }
        Ok(page)
    }

    fn repeats(&self, room: RoomKey, before: Option<RepeatMark>, limit: u32) -> Result<Vec<RepeatRow>> {
        let room = self.state.room(room)?;
        let mut rows = Vec::new();
        for (key, notes) in &room.evidence {
            rows.extend(room.repeat(key, notes)?);
        }
        rows.sort_by_key(|row| Reverse(row.mark()));
        rows.retain(|row| before.as_ref().is_none_or(|before| row.mark() < *before));
        rows.truncate(limit as usize);
        Ok(rows)
    }

    fn repeat_of(
        &self,
        room: RoomKey,
        layer: Layer,
        source: [u8; 16],
        key: &[u8],
    ) -> Result<Option<RepeatRow>> {
        let room = self.state.room(room)?;
        let key = (layer, source, key.to_vec());
        match room.evidence.get(&key) {
            Some(notes) => room.repeat(&key, notes),
            None => Ok(None),
        }
    }

    fn comments(&self, room: RoomKey, id: ProposalId, after: u32, limit: u32) -> Result<Vec<CommentRow>> {
        let comments = self.state.room(room)?.comments.get(&id).into_iter().flatten();
        let later = comments.filter(|comment| comment.row.number > after);
        Ok(later.take(limit as usize).map(|comment| comment.row.clone()).collect())
    }

    fn talk(&self, room: RoomKey, id: ProposalId) -> Result<TalkRow> {
        let all = self.comments(room, id, 0, u32::MAX)?;
        let answered: Vec<u32> = all.iter().filter_map(|row| row.answers).collect();
        let asks = all.iter().filter(|row| row.kind == CommentKind::Ask && !answered.contains(&row.number));
        Ok(TalkRow {
            count: u32::try_from(all.len()).expect("a talk is bounded"),
            open_asks: asks.map(|row| row.number).take(NAMED_ASKS).collect(),
            last: all.last().cloned(),
        })
    }

    fn comment_keyed(&self, room: RoomKey, author: ActorId, key: &str) -> Result<Option<FoundComment>> {
        self.found_comment(room, |new| {
            new.row.author == author && new.key.as_ref().is_some_and(|(kept, _)| kept == key)
        })
    }

    fn comment_by_id(&self, room: RoomKey, id: CommentId) -> Result<Option<FoundComment>> {
        self.found_comment(room, |new| new.row.id == id)
    }

    fn attempts(&self, room: RoomKey, layer: Layer, source: [u8; 16], key: &[u8]) -> Result<Vec<AttemptRow>> {
        let room = self.state.room(room)?;
        match room.evidence.get(&(layer, source, key.to_vec())) {
            Some(notes) => room.kept_attempts(notes),
            None => Ok(Vec::new()),
        }
    }
}

impl Tx {
    fn found_comment(
        &self,
        room: RoomKey,
        wanted: impl Fn(&NewComment) -> bool,
    ) -> Result<Option<FoundComment>> {
        let mut all =
            self.state.room(room)?.comments.iter().flat_map(|(id, all)| all.iter().map(|c| (*id, c)));
        Ok(all.find(|(_, new)| wanted(new)).map(|(proposal, new)| FoundComment {
            proposal,
            row: new.row.clone(),
            fingerprint: new.key.as_ref().map(|(_, fingerprint)| *fingerprint),
        }))
    }
}

/// The numbers of some proposals, oldest first: numbers are given in the order of submission.
fn numbers(room: &Room, wanted: impl Fn(&ProposalRow) -> bool) -> Vec<u64> {
    let mut numbers: Vec<u64> = room.proposals.values().filter(|p| wanted(p)).map(|p| p.number).collect();
    numbers.sort_unstable();
    numbers
}
