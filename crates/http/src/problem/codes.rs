//! The meaning of every code for clients, and its HTTP status. The page `/docs/problems`, which a problem's
//! `type` points to, and the page `docs/codes.md` are made from this, in the order of [`Code`].

use owlbox_base::code::Code;
use strum::VariantArray as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Request,
    Asker,
    Table,
    /// The board of a refereed game.
    Board,
    People,
    Passwords,
    Club,
    Match,
    /// Only the pages' forms: the API never answers with these.
    Forms,
    Tournaments,
    /// What the treasurer records.
    Daybook,
}

impl Subject {
    /// The heading above its codes.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Request => "The request",
            Self::Asker => "The caller",
            Self::Table => "The table",
            Self::Board => "The board of a refereed game",
            Self::People => "Players and accounts",
            Self::Passwords => "Passwords and links",
            Self::Club => "The club",
            Self::Match => "A match",
            Self::Forms => "Only in the pages' forms",
            Self::Tournaments => "Tournaments",
            Self::Daybook => "The daybook and the closing of months",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    pub code: Code,
    pub subject: Subject,
    /// The HTTP status of its answers.
    pub status: u16,
    /// English, with words of the API in backquotes.
    pub text: &'static str,
}

/// A piece of a meaning: plain words or code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeaningPart {
    pub text: &'static str,
    /// Whether it was in backquotes.
    pub is_code: bool,
}

impl Meaning {
    #[must_use]
    pub const fn new(code: Code) -> Self {
        let (subject, status, text) = explained(code);
        Self { code, subject, status, text }
    }

    /// Splits the text at its backquotes.
    pub fn parts(&self) -> impl Iterator<Item = MeaningPart> {
        let pieces = self.text.split('`').zip([false, true].into_iter().cycle());
        pieces.map(|(text, is_code)| MeaningPart { text, is_code })
    }
}

pub fn all() -> impl Iterator<Item = Meaning> {
    Code::VARIANTS.iter().map(|code| Meaning::new(*code))
}

#[derive(Clone, Debug)]
pub struct Section {
    pub title: &'static str,
    pub codes: Vec<Meaning>,
}

/// Every code's meaning, by subject.
#[must_use]
pub fn sections() -> Vec<Section> {
    let all: Vec<Meaning> = all().collect();
    let sections = all.chunk_by(|one, next| one.subject == next.subject);
    let section =
        |codes: &[Meaning]| Some(Section { title: codes.first()?.subject.title(), codes: codes.to_vec() });
    sections.filter_map(section).collect()
}

