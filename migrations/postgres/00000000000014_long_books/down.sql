DROP INDEX month_tally_month;
DROP INDEX posting_counterparty;
DROP INDEX posting_kind;
CREATE OR REPLACE FUNCTION posting_came() RETURNS TRIGGER LANGUAGE plpgsql AS $$
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
ALTER TABLE month_turnover DROP COLUMN gained;
ALTER TABLE day_turnover DROP COLUMN gained;
