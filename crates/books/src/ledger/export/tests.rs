use std::collections::BTreeSet;

use proptest::prelude::*;
use uuid::Uuid;

use super::chart::{Root, code_of};
use super::*;
use owlbox_base::values::{ChouetteId, HolderKind, PlayerId, TournamentId};
use owlbox_play::tournament::money::TransferKind;

fn account(class: Class, name: &str, id: u128) -> Account {
    Account::new(class, Holder::Player(PlayerId(Uuid::from_u128(id))), name)
}

fn of_house(class: Class) -> Account {
    Account::new(class, Holder::House, "")
}

fn unit(name: &str) -> Unit {
    name.parse().unwrap()
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn line(account: Account, unit_name: &str, amount: i64) -> Line {
    let holder = account.owner.as_ref().map_or(Holder::House, |(_, id)| Holder::Player(PlayerId(*id)));
    let (with, purpose) = ("Bea \"B\" O'Neil".to_owned(), "entry_fee".to_owned());
    Line { account, holder, with, purpose, unit: unit(unit_name), amount }
}

const NAME: &str = "Ada; O'Neil: \"x\"";

/// A game with an odd name, in points and money; a fee in a currency without minor units; one in a currency
/// with three digits of them.
fn entry() -> Entry {
    let (ada, bea) = (7, 8);
    Entry {
        id: TransactionId(Uuid::from_u128(0x0193_7000_0000_7000_8000_0000_0000_0001)),
        on: day("2026-11-20"),
        posted_at: "2026-11-20T20:07:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap().into(),
        kind: "game".to_owned(),
        source: Source::Chouette(ChouetteId(Uuid::from_u128(9))),
        what: described("a;b | c  d\\ \"=1+1\"", "game", Some(3), []),
        game: Some(3),
        lines: vec![
            line(account(Class::Scores, NAME, ada), "half_points", 3),
            line(account(Class::Scores, "Bea", bea), "half_points", -3),
            line(account(Class::Players, NAME, ada), "EUR", 1205),
            line(account(Class::Players, "Bea", bea), "EUR", -1205),
            line(of_house(Class::Cash), "JPY", -500),
            line(of_house(Class::Registration), "JPY", 500),
            line(of_house(Class::Cash), "KWD", -5),
            line(of_house(Class::Registration), "KWD", 5),
        ],
    }
}

fn chart() -> Chart {
    let mut chart = Chart { club: "Circolo \"Owl\"".to_owned(), ..Chart::default() };
    chart.usual = Some("EUR".parse().unwrap());
    for line in entry().lines {
        chart.note(line.account, line.unit, (day("2026-11-21"), day("2026-11-22")));
    }
    let pool = Account::new(Class::Pools, Holder::Pool(TournamentId(Uuid::from_u128(9))), "Open");
    let days = |from: &str, until: &str| (day(from), day(until));
    chart.note(pool.clone(), unit("EUR"), days("2026-10-03", "2026-10-04"));
    chart.note(pool, unit("EUR"), days("2026-10-01", "2026-10-02")).closed = true;
    chart
}

fn written(format: Format) -> String {
    let mut out = String::new();
    format.begin(&mut out, &chart());
    format.entry(&mut out, &entry());
    out
}

#[test]
fn hledger_is_told_everything_first_and_no_text_is_a_comment() {
    let expected = "\
; Circolo \"Owl\"
decimal-mark .
commodity 1000. HALFPT
commodity 1000.00 EUR
commodity 1000. JPY
commodity 1000.000 KWD
account Assets:Cash  ; type:C
account Liabilities:Players:Ada, O'Neil- 'x' 00000007
account Liabilities:Players:Bea 00000008
account Liabilities:Pools:Open 00000009
account Equity:Scores:Ada, O'Neil- 'x' 00000007
account Equity:Scores:Bea 00000008
account Income:Registration

2026-11-20 (01937000-0000-7000-8000-000000000001) a,b / c d\\ \"=1+1\", game 3
    Equity:Scores:Ada, O'Neil- 'x' 00000007  -3 HALFPT  ; entry fee
    Equity:Scores:Bea 00000008  3 HALFPT  ; entry fee
    Liabilities:Players:Ada, O'Neil- 'x' 00000007  -12.05 EUR  ; entry fee
    Liabilities:Players:Bea 00000008  12.05 EUR  ; entry fee
    Assets:Cash  500 JPY  ; entry fee
    Income:Registration  -500 JPY  ; entry fee
    Assets:Cash  0.005 KWD  ; entry fee
    Income:Registration  -0.005 KWD  ; entry fee
";
    assert_eq!(written(Format::Hledger), expected);
}

#[test]
fn beancount_has_accounts_opened_on_their_first_day_and_closed_when_they_are_done_with() {
    let expected = "\
option \"title\" \"Circolo \\\"Owl\\\"\"
option \"operating_currency\" \"EUR\"
option \"operating_currency\" \"JPY\"
option \"operating_currency\" \"KWD\"

2026-11-21 open Assets:Cash
2026-11-21 open Liabilities:Players:Ada-ONeil-x-00000007
  name: \"Ada; O'Neil: \\\"x\\\"\"
2026-11-21 open Liabilities:Players:Bea-00000008
  name: \"Bea\"
2026-10-01 open Liabilities:Pools:Open-00000009
  name: \"Open\"
2026-10-04 close Liabilities:Pools:Open-00000009
2026-11-21 open Equity:Scores:Ada-ONeil-x-00000007
  name: \"Ada; O'Neil: \\\"x\\\"\"
2026-11-21 open Equity:Scores:Bea-00000008
  name: \"Bea\"
2026-11-21 open Income:Registration

2026-11-20 * \"a;b | c d\\\\ \\\"=1+1\\\", game 3\" ^01937000-0000-7000-8000-000000000001
  Equity:Scores:Ada-ONeil-x-00000007  -3 HALFPT
  Equity:Scores:Bea-00000008  3 HALFPT
  Liabilities:Players:Ada-ONeil-x-00000007  -12.05 EUR
  Liabilities:Players:Bea-00000008  12.05 EUR
  Assets:Cash  500 JPY
  Income:Registration  -500 JPY
  Assets:Cash  0.005 KWD
  Income:Registration  -0.005 KWD
";
    assert_eq!(written(Format::Beancount), expected);
}

#[test]
fn gnucash_has_an_account_for_each_currency_below_those_that_add_up() {
    let said = written(Format::GnucashAccounts).replace("\r\n", "\n");
    let expected = "\
Type,Full Account Name,Account Name,Account Code,Description,Account Color,Notes,Symbol,Namespace,Hidden,Tax Info,Placeholder
ASSET,\"Assets\",\"Assets\",,\"\",,,EUR,CURRENCY,F,F,T
CASH,\"Assets:Cash JPY\",\"Cash JPY\",,\"\",,,JPY,CURRENCY,F,F,F
CASH,\"Assets:Cash KWD\",\"Cash KWD\",,\"\",,,KWD,CURRENCY,F,F,F
LIABILITY,\"Liabilities\",\"Liabilities\",,\"\",,,EUR,CURRENCY,F,F,T
LIABILITY,\"Liabilities:Players EUR\",\"Players EUR\",,\"\",,,EUR,CURRENCY,F,F,T
LIABILITY,\"Liabilities:Players EUR:Ada, O'Neil- 'x' 00000007\",\"Ada, O'Neil- 'x' 00000007\",00000007,\"Ada; O'Neil: \"\"x\"\"\",,,EUR,CURRENCY,F,F,F
LIABILITY,\"Liabilities:Players EUR:Bea 00000008\",\"Bea 00000008\",00000008,\"Bea\",,,EUR,CURRENCY,F,F,F
LIABILITY,\"Liabilities:Pools EUR\",\"Pools EUR\",,\"\",,,EUR,CURRENCY,F,F,T
LIABILITY,\"Liabilities:Pools EUR:Open 00000009\",\"Open 00000009\",00000009,\"Open\",,,EUR,CURRENCY,F,F,F
INCOME,\"Income\",\"Income\",,\"\",,,EUR,CURRENCY,F,F,T
INCOME,\"Income:Registration JPY\",\"Registration JPY\",,\"\",,,JPY,CURRENCY,F,F,F
INCOME,\"Income:Registration KWD\",\"Registration KWD\",,\"\",,,KWD,CURRENCY,F,F,F
";
    assert_eq!(said, expected);

    let said = written(Format::Gnucash);
    let lines: Vec<&str> = said.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 1 + 6, "no points: {said}");
    let id = "01937000-0000-7000-8000-000000000001";
    let first = format!(
        "2026-11-20,{id}-EUR,00000001,\"a;b | c d/ \"\"=1+1\"\", game 3\",{id},CURRENCY::EUR,,,entry fee,\
         \"Liabilities:Players EUR:Ada, O'Neil- 'x' 00000007\",\"Ada, O'Neil- 'x' 00000007\",-12.05 EUR,-12.05"
    );
    assert_eq!(lines[1], first);
    let ids: BTreeSet<&str> = lines[1..].iter().map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(ids.len(), 3, "a transaction for each currency");
}

