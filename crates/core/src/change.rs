//! What a proposal does to documents: submitted changes are resolved once, in order, on an overlay
//! of one snapshot, to net changes. Apply then only compares and swaps; nothing is guessed there.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::hash::{Commitment, ContentHash, FieldHasher};
use crate::path::{DocPath, lies_below, tree_order};
use crate::refusal::{Moved, Refusal};

/// The word for changes to the room's documents, in digests and entries.
pub const DOCUMENTS: &str = "documents";

/// A file mode, as git writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// An ordinary file.
    #[serde(rename = "100644")]
    Plain,
    /// An executable file.
    #[serde(rename = "100755")]
    Executable,
}

impl Mode {
    /// `100644` or `100755`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "100644",
            Self::Executable => "100755",
        }
    }

    /// Reads a mode.
    ///
    /// # Errors
    /// `proposal.invalid`, naming the mode.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        match text {
            "100644" => Ok(Self::Plain),
            "100755" => Ok(Self::Executable),
            other => {
                let (what, id) = match other {
                    "120000" => ("symbolic links are", "tautan simbolik"),
                    "160000" => ("submodules are", "submodul"),
                    "040000" => ("directories are", "folder"),
                    _ => ("this mode is", "mode ini"),
                };
                Err(Refusal::field(
                    Code::ProposalInvalid,
                    field,
                    format!("{field}: mode {other:?}: {what} not supported; 100644 and 100755 are."),
                )
                .said(format!(
                    "{field}: mode {other:?}: {id} tidak didukung; yang didukung 100644 dan 100755."
                ))
                .with(|f| f.value = Some(other.to_owned())))
            }
        }
    }
}

/// What happens to one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// A document appears.
    Create,
    /// Its content or mode changes.
    Replace,
    /// It moves, perhaps with other content.
    Rename,
    /// It goes.
    Delete,
}

impl Op {
    /// The word in digests, entries and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Rename => "rename",
            Self::Delete => "delete",
        }
    }

    /// Reads the word of a table.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Create, Self::Replace, Self::Rename, Self::Delete].into_iter().find(|op| op.as_str() == word)
    }
}

/// One side of a change: content with its mode. `hash` exists only in mutable tables; digests and
/// entries quote the commitment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Of the bare content.
    pub hash: ContentHash,
    /// Content and mode together are what a base means.
    pub mode: Mode,
    /// Of the content under its salt.
    pub commitment: Commitment,
    /// Size in bytes.
    pub bytes: u64,
}

/// One net change of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetChange {
    /// What happens.
    pub op: Op,
    /// The document's path afterwards; of a deleted one, before.
    pub path: DocPath,
    /// Where a renamed document was.
    pub from: Option<DocPath>,
    /// What must be there; `None` is *absent*, an explicit value.
    pub base: Option<Version>,
    /// What is there afterwards; `None` is *absent*.
    pub after: Option<Version>,
}

/// A document as a snapshot shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    /// The path exactly as stored.
    pub path: DocPath,
    /// What it holds.
    pub version: Version,
}

/// What a submission says the author had read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmittedBase {
    /// There was no document.
    Absent,
    /// The content had this hash.
    Content(ContentHash),
}

impl std::fmt::Display for SubmittedBase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Absent => f.write_str(crate::hash::ABSENT),
            Self::Content(hash) => hash.fmt(f),
        }
    }
}

/// One change as it was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    /// The whole content of a document.
    Put {
        /// The document.
        path: DocPath,
        /// Its whole new content.
        content: Vec<u8>,
        /// What the author had read, if they say so.
        base: Option<SubmittedBase>,
        /// The mode; by default the present one, or 100644.
        mode: Option<Mode>,
    },
    /// A document goes.
    Delete {
        /// The document.
        path: DocPath,
        /// What the author had read, if they say so.
        base: Option<SubmittedBase>,
    },
    /// A document moves.
    Rename {
        /// Where it is.
        from: DocPath,
        /// Where it goes; nothing may be there.
        path: DocPath,
        /// What the author had read of `from`, if they say so.
        base: Option<SubmittedBase>,
    },
}

