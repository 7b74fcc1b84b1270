//! The arguments of the commands about logins.

use clap::{Args, Subcommand};

use super::Listing;
use owlbox_books::club::Login;

/// The subcommands of `owlbox admin`.
#[derive(Debug, Subcommand)]
pub enum Admin {
    /// List all logins with their roles, last sign-in and recent failed sign-ins.
    ///
    /// Reads one snapshot, even beside a running service.
    List(Listing),
    #[command(flatten)]
    Change(AdminChange),
}

/// Those that change something.
#[derive(Debug, Subcommand)]
pub enum AdminChange {
    /// Create an account with the role admin. The password is prompted for, or read from standard input.
    Create(AdminCreate),
    /// Give a login a new password, or make a link with which its owner chooses one.
    ///
    /// The new password ends all sessions and API tokens of the login, and unlocks it. With --link that
    /// happens when the link is used. The link works once, within 24 hours.
    ResetPassword(AdminReset),
    /// Unlock a login that is locked after too many wrong passwords.
    Unlock(AdminUnlock),
}

/// The command line arguments of `owlbox admin create`.
#[derive(Debug, Args)]
pub struct AdminCreate {
    /// The name to sign in with.
    #[arg(value_name = "NAME")]
    pub name: Login,
    /// Read the password from the first line of standard input instead of asking on the terminal.
    #[arg(long)]
    pub password_stdin: bool,
}

/// The command line arguments of `owlbox admin reset-password`.
#[derive(Debug, Args)]
pub struct AdminReset {
    /// The login's name.
    #[arg(value_name = "NAME")]
    pub name: Login,
    /// Read the password from the first line of standard input instead of asking on the terminal.
    #[arg(long)]
    pub password_stdin: bool,
    /// Print a link for the login's owner instead.
    #[arg(long, conflicts_with = "password_stdin")]
    pub link: bool,
}

/// The command line arguments of `owlbox admin unlock`.
#[derive(Debug, Args)]
pub struct AdminUnlock {
    /// The login's name.
    #[arg(value_name = "NAME")]
    pub name: Login,
}
