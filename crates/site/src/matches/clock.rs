//! The page of a match's clock: two halves to tap. The script counts the time down from the values in the
//! page. The page also shows the time left when it was made, for readers without a script.

use super::{address, buttons, live};
use crate::pages::button::{Button, Target};
use crate::pages::live::live_page;
use crate::pages::{Frame, LivePart};
use crate::sentences::matches::{SheetSentences, score};
use owlbox_desk::matches::screen::MatchScreen;
use owlbox_play::matches::clock::{Clock, ClockSetting};
use owlbox_play::matches::{Command, Legal, Slot, View};

/// Below this many milliseconds the time is marked as low.
const LOW: i64 = 60_000;

/// Whether the page has buttons for the offers of this legal command.
pub(super) const fn is_of_clock(legal: &Legal) -> bool {
    matches!(
        legal,
        Legal::StartClock { .. } | Legal::PressClock { .. } | Legal::PauseClock {} | Legal::ResumeClock {}
    )
}

/// `/matches/{id}/clock`
#[derive(Debug)]
pub(super) struct ClockPage<'a> {
    pub t: SheetSentences<'a>,
    pub frame: Frame,
    pub screen: &'a MatchScreen,
    pub setting: ClockSetting,
    pub clock: &'a Clock,
}

live_page!(ClockPage<'a>, "matches/clock_live.html" in "matches/clock.html");

impl<'a> ClockPage<'a> {
    /// The clock as it stands. `None` for a match without one.
    pub fn new(t: SheetSentences<'a>, frame: Frame, screen: &'a MatchScreen) -> Option<Self> {
        let sheet = &screen.stream.state;
        let (setting, clock) = sheet.clock_setting().zip(sheet.clock())?;
        Some(Self { t, frame, screen, setting, clock })
    }

    fn live(&self) -> LivePart {
        live(self.screen, address(self.screen.id, "/clock"))
    }

    /// A tap counts whatever has happened since.
    fn target(&self) -> Target {
        Target::at_match(self.screen.id, None, address(self.screen.id, "/clock"))
    }

    /// The score, and the length of the match.
    fn score(&self) -> String {
        format!("{} · {}", score(View::score_of(&self.screen.stream.state)), self.t.terms())
    }

    /// The state of the clock in a sentence.
    fn standing(&self) -> String {
        let t = &self.t;
        match (self.screen.stream.state.outcome(), self.clock.running(), self.clock.paused()) {
            (Some(_), ..) => t.get("is-over"),
            (_, Some(slot), _) => t.with("clock-runs-for", "name", t.side(slot)),
            (_, None, Some(_)) => t.get("clock-is-paused"),
            (_, None, None) => t.get("clock-who-begins"),
        }
    }

    /// Pauses or resumes the clock.
    fn button(&self) -> Option<Button> {
        let button = |command: &Command| {
            if let Command::PauseClock {} = command {
                Some(Button::new(self.t.get("clock-pause"), command))
            } else if let Command::ResumeClock {} = command {
                Some(Button::new(self.t.get("clock-resume"), command).main())
            } else {
                None
            }
        };
        buttons(self.screen, button).pop()
    }

    /// A tap on a half of the clock. The side that has moved presses; before the first move, the tap names
    /// the side that begins. A paused clock is resumed.
    fn tap(&self, half: Slot) -> Option<Button> {
        let tap = |command: &Command| {
            let (key, slot) = if let Command::PressClock { by } = command {
                ("clock-has-moved", by)
            } else if let Command::StartClock { slot } = command {
                ("clock-begins", slot)
            } else {
                return None;
            };
            (*slot == half).then(|| Button::new(self.t.with(key, "name", self.t.side(half)), command))
        };
        buttons(self.screen, tap).pop().filter(|_| self.clock.paused().is_none())
    }

    /// The time that a side has left in milliseconds, with the present move counted up to when the page was
    /// made.
    fn left(&self, half: Slot) -> i64 {
        half.choose(self.clock.left(self.screen.now)).num_milliseconds()
    }

    /// Its reserve without the present move, in milliseconds.
    fn reserve(&self, half: Slot) -> i64 {
        half.choose(self.clock.before_the_move()).num_milliseconds()
    }

    /// Whether it is this side's move: its time runs, or would if the clock were not paused.
    fn is_on_move(&self, half: Slot) -> bool {
        self.clock.running().or(self.clock.paused()) == Some(half)
    }

    /// Whether little time is left, but some.
    fn is_low(&self, left: &i64) -> bool {
        (0..LOW).contains(left)
    }

    /// Minutes and seconds. A side that is out of time gets a minus sign.
    fn figures(&self, left: &i64) -> String {
        let sign = if *left < 0 { "-" } else { "" };
        // A second that has begun counts in full, as on a real clock.
        let seconds = left.unsigned_abs().div_ceil(1000);
        format!("{sign}{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use owlbox_base::journal::{Aggregate as _, Inputs};

    use super::*;
    use crate::matches::sample;
    use crate::pages::LivePage as _;

    impl ClockPage<'_> {
        /// Every button of the page.
        pub fn buttons(&self) -> impl Iterator<Item = Button> {
            Slot::BOTH.into_iter().filter_map(|half| self.tap(half)).chain(self.button())
        }
    }

    #[test]
    fn a_tap_on_the_clock_begins_presses_or_resumes() {
        let mut sheet = sample::contested();
        let mut after = |command: Command| {
            let now = chrono::DateTime::UNIX_EPOCH.into();
            let mut chance = owlbox_desk::Dice::seeded(0);
            for event in sheet.decide(&command, &mut Inputs { now, chance: &mut chance }).unwrap() {
                sheet.apply(&event, now);
            }
            let screen = sample::screen(&sheet, is_of_clock);
            let page = ClockPage::new(sample::english(&screen), Frame::default(), &screen).unwrap();
            // Of two taps in a row the second waits for what the first leads to: its form has a field for
            // that version.
            let versions = page.whole().unwrap().matches("name=\"version\" value=\"\"").count();
            assert_eq!(versions, page.buttons().count());
            let label = |button: Option<Button>| button.map(|button| button.label).unwrap_or_default();
            (Slot::BOTH.map(|half| label(page.tap(half))), label(page.button()))
        };
        let halves = |upper: &str, lower: &str| [upper.to_owned(), lower.to_owned()];
        let start = after(Command::StartClock { slot: Slot::Upper });
        assert_eq!(start, (halves("Ann has moved", ""), "Pause".to_owned()));
        let paused = after(Command::PauseClock {});
        assert_eq!(paused, (halves("", ""), "Go on".to_owned()));
    }

    #[test]
    fn time_reads_as_on_a_clock() {
        let sheet = sample::contested();
        let screen = sample::screen(&sheet, is_of_clock);
        let page = ClockPage::new(sample::english(&screen), Frame::default(), &screen).unwrap();
        for (left, read) in
            [(720_000, "12:00"), (59_001, "1:00"), (59_000, "0:59"), (0, "0:00"), (-61_500, "-1:02")]
        {
            assert_eq!(page.figures(&left), read);
        }
    }
}
