//! A value of an edited document: text as it stands, or a container that a pointer entered; and how
//! one is put in the place of another.

use super::container::Container;
use super::scan::View;
use super::style::Layout;
use super::texts::{Span, Texts, plain};
use super::tree::Why;
use crate::limit;

/// A value: text as it is, or a container that was entered.
#[derive(Debug)]
pub(super) enum Value {
    Text(Span),
    Open(Box<Container>),
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
            Self::Open(container) => container.object(),
        }
    }

    pub(super) fn is_empty_container(&self, texts: &Texts<'_>) -> bool {
        match self {
            Self::Text(span) => texts.view(*span).is_empty_container(),
            Self::Open(container) => container.is_empty(),
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

    pub(super) fn len(&self, texts: &Texts<'_>) -> usize {
        match self {
            Self::Text(span) => span.len(),
            Self::Open(container) => container.len(texts),
        }
    }

    pub(super) fn write(&self, texts: &Texts<'_>, out: &mut String) {
        match self {
            Self::Text(span) => out.push_str(texts.str(*span)),
            Self::Open(container) => container.write(texts, out),
        }
    }

    pub(super) fn depth(&self, texts: &Texts<'_>) -> usize {
        match self {
            Self::Text(span) => texts.view(*span).depth(),
            Self::Open(container) => container.depth(texts),
        }
    }

    /// How it is laid out itself, where it is a container that shows it.
    pub(super) fn layout(&self, texts: &Texts<'_>) -> Option<Layout> {
        match self {
            Self::Text(span) => Layout::of_value(texts.view(*span), texts.manner()),
            Self::Open(container) if container.is_empty() => None,
            Self::Open(container) => Some(container.layout(texts, None)),
        }
    }
}

impl New {
    /// Whether it is an object or an array.
    pub(super) fn is_object(&self, texts: &Texts<'_>) -> Option<bool> {
        match self {
            Self::Raw(span) => {
                let view = texts.view(*span);
                view.is_container().then(|| view.is_object())
            }
            // What was in the document is not laid out.
            Self::Kept(_) => None,
        }
    }

    pub(super) fn depth(&self, texts: &Texts<'_>) -> usize {
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
    pub(super) fn placed(self, texts: &mut Texts<'_>, layout: &Layout) -> Result<Value, Why> {
        let value = match self {
            Self::Kept(value) => value,
            Self::Raw(span) if texts.view(span).is_container() => Value::Text(texts.lay_out(span, layout)?),
            Self::Raw(span) => Value::Text(span),
        };
        let more = value.len(texts);
        texts.grown(more);
        Ok(value)
    }
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
