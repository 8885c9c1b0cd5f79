//! A submission as it comes through a door: the proposal file of docs/format.md, parsed into what
//! cannot be wrong. Unknown members are refused by name.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::change::{JsonForm, Mode, Submitted, SubmittedBase, submission_fingerprint};
use crate::code::Code;
use crate::hash::{ABSENT, FieldHasher};
use crate::id::{ActorId, RoomId};
use crate::limit;
use crate::path::DocPath;
use crate::refusal::Refusal;
use crate::text;
use crate::time::Timestamp;

/// The `format` of a proposal file.
pub const FORMAT: &str = "sekali.proposal/1";

/// What someone proposes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// One line.
    pub title: String,
    /// Markdown, perhaps empty.
    pub why: String,
    /// The idempotency key, if there is one.
    pub key: Option<String>,
    /// What it does, permanently.
    pub effect_keys: Vec<String>,
    /// Until when it may be applied.
    pub valid_until: Option<Timestamp>,
    /// An id of the caller's, kept for them.
    pub correlation: Option<String>,
    /// In order.
    pub changes: Vec<Submitted>,
}

/// Reads a file that a change names, relative to the proposal file. Only the command line has one.
pub type LoadFile<'a> = &'a mut dyn FnMut(&str, &str) -> Result<Vec<u8>, Refusal>;

impl Submission {
    /// Proposes changes under a title, and says nothing else. It is not checked yet: see
    /// [`Self::checked`].
    pub fn new(title: impl Into<String>, changes: Vec<Submitted>) -> Self {
        Self {
            title: title.into(),
            why: String::new(),
            key: None,
            effect_keys: Vec::new(),
            valid_until: None,
            correlation: None,
            changes,
        }
    }

    /// Reads a proposal file. Patches of JSON documents are kept by their text, so that a number stays
    /// as it was written.
    ///
    /// # Errors
    /// `body.invalid_json`, or a refusal that names the member and the way out.
    pub fn read(body: &[u8], load: Option<LoadFile<'_>>) -> Result<Self, Refusal> {
        Self::of(crate::json::parse_keeping_patches(body)?, load)
    }

    /// The same of a parsed body, in which each change's `patch` is its text.
    fn of(value: Value, mut load: Option<LoadFile<'_>>) -> Result<Self, Refusal> {
        let mut members = Members::of(value, "", ("a proposal", "usulan"))?;
        match members.string("format")? {
            Some(format) if format == FORMAT => {}
            Some(other) => {
                return Err(Refusal::field(
                    Code::BodyInvalid,
                    "format",
                    format!("format: {other:?} is not known; this is {FORMAT:?}."),
                )
                .said(format!("format: {other:?} tidak dikenal; yang benar {FORMAT:?}."))
                .with(|f| f.expected = vec![FORMAT.to_owned()]));
            }
            None => {
                return Err(missing("format", &format!("it is {FORMAT:?}"), &format!("isinya {FORMAT:?}")));
            }
        }
        let title = members.string("title")?.ok_or_else(|| {
            missing("title", "one line that says what changes", "satu baris yang menyebut apa yang berubah")
        })?;
        let submission = Self {
            title,
            why: members.string("why")?.unwrap_or_default(),
            key: members.string("key")?,
            effect_keys: members.strings("effect_keys")?,
            valid_until: members.time("valid_until")?,
            correlation: members.string("correlation")?,
            changes: members.changes(&mut load)?,
        };
        members.finish()?;
        submission.checked()
    }

