-- A program that knows no scopes would let such a token do everything.
UPDATE api_token SET revoked_at = created_at WHERE scopes IS NOT NULL AND revoked_at IS NULL;
ALTER TABLE api_token DROP COLUMN last_used_at;
ALTER TABLE api_token DROP COLUMN scopes;
