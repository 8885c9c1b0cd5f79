//! `ledger`, `ledger export`, `duplicates`.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;

use sekali_api::cursor;
use sekali_api::types::{ActorRef, DuplicateItem, DuplicatePage, Room};
use sekali_core::{ActorId, Door, Timestamp, limit};
use sekali_engine::export::Options;
use sekali_store::{EntryRow, RepeatRow, StoreError};
use serde::Deserialize;

use super::{documents, page};
use crate::args::Page;
use crate::failure::Failed;
use crate::session::{InRoom, Session};
use crate::show::{self, Align, Out, Progress, Table, clean};
use crate::text::{Text, say};

/// What the table shows of an entry.
#[derive(Deserialize)]
struct Entry {
    seq: u64,
    kind: String,
    at: Timestamp,
    proposal: u64,
    revision: u32,
    actor: ActorId,
    door: Door,
    reason: Option<String>,
    #[serde(default)]
    changes: Vec<EntryChange>,
}

#[derive(Deserialize)]
struct EntryChange {
    path: String,
}

pub(super) fn print(session: &Session, after: u64, limit: Option<u64>) -> Result<(), Failed> {
    let at = session.enter()?;
    if session.json {
        let mut out = BufWriter::new(io::stdout().lock());
        pages(&at, after, limit, |entries| {
            for entry in entries {
                out.write_all(&entry.bytes)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })?;
        return Ok(out.flush()?);
    }
    let names = at.engine.members(&at.caller, &at.room)?;
    let names: HashMap<ActorId, String> =
        names.iter().map(|row| (row.id, show::actor(&ActorRef::from(row), session.lang))).collect();
    let mut out = Out::new();
    let mut any = false;
    pages(&at, after, limit, |entries| {
        any = true;
        table(session, &names, entries)?.print(&mut out)?;
        Ok(())
    })?;
    let ledger = Room::of(at.engine.view_room(&at.caller, &at.room)?, &at.caller).ledger;
    if ledger.size == 0 {
        out.line(say::LEDGER_NONE.pick(session.lang))?;
    } else {
        // Whole: an auditor writes it down.
        let entries = show::count(ledger.size, say::COUNT_ENTRY, say::COUNT_ENTRIES, session.lang);
        let values = [("entries", &*entries), ("root", &*ledger.root)];
        if any {
            out.line("")?;
        }
        out.line(say::LEDGER_HEAD.fill(session.lang, &values))?;
    }
    Ok(out.finish()?)
}

/// Entries in order, page by page, so that a long ledger is never in memory.
fn pages(
    at: &InRoom,
    mut after: u64,
    limit: Option<u64>,
    mut each: impl FnMut(&[EntryRow]) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let mut left = limit.unwrap_or(u64::MAX);
    while left > 0 {
        let size = u32::try_from(left).unwrap_or(u32::MAX).min(limit::LEDGER_PAGE);
        let (_, entries) = at.engine.entries(&at.caller, &at.room, after, size)?;
        let Some(last) = entries.last() else { return Ok(()) };
        after = last.seq;
        left -= entries.len() as u64;
        each(&entries)?;
    }
    Ok(())
}

fn table(session: &Session, names: &HashMap<ActorId, String>, entries: &[EntryRow]) -> Result<Table, Failed> {
    let lang = session.lang;
    let mut table = Table::new(&[
        (say::SEQ.pick(lang), Align::Right),
        (say::WHEN.pick(lang), Align::Left),
        (say::WHAT.pick(lang), Align::Left),
        (say::PROPOSAL.pick(lang), Align::Left),
        (say::WHO.pick(lang), Align::Give),
        (say::DOOR.pick(lang), Align::Spare),
        (say::CHANGES.pick(lang), Align::Give),
    ]);
    for row in entries {
        let entry: Entry = serde_json::from_slice(&row.bytes).map_err(|e| {
            let mut error = StoreError::damaged(format!("Entry {} of the ledger cannot be read.", row.seq));
            error.source = Some(e.into());
            error
        })?;
        table.row([
            entry.seq.to_string(),
            show::when_in_table(entry.at, lang),
            kind(&entry.kind)
                .map_or_else(|| clean(&entry.kind).into_owned(), |text| text.pick(lang).to_owned()),
            format!("#{} r{}", entry.proposal, entry.revision),
            names.get(&entry.actor).cloned().unwrap_or_else(|| entry.actor.to_string()),
            entry.door.to_string(),
            what(&entry, session),
        ]);
    }
    Ok(table)
}

fn kind(word: &str) -> Option<Text> {
    match word {
        "applied" => Some(say::KIND_APPLIED),
        "rejected" => Some(say::KIND_REJECTED),
        "reopened" => Some(say::KIND_REOPENED),
        "withdrawn" => Some(say::KIND_WITHDRAWN),
        _ => None,
    }
}

fn what(entry: &Entry, session: &Session) -> String {
    match entry.changes.as_slice() {
        [] => clean(entry.reason.as_deref().unwrap_or_default()).into_owned(),
        [one] => clean(&one.path).into_owned(),
        [first, rest @ ..] => {
            let rest = show::number(rest.len() as u64, session.lang);
            say::AND_MORE.fill(session.lang, &[("path", &clean(&first.path)), ("n", &rest)])
        }
    }
}

pub(super) fn export(
    session: &Session,
    out: PathBuf,
    jsonl: bool,
    csv: bool,
    content: bool,
) -> Result<(), Failed> {
    let lang = session.lang;
    let at = session.enter()?;
    let dir = out.display().to_string();
    let mut progress = Progress::new(say::EXPORTING, lang);
    let options = Options { out, jsonl, csv, content };
    let report =
        at.engine.export(&at.caller, &at.room, &options, &mut |done, total| progress.step(done, total))?;
    drop(progress);
    if session.json {
        let files: Vec<serde_json::Value> = report
            .files
            .iter()
            .map(|file| serde_json::json!({ "name": file.name, "bytes": file.bytes, "sha256": file.sha256 }))
            .collect();
        let value =
            serde_json::json!({ "entries": report.entries, "root": report.root, "out": dir, "files": files });
        return Ok(show::json(&value)?);
    }
    let entries = show::count(report.entries, say::COUNT_ENTRY, say::COUNT_ENTRIES, lang);
    let mut lines = Out::new();
    lines.line(say::EXPORTED.fill(lang, &[("entries", &entries), ("dir", &clean(&dir))]))?;
    lines.line(say::EXPORTED_ROOT.fill(lang, &[("root", &report.root)]))?;
    let mut table = Table::new(&[
        (say::NAME.pick(lang), Align::Left),
        (say::SIZE.pick(lang), Align::Right),
        ("SHA-256", Align::Left),
    ]);
    for file in &report.files {
        table.row([file.name.clone(), show::size(file.bytes, lang), file.sha256.clone()]);
    }
    table.print(&mut lines)?;
    if jsonl {
        let dir = show::shell_path(&options.out);
        lines.line(say::EXPORTED_VERIFY.fill(lang, &[("dir", &clean(&dir))]))?;
    }
    Ok(lines.finish()?)
}

pub(super) fn duplicates(session: &Session, wanted: &Page) -> Result<(), Failed> {
    let lang = session.lang;
    let start = page::start(wanted, cursor::repeat)?;
    let at = session.enter()?;
    let ask = |before, limit| Ok(at.engine.duplicates(&at.caller, &at.room, before, limit)?);
    let (rows, next) = page::gather(wanted, start, ask, RepeatRow::mark)?;
    let items: Vec<DuplicateItem> = rows.into_iter().map(DuplicateItem::from).collect();
    let next = next.as_ref().map(cursor::after_repeat);
    if session.json {
        return Ok(show::json(&DuplicatePage { items, next })?);
    }
    if items.is_empty() {
        return Ok(show::line(say::DUPLICATES_NONE.pick(lang))?);
    }
    let mut table = Table::new(&[
        (say::LAYER.pick(lang), Align::Give),
        ("#", Align::Right),
        (say::TIMES.pick(lang), Align::Right),
        (say::OTHER_CONTENT.pick(lang), Align::Right),
        (say::FIRST.pick(lang), Align::Spare),
        (say::LAST.pick(lang), Align::Left),
        (say::KEY.pick(lang), Align::Give),
    ]);
    for item in &items {
        let layer = match item.layer.as_str() {
            "apply" => say::LAYER_APPLY.pick(lang),
            "key" => say::LAYER_KEY.pick(lang),
            "effect" => say::LAYER_EFFECT.pick(lang),
            other => other,
        };
        table.row([
            layer.to_owned(),
            item.proposal.map_or_else(String::new, |n| n.to_string()),
            show::number(item.count, lang),
            show::number(item.other_content, lang),
            show::when_in_table(item.first_at, lang),
            show::when_in_table(item.last_at, lang),
            clean(item.key.as_deref().unwrap_or("–")).into_owned(),
        ]);
    }
    let mut out = Out::new();
    table.print(&mut out)?;
    documents::more(&mut out, session, next.as_deref(), "duplicates")?;
    Ok(out.finish()?)
}
