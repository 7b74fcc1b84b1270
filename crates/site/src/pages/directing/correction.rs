//! The page that corrects a result: what it should have been, what happens to later results, and everything
//! the correction touches. All of it is shown before it is recorded.

use super::words;
use super::{DirectorContext, Heading, Link};
use crate::pages::Frame;
use crate::pages::button::Button;
use owlbox_base::journal::Version;
use owlbox_base::values::PlayerId;
use owlbox_locale::Locale;
use owlbox_play::matches::Slot;
use owlbox_play::tournament::Command;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::{Later, Pairing};
use owlbox_play::tournament::command::Ended;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

#[derive(Debug)]
pub struct CorrectionPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    pub sheet: Link,
    /// The place of the match in the tournament.
    pub place: String,
    pub stands: String,
    /// The possible scores, for each player as the winner.
    pub winners: Vec<Winner>,
    /// The length of the match in points.
    pub length: u16,
    /// The results that are not a score, such as a walkover, and no result at all.
    pub otherwise: Vec<Ending>,
    /// The chosen result, as the address writes it and in words.
    pub chosen: Option<(String, String)>,
    /// The choices for later results. Empty if the winner stays the same, since nothing later changes then.
    pub ways: Vec<Way>,
    /// Why the choice is refused.
    pub wrong: Option<String>,
    pub preview: Option<Preview>,
}

/// A choice for what happens to later results.
#[derive(Clone, Debug)]
pub struct Way {
    /// The address of the page with this choice.
    pub to: String,
    pub label: String,
    pub about: String,
    pub chosen: bool,
}

/// The effect of a command, and the button that records it.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Every match whose players or result it changes.
    pub touched: Vec<Touched>,
    /// A sentence for each player who gives up a last chance by it.
    pub given_up: Vec<String>,
    pub button: Button,
}

/// A match that would be touched.
#[derive(Clone, Debug)]
pub struct Touched {
    pub number: u32,
    /// The place of the match in the tournament.
    pub place: String,
    /// A sentence for each slot whose player changes.
    pub seats: Vec<String>,
    /// What happens to its result, in a sentence.
    pub result: Option<String>,
    /// Whether it would lose a result that was played.
    pub void: bool,
    /// That it is under way, and where.
    pub under_way: Option<String>,
}

/// A player as the winner.
#[derive(Clone, Debug)]
pub struct Winner {
    pub name: String,
    pub slot: Slot,
    /// The choices for the loser's points, fewest first. Empty if the points are typed.
    pub lost: Vec<u16>,
}

/// A result other than a score.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The value in the form.
    pub value: String,
    pub label: String,
}

/// The choices made on the page so far.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// The result, as forms write it: `played-upper-3`.
    pub ended: Option<String>,
    /// What happens to later results.
    pub later: Option<Later>,
}

impl Chosen {
    fn leaves(&self) -> bool {
        self.ended.as_deref().is_some_and(|ended| ended.ends_with(LEAVES))
    }

    /// The choices as the query of an address. Empty if there are none.
    #[must_use]
    pub fn query(&self) -> String {
        let ended =
            self.ended.as_deref().map(|ended| format!("ended={}", owlbox_locale::url::encoded(ended)));
        let later = self.later.map(|later| format!("later={}", name_of(later)));
        let chosen: Vec<String> = ended.into_iter().chain(later).collect();
        if chosen.is_empty() { String::new() } else { format!("?{}", chosen.join("&")) }
    }
}

/// The code in addresses for what happens to later results.
const fn name_of(later: Later) -> &'static str {
    match later {
        Later::Stands => "stands",
        Later::Void => "void",
    }
}

/// What stands behind a walkover whose loser withdraws.
pub(crate) const LEAVES: &str = "-leaves";

