//! What the page asks of the operating system: dialogs, files, and which store is open. All else
//! goes through the API. Each command works off the main thread, so the window never freezes, and
//! refuses with the problem object of the API.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sekali_api::Problem;
use sekali_core::{Code, Lang, Refusal};
use sekali_store::StoreError;
use serde_json::{Value, json};
use tauri::{AppHandle, Manager as _, State, Wry};
use tauri_plugin_dialog::{DialogExt as _, FileDialogBuilder, FilePath};

use crate::deep_link::Opened;
use crate::scheme;
use crate::session::{Session, View};

type Answer<T> = Result<T, Problem>;

/// The session: token, language, which store is open and why not.
#[tauri::command]
pub(crate) async fn session(session: State<'_, Arc<Session>>) -> Answer<View> {
    blocking(&session, |session| Ok(session.view())).await
}

/// Makes a store at a path; without one, asks for it. The session as it was where nobody answers.
#[tauri::command]
pub(crate) async fn store_create(
    app: AppHandle,
    session: State<'_, Arc<Session>>,
    path: Option<PathBuf>,
) -> Answer<View> {
    blocking(&session, move |session| {
        let asked = || {
            let dialog = store_dialog(&app, session).set_file_name("sekali.db");
            chosen(dialog.blocking_save_file())
        };
        match path.or_else(asked) {
            Some(path) => session.create(&path),
            None => Ok(session.view()),
        }
    })
    .await
}

/// Opens the store at a path; without one, asks for it. The session as it was where nobody answers.
#[tauri::command]
pub(crate) async fn store_open(
    app: AppHandle,
    session: State<'_, Arc<Session>>,
    path: Option<PathBuf>,
) -> Answer<View> {
    blocking(&session, move |session| {
        match path.or_else(|| chosen(store_dialog(&app, session).blocking_pick_file())) {
            Some(path) => session.open_path(&path),
            None => Ok(session.view()),
        }
    })
    .await
}

/// Opens the demo of a language, made where it is not there yet.
#[tauri::command]
pub(crate) async fn store_demo(session: State<'_, Arc<Session>>, language: Lang) -> Answer<View> {
    blocking(&session, move |session| session.open_demo(language)).await
}

/// Closes the store: back to the start page.
#[tauri::command]
pub(crate) async fn store_close(session: State<'_, Arc<Session>>) -> Answer<View> {
    blocking(&session, |session| Ok(session.close())).await
}

/// Sets the language of the window.
#[tauri::command]
pub(crate) async fn set_language(session: State<'_, Arc<Session>>, language: Lang) -> Answer<()> {
    blocking(&session, move |session| {
        session.set_language(language);
        Ok(())
    })
    .await
}

/// Keeps settings in which something is wrong under another name, and begins new ones.
#[tauri::command]
pub(crate) async fn settings_set_aside(session: State<'_, Arc<Session>>) -> Answer<View> {
    blocking(&session, Session::set_settings_aside).await
}

/// What another launch or a link asked to be shown before the page listened for it.
#[tauri::command]
pub(crate) async fn opened(session: State<'_, Arc<Session>>) -> Answer<Option<Opened>> {
    blocking(&session, |session| Ok(session.take_opened())).await
}

/// Saves the receipt of an applied proposal where the person says; `None` where they do not.
/// Refused with the problem object that the API gave.
#[tauri::command]
pub(crate) async fn save_receipt(
    app: AppHandle,
    session: State<'_, Arc<Session>>,
    room: String,
    number: u64,
) -> Result<Option<PathBuf>, Value> {
    let receipt = receipt(&session, &room, number).await?;
    let saved = blocking(&session, move |session| {
        let word = session.language().pick("receipt", "bukti");
        let slug = receipt["room"]["slug"].as_str().unwrap_or_default();
        let dialog =
            dialog(&app).add_filter("JSON", &["json"]).set_file_name(format!("{word}-{slug}-{number}.json"));
        let Some(path) = chosen(dialog.blocking_save_file()) else {
            return Ok(None);
        };
        write_receipt(&path, &receipt).map_err(|error| session.problem(&error.into()))?;
        Ok(Some(path))
    })
    .await;
    saved.map_err(|problem| json!(problem))
}

