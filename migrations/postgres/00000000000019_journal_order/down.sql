DROP TABLE journal_order;
