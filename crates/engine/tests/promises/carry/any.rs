//! Any proposal, and whatever others do meanwhile: what is rebased can be applied, every conflict can be
//! decided, and no document is lost, doubled or taken for another one.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

const PATHS: [&str; 6] = ["a", "b", "c", "d", "d/e", "f"];
const LINES: usize = 6;

/// Documents by their paths. The first line of each is its own, and is never edited.
#[derive(Debug, Clone, Default)]
struct Sketch {
    at: BTreeMap<&'static str, Vec<String>>,
    made: u32,
}

/// A step of a proposal: what, where, and whereto or which line.
type Draw = (u8, u8, u8);

impl Sketch {
    fn text(lines: &[String]) -> String {
        lines.concat()
    }

    fn free(&self, at: &str) -> bool {
        let within =
            |inner: &str, outer: &str| inner.starts_with(outer) && inner[outer.len()..].starts_with('/');
        self.at.keys().all(|taken| *taken != at && !within(taken, at) && !within(at, taken))
    }

    /// One change that is possible here, if what is drawn is.
    fn change(&mut self, (kind, which, more): Draw, who: &str) -> Option<Submitted> {
        let standing: Vec<&'static str> = self.at.keys().copied().collect();
        let one = (!standing.is_empty()).then(|| standing[which as usize % standing.len()]);
        let to = PATHS[more as usize % PATHS.len()];
        self.made += 1;
        let made = self.made;
        match kind % 8 {
            0..=2 => {
                let lines = self.at.get_mut(one?)?;
                let line = 1 + more as usize % (LINES - 1);
                lines[line] = format!("{who} {made}\n");
                Some(put(one?, &Self::text(lines)))
            }
            3..=5 => {
                let from = one?;
                let lines = self.at.remove(from)?;
                if !self.free(to) {
                    self.at.insert(from, lines);
                    return None;
                }
                self.at.insert(to, lines);
                Some(rename(from, to))
            }
            6 => {
                self.at.remove(one?)?;
                Some(delete(one?))
            }
            _ => {
                let to = PATHS[which as usize % PATHS.len()];
                if !self.free(to) {
                    return None;
                }
                let first = [format!("document {who} {made}\n")];
                let lines: Vec<String> =
                    first.into_iter().chain((1..LINES).map(|n| format!("line {n}\n"))).collect();
                let text = Self::text(&lines);
                self.at.insert(to, lines);
                Some(put(to, &text))
            }
        }
    }

    fn changes(&mut self, draws: &[Draw], who: &str) -> Vec<Submitted> {
        draws.iter().filter_map(|draw| self.change(*draw, who)).collect()
    }
}

/// The first lines of all documents: each is one document.
fn known(desk: &Desk) -> Vec<String> {
    let first = |(_, text, _): (String, String, Mode)| text.lines().next().unwrap_or_default().to_owned();
    let mut all: Vec<String> = desk.all().into_iter().map(first).collect();
    all.sort();
    all
}

fn start() -> (Desk, Sketch) {
    let desk = still();
    let mut sketch = Sketch::default();
    for at in [0, 1, 2] {
        let change = sketch.change((7, at, 0), "start").expect("a free place");
        desk.did(vec![change]);
    }
    (desk, sketch)
}

/// The same cases in every run; others with `PROPTEST_RNG_SEED`, more with `PROPTEST_CASES`.
fn cases() -> ProptestConfig {
    let asked = |name: &str| std::env::var_os(name).is_some();
    let mut config = ProptestConfig::default();
    if !asked("PROPTEST_CASES") {
        config.cases = 384;
    }
    if !asked("PROPTEST_RNG_SEED") {
        config.rng_seed = proptest::test_runner::RngSeed::Fixed(2026);
    }
    config
}

