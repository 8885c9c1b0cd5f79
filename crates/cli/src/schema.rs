//! The forms of files as JSON Schema 2020-12, written by hand and held against the parser by tests.

/// The proposal file.
pub(crate) const PROPOSAL: &str = include_str!("schema/proposal.json");
