//! P2 and P6: whatever line the process dies at, whatever the disk says, the state is the one
//! before or the one after, nothing that was acknowledged is gone, and the next press is answered
//! rightly.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt as _;

use sekali_store::fault::POINTS;
use sekali_tests::{Room, number, parse, presser, sekali_with_faults, shim, string, text};

/// Runs of each line.
const RUNS: u64 = 12;

/// The points after the commit: the change is there.
fn landed(point: &str) -> bool {
    matches!(point, "commit.after" | "answer.before")
}

#[test]
fn killed_at_every_line_the_state_is_before_or_after() {
    let room = Room::new();
    let log = room.path().join("reached");
    let mut table = Vec::new();
    // The first press of a system user adds them, in a transaction of its own.
    room.propose("first.txt", "first\n");
    room.good(&["apply", "1", "--yes"]);
    let mut expected = 1;
    for point in POINTS {
        let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
        for run in 0..RUNS {
            let path = format!("{point}/{run}.txt");
            let file = room.file("content", format!("{point} {run}\n"));
            let put = format!("{path}={}", file.display());
            let effect = format!("{point}/{run}");
            let proposed = room.json(&["propose", "--title", &path, "--effect-key", &effect, "--put", &put]);
            let n = number(&proposed, "proposal").to_string();
            let out = room
                .command_of(&sekali_with_faults(), &["apply", &n, "--yes", "--json"])
                .env("SEKALI_FAULT", format!("{point}:kill"))
                .env("SEKALI_FAULT_LOG", &log)
                .output()
                .expect("the binary starts");
            assert_eq!(out.status.signal(), Some(9), "{point}: {out:?}");
            let after = room.json(&["apply", &n, "--yes"]);
            expected += 1;
            let outcome = string(&after, "outcome");
            assert_eq!(outcome, if landed(point) { "replayed" } else { "applied" }, "{point}");
            assert_eq!(number(&after, "seq"), expected, "{point}: one entry, at its place");
            assert_eq!(room.good(&["doc", "cat", &path]), format!("{point} {run}\n"));
            *outcomes.entry(outcome).or_default() += 1;
        }
        let reached =
            std::fs::read_to_string(&log).unwrap_or_default().lines().filter(|l| l == point).count();
        assert_eq!(reached as u64, RUNS, "{point} was reached in every run");
        table.push(format!("{point:<16} {RUNS:>3} runs  {outcomes:?}"));
    }
    println!("{}", table.join("\n"));
    assert_eq!(room.ledger().len() as u64, expected);
    room.sound();
}

fn numbers(out: &str) -> BTreeMap<u64, String> {
    out.lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(n, told)| (n.parse().expect("a number"), told.to_owned()))
        .collect()
}

fn waiting_room(count: usize) -> Room {
    let room = Room::new();
    for n in 0..count {
        room.propose(&format!("{n}.txt"), &format!("{n}\n"));
    }
    room
}

/// After faults: what was acknowledged is there, a last press of everything is answered, and each
/// proposal is in the ledger exactly once.
fn settle(room: &Room, told: &BTreeMap<u64, String>, count: usize) {
    room.sound();
    let kept: BTreeSet<u64> = room.ledger().iter().map(|e| number(e, "proposal")).collect();
    for (n, told) in told {
        if told.starts_with("applied") || told.starts_with("replayed") {
            assert!(kept.contains(n), "#{n} was acknowledged ({told}) and is gone");
        } else if told == "store.full" {
            assert!(!kept.contains(n), "#{n} is there, and was told that nothing was changed");
        }
    }
    for n in 1..=count as u64 {
        let answer = room.json(&["apply", &n.to_string(), "--yes"]);
        let expected = if kept.contains(&n) { "replayed" } else { "applied" };
        assert_eq!(answer["outcome"], expected, "#{n}");
    }
    let mut applied: Vec<u64> = room.ledger().iter().map(|e| number(e, "proposal")).collect();
    applied.sort_unstable();
    assert_eq!(applied, (1..=count as u64).collect::<Vec<_>>(), "each once");
    room.sound();
}

#[test]
fn a_panic_in_a_member_takes_no_other_with_it() {
    for point in ["apply.begin", "apply.claimed", "apply.changed", "apply.appended", "commit.before"] {
        let count = 40;
        let room = waiting_room(count);
        let out = room
            .command_of(&presser(), &[&room.store().to_string_lossy(), "16"])
            .env("SEKALI_FAULT", format!("{point}:panic"))
            // There are fewer groups than members.
            .env("SEKALI_FAULT_AFTER", if point.starts_with("commit") { "2" } else { "7" })
            .env("SEKALI_FAULT_TIMES", "1")
            .env("SEKALI_FAULT_LOG", room.path().join("reached"))
            .output()
            .expect("the binary starts");
        assert!(out.status.success(), "{point}: {}", text(&out.stderr));
        assert!(room.path().join("reached").exists(), "{point} was reached");
        let told = numbers(&text(&out.stdout));
        assert_eq!(told.len(), count, "{point}: everyone was answered");
        let failed: Vec<_> = told.values().filter(|t| !t.starts_with("applied")).collect();
        if point == "commit.before" {
            // Whether a commit that panicked landed is not known to whoever waited for it.
            assert!(!failed.is_empty() && failed.iter().all(|t| *t == "store.outcome_unknown"), "{failed:?}");
        } else {
            // Whoever was alone in its group is told; of more, each ran again alone and was applied.
            assert!(failed.len() <= 1 && failed.iter().all(|t| *t == "internal"), "{point}: {failed:?}");
        }
        settle(&room, &told, count);
    }
}

