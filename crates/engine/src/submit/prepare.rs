//! Changes resolved against one snapshot, ready to be written as a revision: with salts, commitments
//! and counted lines, and the digest over all of it. Nothing is written here.

use std::collections::HashMap;

use sekali_core::change::{NetChange, Submitted, Version, content_fingerprint};
use sekali_core::decide::{Displaced, OpenFacts};
use sekali_core::diff::{self, DiffKind};
use sekali_core::hash::Salt;
use sekali_core::resolve::{After, Current, Resolved, Snapshot as _, resolve};
use sekali_core::revision::{EffectKey, Revision, digest_of};
use sekali_core::submission::Submission;
use sekali_core::{ActorId, Code, ProposalId, Timestamp};
use sekali_store::{
    ChangeRow, ContentRow, DocumentRow, NewRevision, Read, RevisionRow, RoomRow, StoreError, SubmittedForm,
    SubmittedRow, Touches, read,
};

use super::lost_revision;
use crate::apply::documents::displaced;
use crate::bases::InRoom;
use crate::{Engine, Failure, hashes, sound};

/// Documents of a folder that are looked at together.
pub(crate) const FOLDER_PAGE: u32 = 200;

/// A revision, ready to be written.
pub(crate) struct Prepared {
    pub(crate) new: NewRevision,
    /// What it is based on and is no longer there.
    pub(crate) moved: Vec<Displaced>,
}

impl Prepared {
    /// What the open row says of it.
    pub(crate) fn open(&self) -> OpenFacts {
        let row = &self.new.row;
        OpenFacts { revision: row.revision, digest: row.digest, valid_until: row.valid_until }
    }
}

/// What a revision says beside its changes.
pub(crate) struct Said {
    pub(crate) proposal: ProposalId,
    pub(crate) revision: u32,
    pub(crate) author: ActorId,
    pub(crate) title: String,
    pub(crate) why: String,
    pub(crate) valid_until: Option<Timestamp>,
    pub(crate) effect_keys: Vec<EffectKey>,
    pub(crate) rebased_from: Option<u32>,
}

/// Net changes with the content that they leave.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) changes: Vec<ChangeRow>,
    pub(crate) contents: Vec<Option<ContentRow>>,
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
            let mut snapshot = InRoom { tx, room, of: None };
            let resolved = resolve(&submission.changes, &mut snapshot)?;
            let mut made = commit_to(&mut snapshot, resolved)?;
            let bases = carried_bases(&submission.changes);
            for row in &mut made.changes {
                let at = row.change.from.as_ref().unwrap_or(&row.change.path);
                row.submitted_base = bases.get(at.key()).cloned();
            }
            let net: Vec<NetChange> = made.changes.iter().map(|row| row.change.clone()).collect();
            // Without a base that was carried, it is based on this very snapshot.
            let moved = if bases.is_empty() { Vec::new() } else { displaced(tx, room.key, &net, None)? };
            let said = Said {
                proposal: id,
                revision,
                author,
                title: submission.title.clone(),
                why: submission.why.clone(),
                valid_until: submission.valid_until,
                effect_keys: effect_keys.to_vec(),
                rebased_from: None,
            };
            Ok(Prepared { moved, ..prepared(room, said, made, submitted(&submission.changes)) })
        })
    }
}

/// A revision of these changes.
pub(crate) fn prepared(room: &RoomRow, said: Said, made: Made, submitted: Vec<SubmittedRow>) -> Prepared {
    let Made { changes, contents } = made;
    let touches = changes.iter().fold(Touches::default(), |t, c| Touches {
        added: t.added + u64::from(c.added),
        removed: t.removed + u64::from(c.removed),
        documents: t.documents + 1,
    });
    let whole = Revision {
        room: room.id,
        proposal: said.proposal,
        revision: said.revision,
        title: said.title,
        why: said.why,
        author: said.author,
        valid_until: said.valid_until,
        effect_keys: said.effect_keys,
        changes: changes.iter().map(|c| c.change.clone()).collect(),
    };
    let canonical = whole.canonical().into_bytes();
    let row = RevisionRow {
        revision: whole.revision,
        digest: digest_of(&canonical),
        title: whole.title,
        why: whole.why,
        author: whole.author,
        valid_until: whole.valid_until,
        created_at: Timestamp::from_ms(0),
        touches,
        effect_keys: whole.effect_keys,
        canonical,
        content_fingerprint: content_fingerprint(changes.iter().map(|c| c.change.left())),
        rebased_from: said.rebased_from,
    };
    Prepared { new: NewRevision { row, changes, contents, submitted }, moved: Vec::new() }
}

