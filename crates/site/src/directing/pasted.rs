//! A list of entrants as it was read: column by column, with who is new and who may be meant. Nobody is
//! entered before it is sent from here.

use std::collections::HashMap;
use std::fmt::Display;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use strum::VariantArray as _;
use uuid::Uuid;

use super::entries::below;
use super::frame::{DeskFrame, on_the_desk};
use crate::form::Form;
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::{self, Visitor};
use owlbox_base::values::{InvalidValue, PlayerId};
use owlbox_books::club::meant::{NameIndex, NameMatch, spelled};
use owlbox_books::club::players::{PlayerDetails, PlayerName};
use owlbox_desk::people::players::Candidate;
use owlbox_desk::tournaments::{DirectorScreen, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::pasted::{Column, Line, PastedList};
use owlbox_play::tournament::room::DivisionNo;

/// `/tournaments/{id}/desk/{division}/entries`, after a list that leaves something to ask
#[derive(Debug)]
pub(super) struct PastedPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub division: DivisionNo,
    pub form: &'a Form,
    pub list: &'a PastedList,
    /// Who is meant by each line.
    pub people: &'a [ListedPerson],
}
on_the_desk! { PastedPage<'a>: "directing/pasted.html" }

/// Who is meant by a line of a list.
#[derive(Debug)]
pub(super) enum ListedPerson {
    /// It has no name.
    Unreadable(InvalidValue),
    /// As in the line of this number.
    Twice(usize),
    /// Somebody who has entered.
    There(String),
    Known(PlayerId, String),
    /// Perhaps one of these.
    Nearly(Vec<Candidate>),
    /// Nobody of the club, but nearly called as somebody new in the line of this number.
    Like(usize, String),
    New,
}

impl ListedPerson {
    /// Whether nothing has to be asked, nor shown first.
    pub const fn is_certain(&self, line: &Line) -> bool {
        match self {
            Self::Twice(_) | Self::There(_) | Self::Known(..) => true,
            Self::New => !line.is_doubtful,
            Self::Unreadable(_) | Self::Nearly(_) | Self::Like(..) => false,
        }
    }

    /// Whether somebody has to choose.
    pub const fn is_asked(&self) -> bool {
        matches!(self, Self::Nearly(_) | Self::Like(..))
    }
}

/// Who is meant by each line.
pub(super) async fn people_of(
    visitor: &Visitor,
    of: &Division,
    list: &PastedList,
) -> Result<Vec<ListedPerson>, Problem> {
    let names: Vec<Result<PlayerName, InvalidValue>> =
        list.lines.iter().map(|line| line.name.parse()).collect();
    // As it is written it may be somebody's name as well, commas and all.
    let both = list.lines.iter().zip(&names).filter_map(|(line, name)| {
        let name = name.as_ref().ok()?;
        Some([line.written.parse().unwrap_or_else(|_| name.clone()), name.clone()])
    });
    let mut meant = visitor.service.desk.players_meant(both.flatten().collect()).await?.into_iter();
    let (mut lines, mut players) = (HashMap::new(), HashMap::new());
    let (mut new, mut lines_of_new) = (NameIndex::default(), HashMap::new());
    let mut people = Vec::new();
    for (line, name) in list.lines.iter().zip(names) {
        let name = match name {
            Ok(name) => name,
            Err(error) => {
                people.push(ListedPerson::Unreadable(error));
                continue;
            }
        };
        let written = meant.next().filter(|written| matches!(written.meant, NameMatch::Player(_)));
        let Some(meant) = written.into_iter().chain(meant.next()).next() else { continue };
        // A name pasted twice enters once.
        if let Some(first) = lines.get(&spelled(name.as_str())) {
            people.push(ListedPerson::Twice(*first));
            continue;
        }
        lines.insert(spelled(name.as_str()), line.number);
        let called = || meant.candidates.first().map_or_else(|| name.to_string(), |one| one.name.clone());
        people.push(match meant.meant {
            NameMatch::Player(player) => match players.insert(player, line.number) {
                Some(first) => ListedPerson::Twice(first),
                None if of.entry_of(player).is_some() => ListedPerson::There(called()),
                None => ListedPerson::Known(player, called()),
            },
            NameMatch::Near(_) | NameMatch::Several(_) => ListedPerson::Nearly(meant.candidates),
            NameMatch::Nobody if !meant.candidates.is_empty() => ListedPerson::Nearly(meant.candidates),
            NameMatch::Nobody => {
                let like = new.meant(name.as_str()).candidates().next();
                let like = like.or_else(|| new.alike(name.as_str()).first().copied());
                let like = like.and_then(|one: PlayerId| {
                    Some(ListedPerson::Like(*lines_of_new.get(&one)?, new.offered(one)?.to_owned()))
                });
                let stand_in = PlayerId(Uuid::now_v7());
                new.add(stand_in, name.as_str(), None);
                lines_of_new.insert(stand_in, line.number);
                like.unwrap_or(ListedPerson::New)
            }
        });
    }
    Ok(people)
}

/// What is chosen for a line, beside the name that it is chosen for: when that has changed, it no longer
/// counts.
fn choice(who: impl Display, line: &Line) -> String {
    format!("{who} {}", line.name)
}

/// Chosen for somebody new, and for somebody who stands in another line.
pub(super) const NEW: &str = "new";
pub(super) const SAME: &str = "same";

/// The field with what is chosen for a line.
pub(super) fn field_of(at: &usize) -> String {
    format!("who-{at}")
}

/// What a list says of somebody new.
pub(super) fn details(name: PlayerName, line: &Line) -> PlayerDetails {
    PlayerDetails {
        club: line.club.parse().ok(),
        country: line.country.parse().ok(),
        ..PlayerDetails::named(name)
    }
}

/// What is kept of somebody new besides the name.
fn details_in_words(line: &Line) -> Vec<String> {
    let name = line.name.parse().ok();
    let details = name.map(|name| details(name, line));
    details.map_or_else(Vec::new, |PlayerDetails { club, country, .. }| {
        club.map(String::from).into_iter().chain(country.map(String::from)).collect()
    })
}

/// The list as it was read, with who is meant by each line.
pub(super) fn shown(
    visitor: &Visitor,
    screen: &DirectorScreen,
    division: DivisionNo,
    (form, list, people): (&Form, &PastedList, &[ListedPerson]),
) -> Result<HttpResponse, Problem> {
    let below = below(division);
    let (t, frame, desk) = super::surroundings(visitor, screen, "desk-pasted-title", &below);
    // A live update would disturb the one who chooses.
    let desk = desk.of_form();
    let page = PastedPage { t, frame, screen, desk, division, form, list, people };
    match visitor.problem() {
        None if people.iter().any(ListedPerson::is_asked) => {
            visitor::html(StatusCode::UNPROCESSABLE_ENTITY, page.whole())
        }
        _ => visitor.answer(page.whole()),
    }
}

impl PastedPage<'_> {
    /// Where both forms go.
    fn address(&self) -> String {
        self.desk.address(&below(self.division))
    }

    fn enter(&self) -> Button {
        let button = Button::of_form(self.t.get("desk-enter"), Fields::default());
        button.then(self.desk.here()).at(self.screen.stream.version).main()
    }

    /// The list as it was pasted.
    fn text(&self) -> String {
        self.form.lines("names")
    }

    /// What a column holds, in words.
    fn holds(&self, column: &Column) -> String {
        self.t.get(&format!("desk-column-{}", column.to_string().replace('_', "-")))
    }

    /// Whether the list has a club, a country or a rating, of which it is said what becomes of them.
    fn keeps_details(&self) -> bool {
        let kept = [Column::Club, Column::Country, Column::Rating];
        self.list.columns.iter().any(|column| kept.contains(column))
    }

    /// Somebody new, with what is kept of them.
    fn newcomer(&self, line: &Line) -> String {
        let kept = details_in_words(line);
        let name = std::iter::once(line.name.as_str()).chain(kept.iter().map(String::as_str));
        self.t.with("meant-new", "name", name.collect::<Vec<_>>().join(", "))
    }

    /// Who can be chosen for a line: what each sets, and their name.
    fn choices(&self, line: &Line, somebody: &ListedPerson) -> Vec<(String, String)> {
        let mut choices = match somebody {
            ListedPerson::Nearly(candidates) => {
                candidates.iter().map(|one| (choice(one.player, line), one.name.clone())).collect()
            }
            ListedPerson::Like(first, name) => {
                let same = self.t.fill("desk-pasted-same", &[("name", name), ("line", first)]);
                vec![(choice(SAME, line), same)]
            }
            ListedPerson::Unreadable(_)
            | ListedPerson::Twice(_)
            | ListedPerson::There(_)
            | ListedPerson::Known(..)
            | ListedPerson::New => Vec::new(),
        };
        choices.push((choice(NEW, line), self.newcomer(line)));
        choices
    }
}
