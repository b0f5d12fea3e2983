-- Which version of its code a scan was opened for, so that nothing newer is shown for an older PIN, whatever two clocks
-- say. Scans that were opened before this ask for the PIN again.
ALTER TABLE scans ADD COLUMN unlocked_version integer;
COMMENT ON COLUMN scans.unlocked_version IS 'The version of the code that the right PIN was given for; a newer one asks for it again.';
ALTER TABLE scans ADD CONSTRAINT scans_unlocked_version_known CHECK (unlocked_version IS NULL OR unlocked_at IS NOT NULL);
