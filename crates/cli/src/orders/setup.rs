//! The start page, `init` and `room`.

use sekali_api::types::{Room, RoomList};
use sekali_core::ActorKind;
use sekali_engine::rooms::first_room;
use sekali_store::Store as _;
use sekali_store_sqlite::{Options, SqliteStore};

use super::doctor::in_words;
use crate::failure::Failed;
use crate::session::{self, Opened, Session};
use crate::show::{self, Align, BOLD, DIM, MARK, Out, Table, clean, styled};
use crate::text::say;

/// What `sekali` alone says.
pub(super) fn start(session: &Session) -> Result<(), Failed> {
    let lang = session.lang;
    let mut out = Out::new();
    out.line(format_args!("{} {}", styled(BOLD, "Sekali"), styled(DIM, env!("CARGO_PKG_VERSION"))))?;
    out.line(say::START.pick(lang))?;
    // The start page never fails.
    if let Ok(named) = session.named_store() {
        let text = if named.path.exists() { say::STORE_USED } else { say::START_NO_STORE };
        out.line("")?;
        out.line(text.fill(lang, &[("store", &named.told(lang))]))?;
    }
    out.line("")?;
    out.line(styled(BOLD, say::START_STEPS.pick(lang)))?;
    for (command, what) in [
        ("sekali demo", say::START_DEMO),
        ("sekali init", say::START_INIT),
        ("sekali propose --help", say::START_PROPOSE),
        ("sekali list", say::START_LIST),
        ("sekali apply 1", say::START_APPLY),
        ("sekali help", say::START_HELP),
    ] {
        let fill = " ".repeat(24 - command.len());
        out.line(format_args!("  {}{fill}{}", styled(MARK, command), what.pick(lang)))?;
    }
    Ok(out.finish()?)
}

pub(super) fn init(session: &Session, title: Option<String>) -> Result<(), Failed> {
    let caller = session.caller()?;
    let slug = session.named_room()?.unwrap_or_else(|| "main".to_owned());
    let title = title.unwrap_or_else(|| slug.clone());
    if caller.name.kind != ActorKind::Person {
        return Err(Failed::usage(say::USE_NO_PERSON, &[("name", &caller.name.to_string())]));
    }
    let named = session.new_store()?;
    // A store without its room would be a half-made one: they are made in one transaction.
    let room = first_room(&caller, &slug, &title)?;
    let store = SqliteStore::create_with(&named.path, Options::default(), &room)
        .map_err(|e| session.about(&named, e))?;
    let Opened { store, engine, caller } = session::opened(store, caller);
    let unseen = |failed: Failed| failed.done_unseen(session.lang, "sekali room list");
    for warning in store.facts().map_err(|e| unseen(e.into()))?.warnings {
        show::warning(session.lang, &in_words(warning.code, &warning.detail, session.lang));
    }
    let follow = session.to_follow(store.path());
    if session.json {
        if let Some(follow) = follow {
            show::warning(session.lang, &format!("{} {}", follow.0, follow.1));
        }
        let view = engine.view_room(&caller, &slug).map_err(|e| unseen(e.into()))?;
        return Ok(show::json(&Room::of(view, &caller))?);
    }
    let path = store.path().display().to_string();
    let name = caller.name.to_string();
    let done = say::INIT_DONE
        .fill(session.lang, &[("path", &clean(&path)), ("room", &slug), ("name", &clean(&name))]);
    let mut out = Out::new();
    out.line(done)?;
    // The next line works whether or not the one above it is followed.
    let mut flag = String::new();
    if let Some(follow) = follow {
        out.line(follow.0)?;
        out.line(styled(MARK, format_args!("  {}", follow.1)))?;
        flag = format!(" --store {}", show::shell_path(store.path()));
    }
    out.line(say::INIT_NEXT.fill(session.lang, &[("store", &clean(&flag))]))?;
    Ok(out.finish()?)
}

pub(super) fn room_add(session: &Session, slug: &str, title: Option<&str>) -> Result<(), Failed> {
    let Opened { engine, caller, .. } = session.open()?;
    engine.create_room(&caller, slug, title.unwrap_or(slug))?;
    if session.json {
        let look = format!("sekali room show {slug}");
        let view =
            engine.view_room(&caller, slug).map_err(|e| Failed::from(e).done_unseen(session.lang, &look))?;
        return Ok(show::json(&Room::of(view, &caller))?);
    }
    let name = caller.name.to_string();
    Ok(show::line(say::ROOM_ADDED.fill(session.lang, &[("room", slug), ("name", &clean(&name))]))?)
}

