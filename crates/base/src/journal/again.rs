//! Deciding again: whether what a journal says can have come of anything that was asked for.
//!
//! An event records what came of a command, not the command. [`Accountable::asked`] goes the other way: it
//! names the commands of which an event may have come, with the numbers that chance must have drawn for it.
//! An act is in order if one of them, decided by the state before it and at its time, comes to exactly these
//! events ([`decided_again`]). So whatever follows of what was asked for - who sits where, what it costs,
//! what else moves - must be what the rules make of it, and only what was said by somebody can be something
//! else that they might as well have said.
//!
//! [`History`] walks a stream act by act, through undo and redo, and has the state before each at hand.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};

use super::stream::stands_aside;
use super::{Act, ActKind, Aggregate, BrokenHistory, Chance, Inputs, Stream};
use crate::values::{ActId, Timestamp};

/// An aggregate of which it can be told what was asked of it.
pub trait Accountable: Aggregate<Event: PartialEq> {
    /// The first format whose events this build decides as they were decided. Acts of an older one are not
    /// decided again: other rules may have made them.
    const DECIDES_SINCE: i16;
    /// Whether one act may be several commands, one after the other.
    const SEVERAL: bool;
    /// So many states before the newest acts are kept at hand for undo: none where there is no undo.
    const KEPT: usize = 64;

    /// The commands of which `event` may have come by this state, the likeliest first; `act` is it and what
    /// follows it in its act. None of an event that only follows from others.
    fn asked(&self, event: &Self::Event, act: &[Self::Event]) -> Vec<PossibleCommand<Self::Command>>;
}

/// What may have been asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PossibleCommand<C> {
    pub command: C,
    /// The numbers that chance drew for it, in order, as [`Chance::below`] gave them.
    pub drawn: Vec<u32>,
}

impl<C> From<C> for PossibleCommand<C> {
    fn from(command: C) -> Self {
        Self { command, drawn: Vec::new() }
    }
}

/// What was found of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CommandFound {
    /// Nothing that could be asked for comes to it.
    Nothing,
    /// Something does, but nothing that who did it may ask for.
    NotAllowed,
    /// It is in order.
    InOrder,
}

/// Numbers that are known beforehand.
struct Drawn<'a> {
    left: &'a [u32],
    /// Whether more were drawn than there are, or another kind.
    misread: bool,
}

impl Chance for Drawn<'_> {
    fn below(&mut self, sides: u32) -> u32 {
        match self.left.split_first() {
            Some((&number, left)) if number < sides => {
                self.left = left;
                number
            }
            _ => {
                self.misread = true;
                0
            }
        }
    }
}

/// What `asked` comes to; nothing if it is refused, or if other numbers are drawn for it.
fn decided<A: Accountable>(
    state: &A,
    asked: &PossibleCommand<A::Command>,
    at: Timestamp,
) -> Option<Vec<A::Event>> {
    let mut chance = Drawn { left: &asked.drawn, misread: false };
    let events = state.decide(&asked.command, &mut Inputs { now: at, chance: &mut chance }).ok()?;
    (!chance.misread && chance.left.is_empty() && !events.is_empty()).then_some(events)
}

/// Whether `events`, which happened to `state` in one act at `at`, are what comes of something that could be
/// asked for, by somebody for whom `may` is true of the command.
pub fn decided_again<A: Accountable>(
    state: &A,
    events: &[A::Event],
    at: Timestamp,
    may: &dyn Fn(&A::Command) -> bool,
) -> CommandFound {
    // What is likeliest is right for nearly every act, and following it costs no more than deciding did.
    match best_way(state, events, at, may, 1) {
        CommandFound::InOrder => CommandFound::InOrder,
        CommandFound::Nothing | CommandFound::NotAllowed => best_way(state, events, at, may, usize::MAX),
    }
}

/// The best that is found of commands which, one after the other, come to all of `events`. From each place
/// among them, so many of the commands that come to what is next are `followed`.
///
/// The state after some of the events is the same whatever command they came of, so what is kept is how well
/// each place among them can be reached. One state moves over them, and nothing calls itself: an act may be
/// thousands of commands.
fn best_way<A: Accountable>(
    state: &A,
    events: &[A::Event],
    at: Timestamp,
    may: &dyn Fn(&A::Command) -> bool,
    followed: usize,
) -> CommandFound {
    let mut state = Cow::Borrowed(state);
    let mut reached = BTreeMap::from([(0, CommandFound::InOrder)]);
    let places = if A::SEVERAL { events.len() } else { 1 };
    for (place, event) in events.iter().enumerate().take(places) {
        let rest = events.get(place..).unwrap_or_default();
        if let Some(so_far) = reached.remove(&place) {
            let all = rest.iter().flat_map(|event| state.asked(event, rest));
            let come_to = all.filter_map(|asked| {
                let made = decided(&*state, &asked, at).filter(|made| rest.starts_with(made))?;
                let here = if may(&asked.command) { CommandFound::InOrder } else { CommandFound::NotAllowed };
                Some((place + made.len(), so_far.min(here)))
            });
            for (after, found) in come_to.take(followed) {
                if after == events.len() && found == CommandFound::InOrder {
                    return found;
                }
                let best = reached.entry(after).or_insert(found);
                *best = found.max(*best);
            }
        }
        if place + 1 < places {
            state.to_mut().apply(event, at);
        }
    }
    reached.remove(&events.len()).unwrap_or(CommandFound::Nothing)
}

