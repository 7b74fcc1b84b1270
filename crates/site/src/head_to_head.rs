//! Everybody against everybody, and one player against everybody else (M8).
//!
//! The table of everybody is for a large screen or a finger that scrolls; a tap on a name shows that player's
//! own lines, which fit a phone. A large club's table has those who played most, or the players chosen from
//! the list below it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::iter::once;

use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::NaiveDate;

use super::days::AskedDays;
use super::income::offered;
use super::say::{NOBODY, Say};
use super::statistics::tallies::kind_word;
use super::statistics::{self, HEAD_TO_HEAD};
use super::visitor::Visitor;
use crate::pages::{ChipLink, Frame, Tab};
use crate::playing::variant;
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::UNNAMED;
use owlbox_books::statistics::Kind;
use owlbox_desk::books::income::Period;
use owlbox_desk::nights::statistics::{
    Filter, HeadToHead, HeadToHeadPart, HeadToHeadPlayer, PairRecord, Played, PlayerSelection,
};
use owlbox_engine::Variant;
use owlbox_http::problem::Problem;
use owlbox_locale::spreadsheet;
use owlbox_locale::url::address;

/// The most players in the table: what a laptop shows across, and a browser paints at once.
const MOST: usize = 20;
/// How many players the list below the table has a page, beside those chosen.
const LISTED: usize = 25;

/// Whom the address asks for, beside the [filter](statistics::Query).
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Whose side is shown.
    player: Option<PlayerId>,
    /// Whom the table has.
    who: BTreeSet<PlayerId>,
    /// The name that the list is searched for.
    search: String,
    /// The last player of the list's page before.
    after: Option<PlayerId>,
}

impl Asked {
    /// What is no player's id asks for nobody. Who chooses one player alone looks at them.
    fn from_query(query: &[(String, String)]) -> Self {
        let mut asked = Self::default();
        for (field, value) in query {
            match field.as_str() {
                "player" => asked.player = value.parse().ok(),
                "who" => asked.who.extend(value.parse::<PlayerId>().ok().filter(|_| asked.who.len() < MOST)),
                "q" => value.trim().clone_into(&mut asked.search),
                "after" => asked.after = value.parse().ok(),
                _ => {}
            }
        }
        if asked.player.is_none() && asked.who.len() == 1 {
            asked.player = asked.who.pop_first();
        }
        asked
    }

    /// As fields of an address: who is shown, without where the list is.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let player = self.player.iter().map(|player| ("player", player.to_string()));
        player.chain(self.who.iter().map(|player| ("who", player.to_string()))).collect()
    }
}

