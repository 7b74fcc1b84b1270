//! Opens the clubs of a service that has many.

use std::sync::{Arc, PoisonError, RwLock};

use super::{ServeError, desk_with, key_ring, options};
use owlbox_desk::access::Passwords;
use owlbox_desk::access::tokens::KeyRing;
use owlbox_desk::{ClubIdentity, ClubLabel, ClubLocation, DatabaseUrl};
use owlbox_http::clubs::awake::{NotOpened, Opened, Opener};
use owlbox_http::config::{Config, SigningKey};
use owlbox_store::StoreError;
use owlbox_store::clubs::{Clubs, ClubsError};

/// Opens clubs where they are, each with its own configuration. Cheap to clone.
#[derive(Clone)]
pub struct ClubOpener {
    clubs: Clubs,
    /// That of the service; its signing keys may be exchanged.
    config: Arc<RwLock<Config>>,
    passwords: Passwords,
}

impl ClubOpener {
    /// # Errors
    /// No clubs can be where the configuration says.
    pub fn new(config: Config) -> Result<Self, ClubsError> {
        let passwords = Passwords::start(config.auth.password_slots, config.auth.password_queue);
        let clubs = Clubs::at(&config.database.url)?;
        Ok(Self { clubs, config: Arc::new(RwLock::new(config)), passwords })
    }

    /// Clubs that are opened from now on have keys that are derived from these.
    pub fn take(&self, signing_keys: Vec<SigningKey>) {
        self.config.write().unwrap_or_else(PoisonError::into_inner).auth.signing_keys = signing_keys;
    }

    /// That of the service, as it is now.
    pub fn config(&self) -> Config {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The keys of a club as they are now.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn keys(
        &self,
        label: &ClubLabel,
        url: &DatabaseUrl,
        identity: ClubIdentity,
    ) -> Result<KeyRing, ServeError> {
        key_ring(&self.config().of_club(label, &ClubLocation { url: url.clone(), identity }))
    }

    fn opened(&self, label: &ClubLabel) -> Result<Opened, ServeError> {
        let service = self.config();
        let (store, location) = self.clubs.open(label, &options(&service))?;
        let config = service.of_club(label, &location);
        let passwords = self.passwords.for_another_club();
        let desk = desk_with(&config, store, passwords)?;
        Ok(Opened { desk, config, identity: location.identity })
    }
}

impl Opener for ClubOpener {
    fn open(&self, label: &ClubLabel) -> Result<Opened, NotOpened> {
        self.opened(label).map_err(|error| refused(label, &error))
    }

    fn find(&self, label: &ClubLabel) -> Result<(), NotOpened> {
        self.clubs.find(label).map(drop).map_err(|error| refused(label, &error.into()))
    }

    fn wanted(&self, open: &[(ClubLabel, ClubIdentity)]) -> Vec<ClubLabel> {
        // A place that cannot be read says nothing about its clubs.
        let looked = self.clubs.wanted(open);
        looked.inspect_err(|error| tracing::warn!(%error, "cannot check the clubs")).unwrap_or_default()
    }

    fn is_ready(&self) -> bool {
        self.clubs.list().inspect_err(|error| tracing::error!(%error, "cannot list the clubs")).is_ok()
    }
}

/// Why a club cannot be used; what its users must not see is logged.
fn refused(label: &ClubLabel, error: &ServeError) -> NotOpened {
    if matches!(error, ServeError::Clubs(ClubsError::NoSuchClub(_))) {
        return NotOpened::NoSuchClub;
    }
    // Somebody has it alone, or it is still being closed.
    let is_taken = matches!(
        error,
        ServeError::Clubs(
            ClubsError::Borrowed(_) | ClubsError::InUse(_) | ClubsError::Store(StoreError::InUse(_))
        )
    );
    if is_taken {
        return NotOpened::Busy;
    }
    tracing::error!(club = %label, %error, "the club cannot be opened");
    NotOpened::Failed
}
