//! Tournaments for reading: public ones for everybody, the others with a login.
//!
//! A page is built from one answer of the desk: the tournament's state at one version, with the names and whatever
//! else the page says that it needs.

mod bracket;
mod cards;
mod division;
mod link;
mod list;
mod matches;
mod overview;
mod own;
mod paper;
mod room;
pub(crate) mod rounds;
#[cfg(test)]
pub(crate) mod samples;
mod slips;
mod words;

pub(super) use bracket::{embed, show as bracket};
pub(super) use cards::cards;
pub(super) use division::{draw, entries, places};
pub(super) use link::{report, show as by_link};
pub(super) use list::{cards_of, list, open_cards};
pub(super) use matches::show as one_match;
pub(super) use overview::show as overview;
pub(super) use own::{report as report_own, show as entrant};
pub(super) use paper::print;
pub(super) use room::show as wall;
pub(super) use slips::slips;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::visitor::Visitor;
use crate::pages::bracket::{BracketLookup, Going};
use crate::pages::tournaments::{Around, PageLink, Winner};
use crate::pages::{LivePart, other_game};
use owlbox_base::journal::Stream;
use owlbox_base::permissions::Scope;
use owlbox_base::values::{MinorUnits, PlayerId, Timestamp, TournamentId};
use owlbox_desk::people::players::called;
use owlbox_desk::tournaments::scope::scope;
use owlbox_desk::tournaments::{TournamentReader, TournamentScreen};
use owlbox_desk::{Actor, Principal, Refused};
use owlbox_http::problem::{Problem, not_found};
use owlbox_locale::Locale;
use owlbox_play::matches::MatchNo;
use owlbox_play::matches::clock::Setting;
use owlbox_play::matches::score::Length;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{CommandKind, Tournament};

/// The screen of a tournament that the visitor may see, with what `look` looks for.
async fn screen<T: Send + 'static>(
    visitor: &Visitor,
    id: TournamentId,
    look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
) -> Result<(TournamentScreen, T), Problem> {
    Ok(visitor.service.desk.tournament_screen(visitor.actor().ok().as_ref(), id, look).await?)
}

/// The address of a tournament's pages.
fn home(id: TournamentId) -> String {
    format!("/tournaments/{id}")
}

fn match_page(id: TournamentId, at: MatchRef) -> String {
    format!("/tournaments/{id}/{}/matches/{}", at.division.0, at.number.0)
}

