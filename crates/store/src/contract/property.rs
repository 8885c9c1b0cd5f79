//! Random sequences of jobs, run on a store and on the model: every answer of every verb and the
//! full reading at the end are the same. Ids are drawn like everything else; nothing reads a clock.

use std::fmt::Write as _;
use std::sync::Arc;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use sekali_core::change::Version;
use sekali_core::decide::Standing;
use sekali_core::hash::Digest;
use sekali_core::time::CLOCK_TOLERANCE_MS;
use sekali_core::{ActorId, ActorKind, Code, DocPath, Door, Mode, Op, Role, State};

use super::fixture::{
    ANI, BUDI, Edit, Press, Presser, Result, Sketch, T0, aid, at, content, effect, executable, make_room, path, pid,
    room_id, version,
};
use super::{Harness, SetClock, dump};
use crate::error::StoreError;
use crate::model::Model;
use crate::rows::{ActorRow, Layer, ListQuery, ListedRow, NewDocument, RepeatNote, Reservation, RoomKey, VersionKey};
use crate::verbs::{Store, Verdict, Write, read, write};

/// Every proposal, as far as one page goes.
pub(super) const WHOLE: ListQuery = ListQuery { state: None, before: None, now: None, limit: 10_000 };

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
    room: usize,
    act: Act,
    ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Kept, unless the act itself is refused.
    Kept,
    Undone,
    Failed,
}

#[derive(Debug, Clone)]
enum Act {
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
    Repeat { layer: usize, source: u8, key: u8, pick: usize, fingerprint: Option<u8>, other: bool },
}

/// What a presser had seen: the digest of now, or of another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Now,
    First,
    Other,
}

#[derive(Debug, Clone)]
struct Content {
    edits: Vec<Change>,
    effects: Vec<(u8, u32)>,
    valid_ms: Option<i64>,
    like: u8,
}

#[derive(Debug, Clone)]
struct Change {
    op: usize,
    at: usize,
    from: usize,
    base: Base,
    bytes: usize,
    script: bool,
    salt: u8,
}

/// Whether a base is what is there, or something made up.
#[derive(Debug, Clone, Copy)]
enum Base {
    There,
    MadeUp(usize, bool),
}

/// Few paths and contents, so that they meet; some meet by their keys alone.
const PATHS: [&str; 6] = ["a", "A", "b", "dir/c", "Dir/C", "é"];
const CONTENTS: [&[u8]; 4] = [b"", b"1\n", b"2\n", b"\0\xFF"];
const NAMES: [&str; 3] = ["Ani", "Cici", "Doni"];
const ROLES: [Option<Role>; 3] = [None, Some(Role::Reviewer), Some(Role::Maintainer)];
const LAYERS: [Layer; 3] = [Layer::Apply, Layer::Key, Layer::Effect];
const KINDS: [ActorKind; 3] = [ActorKind::Person, ActorKind::Agent, ActorKind::Source];

fn base() -> impl Strategy<Value = Base> {
    let made_up = (0..CONTENTS.len(), any::<bool>()).prop_map(|(bytes, script)| Base::MadeUp(bytes, script));
    prop_oneof![4 => Just(Base::There), 1 => made_up]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let places = (0..4_usize, 0..PATHS.len(), 0..PATHS.len());
    let change = (places, base(), 0..CONTENTS.len(), any::<bool>(), any::<u8>())
        .prop_map(|((op, at, from), base, bytes, script, salt)| Change { op, at, from, base, bytes, script, salt });
    vec(change, 0..4)
}

fn contents() -> impl Strategy<Value = Content> {
    let effects = btree_set((0..3_u8, 0..2_u32), 0..3).prop_map(|set| set.into_iter().collect());
    let valid_ms = proptest::option::weighted(0.4, 0..200_000_i64);
    (changes(), effects, valid_ms, 0..4_u8)
        .prop_map(|(edits, effects, valid_ms, like)| Content { edits, effects, valid_ms, like })
}

fn seen() -> impl Strategy<Value = Seen> {
    prop_oneof![6 => Just(Seen::Now), 1 => Just(Seen::First), 1 => Just(Seen::Other)]
}

