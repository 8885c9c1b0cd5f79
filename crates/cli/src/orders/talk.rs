//! `comment`, and how the talk of a proposal looks.

use std::io;

use sekali_api::types::{Comment, ProposalDetail};
use sekali_core::talk::{Anchor, CommentKind, LineSide, Saying};
use sekali_core::{Code, DocPath, Lang, limit};

use crate::args::{self, Source};
use crate::failure::Failed;
use crate::files::{Reader, StoreFiles};
use crate::session::{InRoom, Session};
use crate::show::{self, BOLD, DIM, Out, WARN, clean, clean_line, styled};
use crate::text::say;

/// Comments that are shown to people; programs get the last [`limit::PAGE`].
const SHOWN: u32 = 50;

pub(super) fn comment(session: &Session, asked: &args::Comment) -> Result<(), Failed> {
    let text = text(session, &asked.text)?;
    let line = match &asked.line {
        None => None,
        Some((path, side, line)) => {
            Some(Anchor { path: DocPath::parse("line", path)?, side: *side, line: *line })
        }
    };
    let saying = Saying {
        text,
        asks: asked.ask,
        answers: asked.answer,
        line,
        revision: asked.revision,
        key: asked.key.clone(),
    };
    let at = session.enter()?;
    let said = at.engine.comment(&at.caller, &at.room, asked.number, saying)?;
    let (comment, replayed) = (Comment::from(said.comment), said.replayed);
    if session.json {
        return Ok(show::json(&comment)?);
    }
    let (lang, n, own) = (session.lang, asked.number.to_string(), comment.comment.to_string());
    let answered = comment.answers.map(|n| n.to_string()).unwrap_or_default();
    let values = [("n", n.as_str()), ("comment", &own), ("answered", &answered)];
    let sentence = match comment.kind {
        _ if replayed => say::COMMENTED_REPLAY,
        CommentKind::Comment => say::COMMENTED,
        CommentKind::Ask => say::COMMENTED_ASK,
        CommentKind::Answer => say::COMMENTED_ANSWER,
    };
    let mut out = Out::new();
    out.line(sentence.fill(lang, &values))?;
    let command = session.line(&format!("show {n}"));
    out.line(say::COMMENT_NEXT.fill(lang, &[("command", &command)]))?;
    Ok(out.finish()?)
}

/// The text, from standard input where `-` says so.
fn text(session: &Session, text: &str) -> Result<String, Failed> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let store = StoreFiles::of(&session.named_store()?.path);
    let bytes = Reader::new(session.lang, &store).content("text", &Source::StandardInput)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failed::field(Code::ProposalInvalid, "text", say::USE_TEXT_UTF8, &[]))?;
    // A pipe ends with an end of line that nobody has said.
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

/// The last comments of a proposal, oldest first.
pub(super) fn last(at: &InRoom, detail: &ProposalDetail) -> Result<Vec<Comment>, Failed> {
    let count = detail.item.talk.count;
    if count == 0 {
        return Ok(Vec::new());
    }
    let after = count.saturating_sub(limit::PAGE);
    let views = at.engine.comments(&at.caller, &at.room, detail.item.proposal, after, limit::PAGE)?;
    Ok(views.into_iter().map(Comment::from).collect())
}

/// Shows them.
pub(super) fn print(
    out: &mut Out,
    session: &Session,
    detail: &ProposalDetail,
    comments: &[Comment],
) -> io::Result<()> {
    let lang = session.lang;
    if comments.is_empty() {
        return Ok(());
    }
    out.line("")?;
    out.line(styled(BOLD, say::TALK.pick(lang)))?;
    let shown = &comments[comments.len().saturating_sub(SHOWN as usize)..];
    let earlier = shown.first().map_or(0, |first| first.comment - 1);
    if earlier > 0 {
        let command = session.line(&format!("show {} --json", detail.item.proposal));
        let values = [("n", &*earlier.to_string()), ("command", &command)];
        out.line(format_args!("  {}", styled(DIM, say::TALK_EARLIER.fill(lang, &values))))?;
    }
    for comment in shown {
        one(out, comment, &detail.item.talk.open_asks, lang)?;
    }
    Ok(())
}

fn one(out: &mut Out, comment: &Comment, open_asks: &[u32], lang: Lang) -> io::Result<()> {
    let open = open_asks.contains(&comment.comment);
    let kind = match (comment.kind, comment.answers) {
        (CommentKind::Answer, Some(n)) => say::TALK_ANSWER.fill(lang, &[("n", &n.to_string())]),
        (CommentKind::Ask, _) if open => say::TALK_ASK.pick(lang).to_owned(),
        (CommentKind::Ask, _) => say::TALK_ASK_ANSWERED.pick(lang).to_owned(),
        _ => say::TALK_COMMENT.pick(lang).to_owned(),
    };
    let (author, at) = (show::actor(&comment.author, lang), show::when(comment.at, lang));
    let head = format!("{}  {kind} · {author}, {at}", comment.comment);
    out.line(format_args!("  {}", styled(if open { WARN } else { BOLD }, head)))?;
    if let Some(at) = &comment.line {
        let text = match at.side {
            LineSide::Before => say::TALK_ON_BEFORE,
            LineSide::After => say::TALK_ON,
        };
        let (line, revision) = (at.line.to_string(), comment.revision.to_string());
        let values = [("path", &*clean(&at.path)), ("line", &line), ("revision", &revision)];
        out.line(format_args!("     {}", styled(DIM, text.fill(lang, &values))))?;
    }
    for line in comment.text.trim_end().lines() {
        out.line(format_args!("     {}", clean_line(line)).to_string().trim_end())?;
    }
    Ok(())
}

/// A talk in a list: how many comments, and whether changes are asked for.
pub(super) fn in_table(talk: &sekali_api::types::Talk, lang: Lang) -> String {
    let count = match talk.count {
        0 => String::new(),
        count => show::number(count.into(), lang),
    };
    if talk.open_asks.is_empty() { count } else { format!("{count}, {}", say::TALK_ASK.pick(lang)) }
}
