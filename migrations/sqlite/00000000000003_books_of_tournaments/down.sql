-- Back to books of chouettes and players alone. A club whose books hold more keeps what it has: what cannot be said in
-- the older tables is refused by their foreign keys, and nothing is changed.
ALTER TABLE posting RENAME TO posting_of_all;
ALTER TABLE ledger_transaction RENAME TO transaction_of_all;
ALTER TABLE balance RENAME TO balance_of_all;

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
INSERT INTO ledger_transaction (id, act, kind, chouette, game, version, happened_at, posted_at)
SELECT id, act, kind, stream, game, version, happened_at, posted_at FROM transaction_of_all;

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
INSERT INTO posting (player, unit, sequence, ledger_transaction, position, counterparty, bet, amount, balance)
SELECT holder, unit, sequence, ledger_transaction, position, counterparty, kind, amount, balance FROM posting_of_all;

CREATE TABLE balance (
    player TEXT NOT NULL REFERENCES player (id),
    unit TEXT NOT NULL,
    amount BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (player, unit)
) WITHOUT ROWID;
INSERT INTO balance (player, unit, amount, sequence)
SELECT holder, unit, amount, sequence FROM balance_of_all;

DROP TABLE balance_of_all;
DROP TABLE posting_of_all;
DROP TABLE transaction_of_all;
CREATE UNIQUE INDEX ledger_transaction_chouette ON ledger_transaction (chouette, version, game);
CREATE INDEX posting_transaction ON posting (ledger_transaction);
