//! The page of a match's clock: two halves to tap. The script counts the time down from the values in the
//! page. The page also shows the time left when it was made, for readers without a script.

use crate::pages::button::{Button, Target};
use chrono::TimeDelta;

use super::acts::Buttons;
use super::{MatchContext, sheet, words};
use crate::pages::live::live_page;
use crate::pages::{Frame, LivePart};
use owlbox_base::values::Timestamp;
use owlbox_locale::Locale;
use owlbox_play::matches::view::ClockView;
use owlbox_play::matches::{Slot, View};

/// Below this many milliseconds the time is marked as low.
const LOW: i64 = 60_000;

#[derive(Debug)]
pub struct ClockPage {
    pub t: Locale,
    pub frame: Frame,
    /// How the page is fetched again after a change.
    pub live: LivePart,
    pub target: Target,
    pub id: String,
    /// Why the last act was refused.
    pub notice: Option<String>,
    /// The score, and the length of the match.
    pub score: String,
    pub halves: [Half; 2],
    /// Seconds of each move that cost nothing.
    pub delay: u16,
    /// The time when the page was made, in milliseconds since 1970.
    pub now: i64,
    /// The start of the present move, in milliseconds since 1970. `None` while no time runs.
    pub since: Option<i64>,
    /// The state of the clock in a sentence.
    pub said: String,
    /// Pauses or resumes the clock.
    pub button: Option<Button>,
}

live_page!(ClockPage, "matches/clock_live.html" in "matches/clock.html");

#[derive(Clone, Debug)]
pub struct Half {
    pub name: String,
    pub slot: &'static str,
    /// The reserve in milliseconds, without the present move.
    pub left: i64,
    /// The reserve in figures, with the present move counted up to when the page was made.
    pub shown: String,
    /// The rest of the delay, in seconds.
    pub delay_left: String,
    pub running: bool,
    /// Whether it is this side's move: its time runs, or would if the clock were not paused.
    pub on_move: bool,
    pub low: bool,
    pub out: bool,
    pub button: Option<Button>,
}

impl ClockPage {
    /// The clock as it stands. `None` for a match without one.
    #[must_use]
    pub fn new(context: &MatchContext<'_>, frame: Frame) -> Option<Self> {
        let t = context.t;
        let view = View::from(context.sheet);
        let clock = view.clock?;
        let now = context.sheet.clock()?.left(context.screen.now);
        let Buttons { clock: button, halves: [upper, lower], .. } = Buttons::new(context);
        let taps = [(Slot::Upper, upper), (Slot::Lower, lower)];
        Some(Self {
            t: *t,
            frame,
            live: sheet::live(context, context.address("/clock")),
            target: Target::at_match(context.screen.id, None, context.address("/clock")),
            id: context.screen.id.to_string(),
            notice: None,
            score: format!("{} · {}", words::score(view.score), words::terms(t, view.terms)),
            halves: taps.map(|(slot, tap)| half(context, &clock, slot, now, tap)),
            delay: clock.setting.delay,
            now: millis(context.screen.now),
            since: clock.since.map(millis),
            said: clock_in_words(context, &clock, view.outcome.is_some()),
            button,
        })
    }
}

fn millis(moment: Timestamp) -> i64 {
    moment.utc().timestamp_millis()
}

fn clock_in_words(context: &MatchContext<'_>, clock: &ClockView, over: bool) -> String {
    let t = context.t;
    match (over, clock.running, clock.paused) {
        (true, ..) => t.get("is-over"),
        (_, Some(slot), _) => t.with("clock-runs-for", "name", context.name(slot)),
        (_, None, Some(_)) => t.get("clock-is-paused"),
        (_, None, None) => t.get("clock-who-begins"),
    }
}

fn half(
    context: &MatchContext<'_>,
    clock: &ClockView,
    slot: Slot,
    now: [TimeDelta; 2],
    button: Option<Button>,
) -> Half {
    let of = |two: [i64; 2]| match slot {
        Slot::Upper => two[0],
        Slot::Lower => two[1],
    };
    let left = of(now.map(|left| left.num_milliseconds()));
    let running = clock.running == Some(slot);
    let on_move = running || clock.paused == Some(slot);
    let delay = i64::from(clock.setting.delay) * 1000;
    let used = match (running, clock.since) {
        (true, Some(since)) => (millis(context.screen.now) - millis(since)).max(0),
        _ if on_move => clock.used.unwrap_or(0),
        _ => 0,
    };
    Half {
        name: context.name(slot).to_owned(),
        slot: words::slot_name(slot),
        left: of(clock.left),
        shown: figures(left),
        delay_left: ((delay - used).max(0) / 1000).to_string(),
        running,
        on_move,
        low: (0..LOW).contains(&left),
        out: left < 0,
        button,
    }
}

/// Minutes and seconds. A side that is out of time gets a minus sign.
fn figures(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { "-" } else { "" };
    // A second that has begun counts in full, as on a real clock.
    let seconds = milliseconds.unsigned_abs().div_ceil(1000);
    format!("{sign}{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::figures;

    #[test]
    fn time_reads_as_on_a_clock() {
        for (left, read) in
            [(720_000, "12:00"), (59_001, "1:00"), (59_000, "0:59"), (0, "0:00"), (-61_500, "-1:02")]
        {
            assert_eq!(figures(left), read);
        }
    }
}
