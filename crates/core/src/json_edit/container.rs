//! A container that a pointer entered: runs of untouched items, and items on their own. What a
//! change does to the commas and blanks round it is here; how new text is laid out is in `style`.

use std::borrow::Cow;

use super::names::Names;
use super::pointer;
use super::scan::{Item, hash, small, unescape};
use super::style::{self, Layout, Lines};
use super::texts::{Span, Texts, plain};
use super::tree::Why;
use super::value::{New, Value, set};

/// Untouched items are kept together up to this many bytes: short enough to walk for each pointer
/// that ends in them, long enough that a document of millions of items has few runs.
const RUN_BYTES: usize = 4096;

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

impl Container {
    pub(super) fn split(texts: &Texts<'_>, span: Span) -> Self {
        let view = texts.view(span);
        let object = view.is_object();
        let mut container = Self {
            object,
            slots: Vec::new(),
            names: Names::default(),
            blank: Texts::part(span, view.start + 1, view.end - 1),
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

    /// Whether it is an object; else it is an array.
    pub(super) fn object(&self) -> bool {
        self.object
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub(super) fn count(&self) -> usize {
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
    pub(super) fn element(&mut self, texts: &Texts<'_>, index: usize) -> Result<usize, Why> {
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

    pub(super) fn find(&mut self, texts: &Texts<'_>, token: &str) -> Result<usize, Why> {
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

    /// Takes an item out, with its comma and its line.
    pub(super) fn take(&mut self, texts: &Texts<'_>, at: usize) -> Value {
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
    pub(super) fn insert_element(
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

    pub(super) fn len(&self, texts: &Texts<'_>) -> usize {
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

    pub(super) fn write(&self, texts: &Texts<'_>, out: &mut String) {
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

    pub(super) fn depth(&self, texts: &Texts<'_>) -> usize {
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

    pub(super) fn count(&self) -> usize {
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
