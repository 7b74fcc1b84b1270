//! The read table of matches, the transactions that money sessions and stakes should have posted, and the
//! friendly matches that should be rated.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::acts::{About, Answerable, Standings};
use super::books::{ExpectedTransaction, expected};
use super::{Columns, Heads, Journals, Replayed, Unverified, compare, text};
use crate::commands::history::Order;
use crate::matches::derive::{played, rated, row, transactions};
use crate::matches::scope;
use crate::people::ratings::Rated;
use crate::{Effect, Principal, Refused};
use owlbox_base::journal::again::Accountable as _;
use owlbox_base::journal::{Act, ActKind, Aggregate as _, Stream};
use owlbox_base::permissions::Role;
use owlbox_base::values::{MatchId, TournamentId};
use owlbox_play::matches::{Command, Event, InBracket, MatchOfTournament, Sheet};
use owlbox_store::matches::{self as stored, MatchRow};
use owlbox_store::{AnyConnection, types::Moment};

/// The first format of sheets whose players could not judge their own match.
const JUDGED_BY_OTHERS_SINCE: i16 = 3;

/// The first format of sheets with no payments during a contest, and with the clock of a tournament's match
/// not set by its players.
const STRICTER_SINCE: i16 = 4;

/// The state of tournament matches according to their sheets.
pub(super) type Sheets = BTreeMap<TournamentId, Vec<(MatchId, MatchOfTournament, InBracket)>>;

/// Verifies the read table of matches. Returns the transactions the books should hold, the matches that
/// should be rated, and the state of tournament matches for comparison with their brackets.
pub(super) fn verify(
    connection: &mut AnyConnection,
    heads: &Heads,
    journals: &mut Journals,
) -> Result<(Vec<ExpectedTransaction>, Vec<Rated>, Sheets), Unverified> {
    let mut rows: BTreeMap<Uuid, Columns> = BTreeMap::new();
    let (mut posted, mut friendly, mut sheets) = (Vec::new(), Vec::new(), Sheets::new());
    for (&id, (_, head)) in heads.iter().filter(|(_, (kind, _))| kind == Sheet::KIND) {
        let Replayed { acts, stream } = journals.replay::<Sheet>(connection, id, *head)?;
        let sheet = MatchId(id);
        journals.tallies.change_sheet(&Sheet::initial(), &stream.state);
        rows.extend(row(sheet, &stream.state).map(|row| (id, columns(&row))));
        friendly.extend(rated(sheet, &stream.state));
        if let Some(of) = stream.state.tournament_match() {
            sheets.entry(of.tournament).or_default().push((sheet, of, stream.state.says()));
        }
        // The final state will do: only the data of the opening are read from it, which never change.
        let transactions = |effect: &Effect<Event>| transactions(sheet, &stream.state, effect);
        posted.extend(expected(id, &acts, transactions, |_, posted| played(&stream.state, posted))?);
    }
    let found = stored::all(connection)?.iter().map(|row| (row.id.0, columns(row))).collect();
    journals.checked.matches = compare("match", |id| format!("match {id}"), &rows, &found)?;
    Ok((posted, friendly, sheets))
}

impl Answerable for Sheet {
    fn may(
        standings: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Command>,
        about: About,
    ) -> bool {
        Self::may_in_format(standings, principal, before, order, about, Self::FORMAT)
    }

    fn may_in_format(
        standings: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Command>,
        _: About,
        format: i16,
    ) -> bool {
        if matches!(order, Order::Command(Command::Follow(_))) {
            return false;
        }
        // The named directors of a tournament have that role at its sheets.
        let directs = before
            .state
            .tournament_match()
            .is_some_and(|of| standings.has_directed(of.tournament, principal.account));
        let principal = if directs { principal.with(Role::Director) } else { *principal };
        // In older formats the players could set the clock.
        let sets_clock = matches!(order, Order::Command(Command::SetClock { .. }));
        if sets_clock
            && format < STRICTER_SINCE
            && principal.player.is_some_and(|player| before.state.slot_of(player).is_some())
        {
            return true;
        }
        match scope::require(&principal, before, order) {
            Ok(()) => true,
            // In older formats players could judge their own match.
            Err(Refused::OwnMatch) => format < JUDGED_BY_OTHERS_SINCE,
            Err(_) => false,
        }
    }

    fn decides(before: &Stream<Self>, act: &Act<Event>, format: i16) -> bool {
        let pays =
            matches!(&act.kind, ActKind::Events(events) if matches!(events.as_slice(), [Event::Paid { .. }]));
        let paid_too_early = pays && before.state.is_contested() && format < STRICTER_SINCE;
        format >= Self::DECIDES_SINCE && !paid_too_early
    }

    /// The tournament the match belongs to.
    fn other(event: &Event) -> Option<Uuid> {
        let Event::Opened { of: Some(of), .. } = event else { return None };
        Some(of.tournament.0)
    }
}

fn columns(row: &MatchRow) -> Columns {
    let time = |moment: Moment| moment.0.utc().to_rfc3339();
    vec![
        ("tournament", text(row.tournament.map(|key| key.0))),
        ("division", text(row.division)),
        ("number", text(row.number)),
        ("upper_player", row.upper_player.0.to_string()),
        ("lower_player", row.lower_player.0.to_string()),
        ("length", row.length.to_string()),
        ("status", row.status.clone()),
        ("upper_score", row.upper_score.to_string()),
        ("lower_score", row.lower_score.to_string()),
        ("games", row.games.to_string()),
        ("winner", text(row.winner.as_deref())),
        ("opened_at", time(row.opened_at)),
        ("finished_at", text(row.finished_at.map(time))),
        ("contested", row.contested.to_string()),
    ]
}
