//! The sheet on which a match is scored: the score, the result of the game, and everything else that can be
//! recorded.

use chrono::TimeDelta;

use super::board::board;
use super::scoring::Scoring;
use super::{address, buttons, live};
use crate::board::{Board, BoardView};
use crate::pages::button::{Button, Target};
use crate::pages::live::live_page;
use crate::pages::{Fields, Frame, LivePart};
use crate::playing::{Playing, other_game};
use crate::sentences::matches::{SheetSentences, score};
use owlbox_desk::matches::screen::{MatchScreen, Step};
use owlbox_engine::game::DiceSource;
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_play::matches::clock::{Clock, ClockSetting};
use owlbox_play::matches::statistics::Games;
use owlbox_play::matches::view::{LineKind, LineView};
use owlbox_play::matches::{
    Command, CommandKind, ContestRuling, Ending, Entered, GameEnding, Legal, Sheet, Slot, Status, Terms, View,
};

/// Whether the sheet has buttons for the offers of this legal command. The others have forms, and the board
/// has its own buttons.
pub(super) const fn has_buttons(legal: &Legal) -> bool {
    !matches!(legal, Legal::Resign { .. } | Legal::Rule { .. } | Legal::Board { .. })
}

/// `/matches/{id}?correct=`
#[derive(Debug)]
pub(super) struct SheetPage<'a> {
    pub t: SheetSentences<'a>,
    pub frame: Frame,
    pub screen: &'a MatchScreen,
    /// The sheet as the viewer may see it.
    pub view: View,
    /// The form for the next game, or for a correction.
    pub scoring: Option<Scoring<'a>>,
    /// The board of the present game, if it is refereed.
    pub board: Option<Board>,
}

