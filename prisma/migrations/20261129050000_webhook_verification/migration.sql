-- Compatible with earlier versions: yes
ALTER TABLE webhook_endpoints ADD COLUMN is_verified boolean NOT NULL DEFAULT true;

COMMENT ON COLUMN webhook_endpoints.is_verified IS 'Whether its address gave its challenge back, is on this machine, or is older than challenges. Otherwise it gets nothing but challenges.';
