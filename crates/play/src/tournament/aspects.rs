//! What others ask of events and commands: whom and what they are about, whose they are to take back, how
//! late they may come, which permission they need. Each kind is named once an aspect, so that a new one is
//! thought of here, and others need no list of all.

use super::Event;
use super::bracket::{Change, EntryNo, Occupant};
use super::command::CommandKind;
use super::event::EventKind;
use super::money::Transfer;
use super::room::DivisionNo;
use crate::matches::MatchNo;
use owlbox_base::permissions::{self, Needs, Permission};
use owlbox_base::values::{Currency, Holder, PlayerId};

/// What an event is about, and what it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventAspects<'e> {
    /// The division it happened in; `None` if it concerns the whole tournament.
    pub division: Option<DivisionNo>,
    /// Whom it is about; of many, the first.
    pub about: AboutWhom,
    /// The changes it makes to the bracket.
    pub changes: &'e [Change],
    /// The transfers it books and their currency; `None` if it moves no money.
    pub transfers: Option<(Currency, &'e [Transfer])>,
}

/// Whom an event is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AboutWhom {
    /// Nobody in particular.
    #[default]
    Nobody,
    /// A player of the club.
    Player(PlayerId),
    /// An entry of the division.
    Entry(EntryNo),
    /// Those who sit in a match of the division.
    Match(MatchNo),
    /// Those who sat there when it happened.
    Occupants([Occupant; 2]),
}

impl<'e> EventAspects<'e> {
    const fn of(division: DivisionNo) -> Self {
        Self { division: Some(division), about: AboutWhom::Nobody, changes: &[], transfers: None }
    }

    const fn about(self, about: AboutWhom) -> Self {
        Self { about, ..self }
    }

    const fn changing(self, changes: &'e [Change]) -> Self {
        Self { changes, ..self }
    }

    fn booking(self, currency: Currency, transfers: &'e [Transfer]) -> Self {
        Self { transfers: (!transfers.is_empty()).then_some((currency, transfers)), ..self }
    }
}

impl Event {
    /// What it is about, and what it changes.
    #[must_use]
    pub fn aspects(&self) -> EventAspects<'_> {
        use AboutWhom::{Entry, Match, Nobody, Occupants, Player};
        let of = |division: &DivisionNo| EventAspects::of(*division);
        match self {
            Self::Opened { .. }
            | Self::AboutChanged { .. }
            | Self::DirectorsChanged { .. }
            | Self::TablesSet { .. }
            | Self::Closed { .. }
            | Self::Reopened {} => EventAspects::default(),
            Self::Cancelled { currency, transfers, .. } => EventAspects {
                transfers: currency.map(|currency| (currency, transfers.as_slice())),
                ..EventAspects::default()
            },
            Self::DivisionAdded { division, .. }
            | Self::DivisionChanged { division, .. }
            | Self::Seeded { division, .. }
            | Self::Drawn { division, .. }
            | Self::LastChanceDrawn { division, .. } => of(division),
            Self::Entered { division, entries, .. } => {
                of(division).about(entries.first().map_or(Nobody, |entered| Player(entered.player)))
            }
            Self::CheckedIn { division, entries, .. } => {
                of(division).about(entries.first().map_or(Nobody, |entry| Entry(*entry)))
            }
            Self::PoolsJoined { division, entry, .. } | Self::LeavesAfter { division, entry, .. } => {
                of(division).about(Entry(*entry))
            }
            Self::Exchanged { division, changes } => of(division).changing(changes),
            Self::Seated { division, entry, changes, .. }
            | Self::Withdrawn { division, entry, changes, .. }
            | Self::Reinstated { division, entry, changes, .. } => {
                of(division).about(Entry(*entry)).changing(changes)
            }
            Self::Resulted { division, number, changes, .. } => {
                let decided = changes.iter().find(|change| change.number == *number);
                let sat = decided.map_or(Nobody, |change| Occupants(change.occupants));
                of(division).about(sat).changing(changes)
            }
            Self::Corrected { division, number, changes, .. } => {
                of(division).about(Match(*number)).changing(changes)
            }
            Self::Reported { division, number, .. }
            | Self::Called { division, number, .. }
            | Self::Uncalled { division, number }
            | Self::Began { division, number }
            | Self::Postponed { division, number, .. }
            | Self::Resumed { division, number }
            | Self::SheetOpened { division, number, .. } => of(division).about(Match(*number)),
            Self::Booked { division, currency, transfers, .. } => {
                let ends = transfers.first().map(|one| [one.from, one.to]);
                let player = ends.and_then(|ends| ends.into_iter().find_map(Holder::player));
                EventAspects { division: *division, ..EventAspects::default() }
                    .about(player.map_or(Nobody, Player))
                    .booking(*currency, transfers)
            }
            Self::Awarded { division, currency, transfers, .. } => of(division).booking(*currency, transfers),
        }
    }

    /// The division it happened in; `None` if it concerns the whole tournament.
    #[must_use]
    pub fn division(&self) -> Option<DivisionNo> {
        self.aspects().division
    }

    /// The transfers it books and their currency; `None` if it moves no money.
    #[must_use]
    pub fn transfers(&self) -> Option<(Currency, &[Transfer])> {
        self.aspects().transfers
    }

    /// The changes it makes to the bracket.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        self.aspects().changes
    }
}