    /// Checks the limits and forms that no parser has.
    ///
    /// # Errors
    /// A refusal that names the field.
    pub fn checked(self) -> Result<Self, Refusal> {
        text::title("title", &self.title)?;
        text::prose("why", &self.why, limit::WHY_BYTES)?;
        if let Some(key) = &self.key {
            text::key("key", key)?;
        }
        if let Some(correlation) = &self.correlation {
            text::correlation("correlation", correlation)?;
        }
        if self.effect_keys.len() > limit::EFFECT_KEYS {
            return Err(Refusal::limit(
                "effect_keys",
                "a proposal",
                limit::EFFECT_KEYS,
                self.effect_keys.len(),
                "effect keys",
            ));
        }
        for (index, key) in self.effect_keys.iter().enumerate() {
            let field = format!("effect_keys[{index}]");
            text::effect_key(&field, key)?;
            if self.effect_keys[..index].contains(key) {
                return Err(Refusal::field(
                    Code::ProposalInvalid,
                    &field,
                    format!("{field}: {key:?} stands twice."),
                )
                .said(format!("{field}: {key:?} ditulis dua kali.")));
            }
        }
        if self.changes.is_empty() {
            return Err(Refusal::field(
                Code::ProposalInvalid,
                "changes",
                "changes: a proposal changes at least one document.",
            )
            .said("changes: usulan mengubah paling sedikit satu dokumen."));
        }
        if self.changes.len() > limit::CHANGES {
            return Err(Refusal::limit(
                "changes",
                "a proposal",
                limit::CHANGES,
                self.changes.len(),
                "changes",
            ));
        }
        let mut total = self.why.len() + self.title.len();
        for (index, change) in self.changes.iter().enumerate() {
            let bytes = match change {
                Submitted::Put { content, .. } => {
                    if content.len() > limit::CONTENT_BYTES {
                        let field = format!("changes[{index}]");
                        return Err(Refusal::limit(
                            field,
                            "a document",
                            limit::CONTENT_BYTES,
                            content.len(),
                            "bytes",
                        ));
                    }
                    content.len()
                }
                Submitted::Patch { diff, .. } => diff.len(),
                Submitted::JsonEdit { patch, .. } => patch.len(),
                Submitted::Delete { .. } | Submitted::Rename { .. } => 0,
            };
            total += bytes;
        }
        if total > limit::SUBMISSION_BYTES {
            return Err(Refusal::new(
                Code::BodyTooLarge,
                format!("A submission may have at most {} bytes; this has {total}.", limit::SUBMISSION_BYTES),
            )
            .said(format!("Kiriman paling banyak {} byte; ini {total}.", limit::SUBMISSION_BYTES))
            .with(|f| {
                f.limit = Some(limit::SUBMISSION_BYTES as u64);
                f.value = Some(total.to_string());
            }));
        }
        Ok(self)
    }

    /// The fingerprint of the whole submission: the same key with another one is refused.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = FieldHasher::new()
            .field(b"sekali/submission/1")
            .field(self.title.as_bytes())
            .field(self.why.as_bytes())
            .field(self.valid_until.map(|t| t.to_string()).unwrap_or_default().as_bytes())
            .field(self.correlation.as_deref().unwrap_or_default().as_bytes())
            .field(self.effect_keys.len().to_string().as_bytes());
        for key in &self.effect_keys {
            hasher = hasher.field(key.as_bytes());
        }
        submission_fingerprint(hasher, &self.changes).finish()
    }
}

/// The effect key of a submission that has an idempotency key and names no effect: `in/` and 64
/// hex digits (docs/format.md, "Derived effect key").
pub fn derived_effect_key(room: RoomId, submitter: ActorId, key: &str) -> String {
    let hash = FieldHasher::new()
        .field(room.to_string().as_bytes())
        .field(submitter.to_string().as_bytes())
        .field(b"key")
        .field(b"string")
        .field(key.as_bytes())
        .finish();
    format!("{}{}", crate::revision::DERIVED, hex::encode(hash))
}

/// Reads a base as it is written: `sha256:` of the content that was read, or `absent`.
///
/// # Errors
/// `proposal.invalid`, naming the field.
pub fn parse_base(field: &str, text: &str) -> Result<SubmittedBase, Refusal> {
    if text == ABSENT {
        return Ok(SubmittedBase::Absent);
    }
    text.parse().map(SubmittedBase::Content).map_err(|e| {
        Refusal::field(Code::ProposalInvalid, field, format!("{field}: {e}, or \"absent\"."))
            .said(format!(
                "{field}: seharusnya \"sha256:\" dan 64 angka heksadesimal huruf kecil, atau \"absent\"."
            ))
            .with(|f| f.value = Some(text.to_owned()))
    })
}

