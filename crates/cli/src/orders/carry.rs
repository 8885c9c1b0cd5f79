//! `rebase`, `revert` and `split`, and how a conflict looks.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;

use sekali_api::types::{ProposalDetail, Proposed, Split as SplitAnswer};
use sekali_core::change::SubmittedBase;
use sekali_core::conflict::{Choice, Conflict, ConflictKind, Region};
use sekali_core::merge::Side;
use sekali_core::{Code, Digest, DocPath, Lang, limit, text};
use sekali_engine::Failure;
use sekali_engine::like;
use sekali_engine::revert::Revert;
use sekali_engine::split::{Split, Taken};

use super::propose::said;
use crate::args::side_word;
use crate::failure::Failed;
use crate::session::{InRoom, Session};
use crate::show::{self, BAD, BOLD, DIM, GOOD, Out, clean, clean_line, shell_word, styled};
use crate::text::say;

pub(super) fn rebase(
    session: &Session,
    number: u64,
    digest: Option<Digest>,
    take: &[(String, Vec<Side>)],
) -> Result<(), Failed> {
    let mut choices = Vec::with_capacity(take.len());
    for (path, sides) in take {
        choices.push(Choice {
            path: DocPath::parse("take", path)?,
            from: None,
            now: None,
            sides: sides.clone(),
        });
    }
    let at = session.enter()?;
    let rebased = at.engine.rebase(&at.caller, &at.room, number, digest, &choices).map_err(|failure| {
        let failed = match like_taken(session, &at, number, &failure) {
            Some(hint) => Failed::from(failure).hinted(hint),
            None => in_conflict(session, failure, Meant::Rebase(number, take)),
        };
        in_flags(session, failed, take)
    })?;
    let rebased = Proposed::from(rebased);
    if session.json {
        return Ok(show::json(&rebased)?);
    }
    let (lang, n) = (session.lang, number.to_string());
    if !rebased.created {
        show::line(say::REBASED_NOT.fill(lang, &[("n", &n)]))?;
        if !take.is_empty() {
            show::line(say::REBASED_NOT_TAKEN.pick(lang))?;
        }
        return Ok(());
    }
    let title = title_of(&at, number)?;
    let values = [("n", &*n), ("revision", &rebased.revision.to_string()), ("title", &clean(&title))];
    said(session, &rebased, &say::REBASED.fill(lang, &values))
}

pub(super) fn revert(
    session: &Session,
    numbers: &[u64],
    title: Option<&str>,
    why: Option<&str>,
    key: Option<&str>,
) -> Result<(), Failed> {
    let at = session.enter()?;
    // Said twice, it is taken back once.
    let mut once = BTreeSet::new();
    let numbers: Vec<u64> = numbers.iter().copied().filter(|number| once.insert(*number)).collect();
    let numbers = numbers.as_slice();
    let untitled = revert_title(session, &at, numbers)?;
    let asked = Revert {
        numbers: numbers.to_vec(),
        title: title.map(str::to_owned),
        untitled: Some(untitled.clone()),
        why: why.map(str::to_owned),
        key: key.map(str::to_owned),
    };
    let proposed = at
        .engine
        .revert(&at.caller, &at.room, &asked)
        .map_err(|failure| in_conflict(session, failure, Meant::Revert(numbers)))?;
    let proposed = Proposed::from(proposed);
    if session.json {
        return Ok(show::json(&proposed)?);
    }
    let (lang, n) = (session.lang, proposed.proposal.to_string());
    let first = if proposed.replayed {
        let values = [("n", n.as_str()), ("state", show::state(proposed.state, lang))];
        say::PROPOSED_REPLAY.fill(lang, &values)
    } else {
        let title = title.unwrap_or(&untitled);
        say::PROPOSED.fill(lang, &[("n", &n), ("title", &clean(title))])
    };
    said(session, &proposed, &first)
}

/// The title in the language of whoever asks.
fn revert_title(session: &Session, at: &InRoom, numbers: &[u64]) -> Result<String, Failed> {
    let lang = session.lang;
    let whole = match numbers {
        [number] => {
            let values = [("n", number.to_string()), ("title", title_of(at, *number)?)];
            say::REVERT_TITLE.fill(lang, &[("n", &values[0].1), ("title", &values[1].1)])
        }
        _ => say::REVERT_TITLE_MANY.fill(lang, &[("proposals", &show::proposals(numbers))]),
    };
    Ok(text::cut(&whole, limit::TITLE_CHARS))
}

fn title_of(at: &InRoom, number: u64) -> Result<String, Failed> {
    Ok(at.engine.view(&at.caller, &at.room, number)?.current.title)
}

