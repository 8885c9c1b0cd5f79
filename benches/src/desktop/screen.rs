//! Windows as the X server knows them: what they are called, and closing one as a person would.

use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask, Window,
};
use x11rb::rust_connection::RustConnection;

pub(crate) struct Screen {
    server: RustConnection,
    name: Atom,
    utf8: Atom,
    protocols: Atom,
    delete: Atom,
}

impl Screen {
    /// `None` where there is no X server.
    pub(crate) fn open() -> Option<Self> {
        let (server, screen) = RustConnection::connect(None).ok()?;
        let root = server.setup().roots[screen].root;
        let watch = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        server.change_window_attributes(root, &watch).ok()?.check().ok()?;
        let atom = |name: &str| Some(server.intern_atom(false, name.as_bytes()).ok()?.reply().ok()?.atom);
        let (name, utf8) = (atom("_NET_WM_NAME")?, atom("UTF8_STRING")?);
        let (protocols, delete) = (atom("WM_PROTOCOLS")?, atom("WM_DELETE_WINDOW")?);
        Some(Self { server, name, utf8, protocols, delete })
    }

    /// What happened on the screen so far is not waited for.
    pub(crate) fn forget(&self) {
        while let Ok(Some(_)) = self.server.poll_for_event() {}
    }

    /// The window that comes up from now on and is called so, as soon as it is.
    pub(crate) fn wait_for(&self, named: fn(&str) -> bool, patience: Duration) -> Option<Window> {
        let end = Instant::now() + patience;
        while Instant::now() < end {
            let window = match self.server.poll_for_event().ok()? {
                Some(Event::CreateNotify(made)) => {
                    let watch = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
                    self.server.change_window_attributes(made.window, &watch).ok()?;
                    made.window
                }
                Some(Event::PropertyNotify(changed)) if changed.atom == self.name => changed.window,
                Some(_) => continue,
                // The connection waits for ever or not at all; this much is lost of the figure at most.
                None => {
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                }
            };
            if self.name_of(window).is_some_and(|name| named(&name)) {
                return Some(window);
            }
        }
        None
    }

    /// Nothing for a window that has gone or has no name yet.
    fn name_of(&self, window: Window) -> Option<String> {
        let asked = self.server.get_property(false, window, self.name, self.utf8, 0, 1024).ok()?;
        String::from_utf8(asked.reply().ok()?.value).ok()
    }

    /// Asks a window to close, as the cross in its corner does.
    pub(crate) fn close(&self, window: Window) {
        let data = [self.delete, x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, self.protocols, data);
        // A window that has gone needs no closing; one that stays is noticed by whoever waits for its end.
        let _ = self.server.send_event(false, window, EventMask::NO_EVENT, message);
        let _ = self.server.flush();
    }
}
