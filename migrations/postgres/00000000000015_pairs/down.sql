DROP TRIGGER pair_turned_over ON posting;
DROP FUNCTION pair_turned_over();
DROP TABLE pair_turnover;
DROP TRIGGER pair_tally_changed ON game_tally;
DROP FUNCTION pair_tally_changed();
DROP TABLE pair_tally;
