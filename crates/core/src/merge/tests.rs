//! What a merge promises: by hand, of documents built block by block whose merge is known, and of any
//! lines at all. Beside git itself it is held in the whole-system tests.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

#[path = "../../tests/kept/mod.rs"]
mod kept;

use kept::keeps_all;

/// A merge whose sides may be given either way round.
#[test]
fn changes_that_overlap_or_touch_are_in_conflict() {
    let check = |base: &str, now: &str, after: &str, expected: Option<&str>| {
        for (now, after) in [(now, after), (after, now)] {
            let merged = merge(base.as_bytes(), now.as_bytes(), after.as_bytes());
            let clean = merged.clean().map(|content| String::from_utf8(content).unwrap());
            assert_eq!(clean.as_deref(), expected, "{base:?} {now:?} {after:?}");
            assert_eq!(merged.conflicts().count() > 0, expected.is_none());
        }
    };
    check("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", Some("A\nb\nC\n"));
    // Lines that touch.
    check("a\nb\n", "A\nb\n", "a\nB\n", None);
    check("a\nb\n", "b\n", "a\n", None);
    check("a\n", "x\na\n", "a\ny\n", Some("x\na\ny\n"));
    check("a\nb\n", "x\na\nb\n", "A\nb\n", None);
    check("a\nb\n", "a\nx\nb\n", "A\nb\n", None);
    check("a\n", "a\nx\n", "a\ny\n", None);
    check("a\nb\nc\n", "", "a\nB\nc\n", None);
    // The same on both sides counts once.
    check("a\nz\n", "a\nx\nz\n", "a\nx\nz\nend\n", Some("a\nx\nz\nend\n"));
    check("a\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nB\nc\nD\n", Some("a\nB\nc\nD\n"));
    check("a\nb\nc\n", "b\nc\n", "b\nC\n", Some("b\nC\n"));
    // More than the same is more.
    check("a\nb\nc\n", "a\nB\nc\n", "a\nB\nC\n", None);
    check("a\nb\n", "a\nx\nb\n", "a\nx\ny\nb\n", None);
    check("", "x\n", "y\n", None);
    check("", "x\n", "x\n", Some("x\n"));
    check("", "", "", Some(""));
    check("a\n", "", "", Some(""));
    // A line end is of its line.
    check("a\nb", "a\nb\n", "a\nB", None);
    check("a\nm\nb", "a\nm\nb\n", "A\nm\nb", Some("A\nm\nb\n"));
    check("a\r\nm\nb\r\n", "A\r\nm\nb\r\n", "a\r\nm\nB\r\n", Some("A\r\nm\nB\r\n"));
    check("a\nb\n", "a\r\nb\r\n", "a\nB\n", None);
    check("\0\nm\n\u{1}\n", "\0x\nm\n\u{1}\n", "\0\nm\n\u{1}x\n", Some("\0x\nm\n\u{1}x\n"));
}

#[test]
fn bytes_that_are_no_text_are_lines_too() {
    let merged = merge(b"\xff\xfe\nm\n\0", b"\xff\nm\n\0", b"\xff\xfe\nm\n\0\xc3");
    assert_eq!(merged.clean().as_deref(), Some(&b"\xff\nm\n\0\xc3"[..]));
}

#[test]
fn a_conflict_says_where_and_takes_what_is_chosen() {
    let merged = merge(b"1\n2\n3\n4", b"0\n1\nN\n3\n4", b"1\nA\nB\n3\n4");
    let part = |start, lines, text: &'static [u8]| Part { start, lines, text };
    let expected =
        Conflict { base: part(2, 1, b"2\n"), now: part(3, 1, b"N\n"), after: part(2, 2, b"A\nB\n") };
    assert_eq!(merged.conflicts().collect::<Vec<_>>(), [&expected]);
    let check = |side, expected: &[u8]| assert_eq!(merged.take(&[side]).as_deref(), Some(expected));
    check(Side::Base, b"0\n1\n2\n3\n4");
    check(Side::Now, b"0\n1\nN\n3\n4");
    check(Side::After, b"0\n1\nA\nB\n3\n4");
    check(Side::NowThenAfter, b"0\n1\nN\nA\nB\n3\n4");
    check(Side::AfterThenNow, b"0\n1\nA\nB\nN\n3\n4");
    assert_eq!((merged.take(&[]), merged.take(&[Side::Now, Side::Now])), (None, None));
    assert_eq!(merge(b"", b"", b"x").take(&[Side::Now]), None, "there is nothing to choose");
}

