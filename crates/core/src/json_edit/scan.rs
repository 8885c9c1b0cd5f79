//! JSON text as it stands: checked once, strictly (RFC 8259, no byte order mark, no lone surrogate),
//! then walked by offsets. Walking trusts the check. Nothing here is ever written anew.

use std::borrow::Cow;

use crate::limit;

/// Objects and arrays of at least this many bytes are remembered with their end, so that walking
/// past one costs nothing however often it is done.
const BIG: usize = 4096;

/// Why a text is not JSON, and where.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub en: String,
    pub id: String,
}

/// Whether an object may have a name twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Documents: it stays as it is, until somebody points at it.
    MayRepeat,
    /// Patches: it would be a guess which one is meant.
    Unique,
}

/// A checked text of one value.
#[derive(Debug)]
pub(super) struct Source<'a> {
    text: Cow<'a, str>,
    /// Where the big containers begin and end, in order.
    big: Vec<(u32, u32)>,
}

/// A piece of a source. Offsets are those of the source.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'t> {
    pub text: &'t str,
    big: &'t [(u32, u32)],
    pub start: usize,
    pub end: usize,
}

/// A member or an element: blank, name, colon with its blanks, value, blank; each ends where the
/// next begins. An element's name and colon are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    pub lead: usize,
    pub name: usize,
    pub colon: usize,
    pub value: usize,
    pub trail: usize,
    pub end: usize,
}

/// Walks the items between two offsets; it holds no text, so that texts may grow meanwhile.
#[derive(Debug, Clone)]
pub(super) struct Items {
    at: usize,
    to: usize,
    object: bool,
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// An offset as it is kept: texts are far below 4 GiB (`limit::SUBMISSION_BYTES`).
pub(super) fn small(at: usize) -> u32 {
    u32::try_from(at).expect("a text is below 4 GiB: its size was checked at the border")
}

fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| is_blank(*b)) {
        at += 1;
    }
    at
}

/// Just past the string that begins at `at`.
fn skip_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    loop {
        match bytes.get(at) {
            Some(b'"') | None => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Just past the object or array that begins at `at`.
fn skip_container(bytes: &[u8], mut at: usize) -> usize {
    let mut open = 0_u32;
    loop {
        match bytes.get(at) {
            Some(b'"') => {
                at = skip_string(bytes, at);
                continue;
            }
            Some(b'{' | b'[') => open += 1,
            Some(b'}' | b']') => {
                open -= 1;
                if open == 0 {
                    return at + 1;
                }
            }
            Some(_) => {}
            None => return at,
        }
        at += 1;
    }
}

impl<'t> View<'t> {
    /// A whole text that holds one value, of which no end is remembered.
    pub(super) fn of(text: &'t str) -> Self {
        let start = skip_blank(text.as_bytes(), 0);
        let end = text.trim_end_matches(|c: char| c.is_ascii() && is_blank(c as u8)).len();
        Self { text, big: &[], start, end }
    }

    pub(super) fn raw(self) -> &'t str {
        &self.text[self.start..self.end]
    }

    pub(super) fn part(self, start: usize, end: usize) -> Self {
        Self { start, end, ..self }
    }

    pub(super) fn first(self) -> u8 {
        self.text.as_bytes()[self.start]
    }

    pub(super) fn is_object(self) -> bool {
        self.first() == b'{'
    }

    pub(super) fn is_container(self) -> bool {
        matches!(self.first(), b'{' | b'[')
    }

    /// Whether it is `{}` or `[]`, whatever blank is inside.
    pub(super) fn is_empty_container(self) -> bool {
        self.is_container() && skip_blank(self.text.as_bytes(), self.start + 1) + 1 == self.end
    }

    /// The items of a container.
    pub(super) fn items(self) -> Items {
        Items { at: self.start + 1, to: self.end - 1, object: self.is_object() }
    }

    /// The items of a run: a piece of the inside of a container.
    pub(super) fn run(self, object: bool) -> Items {
        Items { at: self.start, to: self.end, object }
    }

    fn skip_value(self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        match bytes.get(at) {
            Some(b'"') => skip_string(bytes, at),
            Some(b'{' | b'[') => {
                if !self.big.is_empty()
                    && let Ok(found) = self.big.binary_search_by_key(&small(at), |(start, _)| *start)
                {
                    return self.big[found].1 as usize;
                }
                skip_container(bytes, at)
            }
            _ => {
                let mut at = at;
                while bytes.get(at).is_some_and(|b| !is_blank(*b) && !matches!(b, b',' | b'}' | b']')) {
                    at += 1;
                }
                at
            }
        }
    }

    /// How deep it nests: 0 for what is no container, 1 for one without others inside.
    pub(super) fn depth(self) -> usize {
        let bytes = self.text.as_bytes();
        let (mut at, mut open, mut deepest) = (self.start, 0_usize, 0);
        while at < self.end {
            match bytes[at] {
                b'"' => {
                    at = skip_string(bytes, at);
                    continue;
                }
                b'{' | b'[' => {
                    open += 1;
                    deepest = deepest.max(open);
                }
                b'}' | b']' => open -= 1,
                _ => {}
            }
            at += 1;
        }
        deepest
    }
}

impl Items {
    pub(super) fn next(&mut self, view: View<'_>) -> Option<Item> {
        let bytes = view.text.as_bytes();
        if self.at >= self.to {
            return None;
        }
        let lead = self.at;
        let name = skip_blank(bytes, lead);
        if name >= self.to {
            return None;
        }
        let (mut colon, mut value) = (name, name);
        if self.object {
            colon = skip_string(bytes, name);
            value = skip_blank(bytes, skip_blank(bytes, colon) + 1);
        }
        let trail = view.skip_value(value);
        let end = skip_blank(bytes, trail).min(self.to);
        self.at = end + 1;
        Some(Item { lead, name, colon, value, trail, end })
    }
}

impl Item {
    pub(super) fn name<'t>(&self, view: View<'t>) -> &'t str {
        &view.text[self.name..self.colon]
    }

    pub(super) fn value<'t>(&self, view: View<'t>) -> View<'t> {
        view.part(self.value, self.trail)
    }
}

