//! `./dev bench`: how fast Apply is beside *bare*, one INSERT per transaction in the same run on
//! the same disk (WAL, synchronous FULL), what a patch costs beside `git apply`, and the desktop beside an
//! empty window. Ratios
//! are what is quoted; rates, times and sizes depend on the machine. A run whose bare rate is under
//! 3,000/s is inconclusive: tried five times, then exit 75.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod bare;
#[cfg(target_os = "linux")]
mod desktop;
mod load;
#[cfg(target_os = "linux")]
mod patches;
mod processes;

use std::process::ExitCode;

/// Below this the disk or the machine is too slow or too busy to say anything.
const CONCLUSIVE_BARE_RATE: f64 = 3_000.0;
const TRIES: u32 = 5;
/// `EX_TEMPFAIL` of sysexits.h.
const INCONCLUSIVE: u8 = 75;

/// Which side of the wanted ratio is the good one.
#[derive(Clone, Copy)]
enum Wanted {
    /// It is told for comparison.
    Nothing,
    AtLeast(f64),
    AtMost(f64),
}

/// One line of the result.
struct Figure {
    name: String,
    ratio: f64,
    wanted: Wanted,
    stretch: Option<f64>,
    /// What was measured, for this machine alone.
    measured: f64,
    unit: &'static str,
}

impl Figure {
    fn at_least(name: &str, ratio: f64, wanted: f64, stretch: Option<f64>, rate: f64) -> Self {
        let wanted = Wanted::AtLeast(wanted);
        Self { name: name.to_owned(), ratio, wanted, stretch, measured: rate, unit: "/s" }
    }

    #[cfg(target_os = "linux")]
    fn at_most(name: &str, ratio: f64, wanted: f64, measured: f64, unit: &'static str) -> Self {
        Self { name: name.to_owned(), ratio, wanted: Wanted::AtMost(wanted), stretch: None, measured, unit }
    }

    fn told(name: &str, ratio: f64, measured: f64, unit: &'static str) -> Self {
        Self { name: name.to_owned(), ratio, wanted: Wanted::Nothing, stretch: None, measured, unit }
    }

    fn reached(&self) -> bool {
        match self.wanted {
            Wanted::AtLeast(wanted) => self.ratio >= wanted,
            Wanted::AtMost(wanted) => self.ratio <= wanted,
            Wanted::Nothing => true,
        }
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "worker") {
        return processes::worker(&args[1..]);
    }
    let only = args.first().map(String::as_str);
    let mut figures = Vec::new();
    // First, while the machine is as it was found.
    #[cfg(target_os = "linux")]
    if wants(only, "desktop") {
        figures.extend(desktop::compare());
    }
    #[cfg(target_os = "linux")]
    if wants(only, "patches") {
        figures.extend(patches::compare());
    }
    let conclusive = !STORE.iter().any(|name| wants(only, name)) || bare_is_conclusive();
    if conclusive {
        figures.extend(store(only));
    }
    let reached = report(&figures);
    if !conclusive {
        println!("inconclusive: this machine is too slow or too busy to measure Apply on");
        return ExitCode::from(INCONCLUSIVE);
    }
    if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn wants(only: Option<&str>, name: &str) -> bool {
    only.is_none_or(|only| name.starts_with(only))
}

/// Whether anything can be said of Apply here and now.
fn bare_is_conclusive() -> bool {
    for attempt in 1..=TRIES {
        let bare = bare::rate();
        println!("bare: {bare:.0} transactions/s (one INSERT each, WAL, synchronous FULL)");
        if bare >= CONCLUSIVE_BARE_RATE {
            return true;
        }
        println!("inconclusive: bare is under {CONCLUSIVE_BARE_RATE:.0}/s (attempt {attempt} of {TRIES})");
    }
    false
}

/// What is measured beside *bare*.
const STORE: [&str; 5] =
    ["apply, 1 client", "apply, 64 clients", "apply, 256 clients", "replay, 64 clients", "processes"];

fn store(only: Option<&str>) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (name, clients, wanted, stretch) in
        [(STORE[0], 1, 0.50, 0.60), (STORE[1], 64, 3.0, 4.5), (STORE[2], 256, 4.0, 6.0)]
    {
        if wants(only, name) {
            let (ratio, rate) = load::apply(clients);
            figures.push(Figure::at_least(name, ratio, wanted, Some(stretch), rate));
        }
    }
    if wants(only, STORE[3]) {
        let (ratio, rate) = load::replay(64);
        figures.push(Figure::at_least(STORE[3], ratio, 6.0, None, rate));
    }
    if wants(only, STORE[4]) {
        figures.extend(processes::compare());
    }
    figures
}

fn report(figures: &[Figure]) -> bool {
    println!("\n{:<48} {:>8} {:>8} {:>8} {:>14}", "", "ratio", "wanted", "stretch", "measured");
    for f in figures {
        let wanted = match f.wanted {
            Wanted::AtLeast(wanted) => format!("≥ {wanted:.2}"),
            Wanted::AtMost(wanted) => format!("≤ {wanted:.2}"),
            Wanted::Nothing => String::new(),
        };
        let stretch = f.stretch.map(|s| format!("{s:.2}")).unwrap_or_default();
        let measured = format!("{:.0} {}", f.measured, f.unit);
        let missed = if f.reached() { "" } else { "NOT REACHED" };
        println!("{:<48} {:>8.2} {wanted:>8} {stretch:>8} {measured:>14} {missed}", f.name, f.ratio);
    }
    figures.iter().all(Figure::reached)
}
