//! What the cases are built from: a room with Ani and Budi, content, and ways to write and read.

use std::sync::Arc;

use sekali_core::change::Version;
use sekali_core::hash::{Commitment, ContentHash, Salt};
use sekali_core::revision::EffectKey;
use sekali_core::{ActorId, ActorKind, DocPath, Mode, ProposalId, Role, RoomId, State, Timestamp};

use super::{Harness, SetClock};
use crate::error::StoreError;
use crate::rows::{ActorRow, ContentRow, RoomKey};
use crate::verbs::{Read, Store, Verdict, Write, read, write};

mod press;
mod sketch;

pub(super) use press::{Press, Presser};
pub(super) use sketch::{Edit, Sketch};

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

pub(super) fn executable(version: &Version) -> Version {
    Version { mode: Mode::Executable, ..version.clone() }
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
