//! `demo`: a store of its own. It takes its place from `--store` alone, and throws away nothing but
//! a demo.

use std::path::Path;

use sekali_core::{ActorKind, Code, Lang, State, limit};
use sekali_engine::demo::{self, Report};
use sekali_engine::{Engine, places};
use sekali_store::StoreError;
use sekali_store_sqlite::{Options, SqliteStore};
use serde::Serialize;

use crate::failure::Failed;
use crate::session::{self, Opened, Session};
use crate::show::{self, BOLD, MARK, Out, Progress, clean, styled};
use crate::text::say;

/// The answer for programs.
#[derive(Serialize)]
struct Built {
    path: String,
    room: String,
    proposals: u64,
    entries: u64,
}

pub(super) fn demo(session: &Session, fresh: bool) -> Result<(), Failed> {
    let lang = session.lang;
    let caller = session.caller()?;
    if caller.name.kind != ActorKind::Person {
        return Err(Failed::usage(say::USE_NO_PERSON, &[("name", &caller.name.to_string())]));
    }
    let path = match session.flagged_store() {
        Some(path) => path,
        None => session.places()?.demo(lang),
    };
    if fresh && path.exists() {
        throw_away(session, &path)?;
    }
    let mut progress = Progress::new(say::DEMO_BUILDING, lang);
    let built = SqliteStore::create_whole(&path, Options::default(), |store| {
        demo::build(&Engine::new(store), &caller, lang, &mut |done, total| progress.step(done, total))
    });
    drop(progress);
    let report = built.map_err(|failure| {
        let exists = failure.code() == Code::StoreExists;
        let failed = Failed::from(failure);
        let hint = || say::HINT_DEMO_EXISTS.fill(lang, &[("store", &show::shell_path(&path))]);
        if exists { failed.hinted(hint()) } else { failed }
    })?;
    let Opened { store, engine, caller } =
        session::opened(SqliteStore::open(&path, Options::default())?, caller);
    let place = store.path().display().to_string();
    if session.json {
        let Report { room, proposals, entries } = report;
        return Ok(show::json(&Built { path: place, room, proposals, entries })?);
    }
    let proposals = show::count(report.proposals, say::COUNT_PROPOSAL, say::COUNT_PROPOSALS, lang);
    let entries = show::count(report.entries, say::COUNT_ENTRY, say::COUNT_ENTRIES, lang);
    let values =
        [("path", &*clean(&place)), ("room", &report.room), ("proposals", &proposals), ("entries", &entries)];
    let mut out = Out::new();
    out.line(say::DEMO_DONE.fill(lang, &values))?;
    out.line("")?;
    out.line(styled(BOLD, say::DEMO_TRY.pick(lang)))?;
    out.line(styled(MARK, format_args!("  {}", show::export_line(&path))))?;
    let waiting = engine.list(&caller, &report.room, Some(State::Waiting), None, limit::PAGE)?;
    let number = waiting
        .iter()
        .find(|one| !one.row.stale && one.effect_done_by.is_none())
        .map_or(1, |one| one.row.number);
    for command in ["list --state waiting", &format!("show {number} --diff"), &format!("apply {number}")] {
        out.line(styled(MARK, format_args!("  sekali {command}")))?;
    }
    Ok(out.finish()?)
}

/// Removes a store, if it is a demo: its only room is the demo's. A link to one stays.
fn throw_away(session: &Session, path: &Path) -> Result<(), Failed> {
    let opened = session::opened(SqliteStore::open(path, Options::default())?, session.caller()?);
    let rooms = opened.engine.rooms()?;
    // One that was killed before its room was made has none, and so nothing to lose.
    let is_demo = match rooms.as_slice() {
        [] => true,
        [room] => room.slug == demo::ROOM && room.title == demo::TITLE,
        _ => false,
    };
    if !is_demo {
        let shown = path.display().to_string();
        let says = |lang| say::NOT_A_DEMO.fill(lang, &[("path", &shown)]);
        let error = StoreError::new(Code::StoreExists, says(Lang::En)).said(says(Lang::Id));
        return Err(Failed::from(error).hinted(say::HINT_NOT_DEMO.pick(session.lang).to_owned()));
    }
    drop(opened);
    // The store first: what is left of a half-removed one is then no store at all.
    for file in places::of_store(path) {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failed::disk(say::NOT_REMOVED, &file, error));
            }
            _ => {}
        }
    }
    Ok(())
}
