//! The main job on the command line, as people and programs do it.

mod common;

use std::process::Stdio;

use common::{Shop, settings};
use sekali_api::cursor;

#[test]
fn a_proposal_runs_once() {
    let shop = Shop::new();
    shop.write("harga.json", "{\"kopi\": 15000}\n");
    settings(&shop).bind(|| {
        let proposed = shop.run(&["propose", "--title", "Harga awal", "--put", "harga.json=harga.json"]);
        insta::assert_snapshot!("propose", proposed.ok().out);
        insta::assert_snapshot!("list", shop.run(&["list"]).ok().out);
        insta::assert_snapshot!("show_diff", shop.run(&["show", "1", "--diff"]).ok().out);
        insta::assert_snapshot!("show_diff_id", shop.run(&["show", "1", "--diff", "--lang", "id"]).ok().out);
        insta::assert_snapshot!("apply", shop.run(&["apply", "1", "--yes"]).ok().out);
        insta::assert_snapshot!("apply_again", shop.run(&["apply", "1", "--yes"]).ok().out);
        insta::assert_snapshot!(
            "apply_again_id",
            shop.run(&["apply", "1", "--yes", "--lang", "id"]).ok().out
        );
        insta::assert_snapshot!("show_applied", shop.run(&["show", "1"]).ok().out);
        insta::assert_snapshot!("ledger", shop.run(&["ledger"]).ok().out);
        insta::assert_snapshot!("duplicates", shop.run(&["duplicates"]).ok().out);
        insta::assert_snapshot!("duplicates_id", shop.run(&["duplicates", "--lang", "id"]).ok().out);
        insta::assert_snapshot!("doc_list", shop.run(&["doc", "list"]).ok().out);
        insta::assert_snapshot!("doc_log", shop.run(&["doc", "log", "harga.json"]).ok().out);
        insta::assert_snapshot!("room_show", shop.run(&["room", "show"]).ok().out);
        insta::assert_snapshot!("member_list_id", shop.run(&["member", "list", "--lang", "id"]).ok().out);
    });
    assert_eq!(shop.run(&["doc", "cat", "harga.json"]).ok().out, "{\"kopi\": 15000}\n");
}

#[test]
fn programs_get_the_shapes_of_the_api() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x\n");
    let item = shop.run(&["list", "--json"]).ok().json()["items"][0].clone();
    assert_eq!((&item["proposal"], &item["state"]), (&1.into(), &"waiting".into()));
    assert_eq!(item["author"]["name"], "Ani");
    let digest = item["digest"].as_str().unwrap();
    let shown = shop.run(&["show", "1", "--diff", "--json"]).ok().json();
    assert_eq!(shown["checks"].as_array().map(Vec::len), Some(5));
    assert_eq!(shown["diff"]["changes"][0]["hunks"][0]["lines"][0]["text"], "x");
    let first = shop.run(&["apply", "1", "--digest", digest, "--json"]).ok().json();
    assert_eq!(
        (&first["outcome"], &first["attempts"], &first["seq"]),
        (&"applied".into(), &1.into(), &1.into())
    );
    let again = shop.run(&["apply", "1", "--digest", digest, "--json"]).ok().json();
    assert_eq!(
        (&again["outcome"], &again["attempts"], &again["seq"]),
        (&"replayed".into(), &2.into(), &1.into())
    );
    let entries = shop.run(&["ledger", "--json"]).ok().out.clone();
    assert_eq!(entries.lines().count(), 1);
    assert!(entries.starts_with("{\"actor\":") && entries.ends_with("\"v\":1}\n"), "{entries}");
    let repeats = shop.run(&["duplicates", "--json"]).ok().json();
    assert_eq!((&repeats["items"][0]["layer"], &repeats["items"][0]["count"]), (&"apply".into(), &1.into()));
    let documents = shop.run(&["doc", "list", "--json"]).ok().json();
    assert_eq!((&documents["items"][0]["path"], &documents["next"]), (&"a".into(), &serde_json::Value::Null));
}

