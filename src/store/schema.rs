//! The tables, as `migrations/` makes them in both databases.
#![expect(missing_docs, reason = "the macro makes a type a column; the migrations say what each is")]

use diesel::{allow_tables_to_appear_in_same_query, joinable, table};

table! {
    /// The head of every stream.
    stream (id) {
        id -> crate::store::types::Id,
        kind -> Text,
        version -> BigInt,
    }
}

table! {
    /// Every event, append-only.
    journal (stream, version) {
        stream -> crate::store::types::Id,
        version -> BigInt,
        act -> crate::store::types::Id,
        kind -> Text,
        format -> SmallInt,
        payload -> crate::store::types::JsonDoc,
        account -> crate::store::types::Id,
        at -> crate::store::types::UtcTime,
    }
}

table! {
    /// What retried commands were answered with.
    idempotency (account, key) {
        account -> crate::store::types::Id,
        key -> Text,
        request_hash -> Binary,
        status -> SmallInt,
        stream -> crate::store::types::Id,
        version -> BigInt,
        at -> crate::store::types::UtcTime,
    }
}

table! {
    /// The club's settings.
    club (id) {
        id -> crate::store::types::Id,
        settings -> crate::store::types::JsonDoc,
    }
}

table! {
    /// Players.
    player (id) {
        id -> crate::store::types::Id,
        guest -> Bool,
        active -> Bool,
        name -> Text,
        name_key -> Text,
        nickname -> Nullable<Text>,
        country -> Nullable<Text>,
        club -> Nullable<Text>,
        contact -> Nullable<Text>,
        notes -> Nullable<Text>,
    }
}

table! {
    /// Accounts.
    account (id) {
        id -> crate::store::types::Id,
        player -> Nullable<crate::store::types::Id>,
        roles -> SmallInt,
        active -> Bool,
    }
}

table! {
    /// Logins and password hashes.
    credential (account) {
        account -> crate::store::types::Id,
        login -> Text,
        login_key -> Text,
        password_hash -> Text,
        changed_at -> crate::store::types::UtcTime,
    }
}

table! {
    /// The epoch below which an account's access tokens are worth nothing.
    token_epoch (account) {
        account -> crate::store::types::Id,
        epoch -> Integer,
    }
}

table! {
    /// Families of refresh tokens: one a sign-in.
    session (id) {
        id -> crate::store::types::Id,
        account -> crate::store::types::Id,
        started_at -> crate::store::types::UtcTime,
        ends_at -> crate::store::types::UtcTime,
        revoked_at -> Nullable<crate::store::types::UtcTime>,
    }
}

table! {
    /// Refresh tokens, hashed.
    refresh_token (hash) {
        hash -> Binary,
        session -> crate::store::types::Id,
        expires_at -> crate::store::types::UtcTime,
        rotated_at -> Nullable<crate::store::types::UtcTime>,
        successor_salt -> Binary,
    }
}

table! {
    /// Tokens for scripts, hashed.
    api_token (id) {
        id -> crate::store::types::Id,
        account -> crate::store::types::Id,
        name -> Text,
        hash -> Binary,
        created_at -> crate::store::types::UtcTime,
        expires_at -> Nullable<crate::store::types::UtcTime>,
        revoked_at -> Nullable<crate::store::types::UtcTime>,
    }
}

table! {
    /// Invitations and password resets, hashed.
    one_time_link (hash) {
        hash -> Binary,
        account -> crate::store::types::Id,
        purpose -> Text,
        expires_at -> crate::store::types::UtcTime,
        used_at -> Nullable<crate::store::types::UtcTime>,
    }
}

table! {
    /// Failed sign-ins, counted a window at a time.
    sign_in_attempt (key) {
        key -> Binary,
        window_start -> crate::store::types::UtcTime,
        failures -> Integer,
    }
}

table! {
    /// Chouettes at a glance.
    chouette (id) {
        id -> crate::store::types::Id,
        name -> Text,
        night -> Date,
        status -> Text,
        stake_amount -> Nullable<BigInt>,
        stake_currency -> Nullable<Text>,
        games -> Integer,
        opened_at -> crate::store::types::UtcTime,
        closed_at -> Nullable<crate::store::types::UtcTime>,
    }
}

table! {
    /// Who sits, or sat, at which chouette, with what score in half points.
    seat (chouette, player) {
        chouette -> crate::store::types::Id,
        player -> crate::store::types::Id,
        present -> Bool,
        score -> BigInt,
    }
}

table! {
    /// One for every finished game, correction and payment, and one for every undo or redo of one.
    ledger_transaction (id) {
        id -> crate::store::types::Id,
        act -> crate::store::types::Id,
        kind -> Text,
        chouette -> crate::store::types::Id,
        game -> Integer,
        version -> BigInt,
        happened_at -> crate::store::types::UtcTime,
        posted_at -> crate::store::types::UtcTime,
    }
}

table! {
    /// The lines of the books, two a bet and unit.
    posting (player, unit, sequence) {
        player -> crate::store::types::Id,
        unit -> Text,
        sequence -> BigInt,
        ledger_transaction -> crate::store::types::Id,
        position -> Integer,
        counterparty -> crate::store::types::Id,
        bet -> Text,
        amount -> BigInt,
        balance -> BigInt,
    }
}

table! {
    /// Where everybody stands, by unit.
    balance (player, unit) {
        player -> crate::store::types::Id,
        unit -> Text,
        amount -> BigInt,
        sequence -> BigInt,
    }
}

joinable!(journal -> stream (stream));
joinable!(posting -> ledger_transaction (ledger_transaction));
joinable!(refresh_token -> session (session));
joinable!(seat -> chouette (chouette));
joinable!(seat -> player (player));
allow_tables_to_appear_in_same_query!(
    account,
    api_token,
    balance,
    chouette,
    club,
    credential,
    idempotency,
    journal,
    ledger_transaction,
    one_time_link,
    player,
    posting,
    refresh_token,
    seat,
    session,
    sign_in_attempt,
    stream,
    token_epoch,
);
