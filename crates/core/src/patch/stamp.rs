//! The stamp behind a name: whether it says that on this side there was no file.

/// Whether a stamp is the beginning of 1970, in any zone and usual spelling, or says so in words.
/// Without a `/dev/null`, this is how bzr, hg, svn and `diff -N` write an absent file.
pub(super) fn is_absent(stamp: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(stamp) else { return false };
    let text = text.split('\t').next().unwrap_or_default().trim();
    text == "(nonexistent)" || minutes_since_epoch(text) == Some(0)
}

/// Minutes from the epoch to a time on one of the two days that it can fall on; none for other texts.
fn minutes_since_epoch(text: &str) -> Option<i32> {
    let spaced = text.replacen('T', " ", usize::from(text.as_bytes().get(10) == Some(&b'T')));
    let parts: Vec<&str> = spaced.split_whitespace().collect();
    let (date, time, zone) = match *parts.as_slice() {
        // 1970-01-01 00:00:00.000000000 +0000
        [date, time, zone] => (day(date)?, time, zone),
        [date, time] => match time.find(['Z', '+', '-']) {
            Some(at) => (day(date)?, &time[..at], &time[at..]),
            None => (day(date)?, time, "Z"),
        },
        // Thu Jan 01 00:00:00 1970 +0000
        [_, month, date, time, year, zone] => (worded(year, month, date)?, time, zone),
        // 1 Jan 1970 00:00:00 -0000, or Thu Jan 1 00:00:00 1970
        [date, month, year, time, zone] if date.parse::<u32>().is_ok() => {
            (worded(year, month, date)?, time, zone)
        }
        [_, month, date, time, year] => (worded(year, month, date)?, time, "Z"),
        _ => return None,
    };
    Some(date * 24 * 60 + minutes(time)? - offset(zone)?)
}

fn day(date: &str) -> Option<i32> {
    match date {
        "1970-01-01" => Some(0),
        "1969-12-31" => Some(-1),
        _ => None,
    }
}

fn worded(year: &str, month: &str, date: &str) -> Option<i32> {
    match (year, month, date) {
        ("1970", "Jan", "1" | "01") => Some(0),
        ("1969", "Dec", "31") => Some(-1),
        _ => None,
    }
}

/// Of a time of day on a whole minute.
fn minutes(time: &str) -> Option<i32> {
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = time.split(':').map(|part| part.parse::<i32>().ok());
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    let whole = second == 0 && !fraction.is_empty() && fraction.bytes().all(|b| b == b'0');
    (whole && parts.next().is_none()).then_some(hour * 60 + minute)
}

/// Of a zone east of Greenwich.
fn offset(zone: &str) -> Option<i32> {
    if matches!(zone, "Z" | "UTC" | "GMT") {
        return Some(0);
    }
    let (sign, digits) = match zone.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let digits = digits.replacen(':', "", 1);
    if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = digits.split_at(2);
    Some(sign * (hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::is_absent;

    #[test]
    fn the_epoch_in_its_spellings() {
        let check = |stamp: &str, absent: bool| assert_eq!(is_absent(stamp.as_bytes()), absent, "{stamp}");
        for absent in [
            "1970-01-01 00:00:00 +0000",
            "1970-01-01 00:00:00.000000000 +0000",
            "1970-01-01 07:00:00.000000000 +0700",
            "1969-12-31 19:00:00.000000000 -0500",
            "1969-12-31 18:00:00 -06:00",
            "1970-01-01T00:00:00Z",
            "1970-01-01 00:00:00 UTC",
            "1970-01-01 00:00:00",
            "Thu Jan 01 00:00:00 1970 +0000",
            "Thu Jan 01 07:00:00 1970 +0700",
            "Wed Dec 31 19:00:00 1969 -0500",
            "Thu Jan  1 00:00:00 1970",
            "1 Jan 1970 00:00:00 -0000",
            "1 Jan 1970 00:00:00 -0000\t1.1",
            "(nonexistent)",
        ] {
            check(absent, true);
        }
        for there in [
            "",
            "1970-01-01 00:00:01 +0000",
            "1970-01-01 00:00:00.5 +0000",
            "1970-01-01 00:00:00 +0700",
            "1970-01-02 00:00:00 +0000",
            "2013-10-13 23:53:13 +0000",
            "(revision 0)",
            "(working copy)",
            "Thu Jan 01 00:00:00 1971 +0000",
            "1970-01-01 00:00:00 é",
            "1970-01-01 00:00:00 +",
            "''timestamp''",
        ] {
            check(there, false);
        }
    }
}
