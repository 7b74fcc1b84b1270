//! Random nights, walked along the legal commands: what must hold whatever happens.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use super::{Night, Script, join, now, open, players};
use crate::chouette::rules::BoxRetention;
use crate::chouette::{Chouette, Command, Event, FinishedGame, HouseRules, Legal, Phase, Roll, Seats, Side};
use crate::engine::Win;
use crate::journal::{Aggregate, Deed, Given, Stream};
use crate::ledger::{reversal_of, transaction_for};
use crate::values::{ChouetteId, HalfPoints, PlayerId};

/// Everybody who may turn up.
const CLUB: &str = "ABCDEFG";

/// Random numbers that decide one step; shrinking them makes the night plainer.
type Step = [u8; 4];

fn pick<T: Clone>(from: &[T], number: u8) -> T {
    from[usize::from(number) % from.len()].clone()
}

/// A non-empty choice of `from`, or nobody named.
fn choice(from: &[PlayerId], number: u8) -> Option<Vec<PlayerId>> {
    let chosen: Vec<PlayerId> = from
        .iter()
        .enumerate()
        .filter(|(place, _)| number >> (place % 7) & 1 == 1)
        .map(|(_, player)| *player)
        .collect();
    (!chosen.is_empty()).then_some(chosen)
}

/// The command that `step` makes of a legal one, if there is one (nobody may be left to join).
fn command(legal: &Legal, state: &Chouette, [_, x, y, z]: Step) -> Option<Command> {
    Some(match legal {
        Legal::Open {} => open("Table", HouseRules::default()),
        Legal::Join {} => {
            let present = state.present();
            let outside: Vec<PlayerId> =
                players(CLUB).into_iter().filter(|player| !present.contains(player)).collect();
            (!outside.is_empty()).then(|| Command::Join { player: pick(&outside, x) })?
        }
        Legal::Leave { player } => Command::Leave { player: pick(player, x) },
        Legal::DrawOrder {} => Command::DrawOrder {},
        Legal::EnterRolls { players } => {
            let dice = [x, y, z, x ^ y, y ^ z, x ^ z, x ^ y ^ z];
            let roll =
                |(&player, die): (&PlayerId, u8)| Roll { player, die: (die % 6 + 1).try_into().unwrap() };
            Command::EnterRolls { rolls: players.iter().zip(dice).map(roll).collect() }
        }
        Legal::StartGame {} => Command::StartGame {},
        Legal::Double { player, against } => Command::Double { player: *player, against: choice(against, x) },
        Legal::Take { player, against } => Command::Take { player: *player, against: choice(against, x) },
        Legal::Drop { player, against } => Command::Drop { player: *player, against: choice(against, x) },
        Legal::Finish { winner, win } => Command::Finish { winner: pick(winner, x), win: pick(win, y) },
        Legal::Close {} => Command::Close {},
    })
}

/// Whether `command` is among the legal ones.
fn is_legal(legal: &[Legal], state: &Chouette, command: &Command) -> bool {
    let among = |against: &Option<Vec<PlayerId>>, allowed: &[PlayerId]| match against {
        None => true,
        Some(named) => {
            let distinct: BTreeSet<_> = named.iter().collect();
            !named.is_empty()
                && distinct.len() == named.len()
                && named.iter().all(|one| allowed.contains(one))
        }
    };
    legal.iter().any(|legal| match (legal, command) {
        (Legal::Open {}, Command::Open { .. })
        | (Legal::DrawOrder {}, Command::DrawOrder {})
        | (Legal::StartGame {}, Command::StartGame {})
        | (Legal::Close {}, Command::Close {}) => true,
        (Legal::Join {}, Command::Join { player }) => !state.present().contains(player),
        (Legal::Leave { player: allowed }, Command::Leave { player }) => allowed.contains(player),
        (Legal::EnterRolls { players }, Command::EnterRolls { rolls }) => {
            let rolled: Vec<PlayerId> = rolls.iter().map(|roll| roll.player).collect();
            rolled == *players
        }
        (Legal::Double { player, against }, Command::Double { player: who, against: named })
        | (Legal::Take { player, against }, Command::Take { player: who, against: named })
        | (Legal::Drop { player, against }, Command::Drop { player: who, against: named }) => {
            player == who && among(named, against)
        }
        (Legal::Finish { winner, win }, Command::Finish { winner: side, win: kind }) => {
            winner.contains(side) && win.contains(kind)
        }
        _ => false,
    })
}

