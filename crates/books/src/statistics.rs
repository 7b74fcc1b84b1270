//! Statistics of games (M8): who won how many of which kind, and how they ended, counted from the finished
//! games of chouettes and sheets.
//!
//! A game counts once for each of its players, once for each two who played against each other, and once for
//! the club. A [`TallyKey`] says what it counts as; games alike in all of that share one tally and its
//! [`Count`]. So the games of a club, 100,000 of them, are a few thousand numbers, and a game that is undone
//! or corrected moves from one tally to another.
//!
//! * A player has **won** a game of a chouette if they end it with more than before, whatever became of the
//!   others' bets, and lost it if they end it with less. How the game ended for them, and at which cube, is
//!   that of their largest bet that went the same way.
//! * Two players are **opponents** if they had a bet against each other: the box and a member, or the giver
//!   of an extra and the lone taker. A partner's share of the box's net does not make the two opponents.
//! * For **the club** a game is seen from the side that won it: the winners' role, and whether they began.
//! * A contested game counts once a scorer has ruled, as in the books; a voided one never counts. A sheet
//!   whose tournament match is now played by others no longer counts.
//! * A chouette's games belong to its night; those of a sheet to the day, in UTC, on which it was opened.
//!
//! Points come from chouettes and money sessions only: those of a match decide the match and are worth
//! nothing after it.

mod nights;
mod summary;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use owlbox_base::values::{HalfPoints, InvalidValue, PlayerId};
use owlbox_chouette::game::score_of;
use owlbox_chouette::{Bet, BetKind, Chouette, Finished, SettledBet, SettledBy, Side};
use owlbox_engine::{Variant, Win};
use owlbox_play::matches::Slot;
use owlbox_play::matches::{Entry, LineContent, Sheet, Terms, Won};

pub use nights::{Attendance, ClubSpan, MoneyWon, NightScores, NightTable, attendance, nights};
pub use summary::{Group, MannerCount, Month, Record, ResultCount, Summary};

/// Defines an enum of words: their names as stored and in JSON, and how to parse them.
macro_rules! words {
    ($(#[$doc:meta])* $enum:ident as $schema:ident, $what:literal, $allowed:literal; $($(#[$word_doc:meta])* $word:ident $name:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "schema", schema(as = $schema))]
        pub enum $enum { $($(#[$word_doc])* $word,)* }

        impl $enum {
            pub const ALL: &'static [Self] = &[$(Self::$word),*];

            /// The name, as stored and in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$word => $name,)* }
            }
        }
        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
        impl FromStr for $enum {
            type Err = InvalidValue;
            fn from_str(name: &str) -> Result<Self, InvalidValue> {
                let found = Self::ALL.iter().find(|word| word.name() == name);
                found.copied().ok_or_else(|| InvalidValue { what: $what, allowed: $allowed })
            }
        }
    };
}

words! {
    /// The kind of event in which a game was played.
    Kind as PlayedAt, "kind", "chouette, match, money_session or tournament";
    /// A game of a chouette.
    Chouette "chouette",
    /// A game of a friendly match.
    Match "match",
    /// A game of a money session.
    MoneySession "money_session",
    /// A game of a tournament match.
    Tournament "tournament",
}

words! {
    /// The role in which a player played a game.
    Role as PlayedAs, "role", "box, partner, captain, crew, onlooker or opponent";
    /// The box, alone against the team.
    Box "box",
    /// A partner of the box (Q13).
    Partner "partner",
    /// The captain: the one who led the team at the end.
    Captain "captain",
    /// A member of the team who did not lead it.
    Crew "crew",
    /// On neither side, but with an extra that they gave (Q10).
    Onlooker "onlooker",
    /// One of the two players of a match or money session.
    Opponent "opponent",
}

words! {
    /// Which side began (G3), seen from one of them.
    Began as WhoBegan, "began", "own_side, other_side or unknown";
    /// The side in question began.
    OwnSide "own_side",
    /// The opposing side began.
    OtherSide "other_side",
    /// Nobody has recorded who began.
    Unknown "unknown",
}

words! {
    /// The result of a game for one player.
    Outcome as GameResult, "result", "won, lost or drawn";
    /// The player won the game.
    Won "won",
    /// The player lost the game.
    Lost "lost",
    /// The player neither won nor lost.
    Drawn "drawn",
}

words! {
    /// How a game ended for one player.
    Ending as GameEnding, "ending", "single, gammon, backgammon, drop, settlement or agreed";
    /// Played out or resigned as a single win.
    Single "single",
    /// Played out or resigned as a gammon.
    Gammon "gammon",
    /// Played out or resigned as a backgammon.
    Backgammon "backgammon",
    /// A double was dropped (C3).
    Drop "drop",
    /// The bet was settled (Q11).
    Settlement "settlement",
    /// Drawn by agreement, or set so by a director.
    Agreed "agreed",
}

impl From<Win> for Ending {
    fn from(win: Win) -> Self {
        match win {
            Win::Single => Self::Single,
            Win::Gammon => Self::Gammon,
            Win::Backgammon => Self::Backgammon,
        }
    }
}

/// Everything about a game for one player except who and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Manner {
    pub kind: Kind,
    pub variant: Variant,
    pub began: Began,
    pub role: Role,
    /// The result for this player.
    pub result: Outcome,
    /// How the game ended for this player.
    pub ending: Ending,
    /// The value of the cube at the end; after a drop, the value before the double. 0 for a drawn game, where
    /// it is not recorded.
    pub cube: u32,
}

impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, variant, began, role, result, ending, cube } = self;
        let variant = variant.key();
        write!(f, "{kind}, {variant}, began: {began}, as {role}: {result}, {ending}, cube {cube}")
    }
}

