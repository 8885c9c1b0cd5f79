//! The arguments: one builder in the language asked for, parsed into orders that cannot be wrong.
//! What an order does is not here.

mod build;
mod content;
mod values;

pub(crate) use values::side_word;
mod wrong;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::error::ErrorKind;
use sekali_core::merge::Side;
use sekali_core::talk::LineSide;
use sekali_core::{Digest, Lang, ProposalId, Role, Seen, State};
use sekali_store::VersionKey;

pub(crate) use build::command;
pub(crate) use content::{Content, Source, Step, Until};

use crate::failure::{Both, Failed};
use crate::text::say;

/// What stands on the command line beside the order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Globals {
    pub(crate) store: Option<PathBuf>,
    pub(crate) room: Option<String>,
    pub(crate) actor: Option<String>,
    pub(crate) json: bool,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) limit: u32,
    pub(crate) cursor: Option<String>,
    pub(crate) all: bool,
}

/// A proposal as it is named: people have its number, programs may have its id alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Number(u64),
    Id(ProposalId),
}

/// How much of a proposal is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Everything but its changed lines.
    Facts,
    /// With them.
    Diff,
    /// The patch alone, byte for byte.
    Patch,
}

/// A comment as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) number: u64,
    /// `-` is standard input.
    pub(crate) text: String,
    pub(crate) line: Option<(String, LineSide, u32)>,
    pub(crate) ask: bool,
    pub(crate) answer: Option<u32>,
    pub(crate) revision: Option<u32>,
    pub(crate) key: Option<String>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Order {
    Start,
    Init { title: Option<String> },
    RoomAdd { slug: String, title: Option<String> },
    RoomList,
    RoomShow { slug: Option<String> },
    MemberAdd { name: String, role: Option<Role> },
    MemberList,
    MemberSet { name: String, role: Option<Role> },
    DocList(Page),
    DocCat { path: String, version: Option<VersionKey> },
    DocLog { path: String },
    DocExport { dir: PathBuf, force: bool },
    Propose(Content),
    List { state: Option<State>, page: Page },
    Show { which: Which, shown: Shown },
    Apply { number: u64, seen: Option<Seen> },
    Wait { number: u64, timeout: Option<std::time::Duration> },
    Reject { number: u64, digest: Option<Digest>, reason: String },
    Reopen { number: u64, reason: Option<String> },
    Withdraw { number: u64, reason: Option<String> },
    Revise { number: u64, digest: Option<Digest>, content: Content },
    Rebase { number: u64, digest: Option<Digest>, take: Vec<(String, Vec<Side>)> },
    Revert { numbers: Vec<u64>, title: Option<String>, why: Option<String>, key: Option<String> },
    Split { number: u64, digest: Option<Digest>, take: Vec<(String, Option<u32>)>, title: Option<String> },
    Comment(Comment),
    Ledger { after: u64, limit: Option<u64> },
    LedgerExport { out: PathBuf, jsonl: bool, csv: bool, content: bool },
    Duplicates(Page),
    Doctor,
    Demo { fresh: bool },
    SchemaProposal,
    Completions(clap_complete::Shell),
}

/// What came of parsing.
#[derive(Debug)]
pub(crate) enum Parsed {
    Order(Globals, Box<Order>),
    /// Help or the version, to be shown.
    Show(String),
}

/// Reads the arguments, the program's name first.
pub(crate) fn parse(lang: Lang, args: Vec<OsString>) -> Result<Parsed, Failed> {
    let matches = match command(lang).try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(error) => return shown_or_wrong(lang, &error, args),
    };
    let globals = Globals {
        store: matches.get_one::<PathBuf>("store").cloned(),
        room: matches.get_one::<String>("room").cloned(),
        actor: matches.get_one::<String>("as").cloned(),
        json: matches.get_flag("json"),
    };
    match matches.subcommand() {
        None => Ok(Parsed::Order(globals, Box::new(Order::Start))),
        Some(("help", inner)) => help(lang, inner),
        Some((name, inner)) => Ok(Parsed::Order(globals, Box::new(order(lang, name, inner)?))),
    }
}

