//! The plays of one roll: which there are, step by step, and why one is refused (G5 to G12).
//!
//! The [generator](super::generate) finds each result once. A player moving checkers on a screen reaches the
//! same result in many orders, and wants to see after each step what is still possible. This module answers
//! that, at a slower pace.

use super::dice::{Die, Roll};
use super::generate::Generator;
use super::place::BAR;
use super::play::{Play, Step, Steps};
use super::position::Position;
use super::step_rules::{IllegalPlay, leaves_way, stepped};

/// The plays of one roll in one position, with or without the option G8a.
///
/// ```
/// use owlbox_engine::{Die, LegalPlays, Step, Steps, Variant};
///
/// let plays = LegalPlays::new(Variant::Standard.start(), "6-5".parse()?);
/// let run = Steps::new(&[Step::new(24, Die::SIX).unwrap()]).unwrap();
/// assert!(plays.next_steps(run).contains(&Step::new(18, Die::FIVE).unwrap()));
/// assert!(plays.check(run).is_err(), "the five can be played too");
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LegalPlays {
    position: Position,
    roll: Roll,
    strict_larger_die: bool,
}

impl LegalPlays {
    /// The plays of `roll` for the side about to move in `position`, by the common rules.
    #[must_use]
    pub const fn new(position: Position, roll: Roll) -> Self {
        Self { position, roll, strict_larger_die: false }
    }

    /// Switches the option G8a: if only the smaller of two numbers can be played, nothing is played.
    #[must_use]
    pub const fn strict_larger_die(self, strict: bool) -> Self {
        Self { strict_larger_die: strict, ..self }
    }

    /// The position before the play, seen by the side that plays.
    #[must_use]
    pub const fn position(self) -> Position {
        self.position
    }

    /// The roll to be played.
    #[must_use]
    pub const fn roll(self) -> Roll {
        self.roll
    }

    /// Every distinct result, with one way to make it. If nothing can be moved, the only play has no steps.
    #[must_use]
    pub fn results(self) -> Vec<Play> {
        let mut plays = Vec::new();
        Generator::new(self.position)
            .strict_larger_die(self.strict_larger_die)
            .for_each(self.roll, |play| plays.push(play));
        plays
    }

    /// Whether any checker can be moved (G8, G15).
    ///
    /// ```
    /// use owlbox_engine::{BAR, LegalPlays, Position};
    ///
    /// // On the bar against a closed board.
    /// let mut board = [0; 26];
    /// board[usize::from(BAR)] = 1;
    /// board[19..=24].fill(-2);
    /// let position = Position::from_board(&board, 15)?;
    /// assert!(!LegalPlays::new(position, "6-6".parse().unwrap()).can_move());
    /// # Ok::<(), owlbox_engine::InvalidPosition>(())
    /// ```
    #[must_use]
    pub fn can_move(self) -> bool {
        let mut can = false;
        Generator::new(self.position)
            .strict_larger_die(self.strict_larger_die)
            .for_each(self.roll, |play| can |= !play.steps.is_empty());
        can
    }

    /// Every list of steps that is a legal play. A result that can be reached in several orders appears once
    /// for each of them. If nothing can be moved, the only list is empty.
    ///
    /// ```
    /// use owlbox_engine::{LegalPlays, Variant};
    ///
    /// // Sixteen results, but 8/5 6/5 and 6/5 8/5 are two lists.
    /// let plays = LegalPlays::new(Variant::Standard.start(), "3-1".parse()?);
    /// assert!(plays.move_lists().len() > plays.results().len());
    /// # Ok::<(), owlbox_engine::InvalidValue>(())
    /// ```
    #[must_use]
    pub fn move_lists(self) -> Vec<Steps> {
        let mut lists = Vec::new();
        self.collect(self.position, self.numbers(), Steps::NONE, &mut lists);
        let most = lists.iter().map(|(steps, _)| steps.len()).max().unwrap_or(0);
        lists.retain(|(steps, _)| steps.len() == most);
        if most == 1 && !self.roll.is_double() {
            let larger = |(steps, _): &(Steps, Position)| {
                steps.iter().all(|step| step.pips() == self.roll.high().pips())
            };
            if lists.iter().any(larger) {
                lists.retain(larger);
            } else if self.strict_larger_die {
                lists = vec![(Steps::NONE, self.position)];
            }
        }
        if lists.iter().any(|(_, end)| leaves_way(*end)) {
            lists.retain(|(_, end)| leaves_way(*end));
        }
        lists.into_iter().map(|(steps, _)| steps).collect()
    }

