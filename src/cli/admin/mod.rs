//! `owlbox admin`: the club's logins, on the service's own machine.
//!
//! What changes something is a [`LoginOrder`]. It is carried out by the desk of a service that runs, which is
//! asked through a [`socket`], and otherwise by a desk of the command's own.

pub mod socket;

use std::fs;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;

use super::args::{AdminChange, AdminCreate, AdminReset, AdminUnlock, Listing};
use super::club::Chosen;
use super::progress::while_opening;
use super::serve::{self, ServeError};
use owlbox_base::permissions::Role;
use owlbox_books::club::Login;
use owlbox_desk::access::console::{LoginStanding, logins};
use owlbox_desk::{Clock as _, Desk, Refused, SystemClock};
use owlbox_store::{DatabaseUrl, Store, StoreError};
use socket::{Asked, NotAnswered};

/// Why a command about logins failed.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    #[error("no terminal to ask for the password: use --password-stdin")]
    NoTerminal,
    #[error("the two passwords differ")]
    Differ,
    #[error("the password cannot be read: {0}")]
    Unread(io::Error),
    /// A service that runs has refused it.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    NotAnswered(#[from] NotAnswered),
    /// Somebody has the database, and cannot be asked.
    #[error("{} is in use by another owlbox process, which does not answer at {}: {why}", database.display(), socket.display())]
    InUse {
        database: PathBuf,
        socket: PathBuf,
        /// Why it is not reached.
        why: io::Error,
    },
    /// What root makes here, the service of the folder's owner could not open.
    #[error("the folder {} belongs to user {uid}, not to root: give the command as that user, as in \"runuser -u owlbox -- owlbox admin create\"", folder.display())]
    OthersFolder { folder: PathBuf, uid: u32 },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("no runtime: {0}")]
    Runtime(io::Error),
}

/// What is to be done with a login.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum LoginOrder {
    Create {
        login: Login,
        #[serde(serialize_with = "exposed")]
        password: SecretString,
    },
    ResetPassword {
        login: Login,
        #[serde(serialize_with = "exposed")]
        password: SecretString,
    },
    ResetLink {
        login: Login,
    },
    Unlock {
        login: Login,
    },
}

fn exposed<S: Serializer>(password: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(password.expose_secret())
}

impl LoginOrder {
    /// What a command asks for; a password is asked for on the terminal.
    ///
    /// # Errors
    /// There is no password.
    pub fn of(command: &AdminChange) -> Result<Self, AdminError> {
        Ok(match command {
            AdminChange::Create(AdminCreate { name, password_stdin }) => {
                Self::Create { login: name.clone(), password: password(*password_stdin)? }
            }
            AdminChange::ResetPassword(AdminReset { name, link: true, .. }) => {
                Self::ResetLink { login: name.clone() }
            }
            AdminChange::ResetPassword(AdminReset { name, password_stdin, link: false }) => {
                Self::ResetPassword { login: name.clone(), password: password(*password_stdin)? }
            }
            AdminChange::Unlock(AdminUnlock { name }) => Self::Unlock { login: name.clone() },
        })
    }
}

/// Carries out an order, and returns what is to be said. `url` is where browsers reach the club.
///
/// # Errors
/// Refusals of the desk.
pub async fn carry_out(desk: &Desk, order: LoginOrder, url: &str) -> Result<String, Refused> {
    let (what, account, said) = match order {
        LoginOrder::Create { login, password } => {
            let name = login.as_str().to_owned();
            let account = desk.create_admin(login, password).await?;
            ("create", account, format!("{name} can sign in now"))
        }
        LoginOrder::ResetPassword { login, password } => {
            let name = login.as_str().to_owned();
            let account = desk.reset_password(login, password).await?;
            let said = format!("{name} has a new password, is signed out everywhere and has no API tokens");
            ("reset_password", account, said)
        }
        LoginOrder::ResetLink { login } => {
            let name = login.as_str().to_owned();
            let link = desk.reset_link_of(login).await?;
            let until = link.expires_at.utc().format(MINUTE);
            // The address comes last: scripts read it from there.
            let said = format!(
                "anyone who opens this link can choose a new password for {name}; it works once, until {until}\n{url}/claim/{}",
                link.secret.expose_secret()
            );
            ("reset_link", link.account, said)
        }
        LoginOrder::Unlock { login } => {
            let name = login.as_str().to_owned();
            ("unlock", desk.unlock(login).await?, format!("{name} can try again"))
        }
    };
    tracing::info!(what, %account, "carried out a command from the command line");
    Ok(said)
}

