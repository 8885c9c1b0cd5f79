//! What clap objects to, as one sentence of ours. Its own message is English and has several lines.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use sekali_core::Lang;
use sekali_engine::like;

use crate::text::{Text, say};

/// The objection in a language, to a use of this command.
pub(super) fn sentence(lang: Lang, error: &Error, command: &Command) -> String {
    let one = |kind| words(error, kind).into_iter().next();
    let name = one(ContextKind::InvalidArg).unwrap_or_default();
    let fill = |text: Text, values: &[(&str, &str)]| text.fill(lang, values);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = one(ContextKind::InvalidSubcommand).unwrap_or_default();
            // clap has the least alike first.
            match like::word(&name, command.get_subcommands().map(Command::get_name)) {
                Some(like) => fill(say::USE_NO_COMMAND_LIKE, &[("name", &name), ("like", like)]),
                None => fill(say::USE_NO_COMMAND, &[("name", &name)]),
            }
        }
        ErrorKind::UnknownArgument => match closest_option(&name, command).or(one(ContextKind::SuggestedArg))
        {
            Some(like) => fill(say::USE_NO_OPTION_LIKE, &[("name", &name), ("like", &like)]),
            None => fill(say::USE_NO_OPTION, &[("name", &name)]),
        },
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = one(ContextKind::InvalidValue).unwrap_or_default();
            let valid = words(error, ContextKind::ValidValue);
            let reason = match std::error::Error::source(error) {
                Some(reason) => reason.to_string(),
                None if valid.is_empty() => return fill(say::USE_NEEDS_VALUE, &[("name", &name)]),
                None => fill(say::WANT_ONE_OF, &[("words", &valid.join(", "))]),
            };
            if value.is_empty() && error.kind() == ErrorKind::InvalidValue {
                return fill(say::USE_NEEDS_VALUE, &[("name", &name)]);
            }
            let value = format!("{value:?}");
            fill(say::USE_VALUE, &[("name", &name), ("value", &value), ("reason", &reason)])
        }
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            fill(say::USE_VALUES, &[("name", &name)])
        }
        ErrorKind::ArgumentConflict => {
            let others: Vec<String> =
                words(error, ContextKind::PriorArg).into_iter().filter(|other| *other != name).collect();
            if others.is_empty() {
                return fill(say::USE_TWICE, &[("name", &name)]);
            }
            fill(say::USE_CONFLICT, &[("name", &name), ("other", &others.join(", "))])
        }
        ErrorKind::MissingRequiredArgument => {
            let (groups, mut names): (Vec<_>, Vec<_>) =
                words(error, ContextKind::InvalidArg).into_iter().partition(|name| group(name).is_some());
            // As they are written: what has no flag stands first.
            names.sort_by_key(|name| name.starts_with("--"));
            let one_of = |name: &String| {
                let options: Vec<String> = group(name).into_iter().flatten().map(str::to_owned).collect();
                fill(say::ONE_OF_OPTIONS, &[("options", &series(&options, lang.pick("or", "atau")))])
            };
            names.extend(groups.iter().map(one_of));
            fill(say::USE_MISSING, &[("names", &series(&names, lang.pick("and", "dan")))])
        }
        ErrorKind::InvalidUtf8 => say::USE_NOT_UTF8.pick(lang).to_owned(),
        _ => say::USE_WRONG.pick(lang).to_owned(),
    }
}

/// The option of a command that was probably meant, as it is written.
fn closest_option(typed: &str, command: &Command) -> Option<String> {
    let known = command.get_arguments().filter_map(Arg::get_long);
    like::word(typed.strip_prefix("--")?, known).map(|like| format!("--{like}"))
}

