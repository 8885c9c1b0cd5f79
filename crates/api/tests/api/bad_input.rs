//! Bad input costs nothing (P8): each refusal is a problem that names what is wrong, nothing is
//! stored, and the process stays up.

use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

use crate::room::{Room, asking, put};

#[tokio::test]
async fn addresses_that_lead_nowhere() {
    let room = Room::new();
    let ani = room.ani();
    let (number, digest) = ani.propose("a.md", "x").await;
    ani.apply(number, &digest).await;
    let check = async |uri: &str, status: u16, code: &str, field: Option<&str>| {
        let answer = ani.get(uri).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{uri}");
        assert_eq!(answer.json()["field"].as_str(), field, "{uri}");
    };
    let nowhere = async |uri: &str| check(uri, 404, "request.not_found", None).await;
    for uri in [
        "/",
        "/v1",
        "/v1/",
        "/v2/store",
        "/v1/store/",
        "/v1/rooms/",
        "/v1/rooms/main/",
        "/v1/rooms/main/nothing",
    ] {
        nowhere(uri).await;
    }
    for uri in
        ["/v1//store", "//v1/store", "/v1/rooms/main/proposals/1/2", "/v1/rooms/main/documents/", "/V1/store"]
    {
        nowhere(uri).await;
    }
    for uri in ["/v1/%", "/v1/%zz", "/v1/rooms/%ff", "/v1/rooms/%C3%28/members"] {
        nowhere(uri).await;
    }
    for name in [
        "nothing",
        "..",
        "%00",
        "main%20",
        "MAIN",
        "%2e%2e%2fmain",
        "%F0%9F%98%80",
        "ma%69n%0a",
        "'%20OR%201=1--",
    ] {
        check(&format!("/v1/rooms/{name}"), 404, "room.not_found", None).await;
        check(&format!("/v1/rooms/{name}/proposals/1"), 404, "room.not_found", None).await;
    }
    check(&format!("/v1/rooms/{}", "a".repeat(20_000)), 404, "room.not_found", None).await;
    for number in ["0", "2", "-1", "+1", "01", "1.0", "1e0", "0x1", "abc", "%31%20", "9007199254740992"] {
        check(&format!("/v1/rooms/main/proposals/{number}"), 404, "proposal.not_found", None).await;
    }
    for number in ["9007199254740993", "9223372036854775808", "18446744073709551615", "18446744073709551616"]
    {
        check(&format!("/v1/rooms/main/proposals/{number}"), 404, "proposal.not_found", None).await;
        check(&format!("/v1/rooms/main/proposals/{number}/diff"), 404, "proposal.not_found", None).await;
    }
    // An escape is the letter it stands for.
    assert_eq!(ani.get("/v1/rooms/m%61in/proposals/%31").await.status.as_u16(), 200);
}

#[tokio::test]
async fn paths_that_no_document_can_have() {
    let room = Room::new();
    let ani = room.ani();
    let (number, digest) = ani.propose("dir/a.md", "x").await;
    ani.apply(number, &digest).await;
    let check = async |path: &str, status: u16, code: &str| {
        for list in ["documents", "versions"] {
            let answer = ani.get(&format!("/v1/rooms/main/{list}/{path}")).await;
            assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{list} {path}");
            if status != 200 {
                assert_eq!(answer.json()["field"], "path", "{list} {path}");
            }
        }
    };
    for path in [
        "..",
        "../x",
        "dir/../dir/a.md",
        "./dir/a.md",
        "%2e%2e/x",
        "..%2fx",
        "%2fetc/passwd",
        "/etc/passwd",
        "dir//a.md",
        "dir/a.md/",
        "dir%5Ca.md",
        "C:%5Cx",
        "a%3Ab",
        "%00",
        "a%00.md",
        "a%0Ab",
        "%E2%80%AEtxt",
        "CON",
        "nul.txt",
        ".git/config",
        "GIT~1/x",
        "%20a",
        "a%20",
        "a.",
        "%7F",
    ] {
        check(path, 400, "path.invalid").await;
    }
    for path in ["%ff", "a%C3%28", "%", "%4", "%zz", "a%ED%A0%80b", "dir/%FE.md"] {
        check(path, 400, "path.invalid").await;
    }
    check(&"a".repeat(256), 400, "limit.exceeded").await;
    check(&vec!["a"; 513].join("/"), 400, "limit.exceeded").await;
    for path in ["dir", "b.md", "~", "dir/a.md%3F", "caf%C3%A9", "..a", "%25ff"] {
        check(path, 404, "document.not_found").await;
    }
    check("dir/a.md", 200, "").await;
    check("dir%2Fa.md", 200, "").await;
    check("DIR/A.MD", 200, "").await;
    let gone = ani.get("/v1/rooms/main/documents/dir/a.md?version=9.0").await;
    assert_eq!((gone.status.as_u16(), gone.code().as_str()), (404, "document.not_found"));
}

