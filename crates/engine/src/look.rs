//! Looking: lists, one proposal with its checks, its diff, documents, the ledger, duplicates. Each
//! answer comes from one snapshot.

use std::collections::HashSet;
use std::time::Duration;

use sekali_core::change::{NetChange, Version};
use sekali_core::decide::{Awaits, Displaced, Standing};
use sekali_core::diff::{self, ContentDiff};
use sekali_core::patch::{self, FileChange};
use sekali_core::role::{Action, State};
use sekali_core::time::Now;
use sekali_core::{Code, DocPath, Op, ProposalId, Refusal, Timestamp, limit};
use sekali_store::{
    ActorRow, AttemptRow, ChangeRow, DocumentRow, EntryRow, HeadRow, Layer, LinkKind, LinkRow, ListQuery,
    ListedRow, ProposalRow, Read, RepeatMark, RepeatRow, RevisionRow, RoomKey, RoomRow, StoreError,
    VersionKey, VersionRow, read,
};

use crate::apply::documents::displaced;
use crate::bases::{awaited, content_of_version};
use crate::submit::{lost_revision, possible_duplicates};
use crate::talk::{TalkView, in_short};
use crate::{Caller, Engine, Failure, acting, no_proposal, sound};

/// A room as one of its people sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct RoomView {
    /// The room.
    pub room: RoomRow,
    /// Its head.
    pub head: HeadRow,
    /// Open proposals whose validity has ended.
    pub expired: u64,
    /// The caller as an actor of it, if they are one.
    pub you: Option<ActorRow>,
}

/// A revision with its author.
#[derive(Debug, Clone, PartialEq)]
pub struct RevisionView {
    /// The revision.
    pub row: RevisionRow,
    /// Who wrote it.
    pub author: ActorRow,
}

/// A proposal with everything that a person looks at before pressing Apply.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalView {
    /// What never changes about it.
    pub proposal: ProposalRow,
    /// Who submitted it.
    pub author: ActorRow,
    /// Where it stands, as its row says.
    pub standing: Standing,
    /// Where it stands, as everyone is told.
    pub state: State,
    /// The revision that counts: the open one, or the one that was decided.
    pub current: RevisionRow,
    /// All of them, first to last.
    pub revisions: Vec<RevisionView>,
    /// The changes of the current one.
    pub changes: Vec<ChangeRow>,
    /// What has moved under a waiting one.
    pub moved: Vec<Displaced>,
    /// Who decided a closed one.
    pub decided_by: Option<ActorRow>,
    /// For each effect key of the current revision, another proposal that had it.
    pub effects_done: Vec<Option<u64>>,
    /// Other proposals that name one of its effect keys.
    pub same_effect: Vec<u64>,
    /// Other proposals with equal changes.
    pub possible_duplicates: Vec<u64>,
    /// Proposals that it takes back or was split from, and those that do so to it.
    pub links: Vec<LinkRow>,
    /// The applied proposal that takes it back, and is not taken back itself.
    pub reverted_by: Option<u64>,
    /// The newest proposal that waits to take it back.
    pub revert_waiting: Option<u64>,
    /// The proposal that it was split from and waits for: it is based on what that will leave.
    pub awaits: Option<Awaits>,
    /// Evidence of repeated presses.
    pub repeats: Option<RepeatRow>,
    /// The kept attempts, in order.
    pub attempts: Vec<AttemptRow>,
    /// What is said about it.
    pub talk: TalkView,
}

/// One change with its difference.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeDiff {
    /// The change.
    pub row: ChangeRow,
    /// The difference; `None` where a side was erased.
    pub diff: Option<ContentDiff>,
}

/// A difference as a patch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch {
    /// The patch.
    pub bytes: Vec<u8>,
    /// Text documents that it gives as binary data, since they have control characters.
    pub controls: Vec<DocPath>,
}

