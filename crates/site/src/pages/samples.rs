//! What all samples have: players, the frame of a page, a reader.

use uuid::Uuid;

use super::{Frame, Tab, Theme, Viewer};
use owlbox_locale::{Language, Locale};

/// A player at the sample table: id and name.
fn player(number: usize) -> (String, String) {
    let name = ["Ada", "Kim", "Lou", "Max", "Ida", "Giambattista", "Noor"][number];
    (Uuid::from_u128(number as u128 + 1).to_string(), name.to_owned())
}

pub(crate) fn id(number: usize) -> String {
    player(number).0
}

pub(crate) fn name(number: usize) -> String {
    player(number).1
}

pub(crate) fn frame(t: &Locale, title: &str, tab: Option<Tab>) -> Frame {
    let viewer = Viewer {
        account: id(1),
        name: name(1),
        player: Some(id(1)),
        keeps_books: true,
        may_change_settings: true,
    };
    Frame {
        club: "Circolo Backgammon Torino".to_owned(),
        title: t.get(title),
        tab,
        viewer: tab.map(|_| viewer),
        csrf: "csrf-token".to_owned(),
        here: "/".to_owned(),
        theme: Theme::default(),
        notice: None,
        refused: None,
    }
}

pub(crate) fn locale(language: Language) -> Locale {
    Locale::new(language, chrono_tz::Europe::Rome)
}
