//! The promises again, where others always write: Apply plans aside, and not in its own transaction.

#[path = "promises/main.rs"]
mod promises;
