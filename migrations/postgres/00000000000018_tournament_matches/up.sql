-- The matches of tournaments that were played, or conceded at the table, whether they are rated or not: what statistics know of those
-- that were entered by their score.
CREATE TABLE tournament_match (
    tournament UUID NOT NULL REFERENCES tournament (id),
    division INTEGER NOT NULL,
    number BIGINT NOT NULL,
    finished_at TIMESTAMPTZ NOT NULL,
    length INTEGER NOT NULL CHECK (length BETWEEN 1 AND 255),
    winner UUID NOT NULL REFERENCES player (id),
    loser UUID NOT NULL REFERENCES player (id),
    PRIMARY KEY (tournament, division, number),
    CHECK (winner <> loser)
);
CREATE INDEX tournament_match_winner ON tournament_match (winner, loser, finished_at);
CREATE INDEX tournament_match_loser ON tournament_match (loser, winner, finished_at);
INSERT INTO unfilled (name) VALUES ('tournament_match') ON CONFLICT DO NOTHING;
