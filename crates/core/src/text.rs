//! Parsing the short texts of the border into what cannot be wrong: slugs, titles, names, keys,
//! reasons. Content is not here; it is bytes.

use crate::code::Code;
use crate::limit;
use crate::refusal::Refusal;
use crate::role::ActorKind;

/// Characters that change how the text around them is read, or are invisible.
pub(crate) fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{0B}' | '\u{0C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Characters that show nothing by themselves: spaces of every kind, and what Unicode names
/// `Default_Ignorable_Code_Point` (`DerivedCoreProperties`), with the blank Braille cell.
fn shows_nothing(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// A text that a person could not see.
pub(crate) fn invisible(text: &str) -> bool {
    text.chars().all(shows_nothing)
}

/// A refusal of a field of a proposal, in both languages.
pub(crate) fn wrong(field: &str, en: &str, id: &str) -> Refusal {
    Refusal::field(Code::ProposalInvalid, field, format!("{field}: {en}.")).said(format!("{field}: {id}."))
}

/// A NUL cannot stand in a text: SQLite's functions and C programs would cut it there.
fn no_nul(field: &str, text: &str) -> Result<(), Refusal> {
    if text.contains('\0') {
        return Err(wrong(
            field,
            "a NUL character cannot stand in a text",
            "karakter NUL tidak boleh ada dalam teks",
        ));
    }
    Ok(())
}

/// Checks a title: 1 to 1,000 characters on one line.
///
/// # Errors
/// `limit.exceeded` or `proposal.invalid`, naming the field.
pub fn title(field: &str, text: &str) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if chars > limit::TITLE_CHARS {
        return Err(Refusal::limit(field, "a title", limit::TITLE_CHARS, chars, "characters"));
    }
    if text.trim().is_empty() {
        return Err(wrong(field, "a title is needed", "judul diperlukan"));
    }
    if text.chars().any(is_line_break) {
        return Err(wrong(field, "a title is one line", "judul hanya satu baris"));
    }
    // A title is what somebody reads before pressing Apply: it shows what it holds.
    if text.chars().any(|c| c.is_control() || is_reordering(c)) {
        return Err(wrong(
            field,
            "control characters and characters that reverse the text cannot stand in a title",
            "karakter kendali dan karakter yang membalik arah teks tidak boleh ada dalam judul",
        ));
    }
    // Within a title they join letters and emoji; alone they are a title that nobody can see.
    if invisible(text) {
        return Err(wrong(
            field,
            "a title needs a character that can be seen; this has only invisible ones",
            "judul memerlukan karakter yang terlihat; ini hanya berisi karakter yang tidak terlihat",
        ));
    }
    Ok(())
}

/// Embeddings, overrides and isolates: they reorder the text that follows them.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Checks a longer text of at most `max` bytes.
///
/// # Errors
/// `limit.exceeded` or `proposal.invalid`, naming the field.
pub fn prose(field: &str, text: &str, max: usize) -> Result<(), Refusal> {
    if text.len() > max {
        return Err(Refusal::limit(field, "this text", max, text.len(), "bytes"));
    }
    no_nul(field, text)
}

/// Checks a correlation: 1 to 255 bytes, which say something to its caller alone.
///
/// # Errors
/// `limit.exceeded` or `proposal.invalid`, naming the field.
pub fn correlation(field: &str, text: &str) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err(wrong(field, "it may not be empty", "tidak boleh kosong"));
    }
    if text.len() > limit::KEY_BYTES {
        return Err(Refusal::limit(field, "it", limit::KEY_BYTES, text.len(), "bytes"));
    }
    no_nul(field, text)
}

/// Checks an idempotency key or effect key: 1 to 255 bytes, without spaces around it, control
/// characters or line ends, and not invisible: two keys that look alike would be two.
///
/// # Errors
/// `limit.exceeded` or `proposal.invalid`, naming the field.
pub fn key(field: &str, text: &str) -> Result<(), Refusal> {
    correlation(field, text)?;
    if text.chars().any(|c| c.is_control() || is_line_break(c)) {
        return Err(wrong(
            field,
            "control characters and line ends cannot stand in a key",
            "karakter kendali dan akhir baris tidak boleh ada dalam kunci",
        ));
    }
    if invisible(text) {
        return Err(wrong(
            field,
            "a key needs a character that can be seen; this has only spaces or invisible ones",
            "kunci memerlukan karakter yang terlihat; ini hanya berisi spasi atau karakter yang tidak terlihat",
        ));
    }
    if text.trim() != text {
        return Err(wrong(
            field,
            "it begins or ends with a space; send it without",
            "diawali atau diakhiri spasi; kirim tanpa spasi itu",
        ));
    }
    Ok(())
}

/// Checks an effect key; `in/` is reserved for keys that Sekali derives.
///
/// # Errors
/// As [`key`], and `proposal.invalid` for the reserved prefix.
pub fn effect_key(field: &str, text: &str) -> Result<(), Refusal> {
    key(field, text)?;
    if text.starts_with(crate::revision::DERIVED) {
        return Err(wrong(
            field,
            "effect keys that begin with in/ are reserved; name the action instead, such as order/8812/create",
            "kunci tindakan yang diawali in/ dicadangkan; sebutkan tindakannya, misalnya order/8812/create",
        ));
    }
    Ok(())
}

