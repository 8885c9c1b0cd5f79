//! The real window, through a web driver: what a person sees and presses, while other processes work on
//! the same store. Needs `SEKALI_DESKTOP_BIN`, `SEKALI_BIN`, `WebKitWebDriver`, dbus-daemon and a
//! display; `./dev test` brings all of them. Native dialogs are out of its reach.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod keyboard;
mod naughty;
mod screens;
mod window;

use std::process::Output;

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::window::{APPLY, Home, OTHER, READ, RECEIPT, ROOM, Window};

/// Repeats that the API counts, once every press of this window has its answer.
async fn settled_repeats(window: &Window, number: u64) -> u64 {
    window.see(&format!("{APPLY}[aria-busy=false]")).await;
    window.proposal(number).await["duplicates"]["count"].as_u64().unwrap()
}

pub(crate) fn succeeded(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pressing_apply_many_times_applies_once_and_shows_the_receipt_with_the_count() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;

    window.load_demo().await;
    let number = window.number(READ).await;
    let before = window.get(&format!("/v1/rooms/{ROOM}")).await["ledger"]["size"].as_u64().unwrap();
    window.open(number).await;
    window.says("main", "site/returns.md").await;
    assert_eq!(window.receipts().await, 0);

    // Five presses as fast as a mouse can: nothing waits for an answer in between.
    let apply = window.see(APPLY).await;
    let mut five = window.web.action_chain().move_to_element_center(&apply);
    for _ in 0..5 {
        five = five.click();
    }
    five.perform().await.unwrap();
    window.says(RECEIPT, "Nothing changed: this ran already").await;
    let repeats = settled_repeats(&window, number).await;
    assert_eq!(repeats, 4, "five presses: one applied, four repeats");

    // Enter, held on the button.
    window.see(APPLY).await.focus().await.unwrap();
    let mut held = window.web.action_chain();
    for _ in 0..20 {
        held = held.key_down(Key::Enter);
    }
    held.key_up(Key::Enter).perform().await.unwrap();
    let repeats = settled_repeats(&window, number).await;
    assert!(repeats > 4, "what is held is pressed");

    let receipt = window.says(RECEIPT, &format!("{repeats} later attempts")).await;
    assert_eq!(window.receipts().await, 1);
    let proposal = window.proposal(number).await;
    assert_eq!(proposal["state"], "applied");
    let seq = proposal["receipt"]["seq"].as_u64().unwrap();
    assert_eq!(seq, before + 1);
    assert!(receipt.contains(&format!("ledger entry {seq}")), "{receipt}");
    assert!(receipt.contains("ani"), "{receipt}");
    assert_eq!(proposal["receipt"]["door"], "desktop");
    assert_eq!(proposal["receipt"]["seen"], "digest");
    let after = window.get(&format!("/v1/rooms/{ROOM}")).await["ledger"]["size"].as_u64().unwrap();
    assert_eq!(after, before + 1, "one entry, however often it was pressed");

    // The other door says the same, and its press is counted here too.
    let demo = home.demo();
    let store = demo.to_str().unwrap();
    let said = succeeded(&home.sekali(&["--store", store, "--json", "apply", &number.to_string(), "--yes"]));
    assert_eq!((&said["outcome"], &said["seq"]), (&json!("replayed"), &json!(seq)));
    window.says(RECEIPT, &format!("{} later attempts", repeats + 1)).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_applies_is_shown_while_the_proposal_is_read() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;
    window.load_demo().await;
    let number = window.number(OTHER).await;
    window.open(number).await;
    window.see(APPLY).await;
    assert_eq!(window.receipts().await, 0);

    let demo = home.demo();
    let store = demo.to_str().unwrap();
    let said = succeeded(&home.sekali(&["--store", store, "--json", "apply", &number.to_string(), "--yes"]));
    assert_eq!(said["outcome"], "applied");
    let seq = said["seq"].as_u64().unwrap();
    window.says(RECEIPT, &format!("ledger entry {seq}")).await;
    assert_eq!(window.proposal(number).await["receipt"]["door"], "cli");

    // The person who was about to press does: nothing changes, and both are named.
    window.see(APPLY).await.click().await.unwrap();
    window.says(RECEIPT, "Nothing changed: this ran already").await;
    assert_eq!(settled_repeats(&window, number).await, 1);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_launch_and_a_link_speak_to_the_first_window_and_never_apply() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;
    window.load_demo().await;
    let number = window.number(OTHER).await;

    let link = format!("sekali://room/{ROOM}/proposal/{number}");
    let second = home.launch(&[&link]);
    assert!(second.status.success(), "{second:?}");
    window.says("main", OTHER).await;
    assert_eq!(window.proposal(number).await["state"], "waiting");

    // A path of another store opens it in the same window.
    let mine = home.path("mine.db");
    let mine = mine.to_str().unwrap();
    let made = home.sekali(&["--store", mine, "init", "--title", "Mine"]);
    assert!(made.status.success(), "{made:?}");
    let second = home.launch(&[mine]);
    assert!(second.status.success(), "{second:?}");
    window.says("body", "Mine").await;
    window.close().await;

    // It was the last one: the next launch opens it again, and a link that comes with the launch is followed.
    let window = home.window(&[]).await;
    window.says("body", "Mine").await;
    window.close().await;
    let demo = home.demo();
    let window = home.window(&[demo.to_str().unwrap(), &link]).await;
    window.says("main", OTHER).await;
    assert_eq!(window.proposal(number).await["state"], "waiting");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_does_not_open_is_said_and_nothing_is_made_in_its_stead() {
    let Some(home) = Home::new() else { return };
    let gone = home.path("gone.db");
    let window = home.window(&[gone.to_str().unwrap()]).await;
    window.says("[role=alert]", "gone.db").await;
    assert!(!gone.exists());
    assert!(!home.path("data/sekali").exists(), "no store was made");
    window.load_demo().await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_is_for_our_own_page_with_its_token_only() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;
    window.load_demo().await;
    let body = "const session = await window.__TAURI_INTERNALS__.invoke('session');
        const ask = async (headers, init = {}) =>
            (await fetch(session.api + args[0], { ...init, headers })).status;
        const token = { 'Sekali-Token': session.token };
        const json = { 'Content-Type': 'application/json' };
        return {
            tokenBytes: session.token.length / 2,
            with: await ask(token),
            without: await ask({}),
            wrong: await ask({ 'Sekali-Token': 'x'.repeat(64) }),
            text: await ask({ ...token, 'Content-Type': 'text/plain' }, { method: 'POST', body: '{}' }),
            post: await ask({ ...token, ...json }, { method: 'POST', body: '{\"slug\":\"Bad Slug\",\"title\":\"x\"}' }),
            // Field report B-01: many at once, each its own answer.
            parallel: (await Promise.all(Array.from({ length: 64 }, () => ask(token)))).filter((s) => s === 200).length,
        };";
    let answer = window.run(body, vec![json!("/v1/rooms")]).await;
    assert_eq!(answer["tokenBytes"], 32);
    assert_eq!(answer["with"], 200);
    assert_eq!((&answer["without"], &answer["wrong"]), (&json!(403), &json!(403)));
    assert_eq!(answer["post"], 400);
    assert_ne!(answer["text"], 201);
    assert_eq!(answer["parallel"], 64);

    // The page goes nowhere else, and opens nothing beside it. A navigation that is refused tells
    // nobody, so there is nothing to wait for but time in which it would have gone.
    let place = "const opened = window.open('https://example.org/'); location.href = 'https://example.org/';
        await new Promise((done) => setTimeout(done, 500)); return [location.protocol + '//' + location.host, opened === null];";
    assert_eq!(window.run(place, vec![]).await, json!(["tauri://localhost", true]));
    window.close().await;
}
