//! A file in git's extended form: `diff --git` and what follows it, with or without content.

use std::borrow::Cow;

use super::binary::{self, Ids};
use super::hunk;
use super::lines::{Lines, is_blank};
use super::name;
use super::parse::{Context, Names};
use super::plain;
use super::refuse::{invalid, located, named, quote};
use super::target::{self, Named};
use super::{Body, FilePatch, Target};
use crate::change::Mode;
use crate::refusal::Refusal;

/// The name of nothing as git's objects have it.
const EMPTY: [&str; 2] = [
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

/// What the extended headers say.
#[derive(Default)]
pub(super) struct Headers<'a> {
    pub(super) old_mode: Option<Mode>,
    pub(super) new_mode: Option<Mode>,
    pub(super) created: Option<Mode>,
    pub(super) deleted: bool,
    pub(super) rename: Move<'a>,
    pub(super) copy: Move<'a>,
    indexed: bool,
    ids: Option<Ids>,
    pub(super) names: Names<'a>,
}

/// From where to where.
#[derive(Default)]
pub(super) struct Move<'a> {
    pub(super) from: Option<Cow<'a, [u8]>>,
    pub(super) to: Option<Cow<'a, [u8]>>,
}

impl Move<'_> {
    pub(super) fn is_there(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }
}

/// Reads the file whose `diff --git` line is at hand.
pub(super) fn read<'a>(context: &Context<'_>, lines: &mut Lines<'a>) -> Result<FilePatch<'a>, Refusal> {
    let line = lines.number;
    let pair = lines.text().and_then(|text| text.strip_prefix(b"diff --git ")).unwrap_or_default();
    lines.advance();
    let headers = read_headers(context, lines)?;
    let found = read_body(context.field, lines, line, &headers);
    let hunks = match &found {
        Ok(Some(Body::Hunks(hunks))) => Ok(hunks.as_slice()),
        Ok(_) => Ok(&[][..]),
        Err(refusal) => Err(refusal),
    };
    let target = target::of(&Named { context, line, pair, headers: &headers }, hunks)?;
    let body = match found {
        Ok(Some(Body::Hunks(hunks))) => plain::fits(context.field, &target, hunks).map(Body::Hunks),
        Ok(Some(body)) => Ok(body),
        Ok(None) => without_content(context, lines, line, &headers),
        Err(refusal) => Err(refusal),
    };
    let mode = match target {
        Target::Delete(_) => None,
        _ => headers.created.or(headers.new_mode),
    };
    Ok(FilePatch { target, line, commit: 0, mode, creates_if_absent: false, body })
}

fn read_headers<'a>(context: &Context<'_>, lines: &mut Lines<'a>) -> Result<Headers<'a>, Refusal> {
    let mut headers = Headers::default();
    while let Some(text) = lines.text() {
        if text.starts_with(b"--- ") || text.starts_with(b"+++ ") {
            headers.names = plain::names(context.field, lines)?;
            break;
        }
        if !headers.take(context.field, lines.number, text)? {
            break;
        }
        lines.advance();
    }
    Ok(headers)
}

impl<'a> Headers<'a> {
    /// Takes one of git's header lines; whether it is one.
    fn take(&mut self, field: &str, line: u64, text: &'a [u8]) -> Result<bool, Refusal> {
        let mode = |rest: &[u8]| {
            let word = named(rest);
            Mode::parse(field, word.trim()).map_err(|refusal| located(refusal, field, line))
        };
        let moved = |rest: &'a [u8]| name::whole(rest).ok_or_else(|| plain::unquotable(field, line, rest));
        let after = |prefix: &str| text.strip_prefix(prefix.as_bytes());
        let again = if let Some(rest) = after("old mode ") {
            self.old_mode.replace(mode(rest)?).is_some()
        } else if let Some(rest) = after("new mode ") {
            self.new_mode.replace(mode(rest)?).is_some()
        } else if let Some(rest) = after("new file mode ") {
            self.created.replace(mode(rest)?).is_some()
        } else if let Some(rest) = after("deleted file mode ") {
            mode(rest)?;
            std::mem::replace(&mut self.deleted, true)
        } else if let Some(rest) = after("rename from ").or_else(|| after("rename old ")) {
            self.rename.from.replace(moved(rest)?).is_some()
        } else if let Some(rest) = after("rename to ").or_else(|| after("rename new ")) {
            self.rename.to.replace(moved(rest)?).is_some()
        } else if let Some(rest) = after("copy from ") {
            self.copy.from.replace(moved(rest)?).is_some()
        } else if let Some(rest) = after("copy to ") {
            self.copy.to.replace(moved(rest)?).is_some()
        } else if let Some(rest) = after("index ") {
            let (ids, kind) = read_ids(rest);
            // A file's permissions say nothing here; a link, submodule or folder is no document.
            if let Some(kind) = kind.filter(|kind| !kind.starts_with(b"100")) {
                mode(kind)?;
            }
            self.ids = ids;
            std::mem::replace(&mut self.indexed, true)
        } else {
            return Ok(after("similarity index ").is_some() || after("dissimilarity index ").is_some());
        };
        if again {
            let text = quote(text);
            return Err(invalid(
                field,
                line,
                (
                    format!("{text} stands in this file's headers for a second time; one of them is wrong."),
                    format!("{text} ada dua kali di kepala berkas ini; salah satunya keliru."),
                ),
            ));
        }
        Ok(true)
    }
}