/// How a moment is printed.
const MINUTE: &str = "%Y-%m-%d %H:%M UTC";

/// Has an order carried out in a club, and returns what is to be said. Where there is no club yet, only an
/// admin to be created makes one.
///
/// # Errors
/// Any [`AdminError`].
pub fn change(club: &Chosen, order: LoginOrder) -> Result<String, AdminError> {
    let config = &club.config;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(AdminError::Runtime)?;
    let socket = match &config.database.url {
        DatabaseUrl::Sqlite(database) => Some(socket::beside_database(database)),
        DatabaseUrl::Postgres(_) => None,
    };
    let unreached = match socket {
        None => None,
        Some(socket) => match runtime.block_on(socket::ask(&socket, &order))? {
            Asked::Done(said) => return Ok(said),
            Asked::Refused(why) => return Err(AdminError::Refused(why)),
            Asked::Nobody(why) => Some((socket, why)),
        },
    };
    let open = if matches!(order, LoginOrder::Create { .. }) {
        if let DatabaseUrl::Sqlite(database) = &config.database.url {
            readable_by_its_service(database)?;
        }
        Store::open
    } else {
        Store::open_existing
    };
    let store = while_opening(|| open(&config.database.url, &serve::options(config)));
    let store = store.map_err(|error| match (error, unreached) {
        (StoreError::InUse(database), Some((socket, why))) => AdminError::InUse { database, socket, why },
        (error, _) => error.into(),
    })?;
    let desk = serve::desk(config, store)?;
    runtime
        .block_on(carry_out(&desk, order, &club.url))
        .map_err(|refused| AdminError::Refused(said(&refused)))
}

/// Refuses to make a club as root in a folder of another user.
fn readable_by_its_service(database: &Path) -> Result<(), AdminError> {
    let uid_of = |path: &Path| fs::metadata(path).map(|there| there.uid()).ok();
    let parent = database.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    match uid_of(folder).filter(|uid| *uid != socket::ROOT) {
        Some(uid) if !database.exists() && uid_of(Path::new("/proc/self")) == Some(socket::ROOT) => {
            Err(AdminError::OthersFolder { folder: folder.to_owned(), uid })
        }
        Some(_) | None => Ok(()),
    }
}

fn said(refused: &Refused) -> String {
    format!("{}: {refused}", refused.code())
}

/// Lists the club's logins. A service may be running.
///
/// # Errors
/// The database cannot be read.
pub fn list(url: &DatabaseUrl, asked: Listing) -> Result<String, StoreError> {
    let logins = logins(&mut Store::open_for_reading(url)?, SystemClock.now())?;
    if asked.json {
        return Ok(json!(logins).to_string());
    }
    let shown = |login: &LoginStanding| login.account.login.as_ref().map_or(1, |login| login.chars().count());
    let width = logins.iter().map(shown).max().unwrap_or(0);
    let lines: Vec<String> = logins.iter().map(|login| line(login, width)).collect();
    Ok(lines.join("\n"))
}

fn line(login: &LoginStanding, width: usize) -> String {
    let LoginStanding { account, last_sign_in, failed_sign_ins } = login;
    let mut roles: Vec<_> = account.roles.iter().map(Role::name).collect();
    roles.sort_unstable();
    let mut said = vec![format!("{:<width$}  {}", account.login.as_deref().unwrap_or("-"), roles.join(" "))];
    said.extend(account.name.as_ref().map(|name| format!("plays as {name}")));
    if account.login.is_none() {
        said.push("invited".to_owned());
    }
    if !account.active {
        said.push("not active".to_owned());
    }
    said.extend(last_sign_in.map(|at| format!("signed in {}", at.utc().format(MINUTE))));
    if *failed_sign_ins > 0 {
        said.push(format!("failed sign-ins: {failed_sign_ins}"));
    }
    said.join(", ")
}

fn password(from_stdin: bool) -> Result<SecretString, AdminError> {
    if from_stdin {
        let mut line = String::new();
        io::stdin().lock().take(socket::LONGEST).read_line(&mut line).map_err(AdminError::Unread)?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned().into());
    }
    if !io::stdin().is_terminal() {
        return Err(AdminError::NoTerminal);
    }
    let first = rpassword::prompt_password("Password: ").map_err(AdminError::Unread)?;
    let second = rpassword::prompt_password("Once more: ").map_err(AdminError::Unread)?;
    if first == second { Ok(first.into()) } else { Err(AdminError::Differ) }
}
