//! How an act is played: it looks at what the store holds, and tells what its verbs say.

use std::fmt::Write as _;

use sekali_core::change::{MovedHunk, Version};
use sekali_core::decide::Standing;
use sekali_core::hash::Digest;
use sekali_core::talk::{Anchor, CommentKind, LineSide};
use sekali_core::{ActorId, ActorKind, DocPath, Door, Op, ProposalId, Role, RoomId, State};

use super::WHOLE;
use super::act::{Act, Base, CONTENTS, Change, Content, KINDS, LAYERS, NAMES, PATHS, ROLES, Seen};
use crate::contract::comments::{cid, said};
use crate::contract::fixture::{
    ANI, BUDI, Edit, Press, Presser, Result, Sketch, aid, at, content, effect, executable, path, pid, version,
};
use crate::rows::{
    ActorRow, CommentRow, LinkKind, ListedRow, NewComment, NewDocument, RepeatNote, Reservation, RoomKey,
    SubmittedForm, SubmittedRow, VersionKey,
};
use crate::verbs::Write;

/// Where an act is played: it sees what the store holds, and tells what the verbs say.
pub(super) struct Stage<'a> {
    pub(super) tx: &'a mut dyn Write,
    pub(super) room: RoomKey,
    pub(super) room_id: RoomId,
    pub(super) told: &'a mut String,
}

