//! The overview of a tournament.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use super::rounds::{ending, flight_key};
use super::{DIVISION_PAGES, cancelled, home, live, match_page, money, place_of, player_page};
use crate::pages::{Frame, LivePart, Tab};
use crate::playing::Playing;
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::{Problem, not_found};
use owlbox_http::session::own_origin;
use owlbox_locale::Locale;
use owlbox_play::matches::clock::ClockPolicy;
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::bracket::{Consolation, EntryNo, Final, FlightKind, Format, Pairing};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{Call, DivisionNo, MatchRef};
use owlbox_play::tournament::settings::{DivisionSettings, Lengths, Moves};

/// The most matches in play that are listed.
const MOST_PLAYING: usize = 24;
const MOST_LATEST: usize = 12;

/// `/tournaments/{id}`
#[derive(Template)]
#[template(path = "tournaments/tournament.html")]
pub(super) struct TournamentPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub about: &'a About,
    /// The service's own origin, for other sites.
    pub origin: &'a str,
}

/// A match of two known players in a list over several divisions.
struct MatchLine<'a> {
    at: MatchRef,
    of: &'a Division,
    found: &'a Pairing,
    players: [EntryNo; 2],
    call: Option<&'a Call>,
}

pub(crate) async fn show(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (screen, ()) = super::screen(&visitor, *id, |looking| {
        let stream = looking.stream();
        let state = &stream.state;
        looking.name(state.winners());
        let mut playing = state.playing();
        playing.truncate(MOST_PLAYING);
        looking.name(state.players_in(&playing));
        looking.name(state.players_in(&state.latest(MOST_LATEST)));
        Ok(())
    })
    .await?;
    let (t, about) = (visitor.say(&screen.names), screen.about().ok_or_else(not_found)?);
    let frame = visitor.frame(screen.name(), Some(Tab::Tournaments));
    let page = TournamentPage { t, frame, screen: &screen, about, origin: &own_origin(&request) };
    visitor.answer(page.render())
}

impl MatchLine<'_> {
    /// Unique on the page; the `id` of its element.
    fn id(&self) -> String {
        format!("d{}m{}", self.at.division.0, self.at.number.0)
    }

    fn is_called(&self) -> bool {
        self.call.is_some_and(|call| call.began_at.is_none())
    }

    fn has_won(&self, player: &EntryNo) -> bool {
        self.found.winner() == Some(*player)
    }

    /// How it ended, if it was not played to the end.
    fn ending(&self, t: &Locale) -> Option<String> {
        self.found.outcome.and_then(|outcome| ending(t, outcome.ending))
    }

    /// The score, the upper slot's points first.
    fn score(&self) -> Option<[u16; 2]> {
        self.found.outcome?.score
    }

    /// When it ended.
    fn ended(&self, t: &Locale) -> Option<String> {
        self.found.outcome?;
        self.of.finished_at.get(&self.at.number).map(|at| t.time(at))
    }
}