/// The numbers with which a shuffle - from the last place down, each exchanged with one at or below it -
/// makes `wanted` of `list`; nothing if it is not the same things in another order, each once.
#[must_use]
pub fn drawn_for_shuffle<T: Copy + Eq + std::hash::Hash>(list: &[T], wanted: &[T]) -> Option<Vec<u32>> {
    let mut list = list.to_vec();
    let mut places: HashMap<T, usize> = list.iter().copied().zip(0..).collect();
    if places.len() != list.len() || wanted.len() != list.len() {
        return None;
    }
    let mut drawn = Vec::with_capacity(list.len());
    for (last, thing) in wanted.iter().enumerate().skip(1).rev() {
        let place = *places.get(thing).filter(|place| **place <= last)?;
        let moved = *list.get(last)?;
        list.swap(last, place);
        places.insert(moved, place);
        places.insert(*thing, last);
        drawn.push(u32::try_from(place).ok()?);
    }
    (list == wanted).then_some(drawn)
}

/// A stream's history, walked act by act.
pub struct History<'a, A: Aggregate> {
    acts: &'a [Act<A::Event>],
    by_id: HashMap<ActId, usize>,
    /// The stream after the acts that were walked.
    stream: Stream<A>,
    /// The states before the newest effective acts, the newest last.
    before: VecDeque<A>,
    walked: usize,
    /// Whether an act has stood aside: what is taken back around it only a replay can tell.
    aside: bool,
}

impl<'a, A: Accountable> History<'a, A> {
    /// The history of `acts`, before the first.
    #[must_use]
    pub fn new(acts: &'a [Act<A::Event>]) -> Self {
        let by_id = acts.iter().map(|act| act.id).zip(0..).collect();
        let (stream, before) = (Stream::default(), VecDeque::new());
        Self { acts, by_id, stream, before, walked: 0, aside: false }
    }

    /// The stream as it is after what was walked.
    pub const fn stream(&self) -> &Stream<A> {
        &self.stream
    }

    /// The stream as it is after what was walked, for good.
    #[must_use]
    pub fn into_stream(self) -> Stream<A> {
        self.stream
    }

