//! Ledger entries: the stored bytes are the hashed bytes. The caller prepares an entry with holes
//! for what only the writer knows (`seq`, `prev`, `at`, each `before`); the writer splices.

use std::fmt::Write as _;

use crate::change::NetChange;
use crate::hash::{self, Commitment, Digest, LeafHash};
use crate::id::{ActorId, ProposalId, RoomId};
use crate::json::write_string;
use crate::revision::{EffectKey, write_effect_keys, write_tail};
use crate::role::{Door, Seen};
use crate::time::Timestamp;

/// What every entry says (docs/format.md, "Entry").
#[derive(Debug, Clone)]
pub struct Common {
    /// The room.
    pub room: RoomId,
    /// The proposal that was decided.
    pub proposal_id: ProposalId,
    /// Its number, for people.
    pub proposal: u64,
    /// The revision that was decided.
    pub revision: u32,
    /// The digest of that revision.
    pub digest: Digest,
    /// Who decided.
    pub actor: ActorId,
    /// Through which door.
    pub door: Door,
    /// As which user of the operating system.
    pub os_user: Option<ActorId>,
    /// Why, where a reason was given.
    pub reason: Option<String>,
}

/// A decision other than Apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A person said no.
    Rejected,
    /// What was rejected waits again.
    Reopened,
    /// It was taken back.
    Withdrawn,
}

impl Decision {
    /// The entry's kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Reopened => "reopened",
            Self::Withdrawn => "withdrawn",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hole {
    At,
    Before(usize),
    Prev,
    Seq,
}

/// An entry in canonical JSON, with holes.
#[derive(Debug, Clone)]
pub struct Draft {
    text: String,
    holes: Vec<(usize, Hole)>,
}

/// 64 zeros: the `prev` of a first entry.
pub const NO_PREV: LeafHash = LeafHash::from_bytes([0; 32]);

impl Draft {
    /// The entry of an applied proposal.
    pub fn applied(
        common: &Common,
        changes: &[NetChange],
        effect_keys: &[EffectKey],
        correlation: Option<&str>,
        source: Option<ActorId>,
        seen: Seen,
    ) -> Self {
        let mut draft = Self::begin(common, 620 + changes.len() * 330);
        draft.text.push_str(",\"changes\":[");
        for (index, change) in changes.iter().enumerate() {
            draft.change(index, change);
        }
        draft.text.push_str("],\"correlation\":");
        draft.nullable(correlation);
        draft.digest_and_door(common);
        draft.text.push_str(",\"effect_keys\":");
        write_effect_keys(&mut draft.text, effect_keys);
        draft.middle(common, "applied");
        let _ = write!(draft.text, ",\"seen\":\"{}\",\"seq\":", seen.as_str());
        draft.hole(Hole::Seq);
        match source {
            Some(source) => {
                let _ = write!(draft.text, ",\"source\":\"{source}\",\"v\":1}}");
            }
            None => draft.text.push_str(",\"source\":null,\"v\":1}"),
        }
        draft
    }

    /// The entry of a rejected, reopened or withdrawn proposal.
    pub fn decided(common: &Common, decision: Decision) -> Self {
        let mut draft = Self::begin(common, 620);
        draft.digest_and_door(common);
        draft.middle(common, decision.as_str());
        draft.text.push_str(",\"seq\":");
        draft.hole(Hole::Seq);
        draft.text.push_str(",\"v\":1}");
        draft
    }

    fn begin(common: &Common, capacity: usize) -> Self {
        let mut draft = Self { text: String::with_capacity(capacity), holes: Vec::with_capacity(4) };
        let _ = write!(draft.text, "{{\"actor\":\"{}\",\"at\":\"", common.actor);
        draft.hole(Hole::At);
        draft.text.push('"');
        draft
    }

    fn hole(&mut self, hole: Hole) {
        self.holes.push((self.text.len(), hole));
    }

    fn nullable(&mut self, text: Option<&str>) {
        match text {
            Some(text) => write_string(&mut self.text, text),
            None => self.text.push_str("null"),
        }
    }

    fn change(&mut self, index: usize, change: &NetChange) {
        if index > 0 {
            self.text.push(',');
        }
        let after = hash::or_absent(change.after.as_ref().map(|v| &v.commitment));
        let _ = write!(self.text, "{{\"after\":\"{after}\",\"before\":\"");
        self.hole(Hole::Before(index));
        self.text.push_str("\",\"bytes\":");
        match &change.after {
            Some(version) => {
                let _ = write!(self.text, "{},\"from\":", version.bytes);
            }
            None => self.text.push_str("null,\"from\":"),
        }
        write_tail(&mut self.text, change);
        self.text.push('}');
    }

    fn digest_and_door(&mut self, common: &Common) {
        let _ = write!(self.text, ",\"digest\":\"{}\",\"door\":\"{}\"", common.digest, common.door);
    }

    /// `kind`, `os_user`, `prev`, `proposal`, `proposal_id`, `reason`, `revision`, `room`.
    fn middle(&mut self, common: &Common, kind: &str) {
        let _ = write!(self.text, ",\"kind\":\"{kind}\",\"os_user\":");
        match common.os_user {
            Some(user) => {
                let _ = write!(self.text, "\"{user}\"");
            }
            None => self.text.push_str("null"),
        }
        self.text.push_str(",\"prev\":\"");
        self.hole(Hole::Prev);
        let _ = write!(
            self.text,
            "\",\"proposal\":{},\"proposal_id\":\"{}\",\"reason\":",
            common.proposal, common.proposal_id
        );
        self.nullable(common.reason.as_deref());
        let _ = write!(self.text, ",\"revision\":{},\"room\":\"{}\"", common.revision, common.room);
    }

    /// Fills the holes. `before` answers for each change, in order, what it replaced.
    ///
    /// # Panics
    /// When `before` does not answer for each change, or `seq` is beyond 2^53: such bytes would be
    /// hashed for ever.
    pub fn splice(&self, seq: u64, prev: &LeafHash, at: Timestamp, before: &[Option<Commitment>]) -> Vec<u8> {
        let asked = self.holes.iter().filter(|(_, hole)| matches!(hole, Hole::Before(_))).count();
        assert_eq!(asked, before.len(), "each change says what it replaced");
        assert!(seq <= crate::limit::SAFE_INTEGER.unsigned_abs(), "a ledger of 2^53 entries is full");
        let mut out = String::with_capacity(self.text.len() + 160 + before.len() * 72);
        let mut from = 0;
        for (offset, hole) in &self.holes {
            out.push_str(&self.text[from..*offset]);
            from = *offset;
            let _ = match hole {
                Hole::At => write!(out, "{at}"),
                Hole::Seq => write!(out, "{seq}"),
                Hole::Prev => write!(out, "{}", prev.hex()),
                Hole::Before(index) => {
                    write!(out, "{}", hash::or_absent(before[*index].as_ref()))
                }
            };
        }
        out.push_str(&self.text[from..]);
        out.into_bytes()
    }

    /// An upper bound of the entry's size in bytes, for closing a group in time.
    pub fn size_bytes(&self) -> usize {
        self.text.len() + 160 + self.holes.len() * 72
    }
}
