//! The buttons of a match. The desk has spelled the legal commands out; each of its offers becomes a button, here sorted
//! into the place where it is drawn. Results of games are in `scoring`, forms in `sheet`.

use crate::pages::button::Button;
use std::collections::BTreeMap;

use super::{MatchContext, words};
use owlbox_engine::game::DiceSource;
use owlbox_play::matches::{Command, ContestRuling, Legal, Slot, Status};

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
    pub(super) acts: Vec<Button>,
    /// Play the next game on a board.
    pub(super) starts: Vec<Button>,
    /// Contest a game or the final score (`None`), or withdraw that.
    contests: BTreeMap<Option<u32>, Vec<Button>>,
    /// Rule on that.
    rulings: BTreeMap<Option<u32>, Vec<Button>>,
    pub(super) further: Vec<Button>,
    pub(super) no_clock: Option<Button>,
    pub(super) close: Option<Button>,
    /// Pauses or resumes the clock.
    pub(super) clock: Option<Button>,
    /// A tap on a half of the clock. The side that has moved presses; before the first move, the tap names the side that
    /// begins.
    pub(super) halves: [Option<Button>; 2],
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
    pub(super) fn about(&self, game: Option<u32>) -> Vec<Button> {
        [&self.rulings, &self.contests]
            .into_iter()
            .filter_map(|of| of.get(&game))
            .flatten()
            .cloned()
            .collect()
    }

    fn put(&mut self, context: &MatchContext<'_>, command: &Command) {
        let (t, sheet) = (context.t, context.sheet);
        let button = |label: String| Button::new(label, command);
        let of = |key: &str, slot: Slot| button(t.with(key, "name", context.name(slot)));
        let beside = |button: Button| if sheet.board().is_some() { button.quiet() } else { button };
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

    fn tap(&mut self, slot: Slot, button: Button) {
        let [upper, lower] = &mut self.halves;
        *match slot {
            Slot::Upper => upper,
            Slot::Lower => lower,
        } = Some(button);
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;
    use owlbox_base::journal::{Aggregate as _, Inputs};
    use owlbox_base::values::PlayerId;
    use owlbox_play::matches::clock::Setting;
    use owlbox_play::matches::score::Length;
    use owlbox_play::matches::{EnteredBy, Sheet, Terms};
    use serde_json::{Value, json};

    use super::*;
    use crate::pages::BoardView;
    use crate::pages::matches::sample;
    use owlbox_locale::{Language, Locale};

    /// A contested friendly match with a clock.
    fn contested() -> Sheet {
        let mut sheet = Sheet::initial();
        let players = [1, 2].map(|number| PlayerId(uuid::Uuid::from_u128(number)));
        let terms = Terms::match_to(Length::try_from(5).unwrap());
        let won = json!({"command": "game", "winner": "upper", "win": "single"});
        let commands = [
            Command::Open { players, terms, clock: Some(Setting::STANDARD), of: None },
            Command::GivenBy {
                by: EnteredBy::Upper,
                command: Box::new(serde_json::from_value(won).unwrap()),
            },
            Command::Contest { by: Slot::Lower, game: Some(1) },
        ];
        for command in &commands {
            let now = chrono::DateTime::UNIX_EPOCH.into();
            let mut chance = owlbox_desk::Dice::seeded(0);
            for event in sheet.decide(command, &mut Inputs { now, chance: &mut chance }).unwrap() {
                sheet.apply(&event, now);
            }
        }
        sheet
    }

    #[test]
    fn every_offer_is_a_button_once_unless_a_form_has_it() {
        let (sheet, t) = (contested(), Locale::new(Language::English, Tz::UTC));
        let mut screen = sample::screen(&sheet, |_| true);
        screen.offers.retain(|offer| !matches!(offer.command, Command::Game(_)));
        let context = MatchContext::new(&t, &screen, BoardView::default());
        let buttons = Buttons::new(&context);
        let about = buttons.about(Some(1));
        let labels: Vec<&str> = about.iter().map(|button| button.label.as_str()).collect();
        assert!(labels[0].starts_with("Let ") && labels[1].starts_with("Strike out "), "{labels:?}");
        let Buttons { acts, starts, further, no_clock, close, clock, halves, .. } = buttons;
        let all = [acts, starts, about, further].concat().into_iter();
        let all = all.chain(no_clock).chain(close).chain(clock).chain(halves.into_iter().flatten());
        let mut drawn: Vec<Value> = all.map(|button| button.fields.command()).collect();
        let in_forms = |command: &Command| {
            matches!(command, Command::Resign { .. } | Command::Rule { .. } | Command::Board { .. })
        };
        let offered = screen.offers.iter().map(|offer| &offer.command).filter(|command| !in_forms(command));
        for command in offered {
            let command = crate::pages::Fields::of(command).command::<Value>();
            let at = drawn.iter().position(|drawn| *drawn == command);
            drawn.swap_remove(at.unwrap_or_else(|| panic!("no button for {command}")));
        }
        assert_eq!(drawn, [] as [Value; 0], "buttons for what is not offered");
    }

    #[test]
    fn a_tap_on_the_clock_begins_presses_or_resumes() {
        let (mut sheet, t) = (contested(), Locale::new(Language::English, Tz::UTC));
        let mut after = |command: Command| {
            let now = chrono::DateTime::UNIX_EPOCH.into();
            let mut chance = owlbox_desk::Dice::seeded(0);
            for event in sheet.decide(&command, &mut Inputs { now, chance: &mut chance }).unwrap() {
                sheet.apply(&event, now);
            }
            let screen = sample::screen(&sheet, is_of_clock);
            let buttons = Buttons::new(&MatchContext::new(&t, &screen, BoardView::default()));
            let label = |button: Option<Button>| button.map(|button| button.label).unwrap_or_default();
            (buttons.halves.map(label), label(buttons.clock))
        };
        let halves = |upper: &str, lower: &str| [upper.to_owned(), lower.to_owned()];
        let start = after(Command::StartClock { slot: Slot::Upper });
        assert_eq!(start, (halves("Ann has moved", ""), "Pause".to_owned()));
        let paused = after(Command::PauseClock {});
        assert_eq!(paused, (halves("", ""), "Go on".to_owned()));
    }
}
