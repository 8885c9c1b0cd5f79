//! One hunk: its header, its counts, its lines. Only the counts say where it ends.

use std::ops::AddAssign;

use super::lines::Lines;
use super::refuse::{invalid, quote};
use crate::refusal::Refusal;

/// A run of lines that a patch puts in place of another.
#[derive(Debug, Clone)]
pub(super) struct Hunk<'a> {
    /// Which of its file's hunks it is, from 1.
    pub(super) nth: u32,
    /// The line of the patch with its header.
    pub(super) line: u64,
    pub(super) old: Extent,
    pub(super) new: Extent,
    /// Whether it begins with context.
    pub(super) leads: bool,
    /// Its lines as they stand in the patch, marks included.
    body: &'a [u8],
}

/// One side of a hunk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// The first line, from 1, as the header says; the line above where there is none.
    pub(super) start: u32,
    pub(super) lines: u32,
    pub(super) bytes: usize,
    /// Its last line has no line end.
    pub(super) open: bool,
}

impl AddAssign<Row<'_>> for Extent {
    fn add_assign(&mut self, row: Row<'_>) {
        self.bytes += row.text.len() + usize::from(row.ended);
        self.open = !row.ended;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Context,
    Add,
    Remove,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) mark: Mark,
    /// Without its LF; a CR before it stays.
    pub(super) text: &'a [u8],
    /// Whether the LF is there.
    pub(super) ended: bool,
}

impl Row<'_> {
    fn is_on(self, side: Side) -> bool {
        match side {
            Side::Old => self.mark != Mark::Add,
            Side::New => self.mark != Mark::Remove,
        }
    }

    /// Takes this line off the beginning of bytes.
    fn taken_off<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let rest = bytes.strip_prefix(self.text)?;
        if self.ended { rest.strip_prefix(b"\n") } else { rest.is_empty().then_some(rest) }
    }
}

impl<'a> Hunk<'a> {
    pub(super) fn extent(&self, side: Side) -> Extent {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    /// Whether a side can only be at the very end of the document.
    pub(super) fn at_end(&self) -> bool {
        self.old.open || self.new.open
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let mut lines = Lines::new(self.body);
        std::iter::from_fn(move || read_row(&mut lines))
    }

    pub(super) fn side(&self, side: Side) -> impl Iterator<Item = Row<'a>> + use<'a> {
        self.rows().filter(move |row| row.is_on(side))
    }

    /// Whether a side stands at the beginning of bytes, which go on to the document's end.
    pub(super) fn stands_at(&self, side: Side, bytes: &[u8]) -> bool {
        if bytes.len() < self.extent(side).bytes {
            return false;
        }
        let mut rest = bytes;
        for row in self.side(side) {
            match row.taken_off(rest) {
                Some(left) => rest = left,
                None => return false,
            }
        }
        !self.at_end() || rest.is_empty()
    }

    /// The new side's bytes.
    pub(super) fn write_new(&self, out: &mut Vec<u8>) {
        for row in self.side(Side::New) {
            out.extend_from_slice(row.text);
            if row.ended {
                out.push(b'\n');
            }
        }
    }
}

/// Reads the next line of a body whose lines are known to be right.
fn read_row<'a>(lines: &mut Lines<'a>) -> Option<Row<'a>> {
    let (mark, text) = marked(lines.line()?)?;
    lines.advance();
    let ended = !lines.line().is_some_and(is_no_newline);
    if !ended {
        lines.advance();
    }
    Some(Row { mark, text, ended })
}

/// A line's mark and text. A wholly empty one is blank context whose space was lost.
fn marked(line: &[u8]) -> Option<(Mark, &[u8])> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    match text.split_first() {
        None | Some((b'\r', [])) => Some((Mark::Context, text)),
        Some((b' ', rest)) => Some((Mark::Context, rest)),
        Some((b'+', rest)) => Some((Mark::Add, rest)),
        Some((b'-', rest)) => Some((Mark::Remove, rest)),
        Some(_) => None,
    }
}

/// `\ No newline at end of file`, in whatever language.
pub(super) fn is_no_newline(line: &[u8]) -> bool {
    line.starts_with(b"\\ ")
}

/// Whether a line begins a hunk, well or badly.
pub(super) fn is_header(line: &[u8]) -> bool {
    line.starts_with(b"@@")
}

/// Whether a line begins a hunk with numbers.
pub(super) fn is_numbered(line: &[u8]) -> bool {
    line.starts_with(b"@@ -")
}

