//! A match of a tournament, and a player's way through it.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;

use super::words::{from_in_words, place_in_words, standing_key};
use super::{ShownDivision, TournamentData};
use crate::matches::sheet_stream;
use crate::pages::bracket::{PathShown, State, View, ending, flight_name, round_name, slot_name};
use crate::pages::tournaments::{Around, DivisionWay, EntrantPage, MatchPage, Next, Side, Way};
use crate::pages::{LivePart, Tab, other_game};
use crate::visitor::{self, Visitor};
use owlbox_base::journal::Stream;
use owlbox_base::values::{MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::people::players::Origin;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::matches::{Ending, MatchNo, Slot};
use owlbox_play::matches::{Sheet, Status, View as SheetView};
use owlbox_play::tournament::bracket::{EntryNo, Pairing, Source};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// Flight and round of a match; only the flight if it has a single round.
pub(super) fn round(t: &Locale, division: &Division, at: &Pairing) -> String {
    let flight = usize::from(at.flight);
    let name = flight_name(t, &division.bracket, flight);
    let Some(of_flight) = division.bracket.flights().get(flight) else { return name };
    let round = round_name(t, of_flight, usize::from(at.round));
    if flight == 0 || round == name { round } else { format!("{name} · {round}") }
}

/// The length ("to 9"), with the variant unless it is backgammon.
pub(super) fn length(t: &Locale, division: &Division, at: &Pairing) -> String {
    let to = t.with("match-to", "points", division.length(at).points());
    other_game(t, division.settings.game.variant).map_or(to.clone(), |game| format!("{to} · {game}"))
}

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo, MatchNo)>,
) -> Result<HttpResponse, Problem> {
    let (id, division, number) = path.into_inner();
    let (data, (from, sheet)) = TournamentData::load(&visitor, id, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let at = of.bracket.get(number).ok_or(Refused::NotFound("match"))?;
        let sit = stream.state.players_in(&[MatchRef { division, number }]);
        let from = looking.origins(&sit)?;
        looking.name(sit);
        // The sheet on which it is being played.
        let sheet = of.sheet(number).filter(|_| at.outcome.is_none());
        let sheet = sheet.map(|id| Ok::<_, Refused>((id, looking.sheet(id)?))).transpose()?;
        Ok((from, sheet))
    })
    .await?;
    let of = data.division(division)?;
    let at = of.bracket.get(number).ok_or(Refused::NotFound("match"))?;
    let one = One { data: &data, division, of, number, at, from, sheet };
    let page = one.page(&visitor);
    visitor::html(StatusCode::OK, page.render())
}

/// A match on its page.
struct One<'a> {
    data: &'a TournamentData,
    division: DivisionNo,
    of: &'a Division,
    number: MatchNo,
    at: &'a Pairing,
    from: HashMap<PlayerId, Origin>,
    /// Its sheet, while it is being played.
    sheet: Option<(MatchId, Arc<Stream<Sheet>>)>,
}

