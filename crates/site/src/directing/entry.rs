//! The page of one entry at the desk: what can be done with it, its matches, and how it leaves.

use actix_web::HttpResponse;
use serde::Deserialize;

use super::act::{pools_of_form, takes_acts};
use super::effect::Effect;
use super::entries::below;
use super::frame::{Act, DeskFrame, on_the_desk};
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::Visitor;
use owlbox_base::code::Code;
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::command::{SlotOfMatch, When};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::entry::{Entry, EntryStanding};
use owlbox_play::tournament::legal::EntryAct;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Command, CommandKind};

/// The most slots offered to a waiting entry.
const MOST_SLOTS: usize = 200;

/// `/tournaments/{id}/desk/{division}/entries/{entry}`
#[derive(Debug)]
pub(super) struct EntryPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub entry_number: EntryNo,
    pub entry: &'a Entry,
    /// How it is to leave, and what that would do or why it is refused.
    pub leaves: Option<(Leave, Result<Effect<'a>, Code>)>,
}
on_the_desk! { EntryPage<'a>: "directing/entry.html" }

/// The ways in which an entry leaves. Each is previewed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    Now,
    /// It leaves after its present match.
    AfterMatch,
    Disqualify,
}

impl Leave {
    const ALL: [Self; 3] = [Self::Now, Self::AfterMatch, Self::Disqualify];

    const fn name(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::AfterMatch => "after",
            Self::Disqualify => "disqualify",
        }
    }

    /// The way with this name in addresses.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|leave| leave.name() == name)
    }

    /// The label: what will be recorded.
    fn label(self, t: &Locale, name: &str) -> String {
        let key = match self {
            Self::Now => "desk-leave-now",
            Self::AfterMatch => "desk-leave-after",
            Self::Disqualify => "desk-disqualify",
        };
        t.with(key, "name", name)
    }

    pub const fn command(self, division: DivisionNo, entry: EntryNo) -> Command {
        match self {
            Self::Now => Command::Withdraw { division, entry, when: When::Now },
            Self::AfterMatch => Command::Withdraw { division, entry, when: When::AfterMatch },
            Self::Disqualify => Command::Disqualify { division, entry },
        }
    }
}

/// The way of leaving to preview.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct LeaveQuery {
    leave: Option<String>,
}

takes_acts!((TournamentId, DivisionNo, EntryNo), LeaveQuery);

/// The current page of an entry; with `leave`, also what leaving that way would do.
async fn answer(
    visitor: &Visitor,
    &(id, division, entry_number): &(TournamentId, DivisionNo, EntryNo),
    query: &LeaveQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let leave = query.leave.as_deref().and_then(Leave::from_name);
    let (screen, tried) = super::screen(visitor, id, CommandKind::CheckIn, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let entry = of.entry(entry_number).ok_or(Refused::NotFound("entry"))?;
        looking.name([entry.player]);
        let path = of.bracket.path(entry_number).map(|(number, _)| MatchRef { division, number });
        looking.name(stream.state.players_in(&path.collect::<Vec<_>>()));
        // A waiting entry is offered the free slots of the first round, each with its opponent.
        if entry.standing == EntryStanding::Waiting {
            let first_round = of.bracket.of_flight(0).take_while(|(_, at)| at.round == 0);
            let first_round = first_round.map(|(number, _)| MatchRef { division, number });
            looking.name(stream.state.players_in(&first_round.collect::<Vec<_>>()));
        }
        let tried = leave.map(|leave| looking.preview_command(leave.command(division, entry_number)));
        Ok(leave.zip(tried.transpose()?))
    })
    .await?;
    let of = screen.division(division)?;
    let entry = of.entry(entry_number).ok_or(Refused::NotFound("entry"))?;
    let sheet = format!("{}/{}", below(division), entry_number.0);
    let here = leave.map_or_else(|| sheet.clone(), |leave| format!("{sheet}?leave={}", leave.name()));
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk-entries", &here);
    let tried = tried.map(|(leave, tried)| (leave, tried.map_err(Problem::from)));
    let refused = tried.as_ref().and_then(|(_, tried)| tried.as_ref().err());
    let leaves = tried.as_ref().map(|(leave, tried)| match tried {
        Ok(tested) => (*leave, Ok(Effect::new(t, tested))),
        Err(problem) => (*leave, Err(problem.code)),
    });
    let desk = if matches!(leaves, Some((_, Ok(_)))) { desk.still() } else { desk };
    let page = EntryPage { t, frame, screen: &screen, desk, division, of, entry_number, entry, leaves };
    visitor.answer_tried(refused, page.rendered(partial))
}

