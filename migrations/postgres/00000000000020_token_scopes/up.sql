-- What a token may be used for, as words with a space between them; nothing for everything that its login may do. And the hour in which
-- it was used last.
ALTER TABLE api_token ADD COLUMN scopes TEXT;
ALTER TABLE api_token ADD COLUMN last_used_at TIMESTAMPTZ;
