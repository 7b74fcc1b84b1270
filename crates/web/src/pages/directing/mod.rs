//! The director's desk: pages that act on a tournament, each asking one question.
//!
//! * [`now`]: what must be done next: whom to call, who plays, whose result is missing;
//! * [`bout`]: one match: its result in one tap, and what the room does with it;
//! * [`correction`]: a result put right, with everything that it touches shown before;
//! * [`about`]: what a tournament is and how its divisions are played; [`enter`]: a player enters himself;
//! * [`entries`], [`drawing`]: who plays, and who sits where; [`hall`]: tables and time; [`cash`]: who owes what, and the prizes;
//! * [`words`]: what matches, results and acts are called.
//!
//! Every page has the desk's [`Heading`] around its work, and in it, always in the same place, the undo. What a page shows is a
//! [`DirectorContext`] put into words; what may be done comes from the tournament ([`Tournament::match_acts`]) and from what the one who
//! looks may do.

pub mod about;
pub mod correction;
pub mod drawing;
pub mod enter;
pub mod entries;
pub mod now;
pub mod one_match;
pub mod payments;
#[cfg(test)]
pub(in crate::pages) mod samples;
pub mod tables;
pub mod words;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::locale::Locale;
use owlbox_desk::Dice;
use owlbox_desk::history::HistoryCommand;
use owlbox_domain::journal::{Aggregate as _, Inputs, Version};
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::division::Division;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::tournament::{Command, CommandKind, Event, Tournament};
use owlbox_domain::values::{ActId, PlayerId, Timestamp, TournamentId};

pub use correction::CorrectionPage;
pub use drawing::DrawingPage;
pub use now::{MatchLine, NowPage};
pub use one_match::MatchPage;
pub use payments::PaymentsPage;
pub use tables::TablesPage;

/// Everything that a page of the desk is made from.
pub struct DirectorContext<'a> {
    pub t: &'a Locale,
    pub id: TournamentId,
    pub state: &'a Tournament,
    pub version: Version,
    /// What those who are shown are called.
    pub names: &'a BTreeMap<PlayerId, String>,
    pub now: Timestamp,
    /// Whether the one who looks may give a command for anybody.
    pub may: &'a dyn Fn(CommandKind) -> bool,
}

impl DirectorContext<'_> {
    /// What a player is called.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> String {
        self.names.get(&player).cloned().unwrap_or_else(|| "?".to_owned())
    }

    /// What the player of an entry is called.
    #[must_use]
    pub fn entry(&self, division: &Division, entry: EntryNo) -> String {
        division.entry(entry).map_or_else(|| "?".to_owned(), |entry| self.player(entry.player))
    }

    /// What would come of a command now; nothing if it would be refused. What lots decide comes out otherwise when it is given.
    #[must_use]
    pub fn previewed(&self, command: &Command) -> Option<Vec<Event>> {
        let mut chance = Dice::seeded(0);
        self.state.decide(command, &mut Inputs { now: self.now, chance: &mut chance }).ok()
    }

    /// Who sits in a match, as a command says whom it is about.
    #[must_use]
    pub fn sit(&self, at: MatchRef) -> Option<[EntryNo; 2]> {
        self.state.division(at.division)?.bracket.get(at.number)?.players()
    }

    /// The address of a page of the desk; the desk itself for none.
    #[must_use]
    pub fn address(&self, below: &str) -> String {
        address(self.id, below)
    }

    /// The address of a match's sheet.
    #[must_use]
    pub fn match_path(&self, at: MatchRef) -> String {
        self.address(&format!("/{}/matches/{}", at.division.0, at.number.0))
    }
}

/// The address of a page of a tournament's desk.
#[must_use]
pub fn address(id: TournamentId, below: &str) -> String {
    format!("/tournaments/{id}/desk{below}")
}

/// A button: what it says, what it gives, and where it leads.
#[derive(Clone, Debug)]
pub struct CommandButton {
    /// What will be recorded, in words.
    pub label: String,
    /// The command as the API takes it.
    pub command: String,
    /// The idempotency key of this button.
    pub key: String,
    /// The version it was drawn at, where the tournament must not have moved on.
    pub version: Option<Version>,
    /// The page to go on to.
    pub then: String,
    /// The class of the button.
    pub class: &'static str,
}

