-- Compatible with earlier versions: yes
-- Keys whose member no longer lets them work.
CREATE OR REPLACE VIEW reporting.api_keys AS
SELECT key.id, key.account_id, key.scopes, array_length(key.allowed_networks, 1) IS NOT NULL AS has_networks,
       CASE WHEN key.revoked_at IS NOT NULL THEN 'REVOKED' WHEN key.expires_at <= now() THEN 'EXPIRED'
            WHEN membership.user_id IS NULL OR creator.status = 'SUSPENDED' THEN 'STOPPED' ELSE 'ACTIVE' END AS status,
       key.last_used_at, key.rotated_at, key.expires_at, key.revoked_at, key.created_at
FROM api_keys AS key JOIN users AS creator ON creator.id = key.created_by
LEFT JOIN memberships AS membership ON membership.account_id = key.account_id AND membership.user_id = key.created_by;
COMMENT ON COLUMN reporting.api_keys.account_id IS 'The owner: id in accounts.';
COMMENT ON COLUMN reporting.api_keys.status IS 'ACTIVE, EXPIRED, REVOKED, or STOPPED: whoever made it left the account or is suspended. As of now.';
