//! The club's first admin: on the set-up page, with the code that the console shows; or by the command
//! line.

use secrecy::SecretString;
use uuid::Uuid;

use super::login_taken;
use super::sessions::Tokens;
use crate::access::password::{Password, PasswordHash};
use crate::{Actor, Desk, Refused, UnitOfWork};
use owlbox_domain::club::{Command, Login, Settings};
use owlbox_domain::code::Code;
use owlbox_domain::permissions::{Role, Roles};
use owlbox_domain::values::AccountId;
use owlbox_store::credentials;

/// What a club is set up with.
#[derive(Debug)]
pub struct SetUp {
    /// The code that the console shows.
    pub code: String,
    pub settings: Settings,
    /// What the first admin signs in with.
    pub login: Login,
    pub password: SecretString,
}

impl Desk {
    /// The code for setting the club up, to be shown on the console; `None` once there is an admin.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_up_code(&self) -> Result<Option<String>, Refused> {
        Ok(self.needs_set_up().await?.then(|| self.terms().keys.set_up_code().reveal()))
    }

    /// Whether the club waits for its first admin.
    ///
    /// # Errors
    /// The store failed.
    pub async fn needs_set_up(&self) -> Result<bool, Refused> {
        Ok(!self.club().await?.state.has_admin())
    }

    /// Sets the club up and signs its first admin in: all of it or nothing.
    ///
    /// # Errors
    /// There is an admin, the code is another, or the password may not be one.
    pub async fn set_up(&self, set_up: SetUp) -> Result<Tokens, Refused> {
        let SetUp { code, settings, login, password } = set_up;
        if !self.needs_set_up().await? {
            return Err(already_set_up());
        }
        if !self.terms().keys.set_up_code().matches(&code) {
            let detail = "that is not the code the console shows";
            return Err(Refused::rule(Code::WrongSetUpCode, Some("code"), detail));
        }
        let hash = self.passwords().hash(Password::new(&password, login.as_str())?).await?;
        self.as_console(move |unit| {
            let club = unit.club()?;
            // Somebody else may have been first.
            if club.state.has_admin() {
                return Err(already_set_up());
            }
            let settings = match club.state.settings() {
                None => Some(Command::Open { settings: settings.clone() }),
                Some(now) if *now == settings => None,
                Some(_) => Some(Command::ChangeSettings { settings: settings.clone() }),
            };
            let account = match create_admin_in(unit, settings, &login, &hash) {
                Ok(account) => account,
                // On PostgreSQL somebody may be first between two looks at a club that is not there to lock.
                Err(Refused::Rule(_)) if unit.club()?.state.has_admin() => return Err(already_set_up()),
                Err(refused) => return Err(refused),
            };
            let desk = unit.desk().clone();
            desk.start_session(unit.transaction, account)
        })
        .await
    }

    /// Makes an admin from the command line; opens the club if it is not open yet.
    ///
    /// # Errors
    /// The login is taken, or the password may not be one.
    pub async fn create_admin(&self, login: Login, password: SecretString) -> Result<AccountId, Refused> {
        let hash = self.passwords().hash(Password::new(&password, login.as_str())?).await?;
        self.as_console(move |unit| {
            let opening = match unit.club()?.state.settings() {
                None => Some(Command::Open { settings: Settings::default() }),
                Some(_) => None,
            };
            create_admin_in(unit, opening, &login, &hash)
        })
        .await
    }

    async fn as_console<T, F>(&self, work: F) -> Result<T, Refused>
    where
        F: Fn(&mut UnitOfWork<'_, '_>) -> Result<T, Refused> + Send + 'static,
        T: Send + 'static,
    {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| work(&mut UnitOfWork::new(&desk, transaction, &Actor::CONSOLE)?))
            .await
    }
}

fn create_admin_in(
    unit: &mut UnitOfWork<'_, '_>,
    first: Option<Command>,
    login: &Login,
    hash: &PasswordHash,
) -> Result<AccountId, Refused> {
    let account = AccountId(Uuid::now_v7());
    let create = Command::CreateAccount { account, player: None, roles: Roles::from_roles(&[Role::Admin]) };
    let commands: Vec<Command> = first.into_iter().chain([create]).collect();
    unit.change_club(&commands)?;
    unit.keep_credential(account, login, hash)?;
    Ok(account)
}

impl UnitOfWork<'_, '_> {
    /// Gives an account its login and password.
    pub(super) fn keep_credential(
        &mut self,
        account: AccountId,
        login: &Login,
        hash: &PasswordHash,
    ) -> Result<(), Refused> {
        let (connection, now) = (&mut *self.transaction.connection, self.now);
        // Asked first because it is the usual case; the table's own constraint has the last word.
        if credentials::by_login(connection, &login.key())?.is_some() {
            return Err(login_taken(login));
        }
        credentials::insert(connection, account, login.as_str(), &login.key(), &hash.to_phc(), now)
            .map_err(|error| if error.violates("login_key") { login_taken(login) } else { error.into() })
    }
}

fn already_set_up() -> Refused {
    Refused::rule(Code::AlreadySetUp, None, "the club has an admin")
}
