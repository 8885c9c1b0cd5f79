//! `doc`: the documents as they are now, and as they were.

use std::io::{self, Write as _};
use std::path::Path;

use sekali_api::cursor;
use sekali_api::types::{DocumentItem, DocumentPage, DocumentVersion, DocumentVersions};
use sekali_core::{DocPath, Mode};
use sekali_engine::look::DocumentView;
use sekali_store::VersionKey;

use super::page;
use crate::args::Page;
use crate::failure::Failed;
use crate::files::{StoreFiles, Target};
use crate::session::{InRoom, Session};
use crate::show::{self, Align, Out, Table, clean};
use crate::text::say;

pub(super) fn list(session: &Session, wanted: &Page) -> Result<(), Failed> {
    let lang = session.lang;
    let start = page::start(wanted, cursor::document)?;
    let at = session.enter()?;
    let ask = |after: Option<String>, limit| {
        Ok(at.engine.documents(&at.caller, &at.room, after.as_deref(), limit)?)
    };
    let (rows, next) = page::gather(wanted, start, ask, |view| view.row.path.key().to_owned())?;
    let items: Vec<DocumentItem> = rows.into_iter().map(DocumentItem::from).collect();
    let next = next.as_deref().map(cursor::after_document);
    if session.json {
        return Ok(show::json(&DocumentPage { items, next })?);
    }
    if items.is_empty() {
        return Ok(show::line(say::DOCUMENTS_NONE.pick(lang))?);
    }
    let mut table = Table::new(&[
        (say::SIZE.pick(lang), Align::Right),
        (say::MODE.pick(lang), Align::Left),
        (say::CHANGED.pick(lang), Align::Left),
        (say::BY_PROPOSAL.pick(lang), Align::Right),
        (say::PATH.pick(lang), Align::Give),
    ]);
    for item in &items {
        table.row([
            show::size(item.bytes, lang),
            item.mode.as_str().to_owned(),
            show::when_in_table(item.updated_at, lang),
            format!("#{}", item.proposal),
            clean(&item.path).into_owned(),
        ]);
    }
    let mut out = Out::new();
    table.print(&mut out)?;
    more(&mut out, session, next.as_deref(), "doc list")?;
    Ok(out.finish()?)
}

/// How to go on where a page ended.
pub(super) fn more(out: &mut Out, session: &Session, next: Option<&str>, command: &str) -> io::Result<()> {
    let Some(cursor) = next else { return Ok(()) };
    let command = session.line(&format!("{command} --cursor {cursor}"));
    out.line(say::MORE.fill(session.lang, &[("command", &command)]))
}

pub(super) fn cat(session: &Session, path: &str, version: Option<VersionKey>) -> Result<(), Failed> {
    let path = DocPath::parse("path", path)?;
    let at = session.enter()?;
    let (_, content) = at.engine.document(&at.caller, &at.room, &path, version)?;
    let mut out = io::stdout().lock();
    out.write_all(&content)?;
    Ok(out.flush()?)
}

pub(super) fn log(session: &Session, path: &str) -> Result<(), Failed> {
    let lang = session.lang;
    let path = DocPath::parse("path", path)?;
    let at = session.enter()?;
    let items =
        at.engine.versions(&at.caller, &at.room, &path)?.into_iter().map(DocumentVersion::from).collect();
    let versions = DocumentVersions { items };
    if session.json {
        return Ok(show::json(&versions)?);
    }
    let mut table = Table::new(&[
        (say::VERSION.pick(lang), Align::Left),
        (say::WHAT.pick(lang), Align::Left),
        (say::WHEN.pick(lang), Align::Left),
        (say::WHO.pick(lang), Align::Give),
        (say::PROPOSAL.pick(lang), Align::Right),
        (say::SIZE.pick(lang), Align::Spare),
        (say::PATH.pick(lang), Align::Give),
    ]);
    for version in &versions.items {
        let path = match &version.from {
            Some(from) => format!("{} → {}", clean(from), clean(&version.path)),
            None => clean(&version.path).into_owned(),
        };
        table.row([
            version.version.clone(),
            show::op(version.op, lang).to_owned(),
            show::when_in_table(version.at, lang),
            show::actor(&version.by, lang),
            format!("#{}", version.proposal),
            version.bytes.map_or_else(|| "–".to_owned(), |bytes| show::size(bytes, lang)),
            path,
        ]);
    }
    let mut out = Out::new();
    table.print(&mut out)?;
    Ok(out.finish()?)
}

pub(super) fn export(session: &Session, dir: &Path, force: bool) -> Result<(), Failed> {
    let lang = session.lang;
    let at = session.enter()?;
    let store = StoreFiles::of(&session.named_store()?.path);
    // One snapshot of all documents, checked as a whole before the first is written.
    let rows = at.engine.documents(&at.caller, &at.room, None, u32::MAX)?;
    let target = Target::prepare(lang, dir, force, &store)?;
    let (documents, bytes) = (rows.len() as u64, write_all(&at, target, &rows)?);
    let dir = dir.display().to_string();
    if session.json {
        return Ok(show::json(&serde_json::json!({ "documents": documents, "bytes": bytes, "dir": dir }))?);
    }
    let counted = show::count(documents, say::COUNT_DOCUMENT, say::COUNT_DOCUMENTS, lang);
    let values =
        [("documents", counted.as_str()), ("size", &show::size(bytes, lang)), ("dir", &*clean(&dir))];
    Ok(show::line(say::DOC_EXPORTED.fill(lang, &values))?)
}

/// Writes every document and gives their size together.
fn write_all(at: &InRoom, target: Target<'_>, rows: &[DocumentView]) -> Result<u64, Failed> {
    target.check(rows.iter().map(|view| &view.row.path))?;
    let mut bytes = 0;
    let mut writing = target.begin()?;
    for view in rows {
        let (version, content) =
            at.engine.document(&at.caller, &at.room, &view.row.path, Some(view.row.version))?;
        let mode = version.content.map_or(Mode::Plain, |content| content.mode);
        writing.write(&view.row.path, &content, mode)?;
        bytes += content.len() as u64;
    }
    writing.finish()?;
    Ok(bytes)
}
