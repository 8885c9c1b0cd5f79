//! `api://localhost`: the one API, served to our own page without a socket. The router decides
//! everything, the token and the origin too; here a request is only carried to it and back.

use std::sync::Arc;

use axum::body::Body;
use sekali_api::{Host, Problem};
use sekali_core::{Code, Lang};
use sekali_engine::{Caller, Engine};
use sekali_store::StoreError;
use serde_json::Value;
use tauri::http::{HeaderValue, Request, Response, StatusCode, header};
use tauri::{Manager as _, UriSchemeContext, UriSchemeResponder, Wry};
use tower::ServiceExt as _;

use crate::session::Session;

/// The scheme.
pub(crate) const NAME: &str = "api";

/// The address as the page calls it; `WebView2` has no schemes of its own.
pub(crate) const ORIGIN: &str = if cfg!(windows) { "http://api.localhost" } else { "api://localhost" };

/// The origin of our page, and of the dev server where that serves it.
const PAGE: &str = if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" };
const DEV_PAGE: &str = "http://127.0.0.1:1420";

/// The routes over one store.
pub(crate) fn router(engine: Engine, caller: Caller, token: String, lang: Lang) -> axum::Router {
    let pages = [PAGE, DEV_PAGE];
    sekali_api::router(Arc::new(Host {
        engine,
        caller,
        token,
        lang,
        allowed_origins: pages[..if tauri::is_dev() { 2 } else { 1 }]
            .iter()
            .map(|&page| page.to_owned())
            .collect(),
        // There is no socket that another name could point at.
        allowed_hosts: None,
    }))
}

/// Answers one request of the page, away from the main thread; many at a time.
#[expect(clippy::needless_pass_by_value, reason = "the signature is Tauri's")]
pub(crate) fn serve(
    context: UriSchemeContext<'_, Wry>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let session = Arc::clone(&context.app_handle().state::<Arc<Session>>());
    tauri::async_runtime::spawn(
        async move { responder.respond(answer(&session, request.map(Body::from)).await) },
    );
}

/// What the router answers, whole: the scheme has no streams.
pub(crate) async fn answer(session: &Session, request: Request<Body>) -> Response<Vec<u8>> {
    let Some(open) = session.open() else {
        return no_store();
    };
    let router = open.router();
    // An answer may be 25 s away; the store can be closed meanwhile.
    drop(open);
    let response = match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let (parts, body) = response.into_parts();
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(bytes) => Response::from_parts(parts, bytes.into()),
        Err(error) => {
            crate::session::report(&error);
            let error = StoreError::new(Code::Internal, "The answer could not be read.");
            problem(&Problem::failed(&error, Lang::En))
        }
    }
}

fn no_store() -> Response<Vec<u8>> {
    let error = StoreError::new(Code::StoreNotFound, "No store is open in this window.");
    problem(&Problem::failed(&error, Lang::En))
}

fn problem(problem: &Problem) -> Response<Vec<u8>> {
    let mut response = Response::new(serde_json::to_vec(problem).unwrap_or_default());
    *response.status_mut() =
        StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    // Without it the page sees a broken connection instead of a reason.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static(PAGE));
    response
}

/// Asks the router for JSON as the page would: for what a native command needs to know.
///
/// # Errors
/// The router's problem, as it is.
pub(crate) async fn get(session: &Session, path: &str) -> Result<Value, Value> {
    ask(session, Request::get(path).body(Body::empty())).await
}

#[cfg(test)]
pub(crate) async fn post(session: &Session, path: &str, body: &Value) -> Result<Value, Value> {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    ask(session, request.body(Body::from(body.to_string()))).await
}

async fn ask(session: &Session, request: Result<Request<Body>, tauri::http::Error>) -> Result<Value, Value> {
    let mut request = request.map_err(|error| Value::String(error.to_string()))?;
    let token = HeaderValue::from_str(session.token()).map_err(|error| Value::String(error.to_string()))?;
    request.headers_mut().insert("sekali-token", token);
    let response = answer(session, request).await;
    let body = serde_json::from_slice(response.body()).unwrap_or(Value::Null);
    if response.status().is_success() { Ok(body) } else { Err(body) }
}
