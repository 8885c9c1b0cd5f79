//! What is said about a proposal.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::answer::{Failed, blocking, json, replayed};
use crate::asked::{At, NoQuery, Query};
use crate::body::Json;
use crate::routes::page;
use crate::types::{Comment, CommentBody, CommentPage};
use crate::{Host, cursor};

type Answer = Result<Response, Failed>;

/// One page of comments on a proposal, oldest first.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/proposals/{n}/comments", tag = "proposals", operation_id = "comments",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("n" = u64, Path, description = "Its number", minimum = 1),
        ("limit" = Option<u32>, Query, description = "At most so many; 50 by default", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `next` of the page before"),
    ),
    responses((status = 200, description = "Oldest first", body = CommentPage)),
)]
pub(crate) async fn list(State(host): State<Arc<Host>>, at: At, mut query: Query) -> Answer {
    let (limit, after) = (query.page()?, cursor::comment(query.cursor().as_deref())?);
    query.finish()?;
    blocking(&host, move |host| {
        let rows = host.engine.comments(&host.caller, &at.room, at.number, after, limit + 1)?;
        let (rows, next) = page(rows, limit, |view| cursor::after_comment(view.row.number));
        json(StatusCode::OK, &CommentPage { items: rows.into_iter().map(Comment::from).collect(), next })
    })
    .await
}

/// Says something about a proposal, in whichever state it is. Under an idempotency key, the same again is
/// the first comment.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/comments", tag = "proposals", operation_id = "comment",
    request_body = CommentBody,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((
        status = 201, description = "Said, now or under the same key before", body = Comment,
        headers(("Sekali-Replayed" = String, description = "`true` where the key had made this comment before")),
    )),
)]
pub(crate) async fn say(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Json(asked): Json<CommentBody>,
) -> Answer {
    blocking(&host, move |host| {
        let said = host.engine.comment(&host.caller, &at.room, at.number, asked.saying()?)?;
        let response = json(StatusCode::CREATED, &Comment::from(said.comment))?;
        Ok(if said.replayed { replayed(response) } else { response })
    })
    .await
}
