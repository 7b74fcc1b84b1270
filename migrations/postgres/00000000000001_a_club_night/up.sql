-- The journal: every act on every stream, append-only. `stream` holds the head of each.
CREATE TABLE stream (
    id UUID NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0)
);

CREATE TABLE journal (
    stream UUID NOT NULL REFERENCES stream (id),
    version BIGINT NOT NULL CHECK (version > 0),
    act UUID NOT NULL,
    kind TEXT NOT NULL,
    format SMALLINT NOT NULL,
    payload JSONB NOT NULL,
    account UUID NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (stream, version)
);

-- What a retried command was answered with: its status, and the stream version to answer from.
CREATE TABLE idempotency (
    account UUID NOT NULL,
    key TEXT NOT NULL,
    request_hash BYTEA NOT NULL,
    status SMALLINT NOT NULL,
    stream UUID NOT NULL,
    version BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_at ON idempotency (at);

-- The club: derived from its stream.
CREATE TABLE club (
    id UUID NOT NULL PRIMARY KEY,
    settings JSONB NOT NULL
);

-- Players. `guest` and `active` are derived from the club's stream; the personal columns are plain
-- records, because a person can be erased and the journal stays whole.
CREATE TABLE player (
    id UUID NOT NULL PRIMARY KEY,
    guest BOOLEAN NOT NULL,
    active BOOLEAN NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    nickname TEXT,
    country TEXT,
    club TEXT,
    contact TEXT,
    notes TEXT
);

-- Accounts: derived from the club's stream.
CREATE TABLE account (
    id UUID NOT NULL PRIMARY KEY,
    player UUID UNIQUE REFERENCES player (id),
    roles SMALLINT NOT NULL,
    active BOOLEAN NOT NULL
);

-- Credentials: plain records, the only ones besides a person's details.
CREATE TABLE credential (
    account UUID NOT NULL PRIMARY KEY REFERENCES account (id),
    login TEXT NOT NULL,
    login_key TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL
);

-- Raised to sign an account out everywhere: an access token of an older epoch is worth nothing.
CREATE TABLE token_epoch (
    account UUID NOT NULL PRIMARY KEY REFERENCES account (id),
    epoch INTEGER NOT NULL
);

CREATE TABLE session (
    id UUID NOT NULL PRIMARY KEY,
    account UUID NOT NULL REFERENCES account (id),
    started_at TIMESTAMPTZ NOT NULL,
    ends_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
);
CREATE INDEX session_account ON session (account);
CREATE INDEX session_ends_at ON session (ends_at);

CREATE TABLE refresh_token (
    hash BYTEA NOT NULL PRIMARY KEY,
    session UUID NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    expires_at TIMESTAMPTZ NOT NULL,
    rotated_at TIMESTAMPTZ,
    successor_salt BYTEA NOT NULL
);
CREATE INDEX refresh_token_session ON refresh_token (session);

CREATE TABLE api_token (
    id UUID NOT NULL PRIMARY KEY,
    account UUID NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    hash BYTEA NOT NULL UNIQUE,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ
);
CREATE INDEX api_token_account ON api_token (account);

CREATE TABLE one_time_link (
    hash BYTEA NOT NULL PRIMARY KEY,
    account UUID NOT NULL REFERENCES account (id),
    purpose TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE INDEX one_time_link_account ON one_time_link (account);

CREATE TABLE sign_in_attempt (
    key BYTEA NOT NULL PRIMARY KEY,
    window_start TIMESTAMPTZ NOT NULL,
    failures INTEGER NOT NULL
);

-- Chouettes, derived from their streams.
CREATE TABLE chouette (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    night DATE NOT NULL,
    status TEXT NOT NULL,
    stake_amount BIGINT,
    stake_currency TEXT,
    games INTEGER NOT NULL,
    opened_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ
);
CREATE INDEX chouette_night ON chouette (night, id);
CREATE INDEX chouette_status ON chouette (status, id);

CREATE TABLE seat (
    chouette UUID NOT NULL REFERENCES chouette (id),
    player UUID NOT NULL REFERENCES player (id),
    present BOOLEAN NOT NULL,
    score BIGINT NOT NULL,
    PRIMARY KEY (chouette, player)
);
-- A player sits at one table at a time.
CREATE UNIQUE INDEX seat_one_table ON seat (player) WHERE present;

-- The books. Amounts are half points (unit 'half_points') or minor units of the currency named.
CREATE TABLE ledger_transaction (
    id UUID NOT NULL PRIMARY KEY,
    act UUID NOT NULL,
    kind TEXT NOT NULL,
    chouette UUID NOT NULL REFERENCES chouette (id),
    game INTEGER NOT NULL,
    -- The chouette's version after the act, which orders its transactions.
    version BIGINT NOT NULL,
    happened_at TIMESTAMPTZ NOT NULL,
    posted_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX ledger_transaction_chouette ON ledger_transaction (chouette, version, game);

CREATE TABLE posting (
    player UUID NOT NULL REFERENCES player (id),
    unit TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    ledger_transaction UUID NOT NULL REFERENCES ledger_transaction (id),
    position INTEGER NOT NULL,
    counterparty UUID NOT NULL REFERENCES player (id),
    bet TEXT NOT NULL,
    amount BIGINT NOT NULL,
    balance BIGINT NOT NULL,
    PRIMARY KEY (player, unit, sequence)
);
CREATE INDEX posting_transaction ON posting (ledger_transaction);

CREATE TABLE balance (
    player UUID NOT NULL REFERENCES player (id),
    unit TEXT NOT NULL,
    amount BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (player, unit)
);
