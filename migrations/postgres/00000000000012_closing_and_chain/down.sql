-- The daybook's records stay in the journal, which a program without it refuses; accounts that there were not before are refused here.
DROP TRIGGER journal_is_kept ON journal;
DROP TRIGGER journal_remains ON journal;
DROP TRIGGER journal_stays ON journal;
DROP TRIGGER transaction_remains ON ledger_transaction;
DROP TRIGGER transaction_stays ON ledger_transaction;
DROP TRIGGER posting_remains ON posting;
DROP TRIGGER posting_stays ON posting;
DROP TRIGGER posting_came ON posting;
ALTER TABLE journal DROP COLUMN hash;
DROP TABLE book_head;
DROP TABLE book_chain;
DROP TABLE month_turnover;
DROP TABLE day_turnover;
DROP FUNCTION posting_came;
DROP FUNCTION journal_stays;
DROP FUNCTION books_stay;
ALTER TABLE balance DROP CONSTRAINT balance_holder_kind_check,
    ADD CONSTRAINT balance_holder_kind_check CHECK (holder_kind IN ('player', 'pool', 'house'));
DROP INDEX posting_day;
ALTER TABLE posting DROP COLUMN booked_on,
    DROP CONSTRAINT posting_holder_kind_check,
    DROP CONSTRAINT posting_counterparty_kind_check,
    DROP CONSTRAINT posting_check1,
    ADD CONSTRAINT posting_holder_kind_check CHECK (holder_kind IN ('player', 'pool', 'house')),
    ADD CONSTRAINT posting_counterparty_kind_check CHECK (counterparty_kind IN ('player', 'pool', 'house')),
    ADD CONSTRAINT posting_check1 CHECK (unit <> 'half_points' OR holder_kind = 'player');
ALTER TABLE ledger_transaction DROP COLUMN reverses, DROP COLUMN booked_on, DROP COLUMN night;
DELETE FROM unfilled WHERE name IN ('book_chain', 'journal');
