-- A finder may write to the owner of a paused or expired code, which records no scan.
ALTER TABLE conversations ADD COLUMN from_scan boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN conversations.from_scan IS 'Whether it was begun from a scan; false where the code was paused or expired, so that there is none.';
COMMENT ON COLUMN conversations.scan_id IS 'The scan that it was begun from, or the visit where from_scan is false. Without a foreign key: scans are dropped a month at a time.';
COMMENT ON CONSTRAINT conversations_scan_id_key ON conversations IS 'A scan, or a visit without one, has one conversation.';
