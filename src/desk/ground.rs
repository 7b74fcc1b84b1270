//! What the desk's tests stand on: a desk over a fresh SQLite file, and a clock that they set.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta};
use secrecy::{ExposeSecret as _, SecretString};

use super::access::sessions::Tokens;
use super::access::set_up::SetUp;
use super::{Actor, Clock, Desk, Fittings, Refused, Request};
use crate::club::{Role, Roles, Settings};
use crate::desk::access::accounts::NewAccount;
use crate::desk::access::links::{Claim, NewLink};
use crate::store::{DatabaseUrl, Options, Store};
use crate::values::{PlayerId, Timestamp};

/// The password of everybody here.
pub const PASSWORD: &str = "quattro oche sul lago";
/// Where everybody sits.
pub const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// A clock that stands until it is moved.
#[derive(Clone)]
pub struct TestClock(Arc<Mutex<Timestamp>>);

impl TestClock {
    pub fn advance(&self, by: TimeDelta) {
        let mut now = self.0.lock().unwrap();
        *now = (now.utc() + by).into();
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// A desk with its clock; gone when dropped.
pub struct Ground {
    pub desk: Desk,
    pub clock: TestClock,
    _folder: tempfile::TempDir,
}

impl Ground {
    /// A desk before anybody has come.
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let options = Options { pool_size: 2, ..Options::default() };
        let store = Store::open(&url, &options).unwrap();
        let start = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let clock = TestClock(Arc::new(Mutex::new(start.into())));
        let fittings = Fittings { clock: Box::new(clock.clone()), ..Fittings::around(store) };
        Self { desk: Desk::new(fittings), clock, _folder: folder }
    }

    /// A desk of a club that `chief` has set up, and his tokens.
    pub async fn open() -> (Self, Actor) {
        let ground = Self::empty();
        let code = ground.desk.set_up_code().await.unwrap().unwrap();
        let tokens = ground.desk.set_up(set_up(&code)).await.unwrap();
        let admin = ground.actor(&tokens).await.unwrap();
        (ground, admin)
    }

    pub async fn actor(&self, tokens: &Tokens) -> Result<Actor, Refused> {
        self.desk.verify_access_token(tokens.access.expose_secret()).await.map(|signed_in| signed_in.actor)
    }

    pub async fn sign_in(&self, login: &str) -> Result<Tokens, Refused> {
        self.desk.sign_in(login, PASSWORD.into(), HOME).await
    }

    /// Makes an account and its invitation.
    pub async fn invite(&self, admin: Actor, player: Option<PlayerId>, roles: &[Role]) -> NewLink {
        let new = NewAccount { player, roles: Roles::of(roles) };
        self.desk.create_account(Request::by(admin), new).await.unwrap().0
    }

    /// Somebody with an account of these roles, signed in.
    pub async fn somebody(&self, admin: Actor, login: &str, roles: &[Role]) -> Actor {
        let link = self.invite(admin, None, roles).await;
        let tokens = self.desk.claim_link(link.secret.expose_secret(), claim(login)).await.unwrap();
        self.actor(&tokens).await.unwrap()
    }
}

pub fn set_up(code: &str) -> SetUp {
    SetUp {
        code: code.to_owned(),
        settings: Settings::default(),
        login: "chief".parse().unwrap(),
        password: PASSWORD.into(),
    }
}

pub fn claim(login: &str) -> Claim {
    Claim { login: Some(login.parse().unwrap()), password: SecretString::from(PASSWORD) }
}

/// The code of a refusal.
#[track_caller]
pub fn code<T: std::fmt::Debug>(answer: Result<T, Refused>) -> &'static str {
    answer.expect_err("a refusal").code()
}
