//! The events a command leads to, or why it is refused. Of several reasons, the first in the order of
//! [`Refusal`](super::refusal) is given.
//!
//! * `table`: opening and closing, rules, splitting and merging tables, payments.
//! * `people`: coming and going, breaks, proxies, duplicates, stakes.
//! * `seats`: the order, the partnership, declining the box.
//! * `start`: the start of a game and its automatic doubles.
//! * `cubes`: doubles, and who may do what with which cube.
//! * `answers`: takes, drops and beavers, and what the last of them leads to.
//! * `lone`: the lone taker and extras.
//! * `settle`: bets settled by agreement.
//! * `board`: games refereed by the engine.
//! * `finish`: the end of a game, and corrections.

mod answers;
mod board;
pub(super) mod cubes;
mod finish;
mod lone;
mod people;
mod seats;
mod settle;
mod start;
mod table;

pub(super) use lone::asked_now;
pub use people::MOST_UNITS;
pub(super) use people::{may_have_no_proxy, may_leave, proxies_for};
pub(super) use seats::{may_decline, partnership_due};
pub(super) use start::{may_start, may_tie, play_on, tie_can_be_declined, tie_counts};
pub use table::{LONGEST_NAME, MOST_PAID, TO_LEAVE};
pub(super) use table::{can_split, proposed_split};

use crate::bet::Side;
use crate::command::Command;
use crate::event::Event;
use crate::game::{Answer, Game, LoneState};
use crate::order::Line;
use crate::outcome;
use crate::refusal::Refusal;
use crate::rules::DecisionOrder;
use crate::state::{Chouette, Phase};
use owlbox_base::journal::Inputs;
use owlbox_base::values::{PlayerId, Timestamp};

/// The most players at one table, playing or not.
pub const SEATS: usize = 20;

pub(super) type Decision = Result<Vec<Event>, Refusal>;

pub(super) fn decide(chouette: &Chouette, command: &Command, inputs: &mut Inputs<'_>) -> Decision {
    let opens = matches!(command, Command::Open { .. });
    if opens != (chouette.phase() == Phase::Unopened) {
        return Err(if opens { Refusal::AlreadyOpen } else { Refusal::NotOpen });
    }
    if chouette.phase() == Phase::Closed && !command.aspects().after_the_night {
        return Err(Refusal::Closed);
    }
    match command {
        Command::Open { name, night, stake, rules, from } => table::open(name, *night, *stake, rules, *from),
        Command::ChangeRules { rules } => table::change_rules(chouette, rules),
        Command::Close {} => not_playing(chouette).map(|()| vec![Event::Closed {}]),
        Command::Split { players, table, .. } => table::split(chouette, players, *table),
        Command::MergeInto { table } => {
            not_playing(chouette).map(|()| vec![Event::MergedInto { table: *table }])
        }
        Command::Pay { payer, payee, amount } => table::pay(chouette, *payer, *payee, *amount),

        Command::Join { player } => people::join(chouette, *player),
        Command::Leave { player, proxy } => people::leave(chouette, *player, *proxy),
        Command::Break { player, proxy } => people::take_break(chouette, *player, *proxy),
        Command::Return { player } => people::come_back(chouette, *player),
        Command::NameProxy { player, proxy } => people::name_proxy(chouette, *player, *proxy),
        Command::MergePlayers { duplicate, player } => people::merge(chouette, *duplicate, *player),
        Command::SetStake { player, units } => people::set_stake(chouette, *player, *units),
        Command::SetStart { player, value } => people::set_start(chouette, *player, *value),

        Command::DrawOrder {} => seats::draw_order(chouette, inputs.chance),
        Command::EnterRolls { rolls } => seats::enter_rolls(chouette, rolls),
        Command::SetOrder { line } => seats::set_order(chouette, line),
        Command::OfferPartnership {} => seats::offer_partnership(chouette),
        Command::AcceptPartnership { player } => seats::accept_partnership(chouette, *player),
        Command::DeclinePartnership { player } => {
            seats::decline_partnership(chouette, *player, inputs.chance)
        }
        Command::DeclineBox { player } => seats::decline_box(chouette, *player),

        Command::StartGame { refereed, variant } => start::start_game(chouette, *refereed, *variant),
        Command::OpeningTie { double } => start::opening_tie(chouette, *double),
        Command::Double { player, against, rolled } => {
            cubes::double(chouette, *player, against.as_deref(), *rolled, inputs.now)
        }
        Command::Take { player, against } => {
            answers::answer(chouette, *player, against.as_deref(), Answer::Take, inputs.now)
        }
        Command::Drop { player, against } => {
            answers::answer(chouette, *player, against.as_deref(), Answer::Drop, inputs.now)
        }
        Command::Beaver { player, against } => {
            answers::answer(chouette, *player, against.as_deref(), Answer::Beaver, inputs.now)
        }
        Command::GiveExtra { player } => lone::give_extra(chouette, *player),
        Command::PassExtra { player } => lone::pass_extra(chouette, *player),
        Command::PlayOn {} => start::play_on(chouette),
        Command::Settle { bets, counts_for } => settle::settle(chouette, bets, *counts_for, inputs.now),
        Command::Board { by, action } => board::act(chouette, *by, action, inputs),
        Command::Finish { winner, win } => finish::finish(chouette, *winner, *win),
        Command::Correct { game, winner, win, bets } => finish::correct(chouette, *game, *winner, *win, bets),
    }
}

