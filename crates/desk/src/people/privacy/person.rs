//! All data about one person, for themselves or for the one who hands it to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use super::erasure::{Mention, erasure_of, replayed, said};
use super::readings::{Read, readings_of};
use super::require_own;
use crate::access::mail::{MailAddress, address_of};
use crate::books::posting::source_names;
use crate::books::statements::Names;
use crate::{Actor, Desk, Refused};
use owlbox_base::journal::Aggregate as _;
use owlbox_base::permissions::scopes::TokenScope;
use owlbox_base::permissions::{Permission, Roles};
use owlbox_base::values::{
    AccountId, ActId, ChouetteId, Holder, MatchId, PlayerId, Timestamp, TournamentId, TransactionId,
};
use owlbox_books::club::players::PlayerDetails;
use owlbox_books::daybook::{Daybook, Memo};
use owlbox_books::ledger::Source;
use owlbox_store::books::{self, Line};
use owlbox_store::credentials::api_tokens::ApiToken;
use owlbox_store::{AnyConnection, accounts, persons, players, statistics, webhooks};

/// How many persons are handed out at once: each has every text of the club read.
pub const AT_ONCE: usize = 2;

/// All data about one person.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalData {
    pub player: PlayerId,
    /// When it was put together.
    pub at: Timestamp,
    pub details: PlayerDetails,
    /// A guest rather than a member.
    pub guest: bool,
    /// Whether they still come to the club.
    pub active: bool,
    /// Their login, if they have one.
    pub login: Option<PersonalLogin>,
    /// What they have in every unit, points first.
    pub balances: Vec<PersonalBalance>,
    /// Every line of their ledger in every unit, in the order of posting.
    pub ledger: Vec<PersonalLine>,
    /// The tables they sat at, oldest first.
    pub tables: Vec<PersonalTable>,
    /// Their matches and money sessions, oldest first.
    pub matches: Vec<PersonalMatch>,
    /// The tournaments they entered, oldest first.
    pub tournaments: Vec<PersonalTournament>,
    /// Their rated matches, oldest first.
    pub rated: Vec<PersonalRating>,
    /// Their games, counted: by opponent, day and manner.
    pub games: Vec<PersonalGames>,
    /// Every free text that names them, or is about them.
    pub texts: Vec<PersonalText>,
    /// Everything their login did, oldest first.
    pub acts: Vec<PersonalAct>,
    /// Who of the staff has read their ledger, newest first.
    pub read_by: Vec<PersonalReading>,
}

/// A person's login.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalLogin {
    pub account: AccountId,
    /// What they sign in with; null until they have chosen it. The password is kept as a hash alone.
    pub login: Option<String>,
    /// Where they are sent mail.
    pub email: Option<MailAddress>,
    pub roles: Roles,
    /// Whether it can sign in.
    pub active: bool,
    /// When sessions began that are still kept, and when they end.
    pub sessions: Vec<[Timestamp; 2]>,
    /// The names of their API tokens, and when each was made.
    pub api_tokens: Vec<(String, Timestamp)>,
    /// What else is kept of them, in the same order.
    pub api_token_details: Vec<PersonalToken>,
    /// The addresses of their webhooks, and when each was made.
    pub webhooks: Vec<(String, Timestamp)>,
}

/// An API token of a login.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalToken {
    /// What it may be used for; null for everything that the login may do.
    pub scopes: Option<Vec<TokenScope>>,
    /// When it expires; null if it never does.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked; null if it was not.
    pub revoked_at: Option<Timestamp>,
    /// The hour in which it was used last, by its beginning; null if it was not.
    pub last_used_at: Option<Timestamp>,
}

impl From<ApiToken> for PersonalToken {
    fn from(token: ApiToken) -> Self {
        Self {
            scopes: token.scopes.0.map(Vec::from),
            expires_at: token.expires_at.map(Timestamp::from),
            revoked_at: token.revoked_at.map(Timestamp::from),
            last_used_at: token.last_used_at.map(Timestamp::from),
        }
    }
}

/// A balance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalBalance {
    /// `half_points`, or a currency.
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
}

