-- The daybook's records stay in the journal, which a program without it refuses; accounts that there were not before are refused here.
DROP TRIGGER journal_remains;
DROP TRIGGER journal_stays;
ALTER TABLE journal DROP COLUMN hash;
DROP TABLE book_head;
DROP TABLE book_chain;
DROP TABLE month_turnover;
DROP TABLE day_turnover;
DROP TRIGGER posting_came;
DROP TRIGGER posting_is_new;
DROP TRIGGER posting_stays;
DROP TRIGGER posting_remains;
DROP TRIGGER transaction_is_new;
DROP TRIGGER transaction_stays;
DROP TRIGGER transaction_remains;
ALTER TABLE posting RENAME TO posting_after;
ALTER TABLE ledger_transaction RENAME TO transaction_after;
ALTER TABLE balance RENAME TO balance_after;
DROP INDEX ledger_transaction_stream;
DROP INDEX posting_transaction;
DROP INDEX posting_day;

CREATE TABLE ledger_transaction (
    id TEXT NOT NULL PRIMARY KEY,
    act TEXT NOT NULL,
    kind TEXT NOT NULL,
    stream TEXT NOT NULL REFERENCES stream (id),
    game INTEGER NOT NULL,
    -- The stream's version after the act, which orders its transactions.
    version BIGINT NOT NULL,
    happened_at TEXT NOT NULL,
    posted_at TEXT NOT NULL,
    variant TEXT
) WITHOUT ROWID;
INSERT INTO ledger_transaction (id, act, kind, stream, game, version, happened_at, posted_at, variant)
SELECT id, act, kind, stream, game, version, happened_at, posted_at, variant FROM transaction_after;
CREATE UNIQUE INDEX ledger_transaction_stream ON ledger_transaction (stream, version, game);

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
    holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty, counterparty_kind, kind, amount, balance
)
SELECT holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty, counterparty_kind, kind, amount, balance
FROM posting_after;
CREATE INDEX posting_transaction ON posting (ledger_transaction);

CREATE TABLE balance (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    holder_kind TEXT NOT NULL CHECK (holder_kind IN ('player', 'pool', 'house')),
    amount BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (holder, unit)
) WITHOUT ROWID;
INSERT INTO balance (holder, unit, holder_kind, amount, sequence)
SELECT holder, unit, holder_kind, amount, sequence FROM balance_after;
DROP TABLE balance_after;
DROP TABLE posting_after;
DROP TABLE transaction_after;
DELETE FROM unfilled WHERE name IN ('book_chain', 'journal');
