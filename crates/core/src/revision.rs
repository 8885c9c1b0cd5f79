//! One revision of a proposal and its digest: what a person sees is what Apply carries.

use std::fmt::Write as _;

use crate::change::{DOCUMENTS, Mode, NetChange};
use crate::hash::{self, Digest};
use crate::id::{ActorId, ProposalId, RoomId};
use crate::json::write_string;
use crate::time::Timestamp;

/// A permanent identity of what a proposal does, with its generation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct EffectKey {
    /// The key.
    pub key: String,
    /// Raised only by a person's decision with a reason.
    pub generation: u32,
}

impl EffectKey {
    /// Whether it stands for an idempotency key, and was not declared.
    pub fn is_derived(&self) -> bool {
        self.key.starts_with(DERIVED)
    }
}

/// What every derived effect key begins with, and no declared one.
pub(crate) const DERIVED: &str = "in/";

/// Everything that the digest covers (docs/format.md, "Digest").
#[expect(clippy::struct_field_names, reason = "`revision` is the member's name in the format")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The room.
    pub room: RoomId,
    /// The proposal.
    pub proposal: ProposalId,
    /// From 1.
    pub revision: u32,
    /// One line.
    pub title: String,
    /// Markdown, perhaps empty.
    pub why: String,
    /// Who wrote this revision.
    pub author: ActorId,
    /// Until when it may be applied, exclusive.
    pub valid_until: Option<Timestamp>,
    /// What it does, permanently.
    pub effect_keys: Vec<EffectKey>,
    /// In order.
    pub changes: Vec<NetChange>,
}

/// The line before the canonical JSON.
pub const DIGEST_PREFIX: &[u8] = b"sekali/revision/1\n";

impl Revision {
    /// The RFC 8785 canonical JSON under the digest. Members stand in their sorted order.
    pub fn canonical(&self) -> String {
        let mut out = String::with_capacity(400 + self.why.len() + self.changes.len() * 360);
        let _ = write!(out, "{{\"author\":\"{}\",\"changes\":[", self.author);
        for (index, change) in self.changes.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_change(&mut out, change);
        }
        out.push_str("],\"effect_keys\":");
        write_effect_keys(&mut out, &self.effect_keys);
        let _ = write!(
            out,
            ",\"messages\":[],\"proposal\":\"{}\",\"revision\":{},\"room\":\"{}\",\"title\":",
            self.proposal, self.revision, self.room
        );
        write_string(&mut out, &self.title);
        match self.valid_until {
            Some(end) => {
                let _ = write!(out, ",\"valid_until\":\"{end}\",\"why\":");
            }
            None => out.push_str(",\"valid_until\":null,\"why\":"),
        }
        write_string(&mut out, &self.why);
        out.push('}');
        out
    }

    /// The digest of the canonical form.
    pub fn digest(&self) -> Digest {
        digest_of(self.canonical().as_bytes())
    }
}

/// The digest of canonical bytes as a store keeps them.
pub fn digest_of(canonical: &[u8]) -> Digest {
    Digest::from_bytes(hash::sha256(&[DIGEST_PREFIX, canonical]))
}

pub(crate) fn write_effect_keys(out: &mut String, keys: &[EffectKey]) {
    out.push('[');
    for (index, effect) in keys.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        let _ = write!(out, "{{\"generation\":{},\"key\":", effect.generation);
        write_string(out, &effect.key);
        out.push('}');
    }
    out.push(']');
}

fn write_change(out: &mut String, change: &NetChange) {
    let commitment = |v: &Option<crate::change::Version>| hash::or_absent(v.as_ref().map(|v| &v.commitment));
    let _ = write!(
        out,
        "{{\"after\":\"{}\",\"base\":\"{}\",\"from\":",
        commitment(&change.after),
        commitment(&change.base)
    );
    write_tail(out, change);
    out.push('}');
}

/// `from` (value only), then `in`, `mode`, `op`, `path`: the members that digests and entries
/// share.
pub(crate) fn write_tail(out: &mut String, change: &NetChange) {
    match &change.from {
        Some(from) => write_string(out, from.as_str()),
        None => out.push_str("null"),
    }
    let _ = write!(out, ",\"in\":\"{DOCUMENTS}\",\"mode\":");
    match change.after.as_ref().map(|v| v.mode) {
        Some(mode) => {
            let _ = write!(out, "\"{}\"", Mode::as_str(mode));
        }
        None => out.push_str("null"),
    }
    let _ = write!(out, ",\"op\":\"{}\",\"path\":", change.op.as_str());
    write_string(out, change.path.as_str());
}
