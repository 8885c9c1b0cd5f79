//! The desktop beside an empty Tauri window, both as a person meets them: how long from starting the
//! program to a window that takes input, and how much memory its processes hold.
//!
//! Both are watched from outside, on the X server: a window names itself once what it names has been
//! drawn. Sekali's is then called after the proposal whose difference is on the screen, which is when
//! `A` would apply it; the empty one is called `Drawn`.

mod memory;
mod screen;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sekali_core::Lang;
use sekali_engine::{Engine, demo};
use sekali_store_sqlite::{Options, SqliteStore};

use self::screen::Screen;
use crate::Figure;
use crate::load::{caller, folder};

/// Pairs that count, after one that fills caches.
const PAIRS: usize = 9;
/// How long a window that takes input is left alone before its memory is read: what it frees after
/// it has started is not announced, and both windows get the same time.
const SETTLE: Duration = Duration::from_secs(2);
/// A bus that starts services for the first time may keep a window waiting for its own 25 s, twice.
const PATIENCE: Duration = Duration::from_mins(2);

/// A program and what its window is called once it takes input.
struct Program {
    binary: PathBuf,
    home: PathBuf,
    store: Option<PathBuf>,
    named: fn(&str) -> bool,
}

/// One start: milliseconds until it took input, and the memory of its processes in MiB.
#[derive(Clone, Copy)]
struct Start {
    ms: f64,
    mib: f64,
}

/// Ends with the measurement, whatever happens to that.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    fn beside(name: &str, home: &Path, store: Option<PathBuf>, named: fn(&str) -> bool) -> Option<Self> {
        let binary = std::env::current_exe().expect("a running program has a path").with_file_name(name);
        if !binary.exists() {
            println!("desktop: skipped, {} is not built; ./dev bench builds it", binary.display());
            return None;
        }
        let home = home.join(name);
        std::fs::create_dir_all(home.join("run")).expect("a folder that can be written");
        Some(Self { binary, home, store, named })
    }

    /// Starts it as its user would, with a home that only it has used.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("SEKALI_") || name.starts_with("XDG_") || name.starts_with("LC_") {
                command.env_remove(&*name);
            }
        }
        command
            .env("HOME", &self.home)
            .env("XDG_RUNTIME_DIR", self.home.join("run"))
            .env("USER", "bench")
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if let Some(store) = &self.store {
            command.env("SEKALI_STORE", store);
        }
        command
    }

    fn start(&self, screen: &Screen) -> Start {
        let mut command = self.command();
        screen.forget();
        let began = Instant::now();
        let mut process = Ends(command.spawn().expect("a program that was just built starts"));
        let window = screen.wait_for(self.named, PATIENCE).expect("the window takes input");
        let ms = began.elapsed().as_secs_f64() * 1_000.0;
        std::thread::sleep(SETTLE);
        let mib = memory::of_tree(process.0.id());
        screen.close(window);
        let patience = Instant::now() + PATIENCE;
        while !matches!(process.0.try_wait(), Ok(Some(_))) {
            assert!(Instant::now() < patience, "a window that was closed ends its program");
            // `Child` waits for ever or not at all.
            std::thread::sleep(Duration::from_millis(20));
        }
        Start { ms, mib }
    }
}

/// Start and memory beside the empty window; nothing, with the reason printed, where there is no display.
pub(crate) fn compare() -> Vec<Figure> {
    let Some(screen) = Screen::open() else {
        println!("desktop: skipped, there is no X display; ./dev bench brings one");
        return Vec::new();
    };
    let folder = folder();
    // Programs that start elsewhere must find it.
    let home = std::path::absolute(folder.path()).expect("a folder that was just made");
    let store = home.join("demo.db");
    let (Some(sekali), Some(empty)) = (
        Program::beside("sekali-desktop", &home, Some(store.clone()), |name| name.starts_with('#')),
        Program::beside("sekali-empty-window", &home, None, |name| name == "Drawn"),
    ) else {
        return Vec::new();
    };
    let engine =
        Engine::new(Arc::new(SqliteStore::create(&store, Options::default()).expect("a fresh folder")));
    demo::build(&engine, &caller(), Lang::En, &mut |_, _| ()).expect("a fresh store");
    drop(engine);

    println!(
        "desktop: the demo room and an empty window, started in turn, {PAIRS} pairs after one that warms up"
    );
    println!("{:>16} {:>12} {:>16} {:>12}", "ours, ms", "empty, ms", "ours, MiB PSS", "empty, MiB");
    let mut pairs = Vec::new();
    for pair in 0..=PAIRS {
        // Neither is always the first of its pair.
        let (ours, empty) = if pair % 2 == 0 {
            let ours = sekali.start(&screen);
            (ours, empty.start(&screen))
        } else {
            let empty = empty.start(&screen);
            (sekali.start(&screen), empty)
        };
        if pair > 0 {
            println!("{:>16.0} {:>12.0} {:>16.0} {:>12.0}", ours.ms, empty.ms, ours.mib, empty.mib);
            pairs.push((ours, empty));
        }
    }
    let figure = |name: &str, wanted, unit, of: fn(&Start) -> f64| {
        let ratio = median(pairs.iter().map(|(ours, empty)| of(ours) / of(empty)));
        let measured = median(pairs.iter().map(|(ours, _)| of(ours)));
        Figure::at_most(name, ratio, wanted, measured, unit)
    };
    vec![
        figure("desktop: start beside an empty window", 1.5, "ms", |start| start.ms),
        figure("desktop: memory beside an empty window", 1.25, "MiB", |start| start.mib),
    ]
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
