//! The one session of this window: which store is open, who acts, in which language, and the token
//! that opens the API to our own page. Everything here blocks; commands call it off the main thread.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::JoinHandle;

use sekali_api::Problem;
use sekali_core::text::ActorName;
use sekali_core::{Code, Door, Lang, Refusal};
use sekali_engine::places::{self, Places};
use sekali_engine::settings::Settings;
use sekali_engine::{Caller, Engine, Failure, demo};
use sekali_store::StoreError;
use sekali_store_sqlite::{Options, SqliteStore};
use serde::Serialize;

use crate::deep_link::Opened;
use crate::scheme;
use crate::settings;

/// The room that a new store begins with.
const FIRST_ROOM: &str = "main";

/// What a launch was given.
#[derive(Debug, Clone, Default)]
pub(crate) struct Launch {
    /// By its arguments.
    pub(crate) opened: Opened,
    /// `SEKALI_STORE`.
    pub(crate) store: Option<PathBuf>,
    /// `SEKALI_AS`.
    pub(crate) name: Option<String>,
    /// `SEKALI_LANG`.
    pub(crate) language: Option<String>,
    /// The operating system's language.
    pub(crate) locale: Option<String>,
    /// The user's folders, where the environment names a home.
    pub(crate) places: Option<Places>,
}

impl Launch {
    /// What this process was given.
    pub(crate) fn of_process() -> Self {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let text = |value: OsString| value.to_string_lossy().into_owned();
        Self {
            opened: Opened::from_args(
                std::env::args_os().skip(1),
                &std::env::current_dir().unwrap_or_default(),
            ),
            store: named("SEKALI_STORE")
                .map(|path| std::path::absolute(&path).unwrap_or_else(|_| path.into())),
            name: named("SEKALI_AS").map(text),
            language: named("SEKALI_LANG").map(text),
            locale: sys_locale::get_locale(),
            places: Places::of_user(),
        }
    }
}

/// An open store and the routes over it.
pub(crate) struct OpenStore {
    path: PathBuf,
    router: axum::Router,
}

impl OpenStore {
    /// The routes.
    pub(crate) fn router(&self) -> axum::Router {
        self.router.clone()
    }
}

/// What the page is told of its session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct View {
    token: String,
    api: &'static str,
    store: Option<ViewStore>,
    language: Lang,
    name: String,
    version: &'static str,
    recent: Vec<String>,
    problem: Option<Problem>,
    /// What is wrong in the settings file; the window goes on with defaults.
    settings_problem: Option<Problem>,
}

/// The store that is open; beside a problem, the one that could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ViewStore {
    path: String,
}

impl View {
    /// Whether the page shows a store, not the start page.
    pub(crate) fn shows_a_store(&self) -> bool {
        self.store.is_some() && self.problem.is_none()
    }
}

/// The session.
pub(crate) struct Session {
    launch: Launch,
    token: String,
    /// The store that requests go to. Apart from `state`, so that none waits for one being opened.
    open: RwLock<Option<Arc<OpenStore>>>,
    state: Mutex<State>,
    beginning: Mutex<Option<JoinHandle<()>>>,
    waiting: Mutex<Waiting>,
}

struct State {
    language: Lang,
    /// Why the store of the launch, or the last one, is not open.
    problem: Option<(Failure, Option<PathBuf>)>,
}

/// What was asked to be shown before the page could hear of it.
#[derive(Default)]
struct Waiting {
    heard: bool,
    opened: Option<Opened>,
}

impl Session {
    /// Makes the session and begins to open the store of this launch, beside the window that comes
    /// up meanwhile.
    ///
    /// # Errors
    /// Where the operating system gives no random bytes or no thread.
    pub(crate) fn begin(launch: Launch) -> std::io::Result<Arc<Self>> {
        let session = Arc::new(Self::new(launch)?);
        let beginner = Arc::clone(&session);
        let handle =
            std::thread::Builder::new().name("open-store".to_owned()).spawn(move || beginner.open_first())?;
        *lock(&session.beginning) = Some(handle);
        Ok(session)
    }

