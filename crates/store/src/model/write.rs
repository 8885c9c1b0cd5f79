//! The model's writing verbs. What a constraint does in a database is a plain look into a map here:
//! there is one writer.

use std::sync::Arc;

use sekali_core::change::Version;
use sekali_core::decide::{ClosedFacts, OpenFacts};
use sekali_core::hash::{Commitment, Digest, LeafHash};
use sekali_core::ledger::{Draft, NO_PREV};
use sekali_core::revision::EffectKey;
use sekali_core::talk::CommentKind;
use sekali_core::{ActorId, ActorKind, DocPath, ProposalId, Role, RoomId, State as Stands, Timestamp};

use super::state::{Claimed, Room, missing, taken};
use super::{Result, Tx};
use crate::rows::{
    ActorRow, Appended, ClaimRow, CloseRow, CommentRow, DocumentRow, EffectWinner, EntryRow, LinkKind,
    NewComment, NewDocument, NewRevision, ProposalRow, RepeatNote, Replaced, Reservation, RevisionRow,
    RoomKey, RoomRow, SubmittedForm, SubmittedRow, VersionKey, VersionRow, base_parts,
};
use crate::verbs::{Read, Write};

impl Tx {
    /// The transaction's own copy of a room, for a verb that writes: each advances `change_seq`.
    fn room_mut(&mut self, key: RoomKey) -> Result<&mut Room> {
        let room = Arc::make_mut(&mut self.state).rooms.get_mut(&key).ok_or_else(|| missing("room"))?;
        room.change_seq += 1;
        Ok(room)
    }

    /// The same, for a verb that writes an instant down.
    fn room_at(&mut self, key: RoomKey, at: Timestamp) -> Result<&mut Room> {
        let room = self.room_mut(key)?;
        room.last_at = room.last_at.max(at);
        Ok(room)
    }
}

impl Write for Tx {
    fn create_room(&mut self, id: RoomId, slug: &str, title: &str, at: Timestamp) -> Result<Option<RoomKey>> {
        if self.state.rooms.values().any(|room| room.row.slug == slug) {
            return Ok(None);
        }
        if self.state.rooms.values().any(|room| room.row.id == id) {
            return Err(taken("room's id"));
        }
        let key = RoomKey(self.state.rooms.keys().next_back().map_or(1, |last| last.0 + 1));
        let row = RoomRow { key, id, slug: slug.to_owned(), title: title.to_owned(), created_at: at };
        Arc::make_mut(&mut self.state).rooms.insert(key, Room::new(row));
        self.room_at(key, at)?;
        Ok(Some(key))
    }

    fn add_actor(&mut self, room: RoomKey, actor: &ActorRow) -> Result<bool> {
        if self.actor_named(room, actor.kind, &actor.name)?.is_some() {
            return Ok(false);
        }
        if self.actor(room, actor.id)?.is_some() {
            return Err(taken("actor's id"));
        }
        if actor.role.is_some() && actor.kind != ActorKind::Person {
            return Err(only_people());
        }
        self.room_at(room, actor.added_at)?.actors.insert(actor.id, actor.clone());
        Ok(true)
    }

    fn set_role(&mut self, room: RoomKey, actor: ActorId, role: Option<Role>) -> Result<()> {
        if role.is_some() && self.state.room(room)?.actor(actor)?.kind != ActorKind::Person {
            return Err(only_people());
        }
        self.room_mut(room)?.actors.get_mut(&actor).ok_or_else(|| missing("actor"))?.role = role;
        Ok(())
    }

    fn os_user(&mut self, room: RoomKey, name: &str, fresh: ActorId, at: Timestamp) -> Result<ActorId> {
        if let Some(known) = self.actor_named(room, ActorKind::System, name)? {
            return Ok(known.id);
        }
        let kind = ActorKind::System;
        self.add_actor(room, &ActorRow { id: fresh, kind, name: name.to_owned(), role: None, added_at: at })?;
        Ok(fresh)
    }

    fn next_number(&mut self, room: RoomKey) -> Result<u64> {
        let room = self.room_mut(room)?;
        room.last_number += 1;
        Ok(room.last_number)
    }

    fn reserve(
        &mut self,
        room: RoomKey,
        actor: ActorId,
        key: &str,
        reservation: Reservation,
    ) -> Result<Option<Reservation>> {
        if let Some(kept) = self.reservation(room, actor, key)? {
            return Ok(Some(kept));
        }
        self.room_mut(room)?.reservations.insert((actor, key.to_owned()), reservation);
        Ok(None)
    }

