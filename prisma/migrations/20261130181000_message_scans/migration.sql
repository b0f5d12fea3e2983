-- Compatible with earlier versions: yes
ALTER TABLE conversation_messages ADD COLUMN scan_id text COLLATE "C"
  CONSTRAINT conversation_messages_scan_id_shape CHECK (scan_id ~ '^[0-9a-f]{24}$');
COMMENT ON COLUMN conversation_messages.scan_id IS 'The later scan that the finder of the conversation wrote it from; null for the scan that it began with, and without one. Without a foreign key: scans are dropped a month at a time.';
COMMENT ON CONSTRAINT conversation_messages_scan_id_shape ON conversation_messages IS 'A record id.';
