//! `GIT binary patch`: literal and delta, in base 85 over zlib. Exact: the content before and after are
//! what the patch's ids say, or the reverse part makes the content before again.

use std::io::Read as _;

use sha1::Digest as _;

use super::refuse::Place;
use crate::limit;
use crate::refusal::Refusal;

/// A binary change with everything that it can be held against.
#[derive(Debug, Clone)]
pub(super) struct Binary {
    pub(super) forward: Part,
    pub(super) reverse: Option<Part>,
    /// The ids of git's `index` line, before and after, where they are whole.
    pub(super) ids: Option<(String, String)>,
}

/// One direction of a binary change.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) kind: Kind,
    /// Bytes that it unpacks to.
    pub(super) size: usize,
    /// Packed.
    pub(super) data: Vec<u8>,
    /// Its line in the patch.
    pub(super) line: u64,
}

/// How one direction is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The whole content.
    Literal,
    /// Pieces of the content before, and new ones.
    Delta,
}

impl Binary {
    /// The content that it makes of this one.
    pub(super) fn apply(&self, place: Place<'_>, content: &[u8]) -> Result<Vec<u8>, Refusal> {
        let other = || {
            place.mismatch(
                "the document is not the one that this binary patch was made from",
                "dokumennya bukan yang menjadi asal tambalan biner ini",
            )
        };
        if let Some((before, after)) = &self.ids {
            let absent = before.bytes().all(|b| b == b'0') && content.is_empty();
            if !absent && blob_id(before.len(), content) == *after && self.forward.kind == Kind::Literal {
                return Err(place.contained(
                    "the document already contains this change; nothing would change",
                    "dokumennya sudah memuat perubahan ini; tidak ada yang akan berubah",
                ));
            }
            if !absent && blob_id(before.len(), content) != *before {
                return Err(other());
            }
            let made = self.forward.make(place, content)?;
            let gone = after.bytes().all(|b| b == b'0') && made.is_empty();
            if !gone && blob_id(after.len(), &made) != *after {
                return Err(place.invalid(
                    "the binary patch does not make what its index line says; it is damaged",
                    "tambalan biner ini tidak menghasilkan yang disebut baris index-nya; tambalan ini rusak",
                ));
            }
            return Ok(made);
        }
        let made = self.forward.make(place, content)?;
        let Some(reverse) = &self.reverse else {
            return Err(place.invalid(
                "nothing says what this binary patch was made from: make it with git diff --binary",
                "tidak ada yang menyebut asal tambalan biner ini: buat dengan git diff --binary",
            ));
        };
        if reverse.make(place, &made)? != content {
            return Err(other());
        }
        Ok(made)
    }
}

impl Part {
    fn make(&self, place: Place<'_>, content: &[u8]) -> Result<Vec<u8>, Refusal> {
        let place = Place { line: self.line, ..place };
        let damaged = || {
            place.invalid(
                "the binary data cannot be unpacked; it is damaged or cut",
                "data binernya tidak dapat dibuka; rusak atau terpotong",
            )
        };
        if self.size > limit::CONTENT_BYTES {
            let most = limit::CONTENT_BYTES;
            return Err(Refusal::limit(place.field, "a document", most, self.size, "bytes"));
        }
        let mut unpacked = Vec::new();
        let reader = flate2::read::ZlibDecoder::new(&*self.data);
        // One byte more than it says: what is longer is wrong.
        let read = reader.take(self.size as u64 + 1).read_to_end(&mut unpacked);
        if read.is_err() || unpacked.len() != self.size {
            return Err(damaged());
        }
        match self.kind {
            Kind::Literal => Ok(unpacked),
            Kind::Delta => match delta(content, &unpacked) {
                Ok(made) => Ok(made),
                Err(Delta::Damaged) => Err(damaged()),
                Err(Delta::OtherContent) => Err(place.mismatch(
                    "the document is not the one that this binary patch was made from",
                    "dokumennya bukan yang menjadi asal tambalan biner ini",
                )),
            },
        }
    }
}

enum Delta {
    Damaged,
    OtherContent,
}

