//! Content that both sides have changed: merged by lines, or by values where a change was written as edits
//! of them; what neither can do is a conflict.

use std::fmt::Write as _;

use super::transplant::{Held, Transplant, chosen};
use crate::change::JsonForm;
use crate::conflict::{Conflict, ConflictKind, regions};
use crate::diff;
use crate::json_edit;
use crate::merge::{self, Side};
use crate::path::DocPath;
use crate::refusal::Refusal;

/// What becomes of a document's content.
pub(super) enum Content {
    /// What the change made.
    After(Vec<u8>),
    /// What is there stays.
    Now,
    /// Both are in it.
    Merged(Vec<u8>),
}

/// What becomes of content that both sides may have changed.
pub(super) fn three_ways(change: &Transplant<'_>, before: &Held, now: &Held, after: &Held) -> Ways {
    if now.content == after.content || before.content == after.content {
        return Ok(Ok(Content::Now));
    }
    if before.content == now.content {
        return Ok(Ok(Content::After(after.content.clone())));
    }
    let choice = change.choice;
    let whole = |kind, detail: String, said: String, places| {
        Ok(match chosen(choice) {
            Some(Side::Now) => Ok(Content::Now),
            Some(Side::Base) => Ok(Content::Merged(before.content.clone())),
            Some(Side::After) => Ok(Content::Merged(after.content.clone())),
            _ => Err(Box::new(Conflict { places, ..of(change, kind, detail, said) })),
        })
    };
    let to = &change.to;
    // Content may have been put beside the edits: they count only where they are the whole change.
    if !change.edits.is_empty() && edited(to, change.edits, &before.content)? == Ok(after.content.clone()) {
        return json_ways(change, before, now, after, &whole);
    }
    if ![before, now, after].iter().all(|side| diff::is_text(&side.content)) {
        let detail = format!("{to} was changed on both sides, and it is not text.");
        let said = format!("{to} diubah di kedua sisi, dan isinya bukan teks.");
        return whole(ConflictKind::Binary, detail, said, Vec::new());
    }
    let merge = merge::merge(&before.content, &now.content, &after.content);
    // Neither broken nor with a member twice, if none of the three was.
    let whole_json = |content: &[u8]| structured(content) && crate::json::parse(content).is_ok();
    let all = [before, now, after].iter().all(|held| whole_json(&held.content));
    let unsound = || {
        (
            format!("{to} merged line by line would no longer be sound JSON."),
            format!("{to} bila digabung baris demi baris tidak lagi berupa JSON yang utuh."),
        )
    };
    let asked = merge.conflicts().count();
    if all && asked > 0 {
        let sound = |side| merge.take(&vec![side; asked]).is_some_and(|content| whole_json(&content));
        // Whatever is chosen for its regions: nobody is asked about them.
        if ![Side::Now, Side::After, Side::Base].into_iter().any(sound) {
            let (detail, said) = unsound();
            return whole(ConflictKind::Json, detail, said, Vec::new());
        }
    }
    let merged = match (merge.clean(), choice) {
        (Some(clean), _) => Some(clean),
        (None, Some(choice)) => merge.take(&choice.sides),
        (None, None) => None,
    };
    let Some(merged) = merged else {
        let regions = regions(&merge, &now.content);
        let mut detail = format!("{to} was changed on both sides in the same place.");
        let mut said = format!("{to} diubah di kedua sisi pada tempat yang sama.");
        if let Some(given) = choice.map(|choice| choice.sides.len()) {
            let needed = regions.len();
            let _ = write!(detail, " It needs a side for each place: {needed}, not {given}.");
            let _ = write!(said, " Setiap tempat perlu satu sisi: {needed}, bukan {given}.");
        }
        return Ok(Err(Box::new(Conflict { regions, ..of(change, ConflictKind::Text, detail, said) })));
    };
    if all && !whole_json(&merged) {
        // What was chosen for its regions was not chosen for the whole of it: they are asked again.
        if asked > 0 {
            let detail = format!("With these sides {to} would no longer be sound JSON; choose others.");
            let said = format!("Dengan sisi itu {to} tidak lagi berupa JSON yang utuh; pilih sisi lain.");
            let regions = regions(&merge, &now.content);
            return Ok(Err(Box::new(Conflict { regions, ..of(change, ConflictKind::Text, detail, said) })));
        }
        let (detail, said) = unsound();
        return whole(ConflictKind::Json, detail, said, Vec::new());
    }
    Ok(Ok(Content::Merged(merged)))
}

/// Decides a conflict of a document as a whole: by what was chosen, or by asking.
type Whole<'a> = &'a dyn Fn(ConflictKind, String, String, Vec<json_edit::Clash>) -> Ways;

