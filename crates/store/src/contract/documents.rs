//! Documents as they are now, and their history. A base means content and mode: P3.

use sekali_core::change::Version;
use sekali_core::hash::ContentHash;
use sekali_core::{DocPath, Op};

use super::Harness;
use super::dump::pages;
use super::fixture::{Edit, Press, Sketch, World, executable, path, pid, version};
use crate::rows::{DocumentRow, NewDocument, Replaced, VersionKey, VersionRow};

fn key(seq: u64, ordinal: u32) -> VersionKey {
    VersionKey { seq, ordinal }
}

impl World {
    fn create(&self, at: &str, version: VersionKey, content: &Version) -> bool {
        let (room, at, content) = (self.room, path(at), content.clone());
        self.keep(move |tx| tx.create_document(room, &NewDocument { path: &at, version, content: &content }))
    }

    fn replace(&self, at: &str, base: &Version, version: VersionKey, content: &Version) -> Option<Replaced> {
        let (room, at, base, content) = (self.room, path(at), base.clone(), content.clone());
        self.keep(move |tx| {
            tx.replace_document(room, &base, &NewDocument { path: &at, version, content: &content })
        })
    }

    fn take(&self, at: &str, base: &Version, by: VersionKey) -> Option<Replaced> {
        let (room, at, base) = (self.room, path(at), base.clone());
        self.keep(move |tx| tx.take_document(room, &at, &base, by))
    }

    fn document(&self, at: &str) -> Option<DocumentRow> {
        self.see(|tx| tx.document(self.room, &path(at)))
    }

    fn paths(&self) -> Vec<String> {
        let rows = self.see(|tx| tx.documents(self.room, None, 100));
        rows.into_iter().map(|row| row.path.to_string()).collect()
    }

    fn departed(&self, at: &str) -> Option<VersionKey> {
        self.see(|tx| tx.departed(self.room, &path(at), None))
    }
}

fn row(at: &str, version: VersionKey, content: &Version) -> DocumentRow {
    DocumentRow { path: path(at), version, content: content.clone() }
}

pub(super) fn a_document_is_created_only_where_nothing_is(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two] = [version(b"1", 1), executable(&version(b"2", 2))];
    assert_eq!(w.document("a/b"), None);
    assert!(w.create("a/b", key(1, 0), &one));
    for at in ["a/b", "A/B"] {
        assert!(!w.create(at, key(2, 0), &two), "{at} is occupied");
    }
    assert!(!w.create("a/b", key(1, 0), &one), "by the very same too");
    assert_eq!(w.document("a/b"), Some(row("a/b", key(1, 0), &one)));
    assert!(w.create("a.b", key(3, 4), &two), "elsewhere");
    assert_eq!(w.paths(), ["a.b", "a/b"]);
}

pub(super) fn a_path_is_a_document_or_a_folder_and_never_both(h: &dyn Harness) {
    let w = World::new(h);
    let one = version(b"1", 1);
    let names = |rows: Vec<DocumentRow>| -> Vec<String> {
        rows.into_iter().map(|row| row.path.to_string()).collect()
    };
    let above = |at: &str| w.see(|tx| tx.above(w.room, &path(at))).map(|row| row.path.to_string());
    let below = |at: &str| names(w.see(|tx| tx.below(w.room, &path(at), None, 100)));
    // Names that stand between a folder and what it holds, or look like one.
    for at in ["d/e/f", "d/e/g/h", "d/e!", "d.md", "d!/x", "p", "q", "Straße/x"] {
        assert!(w.create(at, key(1, 0), &one), "{at}");
    }
    let before = w.paths();
    for at in ["d", "D/E", "d/e/g", "STRASSE"] {
        assert!(!w.create(at, key(2, 0), &one), "{at} is a folder");
    }
    for at in ["p/x", "P/x/y/z", "d/e!/x", "d.md/x", "d/e/f/x"] {
        assert!(!w.create(at, key(2, 0), &one), "{at} would need a folder where a document is");
    }
    assert_eq!(w.paths(), before);
    for (at, found) in [
        ("p", None),
        ("p/x", Some("p")),
        ("P/x/y/z", Some("p")),
        ("p!/x", None),
        ("pp/x", None),
        ("d/e/f/x/y", Some("d/e/f")),
        ("d/e/z/x", None),
        ("d/e!/x", Some("d/e!")),
        ("d/e!!/x", None),
        ("a/b/c", None),
        ("z/b/c", None),
    ] {
        assert_eq!(above(at).as_deref(), found, "{at}");
    }
    assert_eq!(below("d"), ["d/e!", "d/e/f", "d/e/g/h"]);
    assert_eq!(below("D/e"), ["d/e/f", "d/e/g/h"]);
    assert_eq!(below("strasse"), ["Straße/x"]);
    assert_eq!(below("p"), [""; 0]);
    for limit in [1, 2, 3, 4] {
        let rows = w.see(|tx| {
            pages(limit, |last: Option<&DocumentRow>| {
                tx.below(w.room, &path("d"), last.map(|row| &row.path), limit)
            })
        });
        assert_eq!(names(rows), below("d"), "pages of {limit}");
    }
    assert!(w.take("p", &one, key(3, 0)).is_some());
    assert!(w.create("p/x", key(4, 0), &one), "the place is free");
    assert!(!w.create("p", key(5, 0), &one));
    // Another room's folders are its own.
    let other = World { room: w.second_room(), ..w };
    assert!(other.create("d", key(1, 0), &one));
}