#[test]
fn a_spreadsheet_has_both_signs_and_no_formula() {
    let said = written(Format::Csv);
    let first = "2026-11-20,01937000-0000-7000-8000-000000000001,2026-11-20T20:07:00Z,game,chouette,\
                 00000000-0000-0000-0000-000000000009,3,\"a;b | c d\\ \"\"=1+1\"\", game 3\",\
                 \"Equity:Scores:Ada, O'Neil- 'x' 00000007\",player,00000000-0000-0000-0000-000000000007,\
                 \"Ada; O'Neil: \"\"x\"\"\",\"Bea \"\"B\"\" O'Neil\",entry fee,HALFPT,3,,3";
    assert_eq!(said.split("\r\n").nth(1), Some(first));
    let debit = said.split("\r\n").nth(4).unwrap();
    assert!(debit.ends_with(",EUR,-12.05,12.05,"), "{debit}");
    assert_eq!(said.split_terminator("\r\n").count(), 1 + entry().lines.len());
    let mut entry = entry();
    entry.what = described("=1+1", "game", Some(1), []);
    let mut out = String::new();
    Format::Csv.entry(&mut out, &entry);
    assert!(out.contains(",\"'=1+1, game 1\","), "{out}");
}

#[test]
fn what_it_was_says_what_is_not_a_game_and_what_became_of_it() {
    for (kind, game, purposes, expected) in [
        ("game", Some(14), vec!["member"], "Friday, game 14"),
        ("transfer", None, vec!["registration", "entry_fee", "entry_fee"], "Friday, entry fee, registration"),
        ("reversal", None, vec!["paid_in"], "Friday, paid in (undone)"),
        ("correction", Some(2), vec![], "Friday, game 2 (corrected)"),
        ("merge", Some(2), vec![], "Friday, game 2 (players merged)"),
    ] {
        assert_eq!(described("Friday", kind, game, purposes), expected);
    }
}

