DROP TRIGGER game_tally_came ON game_tally;
DROP TRIGGER game_tally_changed ON game_tally;
DROP TRIGGER game_tally_went ON game_tally;
DROP FUNCTION game_tally_changed();

CREATE FUNCTION game_tally_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
    INSERT INTO year_tally VALUES (
        tally.player, tally.opponent, CAST(extract(year FROM tally.day) AS INTEGER), tally.kind, tally.variant, tally.began,
        tally.role, tally.result, tally.ending, tally.cube, tally.games, tally.half_points)
    ON CONFLICT (player, opponent, year, kind, variant, began, role, result, ending, cube)
    DO UPDATE SET games = year_tally.games + excluded.games, half_points = year_tally.half_points + excluded.half_points;
    DELETE FROM year_tally
    WHERE player = tally.player AND opponent = tally.opponent AND year = CAST(extract(year FROM tally.day) AS INTEGER)
        AND kind = tally.kind AND variant = tally.variant AND began = tally.began AND role = tally.role
        AND result = tally.result AND ending = tally.ending AND cube = tally.cube AND games = 0 AND half_points = 0;
    INSERT INTO month_tally VALUES (
        tally.player, tally.opponent, CAST(extract(year FROM tally.day) AS INTEGER), CAST(extract(month FROM tally.day) AS INTEGER),
        tally.kind, tally.variant, tally.began, tally.result, tally.games, tally.half_points)
    ON CONFLICT (player, opponent, year, month, kind, variant, began, result)
    DO UPDATE SET games = month_tally.games + excluded.games, half_points = month_tally.half_points + excluded.half_points;
    DELETE FROM month_tally
    WHERE player = tally.player AND opponent = tally.opponent AND year = CAST(extract(year FROM tally.day) AS INTEGER)
        AND month = CAST(extract(month FROM tally.day) AS INTEGER) AND kind = tally.kind AND variant = tally.variant
        AND began = tally.began AND result = tally.result AND games = 0 AND half_points = 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER game_tally_changed AFTER INSERT OR DELETE OR UPDATE OF games, half_points ON game_tally
FOR EACH ROW EXECUTE FUNCTION game_tally_changed();
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
