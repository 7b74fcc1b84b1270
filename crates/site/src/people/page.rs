//! How players are drawn: the list, and a page for each.

use std::collections::BTreeMap;

use askama::Template;
use chrono::NaiveDate;

use super::{MATCHES_SHOWN, edited, roles};
use crate::ledger::page::{Game, course, due_in_words, nights, places};
use crate::pages::{BalanceChart, Choice, Frame, qr_code};
use crate::refused::Filled;
use crate::say::Say;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{HalfPoints, PlayerId, Timestamp};
use owlbox_books::ledger::Source;
use owlbox_desk::books::statements::StatementScreen;
use owlbox_desk::books::treasury::OwnDue;
use owlbox_desk::fingerprint;
use owlbox_desk::people::players::screen::PlayerScreen;
use owlbox_desk::people::players::{Candidate, ShownPlayer};
use owlbox_desk::people::ratings::RatedMatchRow as Rated;
use owlbox_locale::Amount;
use owlbox_play::tournament::rating::Rating;

/// Rated matches listed below the chart.
const MATCHES_LISTED: usize = 5;
/// Nights listed below the balance.
const NIGHTS_LISTED: usize = 5;

/// `/players?q=&after=`
#[derive(Template)]
#[template(path = "players.html")]
pub(crate) struct PlayersPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub search: &'a str,
    /// The players on this page of the list.
    pub rows: &'a [ShownPlayer],
    /// Their points so far; empty if the viewer may not see them.
    pub points: &'a BTreeMap<PlayerId, HalfPoints>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
    /// Those who are called the same, in groups: until one of them is called otherwise, that name is
    /// nobody's.
    pub alike: &'a [Vec<Candidate>],
    /// The player who was just added, if any.
    pub added: Option<&'a ShownPlayer>,
}

impl PlayersPage<'_> {
    fn about(&self, row: &ShownPlayer) -> String {
        about(row)
    }
}

/// Nickname, country and home club in one line.
fn about(row: &ShownPlayer) -> String {
    let parts = [&row.nickname, &row.country, &row.club];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" · ")
}

/// An invite or reset link. It is shown only once.
pub(crate) struct Invite {
    pub link: String,
    /// The end of its validity.
    pub until: Timestamp,
    /// Whether it was sent by mail, too.
    pub mailed: bool,
}

impl Invite {
    /// The link as a picture: an `<svg>` element.
    pub fn picture(&self) -> String {
        qr_code(&self.link)
    }

    /// Whether its host is a loopback address, so that no phone can open it.
    pub fn is_only_here(&self) -> bool {
        let host = self.link.split("://").nth(1).unwrap_or_default();
        ["127.", "localhost", "[::1]"].iter().any(|loopback| host.starts_with(loopback))
    }
}

/// `/players/{id}`
#[derive(Template)]
#[template(path = "player.html")]
pub(crate) struct PlayerPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a PlayerScreen,
    /// Their points and what is due, if the viewer may see it.
    pub ledger: Option<&'a StatementScreen>,
    /// The newest games of their ledger.
    pub games: Vec<Game<'a>>,
    /// Whether older lines of the ledger were not read.
    pub has_older: bool,
    /// Whether an invitation can be sent by mail.
    pub sends_mail: bool,
    /// The link that was just made.
    pub invite: Option<&'a Invite>,
}

