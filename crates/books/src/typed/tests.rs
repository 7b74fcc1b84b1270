use super::*;
use owlbox_base::values::Currency;

fn money(code: &str) -> Unit {
    Unit::Money(code.parse().unwrap())
}
fn of(language: Language) -> InputFormat {
    InputFormat::of(language)
}
const NO: Result<i64, InputError> = Err(InputError::Unreadable);
fn either(one: &str, other: &str) -> Result<i64, InputError> {
    Err(InputError::Ambiguous([one.to_owned(), other.to_owned()]))
}

#[test]
fn points_are_read_as_people_type_them() {
    let cases = [
        ("3", Some(6)),
        ("1.5", Some(3)),
        ("1,5", Some(3)),
        ("1½", Some(3)),
        ("½", Some(1)),
        ("0", Some(0)),
        ("2.0", Some(4)),
        ("1.3", None),
        ("-1", None),
        ("", None),
        ("three", None),
        ("99999999999999999999", None),
    ];
    for (typed, points) in cases {
        assert_eq!(half_points(typed, InputFormat::default()).ok(), points.map(HalfPoints), "{typed}");
    }
    for language in Language::ALL {
        for (typed, points) in cases.into_iter().chain([
            ("2 ½", Some(5)),
            ("2 1/2", Some(5)),
            ("1/2", Some(1)),
            ("2,50", Some(5)),
            ("+2½", Some(5)),
            ("7,5 Punkte", Some(15)),
            ("1 240½", Some(2481)),
            ("1.240,5", Some(2481)),
            ("½½", None),
            ("2/2", None),
            ("−1½", None),
        ]) {
            assert_eq!(
                half_points(typed, of(*language)).ok(),
                points.map(HalfPoints),
                "{typed} {language:?}"
            );
        }
    }
    assert_eq!(amount("−1½", Unit::HalfPoints, of(Language::French)), Ok(-3));
    assert_eq!(amount("1.500", Unit::HalfPoints, of(Language::German)), either("1500", "1,5"));
}

#[test]
fn m6_an_amount_is_read_in_every_language_as_people_and_spreadsheets_write_it() {
    for language in Language::ALL {
        for (typed, cents) in [
            ("12", Ok(1_200)),
            ("12.5", Ok(1_250)),
            ("12,50", Ok(1_250)),
            ("12,50 €", Ok(1_250)),
            ("€12.50", Ok(1_250)),
            ("EUR 12.50", Ok(1_250)),
            ("12,50 euro", Ok(1_250)),
            ("Euro 12,50", Ok(1_250)),
            ("12,50\u{a0}€", Ok(1_250)),
            ("1.240,00", Ok(124_000)),
            ("1,240.00", Ok(124_000)),
            ("8,287.35", Ok(828_735)),
            ("8.287,35", Ok(828_735)),
            ("8\u{202f}287,35", Ok(828_735)),
            ("8 287,35", Ok(828_735)),
            ("1'240.50", Ok(124_050)),
            ("1’240,50", Ok(124_050)),
            ("1.240.500", Ok(124_050_000)),
            ("1,240,500.5", Ok(124_050_050)),
            ("1240,5000", Ok(124_050)),
            ("0,500", Ok(50)),
            ("5.-", Ok(500)),
            ("5,– €", Ok(500)),
            ("-5", Ok(-500)),
            ("\u{2212}5,00 EUR", Ok(-500)),
            ("EUR -5", Ok(-500)),
            ("+7.50 EUR", Ok(750)),
            ("7,50-", Ok(-750)),
            ("(7.50)", Ok(-750)),
            ("12,505", Ok(1_250_500)),
            ("-1.245 €", Ok(-124_500)),
            ("1.240", either("1240", "1.24")),
            ("-1,000 €", either("-1000", "-1")),
            ("", NO),
            ("€", NO),
            ("12 CHF", NO),
            ("$12", NO),
            ("1.24.0", NO),
            ("12.40,000", NO),
            ("1.240,00,0", NO),
            ("1 24", NO),
            ("--5", NO),
            ("5€€", NO),
            ("12:50", NO),
            ("1e3", NO),
            ("١٢", NO),
            ("99999999999999999999", NO),
        ] {
            let read = amount(typed, money("EUR"), of(*language));
            let own = marks(*language).1.to_string();
            let cents = match cents {
                Err(InputError::Ambiguous([whole, part])) => either(&whole, &part.replace('.', &own)),
                other => other,
            };
            assert_eq!(read, cents, "{typed:?} {language:?}");
        }
        assert_eq!(amount("CHF 1'240.50", money("CHF"), of(*language)), Ok(124_050));
        assert_eq!(amount("Fr. 5.–", money("CHF"), of(*language)), Ok(500));
    }
}

