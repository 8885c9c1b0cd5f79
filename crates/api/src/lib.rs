//! The one HTTP API: routes, request and response types, OpenAPI 3.1, and the one place where a
//! refusal or failure becomes its wire form. No rule is here, and nothing that serves a socket: a
//! host gives the engine, the caller and the token, and gets a router.

mod answer;
mod asked;
mod body;
pub mod cursor;
mod guard;
mod openapi;
mod problem;
mod router;
mod routes;
pub mod types;
mod words;

use sekali_core::Lang;
use sekali_engine::{Caller, Engine};

pub use body::{BODY_BYTES, PARTS_BODY_BYTES, SUBMISSION_BODY_BYTES};
pub use openapi::openapi;
pub use problem::{Problem, ProblemData};
pub use router::router;

/// What a host gives: the engine, who asks, and from where asking is allowed. No request says who
/// its actor is.
#[derive(Clone)]
pub struct Host {
    /// The engine over the open store.
    pub engine: Engine,
    /// Who asks, from which door.
    pub caller: Caller,
    /// The token of this launch. An empty one opens nothing.
    pub token: String,
    /// The language of hints for requests that name none.
    pub lang: Lang,
    /// Origins whose pages may ask, such as `tauri://localhost`.
    pub allowed_origins: Vec<String>,
    /// Values of `Host` that are answered, such as `127.0.0.1:8080`; `None` where there is no
    /// socket that another name could point at.
    pub allowed_hosts: Option<Vec<String>>,
}
