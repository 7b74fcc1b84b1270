//! The events of a chouette in words. The same sentence stands on the button, in the log, and on the undo
//! that takes it back.

use super::words::{self, Kind};
use owlbox_base::values::HalfPoints;
use owlbox_engine::game::Event as BoardEvent;
use owlbox_engine::{Colour, CubeValue, Roll, Steps, Variant, Win};
use owlbox_locale::Locale;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    Box,
    /// All players against the box, where no single one is meant.
    Team,
    Player(String),
}

impl Who {
    pub(super) fn name(&self, t: &Locale) -> String {
        match self {
            Self::Box => t.get("the-box"),
            Self::Team => t.get("the-team"),
            Self::Player(name) => name.clone(),
        }
    }
}

/// Who decides the cubes of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decides {
    /// The player has no bet in this game, so there is nothing to decide.
    Nobody,
    Oneself,
    Player(String),
    /// Their cube does what the captain's does.
    Captain,
}

/// The effect of a tie of the opening roll (C6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The cubes now stand at this value.
    Doubled(u32),
    Declined,
    /// No effect: enough ties have doubled already, or the cubes can go no higher.
    BeyondLimit,
    /// It doubles the cubes of the next game.
    CarriedOver,
}

/// What the rules allow or demand of a player who took alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoneRule {
    /// They have to drop like everybody else (Q9).
    MustDrop,
    /// They beaver, or drop after all.
    MustBeaverOrDrop,
    /// These players are asked for extras (Q10).
    Extras(Vec<String>),
}

/// An event on the board of a refereed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnBoard {
    /// Both dice of the opening roll showed this number.
    Tied(u8),
    /// The opening roll was won.
    Opens(Roll),
    Cocked,
    Rolls(Roll),
    /// A roll before the other side had lifted its dice.
    RollsEarly(Roll),
    Plays(Roll, Steps),
    Passes,
    /// The dice were lifted after an illegal play (I2).
    LeavesBoard,
    /// The board stands as it was left.
    AcceptsPlay,
    /// The illegal play was sent back.
    SendsBack,
    /// The game is resigned at this value.
    Resigns(Win),
    /// The other side's resignation is accepted.
    AcceptsResignation,
    RejectsResignation,
    /// The cube is offered at this value.
    Doubles(CubeValue),
    /// It is offered back at this value.
    Beavers(CubeValue),
    /// It is taken at this value.
    Takes(CubeValue),
    Drops,
    /// Both mothers are pinned, so the game starts again (V4).
    Anew,
    /// The end of the game. Other events of the chouette describe the result.
    Else,
}

impl OnBoard {
    /// The side that acted, and what it did. Events that concern both sides count as White's.
    pub(super) const fn new(event: &BoardEvent) -> (Colour, Self) {
        match event {
            BoardEvent::OpeningTied { die, .. } => (Colour::White, Self::Tied(die.pips())),
            BoardEvent::Opened { side, white, black, .. } => (*side, Self::Opens(Roll::new(*white, *black))),
            BoardEvent::DiceCocked { side } => (*side, Self::Cocked),
            BoardEvent::Rolled { side, roll, .. } => (*side, Self::Rolls(*roll)),
            BoardEvent::RolledEarly { side, roll, .. } => (*side, Self::RollsEarly(*roll)),
            BoardEvent::Played { side, roll, steps, .. } => (*side, Self::Plays(*roll, *steps)),
            BoardEvent::Passed { side, .. } => (*side, Self::Passes),
            BoardEvent::BoardLeft { side, .. } => (*side, Self::LeavesBoard),
            BoardEvent::PlayAccepted { side } => (*side, Self::AcceptsPlay),
            BoardEvent::PlaySentBack { side, .. } => (*side, Self::SendsBack),
            BoardEvent::Resigned { side, win } => (*side, Self::Resigns(*win)),
            BoardEvent::ResignationAccepted { side } => (*side, Self::AcceptsResignation),
            BoardEvent::ResignationRejected { side } => (*side, Self::RejectsResignation),
            BoardEvent::Doubled { side, to, .. } => (*side, Self::Doubles(*to)),
            BoardEvent::Beavered { side, to, .. } => (*side, Self::Beavers(*to)),
            BoardEvent::Taken { side, value, .. } => (*side, Self::Takes(*value)),
            BoardEvent::Dropped { side } => (*side, Self::Drops),
            BoardEvent::Tied {} => (Colour::White, Self::Anew),
            BoardEvent::Finished { .. } => (Colour::White, Self::Else),
        }
    }

