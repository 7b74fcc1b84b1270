//! A schedule of prizes of a division's own: a percentage for each prize, as a director types it.

use crate::form::Form;
use owlbox_base::values::{Currency, MinorUnits};
use owlbox_books::typed::{self, InputFormat};
use owlbox_locale::Locale;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::payout::{Prize, Schedule, Share};
use owlbox_play::tournament::settings::DivisionSettings;

/// The choice of a schedule of one's own among those with a name.
pub(super) const OWN: &str = "own";

/// The prizes of such a schedule: the name of the field, the prize, and how many win it. What is typed is for
/// each of them.
pub(super) const PRIZES: [(&str, Prize, u16); 6] = [
    ("share_winner", Prize::Winner, 1),
    ("share_finalist", Prize::Finalist, 1),
    ("share_semi_finalist", Prize::SemiFinalist, 2),
    ("share_consolation_winner", Prize::ConsolationWinner, 1),
    ("share_consolation_finalist", Prize::ConsolationFinalist, 1),
    ("share_last_chance", Prize::LastChanceWinner, 1),
];

/// All of a pool, in tenths of a per cent: the parts in which a typed schedule is kept.
const ALL: u16 = 1_000;

/// Why what was typed is no schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoSchedule {
    /// The field with this name has no percentage with at most one decimal.
    NoPercentage(&'static str),
    /// They add up to something else than a hundred: the sum in tenths of a per cent.
    AddsUpTo(u32),
}

/// The percentages of a schedule as they would be typed; `None` if they cannot be, because it has other
/// prizes or finer shares.
fn written(schedule: &Schedule) -> Option<[String; 6]> {
    let shares = schedule.shares();
    let parts = schedule.parts();
    let mut texts: [String; 6] = Default::default();
    for (text, (_, prize, winners)) in texts.iter_mut().zip(PRIZES) {
        let mut theirs = shares.iter().filter(|share| share.prize == prize);
        let Some(first) = theirs.next() else { continue };
        let alike = theirs.clone().all(|share| share.parts == first.parts);
        let tenths = u32::from(first.parts) * u32::from(ALL);
        if !alike || theirs.count() + 1 != usize::from(winners) || !tenths.is_multiple_of(parts) {
            return None;
        }
        *text = percentage(tenths / parts);
    }
    Some(texts)
}

