-- The treasurer's books: more accounts of the club's, the night of every transaction and the day it counts for, sums by day and month,
-- a chain of hashes over all transactions and over every stream; and nothing of it can be changed any more.
ALTER TABLE posting RENAME TO posting_before;
ALTER TABLE ledger_transaction RENAME TO transaction_before;
ALTER TABLE balance RENAME TO balance_before;
DROP INDEX ledger_transaction_stream;
DROP INDEX posting_transaction;

-- Amounts are half points (unit 'half_points') or minor units of the currency named.
CREATE TABLE ledger_transaction (
    id TEXT NOT NULL PRIMARY KEY,
    act TEXT NOT NULL,
    kind TEXT NOT NULL,
    stream TEXT NOT NULL REFERENCES stream (id),
    game INTEGER NOT NULL,
    variant TEXT,
    -- The stream's version after the act, which orders its transactions.
    version BIGINT NOT NULL,
    happened_at TEXT NOT NULL,
    posted_at TEXT NOT NULL,
    -- The day it belongs to, and the day it counts for: another one if its month was closed.
    night DATE NOT NULL,
    booked_on DATE NOT NULL,
    -- The transaction that it takes back.
    reverses TEXT REFERENCES ledger_transaction (id)
) WITHOUT ROWID;
INSERT INTO ledger_transaction (
    id, act, kind, stream, game, variant, version, happened_at, posted_at, night, booked_on, reverses
)
SELECT moved.id, moved.act, moved.kind, moved.stream, moved.game, moved.variant, moved.version, moved.happened_at, moved.posted_at,
    COALESCE(chouette.night, substr(moved.happened_at, 1, 10)), COALESCE(chouette.night, substr(moved.happened_at, 1, 10)), NULL
FROM transaction_before AS moved LEFT JOIN chouette ON chouette.id = moved.stream;
UPDATE ledger_transaction SET reverses = (
    SELECT first.id FROM journal JOIN ledger_transaction AS first
    ON first.stream = journal.stream AND first.act = json_extract(journal.payload, '$.act') AND first.game = ledger_transaction.game
    WHERE journal.stream = ledger_transaction.stream AND journal.version = ledger_transaction.version AND journal.kind = 'undone'
) WHERE kind = 'reversal';
CREATE UNIQUE INDEX ledger_transaction_stream ON ledger_transaction (stream, version, game);

-- A holder is a player's id, a tournament's, or one that stands for an account of the club.
CREATE TABLE posting (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    holder_kind TEXT NOT NULL
        CHECK (holder_kind IN ('player', 'pool', 'house', 'bank', 'opening', 'rounding', 'outside')),
    ledger_transaction TEXT NOT NULL REFERENCES ledger_transaction (id),
    position INTEGER NOT NULL,
    counterparty TEXT NOT NULL,
    counterparty_kind TEXT NOT NULL
        CHECK (counterparty_kind IN ('player', 'pool', 'house', 'bank', 'opening', 'rounding', 'outside')),
    kind TEXT NOT NULL,
    amount BIGINT NOT NULL,
    balance BIGINT NOT NULL,
    booked_on DATE NOT NULL,
    PRIMARY KEY (holder, unit, sequence),
    CHECK ((holder_kind = 'house') = (holder = '6f776c62-6f78-0000-8000-000000000002')),
    CHECK (unit <> 'half_points' OR holder_kind IN ('player', 'opening'))
) WITHOUT ROWID;
INSERT INTO posting (
    holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty, counterparty_kind, kind, amount, balance, booked_on
)
SELECT moved.holder, moved.unit, moved.sequence, moved.holder_kind, moved.ledger_transaction, moved.position, moved.counterparty,
    moved.counterparty_kind, moved.kind, moved.amount, moved.balance, ledger_transaction.booked_on
FROM posting_before AS moved JOIN ledger_transaction ON ledger_transaction.id = moved.ledger_transaction;
CREATE INDEX posting_transaction ON posting (ledger_transaction);
CREATE INDEX posting_day ON posting (holder, unit, booked_on, sequence);

CREATE TABLE balance (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    holder_kind TEXT NOT NULL
        CHECK (holder_kind IN ('player', 'pool', 'house', 'bank', 'opening', 'rounding', 'outside')),
    amount BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (holder, unit)
) WITHOUT ROWID;
INSERT INTO balance (holder, unit, holder_kind, amount, sequence)
SELECT holder, unit, holder_kind, amount, sequence FROM balance_before;

DROP TABLE balance_before;
DROP TABLE posting_before;
DROP TABLE transaction_before;

