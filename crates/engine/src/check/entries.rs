//! What an entry of the ledger says, held against the rows that were written with it.

use sekali_core::change::NetChange;
use sekali_core::decide::Standing;
use sekali_core::hash::{Commitment, Digest, LeafHash};
use sekali_core::ledger::{Common, Decision, Draft};
use sekali_core::role::Seen;
use sekali_core::{ActorId, ActorKind, Door, ProposalId, RoomId, Timestamp};
use sekali_store::{EntryRow, ProposalRow, Read, RoomRow, StoreError, VersionKey};
use serde::Deserialize;

use super::Wrong;

/// The members of an entry that are compared with rows.
#[derive(Deserialize)]
struct Entry {
    kind: String,
    room: RoomId,
    seq: u64,
    prev: String,
    at: String,
    proposal: u64,
    proposal_id: ProposalId,
    revision: u32,
    digest: Digest,
    actor: ActorId,
    door: Door,
    os_user: Option<ActorId>,
    reason: Option<String>,
}

/// What one entry says, compared with the rows that were written with it.
pub(super) struct FoundEntry {
    pub(super) prev: Option<String>,
    pub(super) at: String,
    /// It is the entry of an applied proposal.
    pub(super) applied: bool,
    pub(super) wrong: Wrong,
}

pub(super) fn entry(
    tx: &dyn Read,
    room: &RoomRow,
    row: &EntryRow,
    prev: LeafHash,
) -> Result<FoundEntry, StoreError> {
    let Ok(entry) = serde_json::from_slice::<Entry>(&row.bytes) else {
        let wrong = vec![("ledger.rows", "its bytes cannot be read".to_owned())];
        return Ok(FoundEntry { prev: None, at: String::new(), applied: false, wrong });
    };
    let mut wrong = Wrong::new();
    let mut rows = |what: String| wrong.push(("ledger.rows", what));
    if entry.seq != row.seq {
        rows(format!("it says that it is entry {}", entry.seq));
    }
    if entry.room != room.id {
        rows(format!("it says that it is of room {}", entry.room));
    }
    if tx.actor(room.key, entry.actor)?.is_none() {
        rows(format!("its actor {} is not there", entry.actor));
    }
    let of = format!("#{}", entry.proposal);
    let proposal = match tx.proposal_by_id(room.key, entry.proposal_id)? {
        Some(proposal) if proposal.number == entry.proposal => Some(proposal),
        _ => {
            rows(format!("its proposal {of} is not there"));
            None
        }
    };
    let revision = tx.revision(room.key, entry.proposal_id, entry.revision)?;
    if revision.is_none_or(|revision| revision.digest != entry.digest) {
        rows(format!("revision {} of {of} does not have its digest", entry.revision));
    }
    let applied = entry.kind == "applied";
    if let Some(proposal) = proposal {
        if applied {
            let (changes, agrees) = applied_as(tx, room, &entry, &proposal, row, prev)?;
            if !agrees {
                rows(format!("{of} is not applied as it says"));
            }
            for (ordinal, change) in (0u32..).zip(changes) {
                let version = tx.version(room.key, VersionKey { seq: row.seq, ordinal })?;
                let agrees = version.is_some_and(|v| {
                    v.op == change.op
                        && v.path == change.path
                        && v.from == change.from
                        && v.content == change.after
                        && v.proposal == entry.proposal_id
                });
                if !agrees {
                    rows(format!("the version of {} is missing or says something else", change.path));
                }
            }
        } else if !decided_as(tx, room, &entry, row, prev)? {
            rows(format!("{of} is not {} as it says", entry.kind));
        }
    }
    if applied
        && let Some(Standing::Applied(facts)) = tx.standing(room.key, entry.proposal_id)?
        && facts.seq != row.seq
    {
        wrong.push(("ledger.twice", format!("{of} is applied by entry {} already", facts.seq)));
    }
    Ok(FoundEntry { prev: Some(entry.prev), at: entry.at, applied, wrong })
}

