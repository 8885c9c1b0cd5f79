//! `apply`, `wait`, `reject`, `reopen`, `withdraw`.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use sekali_api::types::{ApplyAnswer, ApplyOutcome, EvidenceKept, ProposalDetail, Room};
use sekali_core::{Digest, Seen, State, role};

use super::{proposal, talk};
use crate::failure::Failed;
use crate::session::{InRoom, Session};
use crate::show::{self, BOLD, GOOD, Out, clean, styled};
use crate::text::{Text, say};

/// A proposal that was not decided in time, or was not applied.
const STILL_WAITING: u8 = 3;
const NOT_APPLIED: u8 = 1;

/// How long one look for news lasts at most: an expiry is no news that a store would tell.
const LOOK: Duration = Duration::from_secs(5);

pub(super) fn apply(session: &Session, number: u64, seen: Option<Seen>) -> Result<u8, Failed> {
    let at = session.enter()?;
    let seen = match seen {
        Some(seen) => Some(seen),
        None => ask(session, &at, number)?.map(Seen::Digest),
    };
    let Some(seen) = seen else {
        show::line(say::NOT_APPLIED.pick(session.lang))?;
        return Ok(NOT_APPLIED);
    };
    let answer = ApplyAnswer::of(at.engine.apply(&at.caller, &at.room, number, seen)?)?;
    if session.json {
        show::json(&answer)?;
    } else {
        said(session, &answer)?;
    }
    Ok(0)
}

/// Shows the proposal and asks; gives the digest that was on screen, or nothing for no.
fn ask(session: &Session, at: &InRoom, number: u64) -> Result<Option<Digest>, Failed> {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !session.json;
    let (detail, diff) = proposal::look(at, number, terminal)?;
    let digest = detail.item.digest;
    if !terminal {
        // Whoever may not is told that, and not how.
        if !may_decide(at)? {
            return Ok(Some(digest));
        }
        let values = [("n", number.to_string()), ("digest", digest.to_string())];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        return Err(Failed::usage(say::USE_BLIND, &[("n", &number.to_string())])
            .hinted(say::HINT_APPLY_BLIND.fill(session.lang, &values)));
    }
    if !proposal::can_be_applied(&detail) || !may_decide(at)? {
        // Nothing can change: Apply says so better than a question would.
        return Ok(Some(digest));
    }
    let mut out = Out::new();
    proposal::print(&mut out, &detail, session.lang)?;
    talk::print(&mut out, session, &detail, &talk::last(at, &detail)?)?;
    if let Some(diff) = &diff {
        proposal::print_diff(&mut out, diff, session.lang)?;
    }
    out.line("")?;
    write!(out, "{}", styled(BOLD, say::ASK.fill(session.lang, &[("n", &number.to_string())])))?;
    out.finish()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    let yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "ya");
    Ok(yes.then_some(digest))
}

/// Whoever may not is not asked first.
fn may_decide(at: &InRoom) -> Result<bool, Failed> {
    let room = Room::of(at.engine.view_room(&at.caller, &at.room)?, &at.caller);
    Ok(role::may(room.you.kind, room.you.role, role::Action::Decide, false).is_ok())
}

fn said(session: &Session, answer: &ApplyAnswer) -> io::Result<()> {
    let lang = session.lang;
    let (seq, at) = (answer.seq.to_string(), show::when(answer.applied_at, lang));
    let mut out = Out::new();
    match answer.outcome {
        ApplyOutcome::Applied => {
            let values = [("n", &*answer.proposal.to_string()), ("seq", &seq), ("at", &at)];
            out.line(styled(GOOD, say::APPLIED.fill(lang, &values)))?;
        }
        ApplyOutcome::Replayed => {
            out.line(say::REPLAYED.fill(lang, &[("name", &clean(&answer.applied_by)), ("at", &at)]))?;
            let presses = show::number(answer.attempts, lang);
            out.line(say::REPLAYED_COUNT.fill(lang, &[("seq", &seq), ("n", &presses)]))?;
            if answer.evidence == EvidenceKept::NotKept {
                out.line(say::NOT_KEPT.pick(lang))?;
            }
        }
    }
    out.finish()
}

pub(super) fn reject(
    session: &Session,
    number: u64,
    digest: Option<Digest>,
    reason: &str,
) -> Result<(), Failed> {
    let at = session.enter()?;
    at.engine.reject(&at.caller, &at.room, number, digest, reason)?;
    decided(session, &at, number, say::REJECTED_DONE)
}

pub(super) fn reopen(session: &Session, number: u64, reason: Option<&str>) -> Result<(), Failed> {
    let at = session.enter()?;
    at.engine.reopen(&at.caller, &at.room, number, reason)?;
    decided(session, &at, number, say::REOPENED_DONE)
}

pub(super) fn withdraw(session: &Session, number: u64, reason: Option<&str>) -> Result<(), Failed> {
    let at = session.enter()?;
    at.engine.withdraw(&at.caller, &at.room, number, reason)?;
    decided(session, &at, number, say::WITHDRAWN_DONE)
}

/// Says what was decided: from here on it is done, whatever fails.
fn decided(session: &Session, at: &InRoom, number: u64, sentence: Text) -> Result<(), Failed> {
    if session.json {
        let (detail, _) = proposal::look(at, number, false)
            .map_err(|failed| failed.done_unseen(session.lang, &format!("sekali show {number}")))?;
        return Ok(show::json(&detail)?);
    }
    Ok(show::line(sentence.fill(session.lang, &[("n", &number.to_string())]))?)
}

pub(super) fn wait(session: &Session, number: u64, timeout: Option<Duration>) -> Result<u8, Failed> {
    let at = session.enter()?;
    let began = Instant::now();
    loop {
        // The change sequence first: what comes between it and the look is seen by the next look.
        let seen = at.engine.view_room(&at.caller, &at.room)?.head.change_seq;
        let (detail, _) = proposal::look(&at, number, false)?;
        let left = timeout.map(|timeout| timeout.saturating_sub(began.elapsed()));
        if detail.item.state != State::Waiting || left.is_some_and(|left| left.is_zero()) {
            return waited(session, &detail);
        }
        let now = at.engine.wall()?.ms();
        let until_expiry = detail
            .valid_until
            .map(|end| Duration::from_millis(u64::try_from(end.ms() - now).unwrap_or(0) + 20));
        let pause = [Some(LOOK), left, until_expiry].into_iter().flatten().min().unwrap_or(LOOK);
        at.engine.wait_for_change(&at.caller, &at.room, seen, pause)?;
    }
}

fn waited(session: &Session, detail: &ProposalDetail) -> Result<u8, Failed> {
    let (number, state) = (detail.item.proposal.to_string(), detail.item.state);
    if session.json {
        show::json(detail)?;
    } else if state == State::Waiting {
        show::line(say::WAIT_STILL.fill(session.lang, &[("n", &number)]))?;
    } else {
        let values = [("n", number.as_str()), ("state", show::state(state, session.lang))];
        show::line(say::WAIT_DECIDED.fill(session.lang, &values))?;
    }
    Ok(match state {
        State::Applied => 0,
        State::Rejected | State::Withdrawn | State::Expired => NOT_APPLIED,
        State::Waiting => STILL_WAITING,
    })
}
