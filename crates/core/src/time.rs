//! Instants as milliseconds since 1970 UTC, and their one text form.
//! Reading a clock is not here: `now` comes from the store, inside its transaction.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant in milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339 in UTC with exactly
/// three decimals. What is hashed is this text, so nothing finer is ever kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// 9999-12-30T21:59:59.999Z: the last instant that has a four-digit year in every zone.
const MAX_MS: i64 = 253_402_207_199_999;

/// Why a text is not an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 time with a zone, such as 2026-11-30T14:02:11.123Z")]
pub struct ParseTimeError;

impl Timestamp {
    /// Wraps milliseconds since 1970, clamped to the years 1970 to 9999.
    pub const fn from_ms(ms: i64) -> Self {
        Self(if ms < 0 {
            0
        } else if ms > MAX_MS {
            MAX_MS
        } else {
            ms
        })
    }

    /// Milliseconds since 1970.
    pub const fn ms(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Civil date from days, after Howard Hinnant's `civil_from_days`; a ledger entry is
        // written thousands of times a second, and this allocates nothing.
        let (days, ms) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000));
        let z = days + 719_468;
        let era = z.div_euclid(146_097);
        let doe = z.rem_euclid(146_097);
        let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        let mp = (5 * doy + 2) / 153;
        let day = doy - (153 * mp + 2) / 5 + 1;
        let month = if mp < 10 { mp + 3 } else { mp - 9 };
        let year = yoe + era * 400 + i64::from(month <= 2);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
            ms / 3_600_000,
            ms / 60_000 % 60,
            ms / 1_000 % 60,
            ms % 1_000
        )
    }
}

impl FromStr for Timestamp {
    type Err = ParseTimeError;

    /// Reads RFC 3339 with any zone; what is finer than a millisecond is cut off.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // jiff reads more than RFC 3339: a decimal comma, no seconds, basic forms, odd offsets.
        if !is_rfc3339(text.as_bytes()) {
            return Err(ParseTimeError);
        }
        let instant: jiff::Timestamp = text.parse().map_err(|_| ParseTimeError)?;
        let ms = instant.as_millisecond();
        if instant.as_second() >= 0 && (0..=MAX_MS).contains(&ms) {
            Ok(Self(ms))
        } else {
            Err(ParseTimeError)
        }
    }
}

/// The shape of RFC 3339, section 5.6: `2026-11-30T14:02:11`, up to nine decimals, `Z` or an offset.
fn is_rfc3339(text: &[u8]) -> bool {
    let digits = |from: usize, to: usize| text[from..to].iter().all(u8::is_ascii_digit);
    if text.len() < 20
        || !(digits(0, 4)
            && digits(5, 7)
            && digits(8, 10)
            && digits(11, 13)
            && digits(14, 16)
            && digits(17, 19))
    {
        return false;
    }
    let marks = (text[4], text[7], text[10].to_ascii_uppercase(), text[13], text[16]);
    if marks != (b'-', b'-', b'T', b':', b':') {
        return false;
    }
    let mut rest = 19;
    if text[rest] == b'.' {
        let decimals = text[rest + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        if !(1..=9).contains(&decimals) {
            return false;
        }
        rest += 1 + decimals;
    }
    match &text[rest..] {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            let number = |tens: &u8, ones: &u8| {
                (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
            };
            number(h1, h2).is_some_and(|h| h <= 23) && number(m1, m2).is_some_and(|m| m <= 59)
        }
        _ => false,
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What the store's clock says inside a transaction: `max(wall, last)`, unless the wall clock is
/// more than five minutes behind; then the wall is used, flagged, and nothing expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// The instant to write down.
    pub at: Timestamp,
    /// The wall clock stands more than five minutes before the last written instant.
    pub behind: bool,
}

/// How far behind a wall clock may be before it is flagged, in milliseconds.
pub const CLOCK_TOLERANCE_MS: i64 = 300_000;

impl Now {
    /// Decides the instant from the wall clock and the last instant written in the room.
    pub fn decide(wall: Timestamp, last: Timestamp) -> Self {
        if last.ms() - wall.ms() > CLOCK_TOLERANCE_MS {
            Self { at: wall, behind: true }
        } else {
            Self { at: wall.max(last), behind: false }
        }
    }

    /// Whether a validity has ended. The end itself is already over (half-open).
    pub fn past(&self, valid_until: Option<Timestamp>) -> bool {
        !self.behind && valid_until.is_some_and(|end| end <= self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_utc_with_three_decimals() {
        let check = |input: &str, expected: Option<&str>| {
            let got = input.parse::<Timestamp>().ok().map(|t| t.to_string());
            assert_eq!(got.as_deref(), expected, "{input}");
        };
        check("2026-11-30T14:02:11.123Z", Some("2026-11-30T14:02:11.123Z"));
        check("2026-11-30T21:02:11.123456789+07:00", Some("2026-11-30T14:02:11.123Z"));
        check("1970-01-01T00:00:00Z", Some("1970-01-01T00:00:00.000Z"));
        check("2000-02-29T00:00:00Z", Some("2000-02-29T00:00:00.000Z"));
        check("9999-12-30T21:59:59.999Z", Some("9999-12-30T21:59:59.999Z"));
        check("9999-12-31T23:59:59.999Z", None);
        check("2026-11-30T14:02:11", None);
        check("2026-11-30", None);
        check("2026-02-30T00:00:00Z", None);
        check("1969-12-31T23:59:59Z", None);
        check("besok", None);
        check("2026-11-30T14:02:11,123Z", None);
        check("2026-11-30T14:02Z", None);
        check("20261130T140211Z", None);
        check("2026-11-30T14:02:11+25:59", None);
        check("2026-11-30t14:02:11.5z", Some("2026-11-30T14:02:11.500Z"));
    }

    #[test]
    fn a_clock_far_behind_is_flagged_and_expires_nothing() {
        let at = Timestamp::from_ms;
        let near = Now::decide(at(1_000_000), at(1_300_000));
        assert_eq!(near, Now { at: at(1_300_000), behind: false });
        assert!(near.past(Some(at(1_300_000))));
        assert!(!near.past(Some(at(1_300_001))));
        let far = Now::decide(at(1_000_000), at(1_300_001));
        assert_eq!(far, Now { at: at(1_000_000), behind: true });
        assert!(!far.past(Some(at(1))));
    }

    proptest! {
        #[test]
        fn text_and_back(ms in 0..=MAX_MS) {
            let t = Timestamp::from_ms(ms);
            prop_assert_eq!(t.to_string().parse::<Timestamp>().unwrap(), t);
            prop_assert_eq!(t.to_string().len(), 24);
        }
    }
}
