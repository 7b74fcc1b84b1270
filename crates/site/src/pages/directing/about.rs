//! The forms for a tournament and for its divisions. Their defaults are sensible, so a name and a date are
//! enough.

use crate::pages::button::Button;
use std::str::FromStr;

use askama::Template;
use chrono::{Datelike as _, Days, NaiveDate};

use super::own_prizes::{self, Amounts, NoSchedule, ShareField};
use super::{DirectorContext, Heading, Link};
use crate::pages::form_fields::FormFields;
use crate::pages::playing::{Playing, PlayingFields};
use crate::pages::{Choice, Fields, Frame};
use owlbox_base::values::{Currency, InvalidValue, MinorUnits, TournamentId};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::{self, Unread, Writing};
use owlbox_locale::Locale;
use owlbox_play::matches::clock::{ClockPolicy, Setting};
use owlbox_play::matches::score::Length;
use owlbox_play::tournament::about::TimeOfDay;
use owlbox_play::tournament::bracket::{Consolation, Final, Format};
use owlbox_play::tournament::legal::TournamentAct;
use owlbox_play::tournament::offers::Cancelling;
use owlbox_play::tournament::payout::Schedule;
use owlbox_play::tournament::settings::{Apart, Fee, Fees, Lengths, Moves, Settings, SidePool};
use owlbox_play::tournament::{CommandKind, Tournament};

/// The form for a new tournament, or for the details of an existing one.
#[derive(Debug, Template)]
#[template(path = "directing/about.html")]
pub struct AboutPage {
    pub t: Locale,
    pub frame: Frame,
    /// The name of the tournament. `None` for a new one.
    pub name: Option<String>,
    pub action: String,
    /// The page it leads back to.
    pub back: String,
    /// The idempotency key of the form.
    pub key: String,
    /// The fingerprint of what the form is made from. Empty for a new one.
    pub seen: String,
    pub fields: AboutFields,
    /// The club's currencies, after a first choice for none.
    pub currencies: Vec<Choice>,
    /// Accounts that can direct the tournament in addition to the club's directors. Empty for a new one.
    pub directors: Vec<Choice>,
    /// The formats for the first division of a new tournament. Empty for a copy, which has its divisions.
    pub formats: Vec<Choice>,
    /// The tournament that a new one is a copy of.
    pub copied: Option<Copied>,
    /// The name of the field with a refused value. Empty if there is none.
    pub wrong: &'static str,
}

/// An earlier tournament, and what a new one gets from it.
#[derive(Clone, Debug)]
pub struct Copied {
    pub id: String,
    /// Which tournament it is, in words.
    pub of: String,
    /// Its divisions and tables, in words.
    pub gets: String,
}

impl Copied {
    #[must_use]
    pub fn new(t: &Locale, id: TournamentId, earlier: &Tournament) -> Self {
        let name = earlier.about().map(|about| about.name.to_string()).unwrap_or_default();
        let divisions = earlier.divisions().map(|(_, of)| of.settings.name.to_string());
        let tables = earlier.room.tables.size();
        let tables = (tables > 0).then(|| t.count("about-copied-tables", &tables));
        let gets = divisions.chain(tables).collect::<Vec<_>>().join(", ");
        Self {
            id: id.to_string(),
            of: t.with("about-copied", "name", name),
            gets: t.with("about-copied-gets", "what", gets),
        }
    }

    /// The day to propose for the copy of a tournament of that day: its weekday, from today on, and later than it.
    #[must_use]
    pub fn next_day(earlier: NaiveDate, today: NaiveDate) -> NaiveDate {
        let first = today.max(earlier + Days::new(1));
        let days = 7 + earlier.weekday().num_days_from_monday() - first.weekday().num_days_from_monday();
        first + Days::new(u64::from(days % 7))
    }
}

/// The address of the form for a copy.
#[must_use]
pub fn copy_of(id: TournamentId) -> String {
    format!("/tournaments/new?copy={id}")
}

/// The values of a tournament's form, as typed.
#[derive(Clone, Debug, Default)]
pub struct AboutFields {
    pub name: String,
    pub date: String,
    /// When play starts, or empty.
    pub starts: String,
    pub place: String,
    /// From when and until when players can enter themselves, in the format of the field.
    pub entries: [String; 2],
    pub prizes: String,
    pub rules: String,
    /// Whether the tournament is public.
    pub public: bool,
    /// The lengths for the first division of a new tournament.
    pub lengths: String,
}

