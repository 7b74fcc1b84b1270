-- Tournaments, derived from their streams.
CREATE TABLE tournament (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    date DATE NOT NULL,
    status TEXT NOT NULL,
    public BOOLEAN NOT NULL,
    opened_at TEXT NOT NULL,
    closed_at TEXT
) WITHOUT ROWID;
CREATE INDEX tournament_date ON tournament (date, id);

-- Who has entered which.
CREATE TABLE entrant (
    tournament TEXT NOT NULL REFERENCES tournament (id),
    player TEXT NOT NULL REFERENCES player (id),
    PRIMARY KEY (tournament, player)
) WITHOUT ROWID;
CREATE INDEX entrant_player ON entrant (player, tournament);
