//! The settings file that the desktop and the command line share: the name to act under, the
//! language, the last store. Beside it, the list of recent stores, which is the desktop's alone.
//! What somebody else wrote into the file, comments too, stays as it is.

use std::io::{ErrorKind, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sekali_core::{Code, Lang};
use sekali_engine::settings::{self, Reading, Settings, Unknown};
use sekali_store::StoreError;
use toml_edit::{DocumentMut, TomlError, value};

/// How many stores the start page offers.
const RECENT: usize = 8;

/// Reads the file; one that is not there says nothing. What is wrong comes beside what is right:
/// the window must come up all the same, with defaults for the rest.
pub(crate) fn read(file: &Path) -> (Settings, Option<StoreError>) {
    match text(file) {
        Ok(text) => {
            let Reading { settings, wrong: found, .. } = settings::read(&text);
            (settings, found.map(|found| wrong(file, found.line, &found.what)))
        }
        Err(error) => (Settings::default(), Some(error)),
    }
}

/// Sentences about keys that Sekali does not know, for whoever started the program.
pub(crate) fn unknown(file: &Path, lang: Lang) -> Vec<String> {
    // What cannot be read is said elsewhere.
    let text = text(file).unwrap_or_default();
    let unknown = settings::read(&text).unknown;
    let told = |key: &Unknown| format!("{}:{}: {}", file.display(), key.line, key.sentence(lang));
    unknown.iter().map(told).collect()
}

/// Puts a file that cannot be used under another name beside it, so that a new one can begin. Where
/// it is afterwards.
///
/// # Errors
/// `store.io`.
pub(crate) fn set_aside(file: &Path) -> Result<PathBuf, StoreError> {
    let named = |n: u32| {
        let mut name = file.as_os_str().to_owned();
        name.push(if n == 1 { ".broken".to_owned() } else { format!(".broken-{n}") });
        PathBuf::from(name)
    };
    // None that was set aside before is written over.
    let mut n = 1;
    while named(n).symlink_metadata().is_ok() {
        n += 1;
    }
    let free = named(n);
    std::fs::rename(file, &free).map_err(|error| failed(file, error))?;
    Ok(free)
}

/// Remembers the language.
///
/// # Errors
/// `store.io`.
pub(crate) fn remember_language(file: &Path, language: Lang) -> Result<(), StoreError> {
    change(file, |document| document["language"] = value(language.as_str()))
}

/// Remembers the last store, or that none is open.
///
/// # Errors
/// `store.io`.
pub(crate) fn remember_store(file: &Path, store: Option<&Path>) -> Result<(), StoreError> {
    // A path that is no Unicode text cannot be written down; it is not remembered.
    let text = store.and_then(Path::to_str);
    change(file, |document| match text {
        Some(text) => document["last_store"] = value(text),
        None => drop(document.remove("last_store")),
    })
}

/// The stores that were opened lately and are still there, last first.
pub(crate) fn recent(settings: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read(recent_file(settings)).ok();
    // A list that cannot be read is a list lost: nothing rests on it.
    let listed: Vec<PathBuf> =
        listed.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    listed.into_iter().filter(|path| path.is_file()).take(RECENT).collect()
}

/// Puts a store at the head of the recent ones.
///
/// # Errors
/// `store.io`.
pub(crate) fn add_recent(settings: &Path, store: &Path) -> Result<(), StoreError> {
    let Some(text) = store.to_str() else {
        return Ok(());
    };
    let mut list = recent(settings);
    list.retain(|known| known != store);
    list.insert(0, PathBuf::from(text));
    list.truncate(RECENT);
    let file = recent_file(settings);
    let bytes = serde_json::to_vec_pretty(&list).map_err(|e| failed(&file, e))?;
    replace(&file, &bytes)
}

fn recent_file(settings: &Path) -> PathBuf {
    settings.with_file_name("recent.json")
}

/// Nothing where there is no file.
fn text(file: &Path) -> Result<String, StoreError> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| failed(file, error)),
    }
}

/// Reads the file again, so that what the command line wrote meanwhile is kept. One in which
/// anything is wrong is left as it is: somebody wrote it by hand and will want to see it.
fn change(file: &Path, edit: impl FnOnce(&mut DocumentMut)) -> Result<(), StoreError> {
    if let (_, Some(problem)) = read(file) {
        return Err(problem);
    }
    let before = text(file)?;
    let mut document: DocumentMut = before
        .parse()
        .map_err(|error: TomlError| wrong(file, line(&before, error.span()), error.message()))?;
    edit(&mut document);
    let after = document.to_string();
    if after == before { Ok(()) } else { replace(file, after.as_bytes()) }
}

/// Writes a file beside it and puts that in its place: a crash leaves the old or the new one.
fn replace(file: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let write = || {
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
        fresh.write_all(bytes)?;
        fresh.persist(file).map_err(|e| e.error)?;
        Ok(())
    };
    write().map_err(|error: std::io::Error| failed(file, error))
}

fn failed(file: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    let error = error.into();
    let detail = format!("The settings in {} could not be read or written: {error}.", file.display());
    StoreError::new(Code::StoreIo, detail)
}