/// git's delta (`gitformat-pack(5)`, "Deltified representation").
fn delta(content: &[u8], delta: &[u8]) -> Result<Vec<u8>, Delta> {
    let mut at = 0;
    let mut next = || {
        let byte = delta.get(at).copied().ok_or(Delta::Damaged);
        at += 1;
        byte
    };
    let mut size = || -> Result<usize, Delta> {
        let mut size = 0usize;
        for shift in (0..64).step_by(7) {
            let byte = next()?;
            size |= usize::from(byte & 0x7F).checked_shl(shift).ok_or(Delta::Damaged)?;
            if byte & 0x80 == 0 {
                return Ok(size);
            }
        }
        Err(Delta::Damaged)
    };
    let (from, to) = (size()?, size()?);
    if from != content.len() {
        return Err(Delta::OtherContent);
    }
    if to > limit::CONTENT_BYTES {
        return Err(Delta::Damaged);
    }
    let mut made = Vec::with_capacity(to);
    let mut rest = delta.get(at..).ok_or(Delta::Damaged)?;
    while let Some((op, after)) = rest.split_first() {
        rest = after;
        if op & 0x80 != 0 {
            let mut piece = [0usize; 2];
            for bit in 0..7 {
                if op & (1 << bit) != 0 {
                    let (byte, after) = rest.split_first().ok_or(Delta::Damaged)?;
                    rest = after;
                    let (which, shift) = if bit < 4 { (0, bit * 8) } else { (1, (bit - 4) * 8) };
                    piece[which] |= usize::from(*byte) << shift;
                }
            }
            let length = if piece[1] == 0 { 0x1_0000 } else { piece[1] };
            let end = piece[0].checked_add(length).ok_or(Delta::Damaged)?;
            made.extend_from_slice(content.get(piece[0]..end).ok_or(Delta::Damaged)?);
        } else {
            let (new, after) = rest.split_at_checked(usize::from(*op)).ok_or(Delta::Damaged)?;
            if new.is_empty() {
                return Err(Delta::Damaged);
            }
            made.extend_from_slice(new);
            rest = after;
        }
        if made.len() > to {
            return Err(Delta::Damaged);
        }
    }
    if made.len() == to { Ok(made) } else { Err(Delta::Damaged) }
}

/// git's id of content: SHA-1, or SHA-256 where the id is that long.
fn blob_id(digits: usize, content: &[u8]) -> String {
    let head = format!("blob {}\0", content.len());
    if digits == 64 {
        return hex::encode(sha2::Sha256::new().chain_update(head).chain_update(content).finalize());
    }
    hex::encode(sha1::Sha1::new().chain_update(head).chain_update(content).finalize())
}

/// The alphabet of git's base 85.
const ALPHABET: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// Bytes of a line of data.
const LINE_BYTES: usize = 52;

/// Reads one line of data: a letter for its length, and groups of five digits for four bytes.
pub(super) fn data_line(line: &[u8], into: &mut Vec<u8>) -> Option<()> {
    let (length, digits) = line.split_first()?;
    let length = usize::from(match length {
        b'A'..=b'Z' => length - b'A' + 1,
        b'a'..=b'z' => length - b'a' + 27,
        _ => return None,
    });
    if digits.len() != length.div_ceil(4) * 5 {
        return None;
    }
    let mut bytes = Vec::with_capacity(LINE_BYTES);
    for group in digits.chunks_exact(5) {
        let value = group.iter().try_fold(0u64, |value, digit| {
            let digit = ALPHABET.iter().position(|known| known == digit)?;
            Some(value * 85 + digit as u64)
        })?;
        bytes.extend(u32::try_from(value).ok()?.to_be_bytes());
    }
    into.extend_from_slice(bytes.get(..length)?);
    Some(())
}

/// One direction as git writes it: the whole content.
pub(super) fn write_literal(out: &mut Vec<u8>, content: &[u8]) {
    use std::io::Write as _;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    let packed = packer.write_all(content).and_then(|()| packer.finish());
    let packed = packed.expect("writing into memory does not fail");
    out.extend_from_slice(format!("literal {}\n", content.len()).as_bytes());
    for line in packed.chunks(LINE_BYTES) {
        let length = u8::try_from(line.len()).expect("a line is short");
        out.push(if length <= 26 { b'A' + length - 1 } else { b'a' + length - 27 });
        for group in line.chunks(4) {
            let mut bytes = [0; 4];
            bytes[..group.len()].copy_from_slice(group);
            let mut value = u32::from_be_bytes(bytes);
            let mut digits = [0; 5];
            for digit in digits.iter_mut().rev() {
                *digit = ALPHABET[(value % 85) as usize];
                value /= 85;
            }
            out.extend_from_slice(&digits);
        }
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// The `index` line of a binary change; without a file its id is all zeros.
pub(super) fn index_line(before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let id = |content: Option<&[u8]>| content.map_or_else(|| "0".repeat(40), |content| blob_id(40, content));
    format!("index {}..{}\n", id(before), id(after))
}
