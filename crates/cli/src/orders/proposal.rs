//! `list` and `show`, and how a proposal and its difference look.

mod diff;

use std::io::{self, Write as _};

use anstyle::Style;
use sekali_api::cursor;
use sekali_api::types::{
    Change, Check, CheckName, Comment, Diff, Links, ProposalDetail, ProposalItem, ProposalPage, Receipt,
};
use sekali_core::{Lang, Op, State};
use sekali_engine::look::Patch;
use serde::Serialize;

use super::{documents, page, setup, talk};
use crate::args::{self, Page, Which};
use crate::failure::Failed;
use crate::session::{InRoom, Session};
use crate::show::{self, Align, BAD, BOLD, DIM, GOOD, MARK, Out, Table, WARN, clean, clean_line, styled};
use crate::text::{Text, say};

pub(super) use diff::print as print_diff;

/// Repeats that are shown one by one.
const SHOWN_REPEATS: usize = 10;

pub(super) fn list(session: &Session, state: Option<State>, wanted: &Page) -> Result<(), Failed> {
    let lang = session.lang;
    let start = page::start(wanted, cursor::proposal)?;
    let at = session.enter()?;
    let ask = |before, limit| Ok(at.engine.list(&at.caller, &at.room, state, before, limit)?);
    let (rows, next) = page::gather(wanted, start, ask, |row| row.row.id)?;
    let items: Vec<ProposalItem> = rows.into_iter().map(ProposalItem::from).collect();
    let next = next.map(cursor::after_proposal);
    if session.json {
        return Ok(show::json(&ProposalPage { items, next })?);
    }
    if items.is_empty() {
        return Ok(show::line(say::PROPOSALS_NONE.pick(lang))?);
    }
    let talked = items.iter().any(|item| item.talk.count > 0);
    let mut columns = vec![
        ("#", Align::Right),
        // What tells a stale one from one whose effect was had: never cut.
        (say::STATE.pick(lang), Align::Left),
        (say::WHEN.pick(lang), Align::Left),
        (say::AUTHOR.pick(lang), Align::GiveOrSpare),
        (say::CHANGES.pick(lang), Align::Spare),
        (say::TITLE.pick(lang), Align::Give),
    ];
    if talked {
        columns.insert(5, (say::TALK.pick(lang), Align::GiveOrSpare));
    }
    let mut table = Table::new(&columns);
    for item in &items {
        let (state, style) = standing(item, lang);
        let mut row = vec![
            (item.proposal.to_string(), BOLD),
            (state, style),
            (show::when_in_table(item.created_at, lang), Style::new()),
            (show::actor(&item.author, lang), Style::new()),
            (touches_in_table(item, lang), Style::new()),
            (clean(&item.title).into_owned(), Style::new()),
        ];
        if talked {
            let style = if item.talk.open_asks.is_empty() { Style::new() } else { WARN };
            row.insert(5, (talk::in_table(&item.talk, lang), style));
        }
        table.styled_row(row);
    }
    let mut out = Out::new();
    table.print(&mut out)?;
    let command = state.map_or_else(|| "list".to_owned(), |state| format!("list --state {state}"));
    documents::more(&mut out, session, next.as_deref(), &command)?;
    Ok(out.finish()?)
}

/// The state, and whether Apply would refuse a waiting one: its effect was already had by another
/// proposal, or its base has moved.
fn standing(item: &ProposalItem, lang: Lang) -> (String, Style) {
    let state = show::state(item.state, lang);
    if let Some(number) = item.effect_done_by {
        (format!("{state}, {}", say::EFFECT_DONE.fill(lang, &[("n", &number.to_string())])), WARN)
    } else if item.stale {
        (format!("{state}, {}", say::STALE.pick(lang)), WARN)
    } else {
        (state.to_owned(), show::state_style(item.state))
    }
}

/// As [`touches`]; on a terminal without what goes without saying, that it is one document.
fn touches_in_table(item: &ProposalItem, lang: Lang) -> String {
    if show::columns().is_none() || item.touches.documents != 1 {
        return touches(item, lang);
    }
    lines(item, lang)
}

/// Of binary and very large documents no lines are counted.
fn lines(item: &ProposalItem, lang: Lang) -> String {
    if item.touches.added + item.touches.removed == 0 {
        return "–".to_owned();
    }
    format!("+{} −{}", show::number(item.touches.added, lang), show::number(item.touches.removed, lang))
}

