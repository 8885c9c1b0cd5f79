//! All or nothing, one snapshot, and news: P2.

use std::sync::{Arc, Mutex, mpsc};

use sekali_core::talk::CommentKind;
use sekali_core::{Code, Door, State};

use super::comments::{bare, said};
use super::fixture::{
    ANI, BUDI, Edit, Press, Presser, Result, Sketch, T0, World, aid, at, keep, make_room, path, person, pid,
    room_id, version,
};
use super::{Harness, PATIENCE};
use crate::error::StoreError;
use crate::rows::{
    CommentRow, Layer, LinkKind, NewComment, NewDocument, RepeatNote, Reservation, SubmittedForm,
    SubmittedRow, VersionKey,
};
use crate::verbs::{Store, Verdict, Write, write};

/// Rows for every verb to meet: 1 is applied, 2 rejected, 3 and 4 wait, `a` and `b` are documents.
fn lived_in(h: &dyn Harness) -> World {
    let w = World::new(h);
    w.applied(
        &Sketch::new(1).edit(Edit::create("a", b"1", 1)).edit(Edit::create("b", b"2", 2)).effect("e", 0),
    );
    w.submit(&Sketch::new(2));
    w.close(&Sketch::new(2), State::Rejected);
    w.submit(&Sketch::new(3));
    w.submit(&Sketch::new(4).edit(Edit::replace("b", &version(b"2", 2), b"3", 3)).effect("f", 0));
    w
}

/// Writes with every verb there is.
fn everything(tx: &mut dyn Write, presser: Presser) -> Result<()> {
    let room = presser.room;
    make_room(tx, 50, "sementara")?;
    assert!(tx.add_actor(room, &person(aid(50), "Sementara", None))?);
    tx.set_role(room, BUDI, None)?;
    tx.os_user(room, "sementara", aid(51), at(T0 + 50))?;
    assert_eq!(tx.reserve(room, ANI, "k", Reservation { fingerprint: [5; 32], proposal: pid(50) })?, None);
    let new = Sketch::new(50).edit(Edit::create("c", b"5", 5));
    new.submit(tx, room)?;
    tx.link(room, pid(50), LinkKind::Reverts, pid(1))?;
    let waiting = Sketch::new(3);
    let edit = SubmittedRow {
        form: SubmittedForm::JsonPatch,
        path: Some(path("c")),
        strip: None,
        body: b"[]".to_vec(),
    };
    let revised = Sketch { rebased_from: Some(1), submitted: vec![edit], ..waiting.revised() };
    assert!(revised.revise(tx, room, &waiting.digest())?);
    assert!(presser.reopen(tx)?);
    let applies = |sketch: &Sketch| Presser { id: sketch.id, digest: sketch.digest(), ..presser };
    let press = applies(&new).apply(tx)?;
    assert!(matches!(press, Press::Applied(..)), "{press:?}");
    let changed = Sketch::new(4).edit(Edit::replace("b", &version(b"2", 2), b"3", 3)).effect("f", 0);
    let press = applies(&changed).apply(tx)?;
    assert!(matches!(press, Press::Applied(..)), "{press:?}");
    assert!(applies(&revised).close(tx, State::Withdrawn, None)?);
    let by = VersionKey { seq: 90, ordinal: 0 };
    let taken = tx.take_document(room, &path("a"), &version(b"1", 1), by)?;
    assert!(taken.is_some());
    let note = RepeatNote {
        layer: Layer::Apply,
        source: [0; 16],
        key: pid(1).as_bytes().to_vec(),
        proposal: pid(1),
        at: at(T0 + 50),
        actor: ANI,
        door: Door::Cli,
        os_user: None,
        fingerprint: None,
        other_content: false,
    };
    assert_eq!(tx.note_repeat(room, &note)?, 1);
    let keyed = NewComment { key: Some(("k".to_owned(), [5; 32])), ..bare(&said(1, "x")) };
    assert_eq!(tx.comment(room, pid(1), &keyed)?, Some(1));
    Ok(())
}