impl EntryPage<'_> {
    fn name(&self) -> String {
        self.t.name(&self.entry.player)
    }

    /// Its address, without a preview.
    fn sheet(&self) -> String {
        self.desk.of_division(&self.division, &format!("entries/{}", self.entry_number.0))
    }

    /// The button that records that it leaves this way.
    fn records(&self, leave: &Leave) -> Button {
        let label = self.t.with("record", "what", leave.label(&self.t, &self.name()));
        let button = Button::new(label, &leave.command(self.division, self.entry_number)).then(self.sheet());
        button.main().at(self.screen.stream.version)
    }

    /// Its number, and remarks on its state.
    fn marks(&self) -> Vec<String> {
        let number = self.t.with("entry-number", "number", self.entry_number.0);
        let seeded = self.entry.seeded.map(|place| self.t.with("draw-seeded", "place", place));
        let marks = std::iter::once(number).chain(self.t.marks(self.of, self.entry)).chain(seeded);
        marks.chain(self.t.account(&self.entry.player)).collect()
    }

    /// Its matches, the newest first.
    fn matches(&self) -> Vec<MatchRef> {
        let path = self.of.bracket.path(self.entry_number);
        let mut matches: Vec<MatchRef> =
            path.map(|(number, _)| MatchRef { division: self.division, number }).collect();
        matches.reverse();
        matches
    }

    /// The acts that need no preview: money first, then whatever would not be refused.
    fn buttons(&self) -> Vec<Button> {
        let Self { t, screen, division, entry_number: number, entry, of, .. } = self;
        let (division, number, here) = (*division, *number, self.sheet());
        let acts = screen.state().acts_of_entry(division, number, screen.now);
        let may = |act: EntryAct, needed: CommandKind| acts.contains(&act) && screen.may(needed);
        let check = Command::CheckIn { division, entries: vec![number], here: !entry.checked_in };
        let checks = may(EntryAct::CheckIn, CommandKind::CheckIn);
        let check_key = if entry.checked_in { "desk-check-out" } else { "desk-check-in" };
        let back = Command::Reinstate { division, entry: number };
        let comes_back =
            of.entry_of(entry.player) == Some(number) && may(EntryAct::Reinstate, CommandKind::Reinstate);
        // A player who still plays in a consolation would give that up by re-entering. They have to leave
        // first, which shows the effect.
        let again = Command::ReEnter { division, entry: number };
        let enters = of.current(number).is_none() && may(EntryAct::ReEnter, CommandKind::ReEnter);
        let waits = enters && screen.state().would_wait_again(division, number, screen.now);
        let again_key = if waits { "desk-re-enter-waits" } else { "desk-re-enter" };
        let lot = Command::SeatByLot { division, entries: vec![number] };
        let by_lot = may(EntryAct::SeatByLot, CommandKind::SeatByLot);
        let acts = [
            (by_lot, "desk-seat-by-lot", lot),
            (checks, check_key, check),
            (comes_back, "desk-reinstate", back),
            (enters, again_key, again),
        ];
        let button =
            |(_, key, command)| Button::new(t.with(key, "name", self.name()), &command).then(here.clone());
        let buttons = acts.into_iter().filter(|(is, ..)| *is).map(button);
        self.desk.settles(&entry.player, &here).map(Button::main).into_iter().chain(buttons).collect()
    }

    /// The form that joins side pools.
    fn join(&self) -> Option<Button> {
        let (division, entry, state) = (self.division, self.entry_number, self.screen.state());
        let may = self.screen.may(CommandKind::JoinPools) && state.currency().is_some();
        let offered = !self.of.settings.side_pools.is_empty() && state.may_join_pools(division, entry);
        let command = Command::JoinPools { division, entry, side_pools: Vec::new() };
        let button = || Button::new(self.t.get("desk-join-pools"), &command).then(self.sheet());
        (may && offered).then(|| button().in_place_of(&pools_of_form(self.of, self.entry)))
    }

    /// The free slots of the first round that a waiting entry can be given, as a form sets them and as they
    /// are called.
    fn places(&self) -> Vec<(String, String)> {
        if !self.screen.may(CommandKind::Seat) {
            return Vec::new();
        }
        // Those of the main flight: of other flights the players are not named here.
        let Self { screen, division, entry_number, .. } = self;
        let free = screen.state().free_places(*division, *entry_number, screen.now);
        let place = |SlotOfMatch { number, slot }| {
            let found = self.of.bracket.get(number).filter(|found| found.flight == 0)?;
            let against = self.t.occupant(self.of, found, slot.other());
            let label = self.t.fill("desk-place-against", &[("match", &number.0), ("name", &against)]);
            Some((Fields::default().with("match", &number).with("slot", &slot).choice(), label))
        };
        free.filter_map(place).take(MOST_SLOTS).collect()
    }

    /// Gives it one of these slots.
    fn seat(&self) -> Button {
        let seat = Fields::lacking(CommandKind::Seat).with("division", &self.division);
        Button::of_form(self.t.get("desk-seat"), seat.with("entry", &self.entry_number)).then(self.sheet())
    }

    /// The ways in which it can leave.
    fn ways(&self) -> Vec<Leave> {
        let may = self.screen.may(CommandKind::Withdraw) && !self.entry.standing.is_out();
        let plays = self.of.current(self.entry_number).is_some();
        let can = |leave: &Leave| may && (plays || *leave != Leave::AfterMatch);
        Leave::ALL.into_iter().filter(can).collect()
    }
}