fn touches(item: &ProposalItem, lang: Lang) -> String {
    let documents = show::count(item.touches.documents, say::COUNT_DOCUMENT, say::COUNT_DOCUMENTS, lang);
    if item.touches.added + item.touches.removed == 0 {
        documents
    } else {
        format!("{}, {documents}", lines(item, lang))
    }
}

/// A proposal, with its changed lines where they were asked for.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    detail: &'a ProposalDetail,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a Diff>,
    /// The last comments, oldest first.
    comments: &'a [Comment],
}

pub(super) fn show(session: &Session, which: Which, shown: args::Shown) -> Result<(), Failed> {
    let at = session.enter()?;
    let number = match which {
        Which::Number(number) => number,
        Which::Id(id) => at.engine.number_of(&at.caller, &at.room, id)?,
    };
    if shown == args::Shown::Patch {
        let (_, patch) = at.engine.patch(&at.caller, &at.room, number, None)?;
        // What is to be applied again has nothing in it that is for people.
        for note in as_data(&patch, session.lang) {
            show::remark(note);
        }
        let mut out = io::stdout().lock();
        out.write_all(&patch.bytes)?;
        return Ok(out.flush()?);
    }
    let diff = shown == args::Shown::Diff;
    let (detail, diff) = look(&at, number, diff)?;
    let comments = talk::last(&at, &detail)?;
    if session.json {
        return Ok(show::json(&Shown { detail: &detail, diff: diff.as_ref(), comments: &comments })?);
    }
    let mut out = Out::new();
    print(&mut out, &detail, session.lang)?;
    talk::print(&mut out, session, &detail, &comments)?;
    if let Some(diff) = &diff {
        // A file or a program gets what makes the same again, unless a terminal would obey it.
        let patch = match show::columns() {
            Some(_) => None,
            None => Some(at.engine.patch(&at.caller, &at.room, number, Some(diff.revision))?.1),
        };
        if let Some(patch) = patch.filter(|patch| show::is_clean(&patch.bytes)) {
            out.line("")?;
            for note in as_data(&patch, session.lang) {
                out.line(note)?;
            }
            out.write_all(&patch.bytes)?;
        } else {
            if show::columns().is_none() {
                show::remark(say::ESCAPED.fill(session.lang, &[("n", &number.to_string())]));
            }
            print_diff(&mut out, diff, session.lang)?;
        }
    }
    if can_be_applied(&detail) {
        let values = [("n", number.to_string()), ("digest", detail.item.digest.to_string())];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        out.line("")?;
        out.line(say::TO_APPLY.fill(session.lang, &values))?;
    } else if let Some((text, command)) = next_step(&detail) {
        out.line("")?;
        out.line(text.fill(session.lang, &[("command", &session.line(&command))]))?;
    }
    Ok(out.finish()?)
}

/// Says of what documents a patch shows no lines that people could read.
fn as_data(patch: &Patch, lang: Lang) -> impl Iterator<Item = String> {
    patch.controls.iter().map(move |path| say::AS_DATA.fill(lang, &[("path", &show::clean(path.as_str()))]))
}

/// A proposal, and the difference of exactly the revision that it is at.
pub(super) fn look(at: &InRoom, number: u64, diff: bool) -> Result<(ProposalDetail, Option<Diff>), Failed> {
    let detail = ProposalDetail::from(at.engine.view(&at.caller, &at.room, number)?);
    if !diff {
        return Ok((detail, None));
    }
    let (row, changes) = at.engine.diff(&at.caller, &at.room, number, Some(detail.item.revision))?;
    let diff = Diff::of(number, &row, changes);
    Ok((detail, Some(diff)))
}

/// It waits, and no check would have Apply refused.
pub(super) fn can_be_applied(detail: &ProposalDetail) -> bool {
    detail.item.state == State::Waiting && detail.checks.iter().all(|check| check.ok || check.code.is_none())
}

