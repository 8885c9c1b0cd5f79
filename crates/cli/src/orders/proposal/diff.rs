//! The changed lines, with the changed words marked where there are colours.

use std::fmt::Write as _;
use std::io;

use anstyle::Style;
use sekali_api::types::{ChangeDiff, Diff, DiffKind, DiffLine, LineKind};
use sekali_core::Lang;

use crate::show::{BAD, BOLD, DIM, GOOD, MARK, Out, clean, clean_line, styled};
use crate::text::say;

/// Prints the difference of a revision.
pub(in crate::orders) fn print(out: &mut Out, diff: &Diff, lang: Lang) -> io::Result<()> {
    for change in &diff.changes {
        out.line("")?;
        print_change(out, change, lang)?;
    }
    Ok(())
}

fn print_change(out: &mut Out, change: &ChangeDiff, lang: Lang) -> io::Result<()> {
    let (sign, style) = super::sign(change.op);
    let path = match &change.from {
        Some(from) => format!("{} → {}", clean(from), clean(&change.path)),
        None => clean(&change.path).into_owned(),
    };
    out.line(format_args!("{} {}", styled(style, sign), styled(BOLD, path)))?;
    let note = match change.kind {
        DiffKind::Text => None,
        DiffKind::Binary => {
            let size = crate::show::size(change.bytes.or(change.bytes_before).unwrap_or(0), lang);
            Some(say::BINARY.fill(lang, &[("size", &size)]))
        }
        DiffKind::TooLarge => Some(say::TOO_LARGE.pick(lang).to_owned()),
        DiffKind::Unavailable => Some(say::UNAVAILABLE.pick(lang).to_owned()),
    };
    if let Some(note) = note {
        return out.line(styled(DIM, note));
    }
    for hunk in &change.hunks {
        let at =
            format!("@@ -{},{} +{},{} @@", hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines);
        out.line(styled(MARK, at))?;
        for line in &hunk.lines {
            out.line(line_text(line))?;
            if line.no_newline {
                out.line(styled(DIM, format_args!("\\ {}", say::NO_NEWLINE.pick(lang))))?;
            }
        }
    }
    Ok(())
}

fn line_text(line: &DiffLine) -> String {
    let (sign, style) = match line.kind {
        LineKind::Context => (" ", Style::new()),
        LineKind::Add => ("+", GOOD),
        LineKind::Remove => ("-", BAD),
    };
    let marked = style.bold().underline();
    let mut out = styled(style, sign);
    for (part, changed) in parts(&line.text, &line.spans) {
        // A style round nothing would be left in the output.
        if !part.is_empty() {
            let _ = write!(out, "{}", styled(if changed { marked } else { style }, clean_line(part)));
        }
    }
    out
}

/// Cuts a line where its spans, which count UTF-16 units, begin and end.
fn parts<'a>(text: &'a str, spans: &[[u32; 2]]) -> Vec<(&'a str, bool)> {
    let mut parts = Vec::with_capacity(spans.len() * 2 + 1);
    let mut cuts = spans.iter().flat_map(|[from, to]| [(*from, false), (*to, true)]).peekable();
    let (mut units, mut start) = (0u32, 0);
    for (at, c) in text.char_indices() {
        while let Some((_, changed)) = cuts.next_if(|(cut, _)| *cut <= units) {
            parts.push((&text[start..at], changed));
            start = at;
        }
        units += u32::from(c.len_utf16() == 2) + 1;
    }
    let ends_changed = cuts.peek().is_some_and(|(_, changed)| *changed);
    parts.push((&text[start..], ends_changed));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_count_utf16_units() {
        let check = |text, spans: &[[u32; 2]], expected: &[(&str, bool)]| {
            let got: Vec<(&str, bool)> =
                parts(text, spans).into_iter().filter(|(part, _)| !part.is_empty()).collect();
            assert_eq!(got, expected, "{text}");
        };
        check("harga 15000", &[[6, 11]], &[("harga ", false), ("15000", true)]);
        check("a😀b", &[[1, 3]], &[("a", false), ("😀", true), ("b", false)]);
        check("abc", &[], &[("abc", false)]);
        check("abc", &[[0, 1], [2, 3]], &[("a", true), ("b", false), ("c", true)]);
        check("", &[], &[]);
    }

    #[test]
    fn a_line_cannot_move_the_cursor() {
        let line = DiffLine {
            kind: LineKind::Add,
            old: None,
            new: Some(1),
            text: "a\u{1b}[2Jb\r".to_owned(),
            spans: Vec::new(),
            no_newline: false,
        };
        assert_eq!(anstream::adapter::strip_str(&line_text(&line)).to_string(), "+a\\u{1b}[2Jb\\r");
    }
}