/// What clap gives as an error: help and version are answers, the rest is wrong usage.
fn shown_or_wrong(lang: Lang, error: &clap::Error, args: Vec<OsString>) -> Result<Parsed, Failed> {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        return Ok(Parsed::Show(error.render().ansi().to_string()));
    }
    // What the values should have been is said by their readers, each in its language.
    let other = if lang == Lang::En { Lang::Id } else { Lang::En };
    let at = meant(lang, &args);
    let said = command(other).try_get_matches_from(args).err();
    let said = wrong::sentence(other, said.as_ref().unwrap_or(error), &at);
    let own = wrong::sentence(lang, error, &at);
    let detail = if lang == Lang::En { Both { en: own, id: said } } else { Both { en: said, id: own } };
    Err(Failed::Usage { detail, hint: None })
}

fn help(lang: Lang, matches: &ArgMatches) -> Result<Parsed, Failed> {
    let mut found = command(lang);
    found.build();
    for name in matches.get_many::<String>("command").into_iter().flatten() {
        let Some(inner) = found.find_subcommand(name).cloned() else {
            return Err(Failed::usage(say::USE_NO_COMMAND, &[("name", name)]));
        };
        found = inner;
    }
    Ok(Parsed::Show(found.render_help().ansi().to_string()))
}

fn order(lang: Lang, name: &str, m: &ArgMatches) -> Result<Order, Failed> {
    if let Some((inner, m)) = m.subcommand() {
        return Ok(nested(name, inner, m));
    }
    Ok(match name {
        "init" => Order::Init { title: text(m, "title") },
        "propose" => Order::Propose(content::of(m)?),
        "list" => Order::List { state: m.get_one::<State>("state").copied(), page: page(m, 50) },
        "show" => {
            let shown = match (m.get_flag("diff"), m.get_flag("patch")) {
                (_, true) => Shown::Patch,
                (true, false) => Shown::Diff,
                (false, false) => Shown::Facts,
            };
            Order::Show { which: *m.get_one("number").expect("clap asks for it"), shown }
        }
        "apply" => Order::Apply { number: number(m), seen: seen(m) },
        "wait" => Order::Wait { number: number(m), timeout: m.get_one("timeout").copied() },
        "reject" => Order::Reject { number: number(m), digest: digest(m), reason: needed(m, "reason") },
        "reopen" => Order::Reopen { number: number(m), reason: text(m, "reason") },
        "withdraw" => Order::Withdraw { number: number(m), reason: text(m, "reason") },
        "revise" => Order::Revise { number: number(m), digest: digest(m), content: content::of(m)? },
        "rebase" => Order::Rebase { number: number(m), digest: digest(m), take: many(m, "take") },
        "revert" => Order::Revert {
            numbers: many(m, "number"),
            title: text(m, "title"),
            why: text(m, "why"),
            key: text(m, "key"),
        },
        "split" => Order::Split {
            number: number(m),
            digest: digest(m),
            take: many(m, "take"),
            title: text(m, "title"),
        },
        "comment" => Order::Comment(Comment {
            number: number(m),
            text: needed(m, "text"),
            line: m.get_one("line").cloned(),
            ask: m.get_flag("ask"),
            answer: m.get_one("answer").copied(),
            revision: m.get_one("revision").copied(),
            key: text(m, "key"),
        }),
        "ledger" => Order::Ledger {
            after: m.get_one::<u64>("after").copied().unwrap_or(0),
            limit: m.get_one::<u64>("limit").copied(),
        },
        "duplicates" => Order::Duplicates(page(m, 50)),
        "doctor" => Order::Doctor,
        "demo" => Order::Demo { fresh: m.get_flag("fresh") },
        "completions" => Order::Completions(*m.get_one("shell").expect("clap asks for it")),
        // A command of commands, without one: its help says which there are.
        group => {
            let mut found = command(lang);
            found.build();
            let listed =
                found.find_subcommand(group).map(|c| c.get_subcommands().map(|s| s.get_name().to_owned()));
            let names: Vec<String> = listed.into_iter().flatten().collect();
            let values = [("group", group), ("names", &*names.join(", "))];
            return Err(Failed::usage(say::USE_GROUP, &values));
        }
    })
}