/// What a waiting proposal needs first whose documents have moved, where nothing else has Apply refused.
fn next_step(detail: &ProposalDetail) -> Option<(Text, String)> {
    let fails = |check: &&Check| !check.ok && check.code.is_some();
    let mut failing = detail.checks.iter().filter(fails).map(|check| check.check);
    let stale = failing.next() == Some(CheckName::Base) && failing.next().is_none();
    if detail.item.state != State::Waiting || !stale {
        return None;
    }
    Some(match detail.links.awaits {
        Some(first) => (say::NEXT_APPLY_FIRST, format!("apply {first}")),
        None => (say::NEXT_REBASE, format!("rebase {}", detail.item.proposal)),
    })
}

/// Everything about a proposal but its changed lines.
pub(super) fn print(out: &mut Out, detail: &ProposalDetail, lang: Lang) -> io::Result<()> {
    let item = &detail.item;
    let (state, style) = standing(item, lang);
    let number = format!("#{}", item.proposal);
    out.line(format_args!("{} {}", styled(BOLD, number), styled(BOLD, clean(&item.title))))?;
    let by = [("author", show::actor(&item.author, lang)), ("at", show::when(item.created_at, lang))];
    let by: Vec<(&str, &str)> = by.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let revision = say::SHOW_REVISION.fill(lang, &[("n", &item.revision.to_string())]);
    let proposed = say::SHOW_PROPOSED.fill(lang, &by);
    out.line(format_args!("{} · {proposed}, {revision}", styled(style, state)))?;
    facts(out, detail, lang)?;
    if !detail.why.trim().is_empty() {
        heading(out, say::WHY.pick(lang))?;
        for line in detail.why.trim_end().lines() {
            out.line(format_args!("  {}", clean_line(line)).to_string().trim_end())?;
        }
    }
    heading(out, &format!("{}  {}", say::CHANGES.pick(lang), touches(item, lang)))?;
    for change in &detail.changes {
        change_line(out, change, lang)?;
    }
    if detail.receipt.is_none() && detail.decision.is_none() {
        heading(out, say::CHECKS.pick(lang))?;
        for check in &detail.checks {
            check_lines(out, check, &item.talk.open_asks, lang)?;
            // What waits for the rest of it has been changed by nobody.
            if detail.links.awaits.is_none() {
                moved_lines(out, check, lang)?;
            }
            if let (CheckName::Base, Some(other)) = (check.check, detail.links.awaits) {
                let text = say::CHECK_AWAITS.fill(lang, &[("n", &other.to_string())]);
                out.line(format_args!("    {text}"))?;
            }
        }
    }
    ended(out, detail, lang)
}

fn heading(out: &mut Out, text: &str) -> io::Result<()> {
    out.line("")?;
    out.line(styled(BOLD, text))
}

fn facts(out: &mut Out, detail: &ProposalDetail, lang: Lang) -> io::Result<()> {
    let mut fields = vec![(say::DIGEST.pick(lang), detail.item.digest.to_string())];
    if let Some(end) = detail.valid_until {
        fields.push((say::VALID_UNTIL.pick(lang), show::when(end, lang)));
    }
    for effect in &detail.effect_keys {
        fields.push((say::EFFECT_KEYS.pick(lang), clean(&effect.key).into_owned()));
    }
    if let Some(correlation) = &detail.correlation {
        fields.push((say::CORRELATION.pick(lang), clean(correlation).into_owned()));
    }
    setup::fields(out, &fields)
}

