//! Repeats are counted one by one, whoever counts: each writer guesses what it has counted before, and
//! the row has the last word.

use sekali_core::{ActorId, Door, ProposalId, RoomId, Timestamp};
use sekali_store::{Layer, RepeatNote, RoomKey, StoreError, Verdict, write};
use sekali_store_sqlite::{Options, SqliteStore};

fn note() -> RepeatNote {
    RepeatNote {
        layer: Layer::Apply,
        source: [0; 16],
        key: b"key".to_vec(),
        proposal: ProposalId::from_bytes([1; 16]),
        at: Timestamp::from_ms(5),
        actor: ActorId::from_bytes([2; 16]),
        door: Door::Cli,
        os_user: None,
        fingerprint: None,
        other_content: false,
    }
}

fn count(store: &SqliteStore, room: RoomKey, verdict: Verdict) -> Result<u64, StoreError> {
    write(store, move |tx| Ok((verdict, tx.note_repeat(room, &note())?)))
}

#[test]
fn counts_go_on_from_other_writers_and_after_what_was_undone() -> Result<(), StoreError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sekali.db");
    let one = SqliteStore::create(&path, Options::default())?;
    let two = SqliteStore::open(&path, Options::default())?;
    let room = write(&one, |tx| {
        let made = tx.create_room(RoomId::from_bytes([3; 16]), "toko", "Toko", Timestamp::from_ms(1))?;
        Ok((Verdict::Keep, made.expect("the first room")))
    })?;
    assert_eq!(count(&one, room, Verdict::Keep)?, 1);
    assert_eq!(count(&one, room, Verdict::Keep)?, 2, "by its own guess");
    assert_eq!(count(&two, room, Verdict::Keep)?, 3, "without one");
    assert_eq!(count(&one, room, Verdict::Keep)?, 4, "its guess is behind");
    assert_eq!(count(&one, room, Verdict::Undo)?, 5);
    assert_eq!(count(&one, room, Verdict::Keep)?, 5, "its guess is ahead");
    assert_eq!(count(&two, room, Verdict::Keep)?, 6);
    Ok(())
}
