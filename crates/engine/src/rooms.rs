//! Rooms and their members.

use sekali_core::role::{Action, Role};
use sekali_core::text::{self, ActorName};
use sekali_core::{ActorId, ActorKind, Code, Refusal, RoomId, Timestamp};
use sekali_store::{ActorRow, Read, RoomRow, StoreError, Write, read, write};
use uuid::Uuid;

use crate::{Caller, Engine, Failure, acting, keep, refuse};

impl Engine {
    /// All rooms of the store.
    ///
    /// # Errors
    /// What reading the store fails with.
    pub fn rooms(&self) -> Result<Vec<RoomRow>, Failure> {
        Ok(read(self.store(), |tx| tx.rooms())?)
    }

    /// Makes a room; the caller becomes its maintainer.
    ///
    /// # Errors
    /// `room.invalid`, `room.exists`, `limit.exceeded`, `actor.denied` for agents.
    pub fn create_room(&self, caller: &Caller, slug: &str, title: &str) -> Result<RoomRow, Failure> {
        let new = NewRoom::of(caller, slug, title)?;
        let made = write(self.store(), move |tx| match new.make(tx)? {
            Some(room) => keep(room),
            None => refuse(
                Refusal::field(
                    Code::RoomExists,
                    "slug",
                    format!("slug: there is a room {:?} already.", new.slug),
                )
                .said(format!("slug: sudah ada ruang {:?}.", new.slug))
                .with(|f| f.value = Some(new.slug.clone())),
            ),
        })?;
        Ok(made?)
    }

    /// The members, agents and sources of a room.
    ///
    /// # Errors
    /// `room.not_found`, `actor.unknown`, `actor.denied`.
    pub fn members(&self, caller: &Caller, room: &str) -> Result<Vec<ActorRow>, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            Ok(tx.actors(room.key)?)
        })
    }

    /// Adds a person with a role, or an agent without one.
    ///
    /// # Errors
    /// `member.invalid`, `member.exists`, `actor.denied`.
    pub fn add_member(
        &self,
        caller: &Caller,
        room: &str,
        name: &str,
        role: Option<Role>,
    ) -> Result<ActorRow, Failure> {
        let room = self.room(room)?;
        let name = checked(name, role)?;
        let caller = caller.clone();
        let id = ActorId::new(Uuid::now_v7());
        let added = write(self.store(), move |tx| {
            if let Err(failure) = acting(&*tx, room.key, &caller, Action::SetUp) {
                return refused(failure);
            }
            let row = ActorRow {
                id,
                kind: name.kind,
                name: name.name.clone(),
                role,
                added_at: now(&*tx, room.key)?,
            };
            if tx.add_actor(room.key, &row)? {
                return keep(row);
            }
            refuse(
                Refusal::field(Code::MemberExists, "name", format!("name: {name} is in this room already."))
                    .said(format!("name: {name} sudah ada di ruang ini.")),
            )
        })?;
        Ok(added?)
    }

    /// Sets a person's role; a room keeps at least one maintainer.
    ///
    /// # Errors
    /// `member.not_found`, `member.invalid`, `member.last_maintainer`, `actor.denied`.
    pub fn set_role(
        &self,
        caller: &Caller,
        room: &str,
        name: &str,
        role: Option<Role>,
    ) -> Result<ActorRow, Failure> {
        let room = self.room(room)?;
        let name = ActorName::parse("name", name)?;
        if name.kind != ActorKind::Person {
            return Err(Refusal::field(
                Code::MemberInvalid,
                "role",
                "role: an agent has no role; it proposes only.",
            )
            .said(AGENT_HAS_NO_ROLE)
            .into());
        }
        let caller = caller.clone();
        let set = write(self.store(), move |tx| {
            if let Err(failure) = acting(&*tx, room.key, &caller, Action::SetUp) {
                return refused(failure);
            }
            let Some(member) = tx.actor_named(room.key, name.kind, &name.name)? else {
                return refuse(
                    Refusal::field(
                        Code::MemberNotFound,
                        "name",
                        format!("name: there is no member {:?}.", name.to_string()),
                    )
                    .said(format!("name: tidak ada anggota {:?}.", name.to_string())),
                );
            };
            let others = tx.actors(room.key)?;
            let remains = others.iter().any(|a| a.role == Some(Role::Maintainer) && a.id != member.id);
            if !remains && role != Some(Role::Maintainer) {
                return refuse(
                    Refusal::field(
                        Code::MemberLastMaintainer,
                        "role",
                        format!("role: {name} is the only maintainer of this room."),
                    )
                    .said(format!("role: {name} satu-satunya pengelola ruang ini.")),
                );
            }
            tx.set_role(room.key, member.id, role)?;
            keep(ActorRow { role, ..member })
        })?;
        Ok(set?)
    }
}

