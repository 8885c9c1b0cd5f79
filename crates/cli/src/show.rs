//! How values are shown to people: safe for terminals, in columns, with local times. No order is
//! carried out here.

mod table;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::tz::TimeZone;
use sekali_api::types::ActorRef;
use sekali_core::{ActorKind, Door, Lang, Op, Role, State, Timestamp};
use serde::Serialize;

use crate::text::{Text, say};

pub(crate) use table::{Align, Table};

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

/// A text on one line without anything that a terminal would obey: control characters and
/// characters that reorder what follows them are written as escapes.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    cleaned(text, |_| false)
}

/// As [`clean`], of a line whose tabs stay.
pub(crate) fn clean_line(text: &str) -> Cow<'_, str> {
    cleaned(text, |c| c == '\t')
}

fn cleaned(text: &str, keep: fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(|c| obeyed(c) && !keep(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !obeyed(c) || keep(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

fn obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        // Tags and the zero width no-break space hide text.
        || matches!(c, '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

/// A word as a shell reads it.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "/._-:\\".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// A path as a shell reads it, from wherever.
pub(crate) fn shell_path(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    shell_word(&path.display().to_string())
}

/// The line that has commands go to a store from now on.
pub(crate) fn export_line(store: &Path) -> String {
    let store = shell_path(store);
    if cfg!(windows) {
        format!("$env:SEKALI_STORE = \"{store}\"")
    } else {
        format!("export SEKALI_STORE={store}")
    }
}

/// An instant in local time with its zone.
pub(crate) fn when(at: Timestamp, lang: Lang) -> String {
    when_in(at, lang, &TimeZone::system())
}

fn when_in(at: Timestamp, lang: Lang, zone: &TimeZone) -> String {
    const MONTHS: [(&str, &str); 12] = [
        ("Jan", "Jan"),
        ("Feb", "Feb"),
        ("Mar", "Mar"),
        ("Apr", "Apr"),
        ("May", "Mei"),
        ("Jun", "Jun"),
        ("Jul", "Jul"),
        ("Aug", "Agu"),
        ("Sep", "Sep"),
        ("Oct", "Okt"),
        ("Nov", "Nov"),
        ("Dec", "Des"),
    ];
    let Ok(instant) = jiff::Timestamp::from_millisecond(at.ms()) else { return at.to_string() };
    let local = instant.to_zoned_datetime(zone.clone());
    let month = usize::try_from(local.month() - 1).ok().and_then(|index| MONTHS.get(index)).copied();
    let (en, id) = month.unwrap_or_default();
    let colon = lang.pick(":", ".");
    format!(
        "{} {} {} {:02}{colon}{:02} {}",
        local.day(),
        lang.pick(en, id),
        local.year(),
        local.hour(),
        local.minute(),
        local.strftime("%Z")
    )
}

/// `1,234` or `1.234`.
pub(crate) fn number(value: u64, lang: Lang) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push_str(lang.pick(",", "."));
        }
        out.push(digit);
    }
    out
}

/// `980 B`, `1.5 KB` or `1,5 KB`.
pub(crate) fn size(bytes: u64, lang: Lang) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return say::UNIT_BYTES.fill(lang, &[("n", &bytes.to_string())]);
    }
    let mut tenths = bytes / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1_000;
        unit += 1;
    }
    format!("{}{}{} {}", number(tenths / 10, lang), lang.pick(".", ","), tenths % 10, UNITS[unit])
}

/// `1 document`, `12 documents`.
pub(crate) fn count(value: u64, one: Text, many: Text, lang: Lang) -> String {
    if value == 1 { one.pick(lang).to_owned() } else { many.fill(lang, &[("n", &number(value, lang))]) }
}

/// `#1, #2`.
pub(crate) fn proposals(numbers: &[u64]) -> String {
    numbers.iter().map(|n| format!("#{n}")).collect::<Vec<_>>().join(", ")
}

/// A name, and what it is where it is no person.
pub(crate) fn actor(actor: &ActorRef, lang: Lang) -> String {
    let name = clean(&actor.name);
    match actor.kind {
        ActorKind::Agent => say::AGENT_NAME.fill(lang, &[("name", &name)]),
        _ => name.into_owned(),
    }
}

