//! Documents as a submission leaves them, over the documents of one snapshot.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::refuse::{Crowded, Nested, another_base, collision, no_document, outdated, too_much_work};
use super::{After, Current, Resolved, Snapshot, field_of};
use crate::change::{Mode, MovedHunk, Op, SubmittedBase};
use crate::code::Code;
use crate::hash::ContentHash;
use crate::limit;
use crate::path::{DocPath, lies_below, tree_order};
use crate::refusal::Refusal;

/// The documents of one snapshot with what has been done to them.
pub struct Overlay<'a, 'l, E> {
    pub(super) objects: Vec<Object<'a>>,
    /// Which object stands at a path's key; `None` where the submission has emptied it.
    pub(super) at: HashMap<String, Option<usize>>,
    /// Which object the room has at a path's key.
    origins: HashMap<String, usize>,
    /// What is to be done at once.
    pub(super) step: Step,
    /// What cannot be, because a document that was to leave stays.
    crowded: Vec<Crowded>,
    /// Bytes of content that were made here, and not by the submitter.
    made: usize,
    /// Bytes that were read and made on the way, never fewer.
    worked: u64,
    /// What names the changes in a refusal, where the request has no numbered ones.
    named: Option<&'static str>,
    /// Changes that are patches: what they name stands in their diff.
    pub(super) patches: HashSet<usize>,
    pub(super) room: &'l mut dyn Snapshot<E>,
}

/// The parts of a submission that are done at once.
#[derive(Default)]
pub(super) struct Step {
    /// Objects that a later part takes away: until then another document may come to stand in their place,
    /// so that two may swap.
    pub(super) leaving: HashSet<usize>,
    /// What was stepped over so, by the key of its path.
    pub(super) aside: HashMap<String, usize>,
    /// The object that each part is made on, by the part's number.
    pub(super) made_on: HashMap<usize, usize>,
    /// All of those.
    pub(super) claimed: HashSet<usize>,
    /// The parts whose document was deleted: they are made on the one that was made anew.
    pub(super) anew: HashSet<usize>,
}

/// One document through the submission: where it came from, and where it is now.
pub(super) struct Object<'a> {
    pub(super) origin: Option<Current>,
    pub(super) now: Option<Now<'a>>,
    /// The change that put it where it is now.
    pub(super) by: usize,
    /// It was made here, perhaps in place of one that went.
    pub(super) made_here: bool,
    pub(super) moved: Vec<MovedHunk>,
}

/// A document where it stands.
#[derive(Clone)]
pub(super) struct Now<'a> {
    pub(super) path: DocPath,
    pub(super) after: After<'a>,
    pub(super) mode: Mode,
}

impl<'a, 'l, E: From<Refusal>> Overlay<'a, 'l, E> {
    /// An overlay on which nothing was done.
    pub fn new(room: &'l mut dyn Snapshot<E>) -> Self {
        Self {
            objects: Vec::new(),
            at: HashMap::new(),
            origins: HashMap::new(),
            step: Step::default(),
            crowded: Vec::new(),
            made: 0,
            worked: 0,
            named: None,
            patches: HashSet::new(),
            room,
        }
    }

    /// The same, where what is done comes of a request that has no numbered changes: this is its field.
    #[must_use]
    pub fn naming(self, field: &'static str) -> Self {
        Self { named: Some(field), ..self }
    }

