-- Ratings, derived from the results of matches, in the order in which they were finished. A friendly match has a stream of
-- its own, and division and number 0.
CREATE TABLE rated_match (
    stream UUID NOT NULL REFERENCES stream (id),
    division INTEGER NOT NULL,
    number BIGINT NOT NULL,
    finished_at TIMESTAMPTZ NOT NULL,
    length INTEGER NOT NULL CHECK (length BETWEEN 1 AND 255),
    winner UUID NOT NULL REFERENCES player (id),
    loser UUID NOT NULL REFERENCES player (id),
    -- After it, in thousandths of a point; and the points of all matches so far.
    winner_rating BIGINT NOT NULL,
    winner_experience BIGINT NOT NULL,
    loser_rating BIGINT NOT NULL,
    loser_experience BIGINT NOT NULL,
    PRIMARY KEY (stream, division, number),
    CHECK (winner <> loser)
);
CREATE UNIQUE INDEX rated_match_order ON rated_match (finished_at, stream, division, number);
CREATE INDEX rated_match_winner ON rated_match (winner, finished_at, stream, division, number);
CREATE INDEX rated_match_loser ON rated_match (loser, finished_at, stream, division, number);

CREATE TABLE rating (
    player UUID NOT NULL PRIMARY KEY REFERENCES player (id),
    rating BIGINT NOT NULL,
    experience BIGINT NOT NULL,
    matches BIGINT NOT NULL CHECK (matches > 0)
);
CREATE INDEX rating_best ON rating (rating DESC, player);

-- Its one row is locked by whoever rates: every rating follows from those before.
CREATE TABLE rating_lock (
    id SMALLINT NOT NULL PRIMARY KEY
);
INSERT INTO rating_lock (id) VALUES (1);
