//! The present state of a table in one sentence, the largest words on its page: as everybody reads it, and as a
//! question to the viewer ([`Yours`]).

use super::context::TableContext;
use crate::sentences::chouette::animal;
use owlbox_base::values::PlayerId;
use owlbox_chouette::game::LoneState;
use owlbox_chouette::rules::DecisionOrder;
use owlbox_chouette::{Answer, Bet, BetKind, Game, Legal, Line, Phase, Side};
use owlbox_engine::Raise;
use owlbox_locale::Locale;

impl TableContext<'_> {
    /// The state of the table, as everybody reads it.
    pub(super) fn now(&self) -> String {
        let gathering = || self.say.get("now-gathering");
        match self.state().phase() {
            Phase::Closed => self.say.get("now-closed"),
            Phase::Ordering => self.say.get("now-roll"),
            Phase::Playing => self.state().game().map_or_else(gathering, |game| self.now_playing(game)),
            Phase::BetweenGames => self.now_between(),
            Phase::Unopened | Phase::Gathering => gathering(),
        }
    }

    fn now_between(&self) -> String {
        let (say, state) = (&self.say, self.state());
        let ready = state.seats().standing().map_or(0, Line::ready);
        let needed = state.rules().players_needed();
        let starts = state.legal().iter().any(|legal| matches!(legal, Legal::StartGame { .. }));
        if let Some(player) = state.offered_partnership() {
            return say.with("now-asked-for-partner", "name", self.name(player));
        }
        match (starts, state.box_player(), state.captain()) {
            (true, Some(box_player), Some(captain)) => {
                say.fill("now-between", &[("box", &self.name(box_player)), ("captain", &self.name(captain))])
            }
            (false, ..) if !self.split_due().is_empty() => {
                say.with("now-split-due", "most", state.rules().table_size.at_most.get())
            }
            (false, ..) if ready >= needed => say.get("now-partner-due"),
            _ => say.count("now-too-few", &needed),
        }
    }

    fn now_playing(&self, game: &Game) -> String {
        let say = &self.say;
        match &game.lone {
            Some(LoneState::MustBeaverOrDrop(player)) => {
                say.with("now-must-beaver", "name", self.name(*player))
            }
            Some(LoneState::MustDrop(player)) => say.with("say-alone-must-drop", "name", self.name(*player)),
            Some(LoneState::Extras(asking)) => {
                let taker = self.name(asking.taker);
                match asking.asked.first() {
                    Some(asked) => {
                        say.fill("now-asked-for-extra", &[("name", &say.name(asked)), ("taker", &taker)])
                    }
                    None => {
                        let from = say.list(&say.names(&asking.offered));
                        say.fill("now-extras-offered", &[("name", &taker), ("from", &from)])
                    }
                }
            }
            None if game.tie_waits => say.with("now-tie-waits", "name", self.name(game.box_player)),
            None => match game.offering() {
                Some(side) => self.answering(game, side),
                None => self.rolling_for_the_team(game),
            },
        }
    }

    /// Who rolls for the team: its acting captain, or in their absence whoever decides for them, if present.
    fn rolling_for_the_team(&self, game: &Game) -> String {
        let state = self.state();
        let box_player = self.name(game.box_player);
        let acting = state.acting_captain().unwrap_or(game.captain);
        let rolls = [acting, state.decides_for(acting)].into_iter().find(|player| state.is_there(*player));
        match rolls {
            Some(rolls) => {
                self.say.fill("now-playing", &[("box", &box_player), ("captain", &self.name(rolls))])
            }
            None => self.say.with("now-playing-alone", "box", box_player),
        }
    }

    /// The name of whoever answers for a player, the player or their proxy.
    fn answers(&self, player: PlayerId) -> String {
        match self.state().decides_for(player) {
            decides if decides == player => self.name(player),
            decides => {
                let (proxy, name) = (self.name(decides), self.name(player));
                self.say.fill("decides-for", &[("proxy", &proxy), ("name", &name)])
            }
        }
    }

    /// The open double: who offers it, and who has to answer.
    fn answering(&self, game: &Game, doubling: Side) -> String {
        let say = &self.say;
        let offered = || game.running().filter(|bet| bet.offered_by() == Some(doubling));
        if let Some(Raise::Beaver(beaver)) = offered().find_map(Bet::raise) {
            let mut players: Vec<PlayerId> = offered().map(|bet| bet.on(doubling.other())).collect();
            players.dedup();
            let (animal, whom) = (animal(beaver.number), say.list(&say.names(&players)));
            return say
                .fill("now-beavered", &[("animal", &animal), ("to", &beaver.to.get()), ("whom", &whom)]);
        }
        let to_box = offered().any(|bet| bet.kind == BetKind::Member && doubling == Side::Box);
        let waiting: Vec<PlayerId> = offered().map(|bet| bet.team_side).collect();
        let due = self.state().due_to_answer();
        if let Some(due) = due.filter(|_| to_box) {
            let first = game.turn.as_ref().is_none_or(|turn| turn.answered.is_empty()) && waiting.len() > 1;
            return say.with(if first { "now-due-first" } else { "now-due" }, "name", self.answers(due));
        }
        if to_box && self.state().rules().decision_order == DecisionOrder::AllAtOnce {
            let open = waiting.iter().copied().filter(|player| !game.answers.contains_key(player));
            let names: Vec<String> = open.map(|player| self.answers(player)).collect();
            return say.with("now-at-once", "names", say.list(&names));
        }
        let name = |player| if doubling == Side::Box { self.answers(player) } else { self.name(player) };
        let members: Vec<String> = waiting.into_iter().map(name).collect();
        let the_box = self.names(offered().map(|bet| bet.box_side).take(1)).join("");
        let members_named = say.list(&members);
        let (key, who, whom) = match (doubling, members.len()) {
            (Side::Box, 2..) if members.len() == game.running().count() => return say.get("now-answer-team"),
            (Side::Box, _) if to_box => ("now-answer", say.get("the-box"), members_named),
            (Side::Box, _) => ("now-answer", the_box, members_named),
            (Side::Team, 1) => ("now-answer", members_named, the_box),
            (Side::Team, _) => ("now-answer-several", members_named, the_box),
        };
        say.fill(key, &[("who", &who), ("whom", &whom)])
    }

    /// The viewer's decision. Their own comes before those they make for others.
    pub(super) fn yours(&self) -> Option<Yours> {
        let viewer = self.viewer?;
        let game = self.state().game();
        let asked = |legal: &Legal| {
            if let Legal::AcceptPartnership { player } = legal {
                Some((*player, Yours::Partnership))
            } else if let Legal::GiveExtra { player } = legal {
                let Some(LoneState::Extras(asking)) = &game?.lone else { return None };
                Some((*player, Yours::Extra(self.name(asking.taker))))
            } else if let Legal::Take { player, .. } | Legal::Drop { player, .. } = legal {
                Some((*player, self.your_answer(game?, *player)))
            } else {
                let waits = game.filter(|game| game.tie_waits && matches!(legal, Legal::OpeningTie { .. }));
                waits.map(|game| (game.box_player, Yours::Tie))
            }
        };
        let mine = |(player, _): &(PlayerId, Yours)| self.state().decides_for(*player) == viewer;
        let mut questions: Vec<(PlayerId, Yours)> =
            self.legal.iter().filter_map(asked).filter(mine).collect();
        questions.sort_by_key(|(player, _)| *player != viewer);
        let (player, question) = questions.into_iter().next()?;
        if player == viewer {
            return Some(question);
        }
        Some(Yours::For(self.name(player), self.now(), Box::new(question)))
    }

    fn your_answer(&self, game: &Game, player: PlayerId) -> Yours {
        match &game.lone {
            Some(LoneState::MustBeaverOrDrop(_)) => return Yours::BeaverOrDrop,
            Some(LoneState::MustDrop(_)) => return Yours::MustDrop,
            Some(LoneState::Extras(asking)) if asking.taker == player => {
                return Yours::Extras(self.names(asking.offered.iter().copied()));
            }
            Some(LoneState::Extras(_)) | None => {}
        }
        match game.answers.get(&player) {
            Some(Answer::Take) => return Yours::Answered("answer-take"),
            Some(Answer::Drop) => return Yours::Answered("answer-drop"),
            Some(Answer::Beaver) => return Yours::Answered("answer-beaver"),
            None => {}
        }
        let to_box = game.member_bet(player).is_some_and(|bet| bet.offered_by() == Some(Side::Box));
        let waiting = game.running_members().filter(|bet| bet.offered_by() == Some(Side::Box)).count();
        match self.state().rules().decision_order {
            DecisionOrder::AllAtOnce if to_box => Yours::AnswerHidden,
            DecisionOrder::AnyOrder | DecisionOrder::AllAtOnce => Yours::Answer,
            DecisionOrder::CaptainFirst | DecisionOrder::LastFirst | DecisionOrder::LowestScoreFirst => {
                if to_box && waiting > 1 {
                    Yours::AnswerFirst
                } else {
                    Yours::Answer
                }
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
    For(String, String, Box<Yours>),
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
            Self::For(_, now, _) => now.clone(),
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
