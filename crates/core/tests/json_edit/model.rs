//! A plain interpreter of both RFCs over values, and what must hold for any document and any patch.

use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use sekali_core::change::JsonForm;
use sekali_core::json_edit::{clashes, is_json, json_patch, merge_patch};

use crate::{FIELD, merged, patched, path};

/// A value in which members have an order.
#[derive(Debug, Clone, PartialEq)]
enum Model {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    Array(Vec<Model>),
    Object(Vec<(String, Model)>),
}

impl<'de> Deserialize<'de> for Model {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Model;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a value")
            }
            fn visit_unit<E>(self) -> Result<Model, E> {
                Ok(Model::Null)
            }
            fn visit_bool<E>(self, v: bool) -> Result<Model, E> {
                Ok(Model::Bool(v))
            }
            #[expect(clippy::cast_precision_loss, reason = "the numbers that are compared are small")]
            fn visit_i64<E>(self, v: i64) -> Result<Model, E> {
                Ok(Model::Number(v as f64))
            }
            #[expect(clippy::cast_precision_loss, reason = "the numbers that are compared are small")]
            fn visit_u64<E>(self, v: u64) -> Result<Model, E> {
                Ok(Model::Number(v as f64))
            }
            fn visit_f64<E>(self, v: f64) -> Result<Model, E> {
                Ok(Model::Number(v))
            }
            fn visit_str<E>(self, v: &str) -> Result<Model, E> {
                Ok(Model::Text(v.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Model, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Model::Array(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Model, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Model::Object(members))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

fn read(text: &str) -> Model {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

impl Model {
    /// Equal without the order of members.
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(a), Self::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
            (Self::Object(a), Self::Object(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(name, a)| b.iter().any(|(other, b)| name == other && a.same(b)))
            }
            _ => self == other,
        }
    }

    fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<&str> {
        match self.member(name)? {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn at(&mut self, tokens: &[String]) -> Option<&mut Self> {
        let Some((token, rest)) = tokens.split_first() else { return Some(self) };
        match self {
            Self::Array(items) => items.get_mut(index(token)?)?.at(rest),
            Self::Object(members) => members.iter_mut().find(|(name, _)| name == token)?.1.at(rest),
            _ => None,
        }
    }

    fn add(&mut self, tokens: &[String], value: Self) -> Option<()> {
        let Some((last, above)) = tokens.split_last() else {
            *self = value;
            return Some(());
        };
        match self.at(above)? {
            Self::Array(items) => {
                let at = if last == "-" { items.len() } else { index(last)? };
                if at > items.len() {
                    return None;
                }
                items.insert(at, value);
            }
            Self::Object(members) => match members.iter_mut().find(|(name, _)| name == last) {
                // Equal is equal: the order inside stays.
                Some((_, old)) if old.same(&value) => {}
                Some((_, old)) => *old = value,
                None => members.push((last.clone(), value)),
            },
            _ => return None,
        }
        Some(())
    }

    fn remove(&mut self, tokens: &[String]) -> Option<Self> {
        let (last, above) = tokens.split_last()?;
        match self.at(above)? {
            Self::Array(items) => {
                let at = index(last)?;
                (at < items.len()).then(|| items.remove(at))
            }
            Self::Object(members) => {
                let at = members.iter().position(|(name, _)| name == last)?;
                Some(members.remove(at).1)
            }
            _ => None,
        }
    }

    fn merge(&mut self, patch: &Self) {
        let Self::Object(patches) = patch else {
            if !self.same(patch) {
                *self = patch.clone();
            }
            return;
        };
        if !matches!(self, Self::Object(_)) {
            *self = Self::Object(Vec::new());
        }
        let Self::Object(members) = self else { unreachable!() };
        for (name, value) in patches {
            let at = members.iter().position(|(own, _)| own == name);
            match (value, at) {
                (Self::Null, Some(at)) => drop(members.remove(at)),
                (Self::Null, None) => {}
                (value, Some(at)) => members[at].1.merge(value),
                (value, None) => {
                    let mut new = Self::Null;
                    new.merge(value);
                    members.push((name.clone(), new));
                }
            }
        }
    }
}

fn index(token: &str) -> Option<usize> {
    let number: usize = token.parse().ok()?;
    (number.to_string() == token).then_some(number)
}

fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}

fn interpret(document: &str, patch: &str) -> Option<Model> {
    let mut document = read(document);
    let Model::Array(operations) = read(patch) else { return None };
    for operation in &operations {
        let path = tokens(operation.text("path")?);
        let value = operation.member("value").cloned();
        match operation.text("op")? {
            "add" => document.add(&path, value?)?,
            "remove" => drop(document.remove(&path)?),
            "replace" => {
                let (at, value) = (document.at(&path)?, value?);
                if !at.same(&value) {
                    *at = value;
                }
            }
            "test" => document.at(&path)?.same(&value?).then_some(())?,
            word => {
                let from = tokens(operation.text("from")?);
                let value = document.at(&from)?.clone();
                if from == path {
                    continue;
                }
                if word == "move" {
                    document.remove(&from)?;
                }
                document.add(&path, value)?;
            }
        }
    }
    Some(document)
}

/// A name out of few, so that pointers meet members.
fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "c", "", "0", "1", "~", "/", "é", "a\\n"])
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "", " ", "\n", "\n  ", "\r\n\t", "  "])
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "false",
            "0",
            "-0.0",
            "1",
            "1.50",
            "15e-1",
            "2e2",
            "\"\"",
            "\"a\"",
            "\"\\u0061\"",
            "\"\\\"]}\"",
            "\"{[,:\"",
            "\"é\\n\"",
        ])
        .prop_map(str::to_owned),
        any::<i32>().prop_map(|n| n.to_string()),
        // Longer than a run.
        (1..9000_usize).prop_map(|n| format!("\"{}\"", "x".repeat(n))),
    ]
}