    /// The event as a sentence about `who`.
    pub(super) fn text(&self, t: &Locale, who: &str) -> String {
        let turned = |key: &str, to: CubeValue| t.fill(key, &[("who", &who), ("to", &to.get())]);
        let rolled = |key: &str, roll: &Roll| t.fill(key, &[("who", &who), ("roll", roll)]);
        match self {
            Self::Tied(die) => t.with("say-board-tied", "die", die),
            Self::Opens(roll) => rolled("say-board-opens", roll),
            Self::Cocked => t.with("say-board-cocked", "who", who),
            Self::Rolls(roll) => rolled("say-board-rolls", roll),
            Self::RollsEarly(roll) => rolled("say-board-rolls-early", roll),
            Self::Plays(roll, steps) => t.labelled(rolled("say-board-plays", roll), written(t, *steps)),
            Self::Passes => t.with("say-board-passes", "who", who),
            Self::LeavesBoard => t.with("say-board-leaves", "who", who),
            Self::AcceptsPlay => t.with("say-board-accepts-play", "who", who),
            Self::SendsBack => t.with("say-board-sends-back", "who", who),
            Self::Resigns(win) => {
                let kind = Kind::from(*win).text(t);
                t.fill("say-board-resigns", &[("who", &who), ("kind", &kind)])
            }
            Self::AcceptsResignation => t.with("say-board-accepts", "who", who),
            Self::RejectsResignation => t.with("say-board-rejects", "who", who),
            Self::Doubles(to) => turned("say-board-doubles", *to),
            Self::Beavers(to) => turned("say-board-beavers", *to),
            Self::Takes(to) => turned("say-board-takes", *to),
            Self::Drops => t.with("say-board-drops", "who", who),
            Self::Anew => t.get("say-board-anew"),
            Self::Else => t.get("say-board-else"),
        }
    }
}

/// An act or event of a chouette, with the names and numbers its sentence needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogMessage {
    Opened,
    /// The house rules changed: the settings in question, each in words.
    RulesChanged(Vec<String>),
    Joins(String),
    /// A player without a bet leaves.
    Leaves(String),
    /// A player leaves, and who decides for them.
    LeavesTo(String, Decides),
    /// A player takes a break, and who decides for them.
    TakesBreak(String, Decides),
    Returns(String),
    /// Who decides for a player from now on.
    Decides(String, Decides),
    /// The first was a duplicate of the second.
    Merged(String, String),
    /// A player plays for a multiple of the table's stakes.
    Stake(String, u16),
    Start(String, u32),
    /// The service rolls for the order.
    DrawsOrder,
    /// Rolls for the order that left some players tied.
    Rolled(Vec<(String, u8)>),
    /// The order, first to last.
    Order(Vec<String>),
    /// The partnership with the box is offered to these players, in this order.
    Partnership(Vec<String>),
    DeclinesPartnership(String),
    /// A player is the box's partner. `true` if they were drawn by lot.
    Partner(String, bool),
    DeclinesBox(String),
    GameStarts {
        game: usize,
        /// Whether the service keeps the board.
        refereed: bool,
        /// The variant. Only mentioned if it is not backgammon.
        variant: Variant,
    },
    Tied(Tie),
    /// A double, or a redouble (C2).
    Doubles {
        who: Who,
        /// The opponents. Empty means everybody if the box doubles, else the box.
        whom: Vec<String>,
        to: u32,
        /// Whether the cube had been turned before.
        again: bool,
    },
    /// The captain doubles for the team, where the team has one cube (Q7).
    DoublesForTeam {
        who: String,
        to: u32,
        /// Whether the cube had been turned before.
        again: bool,
    },
    /// A double is redoubled at once (C7, C8).
    Beavers {
        who: Who,
        /// The opponents, where they are not obvious.
        whom: Vec<String>,
        to: u32,
        /// 1 a beaver, 2 a raccoon, 3 an otter, and so on.
        number: u8,
    },
    /// A player has answered, and the answer is still secret.
    Answered(String),
    /// An offered cube is taken (C4).
    Takes {
        who: Who,
        /// The members whose doubles the box takes.
        from: Vec<String>,
        to: u32,
    },
    /// An offered cube is dropped (C3).
    Drops {
        who: Who,
        /// The members whose doubles the box drops.
        from: Vec<String>,
        /// The total loss, without a sign; `None` if the reader may not see points.
        loses: Option<HalfPoints>,
    },
    /// Every member of the team doubles.
    EverybodyDoubles,
    /// These players double, at one tap.
    TheyDouble(Vec<String>),
    /// These players give the same answer, at one tap.
    TheyAnswer {
        who: Vec<String>,
        /// `true` for a take, `false` for a drop.
        take: bool,
    },
    /// Everybody who still has to answer gives the same answer.
    Everybody {
        /// `true` for takes, `false` for drops.
        takes: bool,
    },
    /// The captain from now on (Q8).
    Captain(String),
    /// The takers of the box's double moved up: the members in their new order (Q7).
    TakersMoveUp(Vec<String>),
    TookAlone(String, LoneRule),
    /// A player offers the lone taker an extra.
    OffersExtra(String),
    PassesExtra(String),
    /// The lone taker gets extras (Q10).
    Extras {
        taker: String,
        from: Vec<String>,
        to: u32,
        /// The total that the givers pay; `None` if the reader may not see points.
        pays: Option<HalfPoints>,
        /// Whether the lone taker chose them, where the rules let them drop instead.
        taken: bool,
    },
    PlaysOn,
    /// Bets settled by agreement: who is paid, by whom, how much if the reader may see it.
    Settles(Vec<(String, String, Option<HalfPoints>)>),
    /// An event on the board.
    Board(Who, OnBoard),
    GameOver {
        box_wins: bool,
        kind: Kind,
    },
    /// The game is over because every bet was settled by drops or agreement.
    AllSettled,
    /// Names and points of everybody in a finished game, with signs.
    Results(Vec<(String, String)>),
    /// A partner's share of the box's result, with its sign.
    Share(String, String),
    Seats {
        box_player: String,
        captain: String,
    },
    /// The partners of the box from now on.
    Partners(Vec<String>),
    /// A game was corrected: its number, and whose score changed by how much.
    Corrected(u32, Vec<(String, String)>),
    Pays(String, String, String),
    /// These players leave for a table of their own.
    Split(Vec<String>),
    /// Everybody moves to another table.
    GoesOver,
    /// The button that closes the night at this table.
    Closes,
    Closed,
    Together(Vec<LogMessage>),
    Undone(Box<LogMessage>),
    /// An undone act was put back.
    Redone(Box<LogMessage>),
    /// This many acts were undone at once.
    UndoneSeveral(usize),
    /// This many acts were put back at once.
    RedoneSeveral(usize),
    /// The last act that an undo or redo of several reached.
    AsFarAs(Box<LogMessage>),
}

