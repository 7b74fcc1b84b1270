-- Where a login is sent mail. It is found by the key: the address in small letters. A family may share one.
CREATE TABLE mail_address (
    account UUID NOT NULL PRIMARY KEY REFERENCES account (id),
    address TEXT NOT NULL,
    address_key TEXT NOT NULL
);
CREATE INDEX mail_address_by_key ON mail_address (address_key);
