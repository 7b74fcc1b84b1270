//! Players: the list, and a page for each.

pub(crate) mod page;

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use secrecy::ExposeSecret as _;
use serde::Deserialize;

use self::page::{Invite, PlayerPage, PlayersPage};
use super::form::Form;
use super::ledger::POSTINGS;
use super::ledger::page::games;
use super::naming;
use super::say::NOBODY;
use super::visitor::{Visitor, redirect};
use crate::pages::{Choice, Frame, Tab};
use owlbox_base::permissions::{Permission, Role, Roles};
use owlbox_base::values::{Holder, InvalidValue, PlayerId};
use owlbox_books::club;
use owlbox_books::club::players::{Change, PlayerDetails, PlayerDetailsChange};
use owlbox_books::ledger::Unit;
use owlbox_desk::access::accounts::{AccountChange, NewAccount};
use owlbox_desk::access::links::NewLink;
use owlbox_desk::books::statements::LedgerRange;
use owlbox_desk::people::players::{Filter, PlayerChange, ShownPlayer};
use owlbox_desk::{Actor, Refused, Request};
use owlbox_http::paging::{self, Page};
use owlbox_http::problem::Problem;
use owlbox_http::session::own_origin;
use owlbox_locale::Locale;
use owlbox_locale::url::encoded;

/// Players per page of the list.
const PAGE: i64 = 40;
/// Rated matches that make up the chart of a rating.
const MATCHES_SHOWN: i64 = 150;

/// Search, page, and the player just added.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    q: Option<String>,
    after: Option<String>,
    /// The player who was just added.
    added: Option<PlayerId>,
}

pub(super) async fn list(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    list_page(&visitor, &query).await
}

async fn list_page(visitor: &Visitor, query: &Query) -> Result<HttpResponse, Problem> {
    let search = query.q.as_deref().unwrap_or_default().trim();
    let filter = Filter { search: Some(search.to_owned()).filter(|text| !text.is_empty()), active: None };
    let after = paging::cursor(query.after.as_deref())?;
    let rows = visitor.service.desk.players(&visitor.actor()?, filter, after, PAGE + 1).await?;
    let page = Page::cut(rows, PAGE, |row| row.id.to_string());
    let points = if visitor.may(Permission::ViewAnyLedger) {
        visitor.service.desk.points(page.items.iter().map(|row| row.id).collect()).await?
    } else {
        BTreeMap::new()
    };
    let (actor, manages) = (visitor.actor()?, visitor.may(Permission::ManagePlayers));
    let desk = &visitor.service.desk;
    let added = match query.added {
        Some(id) => Some(desk.player(&actor, id).await?),
        None => None,
    };
    let alike = if manages { desk.called_alike().await? } else { Vec::new() };
    let frame = visitor.frame(&visitor.t.get("tab-players"), Some(Tab::Players));
    let page = PlayersPage {
        t: visitor.say(&NOBODY),
        frame,
        search,
        rows: &page.items,
        points: &points,
        next: page.next.map(|after| format!("/players?q={}&after={after}", encoded(search))),
        alike: &alike,
        added: added.as_ref(),
    };
    visitor.answer(page.render())
}

pub(super) async fn add(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let added = match details(&form) {
        Ok(details) => {
            let request = Request::by(actor);
            visitor
                .service
                .desk
                .add_player(request, details, form.ticked("guest"))
                .await
                .map_err(Problem::from)
        }
        Err(problem) => Err(problem),
    };
    match added {
        Ok((player, _)) => Ok(redirect(&format!("/players?added={player}"))),
        Err(problem) => list_page(&visitor.refused("/players", &form, &problem), &Query::default()).await,
    }
}

fn details(form: &Form) -> Result<PlayerDetails, Problem> {
    Ok(PlayerDetails {
        name: form.value("name")?,
        nickname: form.optional("nickname")?,
        country: country(form)?,
        club: form.optional("home_club")?,
        contact: form.optional("contact")?,
        notes: form.optional("notes")?,
        iban: form.optional("iban")?,
    })
}

/// A country code, which may be typed in lower case.
fn country<T: std::str::FromStr<Err = InvalidValue>>(form: &Form) -> Result<Option<T>, Problem> {
    let code = form.some("country").map(str::to_uppercase);
    code.map(|code| code.parse().map_err(|error| super::form::invalid("country", &error))).transpose()
}

pub(super) async fn show(visitor: Visitor, id: web::Path<PlayerId>) -> Result<HttpResponse, Problem> {
    player_page(&visitor, *id, None).await
}

