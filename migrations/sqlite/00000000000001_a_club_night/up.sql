-- The journal: every act on every stream, append-only. `stream` holds the head of each.
CREATE TABLE stream (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0)
) WITHOUT ROWID;

CREATE TABLE journal (
    stream TEXT NOT NULL REFERENCES stream (id),
    version BIGINT NOT NULL CHECK (version > 0),
    act TEXT NOT NULL,
    kind TEXT NOT NULL,
    format SMALLINT NOT NULL,
    payload TEXT NOT NULL,
    account TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (stream, version)
) WITHOUT ROWID;

-- What a retried command was answered with: its status, and the stream version to answer from.
CREATE TABLE idempotency (
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash BLOB NOT NULL,
    status SMALLINT NOT NULL,
    stream TEXT NOT NULL,
    version BIGINT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (account, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_at ON idempotency (at);

-- The club: derived from its stream.
CREATE TABLE club (
    id TEXT NOT NULL PRIMARY KEY,
    settings TEXT NOT NULL
) WITHOUT ROWID;

-- Players. `guest` and `active` are derived from the club's stream; the personal columns are plain
-- records, because a person can be erased and the journal stays whole.
CREATE TABLE player (
    id TEXT NOT NULL PRIMARY KEY,
    guest BOOLEAN NOT NULL,
    active BOOLEAN NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    nickname TEXT,
    country TEXT,
    club TEXT,
    contact TEXT,
    notes TEXT
) WITHOUT ROWID;

-- Accounts: derived from the club's stream.
CREATE TABLE account (
    id TEXT NOT NULL PRIMARY KEY,
    player TEXT UNIQUE REFERENCES player (id),
    roles SMALLINT NOT NULL,
    active BOOLEAN NOT NULL
) WITHOUT ROWID;

-- Credentials: plain records, the only ones besides a person's details.
CREATE TABLE credential (
    account TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
    login TEXT NOT NULL,
    login_key TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    changed_at TEXT NOT NULL
) WITHOUT ROWID;

-- Raised to sign an account out everywhere: an access token of an older epoch is worth nothing.
CREATE TABLE token_epoch (
    account TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
    epoch INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE session (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    started_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    revoked_at TEXT
) WITHOUT ROWID;
CREATE INDEX session_account ON session (account);
CREATE INDEX session_ends_at ON session (ends_at);

CREATE TABLE refresh_token (
    hash BLOB NOT NULL PRIMARY KEY,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL,
    rotated_at TEXT,
    successor_salt BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX refresh_token_session ON refresh_token (session);

CREATE TABLE api_token (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
) WITHOUT ROWID;
CREATE INDEX api_token_account ON api_token (account);

CREATE TABLE one_time_link (
    hash BLOB NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    purpose TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT
) WITHOUT ROWID;
CREATE INDEX one_time_link_account ON one_time_link (account);

CREATE TABLE sign_in_attempt (
    key BLOB NOT NULL PRIMARY KEY,
    window_start TEXT NOT NULL,
    failures INTEGER NOT NULL
) WITHOUT ROWID;

-- Chouettes, derived from their streams.
CREATE TABLE chouette (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    night DATE NOT NULL,
    status TEXT NOT NULL,
    stake_amount BIGINT,
    stake_currency TEXT,
    games INTEGER NOT NULL,
    opened_at TEXT NOT NULL,
    closed_at TEXT
) WITHOUT ROWID;
CREATE INDEX chouette_night ON chouette (night, id);
CREATE INDEX chouette_status ON chouette (status, id);

CREATE TABLE seat (
    chouette TEXT NOT NULL REFERENCES chouette (id),
    player TEXT NOT NULL REFERENCES player (id),
    present BOOLEAN NOT NULL,
    score BIGINT NOT NULL,
    PRIMARY KEY (chouette, player)
) WITHOUT ROWID;
-- A player sits at one table at a time.
CREATE UNIQUE INDEX seat_one_table ON seat (player) WHERE present;

-- The books. Amounts are half points (unit 'half_points') or minor units of the currency named.
CREATE TABLE ledger_transaction (
    id TEXT NOT NULL PRIMARY KEY,
    act TEXT NOT NULL,
    kind TEXT NOT NULL,
    chouette TEXT NOT NULL REFERENCES chouette (id),
    game INTEGER NOT NULL,
    -- The chouette's version after the act, which orders its transactions.
    version BIGINT NOT NULL,
    happened_at TEXT NOT NULL,
    posted_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX ledger_transaction_chouette ON ledger_transaction (chouette, version, game);

CREATE TABLE posting (
    player TEXT NOT NULL REFERENCES player (id),
    unit TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    ledger_transaction TEXT NOT NULL REFERENCES ledger_transaction (id),
    position INTEGER NOT NULL,
    counterparty TEXT NOT NULL REFERENCES player (id),
    bet TEXT NOT NULL,
    amount BIGINT NOT NULL,
    balance BIGINT NOT NULL,
    PRIMARY KEY (player, unit, sequence)
) WITHOUT ROWID;
CREATE INDEX posting_transaction ON posting (ledger_transaction);

CREATE TABLE balance (
    player TEXT NOT NULL REFERENCES player (id),
    unit TEXT NOT NULL,
    amount BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (player, unit)
) WITHOUT ROWID;
