//! The commands and flags, in one language.

use std::path::PathBuf;

use clap::builder::{StyledStr, Styles, ValueParser};
use clap::{Arg, ArgAction, ArgGroup, Command, value_parser};
use sekali_core::{Lang, limit};

use super::values::{
    MOST, digest, line, number_or_id, part, proposal_number, role, role_or_none, seconds, sides, state,
    version,
};
use crate::text::help as t;
use crate::text::{Text, say};

/// The words that stand for a value, in usages and beside flags.
const PLACEHOLDERS: [(&str, &str); 22] = [
    ("PATH", "JALUR"),
    ("NAME", "NAMA"),
    ("COMMAND", "PERINTAH"),
    ("OPTIONS", "OPSI"),
    ("CHANGE", "PERUBAHAN"),
    ("TEXT", "TEKS"),
    ("ROLE", "PERAN"),
    ("COUNT", "JUMLAH"),
    ("VERSION", "VERSI"),
    ("DIR", "FOLDER"),
    ("FILE", "BERKAS"),
    ("OLD", "LAMA"),
    ("NEW", "BARU"),
    ("KEY", "KUNCI"),
    ("TIME", "WAKTU"),
    ("DIGEST", "SIDIK"),
    ("STATE", "STATUS"),
    ("SECONDS", "DETIK"),
    ("SEQ", "CATATAN"),
    ("FORMATS", "FORMAT"),
    ("HUNK", "POTONGAN"),
    ("SIDE", "SISI"),
];

/// The whole command line.
pub(crate) fn command(lang: Lang) -> Command {
    let maker = Maker(lang);
    let top = maker
        .command(
            "sekali",
            "sekali [--store PATH] [--room SLUG] [--as NAME] [--lang en|id] [--json] COMMAND",
            t::TOP_ABOUT,
        )
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .max_term_width(100)
        .styles(styles())
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::Version)
                .help(t::FLAG_VERSION.pick(lang))
                .help_heading(t::OPTIONS.pick(lang)),
        )
        .args(maker.globals());
    maker.helped(maker.explain(top, Some(t::TOP_MORE), Some(t::TOP_EXAMPLES)).subcommands(vec![
        maker.init(),
        maker.propose(),
        maker.list(),
        maker.show(),
        maker.apply(),
        maker.wait(),
        maker.reject(),
        maker.reopen(),
        maker.withdraw(),
        maker.revise(),
        maker.rebase(),
        maker.revert(),
        maker.split(),
        maker.comment(),
        maker.doc(),
        maker.ledger(),
        maker.duplicates(),
        maker.room(),
        maker.member(),
        maker.doctor(),
        maker.demo(),
        maker.schema(),
        maker.completions(),
        maker.help(),
    ]))
}

fn styles() -> Styles {
    use anstyle::{AnsiColor, Style};
    Styles::styled()
        .header(Style::new().bold())
        .usage(Style::new().bold())
        .literal(AnsiColor::Cyan.on_default())
        .placeholder(Style::new())
}

struct Maker(Lang);

/// The flags that change something.
const CHANGES: [&str; 7] = ["put", "put-dir", "delete", "rename", "patch", "json-patch", "merge-patch"];

