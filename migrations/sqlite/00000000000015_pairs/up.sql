-- What two have played in all years, so that everybody's games with everybody need not be added up from their months. Kept by the
-- database itself, as the tallies of months are.
CREATE TABLE pair_tally (
    player TEXT NOT NULL,
    opponent TEXT NOT NULL,
    kind TEXT NOT NULL,
    variant TEXT NOT NULL,
    began TEXT NOT NULL,
    result TEXT NOT NULL,
    games BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    PRIMARY KEY (player, opponent, kind, variant, began, result)
) WITHOUT ROWID;

INSERT INTO pair_tally
SELECT player, opponent, kind, variant, began, result, sum(games), sum(half_points) FROM month_tally
WHERE player <> '00000000-0000-0000-0000-000000000000' AND opponent <> '00000000-0000-0000-0000-000000000000'
GROUP BY player, opponent, kind, variant, began, result;

CREATE TRIGGER pair_tally_came AFTER INSERT ON game_tally
WHEN new.player <> '00000000-0000-0000-0000-000000000000' AND new.opponent <> '00000000-0000-0000-0000-000000000000' BEGIN
    INSERT INTO pair_tally VALUES (
        new.player, new.opponent, new.kind, new.variant, new.began, new.result, new.games, new.half_points)
    ON CONFLICT (player, opponent, kind, variant, began, result)
    DO UPDATE SET games = pair_tally.games + excluded.games, half_points = pair_tally.half_points + excluded.half_points;
END;

CREATE TRIGGER pair_tally_changed AFTER UPDATE OF games, half_points ON game_tally
WHEN new.player <> '00000000-0000-0000-0000-000000000000' AND new.opponent <> '00000000-0000-0000-0000-000000000000' BEGIN
    INSERT INTO pair_tally VALUES (
        new.player, new.opponent, new.kind, new.variant, new.began, new.result,
        new.games - old.games, new.half_points - old.half_points)
    ON CONFLICT (player, opponent, kind, variant, began, result)
    DO UPDATE SET games = pair_tally.games + excluded.games, half_points = pair_tally.half_points + excluded.half_points;
    DELETE FROM pair_tally
    WHERE player = new.player AND opponent = new.opponent AND kind = new.kind AND variant = new.variant
        AND began = new.began AND result = new.result AND games = 0 AND half_points = 0;
END;

CREATE TRIGGER pair_tally_went AFTER DELETE ON game_tally
WHEN old.player <> '00000000-0000-0000-0000-000000000000' AND old.opponent <> '00000000-0000-0000-0000-000000000000' BEGIN
    INSERT INTO pair_tally VALUES (
        old.player, old.opponent, old.kind, old.variant, old.began, old.result, -old.games, -old.half_points)
    ON CONFLICT (player, opponent, kind, variant, began, result)
    DO UPDATE SET games = pair_tally.games + excluded.games, half_points = pair_tally.half_points + excluded.half_points;
    DELETE FROM pair_tally
    WHERE player = old.player AND opponent = old.opponent AND kind = old.kind AND variant = old.variant
        AND began = old.began AND result = old.result AND games = 0 AND half_points = 0;
END;

-- What an account's postings with one other account come to in a month, so that a statement with somebody need not add up all that the
-- two ever played.
CREATE TABLE pair_turnover (
    holder TEXT NOT NULL,
    unit TEXT NOT NULL,
    counterparty TEXT NOT NULL,
    month DATE NOT NULL,
    amount BIGINT NOT NULL,
    postings BIGINT NOT NULL,
    gained BIGINT NOT NULL,
    PRIMARY KEY (holder, unit, counterparty, month)
) WITHOUT ROWID;

INSERT INTO pair_turnover
SELECT holder, unit, counterparty, strftime('%Y-%m-01', booked_on), sum(amount), count(*), sum(max(amount, 0)) FROM posting
GROUP BY holder, unit, counterparty, strftime('%Y-%m-01', booked_on);

CREATE TRIGGER pair_turned_over AFTER INSERT ON posting BEGIN
    INSERT INTO pair_turnover
    VALUES (new.holder, new.unit, new.counterparty, strftime('%Y-%m-01', new.booked_on), new.amount, 1, max(new.amount, 0))
    ON CONFLICT (holder, unit, counterparty, month)
    DO UPDATE SET amount = pair_turnover.amount + excluded.amount, postings = pair_turnover.postings + 1,
        gained = pair_turnover.gained + excluded.gained;
END;
