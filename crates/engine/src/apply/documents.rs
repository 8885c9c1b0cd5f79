//! What Apply does to documents: each is written only where it is what the change was based on, and
//! where one is not, every one that has moved is named (P3).

use std::collections::HashSet;

use sekali_core::change::{NetChange, Op, Version};
use sekali_core::decide::{self, Displaced};
use sekali_core::hash::Commitment;
use sekali_core::{DocPath, Refusal};
use sekali_store::{
    DocumentRow, NewDocument, Read, Replaced, RoomKey, StoreError, VersionKey, VersionRow, Write,
};

use super::{Plan, Waiting};
use crate::bases::awaited;
use crate::submit::FOLDER_PAGE;

/// Writes every change where the document is what the change was based on; `None` as soon as one
/// is not. What goes away goes first, so that renames may swap or follow each other.
pub(super) fn write_documents(
    tx: &mut dyn Write,
    plan: &Plan,
    waiting: &Waiting,
    seq: u64,
) -> Result<Option<Vec<Option<Commitment>>>, StoreError> {
    let mut replaced: Vec<Option<Replaced>> = vec![None; waiting.changes.len()];
    for ((ordinal, change), slot) in (0u32..).zip(&waiting.changes).zip(&mut replaced) {
        let version = VersionKey { seq, ordinal };
        let Some(base) = &change.base else { continue };
        let written = match (change.op, &change.after) {
            (Op::Replace, Some(after)) => tx.replace_document(
                plan.room,
                base,
                &NewDocument { path: &change.path, version, content: after },
            )?,
            _ => tx.take_document(plan.room, change.from.as_ref().unwrap_or(&change.path), base, version)?,
        };
        if written.is_none() {
            return Ok(None);
        }
        *slot = written;
    }
    for ((ordinal, change), replaced) in (0u32..).zip(&waiting.changes).zip(&replaced) {
        let version = VersionKey { seq, ordinal };
        if let (Op::Create | Op::Rename, Some(after)) = (change.op, &change.after)
            && !tx.create_document(plan.room, &NewDocument { path: &change.path, version, content: after })?
        {
            return Ok(None);
        }
        tx.insert_version(
            plan.room,
            &VersionRow {
                version,
                op: change.op,
                path: change.path.clone(),
                from: change.from.clone(),
                proposal: plan.id,
                revision: waiting.open.revision,
                content: change.after.clone(),
                previous: replaced.map(|r| r.version),
            },
        )?;
    }
    Ok(Some(replaced.iter().map(|r| r.map(|r| r.commitment)).collect()))
}

/// Names every document that has moved, as it was before this transaction touched any.
pub(super) fn stale(tx: &dyn Read, plan: &Plan, waiting: &Waiting) -> Result<Refusal, StoreError> {
    // Documents that this transaction has written itself carry its own version.
    let own = tx.head(plan.room)?.size + 1;
    let displaced = displaced(tx, plan.room, &waiting.changes, Some(own))?;
    let awaits = awaited(tx, plan.room, plan.id, &waiting.changes, &displaced)?;
    Ok(decide::stale(plan.number, &displaced, awaits))
}

/// The changes whose documents are not what they were based on. Documents written by entry `own`
/// are this transaction's own and count as their base.
pub(crate) fn displaced(
    tx: &dyn Read,
    room: RoomKey,
    changes: &[NetChange],
    own: Option<u64>,
) -> Result<Vec<Displaced>, StoreError> {
    let mut found = Vec::new();
    let is_own = |version: VersionKey| Some(version.seq) == own;
    let left: HashSet<&str> = changes
        .iter()
        .filter_map(|c| match c.op {
            Op::Rename => c.from.as_ref(),
            Op::Delete => Some(&c.path),
            _ => None,
        })
        .map(DocPath::key)
        .collect();
    // What these changes take away, or have written themselves, is in nobody's way.
    let stands = |row: &DocumentRow| !is_own(row.version) && !left.contains(row.path.key());
    for change in changes {
        let at = change.from.as_ref().unwrap_or(&change.path);
        let document = tx.document(room, at)?;
        let gone = match &document {
            None => tx.departed(room, at, None)?,
            Some(_) => None,
        };
        let done_here = document.as_ref().is_some_and(|d| is_own(d.version)) || gone.is_some_and(is_own);
        let now = document.as_ref().map(|d| &d.content);
        let respelled = document.as_ref().is_some_and(|d| change.base.is_some() && d.path != *at);
        if !done_here && (respelled || !same(change.base.as_ref(), now)) {
            let version = document.as_ref().map(|d| d.version).or(gone);
            found.push(moved(tx, room, at, change.base.as_ref(), now, version)?);
        }
        let target = match change.op {
            Op::Rename => tx.document(room, &change.path)?.filter(stands),
            _ => None,
        };
        let in_the_way = match (target, change.op) {
            (None, Op::Create | Op::Rename) => folder_in_the_way(tx, room, &change.path, &stands)?,
            (target, _) => target,
        };
        if let Some(row) = in_the_way {
            found.push(moved(tx, room, &row.path, None, Some(&row.content), Some(row.version))?);
        }
    }
    Ok(found)
}

/// A document that stands where `path` needs a folder, or below it: a path is a document or a
/// folder, never both.
fn folder_in_the_way(
    tx: &dyn Read,
    room: RoomKey,
    path: &DocPath,
    stands: &dyn Fn(&DocumentRow) -> bool,
) -> Result<Option<DocumentRow>, StoreError> {
    if let Some(row) = tx.above(room, path)?.filter(stands) {
        return Ok(Some(row));
    }
    let mut after = None;
    loop {
        let page = tx.below(room, path, after.as_ref(), FOLDER_PAGE)?;
        let last = page.last().map(|row| row.path.clone());
        if let Some(row) = page.into_iter().find(stands) {
            return Ok(Some(row));
        }
        match last {
            Some(last) => after = Some(last),
            None => return Ok(None),
        }
    }
}

fn same(base: Option<&Version>, now: Option<&Version>) -> bool {
    base.map(|v| (v.hash, v.mode)) == now.map(|v| (v.hash, v.mode))
}

fn moved(
    tx: &dyn Read,
    room: RoomKey,
    path: &sekali_core::DocPath,
    expected: Option<&Version>,
    now: Option<&Version>,
    version: Option<VersionKey>,
) -> Result<Displaced, StoreError> {
    let by = match version {
        None => None,
        Some(key) => match tx.version(room, key)? {
            None => None,
            Some(row) => tx.proposal_by_id(room, row.proposal)?.map(|p| (p.number, key.seq)),
        },
    };
    Ok(Displaced {
        path: path.clone(),
        expected: expected.map(|v| v.commitment),
        now: now.map(|v| v.commitment),
        by,
    })
}