/// What came of it: a conflict is an answer, and not a failure.
pub(super) type Ways = Result<Result<Content, Box<Conflict>>, Refusal>;

/// The same for edits of JSON values: they are made again on what is there, where everything that
/// they read or write still has the value that it had.
fn json_ways(change: &Transplant<'_>, before: &Held, now: &Held, after: &Held, whole: Whole<'_>) -> Ways {
    let to = &change.to;
    let places = json_edit::clashes(change.edits, &before.content, &now.content, &after.content)?;
    if !places.is_empty() {
        let Some(sides) = sides_of_places(change, before, now, after, &places)? else {
            let detail = format!(
                "{to} was changed on both sides in the same values, and one side can only be taken as a whole."
            );
            let said = format!(
                "{to} diubah di kedua sisi pada nilai yang sama, dan hanya salah satu sisi yang bisa dipakai seutuhnya."
            );
            return whole(ConflictKind::Json, detail, said, vec![whole_place(before, now, after)]);
        };
        let content = match chosen(change.choice) {
            // Neither of both, or both after each other: there is no such value.
            None | Some(Side::NowThenAfter | Side::AfterThenNow) => {
                let detail = format!("{to} was changed on both sides in the same values.");
                let said = format!("{to} diubah di kedua sisi pada nilai yang sama.");
                return whole(ConflictKind::Json, detail, said, places);
            }
            Some(Side::Base) => sides.base,
            Some(Side::Now) => sides.now,
            Some(Side::After) => sides.after,
        };
        return Ok(Ok(if content == now.content { Content::Now } else { Content::Merged(content) }));
    }
    let content = match edited(to, change.edits, &now.content)? {
        Ok(content) => content,
        // What the edit needs is not there any more.
        Err(refusal) => {
            let said = refusal.sentence(crate::Lang::Id);
            return whole(ConflictKind::Json, refusal.detail, said, Vec::new());
        }
    };
    Ok(Ok(if content == now.content { Content::Now } else { Content::Merged(content) }))
}

/// The whole of a document as the place in question.
fn whole_place(before: &Held, now: &Held, after: &Held) -> json_edit::Clash {
    let text = |side: &Held| Some(String::from_utf8_lossy(&side.content).into_owned());
    json_edit::Clash { pointer: String::new(), base: text(before), now: text(now), after: text(after) }
}

/// What a document comes to by what is chosen for the places in conflict; what others have changed
/// elsewhere stays, and so does what the edits make elsewhere.
struct Sides {
    base: Vec<u8>,
    now: Vec<u8>,
    after: Vec<u8>,
}

/// The edits are made of what is there, where the places in conflict are first as they were, and then as
/// is chosen. `None` where that cannot be: a place has no room there any more.
fn sides_of_places(
    change: &Transplant<'_>,
    before: &Held,
    now: &Held,
    after: &Held,
    places: &[json_edit::Clash],
) -> Result<Option<Sides>, Refusal> {
    let set = |content: &[u8], from: Value, to: Value| json_edit::set(&change.to, content, places, from, to);
    let Some(as_it_was) = set(&now.content, |place| place.now.as_ref(), |place| place.base.as_ref()) else {
        return Ok(None);
    };
    if !json_edit::clashes(change.edits, &before.content, &as_it_was, &after.content)?.is_empty() {
        return Ok(None);
    }
    let Ok(made) = edited(&change.to, change.edits, &as_it_was)? else { return Ok(None) };
    let of = |value: Value| set(&made, |place| place.after.as_ref(), value);
    let (base, now) = (of(|place| place.base.as_ref()), of(|place| place.now.as_ref()));
    Ok(base.zip(now).map(|(base, now)| Sides { base, now, after: made }))
}

/// One of the values of a place.
type Value = fn(&json_edit::Clash) -> Option<&String>;

/// What edits of JSON values make of a content, or why they cannot be made on it.
fn edited(
    path: &DocPath,
    edits: &[(JsonForm, Vec<u8>)],
    content: &[u8],
) -> Result<Result<Vec<u8>, Refusal>, Refusal> {
    let mut content = content.to_vec();
    for (form, patch) in edits {
        match json_edit::apply(*form, "patch", path, &content, patch) {
            Ok(edited) => content = edited,
            Err(refusal) if refusal.code == crate::Code::LimitExceeded => return Err(refusal),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    Ok(Ok(content))
}

/// JSON with members or elements; a lone number in a text file is not meant.
fn structured(content: &[u8]) -> bool {
    matches!(content.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn of(change: &Transplant<'_>, kind: ConflictKind, detail: String, said: String) -> Conflict {
    Conflict::new(&change.to, Some(&change.at), kind, detail, said)
}
