//! Random daybooks: what is in the books is what was recorded and not taken back, and a closed month stays as
//! it is.

use std::collections::BTreeMap;

use chrono::{DateTime, Days, NaiveDate};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::club::settings::AdjustmentLimit;
use crate::ledger::{Unit, of_daybook, of_daybook_event, reversal_of};
use owlbox_base::journal::again::{CommandFound, decided_again};
use owlbox_base::journal::{Aggregate, Chance, Inputs, kind_of, kinds_of};
use owlbox_base::values::{AccountId, Currency, Holder, PlayerId, Timestamp};

struct NoChance;
impl Chance for NoChance {
    fn below(&mut self, _: u32) -> u32 {
        panic!("the daybook drew lots")
    }
}

fn moment() -> Timestamp {
    DateTime::UNIX_EPOCH.into()
}
fn player(number: u8) -> PlayerId {
    PlayerId(Uuid::from_u128(number.into()))
}
fn account(number: u8) -> AccountId {
    AccountId(Uuid::from_u128(u128::from(number) + 1_000))
}
fn eur() -> Currency {
    "EUR".parse().unwrap()
}
fn day(after: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 1, 1).unwrap() + Days::new(after)
}
fn memo(text: &str) -> Memo {
    text.parse().unwrap()
}
fn when(daybook: &Daybook, command: &Command) -> Result<Vec<Event>, Refusal> {
    daybook.decide(command, &mut Inputs { now: moment(), chance: &mut NoChance })
}

fn given(commands: &[Command]) -> Daybook {
    let mut daybook = Daybook::initial();
    for command in commands {
        for event in when(&daybook, command).unwrap() {
            daybook.apply(&event, moment());
        }
    }
    daybook
}

fn record(what: Record) -> Command {
    let memo = what.needs_reason().then(|| memo("why"));
    Command::Record { recorded: Recorded { on: day(3), memo, what }, word: Authority::Alone(None) }
}

/// Somebody who wants to do something on the day after the first of the year, with a limit of 50 euros.
fn somebody(number: u8) -> Bookkeeper<'static> {
    Bookkeeper {
        account: account(number),
        player: Some(player(number)),
        limit: AdjustmentLimit::try_from(5_000).unwrap(),
        day_of: &|at: Timestamp| at.utc().date_naive(),
        today: day(1),
    }
}

/// Whether this waits for a second person if somebody records it after these events, a number of hours after
/// the year began each.
fn waits(before: &[(u64, Event)], what: &Record, who: &Bookkeeper<'_>) -> bool {
    daybook_of(before).record_waits(&Recorded { on: day(0), memo: None, what: what.clone() }, who)
}

fn daybook_of(events: &[(u64, Event)]) -> Daybook {
    let mut daybook = Daybook::initial();
    for (hours, event) in events {
        let at =
            day(0).and_hms_opt(0, 0, 0).unwrap() + chrono::TimeDelta::hours(i64::try_from(*hours).unwrap());
        daybook.apply(event, at.and_utc().into());
    }
    daybook
}

fn recorded_by(number: u8, entry: u32, what: Record) -> Event {
    Event::Recorded { entry, recorded: Recorded { on: day(0), memo: None, what }, by: Some(account(number)) }
}

fn euros(amount: i64) -> Record {
    let (from, to) = (player(3).into(), player(4).into());
    Record::Adjustment { from, to, unit: Unit::Money(eur()), amount }
}

fn fee(players: &[u8], amount: i64) -> Record {
    let players = players.iter().copied().map(player).collect();
    Record::Fee { players, fee: FeeKind::Other, currency: eur(), amount }
}

fn paid(payer: Holder, payee: Holder, amount: i64) -> Record {
    Record::Payment { payer, payee, currency: eur(), amount, means: Means::Cash }
}

