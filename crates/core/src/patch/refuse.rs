//! How a patch is refused: where in the patch, of which document, and what was expected instead of what.

use crate::code::Code;
use crate::path::DocPath;
use crate::refusal::Refusal;
use crate::text;

/// Characters of a line that a sentence quotes.
const QUOTED: usize = 80;

/// Where in a patch something is wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) field: &'p str,
    pub(super) path: Option<&'p DocPath>,
    /// The line of the patch, from 1.
    pub(super) line: u64,
    /// The hunk of the document, from 1.
    pub(super) hunk: Option<u32>,
}

impl Place<'_> {
    pub(super) fn at(self, line: u64, hunk: u32) -> Self {
        Self { line, hunk: Some(hunk), ..self }
    }

    /// It cannot be read.
    pub(super) fn invalid(self, en: &str, id: &str) -> Refusal {
        self.refused(Code::PatchInvalid, en, id)
    }

    /// It is not of what the document holds.
    pub(super) fn mismatch(self, en: &str, id: &str) -> Refusal {
        self.refused(Code::PatchMismatch, en, id)
    }

    /// The document has it already.
    pub(super) fn contained(self, en: &str, id: &str) -> Refusal {
        self.refused(Code::ProposalNoChange, en, id)
    }

    fn refused(self, code: Code, en: &str, id: &str) -> Refusal {
        let Self { field, line, hunk, .. } = self;
        let (of_en, of_id) = match hunk {
            Some(hunk) => (format!(", hunk {hunk}"), format!(", potongan {hunk}")),
            None => (String::new(), String::new()),
        };
        let refusal = Refusal::field(code, field, format!("{field}: line {line}{of_en}: {en}."))
            .said(format!("{field}: baris {line}{of_id}: {id}."));
        self.named(refusal)
    }

    /// Adds where it is to a refusal that does not say so yet.
    pub(super) fn named(self, refusal: Refusal) -> Refusal {
        refusal.with(|f| {
            f.path = f.path.take().or_else(|| self.path.map(ToString::to_string));
            f.line.get_or_insert(self.line);
            f.hunk = f.hunk.or(self.hunk);
        })
    }
}

/// Bytes of a line in quotes, as a sentence shows them.
pub(super) fn quoted(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    format!("{:?}", text::cut(&String::from_utf8_lossy(line), QUOTED))
}

/// Bytes of a line as a fact.
pub(super) fn fact(line: &[u8]) -> String {
    text::cut(&String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line)), 1_000)
}
