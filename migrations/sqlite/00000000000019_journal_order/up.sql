-- In which order the club's live stream tells what streams have grown by: a row for each piece that was found, without gaps. It is
-- written only while somebody listens to the whole club.
CREATE TABLE journal_order (
    position BIGINT NOT NULL PRIMARY KEY CHECK (position > 0),
    stream TEXT NOT NULL REFERENCES stream (id),
    version_before BIGINT NOT NULL CHECK (version_before >= 0),
    version BIGINT NOT NULL CHECK (version > version_before),
    UNIQUE (stream, version)
) WITHOUT ROWID;
