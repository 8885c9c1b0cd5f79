//! Reading a patch: files and their headers among whatever stands around them, hunks by their counts.

use super::binary::{self, Binary, Kind, Part};
use super::hunk::{Header, Hunk, NoHeader};
use super::names::{Name, Taken, plain_or_quoted, same_in_both, taken};
use super::refuse::{Place, quoted};
use super::{Body, FilePatch, Strip, Target};
use crate::change::Mode;
use crate::code::Code;
use crate::path::DocPath;
use crate::refusal::Refusal;

/// The lines of a patch, one after the other.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    /// The number of the line that is next, from 1.
    number: u64,
}

impl<'a> Lines<'a> {
    /// The bytes of the next line, with its end.
    fn whole(&self) -> Option<&'a [u8]> {
        let rest = &self.text[self.at..];
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        (!rest.is_empty()).then(|| &rest[..end])
    }

    /// The next line, without its end, which may be CRLF.
    fn peek(&self) -> Option<&'a [u8]> {
        self.whole().map(bare)
    }

    /// The line after the next.
    fn peek_second(&self) -> Option<&'a [u8]> {
        let at = self.at + self.whole()?.len();
        Lines { text: self.text, at, number: 0 }.peek()
    }

    fn skip(&mut self) {
        if let Some(line) = self.whole() {
            self.at += line.len();
            self.number += 1;
        }
    }
}

fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// One file of a patch as its headers say it.
#[derive(Default)]
struct Section<'a> {
    line: u64,
    /// What follows `diff --git `.
    git: Option<&'a [u8]>,
    old: Option<Name>,
    new: Option<Name>,
    rename: [Option<Vec<u8>>; 2],
    copy: [Option<Vec<u8>>; 2],
    mode: Option<&'a [u8]>,
    creates: bool,
    deletes: bool,
    ids: Option<(String, String)>,
    hunks: Vec<Hunk<'a>>,
    binary: Option<Binary>,
    wrong: Option<Refusal>,
}

pub(super) fn files<'a>(field: &str, diff: &'a [u8], strip: Strip) -> Result<Vec<FilePatch<'a>>, Refusal> {
    let place = Place { field, path: None, line: 1, hunk: None };
    if let Some((line, form)) = marked_otherwise(diff) {
        return Err(other_form(Place { line, ..place }, form));
    }
    let mut reader = Reader { place, lines: Lines { text: diff, at: 0, number: 1 }, files: Vec::new() };
    reader.read()?;
    if reader.files.is_empty() {
        return Err(other_form(place, form_of(diff)));
    }
    reader.files.into_iter().map(|section| section.finish(place, strip)).collect()
}

struct Reader<'a, 'p> {
    place: Place<'p>,
    lines: Lines<'a>,
    files: Vec<Section<'a>>,
}

/// What stands around files: nothing of theirs is expected, or lines of a hunk would be one too many.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Prose,
    /// Right after a hunk, but for blank lines.
    AfterHunk,
    /// Somewhere after a hunk, in what is not its own.
    Behind,
}

