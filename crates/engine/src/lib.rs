//! What Sekali does, each in one transaction, written once over the verbs of a store. No driver is
//! named here, and no transport: hosts call these blocking functions from their own threads.

pub mod apply;
mod bases;
pub mod check;
pub mod decisions;
pub mod demo;
pub mod export;
pub mod like;
pub mod look;
pub mod places;
pub mod rebase;
pub mod revert;
pub mod rooms;
pub mod settings;
pub mod split;
pub mod submit;
pub mod talk;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sekali_core::change::Version;
use sekali_core::decide::AppliedFacts;
use sekali_core::hash::{Commitment, ContentHash, Salt};
use sekali_core::role::{self, Action};
use sekali_core::text::ActorName;
use sekali_core::{ActorId, ActorKind, Code, DocPath, Door, Refusal, Timestamp};
use sekali_store::{ActorRow, ContentRow, Read, RoomKey, RoomRow, Store, StoreError, read, write};
use uuid::Uuid;

pub use sekali_store::Failure;

/// Who asks, from which door. Hosts make it; no request carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The name under which they act.
    pub name: ActorName,
    /// The way in.
    pub door: Door,
    /// The operating system's user, where there is one.
    pub os_user: Option<String>,
}

/// The engine over one store.
#[derive(Clone)]
pub struct Engine {
    store: Arc<dyn Store>,
    /// What was seen once: it spares a look, and permits nothing. Ids and receipts in it never change;
    /// the role that stands beside a name does, and is asked in each transaction.
    known: Arc<Known>,
}

#[derive(Default)]
struct Known {
    rooms: Mutex<HashMap<String, RoomRow>>,
    os_users: Mutex<HashMap<(RoomKey, String), ActorId>>,
    /// What was applied is applied for ever, and its receipt stays: a second press needs no plan.
    applied: Mutex<HashMap<(RoomKey, u64), AppliedFacts>>,
    /// Who has pressed, for their ids. The role in such a row may be another by now: never trust it.
    pressers: Mutex<HashMap<(RoomKey, ActorName), ActorRow>>,
}

/// Applied proposals that are remembered; beyond that all are forgotten and learned anew.
const KNOWN_APPLIED: usize = 16_384;

