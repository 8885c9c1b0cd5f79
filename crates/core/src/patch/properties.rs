//! What holds of patches whatever they are: our own come back exactly, and no patch makes a content
//! that its hunks do not say.

use proptest::prelude::*;

use super::hunk::{Mark, Side};
use super::place::{self, Place};
use super::search::{self, Finds};
use super::*;

fn path(text: &str) -> DocPath {
    DocPath::parse("path", text).unwrap()
}

fn changed<'a>(path: &'a DocPath, before: &'a [u8], after: &'a [u8]) -> FileChange<'a> {
    let side = |content| Some((content, Mode::Plain));
    FileChange { from: None, path, before: side(before), after: side(after) }
}

/// Lines of few words, with every kind of line end, and now and then bytes that are no text.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        12 => "(a|b|b|\\+\\+\\+ a|--- b|@@ -1 \\+1 @@|\\\\ x|x y| |diff --git a/x b/x|)\n",
        4 => "[abc]{0,2}(\r\n|\n|\r)",
        1 => "[a-c\u{e9}]{0,60}\n",
        // What a terminal would obey; bidirectional controls stay text.
        1 => "a?(\u{0}|\u{7}|\u{8}|\u{b}|\u{c}|\u{1b}\\[2J|\u{7f}|\u{9b}2J|\u{85}|\u{202e}|\u{2066})b?\n",
    ];
    let text = proptest::collection::vec(line, 0..24).prop_map(|lines| lines.concat().into_bytes());
    let cut = (text, 0..3usize).prop_map(|(mut text, cut)| {
        text.truncate(text.len() - cut.min(text.len()));
        text
    });
    prop_oneof![9 => cut, 1 => proptest::collection::vec(any::<u8>(), 0..200)]
}

