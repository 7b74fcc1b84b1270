//! What pages are made of: the frame around them, their buttons and forms, what several of them draw alike,
//! and the files that a browser loads ([`assets`]). Each page stands beside its handler, as the treasury does
//! ([`crate::treasury`]).
//!
//! The domain and the desk have already decided every value of a page; its template in `templates/` lays them
//! out and decides nothing. Every page carries a `t` for its words, a [`Locale`](owlbox_locale::Locale) or a
//! [`Say`](crate::say::Say), and a [`Frame`] for the surroundings.
//!
//! Every form also sends `csrf`. The picker in the footer posts `language` and `back` to `/language`, which
//! needs no `csrf`; the one of themes posts `theme` and `back` to `/theme` likewise. The switch below a board
//! posts `names` or `bears_off`, and `back`, to `/board-view`.

pub mod assets;
#[cfg(any(debug_assertions, test))]
mod building_blocks;
pub mod button;
mod chip_link;
mod choice;
mod course;
mod face;
pub mod fields;
mod frame;
pub mod isolated;
pub(crate) mod live;
mod qr;
mod theme;

#[cfg(any(debug_assertions, test))]
pub use building_blocks::BuildingBlocks;
pub use chip_link::ChipLink;
pub use choice::{Choice, time_zones};
pub use course::BalanceChart;
pub use face::{face_colour, initials};
pub use fields::Fields;
pub use frame::{Frame, LivePart, Notice, Tab, Viewer};
pub use live::LivePage;
pub use qr::qr_code;
pub(crate) use theme::THEME_COOKIE;
pub use theme::Theme;

#[cfg(test)]
mod contrast_tests;
#[cfg(test)]
pub(crate) mod preview;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod template_tests;
