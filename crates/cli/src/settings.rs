//! The settings file: name, language, last store. Read here, written by the desktop.

use std::path::{Path, PathBuf};

use sekali_core::Lang;
use serde::Deserialize;

use crate::failure::Both;
use crate::text::{said_by_system, say};

/// What the settings say. Members that this version does not know are left alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Settings {
    /// Under which name to act.
    pub(crate) name: Option<String>,
    /// The language of texts.
    pub(crate) language: Option<Lang>,
    /// The store that was opened last.
    pub(crate) last_store: Option<PathBuf>,
}

impl Settings {
    /// Reads the file; one that is not there says nothing.
    ///
    /// # Errors
    /// A sentence that names the file and what is wrong in it.
    pub(crate) fn read(path: &Path) -> Result<Self, Both> {
        let shown = path.display().to_string();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                return Err(Both::of(say::USE_SETTINGS_READ, |lang| {
                    vec![("path", shown.clone()), ("error", said_by_system(&error, lang))]
                }));
            }
        };
        toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            let what = error.message().trim_end_matches('.');
            Both::of(say::USE_SETTINGS_WRONG, |lang| {
                // The reader of TOML speaks English.
                let what = lang.pick(what, "isinya tidak dapat dipakai").to_owned();
                vec![("path", shown.clone()), ("line", line.to_string()), ("what", what)]
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_or_refused_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        assert_eq!(Settings::read(&path), Ok(Settings::default()));
        std::fs::write(&path, "name = \"Ani\"\nlanguage = \"id\"\nlast_store = \"/a/b.db\"\nwindow = 3\n")
            .unwrap();
        let read = Settings::read(&path).unwrap();
        assert_eq!((read.name.as_deref(), read.language), (Some("Ani"), Some(Lang::Id)));
        std::fs::write(&path, "name = \"Ani\"\nlanguage = \"fr\"\n").unwrap();
        assert!(Settings::read(&path).unwrap_err().en.contains("line 2"));
        std::fs::write(&path, "name = \"Ani\"\n= 1\n").unwrap();
        assert!(Settings::read(&path).unwrap_err().en.contains("line 2"), "at the very start of a line too");
        std::fs::write(&path, "name = [").unwrap();
        assert!(Settings::read(&path).is_err());
    }
}
