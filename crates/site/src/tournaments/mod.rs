//! Tournaments for reading: public ones for everybody, the others with a login.
//!
//! A page is one answer of the desk, the tournament at one version with the names and whatever else the page
//! says that it needs, and a template draws it.
//!
//! | file | what it shows |
//! |---|---|
//! | `list`, `overview` | the tournaments; one of them |
//! | `bracket` | a division's bracket, with [`view`]: which part, [`window`]: the matches of that part, [`picture`]: how they are drawn, and [`slot`], [`path`], [`rounds`]: contents of a slot, one entry's way, names of flights and rounds |
//! | `draw`, `entries`, `places` | its draw, its entries and places with [`tables`]: how these lists are sorted and searched |
//! | `one_match`, `entrant` | a match; a player's way, at `own` and by the `link` on a card, with the [`report`] of a result |
//! | `paper` with `sheet`, `slips`, `cards` | what is printed |
//! | `wall` | the screen on the wall |

mod bracket;
mod cards;
mod draw;
mod entrant;
mod entries;
mod link;
mod list;
mod one_match;
mod overview;
mod own;
mod paper;
mod path;
mod picture;
mod places;
mod report;
pub(crate) mod rounds;
#[cfg(test)]
pub(crate) mod samples;
mod sheet;
mod slips;
pub(crate) mod slot;
mod tables;
#[cfg(test)]
mod tests;
mod view;
mod wall;
mod window;

pub(super) use bracket::{embed, show as bracket};
pub(super) use cards::cards;
pub(super) use draw::draw;
pub(super) use entries::entries;
pub(super) use link::{report, show as by_link};
pub(super) use list::list;
pub(crate) use list::{Card, cards_of, open_tournaments};
pub(super) use one_match::show as one_match;
pub(super) use overview::show as overview;
pub(super) use own::{report as report_own, show as entrant};
pub(super) use paper::print;
pub(super) use places::places;
pub(super) use slips::slips;
pub(super) use wall::show as wall;

