//! Texts by key: Fluent files under `templates/locales/`, embedded in the binary.
//!
//! A text that a language lacks is shown in English, and one that all languages lack by its key. A debug
//! build, and so every test, panics instead, and also if a text is not given one of its values. So any page
//! that a test renders has all of its words.

use std::fmt::Display;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use super::own_words::{FORMS, Seat};
use super::{Language, Locale};
use owlbox_base::code::Code;
use owlbox_play::tournament::payout::Prize;

macro_rules! fluent_files {
    ($tag:literal) => {
        fluent_files!($tag: "frame" "door" "night" "people" "table" "settle_up" "house_rules" "board" "reference"
            "bracket" "tournaments" "directing" "matches" "sheets" "errors" "treasury" "privacy" "mail")
    };
    ($tag:literal: $($name:literal)*) => {
        [$(embedded!(concat!("templates/locales/", $tag, "/", $name, ".ftl"))),*]
    };
}

type Texts = FluentBundle<FluentResource>;

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| texts(Language::English));
static GERMAN: LazyLock<Texts> = LazyLock::new(|| texts(Language::German));
static FRENCH: LazyLock<Texts> = LazyLock::new(|| texts(Language::French));
static ITALIAN: LazyLock<Texts> = LazyLock::new(|| texts(Language::Italian));