live_page!(SheetPage<'a>, "matches/sheet_live.html" in "matches/sheet.html");

impl<'a> SheetPage<'a> {
    /// The sheet as it stands, or with the form to correct the game `correct`.
    pub fn new(
        t: SheetSentences<'a>,
        frame: Frame,
        screen: &'a MatchScreen,
        shown: BoardView,
        correct: Option<u32>,
    ) -> Self {
        let view = screen.view();
        let earlier = correct.and_then(|game| Scoring::earlier(screen, game));
        let has_board = earlier.is_none() && view.status != Status::Over;
        let board = board(&t, screen, shown).filter(|_| has_board);
        let scoring = earlier.or_else(|| Scoring::next(screen));
        Self { t, frame, screen, view, scoring, board }
    }

    fn sheet(&self) -> &Sheet {
        &self.screen.stream.state
    }

    fn address(&self, below: &str) -> String {
        address(self.screen.id, below)
    }

    /// The address of this page, with the form that it shows.
    fn here(&self) -> String {
        match self.scoring.as_ref().and_then(|scoring| scoring.corrects) {
            Some(game) => self.address(&format!("?correct={game}")),
            None => self.address(""),
        }
    }

    fn target(&self) -> Target {
        Target::at_match(self.screen.id, Some(self.screen.stream.version), self.here())
    }

    fn live(&self) -> LivePart {
        live(self.screen, self.here())
    }

    fn is_over(&self) -> bool {
        self.view.status == Status::Over
    }

    /// Whether the viewer is one of the two who play here, and may be called to the board.
    fn may_be_called(&self) -> bool {
        !self.is_over() && self.screen.viewers_slot().is_some()
    }

    /// The first `Some` that `of` returns for a legal command.
    fn legal<T>(&self, of: impl Fn(&'a Legal) -> Option<T>) -> Option<T> {
        self.screen.legal.iter().find_map(of)
    }
}

/// The score.
impl SheetPage<'_> {
    fn facts(&self) -> Vec<String> {
        let t = &self.t;
        let mut facts = vec![t.terms()];
        match self.view.terms {
            Some(Terms::Match { length, holland, crawford, rated, highest_cube, game, stake }) => {
                let dead = u32::from(length.points()).next_power_of_two();
                facts.extend(Playing { game, crawford, highest_cube }.facts(t, dead));
                facts.extend(holland.then(|| t.get("plays-holland")));
                facts.extend(rated.then(|| t.get("scoring-rated")));
                facts.extend(stake.map(|stake| t.with("scoring-played-for-stake", "stake", t.stake(stake))));
            }
            Some(Terms::Money { stake, cube, game }) => {
                facts.extend(Playing { game, crawford: true, highest_cube: cube.cap }.facts(t, 64));
                facts.push(match stake {
                    Some(stake) => t.with("point-is", "stake", t.stake(stake)),
                    None => t.get("no-money"),
                });
                facts.extend(cube.jacoby.then(|| t.get("scoring-jacoby")));
            }
            None => {}
        }
        facts.extend(self.view.opened_at.map(|opened| t.date(&opened)));
        facts
    }

    /// The variant, if it is not backgammon (V1 to V4).
    fn variant(&self) -> Option<String> {
        other_game(&self.t, self.view.terms?.game().variant)
    }

    fn player_page(&self, slot: Slot) -> String {
        self.sheet().player(slot).map_or_else(String::new, |player| format!("/players/{player}"))
    }

    /// How many points a side still needs, while the match goes on.
    fn away(&self, slot: Slot) -> Option<u16> {
        let goes_on = self.view.outcome.is_none() && !self.sheet().score_is_open();
        self.view.away.map(|away| slot.choose(away)).filter(|_| goes_on)
    }

    /// The points in a side's score for the other's penalties.
    fn penalty(&self, slot: Slot) -> u32 {
        slot.choose(self.view.penalties)
    }

    /// Whether the viewer has to rule on what is contested.
    fn may_rule(&self) -> bool {
        self.screen.legal.iter().any(|legal| matches!(legal, Legal::RuleContest { .. }))
    }

    /// Each side's chance to win the match, in thousandths.
    fn chance(&self) -> Option<(u32, u32)> {
        let part = (self.view.chance?.saturating_add(500) / 1000).min(1000);
        Some((part, 1000 - part))
    }

    fn per_cent(&self, thousandths: &u32) -> String {
        self.t.per_cent(f64::from(*thousandths) / 1000.0)
    }

    /// Both chances in a sentence.
    fn chances(&self, part: &u32, rest: &u32) -> String {
        let ([one, other], part, rest) = (&self.t.sides(), &self.per_cent(part), &self.per_cent(rest));
        self.t.fill("scoring-chance", &[("one", one), ("part", part), ("other", other), ("rest", rest)])
    }
}

/// The result of the game.
impl SheetPage<'_> {
    /// The form's `id`. It changes with the game, so that live updates carry no choice over to the next game.
    fn scoring_id(&self, scoring: &Scoring<'_>) -> String {
        match scoring.corrects {
            Some(game) => format!("correct-{game}"),
            None => format!("game-{}", self.sheet().entries().len()),
        }
    }

    fn scoring_button(&self, scoring: &Scoring<'_>) -> Button {
        let label = match scoring.corrects {
            Some(game) => self.t.with("scoring-did-correct", "game", game),
            None => self.t.get("scoring-the-game"),
        };
        Button::of_form(label, scoring.lacking()).then(self.address(""))
    }

    /// The result in words.
    fn result(&self, way: &Entered) -> String {
        self.t.result(way.winner, way.win, way.how)
    }

    /// The result on record of the game that is corrected.
    fn recorded(&self, game: &u32) -> String {
        let line = self.view.lines.iter().find(|line| line.what.game() == Some(*game));
        line.map(|line| self.t.line(&line.what)).unwrap_or_default()
    }

    /// The points of a result and the score it would lead to, with the cube at this value.
    fn comes_to(&self, scoring: &Scoring<'_>, way: &Entered, cube: &u32) -> String {
        let brings = scoring.brings(way, *cube);
        let Some((brings, points)) = brings.and_then(|brings| Some((brings, brings.points()?))) else {
            return self.t.get("scoring-not-possible");
        };
        let over = brings.outcome.is_some_and(|outcome| outcome.winner == Some(way.winner));
        let key = if over { "scoring-comes-to-end" } else { "scoring-comes-to" };
        self.t.fill(key, &[("points", &points), ("score", &score(brings.score))])
    }

    /// Whether the plays of the last game are on record.
    fn is_from_board(&self) -> bool {
        let last = self.view.lines.last().map(|line| line.what);
        matches!(last, Some(LineKind::Won { plays: true, .. }))
    }

    fn next_game(&self) -> u32 {
        self.sheet().games_over().saturating_add(1)
    }
}

