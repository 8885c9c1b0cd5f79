//! The rules of Apply, as pure functions over facts that a store has read or written. A receipt
//! can only come from here: from a claim that was won, or from the row that won it.

use crate::code::Code;
use crate::hash::{Commitment, Digest, LeafHash};
use crate::id::{ActorId, ProposalId};
use crate::path::DocPath;
use crate::refusal::{Moved, MovedBy, Refusal};
use crate::role::{Door, Seen, State};
use crate::time::{Now, Timestamp};

/// What came of pressing Apply. *Already done* is an answer, not an error.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum Outcome {
    /// The change was made now.
    Applied(Receipt),
    /// It had been made; nothing changed. With the number of repeats so far, where it was kept.
    Replayed(Receipt, Evidence),
    /// It was not made; nothing changed.
    Refused(Refusal),
}

/// Whether a repeat was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// It was, as the n-th repeat.
    Kept(u64),
    /// The store could not take it; the replay is right all the same. The count that is known.
    NotKept(u64),
}

/// The row that won, as a store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedFacts {
    /// The proposal.
    pub id: ProposalId,
    /// Its number.
    pub number: u64,
    /// The entry.
    pub seq: u64,
    /// The revision that was applied.
    pub revision: u32,
    /// Its digest.
    pub digest: Digest,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: ActorId,
    /// Their name now.
    pub by_name: String,
    /// Through which door.
    pub door: Door,
    /// The operating system's user, by name.
    pub os_user: Option<String>,
    /// `digest` or `none`.
    pub seen: String,
    /// The leaf of the entry.
    pub leaf: LeafHash,
}

/// Proof for a person that a change was made, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt(AppliedFacts);

impl Receipt {
    /// What the receipt says.
    pub fn facts(&self) -> &AppliedFacts {
        &self.0
    }
}

/// The claim was won and the change written: the receipt of this transaction.
pub fn won(facts: AppliedFacts) -> Receipt {
    Receipt(facts)
}

/// The claim was lost: the first receipt, unless the presser had seen something else than what was
/// applied.
///
/// # Errors
/// `proposal.applied_other`, with the receipt.
pub fn lost(facts: AppliedFacts, seen: Seen) -> Result<Receipt, Refusal> {
    match seen {
        Seen::Digest(digest) if digest != facts.digest => Err(Refusal::new(
            Code::ProposalAppliedOther,
            format!(
                "The digest does not match: #{} was already applied by {}, as revision {}, whose digest is {}.",
                facts.number,
                facts.by_name,
                facts.revision,
                facts.digest.short()
            ),
        )
        .said(format!(
            "Sidik isinya tidak cocok: #{} sudah diterapkan oleh {}, sebagai revisi {} dengan sidik isi {}.",
            facts.number,
            facts.by_name,
            facts.revision,
            facts.digest.short()
        ))
        .with(|f| {
            f.proposal = Some(facts.number);
            f.digest = Some(facts.digest);
            f.state = Some(State::Applied);
            f.by = Some(facts.by_name.clone());
            f.at = Some(facts.at);
            f.receipt = Some(Box::new(Receipt(facts)));
        })),
        _ => Ok(Receipt(facts)),
    }
}

/// A decision other than Apply, as a store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedFacts {
    /// Rejected or withdrawn.
    pub state: State,
    /// The revision that was decided.
    pub revision: u32,
    /// Its digest.
    pub digest: Digest,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: ActorId,
    /// Their name now.
    pub by_name: String,
    /// Why.
    pub reason: Option<String>,
    /// The entry.
    pub seq: u64,
}

/// The row that every transition takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenFacts {
    /// The current revision.
    pub revision: u32,
    /// Its digest.
    pub digest: Digest,
    /// Until when it may be applied.
    pub valid_until: Option<Timestamp>,
}

/// Where a proposal stands, as rows say. Exactly one of them exists for each proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It waits (or has expired, which is derived).
    Open(OpenFacts),
    /// It was applied.
    Applied(AppliedFacts),
    /// It was rejected or withdrawn.
    Closed(ClosedFacts),
}

