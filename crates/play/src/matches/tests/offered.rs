//! Every offer is accepted and brings just what it says, no matter who asks; and every choice among the legal
//! commands that is a list has its offer.

use std::collections::BTreeSet;

use strum::VariantArray as _;

use super::properties::{Random, choose, may_be, with_clock};
use super::*;
use crate::matches::legal::LegalKind;
use crate::matches::{
    Asker, CommandKind, ContestRuling, EnteredBy, Legal, MatchNo, MatchOfTournament, Offer, ResultAuthority,
};
use owlbox_base::values::{Stake, TournamentId};
use owlbox_engine::game::{Action, ActionKind};

const SCORER: Asker = Asker { by: EnteredBy::Scorer, word: ResultAuthority::Counts, division_clock: None };

/// What a command would do at another time, with dice that nobody has seen.
fn decided(sheet: &Sheet, command: &Command) -> Result<Vec<Event>, Refusal> {
    let now = Utc.timestamp_opt(1_900_000_000, 0).unwrap().into();
    sheet.decide(command, &mut Inputs { now, chance: &mut Random::seeded(5) })
}

/// What a command brings if this person gives it. The rule of the two words once more, as plainly as
/// possible.
fn given(sheet: &Sheet, command: &Command, asker: &Asker) -> Result<Vec<Event>, Refusal> {
    let by = |command: Command| Command::GivenBy { by: asker.by, command: Box::new(command) };
    let events = decided(sheet, &by(command.clone()))?;
    let ResultAuthority::OfOneSide { side, other } = asker.word else { return Ok(events) };
    let score = events.iter().find_map(|event| match event {
        Event::Finished { by: DecidedBy::Score {} | DecidedBy::Stated {}, outcome, .. } => outcome.score,
        _ => None,
    });
    match score {
        // To give up a game or the match needs nobody else.
        Some(score)
            if other != Some(score) && matches!(command, Command::Game(_) | Command::Final { .. }) =>
        {
            decided(sheet, &by(Command::Claim { by: side, command: Box::new(command.clone()) }))
        }
        _ => Ok(events),
    }
}

/// Whether the choices of such a command are lists that `legal` has, so that none is without an offer.
fn is_spelled_out(command: &Command) -> bool {
    match command {
        Command::Open { .. }
        | Command::Penalty { .. }
        | Command::Late { .. }
        | Command::Final { .. }
        | Command::Correct { .. }
        | Command::Import { .. }
        | Command::SetClock { .. }
        | Command::Follow(_)
        | Command::GivenBy { .. }
        | Command::Claim { .. } => false,
        Command::Board { action, .. } => match action {
            Action::RollOpening { dice } => dice.is_none(),
            Action::Roll { dice } => dice.is_none(),
            action => !matches!(action.kind(), ActionKind::Play | ActionKind::LeaveBoard),
        },
        Command::Game(_)
        | Command::Resign { .. }
        | Command::Draw {}
        | Command::Concede { .. }
        | Command::Rule { .. }
        | Command::Contest { .. }
        | Command::WithdrawContest { .. }
        | Command::RuleContest { .. }
        | Command::Adjourn {}
        | Command::Resume {}
        | Command::Close {}
        | Command::Pay { .. }
        | Command::StartBoard { .. }
        | Command::AbandonBoard {}
        | Command::StartClock { .. }
        | Command::PressClock { .. }
        | Command::PauseClock {}
        | Command::ResumeClock {} => true,
    }
}

#[track_caller]
fn is_kept(sheet: &Sheet, offers: &[Offer], asker: &Asker) {
    for (place, Offer { command, brings }) in offers.iter().enumerate() {
        let events = given(sheet, command, asker)
            .unwrap_or_else(|refusal| panic!("{command:?} was offered, and is refused: {refusal}"));
        assert!(offers[..place].iter().all(|other| other.command != *command), "twice: {command:?}");
        let Some(brings) = brings else {
            let rolls = |action: &Action| matches!(action.kind(), ActionKind::RollOpening | ActionKind::Roll);
            assert!(matches!(command, Command::Board { action, .. } if rolls(action)), "{command:?}");
            continue;
        };
        assert_eq!(brings.events, events, "{command:?}");
        let mut after = sheet.clone();
        events
            .iter()
            .for_each(|event| after.apply(event, Utc.timestamp_opt(1_900_000_000, 0).unwrap().into()));
        assert_eq!((brings.score, brings.outcome), (View::score_of(&after), after.outcome()), "{command:?}");
    }
}

/// Every game that could be entered with these cubes.
fn every_result(cubes: &[u32]) -> Vec<Entered> {
    let mut all = Vec::new();
    for winner in Slot::BOTH {
        for value in cubes {
            all.extend(Win::ALL.map(|win| entered(winner, win, *value)));
            all.push(Entered { how: GameEnding::Dropped, ..entered(winner, Win::Single, *value) });
        }
    }
    all
}