fn act() -> impl Strategy<Value = Act> {
    let pick = 0..8_usize;
    let place = (0..PATHS.len(), 0..CONTENTS.len(), any::<bool>());
    let repeat = (0..LAYERS.len(), 0..2_u8, 0..3_u8, pick.clone(), proptest::option::of(any::<u8>()), any::<bool>());
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
        2 => repeat.prop_map(|(layer, source, key, pick, fingerprint, other)| {
            Act::Repeat { layer, source, key, pick, fingerprint, other }
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

/// Compares a store with the model over random sequences of steps.
///
/// # Panics
/// With the smallest sequence found for which they differ, and where.
pub fn agrees_with_the_model(harness: &dyn Harness, cases: u32) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&steps(), |steps| {
        let clock = SetClock::at_ms(T0);
        let store = harness.make(Arc::clone(&clock) as Arc<_>);
        compare(&*store, &clock, &steps).map_err(TestCaseError::fail)
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, steps)) => panic!("{why}\nafter {steps:#?}"),
        Err(TestError::Abort(why)) => panic!("gave up: {why}"),
    }
}

/// Runs steps on a new store, which has this clock, and on a model.
///
/// # Errors
/// The first answer or the first line of the full reading that differs.
pub fn compare(store: &dyn Store, clock: &Arc<SetClock>, steps: &[Step]) -> std::result::Result<(), String> {
    let model = Model::new(Arc::clone(clock) as Arc<_>);
    let players = [Player::new(&model), Player::new(store)];
    for (n, step) in steps.iter().enumerate() {
        match step {
            Step::Tick(ms) => clock.advance_ms(*ms),
            Step::Job(job) => {
                let [wanted, got] = players.each_ref().map(|player| player.run(job));
                same(&wanted, &got).map_err(|differ| format!("step {n}, {job:?}: {differ}"))?;
            }
        }
    }
    let [wanted, got] = players.map(|player| read(player.store, |tx| dump(tx)).map_err(|e| e.to_string()));
    same(&wanted?, &got?).map_err(|differ| format!("the full reading: {differ}"))
}

fn same(wanted: &str, got: &str) -> std::result::Result<(), String> {
    let mut lines = wanted.lines().zip(got.lines());
    match lines.find(|(wanted, got)| wanted != got) {
        Some((wanted, got)) => Err(format!("the model says\n  {wanted}\nand the store\n  {got}")),
        None if wanted.len() == got.len() => Ok(()),
        None => Err(format!("one says more: the model\n{wanted}\nand the store\n{got}")),
    }
}

/// A store with its two rooms; keys differ from store to store.
struct Player<'a> {
    store: &'a dyn Store,
    rooms: [RoomKey; 2],
}

impl<'a> Player<'a> {
    fn new(store: &'a dyn Store) -> Self {
        let rooms = write(store, |tx| Ok((Verdict::Keep, [make_room(tx, 1, "satu")?, make_room(tx, 2, "dua")?])));
        Self { store, rooms: rooms.unwrap() }
    }

    /// Runs a job and tells everything that its verbs answered.
    fn run(&self, job: &Job) -> String {
        let (room, job) = (self.rooms[job.room], job.clone());
        let answer = write(self.store, move |tx| {
            let mut told = String::new();
            let room_id = room_id(job.room as u64 + 1);
            let keep = Stage { tx, room, room_id, told: &mut told }.play(&job.act)?;
            match job.ending {
                Ending::Failed => Err(StoreError::new(Code::StoreFull, format!("on purpose, after {told}"))),
                Ending::Kept if keep => Ok((Verdict::Keep, told)),
                _ => Ok((Verdict::Undo, told)),
            }
        });
        answer.unwrap_or_else(|error| format!("{}: {error}", error.code.as_str()))
    }
}

/// Where an act is played: it sees what the store holds, and tells what the verbs say.
struct Stage<'a> {
    tx: &'a mut dyn Write,
    room: RoomKey,
    room_id: sekali_core::RoomId,
    told: &'a mut String,
}

