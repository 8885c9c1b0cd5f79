//! With `--lang id` no English sentence is left, whatever goes wrong; programs read English always.

mod common;

use common::Shop;

/// A shop in which everything that can be refused has happened.
fn shop() -> Shop {
    let shop = Shop::new();
    shop.run(&["member", "add", "Citra", "--role", "reviewer"]).ok();
    shop.run(&["member", "add", "agent:penulis"]).ok();
    shop.propose("Satu", "a", "1\n");
    shop.run(&["apply", "1", "--yes"]).ok();
    shop.write("isi", "2\n");
    shop.run(&["propose", "--title", "Dua", "--put", "a=isi", "--effect-key", "sekali/saja"]).ok();
    shop.run(&["propose", "--title", "Tiga", "--delete", "a", "--effect-key", "sekali/saja"]).ok();
    shop.run(&["propose", "--title", "Empat", "--delete", "a"]).ok();
    shop.run(&["apply", "2", "--yes"]).ok();
    shop.propose("Lima", "b", "5\n");
    shop.run(&["reject", "5", "--reason", "Belum perlu."]).ok();
    shop.propose("Enam", "b", "6\n");
    shop.run(&["withdraw", "6"]).ok();
    shop.run(&["propose", "--title", "Tujuh", "--put", "c=isi", "--key", "kunci"]).ok();
    shop.write("penuh/x", "x");
    shop.write("bukan.db", "catatan belanja\n".repeat(100));
    shop.write("rusak.json", "{");
    shop.write("lain.diff", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-9\n+8\n");
    shop.write("tiada.diff", "--- a/tiada\n+++ b/tiada\n@@ -1 +1 @@\n-9\n+8\n");
    shop.write("larik.json", r#"[{"op":"remove","path":"/x"}]"#);
    shop
}

/// What no document here has ever held.
const NEVER: &str = "a=sha256:0000000000000000000000000000000000000000000000000000000000000001";
const OTHER: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
const ID: &str = "0192f5a1-0000-7000-8000-000000000001";
const TITLE: &str = "--title";
/// Longer than any name may be.
const LONG: &str = "terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-";

/// What goes wrong, and the code it has.
const ORDERS: &[(&str, &[&str])] = &[
    ("proposal.not_found", &["show", "99"]),
    ("proposal.not_found", &["show", ID]),
    ("proposal.changed", &["apply", "7", "--digest", OTHER]),
    ("proposal.stale", &["apply", "4", "--yes"]),
    ("proposal.stale", &["propose", TITLE, "T", "--put", "a=isi", "--base", NEVER]),
    ("patch.invalid", &["propose", TITLE, "T", "--patch", "isi"]),
    ("patch.mismatch", &["propose", TITLE, "T", "--patch", "lain.diff"]),
    ("document.not_found", &["propose", TITLE, "T", "--patch", "tiada.diff"]),
    ("patch.invalid", &["propose", TITLE, "T", "--merge-patch", "a=rusak.json"]),
    ("patch.mismatch", &["propose", TITLE, "T", "--json-patch", "a=larik.json"]),
    ("proposal.conflict", &["rebase", "4"]),
    ("proposal.invalid", &["rebase", "4", "--take", "z=now"]),
    ("proposal.not_applied", &["revert", "4"]),
    ("proposal.invalid", &["split", "4", "--take", "a"]),
    ("proposal.invalid", &["split", "4", "--take", "z"]),
    ("proposal.rejected", &["apply", "5", "--yes"]),
    ("proposal.withdrawn", &["apply", "6", "--yes"]),
    ("proposal.applied_other", &["apply", "1", "--digest", OTHER]),
    ("proposal.already_applied", &["reject", "1", "--reason", "terlambat"]),
    ("proposal.not_rejected", &["reopen", "1"]),
    ("proposal.no_change", &["propose", TITLE, "T", "--put", "a=isi"]),
    ("proposal.invalid", &["propose", TITLE, " ", "--put", "a=isi"]),
    ("proposal.invalid", &["reject", "7", "--reason", " "]),
    ("effect.already_done", &["apply", "3", "--yes"]),
    ("key.reused", &["propose", TITLE, "Lain", "--put", "c=isi", "--key", "kunci"]),
    ("actor.unknown", &["list", "--as", "Siapa"]),
    ("actor.denied", &["apply", "7", "--yes", "--as", "Citra"]),
    ("actor.denied", &["apply", "7", "--yes", "--as", "agent:penulis"]),
    ("actor.denied", &["room", "add", "lain", "--as", "agent:penulis"]),
    ("actor.denied", &["ledger", "export", "--out", "x", "--as", "Citra"]),
    ("room.not_found", &["list", "--room", "tidak-ada"]),
    ("room.exists", &["room", "add", "main"]),
    ("room.invalid", &["room", "add", "Toko"]),
    ("member.exists", &["member", "add", "Citra", "--role", "member"]),
    ("member.not_found", &["member", "set", "Siapa Jr.", "--role", "member"]),
    ("member.invalid", &["member", "add", "Budi"]),
    ("member.invalid", &["member", "add", "agent:x", "--role", "member"]),
    ("member.invalid", &["member", "add", "", "--role", "member"]),
    ("member.invalid", &["list", "--as", ""]),
    ("member.invalid", &["list", "--as", "\u{200b}"]),
    ("member.last_maintainer", &["member", "set", "Ani", "--role", "none"]),
    ("document.not_found", &["doc", "cat", "tidak-ada"]),
    ("document.not_found", &["propose", TITLE, "T", "--delete", "tidak-ada"]),
    ("document.exists", &["propose", TITLE, "T", "--put", "z=isi", "--rename", "z=a"]),
    ("path.invalid", &["doc", "cat", "../a"]),
    ("path.invalid", &["propose", TITLE, "T", "--put", "x=toko.db"]),
    ("path.collision", &["propose", TITLE, "T", "--put", "A/b=isi"]),
    ("path.collision", &["propose", TITLE, "T", "--put", "z=isi", "--rename", "z=A"]),
    ("body.invalid_json", &["propose", "--file", "rusak.json"]),
    ("body.invalid", &["propose", "--file", "tidak-ada.json"]),
    ("body.invalid", &["propose", TITLE, "T", "--put", "x=penuh"]),
    ("body.invalid", &["propose", TITLE, "T", "--put-dir", "tidak-ada"]),
    (
        "limit.exceeded",
        &["room", "add", "terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu-panjang-terlalu"],
    ),
    ("folder.occupied", &["doc", "export", "penuh"]),
    ("folder.occupied", &["doc", "export", "isi"]),
    ("folder.occupied", &["ledger", "export", "--out", "penuh"]),
    ("folder.occupied", &["ledger", "export", "--out", "isi"]),
    ("folder.occupied", &["doc", "export", "isi/x"]),
    ("store.io", &["doc", "export", LONG]),
    ("store.not_found", &["list", "--store", "tidak-ada.db"]),
    ("store.exists", &["init"]),
    ("store.foreign", &["list", "--store", "bukan.db"]),
    ("usage", &["aply", "1"]),
    ("usage", &["frobnicate"]),
    ("usage", &["help", "frobnicate"]),
    ("usage", &["member"]),
    ("usage", &["show"]),
    ("usage", &["show", "x"]),
    ("usage", &["show", "1", "2"]),
    ("usage", &["show", "1", "--dif"]),
    ("usage", &["apply", "x"]),
    ("usage", &["apply", "7"]),
    ("usage", &["apply", "7", "--digest", "x"]),
    ("usage", &["apply", "7", "--yes", "--digest", OTHER]),
    ("usage", &["list", "--state", "besok"]),
    ("usage", &["list", "--limit", "201"]),
    ("usage", &["list", "--limit"]),
    ("usage", &["list", "--limit", "1", "--limit", "2"]),
    ("usage", &["list", "--cursor", "x"]),
    ("usage", &["list", "--cursor", "x", "--all"]),
    ("usage", &["member", "set", "Citra", "--role", "raja"]),
    ("usage", &["member", "add", "Budi", "--role", "raja"]),
    ("usage", &["wait", "7", "--timeout", "-1"]),
    ("usage", &["doc", "cat", "a", "--version", "1"]),
    ("usage", &["ledger", "export"]),
    ("usage", &["ledger", "export", "--out", "x", "--format", "xml"]),
    ("usage", &["ledger", "--limit", "0"]),
    ("usage", &["propose", TITLE, "T"]),
    ("usage", &["propose", TITLE, "T", "--put", "a"]),
    ("usage", &["propose", TITLE, "T", "--rename", "a"]),
    ("usage", &["propose", TITLE, "T", "--delete", "a", "--base", "a"]),
    ("usage", &["propose", TITLE, "T", "--delete", "a", "--base", "b=absent"]),
    ("usage", &["propose", TITLE, "T", "--put", "a=-", "--put", "b=-"]),
    ("usage", &["propose", TITLE, "T", "--delete", "a", "--valid-until", "besok"]),
    ("usage", &["revise", "7", "--put", "a=isi", "--valid-until", "besok"]),
    ("usage", &["init", "--store", "x.db", "--as", "agent:penulis"]),
    ("usage", &["completions", "tcsh"]),
];

#[test]
fn no_english_is_left_in_what_goes_wrong() {
    let shop = shop();
    let stored = shop.run(&["room", "show", "--json"]).ok().json();
    for (code, order) in ORDERS {
        let with = |more: &[&str]| shop.run(&[order, more].concat());
        let told = with(&["--lang", "id"]);
        assert!(told.exit != 0, "{order:?}");
        told.refused(code).said_in_indonesian();
        let english = with(&["--json", "--lang", "en"]).problem();
        assert_eq!(english["code"], *code, "{order:?}");
        let detail = english["detail"].as_str().unwrap();
        assert!(detail.ends_with(['.', '?']) && !detail.ends_with(".."), "{order:?}: {detail}");
        assert_eq!(with(&["--json", "--lang", "id"]).problem()["detail"], english["detail"], "{order:?}");
    }
    let now = shop.run(&["room", "show", "--json"]).ok().json();
    assert_eq!(now["counts"], stored["counts"], "nothing was stored");
}

#[test]
fn surroundings_that_are_wrong_are_said_in_indonesian() {
    let shop = shop();
    let check = |env: &[(&str, &str)]| {
        let run = shop.run_with(&["list"], |command| {
            command.env("SEKALI_LANG", "id").env_remove("SEKALI_STORE").envs(env.iter().copied());
        });
        run.exits(2).refused("usage");
        run
    };
    shop.write(".config/sekali/config.toml", "language = \"fr\"\n");
    check(&[]).said_in_indonesian();
    shop.write(".config/sekali/config.toml", b"\xff");
    check(&[]).said_in_indonesian();
    // The language itself is wrong: it is said in the one that is left.
    assert!(check(&[("SEKALI_LANG", "fr"), ("LANG", "id_ID.UTF-8")]).err.contains("SEKALI_LANG"));
    shop.run(&["room", "add", "gudang"]).ok();
    shop.run(&["list", "--lang", "id"]).exits(2).refused("room.ambiguous").said_in_indonesian();
}

#[test]
fn a_hint_speaks_of_what_was_asked() {
    let shop = shop();
    let hint = |args: &[&str]| shop.run(args).err.lines().last().unwrap_or_default().to_owned();
    assert!(hint(&["list", "--as", ""]).contains("--as NAME"), "{}", hint(&["list", "--as", ""]));
    assert!(hint(&["member", "add", "\u{a0}"]).contains("one line"));
    assert!(hint(&["doc", "export", "penuh"]).contains("--force"));
    assert!(hint(&["ledger", "export", "--out", "penuh"]).contains("new or empty"));
}

/// Every warning that `doctor` gives is in Indonesian with `--lang id`; for programs it stays English.
#[test]
fn doctor_warns_in_indonesian() {
    let check = |code: &str, prepare: &dyn Fn(&Shop)| {
        let shop = Shop::new();
        prepare(&shop);
        let run = |args: &[&str]| shop.run(args);
        let found = run(&["doctor", "--json", "--lang", "id"]).ok().json();
        let [warning] = &found["warnings"].as_array().unwrap()[..] else { panic!("{code}: {found}") };
        assert_eq!(warning["code"], code);
        let detail = warning["detail"].as_str().unwrap();
        let end = format!("({code})");
        let line = |lang: &str| {
            let told = run(&["doctor", "--lang", lang]);
            told.ok()
                .out
                .lines()
                .find(|line| line.ends_with(&end))
                .unwrap_or_else(|| panic!("{told:?}"))
                .to_owned()
        };
        assert!(line("en").contains(detail), "{}", line("en"));
        let told = line("id");
        assert!(told.contains("peringatan") && !told.contains(detail) && !told.contains(" the "), "{told}");
    };
    let ours = "the folder is ours";
    check("signing_key", &|shop| std::fs::remove_file(shop.path("toko.db.key")).expect(ours));
    check("lock", &|shop| {
        std::fs::remove_file(shop.path("toko.db.lock")).expect(ours);
        std::fs::create_dir(shop.path("toko.db.lock")).expect(ours);
    });
    check("hard_linked", &|shop| {
        std::fs::hard_link(shop.path("toko.db"), shop.path("other.db")).expect(ours);
    });
    check("sync_folder", &|shop| std::fs::create_dir(shop.path(".stfolder")).expect(ours));
}

#[test]
fn init_warns_in_indonesian() {
    let shop = Shop::empty();
    std::fs::create_dir(shop.path("Dropbox")).expect("the folder is ours");
    let init =
        |store: &str, lang: &str| shop.run(&["init", "--store", store, "--lang", lang]).ok().err.clone();
    let told = init("Dropbox/en.db", "en");
    assert!(told.contains("Dropbox copies"), "{told}");
    let told = init("Dropbox/id.db", "id");
    assert!(told.contains("peringatan: Berkas ruang berada di folder"), "{told}");
    assert!(!told.contains("copies"), "{told}");
}

/// The desktop and the command line say the same of the same code.
#[test]
fn both_faces_say_the_same_of_a_code() {
    let messages: serde_json::Value =
        serde_json::from_str(include_str!("../../../ui/messages/id.json")).expect("the desktop's texts");
    for code in sekali_core::Code::ALL {
        let key = match code {
            // The desktop names the other proposal where it knows it.
            sekali_core::Code::EffectAlreadyDone => "r_effect_already_done_some".to_owned(),
            // There only Apply is pressed again; here anything may have been asked.
            sekali_core::Code::StoreOutcomeUnknown => continue,
            code => format!("r_{}", code.as_str().replace('.', "_")),
        };
        assert_eq!(messages[&key], code.happened(), "{key}");
    }
}

/// Words for one thing that stood beside another; `left` is the one that stayed.
#[test]
fn one_thing_has_one_word() {
    let root = sekali_tests::repository();
    let read =
        |file: &str| std::fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let texts = ["README.id.md", "ui/messages/id.json", "crates/cli/tests/snapshots/help__help_id.snap"];
    let tables = ["crates/cli/src/text/say.rs", "crates/core/src/code.rs"];
    for file in texts.iter().chain(&tables) {
        let text = read(file).to_lowercase();
        for (word, left) in [
            ("kunci segel", "kunci tanda tangan"),
            ("penanda tangan", "kunci tanda tangan"),
            ("hanyalah label", "sebutan"),
            ("pengulangan", "ulangan"),
            ("salah penulisan", "cara pakai salah"),
            ("kesalahan kami", "cacat pada Sekali"),
        ] {
            assert!(!text.contains(word), "{file} says {word:?}, which is called {left:?} elsewhere");
        }
    }
    // The exit statuses are told in the same words.
    let flat = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let status = |text: &str, from: &str| {
        let text = flat(text.to_owned());
        let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{from}"));
        rest.split_once(". ").map_or(rest, |(first, _)| first).trim_end_matches('.').to_owned()
    };
    for (readme, help, from) in [
        ("README.md", "crates/cli/tests/snapshots/help__help_en.snap", "Exit status: 0"),
        ("README.id.md", "crates/cli/tests/snapshots/help__help_id.snap", "Status keluar: 0"),
    ] {
        let (told, helped) = (status(&read(readme), from), status(&read(help), from));
        assert!(helped.starts_with(&told), "{readme}: {told:?}\n{helped:?}");
    }
}

#[test]
#[cfg(unix)]
fn facts_are_not_lost_in_indonesian() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = Shop::new();
    let key = shop.path("toko.db.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let open = shop.run(&["doctor", "--lang", "id"]).ok().out.clone();
    assert!(open.contains("toko.db.key dapat dibaca orang lain (mode 644)"), "{open}");
    std::fs::remove_file(&key).unwrap();
    let gone = shop.run(&["doctor", "--lang", "id"]).ok().out.clone();
    assert!(gone.contains("toko.db.key tidak dapat dibaca;"), "{gone}");

    std::fs::create_dir(shop.path("folder.db")).unwrap();
    let folder = shop.run(&["list", "--store", "folder.db", "--lang", "id"]);
    assert!(folder.exits(4).err.contains("folder.db adalah folder, bukan berkas ruang"), "{}", folder.err);

    let digest = shop.run(&["apply", "1", "--digest", "x", "--lang", "id"]);
    assert!(digest.exits(2).err.contains("64 angka heksadesimal huruf kecil"), "{}", digest.err);
}
