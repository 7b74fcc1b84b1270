//! The clock runs by the times of its acts.

use super::*;
use crate::matches::Legal;

fn with_clock() -> Table {
    let mut table = Table::new();
    // Two minutes a point, twelve seconds a move, three points: six minutes each.
    let clock = Some(ClockSetting::STANDARD);
    table.good(&Command::Open { players: [player(1), player(2)], terms: match_to(3), clock, of: None });
    table
}

/// Proves T17.
#[test]
fn the_clock_runs_by_the_acts_and_outlives_a_restart() {
    let mut table = with_clock();
    table.good(&Command::StartClock { slot: Upper });
    table.second = 20;
    table.good(&Command::PressClock { by: Upper });
    table.second = 50;
    let view = table.view().clock.unwrap();
    assert_eq!((view.running, view.left), (Some(Lower), [352_000, 360_000]));
    assert_eq!(View::from(&table.replayed()).clock, Some(view));
    table.good(&Command::PauseClock {});
    table.second = 1_000;
    let view = table.view().clock.unwrap();
    assert_eq!((view.paused, view.used, view.since), (Some(Lower), Some(30_000), None));
    table.good(&Command::ResumeClock {});
    table.second = 1_001;
    table.good(&Command::PressClock { by: Lower });
    assert_eq!(table.view().clock.unwrap().left, [352_000, 341_000], "31 seconds, 12 of them for nothing");
    assert_eq!(table.replayed(), table.sheet);
}

#[test]
fn it_is_pressed_by_whose_time_runs_and_stopped_while_it_runs() {
    let mut table = with_clock();
    let (press, pause, resume) =
        (Command::PressClock { by: Upper }, Command::PauseClock {}, Command::ResumeClock {});
    for command in [&press, &pause, &resume] {
        assert_eq!(table.refused(command), Refusal::ClockStands);
    }
    table.good(&Command::StartClock { slot: Lower });
    assert_eq!(table.refused(&press), Refusal::NotYourClock { running: Lower });
    assert_eq!(table.refused(&Command::StartClock { slot: Upper }), Refusal::ClockRuns);
    assert_eq!(table.refused(&resume), Refusal::ClockRuns);
}

#[test]
fn it_stops_when_the_match_is_adjourned_or_over() {
    for (command, by) in [(Command::Adjourn {}, "adjourned"), (Command::Concede { by: Upper }, "finished")] {
        let mut table = with_clock();
        table.good(&Command::StartClock { slot: Upper });
        let events: Vec<_> = table.good(&command).iter().map(kind_of::<Sheet>).collect();
        assert_eq!(events, ["clock_paused", by]);
        assert_eq!(table.view().clock.unwrap().running, None);
    }
}

#[test]
fn a_clock_has_its_limits_and_needs_a_length() {
    let mut table = Table::new();
    let open = |terms, reserve_a_point, delay| Command::Open {
        players: [player(1), player(2)],
        terms,
        clock: Some(ClockSetting { reserve_a_point, delay }),
        of: None,
    };
    assert_eq!(table.refused(&open(match_to(3), 3_601, 12)), Refusal::BadClock);
    assert_eq!(table.refused(&open(match_to(3), 120, 601)), Refusal::BadClock);
    let money = Terms::Money { stake: None, cube: CubeOptions::default(), game: BoardRules::default() };
    assert_eq!(table.refused(&open(money, 120, 12)), Refusal::NotInMoney);
    assert_eq!(Table::to(3).refused(&Command::StartClock { slot: Upper }), Refusal::NoClock);
}

/// Proves T17.
#[test]
fn it_is_set_later_while_it_does_not_run_and_taken_away() {
    let mut table = Table::to(3);
    let speed = ClockSetting { reserve_a_point: 60, delay: 8 };
    let set = |clock| Command::SetClock { clock, left: None };
    assert_eq!(table.refused(&set(None)), Refusal::NothingChanges);
    assert_eq!(table.refused(&set(Some(ClockSetting { delay: 601, ..speed }))), Refusal::BadClock);
    table.good(&set(Some(speed)));
    assert_eq!(table.view().clock.unwrap().left, [180_000, 180_000]);
    table.good(&Command::StartClock { slot: Upper });
    table.second = 18;
    assert_eq!(table.refused(&set(None)), Refusal::ClockRuns);
    table.good(&Command::Adjourn {});
    assert_eq!(table.view().clock.unwrap().used, Some(18_000));
    table.good(&set(Some(ClockSetting::STANDARD)));
    let view = table.view().clock.unwrap();
    assert_eq!((view.left, view.paused), ([360_000, 360_000], None), "with the whole reserve");
    table.good(&set(None));
    assert_eq!((table.view().clock, table.sheet.clock_setting()), (None, None));
    assert_eq!(table.replayed(), table.sheet);
    let is_listed =
        |table: &Table| table.sheet.legal().iter().any(|one| matches!(one, Legal::SetClock { .. }));
    assert!(is_listed(&table));
    table.good(&Command::Concede { by: Upper });
    assert_eq!(table.refused(&set(Some(speed))), Refusal::MatchOver);
    assert!(!is_listed(&table));
    let mut money = Table::money(CubeOptions::default());
    assert_eq!(money.refused(&set(Some(speed))), Refusal::NotInMoney);
}

#[test]
fn each_side_can_be_given_its_own_time() {
    let mut table = Table::to(7);
    let set = |left| Command::SetClock { clock: Some(ClockSetting::STANDARD), left: Some(left) };
    table.good(&set([540, 300]));
    assert_eq!(table.view().clock.unwrap().left, [540_000, 300_000]);
    assert_eq!(table.refused(&set([540, 300])), Refusal::NothingChanges);
    assert_eq!(table.refused(&set([918_001, 1])), Refusal::BadClock);
    table.good(&set([540, 0]));
    assert_eq!(table.view().clock.unwrap().left, [540_000, 0]);
    // The same setting with its whole reserve is what it had been without.
    let whole = Command::SetClock { clock: Some(ClockSetting::STANDARD), left: None };
    assert_eq!(table.refused(&whole), Refusal::NothingChanges);
    table.good(&Command::SetClock { clock: None, left: Some([1, 1]) });
    assert_eq!((table.view().clock, table.replayed() == table.sheet), (None, true));
}
