-- Tournaments, derived from their streams.
CREATE TABLE tournament (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    date DATE NOT NULL,
    status TEXT NOT NULL,
    public BOOLEAN NOT NULL,
    opened_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ
);
CREATE INDEX tournament_date ON tournament (date, id);

-- Who has entered which.
CREATE TABLE entrant (
    tournament UUID NOT NULL REFERENCES tournament (id),
    player UUID NOT NULL REFERENCES player (id),
    PRIMARY KEY (tournament, player)
);
CREATE INDEX entrant_player ON entrant (player, tournament);