/// Commands of every kind by everybody, most of them nonsense.
fn every_command(state: &Chouette) -> Vec<Command> {
    let roll = |player| Roll { player, die: 3.try_into().unwrap() };
    let mut commands = vec![
        open("Table", HouseRules::default()),
        Command::DrawOrder {},
        Command::StartGame {},
        Command::Close {},
        Command::Finish { winner: Side::Team, win: Win::Gammon },
        Command::EnterRolls { rolls: Vec::new() },
        Command::EnterRolls { rolls: state.present().into_iter().map(roll).collect() },
        Command::EnterRolls { rolls: state.to_roll().into_iter().map(roll).collect() },
    ];
    let club = players(CLUB);
    for &player in &club {
        commands.extend([Command::Join { player }, Command::Leave { player }]);
        let mut choices = vec![None, Some(Vec::new()), Some(club.clone()), Some(vec![club[0]; 2])];
        choices.extend(club.iter().map(|&opponent| Some(vec![opponent])));
        for against in choices {
            commands.extend([
                Command::Double { player, against: against.clone() },
                Command::Take { player, against: against.clone() },
                Command::Drop { player, against },
            ]);
        }
    }
    commands
}

/// Naming nobody means all that can be, so it is refused only where nobody could be named.
fn legal_and_decide_agree(state: &Chouette) {
    let legal = state.legal();
    for command in every_command(state) {
        let mut dice = Script::default();
        dice.0.extend(std::iter::repeat_n(0, 1_000));
        let decided = state.decide(&command, &mut Given { now: now(), chance: &mut dice });
        let expected = is_legal(&legal, state, &command);
        assert_eq!(decided.is_ok(), expected, "{command:?} in {state:?}: {decided:?}");
    }
}

/// What the prose says about who sits where next, told a second time: by walking the events of a game.
#[derive(Default)]
struct Prose {
    /// The order is settled: from here on the line goes by what is told of it, not by the dice.
    stands: bool,
    line: Vec<PlayerId>,
    waiting: Vec<PlayerId>,
    box_player: Option<PlayerId>,
    queue: Vec<PlayerId>,
    /// Who is still in.
    still_in: Vec<PlayerId>,
    /// Who lost to the box, and who beat it.
    lost: Vec<PlayerId>,
    won: Vec<PlayerId>,
    last_acting: Option<PlayerId>,
    drops_by_box: usize,
}

impl Prose {
    fn hear(&mut self, event: &Event, playing: bool) {
        match event {
            Event::RollsEntered { seats, .. } | Event::OrderDrawn { seats, .. } => self.ordered(seats),
            // Whoever goes while the tied still have to roll may leave nobody tied.
            Event::Left { seats, .. } if !self.stands => self.ordered(seats),
            Event::Joined { .. } if !self.stands => {}
            Event::Joined { player, .. } if playing => self.waiting.push(*player),
            Event::Joined { player, .. } => self.line.push(*player),
            Event::Left { player, .. } => {
                self.line.retain(|other| other != player);
                self.waiting.retain(|other| other != player);
            }
            Event::GameStarted { .. } => {
                self.box_player = Some(self.line[0]);
                self.queue = self.line[1..].to_vec();
                self.still_in = self.queue.clone();
                (self.lost, self.won, self.drops_by_box) = (Vec::new(), Vec::new(), 0);
                self.last_acting = None;
            }
            Event::Dropped { player, bets } => {
                self.last_acting = Some(self.still_in[0]);
                if Some(*player) == self.box_player {
                    self.won.extend(bets.iter().map(|bet| bet.opponent));
                    self.drops_by_box += bets.len();
                } else {
                    self.lost.push(*player);
                }
                let (lost, won) = (&self.lost, &self.won);
                self.still_in.retain(|member| !lost.contains(member) && !won.contains(member));
            }
            _ => {}
        }
    }

