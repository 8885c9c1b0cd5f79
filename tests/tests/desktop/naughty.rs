//! The big list of naughty strings on the screen: as titles, as reasons and as content. What is shown
//! is the text itself; none of it runs, becomes markup, or turns the text beside it round.

use std::sync::Arc;

use sekali_core::change::Submitted;
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{DocPath, Door};
use sekali_engine::{Caller, Engine, Failure};
use sekali_store_sqlite::{Options, SqliteStore};
use sekali_tests::corpora;
use serde_json::json;

use crate::window::{Home, Window};

const ROOM: &str = "main";
const DOCUMENT: &str = "naughty.txt";

struct Seed {
    engine: Engine,
    caller: Caller,
}

impl Seed {
    fn submit(&self, title: &str, why: &str, content: &str) -> Result<u64, Failure> {
        let path = DocPath::parse("changes[0].path", DOCUMENT)?;
        let changes = vec![Submitted::put(path, content)];
        let submission = Submission { why: why.to_owned(), ..Submission::new(title, changes) };
        Ok(self.engine.submit(&self.caller, ROOM, submission)?.number)
    }
}

/// What a line of a difference says: characters that cannot be seen, or that would turn their
/// neighbours round, are named instead of drawn.
fn drawn(line: &str) -> String {
    let unseen = |c: char| {
        matches!(u32::from(c),
            0..=8 | 0xa..=0x1f | 0x7f..=0x9f | 0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5
            | 0x180b..=0x180e | 0x200b | 0x200e | 0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164
            | 0xfe00..=0xfe0d | 0xfeff | 0xffa0 | 0xfff9..=0xfffb | 0xe0000..=0xe0fff)
    };
    let name = |c: char| match c {
        '\r' => "CR".to_owned(),
        c if unseen(c) => format!("U+{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    line.chars().map(name).collect()
}

impl Window {
    /// Anything that content could have brought to life.
    async fn harmless(&self) {
        let body = "const bad = 'img, iframe, object, embed, video, audio, form[action], base, meta[http-equiv], a[href]';
            return {
                ran: window.ran,
                scripts: [...document.scripts].filter((s) => !s.src.startsWith('tauri://localhost/assets/')).length,
                bad: [...document.body.querySelectorAll(bad)].map((e) => e.outerHTML),
                handlers: [...document.body.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())
                    .filter((name) => name.startsWith('on')),
            };";
        let found = self.run(body, vec![]).await;
        assert_eq!(found, json!({ "ran": [], "scripts": 0, "bad": [], "handlers": [] }));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn naughty_strings_are_text_on_the_screen() {
    let Some(corpora) = corpora() else { return };
    let Some(home) = Home::new() else { return };
    let list = std::fs::read_to_string(corpora.join("naughty-strings/blns.json")).unwrap();
    let strings: Vec<String> = serde_json::from_str(&list).unwrap();
    let path = home.path("naughty.db");
    let store = SqliteStore::create(&path, Options::default()).unwrap();
    let name = ActorName::parse("as", "ani").unwrap();
    let seed = Seed {
        engine: Engine::new(Arc::new(store)),
        caller: Caller { name, door: Door::Http, os_user: None },
    };
    seed.engine.create_room(&seed.caller, ROOM, "Main").unwrap();
    let mut titles = Vec::new();
    for naughty in &strings {
        if let Ok(number) = seed.submit(naughty, naughty, "x") {
            titles.push((number, naughty.clone()));
        }
    }
    assert!(titles.len() * 4 > strings.len() * 3, "most strings are titles: {}", titles.len());
    // Every line of every string, each between two lines that are sound.
    let lines: Vec<&str> = strings.iter().flat_map(|s| s.split('\n')).collect();
    let content = format!("{}\n", lines.join("\n"));
    let all = seed.submit("All of them", "", &content).unwrap();
    drop(seed);

    let window = home.window(&[path.to_str().unwrap()]).await;
    window.see("[role=listbox]").await;
    let hook = "window.ran = [];
        for (const name of ['alert', 'confirm', 'prompt', 'open', 'eval']) window[name] = (what) => window.ran.push(`${name} ${what}`);
        window.addEventListener('error', (event) => window.ran.push(String(event.message)));
        window.addEventListener('unhandledrejection', (event) => window.ran.push(String(event.reason)));
        document.addEventListener('securitypolicyviolation', (event) => window.ran.push(event.violatedDirective));";
    window.run(hook, vec![]).await;

    // The content, row by row as it scrolls by: its words, and its number still beside it.
    window.open(all).await;
    window.says("main", DOCUMENT).await;
    let rows = window
        .run(
            "const scroller = document.querySelector('main [role=region]');
             const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
             const rows = {};
             for (let top = 0; ; top += 300) {
                 scroller.scrollTo({ top });
                 await frames();
                 for (const row of document.querySelectorAll('main .row.unified')) {
                     const [, number, sign, text] = row.children;
                     const from = (element) => element.getBoundingClientRect().left;
                     rows[number.textContent] = [
                         text.textContent,
                         from(number) < from(sign) && from(sign) < from(text) && getComputedStyle(text).direction === 'ltr',
                     ];
                 }
                 if (top > scroller.scrollHeight) return rows;
             }",
            vec![],
        )
        .await;
    let rows = rows.as_object().unwrap();
    assert_eq!(rows.len(), lines.len(), "every line was on the screen");
    for (n, line) in lines.iter().enumerate() {
        let shown = &rows[&(n + 1).to_string()];
        assert_eq!(shown, &json!([drawn(line), true]), "line {}: {line:?}", n + 1);
    }
    window.harmless().await;

    // The titles: each is opened by its own row, and shown in the list, above the text, and as the name of the window.
    window.run("window.shown = {}; document.querySelector('[role=listbox]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));", vec![]).await;
    // A part at a time: each call has to end within the driver's patience.
    while window
        .run(
            "const box = document.querySelector('[role=listbox]');
             const soon = () => new Promise((done) => setTimeout(done, 0));
             const until = async (what) => { const end = Date.now() + 10000; while (!what()) { if (Date.now() > end) throw new Error(String(what)); await soon(); } };
             for (let n = 0; n < 40; n++) {
                 const selected = () => box.querySelector('[aria-selected=true]');
                 await until(() => selected() && selected().id !== window.before);
                 const row = selected();
                 const number = row.id.slice('proposal-'.length);
                 await until(() => document.querySelector('main h2')?.textContent.endsWith(` #${number}`));
                 const title = row.querySelector('[dir=auto]');
                 const left = (element) => element.getBoundingClientRect().left;
                 window.shown[number] = [
                     title.textContent,
                     document.querySelector('main h2').textContent.slice(0, -` #${number}`.length),
                     left(title.previousElementSibling) < left(title) && left(title) < left(row.querySelector('time')),
                 ];
                 window.before = row.id;
                 if (number === args[0]) return false;
                 box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
             }
             return true;",
            vec![json!(titles[0].0.to_string())],
        )
        .await
        == json!(true)
    {}
    let shown = window.run("return window.shown", vec![]).await;
    let shown = shown.as_object().unwrap();
    assert_eq!(shown.len(), titles.len() + 1, "every title was on the screen");
    for (number, title) in &titles {
        assert_eq!(shown[&number.to_string()], json!([title, title, true]), "#{number} {title:?}");
    }
    window.harmless().await;
    window.close().await;
}
