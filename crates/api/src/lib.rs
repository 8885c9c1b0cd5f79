//! The one HTTP API: routes, request and response types, OpenAPI 3.1, and the one place where a
//! refusal or failure becomes its wire form. No rule is here, and nothing that serves a socket: a
//! host gives the engine, the caller and the token, and gets a router.

mod problem;
pub mod types;
mod words;

pub use problem::Problem;
