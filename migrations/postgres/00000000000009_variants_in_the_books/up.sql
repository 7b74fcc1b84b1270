-- What was played in the game that posted; NULL if it is of no game.
ALTER TABLE ledger_transaction ADD COLUMN variant TEXT;
UPDATE ledger_transaction SET variant = 'standard' WHERE game <> 0;
-- A chouette's game is what it was started as: by the latest start of its number, for one that is taken back may become another.
UPDATE ledger_transaction SET variant = COALESCE((
    SELECT started.payload #>> '{rules,variant}' FROM journal AS started
    WHERE started.stream = ledger_transaction.stream AND started.kind = 'game_started'
        AND (started.payload ->> 'game')::integer = ledger_transaction.game
        AND started.version <= ledger_transaction.version
    ORDER BY started.version DESC LIMIT 1
), 'standard') WHERE game <> 0 AND stream IN (
    SELECT stream FROM journal WHERE kind = 'game_started' AND payload #>> '{rules,variant}' IS NOT NULL
);
-- A money session plays what it was opened for.
UPDATE ledger_transaction SET variant = COALESCE((
    SELECT opened.payload #>> '{terms,game,variant}' FROM journal AS opened
    WHERE opened.stream = ledger_transaction.stream AND opened.kind = 'opened' AND opened.version <= ledger_transaction.version
    ORDER BY opened.version DESC LIMIT 1
), 'standard') WHERE game <> 0 AND stream IN (
    SELECT stream FROM journal WHERE kind = 'opened' AND payload #>> '{terms,game,variant}' IS NOT NULL
);
