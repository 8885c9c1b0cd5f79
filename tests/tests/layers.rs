//! The layers hold (docs/ARCHITECTURE.md): who may depend on whom, who may open the store's files,
//! and what the desktop binary exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use cargo_metadata::{DependencyKind, MetadataCommand};
use sekali_tests::{binary, repository, text};

/// Which of our crates each of them may name, outside tests.
fn edges() -> BTreeMap<&'static str, Vec<&'static str>> {
    BTreeMap::from([
        ("sekali-core", vec![]),
        ("sekali-store", vec!["sekali-core"]),
        ("sekali-store-sqlite", vec!["sekali-core", "sekali-store"]),
        ("sekali-engine", vec!["sekali-core", "sekali-store"]),
        ("sekali-api", vec!["sekali-core", "sekali-store", "sekali-engine"]),
        (
            "sekali-cli",
            vec!["sekali-core", "sekali-store", "sekali-store-sqlite", "sekali-engine", "sekali-api"],
        ),
        (
            "sekali-desktop",
            vec!["sekali-core", "sekali-store", "sekali-store-sqlite", "sekali-engine", "sekali-api"],
        ),
    ])
}

/// What stands outside the product and may name any of it.
const OUTSIDE: [&str; 4] = ["sekali-tests", "sekali-test-host", "sekali-benches", "sekali-empty-window"];

/// What nothing below the API may know.
const TRANSPORTS: [&str; 5] = ["tauri", "axum", "clap", "tokio", "reqwest"];
const BELOW_API: [&str; 4] = ["sekali-core", "sekali-store", "sekali-store-sqlite", "sekali-engine"];

/// Edges of the workspace that the table does not allow, and tables that name crates which are not
/// there.
fn broken(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let allowed = edges();
    let mut broken = Vec::new();
    for (package, dependencies) in graph {
        if OUTSIDE.contains(&package.as_str()) {
            continue;
        }
        let Some(may) = allowed.get(package.as_str()) else {
            broken.push(format!("{package} is in no layer"));
            continue;
        };
        for dependency in dependencies {
            if dependency.starts_with("sekali-") && !may.contains(&dependency.as_str()) {
                broken.push(format!("{package} -> {dependency}"));
            }
            if BELOW_API.contains(&package.as_str()) && TRANSPORTS.contains(&dependency.as_str()) {
                broken.push(format!("{package} knows {dependency}"));
            }
            if dependency == "rusqlite" && package != "sekali-store-sqlite" {
                broken.push(format!("{package} names the driver {dependency}"));
            }
        }
    }
    for package in allowed.keys() {
        if !graph.contains_key(*package) {
            broken.push(format!("{package} is not in the workspace"));
        }
    }
    broken
}

fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = MetadataCommand::new()
        .manifest_path(repository().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo describes the workspace");
    let normal = |d: &&cargo_metadata::Dependency| d.kind == DependencyKind::Normal;
    metadata
        .packages
        .iter()
        .map(|p| (p.name.to_string(), p.dependencies.iter().filter(normal).map(|d| d.name.clone()).collect()))
        .collect()
}

#[test]
fn each_crate_names_only_the_layers_below_it() {
    assert_eq!(broken(&graph()), Vec::<String>::new());
}

#[test]
fn an_added_edge_is_found() {
    let check = |package: &str, dependency: &str| {
        let mut graph = graph();
        graph.get_mut(package).expect("a crate of ours").insert(dependency.to_owned());
        assert_eq!(broken(&graph).len(), 1, "{package} -> {dependency}");
    };
    check("sekali-core", "sekali-store");
    check("sekali-engine", "sekali-store-sqlite");
    check("sekali-store", "tokio");
    check("sekali-engine", "rusqlite");
    check("sekali-api", "sekali-store-sqlite");
}

/// Every Rust file of the product.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry of it").path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && !["target", "tests", "node_modules", "gen"].contains(&name.as_str()) {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            let content = std::fs::read_to_string(&path).expect("a source file");
            found.push((path.strip_prefix(repository()).unwrap_or(&path).display().to_string(), content));
        }
    }
}