/// `12.5`, `50`.
fn percentage(tenths: u32) -> String {
    if tenths.is_multiple_of(10) {
        (tenths / 10).to_string()
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}

/// What the fields hold for this schedule; empty texts for one with a name.
fn shown(schedule: Option<&Schedule>, has_name: bool) -> [String; 6] {
    schedule.filter(|_| !has_name).and_then(written).unwrap_or_default()
}

/// Whether a schedule can be typed in these fields.
pub(super) fn can_be_typed(schedule: &Schedule) -> bool {
    written(schedule).is_some()
}

/// The fields of a schedule, empty for one with a name.
pub(super) fn typed_of(
    schedule: Option<&Schedule>,
    has_name: bool,
) -> impl Iterator<Item = (&'static str, String)> {
    PRIZES.iter().map(|(name, ..)| *name).zip(shown(schedule, has_name))
}

/// The label of a field.
pub(super) fn label(t: &Locale, prize: Prize, winners: u16) -> String {
    match winners {
        1 => t.prize(prize),
        _ => t.with("prize-each", "prize", t.prize(prize)),
    }
}

/// Whether percentages were typed that were not shown.
pub(super) fn is_changed(form: &Form, before: Option<&Schedule>, has_name: bool) -> bool {
    let shown = shown(before, has_name);
    let any = PRIZES.iter().any(|(name, ..)| !form.text(name).is_empty());
    any && PRIZES.iter().zip(&shown).any(|((name, ..), shown)| form.text(name) != shown)
}

/// The schedule that was typed. One that is as it was shown stays exactly as it is.
///
/// # Errors
/// [`NoSchedule`].
pub(super) fn read(form: &Form, before: Option<&Schedule>) -> Result<Schedule, NoSchedule> {
    let mut shares = Vec::new();
    for (name, prize, winners) in PRIZES {
        let text = form.text(name);
        if text.is_empty() {
            continue;
        }
        // A percentage has no thousands, so it is read alike in every language.
        let tenths = typed::decimal(text.trim_end_matches('%').trim_end(), 1, InputFormat::default());
        let tenths = tenths.ok().and_then(|tenths| u16::try_from(tenths).ok());
        let tenths = tenths.filter(|tenths| *tenths <= ALL).ok_or(NoSchedule::NoPercentage(name))?;
        let share = Share { prize, parts: tenths };
        shares.extend(std::iter::repeat_n(share, usize::from(winners)).filter(|share| share.parts > 0));
    }
    let sum = shares.iter().map(|share| u32::from(share.parts)).sum();
    if sum != u32::from(ALL) {
        return Err(NoSchedule::AddsUpTo(sum));
    }
    let schedule = Schedule::try_from(shares).map_err(|_| NoSchedule::AddsUpTo(sum))?;
    Ok(before.filter(|before| written(before) == written(&schedule)).cloned().unwrap_or(schedule))
}

impl NoSchedule {
    /// What is wrong, in words.
    pub fn complaint(self, t: &Locale) -> String {
        match self {
            Self::NoPercentage(_) => t.get("prizes-no-percentage"),
            Self::AddsUpTo(sum) => t.with("prizes-add-up-to", "sum", percentage(sum)),
        }
    }

    /// Whether it is to do with this field.
    pub fn is_of(self, name: &str) -> bool {
        match self {
            Self::NoPercentage(wrong) => wrong == name,
            Self::AddsUpTo(_) => true,
        }
    }
}

/// What these settings make of a division's pool, in words: the sum that is divided, and each prize with its
/// amount. While there is nothing in the pool, of a hundred.
pub(super) fn amounts(
    t: &Locale,
    of: Option<&Division>,
    settings: &DivisionSettings,
    currency: &Currency,
) -> (String, Vec<(String, String)>) {
    let much = |amount: u64| t.how_much(MinorUnits(i64::try_from(amount).unwrap_or(i64::MAX)), *currency);
    let money = of.map(Division::played_for);
    let pool = money.map_or(0, |money| money.pool.saturating_sub(money.kept(settings.kept)));
    let (key, divided) = match pool {
        0 => ("prizes-of-example", 100 * 10_u64.pow(currency.decimals())),
        pool => ("prizes-of-pool", pool),
    };
    let entrants = of.map_or(0, |of| u32::try_from(of.taking_part()).unwrap_or(u32::MAX));
    let schedule = settings.payout.clone().unwrap_or_else(|| Schedule::usual(entrants));
    let amounts = schedule.amounts(divided, settings.payout_unit.into());
    let prizes = schedule.shares().iter().map(|share| t.prize(share.prize));
    (t.with(key, "amount", much(divided)), prizes.zip(amounts.into_iter().map(much)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_a_schedule_if_they_add_up_to_a_hundred() {
        let typed = Form::filled(&[
            ("share_winner", "50"),
            ("share_finalist", "25,0 %"),
            ("share_semi_finalist", "12.5"),
        ]);
        let schedule = read(&typed, None).unwrap();
        assert_eq!(schedule.amounts(8_000, 100), Schedule::knock_out().amounts(8_000, 100));
        assert_eq!(written(&schedule).unwrap()[..3], ["50", "25", "12.5"]);
        let refused = |typed: &Form| read(typed, None).unwrap_err();
        assert_eq!(
            refused(&Form::filled(&[("share_winner", "60"), ("share_semi_finalist", "25")])),
            NoSchedule::AddsUpTo(1_100)
        );
        assert_eq!(refused(&Form::filled(&[])), NoSchedule::AddsUpTo(0));
        for wrong in ["-1", "101", "33.33", "half"] {
            let typed = Form::filled(&[("share_winner", "50"), ("share_finalist", wrong)]);
            assert_eq!(refused(&typed), NoSchedule::NoPercentage("share_finalist"), "{wrong}");
        }
    }

    #[test]
    fn a_schedule_shown_and_sent_back_is_the_same() {
        let own = Schedule::knock_out();
        let typed: Form = typed_of(Some(&own), false).collect();
        assert!(!is_changed(&typed, Some(&own), false));
        assert!(is_changed(&typed, None, false), "they were typed");
        // Four, two, one, one parts stay these parts, and do not become tenths of a per cent.
        assert_eq!(read(&typed, Some(&own)), Ok(own));
        // Twelfths are no tenths of a per cent, and three winners no field.
        assert!(!can_be_typed(&Schedule::twelfths()));
        let three = vec![Share { prize: Prize::Winner, parts: 1 }; 2];
        assert!(!can_be_typed(&Schedule::try_from(three).unwrap()));
    }
}