/// Reads the hunk at hand, which is the `nth` of its file.
pub(super) fn read<'a>(field: &str, lines: &mut Lines<'a>, nth: u32) -> Result<Hunk<'a>, Refusal> {
    let line = lines.number;
    let header = lines.text().unwrap_or_default();
    let (old, new) = read_header(field, line, header)?;
    lines.advance();
    let start = *lines;
    let mut hunk = Hunk { nth, line, old, new, leads: false, body: b"" };
    let (mut old_left, mut new_left) = (old.lines, new.lines);
    let mut first = None;
    while old_left > 0 || new_left > 0 {
        let Some((mark, text)) = lines.line().and_then(marked) else {
            return Err(cut_short(field, &hunk, &start, lines));
        };
        let (at, whole) = (lines.number, lines.line().is_some_and(|line| line.ends_with(b"\n")));
        let fits = match mark {
            Mark::Context => old_left > 0 && new_left > 0,
            Mark::Add => new_left > 0,
            Mark::Remove => old_left > 0,
        };
        if !fits {
            return Err(miscounted(field, &hunk, &start));
        }
        first.get_or_insert(mark);
        lines.advance();
        let ended = !lines.line().is_some_and(is_no_newline);
        let row = Row { mark, text, ended };
        if row.is_on(Side::Old) {
            old_left -= 1;
            hunk.old += row;
        }
        if row.is_on(Side::New) {
            new_left -= 1;
            hunk.new += row;
        }
        // Removed and kept lines are held against the document; what is added is held against nothing.
        if !whole && mark == Mark::Add {
            return Err(unfinished(field, at));
        }
        if !ended && text.is_empty() {
            return Err(no_line(field, at));
        }
        if !ended {
            let goes_on = row.is_on(Side::Old) && old_left > 0 || row.is_on(Side::New) && new_left > 0;
            if goes_on {
                return Err(goes_on_after_end(field, at));
            }
            lines.advance();
        }
    }
    hunk.leads = first == Some(Mark::Context);
    hunk.body = lines.since(&start);
    Ok(hunk)
}

/// `@@ -a[,b] +c[,d] @@`, and whatever follows.
fn read_header(field: &str, line: u64, text: &[u8]) -> Result<(Extent, Extent), Refusal> {
    let ranges = text.strip_prefix(b"@@ -").and_then(|rest| {
        let end = memchr::memmem::find(rest, b" @@")?;
        std::str::from_utf8(&rest[..end]).ok()?.split_once(" +")
    });
    let Some((old, new)) = ranges else {
        let header = quote(text);
        let numbers = text.iter().any(u8::is_ascii_digit);
        return Err(if numbers {
            invalid(
                field,
                line,
                (
                    format!(
                        "the hunk header {header} cannot be read; it is written @@ -FIRST,COUNT +FIRST,COUNT @@."
                    ),
                    format!(
                        "kepala potongan {header} tidak terbaca; bentuknya @@ -AWAL,JUMLAH +AWAL,JUMLAH @@."
                    ),
                ),
            )
        } else {
            invalid(
                field,
                line,
                (
                    format!(
                        "the hunk header {header} has no line numbers, so nobody can know where it belongs; it is written @@ -FIRST,COUNT +FIRST,COUNT @@. Text or a code fence around the patch does not matter."
                    ),
                    format!(
                        "kepala potongan {header} tidak memuat nomor baris, jadi tempatnya tidak dapat diketahui; bentuknya @@ -AWAL,JUMLAH +AWAL,JUMLAH @@. Teks atau pagar kode di sekitar tambalan tidak menjadi soal."
                    ),
                ),
            )
        });
    };
    let read = |range: &str| -> Option<Extent> {
        let (start, lines) = range.split_once(',').unwrap_or((range, "1"));
        Some(Extent { start: number(start)?, lines: number(lines)?, ..Extent::default() })
    };
    read(old).zip(read(new)).ok_or_else(|| {
        let header = quote(text);
        invalid(
            field,
            line,
            (
                format!("the numbers of the hunk header {header} cannot be read; they are whole numbers up to {}.", u32::MAX),
                format!("angka pada kepala potongan {header} tidak terbaca; angkanya bilangan bulat sampai {}.", u32::MAX),
            ),
        )
    })
}

fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The body ends before its counts do: what follows is no line of a hunk.
fn cut_short(field: &str, hunk: &Hunk<'_>, start: &Lines<'_>, at: &Lines<'_>) -> Refusal {
    if let Some(text) = at.text().filter(|text| text.starts_with(b"\\")) {
        return ends_no_line(field, at.number, text);
    }
    let stray = at.text().filter(|text| !is_header(text) && !is_boundary(text));
    let Some(stray) = stray else { return miscounted(field, hunk, start) };
    let stray = quote(stray);
    invalid(
        field,
        at.number,
        (
            format!(
                "{stray} is no line of a hunk: one begins with a space, + or -. The hunk of line {} is not complete; nothing stands for lines that are left out.",
                hunk.line
            ),
            format!(
                "{stray} bukan baris potongan: baris potongan diawali spasi, +, atau -. Potongan di baris {} belum lengkap; baris yang dihilangkan tidak dapat diwakili apa pun.",
                hunk.line
            ),
        ),
    )
}

