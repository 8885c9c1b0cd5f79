//! `propose` and `revise`: flags or a proposal file become one submission. Files are read before
//! the store is opened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sekali_api::types::Proposed;
use sekali_core::change::{JsonForm, Submitted, SubmittedBase};
use sekali_core::patch::{self, Target};
use sekali_core::submission::{Submission, parse_base};
use sekali_core::{Code, Digest, DocPath, Lang, Refusal};
use sekali_engine::Failure;

use crate::args::{Content, Source, Step, Until};
use crate::failure::Failed;
use crate::files::{self, Reader, StoreFiles};
use crate::session::{InRoom, Session};
use crate::show::{self, Out, clean};
use crate::text::say;

pub(super) fn propose(session: &Session, content: &Content) -> Result<(), Failed> {
    let draft = Draft::read(session, content)?;
    let at = session.enter()?;
    let flags = draft.flags.clone();
    let submission = draft.with(None);
    let title = submission.title.clone();
    let proposed = at
        .engine
        .submit(&at.caller, &at.room, submission)
        .map_err(|failure| in_flags(session, unknown(session, failure), &flags))?;
    let proposed = Proposed::from(proposed);
    if session.json {
        return Ok(show::json(&proposed)?);
    }
    let lang = session.lang;
    let number = proposed.proposal.to_string();
    let first = if proposed.replayed {
        let values = [("n", number.as_str()), ("state", show::state(proposed.state, lang))];
        say::PROPOSED_REPLAY.fill(lang, &values)
    } else {
        say::PROPOSED.fill(lang, &[("n", &number), ("title", &clean(&title))])
    };
    said(session, &proposed, &first)
}

/// People wrote flags, and no list of changes.
fn in_flags(session: &Session, failed: Failed, flags: &[String]) -> Failed {
    if session.json { failed } else { failed.in_flags("changes", flags, session.lang) }
}

/// Where it is not known whether a new proposal was written, its id tells.
fn unknown(session: &Session, failure: Failure) -> Failed {
    let id = match &failure {
        Failure::Store(error) => error.proposal,
        Failure::Refused(_) => None,
    };
    let failed = Failed::from(failure);
    match id {
        Some(id) => failed.hinted(say::HINT_LANDED.fill(session.lang, &[("id", &id.to_string())])),
        None => failed,
    }
}

pub(super) fn revise(
    session: &Session,
    number: u64,
    digest: Option<Digest>,
    content: &Content,
) -> Result<(), Failed> {
    let draft = Draft::read(session, content)?;
    let at = session.enter()?;
    let flags = draft.flags.clone();
    let submission = draft.with(Some(Present::of(&at, number)?));
    let title = submission.title.clone();
    let revised = at
        .engine
        .revise(&at.caller, &at.room, number, digest, submission)
        .map_err(|failure| in_flags(session, failure.into(), &flags))?;
    let proposed = Proposed::from(revised);
    if session.json {
        return Ok(show::json(&proposed)?);
    }
    let revision = proposed.revision.to_string();
    let values = [("n", number.to_string()), ("revision", revision), ("title", clean(&title).into_owned())];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    said(session, &proposed, &say::REVISED.fill(session.lang, &values))
}

pub(super) fn said(session: &Session, proposed: &Proposed, first: &str) -> Result<(), Failed> {
    let lang = session.lang;
    let mut out = Out::new();
    out.line(first)?;
    if !proposed.possible_duplicates.is_empty() {
        let others = show::proposals(&proposed.possible_duplicates);
        out.line(say::NOTE_SIMILAR.fill(lang, &[("proposals", &others)]))?;
    }
    for moved in &proposed.moved_hunks {
        let numbers = [moved.hunk, moved.found, moved.line].map(|n| n.to_string());
        let values = [
            ("path", &*clean(&moved.path)),
            ("hunk", &numbers[0]),
            ("found", &numbers[1]),
            ("line", &numbers[2]),
        ];
        out.line(say::NOTE_MOVED_HUNK.fill(lang, &values))?;
    }
    if proposed.stale {
        out.line(say::NOTE_STALE.fill(lang, &[("n", &proposed.proposal.to_string())]))?;
    }
    for done in &proposed.already_done {
        let values = [("key", &*clean(&done.key)), ("n", &done.proposal.to_string())];
        out.line(say::NOTE_DONE.fill(lang, &values))?;
    }
    out.line(say::PROPOSED_NEXT.fill(lang, &[("n", &proposed.proposal.to_string())]))?;
    Ok(out.finish()?)
}

