//! Reads a patch of one or many files, whatever wraps them: mails, logs, chats, version control.

use super::after::{self, After, Fence, Mail};
use super::hunk::{self, Hunk};
use super::lines::Lines;
use super::name::{self, Name};
use super::refuse::{at, invalid, located, named, quote};
use super::{Body, FilePatch, Strip, Target, forms, git, notes, plain};
use crate::code::Code;
use crate::limit;
use crate::path::DocPath;
use crate::refusal::Refusal;

/// Reads a patch of one or many files. What is wrong inside a file's hunks is told by
/// [`FilePatch::apply`], so that a document that is not there is named before a hunk that is miscounted.
///
/// # Errors
/// `patch.invalid` naming the line; `path.invalid` or `limit.exceeded` for the name of a document that
/// would appear; `limit.exceeded` at the first file that is one too many; `proposal.invalid` for a mode that documents cannot have.
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
        fence: None,
        announced: None,
        mail: Mail::default(),
        commit: 0,
        quoted: None,
    };
    while reader.lines.line().is_some() {
        reader.step()?;
    }
    reader.settle(None)?;
    if let Some(quoted) = reader.quoted {
        return Err(quoted.refusal);
    }
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
    /// The code fence that is open.
    fence: Option<Fence>,
    /// A file that a line has announced, and of which nothing has been shown yet.
    announced: Option<Announced>,
    mail: Mail<'a>,
    /// How many mails, commits or changesets have begun.
    commit: u32,
    /// What the message of a mail or commit looks like, but only quotes if its files follow.
    quoted: Option<Quoted>,
}

