//! A match clock: a reserve for the whole match, and a delay per move that costs nothing.
//!
//! Every change carries the time at which it happened, so a clock that runs while the service is down has
//! kept running when it is up again.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::Slot;
use super::score::Length;
use owlbox_base::values::Timestamp;

/// Whether a flight is played with clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockPolicy {
    /// Both players must agree to a clock.
    #[default]
    Optional,
    /// A clock is used if either player insists.
    Preferred,
    /// A clock is always used.
    Required,
}

/// The most seconds that a side may be given: the longest reserve of the longest match.
pub const MOST_LEFT: u32 = 918_000;

/// The setting of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// Reserve in seconds for each point of the match length.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 3600))]
    pub reserve_a_point: u16,
    /// Seconds of each move that cost nothing (Bronstein): what is not used is lost.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 600))]
    pub delay: u16,
}

impl ClockSetting {
    /// Two minutes a point and twelve seconds a move.
    pub const STANDARD: Self = Self { reserve_a_point: 120, delay: 12 };

    /// An hour a point and ten minutes a move.
    pub const HIGHEST: Self = Self { reserve_a_point: 3600, delay: 600 };

    /// Whether a clock can have this setting.
    #[must_use]
    pub const fn is_possible(self) -> bool {
        self.reserve_a_point <= Self::HIGHEST.reserve_a_point && self.delay <= Self::HIGHEST.delay
    }

    /// What each side gets, in seconds, when a clock is set in mid-match: the reserve of the points that a
    /// side still needs, in the mean of the two. At the start that is the whole reserve.
    #[must_use]
    pub fn granted(self, away: [u16; 2]) -> u32 {
        let [upper, lower] = away.map(u32::from);
        u32::from(self.reserve_a_point) * (upper + lower) / 2
    }

    /// Each side's reserve in a match of this length.
    #[must_use]
    pub fn reserve(self, length: Length) -> TimeDelta {
        TimeDelta::seconds(i64::from(self.reserve_a_point) * i64::from(length.points()))
    }
}

impl Default for ClockSetting {
    fn default() -> Self {
        Self::STANDARD
    }
}

/// The clock between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    setting: ClockSetting,
    left: [TimeDelta; 2],
    running: Option<(Slot, Timestamp)>,
    /// The side whose move was interrupted by a pause, and the time used of it.
    paused: Option<(Slot, TimeDelta)>,
}

impl Clock {
    /// A clock with its whole reserve for a match of this length; it stands.
    #[must_use]
    pub fn new(setting: ClockSetting, length: Length) -> Self {
        Self { setting, left: [setting.reserve(length); 2], running: None, paused: None }
    }

    /// The same clock with so many seconds for each side.
    #[must_use]
    pub fn with(self, left: [u32; 2]) -> Self {
        Self { left: left.map(|seconds| TimeDelta::seconds(seconds.into())), ..self }
    }

    #[must_use]
    pub fn running(&self) -> Option<Slot> {
        self.running.map(|(slot, _)| slot)
    }

    /// The side whose move is on while the clock is paused.
    #[must_use]
    pub fn paused(&self) -> Option<Slot> {
        self.paused.map(|(slot, _)| slot)
    }

    /// When the current move began, with pauses left out; `None` while the clock stands.
    #[must_use]
    pub fn since(&self) -> Option<Timestamp> {
        self.running.map(|(_, since)| since)
    }

    /// The time used of the current move while the clock is paused.
    #[must_use]
    pub fn used(&self) -> Option<TimeDelta> {
        self.paused.map(|(_, used)| used)
    }

    /// What the current move may still take at this moment before it costs anything.
    #[must_use]
    pub fn delay_left(&self, now: Timestamp) -> TimeDelta {
        let used = self.since().map(|since| elapsed(now, since)).or(self.used()).unwrap_or_default();
        (TimeDelta::seconds(self.setting.delay.into()) - used).max(TimeDelta::zero())
    }

    /// The reserve of each side without the current move.
    #[must_use]
    pub const fn before_the_move(&self) -> [TimeDelta; 2] {
        self.left
    }

    /// The reserve of each side at this moment; below zero is out of time.
    #[must_use]
    pub fn left(&self, now: Timestamp) -> [TimeDelta; 2] {
        let mut left = self.left;
        if let Some((slot, since)) = self.running {
            left[slot.at()] -= self.cost(now, since);
        }
        if let Some((slot, used)) = self.paused {
            left[slot.at()] -= self.beyond(used);
        }
        left
    }

    /// The side that has run out of time.
    #[must_use]
    pub fn out_of_time(&self, now: Timestamp) -> Option<Slot> {
        Slot::BOTH.into_iter().find(|slot| self.left(now)[slot.at()] < TimeDelta::zero())
    }