/// Parts of a line, as far as there are any.
fn line<const N: usize>(parts: [Option<&str>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The title of a division's page.
fn title(screen: &TournamentScreen, of: &Division, page: &str) -> String {
    line([Some(page), screen.state().name_among(of), Some(screen.name())])
}

/// Tournament and division as printed.
fn printed_name(screen: &TournamentScreen, of: &Division) -> String {
    line([Some(screen.name()), screen.state().name_among(of)])
}

/// How the clock is set for a match of this length.
fn clock_set(t: &Locale, clock: &Setting, length: Length) -> String {
    let seconds = clock.reserve(length).num_seconds();
    let reserve = format!("{}:{:02}", seconds / 60, seconds % 60);
    t.fill("slip-clock-set", &[("reserve", &reserve), ("delay", &clock.delay)])
}

/// A tournament as a viewer sees it.
struct TournamentData {
    id: TournamentId,
    stream: Arc<Stream<Tournament>>,
    about: About,
    principal: Option<Principal>,
    names: Names,
}

impl TournamentData {
    /// The tournament with what `look` looks for.
    async fn load<T: Send + 'static>(
        visitor: &Visitor,
        id: TournamentId,
        look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
    ) -> Result<(Self, T), Problem> {
        Self::seen_by(visitor, visitor.actor().ok(), id, look).await
    }

    async fn seen_by<T: Send + 'static>(
        visitor: &Visitor,
        actor: Option<Actor>,
        id: TournamentId,
        look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
    ) -> Result<(Self, T), Problem> {
        let (screen, found) = visitor.service.desk.tournament_screen(actor.as_ref(), id, look).await?;
        let TournamentScreen { id, stream, principal, names, now: _ } = screen;
        let about = stream.state.about().cloned().ok_or_else(not_found)?;
        Ok((Self { id, stream, about, principal, names: Names(Arc::new(names)) }, found))
    }

    fn state(&self) -> &Tournament {
        &self.stream.state
    }

    fn home(&self) -> String {
        home(self.id)
    }

    fn division(&self, number: DivisionNo) -> Result<&Division, Problem> {
        self.state().division(number).ok_or_else(|| Refused::NotFound("division").into())
    }

    /// Whether the viewer may give this command for others.
    fn may(&self, command: CommandKind) -> bool {
        let scope_of = |principal: &Principal| scope(principal, self.state(), command);
        self.principal.as_ref().map(scope_of) == Some(Scope::Anybody)
    }

    /// The director's desk, for viewers who may record results.
    fn desk(&self) -> Option<String> {
        self.may(CommandKind::Result).then(|| format!("{}/desk", self.home()))
    }

    /// The money page of the desk, for viewers who handle the cash and nothing else there.
    fn cash_desk(&self) -> Option<String> {
        let may = self.may(CommandKind::PayIn) && self.about.currency.is_some();
        (may && self.desk().is_none()).then(|| format!("{}/desk/money", self.home()))
    }

    /// Reloads the page at this address whenever something happens.
    fn live(&self, page: String) -> LivePart {
        let version = self.stream.version;
        let open = self.state().closed_at.is_none();
        let stream = open.then(|| format!("/api/v1/tournaments/{}/events?after={version}", self.id));
        LivePart { page, version, stream, beside: None }
    }

    /// That the tournament was cancelled, and why; `None` if it was not.
    fn cancelled(&self, t: &Locale) -> Option<String> {
        self.state().cancelled.as_ref().map(|reason| t.with("cancelled-because", "reason", reason))
    }

    /// The division's name, if there is more than one division.
    fn division_name(&self, division: &Division) -> Option<String> {
        (self.state().divisions().len() > 1).then(|| division.settings.name.as_str().to_owned())
    }

    /// Tournament and division as they stand above a bracket on paper, on a wall or in another site's page, with the game
    /// if it is not backgammon.
    fn full_name(&self, t: &Locale, division: &Division) -> String {
        let parts = [
            Some(self.about.name.as_str().to_owned()),
            Some(division.settings.name.as_str().to_owned()),
            other_game(t, division.settings.game.variant),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// The title of a division's page.
    fn title(&self, page: &str, division: &Division) -> String {
        match self.division_name(division) {
            Some(name) => format!("{page} · {name} · {}", self.about.name.as_str()),
            None => format!("{page} · {}", self.about.name.as_str()),
        }
    }

    fn around(&self, t: &Locale, number: DivisionNo, division: &Division, here: &str) -> Around {
        Around {
            tournament: self.about.name.as_str().to_owned(),
            home: self.home(),
            division: self.division_name(division),
            links: self.pages(t, number, here),
        }
    }

    /// Links to the pages of a division.
    fn pages(&self, t: &Locale, DivisionNo(number): DivisionNo, here: &str) -> Vec<PageLink> {
        let of_division = format!("{}/{number}", self.home());
        let pages = [
            ("page-bracket", ""),
            ("page-draw", "/draw"),
            ("page-entries", "/entries"),
            ("page-places", "/places"),
        ];
        pages
            .map(|(key, path)| PageLink {
                label: t.get(key),
                link: format!("{of_division}{path}"),
                here: key == here,
            })
            .to_vec()
    }

    /// The address of a player's way through the tournament.
    fn way_of(&self, player: PlayerId) -> String {
        format!("{}/players/{player}", self.home())
    }

    fn match_link(&self, DivisionNo(division): DivisionNo, MatchNo(number): MatchNo) -> String {
        format!("{}/{division}/matches/{number}", self.home())
    }

    /// The winners of the divisions that are over.
    fn winners(&self, t: &Locale) -> Vec<Winner> {
        let winner = |(_, division): (DivisionNo, &Division)| {
            let name = self.names.of_entry(t, division, division.won_by()?);
            Some(Winner { division: self.division_name(division), name })
        };
        self.state().divisions().filter_map(winner).collect()
    }

    /// Calls `then` with what a page shows of a division's bracket; `links` adds links to its matches.
    fn known<R>(
        &self,
        shown: &ShownDivision<'_>,
        links: bool,
        then: impl FnOnce(&BracketLookup<'_>) -> R,
    ) -> R {
        let ShownDivision { t, number, division } = *shown;
        let length = |flight: usize, round: usize| {
            let of_flight = division.bracket.flights().get(flight)?;
            let before_last = of_flight.rounds.len().checked_sub(round + 1)?;
            Some(division.settings.length_of(of_flight.kind, before_last))
        };
        let going = |of: MatchNo| self.going(MatchRef { division: number, number: of });
        let link = |of: MatchNo| links.then(|| self.match_link(number, of));
        let name = |entry: EntryNo| self.names.of_entry(t, division, entry);
        let seed = |entry: EntryNo| division.entry(entry).and_then(|entry| entry.seeded);
        let bracket = &division.bracket;
        then(&BracketLookup {
            bracket,
            name: &name,
            seed: &seed,
            length: &length,
            going: &going,
            link: &link,
        })
    }

    fn going(&self, at: MatchRef) -> Going {
        match self.state().room.calls.get(&at) {
            None => Going::Nothing,
            Some(call) if call.began_at.is_none() => Going::Called { table: call.table.0.to_string() },
            Some(call) => Going::Playing { table: Some(call.table.0.to_string()), score: None },
        }
    }

    /// Whether the players of a match are asked how it ended. Where matches are called to tables, nobody has played before
    /// the call; elsewhere a match may be put off.
    fn asks_for_result(&self, at: MatchRef, now: Timestamp) -> bool {
        let room = &self.state().room;
        if self.state().cancelled.is_some() {
            return false;
        }
        room.calls.contains_key(&at) || (room.tables.is_empty() && self.state().may_be_called(at, now))
    }

    /// An amount in the tournament's currency; `None` for nothing.
    fn money(&self, t: &Locale, amount: u64) -> Option<String> {
        let currency = self.about.currency?;
        let amount = MinorUnits(i64::try_from(amount).unwrap_or(i64::MAX));
        (amount.0 > 0).then(|| t.how_much(amount, currency))
    }
}

/// A division whose bracket is shown.
#[derive(Clone, Copy)]
struct ShownDivision<'a> {
    t: &'a Locale,
    number: DivisionNo,
    division: &'a Division,
}

/// Looks for the names of everybody in a division.
fn everybody(looking: &mut TournamentReader<'_>, number: DivisionNo) -> Result<(), Refused> {
    let stream = looking.stream();
    let of = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
    looking.name(of.entries().map(|(_, entry)| entry.player));
    Ok(())
}

/// The names of the players whom a page shows.
#[derive(Default)]
struct Names(Arc<BTreeMap<PlayerId, String>>);

impl Names {
    /// The name of a player who was looked for.
    fn name_of(&self, player: PlayerId) -> String {
        debug_assert!(self.0.contains_key(&player), "{player} was not looked for");
        called(&self.0, player)
    }

    /// The name of an entry; a number tells later entries of the same player apart.
    fn of_entry(&self, t: &Locale, division: &Division, number: EntryNo) -> String {
        let Some(entry) = division.entry(number) else { return String::new() };
        let name = self.name_of(entry.player);
        let before = std::iter::successors(entry.again, |again| division.entry(*again)?.again).count();
        if before == 0 { name } else { t.fill("entry-again", &[("name", &name), ("times", &(before + 1))]) }
    }
}