impl One<'_> {
    fn page(&self, visitor: &Visitor) -> MatchPage {
        let (t, data) = (&visitor.t, self.data);
        let title = data.title(&t.with("match-number", "match", self.number.0), self.of);
        let (state, said) = self.state(t);
        let settings = &self.of.settings;
        let view = View { flight: usize::from(self.at.flight), ..View::default() };
        let seconds = settings.clock.reserve(self.of.length(self.at)).num_seconds();
        let reserve = format!("{}:{:02}", seconds / 60, seconds % 60);
        MatchPage {
            t: *t,
            frame: visitor.frame(&title, Some(Tab::Tournaments)),
            around: data.around(t, self.division, self.of, ""),
            live: LivePart {
                beside: self.sheet.as_ref().map(|(id, sheet)| sheet_stream(*id, sheet.version)),
                ..data.live(data.match_link(self.division, self.number))
            },
            number: self.number.0,
            round: round(t, self.of, self.at),
            length: t.with("match-long", "points", self.of.length(self.at).points()),
            game: other_game(t, settings.game.variant),
            state,
            said,
            sides: Slot::BOTH.map(|slot| self.side(t, slot)),
            times: self.times(t),
            reports: self.reports(t),
            own: self.own(visitor.service.desk.now()),
            by_card: data.principal.is_none()
                && self.at.is_ready()
                && data.asks_for_result(self.in_room(), visitor.service.desk.now()),
            clock: (state != State::Done && state != State::Empty).then(|| {
                t.fill("slip-clock-set", &[("reserve", &reserve), ("delay", &settings.clock.delay)])
            }),
            sheet: self.of.sheet(self.number).map(|sheet| format!("/matches/{sheet}")),
            then: self.then(t),
            bracket: format!("{}/{}{}", data.home(), self.division.0, view.at(self.number)),
            desk: data.desk().map(|desk| format!("{desk}/{}/matches/{}", self.division.0, self.number.0)),
        }
    }

    fn in_room(&self) -> MatchRef {
        MatchRef { division: self.division, number: self.number }
    }

    fn state(&self, t: &Locale) -> (State, String) {
        let room = &self.data.state().room;
        if let Some(outcome) = self.at.outcome {
            return match outcome.ending {
                Ending::Bye => (State::Empty, t.get("match-empty")),
                Ending::NotNeeded => (State::Empty, t.get("ending-not-needed")),
                other @ (Ending::Played
                | Ending::Conceded
                | Ending::Walkover
                | Ending::Forfeit
                | Ending::DoubleForfeit
                | Ending::Disqualified
                | Ending::Withdrawn) => {
                    (State::Done, ending(t, other).unwrap_or_else(|| t.get("match-done")))
                }
            };
        }
        let call = room.calls.get(&self.in_room());
        if let Some(running) = self.running(t) {
            let at = call.map(|call| t.with("playing-at", "table", call.table.0));
            let said = at.into_iter().chain([running]).collect::<Vec<_>>().join(" · ");
            return (State::Playing, said);
        }
        match (call, room.postponed.get(&self.in_room())) {
            (Some(call), _) if call.began_at.is_some() => {
                (State::Playing, t.with("playing-at", "table", call.table.0))
            }
            (Some(call), _) => (State::Called, t.with("called-to", "table", call.table.0)),
            (None, Some(Some(until))) => {
                (State::Ready, t.with("match-postponed-until", "when", t.time(until)))
            }
            (None, Some(None)) => (State::Ready, t.get("match-postponed")),
            (None, None) if self.at.is_ready() => (State::Ready, t.get("match-ready")),
            (None, None) => (State::Waiting, t.get("match-waits")),
        }
    }

    /// Where the viewer reports the result, if they play this match.
    fn own(&self, now: Timestamp) -> Option<String> {
        let player = self.data.principal.and_then(|principal| principal.player)?;
        let plays = self.of.players(self.at)?.contains(&player);
        let says = plays
            && self.at.is_ready()
            && self.data.asks_for_result(self.in_room(), now)
            && self.data.reports_for(player);
        says.then(|| format!("{}#report", self.data.way_of(player)))
    }

    /// The game in progress on its sheet; `None` while the match has only been called.
    fn running(&self, t: &Locale) -> Option<String> {
        let sheet = &self.sheet.as_ref()?.1.state;
        let call = self.data.state().room.calls.get(&self.in_room());
        let empty = sheet.entries().is_empty() && sheet.board().is_none();
        if empty && call.is_some_and(|call| call.began_at.is_none()) {
            return None;
        }
        Some(match sheet.status() {
            Status::Adjourned => t.get("scoring-adjourned"),
            Status::Unopened | Status::Open | Status::Over => {
                t.with("match-running", "game", sheet.games_over().saturating_add(1))
            }
        })
    }

    /// The points of the result, or so far on the sheet.
    fn score(&self) -> Option<[u32; 2]> {
        let outcome = self.at.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded);
        let so_far = || self.sheet.as_ref().map(|(_, sheet)| SheetView::score_of(&sheet.state));
        outcome.map_or_else(so_far, |outcome| outcome.score.map(|score| score.map(u32::from)))
    }

    fn side(&self, t: &Locale, slot: Slot) -> Side {
        let entry = self.at.occupant(slot).entry();
        let outcome = self.at.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded);
        let score = self.score().map(|[upper, lower]| match slot {
            Slot::Upper => upper,
            Slot::Lower => lower,
        });
        let player = entry.and_then(|entry| self.of.entry(entry)).map(|entry| entry.player);
        let shown = ShownDivision { t, number: self.division, division: self.of };
        let name = self.data.known(&shown, false, |known| slot_name(t, known, self.at, slot));
        let before = match self.at.source(slot) {
            Source::Winner { of } | Source::Loser { of, .. } => Some(self.data.match_link(self.division, of)),
            Source::Entry { .. } | Source::Bye | Source::Open => None,
        };
        Side {
            name,
            link: player.map(|player| self.data.way_of(player)).or(before),
            known: player.is_some(),
            from: from_in_words(player.and_then(|player| self.from.get(&player))),
            score,
            won: outcome.filter(|_| entry.is_some()).map(|outcome| outcome.winner == Some(slot)),
        }
    }

    fn times(&self, t: &Locale) -> Vec<(String, String)> {
        let room = &self.data.state().room;
        let call = room.calls.get(&self.in_room());
        let ended = self.of.finished_at.get(&self.number).filter(|_| self.at.outcome.is_some());
        let ready = room.ready_since.get(&self.in_room()).filter(|_| call.is_none());
        let times = [
            ("match-ready-since", ready),
            ("match-called-at", call.map(|call| &call.called_at)),
            ("match-began-at", self.of.began_at.get(&self.number)),
            ("match-ended-at", ended),
        ];
        times.into_iter().filter_map(|(key, at)| Some((t.get(key), t.date_time(at?)))).collect()
    }

    /// Players' reports that await the director.
    fn reports(&self, t: &Locale) -> Vec<String> {
        let said = self.of.reports.get(&self.number).copied().unwrap_or_default();
        let report = |(slot, said): (Slot, Option<[u16; 2]>)| {
            let [upper, lower] = said?;
            let name = self.data.names.of_entry(t, self.of, self.at.occupant(slot).entry()?);
            Some(t.fill("match-report", &[("name", &name), ("score", &format!("{upper}–{lower}"))]))
        };
        Slot::BOTH.into_iter().zip(said).filter_map(report).collect()
    }

    fn then(&self, t: &Locale) -> Vec<Way> {
        let ways = [("slip-winner-to", self.at.winner_to), ("slip-loser-to", self.at.loser_to)];
        let way = |(key, to): (&str, Option<(MatchNo, Slot)>)| {
            let (next, _) = to?;
            Some(Way { label: t.with(key, "match", next.0), link: self.data.match_link(self.division, next) })
        };
        ways.into_iter().filter_map(way).collect()
    }
}

