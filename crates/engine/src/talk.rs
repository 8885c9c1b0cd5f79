//! Talk: what people, agents and sources say about a proposal. It changes nothing that Apply does.

use std::sync::Arc;

use sekali_core::role::Action;
use sekali_core::talk::{Anchor, CommentKind, LineSide, Saying, no_line};
use sekali_core::{ActorId, Code, CommentId, ProposalId, Refusal, Timestamp, diff, limit};
use sekali_store::{
    ActorRow, CommentRow, FoundComment, Layer, NewComment, Read, RepeatNote, RoomKey, RoomRow, StoreError,
    TalkRow, Verdict, Write, read, write,
};
use uuid::Uuid;

use crate::look::{actor, no_revision, revision_of, sides_of};
use crate::rooms::refused;
use crate::submit::lost_revision;
use crate::{Answer, Caller, Engine, Failure, acting, keep, no_proposal, refuse};

/// A comment with its author.
#[derive(Debug, Clone, PartialEq)]
pub struct CommentView {
    /// The comment.
    pub row: CommentRow,
    /// Who said it.
    pub author: ActorRow,
}

/// What is said about a proposal, in short.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TalkView {
    /// How many comments there are.
    pub count: u32,
    /// Those that ask for changes and have no answer yet: the first eight, by number.
    pub open_asks: Vec<u32>,
    /// The last one.
    pub last: Option<CommentView>,
}

/// What became of a comment that was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The comment.
    pub comment: CommentView,
    /// It was there already, under its idempotency key: nothing was written.
    pub replayed: bool,
}

impl Engine {
    /// Says something about a proposal, in whichever state that is. Under an idempotency key the same again
    /// is the first comment.
    ///
    /// # Errors
    /// `proposal.invalid` for a line, revision or comment that is not there, or one that asks for nothing;
    /// `proposal.not_found`, `key.reused`, `limit.exceeded`, `actor.denied`; what the store fails with.
    pub fn comment(&self, caller: &Caller, room: &str, number: u64, saying: Saying) -> Result<Said, Failure> {
        saying.check()?;
        let room = self.room(room)?;
        let (author, proposal, revision) = read(self.store(), |tx| -> Result<_, Failure> {
            let author = acting(tx, room.key, caller, Action::Comment)?;
            let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?.id;
            let standing = tx.standing(room.key, proposal)?.ok_or_else(lost_revision)?;
            let revision = saying.revision.unwrap_or_else(|| revision_of(&standing));
            // Revisions stay, and so do the lines that they have.
            if tx.revision(room.key, proposal, revision)?.is_none() {
                return Err(no_revision(number, revision).into());
            }
            if let Some(at) = &saying.line {
                is_there(tx, &room, number, revision, at)?;
            }
            Ok((author, proposal, revision))
        })?;
        let new = Arc::new(New {
            room,
            caller: caller.clone(),
            number,
            proposal,
            id: CommentId::new(Uuid::now_v7()),
            author: author.id,
            revision,
            fingerprint: saying.fingerprint(number),
            saying,
        });
        let first = Arc::clone(&new);
        let written = match write(self.store(), move |tx| first.write(tx)) {
            // Only a later commit that succeeds makes it final that the first did not land.
            Err(error) if error.code == Code::StoreOutcomeUnknown => {
                let again = Arc::clone(&new);
                write(self.store(), move |tx| match tx.comment_by_id(again.room.key, again.id)? {
                    Some(found) => keep(Written::New(found.row)),
                    None => again.write(tx),
                })
                .map_err(|error| StoreError { code: Code::StoreOutcomeUnknown, ..error })?
            }
            answer => answer?,
        };
        match written? {
            Written::New(row) => Ok(Said { comment: CommentView { row, author }, replayed: false }),
            Written::Kept(kept) => {
                self.said_again(&new, &kept)?;
                Ok(Said { comment: CommentView { row: kept.row, author }, replayed: true })
            }
        }
    }

    /// Leaves evidence of a comment that came again under its key; refuses where it is another one.
    fn said_again(&self, new: &New, kept: &FoundComment) -> Result<(), Failure> {
        let (room, author) = (new.room.key, new.author);
        let key = new.saying.key.as_deref().unwrap_or_default();
        let same = kept.fingerprint == Some(new.fingerprint);
        let may = move |tx: &dyn Read, caller: &Caller| acting(tx, room, caller, Action::Comment).map(drop);
        let note = RepeatNote {
            layer: Layer::Key,
            source: *author.as_bytes(),
            key: [b"comment/", key.as_bytes()].concat(),
            proposal: kept.proposal,
            at: Timestamp::from_ms(0),
            actor: author,
            door: new.caller.door,
            os_user: self.os_user(room, &new.caller, may).unwrap_or_default(),
            fingerprint: Some(new.fingerprint),
            other_content: !same,
        };
        // Evidence that cannot be written never turns the answer into an error.
        let _ = self.note(room, note);
        if same {
            return Ok(());
        }
        let first = kept.row.number;
        let on =
            read(self.store(), |tx| tx.proposal_by_id(room, kept.proposal))?.ok_or_else(lost_revision)?;
        let on = on.number;
        Err(Refusal::field(
            Code::KeyReused,
            "key",
            format!("key: {key:?} was used for another comment, {first} on #{on}."),
        )
        .said(format!("key: {key:?} sudah dipakai untuk komentar lain, yaitu {first} pada #{on}."))
        .with(|f| {
            f.proposal = Some(on);
            f.value = Some(key.to_owned());
        })
        .into())
    }

