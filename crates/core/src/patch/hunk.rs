//! A hunk: its header, and its lines as they stand in the patch.

/// A run of a file's lines with what becomes of them.
#[derive(Debug, Clone)]
pub(super) struct Hunk<'a> {
    /// The line of its header in the patch, from 1.
    pub(super) line: u64,
    pub(super) header: Header,
    /// The lines of the patch that are its own, with their signs.
    pub(super) body: &'a [u8],
}

/// The numbers of a hunk's header, `@@ -old,old_count +new,new_count @@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) old: u32,
    pub(super) old_count: u32,
    pub(super) new: u32,
    pub(super) new_count: u32,
}

/// Which side of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// A line of a hunk, without its sign and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HunkLine<'a> {
    pub(super) old: bool,
    pub(super) new: bool,
    pub(super) text: &'a [u8],
    /// The file goes on after it, or ends with a line end.
    pub(super) ended: bool,
}

impl HunkLine<'_> {
    pub(super) fn is_of(&self, side: Side) -> bool {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text);
        if self.ended {
            out.push(b'\n');
        }
    }
}

impl<'a> Hunk<'a> {
    /// Its lines, in order.
    pub(super) fn lines(&self) -> impl Iterator<Item = HunkLine<'a>> + use<'a> {
        let mut lines = self.body.split_inclusive(|b| *b == b'\n').peekable();
        std::iter::from_fn(move || {
            let line = lines.next()?;
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            // A blank line whose sign was lost to an editor counts as context, as it does for git.
            let (sign, text) = match line {
                [] | [b'\r'] => (b' ', line),
                [sign, text @ ..] => (*sign, text),
            };
            let ended = lines.next_if(|next| next.starts_with(b"\\")).is_none();
            Some(HunkLine { old: sign != b'+', new: sign != b'-', text, ended })
        })
    }

    /// The lines of one side.
    pub(super) fn side(&self, side: Side) -> impl Iterator<Item = HunkLine<'a>> + use<'a> {
        self.lines().filter(move |line| line.is_of(side))
    }

    /// The line and the number of lines of one side, as the header has them.
    pub(super) fn range(&self, side: Side) -> (u32, u32) {
        match side {
            Side::Old => (self.header.old, self.header.old_count),
            Side::New => (self.header.new, self.header.new_count),
        }
    }

    pub(super) fn starts_with_nothing(&self) -> bool {
        (self.header.old, self.header.old_count) == (0, 0)
    }
}

/// Why a line that begins like a header is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoHeader {
    /// There are no numbers in it.
    Numberless,
    /// A number is too large for a line.
    TooLarge,
    /// It is a combined diff's, of a merge.
    Combined,
}

impl Header {
    /// Reads `@@ -1,2 +3,4 @@ …`.
    pub(super) fn read(line: &[u8]) -> Result<Self, NoHeader> {
        if line.starts_with(b"@@@") {
            return Err(NoHeader::Combined);
        }
        // What follows the numbers may be any bytes.
        let readable = std::str::from_utf8(line).map_or_else(|e| e.valid_up_to(), str::len);
        let text = std::str::from_utf8(&line[..readable]).unwrap_or_default();
        let inner = text.strip_prefix("@@ -").and_then(|rest| rest.split_once(" @@"));
        let (inner, _) = inner.ok_or(NoHeader::Numberless)?;
        let (old, new) = inner.split_once(" +").ok_or(NoHeader::Numberless)?;
        let ((old, old_count), (new, new_count)) = (range(old)?, range(new)?);
        Ok(Self { old, old_count, new, new_count })
    }
}

fn range(text: &str) -> Result<(u32, u32), NoHeader> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Ok((number(start)?, number(count)?))
}

fn number(text: &str) -> Result<u32, NoHeader> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NoHeader::Numberless);
    }
    // A line's number is below the bytes of the largest document, with room for wrong ones.
    text.parse().ok().filter(|n| *n <= u32::MAX / 2).ok_or(NoHeader::TooLarge)
}