impl TournamentData {
    pub(super) fn entrant_page(&self, visitor: &Visitor, player: PlayerId, from: &str) -> EntrantPage {
        let t = &visitor.t;
        let name = self.names.name_of(player);
        let divisions =
            || self.state().divisions().filter_map(|(number, of)| Some((number, of, of.entry_of(player)?)));
        let drawn = divisions().any(|(_, of, _)| of.is_drawn());
        // A match in play comes before one that is waited for.
        let mut next: Vec<(u8, Next)> =
            divisions().filter_map(|(number, of, entry)| self.next(visitor, number, of, entry)).collect();
        next.sort_by_key(|(rank, _)| *rank);
        let title = format!("{name} · {}", self.about.name.as_str());
        EntrantPage {
            t: *t,
            frame: visitor.frame(&title, Some(Tab::Tournaments)),
            around: Around {
                tournament: self.about.name.as_str().to_owned(),
                home: self.home(),
                division: None,
                links: Vec::new(),
            },
            live: self.live(self.way_of(player)),
            name,
            from: from.to_owned(),
            now: next.into_iter().next().map(|(_, next)| next),
            idle: match self.cancelled(t) {
                Some(cancelled) => cancelled,
                None if drawn => t.get("idle-out"),
                None => self.not_drawn_yet(t, player),
            },
            report: None,
            ways: divisions().flat_map(|(number, of, entry)| self.ways(t, number, of, entry)).collect(),
        }
    }

