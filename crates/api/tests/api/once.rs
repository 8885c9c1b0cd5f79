//! Once: however often, however parallel, by whatever digest.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::room::{Answer, Client, Room, put};

/// Asks the same of many tasks at once.
async fn at_once(client: &Client, times: usize, uri: &str, body: &Value) -> Vec<Answer> {
    let start = std::sync::Arc::new(tokio::sync::Barrier::new(times));
    let tasks: Vec<_> = (0..times)
        .map(|_| {
            let (client, uri, body, start) = (client.clone(), uri.to_owned(), body.clone(), start.clone());
            tokio::spawn(async move {
                start.wait().await;
                client.post(&uri, &body).await
            })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

/// B-01.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_parallel_applies_are_one_change_and_four_replays() {
    let room = Room::new();
    let ani = room.ani();
    let (number, digest) = ani.propose("harga.csv", "kopi,25000\n").await;
    let uri = format!("/v1/rooms/main/proposals/{number}/apply");
    let answers = at_once(&ani, 5, &uri, &json!({ "digest": digest })).await;
    let (made, again): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.status == StatusCode::CREATED);
    assert_eq!((made.len(), again.len()), (1, 4));
    assert_eq!(made[0].json()["outcome"], "applied");
    assert!(!made[0].replayed());
    let mut attempts = BTreeSet::from([made[0].json()["attempts"].as_u64().unwrap()]);
    for answer in again {
        assert_eq!((answer.status, answer.replayed()), (StatusCode::OK, true), "{answer:?}");
        let body = answer.json();
        assert_eq!((&body["outcome"], &body["evidence"]), (&json!("replayed"), &json!("kept")));
        for same in ["seq", "revision", "digest", "applied_at", "applied_by"] {
            assert_eq!(body[same], made[0].json()[same], "{same}");
        }
        attempts.insert(body["attempts"].as_u64().unwrap());
    }
    assert_eq!(attempts, BTreeSet::from([1, 2, 3, 4, 5]));
    assert_eq!(
        ani.get("/v1/rooms/main/versions/harga.csv").await.json()["items"].as_array().unwrap().len(),
        1
    );
    assert_eq!(ani.get("/v1/rooms/main/ledger").await.json()["size"], 1);
    assert_eq!(ani.get("/v1/rooms/main/duplicates").await.json()["items"][0]["count"], 4);
    assert_eq!(ani.get("/v1/rooms/main/documents/harga.csv").await.body, b"kopi,25000\n");
}

/// B-29.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_parallel_submits_under_one_key_are_one_proposal() {
    let room = Room::new();
    let agent = room.acting("agent:drafting");
    let mut body = put("a.md", "x");
    body["key"] = "order-8812".into();
    let answers = at_once(&agent, 50, "/v1/rooms/main/proposals", &body).await;
    let mut first = Vec::new();
    let mut ids = BTreeSet::new();
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
        let said = answer.json();
        assert_eq!(said["replayed"], answer.replayed());
        assert_eq!(said["created"], !answer.replayed());
        ids.insert(said["id"].as_str().unwrap().to_owned());
        if !answer.replayed() {
            first.push(said);
        }
    }
    assert_eq!((first.len(), ids.len()), (1, 1));
    let list = agent.get("/v1/rooms/main/proposals").await.json();
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    assert_eq!(list["items"][0]["proposal"], first[0]["proposal"]);
    let evidence = agent.get("/v1/rooms/main/duplicates").await.json();
    assert_eq!(evidence["items"][0]["layer"], "key");
    assert_eq!(
        (&evidence["items"][0]["count"], &evidence["items"][0]["other_content"]),
        (&json!(49), &json!(0))
    );
    body["title"] = "Something else".into();
    let other = agent.post("/v1/rooms/main/proposals", &body).await;
    assert_eq!((other.status.as_u16(), other.code()), (422, "key.reused".to_owned()));
    assert_eq!(agent.get("/v1/rooms/main/proposals").await.json()["items"].as_array().unwrap().len(), 1);
}

