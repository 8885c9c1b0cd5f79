//! Patches beside `git apply`, each in a process of its own, as a person would run them: how long, and
//! how much memory at the most. Both read the same patch; Sekali resolves it, keeps the content durably
//! and answers, git writes the files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sekali_core::change::{Mode, Submitted};
use sekali_core::patch::{self, FileChange};
use sekali_core::submission::Submission;
use sekali_core::{DocPath, Seen};
use sekali_engine::Engine;
use sekali_store_sqlite::{Options, SqliteStore};

use crate::Figure;
use crate::load::caller;

/// Runs that count; the best of each side, for both are only ever slowed down.
const RUNS: usize = 9;
const MIB: f64 = 1024.0 * 1024.0;

/// Contents before and after, by path.
struct Work {
    name: &'static str,
    files: Vec<(DocPath, Vec<u8>, Vec<u8>)>,
    /// Put in front of the documents, so that no hunk is at its line.
    moved_by: &'static [u8],
}

/// What one process took.
#[derive(Clone, Copy)]
struct Took {
    ms: f64,
    peak: f64,
}

pub(crate) fn compare() -> Vec<Figure> {
    let Some(sekali) = std::env::current_exe().ok().map(|exe| exe.with_file_name("sekali")) else {
        return Vec::new();
    };
    if !sekali.exists() {
        println!("patches: no sekali beside this program; build sekali-cli in the release profile");
        return Vec::new();
    }
    let line = |n: usize| format!("line {n} of a document that somebody wrote\n");
    let lines: String = (0..50_000).map(line).collect();
    let changed: String =
        (0..50_000).map(|n| if n % 25 == 12 { format!("{n} is new\n") } else { line(n) }).collect();
    let long: String = (0..1_450_000)
        .map(line)
        .take_while({
            let mut bytes = 0;
            move |line| {
                bytes += line.len();
                bytes <= 64 * 1024 * 1024
            }
        })
        .collect();
    let longer = long.replacen("line 700000 of", "line seven hundred thousand of", 1);
    let path = |name: &str| DocPath::parse("path", name).expect("a good path");
    let one = |before: &str, after: &str| vec![(path("a.txt"), before.into(), after.into())];
    let many = (0..10_000).map(|n| {
        let before = format!("first {n}\nsecond\nthird\n");
        (
            path(&format!("d{}/f{n}.txt", n % 100)),
            before.clone().into(),
            before.replace("second", "2nd").into(),
        )
    });
    let works = [
        Work { name: "50,000 lines, 2,000 hunks", files: one(&lines, &changed), moved_by: b"" },
        Work { name: "the same, all hunks moved", files: one(&lines, &changed), moved_by: b"one\ntwo\n" },
        Work { name: "64 MiB, one hunk", files: one(&long, &longer), moved_by: b"" },
        Work { name: "10,000 files", files: many.collect(), moved_by: b"" },
    ];
    works.iter().flat_map(|work| work.measure(&sekali)).collect()
}

impl Work {
    fn measure(&self, sekali: &Path) -> Vec<Figure> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let diff = folder.path().join("given.diff");
        let changes = self.files.iter().map(|(path, before, after)| FileChange {
            from: None,
            path,
            before: Some((&before[..], Mode::Plain)),
            after: Some((&after[..], Mode::Plain)),
        });
        let written = patch::write(changes);
        std::fs::write(&diff, &written).expect("a temporary folder");
        let store = self.store(folder.path());
        let (mut git, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let tree = self.tree(folder.path());
            git.push(took(Command::new("git").arg("apply").arg(&diff).current_dir(&tree)));
            ours.push(took(
                Command::new(sekali)
                    .args(["propose", "--json", "--title", "T", "--as", "bench", "--store"])
                    .arg(&store)
                    .arg("--patch")
                    .arg(&diff),
            ));
        }
        let best = |runs: &[Took]| Took {
            ms: runs.iter().map(|took| took.ms).fold(f64::MAX, f64::min),
            peak: runs.iter().map(|took| took.peak).fold(0.0, f64::max),
        };
        let (git, ours) = (best(&git), best(&ours));
        let bytes: usize = self.files.iter().map(|(_, before, _)| before.len()).sum();
        #[expect(clippy::cast_precision_loss, reason = "a size in MiB")]
        let allowed = 64.0 + 4.0 * (bytes + written.len()) as f64 / MIB;
        println!(
            "{}: git apply {:.0} ms, {:.0} MiB; sekali propose {:.0} ms, {:.0} MiB (allowed {allowed:.0} MiB)",
            self.name, git.ms, git.peak, ours.ms, ours.peak
        );
        vec![
            Figure::at_most(
                &format!("patch, {}: time / git", self.name),
                ours.ms / git.ms,
                3.0,
                ours.ms,
                "ms",
            ),
            Figure::at_most(
                &format!("patch, {}: memory", self.name),
                ours.peak / allowed,
                1.0,
                ours.peak,
                "MiB",
            ),
        ]
    }

    fn before(&self, content: &[u8]) -> Vec<u8> {
        [self.moved_by, content].concat()
    }

    /// The documents as files, anew.
    fn tree(&self, folder: &Path) -> PathBuf {
        let tree = folder.join("tree");
        let _ = std::fs::remove_dir_all(&tree);
        for (path, before, _) in &self.files {
            let file = tree.join(path.as_str());
            std::fs::create_dir_all(file.parent().expect("below the folder")).expect("a temporary folder");
            std::fs::write(file, self.before(before)).expect("a temporary folder");
        }
        tree
    }

    /// A store that holds them.
    fn store(&self, folder: &Path) -> PathBuf {
        let path = folder.join("s.db");
        let store = SqliteStore::create(&path, Options::default()).expect("a fresh folder");
        let engine = Engine::new(Arc::new(store));
        let ani = caller();
        engine.create_room(&ani, "main", "Main").expect("a fresh store");
        let put = |(path, before, _): &(DocPath, Vec<u8>, Vec<u8>)| {
            Submitted::put(path.clone(), self.before(before))
        };
        let submission = Submission::new("Before", self.files.iter().map(put).collect());
        let one = engine.submit(&ani, "main", submission).expect("good documents");
        let applied = engine.apply(&ani, "main", one.number, Seen::Nothing);
        assert!(matches!(applied, Ok(sekali_core::Outcome::Applied(_))), "{applied:?}");
        path
    }
}

/// Runs a command to its end. Memory is what the kernel says was resident at the most, asked until then.
fn took(command: &mut Command) -> Took {
    let began = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0f64;
    let ended = loop {
        if let Ok(Some(status)) = child.try_wait() {
            break status;
        }
        peak = peak.max(resident(&status).unwrap_or(0.0));
        std::thread::sleep(Duration::from_millis(1));
    };
    let ms = began.elapsed().as_secs_f64() * 1_000.0;
    assert!(
        ended.success(),
        "{command:?}: {:?}",
        child.wait_with_output().map(|o| String::from_utf8_lossy(&o.stderr).into_owned())
    );
    Took { ms, peak }
}

fn resident(status: &str) -> Option<f64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().split(' ').next()?.parse().ok()?;
    Some(kib / 1024.0)
}
