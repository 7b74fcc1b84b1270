//! The reader's own account: the password, the sessions, tokens for scripts.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use chrono::NaiveTime;
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::days;
use super::form::{Form, invalid};
use super::people::role;
use super::say::{NOBODY, Say};
use super::visitor::{Visitor, enter, redirect};
use crate::pages::{Frame, Tab};
use owlbox_base::permissions::scopes::{TokenScope, TokenScopes};
use owlbox_base::permissions::{Permission, Roles};
use owlbox_books::club::players::UNNAMED;
use owlbox_books::club::settings::TimeZone;
use owlbox_desk::Refused;
use owlbox_desk::access::api_tokens::{ApiToken, TokenTerms};
use owlbox_desk::access::mail::MailAddress;
use owlbox_desk::tournaments::{Filter, TournamentSummary};
use owlbox_http::problem::Problem;
use owlbox_http::session::signed_out;

/// `/account`
#[derive(Template)]
#[template(path = "account.html")]
pub(crate) struct AccountPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub login: &'a str,
    pub roles: Roles,
    /// Where they are sent mail; `None` if no mail is sent.
    pub email: Option<Option<MailAddress>>,
    pub tokens: &'a [ApiToken],
    /// Those that are not over, which a token can be for.
    pub tournaments: &'a [TournamentSummary],
    /// The token that was just made. It is shown this once.
    pub new_token: Option<&'a str>,
}

impl AccountPage<'_> {
    fn address(&self) -> String {
        self.email.iter().flatten().map(ToString::to_string).collect()
    }

    fn roles(&self) -> String {
        self.roles.iter().map(|one| role(&self.t, one)).collect::<Vec<_>>().join(", ")
    }

    /// What a token may be used for, in words.
    fn scopes(&self, scopes: &TokenScopes) -> String {
        scopes.iter().map(|scope| self.scope(scope)).collect::<Vec<_>>().join(", ")
    }

    fn scope(&self, scope: TokenScope) -> String {
        match scope {
            TokenScope::Tournament(id) => {
                let open = self.tournaments.iter().find(|tournament| tournament.id == id);
                open.map_or_else(|| self.t.get("token-may-tournament"), |open| open.name.clone())
            }
            TokenScope::Read | TokenScope::Tables | TokenScope::Matches | TokenScope::Books => {
                self.t.get(&format!("token-may-{scope}"))
            }
        }
    }
}

/// The most tournaments to choose from.
const TOURNAMENTS: i64 = 100;

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    page(&visitor, None).await
}

async fn page(visitor: &Visitor, new_token: Option<&str>) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::ManageOwnAccount)?;
    let tokens = visitor.service.desk.api_tokens(&actor).await?;
    let open = Filter {
        closed: Some(false),
        private: visitor.may(Permission::ViewTournaments),
        ..Filter::default()
    };
    let tournaments = visitor.service.desk.tournaments(open, None, TOURNAMENTS).await?;
    let login = visitor.service.desk.account_login(actor.account).await?;
    let email = match &visitor.service.mail {
        Some(_) => Some(visitor.service.desk.own_mail_address(&actor).await?),
        None => None,
    };
    let frame = visitor.frame(&visitor.t.get("tab-account"), Some(Tab::Account));
    let page = AccountPage {
        t: visitor.say(&NOBODY),
        frame: Frame { here: "/account".to_owned(), ..frame },
        login: login.as_deref().unwrap_or(UNNAMED),
        roles: visitor.principal.map(|principal| principal.powers.roles()).unwrap_or_default(),
        email,
        tokens: &tokens,
        tournaments: &tournaments,
        new_token,
    };
    visitor.answer(page.render())
}

/// Changes the password. That ends every session and begins a new one here.
pub(super) async fn password(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let desk = &visitor.service.desk;
    let (old, new) = (form.exact("current").into(), form.exact("password").into());
    match desk.change_password(actor, old, new, visitor.address).await {
        Ok(tokens) => enter(&request, &tokens, "/account?saved"),
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), None).await,
    }
}

/// Changes where the visitor is sent mail.
pub(super) async fn email(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let changed = match form.optional("email") {
        Ok(email) => {
            let password = form.exact("current").into();
            desk.change_own_mail_address(actor, email, password, visitor.address).await.map_err(Problem::from)
        }
        Err(problem) => Err(problem),
    };
    match changed {
        Ok(()) => Ok(redirect("/account?saved")),
        Err(problem) => page(&visitor.refused(request.path(), &form, &problem), None).await,
    }
}

/// Ends every session, this one included.
pub(super) async fn sign_out_everywhere(visitor: Visitor, _form: Form) -> Result<HttpResponse, Problem> {
    visitor.service.desk.sign_out_everywhere(visitor.actor()?).await?;
    let mut answer = redirect("/sign-in");
    for cookie in signed_out() {
        if let Err(error) = answer.add_cookie(&cookie) {
            tracing::warn!(%error, "a cookie cannot be removed");
        }
    }
    Ok(answer)
}

/// What a token is to be made with. Without a tick it reads, as every token does.
fn terms(visitor: &Visitor, form: &Form) -> Result<TokenTerms, Problem> {
    let wrong = |error| invalid("scopes", &error);
    let scopes = if form.ticked("everything") {
        None
    } else {
        let ticked = form.all("scopes").filter(|scope| !scope.is_empty());
        let ticked = ["read"].into_iter().chain(ticked).map(str::parse::<TokenScope>);
        let scopes = ticked.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        Some(scopes.try_into().map_err(wrong)?)
    };
    let ends = |typed| {
        let last = days::day(&visitor.t, "expires_at", typed)?;
        let end = last.succ_opt().unwrap_or(last).and_time(NaiveTime::MIN);
        Ok::<_, Problem>(TimeZone(visitor.t.zone).moment(end))
    };
    let expires_at = form.some("expires_at").map(ends).transpose()?;
    Ok(TokenTerms { name: form.text("name").to_owned(), scopes, expires_at })
}

/// Creates a token for scripts, which is shown only this once.
pub(super) async fn new_token(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let desk = &visitor.service.desk;
    let made = match terms(&visitor, &form) {
        Ok(terms) => desk.create_api_token(actor, terms).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match made {
        Ok(made) => page(&visitor, Some(made.secret.expose_secret())).await,
        Err(problem) => page(&visitor.refused(request.path(), &form, &problem), None).await,
    }
}

pub(super) async fn revoke(
    request: HttpRequest,
    visitor: Visitor,
    id: web::Path<Uuid>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    match visitor.service.desk.revoke_api_token(visitor.actor()?, *id).await {
        // Revoking a token twice is no mistake.
        Ok(()) | Err(Refused::NotFound(_)) => Ok(redirect("/account")),
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), None).await,
    }
}