impl<'a> Reader<'a, '_> {
    fn read(&mut self) -> Result<(), Refusal> {
        let mut around = Around::Prose;
        while let Some(line) = self.lines.peek() {
            let second = self.lines.peek_second();
            let next_is = |start: &[u8]| second.is_some_and(|line| line.starts_with(start));
            if let Some(rest) = line.strip_prefix(b"diff --git ") {
                self.begin(Some(rest));
                self.lines.skip();
                self.extended();
                around = self.body();
            } else if (line.starts_with(b"--- ") && (next_is(b"+++ ") || next_is(b"@@ -")))
                || (line.starts_with(b"+++ ") && (next_is(b"--- ") || next_is(b"@@ -")))
            {
                self.begin(None);
                self.names();
                around = self.body();
            } else if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
                return Err(other_form(self.here(), Form::Combined));
            } else if self.is_signature(around) {
                self.lines.skip();
                self.lines.skip();
                around = Around::Prose;
            } else {
                around = self.between(line, around)?;
                self.lines.skip();
            }
        }
        Ok(())
    }

    fn here(&self) -> Place<'_> {
        Place { line: self.lines.number, ..self.place }
    }

    fn begin(&mut self, git: Option<&'a [u8]>) {
        self.files.push(Section { line: self.lines.number, git, ..Section::default() });
    }

    fn section(&mut self) -> &mut Section<'a> {
        self.files.last_mut().expect("a file has begun")
    }

    /// Says what is wrong with the file that is being read, the first time.
    fn wrong(&mut self, refusal: Refusal) {
        self.section().wrong.get_or_insert(refusal);
    }

    /// A line that is of no file. After a hunk it must not look like one that was not counted.
    fn between(&mut self, line: &[u8], around: Around) -> Result<Around, Refusal> {
        let new_part =
            [&b"From "[..], b"Index: ", b"=====", b"=== ", b"diff ", b"Only in ", b"RCS file", b"? "];
        if new_part.iter().any(|start| line.starts_with(start)) {
            return Ok(Around::Prose);
        }
        if line.starts_with(b"Binary files ") || line.starts_with(b"Files ") && line.ends_with(b" differ") {
            return Err(no_binary_data(self.here()));
        }
        if around == Around::Prose {
            if line.starts_with(b"@@") {
                let place = self.here();
                return Err(match Header::read(line) {
                    Ok(_) => place.invalid(
                        "a hunk stands here without the name of its file (--- and +++ lines)",
                        "ada potongan tanpa nama berkasnya (baris --- dan +++)",
                    ),
                    Err(why) => no_header(place, line, why),
                });
            }
            return Ok(Around::Prose);
        }
        if line.is_empty() && around == Around::AfterHunk {
            return Ok(Around::AfterHunk);
        }
        let of_a_hunk = match line.first() {
            Some(b'+' | b'-' | b'\\') => true,
            Some(b' ') => around == Around::AfterHunk,
            _ => line.starts_with(b"@@"),
        };
        if of_a_hunk {
            let number = u32::try_from(self.section().hunks.len()).unwrap_or(u32::MAX);
            let place = self.place.at(self.lines.number, number);
            let refusal = place.invalid(
                &format!("{} stands after the hunk has all the lines that its header counts; the header counts too few", quoted(line)),
                &format!("{} ada sesudah semua baris yang dihitung kepala potongan; kepalanya menghitung terlalu sedikit", quoted(line)),
            );
            self.wrong(refusal);
        }
        Ok(Around::Behind)
    }

    /// `-- ` and a version, with which a mail of a patch ends.
    fn is_signature(&self, around: Around) -> bool {
        if around != Around::AfterHunk || !matches!(self.lines.peek(), Some(b"-- " | b"--")) {
            return false;
        }
        let mut ahead = Lines { text: self.lines.text, at: self.lines.at, number: 0 };
        ahead.skip();
        let version = ahead.peek();
        let like_one = |line: &[u8]| !line.is_empty() && !b" +-\\@".contains(&line[0]);
        ahead.skip();
        let ends = ahead.peek().is_none_or(|line| line.is_empty() || line.starts_with(b"From "));
        version.is_none_or(like_one) && (version.is_none() || ends)
    }

    /// git's headers between `diff --git` and the change.
    fn extended(&mut self) {
        while let Some(line) = self.lines.peek() {
            let rest = |start: &[u8]| line.strip_prefix(start);
            let section = self.files.last_mut().expect("a file has begun");
            if let Some(mode) = rest(b"new file mode ") {
                (section.mode, section.creates) = (Some(mode), true);
            } else if rest(b"deleted file mode ").is_some() {
                section.deletes = true;
            } else if let Some(mode) = rest(b"new mode ") {
                section.mode = Some(mode);
            } else if let Some(name) = rest(b"rename from ") {
                section.rename[0] = Some(plain_or_quoted(name));
            } else if let Some(name) = rest(b"rename to ") {
                section.rename[1] = Some(plain_or_quoted(name));
            } else if let Some(name) = rest(b"copy from ") {
                section.copy[0] = Some(plain_or_quoted(name));
            } else if let Some(name) = rest(b"copy to ") {
                section.copy[1] = Some(plain_or_quoted(name));
            } else if let Some(ids) = rest(b"index ") {
                section.ids = whole_ids(ids);
            } else if rest(b"old mode ").is_none()
                && rest(b"similarity index ").is_none()
                && rest(b"dissimilarity index ").is_none()
            {
                return;
            }
            self.lines.skip();
        }
    }

    /// `---` and `+++`, in either order, one of them perhaps missing.
    fn names(&mut self) {
        for _ in 0..2 {
            let Some(line) = self.lines.peek() else { return };
            let section = self.files.last_mut().expect("a file has begun");
            if let Some(rest) = line.strip_prefix(b"--- ").filter(|_| section.old.is_none()) {
                section.old = Some(Name::read(rest));
            } else if let Some(rest) = line.strip_prefix(b"+++ ").filter(|_| section.new.is_none()) {
                section.new = Some(Name::read(rest));
            } else {
                return;
            }
            self.lines.skip();
        }
    }

    /// The change itself: hunks, or binary data, or nothing.
    fn body(&mut self) -> Around {
        if self.lines.peek().is_some_and(|line| line.starts_with(b"--- ") || line.starts_with(b"+++ ")) {
            self.names();
        }
        match self.lines.peek() {
            Some(b"GIT binary patch") => {
                self.lines.skip();
                self.binary();
                return Around::Prose;
            }
            Some(line) if line.starts_with(b"Binary files ") => {
                let refusal = no_binary_data(self.here());
                self.wrong(refusal);
                self.lines.skip();
                return Around::Prose;
            }
            _ => {}
        }
        let mut around = Around::Prose;
        while let Some(line) = self.lines.peek().filter(|line| line.starts_with(b"@@")) {
            let number = u32::try_from(self.section().hunks.len() + 1).unwrap_or(u32::MAX);
            let place = self.place.at(self.lines.number, number);
            match Header::read(line) {
                Ok(header) => {
                    if let Err(refusal) = self.hunk(place, header) {
                        self.wrong(refusal);
                        return Around::Behind;
                    }
                    around = Around::AfterHunk;
                }
                Err(why) => {
                    self.wrong(no_header(place, line, why));
                    self.lines.skip();
                    return Around::Behind;
                }
            }
        }
        around
    }

    /// A hunk's own lines: exactly as many as its header counts.
    fn hunk(&mut self, place: Place<'_>, header: Header) -> Result<(), Refusal> {
        let line = self.lines.number;
        self.lines.skip();
        let start = self.lines.at;
        let (mut old, mut new) = (0u32, 0u32);
        let counts = |old: u32, new: u32| {
            let Header { old_count, new_count, .. } = header;
            (
                format!(
                    "the header counts {old_count} lines before and {new_count} after; there are {old} and {new}"
                ),
                format!(
                    "kepalanya menghitung {old_count} baris sebelum dan {new_count} sesudah; yang ada {old} dan {new}"
                ),
            )
        };
        let miscounted = |old: u32, new: u32| {
            let (en, id) = counts(old, new);
            let fact = |old: u32, new: u32| format!("-{old} +{new}");
            place.invalid(&en, &id).with(|f| {
                f.expected = vec![fact(header.old_count, header.new_count)];
                f.found = vec![fact(old, new)];
            })
        };
        while old < header.old_count || new < header.new_count {
            let Some(whole) = self.lines.whole() else { return Err(miscounted(old, new)) };
            let (is_old, is_new) = match whole.first() {
                Some(b' ' | b'\n') => (1, 1),
                Some(b'\r') if bare(whole).is_empty() => (1, 1),
                Some(b'-') => (1, 0),
                Some(b'+') => (0, 1),
                Some(b'\\') => {
                    self.lines.skip();
                    continue;
                }
                _ if begins_another(whole) => return Err(miscounted(old, new)),
                _ => {
                    let (en, id) = counts(old, new);
                    let shown = quoted(bare(whole));
                    return Err(place.at(self.lines.number, place.hunk.unwrap_or(1)).invalid(
                        &format!("{shown} is no line of a hunk, which begins with a space, + or -; {en}"),
                        &format!("{shown} bukan baris potongan, yang diawali spasi, + atau -; {id}"),
                    ));
                }
            };
            if old + is_old > header.old_count || new + is_new > header.new_count {
                return Err(miscounted(old + is_old, new + is_new));
            }
            (old, new) = (old + is_old, new + is_new);
            self.lines.skip();
        }
        if self.lines.peek().is_some_and(|line| line.starts_with(b"\\")) {
            self.lines.skip();
        }
        let body = &self.lines.text[start..self.lines.at];
        self.section().hunks.push(Hunk { line, header, body });
        Ok(())
    }

    fn binary(&mut self) {
        let place = self.here();
        let damaged = place.invalid(
            "this is no binary data that git writes (literal or delta)",
            "ini bukan data biner yang ditulis git (literal atau delta)",
        );
        let (Some(forward), reverse) = (self.part(), self.part()) else {
            return self.wrong(damaged);
        };
        let ids = self.section().ids.clone();
        self.section().binary = Some(Binary { forward, reverse, ids });
    }

    /// One direction of a binary change, and the blank line after it.
    fn part(&mut self) -> Option<Part> {
        let line = self.lines.number;
        let header = std::str::from_utf8(self.lines.peek()?).ok()?;
        let (kind, size) = match header.split_once(' ')? {
            ("literal", size) => (Kind::Literal, size),
            ("delta", size) => (Kind::Delta, size),
            _ => return None,
        };
        let size = size.parse().ok()?;
        self.lines.skip();
        let mut data = Vec::new();
        while let Some(line) = self.lines.peek().filter(|line| !line.is_empty()) {
            binary::data_line(line, &mut data)?;
            self.lines.skip();
        }
        self.lines.skip();
        Some(Part { kind, size, data, line })
    }
}

