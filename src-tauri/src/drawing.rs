//! How the page is drawn on Linux. `WebKitGTK` draws through OpenGL; where there is no graphics
//! processor, as on most virtual machines and remote desktops, that is emulated on the processor,
//! which costs some 90 MiB and a third of the time until the first screen. There the page is drawn
//! without that detour. Other systems decide this by themselves.

use std::path::Path;

use tauri::WebviewWindow;
use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt as _, WebViewExt as _, glib};

/// Keeps GTK from loading drivers for OpenGL, which takes a tenth of the time until the first screen.
/// To be called before there is another thread: it is said to GTK by its environment, and whoever has
/// said something there already is left alone.
///
/// `WEBKIT_DISABLE_COMPOSITING_MODE` would keep `WebKitGTK` from it too, but a busy machine then waits
/// for half a second: a window that changes its size while its page comes up waits for a process that
/// waits for the window.
pub(crate) fn prepare() {
    if !wanted() {
        // It fails for a name with `=` in it.
        let _ = glib::setenv("GDK_GL", "disable", false);
    }
}

/// Chooses, before the page is first drawn. `SEKALI_GRAPHICS` says `on` or `off` where this would
/// choose wrongly: a driver that draws nothing, a tool that takes pictures through the compositor.
pub(crate) fn choose(window: &WebviewWindow) -> tauri::Result<()> {
    if wanted() {
        return Ok(());
    }
    window.with_webview(|view| {
        if let Some(settings) = view.inner().settings() {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        }
    })
}

fn wanted() -> bool {
    uses_graphics(std::env::var("SEKALI_GRAPHICS").ok().as_deref(), Path::new("/dev"))
}

fn uses_graphics(said: Option<&str>, devices: &Path) -> bool {
    match said {
        Some("on") => true,
        Some("off") => false,
        _ => has_graphics_processor(devices),
    }
}

/// Whether the kernel offers one: `dri/renderD*` from its own drivers, others under names of theirs.
/// Whatever else there may be counts as none only if all of these are missing.
fn has_graphics_processor(devices: &Path) -> bool {
    let of_maker = ["nvidiactl", "dxg", "kgsl-3d0", "mali0", "pvr_sync"];
    let render = std::fs::read_dir(devices.join("dri")).is_ok_and(|mut dri| {
        dri.any(|node| node.is_ok_and(|n| n.file_name().to_string_lossy().starts_with("renderD")))
    });
    render || of_maker.iter().any(|name| devices.join(name).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graphics_processor_is_known_by_its_device() {
        let check = |files: &[&str], expected: bool| {
            let devices = tempfile::tempdir().unwrap();
            for file in files {
                let path = devices.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "").unwrap();
            }
            assert_eq!(uses_graphics(None, devices.path()), expected, "{files:?}");
            assert!(uses_graphics(Some("on"), devices.path()) && !uses_graphics(Some("off"), devices.path()));
        };
        check(&[], false);
        check(&["dri/renderD128"], true);
        // A screen without a processor behind it, as a plain virtual machine has.
        check(&["dri/card0", "fb0"], false);
        check(&["nvidiactl"], true);
        check(&["dxg"], true);
    }
}