impl Engine {
    /// An engine over a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, known: Arc::default() }
    }

    /// The store beneath.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The instant of the store's clock: the only time that is told here.
    ///
    /// # Errors
    /// What reading the store fails with.
    pub fn wall(&self) -> Result<Timestamp, StoreError> {
        read(self.store(), |tx| Ok(tx.wall()))
    }

    /// The room of this slug or id. Its title may have changed since; key, id and slug have not.
    ///
    /// # Errors
    /// `room.not_found`.
    pub fn room(&self, name: &str) -> Result<RoomRow, Failure> {
        if let Some(known) = lock(&self.known.rooms).get(name) {
            return Ok(known.clone());
        }
        let rooms = read(self.store(), |tx| tx.rooms())?;
        let found = rooms.into_iter().find(|room| room.slug == name || room.id.to_string() == name);
        let room = found.ok_or_else(|| {
            Refusal::new(Code::RoomNotFound, format!("There is no room {name:?} in this store."))
                .said(format!("Tidak ada ruang {name:?} di berkas ruang ini."))
                .with(|f| f.value = Some(name.to_owned()))
        })?;
        lock(&self.known.rooms).insert(name.to_owned(), room.clone());
        Ok(room)
    }

    /// The room that is meant where none is named: the only one.
    ///
    /// # Errors
    /// `room.ambiguous` naming the rooms, `room.not_found` where there is none.
    pub fn only_room(&self) -> Result<RoomRow, Failure> {
        let mut rooms = read(self.store(), |tx| tx.rooms())?;
        match rooms.len() {
            1 => Ok(rooms.remove(0)),
            0 => Err(Refusal::new(Code::RoomNotFound, "This store has no room yet.")
                .said("Berkas ruang ini belum punya ruang.")
                .into()),
            _ => {
                let slugs: Vec<String> = rooms.into_iter().map(|room| room.slug).collect();
                let list = slugs.join(", ");
                let refusal =
                    Refusal::new(Code::RoomAmbiguous, format!("This store has several rooms: {list}."))
                        .said(format!("Berkas ruang ini berisi beberapa ruang: {list}."));
                Err(refusal.with(|f| f.expected = slugs).into())
            }
        }
    }

    /// The id of the caller's system user in a room, added when first seen with a press that `may`
    /// lets pass: one that is refused leaves nothing. An id that is known is given unasked, so the
    /// press itself asks too.
    ///
    /// # Errors
    /// What `may` refuses with, and what the store fails with.
    fn os_user(
        &self,
        room: RoomKey,
        caller: &Caller,
        may: impl Fn(&dyn Read, &Caller) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Result<Option<ActorId>, Failure> {
        let Some(name) = caller.os_user.clone() else {
            return Ok(None);
        };
        let key = (room, name.clone());
        if let Some(known) = lock(&self.known.os_users).get(&key) {
            return Ok(Some(*known));
        }
        let known = read(self.store(), |tx| tx.actor_named(room, ActorKind::System, &name))?;
        let id = if let Some(row) = known {
            row.id
        } else {
            let (fresh, caller) = (ActorId::new(Uuid::now_v7()), caller.clone());
            write(self.store(), move |tx| {
                if let Err(failure) = may(&*tx, &caller) {
                    return rooms::refused(failure);
                }
                let at = tx.now(room)?.at;
                keep(tx.os_user(room, &name, fresh, at)?)
            })??
        };
        lock(&self.known.os_users).insert(key, id);
        Ok(Some(id))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The caller as an actor of the room who may do this.
pub(crate) fn acting(
    tx: &dyn Read,
    room: RoomKey,
    caller: &Caller,
    action: Action,
) -> Result<ActorRow, Failure> {
    let actor = tx.actor_named(room, caller.name.kind, &caller.name.name)?.ok_or_else(|| unknown(caller))?;
    role::may(actor.kind, actor.role, action, false)?;
    Ok(actor)
}

pub(crate) fn unknown(caller: &Caller) -> Refusal {
    Refusal::new(Code::ActorUnknown, format!("Nobody named {:?} is in this room.", caller.name.to_string()))
        .said(format!("Tidak ada yang bernama {:?} di ruang ini.", caller.name.to_string()))
        .with(|f| f.value = Some(caller.name.to_string()))
}

pub(crate) fn no_proposal(number: u64) -> Refusal {
    Refusal::new(Code::ProposalNotFound, format!("There is no proposal #{number} in this room."))
        .said(format!("Tidak ada usulan #{number} di ruang ini."))
        .with(|f| f.proposal = Some(number))
}

/// Content as it was committed to, or the word that it no longer is: bytes that have changed below
/// Sekali are given to nobody and made current by nothing.
pub(crate) fn sound(content: ContentRow, version: &Version, path: &DocPath) -> Result<Vec<u8>, StoreError> {
    if is_sound(&content, version) { Ok(content.content) } else { Err(unsound(path)) }
}

/// The same, with work on large content done meanwhile: what came of it does not count where this fails.
pub(crate) fn sound_while(
    content: &ContentRow,
    version: &Version,
    path: &DocPath,
    work: impl FnOnce(),
) -> Result<(), StoreError> {
    let sound = if content.content.len() < LARGE {
        is_sound(content, version) && {
            work();
            true
        }
    } else {
        std::thread::scope(|scope| {
            let looking = scope.spawn(|| is_as_committed(content, version));
            work();
            looking.join().expect("hashing does not panic")
        })
    };
    if sound { Ok(()) } else { Err(unsound(path)) }
}

fn unsound(path: &DocPath) -> StoreError {
    StoreError::damaged(format!("The content of {path} is not what it was when it was proposed."))
}

/// The half of it that the ledger vouches for, and in half the time; the bare hash is of mutable tables.
fn is_as_committed(content: &ContentRow, version: &Version) -> bool {
    content.content.len() as u64 == version.bytes
        && Commitment::of(&content.salt, &content.content) == version.commitment
}

pub(crate) fn is_sound(content: &ContentRow, version: &Version) -> bool {
    content.commitment == version.commitment
        && content.content.len() as u64 == version.bytes
        && hashes(&content.salt, &content.content) == (version.commitment, version.hash)
}

/// Bytes of content above which its two hashes are made at once: below, a thread costs more.
const LARGE: usize = 1024 * 1024;

/// The commitment to content under a salt, and its bare hash.
pub(crate) fn hashes(salt: &Salt, content: &[u8]) -> (Commitment, ContentHash) {
    if content.len() < LARGE {
        return (Commitment::of(salt, content), ContentHash::of(content));
    }
    std::thread::scope(|scope| {
        let bare = scope.spawn(|| ContentHash::of(content));
        let commitment = Commitment::of(salt, content);
        (commitment, bare.join().expect("hashing does not panic"))
    })
}

/// A refusal inside a write job: roll back, and give it as the answer.
pub(crate) type Answer<T> = Result<(sekali_store::Verdict, Result<T, Refusal>), StoreError>;

#[expect(clippy::unnecessary_wraps, reason = "it is the tail of a write job")]
pub(crate) fn refuse<T>(refusal: Refusal) -> Answer<T> {
    Ok((sekali_store::Verdict::Undo, Err(refusal)))
}

#[expect(clippy::unnecessary_wraps, reason = "it is the tail of a write job")]
pub(crate) fn keep<T>(value: T) -> Answer<T> {
    Ok((sekali_store::Verdict::Keep, Ok(value)))
}
