//! Sheets: acts at a table that need filling in, and are tried before they are recorded.
//!
//! [`pages`](crate::pages::Sheet) has their fields; here the resulting command is tried at the desk.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;

use super::amounts::amount;
use super::house_rules::shown_name;
use super::table;
use super::visitor::{self, Visitor, redirect};
use crate::pages::{
    Choice, Confirmed, Draft, Offered, OfferedRules, Posted, Sheet, SheetChoices, SheetKind, Tab,
    TableContext, Way,
};
use owlbox_base::permissions::{OrderKind, Permission, Scope};
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_books::club::RuleSet;
use owlbox_books::ledger::Unit;
use owlbox_chouette::{Chouette, Command, CommandKind};
use owlbox_desk::chouettes::derive::would_post;
use owlbox_desk::chouettes::screen::Asked;
use owlbox_desk::chouettes::{Filter, Order};
use owlbox_desk::people::players::called;
use owlbox_desk::{Principal, Refused, Request};
use owlbox_http::problem::Problem;

/// The most tables that players can be moved to.
const MOST_TABLES: i64 = 60;

/// A sheet as far as it is filled in; once complete, with what it would do.
pub(super) async fn show(
    visitor: Visitor,
    path: web::Path<(ChouetteId, String)>,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let (id, name) = path.into_inner();
    let kind = SheetKind::from_name(&name).ok_or(Refused::NotFound("page"))?;
    visitor.actor()?;
    let may =
        |principal: Principal| OrderKind::from(command_of(kind)).scope(principal.roles) != Scope::Nobody;
    if !visitor.principal.is_some_and(may) {
        return Err(Refused::Forbidden(Permission::RunChouette).into());
    }
    let asked = SheetChoices(query.into_inner());
    let screen = table::screen(&visitor, id, Asked::default()).await?;
    let context = table::context(&visitor, &screen);
    let others = other_tables(&visitor, id, kind).await?;
    let links = if kind == SheetKind::Split { split_off(&others) } else { Vec::new() };
    let offered = Offered {
        tables: others.into_iter().map(|other| other.choice).collect(),
        rules: if kind == SheetKind::Rules { rules(&visitor) } else { Vec::new() },
    };
    let mut draft = match kind.draft(&context, &asked, &offered) {
        Some(draft) => draft,
        // A table that was just split may have nothing more to split, but its sheet still leads to the new
        // table.
        None if !links.is_empty() => Draft::default(),
        None => return Ok(redirect(&format!("/chouettes/{id}"))),
    };
    let (confirmed, status) = tried(&visitor, &context, &mut draft).await?;
    let mut frame = visitor.frame(&kind.title(&visitor.t), Some(Tab::Night));
    frame.here = format!("/chouettes/{id}/{}", kind.name());
    let name = context.stream.state.name().to_owned();
    let page = Sheet { t: visitor.t, frame, kind, table: id.to_string(), name, draft, confirmed, links };
    visitor::html(status, page.render())
}

/// The command that a sheet gives.
const fn command_of(kind: SheetKind) -> CommandKind {
    match kind {
        SheetKind::Settle => CommandKind::Settle,
        SheetKind::Correct => CommandKind::Correct,
        SheetKind::Leave => CommandKind::Leave,
        SheetKind::Break => CommandKind::Break,
        SheetKind::Proxy => CommandKind::NameProxy,
        SheetKind::Split => CommandKind::Split,
        SheetKind::Merge => CommandKind::MergeInto,
        SheetKind::Rules => CommandKind::ChangeRules,
        SheetKind::Players => CommandKind::MergePlayers,
        SheetKind::Order => CommandKind::SetOrder,
        SheetKind::Pay => CommandKind::Pay,
        SheetKind::Start => CommandKind::StartGame,
    }
}

