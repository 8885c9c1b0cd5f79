//! A home, a window in it, and what a person does there.

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
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// How long to leave a window alone between two looks: neither it nor the driver tells when it changes.
const LOOK_EVERY: Duration = Duration::from_millis(50);
pub(crate) const RECEIPT: &str = "[data-testid=receipt]";
pub(crate) const APPLY: &str = "button[aria-keyshortcuts=A]";

/// The demo room, and a proposal in it that waits and changes texts.
pub(crate) const ROOM: &str = "toko-mekar";
pub(crate) const READ: &str = "Restructure the returns policy";
/// Another one that waits, for the other process.
pub(crate) const OTHER: &str = "Remove the September promotion";

/// What a look gives, as soon as one gives something; nothing, once patience is at its end.
async fn comes<T>(look: impl AsyncFn() -> Option<T>) -> Option<T> {
    let patience = Instant::now() + PATIENCE;
    loop {
        match look().await {
            None if Instant::now() < patience => tokio::time::sleep(LOOK_EVERY).await,
            seen => return seen,
        }
    }
}

/// Waits until a look gives something, and fails where it never does.
pub(crate) async fn until<T>(what: &str, look: impl AsyncFn() -> Option<T>) -> T {
    comes(look).await.unwrap_or_else(|| panic!("waited in vain: {what}"))
}

/// A home of its own, with a bus of its own: a window in it is a first launch.
pub(crate) struct Home {
    folder: TempDir,
    bus: Child,
    bus_address: String,
    desktop: PathBuf,
    pub(crate) cli: PathBuf,
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
    /// `None`, with the reason printed, where a window cannot be opened here.
    pub(crate) fn new() -> Option<Self> {
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

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn demo(&self) -> PathBuf {
        self.path("data/sekali/demo-en.db")
    }

    /// A command that sees this home and nothing of the caller's.
    pub(crate) fn command(&self, program: &Path) -> Command {
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
            // Windows of one display would share one accessibility bus, which ends with the first of them
            // that made it; who then waits for another, does so for 25 s in GTK and 25 s in WebKitGTK.
            .env("AT_SPI_BUS_ADDRESS", &self.bus_address)
            .env("LANG", "C.UTF-8")
            .env("USER", "ani");
        command
    }

    pub(crate) fn sekali(&self, args: &[&str]) -> Output {
        self.command(&self.cli).args(args).output().expect("sekali runs")
    }

    /// Launches the program beside a window that is there.
    pub(crate) fn launch(&self, args: &[&str]) -> Output {
        self.command(&self.desktop).args(args).output().expect("sekali-desktop runs")
    }

    /// Whether a window of this home is there: the first one owns a name on the bus.
    pub(crate) fn is_open(&self) -> bool {
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
    pub(crate) async fn window(&self, args: &[&str]) -> Window {
        until("the window before ends", async || (!self.is_open()).then_some(())).await;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let driver = self
            .command(Path::new("WebKitWebDriver"))
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .process_group(0)
            .spawn()
            .expect("WebKitWebDriver starts");
        let driver = Ends(driver);
        until("WebKitWebDriver listens", async || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()).await;
        let mut capabilities = Capabilities::new();
        let options = json!({ "binary": self.desktop, "args": args });
        capabilities.set("webkitgtk:browserOptions", options).unwrap();
        let web =
            WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities).await.expect("the window opens");
        web.set_script_timeout(PATIENCE).await.unwrap();
        Window { web, _driver: driver }
    }
}

pub(crate) struct Window {
    pub(crate) web: WebDriver,
    _driver: Ends,
}

impl Window {
    pub(crate) async fn close(self) {
        self.web.quit().await.unwrap();
    }

    /// What a body of an async function in the page returns.
    pub(crate) async fn run(&self, body: &str, args: Vec<Value>) -> Value {
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
    pub(crate) async fn get(&self, path: &str) -> Value {
        let body = "const session = await window.__TAURI_INTERNALS__.invoke('session');
            const answer = await fetch(session.api + args[0], { headers: { 'Sekali-Token': session.token } });
            return { status: answer.status, body: await answer.json() };";
        let answer = self.run(body, vec![json!(path)]).await;
        assert_eq!(answer["status"], 200, "{path}: {answer}");
        answer["body"].clone()
    }

    pub(crate) async fn number(&self, title: &str) -> u64 {
        let list = self.get(&format!("/v1/rooms/{ROOM}/proposals?limit=200")).await;
        let found = list["items"].as_array().unwrap().iter().find(|item| item["title"] == title).cloned();
        found.unwrap_or_else(|| panic!("{title} is not in {list}"))["proposal"].as_u64().unwrap()
    }

    pub(crate) async fn proposal(&self, number: u64) -> Value {
        self.get(&format!("/v1/rooms/{ROOM}/proposals/{number}")).await
    }

    pub(crate) async fn see(&self, css: &str) -> WebElement {
        let query = self.web.query(By::Css(css)).wait(PATIENCE, LOOK_EVERY).and_displayed();
        match query.first().await {
            Ok(element) => element,
            Err(error) => panic!("{css} is not seen: {error}\n{}", self.text().await),
        }
    }

    /// What is written on the screen. Not by the driver's own reading, which leaves out what is cut short.
    pub(crate) async fn texts(&self, css: &str) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText)";
        self.web.execute(script, vec![json!(css)]).await.unwrap().convert().unwrap()
    }

    pub(crate) async fn text(&self) -> String {
        self.texts("body").await.concat()
    }

    /// Waits until one of the elements says something.
    pub(crate) async fn says(&self, css: &str, words: &str) -> String {
        let said = async || self.texts(css).await.into_iter().find(|text| text.contains(words));
        let Some(text) = comes(said).await else {
            panic!("{css} does not say {words:?}: {:?}\n{}", self.texts(css).await, self.text().await);
        };
        text
    }

    /// Loads the demo from the first screen, and waits for its inbox.
    pub(crate) async fn load_demo(&self) {
        self.press_button("Load the demo").await;
        self.see("[role=listbox]").await;
    }

    pub(crate) async fn press_button(&self, label: &str) {
        let xpath = format!("//button[contains(normalize-space(.), {label:?})]");
        let query = self.web.query(By::XPath(xpath)).wait(PATIENCE, LOOK_EVERY).and_clickable();
        query
            .first()
            .await
            .unwrap_or_else(|error| panic!("no button {label}: {error}"))
            .click()
            .await
            .unwrap();
    }

    pub(crate) async fn open(&self, number: u64) {
        self.see(&format!("#proposal-{number}")).await.click().await.unwrap();
        self.says("main", &format!("#{number}")).await;
    }

    pub(crate) async fn receipts(&self) -> usize {
        self.web.find_all(By::Css(RECEIPT)).await.unwrap().len()
    }
}
