//! The tables, as `migrations/` makes them in both databases.
#![expect(missing_docs, reason = "the macro makes a type a column; the migrations say what each is")]

use diesel::{allow_tables_to_appear_in_same_query, joinable, table};

table! {
    /// The kind and current version of every stream.
    stream (id) {
        id -> crate::types::Id,
        kind -> Text,
        version -> BigInt,
    }
}

table! {
    /// Every event of every stream, in order of version. Append-only.
    journal (stream, version) {
        stream -> crate::types::Id,
        version -> BigInt,
        act -> crate::types::Id,
        kind -> Text,
        format -> SmallInt,
        payload -> crate::types::JsonDoc,
        account -> crate::types::Id,
        at -> crate::types::UtcTime,
        hash -> Nullable<Binary>,
    }
}

table! {
    /// The order in which the club's live stream tells what streams have grown by.
    journal_order (position) {
        position -> BigInt,
        stream -> crate::types::Id,
        version_before -> BigInt,
        version -> BigInt,
    }
}

table! {
    /// How commands with an idempotency key were answered.
    idempotency (account, key) {
        account -> crate::types::Id,
        key -> Text,
        request_hash -> Binary,
        status -> SmallInt,
        stream -> crate::types::Id,
        version -> BigInt,
        at -> crate::types::UtcTime,
    }
}

table! {
    /// The club's settings, in a single row.
    club (id) {
        id -> crate::types::Id,
        settings -> crate::types::JsonDoc,
    }
}

table! {
    /// Players, with the personal details that the journal leaves out.
    player (id) {
        id -> crate::types::Id,
        guest -> Bool,
        active -> Bool,
        name -> Text,
        name_key -> Text,
        nickname -> Nullable<Text>,
        country -> Nullable<Text>,
        club -> Nullable<Text>,
        contact -> Nullable<Text>,
        notes -> Nullable<Text>,
        iban -> Nullable<Text>,
    }
}

table! {
    /// Accounts, derived from the club's stream.
    account (id) {
        id -> crate::types::Id,
        player -> Nullable<crate::types::Id>,
        roles -> SmallInt,
        active -> Bool,
    }
}

table! {
    /// Logins with their password hashes.
    credential (account) {
        account -> crate::types::Id,
        login -> Text,
        login_key -> Text,
        password_hash -> Text,
        changed_at -> crate::types::UtcTime,
    }
}

table! {
    /// Each account's epoch. Access tokens of an earlier one are not valid.
    token_epoch (account) {
        account -> crate::types::Id,
        epoch -> Integer,
    }
}

table! {
    /// Families of refresh tokens, one per sign-in.
    session (id) {
        id -> crate::types::Id,
        account -> crate::types::Id,
        started_at -> crate::types::UtcTime,
        ends_at -> crate::types::UtcTime,
        revoked_at -> Nullable<crate::types::UtcTime>,
    }
}

table! {
    /// Refresh tokens, stored as hashes.
    refresh_token (hash) {
        hash -> Binary,
        session -> crate::types::Id,
        expires_at -> crate::types::UtcTime,
        rotated_at -> Nullable<crate::types::UtcTime>,
        successor_salt -> Binary,
    }
}

table! {
    /// Tokens for scripts, stored as hashes.
    api_token (id) {
        id -> crate::types::Id,
        account -> crate::types::Id,
        name -> Text,
        hash -> Binary,
        created_at -> crate::types::UtcTime,
        expires_at -> Nullable<crate::types::UtcTime>,
        revoked_at -> Nullable<crate::types::UtcTime>,
        scopes -> Nullable<Text>,
        last_used_at -> Nullable<crate::types::UtcTime>,
    }
}

table! {
    /// Addresses that are sent what happens in the club.
    webhook (id) {
        id -> crate::types::Id,
        account -> crate::types::Id,
        url -> Text,
        secret -> Binary,
        kinds -> Text,
        created_at -> crate::types::UtcTime,
        place -> Text,
        due_at -> crate::types::UtcTime,
        attempts -> Integer,
        failing_since -> Nullable<crate::types::UtcTime>,
        off_since -> Nullable<crate::types::UtcTime>,
        off_reason -> Nullable<Text>,
    }
}

table! {
    /// The newest of what each webhook was sent.
    webhook_delivery (id) {
        id -> crate::types::Id,
        webhook -> crate::types::Id,
        event -> Text,
        at -> crate::types::UtcTime,
        milliseconds -> Integer,
        status -> Nullable<SmallInt>,
        failure -> Nullable<Text>,
    }
}

table! {
    /// Links of invitations and password resets, stored as hashes.
    one_time_link (hash) {
        hash -> Binary,
        account -> crate::types::Id,
        purpose -> Text,
        expires_at -> crate::types::UtcTime,
        used_at -> Nullable<crate::types::UtcTime>,
    }
}

table! {
    /// Where logins are sent mail.
    mail_address (account) {
        account -> crate::types::Id,
        address -> Text,
        address_key -> Text,
    }
}

