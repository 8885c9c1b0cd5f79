//! Pages of lists: where one begins, and going on until the end.

use sekali_core::{Refusal, limit};

use crate::args::Page;
use crate::failure::Failed;
use crate::text::say;

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

/// Where the page begins that was asked for. `read` is a reader of `sekali_api::cursor`: a page
/// goes on at any door.
pub(super) fn start<P>(
    page: &Page,
    read: impl FnOnce(Option<&str>) -> Result<Option<P>, Refusal>,
) -> Result<Option<P>, Failed> {
    let cursor = page.cursor.as_deref();
    read(cursor).map_err(|_| {
        let cursor = format!("{:?}", cursor.unwrap_or_default());
        Failed::usage(say::USE_CURSOR, &[("cursor", &cursor)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
