-- Compatible with earlier versions: yes
CREATE INDEX print_sheets_account_id_idx ON print_sheets (account_id, created_at DESC, id DESC);
COMMENT ON INDEX print_sheets_account_id_idx IS 'Serves: the print sheets of an account, newest first.';
CREATE INDEX print_sheets_waiting_idx ON print_sheets (id) WHERE finished_at IS NULL;
COMMENT ON INDEX print_sheets_waiting_idx IS 'Serves: the search for print sheets whose job was lost.';
CREATE INDEX print_sheets_expires_at_idx ON print_sheets (expires_at);
COMMENT ON INDEX print_sheets_expires_at_idx IS 'Serves: clean-up.';
