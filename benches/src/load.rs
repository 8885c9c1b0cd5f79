//! Clients that press Apply: each is a thread that calls the engine as a host does. Every write of
//! the one transaction is in: claim, open row, effect key, document, version, entry, head.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use sekali_core::change::Submitted;
use sekali_core::decide::Outcome;
use sekali_core::role::Seen;
use sekali_core::submission::Submission;
use sekali_core::text::ActorName;
use sekali_core::{Digest, DocPath, Door};
use sekali_engine::{Caller, Engine};
use sekali_store_sqlite::{Options, SqliteStore};

use crate::bare::{Bare, SLICE};

/// Where measured files live: the disk of the working folder, not a memory file system.
pub(crate) fn folder() -> tempfile::TempDir {
    let base =
        std::env::var_os("SEKALI_BENCH_DIR").map_or_else(|| Path::new("target").to_owned(), Into::into);
    std::fs::create_dir_all(&base).expect("a folder that can be written");
    tempfile::tempdir_in(base).expect("a folder that can be written")
}

pub(crate) const ROOM: &str = "main";

pub(crate) fn caller() -> Caller {
    Caller {
        name: ActorName::parse("as", "bench").expect("a plain name"),
        door: Door::Desktop,
        os_user: Some("bench".to_owned()),
    }
}

pub(crate) fn engine(path: &Path) -> Engine {
    let store = if path.exists() {
        SqliteStore::open(path, Options::default())
    } else {
        SqliteStore::create(path, Options::default())
    };
    Engine::new(Arc::new(store.expect("a fresh folder")))
}

fn put(path: &str, text: String) -> Submitted {
    let path = DocPath::parse("path", path).expect("a plain path");
    Submitted::put(path, text)
}

fn submission(title: String, effect: Option<String>, changes: Vec<Submitted>) -> Submission {
    Submission {
        why: "Measured.".to_owned(),
        effect_keys: effect.into_iter().collect(),
        ..Submission::new(title, changes)
    }
}

/// Proposals that wait, each with its digest.
pub(crate) type Waiting = Vec<(u64, Digest)>;

/// Makes a room with `count` documents and as many proposals that each replace one.
pub(crate) fn seed(engine: &Engine, count: usize) -> Waiting {
    engine.create_room(&caller(), ROOM, "Bench").expect("a fresh store");
    let document = |n: usize| format!("docs/{:03}/{n:06}.json", n / 1_000);
    for from in (0..count).step_by(10_000) {
        let changes = (from..count.min(from + 10_000))
            .map(|n| put(&document(n), format!("{{\n  \"price\": {n},\n  \"note\": \"first\"\n}}\n")))
            .collect();
        let made = engine
            .submit(&caller(), ROOM, submission("Begin".to_owned(), None, changes))
            .expect("a good one");
        expect_applied(
            &engine.apply(&caller(), ROOM, made.number, Seen::Digest(made.digest)).expect("a good store"),
        );
    }
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..64)
            .map(|_| {
                scope.spawn(|| {
                    let mut made = Vec::new();
                    loop {
                        let n = usize::try_from(next.fetch_add(1, Ordering::Relaxed)).expect("few");
                        if n >= count {
                            return made;
                        }
                        let text = format!("{{\n  \"price\": {},\n  \"note\": \"second\"\n}}\n", n + 1);
                        let one = submission(
                            format!("Price {n}"),
                            Some(format!("price/{n}/set")),
                            vec![put(&document(n), text)],
                        );
                        let proposed = engine.submit(&caller(), ROOM, one).expect("a good one");
                        made.push((proposed.number, proposed.digest));
                    }
                })
            })
            .collect();
        let mut made: Waiting =
            threads.into_iter().flat_map(|t| t.join().expect("no thread fails")).collect();
        // Pressed in the order in which they came, as an inbox is worked through.
        made.sort_unstable();
        made
    })
}

pub(crate) fn expect_applied(outcome: &Outcome) {
    assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
}

fn expect_replayed(outcome: &Outcome) {
    assert!(matches!(outcome, Outcome::Replayed(..)), "{outcome:?}");
}

/// Presses per second over one slice, by so many clients; `most` presses at the most.
fn slice(
    engine: &Engine,
    clients: usize,
    waiting: &Waiting,
    next: &AtomicU64,
    most: usize,
    expect: fn(&Outcome),
) -> f64 {
    let end = next.load(Ordering::Relaxed) + most as u64;
    let started = Instant::now();
    let done: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = 0;
                    while started.elapsed() < SLICE {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= end {
                            break;
                        }
                        let at = usize::try_from(at).expect("few");
                        let (number, digest) = waiting[at % waiting.len()];
                        let outcome = engine.apply(&caller(), ROOM, number, Seen::Digest(digest));
                        expect(&outcome.expect("the disk takes it"));
                        done += 1;
                    }
                    done
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().expect("no thread fails")).sum()
    });
    #[expect(clippy::cast_precision_loss, reason = "few presses in half a second")]
    let done = done as f64;
    let rate = done / started.elapsed().as_secs_f64();
    next.store(end, Ordering::Relaxed);
    rate
}

/// The median of the ratios of neighbouring slices, and the median rate.
fn medians(mut pairs: Vec<(f64, f64)>) -> (f64, f64) {
    let mut ratios: Vec<f64> = pairs.iter().map(|(ours, bare)| ours / bare).collect();
    ratios.sort_by(f64::total_cmp);
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    (ratios[ratios.len() / 2], pairs[pairs.len() / 2].0)
}

const SLICES: usize = 5;

pub(crate) fn apply(clients: usize) -> (f64, f64) {
    let folder = folder();
    let engine = engine(&folder.path().join("store.db"));
    let bare = Bare::new();
    // Enough that no slice runs dry: each proposal can be applied once.
    let guess = bare.slice();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand")]
    let count = (guess * if clients == 1 { 1.0 } else { 9.0 } * SLICE.as_secs_f64()) as usize * SLICES;
    println!("apply with {clients} clients: seeding {count} proposals");
    let waiting = seed(&engine, count);
    let next = AtomicU64::new(0);
    let pairs = (0..SLICES)
        .map(|_| {
            let before = bare.slice();
            let ours = slice(&engine, clients, &waiting, &next, count / SLICES, expect_applied);
            (ours, f64::midpoint(before, bare.slice()))
        })
        .collect();
    medians(pairs)
}

pub(crate) fn replay(clients: usize) -> (f64, f64) {
    let folder = folder();
    let engine = engine(&folder.path().join("store.db"));
    let bare = Bare::new();
    println!("replay with {clients} clients");
    let waiting = seed(&engine, 1_000);
    for (number, digest) in &waiting {
        expect_applied(&engine.apply(&caller(), ROOM, *number, Seen::Digest(*digest)).expect("a good store"));
    }
    let next = AtomicU64::new(0);
    let pairs = (0..SLICES)
        .map(|_| {
            let before = bare.slice();
            let ours = slice(&engine, clients, &waiting, &next, 1_000_000, expect_replayed);
            (ours, f64::midpoint(before, bare.slice()))
        })
        .collect();
    medians(pairs)
}
