//! What a store can fail with. A refusal is not here: it is an answer.

use sekali_core::{Code, Lang, ProposalId, Refusal};

/// A failure of the store: nothing is known to have changed, or the code says that it is unknown.
#[derive(Debug, thiserror::Error)]
#[error("{detail}")]
pub struct StoreError {
    /// What programs branch on.
    pub code: Code,
    /// One English sentence.
    pub detail: String,
    /// The same sentence in Indonesian, where the code's own says less.
    pub said: Option<String>,
    /// The proposal whose fate is unknown, where it is a new one.
    pub proposal: Option<ProposalId>,
    /// What the driver said.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl StoreError {
    /// A failure without a cause below it.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), said: None, proposal: None, source: None }
    }

    /// A failure with its cause.
    pub fn caused(
        code: Code,
        detail: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self { source: Some(source.into()), ..Self::new(code, detail) }
    }

    /// A row that cannot be: the store is damaged, or a defect wrote it.
    pub fn damaged(what: impl Into<String>) -> Self {
        Self::new(Code::StoreDamaged, what)
    }

    /// The same failure for another member of the same group.
    #[must_use]
    pub fn again(&self) -> Self {
        Self { said: self.said.clone(), proposal: self.proposal, ..Self::new(self.code, self.detail.clone()) }
    }

    /// Says the sentence in Indonesian too.
    #[must_use]
    pub fn said(mut self, sentence: impl Into<String>) -> Self {
        self.said = Some(sentence.into());
        self
    }

    /// What happened, in a language. What programs read stays English.
    pub fn sentence(&self, lang: Lang) -> String {
        match (lang, &self.said) {
            (Lang::En, _) => self.detail.clone(),
            (Lang::Id, Some(said)) => said.clone(),
            (Lang::Id, None) => self.code.happened().to_owned(),
        }
    }
}

/// Why a use of the store gave no answer: it was refused, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Refused; nothing changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Failure {
    /// What happened, in a language.
    pub fn sentence(&self, lang: Lang) -> String {
        match self {
            Self::Refused(refusal) => refusal.sentence(lang),
            Self::Store(error) => error.sentence(lang),
        }
    }

    /// What was asked for is done, and only what came of it could not be read, which failed so: to say
    /// that nothing was changed would be untrue, and asking again is safe.
    #[must_use]
    pub fn done_unseen(self) -> Self {
        let [en, id] = [Lang::En, Lang::Id].map(|lang| self.sentence(lang));
        StoreError::caused(
            Code::StoreOutcomeUnknown,
            format!("It was done, but what is there now could not be read: {en}"),
            self,
        )
        .said(format!("Sudah dilakukan, tetapi keadaannya sekarang tidak dapat dibaca: {id}"))
        .into()
    }

    /// The code, whichever it is.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(refusal) => refusal.code,
            Self::Store(error) => error.code,
        }
    }
}
