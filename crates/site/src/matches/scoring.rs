//! The result of a game in one tap: a button for each side and kind of win, with the score it would lead to
//! at the cube chosen above. The same form corrects an earlier game.

use crate::pages::Fields;
use owlbox_desk::matches::screen::MatchScreen;
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_play::matches::{
    Command, CommandKind, Entered, GameEnding, Legal, LineContent, Offer, OfferEffect, Slot,
};

/// The form for the result of a game, the next or one that is corrected.
#[derive(Debug)]
pub(super) struct Scoring<'a> {
    /// What may be entered, and what it would bring.
    results: Vec<(Entered, &'a OfferEffect)>,
    /// The values of the cube to choose from.
    pub cubes: Vec<u32>,
    /// The one chosen before anybody chooses.
    pub cube: u32,
    /// Whether this is the Crawford game, which is played without the cube (M3).
    pub crawford: bool,
    /// The number of the game to correct, and its result on record, if somebody won it. `None` for a new
    /// game.
    pub corrects: Option<u32>,
}

impl<'a> Scoring<'a> {
    /// The form for the next game, if one may be entered.
    pub fn next(screen: &'a MatchScreen) -> Option<Self> {
        let cubes = screen
            .legal
            .iter()
            .find_map(|legal| if let Legal::Game { cube, .. } = legal { Some(cube.clone()) } else { None })?;
        let entered =
            |command: &Command| if let Command::Game(entered) = command { Some(*entered) } else { None };
        let results = results(screen, entered);
        let phase = screen.stream.state.standing().and_then(|standing| standing.phase);
        Some(Self { results, cubes, cube: 1, crawford: phase == Some(MatchPhase::Crawford), corrects: None })
    }

    /// The form that corrects an earlier game, if that is offered.
    pub fn earlier(screen: &'a MatchScreen, number: u32) -> Option<Self> {
        let results = results(screen, |command| {
            if let Command::Correct { game, now } = command {
                (*game == number).then_some(*now)
            } else {
                None
            }
        });
        results.first()?;
        let (_, entry) = screen.stream.state.games().find(|(game, _)| *game == number)?;
        let was = if let LineContent::Won(won) = entry.what { Some(won) } else { None };
        let cube = was.map_or(1, |was| was.cube.get());
        let mut cubes: Vec<u32> = results.iter().map(|(now, _)| now.cube.get()).chain([cube]).collect();
        cubes.sort_unstable();
        cubes.dedup();
        Some(Self { results, cubes, cube, crawford: false, corrects: Some(number) })
    }

    /// The command, which lacks the result.
    pub fn lacking(&self) -> Fields {
        match self.corrects {
            Some(game) => Fields::lacking(CommandKind::Correct).with("game", &game),
            None => Fields::lacking(CommandKind::Game),
        }
    }

    /// The field for a part of the result. In a correction that is a part of the command.
    pub fn field(&self, part: &str) -> String {
        if self.corrects.is_some() { format!("now[{part}]") } else { part.to_owned() }
    }

    /// The field for the value of the cube.
    pub fn cube_field(&self) -> String {
        self.field("cube") + ":number"
    }

    /// The ways in which a side may have won, at whichever cube.
    pub fn ways(&self, winner: Slot) -> Vec<Entered> {
        let mut ways: Vec<Entered> = Vec::new();
        for (entered, _) in self.results.iter().filter(|(entered, _)| entered.winner == winner) {
            if !ways.iter().any(|way| (way.win, way.how) == (entered.win, entered.how)) {
                ways.push(*entered);
            }
        }
        ways
    }

    /// The fields that a button sets for a way to win.
    pub fn choice(&self, way: &Entered) -> String {
        let won = Fields::default().with("winner", &way.winner).with("win", &way.win);
        let won = if way.how == GameEnding::Dropped { won.with("how", &way.how) } else { won };
        if self.corrects.is_some() { won.within("now").choice() } else { won.choice() }
    }

    /// What it would bring with the cube at this value. `None` where that is impossible.
    pub fn brings(&self, way: &Entered, cube: u32) -> Option<&'a OfferEffect> {
        let is_it = |(entered, _): &&(Entered, _)| {
            (entered.winner, entered.win, entered.how, entered.cube.get())
                == (way.winner, way.win, way.how, cube)
        };
        self.results.iter().find(is_it).map(|(_, brings)| *brings)
    }
}

/// The offers that enter or correct the result of a game. Only what gives points is one.
fn results<'a>(
    screen: &'a MatchScreen,
    of: impl Fn(&Command) -> Option<Entered>,
) -> Vec<(Entered, &'a OfferEffect)> {
    let result = |offer: &'a Offer| of(&offer.command).zip(offer.brings.as_ref());
    screen.offers.iter().filter_map(result).filter(|(_, brings)| brings.points().is_some()).collect()
}