/// Every transfer that a tournament can make has two accounts, and what the house earns is not mistaken for
/// what it holds.
#[test]
fn every_posting_has_an_account() {
    use HolderKind::{House, Player, Pool};
    for purpose in TransferKind::ALL.iter().copied() {
        for from in HolderKind::ALL {
            for to in HolderKind::ALL {
                for (holder, other) in [(from, to), (to, from)] {
                    if purpose.goes(from, to) {
                        let class = Class::of(holder, other, purpose.name(), unit("EUR"));
                        assert!(class.is_some(), "{purpose:?} {holder:?}");
                        assert_eq!(holder == House, !matches!(class, Some(Class::Players | Class::Pools)));
                    }
                }
            }
        }
    }
    for (purpose, other, class) in [
        ("paid_in", Player, Class::Cash),
        ("paid_out", Player, Class::Cash),
        ("registration", Player, Class::Registration),
        ("refund", Player, Class::Refunds),
        ("refund", Pool, Class::Added),
        ("added", Pool, Class::Added),
        ("kept", Pool, Class::Kept),
        ("returned", Pool, Class::Kept),
    ] {
        assert_eq!(Class::of(House, other, purpose, unit("EUR")), Some(class), "{purpose}");
    }
    assert_eq!(Class::of(House, Player, "prize", unit("EUR")), None);
    assert_eq!(Class::of(House, Player, "member", unit("EUR")), None);
    assert_eq!(Class::of(Player, Player, "member", unit("half_points")), Some(Class::Scores));
    assert_eq!(Class::of(Player, Player, "member", unit("EUR")), Some(Class::Players));
}

