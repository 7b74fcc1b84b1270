//! Languages: every word a page shows comes from here, by key, and every number and date is written here.
//!
//! The texts are Fluent files under `templates/locales/`, embedded in the binary. A page gets its
//! [`Locale`] from the reader's cookie, else from `Accept-Language`, else it is English. A text that
//! is missing in a language is shown in English, and one that is missing in all by its key. In a debug build, which is
//! what the tests try, whoever asks for such a text panics instead, or asks without one of its values: so every page that
//! a test looks at has its words.

use std::fmt::{self, Display};
use std::sync::LazyLock;

use chrono::{DateTime, Datelike, NaiveDate, Timelike};
use chrono_tz::Tz;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use owlbox_domain::code::Code;
use owlbox_domain::tournament::payout::Prize;
use owlbox_domain::tournament::rating::Rating;
use owlbox_domain::values::{Currency, HalfPoints, MinorUnits, Stake, Timestamp};

/// The cookie that keeps the language a reader picked.
pub const LANGUAGE_COOKIE: &str = "owlbox_language";

macro_rules! fluent_files {
    ($tag:literal) => {
        [
            include_str!(concat!("../../../templates/locales/", $tag, "/frame.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/door.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/night.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/people.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/table.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/settle_up.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/house_rules.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/board.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/reference.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/bracket.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/tournaments.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/directing.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/matches.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/sheets.ftl")),
            include_str!(concat!("../../../templates/locales/", $tag, "/errors.ftl")),
        ]
    };
}

/// A language the pages speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, which also stands in for a language we do not speak.
    #[default]
    English,
    Italian,
}

impl Language {
    /// Every language, in the order of the picker.
    pub const ALL: [Self; 2] = [Self::English, Self::Italian];

    /// Its tag (BCP 47), for the cookie and the `lang` attribute.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Italian => "it",
        }
    }

    /// Its own name, as its readers look for it.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Italian => "Italiano",
        }
    }

    /// The language of a tag like `it` or `it-CH`.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?.trim();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// The cookie's choice, else the best of `Accept-Language`, else English.
    #[must_use]
    pub fn choose(cookie: Option<&str>, accept_language: Option<&str>) -> Self {
        cookie
            .and_then(Self::from_tag)
            .or_else(|| accept_language.and_then(Self::best_accepted))
            .unwrap_or_default()
    }

    /// The language with the highest weight in an `Accept-Language` header, the first of equals.
    fn best_accepted(header: &str) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for choice in header.split(',') {
            let (tag, weight) = choice.split_once(';').unwrap_or((choice, "q=1"));
            let weight: f32 = weight.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(0.0);
            let heavier = weight > best.map_or(0.0, |(heaviest, _)| heaviest);
            if let (true, Some(language)) = (heavier, Self::from_tag(tag.trim())) {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language)
    }

    /// Its texts as they are written.
    const fn files(self) -> [&'static str; 15] {
        match self {
            Self::English => fluent_files!("en"),
            Self::Italian => fluent_files!("it"),
        }
    }

    fn texts(self) -> &'static Texts {
        match self {
            Self::English => &ENGLISH,
            Self::Italian => &ITALIAN,
        }
    }
}

type Texts = FluentBundle<FluentResource>;

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| texts(Language::English));
static ITALIAN: LazyLock<Texts> = LazyLock::new(|| texts(Language::Italian));

/// Reads a language's files. What cannot be read is left out and shown by its key; the test of the
/// texts finds it before a reader does.
fn texts(language: Language) -> Texts {
    let mut bundle = FluentBundle::new_concurrent(language.tag().parse().into_iter().collect());
    // Direction marks around every value would only be noise in two left-to-right languages.
    bundle.set_use_isolating(false);
    for file in language.files() {
        let resource = match FluentResource::try_new(file.to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// An amount that is won or lost: its text, and which of the two, for its colour.
///
/// In a template it writes its own `<span>`; the text holds nothing but figures, signs and a
/// currency code, so there is nothing to escape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// `+3`, `-1½`, `0`, `-7.50 EUR`.
    pub text: String,
    tone: &'static str,
}

impl Amount {
    fn new(text: String, value: i64) -> Self {
        let tone = match value {
            0 => "even",
            1.. => "won",
            _ => "lost",
        };
        Self { text, tone }
    }

    /// `won`, `lost` or `even`: the class it is shown in.
    #[must_use]
    pub const fn tone(&self) -> &'static str {
        self.tone
    }
}
impl Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<span class=\"n {}\">{}</span>", self.tone, self.text)
    }
}
impl askama::filters::HtmlSafe for Amount {}

