DROP TABLE entrant;
DROP TABLE tournament;
