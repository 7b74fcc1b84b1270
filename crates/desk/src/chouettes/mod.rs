//! Chouettes at the desk: opening one, commands to one, looking at one.
//!
//! * [`scope`]: who may give which command.
//! * `plan`: what a command comes to, at every table that it touches.
//! * [`derive`]: the read tables and the books that follow of an act.
//! * [`page_context`]: what a table's page tells besides the table.

pub mod derive;
pub mod page_context;
pub(super) mod plan;
pub mod scope;

pub(super) use self::plan::still_comes;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::bounds::Reaches;
use super::history;
use super::subject::{Answer, Preview, StreamPreview};
use super::surroundings::Surroundings;
use super::{Allowed, Desk, Principal, Refused, Request, Rule, UnitOfWork, house_rules};
use owlbox_domain::chouette::rules::DecisionOrder;
use owlbox_domain::chouette::{
    Allowed as RulesAllowed, Chouette, Command, CommandKind, HouseRules, Legal, Score,
};
use owlbox_domain::club::{Club, Settings};
use owlbox_domain::code::Code;
use owlbox_domain::journal::{Stream, Version};
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{ChouetteId, HalfPoints, PlayerId, Stake};
use owlbox_store::chouettes as stored;
pub use owlbox_store::chouettes::Row;

/// A command to a chouette as callers give it.
pub type Order = history::Order<Command>;

/// What a new chouette is opened with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewChouette {
    /// What the table is called: 1 to 80 visible characters, no line breaks.
    #[cfg_attr(feature = "schema", schema(example = "Friday table"))]
    pub name: String,
    /// What a point is worth, if money is played for; the currency must be one of the club's.
    #[serde(default)]
    pub stake: Option<Stake>,
    /// The house rules; what is missing takes its default. Without them, and without a set named, the common
    /// ones.
    #[serde(default)]
    pub rules: Option<HouseRules>,
    /// The name of a set of house rules instead of them: one that comes with the program, or the club's own.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(example = "common"))]
    pub house_rules: Option<String>,
}

/// Which chouettes a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Closed ones, or open ones.
    pub closed: Option<bool>,
    pub night: Option<NaiveDate>,
}

/// What several players do at once: doubles, takes and drops, which touch nothing but their own table. At least one.
#[derive(Clone, Debug)]
pub struct Together(Vec<Command>);

impl Together {
    /// These, in this order; `None` if there are none, or others among them.
    #[must_use]
    pub fn new(commands: Vec<Command>) -> Option<Self> {
        let of_a_cube = |command: &Command| {
            matches!(command, Command::Double { .. } | Command::Take { .. } | Command::Drop { .. })
        };
        (!commands.is_empty() && commands.iter().all(of_a_cube)).then_some(Self(commands))
    }

    fn commands(&self) -> &[Command] {
        &self.0
    }

    /// As what it is counted: as the first.
    fn kind(&self) -> CommandKind {
        self.0.first().map_or(CommandKind::Double, CommandKind::from)
    }

    /// Whether it only brings to an end what goes on, as answers do.
    fn winds_up(&self) -> bool {
        self.0.iter().all(|command| matches!(command, Command::Take { .. } | Command::Drop { .. }))
    }
}

impl StreamPreview<Chouette> {
    /// What the table is called; of one that would not be open any more, what it was called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.after.stream.state.name() {
            "" => self.before.state.name(),
            name => name,
        }
    }
}

impl Preview<Chouette> {
    /// By how much scores there would change: of those that would, by player.
    #[must_use]
    pub fn changes(&self) -> Vec<Score> {
        let (before, after) = (&self.here.before.state, &self.here.after.stream.state);
        let known: BTreeSet<PlayerId> = before.known().chain(after.known()).collect();
        let change = |player| Score { player, points: after.score(player) - before.score(player) };
        known.into_iter().map(change).filter(|change| change.points != HalfPoints::ZERO).collect()
    }
}

impl Order {
    /// How far into its stream it may reach, whether or not whoever gives it may do so of his `own` alone.
    const fn reaches(&self, own: bool) -> Reaches {
        // The dice can be thrown again for ever, by entered ties and cocked dice; a game is played within a bound.
        if matches!(self, Self::Command(Command::OpeningTie { .. } | Command::Board { .. })) {
            Reaches::Game
        } else if self.winds_up() {
            Reaches::End
        } else if !own && matches!(self, Self::History(_) | Self::Command(Command::Correct { .. })) {
            Reaches::Reserve
        } else {
            Reaches::Length
        }
    }

    /// Whether it only brings to an end what goes on. A table whose stream is full must not be stuck with
    /// its players; and of these there is an end, for nothing begins after them.
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

    /// Whether a table whose stream is at `version` of so many events goes on with it: a game begins only
    /// where there is room to play it. What is on may be wound up beyond that.
    fn has_room(&self, version: Version, length_limit: Version) -> Result<(), Refused> {
        if !matches!(self, Self::Command(Command::StartGame { .. })) || room_for_a_game(version, length_limit)
        {
            return Ok(());
        }
        Err(Refused::Rule(Rule {
            code: Code::NightTooLong,
            field: None,
            allowed: Some(RulesAllowed::Commands(&[CommandKind::Close, CommandKind::MergeInto]).into()),
            detail: "the table's stream is nearly as long as it may be: no game begins any more".into(),
        }))
    }