fn is_boundary(text: &[u8]) -> bool {
    text.starts_with(b"diff ")
        || text.starts_with(b"Index: ")
        || text.starts_with(b"From ")
        || text.starts_with(b"```")
}

/// The counts of a header are not those of its lines.
pub(super) fn miscounted(field: &str, hunk: &Hunk<'_>, start: &Lines<'_>) -> Refusal {
    let (old, new) = count(start);
    counts(field, hunk, old, new)
}

/// A hunk is followed by lines that look like its own.
pub(super) fn overrun(field: &str, hunk: &Hunk<'_>, after: &Lines<'_>) -> Refusal {
    let (old, new) = count(after);
    counts(field, hunk, hunk.old.lines.saturating_add(old), hunk.new.lines.saturating_add(new))
}

/// Old and new lines from here to the end of what looks like a hunk.
fn count(start: &Lines<'_>) -> (u32, u32) {
    let (mut lines, mut old, mut new) = (*start, 0u32, 0u32);
    // Blank lines are the hunk's only where more of it follows: before text they are nobody's.
    let mut blanks = 0u32;
    while let Some(line) = lines.line() {
        let header = line.starts_with(b"--- ") && lines.ahead(1).is_some_and(|l| l.starts_with(b"+++ "));
        match marked(line) {
            Some((Mark::Context, b"" | b"\r")) if !line.starts_with(b" ") => {
                blanks = blanks.saturating_add(1);
            }
            Some((mark, _)) if !header => {
                let blanks = std::mem::take(&mut blanks);
                old = old.saturating_add(blanks).saturating_add(u32::from(mark != Mark::Add));
                new = new.saturating_add(blanks).saturating_add(u32::from(mark != Mark::Remove));
            }
            None if is_no_newline(line) => {}
            _ => break,
        }
        lines.advance();
    }
    (old, new)
}

fn counts(field: &str, hunk: &Hunk<'_>, old: u32, new: u32) -> Refusal {
    let (nth, line, want_old, want_new) = (hunk.nth, hunk.line, hunk.old.lines, hunk.new.lines);
    invalid(
        field,
        line,
        (
            format!("hunk {nth}: its header counts {want_old} old and {want_new} new lines, but the hunk has {old} and {new}; correct the numbers or give the lines that are missing."),
            format!("potongan {nth}: kepalanya menyebut {want_old} baris lama dan {want_new} baris baru, tetapi isinya {old} dan {new}; perbaiki angkanya atau lengkapi barisnya."),
        ),
    )
    .with(|f| {
        f.hunk = Some(nth);
        f.expected = vec![format!("-{want_old} +{want_new}")];
        f.found = vec![format!("-{old} +{new}")];
    })
}

fn goes_on_after_end(field: &str, line: u64) -> Refusal {
    invalid(
        field,
        line,
        (
            "this line is said to end the file without a line end, but lines of the same side follow it.",
            "baris ini disebut mengakhiri berkas tanpa akhir baris, tetapi masih ada baris di sisi yang sama sesudahnya.",
        ),
    )
}

fn no_line(field: &str, line: u64) -> Refusal {
    invalid(
        field,
        line,
        (
            "an empty line without a line end is no line: nothing would have to be there.",
            "baris kosong tanpa akhir baris bukanlah baris: tidak ada yang harus ada di sana.",
        ),
    )
}

fn unfinished(field: &str, line: u64) -> Refusal {
    invalid(
        field,
        line,
        (
            "the patch ends in the middle of a line; end it with a line break, so that it is sure that nothing was cut off.",
            "tambalan berakhir di tengah baris; akhiri dengan ganti baris, agar pasti tidak ada yang terpotong.",
        ),
    )
}

/// A line with a backslash that says of no line that it has no end.
pub(super) fn ends_no_line(field: &str, line: u64, text: &[u8]) -> Refusal {
    let text = quote(text);
    invalid(
        field,
        line,
        (
            format!(
                "{text} ends no line: it is written \\ No newline at end of file, once, right behind the line of a hunk that has no line end."
            ),
            format!(
                "{text} tidak mengakhiri baris apa pun: bentuknya \\ No newline at end of file, satu kali, tepat di belakang baris potongan yang tanpa akhir baris."
            ),
        ),
    )
}
