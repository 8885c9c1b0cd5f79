//! JSON at the border: one value, UTF-8, each member once, no deeper than 128, and no number that
//! RFC 8785 would merge with another. `serde_json::Value` alone would keep the last duplicate
//! silently.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use crate::code::Code;
use crate::json_edit;
use crate::limit;
use crate::refusal::Refusal;

/// Parses a body strictly.
///
/// # Errors
/// Each says where. `body.invalid_json`: not JSON, not UTF-8, with a byte order mark, empty, or
/// too deep. `body.invalid`: JSON, but with a duplicate member or a number beyond ±2^53.
pub fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
    parse_from(bytes, Place::Inside)
}

/// Parses a submission as strictly as [`parse`] does, but for the JSON edits in it: the member
/// `patch` of each element of `changes` comes as its text, in a string. There `1.50` and `1e400`
/// are what they are; whatever but bad syntax is wrong inside is told by whoever reads the edit.
///
/// # Errors
/// As [`parse`].
pub fn parse_keeping_patches(bytes: &[u8]) -> Result<Value, Refusal> {
    parse_from(bytes, Place::Submission)
}

fn parse_from(bytes: &[u8], place: Place) -> Result<Value, Refusal> {
    if let Err(error) = std::str::from_utf8(bytes) {
        let at = error.valid_up_to();
        return Err(invalid(
            format!("The body is not UTF-8: the byte at offset {at} is wrong."),
            format!("Isinya bukan UTF-8: byte pada posisi {at} salah."),
        ));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(invalid(
            "The body begins with a byte order mark; send UTF-8 without one.".to_owned(),
            "Isinya diawali tanda urutan byte (BOM); kirim UTF-8 tanpa tanda itu.".to_owned(),
        ));
    }
    if bytes.trim_ascii().is_empty() {
        return Err(invalid(
            "The body is empty; send one JSON value.".to_owned(),
            "Isinya kosong; kirim satu nilai JSON.".to_owned(),
        ));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    // serde_json's own limit stops one level short of the documented one; `Strict` counts instead,
    // so the recursion stays bounded.
    let value = Strict { depth: 0, place }.deserialize(&mut reader).map_err(|e| describe(&e, bytes))?;
    reader.end().map_err(|e| describe(&e, bytes))?;
    Ok(value)
}

/// What our own reading says where `serde_json` has no objection; the number and the member are put
/// into the sentence by `describe`.
const TOO_DEEP: &str = "recursion limit exceeded";
const BEYOND: &str = "beyond 2^53";
const TWICE: &str = "stands twice: ";
/// What `serde_json` says of a number that no float can hold.
const NO_FLOAT: &str = "number out of range";

fn describe(error: &serde_json::Error, bytes: &[u8]) -> Refusal {
    let (line, column) = (error.line(), error.column());
    // The message of serde_json ends with its own position; ours is in the sentence.
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).trim_end_matches('.');
    if text.contains(TOO_DEEP) {
        return too_deep();
    }
    let of_json = if text == BEYOND || text == NO_FLOAT {
        let number = number_at(bytes, line, column);
        Some((
            format!("the number {number} is beyond ±2^53; send it as a string"),
            format!("bilangan {number} melampaui ±2^53; kirim sebagai teks"),
        ))
    } else {
        text.strip_prefix(TWICE).map(|member| {
            (format!("the member {member} stands twice"), format!("anggota {member} ditulis dua kali"))
        })
    };
    // Our own reading has a reason in both languages. Where it was JSON so far, what comes after was not
    // read, and may be none.
    if let Some(wrong) = json_edit::syntax(bytes) {
        let (line, column) = (wrong.line, wrong.column);
        return invalid(
            format!("The body is not valid JSON at line {line}, column {column}: {}.", wrong.en),
            format!("Isinya bukan JSON yang sah pada baris {line}, kolom {column}: {}.", wrong.id),
        );
    }
    let Some((en, id)) = of_json else {
        // What serde_json alone objects to it says in English: quoted.
        return invalid(
            format!("The body is not valid JSON at line {line}, column {column}: {text}."),
            format!("Isinya bukan JSON yang sah pada baris {line}, kolom {column}: {text:?}."),
        );
    };
    Refusal::new(
        Code::BodyInvalid,
        format!("The body cannot be taken at line {line}, column {column}: {en}."),
    )
    .said(format!("Isinya tidak dapat diterima pada baris {line}, kolom {column}: {id}."))
}

