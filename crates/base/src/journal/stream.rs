//! A stream: an aggregate, its version, and the acts that can be taken back or put back.

use std::collections::BTreeSet;

use super::undo::Stack;
use super::{
    Act, ActKind, Aggregate, BrokenHistory, CannotUndo, HistoryKind, InTheWay, Steps, UndoEntries, UndoEntry,
    Version,
};
use crate::values::ActId;

/// An aggregate with its version and with what of its history can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream<A: Aggregate> {
    /// The state that the effective acts add up to.
    pub state: A,
    /// The number of events in the stream, undone ones included.
    pub version: Version,
    /// The version after the last act that does not stand aside.
    decided: Version,
    effective: Stack<A::Kind>,
    undone: Stack<A::Kind>,
}

impl<A: Aggregate> Default for Stream<A> {
    fn default() -> Self {
        Self {
            state: A::initial(),
            version: 0,
            decided: 0,
            effective: Stack::default(),
            undone: Stack::default(),
        }
    }
}

impl<A: Aggregate> Stream<A> {
    /// The stream after `acts`, which must be its whole history in order.
    ///
    /// # Errors
    /// A gap in the versions, an empty act, or an undo of what could not be undone.
    pub fn replay(acts: &[Act<A::Event>]) -> Result<Self, BrokenHistory> {
        let mut stream = Self::default();
        for act in acts {
            stream.record(act)?;
        }
        stream.state = Self::state_after(acts, stream.effective());
        Ok(stream)
    }

    /// Takes note of an ordinary act that follows this history.
    ///
    /// # Errors
    /// As [`replay`](Self::replay); also for an undo or redo, whose state only a replay can tell.
    pub fn extend(&mut self, act: &Act<A::Event>) -> Result<(), BrokenHistory> {
        let ActKind::Events(events) = &act.kind else {
            return Err(BrokenHistory("an undo needs the whole history".into()));
        };
        self.record(act)?;
        for event in events {
            self.state.apply(event, act.at);
        }
        Ok(())
    }

    /// Whether who saw the stream at `version` saw all that has been decided since: only acts that stand
    /// aside came after.
    #[must_use]
    pub const fn is_as_at(&self, version: Version) -> bool {
        self.decided <= version && version <= self.version
    }

