//! Why an order was not carried out, and how that is said: a sentence and a hint for people, the
//! problem object for programs, and the exit status for both.

use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use sekali_api::Problem;
use sekali_core::{Code, Lang, Refusal};
use sekali_engine::Failure;
use sekali_store::StoreError;
use serde::Serialize;

use crate::show::{self, clean};
use crate::text::{Text, said_by_system, say};

const USAGE_EXIT: u8 = 2;
const UNAVAILABLE_EXIT: u8 = 3;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The command line, the environment or the settings are wrong.
    Usage { detail: Both, hint: Option<String> },
    /// The engine or the store said no.
    Answered { failure: Failure, hint: Option<String> },
    /// The answer could not be written.
    Output(io::Error),
}

/// A sentence in both languages: people read theirs, programs English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Both {
    pub(crate) en: String,
    pub(crate) id: String,
}

impl Both {
    /// A text with its places filled, by the language it is filled for.
    pub(crate) fn of(text: Text, values: impl Fn(Lang) -> Vec<(&'static str, String)>) -> Self {
        let fill = |lang| {
            let values = values(lang);
            let values: Vec<(&str, &str)> =
                values.iter().map(|(name, value)| (*name, value.as_str())).collect();
            text.fill(lang, &values)
        };
        Self { en: fill(Lang::En), id: fill(Lang::Id) }
    }

    fn pick(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.id)
    }
}

impl Failed {
    /// Wrong usage, in a text with its places filled.
    pub(crate) fn usage(text: Text, values: &[(&'static str, &str)]) -> Self {
        let filled = |_| values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self::Usage { detail: Both::of(text, filled), hint: None }
    }

    /// A refusal of a field: `{field}` and a text with its places filled.
    pub(crate) fn field(code: Code, field: &str, text: Text, values: &[(&'static str, &str)]) -> Self {
        let says = |lang| format!("{field}: {}", text.fill(lang, values));
        Refusal::field(code, field, says(Lang::En)).said(says(Lang::Id)).into()
    }

    /// Adds the value that it is about.
    #[must_use]
    pub(crate) fn about(mut self, value: &str) -> Self {
        if let Self::Answered { failure: Failure::Refused(refusal), .. } = &mut self {
            refusal.facts.value = Some(value.to_owned());
        }
        self
    }

    /// A file or folder that could not be used, with what the operating system says of it.
    pub(crate) fn disk(text: Text, path: &std::path::Path, error: io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::StoreFull,
            _ => Code::StoreIo,
        };
        let path = path.display().to_string();
        let says = |lang| text.fill(lang, &[("path", &path), ("error", &said_by_system(&error, lang))]);
        let (en, id) = (says(Lang::En), says(Lang::Id));
        StoreError::caused(code, en, error).said(id).into()
    }

    /// Says the next step in other words than the code's own.
    #[must_use]
    pub(crate) fn hinted(mut self, next: String) -> Self {
        match &mut self {
            Self::Usage { hint, .. } | Self::Answered { hint, .. } => *hint = Some(next),
            Self::Output(_) => {}
        }
        self
    }

    /// Names a member of a list of the submission as the flags that it was made from: `changes[0].diff` as
    /// `--patch a.diff`. What programs read keeps its name.
    #[must_use]
    pub(crate) fn in_flags(mut self, list: &str, flags: &[String], lang: Lang) -> Self {
        if let Self::Answered { failure: Failure::Refused(refusal), .. } = &mut self
            && let Some(field) = &refusal.facts.field
            && let Some((index, _)) =
                field.strip_prefix(list).and_then(|rest| rest.strip_prefix('[')?.split_once(']'))
            && let Some(flag) = index.parse().ok().and_then(|index: usize| flags.get(index))
            && let Some(said) = refusal.sentence(lang).strip_prefix(&format!("{field}: "))
        {
            let said = format!("{flag}: {said}");
            match lang {
                Lang::En => refusal.detail = said,
                Lang::Id => refusal.said = Some(said),
            }
        }
        self
    }

    /// What was asked for is done, and only the look at it failed so; `look` is the command that looks
    /// again.
    #[must_use]
    pub(crate) fn done_unseen(self, lang: Lang, look: &str) -> Self {
        match self {
            Self::Answered { failure, .. } => Self::from(failure.done_unseen())
                .hinted(say::HINT_DONE_UNSEEN.fill(lang, &[("command", look)])),
            usage_or_output => usage_or_output,
        }
    }

    /// The refusal behind it that nobody has given a hint to yet.
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Answered { failure: Failure::Refused(refusal), hint: None } => Some(refusal),
            _ => None,
        }
    }

    pub(crate) fn is_defect(&self) -> bool {
        matches!(self, Self::Answered { failure, .. } if failure.code() == Code::Internal)
    }

    /// The exit status (`docs/ARCHITECTURE.md`, "Errors").
    pub(crate) fn exit(&self) -> u8 {
        match self {
            Self::Usage { .. } => USAGE_EXIT,
            Self::Answered { failure, .. } => failure.code().exit(),
            // Who closed the pipe has read what they wanted.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Output(_) => UNAVAILABLE_EXIT,
        }
    }

    /// Says it on standard error; that this fails too changes nothing.
    pub(crate) fn say(&self, lang: Lang, json: bool) {
        let (code, detail, hint) = match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return,
            Self::Output(error) => {
                let spoken = if json { Lang::En } else { lang };
                let detail = say::OUTPUT_FAILED.fill(spoken, &[("error", &said_by_system(error, spoken))]);
                ("output".to_owned(), detail, say::HINT_OUTPUT.pick(lang).to_owned())
            }
            Self::Usage { detail, hint } => {
                let help = || say::SEE_HELP.fill(lang, &[("command", "sekali --help")]);
                let detail = detail.pick(if json { Lang::En } else { lang });
                ("usage".to_owned(), detail.to_owned(), hint.clone().unwrap_or_else(help))
            }
            Self::Answered { failure, hint } => {
                let mut problem = Problem::of(failure, lang);
                if let Some(hint) = hint {
                    // The process ends with this sentence; a problem's own hints are constants.
                    problem.hint = hint.clone().leak();
                }
                if json {
                    return say_problem(&problem);
                }
                let defect = problem.code == Code::Internal;
                let detail = if defect { problem.detail } else { with_local_time(failure, lang) };
                let detail =
                    if defect && lang == Lang::Id { Code::Internal.happened().to_owned() } else { detail };
                (problem.code.to_string(), detail, problem.hint.to_owned())
            }
        };
        if json { say_plain(&code, &detail, &hint) } else { say_text(lang, &code, &detail, &hint) }
    }
}

