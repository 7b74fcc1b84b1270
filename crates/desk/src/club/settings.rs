//! The club's settings: opening the club with them, and changing them.

use crate::club::stream::club_receipt;
use crate::people::ratings::rate_all_anew;
use crate::{Desk, Done, Refused, Request, UnitOfWork};
use owlbox_base::journal::{BrokenHistory, Version};
use owlbox_base::permissions::Permission;
use owlbox_books::club::{Command, Event, Refusal, Settings, SettingsChange};

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
        let changed = self.set_settings(request, move |_| Ok(settings.clone()));
        changed.await.map(|(version, _)| version)
    }

    /// Changes some of the club's settings. Returns the stream's version and all settings.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn merge_settings(
        &self,
        request: Request,
        change: SettingsChange,
    ) -> Result<(Version, Settings), Refused> {
        let onto = move |before: &Settings| {
            change.onto(before).map_err(|error| Refused::from(BrokenHistory(error.to_string())))
        };
        self.set_settings(request, onto).await
    }

    async fn set_settings(
        &self,
        request: Request,
        of: impl Fn(&Settings) -> Result<Settings, Refused> + Send + 'static,
    ) -> Result<(Version, Settings), Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ChangeSettings)?;
                let before = unit.club()?;
                UnitOfWork::expect(&before, expected)?;
                let now = before.state.settings().ok_or(Refusal::NotOpen)?;
                let (counted, settings) = (now.rating_experience, of(now)?);
                let appended = unit.change_club(&[Command::ChangeSettings { settings: settings.clone() }])?;
                if counted != settings.rating_experience {
                    rate_all_anew(unit, settings.rating_experience)?;
                }
                Ok((club_receipt(&appended, 200), (appended.stream.version, settings)))
            })
            .await?;
        match done {
            Done::Now(changed) => Ok(changed),
            Done::Before(receipt) => {
                let then = self.club_events_at(receipt.version).await?.into_iter().find_map(|event| {
                    if let Event::SettingsChanged { settings } = event { Some(settings) } else { None }
                });
                Ok((receipt.version, then.ok_or(Refused::NotFound("club"))?))
            }
        }
    }
}
