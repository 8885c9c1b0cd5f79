//! A change that was made on one version of a document, carried onto the one that is there now: what
//! rebase does with a proposal's changes, and revert with the inverse of applied ones. Clean only
//! where nothing that it reads or writes has changed; else a conflict, which a person decides.

use std::borrow::Cow;

use super::overlay::Now;
use super::{After, Overlay};
use crate::change::{JsonForm, Mode, SubmittedBase};
use crate::conflict::{Choice, Conflict, ConflictKind, regions};
use crate::hash::ContentHash;
use crate::json_edit;
use crate::merge::{self, Side};
use crate::path::DocPath;
use crate::refusal::Refusal;

/// Content with its mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The bytes.
    pub content: Vec<u8>,
    /// The mode.
    pub mode: Mode,
}

/// A change from `before` to `after`, to be carried onto what stands at `at` now.
#[derive(Debug)]
pub struct Transplant<'a> {
    /// Where the document is expected.
    pub at: DocPath,
    /// Where it is afterwards.
    pub to: DocPath,
    /// What the change was made on; `None` is *absent*.
    pub before: Option<Held>,
    /// What it made of it; `None` is *absent*.
    pub after: Option<Held>,
    /// The edits of JSON values that it was written as, if it was nothing else.
    pub edits: &'a [(JsonForm, Vec<u8>)],
    /// What a person chose for it.
    pub choice: Option<&'a Choice>,
}

/// What came of carrying a change.
#[derive(Debug, Clone, PartialEq)]
pub enum Carried {
    /// It stands on what it was made on.
    Current,
    /// It was merged with what others have done.
    Merged,
    /// What it wants is there already, or a person has chosen to leave what is there.
    Done,
    /// A person must decide.
    Conflict(Box<Conflict>),
}

/// What becomes of a document's content.
enum Content {
    /// What the change made.
    After(Vec<u8>),
    /// What is there stays.
    Now,
    /// Both are in it.
    Merged(Vec<u8>),
}

impl<E: From<Refusal>> Overlay<'_, '_, E> {
    /// Carries one change. Those of one proposal happen at once: say first what they take away, with
    /// [`Overlay::begin`].
    ///
    /// # Errors
    /// `limit.exceeded` where a merged document is too large; what the snapshot fails with.
    pub fn transplant(&mut self, by: usize, mut change: Transplant<'_>) -> Result<Carried, E> {
        let (at, to) = (change.at.clone(), change.to.clone());
        let mut leaves = change.before.is_some() && (at != to || change.after.is_none());
        let mut standing = match (&change.before, self.aside.get(at.key())) {
            // What leaves in this step is not in the way of what comes.
            (None, _) => self.make_way(&to)?,
            (Some(_), Some(index)) => Some(*index),
            (Some(_), None) => self.find(&at)?,
        };
        let mut moved_to = None;
        if let (Some(before), None) = (&change.before, standing)
            && let Some((moved, index)) = self.now_at(&at, before)?
        {
            moved_to = Some(moved.clone());
            if let Some(carried) = self.followed(&mut change, moved, index)? {
                return self.as_asked(carried, None, (&at, &to), moved_to);
            }
            (standing, leaves) = (Some(index), false);
        }
        let chosen_for = change.choice.and_then(|choice| choice.now);
        if chosen_for.is_some() && chosen_for != Some(self.standing_at(standing, &to)?) {
            change.choice = None;
        }
        let carried = match (&change.before, standing) {
            (None, _) => self.carry_creation(by, change, standing)?,
            (Some(_), None) => self.carry_onto_nothing(by, change)?,
            (Some(_), Some(index)) => {
                let now = self.objects[index].now.as_ref().expect("what is found stands");
                let (mode, path) = (now.mode, now.path.clone());
                let now = Held { content: self.content(index)?, mode };
                self.carry_onto(by, &change, index, &path, &now)?
            }
        };
        // What was expected to leave stays after all: nothing may come to its place.
        if leaves && matches!(carried, Carried::Done | Carried::Conflict(_)) && self.stays_after_all(&at) {
            let occupied = conflict(
                &to,
                Some(&at),
                ConflictKind::Occupied,
                format!("{at} stays, and another document of this proposal would come to its place."),
                format!("{at} tetap ada, sedangkan dokumen lain dari usulan ini akan menempati tempatnya."),
            );
            return self.as_asked(occupied, standing, (&at, &to), None);
        }
        self.as_asked(carried, standing, (&at, &to), moved_to)
    }

