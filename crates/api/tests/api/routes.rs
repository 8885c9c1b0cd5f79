//! Every route answers as the contract says, member for member. One test walks all of them, and
//! counts against the description that none is left out.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::room::{Client, Names, Room, asking, put};

/// What was asked and answered, with names for what differs between runs.
struct Tape {
    client: Client,
    schemas: Schemas,
    names: Names,
    text: String,
    asked: BTreeSet<String>,
}

impl Tape {
    async fn ask(&mut self, method: Method, uri: &str, body: Option<Value>) -> Value {
        let request = asking(method.clone(), uri);
        let request = match &body {
            Some(body) => {
                request.header("Content-Type", "application/json").body(Body::from(body.to_string()))
            }
            None => request.body(Body::empty()),
        };
        let answer = self.client.send(request.unwrap()).await;
        self.asked.insert(format!("{method} {}", template(uri)));
        let plain = uri.split_once("digest=").map_or(uri, |(start, _)| start);
        let plain = plain.split_once("cursor=").map_or(plain, |(start, _)| start);
        let _ = writeln!(self.text, "{method} {plain}");
        if let Some(body) = body {
            let mut body = sorted(body);
            self.names.settle(&mut body);
            let _ = writeln!(self.text, "{body}");
        }
        let _ = writeln!(self.text, "-> {}", answer.status.as_u16());
        for name in ["content-type", "content-disposition", "sekali-replayed", "sekali-digest", "sekali-mode"]
        {
            if let Some(value) = answer.headers.get(name).filter(|v| *v != "application/json") {
                let mut value = Value::from(value.to_str().unwrap());
                self.names.settle(&mut value);
                let _ = writeln!(self.text, "{name}: {}", value.as_str().unwrap());
            }
        }
        let raw = answer.headers.get("content-type").is_some_and(|v| v == "application/octet-stream");
        if raw {
            let _ = writeln!(self.text, "{:?}\n", String::from_utf8_lossy(&answer.body));
            return Value::Null;
        }
        let original = answer.json();
        self.schemas.hold(&method, &template(uri), answer.status, &original);
        let mut shown = original.clone();
        if shown["path"].is_string() {
            shown["path"] = "<path of the store>".into();
        }
        if shown["wal_bytes"].is_number() {
            shown["wal_bytes"] = "<bytes>".into();
            shown["sqlite"] = "<version>".into();
        }
        if shown["next"].is_string() {
            shown["next"] = "<cursor>".into();
        }
        let mut shown = sorted(shown);
        self.names.settle(&mut shown);
        let _ = writeln!(self.text, "{}\n", serde_json::to_string_pretty(&shown).unwrap());
        original
    }

    async fn get(&mut self, uri: &str) -> Value {
        self.ask(Method::GET, uri, None).await
    }

    async fn post(&mut self, uri: &str, body: Value) -> Value {
        self.ask(Method::POST, uri, Some(body)).await
    }

    /// Holds what was said since the last time.
    fn hold(&mut self, name: &str) {
        insta::assert_snapshot!(name.to_owned(), std::mem::take(&mut self.text));
    }
}

/// Members in the order of their names: whether `serde_json` keeps another order depends on what
/// else is built with it.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> =
                members.into_iter().map(|(k, v)| (k, sorted(v))).collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// The schemas of the committed description.
struct Schemas(Value);

impl Schemas {
    fn read() -> Self {
        Self(serde_json::from_str(include_str!("../../../../docs/openapi.json")).unwrap())
    }

    /// Holds an answer against what its route says of it.
    fn hold(&self, method: &Method, path: &str, status: StatusCode, answer: &Value) {
        let operation = &self.0["paths"][path][method.as_str().to_lowercase()];
        let said = &operation["responses"][status.as_str()];
        let (response, kind) = match said {
            Value::Null => (&operation["responses"]["default"], "application/problem+json"),
            said => (said, "application/json"),
        };
        let reference = response["content"][kind]["schema"]["$ref"].as_str();
        let reference = reference.unwrap_or_else(|| panic!("{method} {path} {status} is not described"));
        let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
        compiler.enable_format_assertions();
        compiler.add_resource("api.json", self.0.clone()).unwrap();
        let schema = compiler.compile(&format!("api.json{reference}"), &mut schemas).unwrap();
        if let Err(error) = schemas.validate(answer, schema) {
            panic!("{method} {path} {status}: {error:#}");
        }
    }
}

