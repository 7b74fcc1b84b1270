//! Which commands an event may have come from, so that verification can decide them again.

use super::bet::{BetKind, SettledBet, SettledBy, Side};
use super::command::{BetCorrection, BetEnded, Command, Settlement};
use super::event::{AgreedBet, DroppedBet, EndedCube, Event, GivenExtra, TurnedBet};
use super::finished::Finished;
use super::game::{Answer, Proxy};
use super::order::{Roll, Seats};
use super::state::Chouette;
use owlbox_base::journal::again::{Accountable, PossibleCommand, drawn_for_shuffle};
use owlbox_base::values::PlayerId;
use owlbox_engine::game::Event as OnBoard;
use owlbox_engine::game::again::Acted;
use owlbox_engine::{Colour, Win};

impl Accountable for Chouette {
    const DECIDES_SINCE: i16 = 3;
    const SEVERAL: bool = true;

    fn asked(&self, event: &Event, act: &[Event]) -> Vec<PossibleCommand<Command>> {
        let commands = match event.clone() {
            Event::OrderDrawn { rounds, seats } => return self.order_drawn(&rounds, &seats),
            Event::PartnershipDeclined { player } => return self.partnership_declined(player, act),
            Event::Board { of } => return on_board(&of, act),

            Event::Opened { name, night, stake, rules, from } => {
                vec![Command::Open { name, night, stake, rules: *rules, from }]
            }
            Event::RulesChanged { rules, .. } => vec![Command::ChangeRules { rules: *rules }],
            // Deciding a split does not read the new table's name, and the event does not hold it.
            Event::Split { table, players, .. } => {
                vec![Command::Split { players, table: Some(table), name: String::new() }]
            }
            Event::MergedInto { table } => vec![Command::MergeInto { table }],
            Event::Closed {} => vec![Command::Close {}],
            Event::Paid { payer, payee, amount } => vec![Command::Pay { payer, payee, amount }],

            Event::Joined { player, .. } => vec![Command::Join { player }],
            Event::Left { player, proxy, .. } => vec![Command::Leave { player, proxy: named_player(proxy) }],
            Event::WentOnBreak { player, proxy, .. } => {
                vec![Command::Break { player, proxy: named_player(proxy) }]
            }
            Event::Returned { player, .. } => vec![Command::Return { player }],
            Event::ProxyNamed { player, proxy, .. } => {
                vec![Command::NameProxy { player, proxy: named_player(proxy) }]
            }
            Event::PlayersMerged { duplicate, player, .. } => {
                vec![Command::MergePlayers { duplicate, player }]
            }
            Event::StakeSet { player, units } => vec![Command::SetStake { player, units }],
            Event::StartSet { player, value } => vec![Command::SetStart { player, value }],

            Event::RollsEntered { rolls, .. } => vec![Command::EnterRolls { rolls }],
            Event::OrderSet { seats } => match seats {
                Seats::Line(line) => vec![Command::SetOrder { line: line.line }],
                Seats::Gathering { .. } | Seats::Rolling { .. } => Vec::new(),
            },
            Event::PartnershipOffered { .. } => vec![Command::OfferPartnership {}],
            Event::PartnershipMade { player, .. } => {
                vec![Command::AcceptPartnership { player }, Command::OfferPartnership {}]
            }
            Event::BoxDeclined { player, .. } => vec![Command::DeclineBox { player }],

            Event::GameStarted { refereed, on_board, .. } => {
                vec![Command::StartGame { refereed, variant: Some(on_board.variant) }]
            }
            Event::OpeningTied { .. } => {
                [None, Some(false)].map(|double| Command::OpeningTie { double }).into()
            }
            Event::Doubled { player, bets } => doubles(player, &bets, false),
            Event::Beavered { player, bets, .. } => answers(Answer::Beaver, player, opponents(&bets)),
            Event::Taken { player, bets, .. } => answers(Answer::Take, player, opponents(&bets)),
            Event::Dropped { player, bets, .. } => answers(Answer::Drop, player, winners(&bets)),
            Event::Answered { player, answer } => {
                let box_player = self.box_player().into_iter().collect();
                answer.map_or_else(Vec::new, |answer| answers(answer, player, box_player))
            }
            Event::ExtraOffered { player } => vec![Command::GiveExtra { player }],
            Event::ExtraPassed { player } => vec![Command::PassExtra { player }],
            Event::ExtrasGiven { taker, extras } => extras_given(taker, &extras),
            Event::PlayedOn {} => played_on(act),
            Event::Settled { bets } => self.asked_to_settle(&bets),
            Event::GameFinished(finished) => {
                let winner = finished.winner;
                finished.win.map(|win| Command::Finish { winner, win }).into_iter().collect()
            }
            Event::GameCorrected { game, winner, win, after, cubes, before: _ } => {
                self.asked_to_correct(game, winner, win, &after, &cubes)
            }
            // These follow from an answer; nobody asks for them.
            Event::CaptainChanged { .. } | Event::TakersMovedUp { .. } | Event::LoneTaker { .. } => {
                Vec::new()
            }
        };
        commands.into_iter().map(PossibleCommand::from).collect()
    }
}

