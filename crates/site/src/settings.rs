//! The club's settings, and its accounts with their roles.

use std::collections::BTreeSet;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::amounts;
use super::form::{Form, invalid};
use super::people::page::Invite;
use super::people::{invite_shown, roles, saved, ticked_roles};
use super::refused::Filled;
use super::registering::{self, confirmed_at};
use super::say::{NOBODY, Say};
use super::visitor::{Visitor, redirect};
use crate::pages::{Choice, Frame, Tab};
use owlbox_base::permissions::{Permission, Public, Roles};
use owlbox_base::values::{AccountId, Currency, InvalidValue, PlayerId};
use owlbox_books::club;
use owlbox_books::club::Club;
use owlbox_books::club::bank::Iban;
use owlbox_books::club::players::{Change, UNNAMED};
use owlbox_books::club::settings::{AdjustmentLimit, Currencies, SeatWords, SelfRegistration};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::InputError;
use owlbox_desk::access::accounts::{AccountChange, AccountView};
use owlbox_desk::access::registrations::Registration;
use owlbox_desk::fingerprint;
use owlbox_desk::people::players::ActivePlayer;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::rating::Experience;

const HERE: &str = "/settings";
/// The most accounts on the page.
const MOST_ACCOUNTS: i64 = 500;
/// The most players offered as the one behind a login.
const MOST_PLAYERS: i64 = 500;

pub(super) async fn show(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    page(&visitor, Shown::choosing_player(query.account)).await
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    /// The account for which a player is being chosen.
    account: Option<AccountId>,
}

/// `/settings?account=`
#[derive(Template)]
#[template(path = "settings.html")]
pub(crate) struct SettingsPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub club: &'a Club,
    pub settings: &'a club::Settings,
    /// The club's form as things are.
    pub present: &'a Form,
    /// Whether fewer than two people may keep the books, so that nobody could approve what is above the
    /// limit.
    pub nobody_else_approves: bool,
    /// The requests for a login that wait for approval, each with the player of that name, if there is one.
    pub waiting: &'a [(Registration, Option<PlayerId>)],
    pub accounts: &'a [AccountView],
    /// The players that nobody signs in as, if one is being chosen.
    pub without_login: &'a [ActivePlayer],
    pub shown: &'a Shown,
}

impl SettingsPage<'_> {
    /// The fingerprint of the settings that the form is made from.
    fn seen(&self) -> String {
        fingerprint(self.settings)
    }

    fn usual_currency(&self) -> String {
        self.settings.currencies.as_slice().first().map(ToString::to_string).unwrap_or_default()
    }

    /// Whether an account is open, and offers all players.
    fn is_chosen(&self, account: &AccountView) -> bool {
        self.shown.account == Some(account.id)
    }

    /// The form of an account.
    fn form_of(&self, account: &AccountView) -> Filled<'_> {
        self.frame.form(&address_of(account.id))
    }

    /// The fingerprint of the account that its form is made from.
    fn account_seen(&self, account: &AccountView) -> String {
        fingerprint(&standing(self.club, account.id))
    }

    fn login(&self, account: &AccountView) -> String {
        let known = account.login.as_ref().or(account.name.as_ref());
        known.cloned().unwrap_or_else(|| self.t.get("invited"))
    }

    /// Whose login it is, or that nobody has claimed it yet.
    fn whose(&self, account: &AccountView) -> Option<String> {
        let invited = || Some(self.t.get("invited"));
        if account.login.is_some() { account.name.clone() } else { invited() }
    }

    /// The roles the viewer may give.
    fn roles(&self, account: &AccountView) -> Vec<Choice> {
        let mut roles = roles(&self.t, Some(account.roles));
        let form = self.form_of(account);
        roles.iter_mut().for_each(|role| role.chosen = form.has("roles", &role.value, role.chosen));
        roles
    }

    /// Who could be the player behind the login: who is; and everybody without a login, if a player is being
    /// chosen.
    fn players(&self, account: &AccountView) -> Vec<Choice> {
        // The present player is offered in any case: saving anything else must not unlink them.
        let own = account.player.into_iter();
        let own = own.map(|id| Choice::new(id.to_string(), account.name.as_deref().unwrap_or(UNNAMED), true));
        let others = self.without_login.iter().filter(|_| self.is_chosen(account));
        let mut players: Vec<Choice> =
            own.chain(others.map(|player| Choice::player(player, false))).collect();
        let form = self.form_of(account);
        players.iter_mut().for_each(|one| one.chosen = form.has("player", &one.value, one.chosen));
        players
    }

    /// Whether the account may sign in, as its form says.
    fn may_sign_in(&self, account: &AccountView) -> bool {
        self.form_of(account).has("active", true, account.active)
    }
}

/// What the page shows besides how things are.
#[derive(Default)]
pub(crate) struct Shown {
    /// The account that offers all players without a login. If each offered them, the page would have as many
    /// choices as there are accounts times players.
    account: Option<AccountId>,
    /// The link just made.
    reset: Option<Invite>,
}

impl Shown {
    /// With a choice of players for this account.
    pub fn choosing_player(account: Option<AccountId>) -> Self {
        Self { account, ..Self::default() }
    }
}

