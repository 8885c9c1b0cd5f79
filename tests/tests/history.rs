//! Real work on real input: two hundred commits of a history, with edits, renames, mode changes, empty
//! and binary files, each turned into a proposal from git's own diff, applied twice, and held against
//! the tree; then taken back one by one to the first. Whatever changes the room goes through the binary;
//! the documents are read in this process each time, and as they are exported every so often.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use sekali_core::change::Mode;
use sekali_core::text::ActorName;
use sekali_core::{DocPath, Door};
use sekali_engine::{Caller, Engine};
use sekali_store_sqlite::{Options, SqliteStore};
use sekali_tests::{Room, number, text};

const COMMITS: usize = 200;
/// How often the documents are exported too: after every so many commits, and after as many reverts.
const EXPORTED: usize = 20;

/// Path, content and whether it is a program.
type Tree = BTreeMap<String, (Vec<u8>, bool)>;

/// The same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).expect("below a usize")
    }

    fn text(&mut self, lines: usize) -> Vec<u8> {
        let end = ["\n", "\n", "\n", "\r\n"][self.next(4)];
        let mut all = String::new();
        for _ in 0..lines {
            all += ["harga", "stok", "", "  baris", "café", "{", "}"][self.next(7)];
            let _ = write!(all, " {}{end}", self.next(9));
        }
        if self.next(5) == 0 {
            all.truncate(all.trim_end_matches(['\r', '\n']).len());
        }
        all.into_bytes()
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0];
        bytes.extend((0..length).map(|_| u8::try_from(self.next(256)).expect("a byte")));
        bytes
    }
}

struct Repository {
    at: PathBuf,
}

impl Repository {
    fn git(&self, args: &[&str]) -> Vec<u8> {
        let mut command = Command::new("git");
        command.current_dir(&self.at).args(["-c", "core.quotepath=true", "-c", "core.autocrlf=false"]);
        command.args(["-c", "user.name=Ani", "-c", "user.email=ani@example.com"]).args(args);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let out = command.output().expect("git is installed");
        assert!(out.status.success(), "git {args:?}: {}", text(&out.stderr));
        out.stdout
    }

    fn write(&self, tree: &Tree) {
        for entry in std::fs::read_dir(&self.at).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            if path.is_dir() {
                std::fs::remove_dir_all(path).expect("ours");
            } else {
                std::fs::remove_file(path).expect("ours");
            }
        }
        for (name, (content, program)) in tree {
            let path = self.at.join(name);
            std::fs::create_dir_all(path.parent().expect("below the folder")).expect("ours");
            std::fs::write(&path, content).expect("ours");
            set_program(&path, *program);
        }
    }
}

#[cfg(unix)]
fn set_program(path: &Path, program: bool) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = if program { 0o755 } else { 0o644 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("ours");
}

#[cfg(not(unix))]
fn set_program(_: &Path, _: bool) {}

/// One commit's worth of work.
fn work(tree: &mut Tree, numbers: &mut Numbers, n: usize) {
    for _ in 0..=numbers.next(3) {
        let paths: Vec<String> = tree.keys().cloned().collect();
        let any = |numbers: &mut Numbers| paths.get(numbers.next(paths.len().max(1))).cloned();
        match (numbers.next(10), any(numbers)) {
            (0 | 1, _) | (_, None) => {
                let folder = ["", "d/", "d/e f/", "é/"][numbers.next(4)];
                let name = format!("{folder}n{n}-{}.txt", numbers.next(1000));
                let content = match numbers.next(6) {
                    0 => Vec::new(),
                    1 => {
                        let length = 20 + numbers.next(3000);
                        numbers.bytes(length)
                    }
                    _ => {
                        let lines = 1 + numbers.next(40);
                        numbers.text(lines)
                    }
                };
                tree.insert(name, (content, numbers.next(5) == 0));
            }
            (2, Some(path)) if tree.len() > 5 => {
                tree.remove(&path);
            }
            (3, Some(path)) => {
                let kept = tree.remove(&path).expect("it was listed");
                tree.insert(format!("moved/{n}-{}", path.replace('/', "-")), kept);
            }
            (4, Some(path)) => tree.get_mut(&path).expect("it was listed").1 ^= true,
            (5, Some(path)) => {
                let file = tree.get_mut(&path).expect("it was listed");
                let at = numbers.next(file.0.len().max(1));
                if let Some(byte) = file.0.get_mut(at) {
                    *byte = byte.wrapping_add(1).max(1);
                }
            }
            (_, Some(path)) => {
                let file = tree.get_mut(&path).expect("it was listed");
                let mut lines: Vec<Vec<u8>> =
                    file.0.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
                let at = numbers.next(lines.len() + 1);
                let new = numbers.text(1 + n % 3);
                if numbers.next(3) == 0 && at < lines.len() {
                    lines.remove(at);
                } else if lines.last().is_none_or(|last| last.ends_with(b"\n")) || at < lines.len() {
                    let mut new = new;
                    if at < lines.len() && !new.ends_with(b"\n") {
                        new.push(b'\n');
                    }
                    lines.insert(at, new);
                }
                file.0 = lines.concat();
            }
        }
    }
}

