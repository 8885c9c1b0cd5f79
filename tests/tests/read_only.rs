//! P4 on a store that cannot be written: in a folder that may not be written, on a read-only mount, on
//! a full disk. It is listed, shown, checked, and what was applied is answered; a write is refused with
//! the way out. Each way is made for real; where the system allows no mounts, that is listed, and the
//! ways that need none (another user, calls that fail below SQLite) hold the same promises.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rusqlite::Connection;
use sekali_tests::{Room, parse, sekali, shim, skipped, text};

/// A user who owns nothing here, by number.
const NOBODY: &str = "65534";

fn is_root() -> bool {
    std::fs::metadata("/proc/self").expect("procfs").uid() == 0
}

/// A room with #1 applied and #2 waiting, and the binary beside it, for users who may not read ours.
fn room() -> (Room, PathBuf) {
    let room = Room::new();
    room.propose("a.txt", "one\n");
    room.good(&["apply", "1", "--yes"]);
    room.propose("b.txt", "two\n");
    let binary = room.path().join("sekali");
    std::fs::copy(sekali(), &binary).expect("a temporary folder can be written");
    mode(room.path(), 0o755);
    (room, binary)
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
}

/// Runs a command of a way in which the store cannot be written.
type Way<'a> = &'a dyn Fn(&[&str]) -> Output;

/// Everything that must be answered is, and everything else is refused by this code.
fn promises(what: &str, run: Way<'_>, code: &str, warning: &str) {
    let json = |args: &[&str]| {
        let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        let out = run(&args);
        assert!(out.status.success(), "{what}: {args:?}: {}", text(&out.stderr));
        parse(&text(&out.stdout))
    };
    let listed = json(&["list"]);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2), "{what}");
    assert_eq!(json(&["show", "1"])["state"], "applied", "{what}");
    assert_eq!(json(&["show", "2"])["state"], "waiting", "{what}");
    let replayed = json(&["apply", "1", "--yes"]);
    assert_eq!(
        (&replayed["outcome"], &replayed["evidence"]),
        (&"replayed".into(), &"not_kept".into()),
        "{what}"
    );
    assert_eq!(replayed["seq"], 1, "{what}");
    let found = json(&["doctor"]);
    assert_eq!(found["problems"].as_array().map(Vec::len), Some(0), "{what}: {found}");
    let warnings = found["warnings"].as_array().expect("a list");
    assert!(warning.is_empty() || warnings.iter().any(|w| w["code"] == warning), "{what}: {found}");
    assert!(!warnings.iter().any(|w| w["code"] == "lock"), "{what}: {found}");
    assert_eq!(text(&run(&["doc", "cat", "a.txt"]).stdout), "one\n", "{what}");
    for write in
        [vec!["apply", "2", "--yes"], vec!["reject", "2", "--reason", "no"], vec!["room", "add", "more"]]
    {
        let args: Vec<&str> = write.iter().copied().chain(["--json"]).collect();
        let out = run(&args);
        let problem = parse(&text(&out.stderr));
        assert_eq!(out.status.code(), Some(3), "{what}: {args:?}: {problem}");
        assert_eq!(problem["code"], code, "{what}: {args:?}: {problem}");
        assert!(problem["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{what}: {problem}");
    }
}

/// A new store is its owner's alone: others are let at its locks first, as the README says.
fn share(room: &Room) {
    for suffix in [".lock", ".turn"] {
        let mut path = room.store().into_os_string();
        path.push(suffix);
        mode(Path::new(&path), 0o644);
    }
}

/// The store is as it was, and can be written again.
fn recovered(room: &Room) {
    assert_eq!(room.ledger().len(), 1);
    let again = room.json(&["apply", "1", "--yes"]);
    assert_eq!((&again["evidence"], &again["attempts"]), (&"kept".into(), &2.into()));
    assert_eq!(room.json(&["apply", "2", "--yes"])["outcome"], "applied");
    room.sound();
}

/// As somebody who may read the store and not write it: root as nobody, everyone else as themselves.
fn unprivileged(room: &Room, binary: &Path, args: &[&str]) -> Output {
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]).arg(binary);
        command
    } else {
        Command::new(binary)
    };
    room.prepare(&mut command);
    command.args(args).output().expect("setpriv is part of util-linux")
}

#[test]
fn in_a_folder_that_may_not_be_written_it_is_read() {
    let (room, binary) = room();
    share(&room);
    mode(&room.store(), 0o444);
    mode(room.path(), 0o555);
    promises(
        "a read-only folder",
        &|args| unprivileged(&room, &binary, args),
        "store.read_only",
        "read_only",
    );
    // A file that may be written in a folder that may not: there is no place for its log.
    mode(&room.store(), 0o666);
    promises(
        "a writable file in it",
        &|args| unprivileged(&room, &binary, args),
        "store.read_only",
        "read_only",
    );
    mode(&room.store(), 0o644);
    mode(room.path(), 0o755);
    recovered(&room);
}