    /// Begins a step whose parts happen at once: each of these paths is taken away by one of them.
    pub(super) fn leave<'p>(&mut self, taken: impl IntoIterator<Item = &'p DocPath>) -> Result<(), E> {
        self.step = Step::default();
        for path in taken {
            let index = self.find(path)?;
            self.step.leaving.extend(index);
        }
        Ok(())
    }

    /// The net changes that all of it comes to, perhaps none.
    ///
    /// # Errors
    /// `path.collision` where a document would stand in another's folder; `limit.exceeded` where there are
    /// too many; what the snapshot fails with.
    pub fn finish(mut self) -> Result<Vec<Resolved<'a>>, E> {
        if let Some(nested) = self.nested()?.first() {
            return Err(nested.refusal(self.place_of(nested.by)).into());
        }
        let net: Vec<_> = self.objects.into_iter().filter_map(net_of).collect();
        if net.len() > limit::CHANGES {
            return Err(Refusal::limit("changes", "a proposal", limit::CHANGES, net.len(), "changes").into());
        }
        Ok(net)
    }

    /// Which object stands at a path.
    pub(super) fn find(&mut self, path: &DocPath) -> Result<Option<usize>, E> {
        if let Some(known) = self.at.get(path.key()) {
            return Ok(*known);
        }
        let found = self.room.at(path)?.map(|current| self.know(path, current));
        self.at.insert(path.key().to_owned(), found);
        Ok(found)
    }

    /// The object that the room has at a path, wherever it stands here.
    pub(super) fn of_room(&mut self, path: &DocPath) -> Result<Option<usize>, E> {
        match self.origins.get(path.key()) {
            Some(index) => Ok(Some(*index)),
            // Looked for in vain.
            None if self.at.contains_key(path.key()) => Ok(None),
            None => self.find(path),
        }
    }

    fn know(&mut self, path: &DocPath, current: Current) -> usize {
        let now = Now { path: current.path.clone(), after: After::Same, mode: current.version.mode };
        self.objects.push(Object {
            origin: Some(current),
            now: Some(now),
            by: 0,
            made_here: false,
            moved: Vec::new(),
        });
        let index = self.objects.len() - 1;
        self.origins.insert(path.key().to_owned(), index);
        index
    }

    /// A base that the submission carries is compared with the room, not with what the submission has
    /// done so far. One that was current once becomes what the change is made on.
    pub(super) fn carry(
        &mut self,
        by: usize,
        member: &str,
        path: &DocPath,
        base: Option<SubmittedBase>,
    ) -> Result<(), E> {
        let Some(base) = base else { return Ok(()) };
        let matches = |current: Option<&Current>| match (&base, current) {
            (SubmittedBase::Absent, None) => true,
            (SubmittedBase::Content(hash), Some(current)) => *hash == current.version.hash,
            _ => false,
        };
        if self.at.contains_key(path.key()) {
            let origin = self.origins.get(path.key());
            let origin = origin.and_then(|index| self.objects[*index].origin.as_ref());
            return if matches(origin) {
                Ok(())
            } else {
                Err(another_base(by, member, path, base, origin).into())
            };
        }
        let current = self.room.at(path)?;
        if matches(current.as_ref()) {
            return Ok(());
        }
        let found = match &base {
            SubmittedBase::Absent => None,
            SubmittedBase::Content(hash) => match self.room.once(path, hash)? {
                Some(version) => Some(self.know(path, version)),
                None => return Err(outdated(by, member, path, base, current.as_ref()).into()),
            },
        };
        self.at.insert(path.key().to_owned(), found);
        Ok(())
    }

    pub(super) fn put(
        &mut self,
        by: usize,
        path: &DocPath,
        content: Cow<'a, [u8]>,
        mode: Option<Mode>,
    ) -> Result<(), E> {
        if let Some(index) = self.find(path)? {
            let object = &mut self.objects[index];
            let now = object.now.take().expect(STANDS);
            let touched = object.origin.as_ref().is_none_or(|origin| origin.path != now.path);
            if touched && now.path != *path {
                return Err(collision(self.place_of(by), path, &now.path).into());
            }
            let mode = mode.unwrap_or(now.mode);
            object.now = Some(Now { path: now.path, after: After::Content(content), mode });
            return Ok(());
        }
        self.create(by, path, content, mode);
        Ok(())
    }

    /// A new document where nothing stands. What this submission deleted and puts again is one
    /// replacement, checked against its base.
    pub(super) fn create(
        &mut self,
        by: usize,
        path: &DocPath,
        content: Cow<'a, [u8]>,
        mode: Option<Mode>,
    ) -> usize {
        let deleted = |index: &usize| self.objects[*index].now.is_none();
        let index = self.origins.get(path.key()).copied().filter(deleted).unwrap_or_else(|| {
            self.objects.push(Object { origin: None, now: None, by, made_here: true, moved: Vec::new() });
            self.objects.len() - 1
        });
        let object = &mut self.objects[index];
        let present = object.origin.as_ref().map_or(Mode::Plain, |origin| origin.version.mode);
        let mode = mode.unwrap_or(present);
        object.now = Some(Now { path: path.clone(), after: After::Content(content), mode });
        object.by = by;
        object.made_here = true;
        self.at.insert(path.key().to_owned(), Some(index));
        index
    }

    /// Changes the content of the document at a path.
    pub(super) fn edit(
        &mut self,
        by: usize,
        path: &DocPath,
        edit: impl FnOnce(&str, &[u8]) -> Result<Vec<u8>, Refusal>,
    ) -> Result<(), E> {
        let Some(index) = self.find(path)? else {
            return Err(no_document(by, "path", path).into());
        };
        let content = self.content(index)?;
        let edited = edit(&field_of(by), &content)?;
        drop(content);
        self.set(by, index, edited)
    }

    /// The content of an object that stands.
    pub(super) fn content(&mut self, index: usize) -> Result<Vec<u8>, E> {
        self.work(self.length(index))?;
        let object = &self.objects[index];
        let now = object.now.as_ref().expect(STANDS);
        match (&now.after, &object.origin) {
            (After::Content(content), _) => Ok(content.to_vec()),
            (After::Same, Some(origin)) => self.room.content(origin),
            (After::Same, None) => unreachable!("what has no origin has content of its own"),
        }
    }

    fn length(&self, index: usize) -> u64 {
        let object = &self.objects[index];
        match (&object.now.as_ref().expect(STANDS).after, &object.origin) {
            (After::Content(content), _) => content.len() as u64,
            (After::Same, origin) => origin.as_ref().map_or(0, |origin| origin.version.bytes),
        }
    }

    /// Counts what is about to be read or made.
    pub(super) fn work(&mut self, bytes: u64) -> Result<(), E> {
        self.worked = self.worked.saturating_add(bytes);
        if self.worked > limit::WORK_BYTES {
            return Err(too_much_work(self.named.unwrap_or("changes"), self.worked).into());
        }
        Ok(())
    }

    /// Does something with the content of an object that stands.
    pub(super) fn with_content<T>(&mut self, index: usize, work: impl Fn(&[u8]) -> T) -> Result<T, E> {
        self.work(self.length(index))?;
        let object = &self.objects[index];
        let now = object.now.as_ref().expect(STANDS);
        if let After::Content(content) = &now.after {
            return Ok(work(content));
        }
        let origin = object.origin.as_ref().expect("what has no origin has content of its own");
        let mut done = None;
        self.room.with_content(origin, &mut |content| done = Some(work(content)))?;
        Ok(done.expect("the snapshot has the work done"))
    }

    /// Gives an object that stands content that was made here.
    pub(super) fn set(&mut self, by: usize, index: usize, content: Vec<u8>) -> Result<(), E> {
        // What it replaces is no longer there.
        if let Some(Now { after: After::Content(Cow::Owned(old)), .. }) = &self.objects[index].now {
            self.made = self.made.saturating_sub(old.len());
        }
        self.count(by, content.len())?;
        let now = self.objects[index].now.as_mut().expect(STANDS);
        now.after = After::Content(Cow::Owned(content));
        Ok(())
    }

    /// What is made of a small submission may be large: copies, and what a short patch unpacks to.
    pub(super) fn count(&mut self, by: usize, bytes: usize) -> Result<(), E> {
        let field = self.named.map_or_else(|| field_of(by), str::to_owned);
        if bytes > limit::CONTENT_BYTES {
            return Err(Refusal::limit(field, "a document", limit::CONTENT_BYTES, bytes, "bytes").into());
        }
        self.made += bytes;
        if self.made > limit::SUBMISSION_BYTES {
            let what = "what a proposal makes";
            return Err(Refusal::limit(field, what, limit::SUBMISSION_BYTES, self.made, "bytes").into());
        }
        self.work(bytes as u64)
    }

    /// Takes the document at a path away, to put it elsewhere or nowhere.
    pub(super) fn take(&mut self, by: usize, name: &str, path: &DocPath) -> Result<(usize, Now<'a>), E> {
        // What stands aside was there before what has come.
        let standing = match self.step.aside.get(path.key()) {
            Some(index) => Some(*index),
            None => self.find(path)?,
        };
        let Some(index) = standing else {
            return Err(no_document(by, name, path).into());
        };
        Ok((index, self.take_away(index)))
    }

    /// Takes an object away from where it stands.
    pub(super) fn take_away(&mut self, index: usize) -> Now<'a> {
        let now = self.objects[index].now.take().expect(STANDS);
        self.step.leaving.remove(&index);
        let key = now.path.key();
        if self.step.aside.get(key) == Some(&index) {
            self.step.aside.remove(key);
        } else {
            self.at.insert(key.to_owned(), None);
        }
        now
    }

    /// Whether a path is free for a document: nothing stands there, or what does leaves in this step.
    /// Says what is in the way.
    pub(super) fn make_way(&mut self, path: &DocPath) -> Result<Option<usize>, E> {
        let Some(other) = self.find(path)? else { return Ok(None) };
        if !self.step.leaving.contains(&other) {
            return Ok(Some(other));
        }
        self.step.aside.insert(path.key().to_owned(), other);
        self.at.insert(path.key().to_owned(), None);
        Ok(None)
    }

    /// Puts an object that was taken to stand at a free path.
    pub(super) fn stand(&mut self, by: usize, index: usize, now: Now<'a>) {
        self.at.insert(now.path.key().to_owned(), Some(index));
        let object = &mut self.objects[index];
        object.now = Some(now);
        object.by = by;
    }

    /// An object that a part of this step was to take away stays after all: nothing may come to its place.
    pub(super) fn stays_after_all(&mut self, index: usize) -> Result<(), E> {
        let leaves = self.step.leaving.remove(&index);
        let at = self.objects[index].now.as_ref().expect(STANDS).path.clone();
        if leaves
            && self.step.aside.get(at.key()) == Some(&index)
            && let Some(comes) = self.find(&at)?
        {
            let (by, stands) = (self.objects[comes].by, self.path_in_room(index));
            self.crowded.push(Crowded { by, now: self.held_at(index), at, stands });
        }
        Ok(())
    }

    /// The changes that would come to where a document stays, which was to leave.
    pub fn crowded(&mut self) -> Vec<Crowded> {
        std::mem::take(&mut self.crowded)
    }

    /// Where an object stands in the room, whatever has been done here.
    pub(super) fn path_in_room(&self, index: usize) -> Option<DocPath> {
        Some(self.objects[index].origin.as_ref()?.path.clone())
    }

    /// What an object that stands holds.
    pub(super) fn held_at(&self, index: usize) -> SubmittedBase {
        let object = &self.objects[index];
        SubmittedBase::Content(match (&object.now.as_ref().expect(STANDS).after, &object.origin) {
            (After::Content(content), _) => ContentHash::of(content),
            (After::Same, Some(origin)) => origin.version.hash,
            (After::Same, None) => unreachable!("what has no origin has content of its own"),
        })
    }

    pub(super) fn delete(&mut self, by: usize, path: &DocPath) -> Result<(), E> {
        self.take(by, "path", path).map(drop)
    }

    pub(super) fn rename(&mut self, by: usize, from: &DocPath, path: &DocPath) -> Result<(), E> {
        let (index, now) = self.take(by, "from", from)?;
        if let Some(other) = self.make_way(path)? {
            return Err(self.exists(by, path, other).into());
        }
        self.stand(by, index, Now { path: path.clone(), ..now });
        Ok(())
    }

    /// Where a change says the path of a document.
    fn place_of(&self, by: usize) -> String {
        format!("{}.{}", field_of(by), if self.patches.contains(&by) { "diff" } else { "path" })
    }

    /// The refusal of a place that is taken.
    pub(super) fn exists(&self, by: usize, path: &DocPath, other: usize) -> Refusal {
        let at = &self.objects[other].now.as_ref().expect(STANDS).path;
        if at != path {
            return collision(self.place_of(by), path, at);
        }
        let field = self.place_of(by);
        let detail = format!("{field}: {path} exists already; a document needs an empty place.");
        let said = format!("{field}: {path} sudah ada; dokumen perlu tempat yang kosong.");
        Refusal::field(Code::DocumentExists, field, detail)
            .said(said)
            .with(|f| f.value = Some(path.to_string()))
    }

    /// A document that goes and another that comes to its very path are one replacement.
    fn join_replaced(&mut self) {
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.origin.is_some() {
                continue;
            }
            let Some(now) = &object.now else { continue };
            let Some(gone) = self.origins.get(now.path.key()).copied() else { continue };
            if self.objects[gone].now.is_none() {
                let (now, moved) =
                    (self.objects[index].now.take(), std::mem::take(&mut self.objects[index].moved));
                (self.objects[gone].now, self.objects[gone].moved) = (now, moved);
            }
        }
    }

    /// A path is a document or a folder, never both: no file system could hold the two. Asked once
    /// for what comes of the whole submission, so that the order of its changes does not matter.
    ///
    /// # Errors
    /// What the snapshot fails with.
    pub fn nested(&mut self) -> Result<Vec<Nested>, E> {
        self.join_replaced();
        let mut found = Vec::new();
        let entered = |object: &Object<'a>| {
            let path = &object.now.as_ref()?.path;
            let stays = object.origin.as_ref().is_some_and(|origin| origin.path.key() == path.key());
            (!stays).then(|| (path.clone(), object.by))
        };
        let mut targets: Vec<(DocPath, usize)> = self.objects.iter().filter_map(entered).collect();
        targets.sort_by(|(a, _), (b, _)| tree_order(a.key(), b.key()));
        for [(folder, first), (path, second)] in targets.array_windows() {
            if lies_below(path.key(), folder.key()) {
                // The later of the two is the one that is in the way.
                let (by, at) = if second > first { (*second, path) } else { (*first, folder) };
                found.push(Nested::new(by, at, folder, path));
            }
        }
        for (path, by) in &targets {
            if let Some(folder) = self.room.above(path)?
                && self.stays(&folder.path)
            {
                found.push(Nested::new(*by, path, &folder.path, path));
                continue;
            }
            let mut after = None;
            loop {
                let page = self.room.below(path, after.as_ref())?;
                if let Some(inner) = page.iter().find(|inner| self.stays(&inner.path)) {
                    found.push(Nested::new(*by, path, path, &inner.path));
                    break;
                }
                // What is left over has been taken away by this submission.
                let Some(last) = page.into_iter().next_back() else { break };
                after = Some(last.path);
            }
        }
        Ok(found)
    }

    /// Whether a document of the room still stands once the submission is done.
    fn stays(&self, path: &DocPath) -> bool {
        self.at.get(path.key()).is_none_or(Option::is_some)
    }
}