impl Maker {
    /// A usage or a value's name in the language.
    fn words(&self, text: &str) -> String {
        if self.0 == Lang::En {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while !rest.is_empty() {
            let word = rest.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(rest.len());
            let known = PLACEHOLDERS.iter().find(|(en, _)| *en == &rest[..word]);
            out.push_str(known.map_or(&rest[..word], |(_, id)| id));
            let next = rest[word..].find(|c: char| c.is_ascii_uppercase()).map_or(rest.len(), |at| word + at);
            out.push_str(&rest[word..next]);
            rest = &rest[next..];
        }
        out
    }

    fn command(&self, name: &'static str, usage: &'static str, about: Text) -> Command {
        let lang = self.0;
        // clap's own template says "Usage:" in English.
        let template = format!(
            "{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}",
            t::USAGE.pick(lang)
        );
        Command::new(name)
            .about(about.pick(lang))
            .override_usage(self.words(usage))
            .help_template(template)
            .subcommand_help_heading(t::COMMANDS.pick(lang))
            .subcommand_value_name(self.words("COMMAND"))
            .disable_help_flag(true)
            .disable_help_subcommand(true)
    }

    /// Adds `--help` everywhere, after the flags of each command.
    fn helped(&self, command: Command) -> Command {
        let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
        let command = names
            .into_iter()
            .fold(command, |command, name| command.mut_subcommand(name, |inner| self.helped(inner)));
        command.arg(
            Arg::new("help")
                .long("help")
                .short('h')
                .action(ArgAction::HelpShort)
                .help(t::FLAG_HELP.pick(self.0))
                .help_heading(t::OPTIONS.pick(self.0)),
        )
    }

    /// Adds what is worth knowing and examples at the end.
    fn explain(&self, command: Command, more: Option<Text>, examples: Option<Text>) -> Command {
        let mut parts = Vec::new();
        if let Some(more) = more {
            parts.push(more.pick(self.0).to_owned());
        }
        if let Some(examples) = examples {
            let header = command.get_styles().get_header();
            parts.push(format!("{header}{}{header:#}\n{}", t::EXAMPLES.pick(self.0), examples.pick(self.0)));
        }
        if parts.is_empty() { command } else { command.after_help(StyledStr::from(parts.join("\n\n"))) }
    }

    fn group(&self, name: &'static str, usage: &'static str, about: Text) -> Command {
        self.command(name, usage, about)
    }

    fn globals(&self) -> Vec<Arg> {
        let global = |place: usize, id: &'static str, value: &'static str, help: Text| {
            Arg::new(id)
                .long(id)
                .value_name(self.words(value))
                .global(true)
                .help(help.pick(self.0))
                .help_heading(t::GLOBALS.pick(self.0))
                .display_order(1_000 + place)
        };
        vec![
            global(0, "store", "PATH", t::FLAG_STORE).value_parser(value_parser!(PathBuf)),
            global(1, "room", "SLUG", t::FLAG_ROOM),
            global(2, "as", "NAME", t::FLAG_AS),
            global(3, "lang", "en|id", t::FLAG_LANG).value_parser(["en", "id"]).hide_possible_values(true),
            global(4, "json", "", t::FLAG_JSON).action(ArgAction::SetTrue),
        ]
    }

    fn flag(&self, id: &'static str, help: Text) -> Arg {
        Arg::new(id)
            .long(id)
            .action(ArgAction::SetTrue)
            .help(help.pick(self.0))
            .help_heading(t::OPTIONS.pick(self.0))
    }

    fn option(&self, id: &'static str, value: &'static str, help: Text) -> Arg {
        Arg::new(id)
            .long(id)
            .value_name(self.words(value))
            .help(help.pick(self.0))
            .help_heading(t::OPTIONS.pick(self.0))
    }

    fn argument(&self, id: &'static str, value: &'static str, help: Text) -> Arg {
        Arg::new(id)
            .value_name(self.words(value))
            .required(true)
            .help(help.pick(self.0))
            .help_heading(t::ARGUMENTS.pick(self.0))
    }

    /// A reader of a value, whose objection is in the language.
    fn reading<
        T: Clone + Send + Sync + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>> + 'static,
    >(
        &self,
        read: fn(Lang, &str) -> Result<T, E>,
    ) -> ValueParser {
        let lang = self.0;
        ValueParser::new(move |text: &str| read(lang, text))
    }

    /// A count within limits, both named where it is not.
    fn counted<T: TryFrom<u64> + Clone + Send + Sync + 'static>(&self, least: u64, most: u64) -> ValueParser {
        let lang = self.0;
        ValueParser::new(move |text: &str| {
            let count = text.parse().ok().filter(|count| (least..=most).contains(count));
            count.and_then(|count| T::try_from(count).ok()).ok_or_else(|| {
                say::WANT_COUNT.fill(lang, &[("least", &least.to_string()), ("most", &most.to_string())])
            })
        })
    }

    fn number(&self) -> Arg {
        self.argument("number", "N", t::ARG_N)
            .allow_negative_numbers(true)
            .value_parser(self.reading(proposal_number))
    }

    fn digest(&self, help: Text) -> Arg {
        self.option("digest", "DIGEST", help).value_parser(self.reading(digest))
    }

    fn reason(&self) -> Arg {
        self.option("reason", "TEXT", t::REASON)
    }

    fn paged(&self, command: Command) -> Command {
        command
            .arg(
                self.option("limit", "COUNT", t::FLAG_LIMIT)
                    .allow_negative_numbers(true)
                    .value_parser(self.counted::<u32>(1, limit::PAGE.into())),
            )
            .arg(self.option("cursor", "CURSOR", t::FLAG_CURSOR))
            .arg(self.flag("all", t::FLAG_ALL).conflicts_with("cursor"))
    }

