//! A room to test in, and a client that holds every answer to what all answers must be.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use sekali_api::{Host, router};
use sekali_core::text::ActorName;
use sekali_core::{Code, Door, Lang, Role, Timestamp};
use sekali_engine::{Caller, Engine};
use sekali_store::{Clock, Store, SystemClock};
use sekali_store_sqlite::{Options, SqliteStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;

pub(crate) const TOKEN: &str = "token-of-this-launch";
pub(crate) const ORIGIN: &str = "tauri://localhost";
pub(crate) const HOST: &str = "127.0.0.1:7357";

/// The system's clock, put forward by a test.
#[derive(Default)]
pub(crate) struct Ahead(AtomicI64);

impl Ahead {
    pub(crate) fn by_ms(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for Ahead {
    fn wall(&self) -> Timestamp {
        Timestamp::from_ms(SystemClock.wall().ms() + self.0.load(Ordering::SeqCst))
    }
}

/// A store with the room `main`: Ani maintains it, Budi is a member, Rini a reviewer, and an agent
/// drafts.
pub(crate) struct Room {
    _dir: TempDir,
    pub(crate) clock: Arc<Ahead>,
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) engine: Engine,
}

impl Room {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(Ahead::default());
        let options = Options { clock: Arc::<Ahead>::clone(&clock), ..Options::default() };
        let store = Arc::new(SqliteStore::create(&dir.path().join("sekali.db"), options).unwrap());
        let engine = Engine::new(Arc::<SqliteStore>::clone(&store));
        let room = Self { _dir: dir, clock, store, engine };
        let ani = caller("Ani");
        room.engine.create_room(&ani, "main", "Toko Mekar").unwrap();
        for (name, role) in
            [("Budi", Some(Role::Member)), ("Rini", Some(Role::Reviewer)), ("agent:drafting", None)]
        {
            room.engine.add_member(&ani, "main", name, role).unwrap();
        }
        room
    }

    /// A client of this store that acts under a name.
    pub(crate) fn acting(&self, name: &str) -> Client {
        Client::new(Host { caller: caller(name), ..self.host() })
    }

    pub(crate) fn ani(&self) -> Client {
        self.acting("Ani")
    }

    pub(crate) fn host(&self) -> Host {
        host(self.engine.clone())
    }

    /// The store under another one that misbehaves.
    pub(crate) fn beneath(store: Arc<dyn Store>) -> Client {
        Client::new(host(Engine::new(store)))
    }

    /// Everything that a request which is refused must leave alone.
    pub(crate) fn state(&self) -> Value {
        let rooms: Vec<Value> = self
            .engine
            .rooms()
            .unwrap()
            .iter()
            .map(|room| {
                let view = self.engine.view_room(&caller("Ani"), &room.slug).unwrap();
                let actors = self.engine.members(&caller("Ani"), &room.slug).map_or(0, |a| a.len());
                json!([
                    room.slug,
                    view.head.change_seq,
                    view.head.size,
                    format!("{:?}", view.head.counts),
                    actors
                ])
            })
            .collect();
        Value::Array(rooms)
    }
}

fn host(engine: Engine) -> Host {
    Host {
        engine,
        caller: caller("Ani"),
        token: TOKEN.to_owned(),
        lang: Lang::En,
        allowed_origins: vec![ORIGIN.to_owned()],
        allowed_hosts: None,
    }
}

pub(crate) fn caller(name: &str) -> Caller {
    Caller { name: ActorName::parse("as", name).unwrap(), door: Door::Http, os_user: Some("ani".to_owned()) }
}

/// Calls a router without a socket.
#[derive(Clone)]
pub(crate) struct Client(pub(crate) Router);

/// An answer that has passed what every answer must.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    pub(crate) fn code(&self) -> String {
        if self.status.is_success() {
            String::new()
        } else {
            self.json()["code"].as_str().unwrap().to_owned()
        }
    }

    pub(crate) fn replayed(&self) -> bool {
        self.headers.get("sekali-replayed").is_some_and(|v| v == "true")
    }
}

impl Client {
    pub(crate) fn new(host: Host) -> Self {
        Self(router(Arc::new(host)))
    }

