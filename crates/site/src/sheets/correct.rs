//! The sheet that corrects an earlier game: which game, its result, and the cube and the end of each bet.

use std::collections::BTreeSet;

use super::{Act, Filled, SheetPage, Wrong, wrong};
use crate::sentences::chouette::game_over;
use owlbox_base::values::HalfPoints;
use owlbox_books::ledger::Unit;
use owlbox_chouette::rules::Settlements;
use owlbox_chouette::{
    Bet, BetCorrection, BetEnded, BetKind, BetStanding, Command, Finished, SettledBy, Side,
};
use owlbox_engine::{CubeValue, Win};

/// The end of a bet, as the form offers it. A side is the one that won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Game,
    Drop(Side),
    Settlement(Side),
}

impl Ended {
    const ALL: [Self; 5] = [
        Self::Game,
        Self::Drop(Side::Box),
        Self::Drop(Side::Team),
        Self::Settlement(Side::Box),
        Self::Settlement(Side::Team),
    ];

    /// The recorded end of a bet, and the points that were agreed.
    fn of(bet: &Bet) -> (Self, Option<HalfPoints>) {
        match bet.standing {
            BetStanding::Settled(settled) => match settled.by {
                SettledBy::Drop => (Self::Drop(settled.winner), None),
                SettledBy::Settlement => (Self::Settlement(settled.winner), Some(settled.points)),
                SettledBy::Game => (Self::Game, None),
            },
            BetStanding::Open | BetStanding::Offered(_) => (Self::Game, None),
        }
    }

    pub(super) const fn value(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Drop(Side::Box) => "member-dropped",
            Self::Drop(Side::Team) => "box-dropped",
            Self::Settlement(Side::Box) => "box-paid",
            Self::Settlement(Side::Team) => "member-paid",
        }
    }
}

/// The game.
impl<'a> SheetPage<'a> {
    /// The games that can be corrected, the newest first.
    pub(super) fn games(&self, from: &u32, to: &u32) -> Vec<&'a Finished> {
        (*from..=*to).rev().filter_map(|game| self.state().finished_game(game)).collect()
    }

    /// The game that is corrected, once it is chosen.
    pub(super) fn correcting(&self, from: &u32, to: &u32) -> Option<&'a Finished> {
        let chosen = self.form.text("game").parse();
        self.games(from, to).into_iter().find(|game| chosen == Ok(game.number))
    }

    /// The box of the game and its result, in words.
    pub(super) fn game_in_words(&self, game: &Finished) -> String {
        let box_is = self.t.with("box-is", "name", self.t.name(&game.box_player));
        format!("{box_is}. {}", game_over(&self.t, game.winner, game.win))
    }

    pub(super) fn winner(&self, game: &Finished) -> Side {
        self.form.word("winner").ok().flatten().filter(|_| self.is_sent("correct")).unwrap_or(game.winner)
    }

    pub(super) fn win(&self, game: &Finished) -> Option<Win> {
        if self.is_sent("correct") { self.form.word("win").ok().flatten() } else { game.win }
    }

    pub(super) fn correct(&self, game: &Finished) -> Filled {
        self.sent("correct")?;
        let (mut bets, mut all_wrong) = (Vec::new(), Wrong::new());
        for bet in self.bets(game) {
            match self.correction(bet) {
                Ok(correction) => bets.extend(correction),
                Err(why) => {
                    all_wrong.insert(self.of_bet("points", bet), why);
                }
            }
        }
        if !all_wrong.is_empty() {
            return Some(Err(all_wrong));
        }
        let winner = Some(self.winner(game)).filter(|winner| *winner != game.winner);
        let win = self.win(game).filter(|win| Some(*win) != game.win);
        if winner.is_none() && win.is_none() && bets.is_empty() {
            return wrong("", self.t.get("sheet-correct-same"));
        }
        let said = self.t.with("sheet-correct-say", "game", game.number);
        let command = Command::Correct { game: game.number, winner, win, bets };
        Some(Ok(Act { command, said, notes: vec![self.t.get("sheet-correct-seats")] }))
    }
}

