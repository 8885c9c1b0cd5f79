//! Where a proposal stands, whether each of its revisions is what was digested, and whether the contents
//! and the figures of its changes are what they were when it was proposed.

use sekali_core::ContentHash;
use sekali_core::change::{NetChange, Version, content_fingerprint};
use sekali_core::decide::Standing;
use sekali_core::diff::{self, DiffKind};
use sekali_core::revision::{Revision, digest_of};
use sekali_store::{ContentRow, ProposalRow, Read, RevisionRow, RoomRow, StoreError, VersionKey, VersionRow};

use super::Wrong;
use super::entries::says;
use crate::is_sound;
use crate::look::history;

/// Versions of a document that are looked through for what a change was based on.
const LOOKED_THROUGH: usize = 1_000;

/// Comments that are read at a time.
const COMMENTS: u32 = 200;

/// What was found of one proposal.
pub(super) struct FoundProposal {
    pub(super) contents: u64,
    pub(super) wrong: Wrong,
}

pub(super) fn proposal(
    tx: &dyn Read,
    room: &RoomRow,
    number: u64,
) -> Result<Option<FoundProposal>, StoreError> {
    let Some(row) = tx.proposal(room.key, number)? else {
        return Ok(None);
    };
    let mut found = FoundProposal { contents: 0, wrong: Wrong::new() };
    let standing = tx.standing(room.key, row.id)?;
    // Whom its links name is the driver's to ask; here they are read at all.
    tx.links(room.key, row.id)?;
    let mut last = 0;
    while let Some(comment) = tx.comments(room.key, row.id, last, COMMENTS)?.pop() {
        last = comment.number;
    }
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
            Some(row_of) => {
                // Only the revision that was applied has made versions.
                let made = match &standing {
                    Some(Standing::Applied(facts)) if facts.revision == revision => Some(facts.seq),
                    _ => None,
                };
                check_revision(tx, room, &row, &row_of, made, &mut found)?;
            }
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

/// The stored bytes have the digest, the rows would be written as those bytes, and the content of each
/// change is what was committed to.
fn check_revision(
    tx: &dyn Read,
    room: &RoomRow,
    proposal: &ProposalRow,
    row: &RevisionRow,
    made: Option<u64>,
    found: &mut FoundProposal,
) -> Result<(), StoreError> {
    let named = format!("revision {} of #{}", row.revision, proposal.number);
    if digest_of(&row.canonical) != row.digest {
        found.wrong.push(("revision.digest", format!("the bytes of {named} do not have its digest")));
    }
    let rows = tx.changes(room.key, proposal.id, row.revision)?;
    let whole = Revision {
        room: room.id,
        proposal: proposal.id,
        revision: row.revision,
        title: row.title.clone(),
        why: row.why.clone(),
        author: row.author,
        valid_until: row.valid_until,
        effect_keys: row.effect_keys.clone(),
        changes: rows.iter().map(|row| row.change.clone()).collect(),
    };
    if whole.canonical().as_bytes() != row.canonical {
        found
            .wrong
            .push(("revision.rows", format!("the rows of {named} say something else than its digest")));
    }
    if content_fingerprint(whole.changes.iter().map(NetChange::left)) != row.content_fingerprint {
        let what =
            format!("the fingerprint of {named}, by which equal ones are found, is not that of its changes");
        found.wrong.push(("revision.fingerprint", what));
    }
    // Nothing is resolved from it again, but whoever looks at the proposal reads it.
    tx.submitted(room.key, proposal.id, row.revision)?;
    for (ordinal, counted) in (0u32..).zip(&rows) {
        if counted.moved.iter().any(|hunk| hunk.hunk == 0 || hunk.line == hunk.found) {
            let what =
                format!("the hunks that {named} found elsewhere in {} cannot be so", counted.change.path);
            found.wrong.push(("change.moved", what));
        }
        let change = &counted.change;
        let content = tx.content(room.key, proposal.id, row.revision, ordinal)?;
        found.contents += u64::from(change.after.is_some() && content.is_some());
        if let Some((code, what)) = wrong_content(change, content.as_ref(), &named) {
            found.wrong.push((code, what));
            continue;
        }
        let after = content.map(|content| content.content).unwrap_or_default();
        let version = made.map(|seq| VersionKey { seq, ordinal });
        if let Some((binary, added, removed)) = lines(tx, room, change, &after, version)?
            && (binary, added, removed) != (counted.binary, counted.added, counted.removed)
        {
            let path = &change.path;
            let what = format!(
                "the lines that {named} changes in {path} (+{added} -{removed}) are not those counted"
            );
            found.wrong.push(("change.lines", what));
        }
    }
    Ok(())
}

/// What is wrong with the content after a change.
fn wrong_content(
    change: &NetChange,
    content: Option<&ContentRow>,
    named: &str,
) -> Option<(&'static str, String)> {
    let path = &change.path;
    match (&change.after, content) {
        (Some(after), Some(content)) if !is_sound(content, after) => Some((
            "content.commitment",
            format!("the content of {path} in {named} is not what was committed to"),
        )),
        (Some(_), None) => {
            Some(("content.missing", format!("the content of {path} in {named} is not there")))
        }
        (None, Some(_)) => {
            Some(("content.commitment", format!("{named} takes {path} away and has content for it")))
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// Whether a change is one of bytes, and the lines that it adds and removes, counted anew. `None` where
/// its base is not there or not what it was, which is told by itself, or is too far back.
fn lines(
    tx: &dyn Read,
    room: &RoomRow,
    change: &NetChange,
    after: &[u8],
    made: Option<VersionKey>,
) -> Result<Option<(bool, u32, u32)>, StoreError> {
    let before = match &change.base {
        None => Vec::new(),
        // What would not be compared need not be read.
        Some(base) if base.bytes.max(after.len() as u64) > diff::TOO_LARGE as u64 => {
            return Ok(Some((false, 0, 0)));
        }
        Some(base) if change.after.as_ref().is_some_and(|after| after.hash == base.hash) => after.to_vec(),
        Some(base) => match base_content(tx, room, change, base, made)? {
            None => return Ok(None),
            Some(before) => before,
        },
    };
    let counted = diff::exact_stat(&before, after);
    Ok(counted.map(|(kind, added, removed)| (kind == DiffKind::Binary, added, removed)))
}

/// What a change was based on. The version that it made stands right after its base in the chain; the
/// base of any other is a version that held the same.
fn base_content(
    tx: &dyn Read,
    room: &RoomRow,
    change: &NetChange,
    base: &Version,
    made: Option<VersionKey>,
) -> Result<Option<Vec<u8>>, StoreError> {
    let is_base = |row: &VersionRow| row.content.as_ref().is_some_and(|held| held.hash == base.hash);
    let found = if let Some(made) = made {
        let previous = tx.version(room.key, made)?.and_then(|version| version.previous);
        previous.map(|key| tx.version(room.key, key)).transpose()?.flatten()
    } else {
        let mut left = LOOKED_THROUGH;
        let path = change.from.as_ref().unwrap_or(&change.path);
        let found = history(tx, room, path, |row| {
            left -= 1;
            if is_base(&row) { Some(Some(row)) } else { (left == 0).then_some(None) }
        })?;
        found.flatten()
    };
    let Some(row) = found.filter(is_base) else { return Ok(None) };
    let content = tx.content(room.key, row.proposal, row.revision, row.version.ordinal)?;
    Ok(content.map(|content| content.content).filter(|content| ContentHash::of(content) == base.hash))
}
