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
    file.is_one_thing(old, new)?;
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
    /// A file appears, goes, moves, is copied, or only changes.
    fn is_one_thing(&self, old: Option<&[u8]>, new: Option<&[u8]>) -> Result<(), Refusal> {
        let headers = self.headers;
        let moves = headers.rename.is_there() || headers.copy.is_there();
        let nothing =
            headers.names.old.is_some() && old.is_none() || headers.names.new.is_some() && new.is_none();
        let becomes =
            [headers.created.is_some(), headers.deleted, headers.rename.is_there(), headers.copy.is_there()];
        let many = becomes.iter().filter(|becomes| **becomes).count() > 1;
        let both_modes = headers.created.is_some()
            && (headers.old_mode.is_some() || headers.new_mode.is_some())
            || headers.deleted && headers.new_mode.is_some();
        if headers.created.is_some() && headers.deleted {
            return Err(self.new_and_gone());
        }
        if many || moves && nothing || both_modes {
            return Err(self.invalid((
                "this file's headers say more than one of new, deleted, renamed, copied and changed; only one can be meant.",
                "kepala berkas ini menyebut lebih dari satu dari baru, dihapus, ganti nama, disalin, dan diubah; hanya satu yang mungkin.",
            )));
        }
        Ok(())
    }

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
        // As many components are no part of either of two names.
        let both = |old: Option<&[u8]>, new: Option<&[u8]>, n: u32| {
            let is = |name: Option<&[u8]>, moved: &[u8]| {
                name.is_none_or(|name| name::strip(name, n) == Some(moved))
            };
            is(old, from) && is(new, to)
        };
        let agree = |old: Option<&[u8]>, new: Option<&[u8]>| {
            let usual = || both(old, new, 0) || both(old, new, 1);
            self.context.strip.map_or_else(usual, |n| both(old, new, n))
        };
        if !agree(old, new) {
            let of_old = !agree(old, None);
            let (other, moved) = if of_old { (old, from) } else { (new, to) };
            return Err(self.at_odds(other.unwrap_or_default(), moved));
        }
        // Some tools give whole paths in this line alone.
        let whole = |old: &[u8], new: &[u8]| {
            name::folders_before(old, from)
                .is_some_and(|folders| name::folders_before(new, to) == Some(folders))
        };
        if !name::divisions(self.pair).any(|(old, new)| whole(&old, &new)) {
            return Err(self.at_odds(self.pair, &[from, b" ", to].concat()));
        }
        Ok((from, to))
    }

    /// What becomes of a file that does not move.
    fn standing(&self, old: Option<&[u8]>, new: Option<&[u8]>) -> Result<Target, Refusal> {
        let headers = self.headers;
        if headers.created.is_some() && old.is_some() || headers.deleted && new.is_some() {
            return Err(self.invalid((
                "this file is said to be new or to go, but its --- or +++ line does not say /dev/null; one of them is wrong.",
                "berkas ini disebut baru atau dihapus, tetapi baris --- atau +++ miliknya bukan /dev/null; salah satunya keliru.",
            )));
        }
        let creates = headers.created.is_some() || headers.names.old.is_some() && old.is_none();
        let deletes = headers.deleted || headers.names.new.is_some() && new.is_none();
        if creates && deletes {
            return Err(self.new_and_gone());
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
        // Names that cannot be told apart are at least those of the other lines.
        if let (Pair::Unclear, Some(one)) = (&pair, old.or(new)) {
            let is = |name: Option<&[u8]>, half: &[u8]| name.is_none_or(|name| name == half);
            if !name::divisions(self.pair).any(|(a, b)| is(old, &a) && is(new, &b)) {
                return Err(self.at_odds(one, self.pair));
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

    fn new_and_gone(&self) -> Refusal {
        self.invalid((
            "this file is said both to be new and to go; one of them is wrong.",
            "berkas ini disebut baru sekaligus dihapus; salah satunya keliru.",
        ))
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