/// A player's page, perhaps with the link that was just made.
async fn player_page(
    visitor: &Visitor,
    id: PlayerId,
    invite: Option<Invite>,
) -> Result<HttpResponse, Problem> {
    let desk = &visitor.service.desk;
    // One more match, whose rating is where the chart starts.
    let screen = desk.player_screen(&visitor.actor()?, id, MATCHES_SHOWN + 1).await?;
    let own = is_own(visitor, id);
    let ledger = if visitor.may(if own { Permission::ViewOwnLedger } else { Permission::ViewAnyLedger }) {
        let (unit, all) = (Some(Unit::HalfPoints), LedgerRange::All { before: None });
        Some(desk.statement_screen(&visitor.actor()?, Holder::Player(id), unit, all, POSTINGS).await?)
    } else {
        None
    };
    let read = ledger.as_ref().map(|ledger| games(&ledger.lines)).unwrap_or_default();
    let frame = visitor.frame(&screen.player.name, Some(Tab::Players));
    let page = PlayerPage {
        t: visitor.say(&screen.names),
        frame: Frame { here: format!("/players/{id}"), ..frame },
        screen: &screen,
        ledger: ledger.as_ref(),
        games: read.0,
        has_older: read.1.is_some(),
        sends_mail: visitor.service.mail.is_some(),
        invite: invite.as_ref(),
    };
    visitor.answer(page.render())
}

/// Whether the visitor is this player.
fn is_own(visitor: &Visitor, player: PlayerId) -> bool {
    visitor.principal.and_then(|principal| principal.player) == Some(player)
}

/// A role in words.
pub(super) fn role(t: &Locale, role: Role) -> String {
    t.get(&format!("role-{}", role.name()))
}

/// The roles to choose from, with those of `account` ticked; without an account, the role of a player.
pub(super) fn roles(t: &Locale, has: Option<Roles>) -> Vec<Choice> {
    let has = has.unwrap_or(Roles::from_roles(&[Role::Player]));
    let choice = |code: Role| Choice::new(code.name(), role(t, code), has.contains(code));
    Role::ALL.map(choice).to_vec()
}

pub(super) fn ticked_roles(form: &Form) -> Result<Roles, Problem> {
    form.all("roles")
        .map(|role| role.parse::<Role>())
        .collect::<Result<Roles, _>>()
        .map_err(|error| super::form::invalid("roles", &error))
}

pub(super) async fn change(
    visitor: Visitor,
    id: web::Path<PlayerId>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (actor, id) = (visitor.actor()?, *id);
    let row = visitor.service.desk.player(&actor, id).await?;
    let manages = visitor.may(Permission::ManagePlayers);
    visitor.require(match is_own(&visitor, id) && !manages {
        true => Permission::ManageOwnAccount,
        false => Permission::ManagePlayers,
    })?;
    let text = |name: &str| form.some(name).map(str::to_owned);
    let mut typed = ShownPlayer {
        nickname: text("nickname"),
        country: text("country"),
        club: text("home_club"),
        contact: text("contact"),
        iban: text("iban"),
        ..row.clone()
    };
    if manages {
        typed.name = form.text("name").to_owned();
        typed.notes = text("notes");
        typed.active = form.ticked("active");
    }
    match change_all(&visitor, &row, &typed, &form).await {
        Ok(()) => Ok(redirect(&format!("/players/{id}?saved"))),
        Err(problem) => {
            let action = format!("/players/{id}");
            player_page(&visitor.refused(&action, &form, &problem), id, None).await
        }
    }
}

/// A detail as a form has it.
fn now<T>(value: Option<T>) -> Change<T> {
    value.map_or(Change::Clear, Change::Set)
}

/// The details that are in everybody's form of themselves.
fn kept_by_oneself(form: &Form) -> Result<PlayerDetailsChange, Problem> {
    Ok(PlayerDetailsChange {
        nickname: now(form.optional("nickname")?),
        country: now(country(form)?),
        club: now(form.optional("home_club")?),
        contact: now(form.optional("contact")?),
        iban: now(form.optional("iban")?),
        ..PlayerDetailsChange::default()
    })
}

/// What the form of a player is about.
fn edited(row: &ShownPlayer) -> [Option<&str>; 9] {
    let flags = [row.active, row.guest].map(|flag| flag.then_some("yes"));
    let [active, guest] = flags;
    let text = Option::as_deref;
    let (nickname, country, club) = (text(&row.nickname), text(&row.country), text(&row.club));
    let (contact, notes, iban) = (text(&row.contact), text(&row.notes), text(&row.iban));
    [Some(row.name.as_str()), nickname, country, club, contact, notes, iban, active, guest]
}

