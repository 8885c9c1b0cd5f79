//! The demo room: a small shop, made by real submits and applies from `docs/demo`. Nothing is
//! back-dated.

use std::collections::HashMap;

use include_dir::{Dir, include_dir};
use sekali_core::decide::Outcome;
use sekali_core::role::{Role, Seen};
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{Code, Lang, Refusal, Timestamp};
use sekali_store::StoreError;
use serde::Deserialize;
use serde_json::Value;

use crate::{Caller, Engine, Failure};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/demo");

/// The demo room's slug.
pub const ROOM: &str = "toko-mekar";
/// The demo room's title.
pub const TITLE: &str = "Toko Mekar";

/// What was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The room's slug.
    pub room: String,
    /// Proposals submitted.
    pub proposals: u64,
    /// Ledger entries.
    pub entries: u64,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Step {
    Member { name: String, role: Option<Role> },
    Propose { r#ref: String, r#as: String, proposal: Value },
    Revise { r#ref: String, r#as: String, proposal: Value },
    Apply { r#ref: String, r#as: String, times: u32 },
    Reject { r#ref: String, r#as: String, reason: String },
    Withdraw { r#ref: String, r#as: String, reason: Option<String> },
    Refused { step: Box<Step>, code: String },
}

/// Builds the demo room in a store, as its caller, who becomes its maintainer.
///
/// # Errors
/// `room.exists` where the store has one already; and what the store fails with.
pub fn build(
    engine: &Engine,
    caller: &Caller,
    lang: Lang,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report, Failure> {
    let script = FILES
        .get_file(format!("{}/script.json", lang.as_str()))
        .ok_or_else(|| broken("there is no script in this language"))?;
    let steps: Vec<Step> = serde_json::from_slice(script.contents()).map_err(|e| broken(&e.to_string()))?;
    engine.create_room(caller, ROOM, TITLE)?;
    let mut player = Player { engine, caller, lang, numbers: HashMap::new() };
    let total = steps.len() as u64;
    for (done, step) in (1..).zip(&steps) {
        player.play(step)?;
        progress(done, total);
    }
    let head = engine.view_room(caller, ROOM)?.head;
    let counts = head.counts;
    Ok(Report {
        room: ROOM.to_owned(),
        proposals: counts.open + counts.applied + counts.rejected + counts.withdrawn,
        entries: head.size,
    })
}

struct Player<'a> {
    engine: &'a Engine,
    caller: &'a Caller,
    lang: Lang,
    numbers: HashMap<String, u64>,
}

impl Player<'_> {
    fn play(&mut self, step: &Step) -> Result<(), Failure> {
        match step {
            Step::Member { name, role } => {
                match self.engine.add_member(self.caller, ROOM, name, *role) {
                    // Whoever loads the demo may be called like one of its people.
                    Err(Failure::Refused(refusal)) if refusal.code == Code::MemberExists => Ok(()),
                    other => other.map(drop),
                }
            }
            Step::Propose { r#ref, r#as, proposal } => {
                let proposed = self.engine.submit(&self.actor(r#as)?, ROOM, self.submission(proposal)?)?;
                self.numbers.insert(r#ref.clone(), proposed.number);
                Ok(())
            }
            Step::Revise { r#ref, r#as, proposal } => {
                let (actor, submission) = (self.actor(r#as)?, self.submission(proposal)?);
                self.engine.revise(&actor, ROOM, self.number(r#ref)?, None, submission).map(drop)
            }
            Step::Apply { r#ref, r#as, times } => {
                let (actor, number) = (self.actor(r#as)?, self.number(r#ref)?);
                for _ in 0..*times {
                    // What is pressed is what is shown, as for everyone.
                    let digest = self.engine.view(&actor, ROOM, number)?.current.digest;
                    if let Outcome::Refused(refusal) =
                        self.engine.apply(&actor, ROOM, number, Seen::Digest(digest))?
                    {
                        return Err(refusal.into());
                    }
                }
                Ok(())
            }
            Step::Reject { r#ref, r#as, reason } => {
                self.engine.reject(&self.actor(r#as)?, ROOM, self.number(r#ref)?, None, reason)
            }
            Step::Withdraw { r#ref, r#as, reason } => {
                self.engine.withdraw(&self.actor(r#as)?, ROOM, self.number(r#ref)?, reason.as_deref())
            }
            Step::Refused { step, code } => match self.play(step) {
                Err(Failure::Refused(refusal)) if refusal.code.as_str() == code => Ok(()),
                Err(other) => Err(other),
                Ok(()) => Err(broken(&format!("a step should have been refused with {code}")).into()),
            },
        }
    }

    fn actor(&self, name: &str) -> Result<Caller, Refusal> {
        Ok(Caller { name: ActorName::parse("as", name)?, ..self.caller.clone() })
    }

    fn number(&self, name: &str) -> Result<u64, StoreError> {
        self.numbers.get(name).copied().ok_or_else(|| broken(&format!("no step proposes {name}")))
    }

    fn submission(&self, proposal: &Value) -> Result<Submission, Failure> {
        let mut proposal = proposal.clone();
        if let Some(end) = proposal.get_mut("valid_until")
            && let Some(text) = end.as_str().and_then(|t| t.strip_prefix('+'))
        {
            *end = Value::String(after(self.engine.wall()?, text)?.to_string());
        }
        // Through the same border as every other door.
        let bytes = serde_json::to_vec(&proposal).map_err(|e| broken(&e.to_string()))?;
        let folder = self.lang.as_str();
        let mut load = |_: &str, name: &str| {
            let file = FILES.get_file(format!("{folder}/{name}"));
            file.map(|f| f.contents().to_vec())
                .ok_or_else(|| Refusal::new(Code::Internal, format!("The demo lacks its file {name}.")))
        };
        Ok(Submission::read(&bytes, Some(&mut load))?)
    }
}

/// `1500ms` or `72h` after an instant.
fn after(instant: Timestamp, text: &str) -> Result<Timestamp, StoreError> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let ms = match unit {
        "ms" => 1,
        "h" => 3_600_000,
        _ => return Err(broken(&format!("{text} is not a time"))),
    };
    let number: i64 =
        text[..text.len() - unit.len()].parse().map_err(|_| broken(&format!("{text} is not a time")))?;
    Ok(Timestamp::from_ms(instant.ms() + number * ms))
}

fn broken(what: &str) -> StoreError {
    StoreError::new(Code::Internal, format!("The demo cannot be built: {what}."))
}
