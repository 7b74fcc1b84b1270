-- Who won how many games of which kind (M8), derived from the streams of chouettes and matches: games that are alike in all of
-- the key are counted together. The player of no number (all zeros) is the club; as an opponent it stands for the game as a whole.
CREATE TABLE game_tally (
    player UUID NOT NULL,
    opponent UUID NOT NULL,
    day DATE NOT NULL,
    kind TEXT NOT NULL,
    variant TEXT NOT NULL,
    began TEXT NOT NULL,
    role TEXT NOT NULL,
    result TEXT NOT NULL,
    ending TEXT NOT NULL,
    cube BIGINT NOT NULL,
    games BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    PRIMARY KEY (player, opponent, day, kind, variant, began, role, result, ending, cube)
);

-- Derived tables that came later than what they are derived from, and are to be filled by the program before anything is written.
CREATE TABLE unfilled (
    name TEXT NOT NULL PRIMARY KEY
);
INSERT INTO unfilled (name) VALUES ('game_tally');