/// `0dd1608..bccac03 100644`
fn read_ids(rest: &[u8]) -> (Option<Ids>, Option<&[u8]>) {
    let space = memchr::memchr(b' ', rest).unwrap_or(rest.len());
    let kind = rest.get(space + 1..).map(<[u8]>::trim_ascii);
    let is_id = |id: &&str| {
        (4..=64).contains(&id.len()) && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let ids = std::str::from_utf8(&rest[..space]).ok().and_then(|text| text.split_once("..")).and_then(
        |(old, new)| {
            Some(Ids { old: Some(old).filter(is_id)?.to_owned(), new: Some(new).filter(is_id)?.to_owned() })
        },
    );
    (ids, kind)
}

/// What follows the headers, if anything does.
fn read_body<'a>(
    field: &str,
    lines: &mut Lines<'a>,
    line: u64,
    headers: &Headers<'_>,
) -> Result<Option<Body<'a>>, Refusal> {
    let text = lines.text().unwrap_or_default();
    if text == b"GIT binary patch" {
        let mut binary = binary::read(field, lines)?;
        binary.ids.clone_from(&headers.ids);
        Ok(Some(Body::Binary(Box::new(binary))))
    } else if is_binary_notice(text) {
        let at = lines.number;
        lines.advance();
        Err(no_content(field, at))
    } else if hunk::is_header(text) || headers.names.any() {
        plain::hunks(field, lines, line).map(|hunks| Some(Body::Hunks(hunks)))
    } else {
        Ok(None)
    }
}

/// Whether a line says that content differs without showing it.
pub(super) fn is_binary_notice(text: &[u8]) -> bool {
    let files =
        (text.starts_with(b"Binary files ") || text.starts_with(b"Files ")) && text.ends_with(b" differ");
    let and = || memchr::memmem::find(text, b" and ").is_some();
    let mercurial = text.starts_with(b"Binary file ") && text.ends_with(b" has changed");
    files && and() || mercurial || text.starts_with(b"Cannot display: file marked as a binary type")
}

/// The refusal of such a line.
pub(super) fn no_content(field: &str, line: u64) -> Refusal {
    invalid(
        field,
        line,
        (
            "the patch says that a binary file differs, but does not hold its content; make it with git diff --binary.",
            "tambalan menyebut sebuah berkas biner berbeda, tetapi tidak memuat isinya; buat dengan git diff --binary.",
        ),
    )
}

/// A file without hunks: its headers say everything, or something is missing.
fn without_content<'a>(
    context: &Context<'_>,
    lines: &Lines<'_>,
    line: u64,
    headers: &Headers<'_>,
) -> Result<Body<'a>, Refusal> {
    let empty = |id: &str| EMPTY.iter().any(|empty| empty.starts_with(id));
    let complete = headers.created.is_some()
        || headers.deleted
        || headers.rename.is_there()
        || headers.copy.is_there()
        || headers.new_mode.is_some();
    let shown = match &headers.ids {
        None => true,
        // What goes is held against the document.
        Some(_) if headers.deleted => true,
        Some(ids) if headers.created.is_some() => empty(&ids.new),
        Some(ids) => ids.old == ids.new,
    };
    if complete && shown {
        return Ok(Body::Hunks(Vec::new()));
    }
    let next = lines.text().filter(|text| !is_blank(text) && !text.starts_with(b"diff "));
    let refused = match next {
        Some(text) if !complete => {
            let text = quote(text);
            (
                format!(
                    "no change of this file is shown; {text} at line {} is neither one of git's headers nor a hunk.",
                    lines.number
                ),
                format!(
                    "tidak ada perubahan berkas ini yang ditunjukkan; {text} di baris {} bukan kepala git dan bukan potongan.",
                    lines.number
                ),
            )
        }
        _ => (
            String::from(
                "the content of this file changes, but no hunk shows how; make the patch with git diff --binary.",
            ),
            String::from(
                "isi berkas ini berubah, tetapi tidak ada potongan yang menunjukkannya; buat tambalan dengan git diff --binary.",
            ),
        ),
    };
    Err(invalid(context.field, line, refused))
}