impl LogMessage {
    /// The message as a sentence; every kind has one.
    #[must_use]
    pub fn text(&self, t: &Locale) -> String {
        match self {
            Self::Opened => t.get("say-opened"),
            Self::RulesChanged(settings) if settings.is_empty() => t.get("say-rules-changed"),
            Self::RulesChanged(settings) => {
                t.with("say-rules-changed-these", "settings", settings.join(" · "))
            }
            Self::Joins(name) => t.with("say-joins", "name", name),
            Self::Leaves(name) | Self::LeavesTo(name, Decides::Nobody | Decides::Oneself) => {
                t.with("say-leaves", "name", name)
            }
            Self::LeavesTo(name, decides) => {
                format!("{} · {}", t.with("say-leaves", "name", name), deciding(t, name, decides))
            }
            Self::TakesBreak(name, Decides::Nobody | Decides::Oneself) => {
                t.with("say-takes-break", "name", name)
            }
            Self::TakesBreak(name, decides) => {
                format!("{} · {}", t.with("say-takes-break", "name", name), deciding(t, name, decides))
            }
            Self::Returns(name) => t.with("say-returns", "name", name),
            Self::Decides(name, decides) => deciding(t, name, decides),
            Self::Merged(duplicate, name) => {
                t.fill("say-merged", &[("duplicate", duplicate), ("name", name)])
            }
            Self::Stake(name, units) => t.fill("say-stake", &[("name", name), ("units", units)]),
            Self::Start(name, value) => t.fill("say-start", &[("name", name), ("value", value)]),
            Self::Split(names) => t.with("say-split", "names", t.list(names)),
            Self::GoesOver => t.get("say-goes-over"),
            Self::Closes => t.get("say-closes"),
            Self::Closed => t.get("say-closed"),

            Self::DrawsOrder => t.get("say-draws-order"),
            Self::Rolled(rolls) => {
                let rolls: Vec<String> = rolls.iter().map(|(name, die)| format!("{name} {die}")).collect();
                t.with("say-rolled", "rolls", rolls.join(" · "))
            }
            Self::Order(names) => t.with("say-order", "names", names.join(" · ")),
            Self::Partnership(names) => t.with("say-partnership", "names", names.join(" · ")),
            Self::DeclinesPartnership(name) => t.with("say-declines-partnership", "name", name),
            Self::Partner(name, false) => t.with("say-partner", "name", name),
            Self::Partner(name, true) => t.with("say-partner-drawn", "name", name),
            Self::DeclinesBox(name) => t.with("say-declines-box", "name", name),
            Self::Seats { box_player, captain } => {
                t.fill("say-seats", &[("box", box_player), ("captain", captain)])
            }
            Self::Partners(names) => t.with("say-partners", "names", t.list(names)),
            Self::Captain(name) => t.with("captain-is", "name", name),
            Self::TakersMoveUp(members) => t.with("say-takers-move-up", "names", members.join(" · ")),

            Self::GameStarts { game, refereed, variant } => {
                let key = if *refereed { "say-game-starts-on-board" } else { "say-game-starts" };
                let starts = t.with(key, "game", game);
                if *variant == Variant::Standard {
                    starts
                } else {
                    t.fill("say-game-of", &[("said", &starts), ("variant", &words::variant(t, *variant))])
                }
            }
            Self::Tied(Tie::Doubled(to)) => t.with("say-tie-doubles", "to", to),
            Self::Tied(Tie::Declined) => t.get("say-tie-declined"),
            Self::Tied(Tie::BeyondLimit) => t.get("say-tie-nothing"),
            Self::Tied(Tie::CarriedOver) => t.get("say-tie-carried"),
            Self::Doubles { who, whom, to, again } => doubling(t, who, whom, *to, *again),
            Self::DoublesForTeam { who, to, again: false } => {
                t.fill("say-doubles-for-team", &[("who", who), ("to", to)])
            }
            Self::DoublesForTeam { who, to, again: true } => {
                t.fill("say-redoubles-for-team", &[("who", who), ("to", to)])
            }
            Self::Beavers { who, whom, to, number } => beavering(t, who, whom, *to, *number),
            Self::Answered(name) => t.with("say-answered", "name", name),
            Self::Takes { who, from, to } if !from.is_empty() => {
                t.fill("say-takes-from", &[("who", &who.name(t)), ("from", &t.list(from)), ("to", to)])
            }
            Self::Takes { who, to, .. } => t.fill("say-takes", &[("who", &who.name(t)), ("to", to)]),
            Self::Drops { who, from, loses } => drops(t, who, from, *loses),
            Self::EverybodyDoubles => t.get("say-everybody-doubles"),
            Self::TheyDouble(who) => t.with("say-they-double", "who", t.list(who)),
            Self::TheyAnswer { who, take: true } => t.with("say-they-take", "who", t.list(who)),
            Self::TheyAnswer { who, take: false } => t.with("say-they-drop", "who", t.list(who)),
            Self::Everybody { takes: true } => t.get("say-everybody-takes"),
            Self::Everybody { takes: false } => t.get("say-everybody-drops"),
            Self::PlaysOn => t.get("say-plays-on"),
            Self::Board(who, what) => what.text(t, &who.name(t)),

            Self::TookAlone(name, LoneRule::MustDrop) => t.with("say-alone-must-drop", "name", name),
            Self::TookAlone(name, LoneRule::MustBeaverOrDrop) => {
                t.with("say-alone-must-beaver", "name", name)
            }
            Self::TookAlone(name, LoneRule::Extras(asked)) => {
                t.fill("say-alone-extras", &[("name", name), ("asked", &asked.join(" · "))])
            }
            Self::OffersExtra(name) => t.with("say-offers-extra", "name", name),
            Self::PassesExtra(name) => t.with("say-passes-extra", "name", name),
            Self::Extras { taker, from, to, pays: Some(pays), taken } => t.fill(
                if *taken { "say-takes-extras" } else { "say-extras" },
                &[("taker", taker), ("from", &t.list(from)), ("to", to), ("pays", &t.how_many(*pays))],
            ),
            Self::Extras { taker, from, to, pays: None, taken } => t.fill(
                if *taken { "say-takes-extras-alone" } else { "say-extras-alone" },
                &[("taker", taker), ("from", &t.list(from)), ("to", to)],
            ),

            Self::Settles(bets) => {
                let bet = |(payee, payer, points): &(String, String, Option<HalfPoints>)| match points {
                    Some(points) => {
                        let points = t.how_many(*points);
                        t.fill("say-settles", &[("payee", payee), ("payer", payer), ("points", &points)])
                    }
                    None => t.fill("say-settles-alone", &[("one", payee), ("other", payer)]),
                };
                bets.iter().map(bet).collect::<Vec<String>>().join(" · ")
            }
            Self::GameOver { box_wins, kind } => game_over(t, *box_wins, *kind),
            Self::AllSettled => t.get("say-all-settled"),
            Self::Results(results) => score_changes(results),
            Self::Share(name, share) => t.fill("say-share", &[("name", name), ("share", share)]),
            Self::Corrected(game, changes) if changes.is_empty() => {
                t.with("say-corrected-alone", "game", game)
            }
            Self::Corrected(game, changes) => {
                t.fill("say-corrected", &[("game", game), ("changes", &score_changes(changes))])
            }
            Self::Pays(payer, payee, amount) => {
                t.fill("say-pays", &[("payer", payer), ("payee", payee), ("amount", amount)])
            }
            Self::Together(messages) => {
                messages.iter().map(|message| message.text(t)).collect::<Vec<String>>().join(" · ")
            }
            Self::Undone(what) => t.with("say-undone", "what", what.text(t)),
            Self::Redone(what) => t.with("say-redone", "what", what.text(t)),
            Self::UndoneSeveral(acts) => t.count("say-undone-several", acts),
            Self::RedoneSeveral(acts) => t.count("say-redone-several", acts),
            Self::AsFarAs(what) => t.with("say-as-far-as", "what", what.text(t)),
        }
    }
}

