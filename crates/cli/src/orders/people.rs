//! `member`.

use sekali_api::types::{Member, MemberList};
use sekali_core::{ActorKind, Code, Role};
use sekali_engine::Failure;

use crate::failure::Failed;
use crate::session::{InRoom, Session};
use crate::show::{self, Align, Out, Table, clean};
use crate::text::{Text, say};

pub(super) fn add(session: &Session, name: &str, role: Option<Role>) -> Result<(), Failed> {
    let at = session.enter()?;
    let added = at.engine.add_member(&at.caller, &at.room, name, role);
    let member = Member::from(added.map_err(|failure| exists(session, name, role, failure))?);
    done(session, &at, &member, say::MEMBER_ADDED)
}

/// Whoever is there already can be given the role that was asked for; an agent has none.
fn exists(session: &Session, name: &str, role: Option<Role>, failure: Failure) -> Failed {
    match role {
        Some(role) if failure.code() == Code::MemberExists => {
            let command = session.line(&format!("member set {} --role {role}", show::shell_word(name)));
            Failed::from(failure).hinted(say::HINT_SET_ROLE.fill(session.lang, &[("command", &command)]))
        }
        _ => failure.into(),
    }
}

pub(super) fn set(session: &Session, name: &str, role: Option<Role>) -> Result<(), Failed> {
    let at = session.enter()?;
    let member = Member::from(at.engine.set_role(&at.caller, &at.room, name, role)?);
    done(session, &at, &member, say::MEMBER_SET)
}

fn done(session: &Session, at: &InRoom, member: &Member, sentence: Text) -> Result<(), Failed> {
    if session.json {
        return Ok(show::json(member)?);
    }
    let role = role_of(member, session);
    let values = [("name", &*clean(&member.name)), ("room", at.room.as_str()), ("role", role)];
    Ok(show::line(sentence.fill(session.lang, &values))?)
}

/// A person's role, or what it is that has none.
fn role_of(member: &Member, session: &Session) -> &'static str {
    match member.kind {
        ActorKind::Person => show::role(member.role, session.lang),
        kind => show::kind(kind, session.lang),
    }
}

pub(super) fn list(session: &Session) -> Result<(), Failed> {
    let lang = session.lang;
    let at = session.enter()?;
    let items: Vec<Member> = at.engine.members(&at.caller, &at.room)?.into_iter().map(Member::from).collect();
    if session.json {
        return Ok(show::json(&MemberList { items })?);
    }
    let mut table = Table::new(&[
        (say::NAME.pick(lang), Align::Give),
        (say::KIND.pick(lang), Align::Left),
        (say::ROLE.pick(lang), Align::Left),
        (say::ADDED.pick(lang), Align::Left),
    ]);
    for member in &items {
        let role = match member.kind {
            ActorKind::Person => show::role(member.role, lang),
            _ => "–",
        };
        table.row([
            clean(&member.name).into_owned(),
            show::kind(member.kind, lang).to_owned(),
            role.to_owned(),
            show::when_in_table(member.added_at, lang),
        ]);
    }
    let mut out = Out::new();
    table.print(&mut out)?;
    Ok(out.finish()?)
}
