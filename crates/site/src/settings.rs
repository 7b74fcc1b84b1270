//! The club's settings, and its accounts with their roles.

use std::collections::BTreeSet;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::amounts;
use super::door::time_zones;
use super::form::{Form, invalid};
use super::people::{invite_shown, roles, saved, ticked_roles};
use super::registering;
use super::visitor::{self, Visitor, redirect};
use crate::pages::{AccountRow, Choice, Frame, Invite, Tab};
use owlbox_base::permissions::{Permission, Public, Roles};
use owlbox_base::values::{AccountId, Currency, InvalidValue, PlayerId};
use owlbox_books::club;
use owlbox_books::club::bank::Iban;
use owlbox_books::club::players::Change;
use owlbox_books::club::players::UNNAMED;
use owlbox_books::club::settings::{AdjustmentLimit, Currencies, SeatWord, SeatWords, SelfRegistration};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::Unread;
use owlbox_desk::access::accounts::{AccountChange, AccountView};
use owlbox_desk::fingerprint;
use owlbox_http::problem::Problem;
use owlbox_locale::{Language, Locale};
use owlbox_play::tournament::rating::Experience;

/// The most accounts on the page.
const MOST_ACCOUNTS: i64 = 500;
/// The most players offered as the one behind a login.
const MOST_PLAYERS: i64 = 500;

pub(super) async fn show(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    let frame = visitor.frame(&visitor.t.get("tab-settings"), Some(Tab::Settings));
    let shown = Shown { account: query.account, ..Shown::default() };
    page(&visitor, frame, shown, StatusCode::OK).await
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    /// The account for which a player is being chosen.
    account: Option<AccountId>,
}

/// What the page shows besides how things are.
#[derive(Default)]
pub(super) struct Shown<'a> {
    /// The club's form as it was typed, and refused.
    club: Option<&'a Form>,
    /// The account that offers all players without a login. If each offered them, the page would have as many choices as
    /// there are accounts times players.
    account: Option<AccountId>,
    /// The form of that account as it was typed, and refused.
    of_account: Option<&'a Form>,
    /// The link just made.
    reset: Option<Invite>,
}

async fn page(
    visitor: &Visitor,
    frame: Frame,
    shown: Shown<'_>,
    status: StatusCode,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ChangeSettings)?;
    let accounts = visitor.service.desk.accounts(&visitor.actor()?, None, MOST_ACCOUNTS).await?;
    let without_login = match shown.account {
        Some(_) => players_without_login(visitor, &accounts).await?,
        None => Vec::new(),
    };
    let settings = visitor.settings();
    let typed = shown.club;
    let currencies: Vec<&str> = settings.currencies.as_slice().iter().map(Currency::code).collect();
    let text = |name: &str, now: String| typed.map_or(now, |form| form.text(name).to_owned());
    let public = |code: &'static str, now: bool| {
        let chosen = typed.map_or(now, |form| form.all("public").any(|ticked| ticked == code));
        Choice::new(code, crate::pages::public(&visitor.t, code), chosen)
    };
    let page = crate::pages::Settings {
        t: visitor.t,
        name: text("name", settings.name.to_string()),
        time_zone: text("time_zone", settings.time_zone.to_string()),
        time_zones: time_zones(),
        languages: languages(typed.map_or(settings.language.tag(), |form| form.text("language"))),
        currencies: text("currencies", currencies.join(" ")),
        public: vec![
            public("tables", settings.public.tables),
            public("standings", settings.public.standings),
        ],
        exposure_limit: text(
            "exposure_limit",
            settings.exposure_limit.map(|limit| limit.to_string()).unwrap_or_default(),
        ),
        highest_cube: text("highest_cube", settings.highest_cube.to_string()),
        rating_includes: typed.map_or(settings.rating_experience == Experience::Including, |form| {
            form.text("rating_experience") == "including"
        }),
        self_registration: typed.map_or(settings.self_registration == SelfRegistration::Confirmed, |form| {
            form.ticked("self_registration")
        }),
        seat_words: seat_words(&settings.seat_words, typed),
        adjustment_limit: text("adjustment_limit", limit_as_typed(&visitor.t, &settings)),
        nobody_else_approves: !visitor.service.desk.has_second_person().await?,
        iban: text("iban", settings.iban.as_ref().map(Iban::printed).unwrap_or_default()),
        usual_currency: settings.currencies.as_slice().first().map(ToString::to_string).unwrap_or_default(),
        waiting: registering::list(visitor).await?,
        accounts: accounts.iter().map(|account| row(visitor, account, &shown, &without_login)).collect(),
        reset: shown.reset,
        seen: fingerprint(&settings),
        frame: Frame { here: "/settings".to_owned(), ..frame },
    };
    visitor::html(status, page.render())
}

