//! JSON Merge Patch (RFC 7396): an object of what shall be, `null` for what shall go.

use super::container::Name;
use super::scan::{View, unescape};
use super::style::Layout;
use super::texts::{Span, Texts};
use super::tree::{Miss, Tree, Why};
use super::value::{New, Value, set};

/// A place in the document, and why the patch does not fit there.
pub(super) struct Wrong {
    pub tokens: Vec<String>,
    pub miss: Miss,
}

/// Merges a patch into a document.
pub(super) fn apply(tree: &mut Tree<'_>) -> Result<(), Wrong> {
    let whole = tree.texts.patch.whole();
    let patch = Span::of_patch(whole.start, whole.end);
    let mut place = Vec::new();
    value(&mut tree.texts, &mut tree.root, patch, None, &mut place).map_err(|why| {
        let depth = place.len().saturating_sub(1);
        Wrong { tokens: place, miss: Miss { depth, why } }
    })
}

/// Merges into one value, which stands in a container of this layout. `place` is left where it went
/// wrong. As deep as documents nest, and no deeper.
fn value(
    texts: &mut Texts<'_>,
    target: &mut Value,
    patch: Span,
    outer: Option<Layout>,
    place: &mut Vec<String>,
) -> Result<(), Why> {
    if !texts.view(patch).is_object() || !target.is_object(texts) {
        let new = New::Raw(without_nulls(texts, patch)?);
        new.fits(texts, place.len())?;
        return set(target, texts, new, outer.map(|outer| outer.inner()));
    }
    let Some(container) = target.open(texts) else { unreachable!("an object is a container") };
    let mut items = texts.view(patch).items();
    while let Some(item) = items.next(texts.view(patch)) {
        let view = texts.view(patch);
        let given = item.value(view);
        let null = given.first() == b'n';
        let laid_out = given.is_container();
        place.push(unescape(item.name(view)).into_owned());
        let name = &place[place.len() - 1];
        let given = Span::of_patch(item.value, item.trail);
        match container.member(texts, name) {
            Ok(slot) if null => container.remove(texts, slot),
            Ok(slot) => {
                let own = laid_out.then(|| container.layout(texts, None));
                value(texts, container.value(slot), given, own, place)?;
            }
            Err(Why::NoMember) if null => {}
            Err(Why::NoMember) => {
                let new = New::Raw(without_nulls(texts, given)?);
                new.fits(texts, place.len())?;
                let name = Name::Raw(Span::of_patch(item.name, item.colon), name);
                container.push_member(texts, outer.as_ref(), name, new)?;
            }
            Err(why) => return Err(why),
        }
        place.pop();
    }
    Ok(())
}

/// What a patch comes to where there is nothing: itself without its nulls, those in arrays apart.
fn without_nulls(texts: &mut Texts<'_>, patch: Span) -> Result<Span, Why> {
    let view = texts.view(patch);
    if !view.is_object() || !view.raw().contains("null") {
        return Ok(patch);
    }
    let mut out = String::new();
    write(view, &mut out);
    texts.make(&out)
}

fn write(patch: View<'_>, out: &mut String) {
    if !patch.is_object() {
        out.push_str(patch.raw());
        return;
    }
    out.push('{');
    let mut items = patch.items();
    let mut first = true;
    while let Some(item) = items.next(patch) {
        let value = item.value(patch);
        if value.first() == b'n' {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        out.push_str(item.name(patch));
        out.push(':');
        write(value, out);
    }
    out.push('}');
}
