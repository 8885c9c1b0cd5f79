//! The main job by keys alone. Nothing here points at anything.

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::window::{Home, OTHER, READ, RECEIPT, ROOM, Window, until};

impl Window {
    /// Presses what has the focus, wherever that is.
    pub(crate) async fn keys(&self, keys: impl IntoIterator<Item = Key>) {
        let mut chain = self.web.action_chain();
        for key in keys {
            chain = chain.key_down(key.clone()).key_up(key);
        }
        chain.perform().await.unwrap();
    }

    async fn letters(&self, text: &str) {
        self.web.action_chain().send_keys(text).perform().await.unwrap();
    }

    /// What has the focus: its role or tag, and what it says.
    async fn focus(&self) -> (String, String) {
        let script = "const at = document.activeElement;
            return [at.getAttribute('role') ?? at.tagName, at.getAttribute('aria-label') ?? at.innerText ?? ''];";
        self.web.execute(script, vec![]).await.unwrap().convert().unwrap()
    }

    /// Goes by Tab to what says so; a person would not go further than this either.
    async fn tab_to(&self, words: &str) {
        let mut seen = Vec::new();
        for _ in 0..30 {
            self.keys([Key::Tab]).await;
            let (role, said) = self.focus().await;
            if role != "BODY" && said.contains(words) {
                // Windows of other tests may be in front, and what has no focus draws no ring.
                let seen = "return !document.hasFocus() || getComputedStyle(document.activeElement).outlineStyle !== 'none'";
                let seen: bool = self.web.execute(seen, vec![]).await.unwrap().convert().unwrap();
                assert!(seen, "{words} has the focus and does not show it");
                return;
            }
            seen.push(format!("{role} {said}"));
        }
        panic!("no Tab leads to {words}: {seen:#?}");
    }

    async fn focused(&self, role: &str) {
        let focused = async || (self.focus().await.0 == role).then_some(());
        until(&format!("{role} has the focus"), focused).await;
    }

    async fn selected(&self) -> Value {
        let script = "return document.querySelector('[role=option][aria-selected=true]')?.id ?? null";
        self.web.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// Whether the list ends with what is selected, in the direction of `j` or of `k`.
    async fn at_end(&self, letter: &str) -> bool {
        let script = "const at = document.querySelector('[role=option][aria-selected=true]');
            return at !== null && at.ariaPosInSet === (arguments[0] === 'j' ? at.ariaSetSize : '1')";
        self.web.execute(script, vec![json!(letter)]).await.unwrap().convert().unwrap()
    }

    /// Moves through the list by `j`, then by `k`, until a proposal is read.
    async fn go_to(&self, number: u64) {
        let wanted = json!(format!("proposal-{number}"));
        for letter in ["j", "k"] {
            loop {
                let before = self.selected().await;
                if before == wanted {
                    self.says("main h2", &format!("#{number}")).await;
                    return;
                }
                if self.at_end(letter).await {
                    break;
                }
                self.letters(letter).await;
                let moved = async || (self.selected().await != before).then_some(());
                until(&format!("{letter} moves on from {before}"), moved).await;
            }
        }
        panic!("neither j nor k leads to #{number}");
    }

    /// Loads the demo from the first screen, and waits for its inbox.
    async fn load_demo_by_keys(&self) {
        self.see("h1").await;
        self.tab_to("Load the demo").await;
        self.keys([Key::Enter]).await;
        self.see("[role=listbox]").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_job_needs_no_pointer() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;
    window.load_demo_by_keys().await;

    // Read: j and k move, Enter goes to the text, Escape back to the list.
    let number = window.number(READ).await;
    window.go_to(number).await;
    window.says("main", "site/returns.md").await;
    window.keys([Key::Enter]).await;
    window.focused("region").await;
    window.keys([Key::Escape]).await;
    window.focused("listbox").await;

    // Decide: A applies, and A again changes nothing.
    window.letters("a").await;
    let receipt = window.says(RECEIPT, "ledger entry").await;
    window.letters("a").await;
    window.says(RECEIPT, "Nothing changed: this ran already").await;
    assert_eq!(window.proposal(number).await["state"], "applied", "{receipt}");

    // R asks why, says what is missing, keeps the keys to itself, and takes the answer.
    let other = window.number(OTHER).await;
    window.go_to(other).await;
    window.letters("r").await;
    window.focused("TEXTAREA").await;
    window.keys([Key::Tab, Key::Tab, Key::Tab, Key::Tab, Key::Tab]).await;
    let inside = "return document.activeElement.closest('[role=dialog]') !== null";
    let inside: bool = window.web.execute(inside, vec![]).await.unwrap().convert().unwrap();
    assert!(inside, "Tab stays in the dialog");
    window.keys([Key::Escape]).await;
    window.says("main", "#").await;
    assert_eq!(window.proposal(other).await["state"], "waiting");
    window.letters("r").await;
    window.focused("TEXTAREA").await;
    window.letters("jar: not now").await;
    assert_eq!(window.selected().await, json!(format!("proposal-{other}")), "letters are text here");
    let submit = window.web.action_chain().key_down(Key::Control).key_down(Key::Enter);
    submit.key_up(Key::Enter).key_up(Key::Control).perform().await.unwrap();
    window.says("main", "Rejected by \u{2068}ani").await;
    let rejected = window.proposal(other).await;
    assert_eq!(rejected["decision"]["reason"], "jar: not now");
    assert_eq!(rejected["state"], "rejected");

    // G and a letter go elsewhere, and back to what was read.
    window.letters("gh").await;
    window.says("main h1", "History").await;
    window.letters("gi").await;
    window.says("main h2", &format!("#{other}")).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_is_made_and_chosen_by_keys() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;
    window.load_demo_by_keys().await;

    window.tab_to("Toko Mekar").await;
    window.keys([Key::Enter]).await;
    window.see("[role=menu]").await;
    window.keys([Key::End, Key::Enter]).await;
    window.focused("INPUT").await;
    window.letters("Gudang Baru").await;
    window.keys([Key::Enter]).await;
    window.says("nav", "Gudang Baru").await;
    let made = window.get("/v1/rooms/gudang-baru").await;
    assert_eq!(made["title"], "Gudang Baru");

    // Back by its name: a letter in the menu finds it.
    window.says("main", "Nothing is waiting").await;
    window.tab_to("Gudang Baru").await;
    window.keys([Key::Enter]).await;
    window.see("[role=menu]").await;
    window.letters("t").await;
    window.keys([Key::Enter]).await;
    window.see("[role=listbox]").await;
    let list = window.get(&format!("/v1/rooms/{ROOM}/proposals?limit=1")).await;
    assert!(!list["items"].as_array().unwrap().is_empty());
    window.close().await;
}
