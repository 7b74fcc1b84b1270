//! Tables are read as people write them, and whatever is wrong in one is named with its line.

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::club::meant::spelled;
use crate::daybook::Record;
use crate::ledger::export::Decimal;

fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}
fn key(name: &str) -> String {
    name.parse::<PlayerName>().unwrap().key()
}
fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}
fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

/// A club with Ada (1), Bea (2) and two Jos, books in euros and yen, closed up to October 2025.
fn in_the_club(kind: TableKind, text: impl AsRef<[u8]>, add_players: bool) -> CheckedTable {
    as_written(kind, text, add_players, InputFormat::default())
}

fn as_written(
    kind: TableKind,
    text: impl AsRef<[u8]>,
    add_players: bool,
    writing: InputFormat,
) -> CheckedTable {
    let meant = [
        ("Ada", NameMatch::Player(player(1))),
        ("Bea", NameMatch::Player(player(2))),
        ("Jo", NameMatch::Several([player(8), player(9)].into())),
    ];
    let known = ImportContext {
        today: day("2026-01-15"),
        closing: Closing(Some("2025-10".parse().unwrap())),
        currencies: &[currency("EUR"), currency("JPY")],
        meant: &meant.into_iter().map(|(name, meant)| (key(name), meant)).collect(),
        add_players,
        writing,
    };
    Table::read(kind, text.as_ref(), writing).check(&known)
}

fn standings(text: impl AsRef<[u8]>) -> CheckedTable {
    in_the_club(TableKind::Standings, text, false)
}
fn games(text: impl AsRef<[u8]>) -> CheckedTable {
    in_the_club(TableKind::Games, text, false)
}

/// Line, column and code of all that is wrong.
fn named(understood: &CheckedTable) -> Vec<(u64, Option<Column>, Why)> {
    understood.wrong.iter().map(|wrong| (wrong.line, wrong.column, wrong.why)).collect()
}

