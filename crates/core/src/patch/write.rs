//! Our own diff, in git's form: whatever the paths and contents, it is read back and applied exactly.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::base85;
use super::binary::blob_id;
use super::name::written;
use crate::change::Mode;
use crate::compare::Compared;
use crate::diff;
use crate::path::DocPath;

/// A change that is to be written.
#[derive(Debug, Clone, Copy)]
pub struct FileChange<'a> {
    /// Where a renamed document was.
    pub from: Option<&'a DocPath>,
    /// The path afterwards; of a deleted document, before.
    pub path: &'a DocPath,
    /// Content and mode before; `None` is *absent*.
    pub before: Option<(&'a [u8], Mode)>,
    /// Content and mode afterwards; `None` is *absent*.
    pub after: Option<(&'a [u8], Mode)>,
}

/// Writes changes as one patch. A change that changes nothing is left out.
pub fn write<'a>(changes: impl IntoIterator<Item = FileChange<'a>>) -> Vec<u8> {
    let mut out = Vec::new();
    for change in changes {
        write_file(&mut out, &change);
    }
    out
}

/// Whether text has characters that a terminal would obey, or a filter on the way to it take out: control
/// characters other than tab, LF, form feed and CR. Where it has, [`write()`] gives it as binary data, in
/// which nothing can hide and nothing be lost.
pub fn has_controls(text: &[u8]) -> bool {
    let ascii = |b: &u8| b.is_ascii_control() && !matches!(b, b'\t' | b'\n' | b'\x0C' | b'\r');
    // U+0080 to U+009F in UTF-8.
    let further = |at: usize| matches!(text.get(at + 1), Some(0x80..=0x9F));
    text.iter().any(ascii) || memchr::memchr_iter(0xC2, text).any(further)
}

fn write_file<'a>(out: &mut Vec<u8>, change: &FileChange<'a>) {
    let path = change.path.as_str();
    let old_path = change.from.map_or(path, DocPath::as_str);
    if change.before == change.after && old_path == path {
        return;
    }
    let (old, new) = (written("a/", old_path), written("b/", path));
    line(out, &["diff --git ", &old, " ", &new]);
    match (change.before, change.after) {
        (None, Some((_, mode))) => line(out, &["new file mode ", mode.as_str()]),
        (Some((_, mode)), None) => line(out, &["deleted file mode ", mode.as_str()]),
        (Some((_, before)), Some((_, after))) if before != after => {
            line(out, &["old mode ", before.as_str()]);
            line(out, &["new mode ", after.as_str()]);
        }
        _ => {}
    }
    if old_path != path {
        line(out, &["rename from ", &written("", old_path)]);
        line(out, &["rename to ", &written("", path)]);
    }
    let content = |side: Option<(&'a [u8], Mode)>| side.map(|(content, _)| content);
    let (before, after) = (content(change.before), content(change.after));
    let (old_bytes, new_bytes) = (before.unwrap_or_default(), after.unwrap_or_default());
    if old_bytes == new_bytes {
        return;
    }
    let as_lines = |content| diff::is_text(content) && !has_controls(content);
    if as_lines(old_bytes) && as_lines(new_bytes) {
        let name = |there: bool, name: &str| if there { ended(name) } else { String::from("/dev/null") };
        line(out, &["--- ", &name(before.is_some(), &old)]);
        line(out, &["+++ ", &name(after.is_some(), &new)]);
        write_hunks(out, old_bytes, new_bytes);
    } else {
        let id = |side: Option<&[u8]>| side.map_or_else(|| "0".repeat(40), blob_id);
        line(out, &["index ", &id(before), "..", &id(after)]);
        line(out, &["GIT binary patch"]);
        write_literal(out, new_bytes);
        write_literal(out, old_bytes);
    }
}

fn line(out: &mut Vec<u8>, parts: &[&str]) {
    out.extend(parts.iter().flat_map(|part| part.bytes()));
    out.push(b'\n');
}

/// A name with spaces ends with a tab, so that no reader takes part of it for a stamp.
fn ended(name: &str) -> String {
    if name.contains(' ') && !name.starts_with('"') { format!("{name}\t") } else { name.to_owned() }
}

fn write_hunks(out: &mut Vec<u8>, before: &[u8], after: &[u8]) {
    let Compared { input, edits, .. } = diff::by_lines(before, after);
    let old_total = u32::try_from(input.before.len()).expect("content is at most 64 MiB");
    for group in diff::groups(&edits, old_total) {
        let (old_start, new_start) = group.starts();
        let (old_lines, new_lines) = (group.old.len(), group.new.len());
        let _ = writeln!(out, "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@");
        for (context, edit) in group.parts() {
            for index in context {
                write_line(out, b' ', input.interner[input.before[index as usize]]);
            }
            let Some(edit) = edit else { break };
            for index in edit.before.clone() {
                write_line(out, b'-', input.interner[input.before[index as usize]]);
            }
            for index in edit.after.clone() {
                write_line(out, b'+', input.interner[input.after[index as usize]]);
            }
        }
    }
}

fn write_line(out: &mut Vec<u8>, mark: u8, line: &[u8]) {
    out.push(mark);
    out.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

fn write_literal(out: &mut Vec<u8>, content: &[u8]) {
    let _ = writeln!(out, "literal {}", content.len());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = packed.write_all(content).and_then(|()| packed.finish());
    base85::write(&written.expect("memory can be written to"), out);
    out.push(b'\n');
}