fn won(winner: u8, loser: u8, points: i64, cents: i64) -> PastGame {
    let money = Sum::try_from(cents).ok().map(|amount| Money { currency: eur(), amount });
    PastGame { money, ..past_game(0, winner, loser, points) }
}

fn opened(amounts: &[(u8, Unit, i64)]) -> Record {
    let balance = |&(number, unit, amount): &(u8, Unit, i64)| OpeningBalance {
        holder: player(number).into(),
        unit,
        amount,
    };
    Record::OpeningBalances { balances: amounts.iter().map(balance).collect() }
}

/// S4: whatever rests on one person's word counts against the limit, not only a single adjustment.
#[test]
fn what_rests_on_one_persons_word_above_the_limit_needs_a_second_person() {
    let (money, francs) = (Unit::Money(eur()), Unit::Money("CHF".parse().unwrap()));
    let (own, other): (Holder, Holder) = (player(1).into(), player(2).into());
    let points = Record::Adjustment { from: own, to: other, unit: Unit::HalfPoints, amount: 1 };
    let cases = [
        (euros(5_000), false),
        (euros(5_001), true),
        (points, true),
        (opened(&[(1, money, 5_000)]), false),
        (opened(&[(1, money, 5_001)]), true),
        (opened(&[(2, money, -5_001)]), true),
        (opened(&[(1, money, 2_501), (1, money, 2_500)]), true),
        (opened(&[(1, money, 2_501), (2, money, -2_500)]), true),
        (opened(&[(1, money, 5_000), (1, francs, 5_000)]), false),
        (opened(&[(1, francs, 5_001), (1, money, 1)]), true),
        (opened(&[(1, Unit::HalfPoints, 1)]), true),
        (opened(&[(1, money, record::MOST); 5_000]), true),
        (Record::PastGames { games: vec![won(1, 2, 0, 5_000)] }, false),
        (Record::PastGames { games: vec![won(1, 2, 0, 2_500), won(2, 1, 0, 2_501)] }, true),
        (Record::PastGames { games: vec![won(1, 2, 1, 0)] }, true),
        (fee(&[2], 5_001), true),
        (fee(&[2, 3, 4], 5_000), false),
        (paid(own, Holder::House, 5_001), true),
        (paid(Holder::House, own, 5_001), true),
        (paid(own, other, 5_001), true),
        (paid(other, own, 5_001), true),
        (paid(other, own, 5_000), false),
        (paid(other, Holder::House, record::MOST), false),
        (paid(Holder::House, other, record::MOST), false),
        (Record::Expense { currency: eur(), amount: record::MOST, means: Means::Bank }, false),
        (Record::Income { currency: eur(), amount: record::MOST, means: Means::Bank }, false),
        (Record::Count { currency: eur(), counted: 0, expected: 9_000 }, false),
    ];
    for (what, expected) in cases {
        assert_eq!(waits(&[], &what, &somebody(1)), expected, "{what:?}");
    }
}

