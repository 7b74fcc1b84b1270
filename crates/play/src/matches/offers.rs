//! The legal commands spelled out: every concrete command that may be given now, with what it would bring.
//! The code that draws a button or answers a client words and places these, and decides nothing again.
//!
//! A legal command has as many offers as it has choices. Where people have to fill in more than a choice from
//! a list (points of a penalty, minutes, a final score that nobody has reported, a text, their dice, a play),
//! [`Legal`] is all there is. Corrections of a game are spelled out when they are [asked
//! for](Sheet::corrections).

use super::command::{Command, Entered};
use super::decide;
use super::event::Event;
use super::game::{EnteredBy, GameEnding, LineContent};
use super::legal::Legal;
use super::refusal::Refusal;
use super::state::Sheet;
use super::view::View;
use crate::matches::clock::ClockSetting;
use crate::matches::{Ending, Outcome, Slot};
use owlbox_base::journal::{Inputs, Wanted};
use owlbox_base::values::Timestamp;
use owlbox_engine::game::{Action, ActionKind, DiceSource};
use owlbox_engine::{CubeValue, Win};

/// How many values of the cube a correction offers, from 1 upwards, beside the one on record.
const CUBES_TO_CORRECT: usize = 7;

/// The endings that a director can rule for one side.
const RULED: [Ending; 4] = [Ending::Conceded, Ending::Forfeit, Ending::Walkover, Ending::Disqualified];

/// A command that may be given now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub command: Command,
    /// `None` if nobody can know that beforehand: dice decide it.
    pub brings: Option<OfferEffect>,
}

/// What a command would bring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferEffect {
    /// What it would record.
    pub events: Vec<Event>,
    /// The score after it, as it is shown: upper slot first.
    pub score: [u32; 2],
    /// The outcome of the match after it.
    pub outcome: Option<Outcome>,
}

impl OfferEffect {
    /// The points of the game that it enters or corrects.
    #[must_use]
    pub fn points(&self) -> Option<u32> {
        self.events.iter().find_map(|event| {
            if let Event::GameWon { won, .. } | Event::Corrected { now: won, .. } = event {
                Some(won.points)
            } else {
                None
            }
        })
    }
}

/// Who would give the commands, and what is known around the match: whatever beside the sheet decides what is
/// offered and what it would bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    pub by: EnteredBy,
    pub word: ResultAuthority,
    /// The setting of the clock in the division of the match's tournament.
    pub division_clock: Option<ClockSetting>,
}

/// Whether somebody's word is enough to decide the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultAuthority {
    /// What they enter counts.
    Counts,
    /// They play in a tournament's match: a result that decides it counts once both sides have reported the
    /// same.
    OfOneSide {
        side: Slot,
        /// The final score that the other side has reported.
        other: Option<[u16; 2]>,
    },
}

impl ResultAuthority {
    /// The command as it counts, where it would lead to these events: only a claim if it would decide the
    /// match by one side's word alone.
    #[must_use]
    pub fn said(self, command: Command, events: &[Event]) -> Command {
        let Self::OfOneSide { side, other } = self else { return command };
        let decides = events
            .iter()
            .find_map(|event| if let Event::Finished { outcome, .. } = event { outcome.score } else { None });
        let reports = matches!(command, Command::Game(_) | Command::Final { .. });
        if reports && decides.is_some() && decides != other {
            Command::Claim { by: side, command: Box::new(command) }
        } else {
            command
        }
    }
}

