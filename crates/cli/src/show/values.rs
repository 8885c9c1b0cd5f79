//! Instants, figures, names and states as people read them, in their language.

use anstyle::Style;
use jiff::tz::TimeZone;
use sekali_api::types::ActorRef;
use sekali_core::{ActorKind, Door, Lang, Op, Role, State, Timestamp};

use super::{BAD, DIM, GOOD, MARK, clean};
use crate::text::{Text, say};

/// An instant in local time with its zone.
pub(crate) fn when(at: Timestamp, lang: Lang) -> String {
    when_in(at, lang, &TimeZone::system())
}

/// An instant in a column of a table: in local time with its zone, and on a terminal as short as it
/// can be, without the zone, and without the year where that is this one.
pub(crate) fn when_in_table(at: Timestamp, lang: Lang) -> String {
    if super::columns().is_none() {
        return when(at, lang);
    }
    short_in(at, lang, &TimeZone::system(), jiff::Timestamp::now())
}

fn short_in(at: Timestamp, lang: Lang, zone: &TimeZone, now: jiff::Timestamp) -> String {
    let Ok(instant) = jiff::Timestamp::from_millisecond(at.ms()) else { return at.to_string() };
    let local = instant.to_zoned_datetime(zone.clone());
    let this_year = local.year() == now.to_zoned_datetime(zone.clone()).year();
    let year = if this_year { String::new() } else { format!(" {}", local.year()) };
    format!("{} {}{year} {}", local.day(), month(&local, lang), clock(&local, lang))
}

fn when_in(at: Timestamp, lang: Lang, zone: &TimeZone) -> String {
    let Ok(instant) = jiff::Timestamp::from_millisecond(at.ms()) else { return at.to_string() };
    let local = instant.to_zoned_datetime(zone.clone());
    let (month, clock) = (month(&local, lang), clock(&local, lang));
    format!("{} {month} {} {clock} {}", local.day(), local.year(), local.strftime("%Z"))
}

fn clock(local: &jiff::ZonedDateTime, lang: Lang) -> String {
    format!("{:02}{}{:02}", local.hour(), lang.pick(":", "."), local.minute())
}

fn month(local: &jiff::ZonedDateTime, lang: Lang) -> &'static str {
    const MONTHS: [(&str, &str); 12] = [
        ("Jan", "Jan"),
        ("Feb", "Feb"),
        ("Mar", "Mar"),
        ("Apr", "Apr"),
        ("May", "Mei"),
        ("Jun", "Jun"),
        ("Jul", "Jul"),
        ("Aug", "Agu"),
        ("Sep", "Sep"),
        ("Oct", "Okt"),
        ("Nov", "Nov"),
        ("Dec", "Des"),
    ];
    let month = usize::try_from(local.month() - 1).ok().and_then(|index| MONTHS.get(index)).copied();
    let (en, id) = month.unwrap_or_default();
    lang.pick(en, id)
}

/// `1,234` or `1.234`.
pub(crate) fn number(value: u64, lang: Lang) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push_str(lang.pick(",", "."));
        }
        out.push(digit);
    }
    out
}

/// `980 B`, `1.5 KB` or `1,5 KB`.
pub(crate) fn size(bytes: u64, lang: Lang) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return say::UNIT_BYTES.fill(lang, &[("n", &bytes.to_string())]);
    }
    let mut tenths = bytes / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1_000;
        unit += 1;
    }
    format!("{}{}{} {}", number(tenths / 10, lang), lang.pick(".", ","), tenths % 10, UNITS[unit])
}

/// `1 document`, `12 documents`.
pub(crate) fn count(value: u64, one: Text, many: Text, lang: Lang) -> String {
    if value == 1 { one.pick(lang).to_owned() } else { many.fill(lang, &[("n", &number(value, lang))]) }
}

/// `#1, #2`.
pub(crate) fn proposals(numbers: &[u64]) -> String {
    numbers.iter().map(|n| format!("#{n}")).collect::<Vec<_>>().join(", ")
}

/// A name, and what it is where it is no person.
pub(crate) fn actor(actor: &ActorRef, lang: Lang) -> String {
    let name = clean(&actor.name);
    match actor.kind {
        ActorKind::Agent => say::AGENT_NAME.fill(lang, &[("name", &name)]),
        _ => name.into_owned(),
    }
}