    /// Where the document of the room that was at a path is now, if others have moved it: the one there has
    /// had this content.
    fn now_at(&mut self, at: &DocPath, before: &Held) -> Result<Option<(DocPath, usize)>, E> {
        const MOVES: usize = 100;
        let mut next = self.moved_away(at)?;
        for _ in 0..MOVES {
            let Some(moved) = next else { break };
            if let Some(index) = self.find(&moved)? {
                let it = self.room.once(&moved, &ContentHash::of(&before.content))?.is_some();
                return Ok(it.then_some((moved, index)));
            }
            next = self.room.moved_to(&moved)?;
        }
        Ok(None)
    }

    /// Turns a change of a document that others have moved into one of it where it is now. Where that is
    /// not what it must mean (it deletes the document, or moves it elsewhere) a person decides first: gives
    /// back the answer then.
    fn followed(
        &mut self,
        change: &mut Transplant<'_>,
        moved: DocPath,
        index: usize,
    ) -> Result<Option<Carried>, E> {
        let (at, moves) = (change.at.clone(), change.to != change.at);
        let asks = change.after.is_none() || (moves && change.to.key() != moved.key());
        if asks {
            // A choice may be for this, or for what is asked once it is followed.
            let there = self.standing_at(Some(index), &moved)?;
            let here = self.standing_at(None, &change.to)?;
            let meant = |choice: &&Choice| choice.now.is_none_or(|now| now == there || now == here);
            let choice = change.choice.filter(meant);
            let leaves_it = |choice: &Choice| matches!(choice.whole(), Some(Side::Now | Side::Base));
            match choice {
                Some(choice) if choice.now != Some(there) && leaves_it(choice) => {
                    return Ok(Some(Carried::Done));
                }
                Some(_) => {}
                None => {
                    let found = Conflict::new(
                        &change.to,
                        Some(&at),
                        ConflictKind::Deleted,
                        format!("{at} has moved to {moved} meanwhile."),
                        format!("{at} sudah pindah ke {moved} sementara itu."),
                    );
                    return Ok(Some(Carried::Conflict(Box::new(found))));
                }
            }
        }
        if !moves {
            change.to = moved.clone();
        }
        change.at = moved;
        Ok(None)
    }

    /// A conflict with what stands there, named as the change is, wherever the document is by now.
    fn as_asked(
        &mut self,
        carried: Carried,
        standing: Option<usize>,
        (at, to): (&DocPath, &DocPath),
        moved_to: Option<DocPath>,
    ) -> Result<Carried, E> {
        let Carried::Conflict(conflict) = carried else { return Ok(carried) };
        let now = self.standing_at(standing, to)?;
        let from = (at != to).then(|| at.clone());
        Ok(Carried::Conflict(Box::new(Conflict { now, path: to.clone(), from, moved_to, ..*conflict })))
    }

    /// What stands where the change would be made; of one that is gone, where it would come to.
    fn standing_at(&mut self, standing: Option<usize>, to: &DocPath) -> Result<SubmittedBase, E> {
        let index = match standing {
            Some(index) => Some(index),
            None => self.find(to)?,
        };
        // What this step has taken away already is not there.
        match index.filter(|index| self.objects[*index].now.is_some()) {
            None => Ok(SubmittedBase::Absent),
            Some(index) => Ok(SubmittedBase::Content(ContentHash::of(&self.content(index)?))),
        }
    }

    fn carry_creation(
        &mut self,
        by: usize,
        change: Transplant<'_>,
        standing: Option<usize>,
    ) -> Result<Carried, E> {
        let Some(after) = change.after else { return Ok(Carried::Done) };
        let Some(index) = standing else {
            self.put_new(by, &change.to, after)?;
            return Ok(Carried::Current);
        };
        let now = self.objects[index].now.as_ref().expect("what is found stands");
        let same_path = now.path == change.to;
        let mode = now.mode;
        if same_path && mode == after.mode && self.content(index)? == after.content {
            return Ok(Carried::Done);
        }
        match chosen(change.choice) {
            Some(Side::Now | Side::Base) => return Ok(Carried::Done),
            Some(Side::After) if same_path => {
                self.rewrite(by, index, after)?;
                return Ok(Carried::Merged);
            }
            _ => {}
        }
        let to = change.to.clone();
        Ok(conflict(
            &to,
            None,
            if same_path { ConflictKind::Created } else { ConflictKind::Occupied },
            format!("{to} has been created meanwhile, with other content."),
            format!("{to} sudah dibuat sementara itu, dengan isi lain."),
        ))
    }