/// A content and one that came of it.
fn pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edits = proptest::collection::vec((0..40usize, 0..4u8, "[ab+-]{0,3}\r?\n"), 0..6);
    let edited = (content(), edits).prop_map(|(before, edits)| {
        let mut lines: Vec<Vec<u8>> = before.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        for (at, kind, text) in edits {
            let at = at.min(lines.len());
            match kind {
                0 if at < lines.len() => drop(lines.remove(at)),
                1 if at < lines.len() => lines[at] = text.into_bytes(),
                2 if at < lines.len() => lines.insert(at, lines[at].clone()),
                _ => lines.insert(at, text.into_bytes()),
            }
        }
        let after = lines.concat();
        (before, after)
    });
    prop_oneof![3 => edited, 1 => (content(), content())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn our_own_patch_makes_the_other_content((before, after) in pair()) {
        let path = path("a/b c.md");
        let patch = write([changed(&path, &before, &after)]);
        if before == after {
            prop_assert_eq!(patch, b"");
            return Ok(());
        }
        let obeyed = |c: char| c.is_control() && !['\t', '\n', '\u{c}', '\r'].contains(&c);
        prop_assert!(!String::from_utf8(patch.clone()).unwrap().contains(obeyed));
        let files = parse("diff", &patch, None).unwrap();
        prop_assert_eq!(files.len(), 1);
        prop_assert_eq!(files[0].target(), &Target::Modify(vec![path.clone()]));
        let applied = files[0].apply("diff", &path, &before);
        let shown = String::from_utf8_lossy(&patch).into_owned();
        prop_assert_eq!(applied, Ok(Applied { content: after.clone(), moved: Vec::new() }), "{}", shown);
        // What only adds is not added for a second time.
        let Ok(Body::Hunks(hunks)) = &files[0].body else { return Ok(()) };
        if hunks.iter().all(|hunk| hunk.rows().all(|row| row.mark != Mark::Remove)) {
            let twice = files[0].apply("diff", &path, &after);
            prop_assert!(twice.is_err(), "{} gives {:?}", shown, twice);
        }
    }

    #[test]
    fn our_own_patch_says_what_becomes_of_a_document(
        (before, after) in pair(),
        names in ("[a-c \"\u{e9}/]{1,8}", "[a-c \"\u{e9}/]{1,8}"),
        there in (any::<bool>(), any::<bool>()),
        modes in (any::<bool>(), any::<bool>()),
    ) {
        let (Ok(from), Ok(to)) = (DocPath::parse("path", &names.0), DocPath::parse("path", &names.1)) else {
            return Ok(());
        };
        let mode = |plain| if plain { Mode::Plain } else { Mode::Executable };
        let old = there.0.then_some((before.as_slice(), mode(modes.0)));
        let new = there.1.then_some((after.as_slice(), mode(modes.1)));
        let moves = old.is_some() && new.is_some() && from != to;
        let change = FileChange { from: moves.then_some(&from), path: &to, before: old, after: new };
        let patch = write([change]);
        let shown = String::from_utf8_lossy(&patch).into_owned();
        if old == new && !moves {
            prop_assert_eq!(patch, b"");
            return Ok(());
        }
        let files = parse("diff", &patch, None).unwrap();
        let expected = match (old, new) {
            (None, _) => Target::Create(to.clone()),
            (_, None) => Target::Delete(to.clone()),
            _ if moves => Target::Rename { from, path: to.clone() },
            _ => Target::Modify(vec![to.clone()]),
        };
        prop_assert_eq!(files.len(), 1, "{}", shown);
        prop_assert_eq!(files[0].target(), &expected, "{}", shown);
        let mode_said = new.filter(|new| old.is_none_or(|old| old.1 != new.1)).map(|new| new.1);
        prop_assert_eq!(files[0].mode(), mode_said, "{}", shown);
        let content = |side: Option<(&[u8], Mode)>| side.map(|side| side.0.to_vec()).unwrap_or_default();
        let made = files[0].apply("diff", &to, &content(old));
        prop_assert_eq!(made.map(|made| made.content), Ok(content(new)), "{}", shown);
    }

    #[test]
    fn a_damaged_patch_makes_only_what_its_hunks_say(
        (before, after) in pair(),
        (other, _) in pair(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0..5u8, any::<u8>()), 0..6),
        strip in proptest::option::of(0..3u32),
    ) {
        let path = path("x");
        let mut patch = write([changed(&path, &before, &after), changed(&path, &before, &other)]);
        for (index, kind, byte) in damage {
            if patch.is_empty() { break }
            let at = index.index(patch.len());
            match kind {
                0 => drop(patch.remove(at)),
                1 => patch.insert(at, byte),
                2 => patch[at] = byte,
                3 => patch.truncate(at),
                _ => {
                    let line = patch[at..].iter().position(|b| *b == b'\n').map_or(patch.len(), |n| at + n + 1);
                    drop(patch.drain(at..line));
                }
            }
        }
        for document in [&before, &after, &other] {
            let Ok(files) = parse("diff", &patch, strip) else { continue };
            for file in files {
                if let (Ok(made), Ok(Body::Hunks(hunks))) = (file.apply("diff", &path, document), &file.body) {
                    prop_assert_eq!(Some(made.content), said(hunks, &made.moved, document));
                }
            }
        }
    }

    #[test]
    fn whatever_the_bytes_nothing_breaks(patch in proptest::collection::vec(any::<u8>(), 0..300), text in "(--- a/x\n|\\+\\+\\+ b/x\n|@@ -[0-3],?[0-3] \\+[0-3],?[0-3] @@\n|[-+ ][ab]\n|\\\\ x\n|diff --git a/x b/x\n|\n|-- \n|1.2\n|From x\n|rename from x\n|index 1234..5678\n|GIT binary patch\n|literal 3\n|Kc\n){0,24}") {
        for diff in [patch, text.into_bytes()] {
            for file in parse("diff", &diff, None).unwrap_or_default() {
                for document in ["", "a\n", "a\nb\na\nb"] {
                    let made = file.apply("diff", &path("x"), document.as_bytes());
                    if let (Ok(made), Ok(Body::Hunks(hunks))) = (made, &file.body) {
                        prop_assert_eq!(Some(made.content), said(hunks, &made.moved, document.as_bytes()));
                    }
                }
            }
        }
    }

    #[test]
    fn a_search_finds_what_looking_everywhere_does(
        document in "([ab]\n){0,14}[ab]?",
        hunks in proptest::collection::vec(("([ab]\n){1,4}", any::<bool>()), 1..6),
    ) {
        let mut patch = String::from("--- x\n+++ x\n");
        for (text, open) in &hunks {
            let lines = text.lines().count();
            patch.extend([format!("@@ -90,{lines} +90,0 @@\n")]);
            patch.extend(text.lines().map(|line| format!("-{line}\n")));
            if *open {
                patch.push_str("\\ No newline\n");
            }
        }
        let files = parse("diff", patch.as_bytes(), None).unwrap();
        let Ok(Body::Hunks(read)) = &files[0].body else { panic!("{patch}") };
        let found = search::all(read, document.as_bytes(), Side::Old);
        for (hunk, finds) in read.iter().zip(found) {
            let mut here = Place { at: 0, line: 1 };
            let mut all = Finds::None;
            let mut places = Vec::new();
            loop {
                if hunk.stands_at(Side::Old, &document.as_bytes()[here.at..]) {
                    places.push(here);
                }
                let next = here.line + 1;
                if !place::go_to(&mut here, next, document.as_bytes()) {
                    break;
                }
            }
            if let [first, rest @ ..] = places.as_slice() {
                all = rest.first().map_or(Finds::One(*first), |second| Finds::Two(*first, *second));
            }
            prop_assert_eq!(finds, all, "{:?} in {:?}", patch, document);
        }
    }
}

/// What hunks say of a document, read in the plainest way: each at its line, or where it is said to have
/// been found; none where its old lines are not there.
fn said(hunks: &[hunk::Hunk<'_>], moved: &[MovedHunk], document: &[u8]) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = document.split_inclusive(|b| *b == b'\n').collect();
    let (mut made, mut at) = (Vec::new(), 0usize);
    for (number, hunk) in (1u32..).zip(hunks) {
        let declared = hunk.old.start;
        let line = moved.iter().find(|m| m.hunk == number).map_or(declared.max(1), |m| m.found);
        let start = line as usize - 1;
        made.extend(lines.get(at..start)?.iter().copied().flatten());
        at = start;
        for row in hunk.rows() {
            let mut text = row.text.to_vec();
            if row.ended {
                text.push(b'\n');
            }
            if row.mark != Mark::Add {
                if *lines.get(at)? != text {
                    return None;
                }
                at += 1;
            }
            if row.mark != Mark::Remove {
                made.extend_from_slice(&text);
            }
        }
    }
    made.extend(lines.get(at..)?.iter().copied().flatten());
    Some(made)
}