pub(super) fn a_job_that_is_undone_fails_or_panics_leaves_nothing_of_any_verb(h: &dyn Harness) {
    type Ending = fn() -> Result<Verdict>;
    let w = lived_in(h);
    let presser = w.presser(&Sketch::new(2));
    let before = (w.dump(), w.change_seq());
    let endings: [(&str, Ending, Option<Code>); 3] = [
        ("undone", || Ok(Verdict::Undo), None),
        ("failed", || Err(StoreError::new(Code::StoreBusy, "on purpose")), Some(Code::StoreBusy)),
        ("panicked", || panic!("on purpose"), Some(Code::Internal)),
    ];
    for (how, ending, code) in endings {
        let job = move |tx: &mut dyn Write| {
            everything(tx, presser)?;
            ending()
        };
        let answer = w.store.write(Arc::new(job));
        assert_eq!(answer.err().map(|e| e.code), code, "{how}");
        assert_eq!((w.dump(), w.change_seq()), before, "{how}");
        assert_eq!(w.see(|tx| tx.reservation(w.room, ANI, "k")), None, "{how}");
    }
    // The same job, kept, does write: the case above would otherwise show nothing.
    w.keep(move |tx| everything(tx, presser));
    let after = w.dump();
    assert_ne!(after, before.0);
    assert!(w.see(|tx| tx.reservation(w.room, ANI, "k")).is_some());
    assert_eq!(w.see(|tx| tx.rooms()).len(), 2);
    assert_eq!(w.see(|tx| tx.head(w.room)).counts.applied, 3);
}

pub(super) fn whoever_is_alone_writes_at_once_or_not_at_all(h: &dyn Harness) {
    let w = lived_in(h);
    let presser = w.presser(&Sketch::new(2));
    let before = w.dump();
    let everything = |verdict: Result<Verdict>| -> Arc<crate::verbs::Job> {
        Arc::new(move |tx: &mut dyn Write| {
            everything(tx, presser)?;
            verdict.as_ref().map(|v| *v).map_err(StoreError::again)
        })
    };
    // A store need not offer it; what it has run is as with any write.
    if let Some(undone) = w.store.write_alone(everything(Ok(Verdict::Undo))) {
        assert!(undone.is_ok());
        assert_eq!(w.dump(), before);
        let failed = w.store.write_alone(everything(Err(StoreError::new(Code::StoreFull, "x")))).unwrap();
        assert_eq!(failed.unwrap_err().code, Code::StoreFull);
        assert_eq!(w.dump(), before);
        assert!(w.store.write_alone(everything(Ok(Verdict::Keep))).unwrap().is_ok());
        assert_ne!(w.dump(), before);
    }
    // Somebody who writes is not joined.
    let store = &w.store;
    std::thread::scope(|scope| {
        let (begun, begins) = mpsc::channel();
        let (go, gone) = mpsc::channel::<()>();
        let gone = Mutex::new(gone);
        let room = w.room;
        scope.spawn(move || {
            write(&**store, move |tx| {
                begun.send(()).unwrap();
                gone.lock().unwrap().recv_timeout(PATIENCE).unwrap();
                Ok((Verdict::Keep, tx.head(room)?.size))
            })
            .unwrap();
        });
        begins.recv_timeout(PATIENCE).unwrap();
        assert!(store.write_alone(Arc::new(|_| panic!("nobody is alone"))).is_none());
        go.send(()).unwrap();
    });
}

pub(super) fn a_write_reads_what_it_wrote(h: &dyn Harness) {
    let w = lived_in(h);
    let (room, presser) = (w.room, w.presser(&Sketch::new(2)));
    let inside = w.keep(move |tx| {
        everything(tx, presser)?;
        assert_eq!(tx.head(room)?.counts.applied, 3);
        super::dump(tx)
    });
    assert_eq!(inside, w.dump(), "what it reads is what everyone reads after the commit");
}

pub(super) fn nobody_reads_what_is_not_committed(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let sketch = Sketch::new(1).edit(Edit::create("a", b"1", 1));
    let before = (w.dump(), w.change_seq());
    let (wrote, has_written) = mpsc::channel();
    let (go, may_go) = mpsc::channel::<()>();
    let may_go = Mutex::new(may_go);
    let store: &dyn Store = &*w.store;
    std::thread::scope(|scope| {
        let job = move |tx: &mut dyn Write| {
            sketch.submit(tx, room)?;
            let _ = wrote.send(());
            // The writer waits inside its transaction until the reader has looked.
            may_go.lock().unwrap().recv_timeout(PATIENCE).expect("a reader does not wait for the writer");
            Ok(())
        };
        let writer = scope.spawn(move || keep(store, job));
        has_written.recv_timeout(PATIENCE).expect("the job runs");
        assert_eq!((w.dump(), w.change_seq()), before);
        go.send(()).unwrap();
        writer.join().unwrap();
    });
    assert_ne!(w.dump(), before.0, "after the commit everyone reads it");
}