    /// The next act, if there is one; [`stream`](Self::stream) is as it was before it.
    #[must_use]
    pub fn next_act(&self) -> Option<&'a Act<A::Event>> {
        self.acts.get(self.walked)
    }

    /// Walks over the next act.
    ///
    /// # Errors
    /// As [`Stream::replay`].
    pub fn walk(&mut self) -> Result<(), BrokenHistory> {
        let Some(act) = self.next_act() else { return Ok(()) };
        match &act.kind {
            kind if stands_aside::<A>(kind) => {
                self.aside = true;
                self.before.clear();
                self.stream.extend(act)?;
            }
            ActKind::Events(_) => {
                self.keep();
                self.stream.extend(act)?;
            }
            ActKind::Undo(named) => {
                self.stream.record(act)?;
                match self.before.len().checked_sub(named.len()) {
                    Some(kept) => self.before.drain(kept..).next().into_iter().for_each(|state| {
                        self.stream.state = state;
                    }),
                    None => self.replayed(),
                }
            }
            ActKind::Redo(named) => {
                self.stream.record(act)?;
                if self.aside { self.replayed() } else { self.put_back(named)? }
            }
        }
        self.walked += 1;
        Ok(())
    }

    /// Keeps the state as it is, before an act that counts.
    fn keep(&mut self) {
        if A::KEPT > 0 && !self.aside {
            self.before.push_back(self.stream.state.clone());
            if self.before.len() > A::KEPT {
                self.before.pop_front();
            }
        }
    }

    fn put_back(&mut self, named: &[ActId]) -> Result<(), BrokenHistory> {
        for id in named {
            let act = self.by_id.get(id).and_then(|place| self.acts.get(*place));
            let Some(Act { kind: ActKind::Events(events), at, .. }) = act else {
                return Err(BrokenHistory(format!("no act {id}")));
            };
            self.keep();
            events.iter().for_each(|event| self.stream.state.apply(event, *at));
        }
        Ok(())
    }

    /// The state from the beginning.
    fn replayed(&mut self) {
        self.before.clear();
        let walked = self.acts.get(..=self.walked).unwrap_or_default();
        self.stream.state = Stream::state_after(walked, self.stream.effective());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_shuffle_is_made_again_of_what_it_came_to(many in 0_usize..40, seed: u64) {
            let list: Vec<usize> = (0..many).collect();
            let mut wanted = list.clone();
            wanted.sort_by_key(|one| (one.wrapping_add(1) as u64).wrapping_mul(seed | 1));
            let drawn = drawn_for_shuffle(&list, &wanted).unwrap();
            let mut chance = Drawn { left: &drawn, misread: false };
            let mut made = list;
            for last in (1..made.len()).rev() {
                made.swap(last, chance.below(u32::try_from(last + 1).unwrap()) as usize);
            }
            prop_assert!(made == wanted && !chance.misread && chance.left.is_empty());
        }
    }

    /// Numbers that were said: even ones alone, and any with the next.
    #[derive(Clone, Default)]
    struct Said(Vec<i64>);

    impl Aggregate for Said {
        type Command = Vec<i64>;
        type Event = i64;
        type Kind = Number;
        type Refusal = BrokenHistory;
        const KIND: &'static str = "said";
        fn initial() -> Self {
            Self::default()
        }
        fn decide(&self, numbers: &Vec<i64>, _: &mut Inputs<'_>) -> Result<Vec<i64>, BrokenHistory> {
            let odd = matches!(numbers[..], [number] if number % 2 != 0);
            if odd { Err(BrokenHistory("odd".to_owned())) } else { Ok(numbers.clone()) }
        }
        fn apply(&mut self, event: &i64, _: Timestamp) {
            self.0.push(*event);
        }
        fn decode(_: i16, _: &str) -> Result<i64, BrokenHistory> {
            Err(BrokenHistory("never stored".to_owned()))
        }
        fn encode(_: &i64) -> Result<Box<serde_json::value::RawValue>, BrokenHistory> {
            Err(BrokenHistory("never stored".to_owned()))
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
    enum Number {
        Said,
    }

    impl From<&i64> for Number {
        fn from(_: &i64) -> Self {
            Self::Said
        }
    }

    impl Accountable for Said {
        const DECIDES_SINCE: i16 = 1;
        const SEVERAL: bool = true;
        fn asked(&self, event: &i64, _: &[i64]) -> Vec<PossibleCommand<Vec<i64>>> {
            vec![vec![*event].into(), vec![*event, *event + 1].into()]
        }
    }

    fn found(events: &[i64], may: impl Fn(&Vec<i64>) -> bool) -> CommandFound {
        decided_again(&Said::initial(), events, chrono::DateTime::UNIX_EPOCH.into(), &may)
    }

    #[test]
    fn where_the_likeliest_command_leads_nowhere_the_others_are_tried() {
        assert_eq!(found(&[2, 4, 6], |_| true), CommandFound::InOrder);
        assert_eq!(
            found(&[2, 3], |_| true),
            CommandFound::InOrder,
            "3 cannot be said alone: both were said together"
        );
        assert_eq!(found(&[2, 4, 5, 6, 7], |_| true), CommandFound::InOrder);
        assert_eq!(found(&[2, 5], |_| true), CommandFound::Nothing);
        assert_eq!(found(&[2, 4, 3], |_| true), CommandFound::Nothing);
    }

    #[test]
    fn the_best_of_all_ways_counts() {
        assert_eq!(found(&[2, 3, 4], |numbers| numbers.len() == 2), CommandFound::NotAllowed);
        assert_eq!(found(&[4, 5, 6, 7], |numbers| numbers.len() == 2), CommandFound::InOrder);
        assert_eq!(found(&[2, 4], |numbers| numbers[0] != 4), CommandFound::NotAllowed);
    }

    /// S2: an import that adds some thousands of people is one act of so many commands.
    #[test]
    fn an_act_of_many_commands_needs_no_more_stack_than_one() {
        let many: Vec<i64> = (0..50_000).map(|number| number * 2).collect();
        let mut broken = many[..500].to_vec();
        broken.push(1);
        let small = std::thread::Builder::new().stack_size(128 * 1024);
        let told = small.spawn(move || (found(&many, |_| true), found(&broken, |_| true))).unwrap().join();
        assert_eq!(told.unwrap(), (CommandFound::InOrder, CommandFound::Nothing));
    }

    #[test]
    fn what_is_not_a_shuffle_of_the_list_is_not_taken_for_one() {
        assert_eq!(drawn_for_shuffle(&[1, 2, 3], &[1, 2]), None);
        assert_eq!(drawn_for_shuffle(&[1, 2, 3], &[1, 1, 3]), None);
        assert_eq!(drawn_for_shuffle(&[1, 1, 2], &[1, 2, 1]), None);
        assert_eq!(drawn_for_shuffle(&[1, 2, 3], &[4, 2, 3]), None);
        assert_eq!(drawn_for_shuffle::<i32>(&[], &[]), Some(Vec::new()));
    }
}
