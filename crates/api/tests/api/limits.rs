//! Every limit holds at its value and refuses one past it, naming the limit and the value.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Method;
use http_body_util::Full;
use sekali_api::{BODY_BYTES, PARTS_BODY_BYTES, SUBMISSION_BODY_BYTES};
use sekali_core::limit;
use serde_json::{Value, json};

use crate::room::{Answer, Room, put};

fn past(answer: &Answer, code: &str, field: Option<&str>, limit: usize) {
    let problem = answer.json();
    assert_eq!((answer.code().as_str(), problem["field"].as_str()), (code, field), "{problem}");
    assert_eq!(problem["limit"], limit, "{problem}");
    assert!(problem["value"].is_string(), "{problem}");
}

fn with(member: &str, value: Value) -> Value {
    let mut body = put("a.md", "x");
    body[member] = value;
    body
}

#[tokio::test]
async fn members_of_a_submission() {
    let room = Room::new();
    let ani = room.ani();
    let check = async |field: &str, limit: usize, build: fn(usize) -> Value| {
        let before = room.state();
        let answer = ani.post("/v1/rooms/main/proposals", &build(limit + 1)).await;
        past(&answer, "limit.exceeded", Some(field), limit);
        assert_eq!(room.state(), before, "{field}");
        let answer = ani.post("/v1/rooms/main/proposals", &build(limit)).await;
        assert_eq!(answer.status.as_u16(), 201, "{field} {answer:?}");
    };
    check("title", limit::TITLE_CHARS, |n| with("title", json!("é".repeat(n)))).await;
    check("why", limit::WHY_BYTES, |n| with("why", json!("w".repeat(n)))).await;
    check("key", limit::KEY_BYTES, |n| with("key", json!("k".repeat(n)))).await;
    check("correlation", limit::KEY_BYTES, |n| with("correlation", json!("c".repeat(n)))).await;
    check("effect_keys[0]", limit::KEY_BYTES, |n| with("effect_keys", json!(["e".repeat(n)]))).await;
    check("effect_keys", limit::EFFECT_KEYS, |n| {
        with("effect_keys", (0..n).map(|i| format!("e/{i}")).collect())
    })
    .await;
    check("changes[0].path", limit::SEGMENT_BYTES, |n| put(&"p".repeat(n), "x")).await;
    check("changes[0].path", limit::PATH_BYTES, |n| {
        let whole = "d/".repeat(limit::PATH_BYTES / 2 - 1) + "dd" + &"d".repeat(n - limit::PATH_BYTES);
        put(&whole, "x")
    })
    .await;
    check("changes", limit::CHANGES, |n| {
        let changes: Vec<Value> =
            (0..n).map(|i| json!({ "op": "put", "path": format!("c/{i}"), "text": "" })).collect();
        with("changes", changes.into())
    })
    .await;
}

#[tokio::test]
async fn names_and_reasons() {
    let room = Room::new();
    let ani = room.ani();
    let check = async |uri: &str, field: &str, limit: usize, build: fn(usize) -> Value| {
        let before = room.state();
        past(&ani.post(uri, &build(limit + 1)).await, "limit.exceeded", Some(field), limit);
        assert_eq!(room.state(), before, "{field}");
        let answer = ani.post(uri, &build(limit)).await;
        assert!(answer.status.is_success(), "{field} {answer:?}");
    };
    check("/v1/rooms", "slug", limit::SLUG_CHARS, |n| json!({ "slug": "s".repeat(n), "title": "T" })).await;
    check("/v1/rooms", "title", limit::TITLE_CHARS, |n| json!({ "slug": "t", "title": "é".repeat(n) })).await;
    check(
        "/v1/rooms/main/members",
        "name",
        limit::NAME_BYTES,
        |n| json!({ "name": "n".repeat(n), "role": "member" }),
    )
    .await;
    ani.propose("a.md", "x").await;
    check(
        "/v1/rooms/main/proposals/1/reject",
        "reason",
        limit::REASON_BYTES,
        |n| json!({ "reason": "r".repeat(n), "digest": null }),
    )
    .await;
    check(
        "/v1/rooms/main/proposals/1/reopen",
        "reason",
        limit::REASON_BYTES,
        |n| json!({ "reason": "r".repeat(n) }),
    )
    .await;
    check(
        "/v1/rooms/main/proposals/1/withdraw",
        "reason",
        limit::REASON_BYTES,
        |n| json!({ "reason": "r".repeat(n) }),
    )
    .await;
}