/// The lines of the sheet.
impl SheetPage<'_> {
    /// Details of a line: the cube, the Crawford game, who began, who vouches.
    fn besides(&self, line: &LineView) -> Vec<String> {
        let t = &self.t;
        let mut besides = Vec::new();
        if let LineKind::Won { won, crawford, plays, .. } = line.what {
            besides.extend((won.cube.get() > 1).then(|| t.with("scoring-cube-at", "cube", won.cube.get())));
            besides.extend(crawford.then(|| t.get("scoring-crawford-game")));
            besides.extend(won.began.map(|began| t.with("scoring-began", "name", t.side(began))));
            besides.extend(plays.then(|| t.get("scoring-plays-known")));
        }
        if let LineKind::Penalty { minutes: Some(minutes), .. } = line.what {
            besides.push(t.with("scoring-late-by", "minutes", minutes));
        }
        besides.extend(t.vouched(&line.vouched));
        besides
    }

    fn score(&self, line: &LineView) -> String {
        score(line.score)
    }

    /// The game of a line, if it can be corrected.
    fn correctable(&self, line: &LineView) -> Option<u32> {
        let may_correct = self.screen.legal.iter().any(|legal| matches!(legal, Legal::Correct { .. }));
        line.what.game().filter(|_| may_correct)
    }

    /// The games by kind, in groups (M8).
    fn statistics(&self) -> Vec<Vec<(String, Games)>> {
        let (t, of) = (&self.t, &self.view.statistics);
        let began = |slot| t.with("scoring-began", "name", t.side(slot));
        let beginners = vec![
            (began(Slot::Upper), of.by_beginner.white),
            (began(Slot::Lower), of.by_beginner.black),
            (t.get("scoring-began-unknown"), of.by_beginner.unknown),
        ];
        let wins = of.by_win.iter().map(|by| (t.games(by.how, by.win), by.games)).collect();
        let cubes = of.by_cube.iter().map(|by| (t.with("scoring-cube-at", "cube", by.cube), by.games));
        let mut groups = vec![vec![(t.get("scoring-all-games"), of.all)], beginners, wins, cubes.collect()];
        for group in &mut groups {
            group.retain(|(_, games)| games.games > 0);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}

/// The buttons.
impl SheetPage<'_> {
    fn undo(&self) -> Option<Button> {
        let undo = |step: &Step| Button::undo(&self.t, self.t.act(&step.events), step.steps.entry.id);
        self.screen.undo.as_ref().map(undo)
    }

    fn redo(&self) -> Option<Button> {
        let redo = |step: &Step| Button::redo(&self.t, self.t.act(&step.events), step.steps.entry.id);
        self.screen.redo.as_ref().map(redo)
    }

    /// Whether the viewer can do anything here.
    fn may_act(&self) -> bool {
        !self.screen.legal.is_empty() || self.screen.undo.is_some() || self.screen.redo.is_some()
    }

    /// Buttons to stop and resume play, to confirm a score, and to pay. Beside a board they are drawn
    /// smaller.
    fn acts(&self) -> Vec<Button> {
        buttons(self.screen, |command| {
            let (label, main) = if let Command::Resume {} = command {
                (self.t.get("scoring-resume"), true)
            } else if let Command::AbandonBoard {} = command {
                (self.t.get("scoring-abandon-board"), false)
            } else if let Command::Adjourn {} = command {
                (self.t.get("scoring-adjourn"), false)
            } else if let Command::Final { score: told } = command {
                (self.t.with("scoring-it-ended", "score", score(*told)), true)
            } else if let Command::Pay { by, amount } = command {
                // While games are still entered a payment is not the likeliest act.
                (self.t.pays("scoring-pays", *by, *amount), self.is_over())
            } else {
                return None;
            };
            let button = Button::new(label, command);
            Some(match (main, self.sheet().board()) {
                (true, _) => button.main(),
                (false, Some(_)) => button.quiet(),
                (false, None) => button,
            })
        })
    }

    /// Buttons to play the next game on a board.
    pub(super) fn starts(&self) -> Vec<Button> {
        buttons(self.screen, |command| {
            let Command::StartBoard { dice } = command else { return None };
            let key = match dice {
                DiceSource::Drawn => "scoring-board-drawn",
                DiceSource::Entered => "scoring-board-entered",
            };
            Some(Button::new(self.t.get(key), command))
        })
    }

    /// Buttons about a game or about the final score (`None`): to rule on a contest of it, which is the first
    /// thing expected of those who may; to contest it, or withdraw that.
    fn about(&self, entry: Option<u32>) -> Vec<Button> {
        let mut about = buttons(self.screen, |command| {
            let Command::RuleContest { game, ruling } = command else { return None };
            let key = match ruling {
                ContestRuling::Stands => "contest-stands",
                ContestRuling::Void => "contest-void",
            };
            (*game == entry).then(|| Button::new(self.t.with(key, "what", self.t.which(entry)), command))
        });
        about.extend(buttons(self.screen, |command| {
            let (key, by, game) = if let Command::Contest { by, game } = command {
                ("contest-do", *by, *game)
            } else if let Command::WithdrawContest { by, game } = command {
                ("contest-withdraw", *by, *game)
            } else {
                return None;
            };
            (game == entry).then(|| Button::new(self.t.contest(key, by, game), command).quiet())
        }));
        about
    }

    fn about_score(&self) -> Vec<Button> {
        self.about(None)
    }

    fn about_line(&self, line: &LineView) -> Vec<Button> {
        line.what.game().map_or_else(Vec::new, |game| self.about(Some(game)))
    }

    /// Closes the money session.
    fn close(&self) -> Option<Button> {
        let close = |command: &Command| {
            let is_it = matches!(command, Command::Close {});
            is_it.then(|| Button::new(self.t.get("scoring-close"), command))
        };
        buttons(self.screen, close).pop()
    }
}

