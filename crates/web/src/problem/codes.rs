//! Every code a problem can have, with its status and what it means: the page `/docs/problems`, which a
//! problem's `type` points to, and the table in `docs/api.md` are both made from this.
//!
//! A test holds the list together with what the source says, so no code goes without its meaning.

use std::fmt::Write as _;

/// A code.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// As problems carry it.
    pub code: &'static str,
    /// The HTTP status that it comes with.
    pub status: u16,
    /// What it means.
    pub meaning: &'static str,
}

/// A piece of a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The piece.
    pub text: &'static str,
    /// Whether it is a word of the API rather than of English.
    pub is_code: bool,
}

impl Code {
    /// The meaning in pieces: what stands in backquotes, and what does not.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        let pieces = self.meaning.split('`').zip([false, true].into_iter().cycle());
        pieces.map(|(text, is_code)| Part { text, is_code })
    }
}

/// Codes about one subject.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// What they are about.
    pub title: &'static str,
    /// The codes.
    pub codes: &'static [Code],
}

const fn code(status: u16, code: &'static str, meaning: &'static str) -> Code {
    Code { code, status, meaning }
}

/// The subject of codes that no answer of the API has.
pub const FORMS: &str = "Forms of the pages only";

/// Every code there is, by subject.
#[rustfmt::skip]
pub const SUBJECTS: [Subject; 10] = [
    Subject { title: "The request", codes: &[
        code(400, "malformed_json", "The body is not JSON."),
        code(400, "malformed_body", "The body did not arrive whole."),
        code(400, "invalid_body", "The body is JSON, but a field is missing, unknown, or holds what it cannot; `detail` says where."),
        code(400, "invalid_query", "A parameter of the address is unknown or holds what it cannot."),
        code(400, "invalid_if_match", "`If-Match` is not the `ETag` of an answer."),
        code(400, "invalid_idempotency_key", "`Idempotency-Key` is empty, longer than 128 characters, or not ASCII."),
        code(400, "invalid_last_event_id", "`Last-Event-ID` is not the id of an event of a live stream."),
        code(404, "not_found", "There is no such thing, or none that the caller may see."),
        code(405, "method_not_allowed", "What is there does not take this method; `allowed` and the header `Allow` list those that it takes."),
        code(408, "body_too_slow", "The body did not come in time: it has ten seconds, a second more for every KiB, and a minute at most. The connection ends."),
        code(412, "stale_version", "The stream has moved on since the version in `If-Match`; `allowed` is the version now."),
        code(413, "body_too_large", "The body is larger than `http.body_limit`, or than 8 KiB where no sign-in is needed; `allowed` is the limit."),
        code(415, "not_json", "The body's content type is not `application/json`."),
        code(415, "packed_body", "The body has a `Content-Encoding`: it is to be sent as it is."),
        code(422, "idempotency_key_reused", "The caller used this `Idempotency-Key` for another request."),
        code(422, "outside_calendar", "A day or a time that no club can mean: they are from 1900-01-01 to 2200-12-31. In an address it is `not_found`, in a query `invalid_query`."),
        code(422, "limit_reached", "A limit of the configuration is reached; `field` names it, `allowed` is its value."),
        code(429, "acts_too_often", "Within a minute a player has too often taken back or put back his own acts, adjourned and gone on, stopped the clock, contested or entered games; `Retry-After` says when to try again."),
        code(422, "own_acts_used_up", "One player's own acts have come to their share of the stream; `allowed` is how many that is. No waiting helps: whoever runs the game or the tournament goes on from here."),
        code(429, "too_many_attempts", "Too many failed sign-ins; `Retry-After` says when to try again."),
        code(500, "internal_error", "The service failed; the log says how, under the answer's `X-Request-Id`. A repeat under the same `Idempotency-Key` is safe."),
        code(503, "busy", "Too much is waiting, too many connections or live streams are open, or too much of requests' bodies is held. Try again after `Retry-After`."),
    ] },
    Subject { title: "Who asks", codes: &[
        code(401, "not_signed_in", "There is no token."),
        code(401, "invalid_token", "The token is no good, or no longer: the account or the session has ended."),
        code(401, "expired_token", "The access token has expired: refresh it."),
        code(401, "wrong_login_or_password", "Login and password do not belong together."),
        code(403, "forbidden", "The caller's roles do not reach that far; `allowed` lists the roles that do."),
        code(403, "not_yours", "A player acts for himself only."),
        code(403, "own_match", "Nobody judges a friendly match or a money session in which he plays - rules on what is contested, corrects while something is, gives penalties, says how it ended, takes such an act of somebody else back - whatever his roles: one of `allowed` who does not play does."),
        code(422, "needs_session", "This takes somebody who signed in with a password; an API token is not enough."),
    ] },
    Subject { title: "The table", codes: &[
        code(422, "already_open", "The table has been opened already."),
        code(422, "not_open", "The table is not open yet."),
        code(422, "closed", "The night is closed."),
        code(422, "bad_name", "Not a name for a table: 1 to 80 visible characters, no line breaks."),
        code(422, "game_in_progress", "A game is on. For `leave`, `allowed` lists who may go now."),
        code(422, "no_game", "No game is on."),
        code(422, "order_already_set", "The order is settled already."),
        code(422, "no_order", "The order is not settled yet: roll first."),
        code(422, "odd_stake", "Where half points are settled the stake must be even in minor units."),
        code(422, "stakes_too_high", "With these stakes and this cap of the cube one game could come to more than 10^15 minor units for a player; `allowed` is the most that `field` may be - of `rules`, the stake that they would allow."),
        code(422, "not_in_rules", "The house rules do not have this; `detail` names the setting."),
        code(422, "refereed", "The engine referees the game and finds this by itself: act on its `board`."),
        code(422, "not_refereed", "The game has no board."),
        code(422, "unknown_player", "The player has never sat at this table; where an account is made, the club has no such player."),
        code(422, "not_here", "The player has gone."),
        code(422, "already_here", "The player sits here already."),
        code(422, "table_full", "Every seat is taken; `allowed` is how many there are."),
        code(422, "not_in_game", "The player is not in this game, or has dropped; `allowed` lists who is."),
        code(422, "too_few_players", "There are too few players; `allowed` is how many it takes."),
        code(422, "on_break", "The player is on a break."),
        code(422, "not_on_break", "The player is not on a break; `allowed` lists who is."),
        code(422, "split_due", "More have come than may play at one table: it has to be split; `allowed` lists who would leave."),
        code(422, "night_too_long", "The table has nearly as many events as `limits.stream_length` allows: no game begins any more. What is on can be played to its end; then close the table, or let it go over to another."),
        code(422, "bad_split", "These cannot leave: at least three do, who are there, and enough for a game stay."),
        code(422, "same_table", "A table cannot go over to itself."),
        code(422, "other_table_moved_on", "The act is one of another table too, and is taken back, or put back, at both or not at all; `allowed` names that `table` with its `name`, and the `acts` there that come first, newest first: none if games of a table that the act opened are in the books."),
        code(422, "partner_due", "The house rules want the box to have a partner before the game."),
        code(422, "no_partnership", "There is nobody to become partner now."),
        code(422, "not_offered", "The partnership is not offered to this player; `allowed` is to whom it is."),
        code(422, "cannot_decline", "This player cannot decline the box; `allowed` is who can."),
        code(422, "proxy_needed", "Somebody must decide for the one who goes; `allowed` lists who could."),
        code(422, "bad_proxy", "This player cannot decide for the other; `allowed` lists who could."),
        code(422, "must_settle", "The player's bets must be settled first; `allowed` lists with whom."),
        code(422, "cannot_merge", "Two who have played in one game are two."),
        code(422, "wrong_line", "The line must be everybody present, once each; `allowed` lists them."),
        code(422, "bad_stake", "A player's stake is 1 to 1,000 of the table's."),
        code(422, "bad_start", "A cube starts at 1, 2 or 4, and not above the cap."),
        code(422, "box_has_no_cube", "The box has no cube of its own: it agrees to where members' cubes start."),
        code(422, "wrong_rollers", "Exactly those who have to roll must roll, once each; `allowed` lists them."),
        code(422, "bad_choice", "`against` is empty or names somebody twice; `allowed` lists who could be named."),
        code(422, "no_such_opponent", "There is no running bet between the two; `allowed` lists who could be named."),
        code(422, "too_late", "The opening roll is over."),
        code(422, "automatic_compulsory", "This automatic double is nobody's choice."),
        code(422, "must_answer", "Something else must be answered first, by whom `allowed` names."),
        code(422, "not_asked", "This player is not asked for an extra; `allowed` is who is."),
        code(422, "not_your_answer", "Others answer first: `allowed` is who."),
        code(422, "only_captain", "There is one cube, or the player's follows the captain's: `allowed` is the captain."),
        code(422, "not_on_turn", "A double of the other side waits for its answer; `allowed` lists who may double."),
        code(422, "offer_pending", "A double waits for its answer; `allowed` lists who can still be doubled or, for `finish`, who has to answer."),
        code(422, "not_your_cube", "The other side owns the cube; `allowed` lists who can be doubled."),
        code(422, "cube_at_limit", "The cube may go no higher; `allowed` is the limit."),
        code(422, "cube_too_low", "A corrected cube cannot have stood lower than it began, or, if it was turned, than twice that; `allowed` is the lowest."),
        code(422, "late_double", "The box has answered in this turn: nobody doubles any more before the roll."),
        code(422, "no_offer", "No double waits for this player's answer."),
        code(422, "no_beaver", "The house rules allow no redouble at once, or no further one."),
        code(422, "restraint", "The house rules do not let the box treat the cubes so; `allowed` is the rule."),
        code(422, "must_drop", "All others have dropped: the last one must drop too."),
        code(422, "must_beaver_or_drop", "All others have dropped: the last one must beaver or drop."),
        code(422, "nothing_to_play_on", "Nobody has doubled in this turn."),
        code(422, "whole_points_only", "Only whole points are settled at this table."),
        code(422, "bad_amount", "Not an amount to settle for, from nothing on, or to pay, which is above zero; `allowed` is the most, where there is one."),
        code(422, "counts_for", "Who counts as winner must be said exactly if box and captain settle."),
        code(422, "no_such_game", "No game of this number has been finished; `allowed` is how many have."),
        code(422, "no_such_bet", "The game had no such bet, or it is named twice; `allowed` lists those it had."),
        code(422, "win_needed", "A bet that is now played to its end needs the winner and the kind of win."),
        code(422, "no_preview", "What others have answered in secret is not shown before all have."),
        code(422, "player_at_another_table", "The player sits at another table, which `allowed` names."),
        code(422, "games_in_progress", "Games of the night are being played: their tables are in `allowed`. The night is settled up when they are over."),
        code(422, "nothing_owed", "Nobody owes anybody anything."),
        code(422, "sheet_changed", "What is owed is not what it was when the payments were worked out; `allowed` lists the payments now."),
        code(422, "unbalanced", "The amounts do not add up to zero, or split a minor unit."),
        code(422, "invalid_transfer", "What a tournament would transfer is nothing, or goes the wrong way."),
        code(422, "beyond_books", "An account would be more than the books hold. Of tables opened since stakes are bounded none gets there."),
        code(422, "currency_not_in_use", "The club does not play in this currency; `allowed` lists those it does."),
        code(422, "rules_said_twice", "Both `rules` and `house_rules` are there: say the rules, or name a set."),
        code(422, "nothing_to_undo", "There is nothing to undo, or to redo."),
        code(422, "not_the_last_act", "Another act is the one to undo or redo now; `allowed` names it."),
        code(422, "fewer_acts_to_undo", "There are fewer acts to undo, or to redo, than `acts` says; `allowed` is how many there are."),
    ] },
    Subject { title: "The board of a refereed game", codes: &[
        code(422, "game_over", "The game has its result."),
        code(422, "already_opened", "The opening roll has been won."),
        code(422, "not_opened", "The opening roll comes first."),
        code(422, "resignation_pending", "A resignation waits for its answer."),
        code(422, "no_resignation", "Nobody has resigned."),
        code(422, "not_your_turn", "It is the other side's turn."),
        code(422, "already_rolled", "The dice are rolled."),
        code(422, "not_rolled", "The dice are not rolled yet."),
        code(422, "play_unanswered", "A play that was not legal waits to be accepted or sent back."),
        code(422, "no_play_to_answer", "There is no such play."),
        code(422, "closed_out", "A side that is closed out does not roll."),
        code(422, "cocked_too_often", "Dice were cocked a hundred times in this game: enter a roll."),
        code(422, "nothing_to_play", "No number can be played: pass."),
        code(422, "play_possible", "Something can be played."),
        code(422, "no_cube", "Cubes are the chouette's: double there."),
        code(422, "crawford_game", "The Crawford game has no cube."),
        code(422, "no_beavers", "No beavers are played."),
        code(422, "illegal_play", "The play is not legal; `detail` says why."),
        code(422, "impossible_board", "No play can have left that board."),
        code(422, "board_is_legal", "That board is a legal play: play it."),
        code(422, "no_such_win", "The game that is played is never won so: Plakoto and Fevga know no backgammon. `allowed` lists how it can be, at a table or a match."),
    ] },
    Subject { title: "Players and accounts", codes: &[
        code(422, "house_rules_taken", "The club has a set of house rules of this name, and this is not the one that the form began with."),
        code(422, "house_rules_changed", "Somebody else has changed these house rules since the form was made."),
        code(422, "name_taken", "Another player is called so."),
        code(422, "already_a_member", "A member does not become a guest again."),
        code(422, "player_at_table", "The player sits at a table, which `allowed` names: nobody is deactivated there."),
        code(422, "player_inactive", "The player does not come any more."),
        code(422, "player_exists", "There is a player of this id already."),
        code(422, "player_has_account", "The player has an account already."),
        code(422, "player_has_history", "The player has sat, entered or played somewhere, or stands in the books: nobody with a history is removed or merged."),
        code(422, "unknown_account", "There is no such account."),
        code(422, "account_exists", "There is an account of this id already."),
        code(422, "account_inactive", "The account is not active."),
        code(422, "login_taken", "Somebody else signs in so."),
        code(422, "self_registration_off", "An admin of the club invites its people: nobody asks for a login by himself."),
        code(422, "registrations_full", "So many wait for an admin already as can; `allowed` is how many."),
        code(422, "no_roles", "An account has at least one role."),
        code(422, "last_admin", "The club's last active admin stays one."),
        code(422, "nothing_changes", "It is so already."),
        code(422, "too_many_players", "The club can keep no more players."),
        code(422, "too_many_accounts", "The club can keep no more accounts."),
        code(422, "too_many_api_tokens", "The account can have no more API tokens: revoke one."),
        code(422, "invalid_name", "Not a name; `detail` says what one is."),
        code(422, "expires_in_the_past", "The moment is in the past."),
    ] },
    Subject { title: "Passwords and links", codes: &[
        code(422, "password_too_short", "A password has at least 10 characters."),
        code(422, "password_too_long", "A password has at most 200 characters."),
        code(422, "password_is_login", "The password is the login."),
        code(422, "password_too_common", "The password is one of those everybody tries."),
        code(422, "link_used", "The link was used, or a newer one has taken its place."),
        code(422, "link_expired", "The link has expired."),
        code(422, "login_required", "An invitation is claimed with a login of one's choice."),
        code(422, "login_not_asked", "A new password leaves the login as it is: send none."),
        code(422, "already_claimed", "The account has a login: make a link for a new password instead."),
        code(422, "not_claimed", "The account has no login yet: make an invitation instead."),
    ] },
    Subject { title: "The club", codes: &[
        code(422, "wrong_set_up_code", "Not the code that the console shows."),
        code(422, "already_set_up", "The club has an admin."),
        code(422, "club_not_open", "Nobody has set the club up yet."),
        code(422, "club_already_open", "The club has been set up already."),
        code(422, "contradictory_rules", "Two settings of the house rules cannot stand together; `allowed` names both, `field` the first."),
        code(422, "contradictory_terms", "Two terms of a match or a money session cannot stand together; `allowed` names both."),
        code(422, "unknown_house_rules", "There is no such set of house rules; `allowed` lists those there are."),
        code(422, "name_reserved", "A set of house rules that comes with the program is called so, or the API is."),
        code(422, "too_many_house_rules", "The club can keep no more sets of house rules; `allowed` is how many."),
    ] },
    Subject { title: "A match", codes: &[
        code(422, "match_already_open", "The match has been opened already."),
        code(422, "match_not_open", "The match is not open yet."),
        code(422, "not_contestable", "Only what the other side has entered in a friendly match or a money session is contested, until a scorer has ruled."),
        code(422, "contested", "A game of the session is contested: nothing is paid before a scorer has ruled, or it is contested no more; `allowed` lists the commands."),
        code(422, "not_contested", "This is not contested: nothing is to be ruled, or to be taken back."),
        code(422, "match_over", "The match has its outcome."),
        code(422, "match_detached", "Others play this match of the tournament now: a result was corrected, places were exchanged, or it was drawn again. The sheet stays as it is."),
        code(422, "session_closed", "The money session is closed."),
        code(422, "not_in_money", "This belongs to matches, not to money sessions: penalties, final scores, concessions, rulings, clocks."),
        code(422, "not_in_match", "This belongs to money sessions, not to matches."),
        code(422, "match_adjourned", "The match is adjourned: resume it first."),
        code(422, "not_adjourned", "The match is not adjourned."),
        code(422, "dice_needed", "What was thrown is entered in this game: send the `dice`."),
        code(422, "dice_drawn", "The service rolls in this game: send no `dice`."),
        code(422, "too_many_actions", "The game on the board is as long as it may be; `allowed` is the most. Abandon the board and enter the result."),
        code(422, "match_too_long", "The sheet has nearly as many events as `limits.stream_length` allows: no game is refereed any more. Enter results, or the final score."),
        code(422, "act_elsewhere_too", "The act is one of a match and of its tournament, and is taken back, or put back, at both or not at all; `allowed` names the other `stream`, its `kind`, and the `acts` there that come first. `correct` changes the result all the same."),
        code(422, "result_in_bracket", "The result stands in the bracket of the tournament, or others sit in the match now: correct it there."),
        code(422, "same_player", "Nobody plays a match against himself."),
        code(422, "bad_clock", "A clock has at most 3,600 seconds a point and 600 a move."),
        code(422, "too_many_games", "A sheet can hold no more games; `allowed` is the most."),
        code(422, "drop_is_single", "A game that was dropped counts as a single win."),
        code(422, "cannot_be_turned", "A cube that was turned stands at 2 at least; one that was not stands where automatic doubles left it."),
        code(422, "bad_penalty", "A penalty is 1 to 255 points."),
        code(422, "bad_score", "Exactly one side has the match's length in the end, and nobody more; `allowed` is the length, on a sheet as `length` beside `at_least`, which neither has fewer than."),
        code(422, "bad_ruling", "A ruling names a winner, or nobody where neither came, with a score that fits; what a bracket finds by itself is not ruled."),
        code(422, "decided_by_score", "The score decides the match: correct a game instead."),
        code(422, "holland", "After the Crawford game the trailing side doubles from its third turn on (Holland)."),
        code(422, "game_rules_change", "The game on the board would be played by other rules: finish it, or abandon the board, first."),
        code(422, "later_game", "A later `game` would not be possible as it is: the match would be `over` before it, or it would be the Crawford game with a cube. Both are in `allowed`."),
        code(422, "already_scored", "Something stands on the sheet: a file can only begin one."),
        code(422, "file_too_long", "The match text is too long; `allowed` is how many bytes it may have."),
        code(422, "bad_file", "The text is no match text, or against the rules; `allowed` says the `place`, a line and column or a game of it, and the `detail`."),
        code(422, "other_length", "The file is of a match to another length; `allowed` says which it `found`: 0 is a money session."),
        code(422, "other_variant", "The file is of a match of another game than the terms say; `allowed` says which it `found`."),
        code(422, "not_from_start", "The file does not begin at 0-0, or has no game."),
        code(422, "plays_not_known", "How this `game` was played is not on the sheet, and match text tells plays: it was entered by its result with the cube turned, or no game stands there at all."),
        code(422, "unwritable", "Match text cannot say this; `allowed` has the `detail`."),
        code(422, "no_clock", "The match is played without a clock."),
        code(422, "clock_runs", "The clock runs already."),
        code(422, "clock_stands", "The clock stands: start it first."),
        code(422, "not_your_clock", "The other side's time runs: `allowed` is whose."),
    ] },
    Subject { title: FORMS, codes: &[
        code(400, "malformed_form", "The form cannot be read."),
        code(403, "csrf", "The form does not come from a page of this session."),
        code(422, "invalid_login", "Not a login."),
        code(422, "ambiguous_name", "Several players are called so: the full name says who is meant."),
        code(422, "invalid_time_zone", "Not a time zone of the IANA database."),
        code(422, "invalid_currency", "Not a list of currencies."),
        code(422, "invalid_country", "Not a country of two letters."),
        code(422, "invalid_stake", "Not a stake."),
        code(422, "invalid_exposure_limit", "Not a limit of exposure."),
        code(422, "invalid_highest_cube", "Not a highest cube: a power of two from 2."),
        code(422, "invalid_value", "Some other field holds what it cannot."),
    ] },
    Subject { title: "Tournaments", codes: &[
        code(422, "tournament_not_open", "The tournament is not open yet."),
        code(422, "tournament_already_open", "The tournament has been opened already."),
        code(422, "tournament_closed", "The tournament is over; corrections, payments and awards still go."),
        code(422, "tournament_not_closed", "The tournament is not closed."),
        code(422, "still_played", "Matches are still to be played for it; `allowed` is one of them."),
        code(422, "no_such_division", "There is no such division."),
        code(422, "too_many", "There may be no more of them; `allowed` is how many."),
        code(422, "division_flawed", "A division cannot be played so; `allowed` says what cannot be."),
        code(422, "already_drawn", "The division is drawn: its format and its side pools stay."),
        code(422, "not_drawn", "The division is not drawn yet."),
        code(422, "bad_list", "The list is empty, too long, or names one twice."),
        code(422, "no_such_entry", "There is no such entry; `allowed` is the one named."),
        code(422, "already_entered", "The player has entered already; who is out enters again by `re_enter`."),
        code(422, "player_not_entered", "The player has entered no division of the tournament."),
        code(422, "entry_out", "The entry plays no more."),
        code(422, "entry_in", "The entry has not left."),
        code(422, "still_in", "The entry still plays: in the main flight, or of a last chance anywhere."),
        code(422, "no_re_entry", "The division lets nobody enter so often, or the player was disqualified, or left before he had a slot and is to be reinstated."),
        code(422, "no_such_side_pool", "There is no such side pool."),
        code(422, "too_few_entries", "A draw needs two entries."),
        code(422, "bad_draw", "The slots are no first round: 2, 4, 8 ... of them, every entry once, no two byes together; `allowed` is the entry that sits twice, or not at all."),
        code(422, "draw_needs_reason", "The division is drawn: drawing again needs a `reason`, which the log keeps."),
        code(422, "match_began", "A match has begun, so nothing is drawn or exchanged there any more; `allowed` is the match."),
        code(422, "later_matches_played", "Others have played on since and would be touched; `allowed` lists those matches. `correct` can touch them."),
        code(422, "slot_taken", "The slot is not free."),
        code(422, "not_waiting", "The entry does not wait for a slot."),
        code(422, "keeping_needs_reason", "What an entry was charged that never had a slot is kept only with a reason."),
        code(422, "no_such_match", "There is no such match."),
        code(422, "match_not_ready", "Not both players of the match are there."),
        code(422, "match_has_result", "The match has a result: `correct` changes it."),
        code(422, "match_has_no_result", "There is no result to correct, or it would stay as it is."),
        code(422, "not_this_match", "The entry does not play that match."),
        code(422, "others_sit", "Others play that match by now than the command says; `allowed` is who sits there."),
        code(404, "card_no_good", "The link of a player's card is no good, or not any more; a director prints another."),
        code(429, "reports_too_often", "A player has said too often how his matches ended, more than six times within a minute; `Retry-After` says when to try again."),
        code(422, "no_such_table", "There is no such table, or a match is under way at one that would go."),
        code(422, "table_closed", "The table is closed."),
        code(422, "no_free_table", "No table is free."),
        code(422, "nobody_waits", "No match waits for a table whose players are free."),
        code(422, "plays_elsewhere", "One of the players is called elsewhere, or plays; `allowed` is the match."),
        code(422, "already_called", "The match was called already, to that table."),
        code(422, "not_called", "The match was not called."),
        code(422, "already_began", "The match has begun already."),
        code(422, "not_postponed", "The match was not postponed."),
        code(422, "match_has_sheet", "The match is scored on a sheet already."),
        code(422, "no_money", "The tournament has no currency, so there is no money; or money was charged in the one it has."),
        code(422, "not_the_pool", "The awards do not add up to the pools, or name somebody who has not entered; `allowed` is what there is to give."),
    ] },
];

