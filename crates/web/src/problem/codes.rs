//! The meaning of every code for clients, and its HTTP status. The page `/docs/problems`, which a problem's
//! `type` points to, and the table in `docs/api.md` are made from this, in the order of [`Code`].

use std::fmt::Write as _;

use owlbox_domain::code::Code;
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
}

impl Subject {
    /// The heading above its codes.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Request => "The request",
            Self::Asker => "Who asks",
            Self::Table => "The table",
            Self::Board => "The board of a refereed game",
            Self::People => "Players and accounts",
            Self::Passwords => "Passwords and links",
            Self::Club => "The club",
            Self::Match => "A match",
            Self::Forms => "Forms of the pages only",
            Self::Tournaments => "Tournaments",
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
pub struct Part {
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
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        let pieces = self.text.split('`').zip([false, true].into_iter().cycle());
        pieces.map(|(text, is_code)| Part { text, is_code })
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
    use Subject::{Asker, Board, Club, Forms, Match, Passwords, People, Request, Table, Tournaments};
    match code {
        Code::MalformedJson => (Request, 400, "The body is not JSON."),
        Code::MalformedBody => (Request, 400, "The body did not arrive whole."),
        Code::InvalidBody => (Request, 400, "The body is JSON, but a field is missing, unknown, or holds what it cannot; `detail` says where."),
        Code::InvalidQuery => (Request, 400, "A parameter of the address is unknown or holds what it cannot."),
        Code::InvalidIfMatch => (Request, 400, "`If-Match` is not the `ETag` of an answer."),
        Code::InvalidIdempotencyKey => (Request, 400, "`Idempotency-Key` is empty, longer than 128 characters, or not ASCII."),
        Code::InvalidLastEventId => (Request, 400, "`Last-Event-ID` is not the id of an event of a live stream."),
        Code::NotFound => (Request, 404, "There is no such thing, or none that the caller may see."),
        Code::MethodNotAllowed => (Request, 405, "What is there does not take this method; `allowed` and the header `Allow` list those that it takes."),
        Code::BodyTooSlow => (Request, 408, "The body did not come in time: it has ten seconds, a second more for every KiB, and a minute at most. The connection ends."),
        Code::StaleVersion => (Request, 412, "The stream has moved on since the version in `If-Match`; `allowed` is the version now."),
        Code::BodyTooLarge => (Request, 413, "The body is larger than `http.body_limit`, or than 8 KiB where no sign-in is needed; `allowed` is the limit."),
        Code::NotJson => (Request, 415, "The body's content type is not `application/json`."),
        Code::PackedBody => (Request, 415, "The body has a `Content-Encoding`: it is to be sent as it is."),
        Code::IdempotencyKeyReused => (Request, 422, "The caller used this `Idempotency-Key` for another request."),
        Code::OutsideCalendar => (Request, 422, "A day or a time that no club can mean: they are from 1900-01-01 to 2200-12-31. In an address it is `not_found`, in a query `invalid_query`."),
        Code::LimitReached => (Request, 422, "A limit of the configuration is reached; `field` names it, `allowed` is its value."),
        Code::ActsTooOften => (Request, 429, "Within a minute a player has too often taken back or put back his own acts, adjourned and gone on, stopped the clock, contested or entered games; `Retry-After` says when to try again."),
        Code::OwnActsUsedUp => (Request, 422, "One player's own acts have come to their share of the stream; `allowed` is how many that is. No waiting helps: whoever runs the game or the tournament goes on from here."),
        Code::TooManyAttempts => (Request, 429, "Too many failed sign-ins; `Retry-After` says when to try again."),
        Code::InternalError => (Request, 500, "The service failed; the log says how, under the answer's `X-Request-Id`. A repeat under the same `Idempotency-Key` is safe."),
        Code::Busy => (Request, 503, "Too much is waiting, too many connections or live streams are open, or too much of requests' bodies is held. Try again after `Retry-After`."),

        Code::NotSignedIn => (Asker, 401, "There is no token."),
        Code::InvalidToken => (Asker, 401, "The token is no good, or no longer: the account or the session has ended."),
        Code::ExpiredToken => (Asker, 401, "The access token has expired: refresh it."),
        Code::WrongLoginOrPassword => (Asker, 401, "Login and password do not belong together."),
        Code::Forbidden => (Asker, 403, "The caller's roles do not reach that far; `allowed` lists the roles that do."),
        Code::NotYours => (Asker, 403, "A player acts for himself only."),
        Code::OwnMatch => (Asker, 403, "Nobody judges a friendly match or a money session in which he plays - rules on what is contested, corrects while something is, gives penalties, says how it ended, takes such an act of somebody else back - whatever his roles: one of `allowed` who does not play does."),
        Code::NeedsSession => (Asker, 422, "This takes somebody who signed in with a password; an API token is not enough."),

        Code::AlreadyOpen => (Table, 422, "The table has been opened already."),
        Code::NotOpen => (Table, 422, "The table is not open yet."),
        Code::Closed => (Table, 422, "The night is closed."),
        Code::BadName => (Table, 422, "Not a name for a table: 1 to 80 visible characters, no line breaks."),
        Code::GameInProgress => (Table, 422, "A game is on. For `leave`, `allowed` lists who may go now."),
        Code::NoGame => (Table, 422, "No game is on."),
        Code::OrderAlreadySet => (Table, 422, "The order is settled already."),
        Code::NoOrder => (Table, 422, "The order is not settled yet: roll first."),
        Code::OddStake => (Table, 422, "Where half points are settled the stake must be even in minor units."),
        Code::StakesTooHigh => (Table, 422, "With these stakes and this cap of the cube one game could come to more than 10^15 minor units for a player; `allowed` is the most that `field` may be - of `rules`, the stake that they would allow."),
        Code::NotInRules => (Table, 422, "The house rules do not have this; `detail` names the setting."),
        Code::Refereed => (Table, 422, "The engine referees the game and finds this by itself: act on its `board`."),
        Code::NotRefereed => (Table, 422, "The game has no board."),
        Code::UnknownPlayer => (Table, 422, "The player has never sat at this table; where an account is made, the club has no such player."),
        Code::NotHere => (Table, 422, "The player has gone."),
        Code::AlreadyHere => (Table, 422, "The player sits here already."),
        Code::TableFull => (Table, 422, "Every seat is taken; `allowed` is how many there are."),
        Code::NotInGame => (Table, 422, "The player is not in this game, or has dropped; `allowed` lists who is."),
        Code::TooFewPlayers => (Table, 422, "There are too few players; `allowed` is how many it takes."),
        Code::OnBreak => (Table, 422, "The player is on a break."),
        Code::NotOnBreak => (Table, 422, "The player is not on a break; `allowed` lists who is."),
        Code::SplitDue => (Table, 422, "More have come than may play at one table: it has to be split; `allowed` lists who would leave."),
        Code::NightTooLong => (Table, 422, "The table has nearly as many events as `limits.stream_length` allows: no game begins any more. What is on can be played to its end; then close the table, or let it go over to another."),
        Code::BadSplit => (Table, 422, "These cannot leave: at least three do, who are there, and enough for a game stay."),
        Code::SameTable => (Table, 422, "A table cannot go over to itself."),
        Code::OtherTableMovedOn => (Table, 422, "The act is one of another table too, and is taken back, or put back, at both or not at all; `allowed` names that `table` with its `name`, and the `acts` there that come first, newest first: none if games of a table that the act opened are in the books."),
        Code::PartnerDue => (Table, 422, "The house rules want the box to have a partner before the game."),
        Code::NoPartnership => (Table, 422, "There is nobody to become partner now."),
        Code::NotOffered => (Table, 422, "The partnership is not offered to this player; `allowed` is to whom it is."),
        Code::CannotDecline => (Table, 422, "This player cannot decline the box; `allowed` is who can."),
        Code::ProxyNeeded => (Table, 422, "Somebody must decide for the one who goes; `allowed` lists who could."),
        Code::BadProxy => (Table, 422, "This player cannot decide for the other; `allowed` lists who could."),
        Code::MustSettle => (Table, 422, "The player's bets must be settled first; `allowed` lists with whom."),
        Code::CannotMerge => (Table, 422, "Two who have played in one game are two."),
        Code::WrongLine => (Table, 422, "The line must be everybody present, once each; `allowed` lists them."),
        Code::BadStake => (Table, 422, "A player's stake is 1 to 1,000 of the table's."),
        Code::BadStart => (Table, 422, "A cube starts at 1, 2 or 4, and not above the cap."),
        Code::BoxHasNoCube => (Table, 422, "The box has no cube of its own: it agrees to where members' cubes start."),
        Code::WrongRollers => (Table, 422, "Exactly those who have to roll must roll, once each; `allowed` lists them."),
        Code::BadChoice => (Table, 422, "`against` is empty or names somebody twice; `allowed` lists who could be named."),
        Code::NoSuchOpponent => (Table, 422, "There is no running bet between the two; `allowed` lists who could be named."),
        Code::TooLate => (Table, 422, "The opening roll is over."),
        Code::AutomaticCompulsory => (Table, 422, "This automatic double is nobody's choice."),
        Code::MustAnswer => (Table, 422, "Something else must be answered first, by whom `allowed` names."),
        Code::NotAsked => (Table, 422, "This player is not asked for an extra; `allowed` is who is."),
        Code::NotYourAnswer => (Table, 422, "Others answer first: `allowed` is who."),
        Code::OnlyCaptain => (Table, 422, "There is one cube, or the player's follows the captain's: `allowed` is the captain."),
        Code::NotOnTurn => (Table, 422, "A double of the other side waits for its answer; `allowed` lists who may double."),
        Code::OfferPending => (Table, 422, "A double waits for its answer; `allowed` lists who can still be doubled or, for `finish`, who has to answer."),
        Code::NotYourCube => (Table, 422, "The other side owns the cube; `allowed` lists who can be doubled."),
        Code::CubeAtLimit => (Table, 422, "The cube may go no higher; `allowed` is the limit."),
        Code::CubeTooLow => (Table, 422, "A corrected cube cannot have stood lower than it began, or, if it was turned, than twice that; `allowed` is the lowest."),
        Code::LateDouble => (Table, 422, "The box has answered in this turn: nobody doubles any more before the roll."),
        Code::NoOffer => (Table, 422, "No double waits for this player's answer."),
        Code::NoBeaver => (Table, 422, "The house rules allow no redouble at once, or no further one."),
        Code::Restraint => (Table, 422, "The house rules do not let the box treat the cubes so; `allowed` is the rule."),
        Code::MustDrop => (Table, 422, "All others have dropped: the last one must drop too."),
        Code::MustBeaverOrDrop => (Table, 422, "All others have dropped: the last one must beaver or drop."),
        Code::NothingToPlayOn => (Table, 422, "Nobody has doubled in this turn."),
        Code::WholePointsOnly => (Table, 422, "Only whole points are settled at this table."),
        Code::BadAmount => (Table, 422, "Not an amount to settle for, from nothing on, or to pay, which is above zero; `allowed` is the most, where there is one."),
        Code::CountsFor => (Table, 422, "Who counts as winner must be said exactly if box and captain settle."),
        Code::NoSuchGame => (Table, 422, "No game of this number has been finished; `allowed` is how many have."),
        Code::NoSuchBet => (Table, 422, "The game had no such bet, or it is named twice; `allowed` lists those it had."),
        Code::WinNeeded => (Table, 422, "A bet that is now played to its end needs the winner and the kind of win."),
        Code::NoPreview => (Table, 422, "What others have answered in secret is not shown before all have."),
        Code::PlayerAtAnotherTable => (Table, 422, "The player sits at another table, which `allowed` names."),
        Code::GamesInProgress => (Table, 422, "Games of the night are being played: their tables are in `allowed`. The night is settled up when they are over."),
        Code::NothingOwed => (Table, 422, "Nobody owes anybody anything."),
        Code::SheetChanged => (Table, 422, "What is owed is not what it was when the payments were worked out; `allowed` lists the payments now."),
        Code::Unbalanced => (Table, 422, "The amounts do not add up to zero, or split a minor unit."),
        Code::InvalidTransfer => (Table, 422, "What a tournament would transfer is nothing, or goes the wrong way."),
        Code::BeyondBooks => (Table, 422, "An account would be more than the books hold. Of tables opened since stakes are bounded none gets there."),
        Code::CurrencyNotInUse => (Table, 422, "The club does not play in this currency; `allowed` lists those it does."),
        Code::RulesSaidTwice => (Table, 422, "Both `rules` and `house_rules` are there: say the rules, or name a set."),
        Code::NothingToUndo => (Table, 422, "There is nothing to undo, or to redo."),
        Code::NotTheLastAct => (Table, 422, "Another act is the one to undo or redo now; `allowed` names it."),
        Code::FewerActsToUndo => (Table, 422, "There are fewer acts to undo, or to redo, than `acts` says; `allowed` is how many there are."),

        Code::GameOver => (Board, 422, "The game has its result."),
        Code::AlreadyOpened => (Board, 422, "The opening roll has been won."),
        Code::NotOpened => (Board, 422, "The opening roll comes first."),
        Code::ResignationPending => (Board, 422, "A resignation waits for its answer."),
        Code::NoResignation => (Board, 422, "Nobody has resigned."),
        Code::NotYourTurn => (Board, 422, "It is the other side's turn."),
        Code::AlreadyRolled => (Board, 422, "The dice are rolled."),
        Code::NotRolled => (Board, 422, "The dice are not rolled yet."),
        Code::PlayUnanswered => (Board, 422, "A play that was not legal waits to be accepted or sent back."),
        Code::NoPlayToAnswer => (Board, 422, "There is no such play."),
        Code::ClosedOut => (Board, 422, "A side that is closed out does not roll."),
        Code::CockedTooOften => (Board, 422, "Dice were cocked a hundred times in this game: enter a roll."),
        Code::NothingToPlay => (Board, 422, "No number can be played: pass."),
        Code::PlayPossible => (Board, 422, "Something can be played."),
        Code::NoCube => (Board, 422, "Cubes are the chouette's: double there."),
        Code::CrawfordGame => (Board, 422, "The Crawford game has no cube."),
        Code::NoBeavers => (Board, 422, "No beavers are played."),
        Code::IllegalPlay => (Board, 422, "The play is not legal; `detail` says why."),
        Code::ImpossibleBoard => (Board, 422, "No play can have left that board."),
        Code::BoardIsLegal => (Board, 422, "That board is a legal play: play it."),
        Code::NoSuchWin => (Board, 422, "The game that is played is never won so: Plakoto and Fevga know no backgammon. `allowed` lists how it can be, at a table or a match."),

        Code::HouseRulesTaken => (People, 422, "The club has a set of house rules of this name, and this is not the one that the form began with."),
        Code::HouseRulesChanged => (People, 422, "Somebody else has changed these house rules since the form was made."),
        Code::NameTaken => (People, 422, "Another player is called so."),
        Code::AlreadyAMember => (People, 422, "A member does not become a guest again."),
        Code::PlayerAtTable => (People, 422, "The player sits at a table, which `allowed` names: nobody is deactivated there."),
        Code::PlayerInactive => (People, 422, "The player does not come any more."),
        Code::PlayerExists => (People, 422, "There is a player of this id already."),
        Code::PlayerHasAccount => (People, 422, "The player has an account already."),
        Code::PlayerHasHistory => (People, 422, "The player has sat, entered or played somewhere, or stands in the books: nobody with a history is removed or merged."),
        Code::UnknownAccount => (People, 422, "There is no such account."),
        Code::AccountExists => (People, 422, "There is an account of this id already."),
        Code::AccountInactive => (People, 422, "The account is not active."),
        Code::LoginTaken => (People, 422, "Somebody else signs in so."),
        Code::SelfRegistrationOff => (People, 422, "An admin of the club invites its people: nobody asks for a login by himself."),
        Code::RegistrationsFull => (People, 422, "So many wait for an admin already as can; `allowed` is how many."),
        Code::NoRoles => (People, 422, "An account has at least one role."),
        Code::LastAdmin => (People, 422, "The club's last active admin stays one."),
        Code::NothingChanges => (People, 422, "It is so already."),
        Code::TooManyPlayers => (People, 422, "The club can keep no more players."),
        Code::TooManyAccounts => (People, 422, "The club can keep no more accounts."),
        Code::TooManyApiTokens => (People, 422, "The account can have no more API tokens: revoke one."),
        Code::InvalidName => (People, 422, "Not a name; `detail` says what one is."),
        Code::ExpiresInThePast => (People, 422, "The moment is in the past."),

        Code::PasswordTooShort => (Passwords, 422, "A password has at least 10 characters."),
        Code::PasswordTooLong => (Passwords, 422, "A password has at most 200 characters."),
        Code::PasswordIsLogin => (Passwords, 422, "The password is the login."),
        Code::PasswordTooCommon => (Passwords, 422, "The password is one of those everybody tries."),
        Code::LinkUsed => (Passwords, 422, "The link was used, or a newer one has taken its place."),
        Code::LinkExpired => (Passwords, 422, "The link has expired."),
        Code::LoginRequired => (Passwords, 422, "An invitation is claimed with a login of one's choice."),
        Code::LoginNotAsked => (Passwords, 422, "A new password leaves the login as it is: send none."),
        Code::AlreadyClaimed => (Passwords, 422, "The account has a login: make a link for a new password instead."),
        Code::NotClaimed => (Passwords, 422, "The account has no login yet: make an invitation instead."),

        Code::WrongSetUpCode => (Club, 422, "Not the code that the console shows."),
        Code::AlreadySetUp => (Club, 422, "The club has an admin."),
        Code::ClubNotOpen => (Club, 422, "Nobody has set the club up yet."),
        Code::ClubAlreadyOpen => (Club, 422, "The club has been set up already."),
        Code::ContradictoryRules => (Club, 422, "Two settings of the house rules cannot stand together; `allowed` names both, `field` the first."),
        Code::ContradictoryTerms => (Club, 422, "Two terms of a match or a money session cannot stand together; `allowed` names both."),
        Code::UnknownHouseRules => (Club, 422, "There is no such set of house rules; `allowed` lists those there are."),
        Code::NameReserved => (Club, 422, "A set of house rules that comes with the program is called so, or the API is."),
        Code::TooManyHouseRules => (Club, 422, "The club can keep no more sets of house rules; `allowed` is how many."),

        Code::MatchAlreadyOpen => (Match, 422, "The match has been opened already."),
        Code::MatchNotOpen => (Match, 422, "The match is not open yet."),
        Code::NotContestable => (Match, 422, "Only what the other side has entered in a friendly match or a money session is contested, until a scorer has ruled."),
        Code::Contested => (Match, 422, "A game of the session is contested: nothing is paid before a scorer has ruled, or it is contested no more; `allowed` lists the commands."),
        Code::NotContested => (Match, 422, "This is not contested: nothing is to be ruled, or to be taken back."),
        Code::MatchOver => (Match, 422, "The match has its outcome."),
        Code::MatchDetached => (Match, 422, "Others play this match of the tournament now: a result was corrected, places were exchanged, or it was drawn again. The sheet stays as it is."),
        Code::SessionClosed => (Match, 422, "The money session is closed."),
        Code::NotInMoney => (Match, 422, "This belongs to matches, not to money sessions: penalties, final scores, concessions, rulings, clocks."),
        Code::NotInMatch => (Match, 422, "This belongs to money sessions, not to matches."),
        Code::MatchAdjourned => (Match, 422, "The match is adjourned: resume it first."),
        Code::NotAdjourned => (Match, 422, "The match is not adjourned."),
        Code::DiceNeeded => (Match, 422, "What was thrown is entered in this game: send the `dice`."),
        Code::DiceDrawn => (Match, 422, "The service rolls in this game: send no `dice`."),
        Code::TooManyActions => (Match, 422, "The game on the board is as long as it may be; `allowed` is the most. Abandon the board and enter the result."),
        Code::MatchTooLong => (Match, 422, "The sheet has nearly as many events as `limits.stream_length` allows: no game is refereed any more. Enter results, or the final score."),
        Code::ActElsewhereToo => (Match, 422, "The act is one of a match and of its tournament, and is taken back, or put back, at both or not at all; `allowed` names the other `stream`, its `kind`, and the `acts` there that come first. `correct` changes the result all the same."),
        Code::ResultInBracket => (Match, 422, "The result stands in the bracket of the tournament, or others sit in the match now: correct it there."),
        Code::SamePlayer => (Match, 422, "Nobody plays a match against himself."),
        Code::BadClock => (Match, 422, "A clock has at most 3,600 seconds a point and 600 a move."),
        Code::TooManyGames => (Match, 422, "A sheet can hold no more games; `allowed` is the most."),
        Code::DropIsSingle => (Match, 422, "A game that was dropped counts as a single win."),
        Code::CannotBeTurned => (Match, 422, "A cube that was turned stands at 2 at least; one that was not stands where automatic doubles left it."),
        Code::BadPenalty => (Match, 422, "A penalty is 1 to 255 points."),
        Code::BadScore => (Match, 422, "Exactly one side has the match's length in the end, and nobody more; `allowed` is the length, on a sheet as `length` beside `at_least`, which neither has fewer than."),
        Code::BadRuling => (Match, 422, "A ruling names a winner, or nobody where neither came, with a score that fits; what a bracket finds by itself is not ruled."),
        Code::DecidedByScore => (Match, 422, "The score decides the match: correct a game instead."),
        Code::Holland => (Match, 422, "After the Crawford game the trailing side doubles from its third turn on (Holland)."),
        Code::GameRulesChange => (Match, 422, "The game on the board would be played by other rules: finish it, or abandon the board, first."),
        Code::LaterGame => (Match, 422, "A later `game` would not be possible as it is: the match would be `over` before it, or it would be the Crawford game with a cube. Both are in `allowed`."),
        Code::AlreadyScored => (Match, 422, "Something stands on the sheet: a file can only begin one."),
        Code::FileTooLong => (Match, 422, "The match text is too long; `allowed` is how many bytes it may have."),
        Code::BadFile => (Match, 422, "The text is no match text, or against the rules; `allowed` says the `place`, a line and column or a game of it, and the `detail`."),
        Code::OtherLength => (Match, 422, "The file is of a match to another length; `allowed` says which it `found`: 0 is a money session."),
        Code::OtherVariant => (Match, 422, "The file is of a match of another game than the terms say; `allowed` says which it `found`."),
        Code::NotFromStart => (Match, 422, "The file does not begin at 0-0, or has no game."),
        Code::PlaysNotKnown => (Match, 422, "How this `game` was played is not on the sheet, and match text tells plays: it was entered by its result with the cube turned, or no game stands there at all."),
        Code::Unwritable => (Match, 422, "Match text cannot say this; `allowed` has the `detail`."),
        Code::NoClock => (Match, 422, "The match is played without a clock."),
        Code::ClockRuns => (Match, 422, "The clock runs already."),
        Code::ClockStands => (Match, 422, "The clock stands: start it first."),
        Code::NotYourClock => (Match, 422, "The other side's time runs: `allowed` is whose."),

        Code::MalformedForm => (Forms, 400, "The form cannot be read."),
        Code::Csrf => (Forms, 403, "The form does not come from a page of this session."),
        Code::InvalidLogin => (Forms, 422, "Not a login."),
        Code::AmbiguousName => (Forms, 422, "Several players are called so: the full name says who is meant."),
        Code::InvalidTimeZone => (Forms, 422, "Not a time zone of the IANA database."),
        Code::InvalidCurrency => (Forms, 422, "Not a list of currencies."),
        Code::InvalidCountry => (Forms, 422, "Not a country of two letters."),
        Code::InvalidStake => (Forms, 422, "Not a stake."),
        Code::InvalidExposureLimit => (Forms, 422, "Not a limit of exposure."),
        Code::InvalidHighestCube => (Forms, 422, "Not a highest cube: a power of two from 2."),
        Code::InvalidValue => (Forms, 422, "Some other field holds what it cannot."),

        Code::TournamentNotOpen => (Tournaments, 422, "The tournament is not open yet."),
        Code::TournamentAlreadyOpen => (Tournaments, 422, "The tournament has been opened already."),
        Code::TournamentClosed => (Tournaments, 422, "The tournament is over; corrections, payments and awards still go."),
        Code::TournamentNotClosed => (Tournaments, 422, "The tournament is not closed."),
        Code::StillPlayed => (Tournaments, 422, "Matches are still to be played for it; `allowed` is one of them."),
        Code::NoSuchDivision => (Tournaments, 422, "There is no such division."),
        Code::TooMany => (Tournaments, 422, "There may be no more of them; `allowed` is how many."),
        Code::DivisionFlawed => (Tournaments, 422, "A division cannot be played so; `allowed` says what cannot be."),
        Code::AlreadyDrawn => (Tournaments, 422, "The division is drawn: its format and its side pools stay."),
        Code::NotDrawn => (Tournaments, 422, "The division is not drawn yet."),
        Code::BadList => (Tournaments, 422, "The list is empty, too long, or names one twice."),
        Code::NoSuchEntry => (Tournaments, 422, "There is no such entry; `allowed` is the one named."),
        Code::AlreadyEntered => (Tournaments, 422, "The player has entered already; who is out enters again by `re_enter`."),
        Code::PlayerNotEntered => (Tournaments, 422, "The player has entered no division of the tournament."),
        Code::EntryOut => (Tournaments, 422, "The entry plays no more."),
        Code::EntryIn => (Tournaments, 422, "The entry has not left."),
        Code::StillIn => (Tournaments, 422, "The entry still plays: in the main flight, or of a last chance anywhere."),
        Code::NoReEntry => (Tournaments, 422, "The division lets nobody enter so often, or the player was disqualified, or left before he had a slot and is to be reinstated."),
        Code::NoSuchSidePool => (Tournaments, 422, "There is no such side pool."),
        Code::TooFewEntries => (Tournaments, 422, "A draw needs two entries."),
        Code::BadDraw => (Tournaments, 422, "The slots are no first round: 2, 4, 8 ... of them, every entry once, no two byes together; `allowed` is the entry that sits twice, or not at all."),
        Code::DrawNeedsReason => (Tournaments, 422, "The division is drawn: drawing again needs a `reason`, which the log keeps."),
        Code::MatchBegan => (Tournaments, 422, "A match has begun, so nothing is drawn or exchanged there any more; `allowed` is the match."),
        Code::LaterMatchesPlayed => (Tournaments, 422, "Others have played on since and would be touched; `allowed` lists those matches. `correct` can touch them."),
        Code::SlotTaken => (Tournaments, 422, "The slot is not free."),
        Code::NotWaiting => (Tournaments, 422, "The entry does not wait for a slot."),
        Code::KeepingNeedsReason => (Tournaments, 422, "What an entry was charged that never had a slot is kept only with a reason."),
        Code::NoSuchMatch => (Tournaments, 422, "There is no such match."),
        Code::MatchNotReady => (Tournaments, 422, "Not both players of the match are there."),
        Code::MatchHasResult => (Tournaments, 422, "The match has a result: `correct` changes it."),
        Code::MatchHasNoResult => (Tournaments, 422, "There is no result to correct, or it would stay as it is."),
        Code::NotThisMatch => (Tournaments, 422, "The entry does not play that match."),
        Code::OthersSit => (Tournaments, 422, "Others play that match by now than the command says; `allowed` is who sits there."),
        Code::CardNoGood => (Tournaments, 404, "The link of a player's card is no good, or not any more; a director prints another."),
        Code::ReportsTooOften => (Tournaments, 429, "A player has said too often how his matches ended, more than six times within a minute; `Retry-After` says when to try again."),
        Code::NoSuchTable => (Tournaments, 422, "There is no such table, or a match is under way at one that would go."),
        Code::TableClosed => (Tournaments, 422, "The table is closed."),
        Code::NoFreeTable => (Tournaments, 422, "No table is free."),
        Code::NobodyWaits => (Tournaments, 422, "No match waits for a table whose players are free."),
        Code::PlaysElsewhere => (Tournaments, 422, "One of the players is called elsewhere, or plays; `allowed` is the match."),
        Code::AlreadyCalled => (Tournaments, 422, "The match was called already, to that table."),
        Code::NotCalled => (Tournaments, 422, "The match was not called."),
        Code::AlreadyBegan => (Tournaments, 422, "The match has begun already."),
        Code::NotPostponed => (Tournaments, 422, "The match was not postponed."),
        Code::MatchHasSheet => (Tournaments, 422, "The match is scored on a sheet already."),
        Code::NoMoney => (Tournaments, 422, "The tournament has no currency, so there is no money; or money was charged in the one it has."),
        Code::NotThePool => (Tournaments, 422, "The awards do not add up to the pools, or name somebody who has not entered; `allowed` is what there is to give."),
    }
}

/// The codes as Markdown tables for `docs/api.md`, each below a heading of this depth.
#[must_use]
pub fn markdown(depth: &str) -> String {
    let mut text = String::new();
    for section in sections() {
        // Writing to a String cannot fail.
        let _ = write!(text, "{depth} {}\n\n| code | status | meaning |\n|---|---|---|\n", section.title);
        for Meaning { code, status, text: meaning, .. } in section.codes {
            let _ = writeln!(text, "| `{code}` | {status} | {meaning} |");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use actix_web::http::StatusCode;

    use super::*;

    #[test]
    fn a_bet_can_be_settled_for_nothing_and_nobody_is_told_otherwise() {
        assert!(Meaning::new(Code::BadAmount).text.contains("to settle for, from nothing on"));
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
    fn the_printed_table_is_this_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md");
        let (begins, ends) = ("<!-- codes -->\n\n", "<!-- end of codes -->");
        let mut printed = std::fs::read_to_string(path).unwrap();
        let from = printed.find(begins).unwrap() + begins.len();
        let to = printed.find(ends).unwrap();
        if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
            printed.replace_range(from..to, &markdown("###"));
            std::fs::write(path, &printed).unwrap();
        } else {
            assert_eq!(&printed[from..to], markdown("###"), "run this test again with OWLBOX_BLESS=1");
        }
    }
}
