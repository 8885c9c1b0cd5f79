//! What cannot be done on an overlay: refusals that name the change, and places that two documents want.

use super::{Current, field_of};
use crate::change::SubmittedBase;
use crate::code::Code;
use crate::limit;
use crate::path::DocPath;
use crate::refusal::{Moved, Refusal};

pub(super) fn no_document(by: usize, name: &str, path: &DocPath) -> Refusal {
    let field = format!("{}.{name}", field_of(by));
    let detail = format!("{field}: there is no document {path}.");
    let said = format!("{field}: tidak ada dokumen {path}.");
    Refusal::field(Code::DocumentNotFound, field, detail)
        .said(said)
        .with(|f| f.value = Some(path.to_string()))
}

pub(super) fn too_much_work(field: &str, worked: u64) -> Refusal {
    let most = limit::WORK_BYTES;
    Refusal::field(
        Code::LimitExceeded,
        field,
        format!("{field}: this would read and write {worked} bytes, of at most {most}; do less of it at a time, or propose the new content of the documents as a whole."),
    )
    .said(format!(
        "{field}: untuk ini {worked} byte dibaca dan ditulis, paling banyak {most}; kerjakan lebih sedikit sekaligus, atau usulkan isi baru dokumennya secara utuh."
    ))
    .with(|f| {
        f.limit = Some(most);
        f.value = Some(worked.to_string());
    })
}

pub(super) fn outdated(
    by: usize,
    member: &str,
    path: &DocPath,
    base: SubmittedBase,
    now: Option<&Current>,
) -> Refusal {
    let now = now.map_or_else(|| crate::hash::ABSENT.to_owned(), |c| c.version.hash.to_string());
    let field = format!("{}.{member}", field_of(by));
    Refusal::field(
        Code::ProposalStale,
        &field,
        format!("{field}: {path} has never been what the author had read: expected {base}, now {now}."),
    )
    .said(format!(
        "{field}: {path} tidak pernah seperti yang dibaca pengusul: seharusnya {base}, kini {now}."
    ))
    .with(|f| {
        f.moved.push(Moved { path: path.to_string(), expected: base.to_string(), now, by: None });
    })
}

/// An earlier change of the submission has taken the document as it is, or as it said.
pub(super) fn another_base(
    by: usize,
    member: &str,
    path: &DocPath,
    base: SubmittedBase,
    taken: Option<&Current>,
) -> Refusal {
    let taken = taken.map_or_else(|| crate::hash::ABSENT.to_owned(), |c| c.version.hash.to_string());
    let field = format!("{}.{member}", field_of(by));
    Refusal::field(
        Code::ProposalStale,
        &field,
        format!("{field}: an earlier change of this proposal has taken {path} as {taken}, not {base}; say the base in the first change of a document."),
    )
    .said(format!(
        "{field}: perubahan sebelumnya dalam usulan ini memakai {path} sebagai {taken}, bukan {base}; sebutkan versi dasar pada perubahan pertama sebuah dokumen."
    ))
    .with(|f| {
        f.moved.push(Moved { path: path.to_string(), expected: base.to_string(), now: taken, by: None });
    })
}

pub(super) fn collision(field: String, path: &DocPath, other: &DocPath) -> Refusal {
    let detail =
        format!("{field}: {path} and {other} differ only by case or composition; a room holds one of them.");
    let said = format!(
        "{field}: {path} dan {other} hanya berbeda huruf besar-kecil atau susunan aksen; ruang memuat salah satunya."
    );
    Refusal::field(Code::PathCollision, field, detail).said(said).with(|f| f.value = Some(path.to_string()))
}

/// A change that would come to where another document stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crowded {
    /// The change that comes.
    pub by: usize,
    /// The place.
    pub at: DocPath,
    /// What stays there.
    pub now: SubmittedBase,
    /// Where in the room that is.
    pub stands: Option<DocPath>,
}

/// Two documents of which one would be a folder of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// The change that would bring it about.
    pub by: usize,
    /// The one of the two that the change names.
    pub at: DocPath,
    /// The upper one.
    pub folder: DocPath,
    /// The one below it.
    pub inner: DocPath,
}

impl Nested {
    pub(super) fn new(by: usize, at: &DocPath, folder: &DocPath, inner: &DocPath) -> Self {
        Self { by, at: at.clone(), folder: folder.clone(), inner: inner.clone() }
    }

    /// The one of the two that is in the way.
    pub fn other(&self) -> &DocPath {
        if self.at == self.folder { &self.inner } else { &self.folder }
    }

    pub(super) fn refusal(&self, field: String) -> Refusal {
        let Self { at, folder, inner, .. } = self;
        let detail = format!(
            "{field}: {folder} and {inner} cannot both be documents: a path is a document or a folder, never both."
        );
        let said = format!(
            "{field}: {folder} dan {inner} tidak dapat sama-sama menjadi dokumen: sebuah jalur adalah dokumen atau folder, tidak keduanya."
        );
        Refusal::field(Code::PathCollision, field, detail).said(said).with(|f| f.value = Some(at.to_string()))
    }
}
