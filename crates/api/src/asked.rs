//! What an address asks for: path parameters and query members, read strictly. What does not fit
//! is refused, never ignored or guessed.

use std::collections::BTreeMap;
use std::str::FromStr;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;
use sekali_core::hash::Digest;
use sekali_core::{Code, DocPath, Refusal, State, limit};
use sekali_store::VersionKey;

use crate::answer::Failed;

/// The largest number that a store can hold, and more than any can reach.
const LARGEST: u64 = limit::SAFE_INTEGER.unsigned_abs();
/// Rows of one page where no number is named.
const PAGE_DEFAULT: u32 = 50;
/// Entries of one page of the ledger where no number is named.
const LEDGER_PAGE_DEFAULT: u32 = 200;

/// Decodes percent-encoding; `None` where it is broken or does not give UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        // The library would leave a broken escape as it stands, and two addresses would be one.
        if byte == b'%' {
            let two = bytes.next()?.is_ascii_hexdigit() && bytes.next()?.is_ascii_hexdigit();
            if !two {
                return None;
            }
        }
    }
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

/// One path parameter, decoded.
async fn parameter<S: Send + Sync>(parts: &mut Parts, state: &S, name: &str) -> Result<String, Failed> {
    let params = RawPathParams::from_request_parts(parts, state).await.map_err(|_| unreadable())?;
    let found = params.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned());
    found.ok_or_else(|| unreadable().into())
}

/// An address that cannot be decoded.
pub(crate) fn unreadable() -> Refusal {
    Refusal::new(Code::RequestNotFound, "The address is not percent-encoded UTF-8.")
}

/// A room by its slug or id.
pub(crate) struct InRoom(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for InRoom {
    type Rejection = Failed;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failed> {
        Ok(Self(parameter(parts, state, "room").await?))
    }
}

/// A proposal of a room by its number.
pub(crate) struct At {
    pub(crate) room: String,
    pub(crate) number: u64,
}

impl<S: Send + Sync> FromRequestParts<S> for At {
    type Rejection = Failed;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failed> {
        let room = parameter(parts, state, "room").await?;
        let text = parameter(parts, state, "n").await?;
        let number = digits(&text).filter(|number| (1..=LARGEST).contains(number)).ok_or_else(|| {
            Refusal::new(
                Code::ProposalNotFound,
                format!("{:?} is not the number of a proposal.", clip(&text)),
            )
            .with(|f| f.value = Some(clip(&text)))
        })?;
        Ok(Self { room, number })
    }
}

/// A document of a room by its path.
pub(crate) struct AtPath {
    pub(crate) room: String,
    pub(crate) path: DocPath,
}

impl<S: Send + Sync> FromRequestParts<S> for AtPath {
    type Rejection = Failed;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failed> {
        let room = parameter(parts, state, "room").await?;
        let path = DocPath::parse("path", &parameter(parts, state, "path").await?)?;
        Ok(Self { room, path })
    }
}

/// A number as it is written: digits, no sign, no leading zero.
fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

pub(crate) fn clip(text: &str) -> String {
    text.chars().take(120).collect()
}

/// In which form a difference is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiffFormat {
    Json,
    Patch,
}

/// The members of a query, taken one by one; what is left over is refused by name.
#[derive(Debug)]
pub(crate) struct Query {
    members: BTreeMap<String, String>,
    asked: Vec<&'static str>,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Failed;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failed> {
        Ok(Self::read(parts.uri.query().unwrap_or_default())?)
    }
}

/// A route that has no query.
pub(crate) struct NoQuery;

impl<S: Send + Sync> FromRequestParts<S> for NoQuery {
    type Rejection = Failed;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failed> {
        Query::read(parts.uri.query().unwrap_or_default())?.finish()?;
        Ok(Self)
    }
}

