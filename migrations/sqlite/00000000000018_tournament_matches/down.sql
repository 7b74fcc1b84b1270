DROP TABLE tournament_match;
DELETE FROM unfilled WHERE name = 'tournament_match';
