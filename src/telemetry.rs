//! x
#![allow(missing_docs)]
pub const BATCH_SIZE: &str = "owlbox_commit_batch_size";
