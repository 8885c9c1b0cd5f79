//! What a store can fail with. A refusal is not here: it is an answer.

use sekali_core::{Code, Refusal};

/// A failure of the store: nothing is known to have changed, or the code says that it is unknown.
#[derive(Debug, thiserror::Error)]
#[error("{detail}")]
pub struct StoreError {
    /// What programs branch on.
    pub code: Code,
    /// One English sentence.
    pub detail: String,
    /// What the driver said.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl StoreError {
    /// A failure without a cause below it.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), source: None }
    }

    /// A failure with its cause.
    pub fn caused(
        code: Code,
        detail: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self { code, detail: detail.into(), source: Some(source.into()) }
    }

    /// A row that cannot be: the store is damaged, or a defect wrote it.
    pub fn damaged(what: impl Into<String>) -> Self {
        Self::new(Code::StoreDamaged, what)
    }

    /// The same failure for another member of the same group.
    #[must_use]
    pub fn again(&self) -> Self {
        Self::new(self.code, self.detail.clone())
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
    /// The code, whichever it is.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(refusal) => refusal.code,
            Self::Store(error) => error.code,
        }
    }
}
