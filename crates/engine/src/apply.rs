//! Apply: the one transaction (DESIGN, "The one transaction"; docs/ARCHITECTURE.md).

pub(crate) mod documents;

use std::sync::Arc;

use sekali_core::change::NetChange;
use sekali_core::decide::{self, AppliedFacts, Evidence, OpenFacts, Outcome, Standing};
use sekali_core::hash::{Digest, LeafHash};
use sekali_core::ledger::{Common, Draft};
use sekali_core::revision::{EffectKey, Revision};
use sekali_core::role::{self, Action, Seen};
use sekali_core::{ActorId, Code, ProposalId, Refusal, Timestamp};
use sekali_store::{
    ActorRow, ClaimRow, Layer, Read, RepeatNote, RoomKey, RoomRow, Store, StoreError, Verdict, Write, fault,
    glance, read, write, write_alone,
};

use self::documents::{stale, write_documents};
use crate::submit::lost_revision;
use crate::{Caller, Engine, Failure, KNOWN_APPLIED, acting, lock, no_proposal, sound, unknown};

/// How often `--yes` follows a proposal that is revised while it is being pressed.
const FOLLOWED_REVISIONS: usize = 8;

/// Changes that are read in the transaction itself by whoever is alone.
const AT_ONCE_CHANGES: u64 = 64;
/// Bytes of content that are checked there.
const AT_ONCE_BYTES: u64 = 256 * 1024;

/// Everything that is known before the transaction: prepared by the caller's thread, so that the
/// writer only claims, compares and splices.
struct Plan {
    room: RoomKey,
    number: u64,
    id: ProposalId,
    seen: Seen,
    actor: ActorRow,
    caller: Caller,
    os_user: Option<ActorId>,
    /// The receipt, if this process has given it before: it never changes.
    receipt: Option<AppliedFacts>,
    /// What it would do, if it waited when the plan was made. If not, the claim will be lost, or
    /// there is nothing to take; should it wait by then, a new plan is made.
    waiting: Option<Waiting>,
}

/// The open revision, resolved at submit, and its ledger entry with holes.
struct Waiting {
    open: OpenFacts,
    effect_keys: Vec<EffectKey>,
    changes: Vec<NetChange>,
    draft: Draft,
}

/// What came of one run of the transaction.
enum Pressed {
    Outcome(Outcome),
    /// An effect that another proposal had: to be written down after the rollback.
    EffectDone(Refusal, RoomKey, RepeatNote),
    /// What waits is not what the plan was made for: `--yes` follows a revision, and a proposal that
    /// was reopened meanwhile is planned anew.
    PlanAgain,
}

impl Engine {
    /// Applies a proposal, once. `seen` is the digest on screen, or [`Seen::Nothing`].
    ///
    /// A second press changes nothing and gives the first receipt; it is kept as evidence.
    ///
    /// # Errors
    /// What the store fails with; `store.outcome_unknown` where a commit may or may not have
    /// landed. A refusal is an [`Outcome`].
    pub fn apply(&self, caller: &Caller, room: &str, number: u64, seen: Seen) -> Result<Outcome, StoreError> {
        for attempt in 0..FOLLOWED_REVISIONS {
            let pressed = match self.press(caller, room, number, seen, attempt > 0) {
                Ok(pressed) => pressed,
                Err(Failure::Refused(refusal)) => return Ok(Outcome::Refused(refusal)),
                Err(Failure::Store(error)) => return Err(error),
            };
            match pressed {
                Pressed::Outcome(outcome) => return Ok(outcome),
                Pressed::EffectDone(refusal, room_key, note) => {
                    // Evidence that cannot be written never changes the answer.
                    let _ = self.note(room_key, note);
                    return Ok(Outcome::Refused(refusal));
                }
                Pressed::PlanAgain => {}
            }
        }
        Err(StoreError::new(
            Code::StoreBusy,
            format!("#{number} is being revised again and again; nothing was changed."),
        )
        .said(format!("#{number} terus-menerus direvisi; tidak ada yang berubah.")))
    }

