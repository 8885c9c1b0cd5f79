//! What a JSON edit says when it is refused, in both languages.

use super::pointer::{self, shown};
use super::scan::Fault;
use super::texts::MADE_BYTES;
use super::tree::{Miss, Why};
use crate::code::Code;
use crate::limit;
use crate::path::DocPath;
use crate::refusal::Refusal;

/// Line and column of an offset, from 1; columns are characters.
pub(super) fn position(bytes: &[u8], at: usize) -> (u64, u64) {
    let before = &bytes[..at.min(bytes.len())];
    let line = before.split(|b| *b == b'\n').count();
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let column = before[start..].iter().filter(|b| **b & 0xC0 != 0x80).count() + 1;
    (line as u64, column as u64)
}

/// The document is not JSON.
pub(super) fn document(field: &str, path: &DocPath, bytes: &[u8], fault: &Fault) -> Refusal {
    let (line, column) = position(bytes, fault.at);
    Refusal::field(
        Code::PatchMismatch,
        field,
        format!(
            "{field}: {path} is not JSON: line {line}, column {column}: {}. Submit its whole content instead of a JSON edit.",
            fault.en
        ),
    )
    .said(format!(
        "{field}: {path} bukan JSON: baris {line}, kolom {column}: {}. Ajukan isi lengkapnya, bukan suntingan JSON.",
        fault.id
    ))
    .with(|f| f.path = Some(path.to_string()))
}

/// The patch is not JSON, or has a member twice.
pub(super) fn patch(field: &str, bytes: &[u8], fault: &Fault) -> Refusal {
    let (line, column) = position(bytes, fault.at);
    Refusal::field(
        Code::PatchInvalid,
        field,
        format!("{field}: the patch cannot be read at line {line}, column {column}: {}.", fault.en),
    )
    .said(format!("{field}: tambalan tidak terbaca pada baris {line}, kolom {column}: {}.", fault.id))
    .with(|f| f.line = Some(line))
}

/// A patch that is longer than a submission may be.
pub(super) fn patch_too_long(field: &str, bytes: usize) -> Refusal {
    Refusal::limit(field, "a patch", limit::SUBMISSION_BYTES, bytes, "bytes")
}

/// A document that is longer than a document may be, before or after.
pub(super) fn too_long(field: &str, bytes: usize) -> Refusal {
    Refusal::limit(field, "a document", limit::CONTENT_BYTES, bytes, "bytes")
}

/// A pointer in a sentence.
pub(super) fn place(pointer: &str) -> String {
    if pointer.is_empty() { "\"\"".to_owned() } else { shown(pointer) }
}

/// What does not fit, after what has been said of where: the field, and perhaps the operation.
pub(super) fn miss(field: &str, en: &str, id: &str, tokens: &[String], miss: &Miss) -> Refusal {
    let token = tokens.get(miss.depth).map(|token| shown(token)).unwrap_or_default();
    let above = &tokens[..miss.depth.min(tokens.len())];
    let (inside, dalam) = if above.is_empty() {
        ("the document".to_owned(), "dokumen".to_owned())
    } else {
        let above = shown(&pointer::write(above));
        (above.clone(), above)
    };
    let (what, apa) = match &miss.why {
        Why::NoMember => (
            format!("there is no member \"{token}\" in {inside}"),
            format!("tidak ada anggota \"{token}\" di {dalam}"),
        ),
        Why::Twice => (
            format!("the member \"{token}\" stands twice in {inside}, so it is open which one is meant"),
            format!("anggota \"{token}\" ditulis dua kali di {dalam}, jadi tidak jelas mana yang dimaksud"),
        ),
        Why::Scalar => (
            format!("{inside} is neither an object nor an array, so \"{token}\" is not in it"),
            format!("{dalam} bukan objek dan bukan larik, jadi \"{token}\" tidak ada di dalamnya"),
        ),
        Why::NoIndex => (
            format!(
                "\"{token}\" is no index of the array {inside}: an index is 0, or digits without a leading zero"
            ),
            format!("\"{token}\" bukan indeks larik {dalam}: indeks adalah 0, atau angka tanpa nol di depan"),
        ),
        Why::PastEnd(len) => (
            format!("the index {token} is past the end of the array {inside}, which has {len} elements"),
            format!("indeks {token} melewati akhir larik {dalam}, yang berisi {len} elemen"),
        ),
        Why::Dash => (
            format!("\"-\" is past the end of the array {inside}, where nothing is"),
            format!("\"-\" adalah tempat sesudah akhir larik {dalam}, yang kosong"),
        ),
        Why::Whole => (
            "the whole document cannot be removed here; delete the document".to_owned(),
            "seluruh dokumen tidak bisa dibuang di sini; hapus dokumennya".to_owned(),
        ),
        Why::TooDeep => {
            let depth = limit::JSON_DEPTH;
            return Refusal::field(
                Code::LimitExceeded,
                field,
                format!("{en}: the document would be nested deeper than {depth} levels."),
            )
            .said(format!("{id}: dokumen akan bersarang lebih dari {depth} tingkat."))
            .with(|f| f.limit = Some(depth as u64));
        }
        Why::TooLong(bytes) => return too_long(field, *bytes),
        Why::TooMuch(bytes) => {
            return Refusal::limit(field, "what an edit writes on the way", MADE_BYTES, *bytes, "bytes");
        }
    };
    let code = if miss.why == Why::Whole { Code::PatchInvalid } else { Code::PatchMismatch };
    Refusal::field(code, field, format!("{en}: {what}.")).said(format!("{id}: {apa}."))
}