/// Reads what other processes have written, on a connection of its own.
struct Reader {
    engine: Engine,
    caller: Caller,
}

impl Reader {
    fn of(room: &Room) -> Self {
        let store = SqliteStore::open(&room.store(), Options::default()).expect("the room's store");
        let name = ActorName::parse("as", "Ani").expect("a plain name");
        let caller = Caller { name, door: Door::Cli, os_user: None };
        Self { engine: Engine::new(Arc::new(store)), caller }
    }

    fn documents(&self) -> Tree {
        let rows = self.engine.documents(&self.caller, "main", None, 10_000).expect("a room");
        let content = |path: &DocPath| {
            self.engine.document(&self.caller, "main", path, None).expect("a document that was listed").1
        };
        let file = |path: &DocPath, mode| (path.to_string(), (content(path), mode == Mode::Executable));
        rows.iter().map(|view| file(&view.row.path, view.row.content.mode)).collect()
    }
}

/// The documents as a person gets them.
fn exported(room: &Room) -> Tree {
    let out = room.path().join("out");
    room.good(&["doc", "export", &out.display().to_string(), "--force"]);
    let mut tree = Tree::new();
    for item in room.json(&["doc", "list", "--all"])["items"].as_array().expect("items") {
        let path = item["path"].as_str().expect("a path").to_owned();
        let content = std::fs::read(out.join(&path)).expect("an exported document");
        tree.insert(path, (content, item["mode"] == "100755"));
    }
    tree
}

#[test]
fn two_hundred_commits_forward_and_back() {
    let room = Room::new();
    let repository = Repository { at: room.path().join("repository") };
    std::fs::create_dir_all(&repository.at).expect("a temporary folder");
    repository.git(&["init", "-q", "-b", "main"]);
    let reader = Reader::of(&room);
    let mut numbers = Numbers(0x5eca_1150_2026);
    let mut trees = vec![Tree::new()];
    let mut applied = Vec::new();
    let mut proposal = 0;
    repository.git(&["commit", "-q", "--allow-empty", "-m", "start"]);
    for n in 0..COMMITS {
        let mut tree = trees.last().expect("there is a first").clone();
        while tree == trees[trees.len() - 1] {
            work(&mut tree, &mut numbers, n);
        }
        repository.write(&tree);
        repository.git(&["add", "-A", "-f"]);
        repository.git(&["commit", "-q", "-m", &format!("work {n}")]);
        let diff = repository.git(&["diff", "--binary", "--full-index", "-M", "-C", "HEAD~", "HEAD"]);
        let file = room.file("given.diff", &diff).display().to_string();
        let proposed = room.json(&["propose", "--title", &format!("Work {n}"), "--patch", &file]);
        proposal += 1;
        assert_eq!(number(&proposed, "proposal"), proposal);
        let which = proposal.to_string();
        assert_eq!(room.json(&["apply", &which, "--yes"])["outcome"], "applied", "{n}");
        assert_eq!(room.json(&["apply", &which, "--yes"])["outcome"], "replayed", "{n}");
        applied.push(proposal);
        assert_eq!(reader.documents(), tree, "after commit {n}: {}", text(&diff));
        if n % EXPORTED == EXPORTED - 1 {
            assert_eq!(exported(&room), tree, "exported after commit {n}");
        }
        trees.push(tree);
    }
    trees.pop();
    for (n, done) in applied.iter().enumerate().rev() {
        let reverted = room.json(&["revert", &done.to_string()]);
        let which = number(&reverted, "proposal").to_string();
        assert_eq!(room.json(&["apply", &which, "--yes"])["outcome"], "applied", "revert of {n}");
        let tree = trees.pop().expect("one for each");
        assert_eq!(reader.documents(), tree, "revert of {n}");
        if n % EXPORTED == 0 {
            assert_eq!(exported(&room), tree, "exported after the revert of {n}");
        }
    }
    room.sound();
}