#[test]
fn a_member_that_always_panics_fails_alone() {
    let room = waiting_room(1);
    let out = room
        .command_of(&sekali_with_faults(), &["apply", "1", "--yes", "--json"])
        .env("SEKALI_FAULT", "apply.changed:panic")
        .output()
        .expect("the binary starts");
    assert_eq!(out.status.code(), Some(70), "{out:?}");
    assert_eq!(parse(text(&out.stderr).lines().last().unwrap_or_default())["code"], "internal");
    assert_eq!(room.ledger().len(), 0);
    settle(&room, &BTreeMap::new(), 1);
}

struct Fault {
    fail: &'static str,
    errno: &'static str,
    from: u64,
    times: u64,
}

fn pressed_with(room: &Room, fault: &Fault, threads: &str) -> BTreeMap<u64, String> {
    let out = room
        .command_of(&presser(), &[&room.store().to_string_lossy(), threads])
        .env("LD_PRELOAD", shim())
        .env("SHIM_FILE", "sekali.db-wal")
        .env("SHIM_FAIL", fault.fail)
        .env("SHIM_ERRNO", fault.errno)
        .env("SHIM_FROM", fault.from.to_string())
        .env("SHIM_TIMES", fault.times.to_string())
        .env("SHIM_LOG", room.path().join("syncs"))
        .output()
        .expect("the binary starts");
    assert!(out.status.success(), "{}", text(&out.stderr));
    numbers(&text(&out.stdout))
}

#[test]
fn a_sync_that_fails_leaves_the_outcome_unknown_and_the_next_press_right() {
    // Many in one group that fails, then one after another, so that each sync is a commit's.
    for (from, threads) in [(1, "16"), (1, "1"), (2, "1"), (7, "1")] {
        let count = 30;
        let room = waiting_room(count);
        let told = pressed_with(&room, &Fault { fail: "sync", errno: "EIO", from, times: 1 }, threads);
        assert_eq!(told.len(), count, "everyone was answered");
        let unknown = told.values().filter(|t| *t == "store.outcome_unknown").count();
        assert!(unknown > 0, "sync {from} of {threads} threads failed and nobody was told: {told:?}");
        assert!(told.values().all(|t| t.starts_with("applied") || t == "store.outcome_unknown"), "{told:?}");
        let log = std::fs::read_to_string(room.path().join("syncs")).unwrap_or_default();
        assert!(log.contains('x'), "a sync was made to fail");
        settle(&room, &told, count);
    }
}

#[test]
fn a_full_disk_in_the_middle_of_a_group_keeps_nothing_half() {
    for (from, times) in [(1, 1), (5, 3), (12, 40), (20, 1)] {
        let count = 40;
        let room = waiting_room(count);
        let told = pressed_with(&room, &Fault { fail: "write", errno: "ENOSPC", from, times }, "16");
        assert_eq!(told.len(), count, "everyone was answered");
        // Before the commit and in it: what finds no room is not there, and nobody has to wonder.
        assert!(told.values().all(|t| t.starts_with("applied") || t == "store.full"), "{told:?}");
        settle(&room, &told, count);
    }
}

fn with_shim(room: &Room, args: &[&str], fail: &str, errno: &str, from: u64) -> std::process::Output {
    let mut command = room.command(args);
    command.env("LD_PRELOAD", shim()).env("SHIM_FILE", "sekali.db-wal").env("SHIM_FAIL", fail);
    command.env("SHIM_ERRNO", errno).env("SHIM_FROM", from.to_string()).env("SHIM_TIMES", "1000000");
    command.output().expect("the binary starts")
}

/// From the first write to the log to the last: what finds no room is refused, the disk is named, and the
/// same again is written once.
#[test]
fn a_full_disk_is_named_whichever_write_finds_no_room() {
    let room = waiting_room(1);
    let large = room.file("large", "x".repeat(300_000));
    let put = format!("large.txt={}", large.display());
    let orders: [&[&str]; 2] =
        [&["propose", "--title", "T", "--put", &put, "--json"], &["apply", "1", "--yes", "--json"]];
    for (before, args) in (1..).zip(orders) {
        let mut refused = 0;
        for from in 1.. {
            let out = with_shim(&room, args, "write", "ENOSPC", from);
            if out.status.success() {
                break;
            }
            let problem = parse(&text(&out.stderr));
            assert_eq!(
                (out.status.code(), problem["code"].as_str()),
                (Some(3), Some("store.full")),
                "{args:?} {from}: {problem}"
            );
            assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("full")), "{problem}");
            let listed = room.json(&["list"]);
            let left = (room.ledger().len(), listed["items"].as_array().map(Vec::len));
            assert_eq!(left, (0, Some(before)), "{args:?} {from}: {problem} {listed}");
            refused += 1;
        }
        assert!(refused > 2, "{args:?}: its writes were made to fail: {refused}");
    }
    room.sound();
}

