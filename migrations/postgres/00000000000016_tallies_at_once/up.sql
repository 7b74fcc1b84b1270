-- Sums of tallies are kept once for a statement, however many tallies it changes, and in one order: commands that are committed
-- together change dozens at once. (A statement that adds some tallies and changes others has its sums changed in two steps. So two can
-- still deadlock over them, and one is tried again.)
DROP TRIGGER pair_tally_changed ON game_tally;
DROP FUNCTION pair_tally_changed();
DROP TRIGGER game_tally_changed ON game_tally;
DROP FUNCTION game_tally_changed();

CREATE FUNCTION game_tally_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- The rows, with what they have become more or less.
    changes game_tally[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        changes := ARRAY(SELECT ROW(came.*)::game_tally FROM came);
    ELSIF TG_OP = 'DELETE' THEN
        changes := ARRAY(SELECT ROW(went.player, went.opponent, went.day, went.kind, went.variant, went.began, went.role, went.result, went.ending, went.cube, -went.games, -went.half_points)::game_tally FROM went);
    ELSE
        -- One that has become another one has gone here and come there.
        changes := ARRAY(
            SELECT ROW(player, opponent, day, kind, variant, began, role, result, ending, cube, sum(games), sum(half_points))::game_tally FROM (
                SELECT came.* FROM came
                UNION ALL SELECT went.player, went.opponent, went.day, went.kind, went.variant, went.began, went.role, went.result, went.ending, went.cube, -went.games, -went.half_points FROM went
            ) AS either GROUP BY player, opponent, day, kind, variant, began, role, result, ending, cube HAVING sum(games) <> 0 OR sum(half_points) <> 0);
    END IF;
    IF cardinality(changes) = 0 THEN
        RETURN NULL;
    END IF;
    INSERT INTO year_tally
    SELECT player, opponent, CAST(extract(year FROM day) AS INTEGER), kind, variant, began, role, result, ending, cube,
        sum(games), sum(half_points)
    FROM unnest(changes) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ON CONFLICT (player, opponent, year, kind, variant, began, role, result, ending, cube)
    DO UPDATE SET games = year_tally.games + excluded.games, half_points = year_tally.half_points + excluded.half_points;
    INSERT INTO month_tally
    SELECT player, opponent, CAST(extract(year FROM day) AS INTEGER), CAST(extract(month FROM day) AS INTEGER), kind, variant, began,
        result, sum(games), sum(half_points)
    FROM unnest(changes) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (player, opponent, year, month, kind, variant, began, result)
    DO UPDATE SET games = month_tally.games + excluded.games, half_points = month_tally.half_points + excluded.half_points;
    INSERT INTO pair_tally
    SELECT player, opponent, kind, variant, began, result, sum(games), sum(half_points) FROM unnest(changes)
    WHERE player <> '00000000-0000-0000-0000-000000000000' AND opponent <> '00000000-0000-0000-0000-000000000000'
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (player, opponent, kind, variant, began, result)
    DO UPDATE SET games = pair_tally.games + excluded.games, half_points = pair_tally.half_points + excluded.half_points;
    -- Only what was taken out can leave nothing behind.
    IF EXISTS (SELECT FROM unnest(changes) WHERE games <= 0) THEN
        DELETE FROM year_tally USING unnest(changes) AS gone
        WHERE year_tally.player = gone.player AND year_tally.opponent = gone.opponent
            AND year_tally.year = CAST(extract(year FROM gone.day) AS INTEGER) AND year_tally.kind = gone.kind
            AND year_tally.variant = gone.variant AND year_tally.began = gone.began AND year_tally.role = gone.role
            AND year_tally.result = gone.result AND year_tally.ending = gone.ending AND year_tally.cube = gone.cube
            AND year_tally.games = 0 AND year_tally.half_points = 0;
        DELETE FROM month_tally USING unnest(changes) AS gone
        WHERE month_tally.player = gone.player AND month_tally.opponent = gone.opponent
            AND month_tally.year = CAST(extract(year FROM gone.day) AS INTEGER)
            AND month_tally.month = CAST(extract(month FROM gone.day) AS INTEGER) AND month_tally.kind = gone.kind
            AND month_tally.variant = gone.variant AND month_tally.began = gone.began AND month_tally.result = gone.result
            AND month_tally.games = 0 AND month_tally.half_points = 0;
        DELETE FROM pair_tally USING unnest(changes) AS gone
        WHERE pair_tally.player = gone.player AND pair_tally.opponent = gone.opponent AND pair_tally.kind = gone.kind
            AND pair_tally.variant = gone.variant AND pair_tally.began = gone.began AND pair_tally.result = gone.result
            AND pair_tally.games = 0 AND pair_tally.half_points = 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER game_tally_came AFTER INSERT ON game_tally REFERENCING NEW TABLE AS came
FOR EACH STATEMENT EXECUTE FUNCTION game_tally_changed();
CREATE TRIGGER game_tally_changed AFTER UPDATE ON game_tally REFERENCING OLD TABLE AS went NEW TABLE AS came
FOR EACH STATEMENT EXECUTE FUNCTION game_tally_changed();
CREATE TRIGGER game_tally_went AFTER DELETE ON game_tally REFERENCING OLD TABLE AS went
FOR EACH STATEMENT EXECUTE FUNCTION game_tally_changed();