    fn new(launch: Launch) -> std::io::Result<Self> {
        let mut token = [0; 32];
        getrandom::fill(&mut token).map_err(std::io::Error::other)?;
        let first = Opened { path: None, ..launch.opened.clone() };
        let system = launch.locale.as_deref().and_then(Lang::from_tag).unwrap_or_default();
        Ok(Self {
            token: hex::encode(token),
            open: RwLock::new(None),
            state: Mutex::new(State { language: system, problem: None }),
            beginning: Mutex::new(None),
            waiting: Mutex::new(Waiting { heard: false, opened: (!first.is_empty()).then_some(first) }),
            launch,
        })
    }

    /// Opens the store of the launch: of its arguments, of `SEKALI_STORE`, the last one, or the one
    /// at the default place if there is one. Where that fails the page says why; nothing else is
    /// opened or made in its stead.
    fn open_first(&self) {
        let mut state = lock(&self.state);
        let (settings, _) = self.settings();
        let said = self.launch.language.as_deref().and_then(Lang::from_tag);
        if let Some(language) = said.or(settings.language) {
            state.language = language;
        }
        // They say nothing and stop nothing, so no page speaks of them.
        for unknown in self.settings_file().iter().flat_map(|file| settings::unknown(file, state.language)) {
            eprintln!("sekali-desktop: {unknown}");
        }
        let default = || self.launch.places.as_ref().map(Places::store).filter(|path| path.exists());
        let named = self.launch.opened.path.clone();
        let path =
            named.clone().or_else(|| self.launch.store.clone()).or(settings.last_store).or_else(default);
        let Some(path) = path else { return };
        match self.open_store(&path, state.language) {
            // What the environment names is meant for this launch alone.
            Ok(open) => self.install(&mut state, open, named.is_some() || self.launch.store.is_none()),
            Err(failure) => state.problem = Some((failure, Some(path))),
        }
    }

