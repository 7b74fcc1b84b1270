use std::collections::BTreeMap;

use uuid::Uuid;

use super::*;
use owlbox_base::values::{ChouetteId, HolderKind, MatchId, MinorUnits, TournamentId};
use owlbox_chouette::{FinishedGame, Seats, SettledBy, Side};
use owlbox_engine::game::{BoardRules, CubeOptions};
use owlbox_engine::{CubeValue, Win};
use owlbox_play::matches::Slot;
use owlbox_play::matches::event::ImportedGame;
use owlbox_play::matches::{self, GameEnding, SheetStanding, Terms, Won};
use owlbox_play::tournament::money::{Transfer, TransferKind};

fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}

fn place(stake: Option<i64>) -> PostingOrigin {
    let stake =
        stake.map(|amount| Stake { amount: amount.try_into().unwrap(), currency: "EUR".parse().unwrap() });
    PostingOrigin {
        source: Source::Chouette(ChouetteId(Uuid::nil())),
        stake,
        at: chrono::DateTime::UNIX_EPOCH.into(),
        night: None,
    }
}

fn bet(number: u32, winner: u128, loser: u128, half_points: i64) -> SettledBet {
    SettledBet {
        bet: number,
        winner: player(winner),
        loser: player(loser),
        points: HalfPoints(half_points),
        kind: BetKind::Member,
        by: SettledBy::Game,
        counts_for: None,
    }
}

fn finished(bets: Vec<SettledBet>) -> Event {
    Event::GameFinished(FinishedGame {
        game: 7,
        winner: Side::Team,
        win: None,
        bets,
        line: Vec::new(),
        partners: Vec::new(),
        stood_up: Vec::new(),
        may_decline: None,
    })
}

fn corrected(before: Vec<SettledBet>, after: Vec<SettledBet>) -> Event {
    Event::GameCorrected { game: 7, winner: Side::Team, win: None, before, after, cubes: Vec::new() }
}

/// For each posting: the holder, the counterparty, the unit and the amount.
fn postings_of(transaction: &Transaction) -> Vec<(u128, u128, String, i64)> {
    let number = |holder: Holder| holder.id().as_u128();
    let lines = transaction.postings().iter();
    lines.map(|p| (number(p.holder), number(p.counterparty), p.unit.to_string(), p.amount)).collect()
}

