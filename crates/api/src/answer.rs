//! Answers: JSON, and refusals that wait for their language. A handler gives a [`Failed`]; the
//! outermost layer puts it into words once, whoever refused.

use std::any::Any;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sekali_core::{Code, Lang, Refusal};
use sekali_engine::Failure;
use sekali_store::StoreError;
use serde::Serialize;

use crate::Host;
use crate::problem::Problem;

/// Says that an answer is a repeat of an earlier one.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("sekali-replayed");

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// A request that was not done.
#[derive(Debug)]
pub(crate) struct Failed {
    failure: Failure,
    /// Where HTTP has a word that the code's status does not say.
    status: Option<StatusCode>,
}

impl<F: Into<Failure>> From<F> for Failed {
    fn from(failure: F) -> Self {
        Self { failure: failure.into(), status: None }
    }
}

impl Failed {
    /// A refusal under another status than its code's.
    pub(crate) fn under(status: StatusCode, refusal: Refusal) -> Self {
        Self { failure: refusal.into(), status: Some(status) }
    }

    fn problem(&self, lang: Lang) -> Problem {
        let mut problem = Problem::of(&self.failure, lang);
        if let Some(status) = self.status {
            problem.status = status.as_u16();
        }
        problem
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        // The body follows in `speak`, where the language is known.
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// Runs blocking work off the runtime. Its panic is a defect's answer, not the process's end.
pub(crate) async fn blocking<T: Send + 'static>(
    host: &Arc<Host>,
    job: impl FnOnce(&Host) -> Result<T, Failed> + Send + 'static,
) -> Result<T, Failed> {
    let host = Arc::clone(host);
    off_the_loop(move || job(&host)).await
}

/// Does what takes time on a thread for that.
pub(crate) async fn off_the_loop<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, Failed> + Send + 'static,
) -> Result<T, Failed> {
    match tokio::task::spawn_blocking(job).await {
        Ok(answer) => answer,
        Err(panicked) => Err(StoreError::caused(Code::Internal, "A request panicked.", panicked).into()),
    }
}

/// The answer to a panic outside of blocking work.
pub(crate) fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    Failed::from(StoreError::new(Code::Internal, "A handler panicked.")).into_response()
}

/// A JSON answer.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Result<Response, Failed> {
    let body = serde_json::to_vec(value)
        .map_err(|e| StoreError::caused(Code::Internal, "An answer could not be written.", e))?;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// An answer that is text of another kind.
pub(crate) fn text(kind: &'static str, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Marks an answer as a replay.
pub(crate) fn replayed(mut response: Response) -> Response {
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

/// The outermost layer: puts refusals into the caller's language, and keeps every answer out of
/// caches.
pub(crate) async fn speak(State(host): State<Arc<Host>>, request: Request, next: Next) -> Response {
    let lang = language(request.headers()).unwrap_or(host.lang);
    let mut response = next.run(request).await;
    if let Some(failed) = response.extensions_mut().remove::<Arc<Failed>>() {
        report(&failed.failure);
        let problem = failed.problem(lang);
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        *response.status_mut() = status;
        *response.body_mut() = Body::from(serde_json::to_vec(&problem).unwrap_or_default());
        response.headers_mut().insert(CONTENT_TYPE, PROBLEM_JSON);
    }
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// A defect's cause is for its finder: it goes to the error stream, where the answer keeps it out.
fn report(failure: &Failure) {
    let Failure::Store(error) = failure else { return };
    if !matches!(error.code, Code::Internal | Code::StoreDamaged) {
        return;
    }
    let mut chain = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        chain.push_str(": ");
        chain.push_str(&cause.to_string());
        source = cause.source();
    }
    eprintln!("sekali: {}: {chain}", error.code);
}

/// The first of our languages that the caller prefers (RFC 9110, sections 5.3 and 12.5.4): several
/// lines are one list, and the `q` of a weight may be of either case.
fn language(headers: &HeaderMap) -> Option<Lang> {
    let mut best: Option<(f32, Lang)> = None;
    let lines = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|line| line.to_str().ok());
    for range in lines.flat_map(|line| line.split(',')) {
        let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
        let parameters = parameters.trim();
        let weight = match parameters.strip_prefix("q=").or_else(|| parameters.strip_prefix("Q=")) {
            Some(q) => q.trim().parse().unwrap_or(0.0),
            None => 1.0,
        };
        let Some(lang) = Lang::from_tag(tag.trim()) else { continue };
        if weight > 0.0 && best.is_none_or(|(known, _)| weight > known) {
            best = Some((weight, lang));
        }
    }
    best.map(|(_, lang)| lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_of_our_languages() {
        let check = |header: &str, expected: Option<Lang>| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_str(header).unwrap());
            assert_eq!(language(&headers), expected, "{header}");
        };
        check("id", Some(Lang::Id));
        check("en-GB", Some(Lang::En));
        check("fr, id;q=0.5, en;q=0.7", Some(Lang::En));
        check("id,en", Some(Lang::Id));
        check("id;q=0", None);
        check("id;Q=0.1, en;q=0.2", Some(Lang::En));
        check("fr", None);
        check("*", None);
        check(";;;,,,", None);
        assert_eq!(language(&HeaderMap::new()), None);
        let mut lines = HeaderMap::new();
        for line in ["fr", "en;q=0.4", "id;q=0.6"] {
            lines.append(ACCEPT_LANGUAGE, HeaderValue::from_static(line));
        }
        assert_eq!(language(&lines), Some(Lang::Id), "several lines are one list");
    }
}
