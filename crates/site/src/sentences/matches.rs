//! What happens on the sheet of a match or a money session, in words: on the sheet and its buttons, on the
//! undo button, and in previews.

use std::ops::Deref;

use super::board;
use crate::say::Say;
use owlbox_base::values::MinorUnits;
use owlbox_books::club::players::UNNAMED;
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{Colour, Win};
use owlbox_play::matches::view::{LineKind, VouchedView};
use owlbox_play::matches::{Ending, Event, GameEnding, Outcome, Sheet, Slot, Status, Terms, Won};

/// Says to one reader what happens on a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SheetSentences<'a> {
    say: Say<'a>,
    sheet: &'a Sheet,
}

impl<'a> Deref for SheetSentences<'a> {
    type Target = Say<'a>;
    fn deref(&self) -> &Say<'a> {
        &self.say
    }
}

impl<'a> SheetSentences<'a> {
    pub fn new(say: Say<'a>, sheet: &'a Sheet) -> Self {
        Self { say, sheet }
    }

    /// The name of a side's player.
    pub fn side(&self, slot: Slot) -> String {
        self.sheet.player(slot).map_or_else(|| UNNAMED.to_owned(), |player| self.name(&player))
    }

    /// The names of the two players, upper slot first.
    pub fn sides(&self) -> [String; 2] {
        Slot::BOTH.map(|slot| self.side(slot))
    }

    /// An act, by its first event.
    pub fn act(&self, events: &[Event]) -> String {
        let first = events.first().map(|event| self.sentence(event));
        first.unwrap_or_else(|| self.get("scoring-did-something"))
    }

    /// An event as a sentence.
    pub fn sentence(&self, event: &Event) -> String {
        match event {
            Event::Opened { .. } => self.get("scoring-did-open"),
            Event::GameWon { won, .. } => self.game(won),
            Event::GameDrawn { .. } => self.get("scoring-drawn"),
            Event::Penalised { gains, points, .. } => self.penalty(*gains, *points),
            Event::Corrected { game, .. } => self.with("scoring-did-correct", "game", game),
            Event::Contested { by, game, .. } => self.contest("contest-did", *by, *game),
            Event::ContestWithdrawn { by, game, .. } => self.contest("contest-did-withdraw", *by, *game),
            Event::Upheld { game, .. } => self.with("contest-did-uphold", "what", self.which(*game)),
            Event::Voided { game, .. } => self.with("contest-did-void", "what", self.which(Some(*game))),
            Event::Finished { outcome, .. } => self.outcome(*outcome),
            Event::Reopened {} => self.get("scoring-goes-on"),
            Event::Claimed { by, score } => self.claim(*by, *score),
            Event::Detached {} => self.get("scoring-detached"),
            Event::Attached {} => self.get("scoring-attached"),
            Event::StakeMoved { .. } => self.get("line-stake"),
            Event::Adjourned {} => self.get("scoring-adjourned"),
            Event::Resumed {} => self.get("scoring-resumed"),
            Event::Closed {} => self.get("scoring-closed"),
            Event::Paid { by, amount } => self.pays("scoring-pays", *by, *amount),
            Event::BoardStarted { game, .. } => self.with("scoring-did-start-board", "game", game),
            Event::Board { of } => board::sentence(self, of, |side| match side {
                Colour::White => self.side(Slot::Upper),
                Colour::Black => self.side(Slot::Lower),
            }),
            Event::BoardAbandoned {} => self.get("scoring-abandon-board"),
            Event::Imported { .. } => self.get("scoring-did-import"),
            Event::ClockSet { clock: Some(_), .. } => self.get("scoring-did-set-clock"),
            Event::ClockSet { clock: None, .. } => self.get("scoring-did-remove-clock"),
            Event::ClockStarted { .. } | Event::ClockPaused {} | Event::ClockResumed {} => {
                self.get("clock-the-clock")
            }
        }
    }

    /// How the match stands.
    pub fn standing(&self) -> String {
        let sheet = self.sheet;
        if let Some(outcome) = sheet.outcome() {
            return self.outcome(outcome);
        }
        if sheet.is_detached() {
            return self.get("scoring-detached");
        }
        if let Some((by, score)) = sheet.claim() {
            return self.claim(by, score);
        }
        if sheet.score_is_open() {
            return self.get("scoring-awaits-correction");
        }
        let game = sheet.games_over().saturating_add(1);
        // M3 is about the cube, so the Crawford game is not mentioned without a cube, nor in a match of a
        // single game.
        let single = |terms: Terms| terms.length().is_some_and(|length| length.points() == 1);
        let about_cube = sheet.terms().is_some_and(|terms| !terms.without_cube() && !single(terms));
        let phase = sheet.standing().and_then(|standing| standing.phase).filter(|_| about_cube);
        match (sheet.status(), phase) {
            (Status::Over, _) => self.get("scoring-closed"),
            (Status::Adjourned, _) => self.get("scoring-adjourned"),
            (_, Some(MatchPhase::Crawford)) => self.with("scoring-now-crawford", "game", game),
            (_, Some(MatchPhase::AfterCrawford)) => self.with("scoring-now-post", "game", game),
            _ if sheet.board().is_some() => self.with("scoring-on-board", "game", game),
            _ => self.with("scoring-now-game", "game", game),
        }
    }