/// A line of the ledger.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalLine {
    pub transaction: TransactionId,
    /// `half_points`, or a currency.
    pub unit: String,
    /// What it is: the kind of bet, of fee, of payment.
    pub kind: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
    /// What the account stood at after it.
    pub balance: i64,
    /// The other side: a player's name, or the account of the club.
    pub with: String,
    /// The kind of table, match or record it comes from, and its name if it has one.
    pub from: String,
    /// The day it belongs to.
    pub on: NaiveDate,
    pub posted_at: Timestamp,
    pub memo: Option<Memo>,
}

/// A seat at a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalTable {
    pub chouette: ChouetteId,
    /// The name of the table.
    pub name: String,
    /// The night, by the day on which it began.
    pub night: NaiveDate,
    /// In half points.
    pub score: i64,
}

/// A match or money session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalMatch {
    #[serde(rename = "match")]
    pub id: MatchId,
    pub tournament: Option<TournamentId>,
    /// The opponent's name.
    pub opponent: String,
    /// In points; 0 for a money session.
    pub length: i32,
    /// Theirs, then the opponent's.
    pub score: [i64; 2],
    pub opened_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// A tournament.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalTournament {
    pub tournament: TournamentId,
    /// The name of the tournament.
    pub name: String,
    /// The day on which it began.
    pub date: NaiveDate,
}

/// A rated match.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalRating {
    pub finished_at: Timestamp,
    /// The opponent's name.
    pub opponent: String,
    /// In points.
    pub length: i32,
    /// Whether they won it.
    pub won: bool,
    /// The rating after it, in thousandths of a point.
    pub rating: i64,
}

/// Games that are alike.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalGames {
    /// The day that the games count for.
    pub day: NaiveDate,
    /// Null where the games were against several.
    pub opponent: Option<String>,
    /// Where they were played, as in statistics: `chouette`, `match`, `money` or `tournament`.
    pub kind: String,
    /// The variant that was played.
    pub variant: String,
    /// Who began.
    pub began: String,
    /// The role that they played in.
    pub role: String,
    /// `won`, `lost` or `drawn`.
    pub result: String,
    /// How the games ended.
    pub ending: String,
    /// The value of the cube at the end; 0 where it is not recorded.
    pub cube: i64,
    /// How many games.
    pub games: i64,
    /// What they won of them, in half points.
    pub half_points: i64,
}

/// A free text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalText {
    /// The kind of stream it stands in.
    pub of: &'static str,
    /// The stream.
    pub stream: Uuid,
    /// The version of the stream with which it came.
    pub version: i64,
    /// The text.
    pub text: String,
}

/// Something their login did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalAct {
    pub at: Timestamp,
    /// The kind of stream.
    pub of: String,
    /// The stream.
    pub stream: Uuid,
    /// The version of the stream after it.
    pub version: i64,
    pub act: ActId,
    /// The kind of event.
    pub event: String,
}

/// A reading of their ledger.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonalReading {
    /// The first time that day.
    pub at: Timestamp,
    /// Who read it.
    pub by: Option<String>,
    pub what: Read,
}

