//! The clock. Every event of the clock happens at the time of its act.

use super::Act;
use crate::matches::Slot;
use crate::matches::clock::{Clock, ClockSetting, MOST_LEFT};
use crate::matches::event::Event;
use crate::matches::refusal::Refusal;

type Done = Result<(), Refusal>;

fn clock(act: &Act) -> Result<&Clock, Refusal> {
    act.now.clock().ok_or(Refusal::NoClock)
}

/// Sets the clock, with its whole reserve or with so much time for each side, or removes it.
pub(super) fn set(act: &mut Act, setting: Option<ClockSetting>, left: Option<[u32; 2]>) -> Done {
    if act.now.clock().is_some_and(|clock| clock.running().is_some()) {
        return Err(Refusal::ClockRuns);
    }
    possible(setting)?;
    let left = left.filter(|_| setting.is_some());
    if left.is_some_and(|left| left.iter().any(|seconds| *seconds > MOST_LEFT)) {
        return Err(Refusal::BadClock);
    }
    let has = |left: [u32; 2]| act.now.clock().is_some_and(|clock| *clock == clock.with(left));
    if act.now.clock_setting() == setting && left.is_none_or(has) {
        return Err(Refusal::NothingChanges);
    }
    act.happens(Event::ClockSet { clock: setting, left });
    Ok(())
}

/// Checks that a clock can have this setting.
pub(super) fn possible(setting: Option<ClockSetting>) -> Done {
    if setting.is_none_or(ClockSetting::is_possible) { Ok(()) } else { Err(Refusal::BadClock) }
}

/// Begins a side's move: the first, or after a pause a new one.
pub(super) fn start(act: &mut Act, slot: Slot) -> Done {
    if clock(act)?.running().is_some() {
        return Err(Refusal::ClockRuns);
    }
    act.happens(Event::ClockStarted { slot });
    Ok(())
}

pub(super) fn press(act: &mut Act, by: Slot) -> Done {
    let running = clock(act)?.running().ok_or(Refusal::ClockStands)?;
    if running != by {
        return Err(Refusal::NotYourClock { running });
    }
    act.happens(Event::ClockStarted { slot: by.other() });
    Ok(())
}

pub(super) fn pause(act: &mut Act) -> Done {
    clock(act)?.running().ok_or(Refusal::ClockStands)?;
    act.happens(Event::ClockPaused {});
    Ok(())
}

pub(super) fn resume(act: &mut Act) -> Done {
    if clock(act)?.running().is_some() {
        return Err(Refusal::ClockRuns);
    }
    clock(act)?.paused().ok_or(Refusal::ClockStands)?;
    act.happens(Event::ClockResumed {});
    Ok(())
}