/// The form for a division.
#[derive(Debug)]
pub struct DivisionPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The button. Its command is made from the fields.
    pub button: Button,
    pub action: String,
    pub fields: DivisionFields,
    /// The currency, if money is played for.
    pub currency: Option<String>,
    /// What the schedule of prizes comes to. `None` without money, or while the form is refused.
    pub amounts: Option<Amounts>,
    /// Whether the division is drawn. Its format can then no longer change.
    pub drawn: bool,
    /// The name of the field with a refused value. Empty if there is none.
    pub wrong: &'static str,
}

/// The text key for the label of a form field, by the field's name.
#[must_use]
pub fn label_of(field: &str) -> Option<&'static str> {
    Some(match field {
        "name" => "about-name",
        "date" => "about-date",
        "starts" => "about-starts",
        "place" => "about-place",
        "currency" => "about-currency",
        "entries_open" => "about-entries-open",
        "entries_close" => "about-entries-close",
        "format" => "division-format",
        "lengths" => "division-lengths",
        "consolation_lengths" => "division-consolation-lengths",
        "last_chance_lengths" => "division-last-chance-lengths",
        "reserve" => "division-reserve",
        "delay" => "division-delay",
        "re_entries" => "division-re-entries",
        "entry" => "division-entry-fee",
        "registration" => "division-registration",
        "re_entry" => "division-re-entry",
        "house_keeps" => "division-kept",
        "side_pools" => "division-side-pools",
        "prizes" => "division-payout",
        _ => return None,
    })
}