fn nested(group: &str, name: &str, m: &ArgMatches) -> Order {
    match (group, name) {
        ("room", "add") => Order::RoomAdd { slug: needed(m, "slug"), title: text(m, "title") },
        ("room", "list") => Order::RoomList,
        ("room", "show") => Order::RoomShow { slug: text(m, "slug") },
        ("member", "add") => Order::MemberAdd { name: needed(m, "name"), role: m.get_one("role").copied() },
        ("member", "list") => Order::MemberList,
        ("member", "set") => Order::MemberSet {
            name: needed(m, "name"),
            role: m.get_one::<Option<Role>>("role").copied().expect("clap asks for it"),
        },
        ("doc", "list") => Order::DocList(page(m, 200)),
        ("doc", "cat") => Order::DocCat { path: needed(m, "path"), version: m.get_one("version").copied() },
        ("doc", "log") => Order::DocLog { path: needed(m, "path") },
        ("doc", "export") => Order::DocExport { dir: path(m, "dir"), force: m.get_flag("force") },
        ("ledger", "export") => {
            let formats: Vec<&String> = m.get_many::<String>("format").into_iter().flatten().collect();
            let named = |format: &str| formats.is_empty() || formats.iter().any(|f| *f == format);
            Order::LedgerExport {
                out: path(m, "out"),
                jsonl: named("jsonl"),
                csv: named("csv"),
                content: m.get_flag("content"),
            }
        }
        ("schema", "proposal") => Order::SchemaProposal,
        _ => unreachable!("every command that is built is ordered: {group} {name}"),
    }
}

fn text(m: &ArgMatches, id: &str) -> Option<String> {
    m.get_one::<String>(id).cloned()
}

fn needed(m: &ArgMatches, id: &str) -> String {
    text(m, id).expect("clap asks for it")
}

fn path(m: &ArgMatches, id: &str) -> PathBuf {
    m.get_one::<PathBuf>(id).cloned().expect("clap asks for it")
}

fn many<T: Clone + Send + Sync + 'static>(m: &ArgMatches, id: &str) -> Vec<T> {
    m.get_many::<T>(id).into_iter().flatten().cloned().collect()
}

fn number(m: &ArgMatches) -> u64 {
    *m.get_one("number").expect("clap asks for it")
}

fn digest(m: &ArgMatches) -> Option<Digest> {
    m.get_one("digest").copied()
}

fn seen(m: &ArgMatches) -> Option<Seen> {
    if m.get_flag("yes") { Some(Seen::Nothing) } else { digest(m).map(Seen::Digest) }
}

fn page(m: &ArgMatches, limit: u32) -> Page {
    Page {
        limit: m.get_one("limit").copied().unwrap_or(limit),
        cursor: text(m, "cursor"),
        all: m.get_flag("all"),
    }
}

/// The command that the arguments name, for advice about a usage that could not be parsed.
pub(crate) fn named_command(args: &[OsString]) -> Option<String> {
    let (_, named) = find(Lang::En, args);
    (!named.is_empty()).then(|| named.join(" "))
}

/// The command that the arguments name, with the flags that stand everywhere.
fn meant(lang: Lang, args: &[OsString]) -> clap::Command {
    find(lang, args).0
}

