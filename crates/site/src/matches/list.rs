//! The list of matches, and opening one.

use std::mem::take;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use serde_json::json;

use crate::amounts;
use crate::form::Form;
use crate::pages::{Frame, Tab};
use crate::playing::{Playing, other_game};
use crate::say::Say;
use crate::sentences::house_rules;
use crate::visitor::{Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{MatchId, PlayerId, Timestamp};
use owlbox_books::club::Settings;
use owlbox_books::ledger::Unit;
use owlbox_chouette::rules::catalogue;
use owlbox_desk::Request;
use owlbox_desk::matches::NewMatch;
use owlbox_desk::matches::list::{ListedMatch, MatchListOptions, MatchesScreen};
use owlbox_http::paging::{self, Page};
use owlbox_http::problem::{Problem, of_body};
use owlbox_locale::Locale;
use owlbox_play::matches::clock::ClockSetting;
use owlbox_play::matches::score::Length;
use owlbox_play::matches::{Sheet, Slot};

/// The most matches in progress on the page.
const MOST_OPEN: i64 = 60;
/// Finished matches per page.
const PAGE: i64 = 20;
/// The most players that the form offers.
const MOST_PLAYERS: i64 = 500;

#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Query {
    player: Option<PlayerId>,
    after: Option<String>,
}

/// `/matches?player=&after=`
#[derive(Template)]
#[template(path = "matches/list.html")]
struct MatchesPage<'a> {
    t: Say<'a>,
    frame: Frame,
    screen: &'a MatchesScreen,
    /// The finished matches on this page.
    over: Page<ListedMatch>,
    query: &'a Query,
    settings: &'a Settings,
    /// The form for a new match, as it was typed, if the viewer may open one.
    form: Option<&'a Form>,
}

impl MatchesPage<'_> {
    fn names(&self, one: &ListedMatch) -> [String; 2] {
        one.players().map(|player| self.t.name(&player))
    }

    /// What is played for, the number of games, the date.
    fn facts(&self, one: &ListedMatch) -> Vec<String> {
        let (t, row) = (&self.t, &one.row);
        let for_what = match row.length {
            0 => t.get("scoring-money"),
            length => t.with("match-long", "points", length),
        };
        let variant = one.variant.and_then(|played| other_game(t, played));
        let games = t.count("games-count", &usize::try_from(row.games).unwrap_or(0));
        let day = t.date(&Timestamp::from(row.finished_at.unwrap_or(row.opened_at)));
        let of_tournament = row.tournament.map(|_| t.get("scoring-of-tournament"));
        [Some(for_what), variant, Some(games), Some(day), of_tournament].into_iter().flatten().collect()
    }

    /// Whether the viewer plays in it.
    fn is_viewers(&self, one: &ListedMatch) -> bool {
        self.t.player().is_some_and(|viewer| one.players().contains(&viewer))
    }

    /// The address of the page after this one.
    fn address(&self, next: &str) -> String {
        let of_player = self.query.player.map(|player| format!("player={player}&")).unwrap_or_default();
        format!("/matches?{of_player}after={next}")
    }

    /// How far a double may be redoubled at once (C7, C8): the choices, in the words of the house rules.
    fn beavers(&self) -> Vec<(String, String)> {
        let Some(setting) = catalogue::setting("animals") else { return Vec::new() };
        let words = |value: &catalogue::SettingValue| house_rules::meaning(&self.t, setting, value);
        setting.listed().into_iter().flatten().map(|value| (value.to_string(), words(&value))).collect()
    }
}

pub(crate) async fn list(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    page(&visitor, &query, &Form::default()).await
}

async fn page(visitor: &Visitor, query: &Query, typed: &Form) -> Result<HttpResponse, Problem> {
    let after: Option<MatchId> = paging::cursor(query.after.as_deref())?;
    let (first, runs) = (after.is_none(), visitor.may(Permission::RunMatch));
    let asked = MatchListOptions {
        player: query.player,
        after,
        contested: first,
        most_open: MOST_OPEN,
        most_over: PAGE + 1,
        players: first.then_some(MOST_PLAYERS),
    };
    let mut screen = visitor.service.desk.matches_screen(visitor.actor().ok().as_ref(), asked).await?;
    let over = Page::cut(take(&mut screen.over), PAGE, |one| one.id().to_string());
    let (t, settings, form) =
        (visitor.say(&screen.names), &visitor.settings(), (first && runs).then_some(typed));
    let frame = visitor.frame(&visitor.t.get("tab-matches"), Some(Tab::Matches));
    let page = MatchesPage { t, frame, screen: &screen, over, query, settings, form };
    visitor.answer(page.render())
}

pub(crate) async fn open(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::RunMatch)?;
    let opened = match new_match(&visitor.t, &form) {
        Ok(new) => visitor.service.desk.open::<Sheet>(Request::by(actor), new).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match opened {
        Ok(answer) => Ok(redirect(&format!("/matches/{}", answer.id))),
        Err(problem) => {
            page(&visitor.refused(request.path(), &form, &problem), &Query::default(), &form).await
        }
    }
}

/// The match requested, read like a body of the API, so that mistakes are reported in the same words.
fn new_match(t: &Locale, form: &Form) -> Result<NewMatch, Problem> {
    let number = |name: &str| {
        form.text(name).parse::<u64>().map_or_else(|_| json!(form.text(name)), |number| json!(number))
    };
    let player = |name: &str| form.text(name).parse::<PlayerId>().map_err(|_| nobody());
    let players = [player("upper")?, player("lower")?];
    let Playing { game, crawford, highest_cube } = Playing::read(form);
    let (terms, clock) = if form.text("play") == "money" {
        let animals = form.some("beavers").unwrap_or("none");
        let automatic =
            if form.some("automatic_doubles").is_some() { number("automatic_doubles") } else { json!(0) };
        let cube = json!({
            "jacoby": form.ticked("jacoby"), "beavers": animals, "automatic_doubles": automatic, "cap": highest_cube,
        });
        (json!({ "play": "money", "stake": stake(t, form)?, "cube": cube, "game": game }), None)
    } else {
        let clock = json!({ "reserve_a_point": number("reserve"), "delay": number("delay") });
        let terms = json!({
            "play": "match", "length": number("length"), "rated": form.ticked("rated"),
            "holland": form.ticked("holland"), "crawford": crawford, "highest_cube": highest_cube, "game": game,
            "stake": stake(t, form)?,
        });
        (terms, form.ticked("clock").then_some(clock))
    };
    serde_json::from_value(json!({ "players": players, "terms": terms, "clock": clock }))
        .map_err(|error| of_body(&error))
}

/// The stake of the match, or for a point; `None` if no money is played for.
fn stake(t: &Locale, form: &Form) -> Result<Option<serde_json::Value>, Problem> {
    let Some(typed) = form.some("amount") else { return Ok(None) };
    let currency: owlbox_base::values::Currency = form.value("currency")?;
    let amount = amounts::typed(t, "amount", typed, Unit::Money(currency));
    let amount = match amount {
        Err(problem) if problem.code == Code::AmbiguousAmount => return Err(problem),
        // An amount that is not one is passed on as it is, and refused as such.
        Err(_) => json!(typed),
        Ok(amount) => json!(amount),
    };
    Ok(Some(json!({ "amount": amount, "currency": currency })))
}

fn nobody() -> Problem {
    let detail = "two players of the club are asked for";
    Problem::new(Code::UnknownPlayer, detail).about("players")
}
