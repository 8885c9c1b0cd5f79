//! An empty window: the same Tauri with the same features as the desktop, one page, no plugin. The
//! page names itself once it has been drawn, and the window takes that name, as the desktop does.

use tauri::WebviewWindowBuilder;

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .setup(|app| {
            let config = app.config().app.windows.first().expect("tauri.conf.json describes the window");
            WebviewWindowBuilder::from_config(app, config)?
                .on_document_title_changed(|window, title| drop(window.set_title(&title)))
                .build()?;
            Ok(())
        })
        .build(tauri::generate_context!())?
        .run(|_, _| ());
    Ok(())
}
