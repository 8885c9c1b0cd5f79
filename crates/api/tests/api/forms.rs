//! Every form of change over HTTP: the rows of the corpora, and rebase, revert and split with what they
//! answer. What is refused leaves the room as it was.

use axum::http::StatusCode;
use sekali_tests::forms::{self, Case, Change, Documents};
use serde_json::{Value, json};

use crate::room::{Client, Room};

const PROPOSALS: &str = "/v1/rooms/main/proposals";

fn submission(changes: &Value) -> Value {
    json!({"format": "sekali.proposal/1", "title": "T", "changes": changes})
}

async fn apply(ani: &Client, proposed: &Value) {
    let (number, digest) = (proposed["proposal"].as_u64().unwrap(), proposed["digest"].as_str().unwrap());
    let answer = ani.apply(number, digest).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
}

async fn holding(files: &Documents) -> (Room, Client) {
    use base64::Engine as _;
    let room = Room::new();
    let ani = room.ani();
    if !files.is_empty() {
        let encoded = |content| base64::engine::general_purpose::STANDARD.encode(content);
        let put = |(path, content)| json!({"op": "put", "path": path, "base64": encoded(content)});
        let changes: Vec<Value> = files.iter().map(put).collect();
        let answer = ani.post(PROPOSALS, &submission(&json!(changes))).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
        apply(&ani, &answer.json()).await;
    }
    (room, ani)
}

async fn documents(ani: &Client) -> Documents {
    let mut found = Documents::new();
    let list = ani.get("/v1/rooms/main/documents?limit=200").await.json();
    for item in list["items"].as_array().unwrap() {
        let path = item["path"].as_str().unwrap();
        let encoded: Vec<String> = path
            .split('/')
            .map(|part| {
                percent_encoding::utf8_percent_encode(part, percent_encoding::NON_ALPHANUMERIC).to_string()
            })
            .collect();
        let answer = ani.get(&format!("/v1/rooms/main/documents/{}", encoded.join("/"))).await;
        assert_eq!(answer.status, StatusCode::OK, "{path} {answer:?}");
        found.insert(path.to_owned(), answer.body);
    }
    found
}

async fn try_out(case: &Case) -> Result<Documents, (String, String)> {
    let (room, ani) = holding(&case.files).await;
    let before = room.state();
    let answer = match &case.change {
        // Its text is what counts, so it is not read and written again here.
        Change::Json { op, path, patch } => {
            let body = format!(
                r#"{{"format":"sekali.proposal/1","title":"T","changes":[{{"op":"{op}","path":"{path}","patch":{patch}}}]}}"#
            );
            ani.write(axum::http::Method::POST, PROPOSALS, body).await
        }
        Change::Patch { .. } => ani.post(PROPOSALS, &submission(&json!([case.change.to_json()]))).await,
    };
    if !answer.status.is_success() {
        assert!(answer.status.is_client_error(), "{}: {answer:?}", case.name);
        assert_eq!(room.state(), before, "{}: a refusal leaves nothing", case.name);
        let problem = answer.json();
        return Err((answer.code(), problem["detail"].as_str().unwrap().to_owned()));
    }
    let proposed = answer.json();
    // The patch that is given makes the same again elsewhere.
    let number = proposed["proposal"].as_u64().unwrap();
    let patch = ani.get(&format!("{PROPOSALS}/{number}/diff?format=patch")).await;
    assert_eq!(patch.headers["content-type"], "text/x-diff; charset=utf-8");
    apply(&ani, &proposed).await;
    let got = documents(&ani).await;
    let (_other, again) = holding(&case.files).await;
    let diff = String::from_utf8(patch.body).unwrap();
    let repeated = again.post(PROPOSALS, &submission(&json!([{"op": "patch", "diff": diff}]))).await;
    assert_eq!(repeated.status, StatusCode::CREATED, "{}: {repeated:?} {diff}", case.name);
    apply(&again, &repeated.json()).await;
    assert_eq!(documents(&again).await, got, "{}", case.name);
    Ok(got)
}

fn base(content: &str) -> String {
    sekali_core::hash::ContentHash::of(content.as_bytes()).to_string()
}

#[tokio::test]
async fn rows_of_the_corpora() {
    let Some(corpora) = sekali_tests::corpora() else { return };
    let mut rows = 0;
    for cases in [
        forms::llm(&corpora),
        forms::compat(&corpora),
        forms::samples(&corpora),
        forms::escapes(&corpora),
        forms::json_patches(&corpora),
        forms::merge_patches(&corpora),
        forms::suite(&corpora),
    ] {
        for case in cases {
            forms::hold(&case, &try_out(&case).await);
            rows += 1;
        }
    }
    assert!(rows > 250, "the corpora have rows: {rows}");
}

