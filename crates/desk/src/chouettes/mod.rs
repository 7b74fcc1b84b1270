//! Chouettes at the desk: opening them, carrying out commands, reading them.
//!
//! * [`scope`]: who may give which command.
//! * `plan`: the events of a command at every table it touches.
//! * `seats`: who may sit down at a table.
//! * [`derive`]: the read tables and the books.
//! * [`screen`]: a table as one caller is shown it, for page and script.

pub mod derive;
pub(super) mod plan;
pub mod scope;
pub mod screen;
pub(super) mod seats;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::books::income::Period;
use crate::club::house_rules;
use crate::club::stream::{CLUB, require_currency};
use crate::commands::bounds::{LengthAllowance, room_for_a_game};
use crate::commands::history;
use crate::commands::metrics::table_label;
use crate::commands::plan_context::PlanContext;
use crate::commands::subject::{Preview, StreamAfter, StreamPreview, Subject as _};
use crate::people::players::Entrant;
use crate::{Desk, Principal, Refused, Request, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{Aggregate as _, Stream, Version};
use owlbox_base::permissions::{OrderKind, Permission};
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId, Stake, Timestamp};
use owlbox_books::club::Club;
use owlbox_chouette::rules::DecisionOrder;
use owlbox_chouette::{Allowed as RulesAllowed, Chouette, Command, CommandKind, HouseRules, Legal, Score};
use owlbox_store::chouettes as stored;

/// A command to a chouette, or undo or redo.
pub type Order = history::Order<Command>;

/// The data for opening a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewChouette {
    /// The name of the table: 1 to 80 visible characters, no line breaks.
    #[cfg_attr(feature = "schema", schema(example = "Friday table"))]
    pub name: String,
    /// The value of a point if the table plays for money, in one of the club's currencies; otherwise absent.
    #[serde(default)]
    pub stake: Option<Stake>,
    /// The house rules. Missing settings take their defaults; if neither the rules nor a set's name is given,
    /// the common rules apply.
    #[serde(default)]
    pub rules: Option<HouseRules>,
    /// The name of a set of house rules, instead of the rules themselves: a built-in set or one of the club's
    /// own.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(example = "common"))]
    pub house_rules: Option<String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// True for closed tables only, false for open ones only; `None` for both.
    pub closed: Option<bool>,
    pub night: Option<NaiveDate>,
    /// Of the nights.
    pub period: Period,
}

/// A chouette in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChouetteSummary {
    pub id: ChouetteId,
    /// The name of the table.
    pub name: String,
    /// The night it belongs to: a date in the club's time zone.
    pub night: NaiveDate,
    /// Whether the table is closed.
    pub closed: bool,
    /// The stake for a point; null if no money is played for.
    pub stake: Option<Stake>,
    /// Deprecated: the `amount` of `stake`.
    pub stake_amount: Option<i64>,
    /// Deprecated: the `currency` of `stake`.
    #[cfg_attr(feature = "schema", schema(example = "EUR"))]
    pub stake_currency: Option<String>,
    /// The number of finished games.
    pub games: i32,
    pub opened_at: Timestamp,
    /// When the table was closed; null while it is open.
    pub closed_at: Option<Timestamp>,
}

impl From<stored::ChouetteRow> for ChouetteSummary {
    fn from(row: stored::ChouetteRow) -> Self {
        Self {
            stake: row.stake(),
            id: row.id.into(),
            name: row.name,
            night: row.night,
            closed: row.closed_at.is_some(),
            stake_amount: row.stake_amount,
            stake_currency: row.stake_currency,
            games: row.games,
            opened_at: row.opened_at.into(),
            closed_at: row.closed_at.map(Into::into),
        }
    }
}

/// Commands given at once as one act, which affects only its own table: the cube actions of several players,
/// or the result of a game and the start of the next.
#[derive(Clone, Debug)]
pub struct CommandBatch(Vec<Command>);

