//! What is around the work on every page of the desk: the tournament and the desk's pages above it, undo and
//! redo below, always in the same place; and the addresses of its pages.

use std::fmt::Display;

use askama::Template;

use crate::pages::button::{Button, Target};
use crate::pages::{ChipLink, Frame};
use crate::sentences::tournament::TournamentSentences;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::DirectorScreen;
use owlbox_locale::Locale;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// A whole page of the desk: its heading, and below it the live part. One template for all pages.
#[derive(Template)]
#[template(path = "directing/desk.html")]
struct WholeDesk<'a> {
    t: &'a Locale,
    frame: &'a Frame,
    desk: &'a DeskFrame<'a>,
    live: &'a dyn Display,
}

/// Gives a page of the desk its live part, and what is around it.
macro_rules! on_the_desk {
    ($page:ident $(<$a:lifetime>)?: $part:tt) => {
        const _: () = {
            $crate::pages::live::part!($page $(<$a>)?, $part);

            impl $(<$a>)? $crate::pages::LivePage for $page $(<$a>)? {
                fn part(&self) -> askama::Result<String> {
                    askama::Template::render(&Part(self))
                }

                fn whole(&self) -> askama::Result<String> {
                    self.desk.around(&self.frame, &Part(self))
                }
            }
        };
    };
}
pub(super) use on_the_desk;

/// The address of a page of a tournament's desk. An empty `below` is the desk itself.
pub(super) fn address(id: TournamentId, below: &str) -> String {
    format!("/tournaments/{id}/desk{below}")
}

/// The address where players enter themselves.
pub(super) fn enter_address(id: TournamentId) -> String {
    format!("/tournaments/{id}/enter")
}

/// The match that an address names.
pub(super) type At = (TournamentId, DivisionNo, MatchNo);

/// The address of a match, below that of the desk.
pub(super) fn match_below(at: MatchRef) -> String {
    format!("/{}/matches/{}", at.division.0, at.number.0)
}

/// The address of a division's draw, below that of the desk.
pub(super) fn draw_below(division: DivisionNo) -> String {
    format!("/{}/draw", division.0)
}

/// The address that takes the acts of a page of the desk.
pub(super) fn act_address(id: TournamentId, below: &str) -> String {
    match below.split_once('?') {
        None => address(id, &format!("{below}/act")),
        Some((page, query)) => format!("{}?{query}", act_address(id, page)),
    }
}

/// What can be done with a line of a list: a command, or a page where something is done.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Gives(Button),
    Leads { to: String, label: String },
}

/// What is around the work on a page of the desk.
#[derive(Clone, Debug)]
pub(super) struct DeskFrame<'a> {
    pub t: TournamentSentences<'a>,
    pub screen: &'a DirectorScreen,
    /// The page, below the address of the desk.
    below: String,
    /// The page that its buttons act on, below the address of the desk.
    acts_on: String,
    /// Whether the page updates itself.
    pub live: bool,
}

impl<'a> DeskFrame<'a> {
    /// The surroundings of the page at `below`, an address below that of the desk.
    pub fn new(t: TournamentSentences<'a>, screen: &'a DirectorScreen, below: &str) -> Self {
        Self { t, screen, below: below.to_owned(), acts_on: below.to_owned(), live: true }
    }

    /// The same for a page where somebody fills in a form, which an update would disturb.
    pub fn still(self) -> Self {
        Self { live: false, ..self }
    }

    /// The same for such a page that takes its own form alone: what else is done on it is done at the front
    /// page.
    pub fn of_form(self) -> Self {
        Self { acts_on: String::new(), ..self.still() }
    }

    /// A live part with its surroundings.
    pub fn around(&self, frame: &Frame, live: &dyn Display) -> askama::Result<String> {
        WholeDesk { t: &self.t, frame, desk: self, live }.render()
    }

    /// The address of a page of the desk. An empty `below` is the desk itself.
    pub fn address(&self, below: &str) -> String {
        address(self.screen.id, below)
    }

    /// The address of a page of a division.
    pub fn of_division(&self, division: &DivisionNo, page: &str) -> String {
        self.address(&format!("/{}/{page}", division.0))
    }

    /// The address of a match at the desk.
    pub fn match_page(&self, at: &MatchRef) -> String {
        self.address(&match_below(*at))
    }

    /// The address of this page.
    pub fn here(&self) -> String {
        self.address(&self.below)
    }

    /// Where its buttons send their commands.
    pub fn target(&self) -> Target {
        Target::at_tournament(act_address(self.screen.id, &self.acts_on))
    }

    /// The page after something was undone: the one that its button acts on.
    fn undone(&self) -> String {
        self.address(&self.acts_on)
    }

    /// Undoes the newest act of the tournament.
    pub fn undo(&self) -> Option<Button> {
        let undo = self.screen.undo.as_ref()?;
        Some(Button::undo(&self.t, self.t.act(&undo.events), undo.act).then(self.undone()).quiet())
    }

    pub fn redo(&self) -> Option<Button> {
        let redo = self.screen.redo.as_ref()?;
        Some(Button::redo(&self.t, self.t.act(&redo.events), redo.act).then(self.undone()).quiet())
    }

    /// The pages of the desk that the viewer may open. With several divisions, they are those of the present
    /// one.
    fn places(&self) -> Vec<ChipLink> {
        let Self { t, screen, .. } = self;
        let runs = screen.may(CommandKind::Call);
        let of_division = |page: &str| Some(format!("/{}/{page}", self.division()?.0));
        let has_money = screen.may(CommandKind::PayIn) && screen.state().currency().is_some();
        let places = [
            (runs, Some(String::new()), "desk-now"),
            (screen.may(CommandKind::CheckIn), of_division("entries"), "desk-entries"),
            (screen.may(CommandKind::Draw), of_division("draw"), "the-draw"),
            (runs, Some("/room".to_owned()), "desk-room"),
            (has_money, Some("/money".to_owned()), "desk-money"),
            (runs, Some("/log".to_owned()), "the-log"),
            (screen.may(CommandKind::Change), Some("/settings".to_owned()), "desk-set-up"),
        ];
        let place = |(may, to, key): (bool, Option<String>, &str)| {
            let to = to.filter(|_| may)?;
            Some(ChipLink::new(t.get(key), self.address(&to), self.is_at(&to)))
        };
        places.into_iter().filter_map(place).collect()
    }

    /// The division of this page, or the first.
    fn division(&self) -> Option<DivisionNo> {
        let open = self.below.trim_start_matches('/').split('/').next().and_then(|part| part.parse().ok());
        let state = self.screen.state();
        let open = open.map(DivisionNo).filter(|number| state.division(*number).is_some());
        open.or_else(|| state.divisions().next().map(|(number, _)| number))
    }

    /// Whether this page is one of those behind the link to `to`.
    fn is_at(&self, to: &str) -> bool {
        match to {
            "" => self.below.is_empty() || self.below.starts_with('?'),
            "/settings" => self.below.ends_with("/settings") || self.below == "/new-division",
            to => self.below.starts_with(to),
        }
    }
}
