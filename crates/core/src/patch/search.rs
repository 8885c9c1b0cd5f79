//! Finds all hunks of a file in one pass over the document's lines, however alike they are: the
//! automaton of Aho and Corasick (1975) with whole lines for letters. No index of the document is made.

use std::collections::HashMap;

use super::hunk::{Extent, Hunk, Side};
use super::place::Place;

/// Where a hunk was found. More than two places are not looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Finds {
    #[default]
    None,
    One(Place),
    Two(Place, Place),
}

impl Finds {
    fn add(&mut self, place: Place) {
        *self = match *self {
            Self::None => Self::One(place),
            Self::One(first) | Self::Two(first, _) => Self::Two(first, place),
        };
    }
}

/// Finds every hunk. Those that end the document's last line are looked for there alone.
pub(super) fn all(hunks: &[Hunk<'_>], content: &[u8], side: Side) -> Vec<Finds> {
    let mut automaton = Automaton::new();
    let numbers: Vec<Option<u32>> =
        hunks.iter().map(|hunk| (!hunk.at_end()).then(|| automaton.add(hunk, side))).collect();
    let found = automaton.run(content);
    let find = |(hunk, number): (&Hunk<'_>, Option<u32>)| match number {
        None => at_the_end(hunk, content, side),
        Some(number) => found[number as usize - 1].finds,
    };
    hunks.iter().zip(numbers).map(find).collect()
}

fn at_the_end(hunk: &Hunk<'_>, content: &[u8], side: Side) -> Finds {
    let Some(at) = content.len().checked_sub(hunk.extent(side).bytes) else { return Finds::None };
    let (before, last) = content.split_at(at);
    let line_start = before.is_empty() || before.ends_with(b"\n");
    if line_start && hunk.stands_at(side, last) {
        let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
        Finds::One(Place { at, line })
    } else {
        Finds::None
    }
}

const ROOT: u32 = 0;

/// A run of lines that is looked for.
struct Pattern {
    bytes: usize,
    lines: u64,
    finds: Finds,
}

/// States are numbered as they are made; what is known of one is at its number.
struct Automaton<'a> {
    /// Each different line's number, from 1.
    letters: HashMap<&'a [u8], u32>,
    next: HashMap<(u32, u32), u32>,
    letter: Vec<u32>,
    first_child: Vec<u32>,
    sibling: Vec<u32>,
    /// The pattern that ends here, from 1; 0 is none.
    pattern: Vec<u32>,
    patterns: Vec<Pattern>,
}

impl<'a> Automaton<'a> {
    fn new() -> Self {
        Self {
            letters: HashMap::new(),
            next: HashMap::new(),
            letter: vec![0],
            first_child: vec![ROOT],
            sibling: vec![ROOT],
            pattern: vec![0],
            patterns: Vec::new(),
        }
    }

    /// The pattern, from 1, of a hunk's lines: alike hunks have the same.
    fn add(&mut self, hunk: &Hunk<'a>, side: Side) -> u32 {
        let mut state = ROOT;
        for row in hunk.side(side) {
            let fresh = number(self.letters.len() + 1);
            let letter = *self.letters.entry(row.text).or_insert(fresh);
            let made = number(self.letter.len());
            let next = *self.next.entry((state, letter)).or_insert(made);
            if next == made {
                self.letter.push(letter);
                self.sibling.push(self.first_child[state as usize]);
                self.first_child.push(ROOT);
                self.pattern.push(0);
                self.first_child[state as usize] = made;
            }
            state = next;
        }
        let pattern = &mut self.pattern[state as usize];
        if *pattern == 0 {
            let Extent { bytes, lines, .. } = hunk.extent(side);
            self.patterns.push(Pattern { bytes, lines: u64::from(lines), finds: Finds::None });
            *pattern = number(self.patterns.len());
        }
        *pattern
    }

    fn step(&self, fail: &[u32], mut state: u32, letter: u32) -> u32 {
        loop {
            if let Some(next) = self.next.get(&(state, letter)) {
                return *next;
            }
            if state == ROOT {
                return ROOT;
            }
            state = fail[state as usize];
        }
    }

    /// For each state the longest other one that its lines end with, and the longest such that ends a
    /// pattern.
    fn links(&self) -> (Vec<u32>, Vec<u32>) {
        let states = self.letter.len();
        let (mut fail, mut shorter) = (vec![ROOT; states], vec![ROOT; states]);
        let mut queue = vec![ROOT];
        let mut read = 0;
        while let Some(&state) = queue.get(read) {
            read += 1;
            let mut child = self.first_child[state as usize];
            while child != ROOT {
                if state != ROOT {
                    let end = self.step(&fail, fail[state as usize], self.letter[child as usize]);
                    fail[child as usize] = end;
                    let ends_pattern = self.pattern[end as usize] != 0;
                    shorter[child as usize] = if ends_pattern { end } else { shorter[end as usize] };
                }
                queue.push(child);
                child = self.sibling[child as usize];
            }
        }
        (fail, shorter)
    }

    /// Whether a state's pattern needs no more places.
    fn is_done(&self, state: u32) -> bool {
        let pattern = self.pattern[state as usize];
        pattern != 0 && matches!(self.patterns[pattern as usize - 1].finds, Finds::Two(..))
    }

    /// The first state from this one on whose pattern is still looked for. Those that are done are stepped
    /// over from now on, so that a run of alike lines costs no more than any other.
    fn wanted(&self, shorter: &mut [u32], mut state: u32) -> u32 {
        while state != ROOT && self.is_done(state) {
            let next = shorter[state as usize];
            if next != ROOT && self.is_done(next) {
                shorter[state as usize] = shorter[next as usize];
            }
            state = shorter[state as usize];
        }
        state
    }

    fn run(mut self, content: &[u8]) -> Vec<Pattern> {
        let (fail, mut shorter) = self.links();
        let (mut state, mut start, mut line) = (ROOT, 0, 0u64);
        // A last line without an end is no pattern's.
        for end in memchr::memchr_iter(b'\n', content) {
            line += 1;
            state = match self.letters.get(&content[start..end]) {
                Some(letter) => self.step(&fail, state, *letter),
                None => ROOT,
            };
            start = end + 1;
            let own = self.pattern[state as usize] != 0;
            let mut found = if own { state } else { shorter[state as usize] };
            loop {
                found = self.wanted(&mut shorter, found);
                if found == ROOT {
                    break;
                }
                let index = self.pattern[found as usize] as usize - 1;
                let pattern = &mut self.patterns[index];
                pattern.finds.add(Place { at: start - pattern.bytes, line: line + 1 - pattern.lines });
                found = shorter[found as usize];
            }
        }
        self.patterns
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("the lines of hunks are bounded before they are searched")
}
