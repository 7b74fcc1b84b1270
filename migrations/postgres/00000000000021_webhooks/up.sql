-- Addresses that are sent what happens in the club, each with the rights of the login that made it. The secret is kept as it is: it
-- signs what is sent. A webhook goes on after "place", not before "due_at"; who sends something puts that off first, so that no other
-- instance sends it too.
CREATE TABLE webhook (
    id UUID NOT NULL PRIMARY KEY,
    account UUID NOT NULL REFERENCES account (id),
    url TEXT NOT NULL,
    secret BYTEA NOT NULL,
    kinds TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    place TEXT NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    failing_since TIMESTAMPTZ,
    off_since TIMESTAMPTZ,
    off_reason TEXT
);

-- The newest of what each was sent, and how that went.
CREATE TABLE webhook_delivery (
    id UUID NOT NULL PRIMARY KEY,
    webhook UUID NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    milliseconds INTEGER NOT NULL,
    status SMALLINT,
    failure TEXT
);
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook, id);
