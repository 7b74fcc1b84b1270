//! Self-registration: people who ask for a login on their own, where the club lets them.
//!
//! They give their name and choose login and password. Only when an admin who knows them confirms the request
//! does an account come into being. The answer reveals nothing about other requests or logins: it is always
//! the same, and a taken login shows only when the request is confirmed. Pending requests are bounded:
//! [`MOST_WAITING`] in all, [`MOST_AT_ONCE`] from one household within the window of the sign-in limits, and
//! none older than [`KEPT`].

use std::net::IpAddr;

use chrono::TimeDelta;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::hashing::Asker;
use super::sha256;
use super::sign_in::too_many;
use crate::access::accounts::AccountView;
use crate::access::password::{Password, PasswordHash};
use crate::club::stream::CLUB;
use crate::club::stream::club_receipt;
use crate::{Actor, Allowed, Desk, Done, Refused, Request, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{BrokenHistory, Version};
use owlbox_base::permissions::{Permission, Role, Roles};
use owlbox_base::values::{AccountId, PlayerId, Timestamp, household};
use owlbox_books::club::players::PlayerName;
use owlbox_books::club::settings::SelfRegistration;
use owlbox_books::club::{Club, Settings};
use owlbox_books::club::{Command, Event, Login};
use owlbox_store::StoreError;
use owlbox_store::credentials::{attempts, passwords};
use owlbox_store::registrations::{self, RegistrationRow};
use owlbox_store::types::{Key, Moment};

/// The maximum number of pending requests.
pub const MOST_WAITING: i64 = 100;

/// The maximum number of requests from one household within the window of the sign-in limits.
pub const MOST_AT_ONCE: u32 = 5;

/// How long a request stays pending before it is deleted.
pub const KEPT: TimeDelta = TimeDelta::days(30);

/// Requests made before this moment are deleted.
#[must_use]
pub fn kept_since(now: Timestamp) -> Timestamp {
    (now.utc() - KEPT).into()
}

/// A request for a login.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RegistrationBody))]
#[serde(deny_unknown_fields)]
pub struct NewRegistration {
    /// The login they would like to have.
    pub login: Login,
    /// Their name as a player.
    pub name: PlayerName,
    /// The password: 10 to 200 characters.
    #[cfg_attr(feature = "schema", schema(value_type = String, format = Password, min_length = 10, max_length = 200))]
    pub password: SecretString,
}

/// A registration that awaits an admin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = WaitingBody))]
pub struct Registration {
    /// The registration, to confirm or decline it by.
    pub id: Uuid,
    /// The login asked for. Several people may ask for the same one.
    #[cfg_attr(feature = "schema", schema(example = "maria"))]
    pub login: String,
    /// Whether the login is taken by now. Such a registration can only be declined.
    pub login_taken: bool,
    /// The name given, which proves nothing.
    #[cfg_attr(feature = "schema", schema(example = "Maria Rossi"))]
    pub name: String,
    pub asked_at: Timestamp,
}

/// An admin's answer to a request for a login.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Confirmation {
    /// The player the account is for: active, and without an account. If absent, a new player is made with
    /// the name given in the request.
    pub player: Option<PlayerId>,
}

impl Desk {
    /// Records a request for a login.
    ///
    /// # Errors
    /// `self_registration_off`; the password is refused; too many requests, recent or pending;
    /// [`Refused::Busy`].
    pub async fn register(&self, new: NewRegistration, client: IpAddr) -> Result<(), Refused> {
        let NewRegistration { login, name, password } = new;
        takes_registrations(self.settings().await?.as_ref())?;
        let password = Password::new(&password, login.as_str())?;
        // Counted first, because hashing the password is expensive.
        self.count_registration(client).await?;
        let hash = self.passwords().hash(Asker::stranger(client), password).await?;
        let (desk, now) = (self.clone(), self.now());
        self.inner
            .store
            .write(move |transaction| {
                // Self-registration may have been switched off in the meantime.
                let club = desk.load_in::<Club>(transaction, CLUB)?;
                let connection = transaction.connection()?;
                takes_registrations(club.state.settings())?;
                not_full(registrations::count(connection)?)?;
                let row = RegistrationRow {
                    id: Key(Uuid::now_v7()),
                    login: login.as_str().to_owned(),
                    name: name.to_string(),
                    password_hash: hash.to_phc(),
                    asked_at: Moment(now),
                };
                Ok(registrations::insert(connection, row)?)
            })
            .await
    }

    /// Refuses unless the club accepts requests for a login.
    ///
    /// # Errors
    /// `self_registration_off`.
    pub async fn takes_registrations(&self) -> Result<(), Refused> {
        takes_registrations(self.settings().await?.as_ref())
    }

    async fn count_registration(&self, client: IpAddr) -> Result<(), Refused> {
        let key = sha256(&[b"registration", household(client).to_string().as_bytes()]);
        let (window, now) = (self.terms().attempts.window, self.now());
        let since = Timestamp::from(now.utc() - window);
        self.inner
            .store
            .write(move |transaction| {
                let connection = transaction.connection()?;
                attempts::count_failure(connection, &key, since, now)?;
                if attempts::failures(connection, &key, since)? > MOST_AT_ONCE {
                    return Err(too_many(window));
                }
                not_full(registrations::count(connection)?)
            })
            .await
    }

