//! The commands and flags, in one language.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{StyledStr, Styles, ValueParser};
use clap::{Arg, ArgAction, ArgGroup, Command, value_parser};
use sekali_core::{Digest, Lang, Role, State, limit};
use sekali_store::VersionKey;

use crate::text::Text;
use crate::text::help::*;

/// The whole command line.
pub(crate) fn command(lang: Lang) -> Command {
    let maker = Maker(lang);
    let top = maker
        .command("sekali", "sekali [--store PATH] [--room SLUG] [--as NAME] [--lang en|id] [--json] COMMAND", TOP_ABOUT)
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
                .help(FLAG_VERSION.pick(lang))
                .help_heading(OPTIONS.pick(lang)),
        )
        .args(maker.globals());
    maker.explain(top, Some(TOP_MORE), Some(TOP_EXAMPLES)).subcommands([
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
    ])
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

impl Maker {
    fn command(&self, name: &'static str, usage: &'static str, about: Text) -> Command {
        let lang = self.0;
        // clap's own template says "Usage:" in English.
        let template = format!("{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}", USAGE.pick(lang));
        Command::new(name)
            .about(about.pick(lang))
            .override_usage(usage)
            .help_template(template)
            .subcommand_help_heading(COMMANDS.pick(lang))
            .subcommand_value_name(lang.pick("COMMAND", "PERINTAH"))
            .disable_help_flag(true)
            .disable_help_subcommand(true)
            .arg(
                Arg::new("help")
                    .long("help")
                    .short('h')
                    .action(ArgAction::Help)
                    .help(FLAG_HELP.pick(lang))
                    .help_heading(OPTIONS.pick(lang))
                    .display_order(900),
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
            parts.push(format!("{header}{}{header:#}\n{}", EXAMPLES.pick(self.0), examples.pick(self.0)));
        }
        if parts.is_empty() { command } else { command.after_help(StyledStr::from(parts.join("\n\n"))) }
    }

    fn group(&self, name: &'static str, usage: &'static str, about: Text) -> Command {
        self.command(name, usage, about)
    }

    fn globals(&self) -> Vec<Arg> {
        let global = |id: &'static str, value: &'static str, help: Text| {
            Arg::new(id)
                .long(id)
                .value_name(value)
                .global(true)
                .help(help.pick(self.0))
                .help_heading(GLOBALS.pick(self.0))
                .display_order(1_000)
        };
        vec![
            global("store", "PATH", FLAG_STORE).value_parser(value_parser!(PathBuf)),
            global("room", "SLUG", FLAG_ROOM),
            global("as", "NAME", FLAG_AS),
            global("lang", "en|id", FLAG_LANG).value_parser(["en", "id"]).hide_possible_values(true),
            global("json", "", FLAG_JSON).action(ArgAction::SetTrue),
        ]
    }

    fn flag(&self, id: &'static str, help: Text) -> Arg {
        Arg::new(id)
            .long(id)
            .action(ArgAction::SetTrue)
            .help(help.pick(self.0))
            .help_heading(OPTIONS.pick(self.0))
    }

    fn option(&self, id: &'static str, value: &'static str, help: Text) -> Arg {
        Arg::new(id).long(id).value_name(value).help(help.pick(self.0)).help_heading(OPTIONS.pick(self.0))
    }

    fn argument(&self, id: &'static str, value: &'static str, help: Text) -> Arg {
        Arg::new(id)
            .value_name(value)
            .required(true)
            .help(help.pick(self.0))
            .help_heading(ARGUMENTS.pick(self.0))
    }

    fn number(&self) -> Arg {
        self.argument("number", "N", ARG_N).value_parser(proposal_number)
    }

    fn digest(&self, help: Text) -> Arg {
        self.option("digest", "DIGEST", help).value_parser(digest)
    }

    fn reason(&self) -> Arg {
        self.option("reason", "TEXT", REASON)
    }

    fn paged(&self, command: Command) -> Command {
        command
            .arg(self.option("limit", "COUNT", FLAG_LIMIT).value_parser(value_parser!(u32).range(1..=i64::from(limit::PAGE))))
            .arg(self.option("cursor", "CURSOR", FLAG_CURSOR))
            .arg(self.flag("all", FLAG_ALL).conflicts_with("cursor"))
    }