pub(super) async fn page(visitor: &Visitor, shown: Shown) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ChangeSettings)?;
    let accounts = visitor.service.desk.accounts(&visitor.actor()?, None, MOST_ACCOUNTS).await?;
    let without_login = match shown.account {
        Some(_) => players_without_login(visitor, &accounts).await?,
        None => Vec::new(),
    };
    let settings = visitor.settings();
    let frame = visitor.frame(&visitor.t.get("tab-settings"), Some(Tab::Settings));
    let page = SettingsPage {
        t: visitor.say(&NOBODY),
        frame: Frame { here: HERE.to_owned(), ..frame },
        club: &visitor.club.state,
        settings: &settings,
        present: &written(&visitor.t, &settings),
        nobody_else_approves: !visitor.service.desk.has_second_person().await?,
        waiting: &registering::list(visitor).await?,
        accounts: &accounts,
        without_login: &without_login,
        shown: &shown,
    };
    visitor.answer(page.render())
}

/// The club's form as things are.
pub(crate) fn written(t: &Locale, settings: &club::Settings) -> Form {
    let currencies: Vec<&str> = settings.currencies.as_slice().iter().map(Currency::code).collect();
    let SeatWords { r#box, captain, crew } = &settings.seat_words;
    let fields = [
        ("name", settings.name.to_string()),
        ("time_zone", settings.time_zone.to_string()),
        ("language", settings.language.tag().to_owned()),
        ("currencies", currencies.join(" ")),
        ("exposure_limit", said(settings.exposure_limit.as_ref())),
        ("highest_cube", settings.highest_cube.to_string()),
        ("adjustment_limit", limit_as_typed(t, settings)),
        ("iban", settings.iban.as_ref().map(Iban::printed).unwrap_or_default()),
        ("box", said(r#box.as_ref())),
        ("captain", said(captain.as_ref())),
        ("crew", said(crew.as_ref())),
    ];
    let boxes = [
        ("public", "tables", settings.public.tables),
        ("public", "standings", settings.public.standings),
        ("rating_experience", "including", settings.rating_experience == Experience::Including),
        ("self_registration", "confirmed", settings.self_registration == SelfRegistration::Confirmed),
    ];
    let ticked = boxes.into_iter().filter(|(.., is_so)| *is_so);
    Form::default().with(fields).with(ticked.map(|(name, value, _)| (name, value.to_owned())))
}

fn said(value: Option<&impl ToString>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
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
    let unreadable = || Problem::unread("adjustment_limit", InputError::Unreadable);
    let unit = Unit::Money(*usual.ok_or_else(unreadable)?);
    let amount = amounts::typed(t, "adjustment_limit", typed, unit)?;
    AdjustmentLimit::try_from(amount).map(Some).map_err(|_| unreadable())
}

/// The players that nobody signs in as.
async fn players_without_login(
    visitor: &Visitor,
    accounts: &[AccountView],
) -> Result<Vec<ActivePlayer>, Problem> {
    let taken: BTreeSet<PlayerId> = accounts.iter().filter_map(|account| account.player).collect();
    let mut players = visitor.service.desk.active_players(MOST_PLAYERS).await?;
    players.retain(|player| !taken.contains(&player.id));
    Ok(players)
}

/// The address of the form of an account.
fn address_of(account: AccountId) -> String {
    format!("{HERE}/accounts/{account}")
}

/// What the form of an account is about.
fn standing(club: &Club, account: AccountId) -> Option<(Option<PlayerId>, Roles, bool)> {
    club.account(account).map(|entry| (entry.player, entry.roles, entry.active))
}

pub(super) async fn change(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    match changed(&visitor, &form).await {
        Ok(()) => Ok(redirect("/settings?saved")),
        Err(problem) => page(&visitor.refused(HERE, &form, &problem), Shown::default()).await,
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
    Ok(club::Settings {
        name: form.value("name")?,
        time_zone: form.value("time_zone")?,
        language: form.word("language")?.unwrap_or(before.language),
        currencies: Currencies::try_from(codes).map_err(refused)?,
        public: Public { tables: form.has("public", "tables"), standings: form.has("public", "standings") },
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
            let visitor = visitor.refused(&address_of(*id), &form, &problem);
            page(&visitor, Shown::choosing_player(Some(*id))).await
        }
    }
}

async fn account_changed(visitor: &Visitor, id: AccountId, form: &Form) -> Result<(), Problem> {
    let (roles, active) = (ticked_roles(form)?, form.ticked("active"));
    let nobody = if form.all("player").next().is_some() { Change::Clear } else { Change::Keep };
    let player = form.word("player")?.map_or(nobody, Change::Set);
    let now = standing(&visitor.club.state, id);
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
    form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let desk = &visitor.service.desk;
    let claimed = desk.account(&actor, *id).await?.login.is_some();
    let link = if claimed { desk.reset_link(actor, *id).await } else { desk.invite_again(actor, *id).await };
    match link {
        Ok(link) => {
            let reset = invite_shown(&visitor, &request, &link).await;
            page(&visitor, Shown { reset: Some(reset), ..Shown::default() }).await
        }
        Err(refused) => {
            page(&visitor.refused(request.path(), &form, &refused.into()), Shown::default()).await
        }
    }
}
