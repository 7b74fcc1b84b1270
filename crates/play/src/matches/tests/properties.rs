//! Properties of any sheet.

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::matches::view::LineKind;
use crate::matches::{Legal, LineContent, Status};
use owlbox_engine::game::{Action, ActionKind, OpeningDice};
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{Die, Roll};

/// A generator like the service's, but seeded.
pub(super) struct Random(ChaCha8Rng);

impl Chance for Random {
    fn below(&mut self, sides: u32) -> u32 {
        self.0.random_range(0..sides)
    }
}

impl Random {
    pub(super) fn seeded(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(super) fn one<T: Clone>(&mut self, of: &[T]) -> T {
        let at = self.0.random_range(0..of.len());
        of[at].clone()
    }

    fn die(&mut self) -> Die {
        self.one(&Die::ALL)
    }
}

fn some_game() -> impl Strategy<Value = Entered> {
    let slot = prop_oneof![Just(Upper), Just(Lower)];
    let how = prop::sample::select(vec![GameEnding::Played, GameEnding::Dropped, GameEnding::Resigned]);
    (slot, prop::sample::select(Win::ALL.to_vec()), 0..4_u32, how).prop_map(|(winner, win, power, how)| {
        Entered {
            how,
            win: if how == GameEnding::Dropped { Win::Single } else { win },
            ..entered(winner, win, 1 << power)
        }
    })
}

/// The match with these games, as far as they are accepted.
fn played(length: u16, games: &[Entered]) -> Table {
    let mut table = Table::to(length);
    for game in games {
        let _ = table.asks(&Command::Game(*game), &mut Dice::default());
    }
    table
}

proptest! {
    #[test]
    fn m3_any_games_have_one_crawford_game_at_most_and_replay_to_the_same_sheet(
        length in 1..=25_u16,
        games in prop::collection::vec(some_game(), 0..40),
    ) {
        let table = played(length, &games);
        let crawford = |kind: &LineKind| matches!(kind, LineKind::Won { crawford: true, .. });
        let view = table.view();
        prop_assert!(view.lines.iter().filter(|line| crawford(&line.what)).count() <= 1);
        prop_assert_eq!(view.outcome.is_some(), view.score.contains(&length.into()));
        prop_assert_eq!(table.replayed(), table.sheet);
    }

    #[test]
    fn the_stake_is_with_the_winner_and_what_moves_of_it_adds_up(
        length in 1..=9_u16,
        games in prop::collection::vec(some_game(), 0..20),
        corrections in prop::collection::vec((1..20_u32, some_game()), 0..6),
    ) {
        let mut table = staked(length);
        let entered = games.iter().map(|game| Command::Game(*game));
        let corrected = corrections.iter().map(|(game, now)| Command::Correct { game: *game, now: *now });
        for command in entered.chain(corrected) {
            let _ = table.asks(&command, &mut Dice::default());
            let winner = table.sheet.outcome().and_then(|outcome| outcome.winner);
            prop_assert_eq!(table.sheet.stake_won(), winner);
        }
        let mut with = None;
        for (event, _) in &table.events {
            if let Event::StakeMoved { from, to } = event {
                prop_assert!(*from == with && from != to);
                with = *to;
            }
        }
        prop_assert_eq!(with, table.sheet.stake_won());
        prop_assert_eq!(table.replayed(), table.sheet);
    }

    #[test]
    fn correcting_and_correcting_back_is_as_if_nothing_had_been(
        length in 1..=15_u16,
        games in prop::collection::vec(some_game(), 1..20),
        at in any::<prop::sample::Index>(),
        other in some_game(),
    ) {
        let mut table = played(length, &games);
        let over = table.sheet.games_over();
        prop_assume!(over > 0);
        let game = u32::try_from(at.index(usize::try_from(over).unwrap())).unwrap() + 1;
        let before = table.sheet.clone();
        let (_, entry) = before.games().nth(usize::try_from(game - 1).unwrap()).unwrap();
        let LineContent::Won(won) = entry.what else { panic!("drawn") };
        if table.asks(&Command::Correct { game, now: other }, &mut Dice::default()).is_ok() {
            let now = Entered {
                winner: won.winner,
                win: won.win,
                cube: won.cube,
                how: won.how,
                turned: Some(won.turned),
                began: won.began,
            };
            table.good(&Command::Correct { game, now });
        }
        prop_assert_eq!(as_counted(&table.sheet), as_counted(&before));
        prop_assert_eq!(table.replayed(), table.sheet);
    }
}

/// An action of this kind, with random values.
fn action(table: &Table, kind: ActionKind, random: &mut Random) -> Option<Action> {
    let board = table.sheet.board()?;
    let entered = board.dice == DiceSource::Entered;
    Some(match kind {
        ActionKind::RollOpening => {
            let dice = OpeningDice { white: random.die(), black: random.die() };
            Action::RollOpening { dice: entered.then_some(dice) }
        }
        ActionKind::Roll => {
            let roll = Roll::new(random.die(), random.die());
            Action::Roll { dice: entered.then_some(roll) }
        }
        ActionKind::Play => Action::Play { steps: random.one(&board.game.plays()).steps },
        ActionKind::Resign if random.below(40) == 0 => {
            Action::Resign { win: random.one(board.game.rules().variant.wins()) }
        }
        ActionKind::LeaveBoard | ActionKind::CockedDice | ActionKind::Resign => return None,
        ActionKind::Pass => Action::Pass {},
        ActionKind::AcceptPlay => Action::AcceptPlay {},
        ActionKind::SendBack => Action::SendBack {},
        ActionKind::Double => Action::Double {},
        ActionKind::Beaver => Action::Beaver {},
        ActionKind::Take => Action::Take {},
        ActionKind::Drop => Action::Drop {},
        ActionKind::AcceptResignation => Action::AcceptResignation {},
        ActionKind::RejectResignation => Action::RejectResignation {},
    })
}

/// A command from a legal one, with its choices made; `None` to choose again.
pub(super) fn choose(table: &Table, legal: &Legal, random: &mut Random) -> Option<Command> {
    Some(match legal {
        Legal::Game { winner, win, cube: cubes } => {
            game(random.one(winner), random.one(win), random.one(cubes))
        }
        Legal::Resign { by, win, cube: cubes } => Command::Resign {
            by: random.one(by),
            win: random.one(win),
            cube: cube(random.one(cubes)),
            turned: None,
            began: None,
        },
        Legal::Draw {} => Command::Draw {},
        Legal::Penalty { gains, .. } => Command::Penalty { gains: random.one(gains), points: 1 },
        Legal::Late { by } => Command::Late { by: random.one(by), minutes: 7 },
        Legal::Final { length, at_least } => Command::Final { score: [*length, at_least[1]] },
        Legal::Concede { by } => Command::Concede { by: random.one(by) },
        Legal::Rule { goes_on: true } => Command::Rule { outcome: None, withdraws: Vec::new() },
        Legal::Rule { goes_on: false } => Command::Rule {
            outcome: Some(Outcome { winner: Some(Upper), ending: Ending::Forfeit, score: None }),
            withdraws: Vec::new(),
        },
        Legal::Contest { by, game } => Command::Contest { by: *by, game: random.one(game) },
        Legal::WithdrawContest { by, game } => Command::WithdrawContest { by: *by, game: random.one(game) },
        Legal::RuleContest { game, ruling } => {
            Command::RuleContest { game: random.one(game), ruling: random.one(ruling) }
        }
        Legal::Adjourn {} => Command::Adjourn {},
        Legal::Resume {} => Command::Resume {},
        Legal::Close {} => Command::Close {},
        Legal::Pay { by, amount_up_to } => Command::Pay { by: *by, amount: *amount_up_to },
        Legal::StartBoard { dice } => Command::StartBoard { dice: random.one(dice) },
        Legal::Board { by, action: kinds } => {
            let kind = random.one(kinds);
            Command::Board { by: *by, action: action(table, kind, random)? }
        }
        Legal::AbandonBoard {} => Command::AbandonBoard {},
        Legal::SetClock { .. } => Command::SetClock {
            clock: if table.sheet.clock_setting().is_some() { None } else { Some(ClockSetting::STANDARD) },
            left: None,
        },
        Legal::StartClock { slot } => Command::StartClock { slot: random.one(slot) },
        Legal::PressClock { by } => Command::PressClock { by: *by },
        Legal::PauseClock {} => Command::PauseClock {},
        Legal::ResumeClock {} => Command::ResumeClock {},
        Legal::Open {} | Legal::Import {} | Legal::Correct { .. } => return None,
    })
}

/// Whether the walk may meet this refusal although the command was listed: here the score would change the
/// rules of the game on the board.
pub(super) const fn may_be(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::GameRulesChange)
}

