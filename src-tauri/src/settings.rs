//! The settings file that the desktop and the command line share: the name to act under, the
//! language, the last store. Beside it, the list of recent stores, which is the desktop's alone.
//! What somebody else wrote into the file, comments too, stays as it is.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use sekali_core::{Code, Lang};
use sekali_store::StoreError;
use toml_edit::{DocumentMut, value};

/// How many stores the start page offers.
const RECENT: usize = 8;

/// What the settings file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The name to act under, instead of the system user's.
    pub(crate) name: Option<String>,
    /// The language of the window.
    pub(crate) language: Option<Lang>,
    /// The store that was open last.
    pub(crate) store: Option<PathBuf>,
}

impl Settings {
    /// Reads the file; one that is not there says nothing.
    ///
    /// # Errors
    /// `store.io` where it cannot be read or is no settings file, naming what is wrong.
    pub(crate) fn read(file: &Path) -> Result<Self, StoreError> {
        let document = document(file)?;
        let text = |key: &str| -> Result<Option<&str>, StoreError> {
            let Some(item) = document.get(key) else {
                return Ok(None);
            };
            let text = item.as_str().ok_or_else(|| wrong(file, &format!("{key} is not a text")))?;
            Ok((!text.is_empty()).then_some(text))
        };
        let known = |word: &str| [Lang::En, Lang::Id].into_iter().find(|lang| lang.as_str() == word);
        let language = text("language")?.map(|word| {
            known(word).ok_or_else(|| wrong(file, &format!("language {word:?} is neither en nor id")))
        });
        Ok(Self {
            name: text("name")?.map(str::to_owned),
            language: language.transpose()?,
            store: text("last_store")?.map(PathBuf::from),
        })
    }
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

fn document(file: &Path) -> Result<DocumentMut, StoreError> {
    match std::fs::read_to_string(file) {
        Ok(text) => text.parse().map_err(|e: toml_edit::TomlError| {
            let line = e.span().map_or(1, |span| text[..span.start].lines().count().max(1));
            wrong(file, &format!("line {line}: {}", e.message()))
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(DocumentMut::new()),
        Err(error) => Err(failed(file, error)),
    }
}

/// Reads the file again, so that what the command line wrote meanwhile is kept.
fn change(file: &Path, edit: impl FnOnce(&mut DocumentMut)) -> Result<(), StoreError> {
    let mut document = document(file)?;
    let before = document.to_string();
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
    StoreError::caused(
        Code::StoreIo,
        format!("The settings in {} could not be read or written.", file.display()),
        error,
    )
}

fn wrong(file: &Path, what: &str) -> StoreError {
    StoreError::new(Code::StoreIo, format!("The settings in {} are not well formed: {what}.", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_remembered_and_what_others_wrote_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sekali/config.toml");
        assert_eq!(Settings::read(&file).unwrap(), Settings::default());
        assert!(!file.exists(), "reading makes nothing");
        remember_store(&file, None).unwrap();
        assert!(!file.exists(), "nothing to remember, nothing written");

        remember_language(&file, Lang::Id).unwrap();
        let mut text = std::fs::read_to_string(&file).unwrap();
        text.push_str("# mine\nname = \"Ani\"\nelse = [1]\n");
        std::fs::write(&file, text).unwrap();
        remember_store(&file, Some(Path::new("/a/b \"c\".db"))).unwrap();
        let settings = Settings::read(&file).unwrap();
        assert_eq!(
            settings,
            Settings {
                name: Some("Ani".to_owned()),
                language: Some(Lang::Id),
                store: Some("/a/b \"c\".db".into())
            }
        );
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("# mine") && text.contains("else = [1]"), "{text}");

        remember_store(&file, None).unwrap();
        assert_eq!(Settings::read(&file).unwrap().store, None);
    }

    #[test]
    fn a_settings_file_that_is_none_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        for text in ["name = ", "name = 1", "language = \"fr\"", "last_store = []"] {
            std::fs::write(&file, text).unwrap();
            let error = Settings::read(&file).unwrap_err();
            assert_eq!(error.code, Code::StoreIo, "{text}");
            assert!(error.detail.contains("config.toml"), "{error}");
        }
        std::fs::write(&file, "# mine\nname = ").unwrap();
        assert!(Settings::read(&file).unwrap_err().detail.contains("line 2"));
        std::fs::write(&file, "name = ").unwrap();
        remember_language(&file, Lang::En).unwrap_err();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "name = ");
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
