//! Points named after the lines of the one transaction, at which a test may kill the process or
//! panic. Without the feature `fault-points` a point is nothing at all.
//!
//! `SEKALI_FAULT=NAME:ACTION` acts at that point (`kill`, `panic`, or `log` for nothing else), from
//! its `SEKALI_FAULT_AFTER`-th pass on (default 1), at most `SEKALI_FAULT_TIMES` times (default
//! always); `SEKALI_FAULT_LOG` names a file to which each such pass is appended.

/// Every point, in the order in which Apply passes them.
pub const POINTS: &[&str] = &[
    "apply.begin",
    "apply.may",
    "apply.claimed",
    "apply.opened",
    "apply.effects",
    "apply.changed",
    "apply.appended",
    "commit.before",
    "commit.after",
    "answer.before",
];

/// Passes a point.
#[cfg(not(feature = "fault-points"))]
#[inline]
pub fn point(_name: &'static str) {}

/// Passes a point.
#[cfg(feature = "fault-points")]
pub fn point(name: &'static str) {
    use std::sync::atomic::{AtomicU64, Ordering};
    static PASSES: AtomicU64 = AtomicU64::new(0);

    let Ok(wanted) = std::env::var("SEKALI_FAULT") else { return };
    let Some((point, action)) = wanted.split_once(':') else { return };
    if point != name {
        return;
    }
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let pass = PASSES.fetch_add(1, Ordering::SeqCst) + 1;
    let after = number("SEKALI_FAULT_AFTER", 1);
    if pass < after || pass - after >= number("SEKALI_FAULT_TIMES", u64::MAX) {
        return;
    }
    if let Ok(log) = std::env::var("SEKALI_FAULT_LOG") {
        use std::io::Write as _;
        let file = std::fs::OpenOptions::new().create(true).append(true).open(log);
        let _ = file.and_then(|mut f| writeln!(f, "{name}"));
    }
    match action {
        "log" => {}
        "panic" => panic!("fault point {name}"),
        // A process that kills itself runs no destructor and flushes nothing.
        _ => {
            let pid = std::process::id().to_string();
            let _ = std::process::Command::new("kill").args(["-9", &pid]).status();
            loop {
                std::thread::park();
            }
        }
    }
}
