//! The form of a division's settings: what it holds for a division, and the settings that a sent one asks
//! for. Its defaults are sensible, so that a name is enough.

use std::str::FromStr;

use super::own_prizes::{self, NoSchedule};
use crate::form::Form;
use crate::playing::{Playing, TICKED};
use owlbox_base::values::{Currency, InvalidValue};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::{self, InputError, InputFormat};
use owlbox_locale::Locale;
use owlbox_play::matches::clock::{ClockPolicy, ClockSetting};
use owlbox_play::matches::score::Length;
use owlbox_play::tournament::about::TimeOfDay;
use owlbox_play::tournament::bracket::{Consolation, Final, Format};
use owlbox_play::tournament::payout::Schedule;
use owlbox_play::tournament::settings::{Apart, DivisionSettings, Fee, Fees, Lengths, Moves, SidePool};

/// The choices of a field: what each is called in the form, the key of its label, and what it stands for.
type Choices<T> = [(&'static str, &'static str, T)];

/// The choices of a field as they are offered.
pub(super) fn offered<T>(choices: &Choices<T>) -> Vec<(&'static str, &'static str)> {
    choices.iter().map(|(name, key, _)| (*name, *key)).collect()
}

fn name_of<T: PartialEq>(choices: &Choices<T>, value: &T) -> Option<&'static str> {
    choices.iter().find(|(.., known)| known == value).map(|(name, ..)| *name)
}

const FIRST_LOSERS: Consolation = Consolation::FirstLosers { walkovers_are_byes: false };
const FIRST_PLAYED: Consolation = Consolation::FirstLosers { walkovers_are_byes: true };

/// The formats with a common name.
const FORMATS: [(&str, &str, Format); 9] = [
    ("knock-out", "choose-format-knock-out", format(false, Consolation::Nobody, Final::None)),
    ("third-place", "choose-format-third-place", format(true, Consolation::Nobody, Final::None)),
    ("first-losers", "choose-format-first-losers", format(false, FIRST_LOSERS, Final::None)),
    ("first-played", "choose-format-first-played", format(false, FIRST_PLAYED, Final::None)),
    ("up-to-2", "choose-format-up-to-2", format(false, Consolation::UpTo { round: 2 }, Final::None)),
    ("progressive", "choose-format-progressive", format(false, Consolation::Progressive, Final::None)),
    (
        "second-place",
        "choose-format-second-place",
        format(false, Consolation::Progressive, Final::SecondPlace),
    ),
    (
        "double-elimination",
        "choose-format-double-elimination",
        format(false, Consolation::ProgressiveWithFinalist, Final::Double),
    ),
    (
        "single-final",
        "choose-format-single-final",
        format(false, Consolation::ProgressiveWithFinalist, Final::Single),
    ),
];

const fn format(third_place: bool, consolation: Consolation, last: Final) -> Format {
    Format { third_place, consolation, last }
}

/// The formats to choose from. One without a common name is offered as it is.
pub(super) fn formats(of: &Format) -> Vec<(&'static str, &'static str)> {
    let own = name_of(&FORMATS, of).is_none().then_some(("", "choose-format-own"));
    own.into_iter().chain(offered(&FORMATS)).collect()
}

/// The schedules of prizes with a name. `None` is the usual one for the number of entrants.
fn payouts() -> [(&'static str, &'static str, Option<Schedule>); 6] {
    [
        ("usual", "payout-usual", None),
        ("winner", "payout-winner", Some(Schedule::winner_takes_all())),
        ("small", "payout-small", Some(Schedule::small())),
        ("knock-out", "payout-knock-out", Some(Schedule::knock_out())),
        ("four", "payout-four", Some(Schedule::four())),
        ("twelfths", "payout-twelfths", Some(Schedule::twelfths())),
    ]
}

/// The schedules to choose from. One that has no name and cannot be typed is offered as it is.
pub(super) fn schedules(of: Option<&Schedule>) -> Vec<(&'static str, &'static str)> {
    let own = schedule_name(of).is_empty().then_some(("", "payout-own"));
    own.into_iter().chain(offered(&payouts())).chain([(own_prizes::OWN, "payout-typed")]).collect()
}

/// What a schedule is called in the form; empty if it has no name and cannot be typed.
fn schedule_name(of: Option<&Schedule>) -> &'static str {
    let typed = || of.is_some_and(own_prizes::can_be_typed).then_some(own_prizes::OWN);
    name_of(&payouts(), &of.cloned()).or_else(typed).unwrap_or_default()
}

