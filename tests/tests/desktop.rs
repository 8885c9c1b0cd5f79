//! The real window, through a web driver: what a person sees and presses, while other processes work on
//! the same store. Needs `SEKALI_DESKTOP_BIN`, `SEKALI_BIN`, `WebKitWebDriver`, dbus-daemon and a
//! display; `./dev test` brings all of them. Native dialogs are out of its reach.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // the helpers of a test are its own code

use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use sekali_tests::skipped;
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::prelude::*;

/// How long anything may take that a person would wait for, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(30);
const RECEIPT: &str = "[data-testid=receipt]";
const APPLY: &str = "button[aria-keyshortcuts=A]";

/// The demo room, and a proposal in it that waits and changes texts.
const ROOM: &str = "toko-mekar";
const READ: &str = "Restructure the returns policy";
/// Another one that waits, for the other process.
const OTHER: &str = "Remove the September promotion";

/// A home of its own, with a bus of its own: a window in it is a first launch.
struct Home {
    folder: TempDir,
    bus: Child,
    bus_address: String,
    desktop: PathBuf,
    cli: PathBuf,
}

/// A process that ends with the test, and with it what it started.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        // It leads a group of its own: the driver, the window, the web processes.
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.bus.kill();
        let _ = self.bus.wait();
    }
}

impl Home {
    /// `None`, with the reason listed, where a window cannot be opened here.
    fn new() -> Option<Self> {
        let named = |name: &str| {
            let value = std::env::var_os(name).map(PathBuf::from);
            if value.is_none() {
                skipped(&format!("{name} is not set; ./dev test sets it"));
            }
            value
        };
        let (desktop, cli) = (named("SEKALI_DESKTOP_BIN")?, named("SEKALI_BIN")?);
        if std::env::var_os("DISPLAY").is_none() {
            skipped("there is no display; ./dev test brings one");
            return None;
        }
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("dbus-daemon starts");
        let mut bus_address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut bus_address).unwrap();
        let folder = tempfile::tempdir().unwrap();
        Some(Self { folder, bus, bus_address: bus_address.trim().to_owned(), desktop, cli })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn demo(&self) -> PathBuf {
        self.path("data/sekali/demo-en.db")
    }

    /// A command that sees this home and nothing of the caller's.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("SEKALI_") || name.starts_with("XDG_") || name.starts_with("LC_") {
                command.env_remove(&*name);
            }
        }
        let runtime = self.path("run");
        std::fs::create_dir_all(&runtime).unwrap();
        command
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_RUNTIME_DIR", runtime)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus_address)
            .env("LANG", "C.UTF-8")
            .env("USER", "ani");
        command
    }

    fn sekali(&self, args: &[&str]) -> Output {
        self.command(&self.cli).args(args).output().expect("sekali runs")
    }

    /// Launches the program beside a window that is there.
    fn launch(&self, args: &[&str]) -> Output {
        self.command(&self.desktop).args(args).output().expect("sekali-desktop runs")
    }

    /// Whether a window of this home is there: the first one owns a name on the bus.
    fn is_open(&self) -> bool {
        let asked = self
            .command(Path::new("dbus-send"))
            .args([
                "--session",
                "--print-reply=literal",
                "--dest=org.freedesktop.DBus",
                "/org/freedesktop/DBus",
            ])
            .args(["org.freedesktop.DBus.NameHasOwner", "string:id.sekali.desktop.SingleInstance"])
            .output()
            .expect("dbus-send runs");
        assert!(asked.status.success(), "{asked:?}");
        String::from_utf8_lossy(&asked.stdout).contains("true")
    }

    /// Opens a window. One that was closed just before may still be ending: a launch would speak to it.
    async fn window(&self, args: &[&str]) -> Window {
        let patience = Instant::now() + PATIENCE;
        while self.is_open() {
            assert!(Instant::now() < patience, "the window before does not end");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let driver = self
            .command(Path::new("WebKitWebDriver"))
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .process_group(0)
            .spawn()
            .expect("WebKitWebDriver starts");
        let driver = Ends(driver);
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < patience, "WebKitWebDriver does not listen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut capabilities = Capabilities::new();
        let options = json!({ "binary": self.desktop, "args": args });
        capabilities.set("webkitgtk:browserOptions", options).unwrap();
        let web =
            WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities).await.expect("the window opens");
        web.set_script_timeout(PATIENCE).await.unwrap();
        Window { web, _driver: driver }
    }
}

struct Window {
    web: WebDriver,
    _driver: Ends,
}

impl Window {
    async fn close(self) {
        self.web.quit().await.unwrap();
    }

