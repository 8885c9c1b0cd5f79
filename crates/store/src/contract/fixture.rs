//! What the cases are built from: a room with Ani and Budi, sketches of proposals, and the shapes
//! of submit, apply and close in verbs. No rule of the engine is here, only its order of verbs.

use std::sync::Arc;

use sekali_core::change::{NetChange, Version};
use sekali_core::decide::{AppliedFacts, OpenFacts};
use sekali_core::hash::{Commitment, ContentHash, Digest, LeafHash, Salt, sha256};
use sekali_core::ledger::{Common, Decision, Draft};
use sekali_core::revision::{EffectKey, Revision};
use sekali_core::role::Seen;
use sekali_core::{ActorId, ActorKind, DocPath, Door, Mode, Op, ProposalId, Role, RoomId, State, Timestamp};

use super::{Harness, SetClock};
use crate::error::StoreError;
use crate::rows::{
    ActorRow, ChangeRow, ClaimRow, CloseRow, ContentRow, EffectWinner, NewDocument, ProposalRow, Replaced, RevisionRow,
    RoomKey, Touches, VersionKey, VersionRow,
};
use crate::verbs::{Read, Store, Verdict, Write, read, write};

pub(super) type Result<T> = std::result::Result<T, StoreError>;

/// Where the clock of every case starts, in milliseconds: some morning in 2026.
pub(super) const T0: i64 = 1_790_000_000_000;

pub(super) const ANI: ActorId = ActorId::from_bytes([0xA1; 16]);
pub(super) const BUDI: ActorId = ActorId::from_bytes([0xB0; 16]);

pub(super) fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(ms)
}

/// Sixteen bytes whose order is the order of `n`.
pub(super) fn sixteen(n: u64) -> [u8; 16] {
    (u128::from(n) << 64 | 0x5E).to_be_bytes()
}

pub(super) fn pid(n: u64) -> ProposalId {
    ProposalId::from_bytes(sixteen(n))
}

pub(super) fn aid(n: u64) -> ActorId {
    ActorId::from_bytes(sixteen(n))
}

pub(super) fn path(text: &str) -> DocPath {
    DocPath::parse("path", text).unwrap()
}

pub(super) fn effect(key: &str, generation: u32) -> EffectKey {
    EffectKey { key: key.to_owned(), generation }
}

/// Content under a salt that is all `salt`.
pub(super) fn content(bytes: &[u8], salt: u8) -> ContentRow {
    let salt = Salt::from_bytes([salt; 32]);
    ContentRow { salt, commitment: Commitment::of(&salt, bytes), content: bytes.to_vec() }
}

/// The version that content makes, plain.
pub(super) fn version(bytes: &[u8], salt: u8) -> Version {
    let commitment = content(bytes, salt).commitment;
    Version { hash: ContentHash::of(bytes), mode: Mode::Plain, commitment, bytes: bytes.len() as u64 }
}

pub(super) fn executable(version: Version) -> Version {
    Version { mode: Mode::Executable, ..version }
}

/// One change with the content that it brings.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) row: ChangeRow,
    pub(super) content: Option<ContentRow>,
}

impl Edit {
    pub(super) fn new(
        op: Op,
        at: &DocPath,
        from: Option<&DocPath>,
        base: Option<Version>,
        after: Option<Version>,
    ) -> Self {
        let change = NetChange { op, path: at.clone(), from: from.cloned(), base, after };
        let row = ChangeRow { change, added: 1, removed: 0, binary: false, submitted_base: None };
        Self { row, content: None }
    }

    pub(super) fn create(at: &str, bytes: &[u8], salt: u8) -> Self {
        let edit = Self::new(Op::Create, &path(at), None, None, Some(version(bytes, salt)));
        Self { content: Some(content(bytes, salt)), ..edit }
    }

    pub(super) fn replace(at: &str, base: &Version, bytes: &[u8], salt: u8) -> Self {
        let after = Version { mode: base.mode, ..version(bytes, salt) };
        let edit = Self::new(Op::Replace, &path(at), None, Some(base.clone()), Some(after));
        Self { content: Some(content(bytes, salt)), ..edit }
    }

