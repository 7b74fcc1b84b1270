//! Numbers as a language writes them: points, money, ratings and chances.

use std::fmt::{self, Display};

use askama::{FastWritable, Values};

use super::Locale;
use owlbox_base::values::{Currency, HalfPoints, MinorUnits, Stake};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::{self, InputError, InputFormat, marks};
use owlbox_play::tournament::rating::Rating;

/// An amount won or lost: its text, and which of the two, for its colour.
///
/// In a template it writes its own `<span>`; as a string it is its text, so that no markup is escaped where a
/// string is put into a template. The text holds nothing but digits, signs and a currency code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// For example `+3`, `-1½`, `0`, `-7.50 EUR`.
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

    /// Nothing to read where the amount is zero.
    #[must_use]
    pub fn unless_zero(self, value: i64) -> Self {
        if value == 0 { Self { text: String::new(), ..self } } else { self }
    }

    /// Neither won nor lost: of an account on which that says nothing.
    #[must_use]
    pub fn neutral(self) -> Self {
        Self { tone: "even", ..self }
    }

    /// The CSS class: `won`, `lost` or `even`.
    #[must_use]
    pub const fn tone(&self) -> &'static str {
        self.tone
    }
}
impl Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
impl FastWritable for Amount {
    fn write_into(&self, out: &mut dyn fmt::Write, _: &dyn Values) -> askama::Result<()> {
        Ok(write!(out, "<span class=\"n {}\">{}</span>", self.tone, self.text)?)
    }
}
impl askama::filters::HtmlSafe for Amount {}

impl Locale {
    /// How the reader writes, for what they type.
    #[must_use]
    pub const fn writing(&self) -> InputFormat {
        InputFormat::of(self.language)
    }

    /// An amount as the reader types it, without its currency: `25`, `12.50`, in German `12,50`.
    #[must_use]
    pub fn typed(&self, amount: u64, currency: Currency) -> String {
        let unit = 10_u64.pow(currency.decimals());
        let width = usize::try_from(currency.decimals()).unwrap_or(0);
        let (_, mark) = marks(self.language);
        match amount % unit {
            0 => (amount / unit).to_string(),
            part => format!("{}{mark}{part:0width$}", amount / unit),
        }
    }

    /// What the reader typed as an amount, zero or above, in units of its unit.
    ///
    /// # Errors
    /// [`InputError`].
    pub fn amount_typed(&self, typed: &str, unit: Unit) -> Result<i64, InputError> {
        let amount = typed::amount(typed, unit, self.writing())?;
        if amount < 0 { Err(InputError::Unreadable) } else { Ok(amount) }
    }

    /// What is asked about an amount that can mean two.
    #[must_use]
    pub fn which_of(&self, [one, other]: &[String; 2]) -> String {
        self.fill("amount-ambiguous", &[("one", one), ("other", other)])
    }

    /// Points, always signed: `+3`, `-1½`, `0`.
    #[must_use]
    pub fn points(&self, points: HalfPoints) -> Amount {
        Amount::new(points.to_string(), points.0)
    }

    /// A number of points without a sign: `3`, `1½`.
    #[must_use]
    pub fn how_many(&self, points: HalfPoints) -> String {
        points.to_string().trim_start_matches(['+', '-']).to_owned()
    }