/// A line that cannot be in a hunk, because it begins another one or another file.
fn begins_another(line: &[u8]) -> bool {
    line.starts_with(b"@@") || line.starts_with(b"diff ") || line.starts_with(b"Index: ")
}

/// Both ids of an `index` line, where git wrote them whole.
fn whole_ids(rest: &[u8]) -> Option<(String, String)> {
    let text = std::str::from_utf8(rest).ok()?;
    let (old, new) = text.split(' ').next()?.split_once("..")?;
    let whole = |id: &str| [40, 64].contains(&id.len()) && id.bytes().all(|b| b.is_ascii_hexdigit());
    (whole(old) && whole(new)).then(|| (old.to_ascii_lowercase(), new.to_ascii_lowercase()))
}

fn no_binary_data(place: Place<'_>) -> Refusal {
    place.invalid(
        "a binary file changes here, and the patch does not hold its content; make it with git diff --binary",
        "di sini ada berkas biner yang berubah, tetapi isinya tidak ada dalam tambalan; buat dengan git diff --binary",
    )
}

fn no_header(place: Place<'_>, line: &[u8], why: NoHeader) -> Refusal {
    let shown = quoted(line);
    match why {
        NoHeader::Numberless => place.invalid(
            &format!("the hunk header {shown} has no line numbers, such as @@ -1,3 +1,4 @@; text or a code fence around a patch does not matter, they do"),
            &format!("kepala potongan {shown} tidak memuat nomor baris, misalnya @@ -1,3 +1,4 @@; teks atau pagar kode di sekitar tambalan tidak masalah, nomor itu perlu"),
        ),
        NoHeader::TooLarge => place.invalid(
            &format!("the hunk header {shown} has a number that no line can have"),
            &format!("kepala potongan {shown} memuat nomor yang tidak mungkin dimiliki sebuah baris"),
        ),
        NoHeader::Combined => other_form(place, Form::Combined),
    }
}

