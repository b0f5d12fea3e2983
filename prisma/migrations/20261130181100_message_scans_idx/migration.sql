-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS conversation_messages_scan_id_idx ON conversation_messages (scan_id) WHERE scan_id IS NOT NULL;
COMMENT ON INDEX conversation_messages_scan_id_idx IS 'Serves: whether a scan belongs to a conversation.';
