-- Compatible with earlier versions: yes
-- Counts in the time zone of an account, and accounts that only programs use.
CREATE OR REPLACE VIEW reporting.users AS
SELECT id, role, status, account_type, language,
       (created_at AT TIME ZONE 'UTC')::date AS created_on,
       ((SELECT max(last_used_at) FROM sessions WHERE sessions.user_id = users.id) AT TIME ZONE 'UTC')::date AS last_seen_on,
       time_zone,
       ((SELECT max(last_used_at) FROM api_keys WHERE api_keys.account_id = users.id) AT TIME ZONE 'UTC')::date AS api_used_on
FROM users;
COMMENT ON COLUMN reporting.users.time_zone IS 'Time zone of the user (IANA), such as Europe/Berlin; UTC for an erased one.';
COMMENT ON COLUMN reporting.users.api_used_on IS 'UTC day of the last request with an API key of the account; null where there was none.';