    fn ordered(&mut self, seats: &Seats) {
        self.line = seats.line().to_vec();
        self.stands = matches!(seats, Seats::Line { .. });
    }

    /// The box is kept by beating the one who decides; who loses goes to the end of the line.
    fn line_after(&mut self, finished: &FinishedGame, retention: BoxRetention) -> Vec<PlayerId> {
        if finished.win.is_some() {
            self.last_acting = Some(self.still_in[0]);
            let end = if finished.winner == Side::Team { &mut self.won } else { &mut self.lost };
            end.append(&mut self.still_in);
        }
        let captain = self.queue[0];
        let decides = match retention {
            BoxRetention::LastStanding if self.drops_by_box < self.queue.len() => self.last_acting.unwrap(),
            _ => captain,
        };
        let box_player = self.box_player.unwrap();
        let mut next = std::mem::take(&mut self.queue);
        next.rotate_left(1);
        if self.won.contains(&decides) {
            next.push(box_player);
            let place = next.iter().position(|&member| member == decides).unwrap();
            let new_box = next.remove(place);
            next.insert(0, new_box);
        } else {
            next.insert(0, box_player);
        }
        next.retain(|player| self.line.contains(player));
        next.append(&mut self.waiting);
        self.line.clone_from(&next);
        next
    }
}

fn check_seats(state: &Chouette) {
    let present = state.present();
    let distinct: BTreeSet<_> = present.iter().collect();
    assert_eq!(distinct.len(), present.len(), "nobody sits twice");
    if !matches!(state.phase(), Phase::Unopened | Phase::Gathering | Phase::Ordering | Phase::Closed) {
        let mut seated = [state.line(), state.waiting()].concat();
        seated.sort();
        assert_eq!(
            seated,
            distinct.into_iter().copied().collect::<Vec<_>>(),
            "the line is all those present"
        );
    }
}

fn check_scores(state: &Chouette) {
    let sum: HalfPoints = state.standings().iter().map(|score| score.points).sum();
    assert_eq!(sum, HalfPoints::ZERO);
    let booked: HalfPoints = state.standings().iter().map(|score| state.booked(score.player)).sum();
    assert_eq!(booked, HalfPoints::ZERO);
}

fn check_event(event: &Event) {
    let written = serde_json::to_string(event).unwrap();
    assert_eq!(&Chouette::decode(Chouette::FORMAT, &written).unwrap(), event);
    let value: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(value["event"], event.kind());
    if let Event::GameFinished(finished) = event {
        let stake = serde_json::from_value(serde_json::json!({"amount": 501, "currency": "EUR"})).unwrap();
        let posted = transaction_for(ChouetteId(Uuid::nil()), finished, Some(stake), now()).unwrap();
        assert_eq!(posted.postings().len(), 4 * finished.bets.len());
        assert_eq!(reversal_of(&reversal_of(&posted)), posted);
    }
}

fn undo_then_redo_equals_state(night: &mut Night) {
    let before = night.state().clone();
    if night.undo().is_ok() {
        night.redo().unwrap();
    }
    assert_eq!(night.state(), &before);
    assert_eq!(Stream::replay(&night.acts).unwrap(), night.stream);
}

/// The step's command: now and then an unlikely one, so that nights have games in them.
fn next_command(state: &Chouette, step: Step) -> Option<Command> {
    let legal: Vec<Legal> = state
        .legal()
        .into_iter()
        .filter(|legal| step[3] < 8 || !matches!(legal, Legal::Close {}))
        .filter(|legal| step[3].is_multiple_of(4) || !matches!(legal, Legal::Leave { .. }))
        .collect();
    (!legal.is_empty()).then(|| command(&pick(&legal, step[0]), state, step)).flatten()
}

