-- The treasurer's books: more accounts of the club's, the night of every transaction and the day it counts for, sums by day and month,
-- a chain of hashes over all transactions and over every stream; and nothing of it can be changed any more.

-- The day it belongs to, the day it counts for (another one if its month was closed), and the transaction that it takes back.
ALTER TABLE ledger_transaction ADD COLUMN night DATE, ADD COLUMN booked_on DATE, ADD COLUMN reverses UUID;
UPDATE ledger_transaction SET night = COALESCE(
    (SELECT chouette.night FROM chouette WHERE chouette.id = ledger_transaction.stream),
    CAST(ledger_transaction.happened_at AT TIME ZONE 'UTC' AS DATE)
);
UPDATE ledger_transaction SET booked_on = night;
UPDATE ledger_transaction SET reverses = (
    SELECT first.id FROM journal JOIN ledger_transaction AS first
    ON first.stream = journal.stream AND first.act = CAST(journal.payload ->> 'act' AS UUID) AND first.game = ledger_transaction.game
    WHERE journal.stream = ledger_transaction.stream AND journal.version = ledger_transaction.version AND journal.kind = 'undone'
) WHERE kind = 'reversal';
ALTER TABLE ledger_transaction ALTER COLUMN night SET NOT NULL, ALTER COLUMN booked_on SET NOT NULL,
    ADD CONSTRAINT ledger_transaction_reverses_fkey FOREIGN KEY (reverses) REFERENCES ledger_transaction (id);

ALTER TABLE posting ADD COLUMN booked_on DATE;
UPDATE posting SET booked_on = ledger_transaction.booked_on FROM ledger_transaction
WHERE ledger_transaction.id = posting.ledger_transaction;
ALTER TABLE posting ALTER COLUMN booked_on SET NOT NULL,
    DROP CONSTRAINT posting_holder_kind_check,
    DROP CONSTRAINT posting_counterparty_kind_check,
    DROP CONSTRAINT posting_check1,
    ADD CONSTRAINT posting_holder_kind_check
        CHECK (holder_kind IN ('player', 'pool', 'house', 'bank', 'opening', 'rounding', 'outside')),
    ADD CONSTRAINT posting_counterparty_kind_check
        CHECK (counterparty_kind IN ('player', 'pool', 'house', 'bank', 'opening', 'rounding', 'outside')),
    ADD CONSTRAINT posting_check1 CHECK (unit <> 'half_points' OR holder_kind IN ('player', 'opening'));
CREATE INDEX posting_day ON posting (holder, unit, booked_on, sequence);
ALTER TABLE balance DROP CONSTRAINT balance_holder_kind_check,
    ADD CONSTRAINT balance_holder_kind_check
        CHECK (holder_kind IN ('player', 'pool', 'house', 'bank', 'opening', 'rounding', 'outside'));

-- What an account's postings of a day, and of a month, come to, by kind. A month is known by its first day.
CREATE TABLE day_turnover (
    holder UUID NOT NULL,
    unit TEXT NOT NULL,
    day DATE NOT NULL,
    kind TEXT NOT NULL,
    holder_kind TEXT NOT NULL,
    amount BIGINT NOT NULL,
    postings BIGINT NOT NULL,
    PRIMARY KEY (holder, unit, day, kind)
);
INSERT INTO day_turnover (holder, unit, day, kind, holder_kind, amount, postings)
SELECT holder, unit, booked_on, kind, holder_kind, sum(amount), count(*) FROM posting
GROUP BY holder, unit, booked_on, kind, holder_kind;
CREATE TABLE month_turnover (
    holder UUID NOT NULL,
    unit TEXT NOT NULL,
    month DATE NOT NULL,
    kind TEXT NOT NULL,
    holder_kind TEXT NOT NULL,
    amount BIGINT NOT NULL,
    postings BIGINT NOT NULL,
    PRIMARY KEY (holder, unit, month, kind)
);
INSERT INTO month_turnover (holder, unit, month, kind, holder_kind, amount, postings)
SELECT holder, unit, CAST(date_trunc('month', day) AS DATE), kind, holder_kind, sum(amount), sum(postings) FROM day_turnover
GROUP BY holder, unit, CAST(date_trunc('month', day) AS DATE), kind, holder_kind;

