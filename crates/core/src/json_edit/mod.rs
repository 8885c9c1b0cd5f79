//! JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396) on the bytes of a document: what an edit
//! does not touch stays as it is, white space, order of members, text of numbers and escapes, line
//! ends. A document is never printed anew. Not here: reading bodies of requests, which is `json`.

mod check;
mod clash;
mod compare;
mod container;
mod merge;
mod names;
mod patch;
mod pointer;
mod refuse;
mod scan;
mod style;
mod texts;
mod tree;
mod value;

use crate::change::JsonForm;
use crate::limit;
use crate::path::DocPath;
use crate::refusal::Refusal;
use scan::{Names, Source};
use tree::Tree;

/// A place that an edit reads or writes, and that is not what it was. The values are JSON text as it
/// stands; `None` where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// RFC 6901; a place inside an array counts as the outermost array.
    pub pointer: String,
    /// The value when the edit was made.
    pub base: Option<String>,
    /// The value now.
    pub now: Option<String>,
    /// The value that the edit made of the base.
    pub after: Option<String>,
}

/// Applies an edit of either form.
///
/// # Errors
/// As [`json_patch`] and [`merge_patch`].
pub fn apply(
    form: JsonForm,
    field: &str,
    path: &DocPath,
    document: &[u8],
    patch: &[u8],
) -> Result<Vec<u8>, Refusal> {
    match form {
        JsonForm::Patch => json_patch(field, path, document, patch),
        JsonForm::MergePatch => merge_patch(field, path, document, patch),
    }
}

/// Applies a JSON Patch: all of its operations in order, or none.
///
/// # Errors
/// `patch.invalid` where the patch is not one, `patch.mismatch` where the document is not JSON or an
/// operation does not fit it, `limit.exceeded` where the document would become too long or too deep.
/// An operation is named by number, and `field` is the field of the patch.
pub fn json_patch(field: &str, path: &DocPath, document: &[u8], patch: &[u8]) -> Result<Vec<u8>, Refusal> {
    let patch = read_patch(field, patch)?;
    let operations = patch::operations(field, &patch)?;
    let mut tree = Tree::new(read_document(field, path, document)?, patch);
    patch::apply(field, path, &mut tree, &operations)?;
    written(field, &tree)
}

/// Applies a JSON Merge Patch.
///
/// # Errors
/// As [`json_patch`].
pub fn merge_patch(field: &str, path: &DocPath, document: &[u8], patch: &[u8]) -> Result<Vec<u8>, Refusal> {
    let patch = read_patch(field, patch)?;
    let mut tree = Tree::new(read_document(field, path, document)?, patch);
    merge::apply(&mut tree).map_err(|wrong| {
        let place = refuse::place(&pointer::write(&wrong.tokens));
        let begins = format!("{field}: {place}");
        refuse::miss(field, &begins, &begins, &wrong.tokens, &wrong.miss).with(|f| {
            f.path = Some(path.to_string());
            f.value.get_or_insert_with(|| pointer::write(&wrong.tokens));
        })
    })?;
    written(field, &tree)
}

/// Every place that edits, made one after the other, read or write and whose value differs between the
/// document that they were made for and the document now. None: they may be made of the document now.
/// `after` is what they made of `base`. Of places that lie in one another the outermost is given alone.
///
/// # Errors
/// `patch.invalid` where a patch is not one.
pub fn clashes(
    edits: &[(JsonForm, impl AsRef<[u8]>)],
    base: &[u8],
    now: &[u8],
    after: &[u8],
) -> Result<Vec<Clash>, Refusal> {
    let patches = edits.iter().map(|(form, patch)| Ok((*form, read_patch("patch", patch.as_ref())?)));
    let edits = patches.collect::<Result<Vec<_>, Refusal>>()?;
    let read = |document| Source::check(document, Names::MayRepeat).ok();
    if let (Some(base), Some(now), Some(after)) = (read(base), read(now), read(after)) {
        return clash::find(&edits, base, now, after);
    }
    // Not JSON: nothing in it has a place.
    let text = |document: &[u8]| std::str::from_utf8(document).ok().map(str::to_owned);
    Ok(vec![Clash { pointer: String::new(), base: text(base), now: text(now), after: text(after) }])
}

/// The document with other values at the places of clashes: at each it has `from`, and gets `to`. `None`
/// where it has no room for one.
pub(crate) fn set(
    path: &DocPath,
    document: &[u8],
    clashes: &[Clash],
    from: fn(&Clash) -> Option<&String>,
    to: fn(&Clash) -> Option<&String>,
) -> Option<Vec<u8>> {
    // None lies in another one, so that their order is nothing to them.
    let operation = |clash: &Clash| {
        let pointer = serde_json::Value::from(clash.pointer.as_str());
        match (from(clash), to(clash)) {
            (None, None) => None,
            (Some(_), None) => Some(format!("{{\"op\":\"remove\",\"path\":{pointer}}}")),
            (was, Some(value)) => {
                let op = if was.is_some() { "replace" } else { "add" };
                Some(format!("{{\"op\":\"{op}\",\"path\":{pointer},\"value\":{value}}}"))
            }
        }
    };
    let operations: Vec<String> = clashes.iter().filter_map(operation).collect();
    json_patch("patch", path, document, format!("[{}]", operations.join(",")).as_bytes()).ok()
}

/// Whether a document is JSON as an edit reads it: strictly, and not nested too deep.
pub fn is_json(document: &[u8]) -> bool {
    document.len() <= limit::CONTENT_BYTES && Source::check(document, Names::MayRepeat).is_ok()
}

/// Where a text is not JSON, and why.
pub(crate) struct Wrong {
    pub line: u64,
    pub column: u64,
    pub en: String,
    pub id: String,
}

/// What is wrong with a text as JSON, if anything is. Names may repeat, numbers may be of any size.
pub(crate) fn syntax(text: &[u8]) -> Option<Wrong> {
    let fault = Source::check(text, Names::MayRepeat).err()?;
    let (line, column) = refuse::position(text, fault.at);
    Some(Wrong { line, column, en: fault.en, id: fault.id })
}

fn read_patch<'a>(field: &str, patch: &'a [u8]) -> Result<Source<'a>, Refusal> {
    if patch.len() > limit::SUBMISSION_BYTES {
        return Err(refuse::patch_too_long(field, patch.len()));
    }
    Source::check(patch, Names::Unique).map_err(|fault| refuse::patch(field, patch, &fault))
}

fn read_document<'a>(field: &str, path: &DocPath, document: &'a [u8]) -> Result<Source<'a>, Refusal> {
    if document.len() > limit::CONTENT_BYTES {
        return Err(refuse::too_long(field, document.len()));
    }
    Source::check(document, Names::MayRepeat).map_err(|fault| refuse::document(field, path, document, &fault))
}

fn written(field: &str, tree: &Tree<'_>) -> Result<Vec<u8>, Refusal> {
    let len = tree.len();
    if len > limit::CONTENT_BYTES {
        return Err(refuse::too_long(field, len));
    }
    Ok(tree.write())
}