    /// One press. Whoever is alone reads what it needs in the transaction itself, which spares a
    /// snapshot; where others write, the plan is made aside, so that the writer only claims, compares
    /// and splices.
    fn press(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        seen: Seen,
        again: bool,
    ) -> Result<Pressed, Failure> {
        let room = self.room(room)?;
        if let Some(plan) = self.plan_of_repeat(room.key, caller, number, seen) {
            return self.carry_out(plan);
        }
        let press = Arc::new(self.about_to_press(caller, room, number, seen)?);
        let alone = Arc::clone(&press);
        match write_alone(self.store(), move |tx| alone.at_once(tx)) {
            None | Some(Ok(AtOnce::TooMuch)) => self.carry_out(press.plan_aside(self.store(), again)?),
            Some(Ok(AtOnce::Refused(refusal))) => Err(Failure::Refused(refusal)),
            Some(Ok(AtOnce::Pressed(pressed, actor))) => {
                self.remember(press.room.key, number, &pressed, caller, *actor);
                Ok(pressed)
            }
            Some(Err(error)) if error.code == Code::StoreOutcomeUnknown => Err(error.into()),
            Some(Err(error)) => {
                Ok(self.replay_without_evidence(&press.plan_aside(self.store(), true)?, error)?)
            }
        }
    }

    /// The transaction of a plan that was made aside.
    fn carry_out(&self, plan: Plan) -> Result<Pressed, Failure> {
        let plan = Arc::new(plan);
        let job = Arc::clone(&plan);
        match write(self.store(), move |tx| apply_once(tx, &job)) {
            Ok(pressed) => {
                if plan.receipt.is_none() {
                    self.remember(plan.room, plan.number, &pressed, &plan.caller, plan.actor.clone());
                } else if matches!(pressed, Pressed::PlanAgain) {
                    self.forget_applied(plan.room, plan.number);
                }
                Ok(pressed)
            }
            // A commit that may or may not have landed cannot be read back as an answer.
            Err(error) if error.code == Code::StoreOutcomeUnknown => Err(error.into()),
            Err(error) => Ok(self.replay_without_evidence(&plan, error)?),
        }
    }

    /// The store takes no writes, but what was applied can still be answered (P4).
    fn replay_without_evidence(&self, plan: &Plan, error: StoreError) -> Result<Pressed, StoreError> {
        let Plan { room, id, seen, .. } = *plan;
        let found = read(self.store(), |tx| -> Result<_, StoreError> {
            let Some(Standing::Applied(facts)) = tx.standing(room, id)? else {
                return Ok(None);
            };
            let count = tx.repeat_of(room, Layer::Apply, [0; 16], id.as_bytes())?.map_or(0, |r| r.count);
            Ok(tx.actor(room, plan.actor.id)?.map(|actor| (facts, count, actor)))
        });
        let Ok(Some((facts, count, actor))) = found else {
            return Err(error);
        };
        if let Err(refusal) = role::may(actor.kind, actor.role, Action::Decide, false) {
            return Ok(Pressed::Outcome(Outcome::Refused(refusal)));
        }
        Ok(Pressed::Outcome(match decide::lost(facts, seen) {
            Ok(receipt) => Outcome::Replayed(receipt, Evidence::NotKept(count)),
            Err(refusal) => Outcome::Refused(refusal),
        }))
    }

    /// A second press of what this process has seen applied, by someone whom it has seen press:
    /// nothing has to be read for its plan. Whether they still may is asked in the transaction.
    fn plan_of_repeat(&self, room: RoomKey, caller: &Caller, number: u64, seen: Seen) -> Option<Plan> {
        let receipt = lock(&self.known.applied).get(&(room, number))?.clone();
        let actor = self.known_presser(room, caller)?;
        let os_user = match &caller.os_user {
            None => None,
            Some(name) => Some(*lock(&self.known.os_users).get(&(room, name.clone()))?),
        };
        Some(Plan {
            room,
            number,
            id: receipt.id,
            seen,
            actor,
            caller: caller.clone(),
            os_user,
            receipt: Some(receipt),
            waiting: None,
        })
    }

    fn known_presser(&self, room: RoomKey, caller: &Caller) -> Option<ActorRow> {
        lock(&self.known.pressers).get(&(room, caller.name.clone())).cloned()
    }

    /// Keeps the receipt of what was applied, and who pressed: neither has to be read for a repeat.
    fn remember(&self, room: RoomKey, number: u64, pressed: &Pressed, caller: &Caller, actor: ActorRow) {
        let Pressed::Outcome(Outcome::Applied(receipt) | Outcome::Replayed(receipt, _)) = pressed else {
            return;
        };
        let mut applied = lock(&self.known.applied);
        if applied.len() >= KNOWN_APPLIED {
            applied.clear();
        }
        applied.insert((room, number), receipt.facts().clone());
        drop(applied);
        lock(&self.known.pressers).insert((room, caller.name.clone()), actor);
    }

