-- Addresses that are sent what happens in the club, each with the rights of the login that made it. The secret is kept as it is: it
-- signs what is sent. A webhook goes on after "place", not before "due_at"; who sends something puts that off first, so that no other
-- instance sends it too.
CREATE TABLE webhook (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    url TEXT NOT NULL,
    secret BLOB NOT NULL,
    kinds TEXT NOT NULL,
    created_at TEXT NOT NULL,
    place TEXT NOT NULL,
    due_at TEXT NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    failing_since TEXT,
    off_since TEXT,
    off_reason TEXT
) WITHOUT ROWID;

-- The newest of what each was sent, and how that went.
CREATE TABLE webhook_delivery (
    id TEXT NOT NULL PRIMARY KEY,
    webhook TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    at TEXT NOT NULL,
    milliseconds INTEGER NOT NULL,
    status SMALLINT,
    failure TEXT
) WITHOUT ROWID;
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook, id);