/// Games and corrections: what is offered is all that is accepted, except for drops of doubles that gain
/// nothing (M6).
#[track_caller]
fn is_complete(sheet: &Sheet, legal: &[Legal], offers: &[Offer], game: u32) {
    let is_in = |offers: &[Offer], command: &Command| offers.iter().any(|offer| offer.command == *command);
    if let Some(cubes) = legal.iter().find_map(|legal| match legal {
        Legal::Game { cube, .. } => Some(cube),
        _ => None,
    }) {
        for entered in every_result(cubes) {
            let pointless = entered.how == GameEnding::Dropped
                && sheet
                    .tally()
                    .is_some_and(|tally| tally.gains_nothing_by_doubling(entered.winner, entered.cube));
            let command = Command::Game(entered);
            let expected = decided(sheet, &command).is_ok() && !pointless;
            assert_eq!(is_in(offers, &command), expected, "{command:?}");
        }
    }
    let corrections = sheet.corrections(game, &SCORER);
    is_kept(sheet, &corrections, &SCORER);
    for now in every_result(&[1, 2, 4, 8, 16, 32, 64]) {
        let command = Command::Correct { game, now };
        assert_eq!(is_in(&corrections, &command), decided(sheet, &command).is_ok(), "{command:?}");
    }
}

fn kind_of(legal: &Legal) -> &'static str {
    LegalKind::from(legal).into()
}

/// A session for money, a friendly match with a clock, a match of a tournament.
fn tables() -> [Table; 3] {
    let stake = Stake { amount: 500.try_into().unwrap(), currency: "EUR".parse().unwrap() };
    let money =
        Terms::Money { stake: Some(stake), cube: CubeOptions::default(), game: BoardRules::default() };
    let mut tournament = Table::new();
    let of =
        MatchOfTournament { tournament: TournamentId(Uuid::from_u128(9)), division: 1, number: MatchNo(3) };
    let open =
        Command::Open { players: [player(1), player(2)], terms: match_to(3), clock: None, of: Some(of) };
    tournament.good(&open);
    [Table::opened(money), with_clock(5), tournament]
}

#[test]
fn offers_and_decide_agree_whatever_has_happened() {
    let mut offered = BTreeSet::new();
    let mut claimed = 0;
    for seed in 0..16 {
        let mut random = Random::seeded(seed);
        for mut table in tables() {
            for _ in 0..60 {
                table.second += 5;
                let sheet = table.sheet.clone();
                let legal = sheet.legal();
                let side = random.one(&Slot::BOTH);
                let word = ResultAuthority::OfOneSide {
                    side,
                    other: random.one(&[None, Some([3, 0]), Some([3, 2])]),
                };
                let word = if sheet.tournament_match().is_some() { word } else { ResultAuthority::Counts };
                let division_clock =
                    random.one(&[None, Some(ClockSetting { reserve_a_point: 60, delay: 8 })]);
                let player = Asker { by: Some(side).into(), word, division_clock };
                for asker in [SCORER, player] {
                    let offers = sheet.offers(&legal, &asker);
                    is_kept(&sheet, &offers, &asker);
                    claimed += offers
                        .iter()
                        .filter_map(|offer| offer.brings.as_ref())
                        .filter(|brings| {
                            brings.events.iter().any(|event| matches!(event, Event::Claimed { .. }))
                        })
                        .count();
                }
                let offers = sheet.offers(&legal, &SCORER);
                is_complete(&sheet, &legal, &offers, random.below(sheet.games_over().max(1)) + 1);
                for one in &legal {
                    if !sheet.offers([one], &SCORER).is_empty() {
                        offered.insert(kind_of(one));
                    }
                }
                if legal.is_empty() {
                    break;
                }
                let one = random.one(&legal);
                let Some(command) = choose(&table, &one, &mut random) else { continue };
                let by = random.one(&[EnteredBy::Upper, EnteredBy::Lower, EnteredBy::Scorer]);
                let told = match (sheet.tournament_match(), by.side(), &command) {
                    (Some(_), Some(by), Command::Game(_)) => {
                        Command::Claim { by, command: Box::new(command.clone()) }
                    }
                    _ => command.clone(),
                };
                let is_offered = offers.iter().any(|offer| offer.command == command);
                match table.asks(&Command::GivenBy { by, command: Box::new(told) }, &mut random) {
                    Ok(_) => assert!(is_offered || !is_spelled_out(&command), "{command:?} has no offer"),
                    Err(refusal) => {
                        let filled_in = !is_spelled_out(&command);
                        assert!((filled_in || may_be(&refusal)) && !is_offered, "{command:?}: {refusal}");
                    }
                }
            }
        }
    }
    // What people have to fill in has none.
    let filled_in = ["open", "penalty", "late", "correct", "import"];
    let all = LegalKind::VARIANTS.iter().map(|kind| <&str>::from(*kind));
    let missing: Vec<&str> = all.filter(|kind| !offered.contains(kind)).collect();
    assert_eq!(missing, filled_in);
    assert!(claimed > 100, "{claimed}");
}

