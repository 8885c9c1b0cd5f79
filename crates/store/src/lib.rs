//! The verbs a store offers, in Sekali's words. No SQL, no driver, no rule: rules are in
//! `sekali_core::decide`, and each driver keeps the constraints that make its verbs safe.

#[cfg(feature = "contract")]
pub mod contract;
mod error;
pub mod fault;
#[cfg(feature = "contract")]
pub mod model;
mod path;
mod rows;
mod verbs;

pub use error::{Failure, StoreError};
pub use path::real_path;
pub use rows::*;
pub use verbs::{Clock, Job, Read, Store, SystemClock, Verdict, Write, glance, read, write, write_alone};
