//! Opaque cursors: a versioned text in base64url that says where a page ended, the same for every
//! door. A client that reads into one has only itself to thank; one from another list is refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sekali_core::{Code, ProposalId, Refusal, Timestamp, limit};
use sekali_store::{Layer, RepeatMark};

/// Where a page of proposals ended.
pub fn after_proposal(id: ProposalId) -> String {
    write("proposals", &id.to_string())
}

/// Where a page of documents ended: the folded path.
pub fn after_document(key: &str) -> String {
    write("documents", key)
}

/// Where a page of comments ended: the number of the last.
pub fn after_comment(number: u32) -> String {
    write("comments", &number.to_string())
}

/// Where a page of evidence ended.
pub fn after_repeat(mark: &RepeatMark) -> String {
    let (layer, source, key) = (mark.layer.as_str(), hex::encode(mark.source), hex::encode(&mark.key));
    write("duplicates", &format!("{} {layer} {source} {key}", mark.at.ms()))
}

/// Reads [`after_proposal`]; without a cursor, the list begins at its beginning.
///
/// # Errors
/// `body.invalid` for what is not a cursor of this list.
pub fn proposal(cursor: Option<&str>) -> Result<Option<ProposalId>, Refusal> {
    read(cursor, "proposals", |rest| rest.parse().ok())
}

/// Reads [`after_document`].
///
/// # Errors
/// As [`proposal`].
pub fn document(cursor: Option<&str>) -> Result<Option<String>, Refusal> {
    read(cursor, "documents", |rest| Some(rest.to_owned()))
}

/// Reads [`after_comment`]; without a cursor, 0.
///
/// # Errors
/// As [`proposal`].
pub fn comment(cursor: Option<&str>) -> Result<u32, Refusal> {
    Ok(read(cursor, "comments", |rest| rest.parse().ok())?.unwrap_or(0))
}

/// Reads [`after_repeat`].
///
/// # Errors
/// As [`proposal`].
pub fn repeat(cursor: Option<&str>) -> Result<Option<RepeatMark>, Refusal> {
    read(cursor, "duplicates", |rest| {
        let mut parts = rest.split(' ');
        let mark = RepeatMark {
            at: Timestamp::from_ms(parts.next()?.parse().ok()?),
            layer: Layer::from_word(parts.next()?)?,
            source: hex::decode(parts.next()?).ok()?.try_into().ok()?,
            key: hex::decode(parts.next()?).ok()?,
        };
        parts.next().is_none().then_some(mark)
    })
}

fn write(list: &str, rest: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("1 {list} {rest}"))
}

fn read<T>(
    cursor: Option<&str>,
    list: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Refusal> {
    let Some(cursor) = cursor else { return Ok(None) };
    // No cursor of ours is longer than a path or a key, written as hex and then as base64.
    let text = (cursor.len() <= 4 * limit::PATH_BYTES)
        .then(|| URL_SAFE_NO_PAD.decode(cursor).ok())
        .flatten()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let rest =
        text.as_deref().and_then(|text| text.strip_prefix("1 ")?.strip_prefix(list)?.strip_prefix(' '));
    rest.and_then(read).map(Some).ok_or_else(|| {
        Refusal::field(
            Code::BodyInvalid,
            "cursor",
            "cursor: this is not one that this list gave; begin again without it.",
        )
        .with(|f| f.value = Some(crate::asked::clip(cursor)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was_and_only_to_its_list() {
        let id = ProposalId::from_bytes([7; 16]);
        assert_eq!(proposal(Some(&after_proposal(id))), Ok(Some(id)));
        let long = "ß/".repeat(limit::PATH_BYTES / 3);
        assert_eq!(document(Some(&after_document(&long))), Ok(Some(long)));
        for (layer, key) in
            [(Layer::Apply, vec![7; 16]), (Layer::Effect, vec![]), (Layer::Key, vec![0xFF; limit::KEY_BYTES])]
        {
            let mark = RepeatMark { at: Timestamp::from_ms(1_234), layer, source: [9; 16], key };
            assert_eq!(repeat(Some(&after_repeat(&mark))), Ok(Some(mark)));
        }
        assert_eq!(proposal(None), Ok(None));
        for bad in [
            "",
            "x",
            "***",
            &after_document("a"),
            &URL_SAFE_NO_PAD.encode("2 proposals x"),
            &"A".repeat(9_999),
        ] {
            let refusal = proposal(Some(bad)).expect_err(bad);
            assert_eq!((refusal.code, refusal.facts.field.as_deref()), (Code::BodyInvalid, Some("cursor")));
        }
    }

    #[test]
    fn a_mark_of_evidence_is_read_whole() {
        let source = "09".repeat(16);
        let read = |rest: String| repeat(Some(&write("duplicates", &rest)));
        assert!(read(format!("1 key {source} 00")).is_ok());
        for bad in [
            String::new(),
            format!("1 key {source}"),
            format!("1 key {source} 0"),
            format!("1 key {source}09 00"),
            format!("1 key {source} 00 00"),
            format!("1 other {source} 00"),
            format!("x key {source} 00"),
        ] {
            assert!(read(bad.clone()).is_err(), "{bad}");
        }
    }
}
