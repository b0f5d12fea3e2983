-- Compatible with earlier versions: yes
ALTER TABLE pending_registrations ADD COLUMN picture bytea;
COMMENT ON COLUMN pending_registrations.picture IS 'The profile picture sent with it, as it will be stored, encrypted; null without one.';
