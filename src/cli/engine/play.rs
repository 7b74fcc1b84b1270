//! `owlbox play`: the engine plays a whole game against itself at random, to show a variant at work.

use std::io::Write;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{EngineError, written};
use crate::cli::args::Play;
use owlbox_engine::game::{Action, BoardRules, CubeRules, Event, Game, Phase};
use owlbox_engine::notation::PointNames;
use owlbox_engine::notation::board::draw;
use owlbox_engine::{Chance, Colour, Ended, Outcome, Position, Roll, Win};

/// The source of dice and choices, all from one seed.
struct Random(ChaCha8Rng);

impl Chance for Random {
    fn below(&mut self, sides: u32) -> u32 {
        self.0.random_range(0..sides)
    }
}

/// Plays a game and prints it turn by turn: the number of the turn, the side, the roll and the play. At the
/// end, or after every turn, the board is drawn as the side on turn sees it.
///
/// # Errors
/// [`EngineError::Output`], and [`EngineError::Refused`] if the engine refuses what it listed as legal.
pub fn play(asked: &Play, mut output: impl Write) -> Result<(), EngineError> {
    let rules = BoardRules { variant: asked.variant, ..BoardRules::default() }.with(CubeRules::Without {});
    let mut game = Game::new(rules);
    let mut chance = Random(ChaCha8Rng::seed_from_u64(asked.seed));
    let mut turn = 0;
    while game.outcome().is_none() {
        let before = game.position();
        let by = game.turn().unwrap_or(Colour::White);
        let action = next(&game, &mut chance);
        let events = game.decide(by, &action, &mut chance)?;
        for event in &events {
            game.apply(event);
            let Some(told) = in_words(event, before, asked.names.notation) else { continue };
            if matches!(event, Event::Played { .. } | Event::Passed { .. }) {
                turn += 1;
                writeln!(output, "{turn:>4}  {told}")?;
                if asked.boards {
                    writeln!(output, "{}", draw(game.position(), None))?;
                }
            } else {
                writeln!(output, "      {told}")?;
            }
        }
    }
    if !asked.boards {
        write!(output, "{}", draw(game.position(), None))?;
    }
    Ok(output.flush()?)
}

/// The next action of the side on turn: any of its legal plays. It never doubles and never resigns.
fn next(game: &Game, chance: &mut Random) -> Action {
    match game.phase() {
        Phase::Opening { .. } => Action::RollOpening { dice: None },
        Phase::ToPlay { .. } => {
            let plays = game.plays();
            let some = u32::try_from(plays.len()).unwrap_or(u32::MAX);
            let chosen = if some > 0 { chance.below(some) as usize } else { 0 };
            plays.get(chosen).map_or(Action::Pass {}, |play| Action::Play { steps: play.steps })
        }
        Phase::ToRoll if game.does_not_roll() => Action::Pass {},
        Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => Action::Roll { dice: None },
    }
}

/// An event in words. `None` for an event that the next one includes.
fn in_words(event: &Event, before: Position, names: PointNames) -> Option<String> {
    Some(match event {
        Event::OpeningTied { die, .. } => format!("opening roll {die}-{die}: a tie"),
        Event::Opened { side, white, black, .. } => {
            format!("opening roll {white}-{black}: {} begins", name(*side))
        }
        Event::Played { side, roll, steps, .. } => {
            format!("{:<5} {}: {}", name(*side), dice(*roll), written(names, *side, before, *steps))
        }
        Event::Passed { side, roll: Some(roll), .. } => {
            format!("{:<5} {}: cannot move", name(*side), dice(*roll))
        }
        Event::Passed { side, roll: None, .. } => format!("{:<5} closed out", name(*side)),
        Event::Tied {} => "both mothers are pinned: a tie, and the game starts again".to_owned(),
        Event::Finished { outcome } => won(*outcome),
        Event::Rolled { .. }
        | Event::DiceCocked { .. }
        | Event::RolledEarly { .. }
        | Event::BoardLeft { .. }
        | Event::PlayAccepted { .. }
        | Event::PlaySentBack { .. }
        | Event::Doubled { .. }
        | Event::Beavered { .. }
        | Event::Taken { .. }
        | Event::Dropped { .. }
        | Event::Resigned { .. }
        | Event::ResignationAccepted { .. }
        | Event::ResignationRejected { .. } => return None,
    })
}

fn won(outcome: Outcome) -> String {
    let by = match outcome.ended {
        Ended::BorneOff { win } | Ended::Resigned { win } => match win {
            Win::Single => "a single game",
            Win::Gammon => "a gammon",
            Win::Backgammon => "a backgammon",
        },
        Ended::Dropped {} => "by a drop",
        Ended::MotherPinned {} => "by pinning the mother",
    };
    format!("{} wins {by}: {}", name(outcome.winner), outcome.points)
}

const fn name(side: Colour) -> &'static str {
    match side {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

fn dice(roll: Roll) -> String {
    format!("{}{}", roll.high().pips(), roll.low().pips())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Names;
    use owlbox_engine::Variant;

    fn printed(variant: Variant, seed: u64, boards: bool) -> String {
        let mut output = Vec::new();
        play(&Play { variant, seed, boards, names: Names::default() }, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn v1_to_v4_every_variant_is_played_to_its_end_and_the_same_seed_plays_the_same_game() {
        for variant in Variant::ALL {
            for seed in 0..20 {
                let game = printed(variant, seed, false);
                assert!(game.contains(" begins\n") && game.contains(" wins "), "{variant:?} {seed}: {game}");
                assert!(!game.contains("to move"), "nobody moves after the end: {game}");
                assert_eq!(game, printed(variant, seed, false));
            }
            assert_ne!(printed(variant, 1, false), printed(variant, 2, false));
        }
    }

    #[test]
    fn a_board_is_drawn_after_every_turn_where_that_is_asked_for() {
        let (short, long) = (printed(Variant::Standard, 3, false), printed(Variant::Standard, 3, true));
        let turns = |text: &str| {
            text.lines()
                .filter(|line| line.contains(": ") && line.trim_start().starts_with(char::is_numeric))
                .count()
        };
        assert_eq!(turns(&short), turns(&long));
        let boards = |text: &str| text.matches("pips").count();
        assert_eq!(boards(&long), boards(&short) * turns(&long));
    }
}