use super::visitor::Visitor;
use crate::pages::LivePart;
use crate::playing::other_game;
use owlbox_base::values::{MinorUnits, PlayerId, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::people::players::PlayerOrigin;
use owlbox_desk::tournaments::{TournamentReader, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::matches::clock::ClockSetting;
use owlbox_play::matches::score::Length;
use owlbox_play::tournament::bracket::Pairing;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::entry::EntryStanding;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::view::MatchState;
use rounds::{flight_name, round_name};

/// The pages of a division: the key of the label, and the end of the address.
const DIVISION_PAGES: [(&str, &str); 4] =
    [("page-bracket", ""), ("page-draw", "/draw"), ("page-entries", "/entries"), ("page-places", "/places")];

/// The screen of a tournament that the visitor may see, with what `look` looks for.
async fn screen<T: Send + 'static>(
    visitor: &Visitor,
    id: TournamentId,
    look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
) -> Result<(TournamentScreen, T), Problem> {
    Ok(visitor.service.desk.tournament_screen(visitor.actor().ok().as_ref(), id, look).await?)
}

/// Looks for the names of everybody in a division.
fn everybody(looking: &mut TournamentReader<'_>, division: DivisionNo) -> Result<(), Refused> {
    let stream = looking.stream();
    let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
    looking.name(of.entries().map(|(_, entry)| entry.player));
    Ok(())
}

/// The address of a tournament's pages.
fn home(id: TournamentId) -> String {
    format!("/tournaments/{id}")
}

fn division_page(id: TournamentId, DivisionNo(division): DivisionNo, page: &str) -> String {
    format!("{}/{division}{page}", home(id))
}

fn match_page(id: TournamentId, at: MatchRef) -> String {
    division_page(id, at.division, &format!("/matches/{}", at.number.0))
}

/// The page of a player's way through the tournament.
fn player_page(id: TournamentId, player: PlayerId) -> String {
    format!("{}/players/{player}", home(id))
}

/// Reloads the page at this address whenever something happens.
fn live(screen: &TournamentScreen, page: String) -> LivePart {
    let version = screen.stream.version;
    let open = screen.state().closed_at.is_none();
    let stream = open.then(|| format!("/api/v1/tournaments/{}/events?after={version}", screen.id));
    LivePart { page, version, stream, beside: None }
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

/// Tournament and division as they stand above a bracket on paper, on a wall or in another site's page, with
/// the game if it is not backgammon.
fn full_name(t: &Locale, screen: &TournamentScreen, of: &Division) -> String {
    let (division, game) = (of.settings.name.as_str(), other_game(t, of.settings.game.variant));
    line([Some(screen.name()), Some(division), game.as_deref()])
}

/// The tournament, the division and the day, for the head of a printed list.
pub(super) fn heading(t: &Locale, screen: &TournamentScreen, of: &Division) -> String {
    let day = screen.about().map(|about| t.day(about.date));
    line([Some(screen.name()), screen.state().name_among(of), day.as_deref()])
}

/// That the tournament was cancelled, and why; `None` if it was not.
fn cancelled(t: &Locale, screen: &TournamentScreen) -> Option<String> {
    screen.state().cancelled.as_ref().map(|reason| t.with("cancelled-because", "reason", reason))
}

/// Flight and round of a match; only the flight if it has a single round.
fn place_in_bracket(t: &Locale, of: &Division, at: &Pairing) -> String {
    let flight = usize::from(at.flight);
    let name = flight_name(t, &of.bracket, flight);
    let Some(of_flight) = of.bracket.flights().get(flight) else { return name };
    let round = round_name(t, of_flight, usize::from(at.round));
    if flight == 0 || round == name { round } else { format!("{name} · {round}") }
}

/// Division, flight, round and length of a match (`to 9`), with the variant unless it is backgammon.
fn place_of(t: &Locale, screen: &TournamentScreen, of: &Division, at: &Pairing) -> String {
    let (round, length) = (place_in_bracket(t, of, at), t.with("match-to", "points", of.length(at).points()));
    let game = other_game(t, of.settings.game.variant);
    line([screen.state().name_among(of), Some(&*round), Some(&*length), game.as_deref()])
}

/// How the clock is set for a match of this length.
fn clock_set(t: &Locale, clock: &ClockSetting, length: Length) -> String {
    let seconds = clock.reserve(length).num_seconds();
    let reserve = format!("{}:{:02}", seconds / 60, seconds % 60);
    t.fill("slip-clock-set", &[("reserve", &reserve), ("delay", &clock.delay)])
}

/// An amount in the tournament's currency; `None` for nothing.
fn money(t: &Locale, screen: &TournamentScreen, amount: u64) -> Option<String> {
    let currency = screen.state().currency()?;
    let amount = MinorUnits(i64::try_from(amount).unwrap_or(i64::MAX));
    (amount.0 > 0).then(|| t.how_much(amount, currency))
}

/// Club and country of a player, as far as they are known.
fn origin(from: Option<&PlayerOrigin>) -> String {
    line([from.and_then(|from| from.club.as_deref()), from.and_then(|from| from.country.as_deref())])
}

/// The CSS class of a match in this state.
const fn state_class(state: MatchState) -> &'static str {
    match state {
        MatchState::Waiting => "waiting",
        MatchState::Ready => "ready",
        MatchState::Called => "called",
        MatchState::Playing => "playing",
        MatchState::Done => "done",
        MatchState::Empty => "empty",
    }
}

/// The key of the text for an entry's standing.
const fn standing_key(standing: EntryStanding) -> &'static str {
    match standing {
        EntryStanding::In => "standing-in",
        EntryStanding::Waiting => "standing-waiting",
        EntryStanding::Leaving => "standing-leaving",
        EntryStanding::Withdrawn => "standing-withdrawn",
        EntryStanding::Disqualified => "standing-disqualified",
        EntryStanding::EnteredAgain => "standing-entered-again",
    }
}
