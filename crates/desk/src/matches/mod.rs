//! Matches at the desk: opening one, commands to one, looking at one.
//!
//! * `reach`: who may give which command.
//! * `plan`: what an order comes to, before anything is written.
//! * [`derive`]: the read table, the rating of a friendly match, what a money session posts to the books.
//! * `statistics`: who won how many games of which kind, over many matches (M8).

pub mod derive;
mod plan;
pub mod reach;
mod statistics;

pub use statistics::{Kind, PlayerStatistics};

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) use self::plan::Part;
use super::acts::{Foresight, events_in, foresee, read_again};
use super::chouettes::{in_use, outcome, room_for_a_game, still_comes};
use super::history::{self, steps_for};
use super::surroundings::{Beside, Surroundings as _};
use super::tournaments::sheets::{self, OnSheet};
use super::{Actor, Appended, Authority, Desk, Done, Receipt, Refused, Request, Visit};
use crate::figures::COMMANDS;
use owlbox_domain::club::{Club, MatchCommand, Permission, Reach};
use owlbox_domain::journal::{Act, Stream};
use owlbox_domain::matches::clock::Setting;
use owlbox_domain::matches::{Command, Event, Legal, Sheet, Terms};
use owlbox_domain::values::{ActId, MatchId, PlayerId, TournamentId};
use owlbox_store::AnyConnection;
use owlbox_store::matches as stored;
pub use owlbox_store::matches::{Filter, OVER, Row};

/// A command to a match as callers give it.
pub type Order = history::Order<Command>;

/// What a friendly match, or a money session, is opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// Who plays, upper and lower slot.
    #[schema(min_items = 2, max_items = 2)]
    pub players: [PlayerId; 2],
    /// What for; the currency of a stake must be one of the club's.
    pub terms: Terms,
    /// What the clock is set to, if there is one. Only of a match.
    #[serde(default)]
    pub clock: Option<Setting>,
}

/// A match after a command.
#[derive(Clone, Debug)]
pub struct Answer {
    pub id: MatchId,
    /// The sheet after the command.
    pub stream: Arc<Stream<Sheet>>,
    pub act: Act<Event>,
}

/// What a command would make of a match.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The sheet as it would be, and the act.
    pub after: Answer,
    /// The acts that would be taken back, newest first, or put back, oldest first. None of another command.
    pub named: Vec<Act<Event>>,
}