#[tokio::test]
async fn queries_that_ask_for_what_is_not_there() {
    let room = Room::new();
    let ani = room.ani();
    ani.propose("a.md", "x").await;
    let check = async |uri: &str, code: &str, field: Option<&str>| {
        let answer = ani.get(&format!("/v1/rooms/main/{uri}")).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, code), "{uri}");
        assert_eq!(answer.json()["field"].as_str(), field, "{uri}");
    };
    for list in ["proposals", "documents", "duplicates"] {
        for cursor in ["x", "", "%00", "MQ", "AAAA", "MSBvdGhlciB4", "%F0%9F%98%80"] {
            check(&format!("{list}?cursor={cursor}"), "body.invalid", Some("cursor")).await;
        }
        check(&format!("{list}?limit=0"), "body.invalid", Some("limit")).await;
        check(&format!("{list}?limit=-1"), "body.invalid", Some("limit")).await;
        check(&format!("{list}?limit=ten"), "body.invalid", Some("limit")).await;
        check(&format!("{list}?limit=201"), "limit.exceeded", Some("limit")).await;
        check(&format!("{list}?limit=99999999999999999999"), "body.invalid", Some("limit")).await;
        check(&format!("{list}?limit=1&limit=1"), "body.invalid", Some("limit")).await;
        check(&format!("{list}?Limit=1"), "body.invalid", Some("Limit")).await;
        check(&format!("{list}?offset=1"), "body.invalid", Some("offset")).await;
        check(&format!("{list}?limit=%ff"), "body.invalid", None).await;
        assert_eq!(ani.get(&format!("/v1/rooms/main/{list}?limit=200")).await.status.as_u16(), 200);
    }
    let state = ani.get("/v1/rooms/main/proposals?state=open").await.json();
    assert_eq!(state["expected"], json!(["waiting", "applied", "rejected", "withdrawn", "expired"]));
    check("proposals?state=", "body.invalid", Some("state")).await;
    check("proposals?state=Waiting", "body.invalid", Some("state")).await;
    check("proposals/1/diff?revision=x", "body.invalid", Some("revision")).await;
    check("proposals/1/diff?revision=4294967296", "limit.exceeded", Some("revision")).await;
    check("proposals/1?revision=1", "body.invalid", Some("revision")).await;
    check("documents/a.md?version=1", "body.invalid", Some("version")).await;
    check("documents/a.md?version=1.0.0", "body.invalid", Some("version")).await;
    check("documents/a.md?version=-1.0", "body.invalid", Some("version")).await;
    check("documents/a.md?version=9007199254740993.0", "body.invalid", Some("version")).await;
    check("ledger?limit=1001", "limit.exceeded", Some("limit")).await;
    check("ledger?after=-1", "body.invalid", Some("after")).await;
    check("ledger?after=9007199254740993", "limit.exceeded", Some("after")).await;
    check("changes?after=x", "body.invalid", Some("after")).await;
    check("changes?since=1", "body.invalid", Some("since")).await;
    check("members?x", "body.invalid", Some("x")).await;
    let revision = ani.get("/v1/rooms/main/proposals/1/diff?revision=2").await;
    assert_eq!((revision.status.as_u16(), revision.code().as_str()), (404, "proposal.not_found"));
    let edge = ani.get("/v1/rooms/main/ledger?after=9007199254740992&limit=1000").await;
    assert_eq!((edge.status.as_u16(), edge.json()["items"].clone()), (200, json!([])));
    // A cursor of one list does not open another.
    ani.propose("b.md", "x").await;
    let next = ani.get("/v1/rooms/main/proposals?limit=1").await.json()["next"].as_str().unwrap().to_owned();
    check(&format!("documents?cursor={next}"), "body.invalid", Some("cursor")).await;
}

