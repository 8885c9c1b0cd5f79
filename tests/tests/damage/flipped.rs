//! A real store with bytes flipped, zeroed or filled at seeded places: what is used afterwards fails
//! as damage or answers rightly; it never panics, hangs or calls it a defect.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sekali_core::code::Kind;
use sekali_core::decide::{Outcome, Standing};
use sekali_core::hash::Digest;
use sekali_core::role::{Seen, State};
use sekali_core::{Code, DocPath};
use sekali_engine::export::Options as Export;
use sekali_engine::{Engine, demo};
use sekali_store::{Store, StoreError, read};
use sekali_store_sqlite::{Options, SqliteStore};
use sekali_tests::{Room, text};

use crate::{caller, changed, demo_store, put};

/// What the sound store says, against which the answers of damaged ones are held.
struct Truth {
    /// Number, digest, and where it stands: `Some(seq)` for applied.
    proposals: Vec<(u64, Digest, State, Option<u64>)>,
    /// What each document holds.
    documents: Vec<(DocPath, Vec<u8>)>,
}

fn truth() -> &'static Truth {
    static TRUTH: OnceLock<Truth> = OnceLock::new();
    TRUTH.get_or_init(|| {
        let room = changed(demo_store(), "");
        let store = SqliteStore::open(&room.store(), Options::default()).expect("a store");
        let engine = Engine::new(Arc::new(store));
        let rows = engine.list(&caller(), demo::ROOM, None, None, 200).expect("a list");
        let key = engine.room(demo::ROOM).expect("a room").key;
        let proposals = rows.iter().map(|one| {
            let row = &one.row;
            let standing = read(engine.store(), |tx| tx.standing(key, row.id)).expect("a state");
            let seq = match standing {
                Some(Standing::Applied(facts)) => Some(facts.seq),
                _ => None,
            };
            (row.number, row.digest, row.state, seq)
        });
        let documents = engine.documents(&caller(), demo::ROOM, None, 200).expect("documents");
        let documents = documents.into_iter().map(|view| {
            let path = view.row.path;
            let content = engine.document(&caller(), demo::ROOM, &path, None).expect("content").1;
            (path, content)
        });
        Truth { proposals: proposals.collect(), documents: documents.collect() }
    })
}

/// An error of a damaged store: whatever it says, it is not a defect of ours.
fn told(what: &str, code: Code) {
    assert_ne!(code.kind(), Kind::Bug, "{what}: {code}");
}

/// Uses a store in every way, and believes nothing.
fn used(path: &Path, out: &Path) {
    let truth = truth();
    let store = match SqliteStore::open(
        path,
        Options { busy_deadline: Duration::from_secs(5), ..Options::default() },
    ) {
        Ok(store) => Arc::new(store),
        Err(error) => return told("open", error.code),
    };
    let engine = Engine::new(Arc::clone(&store) as Arc<dyn Store>);
    let ani = caller();
    match engine.list(&ani, demo::ROOM, None, None, 200) {
        Ok(_) => {}
        Err(failure) => told("list", failure.code()),
    }
    for (number, digest, state, seq) in &truth.proposals {
        if let Err(failure) = engine.view(&ani, demo::ROOM, *number) {
            told("view", failure.code());
        }
        if let Err(failure) = engine.diff(&ani, demo::ROOM, *number, None) {
            told("diff", failure.code());
        }
        let what = format!("apply #{number}");
        match engine.apply(&ani, demo::ROOM, *number, Seen::Digest(*digest)) {
            Ok(Outcome::Applied(receipt)) => {
                assert_eq!((*state, receipt.facts().digest), (State::Waiting, *digest), "{what}");
                made(&engine, *number, &what);
            }
            Ok(Outcome::Replayed(receipt, _)) => {
                assert_eq!(*state, State::Applied, "{what}");
                assert_eq!(receipt.facts().digest, *digest, "{what}");
                assert_eq!(Some(receipt.facts().seq), *seq, "{what}");
            }
            Ok(Outcome::Refused(refusal)) => told(&what, refusal.code),
            Err(error) => told(&what, error.code),
        }
    }
    match engine.submit(&ani, demo::ROOM, put("new.txt", "new\n")) {
        Ok(_) => {}
        Err(failure) => told("submit", failure.code()),
    }
    for (path, content) in &truth.documents {
        match engine.document(&ani, demo::ROOM, path, None) {
            // The presses above have changed some; what is given is what somebody proposed.
            Ok((row, bytes)) => {
                let sound =
                    row.content.as_ref().is_some_and(|v| sekali_core::ContentHash::of(&bytes) == v.hash);
                assert!(sound || bytes == *content, "{path}");
            }
            Err(failure) => told("document", failure.code()),
        }
    }
    let options = Export { out: out.to_owned(), jsonl: true, csv: true, content: true };
    if let Err(failure) = engine.export(&ani, demo::ROOM, &options, &mut |_, _| {}) {
        told("export", failure.code());
    }
    match store.health() {
        Ok(_) => {}
        Err(error) => told("health", error.code),
    }
    if let Err(failure) = engine.check(&mut |_, _| {}) {
        told("check", failure.code());
    }
}

/// Paths, and what is there afterwards.
type Documents = Vec<(DocPath, Option<Vec<u8>>)>;

