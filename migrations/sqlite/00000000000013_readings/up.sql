-- Who of the staff has read whose ledger, once a day: the member may know it. The nil id stands for everybody's.
CREATE TABLE ledger_reading (
    player TEXT NOT NULL,
    day DATE NOT NULL,
    reader TEXT NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('ledger', 'person', 'books')),
    at TEXT NOT NULL,
    PRIMARY KEY (player, day, reader, what)
) WITHOUT ROWID;

-- A player's account at a bank, shown to whoever owes them money.
ALTER TABLE player ADD COLUMN iban TEXT;