/// Its bets.
impl SheetPage<'_> {
    /// The bets that can be corrected.
    pub(super) fn bets<'f>(&self, game: &'f Finished) -> Vec<&'f Bet> {
        game.bets().iter().filter(|bet| bet.kind != BetKind::ExtraPayment).collect()
    }

    pub(super) fn players_of(&self, bet: &Bet) -> String {
        self.between(&bet.box_side, &bet.team_side, bet.kind == BetKind::Extra)
    }

    /// A field of a bet: `cube`, `turned`, `ended` or `points`.
    pub(super) fn of_bet(&self, what: &str, bet: &Bet) -> String {
        format!("{what}.{}", bet.id)
    }

    /// What was sent in a field of a bet.
    fn sent_of(&self, what: &str, bet: &Bet) -> &str {
        if self.is_sent("correct") { self.form.text(&self.of_bet(what, bet)) } else { "" }
    }

    pub(super) fn cube_of(&self, bet: &Bet) -> u32 {
        self.cube(bet).get()
    }

    fn cube(&self, bet: &Bet) -> CubeValue {
        let sent = self.sent_of("cube", bet).parse::<u32>().ok();
        sent.and_then(|value| CubeValue::try_from(value).ok()).unwrap_or(bet.cube.value)
    }

    pub(super) fn is_turned(&self, bet: &Bet) -> bool {
        match self.sent_of("turned", bet) {
            "yes" => true,
            "no" => false,
            _ => bet.cube.is_turned(),
        }
    }

    pub(super) fn ended(&self, bet: &Bet) -> Ended {
        let sent = self.sent_of("ended", bet);
        Ended::ALL.into_iter().find(|ended| ended.value() == sent).unwrap_or(Ended::of(bet).0)
    }

    pub(super) fn points(&self, bet: &Bet) -> String {
        if self.is_sent("correct") {
            return self.sent_of("points", bet).to_owned();
        }
        Ended::of(bet).1.map(|points| self.t.how_many(&points.0)).unwrap_or_default()
    }

    /// The values that a cube can have had, the chosen one among them.
    pub(super) fn cubes(&self, game: &Finished, bet: &Bet) -> BTreeSet<u32> {
        let limit = game.rules().cube_limit().get().min(1024);
        let values = std::iter::successors(Some(1_u32), |value| value.checked_mul(2));
        values.take_while(|value| *value <= limit).chain([self.cube_of(bet)]).collect()
    }

    /// The ends that a bet can have had.
    pub(super) fn ends(&self, game: &Finished, bet: &Bet) -> Vec<Ended> {
        let settles = game.rules().settlements != Settlements::Forbidden;
        let chosen = self.ended(bet);
        let may_be = |end: &Ended| settles || *end == chosen || !matches!(end, Ended::Settlement(_));
        Ended::ALL.into_iter().filter(may_be).collect()
    }

    pub(super) fn end_in_words(&self, bet: &Bet, end: &Ended) -> String {
        let (key, player) = match end {
            Ended::Game => return self.t.get("sheet-correct-with-game"),
            Ended::Drop(Side::Box) => ("sheet-correct-dropped", bet.team_side),
            Ended::Drop(Side::Team) => ("sheet-correct-dropped", bet.box_side),
            Ended::Settlement(Side::Box) => ("sheet-correct-was-paid", bet.box_side),
            Ended::Settlement(Side::Team) => ("sheet-correct-was-paid", bet.team_side),
        };
        self.t.with(key, "name", self.t.name(&player))
    }

    /// The correction of a bet. `None` if it is unchanged, an error if the agreed points are missing.
    fn correction(&self, bet: &Bet) -> Result<Option<BetCorrection>, String> {
        let (cube, turned, ended) = (self.cube(bet), self.is_turned(bet), self.ended(bet));
        let (was, points_were) = Ended::of(bet);
        let points = self.t.amount_typed(&self.points(bet), Unit::HalfPoints).ok().map(HalfPoints);
        let ends = match (ended, points) {
            (Ended::Game, _) => BetEnded::Game {},
            (Ended::Drop(winner), _) => BetEnded::Drop { winner },
            (Ended::Settlement(winner), Some(points)) => BetEnded::Settlement { winner, points },
            (Ended::Settlement(_), None) => return Err(self.t.get("sheet-correct-points")),
        };
        let same_end = ended == was && (points_were.is_none() || points == points_were);
        let same = same_end && cube == bet.cube.value && turned == bet.cube.is_turned();
        let correction = BetCorrection {
            bet: bet.id,
            cube: (cube != bet.cube.value).then_some(cube),
            // For a higher cube the correction always says whether it was turned. The sheet shows that field,
            // so its value counts.
            turned: (turned != bet.cube.is_turned() || cube > bet.cube.value).then_some(turned),
            ended: (!same_end).then_some(ends),
        };
        Ok((!same).then_some(correction))
    }
}