/// Parses a language's files. Entries that do not parse are left out and shown by key; a test finds them
/// before a reader does.
fn texts(language: Language) -> Texts {
    let mut bundle = FluentBundle::new_concurrent(language.tag().parse().into_iter().collect());
    // Direction marks around values would be mere noise in left-to-right languages.
    bundle.set_use_isolating(false);
    for file in files(language) {
        let resource = match FluentResource::try_new(file.to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// The sources of a language's texts.
fn files(language: Language) -> [&'static str; 18] {
    match language {
        Language::English => fluent_files!("en"),
        Language::German => fluent_files!("de"),
        Language::French => fluent_files!("fr"),
        Language::Italian => fluent_files!("it"),
    }
}

/// The text of a key, or one of its forms. `None` if there is none.
fn written(texts: &Texts, key: &str, form: Option<&str>, values: Option<&FluentArgs<'_>>) -> Option<String> {
    let message = texts.get_message(key)?;
    let pattern = match form {
        Some(form) => message.get_attribute(form)?.value(),
        None => message.value()?,
    };
    let mut errors = Vec::new();
    let text = texts.format_pattern(pattern, values, &mut errors).into_owned();
    debug_assert!(errors.is_empty(), "{key}: {errors:?}");
    Some(text)
}

fn texts_of(language: Language) -> &'static Texts {
    match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::French => &FRENCH,
        Language::Italian => &ITALIAN,
    }
}

impl Locale {
    /// The text of `key`, which takes no values.
    #[must_use]
    pub fn get(&self, key: &str) -> String {
        self.text(key, None)
    }

    /// The text of `key` with one value, `name`.
    #[must_use]
    pub fn with(&self, key: &str, name: &str, value: impl Display) -> String {
        self.fill(key, &[(name, &value)])
    }

    /// The text of `key` with several values, each by name.
    #[must_use]
    pub fn fill(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut arguments = FluentArgs::new();
        for (name, value) in values {
            arguments.set(*name, FluentValue::from(value.to_string()));
        }
        self.text(key, Some(arguments))
    }

    /// The text of `key` for a number of things, in the language's plural forms. Its value is named `count`.
    #[must_use]
    pub fn count(&self, key: &str, count: &usize) -> String {
        let mut arguments = FluentArgs::new();
        arguments.set("count", FluentValue::from(*count));
        self.text(key, Some(arguments))
    }

    /// The text for a problem's code.
    #[must_use]
    pub fn error(&self, code: Code) -> String {
        self.get(&format!("error-{}", code.name().replace('_', "-")))
    }

    fn text(&self, key: &str, arguments: Option<FluentArgs<'_>>) -> String {
        let texts = texts_of(self.language);
        if let Some(own) = self.own.any().then(|| self.own_form(texts, key)).flatten() {
            return written(texts, key, Some(own), Some(&self.with_own_words(texts, arguments)))
                .unwrap_or_default();
        }
        let text = written(texts, key, None, arguments.as_ref());
        debug_assert!(text.is_some(), "{:?} has no text {key}", self.language);
        text.or_else(|| written(&ENGLISH, key, None, arguments.as_ref())).unwrap_or_else(|| key.to_owned())
    }

    /// The form of a text for the club's own words, if it has one for words that the club has.
    fn own_form(&self, texts: &Texts, key: &str) -> Option<&'static str> {
        let message = texts.get_message(key)?;
        let has_word = |seats: &[Seat]| seats.iter().any(|seat| self.own.of(*seat).is_some());
        let mut forms = FORMS.iter().filter(|(_, seats)| has_word(seats)).map(|(form, _)| *form);
        forms.find(|form| message.get_attribute(form).is_some())
    }

    /// The values of a text and the club's words. For a seat without one it is the language's.
    fn with_own_words<'a>(&'a self, texts: &Texts, values: Option<FluentArgs<'a>>) -> FluentArgs<'a> {
        let mut values = values.unwrap_or_default();
        for seat in Seat::ALL {
            values.set(seat.value(), self.word_for(texts, seat));
        }
        values
    }

    /// The club's word for a seat, or else the language's.
    fn word_for(&self, texts: &Texts, seat: Seat) -> String {
        let own = self.own.of(seat).map(str::to_owned);
        own.or_else(|| written(texts, seat.key(), None, None)).unwrap_or_default()
    }

    /// What the club calls the seats, in a sentence, if it has words of its own.
    #[must_use]
    pub fn own_words(&self) -> Option<String> {
        let [the_box, captain, crew] = Seat::ALL.map(|seat| self.word_for(texts_of(self.language), seat));
        let said = [("box", &the_box as &dyn Display), ("captain", &captain), ("crew", &crew)];
        self.own.any().then(|| self.fill("rules-own-words", &said))
    }

    /// The name of a prize.
    #[must_use]
    pub fn prize(&self, prize: Prize) -> String {
        self.get(match prize {
            Prize::Winner => "prize-winner",
            Prize::Finalist => "prize-finalist",
            Prize::SemiFinalist => "prize-semi-finalist",
            Prize::ConsolationWinner => "prize-consolation-winner",
            Prize::ConsolationFinalist => "prize-consolation-finalist",
            Prize::LastChanceWinner => "prize-last-chance-winner",
        })
    }

    /// What follows a label, on one line: `Takes: Ada`.
    #[must_use]
    pub fn labelled(&self, label: impl Display, text: impl Display) -> String {
        self.fill("labelled", &[("label", &label), ("text", &text)])
    }

    /// Names as a list in a sentence: `Ada, Kim and Lou`.
    #[must_use]
    pub fn list<S: AsRef<str>>(&self, names: &[S]) -> String {
        match names {
            [] => String::new(),
            [one] => one.as_ref().to_owned(),
            [first @ .., last] => {
                let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
                self.fill("list", &[("first", &first.join(", ")), ("last", &last.as_ref())])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use chrono_tz::Tz;
    use owlbox_books::club::settings::SeatWords;
    use strum::VariantArray as _;

    /// Every key of a language, with the names of the values that its text takes.
    fn keys(language: Language) -> BTreeMap<String, BTreeSet<String>> {
        let mut keys = BTreeMap::new();
        let mut key = String::new();
        for text in files(language) {
            let resource = FluentResource::try_new(text.to_owned());
            assert!(resource.is_ok(), "{language:?}: {:?}", resource.err().map(|(_, errors)| errors));
            for line in text.lines().filter(|line| !line.trim_start().starts_with('.')) {
                if let Some((name, _)) =
                    line.split_once(" =").filter(|_| !line.starts_with([' ', '*', '[', '}']))
                {
                    key = name.to_owned();
                    assert!(
                        keys.insert(key.clone(), BTreeSet::new()).is_none(),
                        "{language:?} has {key} twice"
                    );
                }
                for place in line.split('$').skip(1) {
                    let name = place.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
                    keys.get_mut(&key).unwrap().insert(name.to_owned());
                }
            }
        }
        keys
    }

    /// The forms of a language's texts for a club's own words: key and form, with the values.
    fn own_forms(language: Language) -> BTreeMap<(String, String), BTreeSet<String>> {
        let mut key = "";
        let mut forms = BTreeMap::new();
        for line in files(language).iter().flat_map(|file| file.lines()) {
            if let Some((form, text)) =
                line.trim_start().strip_prefix('.').and_then(|line| line.split_once(" ="))
            {
                let values = text.split('$').skip(1);
                let name = |value: &str| value.split([' ', '}']).next().unwrap_or_default().to_owned();
                forms.insert((key.to_owned(), form.to_owned()), values.map(name).collect());
            } else if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
                key = name;
            }
        }
        forms
    }

    /// In every language the same texts have a form for a club's own words, with the words that belong to
    /// that form and the values that the text has.
    #[test]
    fn the_forms_for_a_clubs_own_words_are_the_same_in_every_language() {
        let english = own_forms(Language::English);
        assert!(english.len() > 30, "{english:?}");
        for language in Language::VARIANTS {
            let keys = keys(*language);
            let mut forms = own_forms(*language);
            for ((key, form), values) in &mut forms {
                let (_, seats) =
                    FORMS.iter().find(|(name, _)| name == form).unwrap_or_else(|| panic!("{key}.{form}"));
                for seat in *seats {
                    assert!(values.remove(seat.value()), "{language:?} {key}.{form} lacks {seat:?}");
                }
                assert_eq!(values, &keys[key], "{language:?} {key}.{form}");
            }
            assert!(forms.keys().eq(english.keys()), "{language:?}");
        }
    }

    #[test]
    fn a_clubs_own_words_stand_where_the_languages_would() {
        let words = |json| serde_json::from_value::<SeatWords>(json).unwrap();
        let capo = words(serde_json::json!({"box": "Capo"}));
        let all = words(serde_json::json!({"box": "Chef", "captain": "Kapitän", "crew": "Mannschaft"}));
        let said = |language, words: &SeatWords, key: &str| {
            Locale::new(language, Tz::UTC)
                .with_words(words.into())
                .fill(key, &[("box", &"Ada"), ("captain", &"Kim")])
        };
        assert_eq!(said(Language::English, &capo, "say-box-wins-gammon"), "Capo wins a gammon");
        assert_eq!(said(Language::English, &capo, "role-crew"), "Crew");
        assert_eq!(said(Language::English, &capo, "now-between"), "Ada is Capo, Kim Captain");
        assert_eq!(said(Language::German, &all, "now-between"), "Ada ist Chef, Kim Kapitän");
        assert_eq!(said(Language::French, &all, "now-between"), "Ada (Chef), Kim (Kapitän)");
        assert_eq!(said(Language::Italian, &all, "role-crew"), "Mannschaft");
        assert_eq!(
            said(Language::German, &words(serde_json::json!({"crew": "Rest"})), "say-box-wins-gammon"),
            "Gammon für die Box"
        );
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
        for &language in Language::ALL {
            assert_eq!(keys(language), english, "{language:?}");
        }
    }

    /// Undo reverses something recorded; cancel leaves a sheet without recording anything. They must not
    /// sound alike.
    #[test]
    fn undo_and_cancel_have_words_of_their_own() {
        for &language in Language::ALL {
            let t = Locale::new(language, chrono_tz::UTC);
            let undo = t.get("undo-paid");
            assert!(t.with("undo-what", "what", "x").starts_with(&undo), "{language:?}");
            for cancel in ["sheet-cancel", "desk-cancel", "not-over-yet", "leave-as-it-is", "live-discard"] {
                assert!(!t.get(cancel).starts_with(&undo), "{language:?}: {cancel}");
            }
        }
    }

    #[test]
    fn every_code_has_words_of_its_own_in_every_language() {
        for &language in Language::ALL {
            let keys = keys(language);
            let without: Vec<_> = Code::VARIANTS
                .iter()
                .filter(|code| !keys.contains_key(&format!("error-{}", code.name().replace('_', "-"))))
                .collect();
            assert!(without.is_empty(), "{language:?} says nothing of its own about {without:?}");
        }
    }

    #[test]
    fn plurals_and_lists_follow_the_language() {
        let [en, de, fr, it] = [Language::English, Language::German, Language::French, Language::Italian]
            .map(|language| Locale::new(language, Tz::UTC));
        assert_eq!(en.count("players-count", &1), "1 player");
        assert_eq!(it.count("players-count", &5), "5 giocatori");
        assert_eq!(en.count("games-count", &0), "no game yet");
        assert_eq!(de.count("players-count", &1), "1 Spieler");
        assert_eq!(fr.count("players-count", &0), "0 joueur", "nought is singular");
        assert_eq!(it.list(&["Ada", "Kim", "Lou"]), "Ada, Kim e Lou");
        assert_eq!(de.list(&["Ada", "Kim", "Lou"]), "Ada, Kim und Lou");
        assert_eq!(fr.list(&["Ada", "Kim"]), "Ada et Kim");
        assert_eq!(en.list::<&str>(&[]), "");
    }
}
