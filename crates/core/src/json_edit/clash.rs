//! What an edit reads and writes, and whether that is the same in two versions of a document. For a
//! rebase: an array counts as a whole, because a place in it is a number that others move.

use std::collections::BTreeSet;

use super::Clash;
use super::compare;
use super::patch::{self, Pointer};
use super::pointer;
use super::scan::{Source, View, unescape};
use super::tree::Tree;
use crate::change::JsonForm;
use crate::refusal::Refusal;

/// The places of an edit, by their pointers, and what each must be.
struct Places {
    /// Tokens, in the order of the edit.
    all: Vec<(Vec<String>, Need)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The same value.
    Same,
    /// An object, in both or in neither; what is in it is another place.
    Object,
}

/// Compares every place of an edit in two versions.
pub(super) fn find(
    form: JsonForm,
    patch: &Source<'_>,
    base: Source<'_>,
    now: Source<'_>,
    after: Source<'_>,
) -> Result<Vec<Clash>, Refusal> {
    let places = match form {
        JsonForm::Patch => Places::of_operations(patch)?,
        JsonForm::MergePatch => Places::of_merge(patch),
    };
    let mut versions = [base, now, after].map(|version| Tree::new(version, Source::growing()));
    let mut clashes = Vec::new();
    let mut looked = BTreeSet::new();
    for (tokens, need) in places.all {
        let [base, now, _] = &mut versions;
        let Some(place) = place(base, now, &tokens, need) else { continue };
        // A large array has many places, and all of them are one.
        let pointer = pointer::write(place);
        if !looked.insert(pointer.clone()) || same(base, now, place) {
            continue;
        }
        let [base, now, after] = versions.each_mut().map(|version| raw(version, place));
        clashes.push(Clash { pointer, base, now, after });
    }
    Ok(clashes)
}

impl Places {
    fn of_operations(patch: &Source<'_>) -> Result<Self, Refusal> {
        let mut all = Vec::new();
        for (nth, span) in patch::operations("patch", patch)?.into_iter().enumerate() {
            let (start, end) = span.range();
            let operation = patch::read("patch", nth, patch.view(start, end))?;
            let from = operation.from.map(|Pointer { tokens, .. }| (tokens, Need::Same));
            all.extend(from);
            all.push((operation.path.tokens, Need::Same));
        }
        Ok(Self { all })
    }

    fn of_merge(patch: &Source<'_>) -> Self {
        let mut places = Self { all: Vec::new() };
        places.add(patch.whole(), &mut Vec::new());
        places
    }

    fn add(&mut self, patch: View<'_>, at: &mut Vec<String>) {
        if !patch.is_object() {
            self.all.push((at.clone(), Need::Same));
            return;
        }
        self.all.push((at.clone(), Need::Object));
        let mut items = patch.items();
        while let Some(item) = items.next(patch) {
            at.push(unescape(item.name(patch)).into_owned());
            self.add(item.value(patch), at);
            at.pop();
        }
    }
}

/// The place that must be the same in both: the pointer itself, the outermost array on its way, or
/// the first value on its way that is no object in one of them. `None` where an object is needed, and
/// both have one.
fn place<'p>(
    base: &mut Tree<'_>,
    now: &mut Tree<'_>,
    tokens: &'p [String],
    need: Need,
) -> Option<&'p [String]> {
    // What is in neither is made by the edit itself, and that has a place of its own above.
    let mut objects = |depth: usize| is_object(base, &tokens[..depth]) && is_object(now, &tokens[..depth]);
    match (0..tokens.len()).find(|depth| !objects(*depth)) {
        Some(depth) => Some(&tokens[..depth]),
        None if need == Need::Object && objects(tokens.len()) => None,
        None => Some(tokens),
    }
}

fn is_object(tree: &mut Tree<'_>, tokens: &[String]) -> bool {
    tree.at(tokens).is_ok_and(|(value, texts)| value.is_object(texts))
}

fn same(base: &mut Tree<'_>, now: &mut Tree<'_>, tokens: &[String]) -> bool {
    match (base.read(tokens), now.read(tokens)) {
        (Ok(was), Ok(is)) => {
            let (was, is) = (was.view(), is.view());
            was.raw() == is.raw() || compare::equal(was, is) == Ok(true)
        }
        (Err(was), Err(is)) => was.why == is.why,
        _ => false,
    }
}

/// The text of a value, if it is there.
fn raw(tree: &mut Tree<'_>, tokens: &[String]) -> Option<String> {
    tree.read(tokens).ok().map(|value| value.view().raw().to_owned())
}
