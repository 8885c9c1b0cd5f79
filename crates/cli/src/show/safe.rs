//! Texts that were written by others: safe for a terminal, and as a shell reads them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// A text on one line without anything that a terminal would obey: control characters and
/// characters that reorder what follows them are written as escapes.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    cleaned(text, |_| false)
}

/// Whether lines can be shown as they are, with their tabs and with CRLF at their ends.
pub(crate) fn is_clean(lines: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(lines) else { return false };
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = c == '\r' && chars.peek() == Some(&'\n');
        if obeyed(c) && !ends && !['\n', '\t'].contains(&c) {
            return false;
        }
    }
    true
}

/// As [`clean`], of a line whose tabs stay.
pub(crate) fn clean_line(text: &str) -> Cow<'_, str> {
    cleaned(text, |c| c == '\t')
}

fn cleaned(text: &str, keep: fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(|c| obeyed(c) && !keep(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !obeyed(c) || keep(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

fn obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        // Tags and the zero width no-break space hide text.
        || matches!(c, '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

/// A word as a shell reads it.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "/._-:\\".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// A path as a shell reads it, from wherever.
pub(crate) fn shell_path(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    shell_word(&path.display().to_string())
}

/// The line that has commands go to a store from now on.
pub(crate) fn export_line(store: &Path) -> String {
    let store = shell_path(store);
    if cfg!(windows) {
        format!("$env:SEKALI_STORE = \"{store}\"")
    } else {
        format!("export SEKALI_STORE={store}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected);
        check("Naikkan harga kopi", "Naikkan harga kopi");
        check("a\u{1b}[31mb", "a\\u{1b}[31mb");
        check("a\nb\tc\r", "a\\nb\\tc\\r");
        check("x\u{202e}gpj.exe", "x\\u{202e}gpj.exe");
        check("\u{9b}2J", "\\u{9b}2J");
        check("שלום 世界 é 👩‍👩‍👧", "שלום 世界 é 👩‍👩‍👧");
        assert_eq!(clean_line("a\tb\u{7}"), "a\tb\\u{7}");
    }

    #[test]
    fn words_are_written_as_a_shell_reads_them() {
        let check = |text: &str, expected: &str| assert_eq!(shell_word(text), expected);
        check("agent:bot", "agent:bot");
        check("Ani Budi", "'Ani Budi'");
        check("a'b", "'a'\\''b'");
        check("$(x)", "'$(x)'");
        check("", "''");
    }
}
