//! What happens at a chouette, in words: the same sentence on the button that does it, in the log
//! that keeps it and on the undo that takes it back.

use crate::engine::Win;
use crate::values::HalfPoints;
use crate::web::locale::Locale;

/// Who acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// Whoever is box.
    Box,
    /// A player by name.
    Player(String),
}

impl Who {
    fn name(&self, t: &Locale) -> String {
        match self {
            Self::Box => t.get("the-box"),
            Self::Player(name) => name.clone(),
        }
    }
}

/// How a game is won (G14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Once the cube.
    Single,
    /// Twice.
    Gammon,
    /// Three times.
    Backgammon,
}

impl Kind {
    /// Every kind, cheapest first.
    pub const ALL: [Self; 3] = [Self::Single, Self::Gammon, Self::Backgammon];

    /// As addresses and commands write it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Gammon => "gammon",
            Self::Backgammon => "backgammon",
        }
    }

    /// In words.
    #[must_use]
    pub fn text(self, t: &Locale) -> String {
        t.get(match self {
            Self::Single => "kind-single",
            Self::Gammon => "kind-gammon",
            Self::Backgammon => "kind-backgammon",
        })
    }
}

impl From<Win> for Kind {
    fn from(win: Win) -> Self {
        match win {
            Win::Single => Self::Single,
            Win::Gammon => Self::Gammon,
            Win::Backgammon => Self::Backgammon,
        }
    }
}

/// One thing that is done or was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saying {
    /// The table was opened.
    Opened,
    /// Somebody joins.
    Joins(String),
    /// Somebody leaves.
    Leaves(String),
    /// Somebody comes back.
    Returns(String),
    /// The service rolls for the order.
    DrawsOrder,
    /// Dice for the order that left some tied.
    Rolled(Vec<(String, u8)>),
    /// The order, first to last.
    Order(Vec<String>),
    /// Game number so and so starts.
    GameStarts(usize),
    /// A double (C2); `again` if the cube was turned before.
    Doubles {
        /// Who doubles.
        who: Who,
        /// Whom: no names mean everybody, or the box.
        whom: Vec<String>,
        /// To what.
        to: u32,
        /// Whether it is a redouble.
        again: bool,
    },
    /// Who was offered a cube takes it (C4).
    Takes {
        /// Who takes.
        who: Who,
        /// From which members, where the box takes.
        from: Vec<String>,
        /// The cube taken.
        to: u32,
    },
    /// Who was offered a cube drops it (C3).
    Drops {
        /// Who drops.
        who: Who,
        /// To which members, where the box drops.
        from: Vec<String>,
        /// What it costs in all, without a sign.
        loses: HalfPoints,
    },
    /// The game ends.
    GameOver {
        /// Whether the box won.
        box_wins: bool,
        /// How.
        kind: Kind,
    },
    /// Every bet of the game was settled by drops.
    AllSettled,
    /// Who sits where now.
    Seats {
        /// The box.
        box_player: String,
        /// The captain.
        captain: String,
    },
    /// The night at this table is closed.
    Closes,
    /// A closed table is opened again.
    Reopens,
    /// Something was taken back.
    Undone(Box<Saying>),
    /// Something taken back was put back.
    Redone(Box<Saying>),
    /// Something else.
    Other(&'static str),
    /// So many acts were taken back at once.
    UndoneSeveral(usize),
    /// So many acts were put back at once.
    RedoneSeveral(usize),
    /// How far several were taken back, or put back.
    AsFarAs(Box<Saying>),
}

