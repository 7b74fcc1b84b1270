//! The settings of the house rules, one type each. The first option is the default. Those about the box's
//! partner have a file of their own.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use owlbox_base::values::InvalidValue;
use owlbox_engine::game::ClosedOut;
use owlbox_engine::{Animals, Variant};

/// A setting with several options, each explained by a sentence.
pub trait Options: Copy + Default + Serialize + DeserializeOwned + 'static {
    /// What the setting is about: the documentation of its type.
    const ABOUT: &'static str;
    /// Every option with what it means, the default first.
    const OPTIONS: &'static [(Self, &'static str)];
}

/// Makes a setting: a closed enum of options, the first of them the default. Its documentation comments are
/// published as well: the API and the pages explain the setting with them.
macro_rules! setting {
    (
        $(#[doc = $about:literal])* $name:ident {
            $(#[doc = $first_about:literal])* $first:ident
            $(, $(#[doc = $option_about:literal])* $option:ident)* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(#[doc = $first_about])*
            #[default]
            $first,
            $($(#[doc = $option_about])* $option,)*
        }

        impl Options for $name {
            const ABOUT: &'static str = concat!($($about),*).trim_ascii();
            const OPTIONS: &'static [(Self, &'static str)] = &[
                (Self::$first, concat!($($first_about),*).trim_ascii()),
                $((Self::$option, concat!($($option_about),*).trim_ascii()),)*
            ];
        }
    };
}

mod partner;
pub use partner::*;

// The engine defines these two, because games without a chouette have them too.
impl Options for Variant {
    const ABOUT: &'static str = "Which game is played (V1 to V4).";
    const OPTIONS: &'static [(Self, &'static str)] = &[
        (Self::Standard, "Backgammon."),
        (Self::Nackgammon, "Nackgammon: two more checkers begin far back (V2)."),
        (Self::HyperBackgammon, "Hyper-backgammon: three checkers a side (V2)."),
        (Self::Misere, "The losing game: who has borne off everything has lost (V3)."),
        (Self::Inverse, "The inverse game: each side plays the numbers that the other rolls (V1)."),
        (Self::Plakoto, "Plakoto: a lone checker is pinned where it stands (V4)."),
        (Self::Fevga, "Fevga: both sides run the same way round, and one checker holds a point (V4)."),
    ];
}
impl Options for ClosedOut {
    const ABOUT: &'static str = "What a side does that is closed out (G16, G17).";
    const OPTIONS: &'static [(Self, &'static str)] = &[
        (Self::Passes, "Its turn passes without a roll."),
        (Self::Rolls, "It rolls, and confirms that it cannot enter."),
    ];
}
setting! {
    /// Whether a game may be played in another variant than the house's.
    OtherGames {
        /// No: every game is the house's.
        NotAllowed,
        /// Yes, in any variant that the other settings suit.
        Allowed,
    }
}

setting! {
    /// What decides the order (Q1). With dice the sum counts, doubles are nothing special, and only the tied
    /// roll again, for the places they tied for.
    OrderDice {
        /// Each player rolls one die.
        OneDie,
        /// Each player rolls two dice.
        TwoDice,
        /// Each player rolls four dice.
        FourDice,
        /// The service shuffles the players.
        Shuffle,
        /// Somebody enters the order by hand.
        ByHand,
    }
}

impl OrderDice {
    /// How many dice each player rolls; 0 where nobody does.
    #[must_use]
    pub const fn dice(self) -> usize {
        match self {
            Self::OneDie => 1,
            Self::TwoDice => 2,
            Self::FourDice => 4,
            Self::Shuffle | Self::ByHand => 0,
        }
    }
}

/// How the order is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct OrderRules {
    pub dice: OrderDice,
}

setting! {
    /// How many cubes there are.
    Cubes {
        /// Every member of the team has a cube of their own with the box (Q11).
        OnePerMember,
        /// One cube for the game: the captain doubles for the team, and each member answers alone (Q7).
        Single,
    }
}
setting! {
    /// What decides whether the box stays (Q12). With every option the box stays if everybody dropped, and
    /// the captain becomes box if the box dropped everybody.
    BoxRetention {
        /// The box's bet with the captain.
        OriginalCaptain,
        /// The box's bet with the last member still in.
        LastStanding,
        /// The box stays only if it beat everyone.
        BeatEveryone,
        /// The box stays only if it won more points in the game than it lost.
        Profit,
        /// The box stays unless it lost more points in the game than it won.
        ProfitOrEven,
        /// Los Angeles: the box stays only if its net is not a loss. Besides, it must have won a bet
        /// played to the end, made the last member in drop, or received a settlement.
        Composite,
    }
}
setting! {
    /// Whether captain and box both stand up when the captain has lost and then the box has lost the game, or
    /// the last of its bets. The captain goes to the end, the box behind, and the next two are box and
    /// captain. Extras between members do not count.
    DoubleStandUp {
        /// No: the box retention alone decides.
        Off,
        /// Yes, whatever the box retention says.
        On,
    }
}
setting! {
    /// Where a player who comes in sits (Q5).
    Newcomer {
        /// At the end of the line, behind those who just stood up.
        BehindLoser,
        /// Just ahead of those who stood up after the last game, even if others sit behind them by now.
        AheadOfLoser,
    }
}
setting! {
    /// What becomes of the captaincy when the captain drops (Q8).
    CaptainDrops {
        /// The next member still in acts as captain. For the rotation, line and captaincy stay as they were.
        Acting,
        /// The next member still in becomes captain, and the former captain goes to the end of the line at
        /// once.
        Becomes,
    }
}

