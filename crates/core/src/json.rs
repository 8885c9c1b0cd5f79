//! JSON at the border: one value, UTF-8, each member once, no deeper than 128, and no number that
//! RFC 8785 would merge with another. `serde_json::Value` alone would keep the last duplicate
//! silently.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::code::Code;
use crate::limit;
use crate::refusal::Refusal;

/// Parses a body strictly.
///
/// # Errors
/// `body.invalid_json`, saying where: not JSON, not UTF-8, a duplicate member, too deep, or a
/// number beyond ±2^53.
pub fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
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
    let value = Strict { depth: 0 }.deserialize(&mut reader).map_err(|e| describe(&e, bytes))?;
    reader.end().map_err(|e| describe(&e, bytes))?;
    Ok(value)
}

/// What our own reading says where `serde_json` has no objection; the number and the member are put
/// into the sentence by `describe`.
const TOO_DEEP: &str = "recursion limit exceeded";
const BEYOND: &str = "beyond 2^53";
const TWICE: &str = "stands twice: ";

fn describe(error: &serde_json::Error, bytes: &[u8]) -> Refusal {
    let (line, column) = (error.line(), error.column());
    // The message of serde_json ends with its own position; ours is in the sentence.
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).trim_end_matches('.');
    if text.contains(TOO_DEEP) {
        return too_deep();
    }
    let (en, id) = if text == BEYOND {
        let number = number_at(bytes, line, column);
        (
            format!("the number {number} is beyond ±2^53; send it as a string"),
            format!("bilangan {number} melampaui ±2^53; kirim sebagai teks"),
        )
    } else if let Some(member) = text.strip_prefix(TWICE) {
        (format!("the member {member} stands twice"), format!("anggota {member} ditulis dua kali"))
    } else {
        return invalid(
            format!("The body is not valid JSON at line {line}, column {column}: {text}."),
            format!("Isinya bukan JSON yang sah pada baris {line}, kolom {column}."),
        );
    };
    invalid(
        format!("The body cannot be taken at line {line}, column {column}: {en}."),
        format!("Isinya tidak dapat diterima pada baris {line}, kolom {column}: {id}."),
    )
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
}

impl Strict {
    fn deeper<E: serde::de::Error>(&self) -> Result<Strict, E> {
        if self.depth >= limit::JSON_DEPTH {
            return Err(E::custom(TOO_DEEP));
        }
        Ok(Strict { depth: self.depth + 1 })
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
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.deeper()?)? {
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
            let value = map.next_value_seed(self.deeper()?)?;
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
    use proptest::prelude::*;

    #[test]
    fn what_would_be_guessed_is_refused() {
        let check = |body: &[u8], part: Option<&str>| {
            let got = parse(body).err();
            match part {
                None => assert!(got.is_none(), "{got:?}"),
                Some(part) => {
                    let got = got.expect("refused");
                    assert_eq!(got.code, Code::BodyInvalidJson);
                    assert!(got.detail.contains(part), "{}", got.detail);
                    assert!(!got.detail.ends_with("..") && got.said.is_some(), "{}", got.detail);
                }
            }
        };
        check(br#"{"a":1,"b":[true,null,"x",1.5e3]}"#, None);
        check(br#"{"a":1,"a":2}"#, Some("stands twice"));
        check(br#"{"a":{"b":1,"b":1}}"#, Some("stands twice"));
        check(b"9007199254740992", None);
        check(b"9007199254740993", Some("the number 9007199254740993 is beyond"));
        check(b"-9007199254740993", Some("the number -9007199254740993 is beyond"));
        check(b"18446744073709551615", Some("the number 18446744073709551615 is beyond"));
        check(b"1e300", Some("the number 1e300 is beyond"));
        check(b"9007199254740993.0", Some("the number 9007199254740993.0 is beyond"));
        check(b"[1,\n 2, 1E+20\n]", Some("line 2, column 9: the number 1E+20 is beyond"));
        check(br#"{"a":12345678901234567890123456789}"#, Some("12345678901234567890123456789 is"));
        check(br#"{"a\n at line 7":1,"a\n at line 7":2}"#, Some("at line 7\" stands twice"));
        check(b"9007199254740991.0", None);
        check(b"1e400", Some("not valid JSON"));
        check(b"NaN", Some("not valid JSON"));
        check(b"[1] x", Some("not valid JSON"));
        check(b"", Some("is empty"));
        check(b" \n", Some("is empty"));
        check(b"\xEF\xBB\xBF{}", Some("byte order mark"));
        check(b"\"\xff\"", Some("not UTF-8"));
        check(br#""\ud800""#, Some("not valid JSON"));
        check("[".repeat(100_000).as_bytes(), Some("nested deeper than 128"));
        let at = format!("{}{}", "[".repeat(128), "]".repeat(128));
        check(at.as_bytes(), None);
        let past = format!("{}{}", "[".repeat(129), "]".repeat(129));
        check(past.as_bytes(), Some("nested deeper than 128"));
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
