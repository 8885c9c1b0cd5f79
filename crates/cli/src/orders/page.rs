//! Pages of lists: how a cursor is written, and going on until the end.

use std::fmt::Write as _;

use sekali_core::{ProposalId, Timestamp, limit};

use crate::args::Page;
use crate::failure::Failed;

/// Rows that one question asks for: one more than a page, to know whether it goes on.
pub(super) fn asked(page: &Page) -> u32 {
    if page.all { limit::PAGE } else { page.limit }
}

/// One page, or all of them. `ask` gives the rows after a place; `place` is where a row stands.
pub(super) fn gather<T, P: Clone>(
    page: &Page,
    start: Option<P>,
    mut ask: impl FnMut(Option<P>, u32) -> Result<Vec<T>, Failed>,
    place: impl Fn(&T) -> P,
) -> Result<(Vec<T>, Option<P>), Failed> {
    let size = asked(page) as usize;
    let mut rows: Vec<T> = Vec::new();
    let mut from = start;
    loop {
        let mut more = ask(from.clone(), asked(page) + 1)?;
        let goes_on = more.len() > size;
        more.truncate(size);
        rows.append(&mut more);
        let last = rows.last().map(&place);
        if !goes_on {
            return Ok((rows, None));
        }
        if !page.all {
            return Ok((rows, last));
        }
        from = last;
    }
}

fn wrong(cursor: &str) -> Failed {
    Failed::usage(format!("--cursor {cursor:?} is not one that a page ended with."))
}

pub(super) fn write_proposal(id: &ProposalId) -> String {
    hex(id.as_bytes())
}

pub(super) fn read_proposal(cursor: &str) -> Result<ProposalId, Failed> {
    let bytes = unhex(cursor).and_then(|bytes| <[u8; 16]>::try_from(bytes).ok());
    bytes.map(ProposalId::from_bytes).ok_or_else(|| wrong(cursor))
}

pub(super) fn write_path(key: &str) -> String {
    hex(key.as_bytes())
}

pub(super) fn read_path(cursor: &str) -> Result<String, Failed> {
    unhex(cursor).and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| wrong(cursor))
}

pub(super) fn write_repeat((at, key): &(Timestamp, Vec<u8>)) -> String {
    format!("{}-{}", at.ms(), hex(key))
}

pub(super) fn read_repeat(cursor: &str) -> Result<(Timestamp, Vec<u8>), Failed> {
    let parts = cursor.split_once('-').and_then(|(ms, key)| Some((ms.parse().ok()?, unhex(key)?)));
    parts.map(|(ms, key)| (Timestamp::from_ms(ms), key)).ok_or_else(|| wrong(cursor))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let id = ProposalId::from_bytes([7; 16]);
        assert_eq!(read_proposal(&write_proposal(&id)).unwrap(), id);
        assert_eq!(read_path(&write_path("a/é")).unwrap(), "a/é");
        let repeat = (Timestamp::from_ms(12), b"k\0".to_vec());
        assert_eq!(read_repeat(&write_repeat(&repeat)).unwrap(), repeat);
        for wrong in ["", "x", "0", "zz", "é0", "-", "1-"] {
            assert!(
                read_proposal(wrong).is_err() && read_path(wrong).is_err() && read_repeat(wrong).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn pages_end_where_they_end() {
        let rows = [1, 2, 3, 4, 5];
        let ask = |from: Option<i32>, limit: u32| {
            Ok(rows.iter().copied().filter(|n| from.is_none_or(|f| *n > f)).take(limit as usize).collect())
        };
        let page = |limit, all| Page { limit, cursor: None, all };
        assert_eq!(gather(&page(2, false), None, ask, |n| *n).unwrap(), (vec![1, 2], Some(2)));
        assert_eq!(gather(&page(2, false), Some(4), ask, |n| *n).unwrap(), (vec![5], None));
        assert_eq!(gather(&page(5, false), None, ask, |n| *n).unwrap(), (vec![1, 2, 3, 4, 5], None));
        assert_eq!(gather(&page(1, true), None, ask, |n| *n).unwrap().0, rows);
    }
}