    pub(super) fn delete(at: &str, base: &Version) -> Self {
        Self::new(Op::Delete, &path(at), None, Some(base.clone()), None)
    }

    pub(super) fn rename(from: &str, to: &str, base: &Version) -> Self {
        Self::new(Op::Rename, &path(to), Some(&path(from)), Some(base.clone()), Some(base.clone()))
    }
}

/// A revision of a proposal, before anyone has written it.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    pub(super) room_id: RoomId,
    pub(super) id: ProposalId,
    pub(super) revision: u32,
    pub(super) author: ActorId,
    pub(super) title: String,
    pub(super) why: String,
    pub(super) correlation: Option<String>,
    pub(super) valid_until: Option<Timestamp>,
    pub(super) effects: Vec<EffectKey>,
    pub(super) edits: Vec<Edit>,
    pub(super) fingerprint: [u8; 32],
}

impl Sketch {
    /// Ani's proposal with this id, which touches nothing.
    pub(super) fn new(n: u64) -> Self {
        Self {
            room_id: room_id(1),
            id: pid(n),
            revision: 1,
            author: ANI,
            title: format!("Change {n}"),
            why: String::new(),
            correlation: None,
            valid_until: None,
            effects: Vec::new(),
            edits: Vec::new(),
            fingerprint: sha256(&[&n.to_be_bytes()]),
        }
    }

    pub(super) fn edit(mut self, edit: Edit) -> Self {
        self.edits.push(edit);
        self
    }

    pub(super) fn effect(mut self, key: &str, generation: u32) -> Self {
        self.effects.push(effect(key, generation));
        self
    }

    pub(super) fn until(mut self, ms: i64) -> Self {
        self.valid_until = Some(at(ms));
        self
    }

    /// The next revision, with another title and so with another digest.
    pub(super) fn revised(&self) -> Self {
        let revision = self.revision + 1;
        Self { revision, title: format!("{} again", self.title), ..self.clone() }
    }

    fn whole(&self) -> Revision {
        Revision {
            room: self.room_id,
            proposal: self.id,
            revision: self.revision,
            title: self.title.clone(),
            why: self.why.clone(),
            author: self.author,
            valid_until: self.valid_until,
            effect_keys: self.effects.clone(),
            changes: self.changes().into_iter().map(|row| row.change).collect(),
        }
    }

    pub(super) fn digest(&self) -> Digest {
        self.whole().digest()
    }

    pub(super) fn changes(&self) -> Vec<ChangeRow> {
        self.edits.iter().map(|edit| edit.row.clone()).collect()
    }

    pub(super) fn open(&self) -> OpenFacts {
        OpenFacts { revision: self.revision, digest: self.digest(), valid_until: self.valid_until }
    }

    pub(super) fn proposal_row(&self, number: u64, at: Timestamp) -> ProposalRow {
        let (author, correlation) = (self.author, self.correlation.clone());
        ProposalRow { id: self.id, number, author, door: Door::Http, created_at: at, correlation }
    }

    pub(super) fn revision_row(&self, at: Timestamp) -> RevisionRow {
        let documents = self.edits.len() as u64;
        RevisionRow {
            revision: self.revision,
            digest: self.digest(),
            title: self.title.clone(),
            why: self.why.clone(),
            author: self.author,
            valid_until: self.valid_until,
            created_at: at,
            touches: Touches { added: documents, removed: 2 * documents, documents },
            effect_keys: self.effects.clone(),
            canonical: self.whole().canonical().into_bytes(),
            content_fingerprint: self.fingerprint,
        }
    }

    pub(super) fn write_revision(&self, tx: &mut dyn Write, room: RoomKey, at: Timestamp) -> Result<()> {
        let contents: Vec<_> = self.edits.iter().map(|edit| edit.content.clone()).collect();
        tx.insert_revision(room, self.id, &self.revision_row(at), &self.changes(), &contents)
    }