#[test]
fn a_refusal_is_a_problem_on_standard_error() {
    let shop = Shop::new();
    let number = shop.propose("Satu", "a", "x").to_string();
    settings(&shop).bind(|| {
        let missing = shop.run(&["show", "9"]);
        insta::assert_snapshot!("refused", missing.exits(1).err);
        insta::assert_snapshot!("refused_id", shop.run(&["show", "9", "--lang", "id"]).exits(1).err);
        insta::assert_snapshot!("refused_json", shop.run(&["show", "9", "--json"]).exits(1).err);
        insta::assert_snapshot!("usage", shop.run(&["applly", "9"]).exits(2).err);
        insta::assert_snapshot!("usage_id", shop.run(&["apply", "x", "--lang", "id"]).exits(2).err);
        insta::assert_snapshot!(
            "usage_json",
            shop.run(&["apply", "1", "--json", "--lang", "id"]).exits(2).err
        );
    });
    let problem = shop.run(&["--json", "show", "9"]).exits(1).problem();
    assert_eq!(
        (&problem["code"], &problem["status"], &problem["proposal"]),
        (&"proposal.not_found".into(), &404.into(), &9.into())
    );
    shop.run(&["apply", &number]).exits(2).refused("usage");
    assert_eq!(
        shop.run(&["--as", "agent:x", "apply", "1", "--yes"]).exits(1).refused("actor.unknown").out,
        ""
    );
}

#[test]
fn an_agent_proposes_and_never_applies() {
    let shop = Shop::new();
    shop.run(&["member", "add", "agent:penulis"]).ok();
    shop.write("a", "x");
    shop.run(&["--as", "agent:penulis", "propose", "--title", "T", "--put", "a=a"]).ok();
    shop.run(&["--as", "agent:penulis", "apply", "1", "--yes"]).exits(1).refused("actor.denied");
    shop.run(&["--as", "agent:penulis", "withdraw", "1", "--json"]).ok();
    assert_eq!(shop.run(&["list", "--json"]).json()["items"][0]["state"], "withdrawn");
}

#[test]
fn decisions_and_waiting_have_their_exits() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    shop.run(&["wait", "1", "--timeout", "0"]).exits(3);
    shop.run(&["reject", "1", "--reason", "Belum."]).ok();
    shop.run(&["wait", "1"]).exits(1);
    shop.run(&["apply", "1", "--yes"]).exits(1).refused("proposal.rejected");
    shop.run(&["reopen", "1"]).ok();
    shop.run(&["reopen", "1"]).exits(1).refused("proposal.not_rejected");
    let waiting =
        shop.command(&["wait", "1", "--timeout", "60", "--json"]).stdout(Stdio::piped()).spawn().unwrap();
    shop.run(&["apply", "1", "--yes"]).ok();
    assert!(waiting.wait_with_output().unwrap().status.success());
    shop.run(&["withdraw", "1"]).exits(1).refused("proposal.already_applied");
    shop.run(&["wait", "9"]).exits(1).refused("proposal.not_found");
}

#[test]
fn what_expires_while_somebody_waits_is_noticed() {
    let shop = Shop::new();
    shop.write("a", "x");
    // Two seconds are longer than it takes to submit, and no more than a test may take.
    let soon = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    let seconds = soon.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let until = rfc3339(seconds + 1);
    shop.run(&["propose", "--title", "T", "--put", "a=a", "--valid-until", &until]).ok();
    shop.run(&["wait", "1", "--timeout", "30"]).exits(1);
    shop.run(&["apply", "1", "--yes"]).exits(1).refused("proposal.expired");
}

fn rfc3339(seconds: u64) -> String {
    sekali_core::Timestamp::from_ms(i64::try_from(seconds * 1_000).expect("a time of this era")).to_string()
}

#[test]
fn changes_are_taken_in_the_order_in_which_they_are_written() {
    let shop = Shop::new();
    shop.write("satu", "1\n");
    shop.run(&["propose", "--title", "T", "--put", "a=satu", "--rename", "a=b", "--put", "a=-"]).exits(0);
    let fed =
        shop.run_fed(&["propose", "--title", "U", "--put", "c=-", "--rename", "c=d"], b"dari masukan\n");
    fed.ok();
    shop.run(&["apply", "2", "--yes"]).ok();
    assert_eq!(shop.run(&["doc", "cat", "d"]).ok().out, "dari masukan\n");
    shop.run(&["propose", "--title", "V", "--rename", "a=b", "--put", "a=satu"])
        .exits(1)
        .refused("document.not_found");
}