/// A document with the entry and proposal that made it so.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentView {
    /// The document.
    pub row: DocumentRow,
    /// When.
    pub at: Timestamp,
    /// The proposal's number.
    pub proposal: u64,
}

/// A proposal as a list shows it, with what Apply would refuse it for or a person would look at twice.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedView {
    /// The proposal.
    pub row: ListedRow,
    /// It waits, and one of its effects was already had by this other proposal.
    pub effect_done_by: Option<u64>,
    /// It waits, and this other proposal has equal changes.
    pub possible_duplicate_of: Option<u64>,
    /// What is said about it.
    pub talk: TalkView,
}

/// A version with what people want to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionView {
    /// The version.
    pub row: VersionRow,
    /// When.
    pub at: Timestamp,
    /// Who applied it.
    pub by: ActorRow,
    /// The proposal's number.
    pub proposal: u64,
}

impl Engine {
    /// A room and its head.
    ///
    /// # Errors
    /// `room.not_found`.
    pub fn view_room(&self, caller: &Caller, room: &str) -> Result<RoomView, Failure> {
        let key = self.room(room)?.key;
        read(self.store(), |tx| {
            let room = tx.rooms()?.into_iter().find(|r| r.key == key).ok_or_else(lost_revision)?;
            let now = tx.now(key)?;
            Ok(RoomView {
                room,
                head: tx.head(key)?,
                expired: tx.count_expired(key, now)?,
                you: tx.actor_named(key, caller.name.kind, &caller.name.name)?,
            })
        })
    }

