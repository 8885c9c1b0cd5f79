//! Names in headers: quoting as in C, stamps, leading components, the two names of a `diff --git` line.

use std::borrow::Cow;

use super::stamp;
use crate::limit;

/// A name behind `--- ` or `+++ `.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// It is `/dev/null`.
    pub(super) null: bool,
    /// Its stamp says that there was no file.
    pub(super) absent: bool,
}

/// Reads what stands behind `--- ` or `+++ `; none where a quoted name does not end, or is not all.
pub(super) fn header(rest: &[u8]) -> Option<Name<'_>> {
    let (bytes, stamp) = if rest.starts_with(b"\"") {
        let (name, rest) = unquote(rest)?;
        if !(rest.is_empty() || rest.starts_with(b"\t")) {
            return None;
        }
        (Cow::Owned(name), rest)
    } else {
        let end = memchr::memchr(b'\t', rest).unwrap_or(rest.len());
        (Cow::Borrowed(&rest[..end]), &rest[end..])
    };
    let null = bytes.as_ref() == b"/dev/null";
    let absent = stamp::is_absent(stamp.trim_ascii());
    Some(Name { bytes, null, absent })
}

/// Reads a whole text as a name, quoted or not.
pub(super) fn whole(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !text.starts_with(b"\"") {
        return Some(Cow::Borrowed(text));
    }
    let (name, rest) = unquote(text)?;
    rest.is_empty().then_some(Cow::Owned(name))
}

/// Reads a name quoted as in C; gives what follows it.
fn unquote(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (&escape, after) = rest.split_first()?;
                rest = after;
                name.push(match escape {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => escape,
                    b'0'..=b'3' => {
                        let (digits, after) = rest.split_at_checked(2)?;
                        rest = after;
                        let digit = |b: u8| matches!(b, b'0'..=b'7').then(|| b - b'0');
                        (escape - b'0') * 64 + digit(digits[0])? * 8 + digit(digits[1])?
                    }
                    _ => return None,
                });
            }
            _ => name.push(byte),
        }
    }
}

/// A name as our own patches write it; quoted where a reader would take it for something else.
pub(super) fn written(prefix: &str, name: &str) -> String {
    if name.bytes().any(|b| b == b'"' || b == b'\\' || b.is_ascii_control()) {
        let mut out = format!("\"{prefix}");
        for byte in name.bytes() {
            match byte {
                b'"' => out.push_str("\\\""),
                b'\\' => out.push_str("\\\\"),
                byte if byte.is_ascii_control() || !byte.is_ascii() => out.extend([format!("\\{byte:03o}")]),
                byte => out.push(char::from(byte)),
            }
        }
        out.push('"');
        out
    } else {
        format!("{prefix}{name}")
    }
}

/// Takes leading components away; a run of slashes counts as one.
pub(super) fn strip(name: &[u8], components: u32) -> Option<&[u8]> {
    let mut rest = name;
    for _ in 0..components {
        let slash = memchr::memchr(b'/', rest)?;
        let slashes = rest[slash..].iter().take_while(|b| **b == b'/').count();
        rest = &rest[slash + slashes..];
    }
    (!rest.is_empty() || components == 0).then_some(rest)
}

/// How many components a pair of names carries that belong to no path: 1 for `a/` and `b/`, either way round.
pub(super) fn usual_prefixes(old: Option<&[u8]>, new: Option<&[u8]>) -> u32 {
    let prefix = |name: &[u8]| match name {
        [letter @ (b'a' | b'b'), b'/', _, ..] => Some(*letter),
        _ => None,
    };
    let carried = match (old, new) {
        (Some(old), Some(new)) => matches!((prefix(old), prefix(new)), (Some(a), Some(b)) if a != b),
        (Some(one), None) | (None, Some(one)) => prefix(one).is_some(),
        (None, None) => false,
    };
    u32::from(carried)
}

/// Bytes of a `diff --git` line up to which every blank of it may be where its names part: room for two
/// paths of the greatest length, each with folders before it. Each blank costs a look at the whole line,
/// and longer names are of no document.
const DIVIDED: usize = 4 * limit::PATH_BYTES;

type Two<'a> = (Cow<'a, [u8]>, Cow<'a, [u8]>);

/// What the `diff --git` line tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pair<'a> {
    /// Both names, where they can be told apart, with how many components are taken away.
    Split { old: Cow<'a, [u8]>, new: Cow<'a, [u8]>, strip: u32 },
    /// They cannot be told apart, or are not the same file.
    Unclear,
}