/// A reader's language and the club's time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locale {
    pub language: Language,
    /// Where the club's clock hangs.
    pub zone: Tz,
}

impl Locale {
    #[must_use]
    pub const fn new(language: Language, zone: Tz) -> Self {
        Self { language, zone }
    }

    /// The language's tag, for the `lang` attribute.
    #[must_use]
    pub const fn tag(&self) -> &'static str {
        self.language.tag()
    }

    /// The text of `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> String {
        self.text(key, None)
    }

    /// The text of `key` with `value` in the place `name`.
    #[must_use]
    pub fn with(&self, key: &str, name: &str, value: impl Display) -> String {
        self.fill(key, &[(name, &value)])
    }

    /// The text of `key` with every value in its place.
    #[must_use]
    pub fn fill(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut arguments = FluentArgs::new();
        for (name, value) in values {
            arguments.set(*name, FluentValue::from(value.to_string()));
        }
        self.text(key, Some(&arguments))
    }

    /// The text of `key` for `count` things, in the language's plural forms; its place is `count`.
    #[must_use]
    pub fn count(&self, key: &str, count: &usize) -> String {
        let mut arguments = FluentArgs::new();
        arguments.set("count", FluentValue::from(*count));
        self.text(key, Some(&arguments))
    }

    /// The text for a problem's code.
    #[must_use]
    pub fn error(&self, code: Code) -> String {
        self.get(&format!("error-{}", code.name().replace('_', "-")))
    }

    fn text(&self, key: &str, arguments: Option<&FluentArgs<'_>>) -> String {
        let written = |texts: &Texts| {
            let pattern = texts.get_message(key)?.value()?;
            let mut errors = Vec::new();
            let text = texts.format_pattern(pattern, arguments, &mut errors).into_owned();
            debug_assert!(errors.is_empty(), "{key}: {errors:?}");
            Some(text)
        };
        let text = written(self.language.texts());
        debug_assert!(text.is_some(), "{:?} has no text {key}", self.language);
        text.or_else(|| written(&ENGLISH)).unwrap_or_else(|| key.to_owned())
    }

    /// Points with their sign always: `+3`, `-1½`, `0`.
    #[must_use]
    pub fn points(&self, points: HalfPoints) -> Amount {
        Amount::new(points.to_string(), points.0)
    }

    /// How many points, without a sign: `3`, `1½`.
    #[must_use]
    pub fn how_many(&self, points: HalfPoints) -> String {
        points.to_string().trim_start_matches(['+', '-']).to_owned()
    }

    /// Money with its sign always and its currency: `+1,234.50 EUR`, in Italian `+1.234,50 EUR`.
    #[must_use]
    pub fn money(&self, amount: MinorUnits, currency: Currency) -> Amount {
        let sign = match amount.0 {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        Amount::new(format!("{sign}{} {currency}", self.decimal(amount, currency)), amount.0)
    }

    /// The same without the currency, where a column's head names it.
    #[must_use]
    pub fn money_alone(&self, amount: MinorUnits, currency: Currency) -> Amount {
        let whole = self.money(amount, currency);
        let text = whole.text.trim_end_matches(currency.code()).trim_end().to_owned();
        Amount { text, ..whole }
    }

    /// How much money, without a sign: `30.00 EUR`.
    #[must_use]
    pub fn how_much(&self, amount: MinorUnits, currency: Currency) -> String {
        format!("{} {currency}", self.decimal(amount, currency))
    }

    /// What a prize is for.
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

    /// What a point is worth: `5 EUR`, `0.50 EUR`; decimals only where there are some.
    #[must_use]
    pub fn stake(&self, stake: Stake) -> String {
        let amount = MinorUnits(i64::from(stake.amount));
        let written = self.decimal(amount, stake.currency);
        let whole = written.trim_end_matches('0').trim_end_matches(['.', ',']);
        let has_decimals = amount.0 % 10_i64.pow(stake.currency.decimals()) != 0;
        let number = if has_decimals || stake.currency.decimals() == 0 { &written } else { whole };
        format!("{number} {}", stake.currency)
    }

    /// The magnitude of an amount, grouped, with as many decimals as the currency has.
    fn decimal(&self, amount: MinorUnits, currency: Currency) -> String {
        let (group, point) = match self.language {
            Language::English => (',', '.'),
            Language::Italian => ('.', ','),
        };
        let decimals = currency.decimals();
        let unit = 10_u64.pow(decimals);
        let magnitude = amount.0.unsigned_abs();
        let whole = (magnitude / unit).to_string();
        let mut text = String::with_capacity(whole.len() * 4 / 3 + 4);
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (whole.len() - place).is_multiple_of(3) {
                text.push(group);
            }
            text.push(digit);
        }
        if decimals > 0 {
            text.push(point);
            text.push_str(&format!("{:0width$}", magnitude % unit, width = decimals as usize));
        }
        text
    }

    /// A number with so many decimals, rounded: `0.52`.
    #[must_use]
    pub fn decimals(&self, number: f64, decimals: usize) -> String {
        let written = format!("{number:.decimals$}");
        match self.language {
            Language::English => written,
            Language::Italian => written.replace('.', ","),
        }
    }

    /// A chance from 0 to 1 in per cent, with one decimal: `52.3 %`.
    #[must_use]
    pub fn per_cent(&self, chance: f64) -> String {
        self.with("per-cent", "number", self.decimals(100.0 * chance, 1))
    }

    /// A rating to two decimals, as servers print it: `1523.46`.
    #[must_use]
    pub fn rating(&self, rating: Rating) -> String {
        let point = match self.language {
            Language::English => '.',
            Language::Italian => ',',
        };
        let hundredths = (rating.0.unsigned_abs() + 5) / 10;
        let sign = if rating.0 < 0 && hundredths > 0 { "-" } else { "" };
        format!("{sign}{}{point}{:02}", hundredths / 100, hundredths % 100)
    }

    /// By how much a rating changed, with its sign always: `+12.34`.
    #[must_use]
    pub fn rating_change(&self, change: Rating) -> Amount {
        let written = self.rating(change);
        let sign = if change.0 > 0 { "+" } else { "" };
        Amount::new(format!("{sign}{written}"), change.0)
    }

    fn local(&self, moment: &Timestamp) -> DateTime<Tz> {
        moment.utc().with_timezone(&self.zone)
    }

    /// The time of day at the club: `21:07`.
    #[must_use]
    pub fn time(&self, moment: &Timestamp) -> String {
        let local = self.local(moment);
        format!("{:02}:{:02}", local.hour(), local.minute())
    }

    /// The day at the club: `Fri 20 Nov 2026`, in Italian `ven 20 nov 2026`.
    #[must_use]
    pub fn date(&self, moment: &Timestamp) -> String {
        self.day(self.local(moment).date_naive())
    }

    /// A day, as `date` writes it.
    #[must_use]
    pub fn day(&self, day: NaiveDate) -> String {
        let nth = |key, index: u32| {
            self.get(key).split_whitespace().nth(index as usize).unwrap_or_default().to_owned()
        };
        let weekday = nth("weekdays", day.weekday().num_days_from_monday());
        let month = nth("months", day.month0());
        format!("{weekday} {} {month} {}", day.day(), day.year())
    }

    /// The day and the time at the club.
    #[must_use]
    pub fn date_time(&self, moment: &Timestamp) -> String {
        format!("{}, {}", self.date(moment), self.time(moment))
    }

    /// The moment as machines read it, for a `<time>` element.
    #[must_use]
    pub fn machine_time(&self, moment: &Timestamp) -> String {
        moment.utc().to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
    }

    /// Names as a sentence lists them: `Ada, Kim and Lou`.
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
#[path = "locale_tests.rs"]
mod tests;
