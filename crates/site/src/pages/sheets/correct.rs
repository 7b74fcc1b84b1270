//! The sheet that corrects an earlier game: which game, its result, and the cube and the end of each bet.

use super::{Draft, Field, FieldKind, Group, SheetChoices, SheetForm, SheetKind, Way, address, between};
use crate::pages::table::TableContext;
use crate::pages::{Choice, Kind};
use crate::sentences::chouette::game_over;
use owlbox_base::values::HalfPoints;
use owlbox_books::ledger::Unit;
use owlbox_chouette::rules::Settlements;
use owlbox_chouette::{
    Bet, BetCorrection, BetEnded, BetKind, BetStanding, Command, Finished, Legal, SettledBy, Side,
};
use owlbox_engine::{CubeValue, Win};
use owlbox_locale::Locale;

const FORM: &str = "correct";

pub(super) fn draft(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    let games = context
        .legal
        .iter()
        .find_map(|legal| if let Legal::Correct { from, to } = legal { Some(*from..=*to) } else { None })?;
    let chosen: Option<u32> = asked.text("game").parse().ok().filter(|game| games.contains(game));
    let state = &context.stream.state;
    let mut draft = Draft::default();
    let Some(finished) = chosen.and_then(|game| state.finished_game(game)) else {
        draft.ways = games.rev().filter_map(|game| way(context, state.finished_game(game)?)).collect();
        return Some(draft);
    };
    let sheet = Correction { context, asked, finished, sent: asked.sent(FORM) };
    sheet.fill(&mut draft);
    Some(draft)
}

/// A game to choose, with its box and its result.
fn way(context: &TableContext<'_>, finished: &Finished) -> Option<Way> {
    Some(Way {
        label: context.say.with("game-number", "game", finished.number),
        about: game_in_words(context, finished),
        address: address(context, SheetKind::Correct, &format!("game={}", finished.number)),
        chosen: false,
    })
}

/// The box of the game and its result, in words.
fn game_in_words(context: &TableContext<'_>, finished: &Finished) -> String {
    let box_is = context.say.with("box-is", "name", context.name(finished.box_player));
    format!("{box_is}. {}", game_over(&context.say, finished.winner, finished.win))
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Box => "box",
        Side::Team => "team",
    }
}

struct Correction<'a> {
    context: &'a TableContext<'a>,
    asked: &'a SheetChoices,
    finished: &'a Finished,
    sent: bool,
}

/// The end of a bet, as the form offers it. A side is the one that won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
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

    const fn value(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Drop(Side::Box) => "member-dropped",
            Self::Drop(Side::Team) => "box-dropped",
            Self::Settlement(Side::Box) => "box-paid",
            Self::Settlement(Side::Team) => "member-paid",
        }
    }
}

