//! The wire form of every refusal and failure, made in this one place: `application/problem+json`
//! (RFC 9457) over HTTP, and what the command line prints on its error stream.

use sekali_core::hash::Digest;
use sekali_core::{Code, Facts, Lang, ProposalId, Refusal, State, Timestamp};
use sekali_engine::Failure;
use sekali_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::types::{Conflict, Moved, Receipt};
use crate::words;

/// Why something was not done. Members beyond `retry` are there where they say something.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: `code` says more than an address could.
    pub r#type: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What programs branch on.
    #[schema(value_type = words::Code)]
    pub code: Code,
    /// What happened: one English sentence.
    pub detail: String,
    /// The next step, in the caller's language.
    pub hint: &'static str,
    /// Whether and when asking again makes sense.
    #[schema(value_type = words::Retry)]
    pub retry: &'static str,
    /// What else there is to say.
    #[serde(flatten)]
    #[schema(value_type = ProblemData)]
    pub data: Box<ProblemData>,
}

/// The facts of a refusal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct ProblemData {
    /// The proposal it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub proposal: Option<u64>,
    /// The id of a new proposal of which it is not known whether it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::Id>)]
    pub id: Option<ProposalId>,
    /// The proposal that stands in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub other: Option<u64>,
    /// The field, as it is written in the submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
    /// The limit that was exceeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<u64>,
    /// The value that was too much, or wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub value: Option<String>,
    /// What moved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub moved: Vec<Moved>,
    /// The receipt of what was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub receipt: Option<Receipt>,
    /// The digest as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::Sha256>)]
    pub digest: Option<Digest>,
    /// The state as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::State>)]
    pub state: Option<State>,
    /// Who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::Time>)]
    pub at: Option<Timestamp>,
    /// The reason given then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
    /// Whether the other proposal's content is equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub same_content: Option<bool>,
    /// The words that would have been right; of a patch, the lines that it expects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub expected: Vec<String>,
    /// What is there instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub found: Vec<String>,
    /// The document in question.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// The line of the patch, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<u64>,
    /// The hunk of the document's patch, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hunk: Option<u32>,
    /// The operation of a JSON Patch, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub operation: Option<u32>,
    /// What a person must decide about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub conflicts: Vec<Conflict>,
    /// Of a revert: the numbers of proposals that were applied later in the same places, the last first. With
    /// them it may go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub later: Vec<u64>,
}

impl From<&Facts> for ProblemData {
    fn from(facts: &Facts) -> Self {
        Self {
            proposal: facts.proposal,
            id: None,
            other: facts.other,
            field: facts.field.clone(),
            limit: facts.limit,
            value: facts.value.clone(),
            moved: facts.moved.iter().map(Moved::from).collect(),
            receipt: facts.receipt.as_deref().map(Receipt::from),
            digest: facts.digest,
            state: facts.state,
            by: facts.by.clone(),
            at: facts.at,
            reason: facts.reason.clone(),
            same_content: facts.same_content,
            expected: facts.expected.clone(),
            found: facts.found.clone(),
            path: facts.path.clone(),
            line: facts.line,
            hunk: facts.hunk,
            operation: facts.operation,
            conflicts: facts.conflicts.iter().map(Conflict::from).collect(),
            later: facts.later.clone(),
        }
    }
}

impl Problem {
    /// The wire form of a failure of either kind.
    pub fn of(failure: &Failure, lang: Lang) -> Self {
        match failure {
            Failure::Refused(refusal) => Self::refused(refusal, lang),
            Failure::Store(error) => Self::failed(error, lang),
        }
    }

    /// The wire form of a refusal.
    pub fn refused(refusal: &Refusal, lang: Lang) -> Self {
        Self::plain(refusal.code, refusal.detail.clone(), ProblemData::from(&*refusal.facts), lang)
    }

    /// The wire form of a failure of the store. What the driver said stays inside.
    pub fn failed(error: &StoreError, lang: Lang) -> Self {
        let data = ProblemData { id: error.proposal, ..ProblemData::default() };
        Self::plain(error.code, error.detail.clone(), data, lang)
    }

    fn plain(code: Code, detail: String, data: ProblemData, lang: Lang) -> Self {
        // The sentence of a defect was written for its finder, not for the caller.
        let detail =
            if code == Code::Internal { "Something in Sekali went wrong.".to_owned() } else { detail };
        Self {
            r#type: "about:blank",
            status: code.status(),
            code,
            detail,
            hint: code.hint(lang),
            retry: code.retry().as_str(),
            data: Box::new(data),
        }
    }
}