/// A drop, with what it costs if the reader may see points.
fn drops(t: &Locale, who: &Who, from: &[String], loses: Option<HalfPoints>) -> String {
    let (who, to, loses) = (who.name(t), t.list(from), loses.map(|loses| t.how_many(loses)));
    match (from, loses) {
        ([], Some(loses)) => t.fill("say-drops", &[("who", &who), ("loses", &loses)]),
        ([], None) => t.with("say-drops-alone", "who", who),
        (_, Some(loses)) => t.fill("say-drops-to", &[("who", &who), ("from", &to), ("loses", &loses)]),
        (_, None) => t.fill("say-drops-to-alone", &[("who", &who), ("from", &to)]),
    }
}

/// `Ada +3 · Bob -3`.
fn score_changes(changes: &[(String, String)]) -> String {
    changes.iter().map(|(name, change)| format!("{name} {change}")).collect::<Vec<String>>().join(" · ")
}

fn deciding(t: &Locale, name: &str, decides: &Decides) -> String {
    match decides {
        Decides::Nobody | Decides::Oneself => t.with("say-decides-alone-again", "name", name),
        Decides::Player(proxy) => t.fill("say-decides", &[("name", &name), ("proxy", proxy)]),
        Decides::Captain => t.with("say-follows-captain", "name", name),
    }
}