impl<'a> Section<'a> {
    fn finish(self, place: Place<'_>, strip: Strip) -> Result<FilePatch<'a>, Refusal> {
        let place = Place { line: self.line, ..place };
        let target = self.target(place, strip)?;
        let mode = match self.mode {
            Some(mode) if !self.deletes => {
                let text = String::from_utf8_lossy(mode);
                Some(Mode::parse(place.field, &text).map_err(|refusal| place.named(refusal))?)
            }
            _ => None,
        };
        let changes = self.binary.is_some() || !self.hunks.is_empty() || mode.is_some();
        // With names of its own a file has hunks; an empty one that is made or goes has none.
        let named = self.old.is_some() || self.new.is_some();
        let idle = !changes && matches!(target, Target::Modify(_))
            || named && self.hunks.is_empty() && self.binary.is_none();
        let body = match (self.wrong, self.binary) {
            (Some(refusal), _) => Err(refusal),
            (None, _) if idle => Err(place.invalid(
                "the patch names this file and has no change of it",
                "tambalan menyebut berkas ini tanpa perubahannya",
            )),
            (None, Some(binary)) => Ok(Body::Binary(Box::new(binary))),
            (None, None) => Ok(Body::Hunks(self.hunks)),
        };
        Ok(FilePatch { target, line: self.line, mode, plain: self.git.is_none(), body })
    }

    fn target(&self, place: Place<'_>, strip: Strip) -> Result<Target, Refusal> {
        let bytes = |name: &'_ Option<Name>| match name {
            Some(Name::File(name)) => Some(name.clone()),
            _ => None,
        };
        let (old, new) = (bytes(&self.old), bytes(&self.new));
        let nothing = |name: &Option<Name>| *name == Some(Name::Nothing);
        let rule = taken(strip, old.as_deref(), new.as_deref());
        if let [Some(from), Some(path)] = &self.rename {
            let (from, path) = moved(place, rule, strip, from, path)?;
            return Ok(from.map_or_else(|name| impossible(&name), |from| Target::Rename { from, path }));
        }
        if let [Some(from), Some(path)] = &self.copy {
            let (from, path) = moved(place, rule, strip, from, path)?;
            return Ok(from.map_or_else(|name| impossible(&name), |from| Target::Copy { from, path }));
        }
        if nothing(&self.old) && nothing(&self.new) {
            return Err(place.invalid("both names are /dev/null", "kedua namanya /dev/null"));
        }
        let short = |name: &[u8]| {
            let shown = quoted(name);
            place.invalid(
                &format!("{shown} has too few leading folders for what is to be taken away of it"),
                &format!("{shown} tidak punya cukup folder di depan untuk dihilangkan"),
            )
        };
        let mut names: Vec<Vec<u8>> = Vec::new();
        for name in [old, new].into_iter().flatten() {
            let rest = rule.from(&name).ok_or_else(|| short(&name))?.to_vec();
            if !names.contains(&rest) {
                names.push(rest);
            }
        }
        if names.is_empty() {
            let git = self.git.unwrap_or_default();
            let name = same_in_both(git, strip).ok_or_else(|| {
                place.invalid(
                    &format!(
                        "the names in {} do not say one file: two ways to divide them, or none",
                        quoted(git)
                    ),
                    &format!(
                        "nama dalam {} tidak menunjuk satu berkas: ada dua cara membaginya, atau tidak ada",
                        quoted(git)
                    ),
                )
            })?;
            names.push(name);
        }
        let creates = self.creates || nothing(&self.old);
        if self.deletes || nothing(&self.new) {
            return Ok(match document(&names[0]) {
                Some(path) => Target::Delete(path),
                None => impossible(&names[0]),
            });
        }
        if creates {
            return Ok(Target::Create(new_document(place, names.last().unwrap_or(&names[0]))?));
        }
        let known: Vec<DocPath> = names.iter().filter_map(|name| document(name)).collect();
        // A name that no document can have is no document.
        if known.is_empty() { Ok(impossible(&names[0])) } else { Ok(Target::Modify(known)) }
    }
}

