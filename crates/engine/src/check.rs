//! What `doctor` checks beyond the driver: the chain, the root, and that applied rows, entries and
//! versions say the same. Reads in short pages, so that writers go on and the log stays bounded.

use std::collections::HashSet;

use sekali_core::decide::Standing;
use sekali_core::hash::{Commitment, ContentHash, LeafHash};
use sekali_core::ledger::NO_PREV;
use sekali_core::revision::digest_of;
use sekali_core::tree::Frontier;
use sekali_core::{Op, ProposalId};
use sekali_store::{DocumentRow, EntryRow, Read, RoomRow, StoreError, VersionKey, read};
use serde::Deserialize;

use crate::{Engine, Failure};

/// Rows read in one snapshot.
const PAGE: u32 = 500;

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Rooms checked.
    pub rooms: u64,
    /// Entries checked.
    pub entries: u64,
    /// Documents checked.
    pub documents: u64,
    /// What is wrong; empty when sound.
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
    seq: u64,
    prev: String,
    proposal: u64,
    proposal_id: ProposalId,
    revision: u32,
    digest: String,
    #[serde(default)]
    changes: Vec<EntryChange>,
}

#[derive(Deserialize)]
struct EntryChange {
    op: Op,
    path: String,
    before: String,
    after: String,
}

impl Engine {
    /// Checks every room. Never writes. `progress` is told entries done and entries in all.
    ///
    /// # Errors
    /// What reading the store fails with. What is wrong is in the report.
    pub fn check(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Report, Failure> {
        let mut report = Report::default();
        let rooms = self.rooms()?;
        let mut total = 0;
        for room in &rooms {
            total += read(self.store(), |tx| tx.head(room.key))?.size;
        }
        for room in &rooms {
            let mut check = Check { room, report: &mut report };
            check.ledger(self, total, progress)?;
            check.documents(self)?;
            report.rooms += 1;
        }
        Ok(report)
    }
}

struct Check<'a> {
    room: &'a RoomRow,
    report: &'a mut Report,
}

impl Check<'_> {
    fn wrong(&mut self, code: &'static str, what: impl std::fmt::Display) {
        let detail = format!("Room {}: {what}.", self.room.slug);
        self.report.problems.push(Problem { code, detail });
    }

    fn ledger(
        &mut self,
        engine: &Engine,
        total: u64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Failure> {
        let key = self.room.key;
        let head = read(engine.store(), |tx| tx.head(key))?;
        let mut frontier = Frontier::default();
        let mut prev = NO_PREV;
        let mut applied = 0u64;
        let mut once = HashSet::new();
        while frontier.size() < head.size {
            let after = frontier.size();
            let page = read(engine.store(), |tx| -> Result<_, StoreError> {
                let mut rows = Vec::new();
                for row in tx.entries(key, after, PAGE)? {
                    let found = compare(tx, self.room, &row)?;
                    rows.push((row, found));
                }
                Ok(rows)
            })?;
            if page.is_empty() {
                self.wrong(
                    "ledger.cut",
                    format!("the ledger ends at entry {after}, but its head says {}", head.size),
                );
                break;
            }
            for (row, found) in
                page.into_iter().take(usize::try_from(head.size - after).unwrap_or(usize::MAX))
            {
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
                for what in found.problems {
                    self.wrong("ledger.rows", format!("entry {at}: {what}"));
                }
                if let Some(id) = found.applied {
                    applied += 1;
                    if !once.insert(id) {
                        self.wrong("ledger.twice", format!("entry {at} applies a proposal a second time"));
                    }
                }
                prev = row.leaf;
                frontier.append(&row.leaf);
                self.report.entries += 1;
                progress(self.report.entries, total);
            }
        }
        if frontier.size() == head.size && (frontier.root() != head.root || prev != head.prev) {
            self.wrong("ledger.root", "the root of the ledger is not the root of its entries");
        }
        // Rows that no entry speaks of would be changes outside the ledger.
        let now = read(engine.store(), |tx| tx.head(key))?;
        if now.size == head.size && applied != now.counts.applied {
            self.wrong(
                "applied.count",
                format!("{} proposals are applied, but {applied} entries say so", now.counts.applied),
            );
        }
        Ok(())
    }

    fn documents(&mut self, engine: &Engine) -> Result<(), Failure> {
        let key = self.room.key;
        let mut after: Option<String> = None;
        loop {
            // Contents may be large, so a page of documents is a page of one snapshot, one by one.
            let page = read(engine.store(), |tx| tx.documents(key, after.as_deref(), PAGE))?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            after = Some(last.path.key().to_owned());
            for row in page {
                let problem = read(engine.store(), |tx| document(tx, self.room, &row))?;
                if let Some(problem) = problem {
                    self.wrong("document.content", format!("{}: {problem}", row.path));
                }
                self.report.documents += 1;
            }
        }
    }
}

