-- What two have played in all years, so that everybody's games with everybody need not be added up from their months. Kept by the
-- database itself, as the tallies of months are.
CREATE TABLE pair_tally (
    player UUID NOT NULL,
    opponent UUID NOT NULL,
    kind TEXT NOT NULL,
    variant TEXT NOT NULL,
    began TEXT NOT NULL,
    result TEXT NOT NULL,
    games BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    PRIMARY KEY (player, opponent, kind, variant, began, result)
);

INSERT INTO pair_tally
SELECT player, opponent, kind, variant, began, result, sum(games), sum(half_points) FROM month_tally
WHERE player <> '00000000-0000-0000-0000-000000000000' AND opponent <> '00000000-0000-0000-0000-000000000000'
GROUP BY player, opponent, kind, variant, began, result;

CREATE FUNCTION pair_tally_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    tally game_tally;
BEGIN
    -- The row, with what it has become more or less.
    IF TG_OP = 'DELETE' THEN
        tally := OLD;
        tally.games := -OLD.games;
        tally.half_points := -OLD.half_points;
    ELSE
        tally := NEW;
        IF TG_OP = 'UPDATE' THEN
            tally.games := NEW.games - OLD.games;
            tally.half_points := NEW.half_points - OLD.half_points;
        END IF;
    END IF;
    IF tally.player <> '00000000-0000-0000-0000-000000000000' AND tally.opponent <> '00000000-0000-0000-0000-000000000000' THEN
        INSERT INTO pair_tally VALUES (
            tally.player, tally.opponent, tally.kind, tally.variant, tally.began, tally.result, tally.games, tally.half_points)
        ON CONFLICT (player, opponent, kind, variant, began, result)
        DO UPDATE SET games = pair_tally.games + excluded.games, half_points = pair_tally.half_points + excluded.half_points;
        DELETE FROM pair_tally
        WHERE player = tally.player AND opponent = tally.opponent AND kind = tally.kind AND variant = tally.variant
            AND began = tally.began AND result = tally.result AND games = 0 AND half_points = 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER pair_tally_changed AFTER INSERT OR DELETE OR UPDATE OF games, half_points ON game_tally
FOR EACH ROW EXECUTE FUNCTION pair_tally_changed();

-- What an account's postings with one other account come to in a month, so that a statement with somebody need not add up all that the
-- two ever played.
CREATE TABLE pair_turnover (
    holder UUID NOT NULL,
    unit TEXT NOT NULL,
    counterparty UUID NOT NULL,
    month DATE NOT NULL,
    amount BIGINT NOT NULL,
    postings BIGINT NOT NULL,
    gained BIGINT NOT NULL,
    PRIMARY KEY (holder, unit, counterparty, month)
);

INSERT INTO pair_turnover
SELECT holder, unit, counterparty, CAST(date_trunc('month', booked_on) AS DATE), sum(amount), count(*), sum(GREATEST(amount, 0)) FROM posting
GROUP BY holder, unit, counterparty, CAST(date_trunc('month', booked_on) AS DATE);

-- Once for a statement, however many postings it makes, and in one order, so that two cannot deadlock.
CREATE FUNCTION pair_turned_over() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pair_turnover
    SELECT holder, unit, counterparty, CAST(date_trunc('month', booked_on) AS DATE), sum(amount), count(*), sum(GREATEST(amount, 0)) FROM came
    GROUP BY holder, unit, counterparty, CAST(date_trunc('month', booked_on) AS DATE) ORDER BY 1, 2, 3, 4
    ON CONFLICT (holder, unit, counterparty, month)
    DO UPDATE SET amount = pair_turnover.amount + excluded.amount, postings = pair_turnover.postings + excluded.postings,
        gained = pair_turnover.gained + excluded.gained;
    RETURN NULL;
END
$$;
CREATE TRIGGER pair_turned_over AFTER INSERT ON posting REFERENCING NEW TABLE AS came
FOR EACH STATEMENT EXECUTE FUNCTION pair_turned_over();
