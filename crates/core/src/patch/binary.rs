//! `GIT binary patch`: whole contents or git's deltas, both ways. It is exact by git's object ids, or
//! else by its way back.

use std::io::Read as _;

use sha1::Digest as _;

use super::base85;
use super::lines::{Lines, is_blank};
use super::refuse::{invalid, located};
use crate::limit;
use crate::path::DocPath;
use crate::refusal::Refusal;

/// What a patch says of a file that is not text.
#[derive(Debug, Clone)]
pub(super) struct Binary<'a> {
    pub(super) line: u64,
    forward: Data<'a>,
    back: Option<Data<'a>>,
    /// The objects before and after, where the patch names them.
    pub(super) ids: Option<Ids>,
    field: String,
}

/// What git calls the content before and after: hexadecimal, perhaps only its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ids {
    pub(super) old: String,
    pub(super) new: String,
}

#[derive(Debug, Clone, Copy)]
struct Data<'a> {
    line: u64,
    delta: bool,
    /// Bytes of the content, or of the delta.
    size: usize,
    letters: &'a [u8],
}

/// Why a content was not made.
pub(super) enum Misfit {
    Refused(Box<Refusal>),
    /// The content is what would be made.
    Contained,
    /// The sentence, given the document.
    Other(fn(&DocPath) -> (String, String)),
}

/// Reads what follows the line `GIT binary patch`.
pub(super) fn read<'a>(field: &str, lines: &mut Lines<'a>) -> Result<Binary<'a>, Refusal> {
    let line = lines.number;
    lines.advance();
    let forward = read_data(field, lines)?.ok_or_else(|| no_data(field, lines.number))?;
    let back = read_data(field, lines)?;
    Ok(Binary { line, forward, back, ids: None, field: field.to_owned() })
}

fn read_data<'a>(field: &str, lines: &mut Lines<'a>) -> Result<Option<Data<'a>>, Refusal> {
    let line = lines.number;
    let text = lines.text().unwrap_or_default();
    let (delta, size) = match (text.strip_prefix(b"literal "), text.strip_prefix(b"delta ")) {
        (Some(size), _) => (false, size),
        (_, Some(size)) => (true, size),
        _ => return Ok(None),
    };
    let digits = std::str::from_utf8(size).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
    let size = digits.and_then(|text| text.parse().ok()).ok_or_else(|| no_data(field, line))?;
    // What is announced bounds what is unpacked, of a delta too: one that is larger than any content may
    // be is of no use, for git writes the content itself then.
    if size > limit::CONTENT_BYTES {
        let what = if delta { "a delta" } else { "a document" };
        let refusal = Refusal::limit(field, what, limit::CONTENT_BYTES, size, "bytes");
        return Err(located(refusal, field, line));
    }
    lines.advance();
    let start = *lines;
    while lines.line().is_some_and(|line| !is_blank(line)) {
        lines.advance();
    }
    let letters = lines.since(&start);
    if lines.line().is_some() {
        lines.advance();
    }
    Ok(Some(Data { line, delta, size, letters }))
}

impl Binary<'_> {
    pub(super) fn apply(&self, content: &[u8]) -> Result<Vec<u8>, Misfit> {
        let full = self.ids.as_ref().filter(|ids| ids.are_full());
        if let Some(ids) = &self.ids
            && !ids.name(content, &ids.old)
        {
            return Err(if ids.name(content, &ids.new) { Misfit::Contained } else { WRONG_BEFORE });
        }
        let made = self.data(&self.forward, content)?;
        if let Some(ids) = &self.ids
            && !ids.name(&made, &ids.new)
        {
            return Err(WRONG_AFTER);
        }
        if full.is_none() {
            if !self.forward.delta && made == content {
                return Err(Misfit::Contained);
            }
            let back = self.back.as_ref().ok_or(NO_WAY_BACK)?;
            if self.data(back, &made)? != content {
                return Err(WRONG_BEFORE);
            }
        }
        Ok(made)
    }

    fn data(&self, data: &Data<'_>, content: &[u8]) -> Result<Vec<u8>, Misfit> {
        let bytes =
            inflate(data).ok_or_else(|| Misfit::Refused(Box::new(no_data(&self.field, data.line))))?;
        if !data.delta {
            return Ok(bytes);
        }
        undelta(&bytes, content).ok_or(WRONG_DELTA)
    }
}

impl Ids {
    /// Whether they name contents for certain.
    fn are_full(&self) -> bool {
        let full = |id: &str| matches!(id.len(), 40 | 64);
        full(&self.old) && self.old.len() == self.new.len()
    }

    /// Whether an id is this content's.
    fn name(&self, content: &[u8], id: &str) -> bool {
        let none = |id: &str| id.bytes().all(|b| b == b'0');
        if none(id) {
            return content.is_empty();
        }
        let wide = self.old.len() > 40 || self.new.len() > 40;
        let own = if wide { blob_id_sha256(content) } else { blob_id(content) };
        own.starts_with(id)
    }
}