-- Once for a statement, however many postings it makes, and in one order, so that two cannot deadlock.
CREATE FUNCTION posting_came() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO day_turnover (holder, unit, day, kind, holder_kind, amount, postings)
    SELECT holder, unit, booked_on, kind, min(holder_kind), sum(amount), count(*) FROM came
    GROUP BY holder, unit, booked_on, kind ORDER BY holder, unit, booked_on, kind
    ON CONFLICT (holder, unit, day, kind)
    DO UPDATE SET amount = day_turnover.amount + excluded.amount, postings = day_turnover.postings + excluded.postings;
    INSERT INTO month_turnover (holder, unit, month, kind, holder_kind, amount, postings)
    SELECT holder, unit, CAST(date_trunc('month', booked_on) AS DATE), kind, min(holder_kind), sum(amount), count(*) FROM came
    GROUP BY holder, unit, CAST(date_trunc('month', booked_on) AS DATE), kind ORDER BY 1, 2, 3, 4
    ON CONFLICT (holder, unit, month, kind)
    DO UPDATE SET amount = month_turnover.amount + excluded.amount, postings = month_turnover.postings + excluded.postings;
    RETURN NULL;
END
$$;
CREATE TRIGGER posting_came AFTER INSERT ON posting REFERENCING NEW TABLE AS came
FOR EACH STATEMENT EXECUTE FUNCTION posting_came();

-- The chain: every transaction by its number, in order of posting, with a hash over it and the one before.
CREATE TABLE book_chain (
    number BIGINT NOT NULL PRIMARY KEY CHECK (number > 0),
    ledger_transaction UUID NOT NULL UNIQUE REFERENCES ledger_transaction (id),
    hash BYTEA NOT NULL
);
-- Its last link, and the last day of the months that are closed. Who posts or closes locks it.
CREATE TABLE book_head (
    id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
    number BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    closed_through DATE
);
INSERT INTO book_head (id, number, hash, closed_through)
VALUES (1, 0, decode(repeat('00', 32), 'hex'), NULL);
INSERT INTO unfilled (name) VALUES ('book_chain'), ('journal') ON CONFLICT DO NOTHING;

-- A hash over the entry and the one before it in its stream.
ALTER TABLE journal ADD COLUMN hash BYTEA;

-- Nothing that was posted, chained or recorded is ever changed or deleted.
CREATE FUNCTION books_stay() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a row of % is never changed or deleted', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER posting_stays BEFORE UPDATE OR DELETE ON posting FOR EACH ROW EXECUTE FUNCTION books_stay();
CREATE TRIGGER posting_remains BEFORE TRUNCATE ON posting FOR EACH STATEMENT EXECUTE FUNCTION books_stay();
CREATE TRIGGER transaction_stays BEFORE UPDATE OR DELETE ON ledger_transaction
FOR EACH ROW EXECUTE FUNCTION books_stay();
CREATE TRIGGER transaction_remains BEFORE TRUNCATE ON ledger_transaction
FOR EACH STATEMENT EXECUTE FUNCTION books_stay();
CREATE TRIGGER chain_stays BEFORE UPDATE OR DELETE ON book_chain FOR EACH ROW EXECUTE FUNCTION books_stay();
CREATE TRIGGER chain_remains BEFORE TRUNCATE ON book_chain FOR EACH STATEMENT EXECUTE FUNCTION books_stay();
CREATE FUNCTION journal_stays() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.hash IS NULL THEN
        OLD.hash := NEW.hash;
        IF OLD IS NOT DISTINCT FROM NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'the journal is never changed';
END
$$;
CREATE TRIGGER journal_stays BEFORE UPDATE ON journal FOR EACH ROW EXECUTE FUNCTION journal_stays();
CREATE TRIGGER journal_remains BEFORE DELETE ON journal FOR EACH ROW EXECUTE FUNCTION books_stay();
CREATE TRIGGER journal_is_kept BEFORE TRUNCATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION books_stay();
