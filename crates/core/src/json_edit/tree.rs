//! A document as a tree of spans over its own bytes. A container is split only when a pointer enters
//! it, and then into runs of untouched items; what nobody touches is never looked at again, and is
//! written as it was read. What a change of a container does to the blanks round it is here; how new
//! text is laid out is in `style`.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::names::Names;
use super::pointer;
use super::scan::{Item, Source, View, hash, small, unescape};
use super::style::{self, Layout, Lines, Manner};
use crate::limit;

/// Untouched items are kept together up to this many bytes: short enough to walk for each pointer
/// that ends in them, long enough that a document of millions of items has few runs.
const RUN_BYTES: usize = 4096;
/// What one edit may write on the way, in bytes; a copy of an edited value is written out.
pub(super) const MADE_BYTES: usize = limit::SUBMISSION_BYTES;
/// What a document may grow to on the way, in bytes; where it ends is measured at the end.
const WAY_BYTES: usize = 2 * limit::CONTENT_BYTES;

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
    const NONE: Self = Self { from: From::Made, start: 0, end: 0 };

    fn new(from: From, start: usize, end: usize) -> Self {
        Self { from, start: small(start), end: small(end) }
    }

    /// A piece of the patch.
    pub(super) fn of_patch(start: usize, end: usize) -> Self {
        Self::new(From::Patch, start, end)
    }

    /// Where it is in its text.
    pub(super) fn range(self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    fn len(self) -> usize {
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
    bound: usize,
}

/// A value: text as it is, or a container that was entered.
#[derive(Debug)]
pub(super) enum Value {
    Text(Span),
    Open(Box<Container>),
}

#[derive(Debug)]
pub(super) struct Container {
    object: bool,
    slots: Vec<Slot>,
    /// Of its members; an array has none.
    names: Names,
    /// What is between the brackets where there are no slots.
    blank: Span,
    /// How it was laid out before its last item was taken.
    was: Option<Layout>,
}

/// Items with the blank before them, up to the comma or the bracket after them.
#[derive(Debug)]
struct Slot {
    lead: Span,
    body: Body,
    trail: Span,
    /// The number of the first member in `Container::names`; it rises from slot to slot.
    number: u32,
}

#[derive(Debug)]
enum Body {
    /// Untouched items, with what stands between them.
    Run { text: Span, count: u32 },
    /// One item; in an array, name and colon are empty.
    Item { name: Span, colon: Span, value: Value },
}

/// Why a pointer does not lead where the edit wants to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Miss {
    /// The token that does not fit, from 0.
    pub depth: usize,
    pub why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Why {
    /// No such member.
    NoMember,
    /// Several such members.
    Twice,
    /// What the token should go into is no container.
    Scalar,
    /// The token is no index.
    NoIndex,
    /// The index is past the end of an array of this many elements.
    PastEnd(usize),
    /// `-` where an element must be there.
    Dash,
    /// The whole document cannot be taken away.
    Whole,
    /// The result would be nested too deep.
    TooDeep,
    /// The result would have so many bytes.
    TooLong(usize),
    /// So many bytes would be written on the way.
    TooMuch(usize),
}

/// What is put into the document.
pub(super) enum New {
    /// Text of the patch or made from it, to be laid out.
    Raw(Span),
    /// A value that was in the document, as it is.
    Kept(Value),
}

/// A value as text.
pub(super) enum Reading<'t> {
    View(View<'t>),
    Made(String),
}

impl Reading<'_> {
    pub(super) fn view(&self) -> View<'_> {
        match self {
            Self::View(view) => *view,
            Self::Made(text) => View::of(text),
        }
    }
}

/// A document that is being edited.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub texts: Texts<'a>,
    /// What stands before and after the value.
    head: Span,
    foot: Span,
    pub root: Value,
}