    fn init(&self) -> Command {
        let command = self
            .command("init", "sekali init [--room SLUG] [--title TEXT]", t::INIT_ABOUT)
            .arg(self.option("title", "TEXT", t::INIT_TITLE));
        self.explain(command, Some(t::INIT_MORE), Some(t::INIT_EXAMPLES))
    }

    fn room(&self) -> Command {
        let add = self
            .command("add", "sekali room add SLUG [--title TEXT]", t::ROOM_ADD_ABOUT)
            .arg(self.argument("slug", "SLUG", t::ROOM_ADD_SLUG))
            .arg(self.option("title", "TEXT", t::INIT_TITLE));
        let show = self
            .command("show", "sekali room show [SLUG]", t::ROOM_SHOW_ABOUT)
            .arg(self.argument("slug", "SLUG", t::ROOM_SHOW_SLUG).required(false));
        self.group("room", "sekali room add|list|show", t::ROOM_ABOUT).subcommands([
            self.explain(add, None, Some(t::ROOM_ADD_EXAMPLES)),
            self.command("list", "sekali room list", t::ROOM_LIST_ABOUT),
            show,
        ])
    }

    fn member(&self) -> Command {
        let add = self
            .command("add", "sekali member add NAME --role ROLE | agent:NAME", t::MEMBER_ADD_ABOUT)
            .arg(self.argument("name", "NAME", t::MEMBER_NAME))
            .arg(self.option("role", "ROLE", t::MEMBER_ROLE).value_parser(role()).hide_possible_values(true));
        let set = self
            .command("set", "sekali member set NAME --role ROLE", t::MEMBER_SET_ABOUT)
            .arg(self.argument("name", "NAME", t::MEMBER_NAME))
            .arg(
                self.option("role", "ROLE", t::MEMBER_SET_ROLE)
                    .required(true)
                    .value_parser(role_or_none())
                    .hide_possible_values(true),
            );
        self.group("member", "sekali member add|list|set", t::MEMBER_ABOUT).subcommands([
            self.explain(add, Some(t::MEMBER_ADD_MORE), Some(t::MEMBER_ADD_EXAMPLES)),
            self.command("list", "sekali member list", t::MEMBER_LIST_ABOUT),
            self.explain(set, None, Some(t::MEMBER_SET_EXAMPLES)),
        ])
    }

    fn doc(&self) -> Command {
        let list = self.command(
            "list",
            "sekali doc list [--limit COUNT] [--cursor CURSOR | --all]",
            t::DOC_LIST_ABOUT,
        );
        let cat = self
            .command("cat", "sekali doc cat PATH [--version VERSION]", t::DOC_CAT_ABOUT)
            .arg(self.argument("path", "PATH", t::ARG_PATH))
            .arg(
                self.option("version", "VERSION", t::DOC_CAT_VERSION)
                    .allow_negative_numbers(true)
                    .value_parser(self.reading(version)),
            );
        let log = self.command("log", "sekali doc log PATH", t::DOC_LOG_ABOUT).arg(self.argument(
            "path",
            "PATH",
            t::ARG_PATH,
        ));
        let export = self
            .command("export", "sekali doc export DIR [--force]", t::DOC_EXPORT_ABOUT)
            .arg(self.argument("dir", "DIR", t::DOC_EXPORT_DIR).value_parser(value_parser!(PathBuf)))
            .arg(self.flag("force", t::DOC_EXPORT_FORCE));
        self.group("doc", "sekali doc list|cat|log|export", t::DOC_ABOUT).subcommands([
            self.explain(self.paged(list), Some(t::DOC_LIST_MORE), None),
            self.explain(cat, None, Some(t::DOC_CAT_EXAMPLES)),
            self.explain(log, Some(t::DOC_LOG_MORE), None),
            self.explain(export, Some(t::DOC_EXPORT_MORE), Some(t::DOC_EXPORT_EXAMPLES)),
        ])
    }