    fn insert_proposal(&mut self, room: RoomKey, proposal: &ProposalRow) -> Result<()> {
        self.state.room(room)?.actor(proposal.author)?;
        if self.proposal_by_id(room, proposal.id)?.is_some()
            || self.proposal(room, proposal.number)?.is_some()
        {
            return Err(taken("proposal"));
        }
        self.room_at(room, proposal.created_at)?.proposals.insert(proposal.id, proposal.clone());
        Ok(())
    }

    fn insert_revision(
        &mut self,
        room: RoomKey,
        id: ProposalId,
        at: Timestamp,
        new: &NewRevision,
    ) -> Result<()> {
        self.state.room(room)?.proposal(id)?;
        self.state.room(room)?.actor(new.row.author)?;
        let number = new.row.revision;
        if new.row.rebased_from.is_some_and(|from| from == 0 || from >= number) {
            return Err(missing("revision that it was rebased from"));
        }
        let said_whole = |row: &SubmittedRow| {
            let patch = row.form == SubmittedForm::Patch;
            row.path.is_none() == patch && (patch || row.strip.is_none())
        };
        if !new.submitted.iter().all(said_whole) {
            return Err(missing("document of an edit"));
        }
        if self.revision(room, id, number)?.is_some() {
            return Err(taken("revision"));
        }
        let room = self.room_at(room, at)?;
        let row = RevisionRow { created_at: at, ..new.row.clone() };
        room.revisions.insert((id, number), Arc::new(row));
        room.changes.insert((id, number), Arc::new(new.changes.clone()));
        for (ordinal, content) in (0..).zip(&new.contents) {
            if let Some(content) = content {
                room.contents.insert((id, number, ordinal), Arc::new(content.clone()));
            }
        }
        if !new.submitted.is_empty() {
            room.submitted.insert((id, number), Arc::new(new.submitted.clone()));
        }
        Ok(())
    }

    fn link(&mut self, room: RoomKey, id: ProposalId, kind: LinkKind, other: ProposalId) -> Result<()> {
        self.state.room(room)?.proposal(id)?;
        self.state.room(room)?.proposal(other)?;
        if id == other || !self.room_mut(room)?.links.insert((id, kind, other)) {
            return Err(taken("link"));
        }
        Ok(())
    }

    fn open(&mut self, room: RoomKey, id: ProposalId, open: &OpenFacts) -> Result<()> {
        if self.state.room(room)?.open.contains_key(&id) {
            return Err(taken("open proposal"));
        }
        self.room_mut(room)?.open.insert(id, *open);
        Ok(())
    }

    fn take_open(&mut self, room: RoomKey, id: ProposalId, digest: &Digest) -> Result<bool> {
        if self.state.room(room)?.open.get(&id).is_none_or(|open| open.digest != *digest) {
            return Ok(false);
        }
        Ok(self.room_mut(room)?.open.remove(&id).is_some())
    }

    fn swap_open(&mut self, room: RoomKey, id: ProposalId, digest: &Digest, new: &OpenFacts) -> Result<bool> {
        if self.state.room(room)?.open.get(&id).is_none_or(|open| open.digest != *digest) {
            return Ok(false);
        }
        self.room_mut(room)?.open.insert(id, *new);
        Ok(true)
    }

    fn close(&mut self, room: RoomKey, id: ProposalId, row: &CloseRow) -> Result<()> {
        self.state.room(room)?.proposal(id)?;
        if self.state.room(room)?.closed.contains_key(&id) {
            return Err(taken("closed proposal"));
        }
        self.room_at(room, row.at)?.closed.insert(id, row.clone());
        Ok(())
    }

    fn take_rejected(
        &mut self,
        room: RoomKey,
        id: ProposalId,
        digest: &Digest,
    ) -> Result<Option<ClosedFacts>> {
        let here = self.state.room(room)?;
        let is_it = |closed: &&CloseRow| closed.state == Stands::Rejected && closed.digest == *digest;
        let Some(closed) = here.closed.get(&id).filter(is_it) else {
            return Ok(None);
        };
        let facts = here.closed_facts(closed)?;
        self.room_mut(room)?.closed.remove(&id);
        Ok(Some(facts))
    }

    fn claim(&mut self, room: RoomKey, claim: &ClaimRow) -> Result<Option<u64>> {
        let here = self.state.room(room)?;
        here.proposal(claim.proposal)?;
        if here.applied.contains_key(&claim.proposal) {
            return Ok(None);
        }
        let seq = here.entries.len() as u64 + 1;
        self.room_at(room, claim.at)?.applied.insert(claim.proposal, Claimed { seq, claim: claim.clone() });
        Ok(Some(seq))
    }

