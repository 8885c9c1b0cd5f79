//! What a clean merge must be, said without comparing anything: shared by the tests of merges and the fuzzer.

/// Whether merged content keeps every change of both sides whole: read from the start to the end, each line
/// of it stayed on both sides, or is of a run that one side changed while the other left it as it was, or
/// that both changed alike; and between two runs there is a line that stayed. Asks for no comparison of
/// contents, but whether there is one.
pub(crate) fn keeps_all(base: &[u8], now: &[u8], after: &[u8], merged: &[u8]) -> bool {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    enum Run {
        /// A line has just stayed, or it is the start.
        Stayed,
        Now,
        After,
        Alike,
    }
    let [base, now, after, merged] =
        [base, now, after, merged].map(|text| text.split_inclusive(|b| *b == b'\n').collect::<Vec<_>>());
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![(0, 0, 0, 0, Run::Stayed)];
    while let Some(state) = open.pop() {
        if !seen.insert(state) {
            continue;
        }
        let (b, n, a, m, run) = state;
        if (b, n, a, m) == (base.len(), now.len(), after.len(), merged.len()) {
            return true;
        }
        let [of_base, of_now, of_after, of_merged] = [base.get(b), now.get(n), after.get(a), merged.get(m)];
        if of_base.is_some() && [of_now, of_after, of_merged] == [of_base; 3] {
            open.push((b + 1, n + 1, a + 1, m + 1, Run::Stayed));
        }
        for next in [Run::Now, Run::After, Run::Alike] {
            if run != Run::Stayed && run != next {
                continue;
            }
            // A line of the base goes, and a line comes.
            let (goes, comes) = match next {
                Run::Now => (
                    (of_base == of_after).then_some((b + 1, n, a + 1, m, next)),
                    (of_now == of_merged).then_some((b, n + 1, a, m + 1, next)),
                ),
                Run::After => (
                    (of_base == of_now).then_some((b + 1, n + 1, a, m, next)),
                    (of_after == of_merged).then_some((b, n, a + 1, m + 1, next)),
                ),
                _ => (
                    Some((b + 1, n, a, m, next)),
                    (of_now == of_after && of_now == of_merged).then_some((b, n + 1, a + 1, m + 1, next)),
                ),
            };
            open.extend(goes.filter(|_| of_base.is_some()));
            open.extend(comes.filter(|_| of_merged.is_some()));
        }
    }
    false
}