    /// What a proposal says of itself and what it changes; propose and revise share it.
    fn content(&self, command: Command) -> Command {
        let many = |arg: Arg| arg.action(ArgAction::Append);
        command
            .arg(self.option("title", "TEXT", t::PROPOSE_TITLE))
            .arg(self.option("why", "TEXT", t::PROPOSE_WHY))
            .arg(
                many(self.option("put", "PATH=FILE", t::PROPOSE_PUT))
                    .value_parser(value_parser!(std::ffi::OsString)),
            )
            .arg(many(self.option("put-dir", "DIR", t::PROPOSE_PUT_DIR)).value_parser(value_parser!(PathBuf)))
            .arg(many(self.option("delete", "PATH", t::PROPOSE_DELETE)))
            .arg(many(self.option("rename", "OLD=NEW", t::PROPOSE_RENAME)))
            .arg(many(self.option("patch", "FILE", t::PROPOSE_PATCH)).value_parser(value_parser!(PathBuf)))
            .arg(
                self.option("strip", "COUNT", t::PROPOSE_STRIP)
                    .allow_negative_numbers(true)
                    .value_parser(self.counted::<u32>(0, limit::STRIP.into()))
                    .requires("patch"),
            )
            .arg(
                many(self.option("json-patch", "PATH=FILE", t::PROPOSE_JSON_PATCH))
                    .value_parser(value_parser!(std::ffi::OsString)),
            )
            .arg(
                many(self.option("merge-patch", "PATH=FILE", t::PROPOSE_MERGE_PATCH))
                    .value_parser(value_parser!(std::ffi::OsString)),
            )
            .arg(self.option("file", "FILE", t::PROPOSE_FILE).value_parser(value_parser!(PathBuf)))
            .arg(many(self.option("base", "PATH=DIGEST", t::PROPOSE_BASE)))
            .arg(many(self.option("effect-key", "KEY", t::PROPOSE_EFFECT)))
            .group(ArgGroup::new("changes").args(CHANGES).multiple(true))
            .group(ArgGroup::new("anything").args(CHANGES).arg("file").multiple(true).required(true))
            .mut_arg("file", |arg| {
                arg.conflicts_with_all(["title", "why", "changes", "base", "effect-key", "valid-until"])
            })
    }

    fn propose(&self) -> Command {
        let command = self.command(
            "propose",
            "sekali propose --title TEXT [OPTIONS] CHANGE...  |  sekali propose --file FILE",
            t::PROPOSE_ABOUT,
        );
        let command = self
            .content(command)
            .arg(
                self.option("valid-until", "TIME", t::PROPOSE_UNTIL)
                    .value_parser(self.reading(super::content::until)),
            )
            .arg(self.option("key", "KEY", t::PROPOSE_KEY).conflicts_with("file"))
            .arg(self.option("correlation", "ID", t::PROPOSE_CORRELATION).conflicts_with("file"))
            .mut_arg("title", |arg| arg.required_unless_present("file"));
        self.explain(command, Some(t::PROPOSE_MORE), Some(t::PROPOSE_EXAMPLES))
    }

    fn revise(&self) -> Command {
        let command = self.command(
            "revise",
            "sekali revise N [--digest DIGEST] [OPTIONS] CHANGE...  |  sekali revise N --file FILE",
            t::REVISE_ABOUT,
        );
        let command = self.content(command.arg(self.number()).arg(self.digest(t::REVISE_DIGEST))).arg(
            self.option("valid-until", "TIME", t::REVISE_UNTIL)
                .value_parser(self.reading(super::content::until_or_none)),
        );
        self.explain(command, Some(t::REVISE_MORE), Some(t::REVISE_EXAMPLES))
    }

    fn rebase(&self) -> Command {
        let command = self
            .command("rebase", "sekali rebase N [--digest DIGEST] [--take PATH=SIDE,...]...", t::REBASE_ABOUT)
            .arg(self.number())
            .arg(self.digest(t::REBASE_DIGEST))
            .arg(
                self.option("take", "PATH=SIDE,...", t::REBASE_TAKE)
                    .action(ArgAction::Append)
                    .value_parser(self.reading(sides)),
            );
        self.explain(command, Some(t::REBASE_MORE), Some(t::REBASE_EXAMPLES))
    }

    fn revert(&self) -> Command {
        let command = self
            .command("revert", "sekali revert N... [--title TEXT] [--why TEXT] [--key KEY]", t::REVERT_ABOUT)
            .arg(self.number().action(ArgAction::Append).num_args(1..))
            .arg(self.option("title", "TEXT", t::REVERT_TITLE))
            .arg(self.option("why", "TEXT", t::PROPOSE_WHY))
            .arg(self.option("key", "KEY", t::PROPOSE_KEY));
        self.explain(command, Some(t::REVERT_MORE), Some(t::REVERT_EXAMPLES))
    }

