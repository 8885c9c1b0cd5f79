//! A file of a plain diff: `---` and `+++` in either order, perhaps only one of them, and hunks.

use super::hunk::{self, Hunk};
use super::lines::Lines;
use super::name::{self, Name};
use super::parse::{Context, Names};
use super::refuse::{invalid, named};
use super::{Body, FilePatch, Target};
use crate::refusal::Refusal;

/// Whether a plain file begins here. After a hunk only what cannot be its lines counts.
pub(super) fn begins(lines: &Lines<'_>, after_hunk: bool) -> bool {
    let Some(text) = lines.text() else { return false };
    let other: &[u8] = match text {
        [b'-', b'-', b'-', b' ', ..] => b"+++ ",
        [b'+', b'+', b'+', b' ', ..] => b"--- ",
        _ => return false,
    };
    let next = lines.ahead(1).unwrap_or_default();
    if next.starts_with(other) {
        !after_hunk || lines.ahead(2).is_some_and(hunk::is_header)
    } else {
        !after_hunk && hunk::is_numbered(next)
    }
}

/// Reads the `---` and `+++` lines at hand.
pub(super) fn names<'a>(field: &str, lines: &mut Lines<'a>) -> Result<Names<'a>, Refusal> {
    let mut names = Names::default();
    while let Some(text) = lines.text() {
        let (slot, rest) = if let Some(rest) = text.strip_prefix(b"--- ") {
            (&mut names.old, rest)
        } else if let Some(rest) = text.strip_prefix(b"+++ ") {
            (&mut names.new, rest)
        } else {
            break;
        };
        if slot.is_some() {
            break;
        }
        *slot = Some(name::header(rest).ok_or_else(|| unquotable(field, lines.number, rest))?);
        lines.advance();
    }
    Ok(names)
}

/// A quoted name that cannot be read.
pub(super) fn unquotable(field: &str, line: u64, text: &[u8]) -> Refusal {
    let text = named(text);
    invalid(
        field,
        line,
        (
            format!("the quoted name {text} cannot be read; quotes and escapes are as in C."),
            format!("nama berkutip {text} tidak terbaca; tanda kutip dan escape seperti dalam C."),
        ),
    )
}

/// Reads a plain file.
pub(super) fn read<'a>(context: &Context<'_>, lines: &mut Lines<'a>) -> Result<FilePatch<'a>, Refusal> {
    let field = context.field;
    let line = lines.number;
    let names = names(field, lines)?;
    let hunks = hunks(field, lines, line);
    let (old, new) = names.there(hunks.as_deref());
    if old.is_none() && new.is_none() {
        return Err(invalid(
            field,
            line,
            (
                "both sides are /dev/null, so no document is named.",
                "kedua sisi /dev/null, jadi tidak ada dokumen yang disebut.",
            ),
        ));
    }
    let bytes = |name: Option<&Name<'_>>| name.map(|n| n.bytes.to_vec());
    let (old, new) = (bytes(old), bytes(new));
    let components = context.strip.unwrap_or_else(|| name::usual_prefixes(old.as_deref(), new.as_deref()));
    let stripped = |name: &Option<Vec<u8>>| {
        name.as_ref().map(|n| context.stripped(line, n, components).map(<[u8]>::to_vec)).transpose()
    };
    let (old, new) = (stripped(&old)?, stripped(&new)?);
    let mut creates_if_absent = false;
    let target = match (old, new) {
        (Some(old), None) if names.new.is_some() => {
            context.source(&old).map_or_else(|| impossible(&old), Target::Delete)
        }
        (None, Some(new)) if names.old.is_some() => Target::Create(context.target(line, &new)?),
        (old, new) => {
            creates_if_absent = hunks.as_ref().is_ok_and(|hunks| creates(hunks));
            let mut names: Vec<Vec<u8>> = old.into_iter().chain(new).collect();
            names.dedup();
            context.sources(&names)
        }
    };
    let body = hunks.and_then(|hunks| fits(field, &target, hunks)).map(Body::Hunks);
    Ok(FilePatch { target, line, commit: 0, mode: None, creates_if_absent, body })
}

pub(super) fn impossible(name: &[u8]) -> Target {
    Target::Impossible { name: named(name) }
}

/// Nothing before, and something after.
fn creates(hunks: &[Hunk<'_>]) -> bool {
    matches!(hunks, [one] if one.old.lines == 0 && one.old.start == 0)
}

/// Reads the hunks at hand; blank lines between them are nobody's.
pub(super) fn hunks<'a>(field: &str, lines: &mut Lines<'a>, file: u64) -> Result<Vec<Hunk<'a>>, Refusal> {
    let mut hunks = Vec::new();
    loop {
        let mut next = *lines;
        while !hunks.is_empty() && next.text().is_some_and(<[u8]>::is_empty) {
            next.advance();
        }
        if !next.text().is_some_and(hunk::is_header) {
            break;
        }
        *lines = next;
        let nth = u32::try_from(hunks.len() + 1).unwrap_or(u32::MAX);
        let read = hunk::read(field, lines, nth);
        hunks.push(read.map_err(|refusal| refusal.with(|f| f.hunk = Some(nth)))?);
    }
    if hunks.is_empty() {
        return Err(invalid(
            field,
            file,
            (
                "a file is named here, but no hunk of it follows: hunks begin with @@ -FIRST,COUNT +FIRST,COUNT @@.",
                "di sini disebut sebuah berkas, tetapi tidak ada potongannya: potongan diawali @@ -AWAL,JUMLAH +AWAL,JUMLAH @@.",
            ),
        ));
    }
    Ok(hunks)
}

/// A document that appears has no lines before, one that goes has none after.
pub(super) fn fits<'a>(field: &str, target: &Target, hunks: Vec<Hunk<'a>>) -> Result<Vec<Hunk<'a>>, Refusal> {
    let wrong = |hunk: &Hunk<'_>, (en, id): (&str, &str)| invalid(field, hunk.line, (en, id));
    match target {
        Target::Create(_) => match hunks.iter().find(|hunk| hunk.old.lines > 0) {
            Some(hunk) => Err(wrong(
                hunk,
                (
                    "the file is said to be new, but this hunk expects lines in it.",
                    "berkasnya disebut baru, tetapi potongan ini mengharapkan baris di dalamnya.",
                ),
            )),
            None => Ok(hunks),
        },
        Target::Delete(_) => match hunks.iter().find(|hunk| hunk.new.lines > 0) {
            Some(hunk) => Err(wrong(
                hunk,
                (
                    "the file is said to go, but this hunk leaves lines in it.",
                    "berkasnya disebut dihapus, tetapi potongan ini menyisakan baris di dalamnya.",
                ),
            )),
            None => Ok(hunks),
        },
        _ => Ok(hunks),
    }
}