struct Quoted {
    refusal: Refusal,
    /// Another tool's note of a file, which git's own form never has among its files.
    note: bool,
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
            self.quoted = None;
            self.room_for_one()?;
            let file = git::read(&self.context, &mut self.lines)?;
            self.file(file);
        } else if plain::begins(&self.lines, self.after.is_file() && self.announced.is_none()) {
            if let Some(quoted) = self.quoted.take_if(|quoted| quoted.note) {
                return Err(quoted.refusal);
            }
            self.quoted = None;
            self.room_for_one()?;
            let file = plain::read(&self.context, &mut self.lines)?;
            self.file(file);
        } else if let Some(rank) = self.announces(text) {
            self.settle(Some(rank))?;
            self.announced = Some(Announced { rank, line: self.lines.number, text: quote(text) });
            self.after = After::Text;
            self.lines.advance();
        } else if after::is_separator(&self.lines) {
            self.message()?;
            self.lines.advance();
        } else if let (Some((lines, after)), true) =
            (after::end(&self.lines, self.fence, self.mail), self.after.is_file())
        {
            self.fence.take_if(|_| after == After::Fence);
            self.after =
                if (self.after, after) == (After::Broken, After::Fence) { After::Text } else { after };
            (0..lines).for_each(|_| self.lines.advance());
        } else {
            self.between(text)?;
            self.lines.advance();
        }
        Ok(())
    }

    /// A mail, commit or changeset begins.
    fn message(&mut self) -> Result<(), Refusal> {
        self.settle(None)?;
        self.announced = None;
        if let Some(quoted) = self.quoted.take() {
            return Err(quoted.refusal);
        }
        (self.after, self.fence) = (After::Message, None);
        self.mail = Mail { is_open: true, boundary: None };
        self.commit += 1;
        Ok(())
    }

    /// Asked at each file, so that a patch of any number of them costs no more than the limit.
    fn room_for_one(&self) -> Result<(), Refusal> {
        if self.files.len() < limit::CHANGES {
            return Ok(());
        }
        let (field, line, most) = (self.context.field, self.lines.number, limit::CHANGES);
        let said = (
            format!("a patch may have at most {most} files, and here one more begins; divide it."),
            format!(
                "tambalan memuat paling banyak {most} berkas, dan di sini ada satu lagi; bagilah tambalannya."
            ),
        );
        Err(at(Code::LimitExceeded, field, line, said).with(|f| {
            f.limit = Some(most as u64);
            f.value = Some((most + 1).to_string());
        }))
    }

    fn file(&mut self, file: FilePatch<'a>) {
        self.after = if file.body.is_ok() { After::File { direct: true } } else { After::Broken };
        self.announced = None;
        self.end = self.lines;
        self.files.push(FilePatch { commit: self.commit, ..file });
    }

    /// Whether a line says that a file's diff follows.
    fn announces(&self, text: &[u8]) -> Option<Rank> {
        let ruled = || self.lines.ahead(1).is_some_and(|next| next.starts_with(b"====="));
        let bazaar = [&b"=== added file '"[..], b"=== removed file '", b"=== modified file '"];
        if text.starts_with(b"Index: ") && ruled()
            || bazaar.iter().any(|mark| text.starts_with(mark)) && notes::at("", 0, text).is_none()
        {
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
    fn between(&mut self, text: &'a [u8]) -> Result<(), Refusal> {
        let (field, line) = (self.context.field, self.lines.number);
        if self.after == After::Broken {
            return Ok(());
        }
        let (other, note) = (forms::at(&self.lines), notes::at(field, line, text));
        if other.is_some() || note.is_some() {
            let quoted = match (other, note) {
                (Some(said), _) => Quoted { refusal: invalid(field, line, said), note: false },
                (None, note) => Quoted { refusal: note.expect("one of them is there"), note: true },
            };
            if self.after != After::Message {
                return Err(quoted.refusal);
            }
            self.quoted = self.quoted.take().filter(|first| first.note || !quoted.note).or(Some(quoted));
            return Ok(());
        }
        // Lines of a hunk without its file.
        let context = self.lines.ahead(1).is_some_and(|next| next.starts_with(b"***************"));
        let strict = self.announced.is_some() && !context || self.fence.is_some() && !self.files.is_empty();
        if strict && !self.after.is_file() && (hunk::is_header(text) || after::is_stray(text, true)) {
            return Err(belongs_to_none(field, line, text));
        }
        match self.after {
            After::Fence if hunk::is_header(text) || after::is_stray(text, true) => {
                return Err(behind_fence(field, line, text));
            }
            After::File { direct } if hunk::is_header(text) || after::is_stray(text, direct) => {
                self.stray(text, direct);
            }
            After::Over if hunk::is_header(text) || after::is_stray(text, true) => self.stray(text, false),
            // It announces a file, but without its rule it is not sure to.
            After::File { .. } if text.starts_with(b"Index: ") => self.after = After::Over,
            After::File { direct } => self.after = After::File { direct: direct && text.is_empty() },
            After::Text | After::Message if hunk::is_numbered(text) => {
                return Err(invalid(
                    field,
                    line,
                    (
                        "this hunk belongs to no file: no --- and +++ lines stand before it.",
                        "potongan ini tidak dimiliki berkas mana pun: tidak ada baris --- dan +++ di depannya.",
                    ),
                ));
            }
            After::Text | After::Fence if Fence::opened_by(text).is_some() => self.fence_at(text),
            After::Text if self.files.is_empty() && after::is_mail_head(text) => {
                (self.after, self.mail.is_open) = (After::Message, true);
            }
            After::Message => self.mail.boundary = after::boundary(text).or(self.mail.boundary),
            After::Text | After::Fence => self.after = After::Text,
            After::Over | After::Broken => {}
        }
        Ok(())
    }

    /// A code fence in text: it opens a block, or closes the one that is open.
    fn fence_at(&mut self, text: &[u8]) {
        self.after = After::Text;
        match self.fence {
            None => self.fence = Fence::opened_by(text),
            Some(fence) if fence.is_closed_by(text) => self.fence = None,
            // In a block it is code.
            Some(_) => {}
        }
    }

    /// A line that looks like a hunk's after the last file: its counts are wrong, or a header is missing.
    fn stray(&mut self, text: &[u8], direct: bool) {
        let (field, line) = (self.context.field, self.lines.number);
        let file = self.files.last_mut().expect("lines come after a file");
        let refusal = match &file.body {
            _ if text.starts_with(b"\\") => hunk::ends_no_line(field, line, text),
            Ok(Body::Hunks(hunks)) if !hunk::is_header(text) && !hunks.is_empty() => {
                let last = hunks.last().expect("there is one");
                hunk::overrun(field, last, if direct { &self.end } else { &self.lines })
            }
            _ => belongs_to_none(field, line, text),
        };
        file.body = Err(refusal);
        self.after = After::Broken;
    }
}

fn belongs_to_none(field: &str, line: u64, text: &[u8]) -> Refusal {
    let text = quote(text);
    invalid(
        field,
        line,
        (
            format!(
                "{text} looks like part of a hunk, but belongs to none; give it a hunk's header, or leave the line out."
            ),
            format!(
                "{text} tampak seperti bagian potongan, tetapi tidak termasuk potongan mana pun; beri kepala potongan, atau hilangkan barisnya."
            ),
        ),
    )
}

fn behind_fence(field: &str, line: u64, text: &[u8]) -> Refusal {
    let text = quote(text);
    invalid(
        field,
        line,
        (
            format!(
                "{text} stands right behind the end of a code block and looks like part of a hunk; if it is text, leave an empty line before it, else correct the numbers of the hunk."
            ),
            format!(
                "{text} tepat di belakang akhir blok kode dan tampak seperti bagian potongan; bila itu teks, beri baris kosong di depannya, bila bukan, perbaiki angka potongannya."
            ),
        ),
    )
}
