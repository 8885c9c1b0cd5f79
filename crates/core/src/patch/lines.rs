//! A patch line by line, with numbers. What a line means is not known here.

/// A place in a patch, at the start of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the line at hand, from 1.
    pub(super) number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, number: 1 }
    }

    /// The line at hand with its end; the last one may have none.
    pub(super) fn line(&self) -> Option<&'a [u8]> {
        let end = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |at| at + 1);
        (end > 0).then(|| &self.rest[..end])
    }

    /// The line at hand without its end: headers may end in CR LF.
    pub(super) fn text(&self) -> Option<&'a [u8]> {
        self.line().map(without_end)
    }

    /// The text of the line that lies so many lines further.
    pub(super) fn ahead(&self, lines: usize) -> Option<&'a [u8]> {
        let mut later = *self;
        for _ in 0..lines {
            later.advance();
        }
        later.text()
    }

    /// Goes to the next line.
    pub(super) fn advance(&mut self) {
        if let Some(line) = self.line() {
            self.rest = &self.rest[line.len()..];
            self.number += 1;
        }
    }

    /// The lines from an earlier place up to here.
    pub(super) fn since(&self, start: &Self) -> &'a [u8] {
        &start.rest[..start.rest.len() - self.rest.len()]
    }
}

/// A line without its LF or CR LF.
pub(super) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Whether nothing is on the line.
pub(super) fn is_blank(line: &[u8]) -> bool {
    without_end(line).is_empty()
}
