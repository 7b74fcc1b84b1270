//! Commands in players' words: `A doubles BC; B takes; C drops; team wins gammon`.
//!
//! One sentence per command, separated by `;` or a new line. Without names
//! after it, a verb applies to everybody it can.
//!
//! | words | command |
//! |---|---|
//! | `D joins`, `D leaves`, `D leaves to E` | come, go, go with a proxy |
//! | `D rests`, `D rests to E`, `D returns` | breaks |
//! | `E decides for D`, `D decides for D` | a proxy, and the end of one |
//! | `D is B` | D was B, entered twice |
//! | `D plays for 3`, `D starts at 4` | stakes |
//! | `roll A3 B5`, `draw`, `order ABC` | the order |
//! | `offer`, `C accepts`, `C declines`, `C declines the box` | partnership, the box |
//! | `start`, `start refereed`, `tie`, `tie doubles`, `tie declined` | a game begins |
//! | `A doubles`, `B takes`, `B drops`, `B beavers`, each perhaps with `BC` | cubes |
//! | `C gives`, `C passes` | extras |
//! | `play on` | the dice are rolled |
//! | `A settles B 1½`, `A settles B 1 for team` | A pays B by agreement; who counts as the winner |
//! | `box wins`, `team wins gammon` | the end |
//! | `correct 1 team gammon` | a correction |
//! | `A pays B 18` | a payment |
//! | `split DEF`, `close`, `undo`, `redo` | the table |

use super::{Night, against, drop, finish, join, player, players, rolls, take};
use crate::{Command, HouseRules, Settlement, Side};
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_engine::Win;