table! {
    /// Requests for a login that wait for an admin.
    registration (id) {
        id -> crate::types::Id,
        login -> Text,
        name -> Text,
        password_hash -> Text,
        asked_at -> crate::types::UtcTime,
    }
}

table! {
    /// Failed sign-ins by key and window of time; a row with none notes a success.
    sign_in_attempt (key) {
        key -> Binary,
        window_start -> crate::types::UtcTime,
        failures -> Integer,
    }
}

table! {
    /// Chouettes as lists show them.
    chouette (id) {
        id -> crate::types::Id,
        name -> Text,
        night -> Date,
        status -> Text,
        stake_amount -> Nullable<BigInt>,
        stake_currency -> Nullable<Text>,
        games -> Integer,
        opened_at -> crate::types::UtcTime,
        closed_at -> Nullable<crate::types::UtcTime>,
    }
}

table! {
    /// Who sits or sat at a chouette, with their scores in half points.
    seat (chouette, player) {
        chouette -> crate::types::Id,
        player -> crate::types::Id,
        present -> Bool,
        score -> BigInt,
    }
}

table! {
    /// A transaction for every finished game, correction, payment and transfer, and for every undo or redo of
    /// one.
    ledger_transaction (id) {
        id -> crate::types::Id,
        act -> crate::types::Id,
        kind -> Text,
        stream -> crate::types::Id,
        game -> Integer,
        variant -> Nullable<Text>,
        version -> BigInt,
        happened_at -> crate::types::UtcTime,
        posted_at -> crate::types::UtcTime,
        night -> Date,
        booked_on -> Date,
        reverses -> Nullable<crate::types::Id>,
    }
}

table! {
    /// The lines of the books: two for every bet and unit, which add up to zero.
    posting (holder, unit, sequence) {
        holder -> crate::types::Id,
        unit -> Text,
        sequence -> BigInt,
        holder_kind -> Text,
        ledger_transaction -> crate::types::Id,
        position -> Integer,
        counterparty -> crate::types::Id,
        counterparty_kind -> Text,
        kind -> Text,
        amount -> BigInt,
        balance -> BigInt,
        booked_on -> Date,
    }
}

table! {
    /// The sum of an account's postings of a day, by kind; kept by triggers.
    day_turnover (holder, unit, day, kind) {
        holder -> crate::types::Id,
        unit -> Text,
        day -> Date,
        kind -> Text,
        holder_kind -> Text,
        amount -> BigInt,
        postings -> BigInt,
        gained -> BigInt,
    }
}

table! {
    /// The same by month, which is known by its first day.
    month_turnover (holder, unit, month, kind) {
        holder -> crate::types::Id,
        unit -> Text,
        month -> Date,
        kind -> Text,
        holder_kind -> Text,
        amount -> BigInt,
        postings -> BigInt,
        gained -> BigInt,
    }
}

table! {
    /// The sum of an account's postings of a month with one other account; kept by triggers.
    pair_turnover (holder, unit, counterparty, month) {
        holder -> crate::types::Id,
        unit -> Text,
        counterparty -> crate::types::Id,
        month -> Date,
        amount -> BigInt,
        postings -> BigInt,
        gained -> BigInt,
    }
}

table! {
    /// Every transaction in order of posting, with a hash over it and the one before.
    book_chain (number) {
        number -> BigInt,
        ledger_transaction -> crate::types::Id,
        hash -> Binary,
    }
}

table! {
    /// A single row: the chain's last link, and the last day of the closed months.
    book_head (id) {
        id -> SmallInt,
        number -> BigInt,
        hash -> Binary,
        closed_through -> Nullable<Date>,
    }
}

table! {
    /// Which account has read whose ledger on which day; the nil id stands for everybody's.
    ledger_reading (player, day, reader, what) {
        player -> crate::types::Id,
        day -> Date,
        reader -> crate::types::Id,
        what -> Text,
        at -> crate::types::UtcTime,
    }
}

table! {
    /// The balance of every holder in every unit.
    balance (holder, unit) {
        holder -> crate::types::Id,
        unit -> Text,
        holder_kind -> Text,
        amount -> BigInt,
        sequence -> BigInt,
    }
}

table! {
    /// Rated matches, with both players' ratings after each.
    rated_match (stream, division, number) {
        stream -> crate::types::Id,
        division -> Integer,
        number -> BigInt,
        finished_at -> crate::types::UtcTime,
        length -> Integer,
        winner -> crate::types::Id,
        loser -> crate::types::Id,
        winner_rating -> BigInt,
        winner_experience -> BigInt,
        loser_rating -> BigInt,
        loser_experience -> BigInt,
    }
}

table! {
    /// The matches of tournaments that were played or conceded, rated or not.
    tournament_match (tournament, division, number) {
        tournament -> crate::types::Id,
        division -> Integer,
        number -> BigInt,
        finished_at -> crate::types::UtcTime,
        length -> Integer,
        winner -> crate::types::Id,
        loser -> crate::types::Id,
    }
}

