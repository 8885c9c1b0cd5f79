//! Rooms, actors and numbers.

use std::collections::BTreeSet;

use sekali_core::ledger::NO_PREV;
use sekali_core::{ActorKind, Role, tree};

use super::Harness;
use super::fixture::{ANI, BUDI, Sketch, T0, World, aid, at, make_room, person, room_id};
use crate::rows::{ActorRow, Counts, RoomRow};

pub(super) fn a_slug_is_given_once_and_rooms_stand_in_the_order_in_which_they_were_made(h: &dyn Harness) {
    let w = World::new(h);
    // The ids fall while the rooms come: the order is not that of ids or slugs.
    let [zebra, again, acara] = w.keep(|tx| {
        let zebra = tx.create_room(room_id(9), "zebra", "Z", at(T0 + 1))?;
        let again = tx.create_room(room_id(8), "zebra", "Other", at(T0 + 2))?;
        Ok([zebra, again, tx.create_room(room_id(7), "acara", "A", at(T0 + 3))?])
    });
    let (zebra, acara) = (zebra.unwrap(), acara.unwrap());
    assert_eq!(again, None, "a slug is given once");
    let row = |key, n, slug: &str, title: &str, ms| {
        let (slug, title) = (slug.to_owned(), title.to_owned());
        RoomRow { key, id: room_id(n), slug, title, created_at: at(ms) }
    };
    let expected = [
        row(w.room, 1, "arsip", "Arsip", T0),
        row(zebra, 9, "zebra", "Z", T0 + 1),
        row(acara, 7, "acara", "A", T0 + 3),
    ];
    assert_eq!(w.see(|tx| tx.rooms()), expected);
    let late = w.keep(|tx| tx.create_room(room_id(6), "zebra", "Late", at(T0)));
    assert_eq!(late, None, "not in a later write either");
    w.undo(|tx| tx.create_room(room_id(5), "bebas", "B", at(T0)));
    assert_eq!(w.see(|tx| tx.rooms()), expected);
    assert!(
        w.keep(|tx| tx.create_room(room_id(5), "bebas", "B", at(T0))).is_some(),
        "an undone slug is free"
    );
}

pub(super) fn a_new_room_is_empty(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.keep(|tx| tx.create_room(room_id(2), "baru", "Baru", at(T0 + 5))).unwrap();
    let head = w.see(|tx| tx.head(room));
    assert_eq!((head.size, head.root, head.prev), (0, tree::root_of(&[]), NO_PREV));
    assert_eq!((head.last_at, head.counts), (at(T0 + 5), Counts::default()));
    w.see(|tx| {
        assert_eq!(tx.actors(room)?, []);
        assert_eq!(tx.documents(room, None, 10)?, []);
        assert_eq!(tx.entries(room, 0, 10)?, []);
        assert_eq!(tx.repeats(room, None, 10)?, []);
        assert_eq!(tx.proposal(room, 1)?, None);
        assert_eq!(tx.actor(room, ANI)?, None);
        Ok(())
    });
}

pub(super) fn a_name_is_given_once_among_its_kind(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let agent = ActorRow {
        id: aid(1),
        kind: ActorKind::Agent,
        name: "Budi".to_owned(),
        role: None,
        added_at: at(T0),
    };
    let row = agent.clone();
    assert!(w.keep(move |tx| tx.add_actor(room, &row)), "another kind may have the name");
    assert!(!w.keep(move |tx| tx.add_actor(room, &person(aid(2), "Budi", None))));
    w.see(|tx| {
        assert_eq!(tx.actor_named(room, ActorKind::Person, "Budi")?.map(|a| a.id), Some(BUDI));
        assert_eq!(tx.actor_named(room, ActorKind::Agent, "Budi")?.as_ref(), Some(&agent));
        assert_eq!(tx.actor_named(room, ActorKind::Source, "Budi")?, None);
        assert_eq!(tx.actor(room, BUDI)?, Some(person(BUDI, "Budi", Some(Role::Member))));
        assert_eq!(tx.actor(room, aid(2))?, None, "who was not added is not there");
        Ok(())
    });
}

pub(super) fn actors_are_listed_by_name_without_system_users(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    w.keep(move |tx| {
        for (n, kind, name) in
            [(1, ActorKind::Source, "Cek"), (2, ActorKind::Agent, "Adi"), (3, ActorKind::Person, "Zul")]
        {
            let row = ActorRow { id: aid(n), kind, name: name.to_owned(), role: None, added_at: at(T0) };
            assert!(tx.add_actor(room, &row)?);
        }
        tx.os_user(room, "Bayu", aid(4), at(T0))
    });
    let names: Vec<String> = w.see(|tx| tx.actors(room)).into_iter().map(|a| a.name).collect();
    assert_eq!(names, ["Adi", "Ani", "Budi", "Cek", "Zul"]);
}

pub(super) fn a_role_is_a_persons_alone_and_can_be_taken(h: &dyn Harness) {
    let w = World::new(h);
    let room = w.room;
    let role = |w: &World| w.see(|tx| Ok(tx.actor(room, BUDI)?.unwrap().role));
    for wanted in [Some(Role::Reviewer), None, Some(Role::Maintainer), Some(Role::Member)] {
        w.keep(move |tx| tx.set_role(room, BUDI, wanted));
        assert_eq!(role(&w), wanted);
    }
    w.undo(move |tx| tx.set_role(room, BUDI, None));
    assert_eq!(role(&w), Some(Role::Member));
    let ani = w.see(|tx| tx.actor(room, ANI));
    assert_eq!(ani, Some(person(ANI, "Ani", Some(Role::Maintainer))), "nobody else's role has changed");
}

pub(super) fn a_system_user_is_added_once(h: &dyn Harness) {
    let w = World::new(h);
    let (room, other) = (w.room, w.second_room());
    let first = w.keep(move |tx| tx.os_user(room, "budi", aid(1), at(T0)));
    let second = w.keep(move |tx| tx.os_user(room, "budi", aid(2), at(T0 + 1)));
    assert_eq!((first, second), (aid(1), aid(1)));
    assert_eq!(w.keep(move |tx| tx.os_user(room, "root", aid(3), at(T0))), aid(3));
    assert_eq!(w.keep(move |tx| tx.os_user(other, "budi", aid(4), at(T0))), aid(4), "each room has its own");
    w.see(|tx| {
        let user = tx.actor_named(room, ActorKind::System, "budi")?.unwrap();
        assert_eq!((user.id, user.role, user.added_at), (aid(1), None, at(T0)));
        assert_eq!(tx.actor(room, aid(2))?, None);
        Ok(())
    });
}

pub(super) fn numbers_are_dense_whatever_was_undone(h: &dyn Harness) {
    let w = World::new(h);
    let (room, other) = (w.room, w.keep(|tx| make_room(tx, 3, "lain")));
    assert_eq!(w.keep(move |tx| Ok([tx.next_number(room)?, tx.next_number(room)?])), [1, 2]);
    assert_eq!(w.undo(move |tx| Ok([tx.next_number(room)?, tx.next_number(room)?])), [3, 4]);
    assert_eq!(w.submit(&Sketch::new(1)), 3, "an undone number is given again");
    assert_eq!(w.keep(move |tx| tx.next_number(other)), 1, "each room has its own");
    let numbers: BTreeSet<u64> = (2..7).map(|n| w.submit(&Sketch::new(n))).collect();
    assert_eq!(numbers, (4..9).collect());
}
