//! What others ask of events and commands: who entered it, what it posts, whose it is and who may take it
//! back, which side it speaks for, which permission it needs. Each kind is named once an aspect, so that a
//! new one is thought of here, and others need no list of all.

use super::command::{Command, CommandKind};
use super::event::{DecidedBy, Event, EventKind};
use super::game::EnteredBy;
use super::legal::Legal;
use super::terms::Terms;
use crate::matches::Slot;
use owlbox_base::permissions::{self, Needs, Permission};

/// What others ask of a kind of event, among others when somebody wants to take it back, or to limit how
/// often it happens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EventAspect {
    /// Players can repeat it in their own match without end.
    Endless,
    /// A result that players enter in their own match.
    Result,
    /// It contests an entry, corrects one, or concerns the outcome of the match or a payment for it.
    PuttingRight,
    /// It contests something or judges the match. A stated final score is an event of the
    /// same kind as a ruling, so it is included.
    Judging,
    /// An act that starts with it came from play on the sheet; an act that starts otherwise may have been
    /// caused by the tournament.
    OfPlay,
    /// It may be the consequence of what the tournament decided.
    Following,
    /// It may have drawn dice, so an act that begins with it is nobody's own to take back.
    Chance,
    /// People enter it, and it says who did.
    Entered,
    /// It is posted to the books.
    Posted,
    /// It is posted to the books in a money session, where each game is a bet.
    PostedInSession,
    /// Under these keys of its payload there is text that somebody typed.
    Text(&'static [&'static str]),
}

impl EventKind {
    const fn aspects(self) -> &'static [EventAspect] {
        use EventAspect::{
            Chance, Endless, Entered, Following, Judging, OfPlay, Posted, PostedInSession, PuttingRight,
            Result, Text,
        };
        match self {
            Self::GameWon => &[Result, OfPlay, Entered, PostedInSession],
            Self::GameDrawn => &[Result, Entered],
            Self::Penalised => &[PuttingRight, Judging, OfPlay],
            Self::Corrected => &[PuttingRight, Judging, OfPlay, Entered, PostedInSession],
            Self::Contested | Self::ContestWithdrawn => &[Endless, PuttingRight, Judging, PostedInSession],
            Self::Upheld => &[PuttingRight, Judging, PostedInSession],
            Self::Voided => &[PuttingRight, Judging],
            Self::Finished => &[PuttingRight, Judging, Following, Entered],
            Self::Reopened => &[PuttingRight, Judging, Following],
            Self::Detached | Self::Attached => &[Following],
            Self::Claimed => &[Endless, OfPlay],
            // A moved stake never comes alone: what it comes with is counted.
            Self::StakeMoved | Self::Paid => &[PuttingRight, Posted],
            Self::Adjourned | Self::Resumed | Self::ClockSet | Self::ClockPaused | Self::ClockResumed => {
                &[Endless]
            }
            Self::Board => &[OfPlay, Chance],
            // Its text is as this program writes it: without names and remarks.
            Self::Imported => &[OfPlay, Entered, PostedInSession, Text(&[])],
            Self::Opened | Self::Closed | Self::BoardStarted | Self::BoardAbandoned | Self::ClockStarted => {
                &[]
            }
        }
    }

    fn has(self, aspect: EventAspect) -> bool {
        self.aspects().contains(&aspect)
    }

    /// Whether players can repeat it in their own match without end.
    #[must_use]
    pub fn goes_on_for_ever(self) -> bool {
        self.has(EventAspect::Endless)
    }

    /// Whether it is a result that players enter in their own match.
    #[must_use]
    pub fn is_result(self) -> bool {
        self.has(EventAspect::Result)
    }

    /// Whether it contests an entry, corrects one, or concerns the outcome of the match or a payment for it.
    #[must_use]
    pub fn puts_right(self) -> bool {
        self.has(EventAspect::PuttingRight)
    }

    /// Whether it contests something or judges the match.
    #[must_use]
    pub fn judges(self) -> bool {
        self.has(EventAspect::Judging)
    }

    /// Whether an act that starts with it came from play on the sheet.
    #[must_use]
    pub fn is_of_play(self) -> bool {
        self.has(EventAspect::OfPlay)
    }

    /// Whether an act that begins with it is its author's own to take back, or put back.
    #[must_use]
    pub fn is_authors_own(self) -> bool {
        !self.has(EventAspect::Chance)
    }

    /// Whether it may be the consequence of what the tournament decided.
    #[must_use]
    pub fn may_follow_tournament(self) -> bool {
        self.has(EventAspect::Following)
    }

    /// Whether it can be posted to the books, where these terms are played by.
    #[must_use]
    pub fn is_posted(self, terms: Terms) -> bool {
        self.has(EventAspect::Posted) || terms.length().is_none() && self.has(EventAspect::PostedInSession)
    }

    /// The keys of its payload under which there is text that somebody typed.
    pub(super) fn text_keys(self) -> &'static [&'static str] {
        let keys =
            |aspect: &EventAspect| if let EventAspect::Text(keys) = aspect { Some(*keys) } else { None };
        self.aspects().iter().find_map(keys).unwrap_or_default()
    }
}

