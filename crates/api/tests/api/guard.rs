//! Who may ask: token, `Host`, `Origin` (B-90), and what pages of the desktop may read.

use axum::body::Body;
use axum::http::{HeaderValue, Method, Request};
use sekali_api::Host;
use serde_json::json;

use crate::room::{Answer, Client, HOST, ORIGIN, Room, TOKEN, asking, put};

fn operations() -> Vec<(Method, String)> {
    let described = serde_json::to_value(sekali_api::openapi()).unwrap();
    let mut all = Vec::new();
    for (path, item) in described["paths"].as_object().unwrap() {
        let uri = path.replace("{room}", "main").replace("{n}", "1").replace("{path}", "a.md");
        for (method, name) in [(Method::GET, "get"), (Method::POST, "post"), (Method::PUT, "put")] {
            if item[name].is_object() && path != "/v1/openapi.json" {
                all.push((method, uri.clone()));
            }
        }
    }
    assert_eq!(all.len(), 28);
    all
}

fn denied(answer: &Answer, what: &str) {
    assert_eq!((answer.status.as_u16(), answer.code()), (403, "request.denied".to_owned()), "{what}");
}

#[tokio::test]
async fn no_route_opens_without_the_token() {
    let room = Room::new();
    let ani = room.ani();
    ani.propose("a.md", "x").await;
    let before = room.state();
    let wrong: [&[&str]; 7] = [
        &[],
        &[""],
        &["x"],
        &[&TOKEN[1..]],
        &["token-of-this-launcH"],
        &["token-of-this-launch-"],
        &[TOKEN, TOKEN],
    ];
    for (method, uri) in operations() {
        for tokens in wrong {
            let mut request =
                Request::builder().method(&method).uri(&uri).header("Content-Type", "application/json");
            for token in tokens {
                request = request.header("Sekali-Token", *token);
            }
            let answer = ani.send(request.body(Body::from(r#"{"digest":null}"#)).unwrap()).await;
            denied(&answer, &format!("{method} {uri} {tokens:?}"));
        }
    }
    assert_eq!(room.state(), before);
    let open = ani.send(Request::get("/v1/openapi.json").body(Body::empty()).unwrap()).await;
    assert_eq!(open.status.as_u16(), 200);
    // An address beside it is not open.
    denied(&ani.send(Request::get("/v1/openapi.json/").body(Body::empty()).unwrap()).await, "beside");
}

#[tokio::test]
async fn an_empty_token_opens_nothing() {
    let room = Room::new();
    let client = Client::new(Host { token: String::new(), ..room.host() });
    let request = Request::get("/v1/store").header("Sekali-Token", "").body(Body::empty()).unwrap();
    denied(&client.send(request).await, "empty");
}

/// B-90.
#[tokio::test]
async fn foreign_hosts_and_origins_are_refused() {
    let room = Room::new();
    let socket = Client::new(Host { allowed_hosts: Some(vec![HOST.to_owned()]), ..room.host() });
    let in_process = room.ani();
    socket.send(with(&[("host", HOST)], Method::POST, "/v1/rooms/main/proposals")).await;
    let before = room.state();
    let check = async |client: &Client, headers: &[(&str, &str)], ok: bool| {
        for uri in ["/v1/rooms/main", "/v1/openapi.json", "/v1/nothing"] {
            let answer = client.send(with(headers, Method::GET, uri)).await;
            if ok {
                assert_eq!(
                    answer.status.as_u16(),
                    if uri == "/v1/nothing" { 404 } else { 200 },
                    "{headers:?} {uri}"
                );
            } else {
                denied(&answer, &format!("{headers:?} {uri}"));
            }
        }
        if !ok {
            denied(&client.send(with(headers, Method::POST, "/v1/rooms/main/proposals")).await, "a write");
            assert_eq!(room.state(), before, "{headers:?}");
        }
    };
    check(&socket, &[("host", HOST)], true).await;
    check(&socket, &[("host", HOST), ("origin", ORIGIN)], true).await;
    check(&socket, &[], false).await;
    check(&socket, &[("host", "")], false).await;
    check(&socket, &[("host", "evil.example")], false).await;
    check(&socket, &[("host", "evil.example:7357")], false).await;
    check(&socket, &[("host", "127.0.0.1")], false).await;
    check(&socket, &[("host", "127.0.0.1:7358")], false).await;
    check(&socket, &[("host", "127.0.0.1:7357.evil.example")], false).await;
    check(&socket, &[("host", HOST), ("host", HOST)], false).await;
    check(&socket, &[("host", HOST), ("host", "evil.example")], false).await;
    check(&in_process, &[], true).await;
    check(&in_process, &[("host", "anything")], true).await;
    for origin in [
        "null",
        "",
        "http://evil.example",
        "tauri://localhost.evil.example",
        "tauri://localhost:80",
        "TAURI://LOCALHOST",
        "tauri://localhost, http://evil.example",
        "*",
    ] {
        check(&in_process, &[("origin", origin)], false).await;
        check(&socket, &[("host", HOST), ("origin", origin)], false).await;
    }
    check(&in_process, &[("origin", ORIGIN)], true).await;
    check(&in_process, &[("origin", ORIGIN), ("origin", ORIGIN)], false).await;
}

#[tokio::test]
async fn the_name_in_an_absolute_address_counts_too() {
    let room = Room::new();
    let socket = Client::new(Host { allowed_hosts: Some(vec![HOST.to_owned()]), ..room.host() });
    let check = async |uri: &str, host: Option<&str>, ok: bool| {
        let mut request = asking(Method::GET, uri);
        if let Some(host) = host {
            request = request.header("Host", host);
        }
        let answer = socket.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status.is_success(), ok, "{uri} {host:?}");
    };
    check(&format!("http://{HOST}/v1/store"), None, true).await;
    check(&format!("http://{HOST}/v1/store"), Some(HOST), true).await;
    check("http://evil.example/v1/store", Some(HOST), false).await;
    check(&format!("http://{HOST}/v1/store"), Some("evil.example"), false).await;
}

fn with(headers: &[(&str, &str)], method: Method, uri: &str) -> Request<Body> {
    let mut request = asking(method, uri).header("Content-Type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, HeaderValue::from_str(value).unwrap());
    }
    request.body(Body::from(put("a.md", "x").to_string())).unwrap()
}

#[tokio::test]
async fn pages_of_the_desktop_may_ask_and_read() {
    let room = Room::new();
    let ani = room.ani();
    let preflight = |origin: &str| {
        Request::builder()
            .method(Method::OPTIONS)
            .uri("/v1/rooms/main/proposals/1/apply")
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type,sekali-token")
            .body(Body::empty())
            .unwrap()
    };
    let may = ani.send(preflight(ORIGIN)).await;
    assert_eq!(may.status.as_u16(), 200);
    assert_eq!(may.headers.get("access-control-allow-origin").unwrap(), ORIGIN);
    let allowed = may.headers.get("access-control-allow-headers").unwrap().to_str().unwrap();
    assert!(allowed.contains("sekali-token") && allowed.contains("content-type"), "{allowed}");
    assert!(may.headers.get("access-control-allow-credentials").is_none());
    let may_not = ani.send(preflight("http://evil.example")).await;
    denied(&may_not, "preflight");
    assert!(may_not.headers.get("access-control-allow-origin").is_none());
    // What went well, and what did not, can be read by the page that asked.
    for uri in ["/v1/store", "/v1/nothing", "/v1/rooms/main/proposals/7"] {
        let request = asking(Method::GET, uri).header("Origin", ORIGIN).body(Body::empty()).unwrap();
        let answer = ani.send(request).await;
        assert_eq!(answer.headers.get("access-control-allow-origin").unwrap(), ORIGIN, "{uri}");
        let exposed = answer.headers.get("access-control-expose-headers").unwrap().to_str().unwrap();
        assert!(exposed.contains("sekali-replayed"), "{exposed}");
    }
    let request = Request::get("/v1/store").header("Origin", ORIGIN).body(Body::empty()).unwrap();
    let untokened = ani.send(request).await;
    denied(&untokened, "no token");
    assert_eq!(untokened.headers.get("access-control-allow-origin").unwrap(), ORIGIN);
}

#[tokio::test]
async fn a_form_is_not_a_write() {
    let room = Room::new();
    let ani = room.ani();
    let (number, digest) = ani.propose("a.md", "x").await;
    let before = room.state();
    let kinds = [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/json; charset=utf-16"),
        Some("text/plain; application/json"),
    ];
    for (method, uri) in operations().into_iter().filter(|(method, _)| method != Method::GET) {
        for kind in kinds {
            let mut request = asking(method.clone(), &uri);
            if let Some(kind) = kind {
                request = request.header("Content-Type", kind);
            }
            let body = Body::from(json!({ "digest": digest }).to_string());
            denied(&ani.send(request.body(body).unwrap()).await, &format!("{method} {uri} {kind:?}"));
        }
    }
    assert_eq!(room.state(), before);
    assert_eq!(ani.apply(number, &digest).await.status.as_u16(), 201);
}

#[tokio::test]
async fn no_request_says_who_its_actor_is() {
    let room = Room::new();
    let reviewer = room.acting("Rini");
    let (number, digest) = room.ani().propose("a.md", "x").await;
    let uri = format!("/v1/rooms/main/proposals/{number}/apply");
    let request = asking(Method::POST, &uri)
        .header("Content-Type", "application/json")
        .header("Sekali-Actor", "Ani")
        .header("Authorization", "Basic QW5pOg==")
        .body(Body::from(json!({ "digest": digest }).to_string()))
        .unwrap();
    assert_eq!(reviewer.send(request).await.code(), "actor.denied");
    let named = reviewer.post(&uri, &json!({ "digest": digest, "actor": "Ani" })).await;
    assert_eq!((named.code().as_str(), &named.json()["field"]), ("body.invalid", &json!("actor")));
    let asked = reviewer.post(&format!("{uri}?as=Ani"), &json!({ "digest": digest })).await;
    assert_eq!((asked.code().as_str(), &asked.json()["field"]), ("body.invalid", &json!("as")));
}

#[tokio::test]
async fn hints_speak_the_callers_language() {
    let room = Room::new();
    let check = async |client: Client, header: Option<&str>, start: &str| {
        let mut request = asking(Method::GET, "/v1/rooms/main/proposals/9");
        if let Some(header) = header {
            request = request.header("Accept-Language", header);
        }
        let problem = client.send(request.body(Body::empty()).unwrap()).await.json();
        assert!(problem["hint"].as_str().unwrap().starts_with(start), "{header:?} {problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with("There is no proposal"), "{problem}");
    };
    check(room.ani(), None, "List the").await;
    check(room.ani(), Some("id-ID,id;q=0.9,en;q=0.8"), "Lihat daftar").await;
    check(room.ani(), Some("fr"), "List the").await;
    let indonesian = Client::new(Host { lang: sekali_core::Lang::Id, ..room.host() });
    check(indonesian.clone(), None, "Lihat daftar").await;
    check(indonesian, Some("en"), "List the").await;
}