/// Everything that games counted together have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TallyKey {
    /// The player whose games these are; `None` for the club's.
    pub player: Option<PlayerId>,
    /// The opponent; `None` for the game as a whole.
    pub opponent: Option<PlayerId>,
    /// The night of a chouette, or the day on which the sheet was opened.
    pub day: NaiveDate,
    pub manner: Manner,
}

impl fmt::Display for TallyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}, {}", games_of(self.player, self.opponent), self.day, self.manner)
    }
}

pub fn games_of(player: Option<PlayerId>, opponent: Option<PlayerId>) -> String {
    let whose =
        player.map_or_else(|| "games of the club".to_owned(), |player| format!("games of player {player}"));
    opponent.map_or(whose.clone(), |opponent| format!("{whose} against {opponent}"))
}

/// The number of games and the points they were worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub games: i64,
    /// The player's net win in half points; for the club, the amount that changed hands.
    pub half_points: i64,
}

/// Tallies with their counts. A tally whose count drops to nothing is removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies(BTreeMap<TallyKey, Count>);

impl Tallies {
    /// Iterates in the order of the tallies.
    pub fn iter(&self) -> impl Iterator<Item = (&TallyKey, &Count)> {
        self.0.iter()
    }

    /// Counts `times` more games of this tally, with `points` each; a negative `times` takes games out.
    pub fn count(&mut self, tally: TallyKey, times: i64, points: HalfPoints) {
        let count = self.0.entry(tally).or_default();
        count.games += times;
        count.half_points += times * points.0;
        if *count == Count::default() {
            self.0.remove(&tally);
        }
    }

    /// Counts what `others` count.
    pub fn add(&mut self, others: &Self) {
        for (tally, more) in &others.0 {
            let count = self.0.entry(*tally).or_default();
            count.games += more.games;
            count.half_points += more.half_points;
            if *count == Count::default() {
                self.0.remove(tally);
            }
        }
    }

    /// Applies the change from `before` to `after` at a chouette. For one that is new, `before` has no games
    /// and all of `after` are counted.
    pub fn change_chouette(&mut self, before: &Chouette, after: &Chouette) {
        for number in 1..=before.games_finished().max(after.games_finished()) {
            let games = [before, after].map(|state| state.finished_game(number));
            // The two states share the games that have not changed.
            if matches!(games, [Some(was), Some(is)] if std::ptr::eq(was, is)) {
                continue;
            }
            for (state, game, times) in [(before, games[0], -1), (after, games[1], 1)] {
                if let Some(game) = game {
                    OfChouette { game, day: state.night() }.count(self, times);
                }
            }
        }
    }

    /// Applies the change from `before` to `after` at a sheet. For one that is new, `before` has no games and
    /// all of `after` are counted.
    pub fn change_sheet(&mut self, before: &Sheet, after: &Sheet) {
        if before.entries() == after.entries() && before.is_detached() == after.is_detached() {
            return;
        }
        for (sheet, times) in [(before, -1), (after, 1)] {
            let Some(of) = OfSheet::new(sheet) else { continue };
            let games = sheet.games().filter(|(_, entry)| entry.vouched.contested_by.is_none());
            games.for_each(|(_, entry)| of.count(self, entry, times));
        }
    }
}