    /// Begins this side's move: the other has pressed, or it is the first move.
    pub fn start(&mut self, slot: Slot, now: Timestamp) {
        self.left = self.left(now);
        (self.running, self.paused) = (Some((slot, now)), None);
    }

    /// Stops the clock; the current move will go on where it was.
    pub fn pause(&mut self, now: Timestamp) {
        if let Some((slot, since)) = self.running.take() {
            self.paused = Some((slot, elapsed(now, since)));
        }
    }

    /// Lets the clock run on after a pause.
    pub fn resume(&mut self, now: Timestamp) {
        if let Some((slot, used)) = self.paused.take() {
            self.running = Some((slot, (now.utc() - used).into()));
        }
    }

    fn cost(&self, now: Timestamp, since: Timestamp) -> TimeDelta {
        self.beyond(elapsed(now, since))
    }

    /// The part of a move's time that goes off the reserve.
    fn beyond(&self, used: TimeDelta) -> TimeDelta {
        (used - TimeDelta::seconds(self.setting.delay.into())).max(TimeDelta::zero())
    }
}

/// The time passed; never negative, so that setting back the machine's clock gives nobody time.
fn elapsed(now: Timestamp, since: Timestamp) -> TimeDelta {
    (now.utc() - since.utc()).max(TimeDelta::zero())
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};

    use super::*;

    fn second(second: i64) -> Timestamp {
        Utc.timestamp_opt(1_800_000_000 + second, 0).unwrap().into()
    }

    fn clock() -> Clock {
        // Two minutes a point, twelve seconds a move, three points: six minutes each.
        Clock::new(ClockSetting::STANDARD, Length::try_from(3).unwrap())
    }

    fn left(clock: &Clock, now: i64) -> [i64; 2] {
        clock.left(second(now)).map(|left| left.num_seconds())
    }

    /// Proves T17.
    #[test]
    fn a_move_costs_what_it_takes_beyond_the_delay_and_no_more_comes_back() {
        let mut clock = clock();
        assert_eq!((left(&clock, 500), clock.running()), ([360, 360], None), "it stands");
        clock.start(Slot::Upper, second(0));
        assert_eq!((left(&clock, 12), left(&clock, 20)), ([360, 360], [352, 360]));
        assert_eq!([0, 5, 12, 20].map(|now| clock.delay_left(second(now)).num_seconds()), [12, 7, 0, 0]);
        clock.start(Slot::Lower, second(20));
        clock.start(Slot::Upper, second(25));
        assert_eq!(left(&clock, 25), [352, 360], "seven seconds not used are lost");
        clock.start(Slot::Lower, second(45));
        assert_eq!(left(&clock, 45), [344, 360]);
    }

    /// Proves T17.
    #[test]
    fn a_clock_set_in_mid_match_has_the_time_of_the_points_to_be_played() {
        let granted = |away| ClockSetting::STANDARD.granted(away);
        assert_eq!(granted([7, 7]), 14 * 60, "the whole reserve");
        // Two minutes a point of the length, less one for each point won.
        assert_eq!(granted([4, 2]), (14 - 3 - 5) * 60);
        assert_eq!(ClockSetting { reserve_a_point: 45, delay: 12 }.granted([2, 1]), 67);
        assert_eq!(ClockSetting::HIGHEST.granted([255, 255]), MOST_LEFT);
    }

    #[test]
    fn a_pause_stops_the_move_where_it_is() {
        let mut clock = clock();
        clock.start(Slot::Upper, second(0));
        clock.pause(second(10));
        assert_eq!((left(&clock, 1_000), clock.delay_left(second(1_000)).num_seconds()), ([360, 360], 2));
        clock.resume(second(1_000));
        assert_eq!((left(&clock, 1_002), left(&clock, 1_004)), ([360, 360], [358, 360]));
        clock.pause(second(1_004));
        clock.pause(second(1_009));
        assert_eq!(left(&clock, 2_000), [358, 360], "pausing twice is pausing once");
        clock.resume(second(2_000));
        clock.start(Slot::Lower, second(2_000));
        assert_eq!(left(&clock, 2_000), [358, 360]);
    }

    #[test]
    fn who_has_nothing_left_is_out_of_time() {
        let mut clock = clock();
        clock.start(Slot::Lower, second(0));
        assert_eq!(clock.out_of_time(second(372)), None);
        assert_eq!(clock.out_of_time(second(373)), Some(Slot::Lower));
        assert_eq!(left(&clock, 373), [360, -1]);
        // The machine's clock was set back.
        assert_eq!(left(&clock, -50), [360, 360]);
    }
}
