-- The books are of tournaments and matches too. A transaction comes from a stream, whatever its kind; an account is a
-- player's, a tournament's pool's or the house's, so no table stands behind it: `owlbox verify` holds the books against
-- the journal.
ALTER TABLE posting RENAME TO posting_of_chouettes;
ALTER TABLE ledger_transaction RENAME TO transaction_of_chouettes;
ALTER TABLE balance RENAME TO balance_of_chouettes;

-- Amounts are half points (unit 'half_points') or minor units of the currency named.
CREATE TABLE ledger_transaction (
    id TEXT NOT NULL PRIMARY KEY,
    act TEXT NOT NULL,
    kind TEXT NOT NULL,
    stream TEXT NOT NULL REFERENCES stream (id),
    game INTEGER NOT NULL,
    -- The stream's version after the act, which orders its transactions.
    version BIGINT NOT NULL,
    happened_at TEXT NOT NULL,
    posted_at TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO ledger_transaction (id, act, kind, stream, game, version, happened_at, posted_at)
SELECT id, act, kind, chouette, game, version, happened_at, posted_at FROM transaction_of_chouettes;

-- A holder is a player's id, a tournament's, or the one that stands for the house.
CREATE TABLE posting (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    holder_kind TEXT NOT NULL CHECK (holder_kind IN ('player', 'pool', 'house')),
    ledger_transaction TEXT NOT NULL REFERENCES ledger_transaction (id),
    position INTEGER NOT NULL,
    counterparty TEXT NOT NULL,
    counterparty_kind TEXT NOT NULL CHECK (counterparty_kind IN ('player', 'pool', 'house')),
    kind TEXT NOT NULL,
    amount BIGINT NOT NULL,
    balance BIGINT NOT NULL,
    PRIMARY KEY (holder, unit, sequence),
    CHECK ((holder_kind = 'house') = (holder = '6f776c62-6f78-0000-8000-000000000002')),
    CHECK (unit <> 'half_points' OR holder_kind = 'player')
) WITHOUT ROWID;
INSERT INTO posting (
    holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty, counterparty_kind, kind, amount,
    balance
)
SELECT player, unit, sequence, 'player', ledger_transaction, position, counterparty, 'player', bet, amount, balance
FROM posting_of_chouettes;

CREATE TABLE balance (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    holder_kind TEXT NOT NULL CHECK (holder_kind IN ('player', 'pool', 'house')),
    amount BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (holder, unit)
) WITHOUT ROWID;
INSERT INTO balance (holder, unit, holder_kind, amount, sequence)
SELECT player, unit, 'player', amount, sequence FROM balance_of_chouettes;

DROP TABLE balance_of_chouettes;
DROP TABLE posting_of_chouettes;
DROP TABLE transaction_of_chouettes;
CREATE UNIQUE INDEX ledger_transaction_stream ON ledger_transaction (stream, version, game);
CREATE INDEX posting_transaction ON posting (ledger_transaction);