    fn init(&self) -> Command {
        let command = self
            .command("init", "sekali init [--room SLUG] [--title TEXT]", INIT_ABOUT)
            .arg(self.option("title", "TEXT", INIT_TITLE));
        self.explain(command, Some(INIT_MORE), Some(INIT_EXAMPLES))
    }

    fn room(&self) -> Command {
        let add = self
            .command("add", "sekali room add SLUG [--title TEXT]", ROOM_ADD_ABOUT)
            .arg(self.argument("slug", "SLUG", ROOM_ADD_SLUG))
            .arg(self.option("title", "TEXT", INIT_TITLE));
        let show = self
            .command("show", "sekali room show [SLUG]", ROOM_SHOW_ABOUT)
            .arg(self.argument("slug", "SLUG", ROOM_SHOW_SLUG).required(false));
        self.group("room", "sekali room add|list|show", ROOM_ABOUT).subcommands([
            self.explain(add, None, Some(ROOM_ADD_EXAMPLES)),
            self.command("list", "sekali room list", ROOM_LIST_ABOUT),
            show,
        ])
    }

    fn member(&self) -> Command {
        let add = self
            .command("add", "sekali member add NAME --role ROLE | agent:NAME", MEMBER_ADD_ABOUT)
            .arg(self.argument("name", "NAME", MEMBER_NAME))
            .arg(self.option("role", "ROLE", MEMBER_ROLE).value_parser(|text: &str| text.parse::<Role>()));
        let set = self
            .command("set", "sekali member set NAME --role ROLE", MEMBER_SET_ABOUT)
            .arg(self.argument("name", "NAME", MEMBER_NAME))
            .arg(self.option("role", "ROLE", MEMBER_SET_ROLE).required(true).value_parser(ValueParser::new(role_or_none)));
        self.group("member", "sekali member add|list|set", MEMBER_ABOUT).subcommands([
            self.explain(add, Some(MEMBER_ADD_MORE), Some(MEMBER_ADD_EXAMPLES)),
            self.command("list", "sekali member list", MEMBER_LIST_ABOUT),
            self.explain(set, None, Some(MEMBER_SET_EXAMPLES)),
        ])
    }

    fn doc(&self) -> Command {
        let list = self.command("list", "sekali doc list [--limit COUNT] [--cursor CURSOR | --all]", DOC_LIST_ABOUT);
        let cat = self
            .command("cat", "sekali doc cat PATH [--version VERSION]", DOC_CAT_ABOUT)
            .arg(self.argument("path", "PATH", ARG_PATH))
            .arg(self.option("version", "VERSION", DOC_CAT_VERSION).value_parser(version));
        let log = self
            .command("log", "sekali doc log PATH", DOC_LOG_ABOUT)
            .arg(self.argument("path", "PATH", ARG_PATH));
        let export = self
            .command("export", "sekali doc export DIR [--force]", DOC_EXPORT_ABOUT)
            .arg(self.argument("dir", "DIR", DOC_EXPORT_DIR).value_parser(value_parser!(PathBuf)))
            .arg(self.flag("force", DOC_EXPORT_FORCE));
        self.group("doc", "sekali doc list|cat|log|export", DOC_ABOUT).subcommands([
            self.explain(self.paged(list), Some(DOC_LIST_MORE), None),
            self.explain(cat, None, Some(DOC_CAT_EXAMPLES)),
            self.explain(log, Some(DOC_LOG_MORE), None),
            self.explain(export, Some(DOC_EXPORT_MORE), Some(DOC_EXPORT_EXAMPLES)),
        ])
    }

    /// What a proposal says of itself and what it changes; propose and revise share it.
    fn content(&self, command: Command) -> Command {
        let many = |arg: Arg| arg.action(ArgAction::Append);
        command
            .arg(self.option("title", "TEXT", PROPOSE_TITLE))
            .arg(self.option("why", "TEXT", PROPOSE_WHY))
            .arg(many(self.option("put", "PATH=FILE", PROPOSE_PUT)).value_parser(value_parser!(std::ffi::OsString)))
            .arg(many(self.option("put-dir", "DIR", PROPOSE_PUT_DIR)).value_parser(value_parser!(PathBuf)))
            .arg(many(self.option("delete", "PATH", PROPOSE_DELETE)))
            .arg(many(self.option("rename", "OLD=NEW", PROPOSE_RENAME)))
            .arg(self.option("file", "FILE", PROPOSE_FILE).value_parser(value_parser!(PathBuf)))
            .arg(many(self.option("base", "PATH=DIGEST", PROPOSE_BASE)))
            .arg(many(self.option("effect-key", "KEY", PROPOSE_EFFECT)))
            .group(ArgGroup::new("changes").args(["put", "put-dir", "delete", "rename"]).multiple(true))
            .group(ArgGroup::new("anything").args(["put", "put-dir", "delete", "rename", "file"]).multiple(true).required(true))
            .mut_arg("file", |arg| {
                arg.conflicts_with_all(["title", "why", "changes", "base", "effect-key", "valid-until"])
            })
    }