/// A commit of which it is not known whether it landed says what the disk did.
#[test]
fn an_unknown_outcome_names_the_disk() {
    let room = waiting_room(1);
    for (lang, said) in [("en", "the disk reported an error"), ("id", "disk melaporkan kesalahan")] {
        for args in [&["apply", "1", "--yes"][..], &["reject", "1", "--reason", "x"]] {
            let args = [args, &["--lang", lang]].concat();
            let out = with_shim(&room, &args, "sync", "EIO", 1);
            let err = text(&out.stderr);
            assert_eq!(out.status.code(), Some(3), "{err}");
            assert!(err.contains("store.outcome_unknown") && err.contains(said), "{err}");
        }
    }
}

/// COMMIT was done, but its answer was lost: exit 3, and the repeat says `replayed`.
#[test]
fn a_lost_answer_is_unknown_and_the_repeat_is_a_replay() {
    let room = waiting_room(1);
    let out = room
        .command_of(&sekali_with_faults(), &["apply", "1", "--yes", "--json"])
        .env("SEKALI_FAULT", "commit.after:panic")
        // The first commit of all is that of the system user's row.
        .env("SEKALI_FAULT_AFTER", "2")
        .output()
        .expect("the binary starts");
    assert_eq!(out.status.code(), Some(3), "{out:?}");
    let problem = parse(text(&out.stderr).lines().last().unwrap_or_default());
    assert_eq!(
        (problem["code"].as_str(), problem["retry"].as_str()),
        (Some("store.outcome_unknown"), Some("same"))
    );
    assert_eq!(room.json(&["apply", "1", "--yes"])["outcome"], "replayed");
    assert_eq!(room.ledger().len(), 1);
    room.sound();
}

/// `init` whose disk stops reading at any moment: once the store is made and open, nothing says any more
/// that nothing was changed.
#[test]
fn a_store_that_was_made_but_cannot_be_read_is_said_to_be_made() {
    let mut unseen = 0;
    for from in 1.. {
        let room = Room::nothing();
        let out = room
            .command(&["init", "--json"])
            .env("LD_PRELOAD", shim())
            .env("SHIM_FILE", "sekali.db")
            .env("SHIM_FAIL", "read")
            .env("SHIM_ERRNO", "EIO")
            .env("SHIM_FROM", from.to_string())
            .env("SHIM_TIMES", "1000000")
            .output()
            .expect("the binary starts");
        if out.status.success() {
            break;
        }
        let problem = parse(&text(&out.stderr));
        if problem["code"] == "store.outcome_unknown" {
            assert!(problem["detail"].as_str().is_some_and(|d| d.starts_with("It was done")), "{problem}");
            assert_eq!(room.json(&["room", "show"])["slug"], "main", "read {from}");
            unseen += 1;
        } else {
            assert_eq!(unseen, 0, "read {from}: {problem}");
        }
    }
    assert!(unseen > 0, "the look after the commit reads nothing");
}

/// Killed at any moment under load: what was printed as applied is there.
#[test]
fn killed_under_load_nothing_acknowledged_is_gone() {
    for delay_ms in [5, 20, 45, 80, 130] {
        let count = 60;
        let room = waiting_room(count);
        let mut child = room
            .command_of(&presser(), &[&room.store().to_string_lossy(), "8"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the binary starts");
        // Not for ordering: the moment of the kill is what varies.
        std::thread::sleep(std::time::Duration::from_millis(delay_ms));
        child.kill().expect("it runs or has ended");
        let out = child.wait_with_output().expect("it was started");
        let whole = text(&out.stdout);
        let whole = whole.rsplit_once('\n').map_or("", |(lines, _)| lines);
        settle(&room, &numbers(whole), count);
    }
}

/// `kill -9` alone would not notice `synchronous=OFF`: each commit is followed by a sync.
#[test]
fn every_commit_is_synced() {
    let room = waiting_room(20);
    let (commits, syncs) = (room.path().join("commits"), room.path().join("syncs"));
    // One client of one process, which checkpoints only at its end: as many groups as presses.
    let out = room
        .command_of(&presser(), &[&room.store().to_string_lossy(), "1"])
        .env("LD_PRELOAD", shim())
        .env("SHIM_FILE", "sekali.db-wal")
        .env("SHIM_LOG", &syncs)
        .env("SEKALI_FAULT", "commit.after:log")
        .env("SEKALI_FAULT_LOG", &commits)
        .output()
        .expect("the binary starts");
    assert!(out.status.success(), "{}", text(&out.stderr));
    let commits = std::fs::read_to_string(&commits).unwrap_or_default().lines().count();
    let syncs = std::fs::read(&syncs).unwrap_or_default().len();
    println!("{commits} commits, {syncs} syncs");
    assert!(commits >= 20, "each apply commits: {commits}");
    assert!(syncs >= commits, "{syncs} syncs for {commits} commits");
}