async fn put(ani: &Client, path: &str, text: &str) -> Value {
    let answer = ani.post(PROPOSALS, &crate::room::put(path, text)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    answer.json()
}

async fn put_applied(ani: &Client, path: &str, text: &str) -> u64 {
    let proposed = put(ani, path, text).await;
    apply(ani, &proposed).await;
    proposed["proposal"].as_u64().unwrap()
}

#[tokio::test]
async fn rebase_answers_what_it_did_and_what_stands_in_its_way() {
    let room = Room::new();
    let ani = room.ani();
    put_applied(&ani, "a.md", "1\n2\n3\n").await;
    let clean = put(&ani, "a.md", "1\n2\nthree\n").await;
    let clashing = put(&ani, "a.md", "uno\n2\n3\n").await;
    let theirs = put_applied(&ani, "a.md", "one\n2\n3\n").await;
    let at = |proposed: &Value| format!("{PROPOSALS}/{}/rebase", proposed["proposal"]);

    let preview = ani.get(&at(&clean)).await.json();
    assert_eq!((&preview["needed"], &preview["clean"]), (&json!(true), &json!(true)));
    assert_eq!(
        preview["changes"],
        json!([{"path": "a.md", "from": null, "outcome": "merged", "moved_to": null}])
    );
    let answer = ani.post(&at(&clean), &json!({"digest": clean["digest"]})).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    let rebased = answer.json();
    assert_eq!((&rebased["revision"], &rebased["stale"]), (&json!(2), &json!(false)));
    let again = ani.post(&at(&clean), &json!({"digest": null})).await;
    assert_eq!((again.status, &again.json()["created"]), (StatusCode::OK, &json!(false)));
    let late = ani.post(&at(&clean), &json!({"digest": clean["digest"]})).await;
    assert_eq!(late.code(), "proposal.changed", "{late:?}");
    let shown = ani.get(&format!("{PROPOSALS}/{}", clean["proposal"])).await.json();
    assert_eq!(shown["revisions"][1]["rebased_from"], 1);

    let before = room.state();
    let answer = ani.post(&at(&clashing), &json!({"digest": null})).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::CONFLICT, "proposal.conflict".to_owned()));
    assert_eq!(room.state(), before);
    let part = |text: &str| json!({"start": 1, "lines": 1, "text": text, "cut": false});
    let conflict = json!({
        "path": "a.md", "from": null, "kind": "text", "moved_to": null, "now": base("one\n2\n3\n"),
        "detail": "a.md was changed on both sides in the same place.",
        "by": {"proposal": theirs, "seq": 2},
        "regions": [{
            "base": part("1\n"), "now": part("one\n"), "after": part("uno\n"),
            "above": [], "below": ["2", "3"],
        }],
        "places": [],
    });
    assert_eq!(answer.json()["conflicts"], json!([conflict]));
    assert_eq!(ani.get(&at(&clashing)).await.json()["conflicts"], json!([conflict]));
    for (body, field) in [
        (json!({"digest": null, "take": [{"path": "../a", "sides": []}]}), "take[0].path"),
        (json!({"digest": null, "take": [{"path": "b", "sides": ["now"]}]}), "take[0].path"),
        (json!({"digest": null, "take": [{"path": "a.md", "sides": ["mine"]}]}), "take[0].sides[0]"),
        (json!({"digest": null, "took": []}), "took"),
        (json!({}), "digest"),
    ] {
        let answer = ani.post(&at(&clashing), &body).await;
        assert!(answer.status.is_client_error(), "{body}");
        assert_eq!(answer.json()["field"], field, "{body} {answer:?}");
    }
    // What was chosen for what stood there once was not chosen for this.
    let take = |now: &str| {
        let take = json!([{"path": "a.md", "from": null, "now": now, "sides": ["now_after"]}]);
        json!({"digest": clashing["digest"], "take": take})
    };
    for now in ["absent", &base("1\n2\n3\n")] {
        let answer = ani.post(&at(&clashing), &take(now)).await;
        assert_eq!(
            (answer.code(), &answer.json()["conflicts"]),
            ("proposal.conflict".to_owned(), &json!([conflict]))
        );
    }
    let answer = ani.post(&at(&clashing), &take("sha1:no")).await;
    assert_eq!(answer.json()["field"], "take[0].now", "{answer:?}");
    let take = take(&base("one\n2\n3\n"));
    let answer = ani.post(&at(&clashing), &take).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    apply(&ani, &answer.json()).await;
    assert_eq!(documents(&ani).await["a.md"], b"one\nuno\n2\n3\n");
    assert_eq!(room.acting("Rini").post(&at(&clean), &json!({"digest": null})).await.code(), "actor.denied");
}