fn template(uri: &str) -> String {
    let path = uri.split('?').next().unwrap();
    let parts: Vec<&str> = path.split('/').collect();
    let mut shown: Vec<&str> = parts.clone();
    if parts.len() > 3 && parts[2] == "rooms" {
        shown[3] = "{room}";
    }
    if parts.len() > 5 {
        match parts[4] {
            "proposals" => shown[5] = "{n}",
            "documents" | "versions" => {
                shown.truncate(5);
                shown.push("{path}");
            }
            _ => {}
        }
    }
    shown.join("/")
}

#[tokio::test]
async fn every_route_answers_as_the_contract_says() {
    let room = Room::new();
    let mut tape = Tape {
        client: room.ani(),
        schemas: Schemas::read(),
        names: Names::default(),
        text: String::new(),
        asked: BTreeSet::new(),
    };
    rooms(&mut tape).await;
    proposals(&mut tape, &room).await;
    decisions(&mut tape).await;
    documents(&mut tape).await;
    ledger(&mut tape).await;
    carried(&mut tape).await;
    talk(&mut tape).await;
    let described = room.ani().get("/v1/openapi.json").await.json();
    let mut all = BTreeSet::new();
    for (path, item) in described["paths"].as_object().unwrap() {
        for method in ["get", "put", "post", "delete", "patch"] {
            if item[method].is_object() && path != "/v1/openapi.json" {
                all.insert(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    assert_eq!(tape.asked, all);
    assert_eq!(all.len(), 28);
}

async fn rooms(tape: &mut Tape) {
    tape.get("/v1/store").await;
    tape.post("/v1/rooms", json!({ "slug": "gudang", "title": "Gudang" })).await;
    let rooms = tape.get("/v1/rooms").await;
    let by_id = format!("/v1/rooms/{}", rooms["items"][0]["id"].as_str().unwrap());
    assert_eq!(tape.client.get(&by_id).await.json(), rooms["items"][0]);
    tape.get("/v1/rooms/main").await;
    tape.post("/v1/rooms/main/members", json!({ "name": "Sari", "role": "member" })).await;
    tape.post("/v1/rooms/main/members", json!({ "name": "agent:stock", "role": null })).await;
    tape.ask(Method::PUT, "/v1/rooms/main/members", Some(json!({ "name": "Sari", "role": "reviewer" })))
        .await;
    tape.get("/v1/rooms/main/members").await;
    tape.hold("rooms");
}

async fn proposals(tape: &mut Tape, room: &Room) {
    let full = json!({
        "format": "sekali.proposal/1", "title": "Naikkan harga kopi", "why": "Pemasok menaikkan harga.\n",
        "key": "harga-48", "effect_keys": ["harga/kopi/48"], "valid_until": null, "correlation": "w48",
        "changes": [
            { "op": "put", "path": "harga.csv", "text": "nama,harga\nkopi,20000\n", "base": "absent" },
            { "op": "put", "path": "alat/cek.sh", "base64": "IyEvYmluL3NoCg==", "mode": "100755" },
            { "op": "put", "path": "logo.png", "base64": "AAEC/w==" },
        ],
    });
    tape.post("/v1/rooms/main/proposals", full.clone()).await;
    tape.post("/v1/rooms/main/proposals", full).await;
    tape.get("/v1/rooms/main/proposals/1").await;
    let digest = tape.get("/v1/rooms/main/proposals/1/diff").await["digest"].as_str().unwrap().to_owned();
    let agent = room.acting("agent:drafting");
    agent.propose("harga.csv", "nama,harga\nteh,9000\n").await;
    agent.propose("harga.csv", "nama,harga\nteh,9000\n").await;
    let mut page = tape.get("/v1/rooms/main/proposals?state=waiting&limit=1").await;
    let mut seen = vec![page["items"][0]["proposal"].as_u64().unwrap()];
    while let Some(cursor) = page["next"].as_str().map(str::to_owned) {
        page = tape
            .client
            .get(&format!("/v1/rooms/main/proposals?state=waiting&limit=1&cursor={cursor}"))
            .await
            .json();
        seen.extend(page["items"].as_array().unwrap().iter().map(|item| item["proposal"].as_u64().unwrap()));
    }
    assert_eq!(seen, [3, 2, 1]);
    let revised = put("harga.csv", "nama,harga\nkopi,25000\n");
    tape.post(&format!("/v1/rooms/main/proposals/1/revisions?digest={digest}"), revised).await;
    tape.get("/v1/rooms/main/proposals/1/diff?revision=1").await;
    tape.hold("proposals");
}

async fn decisions(tape: &mut Tape) {
    let digest = tape.client.get("/v1/rooms/main/proposals/1").await.json()["digest"].clone();
    tape.post("/v1/rooms/main/proposals/1/apply", json!({ "digest": digest })).await;
    tape.post("/v1/rooms/main/proposals/1/apply", json!({ "digest": digest })).await;
    tape.post("/v1/rooms/main/proposals/1/apply", json!({ "digest": null })).await;
    tape.get("/v1/rooms/main/proposals/1").await;
    let other = json!({ "digest": format!("sha256:{}", "0".repeat(64)) });
    tape.post("/v1/rooms/main/proposals/1/apply", other).await;
    tape.get("/v1/rooms/main/proposals/2").await;
    let stale = tape.client.get("/v1/rooms/main/proposals/2").await.json()["digest"].clone();
    tape.post("/v1/rooms/main/proposals/2/apply", json!({ "digest": stale })).await;
    tape.post("/v1/rooms/main/proposals/2/reject", json!({ "reason": "Bukan teh.", "digest": stale })).await;
    tape.post("/v1/rooms/main/proposals/2/reopen", json!({ "reason": null })).await;
    tape.post("/v1/rooms/main/proposals/2/withdraw", json!({ "reason": "Salah berkas" })).await;
    tape.hold("decisions");
}

async fn carried(tape: &mut Tape) {
    tape.get("/v1/rooms/main/proposals/3/rebase").await;
    tape.post("/v1/rooms/main/proposals/3/rebase", json!({ "digest": null })).await;
    let take = json!([{ "path": "harga.csv", "sides": ["after"] }]);
    tape.post("/v1/rooms/main/proposals/3/rebase", json!({ "digest": null, "take": take })).await;
    tape.post("/v1/rooms/main/proposals/3/rebase", json!({ "digest": null })).await;
    tape.post("/v1/rooms/main/proposals/1/revert", json!({ "also": [], "title": "Kembali" })).await;
    let diff = "--- a/harga.csv\n+++ b/harga.csv\n@@ -9,2 +9,2 @@\n nama,harga\n-kopi,25000\n+kopi,26000\n";
    let changes = json!([
        { "op": "patch", "diff": diff },
        { "op": "put", "path": "n.json", "text": "{\"a\": 1.50}\n" },
        { "op": "json_patch", "path": "n.json", "patch": [{ "op": "add", "path": "/b", "value": [2.0] }] },
        { "op": "merge_patch", "path": "n.json", "patch": { "c": null, "d": "x" } },
    ]);
    let forms = json!({ "format": "sekali.proposal/1", "title": "Forms", "changes": changes });
    let number = tape.post("/v1/rooms/main/proposals", forms).await["proposal"].clone();
    tape.get(&format!("/v1/rooms/main/proposals/{number}/diff")).await;
    let split = json!({ "digest": null, "take": [{ "path": "n.json" }] });
    tape.post(&format!("/v1/rooms/main/proposals/{number}/split"), split).await;
    tape.get(&format!("/v1/rooms/main/proposals/{number}")).await;
    tape.hold("carried");
}

async fn talk(tape: &mut Tape) {
    let at = "/v1/rooms/main/proposals/3/comments";
    let line = json!({ "path": "harga.csv", "line": 2 });
    let ask = json!({ "text": "Kenapa 9000?\n\nBukan 9500?", "line": line, "ask": true, "key": "tanya-1" });
    tape.post(at, ask.clone()).await;
    tape.post(at, ask).await;
    tape.get("/v1/rooms/main/proposals/3").await;
    let gone = json!({ "path": "harga.csv", "side": "before", "line": 1 });
    tape.post(at, json!({ "text": "Baris ini?", "line": gone, "revision": 2 })).await;
    tape.post(at, json!({ "text": "Sesuai faktur.", "answers": 1, "key": "tanya-1" })).await;
    tape.post(at, json!({ "text": "Sesuai faktur.", "answers": 9 })).await;
    tape.post(at, json!({ "text": "Sesuai faktur.", "answers": 1 })).await;
    tape.post(at, json!({ "text": "x", "line": { "path": "harga.csv", "line": 99 } })).await;
    let page = tape.get(&format!("{at}?limit=1")).await;
    tape.get(&format!("{at}?limit=2&cursor={}", page["next"].as_str().unwrap())).await;
    tape.get("/v1/rooms/main/proposals?limit=1").await;
    tape.hold("talk");
}

async fn documents(tape: &mut Tape) {
    let change = |changes: Value| json!({ "format": "sekali.proposal/1", "title": "T", "changes": changes });
    let steps = [
        json!([{ "op": "put", "path": "catatan/b c?.md", "text": "satu\n" }]),
        json!([{ "op": "rename", "from": "catatan/b c?.md", "path": "catatan/d.md" }]),
        json!([{ "op": "delete", "path": "catatan/d.md" }]),
    ];
    for step in steps {
        let proposed = tape.client.post("/v1/rooms/main/proposals", &change(step)).await.json();
        let answer = tape
            .client
            .apply(proposed["proposal"].as_u64().unwrap(), proposed["digest"].as_str().unwrap())
            .await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    }
    let sheet = put("data/a.csv", "a\n");
    let proposed = tape.client.post("/v1/rooms/main/proposals", &sheet).await.json();
    tape.client.apply(proposed["proposal"].as_u64().unwrap(), proposed["digest"].as_str().unwrap()).await;
    let mut page = tape.get("/v1/rooms/main/documents?limit=1").await;
    let mut seen = vec![page["items"][0]["path"].clone()];
    while let Some(cursor) = page["next"].as_str().map(str::to_owned) {
        page = tape.client.get(&format!("/v1/rooms/main/documents?limit=1&cursor={cursor}")).await.json();
        seen.extend(page["items"].as_array().unwrap().iter().map(|item| item["path"].clone()));
    }
    assert_eq!(seen, ["data/a.csv", "harga.csv"]);
    tape.get("/v1/rooms/main/documents/harga.csv").await;
    tape.get("/v1/rooms/main/documents/catatan/b%20c%3F.md?version=5.0").await;
    tape.get("/v1/rooms/main/versions/catatan/d.md").await;
    tape.hold("documents");
}

async fn ledger(tape: &mut Tape) {
    let first = tape.get("/v1/rooms/main/ledger?limit=2").await;
    tape.get(&format!("/v1/rooms/main/ledger?after={}&limit=1", first["next"])).await;
    let last = tape
        .client
        .get(&format!("/v1/rooms/main/ledger?after={}", first["size"].as_u64().unwrap() - 1))
        .await;
    assert_eq!(
        (last.json()["items"].as_array().unwrap().len(), last.json()["next"].clone()),
        (1, Value::Null)
    );
    tape.get("/v1/rooms/main/duplicates?limit=1").await;
    tape.get("/v1/rooms/main/changes").await;
    tape.hold("ledger");
}

#[tokio::test]
async fn entries_are_passed_through_as_their_stored_bytes() {
    let room = Room::new();
    let ani = room.ani();
    let (number, digest) = ani.propose("a é \u{1F600} \"q\".md", "x").await;
    ani.apply(number, &digest).await;
    let (_, rows) = room.engine.entries(&crate::room::caller("Ani"), "main", 0, 10).unwrap();
    assert_eq!(rows.len(), 1);
    let answer = ani.get("/v1/rooms/main/ledger").await;
    let bytes = &rows[0].bytes;
    assert!(
        answer.body.windows(bytes.len()).any(|part| part == &bytes[..]),
        "{}",
        String::from_utf8_lossy(&answer.body)
    );
}

#[tokio::test]
async fn head_is_get_without_its_body() {
    let room = Room::new();
    let ani = room.ani();
    let (number, digest) = ani.propose("a.txt", "abc").await;
    ani.apply(number, &digest).await;
    let check = |uri: &'static str, status: u16, length: Option<&'static str>| {
        let ani = ani.clone();
        async move {
            let answer = ani.send(asking(Method::HEAD, uri).body(Body::empty()).unwrap()).await;
            assert_eq!(answer.status.as_u16(), status, "{uri}");
            if let Some(length) = length {
                assert_eq!(answer.headers.get("content-length").unwrap(), length, "{uri}");
            }
        }
    };
    check("/v1/store", 200, None).await;
    check("/v1/rooms/main/documents/a.txt", 200, Some("3")).await;
    check("/v1/rooms/main/documents/b.txt", 404, None).await;
    check("/v1/nothing", 404, None).await;
    check("/v1/rooms/main/proposals/1/apply", 405, None).await;
    assert_eq!(ani.get("/v1/rooms/main/proposals/1").await.json()["duplicates"]["count"], 0);
}

#[tokio::test]
async fn content_comes_back_byte_for_byte_and_never_as_a_page() {
    let room = Room::new();
    let ani = room.ani();
    let page = "<script>alert(1)</script>\r\n\0";
    let (number, digest) = ani.propose("a.html", page).await;
    ani.apply(number, &digest).await;
    let answer = ani.get("/v1/rooms/main/documents/a.html").await;
    assert_eq!(answer.body, page.as_bytes());
    assert_eq!(answer.headers.get("content-type").unwrap(), "application/octet-stream");
    assert_eq!(answer.headers.get("content-disposition").unwrap(), "attachment");
    let items = ani.get("/v1/rooms/main/documents").await.json();
    assert_eq!(items["items"][0]["digest"], answer.headers.get("sekali-digest").unwrap().to_str().unwrap());
}
