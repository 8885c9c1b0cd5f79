//! One handler for each route. A handler reads what is asked, calls the engine on a blocking
//! thread, and gives the answer its shape and status; it decides nothing.

pub(crate) mod documents;
pub(crate) mod ledger;
pub(crate) mod proposals;
pub(crate) mod rooms;
pub(crate) mod talk;

/// One page of a list, and the cursor of the next one. One row more than the page holds was asked
/// for: where it came, there is a next page.
fn page<T>(mut rows: Vec<T>, limit: u32, after: impl FnOnce(&T) -> String) -> (Vec<T>, Option<String>) {
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more).map(after);
    (rows, next)
}
