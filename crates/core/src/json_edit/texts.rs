//! The texts of which an edited document is made, and pieces of them: the document, the patch, and
//! what is written on the way.

use std::cell::OnceCell;

use super::scan::{Source, View, small};
use super::style::{self, Layout, Manner};
use super::tree::Why;
use crate::limit;

/// What one edit may write on the way, in bytes; a copy of an edited value is written out.
pub(super) const MADE_BYTES: usize = limit::SUBMISSION_BYTES;

/// Which text a span is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Document,
    Patch,
    Made,
}

/// A piece of one of the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    from: From,
    start: u32,
    end: u32,
}

impl Span {
    pub(super) const NONE: Self = Self { from: From::Made, start: 0, end: 0 };

    fn new(from: From, start: usize, end: usize) -> Self {
        Self { from, start: small(start), end: small(end) }
    }

    /// A piece of the document.
    pub(super) fn of_document(start: usize, end: usize) -> Self {
        Self::new(From::Document, start, end)
    }

    /// A piece of the patch.
    pub(super) fn of_patch(start: usize, end: usize) -> Self {
        Self::new(From::Patch, start, end)
    }

    /// Where it is in its text.
    pub(super) fn range(self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// The texts of which a tree is made.
#[derive(Debug)]
pub(super) struct Texts<'a> {
    document: Source<'a>,
    pub patch: Source<'a>,
    made: Source<'a>,
    manner: OnceCell<Manner>,
    /// Not less than what the document would be if it were written now.
    pub bound: usize,
}

impl<'a> Texts<'a> {
    pub(super) fn new(document: Source<'a>, patch: Source<'a>) -> Self {
        let bound = document.text().len();
        Self { document, patch, made: Source::growing(), manner: OnceCell::new(), bound }
    }

    pub(super) fn view(&self, span: Span) -> View<'_> {
        let source = match span.from {
            From::Document => &self.document,
            From::Patch => &self.patch,
            From::Made => &self.made,
        };
        source.view(span.start as usize, span.end as usize)
    }

    pub(super) fn str(&self, span: Span) -> &str {
        self.view(span).raw()
    }

    pub(super) fn part(span: Span, start: usize, end: usize) -> Span {
        Span::new(span.from, start, end)
    }

    pub(super) fn manner(&self) -> &Manner {
        self.manner.get_or_init(|| Manner::of(self.document.text()))
    }

    /// Keeps a text that is in no source.
    pub(super) fn make(&mut self, text: &str) -> Result<Span, Why> {
        make(&mut self.made, |made, _| {
            made.push_str(text);
            Some(())
        })
    }

    /// Writes a value of another layout.
    pub(super) fn lay_out(&mut self, value: Span, layout: &Layout) -> Result<Span, Why> {
        if value.from == From::Patch {
            let Self { patch, made, .. } = self;
            let view = patch.view(value.start as usize, value.end as usize);
            return make(made, |out, most| layout.write(view, out, most));
        }
        // Aside: the text that grows is the one that is read.
        let mut out = String::new();
        match layout.write(self.view(value), &mut out, limit::CONTENT_BYTES) {
            Some(()) => self.make(&out),
            None => Err(Why::TooLong(out.len())),
        }
    }

    /// A blank with one line end, as this one has where it has several.
    pub(super) fn one_line(&mut self, lead: Span) -> Result<Span, Why> {
        let text = self.str(lead);
        let Some(indent) = style::indent(text) else { return Ok(lead) };
        let own = format!("{}{indent}", style::line_end(text));
        if own == text { Ok(lead) } else { self.make(&own) }
    }

    pub(super) fn grown(&mut self, more: usize) {
        self.bound = self.bound.saturating_add(more);
    }
}

/// Adds to the text that grows: `write` is told how long it may become.
fn make(made: &mut Source<'_>, write: impl FnOnce(&mut String, usize) -> Option<()>) -> Result<Span, Why> {
    let made = made.grow();
    let start = made.len();
    let written = write(made, (start + limit::CONTENT_BYTES).min(MADE_BYTES));
    let end = made.len();
    if end - start > limit::CONTENT_BYTES {
        return Err(Why::TooLong(end - start));
    }
    if written.is_none() || end > MADE_BYTES {
        return Err(Why::TooMuch(end));
    }
    Ok(Span::new(From::Made, start, end))
}

/// On one line, as the document at large writes it.
pub(super) fn plain(texts: &Texts<'_>) -> Layout {
    let manner = texts.manner();
    Layout { lines: None, colon: manner.colon, comma: manner.comma }
}
