//! Proposals: submitting, looking, and every decision. What is said about them is in `talk`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sekali_core::submission::Submission;
use sekali_core::{Refusal, Seen};
use sekali_engine::Failure;
use sekali_engine::revert::Revert;

use crate::answer::{Failed, blocking, json, replayed, text};
use crate::asked::{At, DiffFormat, InRoom, NoQuery, Query};
use crate::body::{Json, Parts, SubmissionBody};
use crate::routes::page;
use crate::types::{
    Apply, ApplyAnswer, ApplyOutcome, Diff, ProposalDetail, ProposalFile, ProposalItem, ProposalPage,
    Proposed, Reason, Rebase, RebaseBody, Reject, RevertBody, Split, SplitBody,
};
use crate::{Host, cursor, words};

type Answer = Result<Response, Failed>;

/// One page of proposals, newest first.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/proposals", tag = "proposals", operation_id = "proposals",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("state" = Option<words::State>, Query, description = "Only in this state"),
        ("limit" = Option<u32>, Query, description = "At most so many; 50 by default", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `next` of the page before"),
    ),
    responses((status = 200, description = "Newest first", body = ProposalPage)),
)]
pub(crate) async fn list(State(host): State<Arc<Host>>, InRoom(room): InRoom, mut query: Query) -> Answer {
    let (state, limit, before) =
        (query.state()?, query.page()?, cursor::proposal(query.cursor().as_deref())?);
    query.finish()?;
    blocking(&host, move |host| {
        let rows = host.engine.list(&host.caller, &room, state, before, limit + 1)?;
        let (rows, next) = page(rows, limit, |row| cursor::after_proposal(row.row.id));
        json(
            StatusCode::OK,
            &ProposalPage { items: rows.into_iter().map(ProposalItem::from).collect(), next },
        )
    })
    .await
}

/// Submits a proposal. Under an idempotency key, the same content again is the first proposal.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals", tag = "proposals", operation_id = "submit",
    request_body = ProposalFile,
    params(("room" = String, Path, description = "Slug or id")),
    responses((
        status = 201, description = "Submitted, now or under the same key before", body = Proposed,
        headers(("Sekali-Replayed" = String, description = "`true` where the key had made this proposal before")),
    )),
)]
pub(crate) async fn submit(
    State(host): State<Arc<Host>>,
    InRoom(room): InRoom,
    _: NoQuery,
    SubmissionBody(body): SubmissionBody,
) -> Answer {
    blocking(&host, move |host| {
        let proposed = Proposed::from(host.engine.submit(&host.caller, &room, submission(&body)?)?);
        let response = json(StatusCode::CREATED, &proposed)?;
        Ok(if proposed.replayed { replayed(response) } else { response })
    })
    .await
}

fn submission(body: &[u8]) -> Result<Submission, Refusal> {
    Submission::read(body, None)
}

/// One proposal, with everything that a person looks at before Apply.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/proposals/{n}", tag = "proposals", operation_id = "proposal",
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((status = 200, description = "The proposal", body = ProposalDetail)),
)]
pub(crate) async fn one(State(host): State<Arc<Host>>, at: At, _: NoQuery) -> Answer {
    blocking(&host, move |host| {
        json(StatusCode::OK, &ProposalDetail::from(host.engine.view(&host.caller, &at.room, at.number)?))
    })
    .await
}

/// The difference that a revision makes.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/proposals/{n}/diff", tag = "proposals", operation_id = "diff",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("n" = u64, Path, description = "Its number", minimum = 1),
        ("revision" = Option<u32>, Query, description = "The current one by default", minimum = 1),
        ("format" = Option<words::DiffFormat>, Query, description = "`json` by default; `patch` gives a unified diff in git's form (`text/x-diff`) that makes the same again"),
    ),
    responses((
        status = 200, description = "The difference",
        content((Diff = "application/json"), (String = "text/x-diff")),
    )),
)]
pub(crate) async fn diff(State(host): State<Arc<Host>>, at: At, mut query: Query) -> Answer {
    let (revision, format) = (query.revision()?, query.diff_format()?);
    query.finish()?;
    blocking(&host, move |host| {
        if format == DiffFormat::Patch {
            let (_, patch) = host.engine.patch(&host.caller, &at.room, at.number, revision)?;
            return Ok(text("text/x-diff; charset=utf-8", patch.bytes));
        }
        let (row, changes) = host.engine.diff(&host.caller, &at.room, at.number, revision)?;
        json(StatusCode::OK, &Diff::of(at.number, &row, changes))
    })
    .await
}

/// Applies a proposal, once.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/apply", tag = "proposals", operation_id = "apply",
    request_body = Apply,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses(
        (status = 201, description = "The change was made now", body = ApplyAnswer),
        (
            status = 200, description = "It had been made; nothing changed", body = ApplyAnswer,
            headers(("Sekali-Replayed" = String, description = "`true`")),
        ),
    ),
)]
pub(crate) async fn apply(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Json(asked): Json<Apply>,
) -> Answer {
    let seen = asked.digest.map_or(Seen::Nothing, Seen::Digest);
    blocking(&host, move |host| {
        let answer = ApplyAnswer::of(host.engine.apply(&host.caller, &at.room, at.number, seen)?)?;
        match answer.outcome {
            ApplyOutcome::Applied => json(StatusCode::CREATED, &answer),
            ApplyOutcome::Replayed => json(StatusCode::OK, &answer).map(replayed),
        }
    })
    .await
}