/// B-32: the same state gives the same refusal, and a refusal leaves nothing behind.
#[tokio::test]
async fn the_same_refusal_twice() {
    let room = Room::new();
    let ani = room.ani();
    let mut seen = Vec::new();
    let mut check = async |client: &Client, uri: String, body: Value, status: u16, code: &str| {
        let before = room.state();
        let (one, two) = (client.post(&uri, &body).await, client.post(&uri, &body).await);
        assert_eq!((one.status.as_u16(), one.code().as_str()), (status, code), "{uri} {one:?}");
        assert_eq!(String::from_utf8(one.body), String::from_utf8(two.body), "{uri}");
        assert_eq!(one.status, two.status);
        assert_eq!(room.state(), before, "{uri}");
        seen.push(code.to_owned());
    };
    let at = |number: u64, what: &str| format!("/v1/rooms/main/proposals/{number}/{what}");

    let (stale, stale_digest) = ani.propose("a.md", "one").await;
    let (wins, digest) = ani.propose("a.md", "two").await;
    ani.apply(wins, &digest).await;
    check(&ani, at(stale, "apply"), json!({ "digest": stale_digest }), 412, "proposal.stale").await;
    check(
        &ani,
        at(wins, "reject"),
        json!({ "reason": "r", "digest": null }),
        409,
        "proposal.already_applied",
    )
    .await;
    check(&ani, at(wins, "reopen"), json!({}), 409, "proposal.not_rejected").await;

    let (rejected, digest) = ani.propose("b.md", "x").await;
    ani.post(&at(rejected, "reject"), &json!({ "reason": "no", "digest": null })).await;
    check(&ani, at(rejected, "apply"), json!({ "digest": digest }), 409, "proposal.rejected").await;
    let (withdrawn, digest) = ani.propose("c.md", "x").await;
    ani.post(&at(withdrawn, "withdraw"), &json!({ "reason": null })).await;
    check(&ani, at(withdrawn, "apply"), json!({ "digest": digest }), 410, "proposal.withdrawn").await;
    check(&ani, at(withdrawn, "apply"), json!({ "digest": null }), 410, "proposal.withdrawn").await;

    let (changed, digest) = ani.propose("d.md", "x").await;
    ani.post(&at(changed, "revisions"), &put("d.md", "y")).await;
    check(&ani, at(changed, "apply"), json!({ "digest": digest }), 412, "proposal.changed").await;
    check(&ani, at(changed, "reject"), json!({ "reason": "r", "digest": digest }), 412, "proposal.changed")
        .await;

    let mut expiring = put("e.md", "x");
    expiring["valid_until"] = sekali_core::Timestamp::from_ms(
        sekali_store::Clock::wall(&sekali_store::SystemClock).ms() + 3_600_000,
    )
    .to_string()
    .into();
    let expiring = ani.post("/v1/rooms/main/proposals", &expiring).await.json();
    room.clock.by_ms(7_200_000);
    let number = expiring["proposal"].as_u64().unwrap();
    check(&ani, at(number, "apply"), json!({ "digest": expiring["digest"] }), 410, "proposal.expired").await;

    let budi = room.acting("Rini");
    check(&budi, at(changed, "apply"), json!({ "digest": null }), 403, "actor.denied").await;
    let agent = room.acting("agent:drafting");
    check(&agent, at(changed, "apply"), json!({ "digest": null }), 403, "actor.denied").await;
    let stranger = room.acting("Joko");
    check(&stranger, at(changed, "apply"), json!({ "digest": null }), 403, "actor.unknown").await;
    check(&ani, at(99, "apply"), json!({ "digest": null }), 404, "proposal.not_found").await;
    check(&ani, "/v1/rooms/main/proposals".into(), put("a.md", "two"), 409, "proposal.no_change").await;
    check(&ani, "/v1/rooms".into(), json!({ "slug": "main", "title": "T" }), 409, "room.exists").await;
    let member = json!({ "name": "Budi", "role": "member" });
    check(&ani, "/v1/rooms/main/members".into(), member, 409, "member.exists").await;
    assert_eq!(seen.len(), 16);
}

