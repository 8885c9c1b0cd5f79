//! What people see: the two streams, styles, remarks and progress. Values are made readable in
//! `values`, made safe in `safe`, put into columns in `table`. No order is carried out here.

mod safe;
mod table;
mod values;

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use sekali_core::Lang;
use serde::Serialize;

use crate::text::{Text, say};

pub(crate) use safe::{clean, clean_line, export_line, is_clean, shell_path, shell_word};
pub(crate) use table::{Align, Table};
pub(crate) use values::{
    actor, count, door, kind, number, op, proposals, role, size, state, state_style, when, when_in_table,
};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
pub(crate) const MARK: Style = AnsiColor::Cyan.on_default();

/// A text in a style; standard output drops the style where it is no terminal.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Standard output, for people.
pub(crate) struct Out {
    inner: BufWriter<AutoStream<io::Stdout>>,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self { inner: BufWriter::with_capacity(64 * 1024, anstream::stdout()) }
    }

    pub(crate) fn line(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.inner, "{text}")
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// One line for people.
pub(crate) fn line(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = Out::new();
    out.line(text)?;
    out.finish()
}

/// One JSON value on one line, for programs.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// What a terminal has that does not say how wide it is.
const COLUMNS: usize = 80;

/// The window's columns, where there is a window.
pub(crate) fn columns() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    Some(terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| usize::from(width.0)))
}

/// A remark on standard error, beside the answer.
pub(crate) fn remark(text: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// A remark for who looks at it; a log of a program's runs is spared it.
pub(crate) fn remark_on_terminal(text: impl std::fmt::Display) {
    if io::stderr().is_terminal() {
        remark(styled(DIM, text));
    }
}

pub(crate) fn warning(lang: Lang, text: &str) {
    let label = say::WARNING.pick(lang);
    remark(format!("{WARN}{label}{WARN:#} {}", clean(text)));
}

/// A bar on standard error for what takes longer than a glance; none where it is no terminal.
pub(crate) struct Progress {
    label: &'static str,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(label: Text, lang: Lang) -> Self {
        Self { label: label.pick(lang), since: Instant::now(), bar: None }
    }

    pub(crate) fn step(&mut self, done: u64, total: u64) {
        if self.bar.is_none() && self.since.elapsed() > Duration::from_millis(200) {
            let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}");
            let bar = ProgressBar::new(total).with_message(self.label);
            self.bar = Some(match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            });
        }
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