#[rustfmt::skip]
const fn explained(code: Code) -> (Subject, u16, &'static str) {
    use Subject::{Asker, Board, Club, Daybook, Forms, Match, Passwords, People, Request, Table, Tournaments};
    match code {
        Code::MalformedJson => (Request, 400, "The body is not JSON."),
        Code::MalformedBody => (Request, 400, "The body did not arrive in full."),
        Code::InvalidBody => (Request, 400, "The body is JSON, but fields are missing, unknown or have invalid values; `errors` lists them."),
        Code::InvalidQuery => (Request, 400, "Query parameters are missing, unknown or have invalid values; `errors` lists them."),
        Code::InvalidIfMatch => (Request, 400, "`If-Match` is not an `ETag` that the service gives."),
        Code::InvalidIdempotencyKey => (Request, 400, "`Idempotency-Key` is empty, longer than 128 characters, or not ASCII."),
        Code::InvalidLastEventId => (Request, 400, "`Last-Event-ID` is not the id of an event in a live stream."),
        Code::NotFound => (Request, 404, "It does not exist, or the caller may not see it. If an id is none, `field` names it."),
        Code::MethodNotAllowed => (Request, 405, "The path does not take this method; `allowed` and the header `Allow` list the methods that it takes."),
        Code::BodyTooSlow => (Request, 408, "The body did not arrive in time: it has ten seconds, plus one second for every KiB, and never more than a minute. The connection is closed."),
        Code::EventGone => (Request, 410, "The event that `Last-Event-ID` or `after` names is not in the order of the club's events any more. More than 200,000 steps have followed it, or the club's database was restored since. Connect without it, and read again what you show."),
        Code::StaleVersion => (Request, 412, "The stream has moved on since the version in `If-Match`; `allowed` is the current version."),
        Code::BodyTooLarge => (Request, 413, "The body is larger than `http.body_limit`, or than 8 KiB on a route that needs no sign-in; `allowed` is the limit."),
        Code::NotJson => (Request, 415, "The content type of the body is not `application/json`."),
        Code::PackedBody => (Request, 415, "The body has a `Content-Encoding`. Send it uncompressed."),
        Code::IdempotencyKeyReused => (Request, 422, "The caller has used this `Idempotency-Key` for another request."),
        Code::OutsideCalendar => (Request, 422, "The day or time is outside 1900-01-01 to 2200-12-31. In an address this is `not_found`, in a query `invalid_query`."),
        Code::LimitReached => (Request, 422, "A limit of the configuration is reached; `field` is its key, `allowed` its value."),
        Code::ActsTooOften => (Request, 429, "The player has done too much within a minute: undone or redone their own acts, adjourned and resumed, set or paused the clock, contested, or entered games. `Retry-After` says when to try again."),
        Code::OwnActsUsedUp => (Request, 422, "The player has used up their share of the stream; `allowed` is the share, in events. Waiting does not help: somebody who runs the game or the tournament has to go on from here."),
        Code::TooManyAttempts => (Request, 429, "There were too many failed attempts to sign in, or somebody asked for a login, a new password or a reminder too often; `Retry-After` says when to try again."),
        Code::InternalError => (Request, 500, "The service failed; its log says how, under the answer's `X-Request-Id`. It is safe to repeat the request with the same `Idempotency-Key`."),
        Code::NoSuchClub => (Request, 404, "The service has many clubs, and none is reached at this host, or below this path."),
        Code::MailOff => (Request, 422, "The service sends no mail: its configuration has no `mail.url`."),
        Code::MailBusy => (Request, 503, "Too many mails wait to be sent, or the club has sent its share of the day. Try again after `Retry-After`."),
        Code::StorageFull => (Request, 507, "The database has no room left to write. Nothing of the request was kept, and requests that only read still work. Repeat it with the same `Idempotency-Key`: it is done once there is room again."),
        Code::Busy => (Request, 503, "Too many requests are waiting, too many connections or live streams are open, or the requests' bodies take up too much memory. Try again after `Retry-After`."),

        Code::NotSignedIn => (Asker, 401, "The request has no token."),
        Code::InvalidToken => (Asker, 401, "The token is not valid, or no longer: the account or the session has ended."),
        Code::ExpiredToken => (Asker, 401, "The access token has expired: refresh it."),
        Code::WrongLoginOrPassword => (Asker, 401, "The login and the password do not match."),
        Code::Forbidden => (Asker, 403, "The caller's roles do not allow this; `allowed` lists the roles that do."),
        Code::NotYours => (Asker, 403, "Players can only act for themselves."),
        Code::OwnMatch => (Asker, 403, "Nobody may judge their own friendly match or money session, whatever their roles. That is to rule on a contest, correct while something is contested, give penalties, decide how it ended, or undo such an act by somebody else. It takes somebody with a role in `allowed` who does not play in it."),
        Code::OutsideTokenScopes => (Asker, 403, "The login may do this, but the scopes of the API token leave it out. `allowed` lists the scopes of which any would do. It is empty if no token with scopes may do it."),
        Code::NeedsSession => (Asker, 422, "This is only for somebody who signed in with a password; an API token is not enough."),

        Code::AlreadyOpen => (Table, 422, "The table is open already."),
        Code::NotOpen => (Table, 422, "The table is not open yet."),
        Code::Closed => (Table, 422, "The table is closed: its night is over."),
        Code::BadName => (Table, 422, "A table's name has 1 to 80 visible characters and no line breaks."),
        Code::GameInProgress => (Table, 422, "A game is in progress. For `leave`, `allowed` lists who may leave now."),
        Code::NoGame => (Table, 422, "No game is in progress."),
        Code::OrderAlreadySet => (Table, 422, "The order has been settled already."),
        Code::NoOrder => (Table, 422, "The order is not settled yet: roll for it first."),
        Code::OddStake => (Table, 422, "If half points are settled, the stake must be an even number of minor units."),
        Code::StakesTooHigh => (Table, 422, "With these stakes and this cap on the cube, one game could come to more than 10^15 minor units for a player. `allowed` is the most that `field` may be, or for `rules` the highest stake that they would allow."),
        Code::NotInRules => (Table, 422, "The house rules do not allow this; `detail` names the setting."),
        Code::Refereed => (Table, 422, "The engine referees this game and finds this out by itself: use the game's `board`."),
        Code::NotRefereed => (Table, 422, "The game has no board."),
        Code::UnknownPlayer => (Table, 422, "The player has never sat at this table. For an account or a name: the club has no such player."),
        Code::NotHere => (Table, 422, "The player has left the table."),
        Code::AlreadyHere => (Table, 422, "The player is at the table already."),
        Code::TableFull => (Table, 422, "Every seat is taken; `allowed` is the number of seats."),
        Code::NotInGame => (Table, 422, "The player is not in this game, or has dropped; `allowed` lists the players who are in it."),
        Code::TooFewPlayers => (Table, 422, "There are too few players; `allowed` is the number needed."),
        Code::OnBreak => (Table, 422, "The player is on a break already."),
        Code::NotOnBreak => (Table, 422, "The player is not on a break; `allowed` lists the players who are."),
        Code::SplitDue => (Table, 422, "There are more players than may play at one table, so it must be split; `allowed` lists the players who would leave."),
        Code::NightTooLong => (Table, 422, "The table's log is nearly as long as `limits.stream_length` allows, so no new game can begin. Play the current game to its end; then close the table or merge it into another."),
        Code::BadSplit => (Table, 422, "These players cannot split off. At least three must leave, all of them present, and enough for a game must stay."),
        Code::SameTable => (Table, 422, "A table cannot be merged into itself."),
        Code::OtherTableMovedOn => (Table, 422, "The act belongs to another table too, and is undone or redone at both or at neither. `allowed` has that `table`, its `name` and the `acts` there that come first, newest first; there are none if the act opened a table whose games are in the books."),
        Code::PartnerDue => (Table, 422, "The house rules require the box to have a partner before the game."),
        Code::NoPartnership => (Table, 422, "Nobody is due to become a partner now."),
        Code::NotOffered => (Table, 422, "The partnership is not offered to this player; `allowed` is the player it is offered to."),
        Code::CannotDecline => (Table, 422, "This player cannot decline the box; `allowed` is the player who can."),
        Code::ProxyNeeded => (Table, 422, "Somebody must decide for the player who leaves; `allowed` lists who could."),
        Code::BadProxy => (Table, 422, "The proxy cannot decide for this player; `allowed` lists who could."),
        Code::MustSettle => (Table, 422, "The player's bets must be settled first; `allowed` lists the opponents in them."),
        Code::CannotMerge => (Table, 422, "Two players who have played in the same game cannot be one person."),
        Code::WrongLine => (Table, 422, "The line must name everybody present exactly once; `allowed` lists them."),
        Code::BadStake => (Table, 422, "A player's stake is 1 to 1,000 times the table's."),
        Code::BadStart => (Table, 422, "A cube starts at 1, 2 or 4, and never above the cap."),
        Code::BoxHasNoCube => (Table, 422, "The box has no cube of its own. It agrees to the values at which the members' cubes start."),
        Code::WrongRollers => (Table, 422, "Exactly the players who have to roll must roll, once each; `allowed` lists them."),
        Code::BadChoice => (Table, 422, "`against` is empty or names somebody twice; `allowed` lists the players it can name."),
        Code::NoSuchOpponent => (Table, 422, "The two have no running bet against each other; `allowed` lists the opponents who could be named."),
        Code::TooLate => (Table, 422, "The opening roll is over."),
        Code::AutomaticCompulsory => (Table, 422, "This automatic double is compulsory."),
        Code::MustAnswer => (Table, 422, "Another answer is due first; `allowed` is the player who has to give it."),
        Code::NotAsked => (Table, 422, "It is not this player's turn to give an extra; `allowed` is the player whose turn it is."),
        Code::NotYourAnswer => (Table, 422, "Somebody else answers first; `allowed` says who."),
        Code::OnlyCaptain => (Table, 422, "There is a single cube, or the player's cube follows the captain's; `allowed` is the captain."),
        Code::NotOnTurn => (Table, 422, "The other side is on roll, and its double is waiting for an answer; `allowed` lists who may double."),
        Code::OfferPending => (Table, 422, "A double is waiting for an answer; `allowed` lists who can still be doubled or, for `finish`, who has to answer."),
        Code::NotYourCube => (Table, 422, "The other side owns the cube; `allowed` lists who can be doubled."),
        Code::CubeAtLimit => (Table, 422, "The cube cannot go any higher; `allowed` is the limit."),
        Code::CubeTooLow => (Table, 422, "A corrected cube cannot be lower than where it started or, if it was turned, than twice that; `allowed` is the lowest value."),
        Code::LateDouble => (Table, 422, "The box has answered in this turn, so nobody can double before the next roll."),
        Code::NoOffer => (Table, 422, "No double is waiting for an answer from this player."),
        Code::NoBeaver => (Table, 422, "The house rules do not allow an immediate redouble, or not another one."),
        Code::Restraint => (Table, 422, "The house rules do not let the box treat the cubes this way; `allowed` is the rule."),
        Code::MustDrop => (Table, 422, "All the others have dropped: the last player must drop too."),
        Code::MustBeaverOrDrop => (Table, 422, "All the others have dropped: the last player must beaver or drop."),
        Code::NothingToPlayOn => (Table, 422, "Nobody has doubled in this turn."),
        Code::WholePointsOnly => (Table, 422, "Only whole points are settled at this table."),
        Code::BadAmount => (Table, 422, "The amount is not possible: a settlement is zero or more, a payment more than zero. `allowed` is the highest amount, if there is one."),
        Code::CountsFor => (Table, 422, "The winner between box and captain must be given if the two settle, and only then."),
        Code::NoSuchGame => (Table, 422, "No finished game has this number; `allowed` is the number of finished games."),
        Code::NoSuchBet => (Table, 422, "The game had no such bet, or the bet is named twice; `allowed` lists the bets it had."),
        Code::WinNeeded => (Table, 422, "A bet that is now played to the end needs the winner and the kind of win."),
        Code::NoPreview => (Table, 422, "A draw cannot be previewed, nor an act that would show the secret answers of others before all have answered."),
        Code::PlayerAtAnotherTable => (Table, 422, "The player sits at another table; `allowed` says which."),
        Code::GamesInProgress => (Table, 422, "Games of the night are still in progress, at the tables in `allowed`. The night can be settled up when they are over."),
        Code::NothingOwed => (Table, 422, "Nobody owes anybody anything."),
        Code::SheetChanged => (Table, 422, "The debts have changed since the payments were worked out; `allowed` lists the payments now."),
        Code::Unbalanced => (Table, 422, "The amounts do not add up to zero, or would split a minor unit."),
        Code::InvalidTransfer => (Table, 422, "A tournament's transfer has no amount, or goes the wrong way."),
        Code::BeyondBooks => (Table, 422, "An account would hold more than the books can. It takes thousands of payments of the highest amount."),
        Code::CurrencyNotInUse => (Table, 422, "The club does not use this currency; `allowed` lists the currencies it uses."),
        Code::RulesSaidTwice => (Table, 422, "The request has both `rules` and `house_rules`. Give the rules themselves, or name a set."),
        Code::NothingToUndo => (Table, 422, "There is nothing to undo or redo."),
        Code::NotTheLastAct => (Table, 422, "This is not the act that would be undone or redone now; `allowed` names the one that would."),
        Code::FewerActsToUndo => (Table, 422, "There are fewer acts to undo or redo than `acts` says; `allowed` is how many there are."),

        Code::GameOver => (Board, 422, "The game is over."),
        Code::AlreadyOpened => (Board, 422, "The opening roll has been made."),
        Code::NotOpened => (Board, 422, "The opening roll comes first."),
        Code::ResignationPending => (Board, 422, "A resignation is waiting for an answer."),
        Code::NoResignation => (Board, 422, "There is no resignation to answer."),
        Code::NotYourTurn => (Board, 422, "It is the other side's turn."),
        Code::AlreadyRolled => (Board, 422, "The dice have been rolled."),
        Code::NotRolled => (Board, 422, "The dice have not been rolled yet."),
        Code::PlayUnanswered => (Board, 422, "The last play was not legal, and must be accepted or sent back first."),
        Code::NoPlayToAnswer => (Board, 422, "There is no play to accept or send back."),
        Code::ClosedOut => (Board, 422, "A side that is closed out does not roll."),
        Code::CockedTooOften => (Board, 422, "Dice were cocked a hundred times in this game: enter a roll instead."),
        Code::NothingToPlay => (Board, 422, "No number can be played, so the turn has to be passed."),
        Code::PlayPossible => (Board, 422, "A number can be played, so the turn cannot be passed."),
        Code::NoCube => (Board, 422, "The game on the board has no cube. At a chouette, double at the table."),
        Code::CrawfordGame => (Board, 422, "The Crawford game has no cube."),
        Code::NoBeavers => (Board, 422, "No further redouble is allowed in this game."),
        Code::IllegalPlay => (Board, 422, "The play is not legal; `detail` says why."),
        Code::ImpossibleBoard => (Board, 422, "No play leads to that board."),
        Code::BoardIsLegal => (Board, 422, "A legal play leads to that board: enter it as that play."),
        Code::NoSuchWin => (Board, 422, "This variant has no such win: in Plakoto and Fevga nobody wins a backgammon. At a table or in a match, `allowed` lists the possible wins."),

        Code::HouseRulesTaken => (People, 422, "The club already has house rules of this name, and they are not the ones the form started from."),
        Code::HouseRulesChanged => (People, 422, "Somebody else has changed these house rules since the form was opened."),
        Code::NameTaken => (People, 422, "Another player has this name or nickname, however it is spelled; `field` is the one of the two that was refused."),
        Code::AlreadyAMember => (People, 422, "A member cannot become a guest again."),
        Code::PlayerAtTable => (People, 422, "The player sits at a table, given in `allowed`, and cannot be deactivated there."),
        Code::PlayerInactive => (People, 422, "The player is not active."),
        Code::PlayerErased => (People, 422, "The person behind the player was erased, for good."),
        Code::MoneyOpen => (People, 422, "The player still owes money or is owed some. It is settled, or adjusted with a reason, before the person is erased."),
        Code::PlayerExists => (People, 422, "There is already a player with this id."),
        Code::PlayerHasAccount => (People, 422, "The player has an account already."),
        Code::PlayerHasHistory => (People, 422, "The player has a seat, an entry, a match or a line in the books. Players with such a history cannot be removed or merged."),
        Code::UnknownAccount => (People, 422, "There is no such account."),
        Code::AccountExists => (People, 422, "There is already an account with this id."),
        Code::AccountInactive => (People, 422, "The account is not active."),
        Code::LoginTaken => (People, 422, "Somebody else has this login."),
        Code::SelfRegistrationOff => (People, 422, "Logins at this club are by invitation from an admin; nobody can request one."),
        Code::RegistrationsFull => (People, 422, "As many requests as allowed are waiting for an admin already; `allowed` is how many."),
        Code::NoRoles => (People, 422, "An account needs at least one role."),
        Code::LastAdmin => (People, 422, "The club's last active admin must stay an admin."),
        Code::NothingChanges => (People, 422, "This would change nothing."),
        Code::TooManyPlayers => (People, 422, "The club cannot have any more players."),
        Code::TooManyAccounts => (People, 422, "The club cannot have any more accounts."),
        Code::TooManyApiTokens => (People, 422, "The account cannot have any more API tokens: revoke one first."),
        Code::InvalidName => (People, 422, "This is not a valid name; `detail` says what a valid one is."),
        Code::ExpiresInThePast => (People, 422, "The time of expiry is in the past."),

        Code::PasswordTooShort => (Passwords, 422, "A password must have at least 10 characters."),
        Code::PasswordTooLong => (Passwords, 422, "A password can have at most 200 characters."),
        Code::PasswordIsLogin => (Passwords, 422, "The password is the same as the login."),
        Code::PasswordTooCommon => (Passwords, 422, "The password is one of the most common ones."),
        Code::LinkUsed => (Passwords, 422, "The link has been used, or replaced by a newer one."),
        Code::LinkExpired => (Passwords, 422, "The link has expired."),
        Code::LoginRequired => (Passwords, 422, "Claiming an invitation requires choosing a login."),
        Code::LoginNotAsked => (Passwords, 422, "A new password does not change the login: send none."),
        Code::AlreadyClaimed => (Passwords, 422, "The account has a login already: make a link for a new password instead."),
        Code::NotClaimed => (Passwords, 422, "The account has no login yet: make an invitation instead."),
        Code::NoMailAddress => (Passwords, 422, "The player has no login, or their login has no mail address."),

        Code::WrongSetUpCode => (Club, 422, "This is not the code shown on the console."),
        Code::AlreadySetUp => (Club, 422, "The club has an admin already."),
        Code::ClubNotOpen => (Club, 422, "The club has not been set up yet."),
        Code::ClubAlreadyOpen => (Club, 422, "The club has been set up already."),
        Code::ContradictoryRules => (Club, 422, "Two settings of the house rules contradict each other; `allowed` names both, `field` the first."),
        Code::ContradictoryTerms => (Club, 422, "Two terms of a match or a money session contradict each other; `allowed` names both."),
        Code::UnknownHouseRules => (Club, 422, "There are no house rules with this name; `allowed` lists those that exist."),
        Code::NameReserved => (Club, 422, "The name belongs to built-in house rules, or to the API."),
        Code::TooManyHouseRules => (Club, 422, "The club cannot have any more sets of house rules; `allowed` is how many it can have."),

        Code::MatchAlreadyOpen => (Match, 422, "The sheet is open already."),
        Code::MatchNotOpen => (Match, 422, "The sheet is not open yet."),
        Code::NotContestable => (Match, 422, "A side can contest only what the other side entered in a friendly match or a money session, and only until a scorer has ruled."),
        Code::Contested => (Match, 422, "A game of the session is contested, so nothing can be paid until a scorer has ruled or the contest is withdrawn; `allowed` lists the commands."),
        Code::NotContested => (Match, 422, "This is not contested, so there is nothing to rule on or to withdraw."),
        Code::NotOfTournament => (Match, 422, "The match is not part of a tournament, so nobody can withdraw from one with a ruling."),
        Code::MatchOver => (Match, 422, "The match is over."),
        Code::MatchDetached => (Match, 422, "Other players play this match of the tournament now: a result was corrected, entries were exchanged, or the division was drawn again; or nobody does, because the tournament was cancelled. The sheet does not change."),
        Code::SessionClosed => (Match, 422, "The money session is closed."),
        Code::NotInMoney => (Match, 422, "This is for matches, not for money sessions: penalties, final scores, concessions, rulings and clocks."),
        Code::NotInMatch => (Match, 422, "This is for money sessions, not for matches: a match is not closed, and only one with a stake is paid."),
        Code::MatchAdjourned => (Match, 422, "The match is adjourned and must be resumed first."),
        Code::NotAdjourned => (Match, 422, "The match is not adjourned."),
        Code::DiceNeeded => (Match, 422, "In this game the dice that were rolled are entered: send the `dice`."),
        Code::DiceDrawn => (Match, 422, "In this game the service rolls: send no `dice`."),
        Code::TooManyActions => (Match, 422, "The game on the board is as long as a game may be; `allowed` is the most actions. Abandon the board and enter the result."),
        Code::MatchTooLong => (Match, 422, "The sheet's log is nearly as long as `limits.stream_length` allows, so no new refereed game can begin. Enter results, or the final score."),
        Code::ActElsewhereToo => (Match, 422, "The act belongs to a match and to its tournament, and is undone or redone at both or at neither. `allowed` has the other `stream`, its `kind` and the `acts` there that come first. The result can still be changed with `correct`."),
        Code::ResultInBracket => (Match, 422, "The result is fixed in the tournament's bracket, or other players are in the match now: correct it there."),
        Code::SamePlayer => (Match, 422, "The two players of a match cannot be the same person."),
        Code::BadClock => (Match, 422, "A clock has at most 3,600 seconds per point and 600 per move."),
        Code::TooManyGames => (Match, 422, "The sheet cannot have any more games; `allowed` is the most it can have."),
        Code::DropIsSingle => (Match, 422, "A dropped game counts as a single win."),
        Code::CannotBeTurned => (Match, 422, "A cube that was turned is at 2 or higher; one that was not is where automatic doubles left it."),
        Code::BadPenalty => (Match, 422, "A penalty is 1 to 255 points."),
        Code::BadScore => (Match, 422, "In a final score exactly one side has as many points as the match's length, and the other has fewer. `allowed` is the length; on a sheet it has the `length` and, in `at_least`, the points each side has already."),
        Code::BadRuling => (Match, 422, "A ruling names a winner, or nobody if neither player came, with a score that fits. Outcomes that the bracket finds by itself cannot be ruled."),
        Code::DecidedByScore => (Match, 422, "The score decides the match: correct a game instead."),
        Code::Holland => (Match, 422, "After the Crawford game the trailing side may double only from its third turn on (the Holland rule)."),
        Code::GameRulesChange => (Match, 422, "This would change the rules of the game on the board. Finish that game first, or abandon the board."),
        Code::LaterGame => (Match, 422, "A later `game` would no longer be possible: the match would be `over` before it, or it would be the Crawford game but have a cube. `allowed` has both."),
        Code::AlreadyScored => (Match, 422, "The sheet is not empty: a file can only be imported onto an empty one."),
        Code::FileTooLong => (Match, 422, "The match text is too long; `allowed` is the most bytes it may have."),
        Code::BadFile => (Match, 422, "The file is not text, or its text is not match text or breaks the rules. `allowed` has the `place` (a line and column, or a game) and the `detail`. For a file that is not text, `file` says what it is, such as `extreme_gammon`, `archive` or `pdf`."),
        Code::OtherLength => (Match, 422, "The file holds a match of another length; `allowed` has the length `found`, where 0 is a money session."),
        Code::OtherVariant => (Match, 422, "The file holds another variant than the terms say; `allowed` has the one `found`."),
        Code::NotFromStart => (Match, 422, "The file does not begin at 0-0, or has no games."),
        Code::PlaysNotKnown => (Match, 422, "The sheet does not have the plays of this `game`, and match text needs them: only its result was entered, with the cube turned, or there is no such game."),
        Code::Unwritable => (Match, 422, "Match text cannot express this; `allowed` has the `detail`."),
        Code::NoClock => (Match, 422, "There is no clock in this match."),
        Code::ClockRuns => (Match, 422, "The clock is running already."),
        Code::ClockStands => (Match, 422, "The clock is not running: start it first."),
        Code::NotYourClock => (Match, 422, "The other side's time is running; `allowed` is that side."),

        Code::MalformedForm => (Forms, 400, "The form cannot be read."),
        Code::Csrf => (Forms, 403, "The form was not sent from a page of this session."),
        Code::InvalidLogin => (Forms, 422, "This is not a valid login."),
        Code::ChangedMeanwhile => (Forms, 412, "Somebody else has changed what the form is about since it was opened."),
        Code::AmbiguousName => (Forms, 422, "The name is not exactly one player's: several have it as name or nickname, or it is only nearly somebody's. `allowed` has who may be meant."),
        Code::InvalidTimeZone => (Forms, 422, "This is not a time zone of the IANA database."),
        Code::InvalidCurrency => (Forms, 422, "This is not a list of currencies."),
        Code::InvalidCountry => (Forms, 422, "This is not a country's code of two letters."),
        Code::AmbiguousAmount => (Forms, 422, "This amount can be read in two ways: write it without a thousands separator."),
        Code::AmbiguousDay => (Forms, 422, "This day can be read in two ways: write it as `2025-11-30`."),
        Code::InvalidDay => (Forms, 422, "This is not a day like `2025-11-30`, or not a day and a time like `2025-11-30 18:30`."),
        Code::InvalidStake => (Forms, 422, "This is not a stake."),
        Code::InvalidExposureLimit => (Forms, 422, "This is not a limit of exposure."),
        Code::InvalidHighestCube => (Forms, 422, "This is not a highest cube: it must be a power of two, at least 2."),
        Code::InvalidValue => (Forms, 422, "Another field has an invalid value."),

        Code::TournamentNotOpen => (Tournaments, 422, "The tournament is not open yet."),
        Code::TournamentAlreadyOpen => (Tournaments, 422, "The tournament is open already."),
        Code::TournamentClosed => (Tournaments, 422, "The tournament is closed. Only corrections, payments and awards are still possible."),
        Code::TournamentCancelled => (Tournaments, 422, "The tournament was cancelled. Only payments and changes to its details are still possible."),
        Code::TournamentNotClosed => (Tournaments, 422, "The tournament is not closed."),
        Code::StillPlayed => (Tournaments, 422, "Some matches have no result yet; `allowed` is one of them."),
        Code::NoSuchDivision => (Tournaments, 422, "There is no such division."),
        Code::TooMany => (Tournaments, 422, "There cannot be any more of these; `allowed` is the most."),
        Code::DivisionFlawed => (Tournaments, 422, "No division can be played with these settings; `allowed` says what is wrong."),
        Code::AlreadyDrawn => (Tournaments, 422, "The division is drawn already, or has entries, so its format and side pools can no longer change."),
        Code::NotDrawn => (Tournaments, 422, "The division is not drawn yet."),
        Code::DebtChanged => (Tournaments, 422, "The player owes the tournament, or is owed, another amount than you saw; look again before any money changes hands."),
        Code::BadList => (Tournaments, 422, "The list is empty, too long, or names something twice."),
        Code::NoSuchEntry => (Tournaments, 422, "There is no such entry; `allowed` is the number that was given."),
        Code::AlreadyEntered => (Tournaments, 422, "The player has entered already; a player who is out enters again with `re_enter`."),
        Code::PlayerNotEntered => (Tournaments, 422, "The player has not entered any division of the tournament."),
        Code::EntryOut => (Tournaments, 422, "The entry is out of the tournament."),
        Code::EntryIn => (Tournaments, 422, "The entry has not left the tournament."),
        Code::StillIn => (Tournaments, 422, "The entry still has matches to play: in the main flight or, for a last chance, anywhere."),
        Code::NoReEntry => (Tournaments, 422, "The player may not re-enter: they have done so as often as the division allows, were disqualified, or left before they had a slot and should be reinstated."),
        Code::NoSuchSidePool => (Tournaments, 422, "There is no such side pool."),
        Code::TooFewEntries => (Tournaments, 422, "A draw needs at least two entries."),
        Code::BadDraw => (Tournaments, 422, "The slots are not a first round: 2, 4, 8 ... of them, every entry once, and no two byes together. `allowed` is the entry that is there twice or missing."),
        Code::DrawNeedsReason => (Tournaments, 422, "The division is drawn already. Drawing it again needs a `reason`, which the log keeps."),
        Code::MatchBegan => (Tournaments, 422, "A match has begun, so nothing can be drawn or exchanged there; `allowed` is the match."),
        Code::LaterMatchesPlayed => (Tournaments, 422, "This would affect later matches that have been played or have begun; `allowed` lists them. `correct` can change them."),
        Code::SlotTaken => (Tournaments, 422, "The slot is not free."),
        Code::NotWaiting => (Tournaments, 422, "The entry is not waiting for a slot."),
        Code::KeepingNeedsReason => (Tournaments, 422, "Keeping the fees of an entry that never had a slot needs a reason."),
        Code::NoSuchMatch => (Tournaments, 422, "There is no such match."),
        Code::MatchNotReady => (Tournaments, 422, "The match does not have its two players yet."),
        Code::MatchHasResult => (Tournaments, 422, "The match has a result already; `correct` changes it."),
        Code::MatchHasNoResult => (Tournaments, 422, "There is no result to correct, or this is the result already."),
        Code::NotThisMatch => (Tournaments, 422, "The entry does not play in that match."),
        Code::OthersSit => (Tournaments, 422, "The match is between other entries now than the command says; `allowed` has them."),
        Code::CardNoGood => (Tournaments, 404, "The link on a player's card is not valid, or no longer; a director can print another."),
        Code::ReportsTooOften => (Tournaments, 429, "A player has reported results too often, more than six times within a minute; `Retry-After` says when to try again."),
        Code::NoSuchTable => (Tournaments, 422, "There is no such table, or a match is called to a table that would be removed."),
        Code::TableClosed => (Tournaments, 422, "The table is closed."),
        Code::NoFreeTable => (Tournaments, 422, "No table is free."),
        Code::NobodyWaits => (Tournaments, 422, "No match with both its players free is waiting for a table."),
        Code::PlaysElsewhere => (Tournaments, 422, "One of the players is called to another match or is playing one; `allowed` is that match."),
        Code::AlreadyCalled => (Tournaments, 422, "The match has already been called to that table."),
        Code::NotCalled => (Tournaments, 422, "The match has not been called."),
        Code::AlreadyBegan => (Tournaments, 422, "The match has begun already."),
        Code::NotPostponed => (Tournaments, 422, "The match was not postponed."),
        Code::MatchHasSheet => (Tournaments, 422, "The match is already being scored on a sheet."),
        Code::NoMoney => (Tournaments, 422, "The tournament has no currency and so no money, or cannot change its currency because money has been charged in it."),
        Code::NotThePool => (Tournaments, 422, "The awards do not add up to the pools, or go to somebody who has not entered; `allowed` is the amount to give."),

        Code::BadParties => (Daybook, 422, "There can be no such record between these accounts: there is no such account, the two are the same, or a player is named twice."),
        Code::ReasonNeeded => (Daybook, 422, "An adjustment, an expense or an income needs a memo that says what it was for."),
        Code::NoSuchRecord => (Daybook, 422, "The daybook has no record of this number; `allowed` is the number of the last."),
        Code::NotPosted => (Daybook, 422, "The record is not in the books: it was taken back already, declined, or is waiting for approval."),
        Code::NotProposed => (Daybook, 422, "Nothing about the record is waiting for approval."),
        Code::SecondPerson => (Daybook, 422, "It is waiting for approval, and the person who proposed it cannot approve it: somebody else who keeps the books must."),
        Code::MonthClosed => (Daybook, 422, "The books are closed up to the month in `allowed`: a later one can be closed, and past games are booked for a later day."),
        Code::MonthOpen => (Daybook, 422, "The month is not closed."),
        Code::MonthNotOver => (Daybook, 422, "The month is not over yet on the club's clock."),
        Code::InTheFuture => (Daybook, 422, "The day is later than today on the club's clock."),
        Code::WrongLines => (Daybook, 422, "Lines of the table are wrong, and nothing was booked. `allowed` lists all of them, each with its `line`, `column`, what was `found`, a `code` and what is `allowed` there."),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    use actix_web::http::StatusCode;

    use super::*;

    const HEAD: &str = "\
# Codes

Every error of the API has a stable `code`: see [errors](api.md#errors). This page lists them all, with the
status of their answers. A running service shows the same at `/docs/problems`.

This page is printed from `crates/http/src/problem/codes.rs`, and a test compares the two. To renew it:
`OWLBOX_BLESS=1 cargo test -p owlbox-http problem::codes`.
";

    /// The page: every code, in a table for each subject.
    fn page() -> String {
        let mut text = HEAD.to_owned();
        for section in sections() {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n## {}\n\n| code | status | meaning |\n|---|---|---|\n", section.title);
            for Meaning { code, status, text: meaning, .. } in section.codes {
                let _ = writeln!(text, "| `{code}` | {status} | {meaning} |");
            }
        }
        text
    }

    #[test]
    fn a_bet_can_be_settled_for_nothing_and_nobody_is_told_otherwise() {
        assert!(Meaning::new(Code::BadAmount).text.contains("a settlement is zero or more"));
    }

    #[test]
    fn every_subject_is_one_section_and_every_status_one_of_http() {
        let sections = sections();
        let titles: BTreeSet<&str> = sections.iter().map(|section| section.title).collect();
        assert_eq!(titles.len(), sections.len(), "codes about one subject stand together");
        for Meaning { code, status, .. } in all() {
            let known = StatusCode::from_u16(status).is_ok_and(|status| status.canonical_reason().is_some());
            assert!(known && status >= 400, "{code}: {status}");
        }
    }

    #[test]
    fn the_printed_page_is_this_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/codes.md");
        if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(path, page()).unwrap();
        } else {
            let printed = std::fs::read_to_string(path).unwrap();
            assert_eq!(printed, page(), "run this test again with OWLBOX_BLESS=1");
        }
    }
}