/// Reads a result as forms write it: `played-upper-3`, `walkover-lower`, `walkover-lower-leaves`, `forfeit-upper`,
/// `conceded-upper`, `double_forfeit` or `none`. `points` is the score at which an unfinished match stopped, if it was given.
///
/// The outer `None` means that the text is not a result; the inner `None` means that the match has no result
/// after all.
#[must_use]
pub fn ended(written: &str, length: u16, points: Option<[u16; 2]>) -> Option<Option<Ended>> {
    let mut parts = written.split('-');
    let kind = parts.next()?;
    let slot = match parts.next() {
        Some("upper") => Some(Slot::Upper),
        Some("lower") => Some(Slot::Lower),
        Some(_) => return None,
        None => None,
    };
    let lost = parts.next();
    Some(match (kind, slot, lost) {
        ("none", None, None) => None,
        ("double_forfeit", None, None) => Some(Ended::DoubleForfeit {}),
        ("played", Some(winner), Some(lost)) => {
            let lost: u16 = lost.parse().ok()?;
            Some(Ended::Played { score: if winner == Slot::Upper { [length, lost] } else { [lost, length] } })
        }
        ("walkover", Some(winner), None | Some("leaves")) => Some(Ended::Walkover { winner }),
        ("forfeit", Some(winner), None) => Some(Ended::Forfeit { winner, score: points }),
        ("conceded", Some(winner), None) => Some(Ended::Conceded { winner, score: points }),
        _ => return None,
    })
}

/// What the choices amount to, as far as they are complete.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The result; `None` for none.
    pub ended: Option<Ended>,
    /// Whether the winner changes. Then what happens to later results has to be chosen as well.
    pub moves: bool,
    /// The command. `None` until that choice is made.
    pub command: Option<Command>,
}

impl Chosen {
    /// What this amounts to for a match. `None` if no readable result is chosen.
    #[must_use]
    pub fn correction(&self, state: &Tournament, at: MatchRef) -> Option<Correction> {
        let division = state.division(at.division)?;
        let found = division.bracket.get(at.number)?;
        let ended = ended(self.ended.as_deref()?, division.length(found).points(), None)?;
        let winner = ended.as_ref().and_then(|ended| ended.outcome().winner);
        let moves = found.outcome.is_none_or(|before| before.winner != winner);
        // If the winner stays the same nothing later is touched, whatever is chosen.
        let later = if moves { self.later } else { Some(Later::Stands) };
        let leaves = winner.filter(|_| self.leaves()).map(Slot::other);
        let withdraws: Vec<Slot> = leaves.into_iter().collect();
        let MatchRef { division, number } = at;
        let command = later.map(|later| Command::Correct { division, number, ended, later, withdraws });
        Some(Correction { ended, moves, command })
    }
}

/// What is asked of a result: of a player who did not come, and would go on elsewhere, whether they do.
pub(crate) fn asked_of_walkover(
    context: &DirectorContext<'_>,
    at: MatchRef,
    names: &[String; 2],
    said: Ending,
) -> Vec<Ending> {
    let ended = ended(&said.value, 1, None).flatten();
    let Some(walkover @ Ended::Walkover { winner }) = ended else { return vec![said] };
    if context.state.goes_on_beaten(at, &walkover, context.now).is_empty() {
        return vec![said];
    }
    let [upper, lower] = names;
    let (winner_name, loser) = if winner == Slot::Upper { (upper, lower) } else { (lower, upper) };
    let label = |key| context.t.fill(key, &[("winner", winner_name), ("loser", loser)]);
    vec![
        Ending { value: format!("{}{}", said.value, LEAVES), label: label("desk-walks-over-leaves") },
        Ending { label: label("desk-walks-over-goes-on"), ..said },
    ]
}