    fn split(&self) -> Command {
        let command = self
            .command("split", "sekali split N --take PATH[:HUNK]... [--title TEXT]", t::SPLIT_ABOUT)
            .arg(self.number())
            .arg(
                self.option("take", "PATH[:HUNK]", t::SPLIT_TAKE)
                    .action(ArgAction::Append)
                    .required(true)
                    .value_parser(self.reading(part)),
            )
            .arg(self.option("title", "TEXT", t::SPLIT_TITLE))
            .arg(self.digest(t::REBASE_DIGEST));
        self.explain(command, Some(t::SPLIT_MORE), Some(t::SPLIT_EXAMPLES))
    }

    fn list(&self) -> Command {
        let command = self
            .command(
                "list",
                "sekali list [--state STATE] [--limit COUNT] [--cursor CURSOR | --all]",
                t::LIST_ABOUT,
            )
            .arg(
                self.option("state", "STATE", t::LIST_STATE).value_parser(state()).hide_possible_values(true),
            );
        self.explain(self.paged(command), None, Some(t::LIST_EXAMPLES))
    }

    fn show(&self) -> Command {
        let command = self
            .command("show", "sekali show N|ID [--diff | --patch]", t::SHOW_ABOUT)
            .arg(
                self.argument("number", "N|ID", t::ARG_N_OR_ID)
                    .allow_negative_numbers(true)
                    .value_parser(self.reading(number_or_id)),
            )
            .arg(self.flag("diff", t::SHOW_DIFF))
            .arg(self.flag("patch", t::SHOW_PATCH).conflicts_with_all(["diff", "json"]));
        self.explain(command, Some(t::SHOW_MORE), Some(t::SHOW_EXAMPLES))
    }

    fn apply(&self) -> Command {
        let command = self
            .command("apply", "sekali apply N [--digest DIGEST | --yes]", t::APPLY_ABOUT)
            .arg(self.number())
            .arg(self.digest(t::APPLY_DIGEST))
            .arg(self.flag("yes", t::APPLY_YES).conflicts_with("digest"));
        self.explain(command, Some(t::APPLY_MORE), Some(t::APPLY_EXAMPLES))
    }

    fn wait(&self) -> Command {
        let command =
            self.command("wait", "sekali wait N [--timeout SECONDS]", t::WAIT_ABOUT).arg(self.number()).arg(
                self.option("timeout", "SECONDS", t::WAIT_TIMEOUT)
                    .allow_negative_numbers(true)
                    .value_parser(self.reading(seconds)),
            );
        self.explain(command, Some(t::WAIT_MORE), Some(t::WAIT_EXAMPLES))
    }

    fn reject(&self) -> Command {
        let command = self
            .command("reject", "sekali reject N --reason TEXT [--digest DIGEST]", t::REJECT_ABOUT)
            .arg(self.number())
            .arg(self.reason().required(true))
            .arg(self.digest(t::REJECT_DIGEST));
        self.explain(command, None, Some(t::REJECT_EXAMPLES))
    }

    fn reopen(&self) -> Command {
        let command = self
            .command("reopen", "sekali reopen N [--reason TEXT]", t::REOPEN_ABOUT)
            .arg(self.number())
            .arg(self.reason());
        self.explain(command, None, Some(t::REOPEN_EXAMPLES))
    }

    fn withdraw(&self) -> Command {
        let command = self
            .command("withdraw", "sekali withdraw N [--reason TEXT]", t::WITHDRAW_ABOUT)
            .arg(self.number())
            .arg(self.reason());
        self.explain(command, Some(t::WITHDRAW_MORE), Some(t::WITHDRAW_EXAMPLES))
    }

