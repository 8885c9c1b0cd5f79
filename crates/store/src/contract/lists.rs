//! Pages of proposals, and states as they are derived.

use sekali_core::{Role, State};

use super::Harness;
use super::dump::pages;
use super::fixture::{ANI, BUDI, Sketch, T0, World, at, person, pid};
use crate::rows::{ListQuery, ListedRow, Touches};

const ALL: ListQuery = ListQuery { state: None, before: None, now: None, limit: 100 };

/// The order of ids is not the order of submission.
const SUBMITTED: [u64; 10] = [7, 3, 9, 1, 10, 2, 8, 4, 6, 5];

fn list(w: &World, query: ListQuery) -> Vec<ListedRow> {
    w.see(|tx| tx.list(w.room, query))
}

fn ids(rows: &[ListedRow]) -> Vec<u64> {
    rows.iter().map(|row| (u128::from_be_bytes(*row.id.as_bytes()) >> 64).try_into().unwrap()).collect()
}

/// Ten proposals: 1 and 2 applied, 3 and 4 rejected, 5 and 6 withdrawn, 7 to 9 valid until T0 + 7
/// to T0 + 9, and 10 without an end.
fn ten(h: &dyn Harness) -> World {
    let w = World::new(h);
    for n in SUBMITTED {
        w.submit(&sketch(n));
    }
    for n in [1, 2] {
        w.apply(&sketch(n));
    }
    for (n, state) in
        [(3, State::Rejected), (4, State::Rejected), (5, State::Withdrawn), (6, State::Withdrawn)]
    {
        assert!(w.close(&sketch(n), state));
    }
    w
}

fn sketch(n: u64) -> Sketch {
    let sketch = Sketch::new(n);
    match n {
        7..=9 => sketch.until(T0 + i64::try_from(n).unwrap()),
        _ => sketch,
    }
}

pub(super) fn proposals_are_listed_newest_first_in_each_state(h: &dyn Harness) {
    let w = ten(h);
    let now = Some(at(T0 + 8));
    let in_state = |state| ids(&list(&w, ListQuery { state, now, ..ALL }));
    assert_eq!(in_state(None), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(in_state(Some(State::Applied)), [2, 1]);
    assert_eq!(in_state(Some(State::Rejected)), [4, 3]);
    assert_eq!(in_state(Some(State::Withdrawn)), [6, 5]);
    assert_eq!(in_state(Some(State::Waiting)), [10, 9]);
    assert_eq!(in_state(Some(State::Expired)), [8, 7]);
    for row in list(&w, ListQuery { now, ..ALL }) {
        let alike = list(&w, ListQuery { state: Some(row.state), now, ..ALL });
        assert!(alike.contains(&row), "a row is the same in the list of its state: {row:?}");
    }
}

pub(super) fn a_list_is_paged_without_a_gap(h: &dyn Harness) {
    let w = ten(h);
    let now = Some(at(T0 + 8));
    for state in std::iter::once(None).chain(State::ALL.iter().copied().map(Some)) {
        let whole = list(&w, ListQuery { state, now, ..ALL });
        for limit in [1, 2, 3] {
            let pages = w.see(|tx| {
                pages(limit, |last: Option<&ListedRow>| {
                    let before = last.map(|row| row.id);
                    tx.list(w.room, ListQuery { state, before, now, limit })
                })
            });
            assert_eq!(pages, whole, "{state:?} by {limit}");
        }
    }
    let before = Some(pid(0));
    assert_eq!(list(&w, ListQuery { before, ..ALL }), [], "nothing is older than what is not there");
    assert_eq!(list(&w, ListQuery { limit: 0, ..ALL }), []);
}

pub(super) fn expiry_is_derived_and_half_open(h: &dyn Harness) {
    let w = ten(h);
    // The end itself is already over.
    for (now, waiting) in
        [(None, 4), (Some(T0 + 6), 4), (Some(T0 + 7), 3), (Some(T0 + 8), 2), (Some(T0 + 99), 1)]
    {
        let of = |state| list(&w, ListQuery { state: Some(state), now: now.map(at), ..ALL }).len();
        assert_eq!((of(State::Waiting), of(State::Expired)), (waiting, 4 - waiting), "at {now:?}");
        if let Some(now) = now {
            w.clock.set_ms(now);
            let counted = w.see(|tx| tx.count_expired(w.room, tx.now(w.room)?));
            assert_eq!(counted, of(State::Expired) as u64, "at {now}");
        }
    }
    let late = list(&w, ListQuery { now: Some(at(T0 + 99)), ..ALL });
    let waiting: Vec<_> = late.iter().filter(|row| row.state == State::Waiting).collect();
    assert_eq!(waiting.len(), 1, "what has no end does not expire");
    assert_eq!(w.see(|tx| tx.head(w.room)).counts.open, 4, "expired ones count as open");
}

pub(super) fn a_row_shows_the_current_revision(h: &dyn Harness) {
    let w = World::new(h);
    let first = Sketch { author: BUDI, ..Sketch::new(1) };
    w.submit(&first);
    w.submit(&Sketch::new(2));
    let second = Sketch { author: ANI, ..first.revised() };
    let (room, seen, next) = (w.room, first.digest(), second.clone());
    w.clock.set_ms(T0 + 60);
    assert!(w.keep(move |tx| next.revise(tx, room, &seen)));
    let expected = |state| ListedRow {
        id: pid(1),
        number: 1,
        title: second.title.clone(),
        author: person(BUDI, "Budi", Some(Role::Member)),
        created_at: at(T0),
        revision: 2,
        digest: second.digest(),
        touches: Touches::default(),
        state,
        stale: false,
    };
    let row = || list(&w, ALL).pop().unwrap();
    assert_eq!(row(), expected(State::Waiting), "the proposal's author, the revision's title");
    w.apply(&second);
    assert_eq!(row(), expected(State::Applied));
}