    /// The state, once the store of the launch is open or known not to open.
    fn state(&self) -> MutexGuard<'_, State> {
        {
            // Held while joining: whoever asks meanwhile waits here.
            let mut beginning = lock(&self.beginning);
            if let Some(handle) = beginning.take()
                && handle.join().is_err()
            {
                let failure = StoreError::new(Code::Internal, "Opening the store stopped unexpectedly.");
                lock(&self.state).problem = Some((failure.into(), None));
            }
        }
        lock(&self.state)
    }

    /// What the page is told.
    pub(crate) fn view(&self) -> View {
        self.view_of(&self.state())
    }

    fn view_of(&self, state: &State) -> View {
        let failed = state.problem.as_ref().and_then(|(_, path)| path.clone());
        let shown = self.open().map(|open| open.path.clone()).or(failed);
        let recent = self.settings_file().map(|file| settings::recent(&file)).unwrap_or_default();
        View {
            token: self.token.clone(),
            api: scheme::ORIGIN,
            store: shown.map(|path| ViewStore { path: path.display().to_string() }),
            language: state.language,
            name: self.caller().map(|caller| caller.name.to_string()).unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION"),
            recent: recent.iter().map(|path| path.display().to_string()).collect(),
            problem: state.problem.as_ref().map(|(failure, _)| Problem::of(failure, state.language)),
            settings_problem: self.settings().1.map(|failure| Problem::of(&failure, state.language)),
        }
    }

    /// The language of the window.
    pub(crate) fn language(&self) -> Lang {
        self.state().language
    }

    /// Sets the language of the window and remembers it.
    pub(crate) fn set_language(&self, language: Lang) {
        self.state().language = language;
        self.remember(|file| settings::remember_language(file, language));
    }

    /// Keeps a settings file in which something is wrong under another name, and begins a new one
    /// with what this window knows.
    ///
    /// # Errors
    /// `store.io` where the file cannot be renamed; it is then as it was.
    pub(crate) fn set_settings_aside(&self) -> Result<View, Problem> {
        let state = self.state();
        // Mended meanwhile, it is nobody's to move.
        if let (Some(file), (_, Some(_))) = (self.settings_file(), self.settings()) {
            settings::set_aside(&file).map_err(|error| Problem::of(&of_settings(error), state.language))?;
            self.remember(|file| settings::remember_language(file, state.language));
            if let Some(open) = self.open() {
                self.remember(|file| settings::remember_store(file, Some(&open.path)));
            }
        }
        Ok(self.view_of(&state))
    }

    /// Makes a store with one room and opens it.
    ///
    /// # Errors
    /// `store.exists` and what else creating a store fails with.
    pub(crate) fn create(&self, path: &Path) -> Result<View, Problem> {
        self.change(|language| {
            self.make(&absolute(path)?, language, |engine, caller| {
                let title = language.pick("Main room", "Ruang utama");
                engine.create_room(caller, FIRST_ROOM, title).map(drop)
            })
        })
    }

    /// Opens a store.
    ///
    /// # Errors
    /// `store.not_found`, `store.foreign` and what else opening a store fails with; the one that was
    /// open stays open.
    pub(crate) fn open_path(&self, path: &Path) -> Result<View, Problem> {
        self.change(|language| {
            let path = absolute(path)?;
            match self.open().filter(|open| same_file(&open.path, &path)) {
                Some(open) => Ok(open),
                None => self.open_store(&path, language),
            }
        })
    }

    /// Opens the demo of a language; makes it where it is not there yet.
    ///
    /// # Errors
    /// What creating, opening or filling a store fails with.
    pub(crate) fn open_demo(&self, language: Lang) -> Result<View, Problem> {
        self.change(|_| {
            let places = self.launch.places.as_ref().ok_or_else(no_home)?;
            let path = places.demo(language);
            if path.exists() {
                return self.open_store(&path, language);
            }
            let made = self.make(&path, language, |engine, caller| {
                demo::build(engine, caller, language, &mut |_, _| ()).map(drop)
            });
            match made {
                // Somebody else, the command line perhaps, made it in the meantime.
                Err(failure) if failure.code() == Code::StoreExists => self.open_store(&path, language),
                made => made,
            }
        })
    }

    /// Closes the store. The next launch begins at the start page.
    pub(crate) fn close(&self) -> View {
        let mut state = self.state();
        state.problem = None;
        self.replace(None);
        self.remember(|file| settings::remember_store(file, None));
        self.view_of(&state)
    }

    /// Closes the store as the program ends; it is opened again by the next launch.
    pub(crate) fn end(&self) {
        self.replace(None);
    }

    /// The store that requests go to.
    pub(crate) fn open(&self) -> Option<Arc<OpenStore>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The token that requests carry.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The folder where a store is kept if nobody says otherwise.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        Some(self.launch.places.as_ref()?.store().parent()?.to_owned())
    }

    /// Something should be shown: kept for a page that does not listen yet.
    pub(crate) fn keep_opened(&self, opened: &Opened) {
        let mut waiting = lock(&self.waiting);
        if !waiting.heard {
            waiting.opened = Some(opened.clone());
        }
    }

    /// What was asked to be shown before the page listened, once.
    pub(crate) fn take_opened(&self) -> Option<Opened> {
        let mut waiting = lock(&self.waiting);
        waiting.heard = true;
        waiting.opened.take()
    }

    /// A failure as the page is told of it.
    pub(crate) fn problem(&self, failure: &Failure) -> Problem {
        Problem::of(failure, self.language())
    }

    fn change(&self, open: impl FnOnce(Lang) -> Result<Arc<OpenStore>, Failure>) -> Result<View, Problem> {
        let mut state = self.state();
        let open = open(state.language).map_err(|failure| Problem::of(&failure, state.language))?;
        self.install(&mut state, open, true);
        Ok(self.view_of(&state))
    }

    fn install(&self, state: &mut State, open: Arc<OpenStore>, remember: bool) {
        let path = open.path.clone();
        self.replace(Some(open));
        state.problem = None;
        if remember {
            self.remember(|file| settings::remember_store(file, Some(&path)));
        }
        self.remember(|file| settings::add_recent(file, &path));
    }

    fn replace(&self, next: Option<Arc<OpenStore>>) {
        let before = std::mem::replace(&mut *self.open.write().unwrap_or_else(PoisonError::into_inner), next);
        // Outside the lock: closing a store ends its writer.
        drop(before);
    }

    fn open_store(&self, path: &Path, language: Lang) -> Result<Arc<OpenStore>, Failure> {
        let caller = self.caller()?;
        let engine = Engine::new(Arc::new(SqliteStore::open(path, Options::default())?));
        Ok(self.serve(path.to_owned(), engine, caller, language))
    }

    /// Makes a store and what it begins with.
    fn make(
        &self,
        path: &Path,
        language: Lang,
        fill: impl FnOnce(&Engine, &Caller) -> Result<(), Failure>,
    ) -> Result<Arc<OpenStore>, Failure> {
        let caller = self.caller()?;
        // One that is filled by half would be taken for a whole one by the next launch.
        SqliteStore::create_whole(path, Options::default(), |store| fill(&Engine::new(store), &caller))?;
        self.open_store(path, language)
    }

    fn serve(&self, path: PathBuf, engine: Engine, caller: Caller, language: Lang) -> Arc<OpenStore> {
        let router = scheme::router(engine, caller, self.token.clone(), language);
        Arc::new(OpenStore { path, router })
    }

    /// Who acts: `SEKALI_AS`, the name in the settings, or the operating system's user.
    fn caller(&self) -> Result<Caller, Failure> {
        let os_user = places::system_user();
        let nobody = || {
            let detail = "name: the system does not say who you are; set name in the settings or SEKALI_AS.";
            Refusal::field(Code::ActorUnknown, "name", detail)
        };
        let name = match (&self.launch.name, self.settings().0.name) {
            (Some(said), _) => ActorName::parse("SEKALI_AS", said)?,
            (None, Some(name)) => name,
            (None, None) => ActorName::parse("name", os_user.as_deref().ok_or_else(nobody)?)?,
        };
        Ok(Caller { name, door: Door::Desktop, os_user })
    }

    fn settings_file(&self) -> Option<PathBuf> {
        self.launch.places.as_ref().map(Places::settings)
    }

    /// What the settings say, and what is wrong in them.
    fn settings(&self) -> (Settings, Option<Failure>) {
        let Some(file) = self.settings_file() else {
            return (Settings::default(), None);
        };
        let (settings, problem) = settings::read(&file);
        (settings, problem.map(of_settings))
    }

    /// Writes to the settings. What was asked for is done already and stays done if that fails.
    fn remember(&self, write: impl FnOnce(&Path) -> Result<(), StoreError>) {
        if let Some(file) = self.settings_file()
            && let Err(error) = write(&file)
        {
            report(&error);
        }
    }
}