impl Query {
    fn read(text: &str) -> Result<Self, Refusal> {
        let mut members = BTreeMap::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // Forms write a space as `+`.
            let read = |part: &str| decode(&part.replace('+', " "));
            let (Some(name), Some(value)) = (read(name), read(value)) else {
                return Err(Refusal::new(Code::BodyInvalid, "The query is not percent-encoded UTF-8."));
            };
            if members.contains_key(&name) {
                let name = clip(&name);
                return Err(Refusal::field(
                    Code::BodyInvalid,
                    &name,
                    format!("{name}: it stands twice in the query."),
                ));
            }
            members.insert(name, value);
        }
        Ok(Self { members, asked: Vec::new() })
    }

    fn take(&mut self, name: &'static str) -> Option<String> {
        self.asked.push(name);
        self.members.remove(name)
    }

    fn number(&mut self, name: &'static str, most: u64) -> Result<Option<u64>, Refusal> {
        let Some(text) = self.take(name) else { return Ok(None) };
        let number =
            digits(&text).ok_or_else(|| wrong(name, &text, "a number without sign or leading zeros"))?;
        if number > most {
            return Err(Refusal::field(
                Code::LimitExceeded,
                name,
                format!("{name}: it may be at most {most}; this is {number}."),
            )
            .with(|f| {
                f.limit = Some(most);
                f.value = Some(number.to_string());
            }));
        }
        Ok(Some(number))
    }

    fn rows(&mut self, most: u32, default: u32) -> Result<u32, Refusal> {
        match self.number("limit", most.into())? {
            None => Ok(default),
            Some(0) => Err(wrong("limit", "0", "a number from 1")),
            Some(rows) => Ok(u32::try_from(rows).unwrap_or(most)),
        }
    }

    /// Rows of one page.
    pub(crate) fn page(&mut self) -> Result<u32, Refusal> {
        self.rows(limit::PAGE, PAGE_DEFAULT)
    }

    /// Entries of one page of the ledger.
    pub(crate) fn ledger_page(&mut self) -> Result<u32, Refusal> {
        self.rows(limit::LEDGER_PAGE, LEDGER_PAGE_DEFAULT)
    }

    /// The sequence number after which is asked.
    pub(crate) fn after(&mut self) -> Result<Option<u64>, Refusal> {
        self.number("after", LARGEST)
    }

    /// A revision.
    pub(crate) fn revision(&mut self) -> Result<Option<u32>, Refusal> {
        let number = self.number("revision", u32::MAX.into())?;
        Ok(number.map(|n| u32::try_from(n).unwrap_or(u32::MAX)))
    }

    /// In which form a difference is wanted.
    pub(crate) fn diff_format(&mut self) -> Result<DiffFormat, Refusal> {
        match self.take("format").as_deref() {
            None | Some("json") => Ok(DiffFormat::Json),
            Some("patch") => Ok(DiffFormat::Patch),
            Some(other) => Err(wrong("format", other, "json or patch")
                .with(|f| f.expected = vec!["json".to_owned(), "patch".to_owned()])),
        }
    }

    /// A state.
    pub(crate) fn state(&mut self) -> Result<Option<State>, Refusal> {
        let Some(text) = self.take("state") else { return Ok(None) };
        let known = State::from_str(&text);
        known.map(Some).map_err(|unknown| {
            wrong("state", &text, &unknown.expected.join(", "))
                .with(|f| f.expected = unknown.expected.iter().map(ToString::to_string).collect())
        })
    }

    /// A version, `seq.ordinal`.
    pub(crate) fn version(&mut self) -> Result<Option<VersionKey>, Refusal> {
        let Some(text) = self.take("version") else { return Ok(None) };
        let key = text.split_once('.').and_then(|(seq, ordinal)| {
            let seq = digits(seq).filter(|seq| *seq <= LARGEST)?;
            Some(VersionKey { seq, ordinal: u32::try_from(digits(ordinal)?).ok()? })
        });
        key.map(Some).ok_or_else(|| wrong("version", &text, "a version such as 57.0"))
    }

    /// A digest.
    pub(crate) fn digest(&mut self) -> Result<Option<Digest>, Refusal> {
        let Some(text) = self.take("digest") else { return Ok(None) };
        text.parse().map(Some).map_err(|_| wrong("digest", &text, "sha256: and 64 lower-case hex digits"))
    }

    /// A cursor, not yet read.
    pub(crate) fn cursor(&mut self) -> Option<String> {
        self.take("cursor")
    }

    /// Refuses what was not asked for.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        let Some(unknown) = self.members.keys().next() else { return Ok(()) };
        let name = clip(unknown);
        let known = if self.asked.is_empty() {
            "there are none".to_owned()
        } else {
            format!("known are {}", self.asked.join(", "))
        };
        Err(Refusal::field(
            Code::BodyInvalid,
            &name,
            format!("{name}: this member of the query is not known here; {known}."),
        )
        .with(|f| f.expected = self.asked.iter().map(ToString::to_string).collect()))
    }
}

fn wrong(name: &str, text: &str, wanted: &str) -> Refusal {
    Refusal::field(Code::BodyInvalid, name, format!("{name}: {:?} is not {wanted}.", clip(text)))
        .with(|f| f.value = Some(clip(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_whole_and_utf_8() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(decode(text).as_deref(), expected, "{text}");
        check("a%20b", Some("a b"));
        check("caf%C3%A9", Some("café"));
        check("%", None);
        check("%4", None);
        check("%zz", None);
        check("%ff", None);
        check("a+b", Some("a+b"));
    }

    #[test]
    fn numbers_have_one_spelling() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(digits(text), expected, "{text}");
        check("0", Some(0));
        check("12", Some(12));
        check("18446744073709551615", Some(u64::MAX));
        for bad in ["", "+1", "-1", "01", "1.0", "1e3", " 1", "١", "18446744073709551616"] {
            check(bad, None);
        }
    }

    #[test]
    fn a_query_is_read_whole() {
        let mut query = Query::read("limit=7&cursor=a%3Db&&").unwrap();
        assert_eq!(query.page().unwrap(), 7);
        assert_eq!(query.cursor().as_deref(), Some("a=b"));
        assert!(query.finish().is_ok());
        let refused = |text: &str, read: fn(&mut Query) -> Result<(), Refusal>| {
            let mut query = match Query::read(text) {
                Ok(query) => query,
                Err(refusal) => return (refusal.code, refusal.facts.field),
            };
            let refusal = read(&mut query).and_then(|()| query.finish()).expect_err(text);
            (refusal.code, refusal.facts.field)
        };
        let check =
            |text: &str, read: fn(&mut Query) -> Result<(), Refusal>, code: Code, field: Option<&str>| {
                assert_eq!(refused(text, read), (code, field.map(str::to_owned)), "{text}");
            };
        let page: fn(&mut Query) -> Result<(), Refusal> = |q| q.page().map(drop);
        let version: fn(&mut Query) -> Result<(), Refusal> = |q| q.version().map(drop);
        check("limit=200&limit=1", page, Code::BodyInvalid, Some("limit"));
        check("limit=0", page, Code::BodyInvalid, Some("limit"));
        check("limit=", page, Code::BodyInvalid, Some("limit"));
        check("limit=201", page, Code::LimitExceeded, Some("limit"));
        check("colour=red", page, Code::BodyInvalid, Some("colour"));
        check("limit=%", page, Code::BodyInvalid, None);
        check("version=5", version, Code::BodyInvalid, Some("version"));
        check("version=5.x", version, Code::BodyInvalid, Some("version"));
        check("version=5.4294967296", version, Code::BodyInvalid, Some("version"));
    }
}
