//! A change that was made on one version of a document, carried onto the one that is there now: what
//! rebase does with a proposal's changes, and revert with the inverse of applied ones. Clean only
//! where nothing that it reads or writes has changed; else a conflict, which a person decides.

use std::borrow::Cow;

use super::overlay::{Now, STANDS, Step};
use super::ways::{Content, three_ways};
use super::{After, Home, Overlay};
use crate::change::{JsonForm, Mode, SubmittedBase, Version};
use crate::conflict::{Choice, Conflict, ConflictKind};
use crate::hash::ContentHash;
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

/// A change from `before` to `after`, to be carried onto what its document is now.
#[derive(Debug)]
pub struct Transplant<'a> {
    /// Where the document was.
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

/// A change of a step, as far as the others must know it.
#[derive(Debug, Clone, Copy)]
pub struct Part<'p> {
    /// Its number.
    pub by: usize,
    /// Where its document was.
    pub at: &'p DocPath,
    /// Which version of it the change was made on; `None` is *absent*.
    pub was: Option<&'p Version>,
    /// It takes the document away from there.
    pub leaves: bool,
}

/// What came of carrying a change, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Transplanted {
    /// What came of it.
    pub carried: Carried,
    /// Where others have moved its document, if they did: the change was made there.
    pub moved_to: Option<DocPath>,
    /// Of a conflict: where in the room the document stands that it is with, if it does.
    pub stands: Option<DocPath>,
}

impl Transplanted {
    /// Whether a person must decide.
    pub const fn is_conflict(&self) -> bool {
        matches!(self.carried, Carried::Conflict(_))
    }
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

impl<E: From<Refusal>> Overlay<'_, '_, E> {
    /// Begins a step whose parts happen at once, and finds the document of each: the one that was that very
    /// version, wherever it stands now; where there is none, what has come in its stead and is no other
    /// part's.
    ///
    /// # Errors
    /// What the snapshot fails with.
    pub fn begin<'p>(&mut self, parts: impl IntoIterator<Item = Part<'p>>) -> Result<(), E> {
        self.step = Step::default();
        let mut lost = Vec::new();
        for part in parts {
            let Some(was) = part.was else { continue };
            let instead = match self.room.home(part.at, was)? {
                Home::At(home) => {
                    let it = self.of_room(&home)?.filter(|index| !self.objects[*index].made_here);
                    if self.made_on(&part, it) {
                        continue;
                    }
                    None
                }
                Home::Instead(path) => Some(path),
                Home::Gone => None,
            };
            lost.push((part, instead));
        }
        for (part, instead) in lost {
            // What an earlier step has made at the path is in no room.
            let made = self.find(part.at)?.filter(|index| self.objects[*index].made_here);
            if self.made_on(&part, made) {
                continue;
            }
            if let Some(path) = instead {
                let other = self.of_room(&path)?.filter(|index| !self.objects[*index].made_here);
                if self.made_on(&part, other) {
                    self.step.anew.insert(part.by);
                }
            }
        }
        Ok(())
    }

    /// Says which object a part is made on, unless that is gone or another part's.
    fn made_on(&mut self, part: &Part<'_>, index: Option<usize>) -> bool {
        let stands = index.filter(|index| self.objects[*index].now.is_some());
        let Some(index) = stands.filter(|index| self.step.claimed.insert(*index)) else { return false };
        self.step.made_on.insert(part.by, index);
        self.step.leaving.extend(part.leaves.then_some(index));
        true
    }