impl Standing {
    /// The state that everyone is told.
    pub fn state(&self, now: Now) -> State {
        match self {
            Self::Open(open) if now.past(open.valid_until) => State::Expired,
            Self::Open(_) => State::Waiting,
            Self::Applied(_) => State::Applied,
            Self::Closed(closed) => closed.state,
        }
    }
}

/// Why an open row could not be taken: someone else won, or the content is another. Names who.
pub fn not_taken(number: u64, standing: &Standing) -> Refusal {
    let refusal = match standing {
        Standing::Open(open) => Refusal::new(
            Code::ProposalChanged,
            format!(
                "The digest does not match: #{number} is at revision {} now, whose digest is {}.",
                open.revision,
                open.digest.short()
            ),
        )
        .said(format!(
            "Sidik isinya tidak cocok: #{number} kini revisi {} dengan sidik isi {}.",
            open.revision,
            open.digest.short()
        ))
        .with(|f| {
            f.digest = Some(open.digest);
            f.state = Some(State::Waiting);
        }),
        Standing::Applied(applied) => Refusal::new(
            Code::ProposalAlreadyApplied,
            format!("#{number} was applied by {} as entry {}.", applied.by_name, applied.seq),
        )
        .said(format!("#{number} sudah diterapkan oleh {} sebagai catatan {}.", applied.by_name, applied.seq))
        .with(|f| {
            f.digest = Some(applied.digest);
            f.state = Some(State::Applied);
            f.by = Some(applied.by_name.clone());
            f.at = Some(applied.at);
            f.receipt = Some(Box::new(Receipt(applied.clone())));
        }),
        Standing::Closed(closed) => closed_refusal(number, closed),
    };
    refusal.with(|f| f.proposal = Some(number))
}

/// What was rejected meanwhile is another revision than the one that was to be reopened.
pub fn rejected_other(number: u64, closed: &ClosedFacts) -> Refusal {
    Refusal::new(
        Code::ProposalChanged,
        format!(
            "The digest does not match: #{number} was rejected at revision {}, whose digest is {}.",
            closed.revision,
            closed.digest.short()
        ),
    )
    .said(format!(
        "Sidik isinya tidak cocok: #{number} ditolak pada revisi {} dengan sidik isi {}.",
        closed.revision,
        closed.digest.short()
    ))
    .with(|f| {
        f.proposal = Some(number);
        f.digest = Some(closed.digest);
        f.state = Some(State::Rejected);
    })
}

fn closed_refusal(number: u64, closed: &ClosedFacts) -> Refusal {
    let (code, word, id) = if closed.state == State::Withdrawn {
        (Code::ProposalWithdrawn, "withdrawn", "ditarik")
    } else {
        (Code::ProposalRejected, "rejected", "ditolak")
    };
    let why = closed.reason.as_deref().map(|r| format!(": {r}")).unwrap_or_default();
    let whole = |words: &str| {
        let end = if why.ends_with(['.', '!', '?']) { "" } else { "." };
        format!("#{number} {words} {}{why}{end}", closed.by_name)
    };
    Refusal::new(code, whole(&format!("was {word} by"))).said(whole(&format!("{id} oleh"))).with(|f| {
        f.digest = Some(closed.digest);
        f.state = Some(closed.state);
        f.by = Some(closed.by_name.clone());
        f.at = Some(closed.at);
        f.reason.clone_from(&closed.reason);
    })
}

/// An expired proposal is refused, whoever presses.
///
/// # Errors
/// `proposal.expired`, with the end of its validity.
pub fn still_valid(number: u64, open: &OpenFacts, now: Now) -> Result<(), Refusal> {
    match open.valid_until {
        Some(end) if now.past(open.valid_until) => Err(Refusal::new(
            Code::ProposalExpired,
            format!("#{number} was valid until {end}, which is over."),
        )
        .said(format!("#{number} berlaku sampai {end}, dan itu sudah lewat."))
        .with(|f| {
            f.proposal = Some(number);
            f.state = Some(State::Expired);
            f.at = Some(end);
            f.digest = Some(open.digest);
        })),
        _ => Ok(()),
    }
}