/// The results of a match that was not played to the end.
#[must_use]
pub fn otherwise(t: &Locale, names: &[String; 2]) -> Vec<Ending> {
    let [upper, lower] = names;
    let both = [(Slot::Upper, upper, lower), (Slot::Lower, lower, upper)];
    let kinds =
        [("walkover", "desk-walks-over"), ("forfeit", "desk-forfeits"), ("conceded", "desk-concedes")];
    let mut endings: Vec<Ending> = kinds
        .into_iter()
        .flat_map(|(value, key)| {
            both.map(|(slot, winner, loser)| Ending {
                value: format!("{value}-{}", slot.name()),
                label: t.fill(key, &[("winner", winner), ("loser", loser)]),
            })
        })
        .collect();
    endings.push(Ending {
        value: "double_forfeit".to_owned(),
        label: t.fill("desk-nobody-came", &[("one", upper), ("other", lower)]),
    });
    endings
}

/// A result in words.
fn in_words(context: &DirectorContext<'_>, names: &[String; 2], ended: Option<&Ended>) -> String {
    ended.map_or_else(
        || context.t.get("desk-no-result"),
        |ended| words::outcome(context, names, ended.outcome()),
    )
}

impl CorrectionPage {
    /// The page for a match with a result. `None` if it has none.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        frame: Frame,
        desk: Heading,
        at: MatchRef,
        chosen: &Chosen,
    ) -> Option<Self> {
        let division = context.state.division(at.division)?;
        let found = division.bracket.get(at.number)?;
        let before = found.outcome.filter(|_| found.players().is_some())?;
        let names = context.pair(&at);
        let length = division.length(found).points();
        let lost: Vec<u16> = if length <= 25 { (0..length).collect() } else { Vec::new() };
        let winners = [Slot::Upper, Slot::Lower].into_iter().zip(&names);
        let asked = chosen.correction(context.state, at);
        let others = otherwise(context.t, &names).into_iter();
        let mut others: Vec<Ending> =
            others.flat_map(|ending| asked_of_walkover(context, at, &names, ending)).collect();
        let leaves =
            others.iter().find(|ending| chosen.leaves() && chosen.ended.as_ref() == Some(&ending.value));
        let leaves = leaves.map(|ending| ending.label.clone());
        others.push(Ending { value: "none".to_owned(), label: context.t.get("desk-no-result") });
        Some(Self {
            t: *context.t,
            frame,
            sheet: Link::new(context.match_path(at), words::names(context, at)),
            place: context.place(&at),
            stands: words::outcome(context, &names, before),
            winners: winners
                .map(|(slot, name)| Winner { name: name.clone(), slot, lost: lost.clone() })
                .collect(),
            length,
            otherwise: others,
            chosen: chosen
                .ended
                .clone()
                .zip(leaves.or_else(|| Some(in_words(context, &names, asked.as_ref()?.ended.as_ref())))),
            ways: if asked.is_some_and(|asked| asked.moves) { ways(context, at, chosen) } else { Vec::new() },
            wrong: None,
            preview: None,
            desk,
        })
    }
}

fn ways(context: &DirectorContext<'_>, at: MatchRef, chosen: &Chosen) -> Vec<Way> {
    let words = [
        (Later::Stands, "desk-later-stands", "desk-later-stands-about"),
        (Later::Void, "desk-later-void", "desk-later-void-about"),
    ];
    let way = |(later, label, about): (Later, &str, &str)| Way {
        to: format!(
            "{}/correct{}#confirm",
            context.match_path(at),
            Chosen { later: Some(later), ..chosen.clone() }.query()
        ),
        label: context.t.get(label),
        about: context.t.get(about),
        chosen: chosen.later == Some(later),
    };
    words.into_iter().map(way).collect()
}

impl Preview {
    /// How many matches it touches, in words.
    #[must_use]
    pub fn how_many(&self, t: &Locale) -> String {
        t.count("desk-touches", &self.touched.len())
    }

    /// The effect on these matches if the tournament of `context` becomes `after`.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        after: &Tournament,
        matches: &[MatchRef],
        button: Button,
        version: Version,
    ) -> Self {
        let given_up = given_up(context, after);
        let after = DirectorContext { state: after, ..*context };
        let touched = matches.iter().filter_map(|at| touched(context, &after, *at)).collect();
        Self { touched, given_up, button: button.at(version) }
    }
}

