-- Whether something on a sheet is contested, and waits for a ruling.
ALTER TABLE "match" ADD COLUMN contested BOOLEAN NOT NULL DEFAULT FALSE;
-- What is contested already, and was not ruled on since.
UPDATE "match" SET contested = TRUE WHERE id IN (
    SELECT one.stream FROM journal AS one
    WHERE one.kind = 'contested' AND NOT EXISTS (
        SELECT 1 FROM journal AS later
        WHERE later.stream = one.stream AND later.version > one.version
            AND later.kind IN ('contest_withdrawn', 'upheld', 'voided', 'reopened', 'corrected', 'undone', 'redone')
    )
);
CREATE INDEX match_contested ON "match" (id) WHERE contested;
