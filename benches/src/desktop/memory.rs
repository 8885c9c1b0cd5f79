//! The memory of a program and all that it started. Proportional set size: pages that processes
//! share count once, whoever shares them.

use std::collections::{HashMap, HashSet};

/// PSS of a process and its descendants, in MiB.
pub(crate) fn of_tree(root: u32) -> f64 {
    let parents = parents();
    let mut tree = HashSet::from([root]);
    loop {
        let before = tree.len();
        tree.extend(
            parents.iter().filter(|(_, parent)| tree.contains(parent)).map(|(id, _)| *id).collect::<Vec<_>>(),
        );
        if tree.len() == before {
            break;
        }
    }
    // A window without the process that draws its page would be another thing than what was meant.
    assert!(tree.len() > 1, "the web view of {root} is not among the processes that it started");
    #[expect(clippy::cast_precision_loss, reason = "a few hundred thousand KiB")]
    let kib = tree.into_iter().filter_map(pss_kib).sum::<u64>() as f64;
    kib / 1024.0
}

fn parents() -> HashMap<u32, u32> {
    let entries = std::fs::read_dir("/proc").expect("Linux has /proc");
    entries
        .filter_map(|entry| {
            let id: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
            Some((id, field(&status, "PPid:")?.try_into().ok()?))
        })
        .collect()
}

/// Nothing for a process that has ended meanwhile.
fn pss_kib(id: u32) -> Option<u64> {
    field(&std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?, "Pss:")
}

fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}