impl Desk {
    /// All data about a player, at one moment.
    ///
    /// # Errors
    /// There is no such player, or it is somebody else's and the caller may not hand it out;
    /// [`Refused::Busy`] while [`AT_ONCE`] others are handed out.
    pub async fn personal_data(&self, actor: &Actor, player: PlayerId) -> Result<PersonalData, Refused> {
        let principal = self.principal(actor).await?;
        require_own(&principal, player)?;
        let place = Arc::clone(&self.inner.persons).try_acquire_owned().map_err(|_| Refused::Busy)?;
        if principal.player != Some(player) {
            self.note_reading(&principal, Some(player), Read::Person).await?;
        }
        let sees_all = principal.require(Permission::ManagePersonalData).is_ok();
        let at = self.now();
        self.snapshot(move |connection| {
            // The place is taken as long as somebody reads, even if nobody waits for it any more.
            let _place = place;
            let daybook = replayed::<Daybook>(connection, Source::DAYBOOK)?;
            let row = players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            let lines = ledger(connection, player)?;
            let matches = persons::matches(connection, player)?;
            let rated = persons::rated_matches(connection, player)?;
            let tallies = persons::tallies(connection, player)?;
            let others = lines.iter().filter_map(|line| line.posting.counterparty().player());
            let others = others
                .chain(matches.iter().flat_map(|row| [row.upper_player.into(), row.lower_player.into()]))
                .chain(rated.iter().flat_map(|row| [row.winner.into(), row.loser.into()]))
                .chain(tallies.iter().filter_map(|row| statistics::somebody(row.opponent)));
            let others: BTreeSet<PlayerId> = others.collect();
            let sources: BTreeSet<Source> = lines.iter().map(|line| line.source).collect();
            let names = Names {
                players: players::display_names(connection, others)?.into_iter().collect(),
                sources: source_names(connection, sources)?,
            };
            let called = |player: PlayerId| crate::people::players::called(&names.players, player);
            let memo_of = |line: &Line| {
                let number = matches!(line.source, Source::Daybook)
                    .then(|| daybook.state.record_at(line.head.version));
                daybook.state.entry(number.flatten()?)?.recorded.memo.clone()
            };
            Ok(PersonalData {
                player,
                at,
                details: crate::people::players::details(&row)?,
                guest: row.guest,
                active: row.active,
                login: login(connection, player)?,
                balances: balances(connection, player)?,
                ledger: lines.iter().map(|line| personal_line(line, &names, memo_of(line))).collect(),
                tables: tables(connection, player)?,
                matches: matches.iter().map(|row| personal_match(row, player, &called)).collect(),
                tournaments: tournaments(connection, player)?,
                rated: rated.iter().map(|row| personal_rating(row, player, &called)).collect(),
                games: tallies.iter().map(|row| personal_games(row, &called)).collect(),
                texts: texts(connection, &row, &daybook.state, sees_all)?,
                acts: acts(connection, player)?,
                read_by: read_by(connection, player)?,
            })
        })
        .await
    }
}