impl Correction<'_> {
    fn t(&self) -> &Locale {
        &self.context.say
    }

    fn fill(&self, draft: &mut Draft) {
        let mut form = SheetForm { name: FORM, ..SheetForm::default() };
        form.kept.push(("game", self.finished.number.to_string()));
        form.groups.push(self.result());
        let (mut bets, mut wrong) = (Vec::new(), false);
        for bet in self.finished.bets().iter().filter(|bet| bet.kind != BetKind::ExtraPayment) {
            let (mut group, corrected) = self.bet(bet);
            match corrected {
                Ok(corrected) => bets.extend(corrected),
                Err(why) => {
                    wrong = true;
                    if let Some(field) = group.fields.last_mut().filter(|_| self.sent) {
                        field.wrong = Some(why);
                    }
                }
            }
            form.groups.push(group);
        }
        draft.forms.push(form);
        draft.ways.push(Way {
            label: self.t().get("sheet-correct-other"),
            about: String::new(),
            address: format!("/chouettes/{}/correct", self.context.id),
            chosen: false,
        });
        if !self.sent || wrong {
            return;
        }
        let winner = self.winner().filter(|winner| *winner != self.finished.winner);
        let win = self.win().filter(|win| Some(*win) != self.finished.win);
        if winner.is_none() && win.is_none() && bets.is_empty() {
            draft.wrong = Some(self.t().get("sheet-correct-same"));
            return;
        }
        let game = self.finished.number;
        draft.notes.push(self.t().get("sheet-correct-seats"));
        let message = self.t().with("sheet-correct-say", "game", game);
        draft.command = Some((Command::Correct { game, winner, win, bets }, message));
    }

    fn winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| side_name(*side) == self.asked.text("winner"))
    }

    fn win(&self) -> Option<Win> {
        Win::ALL.into_iter().find(|win| Kind::from(*win).code() == self.asked.text("win"))
    }

    fn result(&self) -> Group {
        let t = self.t();
        let winner = self.winner().filter(|_| self.sent).unwrap_or(self.finished.winner);
        let win = if self.sent { self.win() } else { self.finished.win };
        let side = |side: Side, key| Choice::new(side_name(side), t.get(key), winner == side);
        let kind =
            |one: &Win| Choice::new(Kind::from(*one).code(), Kind::from(*one).text(t), win == Some(*one));
        let mut wins: Vec<Choice> = self.finished.variant.wins().iter().map(kind).collect();
        if self.finished.win.is_none() {
            wins.insert(0, Choice::new("", t.get("sheet-correct-not-played"), win.is_none()));
        }
        let sides = vec![side(Side::Box, "box-wins"), side(Side::Team, "team-wins")];
        Group {
            legend: Some(t.with("game-number", "game", self.finished.number)),
            hint: Some(game_in_words(self.context, self.finished)),
            fields: vec![
                Field::new("winner", t.get("sheet-correct-winner"), FieldKind::Select(sides)),
                Field::new("win", t.get("sheet-correct-kind"), FieldKind::Select(wins)),
            ],
        }
    }

    /// The recorded end of the bet, and the points that were agreed.
    fn ended(&self, bet: &Bet) -> (Ended, Option<HalfPoints>) {
        match bet.standing {
            BetStanding::Settled(settled) => match settled.by {
                SettledBy::Drop => (Ended::Drop(settled.winner), None),
                SettledBy::Settlement => (Ended::Settlement(settled.winner), Some(settled.points)),
                SettledBy::Game => (Ended::Game, None),
            },
            BetStanding::Open | BetStanding::Offered(_) => (Ended::Game, None),
        }
    }

    /// The fields of a bet, and its correction. `None` if the bet is unchanged, an error if the agreed points
    /// are missing.
    fn bet(&self, bet: &Bet) -> (Group, Result<Option<BetCorrection>, String>) {
        let t = self.t();
        let field = |what: &str| format!("{what}.{}", bet.id);
        let (was, points_were) = self.ended(bet);
        let text = |what: &str| if self.sent { self.asked.text(&field(what)) } else { "" };
        let ended = Ended::ALL.into_iter().find(|ended| ended.value() == text("ended")).unwrap_or(was);
        let cube = text("cube").parse::<u32>().ok().and_then(|value| CubeValue::try_from(value).ok());
        let cube = cube.unwrap_or(bet.cube.value);
        let was_turned = bet.cube.is_turned();
        let turned = match text("turned") {
            "yes" => true,
            "no" => false,
            _ => was_turned,
        };
        let written = points_were.map(|points| t.how_many(points)).unwrap_or_default();
        let typed = if self.sent { text("points").to_owned() } else { written };
        let group = Group {
            legend: Some(between(self.context, bet.box_side, bet.team_side, bet.kind == BetKind::Extra)),
            hint: None,
            fields: vec![
                Field::new(field("cube"), t.get("sheet-correct-cube"), FieldKind::Select(self.cubes(cube))),
                Field::new(
                    field("turned"),
                    t.get("sheet-correct-turned"),
                    FieldKind::Select(yes_or_no(t, turned)),
                ),
                Field::new(
                    field("ended"),
                    t.get("sheet-correct-ended"),
                    FieldKind::Select(self.ends(bet, ended)),
                ),
                Field::new(
                    field("points"),
                    t.get("sheet-correct-agreed"),
                    FieldKind::Typed(typed.clone(), "decimal"),
                ),
            ],
        };
        let points = t.amount_typed(&typed, Unit::HalfPoints).ok().map(HalfPoints);
        let ends = match (ended, points) {
            (Ended::Game, _) => BetEnded::Game {},
            (Ended::Drop(winner), _) => BetEnded::Drop { winner },
            (Ended::Settlement(winner), Some(points)) => BetEnded::Settlement { winner, points },
            (Ended::Settlement(_), None) => return (group, Err(t.get("sheet-correct-points"))),
        };
        let same_end = ended == was && (points_were.is_none() || points == points_were);
        let same = same_end && cube == bet.cube.value && turned == was_turned;
        let correction = BetCorrection {
            bet: bet.id,
            cube: (cube != bet.cube.value).then_some(cube),
            // For a higher cube the correction always says whether it was turned. The sheet shows that field,
            // so its value counts.
            turned: (turned != was_turned || cube > bet.cube.value).then_some(turned),
            ended: (!same_end).then_some(ends),
        };
        (group, Ok((!same).then_some(correction)))
    }

    fn cubes(&self, chosen: CubeValue) -> Vec<Choice> {
        let limit = self.finished.rules().cube_limit().get().min(1024);
        let values = std::iter::successors(Some(1_u32), |value| value.checked_mul(2))
            .take_while(|value| *value <= limit);
        values.map(|value| Choice::new(value.to_string(), value.to_string(), value == chosen.get())).collect()
    }

    fn ends(&self, bet: &Bet, chosen: Ended) -> Vec<Choice> {
        let (the_box, member) = (self.context.name(bet.box_side), self.context.name(bet.team_side));
        let label = |ended: Ended| match ended {
            Ended::Game => self.t().get("sheet-correct-with-game"),
            Ended::Drop(Side::Box) => self.t().with("sheet-correct-dropped", "name", &member),
            Ended::Drop(Side::Team) => self.t().with("sheet-correct-dropped", "name", &the_box),
            Ended::Settlement(Side::Box) => self.t().with("sheet-correct-was-paid", "name", &the_box),
            Ended::Settlement(Side::Team) => self.t().with("sheet-correct-was-paid", "name", &member),
        };
        let settles = self.finished.rules().settlements != Settlements::Forbidden;
        let may_be = |ended: &Ended| settles || *ended == chosen || !matches!(ended, Ended::Settlement(_));
        let may_be = Ended::ALL.into_iter().filter(may_be);
        may_be.map(|ended| Choice::new(ended.value(), label(ended), ended == chosen)).collect()
    }
}

fn yes_or_no(t: &Locale, yes: bool) -> Vec<Choice> {
    vec![Choice::new("yes", t.get("sheet-yes"), yes), Choice::new("no", t.get("sheet-no"), !yes)]
}