async fn change_all(
    visitor: &Visitor,
    row: &ShownPlayer,
    typed: &ShownPlayer,
    form: &Form,
) -> Result<(), Problem> {
    let change = if visitor.may(Permission::ManagePlayers) {
        let (name, notes) = (Some(form.value("name")?), now(form.optional("notes")?));
        PlayerChange {
            details: PlayerDetailsChange { name, notes, ..kept_by_oneself(form)? },
            // A guest can become a member; a member's form has no box for it.
            guest: (row.guest && !form.ticked("guest")).then_some(false),
            active: Some(form.ticked("active")).filter(|active| *active != row.active),
        }
    } else {
        kept_by_oneself(form)?.into()
    };
    form.check_seen(&edited(row), &edited(typed))?;
    saved(visitor.service.desk.change_player(visitor.request_to_club()?, row.id, change).await)
}

/// Saving something unchanged is no mistake on a page.
pub(super) fn saved<T>(done: Result<T, Refused>) -> Result<(), Problem> {
    match done {
        Ok(_) => Ok(()),
        Err(refused) if refused.code() == club::Refusal::NothingChanges.code() => Ok(()),
        Err(refused) => Err(refused.into()),
    }
}

/// Removes a player without a history, or merges them into another player who is the same person.
pub(super) async fn remove(
    visitor: Visitor,
    id: web::Path<PlayerId>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (actor, id) = (visitor.actor()?, *id);
    visitor.service.desk.player(&actor, id).await?;
    visitor.require(Permission::ManagePlayers)?;
    match removed(&visitor, actor, id, &form).await {
        Ok(Some(other)) => Ok(redirect(&format!("/players/{other}?saved"))),
        Ok(None) => Ok(redirect("/players")),
        Err(problem) => {
            let action = format!("/players/{id}/remove");
            player_page(&visitor.refused(&action, &form, &problem), id, None).await
        }
    }
}

/// Removes a player. Returns the player they were merged into, if any.
async fn removed(
    visitor: &Visitor,
    actor: Actor,
    player: PlayerId,
    form: &Form,
) -> Result<Option<PlayerId>, Problem> {
    let desk = &visitor.service.desk;
    let into = naming::known_player(desk, form, "into").await?;
    desk.remove_player(Request::by(actor), player, into).await?;
    Ok(into)
}

/// Makes the link by which a player chooses a login and a password; it is shown only this once.
pub(super) async fn invite(
    request: HttpRequest,
    visitor: Visitor,
    id: web::Path<PlayerId>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (actor, id) = (visitor.actor()?, *id);
    visitor.service.desk.player(&actor, id).await?;
    match new_link(&visitor, actor, id, &form).await {
        Ok(link) => {
            let invite = invite_shown(&visitor, &request, &link).await;
            player_page(&visitor, id, Some(invite)).await
        }
        Err(problem) => {
            let action = format!("/players/{id}/invite");
            player_page(&visitor.refused(&action, &form, &problem), id, None).await
        }
    }
}

async fn new_link(
    visitor: &Visitor,
    actor: Actor,
    player: PlayerId,
    form: &Form,
) -> Result<NewLink, Problem> {
    let desk = &visitor.service.desk;
    let (roles, account) = (ticked_roles(form)?, desk.player_account(player).await?);
    form.check_seen(&account.as_ref().map(|account| account.roles), &Some(roles))?;
    let email = form.optional("email")?;
    let Some(account) = account else {
        let new = NewAccount { player: Some(player), roles, email };
        return Ok(desk.create_account(Request::by(actor), new).await?.0);
    };
    // Invited before: make a new link, perhaps with other roles.
    let change = AccountChange { roles: Some(roles), ..AccountChange::default() };
    saved(desk.change_account(visitor.request_to_club()?, account.id, change).await)?;
    if let Some(email) = email {
        desk.address_invitation(actor, account.id, email).await?;
    }
    Ok(desk.invite_again(actor, account.id).await?)
}

/// A link as the person who made it sees it. It is sent to its account's address, if there is one.
pub(super) async fn invite_shown(visitor: &Visitor, request: &HttpRequest, link: &NewLink) -> Invite {
    let mailed = visitor.service.mail_link(link).await;
    let address = format!("{}/claim/{}", own_origin(request), link.secret.expose_secret());
    Invite { link: address, until: link.expires_at, mailed }
}
