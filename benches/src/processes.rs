//! Four processes on one store against one, each with as many clients: together nearly as fast, none
//! starved, none told that the store is busy. Beside it, as a figure without a mark, the same number of
//! clients in one process.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::time::Instant;

use sekali_core::role::Seen;

use crate::Figure;
use crate::bare::SLICE;
use crate::load::{ROOM, Waiting, caller, engine, expect_applied, folder, seed};

const CLIENTS: usize = 16;
const SLICES: usize = 5;
/// Proposals of one run: more than any run gets through.
const EACH_RUN: usize = 16_000;
const PROPOSALS: usize = SLICES * 3 * EACH_RUN;

/// `worker STORE FROM TO CLIENTS`: applies the proposals of these numbers until the slice is over,
/// and prints how many a second, after a line that says when it is ready.
pub(crate) fn worker(args: &[String]) -> ExitCode {
    let [store, from, to, clients] = args else {
        return ExitCode::from(2);
    };
    let number = |text: &String| text.parse::<u64>().expect("the parent gives numbers");
    let (from, to, clients) = (number(from), number(to), number(clients));
    let engine = engine(Path::new(store));
    let next = std::sync::atomic::AtomicU64::new(from);
    // The store is open; the parent starts everyone's clock by closing our input.
    println!("ready");
    let _ = std::io::read_to_string(std::io::stdin());
    let started = Instant::now();
    let (done, busy) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    let (mut done, mut busy) = (0u64, 0u64);
                    while started.elapsed() < SLICE {
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

/// Runs of processes on one store, each on proposals of its own.
struct Run<'a> {
    store: &'a Path,
    numbers: &'a [u64],
    next: usize,
    errors: u64,
}

impl Run<'_> {
    /// Applies a second by each of so many processes at once, of so many clients each.
    fn processes(&mut self, processes: usize, clients: usize) -> Vec<f64> {
        let me = std::env::current_exe().expect("a running program has a path");
        let each = EACH_RUN / processes;
        let mut children: Vec<_> = (0..processes)
            .map(|_| {
                let (from, to) = (self.numbers[self.next], self.numbers[self.next + each - 1] + 1);
                self.next += each;
                Command::new(&me)
                    .args(["worker", &self.store.to_string_lossy(), &from.to_string(), &to.to_string()])
                    .arg(clients.to_string())
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .spawn()
                    .expect("a process can be started")
            })
            .collect();
        let outputs: Vec<_> = children
            .iter_mut()
            .map(|child| {
                let mut output = BufReader::new(child.stdout.take().expect("its output is ours"));
                let mut ready = String::new();
                output.read_line(&mut ready).expect("a worker prints text");
                assert_eq!(ready, "ready\n", "a worker opens the store");
                output
            })
            .collect();
        for child in &mut children {
            drop(child.stdin.take());
        }
        let rate = |(mut child, mut output): (Child, BufReader<ChildStdout>)| {
            let mut text = String::new();
            output.read_to_string(&mut text).expect("a worker prints text");
            child.wait().expect("a process that was started ends");
            let mut words =
                text.split_whitespace().map(|w| w.parse::<f64>().expect("a worker prints numbers"));
            let rate = words.next().expect("a worker prints two numbers");
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
            let failed = words.next().expect("a worker prints two numbers") as u64;
            self.errors += failed;
            rate
        };
        children.into_iter().zip(outputs).map(rate).collect()
    }
}

pub(crate) fn compare() -> Vec<Figure> {
    let folder = folder();
    let path = folder.path().join("store.db");
    println!("four processes against one: seeding {PROPOSALS} proposals");
    let numbers: Vec<u64> = {
        let waiting: Waiting = seed(&engine(&path), PROPOSALS);
        waiting.into_iter().map(|(number, _)| number).collect()
    };
    let mut run = Run { store: &path, numbers: &numbers, next: 0, errors: 0 };
    let (mut beside_one, mut beside_all, mut fairness) = (Vec::new(), Vec::new(), Vec::new());
    let mut rate = 0.0f64;
    for _ in 0..SLICES {
        let one = run.processes(1, CLIENTS)[0];
        let all = run.processes(1, 4 * CLIENTS)[0];
        let four = run.processes(4, CLIENTS);
        let total: f64 = four.iter().sum();
        beside_one.push(total / one);
        beside_all.push(total / all);
        fairness.push(four.iter().copied().fold(f64::INFINITY, f64::min) / (total / 4.0));
        rate = rate.max(total);
    }
    println!("errors told to clients: {}", run.errors);
    assert_eq!(run.errors, 0, "no client may be told that the store is busy");
    vec![
        Figure::at_least(
            "processes: four of 16 clients beside one of 16",
            median(beside_one),
            0.85,
            None,
            rate,
        ),
        Figure::told("processes: four of 16 clients beside one of 64", median(beside_all), rate, "/s"),
        Figure::at_least("processes: slowest beside the mean", median(fairness), 0.40, None, rate),
    ]
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