    /// Writes the proposal and opens it; gives its number.
    pub(super) fn submit(&self, tx: &mut dyn Write, room: RoomKey) -> Result<u64> {
        let now = tx.now(room)?.at;
        let number = tx.next_number(room)?;
        tx.insert_proposal(room, &self.proposal_row(number, now))?;
        self.write_revision(tx, room, now)?;
        tx.open(room, self.id, &self.open())?;
        Ok(number)
    }

    /// Writes this revision in the place of the open one if that has this digest.
    pub(super) fn revise(&self, tx: &mut dyn Write, room: RoomKey, seen: &Digest) -> Result<bool> {
        let now = tx.now(room)?.at;
        if !tx.swap_open(room, self.id, seen, &self.open())? {
            return Ok(false);
        }
        self.write_revision(tx, room, now)?;
        Ok(true)
    }
}

/// What came of a press, in verbs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Press {
    Applied(u64, LeafHash),
    Lost(Box<AppliedFacts>),
    NotOpen,
    EffectDone(EffectWinner),
    Stale(DocPath),
}

/// Who presses, on what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Presser {
    pub(super) room: RoomKey,
    pub(super) room_id: RoomId,
    pub(super) id: ProposalId,
    pub(super) digest: Digest,
    pub(super) actor: ActorId,
    pub(super) os_user: Option<ActorId>,
}

impl Presser {
    fn common(&self, number: u64, revision: u32, reason: Option<&str>) -> Common {
        Common {
            room: self.room_id,
            proposal_id: self.id,
            proposal: number,
            revision,
            digest: self.digest,
            actor: self.actor,
            door: Door::Desktop,
            os_user: self.os_user,
            reason: reason.map(str::to_owned),
        }
    }

    pub(super) fn claim_row(&self, revision: u32, at: Timestamp) -> ClaimRow {
        let Self { id: proposal, digest, actor, os_user, .. } = *self;
        ClaimRow { proposal, revision, digest, actor, door: Door::Desktop, os_user, seen: "digest", at }
    }

    /// The verbs of Apply, in the order of the one transaction. All but `Applied` must be undone.
    pub(super) fn apply(&self, tx: &mut dyn Write) -> Result<Press> {
        let room = self.room;
        let now = tx.now(room)?.at;
        let number = number_of(tx, room, self.id)?;
        let revision = revision_with(tx, room, self.id, &self.digest)?;
        let seq = match tx.claim(room, &self.claim_row(revision, now))? {
            Ok(seq) => seq,
            Err(won) => return Ok(Press::Lost(won)),
        };
        if tx.take_open(room, self.id, &self.digest)?.is_none() {
            return Ok(Press::NotOpen);
        }
        let effects = tx.revision(room, self.id, revision)?.map(|r| r.effect_keys).unwrap_or_default();
        for key in &effects {
            if let Some(winner) = tx.claim_effect(room, key, self.id)? {
                return Ok(Press::EffectDone(winner));
            }
        }
        let changes: Vec<_> = tx.changes(room, self.id, revision)?.into_iter().map(|row| row.change).collect();
        let before = match write_changes(tx, room, &changes, seq)? {
            Ok(before) => before,
            Err(stale) => return Ok(Press::Stale(stale)),
        };
        write_history(tx, room, (self.id, revision), &changes, seq, &before)?;
        let common = self.common(number, revision, None);
        let draft = Draft::applied(&common, &changes, &effects, None, None, Seen::Digest(self.digest));
        let before: Vec<_> = before.iter().map(|b| b.map(|b| b.commitment)).collect();
        let appended = tx.append(room, &draft, now, &before)?;
        assert_eq!(appended.seq, seq, "a claim is promised the entry that its transaction appends");
        Ok(Press::Applied(appended.seq, appended.leaf))
    }