pub(crate) fn state(state: State, lang: Lang) -> &'static str {
    match state {
        State::Waiting => say::STATE_WAITING,
        State::Applied => say::STATE_APPLIED,
        State::Rejected => say::STATE_REJECTED,
        State::Withdrawn => say::STATE_WITHDRAWN,
        State::Expired => say::STATE_EXPIRED,
    }
    .pick(lang)
}

pub(crate) fn state_style(state: State) -> Style {
    match state {
        State::Waiting => MARK,
        State::Applied => GOOD,
        State::Rejected => BAD,
        State::Withdrawn | State::Expired => DIM,
    }
}

pub(crate) fn role(role: Option<Role>, lang: Lang) -> &'static str {
    match role {
        Some(Role::Member) => say::ROLE_MEMBER,
        Some(Role::Reviewer) => say::ROLE_REVIEWER,
        Some(Role::Maintainer) => say::ROLE_MAINTAINER,
        None => say::ROLE_NONE,
    }
    .pick(lang)
}

pub(crate) fn kind(kind: ActorKind, lang: Lang) -> &'static str {
    match kind {
        ActorKind::Person => say::KIND_PERSON,
        ActorKind::Agent => say::KIND_AGENT,
        ActorKind::Source => say::KIND_SOURCE,
        ActorKind::System => say::KIND_SYSTEM,
    }
    .pick(lang)
}

pub(crate) fn door(door: Door, lang: Lang) -> &'static str {
    match door {
        Door::Desktop => say::DOOR_DESKTOP,
        Door::Cli => say::DOOR_CLI,
        Door::Http => say::DOOR_HTTP,
        Door::Webhook => say::DOOR_WEBHOOK,
        Door::Mcp => say::DOOR_MCP,
    }
    .pick(lang)
}

pub(crate) fn op(op: Op, lang: Lang) -> &'static str {
    match op {
        Op::Create => say::OP_CREATE,
        Op::Replace => say::OP_REPLACE,
        Op::Rename => say::OP_RENAME,
        Op::Delete => say::OP_DELETE,
    }
    .pick(lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_on_a_terminal_has_short_times() {
        let at: Timestamp = "2026-11-30T07:02:11.123Z".parse().unwrap();
        let zone = TimeZone::get("Asia/Jakarta").unwrap();
        let check = |now: &str, lang, expected: &str| {
            assert_eq!(short_in(at, lang, &zone, now.parse().unwrap()), expected);
        };
        check("2026-12-31T16:59:59Z", Lang::En, "30 Nov 14:02");
        // There it is the next year already.
        check("2026-12-31T17:00:00Z", Lang::Id, "30 Nov 2026 14.02");
    }

    #[test]
    fn times_are_local_with_their_zone() {
        let at: Timestamp = "2026-11-30T07:02:11.123Z".parse().unwrap();
        let jakarta = TimeZone::get("Asia/Jakarta").unwrap();
        assert_eq!(when_in(at, Lang::En, &jakarta), "30 Nov 2026 14:02 WIB");
        assert_eq!(when_in(at, Lang::Id, &jakarta), "30 Nov 2026 14.02 WIB");
        assert_eq!(when_in(at, Lang::En, &TimeZone::UTC), "30 Nov 2026 07:02 UTC");
        let august: Timestamp = "2026-08-01T00:00:00Z".parse().unwrap();
        assert_eq!(when_in(august, Lang::Id, &TimeZone::UTC), "1 Agu 2026 00.00 UTC");
    }

    #[test]
    fn figures_are_grouped_as_the_language_does() {
        assert_eq!(number(0, Lang::En), "0");
        assert_eq!(number(1_234_567, Lang::En), "1,234,567");
        assert_eq!(number(1_234, Lang::Id), "1.234");
        assert_eq!(size(999, Lang::En), "999 B");
        assert_eq!(size(1_500, Lang::En), "1.5 KB");
        assert_eq!(size(1_500, Lang::Id), "1,5 KB");
        assert_eq!(size(67_108_864, Lang::En), "67.1 MB");
    }
}
