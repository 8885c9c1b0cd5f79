//! What `doctor` checks by hashing: the chain and the root of the ledger, that each entry says what the
//! rows say that were written with it, that each revision has its digest, and that all content is what
//! was committed to. That rows agree with each other is the driver's to ask. Reads in short pages and
//! one content at a time, so that writers go on, the log stays bounded, and memory too.

use sekali_core::change::NetChange;
use sekali_core::code::Kind;
use sekali_core::decide::Standing;
use sekali_core::hash::{Digest, LeafHash};
use sekali_core::ledger::{Common, Decision, Draft, NO_PREV};
use sekali_core::revision::{Revision, digest_of};
use sekali_core::role::Seen;
use sekali_core::tree::Frontier;
use sekali_core::{ActorId, ActorKind, Door, ProposalId, RoomId, Timestamp};
use sekali_store::{
    DocumentRow, EntryRow, ProposalRow, Read, RevisionRow, RoomRow, StoreError, VersionKey, read,
};
use serde::Deserialize;

use crate::{Engine, Failure, is_sound};

/// Rows read in one snapshot.
const PAGE: u32 = 500;
/// Problems that are told; who has more has one problem.
const TOLD: usize = 1_000;
/// Numbers without a proposal that can be read, one after another, after which a head that counts more is not believed.
const MISSING: u64 = 1_000;

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Rooms checked.
    pub rooms: u64,
    /// Entries checked.
    pub entries: u64,
    /// Proposals checked.
    pub proposals: u64,
    /// Contents checked: of documents, of their older versions, and of what waits or was closed.
    pub contents: u64,
    /// Documents checked.
    pub documents: u64,
    /// What is wrong, at most a thousand and one; empty when sound.
    pub problems: Vec<Problem>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What programs branch on.
    pub code: &'static str,
    /// One English sentence, naming the room and the place.
    pub detail: String,
}

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

