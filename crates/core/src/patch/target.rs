//! Which document a file in git's form is about: its name stands there up to six times, and no two of
//! them may say different things.

use super::git::{Headers, Move};
use super::hunk::Hunk;
use super::name::{self, Pair};
use super::parse::Context;
use super::plain::impossible;
use super::refuse::{invalid, named};
use super::{Strip, Target};
use crate::refusal::Refusal;

/// A file with its names.
pub(super) struct Named<'n> {
    pub(super) context: &'n Context<'n>,
    pub(super) line: u64,
    /// What stands behind `diff --git `.
    pub(super) pair: &'n [u8],
    pub(super) headers: &'n Headers<'n>,
}

/// What the names and headers come to.
pub(super) fn of(file: &Named<'_>, hunks: Result<&[Hunk<'_>], &Refusal>) -> Result<Target, Refusal> {
    let (old, new) = file.headers.names.there(hunks);
    let (old, new) = (old.map(|n| &*n.bytes), new.map(|n| &*n.bytes));
    let (rename, copy) = (&file.headers.rename, &file.headers.copy);
    if !rename.is_there() && !copy.is_there() {
        return file.standing(old, new);
    }
    let (from, to) = file.moved(if rename.is_there() { rename } else { copy }, old, new)?;
    let path = file.context.target(file.line, to)?;
    Ok(match file.context.source(from) {
        None => impossible(from),
        Some(from) if rename.is_there() => Target::Rename { from, path },
        Some(from) => Target::Copy { from, path },
    })
}

impl Named<'_> {
    /// From where to where a file moves.
    fn moved<'m>(
        &self,
        moved: &'m Move<'_>,
        old: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Result<(&'m [u8], &'m [u8]), Refusal> {
        let (Some(from), Some(to)) = (&moved.from, &moved.to) else {
            return Err(self.invalid((
                "a rename or copy names only one of its two files; both from and to are needed.",
                "rename atau copy hanya menyebut satu dari dua berkasnya; from dan to harus ada.",
            )));
        };
        // These names carry no prefix, the others do: as `git apply -p` counts.
        let fewer = self.context.strip.map_or(0, |n| n.saturating_sub(1));
        let from = self.context.stripped(self.line, from, fewer)?;
        let to = self.context.stripped(self.line, to, fewer)?;
        for (other, moved) in [(old, from), (new, to)] {
            let Some(other) = other else { continue };
            let agrees = |n: u32| name::strip(other, n) == Some(moved);
            if !self.context.strip.map_or_else(|| agrees(0) || agrees(1), agrees) {
                return Err(self.at_odds(other, moved));
            }
        }
        Ok((from, to))
    }

    /// What becomes of a file that does not move.
    fn standing(&self, old: Option<&[u8]>, new: Option<&[u8]>) -> Result<Target, Refusal> {
        let headers = self.headers;
        let creates = headers.created.is_some() || headers.names.old.is_some() && old.is_none();
        let deletes = headers.deleted || headers.names.new.is_some() && new.is_none();
        if creates && deletes {
            return Err(self.invalid((
                "this file is said both to be new and to go; one of them is wrong.",
                "berkas ini disebut baru sekaligus dihapus; salah satunya keliru.",
            )));
        }
        let pair = name::pair(self.pair, self.context.strip);
        let (split_old, split_new) = match &pair {
            Pair::Split { old, new, .. } => (Some(&**old), Some(&**new)),
            Pair::Unclear => (None, None),
        };
        for (one, other) in [(old, split_old), (new, split_new)] {
            if let (Some(one), Some(other)) = (one, other)
                && one != other
            {
                return Err(self.at_odds(one, other));
            }
        }
        let components = components(self.context.strip, &pair, old, new);
        let mut names = Vec::new();
        for name in [old.or(split_old), new.or(split_new)].into_iter().flatten() {
            names.push(self.context.stripped(self.line, name, components)?);
        }
        names.dedup();
        match *names.as_slice() {
            [] => Err(self.unclear()),
            [name] if creates => Ok(Target::Create(self.context.target(self.line, name)?)),
            [name] if deletes => {
                Ok(self.context.source(name).map_or_else(|| impossible(name), Target::Delete))
            }
            [one, other] if creates || deletes => Err(self.at_odds(one, other)),
            // Two files that were compared with each other, as `git diff --no-index` does.
            ref names => Ok(self.context.sources(names)),
        }
    }

    fn invalid(&self, said: (impl AsRef<str>, impl AsRef<str>)) -> Refusal {
        invalid(self.context.field, self.line, said)
    }

    fn at_odds(&self, a: &[u8], b: &[u8]) -> Refusal {
        let (a, b) = (named(a), named(b));
        self.invalid((
            format!(
                "the headers of this file name both {a} and {b}, and do not say how the one becomes the other; correct the names, or say with strip how many leading components are no part of them."
            ),
            format!(
                "kepala berkas ini menyebut {a} dan {b} tanpa mengatakan bagaimana yang satu menjadi yang lain; perbaiki namanya, atau sebutkan dengan strip berapa komponen depan yang bukan bagiannya."
            ),
        ))
    }

    fn unclear(&self) -> Refusal {
        let pair = named(self.pair);
        self.invalid((
            format!(
                "the two names in diff --git {pair} cannot be told apart; give --- and +++ lines, or say with strip how many leading components are no part of them."
            ),
            format!(
                "kedua nama dalam diff --git {pair} tidak dapat dibedakan; beri baris --- dan +++, atau sebutkan dengan strip berapa komponen depan yang bukan bagiannya."
            ),
        ))
    }
}

/// How many leading components are no part of the path.
fn components(asked: Strip, pair: &Pair<'_>, old: Option<&[u8]>, new: Option<&[u8]>) -> u32 {
    match (asked, pair) {
        (Some(asked), _) => asked,
        (None, Pair::Split { strip, .. }) => *strip,
        (None, Pair::Unclear) => name::usual_prefixes(old, new),
    }
}
