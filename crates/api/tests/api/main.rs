//! The API through its router, over the real store in a folder that vanishes.

mod bad_input;
mod described;
mod faults;
mod guard;
mod json_corpus;
mod limits;
mod news;
mod once;
mod room;
mod routes;