    fn forget_applied(&self, room: RoomKey, number: u64) {
        lock(&self.known.applied).remove(&(room, number));
    }

    /// What a press needs that only the engine knows.
    fn about_to_press(
        &self,
        caller: &Caller,
        room: RoomRow,
        number: u64,
        seen: Seen,
    ) -> Result<Press, Failure> {
        let key = room.key;
        let may = move |tx: &dyn Read, caller: &Caller| {
            acting(tx, key, caller, Action::Decide)?;
            tx.proposal(key, number)?.map(drop).ok_or_else(|| no_proposal(number).into())
        };
        let os_user = match self.os_user(key, caller, may) {
            Ok(id) => Ok(id),
            Err(Failure::Store(error)) => Err(error),
            Err(refused) => return Err(refused),
        };
        let known = self.known_presser(key, caller);
        Ok(Press { caller: caller.clone(), room, number, seen, os_user, known })
    }
}

/// One press, before it is known what it would do.
struct Press {
    caller: Caller,
    room: RoomRow,
    number: u64,
    seen: Seen,
    os_user: Result<Option<ActorId>, StoreError>,
    /// The presser, if known; whether they still may is asked in the transaction.
    known: Option<ActorRow>,
}

/// What came of a press in one transaction with its plan.
enum AtOnce {
    Pressed(Pressed, Box<ActorRow>),
    Refused(Refusal),
    /// There is more to read than keeps a transaction open.
    TooMuch,
}

impl Press {
    /// Plan and transaction in one, for whoever is alone.
    fn at_once(&self, tx: &mut dyn Write) -> Result<(Verdict, AtOnce), StoreError> {
        match self.plan(&*tx, true) {
            Ok(Some(plan)) => {
                let (verdict, pressed) = apply_once(tx, &plan)?;
                Ok((verdict, AtOnce::Pressed(pressed, Box::new(plan.actor))))
            }
            Ok(None) => Ok((Verdict::Undo, AtOnce::TooMuch)),
            Err(Failure::Refused(refusal)) => Ok((Verdict::Undo, AtOnce::Refused(refusal))),
            Err(Failure::Store(error)) => Err(error),
        }
    }

    /// What waited a moment ago most often still does, and the transaction will see. Anything else is
    /// asked of the store as it is now.
    fn plan_aside(&self, store: &dyn Store, again: bool) -> Result<Plan, Failure> {
        if !again
            && let Ok(Some(plan)) = glance(store, |tx| self.plan(tx, false))
            && plan.waiting.is_some()
        {
            return Ok(plan);
        }
        read(store, |tx| self.plan(tx, false))?.ok_or_else(|| lost_revision().into())
    }

    /// The plan; `None` if `briefly` and there is more to read than that.
    fn plan(&self, tx: &dyn Read, briefly: bool) -> Result<Option<Plan>, Failure> {
        let Self { caller, room, number, seen, .. } = self;
        let (number, seen) = (*number, *seen);
        let found = tx.proposal_with_open(room.key, number)?;
        let actor = match &self.known {
            Some(actor) if found.is_some() => actor.clone(),
            // There will be no transaction to ask in.
            _ => acting(tx, room.key, caller, Action::Decide)?,
        };
        let (proposal, row) = found.ok_or_else(|| no_proposal(number))?;
        // A store that takes no writes can still replay, but a fresh receipt names the system user.
        let os_user = match (&self.os_user, &row) {
            (Ok(id), _) => *id,
            (Err(error), Some(_)) => return Err(error.again().into()),
            (Err(_), None) => None,
        };
        let waiting = match row {
            None => None,
            Some(row) => {
                if briefly && row.documents > AT_ONCE_CHANGES {
                    return Ok(None);
                }
                let OpenFacts { revision, digest, .. } = row.open;
                let changes = tx.changes(room.key, proposal.id, revision)?;
                let changes: Vec<NetChange> = changes.into_iter().map(|c| c.change).collect();
                let bytes = changes.iter().filter_map(|c| c.after.as_ref()).map(|v| v.bytes).sum::<u64>();
                if briefly && bytes > AT_ONCE_BYTES {
                    return Ok(None);
                }
                let effect_keys = tx.effect_keys(room.key, proposal.id, revision)?;
                let open = row.open;
                let whole = Revision {
                    room: room.id,
                    proposal: proposal.id,
                    revision,
                    title: row.title,
                    why: row.why,
                    author: row.author,
                    valid_until: open.valid_until,
                    effect_keys,
                    changes,
                };
                unchanged(tx, room, &whole, &digest)?;
                let Revision { effect_keys, changes, .. } = whole;
                let common = Common {
                    room: room.id,
                    proposal_id: proposal.id,
                    proposal: number,
                    revision,
                    digest,
                    actor: actor.id,
                    door: caller.door,
                    os_user,
                    reason: None,
                };
                let correlation = proposal.correlation.as_deref();
                let draft = Draft::applied(&common, &changes, &effect_keys, correlation, None, seen);
                Some(Waiting { open, effect_keys, changes, draft })
            }
        };
        let (room, id, caller) = (room.key, proposal.id, caller.clone());
        Ok(Some(Plan { room, number, id, seen, actor, caller, os_user, receipt: None, waiting }))
    }
}