impl CommandBatch {
    /// These commands, in this order; `None` unless they are at least one double, take or drop and nothing
    /// else, or a result with the start after it.
    #[must_use]
    pub fn new(commands: Vec<Command>) -> Option<Self> {
        let of_a_cube = |command: &Command| {
            matches!(command, Command::Double { .. } | Command::Take { .. } | Command::Drop { .. })
        };
        let of_cubes = !commands.is_empty() && commands.iter().all(of_a_cube);
        let goes_on = matches!(commands.as_slice(), [Command::Finish { .. }, Command::StartGame { .. }]);
        (of_cubes || goes_on).then_some(Self(commands))
    }

    fn commands(&self) -> &[Command] {
        &self.0
    }

    /// What they are counted as in the metrics: the first of them.
    fn label(&self) -> &'static str {
        let first = self.0.first().map_or(CommandKind::Double, CommandKind::from);
        table_label(OrderKind::Command(first))
    }

    /// Whether they only end what is in progress, as answers to a double do.
    fn winds_up(&self) -> bool {
        self.0.iter().all(|command| matches!(command, Command::Take { .. } | Command::Drop { .. }))
    }
}

impl StreamPreview<Chouette> {
    /// The table's name; if the act would undo its opening, its name before.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.after.stream.state.name() {
            "" => self.before.state.name(),
            name => name,
        }
    }
}

impl Preview<Chouette> {
    /// The changes of score, by player. Players whose score stays the same are left out.
    #[must_use]
    pub fn changes(&self) -> Vec<Score> {
        let (before, after) = (&self.here.before.state, &self.here.after.stream.state);
        let known: BTreeSet<PlayerId> = before.known().chain(after.known()).collect();
        let change = |player| Score { player, points: after.score(player) - before.score(player) };
        known.into_iter().map(change).filter(|change| change.points != HalfPoints::ZERO).collect()
    }
}

impl Order {
    /// How far into the stream it may reach. `own`: the caller may only act for themselves.
    const fn reaches(&self, own: bool) -> LengthAllowance {
        // Opening ties and cocked dice can be rolled again without end, so board actions need a bound of
        // their own.
        if matches!(self, Self::Command(Command::OpeningTie { .. } | Command::Board { .. })) {
            LengthAllowance::Game
        } else if self.winds_up() {
            LengthAllowance::End
        } else if !own && matches!(self, Self::History(_) | Self::Command(Command::Correct { .. })) {
            LengthAllowance::Reserve
        } else {
            LengthAllowance::Length
        }
    }

    /// Whether it only ends what is in progress. A full stream must not leave its players stuck at the table;
    /// and such commands run out by themselves, because nothing begins after them.
    const fn winds_up(&self) -> bool {
        matches!(
            self,
            Self::Command(
                Command::Take { .. }
                    | Command::Drop { .. }
                    | Command::PassExtra { .. }
                    | Command::Finish { .. }
                    | Command::Leave { .. }
                    | Command::MergeInto { .. }
                    | Command::Close {}
            )
        )
    }

    /// The same order, with `new` as the id of the table if it opens one.
    pub(super) fn with_table(mut self, new: ChouetteId) -> Self {
        if let Self::Command(Command::Split { table, .. }) = &mut self {
            *table = Some(new);
        }
        self
    }
}

/// Refuses to start a game in a stream that has no room left to play it. Games in progress can still be wound
/// up.
fn has_room(command: &Command, version: Version, length_limit: Version) -> Result<(), Refused> {
    if !matches!(command, Command::StartGame { .. }) || room_for_a_game(version, length_limit) {
        return Ok(());
    }
    Err(Refused::Rule(Rule {
        code: Code::NightTooLong,
        field: None,
        allowed: Some(RulesAllowed::Commands(&[CommandKind::Close, CommandKind::MergeInto]).into()),
        detail: "the table's stream is nearly full: no new game can begin".into(),
    }))
}

impl Desk {
    /// The legal commands at a table that the caller may give. Starting a game is left out if the stream has
    /// no room for one.
    #[must_use]
    pub fn legal(&self, stream: &Stream<Chouette>, principal: Option<&Principal>) -> Vec<Legal> {
        let mut legal = scope::legal_for(&stream.state, principal);
        if !room_for_a_game(stream.version, self.inner.limits.stream_length) {
            legal.retain(|legal| !matches!(legal, Legal::StartGame { .. }));
        }
        legal
    }