/// What a revision keeps where nothing else is said.
struct Present {
    title: String,
    why: String,
    valid_until: Option<sekali_core::Timestamp>,
    effect_keys: Vec<String>,
}

impl Present {
    fn of(at: &InRoom, number: u64) -> Result<Self, Failed> {
        let current = at.engine.view(&at.caller, &at.room, number)?.current;
        // Keys that Sekali derived stay with the proposal by themselves.
        let named =
            current.effect_keys.into_iter().filter(|effect| !effect.is_derived()).map(|effect| effect.key);
        Ok(Self {
            title: current.title,
            why: current.why,
            valid_until: current.valid_until,
            effect_keys: named.collect(),
        })
    }
}

/// A submission that may still lack what a revision keeps.
struct Draft {
    title: Option<String>,
    why: Option<String>,
    key: Option<String>,
    correlation: Option<String>,
    effect_keys: Option<Vec<String>>,
    until: Until,
    changes: Vec<Submitted>,
    /// The flag that each change is from; of a proposal file none.
    flags: Vec<String>,
}

impl Draft {
    fn read(session: &Session, content: &Content) -> Result<Self, Failed> {
        let store = StoreFiles::of(&session.named_store()?.path);
        let mut reader = Reader::new(session.lang, &store);
        match content {
            Content::File(source) => Ok(Self::whole(from_file(&mut reader, source)?)),
            Content::Flags { title, why, key, correlation, effect_keys, until, bases, steps } => {
                let mut changes = Vec::with_capacity(steps.len());
                let mut flags = Vec::with_capacity(steps.len());
                for step in steps {
                    take(session, &mut reader, &store, step, &mut changes)?;
                    flags.resize_with(changes.len(), || step.flag());
                }
                carry(session, bases, &mut changes)?;
                warn_of_repeats(session, &changes);
                Ok(Self {
                    title: title.clone(),
                    why: why.clone(),
                    key: key.clone(),
                    correlation: correlation.clone(),
                    effect_keys: (!effect_keys.is_empty()).then(|| effect_keys.clone()),
                    until: *until,
                    changes,
                    flags,
                })
            }
        }
    }

    /// A proposal file says everything.
    fn whole(submission: Submission) -> Self {
        Self {
            title: Some(submission.title),
            why: Some(submission.why),
            key: submission.key,
            correlation: submission.correlation,
            effect_keys: Some(submission.effect_keys),
            until: submission.valid_until.map_or(Until::Never, Until::At),
            changes: submission.changes,
            flags: Vec::new(),
        }
    }

    fn with(self, present: Option<Present>) -> Submission {
        let (title, why, valid_until, effect_keys) =
            present.map(|p| (p.title, p.why, p.valid_until, p.effect_keys)).unwrap_or_default();
        Submission {
            title: self.title.unwrap_or(title),
            why: self.why.unwrap_or(why),
            key: self.key,
            effect_keys: self.effect_keys.unwrap_or(effect_keys),
            valid_until: match self.until {
                Until::Unsaid => valid_until,
                Until::Never => None,
                Until::At(end) => Some(end),
            },
            correlation: self.correlation,
            changes: self.changes,
        }
    }
}

fn from_file(reader: &mut Reader<'_>, source: &Source) -> Result<Submission, Failed> {
    let body = reader.proposal(source)?;
    let folder = match source {
        Source::File(path) => folder_of(path),
        Source::StandardInput => PathBuf::from("."),
    };
    let mut failed = None;
    let mut load = |field: &str, name: &str| match reader.named(field, &folder, name) {
        Ok(bytes) => Ok(bytes),
        Err(Failed::Answered { failure: Failure::Refused(refusal), hint }) => {
            failed = hint;
            Err(refusal)
        }
        Err(_) => Err(Refusal::field(Code::Internal, field, format!("{field}: a file could not be read."))),
    };
    Submission::read(&body, Some(&mut load)).map_err(|refusal| match (failed, source) {
        (Some(hint), _) => Failed::from(refusal).hinted(hint),
        (None, Source::File(path)) if refusal.facts.field.is_none() => in_file(path, refusal).into(),
        (None, _) => refusal.into(),
    })
}

/// A refusal of what a file is as a whole, with its name.
fn in_file(path: &Path, refusal: Refusal) -> Refusal {
    let path = path.display().to_string();
    let says = |lang| format!("{path}: {}", refusal.sentence(lang));
    let (en, id) = (says(Lang::En), says(Lang::Id));
    Refusal { detail: en, ..refusal }.said(id)
}

