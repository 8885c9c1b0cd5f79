//! What is sent. Unknown members are refused by name; a member that a promise rests on must stand
//! there, even where it says `null`.

use sekali_core::hash::Digest;
use sekali_core::{Op, Role};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::words;

/// A room to be made.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateRoom {
    /// `[a-z0-9](-?[a-z0-9])*`, at most 63 characters; fixed for ever.
    #[schema(max_length = 63, pattern = "^[a-z0-9](-?[a-z0-9])*$")]
    pub slug: String,
    /// One line of 1 to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    pub title: String,
}

/// A member to be added, or whose role is set.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddMember {
    /// A person's name, or `agent:` and an agent's.
    pub name: String,
    /// A person needs one; an agent has none.
    #[serde(default)]
    #[schema(value_type = Option<words::Role>)]
    pub role: Option<Role>,
}

/// What was on screen when Apply was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// The digest that was seen. `null` says that nothing was; the ledger entry records that.
    #[serde(deserialize_with = "stated")]
    #[schema(required, value_type = Option<words::Sha256>)]
    pub digest: Option<Digest>,
}

/// A rejection.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reject {
    /// Why, so that its author knows what to change; at most 4 KiB.
    pub reason: String,
    /// The digest that was seen, or `null`.
    #[serde(deserialize_with = "stated")]
    #[schema(required, value_type = Option<words::Sha256>)]
    pub digest: Option<Digest>,
}

/// A decision whose reason may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Why; at most 4 KiB.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Reads a member that may be `null` but not be left out.
fn stated<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// A proposal file. Here only as a schema: it is read by `sekali_core::submission`, which says
/// more about what is wrong than a derived reader could.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct ProposalFile {
    /// `sekali.proposal/1`.
    #[schema(pattern = "^sekali\\.proposal/1$")]
    format: String,
    /// One line of 1 to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    title: String,
    /// Markdown, at most 64 KiB.
    why: Option<String>,
    /// The idempotency key of this submission: the same content under it again is this proposal.
    #[schema(max_length = 255)]
    key: Option<String>,
    /// What it does, permanently; `in/` is reserved.
    #[schema(max_items = 100)]
    effect_keys: Option<Vec<String>>,
    /// Until when it may be applied: RFC 3339 with any zone.
    #[schema(value_type = Option<words::Time>)]
    valid_until: Option<String>,
    /// An id of the caller's, kept for them.
    #[schema(max_length = 255)]
    correlation: Option<String>,
    /// In order.
    #[schema(min_items = 1, max_items = 10000)]
    changes: Vec<SubmittedChange>,
}

/// One submitted change: `put` has a path and exactly one of `text` and `base64`; `delete` has a
/// path; `rename` has `from` and a path.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct SubmittedChange {
    /// `put`, `delete` or `rename`.
    #[schema(pattern = "^(put|delete|rename)$", value_type = String)]
    op: Op,
    /// The document; of a rename, where it goes.
    path: String,
    /// Where a renamed document is.
    from: Option<String>,
    /// The whole content, as text.
    text: Option<String>,
    /// The whole content, as base64 with padding.
    base64: Option<String>,
    /// `sha256:` of the content that was read, or `absent`.
    base: Option<String>,
    /// `100644` or `100755`; by default the present one.
    #[schema(value_type = Option<words::Mode>)]
    mode: Option<String>,
}