#[test]
fn m6_what_can_mean_two_things_is_asked_unless_something_leaves_one_of_them() {
    use Language::{English, French, German, Italian};
    let said = |numbers| InputFormat { numbers: Some(numbers), ..InputFormat::of(German) };
    let cases = [
        // Said.
        ("1.240", "EUR", said(DecimalMark::Comma), Ok(124_000)),
        ("1.240", "EUR", said(DecimalMark::Point), Ok(124)),
        ("1,240", "EUR", said(DecimalMark::Comma), Ok(124)),
        ("1.245", "EUR", said(DecimalMark::Point), NO),
        ("12.50", "EUR", said(DecimalMark::Comma), Ok(1_250)),
        // As pages print it: yen have no decimals, dinars three.
        ("1.240", "JPY", of(German), Ok(1_240)),
        ("1.240", "JPY", of(Italian), Ok(1_240)),
        ("1,240", "JPY", of(English), Ok(1_240)),
        ("1 240", "JPY", of(French), Ok(1_240)),
        ("1.240", "KWD", of(English), Ok(1_240)),
        ("1,240", "KWD", of(German), Ok(1_240)),
        ("1,000", "JPY", of(German), either("1000", "1")),
        ("1.240", "KWD", of(German), either("1240", "1,24")),
        ("1.245", "KWD", of(German), either("1245", "1,245")),
        (
            "1.245",
            "KWD",
            InputFormat { days: Some(DayOrder::DayFirst), ..InputFormat::default() },
            either("1245", "1.2450"),
        ),
        // Only one is possible: yen have no decimals, euros two.
        ("1,240", "JPY", of(German), Ok(1_240)),
        ("1.245", "EUR", of(English), Ok(124_500)),
        ("5 KWD", "KWD", of(English), Ok(5_000)),
        // Nothing said: as the API reads.
        ("1.240", "EUR", InputFormat::default(), NO),
        ("1.240", "KWD", InputFormat::default(), Ok(1_240)),
        ("-1,24", "EUR", InputFormat::default(), Ok(-124)),
        ("1.240,00", "EUR", InputFormat::default(), NO),
        ("1 240", "EUR", InputFormat::default(), NO),
    ];
    for (typed, code, writing, expected) in cases {
        assert_eq!(amount(typed, money(code), writing), expected, "{typed} {code} {writing:?}");
    }
}

#[test]
fn m6_each_of_two_readings_is_written_so_that_it_has_one() {
    let units = ["EUR", "JPY", "KWD"].map(money).into_iter().chain([Unit::HalfPoints]);
    for (unit, language) in units.flat_map(|unit| Language::ALL.iter().map(move |of| (unit, *of))) {
        let read = |typed: &str| amount(typed, unit, of(language));
        for number in (0..1_000).step_by(5).chain([1, 999]) {
            for typed in ["1.", "1,", "-12.", "(120,"].map(|whole| format!("{whole}{number:03}")) {
                let typed = if typed.starts_with('(') { typed + ")" } else { typed };
                match read(&typed) {
                    Err(InputError::Ambiguous([one, other])) => {
                        let both = (read(&one), read(&other));
                        let said = format!("{typed} in {unit} {language:?}: {one} or {other}, {both:?}");
                        assert!(matches!(both, (Ok(one), Ok(other)) if one != other), "{said}");
                    }
                    read => assert!(read.is_ok(), "{typed} in {unit} {language:?}"),
                }
            }
        }
    }
    for (typed, halves) in [
        ("1.240", Ok(2_480)),
        ("1,200", Ok(2_400)),
        ("1.500", either("1500", "1.5")),
        ("-2.000", either("-2000", "-2")),
    ] {
        assert_eq!(amount(typed, Unit::HalfPoints, of(Language::English)), halves, "{typed}");
    }
}

