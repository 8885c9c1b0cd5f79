//! What whole-system tests share: a room in a folder of its own, and the binaries under test,
//! run as a person or a script would run them.

#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]

pub mod forms;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// A binary under test: where `./dev test` says it is, or beside the running test.
///
/// # Panics
/// When it is in neither place: a test must not pass without what it tests.
pub fn binary(variable: &str, name: &str) -> PathBuf {
    if let Some(path) = std::env::var_os(variable) {
        return PathBuf::from(path);
    }
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| exe.ancestors().nth(2).map(|folder| folder.join(name)))
        .filter(|path| path.exists());
    beside.unwrap_or_else(|| panic!("no {name}: run ./dev test, or set {variable} to the binary"))
}

/// The `sekali` command line.
pub fn sekali() -> PathBuf {
    binary("SEKALI_BIN", "sekali")
}

/// `sekali` with fault points.
pub fn sekali_with_faults() -> PathBuf {
    binary("SEKALI_FAULT_BIN", "sekali-with-fault-points")
}

/// The many-threaded presser, with fault points.
pub fn presser() -> PathBuf {
    binary("SEKALI_PRESSER_BIN", "presser")
}

/// The repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ is in the repository").to_owned()
}

/// The corpora; without them their tests are skipped.
pub fn corpora() -> Option<PathBuf> {
    let found = std::env::var_os("SEKALI_CORPORA").map(PathBuf::from);
    if found.is_none() {
        skipped("SEKALI_CORPORA is not set");
    }
    found
}

/// Says that the test that is running does not run here, and why. What a test prints that passes is
/// not shown, so it is also written into the file that `SEKALI_SKIPPED` names, a line for each;
/// `./dev test` sets it, and counts.
///
/// # Panics
/// When that file cannot be written.
pub fn skipped(reason: &str) {
    println!("skipped: {reason}");
    let Some(list) = std::env::var_os("SEKALI_SKIPPED") else { return };
    let thread = std::thread::current();
    // One call for the line: other tests write into the same file.
    let line = format!("{}: {reason}\n", thread.name().unwrap_or("a test"));
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(list)
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("the list of skipped tests can be written");
}

/// What makes system calls fail below SQLite (`tests/shim/shim.c`), compiled once.
///
/// # Panics
/// Where there is no C compiler.
pub fn shim() -> PathBuf {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("sekali-shim-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let built = folder.join("shim.so");
        let out = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&built)
            .arg(repository().join("tests/shim/shim.c"))
            .arg("-ldl")
            .output()
            .expect("a C compiler is installed (build-essential)");
        assert!(out.status.success(), "{}", text(&out.stderr));
        built
    })
    .clone()
}

/// A store with one room, in a folder that vanishes.
pub struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    /// `sekali init`, as Ani, a maintainer.
    pub fn new() -> Self {
        let room = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        room.good(&["init"]);
        room
    }

    /// A folder without a store.
    pub fn nothing() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// The folder of the test.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The store's file.
    pub fn store(&self) -> PathBuf {
        self.path().join("sekali.db")
    }

    /// Makes a command run here: its own home, its own store, Ani unless `--as` says otherwise.
    pub fn prepare(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path())
            .env("USER", "ani")
            .env("SEKALI_AS", "Ani")
            .env("SEKALI_STORE", self.store())
            .env("SEKALI_LANG", "en")
            .env("TZ", "Asia/Jakarta")
            .current_dir(self.path())
            .stdin(Stdio::null());
    }

    /// A `sekali` command, not yet started.
    pub fn command(&self, args: &[&str]) -> Command {
        self.command_of(&sekali(), args)
    }

    /// A command of another binary, not yet started.
    pub fn command_of(&self, binary: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(binary);
        self.prepare(&mut command);
        command.args(args);
        command
    }

    /// Runs `sekali`.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the binary starts")
    }

    /// Runs `sekali`, which must succeed; gives what it printed.
    pub fn good(&self, args: &[&str]) -> String {
        let out = self.run(args);
        assert!(out.status.success(), "sekali {args:?}: {}", text(&out.stderr));
        text(&out.stdout)
    }

    /// Runs `sekali … --json`, which must succeed.
    pub fn json(&self, args: &[&str]) -> Value {
        let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        parse(&self.good(&args))
    }

    /// Runs `sekali … --json`, which must be refused: its exit and its problem.
    pub fn refused(&self, args: &[&str]) -> (i32, Value) {
        let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        let out = self.run(&args);
        assert!(!out.status.success(), "sekali {args:?} should be refused: {}", text(&out.stdout));
        assert_eq!(text(&out.stdout), "", "a refusal prints nothing on standard output");
        (out.status.code().expect("it exited"), parse(&text(&out.stderr)))
    }

    /// Writes a file into the test's folder.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).expect("a temporary folder can be written");
        path
    }

    /// Proposes that `path` be `content`; gives number and digest.
    pub fn propose(&self, path: &str, content: &str) -> (u64, String) {
        let file = self.file("content", content);
        let put = format!("{path}={}", file.display());
        let proposed = self.json(&["propose", "--title", &format!("Set {path}"), "--put", &put]);
        (number(&proposed, "proposal"), string(&proposed, "digest"))
    }

    /// All ledger entries, oldest first.
    pub fn ledger(&self) -> Vec<Value> {
        self.good(&["ledger", "--json"]).lines().map(parse).collect()
    }

    /// `doctor` must find nothing damaged.
    pub fn sound(&self) {
        let out = self.run(&["doctor", "--json"]);
        assert!(out.status.success(), "doctor: {}{}", text(&out.stdout), text(&out.stderr));
    }
}

impl Default for Room {
    fn default() -> Self {
        Self::new()
    }
}

/// What a process printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads JSON.
pub fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("not JSON ({e}): {text:?}"))
}

/// A member that is a number.
pub fn number(value: &Value, member: &str) -> u64 {
    value[member].as_u64().unwrap_or_else(|| panic!("{member} is a number in {value}"))
}

/// A member that is a string.
pub fn string(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_else(|| panic!("{member} is a string in {value}")).to_owned()
}

/// Waits for children that were all started before the first is waited for.
pub fn all(commands: Vec<Command>) -> Vec<Output> {
    let children: Vec<_> = commands
        .into_iter()
        .map(|mut c| c.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts"))
        .collect();
    children.into_iter().map(|c| c.wait_with_output().expect("a child that was started ends")).collect()
}