    /// What is played for: `Match to 7`, or `Money session`.
    pub fn terms(&self) -> String {
        match self.sheet.length() {
            Some(length) => self.with("match-long", "points", length.points()),
            None => self.get("scoring-money"),
        }
    }

    /// A line of the sheet.
    pub fn line(&self, what: &LineKind) -> String {
        match what {
            LineKind::Won { won, .. } => self.game(won),
            LineKind::Drawn { .. } => self.get("scoring-drawn"),
            LineKind::Void { .. } => self.get("contest-never-was"),
            LineKind::Penalty { gains, points, .. } => self.penalty(*gains, *points),
        }
    }

    /// A won game: `Ann wins a gammon`, `Bob drops`.
    pub fn game(&self, won: &Won) -> String {
        self.result(won.winner, won.win, won.how)
    }

    /// How a game ended.
    pub fn result(&self, winner: Slot, win: Win, how: GameEnding) -> String {
        let key = match (how, win) {
            (GameEnding::Dropped, _) => "scoring-drops",
            (GameEnding::Resigned, Win::Single) => "scoring-resigns-single",
            (GameEnding::Resigned, Win::Gammon) => "scoring-resigns-gammon",
            (GameEnding::Resigned, Win::Backgammon) => "scoring-resigns-backgammon",
            (GameEnding::Played, Win::Single) => "scoring-wins-single",
            (GameEnding::Played, Win::Gammon) => "scoring-wins-gammon",
            (GameEnding::Played, Win::Backgammon) => "scoring-wins-backgammon",
        };
        self.fill(key, &[("winner", &self.side(winner)), ("loser", &self.side(winner.other()))])
    }

    /// The games that ended in one way.
    pub fn games(&self, how: GameEnding, win: Win) -> String {
        let kind = super::win(self, win);
        match how {
            GameEnding::Played => kind,
            GameEnding::Dropped => self.get("scoring-kind-dropped"),
            GameEnding::Resigned => self.with("scoring-kind-resigned", "kind", kind),
        }
    }

    /// Points for the mistakes of the other side.
    fn penalty(&self, gains: Slot, points: u16) -> String {
        self.fill("scoring-penalty-line", &[("name", &self.side(gains.other())), ("points", &points)])
    }

    /// The outcome of the match, with the winner's points first.
    fn outcome(&self, outcome: Outcome) -> String {
        let how = self.ending(outcome.ending);
        let Some(slot) = outcome.winner else { return how.unwrap_or_default() };
        let told = outcome.score.map(|[upper, lower]| match slot {
            Slot::Upper => score([upper, lower]),
            Slot::Lower => score([lower, upper]),
        });
        let won = match told {
            Some(told) => self.fill("scoring-won-by", &[("winner", &self.side(slot)), ("score", &told)]),
            None => self.with("desk-wins", "name", self.side(slot)),
        };
        match how {
            Some(how) => format!("{won} ({how})"),
            None => won,
        }
    }

    /// How the match ended. `None` if it was played to the end.
    fn ending(&self, ending: Ending) -> Option<String> {
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
        Some(self.get(key))
    }

    /// What is contested: a game, or the final score (`None`).
    pub fn which(&self, game: Option<u32>) -> String {
        game.map_or_else(|| self.get("contest-final"), |game| self.with("game-number", "game", game))
    }

    /// Contesting, or withdrawing a contest; `key` says which.
    pub fn contest(&self, key: &str, by: Slot, game: Option<u32>) -> String {
        self.fill(key, &[("name", &self.side(by)), ("what", &self.which(game))])
    }

    /// Who vouches for a line or for the final score: who entered it, who contests it, whether a scorer has
    /// ruled.
    pub fn vouched(&self, of: &VouchedView) -> Vec<String> {
        let entered = of.entered_by.map(|by| match by.side() {
            Some(slot) => self.with("contest-entered-by", "name", self.side(slot)),
            None => self.get("contest-entered-by-scorer"),
        });
        let contested = of.contested_by.map(|by| self.with("contest-by", "name", self.side(by)));
        let ruled = of.ruled.then(|| self.get("contest-ruled"));
        [entered, contested, ruled].into_iter().flatten().collect()
    }

    /// The final score that one side has reported and the other has not yet confirmed.
    fn claim(&self, by: Slot, told: [u16; 2]) -> String {
        let (name, other) = (self.side(by), self.side(by.other()));
        self.fill("scoring-claimed", &[("name", &name), ("score", &score(told)), ("other", &other)])
    }

    /// A payment or debt between the sides; `key` says which. The amount is in minor units.
    pub fn pays(&self, key: &str, by: Slot, amount: i64) -> String {
        let currency = self.sheet.terms().and_then(Terms::stake).map(|stake| stake.currency);
        let sum = currency.map(|currency| self.how_much(MinorUnits(amount), currency)).unwrap_or_default();
        self.fill(key, &[("payer", &self.side(by)), ("payee", &self.side(by.other())), ("amount", &sum)])
    }
}

/// A score, upper slot first: `5–3`.
pub(crate) fn score<Points: std::fmt::Display>([upper, lower]: [Points; 2]) -> String {
    format!("{upper}–{lower}")
}