#[tokio::test]
async fn nesting_of_a_body() {
    let room = Room::new();
    let ani = room.ani();
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let at = ani.write(Method::POST, "/v1/rooms", deep(limit::JSON_DEPTH)).await;
    assert_eq!(at.code(), "body.invalid");
    let over = ani.write(Method::POST, "/v1/rooms", deep(limit::JSON_DEPTH + 1)).await;
    assert_eq!(
        (over.code().as_str(), &over.json()["limit"]),
        ("body.invalid_json", &json!(limit::JSON_DEPTH))
    );
    assert_eq!(
        ani.write(Method::POST, "/v1/rooms", "[".repeat(BODY_BYTES)).await.code(),
        "body.invalid_json"
    );
}

#[tokio::test]
async fn bodies_of_decisions() {
    let room = Room::new();
    let ani = room.ani();
    ani.propose("a.md", "x").await;
    let uri = "/v1/rooms/main/proposals/1/withdraw";
    let padded = |bytes: usize| format!("{{{}}}", " ".repeat(bytes - 2));
    let before = room.state();
    let over = ani.write(Method::POST, uri, padded(BODY_BYTES + 1)).await;
    assert_eq!(over.status.as_u16(), 413);
    past(&over, "body.too_large", None, BODY_BYTES);
    assert_eq!(room.state(), before);
    assert_eq!(ani.write(Method::POST, uri, padded(BODY_BYTES)).await.status.as_u16(), 200);
}

#[tokio::test]
async fn bodies_that_name_parts_of_a_proposal() {
    let room = Room::new();
    let ani = room.ani();
    let (_, digest) = ani.propose("a.md", "x").await;
    let before = room.state();
    let another = format!("sha256:{}", "0".repeat(64));
    let parts = [
        ("rebase", &another, "sides", json!(["now"]), "proposal.changed"),
        ("split", &digest, "hunks", json!(null), "proposal.invalid"),
    ];
    for (part, digest, member, value, code) in parts {
        let uri = format!("/v1/rooms/main/proposals/1/{part}");
        let over = ani.write(Method::POST, &uri, Body::new(Announced(PARTS_BODY_BYTES as u64 + 1))).await;
        assert_eq!(over.status.as_u16(), 413, "{uri}");
        past(&over, "body.too_large", None, PARTS_BODY_BYTES);
        // As many as a proposal has, each with a long path, are read to the end.
        let name = |n: usize| json!({"path": format!("{}{n}", "a/".repeat(500)), member: value});
        let take: Vec<_> = (0..limit::CHANGES).map(name).collect();
        let body = Body::new(Full::from(json!({"digest": digest, "take": take}).to_string()));
        assert_eq!(ani.write(Method::POST, &uri, body).await.code(), code, "{uri}");
    }
    assert_eq!(room.state(), before);
}

/// A body that says how long it will be, and fails the test when it is read all the same.
struct Announced(u64);

impl HttpBody for Announced {
    type Data = Bytes;
    type Error = std::io::Error;
    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        panic!("what is too large is not read")
    }
    fn size_hint(&self) -> http_body::SizeHint {
        http_body::SizeHint::with_exact(self.0)
    }
}

#[tokio::test]
async fn bodies_of_submissions() {
    let room = Room::new();
    let ani = room.ani();
    let before = room.state();
    for uri in ["/v1/rooms/main/proposals", "/v1/rooms/main/proposals/1/revisions"] {
        let body = Body::new(Announced(SUBMISSION_BODY_BYTES as u64 + 1));
        let over = ani.write(Method::POST, uri, body).await;
        assert_eq!(over.status.as_u16(), 413, "{uri}");
        past(&over, "body.too_large", None, SUBMISSION_BODY_BYTES);
    }
    assert_eq!(room.state(), before);
    // What a decision may not have, a submission may.
    let mut large = put("a.md", "x");
    large["changes"][0]["text"] = json!("a".repeat(BODY_BYTES + 1));
    let answer =
        ani.write(Method::POST, "/v1/rooms/main/proposals", Body::new(Full::from(large.to_string()))).await;
    assert_eq!(answer.status.as_u16(), 201);
}

#[tokio::test]
async fn content_of_a_document() {
    let room = Room::new();
    let ani = room.ani();
    let before = room.state();
    let sized = |bytes: usize| {
        let mut text = String::with_capacity(bytes + 200);
        text.push_str(
            r#"{"format":"sekali.proposal/1","title":"T","changes":[{"op":"put","path":"a","text":""#,
        );
        text.push_str(&"a".repeat(bytes));
        text.push_str("\"}]}");
        text
    };
    let over = ani.write(Method::POST, "/v1/rooms/main/proposals", sized(limit::CONTENT_BYTES + 1)).await;
    past(&over, "limit.exceeded", Some("changes[0]"), limit::CONTENT_BYTES);
    assert_eq!(room.state(), before);
    let at = ani.write(Method::POST, "/v1/rooms/main/proposals", sized(limit::CONTENT_BYTES)).await;
    assert_eq!(at.status.as_u16(), 201);
}
