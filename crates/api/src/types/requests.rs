//! What is sent. Unknown members are refused by name; a member that a promise rests on must stand
//! there, even where it says `null`.

use sekali_core::conflict::Choice;
use sekali_core::hash::Digest;
use sekali_core::merge::Side;
use sekali_core::submission::parse_base;
use sekali_core::{DocPath, Refusal, Role};
use sekali_engine::split;
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
/// path; `rename` has `from` and a path; `patch` has exactly one of `diff` and `diff_base64`;
/// `json_patch` and `merge_patch` have a path and a `patch`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct SubmittedChange {
    /// What kind of change it is.
    #[schema(pattern = "^(put|delete|rename|patch|json_patch|merge_patch)$")]
    op: String,
    /// The document; of a rename, where it goes. A `patch` names its documents itself.
    path: Option<String>,
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
    /// A unified diff, plain or git's, of one or many documents.
    diff: Option<String>,
    /// The same, as base64 with padding.
    diff_base64: Option<String>,
    /// How many leading components of the diff's names are taken away; by default `a/` and `b/`
    /// where all names of a file carry them, and in git's form the two first folders in which alone
    /// its names differ.
    #[schema(maximum = 100)]
    strip: Option<u32>,
    /// By path, what was read of documents in the diff: `sha256:` of the content, or `absent`.
    bases: Option<std::collections::BTreeMap<String, String>>,
    /// A JSON Patch (RFC 6902), or a JSON Merge Patch (RFC 7396).
    #[schema(value_type = Option<Value>)]
    patch: Option<serde_json::Value>,
}

/// A rebase.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RebaseBody {
    /// The digest of the revision that was seen, or `null`.
    #[serde(deserialize_with = "stated")]
    #[schema(required, value_type = Option<words::Sha256>)]
    pub digest: Option<Digest>,
    /// What a person chose for each conflict.
    #[serde(default)]
    pub take: Vec<TakeSides>,
}

/// The sides that a person chose for one document.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeSides {
    /// The document, as the conflict names it; of one that moves, also where it is, unless another comes
    /// to that path. Two for one document are refused.
    pub path: String,
    /// Where it moves from, as the conflict says; without it all changes of the path are meant.
    #[serde(default)]
    pub from: Option<String>,
    /// What the conflict says stands there: where something else does by now, the answer is
    /// `proposal.conflict` with what there is to decide. Without it the choice is for whatever stands there.
    #[serde(default)]
    #[schema(value_type = Option<words::Base>)]
    pub now: Option<String>,
    /// A side for each region, in order; one for a conflict without regions: `now` leaves what is
    /// there, `after` makes it as the proposal wants it, `base` gives content back that both began with,
    /// and is as `now` where it is not content that is in conflict.
    pub sides: Vec<TakeSide>,
}

/// A side of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TakeSide {
    /// What both began with.
    Base,
    /// What is there now.
    Now,
    /// What the proposal wants.
    After,
    /// What is there, then what the proposal wants.
    NowAfter,
    /// What the proposal wants, then what is there.
    AfterNow,
}

impl RebaseBody {
    /// The choices, with paths that are paths.
    ///
    /// # Errors
    /// `path.invalid`, `proposal.invalid`, naming the member.
    pub fn choices(&self) -> Result<Vec<Choice>, Refusal> {
        let choice = |(index, take): (usize, &TakeSides)| {
            let path = DocPath::parse(&format!("take[{index}].path"), &take.path)?;
            let sides = take.sides.iter().map(|side| match side {
                TakeSide::Base => Side::Base,
                TakeSide::Now => Side::Now,
                TakeSide::After => Side::After,
                TakeSide::NowAfter => Side::NowThenAfter,
                TakeSide::AfterNow => Side::AfterThenNow,
            });
            let from = take.from.as_ref().map(|from| DocPath::parse(&format!("take[{index}].from"), from));
            let now = take.now.as_ref().map(|now| parse_base(&format!("take[{index}].now"), now));
            let (from, now) = (from.transpose()?, now.transpose()?);
            Ok(Choice { path, from, now, sides: sides.collect() })
        };
        self.take.iter().enumerate().map(choice).collect()
    }
}

/// A revert.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevertBody {
    /// Other applied proposals that are taken back with it.
    #[serde(default)]
    pub also: Vec<u64>,
    /// One line; by default `Revert #n: …`.
    #[serde(default)]
    pub title: Option<String>,
    /// Markdown.
    #[serde(default)]
    pub why: Option<String>,
    /// The idempotency key of this submission.
    #[serde(default)]
    pub key: Option<String>,
}

/// A split.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitBody {
    /// The digest of the revision that was seen, or `null`.
    #[serde(deserialize_with = "stated")]
    #[schema(required, value_type = Option<words::Sha256>)]
    pub digest: Option<Digest>,
    /// What stays.
    pub take: Vec<TakeChange>,
    /// The title of the rest; by default that of the whole with `(rest)`.
    #[serde(default)]
    pub title: Option<String>,
}

/// A change, or hunks of it, that stays.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeChange {
    /// The document, by the path afterwards.
    pub path: String,
    /// Hunks of its difference as it is shown, from 1; `null` takes the whole change.
    #[serde(default)]
    pub hunks: Option<Vec<u32>>,
}

impl SplitBody {
    /// What is asked, with paths that are paths.
    ///
    /// # Errors
    /// `path.invalid`, naming the member.
    pub fn asked(self) -> Result<split::Split, Refusal> {
        let taken = |(index, take): (usize, TakeChange)| {
            let path = DocPath::parse(&format!("take[{index}].path"), &take.path)?;
            Ok(split::Taken { path, hunks: take.hunks })
        };
        let take = self.take.into_iter().enumerate().map(taken).collect::<Result<_, Refusal>>()?;
        Ok(split::Split { seen: self.digest, take, title: self.title })
    }
}
