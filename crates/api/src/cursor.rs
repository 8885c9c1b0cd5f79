//! Opaque cursors: a versioned text in base64url that says where a page ended. A client that reads
//! into one has only itself to thank; one from another list is refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sekali_core::{Code, ProposalId, Refusal, Timestamp, limit};

/// Where a page of proposals ended.
pub(crate) fn after_proposal(id: ProposalId) -> String {
    write("proposals", &id.to_string())
}

/// Where a page of documents ended: the folded path.
pub(crate) fn after_document(key: &str) -> String {
    write("documents", key)
}

/// Where a page of evidence ended.
pub(crate) fn after_repeat(at: Timestamp, key: &[u8]) -> String {
    write("duplicates", &format!("{} {}", at.ms(), hex::encode(key)))
}

/// Reads [`after_proposal`].
pub(crate) fn proposal(cursor: Option<&str>) -> Result<Option<ProposalId>, Refusal> {
    read(cursor, "proposals", |rest| rest.parse().ok())
}

/// Reads [`after_document`].
pub(crate) fn document(cursor: Option<&str>) -> Result<Option<String>, Refusal> {
    read(cursor, "documents", |rest| Some(rest.to_owned()))
}

/// Reads [`after_repeat`].
pub(crate) fn repeat(cursor: Option<&str>) -> Result<Option<(Timestamp, Vec<u8>)>, Refusal> {
    read(cursor, "duplicates", |rest| {
        let (ms, key) = rest.split_once(' ')?;
        Some((Timestamp::from_ms(ms.parse().ok()?), hex::decode(key).ok()?))
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
        let at = Timestamp::from_ms(1_234);
        assert_eq!(repeat(Some(&after_repeat(at, &[0xFF; 255]))), Ok(Some((at, vec![0xFF; 255]))));
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
}
