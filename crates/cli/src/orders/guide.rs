//! The next step as a line that can be given, with real names in it, where a refusal's own hint can
//! only speak of them in general.

use sekali_core::{ActorKind, Code, Facts, Role};
use sekali_engine::like;

use crate::failure::Failed;
use crate::session::Session;
use crate::show::shell_word;
use crate::text::{Text, say};

/// Adds the line to a failure that has none. `role` is what a person needs for the order.
pub(super) fn guided(session: &Session, role: Role, failed: Failed) -> Failed {
    let Some((code, facts)) = failed.refusal().map(|refusal| (refusal.code, &refusal.facts)) else {
        return failed;
    };
    let hint = match code {
        Code::ActorUnknown | Code::ActorDenied => of_actor(session, role, code),
        Code::DocumentNotFound => of_path(session, facts),
        _ => of_facts(code, facts)
            .map(|(text, command)| text.fill(session.lang, &[("command", &session.line(&command))])),
    };
    match hint {
        Some(hint) => failed.hinted(hint),
        None => failed,
    }
}

/// The step, and the command of it, where the refusal knows what the command is about.
fn of_facts(code: Code, facts: &Facts) -> Option<(Text, String)> {
    let about = |text: Text, command: &str| Some((text, format!("{command} {}", facts.proposal?)));
    let other = |text: Text, command: &str| Some((text, format!("{command} {}", facts.other?)));
    match code {
        Code::ProposalChanged | Code::ProposalAppliedOther => {
            Some((say::HINT_LOOK_AGAIN, format!("show {} --diff", facts.proposal?)))
        }
        // It was not taken: there is nothing to carry on.
        Code::ProposalStale if facts.proposal.is_none() => {
            Some((say::HINT_BASE_NOW, "doc list --all --json".to_owned()))
        }
        Code::ProposalStale => {
            other(say::HINT_APPLY_FIRST, "apply").or_else(|| about(say::HINT_REBASE, "rebase"))
        }
        Code::ProposalRejected => about(say::HINT_REOPEN, "reopen"),
        Code::ProposalAlreadyApplied => about(say::HINT_REVERT, "revert"),
        Code::ProposalNotRejected => about(say::HINT_STANDING, "show"),
        Code::ProposalNotApplied => about(say::HINT_NOT_APPLIED, "show"),
        // Another one has taken it back.
        Code::ProposalNoChange => other(say::HINT_TAKEN_BACK, "show"),
        Code::PatchInvalid if facts.field.as_deref().is_some_and(|field| field.contains("].patch")) => {
            Some((say::HINT_JSON_EDIT, String::new()))
        }
        Code::EffectAlreadyDone => other(say::HINT_DONE_BY, "show"),
        Code::PatchMismatch => {
            let path = shell_word(facts.path.as_deref()?);
            Some((say::HINT_PATCH_AGAIN, format!("doc cat {path}")))
        }
        _ => None,
    }
}

/// Who has to do what so that this actor may.
fn of_actor(session: &Session, role: Role, code: Code) -> Option<String> {
    let caller = session.caller().ok()?;
    let (name, word) = (caller.name.to_string(), shell_word(&caller.name.to_string()));
    let agent = caller.name.kind == ActorKind::Agent;
    let (text, command) = match (code, agent) {
        (Code::ActorUnknown, true) => (say::HINT_ADD_AGENT, format!("member add {word}")),
        (Code::ActorUnknown, false) => (say::HINT_ADD_MEMBER, format!("member add {word} --role {role}")),
        (_, true) => (say::HINT_AGENT, String::new()),
        (_, false) => (say::HINT_GIVE_ROLE, format!("member set {word} --role {role}")),
    };
    Some(text.fill(session.lang, &[("name", &name), ("command", &session.line(&command))]))
}

/// The document that a mistyped path was probably meant to be.
fn of_path(session: &Session, facts: &Facts) -> Option<String> {
    let typed = facts.value.as_deref()?;
    let at = session.enter_again().ok()?;
    let documents = at.engine.documents(&at.caller, &at.room, None, u32::MAX).ok()?;
    let paths: Vec<&str> = documents.iter().map(|view| view.row.path.as_str()).collect();
    let like = like::path(typed, &paths)?;
    let values = [("path", like), ("command", &*session.line("doc list --all"))];
    Some(say::HINT_PATH_LIKE.fill(session.lang, &values))
}