pub(super) fn a_snapshot_stands_still(h: &dyn Harness) {
    let w = World::new(h);
    let mut dumps = Vec::new();
    w.store
        .read(&mut |tx| {
            dumps.push(super::dump(tx)?);
            w.applied(&Sketch::new(1).edit(Edit::create("a", b"1", 1)));
            dumps.push(super::dump(tx)?);
            Ok(())
        })
        .unwrap();
    let after = w.dump();
    assert_eq!(dumps[0], dumps[1], "a reader sees one instant from its first verb to its last");
    assert_ne!(dumps[0], after, "the next reader sees the write");
}

pub(super) fn the_answer_of_a_failed_job_is_its_own_error(h: &dyn Harness) {
    let w = World::new(h);
    for code in [Code::StoreDamaged, Code::Internal, Code::StoreFull] {
        let failed = write(&*w.store, move |_| Err::<(Verdict, ()), _>(StoreError::new(code, "on purpose")));
        let failed = failed.unwrap_err();
        assert_eq!((failed.code, failed.to_string()), (code, "on purpose".to_owned()));
        let mut job = |_: &dyn crate::verbs::Read| Err(StoreError::new(code, "on purpose"));
        assert_eq!(w.store.read(&mut job).unwrap_err().code, code);
    }
    w.submit(&Sketch::new(1));
}

pub(super) fn a_write_that_breaks_a_constraint_fails_and_leaves_nothing(h: &dyn Harness) {
    type Broken = fn(&mut dyn Write, Presser) -> Result<()>;
    let w = lived_in(h);
    let presser = w.presser(&Sketch::new(2));
    let before = (w.dump(), w.change_seq());
    let broken: [(&str, Broken); 19] = [
        ("a number twice", |tx, p| tx.insert_proposal(p.room, &Sketch::new(60).proposal_row(1, at(T0)))),
        ("a proposal twice", |tx, p| tx.insert_proposal(p.room, &Sketch::new(1).proposal_row(60, at(T0)))),
        ("a revision twice", |tx, p| Sketch::new(1).write_revision(tx, p.room, at(T0))),
        ("a revision of no proposal", |tx, p| Sketch::new(60).write_revision(tx, p.room, at(T0))),
        ("an open row twice", |tx, p| tx.open(p.room, pid(3), &Sketch::new(3).open())),
        ("a room's id twice", |tx, _| tx.create_room(room_id(1), "lain", "L", at(T0)).map(drop)),
        ("an author who is not there", |tx, p| {
            Sketch { author: aid(60), ..Sketch::new(60) }.submit(tx, p.room).map(drop)
        }),
        ("a role of a system user", |tx, p| {
            let user = tx.os_user(p.room, "root", aid(60), at(T0))?;
            tx.set_role(p.room, user, Some(sekali_core::Role::Member))
        }),
        ("a key of no proposal", |tx, p| {
            let dangling = Reservation { fingerprint: [0; 32], proposal: pid(60) };
            tx.reserve(p.room, ANI, "dangling", dangling).map(drop)
        }),
        ("a link to itself", |tx, p| tx.link(p.room, pid(3), LinkKind::SplitFrom, pid(3))),
        ("a link to nothing", |tx, p| tx.link(p.room, pid(3), LinkKind::SplitFrom, pid(60))),
        ("a link of nothing", |tx, p| tx.link(p.room, pid(60), LinkKind::Reverts, pid(1))),
        ("a link twice", |tx, p| {
            tx.link(p.room, pid(3), LinkKind::Reverts, pid(1))?;
            tx.link(p.room, pid(3), LinkKind::Reverts, pid(1))
        }),
        ("a comment on nothing", |tx, p| tx.comment(p.room, pid(60), &bare(&said(60, "x"))).map(drop)),
        ("a comment on a revision that is not there", |tx, p| {
            tx.comment(p.room, pid(3), &bare(&CommentRow { revision: 9, ..said(60, "x") })).map(drop)
        }),
        ("a comment twice", |tx, p| {
            tx.comment(p.room, pid(3), &bare(&said(60, "x")))?;
            tx.comment(p.room, pid(1), &bare(&said(60, "x"))).map(drop)
        }),
        ("an answer to what is not there", |tx, p| {
            let answer = CommentRow { kind: CommentKind::Answer, answers: Some(1), ..said(60, "x") };
            tx.comment(p.room, pid(3), &bare(&answer)).map(drop)
        }),
        ("a revision that comes of itself", |tx, p| {
            let next = Sketch::new(3).revised();
            Sketch { rebased_from: Some(2), ..next }.write_revision(tx, p.room, at(T0))
        }),
        ("a patch of one document", |tx, p| {
            let path = Some(path("a"));
            let part = SubmittedRow { form: SubmittedForm::Patch, path, strip: None, body: Vec::new() };
            Sketch { submitted: vec![part], ..Sketch::new(3).revised() }.write_revision(tx, p.room, at(T0))
        }),
    ];
    for (what, job) in broken {
        let answer = write(&*w.store, move |tx| {
            let new = VersionKey { seq: 60, ordinal: 0 };
            tx.create_document(
                presser.room,
                &NewDocument { path: &path("z"), version: new, content: &version(b"z", 1) },
            )?;
            job(tx, presser)?;
            Ok((Verdict::Keep, ()))
        });
        assert!(answer.is_err(), "{what}");
        assert_eq!((w.dump(), w.change_seq()), before, "{what}");
    }
    assert!(matches!(w.apply(&Sketch::new(3)), Press::Applied(..)), "the store goes on");
}

