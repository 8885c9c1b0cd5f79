//! Whether two values are equal (RFC 6902, section 4.6): numbers by what they are worth, exactly and
//! without floats; strings by what they mean; arrays in order; objects without order.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::scan::{Item, View, hash, small, unescape};

/// An object that has a name twice equals nothing, not even itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Twice(pub String);

/// Compares two values.
///
/// # Errors
/// The name that stands twice in an object that was to be compared.
pub(super) fn equal(a: View<'_>, b: View<'_>) -> Result<bool, Twice> {
    match (a.first(), b.first()) {
        (b'{', b'{') => objects(a, b),
        (b'[', b'[') => arrays(a, b),
        (b'"', b'"') => Ok(a.raw() == b.raw() || unescape(a.raw()) == unescape(b.raw())),
        (b'-' | b'0'..=b'9', b'-' | b'0'..=b'9') => Ok(a.raw() == b.raw() || numbers(a.raw(), b.raw())),
        _ => {
            // Of different kinds, or words. A value that cannot be compared is no value to differ.
            for side in [a, b] {
                if side.is_object() {
                    Members::of(side)?;
                }
            }
            Ok(a.raw() == b.raw())
        }
    }
}

fn arrays(a: View<'_>, b: View<'_>) -> Result<bool, Twice> {
    let (mut ours, mut theirs) = (a.items(), b.items());
    loop {
        match (ours.next(a), theirs.next(b)) {
            (None, None) => return Ok(true),
            (Some(x), Some(y)) => {
                if !equal(x.value(a), y.value(b))? {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
    }
}

fn objects(a: View<'_>, b: View<'_>) -> Result<bool, Twice> {
    let (ours, theirs) = (Members::of(a)?, Members::of(b)?);
    if ours.0.len() != theirs.0.len() {
        return Ok(false);
    }
    for (x, y) in ours.0.iter().zip(&theirs.0) {
        let (x, y) = (Members::item(a, *x), Members::item(b, *y));
        if unescape(x.name(a)) != unescape(y.name(b)) || !equal(x.value(a), y.value(b))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The members of an object by hash and name: eight bytes for each.
struct Members(Vec<(u32, u32)>);

impl Members {
    fn of(object: View<'_>) -> Result<Self, Twice> {
        let mut items = object.items();
        let mut members = Vec::new();
        while let Some(item) = items.next(object) {
            members.push((hash(&unescape(item.name(object))), small(item.name)));
        }
        members.sort_unstable();
        let members = Self(members);
        members.sorted(object)
    }

    /// Sorts those of one hash by name, where a twin is found.
    fn sorted(mut self, object: View<'_>) -> Result<Self, Twice> {
        let name = |at: u32| -> Cow<'_, str> {
            let mut items = object.part(at as usize, object.end - 1).run(true);
            items.next(object).map_or(Cow::Borrowed(""), |item| unescape(item.name(object)))
        };
        for group in self.0.chunk_by_mut(|(x, _), (y, _)| x == y).filter(|group| group.len() > 1) {
            group.sort_by(|(_, x), (_, y)| name(*x).cmp(&name(*y)));
            for pair in group.windows(2) {
                if name(pair[0].1).cmp(&name(pair[1].1)) == Ordering::Equal {
                    return Err(Twice(name(pair[0].1).into_owned()));
                }
            }
        }
        Ok(self)
    }

    fn item(object: View<'_>, (_, at): (u32, u32)) -> Item {
        let mut items = object.part(at as usize, object.end - 1).run(true);
        items.next(object).expect("a member that was found there")
    }
}

/// Whether two numbers of JSON are worth the same: 1 = 1.00 = 10e-1.
pub(super) fn numbers(a: &str, b: &str) -> bool {
    Number::read(a) == Number::read(b)
}

/// ±0.digits × 10^exponent, without zeros at either end of the digits; zero has no digits.
#[derive(PartialEq, Eq)]
struct Number {
    minus: bool,
    digits: String,
    /// In decimal, without leading zeros: it may have as many digits as somebody cares to write.
    exponent: String,
}

impl Number {
    fn read(raw: &str) -> Self {
        let (minus, raw) = raw.strip_prefix('-').map_or((false, raw), |rest| (true, rest));
        let (mantissa, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        if digits.is_empty() {
            return Self { minus: false, digits: String::new(), exponent: String::new() };
        }
        // The point is moved in front of the first digit that counts.
        let zeros = all.len() - digits.len();
        let moved = i64::try_from(whole.len()).unwrap_or(i64::MAX) - i64::try_from(zeros).unwrap_or(i64::MAX);
        Self { minus, digits: digits.trim_end_matches('0').to_owned(), exponent: plus(exponent, moved) }
    }
}

/// Digits of which any number fits an `i64` together with any offset into a text.
const PLAIN_DIGITS: usize = 17;

/// A decimal number of any length, plus one that counts digits of a text.
fn plus(number: &str, more: i64) -> String {
    let minus = number.starts_with('-');
    let digits = number.trim_start_matches(['+', '-']).trim_start_matches('0');
    if digits.len() <= PLAIN_DIGITS {
        let worth: i64 = digits.parse().unwrap_or(0);
        return (if minus { more - worth } else { worth + more }).to_string();
    }
    // The magnitude is far greater than `more`, so the sign stays.
    let more = if minus { -more } else { more };
    let (high, low) = digits.split_at(digits.len() - PLAIN_DIGITS);
    let one = 10_i64.pow(17);
    let low = low.parse::<i64>().unwrap_or(0) + more;
    let (high, low) = match low {
        low if low < 0 => (step(high, b'0', b'9'), low + one),
        low if low >= one => (step(high, b'9', b'0'), low - one),
        low => (high.to_owned(), low),
    };
    let magnitude = format!("{high}{low:017}");
    let magnitude = magnitude.trim_start_matches('0');
    if minus { format!("-{magnitude}") } else { magnitude.to_owned() }
}

/// One more or one less: the digits `over` at the end become `under`, the one before moves by one.
fn step(number: &str, over: u8, under: u8) -> String {
    let mut digits = number.as_bytes().to_vec();
    for digit in digits.iter_mut().rev() {
        if *digit != over {
            *digit = if over == b'9' { *digit + 1 } else { *digit - 1 };
            return digits.into_iter().map(char::from).collect();
        }
        *digit = under;
    }
    // Only going up: one less than zero is no case, a number of this length is greater.
    format!("1{}", digits.into_iter().map(char::from).collect::<String>())
}