/// What is wrong with one thing: a code and the rest of a sentence.
type Wrong = Vec<(&'static str, String)>;

impl Engine {
    /// Checks every room. Never writes. `progress` is told how many entries and proposals are done,
    /// and how many there are.
    ///
    /// # Errors
    /// What reading the store fails with, but for damage: what is wrong is in the report.
    pub fn check(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Report, Failure> {
        let mut report = Report::default();
        let rooms = self.rooms()?;
        let mut total = 0u64;
        for room in &rooms {
            let mut check = Check { room, report: &mut report };
            if let Some(head) = check.readable("head", read(self.store(), |tx| tx.head(room.key)))? {
                total = total.saturating_add(head.size).saturating_add(proposals_of(&head.counts));
            }
        }
        for room in &rooms {
            let mut check = Check { room, report: &mut report };
            check.ledger(self, total, progress)?;
            check.proposals(self, total, progress)?;
            check.documents(self)?;
            report.rooms += 1;
        }
        Ok(report)
    }
}

fn proposals_of(counts: &sekali_store::Counts) -> u64 {
    [counts.open, counts.applied, counts.rejected, counts.withdrawn].into_iter().fold(0, u64::saturating_add)
}

struct Check<'a> {
    room: &'a RoomRow,
    report: &'a mut Report,
}

impl Check<'_> {
    fn wrong(&mut self, code: &'static str, what: impl std::fmt::Display) {
        let problems = &mut self.report.problems;
        if problems.len() < TOLD {
            problems.push(Problem { code, detail: format!("Room {}: {what}.", self.room.slug) });
        } else if problems.len() == TOLD {
            let detail = format!("More is wrong than the {TOLD} things that are listed.");
            problems.push(Problem { code: "more", detail });
        }
    }

    /// A row that cannot be read is damage like any other, and no reason to stop.
    fn readable<T>(
        &mut self,
        code: &'static str,
        result: Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.code.kind() == Kind::Corrupt => {
                self.wrong(code, error.detail.trim_end_matches('.'));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn step(&self, total: u64, progress: &mut dyn FnMut(u64, u64)) {
        progress(self.report.entries + self.report.proposals, total);
    }

    fn ledger(
        &mut self,
        engine: &Engine,
        total: u64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Failure> {
        let key = self.room.key;
        let Some(head) = self.readable("head", read(engine.store(), |tx| tx.head(key)))? else {
            return Ok(());
        };
        let mut frontier = Frontier::default();
        let mut prev = NO_PREV;
        let mut last_at = String::new();
        let mut applied = 0u64;
        while frontier.size() < head.size {
            let after = frontier.size();
            let rows = read(engine.store(), |tx| {
                let mut prev = prev;
                let mut rows = Vec::new();
                for row in tx.entries(key, after, PAGE)?.into_iter().take_while(|row| row.seq <= head.size) {
                    let found = entry(tx, self.room, &row, prev)?;
                    prev = row.leaf;
                    rows.push((row, found));
                }
                Ok(rows)
            });
            let Some(page) = self.readable("ledger.rows", rows)? else {
                return Ok(());
            };
            if page.is_empty() {
                self.wrong(
                    "ledger.cut",
                    format!("the ledger ends at entry {after}, but its head says {}", head.size),
                );
                break;
            }
            for (row, found) in page {
                let at = frontier.size() + 1;
                if row.seq != at {
                    self.wrong("ledger.gap", format!("entry {} stands where {at} should", row.seq));
                }
                if LeafHash::of(&row.bytes) != row.leaf {
                    self.wrong(
                        "ledger.leaf",
                        format!("the bytes of entry {at} do not have the leaf that is stored"),
                    );
                }
                if found.prev.as_deref() != Some(&prev.hex()) {
                    self.wrong("ledger.chain", format!("entry {at} does not name the leaf before it"));
                }
                // Three decimals and UTC: the order of the texts is the order of the times.
                if found.at < last_at {
                    self.wrong("ledger.time", format!("entry {at} is older than the one before it"));
                }
                for (code, what) in found.wrong {
                    self.wrong(code, format!("entry {at}: {what}"));
                }
                applied += u64::from(found.applied);
                last_at = found.at;
                prev = row.leaf;
                frontier.append(&row.leaf);
                self.report.entries += 1;
                self.step(total, progress);
            }
        }
        if frontier.size() == head.size && (frontier.root() != head.root || prev != head.prev) {
            self.wrong("ledger.root", "the root of the ledger is not the root of its entries");
        }
        // Rows that no entry speaks of would be changes outside the ledger.
        if frontier.size() == head.size && applied != head.counts.applied {
            self.wrong(
                "applied.count",
                format!("{} proposals are applied, but {applied} entries say so", head.counts.applied),
            );
        }
        Ok(())
    }

    fn proposals(
        &mut self,
        engine: &Engine,
        total: u64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Failure> {
        let key = self.room.key;
        let Some(head) = self.readable("head", read(engine.store(), |tx| tx.head(key)))? else {
            return Ok(());
        };
        let counted = proposals_of(&head.counts);
        let (mut number, mut missing) = (1, 0);
        while missing < MISSING {
            let found = read(engine.store(), |tx| proposal(tx, self.room, number));
            match self.readable("proposal.rows", found)? {
                Some(Some(found)) => {
                    for (code, what) in found.wrong {
                        self.wrong(code, what);
                    }
                    self.report.contents += found.contents;
                    self.report.proposals += 1;
                    missing = 0;
                }
                None | Some(None) if number > counted => break,
                // It is there, perhaps, but cannot be read.
                None => missing += 1,
                Some(None) => {
                    self.wrong("proposal.missing", format!("#{number} is not there"));
                    missing += 1;
                }
            }
            number += 1;
            self.step(total, progress);
        }
        Ok(())
    }

    fn documents(&mut self, engine: &Engine) -> Result<(), Failure> {
        let key = self.room.key;
        let mut after: Option<String> = None;
        loop {
            let rows = read(engine.store(), |tx| {
                let mut rows = Vec::new();
                for row in tx.documents(key, after.as_deref(), PAGE)? {
                    let wrong = document(tx, self.room, &row)?;
                    rows.push((row.path, wrong));
                }
                Ok(rows)
            });
            let Some(page) = self.readable("document.rows", rows)? else {
                return Ok(());
            };
            let Some((last, _)) = page.last() else {
                return Ok(());
            };
            after = Some(last.key().to_owned());
            for (path, wrong) in page {
                if let Some(what) = wrong {
                    self.wrong("document.version", format!("{path}: {what}"));
                }
                self.report.documents += 1;
            }
        }
    }
}

/// What one entry says, compared with the rows that were written with it.
struct FoundEntry {
    prev: Option<String>,
    at: String,
    /// It is the entry of an applied proposal.
    applied: bool,
    wrong: Wrong,
}

fn entry(tx: &dyn Read, room: &RoomRow, row: &EntryRow, prev: LeafHash) -> Result<FoundEntry, StoreError> {
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
    before: &[Option<sekali_core::Commitment>],
) -> bool {
    // A number that no entry may have is not spliced into one.
    row.seq <= sekali_core::limit::SAFE_INTEGER.unsigned_abs()
        && draft.splice(row.seq, &prev, at, before) == row.bytes
}

/// What was found of one proposal.
struct FoundProposal {
    contents: u64,
    wrong: Wrong,
}

fn proposal(tx: &dyn Read, room: &RoomRow, number: u64) -> Result<Option<FoundProposal>, StoreError> {
    let Some(row) = tx.proposal(room.key, number)? else {
        return Ok(None);
    };
    let mut found = FoundProposal { contents: 0, wrong: Wrong::new() };
    let standing = tx.standing(room.key, row.id)?;
    let (latest, by) = match &standing {
        None => {
            found.wrong.push(("proposal.state", format!("#{number} is neither waiting nor decided")));
            (u32::MAX, None)
        }
        Some(Standing::Open(open)) => (open.revision, None),
        Some(Standing::Applied(facts)) => (facts.revision, Some((facts.seq, "applied"))),
        Some(Standing::Closed(facts)) => (facts.revision, Some((facts.seq, facts.state.as_str()))),
    };
    if let Some((seq, kind)) = by
        && !says(tx, room, seq, kind, row.id)?
    {
        found.wrong.push(("ledger.missing", format!("#{number} is {kind}, but entry {seq} does not say so")));
    }
    for revision in 1..=latest {
        match tx.revision(room.key, row.id, revision)? {
            Some(row_of) => check_revision(tx, room, &row, &row_of, &mut found)?,
            // Where it stands is not known, so neither is how many it should have.
            None if standing.is_none() => break,
            None => {
                let what = format!("revision {revision} of #{number} is not there");
                found.wrong.push(("revision.missing", what));
                break;
            }
        }
    }
    if latest < u32::MAX && tx.revision(room.key, row.id, latest + 1)?.is_some() {
        found
            .wrong
            .push(("revision.latest", format!("#{number} has a later revision than the one it stands with")));
    }
    if let Some(Standing::Open(open)) = &standing
        && let Some(revision) = tx.revision(room.key, row.id, open.revision)?
        && (revision.digest, revision.valid_until) != (open.digest, open.valid_until)
    {
        found
            .wrong
            .push(("open.digest", format!("#{number} waits with another digest than its revision has")));
    }
    Ok(Some(found))
}

/// An entry says that a proposal was decided so.
fn says(tx: &dyn Read, room: &RoomRow, seq: u64, kind: &str, id: ProposalId) -> Result<bool, StoreError> {
    let Some(after) = seq.checked_sub(1) else {
        return Ok(false);
    };
    let entries = tx.entries(room.key, after, 1)?;
    Ok(entries.first().filter(|row| row.seq == seq).is_some_and(|row| {
        serde_json::from_slice::<Entry>(&row.bytes)
            .is_ok_and(|entry| entry.kind == kind && entry.proposal_id == id)
    }))
}

/// The stored bytes have the digest, the rows would be written as those bytes, and the content of each
/// change is what was committed to.
fn check_revision(
    tx: &dyn Read,
    room: &RoomRow,
    proposal: &ProposalRow,
    row: &RevisionRow,
    found: &mut FoundProposal,
) -> Result<(), StoreError> {
    let named = format!("revision {} of #{}", row.revision, proposal.number);
    if digest_of(&row.canonical) != row.digest {
        found.wrong.push(("revision.digest", format!("the bytes of {named} do not have its digest")));
    }
    let changes: Vec<NetChange> =
        tx.changes(room.key, proposal.id, row.revision)?.into_iter().map(|c| c.change).collect();
    let whole = Revision {
        room: room.id,
        proposal: proposal.id,
        revision: row.revision,
        title: row.title.clone(),
        why: row.why.clone(),
        author: row.author,
        valid_until: row.valid_until,
        effect_keys: row.effect_keys.clone(),
        changes,
    };
    if whole.canonical().as_bytes() != row.canonical {
        found
            .wrong
            .push(("revision.rows", format!("the rows of {named} say something else than its digest")));
    }
    for (ordinal, change) in (0u32..).zip(&whole.changes) {
        let content = tx.content(room.key, proposal.id, row.revision, ordinal)?;
        match (&change.after, content) {
            (Some(after), Some(content)) => {
                found.contents += 1;
                if !is_sound(&content, after) {
                    let what =
                        format!("the content of {} in {named} is not what was committed to", change.path);
                    found.wrong.push(("content.commitment", what));
                }
            }
            (Some(_), None) => found
                .wrong
                .push(("content.missing", format!("the content of {} in {named} is not there", change.path))),
            (None, Some(_)) => found.wrong.push((
                "content.commitment",
                format!("{named} takes {} away and has content for it", change.path),
            )),
            (None, None) => {}
        }
    }
    Ok(())
}

fn document(tx: &dyn Read, room: &RoomRow, row: &DocumentRow) -> Result<Option<String>, StoreError> {
    let Some(version) = tx.version(room.key, row.version)? else {
        return Ok(Some("its version is missing".to_owned()));
    };
    let agrees = version.path == row.path && version.content.as_ref() == Some(&row.content);
    Ok((!agrees).then(|| "its version says something else".to_owned()))
}