impl Sheet {
    /// The offers of these legal commands, in the same order. Choices that the rules refuse in particular are
    /// left out.
    #[must_use]
    pub fn offers<'a>(&self, legal: impl IntoIterator<Item = &'a Legal>, asker: &Asker) -> Vec<Offer> {
        self.offered_of(legal.into_iter().flat_map(|legal| spelled_out(self, legal, asker)), asker)
    }

    /// What the game of this number can be corrected to: with another cube the later games may be impossible,
    /// and then it is not offered. Whether games may be corrected is in [`legal`](Self::legal).
    #[must_use]
    pub fn corrections(&self, game: u32, asker: &Asker) -> Vec<Offer> {
        let (Some((_, entry)), Some(terms)) =
            (self.games().find(|(number, _)| *number == game), self.terms())
        else {
            return Vec::new();
        };
        let doubled = std::iter::successors(Some(CubeValue::ONE), |cube| cube.doubled());
        let mut cubes: Vec<CubeValue> = doubled.take(CUBES_TO_CORRECT).collect();
        if let LineContent::Won(won) = &entry.what
            && !cubes.contains(&won.cube)
        {
            cubes.push(won.cube);
        }
        let results = results(&Slot::BOTH, terms.game().variant.wins(), &cubes);
        self.offered_of(results.into_iter().map(|now| Command::Correct { game, now }), asker)
    }

    /// The clock to propose where there is none: the division's or else the usual one, with what a director
    /// grants.
    fn proposed_clock(&self, division: Option<ClockSetting>) -> Option<Command> {
        let tally = self.tally().filter(|_| self.clock_setting().is_none())?;
        let setting = division.unwrap_or_default();
        let granted = setting.granted(Slot::BOTH.map(|slot| tally.away(slot)));
        Some(Command::SetClock { clock: Some(setting), left: Some([granted; 2]) })
    }

    fn offered_of(&self, commands: impl Iterator<Item = Command>, asker: &Asker) -> Vec<Offer> {
        let offer = |command: Command| {
            let brings = self.brings(&command, asker).ok()?;
            Some(Offer { command, brings })
        };
        commands.filter_map(offer).collect()
    }

    /// What a command would bring, or `None` if dice decide it.
    fn brings(&self, command: &Command, asker: &Asker) -> Result<Option<OfferEffect>, Refusal> {
        let mut wanted = Wanted::default();
        let mut given = |command: Command| {
            let given = Command::GivenBy { by: asker.by, command: Box::new(command) };
            decide::decide(self, &given, &mut Inputs { now: no_time(), chance: &mut wanted })
        };
        let mut events = given(command.clone())?;
        let said = asker.word.said(command.clone(), &events);
        if said != *command {
            events = given(said)?;
        }
        if wanted.any() {
            return Ok(None);
        }
        let mut after = self.clone();
        events.iter().for_each(|event| after.take_note(event, no_time()));
        Ok(Some(OfferEffect { events, score: View::score_of(&after), outcome: after.outcome() }))
    }
}

/// No event depends on the time, nor does the score.
fn no_time() -> Timestamp {
    chrono::DateTime::UNIX_EPOCH.into()
}

/// Every command that a legal command stands for. None where people have to fill in more than a choice from a
/// list.
fn spelled_out(sheet: &Sheet, legal: &Legal, asker: &Asker) -> Vec<Command> {
    match legal {
        Legal::Game { winner, win, cube } => {
            // A double that gains its side nothing (M6) is never made, so a win by it is not offered.
            let tally = sheet.tally();
            let pointless = |entered: &Entered| {
                entered.how == GameEnding::Dropped
                    && tally
                        .is_some_and(|tally| tally.gains_nothing_by_doubling(entered.winner, entered.cube))
            };
            let results = results(winner, win, &values(cube)).into_iter();
            results.filter(|entered| !pointless(entered)).map(Command::Game).collect()
        }
        Legal::Resign { by, win, cube } => {
            let lost =
                results(by, win, &values(cube)).into_iter().filter(|lost| lost.how == GameEnding::Played);
            let resign = |Entered { winner: by, win, cube, .. }| Command::Resign {
                by,
                win,
                cube,
                turned: None,
                began: None,
            };
            lost.map(resign).collect()
        }
        Legal::Draw {} => vec![Command::Draw {}],
        Legal::Final { at_least, .. } => {
            // Reported by one side, or reached on the sheet.
            let reached = sheet.score_is_open().then_some(*at_least);
            let score = sheet.claim().map(|(_, score)| score).or(reached);
            score.map(|score| Command::Final { score }).into_iter().collect()
        }
        Legal::Concede { by } => by.iter().map(|by| Command::Concede { by: *by }).collect(),
        Legal::Rule { goes_on } => rulings(*goes_on),
        Legal::Contest { by, game } => {
            game.iter().map(|game| Command::Contest { by: *by, game: *game }).collect()
        }
        Legal::WithdrawContest { by, game } => {
            game.iter().map(|game| Command::WithdrawContest { by: *by, game: *game }).collect()
        }
        Legal::RuleContest { game, ruling } => {
            let of = |game: &Option<u32>| {
                let game = *game;
                ruling.iter().map(move |ruling| Command::RuleContest { game, ruling: *ruling })
            };
            game.iter().flat_map(of).collect()
        }
        Legal::Adjourn {} => vec![Command::Adjourn {}],
        Legal::Resume {} => vec![Command::Resume {}],
        Legal::Close {} => vec![Command::Close {}],
        Legal::Pay { by, amount_up_to } => vec![Command::Pay { by: *by, amount: *amount_up_to }],
        Legal::StartBoard { dice } => dice.iter().map(|dice| Command::StartBoard { dice: *dice }).collect(),
        Legal::Board { by, action } => {
            let actions = action.iter().flat_map(|kind| actions(sheet, *kind));
            actions.map(|action| Command::Board { by: *by, action }).collect()
        }
        Legal::AbandonBoard {} => vec![Command::AbandonBoard {}],
        Legal::SetClock { .. } => {
            let removed = sheet.clock_setting().map(|_| Command::SetClock { clock: None, left: None });
            removed.or_else(|| sheet.proposed_clock(asker.division_clock)).into_iter().collect()
        }
        Legal::StartClock { slot } => slot.iter().map(|slot| Command::StartClock { slot: *slot }).collect(),
        Legal::PressClock { by } => vec![Command::PressClock { by: *by }],
        Legal::PauseClock {} => vec![Command::PauseClock {}],
        Legal::ResumeClock {} => vec![Command::ResumeClock {}],
        Legal::Open {}
        | Legal::Penalty { .. }
        | Legal::Late { .. }
        | Legal::Correct { .. }
        | Legal::Import {} => Vec::new(),
    }
}