impl TournamentPage<'_> {
    fn live(&self) -> LivePart {
        live(self.screen, home(self.screen.id))
    }

    /// Day, place and state.
    fn facts(&self) -> Vec<String> {
        let state = self.screen.state();
        let place = self.about.place.as_ref().map(|place| place.as_str().to_owned());
        let is_over = state.closed_at.is_some() && state.cancelled.is_none();
        let over = is_over.then(|| self.t.get("is-over"));
        [Some(self.t.day_at(self.about.date, self.about.starts)), place, over].into_iter().flatten().collect()
    }

    fn cancelled(&self) -> Option<String> {
        cancelled(&self.t, self.screen)
    }

    /// The viewer's own page, if they have an entry.
    fn mine(&self) -> Option<String> {
        let player = self.viewer().filter(|player| !self.screen.state().entries_of(*player).is_empty())?;
        Some(player_page(self.screen.id, player))
    }

    fn viewer(&self) -> Option<PlayerId> {
        self.screen.principal.and_then(|principal| principal.player)
    }

    /// Whether the viewer works at the director's desk: records results.
    fn has_desk(&self) -> bool {
        self.screen.may(CommandKind::Result)
    }

    /// Whether the viewer handles the cash and does nothing else at the desk.
    fn has_cash_desk(&self) -> bool {
        self.screen.may(CommandKind::PayIn) && self.about.currency.is_some() && !self.has_desk()
    }

    /// Whether the viewer can enter, while players may.
    fn can_enter(&self) -> bool {
        let state = self.screen.state();
        let open = self.about.takes_entries(self.screen.now) && state.closed_at.is_none();
        let to_enter =
            |player| state.divisions().any(|(_, of)| !of.is_drawn() && of.entry_of(player).is_none());
        open && self.viewer().is_some_and(to_enter)
    }

    /// How many matches are still to be played in a division that is drawn.
    fn left(&self, of: &Division) -> Option<usize> {
        let left = || of.bracket.iter().filter(|(_, at)| at.is_to_be_played()).count();
        of.is_drawn().then(left)
    }

    /// How a division is played.
    fn played(&self, of: &Division) -> Vec<String> {
        facts_of(&self.t, &of.settings)
    }

    /// The lengths of a division's matches and its money: label and value.
    fn particulars(&self, of: &Division) -> Vec<(String, String)> {
        let mut particulars = lengths(&self.t, &of.settings);
        particulars.extend(self.money_of(of));
        particulars
    }

    /// The fees of an entry, and what is in the pools.
    fn money_of(&self, of: &Division) -> Vec<(String, String)> {
        let (t, settings) = (&self.t, &of.settings);
        let fees = settings.fees;
        let named = [
            (t.get("fee-entry"), fees.entry.minor_units()),
            (t.get("fee-registration"), fees.registration.minor_units()),
            (t.get("fee-re-entry"), if settings.re_entries > 0 { fees.re_entry.minor_units() } else { 0 }),
        ];
        let pools =
            settings.side_pools.iter().map(|pool| (pool.name.as_str().to_owned(), pool.stake.minor_units()));
        let all = named.into_iter().chain(pools).chain([(t.get("money-pool"), of.played_for().pool)]);
        all.filter_map(|(what, amount)| Some((what, money(t, self.screen, amount)?))).collect()
    }

    /// What the viewer can print of a division: label, and the end of the address.
    fn papers(&self) -> Vec<(&'static str, &'static str)> {
        let papers =
            [(CommandKind::Result, "paper-slips", "slips"), (CommandKind::CheckIn, "paper-cards", "cards")];
        let may = papers.into_iter().filter(|(command, ..)| self.screen.may(*command));
        may.map(|(_, label, page)| (label, page)).collect()
    }

    /// Matches in progress, in the order in which they were called, and how many more there are.
    fn playing(&self) -> (Vec<MatchLine<'_>>, usize) {
        let playing = self.screen.state().playing();
        let (shown, more) = playing.split_at(playing.len().min(MOST_PLAYING));
        (shown.iter().filter_map(|at| self.line(*at)).collect(), more.len())
    }

    /// How many matches wait for a table.
    fn waiting(&self) -> usize {
        let room = &self.screen.state().room;
        room.queue.size().saturating_sub(room.calls.size())
    }

    /// The latest results, newest first.
    fn latest(&self) -> Vec<MatchLine<'_>> {
        self.screen.state().latest(MOST_LATEST).into_iter().filter_map(|at| self.line(at)).collect()
    }

    fn line(&self, at: MatchRef) -> Option<MatchLine<'_>> {
        let (of, found) = self.screen.state().match_at(at)?;
        let call = self.screen.state().room.calls.get(&at);
        Some(MatchLine { at, of, found, players: found.players()?, call })
    }

    fn link(&self, line: &MatchLine<'_>) -> String {
        match_page(self.screen.id, line.at)
    }

    /// Division, flight, round and length.
    fn place(&self, line: &MatchLine<'_>) -> String {
        place_of(&self.t, self.screen, line.of, line.found)
    }

    /// Where another site finds the bracket of a division.
    fn embedded(&self, DivisionNo(division): &DivisionNo) -> String {
        format!("{}{}/{division}/embed", self.origin, home(self.screen.id))
    }

    /// The element that shows the bracket in another site's page.
    fn element(&self, division: &DivisionNo) -> String {
        let link = self.embedded(division);
        // Attributes are quoted, so that no name can end one.
        let title = self.t.with("bracket-page", "event", self.screen.name()).replace('"', "”");
        let title = title.replace(['<', '>', '&'], " ");
        format!(
            "<iframe src=\"{link}\" title=\"{title}\" width=\"100%\" height=\"720\" loading=\"lazy\"></iframe>"
        )
    }
}