impl Desk {
    /// Opens a friendly match, or a money session.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn open_match(&self, request: Request, new: NewMatch) -> Result<Answer, Refused> {
        let id = MatchId(Uuid::now_v7());
        let done = self.carry_out(request.clone(), move |visit| {
            visit.authority.require(Permission::RunMatch)?;
            let command = opening(visit, new)?;
            let before = Arc::new(Stream::default());
            let deed = visit.decide(&before.state, &command)?;
            let limit = visit.desk().inner.limits.stream_length;
            carry_through(visit, Part { id, before, deed, limit }, 201)
        });
        self.match_answer(request, MatchCommand::Open, done.await).await
    }

    /// Carries out a command to a match.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn command_match(
        &self,
        request: Request,
        id: MatchId,
        order: Order,
    ) -> Result<Answer, Refused> {
        let (expected, command) = (request.expected, order.name());
        let done = self.carry_out(request.clone(), move |visit| {
            let before = plan::there(visit.load(id.0, "match")?)?;
            Visit::expect(&before, expected)?;
            let tournament =
                before.state.of().map(|of| visit.look(of.tournament.0, "tournament")).transpose()?;
            let authority = visit.authority;
            let here = tournament.map_or(authority, |stream| reach::at_sheet_of(authority, &stream.state));
            reach::require(&here, &before, &order)?;
            let own = command.reach(here.roles) == Reach::Himself;
            let order = sheets::as_said(visit, &here, &before.state, order.clone())?;
            let part = plan::plan(
                visit,
                id,
                &before,
                &order,
                (own, reach::who(&here, &before.state), here.account),
            )?;
            carry_through(visit, part, 200)
        });
        self.match_answer(request, command, done.await).await
    }

    /// What a command would make of a match, without doing it: worked out beside the writer.
    ///
    /// # Errors
    /// What the rules or the desk would refuse.
    pub async fn preview_match(
        &self,
        request: Request,
        id: MatchId,
        order: Order,
    ) -> Result<Preview, Refused> {
        let authority = self.authority(&request.actor).await?;
        let (desk, expected) = (self.clone(), request.expected);
        self.read(move |connection| {
            let (now, dice) = (desk.now(), desk.dice());
            let before = plan::there(desk.look(connection, id.0, "match")?)?;
            Visit::<'_, '_>::expect(&before, expected)?;
            let mut beside = Beside { desk: &desk, connection, now, dice };
            let of = before.state.of();
            let tournament = of.map(|of| beside.stream(of.tournament.0, "tournament")).transpose()?;
            let here = tournament.map_or(authority, |stream| reach::at_sheet_of(authority, &stream.state));
            reach::require(&here, &before, &order)?;
            let own = order.name().reach(here.roles) == Reach::Himself;
            let order = sheets::as_said(&mut beside, &here, &before.state, order)?;
            let Part { before, deed, .. } = plan::plan(
                &mut beside,
                id,
                &before,
                &order,
                (own, reach::who(&here, &before.state), here.account),
            )?;
            let Foresight { stream, act, named } =
                foresee(beside.connection, (id.0, &before), deed, (authority.account, now))?;
            let on_sheet = OnSheet { id, sheet: [&before, &stream], deed: &act.deed };
            sheets::told(&mut beside, &authority, on_sheet)?;
            Ok(Preview { after: Answer { id, stream, act }, named })
        })
        .await
    }

    /// What of the legal commands at a match the asker may give; no game on a board where there is no room for one.
    #[must_use]
    pub fn legal_at_match(&self, stream: &Stream<Sheet>, authority: Option<&Authority>) -> Vec<Legal> {
        let mut legal = reach::legal_for(&stream.state, authority);
        if !room_for_a_game(stream.version, self.inner.limits.stream_length) {
            legal.retain(|legal| !matches!(legal, Legal::StartBoard { .. }));
        }
        legal
    }

    /// A match as it is. From memory where this process is the only writer.
    ///
    /// # Errors
    /// [`Refused::NotFound`], or the store failed.
    pub async fn sheet(&self, id: MatchId) -> Result<Arc<Stream<Sheet>>, Refused> {
        plan::there(self.stream(id.0, "match").await?)
    }

    /// A match for somebody who may look at it - one of a tournament whoever may look at that, any other whoever may look at
    /// tables - and the asker as he is at it.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    pub async fn visible_match(
        &self,
        actor: Option<&Actor>,
        id: MatchId,
    ) -> Result<(Arc<Stream<Sheet>>, Option<Authority>), Refused> {
        let stream = self.sheet(id).await;
        let Some(of) = stream.as_ref().ok().and_then(|stream| stream.state.of()) else {
            let authority = self.require(actor, Permission::ViewTables).await?;
            return Ok((stream?, authority));
        };
        let (tournament, authority) = self.visible_tournament(actor, of.tournament).await?;
        Ok((stream?, authority.map(|authority| reach::at_sheet_of(authority, &tournament.state))))
    }

    /// Whether lists of matches, of one tournament or of all that the asker may look at, show him those of private tournaments
    /// too.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    pub async fn visible_matches(
        &self,
        actor: Option<&Actor>,
        of: Option<TournamentId>,
    ) -> Result<bool, Refused> {
        if let Some(tournament) = of {
            return match self.visible_tournament(actor, tournament).await {
                // One that is not there has no matches.
                Ok(_) | Err(Refused::NotFound(_)) => Ok(true),
                Err(refused) => Err(refused),
            };
        }
        self.require(actor, Permission::ViewTables).await?;
        match self.require(actor, Permission::ViewTournaments).await {
            Ok(_) => Ok(true),
            Err(Refused::Unauthorised(_) | Refused::Forbidden(_)) => Ok(false),
            Err(refused) => Err(refused),
        }
    }

    /// A page of matches at a glance, newest first, older than the one named.
    ///
    /// # Errors
    /// The store failed.
    pub async fn matches(
        &self,
        filter: Filter,
        after: Option<MatchId>,
        limit: i64,
    ) -> Result<Vec<Row>, Refused> {
        self.read(move |connection| Ok(stored::page(connection, &filter, after, limit)?)).await
    }

    /// How many matches wait for a ruling on something contested, of those in which this player does not play.
    ///
    /// # Errors
    /// The store failed.
    pub async fn matches_contested_between_others(&self, player: Option<PlayerId>) -> Result<usize, Refused> {
        let read = move |connection: &mut AnyConnection| {
            Ok::<_, Refused>(stored::contested_between_others(connection, player)?)
        };
        Ok(usize::try_from(self.read(read).await?).unwrap_or_default())
    }

    /// The events of one act of a match; none of an undo or a redo.
    ///
    /// # Errors
    /// The store failed.
    pub async fn match_events(&self, id: MatchId, act: ActId) -> Result<Vec<Event>, Refused> {
        self.read(move |connection| events_in::<Sheet>(connection, id.0, act)).await
    }

    /// How many of the newest acts of a match the asker may take back at once, or put back: none that its tournament refuses.
    ///
    /// # Errors
    /// The store failed.
    pub async fn steps_at_match(
        &self,
        stream: &Stream<Sheet>,
        authority: &Authority,
        command: MatchCommand,
    ) -> Result<usize, Refused> {
        let undone = command == MatchCommand::Undo;
        let marks = if undone { stream.undoable() } else { stream.redoable() };
        let most = steps_for::<Sheet>(reach::reach_of(command, &stream.state, authority), marks, authority);
        let most = match reach::is_party(authority, &stream.state) {
            true => most.min(reach::steps_of_a_party(authority, marks)),
            false => most,
        };
        let Some(of) = stream.state.of().filter(|_| most > 0) else { return Ok(most) };
        let tournament = self.tournament(of.tournament).await?;
        Ok(sheets::steps(authority, stream, &tournament, (most, undone)))
    }

    /// The answer to a command done now, or again to one done before; counts it. A retry shows the match only to those
    /// who may still see it.
    async fn match_answer(
        &self,
        request: Request,
        command: MatchCommand,
        done: Result<Done<Answer>, Refused>,
    ) -> Result<Answer, Refused> {
        let (kind, outcome) = (counted_as(command), outcome(&done));
        metrics::counter!(COMMANDS, "kind" => kind, "outcome" => outcome).increment(1);
        match done? {
            Done::Now(answer) => Ok(answer),
            Done::Before(Receipt { stream: id, version, .. }) => {
                self.visible_match(Some(&request.actor), MatchId(id)).await?;
                self.read(move |connection| {
                    let (stream, act) = read_again(connection, id, version, "match")?;
                    Ok(Answer { id: MatchId(id), stream, act })
                })
                .await
            }
        }
    }
}

