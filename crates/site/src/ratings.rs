//! The ratings of all players, best first.

use actix_web::HttpResponse;
use askama::Template;

use super::say::Say;
use super::visitor::Visitor;
use crate::pages::{Frame, Tab};
use owlbox_desk::people::ratings::PlayerRating;
use owlbox_http::problem::Problem;

/// The most players on the page.
const MOST: u16 = 500;

/// `/ratings`
#[derive(Template)]
#[template(path = "ratings.html")]
struct RatingsPage<'a> {
    t: Say<'a>,
    frame: Frame,
    ratings: &'a [PlayerRating],
    /// Whether more players have a rating than are shown.
    is_cut: bool,
}

impl RatingsPage<'_> {
    /// A player's place: those with the same rating share one.
    fn place(&self, one: &PlayerRating) -> usize {
        self.ratings.partition_point(|other| other.rating_thousandths > one.rating_thousandths) + 1
    }

    fn rating(&self, one: &PlayerRating) -> String {
        self.t.rating(one.rating_thousandths)
    }

    fn matches(&self, one: &PlayerRating) -> String {
        self.t.count("rated-matches", &usize::try_from(one.matches).unwrap_or(usize::MAX))
    }
}

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let desk = &visitor.service.desk;
    let found = desk.ratings(&visitor.actor()?, None, i64::from(MOST) + 1).await?;
    let ratings = found.get(..usize::from(MOST)).unwrap_or(&found);
    let names = desk.names(ratings.iter().map(|one| one.player).collect()).await?;
    let frame = visitor.frame(&visitor.t.get("ratings"), Some(Tab::Players));
    let page =
        RatingsPage { t: visitor.say(&names), frame, ratings, is_cut: found.len() > usize::from(MOST) };
    visitor.answer(page.render())
}
