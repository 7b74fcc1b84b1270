//! The page that a form of the desk goes on to: one of the tournament's own, whole for a browser, its live
//! part for a script.

use actix_web::HttpResponse;

use super::frame::address as desk_address;
use super::{about, correction, draw, enter, entries, entry, log, money, now, one_match, room};
use crate::visitor::Visitor;
use owlbox_base::values::TournamentId;
use owlbox_http::problem::Problem;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// A page of the desk, by its address.
#[derive(Clone, Debug)]
pub(super) struct ReturnPage {
    /// The address, including its query.
    pub address: String,
    page: Page,
}

#[derive(Clone, Copy, Debug)]
enum Page {
    Now,
    /// Where players enter themselves.
    Enter,
    Room,
    Money,
    Log(log::LogQuery),
    Settings,
    Entries(DivisionNo),
    Entry(DivisionNo, EntryNo),
    Draw(DivisionNo),
    Match(MatchRef),
    Correction(MatchRef),
}

impl ReturnPage {
    /// The page of this address; the desk's front page if it is not one of the desk's.
    pub(super) fn from_address(id: TournamentId, address: &str) -> Self {
        let desk = desk_address(id, "");
        let in_an_address = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/?=&%#".contains(&byte);
        if address == enter::address(id) {
            return Self { address: address.to_owned(), page: Page::Enter };
        }
        let below = address.strip_prefix(&desk).filter(|below| below.bytes().all(in_an_address));
        match below.and_then(page) {
            Some(page) => Self { address: address.to_owned(), page },
            None => Self { address: desk, page: Page::Now },
        }
    }

    /// The current page, with the problem of a refused act.
    pub(super) async fn answer(
        &self,
        visitor: &Visitor,
        id: TournamentId,
        partial: bool,
        problem: Option<&Problem>,
    ) -> Result<HttpResponse, Problem> {
        match self.page {
            Page::Now => {
                let looked = entries::looked(&self.address);
                now::answer(visitor, id, &looked.find, partial, problem).await
            }
            Page::Enter => enter::answer(visitor, id, problem).await,
            Page::Room => room::answer(visitor, id, partial, problem).await,
            Page::Money => money::answer(visitor, id, partial, problem).await,
            Page::Log(query) => log::answer(visitor, id, query, partial, problem).await,
            Page::Settings => about::answer_settings(visitor, id, problem).await,
            Page::Entries(division) => {
                let looked = entries::looked(&self.address);
                entries::answer(visitor, id, division, &looked, partial, problem, entries::Typed::Nothing)
                    .await
            }
            Page::Entry(division, number) => {
                let leave = entry::leaving(&self.address);
                entry::answer(visitor, id, division, number, leave, partial, problem).await
            }
            Page::Draw(division) => draw::answer(visitor, id, division, partial, problem).await,
            Page::Match(at) => one_match::answer(visitor, id, at, partial, problem).await,
            Page::Correction(at) => {
                let chosen = correction::CorrectQuery::from_address(&self.address);
                correction::answer(visitor, id, at, chosen, partial, problem).await
            }
        }
    }
}

/// The page of an address below the desk.
fn page(below: &str) -> Option<Page> {
    let path = below.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match parts.as_slice() {
        [""] => Some(Page::Now),
        ["room"] => Some(Page::Room),
        ["money"] => Some(Page::Money),
        ["log"] => Some(Page::Log(log::LogQuery::from_address(below))),
        ["settings"] => Some(Page::Settings),
        [division, "entries"] => Some(Page::Entries(DivisionNo(division.parse().ok()?))),
        [division, "entries", entry] => {
            Some(Page::Entry(DivisionNo(division.parse().ok()?), EntryNo(entry.parse().ok()?)))
        }
        [division, "draw"] => Some(Page::Draw(DivisionNo(division.parse().ok()?))),
        [division, "matches", number, below @ ..] => {
            let (division, number) = (DivisionNo(division.parse().ok()?), MatchNo(number.parse().ok()?));
            let at = MatchRef { division, number };
            match below {
                [] => Some(Page::Match(at)),
                ["correct"] => Some(Page::Correction(at)),
                _ => None,
            }
        }
        _ => None,
    }
}
