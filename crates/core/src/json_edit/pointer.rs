//! JSON Pointer (RFC 6901): `/a~1b/0`. What a token means is for the container that it meets.

use std::fmt::Write as _;

/// Reads a pointer into its tokens, unescaped. `None` where it is not one: it begins with `/` or is
/// empty, and `~` stands only in `~0` and `~1`.
pub(super) fn read(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.strip_prefix('/')?.split('/').map(token).collect()
}

fn token(raw: &str) -> Option<String> {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('~') {
        out.push_str(before);
        out.push(match after.as_bytes().first()? {
            b'0' => '~',
            b'1' => '/',
            _ => return None,
        });
        rest = &after[1..];
    }
    out.push_str(rest);
    Some(out)
}

/// Writes tokens as a pointer.
pub(super) fn write<T: AsRef<str>>(tokens: &[T]) -> String {
    let mut out = String::new();
    for token in tokens {
        out.push('/');
        for c in token.as_ref().chars() {
            match c {
                '~' => out.push_str("~0"),
                '/' => out.push_str("~1"),
                c => out.push(c),
            }
        }
    }
    out
}

/// An index of an array: `0`, or digits of which the first is none. What does not fit is past every
/// end.
pub(super) fn index(token: &str) -> Option<usize> {
    let plain = token.bytes().all(|b| b.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    (plain && !token.is_empty()).then(|| token.parse().unwrap_or(usize::MAX))
}

/// The longest that a text may be in a sentence, in characters.
const SHOWN_CHARS: usize = 200;

/// A text as it may stand in a sentence: on one line, nothing invisible, not endless.
pub(super) fn shown(text: &str) -> String {
    let mut out = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == SHOWN_CHARS {
            out.push('…');
            break;
        }
        let hidden = c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
        if hidden {
            let _ = write!(out, "{}", c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}
