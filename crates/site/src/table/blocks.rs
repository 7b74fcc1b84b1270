//! Seats of a table for the page of building blocks, `/docs/ui`.

use std::collections::BTreeMap;

use askama::Template as _;
use serde_json::json;
use uuid::Uuid;

use super::page::TablePage;
use crate::board::BoardView;
use crate::pages::Frame;
use crate::pages::live::part;
use crate::say::{Names, Say};
use owlbox_base::journal::shared::{ShownStream, Viewer};
use owlbox_base::journal::{Aggregate as _, Inputs, Stream};
use owlbox_base::permissions::{Public, Roles};
use owlbox_base::values::{AccountId, ChouetteId, PlayerId};
use owlbox_chouette::{Chouette, Command, Side};
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_desk::{Dice, Principal, Rights};
use owlbox_engine::Win;
use owlbox_locale::Locale;

part!(TablePage<'a>, "ui_seats.html");

/// What the desk shows of a table to this player, or somebody else who sees all that is won and lost, but
/// does nothing.
pub(crate) fn watched(stream: Stream<Chouette>, player: Option<PlayerId>, names: Names) -> TableScreen {
    let viewer = Viewer { player, sees_points: true, sees_payments: true, ..Viewer::default() };
    TableScreen {
        id: ChouetteId(Uuid::nil()),
        stream: ShownStream::to(&viewer, &stream),
        viewer,
        legal: Vec::new(),
        offers: Vec::new(),
        has_room: true,
        everybody: Vec::new(),
        undo: None,
        redo: None,
        names,
        acts: Vec::new(),
        people: BTreeMap::new(),
        free_players: Vec::new(),
    }
}

/// The rights of somebody who may do everything.
pub(super) fn director() -> Rights {
    let (account, roles) = (AccountId(Uuid::nil()), Roles::ALL);
    Rights::new(Some(Principal::of_login(account, None, roles)), Public::default())
}

/// The box, a captain who holds the cube, and a member who has dropped.
fn game() -> (Stream<Chouette>, [PlayerId; 3]) {
    let players @ [the_box, captain, crew] = [1, 2, 3].map(|number| PlayerId(Uuid::from_u128(number)));
    let rules = json!({"order": {"dice": "by_hand"}, "decision_order": "any_order"});
    let (name, night) = ("Friday table".to_owned(), chrono::NaiveDate::default());
    let rules = serde_json::from_value(rules).unwrap_or_default();
    let start = Command::StartGame { refereed: false, variant: None };
    let mut commands = vec![Command::Open { name, night, stake: None, rules, from: None }];
    commands.extend(players.map(|player| Command::Join { player }));
    commands.extend([
        Command::SetOrder { line: players.to_vec() },
        start.clone(),
        Command::Finish { winner: Side::Box, win: Win::Backgammon },
        start,
        Command::Double { player: the_box, against: None, rolled: false },
        Command::Take { player: captain, against: None },
        Command::Drop { player: crew, against: None },
    ]);
    let (mut stream, now, mut dice) =
        (Stream::<Chouette>::default(), chrono::DateTime::UNIX_EPOCH.into(), Dice::seeded(0));
    for command in commands {
        let events = stream.state.decide(&command, &mut Inputs { now, chance: &mut dice });
        events.unwrap_or_default().iter().for_each(|event| stream.state.apply(event, now));
    }
    (stream, players)
}

/// The seats as on their table's page, as markup.
pub(crate) fn seats(t: Locale) -> String {
    let (stream, players) = game();
    let names = players.into_iter().zip(["Ada", "Kim", "Lou"].map(str::to_owned)).collect();
    let screen = watched(stream, Some(players[1]), names);
    let say = Say::new(t, director(), &screen.names);
    let page = TablePage::new(say, Frame::default(), &screen, BoardView::default());
    Part(&page).render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_box_a_captain_who_holds_the_cube_and_one_who_has_dropped() {
        let drawn = seats(Locale::new(owlbox_locale::Language::English, chrono_tz::UTC));
        let seats = ["box", "captain", "crew"];
        assert!(seats.iter().all(|seat| drawn.contains(&format!("<li class=\"seat {seat}\">"))), "{drawn}");
        assert!(["▸ Kim", "dropped"].iter().all(|cube| drawn.contains(cube)), "{drawn}");
    }
}