fn moved(
    place: Place<'_>,
    rule: Taken,
    strip: Strip,
    from: &[u8],
    path: &[u8],
) -> Result<(Result<DocPath, Vec<u8>>, DocPath), Refusal> {
    // In these lines names have no prefix.
    let rule = if strip.is_some() { rule.without_prefix() } else { Taken::Components(0) };
    let (source, target) = (rule.from(from).unwrap_or(from), rule.from(path).unwrap_or(path));
    let target = new_document(place, target)?;
    Ok((document(source).ok_or_else(|| source.to_vec()), target))
}

/// It reads what no document can be called.
fn impossible(name: &[u8]) -> Target {
    Target::Impossible { name: String::from_utf8_lossy(name).into_owned() }
}

fn document(name: &[u8]) -> Option<DocPath> {
    DocPath::parse("path", std::str::from_utf8(name).ok()?).ok()
}

fn new_document(place: Place<'_>, name: &[u8]) -> Result<DocPath, Refusal> {
    let text = std::str::from_utf8(name).map_err(|_| {
        let shown = quoted(name);
        Refusal::field(Code::PathInvalid, place.field, format!("{}: {shown} is not UTF-8.", place.field))
            .said(format!("{}: {shown} bukan UTF-8.", place.field))
    });
    let parsed = text.and_then(|text| DocPath::parse(place.field, text));
    parsed.map_err(|refusal| place.named(refusal))
}

/// What is not a unified diff, by what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Empty,
    ApplyPatch,
    Context,
    Ed,
    Rcs,
    Normal,
    Combined,
    Json,
    None,
}

