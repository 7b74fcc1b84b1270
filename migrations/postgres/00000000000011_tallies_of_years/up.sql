-- What tallies of days come to in a year, and in a month by what statistics ask about months. They are kept by the database itself, with
-- each tally that comes, changes or goes: so they cannot be out of step, and years need not be added up from their days.
CREATE TABLE year_tally (
    player UUID NOT NULL,
    opponent UUID NOT NULL,
    year INTEGER NOT NULL,
    kind TEXT NOT NULL,
    variant TEXT NOT NULL,
    began TEXT NOT NULL,
    role TEXT NOT NULL,
    result TEXT NOT NULL,
    ending TEXT NOT NULL,
    cube BIGINT NOT NULL,
    games BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    PRIMARY KEY (player, opponent, year, kind, variant, began, role, result, ending, cube)
);

CREATE TABLE month_tally (
    player UUID NOT NULL,
    opponent UUID NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    kind TEXT NOT NULL,
    variant TEXT NOT NULL,
    began TEXT NOT NULL,
    result TEXT NOT NULL,
    games BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    PRIMARY KEY (player, opponent, year, month, kind, variant, began, result)
);

-- Who gave an extra without a bet of his own was counted as one of the team: all is counted anew.
DELETE FROM game_tally;
INSERT INTO unfilled (name) VALUES ('game_tally') ON CONFLICT DO NOTHING;

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
