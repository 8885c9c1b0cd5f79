//! Embeds the configuration, and keeps the compiled-in SQLite to ourselves.

fn main() {
    // WebKitGTK and libsoup load the system's SQLite into this process. Were our symbols exported,
    // they would call our SQLite through their headers, of another version.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
    }
    tauri_build::build();
}