/// What a command counts as in the figures: a table has commands of the same names.
const fn counted_as(command: MatchCommand) -> &'static str {
    match command {
        MatchCommand::Open => "open_match",
        MatchCommand::Board => "match_board",
        MatchCommand::Undo | MatchCommand::Redo => "match_history",
        MatchCommand::SetClock
        | MatchCommand::StartClock
        | MatchCommand::PressClock
        | MatchCommand::PauseClock
        | MatchCommand::ResumeClock => "match_clock",
        MatchCommand::Game
        | MatchCommand::Resign
        | MatchCommand::Draw
        | MatchCommand::Penalty
        | MatchCommand::Late
        | MatchCommand::Final
        | MatchCommand::Concede
        | MatchCommand::Rule
        | MatchCommand::Correct
        | MatchCommand::Contest
        | MatchCommand::WithdrawContest
        | MatchCommand::RuleContest
        | MatchCommand::Adjourn
        | MatchCommand::Resume
        | MatchCommand::Close
        | MatchCommand::Pay
        | MatchCommand::StartBoard
        | MatchCommand::AbandonBoard
        | MatchCommand::Import => "match_score",
    }
}

/// The command that opens a friendly match: both are people of the club who still come, and the currency is one of the
/// club's.
fn opening(visit: &mut Visit<'_, '_>, new: NewMatch) -> Result<Command, Refused> {
    let club = visit.load::<Club>(super::clubs::CLUB, "club")?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    if let Terms::Money { stake, .. } = new.terms {
        in_use(stake, settings)?;
    }
    // In one order everywhere, because each is held.
    let mut players = new.players;
    players.sort_unstable();
    for player in players {
        still_comes(visit.transaction.connection, player).map_err(|refused| refused.about("players"))?;
    }
    let terms = new.terms.within(settings.highest_cube.cube());
    Ok(Command::Open { players: new.players, terms, clock: new.clock, of: None })
}

/// Appends what happens on a sheet, and at the tournament whose match it is, and gives the receipt.
fn carry_through(visit: &mut Visit<'_, '_>, part: Part, status: u16) -> Result<(Receipt, Answer), Refused> {
    let (id, before) = (part.id, Arc::clone(&part.before));
    let Answer { stream, act, .. } = append(visit, part)?;
    sheets::tell(visit, OnSheet { id, sheet: [&before, &stream], deed: &act.deed })?;
    let receipt = Receipt { status, stream: id.0, version: stream.version };
    Ok((receipt, Answer { id, stream, act }))
}

/// Appends to a sheet what happens there, and derives what follows of it. Also for whoever opens or changes a sheet in an
/// act of another stream.
pub(super) fn append(visit: &mut Visit<'_, '_>, part: Part) -> Result<Answer, Refused> {
    let Part { id, before, deed, limit } = part;
    let Appended { stream, act, effects } = visit.append(id.0, &before, deed, limit)?;
    let change = derive::Change { id, before: &before.state, after: &stream.state, effects: &effects };
    derive::derive(visit, change)?;
    Ok(Answer { id, stream, act })
}