    pub(crate) async fn get(&self, uri: &str) -> Answer {
        self.send(asking(Method::GET, uri).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, uri: &str, body: &Value) -> Answer {
        self.write(Method::POST, uri, body.to_string()).await
    }

    pub(crate) async fn write(&self, method: Method, uri: &str, body: impl Into<Body>) -> Answer {
        let request = asking(method, uri).header("Content-Type", "application/json");
        self.send(request.body(body.into()).unwrap()).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let what = format!("{} {}", request.method(), request.uri());
        let head = request.method() == Method::HEAD;
        let response = self.0.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        let answer = Answer { status: parts.status, headers: parts.headers, body };
        answer.holds(&what, head);
        answer
    }

    /// Submits a proposal that puts text at a path; its number and digest.
    pub(crate) async fn propose(&self, path: &str, content: &str) -> (u64, String) {
        let answer = self.post("/v1/rooms/main/proposals", &put(path, content)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
        let proposed = answer.json();
        (proposed["proposal"].as_u64().unwrap(), proposed["digest"].as_str().unwrap().to_owned())
    }

    pub(crate) async fn apply(&self, number: u64, digest: &str) -> Answer {
        self.post(&format!("/v1/rooms/main/proposals/{number}/apply"), &json!({ "digest": digest })).await
    }
}

impl Answer {
    fn holds(&self, what: &str, head: bool) {
        assert_eq!(self.headers.get("cache-control").unwrap(), "no-store", "{what}");
        assert_eq!(self.headers.get("x-content-type-options").unwrap(), "nosniff", "{what}");
        if head {
            assert!(self.body.is_empty(), "{what}");
        }
        if self.status.is_success() {
            return;
        }
        assert_eq!(self.headers.get("content-type").unwrap(), "application/problem+json", "{what}");
        if head {
            return;
        }
        let problem = self.json();
        assert_eq!(problem["type"], "about:blank", "{what}");
        assert_eq!(problem["status"], self.status.as_u16(), "{what}");
        let code = Code::ALL.iter().find(|code| problem["code"] == code.as_str());
        let code = code.unwrap_or_else(|| panic!("{what}: {problem}"));
        assert_eq!(problem["retry"], code.retry().as_str(), "{what}");
        let hint = problem["hint"].as_str().unwrap();
        assert!([code.hint(Lang::En), code.hint(Lang::Id)].contains(&hint), "{what}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(!detail.is_empty(), "{what}");
        if self.status.is_server_error() {
            for inside in ["SELECT", "INSERT", "sqlite", ".rs:", "panicked"] {
                assert!(!detail.contains(inside), "{what}: {detail}");
            }
        }
    }
}

pub(crate) fn asking(method: Method, uri: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(uri).header("Sekali-Token", TOKEN)
}

/// A proposal that puts text at a path.
pub(crate) fn put(path: &str, content: &str) -> Value {
    json!({
        "format": "sekali.proposal/1",
        "title": "A change",
        "changes": [{ "op": "put", "path": path, "text": content }],
    })
}

/// Gives what differs between two runs a name by its first appearance.
#[derive(Default)]
pub(crate) struct Names {
    known: HashMap<String, String>,
    counts: HashMap<&'static str, usize>,
}

impl Names {
    pub(crate) fn settle(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => {
                *text = match kind(text) {
                    Some(kind) => self.name(kind, text),
                    None => without_short_digests(text),
                };
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.settle(item)),
            Value::Object(members) => members.values_mut().for_each(|item| self.settle(item)),
            _ => {}
        }
    }

    fn name(&mut self, kind: &'static str, text: &str) -> String {
        if kind == "time" {
            return "<time>".to_owned();
        }
        let Self { known, counts } = self;
        known
            .entry(text.to_owned())
            .or_insert_with(|| {
                let count = counts.entry(kind).or_default();
                *count += 1;
                format!("<{kind} {count}>")
            })
            .clone()
    }
}

/// A sentence whose digests, of which it has the first twelve digits, have a name.
fn without_short_digests(text: &str) -> String {
    let short = |word: &str| word.starts_with("sha256:") && word.ends_with("….");
    let words = text.split(' ').map(|word| if short(word) { "<short sha256>." } else { word });
    words.collect::<Vec<_>>().join(" ")
}

fn kind(text: &str) -> Option<&'static str> {
    let hex = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let bytes = text.as_bytes();
    if text.len() == 71 && text.starts_with("sha256:") && hex(&text[7..]) {
        return Some("sha256");
    }
    if text.len() == 64 && hex(text) && text.bytes().any(|b| b != b'0') {
        return Some("hash");
    }
    if text.len() == 24 && bytes[10] == b'T' && text.ends_with('Z') && text.parse::<Timestamp>().is_ok() {
        return Some("time");
    }
    if text.len() == 36 && bytes[8] == b'-' && hex(&text.replace('-', "")) {
        return Some("id");
    }
    None
}
