//! The start of a game (Q2, Q11), and its automatic doubles (C6).

use crate::bet::{Bet, BetKind};
use crate::decide::{Decision, lone, nothing_comes_first, nothing_is_offered, seats, standing_line, table};
use crate::event::{Automatic, Event, OpenedBet, RaisedBet};
use crate::game::Game;
use crate::order::Seats;
use crate::refusal::Refusal;
use crate::rules::{Automatics, HouseRules, LaterAutomatics, OtherGames, PartnerWhen, Stakes};
use crate::state::Chouette;
use owlbox_base::values::PlayerId;
use owlbox_engine::game::BoardRules;
use owlbox_engine::{Cube, CubeValue, Variant};

/// Checks that a game may begin now: enough players, no split due, no compulsory partner missing.
pub(crate) fn may_start(chouette: &Chouette) -> Result<(), Refusal> {
    let line = standing_line(chouette)?;
    let needed = chouette.rules().players_needed();
    if line.ready() < needed {
        return Err(Refusal::TooFewPlayers { needed });
    }
    if table::is_split_due(chouette) {
        let leaving = table::proposed_split(chouette);
        let at_most = chouette.rules().table_size.at_most.get();
        return Err(Refusal::SplitDue { at_most, leaving });
    }
    let compulsory = chouette.rules().partner.when == PartnerWhen::Compulsory;
    if compulsory && line.partners.is_empty() && seats::partnership_due(chouette).is_some() {
        return Err(Refusal::PartnerDue);
    }
    Ok(())
}

/// Q2, Q11: the box plays alone against the team, with one bet for every member. The box's partners join a
/// team that would have fewer than two without them.
pub(super) fn start_game(chouette: &Chouette, refereed: bool, variant: Option<Variant>) -> Decision {
    let on_board = played(chouette.rules(), variant)?;
    may_start(chouette)?;
    let seated = standing_line(chouette)?;
    let line = seated.to_play();
    let active = line.active();
    let [box_player, members @ ..] = active.as_slice() else {
        return Err(Refusal::TooFewPlayers { needed: 2 });
    };
    let [captain, ..] = members else {
        return Err(Refusal::TooFewPlayers { needed: 2 });
    };
    let opened = |(bet, &member): (u32, &PlayerId)| OpenedBet {
        bet,
        member,
        kind: BetKind::Member,
        value: opening_value(chouette, member),
        units: chouette.units_between(*box_player, member),
    };
    Ok(vec![Event::GameStarted {
        game: chouette.games_finished() + 1,
        box_player: *box_player,
        captain: *captain,
        partners: line.partners.clone(),
        bets: (1..).zip(members).map(opened).collect(),
        carried: chouette.carried(),
        refereed,
        on_board,
        seats: (line != *seated).then(|| Seats::Line(line.clone())),
    }])
}

/// What is played: the house's game, or another where the house allows it and the other settings suit it.
fn played(rules: &HouseRules, variant: Option<Variant>) -> Result<BoardRules, Refusal> {
    let Some(variant) = variant.filter(|variant| *variant != rules.game.variant) else {
        return Ok(rules.game);
    };
    if rules.other_games == OtherGames::NotAllowed {
        return Err(Refusal::NotInRules { key: "other_games" });
    }
    let playing = rules.playing(variant);
    playing.check().map_err(|contradiction| Refusal::ContradictoryRules { contradiction })?;
    Ok(playing.game)
}

/// Where the cube of `member` begins: at 1 or where it was agreed to, and doubled for every tie carried over.
fn opening_value(chouette: &Chouette, member: PlayerId) -> CubeValue {
    let limit = chouette.rules().cube_limit();
    let start = match chouette.rules().stakes {
        Stakes::OwnStart => chouette.start(member).min(limit),
        Stakes::OneForAll | Stakes::LowerOfTwo => CubeValue::ONE,
    };
    let raised = |cube: Cube<()>, _| cube.doubled_automatically(limit).unwrap_or(cube);
    (0..chouette.carried()).fold(Cube::centred(start), raised).value
}