/// S4: a large amount does not go through in small parts, of whatever kind.
#[test]
fn what_one_person_put_into_the_books_alone_on_a_day_counts_together() {
    let own = paid(Holder::House, player(1).into(), 1_000);
    let before = vec![
        (2, recorded_by(1, 1, euros(4_000))),
        (24, recorded_by(1, 2, euros(1_000))),
        (25, recorded_by(1, 3, opened(&[(4, Unit::Money(eur()), -1_000)]))),
        (26, recorded_by(1, 4, own)),
        (26, recorded_by(2, 5, euros(4_000))),
        (27, recorded_by(1, 6, fee(&[3, 4], 4_000))),
    ];
    let who = somebody(1);
    assert!(!waits(&before, &euros(2_000), &who), "3,000 of today, whatever was yesterday and of others");
    assert!(waits(&before, &euros(2_001), &who));
    assert!(waits(&before, &Record::PastGames { games: vec![won(3, 4, 0, 2_001)] }, &who));
    assert!(!waits(&before, &paid(player(3).into(), Holder::House, 9_000), &who), "not on their word alone");
    assert!(!waits(&before, &fee(&[3], 1_000), &who));
    assert!(waits(&before, &fee(&[5, 3], 1_001), &who), "each player's fees count by themselves");
    assert!(!waits(&before, &fee(&[5], 5_000), &who));
    let tomorrow = Bookkeeper { today: day(2), ..who };
    assert!(!waits(&before, &euros(5_000), &tomorrow));
    // What is taken back on the same day by who recorded it was a slip; what waits or was declined is in no
    // books.
    let mut more = before.clone();
    let slip = Event::TakenBack { entry: 2, reason: memo("no"), by: Some(account(1)) };
    let proposed = Recorded { on: day(0), memo: None, what: euros(90_000) };
    more.extend([
        (28, slip),
        (28, Event::Proposed { entry: 7, recorded: proposed, by: account(1) }),
        (29, Event::Approved { entry: 7, by: account(2) }),
    ]);
    assert!(!waits(&more, &euros(3_000), &who));
    assert!(waits(&more, &euros(3_001), &who));
}

/// S4: what two approved is not taken back by one, nor is a large amount moved by taking back.
#[test]
fn taking_back_counts_as_the_record_does() {
    let big = Recorded { on: day(0), memo: None, what: euros(90_000) };
    let unknown = Event::Recorded { entry: 5, recorded: big.clone(), by: None };
    let small = Recorded { on: day(0), memo: None, what: euros(1) };
    let events = [
        (1, recorded_by(2, 1, euros(3_000))),
        (2, recorded_by(1, 2, euros(3_000))),
        (3, Event::Proposed { entry: 3, recorded: small, by: account(1) }),
        (4, Event::Approved { entry: 3, by: account(2) }),
        (5, recorded_by(2, 4, paid(Holder::House, player(1).into(), 9_000))),
        (6, unknown),
        (7, recorded_by(2, 6, Record::Expense { currency: eur(), amount: 90_000, means: Means::Cash })),
        (25, recorded_by(1, 7, euros(4_000))),
    ];
    let daybook = daybook_of(&events);
    let who = Bookkeeper { today: day(0), ..somebody(1) };
    let takes = |number, who: &Bookkeeper<'_>| daybook.take_back_waits(number, who);
    assert!(!takes(2, &who), "their own slip");
    assert!(takes(1, &who), "on top of their own 3,000");
    assert!(takes(3, &who), "two approved it, however small");
    assert!(takes(4, &who), "they were paid it");
    assert!(takes(5, &who) && !takes(6, &who));
    let next_day = somebody(1);
    assert!(takes(1, &next_day) && takes(2, &next_day), "on top of the 4,000 of that day");
    assert!(!takes(7, &next_day));
    assert!(!takes(4, &Bookkeeper { player: None, ..next_day }), "a payment among others");
    // Taken back, it counts on the day of taking back.
    let mut events = events.to_vec();
    events.pop();
    events.push((26, Event::TakenBack { entry: 1, reason: memo("no"), by: Some(account(1)) }));
    assert!(waits(&events, &euros(2_001), &next_day) && !waits(&events, &euros(2_000), &next_day));
}