#[tokio::test]
async fn methods_that_are_not_answered() {
    let room = Room::new();
    let ani = room.ani();
    let before = room.state();
    let check = async |method: Method, uri: &str, allow: &[&str]| {
        let answer = ani.write(method.clone(), uri, "{}").await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (405, "request.not_found"),
            "{method} {uri}"
        );
        let given = answer.headers.get("allow").unwrap().to_str().unwrap();
        let mut given: Vec<&str> = given.split(',').map(str::trim).collect();
        given.sort_unstable();
        assert_eq!(given, allow, "{method} {uri}");
    };
    check(Method::DELETE, "/v1/rooms", &["GET", "HEAD", "POST"]).await;
    check(Method::POST, "/v1/store", &["GET", "HEAD"]).await;
    check(Method::PATCH, "/v1/rooms/main/members", &["GET", "HEAD", "POST", "PUT"]).await;
    check(Method::GET, "/v1/rooms/main/proposals/1/apply", &["POST"]).await;
    check(Method::PUT, "/v1/rooms/main/proposals/1/apply", &["POST"]).await;
    check(Method::PUT, "/v1/rooms/main/documents/a.md", &["GET", "HEAD"]).await;
    check(Method::from_bytes(b"BREW").unwrap(), "/v1/rooms", &["GET", "HEAD", "POST"]).await;
    check(Method::TRACE, "/v1/rooms", &["GET", "HEAD", "POST"]).await;
    assert_eq!(room.state(), before);
}