fn walk(retention: BoxRetention, steps: &[Step]) -> Night {
    let mut night = Night::opened(HouseRules { box_retention: retention, ..HouseRules::default() });
    for letter in "ABCD".chars() {
        night.ok(&join(letter));
    }
    for &step in steps {
        let Some(command) = next_command(night.state(), step) else { continue };
        night.dice.0 = step.into_iter().cycle().map(|number| u32::from(number) % 6).take(1_000).collect();
        for event in night.ok(&command) {
            check_event(&event);
        }
        check_seats(night.state());
        check_scores(night.state());
    }
    night
}

/// Compares every line of the night with what the prose says.
fn compare_with_prose(night: &Night, retention: BoxRetention) {
    let mut prose = Prose::default();
    let mut state = Chouette::initial();
    for act in &night.acts {
        let Deed::Events(events) = &act.deed else { continue };
        for event in events {
            prose.hear(event, state.game().is_some());
            if let Event::GameFinished(finished) = event {
                assert_eq!(prose.line_after(finished, retention), finished.line, "{finished:?}");
            }
            state.apply(event, act.at);
        }
    }
}

fn retention() -> impl Strategy<Value = BoxRetention> {
    prop_oneof![Just(BoxRetention::OriginalCaptain), Just(BoxRetention::LastStanding)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nights_add_up_and_everybody_has_one_seat(
        retention in retention(),
        steps in vec(any::<Step>(), 0..120),
    ) {
        let night = walk(retention, &steps);
        compare_with_prose(&night, retention);
    }

    #[test]
    fn replay_equals_state_and_undo_then_redo_too(
        retention in retention(),
        steps in vec(any::<Step>(), 0..60),
    ) {
        let mut night = walk(retention, &steps);
        undo_then_redo_equals_state(&mut night);
        for step in steps.iter().take(12) {
            match step[0] % 3 {
                0 => drop(night.undo()),
                1 => drop(night.redo()),
                _ => {
                    if let Some(command) = next_command(night.state(), *step) {
                        night.dice.0.extend(std::iter::repeat_n(2, 1_000));
                        night.ok(&command);
                    }
                }
            }
            undo_then_redo_equals_state(&mut night);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_legal_is_refused_and_what_is_legal_is_not(
        retention in retention(),
        steps in vec(any::<Step>(), 0..50),
    ) {
        legal_and_decide_agree(&Chouette::initial());
        let mut night = Night::opened(HouseRules { box_retention: retention, ..HouseRules::default() });
        for letter in "ABC".chars() {
            night.ok(&join(letter));
        }
        for step in steps {
            legal_and_decide_agree(night.state());
            if let Some(command) = next_command(night.state(), step) {
                night.dice.0 = step.into_iter().cycle().map(|number| u32::from(number) % 6).take(1_000).collect();
                night.ok(&command);
            }
        }
    }
}

#[test]
fn the_random_nights_have_what_they_should_in_them() {
    let mut seen = BTreeSet::new();
    let mut number: u32 = 1;
    let mut next = || {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        number.to_be_bytes()[0]
    };
    for _ in 0..40 {
        let steps: Vec<Step> = (0..120).map(|_| [next(), next(), next(), next()]).collect();
        let night = walk(BoxRetention::LastStanding, &steps);
        for act in &night.acts {
            if let Deed::Events(events) = &act.deed {
                seen.extend(events.iter().map(Event::kind));
                let ended_by_drops = events.len() == 2;
                seen.extend(ended_by_drops.then_some("ended by drops"));
            }
        }
    }
    for kind in [
        "left",
        "rolls_entered",
        "order_drawn",
        "game_started",
        "doubled",
        "taken",
        "dropped",
        "game_finished",
        "closed",
        "ended by drops",
    ] {
        assert!(seen.contains(kind), "{kind} never happened");
    }
}
