//! Nouns and rules: ids, proposals, changes, digests, decisions, paths, ledger entries, error codes.
//! Deliberately not here: input and output, the clock, randomness, async, any driver.

pub mod change;
pub mod code;
mod compare;
pub mod conflict;
pub mod decide;
pub mod diff;
pub mod hash;
pub mod id;
pub mod json;
pub mod json_edit;
pub mod ledger;
pub mod limit;
pub mod merge;
pub mod patch;
pub mod path;
pub mod refusal;
pub mod resolve;
pub mod revision;
pub mod role;
pub mod submission;
pub mod talk;
pub mod text;
pub mod time;
pub mod tree;

pub use change::{Mode, NetChange, Op};
pub use code::{Code, Kind, Lang, Retry};
pub use decide::{Outcome, Receipt};
pub use hash::{Commitment, ContentHash, Digest, LeafHash, Salt};
pub use id::{ActorId, CommentId, ProposalId, RoomId, StoreId};
pub use path::DocPath;
pub use refusal::{Facts, Moved, Refusal};
pub use role::{ActorKind, Door, Role, Seen, State};
pub use time::Timestamp;
