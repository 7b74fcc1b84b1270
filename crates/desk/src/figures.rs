//! The names of the desk's metrics. The exporter describes them.

/// Counts commands to chouettes, matches and tournaments. Labels: `kind` (the command's name) and `outcome`
/// (`done`, `repeated` under its idempotency key, `refused`, `failed`).
pub const COMMANDS: &str = "owlbox_commands_total";
/// Sign-ins that wait for their password to be hashed.
pub const PASSWORD_QUEUE: &str = "owlbox_password_queue";
pub use owlbox_store::{COMMAND_QUEUE, COMMIT_BATCH};