    /// The order with the id of the table that it opens, if it does.
    pub(super) fn with_table(mut self, new: ChouetteId) -> Self {
        if let Self::Command(Command::Split { table, .. }) = &mut self {
            *table = Some(new);
        }
        self
    }
}

/// What a game may need: more events than any that was ever played move by move.
const ROOM_FOR_A_GAME: Version = 300;

/// What is kept for a game in a stream of so many events. Where streams are kept very short, a tenth is enough.
pub(super) fn room(length_limit: Version) -> Version {
    ROOM_FOR_A_GAME.min(length_limit / 10)
}

/// Whether a table whose stream is at `version` of so many events can begin a game.
pub(super) fn room_for_a_game(version: Version, length_limit: Version) -> bool {
    version <= length_limit - room(length_limit)
}

impl Desk {
    /// What of the legal commands at a table the asker may give; no game where there is no room for one.
    #[must_use]
    pub fn legal(&self, stream: &Stream<Chouette>, principal: Option<&Principal>) -> Vec<Legal> {
        let mut legal = scope::legal_for(&stream.state, principal);
        if !room_for_a_game(stream.version, self.inner.limits.stream_length) {
            legal.retain(|legal| !matches!(legal, Legal::StartGame { .. }));
        }
        legal
    }

    /// Carries out what several players do at once, as one act: it is undone as one, and none of it happens unless all
    /// of it does. Needs `run_chouette`.
    ///
    /// # Errors
    /// What the rules or the desk refuse of the first command that they do.
    pub async fn command_together(
        &self,
        request: Request,
        id: ChouetteId,
        together: Together,
    ) -> Result<Answer<Chouette>, Refused> {
        let (expected, kind) = (request.expected, together.kind());
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            unit.principal.require(Permission::RunChouette)?;
            let before = unit.find(id, expected)?;
            plan::plan_together(unit, id, &before, &together)
        };
        self.give(request, kind.into(), 200, plan).await
    }

    /// What they would make of a chouette, without doing it: worked out beside the writer.
    ///
    /// # Errors
    /// What the rules or the desk would refuse; `no_preview` where others answer in secret.
    pub async fn preview_together(
        &self,
        request: Request,
        id: ChouetteId,
        together: Together,
    ) -> Result<Preview<Chouette>, Refused> {
        let expected = request.expected;
        self.preview_plan(request, move |beside, principal| {
            principal.require(Permission::RunChouette)?;
            let before = beside.find(id, expected)?;
            plan::plan_together(beside, id, &before, &together)
        })
        .await
    }

    /// A page of chouettes at a glance, newest first, older than the one named.
    ///
    /// # Errors
    /// The store failed.
    pub async fn chouettes(
        &self,
        filter: Filter,
        after: Option<ChouetteId>,
        limit: i64,
    ) -> Result<Vec<Row>, Refused> {
        let status = filter.closed.map(|closed| if closed { "closed" } else { "open" }.to_owned());
        let filter = stored::Filter { status, night: filter.night };
        self.read(move |connection| Ok(stored::page(connection, &filter, after, limit)?)).await
    }
}

/// The command that opens a chouette: the night is the club's day, the currency one of the club's.
pub(super) fn opening(unit: &mut UnitOfWork<'_, '_>, new: NewChouette) -> Result<Command, Refused> {
    let club = unit.load::<Club>(super::clubs::CLUB, "club")?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    in_use(new.stake, settings)?;
    let night = settings.night_of(unit.now);
    let rules = house_rules::chosen(&club.state, new.rules, new.house_rules.as_deref())?;
    Ok(Command::Open { name: new.name, night, stake: new.stake, rules, from: None })
}

/// Whether the club keeps books in the currency of a stake.
pub(super) fn in_use(stake: Option<Stake>, settings: &Settings) -> Result<(), Refused> {
    match stake {
        Some(stake) if !settings.currencies.contains(stake.currency) => Err(Refused::Rule(Rule {
            code: Code::CurrencyNotInUse,
            field: Some("stake"),
            allowed: Some(Allowed::Currencies(settings.currencies.as_slice().to_vec())),
            detail: format!("the club does not keep books in {}", stake.currency),
        })),
        _ => Ok(()),
    }
}

/// Whether rules that a table is to change to may be chosen now.
pub(super) fn check_chosen(order: &Order) -> Result<(), Refused> {
    match order {
        Order::Command(Command::ChangeRules { rules }) => Ok(rules.check_chosen()?),
        Order::Command(_) | Order::History(_) => Ok(()),
    }
}

/// Whether a preview of `command` could show what others have answered in secret.
pub(super) fn is_secret(chouette: &Chouette, command: &Command) -> bool {
    let answers = matches!(command, Command::Take { .. } | Command::Drop { .. } | Command::Beaver { .. });
    answers && chouette.rules().decision_order == DecisionOrder::AllAtOnce
}

pub(super) fn no_preview() -> Refused {
    let why = "what others have answered is not shown before all have";
    Refused::rule(Code::NoPreview, Some("command"), why)
}
