//! What the settings file says (`README.md`, "Settings"), for the desktop and the command line alike. It is
//! only read here, as a text; who writes it keeps what others wrote.

use std::ops::Range;
use std::path::PathBuf;

use sekali_core::Lang;
use sekali_core::text::ActorName;
use toml_edit::Document;

use crate::like;

/// Every key that a settings file can have.
pub const KEYS: [&str; 3] = ["name", "language", "last_store"];

/// What the settings say; each is there where it is said and can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The name to act under, instead of the system user's.
    pub name: Option<ActorName>,
    /// The language of texts.
    pub language: Option<Lang>,
    /// The store that the desktop opened last.
    pub last_store: Option<PathBuf>,
}

/// What is wrong in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Where, from 1.
    pub line: usize,
    /// What: a part of a sentence, in English.
    pub what: String,
    /// The same in Indonesian.
    pub said: String,
}

/// A key that Sekali does not know. It says nothing and stops nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Where, from 1.
    pub line: usize,
    /// The key.
    pub key: String,
    /// The key that was probably meant.
    pub like: Option<&'static str>,
}

impl Unknown {
    /// What is to be said of it, after the file's name and the line.
    pub fn sentence(&self, lang: Lang) -> String {
        let key = &self.key;
        match (lang, self.like) {
            (Lang::En, Some(like)) => format!("there is no setting {key:?}; did you mean {like}?"),
            (Lang::Id, Some(like)) => format!("tidak ada pengaturan {key:?}; maksud Anda {like}?"),
            (Lang::En, None) => format!("there is no setting {key:?}; there are {}.", KEYS.join(", ")),
            (Lang::Id, None) => format!("tidak ada pengaturan {key:?}; yang ada: {}.", KEYS.join(", ")),
        }
    }
}

/// A settings file that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// What could be read.
    pub settings: Settings,
    /// The first thing that is wrong.
    pub wrong: Option<Wrong>,
    /// In the order of the file.
    pub unknown: Vec<Unknown>,
}

/// Reads the text of a settings file. What is wrong comes beside what is right.
pub fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let what = error.message().trim().trim_end_matches('.').replace('\n', ", ");
            // The reader of TOML speaks English; what it says is quoted.
            let said = format!("isinya bukan TOML yang sah ({what:?})");
            reading.wrong = Some(Wrong { line: line(text, error.span()), what, said });
            return reading;
        }
    };
    for (key, item) in document.iter() {
        let at = || document.key(key).and_then(toml_edit::Key::span).or_else(|| item.span());
        if !KEYS.contains(&key) {
            let unknown = Unknown { line: line(text, at()), key: key.to_owned(), like: alike(key) };
            reading.unknown.push(unknown);
            continue;
        }
        let taken = match item.as_str() {
            None => Err((format!("{key} is not a text"), format!("{key} bukan teks"))),
            Some("") => Ok(()),
            Some(value) => take(&mut reading.settings, key, value),
        };
        if let Err((what, said)) = taken {
            reading.wrong.get_or_insert_with(|| Wrong { line: line(text, at()), what, said });
        }
    }
    reading
}

fn take(settings: &mut Settings, key: &str, value: &str) -> Result<(), (String, String)> {
    match key {
        "name" => {
            let parsed = ActorName::parse("name", value).map_err(|refusal| {
                (refusal.sentence(Lang::En), refusal.sentence(Lang::Id).trim_end_matches('.').to_owned())
            })?;
            settings.name = Some(parsed);
        }
        "language" => {
            let known = [Lang::En, Lang::Id].into_iter().find(|lang| lang.as_str() == value);
            settings.language = Some(known.ok_or_else(|| {
                (
                    format!("language {value:?} is neither en nor id"),
                    format!("language {value:?} bukan en dan bukan id"),
                )
            })?);
        }
        _ => settings.last_store = Some(PathBuf::from(value)),
    }
    Ok(())
}

/// The key that was probably meant: the closest, else one that holds the word or is held by it.
fn alike(key: &str) -> Option<&'static str> {
    let key = key.to_lowercase();
    like::word(&key, KEYS)
        .or_else(|| KEYS.into_iter().find(|known| known.contains(&*key) || key.contains(known)))
}

/// The line in which a part of a text begins, from 1.
fn line(text: &str, part: Option<Range<usize>>) -> usize {
    let start = part.map_or(0, |part| part.start.min(text.len()));
    1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_read() {
        assert_eq!(read(""), Reading::default());
        let reading = read("# mine\nname = \"Ani\"\nlanguage = \"id\"\nlast_store = \"/a/b.db\"\n");
        let name = ActorName::parse("name", "Ani").unwrap();
        let last_store = Some(PathBuf::from("/a/b.db"));
        assert_eq!(reading.settings, Settings { name: Some(name), language: Some(Lang::Id), last_store });
        assert_eq!((reading.wrong, reading.unknown), (None, Vec::new()));
        assert_eq!(
            read("name = \"\"\nlast_store = \"\"").settings,
            Settings::default(),
            "empty says nothing"
        );
    }

    #[test]
    fn what_is_wrong_is_named_by_line_and_the_rest_counts() {
        let check = |text: &str, at: usize, what: &str, language: Option<Lang>| {
            let Reading { settings, wrong, .. } = read(text);
            let wrong = wrong.unwrap_or_else(|| panic!("{text:?} is taken"));
            assert!(wrong.line == at && wrong.what.contains(what), "{text:?}: {wrong:?}");
            assert!(!wrong.said.is_empty() && wrong.said != wrong.what, "{wrong:?}");
            assert_eq!(settings.language, language, "{text:?}");
        };
        let broken = read("# mine\nname = ").wrong.unwrap();
        assert!(broken.said.contains(&format!("{:?}", broken.what)), "its cause is lost: {broken:?}");
        check("# mine\nname = ", 2, "", None);
        check("language = \"id\"\n= 1\n", 2, "", None);
        check("language = \"id\"\nname = 1", 2, "name is not a text", Some(Lang::Id));
        check("name = \"Ani\"\n\nlanguage = \"fr\"", 3, "neither en nor id", None);
        check("language = \"en\"\nname = \"a\\u0000b\"\n", 2, "name", Some(Lang::En));
    }

    #[test]
    fn an_unknown_key_is_named_with_the_one_that_was_meant() {
        let check = |text: &str, expected: &[(usize, &str, Option<&'static str>)]| {
            let reading = read(text);
            let found: Vec<_> = reading.unknown.iter().map(|u| (u.line, u.key.as_str(), u.like)).collect();
            assert_eq!((found.as_slice(), &reading.wrong), (expected, &None), "{text:?}");
        };
        check("lang = \"id\"", &[(1, "lang", Some("language"))]);
        check("name = \"Ani\"\nLanguage = \"id\"", &[(2, "Language", Some("language"))]);
        check(
            "\nstore = \"a.db\"\nuser_name = \"x\"",
            &[(2, "store", Some("last_store")), (3, "user_name", Some("name"))],
        );
        check("window = 3\n[colours]\na = 1", &[(1, "window", None), (2, "colours", None)]);
        let named = read("lang = \"id\"").unknown.remove(0);
        assert_eq!(named.sentence(Lang::En), "there is no setting \"lang\"; did you mean language?");
        assert_eq!(named.sentence(Lang::Id), "tidak ada pengaturan \"lang\"; maksud Anda language?");
        assert!(read("window = 3").unknown[0].sentence(Lang::En).ends_with("name, language, last_store."));
    }
}
