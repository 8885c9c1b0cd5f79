//! `doctor`: is the store sound. It repairs nothing; opening a store runs the migrations that an
//! older one lacks, as any use of it does.

use std::fs::{File, TryLockError};
use std::path::Path;

use sekali_core::Lang;
use sekali_core::code::Kind;
use sekali_engine::places;
use sekali_store::Store as _;
use serde::Serialize;

use crate::failure::Failed;
use crate::session::{Opened, Session};
use crate::show::{self, BAD, BOLD, GOOD, Out, Progress, WARN, clean, styled};
use crate::text::{damage, say};

const DAMAGED: u8 = 4;

/// What was found.
#[derive(Serialize)]
struct Findings {
    path: String,
    id: String,
    format: u32,
    sqlite: String,
    bytes: u64,
    wal_bytes: u64,
    /// Another process is writing now.
    locked: bool,
    rooms: u64,
    entries: u64,
    proposals: u64,
    contents: u64,
    documents: u64,
    problems: Vec<Finding>,
    warnings: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    code: String,
    detail: String,
    /// The same in the person's language, where that is not to be had from the code alone.
    #[serde(skip)]
    said: Option<String>,
}

fn finding(code: &str, detail: impl Into<String>) -> Finding {
    Finding { code: code.to_owned(), detail: detail.into(), said: None }
}

pub(super) fn doctor(session: &Session) -> Result<u8, Failed> {
    let Opened { store, engine, .. } = session.open()?;
    let health = store.health()?;
    let facts = store.facts()?;
    let mut problems: Vec<Finding> = health.integrity.iter().map(|line| finding("integrity", line)).collect();
    problems.extend(health.foreign_keys.iter().map(|line| finding("foreign_keys", line)));
    problems.extend(health.rows.iter().map(|(code, detail)| finding(code, detail)));
    problems.extend(health.key.iter().map(|detail| finding("signing_key", detail)));
    let mut warnings: Vec<Finding> = health.warnings.iter().map(|w| finding(w.code, &w.detail)).collect();
    warnings.extend(health.both.iter().map(|both| {
        let says = |lang| {
            let values = [("room", &*both.room), ("document", &*both.document), ("below", &*both.below)];
            say::WARN_BOTH.fill(lang, &values)
        };
        Finding { said: Some(says(session.lang)), ..finding("document_and_folder", says(Lang::En)) }
    }));
    let locked = match lock(store.path()) {
        Ok(locked) => locked,
        Err(detail) => {
            warnings.push(finding("lock", detail));
            false
        }
    };
    let mut progress = Progress::new(say::CHECKING, session.lang);
    let checked = engine.check(&mut |done, total| progress.step(done, total));
    drop(progress);
    // Of a file that SQLite itself finds broken, what is left of it need not be readable.
    let report = match checked {
        Err(failure) if !problems.is_empty() || failure.code().kind() == Kind::Corrupt => {
            problems.push(finding(failure.code().as_str(), failure.to_string()));
            sekali_engine::check::Report::default()
        }
        checked => checked?,
    };
    problems.extend(report.problems.iter().map(|problem| finding(problem.code, &problem.detail)));
    let found = Findings {
        path: facts.place,
        id: facts.id.to_string(),
        format: facts.format,
        sqlite: facts.driver,
        bytes: health.bytes.0,
        wal_bytes: health.bytes.1,
        locked,
        rooms: report.rooms,
        entries: report.entries,
        proposals: report.proposals,
        contents: report.contents,
        documents: report.documents,
        problems,
        warnings,
    };
    if session.json {
        show::json(&found)?;
    } else {
        print(session, &found)?;
    }
    Ok(if found.problems.is_empty() { 0 } else { DAMAGED })
}

/// Whether somebody holds the lock round writes. The lock file is not one of SQLite's. It is opened for
/// reading alone, which a read-only store allows too.
fn lock(store: &Path) -> Result<bool, String> {
    let path = places::lock_of(store);
    match path.metadata() {
        // Opening a pipe would wait for its other end.
        Ok(meta) if !meta.is_file() => return Err(format!("The lock {} is no file.", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        _ => {}
    }
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) => return Err(format!("The lock file {} cannot be opened: {error}.", path.display())),
    };
    match file.try_lock() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => {
            Err(format!("The lock file {} cannot be locked: {error}.", path.display()))
        }
    }
}