/// A finished game of a chouette, while it is counted.
struct OfChouette<'a> {
    game: &'a Finished,
    day: NaiveDate,
}

impl OfChouette<'_> {
    fn count(&self, tallies: &mut Tallies, times: i64) {
        let results = &self.game.results;
        let mut players: Vec<PlayerId> = results.iter().flat_map(|bet| [bet.winner, bet.loser]).collect();
        players.sort_unstable();
        players.dedup();
        let mut changed_hands = HalfPoints(0);
        for &player in &players {
            let net = score_of(player, results.iter().copied());
            changed_hands.0 += net.0.max(0);
            tallies.count(self.as_a_whole(player, net), times, net);
            for &other in players.iter().filter(|other| **other != player) {
                let between = |bet: &SettledBet| {
                    bet.kind != BetKind::Partner
                        && [(player, other), (other, player)].contains(&(bet.winner, bet.loser))
                };
                let between: Vec<SettledBet> = results.iter().copied().filter(between).collect();
                if between.is_empty() {
                    continue;
                }
                let net = score_of(player, between.iter().copied());
                let tally = self.tally(player, net, player, &between);
                tallies.count(TallyKey { opponent: Some(other), ..tally }, times, net);
            }
        }
        tallies.count(self.of_club(changed_hands), times, changed_hands);
    }

    /// The game as a whole. For a partner, it ended as the box's bets did, of which they have their share.
    fn as_a_whole(&self, player: PlayerId, net: HalfPoints) -> TallyKey {
        let bets_of = if self.role(player) == Role::Partner { self.game.box_player } else { player };
        self.tally(player, net, bets_of, &self.game.results)
    }

    fn tally(&self, player: PlayerId, net: HalfPoints, bets_of: PlayerId, bets: &[SettledBet]) -> TallyKey {
        let result = result(net);
        let deciding = self.deciding(bets_of, result, bets);
        let (ending, cube) = self.end_of(deciding);
        let role = self.role(player);
        // The giver of an extra plays it on the box's side, wherever they sit (Q10).
        let on = deciding.and_then(|settled| self.bet(settled)?.side_of(bets_of));
        let side = on.unwrap_or_else(|| side(role));
        TallyKey {
            player: Some(player),
            opponent: None,
            day: self.day,
            manner: Manner {
                kind: Kind::Chouette,
                variant: self.game.variant,
                began: self.began(side),
                role,
                result,
                ending,
                cube,
            },
        }
    }

    /// The game from the side that won it; if that is the team, from its captain.
    fn of_club(&self, changed_hands: HalfPoints) -> TallyKey {
        let (player, role) = match self.game.winner {
            Side::Box => (self.game.box_player, Role::Box),
            Side::Team => (self.game.captain, Role::Captain),
        };
        let result = if changed_hands == HalfPoints(0) { Outcome::Drawn } else { Outcome::Won };
        // Decided by the bet on which the box won or lost most.
        let of_box = if role == Role::Box { Outcome::Won } else { Outcome::Lost };
        let (ending, cube) = self.end_of(self.deciding(self.game.box_player, of_box, &self.game.results));
        let as_a_whole = self.as_a_whole(player, changed_hands);
        TallyKey {
            player: None,
            manner: Manner {
                role,
                result,
                ending,
                cube,
                began: self.began(self.game.winner),
                ..as_a_whole.manner
            },
            ..as_a_whole
        }
    }

    fn role(&self, player: PlayerId) -> Role {
        if player == self.game.box_player {
            Role::Box
        } else if self.game.partners.contains(&player) {
            Role::Partner
        } else if player == self.game.captain {
            Role::Captain
        } else if self.game.bets().iter().any(|bet| bet.kind == BetKind::Member && bet.team_side == player) {
            Role::Crew
        } else {
            Role::Onlooker
        }
    }

    fn began(&self, own: Side) -> Began {
        match self.game.began {
            None => Began::Unknown,
            Some(side) if side == own => Began::OwnSide,
            Some(_) => Began::OtherSide,
        }
    }

    /// The bet that decides how a game ended for a player, and at which cube: the largest of those that went
    /// the way the game went for them. On a tie, a bet that was played to the end of the game; then the
    /// earliest.
    fn deciding<'b>(
        &self,
        player: PlayerId,
        result: Outcome,
        bets: &'b [SettledBet],
    ) -> Option<&'b SettledBet> {
        let of_cubes = |bet: &&SettledBet| matches!(bet.kind, BetKind::Member | BetKind::Extra);
        let goes_so = |bet: &SettledBet| match result {
            Outcome::Won => bet.winner == player,
            Outcome::Lost => bet.loser == player,
            Outcome::Drawn => true,
        };
        let mine = bets.iter().filter(of_cubes).filter(|bet| [bet.winner, bet.loser].contains(&player));
        let weight = |bet: &&SettledBet| {
            (goes_so(bet), bet.points, bet.by == SettledBy::Game, std::cmp::Reverse(bet.bet))
        };
        mine.max_by_key(weight)
    }

    fn end_of(&self, deciding: Option<&SettledBet>) -> (Ending, u32) {
        let Some(settled) = deciding else { return (Ending::Settlement, 0) };
        let ending = match settled.by {
            SettledBy::Game => self.game.win.map_or(Ending::Single, Ending::from),
            SettledBy::Drop => Ending::Drop,
            SettledBy::Settlement => Ending::Settlement,
        };
        (ending, self.bet(settled).map_or(0, |bet| bet.cube.value.get()))
    }

    fn bet(&self, settled: &SettledBet) -> Option<&Bet> {
        self.game.bets().iter().find(|bet| bet.id == settled.bet)
    }
}