fn wrong(file: &Path, line: usize, what: &str) -> StoreError {
    let what = what.trim().trim_end_matches('.').replace('\n', ", ");
    let detail = format!("The settings in {} are not well formed at line {line}: {what}.", file.display());
    StoreError::new(Code::StoreIo, detail)
}

/// The line in which a part of a text begins, from 1.
fn line(text: &str, part: Option<Range<usize>>) -> usize {
    let start = part.map_or(0, |part| part.start.min(text.len()));
    1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use sekali_core::text::ActorName;

    use super::*;

    fn good(file: &Path) -> Settings {
        let (settings, problem) = read(file);
        assert!(problem.is_none(), "{problem:?}");
        settings
    }

    #[test]
    fn settings_are_remembered_and_what_others_wrote_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sekali/config.toml");
        assert_eq!(good(&file), Settings::default());
        assert!(!file.exists(), "reading makes nothing");
        remember_store(&file, None).unwrap();
        assert!(!file.exists(), "nothing to remember, nothing written");

        remember_language(&file, Lang::Id).unwrap();
        let mut text = std::fs::read_to_string(&file).unwrap();
        text.push_str("# mine\nname = \"Ani\"\nelse = [1]\n");
        std::fs::write(&file, text).unwrap();
        remember_store(&file, Some(Path::new("/a/b \"c\".db"))).unwrap();
        let ani = ActorName::parse("name", "Ani").unwrap();
        assert_eq!(
            good(&file),
            Settings { name: Some(ani), language: Some(Lang::Id), last_store: Some("/a/b \"c\".db".into()) }
        );
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("# mine") && text.contains("else = [1]"), "{text}");

        remember_store(&file, None).unwrap();
        assert_eq!(read(&file).0.last_store, None);
    }

    #[test]
    fn what_is_wrong_in_a_settings_file_is_named_by_line_and_the_rest_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        let check = |text: &str, at: &str, name: Option<&str>, language: Option<Lang>| {
            std::fs::write(&file, text).unwrap();
            let (settings, problem) = read(&file);
            let problem = problem.unwrap_or_else(|| panic!("{text:?} is taken"));
            assert_eq!(problem.code, Code::StoreIo, "{text:?}");
            assert!(problem.detail.contains("config.toml") && problem.detail.contains(at), "{problem}");
            assert_eq!(settings.name.map(|name| name.to_string()).as_deref(), name, "{text:?}");
            assert_eq!(settings.language, language, "{text:?}");

            remember_language(&file, Lang::En).unwrap_err();
            remember_store(&file, Some(Path::new("/a.db"))).unwrap_err();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "it stays as it was written");
        };
        check("name = ", "line 1:", None, None);
        check("# mine\nname = ", "line 2:", None, None);
        check("language = \"id\"\n= 1\n", "line 2:", None, None);
        check("language = \"id\"\nname = 1", "line 2: name is not a text", None, Some(Lang::Id));
        check("name = \"Ani\"\n\nlanguage = \"fr\"", "line 3: language \"fr\"", Some("Ani"), None);
        check("name = \"a\\u0000b\"\n", "line 1: name", None, None);
        check("name = \"Ani\"\nlast_store = []", "line 2: last_store", Some("Ani"), None);
    }

    #[test]
    fn a_file_that_is_no_text_is_a_problem_and_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, b"name = \"\xff\"").unwrap();
        let (settings, problem) = read(&file);
        assert_eq!((settings, problem.map(|p| p.code)), (Settings::default(), Some(Code::StoreIo)));
        remember_language(&file, Lang::En).unwrap_err();
        assert_eq!(std::fs::read(&file).unwrap(), b"name = \"\xff\"");
    }

    #[test]
    fn a_file_is_set_aside_whole_and_never_over_another() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        for (text, kept) in [("name = ", "config.toml.broken"), ("name = [", "config.toml.broken-2")] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(set_aside(&file).unwrap(), folder.path().join(kept));
            assert_eq!(std::fs::read_to_string(folder.path().join(kept)).unwrap(), text);
            assert!(!file.exists());
        }
        assert_eq!(std::fs::read_to_string(folder.path().join("config.toml.broken")).unwrap(), "name = ");
        remember_language(&file, Lang::Id).unwrap();
        assert_eq!(read(&file).0.language, Some(Lang::Id));
        set_aside(&folder.path().join("none.toml")).unwrap_err();
    }

    #[test]
    fn recent_stores_come_last_first_without_those_that_have_gone() {
        let folder = tempfile::tempdir().unwrap();
        let settings = folder.path().join("config.toml");
        assert_eq!(recent(&settings), Vec::<PathBuf>::new());
        let stores: Vec<PathBuf> = (0..RECENT + 2).map(|n| folder.path().join(format!("{n}.db"))).collect();
        for store in &stores {
            std::fs::write(store, "x").unwrap();
            add_recent(&settings, store).unwrap();
        }
        add_recent(&settings, &stores[5]).unwrap();
        let list = recent(&settings);
        assert_eq!(list.len(), RECENT);
        assert_eq!(list[..2], [stores[5].clone(), stores[RECENT + 1].clone()]);
        std::fs::remove_file(&stores[5]).unwrap();
        assert!(!recent(&settings).contains(&stores[5]));
        std::fs::write(recent_file(&settings), "not a list").unwrap();
        assert_eq!(recent(&settings), Vec::<PathBuf>::new());
    }
}
