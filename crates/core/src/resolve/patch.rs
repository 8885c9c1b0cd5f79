//! What a patch does to the overlay: commit by commit, the files of one in order and its renames and
//! copies as at once, as git writes them.

use std::borrow::Cow;
use std::collections::HashMap;

use super::overlay::Now;
use super::refuse::no_document;
use super::{Overlay, field_of};
use crate::change::{Mode, SubmittedBase};
use crate::code::Code;
use crate::limit;
use crate::patch::{self, FilePatch, Target};
use crate::path::DocPath;
use crate::refusal::Refusal;

impl<E: From<Refusal>> Overlay<'_, '_, E> {
    pub(super) fn patch(
        &mut self,
        by: usize,
        diff: &[u8],
        strip: Option<u32>,
        bases: &[(DocPath, SubmittedBase)],
    ) -> Result<(), E> {
        let field = format!("{}.diff", field_of(by));
        self.patches.insert(by);
        let given = Given { by, field: &field, diff, strip };
        let files = patch::parse(&field, diff, strip)?;
        for (path, base) in bases {
            if !files.iter().any(|file| file.target().reads(path)) {
                return Err(unused(by, path).into());
            }
            self.carry(by, "bases", path, Some(*base))?;
        }
        let mut contained: Option<Refusal> = None;
        let mut others = 0;
        // The files of one commit are as at once; the next commit reads what it has made.
        for commit in files.chunk_by(|one, next| one.commit() == next.commit()) {
            self.leave(commit.iter().filter_map(|file| match file.target() {
                Target::Delete(path) | Target::Rename { from: path, .. } => Some(path),
                _ => None,
            }))?;
            let originals = self.originals(by, commit)?;
            for file in commit {
                match self.file(&given, file, &originals)? {
                    None => others += 1,
                    Some(refusal) => {
                        contained.get_or_insert(refusal);
                    }
                }
            }
        }
        self.leave([])?;
        match contained {
            None => Ok(()),
            Some(refusal) if others == 0 => Err(refusal.into()),
            // One document has its part already, another does not: nobody knows what was meant.
            Some(refusal) => Err(in_part(refusal).into()),
        }
    }