const fn side(role: Role) -> Side {
    match role {
        Role::Box | Role::Partner => Side::Box,
        Role::Captain | Role::Crew | Role::Onlooker | Role::Opponent => Side::Team,
    }
}

const fn result(net: HalfPoints) -> Outcome {
    match net.0 {
        1.. => Outcome::Won,
        0 => Outcome::Drawn,
        _ => Outcome::Lost,
    }
}

/// A sheet, while its games are counted.
struct OfSheet {
    players: [PlayerId; 2],
    day: NaiveDate,
    kind: Kind,
    variant: Variant,
}

impl OfSheet {
    /// `None` for a sheet that is not open, and for one whose match is now played by others.
    fn new(sheet: &Sheet) -> Option<Self> {
        let (players, terms) = (sheet.players()?, sheet.terms().filter(|_| !sheet.is_detached())?);
        let kind = match terms {
            Terms::Money { .. } => Kind::MoneySession,
            Terms::Match { .. } if sheet.tournament_match().is_some() => Kind::Tournament,
            Terms::Match { .. } => Kind::Match,
        };
        let day = sheet.opened_at()?.utc().date_naive();
        Some(Self { players, day, kind, variant: terms.game().variant })
    }

    fn count(&self, tallies: &mut Tallies, entry: &Entry, times: i64) {
        let won = match &entry.what {
            LineContent::Won(won) => Some(won),
            LineContent::Drawn => None,
            LineContent::Void | LineContent::Penalty { .. } => return,
        };
        let points =
            won.filter(|_| self.kind == Kind::MoneySession).map_or(0, |won| 2 * i64::from(won.points));
        let [upper, lower] = self.players;
        for (slot, player, other) in [(Slot::Upper, upper, lower), (Slot::Lower, lower, upper)] {
            let tally = TallyKey { player: Some(player), ..self.tally(slot, won) };
            let points = HalfPoints(if tally.manner.result == Outcome::Lost { -points } else { points });
            for opponent in [None, Some(other)] {
                tallies.count(TallyKey { opponent, ..tally }, times, points);
            }
        }
        let of_winner = self.tally(won.map_or(Slot::Upper, |won| won.winner), won);
        tallies.count(of_winner, times, HalfPoints(points));
    }

    /// The tally of a game as seen from this slot.
    fn tally(&self, slot: Slot, won: Option<&Won>) -> TallyKey {
        let result = match won {
            None => Outcome::Drawn,
            Some(won) if won.winner == slot => Outcome::Won,
            Some(_) => Outcome::Lost,
        };
        let began = match won.and_then(|won| won.began) {
            None => Began::Unknown,
            Some(began) if began == slot => Began::OwnSide,
            Some(_) => Began::OtherSide,
        };
        TallyKey {
            player: None,
            opponent: None,
            day: self.day,
            manner: Manner {
                kind: self.kind,
                variant: self.variant,
                began,
                role: Role::Opponent,
                result,
                ending: won.map_or(Ending::Agreed, ending),
                cube: won.map_or(0, |won| won.cube.get()),
            },
        }
    }
}

fn ending(won: &Won) -> Ending {
    use owlbox_play::matches::GameEnding;
    match won.how {
        GameEnding::Dropped => Ending::Drop,
        GameEnding::Played | GameEnding::Resigned => Ending::from(won.win),
    }
}
