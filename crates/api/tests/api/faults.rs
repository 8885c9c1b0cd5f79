//! When the store fails, or a defect panics: the answer says so without saying how we are made,
//! and the next request is served.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use sekali_core::Code;
use sekali_store::{Job, Read, RoomKey, Store, StoreError, StoreFacts};
use serde_json::json;

use crate::room::Room;

/// A store that fails where it is told to.
struct Failing {
    inner: Arc<dyn Store>,
    facts: Box<dyn Fn() -> Result<(), StoreError> + Send + Sync>,
    /// Reading fails once something was written.
    lost_after_write: bool,
    lost: AtomicBool,
}

impl Failing {
    fn beneath(room: &Room) -> Self {
        let inner: Arc<dyn Store> = Arc::<sekali_store_sqlite::SqliteStore>::clone(&room.store);
        Self { inner, facts: Box::new(|| Ok(())), lost_after_write: false, lost: AtomicBool::new(false) }
    }
}

impl Store for Failing {
    fn facts(&self) -> Result<StoreFacts, StoreError> {
        (self.facts)()?;
        self.inner.facts()
    }
    fn read(&self, job: &mut dyn FnMut(&dyn Read) -> Result<(), StoreError>) -> Result<(), StoreError> {
        if self.lost.load(Ordering::SeqCst) {
            return Err(StoreError::new(Code::StoreIo, "The disk reported an error."));
        }
        self.inner.read(job)
    }
    fn write(&self, job: Arc<Job>) -> Result<(), StoreError> {
        self.inner.write(job)?;
        self.lost.store(self.lost_after_write, Ordering::SeqCst);
        Ok(())
    }
    fn wait_for_change(&self, room: RoomKey, after: u64, timeout: Duration) -> Result<u64, StoreError> {
        self.inner.wait_for_change(room, after, timeout)
    }
}

#[tokio::test]
async fn a_panic_is_an_answer_and_the_process_stays_up() {
    let room = Room::new();
    let store = Failing { facts: Box::new(|| panic!("secret of line 7")), ..Failing::beneath(&room) };
    let client = Room::beneath(Arc::new(store));
    for _ in 0..2 {
        let answer = client.get("/v1/store").await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (500, "internal"));
        assert!(!String::from_utf8_lossy(&answer.body).contains("secret"));
    }
    assert_eq!(client.get("/v1/rooms").await.status.as_u16(), 200);
}

/// A body whose reading panics: a defect outside of blocking work.
struct Bursting;

impl axum::body::HttpBody for Bursting {
    type Data = axum::body::Bytes;
    type Error = std::io::Error;
    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        panic!("secret of line 8")
    }
}

/// A body that ends before it is whole.
struct Torn;

impl axum::body::HttpBody for Torn {
    type Data = axum::body::Bytes;
    type Error = std::io::Error;
    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        std::task::Poll::Ready(Some(Err(std::io::ErrorKind::ConnectionReset.into())))
    }
}

#[tokio::test]
async fn a_body_that_breaks_is_an_answer_too() {
    let room = Room::new();
    let (ani, before) = (room.ani(), room.state());
    let answer = ani.write(Method::POST, "/v1/rooms", Body::new(Bursting)).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (500, "internal"));
    assert!(!String::from_utf8_lossy(&answer.body).contains("secret"));
    let answer = ani.write(Method::POST, "/v1/rooms/main/proposals", Body::new(Torn)).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, "body.invalid_json"));
    assert_eq!(room.state(), before);
}

#[tokio::test]
async fn failures_of_the_store_have_their_status_and_no_insides() {
    let room = Room::new();
    let check = async |code: Code, status: u16, retry: &str| {
        let facts =
            move || Err(StoreError::caused(code, "Could not read it.", "near \"SELECT secret FROM x\""));
        let client = Room::beneath(Arc::new(Failing { facts: Box::new(facts), ..Failing::beneath(&room) }));
        let answer = client.get("/v1/store").await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code.as_str()));
        assert_eq!(answer.json()["retry"], retry, "{code}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("secret"), "{code}");
    };
    check(Code::StoreBusy, 503, "same").await;
    check(Code::StoreOutcomeUnknown, 503, "same").await;
    check(Code::StoreFull, 503, "later").await;
    check(Code::StoreReadOnly, 503, "later").await;
    check(Code::StoreMoved, 503, "later").await;
    check(Code::StoreIo, 503, "later").await;
    check(Code::StoreDamaged, 503, "never").await;
    check(Code::StoreForeign, 503, "never").await;
    check(Code::StoreNewer, 503, "never").await;
    check(Code::Internal, 500, "never").await;
}

/// P6: a decision that was made, but whose result cannot be shown, is not called a failure.
#[tokio::test]
async fn what_is_done_but_cannot_be_shown_is_said_to_be_unknown() {
    let room = Room::new();
    let ani = room.ani();
    let (number, _) = ani.propose("a.md", "x").await;
    let before = ani.get("/v1/rooms/main/proposals/1").await.json();
    assert_eq!(before["state"], "waiting");
    // The system user is known already, so that rejecting is the first write.
    ani.post("/v1/rooms/main/proposals/1/reject", &json!({ "reason": "r", "digest": null })).await;
    ani.post("/v1/rooms/main/proposals/1/reopen", &json!({ "reason": null })).await;
    let store = Failing { lost_after_write: true, ..Failing::beneath(&room) };
    let client = Room::beneath(Arc::new(store));
    let uri = format!("/v1/rooms/main/proposals/{number}/reject");
    let answer = client.post(&uri, &json!({ "reason": "r", "digest": null })).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (503, "store.outcome_unknown"));
    assert_eq!(answer.json()["retry"], "same");
    assert_eq!(ani.get("/v1/rooms/main/proposals/1").await.json()["state"], "rejected");
}
