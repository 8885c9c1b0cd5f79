//! Columns that line up, whatever the script.

use std::io;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::{DIM, Out, Style, columns};

/// To which side a column leans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

struct Cell {
    text: String,
    style: Style,
}

/// Rows under a header; the last column is cut where the window ends.
pub(crate) struct Table {
    header: Vec<(&'static str, Align)>,
    rows: Vec<Vec<Cell>>,
}

const GAP: usize = 2;
/// The narrowest that a last column is cut to.
const LEAST: usize = 20;

impl Table {
    pub(crate) fn new(header: &[(&'static str, Align)]) -> Self {
        Self { header: header.to_vec(), rows: Vec::new() }
    }

    /// Adds a row of plain cells.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.styled_row(cells.map(|text| (text, Style::new())));
    }

    pub(crate) fn styled_row<const N: usize>(&mut self, cells: [(String, Style); N]) {
        assert_eq!(N, self.header.len(), "a row has a cell for each column");
        self.rows.push(cells.into_iter().map(|(text, style)| Cell { text, style }).collect());
    }

    pub(crate) fn print(&self, out: &mut Out) -> io::Result<()> {
        self.print_within(out, columns())
    }

    fn print_within(&self, out: &mut Out, window: Option<usize>) -> io::Result<()> {
        for line in self.lines(window) {
            out.line(line)?;
        }
        Ok(())
    }

    fn lines(&self, window: Option<usize>) -> Vec<String> {
        let widths: Vec<usize> = (0..self.header.len())
            .map(|column| {
                let cells = self.rows.iter().map(|row| row[column].text.width());
                cells.chain([self.header[column].0.width()]).max().unwrap_or(0)
            })
            .collect();
        let last = widths.len() - 1;
        let before: usize = widths[..last].iter().map(|width| width + GAP).sum();
        let room = window.map(|window| window.saturating_sub(before).max(LEAST));
        let header = self.header.iter().map(|(name, align)| (*name, DIM, *align));
        let mut lines = vec![line(header, &widths, room)];
        for row in &self.rows {
            let cells = row
                .iter()
                .zip(&self.header)
                .map(|(cell, (_, align))| (cell.text.as_str(), cell.style, *align));
            lines.push(line(cells, &widths, room));
        }
        lines
    }
}

fn line<'a>(
    cells: impl Iterator<Item = (&'a str, Style, Align)>,
    widths: &[usize],
    room: Option<usize>,
) -> String {
    let mut out = String::new();
    let last = widths.len() - 1;
    for (column, (text, style, align)) in cells.enumerate() {
        let text = match room {
            Some(room) if column == last => cut(text, room),
            _ => text.to_owned(),
        };
        let fill = " ".repeat(widths[column].saturating_sub(text.width()));
        let shown = super::styled(style, &text);
        match align {
            Align::Right => out.extend([fill.as_str(), shown.as_str()]),
            Align::Left if column == last => out.push_str(&shown),
            Align::Left => out.extend([shown.as_str(), fill.as_str()]),
        }
        if column < last {
            out.push_str(&" ".repeat(GAP));
        }
    }
    out
}

/// The beginning of a text that fits, with a mark that it goes on.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > width {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(lines: Vec<String>) -> Vec<String> {
        lines.into_iter().map(|line| anstream::adapter::strip_str(&line).to_string()).collect()
    }

    #[test]
    fn columns_line_up_in_every_script() {
        let mut table = Table::new(&[("#", Align::Right), ("Nama", Align::Left), ("Judul", Align::Left)]);
        table.row(["1".into(), "世界".into(), "a".into()]);
        table.row(["12".into(), "Ani".into(), "b".into()]);
        assert_eq!(plain(table.lines(None)), [" #  Nama  Judul", " 1  世界  a", "12  Ani   b"]);
    }

    #[test]
    fn the_last_column_ends_with_the_window() {
        let mut table = Table::new(&[("#", Align::Right), ("Judul", Align::Left)]);
        table.row(["1".into(), "x".repeat(60)]);
        let lines = plain(table.lines(Some(40)));
        assert_eq!(lines[1].width(), 40);
        assert!(lines[1].ends_with('…'));
        assert_eq!(plain(table.lines(None))[1].width(), 63);
    }
}
