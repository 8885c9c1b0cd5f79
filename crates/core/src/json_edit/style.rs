//! How a document is laid out, seen from its own bytes, and how a value is written into it so that
//! it looks as if it had always been there. Numbers and strings are never touched.

use super::scan::{View, is_blank};

/// How the document at large writes what its neighbourhood does not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manner {
    /// One level of indentation.
    pub unit: String,
    /// `": "` or `":"`, perhaps with a blank before.
    pub colon: &'static str,
    /// `", "` or `","`, on one line.
    pub comma: &'static str,
}

/// How a container sets its items apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// `None`: all on one line.
    pub lines: Option<Lines>,
    pub colon: &'static str,
    pub comma: &'static str,
}

/// Each item on a line of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    /// The line end.
    pub end: &'static str,
    /// What its items are indented by.
    pub indent: String,
    /// What its closing bracket is indented by.
    pub close: String,
    /// One level more.
    pub unit: String,
}

pub(super) fn line_end(blank: &str) -> &'static str {
    if blank.contains("\r\n") { "\r\n" } else { "\n" }
}

/// What follows the last line end of a blank, if it has one.
pub(super) fn indent(blank: &str) -> Option<&str> {
    blank.rsplit_once('\n').map(|(_, indent)| indent)
}

/// The colon as it stands, without what only lines it up.
pub(super) fn colon(written: &str) -> &'static str {
    match (written.starts_with(':'), written.ends_with(':')) {
        (true, true) => ":",
        (true, false) => ": ",
        (false, true) => " :",
        (false, false) => " : ",
    }
}

pub(super) fn comma(lead: &str) -> &'static str {
    if lead.is_empty() { "," } else { ", " }
}

