DROP TRIGGER game_tally_went;
DROP TRIGGER game_tally_changed;
DROP TRIGGER game_tally_came;
DROP TABLE month_tally;
DROP TABLE year_tally;