/// Why an object that is found has a place.
pub(super) const STANDS: &str = "an object that `at` names is present";

fn net_of(object: Object<'_>) -> Option<Resolved<'_>> {
    let moved = object.moved;
    match (object.origin, object.now) {
        (None, None) => None,
        (None, Some(Now { path, after, mode })) => {
            let after = Some((after, mode));
            Some(Resolved { op: Op::Create, path, from: None, base: None, after, moved })
        }
        (Some(origin), None) => Some(Resolved {
            op: Op::Delete,
            path: origin.path,
            from: None,
            base: Some(origin.version),
            after: None,
            moved,
        }),
        (Some(origin), Some(Now { path, after, mode })) => {
            let base = origin.version;
            let same_content = match &after {
                After::Same => true,
                After::Content(bytes) => {
                    bytes.len() as u64 == base.bytes && ContentHash::of(bytes) == base.hash
                }
            };
            let after = Some((if same_content { After::Same } else { after }, mode));
            if path != origin.path {
                let from = Some(origin.path);
                return Some(Resolved { op: Op::Rename, path, from, base: Some(base), after, moved });
            }
            if same_content && mode == base.mode {
                return None;
            }
            Some(Resolved { op: Op::Replace, path, from: None, base: Some(base), after, moved })
        }
    }
}