/// Tries the draft's command, if it is complete. Returns what it would do; if it is refused, the draft gets
/// the reason.
async fn tried(
    visitor: &Visitor,
    context: &TableContext<'_>,
    draft: &mut Draft,
) -> Result<(Option<Confirmed>, StatusCode), Problem> {
    let Some((command, message)) = draft.command.take() else { return Ok((None, StatusCode::OK)) };
    let request = Request { expected: Some(context.stream.version), ..Request::by(visitor.actor()?) };
    let order = Order::Command(command.clone());
    let preview = match visitor.service.desk.preview::<Chouette>(request, context.id, order).await {
        Ok(preview) => preview,
        Err(refused) => {
            let problem = Problem::from(refused);
            if problem.status >= 500 {
                return Err(problem);
            }
            draft.mark(problem.field, visitor.t.error(problem.code));
            return Ok((None, visitor::status(&problem)));
        }
    };
    let posted = if context.sees_points() { posted(context, &would_post(&preview)?) } else { Vec::new() };
    let notes = std::mem::take(&mut draft.notes);
    let after = &preview.here.after.stream.state;
    Ok((Some(Confirmed::new(context, &command, message, after, posted, notes)), StatusCode::OK))
}

/// What would be posted, in total for each pair of players: a line for the one who gets.
fn posted(context: &TableContext<'_>, postings: &[owlbox_books::ledger::Posting]) -> Vec<Posted> {
    let mut sums: BTreeMap<(Unit, PlayerId, PlayerId), i64> = BTreeMap::new();
    for posting in postings {
        // Tables post between players only.
        let (Some(player), Some(other)) = (posting.holder.player(), posting.counterparty.player()) else {
            continue;
        };
        *sums.entry((posting.unit, player, other)).or_default() += posting.amount;
    }
    let name = |player: PlayerId| called(&context.names, player);
    let gets = sums.into_iter().filter(|(_, sum)| *sum > 0);
    gets.map(|((unit, player, counterparty), sum)| Posted {
        name: name(player),
        with: format!("← {}", name(counterparty)),
        amount: amount(&context.say, unit, sum),
    })
    .collect()
}

/// The sets of house rules to choose from, the club's own first.
fn rules(visitor: &Visitor) -> Vec<OfferedRules> {
    let (ready, own) = visitor.club.state.rule_sets().partition::<Vec<_>, _>(|set| set.is_preset);
    let offered = |set: RuleSet<'_>| OfferedRules {
        name: set.name.to_owned(),
        shown: shown_name(&visitor.t, &set),
        rules: set.rules.clone(),
    };
    own.into_iter().chain(ready).map(offered).collect()
}

/// Another open table of the night.
struct Other {
    choice: Choice,
    /// A link to it, if it was split off this one.
    link: Option<Way>,
}

/// The other open tables, if the sheet is about them.
async fn other_tables(visitor: &Visitor, id: ChouetteId, kind: SheetKind) -> Result<Vec<Other>, Problem> {
    if !matches!(kind, SheetKind::Merge | SheetKind::Split) {
        return Ok(Vec::new());
    }
    let desk = &visitor.service.desk;
    let night = desk.find::<Chouette>(id).await?.state.night();
    let filter = Filter { closed: Some(false), night: Some(night) };
    let rows = desk.chouettes(filter, None, MOST_TABLES).await?;
    let open = rows.iter().map(|row| ChouetteId::from(row.id)).filter(|other| *other != id).collect();
    let others = desk.find_all::<Chouette>(open).await?.into_iter().map(|(other, stream)| {
        let name = stream.state.name();
        let link = (stream.state.from() == Some(id)).then(|| Way {
            label: name.to_owned(),
            about: visitor.t.count("players-count", &stream.state.present().len()),
            address: format!("/chouettes/{other}"),
            chosen: false,
        });
        Other { choice: Choice::new(other.to_string(), name, false), link }
    });
    Ok(others.collect())
}

fn split_off(others: &[Other]) -> Vec<Way> {
    others.iter().filter_map(|other| other.link.clone()).collect()
}

/// Where a command leads, if not back to the table: a split shows the way to the new table, and a table merged into
/// another is left for that one.
pub(super) fn afterwards(id: ChouetteId, command: &Order) -> Option<String> {
    match command {
        Order::Command(Command::Split { .. }) => Some(format!("/chouettes/{id}/split")),
        Order::Command(Command::MergeInto { table }) => Some(format!("/chouettes/{table}")),
        Order::History(_) | Order::Command(_) => None,
    }
}
