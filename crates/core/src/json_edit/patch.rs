//! JSON Patch (RFC 6902): its operations, checked before the first is done, then done in order.

use super::compare::{self, Twice};
use super::pointer::{self, shown};
use super::refuse;
use super::scan::{Source, View, unescape};
use super::texts::Span;
use super::tree::{Miss, Tree, Why};
use super::value::New;
use crate::code::Code;
use crate::path::DocPath;
use crate::refusal::Refusal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Remove,
    Replace,
    Move,
    Copy,
    Test,
}

impl Op {
    const ALL: [(&'static str, Self); 6] = [
        ("add", Self::Add),
        ("remove", Self::Remove),
        ("replace", Self::Replace),
        ("move", Self::Move),
        ("copy", Self::Copy),
        ("test", Self::Test),
    ];

    fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, op)| *op == self).map_or("", |(word, _)| word)
    }

    fn has_from(self) -> bool {
        matches!(self, Self::Move | Self::Copy)
    }

    fn has_value(self) -> bool {
        matches!(self, Self::Add | Self::Replace | Self::Test)
    }
}

/// Where something is: as it is written, and its tokens.
#[derive(Debug)]
pub(super) struct Pointer {
    pub text: String,
    pub tokens: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Operation {
    /// From 0.
    nth: usize,
    pub op: Op,
    pub path: Pointer,
    pub from: Option<Pointer>,
    value: Option<Span>,
}

/// Where each operation of a patch stands in it, once all of them were found well formed.
///
/// # Errors
/// `patch.invalid`, naming the operation.
pub(super) fn operations(field: &str, patch: &Source<'_>) -> Result<Vec<Span>, Refusal> {
    let whole = patch.whole();
    if whole.first() != b'[' {
        let (en, id) = kind(whole);
        return Err(Refusal::field(
            Code::PatchInvalid,
            field,
            format!("{field}: a JSON Patch is an array of operations, and this is {en}."),
        )
        .said(format!("{field}: JSON Patch adalah larik operasi, sedangkan ini {id}.")));
    }
    let mut spans = Vec::new();
    let mut items = whole.items();
    while let Some(item) = items.next(whole) {
        read(field, spans.len(), item.value(whole))?;
        spans.push(Span::of_patch(item.value, item.trail));
    }
    Ok(spans)
}

/// Does all operations, in order, or none.
///
/// # Errors
/// `patch.mismatch` naming the operation, `limit.exceeded`.
pub(super) fn apply(field: &str, path: &DocPath, tree: &mut Tree<'_>, spans: &[Span]) -> Result<(), Refusal> {
    for (nth, span) in spans.iter().enumerate() {
        let operation = read(field, nth, tree.texts.view(*span))?;
        operation.run(tree, &Told { field, path: Some(path), operation: &operation })?;
    }
    Ok(())
}

/// What a value is, in both languages.
fn kind(value: View<'_>) -> (&'static str, &'static str) {
    match value.first() {
        b'{' => ("an object", "objek"),
        b'[' => ("an array", "larik"),
        b'"' => ("a string", "teks"),
        b't' | b'f' => ("a boolean", "boolean"),
        b'n' => ("null", "null"),
        _ => ("a number", "bilangan"),
    }
}

/// Reads one operation. Members that the RFC does not know are passed over, as it says.
pub(super) fn read(field: &str, nth: usize, view: View<'_>) -> Result<Operation, Refusal> {
    let wrong = |en: String, id: String| {
        let field = format!("{field}[{nth}]");
        let number = nth + 1;
        Refusal::field(Code::PatchInvalid, &field, format!("{field}: operation {number}: {en}."))
            .said(format!("{field}: operasi {number}: {id}."))
            .with(|f| f.operation = u32::try_from(number).ok())
    };
    if !view.is_object() {
        let (en, id) = kind(view);
        return Err(wrong(
            format!("an operation is an object, and this is {en}"),
            format!("operasi adalah objek, sedangkan ini {id}"),
        ));
    }
    let (mut op, mut path, mut from, mut value) = (None, None, None, None);
    let mut items = view.items();
    while let Some(item) = items.next(view) {
        let slot = match unescape(item.name(view)).as_ref() {
            "op" => &mut op,
            "path" => &mut path,
            "from" => &mut from,
            "value" => &mut value,
            _ => continue,
        };
        *slot = Some(item.value(view));
    }
    let text = |member: &str, value: Option<View<'_>>| {
        let value = value
            .ok_or_else(|| wrong(format!("\"{member}\" is missing"), format!("\"{member}\" tidak ada")))?;
        if value.first() != b'"' {
            let (en, id) = kind(value);
            return Err(wrong(
                format!("\"{member}\" is a string, and this is {en}"),
                format!("\"{member}\" adalah teks, sedangkan ini {id}"),
            ));
        }
        Ok(unescape(value.raw()).into_owned())
    };
    let pointer = |member: &str, value: Option<View<'_>>| {
        let text = text(member, value)?;
        let Some(tokens) = pointer::read(&text) else {
            let text_shown = shown(&text);
            return Err(wrong(
                format!(
                    "\"{member}\" is no JSON Pointer: \"{text_shown}\"; one is empty or begins with /, and ~ stands only in ~0 and ~1"
                ),
                format!(
                    "\"{member}\" bukan JSON Pointer: \"{text_shown}\"; isinya kosong atau diawali /, dan ~ hanya ada dalam ~0 dan ~1"
                ),
            )
            .with(|f| f.value = Some(text)));
        };
        Ok(Pointer { text, tokens })
    };
    let word = text("op", op)?;
    let Some((_, op)) = Op::ALL.into_iter().find(|(known, _)| *known == word) else {
        let words = Op::ALL.map(|(word, _)| word);
        let (known, word_shown) = (words.join(", "), shown(&word));
        return Err(wrong(
            format!("\"op\" is \"{word_shown}\", and known are {known}"),
            format!("\"op\" berisi \"{word_shown}\", sedangkan yang dikenal {known}"),
        )
        .with(|f| {
            f.expected = words.map(str::to_owned).to_vec();
            f.found = vec![word];
        }));
    };
    let path = pointer("path", path)?;
    let from = if op.has_from() { Some(pointer("from", from)?) } else { None };
    let value = if op.has_value() {
        let value = value
            .ok_or_else(|| wrong("\"value\" is missing".to_owned(), "\"value\" tidak ada".to_owned()))?;
        Some(Span::of_patch(value.start, value.end))
    } else {
        None
    };
    let operation = Operation { nth, op, path, from, value };
    if operation.goes_inside() && !operation.may_be_next() {
        let (en, id) = operation.inside_itself();
        return Err(wrong(en, id));
    }
    Ok(operation)
}

