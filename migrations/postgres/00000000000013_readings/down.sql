ALTER TABLE player DROP COLUMN iban;
DROP TABLE ledger_reading;
