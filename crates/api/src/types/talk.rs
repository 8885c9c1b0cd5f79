//! What is said about a proposal.

use sekali_core::talk::{Anchor, CommentKind, LineSide, Saying};
use sekali_core::{DocPath, Door, Refusal, Timestamp};
use sekali_engine::talk::{CommentView, TalkView};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ActorRef;
use crate::words;

/// Characters of a comment that are told where it stands in short.
const EXCERPT_CHARS: usize = 200;

/// A comment to be said.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentBody {
    /// Markdown; at most 64 KiB.
    pub text: String,
    /// The line that it is on.
    #[serde(default)]
    pub line: Option<CommentLine>,
    /// It asks for changes: Apply shows that until it is answered, and is not kept from applying.
    #[serde(default)]
    pub ask: bool,
    /// The comment that it answers, which must ask for changes.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub answers: Option<u32>,
    /// The revision that was read; the current one by default.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub revision: Option<u32>,
    /// The idempotency key of this comment: the same again under it is this comment.
    #[serde(default)]
    #[schema(max_length = 255)]
    pub key: Option<String>,
}

/// A line of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentLine {
    /// The document; on the side before, of a renamed one where it was.
    pub path: String,
    /// `after` by default.
    #[serde(default = "after")]
    #[schema(value_type = words::LineSide)]
    pub side: LineSide,
    /// The line there, from 1.
    #[schema(minimum = 1)]
    pub line: u32,
}

const fn after() -> LineSide {
    LineSide::After
}

impl CommentBody {
    /// The comment, on a path that is a path.
    ///
    /// # Errors
    /// `path.invalid`, naming the member.
    pub fn saying(self) -> Result<Saying, Refusal> {
        let at = |at: CommentLine| {
            let path = DocPath::parse("line.path", &at.path)?;
            Ok::<_, Refusal>(Anchor { path, side: at.side, line: at.line })
        };
        Ok(Saying {
            text: self.text,
            asks: self.ask,
            answers: self.answers,
            line: self.line.map(at).transpose()?,
            revision: self.revision,
            key: self.key,
        })
    }
}

/// A comment on a proposal.
#[expect(clippy::struct_field_names, reason = "the member's name on the wire")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Comment {
    /// Its number within the proposal's talk, from 1.
    pub comment: u32,
    /// What it does.
    #[schema(value_type = words::CommentKind)]
    pub kind: CommentKind,
    /// The comment that it answers.
    #[schema(required)]
    pub answers: Option<u32>,
    /// Who said it.
    pub author: ActorRef,
    /// Through which door.
    #[schema(value_type = words::Door)]
    pub door: Door,
    /// When.
    #[schema(value_type = words::Time)]
    pub at: Timestamp,
    /// The revision that was read.
    pub revision: u32,
    /// The line that it is on.
    #[schema(required)]
    pub line: Option<CommentLine>,
    /// Markdown.
    pub text: String,
}

impl From<CommentView> for Comment {
    fn from(CommentView { row, author }: CommentView) -> Self {
        Self {
            comment: row.number,
            kind: row.kind,
            answers: row.answers,
            author: ActorRef::from(&author),
            door: row.door,
            at: row.at,
            revision: row.revision,
            line: row.line.map(|at| CommentLine { path: at.path.to_string(), side: at.side, line: at.line }),
            text: row.text,
        }
    }
}

/// One page of comments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CommentPage {
    /// Oldest first.
    pub items: Vec<Comment>,
    /// The cursor of the next page.
    #[schema(required)]
    pub next: Option<String>,
}

/// What is said about a proposal, in short.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Talk {
    /// How many comments there are.
    pub count: u32,
    /// Comments that ask for changes and have no answer yet: the first eight. A mark that Apply shows; it
    /// does not refuse for it.
    pub open_asks: Vec<u32>,
    /// The last comment.
    #[schema(required)]
    pub last: Option<LastComment>,
}

/// The last comment, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LastComment {
    /// Its number.
    pub comment: u32,
    /// What it does.
    #[schema(value_type = words::CommentKind)]
    pub kind: CommentKind,
    /// Who said it.
    pub author: ActorRef,
    /// When.
    #[schema(value_type = words::Time)]
    pub at: Timestamp,
    /// Its first 200 characters, on one line.
    pub excerpt: String,
}

impl From<TalkView> for Talk {
    fn from(TalkView { count, open_asks, last }: TalkView) -> Self {
        let last = last.map(|CommentView { row, author }| {
            let mut words = row.text.split_whitespace();
            let mut excerpt = words.next().unwrap_or_default().to_owned();
            // What is cut off anyway needs not be put together.
            while excerpt.chars().count() <= EXCERPT_CHARS
                && let Some(word) = words.next()
            {
                excerpt.push(' ');
                excerpt.push_str(word);
            }
            LastComment {
                comment: row.number,
                kind: row.kind,
                author: ActorRef::from(&author),
                at: row.at,
                excerpt: sekali_core::text::cut(&excerpt, EXCERPT_CHARS),
            }
        });
        Self { count, open_asks, last }
    }
}