-- What an account's postings of a day, and of a month, come to, by kind. A month is known by its first day.
CREATE TABLE day_turnover (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    day DATE NOT NULL,
    kind TEXT NOT NULL,
    holder_kind TEXT NOT NULL,
    amount BIGINT NOT NULL,
    postings BIGINT NOT NULL,
    PRIMARY KEY (holder, unit, day, kind)
) WITHOUT ROWID;
INSERT INTO day_turnover (holder, unit, day, kind, holder_kind, amount, postings)
SELECT holder, unit, booked_on, kind, holder_kind, sum(amount), count(*) FROM posting
GROUP BY holder, unit, booked_on, kind, holder_kind;
CREATE TABLE month_turnover (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    month DATE NOT NULL,
    kind TEXT NOT NULL,
    holder_kind TEXT NOT NULL,
    amount BIGINT NOT NULL,
    postings BIGINT NOT NULL,
    PRIMARY KEY (holder, unit, month, kind)
) WITHOUT ROWID;
INSERT INTO month_turnover (holder, unit, month, kind, holder_kind, amount, postings)
SELECT holder, unit, strftime('%Y-%m-01', day), kind, holder_kind, sum(amount), sum(postings) FROM day_turnover
GROUP BY holder, unit, strftime('%Y-%m-01', day), kind, holder_kind;

CREATE TRIGGER posting_came AFTER INSERT ON posting BEGIN
    INSERT INTO day_turnover (holder, unit, day, kind, holder_kind, amount, postings)
    VALUES (new.holder, new.unit, new.booked_on, new.kind, new.holder_kind, new.amount, 1)
    ON CONFLICT (holder, unit, day, kind)
    DO UPDATE SET amount = day_turnover.amount + excluded.amount, postings = day_turnover.postings + 1;
    INSERT INTO month_turnover (holder, unit, month, kind, holder_kind, amount, postings)
    VALUES (new.holder, new.unit, strftime('%Y-%m-01', new.booked_on), new.kind, new.holder_kind, new.amount, 1)
    ON CONFLICT (holder, unit, month, kind)
    DO UPDATE SET amount = month_turnover.amount + excluded.amount, postings = month_turnover.postings + 1;
END;

-- The chain: every transaction by its number, in order of posting, with a hash over it and the one before.
CREATE TABLE book_chain (
    number BIGINT NOT NULL PRIMARY KEY CHECK (number > 0),
    ledger_transaction TEXT NOT NULL UNIQUE REFERENCES ledger_transaction (id),
    hash BLOB NOT NULL
) WITHOUT ROWID;
-- Its last link, and the last day of the months that are closed. Who posts or closes locks it.
CREATE TABLE book_head (
    id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
    number BIGINT NOT NULL,
    hash BLOB NOT NULL,
    closed_through DATE
) WITHOUT ROWID;
INSERT INTO book_head (id, number, hash, closed_through) VALUES (1, 0, zeroblob(32), NULL);
INSERT INTO unfilled (name) VALUES ('book_chain'), ('journal') ON CONFLICT DO NOTHING;

-- A hash over the entry and the one before it in its stream.
ALTER TABLE journal ADD COLUMN hash BLOB;

-- Nothing that was posted, chained or recorded is ever changed or deleted.
CREATE TRIGGER posting_is_new BEFORE INSERT ON posting
WHEN EXISTS (SELECT 1 FROM posting WHERE holder = new.holder AND unit = new.unit AND sequence = new.sequence)
BEGIN SELECT RAISE(ABORT, 'a posting is never replaced'); END;
CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END;
CREATE TRIGGER posting_remains BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'a posting is never deleted'); END;
CREATE TRIGGER transaction_is_new BEFORE INSERT ON ledger_transaction
WHEN EXISTS (SELECT 1 FROM ledger_transaction WHERE id = new.id)
BEGIN SELECT RAISE(ABORT, 'a transaction is never replaced'); END;
CREATE TRIGGER transaction_stays BEFORE UPDATE ON ledger_transaction
BEGIN SELECT RAISE(ABORT, 'a transaction is never changed'); END;
CREATE TRIGGER transaction_remains BEFORE DELETE ON ledger_transaction
BEGIN SELECT RAISE(ABORT, 'a transaction is never deleted'); END;
CREATE TRIGGER chain_stays BEFORE UPDATE ON book_chain BEGIN SELECT RAISE(ABORT, 'the chain is never changed'); END;
CREATE TRIGGER chain_remains BEFORE DELETE ON book_chain BEGIN SELECT RAISE(ABORT, 'the chain is never deleted'); END;
CREATE TRIGGER journal_stays BEFORE UPDATE ON journal
WHEN old.hash IS NOT NULL OR new.stream <> old.stream OR new.version <> old.version OR new.act <> old.act OR new.kind <> old.kind
    OR new.format <> old.format OR new.payload <> old.payload OR new.account <> old.account OR new.at <> old.at
BEGIN SELECT RAISE(ABORT, 'the journal is never changed'); END;
CREATE TRIGGER journal_remains BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is never deleted'); END;
