//! The content that a change is based on: current, in history, or waiting in the proposal that this
//! one was split from.

use std::collections::HashSet;

use sekali_core::change::{NetChange, Version};
use sekali_core::decide::{Awaits, Displaced, Standing};
use sekali_core::hash::{Commitment, ContentHash};
use sekali_core::resolve::{Current, Home, Snapshot};
use sekali_core::{DocPath, Op, ProposalId};
use sekali_store::{
    ChangeRow, DocumentRow, LinkKind, Read, RoomKey, RoomRow, StoreError, VersionKey, VersionRow,
};

use crate::look::{content_at, history};
use crate::submit::prepare::kept;
use crate::submit::{FOLDER_PAGE, content_of, lost_revision};
use crate::{Failure, sound, sound_while};

/// The content of a version that a document at this path has, or had, or will have once the proposal
/// that `of` was split from is applied. `None` where it is no longer kept.
pub(crate) fn content_of_version(
    tx: &dyn Read,
    room: &RoomRow,
    path: &DocPath,
    version: &Version,
    of: Option<ProposalId>,
) -> Result<Option<Vec<u8>>, Failure> {
    if let Some(document) = tx.document(room.key, path)?
        && document.content.hash == version.hash
    {
        return content_of(tx, room, &document).map(Some);
    }
    let is_it = |row: &VersionRow| row.content.as_ref().is_some_and(|c| c.hash == version.hash);
    if let Some(row) = history(tx, room, path, |row| is_it(&row).then_some(row))?
        && let Some(content) = content_at(tx, room, &row)?
    {
        return Ok(Some(content));
    }
    match of {
        Some(of) => in_sibling(tx, room, version, of),
        None => Ok(None),
    }
}

/// The proposal that `of` was split from.
pub(crate) fn split_from(
    tx: &dyn Read,
    room: RoomKey,
    of: ProposalId,
) -> Result<Option<(ProposalId, u64)>, StoreError> {
    let links = tx.links(room, of)?;
    let from = links.into_iter().find(|link| link.kind == LinkKind::SplitFrom && link.outgoing);
    Ok(from.map(|link| (link.other, link.number)))
}

/// The proposal that `of` was split from, where what `of` expects is what that one would leave: it has not
/// moved, it has not come yet, or never will. `changes` are those of `of`. A revision that leaves the same
/// under another commitment will do: Apply compares what is there.
pub(crate) fn awaited<'c>(
    tx: &dyn Read,
    room: RoomKey,
    of: ProposalId,
    changes: impl IntoIterator<Item = &'c NetChange>,
    moved: &[Displaced],
) -> Result<Option<Awaits>, StoreError> {
    if moved.is_empty() {
        return Ok(None);
    }
    let missing: HashSet<&Commitment> = moved.iter().filter_map(|moved| moved.expected.as_ref()).collect();
    let expected = |change: &'c NetChange| {
        let base = change.base.as_ref().filter(|base| missing.contains(&base.commitment))?;
        Some((change.from.as_ref().unwrap_or(&change.path).key(), base.hash, base.mode))
    };
    let expected: HashSet<_> = changes.into_iter().filter_map(expected).collect();
    let mut in_vain = None;
    for (other, number) in ancestors(tx, room, of)? {
        let standing = tx.standing(room, other)?;
        let open = match &standing {
            Some(Standing::Open(open)) => Some(open.revision),
            // What it left has been there.
            Some(Standing::Applied(_)) | None => continue,
            Some(Standing::Closed(_)) => None,
        };
        for revision in tx.revisions(room, other)?.into_iter().rev() {
            let comes = |row: &ChangeRow| {
                let NetChange { path, after, .. } = &row.change;
                after.as_ref().is_some_and(|after| {
                    missing.contains(&after.commitment)
                        || expected.contains(&(path.key(), after.hash, after.mode))
                })
            };
            if tx.changes(room, other, revision.revision)?.iter().any(comes) {
                if open == Some(revision.revision) {
                    return Ok(Some(Awaits::Waiting(number)));
                }
                in_vain.get_or_insert(Awaits::InVain(number));
            }
        }
    }
    Ok(in_vain)
}

/// The same content in a revision of the proposal that `of` was split from.
fn in_sibling(
    tx: &dyn Read,
    room: &RoomRow,
    version: &Version,
    of: ProposalId,
) -> Result<Option<Vec<u8>>, Failure> {
    for (other, _) in ancestors(tx, room.key, of)? {
        for revision in tx.revisions(room.key, other)?.into_iter().rev() {
            let changes = tx.changes(room.key, other, revision.revision)?;
            for (ordinal, row) in (0u32..).zip(changes) {
                let it = row.change.after.filter(|after| after.commitment == version.commitment);
                let Some(after) = it else { continue };
                let content = tx.content(room.key, other, revision.revision, ordinal)?;
                return Ok(content.map(|content| sound(content, &after, &row.change.path)).transpose()?);
            }
        }
    }
    Ok(None)
}