    /// One page of proposals, newest first.
    ///
    /// # Errors
    /// `room.not_found`, `actor.unknown`, `actor.denied`.
    pub fn list(
        &self,
        caller: &Caller,
        room: &str,
        state: Option<State>,
        before: Option<ProposalId>,
        limit: u32,
    ) -> Result<Vec<ListedView>, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let now = tx.now(room.key)?;
            let query = ListQuery { state, before, now: (!now.behind).then_some(now.at), limit };
            tx.list(room.key, query)?.into_iter().map(|row| listed_in(tx, room.key, row)).collect()
        })
    }

    /// One proposal, with its checks.
    ///
    /// # Errors
    /// `proposal.not_found`, and as [`Engine::list`].
    pub fn view(&self, caller: &Caller, room: &str, number: u64) -> Result<ProposalView, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            view_in(tx, &room, number)
        })
    }

    /// The difference that a revision makes; the current one where none is named.
    ///
    /// # Errors
    /// `proposal.not_found`, and as [`Engine::list`].
    pub fn diff(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        revision: Option<u32>,
    ) -> Result<(RevisionRow, Vec<ChangeDiff>), Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let mut diffs = Vec::new();
            let row = sides(tx, &room, number, revision, |row, before, after| {
                let diff = match (before, after) {
                    (Some(before), Some(after)) => Some(diff::diff(&before, &after)),
                    _ => None,
                };
                diffs.push(ChangeDiff { row, diff });
            })?;
            Ok((row, diffs))
        })
    }

    /// The difference that a revision makes as a patch, which makes the same again where it is applied to
    /// what the revision is based on.
    ///
    /// # Errors
    /// `proposal.not_found` where a side is no longer kept, and as [`Engine::diff`].
    pub fn patch(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        revision: Option<u32>,
    ) -> Result<(RevisionRow, Patch), Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let mut whole = Patch::default();
            let (mut moved, mut made) = (Vec::new(), Vec::new());
            let mut lost = None;
            let row = sides(tx, &room, number, revision, |row, before, after| {
                let change = &row.change;
                let (Some(before), Some(after)) = (before, after) else {
                    lost.get_or_insert_with(|| change.path.clone());
                    return;
                };
                let side = |version: &Option<Version>, content| version.as_ref().map(|v| (content, v.mode));
                let veiled = |side: &[u8]| patch::has_controls(side);
                let is_text = diff::is_text(&before) && diff::is_text(&after);
                if before != after && is_text && (veiled(&before) || veiled(&after)) {
                    whole.controls.push(change.path.clone());
                }
                // One after the other, as git takes them: what goes makes room for what comes.
                let part = match change.op {
                    Op::Delete => &mut whole.bytes,
                    Op::Rename | Op::Replace => &mut moved,
                    Op::Create => &mut made,
                };
                part.extend(patch::write([FileChange {
                    from: change.from.as_ref(),
                    path: &change.path,
                    before: side(&change.base, &*before),
                    after: side(&change.after, &*after),
                }]));
            })?;
            whole.bytes.extend(moved);
            whole.bytes.extend(made);
            match lost {
                None => Ok((row, whole)),
                Some(path) => Err(no_document(&path).into()),
            }
        })
    }

    /// Documents in the order of their paths' keys, after a path.
    ///
    /// # Errors
    /// As [`Engine::list`].
    pub fn documents(
        &self,
        caller: &Caller,
        room: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<DocumentView>, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let rows = tx.documents(room.key, after, limit)?;
            rows.into_iter().map(|row| Ok(document_view(tx, &room, row)?)).collect()
        })
    }

    /// A document's content, as it is now or as it was in one version.
    ///
    /// # Errors
    /// `document.not_found`, and as [`Engine::list`].
    pub fn document(
        &self,
        caller: &Caller,
        room: &str,
        path: &DocPath,
        version: Option<VersionKey>,
    ) -> Result<(VersionRow, Vec<u8>), Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let wanted = match version {
                Some(version) => {
                    // The version must be of this document, not of any.
                    history(tx, &room, path, |row| (row.version == version).then_some(row))?
                }
                None => match tx.document(room.key, path)? {
                    Some(document) => tx.version(room.key, document.version)?,
                    None => None,
                },
            };
            let row = wanted.ok_or_else(|| no_document(path))?;
            let content = content_at(tx, &room, &row)?.ok_or_else(|| no_document(path))?;
            Ok((row, content))
        })
    }

    /// The newest versions of a document, newest first and at most [`limit::LEDGER_PAGE`]; also of one
    /// that has gone. What is older than those is found by its key, with [`Engine::document`].
    ///
    /// # Errors
    /// `document.not_found`, and as [`Engine::list`].
    pub fn versions(&self, caller: &Caller, room: &str, path: &DocPath) -> Result<Vec<VersionView>, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let mut rows = Vec::new();
            history(tx, &room, path, |row| {
                rows.push(row);
                (rows.len() >= limit::LEDGER_PAGE as usize).then_some(())
            })?;
            if rows.is_empty() {
                return Err(no_document(path).into());
            }
            rows.into_iter().map(|row| Ok(version_view(tx, &room, row)?)).collect()
        })
    }

    /// Entries after one, with the head they belong to.
    ///
    /// # Errors
    /// As [`Engine::list`].
    pub fn entries(
        &self,
        caller: &Caller,
        room: &str,
        after: u64,
        limit: u32,
    ) -> Result<(HeadRow, Vec<EntryRow>), Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            Ok((tx.head(room.key)?, tx.entries(room.key, after, limit)?))
        })
    }

    /// Evidence of repeats, last first.
    ///
    /// # Errors
    /// As [`Engine::list`].
    #[expect(clippy::needless_pass_by_value, reason = "a cursor is read once and given away")]
    pub fn duplicates(
        &self,
        caller: &Caller,
        room: &str,
        before: Option<RepeatMark>,
        limit: u32,
    ) -> Result<Vec<RepeatRow>, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            Ok(tx.repeats(room.key, before.clone(), limit)?)
        })
    }

    /// The room's `change_seq` once it is beyond `after`, or what it is when the time is over.
    /// Holds no transaction while it waits.
    ///
    /// # Errors
    /// As [`Engine::list`].
    pub fn wait_for_change(
        &self,
        caller: &Caller,
        room: &str,
        after: u64,
        timeout: Duration,
    ) -> Result<u64, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| acting(tx, room.key, caller, Action::Read).map(drop))?;
        Ok(self.store().wait_for_change(room.key, after, timeout)?)
    }
}