/// A filter as fields of an address; those that do not restrict are empty.
fn fields(filter: Filter) -> [(&'static str, String); 4] {
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    [
        ("kind", filter.kind.map(|kind| kind.to_string()).unwrap_or_default()),
        ("variant", filter.variant.map(|variant| variant.key().to_owned()).unwrap_or_default()),
        ("from", day(filter.from)),
        ("until", day(filter.until)),
    ]
}

/// The address of this page, or of the API, for the players asked for and a filter.
fn to(
    path: &str,
    more: &[(&'static str, String)],
    asked: &[(&'static str, String)],
    filter: Filter,
) -> String {
    let all: Vec<_> = more.iter().chain(asked).cloned().chain(fields(filter)).collect();
    address(path, &all)
}

pub(super) async fn show(
    visitor: Visitor,
    query: web::Query<Vec<(String, String)>>,
    filter: web::Query<statistics::Query>,
) -> Result<HttpResponse, Problem> {
    let (days, visitor) = AskedDays::of(visitor);
    let (t, desk, actor) = (visitor.t, &visitor.service.desk, visitor.actor()?);
    let filter = Filter { began: None, ..filter.filter(&days) };
    let asked = Asked::from_query(&query);
    let player = asked.player;
    let HeadToHeadPart { met, everybody } = match player {
        Some(_) => {
            let met = desk.head_to_head(&actor, player, filter).await?;
            HeadToHeadPart { met, everybody: Vec::new() }
        }
        None => {
            let own = visitor.principal.and_then(|principal| principal.player);
            let most = PlayerSelection::Most { players: MOST, own };
            let part = if asked.who.is_empty() { most } else { PlayerSelection::Among(asked.who.clone()) };
            desk.head_to_head_part(&actor, part, filter).await?
        }
    };
    let (title, above) = match player {
        None => (t.get("head-to-head"), ("/statistics".to_owned(), t.get("statistics-club"))),
        Some(player) => {
            let name = desk.player(&actor, player).await?.name;
            let own = (format!("/players/{player}/statistics"), t.with("statistics-of", "name", &name));
            (t.with("head-to-head-of", "name", &name), own)
        }
    };
    let frame = visitor.frame(&title, Some(Tab::Players));
    let page = HeadToHeadPage {
        t: visitor.say(&NOBODY),
        frame,
        above,
        asked: &asked,
        filter,
        today: visitor.settings().night_of(desk.now()),
        met: &met,
        everybody: &everybody,
    };
    visitor.answer(page.render())
}

/// `/statistics/head-to-head?player=&who=&q=&after=&kind=&variant=&from=&until=`
#[derive(Template)]
#[template(path = "head_to_head.html")]
pub(crate) struct HeadToHeadPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    /// The page with the statistics of the player it is about: address and label.
    pub above: (String, String),
    pub asked: &'a Asked,
    pub filter: Filter,
    /// The club's day.
    pub today: NaiveDate,
    pub met: &'a HeadToHead,
    /// Everybody who has such games, those who played most first; nobody on the page of one player.
    pub everybody: &'a [Played],
}

impl HeadToHeadPage<'_> {
    /// The filters: each with its label and its choices.
    fn filters(&self) -> [(String, Vec<ChipLink>); 3] {
        let (t, now) = (&self.t, self.filter);
        let any = || t.get("statistics-all");
        let choice = |label: String, filter: Filter| {
            ChipLink::new(label, to(HEAD_TO_HEAD, &[], &self.asked.fields(), filter), filter == now)
        };
        let periods = offered(self.today).into_iter().map(|(label, Period { from, until })| {
            choice(label.unwrap_or_else(|| t.get("income-ever")), Filter { from, until, ..now })
        });
        let kinds = once(None)
            .chain(Kind::ALL.iter().copied().map(Some))
            .map(|kind| choice(kind.map_or_else(any, |kind| t.get(kind_word(kind))), Filter { kind, ..now }));
        let variants = once(None)
            .chain(Variant::ALL.into_iter().map(Some))
            .map(|one| choice(one.map_or_else(any, |one| variant(t, one)), Filter { variant: one, ..now }));
        [
            (t.get("income-period"), periods.collect()),
            (t.get("statistics-by-kind"), kinds.collect()),
            (t.get("statistics-by-variant"), variants.collect()),
        ]
    }

    /// The first and the last day shown, if the period has any.
    fn days(&self) -> Option<String> {
        let Filter { from, until, .. } = self.filter;
        let day = |day: Option<NaiveDate>| day.map(|day| self.t.day(&day)).unwrap_or_default();
        (from.is_some() || until.is_some()).then(|| format!("{} – {}", day(from), day(until)))
    }

    /// The address of the same figures as CSV. There it is everybody, or one player.
    fn csv(&self) -> String {
        let whole = Asked { player: self.asked.player, ..Asked::default() };
        to("/api/v1/statistics/head-to-head", &spreadsheet::asked(&self.t), &whole.fields(), self.filter)
    }

    /// Whether points can be won in these games; in a match they decide nothing after it.
    fn has_points(&self) -> bool {
        match self.filter.kind {
            None | Some(Kind::Chouette | Kind::MoneySession) => true,
            Some(Kind::Match | Kind::Tournament) => false,
        }
    }

    /// The players in the table of everybody; none on the page of one player.
    fn table(&self) -> &[HeadToHeadPlayer] {
        if self.asked.player.is_none() { &self.met.players } else { &[] }
    }

    /// The games of two players of the table.
    fn between(&self, one: &HeadToHeadPlayer, other: &HeadToHeadPlayer) -> Option<&PairRecord> {
        self.met.pair(one.player, other.player)
    }

    /// One player's games against each opponent, the one with most games first.
    fn opponents(&self) -> Vec<&PairRecord> {
        let mut own: Vec<&PairRecord> =
            self.met.pairs.iter().filter(|pair| Some(pair.player) == self.asked.player).collect();
        own.sort_by_key(|pair| Reverse((pair.record.games, pair.matches_won + pair.matches_lost)));
        own
    }

    fn name(&self, player: &PlayerId) -> &str {
        let found = self.met.players.iter().find(|one| one.player == *player);
        found.map_or(UNNAMED, |one| &one.name)
    }

    /// The games of the two against each other, with the same filter.
    fn of_pair(&self, pair: &PairRecord) -> String {
        let path = format!("/players/{}/statistics/against/{}", pair.player, pair.opponent);
        address(&path, &fields(self.filter))
    }

    /// One player's games against everybody, with the same filter.
    fn of_player(&self, player: &PlayerId) -> String {
        to(HEAD_TO_HEAD, &[], &[("player", player.to_string())], self.filter)
    }

    /// Whether the club is too large for everybody to be in the table, so that players can be chosen for it.
    fn has_choice(&self) -> bool {
        self.everybody.len() > MOST
    }

    /// What the table has, in words.
    fn shown(&self) -> String {
        let words = if self.asked.who.is_empty() { "head-to-head-shown" } else { "head-to-head-chosen" };
        self.t.fill(words, &[("shown", &self.met.players.len()), ("all", &self.everybody.len())])
    }

    /// The page with those who played most, if others are chosen.
    fn most(&self) -> Option<String> {
        (!self.asked.who.is_empty()).then(|| to(HEAD_TO_HEAD, &[], &[], self.filter))
    }

    /// The fields of the filter that the form keeps.
    fn kept(&self) -> Vec<(&'static str, String)> {
        fields(self.filter).into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// Those of the list who are not chosen, from where its page begins.
    fn others(&self) -> Vec<&Played> {
        let searched = self.asked.search.to_lowercase();
        let is_found = |one: &&Played| {
            !self.asked.who.contains(&one.who.player) && one.who.name.to_lowercase().contains(&searched)
        };
        let mut others: Vec<&Played> = self.everybody.iter().filter(is_found).collect();
        let last = others.iter().position(|one| Some(one.who.player) == self.asked.after);
        others.split_off(last.map_or(0, |last| last + 1))
    }

    /// The list: those chosen, then a page of the others; each with whether they are chosen.
    fn offered(&self) -> Vec<(&Played, bool)> {
        let chosen = self.everybody.iter().filter(|one| self.asked.who.contains(&one.who.player));
        let others = self.others().into_iter().take(LISTED).map(|one| (one, false));
        chosen.map(|one| (one, true)).chain(others).collect()
    }

    /// The next page of the list.
    fn next(&self) -> Option<String> {
        let others = self.others();
        let last = others.get(LISTED - 1).filter(|_| others.len() > LISTED)?;
        let list = [("q", self.asked.search.clone()), ("after", last.who.player.to_string())];
        Some(format!("{}#players", to(HEAD_TO_HEAD, &self.asked.fields(), &list, self.filter)))
    }

    fn games(&self, played: &Played) -> String {
        self.t.count("head-to-head-games", &usize::try_from(played.games).unwrap_or_default())
    }
}
