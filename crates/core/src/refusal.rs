//! A refusal: its code, an English sentence, and the facts that an interface needs. Nothing is
//! stored when one is given, so the same state gives the same refusal again.

use serde::{Deserialize, Serialize};

use crate::code::{Code, Lang};
use crate::conflict::Conflict;
use crate::decide::Receipt;
use crate::hash::Digest;
use crate::role::State;
use crate::time::Timestamp;

/// Why something was not done. Nothing changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{detail}")]
pub struct Refusal {
    /// What programs branch on.
    pub code: Code,
    /// One English sentence: what happened.
    pub detail: String,
    /// The facts behind it.
    pub facts: Box<Facts>,
    /// The same sentence in Indonesian, where the code's own says less.
    pub said: Option<String>,
}

/// A document that is not where the proposal expected it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// The path.
    pub path: String,
    /// What the proposal was based on: a commitment or `absent`.
    pub expected: String,
    /// What is there now: a commitment or `absent`.
    pub now: String,
    /// The applied proposal that moved it, where one is known.
    pub by: Option<MovedBy>,
}

/// Who moved a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedBy {
    /// The number of the applied proposal.
    pub proposal: u64,
    /// Its ledger entry.
    pub seq: u64,
}

/// Facts of a refusal; each is there where it says something.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// The proposal it is about.
    pub proposal: Option<u64>,
    /// The proposal that stands in the way.
    pub other: Option<u64>,
    /// The field, as it is written in the submission.
    pub field: Option<String>,
    /// The limit that was exceeded.
    pub limit: Option<u64>,
    /// The value that was too much, or wrong.
    pub value: Option<String>,
    /// What moved.
    pub moved: Vec<Moved>,
    /// The receipt of what was applied.
    pub receipt: Option<Box<Receipt>>,
    /// The digest as it is now.
    pub digest: Option<Digest>,
    /// The state as it is now.
    pub state: Option<State>,
    /// Who decided.
    pub by: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
    /// The reason given then.
    pub reason: Option<String>,
    /// Whether the other proposal's content is equal.
    pub same_content: Option<bool>,
    /// The words that would have been right; of a patch, the lines that it expects.
    pub expected: Vec<String>,
    /// What is there instead.
    pub found: Vec<String>,
    /// The document in question.
    pub path: Option<String>,
    /// The line of the patch, from 1.
    pub line: Option<u64>,
    /// The hunk of the document's patch, from 1.
    pub hunk: Option<u32>,
    /// The operation of a JSON Patch, from 1.
    pub operation: Option<u32>,
    /// What a person must decide about.
    pub conflicts: Vec<Conflict>,
    /// Proposals that were applied later in the same places, the last first.
    pub later: Vec<u64>,
}

impl Refusal {
    /// A refusal with only its sentence.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), facts: Box::default(), said: None }
    }

    /// A refusal of one field.
    pub fn field(code: Code, field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(code, detail).with(|f| f.field = Some(field.into()))
    }

    /// A limit that was exceeded.
    pub fn limit(field: impl Into<String>, what: &str, limit: usize, value: usize, unit: &str) -> Self {
        let field = field.into();
        let units = [
            ("bytes", "byte"),
            ("characters", "karakter"),
            ("changes", "perubahan"),
            ("effect keys", "kunci tindakan"),
        ];
        let word = units.iter().find(|(en, _)| *en == unit).map_or("", |(_, id)| *id);
        Self::new(
            Code::LimitExceeded,
            format!("{field}: {what} may have at most {limit} {unit}; this has {value}."),
        )
        .said(format!("{field}: paling banyak {limit} {word}; ini {value}."))
        .with(|f| {
            f.field = Some(field);
            f.limit = Some(limit as u64);
            f.value = Some(value.to_string());
        })
    }

    /// Says the sentence in Indonesian too.
    #[must_use]
    pub fn said(mut self, sentence: impl Into<String>) -> Self {
        self.said = Some(sentence.into());
        self
    }

    /// What happened, in a language. What programs read stays English.
    pub fn sentence(&self, lang: Lang) -> String {
        match (lang, &self.said, &self.facts.field) {
            (Lang::En, ..) => self.detail.clone(),
            (Lang::Id, Some(said), _) => said.clone(),
            (Lang::Id, None, Some(field)) => format!("{field}: {}", self.code.happened()),
            (Lang::Id, None, None) => self.code.happened().to_owned(),
        }
    }

    /// Adds facts.
    #[must_use]
    pub fn with(mut self, add: impl FnOnce(&mut Facts)) -> Self {
        add(&mut self.facts);
        self
    }
}
