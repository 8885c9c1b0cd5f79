//! What may stand between files: text is nobody's, but a line that looks like a hunk's is never dropped.

use super::lines::Lines;

/// What the lines at hand come after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// Text: before the first file, or behind a code fence.
    Text,
    /// The line that closes a code fence: what follows at once may still be of the hunk before it.
    Fence,
    /// The head of a mail, commit or changeset: its message goes up to its first file.
    Message,
    /// A file; `direct` as long as nothing but blank lines has followed it.
    File { direct: bool },
    /// The end of a mail, or what may announce a file: nothing of a hunk may follow.
    Over,
    /// A file that could not be read: what follows may be its own.
    Broken,
}

impl After {
    /// Whether a line that looks like one of a hunk may be one that was not counted.
    pub(super) fn is_file(self) -> bool {
        matches!(self, Self::File { .. } | Self::Over | Self::Broken)
    }
}

/// The mail that the lines at hand are in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mail<'a> {
    pub(super) is_open: bool,
    /// What stands between the parts of a mail with attachments.
    pub(super) boundary: Option<&'a [u8]>,
}

/// How many lines at hand say that the file is over, and what they leave.
pub(super) fn end(lines: &Lines<'_>, fence: Option<Fence>, mail: Mail<'_>) -> Option<(usize, After)> {
    let text = lines.text().unwrap_or_default();
    if fence.is_some_and(|fence| fence.is_closed_by(text)) {
        return Some((1, After::Fence));
    }
    let part = mail.boundary.and_then(|boundary| text.strip_prefix(b"--")?.strip_prefix(boundary));
    match part {
        Some(b"") => return Some((1, After::Message)),
        Some(b"--") => return Some((1, After::Over)),
        _ => {}
    }
    is_signature(lines, mail.is_open).then_some((2, After::Over))
}

/// What stands between a mail's parts, as its head says it.
pub(super) fn boundary(text: &[u8]) -> Option<&[u8]> {
    let start = memchr::memmem::find(text, b"boundary=\"")? + b"boundary=\"".len();
    let rest = &text[start..];
    let end = memchr::memchr(b'"', rest)?;
    (end > 0).then_some(&rest[..end])
}

/// A code fence that is open (section 4.5 of `CommonMark`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence {
    /// Bytes of white space before it.
    indent: usize,
    mark: u8,
    /// How many marks it has.
    length: usize,
}

impl Fence {
    /// The fence that a line opens, if it does; how the code is called may follow it.
    pub(super) fn opened_by(text: &[u8]) -> Option<Self> {
        let (fence, rest) = Self::of(text)?;
        // What is in backticks on one line is no block.
        (fence.mark != b'`' || !rest.contains(&b'`')).then_some(fence)
    }

    /// Whether a line closes this fence: as many marks or more, and nothing else. It is not further in
    /// than the one that opened it: in a patch a blank in front is a mark, and what follows it content.
    pub(super) fn is_closed_by(self, text: &[u8]) -> bool {
        Self::of(text).is_some_and(|(close, rest)| {
            close.mark == self.mark
                && close.length >= self.length
                && close.indent <= self.indent
                && rest.trim_ascii().is_empty()
        })
    }

    /// What a line begins with, and the rest of it.
    fn of(text: &[u8]) -> Option<(Self, &[u8])> {
        let marks = text.trim_ascii_start();
        let mark = *marks.first().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let length = marks.iter().take_while(|b| **b == mark).count();
        let fence = Self { indent: text.len() - marks.len(), mark, length };
        (length >= 3).then(|| (fence, &marks[length..]))
    }
}

/// Whether a mail, a commit of a log, or a changeset begins here.
pub(super) fn is_separator(lines: &Lines<'_>) -> bool {
    let text = lines.text().unwrap_or_default();
    let next = || lines.ahead(1).unwrap_or_default();
    let followed = |starts: &[&str]| starts.iter().any(|start| next().starts_with(start.as_bytes()));
    if let Some(rest) = text.strip_prefix(b"commit ") {
        let id = rest.split(|b| *b == b' ').next().unwrap_or_default();
        let named = id.len() >= 7 && id.iter().all(u8::is_ascii_hexdigit);
        return named && followed(&["Author: ", "Merge: ", "tree ", "Reflog: "]);
    }
    if let Some(rest) = text.strip_prefix(b"changeset: ") {
        let digits = rest.trim_ascii_start().iter().take_while(|b| b.is_ascii_digit()).count();
        let numbered = digits > 0 && rest.trim_ascii_start().get(digits) == Some(&b':');
        return numbered && followed(&["user: ", "branch: ", "tag: ", "bookmark: ", "parent: ", "phase: "]);
    }
    is_mail_line(text) || text == b"# HG changeset patch" && next().starts_with(b"# ")
}

/// `From 0123… Mon Sep 17 00:00:00 2001`: the first line of a mail in a mailbox.
fn is_mail_line(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"From ") else { return false };
    let words: Vec<&[u8]> = rest.split(|b| *b == b' ').filter(|word| !word.is_empty()).collect();
    let [_, .., day, month, date, time, year] = words.as_slice() else { return false };
    let letters = |word: &[u8]| word.len() == 3 && word.iter().all(u8::is_ascii_alphabetic);
    let digits = |word: &[u8]| word.iter().all(|b| b.is_ascii_digit() || *b == b':');
    letters(day) && letters(month) && [date, time, year].iter().all(|w| digits(w)) && time.contains(&b':')
}

/// The head of a mail that was not taken from a mailbox.
pub(super) fn is_mail_head(text: &[u8]) -> bool {
    text.starts_with(b"From: ") || text.starts_with(b"Subject: ")
}

/// `-- ` and the version of git that made the mail, then nothing or another mail. In a mail another word
/// may stand in its place; where an editor took the blank, nothing else may follow.
fn is_signature(lines: &Lines<'_>, in_mail: bool) -> bool {
    let dashes = lines.text().filter(|text| matches!(*text, b"-- " | b"--"));
    let (Some(dashes), Some(word)) = (dashes, lines.ahead(1)) else { return false };
    let mut rest = *lines;
    rest.advance();
    rest.advance();
    let at_once = rest.text().is_none_or(<[u8]>::is_empty) || is_separator(&rest);
    while rest.text().is_some_and(<[u8]>::is_empty) {
        rest.advance();
    }
    let last = rest.text().is_none() || is_separator(&rest);
    match dashes {
        b"-- " if is_version(word) => at_once,
        b"-- " => in_mail && last && word.first().is_some_and(u8::is_ascii_alphanumeric),
        _ => is_version(word) && last,
    }
}

/// `2.39.2 (Apple Git-143)`
fn is_version(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let first = digits(text);
    let rest = text.get(first..).unwrap_or_default();
    first > 0 && rest.strip_prefix(b".").is_some_and(|rest| digits(rest) > 0)
}

/// Whether a line after a file looks like one of a hunk.
pub(super) fn is_stray(text: &[u8], direct: bool) -> bool {
    match text.first() {
        Some(b'+' | b'-') => true,
        Some(b' ') => direct,
        Some(b'\\') => direct || text.starts_with(b"\\ "),
        _ => false,
    }
}