/// Whom a refusal is told to.
struct Told<'a> {
    field: &'a str,
    path: Option<&'a DocPath>,
    operation: &'a Operation,
}

impl Told<'_> {
    fn field(&self) -> String {
        format!("{}[{}]", self.field, self.operation.nth)
    }

    /// How each sentence begins, in both languages.
    fn begins(&self) -> (String, String) {
        let Operation { nth, op, path, from, .. } = self.operation;
        let (field, number, op, path) = (self.field(), nth + 1, op.as_str(), refuse::place(&path.text));
        match from {
            None => (
                format!("{field}: operation {number} ({op} {path})"),
                format!("{field}: operasi {number} ({op} {path})"),
            ),
            Some(from) => {
                let from = refuse::place(&from.text);
                (
                    format!("{field}: operation {number} ({op} {from} to {path})"),
                    format!("{field}: operasi {number} ({op} {from} ke {path})"),
                )
            }
        }
    }

    fn facts(&self, refusal: Refusal, pointer: &Pointer) -> Refusal {
        refusal.with(|f| {
            f.operation = u32::try_from(self.operation.nth + 1).ok();
            f.path = self.path.map(ToString::to_string);
            // A limit's value is a number.
            f.value.get_or_insert_with(|| pointer.text.clone());
        })
    }

    fn missed(&self, pointer: &Pointer, miss: &Miss) -> Refusal {
        let (en, id) = self.begins();
        self.facts(refuse::miss(&self.field(), &en, &id, &pointer.tokens, miss), pointer)
    }

    fn mismatch(&self, en: &str, id: &str) -> Refusal {
        let (begins, diawali) = self.begins();
        let refusal = Refusal::field(Code::PatchMismatch, self.field(), format!("{begins}: {en}."));
        self.facts(refusal.said(format!("{diawali}: {id}.")), &self.operation.path)
    }
}