fn words(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// The options of which clap wants one: it writes them as `<--a <A>|--b <B>>`.
fn group(name: &str) -> Option<impl Iterator<Item = &str>> {
    let inner = name.strip_prefix("<--")?.strip_suffix('>')?;
    Some(name[1..=inner.len() + 2].split('|'))
}

/// `a`, `a and b`, `a, b and c`.
fn series(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., end] => format!("{} {last} {end}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    #[test]
    fn what_is_wrong_is_said_in_both_languages() {
        let check = |line: &str, en: &str, id: &str| {
            let said = |lang| {
                let args = std::iter::once("sekali").chain(line.split(' '));
                let args: Vec<OsString> = args.map(OsString::from).collect();
                let error = super::super::command(lang).try_get_matches_from(&args).expect_err(line);
                sentence(lang, &error, &super::super::meant(lang, &args))
            };
            assert_eq!((said(Lang::En).as_str(), said(Lang::Id).as_str()), (en, id), "{line}");
        };
        check(
            "aply 1",
            "There is no command aply; did you mean apply?",
            "Tidak ada perintah aply; maksud Anda apply?",
        );
        // Others are as alike, and not as close.
        for (typed, like) in
            [("rebse", "rebase"), ("revet", "revert"), ("doc lst", "list"), ("withdrw", "withdraw")]
        {
            let name = typed.rsplit(' ').next().unwrap();
            check(
                typed,
                &format!("There is no command {name}; did you mean {like}?"),
                &format!("Tidak ada perintah {name}; maksud Anda {like}?"),
            );
        }
        check(
            "propose --put-dri a",
            "--put-dri is not known here; did you mean --put-dir?",
            "--put-dri tidak dikenal di sini; maksud Anda --put-dir?",
        );
        check("frobnicate", "There is no command frobnicate.", "Tidak ada perintah frobnicate.");
        check(
            "show 1 --dif",
            "--dif is not known here; did you mean --diff?",
            "--dif tidak dikenal di sini; maksud Anda --diff?",
        );
        check("show 1 2", "2 is not known here.", "2 tidak dikenal di sini.");
        check(
            "show x",
            "<N|ID> cannot be \"x\": a proposal's number is 1 or more, such as 12; its id is a UUID.",
            "<N|ID> tidak dapat berisi \"x\": nomor usulan adalah 1 atau lebih, misalnya 12; idnya sebuah UUID.",
        );
        check(
            "show -1",
            "<N|ID> cannot be \"-1\": a proposal's number is 1 or more, such as 12; its id is a UUID.",
            "<N|ID> tidak dapat berisi \"-1\": nomor usulan adalah 1 atau lebih, misalnya 12; idnya sebuah UUID.",
        );
        check(
            "wait 24 --timeout -1",
            "--timeout <SECONDS> cannot be \"-1\": a number of seconds, 0 or more, such as 60.",
            "--timeout <DETIK> tidak dapat berisi \"-1\": jumlah detik, 0 atau lebih, misalnya 60.",
        );
        check(
            "list --state besok",
            "--state <STATE> cannot be \"besok\": it can be waiting, applied, rejected, withdrawn, expired.",
            "--state <STATUS> tidak dapat berisi \"besok\": isinya waiting, applied, rejected, withdrawn, expired.",
        );
        check(
            "member set Budi --role x",
            "--role <ROLE> cannot be \"x\": it can be member, reviewer, maintainer, none.",
            "--role <PERAN> tidak dapat berisi \"x\": isinya member, reviewer, maintainer, none.",
        );
        check(
            "list --limit 201",
            "--limit <COUNT> cannot be \"201\": a number from 1 to 200.",
            "--limit <JUMLAH> tidak dapat berisi \"201\": bilangan dari 1 sampai 200.",
        );
        check(
            "list --lang fr",
            "--lang <en|id> cannot be \"fr\": it can be en, id.",
            "--lang <en|id> tidak dapat berisi \"fr\": isinya en, id.",
        );
        check("list --limit", "--limit <COUNT> needs a value.", "--limit <JUMLAH> memerlukan nilai.");
        check("reject 1", "This needs --reason <TEXT>.", "Perintah ini memerlukan --reason <TEKS>.");
        check(
            "member set",
            "This needs <NAME> and --role <ROLE>.",
            "Perintah ini memerlukan <NAMA> dan --role <PERAN>.",
        );
        check(
            "propose",
            "This needs --title <TEXT> and one of --put <PATH=FILE>, --put-dir <DIR>, --delete <PATH>, --rename <OLD=NEW>, --patch <FILE>, --json-patch <PATH=FILE>, --merge-patch <PATH=FILE> or --file <FILE>.",
            "Perintah ini memerlukan --title <TEKS> dan salah satu dari --put <JALUR=BERKAS>, --put-dir <FOLDER>, --delete <JALUR>, --rename <LAMA=BARU>, --patch <BERKAS>, --json-patch <JALUR=BERKAS>, --merge-patch <JALUR=BERKAS> atau --file <BERKAS>.",
        );
        check(
            "apply 1 --yes --digest sha256:0000000000000000000000000000000000000000000000000000000000000000",
            "--yes cannot stand together with --digest <DIGEST>.",
            "--yes tidak dapat ditulis bersama --digest <SIDIK>.",
        );
        check(
            "list --limit 1 --limit 2",
            "--limit <COUNT> stands twice.",
            "--limit <JUMLAH> ditulis dua kali.",
        );
    }
}