/// What one entry says, compared with the rows that were written with it.
struct Found {
    prev: Option<String>,
    applied: Option<ProposalId>,
    problems: Vec<String>,
}

fn compare(tx: &dyn Read, room: &RoomRow, row: &EntryRow) -> Result<Found, StoreError> {
    let Ok(entry) = serde_json::from_slice::<Entry>(&row.bytes) else {
        return Ok(Found {
            prev: None,
            applied: None,
            problems: vec!["its bytes cannot be read".to_owned()],
        });
    };
    let mut problems = Vec::new();
    if entry.seq != row.seq {
        problems.push(format!("it says that it is entry {}", entry.seq));
    }
    match tx.proposal_by_id(room.key, entry.proposal_id)? {
        Some(proposal) if proposal.number == entry.proposal => {}
        _ => problems.push(format!("its proposal #{} is not there", entry.proposal)),
    }
    match tx.revision(room.key, entry.proposal_id, entry.revision)? {
        Some(revision)
            if revision.digest.to_string() == entry.digest
                && digest_of(&revision.canonical) == revision.digest => {}
        _ => problems
            .push(format!("revision {} of #{} does not have its digest", entry.revision, entry.proposal)),
    }
    let applied = (entry.kind == "applied").then_some(entry.proposal_id);
    if applied.is_some() {
        match tx.standing(room.key, entry.proposal_id)? {
            Some(Standing::Applied(facts))
                if facts.seq == row.seq
                    && facts.digest.to_string() == entry.digest
                    && facts.leaf == row.leaf => {}
            _ => problems.push(format!("#{} is not applied by this entry", entry.proposal)),
        }
        for (ordinal, change) in (0u32..).zip(&entry.changes) {
            let version = tx.version(room.key, VersionKey { seq: row.seq, ordinal })?;
            let agrees = version.as_ref().is_some_and(|v| {
                v.op == change.op
                    && v.path.as_str() == change.path
                    && sekali_core::hash::or_absent(v.content.as_ref().map(|c| &c.commitment)) == change.after
                    && v.previous.is_some() == (change.before != sekali_core::hash::ABSENT)
            });
            if !agrees {
                problems.push(format!("the version of {} is missing or says something else", change.path));
            }
        }
    }
    Ok(Found { prev: Some(entry.prev), applied, problems })
}

fn document(tx: &dyn Read, room: &RoomRow, row: &DocumentRow) -> Result<Option<String>, StoreError> {
    // It may have been written since the page was read; then it will be checked another time.
    if tx.document(room.key, &row.path)?.as_ref() != Some(row) {
        return Ok(None);
    }
    let Some(version) = tx.version(room.key, row.version)? else {
        return Ok(Some("its version is missing".to_owned()));
    };
    if version.content.as_ref() != Some(&row.content) {
        return Ok(Some("its version says something else".to_owned()));
    }
    let content = tx.content(room.key, version.proposal, version.revision, version.version.ordinal)?;
    let Some(content) = content else {
        return Ok(Some("its content is missing".to_owned()));
    };
    let sound = ContentHash::of(&content.content) == row.content.hash
        && content.commitment == row.content.commitment
        && Commitment::of(&content.salt, &content.content) == row.content.commitment;
    Ok((!sound).then(|| "its content does not have its hash".to_owned()))
}
