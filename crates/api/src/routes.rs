//! One handler for each route. A handler reads what is asked, calls the engine on a blocking
//! thread, and gives the answer its shape and status; it decides nothing.

pub(crate) mod documents;
pub(crate) mod ledger;
pub(crate) mod proposals;
pub(crate) mod rooms;