impl Stage<'_> {
    fn tell<T: std::fmt::Debug>(&mut self, what: T) -> T {
        let _ = writeln!(self.told, "{what:?}");
        what
    }

    /// Plays an act; whether its writes are to be kept.
    pub(super) fn play(mut self, act: &Act) -> Result<bool> {
        let now = self.tx.now(self.room)?;
        self.tell(now);
        let keep = self.act(act)?;
        let head = self.tx.head(self.room)?;
        self.tell((head.size, head.root, head.prev, head.counts));
        Ok(keep)
    }

    fn act(&mut self, act: &Act) -> Result<bool> {
        match act {
            Act::AddActor { id, kind, name, role } => {
                self.add_actor(aid(*id), KINDS[*kind], NAMES[*name], ROLES[*role])
            }
            Act::SetRole { role } => {
                self.tx.set_role(self.room, BUDI, ROLES[*role])?;
                let budi = self.tx.actor(self.room, BUDI)?;
                self.tell(budi);
                Ok(true)
            }
            Act::Submit { id, draft, key } => self.submit(*id, draft, *key),
            Act::Revise { pick, draft, seen } => self.revise(*pick, draft, *seen),
            Act::Apply { pick, seen, os_user } => self.apply(*pick, *seen, *os_user),
            Act::Close { pick, seen, rejected } => self.close(*pick, *seen, *rejected),
            Act::Reopen { pick } => self.reopen(*pick),
            Act::Create { at, bytes, script } => self.create(&path(PATHS[*at]), &made_up(*bytes, *script, 7)),
            Act::Replace { at, base, bytes, script } => {
                self.replace(*at, *base, &made_up(*bytes, *script, 8))
            }
            Act::Take { at, base } => self.take(*at, *base),
            Act::Comment { pick, id, kind, key, like } => self.comment(*pick, *id, *kind, *key, *like),
            Act::Link { pick, other, split } => self.link(*pick, *other, *split),
            Act::Repeat { .. } => self.repeat(act),
        }
    }

    fn add_actor(&mut self, id: ActorId, kind: ActorKind, name: &str, role: Option<Role>) -> Result<bool> {
        if self.tx.actor(self.room, id)?.is_some() {
            return Ok(false);
        }
        let role = role.filter(|_| kind == ActorKind::Person);
        let added_at = self.tx.now(self.room)?.at;
        let row = ActorRow { id, kind, name: name.to_owned(), role, added_at };
        let added = self.tx.add_actor(self.room, &row)?;
        self.tell(added);
        Ok(true)
    }

    fn picked(&mut self, pick: usize) -> Result<Option<ListedRow>> {
        let rows = self.tx.list(self.room, WHOLE)?;
        let row = rows.get(pick % rows.len().max(1)).cloned();
        Ok(self.tell(row))
    }

    fn seen(&mut self, row: &ListedRow, seen: Seen) -> Result<Digest> {
        Ok(match seen {
            Seen::Now => row.digest,
            Seen::First => self.tx.revision(self.room, row.id, 1)?.map_or(row.digest, |r| r.digest),
            Seen::Other => Digest::from_bytes([0xD1; 32]),
        })
    }

    fn presser(&self, row: &ListedRow, digest: Digest) -> Presser {
        Presser { room: self.room, room_id: self.room_id, id: row.id, digest, actor: ANI, os_user: None }
    }

    fn sketch(&mut self, id: ProposalId, revision: u32, draft: &Content) -> Result<Sketch> {
        let now = self.tx.now(self.room)?.at;
        let mut edits = Vec::new();
        for change in &draft.edits {
            edits.push(self.edit(change)?);
        }
        let parts = u32::from(draft.parts.unwrap_or(0));
        if let Some(edit) = edits.last_mut() {
            edit.row.moved =
                (1..=parts).map(|hunk| MovedHunk { hunk, line: hunk << 20, found: 9 - hunk }).collect();
        }
        Ok(Sketch {
            room_id: self.room_id,
            id,
            revision,
            title: format!("Revision {revision} like {}", draft.like),
            valid_until: draft.valid_ms.map(|ms| at(now.ms() + ms)),
            effects: draft
                .effects
                .iter()
                .map(|(key, generation)| effect(&format!("e{key}"), *generation))
                .collect(),
            edits,
            fingerprint: [draft.like; 32],
            rebased_from: draft.parts.and((revision > 1).then(|| 1 + parts % (revision - 1))),
            submitted: (0..parts).map(part).collect(),
            ..Sketch::new(0)
        })
    }

    fn edit(&mut self, change: &Change) -> Result<Edit> {
        let (to, from) = (path(PATHS[change.at]), path(PATHS[change.from]));
        let after = made_up(change.bytes, change.script, change.salt);
        let brought = Some(content(CONTENTS[change.bytes], change.salt));
        Ok(match change.op {
            0 => Edit { content: brought, ..Edit::new(Op::Create, &to, None, None, Some(after)) },
            1 => {
                let base = self.base(&to, change.base)?;
                Edit { content: brought, ..Edit::new(Op::Replace, &to, None, Some(base), Some(after)) }
            }
            2 => {
                let base = self.base(&from, change.base)?;
                Edit::new(Op::Rename, &to, Some(&from), Some(base.clone()), Some(base))
            }
            _ => {
                let base = self.base(&to, change.base)?;
                Edit::new(Op::Delete, &to, None, Some(base), None)
            }
        })
    }

    fn base(&mut self, at: &DocPath, base: Base) -> Result<Version> {
        let there = self.tx.document(self.room, at)?;
        Ok(match (base, there) {
            (Base::There, Some(document)) => document.content,
            (Base::There, None) => made_up(0, false, 1),
            (Base::MadeUp(bytes, script), _) => made_up(bytes, script, 1),
        })
    }

    fn submit(&mut self, id: u64, draft: &Content, key: Option<u8>) -> Result<bool> {
        let id = pid(id);
        if self.tx.proposal_by_id(self.room, id)?.is_some() {
            return Ok(false);
        }
        if let Some(key) = key {
            let wanted = Reservation { fingerprint: [draft.like; 32], proposal: id };
            let kept = self.tx.reserve(self.room, ANI, &format!("k{key}"), wanted)?;
            if self.tell(kept).is_some() {
                return Ok(false);
            }
        }
        let sketch = self.sketch(id, 1, draft)?;
        let number = sketch.submit(self.tx, self.room)?;
        let similar = self.tx.similar(self.room, &sketch.fingerprint, Some(id))?;
        self.tell((number, similar));
        Ok(true)
    }

    fn comment(&mut self, pick: usize, id: u64, kind: usize, key: Option<u8>, like: u8) -> Result<bool> {
        let Some(row) = self.picked(pick)? else {
            return Ok(false);
        };
        if self.tx.comment_by_id(self.room, cid(id))?.is_some() {
            return Ok(false);
        }
        let talk = self.tx.talk(self.room, row.id)?;
        let (kind, answers) = match (kind, talk.open_asks.last()) {
            (0, _) => (CommentKind::Ask, None),
            (1, Some(ask)) => (CommentKind::Answer, Some(*ask)),
            _ => (CommentKind::Comment, None),
        };
        let side = if like == 0 { LineSide::Before } else { LineSide::After };
        let line = Anchor { path: path(PATHS[usize::from(like)]), side, line: 7 };
        let row_of = CommentRow {
            id: cid(id),
            kind,
            answers,
            at: self.tx.now(self.room)?.at,
            revision: row.revision,
            line: (kind == CommentKind::Ask).then_some(line),
            ..said(0, &format!("like {like}"))
        };
        let key = key.map(|key| (format!("k{key}"), [like; 32]));
        let number = self.tx.comment(self.room, row.id, &NewComment { row: row_of, key: key.clone() })?;
        let kept = match &key {
            Some((key, _)) => self.tx.comment_keyed(self.room, ANI, key)?,
            None => None,
        };
        self.tell((number, kept));
        Ok(number.is_some())
    }

    fn revise(&mut self, pick: usize, draft: &Content, seen: Seen) -> Result<bool> {
        let Some(row) = self.picked(pick)? else {
            return Ok(false);
        };
        let seen = self.seen(&row, seen)?;
        let revision = u32::try_from(self.tx.revisions(self.room, row.id)?.len()).unwrap() + 1;
        let revised = self.sketch(row.id, revision, draft)?.revise(self.tx, self.room, &seen)?;
        Ok(self.tell(revised))
    }

    fn apply(&mut self, pick: usize, seen: Seen, os_user: Option<u8>) -> Result<bool> {
        let Some(row) = self.picked(pick)? else {
            return Ok(false);
        };
        let digest = self.seen(&row, seen)?;
        let now = self.tx.now(self.room)?.at;
        let os_user = match os_user {
            Some(n) => Some(self.tx.os_user(self.room, &format!("os{n}"), aid(700 + u64::from(n)), now)?),
            None => None,
        };
        let press = Presser { os_user, ..self.presser(&row, digest) }.apply(self.tx)?;
        if matches!(press, Press::NotOpen) {
            self.stands(&row)?;
        }
        Ok(matches!(self.tell(press), Press::Applied(..)))
    }

    fn close(&mut self, pick: usize, seen: Seen, rejected: bool) -> Result<bool> {
        let Some(row) = self.picked(pick)? else {
            return Ok(false);
        };
        let digest = self.seen(&row, seen)?;
        let state = if rejected { State::Rejected } else { State::Withdrawn };
        let closed = self.presser(&row, digest).close(self.tx, state, rejected.then_some("karena"))?;
        self.stands(&row)?;
        Ok(self.tell(closed))
    }

    fn reopen(&mut self, pick: usize) -> Result<bool> {
        let Some(row) = self.picked(pick)? else {
            return Ok(false);
        };
        let reopened = self.presser(&row, row.digest).reopen(self.tx)?;
        self.stands(&row)?;
        Ok(self.tell(reopened))
    }

    fn stands(&mut self, row: &ListedRow) -> Result<Option<Standing>> {
        let standing = self.tx.standing(self.room, row.id)?;
        Ok(self.tell(standing))
    }

    fn link(&mut self, pick: usize, other: usize, split: bool) -> Result<bool> {
        let (Some(row), Some(other)) = (self.picked(pick)?, self.picked(other)?) else {
            return Ok(false);
        };
        let kind = if split { LinkKind::SplitFrom } else { LinkKind::Reverts };
        let links = self.tx.links(self.room, row.id)?;
        let known = links.iter().any(|link| link.outgoing && link.kind == kind && link.other == other.id);
        if row.id == other.id || known {
            return Ok(false);
        }
        self.tx.link(self.room, row.id, kind, other.id)?;
        let links = [self.tx.links(self.room, row.id)?, self.tx.links(self.room, other.id)?];
        self.tell(links);
        Ok(true)
    }

    /// A version of its own for each write of a document that no proposal makes.
    fn loose(&mut self) -> Result<VersionKey> {
        let documents = self.tx.documents(self.room, None, 100)?;
        let above = documents.iter().map(|d| d.version.seq).max().unwrap_or(0);
        Ok(VersionKey { seq: above.max(1_000_000) + 1, ordinal: 3 })
    }

    fn create(&mut self, at: &DocPath, content: &Version) -> Result<bool> {
        let version = self.loose()?;
        let created = self.tx.create_document(self.room, &NewDocument { path: at, version, content })?;
        self.tell(created);
        Ok(true)
    }

    fn replace(&mut self, at: usize, base: Base, content: &Version) -> Result<bool> {
        let (at, version) = (path(PATHS[at]), self.loose()?);
        let base = self.base(&at, base)?;
        let replaced =
            self.tx.replace_document(self.room, &base, &NewDocument { path: &at, version, content })?;
        self.tell(replaced);
        Ok(true)
    }

    fn take(&mut self, at: usize, base: Base) -> Result<bool> {
        let (at, by) = (path(PATHS[at]), self.loose()?);
        let base = self.base(&at, base)?;
        let taken = self.tx.take_document(self.room, &at, &base, by)?;
        let departed = self.tx.departed(self.room, &at, None)?;
        self.tell((taken, departed));
        Ok(true)
    }

    fn repeat(&mut self, act: &Act) -> Result<bool> {
        let Act::Repeat { layer, source, key, pick, fingerprint, other, times } = act else {
            return Ok(false);
        };
        let Some(row) = self.picked(*pick)? else {
            return Ok(false);
        };
        let source = [*source; 16];
        // Whose receipt answers a key does not change while the key is kept.
        let known = self.tx.repeat_of(self.room, LAYERS[*layer], source, &[*key])?;
        let note = RepeatNote {
            layer: LAYERS[*layer],
            source,
            key: vec![*key],
            proposal: known.map_or(row.id, |known| known.proposal),
            at: self.tx.now(self.room)?.at,
            actor: BUDI,
            door: Door::Webhook,
            os_user: None,
            fingerprint: fingerprint.map(|byte| [byte; 32]),
            other_content: *other,
        };
        for _ in 0..*times {
            let n = self.tx.note_repeat(self.room, &note)?;
            self.tell(n);
        }
        Ok(true)
    }
}

fn made_up(bytes: usize, script: bool, salt: u8) -> Version {
    let version = version(CONTENTS[bytes], salt);
    if script { executable(&version) } else { version }
}

/// The n-th part of a submission, one of each form in turn.
fn part(n: u32) -> SubmittedRow {
    let form = SubmittedForm::ALL[n as usize % SubmittedForm::ALL.len()];
    let patch = form == SubmittedForm::Patch;
    let (to, body) = (PATHS[n as usize % PATHS.len()], CONTENTS[n as usize % CONTENTS.len()]);
    let (path, strip) = if patch { (None, n.checked_sub(1)) } else { (Some(path(to)), None) };
    SubmittedRow { form, path, strip, body: body.to_vec() }
}