    fn carry_onto_nothing(&mut self, by: usize, change: Transplant<'_>) -> Result<Carried, E> {
        let Some(after) = change.after else { return Ok(Carried::Done) };
        // A move that somebody else has made already.
        if change.to.key() != change.at.key()
            && let Some(index) = self.find(&change.to)?
        {
            let mode = self.objects[index].now.as_ref().map(|now| now.mode);
            if mode == Some(after.mode) && self.content(index)? == after.content {
                return Ok(Carried::Done);
            }
        }
        match chosen(change.choice) {
            Some(Side::Now | Side::Base) => return Ok(Carried::Done),
            Some(Side::After) if self.make_way(&change.to)?.is_none() => {
                self.put_new(by, &change.to, after)?;
                return Ok(Carried::Merged);
            }
            _ => {}
        }
        let (at, to) = (&change.at, &change.to);
        let from = (at != to).then_some(at);
        Ok(conflict(
            to,
            from,
            ConflictKind::Deleted,
            format!("{at} is no longer there, and this changes it."),
            format!("{at} sudah tidak ada, sedangkan ini mengubahnya."),
        ))
    }

    fn carry_onto(
        &mut self,
        by: usize,
        change: &Transplant<'_>,
        index: usize,
        path: &DocPath,
        now: &Held,
    ) -> Result<Carried, E> {
        let before = change.before.as_ref().expect("asked by the caller");
        let untouched = before == now && *path == change.at;
        let Some(after) = change.after.as_ref() else {
            if !untouched && chosen(change.choice) != Some(Side::After) {
                if matches!(chosen(change.choice), Some(Side::Now | Side::Base)) {
                    return Ok(Carried::Done);
                }
                return Ok(conflict(
                    &change.to,
                    None,
                    ConflictKind::Deleted,
                    format!("{path} has changed meanwhile, and this deletes it."),
                    format!("{path} sudah berubah sementara itu, sedangkan ini menghapusnya."),
                ));
            }
            self.take(by, "path", path)?;
            return Ok(if untouched { Carried::Current } else { Carried::Merged });
        };
        self.work(change.edits.len() as u64 * now.content.len() as u64)?;
        let content = match three_ways(change, before, now, after)? {
            Ok(content) => content,
            Err(conflict) => return Ok(Carried::Conflict(conflict)),
        };
        let mode = if after.mode == before.mode { now.mode } else { after.mode };
        let moves = change.to != change.at;
        let (content, merged) = match content {
            Content::Now => (None, false),
            Content::After(content) => (Some(content), false),
            Content::Merged(content) => (Some(content), true),
        };
        if content.is_none() && mode == now.mode && !moves {
            return Ok(Carried::Done);
        }
        if moves {
            let (taken, standing) = self.take(by, "from", path)?;
            if self.make_way(&change.to)?.is_some() {
                // Undone, so that whoever decides sees the room as it is.
                self.stand(by, taken, standing);
                if matches!(chosen(change.choice), Some(Side::Now | Side::Base)) {
                    return Ok(Carried::Done);
                }
                let (at, to) = (&change.at, &change.to);
                return Ok(conflict(
                    to,
                    Some(at),
                    ConflictKind::Occupied,
                    format!("{at} cannot move to {to}: another document is there now."),
                    format!("{at} tidak dapat pindah ke {to}: kini ada dokumen lain di sana."),
                ));
            }
            self.stand(by, taken, Now { path: change.to.clone(), ..standing });
        }
        if let Some(content) = content {
            self.set(by, index, content)?;
        }
        if let Some(now) = self.objects[index].now.as_mut() {
            now.mode = mode;
        }
        Ok(if untouched && !merged { Carried::Current } else { Carried::Merged })
    }

    fn put_new(&mut self, by: usize, path: &DocPath, held: Held) -> Result<(), E> {
        self.count(by, held.content.len())?;
        self.create(by, path, Cow::Owned(held.content), Some(held.mode));
        Ok(())
    }

    fn rewrite(&mut self, by: usize, index: usize, held: Held) -> Result<(), E> {
        self.set(by, index, held.content)?;
        if let Some(now) = self.objects[index].now.as_mut() {
            now.mode = held.mode;
        }
        Ok(())
    }
}