/// What was just told to be applied is there: its documents hold what it proposed.
fn made(engine: &Engine, number: u64, what: &str) {
    static WANTED: OnceLock<Vec<(u64, Documents)>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let room = changed(demo_store(), "");
        let store = SqliteStore::open(&room.store(), Options::default()).expect("a store");
        let key = read(&store, |tx| tx.rooms()).expect("rooms")[0].key;
        let waiting = truth().proposals.iter().filter(|(_, _, state, _)| *state == State::Waiting);
        let of = |number: u64| {
            read(&store, |tx| {
                let (proposal, open) = tx.proposal_with_open(key, number)?.expect("it waits");
                let revision = open.expect("it waits").open.revision;
                let changes = tx.changes(key, proposal.id, revision)?;
                let mut documents = Vec::new();
                for (ordinal, row) in (0u32..).zip(changes) {
                    let content = tx.content(key, proposal.id, revision, ordinal)?;
                    documents.push((row.change.path, content.map(|c| c.content)));
                }
                Ok::<_, StoreError>(documents)
            })
            .expect("a sound store")
        };
        waiting.map(|(number, ..)| (*number, of(*number))).collect()
    });
    let (_, documents) = wanted.iter().find(|(n, _)| *n == number).expect("it waited");
    for (path, content) in documents {
        match (engine.document(&caller(), demo::ROOM, path, None), content) {
            (Ok((_, bytes)), Some(content)) => assert!(bytes == *content, "{what}: {path}"),
            (Ok(_), None) => panic!("{what}: {path} was to go and is there"),
            (Err(failure), _) => told(what, failure.code()),
        }
    }
}

/// A generator that gives the same positions every time (splitmix64).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Runs a use of a store in a thread of its own, so that a panic is caught and a hang is noticed.
fn watched(what: &str, path: PathBuf, out: PathBuf) {
    let (done, ended) = channel();
    std::thread::spawn(move || {
        let used = catch_unwind(AssertUnwindSafe(|| used(&path, &out)));
        let _ = done.send(used.map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
        }));
    });
    match ended.recv_timeout(Duration::from_mins(2)) {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => panic!("{what}: {panic}"),
        Err(late) => panic!("{what}: it hangs ({late})"),
    }
}

#[test]
fn flipped_bytes_are_damage_and_never_a_defect() {
    const PLACES: u64 = 240;
    let sound = demo_store();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut state = 20_261_130;
    let mut unchanged = 0;
    for place in 0..PLACES {
        let mut bytes = sound.to_vec();
        let at = usize::try_from(next(&mut state) % bytes.len() as u64).expect("a position");
        let page = at / 4096 * 4096;
        // A bit, a byte, the header and pointers of a page, a sector, a page.
        let what = match place % 7 {
            0 => {
                bytes[at] ^= 1 << (next(&mut state) % 8);
                "a bit"
            }
            1 => {
                bytes[at] ^= 0xFF;
                "a byte"
            }
            2 => {
                let at = page + usize::try_from(next(&mut state) % 64).expect("small");
                bytes[at] ^= 0xFF;
                "a byte of a page's header"
            }
            3 => {
                let end = (at + 64).min(bytes.len());
                bytes[at..end].fill(0);
                "64 zeros"
            }
            4 => {
                // Names and types of the schema, which is read before anything else.
                let made: Vec<usize> =
                    sound.windows(7).enumerate().filter(|(_, w)| w == b"CREATE ").map(|(i, _)| i).collect();
                let near = usize::try_from(next(&mut state) % 60).expect("small");
                bytes[made[at % made.len()] + near] ^= 0x02;
                "a letter of the schema"
            }
            5 => {
                bytes[at / 512 * 512..][..512].fill(0);
                "a sector of zeros"
            }
            _ => {
                bytes[page..page + 4096].fill(if next(&mut state).is_multiple_of(2) { 0 } else { 0x5A });
                "a page"
            }
        };
        if bytes == sound {
            unchanged += 1;
        }
        let path = folder.path().join(format!("{place}.db"));
        std::fs::write(&path, &bytes).expect("a temporary folder can be written");
        watched(
            &format!("{what} at {at} (place {place})"),
            path.clone(),
            folder.path().join(format!("{place}.out")),
        );
        let _ = std::fs::remove_file(path);
    }
    assert!(unchanged < PLACES / 4, "the places are damaged: {unchanged} are not");
}

/// The same by the binary, as people meet it: an exit that says something, and no panic.
#[test]
fn the_binary_survives_a_damaged_store() {
    let sound = demo_store();
    let mut state = 7;
    for place in 0..24 {
        let mut bytes = sound.to_vec();
        let at = usize::try_from(next(&mut state) % (bytes.len() as u64 / 4096)).expect("a page") * 4096;
        // Past the file's own header, without which it is no database at all.
        let from = at + if at == 0 { 100 } else { 0 };
        bytes[from..from + 200].fill(if place % 2 == 0 { 0 } else { 0xA5 });
        let room = Room::nothing();
        std::fs::write(room.store(), &bytes).expect("a temporary folder can be written");
        let out = room.path().join("out");
        let out = out.to_string_lossy();
        for args in [
            vec!["list"],
            vec!["show", "1", "--diff"],
            vec!["apply", "1", "--yes"],
            vec!["apply", "25", "--yes"],
            vec!["ledger", "export", "--out", &out],
            vec!["doctor"],
        ] {
            let done = room.run(&args);
            let exit = done.status.code();
            assert!(matches!(exit, Some(0 | 1 | 3 | 4)), "page at {at}, {args:?}: {done:?}");
            assert!(!text(&done.stderr).contains("panicked"), "page at {at}, {args:?}: {done:?}");
        }
    }
}