    /// The acts that `undo` can take back.
    #[must_use]
    pub fn undoable(&self) -> UndoEntries<'_, A::Kind> {
        // The opening act stays.
        UndoEntries { stack: &self.effective, len: self.effective.len().saturating_sub(1) }
    }

    /// The undone acts that `redo` can put back.
    #[must_use]
    pub fn redoable(&self) -> UndoEntries<'_, A::Kind> {
        UndoEntries { stack: &self.undone, len: self.undone.len() }
    }

    /// The acts that it can reach, beginning with the last.
    #[must_use]
    pub fn undo_entries(&self, kind: HistoryKind) -> UndoEntries<'_, A::Kind> {
        match kind {
            HistoryKind::Undo => self.undoable(),
            HistoryKind::Redo => self.redoable(),
        }
    }

    #[must_use]
    pub fn effective(&self) -> UndoEntries<'_, A::Kind> {
        UndoEntries { stack: &self.effective, len: self.effective.len() }
    }

    /// The act that undoes `named`, or the newest act if none is named.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn undo(&self, named: Option<ActId>) -> Result<ActKind<A::Event>, CannotUndo> {
        self.undo_several(named, Steps::ONE)
    }

    /// The act that puts back `named`, or what was undone last if none is named.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn redo(&self, named: Option<ActId>) -> Result<ActKind<A::Event>, CannotUndo> {
        self.redo_several(named, Steps::ONE)
    }

    /// The act that undoes so many acts at once, of which `named`, if given, must be the newest.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn undo_several(&self, named: Option<ActId>, steps: Steps) -> Result<ActKind<A::Event>, CannotUndo> {
        Self::newest(self.undoable(), named, steps).map(ActKind::Undo)
    }

    /// The act that puts back so many acts at once, of which `named`, if given, must be the one undone
    /// last.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn redo_several(&self, named: Option<ActId>, steps: Steps) -> Result<ActKind<A::Event>, CannotUndo> {
        Self::newest(self.redoable(), named, steps).map(ActKind::Redo)
    }

    /// The acts that take back what of `acts`, which are taken back in another stream, counts in this one:
    /// perhaps nothing. Here the act that opened the stream can be among them.
    ///
    /// # Errors
    /// Later acts of this stream are [in the way](InTheWay).
    pub fn undo_with(&self, acts: &BTreeSet<ActId>) -> Result<Vec<ActId>, InTheWay> {
        Self::on_top(&self.effective, acts)
    }

    /// The acts that put back what of `acts`, which are put back in another stream, is undone in this one:
    /// perhaps nothing.
    ///
    /// # Errors
    /// What was undone later here is [in the way](InTheWay), or what has happened since, of which the newest
    /// is named.
    pub fn redo_with(&self, acts: &BTreeSet<ActId>) -> Result<Vec<ActId>, InTheWay> {
        let kept = self.effective.newest_first().chain(self.undone.newest_first());
        let kept = kept.filter(|entry| acts.contains(&entry.id)).count();
        if kept < acts.len() {
            return Err(InTheWay(self.effective().newest().map(|entry| entry.id).into_iter().collect()));
        }
        Self::on_top(&self.undone, acts)
    }

    /// Those of `acts` that are on a stack, the last first, if nothing else is on top of them.
    fn on_top(stack: &Stack<A::Kind>, acts: &BTreeSet<ActId>) -> Result<Vec<ActId>, InTheWay> {
        let entries: Vec<ActId> = stack.newest_first().map(|entry| entry.id).collect();
        let deepest = entries.iter().rposition(|act| acts.contains(act)).map_or(0, |at| at + 1);
        let (named, others): (Vec<ActId>, Vec<ActId>) =
            entries.into_iter().take(deepest).partition(|act| acts.contains(act));
        if others.is_empty() { Ok(named) } else { Err(InTheWay(others)) }
    }

    /// So many acts off the end of a stack, the last first.
    fn newest(
        stack: UndoEntries<'_, A::Kind>,
        named: Option<ActId>,
        steps: Steps,
    ) -> Result<Vec<ActId>, CannotUndo> {
        let newest = stack.newest().ok_or(CannotUndo::Nothing)?.id;
        if named.is_some_and(|named| named != newest) {
            return Err(CannotUndo::NotTheLast(newest));
        }
        if steps.acts() > stack.len() {
            return Err(CannotUndo::OnlySoMany(stack.len()));
        }
        Ok(stack.newest_first().take(steps.acts()).map(|entry| entry.id).collect())
    }

    /// Moves the entries and the version; leaves the state alone.
    pub(super) fn record(&mut self, act: &Act<A::Event>) -> Result<(), BrokenHistory> {
        if act.version != self.version + act.kind.versions() || act.kind.versions() == 0 {
            return Err(BrokenHistory(format!(
                "act {} ends at version {} after version {}",
                act.id, act.version, self.version
            )));
        }
        match &act.kind {
            kind if stands_aside::<A>(kind) => {
                self.version = act.version;
                return Ok(());
            }
            ActKind::Events(events) => {
                if let Some(first) = events.first() {
                    self.effective.push(UndoEntry { id: act.id, by: act.by, kind: first.into() });
                }
                self.undone = Stack::default();
            }
            ActKind::Undo(acts) => {
                for named in acts {
                    expect_last(self.effective(), *named, act.id)?;
                    self.effective.pop().into_iter().for_each(|entry| self.undone.push(entry));
                }
            }
            ActKind::Redo(acts) => {
                for named in acts {
                    expect_last(self.redoable(), *named, act.id)?;
                    self.undone.pop().into_iter().for_each(|entry| self.effective.push(entry));
                }
            }
        }
        (self.version, self.decided) = (act.version, act.version);
        Ok(())
    }

    /// The fold of the effective acts, which come in order but with gaps among all `acts`, and of those that
    /// stand aside.
    pub(super) fn state_after(acts: &[Act<A::Event>], effective: UndoEntries<'_, A::Kind>) -> A {
        let mut state = A::initial();
        let newest_first: Vec<&UndoEntry<A::Kind>> = effective.newest_first().collect();
        let mut wanted = newest_first.into_iter().rev().peekable();
        for act in acts {
            let counts = wanted.next_if(|entry| entry.id == act.id).is_some() || stands_aside::<A>(&act.kind);
            if counts && let ActKind::Events(events) = &act.kind {
                for event in events {
                    state.apply(event, act.at);
                }
            }
        }
        state
    }
}