/// The balances these transactions leave, by player and unit, without those at zero.
fn sums(transactions: &[Transaction]) -> BTreeMap<(u128, String), i64> {
    let mut sums = BTreeMap::new();
    for (player, _, unit, amount) in transactions.iter().flat_map(postings_of) {
        *sums.entry((player, unit)).or_default() += amount;
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

/// Proves C12.
#[test]
fn a_bet_posts_twice_in_points_and_twice_in_money() {
    // Player 1 loses a point and a half to player 2.
    let [game] = place(Some(500)).transactions(&finished(vec![bet(1, 2, 1, 3)])).unwrap().try_into().unwrap();
    let (points, euro) = ("half_points".to_owned(), "EUR".to_owned());
    let expected =
        [(2, 1, points.clone(), 3), (1, 2, points, -3), (2, 1, euro.clone(), 750), (1, 2, euro, -750)];
    assert_eq!(postings_of(&game), expected);
    assert_eq!((game.kind(), game.game()), (TransactionKind::Game, Some(7)));

    let reversal = reversal_of(&game);
    assert_eq!((reversal.kind(), reversal.game()), (TransactionKind::Reversal, Some(7)));
    assert_eq!(reversal.postings()[2].amount, -750);
    assert_eq!(reversal_of(&reversal), game);
    assert!(sums(&[game, reversal]).is_empty());
}

#[test]
fn postings_that_do_not_add_up_are_no_transaction() {
    let game = place(Some(500)).transactions(&finished(vec![bet(1, 2, 1, 3)])).unwrap().remove(0);
    let mut postings = game.postings().to_vec();
    postings[3].amount += 1;
    let unit = "EUR".parse().unwrap();
    let made = Transaction::new(TransactionKind::Game, place(None), None, postings);
    assert_eq!(made, Err(Unbalanced { unit, sum: 1 }));
}

#[test]
fn half_a_point_of_an_odd_stake_cannot_be_posted() {
    let refused = place(Some(501)).transactions(&finished(vec![bet(1, 2, 1, 3)]));
    assert_eq!(refused, Err(CannotPost::SplitsMinorUnit(HalfPoints(3))));
}

/// Proves N12.
#[test]
fn what_is_worth_more_than_the_books_hold_is_told_from_a_split() {
    let much = HalfPoints(1 << 40);
    let refused = place(Some(100_000_000)).transactions(&finished(vec![bet(1, 2, 1, much.0)]));
    assert_eq!(refused, Err(CannotPost::BeyondBooks(much)));
    assert_eq!(CannotPost::BeyondBooks(much).code().name(), "beyond_books");
    assert_eq!(CannotPost::SplitsMinorUnit(much).code().name(), "unbalanced");
}

/// Proves S7.
#[test]
fn a_payment_is_posted_in_money_and_never_in_points() {
    let paid = Event::Paid { payer: player(2), payee: player(1), amount: 1_800 };
    let [payment] = place(Some(300)).transactions(&paid).unwrap().try_into().unwrap();
    assert_eq!(postings_of(&payment), [(2, 1, "EUR".to_owned(), 1_800), (1, 2, "EUR".to_owned(), -1_800)]);
    assert_eq!((payment.kind(), payment.game()), (TransactionKind::Payment, None));
    assert!(payment.postings().iter().all(|posting| posting.kind == PostingKind::Payment));
    assert_eq!(place(None).transactions(&paid), Ok(Vec::new()), "without money the chouette alone keeps it");
}

/// Proves S8.
#[test]
fn a_correction_reverses_the_bets_that_changed_and_posts_them_as_they_are() {
    let before = vec![bet(1, 2, 1, 4), bet(2, 3, 1, 4)];
    let after = vec![bet(1, 2, 1, 4), bet(2, 1, 3, 2)];
    let at = place(Some(500));
    let game = at.transactions(&finished(before.clone())).unwrap();
    let correction = at.transactions(&corrected(before.clone(), after.clone())).unwrap();
    assert_eq!(correction[0].kind(), TransactionKind::Correction);
    assert_eq!(correction[0].postings().len(), 8, "the first bet stands");
    assert_eq!(sums(&[game, correction].concat()), sums(&at.transactions(&finished(after)).unwrap()));

    let only_the_rotation = SettledBet { counts_for: Some(player(1)), ..before[0] };
    let same = corrected(vec![before[0]], vec![only_the_rotation]);
    assert_eq!(at.transactions(&same), Ok(Vec::new()), "the books stand");
}

#[test]
fn a_duplicates_games_and_payments_become_the_players_one_by_one() {
    let at = place(Some(200));
    // Player 9 is player 1. They lost twice to 2, beat 3, paid 2, and were paid by 1, that is by themselves.
    let bets = [(4, bet(1, 2, 9, 2)), (5, bet(1, 2, 9, 2)), (5, bet(2, 9, 3, 6))];
    let bets: Vec<GameBet> = bets.into_iter().map(|(game, bet)| GameBet { game, bet }).collect();
    let payments = vec![
        Payment { payer: player(9), payee: player(2), amount: 300 },
        Payment { payer: player(1), payee: player(9), amount: 50 },
    ];
    let mut before: Vec<Transaction> = Vec::new();
    for bet in &bets {
        before.extend(at.transactions(&finished(vec![bet.bet])).unwrap());
    }
    for Payment { payer, payee, amount } in payments.clone() {
        before.extend(at.transactions(&Event::Paid { payer, payee, amount }).unwrap());
    }
    let seats = Seats::default();
    let merged = Event::PlayersMerged {
        duplicate: player(9),
        player: player(1),
        seats,
        bets,
        payments,
        may_decline: None,
    };
    let merge = at.transactions(&merged).unwrap();
    let games: Vec<_> = merge.iter().map(|one| (one.kind(), one.game())).collect();
    let kind = TransactionKind::Merge;
    assert_eq!(games, [(kind, None), (kind, Some(4)), (kind, Some(5))]);

    let mut expected = sums(&before);
    for unit in ["half_points", "EUR"] {
        let duplicates = expected.remove(&(9, unit.to_owned())).unwrap_or(0);
        *expected.entry((1, unit.to_owned())).or_default() += duplicates;
    }
    expected.retain(|_, sum| *sum != 0);
    assert_eq!(sums(&[before, merge].concat()), expected);
}

const UPPER: u128 = 1;
const LOWER: u128 = 2;

fn won(winner: Slot, points: u32) -> Won {
    let (win, cube) = (Win::Single, CubeValue::try_from(points).unwrap());
    Won { winner, win, cube, turned: points > 1, how: GameEnding::Played, began: None, points }
}

/// The transactions of an event in a session between players 1 and 2, at 5 a point.
fn of_session(event: &matches::Event) -> Vec<Transaction> {
    let at = PostingOrigin { source: Source::Match(MatchId(Uuid::from_u128(5))), ..place(Some(500)) };
    let terms = Terms::Money { stake: at.stake, cube: CubeOptions::default(), game: BoardRules::default() };
    at.transactions_of_sheet([player(UPPER), player(LOWER)], terms, event).unwrap()
}

fn standing() -> SheetStanding {
    SheetStanding { won: [0; 2], penalties: [0; 2], phase: None }
}

#[test]
fn a_game_between_two_posts_like_a_bet() {
    let won = won(Slot::Lower, 4);
    let posted =
        of_session(&matches::Event::GameWon { game: 3, won, standing: standing(), entered_by: None });
    let [game] = posted.as_slice() else { panic!("{posted:?}") };
    let source = Source::Match(MatchId(Uuid::from_u128(5)));
    assert_eq!((game.kind(), game.game(), game.source()), (TransactionKind::Game, Some(3), source));
    let bet = place(Some(500)).transactions(&finished(vec![bet(1, LOWER, UPPER, 8)])).unwrap().remove(0);
    assert_eq!(postings_of(game), postings_of(&bet));
    assert!(game.postings().iter().all(|posting| posting.kind == PostingKind::Game));
    assert_eq!(
        of_session(&matches::Event::GameDrawn { game: 4, standing: standing(), entered_by: None }),
        []
    );
}

#[test]
fn the_stake_of_a_match_is_posted_in_money_alone() {
    let at = PostingOrigin { source: Source::Match(MatchId(Uuid::from_u128(5))), ..place(Some(500)) };
    let length = 3.try_into().unwrap();
    let of_match = |event: &matches::Event| {
        at.transactions_of_sheet([player(UPPER), player(LOWER)], Terms::match_to(length), event).unwrap()
    };
    let moved = |from, to| of_match(&matches::Event::StakeMoved { from, to });
    let euro = |upper: i64| {
        let unit = "EUR".to_owned();
        let all = BTreeMap::from([((UPPER, unit.clone()), upper), ((LOWER, unit), -upper)]);
        all.into_iter().filter(|(_, amount)| *amount != 0).collect::<BTreeMap<_, _>>()
    };
    let (upper, lower) = (Some(Slot::Upper), Some(Slot::Lower));
    for (from, to, changed) in
        [(None, upper, 500), (None, lower, -500), (upper, None, -500), (upper, lower, -1_000)]
    {
        let posted = moved(from, to);
        let [one] = posted.as_slice() else { panic!("{posted:?}") };
        assert_eq!((one.kind(), one.game()), (TransactionKind::Stake, None));
        assert!(one.postings().iter().all(|posting| posting.kind == PostingKind::Stake));
        assert_eq!(sums(&posted), euro(changed));
    }
    let game =
        matches::Event::GameWon { game: 1, won: won(Slot::Upper, 4), standing: standing(), entered_by: None };
    assert_eq!(of_match(&game), [], "only the whole match counts");
    let paid = of_match(&matches::Event::Paid { by: Slot::Lower, amount: 200 });
    assert_eq!((paid[0].kind(), sums(&paid)), (TransactionKind::Payment, euro(-200)));
}

#[test]
fn a_corrected_game_between_two_posts_the_difference() {
    let corrected = |was, now| {
        let posted = of_session(&matches::Event::Corrected {
            game: 3,
            was,
            now,
            standings: Vec::new(),
            contested: false,
            entered_by: None,
        });
        assert!(posted.iter().all(|one| (one.kind(), one.game()) == (TransactionKind::Correction, Some(3))));
        sums(&posted)
    };
    let points = |points: i64| {
        let unit = "half_points".to_owned();
        let mut expected =
            BTreeMap::from([((UPPER, unit.clone()), 2 * points), ((LOWER, unit), -2 * points)]);
        expected.extend([((UPPER, "EUR".into()), 500 * points), ((LOWER, "EUR".into()), -500 * points)]);
        expected
    };
    assert_eq!(corrected(Some(won(Slot::Lower, 2)), won(Slot::Upper, 1)), points(3));
    assert_eq!(corrected(None, won(Slot::Upper, 1)), points(1), "it was drawn");
    let dropped = Won { how: GameEnding::Dropped, ..won(Slot::Upper, 2) };
    let same = matches::Event::Corrected {
        game: 1,
        was: Some(dropped),
        now: won(Slot::Upper, 2),
        standings: vec![],
        contested: false,
        entered_by: None,
    };
    assert_eq!(of_session(&same), [], "it counts the same");
}

#[test]
fn the_games_of_a_file_post_one_by_one() {
    let game = |won| ImportedGame { won, standing: standing() };
    let games = vec![game(Some(won(Slot::Upper, 2))), game(None), game(Some(won(Slot::Lower, 1)))];
    let posted = of_session(&matches::Event::Imported { text: String::new(), games, entered_by: None });
    assert_eq!(posted.iter().map(Transaction::game).collect::<Vec<_>>(), [Some(1), Some(3)]);
    assert_eq!(sums(&posted)[&(UPPER, "EUR".to_owned())], 500);
}

fn transfer(from: Holder, to: Holder, amount: i64, what: TransferKind) -> Transfer {
    Transfer { from, to, amount: MinorUnits(amount), what }
}

/// Sixteen players enter at 20, plus 2 for the house, which adds 40 and keeps a tenth; everything is paid in,
/// and out.
#[test]
fn a_tournament_leaves_its_pool_empty_and_everybody_even() {
    let pool = Holder::Pool(TournamentId(Uuid::from_u128(90)));
    let at = PostingOrigin { source: Source::Tournament(TournamentId(Uuid::from_u128(90))), ..place(None) };
    let mut all = Vec::new();
    for number in 1..=16 {
        let entrant = Holder::Player(player(number));
        all.push(transfer(entrant, pool, 2_000, TransferKind::EntryFee));
        all.push(transfer(entrant, Holder::House, 200, TransferKind::Registration));
        all.push(transfer(Holder::House, entrant, 2_200, TransferKind::PaidIn));
    }
    all.push(transfer(Holder::House, pool, 4_000, TransferKind::Added));
    all.push(transfer(pool, Holder::House, 3_200, TransferKind::Kept));
    for (number, prize) in [(1, 16_400), (2, 8_200), (3, 8_200)] {
        let winner = Holder::Player(player(number));
        all.push(transfer(pool, winner, prize, TransferKind::Prize));
        all.push(transfer(winner, Holder::House, prize, TransferKind::PaidOut));
    }
    let posted = transfers(at, TransactionKind::Transfer, "EUR".parse().unwrap(), &all).unwrap();
    assert_eq!((posted.kind(), posted.game(), posted.source()), (TransactionKind::Transfer, None, at.source));
    assert_eq!(posted.postings().len(), 2 * all.len());
    // The house has taken in 35,200 and paid out 32,800: its profit is the cash it holds.
    assert!(sums(std::slice::from_ref(&posted)).is_empty(), "{:?}", sums(&[posted]));

    let due = transfers(at, TransactionKind::Transfer, "EUR".parse().unwrap(), &all[..2]).unwrap();
    let expected = [(1, 90, 2_000), (90, 1, -2_000), (1, Holder::HOUSE.as_u128(), 200)];
    let said: Vec<_> =
        postings_of(&due).into_iter().map(|(who, with, _, amount)| (with, who, amount)).collect();
    assert_eq!(said[..3], expected, "the pool rises, the player falls; then the house");
    assert_eq!(sums(&[due])[&(1, "EUR".to_owned())], -2_200, "owed until it is paid in");
}

#[test]
fn a_transfer_of_nothing_or_the_wrong_way_cannot_be_posted() {
    let pool = Holder::Pool(TournamentId(Uuid::from_u128(90)));
    let entrant = Holder::Player(player(1));
    for wrong in [
        transfer(entrant, pool, 0, TransferKind::EntryFee),
        transfer(pool, entrant, 5, TransferKind::EntryFee),
        transfer(entrant, pool, 5, TransferKind::Prize),
    ] {
        let refused = transfers(place(None), TransactionKind::Transfer, "EUR".parse().unwrap(), &[wrong]);
        assert_eq!(refused.unwrap_err().code().name(), "invalid_transfer", "{wrong:?}");
    }
}

#[test]
fn units_are_written_as_their_code() {
    for text in ["half_points", "EUR"] {
        assert_eq!(text.parse::<Unit>().unwrap().to_string(), text);
    }
    assert!("points".parse::<Unit>().is_err());
}

/// Books that are there already have these names, so a variant may be called otherwise, but not its name.
#[test]
fn the_names_that_stored_books_have_stay_as_they_are() {
    fn names<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> String {
        all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(" ")
    }
    use TransactionKind as Kind;
    let transactions = [
        (Kind::Game, "game"),
        (Kind::Correction, "correction"),
        (Kind::Contest, "contest"),
        (Kind::Upheld, "upheld"),
        (Kind::Stake, "stake"),
        (Kind::Payment, "payment"),
        (Kind::Transfer, "transfer"),
        (Kind::Fee, "fee"),
        (Kind::Opening, "opening"),
        (Kind::PastGame, "past_game"),
        (Kind::Adjustment, "adjustment"),
        (Kind::Expense, "expense"),
        (Kind::Income, "income"),
        (Kind::Deposit, "deposit"),
        (Kind::Count, "count"),
        (Kind::Merge, "merge"),
        (Kind::Reversal, "reversal"),
    ];
    for (kind, name) in transactions {
        assert_eq!(kind.name(), name);
    }
    assert_eq!(
        names(MoveKind::ALL, MoveKind::name),
        "payment paid_in paid_out membership table_money other_fee opening past_game adjustment expense income outside \
         deposit counted"
    );
    assert_eq!(
        names(TransferKind::ALL, TransferKind::name),
        "entry_fee registration side_pool re_entry added kept prize paid_in paid_out refund returned"
    );
    assert_eq!(names(&HolderKind::ALL, HolderKind::name), "player pool house bank opening rounding outside");
}
