//! What a command is about where no flag says it: which store, under which name, and what the settings
//! file says of both. And the lines that refusals give: each can be given as it stands.

mod common;

use common::Shop;

/// Runs with nothing in the environment that names a store or a person.
fn bare(shop: &Shop, args: &[&str]) -> common::Run {
    shop.run_with(args, |c| {
        c.env_remove("SEKALI_STORE").env_remove("SEKALI_AS");
    })
}

const SETTINGS: &str = ".config/sekali/config.toml";

#[test]
fn the_store_is_found_where_it_is_said() {
    let shop = Shop::empty();
    bare(&shop, &["init"]).ok();
    if cfg!(target_os = "linux") {
        assert!(shop.path(".local/share/sekali/sekali.db").exists());
        assert_eq!(bare(&shop, &["room", "show", "--json"]).ok().json()["you"]["name"], "ani");
        shop.write(SETTINGS, "name = \"Budi\"\nlast_store = \"lain.db\"\n");
        let missing = bare(&shop, &["list"]);
        assert!(missing.exits(1).refused("store.not_found").err.contains("config.toml"), "{}", missing.err);
        bare(&shop, &["init", "--store", "lain.db"]).ok();
        assert_eq!(bare(&shop, &["room", "show", "--json"]).ok().json()["you"]["name"], "Budi");
        shop.write(SETTINGS, "name = ");
        bare(&shop, &["list"]).exits(2).refused("usage");
        bare(&shop, &["--help"]).ok();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_new_store_is_made_at_the_default_place_and_how_to_go_there_is_said() {
    let shop = Shop::empty();
    let made = shop.path(".local/share/sekali/sekali.db");
    let line = format!("export SEKALI_STORE={}", made.display());
    bare(&shop, &["init", "--store", "lain.db"]).ok();
    shop.write(SETTINGS, "last_store = \"lain.db\"\n");

    let first = bare(&shop, &["init"]).ok().out.clone();
    assert!(made.exists() && first.contains("lain.db (the desktop's last"), "{first}");
    assert!(first.lines().any(|said| said.trim() == line), "{first}");
    let next = first.lines().last().expect("the next step");
    assert!(next.ends_with(&format!(" --store {}", made.display())), "{first}");
    let followed = |store: Option<&str>| {
        let shown = shop.run_with(&["room", "show"], |c| {
            c.env_remove("SEKALI_STORE");
            if let Some(store) = store {
                c.env("SEKALI_STORE", store);
            }
        });
        shown.ok().out.lines().find(|line| line.starts_with("Store")).expect("it is said").to_owned()
    };
    assert!(followed(None).contains("lain.db (the desktop's last, last_store in "), "{}", followed(None));
    let by_line = followed(Some(&line["export SEKALI_STORE=".len()..]));
    assert!(by_line.ends_with("sekali.db (SEKALI_STORE)"), "{by_line}");

    // There it is taken now, and the line that is given works.
    let again = bare(&shop, &["init"]);
    let add = format!("sekali room add SLUG --store {}", made.display());
    assert!(again.exits(1).refused("store.exists").err.contains(&add), "{}", again.err);
    bare(&shop, &["room", "add", "gudang", "--store", &made.display().to_string()]).ok();

    // Programs have their answer on one stream and the remark on the other.
    std::fs::create_dir(shop.path("b")).unwrap();
    let json = bare(&shop, &["init", "--store", "b/dua.db", "--json"]);
    assert_eq!(json.ok().json()["slug"], "main");
    assert!(json.err.contains("export SEKALI_STORE=") && json.err.contains("b/dua.db"), "{}", json.err);

    // Where commands go to the new store anyway, nothing is said.
    shop.write(SETTINGS, "");
    std::fs::remove_dir_all(shop.path(".local")).unwrap();
    assert!(!bare(&shop, &["init"]).ok().out.contains("export"));
    assert!(!shop.run(&["init"]).ok().out.contains("export"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_setting_that_nobody_knows_is_named_and_stops_nothing() {
    let shop = Shop::new();
    shop.write(SETTINGS, "name = \"Ani\"\nlang = \"id\"\nwindow = 3\n");
    let run = shop.run(&["list"]);
    let told: Vec<&str> = run.ok().err.lines().collect();
    assert_eq!(told.len(), 2, "{}", run.err);
    assert!(
        told[0].ends_with("config.toml:2: there is no setting \"lang\"; did you mean language?")
            && told[1].ends_with(
                "config.toml:3: there is no setting \"window\"; there are name, language, last_store."
            ),
        "{}",
        run.err
    );
    let run = shop.run(&["list", "--lang", "id"]);
    assert!(run.ok().err.contains("tidak ada pengaturan \"lang\"; maksud Anda language?"), "{}", run.err);
    assert_eq!(shop.run(&["list", "--json"]).ok().err, "", "programs read JSON there");
    shop.write(SETTINGS, "name = \"Ani\"\nlanguage = \"id\"\n");
    assert!(shop.run(&["list"]).ok().err.is_empty());
}

/// The line after the last colon of a hint, without its full stop.
fn line_of(run: &common::Run) -> Vec<String> {
    let (_, line) = run.err.trim_end().rsplit_once(": sekali ").unwrap_or_else(|| panic!("{}", run.err));
    let line = line.trim_end_matches('.');
    let mut words = Vec::new();
    for (n, part) in line.split('\'').enumerate() {
        // What stands in quotes is one word.
        if n % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn who_may_not_is_given_a_line_that_works() {
    let shop = Shop::new();
    shop.run(&["member", "add", "Citra", "--role", "reviewer"]).ok();
    shop.write("isi", "x");
    let propose = ["propose", "--title", "T", "--put", "a=isi"];
    for (name, role) in [("agent:bot", None), ("Ani Budi", Some("member")), ("Citra", Some("member"))] {
        let asked = [&propose[..], &["--as", name]].concat();
        let refused = shop.run(&asked);
        assert!(refused.exits(1).err.contains(name), "{}", refused.err);
        let line = line_of(&refused);
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        assert_eq!((words[0], words[2], words.get(4).copied()), ("member", name, role), "{words:?}");
        shop.run(&words).ok();
        shop.run(&asked).ok();
    }
    // To apply, it is no role that an agent lacks.
    let denied = shop.run(&["apply", "1", "--yes", "--as", "agent:bot"]);
    assert!(denied.refused("actor.denied").err.contains("agent:bot is an agent"), "{}", denied.err);
    // The line is about the same store and room.
    let elsewhere = ["list", "--as", "agent:x", "--store", "toko.db", "--room", "main"];
    let refused = shop.run_with(&elsewhere, |c| {
        c.env_remove("SEKALI_STORE");
    });
    let line = line_of(&refused);
    let tail: Vec<&str> = line.iter().map(String::as_str).collect();
    assert!(
        tail[3] == "--store" && tail[4].ends_with("toko.db") && tail[5..] == ["--room", "main"],
        "{tail:?}"
    );
}

#[test]
fn a_mistyped_digest_is_said_to_be_one() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    let digest = shop.run(&["show", "1", "--json"]).ok().json()["digest"].as_str().unwrap().to_owned();
    let last = if digest.ends_with('0') { '1' } else { '0' };
    let mistyped = format!("{}{last}", &digest[..digest.len() - 1]);
    let short = &digest[.."sha256:".len() + 12];
    let check = |args: &[&str], code: &str| {
        for (lang, says) in [("en", "digest does not match"), ("id", "Sidik isinya tidak cocok")] {
            let run = shop.run(&[args, &["--digest", &mistyped, "--lang", lang]].concat());
            run.exits(1).refused(code);
            assert!(run.err.contains(says) && run.err.contains(short), "{}", run.err);
            assert_eq!(line_of(&run), ["show", "1", "--diff"], "{}", run.err);
        }
    };
    check(&["apply", "1"], "proposal.changed");
    check(&["reject", "1", "--reason", "R"], "proposal.changed");
    check(&["revise", "1", "--put", "a=scratch"], "proposal.changed");
    shop.run(&["apply", "1", "--digest", &digest]).ok();
    check(&["apply", "1"], "proposal.applied_other");
}

#[test]
fn times_are_told_in_local_time_and_programs_read_utc() {
    let shop = Shop::new();
    shop.write("isi", "x");
    let over = ["propose", "--title", "T", "--put", "a=isi", "--valid-until", "2020-01-01T00:00:00Z"];
    let utc = |text: &str| text.split_whitespace().any(|word| word.contains('T') && word.contains('Z'));
    for lang in ["en", "id"] {
        let run = shop.run(&[&over[..], &["--lang", lang]].concat());
        assert!(run.exits(1).err.contains(" WIB") && !utc(&run.err), "{}", run.err);
    }
    let read = shop.run(&[&over[..], &["--json"]].concat()).problem();
    assert!(utc(read["detail"].as_str().unwrap()), "{read}");
}

#[test]
fn usage_points_to_the_commands_own_help() {
    let shop = Shop::new();
    for (args, help) in [
        (&["doc", "cat"][..], "sekali doc cat --help"),
        (&["ledger", "export"], "sekali ledger export --help"),
        (&["member", "add"], "sekali member add --help"),
        (&["doc", "list", "--limit", "0"], "sekali doc list --help"),
        (&["--store", "list", "apply"], "sekali apply --help"),
    ] {
        let run = shop.run(args);
        assert!(run.exits(2).err.contains(help), "{args:?}\n{}", run.err);
    }
}

#[test]
fn the_store_is_said_as_an_absolute_path_and_an_agent_as_it_is_written() {
    let shop = Shop::new();
    let shown = shop.run(&["room", "show", "--as", "agent:x"]).ok().out.clone();
    assert!(shown.contains("agent:x, not a member"), "{shown}");
    shop.run(&["member", "add", "agent:x"]).ok();
    let shown = shop.run(&["room", "show", "--as", "agent:x"]).ok().out.clone();
    let line = |name: &str| shown.lines().find(|line| line.starts_with(name)).expect(name).to_owned();
    assert!(line("You").contains("agent:x, agent"), "{shown}");
    let path = line("Store").trim_start_matches("Store").trim().to_owned();
    assert!(std::path::Path::new(path.trim_end_matches(" (SEKALI_STORE)")).is_absolute(), "{path}");
}

#[test]
fn the_export_says_how_it_is_verified() {
    let shop = Shop::new();
    let shown = shop.run(&["ledger", "export", "--out", "audit"]).ok().out.clone();
    let last = shown.lines().last().expect("it says something");
    let dir = shop.path("audit");
    let verify = format!("python3 tests/second/verify.py {}", dir.display());
    assert!(last.contains("docs/format.md") && last.contains(&verify), "{shown}");
    let tables = shop.run(&["ledger", "export", "--out", "tabel", "--format", "csv"]).ok().out.clone();
    assert!(!tables.contains("verify.py"), "a table alone cannot be verified: {tables}");
}

#[test]
fn a_path_that_is_put_twice_is_said() {
    let shop = Shop::new();
    shop.write("a", "satu");
    shop.write("b", "dua");
    let twice = ["propose", "--title", "T", "--put", "harga=a", "--put", "harga=b"];
    let run = shop.run(&twice);
    assert!(run.ok().err.starts_with("warning: harga is put more than once"), "{}", run.err);
    let json = shop.run(&[&twice[..], &["--json"]].concat());
    assert_eq!(json.ok().err, "");
    let once = shop.run(&["propose", "--title", "T", "--put", "harga=a", "--put", "lain=b"]);
    assert_eq!(once.ok().err, "");
}

#[test]
fn a_proposal_file_that_is_no_json_is_named() {
    let shop = Shop::new();
    shop.write("usulan/p.json", "{\"title\": ");
    for lang in ["en", "id"] {
        let run = shop.run(&["propose", "--file", "usulan/p.json", "--lang", lang]);
        assert!(run.exits(1).refused("body.invalid_json").err.contains("usulan/p.json: "), "{}", run.err);
    }
}

#[test]
fn one_press_more_is_said_as_one() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    for said in ["once more", "2 times more"] {
        shop.run(&["apply", "1", "--yes"]).ok();
        if said == "once more" {
            shop.run(&["apply", "1", "--yes"]).ok();
        }
        let shown = shop.run(&["show", "1"]).ok().out.clone();
        assert!(shown.contains(&format!("pressed {said}; nothing changed")), "{shown}");
    }
}

/// The lines of both READMEs, given to a shell as they stand where the demo was opened last.
#[test]
#[cfg(target_os = "linux")]
fn the_lines_of_the_readme_go_to_a_store_of_their_own() {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_sekali")).parent().unwrap();
    let path = format!("{}:/usr/bin:/bin", binary.display());
    for readme in ["README.md", "README.id.md"] {
        let shop = Shop::empty();
        bare(&shop, &["demo", "--store", "demo.db"]).ok();
        shop.write(SETTINGS, format!("last_store = {:?}\n", shop.path("demo.db")));
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
        let text = std::fs::read_to_string(format!("{root}{readme}")).unwrap();
        let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
        // The later ones go on in the same store.
        let blocks: Vec<&str> = blocks.skip_while(|block| !block.contains("sekali init")).collect();
        assert_eq!(blocks.len(), 2, "{readme}: the first steps, then patches");
        let block = blocks.concat();
        // One of its proposals runs out meanwhile, or has.
        let demo = || {
            let counts =
                bare(&shop, &["room", "show", "--store", "demo.db", "--json"]).ok().json()["counts"].clone();
            let of = |name: &str| counts[name].as_u64().unwrap();
            (of("applied"), of("rejected"), of("withdrawn"), of("waiting") + of("expired"))
        };
        let before = demo();
        let output = std::process::Command::new("sh")
            .args(["-c", &block])
            .current_dir(shop.root())
            .env_clear()
            .envs([("HOME", shop.root().as_os_str()), ("PATH", path.as_ref()), ("USER", "ani".as_ref())])
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{readme}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(demo(), before, "{readme}: the demo is left alone");
        let own = bare(&shop, &["room", "show", "--store", "toko.db", "--json"]).ok().json();
        assert_eq!(
            (&own["counts"]["applied"], &own["counts"]["waiting"]),
            (&3.into(), &2.into()),
            "{readme}"
        );
        let cat = |path: &str| bare(&shop, &["doc", "cat", path, "--store", "toko.db"]).ok().out.clone();
        assert_eq!(cat("harga.json"), "{\"kopi\": 21000}\n", "{readme}: what was decided was applied");
        let menu = bare(&shop, &["show", "4", "--store", "toko.db", "--json"]).ok().json();
        assert_eq!(menu["links"]["split_from"], 3, "{readme}");
        let back = bare(&shop, &["show", "5", "--store", "toko.db", "--json"]).ok().json();
        assert_eq!(
            (&back["links"]["reverts"], back["state"].as_str()),
            (&3.into(), Some("waiting")),
            "{readme}"
        );
    }
}
