//! The variant, its options and the cap of the cube: the part of a form that matches, money sessions and
//! divisions have in common, and its words.

use crate::form::Form;
use owlbox_engine::game::{BoardRules, ClosedOut};
use owlbox_engine::{CubeValue, Variant};
use owlbox_locale::Locale;
use owlbox_play::tournament::settings::DivisionSettings;

/// The values of that part of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Playing {
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

/// What a ticked box sends.
pub(crate) const TICKED: &str = "yes";

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
    pub const fn of_division(settings: &DivisionSettings) -> Self {
        Self { game: settings.game, crawford: settings.crawford, highest_cube: settings.highest_cube }
    }

    /// The fields of a form that is read as this.
    pub(crate) fn fields(self) -> impl Iterator<Item = (&'static str, String)> {
        let cube = self.highest_cube.map(|most| most.get().to_string()).unwrap_or_default();
        let chosen = [("variant", self.game.variant.key().to_owned()), ("highest_cube", cube)];
        let ticks = [
            ("no_crawford", !self.crawford),
            ("strict_larger_die", self.game.strict_larger_die),
            ("closed_out_rolls", self.rolls_closed_out()),
        ];
        let ticks = ticks.into_iter().filter(|(_, is)| *is).map(|(name, _)| (name, TICKED.to_owned()));
        chosen.into_iter().chain(ticks)
    }

    /// The unusual settings, in words. A cap is mentioned only if it is below `binds`, the value a cube might
    /// reach.
    pub fn facts(&self, t: &Locale, binds: u32) -> Vec<String> {
        let BoardRules { variant, strict_larger_die, closed_out } = self.game;
        let cube = self.highest_cube.filter(|cube| cube.get() < binds).map(|cube| match cube.get() {
            1 => t.get("plays-without-cube"),
            most => t.with("plays-cube-to", "most", most),
        });
        let variant = other_game(t, variant);
        let rolls = match closed_out {
            ClosedOut::Passes => None,
            ClosedOut::Rolls => Some(t.get("plays-closed-out-rolls")),
        };
        let crawford = (!self.crawford).then(|| t.get("plays-without-crawford"));
        let strict = strict_larger_die.then(|| t.get("plays-strict"));
        [variant, cube, crawford, strict, rolls].into_iter().flatten().collect()
    }

    /// Whether a closed-out side rolls anyway and then confirms its pass (G17).
    pub(crate) fn rolls_closed_out(&self) -> bool {
        self.game.closed_out == ClosedOut::Rolls
    }

    /// Whether any setting is unusual. The form then shows this part unfolded.
    pub(crate) fn is_unusual(&self) -> bool {
        *self != Self::default()
    }

    /// The caps of the cube that a form offers, each with its label. The first is the usual one.
    pub(crate) fn cubes(&self, t: &Locale) -> Vec<(Option<CubeValue>, String)> {
        let usual = CUBES.into_iter().filter_map(|cube| CubeValue::try_from(cube).ok());
        let own = self.highest_cube.filter(|most| !CUBES.contains(&most.get()));
        let label = |most: CubeValue| match most.get() {
            1 => t.get("playing-no-cube"),
            most => t.with("playing-cube-to", "most", most),
        };
        let caps = usual.chain(own).map(|most| (Some(most), label(most)));
        std::iter::once((None, t.get("playing-cube-usual"))).chain(caps).collect()
    }
}

/// The name of the variant. `None` for plain backgammon, which needs no mention.
pub(crate) fn other_game(t: &Locale, played: Variant) -> Option<String> {
    (played != Variant::Standard).then(|| variant(t, played))
}

/// The name of a variant.
pub(crate) fn variant(t: &Locale, variant: Variant) -> String {
    t.get(match variant {
        Variant::Standard => "variant-standard",
        Variant::Nackgammon => "variant-nackgammon",
        Variant::HyperBackgammon => "variant-hyper-backgammon",
        Variant::Misere => "variant-misere",
        Variant::Inverse => "variant-inverse",
        Variant::Plakoto => "variant-plakoto",
        Variant::Fevga => "variant-fevga",
    })
}