/// The changes of an applied revision, and whether the bytes of its entry are exactly those that its
/// rows would be written as today.
fn applied_as(
    tx: &dyn Read,
    room: &RoomRow,
    entry: &Entry,
    proposal: &ProposalRow,
    row: &EntryRow,
    prev: LeafHash,
) -> Result<(Vec<NetChange>, bool), StoreError> {
    let changes = tx.changes(room.key, entry.proposal_id, entry.revision)?;
    let changes: Vec<NetChange> = changes.into_iter().map(|c| c.change).collect();
    let Some(Standing::Applied(facts)) = tx.standing(room.key, entry.proposal_id)? else {
        return Ok((changes, false));
    };
    if (facts.seq, facts.leaf) != (row.seq, row.leaf) {
        return Ok((changes, false));
    }
    let os_user = match &facts.os_user {
        None => None,
        Some(name) => tx.actor_named(room.key, ActorKind::System, name)?.map(|actor| actor.id),
    };
    let seen = match facts.seen.as_str() {
        "digest" => Seen::Digest(facts.digest),
        _ => Seen::Nothing,
    };
    let mut before = Vec::with_capacity(changes.len());
    for ordinal in (0u32..).take(changes.len()) {
        let version = tx.version(room.key, VersionKey { seq: row.seq, ordinal })?;
        let replaced = match version.and_then(|version| version.previous) {
            None => None,
            Some(previous) => tx.version(room.key, previous)?.and_then(|version| version.content),
        };
        before.push(replaced.map(|content| content.commitment));
    }
    let common = Common {
        room: room.id,
        proposal_id: facts.id,
        proposal: facts.number,
        revision: facts.revision,
        digest: facts.digest,
        actor: facts.by,
        door: facts.door,
        os_user,
        reason: None,
    };
    let effect_keys = tx.effect_keys(room.key, entry.proposal_id, facts.revision)?;
    let draft = Draft::applied(&common, &changes, &effect_keys, proposal.correlation.as_deref(), None, seen);
    let agrees = written(&draft, row, prev, facts.at, &before);
    Ok((changes, agrees))
}

/// Whether the bytes of a decision's entry are in their form, and the row of a proposal that still
/// stands so says the same. Door and system user are in the entry alone.
fn decided_as(
    tx: &dyn Read,
    room: &RoomRow,
    entry: &Entry,
    row: &EntryRow,
    prev: LeafHash,
) -> Result<bool, StoreError> {
    let decisions = [Decision::Rejected, Decision::Reopened, Decision::Withdrawn];
    let decision = decisions.into_iter().find(|decision| decision.as_str() == entry.kind);
    let (Some(decision), Ok(at)) = (decision, entry.at.parse::<Timestamp>()) else {
        return Ok(false);
    };
    let common = Common {
        room: room.id,
        proposal_id: entry.proposal_id,
        proposal: entry.proposal,
        revision: entry.revision,
        digest: entry.digest,
        actor: entry.actor,
        door: entry.door,
        os_user: entry.os_user,
        reason: entry.reason.clone(),
    };
    let in_form = written(&Draft::decided(&common, decision), row, prev, at, &[]);
    Ok(in_form
        && match tx.standing(room.key, entry.proposal_id)? {
            Some(Standing::Closed(closed)) if closed.seq == row.seq => {
                closed.state.as_str() == entry.kind
                    && (closed.revision, closed.digest) == (entry.revision, entry.digest)
                    && (closed.by, closed.at) == (entry.actor, at)
                    && closed.reason == entry.reason
            }
            _ => true,
        })
}

fn written(
    draft: &Draft,
    row: &EntryRow,
    prev: LeafHash,
    at: Timestamp,
    before: &[Option<Commitment>],
) -> bool {
    // A number that no entry may have is not spliced into one.
    row.seq <= sekali_core::limit::SAFE_INTEGER.unsigned_abs()
        && draft.splice(row.seq, &prev, at, before) == row.bytes
}

/// An entry says that a proposal was decided so.
pub(super) fn says(
    tx: &dyn Read,
    room: &RoomRow,
    seq: u64,
    kind: &str,
    id: ProposalId,
) -> Result<bool, StoreError> {
    let Some(after) = seq.checked_sub(1) else {
        return Ok(false);
    };
    let entries = tx.entries(room.key, after, 1)?;
    Ok(entries.first().filter(|row| row.seq == seq).is_some_and(|row| {
        serde_json::from_slice::<Entry>(&row.bytes)
            .is_ok_and(|entry| entry.kind == kind && entry.proposal_id == id)
    }))
}
