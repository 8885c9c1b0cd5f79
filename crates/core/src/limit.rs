//! The limits, in one place. Each refusal names the limit and the value.

/// Characters of a room's slug.
pub const SLUG_CHARS: usize = 63;
/// Characters of a title, of a proposal or a room; one line.
pub const TITLE_CHARS: usize = 1_000;
/// Bytes of a proposal's why.
pub const WHY_BYTES: usize = 64 * 1024;
/// Bytes of a reason.
pub const REASON_BYTES: usize = 4 * 1024;
/// Bytes of an idempotency key, effect key or correlation.
pub const KEY_BYTES: usize = 255;
/// Bytes of a comment.
pub const COMMENT_BYTES: usize = 64 * 1024;
/// Comments on one proposal.
pub const COMMENTS: usize = 10_000;
/// Effect keys of one proposal.
pub const EFFECT_KEYS: usize = 100;
/// Bytes of an actor's name; one line.
pub const NAME_BYTES: usize = 255;
/// Changes of one proposal.
pub const CHANGES: usize = 10_000;
/// Bytes of one document's content.
pub const CONTENT_BYTES: usize = 64 * 1024 * 1024;
/// Bytes of a whole submission.
pub const SUBMISSION_BYTES: usize = 256 * 1024 * 1024;
/// Bytes that may be read and made on the way to what a submission comes to: many small edits of a large
/// document would take hours otherwise.
pub const WORK_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// Leading components that a patch may have taken away.
pub const STRIP: u32 = 100;
/// Nesting of a JSON body.
pub const JSON_DEPTH: usize = 128;
/// Bytes of a path.
pub const PATH_BYTES: usize = 1_024;
/// Bytes of one segment of a path.
pub const SEGMENT_BYTES: usize = 255;
/// The largest integer, either way, that may stand in anything we hash (RFC 8785 would merge
/// larger ones): 2^53.
pub const SAFE_INTEGER: i64 = 9_007_199_254_740_992;
/// Rows of one page of a listing.
pub const PAGE: u32 = 200;
/// Entries of one page of the ledger.
pub const LEDGER_PAGE: u32 = 1_000;
