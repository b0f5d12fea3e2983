-- What a notification says is put into words when somebody reads it, in their language; the row has what it needs for that.
UPDATE notifications SET data = notifications.data
  || coalesce((SELECT jsonb_build_object('code', title) FROM qr_codes WHERE qr_codes.id = notifications.data->>'qrCodeId'), '{}')
  || coalesce((SELECT jsonb_build_object('place', coalesce(city, region, country)) FROM scans
               WHERE scans.id = notifications.data->>'scanId' AND coalesce(city, region, country) IS NOT NULL), '{}');
UPDATE notifications SET data = notifications.data || jsonb_build_object('role', substring(body FROM '[A-Z]{2,}'))
  WHERE event = 'ROLE_CHANGED' AND body ~ '[A-Z]{2,}';
ALTER TABLE notifications DROP COLUMN title, DROP COLUMN body;
COMMENT ON COLUMN notifications.data IS 'Ids that a client needs to open what it is about, and names to put into its sentences; nothing private.';