/// A side without lines is told by the line above it.
#[test]
fn a_side_without_lines_is_told_by_the_line_above() {
    let places = |base: &[u8], now: &[u8], after: &[u8]| -> Vec<[(u32, u32); 3]> {
        let merged = merge(base, now, after);
        let found = merged.conflicts();
        found.map(|c| [c.base, c.now, c.after].map(|part| (part.start, part.lines))).collect()
    };
    assert_eq!(places(b"", b"n\n", b"a"), [[(0, 0), (1, 1), (1, 1)]]);
    assert_eq!(places(b"1\n2\n3\n", b"1\n3\n", b"1\nx\n3\n"), [[(2, 1), (1, 0), (2, 1)]]);
    assert_eq!(places(b"1\n2\n", b"1\nn\n2\n", b"1\na\nb\n2\n"), [[(1, 0), (2, 1), (2, 2)]]);
}

/// The comparison would take minutes; a merge that takes longer than anybody waits fails this test by
/// never ending.
#[test]
fn many_lines_of_few_kinds_are_compared_from_their_ends() {
    let base: Vec<u8> = b"0\n1\n".repeat(100_000);
    let [now, after] = [[&b"now\n"[..], &base].concat(), [&base[..], b"after\n"].concat()];
    let both = [&b"now\n"[..], &base, b"after\n"].concat();
    assert!(merge(&base, &now, &after).clean() == Some(both), "one at each end");
    // Edits that are spread over it are one.
    let spread = |every: usize, with: &[u8]| -> Vec<u8> {
        let line = |(n, line)| if n % every == every / 2 { [line, with].concat() } else { line.to_vec() };
        lines(&base).enumerate().flat_map(line).collect()
    };
    let (now, after) = (spread(900, b"now\n"), spread(700, b"after\n"));
    let merged = merge(&base, &now, &after);
    assert_eq!(merged.conflicts().count(), 1);
    assert!(merged.take(&[Side::Base]).as_ref() == Some(&base));
    let sides = merged.conflicts().next().map(|c| (c.now.lines, c.after.lines));
    assert!(sides.is_some_and(|(n, a)| n > 100_000 && a > 100_000), "{sides:?}");
    assert!(merge(&base, &now, &base).clean() == Some(now), "one side alone is that side");
}

#[test]
fn two_last_lines_stay_two() {
    let check = |base: &[u8], now: &[u8], after: &[u8], expected: &[u8]| {
        let merged = merge(base, now, after);
        assert_eq!(merged.take(&[Side::NowThenAfter]).as_deref(), Some(expected));
    };
    check(b"", b"n", b"a", b"n\na");
    check(b"", b"n", b"a\r\n", b"n\r\na\r\n");
    check(b"", b"m\r\nn", b"a", b"m\r\nn\r\na");
    check(b"1\r\n", b"1\r\nn", b"1\r\na", b"1\r\nn\r\na");
    check(b"1\n2", b"1\n", b"1\n3", b"1\n3");
    check(b"1\n2", b"1\n3", b"1\n", b"1\n3");
}

/// A run of lines that stay, then what each side made of some lines: no line comes twice in a side.
#[derive(Debug, Clone)]
struct Block {
    stays: usize,
    base: usize,
    now: Option<usize>,
    after: Option<usize>,
    same: bool,
}

/// A document with two sides, and what merging them must come to.
#[derive(Default)]
struct Built {
    base: Vec<u8>,
    now: Vec<u8>,
    after: Vec<u8>,
    /// The result, and where there is a conflict its three sides.
    pieces: Vec<Result<Vec<u8>, [Vec<u8>; 3]>>,
}

