//! Sheets: acts at a table that need a form, with their effect shown before they are recorded.
//!
//! A sheet has the address `/chouettes/{id}/<name>`. Its forms only ask (GET). The command they describe is
//! tried at the desk; the sheet then shows either the error at the field concerned, or the effect and a
//! button to confirm. That button posts to `/chouettes/{id}/act` like any other act. What a sheet is about is
//! [legal](Legal) at the table, and each such command has a form, drawn from its choices.

mod correct;
mod line;
mod pay;
mod people;
mod settle;
mod start;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;

use super::form::{Form, decoded};
use super::say::Say;
use super::table;
use super::visitor::{self, Visitor, redirect};
use crate::pages::button::{Button, Target};
use crate::pages::{Frame, Tab};
use owlbox_base::journal::Stream;
use owlbox_base::permissions::scopes::Area;
use owlbox_base::permissions::{OrderKind, Permission, Scope};
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_books::club::RuleSet;
use owlbox_books::ledger::Unit;
use owlbox_chouette::{Chouette, Command, CommandKind, Legal, Side};
use owlbox_desk::chouettes::derive::would_post;
use owlbox_desk::chouettes::screen::{TableScreen, TableScreenOptions};
use owlbox_desk::chouettes::{Filter, Order};
use owlbox_desk::commands::subject::Preview;
use owlbox_desk::{Principal, Refused, Request};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

/// The most tables that players can be moved to.
const MOST_TABLES: i64 = 60;

/// Another table of the night.
type OtherTable = (ChouetteId, Arc<Stream<Chouette>>);

/// Which sheet it is; as text, its name in the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[strum(serialize_all = "snake_case")]
enum SheetKind {
    /// Bets are settled by agreement.
    Settle,
    /// An earlier game is corrected.
    Correct,
    /// A player leaves, and somebody may have to decide for them.
    Leave,
    /// A player takes a break.
    Break,
    Proxy,
    /// Some players leave for a table of their own.
    Split,
    /// Everybody moves to another table.
    Merge,
    Rules,
    /// A player who was entered twice becomes one.
    Players,
    /// The order by hand, stakes and cubes of single players.
    Order,
    Pay,
    /// A game starts in a variant other than the house's own.
    Start,
}

impl SheetKind {
    fn name(self) -> &'static str {
        self.into()
    }

    fn title(self, t: &Locale) -> String {
        t.get(&format!("sheet-{}", self.name()))
    }

    /// The introduction above the form.
    fn lead(self, t: &Locale) -> String {
        t.get(&format!("sheet-{}-lead", self.name()))
    }

    /// The command that the sheet gives.
    const fn command(self) -> CommandKind {
        match self {
            Self::Settle => CommandKind::Settle,
            Self::Correct => CommandKind::Correct,
            Self::Leave => CommandKind::Leave,
            Self::Break => CommandKind::Break,
            Self::Proxy => CommandKind::NameProxy,
            Self::Split => CommandKind::Split,
            Self::Merge => CommandKind::MergeInto,
            Self::Rules => CommandKind::ChangeRules,
            Self::Players => CommandKind::MergePlayers,
            Self::Order => CommandKind::SetOrder,
            Self::Pay => CommandKind::Pay,
            Self::Start => CommandKind::StartGame,
        }
    }

    /// Whether the sheet is about this legal command.
    const fn is_about(self, legal: &Legal) -> bool {
        match self {
            Self::Settle => matches!(legal, Legal::Settle { .. }),
            Self::Correct => matches!(legal, Legal::Correct { .. }),
            Self::Leave => matches!(legal, Legal::Leave { .. }),
            Self::Break => matches!(legal, Legal::Break { .. }),
            Self::Proxy => matches!(legal, Legal::NameProxy { .. }),
            Self::Split => matches!(legal, Legal::Split { .. }),
            Self::Merge => matches!(legal, Legal::MergeInto {}),
            Self::Rules => matches!(legal, Legal::ChangeRules {}),
            Self::Players => matches!(legal, Legal::MergePlayers {}),
            Self::Order => {
                matches!(legal, Legal::SetOrder { .. } | Legal::SetStake { .. } | Legal::SetStart { .. })
            }
            Self::Pay => matches!(legal, Legal::Pay {}),
            Self::Start => matches!(legal, Legal::StartGame { .. }),
        }
    }

    /// The name of the field that the desk's refusal is about: the first of this name, or of this name and an
    /// index (`line.1`), that was sent. Empty if the sheet has none, so that the refusal stands above all of
    /// it.
    fn field(self, sent: &Form, refused: Option<&str>) -> String {
        let by_link = if matches!(self, Self::Leave | Self::Break | Self::Proxy) { "player" } else { "game" };
        let refused = refused.filter(|field| *field != by_link);
        let named = sent.sent().map(|(name, _)| name).find(|name| name.split('.').next() == refused);
        named.unwrap_or_default().to_owned()
    }
}