/// The forms, and the buttons that are seldom wanted.
impl<'a> SheetPage<'a> {
    fn form(&self, label: &str, fields: Fields) -> Button {
        Button::of_form(self.t.get(label), fields)
    }

    /// Buttons to end the game or the match without playing on.
    fn further(&self) -> Vec<Button> {
        buttons(self.screen, |command| {
            let label = if let Command::Concede { by } = command {
                self.t.with("scoring-concedes", "name", self.t.side(*by))
            } else if let Command::Draw {} = command {
                self.t.get("scoring-draw")
            } else {
                return None;
            };
            Some(Button::new(label, command))
        })
    }

    /// The sides that may be reported late.
    fn late(&self) -> &'a [Slot] {
        self.legal(|legal| if let Legal::Late { by } = legal { Some(by.as_slice()) } else { None })
            .unwrap_or_default()
    }

    fn late_button(&self, by: &Slot) -> Button {
        let label = self.t.with("scoring-late", "name", self.t.side(*by));
        Button::of_form(label, Fields::lacking(CommandKind::Late).with("by", by))
    }

    /// The sides that can be given points for the other's penalty.
    fn gains(&self) -> &'a [Slot] {
        self.legal(
            |legal| if let Legal::Penalty { gains, .. } = legal { Some(gains.as_slice()) } else { None },
        )
        .unwrap_or_default()
    }

    /// Its label names the side at fault.
    fn penalty_button(&self, gains: &Slot) -> Button {
        let label = self.t.with("scoring-penalty-of", "name", self.t.side(gains.other()));
        Button::of_form(label, Fields::lacking(CommandKind::Penalty).with("gains", gains))
    }

    /// How many more points bring a side to one point away, so that the next game is the Crawford game (M3).
    /// `None` after it.
    fn to_crawford(&self, gains: &Slot) -> Option<String> {
        let tally = self.sheet().tally().filter(|tally| tally.phase() == MatchPhase::BeforeCrawford)?;
        let points = tally.away(*gains).saturating_sub(1);
        let name = &self.t.side(*gains);
        Some(self.t.fill("scoring-penalty-to-crawford", &[("name", name), ("points", &points)]))
    }

    /// Whether one of the further forms was refused.
    fn is_further_refused(&self) -> bool {
        let act = self.target().act;
        let (form, commands) = (self.frame.form(&act), ["late", "penalty", "final", "set_clock", "import"]);
        form.asking("points_then[upper]:number").is_refused()
            || commands.into_iter().any(|command| form.sending("command", command).is_refused())
            || self.further().iter().any(|button| self.frame.form_of(button, &act).is_refused())
    }

    /// The least points of each side in a final score without games, and the length of the match.
    fn final_score(&self) -> Option<([u16; 2], u16)> {
        self.legal(|legal| {
            if let Legal::Final { length, at_least } = legal { Some((*at_least, *length)) } else { None }
        })
    }

    /// What a director can rule: what each choice sets, and its words. Every ruling names the command, so
    /// that none is given before one is chosen. No-shows are recorded at the desk of the tournament, if the
    /// match has one.
    fn rulings(&self) -> Vec<(String, String)> {
        let t = &self.t;
        let goes_on =
            self.legal(|legal| if let Legal::Rule { goes_on } = legal { Some(*goes_on) } else { None });
        let Some(goes_on) = goes_on else { return Vec::new() };
        let friendly = self.view.of.is_none();
        let rule = || Fields::lacking(CommandKind::Rule);
        let mut rulings = Vec::new();
        if goes_on {
            rulings.push((rule().choice(), t.get("scoring-goes-on")));
        }
        for (ending, key, is_given) in [
            (Ending::Conceded, "desk-concedes", true),
            (Ending::Forfeit, "desk-forfeits", true),
            (Ending::Walkover, "desk-walks-over", friendly),
            (Ending::Disqualified, "desk-disqualified", true),
        ] {
            for winner in Slot::BOTH.into_iter().filter(|_| is_given) {
                let (name, loser) = (&t.side(winner), &t.side(winner.other()));
                let ruled = rule().with("outcome[winner]", &winner).with("outcome[ending]", &ending);
                rulings.push((ruled.choice(), t.fill(key, &[("winner", name), ("loser", loser)])));
            }
        }
        if friendly {
            let [one, other] = &t.sides();
            let ruled = rule().with("outcome[ending]", &Ending::DoubleForfeit);
            rulings.push((ruled.choice(), t.fill("desk-nobody-came", &[("one", one), ("other", other)])));
        }
        rulings
    }

    /// The clock that the form to set it is filled in with, and what each side has left, in minutes and
    /// seconds: those there are or, without a clock yet, what a director grants in mid-match.
    fn clock_to_set(&self) -> Option<(ClockSetting, [String; 2])> {
        self.legal(|legal| matches!(legal, Legal::SetClock { .. }).then_some(()))?;
        let seconds = |left: TimeDelta| u32::try_from(left.num_seconds().max(0)).unwrap_or(0);
        let left = |clock: &Clock| clock.left(self.screen.now).map(seconds);
        let has = self.sheet().clock_setting().zip(self.sheet().clock().map(left));
        let offered = || {
            self.screen.offers.iter().find_map(|offer| {
                if let Command::SetClock { clock, left } = &offer.command { clock.zip(*left) } else { None }
            })
        };
        let (setting, left) = has.or_else(offered)?;
        Some((setting, left.map(written)))
    }

    /// How the proposal for a clock comes about.
    fn why_clock(&self, setting: &ClockSetting, granted: &str) -> String {
        let reserve = written(setting.reserve_a_point.into());
        self.t.fill("scoring-clock-why", &[("reserve", &reserve), ("time", &granted)])
    }

    /// The form asks what each side has left.
    fn set_clock(&self, setting: &ClockSetting) -> Button {
        let command = Command::SetClock { clock: Some(*setting), left: None };
        Button::new(self.t.get("scoring-clock-set"), &command)
    }

    fn remove_clock(&self) -> Option<Button> {
        let remove = |command: &Command| {
            let is_it = matches!(command, Command::SetClock { clock: None, .. });
            is_it.then(|| Button::new(self.t.get("scoring-clock-remove"), command))
        };
        buttons(self.screen, remove).pop()
    }

    fn may_import(&self) -> bool {
        self.screen.legal.contains(&Legal::Import {})
    }
}

