//! Reads a patch of one or many files, whatever wraps them: mails, logs, chats, version control.

use super::after::{self, After, End};
use super::hunk::{self, Hunk};
use super::lines::Lines;
use super::name::{self, Name};
use super::refuse::{invalid, located, named, quote};
use super::{Body, FilePatch, Strip, Target, forms, git, plain};
use crate::code::Code;
use crate::path::DocPath;
use crate::refusal::Refusal;

/// Reads a patch of one or many files. What is wrong inside a file's hunks is told by
/// [`FilePatch::apply`], so that a document that is not there is named before a hunk that is miscounted.
///
/// # Errors
/// `patch.invalid` naming the line; `path.invalid` or `limit.exceeded` for the name of a document that
/// would appear; `proposal.invalid` for a mode that documents cannot have.
pub fn parse<'a>(field: &str, diff: &'a [u8], strip: Strip) -> Result<Vec<FilePatch<'a>>, Refusal> {
    if forms::is_utf16(diff) {
        return Err(forms::none(field, diff));
    }
    let text = diff.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(diff);
    let mut reader = Reader {
        context: Context { field, strip },
        lines: Lines::new(text),
        end: Lines::new(text),
        files: Vec::new(),
        after: After::Text,
        fenced: false,
        announced: None,
    };
    while reader.lines.line().is_some() {
        reader.step()?;
    }
    reader.settle(None)?;
    if reader.files.is_empty() {
        return Err(forms::none(field, diff));
    }
    Ok(reader.files)
}

/// How names are read, and where a refusal says it found them.
pub(super) struct Context<'f> {
    pub(super) field: &'f str,
    pub(super) strip: Strip,
}

impl Context<'_> {
    /// A name without its leading components.
    pub(super) fn stripped<'n>(
        &self,
        line: u64,
        name: &'n [u8],
        components: u32,
    ) -> Result<&'n [u8], Refusal> {
        name::strip(name, components).ok_or_else(|| {
            let name = named(name);
            invalid(
                self.field,
                line,
                (
                    format!("strip {components} takes more away than {name} has; say how many leading components are no part of the path."),
                    format!("strip {components} menghilangkan lebih banyak daripada yang dimiliki {name}; sebutkan berapa komponen depan yang bukan bagian jalurnya."),
                ),
            )
        })
    }

    /// The path of a document that would appear.
    pub(super) fn target(&self, line: u64, name: &[u8]) -> Result<DocPath, Refusal> {
        let path = std::str::from_utf8(name).map_err(|_| {
            let (field, name) = (self.field, named(name));
            Refusal::field(
                Code::PathInvalid,
                field,
                format!("{field}: {name:?} cannot be a document's path: it is not UTF-8."),
            )
            .said(format!("{field}: {name:?} tidak dapat menjadi jalur dokumen: bukan UTF-8."))
            .with(|f| f.value = Some(name))
        });
        let path = path.and_then(|text| DocPath::parse(self.field, text));
        path.map_err(|refusal| located(refusal, self.field, line))
    }

    /// What is about a document that is there under one of these names.
    pub(super) fn sources(&self, names: &[impl AsRef<[u8]>]) -> Target {
        let paths: Vec<DocPath> = names.iter().filter_map(|name| self.source(name.as_ref())).collect();
        if paths.is_empty() { plain::impossible(names[0].as_ref()) } else { Target::Modify(paths) }
    }

    /// The path of a document that would be there already; none where no document can have this name.
    pub(super) fn source(&self, name: &[u8]) -> Option<DocPath> {
        DocPath::parse(self.field, std::str::from_utf8(name).ok()?).ok()
    }
}

/// The names behind `---` and `+++`.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) old: Option<Name<'a>>,
    pub(super) new: Option<Name<'a>>,
}

impl<'a> Names<'a> {
    pub(super) fn any(&self) -> bool {
        self.old.is_some() || self.new.is_some()
    }

    /// The names of files that are there. A stamp that says there is none counts only where the hunks
    /// have no lines on that side: some tools stamp every file so.
    pub(super) fn there(
        &self,
        hunks: Result<&[Hunk<'_>], &Refusal>,
    ) -> (Option<&Name<'a>>, Option<&Name<'a>>) {
        let nothing = |lines: fn(&Hunk<'_>) -> u32| match hunks {
            Ok(hunks) => matches!(hunks, [one] if lines(one) == 0),
            Err(_) => true,
        };
        let there = |name: &&Name<'_>, nothing: bool| !(name.null || name.absent && nothing);
        (
            self.old.as_ref().filter(|name| there(name, nothing(|hunk| hunk.old.lines))),
            self.new.as_ref().filter(|name| there(name, nothing(|hunk| hunk.new.lines))),
        )
    }
}

struct Reader<'a, 'f> {
    context: Context<'f>,
    lines: Lines<'a>,
    files: Vec<FilePatch<'a>>,
    after: After,
    /// Where the last file ended.
    end: Lines<'a>,
    /// A code fence is open.
    fenced: bool,
    /// A file that a line has announced, and of which nothing has been shown yet.
    announced: Option<Announced>,
}

/// `Index: …` comes before `diff -u …`, and both are of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Index,
    Command,
}

struct Announced {
    rank: Rank,
    line: u64,
    text: String,
}

