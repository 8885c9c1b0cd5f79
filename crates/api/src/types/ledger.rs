//! The ledger's entries as they are stored, and the evidence of repeats.

use sekali_core::{Code, Timestamp};
use sekali_store::{EntryRow, HeadRow, Layer, RepeatRow, StoreError};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::words;

/// One page of a room's ledger.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LedgerPage {
    /// Oldest first; each is the stored bytes, which are the hashed bytes.
    #[schema(value_type = Vec<LedgerEntry>)]
    pub items: Vec<Box<RawValue>>,
    /// Entries of the whole ledger.
    pub size: u64,
    /// Root of its tree (RFC 6962).
    #[schema(value_type = words::Hex)]
    pub root: String,
    /// The `after` of the next page.
    #[schema(required)]
    pub next: Option<u64>,
}

impl LedgerPage {
    /// A page from one snapshot.
    ///
    /// # Errors
    /// `store.damaged` where an entry is not JSON.
    pub fn of(head: &HeadRow, entries: Vec<EntryRow>) -> Result<Self, StoreError> {
        let last = entries.last().map(|entry| entry.seq);
        let items = entries.into_iter().map(raw).collect::<Result<Vec<_>, _>>()?;
        let next = last.filter(|seq| *seq < head.size);
        Ok(Self { items, size: head.size, root: hex::encode(head.root), next })
    }
}

fn raw(entry: EntryRow) -> Result<Box<RawValue>, StoreError> {
    let seq = entry.seq;
    let damaged = |e: Box<dyn std::error::Error + Send + Sync>| {
        StoreError::caused(Code::StoreDamaged, format!("Entry {seq} of the ledger is not JSON."), e)
    };
    let text = String::from_utf8(entry.bytes).map_err(|e| damaged(e.into()))?;
    RawValue::from_string(text).map_err(|e| damaged(e.into()))
}

/// An entry of the ledger, `v` 1. Here only as a schema: entries are passed through as stored.
/// `changes`, `correlation`, `effect_keys`, `seen` and `source` are only in entries of kind
/// `applied`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct LedgerEntry {
    /// The form of the entry.
    v: u32,
    /// `applied`, `rejected`, `reopened`, `withdrawn`; later kinds have their own members.
    kind: String,
    /// The room.
    #[schema(value_type = words::Id)]
    room: String,
    /// From 1, dense.
    seq: u64,
    /// Leaf of the entry before; 64 zeros at first.
    #[schema(value_type = words::Hex)]
    prev: String,
    /// When.
    #[schema(value_type = words::Time)]
    at: String,
    /// The proposal.
    #[schema(value_type = words::Id)]
    proposal_id: String,
    /// Its number.
    proposal: u64,
    /// The revision that was decided.
    revision: u32,
    /// Its digest.
    #[schema(value_type = words::Sha256)]
    digest: String,
    /// Who decided.
    #[schema(value_type = words::Id)]
    actor: String,
    /// Through which door.
    #[schema(value_type = words::Door)]
    door: String,
    /// The operating system's user, by id.
    #[schema(required, value_type = Option<words::Id>)]
    os_user: Option<String>,
    /// The reason given.
    #[schema(required)]
    reason: Option<String>,
    /// The source that applied it.
    #[schema(value_type = Option<words::Id>)]
    source: Option<String>,
    /// The submitter's id for it.
    correlation: Option<String>,
    /// What it did, permanently.
    #[schema(value_type = Option<Vec<super::EffectKey>>)]
    effect_keys: Option<Vec<super::EffectKey>>,
    /// `digest` or `none`.
    seen: Option<String>,
    /// What changed.
    #[schema(value_type = Option<Vec<LedgerChange>>)]
    changes: Option<Vec<LedgerChange>>,
}

/// A change as an entry quotes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct LedgerChange {
    /// `documents`.
    r#in: String,
    /// What happened.
    #[schema(value_type = words::Op)]
    op: String,
    /// The path afterwards; of a deleted one, before.
    path: String,
    /// Where a renamed document was.
    #[schema(required)]
    from: Option<String>,
    /// What it replaced.
    #[schema(value_type = words::Side)]
    before: String,
    /// What is there since.
    #[schema(value_type = words::Side)]
    after: String,
    /// Size afterwards, in bytes.
    #[schema(required)]
    bytes: Option<u64>,
    /// Mode afterwards.
    #[schema(required, value_type = Option<words::Mode>)]
    mode: Option<String>,
}

/// Evidence of repeats under one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DuplicateItem {
    /// `apply`: pressed again. `key`: submitted again. `effect`: another proposal would have had
    /// the same effect.
    #[schema(pattern = "^(apply|key|effect)$")]
    pub layer: String,
    /// The idempotency key or effect key; `null` for `apply`.
    #[schema(required)]
    pub key: Option<String>,
    /// The proposal whose receipt or row answered.
    #[schema(required)]
    pub proposal: Option<u64>,
    /// How often.
    pub count: u64,
    /// How often with other content.
    pub other_content: u64,
    /// The first time.
    #[schema(value_type = words::Time)]
    pub first_at: Timestamp,
    /// The last time.
    #[schema(value_type = words::Time)]
    pub last_at: Timestamp,
}

/// One page of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DuplicatePage {
    /// Last first.
    pub items: Vec<DuplicateItem>,
    /// The cursor of the next page.
    #[schema(required)]
    pub next: Option<String>,
}

impl From<RepeatRow> for DuplicateItem {
    fn from(row: RepeatRow) -> Self {
        // Under `apply` the key is the proposal's id in bytes, which its number says better.
        let key = match row.layer {
            Layer::Apply => None,
            Layer::Key | Layer::Effect => Some(String::from_utf8_lossy(&row.key).into_owned()),
        };
        Self {
            layer: row.layer.as_str().to_owned(),
            key,
            proposal: Some(row.number),
            count: row.count,
            other_content: row.other_content,
            first_at: row.first_at,
            last_at: row.last_at,
        }
    }
}

/// How far a room has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChangeSeq {
    /// Grows with each committed write of the room.
    pub change_seq: u64,
}
