//! What is asked of the books: of short ones and of long ones, in turns.
//!
//! Each year has the same nights, tables and seats in both clubs, and the table that is asked about as many
//! games, so the answers are as long; but the long books have ten times the games on a night, and ten times
//! the years.

use std::future::Future;

use owlbox_base::values::Holder;
use owlbox_books::ledger::{Source, Unit};
use owlbox_books::statistics::ClubSpan;
use owlbox_desk::books::statements::{Filter, LedgerRange};
use owlbox_desk::nights::statistics::Filter as Games;
use owlbox_desk::{Actor, Refused};

use super::club::{Club, day};
use super::moment::measured_or;
use super::{medians, times};

pub fn measure(database: &str, short: &Club, long: &Club) {
    println!(
        "{database}: {} postings in a year, {} in all years of the other",
        short.postings, long.postings
    );
    let ask = |what: &str, ask: &dyn Fn(&Club)| {
        let [few, many] = medians([&mut || ask(short), &mut || ask(long)]);
        println!("{database}, {what}: {few:.2?} and {many:.2?}: {:.2} times  (gate 1.5)", times(many, few));
    };
    let year = |club: &Club| Filter {
        from: Some(day(club.year, 1)),
        until: day(club.year + 1, 1).pred_opt(),
        ..Filter::default()
    };
    let opponent = |club: &Club| Some(Holder::from(club.opponent));
    let kind = || Some("partner".to_owned());
    let source = |club: &Club| Some(Source::Chouette(club.table));
    ask("a statement's page, the year", &|club| page(club, year(club)));
    ask("... of an opponent", &|club| page(club, Filter { counterparty: opponent(club), ..year(club) }));
    ask("... of a kind", &|club| page(club, Filter { kind: kind(), ..year(club) }));
    ask("... of a table", &|club| page(club, Filter { source: source(club), ..year(club) }));
    ask("a statement's page, all years", &|club| page(club, Filter::default()));
    ask("... of an opponent", &|club| {
        page(club, Filter { counterparty: opponent(club), ..Filter::default() })
    });
    ask("... of a kind", &|club| page(club, Filter { kind: kind(), ..Filter::default() }));
    ask("... of a table", &|club| page(club, Filter { source: source(club), ..Filter::default() }));
    let in_november = |club: &Club| day(club.year, 12).pred_opt().unwrap();
    ask("a balance on a day", &|club| {
        answered(club, club.desk.balances(&Actor::CONSOLE, club.player.into(), Some(in_november(club))));
    });
    let games = |club: &Club| Games { from: year(club).from, until: year(club).until, ..Games::default() };
    for (which, games) in
        [("the year", &games as &dyn Fn(&Club) -> Games), ("all years", &|_| Games::default())]
    {
        ask(&format!("head to head of two, {which}"), &|club| {
            let Club { desk, player, opponent, .. } = club;
            answered(club, desk.pair_statistics(&Actor::CONSOLE, *player, *opponent, games(club)));
        });
        ask(&format!("head to head of everybody, {which}"), &|club| {
            answered(club, club.desk.head_to_head(&Actor::CONSOLE, None, games(club)));
        });
    }
    ask("the club's year", &|club| {
        answered(club, club.desk.club_period(&Actor::CONSOLE, ClubSpan::Year(club.year)));
    });
}

/// Reads a page of the player's statement, which is full.
fn page(club: &Club, filter: Filter) {
    let part = LedgerRange::Period { filter, before: None };
    let Club { desk, player, .. } = club;
    // As many as the short books have for every question.
    let lines = measured_or(1, 10);
    let page = desk.statement_screen(&Actor::CONSOLE, (*player).into(), Some(Unit::HalfPoints), part, lines);
    assert_eq!(i64::try_from(answered(club, page).lines.len()).unwrap(), lines);
}

fn answered<T>(club: &Club, answer: impl Future<Output = Result<T, Refused>>) -> T {
    club.runtime.block_on(answer).unwrap()
}