impl<'a> Reader<'a, '_> {
    fn step(&mut self) -> Result<(), Refusal> {
        let text = self.lines.text().unwrap_or_default();
        if text.starts_with(b"diff --git ") {
            let file = git::read(&self.context, &mut self.lines)?;
            self.file(file);
        } else if plain::begins(&self.lines, self.after != After::Text && self.announced.is_none()) {
            let file = plain::read(&self.context, &mut self.lines)?;
            self.file(file);
        } else if let Some(rank) = self.announces(text) {
            self.settle(Some(rank))?;
            self.announced = Some(Announced { rank, line: self.lines.number, text: quote(text) });
            self.after = After::Text;
            self.lines.advance();
        } else if let (End::Lines(lines), true) =
            (after::end(&self.lines, self.fenced), self.after != After::Text)
        {
            self.fenced = false;
            self.after = After::Text;
            (0..lines).for_each(|_| self.lines.advance());
        } else {
            self.between(text)?;
            self.lines.advance();
        }
        Ok(())
    }

    fn file(&mut self, file: FilePatch<'a>) {
        self.after = if file.body.is_ok() { After::File { direct: true } } else { After::Broken };
        self.announced = None;
        self.end = self.lines;
        self.files.push(file);
    }

    /// Whether a line says that a file's diff follows.
    fn announces(&self, text: &[u8]) -> Option<Rank> {
        let ruled = || self.lines.ahead(1).is_some_and(|next| next.starts_with(b"====="));
        let bazaar =
            [&b"=== added file '"[..], b"=== removed file '", b"=== modified file '", b"=== renamed file '"];
        if text.starts_with(b"Index: ") && ruled() || bazaar.iter().any(|mark| text.starts_with(mark)) {
            Some(Rank::Index)
        } else if text.starts_with(b"diff -") && forms::at(&self.lines).is_none() {
            Some(Rank::Command)
        } else {
            None
        }
    }

    /// A file that was announced must have been shown before the next one of its kind is.
    fn settle(&mut self, next: Option<Rank>) -> Result<(), Refusal> {
        match &self.announced {
            Some(file) if next.is_none_or(|next| next <= file.rank) => Err(invalid(
                self.context.field,
                file.line,
                (
                    format!(
                        "{} announces a file, but no change of it is shown; an empty or binary file needs git's form (git diff --binary).",
                        file.text
                    ),
                    format!(
                        "{} menyebut sebuah berkas, tetapi perubahannya tidak ditunjukkan; berkas kosong atau biner memerlukan bentuk git (git diff --binary).",
                        file.text
                    ),
                ),
            )),
            _ => Ok(()),
        }
    }

    /// A line that begins no file: text, or something that must not be dropped.
    fn between(&mut self, text: &[u8]) -> Result<(), Refusal> {
        let (field, line) = (self.context.field, self.lines.number);
        if self.after == After::Broken {
            return Ok(());
        }
        if let Some(said) = forms::at(&self.lines) {
            return Err(invalid(field, line, said));
        }
        if git::is_binary_notice(text) || text == b"GIT binary patch" {
            return Err(git::no_content(field, line));
        }
        if unsupported_note(text) {
            return Err(invalid(
                field,
                line,
                (
                    format!(
                        "{} changes what documents do not have; leave this part out of the patch.",
                        quote(text)
                    ),
                    format!(
                        "{} mengubah hal yang tidak dimiliki dokumen; hilangkan bagian ini dari tambalan.",
                        quote(text)
                    ),
                ),
            ));
        }
        match self.after {
            After::File { direct } if hunk::is_header(text) || after::is_stray(text, direct) => {
                self.stray(text, direct);
            }
            After::File { direct } => {
                self.after = After::File { direct: direct && text.is_empty() };
            }
            After::Text if hunk::is_numbered(text) => {
                return Err(invalid(
                    field,
                    line,
                    (
                        "this hunk belongs to no file: no --- and +++ lines stand before it.",
                        "potongan ini tidak dimiliki berkas mana pun: tidak ada baris --- dan +++ di depannya.",
                    ),
                ));
            }
            After::Text if after::is_fence(text) => self.fenced = !self.fenced,
            After::Text | After::Broken => {}
        }
        Ok(())
    }

    /// A line that looks like a hunk's after the last file: its counts are wrong, or a header is missing.
    fn stray(&mut self, text: &[u8], direct: bool) {
        let (field, line) = (self.context.field, self.lines.number);
        let file = self.files.last_mut().expect("lines come after a file");
        let refusal = match &file.body {
            Ok(Body::Hunks(hunks)) if !hunk::is_header(text) && !hunks.is_empty() => {
                let last = hunks.last().expect("there is one");
                hunk::overrun(field, last, if direct { &self.end } else { &self.lines })
            }
            _ => invalid(
                field,
                line,
                (
                    format!("{} looks like part of a hunk, but belongs to none.", quote(text)),
                    format!(
                        "{} tampak seperti bagian potongan, tetapi tidak termasuk potongan mana pun.",
                        quote(text)
                    ),
                ),
            ),
        };
        file.body = Err(refusal);
        self.after = After::Broken;
    }
}

/// Parts of a patch that change something else than content and mode, and would be lost.
fn unsupported_note(text: &[u8]) -> bool {
    text.starts_with(b"Property changes on: ")
}
