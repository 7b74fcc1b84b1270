//! `owlbox admin create`: creates an account with the role admin, on the service's own machine.

use std::io::{BufRead as _, IsTerminal as _};

use secrecy::SecretString;

use super::args::AdminCreate;
use super::progress::while_opening;
use super::serve::{self, ServeError};
use owlbox_http::config::Config;
use owlbox_store::Store;

/// Creates the account, and opens the club first if nobody has. On SQLite the service must not be running,
/// because one process at a time may open the database.
///
/// # Errors
/// The password or the name is not acceptable, or the database cannot be used.
pub fn create(config: &Config, create: &AdminCreate) -> Result<(), ServeError> {
    let password = if create.password_stdin { password_from_stdin()? } else { password_from_terminal()? };
    let store = while_opening(|| Store::open(&config.database.url, &serve::options(config)))?;
    let desk = serve::desk(config, store)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(desk.create_admin(create.name.clone(), password))?;
    println!("{} can sign in now", create.name.as_str());
    Ok(())
}

fn password_from_stdin() -> std::io::Result<SecretString> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned().into())
}

fn password_from_terminal() -> std::io::Result<SecretString> {
    if !std::io::stdin().is_terminal() {
        return Err(std::io::Error::other("there is no terminal to ask on: use --password-stdin"));
    }
    let first = rpassword::prompt_password("Password: ")?;
    let second = rpassword::prompt_password("Once more: ")?;
    if first == second { Ok(first.into()) } else { Err(std::io::Error::other("the two differ")) }
}