/// How many bytes a line is indented by.
fn indented(line: &[u8]) -> usize {
    line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// How far into a document its manner is looked for.
const LOOK_BYTES: usize = 1024 * 1024;

impl Manner {
    /// Looks at the first indented item, the first colon and the first comma within a line.
    pub(super) fn of(text: &str) -> Self {
        let bytes = &text.as_bytes()[..text.len().min(LOOK_BYTES)];
        let (mut unit, mut colon, mut comma) = (None, None, None);
        // Where the indentation of the line that is being looked at begins and ends.
        let mut line = (0, indented(bytes));
        let mut at = 0;
        while at < bytes.len() && (unit.is_none() || colon.is_none() || comma.is_none()) {
            let byte = bytes[at];
            let start = at;
            at += 1;
            let after = bytes[at..].iter().take_while(|b| is_blank(**b)).count();
            let blank = &bytes[at..at + after];
            match byte {
                b'"' => {
                    while at < bytes.len() && bytes[at] != b'"' {
                        at += 1 + usize::from(bytes[at] == b'\\');
                    }
                    at += 1;
                }
                b'\n' => line = (at, at + indented(&bytes[at..])),
                b':' if colon.is_none() => {
                    let before = start > 0 && is_blank(bytes[start - 1]);
                    colon = Some(match (before, blank.is_empty()) {
                        (true, true) => " :",
                        (true, false) => " : ",
                        (false, true) => ":",
                        (false, false) => ": ",
                    });
                }
                b',' if comma.is_none() && !blank.contains(&b'\n') => {
                    comma = Some(if blank.is_empty() { "," } else { ", " });
                }
                b'{' | b'[' if unit.is_none() && !matches!(bytes.get(at + after), Some(b'}' | b']')) => {
                    let outer = &text[line.0..line.1];
                    if let Some(inner) = text.get(at..at + after).and_then(indent)
                        && let Some(more) = inner.strip_prefix(outer)
                        && !more.is_empty()
                    {
                        unit = Some(more.to_owned());
                    }
                }
                _ => {}
            }
        }
        let colon = colon.unwrap_or(if comma == Some(",") { ":" } else { ": " });
        Self {
            unit: unit.unwrap_or_else(|| "  ".to_owned()),
            colon,
            comma: comma.unwrap_or(if colon.ends_with(' ') { ", " } else { "," }),
        }
    }
}

impl Layout {
    /// How a value that is no empty container lays itself out, where that can be seen at a glance.
    pub(super) fn of_value(value: View<'_>, manner: &Manner) -> Option<Self> {
        if !value.is_container() || value.is_empty_container() {
            return None;
        }
        let first = value.items().next(value)?;
        let inside = &value.text[value.start + 1..value.end - 1];
        let tail = &inside[inside.trim_end_matches(|c: char| c.is_ascii() && is_blank(c as u8)).len()..];
        let lead = &value.text[first.lead..first.name];
        let colon =
            if value.is_object() { colon(&value.text[first.colon..first.value]) } else { manner.colon };
        let second = value.part(first.end + 1, value.end - 1);
        let comma = match (first.end + 1 < value.end).then(|| second.run(value.is_object()).next(second)) {
            Some(Some(next)) => comma(&value.text[next.lead..next.name]),
            _ if value.is_object() => {
                if colon.ends_with(' ') {
                    ", "
                } else {
                    ","
                }
            }
            _ => manner.comma,
        };
        let lines = match (indent(lead), indent(tail)) {
            (Some(inner), Some(close)) => {
                let unit = inner.strip_prefix(close).filter(|more| !more.is_empty());
                Some(Lines {
                    end: line_end(lead),
                    indent: inner.to_owned(),
                    close: close.to_owned(),
                    unit: unit.unwrap_or(&manner.unit).to_owned(),
                })
            }
            _ if value.raw().contains('\n') => return None,
            _ => None,
        };
        Some(Self { lines, colon, comma })
    }

    /// How a container would be laid out as a value in one that is laid out like this.
    pub(super) fn inner(&self) -> Self {
        let lines = self.lines.as_ref().map(|lines| Lines {
            end: lines.end,
            indent: format!("{}{}", lines.indent, lines.unit),
            close: lines.indent.clone(),
            unit: lines.unit.clone(),
        });
        Self { lines, ..self.clone() }
    }

    /// Writes a value laid out like this: its closing bracket stands where `lines.close` says. Gives
    /// up, with `None`, where `out` would become longer than `most`.
    pub(super) fn write(&self, value: View<'_>, out: &mut String, most: usize) -> Option<()> {
        if !value.is_container() {
            out.push_str(value.raw());
            return (out.len() <= most).then_some(());
        }
        let bytes = value.text.as_bytes();
        let (mut at, mut depth) = (value.start, 0_usize);
        let line = |out: &mut String, depth: usize| {
            if let Some(lines) = &self.lines {
                out.push_str(lines.end);
                out.push_str(&lines.close);
                for _ in 0..depth {
                    out.push_str(&lines.unit);
                }
            }
        };
        while at < value.end {
            if out.len() > most {
                return None;
            }
            let start = at;
            at += 1;
            match bytes[start] {
                b'{' | b'[' => {
                    let open = &value.text[start..at];
                    at += bytes[at..].iter().take_while(|b| is_blank(**b)).count();
                    out.push_str(open);
                    if matches!(bytes[at], b'}' | b']') {
                        out.push(char::from(bytes[at]));
                        at += 1;
                    } else {
                        depth += 1;
                        line(out, depth);
                    }
                }
                close @ (b'}' | b']') => {
                    depth -= 1;
                    line(out, depth);
                    out.push(char::from(close));
                }
                b',' if self.lines.is_some() => {
                    out.push(',');
                    line(out, depth);
                }
                b',' => out.push_str(self.comma),
                b':' => out.push_str(self.colon),
                b'"' => {
                    while bytes[at] != b'"' {
                        at += 1 + usize::from(bytes[at] == b'\\');
                    }
                    at += 1;
                    out.push_str(&value.text[start..at]);
                }
                byte if is_blank(byte) => {}
                byte => out.push(char::from(byte)),
            }
        }
        (out.len() <= most).then_some(())
    }
}
