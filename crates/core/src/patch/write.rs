//! Our own diff, in git's form. What is written here re-reads without being told anything, and applies
//! to exactly what it was made from.

use std::fmt::Write as _;

use super::binary;
use crate::change::Mode;
use crate::diff;
use crate::path::DocPath;

/// One change of a document, with both contents.
#[derive(Debug, Clone, Copy)]
pub struct FileChange<'a> {
    /// Where a document that moves is.
    pub from: Option<&'a DocPath>,
    /// The document afterwards; of one that goes, before.
    pub path: &'a DocPath,
    /// Content and mode before; `None` where it is created.
    pub before: Option<(&'a [u8], Mode)>,
    /// Content and mode afterwards; `None` where it goes.
    pub after: Option<(&'a [u8], Mode)>,
}

/// Writes changes as one patch.
pub fn write<'a>(changes: impl IntoIterator<Item = FileChange<'a>>) -> Vec<u8> {
    let mut out = Vec::new();
    for change in changes {
        write_file(&mut out, &change);
    }
    out
}

fn write_file(out: &mut Vec<u8>, change: &FileChange<'_>) {
    let mut line = |text: String| out.extend_from_slice(text.as_bytes());
    let old = change.from.unwrap_or(change.path);
    let (a, b) = (quoted("a/", old.as_str()), quoted("b/", change.path.as_str()));
    line(format!("diff --git {a} {b}\n"));
    match (change.before, change.after) {
        (None, Some((_, mode))) => line(format!("new file mode {}\n", mode.as_str())),
        (Some((_, mode)), None) => line(format!("deleted file mode {}\n", mode.as_str())),
        (Some((_, before)), Some((_, after))) if before != after => {
            line(format!("old mode {}\nnew mode {}\n", before.as_str(), after.as_str()));
        }
        _ => {}
    }
    if let Some(from) = change.from {
        let (from, to) = (quoted("", from.as_str()), quoted("", change.path.as_str()));
        line(format!("rename from {from}\nrename to {to}\n"));
    }
    let (before, after) = (change.before.map(|side| side.0), change.after.map(|side| side.0));
    let (old_content, new_content) = (before.unwrap_or_default(), after.unwrap_or_default());
    if old_content == new_content {
        return;
    }
    if !diff::is_text(old_content) || !diff::is_text(new_content) {
        line(binary::index_line(before, after) + "GIT binary patch\n");
        binary::write_literal(out, new_content);
        binary::write_literal(out, old_content);
        return;
    }
    // git ends a name with blanks in it by a tab, for those who read a time stamp there.
    let tab = |name: &str| if name.contains(' ') && !name.starts_with('"') { "\t" } else { "" };
    let header = |sign: &str, name: &str, there: bool| {
        if there { format!("{sign} {name}{}\n", tab(name)) } else { format!("{sign} /dev/null\n") }
    };
    line(header("---", &a, before.is_some()));
    line(header("+++", &b, after.is_some()));
    diff::write_hunks(out, old_content, new_content);
}

/// A name as git writes it: in quotes with C's escapes, where it has bytes that need them.
fn quoted(prefix: &str, name: &str) -> String {
    if !name.bytes().any(|b| !(0x20..0x7F).contains(&b) || b == b'"' || b == b'\\') {
        return format!("{prefix}{name}");
    }
    let mut out = format!("\"{prefix}");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            0x20..0x7F => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}
