-- What is asked of long books without reading all of them: what an account gained on a day and in a month, its lines of a kind and with
-- somebody in their order, and the tallies of a month.
ALTER TABLE day_turnover ADD COLUMN gained BIGINT NOT NULL DEFAULT 0;
ALTER TABLE month_turnover ADD COLUMN gained BIGINT NOT NULL DEFAULT 0;
UPDATE day_turnover SET gained = COALESCE((
    SELECT sum(posting.amount) FROM posting
    WHERE posting.holder = day_turnover.holder AND posting.unit = day_turnover.unit AND posting.booked_on = day_turnover.day
        AND posting.kind = day_turnover.kind AND posting.amount > 0
), 0);
UPDATE month_turnover SET gained = (
    SELECT sum(day_turnover.gained) FROM day_turnover
    WHERE day_turnover.holder = month_turnover.holder AND day_turnover.unit = month_turnover.unit
        AND day_turnover.kind = month_turnover.kind
        AND day_turnover.day BETWEEN month_turnover.month AND date(month_turnover.month, '+1 month', '-1 day')
);
DROP TRIGGER posting_came;
CREATE TRIGGER posting_came AFTER INSERT ON posting BEGIN
    INSERT INTO day_turnover (holder, unit, day, kind, holder_kind, amount, postings, gained)
    VALUES (new.holder, new.unit, new.booked_on, new.kind, new.holder_kind, new.amount, 1, max(new.amount, 0))
    ON CONFLICT (holder, unit, day, kind)
    DO UPDATE SET amount = day_turnover.amount + excluded.amount, postings = day_turnover.postings + 1,
        gained = day_turnover.gained + excluded.gained;
    INSERT INTO month_turnover (holder, unit, month, kind, holder_kind, amount, postings, gained)
    VALUES (
        new.holder, new.unit, strftime('%Y-%m-01', new.booked_on), new.kind, new.holder_kind, new.amount, 1, max(new.amount, 0))
    ON CONFLICT (holder, unit, month, kind)
    DO UPDATE SET amount = month_turnover.amount + excluded.amount, postings = month_turnover.postings + 1,
        gained = month_turnover.gained + excluded.gained;
END;

CREATE INDEX posting_kind ON posting (holder, unit, kind, booked_on, sequence);
-- With all that is added up of the postings with somebody.
CREATE INDEX posting_counterparty ON posting (holder, unit, counterparty, booked_on, sequence, kind, amount);
CREATE INDEX month_tally_month ON month_tally (year, month);