impl Operation {
    /// Whether something is moved to a place below it.
    fn goes_inside(&self) -> bool {
        let (from, path) = (self.from.as_ref(), &self.path.tokens);
        let below = |from: &Pointer| path.len() > from.tokens.len() && path.starts_with(&from.tokens);
        self.op == Op::Move && from.is_some_and(below)
    }

    /// Whether that may be another place: a move is a removal, then an addition, and once an element
    /// is removed its index is that of the next one.
    fn may_be_next(&self) -> bool {
        self.from
            .as_ref()
            .and_then(|from| from.tokens.last())
            .is_some_and(|last| pointer::index(last).is_some())
    }

    fn inside_itself(&self) -> (String, String) {
        let from = self.from.as_ref().map_or_else(String::new, |from| refuse::place(&from.text));
        let to = refuse::place(&self.path.text);
        (
            format!("{from} cannot be moved to {to}, which is inside it"),
            format!("{from} tidak bisa dipindahkan ke {to}, yang ada di dalamnya"),
        )
    }

    fn run(&self, tree: &mut Tree<'_>, told: &Told<'_>) -> Result<(), Refusal> {
        let path = &self.path;
        let at_path = |miss: Miss| told.missed(path, &miss);
        if let (Some(from), true) = (&self.from, self.op.has_from()) {
            let at_from = |miss: Miss| told.missed(from, &miss);
            if from.tokens == path.tokens {
                // Onto itself: it must be there, and that is all.
                return tree.at(&from.tokens).map(drop).map_err(at_from);
            }
            let value = match self.op {
                Op::Move => tree.remove(&from.tokens),
                _ => tree.copy(&from.tokens),
            };
            return tree.add(&path.tokens, New::Kept(value.map_err(at_from)?)).map_err(|miss| {
                if self.goes_inside() && miss.why == Why::NoMember {
                    let (en, id) = self.inside_itself();
                    return told.mismatch(&en, &id);
                }
                at_path(miss)
            });
        }
        match (self.op, self.value) {
            (Op::Remove, _) => tree.remove(&path.tokens).map(drop).map_err(at_path),
            (Op::Test, Some(value)) => self.test(tree, value, told),
            (Op::Replace, Some(value)) => tree.replace(&path.tokens, New::Raw(value)).map_err(at_path),
            (_, Some(value)) => tree.add(&path.tokens, New::Raw(value)).map_err(at_path),
            (_, None) => unreachable!("an operation was read with the members that it needs"),
        }
    }

    fn test(&self, tree: &mut Tree<'_>, value: Span, told: &Told<'_>) -> Result<(), Refusal> {
        let (found, texts) = tree.at(&self.path.tokens).map_err(|miss| told.missed(&self.path, &miss))?;
        let (found, expected) = (found.read(texts), texts.view(value));
        let found = found.view();
        match compare::equal(found, expected) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let (is, asked) = (excerpt(found), excerpt(expected));
                Err(told
                    .mismatch(
                        &format!(
                            "the value there is {is}, not {asked}",
                            is = shown(&is),
                            asked = shown(&asked)
                        ),
                        &format!("nilainya {is}, bukan {asked}", is = shown(&is), asked = shown(&asked)),
                    )
                    .with(|f| (f.expected, f.found) = (vec![asked], vec![is])))
            }
            Err(Twice(name)) => {
                let name = shown(&name);
                Err(told.mismatch(
                    &format!("the member \"{name}\" stands twice in what is to be compared, so it equals nothing"),
                    &format!("anggota \"{name}\" ditulis dua kali di yang dibandingkan, jadi tidak sama dengan apa pun"),
                ))
            }
        }
    }
}

/// The most of a value's text that a refusal carries, in characters.
const EXCERPT_CHARS: usize = 1_000;

fn excerpt(value: View<'_>) -> String {
    let raw = value.raw();
    match raw.char_indices().nth(EXCERPT_CHARS) {
        Some((at, _)) => format!("{}…", &raw[..at]),
        None => raw.to_owned(),
    }
}
