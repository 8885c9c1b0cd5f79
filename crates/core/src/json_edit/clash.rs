//! What an edit reads and writes, and whether that is the same in two versions of a document. For a
//! rebase: an array counts as a whole, because a place in it is a number that others move.

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

/// Compares every place of edits in two versions. Of places that lie in one another the outermost counts
/// alone: each value is looked at once, and what is given back is no longer than the versions are, however
/// many places there are.
pub(super) fn find(
    edits: &[(JsonForm, Source<'_>)],
    base: Source<'_>,
    now: Source<'_>,
    after: Source<'_>,
) -> Result<Vec<Clash>, Refusal> {
    let mut places = Places { all: Vec::new() };
    for (form, patch) in edits {
        match form {
            JsonForm::Patch => places.add_operations(patch)?,
            JsonForm::MergePatch => places.add(patch.whole(), &mut Vec::new()),
        }
    }
    let mut versions = [base, now, after].map(|version| Tree::new(version, Source::growing()));
    let [base, now, _] = &mut versions;
    let placed = places.all.iter().enumerate();
    let mut looked: Vec<(&[String], usize)> =
        placed.filter_map(|(nth, (tokens, need))| Some((place(base, now, tokens, *need)?, nth))).collect();
    // An outer one comes before what lies in it, and of equals the first.
    looked.sort_unstable();
    let mut outer: Option<&[String]> = None;
    looked.retain(|(place, _)| {
        let within = outer.is_some_and(|outer| place.starts_with(outer));
        if !within {
            outer = Some(place);
        }
        !within
    });
    looked.retain(|(place, _)| !same(base, now, place));
    // In the order of the edits.
    looked.sort_unstable_by_key(|(_, nth)| *nth);
    let clash = |(place, _): (&[String], usize)| {
        let [base, now, after] = versions.each_mut().map(|version| raw(version, place));
        Clash { pointer: pointer::write(place), base, now, after }
    };
    Ok(looked.into_iter().map(clash).collect())
}

impl Places {
    fn add_operations(&mut self, patch: &Source<'_>) -> Result<(), Refusal> {
        for (nth, span) in patch::operations("patch", patch)?.into_iter().enumerate() {
            let (start, end) = span.range();
            let operation = patch::read("patch", nth, patch.view(start, end))?;
            let from = operation.from.map(|Pointer { tokens, .. }| (tokens, Need::Same));
            self.all.extend(from);
            self.all.push((operation.path.tokens, Need::Same));
        }
        Ok(())
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
