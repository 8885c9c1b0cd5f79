//! The names of an object's members by their hashes, so that looking for one reads few names however
//! many there are.

/// From so many members on, and after so many questions, they are sorted.
const MANY: usize = 4096;
const OFTEN: usize = 256;

/// Hashes in the order of the members. A member's number is its place here, for ever: one that is
/// taken away leaves its hash.
#[derive(Debug, Default)]
pub(super) struct Names {
    hashes: Vec<u32>,
    /// Hash and number of the first members, sorted, once that pays.
    sorted: Vec<(u32, u32)>,
    asked: usize,
}

impl Names {
    /// Takes one more; gives its number.
    pub(super) fn push(&mut self, hash: u32) -> usize {
        self.hashes.push(hash);
        self.hashes.len() - 1
    }

    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The numbers of all that have this hash.
    pub(super) fn of(&mut self, hash: u32) -> Vec<usize> {
        self.asked += 1;
        if self.asked > OFTEN && self.hashes.len() - self.sorted.len() > MANY {
            self.sorted = (0..).zip(&self.hashes).map(|(number, hash)| (*hash, number)).collect();
            self.sorted.sort_unstable();
            self.asked = 0;
        }
        let first = self.sorted.partition_point(|(other, _)| *other < hash);
        let sorted = self.sorted[first..].iter().take_while(|(other, _)| *other == hash);
        let mut found: Vec<usize> = sorted.map(|(_, number)| *number as usize).collect();
        let done = self.sorted.len();
        found.extend(
            self.hashes[done..]
                .iter()
                .enumerate()
                .filter(|(_, other)| **other == hash)
                .map(|(n, _)| done + n),
        );
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_or_not_the_answer_is_the_same() {
        let hash = |n: usize| u32::try_from(n * 7 % 5000).unwrap();
        let mut names = Names::default();
        for n in 0..20_000 {
            assert_eq!(names.push(hash(n)), n);
        }
        let plain = |names: &Names, wanted: u32| -> Vec<usize> {
            (0..names.len()).filter(|n| names.hashes[*n] == wanted).collect()
        };
        for asked in 0..2 * OFTEN {
            let wanted = hash(asked * 13);
            assert_eq!(names.of(wanted), plain(&names, wanted), "{asked}");
            assert!(names.of(9_999_999).is_empty());
            names.push(wanted);
        }
        assert!(!names.sorted.is_empty() && names.sorted.len() < names.len());
    }
}