    /// The steps that may follow `taken` on the way to a legal play, each once and from the highest place
    /// down. Empty if `taken` is a legal play already, or cannot become one.
    #[must_use]
    pub fn next_steps(self, taken: Steps) -> Vec<Step> {
        let made = taken.len() as usize;
        let mut next: Vec<Step> = self
            .move_lists()
            .into_iter()
            .filter(|list| list.iter().take(made).eq(taken.iter()))
            .filter_map(|list| list.iter().nth(made))
            .collect();
        next.sort_unstable_by(|one, other| other.cmp(one));
        next.dedup();
        next
    }

    /// Whether `steps`, made in this order, are a legal play.
    ///
    /// # Errors
    /// The first fault found: of a single step, or else of the play as a whole (G8).
    pub fn check(self, steps: Steps) -> Result<Play, IllegalPlay> {
        let mut at = self.position;
        let mut left = self.numbers();
        for step in steps.iter() {
            let used = left.iter().position(|die| die.is_some_and(|die| die.pips() == step.pips()));
            let used = used.ok_or(IllegalPlay::NoSuchDie { pips: step.pips() })?;
            at = stepped(at, step)?;
            left[used] = None;
        }
        let result = at.turned();
        let results = self.results();
        let most = results.first().map_or(0, |play| play.steps.len());
        // Once the last checker is off, there is nothing left to play, whichever number took it off.
        let complete = steps.len() == most || result.is_over();
        if complete && results.iter().any(|play| play.result == result) {
            Ok(Play { steps, result })
        } else {
            Err(self.why_not_so(steps, at))
        }
    }

    /// Why `steps`, which lead to `end` and are possible one by one, are not a legal play together.
    fn why_not_so(self, steps: Steps, end: Position) -> IllegalPlay {
        let lists = self.move_lists();
        match lists.first().map_or(0, |list| list.len()) {
            0 => IllegalPlay::StrictLargerDie,
            _ if !leaves_way(end) && lists.iter().any(|list| same_numbers(*list, steps)) => {
                IllegalPlay::MustLeaveWay
            }
            moves if self.roll.is_double() => IllegalPlay::MoreCanBePlayed { moves },
            2 => IllegalPlay::BothCanBePlayed,
            _ if steps.is_empty() => IllegalPlay::OneCanBePlayed,
            _ => IllegalPlay::LargerMustBePlayed { die: self.roll.high() },
        }
    }

    /// The numbers to play: two, or four equal ones.
    fn numbers(self) -> [Option<Die>; 4] {
        let (high, low) = (Some(self.roll.high()), Some(self.roll.low()));
        if self.roll.is_double() { [high; 4] } else { [high, low, None, None] }
    }

    /// Collects every list of steps that begins with `steps` and cannot go on. `at` is the position after
    /// `steps`, `left` the dice that remain.
    fn collect(self, at: Position, left: [Option<Die>; 4], steps: Steps, lists: &mut Vec<(Steps, Position)>) {
        let before = lists.len();
        for (place, die) in left.iter().enumerate() {
            // Of equal dice, only the first unused one.
            let Some(die) = die.filter(|die| !left[..place].contains(&Some(*die))) else { continue };
            let mut rest = left;
            rest[place] = None;
            for from in (1..=BAR).rev() {
                let step = Step::known(from, die.pips());
                if let Ok(after) = stepped(at, step) {
                    self.collect(after, rest, steps.then(step), lists);
                }
            }
        }
        if lists.len() == before {
            lists.push((steps, at));
        }
    }
}

/// Whether both use the same dice, in any order.
fn same_numbers(one: Steps, other: Steps) -> bool {
    let numbers = |steps: Steps| {
        let mut pips: Vec<u8> = steps.iter().map(Step::pips).collect();
        pips.sort_unstable();
        pips
    };
    numbers(one) == numbers(other)
}