/// The sentences of a script.
fn sentences(script: &str) -> impl Iterator<Item = &str> {
    script.split([';', '\n']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

fn one(letters: &str) -> PlayerId {
    let [who] = players(letters)[..] else { panic!("{letters} is not one player") };
    who
}

fn side(word: &str) -> Side {
    match word {
        "box" => Side::Box,
        "team" => Side::Team,
        _ => panic!("{word} is no side"),
    }
}

fn win(word: &str) -> Win {
    match word {
        "single" => Win::Single,
        "gammon" => Win::Gammon,
        "backgammon" => Win::Backgammon,
        _ => panic!("{word} is no win"),
    }
}

/// The amount written as `1`, `1½` or `½`.
fn points(word: &str) -> HalfPoints {
    let whole = word.trim_end_matches('½');
    let half = i64::from(whole.len() < word.len());
    HalfPoints(2 * if whole.is_empty() { 0 } else { whole.parse::<i64>().unwrap() } + half)
}

/// The command that a sentence stands for.
pub(super) fn command(sentence: &str) -> Command {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let letter = words[0].chars().next().unwrap();
    match words.as_slice() {
        ["roll", ..] => rolls(&sentence[4..]),
        ["draw"] => Command::DrawOrder {},
        ["order", line] => Command::SetOrder { line: players(line) },
        ["offer"] => Command::OfferPartnership {},
        ["start"] => Command::StartGame { refereed: false, variant: None },
        ["start", "refereed"] => Command::StartGame { refereed: true, variant: None },
        ["tie"] => Command::OpeningTie { double: None },
        ["tie", "doubles"] => Command::OpeningTie { double: Some(true) },
        ["tie", "declined"] => Command::OpeningTie { double: Some(false) },
        ["play", "on"] => Command::PlayOn {},
        ["close"] => Command::Close {},
        ["split", leaving] => Command::Split {
            players: players(leaving),
            table: Some(ChouetteId(uuid::Uuid::max())),
            name: "Two".into(),
        },
        ["correct", game, winner, kind] => Command::Correct {
            game: game.parse().unwrap(),
            winner: Some(side(winner)),
            win: Some(win(kind)),
            bets: Vec::new(),
        },
        [winner @ ("box" | "team"), "wins"] => finish(side(winner), Win::Single),
        [winner @ ("box" | "team"), "wins", kind] => finish(side(winner), win(kind)),
        [_, "joins"] => join(letter),
        [who, "leaves"] => Command::Leave { player: one(who), proxy: None },
        [who, "leaves", "to", proxy] => Command::Leave { player: one(who), proxy: Some(one(proxy)) },
        [who, "rests"] => Command::Break { player: one(who), proxy: None },
        [who, "rests", "to", proxy] => Command::Break { player: one(who), proxy: Some(one(proxy)) },
        [who, "returns"] => Command::Return { player: one(who) },
        [proxy, "decides", "for", who] => {
            Command::NameProxy { player: one(who), proxy: Some(one(proxy)).filter(|_| proxy != who) }
        }
        [duplicate, "is", who] => Command::MergePlayers { duplicate: one(duplicate), player: one(who) },
        [who, "plays", "for", units] => Command::SetStake { player: one(who), units: units.parse().unwrap() },
        [who, "starts", "at", value] => {
            Command::SetStart { player: one(who), value: value.parse::<u32>().unwrap().try_into().unwrap() }
        }
        [who, "accepts"] => Command::AcceptPartnership { player: one(who) },
        [who, "declines"] => Command::DeclinePartnership { player: one(who) },
        [who, "declines", "the", "box"] => Command::DeclineBox { player: one(who) },
        [who, "gives"] => Command::GiveExtra { player: one(who) },
        [who, "passes"] => Command::PassExtra { player: one(who) },
        [payer, "pays", payee, amount] => {
            Command::Pay { payer: one(payer), payee: one(payee), amount: amount.parse().unwrap() }
        }
        [payer, "settles", payee, amount, counts_for @ ..] => {
            let settlement = Settlement { payer: one(payer), payee: one(payee), points: points(amount) };
            let counts_for = counts_for.last().map(|word| side(word));
            Command::Settle { bets: vec![settlement], counts_for }
        }
        [_, "doubles"] => super::double(letter, "*"),
        [who, "doubles", "after", "the", "roll"] => {
            Command::Double { player: one(who), against: None, rolled: true }
        }
        [_, "doubles", whom] => super::double(letter, whom),
        [_, "takes"] => take(letter, "*"),
        [_, "takes", whose] => take(letter, whose),
        [_, "drops"] => drop(letter, "*"),
        [_, "drops", whose] => drop(letter, whose),
        [_, "beavers"] => Command::Beaver { player: player(letter), against: None },
        [_, "beavers", whose] => Command::Beaver { player: player(letter), against: against(whose) },
        _ => panic!("nobody says: {sentence}"),
    }
}

impl Night {
    /// Plays the script; nothing in it may be refused.
    #[track_caller]
    pub(super) fn play(&mut self, script: &str) -> &mut Self {
        for sentence in sentences(script) {
            match sentence {
                "undo" => self.undo().unwrap(),
                "redo" => self.redo().unwrap(),
                _ => match self.give(&command(sentence)) {
                    Ok(_) => {}
                    Err(refusal) => panic!("{sentence}: {refusal:?}\n{}", self.stands()),
                },
            }
        }
        self
    }

    /// The code with which a sentence is refused.
    #[track_caller]
    pub(super) fn no(&mut self, sentence: &str) -> &'static str {
        self.refused(&command(sentence))
    }

    /// Plays the script as far as it is not refused; returns every refusal, and where things stand at the
    /// end.
    pub(super) fn tell(&mut self, script: &str) -> String {
        let mut told = String::new();
        for sentence in sentences(script) {
            if let Err(refusal) = self.give(&command(sentence)) {
                told += &format!("{sentence}: {}; ", refusal.code());
            }
        }
        told + &self.stands()
    }
}

/// The outcome of a script between these players under these rules, after a game has begun.
#[track_caller]
pub(super) fn outcome_of(letters: &str, rules: HouseRules, script: &str) -> String {
    Night::playing_under(letters, rules).tell(script)
}