impl Chouette {
    fn order_drawn(&self, rounds: &[Vec<Roll>], seats: &Seats) -> Vec<PossibleCommand<Command>> {
        let drawn = match (rounds, seats) {
            ([], Seats::Line(line)) => drawn_for_shuffle(&self.present(), &line.line),
            ([], Seats::Gathering { .. } | Seats::Rolling { .. }) => None,
            (rounds, _) => {
                let dice = rounds.iter().flatten().flat_map(|roll| &roll.dice);
                Some(dice.map(|die| u32::from(die.pips()) - 1).collect())
            }
        };
        drawn.map(|drawn| PossibleCommand { command: Command::DrawOrder {}, drawn }).into_iter().collect()
    }

    /// If nobody accepted, lots were drawn among the crew. The number drawn is the new partner's place in it.
    fn partnership_declined(&self, player: PlayerId, act: &[Event]) -> Vec<PossibleCommand<Command>> {
        let made = act.iter().find_map(|event| {
            if let Event::PartnershipMade { player, .. } = event { Some(*player) } else { None }
        });
        let active = self.seats().standing().map(super::order::Line::active).unwrap_or_default();
        let crew = active.iter().skip(2);
        let drawn = (0..).zip(crew).filter(|(_, member)| made == Some(**member)).map(|(number, _)| number);
        vec![PossibleCommand { command: Command::DeclinePartnership { player }, drawn: drawn.collect() }]
    }

    fn asked_to_settle(&self, bets: &[AgreedBet]) -> Vec<Command> {
        let settlement = |agreed: &AgreedBet| {
            let bet = self.game()?.bet(agreed.bet)?;
            let (payer, payee) = (bet.on(agreed.winner.other()), bet.on(agreed.winner));
            Some(Settlement { payer, payee, points: agreed.points? })
        };
        let settlements: Vec<Settlement> = bets.iter().filter_map(settlement).collect();
        let counted = [None, Some(Side::Box), Some(Side::Team)];
        counted.map(|counts_for| Command::Settle { bets: settlements.clone(), counts_for }).into()
    }

    /// The corrections that may have led to this one: with the bets that changed, with all of them or with
    /// none, and with or without naming the winner and the kind of win.
    fn asked_to_correct(
        &self,
        number: u32,
        winner: Side,
        win: Option<Win>,
        after: &[SettledBet],
        cubes: &[EndedCube],
    ) -> Vec<Command> {
        let Some(finished) = self.finished_game(number) else { return Vec::new() };
        let all: Vec<BetCorrection> =
            cubes.iter().filter_map(|cube| correction(finished, *cube, after)).collect();
        let others = all.iter().copied().filter(|bet| is_another(finished, bet)).collect::<Vec<_>>();
        let mut commands = Vec::new();
        for bets in [others, all, Vec::new()] {
            for winner in [None, Some(winner)] {
                for win in if win.is_some() { [None, win].to_vec() } else { vec![None] } {
                    commands.push(Command::Correct { game: number, winner, win, bets: bets.clone() });
                }
            }
        }
        commands
    }
}