pub(super) fn with_clock(length: u16) -> Table {
    let mut table = Table::new();
    let clock = Some(ClockSetting::STANDARD);
    let rules = DivisionSettings { holland: true, ..DivisionSettings::default() };
    let terms = rules.terms(Length::try_from(length).unwrap(), false);
    table.good(&Command::Open { players: [player(1), player(2)], terms, clock, of: None });
    table
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_is_legal_is_carried_out_and_replays_to_the_same_sheet(seed in any::<u64>(), length in 0..8_u16) {
        let mut random = Random::seeded(seed);
        let mut table = if length == 0 { Table::money(CubeOptions::default()) } else { with_clock(length) };
        for _ in 0..200 {
            table.second += 5;
            let legal = table.sheet.legal();
            if legal.is_empty() {
                break;
            }
            let legal = random.one(&legal);
            let Some(command) = choose(&table, &legal, &mut random) else { continue };
            if let Err(refusal) = table.asks(&command, &mut random) {
                prop_assert!(may_be(&refusal), "{:?}: {}", command, refusal);
            }
        }
        prop_assert_eq!(table.replayed(), table.sheet);
    }
}

/// A match refereed to its end by taking any action that is offered.
fn refereed(terms: Terms, seed: u64) -> Table {
    let mut random = Random::seeded(seed);
    let mut table = Table::opened(terms);
    while table.sheet.status() != Status::Over && table.sheet.games_over() < 5 {
        if table.sheet.board().is_none() {
            table.good(&Command::StartBoard { dice: DiceSource::Drawn });
        }
        let by = random.one(&Slot::BOTH);
        let offered = table.sheet.offered(by);
        if offered.is_empty() {
            continue;
        }
        let kind = random.one(&offered);
        // No file can express a roll before the opponent has lifted their dice.
        let early = kind == ActionKind::Roll
            && table
                .sheet
                .board()
                .is_some_and(|board| board.game.turn().map(super::super::board::slot) != Some(by));
        if let Some(action) = action(&table, kind, &mut random).filter(|_| !early) {
            table.asks(&Command::Board { by, action }, &mut random).unwrap();
        }
    }
    table
}

#[test]
fn random_refereed_matches_end_and_go_out_as_files_that_come_in_the_same() {
    for seed in 0..12 {
        let table = refereed(match_to(3), seed);
        assert!(table.sheet.outcome().is_some() || table.sheet.games_over() == 5, "seed {seed}");
        assert_eq!(table.replayed(), table.sheet, "seed {seed}");
        let text = table.sheet.mat(["Ann", "Bob"]).unwrap();
        let mut again = Table::to(3);
        again.good(&Command::Import { text: text.clone(), left: Upper });
        assert_eq!(again.score(), table.score(), "seed {seed}");
        assert_eq!(again.sheet.mat(["Ann", "Bob"]).unwrap(), text, "seed {seed}");
        assert_ne!(table.view().phase, None);
    }
    assert_ne!(MatchPhase::Crawford, MatchPhase::AfterCrawford);
}