    /// What a body of an async function in the page returns.
    async fn run(&self, body: &str, args: Vec<Value>) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; const args = [...arguments].slice(0, -1);
             (async () => {{ {body} }})().then((value) => done({{ value }}), (error) => done({{ error: error?.code ?? String(error) }}));"
        );
        let answer = self.web.execute_async(script, args).await.unwrap();
        let answer = answer.json().clone();
        assert!(answer.get("error").is_none(), "{body}: {answer}");
        answer["value"].clone()
    }

    /// Asks the API as the page does.
    async fn get(&self, path: &str) -> Value {
        let body = "const session = await window.__TAURI_INTERNALS__.invoke('session');
            const answer = await fetch(session.api + args[0], { headers: { 'Sekali-Token': session.token } });
            return { status: answer.status, body: await answer.json() };";
        let answer = self.run(body, vec![json!(path)]).await;
        assert_eq!(answer["status"], 200, "{path}: {answer}");
        answer["body"].clone()
    }

    async fn number(&self, title: &str) -> u64 {
        let list = self.get(&format!("/v1/rooms/{ROOM}/proposals?limit=200")).await;
        let found = list["items"].as_array().unwrap().iter().find(|item| item["title"] == title).cloned();
        found.unwrap_or_else(|| panic!("{title} is not in {list}"))["proposal"].as_u64().unwrap()
    }

    async fn proposal(&self, number: u64) -> Value {
        self.get(&format!("/v1/rooms/{ROOM}/proposals/{number}")).await
    }

    async fn see(&self, css: &str) -> WebElement {
        let query = self.web.query(By::Css(css)).wait(PATIENCE, Duration::from_millis(50)).and_displayed();
        match query.first().await {
            Ok(element) => element,
            Err(error) => panic!("{css} is not seen: {error}\n{}", self.text().await),
        }
    }

    /// What is written on the screen. Not by the driver's own reading, which leaves out what is cut short.
    async fn texts(&self, css: &str) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText)";
        self.web.execute(script, vec![json!(css)]).await.unwrap().convert().unwrap()
    }

    async fn text(&self) -> String {
        self.texts("body").await.concat()
    }

    /// Waits until one of the elements says something.
    async fn says(&self, css: &str, words: &str) -> String {
        let patience = Instant::now() + PATIENCE;
        loop {
            let texts = self.texts(css).await;
            if let Some(text) = texts.iter().find(|text| text.contains(words)) {
                return text.clone();
            }
            let page = self.text().await;
            assert!(Instant::now() < patience, "{css} does not say {words:?}: {texts:?}\n{page}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn press_button(&self, label: &str) {
        let xpath = format!("//button[contains(normalize-space(.), {label:?})]");
        let query =
            self.web.query(By::XPath(xpath)).wait(PATIENCE, Duration::from_millis(50)).and_clickable();
        query
            .first()
            .await
            .unwrap_or_else(|error| panic!("no button {label}: {error}"))
            .click()
            .await
            .unwrap();
    }

    async fn open(&self, number: u64) {
        self.see(&format!("#proposal-{number}")).await.click().await.unwrap();
        self.says("main", &format!("#{number}")).await;
    }

    async fn receipts(&self) -> usize {
        self.web.find_all(By::Css(RECEIPT)).await.unwrap().len()
    }
}

/// Repeats that the API counts, once they no longer grow.
async fn settled_repeats(window: &Window, number: u64, at_least: u64) -> u64 {
    let patience = Instant::now() + PATIENCE;
    loop {
        let before = window.proposal(number).await["duplicates"]["count"].as_u64().unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let after = window.proposal(number).await["duplicates"]["count"].as_u64().unwrap();
        if before == after && after >= at_least {
            return after;
        }
        assert!(Instant::now() < patience, "{after} repeats, expected at least {at_least}");
    }
}

fn succeeded(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pressing_apply_many_times_applies_once_and_shows_the_receipt_with_the_count() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;

    window.press_button("Load the demo").await;
    window.see("[role=listbox]").await;
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
    let repeats = settled_repeats(&window, number, 4).await;
    assert_eq!(repeats, 4, "five presses: one applied, four repeats");

    // Enter, held on the button.
    window.see(APPLY).await.focus().await.unwrap();
    let mut held = window.web.action_chain();
    for _ in 0..20 {
        held = held.key_down(Key::Enter);
    }
    held.key_up(Key::Enter).perform().await.unwrap();
    let repeats = settled_repeats(&window, number, 5).await;

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
    window.press_button("Load the demo").await;
    window.see("[role=listbox]").await;
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
    assert_eq!(settled_repeats(&window, number, 1).await, 1);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_launch_and_a_link_speak_to_the_first_window_and_never_apply() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;
    window.press_button("Load the demo").await;
    window.see("[role=listbox]").await;
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
    window.press_button("Load the demo").await;
    window.see("[role=listbox]").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_is_for_our_own_page_with_its_token_only() {
    let Some(home) = Home::new() else { return };
    let window = home.window(&[]).await;
    window.press_button("Load the demo").await;
    window.see("[role=listbox]").await;
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

    // The page goes nowhere else, and opens nothing beside it.
    let place = "const opened = window.open('https://example.org/'); location.href = 'https://example.org/';
        await new Promise((done) => setTimeout(done, 500)); return [location.protocol + '//' + location.host, opened === null];";
    assert_eq!(window.run(place, vec![]).await, json!(["tauri://localhost", true]));
    window.close().await;
}