impl Saying {
    /// The sentence.
    #[must_use]
    pub fn text(&self, t: &Locale) -> String {
        match self {
            Self::Opened => t.get("say-opened"),
            Self::Joins(name) => t.with("say-joins", "name", name),
            Self::Leaves(name) => t.with("say-leaves", "name", name),
            Self::Returns(name) => t.with("say-returns", "name", name),
            Self::DrawsOrder => t.get("say-draws-order"),
            Self::Rolled(rolls) => {
                let rolls: Vec<String> = rolls.iter().map(|(name, die)| format!("{name} {die}")).collect();
                t.with("say-rolled", "rolls", rolls.join(" · "))
            }
            Self::Order(names) => t.with("say-order", "names", names.join(" · ")),
            Self::GameStarts(game) => t.with("say-game-starts", "game", game),
            Self::Doubles { who, whom, to, again } => Self::doubles(t, who, whom, *to, *again),
            Self::Takes { who: Who::Box, from, to } if !from.is_empty() => {
                t.fill("say-box-takes", &[("from", &t.list(from)), ("to", to)])
            }
            Self::Takes { who, to, .. } => t.fill("say-takes", &[("who", &who.name(t)), ("to", to)]),
            Self::Drops { who: Who::Box, from, loses } if !from.is_empty() => {
                t.fill("say-box-drops", &[("from", &t.list(from)), ("loses", &t.how_many(*loses))])
            }
            Self::Drops { who, loses, .. } => {
                t.fill("say-drops", &[("who", &who.name(t)), ("loses", &t.how_many(*loses))])
            }
            Self::GameOver { box_wins, kind } => Self::game_over(t, *box_wins, *kind),
            Self::AllSettled => t.get("say-all-settled"),
            Self::Seats { box_player, captain } => {
                t.fill("say-seats", &[("box", box_player), ("captain", captain)])
            }
            Self::Closes => t.get("say-closes"),
            Self::Other(kind) => (*kind).to_owned(),
            Self::Reopens => t.get("say-reopens"),
            Self::Undone(what) => t.with("say-undone", "what", what.text(t)),
            Self::Redone(what) => t.with("say-redone", "what", what.text(t)),
            Self::UndoneSeveral(acts) => t.count("say-undone-several", acts),
            Self::RedoneSeveral(acts) => t.count("say-redone-several", acts),
            Self::AsFarAs(what) => t.with("say-as-far-as", "what", what.text(t)),
        }
    }

    fn doubles(t: &Locale, who: &Who, whom: &[String], to: u32, again: bool) -> String {
        let name = who.name(t);
        match (who, again) {
            (Who::Box, _) if whom.is_empty() => {
                t.fill("say-doubles-everybody", &[("who", &name), ("to", &to)])
            }
            (Who::Box, false) => {
                t.fill("say-doubles-whom", &[("who", &name), ("whom", &t.list(whom)), ("to", &to)])
            }
            (Who::Box, true) => {
                t.fill("say-redoubles-whom", &[("who", &name), ("whom", &t.list(whom)), ("to", &to)])
            }
            (Who::Player(_), false) => t.fill("say-doubles", &[("who", &name), ("to", &to)]),
            (Who::Player(_), true) => t.fill("say-redoubles", &[("who", &name), ("to", &to)]),
        }
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
}

/// What happens at a table now: the largest words on its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Now {
    /// Players come in.
    Gathering,
    /// The order is being rolled.
    Rolling,
    /// Between two games: box and captain of the next.
    Between(String, String),
    /// A game is going on: box, and who rolls for the team.
    Playing(String, String),
    /// A double waits for its answers: who doubled, and who has to answer.
    Answering(Who, Vec<String>),
    /// The box has doubled, and nobody of the team has answered yet.
    AnsweringTeam,
    /// Doubles of several members wait for the box's answers.
    AnsweringSeveral(Vec<String>, String),
    /// The night is over.
    Closed,
}

impl Now {
    /// The sentence.
    #[must_use]
    pub fn text(&self, t: &Locale) -> String {
        let seats = |key, box_player: &String, captain: &String| {
            t.fill(key, &[("box", box_player), ("captain", captain)])
        };
        match self {
            Self::Gathering => t.get("now-gathering"),
            Self::Rolling => t.get("now-roll"),
            Self::Between(box_player, captain) => seats("now-between", box_player, captain),
            Self::Playing(box_player, captain) => seats("now-playing", box_player, captain),
            Self::Answering(who, whom) => {
                t.fill("now-answer", &[("who", &who.name(t)), ("whom", &t.list(whom))])
            }
            Self::AnsweringTeam => t.get("now-answer-team"),
            Self::AnsweringSeveral(who, whom) => {
                t.fill("now-answer-several", &[("who", &t.list(who)), ("whom", whom)])
            }
            Self::Closed => t.get("now-closed"),
        }
    }
}

/// A role in words, by its code; the code itself for one without words.
#[must_use]
pub fn role(t: &Locale, code: &str) -> String {
    t.get(match code {
        "admin" => "role-admin",
        "director" => "role-director",
        "treasurer" => "role-treasurer",
        "scorer" => "role-scorer",
        "player" => "role-player",
        other => other,
    })
}

/// What a club can show without a login, by the name of the setting.
#[must_use]
pub fn public(t: &Locale, code: &str) -> String {
    t.get(match code {
        "tables" => "public-tables",
        "standings" => "public-standings",
        other => other,
    })
}