pub(super) fn split(
    session: &Session,
    number: u64,
    digest: Option<Digest>,
    take: &[(String, Option<u32>)],
    title: Option<&str>,
) -> Result<(), Failed> {
    let mut taken = Vec::with_capacity(take.len());
    for (path, hunk) in take {
        let path = DocPath::parse("take", path)?;
        taken.push(Taken { path, hunks: hunk.map(|hunk| vec![hunk]) });
    }
    let at = session.enter()?;
    let lang = session.lang;
    let title = if let Some(title) = title {
        title.to_owned()
    } else {
        let whole = title_of(&at, number)?;
        let added = say::REST_TITLE.pick(lang).chars().count();
        let whole = text::cut(&whole, limit::TITLE_CHARS - added);
        say::REST_TITLE.fill(lang, &[("title", &whole)])
    };
    let asked = Split { seen: digest, take: taken, title: Some(title) };
    let parts = at.engine.split(&at.caller, &at.room, number, &asked).map_err(|failure| {
        let failed = match like_taken(session, &at, number, &failure) {
            Some(hint) => Failed::from(failure).hinted(hint),
            None => failure.into(),
        };
        in_flags(session, failed, take)
    })?;
    let parts = SplitAnswer::from(parts);
    if session.json {
        return Ok(show::json(&parts)?);
    }
    let (n, rest) = (number.to_string(), parts.rest.proposal.to_string());
    let mut out = Out::new();
    let values = [("n", &*n), ("revision", &parts.taken.revision.to_string()), ("rest", &rest)];
    out.line(say::SPLIT_DONE.fill(lang, &values))?;
    if parts.rest.stale && !parts.taken.stale {
        out.line(say::SPLIT_WAITS.fill(lang, &[("n", &n), ("rest", &rest)]))?;
    }
    out.line(say::PROPOSED_NEXT.fill(lang, &[("n", &n)]))?;
    Ok(out.finish()?)
}

/// People wrote `--take`, and no list.
fn in_flags<T>(session: &Session, failed: Failed, take: &[(String, T)]) -> Failed {
    if session.json {
        return failed;
    }
    let flags: Vec<String> = take.iter().map(|(path, _)| format!("--take {path}")).collect();
    failed.in_flags("take", &flags, session.lang)
}

/// Where `--take` names what the proposal does not change: the document of it that was probably meant.
fn like_taken(session: &Session, at: &InRoom, number: u64, failure: &Failure) -> Option<String> {
    let Failure::Refused(refusal) = failure else { return None };
    let field = refusal.facts.field.as_deref()?;
    let typed = refusal.facts.value.as_deref()?;
    let of_take = field.starts_with("take[") && field.rsplit('.').next() == Some("path");
    if refusal.code != Code::ProposalInvalid || !of_take {
        return None;
    }
    let detail = ProposalDetail::from(at.engine.view(&at.caller, &at.room, number).ok()?);
    let changes = detail.changes.iter();
    let paths = changes.flat_map(|change| change.from.iter().chain([&change.path])).map(String::as_str);
    let paths: Vec<&str> = paths.collect();
    let command = session.line(&format!("show {number}"));
    let values = [("path", like::path(typed, &paths)?), ("command", command.as_str())];
    Some(say::HINT_PATH_LIKE.fill(session.lang, &values))
}