/// Splits what stands behind `diff --git `: both names are the same file's, once leading components are
/// taken away. Two ways to split it that way are no way.
pub(super) fn pair(text: &[u8], asked: Option<u32>) -> Pair<'_> {
    if text.starts_with(b"\"") || text.ends_with(b"\"") {
        let split = quoted_pair(text);
        let Some((old, new)) = split else { return Pair::Unclear };
        let own = || own_strip(&old, &new).unwrap_or_else(|| usual_prefixes(Some(&old), Some(&new)));
        let strip = asked.unwrap_or_else(own);
        return Pair::Split { old, new, strip };
    }
    let at = |space: usize| (&text[..space], &text[space + 1..]);
    let found = |old: &'_ [u8], new: &'_ [u8]| match asked {
        Some(n) => strip(old, n).is_some_and(|name| strip(new, n) == Some(name)).then_some(n),
        None => own_strip(old, new),
    };
    if asked.is_none() {
        // `a/` and `b/` are as long as each other, and so are no prefixes: the split is in the middle.
        let middle = text.len() / 2;
        let halves = text.len() % 2 == 1 && text[middle] == b' ';
        if let Some((old, new)) = halves.then(|| at(middle))
            && let Some(strip) = found(old, new)
        {
            return Pair::Split { old: old.into(), new: new.into(), strip };
        }
    }
    let mut blanks = memchr::memchr_iter(b' ', text);
    if let (Some(one), None) = (blanks.next(), blanks.next()) {
        // Where they are not one file's, they are of a rename, or have prefixes that were not foreseen.
        let (old, new) = at(one);
        let unforeseen = || asked.unwrap_or_else(|| usual_prefixes(Some(old), Some(new)));
        let strip = found(old, new).unwrap_or_else(unforeseen);
        return Pair::Split { old: old.into(), new: new.into(), strip };
    }
    let mut ways = parts(text).map(at).filter_map(|(old, new)| Some((old, new, found(old, new)?)));
    match (ways.next(), ways.next()) {
        (Some((old, new, strip)), None) => Pair::Split { old: old.into(), new: new.into(), strip },
        _ => Pair::Unclear,
    }
}

/// Where two names may part: none in a line that is too long to try all of it.
fn parts(text: &[u8]) -> impl Iterator<Item = usize> {
    let tried = if text.len() <= DIVIDED { text } else { &[] };
    memchr::memchr_iter(b' ', tried)
}

/// Every way to divide what stands behind `diff --git `.
pub(super) fn divisions(text: &[u8]) -> impl Iterator<Item = Two<'_>> {
    let quoted = text.starts_with(b"\"") || text.ends_with(b"\"");
    let one = if quoted { quoted_pair(text) } else { None };
    let plain = if quoted { &[][..] } else { text };
    let at = move |space: usize| (Cow::Borrowed(&text[..space]), Cow::Borrowed(&text[space + 1..]));
    one.into_iter().chain(parts(plain).map(at))
}

/// How many leading components a name has before another one with which it ends.
pub(super) fn folders_before(name: &[u8], rest: &[u8]) -> Option<usize> {
    let folders = name.strip_suffix(rest)?;
    let runs = folders.chunk_by(|one, next| (*one == b'/') == (*next == b'/'));
    (folders.is_empty() || folders.ends_with(b"/")).then(|| runs.filter(|run| run[0] == b'/').count())
}

/// How many components two names of one file carry that are no part of its path: those of git's usual
/// prefixes, none, or one folder each that is all in which they differ (`i/` and `w/`).
fn own_strip(old: &[u8], new: &[u8]) -> Option<u32> {
    let tail = |name| strip(name, 1);
    if old == new { Some(0) } else { (tail(old).is_some() && tail(old) == tail(new)).then_some(1) }
}

