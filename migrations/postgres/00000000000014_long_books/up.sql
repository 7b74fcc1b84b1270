-- What is asked of long books without reading all of them: what an account gained on a day and in a month, its lines of a kind and with
-- somebody in their order, and the tallies of a month.
ALTER TABLE day_turnover ADD COLUMN gained BIGINT NOT NULL DEFAULT 0;
ALTER TABLE month_turnover ADD COLUMN gained BIGINT NOT NULL DEFAULT 0;
UPDATE day_turnover SET gained = won.gained FROM (
    SELECT holder, unit, booked_on, kind, sum(amount) AS gained FROM posting WHERE amount > 0 GROUP BY holder, unit, booked_on, kind
) AS won
WHERE won.holder = day_turnover.holder AND won.unit = day_turnover.unit AND won.booked_on = day_turnover.day
    AND won.kind = day_turnover.kind;
UPDATE month_turnover SET gained = won.gained FROM (
    SELECT holder, unit, CAST(date_trunc('month', day) AS DATE) AS month, kind, sum(gained) AS gained FROM day_turnover
    GROUP BY holder, unit, CAST(date_trunc('month', day) AS DATE), kind
) AS won
WHERE won.holder = month_turnover.holder AND won.unit = month_turnover.unit AND won.month = month_turnover.month
    AND won.kind = month_turnover.kind;
CREATE OR REPLACE FUNCTION posting_came() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO day_turnover (holder, unit, day, kind, holder_kind, amount, postings, gained)
    SELECT holder, unit, booked_on, kind, min(holder_kind), sum(amount), count(*), sum(GREATEST(amount, 0)) FROM came
    GROUP BY holder, unit, booked_on, kind ORDER BY holder, unit, booked_on, kind
    ON CONFLICT (holder, unit, day, kind)
    DO UPDATE SET amount = day_turnover.amount + excluded.amount, postings = day_turnover.postings + excluded.postings,
        gained = day_turnover.gained + excluded.gained;
    INSERT INTO month_turnover (holder, unit, month, kind, holder_kind, amount, postings, gained)
    SELECT holder, unit, CAST(date_trunc('month', booked_on) AS DATE), kind, min(holder_kind), sum(amount), count(*), sum(GREATEST(amount, 0)) FROM came
    GROUP BY holder, unit, CAST(date_trunc('month', booked_on) AS DATE), kind ORDER BY 1, 2, 3, 4
    ON CONFLICT (holder, unit, month, kind)
    DO UPDATE SET amount = month_turnover.amount + excluded.amount, postings = month_turnover.postings + excluded.postings,
        gained = month_turnover.gained + excluded.gained;
    RETURN NULL;
END
$$;

CREATE INDEX posting_kind ON posting (holder, unit, kind, booked_on, sequence);
-- With all that is added up of the postings with somebody.
CREATE INDEX posting_counterparty ON posting (holder, unit, counterparty, booked_on, sequence) INCLUDE (kind, amount);
CREATE INDEX month_tally_month ON month_tally (year, month);