impl Chouette {
    /// Who would leave if the table has to be split before the next game; empty if it need not be.
    #[must_use]
    pub fn split_due(&self) -> Vec<PlayerId> {
        proposed_split(self)
    }

    /// Who must answer the box next. `None` where the house sets no order, or nothing waits.
    #[must_use]
    pub fn due_to_answer(&self) -> Option<PlayerId> {
        self.game().and_then(|game| cubes::due_to_answer(self, game))
    }
}

/// An act in the making: its events so far, and the state they lead to.
struct Act<'a> {
    before: &'a Chouette,
    now: Chouette,
    events: Vec<Event>,
    at: Timestamp,
}

impl<'a> Act<'a> {
    fn on(before: &'a Chouette, at: Timestamp) -> Self {
        Self { before, now: before.clone(), events: Vec::new(), at }
    }

    fn happens(&mut self, mut event: Event) {
        outcome::complete(&self.now, &mut event);
        self.now.take_note(&event, self.at);
        self.events.push(event);
    }

    /// Lets the turn go on without the extras that were asked for and not answered.
    fn plays_on(&mut self) {
        let passed = self.game().map(lone::passed_by_playing_on).unwrap_or_default();
        passed.into_iter().for_each(|event| self.happens(event));
    }

    /// The game in progress; `None` once this act has ended it.
    fn game(&self) -> Option<&Game> {
        self.now.game()
    }
}

/// An event that is an act by itself, completed with what follows from it.
fn completed(chouette: &Chouette, mut event: Event) -> Vec<Event> {
    outcome::complete(chouette, &mut event);
    vec![event]
}

fn not_playing(chouette: &Chouette) -> Result<(), Refusal> {
    match chouette.game() {
        Some(_) => Err(Refusal::GameInProgress { may_leave: None }),
        None => Ok(()),
    }
}

fn standing_line(chouette: &Chouette) -> Result<&Line, Refusal> {
    not_playing(chouette)?;
    chouette.seats().standing().ok_or(Refusal::NoOrder)
}

fn here(chouette: &Chouette, player: PlayerId) -> Result<(), Refusal> {
    let present = chouette.present();
    if !chouette.knows(player) {
        Err(Refusal::UnknownPlayer { player, present })
    } else if !present.contains(&player) {
        Err(Refusal::NotHere { player, present })
    } else {
        Ok(())
    }
}

/// The game, and the side that `player` is still on. They need not be present: others may decide for them.
fn in_game(chouette: &Chouette, player: PlayerId) -> Result<(&Game, Side), Refusal> {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    if !chouette.knows(player) {
        return Err(Refusal::UnknownPlayer { player, present: chouette.present() });
    }
    match game.side_of(player) {
        Some(side) => Ok((game, side)),
        None => {
            here(chouette, player)?;
            Err(Refusal::NotInGame { player, players: game.players() })
        }
    }
}

/// Refuses if an answer must come before anything else: from a lone taker, from players asked for extras once
/// one has been offered, or from the box about a tie.
fn nothing_comes_first(game: &Game) -> Result<(), Refusal> {
    let player = match &game.lone {
        Some(LoneState::MustBeaverOrDrop(player)) => *player,
        Some(LoneState::Extras(asking)) if !asking.offered.is_empty() => {
            asking.asked.first().copied().unwrap_or(asking.taker)
        }
        Some(LoneState::Extras(_) | LoneState::MustDrop(_)) | None if game.tie_waits => game.box_player,
        Some(LoneState::Extras(_) | LoneState::MustDrop(_)) | None => return Ok(()),
    };
    Err(Refusal::MustAnswer { player })
}

/// Refuses while a double or a beaver waits for its answer.
fn nothing_is_offered(game: &Game) -> Result<(), Refusal> {
    let waiting = game.bets.iter().filter_map(|bet| bet.offered_by().map(|by| bet.on(by.other())));
    let mut players: Vec<PlayerId> = waiting.collect();
    players.dedup();
    if players.is_empty() { Ok(()) } else { Err(Refusal::OfferPending { players }) }
}

/// Whether `player` may answer this way when they answer the box last and are the only member left. Hidden
/// answers are not checked.
pub(super) fn allows_last(chouette: &Chouette, game: &Game, player: PlayerId, answer: Answer) -> bool {
    let hidden = chouette.rules().decision_order == DecisionOrder::AllAtOnce;
    hidden || lone::allows_last(chouette, game, player, answer).is_ok()
}