/// What would be applied is still what was proposed: rows that have changed below Sekali since then
/// must not become current under a digest that somebody saw (P3).
fn unchanged(tx: &dyn Read, room: &RoomRow, whole: &Revision, digest: &Digest) -> Result<(), StoreError> {
    if whole.digest() != *digest {
        return Err(StoreError::damaged("The proposal is not what it was when it was submitted."));
    }
    for (ordinal, change) in (0u32..).zip(&whole.changes) {
        let Some(after) = &change.after else { continue };
        let content = tx.content(room.key, whole.proposal, whole.revision, ordinal)?.ok_or_else(|| {
            StoreError::damaged(format!("The content that was proposed for {} is not there.", change.path))
        })?;
        sound(content, after, &change.path)?;
    }
    Ok(())
}

/// The one transaction. It may run again, so it touches nothing outside `tx`.
fn apply_once(tx: &mut dyn Write, plan: &Plan) -> Result<(Verdict, Pressed), StoreError> {
    fault::point("apply.begin");
    let now = tx.now(plan.room)?;
    if let Err(refusal) = may_apply(&*tx, plan)? {
        return undo(refusal);
    }
    fault::point("apply.may");
    let Some(seq) = tx.claim(plan.room, &plan.claim(now.at))? else {
        return replay(tx, plan, now.at);
    };
    fault::point("apply.claimed");
    let Some(waiting) = take_open(tx, plan)? else {
        return not_open(&*tx, plan);
    };
    if let Err(refusal) = decide::still_valid(plan.number, &waiting.open, now) {
        return undo(refusal);
    }
    fault::point("apply.opened");
    for effect in &waiting.effect_keys {
        if let Some(winner) = tx.claim_effect(plan.room, effect, plan.id)? {
            return effect_done(&*tx, plan, waiting, effect, winner);
        }
    }
    fault::point("apply.effects");
    let Some(before) = write_documents(tx, plan, waiting, seq)? else {
        return undo(stale(&*tx, plan, waiting)?);
    };
    fault::point("apply.changed");
    let entry = tx.append(plan.room, &waiting.draft, now.at, &before)?;
    fault::point("apply.appended");
    Ok((
        Verdict::Keep,
        Pressed::Outcome(Outcome::Applied(decide::won(plan.facts(waiting, seq, now.at, entry.leaf)))),
    ))
}

impl Plan {
    /// The fence with its receipt. Where nothing waited there is no receipt to write: such a claim is
    /// lost, or rolled back.
    fn claim(&self, at: Timestamp) -> ClaimRow {
        let (revision, digest) = self
            .waiting
            .as_ref()
            .map_or((0, Digest::from_bytes([0; 32])), |w| (w.open.revision, w.open.digest));
        ClaimRow {
            proposal: self.id,
            revision,
            digest,
            actor: self.actor.id,
            door: self.caller.door,
            os_user: self.os_user,
            seen: self.seen.as_str(),
            at,
        }
    }

    fn facts(&self, waiting: &Waiting, seq: u64, at: Timestamp, leaf: LeafHash) -> AppliedFacts {
        AppliedFacts {
            id: self.id,
            number: self.number,
            seq,
            revision: waiting.open.revision,
            digest: waiting.open.digest,
            at,
            by: self.actor.id,
            by_name: self.actor.name.clone(),
            door: self.caller.door,
            os_user: self.caller.os_user.clone(),
            seen: self.seen.as_str().to_owned(),
            leaf,
        }
    }

