//! The variant, its options and the cap of the cube: the part of a form that matches, money sessions and
//! divisions have in common, and its words.

use super::frame::Choice;
use super::words;
use crate::form::Form;
use owlbox_engine::game::{BoardRules, ClosedOut};
use owlbox_engine::{CubeValue, Variant};
use owlbox_locale::Locale;
use owlbox_play::tournament::settings::Settings;

/// The values of that part of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playing {
    /// The variant and its options.
    pub game: BoardRules,
    /// Whether the Crawford rule is in force (M3).
    pub crawford: bool,
    /// The highest value the cube may reach (C10); 1 for no cube at all (C0). `None` for no cap.
    pub highest_cube: Option<CubeValue>,
}

impl Default for Playing {
    fn default() -> Self {
        Self { game: BoardRules::default(), crawford: true, highest_cube: None }
    }
}

/// The caps on offer. The first is no cube at all.
const CUBES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

impl Playing {
    /// Reads the part from a form. A field that is absent or nonsense gets its usual value.
    pub(crate) fn read(form: &Form) -> Self {
        let variant = Variant::from_key(form.text("variant"));
        let variant = variant.unwrap_or_default();
        // V4: a variant without a cube usually has none here either.
        let usual = (!variant.has_cube()).then_some(CubeValue::ONE);
        let cube = form.text("highest_cube").parse::<u32>().ok();
        Self {
            game: BoardRules {
                variant,
                strict_larger_die: form.ticked("strict_larger_die"),
                closed_out: if form.ticked("closed_out_rolls") {
                    ClosedOut::Rolls
                } else {
                    ClosedOut::Passes
                },
            },
            crawford: !form.ticked("no_crawford"),
            highest_cube: cube.and_then(|cube| CubeValue::try_from(cube).ok()).or(usual),
        }
    }

    /// What a division plays.
    #[must_use]
    pub const fn of_division(settings: &Settings) -> Self {
        Self { game: settings.game, crawford: settings.crawford, highest_cube: settings.highest_cube }
    }

    /// The fields of a form that is read as this.
    pub(crate) fn fields(self) -> impl Iterator<Item = (&'static str, String)> {
        let cube = self.highest_cube.map(|most| most.get().to_string()).unwrap_or_default();
        let chosen = [("variant", self.game.variant.key().to_owned()), ("highest_cube", cube)];
        let ticks = [
            ("no_crawford", !self.crawford),
            ("strict_larger_die", self.game.strict_larger_die),
            ("closed_out_rolls", self.game.closed_out == ClosedOut::Rolls),
        ];
        let ticks = ticks.into_iter().filter(|(_, is)| *is).map(|(name, _)| (name, "yes".to_owned()));
        chosen.into_iter().chain(ticks)
    }

    /// The unusual settings, in words. A cap is mentioned only if it is below `binds`, the value a cube might
    /// reach.
    #[must_use]
    pub fn facts(&self, t: &Locale, binds: u32) -> Vec<String> {
        let BoardRules { variant, strict_larger_die, closed_out } = self.game;
        let cube = self.highest_cube.filter(|cube| cube.get() < binds).map(|cube| match cube.get() {
            1 => t.get("plays-without-cube"),
            most => t.with("plays-cube-to", "most", most),
        });
        let variant = words::other_game(t, variant);
        let rolls = match closed_out {
            ClosedOut::Passes => None,
            ClosedOut::Rolls => Some(t.get("plays-closed-out-rolls")),
        };
        let crawford = (!self.crawford).then(|| t.get("plays-without-crawford"));
        let strict = strict_larger_die.then(|| t.get("plays-strict"));
        [variant, cube, crawford, strict, rolls].into_iter().flatten().collect()
    }
}

/// The same part, ready for its template.
#[derive(Clone, Debug, Default)]
pub struct PlayingFields {
    pub variants: Vec<Choice>,
    /// The caps of the cube. The first choice is the usual one.
    pub cubes: Vec<Choice>,
    /// Whether the box that switches off the Crawford rule is ticked (M3).
    pub no_crawford: bool,
    /// Whether a side that cannot play the larger number plays nothing (G8a).
    pub strict_larger_die: bool,
    /// Whether a closed-out side rolls anyway and then confirms its pass (G17).
    pub closed_out_rolls: bool,
}

impl PlayingFields {
    /// Whether any setting is unusual. The form then shows this part unfolded.
    #[must_use]
    pub fn is_unusual(&self) -> bool {
        let not_first = |choices: &[Choice]| choices.iter().skip(1).any(|choice| choice.chosen);
        not_first(&self.variants)
            || not_first(&self.cubes)
            || self.no_crawford
            || self.strict_larger_die
            || self.closed_out_rolls
    }

    #[must_use]
    pub fn new(t: &Locale, playing: &Playing) -> Self {
        let variant = |variant: Variant| {
            Choice::new(variant.key(), words::variant(t, variant), variant == playing.game.variant)
        };
        let cube = |cube: u32| {
            let label = match cube {
                1 => t.get("playing-no-cube"),
                most => t.with("playing-cube-to", "most", most),
            };
            Choice::new(cube.to_string(), label, playing.highest_cube.is_some_and(|most| most.get() == cube))
        };
        let mut cubes = vec![Choice::new("", t.get("playing-cube-usual"), playing.highest_cube.is_none())];
        cubes.extend(CUBES.map(cube));
        if let Some(other) = playing.highest_cube.filter(|most| !CUBES.contains(&most.get())) {
            cubes.push(cube(other.get()));
        }
        Self {
            variants: Variant::ALL.map(variant).into(),
            cubes,
            no_crawford: !playing.crawford,
            strict_larger_die: playing.game.strict_larger_die,
            closed_out_rolls: playing.game.closed_out == ClosedOut::Rolls,
        }
    }
}