#[tokio::test]
async fn bodies_that_are_json_but_not_what_is_asked_for() {
    let room = Room::new();
    let ani = room.ani();
    ani.propose("a.md", "x").await;
    let before = room.state();
    let check = async |uri: &str, body: &str, code: &str, field: Option<&str>| {
        let answer = ani.write(Method::POST, uri, body.to_owned()).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, code), "{uri} {body} {answer:?}");
        assert_eq!(answer.json()["field"].as_str(), field, "{uri} {body}");
        assert_eq!(room.state(), before, "{uri} {body}");
    };
    let at = |what: &str| format!("/v1/rooms/main/proposals/1/{what}");
    let (rooms, members, submit) = ("/v1/rooms", "/v1/rooms/main/members", "/v1/rooms/main/proposals");
    for uri in [
        rooms,
        members,
        submit,
        &at("apply"),
        &at("reject"),
        &at("reopen"),
        &at("withdraw"),
        &at("revisions"),
    ] {
        for body in ["null", "7", "\"x\"", "[]", "true"] {
            check(uri, body, "body.invalid", None).await;
        }
        for body in ["", " ", "{", "{}x", "{\"a\":1,}", "{'a':1}", "\u{feff}{}", "{\"digest\":01}"] {
            check(uri, body, "body.invalid_json", None).await;
        }
        for body in ["{\"a\":1,\"a\":1}", "{\"a\":9007199254740993}", "[1e400]"] {
            check(uri, body, "body.invalid", None).await;
        }
    }
    check(rooms, "{}", "body.invalid", Some("slug")).await;
    check(rooms, r#"{"slug":"x"}"#, "body.invalid", Some("title")).await;
    check(rooms, r#"{"slug":7,"title":"T"}"#, "body.invalid", Some("slug")).await;
    check(rooms, r#"{"slug":"x","title":"T","id":"1"}"#, "body.invalid", Some("id")).await;
    check(rooms, r#"{"slug":"X","title":"T"}"#, "room.invalid", Some("slug")).await;
    check(rooms, r#"{"slug":"x","title":""}"#, "proposal.invalid", Some("title")).await;
    check(members, r#"{"name":"Sari","role":"owner"}"#, "body.invalid", Some("role")).await;
    check(members, r#"{"name":"Sari"}"#, "member.invalid", Some("role")).await;
    check(members, r#"{"name":"agent:x","role":"member"}"#, "member.invalid", Some("role")).await;
    check(members, r#"{"name":"","role":"member"}"#, "member.invalid", Some("name")).await;
    check(&at("apply"), "{}", "body.invalid", Some("digest")).await;
    check(&at("apply"), r#"{"digest":7}"#, "body.invalid", Some("digest")).await;
    check(&at("apply"), r#"{"digest":""}"#, "body.invalid", Some("digest")).await;
    check(&at("apply"), r#"{"digest":"none"}"#, "body.invalid", Some("digest")).await;
    let upper = format!(r#"{{"digest":"sha256:{}"}}"#, "A".repeat(64));
    check(&at("apply"), &upper, "body.invalid", Some("digest")).await;
    check(&at("reject"), r#"{"digest":null}"#, "body.invalid", Some("reason")).await;
    check(&at("reject"), r#"{"reason":"r"}"#, "body.invalid", Some("digest")).await;
    check(&at("reject"), r#"{"reason":" ","digest":null}"#, "proposal.invalid", Some("reason")).await;
    check(&at("withdraw"), r#"{"reason":7}"#, "body.invalid", Some("reason")).await;
    check(&at("reopen"), r#"{"why":"x"}"#, "body.invalid", Some("why")).await;
    let mut file = put("b.md", "x");
    file["changes"][0]["file"] = json!("/etc/passwd");
    check(submit, &file.to_string(), "body.invalid", Some("changes[0].file")).await;
    let mut keyed = put("a.md", "y");
    keyed["key"] = json!("k");
    check(&at("revisions"), &keyed.to_string(), "proposal.invalid", Some("key")).await;
    let digest = format!("{}?digest=x", at("revisions"));
    check(&digest, &put("a.md", "y").to_string(), "body.invalid", Some("digest")).await;
}

#[tokio::test]
async fn bytes_that_are_no_text() {
    let room = Room::new();
    let ani = room.ani();
    let before = room.state();
    let bodies: [&[u8]; 5] =
        [b"\xff", b"{\"a\":\"\xc3\x28\"}", b"\xef\xbb\xbf{}", b"\0", b"{\"a\":\"\xed\xa0\x80\"}"];
    for body in bodies {
        for uri in ["/v1/rooms/main/proposals", "/v1/rooms"] {
            let answer = ani.write(Method::POST, uri, body.to_vec()).await;
            assert_eq!(
                (answer.status.as_u16(), answer.code().as_str()),
                (400, "body.invalid_json"),
                "{body:?}"
            );
        }
    }
    assert_eq!(room.state(), before);
}

/// Texts that broke other programs come back as they were, or are refused by name.
#[tokio::test]
async fn naughty_strings_come_back_or_are_refused() {
    let Some(corpora) = sekali_tests::corpora() else { return };
    let room = Room::new();
    let ani = room.ani();
    let folder = corpora.join("naughty-strings");
    let list = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| std::fs::read(entry.unwrap().path()).ok())
        .find_map(|bytes| serde_json::from_slice::<Vec<String>>(&bytes).ok())
        .expect("a list of strings");
    assert!(list.len() > 200, "{}", list.len());
    let (mut came_back, mut refused) = (0, 0);
    for (n, text) in list.iter().enumerate() {
        let mut body = put(&format!("n/{n}.txt"), text);
        body["title"] = json!(text);
        body["why"] = json!(text);
        let answer = ani.post("/v1/rooms/main/proposals", &body).await;
        if answer.status.as_u16() == 400 {
            assert!(
                ["title", "why"].contains(&answer.json()["field"].as_str().unwrap()),
                "{text:?} {answer:?}"
            );
            refused += 1;
            continue;
        }
        assert_eq!(answer.status.as_u16(), 201, "{text:?} {answer:?}");
        let proposed = answer.json();
        let shown = ani.get(&format!("/v1/rooms/main/proposals/{}", proposed["proposal"])).await.json();
        assert_eq!((&shown["title"], &shown["why"]), (&json!(text), &json!(text)));
        let number = proposed["proposal"].as_u64().unwrap();
        let applied = ani.apply(number, proposed["digest"].as_str().unwrap()).await;
        assert_eq!(applied.status.as_u16(), 201, "{text:?} {applied:?}");
        assert_eq!(ani.get(&format!("/v1/rooms/main/documents/n/{n}.txt")).await.body, text.as_bytes());
        came_back += 1;
    }
    assert!(came_back > 200 && refused < 40, "{came_back} {refused}");
}

/// What others sent as a whole request is only bytes here.
#[tokio::test]
async fn headers_that_cannot_be_read() {
    let room = Room::new();
    let ani = room.ani();
    for name in ["Sekali-Token", "Origin", "Accept-Language", "Content-Type"] {
        let request = asking(Method::POST, "/v1/rooms")
            .header(name, axum::http::HeaderValue::from_bytes(b"\xff\xfe").unwrap())
            .body(Body::from("{}"))
            .unwrap();
        let answer = ani.send(request).await;
        assert!(answer.status.is_client_error(), "{name}");
    }
    let none: Value = room.state();
    assert_eq!(none.as_array().unwrap().len(), 1);
}
