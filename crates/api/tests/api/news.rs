//! The long poll: at once where there is news, woken by a commit, and never a thread for someone
//! who went away.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use sekali_store::{Job, Read, RoomKey, Store, StoreError, StoreFacts};
use serde_json::json;
use tower::ServiceExt as _;

use crate::room::{Room, asking};

async fn at(room: &Room) -> u64 {
    room.ani().get("/v1/rooms/main/changes").await.json()["change_seq"].as_u64().unwrap()
}

#[tokio::test]
async fn news_comes_at_once_where_the_number_differs() {
    let room = Room::new();
    let ani = room.ani();
    ani.propose("a.md", "x").await;
    let now = at(&room).await;
    assert!(now > 0);
    for after in [0, now - 1, now + 1, 9_007_199_254_740_992] {
        let answer = ani.get(&format!("/v1/rooms/main/changes?after={after}")).await;
        assert_eq!(answer.json(), json!({ "change_seq": now }), "{after}");
    }
}

#[tokio::test]
async fn a_commit_wakes_the_waiting() {
    let room = Room::new();
    let (ani, now) = (room.ani(), at(&room).await);
    let waiting = {
        let ani = ani.clone();
        tokio::spawn(async move { ani.get(&format!("/v1/rooms/main/changes?after={now}")).await })
    };
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    ani.propose("a.md", "x").await;
    let told = waiting.await.unwrap().json();
    assert!(told["change_seq"].as_u64().unwrap() > now, "{told}");
}

#[tokio::test(start_paused = true)]
async fn without_news_the_number_comes_after_25_seconds() {
    let room = Room::new();
    let now = at(&room).await;
    let store = Counting::beneath(&room);
    let client = Room::beneath(Arc::<Counting>::clone(&store));
    let waiting =
        tokio::spawn(async move { client.get(&format!("/v1/rooms/main/changes?after={now}")).await });
    let waits = || store.waits.load(Ordering::SeqCst);
    until(|| waits() >= 2).await;
    // The paused clock moves only here; each wait of the store ends by its own.
    tokio::time::advance(Duration::from_secs(24)).await;
    let before = waits();
    until(|| waits() > before).await;
    assert!(!waiting.is_finished());
    tokio::time::advance(Duration::from_secs(1)).await;
    until(|| waiting.is_finished()).await;
    assert_eq!(waiting.await.unwrap().json(), json!({ "change_seq": now }));
}

#[tokio::test]
async fn only_people_of_the_room_are_told() {
    let room = Room::new();
    let answer = room.acting("Joko").get("/v1/rooms/main/changes?after=0").await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (403, "actor.unknown"));
}

/// Counts who waits in the store.
struct Counting {
    inner: Arc<dyn Store>,
    waiting: AtomicU64,
    waits: AtomicU64,
}

impl Counting {
    fn beneath(room: &Room) -> Arc<Self> {
        let inner: Arc<dyn Store> = Arc::<sekali_store_sqlite::SqliteStore>::clone(&room.store);
        Arc::new(Self { inner, waiting: AtomicU64::new(0), waits: AtomicU64::new(0) })
    }
}

impl Store for Counting {
    fn facts(&self) -> Result<StoreFacts, StoreError> {
        self.inner.facts()
    }
    fn read(&self, job: &mut dyn FnMut(&dyn Read) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.inner.read(job)
    }
    fn write(&self, job: Arc<Job>) -> Result<(), StoreError> {
        self.inner.write(job)
    }
    fn wait_for_change(&self, room: RoomKey, after: u64, timeout: Duration) -> Result<u64, StoreError> {
        assert!(timeout <= Duration::from_secs(1), "a thread must come back within a second");
        self.waits.fetch_add(1, Ordering::SeqCst);
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let answer = self.inner.wait_for_change(room, after, timeout);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        answer
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_goes_away_frees_their_thread() {
    let room = Room::new();
    let now = at(&room).await;
    let store = Counting::beneath(&room);
    let client = Room::beneath(Arc::<Counting>::clone(&store));
    let tasks: Vec<_> = (0..4)
        .map(|_| {
            let request = asking(Method::GET, &format!("/v1/rooms/main/changes?after={now}"));
            tokio::spawn(client.0.clone().oneshot(request.body(Body::empty()).unwrap()))
        })
        .collect();
    // Each has looked once without waiting, and waits now.
    until(|| store.waits.load(Ordering::SeqCst) >= 8 && store.waiting.load(Ordering::SeqCst) == 4).await;
    for task in &tasks {
        task.abort();
    }
    for task in tasks {
        assert!(task.await.is_err_and(|e| e.is_cancelled()));
    }
    until(|| store.waiting.load(Ordering::SeqCst) == 0).await;
    // Whoever waits on would begin again at once.
    let waits = store.waits.load(Ordering::SeqCst);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.waits.load(Ordering::SeqCst), waits, "nobody waits on for them");
}

/// Looks again until it is so; a test that never sees it fails. It sleeps by the thread, because a
/// test's own clock may stand still.
async fn until(so: impl Fn() -> bool) {
    for _ in 0..10_000 {
        if so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
        tokio::task::yield_now().await;
    }
    panic!("it never came to be");
}
