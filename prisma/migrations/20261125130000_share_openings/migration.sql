-- When a share was last opened, for its owner's list.

ALTER TABLE document_shares ADD COLUMN last_opened_at timestamptz(3);
COMMENT ON COLUMN document_shares.last_opened_at IS 'When it was last opened; null where it never was.';
ALTER TABLE document_shares ADD CONSTRAINT document_shares_opened_when_viewed CHECK ((views = 0) = (last_opened_at IS NULL));
COMMENT ON CONSTRAINT document_shares_opened_when_viewed ON document_shares IS 'What was opened was so at a time.';