/// Forms that hold lines like a unified diff's, and must be told before it is looked for.
fn marked_otherwise(diff: &[u8]) -> Option<(u64, Form)> {
    let marks = [&b"*** Begin Patch"[..], b"*** Update File:", b"*** Add File:", b"*** Delete File:"];
    // Below a header it is a line of a document.
    let begun =
        |line: &[u8]| [&b"diff --git "[..], b"--- ", b"@@ -"].iter().any(|start| line.starts_with(start));
    let lines = (1u64..).zip(diff.split(|b| *b == b'\n')).take_while(|(_, line)| !begun(line));
    lines.take(64).find_map(|(number, line)| {
        let line = line.trim_ascii_start();
        marks.iter().any(|mark| line.starts_with(mark)).then_some((number, Form::ApplyPatch))
    })
}

fn form_of(diff: &[u8]) -> Form {
    let lines = || diff.split(|b| *b == b'\n').map(bare);
    let counted = |wanted: fn(&[u8]) -> bool| lines().filter(|line| wanted(line)).count();
    if diff.trim_ascii().is_empty() {
        Form::Empty
    } else if counted(|line| line == b"***************" || line.starts_with(b"*************** ")) > 0 {
        Form::Context
    } else if matches!(diff.trim_ascii_start().first(), Some(b'{' | b'[')) {
        Form::Json
    } else if counted(|line| line.starts_with(b"> ") || line.starts_with(b"< ")) > 0
        && counted(|line| command(line, b"acd", true)) > 0
    {
        Form::Normal
    } else if counted(rcs_command) > 0 {
        Form::Rcs
    } else if counted(|line| line == b".") > 0 && counted(|line| command(line, b"acd", false)) > 0
        || lines().next().is_some_and(|line| command(line, b"d", false))
    {
        Form::Ed
    } else {
        Form::None
    }
}

/// `3a`, `1,2d`; with what follows `1,2d0`, `4c2,3`.
fn command(line: &[u8], letters: &[u8], followed: bool) -> bool {
    let Some(at) = line.iter().position(|b| letters.contains(b)) else { return false };
    let numbers = |part: &[u8]| !part.is_empty() && part.iter().all(|b| b.is_ascii_digit() || *b == b',');
    numbers(&line[..at]) && if followed { numbers(&line[at + 1..]) } else { line.len() == at + 1 }
}

/// `d1 2`, `a4 3`.
fn rcs_command(line: &[u8]) -> bool {
    let [b'a' | b'd', rest @ ..] = line else { return false };
    let mut parts = rest.split(|b| *b == b' ');
    let number =
        |part: Option<&[u8]>| part.is_some_and(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit));
    number(parts.next()) && number(parts.next()) && parts.next().is_none()
}

fn other_form(place: Place<'_>, form: Form) -> Refusal {
    let (en, id) = match form {
        Form::Empty => ("the patch is empty", "tambalannya kosong"),
        Form::ApplyPatch => (
            "this is an apply_patch block (*** Begin Patch), not a unified diff; it has no line numbers",
            "ini blok apply_patch (*** Begin Patch), bukan unified diff; tidak ada nomor barisnya",
        ),
        Form::Context => (
            "this is a context diff (diff -c), not a unified one; make it with diff -u",
            "ini context diff (diff -c), bukan unified diff; buat dengan diff -u",
        ),
        Form::Ed => (
            "this is an ed script (diff -e), not a unified diff; make it with diff -u",
            "ini naskah ed (diff -e), bukan unified diff; buat dengan diff -u",
        ),
        Form::Rcs => (
            "this is an RCS diff (diff -n), not a unified one; make it with diff -u",
            "ini diff RCS (diff -n), bukan unified diff; buat dengan diff -u",
        ),
        Form::Normal => (
            "this is a normal diff (diff without -u), not a unified one; make it with diff -u",
            "ini diff biasa (normal diff, tanpa -u), bukan unified diff; buat dengan diff -u",
        ),
        Form::Combined => (
            "this is a combined diff of a merge, which is of two files at once; make it against one of them",
            "ini diff gabungan (combined diff) dari sebuah merge, terhadap dua berkas sekaligus; buat terhadap salah satunya",
        ),
        Form::Json => (
            "this is JSON, not a unified diff; a JSON Patch names its document: json_patch or merge_patch",
            "ini JSON, bukan unified diff; JSON Patch menyebut dokumennya: json_patch atau merge_patch",
        ),
        Form::None => (
            "no unified diff was found (--- and +++ lines, then @@ -1,3 +1,4 @@)",
            "tidak ditemukan unified diff (baris --- dan +++, lalu @@ -1,3 +1,4 @@)",
        ),
    };
    place.invalid(en, id)
}
