//! Words for the scores, games and acts of a sheet.

use super::MatchContext;
use owlbox_base::values::MinorUnits;
use owlbox_engine::Win;
use owlbox_locale::Locale;
use owlbox_play::matches::view::VouchedView;
use owlbox_play::matches::{Ending, GameEnding, Outcome, Slot, Terms, Won};

/// The code of a slot in forms.
#[must_use]
pub const fn slot_name(slot: Slot) -> &'static str {
    match slot {
        Slot::Upper => "upper",
        Slot::Lower => "lower",
    }
}

/// A score, upper slot first: `5–3`.
#[must_use]
pub fn score([upper, lower]: [u32; 2]) -> String {
    format!("{upper}–{lower}")
}

/// What is played for: `Match to 7`, or `Money session`.
#[must_use]
pub fn terms(t: &Locale, terms: Option<Terms>) -> String {
    match terms.and_then(Terms::length) {
        Some(length) => t.with("match-long", "points", length.points()),
        None => t.get("scoring-money"),
    }
}

/// A won game: `Ann wins a gammon`, `Bob drops`.
#[must_use]
pub fn game(context: &MatchContext<'_>, won: &Won) -> String {
    let (winner, loser) = (context.name(won.winner), context.name(won.winner.other()));
    let key = match (won.how, won.win) {
        (GameEnding::Dropped, _) => "scoring-drops",
        (GameEnding::Resigned, Win::Single) => "scoring-resigns-single",
        (GameEnding::Resigned, Win::Gammon) => "scoring-resigns-gammon",
        (GameEnding::Resigned, Win::Backgammon) => "scoring-resigns-backgammon",
        (GameEnding::Played, Win::Single) => "scoring-wins-single",
        (GameEnding::Played, Win::Gammon) => "scoring-wins-gammon",
        (GameEnding::Played, Win::Backgammon) => "scoring-wins-backgammon",
    };
    context.t.fill(key, &[("winner", &winner), ("loser", &loser)])
}

/// Points for the mistakes of the other side.
#[must_use]
pub fn penalty(context: &MatchContext<'_>, gains: Slot, points: u16) -> String {
    context.t.fill("scoring-penalty-line", &[("name", &context.name(gains.other())), ("points", &points)])
}

/// The outcome of the match as a sentence, with the winner's points first.
#[must_use]
pub fn outcome(context: &MatchContext<'_>, outcome: Outcome) -> String {
    let t = context.t;
    let Some(slot) = outcome.winner else { return ending(t, outcome.ending).unwrap_or_default() };
    let told = outcome.score.map(|[upper, lower]| match slot {
        Slot::Upper => score([upper.into(), lower.into()]),
        Slot::Lower => score([lower.into(), upper.into()]),
    });
    let won = match told {
        Some(told) => t.fill("scoring-won-by", &[("winner", &context.name(slot)), ("score", &told)]),
        None => t.with("desk-wins", "name", context.name(slot)),
    };
    match ending(t, outcome.ending) {
        Some(how) => format!("{won} ({how})"),
        None => won,
    }
}

/// What is contested: a game, or the final score (`None`).
#[must_use]
pub fn which(context: &MatchContext<'_>, game: Option<u32>) -> String {
    game.map_or_else(|| context.t.get("contest-final"), |game| context.t.with("game-number", "game", game))
}

/// The sentence for contesting, or withdrawing a contest; `key` says which.
#[must_use]
pub fn contest(context: &MatchContext<'_>, key: &str, by: Slot, game: Option<u32>) -> String {
    context.t.fill(key, &[("name", &context.name(by)), ("what", &which(context, game))])
}

/// Who vouches for a line or for the final score: who entered it, who contests it, whether a scorer has
/// ruled.
#[must_use]
pub fn vouched(context: &MatchContext<'_>, of: VouchedView) -> Vec<String> {
    let t = context.t;
    let entered = of.entered_by.map(|by| match by.side() {
        Some(side) => t.with("contest-entered-by", "name", context.name(side)),
        None => t.get("contest-entered-by-scorer"),
    });
    let contested = of.contested_by.map(|by| t.with("contest-by", "name", context.name(by)));
    let ruled = of.ruled.then(|| t.get("contest-ruled"));
    [entered, contested, ruled].into_iter().flatten().collect()
}

/// The final score that one side has reported and the other has not yet confirmed.
#[must_use]
pub fn claimed(context: &MatchContext<'_>, (by, told): (Slot, [u16; 2])) -> String {
    let told = score(told.map(u32::from));
    context.t.fill(
        "scoring-claimed",
        &[("name", &context.name(by)), ("score", &told), ("other", &context.name(by.other()))],
    )
}

/// How the match ended. `None` if it was played to the end.
fn ending(t: &Locale, ending: Ending) -> Option<String> {
    let key = match ending {
        Ending::Played => return None,
        Ending::Conceded => "ending-conceded",
        Ending::Walkover => "ending-walkover",
        Ending::Forfeit => "ending-forfeit",
        Ending::DoubleForfeit => "ending-double-forfeit",
        Ending::Disqualified => "ending-disqualified",
        Ending::Withdrawn => "ending-withdrawn",
        Ending::Bye | Ending::NotNeeded => "ending-not-needed",
    };
    Some(t.get(key))
}

/// A payment or debt between the sides, as a sentence; `key` says which. The amount is in minor units.
#[must_use]
pub fn pays(context: &MatchContext<'_>, key: &str, by: Slot, amount: i64) -> String {
    let (payer, payee) = (context.name(by), context.name(by.other()));
    let currency = context.sheet.terms().and_then(Terms::stake).map(|stake| stake.currency);
    let amount =
        currency.map(|currency| context.t.how_much(MinorUnits(amount), currency)).unwrap_or_default();
    context.t.fill(key, &[("payer", &payer), ("payee", &payee), ("amount", &amount)])
}