#[test]
fn to_take_back_what_needs_a_second_person_is_proposed_first() {
    let take_back = |word| Command::TakeBack { entry: 1, reason: memo("no"), word };
    let proposed = take_back(Authority::Proposed(account(1)));
    let what = euros(90);
    let start = [record(what.clone()), proposed.clone()];
    let daybook = given(&start);
    assert_eq!(daybook.entry(1).unwrap().status, Status::TakingBack(account(1)));
    assert_eq!(daybook.waiting().count(), 1);
    let approve = |by| Command::Approve { entry: 1, by: account(by) };
    let second = Err(Refusal::SecondPerson { entry: 1 });
    assert_eq!(when(&daybook, &approve(1)), second);
    for again in
        [proposed, take_back(Authority::Proposed(account(2))), take_back(Authority::Alone(Some(account(2))))]
    {
        assert_eq!(when(&daybook, &again), second, "{again:?}");
    }
    let [approved] = &when(&daybook, &approve(2)).unwrap()[..] else { panic!("one event") };
    let [reversal] = &of_daybook_event(&daybook, approved, moment()).unwrap()[..] else {
        panic!("one reversal")
    };
    assert_eq!(
        *reversal,
        reversal_of(&of_daybook(&daybook.entry(1).unwrap().recorded, moment()).unwrap()[0])
    );
    let done = given(&[&start[..], &[approve(2)]].concat());
    assert_eq!(done.entry(1).unwrap().status, Status::TakenBack);
    assert_eq!(
        (done.waiting().count(), when(&done, &approve(2))),
        (0, Err(Refusal::NotProposed { entry: 1 }))
    );
    let decline = Command::Decline { entry: 1, by: account(1), reason: memo("it was right") };
    let stays = given(&[&start[..], &[decline]].concat());
    let entry = stays.entry(1).unwrap();
    assert_eq!((entry.status, &entry.ended, stays.waiting().count()), (Status::Posted, &None, 0));
    assert!(when(&stays, &take_back(Authority::Alone(None))).is_ok());
}

/// A journal of format 1 does not say who went without a second person; it is read as it was written.
#[test]
fn events_of_format_1_are_read() {
    let json = r#"{"event":"taken_back","entry":1,"reason":"no"}"#;
    let event = Daybook::decode(1, json).unwrap();
    assert_eq!(event, Event::TakenBack { entry: 1, reason: memo("no"), by: None });
    assert_eq!(Daybook::encode(&event).unwrap().get(), json);
}

fn adjusted(by: u8) -> Command {
    let what =
        Record::Adjustment { from: Holder::House, to: player(1).into(), unit: Unit::Money(eur()), amount: 5 };
    let recorded = Recorded { on: day(3), memo: Some(memo("why")), what };
    Command::Record { recorded, word: Authority::Proposed(account(by)) }
}

#[test]
fn a_proposed_adjustment_is_posted_once_a_second_person_approves_it() {
    let daybook = given(&[adjusted(1)]);
    assert_eq!(daybook.entry(1).unwrap().status, Status::Proposed(account(1)));
    let approve = |by| Command::Approve { entry: 1, by: account(by) };
    assert_eq!(when(&daybook, &approve(1)), Err(Refusal::SecondPerson { entry: 1 }));
    let take_back = Command::TakeBack { entry: 1, reason: memo("no"), word: Authority::Alone(None) };
    assert_eq!(when(&daybook, &take_back), Err(Refusal::NotPosted { entry: 1 }));
    let daybook = given(&[adjusted(1), approve(2)]);
    assert_eq!(daybook.entry(1).unwrap().status, Status::Posted);
    assert_eq!(when(&daybook, &approve(2)), Err(Refusal::NotProposed { entry: 1 }));
    let declined = Command::Decline { entry: 1, by: account(1), reason: memo("mistyped") };
    let daybook = given(&[adjusted(1), declined]);
    assert_eq!(when(&daybook, &approve(2)), Err(Refusal::NotProposed { entry: 1 }));
}

#[test]
fn months_are_closed_in_order_and_opened_again_with_all_after() {
    let month = |text: &str| text.parse::<Month>().unwrap();
    let close = |at: &str| Command::CloseMonth {
        month: month(at),
        stands: Stands { transactions: 0, digest: String::new() },
    };
    let reopen =
        |at: &str| Command::ReopenMonth { month: month(at), transactions: 0, reason: memo("late slip") };
    let daybook = given(&[close("2026-01"), close("2026-03")]);
    assert_eq!(daybook.closing(), Closing(Some(month("2026-03"))));
    assert_eq!(when(&daybook, &close("2026-02")), Err(Refusal::MonthClosed { closed: month("2026-03") }));
    assert_eq!(when(&daybook, &reopen("2026-04")), Err(Refusal::MonthOpen { month: month("2026-04") }));
    let daybook = given(&[close("2026-01"), close("2026-03"), reopen("2026-02")]);
    assert_eq!(daybook.closing(), Closing(Some(month("2026-01"))));
}

