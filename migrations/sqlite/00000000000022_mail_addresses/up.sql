-- Where a login is sent mail. It is found by the key: the address in small letters. A family may share one.
CREATE TABLE mail_address (
    account TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
    address TEXT NOT NULL,
    address_key TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_address_by_key ON mail_address (address_key);