    /// Carries out several commands as a single act: it is undone as a whole, and if one of them is refused
    /// none happens. Needs `run_chouette`.
    ///
    /// # Errors
    /// The first refusal by the rules or the desk.
    pub async fn command_together(
        &self,
        request: Request,
        id: ChouetteId,
        together: CommandBatch,
    ) -> Result<StreamAfter<Chouette>, Refused> {
        let (expected, label) = (request.expected, together.label());
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            unit.principal.require(Permission::RunChouette)?;
            let before = unit.find(id, expected)?;
            plan::plan_together(unit, id, &before, &together)
        };
        self.give(request, label, 200, Some(vec![(id.0, Chouette::KIND)]), plan).await
    }

    /// Seats somebody by name. A name that is nobody's makes a guest, in an act of its own. It is one unit of
    /// work, so that a refusal leaves no guest behind.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn join_by_name(
        &self,
        request: Request,
        id: ChouetteId,
        somebody: Entrant,
    ) -> Result<StreamAfter<Chouette>, Refused> {
        let (expected, label) = (request.expected, table_label(OrderKind::Command(CommandKind::Join)));
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            let before = unit.find::<Chouette>(id, expected)?;
            let player = unit.find_or_add(&somebody, "guest", Some(Permission::AddGuests))?;
            let principal = unit.principal;
            Chouette::plan(unit, &principal, id, &before, Order::Command(Command::Join { player }))
        };
        self.give(request, label, 200, None, plan).await
    }

    /// Previews commands given at once. Runs beside the writer and changes nothing.
    ///
    /// # Errors
    /// Refusals of the rules or the desk; `no_preview` where players answer in secret.
    pub async fn preview_together(
        &self,
        request: Request,
        id: ChouetteId,
        together: CommandBatch,
    ) -> Result<Preview<Chouette>, Refused> {
        let expected = request.expected;
        self.preview_plan(request, move |beside, principal| {
            principal.require(Permission::RunChouette)?;
            let before = beside.find(id, expected)?;
            plan::plan_together(beside, id, &before, &together)
        })
        .await
    }

    /// A page of chouettes, newest first; `after` is the last one of the page before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn chouettes(
        &self,
        filter: Filter,
        after: Option<ChouetteId>,
        limit: i64,
    ) -> Result<Vec<ChouetteSummary>, Refused> {
        let status = filter.closed.map(|closed| if closed { "closed" } else { "open" }.to_owned());
        let Period { from, until } = filter.period.in_order()?;
        let filter = stored::Filter { status, night: filter.night, nights: [from, until] };
        let rows = self.read(move |connection| stored::page(connection, &filter, after, limit)).await?;
        Ok(rows.into_iter().map(ChouetteSummary::from).collect())
    }
}

/// The command that opens a chouette on the club's current night.
pub(super) fn opening(unit: &mut UnitOfWork<'_, '_>, new: NewChouette) -> Result<Command, Refused> {
    let club = unit.load::<Club>(CLUB)?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    if let Some(stake) = new.stake {
        require_currency(settings, stake.currency, "stake")?;
    }
    let night = settings.night_of(unit.now);
    let rules = house_rules::chosen(&club.state, new.rules, new.house_rules.as_deref())?;
    Ok(Command::Open { name: new.name, night, stake: new.stake, rules, from: None })
}

/// Refuses house rules that can no longer be chosen, in a change of the table's rules.
pub(super) fn check_chosen(order: &Order) -> Result<(), Refused> {
    match order {
        Order::Command(Command::ChangeRules { rules }) => Ok(rules.check_chosen()?),
        Order::Command(_) | Order::History(_) => Ok(()),
    }
}

/// Whether a preview of `command` could reveal the secret answers of others.
pub(super) fn is_secret(chouette: &Chouette, command: &Command) -> bool {
    let answers = matches!(command, Command::Take { .. } | Command::Drop { .. } | Command::Beaver { .. });
    answers && chouette.rules().decision_order == DecisionOrder::AllAtOnce
}

pub(super) fn no_preview() -> Refused {
    let why = "the answers of others are not shown until everybody has answered";
    Refused::rule(Code::NoPreview, Some("command"), why)
}
