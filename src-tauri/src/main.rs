//! The desktop window: it opens a store, serves the one API to its own page in-process, and does
//! what only a native program can. No rule of Sekali is here.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod deep_link;
#[cfg(target_os = "linux")]
mod drawing;
mod first;
mod scheme;
mod session;
mod settings;

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use tauri::webview::NewWindowResponse;
use tauri::{App, AppHandle, Emitter as _, Manager as _, RunEvent, Url, WebviewWindowBuilder};
use tauri_plugin_deep_link::DeepLinkExt as _;
use tauri_plugin_window_state::StateFlags;

use crate::deep_link::Opened;
use crate::session::{Launch, Session};

/// The label of the one window.
const WINDOW: &str = "main";

fn main() -> tauri::Result<()> {
    #[cfg(target_os = "linux")]
    drawing::prepare();
    tauri::Builder::default()
        // First: a second launch ends here, before it touches anything.
        .plugin(tauri_plugin_single_instance::init(|app, args, folder| {
            let args = args.into_iter().skip(1).map(OsString::from);
            show(app, &Opened::from_args(args, Path::new(&folder)));
        }))
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(
                    StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN,
                )
                .build(),
        )
        .register_asynchronous_uri_scheme_protocol(scheme::NAME, scheme::serve)
        .invoke_handler(tauri::generate_handler![
            commands::session,
            commands::store_create,
            commands::store_open,
            commands::store_demo,
            commands::store_close,
            commands::set_language,
            commands::settings_set_aside,
            commands::opened,
            commands::save_receipt,
        ])
        .setup(|app| Ok(set_up(app)?))
        .build(tauri::generate_context!())?
        .run(|app, event| {
            if let RunEvent::Exit = event {
                app.state::<Arc<Session>>().end();
            }
        });
    Ok(())
}

fn set_up(app: &App) -> tauri::Result<()> {
    let session = Session::begin(Launch::of_process())?;
    let first = first::begin(&session);
    app.manage(Arc::clone(&session));
    // Elsewhere a link comes as an argument of a launch.
    if cfg!(target_os = "macos") {
        let handle = app.handle().clone();
        app.deep_link().on_open_url(move |event| {
            for opened in event.urls().iter().filter_map(|url| Opened::from_link(url.as_str())) {
                show(&handle, &opened);
            }
        });
    }
    let config = app.config().app.windows.iter().find(|window| window.label == WINDOW);
    let config = config.expect("tauri.conf.json describes the window");
    let dev_server = app.config().build.dev_url.clone().filter(|_| tauri::is_dev());
    let builder = WebviewWindowBuilder::from_config(app, config)?;
    #[cfg(not(target_os = "linux"))]
    let builder = first.told(builder);
    let window = builder
        .on_navigation(move |url| is_ours(url, dev_server.as_ref()))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        // What is read, as task switchers show it. A name that cannot be set leaves the one before.
        .on_document_title_changed(|window, title| drop(window.set_title(&title)))
        .build()?;
    #[cfg(target_os = "linux")]
    {
        drawing::choose(&window)?;
        first.give(&window)?;
    }
    drop(window);
    Ok(())
}

/// Brings the window to the front and tells its page what to show.
fn show(app: &AppHandle, opened: &Opened) {
    if let Some(window) = app.get_webview_window(WINDOW) {
        // A window manager may refuse to raise it; there is nobody to tell.
        let _ = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    }
    if opened.is_empty() {
        return;
    }
    if let Some(session) = app.try_state::<Arc<Session>>() {
        session.keep_opened(opened);
    }
    if let Err(error) = app.emit_to(WINDOW, "opened", opened) {
        session::report(&error);
    }
}

/// Whether an address is our own page. Nothing else is ever shown in the window.
fn is_ours(url: &Url, dev_server: Option<&Url>) -> bool {
    let page = if cfg!(windows) { ("http", "tauri.localhost") } else { ("tauri", "localhost") };
    (url.scheme(), url.host_str().unwrap_or_default()) == page && url.port().is_none()
        || dev_server.is_some_and(|server| server.origin() == url.origin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(windows))]
    fn the_window_shows_our_own_page_only() {
        let check = |url: &str, dev: Option<&str>, ours: bool| {
            let dev = dev.map(|url| Url::parse(url).unwrap());
            assert_eq!(is_ours(&Url::parse(url).unwrap(), dev.as_ref()), ours, "{url}");
        };
        check("tauri://localhost/", None, true);
        check("tauri://localhost/index.html#x", None, true);
        check("tauri://localhost.example/", None, false);
        check("tauri://localhost:1/", None, false);
        check("api://localhost/v1/store", None, false);
        check("http://127.0.0.1:1420/", None, false);
        check("http://127.0.0.1:1420/", Some("http://127.0.0.1:1420"), true);
        check("http://127.0.0.1:1421/", Some("http://127.0.0.1:1420"), false);
        check("https://example.org/", Some("http://127.0.0.1:1420"), false);
        check("file:///etc/passwd", None, false);
        check("about:blank", None, false);
        check("data:text/html,x", None, false);
    }
}
