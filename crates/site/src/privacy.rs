//! All data about a person, to be read; and their erasure.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::form::{Form, invalid, malformed};
use super::people::role;
use super::say::{NOBODY, Say};
use super::visitor::{Visitor, redirect};
use crate::pages::{Frame, Tab};
use owlbox_base::permissions::{Permission, Public};
use owlbox_base::values::PlayerId;
use owlbox_books::club::bank::Iban;
use owlbox_books::club::players::PlayerName;
use owlbox_books::ledger::Unit;
use owlbox_desk::people::privacy::erasure::ErasurePreview;
use owlbox_desk::people::privacy::person::{PersonalData, PersonalLine, PersonalRating, PersonalReading};
use owlbox_desk::{Request, Rights};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::rating::Rating;

/// Lines of a part that the page shows; the file has all.
const SHOWN: usize = 200;

/// `/players/{id}/data`
#[derive(Template)]
#[template(path = "person.html")]
pub(crate) struct PersonPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub data: &'a PersonalData,
}

impl PersonPage<'_> {
    fn sections(&self) -> PersonSections<'_> {
        PersonSections { t: self.t, data: self.data }
    }
}

/// The same as a document of its own.
#[derive(Template)]
#[template(path = "person_alone.html")]
struct PersonAlone<'a> {
    t: Say<'a>,
    club: &'a str,
    data: &'a PersonalData,
}

impl PersonAlone<'_> {
    fn sections(&self) -> PersonSections<'_> {
        PersonSections { t: self.t, data: self.data }
    }
}

/// All that a club keeps of a person, as a document of its own.
///
/// # Errors
/// It cannot be rendered.
pub fn person_document(t: Locale, club: &str, data: &PersonalData) -> askama::Result<String> {
    let t = Say::new(t, Rights::new(None, Public::default()), &NOBODY);
    PersonAlone { t, club, data }.render()
}

/// What is said of a person, part by part; the newest lines come first.
#[derive(Template)]
#[template(path = "person_sections.html")]
struct PersonSections<'a> {
    t: Say<'a>,
    data: &'a PersonalData,
}

/// Its template escapes what it writes.
impl askama::filters::HtmlSafe for PersonSections<'_> {}

impl PersonSections<'_> {
    /// How many lines of so many only the file has.
    fn more(&self, lines: &usize) -> Option<String> {
        let more = lines.saturating_sub(SHOWN);
        (more > 0).then(|| self.t.count("person-more", &more))
    }

    /// What is noted of them: label and text.
    fn details(&self) -> Vec<(String, String)> {
        let details = &self.data.details;
        let yes = |is_so: bool| is_so.then(|| self.t.get("person-yes"));
        let lines = [
            ("name", Some(details.name.to_string())),
            ("nickname", details.nickname.as_ref().map(ToString::to_string)),
            ("country", details.country.as_ref().map(ToString::to_string)),
            ("home-club", details.club.as_ref().map(ToString::to_string)),
            ("contact", details.contact.as_ref().map(ToString::to_string)),
            ("iban", details.iban.as_ref().map(Iban::printed)),
            ("notes", details.notes.as_ref().map(ToString::to_string)),
            ("guest", yes(self.data.guest)),
            ("inactive", yes(!self.data.active)),
        ];
        lines.into_iter().filter_map(|(label, text)| Some((self.t.get(label), text?))).collect()
    }

    /// Their login, its sessions, API tokens and webhooks: what, about it, and when.
    fn login(&self) -> Vec<(String, String, String)> {
        let (t, Some(login)) = (&self.t, &self.data.login) else { return Vec::new() };
        let roles: Vec<String> = login.roles.iter().map(|one| role(t, one)).collect();
        let name = (login.login.clone().unwrap_or_default(), roles.join(", "), String::new());
        let email = login.email.iter();
        let email = email.map(|address| (t.get("email"), address.to_string(), String::new()));
        let sessions = login.sessions.iter().map(|[started, ends]| {
            let from_until = format!("{} – {}", t.date_time(started), t.date_time(ends));
            (t.get("person-session"), from_until, String::new())
        });
        let tokens = login.api_tokens.iter();
        let tokens = tokens.map(|(name, made)| (name.clone(), t.get("tokens"), t.date_time(made)));
        let webhooks = login.webhooks.iter();
        let webhooks = webhooks.map(|(url, made)| (url.clone(), t.get("person-webhook"), t.date_time(made)));
        std::iter::once(name).chain(email).chain(sessions).chain(tokens).chain(webhooks).collect()
    }

    /// The name of a stored unit.
    fn unit(&self, unit: &str) -> String {
        unit.parse::<Unit>().map_or_else(|_| unit.to_owned(), |unit| self.t.unit(&unit))
    }

    /// An amount in a stored unit; nothing if it is none that is known.
    fn amount(&self, unit: &str, amount: &i64) -> String {
        unit.parse::<Unit>().map(|unit| self.t.amount(&unit, amount).text).unwrap_or_default()
    }

    fn source(&self, line: &PersonalLine) -> String {
        line.memo.as_ref().map_or_else(|| line.from.clone(), ToString::to_string)
    }

    fn result(&self, rated: &PersonalRating) -> String {
        self.t.with(if rated.won { "rating-won" } else { "rating-lost" }, "name", &rated.opponent)
    }

    fn rating(&self, thousandths: &i64) -> String {
        self.t.rating(Rating(*thousandths))
    }

    fn was_read(&self, reading: &PersonalReading) -> String {
        self.t.get(&format!("read-{}", reading.what.name()))
    }
}

