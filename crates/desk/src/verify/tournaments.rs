//! The read tables of tournaments and entrants, and the transactions and ratings that follow from them.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::acts::{About, Answerable, Standings};
use super::books::{ExpectedTransaction, expected};
use super::matches::Sheets;
use super::{Columns, Heads, Journals, Replayed, Unverified, compare, equal, text};
use crate::Principal;
use crate::commands::history::Order;
use crate::people::ratings::Rated;
use crate::subjects::sheets::in_bracket;
use crate::tournaments::derive::{all_rated, row, transactions};
use crate::tournaments::scope;
use owlbox_base::journal::again::Accountable as _;
use owlbox_base::journal::{Act, Aggregate as _, Stream};
use owlbox_base::values::{AccountId, PlayerId, TournamentId};
use owlbox_play::matches::InBracket;
use owlbox_play::tournament::{Command, Event, Tournament};
use owlbox_store::tournaments::{self as stored, PlayedMatchRow, TournamentRow};
use owlbox_store::{AnyConnection, types::Moment};

/// Verifies the read tables of every tournament, and that the sheets of its matches agree with its brackets.
/// Returns the transactions the books should hold, and the matches that should be rated.
pub(super) fn verify(
    connection: &mut AnyConnection,
    heads: &Heads,
    sheets: &Sheets,
    journals: &mut Journals,
) -> Result<(Vec<ExpectedTransaction>, Vec<Rated>), Unverified> {
    let mut rows: BTreeMap<Uuid, Columns> = BTreeMap::new();
    let mut entrants: BTreeMap<(TournamentId, PlayerId), Columns> = BTreeMap::new();
    let mut entered = BTreeMap::new();
    let (mut posted, mut rated, mut played) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (&id, (_, head)) in heads.iter().filter(|(_, (kind, _))| kind == Tournament::KIND) {
        let Replayed { acts, stream } = journals.replay::<Tournament>(connection, id, *head)?;
        let tournament = TournamentId(id);
        posted.extend(expected(id, &acts, |effect| transactions(tournament, effect), |_, _| None)?);
        rows.extend(row(tournament, &stream.state).map(|row| (id, row_columns(&row))));
        rated.extend(all_rated(&stream.state));
        played.extend(stream.state.played_matches().map(|one| played_row(&(&one).into())));
        for (sheet, of, says) in sheets.get(&tournament).into_iter().flatten() {
            let bracket = in_bracket(&stream.state, *sheet, *of);
            equal("match", || format!("match {sheet}"), "outcome", &said(bracket), &said(*says))?;
        }
        let players =
            stream.state.divisions().flat_map(|(_, of)| of.entries()).map(|(_, entry)| entry.player);
        entrants.extend(players.map(|player| ((tournament, player), Columns::new())));
        let found = stored::entrants(connection, tournament)?;
        entered.extend(found.into_iter().map(|player| ((tournament, player), Columns::new())));
    }
    let found = stored::all_played(connection)?.iter().map(played_row).collect();
    let name = |(tournament, division, number): &(Uuid, i32, i64)| {
        format!("match {number} of division {division}, tournament {tournament}")
    };
    compare("tournament_match", name, &played, &found)?;
    let found = stored::all(connection)?.iter().map(|row| (row.id.0, row_columns(row))).collect();
    journals.checked.tournaments = compare("tournament", |id| format!("tournament {id}"), &rows, &found)?;
    let name = |(tournament, player): &(TournamentId, PlayerId)| {
        format!("player {player} at tournament {tournament}")
    };
    journals.checked.entrants = compare("entrant", name, &entrants, &entered)?;
    Ok((posted, rated))
}

/// The key of a match that was played, and what is known of it.
fn played_row(row: &PlayedMatchRow) -> ((Uuid, i32, i64), Columns) {
    let columns = vec![
        ("finished_at", row.finished_at.0.utc().to_rfc3339()),
        ("length", row.length.to_string()),
        ("winner", row.winner.0.to_string()),
        ("loser", row.loser.0.to_string()),
    ];
    ((row.tournament.0, row.division, row.number), columns)
}

/// The first format in which an entry in a last chance keeps everybody out of the slots that would give them
/// a match in an earlier flight again.
const ONE_FLIGHT_SINCE: i16 = 3;

impl Answerable for Tournament {
    fn may(
        _: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Command>,
        about: About,
    ) -> bool {
        let by_its_sheet = matches!(order, Order::Command(Command::Record { .. }));
        !by_its_sheet && scope::require(principal, before, order, about.at).is_ok()
    }

    /// In older formats an entry in a last chance could get a match in an earlier flight again, by a slot
    /// that was given to somebody else.
    fn decides(before: &Stream<Self>, act: &Act<Event>, format: i16) -> bool {
        let seats = |event: &Event| {
            matches!(
                event,
                Event::Entered { .. }
                    | Event::Seated { .. }
                    | Event::Exchanged { .. }
                    | Event::Reinstated { .. }
            )
        };
        let has_last_chance = || before.state.divisions().any(|(_, of)| !of.last_chances.is_empty());
        let otherwise = format < ONE_FLIGHT_SINCE && act.events().iter().any(seats) && has_last_chance();
        format >= Self::DECIDES_SINCE && !otherwise
    }

    /// Acts by the link to an entry are recorded as the player's own, whether they have a login or not.
    fn by_link(standings: &Standings, account: AccountId, before: &Stream<Self>) -> Option<Principal> {
        Some(Principal::of_link(account, standings.player_of(account)?, before.state.id))
    }

    /// The sheet of the match.
    fn other(event: &Event) -> Option<Uuid> {
        let Event::SheetOpened { sheet, .. } = event else { return None };
        Some(sheet.0)
    }
}

/// The state of a match according to a bracket or a sheet, in words.
fn said(says: InBracket) -> String {
    match says {
        InBracket::Others => "others play it".into(),
        InBracket::Theirs(None) => "no result".into(),
        InBracket::Theirs(Some(outcome)) => format!("{outcome:?}"),
    }
}

fn row_columns(row: &TournamentRow) -> Columns {
    let time = |moment: Moment| moment.0.utc().to_rfc3339();
    vec![
        ("name", row.name.clone()),
        ("date", row.date.to_string()),
        ("status", row.status.clone()),
        ("public", row.public.to_string()),
        ("opened_at", time(row.opened_at)),
        ("closed_at", text(row.closed_at.map(time))),
    ]
}