    /// The content of every document that is copied, as it is before the commit: in git's form a copy
    /// is of what was there.
    fn originals(
        &mut self,
        by: usize,
        files: &[FilePatch<'_>],
    ) -> Result<HashMap<String, (Vec<u8>, Mode)>, E> {
        let mut originals = HashMap::new();
        let mut bytes = 0;
        for file in files {
            let Target::Copy { from, .. } = file.target() else { continue };
            if originals.contains_key(from.key()) {
                continue;
            }
            if let Some(index) = self.find(from)? {
                let (mode, content) = (self.mode(index), self.content(index)?);
                bytes += content.len();
                if bytes > limit::SUBMISSION_BYTES {
                    let most = limit::SUBMISSION_BYTES;
                    return Err(
                        Refusal::limit(field_of(by), "what a patch copies", most, bytes, "bytes").into()
                    );
                }
                originals.insert(from.key().to_owned(), (content, mode));
            }
        }
        Ok(originals)
    }

    fn mode(&self, index: usize) -> Mode {
        self.objects[index].now.as_ref().map_or(Mode::Plain, |now| now.mode)
    }

    /// One file of the patch; a refusal is given back where the document contains it already.
    fn file(
        &mut self,
        given: &Given<'_>,
        file: &FilePatch<'_>,
        originals: &HashMap<String, (Vec<u8>, Mode)>,
    ) -> Result<Option<Refusal>, E> {
        let (by, field) = (given.by, given.field);
        let here = |refusal: Refusal| at_file(field, file, refusal);
        let applied = |path: &DocPath, content: &[u8]| match file.apply(field, path, content) {
            Ok(applied) => Ok(Ok(applied)),
            Err(refusal) if refusal.code == Code::ProposalNoChange => Ok(Err(refusal)),
            Err(refusal) => Err(refusal),
        };
        match file.target() {
            Target::Impossible { name } => Err(self.missing(given, file, impossible(by, name))?.into()),
            Target::Create(path) => {
                let made = match applied(path, b"")? {
                    Ok(made) => made,
                    Err(contained) => return Ok(Some(contained)),
                };
                if let Some(other) = self.make_way(path)? {
                    let stands = self.content(other)?;
                    if stands == made.content && self.mode(other) == new_mode(file) {
                        return Ok(Some(here(exists_equal(field, path))));
                    }
                    return Err(here(self.exists(by, path, other)).into());
                }
                self.count(by, made.content.len())?;
                let index = self.create(by, path, Cow::Owned(made.content), Some(new_mode(file)));
                self.objects[index].moved.extend(made.moved);
                Ok(None)
            }
            Target::Modify(names) => {
                let Some(path) = self.one_of(given, file, names)? else {
                    let path = names.last().expect("a file has a name");
                    let made = match applied(path, b"")? {
                        Ok(made) => made,
                        Err(contained) => return Ok(Some(contained)),
                    };
                    self.count(by, made.content.len())?;
                    self.create(by, path, Cow::Owned(made.content), Some(new_mode(file)));
                    return Ok(None);
                };
                let index = self.find(&path)?.expect("it was found above");
                self.change(by, index, file, &path, &applied)
            }
            Target::Delete(path) => {
                let Some(index) = self.standing(path)? else {
                    return Err(self.missing(given, file, no_document(by, "diff", path))?.into());
                };
                let content = self.content(index)?;
                if let Err(contained) = applied(path, &content)? {
                    return Ok(Some(contained));
                }
                self.take(by, "diff", path)?;
                Ok(None)
            }
            Target::Rename { from, path } => {
                let Some(index) = self.standing(from)? else {
                    return Err(self.missing(given, file, no_document(by, "diff", from))?.into());
                };
                let contained = self.change(by, index, file, from, &applied)?;
                let (index, now) = self.take(by, "diff", from)?;
                if let Some(other) = self.make_way(path)? {
                    return Err(here(self.exists(by, path, other)).into());
                }
                self.stand(by, index, Now { path: path.clone(), ..now });
                // A move is something to do, whatever its content.
                match contained {
                    Some(refusal) => Err(in_part(refusal).into()),
                    None => Ok(None),
                }
            }
            Target::Copy { from, path } => {
                let Some((content, mode)) = originals.get(from.key()) else {
                    return Err(self.missing(given, file, no_document(by, "diff", from))?.into());
                };
                let (made, mode) = match applied(from, content)? {
                    Ok(made) => (made, file.mode().unwrap_or(*mode)),
                    Err(contained) => return Ok(Some(contained)),
                };
                if let Some(other) = self.make_way(path)? {
                    return Err(here(self.exists(by, path, other)).into());
                }
                self.count(by, made.content.len())?;
                let index = self.create(by, path, Cow::Owned(made.content), Some(mode));
                self.objects[index].moved.extend(made.moved);
                Ok(None)
            }
        }
    }

    /// Changes content and mode of a document where it stands.
    fn change(
        &mut self,
        by: usize,
        index: usize,
        file: &FilePatch<'_>,
        path: &DocPath,
        applied: Applies<'_>,
    ) -> Result<Option<Refusal>, E> {
        let apply =
            |content: &[u8]| applied(path, content).map(|made| made.map(|m| (m.content == content, m)));
        let (same, made) = match self.with_content(index, apply)?? {
            Ok(made) => made,
            Err(contained) => return Ok(Some(contained)),
        };
        if !same {
            self.set(by, index, made.content)?;
        }
        let object = &mut self.objects[index];
        object.moved.extend(made.moved);
        if let (Some(mode), Some(now)) = (file.mode(), object.now.as_mut()) {
            now.mode = mode;
        }
        Ok(None)
    }

    /// Which of a plain diff's names is the document; none where it is to be made.
    fn one_of(
        &mut self,
        given: &Given<'_>,
        file: &FilePatch<'_>,
        names: &[DocPath],
    ) -> Result<Option<DocPath>, E> {
        let (by, field) = (given.by, given.field);
        let mut found = Vec::new();
        for name in names {
            if self.find(name)?.is_some() {
                found.push(name.clone());
            }
        }
        match found.as_slice() {
            [one] => Ok(Some(one.clone())),
            [] if file.creates_if_absent() => Ok(None),
            [] => {
                let name = names.last().expect("a file has a name");
                Err(self.missing(given, file, no_document(by, "diff", name))?.into())
            }
            [old, new, ..] => {
                let line = file.line();
                let refusal = Refusal::field(
                    Code::PatchMismatch,
                    field,
                    format!(
                        "{field}: line {line}: the file's two names are both documents, {old} and {new}; give both headers the name of the one that is meant."
                    ),
                )
                .said(format!(
                    "{field}: baris {line}: kedua nama berkas ini sama-sama dokumen, {old} dan {new}; tulis nama dokumen yang dimaksud di kedua kepala."
                ));
                Err(at_file(field, file, refusal).into())
            }
        }
    }

    /// What stands at a path before this step: also what another has stepped over.
    fn standing(&mut self, path: &DocPath) -> Result<Option<usize>, E> {
        match self.aside_at(path) {
            Some(index) => Ok(Some(index)),
            None => self.find(path),
        }
    }
}

/// A patch as it was given.
pub(super) struct Given<'g> {
    by: usize,
    pub(super) field: &'g str,
    pub(super) diff: &'g [u8],
    pub(super) strip: Option<u32>,
}

