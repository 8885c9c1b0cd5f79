//! Reads the settings file: what it says, or a sentence that names the file and what is wrong in it.

use std::path::Path;

use sekali_engine::settings::{Reading, Settings, Unknown, read};

use crate::failure::Both;
use crate::text::{said_by_system, say};

/// What the settings say, and the keys among them that Sekali does not know.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) settings: Settings,
    pub(crate) unknown: Vec<Unknown>,
}

/// Reads the file; one that is not there says nothing.
///
/// # Errors
/// A sentence that names the file and what is wrong in it.
pub(crate) fn of_file(path: &Path) -> Result<Kept, Both> {
    let shown = path.display().to_string();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Kept::default()),
        Err(error) => {
            return Err(Both::of(say::USE_SETTINGS_READ, |lang| {
                vec![("path", shown.clone()), ("error", said_by_system(&error, lang))]
            }));
        }
    };
    let Reading { settings, wrong, unknown } = read(&text);
    match wrong {
        None => Ok(Kept { settings, unknown }),
        Some(wrong) => Err(Both::of(say::USE_SETTINGS_WRONG, |lang| {
            let what = lang.pick(&wrong.what, &wrong.said).trim_end_matches('.').to_owned();
            vec![("path", shown.clone()), ("line", wrong.line.to_string()), ("what", what)]
        })),
    }
}
