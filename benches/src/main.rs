//! `./dev bench`: how fast Apply is beside *bare*, one INSERT per transaction in the same run on
//! the same disk (WAL, synchronous FULL). Ratios are what is quoted; rates depend on the machine.
//! A run whose bare rate is under 3,000/s is inconclusive: tried five times, then exit 75.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod bare;
mod load;
mod processes;

use std::process::ExitCode;

/// Below this the disk or the machine is too slow or too busy to say anything.
const CONCLUSIVE_BARE_RATE: f64 = 3_000.0;
const TRIES: u32 = 5;
/// `EX_TEMPFAIL` of sysexits.h.
const INCONCLUSIVE: u8 = 75;

/// One line of the result.
struct Figure {
    name: String,
    ratio: f64,
    /// What it must reach; a figure without is told for comparison.
    wanted: Option<f64>,
    stretch: Option<f64>,
    rate: f64,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "worker") {
        return processes::worker(&args[1..]);
    }
    let only = args.first().cloned();
    for attempt in 1..=TRIES {
        let bare = bare::rate();
        println!("bare: {bare:.0} transactions/s (one INSERT each, WAL, synchronous FULL)");
        if bare < CONCLUSIVE_BARE_RATE {
            println!(
                "inconclusive: bare is under {CONCLUSIVE_BARE_RATE:.0}/s (attempt {attempt} of {TRIES})"
            );
            continue;
        }
        return report(&figures(only.as_deref()));
    }
    println!("inconclusive: this machine is too slow or too busy to measure Apply on");
    ExitCode::from(INCONCLUSIVE)
}

fn wants(only: Option<&str>, name: &str) -> bool {
    only.is_none_or(|only| name.starts_with(only))
}

fn figures(only: Option<&str>) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (name, clients, wanted, stretch) in [
        ("apply, 1 client", 1, 0.50, 0.60),
        ("apply, 64 clients", 64, 3.0, 4.5),
        ("apply, 256 clients", 256, 4.0, 6.0),
    ] {
        if wants(only, name) {
            let (ratio, rate) = load::apply(clients);
            figures.push(Figure {
                name: name.to_owned(),
                ratio,
                wanted: Some(wanted),
                stretch: Some(stretch),
                rate,
            });
        }
    }
    if wants(only, "replay, 64 clients") {
        let (ratio, rate) = load::replay(64);
        figures.push(Figure {
            name: "replay, 64 clients".to_owned(),
            ratio,
            wanted: Some(6.0),
            stretch: None,
            rate,
        });
    }
    if wants(only, "processes") {
        figures.extend(processes::compare());
    }
    figures
}

fn report(figures: &[Figure]) -> ExitCode {
    let mut reached = true;
    println!("\n{:<48} {:>8} {:>8} {:>8} {:>10}", "", "ratio", "wanted", "stretch", "per second");
    for f in figures {
        let ok = f.wanted.is_none_or(|wanted| f.ratio >= wanted);
        reached &= ok;
        let shown = |mark: Option<f64>| mark.map(|m| format!("{m:.2}")).unwrap_or_default();
        println!(
            "{:<48} {:>8.2} {:>8} {:>8} {:>10.0} {}",
            f.name,
            f.ratio,
            shown(f.wanted),
            shown(f.stretch),
            f.rate,
            if ok { "" } else { "NOT REACHED" }
        );
    }
    if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