/// The command that the arguments name, and its words; nothing of what follows needs to be right.
fn find(lang: Lang, args: &[OsString]) -> (clap::Command, Vec<String>) {
    let mut known = command(lang);
    // Until it is built, flags that stand everywhere stand at the top alone.
    known.build();
    let mut at = &known;
    let mut named = Vec::new();
    let mut words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    while let Some(word) = words.next() {
        let valued = |arg: &&clap::Arg| arg.get_action().takes_values() && arg.is_global_set();
        if word
            .strip_prefix("--")
            .is_some_and(|name| known.get_arguments().filter(valued).any(|arg| arg.get_long() == Some(name)))
        {
            // Its value may be called like a command.
            words.next();
        } else if let Some(inner) = at.find_subcommand(word) {
            at = inner;
            named.push(word.to_owned());
        }
    }
    (at.clone(), named)
}

/// Adds which help to read to a failure that says nothing else.
pub(crate) fn with_help(failed: Failed, lang: Lang, command: Option<String>) -> Failed {
    match (failed, command) {
        (Failed::Usage { detail, hint: None }, Some(name)) => {
            let command = format!("sekali {name} --help");
            Failed::Usage { detail, hint: None }.hinted(say::SEE_HELP.fill(lang, &[("command", &command)]))
        }
        (failed, _) => failed,
    }
}

/// What can be known of the language and the form of answers before anything is parsed.
pub(crate) struct Early {
    pub(crate) lang: Option<Lang>,
    pub(crate) json: bool,
}