/// The folder that a file is in; a link to a proposal file does not move it.
fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|p| !p.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// One flag as changes.
fn take(
    session: &Session,
    reader: &mut Reader<'_>,
    store: &StoreFiles,
    step: &Step,
    changes: &mut Vec<Submitted>,
) -> Result<(), Failed> {
    match step {
        Step::Put(path, source) => {
            let path = DocPath::parse("put", path)?;
            let mode = match source {
                Source::File(file) => files::named_mode(file),
                Source::StandardInput => None,
            };
            let content = reader.content("put", source)?;
            changes.push(Submitted::Put { path, content, base: None, mode });
        }
        Step::PutDir(dir) => {
            let (found, skipped) = files::walk(session.lang, dir, store)?;
            for skipped in skipped {
                let why = skipped.why.pick(session.lang);
                let values = [("path", &*clean(&skipped.path)), ("why", why)];
                show::remark(say::SKIPPED.fill(session.lang, &values));
            }
            for found in found {
                let content = reader.content("put-dir", &Source::File(found.file))?;
                changes.push(Submitted::Put { path: found.path, content, base: None, mode: found.mode });
            }
        }
        Step::Delete(path) => {
            let path = DocPath::parse("delete", path)?;
            changes.push(Submitted::Delete { path, base: None });
        }
        Step::Rename(from, path) => changes.push(Submitted::Rename {
            from: DocPath::parse("rename", from)?,
            path: DocPath::parse("rename", path)?,
            base: None,
        }),
        Step::Patch(source, strip) => {
            let diff = reader.content("patch", source)?;
            changes.push(Submitted::Patch { diff, strip: *strip, bases: Vec::new() });
        }
        Step::JsonEdit(form, path, source) => {
            let flag = match form {
                JsonForm::Patch => "json-patch",
                JsonForm::MergePatch => "merge-patch",
            };
            let path = DocPath::parse(flag, path)?;
            let patch = reader.content(flag, source)?;
            changes.push(Submitted::JsonEdit { form: *form, path, patch, base: None });
        }
    }
    Ok(())
}

/// Of two contents for one path the last counts. Programs read standard error as JSON.
fn warn_of_repeats(session: &Session, changes: &[Submitted]) {
    if session.json {
        return;
    }
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for change in changes {
        if let Submitted::Put { path, .. } = change {
            *times.entry(path.as_str()).or_default() += 1;
        }
    }
    for (path, _) in times.into_iter().filter(|(_, times)| *times > 1) {
        show::warning(session.lang, &say::GIVEN_TWICE.fill(session.lang, &[("path", &clean(path))]));
    }
}

/// Puts each `--base` on every change of its path: also on each patch that has it.
fn carry(session: &Session, bases: &[(String, String)], changes: &mut [Submitted]) -> Result<(), Failed> {
    if bases.is_empty() {
        return Ok(());
    }
    let targets: Vec<_> = changes.iter().map(targets).collect();
    for (path, digest) in bases {
        let path = DocPath::parse("base", path)?;
        let read = parse_base("base", digest)?;
        let mut used = false;
        for (change, targets) in changes.iter_mut().zip(&targets) {
            if let Submitted::Patch { bases, .. } = change {
                let reads = targets.as_ref().map(|all| all.iter().any(|target| target.reads(&path)));
                if reads == Some(true) {
                    bases.push((path.clone(), read));
                }
                // One that cannot be read is refused for that.
                used |= reads.unwrap_or(true);
            } else if let Some((at, base)) = based(change)
                && at.key() == path.key()
            {
                *base = Some(read);
                used = true;
            }
        }
        if !used {
            return Err(Failed::usage(say::USE_BASE_UNUSED, &[("path", path.as_str())])
                .hinted(say::HINT_BASE.pick(session.lang).to_owned()));
        }
    }
    Ok(())
}

/// What the files of a patch are about; none where it cannot be read, or is no patch.
fn targets(change: &Submitted) -> Option<Vec<Target>> {
    let Submitted::Patch { diff, strip, .. } = change else { return None };
    let files = patch::parse("patch", diff, *strip).ok()?;
    Some(files.iter().map(|file| file.target().clone()).collect())
}

/// The one document that a change names, with the base that it may carry.
fn based(change: &mut Submitted) -> Option<(&DocPath, &mut Option<SubmittedBase>)> {
    match change {
        Submitted::Put { path, base, .. }
        | Submitted::Delete { path, base }
        | Submitted::JsonEdit { path, base, .. }
        | Submitted::Rename { from: path, base, .. } => Some((path, base)),
        Submitted::Patch { .. } => None,
    }
}
