//! Tests of the languages: that no text is missing in one of them or takes other values there, and that numbers and dates
//! read as they should.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use owlbox_domain::code::Code;
use owlbox_domain::tournament::rating::Rating;
use strum::VariantArray as _;

/// Every key of a language, with the names of the values it takes.
fn keys(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let mut keys = BTreeMap::new();
    let mut key = String::new();
    for text in language.files() {
        let resource = FluentResource::try_new(text.to_owned());
        assert!(resource.is_ok(), "{language:?}: {:?}", resource.err().map(|(_, errors)| errors));
        for line in text.lines() {
            if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with([' ', '*', '[', '}']))
            {
                key = name.to_owned();
                assert!(keys.insert(key.clone(), BTreeSet::new()).is_none(), "{language:?} has {key} twice");
            }
            for place in line.split('$').skip(1) {
                let name = place.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
                keys.get_mut(&key).unwrap().insert(name.to_owned());
            }
        }
    }
    keys
}

#[test]
fn every_house_rule_has_words() {
    let english = keys(Language::English);
    let of_rules = crate::pages::rule_words::every_key();
    let unwritten: Vec<_> = of_rules.iter().filter(|key| !english.contains_key(*key)).collect();
    assert!(unwritten.is_empty(), "settings without words: {unwritten:?}");
}

#[test]
#[should_panic(expected = "Italian has no text brand-new")]
fn a_text_that_is_not_there_is_not_asked_for() {
    let _ = Locale::new(Language::Italian, Tz::UTC).get("brand-new");
}

#[test]
#[should_panic(expected = "players-count")]
fn a_text_is_not_asked_for_without_its_values() {
    let _ = Locale::new(Language::English, Tz::UTC).get("players-count");
}

#[test]
fn every_language_has_the_same_texts_with_the_same_values() {
    let english = keys(Language::English);
    for language in Language::ALL {
        assert_eq!(keys(language), english, "{language:?}");
    }
}

/// To take back what was recorded, and to leave a sheet without recording anything, are two things.
#[test]
fn undo_and_cancel_have_words_of_their_own() {
    for language in Language::ALL {
        let t = Locale::new(language, chrono_tz::UTC);
        let undo = t.get("undo-paid");
        assert!(t.with("undo-what", "what", "x").starts_with(&undo), "{language:?}");
        for cancel in ["sheet-cancel", "desk-cancel", "not-over-yet", "leave-as-it-is", "live-discard"] {
            assert!(!t.get(cancel).starts_with(&undo), "{language:?}: {cancel}");
        }
    }
}

#[test]
fn the_cookie_goes_before_the_browser_and_english_stands_in() {
    use Language::{English, Italian};
    let cases = [
        (None, None, English),
        (Some("it"), Some("en"), Italian),
        (Some("xx"), Some("it-CH,it;q=0.9,en;q=0.8"), Italian),
        (None, Some("fr, en;q=0.5, it;q=0.7"), Italian),
        (None, Some("fr;q=1.0, *;q=0.1"), English),
        (None, Some("it;q=0"), English),
        (None, Some(";;q=,,"), English),
    ];
    for (cookie, header, expected) in cases {
        assert_eq!(Language::choose(cookie, header), expected, "{cookie:?} {header:?}");
    }
}

#[test]
fn a_rating_is_written_to_two_decimals() {
    let [en, it] = Language::ALL.map(|language| Locale::new(language, Tz::UTC));
    for (thousandths, english, italian) in
        [(1_500_000, "1500.00", "1500,00"), (1_523_456, "1523.46", "1523,46"), (-4_004, "-4.00", "-4,00")]
    {
        assert_eq!([en.rating(Rating(thousandths)), it.rating(Rating(thousandths))], [english, italian]);
    }
}

#[test]
fn money_is_written_as_the_language_writes_it() {
    let [en, it] = Language::ALL.map(|language| Locale::new(language, Tz::UTC));
    let [eur, jpy, kwd] = ["EUR", "JPY", "KWD"].map(|code| code.parse().unwrap());
    let cases = [
        (0, eur, "0.00 EUR", "0,00 EUR"),
        (123_450, eur, "+1,234.50 EUR", "+1.234,50 EUR"),
        (-5, eur, "-0.05 EUR", "-0,05 EUR"),
        (-1_234_567, jpy, "-1,234,567 JPY", "-1.234.567 JPY"),
        (1_005, kwd, "+1.005 KWD", "+1,005 KWD"),
    ];
    for (amount, currency, english, italian) in cases {
        assert_eq!(en.money(MinorUnits(amount), currency).text, english);
        assert_eq!(it.money(MinorUnits(amount), currency).text, italian);
    }
    let _ = en.money(MinorUnits(i64::MIN), eur);
    let stake = |amount: i64, currency| Stake { amount: amount.try_into().unwrap(), currency };
    for (amount, currency, text) in
        [(500, eur, "5 EUR"), (50, eur, "0,50 EUR"), (100_000, eur, "1.000 EUR"), (100, jpy, "100 JPY")]
    {
        assert_eq!(it.stake(stake(amount, currency)), text);
    }
}

#[test]
fn amounts_carry_their_sign_and_their_class() {
    let t = Locale::new(Language::English, Tz::UTC);
    assert_eq!(t.points(HalfPoints(-3)).to_string(), "<span class=\"n lost\">-1½</span>");
    assert_eq!(t.points(HalfPoints(6)).to_string(), "<span class=\"n won\">+3</span>");
    assert_eq!(t.points(HalfPoints(0)).to_string(), "<span class=\"n even\">0</span>");
    assert_eq!(t.how_many(HalfPoints(-1)), "½");
}

#[test]
fn times_are_those_of_the_clubs_clock() {
    let moment: DateTime<chrono::Utc> = "2026-11-20T23:07:00Z".parse().unwrap();
    let [en, it] = Language::ALL.map(|language| Locale::new(language, chrono_tz::Europe::Rome));
    assert_eq!(en.date_time(&moment.into()), "Sat 21 Nov 2026, 00:07");
    assert_eq!(it.date_time(&moment.into()), "sab 21 nov 2026, 00:07");
    assert_eq!(en.machine_time(&moment.into()), "2026-11-20T23:07:00Z");
}

#[test]
fn plurals_and_lists_follow_the_language() {
    let [en, it] = Language::ALL.map(|language| Locale::new(language, Tz::UTC));
    assert_eq!(en.count("players-count", &1), "1 player");
    assert_eq!(it.count("players-count", &5), "5 giocatori");
    assert_eq!(en.count("games-count", &0), "no game yet");
    assert_eq!(it.list(&["Ada", "Kim", "Lou"]), "Ada, Kim e Lou");
    assert_eq!(en.list::<&str>(&[]), "");
}

#[test]
fn every_code_has_words_of_its_own_in_every_language() {
    for language in Language::ALL {
        let keys = keys(language);
        let without: Vec<_> = Code::VARIANTS
            .iter()
            .filter(|code| !keys.contains_key(&format!("error-{}", code.name().replace('_', "-"))))
            .collect();
        assert!(without.is_empty(), "{language:?} says nothing of its own about {without:?}");
    }
}