    /// Carries one change of the step that was begun.
    ///
    /// # Errors
    /// `limit.exceeded` where a merged document is too large; what the snapshot fails with.
    pub fn transplant(&mut self, by: usize, mut change: Transplant<'_>) -> Result<Transplanted, E> {
        let (at, to, choice) = (change.at.clone(), change.to.clone(), change.choice);
        let mut standing = match &change.before {
            // What leaves in this step is not in the way of what comes.
            None => self.make_way(&to)?,
            Some(_) => self.step.made_on.get(&by).copied(),
        };
        let mut moved_to = None;
        let mut carried = None;
        if let (Some(_), Some(index)) = (&change.before, standing) {
            let now = &self.objects[index].now.as_ref().expect(STANDS).path;
            if now.key() != at.key() {
                let now = now.clone();
                moved_to = Some(now.clone());
                carried = self.followed(&mut change, now, index)?;
                if carried.is_some() && change.after.is_some() {
                    // What is asked is whether it moves to where the change says.
                    standing = None;
                }
            }
        }
        let carried = match carried {
            Some(carried) => carried,
            None => self.carry_here(by, change, standing, &to)?,
        };
        if let Some(index) = self.step.made_on.get(&by).copied()
            && self.step.leaving.contains(&index)
        {
            self.stays_after_all(index)?;
        }
        let stands = match &carried {
            Carried::Conflict(conflict) => {
                let other = match conflict.kind {
                    ConflictKind::Occupied => self.find(&to)?,
                    _ => standing.or_else(|| self.step.made_on.get(&by).copied()),
                };
                other.and_then(|other| self.path_in_room(other))
            }
            _ => None,
        };
        let carried = match carried {
            // A conflict is with what stands there, and named as the change is, wherever the document is.
            Carried::Conflict(conflict) => {
                let now = self.standing_at(standing, &to)?;
                let from = (at != to).then_some(at);
                let moved_to = moved_to.clone();
                let mut conflict = Conflict { now, path: to, from, moved_to, ..*conflict };
                let given = choice.filter(|choice| choice.now.is_none_or(|chosen_for| chosen_for == now));
                let one =
                    |choice: &Choice| matches!(choice.whole(), Some(Side::Now | Side::After | Side::Base));
                if conflict.regions.is_empty() && given.is_some_and(|choice| !one(choice)) {
                    conflict.detail += " It needs one side for the whole: now, after or base.";
                    conflict.said += " Perlu satu sisi untuk seluruhnya: now, after, atau base.";
                }
                Carried::Conflict(Box::new(conflict))
            }
            Carried::Current if moved_to.is_some() => Carried::Merged,
            carried => carried,
        };
        Ok(Transplanted { carried, moved_to, stands })
    }

    fn carry_here(
        &mut self,
        by: usize,
        mut change: Transplant<'_>,
        standing: Option<usize>,
        to: &DocPath,
    ) -> Result<Carried, E> {
        let chosen_for = change.choice.and_then(|choice| choice.now);
        if chosen_for.is_some() && chosen_for != Some(self.standing_at(standing, to)?) {
            change.choice = None;
        }
        match (&change.before, standing) {
            (None, _) => self.carry_creation(by, change, standing),
            (Some(_), None) => self.carry_onto_nothing(by, change),
            (Some(_), Some(index)) => {
                let now = self.objects[index].now.as_ref().expect(STANDS);
                let (mode, path) = (now.mode, now.path.clone());
                let now = Held { content: self.content(index)?, mode };
                self.carry_onto(by, &change, index, &path, &now)
            }
        }
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
        let (at, deletes) = (change.at.clone(), change.after.is_none());
        let moves = change.to != change.at;
        if deletes || (moves && change.to.key() != moved.key()) {
            let there = self.held_at(index);
            // That it goes is asked of what it is now; that it moves, of what stands where it would.
            let asked_of = if deletes { there } else { self.standing_at(None, &change.to)? };
            // A choice may be for this, or for what is asked once it is followed.
            let meant = |choice: &&Choice| choice.now.is_none_or(|now| now == there || now == asked_of);
            let is_for_this = |choice: &Choice| choice.now.is_none_or(|now| now == asked_of);
            let leaves_it = |choice: &Choice| matches!(choice.whole(), Some(Side::Now | Side::Base));
            match change.choice.filter(meant) {
                Some(choice) if is_for_this(choice) && leaves_it(choice) => return Ok(Some(Carried::Done)),
                // What its content is to be is asked once it is followed.
                Some(choice) if !deletes && choice.now == Some(there) && there != asked_of => {}
                Some(choice) if self.consents(change, choice, index)? => {}
                _ => {
                    let changed =
                        change.before.as_ref().is_some_and(|before| held(before) != there) && deletes;
                    let (detail, said) = if changed {
                        (
                            format!(
                                "{at} has moved to {moved} meanwhile and changed there, and this deletes it."
                            ),
                            format!(
                                "{at} sudah pindah ke {moved} dan berubah di sana, sedangkan ini menghapusnya."
                            ),
                        )
                    } else if deletes {
                        (
                            format!("{at} has moved to {moved} meanwhile, and this deletes it."),
                            format!(
                                "{at} sudah pindah ke {moved} sementara itu, sedangkan ini menghapusnya."
                            ),
                        )
                    } else {
                        let to = &change.to;
                        (
                            format!("{at} has moved to {moved} meanwhile, and this moves it to {to}."),
                            format!(
                                "{at} sudah pindah ke {moved} sementara itu, sedangkan ini memindahkannya ke {to}."
                            ),
                        )
                    };
                    return Ok(Some(conflict(&change.to, Some(&at), ConflictKind::Deleted, detail, said)));
                }
            }
        }
        if !moves {
            change.to = moved.clone();
        }
        change.at = moved;
        Ok(None)
    }