impl Texts<'_> {
    pub(super) fn view(&self, span: Span) -> View<'_> {
        let source = match span.from {
            From::Document => &self.document,
            From::Patch => &self.patch,
            From::Made => &self.made,
        };
        source.view(span.start as usize, span.end as usize)
    }

    fn str(&self, span: Span) -> &str {
        self.view(span).raw()
    }

    fn part(span: Span, start: usize, end: usize) -> Span {
        Span::new(span.from, start, end)
    }

    fn manner(&self) -> &Manner {
        self.manner.get_or_init(|| Manner::of(self.document.text()))
    }

    /// Keeps a text that is in no source.
    pub(super) fn make(&mut self, text: &str) -> Result<Span, Why> {
        make(&mut self.made, |made, _| {
            made.push_str(text);
            Some(())
        })
    }

    /// A blank with one line end, as this one has where it has several.
    fn one_line(&mut self, lead: Span) -> Result<Span, Why> {
        let text = self.str(lead);
        let Some(indent) = style::indent(text) else { return Ok(lead) };
        let own = format!("{}{indent}", style::line_end(text));
        if own == text { Ok(lead) } else { self.make(&own) }
    }

    fn grown(&mut self, more: usize) {
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

impl Value {
    /// The container, split if it was not; `None` where it is none.
    pub(super) fn open(&mut self, texts: &Texts<'_>) -> Option<&mut Container> {
        if let Self::Text(span) = self {
            if !texts.view(*span).is_container() {
                return None;
            }
            *self = Self::Open(Box::new(Container::split(texts, *span)));
        }
        match self {
            Self::Open(container) => Some(container),
            Self::Text(_) => None,
        }
    }

    pub(super) fn is_object(&self, texts: &Texts<'_>) -> bool {
        match self {
            Self::Text(span) => texts.view(*span).is_object(),
            Self::Open(container) => container.object,
        }
    }

    fn is_empty_container(&self, texts: &Texts<'_>) -> bool {
        match self {
            Self::Text(span) => texts.view(*span).is_empty_container(),
            Self::Open(container) => container.slots.is_empty(),
        }
    }

    pub(super) fn read<'t>(&self, texts: &'t Texts<'_>) -> Reading<'t> {
        match self {
            Self::Text(span) => Reading::View(texts.view(*span)),
            Self::Open(container) => {
                let mut out = String::with_capacity(container.len(texts));
                container.write(texts, &mut out);
                Reading::Made(out)
            }
        }
    }

    fn len(&self, texts: &Texts<'_>) -> usize {
        match self {
            Self::Text(span) => span.len(),
            Self::Open(container) => container.len(texts),
        }
    }

    fn write(&self, texts: &Texts<'_>, out: &mut String) {
        match self {
            Self::Text(span) => out.push_str(texts.str(*span)),
            Self::Open(container) => container.write(texts, out),
        }
    }

    fn depth(&self, texts: &Texts<'_>) -> usize {
        match self {
            Self::Text(span) => texts.view(*span).depth(),
            Self::Open(container) => container.depth(texts),
        }
    }

    /// How it is laid out itself, where it is a container that shows it.
    fn layout(&self, texts: &Texts<'_>) -> Option<Layout> {
        match self {
            Self::Text(span) => Layout::of_value(texts.view(*span), texts.manner()),
            Self::Open(container) if container.slots.is_empty() => None,
            Self::Open(container) => Some(container.layout(texts, None)),
        }
    }
}

impl Container {
    fn split(texts: &Texts<'_>, span: Span) -> Self {
        let view = texts.view(span);
        let object = view.is_object();
        let mut container = Self {
            object,
            slots: Vec::new(),
            names: Names::default(),
            blank: Span::new(span.from, view.start + 1, view.end - 1),
            was: None,
        };
        let mut items = view.items();
        let mut run: Option<(Item, u32, u32)> = None;
        while let Some(item) = items.next(view) {
            let (first, count, number) = run.get_or_insert((item, 0, small(container.names.len())));
            *count += 1;
            if object {
                container.names.push(hash(&unescape(item.name(view))));
            }
            if item.trail - first.name >= RUN_BYTES || item.end + 1 >= view.end {
                container.slots.push(Slot {
                    lead: Texts::part(span, first.lead, first.name),
                    body: Body::Run { text: Texts::part(span, first.name, item.trail), count: *count },
                    trail: Texts::part(span, item.trail, item.end),
                    number: *number,
                });
                run = None;
            }
        }
        container
    }

    fn count(&self) -> usize {
        self.slots.iter().map(Slot::count).sum()
    }

    /// The slot of the one member of this name, made an item of its own.
    pub(super) fn member(&mut self, texts: &Texts<'_>, name: &str) -> Result<usize, Why> {
        let mut found = None;
        for number in self.names.of(hash(name)) {
            // The last slot that begins no later, if the member is still there.
            let Some(at) = self.slots.partition_point(|slot| slot.number as usize <= number).checked_sub(1)
            else {
                continue;
            };
            let slot = &self.slots[at];
            let nth = number - slot.number as usize;
            if nth < slot.count() && slot.nth_is(texts, nth, name) && found.replace((at, nth)).is_some() {
                return Err(Why::Twice);
            }
        }
        let (at, nth) = found.ok_or(Why::NoMember)?;
        Ok(self.isolate(texts, at, nth))
    }

    /// The slot of the element at an index, made an item of its own.
    fn element(&mut self, texts: &Texts<'_>, index: usize) -> Result<usize, Why> {
        let mut left = index;
        for at in 0..self.slots.len() {
            let count = self.slots[at].count();
            if left < count {
                return Ok(self.isolate(texts, at, left));
            }
            left -= count;
        }
        Err(Why::PastEnd(self.count()))
    }

    fn find(&mut self, texts: &Texts<'_>, token: &str) -> Result<usize, Why> {
        if self.object {
            return self.member(texts, token);
        }
        match pointer::index(token) {
            Some(index) => self.element(texts, index),
            None if token == "-" => Err(Why::Dash),
            None => Err(Why::NoIndex),
        }
    }

    pub(super) fn value(&mut self, slot: usize) -> &mut Value {
        match &mut self.slots[slot].body {
            Body::Item { value, .. } => value,
            Body::Run { .. } => unreachable!("a slot that was found is an item: `isolate` made it one"),
        }
    }

    /// Makes the item of a slot a slot of its own; gives its place.
    fn isolate(&mut self, texts: &Texts<'_>, at: usize, nth: usize) -> usize {
        let Slot { lead, body: Body::Run { text, count }, trail, number } = self.slots[at] else { return at };
        let view = texts.view(text);
        let mut items = view.run(self.object);
        let mut before: Option<Item> = None;
        let mut item = items.next(view).expect("a run is never empty");
        for _ in 0..nth {
            before = Some(item);
            item = items.next(view).expect("a run has as many items as it counts");
        }
        let after = items.next(view);
        let part = |start, end| Texts::part(text, start, end);
        let mut slots = Vec::with_capacity(3);
        if let Some(before) = before {
            slots.push(Slot {
                lead,
                body: Body::Run { text: part(view.start, before.trail), count: small(nth) },
                trail: part(before.trail, before.end),
                number,
            });
        }
        let own = if self.object { number + small(nth) } else { 0 };
        slots.push(Slot {
            lead: if before.is_some() { part(item.lead, item.name) } else { lead },
            body: Body::Item {
                name: part(item.name, item.colon),
                colon: part(item.colon, item.value),
                value: Value::Text(part(item.value, item.trail)),
            },
            trail: if after.is_some() { part(item.trail, item.end) } else { trail },
            number: own,
        });
        if let Some(after) = after {
            slots.push(Slot {
                lead: part(after.lead, after.name),
                body: Body::Run { text: part(after.name, view.end), count: count - small(nth) - 1 },
                trail,
                number: own + u32::from(self.object),
            });
        }
        let place = at + usize::from(before.is_some());
        self.slots.splice(at..=at, slots);
        place
    }

    /// The blank before the last item.
    fn last_lead(&self, texts: &Texts<'_>) -> Option<Span> {
        let slot = self.slots.last()?;
        let Body::Run { text, count, .. } = slot.body else { return Some(slot.lead) };
        if count == 1 {
            return Some(slot.lead);
        }
        let view = texts.view(text);
        let mut items = view.run(self.object);
        let mut last = items.next(view)?;
        while let Some(item) = items.next(view) {
            last = item;
        }
        Some(Texts::part(text, last.lead, last.name))
    }

    /// How the colon of the first member is written.
    fn colon(&self, texts: &Texts<'_>) -> Option<&'static str> {
        if !self.object {
            return None;
        }
        match self.slots.first()?.body {
            Body::Item { colon, .. } => Some(style::colon(texts.str(colon))),
            Body::Run { text, .. } => {
                let view = texts.view(text);
                let first = view.run(true).next(view)?;
                Some(style::colon(&view.text[first.colon..first.value]))
            }
        }
    }

    /// How it sets its items apart; an empty one as `outer`, in which it stands.
    pub(super) fn layout(&self, texts: &Texts<'_>, outer: Option<&Layout>) -> Layout {
        let manner = texts.manner();
        let Some(last) = self.last_lead(texts) else { return self.empty_layout(texts, outer) };
        let lead = texts.str(last);
        let tail = self.slots.last().map_or("", |slot| texts.str(slot.trail));
        let lines = style::indent(lead).map(|indent| {
            let close = style::indent(tail);
            let unit = close.and_then(|close| indent.strip_prefix(close)).filter(|unit| !unit.is_empty());
            let unit = unit.unwrap_or(&manner.unit);
            Lines {
                end: style::line_end(lead),
                indent: indent.to_owned(),
                close: close.unwrap_or_else(|| indent.strip_suffix(unit).unwrap_or_default()).to_owned(),
                unit: unit.to_owned(),
            }
        });
        let own = self.colon(texts);
        let comma = match own {
            _ if lines.is_none() && self.count() > 1 => style::comma(lead),
            Some(colon) => {
                if colon.ends_with(' ') {
                    ", "
                } else {
                    ","
                }
            }
            None => manner.comma,
        };
        Layout { lines, colon: own.unwrap_or(manner.colon), comma }
    }

    fn empty_layout(&self, texts: &Texts<'_>, outer: Option<&Layout>) -> Layout {
        if let Some(was) = &self.was {
            return was.clone();
        }
        let manner = texts.manner();
        let mut layout = outer.map_or_else(|| plain(texts), Layout::inner);
        // `{` and `}` on two lines already.
        let blank = texts.str(self.blank);
        if let Some(close) = style::indent(blank) {
            let unit = layout.lines.take().map_or_else(|| manner.unit.clone(), |lines| lines.unit);
            layout.lines = Some(Lines {
                end: style::line_end(blank),
                indent: format!("{close}{unit}"),
                close: close.to_owned(),
                unit,
            });
        }
        layout
    }

    /// Takes an item out, with its comma and its line.
    fn take(&mut self, texts: &Texts<'_>, at: usize) -> Value {
        let was = (self.slots.len() == 1).then(|| self.layout(texts, None));
        let last = at + 1 == self.slots.len();
        let slot = self.slots.remove(at);
        if was.is_some() {
            self.was = was;
            self.blank = Span::NONE;
        } else if last {
            self.slots[at - 1].trail = slot.trail;
        } else {
            // The next one moves up where this one began a line and the next does not, or where
            // there is none before it.
            let begins = |lead: Span| texts.str(lead).contains('\n');
            if at == 0 || (begins(slot.lead) && !begins(self.slots[at].lead)) {
                self.slots[at].lead = slot.lead;
            }
        }
        match slot.body {
            Body::Item { value, .. } => value,
            Body::Run { .. } => unreachable!("a slot that was found is an item: `isolate` made it one"),
        }
    }

    /// Puts a new member last.
    pub(super) fn push_member(
        &mut self,
        texts: &mut Texts<'_>,
        outer: Option<&Layout>,
        name: Name<'_>,
        new: New,
    ) -> Result<(), Why> {
        let layout = self.layout(texts, outer);
        let meant = name.meant();
        let number = small(self.names.push(hash(&meant)));
        let name = match name {
            Name::Raw(span, _) => span,
            Name::Meant(meant) => {
                let mut raw = String::with_capacity(meant.len() + 2);
                crate::json::write_string(&mut raw, meant);
                texts.make(&raw)?
            }
        };
        let colon = texts.make(layout.colon)?;
        self.push(texts, &layout, new, (name, colon), number)
    }

    fn push(
        &mut self,
        texts: &mut Texts<'_>,
        layout: &Layout,
        new: New,
        (name, colon): (Span, Span),
        number: u32,
    ) -> Result<(), Why> {
        let Some(last) = self.slots.len().checked_sub(1) else {
            let value = new.placed(texts, &layout.inner())?;
            let (lead, trail) = match &layout.lines {
                None => (Span::NONE, Span::NONE),
                Some(lines) => (
                    texts.make(&format!("{}{}", lines.end, lines.indent))?,
                    texts.make(&format!("{}{}", lines.end, lines.close))?,
                ),
            };
            self.slots.push(Slot { lead, body: Body::Item { name, colon, value }, trail, number });
            return Ok(());
        };
        let last = self.isolate(texts, last, self.slots[last].count() - 1);
        let inner = self.neighbour(texts, layout, last, &new);
        let value = new.placed(texts, &inner)?;
        let lead = match (&layout.lines, last) {
            (None, 0) if layout.comma == ", " => texts.make(" ")?,
            (None, 0) => Span::NONE,
            _ => texts.one_line(self.slots[last].lead)?,
        };
        let trail = self.slots[last].trail;
        self.slots[last].trail = if last == 0 { Span::NONE } else { self.slots[last - 1].trail };
        self.slots.push(Slot { lead, body: Body::Item { name, colon, value }, trail, number });
        Ok(())
    }

    /// Puts a new element before an index, or last.
    fn insert_element(
        &mut self,
        texts: &mut Texts<'_>,
        outer: Option<&Layout>,
        index: usize,
        new: New,
    ) -> Result<(), Why> {
        let layout = self.layout(texts, outer);
        let count = self.count();
        if index == count {
            return self.push(texts, &layout, new, (Span::NONE, Span::NONE), 0);
        }
        let at = self.element(texts, index)?;
        let inner = self.neighbour(texts, &layout, at, &new);
        let value = new.placed(texts, &inner)?;
        let lead = self.slots[at].lead;
        let (mut own, mut trail) = (lead, Span::NONE);
        if at > 0 {
            own = texts.one_line(lead)?;
            trail = self.slots[at - 1].trail;
        } else {
            // The first one: what was first is set apart as the others are.
            self.slots[0].lead = if count > 1 {
                trail = self.slots[0].trail;
                texts.one_line(self.slots[1].lead)?
            } else if layout.lines.is_some() {
                texts.one_line(lead)?
            } else {
                texts.make(&layout.comma[1..])?
            };
        }
        let body = Body::Item { name: Span::NONE, colon: Span::NONE, value };
        self.slots.insert(at, Slot { lead: own, body, trail, number: 0 });
        Ok(())
    }

    /// How a new value is laid out beside an item: as that one, where both are of one kind.
    fn neighbour(&mut self, texts: &Texts<'_>, layout: &Layout, at: usize, new: &New) -> Layout {
        let value = self.value(at);
        let alike = new.is_object(texts) == Some(value.is_object(texts));
        let own = if alike { value.layout(texts) } else { None };
        own.unwrap_or_else(|| layout.inner())
    }

    fn len(&self, texts: &Texts<'_>) -> usize {
        if self.slots.is_empty() {
            return 2 + self.blank.len();
        }
        let slot = |slot: &Slot| {
            let body = match &slot.body {
                Body::Run { text, .. } => text.len(),
                Body::Item { name, colon, value, .. } => name.len() + colon.len() + value.len(texts),
            };
            slot.lead.len() + body + slot.trail.len() + 1
        };
        1 + self.slots.iter().map(slot).sum::<usize>()
    }

    fn write(&self, texts: &Texts<'_>, out: &mut String) {
        out.push(if self.object { '{' } else { '[' });
        if self.slots.is_empty() {
            out.push_str(texts.str(self.blank));
        }
        for (n, slot) in self.slots.iter().enumerate() {
            if n > 0 {
                out.push(',');
            }
            out.push_str(texts.str(slot.lead));
            match &slot.body {
                Body::Run { text, .. } => out.push_str(texts.str(*text)),
                Body::Item { name, colon, value, .. } => {
                    out.push_str(texts.str(*name));
                    out.push_str(texts.str(*colon));
                    value.write(texts, out);
                }
            }
            out.push_str(texts.str(slot.trail));
        }
        out.push(if self.object { '}' } else { ']' });
    }

    fn depth(&self, texts: &Texts<'_>) -> usize {
        let slot = |slot: &Slot| match &slot.body {
            Body::Run { text, .. } => texts.view(*text).depth(),
            Body::Item { value, .. } => value.depth(texts),
        };
        1 + self.slots.iter().map(slot).max().unwrap_or(0)
    }
}

impl Slot {
    /// Whether the member that is the nth here has this name; its hash was that of the name.
    fn nth_is(&self, texts: &Texts<'_>, nth: usize, wanted: &str) -> bool {
        match &self.body {
            Body::Item { name, .. } => unescape(texts.str(*name)) == wanted,
            Body::Run { text, .. } => {
                let view = texts.view(*text);
                let mut items = view.run(true);
                let mut item = items.next(view);
                for _ in 0..nth {
                    item = items.next(view);
                }
                item.is_some_and(|item| unescape(item.name(view)) == wanted)
            }
        }
    }

    fn count(&self) -> usize {
        match self.body {
            Body::Run { count, .. } => count as usize,
            Body::Item { .. } => 1,
        }
    }
}

/// The name of a new member.
#[derive(Debug, Clone, Copy)]
pub(super) enum Name<'n> {
    /// As the patch writes it, and as it is meant.
    Raw(Span, &'n str),
    /// As it is meant.
    Meant(&'n str),
}

impl<'n> Name<'n> {
    fn meant(self) -> Cow<'n, str> {
        match self {
            Self::Raw(_, meant) | Self::Meant(meant) => Cow::Borrowed(meant),
        }
    }
}

impl New {
    /// Whether it is an object or an array.
    fn is_object(&self, texts: &Texts<'_>) -> Option<bool> {
        match self {
            Self::Raw(span) => {
                let view = texts.view(*span);
                view.is_container().then(|| view.is_object())
            }
            // What was in the document is not laid out.
            Self::Kept(_) => None,
        }
    }

    fn depth(&self, texts: &Texts<'_>) -> usize {
        match self {
            Self::Raw(span) => texts.view(*span).depth(),
            Self::Kept(value) => value.depth(texts),
        }
    }

    /// Refuses what would nest too deep at a place.
    pub(super) fn fits(&self, texts: &Texts<'_>, depth: usize) -> Result<(), Why> {
        if depth + self.depth(texts) > limit::JSON_DEPTH { Err(Why::TooDeep) } else { Ok(()) }
    }

    /// As a value of the document. Its bytes are counted, and some for what sets it apart.
    fn placed(self, texts: &mut Texts<'_>, layout: &Layout) -> Result<Value, Why> {
        let value = match self {
            Self::Kept(value) => value,
            Self::Raw(span) if texts.view(span).is_container() => {
                if span.from == From::Patch {
                    let Texts { patch, made, .. } = texts;
                    let view = patch.view(span.start as usize, span.end as usize);
                    Value::Text(make(made, |out, most| layout.write(view, out, most))?)
                } else {
                    // Aside: the text that grows is the one that is read.
                    let mut out = String::new();
                    if layout.write(texts.view(span), &mut out, limit::CONTENT_BYTES).is_none() {
                        return Err(Why::TooLong(out.len()));
                    }
                    Value::Text(texts.make(&out)?)
                }
            }
            Self::Raw(span) => Value::Text(span),
        };
        let more = value.len(texts);
        texts.grown(more);
        Ok(value)
    }
}

impl<'a> Tree<'a> {
    pub(super) fn new(document: Source<'a>, patch: Source<'a>) -> Self {
        let whole = document.whole();
        let (start, end, len) = (whole.start, whole.end, document.text().len());
        Self {
            head: Span::new(From::Document, 0, start),
            foot: Span::new(From::Document, end, len),
            root: Value::Text(Span::new(From::Document, start, end)),
            texts: Texts { document, patch, made: Source::growing(), manner: OnceCell::new(), bound: len },
        }
    }

    /// The container that a pointer's last token is of, and how the one round it is laid out where
    /// that matters. The pointer is not empty.
    fn parent(
        &mut self,
        tokens: &[String],
    ) -> Result<(&mut Container, Option<Layout>, &mut Texts<'a>), Miss> {
        let texts = &mut self.texts;
        let mut at = &mut self.root;
        let mut outer = None;
        let last = tokens.len() - 1;
        for (depth, token) in tokens[..last].iter().enumerate() {
            let miss = |why| Miss { depth, why };
            let container = at.open(texts).ok_or_else(|| miss(Why::Scalar))?;
            let slot = container.find(texts, token).map_err(miss)?;
            let empty = container.value(slot).is_empty_container(texts);
            outer = empty.then(|| container.layout(texts, None));
            at = container.value(slot);
        }
        match at.open(texts) {
            Some(container) => Ok((container, outer, texts)),
            None => Err(Miss { depth: last, why: Why::Scalar }),
        }
    }

    /// The value that a pointer leads to.
    pub(super) fn at(&mut self, tokens: &[String]) -> Result<(&mut Value, &mut Texts<'a>), Miss> {
        let Some(last) = tokens.last() else { return Ok((&mut self.root, &mut self.texts)) };
        let depth = tokens.len() - 1;
        let (container, _, texts) = self.parent(tokens)?;
        let slot = container.find(texts, last).map_err(|why| Miss { depth, why })?;
        Ok((container.value(slot), texts))
    }

    pub(super) fn read(&mut self, tokens: &[String]) -> Result<Reading<'_>, Miss> {
        let (value, texts) = self.at(tokens)?;
        Ok(value.read(texts))
    }

    /// A second one of what a pointer leads to. An edited value is written out for it, once.
    pub(super) fn copy(&mut self, tokens: &[String]) -> Result<Value, Miss> {
        let (value, texts) = self.at(tokens)?;
        if let Value::Open(container) = value {
            let mut out = String::with_capacity(container.len(texts));
            container.write(texts, &mut out);
            let span = texts.make(&out).map_err(|why| Miss { depth: tokens.len(), why })?;
            *value = Value::Text(span);
        }
        match value {
            Value::Text(span) => Ok(Value::Text(*span)),
            Value::Open(_) => unreachable!("it was just written out"),
        }
    }

    /// Sets a value that is there.
    pub(super) fn replace(&mut self, tokens: &[String], new: New) -> Result<(), Miss> {
        let miss = |why| Miss { depth: tokens.len(), why };
        new.fits(&self.texts, tokens.len()).map_err(miss)?;
        let Some(last) = tokens.last() else {
            set(&mut self.root, &mut self.texts, new, None).map_err(miss)?;
            return self.short();
        };
        let depth = tokens.len() - 1;
        let (container, _, texts) = self.parent(tokens)?;
        let slot = container.find(texts, last).map_err(|why| Miss { depth, why })?;
        container.set(texts, slot, new).map_err(miss)?;
        self.short()
    }

    /// Adds a member or an element, or sets a member that is there.
    pub(super) fn add(&mut self, tokens: &[String], new: New) -> Result<(), Miss> {
        let Some(last) = tokens.last() else { return self.replace(tokens, new) };
        let depth = tokens.len() - 1;
        let miss = |why| Miss { depth, why };
        let (container, outer, texts) = self.parent(tokens)?;
        new.fits(texts, tokens.len()).map_err(miss)?;
        if container.object {
            match container.member(texts, last) {
                Ok(slot) => container.set(texts, slot, new),
                Err(Why::NoMember) => container.push_member(texts, outer.as_ref(), Name::Meant(last), new),
                Err(why) => Err(why),
            }
        } else {
            let count = container.count();
            let index = if last == "-" { Some(count) } else { pointer::index(last) };
            match index {
                Some(index) if index <= count => container.insert_element(texts, outer.as_ref(), index, new),
                Some(_) => Err(Why::PastEnd(count)),
                None => Err(Why::NoIndex),
            }
        }
        .map_err(miss)?;
        self.texts.grown(SET_APART);
        self.short()
    }

    /// Takes a value out.
    pub(super) fn remove(&mut self, tokens: &[String]) -> Result<Value, Miss> {
        let Some(last) = tokens.last() else { return Err(Miss { depth: 0, why: Why::Whole }) };
        let depth = tokens.len() - 1;
        let (container, _, texts) = self.parent(tokens)?;
        let slot = container.find(texts, last).map_err(|why| Miss { depth, why })?;
        Ok(container.take(texts, slot))
    }

    /// Refuses what has become far too long. It is measured only when it might have.
    fn short(&mut self) -> Result<(), Miss> {
        if self.texts.bound > WAY_BYTES {
            self.texts.bound = self.len();
            if self.texts.bound > WAY_BYTES {
                return Err(Miss { depth: 0, why: Why::TooLong(self.texts.bound) });
            }
        }
        Ok(())
    }

    /// How many bytes it would be if it were written now.
    pub(super) fn len(&self) -> usize {
        self.head.len() + self.root.len(&self.texts) + self.foot.len()
    }

    /// The document as it is now.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = String::with_capacity(self.len());
        out.push_str(self.texts.str(self.head));
        self.root.write(&self.texts, &mut out);
        out.push_str(self.texts.str(self.foot));
        out.into_bytes()
    }
}

