//! The sheet that ends a game, with the chouette after each possible result.

use super::context::TableContext;
use super::{Button, Finish, Kind, Outcome, OutcomeLine};
use crate::pages::Frame;
use crate::sentences::chouette::game_over;
use owlbox_base::values::PlayerId;
use owlbox_chouette::rules::Jacoby;
use owlbox_chouette::{Bet, BetKind, Chouette, Command, Game, Line, Side};
use owlbox_engine::{Variant, Win};
use owlbox_locale::Locale;

impl Finish {
    /// The sheet of the present game: a result for each way to finish it that is offered, `chosen` the one to confirm.
    /// `None` if the game may not be finished.
    #[must_use]
    pub fn from_domain(
        context: &TableContext<'_>,
        frame: Frame,
        chosen: Option<(Side, Win)>,
    ) -> Option<Self> {
        let before = context.state();
        let game = before.game()?;
        let players = players(game);
        let outcomes = context.offers.iter().filter_map(|offer| {
            let (Command::Finish { winner, win }, Some(events)) = (&offer.command, &offer.events) else {
                return None;
            };
            let result = (*winner, *win);
            Some(outcome(context, &players, &before.after(events), result, chosen == Some(result)))
        });
        let outcomes: Vec<Outcome> = outcomes.collect();
        if outcomes.is_empty() {
            return None;
        }
        Some(Self {
            t: *context.say,
            table: context.id.to_string(),
            name: before.name().to_owned(),
            target: context.target(),
            game: usize::try_from(game.number).unwrap_or(usize::MAX),
            other_game: other_game(&context.say, game.on_board.variant),
            box_player: context.name(game.box_player),
            captain: context.name(game.captain),
            currency: before.stake().map(|stake| stake.currency.to_string()),
            outcomes,
            frame,
        })
    }
}

/// The rules of a variant in words, such as that in the losing game the side that bears off first has lost.
/// `None` for backgammon.
fn other_game(t: &Locale, variant: Variant) -> Option<String> {
    let key = || format!("rule-game-variant-{}", variant.key().replace('_', "-"));
    (variant != Variant::Standard).then(|| t.get(&key()))
}

/// Everybody with a stake in the game: the box, its partners, the members, the givers of extras.
pub(super) fn players(game: &Game) -> Vec<PlayerId> {
    let sides = game.bets.iter().flat_map(|bet| [bet.team_side, bet.box_side]);
    let everybody = std::iter::once(game.box_player).chain(game.partners.iter().copied()).chain(sides);
    let mut players = Vec::new();
    for player in everybody {
        if !players.contains(&player) {
            players.push(player);
        }
    }
    players
}

/// Partner or extra, where the player is or has one in this game.
fn note(context: &TableContext<'_>, player: PlayerId) -> Option<String> {
    let game = context.state().game()?;
    if game.partners.contains(&player) {
        return Some(context.say.get("role-partner"));
    }
    let extra = |bet: &Bet| bet.kind == BetKind::Extra && bet.side_of(player).is_some();
    game.bets.iter().any(extra).then(|| context.say.get("with-extra"))
}

/// What a gammon counts under the Jacoby rule, where not every cube has been turned (C9). `None` if the rule
/// changes nothing.
fn jacoby(context: &TableContext<'_>, win: Win) -> Option<String> {
    let before = context.state();
    if before.rules().jacoby == Jacoby::Off || win == Win::Single {
        return None;
    }
    let running = || before.game().into_iter().flat_map(Game::running);
    let counts = |bet: &&Bet| bet.cube.gammons_count(true);
    if running().all(|bet| counts(&bet)) {
        return None;
    }
    let with = context.names(running().filter(counts).map(|bet| bet.team_side));
    Some(match with.as_slice() {
        [] => context.say.get("jacoby-nobody"),
        with => context.say.with("jacoby-only", "names", context.say.list(with)),
    })
}

fn outcome(
    context: &TableContext<'_>,
    players: &[PlayerId],
    after: &Chouette,
    (winner, win): (Side, Win),
    chosen: bool,
) -> Outcome {
    let before = context.state();
    let line = |player: &PlayerId| {
        let points = after.booked(*player) - before.booked(*player);
        OutcomeLine {
            name: context.name(*player),
            note: note(context, *player),
            points: context.say.points(&points.0),
            money: context
                .state()
                .stake()
                .and_then(|stake| Some(context.say.money_alone(stake.worth(points)?, stake.currency))),
            total: context.say.points(&after.score(*player).0),
        }
    };
    let named = |player: Option<PlayerId>| player.map(|player| context.name(player)).unwrap_or_default();
    let (box_wins, kind) = (winner == Side::Box, Kind::from(win));
    Outcome {
        box_wins,
        kind,
        chosen,
        lines: players.iter().map(line).collect(),
        next_box: named(after.box_player()),
        next_captain: named(after.captain()),
        next_partners: context.names(after.partners().iter().copied()),
        next_line: context.names(next_line(after)),
        jacoby: jacoby(context, win),
        act: Button::new(game_over(&context.say, winner, Some(win)), &Command::Finish { winner, win }),
    }
}

/// The line behind the captain.
fn next_line(after: &Chouette) -> Vec<PlayerId> {
    let active = after.seats().standing().map(Line::active).unwrap_or_default();
    active.into_iter().skip(2).collect()
}
