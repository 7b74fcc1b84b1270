//! The sheet that ends a game: each possible result, and of the one that is chosen what it brings. Everything
//! is shown before it is confirmed.

use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::{Change, screen, table_address};
use crate::pages::button::{Button, Target};
use crate::pages::{Fields, Frame, Tab};
use crate::say::Say;
use crate::sentences;
use crate::sentences::chouette::game_over;
use crate::visitor::{Visitor, redirect};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_chouette::rules::Jacoby;
use owlbox_chouette::{Bet, BetKind, Chouette, Command, Game, Legal, Side};
use owlbox_desk::chouettes::screen::{TableScreen, TableScreenOptions};
use owlbox_engine::{Variant, Win};
use owlbox_http::problem::Problem;

/// The result to confirm. Of a winner alone it is the cheapest.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct FinishQuery {
    /// The game that ended, so that nobody records another that has begun since.
    pub game: Option<u32>,
    pub winner: Option<Side>,
    pub kind: Option<Win>,
}

/// `/chouettes/{id}/finish?game=&winner=&kind=`
#[derive(Template)]
#[template(path = "finish.html")]
pub(super) struct FinishPage<'a> {
    t: Say<'a>,
    frame: Frame,
    screen: &'a TableScreen,
    game: &'a Game,
    /// The possible results: the box's first, then the team's, each side's cheapest first.
    outcomes: Vec<Outcome>,
    asked: FinishQuery,
}

/// A possible result, and the table after it.
struct Outcome {
    winner: Side,
    win: Win,
    after: Chouette,
}

/// The sheet that ends a game: what everybody would get.
pub(crate) async fn show(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    query: web::Query<FinishQuery>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunChouette)?;
    let asked = TableScreenOptions { offers: has_results, ..TableScreenOptions::default() };
    let screen = screen(&visitor, *id, asked).await?;
    let frame = visitor.frame(&visitor.t.get("game-over"), Some(Tab::Night));
    match FinishPage::new(visitor.say(&screen.names), frame, &screen, *query) {
        Some(page) => visitor.answer(page.render()),
        None => Ok(redirect(&table_address(*id))),
    }
}

/// Whether the sheet shows what each choice of this command would bring.
pub(super) const fn has_results(legal: &Legal) -> bool {
    matches!(legal, Legal::Finish { .. })
}

impl<'a> FinishPage<'a> {
    /// The sheet of the present game, with a result for each way to finish it that is offered. `None` if the
    /// game may not be finished, or is another than was asked for.
    pub fn new(t: Say<'a>, frame: Frame, screen: &'a TableScreen, asked: FinishQuery) -> Option<Self> {
        let before = &screen.stream.state;
        let outcomes = screen.offers.iter().filter_map(|offer| {
            let (Command::Finish { winner, win }, Some(events)) = (&offer.command, &offer.events) else {
                return None;
            };
            Some(Outcome { winner: *winner, win: *win, after: before.after(events) })
        });
        let (game, outcomes) = (before.game()?, outcomes.collect::<Vec<_>>());
        let is_asked = asked.game.is_none_or(|number| number == game.number);
        (is_asked && !outcomes.is_empty()).then_some(Self { t, frame, screen, game, outcomes, asked })
    }

