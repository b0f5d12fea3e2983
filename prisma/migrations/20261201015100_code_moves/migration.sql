-- Compatible with earlier versions: yes
CREATE TABLE code_moves (
  account_id    text COLLATE "C" NOT NULL,
  id            text COLLATE "C" NOT NULL,
  to_account_id text COLLATE "C" NOT NULL,
  requested_by  text COLLATE "C" NOT NULL,
  status        text NOT NULL DEFAULT 'WAITING',
  code_ids      text[] COLLATE "C" NOT NULL,
  last_id       text COLLATE "C" NOT NULL DEFAULT '',
  codes         integer NOT NULL,
  moved         integer NOT NULL DEFAULT 0,
  left_out      jsonb NOT NULL DEFAULT '[]',
  failure       text,
  request_id    text NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  finished_at   timestamptz(3),
  expires_at    timestamptz(3),
  CONSTRAINT code_moves_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT code_moves_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT code_moves_to_account_id_fkey FOREIGN KEY (to_account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT code_moves_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT code_moves_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT code_moves_other_account CHECK (account_id <> to_account_id),
  CONSTRAINT code_moves_status_known CHECK (status IN ('WAITING', 'COMPLETED', 'FAILED')),
  CONSTRAINT code_moves_finished_complete CHECK ((status = 'WAITING') = (finished_at IS NULL) AND (finished_at IS NULL) = (expires_at IS NULL)),
  CONSTRAINT code_moves_failure_of_failed CHECK (failure IS NULL OR status = 'FAILED'),
  CONSTRAINT code_moves_counts_in_range CHECK (codes >= 0 AND moved >= 0)
);
COMMENT ON TABLE code_moves IS 'Requests to move codes to another account of the same user, done by a job. One is removed a week after it ended.';
COMMENT ON COLUMN code_moves.account_id IS 'Whose codes are moved.';
COMMENT ON COLUMN code_moves.id IS 'Record id.';
COMMENT ON COLUMN code_moves.to_account_id IS 'The account that they go to.';
COMMENT ON COLUMN code_moves.requested_by IS 'The user who requested it, and who has to be allowed it until it ends.';
COMMENT ON COLUMN code_moves.status IS 'WAITING (for a job, or while it moves), COMPLETED or FAILED.';
COMMENT ON COLUMN code_moves.code_ids IS 'The codes by ascending id; empty for all of the account.';
COMMENT ON COLUMN code_moves.last_id IS 'Id of the last code that was moved or left out; a job goes on after it.';
COMMENT ON COLUMN code_moves.codes IS 'How many codes were requested.';
COMMENT ON COLUMN code_moves.moved IS 'How many of them have been moved.';
COMMENT ON COLUMN code_moves.left_out IS 'Codes that stayed: id and error of each, a hundred at most.';
COMMENT ON COLUMN code_moves.failure IS 'The error that ended it before its last code.';
COMMENT ON COLUMN code_moves.request_id IS 'Id of the request that began it.';
COMMENT ON COLUMN code_moves.created_at IS 'When it was requested.';
COMMENT ON COLUMN code_moves.finished_at IS 'When it ended.';
COMMENT ON COLUMN code_moves.expires_at IS 'When it is removed; null until it ended.';
COMMENT ON CONSTRAINT code_moves_pkey ON code_moves IS 'One row a record id.';
COMMENT ON CONSTRAINT code_moves_account_id_fkey ON code_moves IS 'Deleted with its account.';
COMMENT ON CONSTRAINT code_moves_to_account_id_fkey ON code_moves IS 'Deleted with the account that the codes go to.';
COMMENT ON CONSTRAINT code_moves_requested_by_fkey ON code_moves IS 'Deleted with who requested it.';
COMMENT ON CONSTRAINT code_moves_id_shape ON code_moves IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT code_moves_other_account ON code_moves IS 'Codes go to another account.';
COMMENT ON CONSTRAINT code_moves_status_known ON code_moves IS 'WAITING, COMPLETED or FAILED.';
COMMENT ON CONSTRAINT code_moves_finished_complete ON code_moves IS 'One that ended, and no other, has the time of its end and of its removal.';
COMMENT ON CONSTRAINT code_moves_failure_of_failed ON code_moves IS 'Only a FAILED one has an error.';
COMMENT ON CONSTRAINT code_moves_counts_in_range ON code_moves IS 'Counts are not negative.';
CREATE TRIGGER code_moves_erasure_guard BEFORE INSERT ON code_moves
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('account_id');
COMMENT ON TRIGGER code_moves_erasure_guard ON code_moves IS 'No move is stored for an erased account.';
CREATE INDEX code_moves_to_account_id_idx ON code_moves (to_account_id);
COMMENT ON INDEX code_moves_to_account_id_idx IS 'Serves: the erasure of an account.';
CREATE INDEX code_moves_requested_by_idx ON code_moves (requested_by, created_at DESC, id DESC);
COMMENT ON INDEX code_moves_requested_by_idx IS 'Serves: the moves of a user, newest first.';
CREATE INDEX code_moves_expires_at_idx ON code_moves (expires_at);
COMMENT ON INDEX code_moves_expires_at_idx IS 'Serves: expired moves.';