/// A defect: what the panic said is for its finder.
pub(crate) fn say_panic(lang: Lang, json: bool, message: &str) {
    let detail = say::PANICKED.fill(if json { Lang::En } else { lang }, &[("message", message)]);
    let hint = say::HINT_PANIC.pick(lang);
    let code = Code::Internal.as_str();
    if json { say_plain(code, &detail, hint) } else { say_text(lang, code, &detail, hint) }
}

/// What happened, for people: an instant in it in their own time, as everywhere else.
fn with_local_time(failure: &Failure, lang: Lang) -> String {
    let sentence = failure.sentence(lang);
    match failure {
        Failure::Refused(Refusal { facts, .. }) => facts
            .at
            .map_or_else(|| sentence.clone(), |at| sentence.replace(&at.to_string(), &show::when(at, lang))),
        Failure::Store(_) => sentence,
    }
}

fn say_text(lang: Lang, code: &str, detail: &str, hint: &str) {
    let (red, bold) = (AnsiColor::Red.on_default().bold(), Style::new().bold());
    let (error, label) = (say::ERROR.pick(lang), say::HINT.pick(lang));
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{red}{error}[{code}]:{red:#} {}", clean(detail));
    let _ = writeln!(err, "{bold}{label}{bold:#} {}", clean(hint));
}

fn say_problem(problem: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(problem) {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// A problem whose code exists on the command line alone: wrong usage, an output that is gone.
#[derive(Serialize)]
struct Plain<'a> {
    r#type: &'a str,
    status: u16,
    code: &'a str,
    detail: &'a str,
    hint: &'a str,
    retry: &'a str,
}

fn say_plain(code: &str, detail: &str, hint: &str) {
    let (status, retry) = if code == "usage" { (400, "never") } else { (500, "same") };
    say_problem(&Plain { r#type: "about:blank", status, code, detail, hint, retry });
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self::Answered { failure, hint: None }
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Failure::from(refusal).into()
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Failure::from(error).into()
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