#[test]
fn records_between_accounts_that_there_are_not_are_refused() {
    let pool = Holder::Pool(owlbox_base::values::TournamentId(Uuid::nil()));
    let pay =
        |payer, payee, means| record(Record::Payment { payer, payee, currency: eur(), amount: 5, means });
    let (ada, bea): (Holder, Holder) = (player(1).into(), player(2).into());
    for bad in [
        pay(ada, ada, Means::Cash),
        pay(Holder::House, Holder::House, Means::Cash),
        pay(ada, pool, Means::Cash),
        pay(ada, Holder::Bank, Means::Bank),
        pay(ada, bea, Means::Bank),
        record(Record::Fee { players: vec![], fee: FeeKind::Other, currency: eur(), amount: 5 }),
        record(Record::Fee { players: vec![player(1); 2], fee: FeeKind::Other, currency: eur(), amount: 5 }),
        record(Record::Adjustment { from: ada, to: Holder::House, unit: Unit::HalfPoints, amount: 5 }),
        record(Record::Adjustment { from: ada, to: pool, unit: Unit::Money(eur()), amount: 5 }),
        record(Record::OpeningBalances {
            balances: vec![OpeningBalance { holder: Holder::Opening, unit: Unit::Money(eur()), amount: 5 }],
        }),
    ] {
        assert_eq!(when(&Daybook::initial(), &bad), Err(Refusal::BadParties), "{bad:?}");
    }
    for amount in [0, -1, record::MOST + 1, i64::MIN] {
        let bad = record(Record::Deposit { currency: eur(), amount, way: Way::ToBank });
        assert_eq!(when(&Daybook::initial(), &bad), Err(Refusal::BadAmount { most: record::MOST }));
    }
}

/// The drawer by the books: what the house's cash postings have taken out of its account.
fn in_drawer(postings: &[crate::ledger::Posting]) -> i64 {
    let cash = postings.iter().filter(|posting| {
        posting.holder == Holder::House
            && MoveKind::ALL.iter().any(|kind| kind.is_cash() && kind.name() == posting.kind.name())
    });
    -cash.map(|posting| posting.amount).sum::<i64>()
}

#[test]
fn the_drawer_holds_what_was_put_in_less_what_was_taken_out() {
    let ada: Holder = player(1).into();
    let pay = |payer, payee, amount, means| Record::Payment { payer, payee, currency: eur(), amount, means };
    let opened = |holder, amount| Record::OpeningBalances {
        balances: vec![OpeningBalance { holder, unit: Unit::Money(eur()), amount }],
    };
    let records = [
        (pay(ada, Holder::House, 5_000, Means::Cash), 5_000),
        (opened(Holder::House, 800), 800),
        (opened(Holder::Bank, 60), 0),
        (opened(ada, 30), 0),
        (pay(ada, Holder::House, 700, Means::Bank), 0),
        (pay(Holder::House, ada, 1_000, Means::Cash), -1_000),
        (Record::Expense { currency: eur(), amount: 300, means: Means::Cash }, -300),
        (Record::Expense { currency: eur(), amount: 40, means: Means::Bank }, 0),
        (Record::Income { currency: eur(), amount: 900, means: Means::Cash }, 900),
        (Record::Deposit { currency: eur(), amount: 2_000, way: Way::ToBank }, -2_000),
        (Record::Deposit { currency: eur(), amount: 100, way: Way::FromBank }, 100),
        (Record::Count { currency: eur(), counted: 3_450, expected: 3_500 }, -50),
        (Record::Fee { players: vec![player(1)], fee: FeeKind::Membership, currency: eur(), amount: 9 }, 0),
    ];
    let mut all = Vec::new();
    for (what, expected) in records {
        let recorded = Recorded { on: day(0), memo: Some(memo("why")), what };
        let [posted] = &of_daybook(&recorded, moment()).unwrap()[..] else { panic!("one transaction") };
        assert_eq!(in_drawer(posted.postings()), expected, "{recorded:?}");
        all.extend_from_slice(posted.postings());
    }
    assert_eq!(in_drawer(&all), 3_450, "as counted");
    let bank: i64 = all.iter().filter(|one| one.holder == Holder::Bank).map(|one| one.amount).sum();
    assert_eq!(-bank, 60 + 700 - 40 + 2_000 - 100);
    let outside: i64 = all.iter().filter(|one| one.holder == Holder::Outside).map(|one| one.amount).sum();
    assert_eq!(outside, 0, "every bill is paid");
}