#[test]
fn a_folder_is_proposed_whole_and_exported_again() {
    let shop = Shop::new();
    shop.write("situs/b.md", "b\r\n");
    shop.write("situs/a/kosong", "");
    shop.write("situs/a/run.sh", "#!/bin/sh\n");
    shop.write("situs/.git/config", "[core]\n");
    shop.write("situs/.env", "A=1\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(shop.path("situs/a/run.sh"), std::fs::Permissions::from_mode(0o755))
            .unwrap();
    }
    let run = shop.run(&["propose", "--title", "Situs", "--put-dir", "situs"]);
    assert!(run.ok().err.contains("skipped: .git (belongs to Git)"), "{}", run.err);
    shop.run(&["apply", "1", "--yes"]).ok();
    let listed = shop.run(&["doc", "list", "--json"]).json();
    let paths: Vec<&str> =
        listed["items"].as_array().unwrap().iter().map(|d| d["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [".env", "a/kosong", "a/run.sh", "b.md"]);
    shop.run(&["doc", "export", "keluar"]).ok();
    for file in [".env", "a/kosong", "a/run.sh", "b.md"] {
        let before = std::fs::read(shop.path("situs").join(file)).unwrap();
        assert_eq!(std::fs::read(shop.path("keluar").join(file)).unwrap(), before, "{file}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |file: &str| {
            std::fs::metadata(shop.path("keluar").join(file)).unwrap().permissions().mode() & 0o111
        };
        assert_ne!(mode("a/run.sh"), 0);
        assert_eq!(mode("b.md"), 0);
    }
    shop.run(&["doc", "export", "keluar"]).exits(1).refused("folder.occupied");
    shop.run(&["doc", "export", "keluar", "--force"]).ok();
    // What is in the way is found before anything is written.
    shop.write("lain/b.md/c", "di sini folder");
    shop.run(&["doc", "export", "lain", "--force"]).exits(1).refused("folder.occupied");
    let left: Vec<_> =
        std::fs::read_dir(shop.path("lain")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["b.md"]);
    // Nothing is left to propose.
    shop.run(&["propose", "--title", "Lagi", "--put-dir", "situs"]).exits(1).refused("proposal.no_change");
}

#[test]
fn what_to_do_next_names_the_proposal_and_the_document() {
    let shop = Shop::new();
    shop.propose("One", "a b", "1\n");
    shop.run(&["apply", "1", "--yes"]).ok();
    for n in 2..=4 {
        shop.propose("More", "a b", &format!("{n}\n"));
    }
    shop.run(&["apply", "2", "--yes"]).ok();
    let next = |args: &[&str], words: &str| {
        let run = shop.run(args);
        assert!(run.err.contains(words) || run.out.contains(words), "{args:?}: {}{}", run.out, run.err);
    };
    next(&["apply", "3", "--yes"], "sekali rebase 3");
    next(&["show", "3"], "sekali rebase 3\n");
    next(&["rebase", "3"], "sekali rebase 3 --take 'a b'=SIDE;");
    shop.write("p", "--- a/a b\n+++ b/a b\n@@ -1 +1 @@\n-7\n+8\n");
    next(&["propose", "--title", "T", "--patch", "p"], "sekali doc cat 'a b'.");
    shop.run(&["rebase", "3", "--take", "a b=after"]).ok();
    shop.run(&["apply", "3", "--yes"]).ok();
    shop.run(&["rebase", "4", "--take", "a b=after"]).ok();
    shop.run(&["apply", "4", "--yes"]).ok();
    next(&["revert", "2"], "sekali revert 4 3 2;");
    let problem = shop.run(&["revert", "2", "--json"]).exits(1).problem();
    assert_eq!(problem["later"], serde_json::json!([4, 3]));
    // A choice is counted and named.
    shop.propose("Five", "a b", "5\n");
    shop.propose("Six", "a b", "6\n");
    shop.run(&["apply", "5", "--yes"]).ok();
    next(&["rebase", "6", "--take", "a b=now,now"], "a side for each place: 1, not 2.");
    next(&["rebase", "6", "--take", "a b=now"], "withdraw it instead");
    let twice = ["rebase", "6", "--take", "a b=now", "--take", "A b=after"];
    assert_eq!(shop.run(&twice).exits(1).refused("proposal.invalid").exit, 1);
}

#[test]
fn what_is_decided_is_said_again_beside_what_is_asked_next() {
    let shop = Shop::new();
    for name in ["a", "b"] {
        shop.write(name, "1\n");
    }
    shop.run(&["propose", "--title", "One", "--put", "a=a", "--put", "b=b"]).ok();
    shop.run(&["apply", "1", "--yes"]).ok();
    for n in ["2", "3"] {
        shop.write("new", format!("{n}\n"));
        shop.run(&["propose", "--title", n, "--put", "a=new", "--put", "b=new"]).ok();
    }
    shop.run(&["apply", "2", "--yes"]).ok();
    let run = shop.run(&["rebase", "3", "--take", "a=after+now"]);
    let next = "sekali rebase 3 --take a=after+now --take b=SIDE";
    assert!(run.exits(1).refused("proposal.conflict").err.contains(next), "{}", run.err);
    shop.run(&["rebase", "3", "--take", "a=after+now", "--take", "b=after"]).ok();
}

#[test]
fn a_difference_that_is_saved_is_exact_or_says_that_it_is_not() {
    let shop = Shop::new();
    shop.propose("Plain", "a", "1\n");
    assert_eq!(shop.run(&["show", "1", "--diff"]).ok().err, "");
    // What a terminal would obey is given as data, which is exact; what would only be misread is shown as it
    // is spelled.
    for (at, odd, exact) in [("b", '\u{1b}', true), ("c", '\u{202e}', false)] {
        let n = shop.propose("Odd", at, &format!("1{odd}2\n"));
        let run = shop.run(&["show", &n.to_string(), "--diff"]);
        assert!(!run.ok().out.contains(odd));
        assert_eq!(run.out.contains("GIT binary patch"), exact, "{}", run.out);
        assert_eq!(run.err.is_empty(), exact, "{}", run.err);
        assert!(exact || run.err.contains(&format!("sekali show {n} --patch")), "{}", run.err);
    }
}

#[test]
fn a_base_that_is_gone_waits_to_be_rebased() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "1\nx\n2\n");
    shop.run(&["apply", "1", "--yes"]).ok();
    let digest =
        shop.run(&["doc", "list", "--json"]).json()["items"][0]["digest"].as_str().unwrap().to_owned();
    shop.write("b", "one\nx\n2\n");
    shop.run(&["propose", "--title", "T", "--put", "a=b", "--base", &format!("a={digest}")]).ok();
    shop.run(&["apply", "2", "--yes"]).ok();
    shop.write("c", "1\nx\ntwo\n");
    let based = format!("a={digest}");
    let late = shop.run(&["propose", "--title", "T", "--put", "a=c", "--base", &based, "--json"]).ok().json();
    assert_eq!((&late["stale"], &late["moved"][0]["by"]["proposal"]), (&true.into(), &2.into()));
    shop.run(&["apply", "3", "--yes"]).exits(1).refused("proposal.stale");
    let rebased = shop.run(&["rebase", "3", "--json"]).ok().json();
    assert_eq!(
        (&rebased["revision"], &rebased["created"], &rebased["stale"]),
        (&2.into(), &true.into(), &false.into())
    );
    assert!(shop.run(&["rebase", "3"]).ok().out.contains("nothing changed"));
    shop.run(&["apply", "3", "--yes"]).ok();
    assert_eq!(shop.run(&["doc", "cat", "a"]).ok().out, "one\nx\ntwo\n");
    // What no version ever was, nobody can have read.
    let never = format!("a=sha256:{}", "0".repeat(64));
    let run = shop.run(&["propose", "--title", "T", "--put", "a=c", "--base", &never]);
    assert!(
        run.exits(1).refused("proposal.stale").err.contains("sekali doc list --all --json"),
        "{}",
        run.err
    );
    shop.run(&["propose", "--title", "T", "--put", "a=c", "--base", "x=absent"]).exits(2);
    shop.run(&["propose", "--title", "T", "--put", "a=c", "--base", "a=zzz"])
        .exits(1)
        .refused("proposal.invalid");
}