    fn claim_effect(
        &mut self,
        room: RoomKey,
        key: &EffectKey,
        proposal: ProposalId,
    ) -> Result<Option<EffectWinner>> {
        if let Some(winner) = self.effect(room, key)? {
            return Ok(Some(winner));
        }
        if !self.state.room(room)?.applied.contains_key(&proposal) {
            return Err(missing("claim of an effect"));
        }
        self.room_mut(room)?.effects.insert((key.key.clone(), key.generation), proposal);
        Ok(None)
    }

    fn replace_document(
        &mut self,
        room: RoomKey,
        base: &Version,
        new: &NewDocument<'_>,
    ) -> Result<Option<Replaced>> {
        if !self.state.room(room)?.holds(new.path, base_parts(base)) {
            return Ok(None);
        }
        let documents = &mut self.room_mut(room)?.documents;
        Ok(documents.insert(new.path.key().to_owned(), document(new)).map(|old| replaced(&old)))
    }

    fn take_document(
        &mut self,
        room: RoomKey,
        path: &DocPath,
        base: &Version,
        by: VersionKey,
    ) -> Result<Option<Replaced>> {
        if !self.state.room(room)?.holds(path, base_parts(base)) {
            return Ok(None);
        }
        let room = self.room_mut(room)?;
        if !room.departed.entry(path.key().to_owned()).or_default().insert(by) {
            return Err(taken("departure"));
        }
        Ok(room.documents.remove(path.key()).map(|old| replaced(&old)))
    }

    fn create_document(&mut self, room: RoomKey, new: &NewDocument<'_>) -> Result<bool> {
        let occupied = self.document(room, new.path)?.is_some()
            || self.above(room, new.path)?.is_some()
            || !self.below(room, new.path, None, 1)?.is_empty();
        if occupied {
            return Ok(false);
        }
        self.room_mut(room)?.documents.insert(new.path.key().to_owned(), document(new));
        Ok(true)
    }

    fn insert_version(&mut self, room: RoomKey, version: &VersionRow) -> Result<()> {
        if self.version(room, version.version)?.is_some() {
            return Err(taken("version"));
        }
        self.room_mut(room)?.versions.insert(version.version, version.clone());
        Ok(())
    }

    fn append(
        &mut self,
        room: RoomKey,
        draft: &Draft,
        at: Timestamp,
        before: &[Option<Commitment>],
    ) -> Result<Appended> {
        let room = self.room_at(room, at)?;
        let seq = room.entries.len() as u64 + 1;
        let prev = room.entries.last().map_or(NO_PREV, |e| e.leaf);
        let bytes = draft.splice(seq, &prev, at, before);
        let leaf = LeafHash::of(&bytes);
        room.entries.push(Arc::new(EntryRow { seq, bytes, leaf }));
        Ok(Appended { seq, leaf })
    }

    fn comment(&mut self, room: RoomKey, proposal: ProposalId, new: &NewComment) -> Result<Option<u32>> {
        let row = &new.row;
        self.state.room(room)?.actor(row.author)?;
        self.revision(room, proposal, row.revision)?.ok_or_else(|| missing("revision of a comment"))?;
        if self.comment_by_id(room, row.id)?.is_some() {
            return Err(taken("comment's id"));
        }
        if let Some((key, _)) = &new.key
            && self.comment_keyed(room, row.author, key)?.is_some()
        {
            return Ok(None);
        }
        let room = self.room_at(room, row.at)?;
        let all = room.comments.entry(proposal).or_default();
        let number = u32::try_from(all.len()).expect("a talk is bounded") + 1;
        let answers_earlier = row.answers.is_none_or(|earlier| (1..number).contains(&earlier));
        if (row.kind == CommentKind::Answer) != row.answers.is_some() || !answers_earlier {
            return Err(missing("comment that is answered"));
        }
        all.push(Arc::new(NewComment { row: CommentRow { number, ..row.clone() }, ..new.clone() }));
        Ok(Some(number))
    }

    fn note_repeat(&mut self, room: RoomKey, note: &RepeatNote) -> Result<u64> {
        self.state.room(room)?.actor(note.actor)?;
        let room = self.room_at(room, note.at)?;
        let notes = room.evidence.entry((note.layer, note.source, note.key.clone())).or_default();
        notes.push(note.clone());
        Ok(notes.len() as u64)
    }
}

fn document(new: &NewDocument<'_>) -> DocumentRow {
    DocumentRow { path: new.path.clone(), version: new.version, content: new.content.clone() }
}

fn replaced(old: &DocumentRow) -> Replaced {
    Replaced { commitment: old.content.commitment, version: old.version }
}

fn only_people() -> crate::StoreError {
    crate::StoreError::damaged("Only people have roles.")
}
