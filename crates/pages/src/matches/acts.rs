//! The buttons of a match. The desk has spelled the legal commands out; each of its offers becomes a button, here sorted
//! into the place where it is drawn. Results of games are in `scoring`, forms in `sheet`.

use std::collections::BTreeMap;

use super::{CommandButton, MatchContext, words};
use owlbox_domain::matches::{Command, ContestRuling, Legal, Slot, Status};
use owlbox_engine::game::DiceSource;

/// Whether the sheet has buttons for the offers of this legal command. The others have forms, and the board has its own
/// buttons.
#[must_use]
pub const fn has_buttons(legal: &Legal) -> bool {
    !matches!(legal, Legal::Resign { .. } | Legal::Rule { .. } | Legal::Board { .. })
}

/// The same of the clock's page.
#[must_use]
pub const fn is_of_clock(legal: &Legal) -> bool {
    matches!(
        legal,
        Legal::StartClock { .. } | Legal::PressClock { .. } | Legal::PauseClock {} | Legal::ResumeClock {}
    )
}

/// The buttons, by where they are drawn.
#[derive(Default)]
pub(super) struct Buttons {
    /// Stop and resume play, confirm a score, pay. Beside a board they are drawn smaller.
    pub(super) acts: Vec<CommandButton>,
    /// Play the next game on a board.
    pub(super) starts: Vec<CommandButton>,
    /// Contest a game or the final score (`None`), or withdraw that.
    contests: BTreeMap<Option<u32>, Vec<CommandButton>>,
    /// Rule on that.
    rulings: BTreeMap<Option<u32>, Vec<CommandButton>>,
    pub(super) further: Vec<CommandButton>,
    pub(super) no_clock: Option<CommandButton>,
    pub(super) close: Option<CommandButton>,
    /// Pauses or resumes the clock.
    pub(super) clock: Option<CommandButton>,
    /// A tap on a half of the clock. The side that has moved presses; before the first move, the tap names the side that
    /// begins.
    pub(super) halves: [Option<CommandButton>; 2],
}

impl Buttons {
    pub(super) fn new(context: &MatchContext<'_>) -> Self {
        let mut buttons = Self::default();
        for offer in &context.screen.offers {
            buttons.put(context, &offer.command);
        }
        buttons
    }

    /// The buttons about a game or about the final score (`None`). A ruling is the first thing expected of those who may
    /// give it.
    pub(super) fn about(&self, game: Option<u32>) -> Vec<CommandButton> {
        [&self.rulings, &self.contests]
            .into_iter()
            .filter_map(|of| of.get(&game))
            .flatten()
            .cloned()
            .collect()
    }

    fn put(&mut self, context: &MatchContext<'_>, command: &Command) {
        let (t, sheet) = (context.t, context.sheet);
        let button = |label: String| CommandButton::new(label, command);
        let of = |key: &str, slot: Slot| button(t.with(key, "name", context.name(slot)));
        let beside = |button: CommandButton| if sheet.board().is_some() { button.quiet() } else { button };
        match command {
            Command::Resume {} => self.acts.push(button(t.get("scoring-resume")).main()),
            Command::AbandonBoard {} => self.acts.push(beside(button(t.get("scoring-abandon-board")))),
            Command::Adjourn {} => self.acts.push(beside(button(t.get("scoring-adjourn")))),
            Command::Final { score } => {
                let score = words::score(score.map(u32::from));
                self.acts.push(button(t.with("scoring-it-ended", "score", score)).main());
            }
            Command::Pay { by, amount } => {
                let pay = button(words::pays(context, "scoring-pays", *by, *amount));
                // While games are still entered a payment is not the likeliest act.
                self.acts.push(if sheet.status() == Status::Over { pay.main() } else { beside(pay) });
            }
            Command::StartBoard { dice } => self.starts.push(button(t.get(match dice {
                DiceSource::Drawn => "scoring-board-drawn",
                DiceSource::Entered => "scoring-board-entered",
            }))),
            Command::Contest { by, game } => {
                let contest = button(words::contest(context, "contest-do", *by, *game)).quiet();
                self.contests.entry(*game).or_default().push(contest);
            }
            Command::WithdrawContest { by, game } => {
                let withdraw = button(words::contest(context, "contest-withdraw", *by, *game)).quiet();
                self.contests.entry(*game).or_default().push(withdraw);
            }
            Command::RuleContest { game, ruling } => {
                let key = match ruling {
                    ContestRuling::Stands => "contest-stands",
                    ContestRuling::Void => "contest-void",
                };
                let rule = button(t.with(key, "what", words::which(context, *game)));
                self.rulings.entry(*game).or_default().push(rule);
            }
            Command::Concede { by } => self.further.push(of("scoring-concedes", *by)),
            Command::Draw {} => self.further.push(button(t.get("scoring-draw"))),
            Command::Close {} => self.close = Some(button(t.get("scoring-close"))),
            Command::SetClock { clock: None, .. } => {
                self.no_clock = Some(button(t.get("scoring-clock-remove")));
            }
            Command::PauseClock {} => self.clock = Some(button(t.get("clock-pause"))),
            Command::ResumeClock {} => self.clock = Some(button(t.get("clock-resume")).main()),
            Command::PressClock { by } => self.tap(*by, of("clock-has-moved", *by)),
            Command::StartClock { slot } => {
                // A paused clock is resumed.
                if sheet.clock().is_some_and(|clock| clock.paused().is_none()) {
                    self.tap(*slot, of("clock-begins", *slot));
                }
            }
            Command::Open { .. }
            | Command::Game(_)
            | Command::Resign { .. }
            | Command::Penalty { .. }
            | Command::Late { .. }
            | Command::Rule { .. }
            | Command::Follow(_)
            | Command::GivenBy { .. }
            | Command::Claim { .. }
            | Command::Correct { .. }
            | Command::Board { .. }
            | Command::Import { .. }
            | Command::SetClock { clock: Some(_), .. } => {}
        }
    }

    fn tap(&mut self, slot: Slot, button: CommandButton) {
        let [upper, lower] = &mut self.halves;
        *match slot {
            Slot::Upper => upper,
            Slot::Lower => lower,
        } = Some(button);
    }
}
