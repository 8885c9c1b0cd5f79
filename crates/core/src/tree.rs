//! The ledger's Merkle tree (RFC 6962, section 2.1), as a frontier: the roots of the perfect
//! subtrees, largest first. Appending and the root need nothing else.

use crate::hash::{LeafHash, sha256};

/// Leaves of one tile.
pub const TILE: u64 = 256;

/// A node's hash: `SHA-256(0x01 ‖ left ‖ right)`.
pub fn node(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    sha256(&[&[0x01], left, right])
}

/// The root of a list of subtree roots that are all of one height and fill a perfect tree, or of
/// any list of leaves, by the definition of RFC 6962.
pub fn root_of(hashes: &[[u8; 32]]) -> [u8; 32] {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.push(*hash);
    }
    frontier.root()
}

/// The compact form of a tree of `size` leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    peaks: Vec<[u8; 32]>,
}

impl Frontier {
    /// Reads a stored frontier; `None` if the number of peaks does not fit the size.
    pub fn from_parts(size: u64, bytes: &[u8]) -> Option<Self> {
        let (peaks, rest) = bytes.as_chunks::<32>();
        (rest.is_empty() && peaks.len() == size.count_ones() as usize)
            .then(|| Self { size, peaks: peaks.to_vec() })
    }

    /// The peaks one after another, largest subtree first.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.peaks.concat()
    }

    /// How many leaves the tree has.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf.
    pub fn append(&mut self, leaf: &LeafHash) {
        self.push(*leaf.as_bytes());
    }

    fn push(&mut self, hash: [u8; 32]) {
        let mut hash = hash;
        // Each trailing one of the old size is a perfect subtree that the new node completes.
        for _ in 0..self.size.trailing_ones() {
            let left = self.peaks.pop().expect("a peak for each one bit of the size");
            hash = node(&left, &hash);
        }
        self.peaks.push(hash);
        self.size += 1;
    }

    /// The root; of the empty tree, SHA-256 of nothing.
    pub fn root(&self) -> [u8; 32] {
        let mut peaks = self.peaks.iter().rev();
        let Some(last) = peaks.next() else {
            return sha256(&[]);
        };
        peaks.fold(*last, |right, left| node(left, &right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word for word.
    fn reference(leaves: &[[u8; 32]]) -> [u8; 32] {
        match leaves {
            [] => sha256(&[]),
            [one] => *one,
            _ => {
                let k = leaves.len().next_power_of_two() / 2;
                node(&reference(&leaves[..k]), &reference(&leaves[k..]))
            }
        }
    }

    #[test]
    fn the_frontier_agrees_with_the_definition() {
        let leaves: Vec<[u8; 32]> = (0u64..600).map(|n| sha256(&[&n.to_be_bytes()])).collect();
        let mut frontier = Frontier::default();
        for n in 0..leaves.len() {
            assert_eq!(frontier.root(), reference(&leaves[..n]), "{n} leaves");
            let stored = Frontier::from_parts(frontier.size(), &frontier.to_bytes());
            assert_eq!(stored.as_ref(), Some(&frontier));
            frontier.append(&LeafHash::from_bytes(leaves[n]));
        }
        assert_eq!(Frontier::from_parts(3, &[0; 32]), None);
    }
}