pub(super) async fn show(visitor: Visitor, id: web::Path<PlayerId>) -> Result<HttpResponse, Problem> {
    let data = visitor.service.desk.personal_data(&visitor.actor()?, *id).await?;
    let title = visitor.t.with("person-of", "name", &data.details.name);
    let frame = visitor.frame(&title, Some(Tab::Players));
    visitor.answer(PersonPage { t: visitor.say(&NOBODY), frame, data: &data }.render())
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    #[serde(default)]
    also: String,
}

pub(super) async fn erase(
    visitor: Visitor,
    id: web::Path<PlayerId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    erase_page(visitor, *id, &query.also).await
}

/// `/players/{id}/erase?also=`
#[derive(Template)]
#[template(path = "erase.html")]
pub(crate) struct ErasePage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub preview: &'a ErasurePreview,
    /// What else free text calls them, as typed.
    pub also: &'a str,
}

async fn erase_page(visitor: Visitor, id: PlayerId, also: &str) -> Result<HttpResponse, Problem> {
    // What cannot be looked for is said above the page, which then looks for the rest.
    let (spellings, visitor) = match spellings(also) {
        Ok(spellings) => (spellings, visitor),
        Err(wrong) => (Vec::new(), visitor.refused("", &Form::default(), &wrong)),
    };
    let preview = visitor.service.desk.preview_erasure(&visitor.actor()?, id, spellings).await?;
    let (title, tab) = (visitor.t.with("erase-title", "name", &preview.name), Some(Tab::Players));
    let frame = visitor.frame(&title, tab);
    let frame = Frame { here: format!("/players/{id}/erase"), ..frame };
    let page = ErasePage { t: visitor.say(&NOBODY), frame, preview: &preview, also };
    visitor.answer(page.render())
}

/// The spellings in a line, separated by commas.
fn spellings(also: &str) -> Result<Vec<PlayerName>, Problem> {
    let parts = also.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|error| invalid("also", &error))).collect()
}

pub(super) async fn post_erase(
    request: HttpRequest,
    visitor: Visitor,
    id: web::Path<PlayerId>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (actor, also) = (visitor.actor()?, form.text("also").to_owned());
    let done = async {
        if !form.ticked("sure") {
            return Err(malformed("the box that says so is not ticked"));
        }
        let spellings = spellings(&also)?;
        let request = Request {
            expected: form.version()?,
            idempotency: form.idempotency(request.path(), &also)?,
            ..Request::by(actor)
        };
        Ok(visitor.service.desk.erase(request, *id, spellings).await?)
    };
    match done.await {
        Ok(_) => Ok(redirect("/players?saved")),
        Err(problem) => erase_page(visitor.refused(request.path(), &form, &problem), *id, &also).await,
    }
}
