-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS conversations_created_at_idx ON conversations (account_id, created_at);
COMMENT ON INDEX conversations_created_at_idx IS 'Serves: conversations of an account that began in a time.';