pub(super) fn a_document_is_replaced_only_where_content_and_mode_are_the_base(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two] = [version(b"1", 1), version(b"2", 2)];
    assert_eq!(w.replace("a", &one, key(1, 0), &two), None, "there is nothing to replace");
    assert!(w.create("a", key(1, 0), &one));
    assert!(w.create("b", key(1, 1), &two));
    for (what, base) in [
        ("other content", two.clone()),
        ("another mode", executable(&one)),
        ("an equal commitment over other content", Version { hash: ContentHash::of(b"?"), ..one.clone() }),
    ] {
        assert_eq!(w.replace("a", &base, key(2, 0), &two), None, "{what}");
        assert_eq!(w.document("a"), Some(row("a", key(1, 0), &one)), "{what}");
    }
    let told = w.replace("a", &one, key(2, 0), &two);
    assert_eq!(told, Some(Replaced { commitment: one.commitment, version: key(1, 0) }));
    assert_eq!(w.replace("a", &one, key(3, 0), &one), None, "the base has gone");
    let told = w.replace("a", &two, key(3, 1), &executable(&two));
    assert_eq!(told, Some(Replaced { commitment: two.commitment, version: key(2, 0) }));
    assert_eq!(w.document("a"), Some(row("a", key(3, 1), &executable(&two))), "the mode alone has changed");
    assert_eq!(w.document("b"), Some(row("b", key(1, 1), &two)), "nobody else's document has changed");
}

pub(super) fn content_that_came_back_is_current_and_its_newer_commitment_is_told(h: &dyn Harness) {
    let w = World::new(h);
    let [first, between, back] = [version(b"same", 1), version(b"else", 2), version(b"same", 3)];
    assert_ne!(first.commitment, back.commitment);
    for at in ["a", "b"] {
        assert!(w.create(at, key(1, 0), &first));
        assert!(w.replace(at, &first, key(2, 0), &between).is_some());
        assert!(w.replace(at, &between, key(3, 0), &back).is_some());
    }
    let newer = Some(Replaced { commitment: back.commitment, version: key(3, 0) });
    assert_eq!(w.replace("a", &first, key(4, 0), &between), newer);
    assert_eq!(w.take("b", &first, key(4, 1)), newer);
}

pub(super) fn a_document_is_taken_only_where_content_and_mode_are_the_base(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two] = [version(b"1", 1), version(b"2", 2)];
    assert!(w.create("a", key(1, 0), &one));
    assert!(w.create("b", key(1, 1), &one));
    for base in [two, executable(&one)] {
        assert_eq!(w.take("a", &base, key(2, 0)), None);
        assert_eq!(w.document("a"), Some(row("a", key(1, 0), &one)));
        assert_eq!(w.departed("a"), None, "what is here has not departed");
    }
    assert_eq!(w.take("c", &one, key(2, 0)), None);
    let told = Some(Replaced { commitment: one.commitment, version: key(1, 0) });
    assert_eq!(w.take("a", &one, key(2, 5)), told);
    assert_eq!(w.take("a", &one, key(3, 0)), None, "it is gone");
    assert_eq!(w.document("a"), None);
    assert_eq!(w.departed("a"), Some(key(2, 5)), "what took it away is remembered");
    assert_eq!(w.departed("A"), Some(key(2, 5)));
    assert_eq!((w.departed("b"), w.departed("c")), (None, None));
    assert_eq!(w.paths(), ["b"]);
    assert!(w.create("a", key(4, 0), &one), "the place is free");
    assert!(w.take("a", &one, key(5, 0)).is_some());
    assert_eq!(w.departed("a"), Some(key(5, 0)), "the last departure first");
    let earlier = |before| w.see(|tx| tx.departed(w.room, &path("a"), Some(before)));
    assert_eq!(earlier(key(5, 0)), Some(key(2, 5)), "and those before it");
    assert_eq!((earlier(key(2, 6)), earlier(key(2, 5))), (Some(key(2, 5)), None));
}

pub(super) fn paths_meet_under_case_and_composition(h: &dyn Harness) {
    let w = World::new(h);
    let one = version(b"1", 1);
    for (stored, asked) in
        [("Café", "cafe\u{301}"), ("README", "ReadMe"), ("Straße/x", "STRASSE/X"), ("Ω", "\u{2126}")]
    {
        assert!(w.create(stored, key(1, 0), &one));
        assert_eq!(
            w.document(asked),
            Some(row(stored, key(1, 0), &one)),
            "the path is told as it was written"
        );
        assert!(!w.create(asked, key(2, 0), &one));
        // A write names a document by its spelling too: another spelling is a rename that it missed.
        assert_eq!(w.replace(asked, &one, key(2, 0), &one), None);
        assert_eq!(w.take(asked, &one, key(2, 0)), None);
        assert_eq!(w.document(stored), Some(row(stored, key(1, 0), &one)));
        assert!(w.take(stored, &one, key(3, 0)).is_some());
        assert_eq!((w.document(asked), w.departed(asked)), (None, Some(key(3, 0))));
    }
}