#[tokio::test]
async fn revert_and_split_answer_with_what_they_made() {
    let room = Room::new();
    let ani = room.ani();
    let one = put_applied(&ani, "a.md", "1\n").await;
    let two = put_applied(&ani, "a.md", "2\n").await;
    let three = put_applied(&ani, "a.md", "3\n").await;
    let at = |number: u64, what: &str| format!("{PROPOSALS}/{number}/{what}");
    let answer = ani.post(&at(two, "revert"), &json!({})).await;
    assert_eq!(answer.code(), "proposal.conflict", "{answer:?}");
    assert_eq!(answer.json()["conflicts"][0]["by"]["proposal"], three);
    let body = json!({"also": [two], "title": "Back", "why": "w", "key": "k"});
    let answer = ani.post(&at(three, "revert"), &body).await;
    assert_eq!((answer.status, answer.replayed()), (StatusCode::CREATED, false));
    let again = ani.post(&at(three, "revert"), &body).await;
    assert_eq!((again.status, again.replayed()), (StatusCode::CREATED, true));
    assert_eq!(again.json()["proposal"], answer.json()["proposal"]);
    let reverted = answer.json()["proposal"].as_u64().unwrap();
    let shown = ani.get(&format!("{PROPOSALS}/{reverted}")).await.json();
    assert_eq!((&shown["links"]["reverts"], &shown["links"]["also_reverts"]), (&json!(three), &json!([two])));
    assert_eq!(ani.get(&format!("{PROPOSALS}/{two}")).await.json()["links"]["revert_waiting"], reverted);
    apply(&ani, &answer.json()).await;
    assert_eq!(documents(&ani).await["a.md"], b"1\n");
    let waiting = put(&ani, "b", "1").await;
    let answer = ani.post(&at(waiting["proposal"].as_u64().unwrap(), "revert"), &json!({})).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::CONFLICT, "proposal.not_applied".to_owned()));
    let answer = ani.post(&at(one, "revert"), &json!({"also": [999]})).await;
    assert_eq!(answer.code(), "proposal.not_found");

    let changes =
        json!([{"op": "put", "path": "c", "text": "c\n"}, {"op": "put", "path": "d", "text": "d\n"}]);
    let whole = ani.post(PROPOSALS, &submission(&changes)).await.json();
    let number = whole["proposal"].as_u64().unwrap();
    let before = room.state();
    for body in [
        json!({"digest": null, "take": []}),
        json!({"digest": null, "take": [{"path": "e"}]}),
        json!({"digest": null, "take": [{"path": "c", "hunks": [1]}]}),
        json!({"digest": null, "take": [{"path": "c"}, {"path": "d"}]}),
    ] {
        let answer = ani.post(&at(number, "split"), &body).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, "proposal.invalid".to_owned()));
    }
    assert_eq!(room.state(), before);
    let body = json!({"digest": whole["digest"], "take": [{"path": "c", "hunks": null}], "title": "Rest"});
    let answer = ani.post(&at(number, "split"), &body).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    let parts = answer.json();
    assert_eq!((&parts["taken"]["proposal"], &parts["taken"]["revision"]), (&json!(number), &json!(2)));
    let rest = parts["rest"]["proposal"].as_u64().unwrap();
    let shown = ani.get(&format!("{PROPOSALS}/{rest}")).await.json();
    assert_eq!((&shown["title"], &shown["links"]["split_from"]), (&json!("Rest"), &json!(number)));
    assert_eq!(ani.get(&format!("{PROPOSALS}/{number}")).await.json()["links"]["split_into"], json!([rest]));
    let late = ani.post(&at(number, "split"), &body).await;
    assert_eq!(late.code(), "proposal.changed");
    apply(&ani, &parts["rest"]).await;
    apply(&ani, &parts["taken"]).await;
    assert_eq!(documents(&ani).await.keys().collect::<Vec<_>>(), ["a.md", "c", "d"]);
}