    /// Whether a choice takes the change to where its document has moved: it says so, or has a side for each
    /// place of the conflict that is asked about after that.
    fn consents(&mut self, change: &Transplant<'_>, choice: &Choice, index: usize) -> Result<bool, E> {
        if choice.whole() == Some(Side::After) {
            return Ok(true);
        }
        let (Some(before), Some(after)) = (&change.before, &change.after) else { return Ok(false) };
        let now = self.content(index)?;
        let places = merge::merge(&before.content, &now, &after.content).conflicts().count();
        Ok(places > 0 && places == choice.sides.len())
    }

    /// What stands where the change would be made; of one that is gone, where it would come to.
    fn standing_at(&mut self, standing: Option<usize>, to: &DocPath) -> Result<SubmittedBase, E> {
        let index = match standing {
            Some(index) => Some(index),
            // What leaves in this step is in nobody's way.
            None => self.find(to)?.filter(|index| !self.step.leaving.contains(index)),
        };
        // What this step has taken away already is not there.
        let index = index.filter(|index| self.objects[*index].now.is_some());
        Ok(index.map_or(SubmittedBase::Absent, |index| self.held_at(index)))
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
        let now = self.objects[index].now.as_ref().expect(STANDS);
        let same_path = now.path == change.to;
        let mode = now.mode;
        // What another change of this step is made on is neither replaced beside it, nor what this one made:
        // it will be changed, or go.
        let replaceable = same_path && !self.step.claimed.contains(&index);
        if replaceable && mode == after.mode && self.content(index)? == after.content {
            return Ok(Carried::Done);
        }
        match chosen(change.choice) {
            Some(Side::Now | Side::Base) => return Ok(Carried::Done),
            Some(Side::After) if replaceable => {
                self.rewrite(by, index, after)?;
                return Ok(Carried::Merged);
            }
            _ => {}
        }
        let other = self.objects[index].now.as_ref().expect(STANDS).path.clone();
        if !replaceable {
            return Ok(taken(&change.to, None, &other));
        }
        Ok(conflict(
            &change.to,
            None,
            ConflictKind::Created,
            format!("{other} has been created meanwhile, with other content."),
            format!("{other} sudah dibuat sementara itu, dengan isi lain."),
        ))
    }