pub(super) fn room_list(session: &Session) -> Result<(), Failed> {
    let lang = session.lang;
    let Opened { engine, caller, .. } = session.open()?;
    let mut items = Vec::new();
    for room in engine.rooms()? {
        items.push(Room::of(engine.view_room(&caller, &room.slug)?, &caller));
    }
    if session.json {
        return Ok(show::json(&RoomList { items })?);
    }
    if items.is_empty() {
        return Ok(show::line(say::ROOMS_NONE.pick(lang))?);
    }
    let mut table = Table::new(&[
        (say::ROOM.pick(lang), Align::Left),
        (say::STATE_WAITING.pick(lang), Align::Right),
        (say::STATE_APPLIED.pick(lang), Align::Right),
        (say::YOU.pick(lang), Align::Give),
        (say::TITLE.pick(lang), Align::Give),
    ]);
    for room in &items {
        table.row([
            room.slug.clone(),
            show::number(room.counts.waiting, lang),
            show::number(room.counts.applied, lang),
            role_of(room, session),
            clean(&room.title).into_owned(),
        ]);
    }
    let mut out = Out::new();
    table.print(&mut out)?;
    Ok(out.finish()?)
}

/// What the caller is in a room; an agent has no role.
fn role_of(room: &Room, session: &Session) -> String {
    match (room.you.id, room.you.kind) {
        (None, _) => "–".to_owned(),
        (Some(_), ActorKind::Person) => show::role(room.you.role, session.lang).to_owned(),
        (Some(_), kind) => show::kind(kind, session.lang).to_owned(),
    }
}

pub(super) fn room_show(session: &Session, slug: Option<String>) -> Result<(), Failed> {
    let lang = session.lang;
    let Opened { engine, caller, .. } = session.open()?;
    let slug = match slug {
        Some(slug) => slug,
        None => session.room_of(&engine)?,
    };
    let room = Room::of(engine.view_room(&caller, &slug)?, &caller);
    if session.json {
        return Ok(show::json(&room)?);
    }
    let counts = [
        (room.counts.waiting, say::STATE_WAITING),
        (room.counts.applied, say::STATE_APPLIED),
        (room.counts.rejected, say::STATE_REJECTED),
        (room.counts.withdrawn, say::STATE_WITHDRAWN),
        (room.counts.expired, say::STATE_EXPIRED),
    ];
    let counts: Vec<String> =
        counts.iter().map(|(n, word)| format!("{} {}", show::number(*n, lang), word.pick(lang))).collect();
    let entries = show::count(room.ledger.size, say::COUNT_ENTRY, say::COUNT_ENTRIES, lang);
    let name = match room.you.kind {
        // As it is written on a command line.
        ActorKind::Agent => clean(&format!("agent:{}", room.you.name)).into_owned(),
        _ => clean(&room.you.name).into_owned(),
    };
    let you = match room.you.id {
        Some(_) => format!("{name}, {}", role_of(&room, session)),
        None => say::YOU_NOBODY.fill(lang, &[("name", &name)]),
    };
    let mut out = Out::new();
    fields(
        &mut out,
        &[
            (say::ROOM.pick(lang), format!("{}  {}", styled(BOLD, &room.slug), styled(DIM, room.id))),
            (say::TITLE.pick(lang), clean(&room.title).into_owned()),
            (say::YOU.pick(lang), you),
            (say::PROPOSALS.pick(lang), counts.join(", ")),
            (
                say::LEDGER.pick(lang),
                say::LEDGER_FIGURES.fill(lang, &[("entries", &entries), ("root", &room.ledger.root)]),
            ),
            (say::MADE.pick(lang), show::when(room.created_at, lang)),
            (say::STORE.pick(lang), session.named_store()?.told(lang)),
        ],
    )?;
    Ok(out.finish()?)
}

/// Names and values below each other.
pub(super) fn fields(out: &mut Out, fields: &[(&str, String)]) -> std::io::Result<()> {
    use unicode_width::UnicodeWidthStr as _;
    let width = fields.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    for (name, value) in fields {
        let fill = " ".repeat(width - name.width());
        out.line(format_args!("{}{fill}  {value}", styled(DIM, name)))?;
    }
    Ok(())
}
