//! The page on which players enter themselves, while they may.

use actix_web::HttpResponse;
use askama::Template;

use super::act::{NoQuery, takes_acts};
use super::frame::enter_address;
use crate::pages::button::{Button, Target};
use crate::pages::{Frame, Tab};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::Visitor;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::Command;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::command::NewEntry;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;

/// `/tournaments/{id}/enter`
#[derive(Debug, Template)]
#[template(path = "directing/enter.html")]
pub(super) struct EnterPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub about: &'a About,
}

takes_acts!(TournamentId, NoQuery);

/// The current page; after a refusal with the problem on it.
async fn answer(visitor: &Visitor, id: &TournamentId, _: &NoQuery, _: bool) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let (screen, ()) = visitor.service.desk.tournament_screen(Some(&actor), *id, |_| Ok(())).await?;
    let t = TournamentSentences::new(visitor.say(&screen.names), screen.state());
    let frame = visitor.frame(&t.get("enter-title"), Some(Tab::Tournaments));
    let frame = Frame { here: enter_address(*id), ..frame };
    let about = screen.about().ok_or(Refused::NotFound("tournament"))?;
    visitor.answer(EnterPage { t, frame, screen: &screen, about }.render())
}

impl EnterPage<'_> {
    fn target(&self) -> Target {
        Target::at_tournament(format!("{}/act", enter_address(self.screen.id)))
    }

    /// Date, place and closing of entries, in words.
    fn facts(&self) -> Vec<String> {
        let (t, about) = (&self.t, self.about);
        let place = about.place.as_ref().map(ToString::to_string);
        let closes = about.entries_close.as_ref();
        let closes = closes.map(|until| t.with("enter-until", "time", t.date_time(until)));
        std::iter::once(t.day_at(about.date, about.starts)).chain(place).chain(closes).collect()
    }

    fn is_open(&self) -> bool {
        self.about.takes_entries(self.screen.now) && self.screen.state().closed_at.is_none()
    }

    /// What they pay to enter a division; `None` if it is free.
    fn fee(&self, of: &Division) -> Option<String> {
        let fees = of.settings.fees;
        let fee = fees.entry.minor_units() + fees.registration.minor_units();
        self.screen.state().currency().filter(|_| fee > 0).map(|_| self.t.in_currency(fee))
    }

    /// The viewer and their entry in a division.
    fn entry(&self, of: &Division) -> Option<(PlayerId, EntryNo)> {
        let player = self.t.player().filter(|_| self.is_open())?;
        Some((player, of.entry_of(player)?))
    }

    /// Enters them in a division.
    fn enter(&self, division: DivisionNo, of: &Division) -> Option<Button> {
        let may = self.is_open() && self.entry(of).is_none() && !of.is_drawn();
        let player = self.t.player().filter(|_| may)?;
        let entries = vec![NewEntry { player, side_pools: Vec::new() }];
        let button = Button::new(self.t.get("enter-me"), &Command::Enter { division, entries });
        Some(button.then(enter_address(self.screen.id)).main())
    }
}
