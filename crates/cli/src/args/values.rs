//! Values as they are written on the command line; each objection is in the language asked for.

use std::time::Duration;

use sekali_core::role::UnknownWord;
use sekali_core::{Digest, Lang, Role, State, limit};
use sekali_store::VersionKey;

use super::Which;
use crate::text::say;

/// The largest integer that anything we write can hold.
pub(super) const MOST: u64 = limit::SAFE_INTEGER.unsigned_abs();

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

fn one_of(lang: Lang, words: &[&str]) -> String {
    say::WANT_ONE_OF.fill(lang, &[("words", &words.join(", "))])
}

pub(super) fn role(lang: Lang, text: &str) -> Result<Role, String> {
    text.parse().map_err(|e: UnknownWord| one_of(lang, &e.expected))
}

pub(super) fn role_or_none(lang: Lang, text: &str) -> Result<Option<Role>, String> {
    if text == "none" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|e: UnknownWord| one_of(lang, &[&e.expected[..], &["none"]].concat()))
}

pub(super) fn state(lang: Lang, text: &str) -> Result<State, String> {
    text.parse().map_err(|e: UnknownWord| one_of(lang, &e.expected))
}

pub(super) fn seconds(lang: Lang, text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| say::WANT_SECONDS.pick(lang))
}