    fn propose(&self) -> Command {
        let command = self.command(
            "propose",
            "sekali propose --title TEXT [OPTIONS] CHANGE...  |  sekali propose --file FILE",
            PROPOSE_ABOUT,
        );
        let command = self
            .content(command)
            .arg(self.option("valid-until", "TIME", PROPOSE_UNTIL).value_parser(super::content::until))
            .arg(self.option("key", "KEY", PROPOSE_KEY).conflicts_with("file"))
            .arg(self.option("correlation", "ID", PROPOSE_CORRELATION).conflicts_with("file"))
            .mut_arg("title", |arg| arg.required_unless_present("file"));
        self.explain(command, Some(PROPOSE_MORE), Some(PROPOSE_EXAMPLES))
    }

    fn revise(&self) -> Command {
        let command = self.command(
            "revise",
            "sekali revise N [--digest DIGEST] [OPTIONS] CHANGE...  |  sekali revise N --file FILE",
            REVISE_ABOUT,
        );
        let command = self
            .content(command.arg(self.number()).arg(self.digest(REVISE_DIGEST)))
            .arg(self.option("valid-until", "TIME", REVISE_UNTIL).value_parser(super::content::until_or_none));
        self.explain(command, Some(REVISE_MORE), Some(REVISE_EXAMPLES))
    }

    fn list(&self) -> Command {
        let command = self
            .command("list", "sekali list [--state STATE] [--limit COUNT] [--cursor CURSOR | --all]", LIST_ABOUT)
            .arg(self.option("state", "STATE", LIST_STATE).value_parser(|text: &str| text.parse::<State>()));
        self.explain(self.paged(command), None, Some(LIST_EXAMPLES))
    }

    fn show(&self) -> Command {
        let command =
            self.command("show", "sekali show N [--diff]", SHOW_ABOUT).arg(self.number()).arg(self.flag("diff", SHOW_DIFF));
        self.explain(command, None, Some(SHOW_EXAMPLES))
    }

    fn apply(&self) -> Command {
        let command = self
            .command("apply", "sekali apply N [--digest DIGEST | --yes]", APPLY_ABOUT)
            .arg(self.number())
            .arg(self.digest(APPLY_DIGEST))
            .arg(self.flag("yes", APPLY_YES).conflicts_with("digest"));
        self.explain(command, Some(APPLY_MORE), Some(APPLY_EXAMPLES))
    }

    fn wait(&self) -> Command {
        let command = self
            .command("wait", "sekali wait N [--timeout SECONDS]", WAIT_ABOUT)
            .arg(self.number())
            .arg(self.option("timeout", "SECONDS", WAIT_TIMEOUT).value_parser(seconds));
        self.explain(command, Some(WAIT_MORE), Some(WAIT_EXAMPLES))
    }

    fn reject(&self) -> Command {
        let command = self
            .command("reject", "sekali reject N --reason TEXT [--digest DIGEST]", REJECT_ABOUT)
            .arg(self.number())
            .arg(self.reason().required(true))
            .arg(self.digest(REJECT_DIGEST));
        self.explain(command, None, Some(REJECT_EXAMPLES))
    }

    fn reopen(&self) -> Command {
        let command = self
            .command("reopen", "sekali reopen N [--reason TEXT]", REOPEN_ABOUT)
            .arg(self.number())
            .arg(self.reason());
        self.explain(command, None, Some(REOPEN_EXAMPLES))
    }

    fn withdraw(&self) -> Command {
        let command = self
            .command("withdraw", "sekali withdraw N [--reason TEXT]", WITHDRAW_ABOUT)
            .arg(self.number())
            .arg(self.reason());
        self.explain(command, Some(WITHDRAW_MORE), Some(WITHDRAW_EXAMPLES))
    }

