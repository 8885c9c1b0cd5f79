//! Everything that can be read of a store, as text: two stores with the same text hold the same.
//! Left out is what each store may choose: room keys, `change_seq`, and the reservations, which can
//! only be asked for by name.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sekali_core::{DocPath, ProposalId, State};

use super::fixture::Result;
use crate::error::StoreError;
use crate::rows::{
    CommentRow, DocumentRow, EntryRow, Layer, ListQuery, ListedRow, RepeatRow, RoomKey, VersionKey,
};
use crate::verbs::Read;

/// Rows of a page: small, so that reading everything turns many pages.
const PAGE: u32 = 7;
/// How many of those that name an effect are compared: a store may name no more.
const NAMED: usize = 8;

/// Reads everything.
///
/// # Errors
/// What the store fails with.
pub fn dump(tx: &dyn Read) -> std::result::Result<String, StoreError> {
    let mut out = String::new();
    for room in tx.rooms()? {
        line(&mut out, "room", &(room.id, &room.slug, &room.title, room.created_at));
        Room { tx, key: room.key, out: &mut out }.write()?;
    }
    Ok(out)
}

/// Turns pages to the last one; each turn is given the last row so far.
pub(super) fn pages<T>(limit: u32, mut turn: impl FnMut(Option<&T>) -> Result<Vec<T>>) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    loop {
        let page = turn(rows.last())?;
        if page.is_empty() {
            return Ok(rows);
        }
        assert!(page.len() <= limit as usize, "a page has at most its limit");
        rows.extend(page);
        assert!(rows.len() < 10_000, "a cursor that stands still would turn pages for ever");
    }
}

fn line(out: &mut String, what: &str, row: &dyn std::fmt::Debug) {
    let _ = writeln!(out, "{what} {row:?}");
}

struct Room<'a> {
    tx: &'a dyn Read,
    key: RoomKey,
    out: &'a mut String,
}

