-- What tallies of days come to in a year, and in a month by what statistics ask about months. They are kept by the database itself, with
-- each tally that comes, changes or goes: so they cannot be out of step, and years need not be added up from their days.
CREATE TABLE year_tally (
    player TEXT NOT NULL,
    opponent TEXT NOT NULL,
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
) WITHOUT ROWID;

CREATE TABLE month_tally (
    player TEXT NOT NULL,
    opponent TEXT NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    kind TEXT NOT NULL,
    variant TEXT NOT NULL,
    began TEXT NOT NULL,
    result TEXT NOT NULL,
    games BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    PRIMARY KEY (player, opponent, year, month, kind, variant, began, result)
) WITHOUT ROWID;

-- Who gave an extra without a bet of his own was counted as one of the team: all is counted anew.
DELETE FROM game_tally;
INSERT INTO unfilled (name) VALUES ('game_tally') ON CONFLICT DO NOTHING;

CREATE TRIGGER game_tally_came AFTER INSERT ON game_tally BEGIN
    INSERT INTO year_tally VALUES (
        new.player, new.opponent, CAST(strftime('%Y', new.day) AS INTEGER), new.kind, new.variant, new.began,
        new.role, new.result, new.ending, new.cube, new.games, new.half_points)
    ON CONFLICT (player, opponent, year, kind, variant, began, role, result, ending, cube)
    DO UPDATE SET games = year_tally.games + excluded.games, half_points = year_tally.half_points + excluded.half_points;
    DELETE FROM year_tally
    WHERE player = new.player AND opponent = new.opponent AND year = CAST(strftime('%Y', new.day) AS INTEGER)
        AND kind = new.kind AND variant = new.variant AND began = new.began AND role = new.role
        AND result = new.result AND ending = new.ending AND cube = new.cube AND games = 0 AND half_points = 0;
    INSERT INTO month_tally VALUES (
        new.player, new.opponent, CAST(strftime('%Y', new.day) AS INTEGER), CAST(strftime('%m', new.day) AS INTEGER),
        new.kind, new.variant, new.began, new.result, new.games, new.half_points)
    ON CONFLICT (player, opponent, year, month, kind, variant, began, result)
    DO UPDATE SET games = month_tally.games + excluded.games, half_points = month_tally.half_points + excluded.half_points;
    DELETE FROM month_tally
    WHERE player = new.player AND opponent = new.opponent AND year = CAST(strftime('%Y', new.day) AS INTEGER)
        AND month = CAST(strftime('%m', new.day) AS INTEGER) AND kind = new.kind AND variant = new.variant
        AND began = new.began AND result = new.result AND games = 0 AND half_points = 0;
END;

CREATE TRIGGER game_tally_changed AFTER UPDATE OF games, half_points ON game_tally BEGIN
    INSERT INTO year_tally VALUES (
        new.player, new.opponent, CAST(strftime('%Y', new.day) AS INTEGER), new.kind, new.variant, new.began,
        new.role, new.result, new.ending, new.cube, new.games - old.games, new.half_points - old.half_points)
    ON CONFLICT (player, opponent, year, kind, variant, began, role, result, ending, cube)
    DO UPDATE SET games = year_tally.games + excluded.games, half_points = year_tally.half_points + excluded.half_points;
    DELETE FROM year_tally
    WHERE player = new.player AND opponent = new.opponent AND year = CAST(strftime('%Y', new.day) AS INTEGER)
        AND kind = new.kind AND variant = new.variant AND began = new.began AND role = new.role
        AND result = new.result AND ending = new.ending AND cube = new.cube AND games = 0 AND half_points = 0;
    INSERT INTO month_tally VALUES (
        new.player, new.opponent, CAST(strftime('%Y', new.day) AS INTEGER), CAST(strftime('%m', new.day) AS INTEGER),
        new.kind, new.variant, new.began, new.result, new.games - old.games, new.half_points - old.half_points)
    ON CONFLICT (player, opponent, year, month, kind, variant, began, result)
    DO UPDATE SET games = month_tally.games + excluded.games, half_points = month_tally.half_points + excluded.half_points;
    DELETE FROM month_tally
    WHERE player = new.player AND opponent = new.opponent AND year = CAST(strftime('%Y', new.day) AS INTEGER)
        AND month = CAST(strftime('%m', new.day) AS INTEGER) AND kind = new.kind AND variant = new.variant
        AND began = new.began AND result = new.result AND games = 0 AND half_points = 0;
END;

CREATE TRIGGER game_tally_went AFTER DELETE ON game_tally BEGIN
    INSERT INTO year_tally VALUES (
        old.player, old.opponent, CAST(strftime('%Y', old.day) AS INTEGER), old.kind, old.variant, old.began,
        old.role, old.result, old.ending, old.cube, -old.games, -old.half_points)
    ON CONFLICT (player, opponent, year, kind, variant, began, role, result, ending, cube)
    DO UPDATE SET games = year_tally.games + excluded.games, half_points = year_tally.half_points + excluded.half_points;
    DELETE FROM year_tally
    WHERE player = old.player AND opponent = old.opponent AND year = CAST(strftime('%Y', old.day) AS INTEGER)
        AND kind = old.kind AND variant = old.variant AND began = old.began AND role = old.role
        AND result = old.result AND ending = old.ending AND cube = old.cube AND games = 0 AND half_points = 0;
    INSERT INTO month_tally VALUES (
        old.player, old.opponent, CAST(strftime('%Y', old.day) AS INTEGER), CAST(strftime('%m', old.day) AS INTEGER),
        old.kind, old.variant, old.began, old.result, -old.games, -old.half_points)
    ON CONFLICT (player, opponent, year, month, kind, variant, began, result)
    DO UPDATE SET games = month_tally.games + excluded.games, half_points = month_tally.half_points + excluded.half_points;
    DELETE FROM month_tally
    WHERE player = old.player AND opponent = old.opponent AND year = CAST(strftime('%Y', old.day) AS INTEGER)
        AND month = CAST(strftime('%m', old.day) AS INTEGER) AND kind = old.kind AND variant = old.variant
        AND began = old.began AND result = old.result AND games = 0 AND half_points = 0;
END;