/// A sheet as far as it is filled in; once complete, with what it would do.
pub(super) async fn show(
    visitor: Visitor,
    path: web::Path<(ChouetteId, String)>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let (id, name) = path.into_inner();
    let kind: SheetKind = name.parse().map_err(|_| Refused::NotFound("page"))?;
    visitor.actor()?;
    let scope = |principal: Principal| OrderKind::from(kind.command()).scope(principal.at(Area::Table));
    if visitor.principal.is_none_or(|principal| scope(principal) == Scope::Nobody) {
        return Err(Refused::Forbidden(Permission::RunChouette).into());
    }
    let screen = table::screen(&visitor, id, TableScreenOptions::default()).await?;
    let mut frame = visitor.frame(&kind.title(&visitor.t), Some(Tab::Night));
    frame.here = format!("/chouettes/{id}/{name}");
    let mut page = SheetPage {
        t: visitor.say(&screen.names),
        frame,
        screen: &screen,
        kind,
        legal: screen.legal.iter().filter(|legal| kind.is_about(legal)).collect(),
        form: visitor.asked(),
        others: other_tables(&visitor, &screen, kind).await?,
        rule_sets: rule_sets(&visitor),
        wrong: Wrong::new(),
        tried: None,
    };
    // A table that was just split may have nothing more to split, but its sheet still leads to the new table.
    if page.legal.is_empty() && page.split_off().is_empty() {
        return Ok(redirect(&format!("/chouettes/{id}")));
    }
    let status = match page.filled() {
        Some(Ok(act)) => page.try_out(&visitor, act).await?,
        Some(Err(wrong)) => {
            page.wrong = wrong;
            StatusCode::OK
        }
        None => StatusCode::OK,
    };
    visitor::html(status, page.render())
}

/// The sets of house rules to choose from, the club's own first.
fn rule_sets(visitor: &Visitor) -> Vec<RuleSet<'_>> {
    let (ready, own) = visitor.club.state.rule_sets().partition::<Vec<_>, _>(|set| set.is_preset);
    own.into_iter().chain(ready).collect()
}

/// The other open tables of the night, if the sheet is about them.
async fn other_tables(
    visitor: &Visitor,
    screen: &TableScreen,
    kind: SheetKind,
) -> Result<Vec<OtherTable>, Problem> {
    if !matches!(kind, SheetKind::Merge | SheetKind::Split) {
        return Ok(Vec::new());
    }
    let desk = &visitor.service.desk;
    let night = Some(screen.stream.state.night());
    let filter = Filter { closed: Some(false), night, ..Filter::default() };
    let tables = desk.chouettes(filter, None, MOST_TABLES).await?;
    let open = tables.iter().map(|table| table.id).filter(|other| *other != screen.id).collect();
    Ok(desk.find_all::<Chouette>(open).await?)
}

/// Where a form leads, if not back to the table: a split shows the way to the new table, and a table merged
/// into another is left for that one.
pub(super) fn afterwards(id: ChouetteId, form: &Form) -> Option<String> {
    match form.command().and_then(decoded).ok()? {
        Order::Command(Command::Split { .. }) => Some(format!("/chouettes/{id}/split")),
        Order::Command(Command::MergeInto { table }) => Some(format!("/chouettes/{table}")),
        Order::History(_) | Order::Command(_) => None,
    }
}

/// The command that a sheet gives, and the same in words.
struct Act {
    command: Command,
    said: String,
    /// Remarks on its effect.
    notes: Vec<String>,
}

impl Act {
    fn new(command: Command, said: String) -> Self {
        Self { command, said, notes: Vec::new() }
    }
}

/// What is wrong with a sheet, by the names of its fields. What none of them shows is under the empty name.
type Wrong = BTreeMap<String, String>;

/// The command of a form, or what is wrong with it. `None` if it was not sent.
type Filled = Option<Result<Act, Wrong>>;

fn wrong(field: &str, why: String) -> Filled {
    Some(Err(Wrong::from([(field.to_owned(), why)])))
}

/// A complete command that the desk has tried.
struct Tried {
    act: Button,
    notes: Vec<String>,
    preview: Preview<Chouette>,
    /// What the ledger would post between two players: who gets, who gives, and how much.
    posted: BTreeMap<(Unit, PlayerId, PlayerId), i64>,
}

/// `/chouettes/{id}/{sheet}`, with what is filled in so far.
#[derive(Template)]
#[template(path = "sheets/sheet.html")]
struct SheetPage<'a> {
    t: Say<'a>,
    frame: Frame,
    screen: &'a TableScreen,
    kind: SheetKind,
    /// The legal commands that the sheet is about, with their choices.
    legal: Vec<&'a Legal>,
    /// What is filled in, which is the query of the address.
    form: Form,
    /// The other open tables of the night, on the sheets that lead there.
    others: Vec<OtherTable>,
    /// The sets of house rules to choose from.
    rule_sets: Vec<RuleSet<'a>>,
    wrong: Wrong,
    tried: Option<Tried>,
}