/// The correction that makes a bet what it is now. `None` for the payment for an extra, which is never
/// corrected by itself.
fn correction(finished: &Finished, cube: EndedCube, after: &[SettledBet]) -> Option<BetCorrection> {
    let bet = finished.bets().iter().find(|bet| bet.id == cube.bet)?;
    let result = after.iter().find(|result| result.bet == cube.bet)?;
    if bet.kind == BetKind::ExtraPayment {
        return None;
    }
    let winner = if result.winner == bet.box_side { Side::Box } else { Side::Team };
    let ended = match result.by {
        SettledBy::Game => BetEnded::Game {},
        SettledBy::Drop => BetEnded::Drop { winner },
        SettledBy::Settlement => BetEnded::Settlement { winner, points: result.points },
    };
    let (cube, turned) = (Some(cube.value), Some(cube.turned));
    Some(BetCorrection { bet: bet.id, cube, turned, ended: Some(ended) })
}

/// Whether `now` changes the bet: its cube, or how it ended.
fn is_another(finished: &Finished, now: &BetCorrection) -> bool {
    let bet = finished.bets().iter().find(|bet| bet.id == now.bet);
    let was = finished.results.iter().find(|result| result.bet == now.bet);
    let ended = was.zip(bet).map(|(was, bet)| {
        let winner = if was.winner == bet.box_side { Side::Box } else { Side::Team };
        match was.by {
            SettledBy::Game => BetEnded::Game {},
            SettledBy::Drop => BetEnded::Drop { winner },
            SettledBy::Settlement => BetEnded::Settlement { winner, points: was.points },
        }
    });
    let cube = bet.map(|bet| (bet.cube.value, bet.cube.is_turned()));
    ended != now.ended || cube != now.cube.zip(now.turned)
}

/// The player who was named as proxy. `None` where the rules make it the captain.
const fn named_player(proxy: Option<Proxy>) -> Option<PlayerId> {
    match proxy {
        Some(Proxy::Player(player)) => Some(player),
        Some(Proxy::Captain) | None => None,
    }
}

fn opponents(bets: &[TurnedBet]) -> Vec<PlayerId> {
    bets.iter().map(|bet| bet.opponent).collect()
}

fn winners(bets: &[DroppedBet]) -> Vec<PlayerId> {
    bets.iter().map(|bet| bet.opponent).collect()
}

/// The double of all who could be doubled, or of these only; `rolled` as the command says it.
fn doubles(player: PlayerId, bets: &[TurnedBet], rolled: bool) -> Vec<Command> {
    [None, Some(opponents(bets))].map(|against| Command::Double { player, against, rolled }).into()
}

/// The roll alone, or with the double after it.
fn played_on(act: &[Event]) -> Vec<Command> {
    let mut commands = vec![Command::PlayOn {}];
    for event in act {
        if let Event::Doubled { player, bets } = event {
            commands.extend(doubles(*player, bets, true));
        }
    }
    commands
}

/// The last extra that was offered, or the lone taker's answer once all had been asked.
fn extras_given(taker: PlayerId, extras: &[GivenExtra]) -> Vec<Command> {
    let gives = extras.first().map(|extra| Command::GiveExtra { player: extra.giver });
    gives.into_iter().chain([Command::Take { player: taker, against: None }]).collect()
}

/// The answer to everything that waited for one, or to these opponents only.
fn answers(answer: Answer, player: PlayerId, to: Vec<PlayerId>) -> Vec<Command> {
    let command = |against| match answer {
        Answer::Take => Command::Take { player, against },
        Answer::Drop => Command::Drop { player, against },
        Answer::Beaver => Command::Beaver { player, against },
    };
    [None, Some(to)].map(command).into()
}

fn on_board<'a>(event: &OnBoard, act: &'a [Event]) -> Vec<PossibleCommand<Command>> {
    let on_board = |event: &'a Event| if let Event::Board { of } = event { Some(of) } else { None };
    let act: Vec<&OnBoard> = act.iter().filter_map(on_board).collect();
    let side = |by| match by {
        Colour::White => Side::Box,
        Colour::Black => Side::Team,
    };
    let asked = |Acted { by, action, drawn }: Acted| PossibleCommand {
        command: Command::Board { by: side(by), action },
        drawn,
    };
    event.acted(&act).into_iter().map(asked).collect()
}
