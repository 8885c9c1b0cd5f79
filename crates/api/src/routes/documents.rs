//! Documents and their history.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use sekali_core::Code;
use sekali_core::hash::ContentHash;
use sekali_store::StoreError;

use crate::answer::{Failed, blocking, json};
use crate::asked::{AtPath, InRoom, NoQuery, Query};
use crate::guard::{DIGEST, MODE};
use crate::routes::page;
use crate::types::{DocumentItem, DocumentPage, DocumentVersion, DocumentVersions};
use crate::{Host, cursor, words};

type Answer = Result<Response, Failed>;

/// One page of documents, in the order of their folded paths.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/documents", tag = "documents", operation_id = "documents",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("limit" = Option<u32>, Query, description = "At most so many; 50 by default", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `next` of the page before"),
    ),
    responses((status = 200, description = "The documents", body = DocumentPage)),
)]
pub(crate) async fn list(State(host): State<Arc<Host>>, InRoom(room): InRoom, mut query: Query) -> Answer {
    let (limit, after) = (query.page()?, cursor::document(query.cursor().as_deref())?);
    query.finish()?;
    blocking(&host, move |host| {
        let rows = host.engine.documents(&host.caller, &room, after.as_deref(), limit + 1)?;
        let (rows, next) = page(rows, limit, |view| cursor::after_document(view.row.path.key()));
        json(
            StatusCode::OK,
            &DocumentPage { items: rows.into_iter().map(DocumentItem::from).collect(), next },
        )
    })
    .await
}

/// A document's content, as it is now or as it was in one version.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/documents/{*path}", tag = "documents", operation_id = "document",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("path" = String, Path, description = "The document's path, with its slashes"),
        ("version" = Option<words::VersionKey>, Query, description = "The present one by default"),
    ),
    responses((
        status = 200, description = "The bytes", body = words::Bytes, content_type = "application/octet-stream",
        headers(
            ("Sekali-Digest" = words::Sha256, description = "SHA-256 of the content"),
            ("Sekali-Mode" = words::Mode, description = "The mode"),
        ),
    )),
)]
pub(crate) async fn content(State(host): State<Arc<Host>>, at: AtPath, mut query: Query) -> Answer {
    let version = query.version()?;
    query.finish()?;
    blocking(&host, move |host| {
        let (row, content) = host.engine.document(&host.caller, &at.room, &at.path, version)?;
        let mode = row.content.map_or("", |content| content.mode.as_str());
        let digest = HeaderValue::from_str(&ContentHash::of(&content).to_string())
            .map_err(|e| StoreError::caused(Code::Internal, "A digest is no header.", e))?;
        let mut response = Response::new(Body::from(content));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        // Content is whatever someone proposed; no browser may take it for a page.
        headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
        headers.insert(DIGEST, digest);
        headers.insert(MODE, HeaderValue::from_static(mode));
        Ok(response)
    })
    .await
}

/// The versions of a document, newest first, at most 1,000; also of one that has gone.
#[utoipa::path(
    get, path = "/v1/rooms/{room}/versions/{*path}", tag = "documents", operation_id = "versions",
    params(
        ("room" = String, Path, description = "Slug or id"),
        ("path" = String, Path, description = "The document's path, with its slashes"),
    ),
    responses((status = 200, description = "Newest first, through its renames", body = DocumentVersions)),
)]
pub(crate) async fn versions(State(host): State<Arc<Host>>, at: AtPath, _: NoQuery) -> Answer {
    blocking(&host, move |host| {
        let rows = host.engine.versions(&host.caller, &at.room, &at.path)?;
        json(
            StatusCode::OK,
            &DocumentVersions { items: rows.into_iter().map(DocumentVersion::from).collect() },
        )
    })
    .await
}