/// Says on the error stream what no window can act on.
pub(crate) fn report(error: &dyn std::error::Error) {
    let said = std::iter::successors(Some(error), |&error| error.source()).map(ToString::to_string);
    eprintln!("sekali-desktop: {}", said.collect::<Vec<_>>().join(": "));
}

/// Named by a field, so that the page does not say of the settings what it says of a store.
fn of_settings(error: StoreError) -> Failure {
    Refusal::field(error.code, "settings", error.detail).into()
}

fn no_home() -> StoreError {
    StoreError::new(Code::StoreIo, "The system names no home folder, so there is no place for the demo.")
}

fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path).map_err(|e| {
        StoreError::caused(Code::StoreIo, format!("{} is not a usable path.", path.display()), e)
    })
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use sekali_core::ActorKind;
    use serde_json::{Value, json};

    use super::*;

    fn ani() -> Launch {
        Launch { name: Some("Ani".to_owned()), ..Launch::default() }
    }

    fn said(view: &View) -> Value {
        serde_json::to_value(view).unwrap()
    }

    fn files(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    fn get(session: &Session, path: &str) -> Result<Value, Value> {
        tauri::async_runtime::block_on(scheme::get(session, path))
    }

    #[test]
    fn a_first_start_opens_nothing_and_makes_nothing() {
        let session = Session::begin(ani()).unwrap();
        let view = said(&session.view());
        assert_eq!(
            (&view["store"], &view["problem"], &view["name"]),
            (&Value::Null, &Value::Null, &json!("Ani"))
        );
        assert_eq!(view["token"].as_str().unwrap().len(), 64);
        assert_ne!(session.token(), Session::begin(ani()).unwrap().token(), "each launch has its own");
        assert_eq!(get(&session, "/v1/rooms").unwrap_err()["code"], "store.not_found");
    }

    #[test]
    fn a_new_store_begins_with_one_room_in_the_language_of_the_window() {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::begin(Launch { locale: Some("id-ID".to_owned()), ..ani() }).unwrap();
        let view = said(&session.create(&folder.path().join("mine.db")).unwrap());
        assert!(view["store"]["path"].as_str().unwrap().ends_with("mine.db"), "{view}");
        let room = get(&session, "/v1/rooms/main").unwrap();
        assert_eq!((&room["title"], &room["you"]["role"]), (&json!("Ruang utama"), &json!("maintainer")));

        let again = session.create(&folder.path().join("mine.db")).unwrap_err();
        assert_eq!(again.code, Code::StoreExists);
        assert!(get(&session, "/v1/rooms/main").is_ok(), "the store that was open stays open");
        assert_eq!(said(&session.close())["store"], Value::Null);
        assert!(get(&session, "/v1/rooms/main").is_err());
        session.open_path(&folder.path().join("mine.db")).unwrap();
        assert!(get(&session, "/v1/rooms/main").is_ok());
    }

    #[test]
    fn a_store_that_does_not_open_is_said_and_nothing_is_made_in_its_stead() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone.db");
        let by_argument =
            Launch { opened: Opened { path: Some(gone.clone()), ..Opened::default() }, ..ani() };
        for launch in [by_argument, Launch { store: Some(gone.clone()), ..ani() }] {
            let session = Session::begin(launch).unwrap();
            let view = said(&session.view());
            assert_eq!(view["problem"]["code"], "store.not_found");
            assert_eq!(view["store"]["path"], gone.display().to_string());
            assert_eq!(files(folder.path()), 0);
            session.create(&folder.path().join("other.db")).unwrap();
            assert_eq!(said(&session.view())["problem"], Value::Null, "what is open now is no problem");
            for file in places::of_store(&folder.path().join("other.db")) {
                let _ = std::fs::remove_file(file);
            }
        }
    }

    #[test]
    fn a_store_that_could_not_be_filled_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let session =
            Session::begin(Launch { name: Some("agent:drafting".to_owned()), ..Launch::default() }).unwrap();
        assert_eq!(session.caller().unwrap().name.kind, ActorKind::Agent);
        let refused = session.create(&folder.path().join("mine.db")).unwrap_err();
        assert_eq!(refused.code, Code::ActorDenied);
        assert_eq!(files(folder.path()), 0);
    }

    #[test]
    fn what_should_be_shown_waits_for_the_page_once() {
        let link = Opened { room: Some("main".to_owned()), proposal: Some(3), path: None };
        let session = Session::begin(Launch { opened: link.clone(), ..ani() }).unwrap();
        assert_eq!(session.take_opened(), Some(link.clone()));
        assert_eq!(session.take_opened(), None);
        session.keep_opened(&link);
        assert_eq!(session.take_opened(), None, "a page that listens has heard of it");
    }
}