impl Built {
    fn of(blocks: &[Block], ends: &[&str]) -> Self {
        let mut built = Self::default();
        let mut number = 0;
        let mut lines = |letter: char, count: usize| -> Vec<u8> {
            let line = |n: usize| format!("{letter}{n}{}", ends[n % ends.len()]);
            number += count;
            (number - count..number).map(line).collect::<String>().into_bytes()
        };
        for block in blocks {
            let stays = lines('=', block.stays);
            built.extend_all(&stays);
            built.pieces.push(Ok(stays));
            let base = lines('b', block.base);
            let now = block.now.map(|count| lines('n', count));
            let after = if block.same { now.clone() } else { block.after.map(|count| lines('a', count)) };
            // Nothing in the place of nothing is no change.
            let [now, after] =
                [now, after].map(|side| side.filter(|side| !(side.is_empty() && base.is_empty())));
            built.base.extend(&base);
            built.now.extend(now.as_ref().unwrap_or(&base));
            built.after.extend(after.as_ref().unwrap_or(&base));
            built.pieces.push(match (now, after) {
                (None, None) => Ok(base),
                (Some(one), None) | (None, Some(one)) => Ok(one),
                (Some(now), Some(after)) if now == after => Ok(now),
                (Some(now), Some(after)) => Err([base, now, after]),
            });
        }
        built
    }

    fn extend_all(&mut self, text: &[u8]) {
        for side in [&mut self.base, &mut self.now, &mut self.after] {
            side.extend_from_slice(text);
        }
    }

    fn taking(&self, side: Side) -> Vec<u8> {
        let chosen = |piece: &Result<Vec<u8>, [Vec<u8>; 3]>| match (piece, side) {
            (Ok(text), _) => text.clone(),
            (Err([base, ..]), Side::Base) => base.clone(),
            (Err([_, now, _]), Side::Now) => now.clone(),
            (Err([.., after]), Side::After) => after.clone(),
            (Err([_, now, after]), Side::NowThenAfter) => [&now[..], after].concat(),
            (Err([_, now, after]), Side::AfterThenNow) => [&after[..], now].concat(),
        };
        self.pieces.iter().flat_map(chosen).collect()
    }
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let side = || proptest::option::of(0..4usize);
    let block = (1..4usize, 0..4usize, side(), side(), prop::bool::weighted(0.2));
    let block = block.prop_map(|(stays, base, now, after, same)| Block { stays, base, now, after, same });
    vec(block, 0..12)
}

fn line_ends() -> impl Strategy<Value = &'static [&'static str]> {
    prop_oneof![Just(&["\n"][..]), Just(&["\r\n"][..]), Just(&["\n", "\r\n", "\r\r\n"][..])]
}

/// Few different lines, so that a comparison has many ways to see them.
fn some_lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => "[abc]\n".prop_map(String::into_bytes),
        1 => "[ab]\r\n".prop_map(String::into_bytes),
        1 => Just(b"\xff\0\n".to_vec()),
    ];
    (vec(line, 0..12), "[ab]?").prop_map(|(lines, end)| [lines.concat(), end.into_bytes()].concat())
}

fn letters() -> impl Strategy<Value = Vec<u8>> {
    vec(b'a'..b'e', 0..12)
}

/// What is done to each line, and a letter to do it with.
fn edits_of() -> impl Strategy<Value = Vec<(u8, u8)>> {
    vec((0..12u8, b'a'..b'f'), 14)
}

/// A document of a line for each letter, some of them gone, replaced or with another one after them.
fn edited(base: &[u8], edits: &[(u8, u8)]) -> Vec<u8> {
    let mut content = Vec::new();
    let mut edits = edits.iter().chain(std::iter::repeat(&(u8::MAX, b' ')));
    for (letter, (edit, with)) in base.iter().zip(edits.by_ref()) {
        match edit {
            0 => {}
            1 => content.extend([*with, b'\n']),
            2 => content.extend([*letter, b'\n', *with, b'\n']),
            _ => content.extend([*letter, b'\n']),
        }
    }
    match edits.next() {
        Some((0..3, with)) => content.extend([*with, b'\n']),
        Some((3, _)) => drop(content.pop()),
        _ => {}
    }
    content
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|b| *b == b'\n')
}

