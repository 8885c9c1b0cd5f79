//! Bodies of writes: a JSON content type, a size, strict JSON, and then the type that cannot be
//! wrong. Each step is refused by its own code before the next is tried.

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use http_body_util::LengthLimitError;
use sekali_core::{Code, Refusal, json, limit};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{Failed, off_the_loop};

/// Bytes of a body that is no submission.
pub const BODY_BYTES: usize = 1024 * 1024;
/// Bytes of a submission's body: its content as base64, and room for everything around it. The
/// limit of the submission itself is counted after parsing.
pub const SUBMISSION_BODY_BYTES: usize = limit::SUBMISSION_BYTES / 3 * 4 + 1024 * 1024;

/// Bytes of a body that names parts of a proposal: up to every change of one, each with its paths.
pub const PARTS_BODY_BYTES: usize = 32 * 1024 * 1024;

/// A small JSON body.
pub(crate) struct Json<T>(pub(crate) T);

/// A JSON body that names parts of a proposal.
pub(crate) struct Parts<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Failed;
    async fn from_request(request: Request, _: &S) -> Result<Self, Failed> {
        let bytes = read(request, BODY_BYTES).await?;
        Ok(Self(typed(json::parse(&bytes)?)?))
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send + 'static> FromRequest<S> for Parts<T> {
    type Rejection = Failed;
    async fn from_request(request: Request, _: &S) -> Result<Self, Failed> {
        let bytes = read(request, PARTS_BODY_BYTES).await?;
        // As large as this, it is read where waiting harms nobody.
        off_the_loop(move || Ok(Self(typed(json::parse(&bytes)?)?))).await
    }
}

/// The body of a submission, not yet parsed: that is work for a blocking thread.
pub(crate) struct SubmissionBody(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for SubmissionBody {
    type Rejection = Failed;
    async fn from_request(request: Request, _: &S) -> Result<Self, Failed> {
        Ok(Self(read(request, SUBMISSION_BODY_BYTES).await?))
    }
}

async fn read(request: Request, most: usize) -> Result<Bytes, Failed> {
    if !is_json(request.headers()) {
        return Err(Refusal::new(Code::RequestDenied, "A write needs Content-Type: application/json.").into());
    }
    Ok(collect(request.into_body(), most).await?)
}

/// A form that a page can send without asking first is not JSON; neither is another charset.
fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let Some(kind) = value.to_str().ok().and_then(|text| text.parse::<mime::Mime>().ok()) else {
        return false;
    };
    let charset = kind.get_param(mime::CHARSET);
    kind.essence_str() == mime::APPLICATION_JSON.as_ref()
        && charset.is_none_or(|charset| charset == mime::UTF_8)
}

async fn collect(body: Body, most: usize) -> Result<Bytes, Refusal> {
    // What says that it is too large is not read first.
    let told = body.size_hint().lower();
    if told > most as u64 {
        return Err(too_large(most, &told.to_string()));
    }
    axum::body::to_bytes(body, most).await.map_err(|error| {
        if std::error::Error::source(&error).is_some_and(<dyn std::error::Error>::is::<LengthLimitError>) {
            return too_large(most, &format!("more than {most}"));
        }
        Refusal::new(Code::BodyInvalidJson, "The body ended before it was whole.")
    })
}

fn too_large(most: usize, value: &str) -> Refusal {
    Refusal::new(Code::BodyTooLarge, format!("A body may have at most {most} bytes here; this has {value}."))
        .with(|f| {
            f.limit = Some(most as u64);
            f.value = Some(value.to_owned());
        })
}

/// Reads a parsed body into its type, naming the member that does not fit.
fn typed<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    // A derived reader would also take an array, member by member.
    if !value.is_object() {
        return Err(Refusal::new(Code::BodyInvalid, "The body is not a JSON object."));
    }
    serde_path_to_error::deserialize(value).map_err(|error| {
        let said = error.inner().to_string();
        // These two speak of a member in the object at the path.
        let named = ["unknown field `", "missing field `"].iter().find_map(|start| said.strip_prefix(start));
        let member = named.and_then(|rest| rest.split('`').next());
        let field = member.map_or_else(|| error.path().to_string(), str::to_owned);
        let field = crate::asked::clip(&field);
        Refusal::field(Code::BodyInvalid, &field, format!("{field}: {said}."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Reject;
    use axum::http::HeaderValue;

    #[tokio::test]
    async fn the_limit_holds_at_and_one_past() {
        // Without a length: what is too large is found while it is read.
        let parts = |n: usize| Body::new(Chunks(vec![b' '; n]));
        assert_eq!(collect(parts(64), 64).await.map(|b| b.len()), Ok(64));
        let past = collect(parts(65), 64).await.expect_err("one past");
        assert_eq!((past.code, past.facts.limit), (Code::BodyTooLarge, Some(64)));
        assert_eq!(collect(Body::from(vec![0; 64]), 64).await.map(|b| b.len()), Ok(64));
        let past = collect(Body::from(vec![0; 65]), 64).await.expect_err("one past");
        assert_eq!((past.code, past.facts.value.as_deref()), (Code::BodyTooLarge, Some("65")));
    }

    /// Gives its bytes one by one.
    struct Chunks(Vec<u8>);

    impl axum::body::HttpBody for Chunks {
        type Data = Bytes;
        type Error = std::convert::Infallible;
        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
            let next = self.0.pop().map(|byte| Ok(http_body::Frame::data(Bytes::from(vec![byte]))));
            std::task::Poll::Ready(next)
        }
    }

    #[test]
    fn only_json_is_json() {
        let check = |value: &str, ok: bool| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_str(value).unwrap());
            assert_eq!(is_json(&headers), ok, "{value}");
        };
        check("application/json", true);
        check("Application/JSON; charset=UTF-8", true);
        check("application/json;charset=utf-16", false);
        check("text/plain", false);
        check("application/x-www-form-urlencoded", false);
        check("multipart/form-data; boundary=x", false);
        check("text/plain; application/json", false);
        check("application/jsonp", false);
        check("application/merge-patch+json", false);
        check("", false);
        assert!(!is_json(&HeaderMap::new()));
    }

    #[test]
    fn the_wrong_member_is_named() {
        let check = |body: &str, field: Option<&str>| {
            let refusal = typed::<Reject>(serde_json::from_str(body).unwrap()).expect_err(body);
            assert_eq!(
                (refusal.code, refusal.facts.field.as_deref()),
                (Code::BodyInvalid, field),
                "{}",
                refusal.detail
            );
        };
        check(r#"["r", null]"#, None);
        check("7", None);
        check("{}", Some("reason"));
        check(r#"{"reason":"r"}"#, Some("digest"));
        check(r#"{"reason":7,"digest":null}"#, Some("reason"));
        check(r#"{"reason":null,"digest":null}"#, Some("reason"));
        check(r#"{"reason":"r","digest":"sha256:00"}"#, Some("digest"));
        check(r#"{"reason":"r","digest":null,"actor":"Budi"}"#, Some("actor"));
        assert!(typed::<Reject>(serde_json::json!({"reason": "r", "digest": null})).is_ok());
    }
}