impl Submitted {
    /// Feeds the change into a fingerprint: what was asked for, without salts.
    fn fingerprint(&self, hasher: FieldHasher) -> FieldHasher {
        let base_text = |base: &Option<SubmittedBase>| base.map(|b| b.to_string()).unwrap_or_default();
        let (hasher, base) = match self {
            Self::Put { path, content, base, mode } => (
                hasher
                    .field(b"put")
                    .field(path.as_str().as_bytes())
                    .field(ContentHash::of(content).as_bytes())
                    .field(mode.map_or("", Mode::as_str).as_bytes()),
                base,
            ),
            Self::Delete { path, base } => (hasher.field(b"delete").field(path.as_str().as_bytes()), base),
            Self::Rename { from, path, base } => (
                hasher.field(b"rename").field(from.as_str().as_bytes()).field(path.as_str().as_bytes()),
                base,
            ),
        };
        hasher.field(base_text(base).as_bytes())
    }
}

/// What a net change leaves, in the words of a table: all that its fingerprint takes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left<'a> {
    /// The path; of a deleted document, before.
    pub path: &'a str,
    /// Where a renamed document was.
    pub from: Option<&'a str>,
    /// SHA-256 of the content and the mode afterwards; `None` is *absent*.
    pub after: Option<(&'a [u8], &'a str)>,
}

impl NetChange {
    /// What it leaves.
    pub fn left(&self) -> Left<'_> {
        Left {
            path: self.path.as_str(),
            from: self.from.as_ref().map(DocPath::as_str),
            after: self.after.as_ref().map(|after| (&after.hash.as_bytes()[..], after.mode.as_str())),
        }
    }
}

/// The fingerprint of what net changes leave, in their order: equal ones are flagged as possible
/// duplicates, whatever form they were submitted in and whatever they were based on.
pub fn content_fingerprint<'a>(changes: impl IntoIterator<Item = Left<'a>>) -> [u8; 32] {
    let field_of = |hasher: FieldHasher, left: Left<'_>| {
        let (hash, mode) = left.after.unwrap_or_default();
        hasher
            .field(left.path.as_bytes())
            .field(left.from.unwrap_or_default().as_bytes())
            .field(hash)
            .field(mode.as_bytes())
    };
    changes.into_iter().fold(FieldHasher::new().field(b"sekali/content/2"), field_of).finish()
}

/// Adds every change, bases included, to the fingerprint of a whole submission.
pub(crate) fn submission_fingerprint(hasher: FieldHasher, changes: &[Submitted]) -> FieldHasher {
    changes.iter().fold(hasher, |h, change| change.fingerprint(h))
}

/// A resolved change before its commitments exist: those need salts, which need randomness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved<'a> {
    /// What happens.
    pub op: Op,
    /// The path afterwards; of a deleted document, before.
    pub path: DocPath,
    /// Where a renamed document was.
    pub from: Option<DocPath>,
    /// What must be there.
    pub base: Option<Version>,
    /// What is there afterwards: new content, or the content of `base` (a rename).
    pub after: Option<(After<'a>, Mode)>,
}

/// The content after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After<'a> {
    /// These bytes.
    Content(&'a [u8]),
    /// What the base holds.
    Same,
}

struct Object<'a> {
    origin: Option<Current>,
    now: Option<(DocPath, After<'a>, Mode)>,
    /// The change that put it where it is now.
    by: usize,
}

/// The documents of a room in one snapshot, as resolving asks for them.
pub trait Snapshot<E> {
    /// The document at this path, compared by its key.
    ///
    /// # Errors
    /// What reading fails with.
    fn at(&mut self, path: &DocPath) -> Result<Option<Current>, E>;

    /// The nearest document that stands where this path needs a folder.
    ///
    /// # Errors
    /// What reading fails with.
    fn above(&mut self, path: &DocPath) -> Result<Option<Current>, E>;

