//! Digests, commitments, salts and leaf hashes: all SHA-256, each its own type.
//! Bare content hashes exist only in mutable tables; what is hashed for ever holds commitments.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The text that stands where there is no content.
pub const ABSENT: &str = "absent";

/// Why a text is not a `sha256:` hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected \"sha256:\" and 64 lower-case hex digits")]
pub struct ParseHashError;

macro_rules! hash {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Wraps 32 bytes, as a store keeps them.
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// 64 lower-case hex digits without a prefix.
            pub fn hex(&self) -> String {
                hex::encode(self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "sha256:{}", hex::encode(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), hex::encode(&self.0[..6]))
            }
        }

        impl FromStr for $name {
            type Err = ParseHashError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let digits = text.strip_prefix("sha256:").ok_or(ParseHashError)?;
                if digits.bytes().any(|b| b.is_ascii_uppercase()) {
                    return Err(ParseHashError);
                }
                let mut bytes = [0; 32];
                hex::decode_to_slice(digits, &mut bytes).map_err(|_| ParseHashError)?;
                Ok(Self(bytes))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

hash!(
    /// What a person saw: the digest of one revision (docs/format.md, "Digest").
    Digest
);
hash!(
    /// SHA-256 of bare content. Only in mutable tables and answers about current content.
    ContentHash
);
hash!(
    /// `SHA-256(0x02 ‖ salt ‖ content)`: quotes content without making it guessable.
    Commitment
);
hash!(
    /// A leaf of the ledger tree: `SHA-256(0x00 ‖ entry bytes)` (RFC 6962, section 2.1).
    LeafHash
);

/// 32 random bytes that live and are erased with their content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Salt([u8; 32]);

impl Salt {
    /// Wraps 32 random bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(…)")
    }
}

/// Hashes the parts in order, as if they stood in one buffer.
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

impl Digest {
    /// The digest as a sentence names it: as much of it as tells it from another at a glance.
    pub fn short(&self) -> String {
        let whole = self.to_string();
        format!("{}…", &whole[.."sha256:".len() + 12])
    }
}

impl ContentHash {
    /// Hashes bare content.
    pub fn of(content: &[u8]) -> Self {
        Self(sha256(&[content]))
    }
}

impl Commitment {
    /// Commits to content under a salt (docs/format.md, "Commitment").
    pub fn of(salt: &Salt, content: &[u8]) -> Self {
        Self(sha256(&[&[0x02], salt.as_bytes(), content]))
    }
}

impl LeafHash {
    /// Hashes the stored bytes of an entry as a leaf (RFC 6962, section 2.1).
    pub fn of(entry: &[u8]) -> Self {
        Self(sha256(&[&[0x00], entry]))
    }
}

/// A commitment or the word `absent`, as entries and digests write it.
pub fn or_absent(commitment: Option<&Commitment>) -> String {
    commitment.map_or_else(|| ABSENT.to_owned(), ToString::to_string)
}

/// Feeds fields into SHA-256 so that no two lists of fields collide: each is preceded by its
/// length as four big-endian bytes. Joining with a separator would merge real events.
#[derive(Debug, Clone, Default)]
pub struct FieldHasher(Sha256);

impl FieldHasher {
    /// Starts with nothing hashed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one field.
    ///
    /// # Panics
    /// When a field is 4 GiB or more; submissions are limited to 256 MiB.
    #[must_use]
    pub fn field(mut self, bytes: &[u8]) -> Self {
        let len = u32::try_from(bytes.len()).expect("submissions are limited to 256 MiB");
        self.0.update(len.to_be_bytes());
        self.0.update(bytes);
        self
    }

    /// The hash over all fields.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
