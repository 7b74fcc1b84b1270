//! The present state of a table in one sentence, the largest words on its page: as everybody reads it, and as
//! a question to the viewer.

use crate::say::Say;
use crate::sentences::chouette::animal;
use owlbox_base::values::PlayerId;
use owlbox_chouette::game::LoneState;
use owlbox_chouette::rules::DecisionOrder;
use owlbox_chouette::{Answer, Bet, BetKind, Chouette, Game, Legal, Line, Phase, Side};
use owlbox_engine::Raise;

/// A table as it stands, told to one reader.
#[derive(Clone, Copy)]
pub(super) struct Now<'a> {
    pub say: Say<'a>,
    pub state: &'a Chouette,
}

/// A question to the viewer, which replaces the sentence everybody else reads; and a second sentence under
/// it, where something else matters for the answer.
pub(super) type Question = (String, Option<String>);

impl Now<'_> {
    /// The state of the table, as everybody reads it.
    pub fn sentence(&self) -> String {
        let gathering = || self.say.get("now-gathering");
        match self.state.phase() {
            Phase::Closed => self.say.get("now-closed"),
            Phase::Ordering => self.say.get("now-roll"),
            Phase::Playing => self.state.game().map_or_else(gathering, |game| self.now_playing(game)),
            Phase::BetweenGames => self.now_between(),
            Phase::Unopened | Phase::Gathering => gathering(),
        }
    }

    fn now_between(&self) -> String {
        let (say, state) = (&self.say, self.state);
        let ready = state.seats().standing().map_or(0, Line::ready);
        let needed = state.rules().players_needed();
        let starts = state.legal().iter().any(|legal| matches!(legal, Legal::StartGame { .. }));
        if let Some(player) = state.offered_partnership() {
            return say.with("now-asked-for-partner", "name", say.name(&player));
        }
        match (starts, state.box_player(), state.captain()) {
            (true, Some(box_player), Some(captain)) => {
                say.fill("now-between", &[("box", &say.name(&box_player)), ("captain", &say.name(&captain))])
            }
            (false, ..) if !state.split_due().is_empty() => {
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
                say.with("now-must-beaver", "name", say.name(player))
            }
            Some(LoneState::MustDrop(player)) => say.with("say-alone-must-drop", "name", say.name(player)),
            Some(LoneState::Extras(asking)) => {
                let taker = say.name(&asking.taker);
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
            None if game.tie_waits => say.with("now-tie-waits", "name", say.name(&game.box_player)),
            None => match game.offering() {
                Some(side) => self.answering(game, side),
                None => self.rolling_for_the_team(game),
            },
        }
    }

    /// Who rolls for the team: its acting captain, or in their absence the one who decides for them, if
    /// present.
    fn rolling_for_the_team(&self, game: &Game) -> String {
        let state = self.state;
        let box_player = self.say.name(&game.box_player);
        let acting = state.acting_captain().unwrap_or(game.captain);
        let rolls = [acting, state.decides_for(acting)].into_iter().find(|player| state.is_there(*player));
        match rolls {
            Some(rolls) => {
                self.say.fill("now-playing", &[("box", &box_player), ("captain", &self.say.name(&rolls))])
            }
            None => self.say.with("now-playing-alone", "box", box_player),
        }
    }

    /// The name of the one who answers for a player, the player or their proxy.
    fn answers(&self, player: PlayerId) -> String {
        match self.state.decides_for(player) {
            decides if decides == player => self.say.name(&player),
            decides => {
                let (proxy, name) = (self.say.name(&decides), self.say.name(&player));
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
        let due = self.state.due_to_answer();
        if let Some(due) = due.filter(|_| to_box) {
            let first = game.turn.as_ref().is_none_or(|turn| turn.answered.is_empty()) && waiting.len() > 1;
            return say.with(if first { "now-due-first" } else { "now-due" }, "name", self.answers(due));
        }
        if to_box && self.state.rules().decision_order == DecisionOrder::AllAtOnce {
            let open = waiting.iter().copied().filter(|player| !game.answers.contains_key(player));
            let names: Vec<String> = open.map(|player| self.answers(player)).collect();
            return say.with("now-at-once", "names", say.list(&names));
        }
        let name = |player| if doubling == Side::Box { self.answers(player) } else { say.name(&player) };
        let members: Vec<String> = waiting.into_iter().map(name).collect();
        let the_box = offered().next().map(|bet| say.name(&bet.box_side)).unwrap_or_default();
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
    pub fn question(&self, viewer: Option<PlayerId>, legal: &[Legal]) -> Option<Question> {
        let viewer = viewer?;
        let asked = legal.iter().filter_map(|legal| Some((self.whom_it_asks(legal)?, legal)));
        let asked = asked.filter(|(player, _)| self.state.decides_for(*player) == viewer);
        let (player, legal) = asked.min_by_key(|(player, _)| *player != viewer)?;
        let own = self.put_to(player, legal);
        Some(if player == viewer { own } else { self.put_for(player, own) })
    }

    /// The player to whom a legal command is a question.
    fn whom_it_asks(&self, legal: &Legal) -> Option<PlayerId> {
        if let Legal::AcceptPartnership { player }
        | Legal::GiveExtra { player }
        | Legal::Take { player, .. }
        | Legal::Drop { player, .. } = legal
        {
            return Some(*player);
        }
        let game = self.state.game().filter(|game| game.tie_waits)?;
        matches!(legal, Legal::OpeningTie { .. }).then_some(game.box_player)
    }

    /// The extras from which this player may choose (Q10).
    fn extras_for(&self, player: PlayerId) -> Option<&[PlayerId]> {
        match &self.state.game()?.lone {
            Some(LoneState::Extras(asking)) if asking.taker == player => Some(&asking.offered),
            Some(LoneState::Extras(_) | LoneState::MustBeaverOrDrop(_) | LoneState::MustDrop(_)) | None => {
                None
            }
        }
    }

    /// What this player has answered in secret; it may still be changed.
    fn answered(&self, player: PlayerId) -> Option<Answer> {
        self.state.game()?.answers.get(&player).copied()
    }

    /// The question to a player who decides alone.
    fn put_to(&self, player: PlayerId, legal: &Legal) -> Question {
        let say = &self.say;
        let Some(game) = self.state.game() else { return (say.get("yours-partnership"), None) };
        let alone = || Some(say.get("yours-alone"));
        if let Legal::OpeningTie { .. } = legal {
            return (say.get("yours-tie"), None);
        }
        if let Some(from) = self.extras_for(player) {
            return (say.with("yours-extras", "from", say.list(&say.names(from))), alone());
        }
        match &game.lone {
            Some(LoneState::MustBeaverOrDrop(_)) => return (say.get("yours-beaver-or-drop"), alone()),
            Some(LoneState::MustDrop(_)) => return (say.get("yours-must-drop"), alone()),
            Some(LoneState::Extras(asking)) if matches!(legal, Legal::GiveExtra { .. }) => {
                return (say.with("yours-extra", "taker", say.name(&asking.taker)), None);
            }
            Some(LoneState::Extras(_)) | None => {}
        }
        if let Some(answer) = self.answered(player) {
            let what = say.get(match answer {
                Answer::Take => "answer-take",
                Answer::Drop => "answer-drop",
                Answer::Beaver => "answer-beaver",
            });
            return (say.get("yours-answered"), Some(say.with("yours-change", "what", what)));
        }
        let to_box = game.member_bet(player).is_some_and(|bet| bet.offered_by() == Some(Side::Box));
        let waiting = game.running_members().filter(|bet| bet.offered_by() == Some(Side::Box)).count();
        match self.state.rules().decision_order {
            DecisionOrder::AllAtOnce if to_box => (say.get("yours-answer"), Some(say.get("yours-hidden"))),
            DecisionOrder::CaptainFirst | DecisionOrder::LastFirst | DecisionOrder::LowestScoreFirst
                if to_box && waiting > 1 =>
            {
                (say.get("yours-answer-first"), None)
            }
            DecisionOrder::AnyOrder
            | DecisionOrder::AllAtOnce
            | DecisionOrder::CaptainFirst
            | DecisionOrder::LastFirst
            | DecisionOrder::LowestScoreFirst => (say.get("yours-answer"), None),
        }
    }

    /// The same question to somebody who decides for the player: it says for whom.
    fn put_for(&self, player: PlayerId, (question, more): Question) -> Question {
        let text = if self.answered(player).is_some() { question } else { self.sentence() };
        let decides = self.say.with("yours-for", "name", self.say.name(&player));
        let more = more.filter(|_| self.extras_for(player).is_none());
        (text, Some(more.map_or(decides.clone(), |more| format!("{decides} {more}"))))
    }
}
