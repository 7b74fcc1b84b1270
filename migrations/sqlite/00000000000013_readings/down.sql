DROP TABLE ledger_reading;