fn missing(field: &str, en: &str, id: &str) -> Refusal {
    Refusal::field(Code::BodyInvalid, field, format!("{field}: it is missing; {en}."))
        .said(format!("{field}: belum ada; {id}."))
}

/// A word in English and Indonesian.
type Both = (&'static str, &'static str);

/// The members of one object, taken one by one; what is left over is refused by name.
struct Members {
    map: Map<String, Value>,
    prefix: String,
    asked: Vec<&'static str>,
}

impl Members {
    fn of(value: Value, prefix: &str, what: Both) -> Result<Self, Refusal> {
        match value {
            Value::Object(map) => Ok(Self { map, prefix: prefix.to_owned(), asked: Vec::new() }),
            other => {
                let field = prefix.trim_end_matches('.');
                let at = |body: &str| if field.is_empty() { body.to_owned() } else { format!("{field}: it") };
                let kind = kind_of(&other);
                let refusal = Refusal::new(
                    Code::BodyInvalid,
                    format!("{} is {}; {} is a JSON object.", at("The body"), kind.0, what.0),
                );
                let at = if field.is_empty() { "Isinya".to_owned() } else { format!("{field}: ini") };
                let refusal = refusal.said(format!("{at} {}; {} adalah objek JSON.", kind.1, what.1));
                Err(refusal.with(|f| f.field = (!field.is_empty()).then(|| field.to_owned())))
            }
        }
    }

    fn name(&self, member: &str) -> String {
        format!("{}{member}", self.prefix)
    }

    fn take(&mut self, member: &'static str) -> Option<Value> {
        self.asked.push(member);
        self.map.remove(member).filter(|v| !v.is_null())
    }

    fn wrong(&self, member: &str, got: &Value, wanted: Both) -> Refusal {
        let (field, kind) = (self.name(member), kind_of(got));
        Refusal::field(Code::BodyInvalid, &field, format!("{field}: it is {}, not {}.", kind.0, wanted.0))
            .said(format!("{field}: ini {}, bukan {}.", kind.1, wanted.1))
    }