impl CommandButton {
    /// A button that gives `command`, whatever has happened meanwhile, and goes on to `then`.
    #[must_use]
    pub fn new(label: impl Into<String>, command: &impl Serialize, then: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            // Ids, numbers and texts: nothing in a command can fail to be written.
            command: serde_json::to_string(command).unwrap_or_default(),
            key: super::table::key(),
            version: None,
            then: then.into(),
            class: "plain",
        }
    }

    /// The likeliest of its page.
    #[must_use]
    pub fn main(self) -> Self {
        Self { class: "main", ..self }
    }

    #[must_use]
    pub fn quiet(self) -> Self {
        Self { class: "quiet", ..self }
    }

    /// Refused if the tournament has moved on since.
    #[must_use]
    pub fn at(self, version: Version) -> Self {
        Self { version: Some(version), ..self }
    }
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

/// What is around the work of every page of the desk.
#[derive(Clone, Debug)]
pub struct Heading {
    pub id: String,
    pub name: String,
    /// The version that the page shows.
    pub version: Version,
    pub here: String,
    /// The pages of the desk.
    pub places: Vec<Link>,
    /// Takes the last act back.
    pub undo: Option<CommandButton>,
    pub redo: Option<CommandButton>,
    /// Something to tell, above the work.
    pub notice: Option<String>,
    /// Whether live changes are shown: not where somebody is filling something in.
    pub live: bool,
}

/// An act that can be taken back or put back: which, and what it was.
#[derive(Clone, Debug)]
pub struct Taken {
    pub act: ActId,
    pub events: Vec<Event>,
}

impl Heading {
    /// Around the page at `here`, an address below the desk.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        here: &str,
        undo: Option<&Taken>,
        redo: Option<&Taken>,
    ) -> Self {
        let there = context.address(here);
        let back = |key: &str, taken: &Taken, command: HistoryCommand| {
            let what = context.t.with(key, "what", words::act(context, &taken.events));
            CommandButton::new(what, &command, there.clone()).quiet()
        };
        let undo = undo.map(|taken| {
            let command =
                HistoryCommand::Undo { act: Some(taken.act), acts: owlbox_domain::journal::Steps::ONE };
            back("undo-what", taken, command)
        });
        let redo = redo.map(|taken| {
            let command =
                HistoryCommand::Redo { act: Some(taken.act), acts: owlbox_domain::journal::Steps::ONE };
            back("redo-what", taken, command)
        });
        Self {
            id: context.id.to_string(),
            name: context.state.about().map(|about| about.name.to_string()).unwrap_or_default(),
            version: context.version,
            here: there,
            places: places(context, here),
            undo,
            redo,
            notice: None,
            live: true,
        }
    }
}

/// The pages of the desk that are open to who looks; of several divisions those of each are led to from the one that is open.
fn places(context: &DirectorContext<'_>, here: &str) -> Vec<Link> {
    let t = context.t;
    let of_division = |number: DivisionNo, page: &str| format!("/{}/{page}", number.0);
    let first = context.state.divisions().next().map(|(number, _)| number);
    let open =
        here.trim_start_matches('/').split('/').next().and_then(|part| part.parse().ok()).map(DivisionNo);
    let division = open.filter(|number| context.state.division(*number).is_some()).or(first);
    let runs = (context.may)(CommandKind::Call);
    let mut places = Vec::new();
    if runs {
        places.push((String::new(), t.get("desk-now")));
    }
    if let Some(number) = division {
        if (context.may)(CommandKind::CheckIn) {
            places.push((of_division(number, "entries"), t.get("desk-entries")));
        }
        if (context.may)(CommandKind::Draw) {
            places.push((of_division(number, "draw"), t.get("the-draw")));
        }
    }
    if runs {
        places.push(("/room".to_owned(), t.get("desk-room")));
    }
    if (context.may)(CommandKind::PayIn)
        && context.state.about().is_some_and(|about| about.currency.is_some())
    {
        places.push(("/money".to_owned(), t.get("desk-money")));
    }
    if (context.may)(CommandKind::Change) {
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
