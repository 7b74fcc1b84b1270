//! Games counted by what they have in common, in words.

use crate::playing::variant;
use crate::say::Say;
use owlbox_base::values::PlayerId;
use owlbox_books::statistics::{Began, Ending, Group, Kind, Record, Role, Summary};
use owlbox_locale::Locale;

/// Games by one property of theirs.
pub(crate) struct Table {
    /// The `id` of its element.
    pub id: &'static str,
    pub title: String,
    /// For each value of the property its label, the address of a page with more about it, and the games.
    pub lines: Vec<(String, Option<String>, Record)>,
}

/// A table for each property by which games differ; `player` is whose they are, unless they are the club's.
pub(crate) fn tables(t: &Say<'_>, games: &Summary, player: Option<PlayerId>) -> Vec<Table> {
    let against = |other: &PlayerId| Some(format!("/players/{}/statistics/against/{other}", player?));
    let tables = [
        table(t, "kind", &games.by_kind, |kind| t.get(kind_word(*kind))),
        table(t, "role", &games.by_role, |role| t.get(role_word(*role))),
        table(t, "variant", &games.by_variant, |one| variant(t, *one)),
        table(t, "began", &games.by_began, |began| t.get(began_word(*began))),
        table(t, "ending", &games.by_ending, |ending| t.get(ending_word(*ending))),
        table(t, "cube", &games.by_cube, u32::to_string),
        linked(t, "opponent", &games.by_opponent, |other| (t.name(other), against(other))),
    ];
    tables.into_iter().filter(|table| !table.lines.is_empty()).collect()
}

fn table<T>(t: &Locale, id: &'static str, groups: &[Group<T>], label: impl Fn(&T) -> String) -> Table {
    linked(t, id, groups, |value| (label(value), None))
}

fn linked<T>(
    t: &Locale,
    id: &'static str,
    groups: &[Group<T>],
    label: impl Fn(&T) -> (String, Option<String>),
) -> Table {
    let line = |group: &Group<T>| {
        let (label, link) = label(&group.value);
        (label, link, group.record)
    };
    let title = t.get(&format!("statistics-by-{id}"));
    Table { id, title, lines: groups.iter().map(line).collect() }
}

/// How many of these games were won, drawn and lost.
pub(super) fn in_words(t: &Locale, games: &Record) -> String {
    let Record { won, drawn, lost, .. } = games;
    t.fill("statistics-bar", &[("won", won), ("drawn", drawn), ("lost", lost)])
}

pub(crate) const fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Chouette => "statistics-chouette",
        Kind::Match => "statistics-match",
        Kind::MoneySession => "statistics-money-session",
        Kind::Tournament => "statistics-tournament",
    }
}

const fn role_word(role: Role) -> &'static str {
    match role {
        Role::Box => "role-box",
        Role::Partner => "role-partner",
        Role::Captain => "role-captain",
        Role::Crew => "role-crew",
        Role::Onlooker => "role-onlooker",
        Role::Opponent => "statistics-one-of-two",
    }
}

pub(super) const fn began_word(began: Began) -> &'static str {
    match began {
        Began::OwnSide => "statistics-own-side",
        Began::OtherSide => "statistics-other-side",
        Began::Unknown => "statistics-unknown",
    }
}

const fn ending_word(ending: Ending) -> &'static str {
    match ending {
        Ending::Single => "kind-single",
        Ending::Gammon => "kind-gammon",
        Ending::Backgammon => "kind-backgammon",
        Ending::Drop => "scoring-kind-dropped",
        Ending::Settlement => "statistics-settlement",
        Ending::Agreed => "statistics-drawn",
    }
}