/// A string without its quotes and escapes. The raw text was checked.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    let inner = &raw[1..raw.len() - 1];
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (c, len) = escaped(&rest[at..]);
        out.push(c);
        rest = &rest[at + len..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character that an escape stands for, and the escape's length.
fn escaped(text: &str) -> (char, usize) {
    let unit = |at: usize| text.get(at..at + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match text.as_bytes().get(1) {
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => {
            let high = unit(2).unwrap_or_default();
            if let Some(c) = char::from_u32(high) {
                return (c, 6);
            }
            let low = unit(8).unwrap_or_default();
            let point = 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
            (char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        Some(other) => (char::from(*other), 2),
        None => ('\\', 1),
    }
}

/// A hash of a name as it is meant, so that `"a"` and `"\u0061"` meet. Only ever compared within
/// one edit.
pub(super) fn hash(name: &str) -> u32 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in name.bytes() {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the halves are folded together")]
    let folded = (state ^ (state >> 32)) as u32;
    folded
}

impl<'a> Source<'a> {
    /// Checks a text: exactly one value, and nothing that RFC 8259 does not know.
    pub(super) fn check(bytes: &'a [u8], names: Names) -> Result<Self, Fault> {
        let text = std::str::from_utf8(bytes).map_err(|error| Fault {
            at: error.valid_up_to(),
            en: "this byte is not UTF-8".to_owned(),
            id: "byte ini bukan UTF-8".to_owned(),
        })?;
        if text.starts_with('\u{FEFF}') {
            return Err(fault(
                0,
                "it begins with a byte order mark, which JSON does not have",
                "diawali tanda urutan byte (BOM), yang tidak ada dalam JSON",
            ));
        }
        let mut check =
            Check { bytes: text.as_bytes(), at: 0, open: Vec::new(), big: Vec::new(), seen: Vec::new() };
        check.run(names)?;
        let mut big = check.big;
        big.sort_unstable();
        Ok(Self { text: Cow::Borrowed(text), big })
    }

    /// A text of our own making, which grows.
    pub(super) fn growing() -> Self {
        Self { text: Cow::Owned(String::new()), big: Vec::new() }
    }

    pub(super) fn grow(&mut self) -> &mut String {
        self.text.to_mut()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn view(&self, start: usize, end: usize) -> View<'_> {
        View { text: &self.text, big: &self.big, start, end }
    }

    /// The value, without the blanks round it.
    pub(super) fn whole(&self) -> View<'_> {
        View { big: &self.big, ..View::of(&self.text) }
    }
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