    fn comment(&self) -> Command {
        let counted = |id, value, help| {
            self.option(id, value, help)
                .allow_negative_numbers(true)
                .value_parser(self.counted::<u32>(1, u32::MAX.into()))
        };
        let command = self
            .command(
                "comment",
                "sekali comment N --text TEXT [--line PATH:LINE] [--ask | --answer ID]",
                t::COMMENT_ABOUT,
            )
            .arg(self.number())
            .arg(self.option("text", "TEXT", t::COMMENT_TEXT).required(true).allow_hyphen_values(true))
            .arg(self.option("line", "PATH:LINE", t::COMMENT_LINE).value_parser(self.reading(line)))
            .arg(self.flag("ask", t::COMMENT_ASK))
            .arg(counted("answer", "ID", t::COMMENT_ANSWER).conflicts_with("ask"))
            .arg(counted("revision", "N", t::COMMENT_REVISION))
            .arg(self.option("key", "KEY", t::COMMENT_KEY));
        self.explain(command, Some(t::COMMENT_MORE), Some(t::COMMENT_EXAMPLES))
    }

    fn ledger(&self) -> Command {
        let export = self
            .command(
                "export",
                "sekali ledger export --out DIR [--format jsonl,csv] [--content]",
                t::LEDGER_EXPORT_ABOUT,
            )
            .arg(self.option("out", "DIR", t::EXPORT_OUT).required(true).value_parser(value_parser!(PathBuf)))
            .arg(
                self.option("format", "FORMATS", t::EXPORT_FORMAT)
                    .value_delimiter(',')
                    .value_parser(["jsonl", "csv"])
                    .hide_possible_values(true),
            )
            .arg(self.flag("content", t::EXPORT_CONTENT));
        let command = self
            .command(
                "ledger",
                "sekali ledger [--after SEQ] [--limit COUNT]  |  sekali ledger export --out DIR",
                t::LEDGER_ABOUT,
            )
            .args_conflicts_with_subcommands(true)
            .arg(
                self.option("after", "SEQ", t::LEDGER_AFTER)
                    .allow_negative_numbers(true)
                    .value_parser(self.counted::<u64>(0, MOST)),
            )
            .arg(
                self.option("limit", "COUNT", t::LEDGER_LIMIT)
                    .allow_negative_numbers(true)
                    .value_parser(self.counted::<u64>(1, MOST)),
            )
            .subcommand(self.explain(export, Some(t::LEDGER_EXPORT_MORE), Some(t::LEDGER_EXPORT_EXAMPLES)));
        self.explain(command, Some(t::LEDGER_MORE), Some(t::LEDGER_EXAMPLES))
    }

    fn duplicates(&self) -> Command {
        let command = self.command(
            "duplicates",
            "sekali duplicates [--limit COUNT] [--cursor CURSOR | --all]",
            t::DUPLICATES_ABOUT,
        );
        self.explain(self.paged(command), Some(t::DUPLICATES_MORE), None)
    }

    fn doctor(&self) -> Command {
        self.explain(self.command("doctor", "sekali doctor", t::DOCTOR_ABOUT), Some(t::DOCTOR_MORE), None)
    }

    fn demo(&self) -> Command {
        let command = self
            .command("demo", "sekali demo [--store PATH] [--lang en|id] [--fresh]", t::DEMO_ABOUT)
            .arg(self.flag("fresh", t::DEMO_FRESH));
        self.explain(command, Some(t::DEMO_MORE), Some(t::DEMO_EXAMPLES))
    }

    fn schema(&self) -> Command {
        self.group("schema", "sekali schema proposal", t::SCHEMA_ABOUT).subcommand(self.command(
            "proposal",
            "sekali schema proposal",
            t::SCHEMA_PROPOSAL_ABOUT,
        ))
    }

    fn completions(&self) -> Command {
        let command = self.command("completions", "sekali completions SHELL", t::COMPLETIONS_ABOUT).arg(
            self.argument("shell", "SHELL", t::COMPLETIONS_SHELL)
                .value_parser(value_parser!(clap_complete::Shell))
                .hide_possible_values(true),
        );
        self.explain(command, None, Some(t::COMPLETIONS_EXAMPLES))
    }

    fn help(&self) -> Command {
        self.command("help", "sekali help [COMMAND]...", t::HELP_ABOUT)
            .arg(self.argument("command", "COMMAND", t::HELP_ARG).required(false).num_args(0..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_whole_words() {
        let check = |text: &str, expected: &str| assert_eq!(Maker(Lang::Id).words(text), expected);
        check("sekali doc cat PATH [--version VERSION]", "sekali doc cat JALUR [--version VERSI]");
        check("PATH=FILE", "JALUR=BERKAS");
        check("SLUG", "SLUG");
        check("N", "N");
        check("", "");
        assert_eq!(Maker(Lang::En).words("PATH"), "PATH");
    }
}
