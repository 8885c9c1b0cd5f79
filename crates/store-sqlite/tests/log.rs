//! The write-ahead log is brought in and begun anew however many plan and write at once: a snapshot that
//! is shared is not kept across a commit, nor where nobody commits.

use std::path::Path;
use std::sync::Barrier;

use sekali_core::{ActorId, Door, ProposalId, RoomId, Timestamp};
use sekali_store::{Layer, RepeatNote, RoomKey, StoreError, Verdict, glance, read, write, write_alone};
use sekali_store_sqlite::{Options, SqliteStore};

/// Four times what the log holds before a commit brings it in.
const WRITES: u8 = 160;
/// Bytes of a row, so that few writes fill the log.
const ROW: usize = 800 * 1024;
/// More than the log is when it is brought in, with a row to spare for everyone who writes meanwhile.
const MOST: u64 = 2 * 8_000 * 4_120;

fn row(thread: u8, n: u8) -> RepeatNote {
    let mut key = vec![0; ROW];
    key[..2].copy_from_slice(&[thread, n]);
    RepeatNote {
        layer: Layer::Apply,
        source: [0; 16],
        key,
        proposal: ProposalId::from_bytes([1; 16]),
        at: Timestamp::from_ms(5),
        actor: ActorId::from_bytes([2; 16]),
        door: Door::Cli,
        os_user: None,
        fingerprint: None,
        other_content: false,
    }
}

fn room(store: &SqliteStore) -> Result<RoomKey, StoreError> {
    write(store, |tx| {
        let made = tx.create_room(RoomId::from_bytes([3; 16]), "toko", "Toko", Timestamp::from_ms(1))?;
        Ok((Verdict::Keep, made.expect("the first room")))
    })
}

fn log(store: &Path) -> u64 {
    let mut log = store.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).map_or(0, |meta| meta.len())
}

#[test]
fn the_log_is_begun_anew_while_many_plan_and_write() -> Result<(), StoreError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sekali.db");
    let store = SqliteStore::create(&path, Options::default())?;
    let room = room(&store)?;
    std::thread::scope(|scope| {
        for thread in 0..4u8 {
            let (store, path) = (&store, &path);
            scope.spawn(move || {
                for n in 0..WRITES / 4 {
                    glance(store, |tx| tx.head(room)).expect("a plan");
                    write(store, move |tx| Ok((Verdict::Keep, tx.note_repeat(room, &row(thread, n))?)))
                        .expect("a write");
                    assert!(log(path) < MOST, "the log has {} bytes", log(path));
                }
            });
        }
    });
    Ok(())
}

#[test]
fn what_was_glanced_at_in_vain_is_not_kept() -> Result<(), StoreError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sekali.db");
    let store = SqliteStore::create(&path, Options::default())?;
    let room = room(&store)?;
    let both = Barrier::new(2);
    for _ in 0..2 {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    glance(&store, |tx| {
                        both.wait();
                        tx.head(room)
                    })
                    .expect("a plan");
                });
            }
        });
    }
    read(&store, |tx| tx.head(room))?;
    for n in 0..WRITES {
        write_alone(&store, move |tx| Ok((Verdict::Keep, tx.note_repeat(room, &row(9, n))?)))
            .expect("nobody else writes")?;
        assert!(log(&path) < MOST, "the log has {} bytes", log(&path));
    }
    Ok(())
}