/// `+ path`, `~ path`, `→ from → path`, `− path`, with what is to be known of it.
fn change_line(out: &mut Out, change: &Change, lang: Lang) -> io::Result<()> {
    let (sign, style) = sign(change.op);
    let path = match &change.from {
        Some(from) => format!("{} → {}", clean(from), clean(&change.path)),
        None => clean(&change.path).into_owned(),
    };
    let mut notes = vec![show::op(change.op, lang).to_owned()];
    if change.binary || change.uncounted {
        let (one, both) = if change.binary {
            (say::BINARY, say::BINARY_BOTH)
        } else {
            (say::UNCOUNTED, say::UNCOUNTED_BOTH)
        };
        let size = |bytes: Option<u64>| show::size(bytes.unwrap_or(0), lang);
        notes.push(match (change.bytes_before, change.bytes) {
            (Some(_), Some(_)) => {
                let values = [("before", size(change.bytes_before)), ("size", size(change.bytes))];
                both.fill(lang, &[("before", &values[0].1), ("size", &values[1].1)])
            }
            _ => one.fill(lang, &[("size", &size(change.bytes.or(change.bytes_before)))]),
        });
    } else if change.added + change.removed > 0 {
        notes.push(format!(
            "+{} −{}",
            show::number(change.added.into(), lang),
            show::number(change.removed.into(), lang)
        ));
    }
    match (change.mode_before, change.mode) {
        (Some(before), Some(mode)) if before != mode => {
            notes
                .push(say::MODE_CHANGED.fill(lang, &[("before", before.as_str()), ("after", mode.as_str())]));
        }
        (None, Some(mode)) if mode != sekali_core::Mode::Plain => notes.push(mode.as_str().to_owned()),
        _ => {}
    }
    out.line(format_args!("  {} {path}  {}", styled(style, sign), styled(DIM, notes.join(", "))))?;
    for moved in &change.moved_hunks {
        let numbers = [moved.hunk, moved.found, moved.line].map(|n| n.to_string());
        let values = [
            ("path", &*clean(&change.path)),
            ("hunk", &numbers[0]),
            ("found", &numbers[1]),
            ("line", &numbers[2]),
        ];
        out.line(format_args!("    {}", styled(WARN, say::NOTE_MOVED_HUNK.fill(lang, &values))))?;
    }
    Ok(())
}

pub(super) fn sign(op: Op) -> (&'static str, Style) {
    match op {
        Op::Create => ("+", GOOD),
        Op::Replace => ("~", WARN),
        Op::Rename => ("→", MARK),
        Op::Delete => ("−", BAD),
    }
}

fn check_lines(out: &mut Out, check: &Check, open_asks: &[u32], lang: Lang) -> io::Result<()> {
    let others = show::proposals(&check.proposals);
    let text = match (check.check, check.ok) {
        (CheckName::Base, true) => say::CHECK_BASE.pick(lang).to_owned(),
        (CheckName::Base, false) => say::CHECK_BASE_NOT.pick(lang).to_owned(),
        (CheckName::EffectKey, true) => say::CHECK_EFFECT.pick(lang).to_owned(),
        (CheckName::EffectKey, false) => say::CHECK_EFFECT_NOT.fill(lang, &[("proposals", &others)]),
        (CheckName::ValidUntil, true) => say::CHECK_VALID.pick(lang).to_owned(),
        (CheckName::ValidUntil, false) => say::CHECK_VALID_NOT.pick(lang).to_owned(),
        (CheckName::PossibleDuplicate, true) => say::CHECK_SIMILAR.pick(lang).to_owned(),
        (CheckName::PossibleDuplicate, false) => say::CHECK_SIMILAR_NOT.fill(lang, &[("proposals", &others)]),
        (CheckName::ChangesAsked, true) => say::CHECK_ASKED.pick(lang).to_owned(),
        (CheckName::ChangesAsked, false) => {
            let asks: Vec<String> = open_asks.iter().map(ToString::to_string).collect();
            say::CHECK_ASKED_NOT.fill(lang, &[("comments", &asks.join(", "))])
        }
    };
    // A possible duplicate is a flag: Apply does not refuse for it.
    let (mark, style) = match (check.ok, check.code) {
        (true, _) => ("✓", GOOD),
        (false, None) => ("!", WARN),
        (false, Some(_)) => ("✗", BAD),
    };
    out.line(format_args!("  {} {text}", styled(style, mark)))
}

fn moved_lines(out: &mut Out, check: &Check, lang: Lang) -> io::Result<()> {
    for moved in &check.moved {
        let path = clean(&moved.path);
        let text = match moved.by {
            Some(by) => {
                let (n, seq) = (by.proposal.to_string(), by.seq.to_string());
                say::CHECK_MOVED_BY.fill(lang, &[("path", &path), ("n", &n), ("seq", &seq)])
            }
            None => say::CHECK_MOVED.fill(lang, &[("path", &path)]),
        };
        out.line(format_args!("    {text}"))?;
    }
    Ok(())
}

