//! What a sequence is made of, and how it is drawn.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use sekali_core::time::CLOCK_TOLERANCE_MS;
use sekali_core::{ActorKind, Role};

use crate::rows::Layer;

/// One step of a sequence.
#[derive(Debug, Clone)]
pub enum Step {
    /// The wall clock moves, by up to what is still believed.
    Tick(i64),
    /// A job is written in one of two rooms.
    Job(Job),
}

/// A job and what becomes of it.
#[derive(Debug, Clone)]
pub struct Job {
    pub(super) room: usize,
    pub(super) act: Act,
    pub(super) ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Kept, unless the act itself is refused.
    Kept,
    Undone,
    Failed,
}

#[derive(Debug, Clone)]
pub(super) enum Act {
    AddActor { id: u64, kind: usize, name: usize, role: usize },
    SetRole { role: usize },
    Submit { id: u64, draft: Content, key: Option<u8> },
    Revise { pick: usize, draft: Content, seen: Seen },
    Apply { pick: usize, seen: Seen, os_user: Option<u8> },
    Close { pick: usize, seen: Seen, rejected: bool },
    Reopen { pick: usize },
    Create { at: usize, bytes: usize, script: bool },
    Replace { at: usize, base: Base, bytes: usize, script: bool },
    Take { at: usize, base: Base },
    Comment { pick: usize, id: u64, kind: usize, key: Option<u8>, like: u8 },
    Link { pick: usize, other: usize, split: bool },
    Repeat { layer: usize, source: u8, key: u8, pick: usize, fingerprint: Option<u8>, other: bool, times: u8 },
}

/// What a presser had seen: the digest of now, or of another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Now,
    First,
    Other,
}

#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) edits: Vec<Change>,
    pub(super) effects: Vec<(u8, u32)>,
    pub(super) valid_ms: Option<i64>,
    pub(super) like: u8,
    /// How many parts it has that are no whole content, and hunks of them that were found elsewhere.
    pub(super) parts: Option<u8>,
}

#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) op: usize,
    pub(super) at: usize,
    pub(super) from: usize,
    pub(super) base: Base,
    pub(super) bytes: usize,
    pub(super) script: bool,
    pub(super) salt: u8,
}

/// Whether a base is what is there, or something made up.
#[derive(Debug, Clone, Copy)]
pub(super) enum Base {
    There,
    MadeUp(usize, bool),
}

/// Few paths and contents, so that they meet; some meet by their keys alone, and some are folders of
/// others.
pub(super) const PATHS: [&str; 8] = ["a", "A", "b", "dir/c", "Dir/C", "é", "a/b", "DIR"];

pub(super) const CONTENTS: [&[u8]; 4] = [b"", b"1\n", b"2\n", b"\0\xFF"];

pub(super) const NAMES: [&str; 3] = ["Ani", "Cici", "Doni"];

pub(super) const ROLES: [Option<Role>; 3] = [None, Some(Role::Reviewer), Some(Role::Maintainer)];

pub(super) const LAYERS: [Layer; 3] = [Layer::Apply, Layer::Key, Layer::Effect];

pub(super) const KINDS: [ActorKind; 3] = [ActorKind::Person, ActorKind::Agent, ActorKind::Source];

fn base() -> impl Strategy<Value = Base> {
    let made_up = (0..CONTENTS.len(), any::<bool>()).prop_map(|(bytes, script)| Base::MadeUp(bytes, script));
    prop_oneof![4 => Just(Base::There), 1 => made_up]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let places = (0..4_usize, 0..PATHS.len(), 0..PATHS.len());
    let change = (places, base(), 0..CONTENTS.len(), any::<bool>(), any::<u8>()).prop_map(
        |((op, at, from), base, bytes, script, salt)| Change { op, at, from, base, bytes, script, salt },
    );
    vec(change, 0..4)
}

fn contents() -> impl Strategy<Value = Content> {
    let effects = btree_set((0..3_u8, 0..2_u32), 0..3).prop_map(|set| set.into_iter().collect());
    let valid_ms = proptest::option::weighted(0.4, 0..200_000_i64);
    let parts = proptest::option::weighted(0.3, 0..7_u8);
    (changes(), effects, valid_ms, 0..4_u8, parts)
        .prop_map(|(edits, effects, valid_ms, like, parts)| Content { edits, effects, valid_ms, like, parts })
}

fn seen() -> impl Strategy<Value = Seen> {
    prop_oneof![6 => Just(Seen::Now), 1 => Just(Seen::First), 1 => Just(Seen::Other)]
}

fn act() -> impl Strategy<Value = Act> {
    let pick = 0..8_usize;
    let place = (0..PATHS.len(), 0..CONTENTS.len(), any::<bool>());
    let repeat = (
        0..LAYERS.len(),
        0..2_u8,
        0..2_u8,
        pick.clone(),
        proptest::option::of(any::<u8>()),
        any::<bool>(),
        1..30_u8,
    );
    prop_oneof![
        1 => (any::<u64>(), 0..KINDS.len(), 0..NAMES.len(), 0..ROLES.len())
            .prop_map(|(id, kind, name, role)| Act::AddActor { id, kind, name, role }),
        1 => (0..ROLES.len()).prop_map(|role| Act::SetRole { role }),
        6 => (any::<u64>(), contents(), proptest::option::weighted(0.3, 0..3_u8))
            .prop_map(|(id, draft, key)| Act::Submit { id, draft, key }),
        2 => (pick.clone(), contents(), seen()).prop_map(|(pick, draft, seen)| Act::Revise { pick, draft, seen }),
        8 => (pick.clone(), seen(), proptest::option::of(0..2_u8))
            .prop_map(|(pick, seen, os_user)| Act::Apply { pick, seen, os_user }),
        2 => (pick.clone(), seen(), any::<bool>())
            .prop_map(|(pick, seen, rejected)| Act::Close { pick, seen, rejected }),
        1 => pick.prop_map(|pick| Act::Reopen { pick }),
        2 => place.clone().prop_map(|(at, bytes, script)| Act::Create { at, bytes, script }),
        2 => (place, base()).prop_map(|((at, bytes, script), base)| Act::Replace { at, base, bytes, script }),
        1 => (0..PATHS.len(), base()).prop_map(|(at, base)| Act::Take { at, base }),
        3 => (0..8_usize, any::<u64>(), 0..3_usize, proptest::option::weighted(0.4, 0..2_u8), 0..2_u8)
            .prop_map(|(pick, id, kind, key, like)| Act::Comment { pick, id, kind, key, like }),
        2 => (0..8_usize, 0..8_usize, any::<bool>())
            .prop_map(|(pick, other, split)| Act::Link { pick, other, split }),
        2 => repeat.prop_map(|(layer, source, key, pick, fingerprint, other, times)| {
            Act::Repeat { layer, source, key, pick, fingerprint, other, times }
        }),
    ]
}

/// Sequences of steps.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let ending = prop_oneof![8 => Just(Ending::Kept), 1 => Just(Ending::Undone), 1 => Just(Ending::Failed)];
    let job = (prop_oneof![4 => Just(0_usize), 1 => Just(1)], act(), ending)
        .prop_map(|(room, act, ending)| Step::Job(Job { room, act, ending }));
    // Never so far back that the clock is not believed: that is a case of its own.
    let tick = prop_oneof![4 => 0..100_000_i64, 1 => -CLOCK_TOLERANCE_MS / 40..0];
    vec(prop_oneof![9 => job, 1 => tick.prop_map(Step::Tick)], 1..40)
}
