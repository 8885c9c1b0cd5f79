//! What a launch asks to be shown: a store by its path, or a place in a room by its link. A link
//! opens; nothing that it can say applies, rejects or changes anything.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sekali_core::text;
use serde::{Serialize, Serializer};

/// A store, a room or a proposal that should be shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Opened {
    /// The store's path, absolute.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "lossy")]
    pub(crate) path: Option<PathBuf>,
    /// The room's slug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) room: Option<String>,
    /// The proposal's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proposal: Option<u64>,
}

impl Opened {
    /// Whether it asks for nothing but the window itself.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reads the arguments of a launch, without the program's name. Switches are for the toolkit
    /// beneath; of two paths or two links the last one counts. A link that is none opens nothing.
    pub(crate) fn from_args(args: impl IntoIterator<Item = OsString>, folder: &Path) -> Self {
        let mut opened = Self::default();
        for arg in args {
            let text = arg.to_string_lossy();
            if is_link(&text) {
                let link = Self::from_link(&text).unwrap_or_default();
                (opened.room, opened.proposal) = (link.room, link.proposal);
            } else if !text.is_empty() && !text.starts_with('-') {
                opened.path = Some(folder.join(&arg));
            }
        }
        opened
    }

    /// Reads `sekali://room/SLUG` or `sekali://room/SLUG/proposal/N`.
    pub(crate) fn from_link(link: &str) -> Option<Self> {
        if !is_link(link) {
            return None;
        }
        let mut parts = link[SCHEME.len()..].trim_end_matches('/').split('/');
        let (word, room) = (parts.next()?, parts.next()?);
        if !word.eq_ignore_ascii_case("room") || text::slug(room).is_err() {
            return None;
        }
        let proposal = match (parts.next(), parts.next()) {
            (None, None) => None,
            (Some("proposal"), Some(number)) if number.bytes().all(|b| b.is_ascii_digit()) => {
                Some(number.parse().ok().filter(|n| *n > 0)?)
            }
            _ => return None,
        };
        parts.next().is_none().then(|| Self { path: None, room: Some(room.to_owned()), proposal })
    }
}

/// JSON holds no other text than Unicode; a path that is none is then not found, and said so.
#[expect(clippy::ref_option, reason = "the signature is serde's")]
fn lossy<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|p| p.to_string_lossy()).serialize(serializer)
}

const SCHEME: &str = "sekali://";

fn is_link(text: &str) -> bool {
    text.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_names_a_room_or_a_proposal_and_nothing_else() {
        let check = |link: &str, expected: Option<(&str, Option<u64>)>| {
            let got = Opened::from_link(link);
            let got = got.as_ref().map(|o| (o.room.as_deref().unwrap_or_default(), o.proposal));
            assert_eq!(got, expected, "{link}");
        };
        check("sekali://room/main", Some(("main", None)));
        check("sekali://room/main/", Some(("main", None)));
        check("sekali://room/toko-mekar/proposal/12", Some(("toko-mekar", Some(12))));
        check("SEKALI://Room/main/proposal/1/", Some(("main", Some(1))));
        check("sekali://room", None);
        check("sekali://room/", None);
        check("sekali://room/Main", None);
        check("sekali://room/../proposal/1", None);
        check("sekali://room/main/proposal", None);
        check("sekali://room/main/proposal/0", None);
        check("sekali://room/main/proposal/+1", None);
        check("sekali://room/main/proposal/99999999999999999999", None);
        check("sekali://room/main/proposal/1/apply", None);
        check("sekali://room/main/proposal/1?apply=1", None);
        check("sekali://store/etc/passwd", None);
        check("sekali:/room/main", None);
        check("https://room/main", None);
        check("sekali://röom/main", None);
    }

    #[test]
    fn arguments_are_paths_or_links_and_switches_are_ignored() {
        let folder = Path::new("/home/ani");
        let check = |args: &[&str], path: Option<&str>, room: Option<&str>| {
            let opened = Opened::from_args(args.iter().map(OsString::from), folder);
            assert_eq!(opened.path.as_deref(), path.map(Path::new), "{args:?}");
            assert_eq!(opened.room.as_deref(), room, "{args:?}");
            assert_eq!(opened.is_empty(), path.is_none() && room.is_none(), "{args:?}");
        };
        check(&[], None, None);
        check(&[""], None, None);
        check(&["--automation"], None, None);
        check(&["room.db"], Some("/home/ani/room.db"), None);
        check(&["./-x.db"], Some("/home/ani/./-x.db"), None);
        check(&["/else/where.db"], Some("/else/where.db"), None);
        check(&["sekali://room/main/proposal/3"], None, Some("main"));
        check(&["room.db", "sekali://room/main"], Some("/home/ani/room.db"), Some("main"));
        check(&["sekali://nonsense"], None, None);
    }
}
