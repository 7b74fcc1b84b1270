DROP TABLE unfilled;
DROP TABLE game_tally;
