-- Back to books of chouettes and players alone. A club whose books hold more keeps what it has: what cannot be said in
-- the older tables is refused by their foreign keys, and nothing is changed.
ALTER TABLE balance RENAME COLUMN holder TO player;
ALTER TABLE balance DROP COLUMN holder_kind;
ALTER TABLE balance ADD CONSTRAINT balance_player_fkey FOREIGN KEY (player) REFERENCES player (id);

ALTER TABLE posting RENAME COLUMN holder TO player;
ALTER TABLE posting RENAME COLUMN kind TO bet;
ALTER TABLE posting DROP COLUMN holder_kind, DROP COLUMN counterparty_kind;
ALTER TABLE posting
    ADD CONSTRAINT posting_player_fkey FOREIGN KEY (player) REFERENCES player (id),
    ADD CONSTRAINT posting_counterparty_fkey FOREIGN KEY (counterparty) REFERENCES player (id);

ALTER TABLE ledger_transaction DROP CONSTRAINT ledger_transaction_stream_fkey;
ALTER TABLE ledger_transaction RENAME COLUMN stream TO chouette;
ALTER TABLE ledger_transaction
    ADD CONSTRAINT ledger_transaction_chouette_fkey FOREIGN KEY (chouette) REFERENCES chouette (id);
ALTER INDEX ledger_transaction_stream RENAME TO ledger_transaction_chouette;