/// A sentence for each player who gives up a last chance if the tournament becomes `after`.
fn given_up(context: &DirectorContext<'_>, after: &Tournament) -> Vec<String> {
    let of = |(number, after): (DivisionNo, &Division)| {
        let before = context.state.division(number)?;
        let gives_up = after.entries().filter(|(entry, now)| {
            before.entry(*entry).is_some_and(|before| before.given_up != now.given_up && now.given_up != 0)
        });
        let message =
            |entry| context.t.with("desk-gives-up-last-chance", "name", context.entry(before, entry));
        Some(gives_up.map(|(entry, _)| message(entry)).collect::<Vec<_>>())
    };
    after.divisions().filter_map(of).flatten().collect()
}

fn touched(before: &DirectorContext<'_>, after: &DirectorContext<'_>, at: MatchRef) -> Option<Touched> {
    let found = |context: &DirectorContext<'_>| {
        Some(context.state.division(at.division)?.bracket.get(at.number)?.clone())
    };
    let (was, is) = (found(before)?, found(after)?);
    let sits = |context: &DirectorContext<'_>, found: &Pairing, slot: Slot| -> Option<PlayerId> {
        let division = context.state.division(at.division)?;
        Some(division.entry(found.occupant(slot).entry()?)?.player)
    };
    let seat = |slot: Slot| {
        let t = before.t;
        match (sits(before, &was, slot), sits(after, &is, slot)) {
            (one, other) if one == other => None,
            (Some(one), Some(other)) => {
                let names = (before.player(one), before.player(other));
                Some(t.fill("desk-takes-place", &[("new", &names.1), ("old", &names.0)]))
            }
            (None, Some(other)) => Some(t.with("desk-comes-in", "name", before.player(other))),
            (Some(one), None) => Some(t.with("desk-goes-out", "name", before.player(one))),
            (None, None) => None,
        }
    };
    let seats: Vec<String> = Slot::BOTH.into_iter().filter_map(seat).collect();
    let (old, new) = (before.pair(&at), after.pair(&at));
    let said =
        |context: &DirectorContext<'_>, names: &[String; 2], outcome| words::outcome(context, names, outcome);
    let t = before.t;
    let result = match (was.outcome, is.outcome) {
        (Some(was), Some(is)) if was == is && seats.is_empty() => None,
        (Some(was), Some(is)) if was == is => {
            Some(t.with("desk-result-stands", "what", said(after, &new, is)))
        }
        (Some(was), Some(is)) => Some(t.fill(
            "desk-result-changes",
            &[("old", &said(before, &old, was)), ("new", &said(after, &new, is))],
        )),
        (Some(was), None) if was.ending.is_automatic() => None,
        (Some(was), None) => Some(t.with("desk-result-void", "what", said(before, &old, was))),
        (None, Some(is)) => Some(t.with("desk-result-found", "what", said(after, &new, is))),
        (None, None) => None,
    };
    Some(Touched {
        number: at.number.0,
        place: before.place(&at),
        void: was.outcome.is_some_and(|was| !was.ending.is_automatic()) && is.outcome.is_none(),
        under_way: under_way(before, at),
        seats,
        result,
    })
}

/// Where a match without a result is being played, or will be; `None` if its players are not at it.
fn under_way(context: &DirectorContext<'_>, at: MatchRef) -> Option<String> {
    let t = context.t;
    let division = context.state.division(at.division)?;
    if division.bracket.get(at.number)?.outcome.is_some() {
        return None;
    }
    match context.state.room.calls.get(&at) {
        Some(call) if call.began_at.is_some() => Some(t.with("desk-touched-playing", "table", call.table.0)),
        Some(call) => Some(t.with("desk-touched-called", "table", call.table.0)),
        None => division.sheet(at.number).map(|_| t.get("desk-touched-sheet")),
    }
}