/// A document that was not where a change expected it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Displaced {
    /// The document.
    pub path: DocPath,
    /// The commitment that the change was based on.
    pub expected: Option<Commitment>,
    /// What is there now.
    pub now: Option<Commitment>,
    /// Who moved it.
    pub by: Option<(u64, u64)>,
}

/// What a proposal that was split from another expects of that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits {
    /// The other waits too: it will leave what this one expects.
    Waiting(u64),
    /// The other will not: it was decided otherwise, or changed since.
    InVain(u64),
}

impl Awaits {
    /// The proposal that would leave what this one expects.
    pub fn waiting(self) -> Option<u64> {
        match self {
            Self::Waiting(other) => Some(other),
            Self::InVain(_) => None,
        }
    }
}

/// The documents have moved; or, where it `awaits` the proposal that it was split from, have not come yet.
pub fn stale(number: u64, displaced: &[Displaced], awaits: Option<Awaits>) -> Refusal {
    let moved: Vec<Moved> = displaced
        .iter()
        .map(|d| Moved {
            path: d.path.to_string(),
            expected: crate::hash::or_absent(d.expected.as_ref()),
            now: crate::hash::or_absent(d.now.as_ref()),
            by: d.by.map(|(proposal, seq)| MovedBy { proposal, seq }),
        })
        .collect();
    let first = moved.first().map_or_else(String::new, |m| match &m.by {
        Some(by) => format!(": {} was changed by #{} (entry {})", m.path, by.proposal, by.seq),
        None => format!(": {} is not what it was", m.path),
    });
    let first_id = moved.first().map_or_else(String::new, |m| match &m.by {
        Some(by) => format!(": {} diubah oleh #{} (catatan {})", m.path, by.proposal, by.seq),
        None => format!(": {} tidak seperti semula", m.path),
    });
    let others = moved.len().saturating_sub(1);
    let more = |en: &str, id: &str| if others > 0 { format!(", {en}{others}{id}") } else { String::new() };
    let (detail, said) = match awaits {
        Some(Awaits::InVain(other)) => (
            format!("#{number} continues a form of #{other} that was not applied: rebase #{number}."),
            format!(
                "#{number} melanjutkan bentuk #{other} yang tidak diterapkan: sesuaikan #{number} dengan versi terbaru."
            ),
        ),
        Some(Awaits::Waiting(other)) => (
            format!(
                "#{number} continues #{other}, which has not been applied yet: apply #{other} first, or rebase #{number}."
            ),
            format!(
                "#{number} melanjutkan #{other}, yang belum diterapkan: terapkan #{other} lebih dahulu, atau sesuaikan #{number} dengan versi terbaru."
            ),
        ),
        None => (
            format!("The base of #{number} has moved{first}{}.", more("and ", " more")),
            format!("Dasar #{number} sudah berubah{first_id}{}.", more("dan ", " lagi")),
        ),
    };
    Refusal::new(Code::ProposalStale, detail).said(said).with(|f| {
        f.proposal = Some(number);
        f.other = awaits.and_then(Awaits::waiting);
        f.state = Some(State::Waiting);
        f.moved = moved;
    })
}

/// Another proposal has had this effect.
pub fn already_done(number: u64, key: &str, other: u64, same_content: bool) -> Refusal {
    let (content, id) = if same_content { ("equal", "sama") } else { ("other", "lain") };
    Refusal::new(
        Code::EffectAlreadyDone,
        format!("The effect {key:?} of #{number} was already had by #{other}, with {content} content."),
    )
    .said(format!("Tindakan {key:?} dari #{number} sudah dilakukan oleh #{other}, dengan isi yang {id}."))
    .with(|f| {
        f.proposal = Some(number);
        f.other = Some(other);
        f.value = Some(key.to_owned());
        f.state = Some(State::Waiting);
        f.same_content = Some(same_content);
    })
}
