//! What may stand between files: text is nobody's, but a line that looks like a hunk's is never dropped.

use super::lines::{Lines, is_blank};

/// What the lines at hand come after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// Text: before the first file, or where something ended the last one.
    Text,
    /// A file; `direct` as long as nothing but blank lines has followed it.
    File { direct: bool },
    /// A file that could not be read: what follows may be its own.
    Broken,
}

/// What ends a file.
pub(super) enum End {
    /// So many lines that say it.
    Lines(usize),
    /// Nothing here.
    No,
}

/// Whether the line at hand says that the file is over: what follows is text.
pub(super) fn end(lines: &Lines<'_>, fenced: bool) -> End {
    let text = lines.text().unwrap_or_default();
    if is_separator(text) || fenced && is_fence(text) {
        return End::Lines(1);
    }
    if is_signature(lines) { End::Lines(2) } else { End::No }
}

/// A code fence.
pub(super) fn is_fence(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with(b"```") || text.starts_with(b"~~~")
}

/// The first line of a mail, a commit of a log, a changeset.
fn is_separator(text: &[u8]) -> bool {
    let commit = text.strip_prefix(b"commit ").is_some_and(|rest| {
        let id = rest.split(|b| *b == b' ').next().unwrap_or_default();
        id.len() >= 7 && id.iter().all(u8::is_ascii_hexdigit)
    });
    commit
        || text.starts_with(b"From ")
        || text.starts_with(b"# HG changeset patch")
        || text.starts_with(b"=== ")
}

/// `-- ` and the version of git that made the mail, then nothing or another mail.
fn is_signature(lines: &Lines<'_>) -> bool {
    let dashes = matches!(lines.text(), Some(b"-- " | b"--"));
    let version = lines.ahead(1).is_some_and(|text| {
        let (digits, dot) = (text.first().is_some_and(u8::is_ascii_digit), text.contains(&b'.'));
        digits && dot && text.len() <= 80
    });
    dashes && version && lines.ahead(2).is_none_or(|next| is_blank(next) || next.starts_with(b"From "))
}

/// Whether a line after a file looks like one of a hunk.
pub(super) fn is_stray(text: &[u8], direct: bool) -> bool {
    match text.first() {
        Some(b'+' | b'-') => true,
        Some(b' ') => direct,
        Some(b'\\') => text.starts_with(b"\\ "),
        _ => false,
    }
}
