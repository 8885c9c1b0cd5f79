//! JSON text as it stands: checked once (`check`), then walked by offsets. Walking trusts the check.
//! Nothing here is ever written anew.

use std::borrow::Cow;

use super::check;

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

pub(super) fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| is_blank(*b)) {
        at += 1;
    }
    at
}

/// Just past the string that begins at `at`.
pub(super) fn skip_string(bytes: &[u8], mut at: usize) -> usize {
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
            return Err(Fault {
                at: 0,
                en: "it begins with a byte order mark, which JSON does not have".to_owned(),
                id: "diawali tanda urutan byte (BOM), yang tidak ada dalam JSON".to_owned(),
            });
        }
        let big = check::check(text, names)?;
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
