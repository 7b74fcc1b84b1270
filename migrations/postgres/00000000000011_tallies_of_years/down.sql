DROP TRIGGER game_tally_changed ON game_tally;
DROP FUNCTION game_tally_changed();
DROP TABLE month_tally;
DROP TABLE year_tally;
