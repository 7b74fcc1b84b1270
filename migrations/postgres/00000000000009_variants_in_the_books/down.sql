ALTER TABLE ledger_transaction DROP COLUMN variant;