    /// The next documents for which this path is a folder, in the order of their keys, after one;
    /// none only where there are no more.
    ///
    /// # Errors
    /// What reading fails with.
    fn below(&mut self, path: &DocPath, after: Option<&DocPath>) -> Result<Vec<Current>, E>;
}

/// Resolves submitted changes to net changes against a snapshot.
///
/// # Errors
/// Refusals that name the change: `document.not_found`, `document.exists`, `path.collision`,
/// `proposal.stale` where a carried base is no longer current, `proposal.no_change` where nothing
/// is left; and whatever the snapshot fails with.
pub fn resolve<'a, E: From<Refusal>>(
    changes: &'a [Submitted],
    room: &mut dyn Snapshot<E>,
) -> Result<Vec<Resolved<'a>>, E> {
    let mut overlay = Overlay { objects: Vec::new(), at: HashMap::new(), origins: HashMap::new(), room };
    for (index, change) in changes.iter().enumerate() {
        match change {
            Submitted::Put { path, content, base, mode } => {
                overlay.put(index, path, content, *base, *mode)?;
            }
            Submitted::Delete { path, base } => overlay.delete(index, path, *base)?,
            Submitted::Rename { from, path, base } => overlay.rename(index, from, path, *base)?,
        }
    }
    overlay.check_folders()?;
    let net: Vec<_> = overlay.objects.into_iter().filter_map(net_of).collect();
    if net.is_empty() {
        return Err(Refusal::new(
            Code::ProposalNoChange,
            "The documents already have this content; nothing would change.",
        )
        .said("Isi dokumen sudah seperti ini; tidak ada yang akan berubah.")
        .into());
    }
    Ok(net)
}

