//! The club's first admin: made on the set-up page, with the code shown on the console, or on the command
//! line.

use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;

use super::hashing::Asker;
use super::login_taken;
use super::sessions::Tokens;
use crate::access::password::{Password, PasswordHash};
use crate::{Actor, Desk, Refused, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::permissions::{Role, Roles};
use owlbox_base::values::AccountId;
use owlbox_books::club::{Command, Login, Settings};
use owlbox_store::credentials::passwords;

/// The first settings and the first admin of the club.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SetUpBody))]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The code shown on the console.
    #[cfg_attr(feature = "schema", schema(example = "F7K2-9QXM-4TRC"))]
    pub code: String,
    #[serde(default)]
    pub settings: Settings,
    /// The login of the first admin.
    pub login: Login,
    /// The password of the first admin: 10 to 200 characters.
    #[cfg_attr(feature = "schema", schema(value_type = String, format = Password, min_length = 10, max_length = 200))]
    pub password: SecretString,
}

impl Desk {
    /// The set-up code to show on the console; `None` once the club has an admin.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_up_code(&self) -> Result<Option<String>, Refused> {
        Ok(self.needs_set_up().await?.then(|| self.keys().set_up_code().reveal()))
    }

    /// Whether the club still lacks its first admin.
    ///
    /// # Errors
    /// The store failed.
    pub async fn needs_set_up(&self) -> Result<bool, Refused> {
        Ok(!self.club().await?.state.has_admin())
    }

    /// Sets up the club and signs in its first admin, all or nothing.
    ///
    /// # Errors
    /// There is an admin already, the code is wrong, or the password is refused.
    pub async fn set_up(&self, set_up: SetUp) -> Result<Tokens, Refused> {
        let SetUp { code, settings, login, password } = set_up;
        if !self.needs_set_up().await? {
            return Err(already_set_up());
        }
        if !self.keys().set_up_code().matches(&code) {
            let detail = "that is not the code shown on the console";
            return Err(Refused::rule(Code::WrongSetUpCode, Some("code"), detail));
        }
        let hash = self.passwords().hash(Asker::Operator, Password::new(&password, login.as_str())?).await?;
        self.as_console(move |unit| {
            let club = unit.club()?;
            // Another request may have been first.
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
                // On PostgreSQL another request can slip in here: before the club exists there is nothing to
                // lock.
                Err(Refused::Rule(_)) if unit.club()?.state.has_admin() => return Err(already_set_up()),
                Err(refused) => return Err(refused),
            };
            let desk = unit.desk().clone();
            desk.start_session(unit.transaction, account)
        })
        .await
    }

    /// Makes an admin from the command line. Opens the club if that has not happened yet.
    ///
    /// # Errors
    /// The login is taken, or the password is refused.
    pub async fn create_admin(&self, login: Login, password: SecretString) -> Result<AccountId, Refused> {
        let hash = self.passwords().hash(Asker::Operator, Password::new(&password, login.as_str())?).await?;
        self.as_console(move |unit| {
            let opening = match unit.club()?.state.settings() {
                None => Some(Command::Open { settings: Settings::default() }),
                Some(_) => None,
            };
            create_admin_in(unit, opening, &login, &hash)
        })
        .await
    }

    pub(super) async fn as_console<T, F>(&self, work: F) -> Result<T, Refused>
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
    /// Stores the login and password of an account.
    pub(super) fn keep_credential(
        &mut self,
        account: AccountId,
        login: &Login,
        hash: &PasswordHash,
    ) -> Result<(), Refused> {
        let (connection, now) = (self.transaction.connection()?, self.now);
        // The query gives the usual case a good answer; the unique constraint below decides races.
        if passwords::by_login(connection, &login.key())?.is_some() {
            return Err(login_taken(login));
        }
        passwords::insert(connection, account, login.as_str(), &login.key(), &hash.to_phc(), now)
            .map_err(|error| if error.violates("login_key") { login_taken(login) } else { error.into() })
    }
}

fn already_set_up() -> Refused {
    Refused::rule(Code::AlreadySetUp, None, "the club has an admin already")
}