/// A number of players: 3 to 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "schema", schema(value_type = u8, minimum = 3, maximum = 20, example = 6))]
pub struct PlayerCount(u8);

impl PlayerCount {
    pub const MIN: u8 = 3;
    pub const MAX: u8 = 20;

    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}
impl TryFrom<u8> for PlayerCount {
    type Error = InvalidValue;
    fn try_from(players: u8) -> Result<Self, InvalidValue> {
        if (Self::MIN..=Self::MAX).contains(&players) {
            Ok(Self(players))
        } else {
            Err(InvalidValue { what: "number of players", allowed: "3 to 20" })
        }
    }
}
impl From<PlayerCount> for u8 {
    fn from(count: PlayerCount) -> Self {
        count.0
    }
}

setting! {
    /// When the team may talk (Q6). A player who has dropped, or who gives an extra, is silent. An automatic
    /// double turns no cube.
    Consultation {
        /// Once any cube has been turned.
        AfterAnyCube,
        /// Each member once their own cube has been turned.
        AfterOwnCube,
        /// The team may always talk.
        Free,
        /// The team may never talk.
        None,
    }
}
setting! {
    /// In what order the team answers a double of the box.
    DecisionOrder {
        /// The captain first, then down the line.
        CaptainFirst,
        /// The last in line first, then up to the captain.
        LastFirst,
        /// The lowest score of the night first; of equal scores, the first in line.
        LowestScoreFirst,
        /// All at once: answers stay hidden until all are in.
        AllAtOnce,
        /// In any order, as the answers come.
        AnyOrder,
    }
}
setting! {
    /// Whether the box must treat cubes alike when it doubles or answers only some of them.
    BoxRestraint {
        /// No: each cube is decided by itself.
        None,
        /// All cubes of equal value must be treated alike.
        SameValueSameAction,
        /// The first time the box doubles or answers, all centred cubes or none.
        FirstAllOrNone,
        /// If it doubles or takes any, at least half of those in question, rounded up.
        AtLeastHalf,
        /// If it takes only some, winning those must at least make up for losing the dropped ones; and the
        /// captain's must be among those it doubles or takes.
        BreakEvenWithCaptain,
        /// If it doubles or takes any, the captain's must be among them.
        Captains,
    }
}
setting! {
    /// Whether members may still double in a turn after the box has answered a member's double.
    LateDoubles {
        /// No: the box's answer ends the doubling.
        Closed,
        /// Yes, until the dice are rolled.
        Open,
    }
}
// The engine defines this one, because games without a chouette have it too.
impl Options for Animals {
    const ABOUT: &'static str = "How far a double may be redoubled at once, by the side that is offered it, \
                                 which keeps the cube (C7, C8).";
    const OPTIONS: &'static [(Self, &'static str)] = &[
        (Self::None, "Not at all."),
        (Self::Beaver, "By a beaver. Who drops it loses the doubled stake."),
        (Self::Raccoon, "By a beaver, and that by a raccoon."),
        (Self::Otter, "By a beaver, a raccoon and an otter."),
        (Self::Any, "Again and again, as long as the cube goes."),
    ];
}
setting! {
    /// Whether a gammon needs a turned cube to count (C9).
    Jacoby {
        /// Yes, cube by cube: gammon and backgammon count in a bet only if its cube was turned and taken.
        On,
        /// No: gammon and backgammon always count.
        Off,
    }
}
setting! {
    /// What a member who alone takes the box's double may or must do, all others having dropped it.
    LoneTaker {
        /// There is no rule about lone takers.
        Nothing,
        /// The lone taker must drop too (Q9).
        MustDrop,
        /// The lone taker must beaver or drop.
        MustBeaverOrDrop,
        /// After the box's first double: each player who dropped may, in line order, pay the taker the
        /// stake before the double. They then play a cube at its new value against the taker, who owns
        /// it. The taker must accept (Q10).
        Extras,
        /// As `extras`, but once all have been asked the taker may still drop the box's cube instead.
        ExtrasOrDrop,
        /// As `must_drop` from as many players on as `lone_taker.from` says (Q9); with fewer, as `extras`
        /// (Q10).
        MustDropOrExtras,
    }
}
setting! {
    /// Who may give an extra.
    ExtrasFrom {
        /// Members who dropped the box's double.
        Members,
        /// They, and after them anybody at the table who is not in the game.
        Onlookers,
    }
}

