//! What pages share, such as their frame and their buttons, and the few that still copy what the desk has answered into structs of
//! their own: the door, the board and the table. Every other page stands beside its handler, as the treasury does
//! ([`crate::treasury`]).
//!
//! With them live the files that a browser loads ([`assets`]). There is no HTTP here: the handlers around this module answer
//! requests.
//!
//! The domain and the desk have already decided every value of a page; its template in `templates/` lays them out and decides
//! nothing. Every page carries a `t` for its words, a [`Locale`](owlbox_locale::Locale) or a [`Say`](crate::say::Say), and a [`Frame`]
//! for the surroundings.
//!
//! | page | address | posts to |
//! |---|---|---|
//! | [`TablePage`] | `/chouettes/{id}`, `?partial=1` for its live part | `/chouettes/{id}/act` |
//! | [`Finish`] | `/chouettes/{id}/finish?winner=&kind=` | `/chouettes/{id}/act` |
//! | [`TakeBack`] | `/chouettes/{id}/undo?to=` | `/chouettes/{id}/act` |
//!
//! The director's desk is in [`crate::directing`]. Its pages are below `/tournaments/{id}/desk`, and each of their
//! buttons posts to `/tournaments/{id}/act`: the fields of its command, `key`, `version` (only where the tournament must be
//! unchanged), `then` (the page of the desk to go on to) and `here` (the page to show again on a refusal).
//!
//! Every form also sends `csrf`. The picker in the footer posts `language` and `back` to `/language`, which needs no `csrf`. The
//! switch below a board posts `names` or `bears_off`, and `back`, to `/board-view`.
//!
//! `/chouettes/{id}/act` takes the [fields](Fields) of a command, `version` (that of the rendered page; empty skips
//! the check) and `key` (the idempotency key). Several commands, `commands[0][command]` and so on, are carried out
//! as one act. `then` is the page to go on to, if that is the table's settling up rather than the table. A request with the header `HX-Request` is
//! answered with the live part of [`TablePage`], even on a 4xx status, and then with a notice. Any other
//! request is redirected to the table.

pub mod assets;
#[cfg(any(debug_assertions, test))]
mod building_blocks;
pub mod button;
mod course;
pub mod fields;
mod frame;
pub mod isolated;
pub(crate) mod live;
mod qr;
mod table;

#[cfg(any(debug_assertions, test))]
pub use building_blocks::BuildingBlocks;
pub use course::Course;
pub use fields::Fields;
pub use frame::{Choice, Frame, LivePart, Notice, Tab, Viewer};
pub use live::LivePage;
pub use qr::qr_code;
#[cfg(any(debug_assertions, test))]
pub use table::{Bet, Ended, Mark, Owner, Role, Seat, Stage};
pub use table::{EverybodyDrops, Finish, TableContext, TablePage, TakeBack, has_buttons};

#[cfg(test)]
mod contrast_tests;
#[cfg(test)]
pub(crate) mod preview;
#[cfg(test)]
mod template_tests;
