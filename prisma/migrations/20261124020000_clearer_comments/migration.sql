ALTER TABLE pending_logins RENAME COLUMN password_state TO login_fingerprint;
COMMENT ON COLUMN pending_logins.login_fingerprint IS 'Keyed hash of the stored password and the access epoch at the first step: a change of either makes the row worthless.';

COMMENT ON COLUMN guest_book_entries.network_hash IS 'Keyed hash of memory tag and network (IPv4 /24, IPv6 /48); null for entries from before this column.';
COMMENT ON COLUMN mail_suppressions.recipient_hash IS 'Keyed hash of the mailbox: the address without subaddress, at Gmail without dots.';

COMMENT ON TABLE qr_code_reports IS 'Reports of codes by strangers; deleted 90 days after the decision, open ones after 180 days.';
COMMENT ON COLUMN qr_code_reports.network_hash IS 'Keyed hash of code and network that the report came from: a network has one open report of a code.';
COMMENT ON INDEX qr_code_reports_open_key IS 'A network has one open report of a code.';
COMMENT ON TABLE qr_code_takedowns IS 'Take-downs of codes by administrators; deleted 180 days after their end, or after the code was deleted.';
