//! Who acts, from which door, and what a role may do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::refusal::Refusal;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word used in SQL, JSON, HTTP and on the command line.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|v| v.as_str() == text).ok_or_else(|| UnknownWord {
                    expected: vec![$($text),+],
                })
            }
        }
    };
}

pub(crate) use words;

/// A word that is none of a fixed set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected one of: {}", expected.join(", "))]
pub struct UnknownWord {
    /// The words that would have been right.
    pub expected: Vec<&'static str>,
}

words!(
    /// What kind of actor proposes or decides. `System` is an operating system's user, quoted by
    /// receipts beside the actor.
    ActorKind {
        /// A person.
        Person = "person",
        /// An AI agent: proposes only.
        Agent = "agent",
        /// An integration: proposes only.
        Source = "source",
        /// A user of the operating system; never acts, only named in receipts.
        System = "system",
    }
);
words!(
    /// What a person may do in a room.
    Role {
        /// Proposes and decides.
        Member = "member",
        /// Reads.
        Reviewer = "reviewer",
        /// Also sets up, exports, erases.
        Maintainer = "maintainer",
    }
);
words!(
    /// The way in through which something came.
    Door {
        /// The desktop window.
        Desktop = "desktop",
        /// The command line.
        Cli = "cli",
        /// The HTTP API.
        Http = "http",
        /// A signed webhook.
        Webhook = "webhook",
        /// The Model Context Protocol.
        Mcp = "mcp",
    }
);
words!(
    /// Where a proposal stands. `Expired` is derived from the clock, never stored.
    State {
        /// Waits for a person.
        Waiting = "waiting",
        /// Its change was made, once.
        Applied = "applied",
        /// A person said no; can be reopened.
        Rejected = "rejected",
        /// Its author or a maintainer took it back.
        Withdrawn = "withdrawn",
        /// Waiting, but past `valid_until`.
        Expired = "expired",
    }
);

impl Door {
    /// The door as the second press's sentence names it.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Desktop => "the desktop",
            Self::Cli => "the command line",
            Self::Http => "HTTP",
            Self::Webhook => "a webhook",
            Self::Mcp => "MCP",
        }
    }
}

/// What the person who pressed Apply had seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// The digest that was on screen.
    Digest(crate::hash::Digest),
    /// Nothing: `--yes`, which the entry records.
    Nothing,
}

impl Seen {
    /// The word that the entry records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Digest(_) => "digest",
            Self::Nothing => "none",
        }
    }
}

/// What someone wants to do; checked in the engine, inside the transaction that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Read anything of the room.
    Read,
    /// Submit a proposal.
    Propose,
    /// Replace the content of a proposal (the author, or any member).
    Revise,
    /// Apply, reject, reopen.
    Decide,
    /// Say something about a proposal: whoever may read it.
    Comment,
    /// Take a proposal back (the author, or a maintainer).
    Withdraw,
    /// Add members, set roles.
    SetUp,
    /// Export the ledger.
    Export,
}

/// Checks whether an actor of this kind and role may act; `author` says that the proposal is
/// their own.
///
/// # Errors
/// `actor.denied`, saying who may.
pub fn may(kind: ActorKind, role: Option<Role>, action: Action, author: bool) -> Result<(), Refusal> {
    let person = kind == ActorKind::Person;
    let decides = person && matches!(role, Some(Role::Member | Role::Maintainer));
    let maintains = person && role == Some(Role::Maintainer);
    let proposes = decides || matches!(kind, ActorKind::Agent | ActorKind::Source);
    let (allowed, who) = match action {
        Action::Read | Action::Comment => {
            (proposes || (person && role.is_some()), ("members of the room", "anggota ruang"))
        }
        Action::Propose => (
            proposes,
            ("members, maintainers, agents and sources", "anggota, pengelola, agen AI, dan sumber"),
        ),
        Action::Revise => {
            (decides || (proposes && author), ("its author or a member", "pengusulnya atau seorang anggota"))
        }
        Action::Decide => {
            (decides, ("people who are members or maintainers", "orang yang menjadi anggota atau pengelola"))
        }
        Action::Withdraw => (
            maintains || (proposes && author),
            ("its author or a maintainer", "pengusulnya atau seorang pengelola"),
        ),
        Action::SetUp | Action::Export => (maintains, ("maintainers", "pengelola")),
    };
    if allowed {
        return Ok(());
    }
    let what = match action {
        Action::Read => ("read this room", "membaca ruang ini"),
        Action::Propose => ("propose", "mengusulkan"),
        Action::Revise => ("revise this proposal", "merevisi usulan ini"),
        Action::Decide => ("apply, reject or reopen", "menerapkan, menolak, atau membuka lagi"),
        Action::Comment => ("comment on proposals", "mengomentari usulan"),
        Action::Withdraw => ("withdraw this proposal", "menarik usulan ini"),
        Action::SetUp => ("change members or settings", "mengubah anggota atau pengaturan"),
        Action::Export => ("export the ledger", "mengekspor buku penerapan"),
    };
    let is = match (kind, role) {
        (ActorKind::Person, Some(Role::Member)) => ("a member", "anggota"),
        (ActorKind::Person, Some(Role::Reviewer)) => ("a reviewer", "peninjau"),
        (ActorKind::Person, Some(Role::Maintainer)) => ("a maintainer", "pengelola"),
        (ActorKind::Person, None) => ("not a member", "bukan anggota"),
        (ActorKind::Agent, _) => ("an agent", "agen AI"),
        (ActorKind::Source, _) => ("a source", "sumber"),
        (ActorKind::System, _) => ("a system user", "pengguna sistem"),
    };
    let detail = format!("You are {} in this room and may not {}; {} may.", is.0, what.0, who.0);
    let said = format!("Anda {} di ruang ini dan tidak boleh {}; yang boleh: {}.", is.1, what.1, who.1);
    Err(Refusal::new(Code::ActorDenied, detail).said(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_people_with_a_deciding_role_apply() {
        use Action::{Decide, Propose, Read, Revise, SetUp, Withdraw};
        use ActorKind::{Agent, Person, Source};
        use Role::{Maintainer, Member, Reviewer};
        let check = |kind, role, action, author, ok: bool| {
            assert_eq!(may(kind, role, action, author).is_ok(), ok, "{kind} {role:?} {action:?} {author}");
        };
        check(Person, Some(Member), Decide, false, true);
        check(Person, Some(Maintainer), Decide, false, true);
        check(Person, Some(Reviewer), Decide, false, false);
        check(Person, None, Decide, true, false);
        check(Agent, None, Decide, true, false);
        check(Agent, Some(Maintainer), Decide, true, false);
        check(Source, None, Decide, true, false);
        check(Person, Some(Reviewer), Propose, false, false);
        check(Agent, None, Propose, false, true);
        check(Agent, None, Revise, true, true);
        check(Agent, None, Revise, false, false);
        check(Person, Some(Member), Revise, false, true);
        check(Person, Some(Member), Withdraw, false, false);
        check(Person, Some(Member), Withdraw, true, true);
        check(Person, Some(Maintainer), Withdraw, false, true);
        check(Person, Some(Reviewer), Withdraw, true, false);
        check(Person, Some(Member), SetUp, false, false);
        check(Agent, Some(Maintainer), SetUp, false, false);
        check(Person, Some(Reviewer), Read, false, true);
        check(Person, None, Read, false, false);
    }
}
