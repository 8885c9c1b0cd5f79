//! Bad input costs nothing: each has its answer, and nothing is stored.

mod common;

use common::Shop;

fn body(changes: &str) -> String {
    format!(r#"{{"format":"sekali.proposal/1","title":"T","changes":{changes}}}"#)
}

fn with(member: &str) -> String {
    format!(
        r#"{{"format":"sekali.proposal/1","title":"T",{member},"changes":[{{"op":"put","path":"a","text":"x"}}]}}"#
    )
}

#[test]
fn a_bad_proposal_file_is_refused_and_nothing_is_stored() {
    let shop = Shop::new();
    let before = shop.run(&["room", "show", "--json"]).ok().json();
    let check = |name: &str, text: &[u8], code: &str| {
        for fed in [true, false] {
            let run = if fed {
                shop.run_fed(&["propose", "--file", "-", "--json"], text)
            } else {
                shop.write("usulan.json", text);
                shop.run(&["propose", "--file", "usulan.json", "--json"])
            };
            let problem = run.exits(1).problem();
            assert_eq!(problem["code"], code, "{name}");
            let detail = problem["detail"].as_str().unwrap();
            assert!(!detail.ends_with(".."), "{name}: {detail}");
            let plain = shop.run_fed(&["propose", "--file", "-", "--lang", "id"], text);
            plain.exits(1).refused(code).said_in_indonesian();
            let told = shop.run_fed(&["propose", "--file", "-", "--lang", "id", "--json"], text).problem();
            // A sentence may name the present instant.
            let timeless =
                |text: &serde_json::Value| text.to_string().replace(|c: char| c.is_ascii_digit(), "");
            assert_eq!(
                timeless(&told["detail"]),
                // A file is named where what is wrong has no field.
                timeless(&problem["detail"]).replace("usulan.json: ", ""),
                "{name}: programs read English"
            );
        }
    };
    let json = "body.invalid_json";
    check("an integer beyond 2^53", with(r#""key":9007199254740993"#).as_bytes(), "body.invalid");
    check("an integer below -2^53", with(r#""key":-9007199254740993"#).as_bytes(), "body.invalid");
    check(
        "an integer at 2^53 is only of the wrong type",
        with(r#""key":9007199254740992"#).as_bytes(),
        "body.invalid",
    );
    check("a duplicate member", with(r#""why":"a","why":"b""#).as_bytes(), "body.invalid");
    check("a deep nesting", format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)).as_bytes(), json);
    check("129 levels", format!("{}{}", "[".repeat(129), "]".repeat(129)).as_bytes(), json);
    check("128 levels", format!("{}{}", "[".repeat(128), "]".repeat(128)).as_bytes(), "body.invalid");
    check("NaN", with(r#""key":NaN"#).as_bytes(), json);
    check("no float is as large", with(r#""key":1e999"#).as_bytes(), "body.invalid");
    check("Infinity", with(r#""key":Infinity"#).as_bytes(), json);
    check("invalid UTF-8", b"{\"format\":\"sekali.proposal/1\",\"title\":\"\xff\"}", json);
    check("nothing", b"", json);
    check("two values", format!("{0}{0}", body("[]")).as_bytes(), json);
    check("a comment", format!("// x\n{}", body("[]")).as_bytes(), json);
    check("a byte order mark", format!("\u{feff}{}", body("[]")).as_bytes(), json);
    check("a lone surrogate", with(r#""why":"\ud800""#).as_bytes(), json);
    check("an empty object", b"{}", "body.invalid");
    check("an array", b"[]", "body.invalid");
    check("no changes", body("[]").as_bytes(), "proposal.invalid");
    check("an unknown member", with(r#""colour":"merah""#).as_bytes(), "body.invalid");
    check("an unknown op", body(r#"[{"op":"copy","path":"a"}]"#).as_bytes(), "body.invalid");
    check("a path outside", body(r#"[{"op":"put","path":"../a","text":""}]"#).as_bytes(), "path.invalid");
    check(
        "a symbolic link",
        body(r#"[{"op":"put","path":"a","text":"b","mode":"120000"}]"#).as_bytes(),
        "proposal.invalid",
    );
    check("nothing to delete", body(r#"[{"op":"delete","path":"a"}]"#).as_bytes(), "document.not_found");
    check("an effect that is reserved", with(r#""effect_keys":["in/a"]"#).as_bytes(), "proposal.invalid");
    check(
        "a validity that is over",
        with(r#""valid_until":"2020-01-01T00:00:00Z""#).as_bytes(),
        "proposal.invalid",
    );
    check(
        "a title that nobody sees",
        body("[]").replace(r#""T""#, "\"\u{200b}\"").as_bytes(),
        "proposal.invalid",
    );
    for key in [" ", " a", "a ", "\\t", "a\\nb", "\u{feff}"] {
        check(
            "a key like no other to see",
            with(&format!(r#""key":"{key}""#)).as_bytes(),
            "proposal.invalid",
        );
        let effect = with(&format!(r#""effect_keys":["{key}"]"#));
        check("an effect key like that", effect.as_bytes(), "proposal.invalid");
    }
    let nested = r#"[{"op":"put","path":"a","text":""},{"op":"put","path":"A/b","text":""}]"#;
    check("a document in a document", body(nested).as_bytes(), "path.collision");
    check(
        "base64 that is none",
        body(r#"[{"op":"put","path":"a","base64":"*"}]"#).as_bytes(),
        "body.invalid",
    );
    check("a NUL in a text", with(r#""why":"\u0000""#).as_bytes(), "proposal.invalid");
    assert_eq!(shop.run(&["room", "show", "--json"]).ok().json(), before);
}

#[test]
fn limits_hold_at_and_one_past_each() {
    let shop = Shop::new();
    let mut accepted = 0;
    let mut check = |name: &str, text: &str, good: bool| {
        let run = shop.run_fed(&["propose", "--file", "-", "--json"], text.as_bytes());
        if good {
            run.ok();
            accepted += 1;
        } else {
            let problem = run.exits(1).problem();
            assert_eq!(problem["code"], "limit.exceeded", "{name}");
            let detail = problem["detail"].as_str().unwrap();
            let limit = problem["limit"].as_u64().unwrap();
            assert!(detail.contains(&format!(" {limit} ")), "{name}: {detail}");
            assert!(detail.contains(&(limit + 1).to_string()), "{name}: {detail}");
        }
    };
    let text = |member: &str, n: usize| with(&format!(r#""{member}":"{}""#, "x".repeat(n)));
    let title = |n: usize| {
        body(r#"[{"op":"put","path":"a","text":"x"}]"#).replace(r#""T""#, &format!("\"{}\"", "é".repeat(n)))
    };
    for past in [0, 1] {
        let good = past == 0;
        check("title", &title(1_000 + past), good);
        check("why", &text("why", 64 * 1_024 + past), good);
        check("key", &text("key", 255 + past), good);
        check("correlation", &text("correlation", 255 + past), good);
        let effects: Vec<String> = (0..100 + past).map(|n| format!("\"e{n}\"")).collect();
        check("effect keys", &with(&format!(r#""effect_keys":[{}]"#, effects.join(","))), good);
        check("an effect key", &with(&format!(r#""effect_keys":["{}"]"#, "e".repeat(255 + past))), good);
        let puts: Vec<String> =
            (0..10_000 + past).map(|n| format!(r#"{{"op":"put","path":"d/{n}","text":""}}"#)).collect();
        check("changes", &body(&format!("[{}]", puts.join(","))), good);
        let segment = "s".repeat(255 + past);
        check("a segment", &body(&format!(r#"[{{"op":"put","path":"{segment}","text":""}}]"#)), good);
        let path = format!("{}{}", "p/".repeat(511), "q".repeat(2 + past));
        check("a path", &body(&format!(r#"[{{"op":"put","path":"{path}","text":""}}]"#)), good);
    }
    let room = shop.run(&["room", "show", "--json"]).ok().json();
    assert_eq!(room["counts"]["waiting"], accepted);
    shop.run(&["reject", "1", "--reason", &"r".repeat(4_097)]).exits(1).refused("limit.exceeded");
    shop.run(&["reject", "1", "--reason", &"r".repeat(4_096)]).ok();
    shop.run(&["member", "add", &"n".repeat(256), "--role", "member"]).exits(1).refused("limit.exceeded");
    shop.run(&["member", "add", &"n".repeat(255), "--role", "member"]).ok();
    shop.run(&["room", "add", &"s".repeat(64)]).exits(1).refused("limit.exceeded");
    shop.run(&["room", "add", &"s".repeat(63)]).ok();
}

#[test]
fn a_document_is_at_most_64_mib() {
    let shop = Shop::new();
    let file = std::fs::File::create(shop.path("besar")).unwrap();
    for (bytes, good) in [(64 * 1_024 * 1_024, true), (64 * 1_024 * 1_024 + 1, false)] {
        file.set_len(bytes).unwrap();
        let run = shop.run(&["propose", "--title", "T", "--put", "besar=besar"]);
        if good {
            run.ok()
        } else {
            run.exits(1).refused("limit.exceeded")
        };
    }
    assert_eq!(shop.run(&["room", "show", "--json"]).ok().json()["counts"]["waiting"], 1);
}

#[test]
fn a_proposal_file_reads_only_below_its_folder() {
    let shop = Shop::new();
    shop.write("usulan/isi/a.md", "isi a\n");
    shop.write("luar.md", "rahasia\n");
    let check = |file: &str, code: Option<&str>| {
        shop.write(
            "usulan/p.json",
            body(&format!(r#"[{{"op":"put","path":"a","file":{}}}]"#, serde_json::json!(file))),
        );
        let run = shop.run(&["propose", "--file", "usulan/p.json", "--json"]);
        match code {
            None => {
                run.ok();
            }
            Some(code) => {
                let problem = run.exits(1).problem();
                assert_eq!(
                    (&problem["code"], &problem["field"]),
                    (&code.into(), &"changes[0].file".into()),
                    "{file}"
                );
            }
        }
    };
    check("isi/a.md", None);
    check("./isi/a.md", None);
    check("../luar.md", Some("path.invalid"));
    check("isi/../../luar.md", Some("path.invalid"));
    check(shop.path("luar.md").to_str().unwrap(), Some("path.invalid"));
    check("", Some("path.invalid"));
    check("isi", Some("path.invalid"));
    check("tidak-ada", Some("body.invalid"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(shop.path("luar.md"), shop.path("usulan/isi/tautan")).unwrap();
        std::os::unix::fs::symlink(shop.path("usulan/isi/a.md"), shop.path("usulan/dalam")).unwrap();
        std::os::unix::fs::symlink(shop.root(), shop.path("usulan/atas")).unwrap();
        check("isi/tautan", Some("path.invalid"));
        check("atas/luar.md", Some("path.invalid"));
        check("dalam", None);
    }
    let held = shop.run(&["doc", "list", "--json"]).ok().json();
    assert_eq!(held["items"], serde_json::json!([]));
}

#[test]
#[cfg(unix)]
fn links_and_odd_files_of_a_folder_are_refused_by_name() {
    use std::os::unix::ffi::OsStrExt as _;
    let shop = Shop::new();
    shop.write("situs/a", "x");
    let propose = || shop.run(&["propose", "--title", "T", "--put-dir", "situs"]);
    std::os::unix::fs::symlink("a", shop.path("situs/tautan")).unwrap();
    assert!(propose().exits(1).refused("proposal.invalid").err.contains("tautan"));
    std::fs::remove_file(shop.path("situs/tautan")).unwrap();
    let listening = std::os::unix::net::UnixListener::bind(shop.path("situs/soket")).unwrap();
    assert!(propose().exits(1).refused("proposal.invalid").err.contains("soket"));
    drop(listening);
    std::fs::remove_file(shop.path("situs/soket")).unwrap();
    for name in [&b"a:b"[..], b"con", b"\xff"] {
        let path = shop.path("situs").join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(&path, "x").unwrap();
        propose().exits(1).refused("path.invalid");
        std::fs::remove_file(path).unwrap();
    }
    propose().ok();
    shop.run(&["propose", "--title", "T", "--put-dir", "tidak-ada"]).exits(1).refused("body.invalid");
}

#[test]
fn the_stores_own_files_are_never_content() {
    let shop = Shop::new();
    shop.write("a", "x");
    for file in ["toko.db", "toko.db.key", "./toko.db.lock", "toko.db.turn"] {
        let run = shop.run(&["propose", "--title", "T", "--put", &format!("a={file}")]);
        run.exits(1).refused("path.invalid");
    }
    shop.write("p.json", body(r#"[{"op":"put","path":"a","file":"toko.db.key"}]"#));
    shop.run(&["propose", "--file", "p.json"]).exits(1).refused("path.invalid");
    let run = shop.run(&["propose", "--title", "T", "--put-dir", "."]);
    assert!(run.ok().err.contains("skipped: toko.db.key"), "{}", run.err);
    let changes = shop.run(&["show", "1", "--json"]).json()["changes"].to_string();
    assert!(changes.contains("\"p.json\"") && !changes.contains("toko.db"), "{changes}");
    shop.write("b", "x");
    shop.run(&["propose", "--title", "T", "--put", "toko.db=b"]).ok();
    shop.run(&["apply", "2", "--yes"]).ok();
    shop.run(&["doc", "export", ".", "--force"]).exits(1).refused("folder.occupied");
    shop.run(&["doctor"]).ok();
}

#[test]
fn a_store_that_is_none_is_left_as_it_is() {
    let shop = Shop::new();
    shop.propose("Satu", "a", &"isi\n".repeat(20_000));
    shop.run(&["apply", "1", "--yes"]).ok();
    let sound = std::fs::read(shop.path("toko.db")).unwrap();
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = sound.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    let check = |name: &str, bytes: &[u8], code: &str, exit: i32| {
        std::fs::write(shop.path("lain.db"), bytes).unwrap();
        for args in [
            &["list", "--store", "lain.db"][..],
            &["apply", "1", "--yes", "--store", "lain.db"],
            &["doctor", "--store", "lain.db"],
        ] {
            shop.run(args).exits(exit).refused(code);
        }
        assert_eq!(std::fs::read(shop.path("lain.db")).unwrap(), bytes, "{name} was left as it was");
        // An empty file holds nothing, so `init` may make a store of it; nothing else is taken over.
        if !bytes.is_empty() {
            shop.run(&["init", "--store", "lain.db"]).exits(1).refused("store.exists");
        }
    };
    check("an empty file", b"", "store.foreign", 4);
    check("a text", "catatan belanja\n".repeat(100).as_bytes(), "store.foreign", 4);
    // The header of an SQLite file: `user_version` at 60, `application_id` at 68 (sqlite.org/fileformat2).
    check("a newer store", &changed(60, &9_999_u32.to_be_bytes()), "store.newer", 4);
    check("another program's database", &changed(68, &7_u32.to_be_bytes()), "store.foreign", 4);
    shop.run(&["list", "--store", "tidak-ada.db"]).exits(1).refused("store.not_found");
    assert!(!shop.path("tidak-ada.db").exists(), "opening never creates");
    std::fs::create_dir(shop.path("folder.db")).unwrap();
    shop.run(&["list", "--store", "folder.db"]).exits(4).refused("store.foreign");
}

#[test]
fn damage_is_found_and_said() {
    let shop = Shop::new();
    shop.propose("Satu", "a", &"isi\n".repeat(20_000));
    shop.run(&["apply", "1", "--yes"]).ok();
    let sound = std::fs::read(shop.path("toko.db")).unwrap();
    let check = |name: &str, bytes: &[u8]| {
        std::fs::write(shop.path("toko.db"), bytes).unwrap();
        let run = shop.run(&["doctor"]);
        run.exits(4);
        assert!(!run.err.contains("panicked"), "{name}: {}", run.err);
        assert_eq!(shop.run(&["doctor", "--json"]).exit, 4, "{name}");
    };
    let half = sound.len() / 2;
    check("cut in half", &sound[..half]);
    let mut torn = sound.clone();
    torn[4_096..12_288].fill(0xA5);
    check("two pages overwritten", &torn);
}