#[test]
fn the_same_key_is_the_same_proposal() {
    let shop = Shop::new();
    shop.write("a", "1");
    let args = ["propose", "--title", "T", "--put", "a=a", "--key", "pesanan-1", "--json"];
    let first = shop.run(&args).ok().json();
    let again = shop.run(&args).ok().json();
    assert_eq!(
        (&first["created"], &again["created"], &again["replayed"]),
        (&true.into(), &false.into(), &true.into())
    );
    assert_eq!(first["proposal"], again["proposal"]);
    let said = shop.run(&["propose", "--title", "T", "--put", "a=a", "--key", "pesanan-1", "--lang", "id"]);
    assert!(
        said.ok().out.starts_with("Sudah diajukan sebagai #1 dengan kunci ini (menunggu)"),
        "{}",
        said.out
    );
    shop.write("a", "2");
    shop.run(&args).exits(1);
    assert_eq!(shop.run(&["list", "--json"]).json()["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_revision_keeps_what_is_not_said() {
    let shop = Shop::new();
    shop.write("a", "1");
    shop.run(&[
        "propose",
        "--title",
        "Judul",
        "--why",
        "Sebab",
        "--put",
        "a=a",
        "--effect-key",
        "order/1/create",
    ])
    .ok();
    let first = shop.run(&["show", "1", "--json"]).json();
    shop.write("a", "2");
    shop.run(&["revise", "1", "--put", "a=a"]).ok();
    let second = shop.run(&["show", "1", "--json"]).json();
    for member in ["title", "why", "effect_keys", "valid_until"] {
        assert_eq!(first[member], second[member], "{member}");
    }
    assert_eq!(second["revision"], 2);
    let old = first["digest"].as_str().unwrap();
    shop.run(&["apply", "1", "--digest", old]).exits(1).refused("proposal.changed");
    shop.write("a", "3");
    shop.run(&["revise", "1", "--digest", old, "--put", "a=a"]).exits(1).refused("proposal.changed");
    shop.run(&["revise", "1", "--title", "Lain", "--why", "", "--put", "a=a"]).ok();
    let third = shop.run(&["show", "1", "--json"]).json();
    assert_eq!((&third["title"], &third["why"], &third["revision"]), (&"Lain".into(), &"".into(), &3.into()));
}

#[test]
fn lists_go_on_where_a_page_ended() {
    let shop = Shop::new();
    for n in 1..=5 {
        shop.propose(&format!("Usulan {n}"), &format!("d{n}"), "x");
    }
    let page = shop.run(&["list", "--limit", "2", "--json"]).ok().json();
    let cursor = page["next"].as_str().expect("it goes on");
    let next = shop.run(&["list", "--limit", "3", "--cursor", cursor, "--json"]).ok().json();
    let numbers: Vec<u64> =
        next["items"].as_array().unwrap().iter().map(|i| i["proposal"].as_u64().unwrap()).collect();
    assert_eq!((numbers, &next["next"]), (vec![3, 2, 1], &serde_json::Value::Null));
    assert_eq!(
        shop.run(&["list", "--limit", "2", "--all", "--json"]).json()["items"].as_array().map(Vec::len),
        Some(5)
    );
    assert!(shop.run(&["list", "--limit", "2"]).ok().out.contains("More: sekali list --cursor "));
    shop.run(&["list", "--cursor", "besok"]).exits(2);
    assert_eq!(shop.run(&["list", "--state", "applied", "--json"]).json()["items"], serde_json::json!([]));
}

#[test]
fn a_cursor_is_the_same_text_as_the_apis() {
    let shop = Shop::new();
    for n in 1..=2 {
        shop.propose(&format!("Usulan {n}"), &format!("d{n}"), "x");
        let number = n.to_string();
        for _ in 1..=2 {
            shop.run(&["apply", &number, "--yes"]).ok();
        }
    }
    let page = |list: &[&str]| {
        let page = shop.run(&[list, &["--limit", "1", "--json"]].concat()).ok().json();
        page["next"].as_str().expect("it goes on").to_owned()
    };
    // What the API reads and writes again is the same text, and the command line goes on from it.
    let goes_on = |list: &[&str], ours: String, theirs: Option<String>| {
        assert_eq!(theirs.as_ref(), Some(&ours), "{list:?}");
        let last = shop.run(&[list, &["--json", "--cursor", &ours]].concat()).ok().json();
        assert_eq!(last["items"].as_array().map(Vec::len), Some(1), "{list:?}");
    };
    let list = page(&["list"]);
    let id = cursor::proposal(Some(&list)).expect("a cursor of this list");
    goes_on(&["list"], list, id.map(cursor::after_proposal));
    let docs = page(&["doc", "list"]);
    assert_eq!(docs, cursor::after_document("d1"));
    let key = cursor::document(Some(&docs)).expect("a cursor of this list");
    goes_on(&["doc", "list"], docs, key.as_deref().map(cursor::after_document));
    let repeats = page(&["duplicates"]);
    let mark = cursor::repeat(Some(&repeats)).expect("a cursor of this list");
    goes_on(&["duplicates"], repeats, mark.as_ref().map(cursor::after_repeat));
    // One of another list is refused, as it is there.
    shop.run(&["list", "--cursor", &page(&["doc", "list"])]).exits(2).refused("usage");
}

#[test]
fn rooms_and_members_are_set_up() {
    let shop = Shop::new();
    shop.run(&["init"]).exits(1).refused("store.exists");
    shop.run(&["room", "add", "gudang", "--title", "Gudang"]).ok();
    let ambiguous = shop.run(&["list"]);
    assert!(ambiguous.exits(2).refused("room.ambiguous").err.contains("main, gudang"), "{}", ambiguous.err);
    shop.run(&["list", "--room", "gudang"]).ok();
    shop.run_with(&["list"], |c| {
        c.env("SEKALI_ROOM", "gudang");
    })
    .ok();
    shop.run(&["room", "add", "Gudang"]).exits(1).refused("room.invalid");
    shop.run(&["--room", "main", "member", "add", "Budi"]).exits(1).refused("member.invalid");
    shop.run(&["--room", "main", "member", "add", "Budi", "--role", "reviewer"]).ok();
    shop.run(&["--room", "main", "--as", "Budi", "member", "add", "Citra", "--role", "member"])
        .exits(1)
        .refused("actor.denied");
    shop.run(&["--room", "main", "member", "set", "Ani", "--role", "none"])
        .exits(1)
        .refused("member.last_maintainer");
    let set = shop.run(&["--room", "main", "member", "set", "Budi", "--role", "maintainer", "--lang", "id"]);
    assert_eq!(set.ok().out, "Budi di ruang main kini: pengelola.\n");
}

#[test]
fn a_store_that_cannot_be_made_leaves_nothing() {
    let shop = Shop::empty();
    for args in [
        &["init", "--room", "Besar"][..],
        &["init", "--title", ""],
        &["init", "--as", "agent:x"],
        &["init", "--as", ""],
    ] {
        assert_ne!(shop.run(args).exit, 0, "{args:?}");
        assert!(!shop.path("toko.db").exists(), "{args:?}");
    }
}

#[test]
fn the_demo_leaves_other_stores_alone() {
    let shop = Shop::new();
    shop.run(&["demo", "--lang", "id"]).ok();
    assert_eq!(shop.run(&["list", "--json"]).ok().json()["items"], serde_json::json!([]));
    shop.run(&["demo", "--lang", "id"]).exits(1).refused("store.exists");
    shop.run(&["demo", "--lang", "id", "--fresh"]).ok();
    shop.run(&["demo", "--store", "toko.db", "--fresh"]).exits(1).refused("store.exists");
    assert_eq!(shop.run(&["room", "show", "--json"]).ok().json()["slug"], "main");
    for lang in ["en", "id"] {
        let store = format!("contoh-{lang}.db");
        let built = shop.run(&["demo", "--store", &store, "--lang", lang, "--json"]).ok().json();
        assert!(built["proposals"].as_u64() >= Some(12), "{built}");
        shop.run(&["doctor", "--store", &store]).ok();
    }
}

#[test]
fn the_ledger_is_exported() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    shop.run(&["apply", "1", "--yes"]).ok();
    let report = shop.run(&["ledger", "export", "--out", "audit", "--content", "--json"]).ok().json();
    assert_eq!(report["entries"], 1);
    let ledger = std::fs::read(shop.path("audit/ledger.jsonl")).unwrap();
    assert_eq!(ledger, shop.run(&["ledger", "--json"]).ok().bytes);
    shop.run(&["member", "add", "Budi", "--role", "member"]).ok();
    shop.run(&["--as", "Budi", "ledger", "export", "--out", "lain"]).exits(1).refused("actor.denied");
    shop.run(&["ledger", "export", "--out", "saja", "--format", "csv"]).ok();
    assert!(shop.path("saja/ledger.csv").exists() && !shop.path("saja/ledger.jsonl").exists());
}

#[test]
fn doctor_says_how_the_store_is() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    shop.run(&["apply", "1", "--yes"]).ok();
    settings(&shop).bind(|| {
        insta::assert_snapshot!("doctor", shop.run(&["doctor"]).ok().out);
        insta::assert_snapshot!("doctor_id", shop.run(&["doctor", "--lang", "id"]).ok().out);
    });
    let found = shop.run(&["doctor", "--json"]).ok().json();
    assert_eq!((&found["problems"], &found["entries"]), (&serde_json::json!([]), &1.into()));
    let folder = shop.path("Dropbox");
    std::fs::create_dir(&folder).unwrap();
    shop.run(&["init", "--store", "Dropbox/s.db"]).ok();
    let warned = shop.run(&["doctor", "--store", "Dropbox/s.db", "--json"]).ok().json();
    assert_eq!(warned["warnings"][0]["code"], "sync_folder");
}

