//! The next step as a line that can be given, with real names in it, where a refusal's own hint can
//! only speak of them in general.

use sekali_core::{ActorKind, Code, Role};

use crate::failure::Failed;
use crate::session::Session;
use crate::show::shell_word;
use crate::text::say;

/// Adds the line to a failure that has none. `role` is what a person needs for the order.
pub(super) fn guided(session: &Session, role: Role, failed: Failed) -> Failed {
    let Some((code, facts)) = failed.refusal().map(|refusal| (refusal.code, &refusal.facts)) else {
        return failed;
    };
    let lang = session.lang;
    let hint = match code {
        Code::ActorUnknown | Code::ActorDenied => {
            let Ok(caller) = session.caller() else { return failed };
            let (name, word) = (caller.name.to_string(), shell_word(&caller.name.to_string()));
            let agent = caller.name.kind == ActorKind::Agent;
            let (text, command) = match (code, agent) {
                (Code::ActorUnknown, true) => (say::HINT_ADD_AGENT, format!("member add {word}")),
                (Code::ActorUnknown, false) => {
                    (say::HINT_ADD_MEMBER, format!("member add {word} --role {role}"))
                }
                (_, true) => (say::HINT_AGENT, String::new()),
                (_, false) => (say::HINT_GIVE_ROLE, format!("member set {word} --role {role}")),
            };
            text.fill(lang, &[("name", &name), ("command", &session.line(&command))])
        }
        Code::ProposalChanged | Code::ProposalAppliedOther => {
            let Some(number) = facts.proposal else { return failed };
            let command = session.line(&format!("show {number} --diff"));
            say::HINT_LOOK_AGAIN.fill(lang, &[("command", &command)])
        }
        _ => return failed,
    };
    failed.hinted(hint)
}
