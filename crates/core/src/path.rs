//! Document paths: stored exactly as written, unique under NFC and full case folding.
//! Nothing here touches a file system; the rules are those under which every one can hold them.

use std::fmt;

use icu_casemap::CaseMapper;
use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
use serde::{Serialize, Serializer};

use crate::code::Code;
use crate::limit;
use crate::refusal::Refusal;
use crate::text::is_bidi_control;

/// A checked path: 1 to 1,024 bytes, `/` between segments of 1 to 255 bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocPath {
    text: String,
    key: String,
}

impl DocPath {
    /// Checks a path as it is written in `field`.
    ///
    /// # Errors
    /// `path.invalid` saying which rule, or `limit.exceeded`.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        if text.len() > limit::PATH_BYTES {
            return Err(Refusal::limit(field, "a path", limit::PATH_BYTES, text.len(), "bytes"));
        }
        if let Some(long) = text.split('/').find(|s| s.len() > limit::SEGMENT_BYTES) {
            return Err(Refusal::limit(
                field,
                "one name of a path",
                limit::SEGMENT_BYTES,
                long.len(),
                "bytes",
            ));
        }
        if let Some(problem) = problem(text) {
            let (path, (en, id)) = (clip(text), problem);
            return Err(Refusal::field(
                Code::PathInvalid,
                field,
                format!("{field}: {path:?} cannot be a document's path: {en}."),
            )
            .said(format!("{field}: {path:?} tidak dapat menjadi jalur dokumen: {id}."))
            .with(|f| f.value = Some(clip(text))));
        }
        Ok(Self { text: text.to_owned(), key: fold(text) })
    }

    /// The path exactly as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The form under which paths are unique in a room.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The folders that it lies in, as paths, the nearest first.
    pub fn folders(&self) -> impl Iterator<Item = Self> {
        let mut rest = (self.text.as_str(), self.key.as_str());
        std::iter::from_fn(move || {
            // Neither folding nor composing makes or takes a slash, so both have the same segments.
            rest = (rest.0.rsplit_once('/')?.0, rest.1.rsplit_once('/')?.0);
            Some(Self { text: rest.0.to_owned(), key: rest.1.to_owned() })
        })
    }
}

/// Whether the document with this key lies in the folder with that one, however deep.
pub fn lies_below(key: &str, folder: &str) -> bool {
    key.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// An order of keys in which what lies below one comes right after it: the slash before all else.
pub fn tree_order(a: &str, b: &str) -> std::cmp::Ordering {
    let rank = |byte: u8| if byte == b'/' { 0 } else { u16::from(byte) + 1 };
    a.bytes().map(rank).cmp(b.bytes().map(rank))
}

impl fmt::Display for DocPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for DocPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocPath({:?})", self.text)
    }
}

impl Serialize for DocPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

fn clip(text: &str) -> String {
    text.chars().take(120).collect()
}

/// NFC(casefold(NFD(text))): canonical caseless matching (The Unicode Standard, D145), composed.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let decomposed = DecomposingNormalizer::new_nfd().normalize(text);
    let folded = CaseMapper::new().fold_string(&decomposed);
    ComposingNormalizer::new_nfc().normalize(&folded).into_owned()
}

/// A rule in English and Indonesian.
type Both = (&'static str, &'static str);

/// The first rule that a path breaks.
fn problem(text: &str) -> Option<Both> {
    if text.is_empty() {
        return Some(("it is empty", "kosong"));
    }
    if text.starts_with('/') {
        return Some(("it begins with /", "diawali /"));
    }
    for c in text.chars() {
        match c {
            '\\' => return Some(("it contains a backslash", "memuat garis miring terbalik")),
            ':' => return Some(("it contains a colon", "memuat titik dua")),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                return Some(("it contains a control character", "memuat karakter kendali"));
            }
            c if is_bidi_control(c) => {
                return Some((
                    "it contains a character that reverses the text",
                    "memuat karakter yang membalik arah teks",
                ));
            }
            _ => {}
        }
    }
    text.split('/').find_map(segment_problem)
}

fn segment_problem(segment: &str) -> Option<Both> {
    match segment {
        "" => return Some(("a name in it is empty", "ada nama yang kosong di dalamnya")),
        "." | ".." => {
            return Some(("a name in it is \".\" or \"..\"", "ada nama \".\" atau \"..\" di dalamnya"));
        }
        _ => {}
    }
    if segment.starts_with(char::is_whitespace) || segment.ends_with(char::is_whitespace) {
        return Some((
            "a name in it begins or ends with a space",
            "ada nama yang diawali atau diakhiri spasi",
        ));
    }
    if segment.ends_with('.') {
        return Some(("a name in it ends with a dot", "ada nama yang diakhiri titik"));
    }
    if is_git(segment) {
        return Some((".git is out of reach", ".git tidak boleh disentuh"));
    }
    if is_device(segment) {
        return Some(("a name in it is a device on Windows", "ada nama yang merupakan perangkat di Windows"));
    }
    None
}

