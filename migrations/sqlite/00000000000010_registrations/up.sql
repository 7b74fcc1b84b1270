-- Who has asked for a login, and waits for an admin.
CREATE TABLE registration (
    id TEXT NOT NULL PRIMARY KEY,
    login TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    asked_at TEXT NOT NULL
) WITHOUT ROWID;