#[test]
fn standings_are_read_with_any_separator_ending_quote_and_order_of_columns() {
    let expected = [
        (player(1), Unit::Money(currency("EUR")), 1_250),
        (player(2), Unit::HalfPoints, -25),
        (player(2), Unit::Money(currency("JPY")), 300),
    ];
    for text in [
        "player,unit,amount\nAda,EUR,12.5\nBea,points,-12.5\nBea,JPY,300\n",
        "player;unit;amount\r\nAda;EUR;12,50\r\nBea;points;-12,5\r\nBea;JPY;300",
        "\u{feff}Amount\tPLAYER\tUnit\n+12,5\tAda\teur\n\n\u{2212}12½\t bea \tPoints\n300\tBea\tJPY\n\t\t\n",
        "\n\"player\",\"amount\",unit\n\"Ada\",\"12,50\",EUR\n\"Bea\",\"-12,5\",points\n\"Bea\",300,\"JPY\"",
    ] {
        let understood = standings(text);
        assert_eq!(understood.wrong, [], "{text}");
        let found: Vec<_> = understood
            .lines
            .iter()
            .map(|line| match &line.what {
                Entry::Standing { player: Person::Player(player), unit, amount } => (*player, *unit, *amount),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn games_are_for_points_for_money_or_for_both_and_booked_in_order_of_days() {
    let text = "winner;loser;date;points;currency;amount\n\
        Ada;Bea;30.11.2025;2,5;EUR;2,50\nBea;Ada;2025-11-02;3;;\nBea;Ada;1.12.2025;;JPY;70\n";
    let understood = games(text);
    assert_eq!(understood.wrong, []);
    let sums = understood.sums();
    let of = |number, unit| sums[&(Person::Player(player(number)), unit)];
    assert_eq!([of(1, Unit::HalfPoints), of(2, Unit::HalfPoints)], [-1, 1]);
    assert_eq!([of(1, Unit::Money(currency("EUR"))), of(2, Unit::Money(currency("JPY")))], [250, 70]);
    let order = understood.to_command(&BTreeMap::new(), None, None).unwrap();
    let recorded = order.recorded(day("2026-01-15"), 0).unwrap();
    let Record::PastGames { games } = &recorded.what else { panic!("{recorded:?}") };
    let days: Vec<NaiveDate> = games.iter().map(|game| game.on).collect();
    assert_eq!(days, ["2025-11-02", "2025-11-30", "2025-12-01"].map(day));
    assert_eq!((recorded.on, recorded.what.check()), (day("2025-12-01"), Ok(())));
}

/// A near name may be somebody who is known, so it is neither taken for them nor added.
#[test]
fn a_near_name_is_ambiguous_and_says_who_may_be_meant_and_new_people_are_one_however_they_are_spelled() {
    let meant =
        [("Ada", NameMatch::Near(player(1))), ("Bea", NameMatch::Several([player(2), player(3)].into()))];
    let known = ImportContext {
        today: day("2026-01-15"),
        closing: Closing(None),
        currencies: &[currency("EUR")],
        meant: &meant.into_iter().map(|(name, meant)| (key(name), meant)).collect(),
        add_players: true,
        writing: InputFormat::default(),
    };
    let text = "player,unit,amount\nAda,EUR,1\nBea,EUR,2\nSeán O’Brien,EUR,3\nSEÁN O'BRIEN,points,4\n";
    let understood = Table::read(TableKind::Standings, text.as_ref(), InputFormat::default()).check(&known);
    let wrong: Vec<_> = understood.wrong.iter().map(|wrong| (wrong.line, wrong.why, &wrong.may_be)).collect();
    let (ada, both) = (BTreeSet::from([player(1)]), BTreeSet::from([player(2), player(3)]));
    assert_eq!(wrong, [(2, Why::AmbiguousName, &ada), (3, Why::AmbiguousName, &both)]);
    assert_eq!(understood.added.iter().map(PlayerName::as_str).collect::<Vec<_>>(), ["Seán O’Brien"]);
    assert_eq!(understood.to_command(&BTreeMap::new(), None, None), None, "they have to be added first");
}

#[test]
fn everything_that_is_wrong_is_named_with_its_line_and_column() {
    use Column::{Amount, Currency, Date, Loser, Player, Points, Unit};
    let understood = standings(
        "player,unit,amount\nAda,EUR,1.255\nXaver,pounds,3\n\nJo,USD,1\nBea,points\nBea,points,1.3\n,EUR,\n\
         Bea,JPY,1\nbea,jpy,2\nBea,points,2\n",
    );
    let expected = [
        (2, Some(Amount), Why::BadAmount),
        (3, Some(Player), Why::UnknownPlayer),
        (3, Some(Unit), Why::BadUnit),
        (5, Some(Player), Why::AmbiguousName),
        (5, Some(Unit), Why::UnknownCurrency),
        (6, None, Why::WrongCells),
        (7, Some(Amount), Why::BadAmount),
        (8, Some(Player), Why::Empty),
        (8, Some(Amount), Why::Empty),
        (10, Some(Player), Why::Twice),
        (11, Some(Player), Why::Twice),
    ];
    assert_eq!(named(&understood), expected);
    assert_eq!(understood.wrong[0].found, "1.255");
    assert_eq!(understood.lines.iter().map(|line| line.number).collect::<Vec<_>>(), [9]);

    let understood = games(
        "date,winner,loser,points,currency,amount\n2025-10-31,Ada,Bea,1,,\n2026-01-16,Ada,Bea,1,,\n\
         31.2.2025,Ada,Ada,0,,\n2025-11-30,Ada,Bea,,,\n2025-11-30,Ada,Bea,-1,EUR,\n2025-11-30,Ada,Bea,,,3\n\
         25-11-30,Ada,Bea,1,,\n2025-11-30,Ada,Bea,1,JPY,1.5\n",
    );
    let expected = [
        (2, Some(Date), Why::MonthClosed),
        (3, Some(Date), Why::InTheFuture),
        (4, Some(Date), Why::BadDay),
        (4, Some(Loser), Why::SamePlayer),
        (4, Some(Points), Why::BadAmount),
        (5, Some(Points), Why::Empty),
        (6, Some(Amount), Why::Empty),
        (6, Some(Points), Why::BadAmount),
        (7, Some(Currency), Why::Empty),
        (8, Some(Date), Why::BadDay),
        (9, Some(Amount), Why::BadAmount),
    ];
    assert_eq!(named(&understood), expected);
}

#[test]
fn headings_are_refused_before_any_line_is() {
    use Column::{Amount, Currency, Loser, Player, Points, Unit};
    for (kind, text, expected) in [
        (TableKind::Standings, "", vec![(1, None, Why::NothingToBook)]),
        (TableKind::Standings, "player,unit,amount\n", vec![(1, None, Why::NothingToBook)]),
        (TableKind::Standings, "player,unit,amount\nAda,EUR,0\n", vec![(1, None, Why::NothingToBook)]),
        (
            TableKind::Standings,
            "\nname,player,player\nAda",
            vec![
                (2, None, Why::UnknownColumn),
                (2, Some(Player), Why::ColumnTwice),
                (2, Some(Unit), Why::MissingColumn),
                (2, Some(Amount), Why::MissingColumn),
            ],
        ),
        (TableKind::Games, "date,winner,loser", vec![(1, Some(Points), Why::MissingColumn)]),
        (TableKind::Games, "date,winner,loser,amount", vec![(1, Some(Currency), Why::MissingColumn)]),
        (
            TableKind::Games,
            "date,winner,unit,points",
            vec![(1, None, Why::UnknownColumn), (1, Some(Loser), Why::MissingColumn)],
        ),
    ] {
        let mut found = named(&in_the_club(kind, text, false));
        found.sort();
        let mut expected = expected;
        expected.sort();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_is_no_text_goes_on_over_lines_or_is_too_much_is_named() {
    // Before C16 a line in Windows-1252 was no text: it is read now, and only what was lost is not.
    let understood = standings("player,unit,amount\nJ\u{fffd}rg,EUR,1\nAda,EUR,1\n\u{1},EUR,1\n");
    assert_eq!(named(&understood), [(2, None, Why::NotText), (4, None, Why::NotText)]);
    let understood = standings("player,unit,amount\nBea,EUR,1\n\"Ada,EUR,1\nBea,EUR,1\n");
    assert_eq!(named(&understood), [(3, None, Why::OpenQuote)]);
    let mut text = String::from("date,winner,loser,points\n");
    text.extend(std::iter::repeat_n("2025-11-30,Ada,Bea,1\n", MOST_LINES));
    assert_eq!(games(&text).lines.len(), MOST_LINES);
    text.push_str(",,,\n");
    assert_eq!(named(&games(&text)), [], "a row of separators is none");
    text.push_str("2025-11-30,Ada,Bea,1\n");
    assert_eq!(named(&games(&text)), [(MOST_LINES as u64 + 3, None, Why::TooManyLines)]);
    assert_eq!(named(&standings(vec![b' '; MOST_BYTES + 1])), [(1, None, Why::TooLarge)]);
}

#[test]
fn c16_a_table_is_read_in_every_encoding_that_spreadsheets_write() {
    let text = "player;unit;amount\r\nJörg Müller;EUR;-12,50\r\nAndré Çelik;EUR;12,50\r\n";
    let ansi: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let mut utf_16 = vec![0xff, 0xfe];
    utf_16.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let tabs = text.replace(';', "\t");
    for bytes in [text.as_bytes(), format!("\u{feff}{text}").as_bytes(), &ansi, &utf_16, tabs.as_bytes()] {
        let understood = in_the_club(TableKind::Standings, bytes, true);
        assert_eq!(understood.wrong, []);
        let added: Vec<&str> = understood.added.iter().map(PlayerName::as_str).collect();
        assert_eq!(added, ["Jörg Müller", "André Çelik"]);
    }
}

#[test]
fn m6_a_table_is_read_as_people_write_it_in_their_language() {
    use crate::club::Language::{English, French, German, Italian};
    let expected = [
        (player(1), Unit::Money(currency("EUR")), -124_000),
        (player(2), Unit::Money(currency("EUR")), 1_250),
        (player(2), Unit::HalfPoints, 5),
        (player(1), Unit::Money(currency("JPY")), 1_240),
    ];
    for (language, text) in [
        (
            German,
            "Spieler;Einheit;Betrag\r\nAda;EUR;-1.240,00\r\nBea;€;12,50 €\r\nBea;Punkte;2½\r\nAda;JPY;1.240\r\n",
        ),
        (German, "Mitglied;Währung;Saldo\nAda;Euro;-1'240.-\nBea;EUR;12.50\nBea;Pkt.;2,5\nAda;JPY;1240\n"),
        (
            French,
            "joueur;unité;montant\nAda;EUR;−1\u{202f}240,00\nBea;EUR;12,5\nBea;points;2 1/2\nAda;JPY;1 240\n",
        ),
        (
            Italian,
            "NOME\tUNITÀ\tIMPORTO\nAda\tEUR\t1.240,00-\nBea\teur\t€ 12,50\nBea\tpunti\t2,50\nAda\tJPY\t¥1.240\n",
        ),
        (
            English,
            "Name,Unit,Balance\nAda,EUR,\"(1,240.00)\"\nBea,EUR,12.5\nBea,pts,2.5\nAda,JPY,\"1,240\"\n",
        ),
    ] {
        let understood = as_written(TableKind::Standings, text, false, InputFormat::of(language));
        assert_eq!(understood.wrong, [], "{text}");
        let found: Vec<_> = understood
            .lines
            .iter()
            .map(|line| match &line.what {
                Entry::Standing { player: Person::Player(player), unit, amount } => (*player, *unit, *amount),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
    let text = "Datum;Sieger;Verlierer;Punkte;Währung;Betrag\n30/11/2025;Ada;Bea;2½;EUR;5,–\n11/30/2025;Bea;Ada;3;;\n";
    assert_eq!(as_written(TableKind::Games, text, false, InputFormat::of(German)).wrong, []);
    assert_ne!(games(text).wrong, [], "nothing said: as the API reads");
}

#[test]
fn m6_what_can_mean_two_things_is_asked_line_by_line() {
    use crate::typed::{DayOrder, DecimalMark};
    let writing = InputFormat::of(crate::club::Language::German);
    let text =
        "Datum;Sieger;Verlierer;Währung;Betrag\n03/12/2025;Ada;Bea;EUR;5\n30.11.2025;Ada;Bea;EUR;1.240\n";
    let understood = as_written(TableKind::Games, text, false, writing);
    let expected =
        [(2, Some(Column::Date), Why::AmbiguousDay), (3, Some(Column::Amount), Why::AmbiguousAmount)];
    assert_eq!(named(&understood), expected);
    assert_eq!(understood.wrong[1].found, "1.240", "it is shown");
    for (numbers, amount) in [(DecimalMark::Comma, 124_000), (DecimalMark::Point, 124)] {
        let said = InputFormat { numbers: Some(numbers), days: Some(DayOrder::DayFirst), ..writing };
        let understood = as_written(TableKind::Games, text, false, said);
        assert_eq!(understood.wrong, []);
        let sums = understood.sums();
        let sum = sums[&(Person::Player(player(1)), Unit::Money(currency("EUR")))];
        assert_eq!(sum, 500 + amount, "{numbers:?}");
    }
}

#[test]
fn names_that_nobody_has_are_added_once_if_that_is_asked_for() {
    let text = "player,unit,amount\nXaver,EUR,1\nADA,EUR,1\nxaver,points,2\nYann,points,0\n";
    assert_eq!(standings(text).wrong.len(), 3);
    let understood = in_the_club(TableKind::Standings, text, true);
    assert_eq!(understood.wrong, []);
    assert_eq!(understood.added.iter().map(PlayerName::as_str).collect::<Vec<_>>(), ["Xaver", "Yann"]);
    let ids = BTreeMap::from([(key("Xaver"), player(7)), (key("Yann"), player(8))]);
    let Some(DaybookCommand::OpenBalances { balances, .. }) = understood.to_command(&ids, None, None) else {
        panic!()
    };
    let found: Vec<_> = balances.iter().map(|one| (one.holder, one.amount)).collect();
    assert_eq!(found, [(player(7).into(), 100), (player(1).into(), 100), (player(7).into(), 4)]);
}

/// A cell as a careful program writes it.
fn quoted(cell: &str, separator: char) -> String {
    if cell.contains([separator, '"']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

proptest! {
    /// What is written down is read as it was meant, and nothing is wrong with it.
    #[test]
    fn a_table_is_read_as_it_was_written(
        rows in prop::collection::btree_map("[a-zA-Zäß ,;\"'.-]{0,20}z", (0..3_usize, -3_000_000..3_000_000_i64), 1..30),
        separator in prop::sample::select(vec![',', ';', '\t']),
        ending in prop::sample::select(vec!["\n", "\r\n"]),
        comma in any::<bool>(),
    ) {
        let units = [Unit::HalfPoints, Unit::Money(currency("EUR")), Unit::Money(currency("JPY"))];
        let mut text = ["unit", "amount", "player"].join(&separator.to_string()) + ending;
        let mut expected: BTreeMap<(String, Unit), i64> = BTreeMap::new();
        for (name, (unit, amount)) in &rows {
            let name: PlayerName = name.parse().unwrap();
            let unit = units[*unit];
            if expected.insert((name.key(), unit), *amount).is_some() {
                continue;
            }
            let (label, written) = match unit {
                Unit::HalfPoints => ("points".to_owned(), Decimal(i128::from(*amount) * 5, 1).to_string()),
                Unit::Money(money) => {
                    (money.to_string(), Decimal((*amount).into(), money.decimals()).to_string())
                }
            };
            let written = if comma { written.replace('.', ",") } else { written };
            let cells = [label, written, name.to_string()].map(|cell| quoted(&cell, separator));
            text.push_str(&cells.join(&separator.to_string()));
            text.push_str(ending);
        }
        let people: BTreeSet<String> = rows.keys().map(|name| spelled(name)).collect();
        prop_assume!(people.len() == rows.len() && expected.len() == rows.len() && expected.values().any(|amount| *amount != 0));
        let understood = in_the_club(TableKind::Standings, &text, true);
        prop_assert_eq!(&understood.wrong, &[], "{}", text);
        let found: BTreeMap<(String, Unit), i64> = understood
            .lines
            .iter()
            .map(|line| match &line.what {
                Entry::Standing { player: Person::New(name), unit, amount } => ((name.key(), *unit), *amount),
                other => panic!("{other:?}"),
            })
            .collect();
        prop_assert_eq!(found, expected);
    }

    /// Every spoilt line is named, and no other.
    #[test]
    fn every_spoilt_line_is_named_and_no_other(spoilt in prop::collection::vec(0..9_usize, 1..60)) {
        let mut text = String::from("date,winner,loser,points\n");
        let mut expected = Vec::new();
        for (number, how) in (2..).zip(&spoilt) {
            let (line, why) = match how {
                0 => ("2025-13-30,Ada,Bea,1", Some(Why::BadDay)),
                1 => ("2025-11-30,Nobody,Bea,1", Some(Why::UnknownPlayer)),
                2 => ("2025-11-30,Ada,Ada,1", Some(Why::SamePlayer)),
                3 => ("2025-11-30,Ada,Bea,0", Some(Why::BadAmount)),
                4 => ("2025-11-30,Ada,Bea", Some(Why::WrongCells)),
                _ => ("2025-11-30,Ada,Bea,1½", None),
            };
            text.push_str(line);
            text.push('\n');
            expected.extend(why.map(|why| (number, why)));
        }
        let understood = games(&text);
        let found: Vec<_> = understood.wrong.iter().map(|wrong| (wrong.line, wrong.why)).collect();
        prop_assert_eq!(understood.lines.len() + found.len(), spoilt.len());
        prop_assert_eq!(found, expected);
    }

    /// Whatever is brought is answered, with a record that the rules accept or with something that is wrong.
    #[test]
    fn whatever_is_brought_is_booked_by_the_rules_or_refused(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            "(date|winner|loser|points|player|unit|amount|Ada|Bea|EUR|JPY|2025-11-30|[0-9.,½-]{1,5}|[,;\t\n\r\"])*"
                .prop_map(String::into_bytes),
        ],
        is_games in any::<bool>(),
        add_players in any::<bool>(),
        headed in any::<bool>(),
    ) {
        let kind = if is_games { TableKind::Games } else { TableKind::Standings };
        let headings: &[u8] = if is_games { b"date,winner,loser,points\n" } else { b"player,unit,amount\n" };
        let text = if headed { [headings, &bytes].concat() } else { bytes };
        let understood = in_the_club(kind, &text, add_players);
        if understood.wrong.is_empty() {
            let ids = understood.added.iter().zip(10..).map(|(name, id)| (name.key(), player(id))).collect();
            let order = understood.to_command(&ids, None, None).unwrap();
            let recorded = order.recorded(day("2026-01-15"), 0).unwrap();
            prop_assert_eq!(recorded.what.check(), Ok(()));
        }
    }
}