pub(crate) fn state(state: State, lang: Lang) -> &'static str {
    match state {
        State::Waiting => say::STATE_WAITING,
        State::Applied => say::STATE_APPLIED,
        State::Rejected => say::STATE_REJECTED,
        State::Withdrawn => say::STATE_WITHDRAWN,
        State::Expired => say::STATE_EXPIRED,
    }
    .pick(lang)
}

pub(crate) fn state_style(state: State) -> Style {
    match state {
        State::Waiting => MARK,
        State::Applied => GOOD,
        State::Rejected => BAD,
        State::Withdrawn | State::Expired => DIM,
    }
}

pub(crate) fn role(role: Option<Role>, lang: Lang) -> &'static str {
    match role {
        Some(Role::Member) => say::ROLE_MEMBER,
        Some(Role::Reviewer) => say::ROLE_REVIEWER,
        Some(Role::Maintainer) => say::ROLE_MAINTAINER,
        None => say::ROLE_NONE,
    }
    .pick(lang)
}

pub(crate) fn kind(kind: ActorKind, lang: Lang) -> &'static str {
    match kind {
        ActorKind::Person => say::KIND_PERSON,
        ActorKind::Agent => say::KIND_AGENT,
        ActorKind::Source => say::KIND_SOURCE,
        ActorKind::System => say::KIND_SYSTEM,
    }
    .pick(lang)
}

pub(crate) fn door(door: Door, lang: Lang) -> &'static str {
    match door {
        Door::Desktop => say::DOOR_DESKTOP,
        Door::Cli => say::DOOR_CLI,
        Door::Http => say::DOOR_HTTP,
        Door::Webhook => say::DOOR_WEBHOOK,
        Door::Mcp => say::DOOR_MCP,
    }
    .pick(lang)
}

pub(crate) fn op(op: Op, lang: Lang) -> &'static str {
    match op {
        Op::Create => say::OP_CREATE,
        Op::Replace => say::OP_REPLACE,
        Op::Rename => say::OP_RENAME,
        Op::Delete => say::OP_DELETE,
    }
    .pick(lang)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected);
        check("Naikkan harga kopi", "Naikkan harga kopi");
        check("a\u{1b}[31mb", "a\\u{1b}[31mb");
        check("a\nb\tc\r", "a\\nb\\tc\\r");
        check("x\u{202e}gpj.exe", "x\\u{202e}gpj.exe");
        check("\u{9b}2J", "\\u{9b}2J");
        check("שלום 世界 é 👩‍👩‍👧", "שלום 世界 é 👩‍👩‍👧");
        assert_eq!(clean_line("a\tb\u{7}"), "a\tb\\u{7}");
    }

    #[test]
    fn words_are_written_as_a_shell_reads_them() {
        let check = |text: &str, expected: &str| assert_eq!(shell_word(text), expected);
        check("agent:bot", "agent:bot");
        check("Ani Budi", "'Ani Budi'");
        check("a'b", "'a'\\''b'");
        check("$(x)", "'$(x)'");
        check("", "''");
    }

    #[test]
    fn times_are_local_with_their_zone() {
        let at: Timestamp = "2026-11-30T07:02:11.123Z".parse().unwrap();
        let jakarta = TimeZone::get("Asia/Jakarta").unwrap();
        assert_eq!(when_in(at, Lang::En, &jakarta), "30 Nov 2026 14:02 WIB");
        assert_eq!(when_in(at, Lang::Id, &jakarta), "30 Nov 2026 14.02 WIB");
        assert_eq!(when_in(at, Lang::En, &TimeZone::UTC), "30 Nov 2026 07:02 UTC");
        let august: Timestamp = "2026-08-01T00:00:00Z".parse().unwrap();
        assert_eq!(when_in(august, Lang::Id, &TimeZone::UTC), "1 Agu 2026 00.00 UTC");
    }

    #[test]
    fn figures_are_grouped_as_the_language_does() {
        assert_eq!(number(0, Lang::En), "0");
        assert_eq!(number(1_234_567, Lang::En), "1,234,567");
        assert_eq!(number(1_234, Lang::Id), "1.234");
        assert_eq!(size(999, Lang::En), "999 B");
        assert_eq!(size(1_500, Lang::En), "1.5 KB");
        assert_eq!(size(1_500, Lang::Id), "1,5 KB");
        assert_eq!(size(67_108_864, Lang::En), "67.1 MB");
    }
}