fn holder() -> impl Strategy<Value = Holder> {
    prop_oneof![
        4 => (1..5_u8).prop_map(|number| player(number).into()),
        2 => Just(Holder::House),
        1 => Just(Holder::Bank),
        1 => Just(Holder::Rounding),
    ]
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![3 => Just(Unit::Money(eur())), 1 => Just(Unit::HalfPoints)]
}

fn anything() -> impl Strategy<Value = Record> {
    let means = prop_oneof![Just(Means::Cash), Just(Means::Bank)];
    let fee = prop_oneof![Just(FeeKind::Membership), Just(FeeKind::TableMoney), Just(FeeKind::Other)];
    let amount = -2..500_i64;
    prop_oneof![
        (holder(), holder(), amount.clone(), means.clone()).prop_map(|(payer, payee, amount, means)| {
            Record::Payment { payer, payee, currency: eur(), amount, means }
        }),
        (prop::collection::vec(1..5_u8, 0..4), fee, amount.clone()).prop_map(|(players, fee, amount)| {
            Record::Fee { players: players.into_iter().map(player).collect(), fee, currency: eur(), amount }
        }),
        (holder(), holder(), unit(), amount.clone())
            .prop_map(|(from, to, unit, amount)| Record::Adjustment { from, to, unit, amount }),
        prop::collection::vec((holder(), unit(), -200..200_i64), 0..4).prop_map(|balances| {
            let balance = |(holder, unit, amount)| OpeningBalance { holder, unit, amount };
            Record::OpeningBalances { balances: balances.into_iter().map(balance).collect() }
        }),
        prop::collection::vec((1..5_u8, 1..5_u8, 0..100_u64, -1..9_i64, -1..9_i64), 0..4).prop_map(|games| {
            let game = |(winner, loser, on, points, money)| PastGame {
                on: day(on),
                winner: player(winner),
                loser: player(loser),
                points: Sum::try_from(points).ok(),
                money: Sum::try_from(money).ok().map(|amount| Money { currency: eur(), amount }),
            };
            Record::PastGames { games: games.into_iter().map(game).collect() }
        }),
        (amount.clone(), means.clone()).prop_map(|(amount, means)| Record::Expense {
            currency: eur(),
            amount,
            means
        }),
        (amount.clone(), means).prop_map(|(amount, means)| Record::Income { currency: eur(), amount, means }),
        (amount.clone(), prop_oneof![Just(Way::ToBank), Just(Way::FromBank)])
            .prop_map(|(amount, way)| Record::Deposit { currency: eur(), amount, way }),
        (amount, 0..500_i64).prop_map(|(counted, expected)| Record::Count {
            currency: eur(),
            counted,
            expected
        }),
    ]
}