/// Whether nothing is in what an act did that can be taken back.
#[must_use]
pub fn stands_aside<A: Aggregate>(kind: &ActKind<A::Event>) -> bool {
    matches!(kind, ActKind::Events(events) if !events.is_empty() && events.iter().all(A::stands_aside))
}

/// Whether `named` is at the end of a stack, from where `by` moves it.
fn expect_last<K: Copy>(stack: UndoEntries<'_, K>, named: ActId, by: ActId) -> Result<(), BrokenHistory> {
    match stack.newest() {
        Some(entry) if entry.id == named => Ok(()),
        _ => Err(BrokenHistory(format!("act {by} takes back or puts back {named}, which it cannot"))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use strum::VariantArray;
    use uuid::Uuid;

    use super::*;
    use crate::journal::Inputs;
    use crate::values::{AccountId, Timestamp};

    /// A number that stands aside.
    const ASIDE: i64 = -7;

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Sum(Vec<i64>);

    #[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, VariantArray)]
    enum Added {
        Number,
    }

    impl From<&i64> for Added {
        fn from(_: &i64) -> Self {
            Self::Number
        }
    }

    impl Aggregate for Sum {
        type Command = i64;
        type Event = i64;
        type Kind = Added;
        type Refusal = CannotUndo;
        const KIND: &'static str = "sum";
        fn initial() -> Self {
            Self(Vec::new())
        }
        fn decide(&self, command: &i64, _: &mut Inputs<'_>) -> Result<Vec<i64>, CannotUndo> {
            Ok(vec![*command])
        }
        fn apply(&mut self, event: &i64, _: Timestamp) {
            self.0.push(*event);
        }
        fn stands_aside(event: &i64) -> bool {
            *event == ASIDE
        }

        fn decode(format: i16, payload: &str) -> Result<Self::Event, BrokenHistory> {
            crate::journal::decode::<Self>(format, payload)
        }

        fn encode(event: &Self::Event) -> Result<Box<serde_json::value::RawValue>, BrokenHistory> {
            crate::journal::encode::<Self>(event)
        }
    }

    fn act(number: u128, version: Version, kind: ActKind<i64>) -> Act<i64> {
        Act {
            id: ActId(Uuid::from_u128(number)),
            version,
            at: Timestamp::default_for_tests(),
            by: AccountId(Uuid::nil()),
            kind,
        }
    }

    impl Timestamp {
        fn default_for_tests() -> Self {
            chrono::DateTime::UNIX_EPOCH.into()
        }
    }

    #[test]
    fn undo_walks_back_redo_walks_forth_and_a_new_act_ends_redoing() {
        let id = |number| ActId(Uuid::from_u128(number));
        let mut acts = vec![
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 3, ActKind::Events(vec![2, 3])),
            act(3, 4, ActKind::Events(vec![4])),
            act(4, 5, ActKind::Undo(vec![id(3)])),
            act(5, 6, ActKind::Undo(vec![id(2)])),
        ];
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1]));
        assert_eq!(stream.undo(None), Err(CannotUndo::Nothing), "the opening act stays");
        assert_eq!(stream.redo(Some(id(3))), Err(CannotUndo::NotTheLast(id(2))));

        acts.push(act(6, 7, stream.redo(None).unwrap()));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, 2, 3]));
        assert_eq!(stream.redoable().newest().map(|entry| entry.id), Some(id(3)));

        acts.push(act(7, 8, ActKind::Events(vec![9])));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, 2, 3, 9]));
        assert_eq!(stream.redo(None), Err(CannotUndo::Nothing));
        assert_eq!(stream.version, 8);
    }

    #[test]
    fn a_gap_in_the_versions_is_a_broken_history() {
        let acts = [act(1, 1, ActKind::Events(vec![1])), act(2, 3, ActKind::Events(vec![2]))];
        assert!(Stream::<Sum>::replay(&acts).is_err());
        assert!(Stream::<Sum>::replay(&[act(1, 0, ActKind::Events(vec![]))]).is_err());
    }

    #[test]
    fn one_act_takes_back_or_puts_back_several_and_each_has_a_version() {
        let id = |number| ActId(Uuid::from_u128(number));
        let mut acts = vec![
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 3, ActKind::Events(vec![2, 3])),
            act(3, 4, ActKind::Events(vec![4])),
            act(4, 5, ActKind::Events(vec![5])),
        ];
        let steps = |acts| Steps::try_from(acts).unwrap();
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(
            stream.undo_several(None, steps(4)),
            Err(CannotUndo::OnlySoMany(3)),
            "the opening act stays"
        );
        assert_eq!(stream.undo_several(Some(id(3)), steps(2)), Err(CannotUndo::NotTheLast(id(4))));
        let undo = stream.undo_several(Some(id(4)), steps(3)).unwrap();
        assert_eq!(undo, ActKind::Undo(vec![id(4), id(3), id(2)]), "the newest first");
        assert_eq!(undo.versions(), 3);

        acts.push(act(5, 8, undo));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!((&stream.state, stream.version), (&Sum(vec![1]), 8));
        let redo = stream.redo_several(None, steps(2)).unwrap();
        assert_eq!(redo, ActKind::Redo(vec![id(2), id(3)]), "the oldest first");
        acts.push(act(6, 10, redo));
        assert_eq!(Stream::<Sum>::replay(&acts).unwrap().state, Sum(vec![1, 2, 3, 4]));

        let out_of_order = ActKind::Undo(vec![id(2), id(3)]);
        acts.push(act(7, 12, out_of_order));
        assert!(Stream::<Sum>::replay(&acts).is_err());
    }

    #[test]
    fn an_act_of_several_streams_is_on_top_in_each_or_stands_beneath_what_is_in_the_way() {
        let id = |number| ActId(Uuid::from_u128(number));
        let shared = |acts: &[u128]| acts.iter().map(|number| id(*number)).collect::<BTreeSet<_>>();
        let mut acts = vec![
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 2, ActKind::Events(vec![2])),
            act(3, 3, ActKind::Events(vec![3])),
        ];
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.undo_with(&shared(&[3])), Ok(vec![id(3)]));
        assert_eq!(stream.undo_with(&shared(&[1])), Err(InTheWay(vec![id(3), id(2)])));
        assert_eq!(stream.undo_with(&shared(&[3, 1])), Err(InTheWay(vec![id(2)])));
        let all = stream.undo_with(&shared(&[1, 2, 3])).unwrap();
        assert_eq!(all, [id(3), id(2), id(1)], "the one that opened the stream is among them");

        acts.push(act(4, 6, ActKind::Undo(all)));
        let undone = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(undone.state, Sum(vec![]), "as before it was opened");
        assert_eq!(undone.undo_with(&shared(&[1, 2])), Ok(vec![]), "nothing is left to take back");
        assert_eq!(undone.redo_with(&shared(&[2])), Err(InTheWay(vec![id(1)])));
        assert_eq!(undone.redo_with(&shared(&[2, 1])), Ok(vec![id(1), id(2)]), "the oldest first");
        acts.push(act(5, 7, ActKind::Redo(vec![id(1)])));
        let again = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!((&again.state, again.redo_with(&shared(&[1, 2]))), (&Sum(vec![1]), Ok(vec![id(2)])));

        acts.push(act(6, 8, ActKind::Events(vec![6])));
        let gone_on = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(gone_on.redo_with(&shared(&[2])), Err(InTheWay(vec![id(6)])), "it is lost");
    }

    #[test]
    fn what_stands_aside_is_in_nobodys_way() {
        let id = |number| ActId(Uuid::from_u128(number));
        let mut acts = vec![
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 2, ActKind::Events(vec![2])),
            act(3, 3, ActKind::Events(vec![ASIDE])),
        ];
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(
            stream.undo(Some(id(2))),
            Ok(ActKind::Undo(vec![id(2)])),
            "the newest that decided something"
        );
        let as_at: Vec<Version> = (0..5).filter(|version| stream.is_as_at(*version)).collect();
        assert_eq!(as_at, [2, 3]);
        let mut extended = Stream::<Sum>::replay(&acts[..2]).unwrap();
        extended.extend(&acts[2]).unwrap();
        assert_eq!(extended, stream);

        acts.push(act(4, 4, ActKind::Undo(vec![id(2)])));
        acts.push(act(5, 5, ActKind::Events(vec![ASIDE])));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, ASIDE, ASIDE]), "it counts whatever was taken back");
        assert_eq!(stream.redo(None), Ok(ActKind::Redo(vec![id(2)])), "and ends no hope of redoing");
        acts.push(act(6, 6, ActKind::Redo(vec![id(2)])));
        assert_eq!(Stream::<Sum>::replay(&acts).unwrap().state, Sum(vec![1, 2, ASIDE, ASIDE]));

        acts.push(act(7, 8, ActKind::Events(vec![ASIDE, 3])));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(
            stream.undo(None),
            Ok(ActKind::Undo(vec![id(7)])),
            "with something else it is an act like any"
        );
        assert!(!stream.is_as_at(6));
    }

    #[test]
    fn one_to_a_thousand_acts_at_once() {
        for (acts, good) in [(0, false), (1, true), (1000, true), (1001, false)] {
            assert_eq!(Steps::try_from(acts).is_ok(), good, "{acts}");
        }
    }

    /// What a step of a random history is: an act, or so many undone or put back.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        Add(i64),
        Undo(u16),
        Redo(u16),
    }

    fn a_step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => any::<i64>().prop_map(Step::Add),
            2 => (1_u16..6).prop_map(Step::Undo),
            2 => (1_u16..6).prop_map(Step::Redo),
        ]
    }

    /// Two lists of numbers: as naive as can be.
    #[derive(Default)]
    struct Model {
        done: Vec<i64>,
        undone: Vec<i64>,
    }

    impl Model {
        /// Takes the step if it can be taken.
        fn take(&mut self, step: Step) -> bool {
            let (from, to, acts) = match step {
                Step::Add(number) => {
                    self.done.push(number);
                    self.undone.clear();
                    return true;
                }
                Step::Undo(acts) => (&mut self.done, &mut self.undone, usize::from(acts)),
                Step::Redo(acts) => (&mut self.undone, &mut self.done, usize::from(acts)),
            };
            let possible = from.len() >= acts;
            for _ in 0..if possible { acts } else { 0 } {
                to.extend(from.pop());
            }
            possible
        }
    }

    proptest! {
        #[test]
        fn undoing_and_redoing_any_number_is_what_two_lists_do(steps in prop::collection::vec(a_step(), 0..60)) {
            let mut acts = vec![act(1, 1, ActKind::Events(vec![0]))];
            let mut model = Model::default();
            for (number, step) in (2..).zip(steps) {
                let stream = Stream::<Sum>::replay(&acts).unwrap();
                let kind = match step {
                    Step::Add(number) => Ok(ActKind::Events(vec![number])),
                    Step::Undo(acts) => stream.undo_several(None, Steps::try_from(acts).unwrap()),
                    Step::Redo(acts) => stream.redo_several(None, Steps::try_from(acts).unwrap()),
                };
                prop_assert_eq!(kind.is_ok(), model.take(step));
                if let Ok(kind) = kind {
                    acts.push(act(number, stream.version + kind.versions(), kind));
                }
                let stream = Stream::<Sum>::replay(&acts).unwrap();
                prop_assert_eq!(&stream.state.0[1..], &model.done[..]);
                prop_assert_eq!(stream.undoable().len(), model.done.len());
                prop_assert_eq!(stream.redoable().len(), model.undone.len());
            }
        }
    }
}