impl<'a> SheetPage<'a> {
    fn state(&self) -> &'a Chouette {
        &self.screen.stream.state
    }

    /// The command that the sheet gives, as far as it is filled in.
    fn filled(&self) -> Filled {
        self.legal.iter().find_map(|legal| {
            if let Legal::Settle { pairs } = legal {
                self.settle(pairs)
            } else if let Legal::Correct { from, to } = legal {
                self.correct(self.correcting(from, to)?)
            } else if let Legal::Split { players } = legal {
                self.split(players)
            } else if let Legal::MergeInto {} = legal {
                self.merge()
            } else if let Legal::ChangeRules {} = legal {
                self.change_rules()
            } else if let Legal::MergePlayers {} = legal {
                self.merge_players()
            } else if let Legal::SetOrder { line } = legal {
                self.set_order(line)
            } else if let Legal::SetStake { player } = legal {
                self.set_stake(player)
            } else if let Legal::SetStart { player, value } = legal {
                self.set_start(player, value)
            } else if let Legal::Pay {} = legal {
                self.pay()
            } else if let Legal::StartGame { variant } = legal {
                self.start(variant)
            } else {
                self.decide(self.chosen()?)
            }
        })
    }

    /// Tries a command at the desk, which says what it would do, or why it is refused.
    async fn try_out(&mut self, visitor: &Visitor, act: Act) -> Result<StatusCode, Problem> {
        let request = Request { expected: Some(self.screen.stream.version), ..Request::by(visitor.actor()?) };
        let order = Order::Command(act.command.clone());
        match visitor.service.desk.preview::<Chouette>(request, self.screen.id, order).await {
            Ok(preview) => {
                self.tried = Some(self.effect(act, preview)?);
                Ok(StatusCode::OK)
            }
            Err(refused) => {
                let problem = Problem::from(refused);
                if problem.status >= 500 {
                    return Err(problem);
                }
                let field = self.kind.field(&self.form, problem.field.as_deref());
                self.wrong = Wrong::from([(field, self.t.error(problem.code))]);
                Ok(visitor::status(&problem))
            }
        }
    }

    fn effect(&self, act: Act, preview: Preview<Chouette>) -> Result<Tried, Problem> {
        let mut posted = BTreeMap::new();
        if self.screen.viewer.sees_points {
            for posting in would_post(&preview)? {
                // Tables post between players only.
                let Some((player, other)) = posting.holder.player().zip(posting.counterparty.player()) else {
                    continue;
                };
                *posted.entry((posting.unit, player, other)).or_default() += posting.amount;
            }
        }
        // A line for the one of a pair who gets.
        posted.retain(|_, sum| *sum > 0);
        let mut notes = act.notes;
        let seats = |state: &Chouette| (state.box_player(), state.captain());
        let after = seats(&preview.here.after.stream.state);
        if let (true, (Some(box_player), Some(captain))) = (after != seats(self.state()), after) {
            let (box_player, captain) = (self.t.name(&box_player), self.t.name(&captain));
            notes.push(self.t.fill("say-seats", &[("box", &box_player), ("captain", &captain)]));
        }
        Ok(Tried { act: Button::new(act.said, &act.command), notes, preview, posted })
    }
}

/// What the forms ask.
impl<'a> SheetPage<'a> {
    /// Whether the form of this name was sent, of those on the sheet.
    fn is_sent(&self, form: &str) -> bool {
        self.form.text("form") == form
    }

    fn sent(&self, form: &str) -> Option<()> {
        self.is_sent(form).then_some(())
    }

    /// The player whose id a field holds, if they are among these.
    fn player(&self, field: &str, among: &[PlayerId]) -> Option<PlayerId> {
        let named = self.form.text(field);
        among.iter().copied().find(|player| player.to_string() == named)
    }

    /// Everybody who ever sat here.
    fn known(&self) -> Vec<PlayerId> {
        self.state().known().collect()
    }

    /// Says that nothing is chosen in a field.
    fn choose(&self, field: &str) -> Filled {
        wrong(field, self.t.get("sheet-choose"))
    }

    /// What is wrong with a field; by the empty name, with the sheet.
    fn wrong(&self, field: &str) -> Option<&String> {
        self.wrong.get(field)
    }

    /// The players of a bet. An extra is named as such, because it is not a bet with the box.
    fn between(&self, box_side: &PlayerId, team: &PlayerId, is_extra: bool) -> String {
        let names = format!("{} – {}", self.t.name(box_side), self.t.name(team));
        if is_extra { self.t.with("sheet-extra", "names", &names) } else { names }
    }
}

/// What the act would do.
impl SheetPage<'_> {
    fn target(&self) -> Target {
        Target::at_table(self.screen.id, self.screen.stream.version)
    }

    /// Everybody whose score would change, with the score before and after. Nobody if the viewer may not see
    /// them.
    fn scores(&self, tried: &Tried) -> Vec<(PlayerId, HalfPoints, HalfPoints)> {
        let (before, after) = (self.state(), &tried.preview.here.after.stream.state);
        let known = before.known().chain(after.known().filter(|player| !before.knows(*player)));
        let scores = known.map(|player| (player, before.score(player), after.score(player)));
        scores.filter(|(_, before, after)| before != after && self.screen.viewer.sees_points).collect()
    }
}
