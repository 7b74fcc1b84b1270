//! The correction of a result at the desk: what it should have been, what happens to later results, and
//! everything that the correction touches. All of it is shown before it is recorded.

use std::ops::Range;

use actix_web::HttpResponse;
use serde::Deserialize;

use super::act::takes_acts;
use super::effect::Effect;
use super::frame::{At, DeskFrame, address, match_below, on_the_desk};
use crate::pages::button::Button;
use crate::pages::{Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::{Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::Timestamp;
use owlbox_desk::Refused;
use owlbox_desk::commands::subject::Preview as Tested;
use owlbox_desk::tournaments::{TournamentReader, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_play::matches::{Outcome, Slot};
use owlbox_play::tournament::bracket::{Later, Pairing};
use owlbox_play::tournament::command::MatchEnded;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::MatchRef;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The longest match whose result is one tap. In longer ones the loser's points are typed.
const MOST_TAPS: u16 = 25;

/// What stands behind a walkover whose loser withdraws.
const LEAVES: &str = "-leaves";

/// `/tournaments/{id}/desk/{division}/matches/{n}/correct`
#[derive(Debug)]
pub(super) struct CorrectionPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub at: MatchRef,
    pub of: &'a Division,
    pub found: &'a Pairing,
    /// The present outcome.
    pub stands: Outcome,
    pub chosen: Chosen,
    /// Whether it has to be chosen what happens to later results.
    pub asks_later: bool,
    /// What it would do, or why it is refused. `None` as long as a choice is open.
    pub tried: Option<Result<Effect<'a>, Code>>,
}
on_the_desk! { CorrectionPage<'a>: "directing/correction.html" }

/// The choices made on the page so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen {
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
    fn query(&self) -> String {
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

/// Reads a result as forms write it: `played-upper-3`, `walkover-lower`, `walkover-lower-leaves`,
/// `forfeit-upper`, `conceded-upper`, `double_forfeit` or `none`.
///
/// The outer `None` means that the text is not a result; the inner `None` means that the match has no result
/// after all.
fn ended(written: &str, length: u16) -> Option<Option<MatchEnded>> {
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
        ("double_forfeit", None, None) => Some(MatchEnded::DoubleForfeit {}),
        ("played", Some(winner), Some(lost)) => Some(MatchEnded::played(winner, length, lost.parse().ok()?)),
        ("walkover", Some(winner), None | Some("leaves")) => Some(MatchEnded::Walkover { winner }),
        ("forfeit", Some(winner), None) => Some(MatchEnded::Forfeit { winner, score: None }),
        ("conceded", Some(winner), None) => Some(MatchEnded::Conceded { winner, score: None }),
        _ => return None,
    })
}

/// What the choices amount to, as far as they are complete.
#[derive(Clone, Debug)]
pub(super) struct Correction {
    /// The result; `None` for none.
    pub ended: Option<MatchEnded>,
    /// Whether the winner changes. Then what happens to later results has to be chosen as well.
    pub moves: bool,
    /// The command. `None` until that choice is made.
    pub command: Option<Command>,
}

impl Chosen {
    /// What this amounts to for a match. `None` if no readable result is chosen.
    pub fn correction(&self, state: &Tournament, at: MatchRef) -> Option<Correction> {
        let (of, found) = state.match_at(at)?;
        let ended = ended(self.ended.as_deref()?, of.length(found).points())?;
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

/// The points of a loser that are one tap each, fewest first. In a long match they are typed.
pub(super) fn taps(length: u16) -> Range<u16> {
    0..if length <= MOST_TAPS { length } else { 0 }
}

/// A result that is offered where a match was not played to the end.
#[derive(Clone, Debug)]
pub(super) struct Unplayed {
    /// As the address of a correction writes it.
    written: String,
    pub ended: MatchEnded,
    /// Who withdraws from the division as well.
    pub withdraws: Option<Slot>,
    pub label: String,
}

/// How a match ends if this slot wins it.
type EndedFor = fn(Slot) -> MatchEnded;

/// The results that are offered where a match was not played to the end. Of a player who did not come, and
/// would go on elsewhere, it is asked whether they do.
pub(super) fn unplayed(t: &TournamentSentences<'_>, at: &MatchRef, now: &Timestamp) -> Vec<Unplayed> {
    let names = t.pair(at);
    let kinds: [(&str, EndedFor); 3] = [
        ("walkover", |winner| MatchEnded::Walkover { winner }),
        ("forfeit", |winner| MatchEnded::Forfeit { winner, score: None }),
        ("conceded", |winner| MatchEnded::Conceded { winner, score: None }),
    ];
    let both = |(kind, ended): (&str, EndedFor)| {
        Slot::BOTH.map(|winner| (format!("{kind}-{}", winner.name()), ended(winner)))
    };
    let nobody = ("double_forfeit".to_owned(), MatchEnded::DoubleForfeit {});
    let mut offered = Vec::new();
    for (written, ended) in kinds.into_iter().flat_map(both).chain([nobody]) {
        let plain = Unplayed { written, ended, withdraws: None, label: t.outcome(&names, &ended.outcome()) };
        if let MatchEnded::Walkover { winner } = ended
            && !t.state.goes_on_beaten(*at, &ended, *now).is_empty()
        {
            let [name, other] = winner.first(names.each_ref());
            let label = |key| t.fill(key, &[("winner", name), ("loser", other)]);
            offered.push(Unplayed {
                written: format!("{}{LEAVES}", plain.written),
                withdraws: Some(winner.other()),
                label: label("desk-walks-over-leaves"),
                ..plain
            });
            offered.push(Unplayed { label: label("desk-walks-over-goes-on"), ..plain });
        } else {
            offered.push(plain);
        }
    }
    offered
}

/// What has been chosen for a correction.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct CorrectQuery {
    ended: Option<String>,
    later: Option<Later>,
    /// The loser's points, which are typed in a long match.
    #[serde(rename = "lost-upper")]
    lost_upper: Option<String>,
    #[serde(rename = "lost-lower")]
    lost_lower: Option<String>,
}

impl CorrectQuery {
    fn chosen(&self) -> Chosen {
        let typed =
            |lost: &Option<String>, won: &str| lost.as_ref().map(|lost| format!("{won}-{}", lost.trim()));
        let typed = match self.ended.as_deref() {
            Some(won @ "played-upper") => typed(&self.lost_upper, won),
            Some(won @ "played-lower") => typed(&self.lost_lower, won),
            _ => None,
        };
        Chosen { ended: typed.or_else(|| self.ended.clone()), later: self.later }
    }
}

/// What a correction that was tried would do, or why it is refused.
type Tried = Result<Tested<Tournament>, Refused>;

/// What the choices of a correction would do. If they lack the one for later results, they are tried as if
/// these stood.
fn tried(
    looking: &mut TournamentReader<'_>,
    at: MatchRef,
    chosen: &Chosen,
) -> Result<Option<Tried>, Refused> {
    let stream = looking.stream();
    looking.name(stream.state.players_in(&[at]));
    let standing = Chosen { later: chosen.later.or(Some(Later::Stands)), ..chosen.clone() };
    let correction = standing.correction(&stream.state, at).and_then(|correction| correction.command);
    correction.map(|command| looking.preview_command(command)).transpose()
}

/// Whether another match that the correction would change has been played: only then is there something to
/// choose.
fn is_played_since(tested: &Tested<Tournament>, at: MatchRef) -> bool {
    let before = &tested.here.before.state;
    let mut others = tested.touched().into_iter().filter(|other| *other != at);
    others.any(|other| before.match_at(other).is_some_and(|(_, found)| Division::is_played(found)))
}

takes_acts!(At, CorrectQuery);

/// The form of a correction: what has been chosen so far, and every match that it would change.
async fn answer(
    visitor: &Visitor,
    &(id, division, number): &At,
    chosen: &CorrectQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let (at, mut chosen) = (MatchRef { division, number }, chosen.chosen());
    let looked = chosen.clone();
    let (screen, tried) = super::screen(visitor, id, CommandKind::Correct, move |looking| {
        let stream = looking.stream();
        let (_, found) = stream.state.match_at(at).ok_or(Refused::NotFound("match"))?;
        if found.outcome.is_some() { tried(looking, at, &looked).map(Some) } else { Ok(None) }
    })
    .await?;
    let Some(tried) = tried else { return Ok(redirect(&address(id, &match_below(at)))) };
    let tried = tried.map(|tried| tried.map_err(Problem::from));
    let here = format!("{}/correct{}", match_below(at), chosen.query());
    let tested = tried.as_ref().and_then(|tried| tried.as_ref().ok());
    let asks_later = chosen.later.is_some() || tested.is_none_or(|tested| is_played_since(tested, at));
    if !asks_later {
        chosen.later = Some(Later::Stands);
    }
    // Without the choice for later results there is nothing to record yet.
    let correction = chosen.correction(screen.state(), at);
    let tried = tried.filter(|_| correction.is_some_and(|correction| correction.command.is_some()));
    let refused = tried.as_ref().and_then(|tried| tried.as_ref().err());
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk-correct-title", &here);
    let tried = tried.as_ref().map(|tried| match tried {
        Ok(tested) => Ok(Effect::new(t, tested)),
        Err(problem) => Err(problem.code),
    });
    let page = CorrectionPage::new(t, frame, &screen, desk, at, (chosen, asks_later), tried);
    visitor.answer_tried(refused, page.ok_or(Refused::NotFound("match"))?.rendered(partial))
}

impl<'a> CorrectionPage<'a> {
    /// The page for a match with a result; `None` if it has none.
    pub fn new(
        t: TournamentSentences<'a>,
        frame: Frame,
        screen: &'a TournamentScreen,
        desk: DeskFrame<'a>,
        at: MatchRef,
        (chosen, asks_later): (Chosen, bool),
        tried: Option<Result<Effect<'a>, Code>>,
    ) -> Option<Self> {
        let (of, found) = screen.state().match_at(at)?;
        let stands = found.outcome.filter(|_| found.players().is_some())?;
        // No live updates while somebody is choosing: recording notices what has happened elsewhere.
        let desk = desk.still();
        Some(Self { t, frame, screen, desk, at, of, found, stands, chosen, asks_later, tried })
    }

    fn correction(&self) -> Option<Correction> {
        self.chosen.correction(self.screen.state(), self.at)
    }

    /// The button that records it.
    fn records(&self) -> Option<Button> {
        let label = self.t.with("record", "what", self.result()?);
        let button = Button::new(label, &self.correction()?.command?).then(self.desk.match_page(&self.at));
        Some(button.main().at(self.screen.stream.version))
    }

    /// The results offered where it was not played to the end.
    fn unplayed(&self) -> Vec<Unplayed> {
        unplayed(&self.t, &self.at, &self.screen.now)
    }

    fn length(&self) -> u16 {
        self.of.length(self.found).points()
    }

    /// The chosen result in words. `None` as long as none is chosen.
    fn result(&self) -> Option<String> {
        let correction = self.correction()?;
        let is_chosen = |offered: &Unplayed| Some(&offered.written) == self.chosen.ended.as_ref();
        let leaves = self.chosen.leaves().then(|| self.unplayed().into_iter().find(is_chosen));
        let in_words = || match &correction.ended {
            Some(ended) => self.t.outcome(&self.t.pair(&self.at), &ended.outcome()),
            None => self.t.get("desk-no-result"),
        };
        Some(leaves.flatten().map_or_else(in_words, |offered| offered.label))
    }

    /// What can be chosen for later results: each with its label, what it means, and the address of the page
    /// with it. Nothing, where the winner stays or nobody has played since.
    fn ways(&self) -> Vec<(Later, [String; 3])> {
        if !self.asks_later || !self.correction().is_some_and(|correction| correction.moves) {
            return Vec::new();
        }
        let words = [
            (Later::Stands, "desk-later-stands", "desk-later-stands-about"),
            (Later::Void, "desk-later-void", "desk-later-void-about"),
        ];
        let page = self.desk.match_page(&self.at);
        let way = |(later, label, about): (Later, &str, &str)| {
            let query = Chosen { later: Some(later), ..self.chosen.clone() }.query();
            (later, [self.t.get(label), self.t.get(about), format!("{page}/correct{query}#confirm")])
        };
        words.into_iter().map(way).collect()
    }
}
