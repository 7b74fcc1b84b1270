//! The director's desk: pages that act on a tournament, one question per page.
//!
//! * [`now`](crate::directing::now): the next thing to do: whom to call, who plays, whose result is missing;
//! * [`one_match`](crate::directing::one_match): one match: its result in one tap, and what else the director can do with it;
//! * [`correction`](crate::directing::correction): the correction of a result, with everything it touches shown first;
//! * [`about`](crate::directing::about): the details of a tournament and its divisions; [`enter`](crate::directing::enter): players enter themselves;
//! * [`entries`](crate::directing::entries), [`pasted`](crate::directing::pasted), [`draw`](crate::directing::draw), [`draw_by_hand`]: who plays, and who sits where; [`room`](crate::directing::room): tables and time; [`money`](crate::directing::money):
//!   debts and prizes; [`own_prizes`](crate::directing::own_prizes): how a pool is divided;
//! * [`words`]: the names of matches and results.
//!
//! Every page has the desk's [`Heading`] around its work, with the undo always in the same place. A page is a
//! [`DirectorContext`], which is the desk's [`DirectorScreen`], put into words. The tournament says what is possible ([`Tournament::match_acts`]), and
//! [`DirectorContext::may`] what the viewer is permitted.

pub mod draw_by_hand;
#[cfg(test)]
pub(crate) mod samples;
pub mod words;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Deref;

use askama::Template;

use crate::pages::button::{Button, Target};
use crate::pages::frame::Frame;
use crate::sentences::tournament;
use owlbox_base::journal::Version;
use owlbox_base::permissions::Scope;
use owlbox_base::values::{MinorUnits, PlayerId, Timestamp, TournamentId};
use owlbox_desk::Principal;
use owlbox_desk::people::players::called;
use owlbox_desk::tournaments::scope::scope;
use owlbox_desk::tournaments::{DirectorScreen, UndoableAct};
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::{EntryNo, Pairing};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{CommandKind, Tournament};

pub use draw_by_hand::DrawByHandPage;

/// A whole page of the desk: the heading, and below it the live part. One template for all pages.
#[derive(Template)]
#[template(path = "directing/desk.html")]
struct WholeDesk<'a> {
    t: &'a Locale,
    frame: &'a Frame,
    desk: &'a Heading,
    live: &'a dyn Display,
}

/// A live part with the heading of the desk around it.
pub(crate) fn whole(t: &Locale, frame: &Frame, desk: &Heading, live: &dyn Display) -> askama::Result<String> {
    WholeDesk { t, frame, desk, live }.render()
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
                    $crate::pages::directing::whole(&self.t, &self.frame, &self.desk, &Part(self))
                }
            }
        };
    };
}
pub(crate) use on_the_desk;

/// Everything a page of the desk is made from, and its reader's words. In templates it is `t`.
#[derive(Clone, Copy, Debug)]
pub struct DirectorContext<'a> {
    pub t: &'a Locale,
    pub id: TournamentId,
    pub state: &'a Tournament,
    pub version: Version,
    /// The names of the players on the page.
    pub names: &'a BTreeMap<PlayerId, String>,
    pub now: Timestamp,
    /// Who looks at it; `None` where nothing is offered.
    pub viewer: Option<&'a Principal>,
}

impl Deref for DirectorContext<'_> {
    type Target = Locale;

    fn deref(&self) -> &Locale {
        self.t
    }
}

impl<'a> DirectorContext<'a> {
    #[must_use]
    pub fn new(t: &'a Locale, screen: &'a DirectorScreen) -> Self {
        let DirectorScreen { id, stream, principal, names, now, undo: _, redo: _ } = screen;
        Self {
            t,
            id: *id,
            state: &stream.state,
            version: stream.version,
            names,
            now: *now,
            viewer: Some(principal),
        }
    }

    /// Whether the viewer may give this kind of command for anybody.
    #[must_use]
    pub fn may(&self, command: CommandKind) -> bool {
        self.viewer.is_some_and(|viewer| scope(viewer, self.state, command) == Scope::Anybody)
    }

