//! Embeds the configuration, as the desktop's own build does.

fn main() {
    tauri_build::build();
}
