//! Where things are kept, for the desktop and the command line alike, and what the operating system
//! calls its user. Only names are made here; nothing is read, written or created but `/etc/passwd`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sekali_core::{Lang, StoreId};
use sekali_store::real_path;

/// The folders of one user, each ending in `sekali`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    data: PathBuf,
    state: PathBuf,
    config: PathBuf,
}

/// Whose conventions name the folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum System {
    /// The XDG Base Directory Specification.
    Xdg,
    MacOs,
    Windows,
}

const HERE: System = if cfg!(windows) {
    System::Windows
} else if cfg!(target_os = "macos") {
    System::MacOs
} else {
    System::Xdg
};

impl Places {
    /// The folders of the user who runs this; `None` where the environment names no home.
    pub fn of_user() -> Option<Self> {
        Self::from(HERE, |name| std::env::var_os(name))
    }

    fn from(system: System, env: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        // A relative folder would be another one from each working directory; XDG says to ignore it.
        let folder = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = folder("HOME");
        let within = |rest: &str| home.as_deref().map(|home| home.join(rest));
        let (data, state, config) = match system {
            System::Xdg => (
                folder("XDG_DATA_HOME").or_else(|| within(".local/share"))?,
                folder("XDG_STATE_HOME").or_else(|| within(".local/state"))?,
                folder("XDG_CONFIG_HOME").or_else(|| within(".config"))?,
            ),
            System::MacOs => {
                let library = within("Library/Application Support")?;
                (library.clone(), library.clone(), library)
            }
            System::Windows => {
                let local = folder("LOCALAPPDATA")?;
                (local.clone(), local.clone(), folder("APPDATA").unwrap_or(local))
            }
        };
        let own = |folder: PathBuf| folder.join("sekali");
        Some(Self { data: own(data), state: own(state), config: own(config) })
    }

    /// The store that is meant where none is named.
    pub fn store(&self) -> PathBuf {
        self.data.join("sekali.db")
    }

    /// The demo's own store.
    pub fn demo(&self, lang: Lang) -> PathBuf {
        self.data.join(format!("demo-{}.db", lang.as_str()))
    }

    /// The settings: name, language, last store.
    pub fn settings(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// What this machine holds on to for one store.
    pub fn claims(&self, store: StoreId) -> PathBuf {
        self.state.join(format!("{store}.claims"))
    }
}

/// The store's file and those beside it that belong to it, by where they really are: of a store that
/// a link names, those beside the file that the link leads to. None of them may be read as content,
/// written by an export, or opened through anything but `SQLite`.
pub fn of_store(store: &Path) -> [PathBuf; 8] {
    let store = real_path(store).unwrap_or_else(|_| store.to_owned());
    ["", "-wal", "-shm", "-journal", ".lock", ".turn", ".key", ".key.part"]
        .map(|suffix| beside(&store, suffix))
}

/// The file that everyone locks who writes into a store.
pub fn lock_of(store: &Path) -> PathBuf {
    beside(&real_path(store).unwrap_or_else(|_| store.to_owned()), ".lock")
}

fn beside(store: &Path, suffix: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The operating system's name for the user who runs this.
pub fn system_user() -> Option<String> {
    let named = |name: &str| std::env::var(name).ok().map(|n| n.trim().to_owned()).filter(|n| !n.is_empty());
    let names: &[&str] = if cfg!(windows) { &["USERNAME"] } else { &["USER", "LOGNAME"] };
    names.iter().copied().find_map(named).or_else(by_id)
}

/// Services and containers run without `USER`; then the number of the user says who it is.
#[cfg(target_os = "linux")]
fn by_id() -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    let uid = std::fs::metadata("/proc/self").ok()?.uid();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    Some(name_of(&users, uid).unwrap_or_else(|| format!("uid-{uid}")))
}

#[cfg(not(target_os = "linux"))]
fn by_id() -> Option<String> {
    None
}

#[cfg(any(target_os = "linux", test))]
fn name_of(passwd: &str, uid: u32) -> Option<String> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        let id: u32 = fields.nth(1)?.parse().ok()?;
        (id == uid && !name.is_empty()).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_folders() {
        let check = |system, env: &[(&str, &str)], expected: Option<(&str, &str)>| {
            let places = Places::from(system, |name| {
                env.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            });
            let got = places.map(|p| (p.store(), p.settings()));
            let expected = expected.map(|(store, settings)| (PathBuf::from(store), PathBuf::from(settings)));
            assert_eq!(got, expected, "{system:?} {env:?}");
        };
        check(
            System::Xdg,
            &[("HOME", "/home/ani")],
            Some(("/home/ani/.local/share/sekali/sekali.db", "/home/ani/.config/sekali/config.toml")),
        );
        check(
            System::Xdg,
            &[("HOME", "/home/ani"), ("XDG_DATA_HOME", "/data"), ("XDG_CONFIG_HOME", "relative")],
            Some(("/data/sekali/sekali.db", "/home/ani/.config/sekali/config.toml")),
        );
        check(System::Xdg, &[], None);
        check(System::Xdg, &[("HOME", "")], None);
        check(
            System::MacOs,
            &[("HOME", "/Users/ani")],
            Some((
                "/Users/ani/Library/Application Support/sekali/sekali.db",
                "/Users/ani/Library/Application Support/sekali/config.toml",
            )),
        );
        #[cfg(not(windows))]
        check(
            System::Windows,
            &[("LOCALAPPDATA", "/local"), ("APPDATA", "/roaming")],
            Some(("/local/sekali/sekali.db", "/roaming/sekali/config.toml")),
        );
    }

    #[test]
    fn a_demo_has_a_store_of_its_own_in_each_language() {
        let places = Places::from(System::Xdg, |name| (name == "HOME").then(|| "/h".into())).unwrap();
        assert_eq!(places.demo(Lang::Id), Path::new("/h/.local/share/sekali/demo-id.db"));
        assert_ne!(places.demo(Lang::Id), places.demo(Lang::En));
        let id = StoreId::from_bytes([0x11; 16]);
        let claims = "/h/.local/state/sekali/11111111-1111-1111-1111-111111111111.claims";
        assert_eq!(places.claims(id), Path::new(claims));
    }

    #[test]
    fn a_user_is_found_by_number() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nani:x:1000:1000::/home/ani:/bin/sh\nbroken\n";
        assert_eq!(name_of(passwd, 1000).as_deref(), Some("ani"));
        assert_eq!(name_of(passwd, 0).as_deref(), Some("root"));
        assert_eq!(name_of(passwd, 7), None);
    }
}
