//! Other forms than the unified diff: each is refused by its name, saying what to make instead.

use super::lines::Lines;
use crate::code::Code;
use crate::refusal::Refusal;

/// A sentence in English and Indonesian.
pub(super) type Both = (&'static str, &'static str);

/// The other form that begins at this line, if one does.
pub(super) fn at(lines: &Lines<'_>) -> Option<Both> {
    let text = lines.text()?;
    let trimmed = text.trim_ascii();
    let block = ["*** Begin Patch", "*** Update File: ", "*** Add File: ", "*** Delete File: "];
    if block.iter().any(|mark| trimmed.starts_with(mark.as_bytes())) {
        return Some((
            "this is an apply_patch block (*** Begin Patch), which has no line numbers; only unified diffs are read: make it with diff -u or git diff.",
            "ini blok apply_patch (*** Begin Patch) yang tidak memuat nomor baris; yang dibaca hanya unified diff: buat dengan diff -u atau git diff.",
        ));
    }
    if text.starts_with(b"***************") {
        return Some((
            "this is a context diff (***************); only unified diffs are read: make it with diff -u instead of diff -c.",
            "ini context diff (***************); yang dibaca hanya unified diff: buat dengan diff -u, bukan diff -c.",
        ));
    }
    if trimmed.starts_with(b"<<<<<<< SEARCH") {
        return Some((
            "this is a search/replace block, which has no line numbers; only unified diffs are read: make it with diff -u or git diff.",
            "ini blok search/replace yang tidak memuat nomor baris; yang dibaca hanya unified diff: buat dengan diff -u atau git diff.",
        ));
    }
    let combined = [&b"diff --cc "[..], b"diff --combined ", b"@@@ "];
    if combined.iter().any(|mark| text.starts_with(mark)) {
        return Some((
            "this is a combined diff of a merge, which has more than one old side; make a diff against one of them (git diff PARENT).",
            "ini combined diff dari penggabungan, dengan lebih dari satu sisi lama; buat diff terhadap salah satunya (git diff INDUK).",
        ));
    }
    let beside = lines.ahead(1).is_some_and(|next| next.starts_with(b"<") || next.starts_with(b">"));
    (beside && is_normal(text)).then_some((
        "this is a normal diff (< and >); only unified diffs are read: make it with diff -u.",
        "ini normal diff (< dan >); yang dibaca hanya unified diff: buat dengan diff -u.",
    ))
}

/// The refusal of a text in which no unified diff was found.
pub(super) fn none(field: &str, diff: &[u8]) -> Refusal {
    let (en, id) = whole(diff);
    Refusal::field(Code::PatchInvalid, field, format!("{field}: {en}")).said(format!("{field}: {id}"))
}

/// Whether a text is in two bytes a character, as some shells write it.
pub(super) fn is_utf16(diff: &[u8]) -> bool {
    diff.starts_with(b"\xFF\xFE") || diff.starts_with(b"\xFE\xFF")
}

fn whole(diff: &[u8]) -> Both {
    let trimmed = diff.trim_ascii();
    let first = trimmed.split(|b| *b == b'\n').next().unwrap_or_default().trim_ascii_end();
    if trimmed.is_empty() {
        ("the patch is empty.", "tambalannya kosong.")
    } else if is_utf16(diff) {
        (
            "the patch is UTF-16 text; save it as UTF-8 (git diff --output=FILE writes it so).",
            "tambalan ini teks UTF-16; simpan sebagai UTF-8 (git diff --output=BERKAS menulisnya begitu).",
        )
    } else if trimmed.starts_with(b"{") || trimmed.starts_with(b"[") && !trimmed.starts_with(b"[PATCH") {
        (
            "this is JSON, not a unified diff; an edit of a JSON document is a json_patch or merge_patch change.",
            "ini JSON, bukan unified diff; suntingan dokumen JSON adalah perubahan json_patch atau merge_patch.",
        )
    } else if is_ed(first) {
        (
            "this is an ed script; only unified diffs are read: make it with diff -u instead of diff -e.",
            "ini skrip ed; yang dibaca hanya unified diff: buat dengan diff -u, bukan diff -e.",
        )
    } else if is_rcs(first) {
        (
            "this is an RCS diff; only unified diffs are read: make it with diff -u instead of diff -n.",
            "ini diff RCS; yang dibaca hanya unified diff: buat dengan diff -u, bukan diff -n.",
        )
    } else {
        (
            "no unified diff was found in it: files begin with --- and +++ or diff --git, hunks with @@; make it with diff -u or git diff.",
            "tidak ditemukan unified diff di dalamnya: berkas diawali --- dan +++ atau diff --git, potongan diawali @@; buat dengan diff -u atau git diff.",
        )
    }
}

/// Takes a number, or two with a comma, off the beginning.
fn range(text: &[u8]) -> Option<&[u8]> {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let first = digits(text);
    if first == 0 {
        return None;
    }
    let rest = &text[first..];
    match rest.strip_prefix(b",") {
        Some(second) if digits(second) > 0 => Some(&second[digits(second)..]),
        Some(_) => None,
        None => Some(rest),
    }
}

/// `1,2d0`
fn is_normal(text: &[u8]) -> bool {
    matches!(range(text), Some([b'a' | b'c' | b'd', rest @ ..]) if range(rest) == Some(b""))
}

/// `1,2d`
fn is_ed(text: &[u8]) -> bool {
    matches!(range(text), Some([b'a' | b'c' | b'd']))
}

/// `d1 2`
fn is_rcs(text: &[u8]) -> bool {
    let [b'a' | b'd', rest @ ..] = text else { return false };
    range(rest).and_then(|rest| rest.strip_prefix(b" ")).and_then(range) == Some(b"")
}
