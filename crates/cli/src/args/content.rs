//! What a proposal consists of, as flags say it. Nothing is read from a file here.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use clap::ArgMatches;
use sekali_core::change::JsonForm;
use sekali_core::{Lang, Timestamp};

use crate::failure::Failed;
use crate::text::{Text, say};

/// Where the bytes of a document come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    StandardInput,
    File(PathBuf),
}

impl Source {
    fn of(text: PathBuf) -> Self {
        if text.as_os_str() == "-" { Self::StandardInput } else { Self::File(text) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StandardInput => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// One flag that changes something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Put(String, Source),
    PutDir(PathBuf),
    Delete(String),
    Rename(String, String),
    /// A unified diff, and how many leading components of its names are taken away.
    Patch(Source, Option<u32>),
    JsonEdit(JsonForm, String, Source),
}

impl Step {
    fn reads(&self) -> Option<&Source> {
        match self {
            Self::Put(_, source) | Self::Patch(source, _) | Self::JsonEdit(_, _, source) => Some(source),
            Self::PutDir(_) | Self::Delete(_) | Self::Rename(..) => None,
        }
    }

    /// The flag as it was written.
    pub(crate) fn flag(&self) -> String {
        let at = |path: &str, source: &Source| format!("{path}={source}");
        let (flag, value) = match self {
            Self::Put(path, source) => ("put", at(path, source)),
            Self::PutDir(dir) => ("put-dir", dir.display().to_string()),
            Self::Delete(path) => ("delete", path.clone()),
            Self::Rename(from, path) => ("rename", format!("{from}={path}")),
            Self::Patch(source, _) => ("patch", source.to_string()),
            Self::JsonEdit(JsonForm::Patch, path, source) => ("json-patch", at(path, source)),
            Self::JsonEdit(JsonForm::MergePatch, path, source) => ("merge-patch", at(path, source)),
        };
        format!("--{flag} {value}")
    }
}

/// A validity that is left as it is, taken away, or set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Until {
    #[default]
    Unsaid,
    Never,
    At(Timestamp),
}

/// A proposal's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// A proposal file.
    File(Source),
    /// Flags, in the order in which they stand.
    Flags {
        title: Option<String>,
        why: Option<String>,
        key: Option<String>,
        correlation: Option<String>,
        effect_keys: Vec<String>,
        until: Until,
        bases: Vec<(String, String)>,
        steps: Vec<Step>,
    },
}

pub(super) fn of(m: &ArgMatches) -> Result<Content, Failed> {
    if let Some(file) = m.get_one::<PathBuf>("file") {
        return Ok(Content::File(Source::of(file.clone())));
    }
    // `revise` has neither of these.
    let optional = |id: &str| m.try_get_one::<String>(id).ok().flatten().cloned();
    let steps = steps(m)?;
    let from_input = steps.iter().filter(|s| s.reads() == Some(&Source::StandardInput)).count();
    if from_input > 1 {
        return Err(Failed::usage(say::USE_INPUT_TWICE, &[]));
    }
    let bases = m.get_many::<String>("base").into_iter().flatten().map(|text| {
        // A digest holds no "=", so the last one is it; a path may hold several.
        match text.rsplit_once('=') {
            Some((path, digest)) if !path.is_empty() && !digest.is_empty() => {
                Ok((path.to_owned(), digest.to_owned()))
            }
            _ => Err(Failed::usage(say::USE_BASE, &[("text", &format!("{text:?}"))])),
        }
    });
    Ok(Content::Flags {
        title: optional("title"),
        why: optional("why"),
        key: optional("key"),
        correlation: optional("correlation"),
        effect_keys: m.get_many::<String>("effect-key").into_iter().flatten().cloned().collect(),
        until: m.get_one::<Until>("valid-until").copied().unwrap_or_default(),
        bases: bases.collect::<Result<_, _>>()?,
        steps,
    })
}

