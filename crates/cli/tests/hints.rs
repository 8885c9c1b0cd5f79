//! The next step that a refusal and an answer name: a line that can be given as it stands, with the
//! numbers and paths of the case at hand.

mod common;

use common::{Run, Shop};

const LANGS: [&str; 2] = ["en", "id"];

/// What stands after the hint's label.
fn hint(run: &Run) -> String {
    let after = ["hint: ", "petunjuk: "].iter().find_map(|label| run.err.split_once(label));
    after.unwrap_or_else(|| panic!("no hint\n{}", run.err)).1.trim_end().to_owned()
}

/// `a` and `b` as #1; #2 edits `a`, and #3 the same line of it otherwise; #3 is applied.
fn moved() -> Shop {
    let shop = Shop::new();
    shop.write("a", "satu\ndua\n");
    shop.write("b", "x\n");
    shop.run(&["propose", "--title", "Satu", "--put", "a=a", "--put", "b=b"]).ok();
    shop.run(&["apply", "1", "--yes"]).ok();
    shop.propose("Dua", "a", "satu\nDUA\n");
    shop.propose("Tiga", "a", "satu\ntiga\n");
    shop.run(&["apply", "3", "--yes"]).ok();
    shop
}

#[test]
fn hints_name_what_the_refusal_is_about() {
    let shop = moved();
    shop.write("lain.diff", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-9\n+8\n");
    shop.propose("Empat", "c", "4\n");
    shop.run(&["reject", "4", "--reason", "Belum."]).ok();
    shop.propose("Lima", "c", "5\n");
    for key in ["6", "7"] {
        shop.write("scratch", key);
        shop.run(&["propose", "--title", key, "--put", "d=scratch", "--effect-key", "pesanan/1"]).ok();
    }
    shop.run(&["apply", "6", "--yes"]).ok();
    shop.run(&["member", "add", "Budi", "--role", "reviewer"]).ok();
    let check = |args: &[&str], code: &str, command: &str| {
        for lang in LANGS {
            let run = shop.run(&[args, &["--lang", lang]].concat());
            let hint = hint(run.refused(code));
            assert!(hint.contains(command), "{args:?}: {hint}");
            let problem = shop.run(&[args, &["--lang", lang, "--json"]].concat()).problem();
            assert_eq!(problem["hint"].as_str(), Some(&*hint), "{args:?}");
            let left =
                hint.split(|c: char| !c.is_alphanumeric()).find(|word| ["N", "PATH", "JALUR"].contains(word));
            assert_eq!(left, None, "{hint}");
        }
    };
    check(&["apply", "2", "--yes"], "proposal.stale", "sekali rebase 2");
    check(&["apply", "4", "--yes"], "proposal.rejected", "sekali reopen 4");
    check(&["reject", "1", "--reason", "x"], "proposal.already_applied", "sekali revert 1");
    check(&["reopen", "5"], "proposal.not_rejected", "sekali show 5");
    check(&["revert", "5"], "proposal.not_applied", "sekali show 5");
    check(&["apply", "7", "--yes"], "effect.already_done", "sekali show 6");
    check(&["propose", "--title", "T", "--patch", "lain.diff"], "patch.mismatch", "sekali doc cat a");
    check(
        &["member", "add", "Budi", "--role", "member"],
        "member.exists",
        "sekali member set Budi --role member",
    );
    // For the store that was named.
    check(&["apply", "2", "--yes", "--store", "toko.db"], "proposal.stale", "sekali rebase 2 --store ");
}

#[test]
fn a_split_that_waits_names_what_comes_first() {
    let shop = Shop::new();
    let text: String = (0..20).map(|n| ["baris ", &n.to_string(), "\n"].concat()).collect();
    shop.propose("Satu", "a", &text);
    shop.run(&["apply", "1", "--yes"]).ok();
    shop.propose("Dua", "a", &text.replace("baris 2\n", "B\n").replace("baris 15\n", "C\n"));
    shop.run(&["split", "2", "--take", "a:1"]).ok();
    let run = shop.run(&["apply", "3", "--yes"]);
    assert!(hint(run.refused("proposal.stale")).contains("sekali apply 2"), "{}", run.err);
    let shown = shop.run(&["show", "3"]);
    assert!(shown.ok().out.trim_end().ends_with("continues: sekali apply 2"), "{}", shown.out);
}

#[test]
fn a_stale_proposal_shows_the_next_step() {
    let shop = moved();
    for (lang, said) in [
        ("en", "To carry it onto the documents as they are now: sekali rebase 2"),
        ("id", "Untuk menyesuaikannya dengan versi terbaru: sekali rebase 2"),
    ] {
        for more in [&[][..], &["--diff"][..]] {
            let run = shop.run(&[&["show", "2", "--lang", lang], more].concat());
            assert_eq!(run.ok().out.trim_end().lines().last(), Some(said), "{}", run.out);
        }
    }
    let applied = shop.run(&["show", "3"]);
    assert!(!applied.ok().out.contains("sekali rebase"), "{}", applied.out);
    shop.run(&["rebase", "2", "--take", "a=after"]).ok();
    let rebased = shop.run(&["show", "2"]);
    assert!(!rebased.ok().out.contains("sekali rebase"), "{}", rebased.out);
}

#[test]
fn a_mistyped_path_names_the_closest_document() {
    let shop = Shop::new();
    for name in ["harga.json", "harga-lama.json", "hargi.jsonl", "toko/menu.md"] {
        shop.write(name, "{}");
    }
    let put =
        ["harga-lama.json", "hargi.jsonl", "harga.json", "toko/menu.md"].map(|name| format!("{name}={name}"));
    let mut args = vec!["propose", "--title", "T"];
    args.extend(put.iter().flat_map(|put| ["--put", put]));
    shop.run(&args).ok();
    shop.run(&["apply", "1", "--yes"]).ok();
    let check = |args: &[&str], like: Option<&str>| {
        for lang in LANGS {
            let run = shop.run(&[args, &["--lang", lang]].concat());
            let hint = hint(run.refused("document.not_found"));
            let asked = if lang == "en" { "Did you mean " } else { "Maksud Anda " };
            match like {
                Some(like) => assert!(hint.starts_with(&format!("{asked}{like}?")), "{args:?}: {hint}"),
                None => assert!(!hint.contains(asked), "{args:?}: {hint}"),
            }
            assert!(hint.contains("sekali doc list"), "{args:?}: {hint}");
        }
    };
    check(&["doc", "cat", "hrga.json"], Some("harga.json"));
    check(&["doc", "log", "harga.jsn"], Some("harga.json"));
    check(&["doc", "cat", "menu.md"], Some("toko/menu.md"));
    check(&["propose", "--title", "T", "--delete", "harga-lma.json"], Some("harga-lama.json"));
    check(&["doc", "cat", "laporan.csv"], None);
    // Of a proposal, the closest of its own.
    shop.write("ubah", "{}\n");
    shop.run(&["propose", "--title", "T", "--put", "harga.json=ubah", "--put", "toko/menu.md=ubah"]).ok();
    let run = shop.run(&["split", "2", "--take", "hargi.json"]);
    assert!(hint(run.refused("proposal.invalid")).starts_with("Did you mean harga.json?"), "{}", run.err);
}

#[test]
fn a_conflict_of_a_revert_asks_for_no_side() {
    let shop = moved();
    for lang in LANGS {
        // #3 stands on #1: with it, it can be taken back.
        let run = shop.run(&["revert", "1", "--lang", lang]);
        let found = hint(run.refused("proposal.conflict"));
        assert!(found.contains("sekali revert 3 1"), "{found}");
        assert!(!found.contains("--take") && !found.contains("side") && !found.contains("sisi"), "{found}");
    }
}

#[test]
fn a_proposal_that_is_named_twice_is_taken_back_once() {
    let shop = moved();
    let run = shop.run(&["revert", "3", "3"]);
    assert!(run.ok().out.starts_with("Proposed as #4: Revert #3: Tiga\n"), "{}", run.out);
}

#[test]
fn a_refusal_names_the_flag_that_was_written() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    shop.run(&["apply", "1", "--yes"]).ok();
    shop.write("lain.diff", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n");
    shop.write("ubah.json", "[{\"op\":\"remove\",\"path\":\"/x\"}]");
    shop.propose("Dua", "a", "1\n2\n3\n4\n5\n6\n7\n8\nakhir\n");
    shop.propose("Tiga", "a", "awal\n2\n3\n4\n5\n6\n7\n8\n9\n");
    shop.run(&["apply", "2", "--yes"]).ok();
    let patch: &[&str] = &["propose", "--title", "T", "--delete", "a", "--patch", "lain.diff"];
    let cases: [(&[&str], &str, &str); 5] = [
        (patch, "--patch lain.diff: ", "changes[1].diff"),
        (&["revise", "3", "--patch", "lain.diff"], "--patch lain.diff: ", "changes[0].diff"),
        (
            &["propose", "--title", "T", "--json-patch", "a=ubah.json"],
            "--json-patch a=ubah.json: ",
            "changes[0].patch",
        ),
        (&["split", "3", "--take", "b"], "--take b: ", "take[0].path"),
        // What merges by itself has no sides; a choice for it would be passed over in silence.
        (&["rebase", "3", "--take", "a=after"], "--take a: ", "take[0].path"),
    ];
    for (args, said, field) in cases {
        for lang in LANGS {
            let run = shop.run(&[args, &["--lang", lang]].concat());
            assert!(run.exits(1).err.contains(&format!("]: {said}")), "{args:?}: {}", run.err);
            let run = shop.run(&[args, &["--lang", lang, "--json"]].concat());
            let problem = run.problem();
            assert_eq!(problem["field"], field, "{problem}");
            let detail = problem["detail"].as_str().expect("a text");
            assert!(detail.starts_with(&format!("{field}: ")), "{detail}");
        }
    }
    shop.run(&["rebase", "3"]).ok();
    // What is done is done, also for one who asks again and says the same.
    shop.run(&["rebase", "3", "--take", "a=after"]).ok();
}

#[test]
fn what_leads_nowhere_is_not_hinted_at() {
    let shop = Shop::new();
    shop.propose("Satu", "a", "1\n");
    shop.run(&["apply", "1", "--yes"]).ok();
    shop.propose("Dua", "a", "2\n");
    shop.run(&["apply", "2", "--yes"]).ok();
    shop.propose("Tiga", "a", "3\n");
    shop.run(&["apply", "3", "--yes"]).ok();
    // What took it back is named, and not proposed to be taken back with it.
    shop.run(&["revert", "3", "2"]).ok();
    assert!(shop.run(&["show", "2"]).ok().out.contains("#4 waits to take it back."));
    shop.run(&["apply", "4", "--yes"]).ok();
    let shown = shop.run(&["show", "2"]);
    assert!(shown.ok().out.contains("Taken back by #4."), "{}", shown.out);
    let shown = shop.run(&["show", "4"]);
    assert!(shown.ok().out.contains("Takes back #3, #2."), "{}", shown.out);
    let run = shop.run(&["revert", "3"]);
    let hint_of = hint(run.refused("proposal.no_change"));
    assert!(hint_of.contains("sekali show 4"), "{}", run.err);
    // Whoever may not apply is told that, and not how to apply without being asked.
    shop.run(&["member", "add", "agent:stok"]).ok();
    shop.propose("Empat", "a", "4\n");
    shop.run(&["apply", "5", "--as", "agent:stok"]).exits(1).refused("actor.denied");
    // An edit of values is no diff.
    shop.write("salah.json", "[{\"op\":\"replac\",\"path\":\"/a\"}]");
    let run = shop.run(&["propose", "--title", "T", "--json-patch", "a=salah.json"]);
    let hint_of = hint(run.refused("patch.invalid"));
    assert!(hint_of.contains("RFC 6902") && !hint_of.contains("diff"), "{hint_of}");
    // To comment one needs only to read.
    let run = shop.run(&["comment", "5", "--text", "x", "--as", "Zaki"]);
    assert!(hint(run.refused("actor.unknown")).contains("--role reviewer"), "{}", run.err);
}
