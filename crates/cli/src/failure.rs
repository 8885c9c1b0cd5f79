//! Why an order was not carried out, and how that is said: a sentence and a hint for people, the
//! problem object for programs, and the exit status for both.

use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use sekali_api::Problem;
use sekali_core::{Code, Lang, Refusal};
use sekali_engine::Failure;
use sekali_store::StoreError;
use serde::Serialize;

use crate::show::clean;
use crate::text::say;

const USAGE_EXIT: u8 = 2;
const UNAVAILABLE_EXIT: u8 = 3;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The command line, the environment or the settings are wrong.
    Usage { detail: String, hint: Option<String> },
    /// The engine or the store said no.
    Answered { failure: Failure, hint: Option<String> },
    /// The answer could not be written.
    Output(io::Error),
}

impl Failed {
    pub(crate) fn usage(detail: impl Into<String>) -> Self {
        Self::Usage { detail: detail.into(), hint: None }
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
            Self::Output(error) => (
                "output".to_owned(),
                format!("Could not write the output: {error}."),
                say::HINT_OUTPUT.pick(lang).to_owned(),
            ),
            Self::Usage { detail, hint } => {
                let help = || say::SEE_HELP.fill(lang, &[("command", "sekali --help")]);
                ("usage".to_owned(), detail.clone(), hint.clone().unwrap_or_else(help))
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
                (problem.code.to_string(), problem.detail, problem.hint.to_owned())
            }
        };
        if json { say_plain(&code, &detail, &hint) } else { say_text(lang, &code, &detail, &hint) }
    }
}

/// A defect: what the panic said is for its finder.
pub(crate) fn say_panic(lang: Lang, json: bool, message: &str) {
    let detail = format!("Something in Sekali went wrong: {message}");
    let hint = say::HINT_PANIC.pick(lang);
    let code = Code::Internal.as_str();
    if json { say_plain(code, &detail, hint) } else { say_text(lang, code, &detail, hint) }
}

fn say_text(lang: Lang, code: &str, detail: &str, hint: &str) {
    let (red, bold) = (AnsiColor::Red.on_default().bold(), Style::new().bold());
    let label = say::HINT.pick(lang);
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{red}error[{code}]:{red:#} {}", clean(detail));
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