fn print(session: &Session, found: &Findings) -> Result<(), Failed> {
    let lang = session.lang;
    let mut out = Out::new();
    let by = session.named_store()?.by(lang);
    out.line(format_args!("{} ({by})  {}", styled(BOLD, clean(&found.path)), clean(&found.sqlite)))?;
    let of = |codes: &[&str], not: bool| {
        found.problems.iter().filter(|p| codes.contains(&p.code.as_str()) != not).collect::<Vec<_>>()
    };
    let (integrity, keys, ledger) =
        (of(&["integrity"], false), of(&["foreign_keys"], false), of(&["integrity", "foreign_keys"], true));
    let counted = [
        show::count(found.rooms, say::COUNT_ROOM, say::COUNT_ROOMS, lang),
        show::count(found.entries, say::COUNT_ENTRY, say::COUNT_ENTRIES, lang),
        show::count(found.documents, say::COUNT_DOCUMENT, say::COUNT_DOCUMENTS, lang),
        show::count(found.proposals, say::COUNT_PROPOSAL, say::COUNT_PROPOSALS, lang),
    ];
    let values = [
        ("rooms", counted[0].as_str()),
        ("entries", &counted[1]),
        ("documents", &counted[2]),
        ("proposals", &counted[3]),
    ];
    let checks = [
        (say::DOC_INTEGRITY.pick(lang).to_owned(), integrity),
        (say::DOC_FOREIGN_KEYS.pick(lang).to_owned(), keys),
        (say::DOC_LEDGER.fill(lang, &values), ledger),
    ];
    for (name, problems) in checks {
        if problems.is_empty() {
            mark(&mut out, GOOD, say::OK.pick(lang), &name)?;
        }
        for problem in problems {
            mark(
                &mut out,
                BAD,
                say::BAD.pick(lang),
                &format!("{} ({})", clean(&damage_in_words(&problem.detail, lang)), problem.code),
            )?;
        }
    }
    let sizes = [show::size(found.bytes, lang), show::size(found.wal_bytes, lang)];
    mark(
        &mut out,
        GOOD,
        say::OK.pick(lang),
        &say::DOC_SIZE.fill(lang, &[("store", &sizes[0]), ("wal", &sizes[1])]),
    )?;
    let lock = if found.locked { say::DOC_LOCK_HELD } else { say::DOC_LOCK_FREE };
    mark(&mut out, GOOD, say::OK.pick(lang), lock.pick(lang))?;
    if found.warnings.is_empty() {
        mark(&mut out, GOOD, say::OK.pick(lang), say::DOC_PLACE.pick(lang))?;
    }
    for warning in &found.warnings {
        let said = match &warning.said {
            Some(said) => said.clone(),
            None => in_words(&warning.code, &warning.detail, lang),
        };
        let told = format!("{} ({})", clean(&said), warning.code);
        mark(&mut out, WARN, say::WARN.pick(lang), &told)?;
    }
    let (verdict, style) = match (found.problems.is_empty(), found.warnings.is_empty()) {
        (false, _) => (say::DOC_DAMAGED, BAD),
        (true, false) => (say::DOC_WARNED, WARN),
        (true, true) => (say::DOC_SOUND, GOOD),
    };
    out.line(styled(style, verdict.pick(lang)))?;
    Ok(out.finish()?)
}

fn damage_in_words(detail: &str, lang: Lang) -> String {
    match lang {
        Lang::En => detail.to_owned(),
        Lang::Id => damage::in_indonesian(detail),
    }
}

/// A warning in the person's language, where it is known by its code. English has the detail, which
/// also says where and how many.
pub(super) fn in_words(code: &str, detail: &str, lang: Lang) -> String {
    let known = match code {
        "network_file_system" => say::WARN_NETWORK_FILE_SYSTEM,
        "sync_folder" => say::WARN_SYNC_FOLDER,
        "hard_linked" => say::WARN_HARD_LINKED,
        "read_only" => say::WARN_READ_ONLY,
        "disk_full" => say::WARN_DISK_FULL,
        "signing_key" => say::WARN_SIGNING_KEY,
        "wal_large" => say::WARN_WAL_LARGE,
        "lock" => say::WARN_LOCK,
        _ => return detail.to_owned(),
    };
    if code == "signing_key" && lang == Lang::Id {
        return key_in_words(detail);
    }
    if lang == Lang::En { detail.to_owned() } else { known.pick(lang).to_owned() }
}

/// Which of the two it is, which file and which mode: the English sentence holds them.
fn key_in_words(detail: &str) -> String {
    let between = |before: &str, after: &str| {
        let (path, rest) = detail.strip_prefix(before)?.split_once(after)?;
        Some((path, rest))
    };
    if let Some((path, rest)) = between("Others can read the signing key ", " (mode ")
        && let Some((mode, _)) = rest.split_once(')')
    {
        return say::WARN_KEY_OPEN.fill(Lang::Id, &[("path", path), ("mode", mode)]);
    }
    match between("The signing key ", " cannot be read") {
        Some((path, _)) => say::WARN_KEY_UNREADABLE.fill(Lang::Id, &[("path", path)]),
        None => say::WARN_SIGNING_KEY.pick(Lang::Id).to_owned(),
    }
}

fn mark(out: &mut Out, style: anstyle::Style, mark: &str, text: &str) -> std::io::Result<()> {
    out.line(format_args!("  {}  {text}", styled(style, mark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also those that no test can bring about: a network, a log of 256 MiB, a disk that is full.
    #[test]
    fn every_warning_is_said_in_indonesian() {
        for code in [
            "network_file_system",
            "sync_folder",
            "signing_key",
            "wal_large",
            "disk_full",
            "read_only",
            "hard_linked",
            "lock",
        ] {
            let told = in_words(code, "What it is.", Lang::Id);
            assert!(told.ends_with('.') && told != "What it is.", "{code}: {told}");
            assert_eq!(in_words(code, "What it is.", Lang::En), "What it is.", "{code}");
        }
    }
}
