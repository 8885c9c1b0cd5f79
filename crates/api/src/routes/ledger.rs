//! The ledger, the evidence of repeats, and news.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use tokio::time::Instant;

use crate::answer::{Failed, blocking, json};
use crate::asked::{InRoom, Query};
use crate::routes::page;
use crate::types::{ChangeSeq, DuplicateItem, DuplicatePage, LedgerPage};
use crate::{Host, cursor};

type Answer = Result<Response, Failed>;

/// How long a caller waits for news.
const NEWS_WAIT: Duration = Duration::from_secs(25);
/// How long one blocking thread waits: a caller who went away frees it after at most so long.
const NEWS_SLICE: Duration = Duration::from_millis(900);

/// One page of the ledger, oldest first.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/ledger", tag = "ledger", operation_id = "ledger",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("after" = Option<u64>, Query, description = "Entries after this one; from the first by default"),
        ("limit" = Option<u32>, Query, description = "At most so many; 200 by default", minimum = 1, maximum = 1000),
    ),
    responses((status = 200, description = "The stored bytes of each entry", body = LedgerPage)),
)]
pub(crate) async fn entries(State(host): State<Arc<Host>>, InRoom(room): InRoom, mut query: Query) -> Answer {
    let (after, limit) = (query.after()?.unwrap_or(0), query.ledger_page()?);
    query.finish()?;
    blocking(&host, move |host| {
        let (head, rows) = host.engine.entries(&host.caller, &room, after, limit)?;
        json(StatusCode::OK, &LedgerPage::of(&head, rows)?)
    })
    .await
}

/// Evidence of repeats, last first.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/duplicates", tag = "ledger", operation_id = "duplicates",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("limit" = Option<u32>, Query, description = "At most so many; 50 by default", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `next` of the page before"),
    ),
    responses((status = 200, description = "Last first", body = DuplicatePage)),
)]
pub(crate) async fn duplicates(
    State(host): State<Arc<Host>>,
    InRoom(room): InRoom,
    mut query: Query,
) -> Answer {
    let (limit, before) = (query.page()?, cursor::repeat(query.cursor().as_deref())?);
    query.finish()?;
    blocking(&host, move |host| {
        let rows = host.engine.duplicates(&host.caller, &room, before, limit + 1)?;
        let (rows, next) = page(rows, limit, |row| cursor::after_repeat(&row.mark()));
        json(
            StatusCode::OK,
            &DuplicatePage { items: rows.into_iter().map(DuplicateItem::from).collect(), next },
        )
    })
    .await
}

/// The room's `change_seq`, at once where it is not `after`, else when it changes or after 25
/// seconds. No transaction is held.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/changes", tag = "ledger", operation_id = "changes",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("after" = Option<u64>, Query, description = "The number that is known; without it the answer comes at once"),
    ),
    responses((status = 200, description = "How far the room has come", body = ChangeSeq)),
)]
pub(crate) async fn changes(State(host): State<Arc<Host>>, InRoom(room): InRoom, mut query: Query) -> Answer {
    let after = query.after()?;
    query.finish()?;
    let deadline = Instant::now() + NEWS_WAIT;
    // The first look does not wait: a restored store may count from lower, which is news too.
    let mut slice = Duration::ZERO;
    loop {
        let asked = room.clone();
        let change_seq = blocking(&host, move |host| {
            Ok(host.engine.wait_for_change(&host.caller, &asked, after.unwrap_or(0), slice)?)
        })
        .await?;
        let left = deadline.saturating_duration_since(Instant::now());
        if after.is_none_or(|after| after != change_seq) || left.is_zero() {
            return json(StatusCode::OK, &ChangeSeq { change_seq });
        }
        slice = left.min(NEWS_SLICE);
    }
}