/// What a document holds now.
pub(crate) fn content_of(tx: &dyn Read, room: &RoomRow, document: &DocumentRow) -> Result<Vec<u8>, Failure> {
    Ok(sound(kept(tx, room, document)?, &document.content, &document.path)?)
}

/// The same, as it is kept.
pub(crate) fn kept(tx: &dyn Read, room: &RoomRow, document: &DocumentRow) -> Result<ContentRow, StoreError> {
    let version = tx.version(room.key, document.version)?.ok_or_else(lost_revision)?;
    let content = tx.content(room.key, version.proposal, version.revision, version.version.ordinal)?;
    content.ok_or_else(lost_revision)
}

/// Gives each resolved change its salts and commitments, and counts its lines.
pub(crate) fn commit_to(room: &mut InRoom<'_>, resolved: Vec<Resolved<'_>>) -> Result<Made, Failure> {
    let mut made = Made::default();
    for resolved in resolved {
        let Resolved { op, path, from, base, after, moved } = resolved;
        let counted = |bytes: u64| bytes <= diff::TOO_LARGE as u64;
        let needed = match &after {
            Some((After::Same, _)) => true,
            Some((After::Content(bytes), _)) => {
                counted(bytes.len() as u64) && base.as_ref().is_some_and(|base| counted(base.bytes))
            }
            None => base.as_ref().is_some_and(|base| counted(base.bytes)),
        };
        let before = match &base {
            Some(base) if needed => {
                let path = from.as_ref().unwrap_or(&path).clone();
                Some(room.content(&Current { path, version: base.clone() })?)
            }
            _ => None,
        };
        let (old, new) = (base.as_ref().map_or(0, |base| base.bytes), &after);
        let (kind, added, removed) = match new {
            Some((After::Same, _)) => diff::stat_same(before.as_deref().unwrap_or_default()),
            Some((After::Content(bytes), _)) if counted(old) && counted(bytes.len() as u64) => {
                diff::stat(before.as_deref().unwrap_or_default(), bytes)
            }
            None if counted(old) => diff::stat(before.as_deref().unwrap_or_default(), &[]),
            _ => (DiffKind::TooLarge, 0, 0),
        };
        let (after, content) = match after {
            None => (None, None),
            Some((after, mode)) => {
                let content = match after {
                    After::Content(bytes) => bytes.into_owned(),
                    After::Same => before.unwrap_or_default(),
                };
                let (version, row) = commit(content, mode)?;
                (Some(version), Some(row))
            }
        };
        made.changes.push(ChangeRow {
            change: NetChange { op, path, from, base, after },
            added,
            removed,
            binary: kind == DiffKind::Binary,
            submitted_base: None,
            moved,
        });
        made.contents.push(content);
    }
    Ok(made)
}

/// Content under a fresh salt.
pub(crate) fn commit(content: Vec<u8>, mode: sekali_core::Mode) -> Result<(Version, ContentRow), StoreError> {
    let salt = salt()?;
    let (commitment, hash) = hashes(&salt, &content);
    let version = Version { hash, mode, commitment, bytes: content.len() as u64 };
    Ok((version, ContentRow { salt, commitment, content }))
}

/// The changes that are not whole content, verbatim.
fn submitted(changes: &[Submitted]) -> Vec<SubmittedRow> {
    let row = |change: &Submitted| match change {
        Submitted::Patch { diff, strip, .. } => {
            Some(SubmittedRow { form: SubmittedForm::Patch, path: None, strip: *strip, body: diff.clone() })
        }
        Submitted::JsonEdit { form, path, patch, .. } => Some(SubmittedRow {
            form: SubmittedForm::from(*form),
            path: Some(path.clone()),
            strip: None,
            body: patch.clone(),
        }),
        Submitted::Put { .. } | Submitted::Delete { .. } | Submitted::Rename { .. } => None,
    };
    changes.iter().filter_map(row).collect()
}

/// The bases that the submission carried, verbatim, by the keys of their paths; of several changes
/// to one path the first that carries one.
fn carried_bases(submitted: &[Submitted]) -> HashMap<&str, String> {
    let mut bases = HashMap::new();
    for change in submitted {
        let one = match change {
            Submitted::Put { path, base, .. }
            | Submitted::Delete { path, base }
            | Submitted::JsonEdit { path, base, .. }
            | Submitted::Rename { from: path, base, .. } => base.as_ref().map(|base| (path, base)),
            Submitted::Patch { .. } => None,
        };
        let many = match change {
            Submitted::Patch { bases, .. } => bases.as_slice(),
            _ => &[],
        };
        for (path, base) in one.into_iter().chain(many.iter().map(|(path, base)| (path, base))) {
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
