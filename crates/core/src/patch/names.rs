//! The names of a patch's files: quoting, time stamps, prefixes, and what is taken away of them.

use super::Strip;

/// A name as a header has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// `/dev/null`, or a time stamp that says so: there is no file on this side.
    Nothing,
    /// The bytes of a name.
    File(Vec<u8>),
}

impl Name {
    /// Reads what follows `--- ` or `+++ `: a name, quoted or up to a tab, and perhaps a time stamp.
    pub(super) fn read(rest: &[u8]) -> Self {
        let (name, stamp) = match rest {
            [b'"', ..] => match unquote(rest) {
                Some((name, after)) => (name, after),
                None => (rest.to_vec(), &[][..]),
            },
            _ => match memchr::memchr(b'\t', rest) {
                Some(tab) => (rest[..tab].to_vec(), &rest[tab + 1..]),
                None => (rest.to_vec(), &[][..]),
            },
        };
        if name == b"/dev/null" || is_epoch(stamp) { Self::Nothing } else { Self::File(name) }
    }
}

/// A name of git's own headers, which may be quoted.
pub(super) fn plain_or_quoted(rest: &[u8]) -> Vec<u8> {
    match unquote(rest) {
        Some((name, _)) => name,
        None => rest.to_vec(),
    }
}

/// Reads a name in quotes with C's escapes, and what follows it.
fn unquote(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (first, after) = rest.split_first()?;
        rest = after;
        match first {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                name.push(match escaped {
                    b'a' => 0x07,
                    b'b' => 0x08,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 0x0B,
                    b'f' => 0x0C,
                    b'r' => b'\r',
                    b'"' | b'\\' => *escaped,
                    b'0'..=b'3' => {
                        let (two, after) = rest.split_at_checked(2)?;
                        rest = after;
                        let digit = |byte: u8| (b'0'..=b'7').contains(&byte).then(|| byte - b'0');
                        (escaped - b'0') * 64 + digit(two[0])? * 8 + digit(two[1])?
                    }
                    _ => return None,
                });
            }
            other => name.push(*other),
        }
    }
}

/// A time stamp of 1970-01-01 00:00 UTC, by which bzr, hg and GNU diff say that there is no file.
fn is_epoch(stamp: &[u8]) -> bool {
    let Ok(stamp) = std::str::from_utf8(stamp) else { return false };
    let stamp = stamp.trim();
    let forms = ["%Y-%m-%d %H:%M:%S%.f %z", "%a %b %d %H:%M:%S %Y %z", "%d %b %Y %H:%M:%S %z"];
    forms.iter().any(|form| {
        let parsed = jiff::fmt::strtime::parse(form, stamp).and_then(|time| time.to_timestamp());
        parsed.is_ok_and(|time| time == jiff::Timestamp::UNIX_EPOCH)
    })
}

/// What is taken away of each name of one file; the same of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// So many leading components.
    Components(u32),
}

/// Decides what is taken away of the names of one file. Without a number, one component where one name
/// begins with `a/` and the other with `b/`, either way round, or the only one with either of them.
pub(super) fn taken(strip: Strip, old: Option<&[u8]>, new: Option<&[u8]>) -> Taken {
    if let Some(components) = strip {
        return Taken::Components(components);
    }
    let has = |name: Option<&[u8]>, prefix: &[u8]| name.is_none_or(|name| name.starts_with(prefix));
    let forward = has(old, b"a/") && has(new, b"b/");
    let reverse = has(old, b"b/") && has(new, b"a/");
    let any = old.is_some() || new.is_some();
    Taken::Components(u32::from(any && (forward || reverse)))
}

impl Taken {
    /// The rest of a name; `None` where it has too few components, or nothing would be left of it.
    pub(super) fn from(self, name: &[u8]) -> Option<&[u8]> {
        let Self::Components(components) = self;
        let mut rest = name;
        for _ in 0..components {
            let slash = memchr::memchr(b'/', rest)?;
            // A run of slashes is one.
            let more = rest[slash..].iter().take_while(|b| **b == b'/').count();
            rest = &rest[slash + more..];
        }
        (!rest.is_empty()).then_some(rest)
    }

    /// The same for the names of renames and copies, which git writes without `a/` and `b/`: one component less.
    pub(super) fn without_prefix(self) -> Self {
        let Self::Components(components) = self;
        Self::Components(components.saturating_sub(1))
    }
}

/// The one name that both halves of `diff --git X Y` come to. Nothing else may say it: without `---`,
/// `+++` and renames both sides are the same file.
pub(super) fn same_in_both(rest: &[u8], strip: Strip) -> Option<Vec<u8>> {
    if let Some((old, after)) = unquote(rest) {
        let new = plain_or_quoted(after.strip_prefix(b" ")?);
        return equal(&old, &new, strip);
    }
    let mut found: Option<Vec<u8>> = None;
    for space in memchr::memchr_iter(b' ', rest) {
        let (old, new) = (&rest[..space], plain_or_quoted(&rest[space + 1..]));
        if let Some(name) = equal(old, &new, strip) {
            if found.is_some() {
                return None;
            }
            found = Some(name);
        }
    }
    found
}

fn equal(old: &[u8], new: &[u8], strip: Strip) -> Option<Vec<u8>> {
    let taken = taken(strip, Some(old), Some(new));
    let (old, new) = (taken.from(old)?, taken.from(new)?);
    (old == new).then(|| old.to_vec())
}