/// The number as it is written, of which the position is the end or just past it.
fn number_at(bytes: &[u8], line: usize, column: usize) -> String {
    let part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let row = bytes.split(|b| *b == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let mut end = column.min(row.len());
    while end > 0 && !part(&row[end - 1]) {
        end -= 1;
    }
    let start = end - row[..end].iter().rev().take_while(|b| part(b)).count();
    let text: String = row[start..end].iter().map(|b| char::from(*b)).collect();
    if text.len() > 40 { format!("{}…", &text[..40]) } else { text }
}

fn too_deep() -> Refusal {
    invalid(
        format!("The body is nested deeper than {} levels.", limit::JSON_DEPTH),
        format!("Isinya bersarang lebih dari {} tingkat.", limit::JSON_DEPTH),
    )
    .with(|f| f.limit = Some(limit::JSON_DEPTH as u64))
}

fn invalid(detail: String, said: String) -> Refusal {
    Refusal::new(Code::BodyInvalidJson, detail).said(said)
}

struct Strict {
    depth: usize,
    place: Place,
}

/// Which value is being read, as far as that matters: the submission, its changes, one of them, or
/// anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Submission,
    Changes,
    Change,
    Inside,
}

impl Strict {
    fn deeper<E: serde::de::Error>(&self, place: Place) -> Result<Strict, E> {
        if self.depth >= limit::JSON_DEPTH {
            return Err(E::custom(TOO_DEEP));
        }
        Ok(Strict { depth: self.depth + 1, place })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(Value::Bool(v))
    }

    fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<Value, E> {
        if v.unsigned_abs() > limit::SAFE_INTEGER.unsigned_abs() {
            return Err(E::custom(BEYOND));
        }
        Ok(Value::Number(v.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, v: u64) -> Result<Value, E> {
        match i64::try_from(v) {
            Ok(v) => self.visit_i64(v),
            Err(_) => Err(E::custom(BEYOND)),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<Value, E> {
        // As floats, 2^53 and 2^53 + 1 are the same already.
        #[expect(clippy::cast_precision_loss, reason = "2^53 is exactly representable")]
        if v.abs() >= limit::SAFE_INTEGER as f64 {
            return Err(E::custom(BEYOND));
        }
        Number::from_f64(v).map(Value::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(Value::String(v.to_owned()))
    }

    fn visit_string<E>(self, v: String) -> Result<Value, E> {
        Ok(Value::String(v))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let place = if self.place == Place::Changes { Place::Change } else { Place::Inside };
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.deeper(place)?)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if members.contains_key(&name) {
                return Err(A::Error::custom(format!("{TWICE}{name:?}")));
            }
            let value = match (self.place, name.as_str()) {
                (Place::Change, "patch") => Value::String(map.next_value::<&RawValue>()?.get().to_owned()),
                (Place::Submission, "changes") => map.next_value_seed(self.deeper(Place::Changes)?)?,
                _ => map.next_value_seed(self.deeper(Place::Inside)?)?,
            };
            members.insert(name, value);
        }
        Ok(Value::Object(members))
    }
}

/// Writes a string as RFC 8785 does: only what must be escaped is.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut clean = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x09 => "\\t",
            0x0A => "\\n",
            0x0C => "\\f",
            0x0D => "\\r",
            0x00..=0x1F => "",
            _ => continue,
        };
        out.push_str(&text[clean..at]);
        if escape.is_empty() {
            use fmt::Write as _;
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        clean = at + 1;
    }
    out.push_str(&text[clean..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Lang;
    use proptest::prelude::*;

    #[test]
    fn what_would_be_guessed_is_refused() {
        let check = |body: &[u8], code: Option<Code>, part: &str| {
            for parse in [parse, parse_keeping_patches] {
                let got = parse(body).err();
                assert_eq!(got.as_ref().map(|got| got.code), code, "{got:?}");
                let Some(got) = got else { continue };
                assert!(got.detail.contains(part), "{}", got.detail);
                assert!(!got.detail.ends_with("..") && got.said.is_some(), "{}", got.detail);
            }
        };
        let good = |body: &[u8]| check(body, None, "");
        // JSON, that we do not take.
        let guessed = |body: &[u8], part| check(body, Some(Code::BodyInvalid), part);
        let broken = |body: &[u8], part| check(body, Some(Code::BodyInvalidJson), part);
        good(br#"{"a":1,"b":[true,null,"x",1.5e3]}"#);
        guessed(br#"{"a":1,"a":2}"#, "stands twice");
        guessed(br#"{"a":{"b":1,"b":1}}"#, "stands twice");
        guessed(br#"{"changes":[{"patch":1,"patch":2}]}"#, "stands twice");
        good(b"9007199254740992");
        guessed(b"9007199254740993", "the number 9007199254740993 is beyond");
        guessed(b"-9007199254740993", "the number -9007199254740993 is beyond");
        guessed(b"18446744073709551615", "the number 18446744073709551615 is beyond");
        guessed(b"1e300", "the number 1e300 is beyond");
        guessed(b"1e400", "the number 1e400 is beyond");
        guessed(b"[-1e400]", "the number -1e400 is beyond");
        guessed(b"9007199254740993.0", "the number 9007199254740993.0 is beyond");
        guessed(b"[1,\n 2, 1E+20\n]", "line 2, column 9: the number 1E+20 is beyond");
        guessed(br#"{"a":12345678901234567890123456789}"#, "12345678901234567890123456789 is");
        guessed(br#"{"a\n at line 7":1,"a\n at line 7":2}"#, "at line 7\" stands twice");
        good(b"9007199254740991.0");
        // What comes after it decides whether it is JSON.
        broken(b"[1e400", "not valid JSON at line 1, column 7");
        broken(b"[1e400,\n01]", "not valid JSON at line 2, column 2");
        broken(br#"{"a":1,"a":2} x"#, "not valid JSON at line 1, column 15");
        // The reason too is there in both languages.
        let said = |lang| parse(br#"{"a": 1,}"#).expect_err("a comma too many").sentence(lang);
        assert!(said(Lang::En).ends_with(
            "line 1, column 9: a member's name in double quotes is expected, and \"}\" stands there."
        ));
        assert!(said(Lang::Id).ends_with(
            "baris 1, kolom 9: seharusnya nama anggota dalam tanda kutip ganda, tetapi ada \"}\"."
        ));
        broken(b"NaN", "not valid JSON");
        broken(b"[1] x", "not valid JSON");
        broken(b"", "is empty");
        broken(b" \n", "is empty");
        broken(b"\xEF\xBB\xBF{}", "byte order mark");
        broken(b"\"\xff\"", "not UTF-8");
        broken(br#""\ud800""#, "not valid JSON");
        broken("[".repeat(100_000).as_bytes(), "nested deeper than 128");
        let at = format!("{}{}", "[".repeat(128), "]".repeat(128));
        good(at.as_bytes());
        let past = format!("{}{}", "[".repeat(129), "]".repeat(129));
        broken(past.as_bytes(), "nested deeper than 128");
    }

    #[test]
    fn patches_are_kept_by_their_text() {
        let parsed = |body: &str| parse_keeping_patches(body.as_bytes());
        let check = |body: &str, want: &str| assert_eq!(parsed(body), parse(want.as_bytes()), "{body}");
        check(
            r#"{"changes":[{"op":"x","patch": [ 1.50, {"a":1,"a":1e400} ] },{"patch":"p"}]}"#,
            r#"{"changes":[{"op":"x","patch":"[ 1.50, {\"a\":1,\"a\":1e400} ]"},{"patch":"\"p\""}]}"#,
        );
        // Nowhere else.
        for body in [
            r#"{"patch":[1],"a":{"changes":[{"patch":[1]}]}}"#,
            r#"[{"changes":[{"patch":[1]}]}]"#,
            r#"{"changes":{"patch":[1]}}"#,
            r#"{"changes":[[{"patch":[1]}]]}"#,
            r#"{"changes":[{"a":{"patch":[1]}}]}"#,
        ] {
            check(body, body);
        }
        let refused = |body: &str| parsed(body).expect_err(body).code;
        assert_eq!(refused(r#"{"changes":[{"patch":[1,]}]}"#), Code::BodyInvalidJson);
        assert_eq!(refused(r#"{"changes":[{"patch":[1]}],"a":1e400}"#), Code::BodyInvalid);
        let deep = format!(r#"{{"changes":[{{"patch":{}1{}}}]}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert!(parsed(&deep).is_ok(), "how deep an edit may be is told by whoever reads it");
    }

    proptest! {
        #[test]
        fn strings_as_rfc_8785(text in any::<String>()) {
            let mut ours = String::new();
            write_string(&mut ours, &text);
            prop_assert_eq!(ours, serde_json_canonicalizer::to_string(&text).unwrap());
        }
    }
}
