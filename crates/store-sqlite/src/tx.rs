//! `Write` inside one group: the heads are read once after BEGIN, restored when a member is rolled
//! back, written once before COMMIT, and never carried into the next group.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rusqlite::Connection;
use sekali_core::change::Version;
use sekali_core::decide::{AppliedFacts, ClosedFacts, OpenFacts, Standing};
use sekali_core::hash::{Commitment, LeafHash};
use sekali_core::ledger::Draft;
use sekali_core::revision::EffectKey;
use sekali_core::time::{Now, Timestamp};
use sekali_core::{ActorId, ActorKind, CommentId, Digest, DocPath, ProposalId, Role, RoomId, State};
use sekali_store::{
    ActorRow, Appended, AttemptRow, ChangeRow, ClaimRow, Clock, CloseRow, CommentRow, ContentRow,
    DocumentRow, EffectWinner, EntryRow, FoundComment, HeadRow, Layer, LinkKind, LinkRow, ListQuery,
    ListedRow, NewComment, NewDocument, NewRevision, ProposalRow, Read, RepeatMark, RepeatNote, RepeatRow,
    Replaced, Reservation, RevisionRow, RoomKey, RoomRow, SubmittedRow, TalkRow, VersionKey, VersionRow,
    WaitingRow, Write,
};

use crate::evidence::{Counts, Hours};
use crate::reader::{Result, sekali_reads};
use crate::rooms::Head;
use crate::{actors, comments, documents, evidence, fence, ledger, list, proposals, rooms, submitted};

/// What a group carries and writes once, before COMMIT.
#[derive(Default, Clone)]
pub(crate) struct Carried {
    heads: BTreeMap<RoomKey, Head>,
    hours: Hours,
}

impl Carried {
    pub(crate) fn write(&self, conn: &Connection) -> Result<()> {
        self.heads.iter().try_for_each(|(room, head)| rooms::write_head(conn, *room, head))?;
        evidence::write_hours(conn, &self.hours)
    }
}

/// What a group has read that every member asks for: the role of whoever presses, for few press, and
/// the head as it was before the group. Forgotten when the group begins, as soon as an actor is
/// written, and when a member is undone. A head's row is written before COMMIT only, so what was read
/// of it holds.
#[derive(Default)]
pub(crate) struct Known {
    actors: RefCell<BTreeMap<(RoomKey, ActorId), ActorRow>>,
    heads: RefCell<BTreeMap<RoomKey, Head>>,
    /// Not forgotten: a guess.
    counts: Counts,
}

impl Known {
    pub(crate) fn forget(&self) {
        self.actors.borrow_mut().clear();
        self.heads.borrow_mut().clear();
    }

    fn head(&self, conn: &Connection, room: RoomKey) -> Result<Head> {
        if let Some(head) = self.heads.borrow().get(&room) {
            return Ok(head.clone());
        }
        let head = rooms::head(conn, room)?;
        self.heads.borrow_mut().insert(room, head.clone());
        Ok(head)
    }
}

/// One member's view of the group's transaction.
pub(crate) struct Tx<'c> {
    pub(crate) conn: &'c Connection,
    pub(crate) clock: &'c dyn Clock,
    pub(crate) carried: &'c mut Carried,
    pub(crate) known: &'c Known,
    /// Bytes that the group has written, roughly: what closes it early.
    pub(crate) bytes: &'c mut usize,
    pub(crate) wrote: bool,
}

impl Tx<'_> {
    fn current(&self, room: RoomKey) -> Result<std::borrow::Cow<'_, Head>> {
        match self.carried.heads.get(&room) {
            Some(head) => Ok(std::borrow::Cow::Borrowed(head)),
            None => self.known.head(self.conn, room).map(std::borrow::Cow::Owned),
        }
    }

    /// The room's head, to be written before COMMIT.
    fn touch(&mut self, room: RoomKey) -> Result<&mut Head> {
        self.wrote = true;
        match self.carried.heads.entry(room) {
            std::collections::btree_map::Entry::Occupied(head) => Ok(head.into_mut()),
            std::collections::btree_map::Entry::Vacant(place) => {
                let mut head = self.known.head(self.conn, room)?;
                // Whoever waits for news is told once per group.
                head.change_seq += 1;
                Ok(place.insert(head))
            }
        }
    }

    fn touch_at(&mut self, room: RoomKey, at: Timestamp) -> Result<&mut Head> {
        let head = self.touch(room)?;
        head.last_at = head.last_at.max(at);
        Ok(head)
    }
}

