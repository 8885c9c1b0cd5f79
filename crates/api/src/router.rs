//! The router: every route, and around all of them the layers in the order in which a request
//! meets them.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use sekali_core::{Code, Refusal};
use tower_http::catch_panic::CatchPanicLayer;

use crate::answer::{self, Failed};
use crate::{Host, asked, guard, openapi};

/// The API over one open store. A host calls it as a service, in-process or from a socket.
pub fn router(host: Arc<Host>) -> Router {
    let routes: Router<Arc<Host>> = openapi::described().0;
    routes
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        // The last is met first.
        .layer(from_fn(guard::readable))
        .layer(from_fn_with_state(Arc::clone(&host), guard::with_token))
        .layer(CatchPanicLayer::custom(answer::panicked))
        .layer(guard::cors(&host))
        .layer(from_fn_with_state(Arc::clone(&host), guard::from_here))
        .layer(from_fn_with_state(Arc::clone(&host), answer::speak))
        .with_state(host)
}

async fn no_route(request: Request) -> Response {
    let detail = format!("There is no route {} {}.", request.method(), asked::clip(request.uri().path()));
    Failed::from(Refusal::new(Code::RequestNotFound, detail)).into_response()
}

async fn no_method(request: Request) -> Response {
    let detail = format!("{} is not answered at {}.", request.method(), asked::clip(request.uri().path()));
    Failed::under(StatusCode::METHOD_NOT_ALLOWED, Refusal::new(Code::RequestNotFound, detail)).into_response()
}