/// Checks a room's slug: `[a-z0-9](-?[a-z0-9])*`, at most 63 characters.
///
/// # Errors
/// `room.invalid` or `limit.exceeded`.
pub fn slug(text: &str) -> Result<(), Refusal> {
    if text.chars().count() > limit::SLUG_CHARS {
        return Err(Refusal::limit("slug", "a slug", limit::SLUG_CHARS, text.chars().count(), "characters"));
    }
    let bytes = text.as_bytes();
    let shaped = !bytes.is_empty()
        && bytes.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && bytes[0] != b'-'
        && bytes[bytes.len() - 1] != b'-'
        && !text.contains("--");
    if shaped {
        return Ok(());
    }
    Err(Refusal::field(
        Code::RoomInvalid,
        "slug",
        format!("slug: {text:?} is not a slug: lower-case letters, digits and single hyphens between them."),
    )
    .said(format!(
        "slug: {text:?} bukan nama pendek: huruf kecil, angka, dan tanda hubung tunggal di antaranya."
    ))
    .with(|f| f.value = Some(text.to_owned())))
}

/// A person's or agent's name as it is typed: `Ani` or `agent:drafting`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ActorName {
    /// The kind, from the prefix.
    pub kind: ActorKind,
    /// The name without the prefix.
    pub name: String,
}

impl ActorName {
    /// Reads a typed name.
    ///
    /// # Errors
    /// `member.invalid` or `limit.exceeded`, naming the field.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        let (kind, name) = match text.strip_prefix("agent:") {
            Some(name) => (ActorKind::Agent, name),
            None => (ActorKind::Person, text),
        };
        if name.len() > limit::NAME_BYTES {
            return Err(Refusal::limit(field, "a name", limit::NAME_BYTES, name.len(), "bytes"));
        }
        let bad = invisible(name)
            || name.trim() != name
            || name.chars().any(|c| is_line_break(c) || c.is_control() || is_bidi_control(c));
        if bad {
            return Err(Refusal::field(
                Code::MemberInvalid,
                field,
                format!(
                    "{field}: a name is one line of 1 to 255 bytes that can be seen, without spaces around it and without control characters."
                ),
            )
            .said(format!(
                "{field}: nama adalah satu baris 1 sampai 255 byte yang terlihat, tanpa spasi di sekelilingnya dan tanpa karakter kendali."
            )));
        }
        Ok(Self { kind, name: name.to_owned() })
    }
}

impl std::fmt::Display for ActorName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            ActorKind::Agent => write!(f, "agent:{}", self.name),
            _ => f.write_str(&self.name),
        }
    }
}

/// The first characters of a text, with an ellipsis where it is longer.
pub fn cut(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(chars.saturating_sub(1)).collect();
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_at_and_one_past() {
        let check = |result: Result<(), Refusal>, code: Option<Code>| {
            assert_eq!(result.err().map(|r| r.code), code);
        };
        check(title("title", &"é".repeat(1_000)), None);
        check(title("title", &"é".repeat(1_001)), Some(Code::LimitExceeded));
        check(title("title", "  "), Some(Code::ProposalInvalid));
        check(title("title", "a\nb"), Some(Code::ProposalInvalid));
        check(title("title", "a\u{2028}b"), Some(Code::ProposalInvalid));
        check(title("title", "a\0b"), Some(Code::ProposalInvalid));
        check(title("title", "a\u{1b}[31mb"), Some(Code::ProposalInvalid));
        check(title("title", "a\u{202e}b"), Some(Code::ProposalInvalid));
        check(title("title", "שלום \u{200f}!"), None);
        for shown in
            ["👩\u{200d}👩\u{200d}👧", "❤\u{fe0f}", "a\u{a0}b", "क\u{94d}\u{200d}ष", "\u{feff}a", "\u{301}"]
        {
            check(title("title", shown), None);
        }
        for hidden in [
            "\u{a0}",
            "\u{200b}",
            "\u{200d}",
            "\u{feff}",
            "\u{ad}",
            " \u{3164}\u{2800} ",
            "\u{fe0f}\u{e0041}",
        ] {
            let refusal = title("title", hidden).expect_err(hidden);
            assert_eq!(refusal.code, Code::ProposalInvalid, "{hidden:?}");
            assert!(ActorName::parse("name", hidden).is_err() && key("key", hidden).is_err(), "{hidden:?}");
        }
        for bad in [" ", " a", "a ", "\u{a0}a", "a\tb", "a\nb", "a\u{2028}b", "a\0b", "\u{7f}"] {
            for refusal in [key("key", bad), effect_key("key", bad)].map(|r| r.expect_err(bad)) {
                assert_eq!(
                    (refusal.code, refusal.facts.field.as_deref()),
                    (Code::ProposalInvalid, Some("key"))
                );
            }
        }
        check(key("key", "a b/ß:1"), None);
        check(key("key", &"k".repeat(255)), None);
        check(key("key", &"k".repeat(256)), Some(Code::LimitExceeded));
        check(key("key", ""), Some(Code::ProposalInvalid));
        check(effect_key("effect_keys[0]", "in/abc"), Some(Code::ProposalInvalid));
        check(slug(&"a".repeat(63)), None);
        check(slug(&"a".repeat(64)), Some(Code::LimitExceeded));
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "é"] {
            check(slug(bad), Some(Code::RoomInvalid));
        }
        check(slug("toko-mekar-2"), None);
        check(ActorName::parse("name", &"n".repeat(255)).map(drop), None);
        check(ActorName::parse("name", &"n".repeat(256)).map(drop), Some(Code::LimitExceeded));
        check(ActorName::parse("name", "a\nb").map(drop), Some(Code::MemberInvalid));
        check(ActorName::parse("name", "agent:").map(drop), Some(Code::MemberInvalid));
        assert_eq!(ActorName::parse("name", "agent:drafting").unwrap().kind, ActorKind::Agent);
    }
}