    /// Money, always signed, with its currency: `+1,234.50 EUR`, in Italian `+1.234,50 EUR`.
    #[must_use]
    pub fn money(&self, amount: MinorUnits, currency: Currency) -> Amount {
        let sign = match amount.0 {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        Amount::new(format!("{sign}{} {currency}", self.decimal(amount, currency)), amount.0)
    }

    /// Signed money without the currency, for columns whose heading names it.
    #[must_use]
    pub fn money_alone(&self, amount: MinorUnits, currency: Currency) -> Amount {
        let whole = self.money(amount, currency);
        let text = whole.text.trim_end_matches(currency.code()).trim_end().to_owned();
        Amount { text, ..whole }
    }

    /// An amount of money without a sign: `30.00 EUR`.
    #[must_use]
    pub fn how_much(&self, amount: MinorUnits, currency: Currency) -> String {
        format!("{} {currency}", self.decimal(amount, currency))
    }

    /// The stake for a point: `5 EUR`, `0.50 EUR`. Decimals appear only if they are not zero, or if without
    /// them the signs between thousands could be taken for theirs.
    #[must_use]
    pub fn stake(&self, stake: Stake) -> String {
        let amount = MinorUnits(i64::from(stake.amount));
        let written = self.decimal(amount, stake.currency);
        let whole = written.trim_end_matches('0').trim_end_matches(['.', ',']);
        let unit = 10_i64.pow(stake.currency.decimals());
        let has_decimals = amount.0 % unit != 0 || amount.0 / unit >= 1_000;
        let number = if has_decimals || stake.currency.decimals() == 0 { &written } else { whole };
        format!("{number} {}", stake.currency)
    }

    /// The magnitude of an amount, grouped, with the decimals of its currency.
    fn decimal(&self, amount: MinorUnits, currency: Currency) -> String {
        let (group, point) = marks(self.language);
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

    /// A number rounded to this many decimals: `0.52`.
    #[must_use]
    pub fn decimals(&self, number: f64, decimals: usize) -> String {
        let (_, point) = marks(self.language);
        format!("{number:.decimals$}").replace('.', point.encode_utf8(&mut [0; 4]))
    }

    /// Per cent to two decimals (M8), from hundredths.
    #[must_use]
    pub fn hundredths_of_a_per_cent(&self, hundredths: i64) -> String {
        let ((whole, part), (_, point)) = ((hundredths / 100, hundredths % 100), marks(self.language));
        self.with("per-cent", "number", format!("{whole}{point}{part:02}"))
    }

    /// A chance from 0 to 1 as a percentage with one decimal: `52.3 %`.
    #[must_use]
    pub fn per_cent(&self, chance: f64) -> String {
        self.with("per-cent", "number", self.decimals(100.0 * chance, 1))
    }

    /// A rating to two decimals, as servers print it: `1523.46`.
    #[must_use]
    pub fn rating(&self, rating: Rating) -> String {
        let (_, point) = marks(self.language);
        let hundredths = (rating.0.unsigned_abs() + 5) / 10;
        let sign = if rating.0 < 0 && hundredths > 0 { "-" } else { "" };
        format!("{sign}{}{point}{:02}", hundredths / 100, hundredths % 100)
    }

    /// The change of a rating, always signed: `+12.34`.
    #[must_use]
    pub fn rating_change(&self, change: Rating) -> Amount {
        let written = self.rating(change);
        let sign = if change.0 > 0 { "+" } else { "" };
        Amount::new(format!("{sign}{written}"), change.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use chrono_tz::Tz;

    #[test]
    fn a_rating_is_written_to_two_decimals() {
        let [en, it] = [Language::English, Language::Italian].map(|language| Locale::new(language, Tz::UTC));
        for (thousandths, english, italian) in
            [(1_500_000, "1500.00", "1500,00"), (1_523_456, "1523.46", "1523,46"), (-4_004, "-4.00", "-4,00")]
        {
            assert_eq!([en.rating(Rating(thousandths)), it.rating(Rating(thousandths))], [english, italian]);
        }
    }

    #[test]
    fn money_is_written_as_the_language_writes_it() {
        let [en, de, fr, it] = [Language::English, Language::German, Language::French, Language::Italian]
            .map(|language| Locale::new(language, Tz::UTC));
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
            assert_eq!(de.money(MinorUnits(amount), currency).text, italian);
            assert_eq!(fr.money(MinorUnits(amount), currency).text, italian.replace('.', "\u{202f}"));
        }
        let _ = en.money(MinorUnits(i64::MIN), eur);
        let stake = |amount: i64, currency| Stake { amount: amount.try_into().unwrap(), currency };
        for (amount, currency, text) in
            // "1.000 EUR" could be read as one euro: M6.
            [
                (500, eur, "5 EUR"),
                (50, eur, "0,50 EUR"),
                (100_000, eur, "1.000,00 EUR"),
                (100, jpy, "100 JPY"),
            ]
        {
            assert_eq!(it.stake(stake(amount, currency)), text);
        }
    }

    /// An amount in a template, and as a string in one.
    #[derive(askama::Template)]
    #[template(source = "{{ amount }} {{ text }}", ext = "html")]
    struct Shown {
        amount: Amount,
        text: String,
    }

    fn shown(amount: Amount) -> String {
        Shown { text: amount.to_string(), amount }.to_string()
    }

    #[test]
    fn m6_what_a_page_prints_can_be_typed_into_it() {
        for language in Language::ALL {
            let t = Locale::new(*language, Tz::UTC);
            for code in ["EUR", "JPY", "KWD", "CHF"] {
                let currency: Currency = code.parse().unwrap();
                for amount in [0, 5, 10, 100, 1_000, 1_005, 12_340, 828_735, 1_000_000, 100_000_000] {
                    let money = MinorUnits(amount);
                    let stake = Stake { amount: amount.max(1).try_into().unwrap(), currency };
                    let printed = [
                        (t.money(money, currency).text, amount),
                        (t.money(-money, currency).text, -amount),
                        (t.money_alone(money, currency).text, amount),
                        (t.how_much(money, currency), amount),
                        (t.stake(stake), amount.max(1)),
                        (t.typed(amount.unsigned_abs(), currency), amount),
                    ];
                    for (text, amount) in printed {
                        let read = typed::amount(&text, Unit::Money(currency), t.writing());
                        assert_eq!(read, Ok(amount), "{text} {language:?}");
                    }
                }
            }
            for halves in [-2481, -5, -1, 0, 1, 5, 2480] {
                let points = HalfPoints(halves);
                let read = |text: &str| typed::amount(text, Unit::HalfPoints, t.writing());
                assert_eq!(read(&t.points(points).text), Ok(halves));
                assert_eq!(read(&t.with("some-points", "points", t.how_many(points))), Ok(halves.abs()));
            }
        }
    }

    /// M2: no markup where an amount is put into a text.
    #[test]
    fn amounts_carry_their_sign_and_their_class() {
        let t = Locale::new(Language::English, Tz::UTC);
        assert_eq!(shown(t.points(HalfPoints(-3))), "<span class=\"n lost\">-1½</span> -1½");
        assert_eq!(shown(t.points(HalfPoints(6))), "<span class=\"n won\">+3</span> +3");
        assert_eq!(shown(t.points(HalfPoints(0))), "<span class=\"n even\">0</span> 0");
        assert_eq!(t.how_many(HalfPoints(-1)), "½");
    }
}