impl Stage<'_> {
    fn tell<T: std::fmt::Debug>(&mut self, what: T) -> T {
        let _ = writeln!(self.told, "{what:?}");
        what
    }

    /// Plays an act; whether its writes are to be kept.
    fn play(mut self, act: &Act) -> Result<bool> {
        let now = self.tx.now(self.room)?;
        self.tell(now);
        let keep = self.act(act)?;
        let head = self.tx.head(self.room)?;
        self.tell((head.size, head.root, head.prev, head.counts));
        Ok(keep)
    }

    fn act(&mut self, act: &Act) -> Result<bool> {
        match act {
            Act::AddActor { id, kind, name, role } => self.add_actor(aid(*id), KINDS[*kind], NAMES[*name], ROLES[*role]),
            Act::SetRole { role } => {
                self.tx.set_role(self.room, BUDI, ROLES[*role])?;
                let budi = self.tx.actor(self.room, BUDI)?;
                self.tell(budi);
                Ok(true)
            }
            Act::Submit { id, draft, key } => self.submit(*id, draft, *key),
            Act::Revise { pick, draft, seen } => self.revise(*pick, draft, *seen),
            Act::Apply { pick, seen, os_user } => self.apply(*pick, *seen, *os_user),
            Act::Close { pick, seen, rejected } => self.close(*pick, *seen, *rejected),
            Act::Reopen { pick } => self.reopen(*pick),
            Act::Create { at, bytes, script } => self.create(&path(PATHS[*at]), &made_up(*bytes, *script, 7)),
            Act::Replace { at, base, bytes, script } => self.replace(*at, *base, &made_up(*bytes, *script, 8)),
            Act::Take { at, base } => self.take(*at, *base),
            Act::Repeat { .. } => self.repeat(act),
        }
    }

    fn add_actor(&mut self, id: ActorId, kind: ActorKind, name: &str, role: Option<Role>) -> Result<bool> {
        if self.tx.actor(self.room, id)?.is_some() {
            return Ok(false);
        }
        let role = role.filter(|_| kind == ActorKind::Person);
        let added_at = self.tx.now(self.room)?.at;
        let row = ActorRow { id, kind, name: name.to_owned(), role, added_at };
        let added = self.tx.add_actor(self.room, &row)?;
        self.tell(added);
        Ok(true)
    }

    fn picked(&mut self, pick: usize) -> Result<Option<ListedRow>> {
        let rows = self.tx.list(self.room, WHOLE)?;
        let row = rows.get(pick % rows.len().max(1)).cloned();
        Ok(self.tell(row))
    }

    fn seen(&mut self, row: &ListedRow, seen: Seen) -> Result<Digest> {
        Ok(match seen {
            Seen::Now => row.digest,
            Seen::First => self.tx.revision(self.room, row.id, 1)?.map_or(row.digest, |r| r.digest),
            Seen::Other => Digest::from_bytes([0xD1; 32]),
        })
    }

    fn presser(&self, row: &ListedRow, digest: Digest) -> Presser {
        Presser { room: self.room, room_id: self.room_id, id: row.id, digest, actor: ANI, os_user: None }
    }

    fn sketch(&mut self, id: sekali_core::ProposalId, revision: u32, draft: &Content) -> Result<Sketch> {
        let now = self.tx.now(self.room)?.at;
        let mut edits = Vec::new();
        for change in &draft.edits {
            edits.push(self.edit(change)?);
        }
        Ok(Sketch {
            room_id: self.room_id,
            id,
            revision,
            title: format!("Revision {revision} like {}", draft.like),
            valid_until: draft.valid_ms.map(|ms| at(now.ms() + ms)),
            effects: draft.effects.iter().map(|(key, generation)| effect(&format!("e{key}"), *generation)).collect(),
            edits,
            fingerprint: [draft.like; 32],
            ..Sketch::new(0)
        })
    }

    fn edit(&mut self, change: &Change) -> Result<Edit> {
        let (to, from) = (path(PATHS[change.at]), path(PATHS[change.from]));
        let after = made_up(change.bytes, change.script, change.salt);
        let brought = Some(content(CONTENTS[change.bytes], change.salt));
        Ok(match change.op {
            0 => Edit { content: brought, ..Edit::new(Op::Create, &to, None, None, Some(after)) },
            1 => {
                let base = self.base(&to, change.base)?;
                Edit { content: brought, ..Edit::new(Op::Replace, &to, None, Some(base), Some(after)) }
            }
            2 => {
                let base = self.base(&from, change.base)?;
                Edit::new(Op::Rename, &to, Some(&from), Some(base.clone()), Some(base))
            }
            _ => {
                let base = self.base(&to, change.base)?;
                Edit::new(Op::Delete, &to, None, Some(base), None)
            }
        })
    }

    fn base(&mut self, at: &DocPath, base: Base) -> Result<Version> {
        let there = self.tx.document(self.room, at)?;
        Ok(match (base, there) {
            (Base::There, Some(document)) => document.content,
            (Base::There, None) => made_up(0, false, 1),
            (Base::MadeUp(bytes, script), _) => made_up(bytes, script, 1),
        })
    }

    fn submit(&mut self, id: u64, draft: &Content, key: Option<u8>) -> Result<bool> {
        let id = pid(id);
        if self.tx.proposal_by_id(self.room, id)?.is_some() {
            return Ok(false);
        }
        if let Some(key) = key {
            let wanted = Reservation { fingerprint: [draft.like; 32], proposal: id };
            let kept = self.tx.reserve(self.room, ANI, &format!("k{key}"), wanted)?;
            if self.tell(kept).is_some() {
                return Ok(false);
            }
        }
        let sketch = self.sketch(id, 1, draft)?;
        let number = sketch.submit(self.tx, self.room)?;
        let similar = self.tx.similar(self.room, &sketch.fingerprint, Some(id))?;
        self.tell((number, similar));
        Ok(true)
    }

    fn revise(&mut self, pick: usize, draft: &Content, seen: Seen) -> Result<bool> {
        let Some(row) = self.picked(pick)? else { return Ok(false) };
        let seen = self.seen(&row, seen)?;
        let revision = u32::try_from(self.tx.revisions(self.room, row.id)?.len()).unwrap() + 1;
        let revised = self.sketch(row.id, revision, draft)?.revise(self.tx, self.room, &seen)?;
        Ok(self.tell(revised))
    }

    fn apply(&mut self, pick: usize, seen: Seen, os_user: Option<u8>) -> Result<bool> {
        let Some(row) = self.picked(pick)? else { return Ok(false) };
        let digest = self.seen(&row, seen)?;
        let now = self.tx.now(self.room)?.at;
        let os_user = match os_user {
            Some(n) => Some(self.tx.os_user(self.room, &format!("os{n}"), aid(700 + u64::from(n)), now)?),
            None => None,
        };
        let press = Presser { os_user, ..self.presser(&row, digest) }.apply(self.tx)?;
        if matches!(press, Press::NotOpen) {
            self.stands(&row)?;
        }
        Ok(matches!(self.tell(press), Press::Applied(..)))
    }

    fn close(&mut self, pick: usize, seen: Seen, rejected: bool) -> Result<bool> {
        let Some(row) = self.picked(pick)? else { return Ok(false) };
        let digest = self.seen(&row, seen)?;
        let state = if rejected { State::Rejected } else { State::Withdrawn };
        let closed = self.presser(&row, digest).close(self.tx, state, rejected.then_some("karena"))?;
        self.stands(&row)?;
        Ok(self.tell(closed))
    }

    fn reopen(&mut self, pick: usize) -> Result<bool> {
        let Some(row) = self.picked(pick)? else { return Ok(false) };
        let reopened = self.presser(&row, row.digest).reopen(self.tx)?;
        self.stands(&row)?;
        Ok(self.tell(reopened))
    }

    fn stands(&mut self, row: &ListedRow) -> Result<Option<Standing>> {
        let standing = self.tx.standing(self.room, row.id)?;
        Ok(self.tell(standing))
    }

    /// A version of its own for each write of a document that no proposal makes.
    fn loose(&mut self) -> Result<VersionKey> {
        let documents = self.tx.documents(self.room, None, 100)?;
        let above = documents.iter().map(|d| d.version.seq).max().unwrap_or(0);
        Ok(VersionKey { seq: above.max(1_000_000) + 1, ordinal: 3 })
    }

    fn create(&mut self, at: &DocPath, content: &Version) -> Result<bool> {
        let version = self.loose()?;
        let created = self.tx.create_document(self.room, &NewDocument { path: at, version, content })?;
        self.tell(created);
        Ok(true)
    }

    fn replace(&mut self, at: usize, base: Base, content: &Version) -> Result<bool> {
        let (at, version) = (path(PATHS[at]), self.loose()?);
        let base = self.base(&at, base)?;
        let replaced = self.tx.replace_document(self.room, &base, &NewDocument { path: &at, version, content })?;
        self.tell(replaced);
        Ok(true)
    }

    fn take(&mut self, at: usize, base: Base) -> Result<bool> {
        let (at, by) = (path(PATHS[at]), self.loose()?);
        let base = self.base(&at, base)?;
        let taken = self.tx.take_document(self.room, &at, &base, by)?;
        let departed = self.tx.departed(self.room, &at)?;
        self.tell((taken, departed));
        Ok(true)
    }

    fn repeat(&mut self, act: &Act) -> Result<bool> {
        let Act::Repeat { layer, source, key, pick, fingerprint, other } = act else { return Ok(false) };
        let Some(row) = self.picked(*pick)? else { return Ok(false) };
        let source = [*source; 16];
        // Whose receipt answers a key does not change while the key is kept.
        let known = self.tx.repeat_of(self.room, LAYERS[*layer], source, &[*key])?;
        let note = RepeatNote {
            layer: LAYERS[*layer],
            source,
            key: vec![*key],
            proposal: known.map_or(row.id, |known| known.proposal),
            at: self.tx.now(self.room)?.at,
            actor: BUDI,
            door: Door::Webhook,
            os_user: None,
            fingerprint: fingerprint.map(|byte| [byte; 32]),
            other_content: *other,
        };
        let n = self.tx.note_repeat(self.room, &note)?;
        self.tell(n);
        Ok(true)
    }
}

