//! Which store, which room, who acts, in which language: a flag, else the environment, else the
//! settings, else the default. One run of the program is one session.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sekali_core::text::ActorName;
use sekali_core::{Code, Door, Lang};
use sekali_engine::places::{self, Places};
use sekali_engine::settings::Settings;
use sekali_engine::{Caller, Engine};
use sekali_store::StoreError;
use sekali_store_sqlite::{Options, SqliteStore};

use crate::args::Globals;
use crate::failure::{Both, Failed};
use crate::settings::{self, Kept};
use crate::show;
use crate::text::say;

/// Everything that was said before an order is carried out.
pub(crate) struct Session {
    pub(crate) lang: Lang,
    pub(crate) json: bool,
    globals: Globals,
    surroundings: Surroundings,
}

/// What the operating system and the user's files say.
pub(crate) struct Surroundings {
    env: fn(&str) -> Option<OsString>,
    pub(crate) places: Option<Places>,
    settings: Result<Kept, Both>,
}

/// A store that was named, and by what.
pub(crate) struct NamedStore {
    pub(crate) path: PathBuf,
    by: By,
}

/// What names a store.
#[derive(Debug, Clone, PartialEq, Eq)]
enum By {
    Flag,
    Environment,
    /// The settings in this file.
    Settings(PathBuf),
    Default,
}

impl NamedStore {
    /// The path, and what named it.
    pub(crate) fn told(&self, lang: Lang) -> String {
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        format!("{} ({})", show::clean(&path.display().to_string()), self.by(lang))
    }

    /// What named it.
    pub(crate) fn by(&self, lang: Lang) -> String {
        match &self.by {
            By::Flag => "--store".to_owned(),
            By::Environment => "SEKALI_STORE".to_owned(),
            By::Settings(file) => {
                let file = file.display().to_string();
                say::BY_SETTINGS.fill(lang, &[("settings", &show::clean(&file))])
            }
            By::Default => say::BY_DEFAULT.pick(lang).to_owned(),
        }
    }
}

/// An opened store with the engine over it.
pub(crate) struct Opened {
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) engine: Engine,
    pub(crate) caller: Caller,
}

/// An opened store and the room in it.
pub(crate) struct InRoom {
    pub(crate) engine: Engine,
    pub(crate) caller: Caller,
    /// Its slug.
    pub(crate) room: String,
}

impl Surroundings {
    pub(crate) fn look() -> Self {
        let places = Places::of_user();
        let settings =
            places.as_ref().map_or_else(|| Ok(Kept::default()), |p| settings::of_file(&p.settings()));
        // An empty variable says nothing.
        let env = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Self { env, places, settings }
    }

    fn text(&self, name: &str) -> Result<Option<String>, Failed> {
        let Some(value) = (self.env)(name) else { return Ok(None) };
        value.into_string().map(Some).map_err(|_| Failed::usage(say::USE_ENV_UTF8, &[("name", name)]))
    }

    /// The language where no flag names one. What is wrong in the environment is said later, by
    /// the order that reads it; the language of that sentence must not depend on it.
    pub(crate) fn lang(&self) -> Lang {
        let tag = |name: &str| (self.env)(name).and_then(|value| Lang::from_tag(&value.to_string_lossy()));
        let settings = self.settings.as_ref().ok().and_then(|kept| kept.settings.language);
        // Of the system's three the first that is set counts, whether we speak it or not.
        let system = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(|name| (self.env)(name).is_some());
        tag("SEKALI_LANG").or(settings).or_else(|| system.and_then(tag)).unwrap_or_default()
    }
}

impl Session {
    pub(crate) fn new(lang: Lang, globals: Globals, surroundings: Surroundings) -> Result<Self, Failed> {
        let session = Self { lang, json: globals.json, globals, surroundings };
        match session.surroundings.text("SEKALI_LANG")? {
            Some(tag) if Lang::from_tag(&tag).is_none() => {
                Err(Failed::usage(say::USE_ENV_LANG, &[("value", &format!("{tag:?}"))]))
            }
            _ => {
                session.warn_of_unknown_settings();
                Ok(session)
            }
        }
    }

