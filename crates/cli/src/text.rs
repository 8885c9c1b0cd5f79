//! Every text that a person sees, in English and Indonesian, in tables: `help` for what `--help` says,
//! `say` for answers, `damage` for what `doctor` finds. What programs read (codes, JSON, `detail`) is not here.

pub(crate) mod damage;
pub(crate) mod help;
pub(crate) mod say;

use std::io;

use sekali_core::Lang;

/// One text in both languages; `{name}` stands for what is filled in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    pub(crate) en: &'static str,
    pub(crate) id: &'static str,
}

impl Text {
    /// The text in a language, as it stands.
    pub(crate) const fn pick(self, lang: Lang) -> &'static str {
        lang.pick(self.en, self.id)
    }

    /// The text in a language, with its places filled.
    pub(crate) fn fill(self, lang: Lang, values: &[(&str, &str)]) -> String {
        let mut out = String::new();
        let mut rest = self.pick(lang);
        // Filled values are not looked at again: a title may well hold "{name}".
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let (name, after) = after.split_once('}').expect("the test of the tables holds braces in pairs");
            let value = values.iter().find(|(known, _)| *known == name);
            out.push_str(value.expect("the caller fills every place").1);
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// What the operating system says of a file, in a language. It says it in English; the kinds that
/// people meet are said in Indonesian here.
pub(crate) fn said_by_system(error: &io::Error, lang: Lang) -> String {
    use io::ErrorKind as Kind;
    if lang == Lang::En {
        return error.to_string().trim_end_matches('.').to_owned();
    }
    let known = match error.kind() {
        Kind::NotFound => "tidak ada",
        Kind::PermissionDenied => "tidak diizinkan",
        Kind::IsADirectory => "ini folder",
        Kind::NotADirectory => "ada bagian jalurnya yang bukan folder",
        Kind::AlreadyExists => "sudah ada",
        Kind::StorageFull | Kind::QuotaExceeded => "disk penuh",
        Kind::ReadOnlyFilesystem => "sistem berkasnya hanya untuk dibaca",
        Kind::DirectoryNotEmpty => "foldernya tidak kosong",
        Kind::InvalidFilename => "namanya tidak dapat dipakai",
        Kind::InvalidData => "isinya bukan teks UTF-8",
        Kind::BrokenPipe => "penerimanya sudah tutup",
        _ => {
            return error
                .raw_os_error()
                .map_or_else(|| "galat sistem".to_owned(), |n| format!("galat sistem {n}"));
        }
    };
    known.to_owned()
}

macro_rules! texts {
    ($($name:ident = $en:literal, $id:literal;)+) => {
        $(pub(crate) const $name: $crate::text::Text = $crate::text::Text { en: $en, id: $id };)+

        #[cfg(test)]
        pub(crate) const ALL: &[(&str, $crate::text::Text)] = &[$((stringify!($name), $name)),+];
    };
}
use texts;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).map(|part| part.split_once('}').expect("a brace is closed").0).collect()
    }

    #[test]
    fn no_text_is_missing_in_a_language() {
        // Formats that are the same in both.
        let same = ["MODE_CHANGED", "UNIT_BYTES"];
        for (name, text) in help::ALL.iter().chain(say::ALL) {
            assert!(!text.en.trim().is_empty() && !text.id.trim().is_empty(), "{name}");
            assert_eq!(places(text.en), places(text.id), "{name} fills the same places in both");
            assert_eq!(text.en.ends_with('.'), text.id.ends_with('.'), "{name} ends alike in both");
            assert_eq!(text.en.lines().count(), text.id.lines().count(), "{name} has as many lines in both");
            let commands = text.en.lines().all(|line| line.starts_with("  sekali "));
            if text.en.contains(' ') && !commands && !same.contains(name) {
                assert_ne!(text.en, text.id, "{name}");
            }
        }
    }

    #[test]
    fn names_stand_once() {
        let mut seen = BTreeSet::new();
        for (name, _) in help::ALL {
            assert!(seen.insert(name), "{name} stands twice");
        }
    }

    #[test]
    fn what_is_filled_in_is_not_read_again() {
        let text = Text { en: "{who} wrote {what}", id: "{what} ditulis {who}" };
        assert_eq!(text.fill(Lang::En, &[("who", "{what}"), ("what", "a")]), "{what} wrote a");
        assert_eq!(text.fill(Lang::Id, &[("who", "Ani"), ("what", "b")]), "b ditulis Ani");
    }
}