fn word(by: u8, second: bool) -> Authority {
    let by = (by > 0).then(|| account(by));
    by.filter(|_| second).map_or(Authority::Alone(by), Authority::Proposed)
}

fn command() -> impl Strategy<Value = Command> {
    let entry = 0..12_u32;
    prop_oneof![
        6 => (anything(), 0..100_u64, any::<bool>(), 0..3_u8).prop_map(|(what, on, noted, by)| Command::Record {
            recorded: Recorded { on: day(on), memo: noted.then(|| memo("why")), what },
            word: word(by, on % 3 == 0),
        }),
        3 => (entry.clone(), 0..3_u8, any::<bool>()).prop_map(|(entry, by, second)| Command::TakeBack {
            entry,
            reason: memo("wrong"),
            word: word(by, second),
        }),
        2 => (entry.clone(), 1..3_u8).prop_map(|(entry, by)| Command::Approve { entry, by: account(by) }),
        1 => (entry, 1..3_u8).prop_map(|(entry, by)| Command::Decline {
            entry,
            by: account(by),
            reason: memo("no"),
        }),
        2 => (0..100_u64).prop_map(|on| Command::CloseMonth {
            month: Month::of(day(on)),
            stands: Stands { transactions: 0, digest: String::new() },
        }),
        1 => (0..100_u64).prop_map(|on| Command::ReopenMonth {
            month: Month::of(day(on)),
            transactions: 0,
            reason: memo("late"),
        }),
    ]
}

type Balances = BTreeMap<(Holder, String), i64>;

fn add(balances: &mut Balances, transaction: &crate::ledger::Transaction) {
    for posting in transaction.postings() {
        *balances.entry((posting.holder, posting.unit.to_string())).or_default() += posting.amount;
    }
}

proptest! {
    /// Every balance is the sum of the records that stand, whatever was proposed, declined or taken back; and
    /// what a month stood at when it was closed is what it stands at as long as it is closed.
    #[test]
    fn the_books_are_what_stands_and_a_closed_month_never_changes(
        commands in prop::collection::vec(command(), 1..60),
    ) {
        let mut daybook = Daybook::initial();
        // Every posting with the day it counts for, as the books hold them.
        let mut posted: Vec<(NaiveDate, crate::ledger::Transaction)> = Vec::new();
        let mut closed: BTreeMap<Month, Balances> = BTreeMap::new();
        let up_to = |posted: &[(NaiveDate, crate::ledger::Transaction)], month: Month| {
            let mut balances = Balances::new();
            for (_, transaction) in posted.iter().filter(|(on, _)| *on <= month.last_day()) {
                add(&mut balances, transaction);
            }
            balances.retain(|_, amount| *amount != 0);
            balances
        };
        for (step, command) in (0..).zip(&commands) {
            let today = day(40 + step);
            let Ok(events) = when(&daybook, command) else { continue };
            let may = |_: &Command| true;
            prop_assert_eq!(decided_again(&daybook, &events, moment(), &may), CommandFound::InOrder);
            for event in events {
                prop_assert!(kinds_of::<Daybook>().any(|kind| kind == kind_of::<Daybook>(&event)));
                let written = Daybook::encode(&event).unwrap();
                prop_assert_eq!(&Daybook::decode(Daybook::FORMAT, written.get()).unwrap(), &event);
                for transaction in of_daybook_event(&daybook, &event, moment()).unwrap() {
                    let night = transaction.night().unwrap();
                    posted.push((counts_for(night, today, daybook.closing()), transaction));
                }
                match &event {
                    Event::MonthClosed { month, .. } => {
                        closed.insert(*month, up_to(&posted, *month));
                    }
                    Event::MonthReopened { month, .. } => closed.retain(|closed, _| closed < month),
                    _ => {}
                }
                daybook.apply(&event, moment());
            }
            for (month, stood) in &closed {
                prop_assert_eq!(stood, &up_to(&posted, *month), "{} after {:?}", month, command);
            }
        }
        let mut stands = Balances::new();
        let stands_in_it = |entry: &Entry| matches!(entry.status, Status::Posted | Status::TakingBack(_));
        for (_, entry) in daybook.newest_first().filter(|(_, entry)| stands_in_it(entry)) {
            for one in entry.recorded.what.moves() {
                *stands.entry((one.from, one.unit.to_string())).or_default() -= one.amount;
                *stands.entry((one.to, one.unit.to_string())).or_default() += one.amount;
            }
        }
        stands.retain(|_, amount| *amount != 0);
        let mut balances = Balances::new();
        posted.iter().for_each(|(_, transaction)| add(&mut balances, transaction));
        balances.retain(|_, amount| *amount != 0);
        prop_assert_eq!(stands, balances);
    }
}

