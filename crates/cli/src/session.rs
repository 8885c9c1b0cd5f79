//! Which store, which room, who acts, in which language: a flag, else the environment, else the
//! settings, else the default. One run of the program is one session.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use sekali_core::text::ActorName;
use sekali_core::{Code, Door, Lang};
use sekali_engine::places::{self, Places};
use sekali_engine::{Caller, Engine};
use sekali_store::StoreError;
use sekali_store_sqlite::{Options, SqliteStore};

use crate::args::Globals;
use crate::failure::{Both, Failed};
use crate::settings::Settings;
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
    settings: Result<Settings, Both>,
}

/// A store that was named, and by what.
pub(crate) struct NamedStore {
    pub(crate) path: PathBuf,
    by_settings: Option<PathBuf>,
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
            places.as_ref().map_or_else(|| Ok(Settings::default()), |p| Settings::read(&p.settings()));
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
        let settings = self.settings.as_ref().ok().and_then(|settings| settings.language);
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
            _ => Ok(session),
        }
    }

    fn settings(&self) -> Result<&Settings, Failed> {
        self.surroundings.settings.as_ref().map_err(|detail| {
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
        let said =
            self.globals.store.clone().or_else(|| (self.surroundings.env)("SEKALI_STORE").map(PathBuf::from));
        if let Some(path) = said {
            return Ok(NamedStore { path, by_settings: None });
        }
        if let Some(last) = self.settings()?.last_store.clone() {
            return Ok(NamedStore { path: last, by_settings: Some(self.places()?.settings()) });
        }
        Ok(NamedStore { path: self.places()?.store(), by_settings: None })
    }

    /// Where the store would be, for the start page, which never fails.
    pub(crate) fn store_hint(&self) -> Option<PathBuf> {
        self.named_store().ok().map(|named| named.path)
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
            None => self.settings()?.name.clone().or_else(|| os_user.clone()),
        };
        let name = name.ok_or_else(|| {
            Failed::usage(say::USE_NO_USER, &[]).hinted(say::HINT_AS.pick(self.lang).to_owned())
        })?;
        let name = ActorName::parse("as", &name)
            .map_err(|refusal| Failed::from(refusal).hinted(say::HINT_AS.pick(self.lang).to_owned()))?;
        Ok(Caller { name, door: Door::Cli, os_user })
    }

    pub(crate) fn open(&self) -> Result<Opened, Failed> {
        let caller = self.caller()?;
        let named = self.named_store()?;
        let store = SqliteStore::open(&named.path, Options::default()).map_err(|e| self.about(&named, e))?;
        Ok(opened(store, caller))
    }

    /// A failure to open or make a store; where the settings named it, that is worth knowing.
    pub(crate) fn about(&self, named: &NamedStore, error: StoreError) -> Failed {
        let code = error.code;
        let place = named.path.display();
        let failed = Failed::from(match error.said {
            Some(_) => error,
            None => error.said(format!("{}: {place}.", code.happened().trim_end_matches('.'))),
        });
        match &named.by_settings {
            Some(settings) if matches!(code, Code::StoreNotFound | Code::StoreExists) => {
                let settings = settings.display().to_string();
                failed.hinted(say::HINT_NAMED_BY_SETTINGS.fill(self.lang, &[("settings", &settings)]))
            }
            _ => failed,
        }
    }

    pub(crate) fn enter(&self) -> Result<InRoom, Failed> {
        let Opened { engine, caller, .. } = self.open()?;
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
