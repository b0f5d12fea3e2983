-- Compatible with earlier versions: yes
-- Accounts that own codes, whether of a user or of an organization.
CREATE VIEW reporting.accounts AS
SELECT id, type, status, language, time_zone, enterprise_mode, (created_at AT TIME ZONE 'UTC')::date AS created_on
FROM accounts;
COMMENT ON VIEW reporting.accounts IS 'Accounts that own codes: personal ones and organizations, without names.';
COMMENT ON COLUMN reporting.accounts.id IS 'Opaque id of the account; of a personal one that of its user.';
COMMENT ON COLUMN reporting.accounts.type IS 'PERSONAL or ORGANIZATION.';
COMMENT ON COLUMN reporting.accounts.status IS 'ACTIVE, SUSPENDED or DELETED (erased).';
COMMENT ON COLUMN reporting.accounts.language IS 'Language of the account (BCP 47).';
COMMENT ON COLUMN reporting.accounts.time_zone IS 'Time zone of the account (IANA), such as Europe/Berlin; UTC for an erased one.';
COMMENT ON COLUMN reporting.accounts.enterprise_mode IS 'Whether enterprise mode is on for the account.';
COMMENT ON COLUMN reporting.accounts.created_on IS 'UTC day on which the account was made.';