/// The codes as tables, a title of this depth above each: for `docs/api.md`.
#[must_use]
pub fn markdown(depth: &str) -> String {
    let mut text = String::new();
    for subject in SUBJECTS {
        // Writing to a String cannot fail.
        let _ = write!(text, "{depth} {}\n\n| code | status | meaning |\n|---|---|---|\n", subject.title);
        for Code { code, status, meaning } in subject.codes {
            let _ = writeln!(text, "| `{code}` | {status} | {meaning} |");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use actix_web::http::StatusCode;

    use super::*;
    use crate::problem::Problem;
    use owlbox_desk::{Often, Refused, Unauthorised};
    use owlbox_domain::club::Permission;

    /// The texts of the source of these rooms, without tests and what tests stand on.
    fn sources(folder: &Path) -> Vec<String> {
        let mut texts = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                texts.extend(sources(&path));
            } else if path.ends_with("web/problem/codes.rs") || path.ends_with("web/pages/preview.rs") {
                // The list itself, and a page of examples.
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap().to_owned();
                if !["#[test]", "#[tokio::test]", "Ground"].iter().any(|mark| text.contains(mark)) {
                    texts.push(text);
                }
            }
        }
        texts
    }

    /// The first literal of a call's arguments, if nothing is worked out before it.
    fn first_literal(text: &str) -> Option<(&str, &str)> {
        let (before, rest) = text.split_once('"')?;
        let is_plain = before.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || "_:,".contains(c));
        if is_plain { Some((before, rest.split('"').next()?)) } else { None }
    }

    /// The name of a constant of [`StatusCode`], at the end of a path.
    fn status_named(before: &str) -> u16 {
        let name = before.trim_end_matches([',', ' ', '\n']).rsplit([':', ' ']).next().unwrap();
        let known = [
            ("BAD_REQUEST", StatusCode::BAD_REQUEST),
            ("FORBIDDEN", StatusCode::FORBIDDEN),
            ("NOT_FOUND", StatusCode::NOT_FOUND),
            ("METHOD_NOT_ALLOWED", StatusCode::METHOD_NOT_ALLOWED),
            ("REQUEST_TIMEOUT", StatusCode::REQUEST_TIMEOUT),
            ("PAYLOAD_TOO_LARGE", StatusCode::PAYLOAD_TOO_LARGE),
            ("UNSUPPORTED_MEDIA_TYPE", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("UNPROCESSABLE_ENTITY", StatusCode::UNPROCESSABLE_ENTITY),
            ("INTERNAL_SERVER_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
        ];
        let found = known.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("add {name:?} to this test")).1.as_u16()
    }

    /// The codes that the source speaks of, each with its status where that stands beside it.
    fn spoken_of() -> BTreeMap<String, Option<u16>> {
        // What tokens are refused with, for logs; the desk has words of its own for both.
        let never_sent = ["token_expired", "token_invalid"];
        let mut codes = BTreeMap::new();
        for room in ["engine/src/game", "domain/src/club", "domain/src/ledger", "desk/src", "web/src"] {
            for text in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(room)) {
                let of_rules = text.split("Refused::rule(").skip(1).filter_map(first_literal);
                codes.extend(of_rules.map(|(_, code)| (code.to_owned(), Some(422))));
                let of_fields = text.split(" code: \"").skip(1).filter_map(|rest| rest.split('"').next());
                codes.extend(of_fields.map(|code| (code.to_owned(), Some(422))));
                let of_problems = text.split("Problem::new(").skip(1).filter_map(first_literal);
                codes.extend(of_problems.map(|(path, code)| (code.to_owned(), Some(status_named(path)))));
                // Not the words of the pages, which have codes of another kind.
                let named = text.split("fn code(").skip(1).filter(|_| !text.contains("kind-gammon"));
                let named = named.map(|body| body.split("\n}").next().unwrap());
                let chosen = ["let code = match ", "let (code, allowed) = match "];
                let chosen = chosen.iter().flat_map(|start| text.split(start).skip(1));
                let chosen = chosen.map(|body| body.split("};").next().unwrap());
                for arm in named.chain(chosen).flat_map(|body| body.split("=> ").skip(1)) {
                    let literal = arm.trim_start_matches('(').strip_prefix('"');
                    if let Some(code) = literal.and_then(|rest| rest.split('"').next()) {
                        codes.entry(code.to_owned()).or_insert(None);
                    }
                }
            }
        }
        codes.extend(of_the_rules().map(|code| (code.to_owned(), Some(422))));
        codes.retain(|code, _| {
            !code.is_empty()
                && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
                && !never_sent.contains(&code.as_str())
        });
        codes
    }

    /// The codes of the own refusals of tables, matches and tournaments; what the engine refuses has the engine's.
    fn of_the_rules() -> impl Iterator<Item = &'static str> {
        let (of_matches, of_tournaments) =
            (owlbox_domain::matches::Refusal::CODES, owlbox_domain::tournament::Refusal::CODES);
        let all = owlbox_domain::chouette::Refusal::CODES.iter().chain(of_matches).chain(of_tournaments);
        all.copied().filter(|code| *code != "board")
    }

    fn listed() -> BTreeMap<&'static str, u16> {
        let all: Vec<&Code> = SUBJECTS.iter().flat_map(|subject| subject.codes).collect();
        let listed: BTreeMap<_, _> = all.iter().map(|code| (code.code, code.status)).collect();
        assert_eq!(listed.len(), all.len(), "each code stands here once");
        listed
    }

    #[test]
    fn a_bet_can_be_settled_for_nothing_and_nobody_is_told_otherwise() {
        let code = SUBJECTS.iter().flat_map(|subject| subject.codes).find(|code| code.code == "bad_amount");
        assert!(code.is_some_and(|code| code.meaning.contains("to settle for, from nothing on")));
    }

    #[test]
    fn every_code_of_the_source_is_listed_and_no_other() {
        let (spoken_of, listed) = (spoken_of(), listed());
        for known in ["not_your_cube", "last_admin", "stale_version", "link_used", "csrf", "body_too_large"] {
            assert!(spoken_of.contains_key(known), "the search no longer finds {known}: {spoken_of:?}");
        }
        let in_source: BTreeSet<&str> = spoken_of.keys().map(String::as_str).collect();
        let in_list: BTreeSet<&str> = listed.keys().copied().collect();
        assert_eq!(in_source.difference(&in_list).collect::<Vec<_>>(), [&""; 0], "without a meaning");
        assert_eq!(in_list.difference(&in_source).collect::<Vec<_>>(), [&""; 0], "meaning nothing");
    }

    #[test]
    fn every_status_is_the_one_that_is_sent() {
        let listed = listed();
        for (code, status) in spoken_of() {
            if let Some(status) = status {
                assert_eq!(listed.get(code.as_str()), Some(&status), "{code}");
            }
        }
        for code in of_the_rules() {
            assert_eq!(listed.get(code), Some(&422), "{code}");
        }
        let of_the_desk = [
            Refused::Unauthorised(Unauthorised::Missing),
            Refused::Unauthorised(Unauthorised::Invalid),
            Refused::Unauthorised(Unauthorised::Expired),
            Refused::Unauthorised(Unauthorised::WrongPassword),
            Refused::Forbidden(Permission::ViewClub),
            Refused::NotYours,
            Refused::OwnMatch,
            Refused::NotFound("chouette"),
            Refused::Stale { current: 1 },
            Refused::KeyReused,
            Refused::Limit { what: "limits.stream_length", limit: 1 },
            Refused::TooMany { seconds: 1 },
            Refused::TooOften { what: Often::Acts, seconds: 1 },
            Refused::TooOften { what: Often::Reports, seconds: 1 },
            Refused::Busy,
            Refused::Store(owlbox_store::StoreError::Panicked),
        ];
        for refused in of_the_desk {
            let problem = Problem::from(refused);
            assert_eq!(listed.get(problem.code), Some(&problem.status), "{}", problem.code);
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