/// `.git` in any case, with characters that some file systems ignore, or in its short form
/// (`git~1`), which NTFS would resolve to it.
fn is_git(segment: &str) -> bool {
    let visible: String = segment.chars().filter(|&c| !is_ignored(c)).collect();
    let folded = fold(&visible);
    let short =
        folded.strip_prefix("git~").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    folded == ".git" || short
}

/// Characters that HFS+ ignores when it compares names.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{00AD}')
}

/// Windows device names, with or without an extension.
fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end();
    let upper = stem.to_uppercase();
    if matches!(upper.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return true;
    }
    ["COM", "LPT"].iter().any(|port| {
        upper.strip_prefix(port).is_some_and(|n| {
            let mut chars = n.chars();
            matches!((chars.next(), chars.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_by_their_rules() {
        let check = |text: &str, ok: bool| {
            assert_eq!(DocPath::parse("path", text).is_ok(), ok, "{text:?}");
        };
        for good in [
            "a",
            ".env",
            "~",
            "$HOME/x",
            "%2e%2e/x",
            "\u{2025}/x",
            "--help",
            "?",
            ">",
            "\"",
            "README",
            "sekali.db-wal",
            "İstanbul",
            "ﬀ",
            "café",
            "cafe\u{301}",
            "a/b c/d",
            "gitignore",
            ".github/x",
            "con-tent",
            "COMMON",
            "comet",
            "a..b",
            "..a",
            "git~x",
        ] {
            check(good, true);
        }
        for bad in [
            "",
            "/",
            "/etc/passwd",
            "a/",
            "a//b",
            ".",
            "..",
            "a/../b",
            "a/./b",
            " a",
            "a ",
            "a.",
            "a...",
            "a\\b",
            "C:x",
            "file::$DATA",
            "a\nb",
            "a\u{0}b",
            "a\u{7f}b",
            "a\u{202e}txt.exe",
            "CON",
            "con.txt",
            "nul",
            "Com1",
            "lpt9.log",
            "COM¹",
            ".git",
            ".GIT/config",
            "a/.Git",
            "git~1/config",
            ".g\u{200c}it/config",
            ".git./x",
            "../",
            "./../x",
            "..\\x",
            "conin$",
            "AUX .txt",
        ] {
            check(bad, false);
        }
        check(&"a".repeat(255), true);
        check(&"a".repeat(256), false);
        check(&vec!["a".repeat(255); 4].join("/"), true);
        check(&format!("{}/b", vec!["a".repeat(255); 4].join("/")), false);
    }

    #[test]
    fn keys_meet_under_case_and_composition() {
        let check = |a: &str, b: &str, same: bool| assert_eq!(fold(a) == fold(b), same, "{a:?} {b:?}");
        check("café", "cafe\u{301}", true);
        check("README", "ReadMe", true);
        check("Straße", "STRASSE", true);
        check("ﬀ", "FF", true);
        check("a", "b", false);
        check("Ω", "\u{2126}", true);
    }

    #[test]
    fn folders_are_named_from_the_nearest() {
        let folders = |text: &str| -> Vec<String> {
            let path = DocPath::parse("path", text).unwrap();
            path.folders().map(|f| format!("{f} {}", f.key())).collect()
        };
        assert_eq!(folders("a"), [""; 0]);
        assert_eq!(folders("A/\u{e9}/C"), ["A/\u{e9} a/\u{e9}", "A a"]);
    }

    #[test]
    fn what_lies_below_comes_right_after() {
        let check = |key: &str, folder: &str, below: bool| {
            assert_eq!(lies_below(key, folder), below, "{key} {folder}");
        };
        check("a/b", "a", true);
        check("a/b/c", "a", true);
        check("a", "a", false);
        check("a.md", "a", false);
        check("ab/c", "a", false);
        let mut keys = ["a.md", "b", "a/z", "a!/x", "a", "a/b/c", "a/b"];
        keys.sort_by(|a, b| tree_order(a, b));
        assert_eq!(keys, ["a", "a/b", "a/b/c", "a/z", "a!/x", "a.md", "b"]);
    }

    proptest! {
        #[test]
        fn a_folder_has_the_key_of_its_text(parts in proptest::collection::vec("[a-c\u{301}\u{338}ßİΩ=]{1,3}", 1..5)) {
            let path = DocPath::parse("path", &parts.join("/")).unwrap();
            for folder in path.folders() {
                prop_assert_eq!(folder.key(), fold(folder.as_str()));
                prop_assert!(lies_below(path.key(), folder.key()));
            }
            prop_assert_eq!(path.folders().count(), parts.len() - 1);
        }

        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{0,40}") {
            prop_assert_eq!(fold(&fold(&text)), fold(&text));
        }
    }
}