    /// A key that nothing reads was meant to say something. Programs read standard error as JSON.
    fn warn_of_unknown_settings(&self) {
        let (Ok(kept), Some(places), false) =
            (&self.surroundings.settings, &self.surroundings.places, self.json)
        else {
            return;
        };
        for unknown in &kept.unknown {
            let (file, sentence) = (places.settings(), unknown.sentence(self.lang));
            show::warning(self.lang, &format!("{}:{}: {sentence}", file.display(), unknown.line));
        }
    }

    fn settings(&self) -> Result<&Settings, Failed> {
        self.surroundings.settings.as_ref().map(|kept| &kept.settings).map_err(|detail| {
            Failed::Usage { detail: detail.clone(), hint: None }
                .hinted(say::HINT_SETTINGS.pick(self.lang).to_owned())
        })
    }

    pub(crate) fn places(&self) -> Result<&Places, Failed> {
        self.surroundings.places.as_ref().ok_or_else(|| {
            Failed::usage(say::USE_NO_HOME, &[]).hinted(say::HINT_NO_HOME.pick(self.lang).to_owned())
        })
    }

    /// The store that `--store` names. The demo reads nothing else, lest it touch a real one.
    pub(crate) fn flagged_store(&self) -> Option<PathBuf> {
        self.globals.store.clone()
    }

    /// The store that is meant.
    pub(crate) fn named_store(&self) -> Result<NamedStore, Failed> {
        match self.flagged_store() {
            Some(path) => Ok(NamedStore { path, by: By::Flag }),
            None => self.followed_store(),
        }
    }

    /// The store that a command without `--store` is about.
    pub(crate) fn followed_store(&self) -> Result<NamedStore, Failed> {
        if let Some(path) = self.store_in_environment() {
            return Ok(NamedStore { path, by: By::Environment });
        }
        if let Some(path) = self.settings()?.last_store.clone() {
            return Ok(NamedStore { path, by: By::Settings(self.places()?.settings()) });
        }
        Ok(NamedStore { path: self.places()?.store(), by: By::Default })
    }

    /// Where a new store is made. What the desktop opened last is never that place: it is there already.
    pub(crate) fn new_store(&self) -> Result<NamedStore, Failed> {
        if let Some(path) = self.flagged_store() {
            return Ok(NamedStore { path, by: By::Flag });
        }
        if let Some(path) = self.store_in_environment() {
            return Ok(NamedStore { path, by: By::Environment });
        }
        Ok(NamedStore { path: self.places()?.store(), by: By::Default })
    }

    fn store_in_environment(&self) -> Option<PathBuf> {
        (self.surroundings.env)("SEKALI_STORE").map(PathBuf::from)
    }

    /// A command as it has to be written for the same store and room.
    pub(crate) fn line(&self, command: &str) -> String {
        let mut line = format!("sekali {command}");
        if let Some(store) = &self.globals.store {
            line.extend([" --store ", &show::shell_path(store)]);
        }
        if let Some(room) = &self.globals.room {
            line.extend([" --room ", &show::shell_word(room)]);
        }
        line
    }

    /// The room that is named, if one is.
    pub(crate) fn named_room(&self) -> Result<Option<String>, Failed> {
        match &self.globals.room {
            Some(room) => Ok(Some(room.clone())),
            None => self.surroundings.text("SEKALI_ROOM"),
        }
    }

    /// Who acts.
    pub(crate) fn caller(&self) -> Result<Caller, Failed> {
        let os_user = places::system_user();
        let said = match &self.globals.actor {
            Some(name) => Some(name.clone()),
            None => self.surroundings.text("SEKALI_AS")?,
        };
        let name = match said {
            Some(name) => Some(name),
            None => match &self.settings()?.name {
                Some(name) => return Ok(Caller { name: name.clone(), door: Door::Cli, os_user }),
                None => os_user.clone(),
            },
        };
        let name = name.ok_or_else(|| {
            Failed::usage(say::USE_NO_USER, &[]).hinted(say::HINT_AS.pick(self.lang).to_owned())
        })?;
        let name = ActorName::parse("as", &name)
            .map_err(|refusal| Failed::from(refusal).hinted(say::HINT_AS.pick(self.lang).to_owned()))?;
        Ok(Caller { name, door: Door::Cli, os_user })
    }

