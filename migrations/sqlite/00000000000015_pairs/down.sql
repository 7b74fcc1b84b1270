DROP TRIGGER pair_turned_over;
DROP TABLE pair_turnover;
DROP TRIGGER pair_tally_went;
DROP TRIGGER pair_tally_changed;
DROP TRIGGER pair_tally_came;
DROP TABLE pair_tally;