/// Both sides of a change: `None` where one is no longer kept, empty where it is absent.
pub(crate) type Sides = (Option<Vec<u8>>, Option<Vec<u8>>);

/// Both sides of the one change of a revision that is wanted.
pub(crate) fn sides_of(
    tx: &dyn Read,
    room: &RoomRow,
    number: u64,
    revision: u32,
    wanted: impl Fn(&ChangeRow) -> bool,
) -> Result<Option<Sides>, Failure> {
    let shown = Shown::of(tx, room, number, Some(revision))?;
    let changes = tx.changes(room.key, shown.proposal, revision)?;
    let found = (0u32..).zip(changes).find(|(_, change)| wanted(change));
    found.map(|(ordinal, change)| shown.sides(tx, room, ordinal, &change)).transpose()
}

/// Gives both sides of each change of a revision.
fn sides(
    tx: &dyn Read,
    room: &RoomRow,
    number: u64,
    revision: Option<u32>,
    mut give: impl FnMut(ChangeRow, Option<Vec<u8>>, Option<Vec<u8>>),
) -> Result<RevisionRow, Failure> {
    let shown = Shown::of(tx, room, number, revision)?;
    for (ordinal, change) in (0u32..).zip(tx.changes(room.key, shown.proposal, shown.row.revision)?) {
        let (before, after) = shown.sides(tx, room, ordinal, &change)?;
        give(change, before, after);
    }
    Ok(shown.row)
}

/// A revision whose content is shown.
struct Shown {
    proposal: ProposalId,
    row: RevisionRow,
    /// The entry that applied it, if one did.
    applied: Option<u64>,
}

impl Shown {
    fn of(tx: &dyn Read, room: &RoomRow, number: u64, revision: Option<u32>) -> Result<Self, Failure> {
        let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?.id;
        let standing = tx.standing(room.key, proposal)?.ok_or_else(lost_revision)?;
        let wanted = revision.unwrap_or_else(|| revision_of(&standing));
        let row = tx.revision(room.key, proposal, wanted)?.ok_or_else(|| no_revision(number, wanted))?;
        let applied = match &standing {
            Standing::Applied(applied) if applied.revision == wanted => Some(applied.seq),
            _ => None,
        };
        Ok(Self { proposal, row, applied })
    }

    fn sides(
        &self,
        tx: &dyn Read,
        room: &RoomRow,
        ordinal: u32,
        change: &ChangeRow,
    ) -> Result<Sides, Failure> {
        let made = self.applied.map(|seq| VersionKey { seq, ordinal });
        let before = base_content(tx, room, &change.change, self.proposal, made)?;
        let after = match &change.change.after {
            None => Some(Vec::new()),
            Some(after) => {
                let kept = tx.content(room.key, self.proposal, self.row.revision, ordinal)?;
                kept.map(|content| sound(content, after, &change.change.path)).transpose()?
            }
        };
        Ok((before, after))
    }
}

pub(crate) fn no_revision(number: u64, revision: u32) -> Refusal {
    Refusal::field(
        Code::ProposalNotFound,
        "revision",
        format!("revision: #{number} has no revision {revision}."),
    )
    .said(format!("revision: #{number} tidak punya revisi {revision}."))
}

fn no_document(path: &DocPath) -> Refusal {
    Refusal::field(Code::DocumentNotFound, "path", format!("path: there is no document {path}."))
        .said(format!("path: tidak ada dokumen {path}."))
        .with(|f| f.value = Some(path.to_string()))
}

pub(crate) fn revision_of(standing: &Standing) -> u32 {
    match standing {
        Standing::Open(open) => open.revision,
        Standing::Applied(applied) => applied.revision,
        Standing::Closed(closed) => closed.revision,
    }
}