/// How a game may have ended: for each side the wins that were played out, and the drop of a double.
fn results(sides: &[Slot], wins: &[Win], cubes: &[CubeValue]) -> Vec<Entered> {
    let of_side = |winner: &Slot| {
        let played = wins.iter().map(|win| (*win, GameEnding::Played));
        let dropped = (Win::Single, GameEnding::Dropped);
        let ways = played.chain([dropped]).collect::<Vec<_>>().into_iter();
        let winner = *winner;
        ways.flat_map(move |(win, how)| {
            let of =
                move |cube: &CubeValue| Entered { winner, win, cube: *cube, how, turned: None, began: None };
            cubes.iter().map(of)
        })
    };
    sides.iter().flat_map(of_side).collect()
}

fn values(cubes: &[u32]) -> Vec<CubeValue> {
    cubes.iter().filter_map(|cube| CubeValue::try_from(*cube).ok()).collect()
}

/// What a director can rule, without the points at which the match stopped.
fn rulings(goes_on: bool) -> Vec<Command> {
    let rule = |winner, ending| Outcome { winner, ending, score: None };
    let for_one = RULED.into_iter().flat_map(|ending| Slot::BOTH.map(|winner| rule(Some(winner), ending)));
    let outcomes = for_one.chain([rule(None, Ending::DoubleForfeit)]).map(Some);
    let ruled = goes_on.then_some(None).into_iter().chain(outcomes);
    ruled.map(|outcome| Command::Rule { outcome, withdraws: Vec::new() }).collect()
}

/// The actions of this kind on the board, where nothing has to be filled in.
fn actions(sheet: &Sheet, kind: ActionKind) -> Vec<Action> {
    let Some(board) = sheet.board() else { return Vec::new() };
    let drawn = board.dice == DiceSource::Drawn;
    match kind {
        ActionKind::RollOpening if drawn => vec![Action::RollOpening { dice: None }],
        ActionKind::Roll if drawn => vec![Action::Roll { dice: None }],
        ActionKind::RollOpening | ActionKind::Roll | ActionKind::Play | ActionKind::LeaveBoard => Vec::new(),
        ActionKind::CockedDice => vec![Action::CockedDice {}],
        ActionKind::Pass => vec![Action::Pass {}],
        ActionKind::AcceptPlay => vec![Action::AcceptPlay {}],
        ActionKind::SendBack => vec![Action::SendBack {}],
        ActionKind::Double => vec![Action::Double {}],
        ActionKind::Beaver => vec![Action::Beaver {}],
        ActionKind::Take => vec![Action::Take {}],
        ActionKind::Drop => vec![Action::Drop {}],
        ActionKind::Resign => {
            board.game.rules().variant.wins().iter().map(|win| Action::Resign { win: *win }).collect()
        }
        ActionKind::AcceptResignation => vec![Action::AcceptResignation {}],
        ActionKind::RejectResignation => vec![Action::RejectResignation {}],
    }
}
