//! Rooms and their members.

use sekali_core::role::{Action, Role};
use sekali_core::text::{self, ActorName};
use sekali_core::{ActorId, ActorKind, Code, Refusal, RoomId, Timestamp};
use sekali_store::{ActorRow, Read, RoomRow, read, write};
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
        text::slug(slug)?;
        text::title("title", title)?;
        if caller.name.kind != ActorKind::Person {
            return Err(Refusal::new(Code::ActorDenied, "An agent may not make rooms; people may.")
                .said("Agen AI tidak boleh membuat ruang; orang boleh.")
                .into());
        }
        let (id, actor) = (RoomId::new(Uuid::now_v7()), ActorId::new(Uuid::now_v7()));
        let (slug, title, name) = (slug.to_owned(), title.to_owned(), caller.name.name.clone());
        let made = write(self.store(), move |tx| {
            let wall = tx.wall();
            let Some(key) = tx.create_room(id, &slug, &title, wall)? else {
                return refuse(
                    Refusal::field(
                        Code::RoomExists,
                        "slug",
                        format!("slug: there is a room {slug:?} already."),
                    )
                    .said(format!("slug: sudah ada ruang {slug:?}."))
                    .with(|f| f.value = Some(slug.clone())),
                );
            };
            let row = ActorRow {
                id: actor,
                kind: ActorKind::Person,
                name: name.clone(),
                role: Some(Role::Maintainer),
                added_at: wall,
            };
            tx.add_actor(key, &row)?;
            keep(RoomRow { key, id, slug: slug.clone(), title: title.clone(), created_at: wall })
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