/// Rejects a waiting proposal.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/reject", tag = "proposals", operation_id = "reject",
    request_body = Reject,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((status = 200, description = "Rejected", body = ProposalDetail)),
)]
pub(crate) async fn reject(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Json(asked): Json<Reject>,
) -> Answer {
    decided(&host, at, move |host, at| {
        host.engine.reject(&host.caller, &at.room, at.number, asked.digest, &asked.reason)
    })
    .await
}

/// Opens a rejected proposal again.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/reopen", tag = "proposals", operation_id = "reopen",
    request_body = Reason,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((status = 200, description = "Waiting again", body = ProposalDetail)),
)]
pub(crate) async fn reopen(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Json(asked): Json<Reason>,
) -> Answer {
    decided(&host, at, move |host, at| {
        host.engine.reopen(&host.caller, &at.room, at.number, asked.reason.as_deref())
    })
    .await
}

/// Takes a waiting proposal back: its author, or a maintainer.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/withdraw", tag = "proposals", operation_id = "withdraw",
    request_body = Reason,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((status = 200, description = "Withdrawn", body = ProposalDetail)),
)]
pub(crate) async fn withdraw(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Json(asked): Json<Reason>,
) -> Answer {
    decided(&host, at, move |host, at| {
        host.engine.withdraw(&host.caller, &at.room, at.number, asked.reason.as_deref())
    })
    .await
}

/// Decides, then shows what is there.
async fn decided(
    host: &Arc<Host>,
    at: At,
    decide: impl FnOnce(&Host, &At) -> Result<(), Failure> + Send + 'static,
) -> Answer {
    blocking(host, move |host| {
        decide(host, &at)?;
        let view = host.engine.view(&host.caller, &at.room, at.number).map_err(Failure::done_unseen)?;
        json(StatusCode::OK, &ProposalDetail::from(view))
    })
    .await
}

/// What a rebase would come to. Nothing is written.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/proposals/{n}/rebase", tag = "proposals", operation_id = "previewRebase",
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((status = 200, description = "Each change and conflict", body = Rebase)),
)]
pub(crate) async fn preview_rebase(State(host): State<Arc<Host>>, at: At, _: NoQuery) -> Answer {
    blocking(&host, move |host| {
        let view = host.engine.preview_rebase(&host.caller, &at.room, at.number)?;
        json(StatusCode::OK, &Rebase::from(view))
    })
    .await
}

/// Carries a waiting proposal onto the documents as they are now, as a new revision.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/rebase", tag = "proposals", operation_id = "rebase",
    request_body = RebaseBody,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses(
        (status = 201, description = "A new revision", body = Proposed),
        (status = 200, description = "Nothing had moved; the present revision", body = Proposed),
    ),
)]
pub(crate) async fn rebase(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Parts(asked): Parts<RebaseBody>,
) -> Answer {
    blocking(&host, move |host| {
        let choices = asked.choices()?;
        let rebased = host.engine.rebase(&host.caller, &at.room, at.number, asked.digest, &choices)?;
        let status = if rebased.created { StatusCode::CREATED } else { StatusCode::OK };
        json(status, &Proposed::from(rebased))
    })
    .await
}

/// Proposes to take back what applied proposals did.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/revert", tag = "proposals", operation_id = "revert",
    request_body = RevertBody,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((
        status = 201, description = "The new proposal, made now or under the same key before", body = Proposed,
        headers(("Sekali-Replayed" = String, description = "`true` where the key had made this proposal before")),
    )),
)]
pub(crate) async fn revert(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Json(asked): Json<RevertBody>,
) -> Answer {
    blocking(&host, move |host| {
        let mut numbers = asked.also;
        numbers.insert(0, at.number);
        let asked = Revert { numbers, title: asked.title, untitled: None, why: asked.why, key: asked.key };
        let proposed = Proposed::from(host.engine.revert(&host.caller, &at.room, &asked)?);
        let response = json(StatusCode::CREATED, &proposed)?;
        Ok(if proposed.replayed { replayed(response) } else { response })
    })
    .await
}

/// Splits a waiting proposal: what is taken becomes its next revision, the rest a new proposal.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/split", tag = "proposals", operation_id = "split",
    request_body = SplitBody,
    params(("room" = String, Path, description = "Slug or id"), ("n" = u64, Path, description = "Its number", minimum = 1)),
    responses((status = 201, description = "Both parts", body = Split)),
)]
pub(crate) async fn split(
    State(host): State<Arc<Host>>,
    at: At,
    _: NoQuery,
    Parts(asked): Parts<SplitBody>,
) -> Answer {
    blocking(&host, move |host| {
        let asked = asked.asked()?;
        let parts = host.engine.split(&host.caller, &at.room, at.number, &asked)?;
        json(StatusCode::CREATED, &Split::from(parts))
    })
    .await
}

/// Replaces the content of a waiting proposal by a new revision.
#[utoipa::path(
    post, path = "/v1/rooms/{room}/proposals/{n}/revisions", tag = "proposals", operation_id = "revise",
    request_body = ProposalFile,
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("n" = u64, Path, description = "Its number", minimum = 1),
        ("digest" = Option<words::Sha256>, Query, description = "The revision that is replaced, where the caller knows it"),
    ),
    responses((status = 201, description = "Revised", body = Proposed)),
)]
pub(crate) async fn revise(
    State(host): State<Arc<Host>>,
    at: At,
    mut query: Query,
    SubmissionBody(body): SubmissionBody,
) -> Answer {
    let seen = query.digest()?;
    query.finish()?;
    blocking(&host, move |host| {
        let proposed = host.engine.revise(&host.caller, &at.room, at.number, seen, submission(&body)?)?;
        json(StatusCode::CREATED, &Proposed::from(proposed))
    })
    .await
}
