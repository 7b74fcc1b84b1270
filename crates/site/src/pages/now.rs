//! The present state of a table in one sentence, the largest words on its page: as everybody reads it
//! ([`Now`]), and as a question to the viewer ([`Yours`]).

use crate::sentences::chouette::animal;
use owlbox_locale::Locale;

/// The state of a table, as everybody reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Now {
    Gathering,
    /// The players roll for the order (Q1).
    Rolling,
    /// Between two games: box and captain of the next.
    Between(String, String),
    /// Between two games, with too few players: how many the next game needs.
    TooFew(usize),
    /// More players are here than one table may seat: the most it may.
    SplitDue(usize),
    /// The rules demand a partner for the box before the next game.
    PartnerDue,
    /// This player is asked to be the box's partner.
    AskedForPartner(String),
    /// A game is on: box, and who rolls for the team.
    Playing(String, String),
    /// A game is on, but nobody of the team is here to roll: the box.
    PlayingAlone(String),
    /// The opening roll was a tie, and the box decides whether it doubles the cubes (C6).
    TieWaits(String),
    /// A double waits for its answers: who doubled, and who has to answer.
    Answering(String, Vec<String>),
    /// The box has doubled the whole team, and nobody has answered yet.
    AnsweringTeam,
    /// Doubles of several members wait for the box: the members, and the box.
    AnsweringSeveral(Vec<String>, String),
    /// The box has doubled, and it is this player's turn to answer. `true` for the first to answer.
    Due(String, bool),
    /// All answer the box at the same time: those who have not yet.
    AtOnce(Vec<String>),
    /// A double was redoubled at once: the number in the row (1 a beaver), the new value, and who answers.
    Beavered(u8, u32, Vec<String>),
    /// The first is asked whether they give the second, the lone taker, an extra (Q10).
    AskedForExtra(String, String),
    /// The lone taker must beaver or drop.
    MustBeaverOrDrop(String),
    /// The lone taker must drop too (Q9).
    MustDrop(String),
    /// The lone taker chooses between the extras offered by these players and dropping the box's cube.
    ExtrasOffered(String, Vec<String>),
    Closed,
}

impl Now {
    #[must_use]
    pub fn text(&self, t: &Locale) -> String {
        match self {
            Self::Gathering => t.get("now-gathering"),
            Self::Rolling => t.get("now-roll"),
            Self::Between(box_player, captain) => {
                t.fill("now-between", &[("box", box_player), ("captain", captain)])
            }
            Self::TooFew(needed) => t.count("now-too-few", needed),
            Self::SplitDue(at_most) => t.with("now-split-due", "most", at_most),
            Self::PartnerDue => t.get("now-partner-due"),
            Self::AskedForPartner(name) => t.with("now-asked-for-partner", "name", name),
            Self::Playing(box_player, captain) => {
                t.fill("now-playing", &[("box", box_player), ("captain", captain)])
            }
            Self::PlayingAlone(box_player) => t.with("now-playing-alone", "box", box_player),
            Self::TieWaits(name) => t.with("now-tie-waits", "name", name),
            Self::Closed => t.get("now-closed"),
            Self::Answering(who, whom) => t.fill("now-answer", &[("who", who), ("whom", &t.list(whom))]),
            Self::AnsweringTeam => t.get("now-answer-team"),
            Self::AnsweringSeveral(who, whom) => {
                t.fill("now-answer-several", &[("who", &t.list(who)), ("whom", whom)])
            }
            Self::Due(name, true) => t.with("now-due-first", "name", name),
            Self::Due(name, false) => t.with("now-due", "name", name),
            Self::AtOnce(names) => t.with("now-at-once", "names", t.list(names)),
            Self::Beavered(number, to, whom) => {
                t.fill("now-beavered", &[("animal", &animal(*number)), ("to", to), ("whom", &t.list(whom))])
            }
            Self::AskedForExtra(name, taker) => {
                t.fill("now-asked-for-extra", &[("name", name), ("taker", taker)])
            }
            Self::MustBeaverOrDrop(name) => t.with("now-must-beaver", "name", name),
            Self::MustDrop(name) => t.with("say-alone-must-drop", "name", name),
            Self::ExtrasOffered(name, from) => {
                t.fill("now-extras-offered", &[("name", name), ("from", &t.list(from))])
            }
        }
    }
}

/// A decision of the viewer's. It replaces the sentence everybody else reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Yours {
    /// Take or drop, before the others.
    AnswerFirst,
    Answer,
    /// Take or drop, hidden until all have answered.
    AnswerHidden,
    /// Answered, but still open to change. The value is the key of the words: take, drop or beaver.
    Answered(&'static str),
    /// Whether to give this lone taker an extra (Q10).
    Extra(String),
    /// The viewer took alone: beaver or drop.
    BeaverOrDrop,
    MustDrop,
    /// The extras of these players, or a drop.
    Extras(Vec<String>),
    /// Whether to be the box's partner.
    Partnership,
    /// Whether a tie of the opening roll doubles the cubes (C6).
    Tie,
    /// A decision for another player, who has left it to the viewer: that player, the state of the table, and
    /// the question.
    For(String, Now, Box<Yours>),
}

impl Yours {
    #[must_use]
    pub fn text(&self, t: &Locale) -> String {
        match self {
            Self::AnswerFirst => t.get("yours-answer-first"),
            Self::Answer | Self::AnswerHidden => t.get("yours-answer"),
            Self::Answered(_) => t.get("yours-answered"),
            Self::Extra(taker) => t.with("yours-extra", "taker", taker),
            Self::BeaverOrDrop => t.get("yours-beaver-or-drop"),
            Self::MustDrop => t.get("yours-must-drop"),
            Self::Extras(from) => t.with("yours-extras", "from", t.list(from)),
            Self::Partnership => t.get("yours-partnership"),
            Self::Tie => t.get("yours-tie"),
            Self::For(_, _, question) if matches!(**question, Self::Answered(_)) => question.text(t),
            Self::For(_, now, _) => now.text(t),
        }
    }

    /// A second sentence under the question, where something else matters for the answer.
    #[must_use]
    pub fn hint(&self, t: &Locale) -> Option<String> {
        Some(match self {
            Self::AnswerHidden => t.get("yours-hidden"),
            Self::Answered(what) => {
                let what = t.get(what);
                t.with("yours-change", "what", what)
            }
            Self::BeaverOrDrop | Self::MustDrop | Self::Extras(_) => t.get("yours-alone"),
            Self::For(name, _, question) => {
                let decides = t.with("yours-for", "name", name);
                let more = question.hint(t).filter(|_| !matches!(**question, Self::Extras(_)));
                more.map_or(decides.clone(), |more| format!("{decides} {more}"))
            }
            Self::AnswerFirst | Self::Answer | Self::Extra(_) | Self::Partnership | Self::Tie => return None,
        })
    }
}