/// Reading a store through `std::fs` in the process that has it open drops SQLite's locks. So in
/// the crate that knows the store's files only these touch the file system, and never the store.
#[test]
fn only_sqlite_opens_the_stores_files() {
    let mut found = Vec::new();
    sources(&repository().join("crates/store-sqlite"), &mut found);
    assert!(found.len() > 10, "the sources were found");
    // What may open files: the lock and the signing key, each under its own suffix.
    let openers =
        ["File::", "OpenOptions", "fs::read", "fs::write", "fs::copy", "fs::rename", "fs::hard_link"];
    // And a store that no connection is open on may be given its name.
    let allowed = [
        "crates/store-sqlite/src/lock.rs",
        "crates/store-sqlite/src/signing_key.rs",
        "crates/store-sqlite/src/whole.rs",
    ];
    for (path, content) in &found {
        for opener in openers {
            // `read_dir` and the like do not open a store either, but nothing here needs them.
            assert!(
                !content.contains(opener) || allowed.contains(&path.as_str()),
                "{path} has {opener}: only SQLite may open STORE, STORE-wal and STORE-shm"
            );
        }
    }
    let lock = &found.iter().find(|(p, _)| p == allowed[0]).expect("lock.rs").1;
    assert!(lock.contains("\".lock\"") && !lock.contains("-wal"));
    let whole = &found.iter().find(|(p, _)| p == allowed[2]).expect("whole.rs").1;
    for opener in ["OpenOptions", "fs::read", "fs::write", "fs::copy", "fs::hard_link"] {
        assert!(
            !whole.contains(opener),
            "whole.rs has {opener}; it renames, and opens its own lock and folders"
        );
    }
    let key = &found.iter().find(|(p, _)| p == allowed[1]).expect("signing_key.rs").1;
    assert!(key.contains("\".key\"") && !key.contains("-wal"));
    // Elsewhere nobody builds the names of SQLite's files, but for those who ask `stat` and for the list
    // of what must not be read as content, and there nothing is opened.
    let named = [
        "crates/store-sqlite/src/open.rs",
        "crates/engine/src/places.rs",
        "crates/store-sqlite/src/still.rs",
        "crates/store-sqlite/src/create.rs",
    ];
    for part in ["crates", "src-tauri"] {
        let mut found = Vec::new();
        sources(&repository().join(part), &mut found);
        for (path, content) in found {
            // Unit tests stand at the end of a file, and may ask what a name does.
            let content = content.split("mod tests {").next().unwrap_or_default();
            let names = content.contains("-wal\"") || content.contains("-shm\"");
            assert!(!names || named.contains(&path.as_str()), "{path} names a file of SQLite's");
            assert!(path != named[1] || !content.contains("File::"), "{path} opens a file");
        }
    }
}

/// WebKitGTK loads the system's SQLite: ours must not be found in its place.
#[test]
fn the_desktop_exports_no_sqlite() {
    let desktop = binary("SEKALI_DESKTOP_BIN", "sekali-desktop");
    let out =
        Command::new("nm").args(["-D", "--defined-only"]).arg(&desktop).output().expect("nm is installed");
    assert!(out.status.success(), "{}", text(&out.stderr));
    let symbols: Vec<String> =
        text(&out.stdout).lines().filter(|line| line.contains("sqlite3")).map(str::to_owned).collect();
    assert_eq!(symbols, Vec::<String>::new());
    // The check can fail: the program does contain SQLite.
    let bytes = std::fs::read(&desktop).expect("the binary");
    assert!(bytes.windows(15).any(|w| w == b"SQLite format 3"), "the desktop contains SQLite");
}

/// Fault points are absent from what is shipped.
#[test]
fn shipped_binaries_have_no_fault_points() {
    for (variable, name) in [("SEKALI_BIN", "sekali"), ("SEKALI_DESKTOP_BIN", "sekali-desktop")] {
        let bytes = std::fs::read(binary(variable, name)).expect("the binary");
        assert!(!bytes.windows(12).any(|w| w == b"SEKALI_FAULT"), "{name} has fault points");
    }
    let bytes = std::fs::read(sekali_tests::sekali_with_faults()).expect("the binary");
    assert!(bytes.windows(12).any(|w| w == b"SEKALI_FAULT"), "the check can fail");
}