/// Text of a value, laid out as it comes. Names may not repeat.
fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            (prop::collection::vec((blank(), inner.clone(), blank()), 0..6), blank()).prop_map(
                |(items, empty)| {
                    let inside: Vec<String> =
                        items.iter().map(|(a, value, b)| format!("{a}{value}{b}")).collect();
                    format!("[{}]", if inside.is_empty() { empty.to_owned() } else { inside.join(",") })
                }
            ),
            (
                prop::collection::btree_map(name(), ([blank(), blank(), blank(), blank()], inner), 0..6),
                blank()
            )
                .prop_map(|(members, empty)| {
                    let inside: Vec<String> = members
                        .iter()
                        .map(|(name, ([a, b, c, d], value))| format!("{a}\"{name}\"{b}:{c}{value}{d}"))
                        .collect();
                    format!("{{{}}}", if inside.is_empty() { empty.to_owned() } else { inside.join(",") })
                }),
        ]
    })
}

fn document() -> impl Strategy<Value = String> {
    (blank(), value(), blank()).prop_map(|(a, value, b)| format!("{a}{value}{b}"))
}

fn pointer() -> impl Strategy<Value = String> {
    let token =
        prop::sample::select(vec!["a", "b", "c", "", "0", "1", "2", "3", "-", "01", "~0", "~1", "é", "a\\n"]);
    prop::collection::vec(token, 0..4)
        .prop_map(|tokens| tokens.iter().flat_map(|token| ["/", token]).collect())
}

fn operation() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["add", "add", "remove", "replace", "move", "copy", "test"]);
    (word, pointer(), pointer(), value()).prop_map(|(word, path, from, value)| {
        format!(r#"{{"op":"{word}","path":"{path}","from":"{from}","value":{value}}}"#)
    })
}

/// Pointers that lead somewhere in a document, with the text that each leads to.
fn places(document: &str) -> Vec<(String, String)> {
    fn walk(text: &str, at: &str, out: &mut Vec<(String, String)>) {
        use serde_json::value::RawValue;
        out.push((at.to_owned(), text.to_owned()));
        if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) {
            for (n, item) in items.iter().enumerate() {
                walk(item.get(), &format!("{at}/{n}"), out);
            }
        } else if let Ok(members) =
            serde_json::from_str::<std::collections::BTreeMap<String, &RawValue>>(text)
        {
            for (name, item) in members {
                walk(item.get(), &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), out);
            }
        }
    }
    let mut out = Vec::new();
    walk(document.trim_matches([' ', '\t', '\r', '\n']), "", &mut out);
    out
}