/// A room that is to be made, with everything that can be refused refused.
struct NewRoom {
    id: RoomId,
    slug: String,
    title: String,
    maintainer: ActorId,
    name: String,
}

impl NewRoom {
    fn of(caller: &Caller, slug: &str, title: &str) -> Result<Self, Refusal> {
        text::slug(slug)?;
        text::title("title", title)?;
        if caller.name.kind != ActorKind::Person {
            return Err(Refusal::new(Code::ActorDenied, "An agent may not make rooms; people may.")
                .said("Agen AI tidak boleh membuat ruang; orang boleh."));
        }
        Ok(Self {
            id: RoomId::new(Uuid::now_v7()),
            slug: slug.to_owned(),
            title: title.to_owned(),
            maintainer: ActorId::new(Uuid::now_v7()),
            name: caller.name.name.clone(),
        })
    }

    /// The room and its maintainer; `None` if the slug is taken.
    fn make(&self, tx: &mut dyn Write) -> Result<Option<RoomRow>, StoreError> {
        let wall = tx.wall();
        let Some(key) = tx.create_room(self.id, &self.slug, &self.title, wall)? else {
            return Ok(None);
        };
        let row = ActorRow {
            id: self.maintainer,
            kind: ActorKind::Person,
            name: self.name.clone(),
            role: Some(Role::Maintainer),
            added_at: wall,
        };
        tx.add_actor(key, &row)?;
        let (slug, title) = (self.slug.clone(), self.title.clone());
        Ok(Some(RoomRow { key, id: self.id, slug, title, created_at: wall }))
    }
}

/// What a new store begins with, for the transaction that makes it: one room, of which the caller is
/// the maintainer.
///
/// # Errors
/// As [`Engine::create_room`], before anything is made.
pub fn first_room(
    caller: &Caller,
    slug: &str,
    title: &str,
) -> Result<impl Fn(&mut dyn Write) -> Result<(), StoreError> + use<>, Refusal> {
    let new = NewRoom::of(caller, slug, title)?;
    Ok(move |tx: &mut dyn Write| new.make(tx).map(drop))
}

const AGENT_HAS_NO_ROLE: &str = "role: agen AI tidak punya peran; ia hanya mengusulkan.";

fn checked(name: &str, role: Option<Role>) -> Result<ActorName, Refusal> {
    let name = ActorName::parse("name", name)?;
    match (name.kind, role) {
        (ActorKind::Person, None) => Err(Refusal::field(
            Code::MemberInvalid,
            "role",
            "role: a person needs one: member, reviewer or maintainer.",
        )
        .said("role: orang memerlukan peran: member, reviewer, atau maintainer.")),
        (ActorKind::Agent, Some(_)) => {
            let detail = "role: an agent has no role; it proposes only.";
            Err(Refusal::field(Code::MemberInvalid, "role", detail).said(AGENT_HAS_NO_ROLE))
        }
        _ => Ok(name),
    }
}

fn now(tx: &dyn Read, room: sekali_store::RoomKey) -> Result<Timestamp, sekali_store::StoreError> {
    Ok(tx.now(room)?.at)
}

/// A failure of a check inside a write job.
pub(crate) fn refused<T>(failure: Failure) -> crate::Answer<T> {
    match failure {
        Failure::Refused(refusal) => refuse(refusal),
        Failure::Store(error) => Err(error),
    }
}