fn net_of(object: Object<'_>) -> Option<Resolved<'_>> {
    match (object.origin, object.now) {
        (None, None) => None,
        (None, Some((path, after, mode))) => {
            Some(Resolved { op: Op::Create, path, from: None, base: None, after: Some((after, mode)) })
        }
        (Some(origin), None) => Some(Resolved {
            op: Op::Delete,
            path: origin.path,
            from: None,
            base: Some(origin.version),
            after: None,
        }),
        (Some(origin), Some((path, after, mode))) => {
            let base = origin.version;
            let same_content = match after {
                After::Same => true,
                After::Content(bytes) => {
                    bytes.len() as u64 == base.bytes && ContentHash::of(bytes) == base.hash
                }
            };
            let after = if same_content { After::Same } else { after };
            if path != origin.path {
                let from = Some(origin.path);
                return Some(Resolved {
                    op: Op::Rename,
                    path,
                    from,
                    base: Some(base),
                    after: Some((after, mode)),
                });
            }
            if same_content && mode == base.mode {
                return None;
            }
            Some(Resolved { op: Op::Replace, path, from: None, base: Some(base), after: Some((after, mode)) })
        }
    }
}

struct Overlay<'a, 'l, E> {
    objects: Vec<Object<'a>>,
    /// Which object stands at a path's key; `None` where the submission has emptied it.
    at: HashMap<String, Option<usize>>,
    /// Which object the room has at a path's key.
    origins: HashMap<String, usize>,
    room: &'l mut dyn Snapshot<E>,
}

impl<'a, E: From<Refusal>> Overlay<'a, '_, E> {
    fn find(&mut self, path: &DocPath) -> Result<Option<usize>, E> {
        if let Some(known) = self.at.get(path.key()) {
            return Ok(*known);
        }
        let found = self.room.at(path)?.map(|current| {
            let now = Some((current.path.clone(), After::Same, current.version.mode));
            self.objects.push(Object { origin: Some(current), now, by: 0 });
            let index = self.objects.len() - 1;
            self.origins.insert(path.key().to_owned(), index);
            index
        });
        self.at.insert(path.key().to_owned(), found);
        Ok(found)
    }

    /// A base that the submission carries is compared with the room, not with the overlay.
    fn check_base(&mut self, index: usize, path: &DocPath, base: Option<SubmittedBase>) -> Result<(), E> {
        let Some(base) = base else { return Ok(()) };
        let current = self.room.at(path)?;
        let holds = match (&base, &current) {
            (SubmittedBase::Absent, None) => true,
            (SubmittedBase::Content(hash), Some(current)) => *hash == current.version.hash,
            _ => false,
        };
        if holds {
            return Ok(());
        }
        let now = current.map_or_else(|| crate::hash::ABSENT.to_owned(), |c| c.version.hash.to_string());
        let field = field_of(index);
        Err(Refusal::field(
            Code::ProposalStale,
            format!("{field}.base"),
            format!(
                "{field}.base: {path} is no longer what the author had read: expected {base}, now {now}."
            ),
        )
        .said(format!(
            "{field}.base: {path} tidak lagi seperti yang dibaca pengusul: seharusnya {base}, kini {now}."
        ))
        .with(|f| {
            f.moved.push(Moved { path: path.to_string(), expected: base.to_string(), now, by: None });
        })
        .into())
    }

    fn put(
        &mut self,
        by: usize,
        path: &DocPath,
        content: &'a [u8],
        base: Option<SubmittedBase>,
        mode: Option<Mode>,
    ) -> Result<(), E> {
        self.check_base(by, path, base)?;
        if let Some(index) = self.find(path)? {
            let object = &mut self.objects[index];
            let (at, _, present) = object.now.take().expect("an object that `at` names is present");
            let touched = object.origin.as_ref().is_none_or(|origin| origin.path != at);
            if touched && at != *path {
                return Err(collision(by, path, &at).into());
            }
            object.now = Some((at, After::Content(content), mode.unwrap_or(present)));
            return Ok(());
        }
        // What this submission deleted and puts again is one replacement, checked against its base.
        let deleted = |index: &usize| self.objects[*index].now.is_none();
        let index = self.origins.get(path.key()).copied().filter(deleted).unwrap_or_else(|| {
            self.objects.push(Object { origin: None, now: None, by });
            self.objects.len() - 1
        });
        let object = &mut self.objects[index];
        let present = object.origin.as_ref().map_or(Mode::Plain, |origin| origin.version.mode);
        object.now = Some((path.clone(), After::Content(content), mode.unwrap_or(present)));
        object.by = by;
        self.at.insert(path.key().to_owned(), Some(index));
        Ok(())
    }

    fn take(
        &mut self,
        by: usize,
        name: &str,
        path: &DocPath,
    ) -> Result<(usize, (DocPath, After<'a>, Mode)), E> {
        let Some(index) = self.find(path)? else {
            let field = format!("{}.{name}", field_of(by));
            let detail = format!("{field}: there is no document {path}.");
            let said = format!("{field}: tidak ada dokumen {path}.");
            return Err(Refusal::field(Code::DocumentNotFound, field, detail)
                .said(said)
                .with(|f| f.value = Some(path.to_string()))
                .into());
        };
        let now = self.objects[index].now.take().expect("an object that `at` names is present");
        self.at.insert(path.key().to_owned(), None);
        Ok((index, now))
    }

    fn delete(&mut self, by: usize, path: &DocPath, base: Option<SubmittedBase>) -> Result<(), E> {
        self.check_base(by, path, base)?;
        self.take(by, "path", path).map(drop)
    }

    fn rename(
        &mut self,
        by: usize,
        from: &DocPath,
        path: &DocPath,
        base: Option<SubmittedBase>,
    ) -> Result<(), E> {
        self.check_base(by, from, base)?;
        let (index, (_, after, mode)) = self.take(by, "from", from)?;
        if let Some(other) = self.find(path)? {
            let at = self.objects[other].now.as_ref().map(|(at, ..)| at.clone());
            let at = at.expect("an object that `at` names is present");
            if at != *path {
                return Err(collision(by, path, &at).into());
            }
            let field = format!("{}.path", field_of(by));
            let detail = format!("{field}: {path} exists already; a rename needs an empty place.");
            let said = format!("{field}: {path} sudah ada; pemindahan perlu tempat yang kosong.");
            return Err(Refusal::field(Code::DocumentExists, field, detail)
                .said(said)
                .with(|f| f.value = Some(path.to_string()))
                .into());
        }
        let object = &mut self.objects[index];
        object.now = Some((path.clone(), after, mode));
        object.by = by;
        self.at.insert(path.key().to_owned(), Some(index));
        Ok(())
    }

    /// A path is a document or a folder, never both: no file system could hold the two. Asked once
    /// for what comes of the whole submission, so that the order of its changes does not matter.
    fn check_folders(&mut self) -> Result<(), E> {
        let entered = |object: &Object<'a>| {
            let (path, ..) = object.now.as_ref()?;
            let stays = object.origin.as_ref().is_some_and(|origin| origin.path.key() == path.key());
            (!stays).then(|| (path.clone(), object.by))
        };
        let mut targets: Vec<(DocPath, usize)> = self.objects.iter().filter_map(entered).collect();
        targets.sort_by(|(a, _), (b, _)| tree_order(a.key(), b.key()));
        for [(folder, first), (path, second)] in targets.array_windows() {
            if lies_below(path.key(), folder.key()) {
                // The later of the two is the one that is in the way.
                let (by, at) = if second > first { (*second, path) } else { (*first, folder) };
                return Err(nested(by, at, folder, path).into());
            }
        }
        for (path, by) in &targets {
            if let Some(folder) = self.room.above(path)?
                && self.stays(&folder.path)
            {
                return Err(nested(*by, path, &folder.path, path).into());
            }
            let mut after = None;
            loop {
                let page = self.room.below(path, after.as_ref())?;
                if let Some(inner) = page.iter().find(|inner| self.stays(&inner.path)) {
                    return Err(nested(*by, path, path, &inner.path).into());
                }
                // What is left over has been taken away by this submission.
                let Some(last) = page.into_iter().next_back() else { break };
                after = Some(last.path);
            }
        }
        Ok(())
    }

    /// Whether a document of the room still stands once the submission is done.
    fn stays(&self, path: &DocPath) -> bool {
        self.at.get(path.key()).is_none_or(Option::is_some)
    }
}