/// The receipt with the room it belongs to, from the same routes as everything else.
async fn receipt(session: &Arc<Session>, room: &str, number: u64) -> Result<Value, Value> {
    // A slug or an id: nothing that would lead the address elsewhere.
    let plain = room.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let refusal = Refusal::new(Code::RoomNotFound, format!("There is no room {room:?} in this store."));
    if !plain {
        return refused(session, refusal).await;
    }
    let room = scheme::get(session, &format!("/v1/rooms/{room}")).await?;
    let slug = room["slug"].as_str().unwrap_or_default();
    let proposal = scheme::get(session, &format!("/v1/rooms/{slug}/proposals/{number}")).await?;
    if proposal["receipt"].is_null() {
        let refusal =
            Refusal::new(Code::ProposalNotFound, format!("#{number} is not applied, so it has no receipt."));
        return refused(session, refusal).await;
    }
    Ok(json!({
        "room": { "id": room["id"], "slug": room["slug"], "title": room["title"] },
        "title": proposal["title"],
        "receipt": proposal["receipt"],
    }))
}

async fn refused<T: Send + 'static>(session: &Arc<Session>, refusal: Refusal) -> Result<T, Value> {
    let refused = blocking(session, move |session| Err(session.problem(&refusal.into()))).await;
    refused.map_err(|problem| json!(problem))
}

fn write_receipt(path: &Path, receipt: &Value) -> Result<(), StoreError> {
    let text = format!("{receipt:#}\n");
    std::fs::write(path, text).map_err(|e| {
        StoreError::caused(
            Code::StoreIo,
            format!("The receipt could not be written to {}.", path.display()),
            e,
        )
    })
}

/// Does work that waits, for a disk or for a person, away from the threads that serve the window.
async fn blocking<T: Send + 'static>(
    session: &Arc<Session>,
    work: impl FnOnce(&Session) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let session = Arc::clone(session);
    let done = tauri::async_runtime::spawn_blocking(move || work(&session)).await;
    done.unwrap_or_else(|error| {
        let defect =
            StoreError::caused(Code::Internal, "A command of the window stopped unexpectedly.", error);
        crate::session::report(&defect);
        Err(Problem::failed(&defect, Lang::En))
    })
}

fn dialog(app: &AppHandle) -> FileDialogBuilder<Wry> {
    let dialog = app.dialog().file();
    match app.get_webview_window(crate::WINDOW) {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

fn store_dialog(app: &AppHandle, session: &Session) -> FileDialogBuilder<Wry> {
    let dialog = dialog(app).add_filter("Sekali", &["db"]);
    let home = || app.path().document_dir().or_else(|_| app.path().home_dir()).ok();
    match session.folder().filter(|folder| folder.is_dir()).or_else(home) {
        Some(folder) => dialog.set_directory(folder),
        None => dialog,
    }
}

fn chosen(path: Option<FilePath>) -> Option<PathBuf> {
    path?.into_path().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Launch;

    #[test]
    fn a_receipt_is_saved_for_what_was_applied_and_refused_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::begin(Launch { name: Some("Ani".to_owned()), ..Launch::default() }).unwrap();
        session.create(&folder.path().join("mine.db")).unwrap();
        let receipt = |room: &str, number| tauri::async_runtime::block_on(receipt(&session, room, number));
        let refused = |room: &str, number| receipt(room, number).unwrap_err()["code"].clone();
        assert_eq!(refused("main", 1), "proposal.not_found");
        assert_eq!(refused("../main", 1), "room.not_found");
        assert_eq!(refused("none", 1), "room.not_found");

        let post = |path: &str, body: Value| {
            let answer = scheme::post(&session, path, &body);
            tauri::async_runtime::block_on(answer).unwrap()
        };
        let file = json!({ "format": "sekali.proposal/1", "title": "Harga", "changes": [{ "op": "put", "path": "a.txt", "text": "a" }] });
        let proposed = post("/v1/rooms/main/proposals", file);
        assert_eq!(refused("main", 1), "proposal.not_found", "it waits");
        let applied = post("/v1/rooms/main/proposals/1/apply", json!({ "digest": proposed["digest"] }));

        let saved = folder.path().join("receipt.json");
        write_receipt(&saved, &receipt("main", 1).unwrap()).unwrap();
        let saved: Value = serde_json::from_slice(&std::fs::read(saved).unwrap()).unwrap();
        assert_eq!((&saved["title"], &saved["room"]["slug"]), (&json!("Harga"), &json!("main")));
        assert_eq!(
            (&saved["receipt"]["seq"], &saved["receipt"]["digest"]),
            (&applied["seq"], &proposed["digest"])
        );
        assert_eq!(saved["receipt"]["door"], "desktop");
        let error = write_receipt(folder.path(), &saved).unwrap_err();
        assert_eq!(error.code, Code::StoreIo);
    }
}
