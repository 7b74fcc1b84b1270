-- The books are of tournaments and matches too. A transaction comes from a stream, whatever its kind; an account is a
-- player's, a tournament's pool's or the house's, so no table stands behind it: `owlbox verify` holds the books against
-- the journal.
ALTER TABLE ledger_transaction DROP CONSTRAINT ledger_transaction_chouette_fkey;
ALTER TABLE ledger_transaction RENAME COLUMN chouette TO stream;
ALTER TABLE ledger_transaction
    ADD CONSTRAINT ledger_transaction_stream_fkey FOREIGN KEY (stream) REFERENCES stream (id);
ALTER INDEX ledger_transaction_chouette RENAME TO ledger_transaction_stream;

-- A holder is a player's id, a tournament's, or the one that stands for the house.
ALTER TABLE posting DROP CONSTRAINT posting_player_fkey;
ALTER TABLE posting DROP CONSTRAINT posting_counterparty_fkey;
ALTER TABLE posting RENAME COLUMN player TO holder;
ALTER TABLE posting RENAME COLUMN bet TO kind;
ALTER TABLE posting
    ADD COLUMN holder_kind TEXT NOT NULL DEFAULT 'player' CHECK (holder_kind IN ('player', 'pool', 'house')),
    ADD COLUMN counterparty_kind TEXT NOT NULL DEFAULT 'player'
        CHECK (counterparty_kind IN ('player', 'pool', 'house')),
    ADD CHECK ((holder_kind = 'house') = (holder = '6f776c62-6f78-0000-8000-000000000002')),
    ADD CHECK (unit <> 'half_points' OR holder_kind = 'player');
ALTER TABLE posting ALTER COLUMN holder_kind DROP DEFAULT, ALTER COLUMN counterparty_kind DROP DEFAULT;

ALTER TABLE balance DROP CONSTRAINT balance_player_fkey;
ALTER TABLE balance RENAME COLUMN player TO holder;
ALTER TABLE balance
    ADD COLUMN holder_kind TEXT NOT NULL DEFAULT 'player' CHECK (holder_kind IN ('player', 'pool', 'house'));
ALTER TABLE balance ALTER COLUMN holder_kind DROP DEFAULT;
