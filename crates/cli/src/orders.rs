//! What each order does: ask the engine, show the answer. One file per group of commands.

mod carry;
mod decide;
mod demo;
mod doctor;
mod documents;
mod guide;
mod ledger;
mod page;
mod people;
mod proposal;
mod propose;
mod setup;
mod talk;

use std::io::Write as _;

use sekali_core::Role;

use crate::args::{self, Order};
use crate::failure::Failed;
use crate::session::Session;
use crate::show::Out;
use crate::{schema, show};

/// Carries an order out and gives the exit status.
pub(crate) fn carry_out(session: &Session, order: Order) -> Result<u8, Failed> {
    let role = needed_role(&order);
    run(session, order).map_err(|failed| guide::guided(session, role, failed))
}

/// The least that a person must be for an order.
fn needed_role(order: &Order) -> Role {
    match order {
        Order::RoomAdd { .. }
        | Order::MemberAdd { .. }
        | Order::MemberSet { .. }
        | Order::LedgerExport { .. }
        | Order::Withdraw { .. } => Role::Maintainer,
        Order::Comment(_) => Role::Reviewer,
        _ => Role::Member,
    }
}

fn run(session: &Session, order: Order) -> Result<u8, Failed> {
    match order {
        Order::Start => setup::start(session)?,
        Order::Init { title } => setup::init(session, title)?,
        Order::RoomAdd { slug, title } => setup::room_add(session, &slug, title.as_deref())?,
        Order::RoomList => setup::room_list(session)?,
        Order::RoomShow { slug } => setup::room_show(session, slug)?,
        Order::MemberAdd { name, role } => people::add(session, &name, role)?,
        Order::MemberList => people::list(session)?,
        Order::MemberSet { name, role } => people::set(session, &name, role)?,
        Order::DocList(page) => documents::list(session, &page)?,
        Order::DocCat { path, version } => documents::cat(session, &path, version)?,
        Order::DocLog { path } => documents::log(session, &path)?,
        Order::DocExport { dir, force } => documents::export(session, &dir, force)?,
        Order::Propose(content) => propose::propose(session, &content)?,
        Order::Revise { number, digest, content } => propose::revise(session, number, digest, &content)?,
        Order::Rebase { number, digest, take } => carry::rebase(session, number, digest, &take)?,
        Order::Revert { numbers, title, why, key } => {
            carry::revert(session, &numbers, title.as_deref(), why.as_deref(), key.as_deref())?;
        }
        Order::Split { number, digest, take, title } => {
            carry::split(session, number, digest, &take, title.as_deref())?;
        }
        Order::List { state, page } => proposal::list(session, state, &page)?,
        Order::Show { which, shown } => proposal::show(session, which, shown)?,
        Order::Apply { number, seen } => return decide::apply(session, number, seen),
        Order::Wait { number, timeout } => return decide::wait(session, number, timeout),
        Order::Reject { number, digest, reason } => decide::reject(session, number, digest, &reason)?,
        Order::Reopen { number, reason } => decide::reopen(session, number, reason.as_deref())?,
        Order::Withdraw { number, reason } => decide::withdraw(session, number, reason.as_deref())?,
        Order::Comment(asked) => talk::comment(session, &asked)?,
        Order::Ledger { after, limit } => ledger::print(session, after, limit)?,
        Order::LedgerExport { out, jsonl, csv, content } => {
            ledger::export(session, out, jsonl, csv, content)?;
        }
        Order::Duplicates(page) => ledger::duplicates(session, &page)?,
        Order::Doctor => return doctor::doctor(session),
        Order::Demo { fresh } => demo::demo(session, fresh)?,
        Order::SchemaProposal => show::line(schema::PROPOSAL.trim_end())?,
        Order::Completions(shell) => {
            // Made in memory: clap_complete panics where its output is gone.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::command(session.lang), "sekali", &mut script);
            let mut out = Out::new();
            out.write_all(&script)?;
            out.finish()?;
        }
    }
    Ok(0)
}
