//! How refusals of patches are worded: the field and the line first, in both languages.

use crate::code::Code;
use crate::refusal::Refusal;
use crate::text::cut;

/// Characters of a line that a sentence quotes.
const QUOTED: usize = 80;
/// Characters of a line that the facts carry.
const CARRIED: usize = 400;
/// Lines that the facts carry.
pub(super) const SHOWN: usize = 30;

/// A refusal of a line of the patch.
pub(super) fn at(
    code: Code,
    field: &str,
    line: u64,
    (en, id): (impl AsRef<str>, impl AsRef<str>),
) -> Refusal {
    Refusal::field(code, field, format!("{field}: line {line}: {}", en.as_ref()))
        .said(format!("{field}: baris {line}: {}", id.as_ref()))
        .with(|f| f.line = Some(line))
}

/// A patch that cannot be read, at a line.
pub(super) fn invalid(field: &str, line: u64, said: (impl AsRef<str>, impl AsRef<str>)) -> Refusal {
    at(Code::PatchInvalid, field, line, said)
}

/// A refusal that names only the field, with the line that it is about.
pub(super) fn located(refusal: Refusal, field: &str, line: u64) -> Refusal {
    let start = format!("{field}: ");
    let said = refusal.said.as_deref().and_then(|said| said.strip_prefix(&start));
    let said = said.map(|said| format!("{start}baris {line}: {said}"));
    let detail = refusal.detail.strip_prefix(&start).map(|detail| format!("{start}line {line}: {detail}"));
    let detail = detail.unwrap_or_else(|| refusal.detail.clone());
    Refusal { detail, said: said.or_else(|| refusal.said.clone()), ..refusal }.with(|f| f.line = Some(line))
}

/// A line as a sentence quotes it.
pub(super) fn quote(line: &[u8]) -> String {
    format!("{:?}", cut(&lossy(line), QUOTED))
}

/// A name as a sentence says it.
pub(super) fn named(name: &[u8]) -> String {
    cut(&lossy(name), 2 * QUOTED)
}

/// A line as the facts carry it.
pub(super) fn carried(line: &[u8]) -> String {
    cut(&lossy(line), CARRIED)
}

/// Only as much of a line is looked at as can be shown.
fn lossy(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut end = line.len().min(4 * CARRIED + 4);
    // A character is not cut in two.
    while end < line.len() && end > 0 && line[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    String::from_utf8_lossy(&line[..end]).into_owned()
}