pub(super) fn a_rename_by_case_alone_moves_one_document(h: &dyn Harness) {
    let w = World::new(h);
    let one = version(b"1", 1);
    w.applied(&Sketch::new(1).edit(Edit::create("readme", b"1", 1)));
    w.applied(&Sketch::new(2).edit(Edit::rename("readme", "README", &one)));
    assert_eq!(w.paths(), ["README"]);
    assert_eq!(w.document("readme"), Some(row("README", key(2, 0), &one)));
    // The content is what it was, but who read `readme` has missed the rename.
    for (n, edit) in [(3, Edit::replace("readme", &one, b"2", 2)), (4, Edit::delete("readme", &one))] {
        let late = Sketch::new(n).edit(edit);
        w.submit(&late);
        assert_eq!(w.apply(&late), Press::Stale(path("readme")));
    }
    assert_eq!(w.document("readme"), Some(row("README", key(2, 0), &one)));
}

pub(super) fn two_documents_swap_places(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two] = [version(b"1", 1), version(b"2", 2)];
    w.applied(&Sketch::new(1).edit(Edit::create("a", b"1", 1)).edit(Edit::create("b", b"2", 2)));
    let swap = Sketch::new(2).edit(Edit::rename("a", "b", &one)).edit(Edit::rename("b", "a", &two));
    w.applied(&swap);
    assert_eq!(w.document("a"), Some(row("a", key(2, 1), &two)));
    assert_eq!(w.document("b"), Some(row("b", key(2, 0), &one)));
    let again = Sketch { id: pid(3), ..swap };
    w.submit(&again);
    let before = w.dump();
    assert_eq!(w.apply(&again), Press::Stale(path("a")), "each has another base now");
    assert_eq!(w.dump(), before);
}

pub(super) fn documents_are_paged_in_the_order_of_their_keys(h: &dyn Harness) {
    let w = World::new(h);
    let one = version(b"1", 1);
    let paths = ["b", "Z", "a/x", "é", "a.x", "a!", "Ä", "字", "a/Y/y", "9"];
    for at in paths {
        assert!(w.create(at, key(1, 0), &one));
    }
    let mut sorted: Vec<DocPath> = paths.map(path).to_vec();
    sorted.sort_by(|a, b| a.key().cmp(b.key()));
    for limit in [1, 3, 10, 11] {
        let pages = w.see(|tx| {
            pages(limit, |last: Option<&DocumentRow>| {
                tx.documents(w.room, last.map(|row| row.path.key()), limit)
            })
        });
        let pages: Vec<DocPath> = pages.into_iter().map(|row| row.path).collect();
        assert_eq!(pages, sorted, "pages of {limit}");
    }
    let after_none = w.see(|tx| tx.documents(w.room, Some("a0"), 2));
    let found: Vec<_> = after_none.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(found, ["b", "Z"], "the cursor need not be there any more");
    assert_eq!(w.see(|tx| tx.documents(w.room, None, 0)), []);
}

pub(super) fn versions_chain_through_replace_rename_and_delete(h: &dyn Harness) {
    let w = World::new(h);
    let [one, two] = [version(b"1", 1), version(b"2", 2)];
    let first = Sketch::new(1).edit(Edit::create("x", b"0", 9)).edit(Edit::create("a", b"1", 1));
    w.applied(&first);
    w.applied(&Sketch::new(2).edit(Edit::replace("a", &one, b"2", 2)));
    w.applied(&Sketch::new(3).edit(Edit::rename("a", "b", &two)));
    w.applied(&Sketch::new(4).edit(Edit::delete("b", &two)));
    assert_eq!(w.departed("a"), Some(key(3, 0)));
    let entry = |seq, ordinal, op, at: &str, content: Option<&Version>, previous| VersionRow {
        version: key(seq, ordinal),
        op,
        path: path(at),
        from: None,
        proposal: pid(seq),
        revision: 1,
        content: content.cloned(),
        previous,
    };
    let chain = [
        entry(4, 0, Op::Delete, "b", None, Some(key(3, 0))),
        VersionRow { from: Some(path("a")), ..entry(3, 0, Op::Rename, "b", Some(&two), Some(key(2, 0))) },
        entry(2, 0, Op::Replace, "a", Some(&two), Some(key(1, 1))),
        entry(1, 1, Op::Create, "a", Some(&one), None),
    ];
    let mut at = w.departed("b");
    for expected in chain {
        let found = w.see(|tx| tx.version(w.room, at.unwrap())).unwrap();
        at = found.previous;
        assert_eq!(found, expected);
    }
    assert_eq!(at, None);
    assert_eq!(w.see(|tx| tx.version(w.room, key(2, 1))), None);
    assert_eq!(w.see(|tx| tx.version(w.room, key(5, 0))), None);
}
