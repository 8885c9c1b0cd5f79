//! A document as a tree of spans over its own bytes. A container is split only when a pointer enters
//! it; what nobody touches is never looked at again, and is written as it was read.

use super::container::{Container, Name};
use super::pointer;
use super::scan::Source;
use super::style::Layout;
use super::texts::{Span, Texts};
use super::value::{New, Reading, Value, set};
use crate::limit;

/// What a document may grow to on the way, in bytes; where it ends is measured at the end.
const WAY_BYTES: usize = 2 * limit::CONTENT_BYTES;

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

/// A document that is being edited.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub texts: Texts<'a>,
    /// What stands before and after the value.
    head: Span,
    foot: Span,
    pub root: Value,
}

impl<'a> Tree<'a> {
    pub(super) fn new(document: Source<'a>, patch: Source<'a>) -> Self {
        let whole = document.whole();
        let (start, end, len) = (whole.start, whole.end, document.text().len());
        Self {
            head: Span::of_document(0, start),
            foot: Span::of_document(end, len),
            root: Value::Text(Span::of_document(start, end)),
            texts: Texts::new(document, patch),
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
        if container.object() {
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

/// What sets an item apart is rarely more; the true length is measured where it counts.
const SET_APART: usize = 64;