#[test]
fn a_format_is_known_by_its_name_everywhere() {
    for format in Format::ALL {
        assert_eq!(format.name().parse::<Format>().unwrap(), format);
        let json = serde_json::from_value::<Format>(format.name().into());
        assert_eq!(json.unwrap(), format);
    }
    assert!("ledger".parse::<Format>().is_err());
    let files: BTreeSet<&str> = Format::ALL.into_iter().map(Format::file).collect();
    assert_eq!(files.len(), Format::ALL.len());
}

#[test]
fn amounts_have_the_digits_of_their_unit_and_no_amount_is_too_large() {
    for (amount, decimals, text) in [
        (0, 0, "0"),
        (-7, 0, "-7"),
        (-7, 2, "-0.07"),
        (100, 2, "1.00"),
        (-123_456, 3, "-123.456"),
        (i128::from(i64::MAX), 2, "92233720368547758.07"),
    ] {
        assert_eq!(Decimal(amount, decimals).to_string(), text);
    }
    let largest = line(of_house(Class::Cash), "JPY", i64::MIN);
    assert_eq!(Decimal(largest.debit(), 0).to_string(), "9223372036854775808");
}

#[test]
fn names_of_any_script_stay_readable_for_beancount() {
    for (name, expected) in [
        ("Ada Bianchi", "Ada-Bianchi-"),
        ("O'Neil, Sh\u{e9}a Jr.", "ONeil-Sh\u{e9}a-Jr-"),
        ("a\u{308}nne", "\u{c4}nne-"),
        ("\u{674e}\u{96f7}", "X\u{674e}\u{96f7}-"),
        ("\u{df}-Bahn", "X\u{df}-Bahn-"),
        ("99 Red", "99-Red-"),
        ("\u{1f98a}\u{24b6} \u{2160}", "X-"),
        ("... ", "X-"),
    ] {
        assert_eq!(names::hyphenated(name), expected, "{name}");
    }
}

/// Text with everything that some program takes for something else.
fn names_of_all_kinds() -> impl Strategy<Value = String> {
    let sign = prop_oneof![
        4 => any::<char>(),
        3 => proptest::sample::select(" \u{a0}\t\n:;|\"'\\()[]{}=+-@#*!,.&<>^~$\u{2028}\u{200d}".chars().collect::<Vec<_>>()),
        4 => proptest::sample::select("AaBbZz09\u{e4}\u{d6}\u{df}\u{e9}\u{141}\u{416}\u{436}\u{5d0}\u{674e}\u{3042}\u{1f3b2}\u{2163}\u{24b6}".chars().collect::<Vec<_>>()),
    ];
    proptest::collection::vec(sign, 0..24).prop_map(|signs| signs.into_iter().collect())
}

