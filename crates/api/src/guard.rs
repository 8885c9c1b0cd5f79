//! Who may ask at all: the right `Host`, an allowed `Origin`, the token of this launch. A page of
//! another site, or a name that points at this computer, gets no further than here.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sekali_core::{Code, Refusal};
use subtle::ConstantTimeEq as _;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::Host;
use crate::answer::{Failed, REPLAYED};
use crate::asked::{decode, unreadable};

/// Carries the token of this launch.
pub(crate) const TOKEN: HeaderName = HeaderName::from_static("sekali-token");
/// The SHA-256 of a document's content.
pub(crate) const DIGEST: HeaderName = HeaderName::from_static("sekali-digest");
/// A document's mode.
pub(crate) const MODE: HeaderName = HeaderName::from_static("sekali-mode");

/// How long a browser may remember what it may ask.
const PREFLIGHT_AGE: Duration = Duration::from_mins(10);

/// Refuses foreign hosts and origins, before anything else, preflights too.
pub(crate) async fn from_here(State(host): State<Arc<Host>>, request: Request, next: Next) -> Response {
    match may_ask(&host, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => Failed::from(refusal).into_response(),
    }
}

fn may_ask(host: &Host, request: &Request) -> Result<(), Refusal> {
    if let Some(allowed) = &host.allowed_hosts {
        let known = |name: &str| allowed.iter().any(|host| host.eq_ignore_ascii_case(name));
        let authority = request.uri().authority().map(axum::http::uri::Authority::as_str);
        let named = one(request.headers(), &HOST)?;
        // HTTP/2 has the authority alone, HTTP/1.1 must have the header; where both are, both count.
        let ok = (named.is_some() || authority.is_some())
            && named.is_none_or(known)
            && authority.is_none_or(known);
        if !ok {
            return Err(denied("This address is not served under that name."));
        }
    }
    match one(request.headers(), &ORIGIN)? {
        Some(origin) if !host.allowed_origins.iter().any(|allowed| allowed == origin) => {
            Err(denied("Pages of this origin may not ask."))
        }
        _ => Ok(()),
    }
}

/// The one value of a header that may stand once.
fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            value.to_str().map(Some).map_err(|_| denied(&format!("The header {name} cannot be read.")))
        }
        (Some(_), Some(_)) => Err(denied(&format!("The header {name} stands twice."))),
    }
}

fn denied(detail: &str) -> Refusal {
    Refusal::new(Code::RequestDenied, detail)
}

/// Refuses requests without the token. Only the description of the API is open.
pub(crate) async fn with_token(State(host): State<Arc<Host>>, request: Request, next: Next) -> Response {
    let open = request.uri().path() == crate::openapi::PATH;
    if !open && !knows_token(&host, request.headers()) {
        return Failed::from(denied("The header Sekali-Token does not carry the token of this launch."))
            .into_response();
    }
    next.run(request).await
}

fn knows_token(host: &Host, headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(TOKEN).iter();
    let (Some(given), None) = (values.next(), values.next()) else { return false };
    // An empty token is a host's mistake; it must not open the door to everyone.
    !host.token.is_empty() && bool::from(given.as_bytes().ct_eq(host.token.as_bytes()))
}

/// Refuses addresses that cannot be decoded, before a route is looked for.
pub(crate) async fn readable(request: Request, next: Next) -> Response {
    if decode(request.uri().path()).is_some() {
        return next.run(request).await;
    }
    let path = request.uri().path();
    let document = ["/documents/", "/versions/"].iter().any(|part| path.contains(part));
    let refusal = if document {
        Refusal::field(Code::PathInvalid, "path", "path: the address is not percent-encoded UTF-8.")
    } else {
        unreadable()
    };
    Failed::from(refusal).into_response()
}

/// What pages of the allowed origins may ask and read.
pub(crate) fn cors(host: &Host) -> CorsLayer {
    // What cannot stand in a header can never be an origin.
    let origins = host.allowed_origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT])
        .allow_headers([CONTENT_TYPE, TOKEN, axum::http::header::ACCEPT_LANGUAGE])
        .expose_headers([REPLAYED, DIGEST, MODE])
        .max_age(PREFLIGHT_AGE)
}
