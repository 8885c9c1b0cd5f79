//! What people, agents and sources say about a proposal. It is no part of the digest or the ledger: it can
//! be said after the decision too, and nothing that Apply does depends on it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::hash::FieldHasher;
use crate::limit;
use crate::path::DocPath;
use crate::refusal::Refusal;
use crate::role::{UnknownWord, words};
use crate::text;

words!(
    /// What a comment does.
    CommentKind {
        /// It says something.
        Comment = "comment",
        /// It asks for changes: Apply shows that, until it is answered. It keeps nobody from applying.
        Ask = "ask",
        /// It answers what asked for changes.
        Answer = "answer",
    }
);
words!(
    /// A side of a change.
    LineSide {
        /// What the document was.
        Before = "before",
        /// What it becomes.
        After = "after",
    }
);

/// A line of a change that is commented on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The document; on the side before, of a renamed one where it was.
    pub path: DocPath,
    /// Which side.
    pub side: LineSide,
    /// The line there, from 1.
    pub line: u32,
}

/// A comment as it comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saying {
    /// Markdown, at most 64 KiB.
    pub text: String,
    /// It asks for changes.
    pub asks: bool,
    /// The comment of the same proposal that it answers, which must ask for changes.
    pub answers: Option<u32>,
    /// The line that it is on.
    pub line: Option<Anchor>,
    /// The revision that was read; the current one by default.
    pub revision: Option<u32>,
    /// An idempotency key: the same again under it is the first comment.
    pub key: Option<String>,
}

impl Saying {
    /// Checks what can be checked without the proposal.
    ///
    /// # Errors
    /// `proposal.invalid` or `limit.exceeded`, naming the field.
    pub fn check(&self) -> Result<(), Refusal> {
        text::prose("text", &self.text, limit::COMMENT_BYTES)?;
        if text::invisible(&self.text) {
            return Err(text::wrong("text", "a comment needs a text", "komentar memerlukan teks"));
        }
        if let Some(key) = &self.key {
            text::key("key", key)?;
        }
        if self.asks && self.answers.is_some() {
            return Err(text::wrong(
                "answers",
                "what answers does not ask for changes at once; say both, one after the other",
                "jawaban tidak sekaligus meminta perubahan; sampaikan satu per satu",
            ));
        }
        if self.line.as_ref().is_some_and(|line| line.line == 0) {
            return Err(text::wrong("line.line", "lines are counted from 1", "baris dihitung mulai dari 1"));
        }
        Ok(())
    }

    /// What it does.
    pub const fn kind(&self) -> CommentKind {
        match (self.asks, self.answers) {
            (true, _) => CommentKind::Ask,
            (false, Some(_)) => CommentKind::Answer,
            (false, None) => CommentKind::Comment,
        }
    }

    /// What its idempotency key stands for: the same comment has the same. `proposal` is the number that it
    /// is on.
    pub fn fingerprint(&self, proposal: u64) -> [u8; 32] {
        let number = |n: Option<u32>| n.map_or_else(String::new, |n| n.to_string());
        let hasher = FieldHasher::new()
            .field(b"sekali/comment/1")
            .field(proposal.to_string().as_bytes())
            .field(self.kind().as_str().as_bytes())
            .field(number(self.answers).as_bytes())
            .field(number(self.revision).as_bytes())
            .field(self.text.as_bytes());
        match &self.line {
            None => hasher.finish(),
            Some(at) => hasher
                .field(at.path.as_str().as_bytes())
                .field(at.side.as_str().as_bytes())
                .field(at.line.to_string().as_bytes())
                .finish(),
        }
    }
}

/// The refusal of a line that is not there.
pub fn no_line(at: &Anchor, lines: u64) -> Refusal {
    let Anchor { path, line, .. } = at;
    Refusal::field(
        Code::ProposalInvalid,
        "line",
        format!("line: {path} has no line {line} on that side; it has {lines}."),
    )
    .said(format!("line: {path} tidak punya baris {line} di sisi itu; ada {lines} baris."))
    .with(|f| {
        f.path = Some(path.to_string());
        f.value = Some(line.to_string());
        f.limit = Some(lines);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saying(text: &str) -> Saying {
        Saying { text: text.to_owned(), asks: false, answers: None, line: None, revision: None, key: None }
    }

    #[test]
    fn a_comment_says_something_and_does_one_thing() {
        assert_eq!(saying("Good.").check(), Ok(()));
        let field = |saying: Saying| saying.check().expect_err("refused").facts.field;
        for empty in ["", " \n", "\u{200B}", "\0"] {
            assert_eq!(field(saying(empty)).as_deref(), Some("text"), "{empty:?}");
        }
        let long = saying(&"x".repeat(limit::COMMENT_BYTES + 1));
        assert_eq!(long.check().expect_err("too long").code, Code::LimitExceeded);
        let both = Saying { asks: true, answers: Some(1), ..saying("x") };
        assert_eq!(field(both).as_deref(), Some("answers"));
        let path = DocPath::parse("path", "a").expect("a path");
        let line = Some(Anchor { path, side: LineSide::After, line: 0 });
        assert_eq!(field(Saying { line, ..saying("x") }).as_deref(), Some("line.line"));
        assert_eq!(field(Saying { key: Some(String::new()), ..saying("x") }).as_deref(), Some("key"));
    }

    #[test]
    fn every_part_of_a_comment_is_under_its_fingerprint() {
        let at = |path: &str, side, line| {
            Some(Anchor { path: DocPath::parse("path", path).expect("a path"), side, line })
        };
        let one = saying("x");
        let all = [
            saying("y"),
            Saying { asks: true, ..one.clone() },
            Saying { answers: Some(1), ..one.clone() },
            Saying { revision: Some(1), ..one.clone() },
            Saying { line: at("a", LineSide::After, 1), ..one.clone() },
            Saying { line: at("b", LineSide::After, 1), ..one.clone() },
            Saying { line: at("a", LineSide::Before, 1), ..one.clone() },
            Saying { line: at("a", LineSide::After, 2), ..one.clone() },
        ];
        let mut prints: Vec<[u8; 32]> = all.iter().map(|saying| saying.fingerprint(7)).collect();
        prints.extend([one.fingerprint(7), one.fingerprint(8)]);
        let different: std::collections::BTreeSet<_> = prints.iter().collect();
        assert_eq!(different.len(), prints.len());
        // Under which key it came is not what it is.
        assert_eq!(Saying { key: Some("k".to_owned()), ..one.clone() }.fingerprint(7), one.fingerprint(7));
    }
}