    /// Rejects or withdraws; `false` where the open row could not be taken.
    pub(super) fn close(&self, tx: &mut dyn Write, state: State, reason: Option<&str>) -> Result<bool> {
        let room = self.room;
        let now = tx.now(room)?.at;
        let number = number_of(tx, room, self.id)?;
        let Some(open) = tx.take_open(room, self.id, &self.digest)? else { return Ok(false) };
        let decision = if state == State::Rejected { Decision::Rejected } else { Decision::Withdrawn };
        let draft = Draft::decided(&self.common(number, open.revision, reason), decision);
        let seq = tx.append(room, &draft, now, &[])?.seq;
        let row = CloseRow {
            state,
            revision: open.revision,
            digest: open.digest,
            at: now,
            actor: self.actor,
            reason: reason.map(str::to_owned),
            seq,
        };
        tx.close(room, self.id, &row)?;
        Ok(true)
    }

    /// Opens again what was rejected; `false` where it was not.
    pub(super) fn reopen(&self, tx: &mut dyn Write) -> Result<bool> {
        let room = self.room;
        let now = tx.now(room)?.at;
        let number = number_of(tx, room, self.id)?;
        let Some(closed) = tx.take_rejected(room, self.id)? else { return Ok(false) };
        let draft = Draft::decided(&self.common(number, closed.revision, None), Decision::Reopened);
        tx.append(room, &draft, now, &[])?;
        let open = OpenFacts { revision: closed.revision, digest: closed.digest, valid_until: None };
        tx.open(room, self.id, &open)?;
        Ok(true)
    }
}

fn number_of(tx: &dyn Read, room: RoomKey, id: ProposalId) -> Result<u64> {
    Ok(tx.proposal_by_id(room, id)?.expect("the case wrote this proposal").number)
}

/// The revision that has a digest; 1 where none has, as for a press on what is not there.
fn revision_with(tx: &dyn Read, room: RoomKey, id: ProposalId, digest: &Digest) -> Result<u32> {
    let revisions = tx.revisions(room, id)?;
    Ok(revisions.iter().find(|r| r.digest == *digest).map_or(1, |r| r.revision))
}

/// First what goes or is replaced, then what enters: a swap needs both places empty.
fn write_changes(
    tx: &mut dyn Write,
    room: RoomKey,
    changes: &[NetChange],
    seq: u64,
) -> Result<std::result::Result<Vec<Option<Replaced>>, DocPath>> {
    let mut before = Vec::new();
    for (ordinal, change) in (0..).zip(changes) {
        let key = VersionKey { seq, ordinal };
        let Some(base) = &change.base else {
            before.push(None);
            continue;
        };
        let read = change.from.as_ref().unwrap_or(&change.path);
        let replaced = match (&change.after, change.op) {
            (Some(after), Op::Replace) => {
                tx.replace_document(room, base, &NewDocument { path: &change.path, version: key, content: after })?
            }
            _ => tx.take_document(room, read, base, key)?,
        };
        if replaced.is_none() {
            return Ok(Err(read.clone()));
        }
        before.push(replaced);
    }
    for (ordinal, change) in (0..).zip(changes) {
        let (Some(after), Op::Create | Op::Rename) = (&change.after, change.op) else { continue };
        let new = NewDocument { path: &change.path, version: VersionKey { seq, ordinal }, content: after };
        if !tx.create_document(room, &new)? {
            return Ok(Err(change.path.clone()));
        }
    }
    Ok(Ok(before))
}

fn write_history(
    tx: &mut dyn Write,
    room: RoomKey,
    (proposal, revision): (ProposalId, u32),
    changes: &[NetChange],
    seq: u64,
    before: &[Option<Replaced>],
) -> Result<()> {
    for ((ordinal, change), before) in (0..).zip(changes).zip(before) {
        let row = VersionRow {
            version: VersionKey { seq, ordinal },
            op: change.op,
            path: change.path.clone(),
            from: change.from.clone(),
            proposal,
            revision,
            content: change.after.clone(),
            previous: before.map(|b| b.version),
        };
        tx.insert_version(room, &row)?;
    }
    Ok(())
}

pub(super) fn room_id(n: u64) -> RoomId {
    RoomId::from_bytes(sixteen(n))
}

pub(super) fn person(id: ActorId, name: &str, role: Option<Role>) -> ActorRow {
    ActorRow { id, kind: ActorKind::Person, name: name.to_owned(), role, added_at: at(T0) }
}

