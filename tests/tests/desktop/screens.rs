//! Screens and states beside the main job: rooms, differences that have no lines, settings that
//! cannot be read, a demo that was not finished.

use std::path::Path;

use serde_json::json;
use thirtyfour::prelude::*;

use crate::succeeded;
use crate::window::{APPLY, Home, RECEIPT, Window, until};

impl Window {
    async fn fill(&self, label: &str, text: &str) {
        let xpath = format!("//label[contains(normalize-space(.), {label:?})]//input");
        let field = self.web.find(By::XPath(xpath)).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    async fn choose_in_room_menu(&self, role: &str, words: &str) {
        self.room_menu().await;
        let item = By::XPath(format!("//*[@role='{role}'][contains(., '{words}')]"));
        self.web.find(item).await.unwrap().click().await.unwrap();
    }

    async fn room_menu(&self) {
        self.see("nav [aria-haspopup=menu]").await.click().await.unwrap();
        self.see("[role=menu]").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_are_chosen_made_and_remembered() {
    let Some(home) = Home::new() else { return };
    let store = home.path("rooms.db");
    let store = store.to_str().unwrap();
    for args in [
        ["--store", store, "init", "--title", "Kantor"].as_slice(),
        ["--store", store, "room", "add", "gudang", "--title", "Gudang \u{5d0}\u{5d1} <b>satu</b>"]
            .as_slice(),
    ] {
        let made = home.sekali(args);
        assert!(made.status.success(), "{made:?}");
    }
    let window = home.window(&[store]).await;
    window.says("nav", "Kantor").await;
    window.room_menu().await;
    let listed = window.texts("[role=menu] [role=menuitemradio]").await;
    assert_eq!(listed.len(), 2, "{listed:?}");
    window.keys([Key::Escape]).await;
    window.choose_in_room_menu("menuitemradio", "Gudang").await;
    window.says("nav", "Gudang \u{5d0}\u{5d1} <b>satu</b>").await;

    // The dialog says what is wrong beside it and stays open; nothing is made.
    window.choose_in_room_menu("menuitem", "New room").await;
    window.see("[role=dialog]").await;
    window.fill("Title", "Arsip Lama").await;
    window.fill("Short name", "Bad Slug").await;
    window.press_button("Create room").await;
    window.says("[role=dialog] [role=alert]", "This name cannot be used for a room.").await;
    window.fill("Short name", "gudang").await;
    window.press_button("Create room").await;
    window.says("[role=dialog] [role=alert]", "exists already").await;
    assert_eq!(window.get("/v1/rooms").await["items"].as_array().unwrap().len(), 2);
    window.fill("Short name", "arsip").await;
    window.press_button("Create room").await;
    window.says("nav", "Arsip Lama").await;
    window.says("main", "Nothing is waiting").await;
    window.close().await;

    let rooms = succeeded(&home.sekali(&["--store", store, "--json", "room", "list"]));
    let slugs: Vec<_> = rooms["items"].as_array().unwrap().iter().map(|room| &room["slug"]).collect();
    assert!(slugs.contains(&&json!("arsip")) && slugs.len() == 3, "{slugs:?}");

    // The next launch begins in the room of this one.
    let window = home.window(&[]).await;
    window.says("nav", "Arsip Lama").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_difference_without_lines_says_why_and_can_be_applied() {
    let Some(home) = Home::new() else { return };
    let store = home.path("plain.db");
    let path = store.clone();
    let store = store.to_str().unwrap();
    let made = home.sekali(&["--store", store, "init"]);
    assert!(made.status.success(), "{made:?}");
    let propose = |title: &str, name: &str, content: &[u8]| {
        let file = home.path("content");
        std::fs::write(&file, content).unwrap();
        let put = format!("{name}={}", file.display());
        let args = ["--store", store, "--json", "propose", "--title", title, "--put", &put];
        succeeded(&home.sekali(&args))["proposal"].as_u64().unwrap()
    };
    let apply = |number: u64| {
        succeeded(&home.sekali(&["--store", store, "--json", "apply", &number.to_string(), "--yes"]))
    };
    let binary = propose("New picture", "logo.png", b"\x89PNG\r\n\0\0");
    let large = propose("Many lines", "many.txt", &b"line\n".repeat(1_000_000));
    let empty = propose("Nothing in it", "empty.txt", b"");
    let gone = propose("Kept no longer", "gone.txt", b"one\n");
    apply(binary);
    let replaced = propose("Other picture", "logo.png", b"\x89PNG\r\n\0\0\0\0");
    apply(gone);
    let after_gone = propose("After it", "gone.txt", b"two\n");
    apply(after_gone);
    // What erasing will do: the content of a version goes, what was decided about it stays.
    erase(&path, gone);

    let window = home.window(&[store]).await;
    window.see("[role=listbox]").await;
    for (number, words) in [
        (replaced, "Binary content, replaced as a whole: 8 B → 10 B."),
        (large, "Too large to show line by line: 5 MB."),
        (empty, "The document is empty."),
    ] {
        window.see(&format!("#proposal-{number}")).await.click().await.unwrap();
        window.says("main h2", &format!("#{number}")).await;
        window.says("main [role=group] .note", words).await;
    }
    // A binary one that was read is applied like any other.
    window.see(&format!("#proposal-{replaced}")).await.click().await.unwrap();
    window.says("main .note", "Binary").await;
    window.see(APPLY).await.click().await.unwrap();
    window.says(RECEIPT, "ledger entry").await;

    window.press_button("Applied").await;
    window.see(&format!("#proposal-{after_gone}")).await.click().await.unwrap();
    let gone = "The lines cannot be shown: the content on one side is no longer kept here.";
    window.says("main .note", gone).await;
    window.says(RECEIPT, "ledger entry").await;
    window.close().await;
}

fn erase(store: &Path, number: u64) {
    let conn = rusqlite::Connection::open(store).unwrap();
    let erased = conn
        .execute("DELETE FROM content WHERE proposal = (SELECT id FROM proposal WHERE number = ?1)", [number])
        .unwrap();
    assert_eq!(erased, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_are_wrong_are_named_by_line_and_stop_nothing() {
    let Some(home) = Home::new() else { return };
    let settings = home.path("config/sekali/config.toml");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let written = "# by hand\nlanguage = \"en\"\nname = Ani\n";
    std::fs::write(&settings, written).unwrap();
    let window = home.window(&[]).await;
    let said = window.says("[role=alert]", "settings file").await;
    assert!(said.contains("config.toml") && said.contains("line 3"), "{said}");
    // All three ways on are there, and the way that needs no dialog works.
    for choice in ["Create a new store", "Open a store", "Load the demo"] {
        window.says("main button", choice).await;
    }
    window.load_demo().await;
    window.says("[role=alert]", "line 3").await;
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), written, "it is not written over");

    // Set aside by the person: kept whole beside, and what this window knows is remembered again.
    window.press_button("Set the file aside").await;
    let kept = settings.with_file_name("config.toml.broken");
    let gone = async || (kept.exists() && window.texts("[role=alert]").await.is_empty()).then_some(());
    until("the file is kept, and the notice gone", gone).await;
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), written);
    window.close().await;
    assert!(std::fs::read_to_string(&settings).unwrap().contains("demo-en.db"));
    let window = home.window(&[]).await;
    window.see("[role=listbox]").await;
    assert_eq!(window.texts("[role=alert]").await, Vec::<String>::new());
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demo_that_was_killed_half_way_is_made_anew() {
    let Some(home) = Home::new() else { return };
    let unfinished = home.path("data/sekali/.demo-en.db.unfinished");
    let mut making = home.command(&home.cli).arg("demo").spawn().unwrap();
    // Killed as soon as there is something of it.
    while !unfinished.metadata().is_ok_and(|meta| meta.len() > 0) {
        assert!(making.try_wait().unwrap().is_none(), "it was made before it could be killed");
    }
    making.kill().unwrap();
    making.wait().unwrap();
    assert!(!home.demo().exists(), "half of a demo is none");

    let window = home.window(&[]).await;
    window.load_demo().await;
    window.close().await;
    let whole = home.path("whole.db");
    let built = succeeded(&home.sekali(&["--store", whole.to_str().unwrap(), "--json", "demo"]));
    let demo = home.demo();
    let room = succeeded(&home.sekali(&["--store", demo.to_str().unwrap(), "--json", "room", "show"]));
    assert_eq!(room["ledger"]["size"], built["entries"]);
    let left: Vec<_> = std::fs::read_dir(demo.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(left, Vec::<String>::new(), "nothing of the half is left");
}