/// The values of a division's form, as typed.
#[derive(Clone, Debug, Default)]
pub struct DivisionFields {
    pub name: String,
    /// When it starts, or empty.
    pub starts: String,
    pub formats: Vec<Choice>,
    /// The lengths in the main flight, the consolation and a last chance, each from the final backwards: `11
    /// 9 7`.
    pub lengths: [String; 3],
    pub clock: Vec<Choice>,
    /// The clock's reserve in seconds for each point, and its delay in seconds for each move.
    pub clock_set: [String; 2],
    pub moves: Vec<Choice>,
    pub apart: Vec<Choice>,
    pub rated: bool,
    /// Whether the Holland rule is in force (M5).
    pub holland: bool,
    /// The variant, its options, and the cap of the cube.
    pub playing: PlayingFields,
    /// How often a player who is out may enter again.
    pub re_entries: String,
    /// The fees: entry, registration, re-entry.
    pub fees: [String; 3],
    pub kept: String,
    /// The side pools, one per line: name and stake.
    pub side_pools: String,
    /// The ways to divide the pool.
    pub payout: Vec<Choice>,
    /// The percentages of a schedule of its own.
    pub shares: Vec<ShareField>,
    /// Why the percentages are no schedule, in words.
    pub shares_wrong: Option<String>,
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

/// The formats to choose from. A format without a common name is offered as it is.
#[must_use]
pub fn formats(t: &Locale, chosen: Format) -> Vec<Choice> {
    let choice =
        |(name, key, format): &(&str, &str, Format)| Choice::new(*name, t.get(key), *format == chosen);
    let mut choices: Vec<Choice> = FORMATS.iter().map(choice).collect();
    if choices.iter().all(|choice| !choice.chosen) {
        choices.insert(0, Choice::new("", t.get("choose-format-own"), true));
    }
    choices
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

/// Reads lengths as they are typed, from the final backwards: `11 9 7`. An empty text gives `None`.
///
/// # Errors
/// If the text is not 1 to 17 lengths of 1 to 255 points.
pub fn lengths(typed: &str) -> Result<Option<Lengths>, InvalidValue> {
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

fn choices<T: PartialEq + Copy>(t: &Locale, all: &[(&str, &str, T)], chosen: T) -> Vec<Choice> {
    all.iter().map(|(name, key, value)| Choice::new(*name, t.get(key), *value == chosen)).collect()
}

const CLOCKS: [(&str, &str, ClockPolicy); 3] = [
    ("optional", "choose-clock-optional", ClockPolicy::Optional),
    ("preferred", "choose-clock-preferred", ClockPolicy::Preferred),
    ("required", "choose-clock-required", ClockPolicy::Required),
];
const MOVES: [(&str, &str, Moves); 2] = [
    ("legal", "choose-moves-legal", Moves::Legal),
    ("responsible", "choose-moves-responsible", Moves::Responsible),
];
const APART: [(&str, &str, Apart); 3] = [
    ("nobody", "apart-nobody", Apart::Nobody),
    ("club", "apart-club", Apart::Club),
    ("country", "apart-country", Apart::Country),
];

impl DivisionFields {
    /// The fields for these settings, as they would be typed.
    #[must_use]
    pub fn new(t: &Locale, settings: &Settings, currency: Option<Currency>) -> Self {
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
        let mut payout: Vec<Choice> = payouts()
            .into_iter()
            .map(|(name, key, schedule)| Choice::new(name, t.get(key), schedule == settings.payout))
            .collect();
        let has_name = payout.iter().any(|choice| choice.chosen);
        let typed = settings.payout.as_ref().is_some_and(own_prizes::can_be_typed);
        if !has_name && !typed {
            payout.insert(0, Choice::new("", t.get("payout-own"), true));
        }
        payout.push(Choice::new(own_prizes::OWN, t.get("payout-typed"), !has_name && typed));
        let other = |lengths: &Option<Lengths>| lengths.as_ref().map(written).unwrap_or_default();
        let Fees { entry, registration, re_entry } = settings.fees;
        Self {
            name: settings.name.to_string(),
            starts: settings.starts.map(|time| time.to_string()).unwrap_or_default(),
            formats: formats(t, settings.format),
            lengths: [
                written(&settings.lengths),
                other(&settings.consolation_lengths),
                other(&settings.last_chance_lengths),
            ],
            clock: choices(t, &CLOCKS, settings.clock_policy),
            clock_set: [settings.clock.reserve_a_point.to_string(), settings.clock.delay.to_string()],
            moves: choices(t, &MOVES, settings.moves),
            apart: choices(t, &APART, settings.apart),
            rated: settings.rated,
            holland: settings.holland,
            playing: PlayingFields::new(t, &playing(settings)),
            re_entries: settings.re_entries.to_string(),
            fees: [amount(entry), amount(registration), amount(re_entry)],
            kept: percent(settings.kept),
            side_pools: settings.side_pools.iter().map(pool).collect::<Vec<_>>().join("\n"),
            payout,
            shares: own_prizes::fields(t, settings.payout.as_ref(), has_name),
            shares_wrong: None,
        }
    }

    /// Says at the percentages what is wrong with them.
    pub fn shares_refused(&mut self, t: &Locale, wrong: NoSchedule) {
        self.shares_wrong = Some(own_prizes::complaint(t, wrong));
        for field in &mut self.shares {
            field.wrong = match wrong {
                NoSchedule::NoPercentage(name) => field.name == name,
                NoSchedule::AddsUpTo(_) => true,
            };
        }
    }
}

/// What a division plays: variant, Crawford rule, cap of the cube.
#[must_use]
pub const fn playing(settings: &Settings) -> Playing {
    Playing { game: settings.game, crawford: settings.crawford, highest_cube: settings.highest_cube }
}

fn percent(hundredths: u16) -> String {
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => whole.to_string(),
        (whole, part) => format!("{whole}.{part:02}").trim_end_matches('0').to_owned(),
    }
}

/// A field with a refused value, and why it is refused.
pub type Wrong = (&'static str, InvalidValue);

/// The settings a form asks for. Fields that are missing or unreadable choices keep the value from `before`.
///
/// # Errors
/// The first field with a value that is not allowed.
pub fn settings(
    form: &dyn FormFields,
    before: &Settings,
    currency: Option<Currency>,
    writing: Writing,
) -> Result<Settings, Wrong> {
    let text = |name: &str| form.field(name).map(str::trim).filter(|text| !text.is_empty());
    let named = |name: &'static str| text(name).unwrap_or_default();
    let amount = |field: &'static str| amount(text(field), currency, writing).map_err(|error| (field, error));
    let seconds =
        |field: &'static str, before: u16| whole(text(field), before).map_err(|error| (field, error));
    let mut settings = before.clone();
    if let Some((.., format)) = FORMATS.iter().find(|(name, ..)| *name == named("format")) {
        settings.format = *format;
    }
    let read =
        |field: &'static str| lengths(form.field(field).unwrap_or_default()).map_err(|error| (field, error));
    settings.lengths = read("lengths")?.unwrap_or_else(|| before.lengths.clone());
    if form.field("house_keeps").is_none() {
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
    settings.clock = Setting {
        reserve_a_point: seconds("reserve", before.clock.reserve_a_point)?,
        delay: seconds("delay", before.clock.delay)?,
    };
    settings.moves = chosen(&MOVES, named("moves")).unwrap_or(before.moves);
    settings.apart = chosen(&APART, named("apart")).unwrap_or(before.apart);
    (settings.rated, settings.holland) = (form.is_ticked("rated"), form.is_ticked("holland"));
    let Playing { game, crawford, highest_cube } = Playing::read(form);
    (settings.game, settings.crawford, settings.highest_cube) = (game, crawford, highest_cube);
    settings.re_entries = whole(text("re_entries"), 0).map_err(|error| ("re_entries", error))?;
    settings.fees = Fees {
        entry: amount("entry")?,
        registration: amount("registration")?,
        re_entry: amount("re_entry")?,
    };
    settings.kept = kept(text("house_keeps"), writing).map_err(|error| ("house_keeps", error))?;
    settings.side_pools = side_pools(form.field("side_pools").unwrap_or_default(), currency, writing)?;
    if let Some(schedule) = payout(form, before) {
        let allowed = "percentages that add up to 100";
        settings.payout = schedule.map_err(|_| ("prizes", InvalidValue { what: "prizes", allowed }))?;
    }
    Ok(settings)
}

/// The schedule of prizes that a form asks for; `None` to leave it as it is. Percentages that were typed count, whatever
/// is chosen: nobody types them for nothing.
///
/// # Errors
/// [`NoSchedule`].
#[must_use]
pub fn payout(form: &dyn FormFields, before: &Settings) -> Option<Result<Option<Schedule>, NoSchedule>> {
    let choice = form.field("payout").unwrap_or_default();
    let before = before.payout.as_ref();
    let has_name = payouts().iter().any(|(.., schedule)| schedule.as_ref() == before);
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

fn amount(typed: Option<&str>, currency: Option<Currency>, writing: Writing) -> Result<Fee, InvalidValue> {
    let Some(typed) = typed else { return Ok(Fee::NONE) };
    let wrong = |what| InvalidValue { what, allowed: "an amount like 25 or 12.50" };
    let read = match currency {
        Some(currency) => typed::amount(typed, Unit::Money(currency), writing),
        None => typed::decimal(typed, 2, writing),
    };
    let minor = read.map_err(|unread| match unread {
        Unread::Unreadable => wrong("amount"),
        Unread::Ambiguous(_) => wrong("ambiguous_amount"),
    })?;
    u64::try_from(minor).map_err(|_| wrong("amount")).and_then(Fee::try_from)
}

fn kept(typed: Option<&str>, writing: Writing) -> Result<u16, InvalidValue> {
    let wrong = InvalidValue { what: "kept", allowed: "0 to 100 per cent" };
    let Some(typed) = typed else { return Ok(0) };
    let hundredths = typed::decimal(typed.trim_end_matches('%').trim_end(), 2, writing);
    hundredths.ok().and_then(|kept| u16::try_from(kept).ok()).filter(|kept| *kept <= 10_000).ok_or(wrong)
}

/// Reads a time of day as people write it, and as a browser's field sends it.
///
/// # Errors
/// It is no time of day.
pub fn time_of_day(typed: &str) -> Result<TimeOfDay, InvalidValue> {
    typed::time(typed).map_or_else(|_| typed.to_owned(), |time| time.format("%H:%M").to_string()).parse()
}

/// Reads side pools, one per line: the name, then the stake.
fn side_pools(typed: &str, currency: Option<Currency>, writing: Writing) -> Result<Vec<SidePool>, Wrong> {
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

/// The list of what can be changed: the tournament's details and its divisions.
#[derive(Debug)]
pub struct SettingsPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The tournament's own form, those of its divisions, and the form for a new division.
    pub links: Vec<Link>,
    pub cancel: Option<Cancel>,
}

/// What cancelling the tournament would do, and the button for it. It needs a reason.
#[derive(Debug)]
pub struct Cancel {
    pub effects: Vec<String>,
    pub button: Button,
}

impl Cancel {
    /// `None` if the viewer may not cancel it, or it is over.
    #[must_use]
    pub fn new(context: &DirectorContext<'_>) -> Option<Self> {
        let (t, state) = (context.t, context.state);
        let possible = state.acts(context.now).contains(&TournamentAct::Cancel);
        if !possible || !context.may(CommandKind::Cancel) {
            return None;
        }
        let mut effects = Vec::new();
        let currency = state.currency();
        if let Some((currency, Cancelling { back, owed, awarded })) =
            currency.zip(state.cancelling(context.now))
        {
            let sums = [("desk-cancel-back", back), ("desk-cancel-owed", owed)];
            let much = |amount| t.how_much(MinorUnits(amount), currency);
            let sums = sums.into_iter().filter(|(_, sum)| *sum > 0);
            effects.extend(sums.map(|(key, sum)| t.with(key, "amount", much(sum))));
            let awarded = awarded.into_iter().filter_map(|number| state.division(number));
            effects.extend(awarded.map(|of| t.with("desk-cancel-stays", "name", &of.settings.name)));
        }
        effects.push(t.get("desk-cancel-then"));
        // The form asks for the reason.
        let command = Fields::lacking(CommandKind::Cancel);
        let button = Button::of_form(t.get("desk-cancel-title"), command).then(context.address(""));
        Some(Self { effects, button: button.at(context.version) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::pages::form_fields::FormFields;
    use owlbox_locale::Language;

    struct Filled(BTreeMap<&'static str, String>);

    impl FormFields for Filled {
        fn field(&self, name: &str) -> Option<&str> {
            self.0.get(name).map(String::as_str)
        }
        fn is_ticked(&self, name: &str) -> bool {
            self.0.contains_key(name)
        }
    }

    fn chosen_of(choices: &[Choice]) -> String {
        choices.iter().find(|choice| choice.chosen).map(|choice| choice.value.clone()).unwrap_or_default()
    }

    /// A form that is sent back as it was shown changes nothing.
    #[test]
    fn a_division_is_typed_as_it_is_played() {
        let euro: Currency = "EUR".parse().unwrap();
        let played = Settings {
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
            ..Settings::default()
        };
        let shown = DivisionFields::new(&Locale::new(Language::English, chrono_tz::UTC), &played, Some(euro));
        assert_eq!(
            (shown.lengths[0].as_str(), shown.fees[0].as_str(), shown.kept.as_str()),
            ("11 9 7", "25.50", "10.5")
        );
        let mut form = BTreeMap::from([
            ("name", shown.name.clone()),
            ("starts", shown.starts.clone()),
            ("format", chosen_of(&shown.formats)),
            ("lengths", shown.lengths[0].clone()),
            ("consolation_lengths", shown.lengths[1].clone()),
            ("last_chance_lengths", shown.lengths[2].clone()),
            ("clock", chosen_of(&shown.clock)),
            ("reserve", shown.clock_set[0].clone()),
            ("delay", shown.clock_set[1].clone()),
            ("moves", chosen_of(&shown.moves)),
            ("apart", chosen_of(&shown.apart)),
            ("holland", "yes".to_owned()),
            ("re_entries", shown.re_entries.clone()),
            ("entry", shown.fees[0].clone()),
            ("registration", String::new()),
            ("re_entry", String::new()),
            ("house_keeps", shown.kept.clone()),
            ("side_pools", shown.side_pools.clone()),
            ("payout", chosen_of(&shown.payout)),
        ]);
        let english = Writing::of(Language::English);
        assert_eq!(
            settings(&Filled(form.clone()), &Settings::default(), Some(euro), english),
            Ok(played.clone())
        );
        // A pool without a stake too, in a tournament without a currency as well.
        let free = SidePool { name: "Glory".parse().unwrap(), stake: Fee::NONE };
        let glorious = Settings { side_pools: vec![free.clone()], ..played };
        for currency in [Some(euro), None] {
            let t = Locale::new(Language::English, chrono_tz::UTC);
            let shown = DivisionFields::new(&t, &glorious, currency).side_pools;
            assert_eq!(
                side_pools(&shown, currency, t.writing()).unwrap(),
                std::slice::from_ref(&free),
                "{shown:?}"
            );
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
            let before = form.insert(field, wrong.to_owned());
            let english = Writing::of(Language::English);
            let refused = settings(&Filled(form.clone()), &Settings::default(), Some(euro), english);
            assert_eq!(refused.unwrap_err().0, field, "{wrong}");
            form.extend(before.map(|before| (field, before)));
        }
    }

    #[test]
    fn a_copy_is_for_the_same_weekday() {
        let day = |day: &str| day.parse::<NaiveDate>().unwrap();
        for (earlier, today, next) in [
            // Fridays.
            ("2026-11-20", "2026-11-20", "2026-11-27"),
            ("2026-11-20", "2026-11-21", "2026-11-27"),
            ("2026-11-20", "2026-11-27", "2026-11-27"),
            ("2026-11-20", "2027-02-01", "2027-02-05"),
            // It is still to come.
            ("2026-11-20", "2026-11-02", "2026-11-27"),
        ] {
            assert_eq!(Copied::next_day(day(earlier), day(today)), day(next), "{earlier} {today}");
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
