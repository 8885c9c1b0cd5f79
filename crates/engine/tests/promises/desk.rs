//! What the promises are tried on: a room of the in-memory model, and the people in it.

use std::sync::Arc;

use sekali_core::change::Submitted;
use sekali_core::decide::Outcome;
use sekali_core::diff::{ContentDiff, Line, LineKind};
use sekali_core::hash::Digest;
use sekali_core::role::{Role, Seen, State};
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{ActorKind, Code, DocPath, Door};
use sekali_engine::submit::Proposed;
use sekali_engine::{Caller, Engine};
use sekali_store::contract::dump;
use sekali_store::model::Model;
use sekali_store::{ActorRow, Clock, Store, StoreError, SystemClock, read};

pub(crate) const ROOM: &str = "main";

/// A room of the model with its people.
pub(crate) struct Desk {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<Model>,
    pub(crate) ani: Caller,
}

pub(crate) fn caller(name: &str) -> Caller {
    Caller {
        name: ActorName::parse("as", name).expect("a plain name"),
        door: Door::Cli,
        os_user: Some("tester".to_owned()),
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::at(Arc::new(SystemClock))
    }

    pub(crate) fn at(clock: Arc<dyn Clock>) -> Self {
        // The same promises are tried twice: see ../crowded.rs.
        let crowded = env!("CARGO_CRATE_NAME") == "crowded";
        let store = Arc::new(if crowded { Model::crowded(clock) } else { Model::new(clock) });
        let engine = Engine::new(Arc::clone(&store) as Arc<dyn Store>);
        let ani = caller("Ani");
        engine.create_room(&ani, ROOM, "Main").expect("a fresh store");
        engine.add_member(&ani, ROOM, "Citra", Some(Role::Reviewer)).expect("a new name");
        engine.add_member(&ani, ROOM, "agent:drafting", None).expect("a new name");
        Self { engine, store, ani }
    }

    pub(crate) fn submit(&self, submission: Submission) -> Proposed {
        self.engine.submit(&self.ani, ROOM, submission).expect("a good one")
    }

    pub(crate) fn press(&self, number: u64, digest: Digest) -> Outcome {
        self.engine.apply(&self.ani, ROOM, number, Seen::Digest(digest)).expect("a good store")
    }

    pub(crate) fn entries(&self) -> u64 {
        self.engine.view_room(&self.ani, ROOM).expect("a room").head.size
    }

    pub(crate) fn state(&self, number: u64) -> State {
        self.engine.view(&self.ani, ROOM, number).expect("a proposal").state
    }

    /// Everything that is stored, and how often something was.
    pub(crate) fn stored(&self) -> (String, u64, Option<ActorRow>) {
        let room = self.engine.room(ROOM).expect("a room").key;
        read(&*self.store, |tx| {
            let user = tx.actor_named(room, ActorKind::System, "tester")?;
            Ok::<_, StoreError>((dump(tx)?, tx.head(room)?.change_seq, user))
        })
        .expect("a good store")
    }

    /// The difference of a proposal, a text for each change.
    pub(crate) fn difference(&self, number: u64) -> Vec<String> {
        let (_, changes) = self.engine.diff(&self.ani, ROOM, number, None).expect("a proposal");
        let lines = |diff: ContentDiff| diff.hunks.into_iter().flat_map(|hunk| hunk.lines);
        let text =
            |line: Line| format!("{}{}", if line.kind == LineKind::Add { '+' } else { '-' }, line.text);
        changes.into_iter().map(|c| lines(c.diff.expect("nothing is erased")).map(text).collect()).collect()
    }

    pub(crate) fn sound(&self) {
        assert_eq!(self.engine.check(&mut |_, _| {}).expect("a good store").problems, []);
    }
}

pub(crate) fn path(text: &str) -> DocPath {
    DocPath::parse("path", text).expect("a good path")
}

pub(crate) fn put(at: &str, content: &str) -> Submitted {
    Submitted::put(path(at), content)
}

pub(crate) fn proposal(changes: Vec<Submitted>) -> Submission {
    Submission::new("T", changes)
}

pub(crate) fn refusal(outcome: &Outcome) -> Code {
    match outcome {
        Outcome::Refused(refusal) => refusal.code,
        other => panic!("refused was expected: {other:?}"),
    }
}