impl Container {
    /// Sets the value of an item.
    pub(super) fn set(&mut self, texts: &mut Texts<'_>, slot: usize, new: New) -> Result<(), Why> {
        let laid_out = new.is_object(texts).is_some();
        let inner = if laid_out { Some(self.layout(texts, None).inner()) } else { None };
        set(self.value(slot), texts, new, inner)
    }

    /// Takes the item of a slot away.
    pub(super) fn remove(&mut self, texts: &Texts<'_>, slot: usize) {
        drop(self.take(texts, slot));
    }
}

/// What sets an item apart is rarely more; the true length is measured where it counts.
const SET_APART: usize = 64;

/// On one line, as the document at large writes it.
fn plain(texts: &Texts<'_>) -> Layout {
    let manner = texts.manner();
    Layout { lines: None, colon: manner.colon, comma: manner.comma }
}

/// Sets a value, unless it is equal already: then its bytes stay.
pub(super) fn set(
    value: &mut Value,
    texts: &mut Texts<'_>,
    new: New,
    layout: Option<Layout>,
) -> Result<(), Why> {
    let same = match &new {
        New::Raw(span) => super::compare::equal(value.read(texts).view(), texts.view(*span)),
        New::Kept(kept) => super::compare::equal(value.read(texts).view(), kept.read(texts).view()),
    };
    if same == Ok(true) {
        return Ok(());
    }
    let own = if new.is_object(texts).is_some() { value.layout(texts) } else { None };
    let layout = own.or(layout).unwrap_or_else(|| plain(texts));
    *value = new.placed(texts, &layout)?;
    Ok(())
}