/// Two names, at least one of them quoted.
fn quoted_pair(text: &[u8]) -> Option<Two<'_>> {
    if text.starts_with(b"\"") {
        let (old, rest) = unquote(text)?;
        return Some((Cow::Owned(old), whole(rest.strip_prefix(b" ")?)?));
    }
    // Each is read up to the next one at most: a quote behind a blank ends what is quoted.
    memchr::memmem::find_iter(text, b" \"").find_map(|space| {
        let new = whole(&text[space + 1..])?;
        Some((Cow::Borrowed(&text[..space]), new))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_stamps() {
        let check = |text: &str, expected: Option<(&str, bool, bool)>| {
            let read = header(text.as_bytes());
            let read = read.map(|n| (String::from_utf8(n.bytes.into_owned()).unwrap(), n.null, n.absent));
            assert_eq!(read, expected.map(|(name, null, absent)| (name.to_owned(), null, absent)), "{text}");
        };
        check("a/x", Some(("a/x", false, false)));
        check("dir name/x y", Some(("dir name/x y", false, false)));
        check("x\t2013-10-13 23:53:13 +0000", Some(("x", false, false)));
        check("x\t1970-01-01 00:00:00 +0000", Some(("x", false, true)));
        check("/dev/null", Some(("/dev/null", true, false)));
        check("/dev/null\tThu Jan 01 00:00:00 1970 +0000", Some(("/dev/null", true, true)));
        check("\"a/A \\303\\242 B\"", Some(("a/A â B", false, false)));
        check("\"with\\\"quote\"\t", Some(("with\"quote", false, false)));
        check("\"open", None);
        check("\"b/a\"zz", None);
        check("\"\\9\"", None);
        check("\"\\03\"", None);
    }

    #[test]
    fn components() {
        let check = |name: &str, n: u32, left: Option<&str>| {
            assert_eq!(strip(name.as_bytes(), n), left.map(str::as_bytes), "{name} {n}");
        };
        check("a/b/c", 0, Some("a/b/c"));
        check("a/b/c", 1, Some("b/c"));
        check("a//b", 1, Some("b"));
        check("dst://foo bar/baz", 1, Some("foo bar/baz"));
        check("/tmp/x", 1, Some("tmp/x"));
        check("x", 1, None);
        check("a/", 1, None);
        check("a/b", 2, None);
    }

    #[test]
    fn folders_before_a_name() {
        let check = |name: &str, rest: &str, folders: Option<usize>| {
            assert_eq!(folders_before(name.as_bytes(), rest.as_bytes()), folders, "{name} {rest}");
        };
        check("x", "x", Some(0));
        check("a/x", "x", Some(1));
        check("a//d/x", "x", Some(2));
        check("/tmp/x", "x", Some(2));
        check("ax", "x", None);
        check("a/x", "y", None);
    }

    #[test]
    fn the_two_names_of_a_git_line() {
        let check = |text: &str, asked: Option<u32>, expected: Option<(&str, &str, u32)>| {
            let split = match pair(text.as_bytes(), asked) {
                Pair::Split { old, new, strip } => Some((
                    String::from_utf8(old.into_owned()).unwrap(),
                    String::from_utf8(new.into_owned()).unwrap(),
                    strip,
                )),
                Pair::Unclear => None,
            };
            assert_eq!(split, expected.map(|(o, n, s)| (o.to_owned(), n.to_owned(), s)), "{text} {asked:?}");
        };
        check("a/x b/x", None, Some(("a/x", "b/x", 1)));
        check("a/x b/x b/x b/x", None, Some(("a/x b/x", "b/x b/x", 1)));
        check("x x", None, Some(("x", "x", 0)));
        check("i/x w/x", None, Some(("i/x", "w/x", 1)));
        check(
            "src://foo bar/baz dst://foo bar/baz",
            None,
            Some(("src://foo bar/baz", "dst://foo bar/baz", 1)),
        );
        check("a/old b/new", None, Some(("a/old", "b/new", 1)));
        check("a/x b/x c/x", None, None);
        check("a/x b/x c/x", Some(1), None);
        check("a/x y b/z w", Some(1), None);
        check(
            "src/foo.rs src/foo.rs src/foo.rs src/foo.rs",
            Some(1),
            Some(("src/foo.rs src/foo.rs", "src/foo.rs src/foo.rs", 1)),
        );
        // Every blank of two names of the greatest length may part them, and none of a longer line but
        // the one in its middle.
        let name = "b ".repeat(limit::PATH_BYTES / 2 - 1) + "x";
        let (old, new) = (format!("old/{name}"), format!("n/{name}"));
        check(&format!("{old} {new}"), None, Some((&old, &new, 1)));
        let name = "b ".repeat(2 * limit::PATH_BYTES) + "x";
        check(&format!("old/{name} n/{name}"), None, None);
        let (old, new) = (format!("a/{name}"), format!("b/{name}"));
        check(&format!("{old} {new}"), None, Some((&old, &new, 1)));
        let (old, new) = (format!("o/{}", "x".repeat(DIVIDED)), format!("new/{}", "x".repeat(DIVIDED)));
        check(&format!("{old} {new}"), None, Some((&old, &new, 1)));
        for begun in [" \"y", " \"\\q", " \"y\"z"] {
            let old = format!("a/x{}", begun.repeat(100));
            check(&format!("{old} \"b/x\""), None, Some((&old, "b/x", 1)));
        }
        check("\"a/\\303\\242\" b/x", None, Some(("a/â", "b/x", 1)));
        check("a/x \"b/x\"", None, Some(("a/x", "b/x", 1)));
        check("\"a/x\\\"\" \"b/x\\\"\"", None, Some(("a/x\"", "b/x\"", 1)));
    }

    #[test]
    fn written_names_are_read_back() {
        for name in ["x", "a b", "q\"q", "\"", "é", "é\"é"] {
            let text = written("a/", name);
            assert_eq!(whole(text.as_bytes()).unwrap(), format!("a/{name}").as_bytes(), "{text}");
        }
    }
}