impl Room<'_> {
    fn line(&mut self, what: &str, row: &dyn std::fmt::Debug) {
        line(self.out, what, row);
    }

    fn write(mut self) -> Result<()> {
        let (tx, room) = (self.tx, self.key);
        let clock = tx.now(room)?;
        let head = tx.head(room)?;
        let tree = sekali_core::LeafHash::from_bytes(head.root);
        self.line("now", &(clock, tx.count_expired(room, clock)?));
        self.line("head", &(head.size, tree, head.prev, head.last_at, head.counts));
        for actor in tx.actors(room)? {
            self.line("actor", &actor);
        }
        let mut paths = BTreeSet::new();
        let mut versions = BTreeSet::new();
        self.documents(&mut paths, &mut versions)?;
        for row in self.list(None, true)? {
            self.proposal(row.id, &mut paths)?;
        }
        for state in std::iter::once(None).chain(State::ALL.iter().copied().map(Some)) {
            for clock in [true, false] {
                let rows = self.list(state, clock)?;
                self.line("list", &(state, clock));
                for row in rows {
                    self.line("  row", &row);
                }
            }
        }
        self.history(&paths, versions)?;
        self.entries()?;
        self.evidence()
    }

    fn list(&self, state: Option<State>, clock: bool) -> Result<Vec<ListedRow>> {
        let now = clock.then_some(self.tx.now(self.key)?.at);
        pages(PAGE, |last: Option<&ListedRow>| {
            let before = last.map(|row| row.id);
            self.tx.list(self.key, ListQuery { state, before, now, limit: PAGE })
        })
    }

    fn proposal(&mut self, id: ProposalId, paths: &mut BTreeSet<DocPath>) -> Result<()> {
        let (tx, room) = (self.tx, self.key);
        let row = tx.proposal_by_id(room, id)?;
        let by_number = row.as_ref().map(|row| tx.proposal(room, row.number)).transpose()?;
        self.line("proposal", &(&row, by_number == Some(row.clone())));
        self.line("  standing", &tx.standing(room, id)?);
        for link in tx.links(room, id)? {
            self.line("  link", &link);
        }
        self.line("  talk", &tx.talk(room, id)?);
        let comments = pages(PAGE, |last: Option<&CommentRow>| {
            tx.comments(room, id, last.map_or(0, |row| row.number), PAGE)
        })?;
        for comment in comments {
            let found = tx.comment_by_id(room, comment.id)?;
            self.line("  comment", &(&comment, found.map(|found| (found.proposal, found.row == comment))));
        }
        for revision in tx.revisions(room, id)? {
            let number = revision.revision;
            self.line("  revision", &(&revision, tx.revision(room, id, number)?.as_ref() == Some(&revision)));
            for submitted in tx.submitted(room, id, number)? {
                self.line("  submitted", &submitted);
            }
            let similar = tx.similar(room, &revision.content_fingerprint, Some(id))?;
            self.line("  similar", &(similar, tx.similar(room, &revision.content_fingerprint, None)?));
            for key in &revision.effect_keys {
                let mut naming = tx.naming_effect(room, key, id)?;
                naming.truncate(NAMED);
                self.line("  effect", &(key, tx.effect(room, key)?, naming));
            }
            for (ordinal, change) in (0..).zip(tx.changes(room, id, number)?) {
                let content = tx.content(room, id, number, ordinal)?;
                self.line(
                    "  change",
                    &(&change, content.map(|c| (*c.salt.as_bytes(), c.commitment, c.content))),
                );
                paths.extend(change.change.from);
                paths.insert(change.change.path);
            }
        }
        Ok(())
    }

    fn documents(
        &mut self,
        paths: &mut BTreeSet<DocPath>,
        versions: &mut BTreeSet<VersionKey>,
    ) -> Result<()> {
        let rows = pages(PAGE, |last: Option<&DocumentRow>| {
            self.tx.documents(self.key, last.map(|row| row.path.key()), PAGE)
        })?;
        for document in rows {
            let found = self.tx.document(self.key, &document.path)?;
            self.line("document", &(&document, found.as_ref() == Some(&document)));
            versions.insert(document.version);
            paths.insert(document.path);
        }
        Ok(())
    }

    /// Where documents went, and the versions of what is here and of what went, back to the first.
    fn history(&mut self, paths: &BTreeSet<DocPath>, mut versions: BTreeSet<VersionKey>) -> Result<()> {
        for path in paths {
            let mut before = None;
            while let Some(departed) = self.tx.departed(self.key, path, before)? {
                self.line("departed", &(path, departed));
                versions.insert(departed);
                before = Some(departed);
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(key) = versions.pop_last() {
            let version = self.tx.version(self.key, key)?;
            self.line("version", &(key, &version));
            seen.insert(key);
            versions.extend(version.and_then(|v| v.previous).filter(|key| !seen.contains(key)));
        }
        Ok(())
    }

    fn entries(&mut self) -> Result<()> {
        let rows = pages(PAGE, |last: Option<&EntryRow>| {
            self.tx.entries(self.key, last.map_or(0, |row| row.seq), PAGE)
        })?;
        for entry in rows {
            self.line("entry", &(entry.seq, entry.leaf, String::from_utf8_lossy(&entry.bytes)));
        }
        Ok(())
    }

    fn evidence(&mut self) -> Result<()> {
        let (tx, room) = (self.tx, self.key);
        let rows = pages(PAGE, |last: Option<&RepeatRow>| tx.repeats(room, last.map(RepeatRow::mark), PAGE))?;
        for row in rows {
            let found = tx.repeat_of(room, row.layer, row.source, &row.key)?;
            self.line("repeat", &(&row, found.as_ref() == Some(&row)));
            for attempt in tx.attempts(room, row.layer, row.source, &row.key)? {
                self.line("  attempt", &attempt);
            }
        }
        for layer in [Layer::Apply, Layer::Key, Layer::Effect] {
            assert_eq!(tx.repeat_of(room, layer, [0xEE; 16], b"nobody asked")?, None);
        }
        Ok(())
    }
}
