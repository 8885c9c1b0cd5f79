//! Values as they are written on the command line; each objection is in the language asked for.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sekali_core::merge::Side;
use sekali_core::role::UnknownWord;
use sekali_core::talk::LineSide;
use sekali_core::{Digest, Lang, Role, State, limit};
use sekali_store::VersionKey;

use super::Which;
use crate::text::say;

/// The largest integer that anything we write can hold.
pub(super) const MOST: u64 = limit::SAFE_INTEGER.unsigned_abs();

/// The word for no role.
const NONE: &str = "none";

pub(super) fn proposal_number(lang: Lang, text: &str) -> Result<u64, &'static str> {
    let number = text.strip_prefix('#').unwrap_or(text).parse().ok();
    number.filter(|n| (1..=MOST).contains(n)).ok_or_else(|| say::WANT_NUMBER.pick(lang))
}

pub(super) fn number_or_id(lang: Lang, text: &str) -> Result<Which, &'static str> {
    let number = || proposal_number(lang, text).ok().map(Which::Number);
    let id = || text.parse().ok().map(Which::Id);
    number().or_else(id).ok_or_else(|| say::WANT_NUMBER_OR_ID.pick(lang))
}

pub(super) fn digest(lang: Lang, text: &str) -> Result<Digest, &'static str> {
    text.parse().map_err(|_| say::WANT_DIGEST.pick(lang))
}

pub(super) fn version(lang: Lang, text: &str) -> Result<VersionKey, &'static str> {
    let parts =
        text.split_once('.').and_then(|(seq, ordinal)| Some((seq.parse().ok()?, ordinal.parse().ok()?)));
    let (seq, ordinal) =
        parts.filter(|(seq, _): &(u64, u32)| *seq <= MOST).ok_or_else(|| say::WANT_VERSION.pick(lang))?;
    Ok(VersionKey { seq, ordinal })
}

/// A change that stays, `PATH`, or one hunk of it, `PATH:HUNK`. No path holds a colon.
pub(super) fn part(lang: Lang, text: &str) -> Result<(String, Option<u32>), &'static str> {
    let (path, hunk) = match text.rsplit_once(':') {
        None => (text, None),
        Some((path, hunk)) => {
            let hunk = hunk.parse().ok().filter(|hunk| *hunk > 0);
            (path, Some(hunk.ok_or_else(|| say::WANT_PART.pick(lang))?))
        }
    };
    if path.is_empty() { Err(say::WANT_PART.pick(lang)) } else { Ok((path.to_owned(), hunk)) }
}

/// A line of a change: `PATH:LINE` of what it becomes, `PATH:-LINE` of what it was. No path holds a colon.
pub(super) fn line(lang: Lang, text: &str) -> Result<(String, LineSide, u32), &'static str> {
    let wrong = || say::WANT_LINE.pick(lang);
    let (path, line) = text.rsplit_once(':').filter(|(path, _)| !path.is_empty()).ok_or_else(wrong)?;
    let (side, digits) = match line.strip_prefix('-') {
        Some(digits) => (LineSide::Before, digits),
        None => (LineSide::After, line),
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let line = digits.parse().ok().filter(|line| *line > 0 && plain).ok_or_else(wrong)?;
    Ok((path.to_owned(), side, line))
}

/// The sides, and their words.
const SIDES: [(Side, &str); 5] = [
    (Side::Base, "base"),
    (Side::Now, "now"),
    (Side::After, "after"),
    (Side::NowThenAfter, "now+after"),
    (Side::AfterThenNow, "after+now"),
];

/// The word of a side.
pub(crate) fn side_word(side: Side) -> &'static str {
    SIDES.iter().find(|(known, _)| *known == side).map_or("", |(_, word)| word)
}

/// The sides that are taken of a document's conflict, `PATH=SIDE,…`.
pub(super) fn sides(lang: Lang, text: &str) -> Result<(String, Vec<Side>), &'static str> {
    let wrong = || say::WANT_SIDES.pick(lang);
    let (path, sides) = text.rsplit_once('=').ok_or_else(wrong)?;
    let side =
        |word: &str| SIDES.iter().find(|(_, known)| *known == word).map(|(side, _)| *side).ok_or_else(wrong);
    let sides = sides.split(',').map(side).collect::<Result<_, _>>()?;
    if path.is_empty() { Err(wrong()) } else { Ok((path.to_owned(), sides)) }
}

/// The words of a fixed set, which completions offer.
fn words(words: impl IntoIterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(words.into_iter().map(PossibleValue::new))
}

pub(super) fn role() -> impl TypedValueParser<Value = Role> {
    words(Role::ALL.iter().map(|role| role.as_str())).try_map(|word| word.parse::<Role>())
}

pub(super) fn role_or_none() -> impl TypedValueParser<Value = Option<Role>> {
    let all = Role::ALL.iter().map(|role| role.as_str()).chain([NONE]);
    words(all).try_map(|word| -> Result<Option<Role>, UnknownWord> {
        if word == NONE { Ok(None) } else { word.parse().map(Some) }
    })
}

pub(super) fn state() -> impl TypedValueParser<Value = State> {
    words(State::ALL.iter().map(|state| state.as_str())).try_map(|word| word.parse::<State>())
}

pub(super) fn seconds(lang: Lang, text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| say::WANT_SECONDS.pick(lang))
}