fn doubling(t: &Locale, who: &Who, whom: &[String], to: u32, again: bool) -> String {
    let name = who.name(t);
    let key = match (who, whom, again) {
        (Who::Box, [], _) => "say-doubles-everybody",
        (_, [], false) => "say-doubles",
        (_, [], true) => "say-redoubles",
        (_, _, false) => "say-doubles-whom",
        (_, _, true) => "say-redoubles-whom",
    };
    if whom.is_empty() {
        return t.fill(key, &[("who", &name), ("to", &to)]);
    }
    t.fill(key, &[("who", &name), ("whom", &t.list(whom)), ("to", &to)])
}

/// The last part of the text keys of an animal: the first three have names, the others share one.
pub(super) const fn animal(number: u8) -> &'static str {
    match number {
        0 | 1 => "beaver",
        2 => "raccoon",
        3 => "otter",
        _ => "more",
    }
}

fn beavering(t: &Locale, who: &Who, whom: &[String], to: u32, number: u8) -> String {
    let (name, animal) = (who.name(t), animal(number));
    if whom.is_empty() {
        return t.fill("say-beavers", &[("animal", &animal), ("who", &name), ("to", &to)]);
    }
    let whom = t.list(whom);
    t.fill("say-beavers-whom", &[("animal", &animal), ("who", &name), ("whom", &whom), ("to", &to)])
}

fn game_over(t: &Locale, box_wins: bool, kind: Kind) -> String {
    t.get(match (box_wins, kind) {
        (true, Kind::Single) => "say-box-wins-single",
        (true, Kind::Gammon) => "say-box-wins-gammon",
        (true, Kind::Backgammon) => "say-box-wins-backgammon",
        (false, Kind::Single) => "say-team-wins-single",
        (false, Kind::Gammon) => "say-team-wins-gammon",
        (false, Kind::Backgammon) => "say-team-wins-backgammon",
    })
}

/// A play as players write it: `bar/22 13/7 6/off`.
fn written(t: &Locale, steps: Steps) -> String {
    let place = |place: u8| match place {
        0 => t.get("off"),
        25 => t.get("bar"),
        point => point.to_string(),
    };
    let steps = steps.iter().map(|step| format!("{}/{}", place(step.from()), place(step.to())));
    steps.collect::<Vec<String>>().join(" ")
}
