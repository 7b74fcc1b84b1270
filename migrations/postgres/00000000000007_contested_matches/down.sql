DROP INDEX match_contested;
ALTER TABLE "match" DROP COLUMN contested;