#[test]
fn moments_are_read_as_people_and_browsers_write_them() {
    let read = |typed: &str| moment(typed, of(Language::German)).map(|read| read.to_string());
    for typed in [
        "2025-11-30T18:30",
        "2025-11-30T18:30:00",
        "2025-11-30T18:30:00.000",
        "2025-11-30 18:30",
        "30.11.2025 18:30",
        "30. 11. 2025 18.30",
        "30/11/2025 18h30",
        "11/30/2025, 18:30",
    ] {
        assert_eq!(read(typed).as_deref(), Ok("2025-11-30 18:30:00"), "{typed}");
    }
    for typed in ["", "18:30", "30.11.2025", "2025-11-30T24:30", "2025-11-30T18", "30.11.2025 half past six"]
    {
        assert_eq!(read(typed), Err(InputError::Unreadable), "{typed}");
    }
    let either = InputError::Ambiguous(["2025-04-03 09:05".to_owned(), "2025-03-04 09:05".to_owned()]);
    assert_eq!(read("03/04/2025 9:05"), Err(either));
}

#[test]
fn m6_days_are_read_as_people_and_spreadsheets_write_them() {
    let day_of = |typed: &str, writing| day(typed, writing).map(|day| day.to_string());
    let with = |days| InputFormat { days: Some(days), ..InputFormat::of(Language::English) };
    for language in Language::ALL {
        for typed in [
            "2025-11-30",
            "30.11.2025",
            "30. 11. 2025",
            "30/11/2025",
            "11/30/2025",
            "2025/11/30",
            "30-11-2025",
            "30/11/2025 00:00",
            "2025-11-30 00:00:00",
        ] {
            assert_eq!(day_of(typed, of(*language)).as_deref(), Ok("2025-11-30"), "{typed}");
        }
        for bad in
            ["", "30.11.25", "31/11/2025", "30.11", "2025-11-30 20:00", "32/13/2025", "2025-11", "11.30.2025"]
        {
            assert_eq!(day_of(bad, of(*language)), Err(InputError::Unreadable), "{bad}");
        }
        let asked = InputError::Ambiguous(["2025-04-03".to_owned(), "2025-03-04".to_owned()]);
        assert_eq!(day_of("03/04/2025", of(*language)), Err(asked));
        assert_eq!(day_of("04/04/2025", of(*language)).as_deref(), Ok("2025-04-04"));
    }
    assert_eq!(day_of("03/04/2025", with(DayOrder::DayFirst)).as_deref(), Ok("2025-04-03"));
    assert_eq!(day_of("03/04/2025", with(DayOrder::MonthFirst)).as_deref(), Ok("2025-03-04"));
    assert_eq!(
        day_of("30/11/2025", with(DayOrder::MonthFirst)).as_deref(),
        Ok("2025-11-30"),
        "it is one day only"
    );
    // Nothing said: as the API reads.
    for (typed, is_read) in
        [("2025-11-30", true), ("5.12.2025", true), ("30/11/2025", false), ("2025-1-3", false)]
    {
        assert_eq!(day_of(typed, InputFormat::default()).is_ok(), is_read, "{typed}");
    }
}

#[test]
fn a_currency_is_named_by_its_code_or_its_sign_among_those_of_the_club() {
    let club: Vec<Currency> = ["EUR", "CAD", "USD"].iter().map(|code| code.parse().unwrap()).collect();
    for (typed, code) in [
        ("EUR", Some("EUR")),
        ("eur", Some("EUR")),
        ("€", Some("EUR")),
        ("Euro", Some("EUR")),
        ("US$", Some("USD")),
    ] {
        assert_eq!(currency(typed, &club).map(|one| one.to_string()).as_deref(), code, "{typed}");
    }
    for typed in ["$", "CHF", "Fr.", ""] {
        assert_eq!(currency(typed, &club), None, "{typed}");
    }
}