    fn string(&mut self, member: &'static str) -> Result<Option<String>, Refusal> {
        match self.take(member) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(member, &other, ("a string", "teks"))),
        }
    }

    fn needed(&mut self, member: &'static str, what: Both) -> Result<String, Refusal> {
        self.string(member)?.ok_or_else(|| missing(&self.name(member), what.0, what.1))
    }

    fn strings(&mut self, member: &'static str) -> Result<Vec<String>, Refusal> {
        match self.take(member) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .into_iter()
                .enumerate()
                .map(|(index, item)| match item {
                    Value::String(text) => Ok(text),
                    other => Err(self.wrong(&format!("{member}[{index}]"), &other, ("a string", "teks"))),
                })
                .collect(),
            Some(other) => Err(self.wrong(member, &other, ("an array of strings", "larik teks"))),
        }
    }

    fn time(&mut self, member: &'static str) -> Result<Option<Timestamp>, Refusal> {
        let Some(text) = self.string(member)? else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|e| {
            let field = self.name(member);
            Refusal::field(Code::ProposalInvalid, &field, format!("{field}: {e}."))
                .said(format!(
                    "{field}: seharusnya waktu RFC 3339 dengan zona, misalnya 2026-11-30T14:02:11.123Z."
                ))
                .with(|f| f.value = Some(text))
        })
    }

    fn changes(&mut self, load: &mut Option<LoadFile<'_>>) -> Result<Vec<Submitted>, Refusal> {
        match self.take("changes") {
            None => Err(missing("changes", "a list of what changes", "daftar yang berubah")),
            Some(Value::Array(items)) => {
                if items.len() > limit::CHANGES {
                    return Err(Refusal::limit(
                        "changes",
                        "a proposal",
                        limit::CHANGES,
                        items.len(),
                        "changes",
                    ));
                }
                items.into_iter().enumerate().map(|(index, item)| change(index, item, load)).collect()
            }
            Some(other) => Err(self.wrong("changes", &other, ("an array", "larik"))),
        }
    }

    fn path(&mut self, member: &'static str) -> Result<DocPath, Refusal> {
        let text = self.needed(member, ("the path of a document", "jalur sebuah dokumen"))?;
        DocPath::parse(&self.name(member), &text)
    }

    fn base(&mut self) -> Result<Option<SubmittedBase>, Refusal> {
        let Some(text) = self.string("base")? else {
            return Ok(None);
        };
        parse_base(&self.name("base"), &text).map(Some)
    }

    /// What the author of a patch had read, by path.
    fn bases(&mut self) -> Result<Vec<(DocPath, SubmittedBase)>, Refusal> {
        let read = match self.take("bases") {
            None => return Ok(Vec::new()),
            Some(Value::Object(map)) => map,
            Some(other) => return Err(self.wrong("bases", &other, ("an object", "objek"))),
        };
        let mut bases = Vec::with_capacity(read.len());
        for (path, base) in read {
            let field = self.name(&format!("bases[{path:?}]"));
            let Value::String(base) = base else {
                return Err(self.wrong(&format!("bases[{path:?}]"), &base, ("a string", "teks")));
            };
            bases.push((DocPath::parse(&field, &path)?, parse_base(&field, &base)?));
        }
        // In an order of their own: what a key stands for does not depend on how they were written.
        bases.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
        let mut keys: Vec<&DocPath> = bases.iter().map(|(path, _)| path).collect();
        keys.sort_by_key(|path| path.key());
        if let Some([one, two]) = keys.array_windows().find(|[one, two]| one.key() == two.key()) {
            let field = self.name("bases");
            return Err(Refusal::field(
                Code::ProposalInvalid,
                &field,
                format!("{field}: {one} and {two} are one document; name it once."),
            )
            .said(format!("{field}: {one} dan {two} adalah satu dokumen; sebutkan sekali saja.")));
        }
        Ok(bases)
    }

    fn strip(&mut self) -> Result<Option<u32>, Refusal> {
        match self.take("strip") {
            None => Ok(None),
            Some(Value::Number(n)) if n.as_u64().is_some_and(|n| n <= limit::STRIP.into()) => {
                Ok(n.as_u64().and_then(|n| u32::try_from(n).ok()))
            }
            Some(other) => Err(self.wrong(
                "strip",
                &other,
                ("a whole number from 0 to 100", "bilangan bulat dari 0 sampai 100"),
            )),
        }
    }

    /// Bytes as text, in base64, or of a file: exactly one of them.
    fn bytes(
        &mut self,
        op: &str,
        text: &'static str,
        base64: &'static str,
        load: &mut Option<LoadFile<'_>>,
    ) -> Result<Vec<u8>, Refusal> {
        let plain = self.string(text)?;
        let encoded = self.string(base64)?;
        let file = if load.is_some() { self.string("file")? } else { None };
        match (plain, encoded, file) {
            (Some(plain), None, None) => Ok(plain.into_bytes()),
            (None, Some(encoded), None) => STANDARD.decode(encoded).map_err(|e| {
                let field = self.name(base64);
                Refusal::field(
                    Code::BodyInvalid,
                    &field,
                    format!(
                        "{field}: it is not base64 with padding (RFC 4648, section 4): {}.",
                        e.to_string().trim_end_matches('.')
                    ),
                )
                .said(format!("{field}: ini bukan base64 dengan pengisi (RFC 4648, bagian 4)."))
            }),
            (None, None, Some(file)) => {
                let load = load.as_mut().expect("the member is only read where files can be loaded");
                load(&self.name("file"), &file)
            }
            _ if load.is_some() => Err(self
                .one_of(op, (&format!("{text}, {base64} or file"), &format!("{text}, {base64}, atau file")))),
            _ => Err(self.one_of(op, (&format!("{text} or {base64}"), &format!("{text} atau {base64}")))),
        }
    }

    fn one_of(&self, op: &str, forms: (&str, &str)) -> Refusal {
        let field = self.prefix.trim_end_matches('.').to_owned();
        Refusal::field(
            Code::BodyInvalid,
            &field,
            format!("{field}: a {op} needs exactly one of {}.", forms.0),
        )
        .said(format!("{field}: {op} memerlukan tepat satu dari {}.", forms.1))
    }

    fn finish(self) -> Result<(), Refusal> {
        let Some(unknown) = self.map.keys().next() else {
            return Ok(());
        };
        let field = self.name(unknown);
        Err(Refusal::field(
            Code::BodyInvalid,
            &field,
            format!("{field}: this member is not known here; known are {}.", self.asked.join(", ")),
        )
        .said(format!("{field}: anggota ini tidak dikenal di sini; yang dikenal {}.", self.asked.join(", ")))
        .with(|f| f.expected = self.asked.iter().map(ToString::to_string).collect()))
    }
}