impl Event {
    /// Who entered it; `None` for events that nobody enters, and for those from before this was recorded.
    #[must_use]
    #[expect(clippy::wildcard_enum_match_arm, reason = "an aspect of each kind says whether people enter it")]
    pub fn entered_by(&self) -> Option<EnteredBy> {
        match self {
            Self::GameWon { entered_by, .. }
            | Self::GameDrawn { entered_by, .. }
            | Self::Corrected { entered_by, .. }
            | Self::Imported { entered_by, .. }
            | Self::Finished { entered_by, .. } => *entered_by,
            _ => {
                debug_assert!(!EventKind::from(self).has(EventAspect::Entered));
                None
            }
        }
    }

    /// The same, entered by this person; unchanged if it is an event that nobody enters.
    #[must_use]
    pub(super) fn entered_by_person(mut self, person: EnteredBy) -> Self {
        if let Self::GameWon { entered_by, .. }
        | Self::GameDrawn { entered_by, .. }
        | Self::Corrected { entered_by, .. }
        | Self::Imported { entered_by, .. }
        | Self::Finished { by: DecidedBy::Stated {}, entered_by, .. } = &mut self
        {
            *entered_by = Some(person);
        }
        self
    }
}

/// What others ask of a kind of command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandAspect {
    /// It is possible once the match is decided or the session closed.
    AfterTheEnd,
    /// It makes no sense in a money session.
    OfMatchesAlone,
    /// It is part of a match that goes on.
    OfPlay,
    /// It needs the two players at the table.
    NeedsPlayers,
    /// Players enter the result of a game with it in their own match.
    Result,
    /// Players can repeat it in their own match without end.
    Endless,
    /// It judges the match.
    Judging,
    /// It may read a whole stream, or a file, or change what all later ratings follow from.
    Long,
    /// It concerns the clock.
    OfClock,
    /// It speaks for the side that it names.
    OfOneSide,
    /// It corrects an entry, or records a ruling or a payment.
    PuttingRight,
    /// It only ends what is in progress. It runs out by itself, because nothing begins after it.
    WindingUp,
}

impl permissions::CommandKind for CommandKind {
    const HISTORY: Needs = Needs::or_for_oneself(Permission::RunMatch, Permission::ActForSelf);
    const OF_SERVICE: &'static [Self] = &[Self::Follow, Self::GivenBy, Self::Claim];

    /// `for_oneself` means in the player's own match, and for their own side where the command names a side.
    fn needs(self) -> Needs {
        self.aspects().0
    }
}

impl CommandKind {
    /// The permission it needs, and what else others ask of it.
    const fn aspects(self) -> (Needs, &'static [CommandAspect]) {
        use CommandAspect::{
            AfterTheEnd, Endless, Judging, Long, NeedsPlayers, OfClock, OfMatchesAlone, OfOneSide, OfPlay,
            PuttingRight, Result, WindingUp,
        };
        const RUN: Needs = Needs::only(Permission::RunMatch);
        const OWN: Needs = Needs::or_for_oneself(Permission::RunMatch, Permission::ActForSelf);
        match self {
            Self::Open => (RUN, &[]),
            Self::Close => (OWN, &[WindingUp]),
            Self::Pay => (Needs::only(Permission::RecordPayments), &[PuttingRight]),
            Self::Game | Self::Draw => (OWN, &[OfPlay, NeedsPlayers, Result]),
            Self::Resign => (OWN, &[OfPlay, NeedsPlayers, Result, OfOneSide]),
            Self::Penalty | Self::Late => (RUN, &[OfMatchesAlone, OfPlay, Judging, PuttingRight]),
            Self::Final => (OWN, &[OfMatchesAlone, WindingUp]),
            Self::Concede => (OWN, &[OfMatchesAlone, OfPlay, OfOneSide, WindingUp]),
            Self::Rule => (RUN, &[AfterTheEnd, OfMatchesAlone, Judging, Long, PuttingRight]),
            Self::Contest | Self::WithdrawContest => (OWN, &[AfterTheEnd, Endless, Long, OfOneSide]),
            Self::RuleContest => (RUN, &[AfterTheEnd, Judging, Long, PuttingRight]),
            Self::Correct => (RUN, &[AfterTheEnd, Long, PuttingRight]),
            Self::Claim | Self::Adjourn => (OWN, &[NeedsPlayers, Endless]),
            Self::Resume => (OWN, &[Endless]),
            Self::StartBoard => (OWN, &[OfPlay, NeedsPlayers]),
            Self::Board => (OWN, &[NeedsPlayers, OfOneSide, WindingUp]),
            Self::GivenBy => (OWN, &[NeedsPlayers]),
            Self::AbandonBoard => (RUN, &[NeedsPlayers, WindingUp]),
            Self::Follow => (RUN, &[NeedsPlayers]),
            Self::Import => (RUN, &[NeedsPlayers, Long]),
            Self::SetClock => (OWN, &[OfMatchesAlone, Endless, OfClock]),
            Self::StartClock => (OWN, &[NeedsPlayers, OfClock]),
            Self::PressClock => (OWN, &[NeedsPlayers, OfClock, OfOneSide]),
            Self::PauseClock | Self::ResumeClock => (OWN, &[NeedsPlayers, Endless, OfClock]),
        }
    }

