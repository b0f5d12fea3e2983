-- Compatible with earlier versions: yes
-- An identity that its user unlinked must not link itself again by its address.

ALTER TABLE users ADD COLUMN unlinked_issuers text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN users.unlinked_issuers IS 'Identity providers whose identity the user unlinked: an address no longer links one, until the user links it.';