/// Whether the opening roll can still be a tie: nothing but ties has happened.
pub(crate) fn may_tie(game: &Game) -> bool {
    let untouched = |bet: &Bet| !bet.is_settled() && bet.offered_by().is_none() && !bet.cube.is_turned();
    !game.begun && game.bets.iter().all(untouched)
}

/// What the next tie of this game leads to (C6), unless the box declines it. It doubles every centred cube.
/// If the limit or the cap leaves none to double, it is carried over where the house does that, up to the
/// limit of the next game; otherwise it has no effect.
fn coming_tie(chouette: &Chouette, game: &Game) -> (Vec<RaisedBet>, Automatic) {
    let Automatics { at_most, carry_over, .. } = chouette.rules().automatics;
    let within = at_most.is_none_or(|most| game.automatics < most);
    let bets = if within { raised(chouette, game) } else { Vec::new() };
    let room = at_most.is_some_and(|most| game.carried < most);
    let automatic = match bets.is_empty() {
        false => Automatic::Doubled,
        true if carry_over && room => Automatic::CarriedOver,
        true => Automatic::BeyondLimit,
    };
    (bets, automatic)
}

/// Whether the next tie has an effect, in this game or in the next one.
pub(crate) fn tie_counts(chouette: &Chouette, game: &Game) -> bool {
    coming_tie(chouette, game).1 != Automatic::BeyondLimit
}

/// Whether the next tie counts only if the box wants it.
pub(crate) fn tie_is_choice(chouette: &Chouette, game: &Game) -> bool {
    chouette.rules().automatics.later == LaterAutomatics::BoxChooses
        && game.automatics > 0
        && tie_counts(chouette, game)
}

/// Whether the box can decline the next tie: one that is its choice, or has no effect anyway.
pub(crate) fn tie_can_be_declined(chouette: &Chouette, game: &Game) -> bool {
    tie_is_choice(chouette, game) || !tie_counts(chouette, game)
}

pub(super) fn opening_tie(chouette: &Chouette, wanted: Option<bool>) -> Decision {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    if game.board.is_some() && !game.tie_waits {
        return Err(Refusal::Refereed);
    }
    if !may_tie(game) && !game.tie_waits {
        return Err(Refusal::TooLateForTie);
    }
    if wanted == Some(false) && !tie_can_be_declined(chouette, game) {
        return Err(Refusal::AutomaticCompulsory);
    }
    Ok(vec![tied(chouette, game, wanted != Some(false))])
}

/// The event of a tie: counted if `wanted`, otherwise declined. A tie without effect is never recorded as
/// declined.
pub(super) fn tied(chouette: &Chouette, game: &Game, wanted: bool) -> Event {
    let (bets, automatic) = coming_tie(chouette, game);
    if wanted || automatic == Automatic::BeyondLimit {
        Event::OpeningTied { bets, automatic }
    } else {
        Event::OpeningTied { bets: Vec::new(), automatic: Automatic::Declined }
    }
}

/// The centred cubes, doubled as far as they may be.
fn raised(chouette: &Chouette, game: &Game) -> Vec<RaisedBet> {
    let limit = chouette.rules().cube_limit();
    let raised = |bet: &Bet| {
        let cube = bet.cube.doubled_automatically(limit)?;
        Some(RaisedBet { bet: bet.id, to: cube.value })
    };
    game.running().filter_map(raised).collect()
}

/// The dice are rolled, which ends the turn's doubles.
pub(crate) fn play_on(chouette: &Chouette) -> Decision {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    if game.board.is_some() {
        return Err(Refusal::Refereed);
    }
    nothing_comes_first(game)?;
    nothing_is_offered(game)?;
    if game.turn.is_none() {
        return Err(Refusal::NothingToPlayOn);
    }
    Ok([lone::passed_by_playing_on(game), vec![Event::PlayedOn {}]].concat())
}