    /// What a player reads before the draw: when the first of their divisions starts, if that is said.
    fn not_drawn_yet(&self, t: &Locale, player: PlayerId) -> String {
        let theirs = self.state().divisions().filter(|(_, of)| of.entry_of(player).is_some());
        let starts = theirs.filter_map(|(_, of)| of.settings.starts.or(self.about.starts)).min();
        let when = |time| t.with("idle-starts", "when", t.day_at(self.about.date, Some(time)));
        starts.map_or_else(|| t.get("idle-not-drawn"), when)
    }

    /// The match that an entry plays next, and its rank: lower is more urgent.
    fn next(
        &self,
        visitor: &Visitor,
        division: DivisionNo,
        of: &Division,
        entry: EntryNo,
    ) -> Option<(u8, Next)> {
        if self.state().cancelled.is_some() {
            return None;
        }
        let (t, now) = (&visitor.t, visitor.service.desk.now());
        let (number, at) = of.current(entry).filter(|_| !of.is_out(entry))?;
        let in_room = MatchRef { division, number };
        let call = self.state().room.calls.get(&in_room);
        let put_off = self.state().room.postponed.get(&in_room).filter(|_| call.is_none());
        let put_off = put_off.filter(|until| until.is_none_or(|until| now < until));
        let (rank, said) = match call {
            Some(call) if call.began_at.is_none() => (0, t.with("next-at", "table", call.table.0)),
            Some(call) => (1, t.with("next-playing", "table", call.table.0)),
            None if put_off.is_some() => (
                2,
                put_off.and_then(Option::as_ref).map_or_else(
                    || t.get("next-put-off"),
                    |until| t.with("next-put-off-until", "time", t.time(until)),
                ),
            ),
            None if at.is_ready() => (2, t.get("next-ready")),
            None => (3, t.get("next-waits")),
        };
        let slot = Slot::BOTH.into_iter().find(|slot| at.occupant(*slot).entry() == Some(entry))?;
        let shown = ShownDivision { t, number: division, division: of };
        let against = self.known(&shown, false, |known| slot_name(t, known, at, slot.other()));
        let about = [self.division_name(of), Some(round(t, of, at)), Some(length(t, of, at))];
        Some((
            rank,
            Next {
                said,
                against,
                about: about.into_iter().flatten().collect::<Vec<_>>().join(" · "),
                link: self.match_link(division, number),
                now: call.is_some(),
            },
        ))
    }

    /// The ways of a player's entries in a division, newest entry first.
    fn ways(&self, t: &Locale, number: DivisionNo, division: &Division, newest: EntryNo) -> Vec<DivisionWay> {
        let entries = std::iter::successors(Some(newest), |entry| division.entry(*entry)?.again);
        let shown = ShownDivision { t, number, division };
        let way = |entry: EntryNo| {
            let view = View { player: Some(entry), ..View::default() };
            let mut path = self.known(&shown, true, |known| PathShown::new(t, known, view, entry));
            for step in &mut path.steps {
                step.link = self.match_link(number, step.number);
            }
            let name = division.settings.name.as_str();
            let standing = division.entry(entry).map(|entry| entry.standing).unwrap_or_default();
            DivisionWay {
                title: format!("{name} · {}", t.with("entry-number", "number", entry.0)),
                bracket: format!("{}/{}{}", self.home(), number.0, view.query()),
                standing: self.came(t, division, entry).unwrap_or_else(|| t.get(standing_key(standing))),
                steps: path.steps,
            }
        };
        entries.map(way).collect()
    }
}

impl TournamentData {
    /// The place of an entry in the main flight and its prize, once it has nothing left to play.
    fn came(&self, t: &Locale, division: &Division, entry: EntryNo) -> Option<String> {
        if division.is_out(entry) || division.current(entry).is_some() {
            return None;
        }
        let places = division.bracket.places(0);
        let place = places.iter().find(|place| place.entry == entry && !place.playing)?;
        let came = t.fill("way-place", &[("place", &place_in_words(place)), ("of", &places.len())]);
        let player = division.entry(entry)?.player;
        let awards = division.awards.iter().flat_map(|awards| &awards.awards);
        let given: u64 = awards.filter(|award| award.player == player).map(|award| award.amount).sum();
        let given = self.money(t, given).filter(|_| division.entry_of(player) == Some(entry));
        Some(std::iter::once(came).chain(given).collect::<Vec<_>>().join(" · "))
    }
}