/// How the division is played, in a few words each.
fn facts_of(t: &Locale, settings: &DivisionSettings) -> Vec<String> {
    let clock = t.get(match settings.clock_policy {
        ClockPolicy::Optional => "told-clock-optional",
        ClockPolicy::Preferred => "told-clock-preferred",
        ClockPolicy::Required => "told-clock-required",
    });
    let seconds = settings.clock.reserve_a_point;
    let reserve = format!("{}:{:02}", seconds / 60, seconds % 60);
    let set = t.fill("clock-set", &[("reserve", &reserve), ("delay", &settings.clock.delay)]);
    let moves = t.get(match settings.moves {
        Moves::Legal => "told-moves-legal",
        Moves::Responsible => "told-moves-responsible",
    });
    let others = [(settings.holland, "plays-holland"), (settings.rated, "is-rated")];
    let others = others.into_iter().filter(|(is, _)| *is).map(|(_, key)| t.get(key));
    let longest = settings.lengths.as_slice().iter().map(|length| u32::from(length.points())).max();
    let playing = Playing::of_division(settings).facts(t, longest.unwrap_or(1).next_power_of_two());
    let rules = [clock, set, moves].into_iter().chain(playing).chain(others);
    let starts = settings.starts.map(|time| t.with("division-starts", "time", time));
    starts.into_iter().chain(format_of(t, settings.format)).chain(rules).collect()
}

/// The format by its common names.
fn format_of(t: &Locale, format: Format) -> Vec<String> {
    let doubled = match format.last {
        Final::Double => Some("format-double"),
        Final::Single => Some("format-single"),
        Final::None | Final::SecondPlace => None,
    };
    let main = t.get(doubled.unwrap_or("told-format-knock-out"));
    let consolation = match format.consolation {
        _ if doubled.is_some() => None,
        Consolation::Nobody => None,
        Consolation::FirstLosers { walkovers_are_byes: false } => Some(t.get("told-format-first-losers")),
        Consolation::FirstLosers { walkovers_are_byes: true } => Some(t.get("told-format-first-played")),
        Consolation::UpTo { round } => Some(t.count("format-up-to", &usize::from(round))),
        Consolation::Progressive => Some(t.get("told-format-progressive")),
        Consolation::ProgressiveWithFinalist => Some(t.get("format-with-finalist")),
    };
    let third = format.third_place.then(|| t.get("told-format-third-place"));
    let second = (format.last == Final::SecondPlace).then(|| t.get("told-format-second-place"));
    [Some(main), third, consolation, second].into_iter().flatten().collect()
}

/// The lengths of matches, by flight.
fn lengths(t: &Locale, settings: &DivisionSettings) -> Vec<(String, String)> {
    let said = |key: &str, lengths: &Lengths| {
        let points: Vec<String> =
            lengths.as_slice().iter().map(|length| length.points().to_string()).collect();
        let said = match points.as_slice() {
            [one] => t.with("match-long", "points", one),
            _ => t.with("lengths-of", "lengths", points.join(" · ")),
        };
        (t.get(key), said)
    };
    let main = said(flight_key(FlightKind::Main), &settings.lengths);
    let others = [
        (FlightKind::Consolation, &settings.consolation_lengths),
        (FlightKind::LastChance, &settings.last_chance_lengths),
    ];
    let others =
        others.into_iter().filter_map(|(kind, lengths)| Some(said(flight_key(kind), lengths.as_ref()?)));
    std::iter::once(main).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_locale::Language;

    /// A text that is missing, or lacks a value, panics here.
    #[test]
    fn every_format_has_words_in_every_language() {
        for &language in Language::ALL {
            let t = Locale::new(language, chrono_tz::UTC);
            for consolation in [
                Consolation::Nobody,
                Consolation::FirstLosers { walkovers_are_byes: false },
                Consolation::FirstLosers { walkovers_are_byes: true },
                Consolation::UpTo { round: 1 },
                Consolation::UpTo { round: 3 },
                Consolation::Progressive,
                Consolation::ProgressiveWithFinalist,
            ] {
                for last in [Final::None, Final::SecondPlace, Final::Single, Final::Double] {
                    let words = format_of(&t, Format { third_place: true, consolation, last });
                    assert!(words.iter().all(|words| !words.contains('{')), "{words:?}");
                }
            }
        }
    }
}