/// Applies a file of a patch to content; what contains it already is an answer.
type Applies<'a> = &'a dyn Fn(&DocPath, &[u8]) -> Result<Result<patch::Applied, Refusal>, Refusal>;

/// A refusal of a document, with the place in the patch.
pub(super) fn at_file(field: &str, file: &FilePatch<'_>, refusal: Refusal) -> Refusal {
    let line = file.line();
    refusal.with(|f| {
        f.field = Some(field.to_owned());
        f.line.get_or_insert(line);
    })
}

/// The mode of a document that a file of a patch makes: never that of another one that was at its path,
/// in whichever order the one goes and the other comes.
fn new_mode(file: &FilePatch<'_>) -> Mode {
    file.mode().unwrap_or(Mode::Plain)
}

/// Something is there already, but something else of the patch is not.
fn in_part(refusal: Refusal) -> Refusal {
    let Refusal { detail, said, .. } = &refusal;
    let detail = format!("{detail} The rest of the patch is not there yet: leave this part out of it.");
    let rest = " Bagian lain tambalan ini belum ada: hilangkan bagian ini darinya.";
    let said = said.as_ref().map(|said| format!("{said}{rest}"));
    Refusal { code: Code::PatchMismatch, detail, said, ..refusal }
}

fn exists_equal(field: &str, path: &DocPath) -> Refusal {
    Refusal::field(
        Code::ProposalNoChange,
        field,
        format!("{field}: {path} is there already, with this very content: nothing would change."),
    )
    .said(format!("{field}: {path} sudah ada dengan isi yang sama: tidak ada yang akan berubah."))
    .with(|f| f.path = Some(path.to_string()))
}

fn impossible(by: usize, name: &str) -> Refusal {
    let field = format!("{}.diff", field_of(by));
    Refusal::field(
        Code::DocumentNotFound,
        &field,
        format!(
            "{field}: there is no document {name}: a path is relative; leading folders of a patch are taken away with strip."
        ),
    )
    .said(format!(
        "{field}: tidak ada dokumen {name}: jalur selalu relatif; folder di depan nama dalam tambalan dihilangkan dengan strip."
    ))
    .with(|f| f.value = Some(name.to_owned()))
}

fn unused(by: usize, path: &DocPath) -> Refusal {
    let field = format!("{}.bases", field_of(by));
    Refusal::field(
        Code::ProposalInvalid,
        &field,
        format!("{field}: {path} is not in this patch; a base belongs to a document that it changes."),
    )
    .said(format!(
        "{field}: {path} tidak ada dalam tambalan ini; versi dasar hanya untuk dokumen yang diubahnya."
    ))
    .with(|f| f.value = Some(path.to_string()))
}

impl<E> Overlay<'_, '_, E> {
    fn aside_at(&self, path: &DocPath) -> Option<usize> {
        self.step.aside.get(path.key()).copied()
    }
}