fn listed_in(tx: &dyn Read, room: RoomKey, row: ListedRow) -> Result<ListedView, Failure> {
    let talk = in_short(tx, room, row.id)?;
    if row.state != State::Waiting {
        return Ok(ListedView { row, effect_done_by: None, possible_duplicate_of: None, talk });
    }
    let current = tx.revision(room, row.id, row.revision)?.ok_or_else(lost_revision)?;
    let mut effect_done_by = None;
    for effect in &current.effect_keys {
        if let Some(winner) = tx.effect(room, effect)? {
            effect_done_by = Some(winner.number);
            break;
        }
    }
    let similar = possible_duplicates(tx, room, row.id, &current.content_fingerprint)?;
    Ok(ListedView { effect_done_by, possible_duplicate_of: similar.first().copied(), row, talk })
}

fn view_in(tx: &dyn Read, room: &RoomRow, number: u64) -> Result<ProposalView, Failure> {
    let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?;
    let standing = tx.standing(room.key, proposal.id)?.ok_or_else(lost_revision)?;
    let now: Now = tx.now(room.key)?;
    let state = standing.state(now);
    let current = tx.revision(room.key, proposal.id, revision_of(&standing))?.ok_or_else(lost_revision)?;
    let changes = tx.changes(room.key, proposal.id, current.revision)?;
    let net: Vec<NetChange> = changes.iter().map(|c| c.change.clone()).collect();
    let moved = match &standing {
        Standing::Open(_) => displaced(tx, room.key, &net, None)?,
        _ => Vec::new(),
    };
    let mut effects_done = Vec::new();
    let mut same_effect = Vec::new();
    for effect in &current.effect_keys {
        let winner = tx.effect(room.key, effect)?.filter(|w| w.proposal != proposal.id);
        effects_done.push(winner.map(|w| w.number));
        for other in tx.naming_effect(room.key, effect, proposal.id)? {
            if !same_effect.contains(&other) {
                same_effect.push(other);
            }
        }
    }
    let mut revisions = Vec::new();
    for row in tx.revisions(room.key, proposal.id)? {
        revisions.push(RevisionView { author: actor(tx, room.key, row.author)?, row });
    }
    let decided_by = match &standing {
        Standing::Closed(closed) => Some(actor(tx, room.key, closed.by)?),
        _ => None,
    };
    let links = tx.links(room.key, proposal.id)?;
    let reverted_by = taken_back_by(tx, room.key, proposal.id)?.map(|(_, number)| number);
    let mut revert_waiting = None;
    for link in links.iter().filter(|link| link.kind == LinkKind::Reverts && !link.outgoing) {
        let waits = matches!(tx.standing(room.key, link.other)?, Some(Standing::Open(_)));
        revert_waiting = if waits { Some(link.number) } else { revert_waiting };
    }
    let awaits = awaited(tx, room.key, proposal.id, &net, &moved)?;
    Ok(ProposalView {
        links,
        reverted_by,
        revert_waiting,
        awaits,
        author: actor(tx, room.key, proposal.author)?,
        possible_duplicates: possible_duplicates(tx, room.key, proposal.id, &current.content_fingerprint)?,
        repeats: tx.repeat_of(room.key, Layer::Apply, [0; 16], proposal.id.as_bytes())?,
        attempts: tx.attempts(room.key, Layer::Apply, [0; 16], proposal.id.as_bytes())?,
        talk: in_short(tx, room.key, proposal.id)?,
        proposal,
        standing,
        state,
        current,
        revisions,
        changes,
        moved,
        decided_by,
        effects_done,
        same_effect,
    })
}