    pub(crate) fn open(&self) -> Result<Opened, Failed> {
        let (named, opened) = self.open_silently()?;
        // What nobody said in this window is worth a line to whoever looks at it.
        if matches!(named.by, By::Settings(_)) && !self.json {
            show::remark_on_terminal(say::STORE_USED.fill(self.lang, &[("store", &named.told(self.lang))]));
        }
        Ok(opened)
    }

    fn open_silently(&self) -> Result<(NamedStore, Opened), Failed> {
        let caller = self.caller()?;
        let named = self.named_store()?;
        let store = SqliteStore::open(&named.path, Options::default()).map_err(|e| self.about(&named, e))?;
        Ok((named, opened(store, caller)))
    }

    /// A failure to open or make a store, with the line that goes on from there.
    pub(crate) fn about(&self, named: &NamedStore, error: StoreError) -> Failed {
        let code = error.code;
        let place = named.path.display();
        let failed = Failed::from(match error.said {
            Some(_) => error,
            None => error.said(format!("{}: {place}.", code.happened().trim_end_matches('.'))),
        });
        let path = show::shell_path(&named.path);
        let fill = |text: crate::text::Text| text.fill(self.lang, &[("store", &path)]);
        match (code, &named.by) {
            (Code::StoreNotFound, By::Settings(file)) => {
                let settings = file.display().to_string();
                failed.hinted(say::HINT_NAMED_BY_SETTINGS.fill(self.lang, &[("settings", &settings)]))
            }
            (Code::StoreNotFound, By::Flag) => failed.hinted(fill(say::HINT_MAKE_STORE)),
            (Code::StoreExists, _) => failed.hinted(fill(say::HINT_STORE_EXISTS)),
            _ => failed,
        }
    }

    /// Where a new store is not the one that commands go to: that, and the line that has them go there.
    pub(crate) fn to_follow(&self, made: &Path) -> Option<(String, String)> {
        let followed = self.followed_store().ok()?;
        let real = |path: &Path| path.canonicalize().ok();
        if real(&followed.path) == real(made) {
            return None;
        }
        let told = say::INIT_FOLLOWS.fill(self.lang, &[("other", &followed.told(self.lang))]);
        Some((told, show::export_line(made)))
    }

    pub(crate) fn enter(&self) -> Result<InRoom, Failed> {
        self.in_room(self.open()?)
    }

    /// The same for a look at why an order failed: which store it is was said.
    pub(crate) fn enter_again(&self) -> Result<InRoom, Failed> {
        self.in_room(self.open_silently()?.1)
    }

    fn in_room(&self, Opened { engine, caller, .. }: Opened) -> Result<InRoom, Failed> {
        let room = self.room_of(&engine)?;
        Ok(InRoom { engine, caller, room })
    }

    /// The room that is named, or the only one.
    pub(crate) fn room_of(&self, engine: &Engine) -> Result<String, Failed> {
        if let Some(name) = self.named_room()? {
            return Ok(engine.room(&name)?.slug);
        }
        match engine.only_room() {
            Ok(room) => Ok(room.slug),
            Err(none) if none.code() == Code::RoomNotFound => {
                Err(Failed::from(none).hinted(say::HINT_ADD_ROOM.pick(self.lang).to_owned()))
            }
            Err(failure) => Err(failure.into()),
        }
    }
}

/// The engine over a store that was just opened or made.
pub(crate) fn opened(store: SqliteStore, caller: Caller) -> Opened {
    let store = Arc::new(store);
    let engine = Engine::new(Arc::clone(&store) as Arc<dyn sekali_store::Store>);
    Opened { store, engine, caller }
}
