-- Matches and money sessions between two, derived from their sheets.
CREATE TABLE "match" (
    id UUID NOT NULL PRIMARY KEY,
    -- Which match of a tournament's bracket it is, if it is one.
    tournament UUID,
    division INTEGER,
    number BIGINT,
    upper_player UUID NOT NULL REFERENCES player (id),
    lower_player UUID NOT NULL REFERENCES player (id),
    -- 0 is a money session.
    length INTEGER NOT NULL,
    -- 'open', 'adjourned' or 'over'.
    status TEXT NOT NULL,
    upper_score BIGINT NOT NULL,
    lower_score BIGINT NOT NULL,
    games INTEGER NOT NULL,
    -- 'upper' or 'lower', of a match that somebody has won.
    winner TEXT,
    opened_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ
);
CREATE INDEX match_status ON "match" (status, id);
CREATE INDEX match_upper_player ON "match" (upper_player, id);
CREATE INDEX match_lower_player ON "match" (lower_player, id);
CREATE INDEX match_tournament ON "match" (tournament, division, number);