    fn ledger(&self) -> Command {
        let export = self
            .command("export", "sekali ledger export --out DIR [--format jsonl,csv] [--content]", LEDGER_EXPORT_ABOUT)
            .arg(self.option("out", "DIR", EXPORT_OUT).required(true).value_parser(value_parser!(PathBuf)))
            .arg(
                self.option("format", "FORMATS", EXPORT_FORMAT)
                    .value_delimiter(',')
                    .value_parser(["jsonl", "csv"])
                    .hide_possible_values(true),
            )
            .arg(self.flag("content", EXPORT_CONTENT));
        let command = self
            .command("ledger", "sekali ledger [--after SEQ] [--limit COUNT]  |  sekali ledger export --out DIR", LEDGER_ABOUT)
            .args_conflicts_with_subcommands(true)
            .arg(self.option("after", "SEQ", LEDGER_AFTER).value_parser(value_parser!(u64).range(0..=MOST)))
            .arg(self.option("limit", "COUNT", LEDGER_LIMIT).value_parser(value_parser!(u64).range(1..=MOST)))
            .subcommand(self.explain(export, Some(LEDGER_EXPORT_MORE), Some(LEDGER_EXPORT_EXAMPLES)));
        self.explain(command, Some(LEDGER_MORE), Some(LEDGER_EXAMPLES))
    }

    fn duplicates(&self) -> Command {
        let command =
            self.command("duplicates", "sekali duplicates [--limit COUNT] [--cursor CURSOR | --all]", DUPLICATES_ABOUT);
        self.explain(self.paged(command), Some(DUPLICATES_MORE), None)
    }

    fn doctor(&self) -> Command {
        self.explain(self.command("doctor", "sekali doctor", DOCTOR_ABOUT), Some(DOCTOR_MORE), None)
    }

    fn demo(&self) -> Command {
        let command = self
            .command("demo", "sekali demo [--store PATH] [--lang en|id] [--fresh]", DEMO_ABOUT)
            .arg(self.flag("fresh", DEMO_FRESH));
        self.explain(command, Some(DEMO_MORE), Some(DEMO_EXAMPLES))
    }

    fn schema(&self) -> Command {
        self.group("schema", "sekali schema proposal", SCHEMA_ABOUT).subcommand(self.command(
            "proposal",
            "sekali schema proposal",
            SCHEMA_PROPOSAL_ABOUT,
        ))
    }

    fn completions(&self) -> Command {
        let command = self.command("completions", "sekali completions SHELL", COMPLETIONS_ABOUT).arg(
            self.argument("shell", "SHELL", COMPLETIONS_SHELL)
                .value_parser(value_parser!(clap_complete::Shell))
                .hide_possible_values(true),
        );
        self.explain(command, None, Some(COMPLETIONS_EXAMPLES))
    }

    fn help(&self) -> Command {
        self.command("help", "sekali help [COMMAND]...", HELP_ABOUT)
            .arg(self.argument("command", "COMMAND", HELP_ARG).required(false).num_args(0..))
    }
}

/// The largest integer that anything we write can hold.
const MOST: u64 = limit::SAFE_INTEGER.unsigned_abs();

fn proposal_number(text: &str) -> Result<u64, String> {
    let number = text.strip_prefix('#').unwrap_or(text).parse().ok();
    number.filter(|n| (1..=MOST).contains(n)).ok_or_else(|| "a proposal's number is 1 or more, such as 12".to_owned())
}

fn digest(text: &str) -> Result<Digest, sekali_core::hash::ParseHashError> {
    text.parse()
}

fn version(text: &str) -> Result<VersionKey, String> {
    let parts = text.split_once('.').and_then(|(seq, ordinal)| Some((seq.parse().ok()?, ordinal.parse().ok()?)));
    let (seq, ordinal) = parts
        .filter(|(seq, _): &(u64, u32)| *seq <= MOST)
        .ok_or_else(|| "a version is an entry and a change within it, such as 12.0".to_owned())?;
    Ok(VersionKey { seq, ordinal })
}

fn role_or_none(text: &str) -> Result<Option<Role>, String> {
    if text == "none" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|e: sekali_core::role::UnknownWord| format!("{e}, none"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds, such as 60".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a number of seconds, 0 or more".to_owned())
}
