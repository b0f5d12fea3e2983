-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS qr_codes_facets_idx ON qr_codes (account_id, kind, status, expires_at) WHERE status <> 'DELETED';
COMMENT ON INDEX qr_codes_facets_idx IS 'Serves: an account''s codes counted by kind and status, without a look at the table.';