/// Reads lengths as they are typed, from the final backwards: `11 9 7`. An empty text gives `None`.
///
/// # Errors
/// If the text is not 1 to 17 lengths of 1 to 255 points.
fn lengths(typed: &str) -> Result<Option<Lengths>, InvalidValue> {
    let between = |c: char| c.is_whitespace() || ",;/·-–".contains(c);
    let parts = typed.split(between).filter(|part| !part.is_empty());
    let wrong =
        InvalidValue { what: "lengths", allowed: "1 to 17 lengths of 1 to 255 points, the final's first" };
    let lengths: Option<Vec<Length>> =
        parts.map(|part| part.parse::<u16>().ok().and_then(|points| Length::try_from(points).ok())).collect();
    match lengths {
        None => Err(wrong),
        Some(lengths) if lengths.is_empty() && typed.trim().is_empty() => Ok(None),
        Some(lengths) => Lengths::try_from(lengths).map(Some).map_err(|_| wrong),
    }
}

fn written(lengths: &Lengths) -> String {
    let points = lengths.as_slice().iter().map(|length| length.points().to_string());
    points.collect::<Vec<_>>().join(" ")
}

pub(super) const CLOCKS: [(&str, &str, ClockPolicy); 3] = [
    ("optional", "choose-clock-optional", ClockPolicy::Optional),
    ("preferred", "choose-clock-preferred", ClockPolicy::Preferred),
    ("required", "choose-clock-required", ClockPolicy::Required),
];
pub(super) const MOVES: [(&str, &str, Moves); 2] = [
    ("legal", "choose-moves-legal", Moves::Legal),
    ("responsible", "choose-moves-responsible", Moves::Responsible),
];
pub(super) const APART: [(&str, &str, Apart); 3] = [
    ("nobody", "apart-nobody", Apart::Nobody),
    ("club", "apart-club", Apart::Club),
    ("country", "apart-country", Apart::Country),
];

/// The form of these settings.
pub(super) fn form_of(t: &Locale, settings: &DivisionSettings, currency: Option<Currency>) -> Form {
    let amount = |fee: Fee| match (fee.minor_units(), currency) {
        (0, _) | (_, None) => String::new(),
        (minor, Some(currency)) => t.typed(minor, currency),
    };
    // A pool always shows its stake, 0 as well: the last word of a line is the stake when it is read again.
    let stake = |fee: Fee| match amount(fee) {
        none if none.is_empty() => "0".to_owned(),
        some => some,
    };
    let pool = |pool: &SidePool| format!("{} {}", pool.name, stake(pool.stake));
    let pools: Vec<String> = settings.side_pools.iter().map(pool).collect();
    let other = |lengths: &Option<Lengths>| lengths.as_ref().map(written).unwrap_or_default();
    let named = |name: Option<&str>| name.unwrap_or_default().to_owned();
    let Fees { entry, registration, re_entry } = settings.fees;
    let texts = [
        ("name", settings.name.to_string()),
        ("starts", settings.starts.map(|time| time.to_string()).unwrap_or_default()),
        ("format", named(name_of(&FORMATS, &settings.format))),
        ("lengths", written(&settings.lengths)),
        ("consolation_lengths", other(&settings.consolation_lengths)),
        ("last_chance_lengths", other(&settings.last_chance_lengths)),
        ("clock", named(name_of(&CLOCKS, &settings.clock_policy))),
        ("reserve", settings.clock.reserve_a_point.to_string()),
        ("delay", settings.clock.delay.to_string()),
        ("moves", named(name_of(&MOVES, &settings.moves))),
        ("apart", named(name_of(&APART, &settings.apart))),
        ("re_entries", settings.re_entries.to_string()),
        ("entry", amount(entry)),
        ("registration", amount(registration)),
        ("re_entry", amount(re_entry)),
        ("house_keeps", percent(settings.kept)),
        ("side_pools", pools.join("\n")),
        ("payout", schedule_name(settings.payout.as_ref()).to_owned()),
    ];
    let ticks = [("rated", settings.rated), ("holland", settings.holland)];
    let ticks = ticks.into_iter().filter(|(_, is)| *is).map(|(name, _)| (name, TICKED.to_owned()));
    let shares = own_prizes::typed_of(settings.payout.as_ref(), has_name(settings));
    let playing = Playing::of_division(settings).fields();
    texts.into_iter().chain(ticks).chain(playing).chain(shares).collect()
}

/// Whether its schedule of prizes is one of those with a name.
fn has_name(settings: &DivisionSettings) -> bool {
    name_of(&payouts(), &settings.payout).is_some()
}

fn percent(hundredths: u16) -> String {
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => whole.to_string(),
        (whole, part) => format!("{whole}.{part:02}").trim_end_matches('0').to_owned(),
    }
}

