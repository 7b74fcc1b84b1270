//! The one road of a command: what is asked, who may, the unit of work, its undoing, and how it is refused.

pub mod acts;
pub(crate) mod allowed;
pub(crate) mod bounds;
pub(crate) mod fingerprint;
pub mod history;
pub(crate) mod inputs;
pub mod metrics;
pub(crate) mod pipeline;
pub(crate) mod plan_context;
pub mod refused;
pub(crate) mod request;
pub mod subject;
pub(crate) mod unit_of_work;
