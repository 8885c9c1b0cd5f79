//! A submission resolved against one snapshot: its net changes with salts, commitments and counted
//! lines, and the digest over all of it. Nothing is written here.

use std::collections::HashMap;

use sekali_core::change::{NetChange, Submitted, Version, content_fingerprint};
use sekali_core::decide::OpenFacts;
use sekali_core::diff::{self, DiffKind};
use sekali_core::hash::{Commitment, ContentHash, Salt};
use sekali_core::resolve::{After, Current, Resolved, Snapshot, resolve};
use sekali_core::revision::{EffectKey, Revision, digest_of};
use sekali_core::submission::Submission;
use sekali_core::{ActorId, Code, DocPath, ProposalId, Timestamp};
use sekali_store::{
    ChangeRow, ContentRow, DocumentRow, Read, RevisionRow, RoomKey, RoomRow, StoreError, Touches, read,
};

use super::lost_revision;
use crate::{Engine, Failure, sound};

/// Documents of a folder that are looked at together.
pub(crate) const FOLDER_PAGE: u32 = 200;

/// A resolved submission, ready to be written as one revision.
pub(super) struct Prepared {
    pub(super) row: RevisionRow,
    pub(super) changes: Vec<ChangeRow>,
    pub(super) contents: Vec<Option<ContentRow>>,
}

impl Prepared {
    /// What the open row says of it.
    pub(super) fn open(&self) -> OpenFacts {
        OpenFacts { revision: self.row.revision, digest: self.row.digest, valid_until: self.row.valid_until }
    }
}

impl Engine {
    /// Resolves a submission against the room as it is now.
    pub(super) fn prepare(
        &self,
        room: &RoomRow,
        id: ProposalId,
        revision: u32,
        author: ActorId,
        submission: &Submission,
        effect_keys: &[EffectKey],
    ) -> Result<Prepared, Failure> {
        read(self.store(), |tx| {
            let resolved = resolve(&submission.changes, &mut InRoom { tx, room: room.key })?;
            let (changes, contents) = commit_to(tx, room, &submission.changes, resolved)?;
            let touches = changes.iter().fold(Touches::default(), |t, c| Touches {
                added: t.added + u64::from(c.added),
                removed: t.removed + u64::from(c.removed),
                documents: t.documents + 1,
            });
            let whole = Revision {
                room: room.id,
                proposal: id,
                revision,
                title: submission.title.clone(),
                why: submission.why.clone(),
                author,
                valid_until: submission.valid_until,
                effect_keys: effect_keys.to_vec(),
                changes: changes.iter().map(|c| c.change.clone()).collect(),
            };
            let canonical = whole.canonical().into_bytes();
            let row = RevisionRow {
                revision,
                digest: digest_of(&canonical),
                title: whole.title,
                why: whole.why,
                author,
                valid_until: whole.valid_until,
                created_at: Timestamp::from_ms(0),
                touches,
                effect_keys: whole.effect_keys,
                canonical,
                content_fingerprint: content_fingerprint(changes.iter().map(|c| c.change.left())),
            };
            Ok(Prepared { row, changes, contents })
        })
    }
}

/// What a document holds now.
pub(crate) fn content_of(tx: &dyn Read, room: &RoomRow, document: &DocumentRow) -> Result<Vec<u8>, Failure> {
    let version = tx.version(room.key, document.version)?.ok_or_else(lost_revision)?;
    let content = tx.content(room.key, version.proposal, version.revision, version.version.ordinal)?;
    Ok(sound(content.ok_or_else(lost_revision)?, &document.content, &document.path)?)
}

/// The room's documents in the snapshot that a submission is resolved on.
struct InRoom<'a> {
    tx: &'a dyn Read,
    room: RoomKey,
}

impl Snapshot<Failure> for InRoom<'_> {
    fn at(&mut self, path: &DocPath) -> Result<Option<Current>, Failure> {
        Ok(self.tx.document(self.room, path)?.map(current))
    }

    fn above(&mut self, path: &DocPath) -> Result<Option<Current>, Failure> {
        Ok(self.tx.above(self.room, path)?.map(current))
    }

    fn below(&mut self, path: &DocPath, after: Option<&DocPath>) -> Result<Vec<Current>, Failure> {
        let rows = self.tx.below(self.room, path, after, FOLDER_PAGE)?;
        Ok(rows.into_iter().map(current).collect())
    }
}

fn current(row: DocumentRow) -> Current {
    Current { path: row.path, version: row.content }
}

/// Gives each resolved change its salts and commitments, and counts its lines.
fn commit_to(
    tx: &dyn Read,
    room: &RoomRow,
    submitted: &[Submitted],
    resolved: Vec<Resolved<'_>>,
) -> Result<(Vec<ChangeRow>, Vec<Option<ContentRow>>), Failure> {
    let mut changes = Vec::with_capacity(resolved.len());
    let mut contents = Vec::with_capacity(resolved.len());
    let bases = carried_bases(submitted);
    for resolved in resolved {
        let base_path = resolved.from.as_ref().unwrap_or(&resolved.path);
        let before = match &resolved.base {
            Some(_) => {
                let document = tx.document(room.key, base_path)?.ok_or_else(lost_revision)?;
                Some(content_of(tx, room, &document)?)
            }
            None => None,
        };
        let after = match resolved.after {
            None => None,
            Some((After::Content(bytes), mode)) => Some((bytes.to_vec(), mode)),
            Some((After::Same, mode)) => Some((before.clone().unwrap_or_default(), mode)),
        };
        let (kind, added, removed) =
            diff::stat(before.as_deref().unwrap_or_default(), after.as_ref().map_or(&[], |(bytes, _)| bytes));
        let content = match after {
            None => None,
            Some((content, mode)) => {
                let salt = salt()?;
                let commitment = Commitment::of(&salt, &content);
                let version = Version {
                    hash: ContentHash::of(&content),
                    mode,
                    commitment,
                    bytes: content.len() as u64,
                };
                Some((version, ContentRow { salt, commitment, content }))
            }
        };
        let (after, content) =
            content.map_or((None, None), |(version, content)| (Some(version), Some(content)));
        let submitted_base = bases.get(base_path.key()).cloned();
        changes.push(ChangeRow {
            change: NetChange {
                op: resolved.op,
                path: resolved.path,
                from: resolved.from,
                base: resolved.base,
                after,
            },
            added,
            removed,
            binary: kind == DiffKind::Binary,
            submitted_base,
        });
        contents.push(content);
    }
    Ok((changes, contents))
}

/// The bases that the submission carried, verbatim, by the keys of their paths; of several changes
/// to one path the first that carries one.
fn carried_bases(submitted: &[Submitted]) -> HashMap<&str, String> {
    let mut bases = HashMap::new();
    for change in submitted {
        let (path, base) = match change {
            Submitted::Put { path, base, .. } | Submitted::Delete { path, base } => (path, base),
            Submitted::Rename { from, base, .. } => (from, base),
        };
        if let Some(base) = base {
            bases.entry(path.key()).or_insert_with(|| base.to_string());
        }
    }
    bases
}

fn salt() -> Result<Salt, StoreError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|e| StoreError::caused(Code::StoreIo, "The operating system gave no randomness.", e))?;
    Ok(Salt::from_bytes(bytes))
}
