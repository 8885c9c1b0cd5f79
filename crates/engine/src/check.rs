//! What `doctor` checks by hashing: the chain and the root of the ledger, that each entry says what the
//! rows say that were written with it, that each revision has its digest, and that all content is what
//! was committed to. That rows agree with each other is the driver's to ask. Reads in short pages and
//! one content at a time, so that writers go on, the log stays bounded, and memory too.

mod entries;
mod proposals;

use sekali_core::code::Kind;
use sekali_core::hash::LeafHash;
use sekali_core::ledger::NO_PREV;
use sekali_core::tree::Frontier;
use sekali_store::{DocumentRow, HeadRow, Read, RoomRow, StoreError, read};

use crate::{Engine, Failure};

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
            if let Some(head) = check.head(self)? {
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

    /// The room's head. Of one that cannot be read, the rest of the room cannot be either.
    fn head(&mut self, engine: &Engine) -> Result<Option<HeadRow>, StoreError> {
        let head = read(engine.store(), |tx| tx.head(self.room.key));
        self.readable("head", head)
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
        let Some(head) = self.head(engine)? else { return Ok(()) };
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
                    let found = entries::entry(tx, self.room, &row, prev)?;
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
        let Some(head) = self.head(engine)? else { return Ok(()) };
        let counted = proposals_of(&head.counts);
        let (mut number, mut missing) = (1, 0);
        while missing < MISSING {
            let found = read(engine.store(), |tx| proposals::proposal(tx, self.room, number));
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

fn document(tx: &dyn Read, room: &RoomRow, row: &DocumentRow) -> Result<Option<String>, StoreError> {
    let Some(version) = tx.version(room.key, row.version)? else {
        return Ok(Some("its version is missing".to_owned()));
    };
    let agrees = version.path == row.path && version.content.as_ref() == Some(&row.content);
    Ok((!agrees).then(|| "its version says something else".to_owned()))
}
