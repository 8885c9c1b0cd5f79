//! Promises P1 to P5 across processes, through the command line: nothing here shares memory.

#![expect(clippy::print_stdout, reason = "how often each side won is worth knowing, whichever it was")]

use std::process::Output;

use sekali_tests::{Room, all, number, parse, string, text};
use serde_json::Value;

fn answers(outs: &[Output]) -> (Vec<Value>, Vec<Value>) {
    let good = outs.iter().filter(|o| o.status.success()).map(|o| parse(&text(&o.stdout))).collect();
    let bad = outs.iter().filter(|o| !o.status.success()).map(|o| parse(&text(&o.stderr))).collect();
    (good, bad)
}

fn count(answers: &[Value], member: &str, value: &str) -> usize {
    answers.iter().filter(|a| a[member] == value).count()
}

#[test]
fn a_hundred_processes_apply_once() {
    let room = Room::new();
    let (n, _) = room.propose("harga.json", "{\"kopi\": 18000}\n");
    assert_eq!(n, 1);
    let outs = all((0..100).map(|_| room.command(&["apply", "1", "--yes", "--json"])).collect());
    let (good, bad) = answers(&outs);
    assert_eq!((good.len(), bad.len()), (100, 0), "{bad:?}");
    assert_eq!((count(&good, "outcome", "applied"), count(&good, "outcome", "replayed")), (1, 99));
    assert!(good.iter().all(|a| number(a, "seq") == 1 && a["evidence"] == "kept"));
    let mut attempts: Vec<u64> = good.iter().map(|a| number(a, "attempts")).collect();
    attempts.sort_unstable();
    assert_eq!(attempts, (1..=100).collect::<Vec<_>>(), "each is told the how-manieth it was");
    assert_eq!(room.ledger().len(), 1);
    let log = room.json(&["doc", "log", "harga.json"]);
    assert_eq!(log["items"].as_array().map(Vec::len), Some(1));
    let duplicates = room.json(&["duplicates"]);
    assert_eq!(duplicates["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(number(&duplicates["items"][0], "count"), 99);
    assert_eq!(duplicates["items"][0]["layer"], "apply");
    room.sound();
}

/// 200 rounds of two decisions at once: one wins, the other is told who won.
fn duel(other: &[&str], won: &str, told: &[&str]) {
    let room = Room::new();
    let rounds = 200;
    let mut wins = (0, 0);
    for round in 0..rounds {
        let path = format!("duel-{round}.txt");
        let (n, digest) = room.propose(&path, "one\n");
        let n = n.to_string();
        let file = room.file("revised", format!("two {round}\n"));
        let put = format!("{path}={}", file.display());
        let other: Vec<String> = other
            .iter()
            .map(|a| a.replace("{n}", &n).replace("{put}", &put).replace("{digest}", &digest))
            .collect();
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        // Who is started first takes turns.
        let apply = room.command(&["apply", &n, "--digest", &digest, "--json"]);
        let rival = room.command(&other);
        let outs = if round % 2 == 0 {
            all(vec![apply, rival])
        } else {
            let mut outs = all(vec![rival, apply]);
            outs.reverse();
            outs
        };
        let (applied, rival) = (outs[0].status.success(), outs[1].status.success());
        assert!(applied != rival, "round {round}: {outs:?}");
        let loser = parse(&text(&outs[usize::from(applied)].stderr));
        let shown = room.json(&["show", &n]);
        if applied {
            wins.0 += 1;
            assert_eq!(string(&loser, "code"), "proposal.already_applied", "{loser}");
            assert_eq!(loser["by"], "Ani");
            assert_eq!(number(&loser["receipt"], "seq"), number(&parse(&text(&outs[0].stdout)), "seq"));
            assert_eq!(shown["state"], "applied");
        } else {
            wins.1 += 1;
            assert!(told.contains(&string(&loser, "code").as_str()), "{loser}");
            assert_eq!(shown["state"], won);
            // What lost left nothing.
            assert_eq!(room.json(&["doc", "list"])["items"].as_array().map(Vec::len), Some(wins.0));
        }
    }
    println!("apply won {} of {rounds} rounds against {}", wins.0, other[0]);
    let applied = room.ledger().iter().filter(|e| e["kind"] == "applied").count();
    assert_eq!(applied, wins.0);
    room.sound();
}

#[test]
fn apply_against_reject_has_one_winner() {
    duel(&["reject", "{n}", "--reason", "Belum perlu.", "--json"], "rejected", &["proposal.rejected"]);
}

#[test]
fn apply_against_withdraw_has_one_winner() {
    duel(&["withdraw", "{n}", "--json"], "withdrawn", &["proposal.withdrawn"]);
}

#[test]
fn apply_against_revise_has_one_winner() {
    duel(
        &["revise", "{n}", "--digest", "{digest}", "--title", "Other", "--put", "{put}", "--json"],
        "waiting",
        &["proposal.changed"],
    );
}

#[test]
fn a_key_is_one_proposal_however_often_it_is_sent() {
    let room = Room::new();
    let file = room.file("order", "order 8812\n");
    let put = format!("orders/8812.txt={}", file.display());
    let submit = |put: &str| {
        room.command(&["propose", "--title", "Order 8812", "--key", "evt-1", "--put", put, "--json"])
    };
    let outs = all((0..50).map(|_| submit(&put)).collect());
    let (good, bad) = answers(&outs);
    assert_eq!((good.len(), bad.len()), (50, 0), "{bad:?}");
    assert_eq!(good.iter().filter(|a| a["created"] == true).count(), 1);
    assert_eq!(good.iter().filter(|a| a["replayed"] == true).count(), 49);
    assert!(good.iter().all(|a| number(a, "proposal") == 1));
    // The same key with other content.
    let other = room.file("other", "order 8813\n");
    let put = format!("orders/8812.txt={}", other.display());
    let outs = all((0..50).map(|_| submit(&put)).collect());
    let (good, bad) = answers(&outs);
    assert_eq!((good.len(), bad.len()), (0, 50), "{good:?}");
    assert!(bad.iter().all(|p| p["code"] == "key.reused" && number(p, "proposal") == 1));
    assert!(outs.iter().all(|o| o.status.code() == Some(1)));
    assert_eq!(room.json(&["list"])["items"].as_array().map(Vec::len), Some(1));
    let duplicates = room.json(&["duplicates"]);
    let row = &duplicates["items"][0];
    assert_eq!((row["layer"].as_str(), row["key"].as_str()), (Some("key"), Some("evt-1")));
    assert_eq!((number(row, "count"), number(row, "other_content")), (99, 50));
}

#[test]
fn the_same_key_of_another_actor_or_room_is_another_key() {
    let room = Room::new();
    room.good(&["member", "add", "Budi", "--role", "member"]);
    room.good(&["room", "add", "gudang", "--title", "Gudang"]);
    let file = room.file("c", "x\n");
    let put = format!("x.txt={}", file.display());
    let propose = |who: &str, slug: &str| {
        room.json(&["propose", "--as", who, "--room", slug, "--title", "T", "--key", "1", "--put", &put])
    };
    assert_eq!(propose("Ani", "main")["created"], true);
    assert_eq!(propose("Budi", "main")["created"], true);
    let elsewhere = propose("Ani", "gudang");
    assert_eq!(elsewhere["created"], true);
    // Nothing of one room is in the other's answer (B-35).
    assert_eq!(
        (number(&elsewhere, "proposal"), elsewhere["possible_duplicates"].as_array().map(Vec::len)),
        (1, Some(0))
    );
}

#[test]
fn equal_content_without_a_key_is_flagged_and_kept() {
    let room = Room::new();
    let file = room.file("c", "the same\n");
    let put = format!("same.txt={}", file.display());
    let outs = all((0..50)
        .map(|_| room.command(&["propose", "--title", "Same", "--put", &put, "--json"]))
        .collect());
    let (good, bad) = answers(&outs);
    assert_eq!((good.len(), bad.len()), (50, 0), "{bad:?}");
    assert!(good.iter().all(|a| a["created"] == true && a["replayed"] == false));
    let mut numbers: Vec<u64> = good.iter().map(|a| number(a, "proposal")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=50).collect::<Vec<_>>());
    let flagged =
        good.iter().filter(|a| a["possible_duplicates"].as_array().is_some_and(|d| !d.is_empty())).count();
    assert_eq!(flagged, 49, "all but the first name another");
}

#[test]
fn one_effect_happens_once() {
    let room = Room::new();
    for n in 0..2 {
        let file = room.file("c", format!("order {n}\n"));
        let put = format!("order-{n}.txt={}", file.display());
        room.good(&["propose", "--title", "Order", "--effect-key", "order/8812/create", "--put", &put]);
    }
    let mut commands = Vec::new();
    for _ in 0..25 {
        commands.push(room.command(&["apply", "1", "--yes", "--json"]));
        commands.push(room.command(&["apply", "2", "--yes", "--json"]));
    }
    let (good, bad) = answers(&all(commands));
    assert_eq!((good.len(), bad.len()), (25, 25), "{bad:?}");
    assert_eq!((count(&good, "outcome", "applied"), count(&good, "outcome", "replayed")), (1, 24));
    let winner = number(&good[0], "proposal");
    let loser = 3 - winner;
    assert!(bad.iter().all(|p| p["code"] == "effect.already_done"
        && number(p, "other") == winner
        && number(p, "proposal") == loser
        && p["same_content"] == false));
    assert_eq!(room.json(&["show", &loser.to_string()])["state"], "waiting");
    assert_eq!(room.ledger().len(), 1);
    let rows = room.json(&["duplicates"]);
    let of = |layer: &str| -> Value {
        let items = rows["items"].as_array().expect("items");
        items.iter().find(|r| r["layer"] == layer).unwrap_or_else(|| panic!("{layer} in {rows}")).clone()
    };
    assert_eq!(
        (number(&of("effect"), "count"), of("effect")["key"].as_str()),
        (25, Some("order/8812/create"))
    );
    assert_eq!(number(&of("apply"), "count"), 24);
    room.sound();
}

/// B-80: many processes that read and then write; nobody is told that the store is busy.
#[test]
fn thirty_proposals_each_from_three_doors_at_once() {
    let room = Room::new();
    let mut commands = Vec::new();
    for door in 0..3 {
        for n in 0..30 {
            let name = format!("{door}-{n}.txt");
            let file = room.file(&name, format!("{door} {n}\n"));
            let put = format!("{name}={}", file.display());
            commands.push(room.command(&["propose", "--title", &name, "--put", &put, "--json"]));
        }
    }
    let (good, bad) = answers(&all(commands));
    assert_eq!((good.len(), bad.len()), (90, 0), "{bad:?}");
    room.sound();
}