/// Only where the points are compiled in; shipped binaries have none.
#[test]
#[cfg(feature = "fault-points")]
fn a_defect_is_said_once_without_a_backtrace() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "x");
    let run = shop.run_with(&["apply", "1", "--yes"], |c| {
        c.env("SEKALI_FAULT", "apply.claimed:panic");
    });
    run.exits(70).refused("internal");
    assert!(!run.err.contains("panicked") && run.err.lines().count() == 2, "{}", run.err);
    shop.run(&["apply", "1", "--yes"]).ok();
}

#[test]
fn a_proposal_is_talked_about_and_what_is_asked_is_shown_until_it_is_answered() {
    let shop = Shop::new();
    shop.propose("Harga", "harga.csv", "kopi,1\nteh,2\n");
    shop.propose("Lain", "b", "1\n");
    let run = shop.run(&["list"]);
    assert!(!run.ok().out.contains("Talk"), "{}", run.out);
    let ask = ["comment", "1", "--text", "Dengan\npajak?", "--line", "harga.csv:2", "--ask", "--key", "q"];
    let run = shop.run(&ask);
    assert!(run.ok().out.starts_with("Comment 1 on #1 asks for changes"), "{}", run.out);
    let run = shop.run(&ask);
    assert!(run.ok().out.starts_with("This was said before under the same key: comment 1"), "{}", run.out);
    let shown = shop.run(&["show", "1"]);
    let shown = &shown.ok().out;
    for line in [
        "  ! changes are asked for: comment 1",
        "     on harga.csv, line 2, revision 1",
        "     Dengan",
        "     pajak?",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line:?} in {shown}");
    }
    let listed = shop.run(&["list"]);
    assert!(listed.ok().out.contains("1, asks for changes"), "{}", listed.out);
    let item = shop.run(&["list", "--json"]).ok().json()["items"][1].clone();
    assert_eq!(item["talk"]["last"]["excerpt"], "Dengan pajak?");
    assert_eq!(item["talk"]["open_asks"], serde_json::json!([1]));
    // An agent reads it before it proposes again, and answers.
    shop.run(&["member", "add", "agent:stok"]).ok();
    let read = shop.run(&["show", "1", "--json", "--as", "agent:stok"]).ok().json();
    assert_eq!(
        read["comments"][0]["line"],
        serde_json::json!({ "path": "harga.csv", "side": "after", "line": 2 })
    );
    let answer = ["comment", "1", "--text", "-", "--answer", "1", "--as", "agent:stok"];
    shop.run_fed(&answer, b"Ya, sudah.\n").ok();
    let shown = shop.run(&["show", "1", "--lang", "id"]);
    for text in ["tidak ada yang meminta perubahan", "menjawab 1", "     Ya, sudah."] {
        assert!(shown.ok().out.contains(text), "{text:?} in {}", shown.out);
    }
    // What cannot be said says why, and how it can.
    let refused = |args: &[&str], code: &str, said: &str| {
        let run = shop.run(args);
        assert!(run.exits(1).refused(code).err.contains(said), "{}", run.err);
    };
    refused(&["comment", "1", "--text", " "], "proposal.invalid", "text: a comment needs a text");
    refused(
        &["comment", "1", "--text", "x", "--line", "harga.csv:3"],
        "proposal.invalid",
        "harga.csv has no line 3 on that side; it has 2",
    );
    refused(&["comment", "1", "--text", "x", "--answer", "2"], "proposal.invalid", "asks for no changes");
    refused(&["comment", "9", "--text", "x"], "proposal.not_found", "#9");
    for line in ["harga.csv", "harga.csv:0", "harga.csv:+1", ":1", "harga.csv:x"] {
        let run = shop.run(&["comment", "1", "--text", "x", "--line", line]);
        assert!(run.exits(2).err.contains("PATH:LINE"), "{line}: {}", run.err);
    }
    assert_eq!(shop.run(&["comment", "1", "--text", "x", "--ask", "--answer", "1"]).exit, 2);
}
