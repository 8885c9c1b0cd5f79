//! Columns that line up, whatever the script.

use std::io;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::{DIM, Out, Style, columns};

/// To which side a column leans, and what it does where the window is narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
    /// Left, and cut as far as is needed.
    Give,
    /// Left, and left out where cutting others is not enough.
    Spare,
    /// Left, cut as far as is needed, and left out where that is not enough.
    GiveOrSpare,
}

impl Align {
    fn gives(self) -> bool {
        matches!(self, Self::Give | Self::GiveOrSpare)
    }

    fn spares(self) -> bool {
        matches!(self, Self::Spare | Self::GiveOrSpare)
    }
}

struct Cell {
    text: String,
    style: Style,
}

/// Rows under a header. On a terminal they are as wide as the window at most; elsewhere nothing is cut.
pub(crate) struct Table {
    header: Vec<(&'static str, Align)>,
    rows: Vec<Vec<Cell>>,
}

const GAP: usize = 2;
/// The narrowest that a column is cut to, and the last one, which says most.
const LEAST: usize = 8;
const LEAST_LAST: usize = 12;

/// A column that is shown: which one it is, and how wide.
#[derive(Debug, Clone, Copy)]
struct Shown {
    index: usize,
    width: usize,
    /// It is cut to no less.
    least: usize,
}

impl Table {
    pub(crate) fn new(header: &[(&'static str, Align)]) -> Self {
        Self { header: header.to_vec(), rows: Vec::new() }
    }

    /// Adds a row of plain cells.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.styled_row(cells.map(|text| (text, Style::new())));
    }

    pub(crate) fn styled_row(&mut self, cells: impl IntoIterator<Item = (String, Style)>) {
        let row: Vec<Cell> = cells.into_iter().map(|(text, style)| Cell { text, style }).collect();
        assert_eq!(row.len(), self.header.len(), "a row has a cell for each column");
        self.rows.push(row);
    }

    pub(crate) fn print(&self, out: &mut Out) -> io::Result<()> {
        for line in self.lines(columns()) {
            out.line(line)?;
        }
        Ok(())
    }

    fn lines(&self, window: Option<usize>) -> Vec<String> {
        let mut shown = self.shown();
        if let Some(window) = window {
            self.fit(&mut shown, window);
        }
        let header: Vec<(&str, Style)> = self.header.iter().map(|(name, _)| (*name, DIM)).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|c| (c.text.as_str(), c.style)).collect());
        std::iter::once(header).chain(rows).map(|cells: Vec<_>| self.line(&cells, &shown)).collect()
    }

    /// Every column at its full width.
    fn shown(&self) -> Vec<Shown> {
        let last = self.header.len() - 1;
        let column = |(index, (name, align)): (usize, &(&str, Align))| {
            let cells = self.rows.iter().map(|row| row[index].text.width());
            let width = cells.chain([name.width()]).max().unwrap_or(0);
            let least = if index == last { LEAST_LAST } else { LEAST.max(name.width()) };
            Shown { index, width, least: if align.gives() { least.min(width) } else { width } }
        };
        self.header.iter().enumerate().map(column).collect()
    }

    /// Takes away what the window has no room for: first from the widest that gives.
    fn fit(&self, shown: &mut Vec<Shown>, window: usize) {
        let total = |width: fn(&Shown) -> usize, shown: &[Shown]| {
            shown.iter().map(|column| width(column) + GAP).sum::<usize>().saturating_sub(GAP)
        };
        while total(|column| column.least, shown) > window
            && let Some(spare) = shown.iter().rposition(|column| self.header[column.index].1.spares())
        {
            shown.remove(spare);
        }
        while total(|column| column.width, shown) > window
            && let Some(widest) =
                shown.iter_mut().filter(|c| c.width > c.least).max_by_key(|column| column.width)
        {
            widest.width -= 1;
        }
    }

    fn line(&self, cells: &[(&str, Style)], shown: &[Shown]) -> String {
        let mut out = String::new();
        for (place, column) in shown.iter().enumerate() {
            let (text, style) = cells[column.index];
            let text = cut(text, column.width);
            let fill = " ".repeat(column.width.saturating_sub(text.width()));
            let styled = super::styled(style, &text);
            let last = place + 1 == shown.len();
            match self.header[column.index].1 {
                Align::Right => out.extend([fill.as_str(), styled.as_str()]),
                _ if last => out.push_str(&styled),
                _ => out.extend([styled.as_str(), fill.as_str()]),
            }
            if !last {
                out.push_str(&" ".repeat(GAP));
            }
        }
        out
    }
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
    fn a_table_is_as_wide_as_the_window_and_whole_without_one() {
        let header = [
            ("#", Align::Right),
            ("State", Align::Give),
            ("When", Align::Left),
            ("Door", Align::Spare),
            ("Title", Align::Give),
        ];
        let mut table = Table::new(&header);
        let (state, when, title) =
            ("waiting, and more than that", "30 Nov 2026 14:02 WIB", "judul ".repeat(9));
        table.row(["1".into(), state.into(), when.into(), "desktop".into(), title.clone()]);
        let check = |window, width, cut: usize, door| {
            let lines = plain(table.lines(Some(window)));
            assert_eq!(lines[1].width(), width, "{window}: {}", lines[1]);
            assert_eq!(lines[1].matches('…').count(), cut, "{window}: {}", lines[1]);
            assert!(lines[1].contains(when), "a time is never cut: {}", lines[1]);
            let shown = lines.iter().all(|line| line.contains("Door") || line.contains("desktop"));
            assert_eq!(shown, door, "{window}: {}", lines[1]);
        };
        check(200, 118, 0, true);
        // The widest gives first; what is narrower stays whole as long as it can.
        check(100, 100, 1, true);
        check(80, 80, 2, true);
        check(60, 60, 2, true);
        check(56, 56, 2, false);
        // Narrower than what must stay.
        check(20, 48, 2, false);
        let whole = plain(table.lines(None));
        assert!(whole[1].contains(state) && whole[1].ends_with(&title), "{}", whole[1]);
    }
}