    fn carry_onto_nothing(&mut self, by: usize, change: Transplant<'_>) -> Result<Carried, E> {
        let Some(after) = change.after else { return Ok(Carried::Done) };
        // A move that somebody else has made already, unless it is what another change of this step is made on.
        if change.to.key() != change.at.key()
            && let Some(index) = self.find(&change.to)?.filter(|index| !self.step.claimed.contains(index))
        {
            let mode = self.objects[index].now.as_ref().map(|now| now.mode);
            if mode == Some(after.mode) && self.content(index)? == after.content {
                return Ok(Carried::Done);
            }
        }
        let leaves_it = matches!(chosen(change.choice), Some(Side::Now | Side::Base));
        let other = self.make_way(&change.to)?;
        if leaves_it {
            return Ok(Carried::Done);
        }
        let (at, to) = (&change.at, &change.to);
        let from = (at != to).then_some(at);
        if let Some(other) = other {
            let other = self.objects[other].now.as_ref().expect(STANDS).path.clone();
            if from.is_some() {
                return Ok(taken(to, from, &other));
            }
            return Ok(conflict(
                to,
                None,
                ConflictKind::Occupied,
                format!("The document that this changes was deleted, and {other} is another one by now."),
                format!("Dokumen yang diubah ini sudah dihapus, dan {other} kini dokumen lain."),
            ));
        }
        if chosen(change.choice) == Some(Side::After) {
            self.put_new(by, to, after)?;
            return Ok(Carried::Merged);
        }
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
            self.take_away(index);
            return Ok(if untouched { Carried::Current } else { Carried::Merged });
        };
        let moves = change.to != change.at;
        // Without room for it nothing else needs to be asked.
        if moves
            && change.to.key() != path.key()
            && let Some(other) = self.make_way(&change.to)?
        {
            if matches!(chosen(change.choice), Some(Side::Now | Side::Base)) {
                return Ok(Carried::Done);
            }
            let other = self.objects[other].now.as_ref().expect(STANDS).path.clone();
            return Ok(taken(&change.to, Some(&change.at), &other));
        }
        // A move or a mode says nothing of the content: it may be meant for the one that was deleted alone.
        let another = self.step.anew.contains(&by) && before != now && before.content == after.content;
        if another && chosen(change.choice) != Some(Side::After) {
            if matches!(chosen(change.choice), Some(Side::Now | Side::Base)) {
                return Ok(Carried::Done);
            }
            return Ok(conflict(
                &change.to,
                Some(&change.at),
                ConflictKind::Created,
                format!(
                    "{path} was deleted and made anew meanwhile, with other content, and this changes where or what kind of file it is."
                ),
                format!(
                    "{path} sudah dihapus lalu dibuat lagi dengan isi lain, sedangkan ini mengubah letak atau jenis berkasnya."
                ),
            ));
        }
        if moves {
            let now = self.take_away(index);
            self.stand(by, index, Now { path: change.to.clone(), ..now });
        }
        self.work(change.edits.len() as u64 * now.content.len() as u64)?;
        let content = match three_ways(change, before, now, after)? {
            Ok(content) => content,
            Err(conflict) => return Ok(Carried::Conflict(conflict)),
        };
        let mode = if after.mode == before.mode { now.mode } else { after.mode };
        let (content, merged) = match content {
            Content::Now => (None, false),
            Content::After(content) => (Some(content), false),
            Content::Merged(content) => (Some(content), true),
        };
        if content.is_none() && mode == now.mode && !moves {
            return Ok(Carried::Done);
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

/// The one side that was chosen for a conflict as a whole.
pub(super) fn chosen(choice: Option<&Choice>) -> Option<Side> {
    choice?.whole()
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

/// There is no room for a document: where it would come, another one stands, and is not of this change.
fn taken(to: &DocPath, from: Option<&DocPath>, other: &DocPath) -> Carried {
    let (detail, said) = match from {
        Some(from) => (
            format!(
                "{from} cannot move to {to}: {other} is there now. Leave it where it is, or make room in a proposal of its own."
            ),
            format!(
                "{from} tidak dapat pindah ke {to}: kini ada {other} di sana. Biarkan di tempatnya, atau kosongkan tempat itu lewat usulan tersendiri."
            ),
        ),
        None => (
            format!(
                "{to} cannot be created: {other} is there now. Leave it out, or make room in a proposal of its own."
            ),
            format!(
                "{to} tidak dapat dibuat: kini ada {other} di sana. Lewati saja, atau kosongkan tempat itu lewat usulan tersendiri."
            ),
        ),
    };
    conflict(to, from, ConflictKind::Occupied, detail, said)
}

/// What a side holds.
fn held(side: &Held) -> SubmittedBase {
    SubmittedBase::Content(ContentHash::of(&side.content))
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