    /// The name of a player.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> String {
        called(self.names, player)
    }

    /// A sum in the tournament's currency, without its sign; empty if it has none.
    #[must_use]
    pub fn how_much(&self, amount: i64) -> String {
        let currency = self.state.currency();
        currency.map_or_else(String::new, |currency| self.t.how_much(MinorUnits(amount), currency))
    }

    /// The same of a sum that is never below zero.
    #[must_use]
    pub fn sum(&self, amount: u64) -> String {
        self.how_much(i64::try_from(amount).unwrap_or(i64::MAX))
    }

    /// The name of an entry's player; its number if there is no such entry.
    #[must_use]
    pub fn entry(&self, division: &Division, entry: EntryNo) -> String {
        division.entry(entry).map_or_else(|| format!("№ {}", entry.0), |entry| self.player(entry.player))
    }

    /// The two entries in a match. Commands send them along, so that a result cannot hit a match whose
    /// players have changed.
    #[must_use]
    pub fn sit(&self, at: MatchRef) -> Option<[EntryNo; 2]> {
        self.pairing(at)?.players()
    }

    /// A match in the bracket.
    #[must_use]
    pub fn pairing(&self, at: MatchRef) -> Option<&'a Pairing> {
        self.state.division(at.division)?.bracket.get(at.number)
    }

    /// The address of a page of the desk. An empty `below` is the desk itself.
    #[must_use]
    pub fn address(&self, below: &str) -> String {
        address(self.id, below)
    }

    /// The address of a page of a division.
    #[must_use]
    pub fn of_division(&self, division: &DivisionNo, page: &str) -> String {
        self.address(&format!("/{}/{page}", division.0))
    }

    /// How many are to be drawn, and how many of them have checked in.
    #[must_use]
    pub fn drawn_of_all(&self, here: &usize, all: &usize) -> String {
        self.fill("desk-next-draw-about", &[("here", here), ("all", all)])
    }

    /// The address of a match's sheet at the desk.
    #[must_use]
    pub fn match_path(&self, at: MatchRef) -> String {
        self.of_division(&at.division, &format!("matches/{}", at.number.0))
    }
}

/// The address of a page of a tournament's desk.
#[must_use]
pub fn address(id: TournamentId, below: &str) -> String {
    format!("/tournaments/{id}/desk{below}")
}

#[derive(Clone, Debug)]
pub struct Link {
    pub to: String,
    pub label: String,
    pub here: bool,
}

impl Link {
    #[must_use]
    pub fn new(to: impl Into<String>, label: impl Into<String>) -> Self {
        Self { to: to.into(), label: label.into(), here: false }
    }
}

/// What can be done with a line of a list: a command, or a page where something is done.
#[derive(Clone, Debug)]
pub enum Act {
    Gives(Button),
    Leads(Link),
}

/// The surroundings of every page of the desk.
#[derive(Clone, Debug)]
pub struct Heading {
    pub id: String,
    pub name: String,
    /// The version of the tournament on show.
    pub version: Version,
    pub here: String,
    pub target: Target,
    /// The pages of the desk.
    pub places: Vec<Link>,
    /// Undoes the newest act of the tournament.
    pub undo: Option<Button>,
    pub redo: Option<Button>,
    /// A message above the work, usually why an act was refused.
    pub notice: Option<String>,
    /// Whether the page updates itself. Not where somebody fills in a form, which an update would disturb.
    pub live: bool,
}

impl Heading {
    /// The surroundings of the page at `here`, an address below that of the desk.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        here: &str,
        undo: Option<&UndoableAct>,
        redo: Option<&UndoableAct>,
    ) -> Self {
        let there = context.address(here);
        let act = |taken: &UndoableAct| tournament::act(context, &taken.events);
        let undo = undo.map(|taken| Button::undo(context.t, act(taken), taken.act));
        let redo = redo.map(|taken| Button::redo(context.t, act(taken), taken.act));
        let back = |button: Button| button.then(context.address(here)).quiet();
        Self {
            id: context.id.to_string(),
            name: context.state.about().map(|about| about.name.to_string()).unwrap_or_default(),
            version: context.version,
            target: Target::at_tournament(context.id, there.clone()),
            here: there,
            places: places(context, here),
            undo: undo.map(back),
            redo: redo.map(back),
            notice: None,
            live: true,
        }
    }
}

/// The pages of the desk the viewer may open. With several divisions, the links lead to the pages of the
/// present one.
fn places(context: &DirectorContext<'_>, here: &str) -> Vec<Link> {
    let t = context.t;
    let of_division = |number: DivisionNo, page: &str| format!("/{}/{page}", number.0);
    let first = context.state.divisions().next().map(|(number, _)| number);
    let open =
        here.trim_start_matches('/').split('/').next().and_then(|part| part.parse().ok()).map(DivisionNo);
    let division = open.filter(|number| context.state.division(*number).is_some()).or(first);
    let runs = context.may(CommandKind::Call);
    let mut places = Vec::new();
    if runs {
        places.push((String::new(), t.get("desk-now")));
    }
    if let Some(number) = division {
        if context.may(CommandKind::CheckIn) {
            places.push((of_division(number, "entries"), t.get("desk-entries")));
        }
        if context.may(CommandKind::Draw) {
            places.push((of_division(number, "draw"), t.get("the-draw")));
        }
    }
    if runs {
        places.push(("/room".to_owned(), t.get("desk-room")));
    }
    if context.may(CommandKind::PayIn) && context.state.currency().is_some() {
        places.push(("/money".to_owned(), t.get("desk-money")));
    }
    if runs {
        places.push(("/log".to_owned(), t.get("the-log")));
    }
    if context.may(CommandKind::Change) {
        places.push(("/settings".to_owned(), t.get("desk-set-up")));
    }
    let of_settings = here.ends_with("/settings") || here == "/new-division";
    let is_here = |to: &str| match to {
        "" => here.is_empty() || here.starts_with('?'),
        "/settings" => of_settings,
        to => here.starts_with(to),
    };
    places
        .into_iter()
        .map(|(to, label)| Link { here: is_here(&to), ..Link::new(context.address(&to), label) })
        .collect()
}