/// Seconds in minutes and seconds, as they are typed: `9`, `9:30`.
fn written(seconds: u32) -> String {
    match (seconds / 60, seconds % 60) {
        (minutes, 0) => minutes.to_string(),
        (minutes, seconds) => format!("{minutes}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::matches::clock::ClockPage;
    use crate::matches::sample;

    #[test]
    fn every_offer_is_a_button_once_unless_a_form_has_it() {
        let sheet = sample::contested();
        let mut screen = sample::screen(&sheet, |_| true);
        screen.offers.retain(|offer| !matches!(offer.command, Command::Game(_)));
        let t = sample::english(&screen);
        let page = SheetPage::new(t, Frame::default(), &screen, BoardView::default(), None);
        let clock = ClockPage::new(t, Frame::default(), &screen).unwrap();
        let about = page.about(Some(1));
        let labels: Vec<&str> = about.iter().map(|button| button.label.as_str()).collect();
        assert!(labels[0].starts_with("Let ") && labels[1].starts_with("Strike out "), "{labels:?}");
        let all = [page.acts(), page.starts(), about, page.further()].concat().into_iter();
        let all = all.chain(page.remove_clock()).chain(page.close()).chain(clock.buttons());
        let mut drawn: Vec<Value> = all.map(|button| button.fields.command()).collect();
        let in_forms = |command: &Command| {
            matches!(command, Command::Resign { .. } | Command::Rule { .. } | Command::Board { .. })
        };
        let offered = screen.offers.iter().map(|offer| &offer.command).filter(|command| !in_forms(command));
        for command in offered {
            let command = Fields::of(command).command::<Value>();
            let at = drawn.iter().position(|drawn| *drawn == command);
            drawn.swap_remove(at.unwrap_or_else(|| panic!("no button for {command}")));
        }
        assert_eq!(drawn, [] as [Value; 0], "buttons for what is not offered");
    }
}
