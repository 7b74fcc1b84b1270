//! What is chosen from in a form.

use owlbox_desk::people::players::ActivePlayer;

/// One option of a `<select>`, or one of a list of check boxes or radio buttons.
#[derive(Clone, Debug)]
pub struct Choice {
    pub value: String,
    pub label: String,
    pub chosen: bool,
}

impl Choice {
    pub fn new(value: impl Into<String>, label: impl Into<String>, chosen: bool) -> Self {
        Self { value: value.into(), label: label.into(), chosen }
    }

    /// A player as an option: the name, with the nickname in brackets if there is one.
    pub fn player(player: &ActivePlayer, chosen: bool) -> Self {
        Self::new(player.id.to_string(), player.offered(), chosen)
    }
}

/// Every time zone, as suggestions for typing.
pub fn time_zones() -> Vec<&'static str> {
    let places = |name: &&'static str| name.contains('/') && !name.starts_with("Etc/");
    chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).filter(places).chain(["UTC"]).collect()
}