pub(super) fn change_seq_grows_with_each_committed_write_of_the_room_alone(h: &dyn Harness) {
    let w = World::new(h);
    let other = w.second_room();
    let [one, two] = [Sketch::new(1), Sketch::new(2)];
    let elsewhere = || w.see(|tx| Ok(tx.head(other)?.change_seq));
    let (mut last, there) = (w.change_seq(), elsewhere());
    let room = w.room;
    let mut grows = |what: &str, write: &dyn Fn() -> bool| {
        assert!(write(), "{what} is made");
        let now = w.change_seq();
        assert!(now > last, "{what}: {now} after {last}");
        last = now;
    };
    grows("submit", &|| w.submit(&one) == 1);
    grows("submit", &|| w.submit(&two) == 2);
    grows("apply", &|| matches!(w.apply(&one), Press::Applied(..)));
    grows("reject", &|| w.close(&two, State::Rejected));
    grows("reopen", &|| {
        let presser = w.presser(&two);
        w.keep(move |tx| presser.reopen(tx))
    });
    grows("revise", &|| {
        let (seen, next) = (two.digest(), two.revised());
        w.keep(move |tx| next.revise(tx, room, &seen))
    });
    grows("a role", &|| w.keep(move |tx| tx.set_role(room, BUDI, None).map(|()| true)));
    grows("an actor", &|| w.keep(move |tx| tx.add_actor(room, &person(aid(1), "Cici", None))));
    w.undo(move |tx| tx.set_role(room, BUDI, None));
    w.apply(&one);
    w.dump();
    assert_eq!(w.change_seq(), last, "an undone write and a read are no news");
    assert_eq!(elsewhere(), there, "nor is another room's write");
    w.keep(move |tx| tx.set_role(other, BUDI, None));
    assert!(elsewhere() > there);
    assert_eq!(w.change_seq(), last);
}

pub(super) fn what_was_committed_is_there_when_the_store_is_opened_again(h: &dyn Harness) {
    let w = lived_in(h);
    let (before, change_seq, facts) = (w.dump(), w.change_seq(), w.store.facts().unwrap());
    let World { store, clock, room } = w;
    let store = h.reopen(store, Arc::clone(&clock) as Arc<_>);
    let w = World { store, clock, room };
    assert_eq!((w.dump(), w.change_seq()), (before, change_seq));
    let again = w.store.facts().unwrap();
    assert_eq!((again.id, again.place, again.format), (facts.id, facts.place, facts.format));
    assert!(matches!(w.apply(&Sketch::new(3)), Press::Applied(2 | 3, _)), "the ledger goes on");
}
