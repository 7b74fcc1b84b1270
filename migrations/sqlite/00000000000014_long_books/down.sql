DROP INDEX month_tally_month;
DROP INDEX posting_counterparty;
DROP INDEX posting_kind;
DROP TRIGGER posting_came;
ALTER TABLE month_turnover DROP COLUMN gained;
ALTER TABLE day_turnover DROP COLUMN gained;
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