/// The flags that change something, in the order in which they were written.
fn steps(m: &ArgMatches) -> Result<Vec<Step>, Failed> {
    let mut placed: Vec<(usize, Step)> = Vec::new();
    for (index, text) in at::<OsString>(m, "put") {
        let (path, file) = halves(say::USE_PUT, text)?;
        placed.push((index, Step::Put(path, Source::of(file.into()))));
    }
    for (index, dir) in at::<PathBuf>(m, "put-dir") {
        placed.push((index, Step::PutDir(dir.clone())));
    }
    for (index, path) in at::<String>(m, "delete") {
        placed.push((index, Step::Delete(path.clone())));
    }
    for (index, text) in at::<String>(m, "rename") {
        let (from, path) = halves(say::USE_RENAME, OsStr::new(text))?;
        let path = path.into_string().expect("half of a string is one");
        placed.push((index, Step::Rename(from, path)));
    }
    let strip = m.get_one::<u32>("strip").copied();
    for (index, file) in at::<PathBuf>(m, "patch") {
        placed.push((index, Step::Patch(Source::of(file.clone()), strip)));
    }
    let edits = [
        ("json-patch", JsonForm::Patch, say::USE_JSON_PATCH),
        ("merge-patch", JsonForm::MergePatch, say::USE_MERGE_PATCH),
    ];
    for (flag, form, wrong) in edits {
        for (index, text) in at::<OsString>(m, flag) {
            let (path, file) = halves(wrong, text)?;
            placed.push((index, Step::JsonEdit(form, path, Source::of(file.into()))));
        }
    }
    placed.sort_by_key(|(index, _)| *index);
    Ok(placed.into_iter().map(|(_, step)| step).collect())
}

fn at<'m, T: Clone + Send + Sync + 'static>(m: &'m ArgMatches, id: &str) -> Vec<(usize, &'m T)> {
    let indices = m.indices_of(id).into_iter().flatten();
    indices.zip(m.get_many::<T>(id).into_iter().flatten()).collect()
}

/// Both sides of the first `=`. A document's path is text; a file's name may be any bytes.
fn halves(wrong: Text, text: &OsStr) -> Result<(String, OsString), Failed> {
    let wrong = || Failed::usage(wrong, &[("text", &text.to_string_lossy())]);
    let bytes = text.as_encoded_bytes();
    let place = bytes.iter().position(|b| *b == b'=').ok_or_else(wrong)?;
    let (left, right) = (&bytes[..place], &bytes[place + 1..]);
    if left.is_empty() || right.is_empty() {
        return Err(wrong());
    }
    let left = std::str::from_utf8(left).map_err(|_| wrong())?.to_owned();
    let right = right_half(text, right).ok_or_else(wrong)?;
    Ok((left, right))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere a name need not be text")]
fn right_half(_whole: &OsStr, right: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(OsStr::from_bytes(right).to_owned())
}

#[cfg(not(unix))]
fn right_half(whole: &OsStr, _right: &[u8]) -> Option<OsString> {
    whole.to_str()?.split_once('=').map(|(_, right)| right.into())
}

pub(super) fn until(lang: Lang, text: &str) -> Result<Until, &'static str> {
    text.parse().map(Until::At).map_err(|_| say::WANT_TIME.pick(lang))
}

pub(super) fn until_or_none(lang: Lang, text: &str) -> Result<Until, &'static str> {
    if text == "none" {
        return Ok(Until::Never);
    }
    until(lang, text).map_err(|_| say::WANT_TIME_OR_NONE.pick(lang))
}

#[cfg(test)]
mod tests {
    use super::super::{Order, Parsed, parse};
    use super::*;

    fn content(args: &[&str]) -> Content {
        let whole = ["sekali", "propose"].iter().chain(args).map(OsString::from).collect();
        match parse(sekali_core::Lang::En, whole) {
            Ok(Parsed::Order(_, order)) => match *order {
                Order::Propose(content) => content,
                other => panic!("{args:?}: {other:?}"),
            },
            other => panic!("{args:?}: {other:?}"),
        }
    }

    #[test]
    fn changes_keep_the_order_in_which_they_are_written() {
        let Content::Flags { steps, bases, .. } = content(&[
            "--delete",
            "a",
            "--put",
            "b=x=y",
            "--title",
            "T",
            "--rename",
            "c=d",
            "--put",
            "e=-",
            "--put-dir",
            "dir",
            "--delete",
            "f",
            "--merge-patch",
            "m.json=-m",
            "--patch",
            "fix.diff",
            "--json-patch",
            "j.json=j",
            "--strip",
            "2",
            "--base",
            "p=q=absent",
        ]) else {
            panic!("these are flags");
        };
        let expected = vec![
            Step::Delete("a".into()),
            Step::Put("b".into(), Source::File("x=y".into())),
            Step::Rename("c".into(), "d".into()),
            Step::Put("e".into(), Source::StandardInput),
            Step::PutDir("dir".into()),
            Step::Delete("f".into()),
            Step::JsonEdit(JsonForm::MergePatch, "m.json".into(), Source::File("-m".into())),
            Step::Patch(Source::File("fix.diff".into()), Some(2)),
            Step::JsonEdit(JsonForm::Patch, "j.json".into(), Source::File("j".into())),
        ];
        assert_eq!(steps, expected);
        assert_eq!(bases, [("p=q".to_owned(), "absent".to_owned())]);
    }
}