/// The proposals that `of` was split from, the nearest first.
fn ancestors(tx: &dyn Read, room: RoomKey, of: ProposalId) -> Result<Vec<(ProposalId, u64)>, StoreError> {
    let mut found: Vec<(ProposalId, u64)> = Vec::new();
    let mut next = split_from(tx, room, of)?;
    while let Some(one) = next {
        // A damaged link may lead back.
        if one.0 == of || found.iter().any(|known| known.0 == one.0) {
            break;
        }
        found.push(one);
        next = split_from(tx, room, one.0)?;
    }
    Ok(found)
}

/// The room's documents in the snapshot that changes are resolved on.
pub(crate) struct InRoom<'a> {
    pub(crate) tx: &'a dyn Read,
    pub(crate) room: &'a RoomRow,
    /// The proposal whose changes they are, where it is there already.
    pub(crate) of: Option<ProposalId>,
}

/// What became of a document.
struct Trail {
    /// The paths that it has had since.
    places: Vec<DocPath>,
    end: End,
}

enum End {
    /// It stands there.
    At(DocPath),
    /// It was deleted by this version.
    Deleted(VersionKey),
    /// Nothing is known of it.
    Unknown,
}

impl InRoom<'_> {
    /// Where the document is that a proposal, from which this one was split, makes this version of; `None`
    /// where none does. Until that one is applied, the document is as it was.
    fn of_sibling(&mut self, was: &Version) -> Result<Option<Home>, Failure> {
        let Some(of) = self.of else { return Ok(None) };
        for (other, _) in ancestors(self.tx, self.room.key, of)? {
            for revision in self.tx.revisions(self.room.key, other)? {
                let changes = self.tx.changes(self.room.key, other, revision.revision)?;
                let makes = |row: &ChangeRow| {
                    row.change.after.as_ref().is_some_and(|after| after.commitment == was.commitment)
                };
                let Some(row) = changes.into_iter().find(makes) else { continue };
                let at = row.change.from.as_ref().unwrap_or(&row.change.path);
                if let Some(base) = row.change.base {
                    // Each is of a proposal further back.
                    let mut further = InRoom { of: Some(other), ..*self };
                    return Ok(Some(further.home(at, &base)?));
                }
                // What is created is not divided.
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The paths that the document has had since it was this version at a path.
    pub(crate) fn places(&self, path: &DocPath, was: &Commitment) -> Result<Vec<DocPath>, StoreError> {
        Ok(self.trail(path, was)?.places)
    }

    /// What became of the document that was this version at a path.
    fn trail(&self, path: &DocPath, was: &Commitment) -> Result<Trail, StoreError> {
        let mut others = HashSet::new();
        let mut places = vec![path.clone()];
        let mut last = None;
        loop {
            let at = places.last().expect("it begins with one");
            if let Some(document) = self.tx.document(self.room.key, at)? {
                let it = document.content.commitment == *was
                    || self.was_before(document.version, was, &mut others)?;
                if it {
                    return Ok(Trail { places, end: End::At(document.path) });
                }
            }
            // Each departure is later than the one before, in a store that is not damaged.
            match self.departure_of(at, was, &mut others)?.filter(|row| Some(row.version) > last) {
                None => return Ok(Trail { places, end: End::Unknown }),
                Some(row) if row.op == Op::Rename => {
                    last = Some(row.version);
                    places.push(row.path);
                }
                Some(row) => return Ok(Trail { places, end: End::Deleted(row.version) }),
            }
        }
    }

    /// Whether a version, or one before it, is this one. `others` are those of which it is known that they
    /// are not; a damaged chain may lead back into itself.
    fn was_before(
        &self,
        version: VersionKey,
        was: &Commitment,
        others: &mut HashSet<VersionKey>,
    ) -> Result<bool, StoreError> {
        let mut looked = HashSet::new();
        let mut next = Some(version);
        while let Some(key) = next.filter(|key| !others.contains(key) && looked.insert(*key)) {
            let Some(row) = self.tx.version(self.room.key, key)? else { break };
            if row.content.is_some_and(|content| content.commitment == *was) {
                return Ok(true);
            }
            next = row.previous;
        }
        others.extend(looked);
        Ok(false)
    }

    /// Where the document stands that a proposal of these made in place of one that was deleted at a path.
    pub(crate) fn remade(
        &self,
        path: &DocPath,
        deleted: VersionKey,
        by: &HashSet<ProposalId>,
    ) -> Result<Option<DocPath>, StoreError> {
        let (mut path, mut deleted) = (path.clone(), deleted);
        let (mut looked, mut theirs) = (HashSet::new(), false);
        while let Some((made, maker)) = self.made_anew(&path, deleted)? {
            if !looked.insert(made) {
                break;
            }
            theirs |= by.contains(&maker);
            let Trail { mut places, end } = self.trail(&path, &made)?;
            match end {
                End::At(at) => return Ok(theirs.then_some(at)),
                End::Deleted(by) => (path, deleted) = (places.pop().expect("it begins with one"), by),
                End::Unknown => break,
            }
        }
        Ok(None)
    }

    /// The first version of the document that was next made at a path once one was deleted, and by whom.
    fn made_anew(
        &self,
        path: &DocPath,
        deleted: VersionKey,
    ) -> Result<Option<(Commitment, ProposalId)>, StoreError> {
        let since = |key: &VersionKey| key.seq >= deleted.seq && *key != deleted;
        let mut first: Option<(VersionKey, (Commitment, ProposalId))> = None;
        let mut looked = HashSet::new();
        let mut start = self.tx.document(self.room.key, path)?.map(|document| document.version);
        let mut departed = None;
        loop {
            let mut next = start;
            while let Some(key) = next.filter(|key| since(key) && looked.insert(*key)) {
                let Some(row) = self.tx.version(self.room.key, key)? else { break };
                next = row.previous;
                if let (Op::Create, Some(content)) = (row.op, row.content)
                    && row.path.key() == path.key()
                    && first.is_none_or(|(earliest, _)| key < earliest)
                {
                    first = Some((key, (content.commitment, row.proposal)));
                }
            }
            departed = self.tx.departed(self.room.key, path, departed)?.filter(since);
            if departed.is_none() {
                return Ok(first.map(|(_, made)| made));
            }
            start = departed;
        }
    }

    /// How the document that was this version has last left a path.
    fn departure_of(
        &self,
        path: &DocPath,
        was: &Commitment,
        others: &mut HashSet<VersionKey>,
    ) -> Result<Option<VersionRow>, StoreError> {
        let mut departed = self.tx.departed(self.room.key, path, None)?;
        while let Some(key) = departed {
            if self.was_before(key, was, others)? {
                return self.tx.version(self.room.key, key);
            }
            departed = self.tx.departed(self.room.key, path, Some(key))?;
        }
        Ok(None)
    }
}

impl Snapshot<Failure> for InRoom<'_> {
    fn at(&mut self, path: &DocPath) -> Result<Option<Current>, Failure> {
        Ok(self.tx.document(self.room.key, path)?.map(current))
    }

    fn once(&mut self, path: &DocPath, content: &ContentHash) -> Result<Option<Current>, Failure> {
        let live = self.tx.document(self.room.key, path)?.map(|row| row.path);
        let found = history(self.tx, self.room, path, |row| row.content.filter(|c| c.hash == *content))?;
        Ok(found.map(|version| Current { path: live.unwrap_or_else(|| path.clone()), version }))
    }

    fn home(&mut self, path: &DocPath, was: &Version) -> Result<Home, Failure> {
        let Trail { places, end } = self.trail(path, &was.commitment)?;
        let mut deleted = match end {
            End::At(path) => return Ok(Home::At(path)),
            End::Deleted(by) => vec![(by, places)],
            // Of what its proposal was split from: it is of the document that the first part is of.
            End::Unknown => match self.of_sibling(was)? {
                Some(home) => return Ok(home),
                None => Vec::new(),
            },
        };
        // What holds the very same is what Apply would take it for.
        let same =
            |document: &DocumentRow| (document.content.hash, document.content.mode) == (was.hash, was.mode);
        if let Some(document) = self.tx.document(self.room.key, path)?.filter(same) {
            return Ok(Home::Instead(document.path));
        }
        // Made anew where the change was made, or where it went from there; perhaps deleted again.
        let mut looked = HashSet::new();
        while let Some((by, places)) = deleted.pop() {
            let mut again = Vec::new();
            for place in places {
                let Some((made, _)) = self.made_anew(&place, by)?.filter(|(made, _)| looked.insert(*made))
                else {
                    continue;
                };
                let Trail { places, end } = self.trail(&place, &made)?;
                match end {
                    End::At(path) => return Ok(Home::Instead(path)),
                    End::Deleted(by) => again.push((by, places)),
                    End::Unknown => {}
                }
            }
            deleted.extend(again.into_iter().rev());
        }
        Ok(Home::Gone)
    }

    fn content(&mut self, of: &Current) -> Result<Vec<u8>, Failure> {
        let found = content_of_version(self.tx, self.room, &of.path, &of.version, self.of)?;
        Ok(found.ok_or_else(lost_revision)?)
    }

    fn with_content(&mut self, of: &Current, work: &mut dyn FnMut(&[u8])) -> Result<(), Failure> {
        let document = self.tx.document(self.room.key, &of.path)?;
        let Some(document) = document.filter(|document| document.content.hash == of.version.hash) else {
            work(&self.content(of)?);
            return Ok(());
        };
        let content = kept(self.tx, self.room, &document)?;
        Ok(sound_while(&content, &document.content, &document.path, || work(&content.content))?)
    }

    fn above(&mut self, path: &DocPath) -> Result<Option<Current>, Failure> {
        Ok(self.tx.above(self.room.key, path)?.map(current))
    }

    fn below(&mut self, path: &DocPath, after: Option<&DocPath>) -> Result<Vec<Current>, Failure> {
        let rows = self.tx.below(self.room.key, path, after, FOLDER_PAGE)?;
        Ok(rows.into_iter().map(current).collect())
    }
}

fn current(row: DocumentRow) -> Current {
    Current { path: row.path, version: row.content }
}