    /// All pending requests, oldest first.
    ///
    /// # Errors
    /// The caller may not manage accounts.
    pub async fn registrations(&self, actor: &Actor) -> Result<Vec<Registration>, Refused> {
        self.principal(actor).await?.require(Permission::ManageAccounts)?;
        self.read(|connection| {
            let mut waiting = Vec::new();
            for row in registrations::all(connection)? {
                let login: Login = row.login.parse().map_err(|_| broken(&row))?;
                let login_taken = passwords::by_login(connection, &login.key())?.is_some();
                let RegistrationRow { id, login, name, asked_at, .. } = row;
                waiting.push(Registration { id: id.0, login, name, asked_at: asked_at.into(), login_taken });
            }
            Ok(waiting)
        })
        .await
    }

    /// Confirms a request: makes the account with the player role, for a new or existing player. Returns the
    /// club's version and the account.
    ///
    /// # Errors
    /// The request is no longer pending; the login or the name is taken; the player has an account already;
    /// or another refusal of the rules.
    pub async fn confirm_registration(
        &self,
        request: Request,
        id: Uuid,
        confirmation: Confirmation,
    ) -> Result<(Version, AccountView), Refused> {
        let (actor, expected) = (request.actor, request.expected);
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManageAccounts)?;
                let before = unit.club()?;
                UnitOfWork::expect(&before, expected)?;
                let asked = registrations::take(unit.transaction.connection()?, Key(id))?;
                let asked = asked.ok_or(Refused::NotFound("registration"))?;
                let (login, name, hash) = read(&asked)?;
                let (player, mut commands) = match confirmation.player {
                    Some(player) => (player, Vec::new()),
                    None => {
                        unit.principal.require(Permission::ManagePlayers)?;
                        unit.new_member(name)?
                    }
                };
                let (account, roles) = (AccountId(Uuid::now_v7()), Roles::from_roles(&[Role::Player]));
                commands.push(Command::CreateAccount { account, player: Some(player), roles });
                let appended = unit.change_club(&commands)?;
                unit.keep_credential(account, &login, &hash)?;
                Ok((club_receipt(&appended, 201), (appended.stream.version, account)))
            })
            .await?;
        let (version, account) = match done {
            Done::Now(made) => made,
            Done::Before(receipt) => {
                let events = self.club_events_at(receipt.version).await?;
                let account = events.iter().find_map(|event| {
                    if let Event::AccountCreated { account, .. } = event { Some(*account) } else { None }
                });
                (receipt.version, account.ok_or(Refused::NotFound("account"))?)
            }
        };
        Ok((version, self.account(&actor, account).await?))
    }

    /// Deletes all pending requests: the answer to somebody who asks under a hundred names.
    ///
    /// # Errors
    /// The caller may not manage accounts.
    pub async fn decline_registrations(&self, actor: Actor) -> Result<(), Refused> {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                let unit = UnitOfWork::new(&desk, transaction, &actor)?;
                unit.principal.require(Permission::ManageAccounts)?;
                Ok(registrations::clear(unit.transaction.connection()?)?)
            })
            .await
    }

    /// Deletes one pending request.
    ///
    /// # Errors
    /// The request is no longer pending, or the caller may not manage accounts.
    pub async fn decline_registration(&self, actor: Actor, id: Uuid) -> Result<(), Refused> {
        let desk = self.clone();
        self.inner
            .store
            .write(move |transaction| {
                let unit = UnitOfWork::new(&desk, transaction, &actor)?;
                unit.principal.require(Permission::ManageAccounts)?;
                let asked = registrations::take(unit.transaction.connection()?, Key(id))?;
                asked.map(drop).ok_or(Refused::NotFound("registration"))
            })
            .await
    }
}

/// Parses a stored request, which was validated when it was made.
fn read(asked: &RegistrationRow) -> Result<(Login, PlayerName, PasswordHash), StoreError> {
    Ok((
        asked.login.parse().map_err(|_| broken(asked))?,
        asked.name.parse().map_err(|_| broken(asked))?,
        asked.password_hash.parse().map_err(|_| broken(asked))?,
    ))
}

fn broken(asked: &RegistrationRow) -> StoreError {
    BrokenHistory(format!("registration {}", asked.id.0)).into()
}

fn takes_registrations(settings: Option<&Settings>) -> Result<(), Refused> {
    match settings.map(|settings| settings.self_registration).unwrap_or_default() {
        SelfRegistration::Confirmed => Ok(()),
        SelfRegistration::Off => {
            Err(Refused::rule(Code::SelfRegistrationOff, None, "logins at this club are by invitation"))
        }
    }
}

fn not_full(waiting: i64) -> Result<(), Refused> {
    if waiting < MOST_WAITING {
        return Ok(());
    }
    Err(Refused::Rule(Rule {
        code: Code::RegistrationsFull,
        field: None,
        allowed: Some(Allowed::HowMany(MOST_WAITING)),
        detail: format!("{MOST_WAITING} people are waiting for an admin already: ask somebody at the club"),
    }))
}