/// A log with something in it is part of the store: it is read with it, or not at all.
#[test]
fn a_log_is_never_left_out() {
    let (room, binary) = room();
    // Who has the store open keeps its log from being taken in.
    let other = Connection::open(room.store()).expect("the file");
    other.query_row("SELECT count(*) FROM room", [], |row| row.get::<_, i64>(0)).expect("a read");
    room.propose("c.txt", "three\n");
    for file in ["sekali.db", "sekali.db-wal", "sekali.db-shm"] {
        mode(&room.path().join(file), 0o444);
    }
    mode(room.path(), 0o555);
    let out = unprivileged(&room, &binary, &["list", "--json"]);
    assert_eq!(parse(&text(&out.stdout))["items"].as_array().map(Vec::len), Some(3), "{out:?}");
    mode(room.path(), 0o755);
    // The same files without the shared memory: as a copy of a store that was in use has them.
    let copy = room.path().join("copy");
    std::fs::create_dir(&copy).expect("the folder is ours");
    for file in ["sekali.db", "sekali.db-wal"] {
        let done = Command::new("cp").arg(room.path().join(file)).arg(&copy).status().expect("cp is there");
        assert!(done.success());
        mode(&copy.join(file), 0o444);
    }
    mode(&copy, 0o555);
    let store = copy.join("sekali.db");
    let out = unprivileged(&room, &binary, &["list", "--json", "--store", &store.to_string_lossy()]);
    let problem = parse(&text(&out.stderr));
    assert_eq!((out.status.code(), &problem["code"]), (Some(3), &"store.read_only".into()), "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|d| d.contains("last writes")), "{problem}");
    mode(&copy, 0o755);
    drop(other);
}

/// Runs a script that mounts something in a namespace of its own, then `sekali`. `None` where the
/// system allows no mounts.
fn mounted(room: &Room, script: &str, args: &[&str]) -> Option<Output> {
    let namespace = if is_root() { "-m" } else { "-rm" };
    let script = format!("set -e; {{ {script}; }} >&2 || exit 99; shift 0; exec \"$@\"");
    let mut command = Command::new("unshare");
    room.prepare(&mut command);
    let out = command
        .args([namespace, "sh", "-c", &script, "sh"])
        .arg(sekali())
        .args(args)
        .output()
        .expect("unshare is part of util-linux");
    let refused = out.status.code() == Some(99) || text(&out.stderr).starts_with("unshare:");
    (!refused).then_some(out)
}

#[test]
fn on_a_read_only_mount_it_is_read() {
    let (room, _) = room();
    let here = room.path().display();
    let script = format!("mount --bind '{here}' '{here}' && mount -o remount,ro,bind '{here}'");
    if mounted(&room, &script, &["list"]).is_none() {
        skipped("this system allows no mounts; the folder that may not be written stands for it");
        return;
    }
    // Who runs it is in the folder since before the mount, so it must be entered anew.
    let script = format!("{script} && cd '{here}'");
    promises(
        "a read-only mount",
        &|args| mounted(&room, &script, args).expect("it was allowed before"),
        "store.read_only",
        "read_only",
    );
    recovered(&room);
}

#[test]
fn on_a_full_disk_it_is_read() {
    let (room, _) = room();
    let full = room.path().join("full");
    std::fs::create_dir(&full).expect("the folder is ours");
    let (here, there) = (room.path().display(), full.display());
    let script = format!(
        "mount -t tmpfs -o size=1m tmpfs '{there}' && cp '{here}'/sekali.db '{here}'/sekali.db.lock '{here}'/sekali.db.key '{there}'/
         dd if=/dev/zero of='{there}'/fill bs=4k 2>/dev/null; dd if=/dev/zero of='{there}'/rest bs=1 2>/dev/null; true"
    );
    let store = full.join("sekali.db");
    let store = store.to_string_lossy();
    let on_it = |args: &[&str]| {
        let args: Vec<&str> = args.iter().copied().chain(["--store", &*store]).collect();
        mounted(&room, &script, &args)
    };
    if on_it(&["list"]).is_none() {
        skipped("this system allows no mounts; calls that fail below SQLite stand for it");
        return;
    }
    promises("a full disk", &|args| on_it(args).expect("it was allowed before"), "store.full", "disk_full");
}

/// The same without a mount: no file beside the store can be given a size.
#[test]
fn where_the_shared_memory_has_no_room_it_is_read() {
    let (room, _) = room();
    let run = |args: &[&str]| {
        room.command(args)
            .env("LD_PRELOAD", shim())
            .env("SHIM_FILE", "sekali.db-shm")
            .env("SHIM_FAIL", "write")
            .env("SHIM_ERRNO", "ENOSPC")
            .env("SHIM_TIMES", "1000000")
            .output()
            .expect("the binary starts")
    };
    promises("no room for the shared memory", &run, "store.full", "");
    recovered(&room);
}