fn past_game(on: u64, winner: u8, loser: u8, points: i64) -> PastGame {
    let points = Sum::try_from(points).ok();
    PastGame { on: day(on), winner: player(winner), loser: player(loser), points, money: None }
}

#[test]
fn every_past_game_is_a_transaction_of_its_own_day_and_number() {
    let money = Some(Money { currency: eur(), amount: 150.try_into().unwrap() });
    let games = vec![past_game(0, 1, 2, 4), PastGame { money, ..past_game(2, 2, 3, 1) }];
    let recorded = Recorded { on: day(2), memo: None, what: Record::PastGames { games } };
    let posted = of_daybook(&recorded, moment()).unwrap();
    let places: Vec<_> = posted.iter().map(|one| (one.night(), one.game())).collect();
    assert_eq!(places, [(Some(day(0)), Some(1)), (Some(day(2)), Some(2))]);
    let mut balances = Balances::new();
    posted.iter().for_each(|one| add(&mut balances, one));
    let stands = |number: u8, unit: &str| balances[&(player(number).into(), unit.to_owned())];
    assert_eq!([1, 2, 3].map(|number| stands(number, "half_points")), [4, -3, -1]);
    assert_eq!([2, 3].map(|number| stands(number, "EUR")), [150, -150]);
}

#[test]
fn past_games_are_between_two_for_something_and_in_open_months() {
    let record_games = |games| Command::Record {
        recorded: Recorded { on: day(40), memo: None, what: Record::PastGames { games } },
        word: Authority::Alone(None),
    };
    for bad in [vec![], vec![past_game(0, 1, 2, 4), past_game(0, 1, 1, 4)], vec![past_game(0, 1, 2, 0)]] {
        assert_eq!(when(&Daybook::initial(), &record_games(bad)), Err(Refusal::BadParties));
    }
    let many = vec![past_game(0, 1, 2, 4); MOST_AT_ONCE + 1];
    assert_eq!(when(&Daybook::initial(), &record_games(many)), Err(Refusal::TooManyAtOnce));
    let closed: Month = "2026-01".parse().unwrap();
    let stands = Stands { transactions: 0, digest: String::new() };
    let daybook = given(&[Command::CloseMonth { month: closed, stands }]);
    let games = record_games(vec![past_game(31, 1, 2, 4), past_game(30, 1, 2, 4)]);
    assert_eq!(when(&daybook, &games), Err(Refusal::ClosedDay { day: day(30), closed }));
    assert!(when(&daybook, &record_games(vec![past_game(31, 1, 2, 4)])).is_ok());
}

#[test]
fn the_reversal_of_a_record_takes_all_of_it_back() {
    let what = Record::Expense { currency: eur(), amount: 300, means: Means::Cash };
    let recorded = Recorded { on: day(0), memo: Some(memo("rent")), what };
    let mut balances = Balances::new();
    for posted in of_daybook(&recorded, moment()).unwrap() {
        add(&mut balances, &posted);
        add(&mut balances, &reversal_of(&posted));
    }
    assert!(balances.values().all(|amount| *amount == 0));
}