/// What came into conflict.
#[derive(Clone, Copy)]
enum Meant<'a> {
    Rebase(u64, &'a [(String, Vec<Side>)]),
    Revert(&'a [u64]),
}

/// Shows the conflicts of a refusal that has them, and how they are decided.
fn in_conflict(session: &Session, failure: Failure, meant: Meant<'_>) -> Failed {
    let (conflicts, later) = match &failure {
        Failure::Refused(refusal) if !refusal.facts.conflicts.is_empty() => {
            (refusal.facts.conflicts.clone(), refusal.facts.later.clone())
        }
        _ => return failure.into(),
    };
    let lang = session.lang;
    if !session.json {
        // What cannot be shown changes nothing about the refusal.
        let number = match meant {
            Meant::Rebase(number, _) => Some(number),
            Meant::Revert(_) => None,
        };
        let _ = print(session, &conflicts, number);
    }
    let hint = match meant {
        Meant::Rebase(number, taken) => {
            let mut command = format!("rebase {number}");
            // What is decided already has to be said again.
            let asked = |path: &str| {
                let mut named = conflicts.iter().flat_map(|one| one.from.iter().chain([&one.path]));
                named.any(|one| DocPath::parse("take", path).is_ok_and(|path| path.key() == one.key()))
            };
            for (path, sides) in taken.iter().filter(|(path, _)| !asked(path)) {
                let sides: Vec<&str> = sides.iter().map(|side| side_word(*side)).collect();
                let _ = write!(command, " --take {}={}", shell_word(path), sides.join(","));
            }
            for conflict in &conflicts {
                // There is no room for it, whatever is chosen.
                let side = match conflict.kind {
                    ConflictKind::Occupied => "now",
                    _ => say::SIDE.pick(lang),
                };
                let sides = vec![side; conflict.regions.len().max(1)].join(",");
                // Of two that come to one path, the one that moves is named by where it was.
                let twins = conflicts.iter().filter(|one| one.path == conflict.path).count();
                let name = conflict.from.as_ref().filter(|_| twins > 1).unwrap_or(&conflict.path);
                let _ = write!(command, " --take {}={sides}", shell_word(name.as_str()));
            }
            say::HINT_TAKE.fill(lang, &[("command", &session.line(&command))])
        }
        Meant::Revert(numbers) => {
            let all: BTreeSet<u64> = later.into_iter().chain(numbers.iter().copied()).collect();
            if all.len() == numbers.iter().collect::<BTreeSet<_>>().len() {
                let by_hand = say::HINT_REVERT_BY_HAND.pick(lang).to_owned();
                return Failed::from(failure).hinted(by_hand);
            }
            let all: Vec<String> = all.iter().rev().map(ToString::to_string).collect();
            let command = session.line(&format!("revert {}", all.join(" ")));
            say::HINT_REVERT_LATER.fill(lang, &[("command", &command)])
        }
    };
    Failed::from(failure).hinted(hint)
}

fn print(session: &Session, conflicts: &[Conflict], rebased: Option<u64>) -> io::Result<()> {
    let (mut out, lang) = (Out::new(), session.lang);
    for conflict in conflicts {
        let what = lang.pick(&conflict.detail, &conflict.said);
        out.line(styled(BOLD, clean(what)))?;
        if let Some(moved) = &conflict.moved_to {
            let said = say::CONFLICT_MOVED.fill(lang, &[("path", moved.as_str())]);
            out.line(format_args!("  {}", styled(DIM, clean_line(&said))))?;
        }
        if let Some(by) = &conflict.by {
            let n = by.proposal.to_string();
            out.line(format_args!("  {}", styled(DIM, say::CONFLICT_BY.fill(lang, &[("n", &n)]))))?;
        }
        // Of a whole document no side is shown here.
        if let Some(number) = rebased
            && matches!(conflict.kind, ConflictKind::Created | ConflictKind::Deleted)
        {
            let mut look = vec![session.line(&format!("show {number} --diff"))];
            let there = conflict.moved_to.as_ref().unwrap_or(&conflict.path);
            if conflict.now != SubmittedBase::Absent {
                look.push(session.line(&format!("doc cat {}", shell_word(there.as_str()))));
            }
            let said = say::CONFLICT_LOOK.fill(lang, &[("command", &look.join("; "))]);
            out.line(format_args!("  {}", styled(DIM, said)))?;
        }
        for (k, region) in (1..).zip(&conflict.regions) {
            print_region(&mut out, k, region, lang)?;
        }
        for place in &conflict.places {
            let pointer = match place.pointer.as_str() {
                "" => say::CONFLICT_WHOLE.pick(lang),
                pointer => pointer,
            };
            out.line(format_args!("  {}", clean(pointer)))?;
            for (name, value, style) in [
                (say::CONFLICT_BASE, &place.base, DIM),
                (say::CONFLICT_NOW, &place.now, BAD),
                (say::CONFLICT_AFTER, &place.after, GOOD),
            ] {
                let value = value.as_deref().unwrap_or(say::CONFLICT_NOTHING.pick(lang));
                let line = format!("{}: {}", name.pick(lang), clean_line(value));
                out.line(format_args!("    {}", styled(style, line)))?;
            }
        }
        out.line("")?;
    }
    out.finish()
}

fn print_region(out: &mut Out, k: usize, region: &Region, lang: Lang) -> io::Result<()> {
    let values = [("k", k.to_string()), ("line", region.now.start.to_string())];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    out.line(format_args!("  {}", say::CONFLICT_AT.fill(lang, &values)))?;
    for line in &region.above {
        out.line(format_args!("      {}", styled(DIM, clean_line(line))))?;
    }
    for (name, part, style) in [
        (say::CONFLICT_BASE, &region.base, DIM),
        (say::CONFLICT_NOW, &region.now, BAD),
        (say::CONFLICT_AFTER, &region.after, GOOD),
    ] {
        out.line(format_args!("    {}:", styled(BOLD, name.pick(lang))))?;
        if part.text.is_empty() {
            out.line(format_args!("      {}", styled(DIM, say::CONFLICT_NOTHING.pick(lang))))?;
        }
        for line in part.text.lines() {
            out.line(format_args!("      {}", styled(style, clean_line(line))))?;
        }
        if part.cut {
            out.line(format_args!("      {}", styled(DIM, say::CONFLICT_CUT.pick(lang))))?;
        }
    }
    for line in &region.below {
        out.line(format_args!("      {}", styled(DIM, clean_line(line))))?;
    }
    Ok(())
}
