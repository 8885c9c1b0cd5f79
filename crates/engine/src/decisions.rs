//! Decisions other than Apply: reject, reopen, withdraw. Each takes the same row as Apply does, by
//! compare-and-swap on its digest, so two of them never both win.

use sekali_core::decide::{self, OpenFacts, Standing};
use sekali_core::hash::Digest;
use sekali_core::ledger::{Common, Decision, Draft};
use sekali_core::role::{self, Action, State};
use sekali_core::{Code, Refusal, limit, text};
use sekali_store::{CloseRow, ProposalRow, Read, RoomKey, RoomRow, Write, read, write};

use crate::submit::lost_revision;
use crate::{Answer, Caller, Engine, Failure, keep, no_proposal, refuse, unknown};

/// A decision with everything that is known before its transaction.
struct Plan {
    room: RoomRow,
    caller: Caller,
    proposal: ProposalRow,
    revision: u32,
    digest: Digest,
    decision: Decision,
    reason: Option<String>,
    draft: Draft,
    actor: sekali_core::ActorId,
}

impl Engine {
    /// Rejects a waiting proposal. `seen` is the digest that was on screen, where there was one.
    ///
    /// # Errors
    /// `proposal.changed` where it has another digest, `…already_applied`, `…rejected`,
    /// `…withdrawn`, `actor.denied`, `limit.exceeded`; and what the store fails with.
    pub fn reject(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        seen: Option<Digest>,
        reason: &str,
    ) -> Result<(), Failure> {
        if reason.trim().is_empty() {
            return Err(Refusal::field(
                Code::ProposalInvalid,
                "reason",
                "reason: say why, so that its author knows what to change.",
            )
            .said("reason: sebutkan alasannya, agar pengusul tahu apa yang perlu diubah.")
            .into());
        }
        self.decide(caller, room, number, Decision::Rejected, seen, Some(reason))
    }

    /// Opens a rejected proposal again.
    ///
    /// # Errors
    /// `proposal.not_rejected`, `actor.denied`, and as [`Engine::reject`].
    pub fn reopen(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        reason: Option<&str>,
    ) -> Result<(), Failure> {
        self.decide(caller, room, number, Decision::Reopened, None, reason)
    }

    /// Takes a waiting proposal back: its author, or a maintainer.
    ///
    /// # Errors
    /// As [`Engine::reject`].
    pub fn withdraw(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        reason: Option<&str>,
    ) -> Result<(), Failure> {
        self.decide(caller, room, number, Decision::Withdrawn, None, reason)
    }

    fn decide(
        &self,
        caller: &Caller,
        room: &str,
        number: u64,
        decision: Decision,
        seen: Option<Digest>,
        reason: Option<&str>,
    ) -> Result<(), Failure> {
        if let Some(reason) = reason {
            text::prose("reason", reason, limit::REASON_BYTES)?;
        }
        let room = self.room(room)?;
        let room_key = room.key;
        let may =
            move |tx: &dyn Read, caller: &Caller| decider(tx, room_key, caller, number, decision).map(drop);
        let os_user = self.os_user(room.key, caller, may)?;
        let plan = read(self.store(), |tx| {
            let (actor, proposal) = decider(tx, room.key, caller, number, decision)?;
            let standing = tx.standing(room.key, proposal.id)?.ok_or_else(lost_revision)?;
            let (revision, digest) = match (&standing, decision) {
                (Standing::Closed(closed), Decision::Reopened) if closed.state == State::Rejected => {
                    (closed.revision, closed.digest)
                }
                (_, Decision::Reopened) => {
                    return Err(not_rejected(number, &standing, tx.now(room.key)?).into());
                }
                (Standing::Open(open), _) => (open.revision, open.digest),
                _ => return Err(decide::not_taken(number, &standing).into()),
            };
            // The entry names what was planned; what was seen must be the same.
            if seen.is_some_and(|seen| seen != digest) {
                return Err(decide::not_taken(number, &standing).into());
            }
            let common = Common {
                room: room.id,
                proposal_id: proposal.id,
                proposal: number,
                revision,
                digest,
                actor,
                door: caller.door,
                os_user,
                reason: reason.map(str::to_owned),
            };
            Ok::<_, Failure>(Plan {
                room: room.clone(),
                caller: caller.clone(),
                proposal,
                revision,
                digest,
                decision,
                reason: reason.map(str::to_owned),
                draft: Draft::decided(&common, decision),
                actor,
            })
        })?;
        Ok(write(self.store(), move |tx| decide_once(tx, &plan))??)
    }
}

