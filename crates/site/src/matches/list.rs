//! The list of matches, and opening one.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;
use serde_json::json;

use crate::amounts;
use crate::form::Form;
use crate::pages::matches::{MatchCard, MatchesPage, NewMatchForm};
use crate::pages::playing::{Playing, PlayingFields};
use crate::pages::{Choice, Frame, Tab, other_game, rule_words};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{MatchId, PlayerId, Timestamp};
use owlbox_books::ledger::Unit;
use owlbox_chouette::rules::catalogue;
use owlbox_desk::Request;
use owlbox_desk::matches::NewMatch;
use owlbox_desk::matches::list::{ListedMatch, MatchesAsked};
use owlbox_desk::people::players::ActivePlayer;
use owlbox_desk::people::players::called;
use owlbox_http::paging::{self, Page};
use owlbox_http::problem::{Problem, of_body};
use owlbox_locale::Locale;
use owlbox_play::matches::Sheet;
use owlbox_play::matches::clock::Setting;
use owlbox_play::matches::score::Length;

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

pub(crate) async fn list(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let frame = visitor.frame(&visitor.t.get("tab-matches"), Some(Tab::Matches));
    page(&visitor, frame, &query, &Form::default(), StatusCode::OK).await
}

async fn page(
    visitor: &Visitor,
    frame: Frame,
    query: &Query,
    typed: &Form,
    status: StatusCode,
) -> Result<HttpResponse, Problem> {
    let after: Option<MatchId> = paging::cursor(query.after.as_deref())?;
    let (first, runs) = (after.is_none(), visitor.may(Permission::RunMatch));
    let asked = MatchesAsked {
        player: query.player,
        after,
        contested: first,
        most_open: MOST_OPEN,
        most_over: PAGE + 1,
        players: first.then_some(MOST_PLAYERS),
    };
    let screen = visitor.service.desk.matches_screen(visitor.actor().ok().as_ref(), asked).await?;
    let cards = |listed: &[ListedMatch]| -> Vec<MatchCard> {
        listed.iter().map(|one| card(visitor, &screen.names, one)).collect()
    };
    let over = Page::cut(screen.over, PAGE, |one: &ListedMatch| MatchId::from(one.row.id).to_string());
    let of_player = query.player.map(|player| format!("player={player}&")).unwrap_or_default();
    let page = MatchesPage {
        t: visitor.t,
        frame,
        of: query.player.and_then(|player| screen.names.get(&player).cloned()),
        waiting: screen.contested.len(),
        contested: cards(&screen.contested),
        open: cards(&screen.open),
        over: cards(&over.items),
        first,
        next: over.next.map(|next| format!("/matches?{of_player}after={next}")),
        form: (first && runs).then(|| form(visitor, &screen.players, typed)),
    };
    visitor::html(status, page.render())
}

fn card(visitor: &Visitor, names: &BTreeMap<PlayerId, String>, one: &ListedMatch) -> MatchCard {
    let (t, me) = (&visitor.t, visitor.principal.and_then(|principal| principal.player));
    let (row, players) = (&one.row, one.players());
    let mut facts = vec![if row.length > 0 {
        t.with("match-long", "points", row.length)
    } else {
        t.get("scoring-money")
    }];
    facts.extend(one.variant.and_then(|played| other_game(t, played)));
    facts.push(t.count("games-count", &usize::try_from(row.games).unwrap_or(0)));
    facts.push(t.date(&Timestamp::from(row.finished_at.unwrap_or(row.opened_at))));
    if row.tournament.is_some() {
        facts.push(t.get("scoring-of-tournament"));
    }
    MatchCard {
        link: format!("/matches/{}", MatchId::from(row.id)),
        names: players.map(|player| called(names, player)),
        score: [row.upper_score, row.lower_score],
        won: ["upper", "lower"].map(|slot| row.winner.as_deref() == Some(slot)),
        facts,
        adjourned: row.status == "adjourned",
        mine: me.is_some_and(|me| players.contains(&me)),
    }
}

/// The form as it was typed.
fn form(visitor: &Visitor, active: &[ActivePlayer], typed: &Form) -> NewMatchForm {
    let players = |field: &str| -> Vec<Choice> {
        let is_chosen = |player: &ActivePlayer| typed.text(field) == player.id.to_string();
        active.iter().map(|player| Choice::player(player, is_chosen(player))).collect()
    };
    let or = |field: &str, usual: &str| typed.some(field).unwrap_or(usual).to_owned();
    let settings = visitor.settings();
    let currencies = settings.currencies.as_slice().iter().map(ToString::to_string);
    NewMatchForm {
        players: ["upper", "lower"].map(players),
        lengths: Length::OFFERED.to_vec(),
        length: or("length", "7"),
        rated: typed.ticked("rated"),
        holland: typed.ticked("holland"),
        playing: PlayingFields::new(&visitor.t, &Playing::read(typed)),
        money: typed.text("play") == "money",
        amount: typed.text("amount").to_owned(),
        currencies: currencies
            .map(|code| Choice::new(code.clone(), code.clone(), typed.text("currency") == code))
            .collect(),
        jacoby: typed.ticked("jacoby"),
        beavers: beavers(&visitor.t, typed.text("beavers")),
        automatic_doubles: or("automatic_doubles", "0"),
        clock: typed.ticked("clock"),
        reserve: or("reserve", &Setting::STANDARD.reserve_a_point.to_string()),
        delay: or("delay", &Setting::STANDARD.delay.to_string()),
        unfolded: typed.some("play").is_some(),
    }
}

pub(crate) async fn open(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::RunMatch)?;
    let opened = match new_match(&visitor.t, &form) {
        Ok(new) => visitor.service.desk.open::<Sheet>(Request::by(actor), new).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match opened {
        Ok(answer) => Ok(redirect(&format!("/matches/{}", answer.id))),
        Err(problem) => {
            let frame = visitor.frame_about(&visitor.t.get("tab-matches"), Some(Tab::Matches), &problem);
            let frame = Frame { here: "/matches".to_owned(), ..frame };
            page(&visitor, frame, &Query::default(), &form, visitor::status(&problem)).await
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

/// The choices for beavers and raccoons, in the words of the house rules.
fn beavers(t: &Locale, chosen: &str) -> Vec<Choice> {
    let Some(setting) = catalogue::setting("animals") else { return Vec::new() };
    let catalogue::Kind::Choice { options } = &setting.kind else { return Vec::new() };
    let choice = |one: &catalogue::Choice| {
        let meaning = rule_words::meaning(t, setting, &catalogue::SettingValue::Text(one.option.clone()));
        Choice::new(&one.option, meaning, one.option == chosen)
    };
    options.iter().map(choice).collect()
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