/// The newest applied proposal that takes another one back, and is not taken back itself.
pub(crate) fn taken_back_by(
    tx: &dyn Read,
    room: RoomKey,
    of: ProposalId,
) -> Result<Option<(ProposalId, u64)>, StoreError> {
    // A revert is newer than what it takes back, in a store that is not damaged.
    fn look(
        tx: &dyn Read,
        room: RoomKey,
        of: ProposalId,
        seen: &mut HashSet<ProposalId>,
    ) -> Result<Option<(ProposalId, u64)>, StoreError> {
        for link in tx.links(room, of)?.into_iter().rev() {
            let reverts = link.kind == LinkKind::Reverts && !link.outgoing && seen.insert(link.other);
            if reverts
                && let Some(Standing::Applied(_)) = tx.standing(room, link.other)?
                && look(tx, room, link.other, seen)?.is_none()
            {
                return Ok(Some((link.other, link.number)));
            }
        }
        Ok(None)
    }
    look(tx, room, of, &mut HashSet::from([of]))
}

pub(crate) fn actor(tx: &dyn Read, room: RoomKey, id: sekali_core::ActorId) -> Result<ActorRow, StoreError> {
    tx.actor(room, id)?.ok_or_else(|| StoreError::damaged("A row names an actor who is not there."))
}

/// What a change was based on. One that `made` a version stands in the chain right after its base;
/// for any other, the base is a version that had the same content.
fn base_content(
    tx: &dyn Read,
    room: &RoomRow,
    change: &NetChange,
    of: ProposalId,
    made: Option<VersionKey>,
) -> Result<Option<Vec<u8>>, Failure> {
    let Some(base) = &change.base else {
        return Ok(Some(Vec::new()));
    };
    if let Some(made) = made {
        let previous = tx.version(room.key, made)?.and_then(|row| row.previous);
        let replaced = previous.map(|key| tx.version(room.key, key)).transpose()?.flatten();
        return replaced.map_or(Ok(None), |row| content_at(tx, room, &row));
    }
    let path = change.from.as_ref().unwrap_or(&change.path);
    content_of_version(tx, room, path, base, Some(of))
}

pub(crate) fn content_at(
    tx: &dyn Read,
    room: &RoomRow,
    row: &VersionRow,
) -> Result<Option<Vec<u8>>, Failure> {
    let Some(version) = &row.content else { return Ok(None) };
    let content = tx.content(room.key, row.proposal, row.revision, row.version.ordinal)?;
    Ok(content.map(|content| sound(content, version, &row.path)).transpose()?)
}

/// Goes through the versions of the document at a path, newest first, through its renames, until
/// `look` has what it wants.
pub(crate) fn history<T>(
    tx: &dyn Read,
    room: &RoomRow,
    path: &DocPath,
    mut look: impl FnMut(VersionRow) -> Option<T>,
) -> Result<Option<T>, StoreError> {
    // A damaged chain may lead back into itself.
    let mut seen = HashSet::new();
    let mut start = tx.document(room.key, path)?.map(|d| d.version);
    let mut gone = None;
    // A document that stands where others went: its own versions first, then those of the others.
    loop {
        let mut next = start;
        while let Some(key) = next.filter(|key| seen.insert(*key)) {
            let Some(row) = tx.version(room.key, key)? else {
                break;
            };
            next = row.previous;
            if let Some(found) = look(row) {
                return Ok(Some(found));
            }
        }
        gone = tx.departed(room.key, path, gone)?;
        if gone.is_none() {
            return Ok(None);
        }
        start = gone;
    }
}

fn document_view(tx: &dyn Read, room: &RoomRow, row: DocumentRow) -> Result<DocumentView, StoreError> {
    let version = tx.version(room.key, row.version)?.ok_or_else(lost_revision)?;
    let view = version_view(tx, room, version)?;
    Ok(DocumentView { row, at: view.at, proposal: view.proposal })
}

fn version_view(tx: &dyn Read, room: &RoomRow, row: VersionRow) -> Result<VersionView, StoreError> {
    let Some(Standing::Applied(applied)) = tx.standing(room.key, row.proposal)? else {
        return Err(StoreError::damaged("A version's proposal is not applied."));
    };
    Ok(VersionView { row, at: applied.at, by: actor(tx, room.key, applied.by)?, proposal: applied.number })
}