fn kind_of(value: &Value) -> Both {
    match value {
        Value::Null => ("null", "null"),
        Value::Bool(_) => ("a boolean", "boolean"),
        Value::Number(_) => ("a number", "bilangan"),
        Value::String(_) => ("a string", "teks"),
        Value::Array(_) => ("an array", "larik"),
        Value::Object(_) => ("an object", "objek"),
    }
}

const OP_WORDS: [&str; 6] = ["put", "delete", "rename", "patch", "json_patch", "merge_patch"];
const OPS: Both = (
    "put, delete, rename, patch, json_patch or merge_patch",
    "put, delete, rename, patch, json_patch, atau merge_patch",
);

fn change(index: usize, value: Value, load: &mut Option<LoadFile<'_>>) -> Result<Submitted, Refusal> {
    let mut members = Members::of(value, &format!("changes[{index}]."), ("a change", "perubahan"))?;
    let op = members.needed("op", (OPS.0, OPS.1))?;
    let change = match op.as_str() {
        "put" => Submitted::Put {
            path: members.path("path")?,
            base: members.base()?,
            mode: members.string("mode")?.map(|m| Mode::parse(&members.name("mode"), &m)).transpose()?,
            content: content(&mut members, load)?,
        },
        "delete" => Submitted::Delete { path: members.path("path")?, base: members.base()? },
        "rename" => Submitted::Rename {
            from: members.path("from")?,
            path: members.path("path")?,
            base: members.base()?,
        },
        "patch" => Submitted::Patch {
            strip: members.strip()?,
            bases: members.bases()?,
            diff: diff(&mut members, load)?,
        },
        "json_patch" | "merge_patch" => {
            let form = if op == "json_patch" { JsonForm::Patch } else { JsonForm::MergePatch };
            Submitted::JsonEdit {
                form,
                path: members.path("path")?,
                base: members.base()?,
                patch: json_edit(&op, &mut members, load)?,
            }
        }
        other => {
            let field = members.name("op");
            return Err(Refusal::field(
                Code::BodyInvalid,
                &field,
                format!("{field}: {other:?} is not known; known are {}.", OP_WORDS.join(", ")),
            )
            .said(format!("{field}: {other:?} tidak dikenal; yang dikenal {}.", OP_WORDS.join(", ")))
            .with(|f| f.expected = OP_WORDS.map(str::to_owned).to_vec()));
        }
    };
    members.finish()?;
    Ok(change)
}

fn content(members: &mut Members, load: &mut Option<LoadFile<'_>>) -> Result<Vec<u8>, Refusal> {
    members.bytes("put", "text", "base64", load)
}

fn diff(members: &mut Members, load: &mut Option<LoadFile<'_>>) -> Result<Vec<u8>, Refusal> {
    members.bytes("patch", "diff", "diff_base64", load)
}