/// Rules about the lone taker of the box's double (Q9, Q10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct LoneTakerRules {
    /// What the lone taker may or must do.
    pub rule: LoneTaker,
    /// From how many players on `must_drop` holds, alone or in `must_drop_or_extras`; box and partners count.
    pub from: PlayerCount,
    pub extras_from: ExtrasFrom,
}

impl Default for LoneTakerRules {
    fn default() -> Self {
        Self { rule: LoneTaker::default(), from: PlayerCount(5), extras_from: ExtrasFrom::default() }
    }
}

impl LoneTakerRules {
    /// The rule among this many players, as one of the options that do not depend on the number.
    #[must_use]
    pub fn among(&self, players: usize) -> LoneTaker {
        let so_many = players >= self.from.get();
        match self.rule {
            LoneTaker::MustDrop if !so_many => LoneTaker::Nothing,
            LoneTaker::MustDropOrExtras if so_many => LoneTaker::MustDrop,
            LoneTaker::MustDropOrExtras => LoneTaker::Extras,
            rule @ (LoneTaker::Nothing
            | LoneTaker::MustDrop
            | LoneTaker::MustBeaverOrDrop
            | LoneTaker::Extras
            | LoneTaker::ExtrasOrDrop) => rule,
        }
    }
}

setting! {
    /// Whether members who take the box's double move up into the places of those who drop it, in the order
    /// in which they sat (Q7).
    TakersMoveUp {
        /// Only for this game, among those still in. The line stays as it was.
        ThisGame,
        /// For good: in the line too.
        Line,
    }
}

setting! {
    /// Whether automatic doubles after the first of a game are the box's choice.
    LaterAutomatics {
        /// No: they count without exception.
        Compulsory,
        /// Yes: from the second on the box may decline one, even one that would be carried over.
        BoxChooses,
    }
}

/// Automatic doubles (C6): a tie of the opening roll doubles every centred cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Automatics {
    /// The most automatic doubles in a game; `null` for no limit.
    pub at_most: Option<u8>,
    /// Whether those after the first are compulsory.
    pub later: LaterAutomatics,
    /// Whether ties that double nothing, by limit or cap, double the cubes of the next game, up to its limit.
    pub carry_over: bool,
}

impl Default for Automatics {
    fn default() -> Self {
        Self { at_most: Some(1), later: LaterAutomatics::default(), carry_over: false }
    }
}

setting! {
    /// Whether bets may be settled by agreement, which includes settling for nothing.
    Settlements {
        /// Yes, in half points. The stake must then be even in minor units.
        Halves,
        /// Yes, but only in whole points.
        WholePoints,
        /// No: bets end by a drop or with the game.
        Forbidden,
    }
}
setting! {
    /// Who plays for how much.
    Stakes {
        /// All players for the same stake.
        OneForAll,
        /// Each player for their own number of the table's stakes a point; each pair plays for the lower of
        /// the two.
        LowerOfTwo,
        /// All for the same stake, but a member's cube starts at 2 or 4 if the box agrees. It has to agree
        /// anew when somebody else becomes box.
        OwnStart,
    }
}
setting! {
    /// What becomes of the bets of a player who leaves during a game.
    LeavingMidGame {
        /// A named proxy decides the player's cubes.
        Proxy,
        /// A member's cube follows the captain's; the box names a proxy.
        WithCaptain,
        /// They must be settled before the player leaves.
        Settle,
        /// Nobody leaves before their bets are over.
        NotAllowed,
    }
}
setting! {
    /// What becomes of the place of a player on a break.
    BreakPlace {
        /// The place is kept for them.
        Kept,
        /// They come back in like a newcomer.
        EndOfLine,
    }
}

/// Leaving during a game, and breaks (Q5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = LeavingRules))]
pub struct Leaving {
    /// What becomes of the bets of a player who leaves during a game.
    pub mid_game: LeavingMidGame,
    /// What becomes of the place of a player on a break.
    pub on_break: BreakPlace,
}

setting! {
    /// Whether a captain who has won the box may decline it.
    Declining {
        /// No: the captain becomes box.
        NotAllowed,
        /// Yes, before the next game: the next in line takes the box, and the one after is captain. The
        /// captain who declined goes to the end of the line with those who stood up.
        Allowed,
    }
}
setting! {
    /// Who leaves a table that has to be split.
    SplitFrom {
        /// The newcomer and the last in line.
        NewcomerAndLast,
        /// The last players in line.
        Bottom,
    }
}

/// How many can play at the table: 3 to 20, by default 12. If more come, it is split after the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TableSize {
    /// How many can play at the table; if more come, it is split after the game.
    pub at_most: PlayerCount,
    /// Who leaves if more come.
    pub split: SplitFrom,
}

impl Default for TableSize {
    fn default() -> Self {
        Self { at_most: PlayerCount(12), split: SplitFrom::default() }
    }
}

setting! {
    /// What happens when only two are left.
    HeadsUp {
        /// They go on as box and captain.
        GoOn,
        /// The chouette pauses until a third comes.
        Pause,
    }
}