fn made_up(bytes: usize, script: bool, salt: u8) -> Version {
    let version = version(CONTENTS[bytes], salt);
    debug_assert_eq!(version.mode, Mode::Plain);
    if script { executable(version) } else { version }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct InMemory;

    impl Harness for InMemory {
        fn make(&self, clock: Arc<dyn crate::verbs::Clock>) -> Box<dyn Store> {
            Box::new(Model::new(clock))
        }
    }

    #[test]
    fn the_model_agrees_with_itself() {
        agrees_with_the_model(&InMemory, 32);
    }

    /// A sequence that never met a refusal would compare nothing of it.
    #[test]
    fn the_sequences_reach_every_answer() {
        let mut runner = TestRunner::deterministic();
        let mut told = String::new();
        for _ in 0..200 {
            let steps = steps().new_tree(&mut runner).unwrap().current();
            let clock = SetClock::at_ms(T0);
            let model = Model::new(Arc::clone(&clock) as Arc<_>);
            let player = Player::new(&model);
            for step in &steps {
                match step {
                    Step::Tick(ms) => clock.advance_ms(*ms),
                    Step::Job(job) => told.push_str(&player.run(job)),
                }
            }
            told.push_str(&read(&model, |tx| dump(tx)).unwrap());
        }
        for word in [
            "Applied(", "Lost(", "NotOpen", "EffectDone(", "Stale(", "state: Rejected", "state: Withdrawn",
            "state: Expired", "stale: true", "op: Rename", "op: Delete", "os_user: Some", "Replaced", "departed",
            "store.full", "revision: 3", "other_content: 2", "Some(Reservation",
        ] {
            assert!(told.contains(word), "no sequence has come to {word:?}");
        }
    }

    #[test]
    fn a_store_that_differs_is_found_out() {
        let model = |ms| Model::new(SetClock::at_ms(ms));
        let act = Act::Create { at: 0, bytes: 1, script: false };
        let job = Step::Job(Job { room: 0, act, ending: Ending::Kept });
        let clock = SetClock::at_ms(T0);
        assert_eq!(compare(&model(T0), &clock, std::slice::from_ref(&job)), Ok(()));
        let other = compare(&model(T0 + 1), &clock, &[job]).unwrap_err();
        assert!(other.contains("the model says"), "{other}");
    }
}