/// A document, and a patch of which most operations lead somewhere in it.
fn edit() -> impl Strategy<Value = (String, String)> {
    document().prop_flat_map(|document| {
        let pointers: Vec<String> = places(&document).into_iter().map(|(pointer, _)| pointer).collect();
        let there = prop_oneof![
            4 => prop::sample::select(pointers.clone()),
            1 => (prop::sample::select(pointers), pointer()).prop_map(|(above, below)| format!("{above}{below}")),
        ];
        let word = prop::sample::select(vec!["add", "remove", "replace", "move", "copy", "test"]);
        let led = (word, there.clone(), there, value()).prop_map(|(word, path, from, value)| {
            let (path, from) = (path.replace('\n', "\\n"), from.replace('\n', "\\n"));
            format!(r#"{{"op":"{word}","path":"{path}","from":"{from}","value":{value}}}"#)
        });
        let operations = prop::collection::vec(prop_oneof![4 => led, 1 => operation()], 0..5);
        (Just(document), operations.prop_map(|operations| format!("[{}]", operations.join(","))))
    })
}

/// Member names in the way of a merge patch, so that it removes too.
fn merge() -> impl Strategy<Value = String> {
    value().prop_map(|text| text.replace("true", "null"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_json_patch_does_what_a_plain_interpreter_does((document, patch) in edit()) {
        match (patched(&document, &patch), interpret(&document, &patch)) {
            (Ok(got), Some(want)) => prop_assert_eq!(read(&got), want, "{} {} {}", document, patch, got),
            (Err(_), None) => {}
            (got, want) => prop_assert!(false, "{document} {patch}: {got:?} {want:?}"),
        }
    }

    #[test]
    fn a_merge_patch_does_what_a_plain_interpreter_does(document in document(), patch in merge()) {
        let got = merged(&document, &patch).expect("each name stands once");
        let mut want = read(&document);
        want.merge(&read(&patch));
        prop_assert_eq!(read(&got), want, "{}", got);
        // Again, it changes nothing.
        prop_assert_eq!(merged(&got, &patch).expect("as before"), got);
    }

    #[test]
    fn bytes_outside_the_touched_value_stay(document in document(), pick in any::<prop::sample::Index>()) {
        let all = places(&document);
        let (pointer, old) = &all[pick.index(all.len())];
        let pointer = pointer.replace('\n', "\\n");
        let patch = format!(r#"[{{"op":"replace","path":"{pointer}","value":"neu"}}]"#);
        let got = patched(&document, &patch).expect("it is there");
        // Somewhere in the document the old text became the new one, and nothing else changed.
        let hit = document.match_indices(old.as_str()).any(|(at, _)| {
            got == format!("{}\"neu\"{}", &document[..at], &document[at + old.len()..])
        });
        prop_assert!(hit, "{document} {pointer} {got}");
        if pointer.is_empty() {
            return Ok(());
        }
        // Removing writes nothing; what is left stands in the document in this order.
        let patch = format!(r#"[{{"op":"remove","path":"{pointer}"}}]"#);
        let got = patched(&document, &patch).expect("it is there");
        let mut rest = document.bytes();
        prop_assert!(got.bytes().all(|byte| rest.any(|other| other == byte)), "{document} {pointer} {got}");
        // What surrounds it stays: its beginning and end meet in the gap.
        let head = document.bytes().zip(got.bytes()).take_while(|(a, b)| a == b).count();
        let tail = document.bytes().rev().zip(got.bytes().rev()).take_while(|(a, b)| a == b).count();
        prop_assert!(head + tail >= got.len(), "{document} {pointer} {got}");
    }

    #[test]
    fn an_edit_clashes_with_nothing_where_nothing_moved((document, patch) in edit(), merge in merge()) {
        if let Ok(after) = patched(&document, &patch) {
            let (patch, after) = (patch.as_bytes(), after.as_bytes());
            let document = document.as_bytes();
            prop_assert_eq!(clashes(&[(JsonForm::Patch, patch)], document, document, after).expect("a patch"), []);
        }
        let after = merged(&document, &merge).expect("each name stands once");
        let (merge, document, after) = (merge.as_bytes(), document.as_bytes(), after.as_bytes());
        prop_assert_eq!(clashes(&[(JsonForm::MergePatch, merge)], document, document, after).expect("a patch"), []);
    }

    /// Without a clash, the edit fits the document now, and both sides' changes are in it.
    #[test]
    fn without_a_clash_the_edit_fits_now((document, patch) in edit(), theirs in merge()) {
        let Ok(after) = patched(&document, &patch) else { return Ok(()) };
        let now = merged(&document, &theirs).expect("each name stands once");
        let found = clashes(&[(JsonForm::Patch, patch.as_bytes())], document.as_bytes(), now.as_bytes(), after.as_bytes());
        if found.expect("a patch").is_empty() {
            let both = patched(&now, &patch);
            prop_assert!(both.is_ok(), "{document} {patch} {now}: {both:?}");
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(document in any::<Vec<u8>>(), patch in any::<Vec<u8>>()) {
        let _ = json_patch(FIELD, &path(), &document, &patch);
        let _ = merge_patch(FIELD, &path(), &document, &patch);
        let _ = clashes(&[(JsonForm::Patch, &patch)], &document, &document, &document);
        prop_assert_eq!(is_json(&document), serde_json::from_slice::<Model>(&document).is_ok());
    }

    /// Nearly JSON: one byte of it is another, or gone.
    #[test]
    fn nearly_json_is_read_or_refused(
        (document, patch) in edit(),
        at in any::<prop::sample::Index>(),
        byte in prop::option::of(prop::sample::select(b"{}[]\",:\\u0-+.eE1 \nntf\x00\xff".to_vec())),
    ) {
        let broken = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            if bytes.is_empty() {
                return bytes;
            }
            let at = at.index(bytes.len());
            match byte {
                Some(byte) => bytes[at] = byte,
                None => drop(bytes.remove(at)),
            }
            bytes
        };
        let (bad_document, bad_patch) = (broken(&document), broken(&patch));
        let _ = json_patch(FIELD, &path(), &bad_document, patch.as_bytes());
        let _ = json_patch(FIELD, &path(), document.as_bytes(), &bad_patch);
        let _ = merge_patch(FIELD, &path(), &bad_document, &bad_patch);
        // Numbers that no float holds are JSON all the same.
        let theirs = serde_json::from_slice::<Model>(&bad_document);
        let far = theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
        prop_assert!(far || is_json(&bad_document) == theirs.is_ok(), "{:?}", String::from_utf8_lossy(&bad_document));
    }
}
