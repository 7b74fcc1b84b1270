//! The overview of a tournament.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;

use super::TournamentData;
use crate::pages::playing::Playing;
use crate::pages::tournaments::{DivisionCard, Embed, MatchLine, PageLink, TournamentPage};
use crate::pages::{Tab, bracket};
use crate::visitor::{self, Visitor};
use owlbox_base::values::TournamentId;
use owlbox_http::problem::Problem;
use owlbox_http::session::own_origin;
use owlbox_locale::Locale;
use owlbox_play::matches::clock::ClockPolicy;
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::bracket::{Consolation, Final, FlightKind, Format};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::settings::{Lengths, Moves, Settings};

/// The most matches in play that are listed.
const MOST_PLAYING: usize = 24;
const MOST_LATEST: usize = 12;

pub(crate) async fn show(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (data, ()) = TournamentData::load(&visitor, *id, |looking| {
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
    let page = data.page(&visitor, &own_origin(&request));
    visitor::html(StatusCode::OK, page.render())
}

impl TournamentData {
    fn page(&self, visitor: &Visitor, origin: &str) -> TournamentPage {
        let (t, state) = (&visitor.t, self.state());
        let playing = state.playing();
        let lines = playing.iter().take(MOST_PLAYING);
        TournamentPage {
            t: *t,
            frame: visitor.frame(self.about.name.as_str(), Some(Tab::Tournaments)),
            live: self.live(self.home()),
            name: self.about.name.as_str().to_owned(),
            facts: self.facts(t),
            cancelled: self.cancelled(t),
            winners: self.winners(t),
            divisions: state.divisions().map(|(number, of)| self.division_card(t, number, of)).collect(),
            playing: lines.filter_map(|at| self.match_line(t, *at)).collect(),
            playing_more: playing.len().saturating_sub(MOST_PLAYING),
            waiting: state.room.queue.size().saturating_sub(state.room.calls.size()),
            latest: state.latest(MOST_LATEST).into_iter().filter_map(|at| self.match_line(t, at)).collect(),
            prizes: self.about.prizes.as_ref().map(|sheet| sheet.as_str().to_owned()),
            rules: self.about.rules.as_ref().map(|sheet| sheet.as_str().to_owned()),
            desk: self.desk(),
            money: self.cash_desk(),
            enter: self.enter(visitor),
            mine: self.own_page(),
            screen: format!("{}/screen", self.home()),
            embeds: self.embeds(t, origin),
        }
    }

    /// The page on which a player enters, while players may.
    fn enter(&self, visitor: &Visitor) -> Option<String> {
        let open = self.about.takes_entries(visitor.service.desk.now()) && self.state().closed_at.is_none();
        let to_enter =
            |player| self.state().divisions().any(|(_, of)| !of.is_drawn() && of.entry_of(player).is_none());
        let player = self.principal.and_then(|principal| principal.player);
        player.filter(|player| open && to_enter(*player)).map(|_| format!("{}/enter", self.home()))
    }

    fn facts(&self, t: &Locale) -> Vec<String> {
        let place = self.about.place.as_ref().map(|place| place.as_str().to_owned());
        let over = self.state().closed_at.filter(|_| self.state().cancelled.is_none());
        let over = over.map(|_| t.get("is-over"));
        [Some(t.day_at(self.about.date, self.about.starts)), place, over].into_iter().flatten().collect()
    }

    /// A match in a list over several divisions.
    fn match_line(&self, t: &Locale, at: MatchRef) -> Option<MatchLine> {
        let division = self.state().division(at.division)?;
        let found = division.bracket.get(at.number)?;
        let [upper, lower] = found.players()?;
        let about = [self.division_name(division), Some(super::matches::round(t, division, found))];
        let about = about.into_iter().flatten().chain([super::matches::length(t, division, found)]);
        let outcome = found.outcome;
        let call = self.state().room.calls.get(&at);
        let won = found.winner();
        let ended = division.finished_at.get(&at.number).filter(|_| outcome.is_some());
        Some(MatchLine {
            id: format!("d{}m{}", at.division.0, at.number.0),
            link: self.match_link(at.division, at.number),
            about: about.collect::<Vec<_>>().join(" · "),
            names: [upper, lower].map(|entry| self.names.of_entry(t, division, entry)),
            won: [upper, lower].map(|entry| won == Some(entry)),
            score: outcome.and_then(|outcome| outcome.score),
            ending: outcome.and_then(|outcome| bracket::ending(t, outcome.ending)),
            table: call.map(|call| call.table.0),
            called: call.is_some_and(|call| call.began_at.is_none()),
            at: ended.map(|at| t.time(at)),
        })
    }

    fn division_card(&self, t: &Locale, number: DivisionNo, division: &Division) -> DivisionCard {
        let settings = &division.settings;
        let left = division.bracket.iter().filter(|(_, at)| at.is_to_be_played()).count();
        DivisionCard {
            number: number.0,
            name: settings.name.as_str().to_owned(),
            entries: division.taking_part(),
            facts: facts_of(t, settings),
            lengths: lengths(t, settings),
            money: self.money_of(t, division),
            links: self.pages(t, number, ""),
            left: division.is_drawn().then_some(left),
            paper: self.paper(t, number),
        }
    }

    /// The fees of an entry, and what is in the pools.
    fn money_of(&self, t: &Locale, division: &Division) -> Vec<(String, String)> {
        let settings = &division.settings;
        let fees = settings.fees;
        let named = [
            (t.get("fee-entry"), fees.entry.minor_units()),
            (t.get("fee-registration"), fees.registration.minor_units()),
            (t.get("fee-re-entry"), if settings.re_entries > 0 { fees.re_entry.minor_units() } else { 0 }),
        ];
        let pools =
            settings.side_pools.iter().map(|pool| (pool.name.as_str().to_owned(), pool.stake.minor_units()));
        let all = named.into_iter().chain(pools).chain([(t.get("money-pool"), division.played_for().pool)]);
        all.filter_map(|(what, amount)| Some((what, self.money(t, amount)?))).collect()
    }

    fn paper(&self, t: &Locale, DivisionNo(number): DivisionNo) -> Vec<PageLink> {
        let papers =
            [(CommandKind::Result, "paper-slips", "slips"), (CommandKind::CheckIn, "paper-cards", "cards")];
        let link = |key: &str, path: &str| PageLink {
            label: t.get(key),
            link: format!("{}/{number}/{path}", self.home()),
            here: false,
        };
        papers.into_iter().filter(|(may, ..)| self.may(*may)).map(|(_, key, path)| link(key, path)).collect()
    }

    /// The code for embedding a public tournament in other sites.
    fn embeds(&self, t: &Locale, origin: &str) -> Vec<Embed> {
        if !self.about.public {
            return Vec::new();
        }
        let embed = |(DivisionNo(number), division): (DivisionNo, &Division)| {
            let link = format!("{origin}{}/{number}/embed", self.home());
            // Attributes are quoted, so that no name can end one.
            let title = t.with("bracket-page", "event", self.about.name.as_str()).replace('"', "”");
            let title = title.replace(['<', '>', '&'], " ");
            let element = format!(
                "<iframe src=\"{link}\" title=\"{title}\" width=\"100%\" height=\"720\" loading=\"lazy\"></iframe>"
            );
            Embed { division: self.division_name(division), link, element }
        };
        self.state().divisions().map(embed).collect()
    }
}

/// How the division is played, in a few words each.
fn facts_of(t: &Locale, settings: &Settings) -> Vec<String> {
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
fn lengths(t: &Locale, settings: &Settings) -> Vec<(String, String)> {
    let said = |key: &str, lengths: &Lengths| {
        let points: Vec<String> =
            lengths.as_slice().iter().map(|length| length.points().to_string()).collect();
        let said = match points.as_slice() {
            [one] => t.with("match-long", "points", one),
            _ => t.with("lengths-of", "lengths", points.join(" · ")),
        };
        (t.get(key), said)
    };
    let main = said(bracket::flight_key(FlightKind::Main), &settings.lengths);
    let others = [
        (FlightKind::Consolation, &settings.consolation_lengths),
        (FlightKind::LastChance, &settings.last_chance_lengths),
    ];
    let others = others
        .into_iter()
        .filter_map(|(kind, lengths)| Some(said(bracket::flight_key(kind), lengths.as_ref()?)));
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