table! {
    /// The current rating of every player who has a rated match.
    rating (player) {
        player -> crate::types::Id,
        #[sql_name = "rating"]
        value -> BigInt,
        experience -> BigInt,
        matches -> BigInt,
    }
}

table! {
    /// A single row, locked while ratings are computed.
    rating_lock (id) {
        id -> SmallInt,
    }
}

table! {
    /// The number of games of a day that are alike in everything statistics ask for.
    game_tally (player, opponent, day, kind, variant, began, role, result, ending, cube) {
        player -> crate::types::Id,
        opponent -> crate::types::Id,
        day -> Date,
        kind -> Text,
        variant -> Text,
        began -> Text,
        role -> Text,
        result -> Text,
        ending -> Text,
        cube -> BigInt,
        games -> BigInt,
        half_points -> BigInt,
    }
}

table! {
    /// The same by year, kept by triggers.
    year_tally (player, opponent, year, kind, variant, began, role, result, ending, cube) {
        player -> crate::types::Id,
        opponent -> crate::types::Id,
        year -> Integer,
        kind -> Text,
        variant -> Text,
        began -> Text,
        role -> Text,
        result -> Text,
        ending -> Text,
        cube -> BigInt,
        games -> BigInt,
        half_points -> BigInt,
    }
}

table! {
    /// The same by month and by the properties a chart can be filtered by, kept by triggers.
    month_tally (player, opponent, year, month, kind, variant, began, result) {
        player -> crate::types::Id,
        opponent -> crate::types::Id,
        year -> Integer,
        month -> Integer,
        kind -> Text,
        variant -> Text,
        began -> Text,
        result -> Text,
        games -> BigInt,
        half_points -> BigInt,
    }
}

table! {
    /// The same of two players in all years, kept by triggers.
    pair_tally (player, opponent, kind, variant, began, result) {
        player -> crate::types::Id,
        opponent -> crate::types::Id,
        kind -> Text,
        variant -> Text,
        began -> Text,
        result -> Text,
        games -> BigInt,
        half_points -> BigInt,
    }
}

table! {
    /// Derived tables still to be filled from the journal.
    unfilled (name) {
        name -> Text,
    }
}

table! {
    /// Tournaments as lists show them.
    tournament (id) {
        id -> crate::types::Id,
        name -> Text,
        date -> Date,
        status -> Text,
        public -> Bool,
        opened_at -> crate::types::UtcTime,
        closed_at -> Nullable<crate::types::UtcTime>,
    }
}

table! {
    /// Who has entered which tournament.
    entrant (tournament, player) {
        tournament -> crate::types::Id,
        player -> crate::types::Id,
    }
}

joinable!(entrant -> player (player));
joinable!(entrant -> tournament (tournament));
joinable!(journal -> stream (stream));
joinable!(journal_order -> stream (stream));
joinable!(rated_match -> stream (stream));
joinable!(ledger_transaction -> stream (stream));
joinable!(posting -> ledger_transaction (ledger_transaction));
joinable!(book_chain -> ledger_transaction (ledger_transaction));
joinable!(refresh_token -> session (session));
joinable!(seat -> chouette (chouette));
joinable!(seat -> player (player));
table! {
    #[sql_name = "match"]
    /// Matches and money sessions as lists show them.
    match_sheet (id) {
        id -> crate::types::Id,
        tournament -> Nullable<crate::types::Id>,
        division -> Nullable<Integer>,
        number -> Nullable<BigInt>,
        upper_player -> crate::types::Id,
        lower_player -> crate::types::Id,
        length -> Integer,
        status -> Text,
        upper_score -> BigInt,
        lower_score -> BigInt,
        games -> Integer,
        winner -> Nullable<Text>,
        opened_at -> crate::types::UtcTime,
        finished_at -> Nullable<crate::types::UtcTime>,
        contested -> Bool,
    }
}

allow_tables_to_appear_in_same_query!(
    account,
    api_token,
    balance,
    book_chain,
    book_head,
    chouette,
    day_turnover,
    club,
    credential,
    entrant,
    game_tally,
    idempotency,
    journal,
    journal_order,
    ledger_reading,
    ledger_transaction,
    mail_address,
    match_sheet,
    month_turnover,
    month_tally,
    one_time_link,
    pair_tally,
    pair_turnover,
    registration,
    player,
    posting,
    rated_match,
    rating,
    rating_lock,
    refresh_token,
    seat,
    session,
    sign_in_attempt,
    stream,
    token_epoch,
    tournament,
    tournament_match,
    unfilled,
    webhook,
    webhook_delivery,
    year_tally,
);

// The sums of tournaments' postings are grouped by columns of both tables.
diesel::allow_columns_to_appear_in_same_group_by_clause!(
    ledger_transaction::stream,
    posting::unit,
    posting::holder_kind,
    posting::counterparty_kind,
    posting::kind,
);