/// Looks for `--lang` and `--json` without parsing: an error about arguments needs them too.
pub(crate) fn early(args: &[OsString]) -> Early {
    let mut early = Early { lang: None, json: false };
    let mut args = args.iter().skip(1).map(|arg| arg.to_string_lossy());
    while let Some(arg) = args.next() {
        match arg.as_ref() {
            "--" => break,
            "--json" => early.json = true,
            "--lang" => early.lang = args.next().as_deref().and_then(Lang::from_tag),
            other => {
                if let Some(tag) = other.strip_prefix("--lang=") {
                    early.lang = Lang::from_tag(tag);
                }
            }
        }
    }
    early
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(line: &str) -> Result<Order, Failed> {
        let args = std::iter::once("sekali").chain(line.split_whitespace()).map(OsString::from).collect();
        match parse(Lang::En, args)? {
            Parsed::Order(_, order) => Ok(*order),
            Parsed::Show(text) => panic!("{line} shows {text}"),
        }
    }

    #[test]
    fn the_builder_is_sound() {
        for lang in [Lang::En, Lang::Id] {
            command(lang).debug_assert();
        }
    }

    #[test]
    fn the_help_that_is_named_is_the_commands_own() {
        let check = |line: &str, expected: Option<&str>| {
            let args: Vec<OsString> =
                std::iter::once("sekali").chain(line.split_whitespace()).map(OsString::from).collect();
            assert_eq!(named_command(&args).as_deref(), expected, "{line}");
        };
        check("doc cat", Some("doc cat"));
        check("ledger export", Some("ledger export"));
        check("--store doc member add", Some("member add"));
        check("--json doc list --limit 0", Some("doc list"));
        check("doc frobnicate", Some("doc"));
        check("list --state besok", Some("list"));
        check("frobnicate", None);
    }

    #[test]
    fn completions_offer_the_words_of_a_fixed_set() {
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            let mut out = Vec::new();
            clap_complete::generate(shell, &mut command(Lang::En), "sekali", &mut out);
            let text = String::from_utf8(out).unwrap();
            for words in ["waiting applied rejected withdrawn expired", "member reviewer maintainer none"] {
                let offered = text.contains(words);
                let each = words.split(' ').all(|word| text.contains(&format!("{word}\\t")));
                assert!(offered || each, "{shell}: {words}");
            }
        }
    }

    #[test]
    fn orders_are_read() {
        let check = |line: &str, expected: Order| assert_eq!(order_of(line).expect(line), expected, "{line}");
        check("", Order::Start);
        check("show 12 --diff", Order::Show { which: Which::Number(12), shown: Shown::Diff });
        check("show #12", Order::Show { which: Which::Number(12), shown: Shown::Facts });
        check("show 12 --patch", Order::Show { which: Which::Number(12), shown: Shown::Patch });
        let id = "0192f5a1-0000-7000-8000-000000000001";
        let which = Which::Id(id.parse().unwrap());
        check(&format!("show {id}"), Order::Show { which, shown: Shown::Facts });
        check("apply 1 --yes", Order::Apply { number: 1, seen: Some(Seen::Nothing) });
        check("apply 1 --store x --json", Order::Apply { number: 1, seen: None });
        check("member set Budi --role none", Order::MemberSet { name: "Budi".into(), role: None });
        check("member add agent:x", Order::MemberAdd { name: "agent:x".into(), role: None });
        check(
            "list --state waiting --limit 7 --all",
            Order::List { state: Some(State::Waiting), page: Page { limit: 7, cursor: None, all: true } },
        );
        check("ledger", Order::Ledger { after: 0, limit: None });
        let revert =
            |numbers: &[u64]| Order::Revert { numbers: numbers.to_vec(), title: None, why: None, key: None };
        check("revert 3", revert(&[3]));
        check("revert 3 #2", revert(&[3, 2]));
        let split = |take: &[(&str, Option<u32>)]| Order::Split {
            number: 3,
            digest: None,
            take: take.iter().map(|(path, hunk)| ((*path).to_owned(), *hunk)).collect(),
            title: None,
        };
        check("split 3 --take a.md --take d/b.md:2", split(&[("a.md", None), ("d/b.md", Some(2))]));
        let rebase = |take: &[(&str, &[Side])]| Order::Rebase {
            number: 3,
            digest: None,
            take: take.iter().map(|(path, sides)| ((*path).to_owned(), sides.to_vec())).collect(),
        };
        check("rebase 3", rebase(&[]));
        check("rebase 3 --take a=now,after+now", rebase(&[("a", &[Side::Now, Side::AfterThenNow])]));
        check(
            "ledger export --out d --format csv",
            Order::LedgerExport { out: "d".into(), jsonl: false, csv: true, content: false },
        );
        check(
            "doc cat a --version 12.0",
            Order::DocCat { path: "a".into(), version: Some(VersionKey { seq: 12, ordinal: 0 }) },
        );
        check(
            "wait 3 --timeout 1.5",
            Order::Wait { number: 3, timeout: Some(std::time::Duration::from_millis(1_500)) },
        );
    }

    #[test]
    fn wrong_usage_is_refused_with_a_sentence() {
        for line in [
            "frobnicate",
            "show",
            "show x",
            "show 0",
            "show 1 --diff --patch",
            "show 1 --patch --json",
            "show 9007199254740993",
            "apply 1 --digest x",
            "apply 1 --yes --digest sha256:0000000000000000000000000000000000000000000000000000000000000000",
            "list --state besok",
            "list --limit 0",
            "list --limit 201",
            "list --cursor x --all",
            "member",
            "member set Budi",
            "reject 1",
            "wait 1 --timeout -1",
            "show -1",
            "wait 1 --timeout NaN",
            "propose",
            "propose --title T",
            "propose --title T --put a",
            "propose --title T --put =b",
            "propose --put a=b",
            "propose --file f --title T",
            "propose --title T --rename a=",
            "doc cat a --version 1",
            "ledger export",
            "ledger export --out d --format xml",
            "--lang fr list",
            "propose --title T --delete a --base a",
            "propose --title T --strip 1 --delete a",
            "propose --title T --patch f --strip -1",
            "propose --title T --json-patch a",
            "propose --title T --merge-patch =f",
            "revert",
            "revert 0",
            "split 1",
            "split 1 --take a:0",
            "split 1 --take a:x",
            "rebase 1 --take a",
            "rebase 1 --take a=",
            "rebase 1 --take a=mine",
        ] {
            let failed = order_of(line).expect_err(line);
            assert_eq!(failed.exit(), 2, "{line}");
        }
    }

    /// The words of a text that follow `sekali `, as far as they can be a command's.
    fn commands_in(text: &str) -> Vec<Vec<String>> {
        let starts =
            text.match_indices("sekali ").filter(|(at, _)| !text[..*at].ends_with(char::is_alphanumeric));
        let words = |at: usize| {
            let line = text[at..].lines().next().unwrap_or_default();
            let mut words = Vec::new();
            let mut quoted = false;
            for word in line.split_whitespace() {
                let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
                words.push(bare.to_owned());
                quoted ^= word.matches('"').count() % 2 == 1;
                if bare != word && !quoted {
                    break;
                }
            }
            words
        };
        starts.map(|(at, _)| words(at + "sekali ".len())).collect()
    }

    /// Follows the words into the command's definition: every word that looks like a command or a
    /// flag must be one. Gives what is wrong.
    fn wrong_word(command: &clap::Command, words: &[String]) -> Option<String> {
        let (mut at, mut rest) = (command, words);
        while let [word, after @ ..] = rest {
            rest = after;
            if let Some(flag) = word.strip_prefix("--") {
                let found =
                    at.get_arguments().chain(command.get_arguments()).find(|a| a.get_long() == Some(flag));
                let Some(arg) = found else { return Some(format!("{} has no --{flag}", at.get_name())) };
                if arg.get_action().takes_values() {
                    let Some(after) = rest.get(1..) else { return Some(format!("--{flag} lacks its value")) };
                    rest = after;
                }
            } else if let Some(inner) = at.find_subcommand(word) {
                at = inner;
            } else if at.get_positionals().next().is_some() && !word.chars().all(|c| c.is_ascii_lowercase()) {
                // A value, or what stands for one.
            } else {
                // Prose goes on here; but before a command is named it must be one.
                let named = at.get_name() != command.get_name() && !at.has_subcommands();
                return (!named && at.get_name() != "ledger")
                    .then(|| format!("{} has no {word}", at.get_name()));
            }
        }
        let group = at.has_subcommands() && at.get_name() != "ledger" && at.get_name() != command.get_name();
        group.then(|| format!("{} alone is no command", at.get_name()))
    }

    #[test]
    fn every_command_that_a_text_names_can_be_given() {
        let texts = crate::text::say::ALL.iter().chain(crate::text::help::ALL);
        let own = texts.map(|(name, text)| ((*name).to_owned(), [text.en, text.id]));
        let codes = sekali_core::Code::ALL.iter();
        let hints = codes.map(|code| (code.to_string(), [code.hint(Lang::En), code.hint(Lang::Id)]));
        let mut commands = 0;
        for (name, both) in own.chain(hints) {
            for (lang, text) in [Lang::En, Lang::Id].into_iter().zip(both) {
                let known = command(lang);
                for words in commands_in(text) {
                    // What a caller fills in with a command is asked there.
                    let first = words.first().map(String::as_str).unwrap_or_default();
                    // In Indonesian prose the word means "once".
                    if first.starts_with('{') || (lang == Lang::Id && ["saja", "lagi"].contains(&first)) {
                        continue;
                    }
                    assert_eq!(wrong_word(&known, &words), None, "{name}: {words:?}");
                    commands += 1;
                }
            }
        }
        assert!(commands > 60, "the commands were found: {commands}");
        // The check can fail.
        for wrong in
            ["sekali member ad NAME", "Use sekali doc.", "sekali show N --dif", "sekali list --state"]
        {
            let words = commands_in(wrong).remove(0);
            assert!(wrong_word(&command(Lang::En), &words).is_some(), "{wrong}");
        }
    }

    #[test]
    fn language_and_form_are_known_before_parsing() {
        let check = |line: &str, lang: Option<Lang>, json: bool| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let early = early(&args);
            assert_eq!((early.lang, early.json), (lang, json), "{line}");
        };
        check("sekali list --lang id --json", Some(Lang::Id), true);
        check("sekali --lang=en", Some(Lang::En), false);
        check("sekali list -- --json", None, false);
        check("sekali --lang", None, false);
    }
}