/// Git's name of a content.
pub(super) fn blob_id(content: &[u8]) -> String {
    let hash = sha1::Sha1::new().chain_update(format!("blob {}\0", content.len())).chain_update(content);
    hex::encode(hash.finalize())
}

fn blob_id_sha256(content: &[u8]) -> String {
    let hash = sha2::Sha256::new().chain_update(format!("blob {}\0", content.len())).chain_update(content);
    hex::encode(hash.finalize())
}

/// The bytes, exactly as many as were announced.
fn inflate(data: &Data<'_>) -> Option<Vec<u8>> {
    let mut packed = Vec::with_capacity(data.letters.len() / 5 * 4);
    let mut lines = Lines::new(data.letters);
    while let Some(text) = lines.text() {
        if !base85::read_line(text, &mut packed) {
            return None;
        }
        lines.advance();
    }
    // Not more memory than what comes out needs: a patch may announce more than it holds.
    let mut bytes = Vec::new();
    let limit = data.size as u64 + 1;
    flate2::read::ZlibDecoder::new(packed.as_slice()).take(limit).read_to_end(&mut bytes).ok()?;
    (bytes.len() == data.size).then_some(bytes)
}

/// Applies git's delta (gitformat-pack, "deltified representation"); none where it is not of this content.
fn undelta(delta: &[u8], content: &[u8]) -> Option<Vec<u8>> {
    let mut rest = delta;
    let (from, to) = (size(&mut rest)?, size(&mut rest)?);
    if from != content.len() || to > limit::CONTENT_BYTES {
        return None;
    }
    let mut made = Vec::new();
    while let Some((&order, after)) = rest.split_first() {
        rest = after;
        let piece = if order & 0x80 != 0 {
            let (mut offset, mut length) = (0usize, 0usize);
            for (bit, shift) in (0..4).map(|n| (n, 8 * n)) {
                if order & (1 << bit) != 0 {
                    offset |= usize::from(byte(&mut rest)?) << shift;
                }
            }
            for (bit, shift) in (4..7).map(|n| (n, 8 * (n - 4))) {
                if order & (1 << bit) != 0 {
                    length |= usize::from(byte(&mut rest)?) << shift;
                }
            }
            let length = if length == 0 { 0x1_0000 } else { length };
            content.get(offset..offset.checked_add(length)?)?
        } else if order == 0 {
            return None;
        } else {
            let (piece, after) = rest.split_at_checked(usize::from(order))?;
            rest = after;
            piece
        };
        if made.len() + piece.len() > to {
            return None;
        }
        made.extend_from_slice(piece);
    }
    (made.len() == to).then_some(made)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (&first, after) = rest.split_first()?;
    *rest = after;
    Some(first)
}

/// Seven bits a byte, the lowest first.
fn size(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0usize;
    for shift in (0..=28).step_by(7) {
        let next = byte(rest)?;
        value |= usize::from(next & 0x7F) << shift;
        if next & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn no_data(field: &str, line: u64) -> Refusal {
    invalid(
        field,
        line,
        (
            "the data of the binary patch cannot be read, or is not as long as it says; make it again with git diff --binary.",
            "data tambalan biner tidak terbaca, atau panjangnya tidak seperti yang disebut; buat ulang dengan git diff --binary.",
        ),
    )
}

const WRONG_BEFORE: Misfit = Misfit::Other(|path| {
    (
        format!(
            "the binary patch is of another content than {path} has now; make it again from what is there."
        ),
        format!(
            "tambalan biner ini dibuat dari isi lain, bukan isi {path} yang sekarang; buat ulang dari yang ada."
        ),
    )
});

const WRONG_AFTER: Misfit = Misfit::Other(|path| {
    (
        format!(
            "what the binary patch makes of {path} is not what its index line names; make it again with git diff --binary."
        ),
        format!(
            "hasil tambalan biner untuk {path} tidak sama dengan yang disebut baris index; buat ulang dengan git diff --binary."
        ),
    )
});

const WRONG_DELTA: Misfit = Misfit::Other(|path| {
    (
        format!(
            "the delta of the binary patch does not fit {path}; make it again from what is there, with git diff --binary."
        ),
        format!(
            "delta tambalan biner ini tidak cocok dengan {path}; buat ulang dari yang ada dengan git diff --binary."
        ),
    )
});

const NO_WAY_BACK: Misfit = Misfit::Other(|path| {
    (
        format!(
            "nothing in the binary patch says what {path} held before: neither full object ids nor the way back; make it again with git diff --binary."
        ),
        format!(
            "tidak ada bagian tambalan biner yang menyebut isi {path} sebelumnya: baik id objek lengkap maupun arah baliknya; buat ulang dengan git diff --binary."
        ),
    )
});