/// The events of the one offer that is this command.
#[track_caller]
fn brings(offers: &[Offer], command: &Command) -> Vec<Event> {
    let offer = offers.iter().find(|offer| offer.command == *command);
    offer.and_then(|offer| offer.brings.clone()).unwrap_or_else(|| panic!("{command:?}: {offers:?}")).events
}

#[test]
fn the_word_of_one_side_decides_a_match_of_a_tournament_once_the_other_has_said_the_same() {
    let [_, _, mut table] = tables();
    table.game(Upper, Win::Gammon, 1);
    let last = game(Upper, Win::Single, 1);
    let mut asker = Asker {
        by: EnteredBy::Upper,
        word: ResultAuthority::OfOneSide { side: Upper, other: None },
        ..SCORER
    };
    let legal = table.sheet.legal();
    let alone = table.sheet.offers(&legal, &asker);
    let claim = Event::Claimed { by: Upper, score: [3, 0] };
    assert_eq!(brings(&alone, &last).last(), Some(&claim));
    let offer = alone.iter().find(|offer| offer.command == last).unwrap();
    let said = offer.brings.as_ref().unwrap();
    assert_eq!((said.points(), said.score, said.outcome), (Some(1), [3, 0], None));
    // To concede needs nobody else.
    let concedes = brings(&alone, &Command::Concede { by: Upper });
    assert!(matches!(concedes[..], [Event::Finished { .. }]), "{concedes:?}");

    asker.word = ResultAuthority::OfOneSide { side: Upper, other: Some([3, 0]) };
    let agreed = table.sheet.offers(&legal, &asker);
    assert!(matches!(brings(&agreed, &last).last(), Some(Event::Finished { .. })));

    // What one has claimed, the other is offered to confirm.
    let given = Command::GivenBy {
        by: EnteredBy::Upper,
        command: Box::new(Command::Claim { by: Upper, command: Box::new(last) }),
    };
    table.good(&given);
    let other = Asker {
        by: EnteredBy::Lower,
        word: ResultAuthority::OfOneSide { side: Lower, other: Some([3, 0]) },
        ..SCORER
    };
    let offers = table.sheet.offers(&table.sheet.legal(), &other);
    let confirms = brings(&offers, &Command::Final { score: [3, 0] });
    assert!(matches!(confirms[..], [Event::Finished { .. }]), "{confirms:?}");
}

#[test]
fn m3_m6_no_drop_is_offered_that_nobody_would_have_made() {
    // Four away and one away, in the game after the Crawford game.
    let mut table = Table::to(5);
    table.game(Lower, Win::Single, 4).game(Upper, Win::Single, 1);
    let offers = table.sheet.offers(&table.sheet.legal(), &SCORER);
    let drops: Vec<&Command> = offers
        .iter()
        .map(|offer| &offer.command)
        .filter(|command| matches!(command, Command::Game(Entered { how: GameEnding::Dropped, .. })))
        .collect();
    assert_eq!(drops, [&dropped(Upper, 1), &dropped(Upper, 2)], "the leader gains nothing by a double");
}

#[test]
fn a_clock_is_proposed_with_the_divisions_setting_and_what_a_director_grants() {
    let mut table = Table::to(5);
    table.game(Upper, Win::Single, 1);
    let division = ClockSetting { reserve_a_point: 60, delay: 8 };
    let asker = Asker { division_clock: Some(division), ..SCORER };
    let clocks = |table: &Table| -> Vec<Command> {
        let offers = table.sheet.offers(&table.sheet.legal(), &asker).into_iter();
        let of_clock = |offer: &Offer| CommandKind::from(&offer.command) == CommandKind::SetClock;
        offers.filter(of_clock).map(|offer| offer.command).collect()
    };
    // Four and five points are needed: nine halves of a minute each.
    let proposed = Command::SetClock { clock: Some(division), left: Some([270, 270]) };
    assert_eq!(clocks(&table), std::slice::from_ref(&proposed));
    table.good(&proposed);
    assert_eq!(clocks(&table), [Command::SetClock { clock: None, left: None }]);
}

#[test]
fn a_contested_game_is_offered_to_be_upheld_and_struck() {
    let mut table = Table::to(5);
    let entered = Command::GivenBy { by: EnteredBy::Upper, command: Box::new(game(Upper, Win::Single, 1)) };
    table.good(&entered);
    table.good(&Command::Contest { by: Lower, game: Some(1) });
    let offers = table.sheet.offers(&table.sheet.legal(), &SCORER);
    for (ruling, score) in [(ContestRuling::Stands, [1, 0]), (ContestRuling::Void, [0, 0])] {
        let command = Command::RuleContest { game: Some(1), ruling };
        let offer = offers.iter().find(|offer| offer.command == command).expect("it is offered");
        assert_eq!(offer.brings.as_ref().unwrap().score, score);
    }
}
