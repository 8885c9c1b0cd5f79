//! Notes of tools about what they do not show: each would be lost, so each is refused by what it says.

use super::git;
use super::refuse::{invalid, quote};
use crate::refusal::Refusal;

/// The refusal of a line that says that more has changed than the patch holds.
pub(super) fn at(field: &str, line: u64, text: &[u8]) -> Option<Refusal> {
    if git::is_binary_notice(text) || text == b"GIT binary patch" {
        return Some(git::no_content(field, line));
    }
    let shown = || quote(text);
    let said = if only_on_one_side(text) {
        (
            format!(
                "{} names a file without its content; make the patch with diff -ruN, or leave this line out.",
                shown()
            ),
            format!(
                "{} menyebut berkas tanpa isinya; buat tambalan dengan diff -ruN, atau hilangkan baris ini.",
                shown()
            ),
        )
    } else if is_of_no_document(text) {
        (
            format!("{} changes what documents do not have; leave this part out of the patch.", shown()),
            format!(
                "{} mengubah hal yang tidak dimiliki dokumen; hilangkan bagian ini dari tambalan.",
                shown()
            ),
        )
    } else if text.starts_with(b"=== renamed ") {
        (
            format!(
                "{} tells a rename in words alone; make the patch in git's form (rename from, rename to).",
                shown()
            ),
            format!(
                "{} menyebut ganti nama hanya dengan kata; buat tambalan dalam bentuk git (rename from, rename to).",
                shown()
            ),
        )
    } else {
        return None;
    };
    Some(invalid(field, line, said))
}

/// `Only in new/sub: x`, as `diff -r` says it.
fn only_on_one_side(text: &[u8]) -> bool {
    text.starts_with(b"Only in ") && memchr::memmem::find(text, b": ").is_some()
}

/// Kinds of files, links, submodules and properties.
fn is_of_no_document(text: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(text, part).is_some();
    let kinds = text.starts_with(b"File ") && has(b" is a ") && has(b" while file ");
    let links = text.starts_with(b"Symbolic links ") && has(b" and ") && text.ends_with(b" differ");
    let bazaar = text.starts_with(b"=== ") && has(b" (properties changed: ");
    kinds || links || bazaar || is_submodule(text) || text.starts_with(b"Property changes on: ")
}

/// `Submodule x 1234567..89abcde:`, as `git diff --submodule` says it.
fn is_submodule(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"Submodule ") else { return false };
    rest.split(|b| *b == b' ').any(|word| {
        let word = word.strip_suffix(b":").unwrap_or(word);
        let Some(dots) = memchr::memmem::find(word, b"..") else { return false };
        let (old, new) = (&word[..dots], &word[dots..]);
        let new = &new[new.iter().take_while(|b| **b == b'.').count()..];
        let is_id = |id: &[u8]| id.len() >= 7 && id.iter().all(u8::is_ascii_hexdigit);
        is_id(old) && is_id(new)
    })
}