/// How it ended, and what came after.
fn ended(out: &mut Out, detail: &ProposalDetail, lang: Lang) -> io::Result<()> {
    if let Some(receipt) = &detail.receipt {
        heading(out, say::RECEIPT.pick(lang))?;
        receipt_lines(out, receipt, lang)?;
    }
    if let Some(decision) = &detail.decision {
        heading(out, say::DECISION.pick(lang))?;
        let (name, at) = (show::actor(&decision.by, lang), show::when(decision.at, lang));
        let values = [("state", show::state(decision.state, lang)), ("name", &name), ("at", &at)];
        out.line(format_args!("  {}", say::DECIDED.fill(lang, &values)))?;
        for line in decision.reason.iter().flat_map(|reason| reason.lines()) {
            out.line(format_args!("  {}", clean_line(line)))?;
        }
    }
    if detail.duplicates.count > 0 {
        heading(out, say::REPEATS.pick(lang))?;
        out.line(format_args!(
            "  {}",
            show::count(detail.duplicates.count, say::REPEAT_ONCE, say::REPEAT_COUNT, lang)
        ))?;
        let recent = &detail.duplicates.recent;
        for attempt in &recent[recent.len().saturating_sub(SHOWN_REPEATS)..] {
            let (at, name) = (show::when(attempt.at, lang), clean(&attempt.actor));
            let values = [("at", at.as_str()), ("name", &name), ("door", show::door(attempt.door, lang))];
            out.line(format_args!("  {}", say::REPEAT_LINE.fill(lang, &values)))?;
        }
    }
    if detail.revisions.len() > 1 {
        heading(out, say::REVISIONS.pick(lang))?;
        for revision in &detail.revisions {
            let by = [show::actor(&revision.author, lang), show::when(revision.created_at, lang)];
            let mut by = say::SHOW_BY.fill(lang, &[("author", &by[0]), ("at", &by[1])]);
            if let Some(from) = revision.rebased_from {
                by = format!("{by}, {}", say::REBASED_FROM.fill(lang, &[("n", &from.to_string())]));
            }
            out.line(format_args!("  {}  {by}  {}", revision.revision, clean(&revision.title)))?;
        }
    }
    links(out, &detail.links, lang)
}

/// Other proposals that it has to do with.
fn links(out: &mut Out, links: &Links, lang: Lang) -> io::Result<()> {
    let one = |number: Option<u64>| number.into_iter().collect::<Vec<u64>>();
    let reverts: Vec<u64> = links.reverts.iter().chain(links.also_reverts.iter().rev()).copied().collect();
    let lines = [
        (say::LINK_REVERTS, reverts),
        (say::LINK_REVERTED, one(links.reverted_by)),
        (say::LINK_REVERT_WAITS, one(links.revert_waiting)),
        (say::LINK_SPLIT_FROM, one(links.split_from)),
        (say::LINK_SPLIT_INTO, links.split_into.clone()),
        (say::SAME_EFFECT, links.same_effect.clone()),
    ];
    let lines: Vec<String> = lines
        .iter()
        .filter(|(_, numbers)| !numbers.is_empty())
        .map(|(text, numbers)| text.fill(lang, &[("proposals", &show::proposals(numbers))]))
        .collect();
    if !lines.is_empty() {
        out.line("")?;
    }
    lines.iter().try_for_each(|line| out.line(line))
}

fn receipt_lines(out: &mut Out, receipt: &Receipt, lang: Lang) -> io::Result<()> {
    let (at, seq) = (show::when(receipt.applied_at, lang), receipt.seq.to_string());
    let name = clean(&receipt.applied_by);
    let values = [("name", &*name), ("at", &at), ("door", show::door(receipt.door, lang)), ("seq", &seq)];
    out.line(format_args!("  {}", say::RECEIPT_LINE.fill(lang, &values)))?;
    let seen = if receipt.seen == "digest" { say::RECEIPT_SEEN } else { say::RECEIPT_UNSEEN };
    let os_user = receipt.os_user.as_deref().map(|name| say::OS_USER.fill(lang, &[("name", &clean(name))]));
    let line: Vec<&str> = [Some(seen.pick(lang)), os_user.as_deref()].into_iter().flatten().collect();
    out.line(format_args!("  {}", styled(DIM, line.join(", "))))?;
    let command = format!("sekali ledger --after {} --limit 1", receipt.seq.saturating_sub(1));
    out.line(format_args!("  {}", styled(DIM, say::RECEIPT_ROOT.fill(lang, &[("command", &command)]))))
}