/// The caller, who may decide, and the proposal.
fn decider(
    tx: &dyn Read,
    room: RoomKey,
    caller: &Caller,
    number: u64,
    decision: Decision,
) -> Result<(sekali_core::ActorId, ProposalRow), Failure> {
    let proposal = tx.proposal(room, number)?;
    let actor = may(tx, room, caller, proposal.as_ref(), decision)?;
    Ok((actor, proposal.ok_or_else(|| no_proposal(number))?))
}

fn may(
    tx: &dyn Read,
    room: RoomKey,
    caller: &Caller,
    proposal: Option<&ProposalRow>,
    decision: Decision,
) -> Result<sekali_core::ActorId, Failure> {
    let actor = tx.actor_named(room, caller.name.kind, &caller.name.name)?.ok_or_else(|| unknown(caller))?;
    let action = if decision == Decision::Withdrawn { Action::Withdraw } else { Action::Decide };
    let author = proposal.is_some_and(|p| p.author == actor.id);
    role::may(actor.kind, actor.role, action, author)?;
    Ok(actor.id)
}

fn decide_once(tx: &mut dyn Write, plan: &Plan) -> Answer<()> {
    let (room, id, number) = (plan.room.key, plan.proposal.id, plan.proposal.number);
    let now = tx.now(room)?;
    if let Err(failure) = may(&*tx, room, &plan.caller, Some(&plan.proposal), plan.decision) {
        return crate::rooms::refused(failure);
    }
    if plan.decision == Decision::Reopened {
        let Some(closed) = tx.take_rejected(room, id, &plan.digest)? else {
            let standing = tx.standing(room, id)?.ok_or_else(lost_revision)?;
            return refuse(match &standing {
                Standing::Closed(closed) if closed.state == State::Rejected => {
                    decide::rejected_other(number, closed)
                }
                _ => not_rejected(number, &standing, now),
            });
        };
        let revision = tx.revision(room, id, closed.revision)?.ok_or_else(lost_revision)?;
        let open =
            OpenFacts { revision: closed.revision, digest: closed.digest, valid_until: revision.valid_until };
        tx.open(room, id, &open)?;
        tx.append(room, &plan.draft, now.at, &[])?;
        return keep(());
    }
    if !tx.take_open(room, id, &plan.digest)? {
        let standing = tx.standing(room, id)?.ok_or_else(lost_revision)?;
        return refuse(decide::not_taken(number, &standing));
    }
    let entry = tx.append(room, &plan.draft, now.at, &[])?;
    let state = if plan.decision == Decision::Withdrawn { State::Withdrawn } else { State::Rejected };
    let row = CloseRow {
        state,
        revision: plan.revision,
        digest: plan.digest,
        at: now.at,
        actor: plan.actor,
        reason: plan.reason.clone(),
        seq: entry.seq,
    };
    tx.close(room, id, &row)?;
    keep(())
}

fn not_rejected(number: u64, standing: &Standing, now: sekali_core::time::Now) -> Refusal {
    let state = standing.state(now);
    let word = match state {
        State::Waiting => "menunggu",
        State::Applied => "diterapkan",
        State::Rejected => "ditolak",
        State::Withdrawn => "ditarik",
        State::Expired => "lewat batas waktu",
    };
    Refusal::new(Code::ProposalNotRejected, format!("#{number} is {state}, not rejected."))
        .said(format!("Status #{number}: {word}, bukan ditolak."))
        .with(|f| {
            f.proposal = Some(number);
            f.state = Some(state);
        })
}