    /// Comments on a proposal after one of them, in order.
    ///
    /// # Errors
    /// `proposal.not_found`, and as [`Engine::list`].
    pub fn comments(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        after: u32,
        limit: u32,
    ) -> Result<Vec<CommentView>, Failure> {
        let room = self.room(room)?;
        read(self.store(), |tx| {
            acting(tx, room.key, caller, Action::Read)?;
            let proposal = tx.proposal(room.key, number)?.ok_or_else(|| no_proposal(number))?;
            let rows = tx.comments(room.key, proposal.id, after, limit)?;
            rows.into_iter().map(|row| Ok(with_author(tx, room.key, row)?)).collect()
        })
    }
}

/// A comment with everything that is known before its transaction.
struct New {
    room: RoomRow,
    caller: Caller,
    number: u64,
    proposal: ProposalId,
    id: CommentId,
    author: ActorId,
    revision: u32,
    fingerprint: [u8; 32],
    saying: Saying,
}

enum Written {
    New(CommentRow),
    /// Its key had come before.
    Kept(FoundComment),
}

impl New {
    fn write(&self, tx: &mut dyn Write) -> Answer<Written> {
        let (room, saying) = (self.room.key, &self.saying);
        // The role may have changed since the snapshot.
        if let Err(failure) = acting(&*tx, room, &self.caller, Action::Comment) {
            return refused(failure);
        }
        if let Some(key) = &saying.key
            && let Some(kept) = tx.comment_keyed(room, self.author, key)?
        {
            return Ok((Verdict::Undo, Ok(Written::Kept(kept))));
        }
        if let Some(answered) = saying.answers
            && let Err(refusal) = self.asks(&*tx, answered)?
        {
            return refuse(refusal);
        }
        let count = tx.talk(room, self.proposal)?.count as usize;
        if count >= limit::COMMENTS {
            let (max, given) = (limit::COMMENTS, count + 1);
            return refuse(Refusal::limit("text", "the talk of a proposal", max, given, "comments"));
        }
        let row = CommentRow {
            number: 0,
            id: self.id,
            kind: saying.kind(),
            answers: saying.answers,
            author: self.author,
            door: self.caller.door,
            at: tx.now(room)?.at,
            revision: self.revision,
            line: saying.line.clone(),
            text: saying.text.clone(),
        };
        let key = saying.key.clone().map(|key| (key, self.fingerprint));
        match tx.comment(room, self.proposal, &NewComment { row: row.clone(), key })? {
            Some(number) => keep(Written::New(CommentRow { number, ..row })),
            None => Err(StoreError::damaged("A comment's key is taken and cannot be found.")),
        }
    }

    /// Whether the comment that is answered asks for something.
    fn asks(&self, tx: &dyn Read, answered: u32) -> Result<Result<(), Refusal>, StoreError> {
        let found = match answered.checked_sub(1) {
            Some(before) => tx.comments(self.room.key, self.proposal, before, 1)?.pop(),
            None => None,
        };
        let found = found.filter(|row| row.number == answered);
        let number = self.number;
        let (en, id) = match found {
            Some(row) if row.kind == CommentKind::Ask => return Ok(Ok(())),
            Some(_) => (
                format!("comment {answered} on #{number} asks for no changes, so there is nothing to answer"),
                format!(
                    "komentar {answered} pada #{number} tidak meminta perubahan, jadi tidak ada yang perlu dijawab"
                ),
            ),
            None => (
                format!("there is no comment {answered} on #{number}"),
                format!("tidak ada komentar {answered} pada #{number}"),
            ),
        };
        let refusal = Refusal::field(Code::ProposalInvalid, "answers", format!("answers: {en}."))
            .said(format!("answers: {id}."))
            .with(|f| {
                f.proposal = Some(number);
                f.value = Some(answered.to_string());
            });
        Ok(Err(refusal))
    }
}

/// What is said about a proposal, in short, with who said the last of it.
pub(crate) fn in_short(tx: &dyn Read, room: RoomKey, proposal: ProposalId) -> Result<TalkView, StoreError> {
    let TalkRow { count, open_asks, last } = tx.talk(room, proposal)?;
    let last = last.map(|row| with_author(tx, room, row)).transpose()?;
    Ok(TalkView { count, open_asks, last })
}

fn with_author(tx: &dyn Read, room: RoomKey, row: CommentRow) -> Result<CommentView, StoreError> {
    Ok(CommentView { author: actor(tx, room, row.author)?, row })
}

/// Whether a revision has the line.
fn is_there(tx: &dyn Read, room: &RoomRow, number: u64, revision: u32, at: &Anchor) -> Result<(), Failure> {
    let path = |row: &sekali_store::ChangeRow| {
        let change = &row.change;
        let here = match at.side {
            LineSide::Before => change.from.as_ref().unwrap_or(&change.path),
            LineSide::After => &change.path,
        };
        here.key() == at.path.key()
    };
    let found = sides_of(tx, room, number, revision, path)?;
    let Some((before, after)) = found else {
        let path = &at.path;
        return Err(Refusal::field(
            Code::ProposalInvalid,
            "line.path",
            format!("line.path: revision {revision} of #{number} does not change {path}."),
        )
        .said(format!("line.path: revisi {revision} dari #{number} tidak mengubah {path}."))
        .with(|f| {
            f.proposal = Some(number);
            f.value = Some(path.to_string());
        })
        .into());
    };
    let side = match at.side {
        LineSide::Before => before,
        LineSide::After => after,
    };
    let lines = side.filter(|side| diff::is_text(side)).map_or(0, |side| diff::count_lines(&side));
    if u64::from(at.line) > lines {
        return Err(no_line(at, lines).into());
    }
    Ok(())
}