/// The text of a patch for a JSON document; `null` is one too.
fn json_edit(op: &str, members: &mut Members, load: &mut Option<LoadFile<'_>>) -> Result<Vec<u8>, Refusal> {
    members.asked.push("patch");
    let text = match members.map.remove("patch") {
        Some(Value::String(text)) => Some(text),
        Some(_) | None => None,
    };
    let file = if load.is_some() { members.string("file")? } else { None };
    match (text, file, load) {
        (Some(text), None, _) => Ok(text.into_bytes()),
        (None, Some(file), Some(load)) => load(&members.name("file"), &file),
        (None, None, None) => {
            Err(missing(&members.name("patch"), "the patch, as JSON", "tambalannya, sebagai JSON"))
        }
        _ => Err(members.one_of(op, ("patch or file", "patch atau file"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &str) -> Result<Submission, Refusal> {
        Submission::read(body.as_bytes(), None)
    }

    fn with_changes(changes: &str) -> String {
        format!(r#"{{"format":"sekali.proposal/1","title":"T","changes":{changes}}}"#)
    }

    #[test]
    fn each_wrong_member_is_named() {
        let check = |body: &str, code: Code, field: Option<&str>| {
            let refusal = parse(body).expect_err(body);
            assert_eq!((refusal.code, refusal.facts.field.as_deref()), (code, field), "{}", refusal.detail);
        };
        check("[]", Code::BodyInvalid, None);
        check("{}", Code::BodyInvalid, Some("format"));
        check(r#"{"format":"x"}"#, Code::BodyInvalid, Some("format"));
        check(r#"{"format":"sekali.proposal/1"}"#, Code::BodyInvalid, Some("title"));
        check(r#"{"format":"sekali.proposal/1","title":"T"}"#, Code::BodyInvalid, Some("changes"));
        check(&with_changes("[]"), Code::ProposalInvalid, Some("changes"));
        check(&with_changes("7"), Code::BodyInvalid, Some("changes"));
        check(&with_changes("[7]"), Code::BodyInvalid, Some("changes[0]"));
        check(&with_changes(r#"[{"op":"put"}]"#), Code::BodyInvalid, Some("changes[0].path"));
        check(&with_changes(r#"[{"op":"put","path":"a"}]"#), Code::BodyInvalid, Some("changes[0]"));
        check(
            &with_changes(r#"[{"op":"put","path":"a","text":"x","base64":""}]"#),
            Code::BodyInvalid,
            Some("changes[0]"),
        );
        check(
            &with_changes(r#"[{"op":"put","path":"a","text":7}]"#),
            Code::BodyInvalid,
            Some("changes[0].text"),
        );
        check(
            &with_changes(r#"[{"op":"put","path":"a","base64":"*"}]"#),
            Code::BodyInvalid,
            Some("changes[0].base64"),
        );
        check(
            &with_changes(r#"[{"op":"put","path":"a","file":"x"}]"#),
            Code::BodyInvalid,
            Some("changes[0]"),
        );
        check(
            &with_changes(r#"[{"op":"put","path":"../a","text":""}]"#),
            Code::PathInvalid,
            Some("changes[0].path"),
        );
        check(
            &with_changes(r#"[{"op":"put","path":"a","text":"","mode":"120000"}]"#),
            Code::ProposalInvalid,
            Some("changes[0].mode"),
        );
        check(
            &with_changes(r#"[{"op":"put","path":"a","text":"","base":"x"}]"#),
            Code::ProposalInvalid,
            Some("changes[0].base"),
        );
        check(
            &with_changes(r#"[{"op":"put","path":"a","text":"","colour":"x"}]"#),
            Code::BodyInvalid,
            Some("changes[0].colour"),
        );
        check(&with_changes(r#"[{"op":"copy","path":"a"}]"#), Code::BodyInvalid, Some("changes[0].op"));
        check(
            r#"{"format":"sekali.proposal/1","title":"T","changes":[],"extra":1}"#,
            Code::BodyInvalid,
            Some("extra"),
        );
        check(
            r#"{"format":"sekali.proposal/1","title":"T","valid_until":"besok","changes":[]}"#,
            Code::ProposalInvalid,
            Some("valid_until"),
        );
        check(
            r#"{"format":"sekali.proposal/1","title":"T","effect_keys":["a","a"],"changes":[{"op":"delete","path":"a"}]}"#,
            Code::ProposalInvalid,
            Some("effect_keys[1]"),
        );
    }

    #[test]
    fn a_fingerprint_tells_fields_apart() {
        let one = parse(&with_changes(r#"[{"op":"put","path":"ab","text":"c"}]"#)).unwrap();
        let two = parse(&with_changes(r#"[{"op":"put","path":"a","text":"bc"}]"#)).unwrap();
        assert_ne!(one.fingerprint(), two.fingerprint());
        assert_eq!(one.fingerprint(), one.clone().fingerprint());
        let titled = Submission { title: "U".into(), ..one.clone() };
        assert_ne!(one.fingerprint(), titled.fingerprint());
    }
}