fn draws(most: usize) -> impl Strategy<Value = Vec<Draw>> {
    proptest::collection::vec(any::<Draw>(), 1..=most)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn whatever_others_do_a_rebase_is_decided_and_nothing_is_lost(
        mine in draws(6),
        theirs in proptest::collection::vec(draws(4), 1..4),
        sides in any::<u64>(),
    ) {
        let (desk, mut sketch) = start();
        let mut own = sketch.clone();
        own.made = 1_000;
        let before: BTreeSet<String> = known(&desk).into_iter().collect();
        let submitted = proposal(own.changes(&mine, "mine"));
        let Ok(mine) = desk.engine.submit(&desk.ani, ROOM, submitted) else { return Ok(()) };
        let wanted: BTreeSet<String> = own.at.values().map(|lines| lines[0].trim_end().to_owned()).collect();
        for draws in &theirs {
            let changes = sketch.changes(draws, "theirs");
            if let Ok(one) = desk.engine.submit(&desk.ani, ROOM, proposal(changes)) {
                desk.apply(&one);
            }
        }
        let room = known(&desk);
        let mut choices: BTreeMap<(DocPath, Option<DocPath>), Choice> = BTreeMap::new();
        let mut replaced = false;
        let mut asked = 0;
        let rebased = loop {
            let given: Vec<Choice> = choices.values().cloned().collect();
            let stored = desk.stored();
            match desk.rebase(mine.number, &given) {
                Ok(rebased) => break Some(rebased),
                Err(failure) if failure.code() == Code::ProposalNoChange => break None,
                Err(failure) => {
                    same(&desk, &stored);
                    let found = conflicts(failure);
                    prop_assert!(!found.is_empty());
                    for conflict in found {
                        let after = sides >> (asked % 64) & 1 == 1 && conflict.kind != ConflictKind::Occupied;
                        replaced |= after;
                        asked += 1;
                        let side = if after { Side::After } else { Side::Now };
                        let choice = Choice {
                            path: conflict.path.clone(),
                            from: conflict.from.clone(),
                            now: Some(conflict.now),
                            sides: vec![side; conflict.regions.len().max(1)],
                        };
                        choices.insert((conflict.path, conflict.from), choice);
                    }
                    prop_assert!(asked < 60, "it is asked again and again: {:?}", choices.values());
                }
            }
        };
        if let Some(rebased) = rebased {
            prop_assert!(rebased.moved.is_empty(), "it is stale at once");
            desk.apply(&rebased);
        }
        desk.sound();
        let now = known(&desk);
        let unique: BTreeSet<&String> = now.iter().collect();
        prop_assert_eq!(unique.len(), now.len(), "a document is there twice: {:?}", now);
        // What went was to go, or somebody chose that it is replaced; what came is the proposal's.
        for gone in room.iter().filter(|one| !unique.contains(one)) {
            let meant = before.contains(gone) && !wanted.contains(gone);
            prop_assert!(meant || replaced, "{} is lost: {:?}", gone, now);
        }
        for came in now.iter().filter(|one| !room.contains(one)) {
            prop_assert!(wanted.contains(came), "{} came from nowhere", came);
        }
        // Without a question, each of its lines is where its document is, and what it creates is there.
        if asked == 0 {
            let texts: Vec<String> = desk.all().into_iter().map(|(_, text, _)| text).collect();
            for lines in own.at.values() {
                let first = lines[0].trim_end();
                let text = texts.iter().find(|text| text.starts_with(&lines[0]));
                let own = lines.iter().filter(|line| line.starts_with("mine"));
                // Deleted and made anew by others, it is merged with what stands there.
                prop_assert!(text.is_some() || !room.contains(&first.to_owned()), "{} is lost", first);
                let all = texts.concat();
                let text = text.unwrap_or(&all);
                own.for_each(|line| assert!(text.contains(line.as_str()), "{line} is lost"));
            }
        }
    }

    #[test]
    fn what_was_applied_last_can_always_be_taken_back(
        steps in proptest::collection::vec(draws(4), 1..7),
        from in any::<usize>(),
        picked in any::<u8>(),
    ) {
        let (desk, mut sketch) = start();
        let mut done = Vec::new();
        let mut states = Vec::new();
        for draws in &steps {
            let changes = sketch.changes(draws, "step");
            let state = desk.all();
            if let Ok(one) = desk.engine.submit(&desk.ani, ROOM, proposal(changes)) {
                desk.apply(&one);
                done.push(one.number);
                states.push(state);
            }
        }
        prop_assume!(!done.is_empty());
        // Some of them: it goes and can be applied, or it says who is in the way and writes nothing.
        let some: Vec<u64> =
            done.iter().enumerate().filter(|(n, _)| picked >> (n % 8) & 1 == 1).map(|(_, n)| *n).collect();
        if !some.is_empty() {
            let stored = desk.stored();
            match desk.revert(&some) {
                Ok(reverted) => prop_assert!(reverted.moved.is_empty()),
                Err(Failure::Refused(refusal)) => {
                    same(&desk, &stored);
                    let known = [Code::ProposalConflict, Code::ProposalNoChange];
                    prop_assert!(known.contains(&refusal.code), "{}", refusal);
                    prop_assert!(refusal.facts.later.iter().all(|later| !some.contains(later)));
                    if refusal.code == Code::ProposalConflict {
                        prop_assert!(!refusal.facts.later.is_empty(), "nobody is named: {:?}", refusal);
                    }
                }
                Err(failure) => prop_assert!(false, "{}", failure),
            }
        }
        // All from one on.
        let from = from % done.len();
        match desk.revert(&done[from..]) {
            Ok(reverted) => desk.apply(&reverted),
            Err(failure) => prop_assert_eq!(failure.code(), Code::ProposalNoChange),
        }
        prop_assert_eq!(desk.all(), states[from].clone());
        // The others one by one.
        for (number, state) in done[..from].iter().zip(&states).rev() {
            match desk.revert(&[*number]) {
                Ok(reverted) => desk.apply(&reverted),
                Err(failure) => prop_assert_eq!(failure.code(), Code::ProposalNoChange),
            }
            prop_assert_eq!(desk.all(), state.clone(), "revert of #{}", number);
        }
        desk.sound();
    }
}
