//! The clock. Every event of the clock happens at the time of its act.

use super::Act;
use crate::matches::Slot;
use crate::matches::clock::{Clock, Setting};
use crate::matches::event::Event;
use crate::matches::refusal::Refusal;

type Done = Result<(), Refusal>;

fn clock(act: &Act) -> Result<&Clock, Refusal> {
    act.now.clock().ok_or(Refusal::NoClock)
}

/// Sets the clock with its whole reserve, or removes it.
pub(super) fn set(act: &mut Act, setting: Option<Setting>) -> Done {
    if act.now.clock().is_some_and(|clock| clock.running().is_some()) {
        return Err(Refusal::ClockRuns);
    }
    possible(setting)?;
    if act.now.clock_setting() == setting {
        return Err(Refusal::NothingChanges);
    }
    act.happens(Event::ClockSet { clock: setting });
    Ok(())
}

/// Checks that a clock can have this setting.
pub(super) fn possible(setting: Option<Setting>) -> Done {
    if setting.is_none_or(Setting::is_possible) { Ok(()) } else { Err(Refusal::BadClock) }
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