/// What becomes of content that both sides may have changed.
fn three_ways(change: &Transplant<'_>, before: &Held, now: &Held, after: &Held) -> Ways {
    if now.content == after.content || before.content == after.content {
        return Ok(Ok(Content::Now));
    }
    if before.content == now.content {
        return Ok(Ok(Content::After(after.content.clone())));
    }
    let choice = change.choice;
    let whole = |kind, detail: String, said: String, places| {
        Ok(match chosen(choice) {
            Some(Side::Now | Side::Base) => Ok(Content::Now),
            Some(Side::After) => Ok(Content::Merged(after.content.clone())),
            _ => Err(Box::new(Conflict { places, ..of(change, kind, detail, said) })),
        })
    };
    let to = &change.to;
    // Content may have been put beside the edits: they count only where they are the whole change.
    if !change.edits.is_empty() && edited(to, change.edits, &before.content)? == Ok(after.content.clone()) {
        return json_ways(change, before, now, after, &whole);
    }
    if [before, now, after].iter().any(|side| side.content.contains(&0)) {
        let detail = format!("{to} was changed on both sides, and it is not text.");
        let said = format!("{to} diubah di kedua sisi, dan isinya bukan teks.");
        return whole(ConflictKind::Binary, detail, said, Vec::new());
    }
    let merge = merge::merge(&before.content, &now.content, &after.content);
    let merged = match (merge.clean(), choice) {
        (Some(clean), _) => Some(clean),
        (None, Some(choice)) => merge.take(&choice.sides),
        (None, None) => None,
    };
    let Some(merged) = merged else {
        let regions = regions(&merge, &now.content);
        let detail = format!("{to} was changed on both sides in the same place.");
        let said = format!("{to} diubah di kedua sisi pada tempat yang sama.");
        return Ok(Err(Box::new(Conflict { regions, ..of(change, ConflictKind::Text, detail, said) })));
    };
    // Neither broken nor with a member twice, if none of the three was.
    let whole_json = |content: &[u8]| structured(content) && crate::json::parse(content).is_ok();
    let all = [before, now, after].iter().all(|held| whole_json(&held.content));
    if all && !whole_json(&merged) {
        let detail = format!("{to} merged line by line would no longer be sound JSON.");
        let said = format!("{to} bila digabung baris demi baris tidak lagi berupa JSON yang utuh.");
        // What was chosen for its regions was not chosen for the whole of it.
        if merge.clean().is_none() {
            return Ok(Err(Box::new(of(change, ConflictKind::Json, detail, said))));
        }
        return whole(ConflictKind::Json, detail, said, Vec::new());
    }
    Ok(Ok(Content::Merged(merged)))
}

/// Decides a conflict of a document as a whole: by what was chosen, or by asking.
type Whole<'a> = &'a dyn Fn(ConflictKind, String, String, Vec<json_edit::Clash>) -> Ways;

/// What came of it: a conflict is an answer, and not a failure.
type Ways = Result<Result<Content, Box<Conflict>>, Refusal>;

/// The same for edits of JSON values: they are made again on what is there, where everything that
/// they read or write still has the value that it had.
fn json_ways(change: &Transplant<'_>, before: &Held, now: &Held, after: &Held, whole: Whole<'_>) -> Ways {
    let to = &change.to;
    let mut places: Vec<json_edit::Clash> = Vec::new();
    for (form, patch) in change.edits {
        for clash in json_edit::clashes(*form, patch, &before.content, &now.content, &after.content)? {
            if !places.iter().any(|place| place.pointer == clash.pointer) {
                places.push(clash);
            }
        }
    }
    if !places.is_empty() {
        let detail = format!("{to} was changed on both sides in the same values.");
        let said = format!("{to} diubah di kedua sisi pada nilai yang sama.");
        return whole(ConflictKind::Json, detail, said, places);
    }
    let content = match edited(to, change.edits, &now.content)? {
        Ok(content) => content,
        // What the edit needs is not there any more.
        Err(refusal) => {
            let said = refusal.sentence(crate::Lang::Id);
            return whole(ConflictKind::Json, refusal.detail, said, Vec::new());
        }
    };
    Ok(Ok(if content == now.content { Content::Now } else { Content::Merged(content) }))
}

/// What edits of JSON values make of a content, or why they cannot be made on it.
fn edited(
    path: &DocPath,
    edits: &[(JsonForm, Vec<u8>)],
    content: &[u8],
) -> Result<Result<Vec<u8>, Refusal>, Refusal> {
    let mut content = content.to_vec();
    for (form, patch) in edits {
        match json_edit::apply(*form, "patch", path, &content, patch) {
            Ok(edited) => content = edited,
            Err(refusal) if refusal.code == crate::Code::LimitExceeded => return Err(refusal),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    Ok(Ok(content))
}

/// The one side that was chosen for a conflict as a whole.
fn chosen(choice: Option<&Choice>) -> Option<Side> {
    choice?.whole()
}

/// JSON with members or elements; a lone number in a text file is not meant.
fn structured(content: &[u8]) -> bool {
    matches!(content.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn of(change: &Transplant<'_>, kind: ConflictKind, detail: String, said: String) -> Conflict {
    Conflict::new(&change.to, Some(&change.at), kind, detail, said)
}

fn conflict(
    path: &DocPath,
    from: Option<&DocPath>,
    kind: ConflictKind,
    detail: String,
    said: String,
) -> Carried {
    Carried::Conflict(Box::new(Conflict::new(path, from, kind, detail, said)))
}

impl After<'_> {
    /// The same, with bytes of its own.
    pub fn into_owned(self) -> After<'static> {
        match self {
            After::Content(content) => After::Content(Cow::Owned(content.into_owned())),
            After::Same => After::Same,
        }
    }
}