impl Read for Tx<'_> {
    fn now(&self, room: RoomKey) -> Result<Now> {
        Ok(Now::decide(self.clock.wall(), self.current(room)?.last_at))
    }

    fn head(&self, room: RoomKey) -> Result<HeadRow> {
        Ok(self.current(room)?.row())
    }

    fn actor(&self, room: RoomKey, id: ActorId) -> Result<Option<ActorRow>> {
        if let Some(known) = self.known.actors.borrow().get(&(room, id)) {
            return Ok(Some(known.clone()));
        }
        let found = actors::by_id(self.conn, room, id)?;
        if let Some(actor) = &found {
            self.known.actors.borrow_mut().insert((room, id), actor.clone());
        }
        Ok(found)
    }

    sekali_reads!();
}

impl Write for Tx<'_> {
    fn create_room(&mut self, id: RoomId, slug: &str, title: &str, at: Timestamp) -> Result<Option<RoomKey>> {
        let made = rooms::create(self.conn, id, slug, title, at)?;
        if let Some(room) = made {
            self.touch_at(room, at)?;
        }
        Ok(made)
    }

    fn add_actor(&mut self, room: RoomKey, actor: &ActorRow) -> Result<bool> {
        self.known.forget();
        let added = actors::add(self.conn, room, actor)?;
        if added {
            self.touch_at(room, actor.added_at)?;
        }
        Ok(added)
    }

    fn set_role(&mut self, room: RoomKey, actor: ActorId, role: Option<Role>) -> Result<()> {
        self.touch(room)?;
        self.known.forget();
        actors::set_role(self.conn, room, actor, role)
    }

    fn os_user(&mut self, room: RoomKey, name: &str, fresh: ActorId, at: Timestamp) -> Result<ActorId> {
        self.touch_at(room, at)?;
        actors::os_user(self.conn, room, name, fresh, at)
    }

    fn next_number(&mut self, room: RoomKey) -> Result<u64> {
        let head = self.touch(room)?;
        head.last_number += 1;
        Ok(head.last_number)
    }

    fn reserve(
        &mut self,
        room: RoomKey,
        actor: ActorId,
        key: &str,
        reservation: Reservation,
    ) -> Result<Option<Reservation>> {
        self.touch(room)?;
        proposals::reserve(self.conn, room, actor, key, reservation)
    }

    fn insert_proposal(&mut self, room: RoomKey, proposal: &ProposalRow) -> Result<()> {
        self.touch_at(room, proposal.created_at)?;
        proposals::insert(self.conn, room, proposal)
    }

    fn insert_revision(
        &mut self,
        room: RoomKey,
        id: ProposalId,
        at: Timestamp,
        new: &NewRevision,
    ) -> Result<()> {
        self.touch_at(room, at)?;
        *self.bytes += new.row.canonical.len() * 2;
        *self.bytes += new.contents.iter().flatten().map(|c| c.content.len()).sum::<usize>();
        *self.bytes += new.submitted.iter().map(|row| row.body.len()).sum::<usize>();
        proposals::insert_revision(self.conn, room, id, at, new)
    }

    fn link(&mut self, room: RoomKey, id: ProposalId, kind: LinkKind, other: ProposalId) -> Result<()> {
        self.touch(room)?;
        submitted::link(self.conn, room, id, kind, other)
    }

    fn open(&mut self, room: RoomKey, id: ProposalId, open: &OpenFacts) -> Result<()> {
        self.touch(room)?.counts.open += 1;
        fence::open(self.conn, room, id, open)
    }

    fn take_open(&mut self, room: RoomKey, id: ProposalId, digest: &Digest) -> Result<bool> {
        let taken = fence::take_open(self.conn, room, id, digest)?;
        if taken {
            let head = self.touch(room)?;
            head.counts.open = head.counts.open.saturating_sub(1);
        }
        Ok(taken)
    }

    fn swap_open(&mut self, room: RoomKey, id: ProposalId, digest: &Digest, new: &OpenFacts) -> Result<bool> {
        self.touch(room)?;
        fence::swap_open(self.conn, room, id, digest, new)
    }

    fn close(&mut self, room: RoomKey, id: ProposalId, row: &CloseRow) -> Result<()> {
        let counts = &mut self.touch_at(room, row.at)?.counts;
        if row.state == State::Withdrawn {
            counts.withdrawn += 1;
        } else {
            counts.rejected += 1;
        }
        fence::close(self.conn, room, id, row)
    }

    fn take_rejected(
        &mut self,
        room: RoomKey,
        id: ProposalId,
        digest: &Digest,
    ) -> Result<Option<ClosedFacts>> {
        let taken = fence::take_rejected(self.conn, room, id, digest)?;
        if taken.is_some() {
            let head = self.touch(room)?;
            head.counts.rejected = head.counts.rejected.saturating_sub(1);
        }
        Ok(taken)
    }

    fn claim(&mut self, room: RoomKey, claim: &ClaimRow) -> Result<Option<u64>> {
        let seq = self.current(room)?.frontier.size() + 1;
        if !fence::claim(self.conn, room, seq, claim)? {
            return Ok(None);
        }
        self.touch_at(room, claim.at)?.counts.applied += 1;
        Ok(Some(seq))
    }

    fn claim_effect(
        &mut self,
        room: RoomKey,
        key: &EffectKey,
        proposal: ProposalId,
    ) -> Result<Option<EffectWinner>> {
        self.touch(room)?;
        fence::claim_effect(self.conn, room, key, proposal)
    }

    fn replace_document(
        &mut self,
        room: RoomKey,
        base: &Version,
        new: &NewDocument<'_>,
    ) -> Result<Option<Replaced>> {
        self.touch(room)?;
        documents::replace(self.conn, room, base, new)
    }

    fn take_document(
        &mut self,
        room: RoomKey,
        path: &DocPath,
        base: &Version,
        by: VersionKey,
    ) -> Result<Option<Replaced>> {
        self.touch(room)?;
        documents::take(self.conn, room, path, base, by)
    }

    fn create_document(&mut self, room: RoomKey, new: &NewDocument<'_>) -> Result<bool> {
        self.touch(room)?;
        documents::create(self.conn, room, new)
    }

    fn insert_version(&mut self, room: RoomKey, version: &VersionRow) -> Result<()> {
        self.touch(room)?;
        documents::insert_version(self.conn, room, version)
    }

    fn append(
        &mut self,
        room: RoomKey,
        draft: &Draft,
        at: Timestamp,
        before: &[Option<Commitment>],
    ) -> Result<Appended> {
        let conn = self.conn;
        *self.bytes += draft.size_bytes();
        let head = self.touch_at(room, at)?;
        let seq = head.frontier.size() + 1;
        let entry = draft.splice(seq, &head.prev, at, before);
        let leaf = LeafHash::of(&entry);
        ledger::insert(conn, room, seq, &leaf, &entry)?;
        head.frontier.append(&leaf);
        head.prev = leaf;
        ledger::complete_tiles(conn, room, seq)?;
        Ok(Appended { seq, leaf })
    }

    fn comment(&mut self, room: RoomKey, proposal: ProposalId, new: &NewComment) -> Result<Option<u32>> {
        *self.bytes += new.row.text.len();
        self.touch_at(room, new.row.at)?;
        comments::insert(self.conn, room, proposal, new)
    }

    fn note_repeat(&mut self, room: RoomKey, note: &RepeatNote) -> Result<u64> {
        self.touch_at(room, note.at)?;
        let count = evidence::note(self.conn, &self.known.counts, room, note)?;
        evidence::count_hour(&mut self.carried.hours, room, note);
        Ok(count)
    }
}