fn field_of(index: usize) -> String {
    format!("changes[{index}]")
}

fn collision(index: usize, path: &DocPath, other: &DocPath) -> Refusal {
    let field = format!("{}.path", field_of(index));
    let detail =
        format!("{field}: {path} and {other} differ only by case or composition; a room holds one of them.");
    let said = format!(
        "{field}: {path} dan {other} hanya berbeda huruf besar-kecil atau susunan aksen; ruang memuat salah satunya."
    );
    Refusal::field(Code::PathCollision, field, detail).said(said).with(|f| f.value = Some(path.to_string()))
}

/// `at` is the one of the two that the change names.
fn nested(index: usize, at: &DocPath, folder: &DocPath, inner: &DocPath) -> Refusal {
    let field = format!("{}.path", field_of(index));
    let detail = format!(
        "{field}: {folder} and {inner} cannot both be documents: a path is a document or a folder, never both."
    );
    let said = format!(
        "{field}: {folder} dan {inner} tidak dapat sama-sama menjadi dokumen: sebuah jalur adalah dokumen atau folder, tidak keduanya."
    );
    Refusal::field(Code::PathCollision, field, detail).said(said).with(|f| f.value = Some(at.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> DocPath {
        DocPath::parse("path", text).unwrap()
    }

    fn version(content: &str) -> Version {
        Version {
            hash: ContentHash::of(content.as_bytes()),
            mode: Mode::Plain,
            commitment: Commitment::from_bytes([1; 32]),
            bytes: content.len() as u64,
        }
    }

    fn put(p: &str, content: &str) -> Submitted {
        Submitted::Put { path: path(p), content: content.into(), base: None, mode: None }
    }

    fn del(p: &str) -> Submitted {
        Submitted::Delete { path: path(p), base: None }
    }

    fn ren(from: &str, to: &str) -> Submitted {
        Submitted::Rename { from: path(from), path: path(to), base: None }
    }

    /// A room by its paths and contents. It gives what lies below one by one.
    struct Few(&'static [(&'static str, &'static str)]);

    impl Few {
        fn find(&self, wanted: impl Fn(&DocPath) -> bool) -> Option<Current> {
            let mut all: Vec<_> =
                self.0.iter().map(|(name, content)| (path(name), version(content))).collect();
            all.sort_by(|(a, _), (b, _)| a.key().cmp(b.key()));
            let found = all.into_iter().find(|(path, _)| wanted(path));
            found.map(|(path, version)| Current { path, version })
        }
    }

    impl Snapshot<Refusal> for Few {
        fn at(&mut self, path: &DocPath) -> Result<Option<Current>, Refusal> {
            Ok(self.find(|p| p.key() == path.key()))
        }
        fn above(&mut self, path: &DocPath) -> Result<Option<Current>, Refusal> {
            Ok(self.find(|p| lies_below(path.key(), p.key())))
        }
        fn below(&mut self, path: &DocPath, after: Option<&DocPath>) -> Result<Vec<Current>, Refusal> {
            let later = |p: &DocPath| after.is_none_or(|after| p.key() > after.key());
            Ok(self.find(|p| lies_below(p.key(), path.key()) && later(p)).into_iter().collect())
        }
    }

    /// Resolves against a room with `a` = "1" and `b` = "2", and shows the net changes.
    fn net(changes: &[Submitted]) -> Result<Vec<String>, Code> {
        net_in(&[("a", "1"), ("b", "2")], changes).map_err(|r| r.code)
    }

    fn net_in(
        room: &'static [(&'static str, &'static str)],
        changes: &[Submitted],
    ) -> Result<Vec<String>, Refusal> {
        let show = |r: Resolved<'_>| {
            let after = match r.after {
                None => "absent".to_owned(),
                Some((After::Same, mode)) => format!("same {}", mode.as_str()),
                Some((After::Content(c), _)) => String::from_utf8_lossy(c).into_owned(),
            };
            let from = r.from.map(|f| format!("{f}>")).unwrap_or_default();
            format!("{} {from}{} {after}", r.op.as_str(), r.path)
        };
        resolve(changes, &mut Few(room)).map(|net| net.into_iter().map(show).collect())
    }

    #[test]
    fn a_path_is_a_document_or_a_folder() {
        let room = &[("a", "1"), ("d/x", "2"), ("d/y/z", "3"), ("d.md", "4")];
        let check =
            |changes: &[Submitted], expected: Result<usize, &str>| match (net_in(room, changes), expected) {
                (Ok(net), Ok(count)) => assert_eq!(net.len(), count, "{changes:?} {net:?}"),
                (Err(refusal), Err(field)) => {
                    assert_eq!(refusal.code, Code::PathCollision, "{}", refusal.detail);
                    assert_eq!(refusal.facts.field.as_deref(), Some(field), "{}", refusal.detail);
                }
                (got, _) => panic!("{changes:?}: {got:?}"),
            };
        let at = |index: usize| ["changes[0].path", "changes[1].path", "changes[2].path"][index];
        check(&[put("a/b", "9")], Err(at(0)));
        check(&[put("A/b/c", "9")], Err(at(0)));
        check(&[put("d", "9")], Err(at(0)));
        check(&[put("D/Y", "9")], Err(at(0)));
        check(&[put("d/x/new", "9")], Err(at(0)));
        check(&[put("d/new", "9"), put("ab", "9"), put("a.b", "9")], Ok(3));
        check(&[ren("a", "d")], Err(at(0)));
        check(&[ren("d/x", "a/x")], Err(at(0)));
        check(&[ren("d/x", "d")], Err(at(0)));
        // The same submission frees the place, in whatever order it says so.
        check(&[ren("a", "a/b")], Ok(1));
        check(&[del("a"), put("a/b", "9")], Ok(2));
        check(&[put("a/b", "9"), del("a")], Ok(2));
        check(&[del("d/x"), put("d", "9")], Err(at(1)));
        check(&[del("d/x"), del("d/y/z"), put("d", "9")], Ok(3));
        check(&[ren("d/x", "d"), ren("d/y/z", "z")], Ok(2));
        check(&[del("d/x"), ren("d/y/z", "d")], Ok(2));
        // It may not take with one hand what it gives with the other.
        check(&[del("a"), put("a/b", "9"), put("a", "8")], Err(at(1)));
        check(&[put("n", "9"), put("N/m", "9")], Err(at(1)));
        check(&[put("n/m", "9"), put("n", "9")], Err(at(1)));
        check(&[put("n", "9"), put("n!", "9"), put("n/m/o", "9")], Err(at(2)));
        check(&[put("n", "9"), del("n"), put("n/m", "9")], Ok(1));
    }

    #[test]
    fn changes_resolve_in_order_to_one_net_change_each() {
        let check = |changes: &[Submitted], expected: Result<&[&str], Code>| {
            let got = net(changes);
            let expected = expected.map(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(got, expected, "{changes:?}");
        };
        check(&[put("c", "3")], Ok(&["create c 3"]));
        check(&[put("a", "9")], Ok(&["replace a 9"]));
        check(&[put("A", "9")], Ok(&["replace a 9"]));
        check(&[put("a", "9"), put("a", "8")], Ok(&["replace a 8"]));
        check(&[put("a", "1")], Err(Code::ProposalNoChange));
        check(&[put("a", "9"), put("a", "1")], Err(Code::ProposalNoChange));
        check(&[put("c", "3"), del("c")], Err(Code::ProposalNoChange));
        check(&[del("a")], Ok(&["delete a absent"]));
        check(&[del("a"), put("a", "9")], Ok(&["replace a 9"]));
        check(&[del("a"), put("A", "9")], Ok(&["rename a>A 9"]));
        check(&[del("c")], Err(Code::DocumentNotFound));
        check(&[del("a"), del("a")], Err(Code::DocumentNotFound));
        check(&[ren("a", "c")], Ok(&["rename a>c same 100644"]));
        check(&[ren("a", "A")], Ok(&["rename a>A same 100644"]));
        check(&[ren("a", "b")], Err(Code::DocumentExists));
        check(&[ren("a", "B")], Err(Code::PathCollision));
        check(&[ren("a", "c"), put("a", "7")], Ok(&["rename a>c same 100644", "create a 7"]));
        check(
            &[ren("a", "t"), ren("b", "a"), ren("t", "b")],
            Ok(&["rename a>b same 100644", "rename b>a same 100644"]),
        );
        check(&[ren("a", "c"), ren("c", "a")], Err(Code::ProposalNoChange));
        check(&[ren("a", "c"), put("c", "5")], Ok(&["rename a>c 5"]));
        check(&[del("b"), ren("a", "b")], Ok(&["delete b absent", "rename a>b same 100644"]));
        check(&[put("x", "1"), put("X", "2")], Err(Code::PathCollision));
        check(&[], Err(Code::ProposalNoChange));
        let exec = Submitted::Put {
            path: path("a"),
            content: b"1".to_vec(),
            base: None,
            mode: Some(Mode::Executable),
        };
        check(&[exec], Ok(&["replace a same 100755"]));
    }

    #[test]
    fn a_carried_base_that_has_moved_is_refused() {
        let with =
            |base| Submitted::Put { path: path("a"), content: b"9".to_vec(), base: Some(base), mode: None };
        assert_eq!(
            net(&[with(SubmittedBase::Content(ContentHash::of(b"1")))]),
            Ok(vec!["replace a 9".to_owned()])
        );
        assert_eq!(net(&[with(SubmittedBase::Content(ContentHash::of(b"0")))]), Err(Code::ProposalStale));
        assert_eq!(net(&[with(SubmittedBase::Absent)]), Err(Code::ProposalStale));
    }
}