proptest! {
    #[test]
    fn no_name_breaks_an_account(name in names_of_all_kinds(), id in any::<u128>()) {
        for class in Class::ALL.iter().copied() {
            let account = account(class, &name, id);
            let start = format!("{}:{}:", class.root().name(), class.name());
            let code = code_of(Uuid::from_u128(id));

            // hledger and GnuCash: no sub-account, no comment, no end of the name, no formula.
            let spaced = account.spaced();
            let own = spaced.strip_prefix(&start).unwrap();
            prop_assert!(own.ends_with(&code));
            prop_assert!(!own.contains(['\u{3a}', ';', '"', '\\', '|']), "{own:?}");
            prop_assert!(!own.contains("  ") && own.trim() == own, "{own:?}");
            prop_assert!(!own.chars().any(|c| c.is_control() || (c.is_whitespace() && c != ' ')), "{own:?}");
            prop_assert!(!own.starts_with(|c: char| c.is_ascii_punctuation()), "{own:?}");

            // Beancount: a capital or a digit, then letters, digits and hyphens.
            let hyphenated = account.hyphenated();
            let own = hyphenated.strip_prefix(&start).unwrap();
            prop_assert!(own.ends_with(&code));
            let first = own.chars().next().unwrap();
            prop_assert!(first.is_ascii_digit() || first.is_uppercase(), "{own:?}");
            prop_assert!(own.chars().all(|c| c == '-' || c.is_alphanumeric()), "{own:?}");
        }
    }

    #[test]
    fn two_of_one_name_stay_two_and_a_name_does_not_depend_on_others(
        name in names_of_all_kinds(),
        one in any::<u64>(),
        other in any::<u64>(),
    ) {
        let last_bits = |id: u64| id & ((1 << 40) - 1);
        prop_assume!(last_bits(one) != last_bits(other));
        let [one, other] = [one, other].map(|id| account(Class::Players, &name, id.into()));
        prop_assert_ne!(one.spaced(), other.spaced());
        prop_assert_ne!(one.hyphenated(), other.hyphenated());
    }

    #[test]
    fn every_line_of_a_file_has_its_form(name in names_of_all_kinds(), club in names_of_all_kinds()) {
        let mut entry = entry();
        entry.what = described(&name, "game", Some(1), []);
        entry.lines = vec![
            line(account(Class::Players, &name, 7), "EUR", 5),
            line(account(Class::Players, &name, 8), "EUR", -5),
        ];
        let mut chart = Chart { club, ..Chart::default() };
        for line in &entry.lines {
            chart.note(line.account.clone(), line.unit, (entry.on, entry.on));
        }
        let written = |format: Format| {
            let mut out = String::new();
            format.begin(&mut out, &chart);
            format.entry(&mut out, &entry);
            out
        };
        // Lines: a comment, a decimal mark, a unit, two accounts; an empty one, the head, two postings.
        let hledger = written(Format::Hledger);
        prop_assert_eq!(hledger.lines().count(), 5 + 4, "{}", hledger);
        let after_the_title = hledger.split_once('\n').unwrap().1;
        prop_assert_eq!(after_the_title.matches(';').count(), 2, "{}", hledger);
        // A title, a currency; an empty line; two accounts with a name each; an empty line, the head, two
        // postings.
        let beancount = written(Format::Beancount);
        prop_assert_eq!(beancount.lines().count(), 2 + 1 + 4 + 4, "{}", beancount);
        for format in [Format::Gnucash, Format::GnucashAccounts, Format::Csv] {
            let csv = written(format);
            // Quotes come in pairs, on every line.
            for line in csv.split("\r\n") {
                prop_assert_eq!(line.matches('"').count() % 2, 0, "{}", line);
                prop_assert!(!line.contains('\n'), "{:?}", line);
            }
        }
    }
}

#[test]
fn the_five_roots_are_those_of_every_program() {
    let roots: BTreeSet<&str> = Class::ALL.iter().map(|class| class.root().name()).collect();
    let all = [Root::Assets, Root::Liabilities, Root::Equity, Root::Income, Root::Expenses];
    assert_eq!(roots, all.into_iter().map(Root::name).collect());
}
