//! The store, its rooms and their members.

use sekali_core::{ActorId, ActorKind, Door, Role, RoomId, StoreId, Timestamp};
use sekali_engine::Caller;
use sekali_engine::look::RoomView;
use sekali_store::{ActorRow, StoreFacts};
use serde::Serialize;
use utoipa::ToSchema;

use crate::words;

/// What the store says of itself, and who asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StoreInfo {
    /// The store's id.
    #[schema(value_type = words::Id)]
    pub id: StoreId,
    /// Where it is, as people name it.
    pub path: String,
    /// The version of its schema.
    pub format: u32,
    /// The driver and its version.
    pub sqlite: String,
    /// Bytes of the write-ahead log.
    pub wal_bytes: u64,
    /// What a person should know.
    pub warnings: Vec<Warning>,
    /// Who asks.
    pub you: StoreYou,
    /// Through which door.
    #[schema(value_type = words::Door)]
    pub door: Door,
}

/// Something that is not wrong yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Warning {
    /// What programs branch on.
    pub code: String,
    /// One English sentence.
    pub detail: String,
}

/// Who asks, before any room is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StoreYou {
    /// The name under which they act.
    pub name: String,
    /// What they are.
    #[schema(value_type = words::ActorKind)]
    pub kind: ActorKind,
    /// The operating system's user, where there is one.
    #[schema(required)]
    pub os_user: Option<String>,
}

impl StoreInfo {
    /// What one caller is told.
    pub fn of(facts: StoreFacts, caller: &Caller) -> Self {
        let warnings =
            facts.warnings.into_iter().map(|w| Warning { code: w.code.to_owned(), detail: w.detail });
        Self {
            id: facts.id,
            path: facts.place,
            format: facts.format,
            sqlite: facts.driver,
            wal_bytes: facts.wal_bytes,
            warnings: warnings.collect(),
            you: StoreYou {
                name: caller.name.name.clone(),
                kind: caller.name.kind,
                os_user: caller.os_user.clone(),
            },
            door: caller.door,
        }
    }
}

/// A room as one of its people sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Room {
    /// Its id everywhere.
    #[schema(value_type = words::Id)]
    pub id: RoomId,
    /// Fixed, for people and addresses.
    pub slug: String,
    /// One line.
    pub title: String,
    /// The caller in it.
    pub you: You,
    /// How many proposals stand where.
    pub counts: Counts,
    /// The head of its ledger.
    pub ledger: LedgerHead,
    /// Grows with each committed write of the room.
    pub change_seq: u64,
    /// When it was made.
    #[schema(value_type = words::Time)]
    pub created_at: Timestamp,
}

/// All rooms of the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RoomList {
    /// In the order in which they were made.
    pub items: Vec<Room>,
}

/// The caller as an actor of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct You {
    /// Their id; `null` where they are none of the room.
    #[schema(required, value_type = Option<words::Id>)]
    pub id: Option<ActorId>,
    /// The name under which they act.
    pub name: String,
    /// What they are.
    #[schema(value_type = words::ActorKind)]
    pub kind: ActorKind,
    /// What they may do.
    #[schema(required, value_type = Option<words::Role>)]
    pub role: Option<Role>,
}

/// How many proposals stand where; each is in exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counts {
    /// Wait for a person.
    pub waiting: u64,
    /// Were applied, once.
    pub applied: u64,
    /// Were rejected.
    pub rejected: u64,
    /// Were taken back.
    pub withdrawn: u64,
    /// Waited past their validity.
    pub expired: u64,
}

/// The head of a room's ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LedgerHead {
    /// Entries.
    pub size: u64,
    /// Root of the tree (RFC 6962).
    #[schema(value_type = words::Hex)]
    pub root: String,
}

impl Room {
    /// What one caller is told.
    pub fn of(view: RoomView, caller: &Caller) -> Self {
        let RoomView { room, head, expired, you } = view;
        Self {
            id: room.id,
            slug: room.slug,
            title: room.title,
            you: You {
                id: you.as_ref().map(|actor| actor.id),
                name: caller.name.name.clone(),
                kind: caller.name.kind,
                role: you.and_then(|actor| actor.role),
            },
            counts: Counts {
                waiting: head.counts.open.saturating_sub(expired),
                applied: head.counts.applied,
                rejected: head.counts.rejected,
                withdrawn: head.counts.withdrawn,
                expired,
            },
            ledger: LedgerHead { size: head.size, root: hex::encode(head.root) },
            change_seq: head.change_seq,
            created_at: room.created_at,
        }
    }
}

/// A member, agent or source of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Member {
    /// The id that ledger entries quote.
    #[schema(value_type = words::Id)]
    pub id: ActorId,
    /// What it is.
    #[schema(value_type = words::ActorKind)]
    pub kind: ActorKind,
    /// Its name, without `agent:`.
    pub name: String,
    /// A person's role.
    #[schema(required, value_type = Option<words::Role>)]
    pub role: Option<Role>,
    /// When it came.
    #[schema(value_type = words::Time)]
    pub added_at: Timestamp,
}

/// Everyone of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MemberList {
    /// By name.
    pub items: Vec<Member>,
}

impl From<ActorRow> for Member {
    fn from(row: ActorRow) -> Self {
        Self { id: row.id, kind: row.kind, name: row.name, role: row.role, added_at: row.added_at }
    }
}