/// The limit of adjustments as it is typed, in the club's usual currency.
fn limit_as_typed(t: &Locale, settings: &club::Settings) -> String {
    let usual = settings.currencies.as_slice().first();
    let limit = settings.adjustment_limit.zip(usual);
    limit.map(|(limit, currency)| t.typed(limit.minor_units().unsigned_abs(), *currency)).unwrap_or_default()
}

/// The limit that was typed. Typed as it was it stays as it was: the usual currency may have changed.
fn adjustment_limit(
    t: &Locale,
    form: &Form,
    before: &club::Settings,
) -> Result<Option<AdjustmentLimit>, Problem> {
    let Some(typed) = form.some("adjustment_limit") else { return Ok(None) };
    if typed == limit_as_typed(t, before) {
        return Ok(before.adjustment_limit);
    }
    let usual = before.currencies.as_slice().first();
    let unreadable = || Problem::unread("adjustment_limit", Unread::Unreadable);
    let unit = Unit::Money(*usual.ok_or_else(unreadable)?);
    let amount = amounts::typed(t, "adjustment_limit", typed, unit)?;
    AdjustmentLimit::try_from(amount).map(Some).map_err(|_| unreadable())
}

/// The fields for the club's own words, with those it has or that were typed.
fn seat_words(now: &SeatWords, typed: Option<&Form>) -> [(&'static str, String); 3] {
    let word = |field: &'static str, now: &Option<SeatWord>| {
        let now = || now.as_ref().map(ToString::to_string).unwrap_or_default();
        (field, typed.map_or_else(now, |form| form.text(field).to_owned()))
    };
    [word("box", &now.r#box), word("captain", &now.captain), word("crew", &now.crew)]
}

fn languages(chosen: &str) -> Vec<Choice> {
    let choice =
        |language: &Language| Choice::new(language.tag(), language.own_name(), language.tag() == chosen);
    Language::ALL.iter().map(choice).collect()
}

/// The players that nobody signs in as.
async fn players_without_login(visitor: &Visitor, accounts: &[AccountView]) -> Result<Vec<Choice>, Problem> {
    let taken: BTreeSet<PlayerId> = accounts.iter().filter_map(|account| account.player).collect();
    let active = visitor.service.desk.active_players(MOST_PLAYERS).await?;
    let free = active.iter().filter(|player| !taken.contains(&player.id));
    Ok(free.map(|player| Choice::player(player, false)).collect())
}

fn row(visitor: &Visitor, account: &AccountView, shown: &Shown<'_>, without_login: &[Choice]) -> AccountRow {
    let is_chosen = shown.account == Some(account.id);
    let typed = shown.of_account.filter(|_| is_chosen);
    // Whoever it is now is offered in any case: saving anything else must not unlink them.
    let own = account.player.into_iter();
    let own = own.map(|id| Choice::new(id.to_string(), account.name.as_deref().unwrap_or(UNNAMED), true));
    let others = without_login.iter().filter(|_| is_chosen).cloned();
    let mut players: Vec<Choice> = own.chain(others).collect();
    let mut roles = roles(&visitor.t, Some(account.roles));
    if let Some(form) = typed {
        players.iter_mut().for_each(|one| one.chosen = form.text("player") == one.value);
        roles.iter_mut().for_each(|role| role.chosen = form.all("roles").any(|ticked| ticked == role.value));
    }
    let invited = || account.name.clone().unwrap_or_else(|| visitor.t.get("invited"));
    AccountRow {
        id: account.id.to_string(),
        seen: fingerprint(&standing(visitor, account.id)),
        roles,
        active: typed.map_or(account.active, |form| form.ticked("active")),
        players,
        is_chosen,
        player: account
            .login
            .is_some()
            .then(|| account.name.clone())
            .flatten()
            .or_else(|| account.login.is_none().then(|| visitor.t.get("invited"))),
        login: account.login.clone().unwrap_or_else(invited),
    }
}

/// What the form of an account is about.
fn standing(visitor: &Visitor, account: AccountId) -> Option<(Option<PlayerId>, Roles, bool)> {
    visitor.club.state.account(account).map(|entry| (entry.player, entry.roles, entry.active))
}

pub(super) async fn again(
    visitor: &Visitor,
    shown: Shown<'_>,
    problem: &Problem,
) -> Result<HttpResponse, Problem> {
    let frame = visitor.frame_about(&visitor.t.get("tab-settings"), Some(Tab::Settings), problem);
    page(visitor, frame, shown, visitor::status(problem)).await
}

pub(super) async fn change(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    match changed(&visitor, &form).await {
        Ok(()) => Ok(redirect("/settings?saved")),
        Err(problem) => again(&visitor, Shown { club: Some(&form), ..Shown::default() }, &problem).await,
    }
}

async fn changed(visitor: &Visitor, form: &Form) -> Result<(), Problem> {
    let before = visitor.settings();
    let settings = settings(&visitor.t, form, &before)?;
    form.check_seen(&before, &settings)?;
    saved(visitor.service.desk.change_settings(visitor.request_to_club()?, settings).await)
}

fn settings(t: &Locale, form: &Form, before: &club::Settings) -> Result<club::Settings, Problem> {
    let refused = |error: InvalidValue| invalid("currencies", &error);
    let codes = form.text("currencies").to_uppercase();
    let codes = codes.split([' ', ',', ';']).filter(|code| !code.is_empty());
    let codes: Vec<Currency> = codes.map(str::parse).collect::<Result<_, _>>().map_err(refused)?;
    let public = |code: &str| form.all("public").any(|ticked| ticked == code);
    Ok(club::Settings {
        name: form.value("name")?,
        time_zone: form.value("time_zone")?,
        language: form.word("language")?.unwrap_or(before.language),
        currencies: Currencies::try_from(codes).map_err(refused)?,
        public: Public { tables: public("tables"), standings: public("standings") },
        exposure_limit: form.optional("exposure_limit")?,
        rating_experience: match form.text("rating_experience") {
            "including" => Experience::Including,
            _ => Experience::Before,
        },
        highest_cube: form.optional("highest_cube")?.unwrap_or_default(),
        self_registration: match form.ticked("self_registration") {
            true => SelfRegistration::Confirmed,
            false => SelfRegistration::Off,
        },
        seat_words: SeatWords {
            r#box: form.optional("box")?,
            captain: form.optional("captain")?,
            crew: form.optional("crew")?,
        },
        adjustment_limit: adjustment_limit(t, form, before)?,
        iban: form.optional("iban")?,
        seasons: before.seasons.clone(),
    })
}

/// Changes an account's roles, whether it can sign in, and its player.
pub(super) async fn account(
    visitor: Visitor,
    id: web::Path<AccountId>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    match account_changed(&visitor, *id, &form).await {
        Ok(()) => Ok(redirect(&format!("/settings?saved#account-{id}"))),
        Err(problem) => {
            let shown = Shown { account: Some(*id), of_account: Some(&form), ..Shown::default() };
            again(&visitor, shown, &problem).await
        }
    }
}

async fn account_changed(visitor: &Visitor, id: AccountId, form: &Form) -> Result<(), Problem> {
    let (roles, active) = (ticked_roles(form)?, form.ticked("active"));
    let nobody = if form.all("player").next().is_some() { Change::Clear } else { Change::Keep };
    let player = form.word("player")?.map_or(nobody, Change::Set);
    let now = standing(visitor, id);
    let asked = now.map(|(linked, ..)| (player.clone().onto(linked), roles, active));
    form.check_seen(&now, &asked)?;
    let change = AccountChange { roles: Some(roles), active: Some(active), player };
    saved(visitor.service.desk.change_account(visitor.request_to_club()?, id, change).await)
}

/// Makes a link for a new password, or a new invitation for an account that nobody has claimed yet.
pub(super) async fn reset(
    request: HttpRequest,
    visitor: Visitor,
    id: web::Path<AccountId>,
    _form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let desk = &visitor.service.desk;
    let claimed = desk.account(&actor, *id).await?.login.is_some();
    let link = if claimed { desk.reset_link(actor, *id).await } else { desk.invite_again(actor, *id).await };
    match link {
        Ok(link) => {
            let frame = visitor.frame(&visitor.t.get("tab-settings"), Some(Tab::Settings));
            let reset = Some(invite_shown(&request, &link));
            page(&visitor, frame, Shown { reset, ..Shown::default() }, StatusCode::OK).await
        }
        Err(refused) => again(&visitor, Shown::default(), &Problem::from(refused)).await,
    }
}
