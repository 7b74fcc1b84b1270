//! The club's settings: opening the club with them, and changing them.

use super::clubs::club_receipt;
use super::ratings::rate_all_anew;
use super::{Desk, Refused, Request, UnitOfWork};
use owlbox_domain::club::{Command, Settings};
use owlbox_domain::journal::Version;
use owlbox_domain::permissions::Permission;

impl Desk {
    /// Opens the club without any people, not even an admin: the beginning of a throwaway club.
    ///
    /// # Errors
    /// It is open already, or the caller may not change settings.
    pub async fn open_club(&self, request: Request, settings: Settings) -> Result<(), Refused> {
        let done = self.carry_out(request, move |unit| {
            unit.principal.require(Permission::ChangeSettings)?;
            let appended = unit.change_club(&[Command::Open { settings: settings.clone() }])?;
            Ok((club_receipt(&appended, 201), ()))
        });
        done.await.map(drop)
    }

    /// Replaces the club's settings. Returns the stream's version. If the settings for rating experience
    /// change, all matches are rated anew.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn change_settings(&self, request: Request, settings: Settings) -> Result<Version, Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ChangeSettings)?;
                let before = unit.club()?;
                UnitOfWork::expect(&before, expected)?;
                let counted = before.state.settings().map(|settings| settings.rating_experience);
                let appended = unit.change_club(&[Command::ChangeSettings { settings: settings.clone() }])?;
                if counted != Some(settings.rating_experience) {
                    rate_all_anew(unit, settings.rating_experience)?;
                }
                Ok((club_receipt(&appended, 200), appended.stream.version))
            })
            .await?;
        Ok(done.version())
    }
}