/// Makes the `n`-th room with Ani, a maintainer, and Budi, a member.
pub(super) fn make_room(tx: &mut dyn Write, n: u64, slug: &str) -> Result<RoomKey> {
    let key = tx.create_room(room_id(n), slug, "Arsip", at(T0))?.expect("the slug is free");
    assert!(tx.add_actor(key, &person(ANI, "Ani", Some(Role::Maintainer)))?);
    assert!(tx.add_actor(key, &person(BUDI, "Budi", Some(Role::Member)))?);
    Ok(key)
}

/// A store with one room, in which a case plays.
pub(super) struct World {
    pub(super) store: Box<dyn Store>,
    pub(super) clock: Arc<SetClock>,
    pub(super) room: RoomKey,
}

impl World {
    pub(super) fn new(harness: &dyn Harness) -> Self {
        let clock = SetClock::at_ms(T0);
        let store = harness.make(Arc::clone(&clock) as Arc<_>);
        let room = write(&*store, |tx| Ok((Verdict::Keep, make_room(tx, 1, "arsip")?))).unwrap();
        Self { store, clock, room }
    }

    /// Another room of the same store.
    pub(super) fn second_room(&self) -> RoomKey {
        self.keep(|tx| make_room(tx, 2, "kedua"))
    }

    /// Writes and commits.
    pub(super) fn keep<T: Send + 'static>(
        &self,
        job: impl Fn(&mut dyn Write) -> Result<T> + Send + Sync + 'static,
    ) -> T {
        keep(&*self.store, job)
    }

    /// Writes and takes it back.
    pub(super) fn undo<T: Send + 'static>(
        &self,
        job: impl Fn(&mut dyn Write) -> Result<T> + Send + Sync + 'static,
    ) -> T {
        write(&*self.store, move |tx| Ok((Verdict::Undo, job(tx)?))).unwrap()
    }

    /// Reads.
    pub(super) fn see<T>(&self, job: impl Fn(&dyn Read) -> Result<T>) -> T {
        read(&*self.store, job).unwrap()
    }

    /// Everything that can be read.
    pub(super) fn dump(&self) -> String {
        self.see(super::dump)
    }

    pub(super) fn change_seq(&self) -> u64 {
        self.see(|tx| Ok(tx.head(self.room)?.change_seq))
    }

    pub(super) fn submit(&self, sketch: &Sketch) -> u64 {
        let (room, sketch) = (self.room, sketch.clone());
        self.keep(move |tx| sketch.submit(tx, room))
    }

    /// Budi, on this revision.
    pub(super) fn presser(&self, sketch: &Sketch) -> Presser {
        let (id, digest) = (sketch.id, sketch.digest());
        Presser { room: self.room, room_id: sketch.room_id, id, digest, actor: BUDI, os_user: None }
    }

    /// Budi presses Apply on this revision.
    pub(super) fn apply(&self, sketch: &Sketch) -> Press {
        press(&*self.store, self.presser(sketch))
    }

    /// Budi rejects or withdraws this revision.
    pub(super) fn close(&self, sketch: &Sketch, state: State) -> bool {
        let presser = self.presser(sketch);
        self.keep(move |tx| presser.close(tx, state, None))
    }

    /// Submits and applies, which must work.
    pub(super) fn applied(&self, sketch: &Sketch) {
        self.submit(sketch);
        let press = self.apply(sketch);
        assert!(matches!(press, Press::Applied(..)), "{press:?}");
    }
}

/// Writes and commits.
pub(super) fn keep<T: Send + 'static>(
    store: &dyn Store,
    job: impl Fn(&mut dyn Write) -> Result<T> + Send + Sync + 'static,
) -> T {
    write(store, move |tx| Ok((Verdict::Keep, job(tx)?))).unwrap()
}

/// Presses Apply: kept if it was applied, undone if not.
pub(super) fn press(store: &dyn Store, presser: Presser) -> Press {
    write(store, move |tx| {
        let press = presser.apply(tx)?;
        let verdict = if matches!(press, Press::Applied(..)) { Verdict::Keep } else { Verdict::Undo };
        Ok((verdict, press))
    })
    .unwrap()
}
