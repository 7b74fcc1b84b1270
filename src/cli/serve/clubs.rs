//! Opens the clubs of a service that has many.

use super::{ServeError, desk_with, options};
use owlbox_desk::access::Passwords;
use owlbox_desk::{ClubIdentity, ClubLabel};
use owlbox_http::clubs::awake::{NotOpened, Opened, Opener};
use owlbox_http::config::Config;
use owlbox_store::StoreError;
use owlbox_store::clubs::{Clubs, ClubsError};

/// Opens clubs where they are, each with its own configuration.
pub struct ClubOpener {
    clubs: Clubs,
    /// That of the service.
    config: Config,
    passwords: Passwords,
}

impl ClubOpener {
    /// # Errors
    /// No clubs can be where the configuration says.
    pub fn new(config: Config) -> Result<Self, ClubsError> {
        let passwords = Passwords::start(config.auth.password_slots, config.auth.password_queue);
        Ok(Self { clubs: Clubs::at(&config.database.url)?, config, passwords })
    }

    fn opened(&self, label: &ClubLabel) -> Result<Opened, ServeError> {
        let (store, location) = self.clubs.open(label, &options(&self.config))?;
        let config = self.config.of_club(label, &location);
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
        looked
            .inspect_err(|error| tracing::warn!(%error, "the clubs cannot be looked at"))
            .unwrap_or_default()
    }

    fn is_ready(&self) -> bool {
        self.clubs.list().inspect_err(|error| tracing::error!(%error, "the clubs cannot be found")).is_ok()
    }
}

/// Why a club is not to be had; what its users cannot know is logged.
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