#[test]
fn what_is_lost_is_found_out() {
    let check =
        |merged: &[u8], kept| assert_eq!(keeps_all(b"1\n2\n3\n", b"x\n1\n2\n3\n", b"1\n2\n", merged), kept);
    check(b"x\n1\n2\n", true);
    check(b"1\n2\n", false);
    check(b"x\n1\n2\n3\n", false);
    check(b"x\nx\n1\n2\n", false);
    check(b"x\n2\n", false);
    assert!(!keeps_all(b"1\n2\n", b"1\n", b"2\n", b""), "they touch");
    assert!(keeps_all(b"1\n", b"1\nx\n", b"1\nx\n", b"1\nx\n"));
    assert!(!keeps_all(b"1\n", b"1\nx\n", b"1\nx\n", b"1\nx\nx\n"), "once");
}

proptest! {
    #[test]
    fn blocks_come_out_as_they_were_made(blocks in blocks(), ends in line_ends(), open in any::<bool>()) {
        let mut built = Built::of(&blocks, ends);
        // Perhaps with a last line that stays and has no end.
        if open {
            built.extend_all(b"end");
            built.pieces.push(Ok(b"end".to_vec()));
        }
        let merged = merge(&built.base, &built.now, &built.after);
        let expected: Vec<_> = built.pieces.iter().filter_map(|piece| piece.as_ref().err()).collect();
        let found: Vec<_> = merged.conflicts().map(|c| [c.base, c.now, c.after].map(|part| part.text.to_vec())).collect();
        prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
        for conflict in merged.conflicts() {
            let sides = [(conflict.base, &built.base), (conflict.now, &built.now), (conflict.after, &built.after)];
            for (part, whole) in sides {
                let above = (part.start - u32::from(part.lines > 0)) as usize;
                let there: Vec<u8> = lines(whole).skip(above).take(part.lines as usize).flatten().copied().collect();
                prop_assert_eq!(there, part.text, "line {} of {:?}", part.start, String::from_utf8_lossy(whole));
            }
        }
        for side in [Side::Base, Side::Now, Side::After, Side::NowThenAfter, Side::AfterThenNow] {
            let taken = merged.take(&vec![side; merged.conflicts().count()]);
            prop_assert_eq!(taken, Some(built.taking(side)), "{:?}", side);
        }
    }

    #[test]
    fn one_side_alone_is_that_side(base in some_lines(), side in some_lines()) {
        prop_assert_eq!(merge(&base, &base, &side).clean(), Some(side.clone()));
        prop_assert_eq!(merge(&base, &side, &base).clean(), Some(side.clone()));
        prop_assert_eq!(merge(&base, &side, &side).clean(), Some(side));
    }

    /// Which side is which makes no difference.
    #[test]
    fn sides_are_equal(base in some_lines(), now in some_lines(), after in some_lines()) {
        let (one, two) = (merge(&base, &now, &after), merge(&base, &after, &now));
        prop_assert_eq!(one.clean(), two.clean());
        let swapped: Vec<_> = two.conflicts().map(|c| Conflict { base: c.base, now: c.after, after: c.now }).collect();
        prop_assert_eq!(one.conflicts().copied().collect::<Vec<_>>(), swapped);
    }

    #[test]
    fn a_clean_merge_loses_nothing_of_either_side(base in letters(), now in edits_of(), after in edits_of()) {
        let [now, after] = [now, after].map(|edits| edited(&base, &edits));
        let base = edited(&base, &[]);
        match merge(&base, &now, &after).clean() {
            Some(clean) => prop_assert!(keeps_all(&base, &now, &after, &clean), "{:?}", String::from_utf8_lossy(&clean)),
            // A conflict there is only where both have changed something, and not the same.
            None => prop_assert!(now != base && after != base && now != after),
        }
    }
}
