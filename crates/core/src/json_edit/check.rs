//! Whether a text is JSON, strictly: RFC 8259, no lone surrogate, no deeper than documents may be.
//! One pass, without recursion; nothing is built.

use std::borrow::Cow;

use super::scan::{Fault, Names, hash, skip_blank, skip_string, small, unescape};
use crate::limit;

/// Containers of at least this many bytes are remembered with their end, so that walking past one
/// costs nothing however often it is done.
const BIG: usize = 4096;

/// Checks a text that has no byte order mark: exactly one value, and nothing that RFC 8259 does not
/// know. Gives where its big containers begin and end, in order.
pub(super) fn check(text: &str, names: Names) -> Result<Vec<(u32, u32)>, Fault> {
    let mut check =
        Check { bytes: text.as_bytes(), at: 0, open: Vec::new(), big: Vec::new(), seen: Vec::new() };
    check.run(names)?;
    let mut big = check.big;
    big.sort_unstable();
    Ok(big)
}

fn fault(at: usize, en: &str, id: &str) -> Fault {
    Fault { at, en: en.to_owned(), id: id.to_owned() }
}

struct Check<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The containers that are open: where they begin, and their first name in `seen`.
    open: Vec<(usize, usize)>,
    big: Vec<(u32, u32)>,
    /// The names of the open objects: hash and offset.
    seen: Vec<(u32, u32)>,
}

impl Check<'_> {
    fn run(&mut self, names: Names) -> Result<(), Fault> {
        loop {
            // A value begins here; a container is entered and its first value comes next.
            self.blank();
            match self.peek() {
                Some(open @ (b'{' | b'[')) => {
                    if self.open.len() == limit::JSON_DEPTH {
                        return Err(self.too_deep());
                    }
                    self.open.push((self.at, self.seen.len()));
                    self.at += 1;
                    self.blank();
                    let close = if open == b'{' { b'}' } else { b']' };
                    if self.peek() != Some(close) {
                        if open == b'{' {
                            self.name(names)?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                _ => self.word()?,
            }
            // A value has ended; as many containers end as close here.
            loop {
                self.blank();
                let Some(&(start, first)) = self.open.last() else {
                    return if self.peek().is_none() {
                        Ok(())
                    } else {
                        Err(self.unexpected("the end", "akhir"))
                    };
                };
                let object = self.bytes[start] == b'{';
                match (self.peek(), object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        self.blank();
                        if object {
                            self.name(names)?;
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        self.open.pop();
                        if names == Names::Unique {
                            self.no_twins(first)?;
                        }
                        if self.at - start >= BIG {
                            self.big.push((small(start), small(self.at)));
                        }
                    }
                    (_, true) => return Err(self.unexpected("a comma or }", "koma atau }")),
                    (_, false) => return Err(self.unexpected("a comma or ]", "koma atau ]")),
                }
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        self.at = skip_blank(self.bytes, self.at);
    }

    fn name(&mut self, names: Names) -> Result<(), Fault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(
                self.unexpected("a member's name in double quotes", "nama anggota dalam tanda kutip ganda")
            );
        }
        self.string()?;
        if names == Names::Unique {
            self.seen.push((hash(&self.meant(start)), small(start)));
        }
        self.blank();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("a colon", "titik dua"));
        }
        self.at += 1;
        Ok(())
    }

    /// The name that stands at an offset, as it is meant.
    fn meant(&self, start: usize) -> Cow<'_, str> {
        let end = skip_string(self.bytes, start);
        unescape(std::str::from_utf8(&self.bytes[start..end]).expect("a string within text that is UTF-8"))
    }

    /// The object whose names are the last ones seen has each once.
    fn no_twins(&mut self, first: usize) -> Result<(), Fault> {
        let mut mine = self.seen.split_off(first);
        mine.sort_unstable();
        for group in mine.chunk_by_mut(|(x, _), (y, _)| x == y).filter(|group| group.len() > 1) {
            group.sort_by(|(_, x), (_, y)| self.meant(*x as usize).cmp(&self.meant(*y as usize)));
            for pair in group.windows(2) {
                let (name, twin) = (self.meant(pair[0].1 as usize), pair[1].1 as usize);
                if name == self.meant(twin) {
                    let name = super::pointer::shown(&name);
                    return Err(Fault {
                        at: twin,
                        en: format!("the member \"{name}\" stands twice"),
                        id: format!("anggota \"{name}\" ditulis dua kali"),
                    });
                }
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(0..=0x1F) => {
                    return Err(fault(
                        self.at,
                        "a control character stands in a string without an escape",
                        "ada karakter kendali tanpa escape di dalam teks",
                    ));
                }
                Some(_) => self.at += 1,
                None => return Err(fault(start, "this string does not end", "teks ini tidak berakhir")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let lone = || {
            fault(start, "a surrogate stands alone in a string", "ada surrogate tanpa pasangan di dalam teks")
        };
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let unit = self.unit(self.at + 2)?;
                self.at += 6;
                match unit {
                    0xD800..=0xDBFF => {
                        if self.bytes.get(self.at..self.at + 2) != Some(b"\\u") {
                            return Err(lone());
                        }
                        if !(0xDC00..=0xDFFF).contains(&self.unit(self.at + 2)?) {
                            return Err(lone());
                        }
                        self.at += 6;
                    }
                    0xDC00..=0xDFFF => return Err(lone()),
                    _ => {}
                }
            }
            _ => return Err(fault(start, "JSON does not know this escape", "escape ini tidak dikenal JSON")),
        }
        Ok(())
    }

    fn unit(&self, at: usize) -> Result<u32, Fault> {
        let digits = self.bytes.get(at..at + 4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let unit =
            digits.and_then(|d| std::str::from_utf8(d).ok()).and_then(|d| u32::from_str_radix(d, 16).ok());
        unit.ok_or_else(|| {
            fault(at, "\\u is followed by four hexadecimal digits", "\\u diikuti empat angka heksadesimal")
        })
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return Err(self.unexpected("a digit", "angka"));
        }
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return Err(fault(self.at, "a number begins with 0", "bilangan diawali angka 0"));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn word(&mut self) -> Result<(), Fault> {
        for word in ["true", "false", "null"] {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(());
            }
        }
        Err(self.unexpected("a value", "nilai"))
    }

    fn too_deep(&self) -> Fault {
        let depth = limit::JSON_DEPTH;
        Fault {
            at: self.at,
            en: format!("it is nested deeper than {depth} levels"),
            id: format!("bersarang lebih dari {depth} tingkat"),
        }
    }

    fn unexpected(&self, en: &str, id: &str) -> Fault {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            let (en, id) = (
                format!("{en} is expected, and the text ends"),
                format!("seharusnya {id}, tetapi teksnya berakhir"),
            );
            return Fault { at: self.at, en, id };
        }
        if rest.starts_with(b"//") || rest.starts_with(b"/*") {
            return fault(self.at, "JSON has no comments", "JSON tidak mengenal komentar");
        }
        // The offset is a boundary: everything before it was ASCII, or whole strings.
        let found = std::str::from_utf8(rest).ok().and_then(|t| t.chars().next()).unwrap_or_default();
        let found = super::pointer::shown(found.encode_utf8(&mut [0; 4]));
        Fault {
            at: self.at,
            en: format!("{en} is expected, and \"{found}\" stands there"),
            id: format!("seharusnya {id}, tetapi ada \"{found}\""),
        }
    }
}