/// What others ask of a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventAspect {
    /// An act that begins with it is nobody's own to take back: it drew lots, or entered
    /// players.
    NobodysOwn,
    /// After it others may see the tournament, or see more of it, than before.
    ChangesWhoSees,
    /// Under these keys of its payload there is text that somebody typed.
    Text(&'static [&'static str]),
}

impl EventKind {
    const fn aspects(self) -> &'static [EventAspect] {
        use EventAspect::{ChangesWhoSees, NobodysOwn, Text};
        match self {
            Self::Opened => &[Text(&["name", "place", "prizes", "rules"])],
            Self::AboutChanged => &[ChangesWhoSees, Text(&["name", "place", "prizes", "rules"])],
            Self::DirectorsChanged => &[ChangesWhoSees],
            Self::DivisionAdded | Self::DivisionChanged => &[Text(&["name"])],
            Self::TablesSet => &[Text(&["note"])],
            Self::Drawn => &[NobodysOwn, Text(&["reason"])],
            Self::LastChanceDrawn | Self::Entered => &[NobodysOwn],
            Self::Closed | Self::Cancelled => &[Text(&["reason"])],
            Self::CheckedIn
            | Self::Seeded
            | Self::PoolsJoined
            | Self::Seated
            | Self::Exchanged
            | Self::LeavesAfter
            | Self::Withdrawn
            | Self::Reinstated
            | Self::Reported
            | Self::Resulted
            | Self::Corrected
            | Self::Called
            | Self::Uncalled
            | Self::Began
            | Self::Postponed
            | Self::Resumed
            | Self::SheetOpened
            | Self::Booked
            | Self::Awarded
            | Self::Reopened => &[],
        }
    }

    pub(super) fn is_authors_own(self) -> bool {
        !self.aspects().contains(&EventAspect::NobodysOwn)
    }

    pub(super) fn changes_who_sees(self) -> bool {
        self.aspects().contains(&EventAspect::ChangesWhoSees)
    }

    pub(super) fn text_keys(self) -> &'static [&'static str] {
        let keys =
            |aspect: &EventAspect| if let EventAspect::Text(keys) = aspect { Some(*keys) } else { None };
        self.aspects().iter().find_map(keys).unwrap_or_default()
    }
}

/// What others ask of a kind of command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandAspect {
    /// It is over soon, so that others can wait for it. Other commands read a whole stream, ask about
    /// players, or change a whole bracket.
    Brief,
    /// It may come when the tournament is closed.
    WhenClosed,
    /// It may come when the tournament was cancelled: money is still handed back.
    WhenCancelled,
}

impl permissions::CommandKind for CommandKind {
    const HISTORY: Needs = Needs::or_for_oneself(Permission::RunTournaments, Permission::RunMatch);
    const OF_SERVICE: &'static [Self] = &[Self::Record];

    fn needs(self) -> Needs {
        self.aspects().0
    }
}

impl CommandKind {
    /// The permission it needs, and what else others ask of it.
    const fn aspects(self) -> (Needs, &'static [CommandAspect]) {
        use CommandAspect::{Brief, WhenCancelled, WhenClosed};
        const DIRECT: Needs = Needs::only(Permission::RunTournaments);
        const RUN_MATCH: Needs = Needs::only(Permission::RunMatch);
        const RUN_OR_OWN: Needs = Needs::or_for_oneself(Permission::RunMatch, Permission::ActForSelf);
        const PAY: Needs = Needs::only(Permission::RecordPayments);
        match self {
            Self::Open | Self::Change => (DIRECT, &[WhenClosed, WhenCancelled]),
            Self::PayIn | Self::PayOut => (PAY, &[Brief, WhenClosed, WhenCancelled]),
            Self::Record => (RUN_MATCH, &[Brief, WhenClosed]),
            Self::Correct | Self::Award | Self::Close | Self::Reopen => (DIRECT, &[WhenClosed]),
            Self::Enter => (RUN_OR_OWN, &[]),
            Self::Report => (RUN_OR_OWN, &[Brief]),
            Self::CheckIn | Self::Result | Self::OpenSheet => (RUN_MATCH, &[Brief]),
            Self::Call | Self::CallNext | Self::Uncall | Self::Begin | Self::Postpone | Self::Resume => {
                (RUN_MATCH, &[Brief])
            }
            Self::SetDirectors => (Needs::only(Permission::NameDirectors), &[]),
            Self::AddDivision
            | Self::ChangeDivision
            | Self::SetTables
            | Self::ReEnter
            | Self::Seed
            | Self::JoinPools
            | Self::Withdraw
            | Self::Disqualify
            | Self::Reinstate
            | Self::Draw
            | Self::DrawLastChance
            | Self::Seat
            | Self::SeatByLot
            | Self::Exchange
            | Self::AddMoney
            | Self::Cancel => (DIRECT, &[]),
        }
    }

    /// Whether it has this aspect.
    #[must_use]
    pub fn has(self, aspect: CommandAspect) -> bool {
        self.aspects().1.contains(&aspect)
    }
}