/// An effect that another proposal had is refused twice alike too, but each press is evidence.
#[tokio::test]
async fn an_effect_is_had_once() {
    let room = Room::new();
    let ani = room.ani();
    let naming = |path: &str| {
        let mut body = put(path, "x");
        body["effect_keys"] = json!(["order/8812/create"]);
        body
    };
    let first = ani.post("/v1/rooms/main/proposals", &naming("a.md")).await.json();
    assert_eq!(first["already_done"], json!([]));
    ani.apply(1, first["digest"].as_str().unwrap()).await;
    let second = ani.post("/v1/rooms/main/proposals", &naming("b.md")).await.json();
    assert_eq!(second["already_done"], json!([{ "key": "order/8812/create", "proposal": 1 }]));
    let digest = second["digest"].as_str().unwrap();
    let (one, two) = (ani.apply(2, digest).await, ani.apply(2, digest).await);
    assert_eq!((one.status.as_u16(), one.code()), (409, "effect.already_done".to_owned()));
    assert_eq!(one.body, two.body);
    let problem = one.json();
    assert_eq!((&problem["other"], &problem["same_content"]), (&json!(1), &json!(false)));
    let detail = ani.get("/v1/rooms/main/proposals/2").await.json();
    assert_eq!(detail["checks"][1]["code"], "effect.already_done");
    assert_eq!(detail["checks"][1]["proposals"], json!([1]));
    assert_eq!(detail["links"]["same_effect"], json!([1]));
    assert_eq!(detail["effect_done_by"], json!(1));
    let third = ani.post("/v1/rooms/main/proposals", &put("b.md", "x")).await.json();
    assert_eq!(third["possible_duplicates"], json!([2]));
    let listed = ani.get("/v1/rooms/main/proposals").await.json();
    let marks =
        |n: usize| (&listed["items"][n]["effect_done_by"], &listed["items"][n]["possible_duplicate_of"]);
    assert_eq!(marks(0), (&json!(null), &json!(2)));
    assert_eq!(marks(1), (&json!(1), &json!(3)));
    assert_eq!(marks(2), (&json!(null), &json!(null)), "a decided one is marked for nothing");
    let shown = ani.get("/v1/rooms/main/proposals/3").await.json();
    assert_eq!(shown["possible_duplicate_of"], json!(2));
    assert_eq!(ani.get("/v1/rooms/main/documents/b.md").await.status, StatusCode::NOT_FOUND);
}

/// B-38: what runs is what was seen.
#[tokio::test]
async fn what_was_revised_since_it_was_seen_is_not_applied() {
    let room = Room::new();
    let (ani, agent) = (room.ani(), room.acting("agent:drafting"));
    // The system user is written down at the first decision, whatever comes of it.
    let (other, digest) = ani.propose("other.md", "x").await;
    ani.apply(other, &digest).await;
    let (number, _) = agent.propose("harga.csv", "kopi,25000\n").await;
    let uri = format!("/v1/rooms/main/proposals/{number}");
    let seen = ani.get(&uri).await.json()["digest"].as_str().unwrap().to_owned();
    let revised =
        agent.post(&format!("{uri}/revisions?digest={seen}"), &put("harga.csv", "kopi,99000\n")).await;
    assert_eq!(revised.status, StatusCode::CREATED);
    let before = room.state();
    let refused = ani.apply(number, &seen).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (412, "proposal.changed".to_owned()));
    assert_eq!(refused.json()["digest"], revised.json()["digest"]);
    assert_eq!(refused.json()["retry"], "after_refresh");
    assert_eq!(room.state(), before);
    assert_eq!(ani.get("/v1/rooms/main/documents/harga.csv").await.status, StatusCode::NOT_FOUND);
    assert_eq!(ani.get(&uri).await.json()["state"], "waiting");
    // Two who revise the same revision: the second is told.
    let late = agent.post(&format!("{uri}/revisions?digest={seen}"), &put("harga.csv", "kopi,1\n")).await;
    assert_eq!((late.status.as_u16(), late.code()), (412, "proposal.changed".to_owned()));
    let applied = ani.apply(number, revised.json()["digest"].as_str().unwrap()).await;
    assert_eq!(applied.status, StatusCode::CREATED);
    assert_eq!(ani.get("/v1/rooms/main/documents/harga.csv").await.body, b"kopi,99000\n");
}

/// Looking decides nothing, however often.
#[tokio::test]
async fn get_never_decides() {
    let room = Room::new();
    let ani = room.ani();
    let (number, _) = ani.propose("a.md", "x").await;
    let before = room.state();
    for uri in ["", "/diff", "/apply", "/reject", "/reopen", "/withdraw", "/revisions"] {
        let answer = ani.get(&format!("/v1/rooms/main/proposals/{number}{uri}")).await;
        assert_eq!(answer.status.as_u16(), if uri.is_empty() || uri == "/diff" { 200 } else { 405 }, "{uri}");
    }
    assert_eq!(room.state(), before);
}