    /// Whether it has this aspect.
    #[must_use]
    pub fn has(self, aspect: CommandAspect) -> bool {
        self.aspects().1.contains(&aspect)
    }
}

impl Command {
    /// The side it speaks for; `None` if it speaks for neither or both.
    #[must_use]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an aspect of each kind says whether it speaks for a side"
    )]
    pub fn side(&self) -> Option<Slot> {
        match self {
            Self::Resign { by, .. }
            | Self::Concede { by }
            | Self::Contest { by, .. }
            | Self::WithdrawContest { by, .. }
            | Self::Board { by, .. }
            | Self::PressClock { by } => Some(*by),
            _ => {
                debug_assert!(!CommandKind::from(self).has(CommandAspect::OfOneSide));
                None
            }
        }
    }
}

/// Which of the two players may give a legal command for themselves, where players may give it at all.
#[derive(Debug, PartialEq, Eq)]
pub enum OfferedTo<'l> {
    /// Either of them.
    Either,
    /// Those who are on one of these sides, for their own.
    Each(&'l mut Vec<Slot>),
    /// The one on this side.
    One(Slot),
    /// The player who has not reported the result already, and waits for the other.
    Unheard,
}

impl Legal {
    /// The kind of the command, and to which of the two players it is offered.
    pub fn aspects(&mut self) -> (CommandKind, OfferedTo<'_>) {
        use OfferedTo::{Each, Either, One, Unheard};
        match self {
            Self::Open {} => (CommandKind::Open, Either),
            Self::Game { .. } => (CommandKind::Game, Either),
            Self::Resign { by, .. } => (CommandKind::Resign, Each(by)),
            Self::Draw {} => (CommandKind::Draw, Either),
            Self::Penalty { .. } => (CommandKind::Penalty, Either),
            Self::Late { .. } => (CommandKind::Late, Either),
            Self::Final { .. } => (CommandKind::Final, Unheard),
            Self::Concede { by } => (CommandKind::Concede, Each(by)),
            Self::Rule { .. } => (CommandKind::Rule, Either),
            Self::Contest { by, .. } => (CommandKind::Contest, One(*by)),
            Self::WithdrawContest { by, .. } => (CommandKind::WithdrawContest, One(*by)),
            Self::RuleContest { .. } => (CommandKind::RuleContest, Either),
            Self::Correct { .. } => (CommandKind::Correct, Either),
            Self::Adjourn {} => (CommandKind::Adjourn, Either),
            Self::Resume {} => (CommandKind::Resume, Either),
            Self::Close {} => (CommandKind::Close, Either),
            Self::Pay { .. } => (CommandKind::Pay, Either),
            Self::StartBoard { .. } => (CommandKind::StartBoard, Either),
            Self::Board { by, .. } => (CommandKind::Board, One(*by)),
            Self::AbandonBoard {} => (CommandKind::AbandonBoard, Either),
            Self::Import {} => (CommandKind::Import, Either),
            Self::SetClock { .. } => (CommandKind::SetClock, Either),
            Self::StartClock { .. } => (CommandKind::StartClock, Either),
            Self::PressClock { by } => (CommandKind::PressClock, One(*by)),
            Self::PauseClock {} => (CommandKind::PauseClock, Either),
            Self::ResumeClock {} => (CommandKind::ResumeClock, Either),
        }
    }
}
