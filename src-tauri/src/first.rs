//! The first screen, read while the window comes up, and given to the page with it: a page that had
//! to ask would wait for each answer before it knew the next question. It is the API's own answers,
//! word for word; whatever is not here is asked for as ever.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::scheme;
use crate::session::Session;
use serde_json::{Map, Value, json};

/// How long the window waits for it. A store that takes longer is shown as it comes.
const PATIENCE: Duration = Duration::from_millis(60);
/// What is larger is not worth carrying along.
const LARGEST: usize = 512 * 1024;

/// Begins to read it.
pub(crate) fn begin(session: &Arc<Session>) -> First {
    let (ready, wait) = mpsc::channel();
    let session = Arc::clone(session);
    tauri::async_runtime::spawn_blocking(move || {
        let first = tauri::async_runtime::block_on(gather(&session));
        // Nobody waits any more for what came too late.
        let _ = ready.send(first);
    });
    First { wait }
}

/// The first screen on its way.
pub(crate) struct First {
    wait: mpsc::Receiver<Option<Value>>,
}

impl First {
    /// The script that gives it to the page; nothing where there is none in time.
    fn script(self) -> Option<String> {
        let text = self.wait.recv_timeout(PATIENCE).ok().flatten()?.to_string();
        (text.len() <= LARGEST).then(|| {
            format!(
                "Object.defineProperty(window, '__SEKALI_FIRST__', {{ value: {text}, configurable: true }});"
            )
        })
    }

    /// Gives it to the page of a window that is still to be made.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn told<'a, M: tauri::Manager<tauri::Wry>>(
        self,
        builder: tauri::WebviewWindowBuilder<'a, tauri::Wry, M>,
    ) -> tauri::WebviewWindowBuilder<'a, tauri::Wry, M> {
        match self.script() {
            Some(script) => builder.initialization_script(script),
            None => builder,
        }
    }

    /// Gives it to the page of a window that was just made. Its page cannot begin before: the main
    /// thread, which this is, has yet to answer what it asks for.
    #[cfg(target_os = "linux")]
    pub(crate) fn give(self, window: &tauri::WebviewWindow) -> tauri::Result<()> {
        use webkit2gtk::{
            UserContentInjectedFrames, UserContentManagerExt as _, UserScript, UserScriptInjectionTime,
            WebViewExt as _,
        };
        let Some(script) = self.script() else { return Ok(()) };
        window.with_webview(move |view| {
            if let Some(contents) = view.inner().user_content_manager() {
                let (frames, time) = (UserContentInjectedFrames::TopFrame, UserScriptInjectionTime::Start);
                contents.add_script(&UserScript::new(&script, frames, time, &[], &[]));
            }
        })
    }
}

/// The session, and the answers to what its first screen asks, each under its address.
pub(crate) async fn gather(session: &Session) -> Option<Value> {
    let view = session.view();
    if !view.shows_a_store() {
        return Some(json!({ "session": view, "answers": {} }));
    }
    let mut answers = Map::new();
    let mut ask = async |address: String| {
        let answer = scheme::get(session, &address).await.ok()?;
        answers.insert(address, answer.clone());
        Some(answer)
    };
    ask("/v1/store".to_owned()).await?;
    let rooms = ask("/v1/rooms".to_owned()).await?;
    if let Some(room) = rooms["items"][0]["slug"].as_str() {
        let room = format!("/v1/rooms/{room}");
        ask(format!("{room}/members")).await?;
        let list = ask(format!("{room}/proposals?state=waiting&limit=100")).await?;
        let first = &list["items"][0];
        if let (Some(number), Some(revision)) = (first["proposal"].as_u64(), first["revision"].as_u64()) {
            ask(format!("{room}/proposals/{number}")).await?;
            ask(format!("{room}/proposals/{number}/diff?revision={revision}")).await?;
        }
    }
    Some(json!({ "session": view, "answers": answers }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Launch;

    #[test]
    fn the_first_screen_is_what_the_page_asks_for() {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::begin(Launch { name: Some("Ani".to_owned()), ..Launch::default() }).unwrap();
        let gather = || tauri::async_runtime::block_on(gather(&session)).unwrap();
        assert_eq!(gather()["answers"], json!({}), "no store is open");

        session.create(&folder.path().join("mine.db")).unwrap();
        let file = json!({ "format": "sekali.proposal/1", "title": "Harga", "changes": [{ "op": "put", "path": "a.txt", "text": "a" }] });
        let post = scheme::post(&session, "/v1/rooms/main/proposals", &file);
        tauri::async_runtime::block_on(post).unwrap();
        let first = gather();
        assert_eq!(first["session"]["token"], session.token());
        let answers = first["answers"].as_object().unwrap();
        let mut asked: Vec<_> = answers.keys().map(String::as_str).collect();
        asked.sort_unstable();
        // The same list is in ui/src/lib/host/first.test.ts.
        assert_eq!(
            asked,
            [
                "/v1/rooms",
                "/v1/rooms/main/members",
                "/v1/rooms/main/proposals/1",
                "/v1/rooms/main/proposals/1/diff?revision=1",
                "/v1/rooms/main/proposals?state=waiting&limit=100",
                "/v1/store",
            ]
        );
        assert_eq!(answers["/v1/rooms/main/proposals/1"]["title"], "Harga");
    }
}
