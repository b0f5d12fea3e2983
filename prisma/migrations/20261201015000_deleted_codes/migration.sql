-- A code that goes to another account is gone from the changes of its former one.
ALTER TABLE deletions DROP CONSTRAINT deletions_type_known;
ALTER TABLE deletions ADD CONSTRAINT deletions_type_known CHECK (type IN ('CONVERSATION', 'DOCUMENT', 'MEMORY_TAG', 'QRCODE')) NOT VALID;
ALTER TABLE deletions VALIDATE CONSTRAINT deletions_type_known;
COMMENT ON CONSTRAINT deletions_type_known ON deletions IS 'The types that are deleted for good, or go to another account.';
COMMENT ON TABLE deletions IS 'Deleted records of the last 30 days, for programs that keep a copy. Codes are in it that went to another account; deleted codes are in qr_codes, deleted notifications in notifications.';
COMMENT ON COLUMN deletions.type IS 'CONVERSATION, DOCUMENT, MEMORY_TAG or QRCODE.';