    fn state(&self) -> &'a Chouette {
        &self.screen.stream.state
    }

    fn target(&self) -> Target {
        Target::at_table(self.screen.id, self.screen.stream.version)
    }

    /// The rules of a variant in words, such as that in the losing game the side that bears off first has
    /// lost. `None` for backgammon.
    fn other_game(&self) -> Option<String> {
        let variant = self.game.on_board.variant;
        let key = || format!("rule-game-variant-{}", variant.key().replace('_', "-"));
        (variant != Variant::Standard).then(|| self.t.get(&key()))
    }

    /// The results of one side.
    fn of_side(&self, side: &Side) -> impl Iterator<Item = &Outcome> {
        let side = *side;
        self.outcomes.iter().filter(move |outcome| outcome.winner == side)
    }

    /// The result to confirm.
    fn chosen(&self) -> Option<&Outcome> {
        let FinishQuery { winner, kind, .. } = self.asked;
        let is_asked = |one: &&Outcome| Some(one.winner) == winner && kind.is_none_or(|kind| kind == one.win);
        self.outcomes.iter().find(is_asked)
    }

    fn is_chosen(&self, outcome: &Outcome) -> bool {
        self.chosen().is_some_and(|chosen| std::ptr::eq(chosen, outcome))
    }

    /// Who plays for a side. For the team that is its acting captain.
    fn plays(&self, side: &Side) -> String {
        match (side, self.state().acting_captain()) {
            (Side::Box, _) => self.t.name(&self.game.box_player),
            (Side::Team, Some(acting)) if acting != self.game.captain => {
                self.t.with("plays-for-team", "name", self.t.name(&acting))
            }
            (Side::Team, _) => self.t.with("captain-is", "name", self.t.name(&self.game.captain)),
        }
    }

    /// The kind of win in words.
    fn kind(&self, outcome: &Outcome) -> String {
        sentences::win(&self.t, outcome.win)
    }

    /// The kind of win in addresses.
    fn kind_code(&self, outcome: &Outcome) -> &'static str {
        sentences::win_code(outcome.win)
    }

    /// A result in words, as it will be in the log.
    fn said(&self, outcome: &Outcome) -> String {
        game_over(&self.t, outcome.winner, Some(outcome.win))
    }

    /// The buttons that record a result, likeliest first: with the start of the next game if that may start
    /// at once, and alone.
    fn records(&self, outcome: &Outcome) -> Vec<Button> {
        let Outcome { winner, win, .. } = *outcome;
        let finish = Command::Finish { winner, win };
        let alone = Button::new(self.t.get("record-alone"), &finish);
        if !self.screen.may_go_on(&outcome.after) {
            return vec![alone.main()];
        }
        let together = [finish, Command::StartGame { refereed: false, variant: None }];
        let fields = Fields::default().with("commands", &together);
        vec![Button::of_form(self.t.get("record-next"), fields).main(), alone]
    }

    /// Partner or extra, where the player is or has one in this game.
    fn besides(&self, player: &PlayerId) -> Option<String> {
        if self.game.partners.contains(player) {
            return Some(self.t.get("role-partner"));
        }
        let extra = |bet: &Bet| bet.kind == BetKind::Extra && bet.side_of(*player).is_some();
        self.game.bets.iter().any(extra).then(|| self.t.get("with-extra"))
    }

    /// What a result brings everybody: the points of the whole game, drops included, and those of the night
    /// after it.
    fn changes(&self, outcome: &Outcome) -> Vec<Change> {
        let change = |player| Change {
            player,
            besides: self.besides(&player),
            by: outcome.after.booked(player) - self.state().booked(player),
            to: outcome.after.score(player),
        };
        self.game.stakeholders().into_iter().map(change).collect()
    }

    /// Who sits in one of the first seats afterwards.
    fn seated(&self, player: Option<PlayerId>) -> String {
        player.map(|player| self.t.name(&player)).unwrap_or_default()
    }

    /// What a gammon counts under the Jacoby rule, where not every cube has been turned (C9). `None` if the
    /// rule changes nothing.
    fn jacoby(&self, outcome: &Outcome) -> Option<String> {
        if self.state().rules().jacoby == Jacoby::Off || outcome.win == Win::Single {
            return None;
        }
        let counts = |bet: &Bet| bet.cube.gammons_count(true);
        if self.game.running().all(counts) {
            return None;
        }
        let with = self.game.running().filter(|bet| counts(bet)).map(|bet| &bet.team_side);
        let with = self.t.names(with);
        Some(match with.as_slice() {
            [] => self.t.get("jacoby-nobody"),
            with => self.t.with("jacoby-only", "names", self.t.list(with)),
        })
    }
}