/// Every line of a player's ledger in every unit, in the order of posting.
fn ledger(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<Line>, Refused> {
    let mut lines = Vec::new();
    for balance in books::balances(connection, player.into())? {
        let mut of_unit = books::statement(connection, player.into(), &balance.unit, None, i64::MAX)?;
        of_unit.reverse();
        lines.extend(of_unit);
    }
    // Ids of transactions are in the order of posting.
    lines.sort_by_key(|line| (line.head.posted_at, line.head.id));
    Ok(lines)
}

fn personal_line(line: &Line, names: &Names, memo: Option<Memo>) -> PersonalLine {
    let Line { posting, head, source, variant: _ } = line;
    PersonalLine {
        transaction: head.id.into(),
        unit: posting.unit.clone(),
        kind: posting.kind.clone(),
        amount: posting.amount,
        balance: posting.balance,
        with: names.with(posting.counterparty()),
        from: names.from(*source),
        on: head.night,
        posted_at: head.posted_at.into(),
        memo,
    }
}

fn balances(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<PersonalBalance>, Refused> {
    let balances = books::balances(connection, Holder::Player(player))?;
    let personal =
        |balance: books::BalanceRow| PersonalBalance { unit: balance.unit, amount: balance.amount };
    Ok(balances.into_iter().map(personal).collect())
}

fn login(connection: &mut AnyConnection, player: PlayerId) -> Result<Option<PersonalLogin>, Refused> {
    let Some(account) = accounts::of_player(connection, player)? else { return Ok(None) };
    let sessions = persons::sessions(connection, account.id)?;
    let tokens = persons::api_tokens(connection, account.id)?;
    let webhooks = webhooks::urls_of(connection, account.id)?;
    Ok(Some(PersonalLogin {
        account: account.id,
        login: account.login,
        email: address_of(connection, account.id)?,
        roles: account.roles,
        active: account.active,
        sessions: sessions.into_iter().map(|session| [session.started_at, session.ends_at]).collect(),
        api_tokens: tokens.iter().map(|token| (token.name.clone(), token.created_at)).collect(),
        api_token_details: tokens.into_iter().map(PersonalToken::from).collect(),
        webhooks,
    }))
}

fn tables(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<PersonalTable>, Refused> {
    let seats = persons::seats(connection, player)?;
    let table = |persons::PlayerSeat { table, score }| PersonalTable {
        chouette: table.id.into(),
        name: table.name,
        night: table.night,
        score,
    };
    Ok(seats.into_iter().map(table).collect())
}

fn personal_match(
    row: &owlbox_store::matches::MatchRow,
    player: PlayerId,
    called: &impl Fn(PlayerId) -> String,
) -> PersonalMatch {
    let upper = PlayerId::from(row.upper_player) == player;
    let score = [row.upper_score, row.lower_score];
    PersonalMatch {
        id: row.id.into(),
        tournament: row.tournament.map(TournamentId::from),
        opponent: called(if upper { row.lower_player } else { row.upper_player }.into()),
        length: row.length,
        score: if upper { score } else { [score[1], score[0]] },
        opened_at: row.opened_at.into(),
        finished_at: row.finished_at.map(Timestamp::from),
    }
}

fn tournaments(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<PersonalTournament>, Refused> {
    let rows = persons::tournaments(connection, player)?;
    let entered = |row: owlbox_store::tournaments::TournamentRow| PersonalTournament {
        tournament: row.id.into(),
        name: row.name,
        date: row.date,
    };
    Ok(rows.into_iter().map(entered).collect())
}

fn personal_rating(
    row: &owlbox_store::ratings::RatedMatchRow,
    player: PlayerId,
    called: &impl Fn(PlayerId) -> String,
) -> PersonalRating {
    let won = PlayerId::from(row.winner) == player;
    let (rating, opponent) =
        if won { (row.winner_rating, row.loser) } else { (row.loser_rating, row.winner) };
    PersonalRating {
        finished_at: row.finished_at.into(),
        opponent: called(opponent.into()),
        length: row.length,
        won,
        rating,
    }
}

fn personal_games(row: &statistics::TallyRow, called: &impl Fn(PlayerId) -> String) -> PersonalGames {
    let statistics::TallyRow { player: _, opponent, day, words, games, half_points } = row;
    PersonalGames {
        day: *day,
        opponent: statistics::somebody(*opponent).map(called),
        kind: words.kind.clone(),
        variant: words.variant.clone(),
        began: words.began.clone(),
        role: words.role.clone(),
        result: words.result.clone(),
        ending: words.ending.clone(),
        cube: words.cube,
        games: *games,
        half_points: *half_points,
    }
}

/// Every text that names the player, or is about them. Somebody else may be called so too: what only staff
/// may read is handed to the player themselves if it is about them for sure.
fn texts(
    connection: &mut AnyConnection,
    row: &players::PlayerRow,
    daybook: &Daybook,
    sees_all: bool,
) -> Result<Vec<PersonalText>, Refused> {
    let mut said = said(connection, &erasure_of(row, &[]), daybook)?;
    let is_for_staff = |said: &Mention| said.of == Daybook::KIND || said.of == "player";
    said.retain(|said| sees_all || said.about || !is_for_staff(said));
    let text = |said: Mention| PersonalText {
        of: said.of,
        stream: said.stream,
        version: said.version,
        text: said.text,
    };
    Ok(said.into_iter().map(text).collect())
}

fn acts(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<PersonalAct>, Refused> {
    let Some(account) = accounts::of_player(connection, player)? else { return Ok(Vec::new()) };
    let written = persons::authored_entries(connection, account.id)?;
    let act = |written: persons::AuthoredEntry| PersonalAct {
        at: written.at,
        of: written.of,
        stream: written.stream,
        version: written.version,
        act: written.act,
        event: written.kind,
    };
    Ok(written.into_iter().map(act).collect())
}

fn read_by(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<PersonalReading>, Refused> {
    let readings = readings_of(connection, player, None, i64::MAX)?;
    let reading = |reading: super::readings::Reading| PersonalReading {
        at: reading.at,
        by: reading.name,
        what: reading.what,
    };
    Ok(readings.into_iter().map(reading).collect())
}