impl PlayerPage<'_> {
    /// The fingerprint of the details that the form is made from.
    fn seen(&self) -> String {
        fingerprint(&edited(&self.screen.player))
    }

    /// Whether the viewer may do this, which everybody may for themselves who may see their own ledger.
    fn may_or_own(&self, permission: Permission) -> bool {
        self.t.may(if self.is_own() { Permission::ViewOwnLedger } else { permission })
    }

    /// Whether it is the viewer's own page.
    fn is_own(&self) -> bool {
        self.t.player() == Some(self.screen.player.id)
    }

    /// Whether the viewer may change more than what players keep up themselves.
    fn manages(&self) -> bool {
        self.t.may(Permission::ManagePlayers)
    }

    fn edits(&self) -> bool {
        self.manages() || self.is_own() && self.t.may(Permission::ManageOwnAccount)
    }

    fn about(&self) -> String {
        about(&self.screen.player)
    }

    /// What is known of the player besides what stands beside the name, as far as the viewer may see it. On
    /// one's own page also what is missing.
    fn details(&self) -> Vec<(&'static str, &str)> {
        let ShownPlayer { contact, iban, notes, .. } = &self.screen.player;
        let login = self.screen.account.as_ref().and_then(|account| account.login.as_deref());
        let own = self.is_own().then_some("");
        let all = [
            ("contact", contact.as_deref().or(own)),
            ("iban", iban.as_deref().or(own)),
            ("notes", notes.as_deref()),
            ("login", login),
        ];
        all.into_iter().filter_map(|(key, text)| Some((key, text?))).collect()
    }

    /// The roles ticked in the invitation, in words.
    fn roles_ticked(&self) -> String {
        let roles = self.roles().into_iter().filter(|role| role.chosen).map(|role| role.label);
        self.t.list(&roles.collect::<Vec<_>>())
    }

    fn balance(&self) -> Amount {
        let points = self.ledger.and_then(|ledger| {
            let unit = ledger.unit.to_string();
            ledger.balances.iter().find(|balance| balance.unit == unit)
        });
        self.t.points(&points.map_or(0, |points| points.amount))
    }

    fn balance_course(&self) -> Option<BalanceChart> {
        course(&self.games, |balance| balance)
    }

    /// The days of the oldest and the newest game.
    fn ends(&self) -> Option<[Timestamp; 2]> {
        Some([self.games.last()?, self.games.first()?].map(Game::at))
    }

    /// What is due in each currency: as a sentence, and the ledger of it.
    fn dues(&self) -> Vec<(String, String)> {
        let dues = self.ledger.and_then(|ledger| ledger.dues.as_ref());
        let one = |due: &OwnDue| {
            let to = format!("/ledger/{}?unit={}", self.screen.player.id, due.currency);
            (due_in_words(&self.t, due, self.is_own()), to)
        };
        dues.into_iter().flat_map(|dues| &dues.dues).map(one).collect()
    }

    /// The newest nights: when, where, what came of it, and the lines of the ledger about it.
    fn nights(&self) -> Vec<(String, String, Amount, String)> {
        let Some(ledger) = self.ledger else { return Vec::new() };
        let line = |(night, games): (NaiveDate, &[Game<'_>])| {
            let points = games.iter().map(Game::amount).sum::<i64>();
            let to =
                format!("/ledger/{}?unit={}&from={night}&until={night}", self.screen.player.id, ledger.unit);
            let places = self.t.list(&places(&self.t, games, ledger));
            (self.t.day(&night), places, self.t.points(&points), to)
        };
        let mut nights = nights(&self.games);
        if self.has_older {
            // Part of this one was not read.
            nights.pop();
        }
        nights.into_iter().take(NIGHTS_LISTED).map(line).collect()
    }

    /// Whether the viewer may invite the player, who has no login yet.
    fn is_invitable(&self) -> bool {
        let account = self.screen.account.as_ref();
        self.t.may(Permission::ManageAccounts)
            && self.invite.is_none()
            && self.screen.player.active
            && account.is_none_or(|account| account.login.is_none())
    }

    /// The fingerprint of the roles that the player's account has, if it has been invited before.
    fn roles_seen(&self) -> String {
        fingerprint(&self.screen.account.as_ref().map(|account| account.roles))
    }

    /// The roles the viewer may give.
    fn roles(&self) -> Vec<Choice> {
        roles(&self.t, self.screen.account.as_ref().map(|account| account.roles))
    }

    /// The form that is sent to an address below that of the page.
    fn form(&self, below: &str) -> Filled<'_> {
        self.frame.form(&format!("/players/{}{below}", self.screen.player.id))
    }

    /// A detail of the player; empty if it is not known.
    fn known<'d>(&self, detail: &'d Option<String>) -> &'d str {
        detail.as_deref().unwrap_or_default()
    }

    /// The course of the rating. Its baseline is the rating everybody begins with, not zero.
    fn course(&self) -> Option<BalanceChart> {
        let (player, matches) = (self.screen.player.id, &self.screen.matches);
        let whole = i64::try_from(matches.len()).is_ok_and(|read| read <= MATCHES_SHOWN);
        let standings = matches.iter().rev().filter_map(|(row, _)| row.standing(player));
        let ratings =
            whole.then_some(Rating::START).into_iter().chain(standings.map(|standing| standing.rating));
        BalanceChart::new(&ratings.map(|rating| rating.0 - Rating::START.0).collect::<Vec<_>>())
    }

    fn rating(&self, value: &i64) -> String {
        self.t.rating(Rating(*value))
    }

    fn count(&self, matches: &i64) -> usize {
        usize::try_from(*matches).unwrap_or(usize::MAX)
    }

    /// The newest of the rated matches, newest first.
    fn latest(&self) -> &[(Rated, Source)] {
        self.screen.matches.get(..MATCHES_LISTED).unwrap_or(&self.screen.matches)
    }

    /// The player's rating after a match.
    fn after(&self, row: &Rated) -> Rating {
        row.standing(self.screen.player.id).unwrap_or_default().rating
    }

    /// What the match at this place of the list changed of it.
    fn change(&self, at: &usize) -> Amount {
        let after = |at: usize| self.screen.matches.get(at).map_or(Rating::START, |(row, _)| self.after(row));
        self.t.rating_change(Rating(after(*at).0 - after(at + 1).0))
    }

    /// A result: `Won against Bob`.
    fn result(&self, row: &Rated) -> String {
        let [winner, loser] = [row.winner, row.loser].map(PlayerId::from);
        let (key, other) =
            if winner == self.screen.player.id { ("rating-won", loser) } else { ("rating-lost", winner) };
        self.t.with(key, "name", self.t.name(&other))
    }

    fn link(&self, row: &Rated, source: &Source) -> String {
        match source {
            Source::Tournament(id) => format!("/tournaments/{id}/{}/matches/{}", row.division, row.number),
            Source::Chouette(_) | Source::Match(_) | Source::Daybook => format!("/matches/{}", source.id()),
        }
    }
}
