//! Four processes on one store against one: together nearly as fast, none starved, none told that
//! the store is busy.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use sekali_core::role::Seen;

use crate::Figure;
use crate::bare::SLICE;
use crate::load::{ROOM, Waiting, caller, engine, expect_applied, folder, seed};

const CLIENTS: usize = 16;
const SLICES: u32 = 6;
const PROPOSALS: usize = 60_000;

/// `worker STORE FROM TO CLIENTS`: applies the proposals of these numbers until the slice is over,
/// and prints how many a second.
pub(crate) fn worker(args: &[String]) -> ExitCode {
    let [store, from, to, clients] = args else {
        return ExitCode::from(2);
    };
    let number = |text: &String| text.parse::<u64>().expect("the parent gives numbers");
    let (from, to, clients) = (number(from), number(to), number(clients));
    let engine = engine(Path::new(store));
    let next = std::sync::atomic::AtomicU64::new(from);
    // The parent starts everyone's clock by closing our input.
    let _ = std::io::read_to_string(std::io::stdin());
    let started = Instant::now();
    let (done, busy) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    let (mut done, mut busy) = (0u64, 0u64);
                    while started.elapsed() < SLICE * 2 {
                        let n = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        if n >= to {
                            break;
                        }
                        match engine.apply(&caller(), ROOM, n, Seen::Nothing) {
                            Ok(outcome) => {
                                expect_applied(&outcome);
                                done += 1;
                            }
                            Err(_) => busy += 1,
                        }
                    }
                    (done, busy)
                })
            })
            .collect();
        threads.into_iter().fold((0, 0), |(d, b), t| {
            let (done, busy) = t.join().expect("no thread fails");
            (d + done, b + busy)
        })
    });
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let rate = done as f64 / started.elapsed().as_secs_f64();
    println!("{rate} {busy}");
    ExitCode::SUCCESS
}

/// Applies by so many processes at once: applied by each, and errors.
fn run(store: &Path, numbers: &[u64], next: &mut usize, processes: usize, each: usize) -> (Vec<f64>, u64) {
    let me = std::env::current_exe().expect("a running program has a path");
    let children: Vec<_> = (0..processes)
        .map(|_| {
            let (from, to) = (numbers[*next], numbers[(*next + each).min(numbers.len() - 1)]);
            *next += each;
            Command::new(&me)
                .args(["worker", &store.to_string_lossy(), &from.to_string(), &to.to_string()])
                .arg((CLIENTS * 4 / processes).to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("a process can be started")
        })
        .collect();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let mut counts = Vec::new();
    let mut errors = 0;
    let mut children = children;
    for child in &mut children {
        drop(child.stdin.take());
    }
    for child in children {
        let out = child.wait_with_output().expect("a process that was started ends");
        let text = String::from_utf8_lossy(&out.stdout);
        let mut words = text.split_whitespace().map(|w| w.parse::<f64>().expect("a worker prints numbers"));
        counts.push(words.next().expect("a worker prints two numbers"));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let failed = words.next().expect("a worker prints two numbers") as u64;
        errors += failed;
    }
    (counts, errors)
}

pub(crate) fn compare() -> Vec<Figure> {
    let folder = folder();
    let path = folder.path().join("store.db");
    println!("four processes against one: seeding {PROPOSALS} proposals");
    let mut numbers: Vec<u64> = {
        let waiting: Waiting = seed(&engine(&path), PROPOSALS);
        waiting.into_iter().map(|(number, _)| number).collect()
    };
    numbers.sort_unstable();
    let mut next = 0;
    let each = PROPOSALS / (SLICES as usize * 2);
    let mut ratios = Vec::new();
    let mut fairness = Vec::new();
    let (mut errors, mut rate) = (0, 0.0f64);
    for _ in 0..SLICES {
        let (one, failed) = run(&path, &numbers, &mut next, 1, each);
        errors += failed;
        let (four, failed) = run(&path, &numbers, &mut next, 4, each / 4);
        errors += failed;
        let total: f64 = four.iter().sum();
        ratios.push(total / one[0]);
        fairness.push(four.iter().copied().fold(f64::INFINITY, f64::min) / (total / 4.0));
        rate = rate.max(total);
    }
    ratios.sort_by(f64::total_cmp);
    fairness.sort_by(f64::total_cmp);
    println!("errors told to clients: {errors}");
    assert_eq!(errors, 0, "no client may be told that the store is busy");
    vec![
        Figure::at_least("processes: four beside one", ratios[ratios.len() / 2], 0.85, None, rate),
        Figure::at_least(
            "processes: slowest beside the mean",
            fairness[fairness.len() / 2],
            0.40,
            None,
            rate,
        ),
    ]
}