    fn note(&self, layer: Layer, key: Vec<u8>, proposal: ProposalId, other_content: bool) -> RepeatNote {
        RepeatNote {
            layer,
            source: [0; 16],
            key,
            proposal,
            at: Timestamp::from_ms(0),
            actor: self.actor.id,
            door: self.caller.door,
            os_user: self.os_user,
            fingerprint: match self.seen {
                Seen::Digest(digest) => Some(*digest.as_bytes()),
                Seen::Nothing => None,
            },
            other_content,
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is the tail of the write job")]
fn undo(refusal: Refusal) -> Result<(Verdict, Pressed), StoreError> {
    Ok((Verdict::Undo, Pressed::Outcome(Outcome::Refused(refusal))))
}

/// The role as it is now, not as it was when the plan was made.
fn may_apply(tx: &dyn Read, plan: &Plan) -> Result<Result<(), Refusal>, StoreError> {
    let Some(actor) = tx.actor(plan.room, plan.actor.id)? else {
        return Ok(Err(unknown(&plan.caller)));
    };
    Ok(role::may(actor.kind, actor.role, Action::Decide, false))
}

/// The claim was lost: the first receipt, and evidence of this press in the same transaction.
fn replay(tx: &mut dyn Write, plan: &Plan, at: Timestamp) -> Result<(Verdict, Pressed), StoreError> {
    let winner = match &plan.receipt {
        Some(known) => known.clone(),
        None => tx
            .receipt(plan.room, plan.id)?
            .ok_or_else(|| StoreError::damaged("A proposal is claimed, but its receipt cannot be read."))?,
    };
    let answer = decide::lost(winner, plan.seen);
    let note = plan.note(Layer::Apply, plan.id.as_bytes().to_vec(), plan.id, answer.is_err());
    let count = tx.note_repeat(plan.room, &RepeatNote { at, ..note })?;
    let outcome = match answer {
        Ok(receipt) => Outcome::Replayed(receipt, Evidence::Kept(count)),
        Err(refusal) => Outcome::Refused(refusal),
    };
    Ok((Verdict::Keep, Pressed::Outcome(outcome)))
}

/// Takes the open row if it is the revision that was planned, and the one that was seen.
fn take_open<'p>(tx: &mut dyn Write, plan: &'p Plan) -> Result<Option<&'p Waiting>, StoreError> {
    let Some(waiting) = &plan.waiting else { return Ok(None) };
    if matches!(plan.seen, Seen::Digest(seen) if seen != waiting.open.digest) {
        return Ok(None);
    }
    Ok(tx.take_open(plan.room, plan.id, &waiting.open.digest)?.then_some(waiting))
}

/// The claim was won, but the open row is another or gone.
fn not_open(tx: &dyn Read, plan: &Plan) -> Result<(Verdict, Pressed), StoreError> {
    let standing = tx.standing(plan.room, plan.id)?.ok_or_else(lost_revision)?;
    if let Standing::Open(open) = &standing {
        let planned = plan.waiting.as_ref().is_some_and(|w| w.open.digest == open.digest);
        let seen = match plan.seen {
            Seen::Digest(seen) => seen == open.digest,
            Seen::Nothing => true,
        };
        if seen && !planned {
            return Ok((Verdict::Undo, Pressed::PlanAgain));
        }
    }
    undo(decide::not_taken(plan.number, &standing))
}

fn effect_done(
    tx: &dyn Read,
    plan: &Plan,
    waiting: &Waiting,
    effect: &EffectKey,
    winner: sekali_store::EffectWinner,
) -> Result<(Verdict, Pressed), StoreError> {
    let mine = tx.revision(plan.room, plan.id, waiting.open.revision)?.ok_or_else(lost_revision)?;
    let theirs = match tx.standing(plan.room, winner.proposal)? {
        Some(Standing::Applied(applied)) => tx.revision(plan.room, winner.proposal, applied.revision)?,
        _ => None,
    };
    let same = theirs.is_some_and(|row| row.content_fingerprint == mine.content_fingerprint);
    let refusal = decide::already_done(plan.number, &effect.key, winner.number, same);
    let note = plan.note(Layer::Effect, effect.key.as_bytes().to_vec(), winner.proposal, !same);
    Ok((Verdict::Undo, Pressed::EffectDone(refusal, plan.room, note)))
}