/// A field with a refused value, and why it is refused.
type Wrong = (&'static str, InvalidValue);

/// The settings a form asks for. Fields that are missing or unreadable choices keep the value from `before`.
///
/// # Errors
/// The first field with a value that is not allowed.
pub(super) fn settings(
    form: &Form,
    before: &DivisionSettings,
    currency: Option<Currency>,
    writing: InputFormat,
) -> Result<DivisionSettings, Wrong> {
    let text = |name: &str| form.some(name);
    let named = |name: &'static str| form.text(name);
    let amount = |field: &'static str| amount(text(field), currency, writing).map_err(|error| (field, error));
    let seconds =
        |field: &'static str, before: u16| whole(text(field), before).map_err(|error| (field, error));
    let mut settings = before.clone();
    if let Some((.., format)) = FORMATS.iter().find(|(name, ..)| *name == named("format")) {
        settings.format = *format;
    }
    let read = |field: &'static str| lengths(form.text(field)).map_err(|error| (field, error));
    settings.lengths = read("lengths")?.unwrap_or_else(|| before.lengths.clone());
    if !form.ticked("house_keeps") {
        // This is the short form of a new tournament. Its division takes the tournament's name.
        return Ok(settings);
    }
    if let Some(name) = text("name") {
        settings.name = FromStr::from_str(name).map_err(|error| ("name", error))?;
    }
    settings.starts = text("starts").map(time_of_day).transpose().map_err(|error| ("starts", error))?;
    settings.consolation_lengths = read("consolation_lengths")?;
    settings.last_chance_lengths = read("last_chance_lengths")?;
    settings.clock_policy = chosen(&CLOCKS, named("clock")).unwrap_or(before.clock_policy);
    settings.clock = ClockSetting {
        reserve_a_point: seconds("reserve", before.clock.reserve_a_point)?,
        delay: seconds("delay", before.clock.delay)?,
    };
    settings.moves = chosen(&MOVES, named("moves")).unwrap_or(before.moves);
    settings.apart = chosen(&APART, named("apart")).unwrap_or(before.apart);
    (settings.rated, settings.holland) = (form.ticked("rated"), form.ticked("holland"));
    let Playing { game, crawford, highest_cube } = Playing::read(form);
    (settings.game, settings.crawford, settings.highest_cube) = (game, crawford, highest_cube);
    settings.re_entries = whole(text("re_entries"), 0).map_err(|error| ("re_entries", error))?;
    settings.fees = Fees {
        entry: amount("entry")?,
        registration: amount("registration")?,
        re_entry: amount("re_entry")?,
    };
    settings.kept = kept(text("house_keeps"), writing).map_err(|error| ("house_keeps", error))?;
    settings.side_pools = side_pools(form.text("side_pools"), currency, writing)?;
    if let Some(schedule) = payout(form, before) {
        let allowed = "percentages that add up to 100";
        settings.payout = schedule.map_err(|_| ("prizes", InvalidValue { what: "prizes", allowed }))?;
    }
    Ok(settings)
}

/// The schedule of prizes that a form asks for; `None` to leave it as it is. Percentages that were typed
/// count, whatever is chosen: nobody types them for nothing.
///
/// # Errors
/// [`NoSchedule`].
pub(super) fn payout(form: &Form, before: &DivisionSettings) -> Option<Result<Option<Schedule>, NoSchedule>> {
    let (choice, has_name) = (form.text("payout"), has_name(before));
    let before = before.payout.as_ref();
    if choice == own_prizes::OWN || own_prizes::is_changed(form, before, has_name) {
        return Some(own_prizes::read(form, before.filter(|_| !has_name)).map(Some));
    }
    payouts().into_iter().find(|(name, ..)| *name == choice).map(|(.., schedule)| Ok(schedule))
}

fn chosen<T: Copy>(all: &[(&str, &str, T)], name: &str) -> Option<T> {
    all.iter().find(|(known, ..)| *known == name).map(|(.., value)| *value)
}

fn whole<T: FromStr>(typed: Option<&str>, before: T) -> Result<T, InvalidValue> {
    let wrong = InvalidValue { what: "number", allowed: "a whole number" };
    typed.map_or(Ok(before), |typed| typed.parse().map_err(|_| wrong))
}

fn amount(
    typed: Option<&str>,
    currency: Option<Currency>,
    writing: InputFormat,
) -> Result<Fee, InvalidValue> {
    let Some(typed) = typed else { return Ok(Fee::NONE) };
    let wrong = |what| InvalidValue { what, allowed: "an amount like 25 or 12.50" };
    let read = match currency {
        Some(currency) => typed::amount(typed, Unit::Money(currency), writing),
        None => typed::decimal(typed, 2, writing),
    };
    let minor = read.map_err(|unread| match unread {
        InputError::Unreadable => wrong("amount"),
        InputError::Ambiguous(_) => wrong("ambiguous_amount"),
    })?;
    u64::try_from(minor).map_err(|_| wrong("amount")).and_then(Fee::try_from)
}

fn kept(typed: Option<&str>, writing: InputFormat) -> Result<u16, InvalidValue> {
    let wrong = InvalidValue { what: "kept", allowed: "0 to 100 per cent" };
    let Some(typed) = typed else { return Ok(0) };
    let hundredths = typed::decimal(typed.trim_end_matches('%').trim_end(), 2, writing);
    hundredths.ok().and_then(|kept| u16::try_from(kept).ok()).filter(|kept| *kept <= 10_000).ok_or(wrong)
}

/// Reads a time of day as people write it, and as a browser's field sends it.
///
/// # Errors
/// It is no time of day.
pub(super) fn time_of_day(typed: &str) -> Result<TimeOfDay, InvalidValue> {
    typed::time(typed).map_or_else(|_| typed.to_owned(), |time| time.format("%H:%M").to_string()).parse()
}

/// Reads side pools, one per line: the name, then the stake.
fn side_pools(typed: &str, currency: Option<Currency>, writing: InputFormat) -> Result<Vec<SidePool>, Wrong> {
    let field = "side_pools";
    let pool = |line: &str| {
        let wrong =
            || InvalidValue { what: "side_pools", allowed: "a line each: the name, then what it costs" };
        // A stake may name its currency: "Calcutta 50 €".
        let last = line.rsplit_once(' ').ok_or_else(|| (field, wrong()))?;
        let with_currency = || last.0.rfind(' ').and_then(|at| Some((line.get(..at)?, line.get(at + 1..)?)));
        let has_digit = last.1.contains(|c: char| c.is_ascii_digit());
        let (name, stake) = if has_digit { last } else { with_currency().ok_or_else(|| (field, wrong()))? };
        let name = FromStr::from_str(name).map_err(|error| (field, error))?;
        Ok(SidePool { name, stake: amount(Some(stake), currency, writing).map_err(|error| (field, error))? })
    };
    typed.lines().map(str::trim).filter(|line| !line.is_empty()).map(pool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_locale::Language;

    /// A form that is sent back as it was shown changes nothing.
    #[test]
    fn a_division_is_typed_as_it_is_played() {
        let euro: Currency = "EUR".parse().unwrap();
        let played = DivisionSettings {
            name: "Championship".parse().unwrap(),
            starts: Some("11:00".parse().unwrap()),
            format: FORMATS[6].2,
            lengths: lengths("11 9 7").unwrap().unwrap(),
            consolation_lengths: lengths("7,5").unwrap(),
            clock_policy: ClockPolicy::Required,
            moves: Moves::Responsible,
            apart: Apart::Club,
            rated: false,
            holland: true,
            re_entries: 2,
            fees: Fees { entry: Fee::try_from(2_550).unwrap(), ..Fees::default() },
            kept: 1_050,
            side_pools: vec![SidePool {
                name: "Winner's pot".parse().unwrap(),
                stake: Fee::try_from(5_000).unwrap(),
            }],
            payout: Some(Schedule::four()),
            ..DivisionSettings::default()
        };
        let t = Locale::new(Language::English, chrono_tz::UTC);
        let shown = form_of(&t, &played, Some(euro));
        let typed = ["lengths", "entry", "house_keeps"].map(|name| shown.text(name));
        assert_eq!(typed, ["11 9 7", "25.50", "10.5"]);
        let read = |form: &Form| settings(form, &DivisionSettings::default(), Some(euro), t.writing());
        assert_eq!(read(&shown), Ok(played.clone()));
        // A pool without a stake too, in a tournament without a currency as well.
        let free = SidePool { name: "Glory".parse().unwrap(), stake: Fee::NONE };
        let glorious = DivisionSettings { side_pools: vec![free.clone()], ..played };
        for currency in [Some(euro), None] {
            let shown = form_of(&t, &glorious, currency);
            let pools = side_pools(shown.text("side_pools"), currency, t.writing());
            assert_eq!(pools.unwrap(), std::slice::from_ref(&free), "{shown:?}");
        }
        for (field, wrong) in [
            ("lengths", "0"),
            ("starts", "noon"),
            ("entry", "x"),
            ("house_keeps", "101"),
            ("side_pools", "Pot"),
            ("delay", "-1"),
            ("reserve", "70000"),
            // R6: not 255.
            ("re_entries", "999"),
        ] {
            let others = shown.sent().filter(|(name, _)| *name != field);
            let form = Form::filled(&others.chain([(field, wrong)]).collect::<Vec<_>>());
            assert_eq!(read(&form).unwrap_err().0, field, "{wrong}");
        }
    }

    #[test]
    fn lengths_are_typed_from_the_final_backwards() {
        let points = |typed: &str| lengths(typed).unwrap().map(|lengths| written(&lengths));
        assert_eq!(points("11, 9,7").as_deref(), Some("11 9 7"));
        assert_eq!(points(" "), None);
        for wrong in ["x", "256", "0 5", "11 9 x", "11.9"] {
            assert!(lengths(wrong).is_err(), "{wrong}");
        }
    }
}
