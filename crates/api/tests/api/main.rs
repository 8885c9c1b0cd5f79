//! The API through its router, over the real store in a folder that vanishes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad_input;
mod described;
mod faults;
mod forms;
mod guard;
mod json_corpus;
mod limits;
mod news;
mod once;
mod room;
mod routes;
